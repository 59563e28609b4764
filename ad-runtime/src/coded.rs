//! Values of types of the user's that hold no floats, on the stack. Such a type is none that implements [`Storable`]: generated code takes its
//! values apart.

use crate::{Stack, Storable};

/// How values of a type are put on the stack. Generated code has a type of its own for it, beside each function that needs it.
pub trait Code {
    /// The type.
    type Value;
    /// Puts the parts of a value on the stack, and a number that says which variant it is.
    fn store(value: Self::Value, stack: &mut Stack);
    /// Takes a value off the stack.
    fn load(stack: &mut Stack) -> Self::Value;
    /// Some value, for a variable that is given its value later, or never.
    fn placeholder() -> Self::Value;
}

/// Puts a value on the stack. What is taken off again is another one, which must not matter.
#[track_caller]
fn store<C: Code>(value: C::Value, stack: &mut Stack) {
    const {
        assert!(
            !std::mem::needs_drop::<C::Value>(),
            "a value that does something when it is dropped cannot be stored for the backward sweep"
        );
    }
    C::store(value, stack);
}

/// A value that is put on the stack as a [`Code`] says.
#[derive(Debug)]
pub struct Coded<C: Code>(pub C::Value);

impl<C: Code> Storable for Coded<C> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        store::<C>(self.0, stack);
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        Self(C::load(stack))
    }
    #[inline]
    fn placeholder() -> Self {
        Self(C::placeholder())
    }
    fn type_name() -> &'static str {
        std::any::type_name::<C::Value>()
    }
}

/// An array of such values.
#[derive(Debug)]
pub struct CodedArray<C: Code, const N: usize>(pub [C::Value; N]);

impl<C: Code, const N: usize> Storable for CodedArray<C, N> {
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        self.0.into_iter().for_each(|value| store::<C>(value, stack));
    }
    fn load(stack: &mut Stack) -> Self {
        let mut values = std::array::from_fn(|_| C::load(stack));
        values.reverse();
        Self(values)
    }
    fn placeholder() -> Self {
        Self(std::array::from_fn(|_| C::placeholder()))
    }
    fn type_name() -> &'static str {
        std::any::type_name::<[C::Value; N]>()
    }
}

/// A list of such values.
#[derive(Debug)]
pub struct CodedList<C: Code>(pub Vec<C::Value>);

impl<C: Code> Storable for CodedList<C> {
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        let len = self.0.len();
        self.0.into_iter().for_each(|value| store::<C>(value, stack));
        len.store(stack);
    }
    fn load(stack: &mut Stack) -> Self {
        let len = usize::load(stack);
        let mut values: Vec<C::Value> = (0..len).map(|_| C::load(stack)).collect();
        values.reverse();
        Self(values)
    }
    fn placeholder() -> Self {
        Self(Vec::new())
    }
    fn type_name() -> &'static str {
        std::any::type_name::<Vec<C::Value>>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Coded, CodedArray, CodedList};
    use crate::{Stack, Storable};

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
        fn placeholder() -> Step {
            Step::Still
        }
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let values = [Step::By(3, true), Step::Still, Step::By(0, false)];
        let mut stack = Stack::new();
        CodedArray::<CodeOfStep, 3>(values).store(&mut stack);
        CodedList::<CodeOfStep>(values.to_vec()).store(&mut stack);
        Coded::<CodeOfStep>(values[0]).store(&mut stack);
        assert_eq!(Coded::<CodeOfStep>::load(&mut stack).0, values[0]);
        assert_eq!(CodedList::<CodeOfStep>::load(&mut stack).0, values);
        assert_eq!(CodedArray::<CodeOfStep, 3>::load(&mut stack).0, values);
        assert!(stack.is_empty());
    }
}
