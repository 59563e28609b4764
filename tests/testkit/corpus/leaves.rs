//! Values as the lists of floats they consist of.

use crate::dual::Dual;
use crate::value::Value;
use std::slice::Iter;

/// A value of which the floats can be read and replaced, in order.
pub trait Leaves {
    /// Calls the function for each float, in order.
    fn each(&self, function: &mut dyn FnMut(f64));

    /// Replaces each float, in order, by what the function makes of it.
    fn map(&mut self, function: &mut dyn FnMut(f64) -> f64);

    /// Appends everything that is no float, in order.
    fn discrete(&self, to: &mut Vec<i64>);

    /// The value for the interpreter.
    fn interpreted(&self) -> Value<f64>;
}

/// A value that can be turned into dual numbers.
pub trait Lift: Leaves {
    /// The type with dual numbers for floats.
    type Dual;

    /// The value in dual numbers, with the slopes from the front of a list.
    fn lift(&self, slopes: &mut Iter<'_, f64>) -> Self::Dual;
}

/// A value of which the dual numbers can be read.
pub trait DualLeaves {
    /// Appends all dual numbers, in order.
    fn duals(&self, to: &mut Vec<Dual>);
}

/// The floats of a value, in order.
pub fn floats(value: &dyn Leaves) -> Vec<f64> {
    let mut list = Vec::new();
    value.each(&mut |float| list.push(float));
    list
}

/// The value with other floats, taken from the front of a list.
pub fn filled<T: Leaves + Clone>(value: &T, from: &mut Iter<'_, f64>) -> T {
    let mut copy = value.clone();
    copy.map(&mut |_| *from.next().expect("a number for each float"));
    copy
}

/// The value with all floats replaced by one.
pub fn uniform<T: Leaves + Clone>(value: &T, float: f64) -> T {
    let mut copy = value.clone();
    copy.map(&mut |_| float);
    copy
}

/// Takes as many numbers from the front of a list as the value has floats.
pub fn skip(value: &dyn Leaves, list: &mut Iter<'_, f64>) {
    value.each(&mut |_| {
        list.next();
    });
}

/// The value in dual numbers with slopes of 0.
pub fn constant<T: Lift>(value: &T) -> T::Dual {
    value.lift(&mut vec![0.0; floats(value).len()].iter())
}

/// All dual numbers of some values, in order.
pub fn duals(values: &[&dyn DualLeaves]) -> Vec<Dual> {
    let mut list = Vec::new();
    for value in values {
        value.duals(&mut list);
    }
    list
}

macro_rules! float_leaves {
    ($($ty:ty)*) => {$(
        impl Leaves for $ty {
            fn each(&self, function: &mut dyn FnMut(f64)) {
                function(f64::from(*self));
            }
            fn map(&mut self, function: &mut dyn FnMut(f64) -> f64) {
                *self = function(f64::from(*self)) as $ty;
            }
            fn discrete(&self, _: &mut Vec<i64>) {}
            fn interpreted(&self) -> Value<f64> {
                Value::Float(f64::from(*self))
            }
        }

        impl Lift for $ty {
            type Dual = Dual;
            fn lift(&self, slopes: &mut Iter<'_, f64>) -> Dual {
                Dual::new(f64::from(*self), *slopes.next().expect("a slope for each float"))
            }
        }
    )*};
}

float_leaves! { f64 f32 }

impl DualLeaves for Dual {
    fn duals(&self, to: &mut Vec<Dual>) {
        to.push(*self);
    }
}

macro_rules! no_leaves {
    ($($($ty:ty)* => Value::$kind:ident as $wide:ty,)*) => {$($(
        impl Leaves for $ty {
            fn each(&self, _: &mut dyn FnMut(f64)) {}
            fn map(&mut self, _: &mut dyn FnMut(f64) -> f64) {}
            fn discrete(&self, to: &mut Vec<i64>) {
                to.push(*self as i64);
            }
            fn interpreted(&self) -> Value<f64> {
                Value::$kind(*self as $wide)
            }
        }

        impl Lift for $ty {
            type Dual = $ty;
            fn lift(&self, _: &mut Iter<'_, f64>) -> $ty {
                *self
            }
        }

        impl DualLeaves for $ty {
            fn duals(&self, _: &mut Vec<Dual>) {}
        }
    )*)*};
}

no_leaves! {
    usize u8 u32 u64 i32 i64 => Value::Int as i128,
    bool => Value::Bool as bool,
}

impl Leaves for () {
    fn each(&self, _: &mut dyn FnMut(f64)) {}
    fn map(&mut self, _: &mut dyn FnMut(f64) -> f64) {}
    fn discrete(&self, _: &mut Vec<i64>) {}
    fn interpreted(&self) -> Value<f64> {
        Value::Nothing
    }
}

impl DualLeaves for () {
    fn duals(&self, _: &mut Vec<Dual>) {}
}

impl<T: Leaves> Leaves for Vec<T> {
    fn each(&self, function: &mut dyn FnMut(f64)) {
        self.iter().for_each(|item| item.each(function));
    }
    fn map(&mut self, function: &mut dyn FnMut(f64) -> f64) {
        self.iter_mut().for_each(|item| item.map(function));
    }
    fn discrete(&self, to: &mut Vec<i64>) {
        self.iter().for_each(|item| item.discrete(to));
    }
    fn interpreted(&self) -> Value<f64> {
        Value::List(self.iter().map(Leaves::interpreted).collect())
    }
}

impl<T: Lift> Lift for Vec<T> {
    type Dual = Vec<T::Dual>;
    fn lift(&self, slopes: &mut Iter<'_, f64>) -> Vec<T::Dual> {
        self.iter().map(|item| item.lift(slopes)).collect()
    }
}

impl<T: DualLeaves> DualLeaves for Vec<T> {
    fn duals(&self, to: &mut Vec<Dual>) {
        self.iter().for_each(|item| item.duals(to));
    }
}

impl<T: Leaves, const N: usize> Leaves for [T; N] {
    fn each(&self, function: &mut dyn FnMut(f64)) {
        self.iter().for_each(|item| item.each(function));
    }
    fn map(&mut self, function: &mut dyn FnMut(f64) -> f64) {
        self.iter_mut().for_each(|item| item.map(function));
    }
    fn discrete(&self, to: &mut Vec<i64>) {
        self.iter().for_each(|item| item.discrete(to));
    }
    fn interpreted(&self) -> Value<f64> {
        Value::List(self.iter().map(Leaves::interpreted).collect())
    }
}

impl<T: Lift, const N: usize> Lift for [T; N] {
    type Dual = [T::Dual; N];
    fn lift(&self, slopes: &mut Iter<'_, f64>) -> [T::Dual; N] {
        std::array::from_fn(|position| self[position].lift(slopes))
    }
}

impl<T: DualLeaves, const N: usize> DualLeaves for [T; N] {
    fn duals(&self, to: &mut Vec<Dual>) {
        self.iter().for_each(|item| item.duals(to));
    }
}

macro_rules! tuple_leaves {
    ($(($($name:ident $position:tt)*))*) => {$(
        impl<$($name: Leaves),*> Leaves for ($($name,)*) {
            fn each(&self, function: &mut dyn FnMut(f64)) {
                $(self.$position.each(function);)*
            }
            fn map(&mut self, function: &mut dyn FnMut(f64) -> f64) {
                $(self.$position.map(function);)*
            }
            fn discrete(&self, to: &mut Vec<i64>) {
                $(self.$position.discrete(to);)*
            }
            fn interpreted(&self) -> Value<f64> {
                Value::Tuple(vec![$(self.$position.interpreted()),*])
            }
        }

        impl<$($name: Lift),*> Lift for ($($name,)*) {
            type Dual = ($($name::Dual,)*);
            fn lift(&self, slopes: &mut Iter<'_, f64>) -> Self::Dual {
                ($(self.$position.lift(slopes),)*)
            }
        }

        impl<$($name: DualLeaves),*> DualLeaves for ($($name,)*) {
            fn duals(&self, to: &mut Vec<Dual>) {
                $(self.$position.duals(to);)*
            }
        }
    )*};
}

tuple_leaves! {
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
}
