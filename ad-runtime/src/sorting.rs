//! Sorting as exchanges: what order the elements of a list are brought into depends on their values, but
//! the values themselves only change places, which an adjoint undoes.
//!
//! Every function returns, for each position, the position at or after it whose element goes there, when
//! all positions before have been dealt with: `for k in 0..n { list.swap(k, exchanges[k]); }` sorts the
//! list. It is sorted by the method of the standard library of the same name, with its order among equal
//! elements, its calls of the comparison and its panics.
//!
//! In what order equal elements end up is up to that method, which looks at the size of the elements and whether they are
//! `Copy`: a list of positions would be sorted in another order. So a list of elements of the same type is
//! sorted, by the same outcomes of comparisons, and each of these *carries* a position: in its first float, where all
//! others are zero.

use crate::{Differentiable, Vector};
use std::cmp::Ordering;

/// An element that can carry a position: what has floats, and bars of its own type.
#[diagnostic::on_unimplemented(
    message = "lists of `{Self}` cannot be sorted in a function that is differentiated",
    label = "sorts values of type `{Self}`",
    note = "bars must be of the type of the value: those of `#[derive(Differentiable)]` are"
)]
pub trait Carrier: Differentiable<Bar = Self> + Vector + Sized {}

impl<T: Differentiable<Bar = T> + Vector> Carrier for T {}

/// The float that stands for a position: those from 1 on that are floats of either width.
fn encoded(position: usize) -> f64 {
    const LAST: u32 = f32::MAX.to_bits() - ONE;
    let offset = u32::try_from(position).ok().filter(|&offset| offset <= LAST);
    f64::from(f32::from_bits(ONE + offset.expect("a list of fewer than 2^30 elements")))
}

/// The position that a float stands for.
fn decoded(float: f64) -> usize {
    ((float as f32).to_bits() - ONE) as usize
}

const ONE: u32 = 1.0_f32.to_bits();

/// Reads the positions that elements carry.
#[derive(Default)]
struct Reader {
    flat: Vec<f64>,
}

impl Reader {
    #[inline]
    fn position(&mut self, carrier: &impl Vector) -> usize {
        self.flat.clear();
        carrier.write_flat(&mut self.flat);
        // A single element may have no float.
        self.flat.first().map_or(0, |&float| decoded(float))
    }
}

/// One element for each element of a list, that carries its position.
fn carriers<T: Carrier>(list: &[T]) -> Vec<T> {
    let mut flat = Vec::new();
    let mut has_floats = |element: &&T| {
        element.write_flat(&mut flat);
        !flat.is_empty()
    };
    // Rows differ in shape: those of an element that has floats are like one another.
    let Some(shape) = list.iter().find(&mut has_floats) else {
        assert!(
            list.len() < 2,
            "elements without numbers cannot be sorted in a function that is differentiated"
        );
        return list.iter().map(T::zero_bar).collect();
    };
    flat.fill(0.0);
    let carrying = |position| {
        let mut carrier = shape.zero_bar();
        flat[0] = encoded(position);
        carrier.read_flat(&flat);
        carrier
    };
    (0..list.len()).map(carrying).collect()
}

/// The exchanges that bring the elements of a list into the order that `arrange` gives to carriers of their positions.
fn arranged<T: Carrier>(list: &[T], arrange: impl FnOnce(&mut [T], &mut Reader)) -> Vec<usize> {
    let (mut carriers, mut reader) = (carriers(list), Reader::default());
    arrange(&mut carriers, &mut reader);
    exchanges(carriers.iter().map(|carrier| reader.position(carrier)).collect())
}

/// The exchanges that bring the elements into an order, given as that of their positions before.
fn exchanges(mut order: Vec<usize>) -> Vec<usize> {
    for position in 0..order.len() {
        let mut source = order[position];
        // What stood before `position` has been moved to where its exchange says.
        while source < position {
            source = order[source];
        }
        order[position] = source;
    }
    order
}

/// Whether one of two elements belongs before the other, as an outcome of a comparison.
fn before(is_less: bool) -> Ordering {
    if is_less { Ordering::Less } else { Ordering::Greater }
}

/// As `list.sort()`.
pub fn sort<T: Carrier + Ord>(list: &[T]) -> Vec<usize> {
    sort_by(list, |a, b| before(a.lt(b)))
}

/// As `list.sort_unstable()`.
pub fn sort_unstable<T: Carrier + Ord>(list: &[T]) -> Vec<usize> {
    sort_unstable_by(list, |a, b| before(a.lt(b)))
}

/// As `list.sort_by(compare)`.
pub fn sort_by<T: Carrier>(list: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    arranged(list, |carriers, reader| {
        carriers.sort_by(|a, b| compare(&list[reader.position(a)], &list[reader.position(b)]));
    })
}

/// As `list.sort_unstable_by(compare)`.
pub fn sort_unstable_by<T: Carrier>(
    list: &[T],
    mut compare: impl FnMut(&T, &T) -> Ordering,
) -> Vec<usize> {
    arranged(list, |carriers, reader| {
        carriers
            .sort_unstable_by(|a, b| compare(&list[reader.position(a)], &list[reader.position(b)]));
    })
}

/// As `list.sort_by_key(key)`.
pub fn sort_by_key<T: Carrier, K: Ord>(list: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    sort_by(list, |a, b| before(key(a).lt(&key(b))))
}

/// As `list.sort_unstable_by_key(key)`.
pub fn sort_unstable_by_key<T: Carrier, K: Ord>(
    list: &[T],
    mut key: impl FnMut(&T) -> K,
) -> Vec<usize> {
    sort_unstable_by(list, |a, b| before(key(a).lt(&key(b))))
}

/// As `list.sort_by_cached_key(key)`, which sorts the keys, each with the position of its element.
pub fn sort_by_cached_key<T, K: Ord>(list: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_cached_key(|&i| key(&list[i]));
    exchanges(order)
}

/// As `list.select_nth_unstable_by(position, compare)`.
pub fn select_nth_unstable_by<T: Carrier>(
    list: &[T],
    nth: usize,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) -> Vec<usize> {
    arranged(list, |carriers, reader| {
        carriers.select_nth_unstable_by(nth, |a, b| {
            compare(&list[reader.position(a)], &list[reader.position(b)])
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied<T: Clone>(list: &[T], exchanges: &[usize]) -> Vec<T> {
        let mut list = list.to_vec();
        for (k, &other) in exchanges.iter().enumerate() {
            assert!(other >= k, "{exchanges:?}");
            list.swap(k, other);
        }
        list
    }

    /// All lists of up to six small numbers, each element with its position, so that stability shows.
    #[test]
    fn the_exchanges_do_what_the_standard_library_does() {
        for len in 0..=6_u32 {
            for code in 0..4_usize.pow(len) {
                let digit = |at: u32| code / 4_usize.pow(at) % 4;
                let list: Vec<(f64, u32)> = (0..len).map(|at| (digit(at) as f64, at)).collect();
                let compare = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0);
                let mut sorted = list.clone();
                sorted.sort_by(compare);
                assert_eq!(applied(&list, &sort_by(&list, compare)), sorted);
                let key = |item: &(f64, u32)| item.0 as u32 / 2;
                sorted = list.clone();
                sorted.sort_by_key(key);
                assert_eq!(applied(&list, &sort_by_key(&list, key)), sorted);
                assert_eq!(applied(&list, &sort_by_cached_key(&list, key)), sorted);
            }
        }
    }

    /// What is sorted by its first part, though it has others.
    #[derive(Clone, Debug)]
    struct ByFirst<T>(f64, T);

    impl<T> PartialEq for ByFirst<T> {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other).is_eq()
        }
    }

    impl<T> Eq for ByFirst<T> {}

    impl<T> PartialOrd for ByFirst<T> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl<T> Ord for ByFirst<T> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.0.total_cmp(&other.0)
        }
    }

    impl<T: Vector> Vector for ByFirst<T> {
        fn set_zero(&mut self) {
            self.0 = 0.0;
            self.1.set_zero();
        }
        fn accumulate(&mut self, other: &Self) {
            self.0 += other.0;
            self.1.accumulate(&other.1);
        }
        fn inner(&self, other: &Self) -> f64 {
            self.0 * other.0 + self.1.inner(&other.1)
        }
        fn write_flat(&self, flat: &mut Vec<f64>) {
            flat.push(self.0);
            self.1.write_flat(flat);
        }
        fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
            self.1.read_flat(self.0.read_flat(flat))
        }
    }

    impl<T: Differentiable<Bar = T> + Vector> Differentiable for ByFirst<T> {
        type Bar = Self;
        fn zero_bar(&self) -> Self {
            ByFirst(0.0, self.1.zero_bar())
        }
    }

    /// Lists with many equal elements, which the methods that are not stable bring into one order or another, by the size of the
    /// elements and whether they are `Copy`. `T` tells them apart.
    fn assert_order_of_equals<T>(of: impl Fn(usize) -> T)
    where
        T: Differentiable<Bar = T> + Vector + Clone + PartialEq + std::fmt::Debug,
    {
        let mut random = 12345_u64;
        let mut digit = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for len in [0, 1, 2, 7, 19, 21, 33, 64, 150, 300] {
            for kinds in [1, 2, 5, 40] {
                let list: Vec<ByFirst<T>> =
                    (0..len).map(|k| ByFirst(digit(kinds) as f64, of(k))).collect();
                let is_sorted_as = |exchanges: &[usize], sort: &dyn Fn(&mut [ByFirst<T>])| {
                    let (ours, mut theirs) = (applied(&list, exchanges), list.clone());
                    sort(&mut theirs);
                    let same = ours.iter().zip(&theirs).all(|(a, b)| a.0 == b.0 && a.1 == b.1);
                    assert!(same, "{len} of {kinds} kinds: {ours:?}, not {theirs:?}");
                };
                let compare = |a: &ByFirst<T>, b: &ByFirst<T>| b.0.total_cmp(&a.0);
                let key = |element: &ByFirst<T>| element.0 as u32 / 2;
                is_sorted_as(&sort(&list), &|list| list.sort());
                is_sorted_as(&sort_unstable(&list), &|list| list.sort_unstable());
                is_sorted_as(&sort_by(&list, compare), &|list| list.sort_by(compare));
                is_sorted_as(&sort_unstable_by(&list, compare), &|list| {
                    list.sort_unstable_by(compare);
                });
                is_sorted_as(&sort_unstable_by_key(&list, key), &|list| {
                    list.sort_unstable_by_key(key);
                });
                // An order that contradicts itself, as where NaN is equal to everything.
                let undecided = |a: &ByFirst<T>, b: &ByFirst<T>| match (a.0 as u32, b.0 as u32) {
                    (3, _) | (_, 3) => Ordering::Equal,
                    (a, b) => a.cmp(&b),
                };
                if len < 20 {
                    is_sorted_as(&sort_by(&list, undecided), &|list| list.sort_by(undecided));
                }
                for nth in [0, len / 2, len.saturating_sub(1)] {
                    if nth < len {
                        is_sorted_as(&select_nth_unstable_by(&list, nth, compare), &|list| {
                            list.select_nth_unstable_by(nth, compare);
                        });
                    }
                }
            }
        }
    }

    #[test]
    fn equal_elements_are_in_the_order_of_the_standard_library() {
        assert_order_of_equals(|k| k as f64);
        assert_order_of_equals(|k| (k as f32, k));
        assert_order_of_equals(|k| [k as f64; 4]);
        assert_order_of_equals(|k| [k as f64; 16]);
        assert_order_of_equals(|k| [k as f64; 120]);
        assert_order_of_equals(|k| vec![1.0; k % 17]);
        assert_order_of_equals(|k| (k.to_string(), k as u8, k % 3 == 0));
    }

    /// As [`assert_order_of_equals`], of what is `Copy`: that is sorted by another method.
    #[test]
    fn equal_numbers_are_in_the_order_of_the_standard_library() {
        let list: Vec<(f64, f64)> =
            (0..300).map(|k| (f64::from(k * 7 % 3), f64::from(k))).collect();
        let narrow: Vec<(f32, u16)> = (0..300).map(|k| ((k * 7 % 3) as f32, k)).collect();
        for len in 0..list.len() {
            let mut sorted = list[..len].to_vec();
            sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let exchanges = sort_unstable_by(&list[..len], |a, b| a.0.total_cmp(&b.0));
            assert_eq!(applied(&list[..len], &exchanges), sorted);
            let mut sorted = narrow[..len].to_vec();
            sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let exchanges = sort_unstable_by(&narrow[..len], |a, b| a.0.total_cmp(&b.0));
            assert_eq!(applied(&narrow[..len], &exchanges), sorted);
        }
        let signs: Vec<f64> = (0..99).map(|k| if k % 3 == 0 { -0.0 } else { 0.0 }).collect();
        let mut sorted = signs.clone();
        sorted.sort_unstable_by(|a, b| a.partial_cmp(b).expect("numbers"));
        let exchanges = sort_unstable_by(&signs, |a, b| a.partial_cmp(b).expect("numbers"));
        let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&applied(&signs, &exchanges)), bits(&sorted));
    }

    /// The shapes of rows differ, and some have no number to carry a position.
    #[test]
    fn rows_without_numbers_are_sorted_among_others() {
        let rows: Vec<Vec<f64>> = (0..60).map(|k| vec![f64::from(k); k as usize * 5 % 4]).collect();
        let mut sorted = rows.clone();
        sorted.sort_unstable_by_key(Vec::len);
        assert_eq!(applied(&rows, &sort_unstable_by_key(&rows, Vec::len)), sorted);
    }

    #[test]
    fn positions_are_encoded_and_decoded() {
        for position in (0..5000).chain([1 << 24, (1 << 29) + 1, (1 << 30) - (1 << 23) - 1]) {
            assert_eq!(decoded(encoded(position)), position);
            assert_eq!(decoded(f64::from(encoded(position) as f32)), position);
        }
    }

    #[test]
    #[should_panic(expected = "called `Option::unwrap()` on a `None` value")]
    fn a_comparison_without_an_outcome_panics() {
        sort_by(&[1.0, f64::NAN], |a, b| a.partial_cmp(b).unwrap());
    }
}
