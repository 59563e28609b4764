//! Calls by way of `dyn`: which type a value has run time knows, so all arguments of a sweep that may have bars have some.

use crate::in_trait::Implementation;
use crate::{Differentiable, On, When, when_there};

/// Runs a sweep of a method of `T`.
///
/// # Panics
/// If `T` implements the trait without adjoints.
#[inline]
pub fn run<T: ?Sized, I: Implementation, R>(_: impl FnOnce() -> I, sweep: impl FnOnce() -> R) -> R {
    I::run::<T, R>(sweep)
}

/// The bar of an argument that is changed. If the caller has none, the sweep makes one of zeros.
#[inline]
pub fn changed<B: ?Sized>(bar: Option<&mut B>) -> When<'_, B, On> {
    when_there(bar)
}

/// A value that can stand for zeros of the type `B` where the caller has nothing.
pub trait Spare<B: ?Sized> {
    /// What holds the zeros.
    type Held;
    /// Zeros in the shape of the value.
    fn spare(&self) -> Self::Held;
    /// The zeros.
    fn lent(held: &mut Self::Held) -> &mut B;
}

impl<T: Differentiable + ?Sized> Spare<T::Bar> for T {
    type Held = T::Bar;
    #[inline]
    fn spare(&self) -> T::Bar {
        self.zero_bar()
    }
    #[inline]
    fn lent(held: &mut T::Bar) -> &mut T::Bar {
        held
    }
}

impl<T: Differentiable> Spare<[T::Bar]> for [T] {
    type Held = Vec<T::Bar>;
    #[inline]
    fn spare(&self) -> Vec<T::Bar> {
        self.iter().map(T::zero_bar).collect()
    }
    #[inline]
    fn lent(held: &mut Vec<T::Bar>) -> &mut [T::Bar] {
        held
    }
}

/// The bar of an argument, or zeros that nobody looks at.
#[inline]
pub fn bar_or<'b, B: ?Sized, T: Spare<B> + ?Sized>(
    bar: Option<&'b mut B>,
    spare: &'b mut Option<T::Held>,
    value: &T,
) -> &'b mut B {
    match bar {
        Some(bar) => bar,
        None => T::lent(spare.insert(value.spare())),
    }
}

/// The direction of an argument, or zeros.
#[inline]
pub fn direction_or<'d, B: ?Sized, T: Spare<B> + ?Sized>(
    direction: Option<&'d B>,
    spare: &'d mut Option<T::Held>,
    value: &T,
) -> &'d B {
    match direction {
        Some(direction) => direction,
        None => T::lent(spare.insert(value.spare())),
    }
}

/// The direction of an argument of which there are no zeros to stand for one: that there is one callers prove.
#[inline]
pub fn given<D: ?Sized>(direction: Option<&D>) -> &D {
    direction.expect("callers prove that there is a direction")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::in_trait::Unannotated;

    #[test]
    fn zeros_stand_for_what_is_not_there() {
        let (mut spare, mut bar) = (None, 2.0);
        *bar_or(Some(&mut bar), &mut spare, &1.0) += 1.0;
        assert_eq!((bar, spare), (3.0, None));
        let mut spare = None;
        let zeros: &mut [f64] = bar_or(None, &mut spare, [1.0, 2.0].as_slice());
        zeros[1] += 1.0;
        assert_eq!(spare, Some(vec![0.0, 1.0]));
        let mut spare = None;
        let zero: &f64 = direction_or(None, &mut spare, &1.0);
        assert_eq!(*zero, 0.0);
    }

    #[test]
    #[should_panic = "of type `f32`, which implements the trait without adjoints"]
    fn what_has_no_adjoints_is_named() {
        run::<f32, _, ()>(|| Unannotated, || unreachable!());
    }
}
