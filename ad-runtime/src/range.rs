//! Loops run backwards.

/// The items of an iterator in the opposite order, for iterators that cannot be run from their end.
pub fn reversed<I: Iterator>(items: I) -> std::iter::Rev<std::vec::IntoIter<I::Item>> {
    items.collect::<Vec<_>>().into_iter().rev()
}
