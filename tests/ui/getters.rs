use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Grid {
    data: Vec<f64>,
    n: usize,
    #[passive]
    borrowed: &'static [f64],
    #[passive]
    function: std::rc::Rc<dyn Fn(f64) -> f64>,
}

#[adjoint]
impl Grid {
    #[adjoint]
    fn of_other<'a>(&'a self, other: &'a Grid) -> &'a f64 {
        if self.n > 0 { &self.data[0] } else { &other.data[0] }
    }

    #[adjoint]
    fn grown(&mut self) -> &mut f64 {
        self.n += 1;
        &mut self.data[self.n]
    }

    #[adjoint]
    fn builder(&mut self) -> &mut Self {
        self
    }

    #[adjoint]
    fn largest(&self) -> Option<&f64> {
        self.data.iter().max_by(|a, b| a.total_cmp(b))
    }

    #[adjoint]
    fn of_any<T: Into<usize>>(&self, i: T) -> &f64 {
        &self.data[i.into()]
    }

    #[adjoint]
    fn sorted(&mut self) -> &mut f64 {
        self.data.sort_by(f64::total_cmp);
        &mut self.data[0]
    }

    #[adjoint(independents(self), second_order)]
    fn last(&self) -> &f64 {
        &self.data[self.n]
    }

    #[adjoint]
    fn borrowed(&self) -> &[f64] {
        self.borrowed
    }

    #[adjoint]
    fn function(&self) -> &dyn Fn(f64) -> f64 {
        &*self.function
    }
}

impl Grid {
    #[adjoint(no(context))]
    fn first(&self) -> &f64 {
        &self.data[0]
    }
}

#[adjoint]
fn pick<'a>(a: &'a f64, _: &f64) -> &'a f64 {
    a
}

fn main() {}
