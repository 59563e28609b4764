//! Values of types of the user's that hold no floats, on the stack. Such a type is none that implements [`Storable`]: generated code takes its
//! values apart.

use crate::{Placeholder, Stack, Storable};
use std::any::type_name;
use std::marker::PhantomData;

/// How values of a type are put on the stack. For a type of the user's generated code has a code of its own, beside each function that needs
/// it; the others are made of that.
pub trait Code {
    /// The type.
    type Value;
    /// Puts a value on the stack.
    #[track_caller]
    fn store(value: Self::Value, stack: &mut Stack);
    /// Takes a value off the stack.
    fn load(stack: &mut Stack) -> Self::Value;
}

/// A code of a type of which there is some value to begin with.
pub trait CodeOfSome: Code {
    /// Some value, for a variable that is given its value later, or never.
    fn placeholder() -> Self::Value;
}

/// Proves that nothing happens when a value is dropped: what is taken off the stack is another value than what was put there.
pub const fn not_dropped<T>() {
    assert!(
        !std::mem::needs_drop::<T>(),
        "a value that does something when it is dropped cannot be stored for the backward sweep"
    );
}

/// Proves that nothing happens when a value is dropped but what happens when its fields, or those of its variants, are.
pub const fn frees_only<T, Fields>() {
    assert!(
        std::mem::needs_drop::<T>() == std::mem::needs_drop::<Fields>(),
        "a value that does something when it is dropped cannot be stored for the backward sweep"
    );
}

/// A value that is put on the stack as a [`Code`] says.
#[derive(Debug)]
pub struct Coded<C: Code>(pub C::Value);

impl<C: Code> Storable for Coded<C> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        C::store(self.0, stack);
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        Self(C::load(stack))
    }
    fn type_name() -> &'static str {
        type_name::<C::Value>()
    }
}

impl<C: CodeOfSome> Placeholder for Coded<C> {
    #[inline]
    fn placeholder() -> Self {
        Self(C::placeholder())
    }
}

/// The code of what can be stored as it is.
#[derive(Debug)]
pub struct AsIs<T>(PhantomData<T>);

impl<T: Storable> Code for AsIs<T> {
    type Value = T;
    #[inline]
    fn store(value: T, stack: &mut Stack) {
        value.store(stack);
    }
    #[inline]
    fn load(stack: &mut Stack) -> T {
        T::load(stack)
    }
}

impl<T: Storable + Placeholder> CodeOfSome for AsIs<T> {
    fn placeholder() -> T {
        T::placeholder()
    }
}

/// A value that is moved to the stack in one piece, whatever it is, and the code that does so.
#[derive(Debug)]
pub struct Moved<T>(pub T);

impl<T: Movable> Storable for Moved<T> {
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        stack.push_owned(self.0, 0);
    }
    #[track_caller]
    fn load(stack: &mut Stack) -> Self {
        let owned = stack.pop_owned().downcast();
        Self(*owned.expect("what is popped is of the type that was pushed"))
    }
}

impl<T: Defaulted> Placeholder for Moved<T> {
    fn placeholder() -> Self {
        Self(T::default())
    }
}

impl<T: Movable> Code for Moved<T> {
    type Value = T;
    // It would be dropped later than where it is dropped in Rust.
    fn store(value: T, stack: &mut Stack) {
        const { not_dropped::<T>() };
        Self(value).store(stack);
    }
    #[track_caller]
    fn load(stack: &mut Stack) -> T {
        <Self as Storable>::load(stack).0
    }
}

impl<T: Movable + Defaulted> CodeOfSome for Moved<T> {
    fn placeholder() -> T {
        T::default()
    }
}

/// The code of a value that is moved to the stack in one piece, and that does nothing but free what it owns when it is dropped: where the macro
/// says so, generated code proves it.
#[derive(Debug)]
pub struct Freed<T>(PhantomData<T>);

impl<T: Movable> Code for Freed<T> {
    type Value = T;
    fn store(value: T, stack: &mut Stack) {
        Moved(value).store(stack);
    }
    #[track_caller]
    fn load(stack: &mut Stack) -> T {
        <Moved<T> as Storable>::load(stack).0
    }
}

impl<T: Movable + Defaulted> CodeOfSome for Freed<T> {
    fn placeholder() -> T {
        T::default()
    }
}

/// What can stand in a variable before that gets its value.
#[diagnostic::on_unimplemented(
    message = "there is no value of `{Self}` for a variable that gets its value later",
    note = "derive `Default` for `{Self}`: a variable that gets its value later, or never, holds that before"
)]
pub trait Defaulted: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> Defaulted for T {}

/// What can be moved to the stack.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be stored for the backward sweep",
    note = "what is stored borrows nothing, and can be sent to another thread"
)]
pub trait Movable: Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + 'static> Movable for T {}

impl<C: Code, const N: usize> Code for [C; N] {
    type Value = [C::Value; N];
    fn store(value: Self::Value, stack: &mut Stack) {
        value.into_iter().for_each(|value| C::store(value, stack));
    }
    fn load(stack: &mut Stack) -> Self::Value {
        let mut values = std::array::from_fn(|_| C::load(stack));
        values.reverse();
        values
    }
}

impl<C: CodeOfSome, const N: usize> CodeOfSome for [C; N] {
    fn placeholder() -> Self::Value {
        std::array::from_fn(|_| C::placeholder())
    }
}

impl<C: Code> Code for Vec<C> {
    type Value = Vec<C::Value>;
    fn store(value: Self::Value, stack: &mut Stack) {
        let len = value.len();
        value.into_iter().for_each(|value| C::store(value, stack));
        len.store(stack);
    }
    fn load(stack: &mut Stack) -> Self::Value {
        let len = usize::load(stack);
        let mut values: Self::Value = (0..len).map(|_| C::load(stack)).collect();
        values.reverse();
        values
    }
}

impl<C: Code> CodeOfSome for Vec<C> {
    fn placeholder() -> Self::Value {
        Vec::new()
    }
}

macro_rules! tuples {
    ($(($($code:ident $value:ident)*))*) => {$(
        impl<$($code: Code),*> Code for ($($code,)*) {
            type Value = ($($code::Value,)*);
            fn store(($($value,)*): Self::Value, stack: &mut Stack) {
                $($code::store($value, stack);)*
            }
            fn load(stack: &mut Stack) -> Self::Value {
                tuples!(@load stack $($code $value)*);
                ($($value,)*)
            }
        }

        impl<$($code: CodeOfSome),*> CodeOfSome for ($($code,)*) {
            fn placeholder() -> Self::Value {
                ($($code::placeholder(),)*)
            }
        }
    )*};
    // The last part first.
    (@load $stack:ident) => {};
    (@load $stack:ident $code:ident $value:ident $($rest:tt)*) => {
        tuples!(@load $stack $($rest)*);
        let $value = $code::load($stack);
    };
}

tuples! {
    (A a)
    (A a B b)
    (A a B b C c)
    (A a B b C c D d)
    (A a B b C c D d E e)
    (A a B b C c D d E e F f)
}

#[cfg(test)]
mod tests {
    use super::{AsIs, Code, Coded, Moved};
    use crate::{Placeholder, Stack, Storable};

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Step {
        Still,
        By(u8, bool),
    }

    #[derive(Debug)]
    struct CodeOfStep;

    impl Code for CodeOfStep {
        type Value = Step;
        fn store(value: Step, stack: &mut Stack) {
            match value {
                Step::Still => 0_u32.store(stack),
                Step::By(width, is_back) => {
                    width.store(stack);
                    is_back.store(stack);
                    1_u32.store(stack);
                }
            }
        }
        fn load(stack: &mut Stack) -> Step {
            match u32::load(stack) {
                0 => Step::Still,
                _ => {
                    let is_back = bool::load(stack);
                    Step::By(u8::load(stack), is_back)
                }
            }
        }
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let values = [Step::By(3, true), Step::Still, Step::By(0, false)];
        let pair = (values.to_vec(), 0.5);
        let mut stack = Stack::new();
        Coded::<[CodeOfStep; 3]>(values).store(&mut stack);
        Coded::<(Vec<CodeOfStep>, AsIs<f64>)>(pair.clone()).store(&mut stack);
        Coded::<Moved<Option<Step>>>(Some(values[2])).store(&mut stack);
        Coded::<CodeOfStep>(values[0]).store(&mut stack);
        assert_eq!(Coded::<CodeOfStep>::load(&mut stack).0, values[0]);
        assert_eq!(Coded::<Moved<Option<Step>>>::load(&mut stack).0, Some(values[2]));
        assert_eq!(Coded::<(Vec<CodeOfStep>, AsIs<f64>)>::load(&mut stack).0, pair);
        assert_eq!(Coded::<[CodeOfStep; 3]>::load(&mut stack).0, values);
        assert_eq!(Coded::<Moved<String>>::placeholder().0, "");
        assert!(stack.is_empty());
    }
}
