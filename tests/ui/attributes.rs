//! Attributes inside of a function that would change what the macro sees.
use backsweep::adjoint;

#[adjoint]
fn on_a_statement(x: f64) -> f64 {
    let mut s = x * x;
    #[automatically_derived]
    {
        s *= x;
    }
    s
}

struct Spring {
    k: f64,
}

impl Spring {
    #[adjoint(passive(self), independents(x))]
    fn alone(&self, x: f64) -> f64 {
        #[cfg(any())]
        let x = x * x;
        match 1 {
            #[cfg(any())]
            0 => 0.0,
            _ => self.k * x,
        }
    }
}

fn main() {
    on_a_statement(1.0) + Spring { k: 1.0 }.alone(1.0);
}
