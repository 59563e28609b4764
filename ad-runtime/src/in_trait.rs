//! What the hidden functions of annotated traits are made of. Trait and `impl` do not see each other, so their signatures are the same
//! for all that implement the trait: the receiver may have a bar or not, and what is kept goes to the stack.

use crate::{Differentiable, Kept, Marker, Off, On, Slot, Stack, Storable, When};
use std::marker::PhantomData;

/// What follows a receiver of type `T` in a backward sweep: `()`, or a bar. That `T` has bars at all matters only where there is one.
#[diagnostic::on_unimplemented(
    message = "a bar of the receiver, `{T}`, is expected here",
    note = "the types of bars follow from the types of the values"
)]
pub trait ReceiverSlot<T: ?Sized> {
    /// Whether there is a bar.
    type Marker: Marker;
    /// The bar, if there is one.
    fn receiver_bar(&mut self) -> Option<&mut T::Bar>
    where
        T: Differentiable;
}

impl<T: ?Sized> ReceiverSlot<T> for () {
    type Marker = Off;
    #[inline]
    fn receiver_bar(&mut self) -> Option<&mut T::Bar>
    where
        T: Differentiable,
    {
        None
    }
}

impl<T: Differentiable<Bar = B> + ?Sized, B> ReceiverSlot<T> for &mut B {
    type Marker = On;
    #[inline]
    fn receiver_bar(&mut self) -> Option<&mut B> {
        Some(self)
    }
}

impl<T: Differentiable<Bar = B> + ?Sized, B, M: Marker> ReceiverSlot<T> for When<'_, B, M> {
    type Marker = M;
    #[inline]
    fn receiver_bar(&mut self) -> Option<&mut B> {
        self.bar()
    }
}

/// What follows a receiver, for the backward sweep of a type.
#[derive(Debug)]
pub struct OfReceiver<S, T: ?Sized> {
    slot: S,
    receiver: PhantomData<T>,
}

impl<T: Differentiable + ?Sized, S: ReceiverSlot<T>> Slot<T::Bar> for OfReceiver<S, T> {
    type Marker = S::Marker;
    #[inline]
    fn bar(&mut self) -> Option<&mut T::Bar> {
        self.slot.receiver_bar()
    }
}

/// What follows a receiver, for the backward sweep of a type.
#[inline]
pub fn of_receiver<T: ?Sized, S: ReceiverSlot<T>>(slot: S) -> OfReceiver<S, T> {
    OfReceiver { slot, receiver: PhantomData }
}

/// What a forward sweep hands to its backward sweep: whether something does is told by its type, or when it runs.
pub trait Handed {
    /// Goes to the stack, if there is something.
    fn push_content(self, stack: &mut Stack) -> Option<()>;
    /// What went there comes back.
    fn pop_content(stack: &mut Stack) -> Self;
}

impl<K: Storable> Handed for Option<K> {
    #[inline]
    fn push_content(self, stack: &mut Stack) -> Option<()> {
        self.map(|kept| stack.push(kept))
    }
    #[inline]
    fn pop_content(stack: &mut Stack) -> Self {
        Some(stack.pop())
    }
}

impl<M: Marker, K: Storable> Handed for Kept<M, K> {
    #[inline]
    fn push_content(self, stack: &mut Stack) -> Option<()> {
        self.present().map(|kept| stack.push(kept))
    }
    #[inline]
    fn pop_content(stack: &mut Stack) -> Self {
        Self::made(|| stack.pop())
    }
}

/// What a forward sweep returns, of which what is kept goes to the stack, if something is.
#[inline]
pub fn kept_on_stack<V, K: Handed>(stack: &mut Stack, (value, kept): (V, K)) -> (V, Option<()>) {
    (value, kept.push_content(stack))
}

/// What [`kept_on_stack`] has left there.
#[inline]
pub fn kept_of_stack<K: Handed>(stack: &mut Stack) -> K {
    K::pop_content(stack)
}

/// What implements an annotated trait says which methods it defines: what it does not define are those of the trait.
pub trait Implementation {
    /// The methods; nothing if it has no adjoints.
    const METHODS: Option<&'static [&'static str]>;

    /// Runs a sweep of a method of `T`, which implements the trait.
    #[inline]
    fn run<T: ?Sized, R>(sweep: impl FnOnce() -> R) -> R {
        sweep()
    }
}

/// What an annotated trait says of what implements it without `#[adjoint]`.
#[derive(Clone, Copy, Debug)]
pub struct Unannotated;

impl Implementation for Unannotated {
    const METHODS: Option<&'static [&'static str]> = None;

    /// There is none, and instances of `sweep` would say so to whoever compiles them: this one does not.
    fn run<T: ?Sized, R>(_: impl FnOnce() -> R) -> R {
        panic!(
            "a derivative passes through a method of a `dyn` value of type `{}`, which implements the trait without \
             adjoints: annotate the `impl` of the trait, `#[adjoint] impl …`",
            std::any::type_name::<T>()
        )
    }
}

/// The name of a method, as a type.
pub trait Name {
    /// The name.
    const NAME: &'static str;
}

/// Proves that a method is the one that the trait defines, of which the adjoint is. Only the types matter.
#[inline(always)]
pub fn must_be_inherited<N: Name, I: Implementation>(_: N, _: impl FnOnce() -> I) {
    const {
        match I::METHODS {
            None => panic!(
                "a method of an annotated trait is called here, which this type implements without \
                 adjoints: annotate the `impl` of the trait, `#[adjoint] impl …`"
            ),
            Some(methods) => assert!(
                !contains(methods, N::NAME),
                "a method of an annotated trait is called here, which this type implements without \
                 an adjoint: the `impl` of the trait skips it"
            ),
        }
    }
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut at = 0;
    while at < names.len() {
        if is(names[at].as_bytes(), name.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(contains(&["energy", "force"], "force"));
        assert!(!contains(&["energy", "force"], "forces"));
        assert!(!contains(&["energy"], "energ"));
        assert!(!contains(&[], ""));
    }

    #[test]
    fn what_is_kept_goes_to_the_stack() {
        let mut stack = Stack::new();
        assert_eq!(kept_on_stack(&mut stack, (1.0, Some(2.0))), (1.0, Some(())));
        assert_eq!(stack.pop::<f64>(), 2.0);
        assert_eq!(kept_on_stack::<_, Option<f64>>(&mut stack, (1.0, None)), (1.0, None));
    }
}
