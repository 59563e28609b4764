//! What generated code proves to rustc because a macro cannot see types.

use std::panic::{RefUnwindSafe, UnwindSafe};

/// A floating-point type of the language. Sealed: scalar rules are applied to nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is differentiated as if it were a float",
    note = "the macro cannot see this type; write its type down, `let v: Vector = …;`, so that an operator of a user type is taken for one; or mark the expression `#[passive]`"
)]
pub trait Real: sealed::Sealed + Copy {}

impl Real for f64 {}
impl Real for f32 {}

/// A type of which a shared reference is not enough to change anything. `Cell`s and their like are not unwind safe, `&mut`
/// neither; that is how they are known here.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` may be changed by way of a shared reference",
    note = "the backward sweep reads this value again where it is, and code that is no part of the derivative may have changed it by then, or has kept an active value there, of which the derivative would be lost: read what is needed into a variable before, pass it without `Cell`s, locks and references to them, or mark the statement `#[passive]`",
    note = "of a type parameter that has to be said: `{Self}: UnwindSafe + RefUnwindSafe`, from `std::panic`"
)]
pub trait WithoutInteriorMutability: UnwindSafe + RefUnwindSafe {}

#[diagnostic::do_not_recommend]
impl<T: UnwindSafe + RefUnwindSafe + ?Sized> WithoutInteriorMutability for T {}

/// Proves that code which is handed no more than a shared reference to a value leaves it as it is: the
/// backward sweep reads it where it is.
#[inline(always)]
pub const fn without_interior_mutability<T: WithoutInteriorMutability + ?Sized>(_: &T) {}

/// A type made of such parts as are left as they are: derived for structs, where `PhantomData` holds nothing, whatever it mentions.
pub trait Unchanging {}

macro_rules! unchanging {
    ($([$($params:tt)*] $ty:ty;)*) => {$(impl<$($params)*> Unchanging for $ty {})*};
}

unchanging! {
    [] f64; [] f32; [] bool; [] char; [] str; [] String; [] ();
    [] usize; [] u8; [] u16; [] u32; [] u64; [] u128;
    [] isize; [] i8; [] i16; [] i32; [] i64; [] i128;
    [T: ?Sized] std::marker::PhantomData<T>;
    [T: Unchanging] [T]; [T: Unchanging, const N: usize] [T; N];
    [T: Unchanging] Vec<T>; [T: Unchanging] Option<T>; [T: Unchanging + ?Sized] Box<T>;
    [T: Unchanging + ?Sized] &T;
    [A: Unchanging] (A,); [A: Unchanging, B: Unchanging] (A, B);
    [A: Unchanging, B: Unchanging, C: Unchanging] (A, B, C);
    [A: Unchanging, B: Unchanging, C: Unchanging, D: Unchanging] (A, B, C, D);
}

/// A value that is looked at.
#[derive(Debug)]
pub struct Seen<'a, T: ?Sized>(pub &'a T);

impl<T: Unchanging + ?Sized> Seen<'_, T> {
    /// As [`without_interior_mutability`], by the parts of the type.
    #[inline(always)]
    pub const fn unchanged(self) {}
}

/// What [`Seen::unchanged`] is of all other types.
pub trait SeenWhole<T: ?Sized>: Sized {
    /// As [`without_interior_mutability`].
    #[inline(always)]
    fn unchanged(self)
    where
        T: WithoutInteriorMutability,
    {
    }
}

impl<T: ?Sized> SeenWhole<T> for Seen<'_, T> {}

/// An operand of a comparison that may be made once more: it finds the same again, for it could change no more than what is behind a
/// `Cell`.
#[inline(always)]
pub const fn compared<T: WithoutInteriorMutability + ?Sized>(operand: &T) -> &T {
    operand
}

/// What the sweeps of a derivative need one more of.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has to be `Clone` here",
    note = "the sweeps of the derivative need one more of it, since it is passed by value or changed: derive `Clone`"
)]
pub trait Copied: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Copied for T {}

/// One more of a value.
#[inline(always)]
pub fn copied<T: Copied>(value: &T) -> T {
    value.clone()
}

/// Proves that nothing happens when a value is dropped: when that is depends on the edition, or generated code does it later.
///
/// ```
/// ad_runtime::dropped_unnoticed(&Some(&1.0));
/// ```
/// ```compile_fail
/// ad_runtime::dropped_unnoticed(&std::sync::Mutex::new(1.0).lock());
/// ```
#[inline(always)]
pub const fn dropped_unnoticed<T: ?Sized>(_: &T) {
    const {
        assert!(
            !std::mem::needs_drop::<T>(),
            "when this temporary is dropped depends on the edition of Rust, or cannot be followed: give it a name with `let`, and drop it where it is to be dropped"
        );
    }
}

/// A list of the standard library, or a type of a pack that is indexed like one. Sealed: what other types do when they are indexed, only
/// they know.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is indexed as if it were a slice, an array or a `Vec`",
    note = "annotate its `impl Index`, and its `impl IndexMut`, with `#[adjoint]` where the files of this crate have them, index a list inside, or mark the expression `#[passive]`"
)]
pub trait List: sealed::SealedList {
    /// How many elements there are.
    fn length(&self) -> usize;
}

impl<T> List for [T] {
    #[inline]
    fn length(&self) -> usize {
        self.len()
    }
}

impl<T, const N: usize> List for [T; N] {
    #[inline]
    fn length(&self) -> usize {
        N
    }
}

impl<T> List for Vec<T> {
    #[inline]
    fn length(&self) -> usize {
        self.len()
    }
}

impl<T: List + ?Sized> List for Box<T> {
    #[inline]
    fn length(&self) -> usize {
        (**self).length()
    }
}

impl<T: List + ?Sized> List for &T {
    #[inline]
    fn length(&self) -> usize {
        (**self).length()
    }
}

impl<T: List + ?Sized> List for &mut T {
    #[inline]
    fn length(&self) -> usize {
        (**self).length()
    }
}

/// A type with an index whose places have adjoints: there is an annotated `impl Index<By>`.
#[diagnostic::on_unimplemented(
    message = "the index of `{Self}` by `{By}` has no adjoint",
    label = "no adjoint",
    note = "annotate its `impl Index`, and its `impl IndexMut`, with `#[adjoint]`, or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait IndexedBy<By> {}

/// Proves that a type has such an index itself, whatever it dereferences to.
#[inline(always)]
pub fn indexed_by<By, T: IndexedBy<By> + ?Sized>(_: &T) {}

/// A type of which what such an index finds may be written: there is an annotated `impl IndexMut<By>`.
#[diagnostic::on_unimplemented(
    message = "what the index of `{Self}` by `{By}` finds has no adjoint where it is written",
    label = "no adjoint",
    note = "annotate its `impl IndexMut` with `#[adjoint]`, or mark the statement `#[passive]` if its derivative does not matter"
)]
pub trait IndexedMutBy<By> {}

/// Proves that a type has such an index itself, whatever it dereferences to.
#[inline(always)]
pub fn indexed_mut_by<By, T: IndexedMutBy<By> + ?Sized>(_: &T) {}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for f32 {}

    pub trait SealedWhole {}

    pub trait SealedNumber {}

    pub trait SealedList {}
    impl<T> SealedList for [T] {}
    impl<T, const N: usize> SealedList for [T; N] {}
    impl<T> SealedList for Vec<T> {}
    impl<T: SealedList + ?Sized> SealedList for Box<T> {}
    impl<T: SealedList + ?Sized> SealedList for &T {}
    impl<T: SealedList + ?Sized> SealedList for &mut T {}
}

/// Proves that something is a list.
#[inline(always)]
pub fn list<L: List + ?Sized>(_: &L) {}

/// A `Box` of the standard library.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is taken for a `Box` of the standard library",
    label = "no `Box` of the standard library",
    note = "what another type dereferences to only that type knows: give it another name"
)]
pub trait Boxed {}

impl<T: ?Sized> Boxed for Box<T> {}

/// Proves that something is a `Box` of the standard library.
#[inline(always)]
pub fn boxed<B: Boxed>(_: &B) {}

/// The length of a list whose type the macro does not see.
#[inline]
pub fn length<L: List + ?Sized>(list: &L) -> usize {
    list.length()
}

/// What is proved to be a list.
#[inline(always)]
pub fn proven_list<L: List + ?Sized>(list: &L) -> &L {
    list
}

/// What can be cast to a float: the adjoint of the cast.
pub trait Castable<F> {
    /// Adds the bar of the float to the bar of what was cast, if that is a float.
    fn add_cast(target: &mut Self, bar: F);
}

/// What can be cast to a float: the cast, where the type of the operand may be a type parameter.
#[diagnostic::on_unimplemented(message = "`{Self}` is cast as if it were a number")]
pub trait Cast: Copy {
    /// As an `f64`.
    fn as_double(value: Self) -> f64;
    /// As an `f32`.
    fn as_single(value: Self) -> f32;
}

macro_rules! cast {
    ($($ty:ty)*) => {$(
        impl Cast for $ty {
            #[inline(always)]
            fn as_double(value: Self) -> f64 {
                value as f64
            }

            #[inline(always)]
            fn as_single(value: Self) -> f32 {
                value as f32
            }
        }
    )*};
}

cast! { f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

macro_rules! castable_floats {
    ($($ty:ty as $float:ty;)*) => {$(
        impl Castable<$float> for $ty {
            #[inline]
            fn add_cast(target: &mut Self, bar: $float) {
                *target += bar as $ty;
            }
        }
    )*};
}

castable_floats! { f64 as f64; f64 as f32; f32 as f64; f32 as f32; }

macro_rules! castable_integers {
    ($($ty:ty)*) => {$(
        impl<F> Castable<F> for $ty {
            #[inline]
            fn add_cast(_: &mut Self, _: F) {}
        }
    )*};
}

castable_integers! { usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

/// The adjoint of a cast of a value of a type the macro cannot see.
#[inline(always)]
pub fn add_cast<F, T: Castable<F>>(target: &mut T, bar: F) {
    T::add_cast(target, bar);
}

/// A number without a derivative. Sealed, like [`Real`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is cast as if it were an integer",
    note = "the macro cannot see this type; write it down, `let v: f64 = …;`, so that derivatives pass through the call"
)]
pub trait Whole: sealed::SealedWhole {}

macro_rules! whole {
    ($($ty:ty)*) => {$(
        impl Whole for $ty {}
        impl sealed::SealedWhole for $ty {}
    )*};
}

whole! { usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char }

/// A number or a truth value of the language, of which operators on references are those on values. Sealed, like [`Real`].
#[diagnostic::on_unimplemented(
    message = "a reference to a `{Self}` is an operand, as if it were a reference to a number",
    note = "an operator on references may do something else than the one on values: write the operator on values, `let a = *r;`, or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Number: Copy + sealed::SealedNumber {}

/// The same of a constant that is an operand in an assertion, so that the operator is one of numbers. Sealed, like [`Real`].
#[diagnostic::on_unimplemented(
    message = "a constant that is a `{Self}` is an operand in an assertion, as if it were a number",
    note = "what such an operator does is not known: compute the operand before, in a `let` with its type"
)]
pub trait Constant: Copy + sealed::SealedNumber {}

macro_rules! number {
    ($($ty:ty)*) => {$(
        impl Number for $ty {}
        impl Constant for $ty {}
        impl sealed::SealedNumber for $ty {}
    )*};
}

number! { f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char }

/// What a reference refers to, proved to be a number.
#[inline(always)]
pub fn number<T: Number>(value: T) -> T {
    value
}

/// A constant, proved to be a number.
#[inline(always)]
pub fn constant<T: Constant>(value: T) -> T {
    value
}

/// A value of a type the macro cannot see, proved to be an integer.
#[inline(always)]
pub fn whole<T: Whole>(value: T) -> T {
    value
}

/// The type of a value, for a proof that it is a certain one: nothing is expected of the value here, so it is not coerced.
pub fn type_of<T: ?Sized>(_: &T) -> core::marker::PhantomData<T> {
    core::marker::PhantomData
}

/// What a reference refers to is of a type, or is a pointer to that, or a list of its elements.
#[diagnostic::on_unimplemented(
    message = "this refers to a `{Self}`, and is taken for a reference to a `{T}`",
    note = "what a type dereferences to has other fields: refer to the field that is meant, `&x.inner`"
)]
pub trait RefersTo<T: ?Sized> {}

impl<T: ?Sized> RefersTo<T> for T {}
impl<T: ?Sized> RefersTo<T> for &T {}
impl<T: ?Sized> RefersTo<T> for &mut T {}
impl<T: ?Sized> RefersTo<T> for Box<T> {}
impl<T: ?Sized> RefersTo<T> for std::rc::Rc<T> {}
impl<T: ?Sized> RefersTo<T> for std::sync::Arc<T> {}
impl<T> RefersTo<[T]> for Vec<T> {}
impl<T, const N: usize> RefersTo<[T]> for [T; N] {}
impl RefersTo<str> for String {}

/// Proves that a reference is not taken for one to something else.
#[inline(always)]
pub fn refers_to<T: ?Sized, R: RefersTo<T> + ?Sized>(_: &R) {}

/// A value of the type of an example that is never made: the macro cannot see the type.
#[inline(always)]
pub fn typed<T>(_example: impl FnOnce() -> T, value: T) -> T {
    value
}

/// A value of a type the macro cannot see, proved to be a float.
#[inline(always)]
pub fn real<T: Real>(value: T) -> T {
    value
}

/// A value of some type, in code that is never run: only its type matters.
pub fn never<T>() -> T {
    unreachable!("this code only tells a type")
}

/// The type of what a closure gives, which is never called.
pub struct Told<T>(core::marker::PhantomData<fn() -> T>);

/// The type of what a closure gives.
#[inline(always)]
pub fn told<T>(_show: impl FnOnce() -> T) -> Told<T> {
    Told(core::marker::PhantomData)
}

impl<T> Told<T> {
    /// A value of the type, in code that is never run.
    pub fn like(&self) -> T {
        unreachable!("this code only tells a type")
    }
}

/// A place with some value, in code that is never run: it lives as long as anything may want it.
pub fn lent<'a, T>(_value: T) -> &'a mut T {
    unreachable!("this code only tells a type")
}

/// Implemented by nothing: entries ask for it where the attribute does not say what is differentiated.
#[diagnostic::on_unimplemented(
    message = "what is differentiated here is not said",
    note = "a parameter has a type of which a macro cannot see whether it carries floats: name it in `independents(…)` or in `passive(…)`; other annotated functions can call the function as it is"
)]
pub trait Decided {}

/// What stands, in a backward sweep, for an argument whose value it does not read. Which arguments
/// these are is up to the callee: `()` if it is so, and otherwise the caller does not compile.
pub trait Unread {
    /// The only value, if there is one.
    fn unread() -> Self;
}

impl Unread for () {
    #[inline(always)]
    fn unread() -> Self {}
}

impl<T: ?Sized> Unread for &T {
    fn unread() -> Self {
        unreachable!("the caller of this function does not compile")
    }
}

/// What stands for an argument that is not read.
#[inline(always)]
pub fn unread<T: Unread>() -> T {
    T::unread()
}

/// What generated code hands to a callee to get at its entries.
#[derive(Clone, Copy, Debug)]
pub struct Callee;

/// The functions by way of which a function is asked whether it may run twice: where they call each other in turn,
/// the question ends.
#[derive(Clone, Copy, Debug)]
pub struct Callers<'a> {
    function: &'static str,
    before: Option<&'a Callers<'a>>,
}

impl<'a> Callers<'a> {
    /// Nobody has been asked yet.
    pub const NONE: Self = Self { function: "", before: None };

    /// These, and a function.
    pub const fn and(&'a self, function: &'static str) -> Self {
        Self { function, before: Some(self) }
    }

    /// Whether a function is among them.
    pub const fn contain(&self, function: &str) -> bool {
        let mut caller = Some(self);
        while let Some(Self { function: other, before }) = caller {
            if is_same(function.as_bytes(), other.as_bytes()) {
                return true;
            }
            caller = *before;
        }
        false
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

/// Implemented by nothing: [`fallback`] asks for it, where a callee has no entries.
#[diagnostic::on_unimplemented(
    message = "the function called here has no adjoint",
    label = "no adjoint",
    note = "annotate it with `#[adjoint]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait HasAdjoint {
    /// The entries.
    type Entries;
}

/// Implemented by nothing: [`fallback`] asks for it, where a callee has no second derivatives.
#[diagnostic::on_unimplemented(
    message = "the function called here has no second derivatives",
    label = "no second derivatives",
    note = "annotate it with `#[adjoint(…, second_order)]`, or mark the call `#[passive]` if its derivative does not matter",
    note = "the gradient or the tangent can be called of functions that return a number, do not fail, and have no `&mut` parameters"
)]
pub trait HasSecondDerivatives {
    /// The entries.
    type Entries;
}

/// What is found of functions that have no entries, where they are called as they are.
pub mod unannotated {
    /// Stands for the entries of a function that has none.
    pub mod __callee {
        use crate::{CalledAsItIs, Callers};

        /// Of a function that may do anything.
        #[derive(Clone, Copy, Debug)]
        pub struct AnyFunction;

        impl AnyFunction {
            /// Nobody knows whether it may run twice.
            pub const fn __is_repeatable(&self, _: &Callers<'_>) -> bool {
                false
            }
        }

        /// In the place of entries.
        pub const fn __entries(_: CalledAsItIs) -> AnyFunction {
            AnyFunction
        }
    }
}

/// Stands for a function of which it is known that it has no entries, whatever else has its name.
pub fn without_entries() {}

/// Glob-imported before `use path::function as __callee`: if that imports no entries, this is found.
pub mod fallback {
    macro_rules! missing {
        ($($name:ident)*) => {
            /// What is found of a function that has no second derivatives.
            pub trait WithoutSecondDerivatives: Sized {$(
                /// Cannot be called: nothing implements the bound.
                fn $name<F: crate::HasSecondDerivatives>(_: F) -> F::Entries {
                    panic!("nothing has the bound of this function")
                }
            )*}
        };
    }

    missing! { __entries_of_directed __entries_of_tangent __entries_of_gradient }

    impl<T> WithoutSecondDerivatives for T {}

    /// Stands for the entries of a function that has none.
    pub mod __callee {
        /// Cannot be called: nothing implements the bound.
        pub const fn __entries<F: crate::HasAdjoint>(callee: F) -> F::Entries {
            core::mem::forget(callee);
            panic!("nothing has the bound of this function")
        }

        macro_rules! missing {
            ($($name:ident)*) => {$(
                /// Cannot be called: nothing implements the bound.
                pub const fn $name<F: crate::HasSecondDerivatives>(callee: F) -> F::Entries {
                    core::mem::forget(callee);
                    panic!("nothing has the bound of this function")
                }
            )*};
        }

        missing! { __entries_of_directed __entries_of_tangent __entries_of_gradient }
    }
}
