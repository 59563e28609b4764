//! Sorting as exchanges: what order the elements of a list are brought into depends on their values, but
//! the values themselves only change places, which an adjoint undoes.
//!
//! Every function returns, for each position, the position at or after it whose element goes there, when
//! all positions before have been dealt with: `for k in 0..n { list.swap(k, exchanges[k]); }` sorts the
//! list. It is sorted by the method of the standard library of the same name, with its order among equal
//! elements, its calls of the comparison and its panics.

use std::cmp::Ordering;

/// The exchanges that bring the elements into the order that `arrange` gives to their positions.
fn exchanges(len: usize, arrange: impl FnOnce(&mut [usize])) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    arrange(&mut order);
    for position in 0..len {
        let mut source = order[position];
        // What stood before `position` has been moved to where its exchange says.
        while source < position {
            source = order[source];
        }
        order[position] = source;
    }
    order
}

/// As `list.sort()`.
pub fn sort<T: Ord>(list: &[T]) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_by(|&i, &j| list[i].cmp(&list[j])))
}

/// As `list.sort_unstable()`.
pub fn sort_unstable<T: Ord>(list: &[T]) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_unstable_by(|&i, &j| list[i].cmp(&list[j])))
}

/// As `list.sort_by(compare)`.
pub fn sort_by<T>(list: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_by(|&i, &j| compare(&list[i], &list[j])))
}

/// As `list.sort_unstable_by(compare)`.
pub fn sort_unstable_by<T>(list: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_unstable_by(|&i, &j| compare(&list[i], &list[j])))
}

/// As `list.sort_by_key(key)`.
pub fn sort_by_key<T, K: Ord>(list: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_by_key(|&i| key(&list[i])))
}

/// As `list.sort_unstable_by_key(key)`.
pub fn sort_unstable_by_key<T, K: Ord>(list: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_unstable_by_key(|&i| key(&list[i])))
}

/// As `list.sort_by_cached_key(key)`.
pub fn sort_by_cached_key<T, K: Ord>(list: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    exchanges(list.len(), |order| order.sort_by_cached_key(|&i| key(&list[i])))
}

/// As `list.select_nth_unstable_by(position, compare)`.
pub fn select_nth_unstable_by<T>(
    list: &[T],
    position: usize,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) -> Vec<usize> {
    exchanges(list.len(), |order| {
        order.select_nth_unstable_by(position, |&i, &j| compare(&list[i], &list[j]));
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
                let numbers: Vec<usize> = (0..len).map(digit).collect();
                let mut sorted = numbers.clone();
                sorted.sort_unstable();
                let unstable = [
                    sort(&numbers),
                    sort_unstable(&numbers),
                    sort_unstable_by(&numbers, usize::cmp),
                    sort_unstable_by_key(&numbers, |&number| number),
                ];
                for exchanges in unstable {
                    assert_eq!(applied(&numbers, &exchanges), sorted);
                }
                for (position, number) in sorted.iter().enumerate() {
                    let exchanges = select_nth_unstable_by(&numbers, position, usize::cmp);
                    assert_eq!(applied(&numbers, &exchanges)[position], *number);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "called `Option::unwrap()` on a `None` value")]
    fn a_comparison_without_an_outcome_panics() {
        sort_by(&[1.0, f64::NAN], |a, b| a.partial_cmp(b).unwrap());
    }
}
