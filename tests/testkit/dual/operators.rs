//! Operators, comparisons, sums and casts of dual numbers.

use super::{Dual, tested};
use std::cmp::Ordering;
use std::iter::{Product, Sum};
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// A binary operator and its assignment, of values and references. The value is computed as floats
/// are, since num-dual may round differently.
macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt;)*) => {$(
        impl $trait for Dual {
            type Output = Dual;
            fn $method(self, other: Dual) -> Dual {
                let value = self.value() $op other.value();
                Dual::with_slope_of(value, self.depends_with(other), || self.0 $op other.0)
            }
        }

        impl $trait<&Dual> for Dual {
            type Output = Dual;
            fn $method(self, other: &Dual) -> Dual {
                self $op *other
            }
        }

        impl $trait<Dual> for &Dual {
            type Output = Dual;
            fn $method(self, other: Dual) -> Dual {
                *self $op other
            }
        }

        impl $trait for &Dual {
            type Output = Dual;
            fn $method(self, other: &Dual) -> Dual {
                *self $op *other
            }
        }

        impl $assign for Dual {
            fn $assign_method(&mut self, other: Dual) {
                *self = *self $op other;
            }
        }

        impl $assign<&Dual> for Dual {
            fn $assign_method(&mut self, other: &Dual) {
                *self = *self $op *other;
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign +;
    Sub sub SubAssign sub_assign -;
    Mul mul MulAssign mul_assign *;
    Div div DivAssign div_assign /;
}

/// The remainder: the truncated quotient is a step. num-dual panics here.
impl Rem for Dual {
    type Output = Dual;
    fn rem(self, divisor: Dual) -> Dual {
        tested::divided(self, divisor, tested::digits);
        let quotient = (self.value() / divisor.value()).trunc();
        self.remainder(self.value() % divisor.value(), divisor, quotient)
    }
}

impl RemAssign for Dual {
    fn rem_assign(&mut self, divisor: Dual) {
        *self = *self % divisor;
    }
}

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        Dual(-self.0)
    }
}

impl Neg for &Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        -*self
    }
}

impl PartialEq for Dual {
    fn eq(&self, other: &Dual) -> bool {
        tested::compared(*self, *other);
        self.value() == other.value()
    }
}

impl PartialOrd for Dual {
    fn partial_cmp(&self, other: &Dual) -> Option<Ordering> {
        tested::compared(*self, *other);
        self.value().partial_cmp(&other.value())
    }
}

// As for floats, an empty sum is -0.
impl Sum for Dual {
    fn sum<I: Iterator<Item = Dual>>(items: I) -> Dual {
        items.fold(Dual::constant(-0.0), Dual::add)
    }
}

impl<'a> Sum<&'a Dual> for Dual {
    fn sum<I: Iterator<Item = &'a Dual>>(items: I) -> Dual {
        items.copied().sum()
    }
}

impl Product for Dual {
    fn product<I: Iterator<Item = Dual>>(items: I) -> Dual {
        items.fold(Dual::constant(1.0), Dual::mul)
    }
}

impl<'a> Product<&'a Dual> for Dual {
    fn product<I: Iterator<Item = &'a Dual>>(items: I) -> Dual {
        items.copied().product()
    }
}

/// What `as` converts to `T`.
pub trait Cast<T> {
    /// The converted value.
    fn cast(self) -> T;
}

/// `value as T`.
pub fn cast<T, S: Cast<T>>(value: S) -> T {
    value.cast()
}

/// `value as f32`: rounded to a float of single precision.
pub fn narrow<S: Cast<Dual>>(value: S) -> Dual {
    let wide = value.cast();
    wide.linear(f64::from(wide.value() as f32), 1.0)
}

macro_rules! integer_casts {
    ($($from:ty)*) => {$(
        impl Cast<Dual> for $from {
            fn cast(self) -> Dual {
                Dual::constant(self as f64)
            }
        }

        impl Cast<$from> for Dual {
            fn cast(self) -> $from {
                tested::divided(self, Dual::constant(1.0), tested::digits);
                self.value() as $from
            }
        }

        integer_casts! { $from => usize isize u8 u16 u32 u64 i8 i16 i32 i64 }

        impl Cast<$from> for bool {
            fn cast(self) -> $from {
                <$from>::from(self)
            }
        }
    )*};
    ($from:ty => $($to:ty)*) => {$(
        impl Cast<$to> for $from {
            fn cast(self) -> $to {
                self as $to
            }
        }
    )*};
}

integer_casts! { usize isize u8 u16 u32 u64 i8 i16 i32 i64 }

impl Cast<Dual> for Dual {
    fn cast(self) -> Dual {
        self
    }
}

macro_rules! lossless {
    ($($from:ty)*) => {$(
        impl From<$from> for Dual {
            fn from(value: $from) -> Dual {
                Dual::constant(f64::from(value))
            }
        }
    )*};
}

lossless! { u8 u16 u32 i8 i16 i32 }
