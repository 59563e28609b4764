//! Values that are pushed, or popped, together: whether there is room for them is asked once.

use super::Stack;
use crate::Storable;
use std::panic::Location;

/// A value that is pushed together with others, and where that is said.
#[derive(Clone, Copy, Debug)]
pub struct Put<T> {
    value: T,
    site: &'static Location<'static>,
}

/// A value for [`Stack::push_together`].
#[inline(always)]
#[track_caller]
pub fn put<T: Storable>(value: T) -> Put<T> {
    Put { value, site: Location::caller() }
}

/// Values that can be pushed together.
pub trait Together {
    /// Pushes one after the other.
    fn push_onto(self, stack: &mut Stack);
}

/// Values that can be popped together.
pub trait Popped: Storable {
    /// Their types, in the order in which they were pushed.
    #[cfg(debug_assertions)]
    fn types() -> impl DoubleEndedIterator<Item = &'static str>;
}

impl Stack {
    /// Pushes several values, the last of which is on top then: as if each had been pushed alone.
    #[inline(always)]
    pub fn push_together(&mut self, values: impl Together) {
        values.push_onto(self);
    }

    /// Pops several values, which were pushed in this order, together or alone.
    #[inline(always)]
    #[track_caller]
    pub fn pop_together<T: Popped>(&mut self) -> T {
        #[cfg(debug_assertions)]
        for popped in T::types().rev() {
            let pushed = self.types.pop().expect("the stack is empty");
            assert!(pushed == popped, "a `{pushed}` was pushed, a `{popped}` is popped");
        }
        T::load(self)
    }
}

macro_rules! together {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Storable),*> Together for ($(Put<$name>,)*) {
            #[inline(always)]
            #[allow(non_snake_case, reason = "one body for all lengths")]
            fn push_onto(self, stack: &mut Stack) {
                let ($($name,)*) = self;
                #[cfg(debug_assertions)]
                stack.types.extend([$(std::any::type_name::<$name>()),*]);
                let sites = [$($name.site),*];
                let values = ($($name.value,)*);
                let by_parts = |values: ($($name,)*), stack: &mut Stack| {
                    let ($($name,)*) = values;
                    let mut sites = sites.into_iter();
                    $(
                        stack.site = sites.next();
                        $name.store(stack);
                    )*
                    stack.site = None;
                };
                match <($($name,)*)>::WORDS {
                    Some(_) => stack.push_words_of(values, by_parts),
                    None => by_parts(values, stack),
                }
            }
        }

        impl<$($name: Storable),*> Popped for ($($name,)*) {
            #[cfg(debug_assertions)]
            fn types() -> impl DoubleEndedIterator<Item = &'static str> {
                [$(std::any::type_name::<$name>()),*].into_iter()
            }
        }
    )*};
}

together! {
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes values together and alone, and pops them in other groups.
    fn come_back(stack: &mut Stack) {
        for round in 0..2000_u32 {
            let x = f64::from(round);
            stack.push_together((put(x), put(round), put((x, -x))));
            stack.push(round % 3 == 0);
            stack.push(x + 1.0);
            stack.push_together((put(vec![x; 2]), put(round % 2 == 0)));
        }
        for round in (0..2000_u32).rev() {
            let x = f64::from(round);
            let (next, list) = stack.pop_together_after_bit(round % 2 == 0);
            assert_eq!((next, list), (x + 1.0, vec![x; 2]));
            let (pair, third) = stack.pop_together::<((f64, f64), bool)>();
            assert_eq!((pair, third), ((x, -x), round % 3 == 0));
            assert_eq!(stack.pop_together::<(f64, u32)>(), (x, round));
        }
        assert!(stack.is_empty());
    }

    impl Stack {
        fn pop_together_after_bit(&mut self, bit: bool) -> (f64, Vec<f64>) {
            assert_eq!(self.pop::<bool>(), bit);
            self.pop_together()
        }
    }

    #[test]
    fn groups_are_what_their_values_are_alone() {
        come_back(&mut Stack::new());
        come_back(&mut Stack::recording());
        come_back(&mut Stack::with_limit(1 << 20));
    }

    #[test]
    fn each_value_is_reported_where_it_is_said() {
        let mut stack = Stack::recording();
        let first = put(1.0);
        let second = put(2.0);
        stack.push_together((first, second));
        let lines: Vec<u32> = [first.site, second.site].map(Location::line).to_vec();
        let report = stack.report();
        let mut sites: Vec<u32> = report
            .by_site
            .iter()
            .map(|(site, _)| {
                site.rsplit(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or(0)
            })
            .collect();
        sites.sort_unstable();
        assert_eq!(sites, lines, "{report}");
    }
}
