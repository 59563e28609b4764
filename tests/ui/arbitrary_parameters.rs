//! A trait may give all types a method that numbers have, too: lowered where the type is known, the other one would be called.

use backsweep::adjoint;

trait Size {
    fn abs(self) -> f64;
}
impl<T> Size for T {
    fn abs(self) -> f64 {
        3.0
    }
}

pub struct User;
impl User {
    fn list(&self) -> [f64; 3] {
        [1.0, 2.0, 3.0]
    }
}

#[adjoint]
mod of_any_type {
    use super::{Size, User};

    fn with_method<T: Copy>(x: T, f: impl Fn(T) -> f64) -> f64 {
        x.abs() + f(x)
    }

    fn in_macro<T: Copy>(x: T, f: impl Fn(T) -> f64) -> f64 {
        let list = vec![x.abs(), f(x)];
        list[0] * list[1]
    }

    fn summed<const N: usize>(list: [f64; N], f: impl Fn(f64) -> f64) -> f64 {
        let mut sum = 0.0;
        for k in 0..N {
            sum += f(list[k]);
        }
        sum
    }

    pub fn of_unseen_length(x: f64, #[passive] user: &User) -> f64 {
        summed(user.list(), |t| t * x)
    }

    pub fn caller(x: f64) -> f64 {
        with_method(x, |t| t * t) + in_macro(x, |t| t * t)
    }
}

fn main() {}
