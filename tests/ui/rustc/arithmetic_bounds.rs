//! Type parameters that stand for floats because of their bounds: other types have no derivatives, and bounds are of the standard library's
//! operators.

use backsweep::adjoint;

#[derive(Clone, Copy)]
struct Money(f64);

impl std::ops::Mul for Money {
    type Output = Money;
    fn mul(self, other: Money) -> Money {
        Money(self.0 * other.0 + 1.0)
    }
}

#[adjoint]
fn square<T: Copy + std::ops::Mul<Output = T>>(x: T) -> T {
    x * x
}

mod own {
    pub trait Add {
        type Output;
        fn add(self, other: Self) -> Self::Output;
    }

    /// What is cloned is another number.
    pub trait Signed {
        fn clone(&self) -> Self;
        fn to_owned(&self) -> Self;
    }
}

mod with_own {
    use super::own::{Add, Signed};
    use backsweep::adjoint;

    #[adjoint]
    fn same<T: Copy + Add>(x: T) -> T {
        x
    }

    #[adjoint]
    fn cloned<T: Signed>(x: T) -> T {
        x.clone()
    }

    #[adjoint]
    fn owned<T: Signed>(x: &T) -> T {
        x.to_owned()
    }
}

fn main() {
    let mut bar = Money(0.0);
    square::adjoint(Money(2.0), &mut bar, Money(1.0));
    square::adjoint(2, &mut 0, 1);
}
