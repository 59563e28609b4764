//! How much a value of any type owns on the heap, as far as that can be known. What generated code calls finds the first of these
//! traits that the type has.

use crate::Storable;

/// The value that is asked.
#[derive(Debug)]
pub struct Owner<'v, T: ?Sized>(pub &'v T);

/// Found first: a list, whose elements can be asked.
pub trait OfElements {
    /// How many bytes the list owns.
    fn heap_bytes(&self) -> usize;
}

impl<T: Storable> OfElements for &&Owner<'_, Vec<T>> {
    #[inline]
    fn heap_bytes(&self) -> usize {
        let elements: usize = self.0.iter().map(T::heap_bytes).sum();
        self.0.capacity() * size_of::<T>() + elements
    }
}

/// Found next: something that can be stored.
pub trait OfStorable {
    /// How many bytes the value owns.
    fn heap_bytes(&self) -> usize;
}

impl<T: Storable> OfStorable for &Owner<'_, T> {
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

/// Found last.
pub trait OfUnknown {
    /// Nothing that is known of.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl<T: ?Sized> OfUnknown for Owner<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::needless_borrow, reason = "generated code does not know the type")]
    fn what_is_owned_is_found() {
        struct Unknown;
        let rows = vec![vec![(1.0, [2.0; 3])], Vec::with_capacity(4)];
        let of_rows = 2 * size_of::<Vec<u8>>() + 5 * size_of::<(f64, [f64; 3])>();
        assert_eq!((&&&Owner(&rows)).heap_bytes(), of_rows);
        let rest = (1.0, Some(vec![1_u8; 10]), [String::from("four"), String::new()]);
        assert_eq!((&&&Owner(&rest)).heap_bytes(), 14);
        assert_eq!((&&&Owner(&vec![Unknown])).heap_bytes(), 0);
        assert_eq!((&&&Owner(&Unknown)).heap_bytes(), 0);
    }

    #[test]
    fn lists_of_lists_are_known_where_they_are_moved() {
        assert_eq!(vec![vec![vec![1.0_f32; 3]; 2]; 1].heap_bytes(), 24 + 48 + 24);
        assert_eq!(vec![String::from("four"); 2].heap_bytes(), 48 + 8);
        assert_eq!(vec![vec![[1_u8; 3]; 5]].heap_bytes(), 24 + 15);
    }
}
