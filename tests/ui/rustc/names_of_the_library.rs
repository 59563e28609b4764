//! What has the name of something of the standard library and is something else.
use backsweep::adjoint;

mod mem {
    pub fn swap(a: &mut f64, b: &mut f64) {
        *a += *b;
    }
}

#[adjoint]
fn function(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    mem::swap(&mut a, &mut b);
    a * b * b
}

mod imported {
    macro_rules! doubled {
        ($($e:expr),*) => {
            [$($e * 2.0),*]
        };
    }
    pub(crate) use doubled as vec;
}

mod importing {
    use crate::imported::vec;
    use backsweep::adjoint;

    #[adjoint]
    fn imported_macro(x: f64) -> f64 {
        let v = vec![x, x];
        v[0] * v[1]
    }
}

macro_rules! vec {
    ($($e:expr),*) => {
        [$($e * 2.0),*]
    };
}

#[adjoint]
fn textual_macro(x: f64) -> f64 {
    let v = vec![x, x];
    v[0] * v[1]
}

trait Scaled {
    fn fill(&mut self, x: f64);
    fn push(&self, x: f64);
    fn first(self) -> Option<&'static f64>;
}

impl Scaled for Vec<f64> {
    fn fill(&mut self, x: f64) {
        self.iter_mut().for_each(|t| *t *= x);
    }
    fn push(&self, _: f64) {}
    fn first(self) -> Option<&'static f64> {
        None
    }
}

#[adjoint]
fn methods_of_lists(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.to_vec();
    v.fill(x[1]);
    v.push(x[0]);
    v[0] * v[1] * *v.first().unwrap()
}

trait Fraction {
    fn fract(self) -> f64;
}

impl Fraction for &f64 {
    fn fract(self) -> f64 {
        self * self
    }
}

trait Sine {
    fn sin(&self) -> f64;
}

impl Sine for f64 {
    fn sin(&self) -> f64 {
        self * self
    }
}

#[adjoint]
fn methods_of_references(x: &[f64]) -> f64 {
    let r = &x[0];
    r.fract() * r.sin()
}

mod constructors {
    use backsweep::adjoint;

    #[allow(non_snake_case)]
    fn Some(x: f64) -> Option<f64> {
        Option::Some(x * 2.0)
    }

    #[adjoint]
    fn constructor(x: f64) -> f64 {
        let k = Some(x);
        k.unwrap_or(0.0) * x
    }
}

mod lists {
    use backsweep::adjoint;

    struct List<T>(Option<T>);
    use List as Vec;

    impl<T> List<T> {
        fn new() -> Self {
            List(None)
        }

        fn len(&self) -> usize {
            self.0.iter().count() + 1
        }
    }

    #[adjoint]
    fn type_of_lists(x: f64) -> f64 {
        let v: Vec<usize> = Vec::new();
        x * v.len() as f64
    }
}

fn main() {}
