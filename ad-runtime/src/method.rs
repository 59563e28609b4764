//! What generated code proves about calls of methods: which method is called is up to rustc, and so is
//! how it takes its receiver.

use std::fmt;
use std::marker::PhantomData;

/// A method with an adjoint, of a type, and how it takes its receiver.
pub struct Method<Owner: ?Sized, Kind> {
    owner: PhantomData<Owner>,
    kind: PhantomData<Kind>,
}

impl<Owner: ?Sized, Kind> Method<Owner, Kind> {
    /// The method.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { owner: PhantomData, kind: PhantomData }
    }
}

impl<Owner: ?Sized, Kind> Default for Method<Owner, Kind> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Owner: ?Sized, Kind> fmt::Debug for Method<Owner, Kind> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Method")
    }
}

/// What generated code finds where a method has no adjoint.
#[derive(Clone, Copy, Debug)]
pub struct Unannotated;

/// The receiver is `self`.
#[derive(Clone, Copy, Debug)]
pub struct ByValue;

/// The receiver is `&self`.
#[derive(Clone, Copy, Debug)]
pub struct ByShared;

/// The receiver is `&mut self`.
#[derive(Clone, Copy, Debug)]
pub struct ByExclusive;

/// The receiver is `&self` of what the type has by way of `Deref`: all methods that traits give the type itself come before.
#[derive(Clone, Copy, Debug)]
pub struct BehindDeref;

/// The same of `&mut self`, by way of `DerefMut`.
#[derive(Clone, Copy, Debug)]
pub struct BehindDerefMut;

/// The receiver stands for a `dyn` value, of whose trait the method is: it is copied.
#[derive(Clone, Copy, Debug)]
pub struct ByDyn;

/// How a method takes its receiver where the type may have it by way of `Deref`.
pub trait ByDeref {
    /// As the method has it otherwise, if it takes no reference.
    type Kind;
}

impl ByDeref for ByShared {
    type Kind = BehindDeref;
}

impl ByDeref for ByExclusive {
    type Kind = BehindDerefMut;
}

impl ByDeref for ByValue {
    type Kind = ByValue;
}

/// The method of the `dyn` value takes a `&self`.
impl ByDeref for ByDyn {
    type Kind = BehindDeref;
}

/// A method of values of type `R` themselves, not of what they refer or `Deref` to.
#[diagnostic::on_unimplemented(
    message = "the method called here has no adjoint",
    label = "no adjoint",
    note = "annotate it with `#[adjoint]`, or mark the call `#[passive]` if its derivative does not matter; if the method is one of what the receiver refers or `Deref`s to, say so: `(*r).m()`"
)]
pub trait MethodOf<R: ?Sized> {
    /// How it takes its receiver.
    type Kind;
    /// `R`. Where there is no such method its sweeps are not looked for in vain: what has no type is not complained of again, and
    /// rustc takes long to look for names that are like those of sweeps.
    type Owner: ?Sized;
    /// The receiver.
    fn again(receiver: &R) -> &Self::Owner;
}

impl<R: ?Sized, Kind> MethodOf<R> for Method<R, Kind> {
    type Kind = Kind;
    type Owner = R;
    #[inline(always)]
    fn again(receiver: &R) -> &R {
        receiver
    }
}

/// A method with second derivatives.
#[diagnostic::on_unimplemented(
    message = "the method called here has no second derivatives",
    label = "no second derivatives",
    note = "annotate it with `#[adjoint(…, second_order)]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait DirectedMethod {
    /// The method itself.
    type Found;
    /// The method itself.
    fn found(self) -> Self::Found;
}

impl<Owner: ?Sized, Kind> DirectedMethod for Method<Owner, Kind> {
    type Found = Self;
    #[inline(always)]
    fn found(self) -> Self {
        self
    }
}

/// Proves that a method has second derivatives.
#[inline(always)]
pub fn directed<M: DirectedMethod>(method: M) -> M::Found {
    method.found()
}

/// How a method takes a receiver that it does not change.
#[diagnostic::on_unimplemented(
    message = "this method takes `&mut self`, which the macro cannot see here",
    note = "write the call as `Type::method(&mut receiver, …)`"
)]
pub trait Reading<R> {
    /// What is passed.
    type Receiver<'r>
    where
        R: 'r;
    /// Passes the receiver.
    fn pass(receiver: &R) -> Self::Receiver<'_>;
}

impl<R: Clone> Reading<R> for ByValue {
    type Receiver<'r>
        = R
    where
        R: 'r;
    #[inline(always)]
    fn pass(receiver: &R) -> R {
        receiver.clone()
    }
}

impl<R: Copy> Reading<R> for ByDyn {
    type Receiver<'r>
        = R
    where
        R: 'r;
    #[inline(always)]
    fn pass(receiver: &R) -> R {
        *receiver
    }
}

macro_rules! reading_references {
    ($($kind:ty)*) => {$(
        impl<R> Reading<R> for $kind {
            type Receiver<'r>
                = &'r R
            where
                R: 'r;
            #[inline(always)]
            fn pass(receiver: &R) -> &R {
                receiver
            }
        }
    )*};
}

reading_references! { ByShared BehindDeref }

/// How a method takes a receiver that it changes.
#[diagnostic::on_unimplemented(
    message = "this method does not take `&mut self`, which the macro cannot see here",
    note = "write the call as `Type::method(&receiver, …)`"
)]
pub trait Writing<R> {
    /// What is passed.
    type Receiver<'r>
    where
        R: 'r;
    /// Passes the receiver.
    fn pass(receiver: &mut R) -> Self::Receiver<'_>;
}

impl<R> Writing<R> for ByExclusive {
    type Receiver<'r>
        = &'r mut R
    where
        R: 'r;
    #[inline(always)]
    fn pass(receiver: &mut R) -> &mut R {
        receiver
    }
}

/// A receiver for the forward sweep of a method that does not change it.
#[inline(always)]
pub fn read<M: MethodOf<R>, R>(_: M, receiver: &R) -> <M::Kind as Reading<R>>::Receiver<'_>
where
    M::Kind: Reading<R>,
{
    M::Kind::pass(receiver)
}

/// A receiver for the backward sweep of a method that does not change it.
#[inline(always)]
pub fn read_again<M: MethodOf<R>, R>(_: M, receiver: &R) -> &M::Owner
where
    M::Kind: Reading<R>,
{
    M::again(receiver)
}

/// A receiver for the forward sweep of a method that changes it, or its bar for the backward sweep.
#[inline(always)]
pub fn write_mut<M: MethodOf<R>, R>(_: M, receiver: &mut R) -> <M::Kind as Writing<R>>::Receiver<'_>
where
    M::Kind: Writing<R>,
{
    M::Kind::pass(receiver)
}

/// For a call to which method lookup finds the way without the method: nothing comes before it.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

/// What method lookup tries before it comes to the method that has an adjoint: `m.f()` calls a method of
/// `M` by value if there is one, then one with `&self`, then one with `&mut self`.
pub trait Before<R> {
    /// The receiver if a method by value would come first.
    type ByValue;
    /// The receiver if a method with `&self` would come first.
    type ByShared;
    /// A reference to the receiver, if the method takes a value: all methods that take a reference come first where it is called on one.
    type ByReference<'r>
    where
        R: 'r;
    /// The same of `&mut`.
    type ByExclusiveReference<'r>
    where
        R: 'r;
}

impl<R, Owner: ?Sized> Before<R> for Method<Owner, ByValue> {
    type ByValue = Nothing;
    type ByShared = Nothing;
    type ByReference<'r>
        = &'r R
    where
        R: 'r;
    type ByExclusiveReference<'r>
        = &'r mut R
    where
        R: 'r;
}

impl<R, Owner: ?Sized> Before<R> for Method<Owner, ByShared> {
    type ByValue = R;
    type ByShared = Nothing;
    type ByReference<'r>
        = Nothing
    where
        R: 'r;
    type ByExclusiveReference<'r>
        = Nothing
    where
        R: 'r;
}

impl<R, Owner: ?Sized> Before<R> for Method<Owner, ByExclusive> {
    type ByValue = R;
    type ByShared = R;
    type ByReference<'r>
        = Nothing
    where
        R: 'r;
    type ByExclusiveReference<'r>
        = Nothing
    where
        R: 'r;
}

impl<R, Owner: ?Sized> Before<R> for Method<Owner, BehindDeref> {
    type ByValue = R;
    type ByShared = R;
    type ByReference<'r>
        = &'r R
    where
        R: 'r;
    type ByExclusiveReference<'r>
        = &'r mut R
    where
        R: 'r;
}

impl<R, Owner: ?Sized> Before<R> for Method<Owner, BehindDerefMut> {
    type ByValue = R;
    type ByShared = R;
    type ByReference<'r>
        = &'r R
    where
        R: 'r;
    type ByExclusiveReference<'r>
        = &'r mut R
    where
        R: 'r;
}

/// Its only error is that it has no adjoint.
impl<R> Before<R> for Unannotated {
    type ByValue = Nothing;
    type ByShared = Nothing;
    type ByReference<'r>
        = Nothing
    where
        R: 'r;
    type ByExclusiveReference<'r>
        = Nothing
    where
        R: 'r;
}

/// A receiver of which a method by value would be called instead, in code that is never run.
pub fn by_value_instead<M: Before<R>, R>(_: M, _: &R) -> M::ByValue {
    unreachable!("this code only tells a type")
}

/// A receiver of which a method with `&self` would be called instead, in code that is never run.
pub fn by_shared_instead<M: Before<R>, R>(_: M, _: &R) -> M::ByShared {
    unreachable!("this code only tells a type")
}

/// A reference to the receiver, if another method would be called on one, in code that is never run.
pub fn by_reference_instead<M: Before<R>, R>(_: M, _: &R) -> M::ByReference<'_> {
    unreachable!("this code only tells a type")
}

/// The same of `&mut`.
pub fn by_exclusive_reference_instead<M: Before<R>, R>(_: M, _: &R) -> M::ByExclusiveReference<'_> {
    unreachable!("this code only tells a type")
}

/// The method of what is in a `Box`, as it is found by way of the `Box`.
#[inline(always)]
pub fn behind<M: FoundBehind>(method: M) -> M::Behind {
    method.behind()
}

/// A method that may be found by way of `Deref`.
pub trait FoundBehind {
    /// The method as it is found then.
    type Behind;
    /// The method as it is found then.
    fn behind(self) -> Self::Behind;
}

impl<Owner: ?Sized, Kind: ByDeref> FoundBehind for Method<Owner, Kind> {
    type Behind = Method<Owner, Kind::Kind>;
    #[inline(always)]
    fn behind(self) -> Self::Behind {
        Method::new()
    }
}

/// Its only error is that it has no adjoint.
impl FoundBehind for Unannotated {
    type Behind = Self;
    #[inline(always)]
    fn behind(self) -> Self {
        self
    }
}

/// Whether a function may run twice, as a type: that of a method is found by the type of its receiver.
pub trait Repeatable {
    /// Whether it may.
    const YES: bool;
}

/// What is known of one function.
#[derive(Clone, Copy, Debug)]
pub struct Is<const YES: bool>;

impl<const YES: bool> Repeatable for Is<YES> {
    const YES: bool = YES;
}

/// What holds of a function and of those that it calls.
#[derive(Debug)]
pub struct Both<A, B>(PhantomData<(A, B)>);

impl<A: Repeatable, B: Repeatable> Repeatable for Both<A, B> {
    const YES: bool = A::YES && B::YES;
}

/// Whether two functions may run twice. Only the types of the closures matter.
#[inline(always)]
pub fn both<A, B>(_: impl FnOnce() -> A, _: impl FnOnce() -> B) -> Both<A, B> {
    Both(PhantomData)
}

/// A value of a method in sweeps: a copy of what the method lends.
#[derive(Debug)]
pub struct Copied<T>(PhantomData<T>);

impl<T> Copied<T> {
    /// That of a method.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Copied<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A value of a method in sweeps: what it returns.
#[derive(Clone, Copy, Debug)]
pub struct AsReturned;

/// The value that a method has in sweeps.
pub trait InSweeps<R> {
    /// The type of that value.
    type Value;
    /// That value, of what the method returns.
    fn value(returned: R) -> Self::Value;
}

/// A receiver as a method takes it, in code that is never run.
pub trait Taken<R> {
    /// The receiver, or a reference to it.
    type Receiver<'r>
    where
        R: 'r;
}

impl<R, Owner: ?Sized> Taken<R> for Method<Owner, ByValue> {
    type Receiver<'r>
        = R
    where
        R: 'r;
}

macro_rules! taken_by_reference {
    ($([$($owner:ident)?] $method:ty;)*) => {$(
        impl<R $(, $owner: ?Sized)?> Taken<R> for $method {
            type Receiver<'r>
                = &'r mut R
            where
                R: 'r;
        }
    )*};
}

taken_by_reference! {
    [Owner] Method<Owner, ByShared>;
    [Owner] Method<Owner, ByExclusive>;
    [Owner] Method<Owner, BehindDeref>;
    [] Unannotated;
}

/// A receiver as a method takes it, in code that is never run.
pub fn taken<M: Taken<R>, R>(_: M, _: &mut R) -> M::Receiver<'_> {
    unreachable!("this code only tells a type")
}

/// What a method lends, of which sweeps have a copy.
pub trait Lent {
    /// The type of the copy.
    type Copy;
    /// The copy.
    fn copied(self) -> Self::Copy;
}

impl<R: Lent> InSweeps<R> for Copied<R::Copy> {
    type Value = R::Copy;
    #[inline]
    fn value(returned: R) -> R::Copy {
        returned.copied()
    }
}

impl<R> InSweeps<R> for AsReturned {
    type Value = R;
    #[inline(always)]
    fn value(returned: R) -> R {
        returned
    }
}

/// The value that a method has in sweeps.
#[inline(always)]
pub fn in_sweeps<S: InSweeps<R>, R>(_: S, returned: R) -> S::Value {
    S::value(returned)
}

/// Proves that two names are of one function: each function has a type of its own.
#[inline(always)]
pub fn same<F>(_: F, _: F) {}

/// The same of a function of two operands, of which the second is of the type of another value: it tells
/// which of the functions of that name is meant.
#[inline(always)]
pub fn is_operator<F: FnOnce(A, B) -> C, A, B, C>(_: F, _: F, _: &B) {}

/// A value of a type, in code that is never run.
pub fn like<T>(_: &T) -> T {
    unreachable!("this code only tells a type")
}

/// A reference to a value of a type, in code that is never run.
pub fn like_mut<'a, T: ?Sized>(_: &T) -> &'a mut T {
    unreachable!("this code only tells a type")
}

/// The type of what a function returns.
pub struct Returned<R: ?Sized>(PhantomData<fn() -> PhantomData<R>>);

impl<R: ?Sized> fmt::Debug for Returned<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Returned")
    }
}

/// That of some function.
#[inline(always)]
pub const fn returned<R: ?Sized>() -> Returned<R> {
    Returned(PhantomData)
}

/// That of a function that returns what a closure gives.
#[inline(always)]
pub fn returned_as<R>(_: impl FnOnce() -> R) -> Returned<R> {
    returned()
}

/// Whether a function may run twice. Only the type of the closure matters.
#[inline(always)]
pub const fn is_repeatable<R: Repeatable, F: FnOnce() -> R>(function: F) -> bool {
    core::mem::forget(function);
    R::YES
}

/// Proves that a method may run twice. Only the type of the closure matters.
#[inline(always)]
pub fn must_be_repeatable<R: Repeatable>(_: impl FnOnce() -> R) {
    const {
        assert!(
            R::YES,
            "this call runs twice, but the function called has effects that must happen once: use \
             `#[split]`"
        );
    }
}

/// Proves that an index that is read and then written, `m[i] += x`, may be found twice. Only the type of the closure matters.
///
/// ```
/// use ad_runtime::method::{Is, must_be_found_again};
/// must_be_found_again(|| Is::<true>);
/// ```
/// ```compile_fail
/// use ad_runtime::method::{Is, must_be_found_again};
/// must_be_found_again(|| Is::<false>);
/// ```
#[inline(always)]
pub fn must_be_found_again<R: Repeatable>(_: impl FnOnce() -> R) {
    const {
        assert!(
            R::YES,
            "what is written here is found twice, but `index_mut` has effects that must happen once: write \
             `let value = m[i] + x; m[i] = value;`"
        );
    }
}

/// What is found of `clone` where that has no adjoint of its own.
#[diagnostic::on_unimplemented(
    message = "the `clone` that is called here has an adjoint of its own, but a clone is taken for a copy",
    label = "taken for a copy",
    note = "take the attribute off `clone` if it makes a copy; if it does not, give the method another name"
)]
pub trait Copies {}

impl Copies for Unannotated {}

/// Proves that a clone may be taken for a copy.
#[inline(always)]
pub fn copies<M: Copies>(_: M) {}

/// What an opaque type may hold beside what its bounds mention.
pub trait Captures<T: ?Sized> {}

impl<T: ?Sized, U: ?Sized> Captures<T> for U {}
