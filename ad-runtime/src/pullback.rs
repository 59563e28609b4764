//! Pullbacks: the second half of a derivative, to be called later.

use std::fmt;
use std::marker::PhantomData;

/// What remains to be done after a forward sweep: called with bars and seed, it runs the backward
/// sweep. It owns what the forward sweep stored and borrows the inputs, so it cannot be used with
/// others, and not twice. The bars are borrowed by the call only, so they may be declared after it.
///
/// ```
/// use backsweep::adjoint;
///
/// #[adjoint(independents(x), dependents(return))]
/// fn energy(x: &[f64]) -> f64 {
///     let mut sum = 0.0;
///     for value in x {
///         sum += value * value;
///     }
///     sum
/// }
///
/// let x = [3.0, 4.0];
/// let (value, pullback) = energy::pullback(&x);
/// // What weight the value has may depend on the value.
/// let weight = if value > 10.0 { 0.5 } else { 1.0 };
/// let mut x_b = [0.0; 2];
/// pullback.call(&mut x_b, weight);
/// assert_eq!(x_b, [3.0, 4.0]);
/// ```
#[must_use = "a pullback does nothing until it is called"]
pub struct Pullback<F, Args> {
    backward: F,
    args: PhantomData<fn(Args)>,
}

impl<F, Args> Pullback<F, Args> {
    #[doc(hidden)]
    pub fn new(backward: F) -> Self {
        Self { backward, args: PhantomData }
    }
}

impl<F, Args> fmt::Debug for Pullback<F, Args> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pullback")
    }
}

/// The bar of a parameter, of what a pullback is called with: it says of what type, and borrows nothing.
#[derive(Debug)]
pub struct Bar<T: ?Sized>(PhantomData<fn(&mut T)>);

/// The seed of a pullback.
#[derive(Debug)]
pub struct Weight<T>(PhantomData<fn(T)>);

macro_rules! calls {
    ($(($($bar:ident $ty:ident)*))*) => {$(
        impl<F: FnOnce($(&mut $ty),*), $($ty: ?Sized),*> Pullback<F, ($(Bar<$ty>,)*)> {
            /// Runs the backward sweep: the bars of the parameters in their order.
            #[allow(clippy::too_many_arguments, reason = "as many as the function has")]
            pub fn call(self, $($bar: &mut $ty),*) {
                (self.backward)($($bar),*);
            }
        }

        impl<F, $($ty: ?Sized,)* Seed> Pullback<F, ($(Bar<$ty>,)* Weight<Seed>,)>
        where
            F: FnOnce($(&mut $ty,)* Seed),
        {
            /// Runs the backward sweep: the bars of the parameters in their order, then the seed.
            #[allow(clippy::too_many_arguments, reason = "as many as the function has")]
            pub fn call(self, $($bar: &mut $ty,)* seed: Seed) {
                (self.backward)($($bar,)* seed);
            }
        }
    )*};
}

calls! {
    ()
    (a A)
    (a A b B)
    (a A b B c C)
    (a A b B c C d D)
    (a A b B c C d D e E)
    (a A b B c C d D e E f G)
    (a A b B c C d D e E f G g H)
    (a A b B c C d D e E f G g H h I)
    (a A b B c C d D e E f G g H h I i J)
    (a A b B c C d D e E f G g H h I i J j K)
    (a A b B c C d D e E f G g H h I i J j K k L)
    (a A b B c C d D e E f G g H h I i J j K k L l M)
    (a A b B c C d D e E f G g H h I i J j K k L l M m N)
    (a A b B c C d D e E f G g H h I i J j K k L l M m N n O)
    (a A b B c C d D e E f G g H h I i J j K k L l M m N n O o P)
}
