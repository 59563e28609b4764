//! What is refused in modules, all of it at once; and functions that take functions.
use backsweep::adjoint;

#[adjoint(independents(x))]
mod options {
    pub fn square(x: f64) -> f64 {
        x * x
    }
}

#[adjoint]
mod sizes {
    pub fn twice(n: usize) -> usize {
        2 * n
    }
}

#[adjoint]
mod several {
    pub fn first(x: f64) -> f64 {
        std::hint::black_box(x)
    }

    pub unsafe fn second(x: f64) -> f64 {
        x
    }

    pub mod inner {
        pub fn third(x: f64) -> f64 {
            Box::new(x * x).abs()
        }
    }
}

#[adjoint]
mod functions {
    fn scale(x: f64) -> f64 {
        2.0 * x
    }

    fn scaled(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        scale(f(x))
    }

    fn nested(f: &dyn Fn(f64) -> f64, x: f64, depth: usize) -> f64 {
        if depth == 0 { f(x) } else { nested(f, 0.5 * x, depth - 1) + nested(f, x, depth - 1) }
    }

    fn generic<T: Copy + Into<f64>, F: Fn(T) -> f64>(f: F, x: T) -> f64 {
        f(x)
    }

    fn may_fail<F>(f: F, x: f64) -> Option<f64>
    where
        F: Fn(f64) -> f64,
    {
        if x > 0.0 { Some(f(x)) } else { None }
    }

    fn with_items(f: fn(f64) -> f64, x: f64) -> f64 {
        const HALF: f64 = 0.5;
        f(HALF * x)
    }

    fn with_marks(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        let y = f(x);
        #[checkpoint]
        {
            y * y
        }
    }

    pub fn hidden(x: f64) -> f64 {
        let scale = x * x;
        scaled(|t| t * x, scale)
    }

    pub fn recursion(x: f64) -> f64 {
        nested(&|t| t * x, 1.0, 3)
    }

    pub fn of_types(x: f64) -> f64 {
        generic(|t: f64| t * x, x)
    }

    pub fn failure(x: f64) -> f64 {
        may_fail(|t| t * x, x).unwrap()
    }

    pub fn items(x: f64) -> f64 {
        with_items(f64::sin, x)
    }

    pub fn marks(x: f64) -> f64 {
        with_marks(|t| t * x, x)
    }

    fn chosen(c: bool) -> fn(f64) -> f64 {
        if c { f64::sin } else { f64::cos }
    }

    pub fn passed(x: f64) -> f64 {
        scaled(chosen(true), x)
    }
}

fn applied(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[adjoint]
fn outside(x: f64, a: f64) -> f64 {
    applied(|t| t * a, x) * x
}

fn main() {
    options::square(1.0);
    sizes::twice(1);
    several::first(several::second(several::inner::third(1.0)));
    functions::hidden(functions::recursion(functions::of_types(1.0)));
    functions::failure(functions::items(functions::marks(functions::passed(1.0))));
    outside(1.0, 2.0);
}
