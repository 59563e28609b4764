//! Vectors and matrices that give their elements one after the other: as vectors of floats.

/// Types whose elements `iter` gives, that have a shape, and are added by `+=`.
macro_rules! vectors {
    ($([$($params:tt)*] $ty:ty;)*) => {$(
        impl<$($params)*> $crate::Vector for $ty {
            #[inline]
            fn set_zero(&mut self) {
                self.fill(F::zero());
            }
            // Operators of some types repeat the elements of what is smaller.
            #[inline]
            #[track_caller]
            fn accumulate(&mut self, other: &Self) {
                assert_eq!(self.shape(), other.shape(), "what is added is of one shape");
                *self += other;
            }
            fn inner(&self, other: &Self) -> f64 {
                assert_eq!(self.shape(), other.shape(), "what has an inner product is of one shape");
                self.iter().zip(other.iter()).map(|(a, b)| $crate::Vector::inner(a, b)).sum()
            }
            fn write_flat(&self, flat: &mut Vec<f64>) {
                self.iter().for_each(|element| element.write_flat(flat));
            }
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                self.iter_mut().fold(flat, |flat, element| element.read_flat(flat))
            }
        }
    )*};
}
pub(crate) use vectors;
