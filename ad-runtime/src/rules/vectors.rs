//! Vectors and matrices that give their elements one after the other: as vectors of floats.

use crate::ShapeDigest;

/// What the types have as their shape.
pub(crate) trait Dimensions {
    fn add_to(self, digest: &mut ShapeDigest);
}

impl Dimensions for (usize, usize) {
    #[inline]
    fn add_to(self, digest: &mut ShapeDigest) {
        digest.add_length(self.0);
        digest.add_length(self.1);
    }
}

impl Dimensions for &[usize] {
    #[inline]
    fn add_to(self, digest: &mut ShapeDigest) {
        self.iter().for_each(|&len| digest.add_length(len));
    }
}

/// Types whose elements `iter` gives, that have a shape, and are added by `+=`; and whether all values of the type have one shape.
macro_rules! vectors {
    ($([$($params:tt)*] $ty:ty: $shapes:ident;)*) => {$(
        impl<$($params)*> $crate::Vector for $ty {
            const SHAPES: $crate::Shapes = $crate::Shapes::$shapes;
            #[inline]
            fn digest_shape(&self, digest: &mut $crate::ShapeDigest) {
                if <Self as $crate::Vector>::SHAPES.may_differ() {
                    $crate::rules::vectors::Dimensions::add_to(self.shape(), digest);
                }
            }
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
