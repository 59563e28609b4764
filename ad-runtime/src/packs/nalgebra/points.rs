//! Points, and translations, which move them.

use super::Float;
use super::floats::{choice, sum_of, weighted};
use nalgebra::*;

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const N: usize> Point<F, N> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        op Neg(self) -> Point<F, N> { self: |w| -w, |d| -d; }
        op Sub(self, b: Point<F, N>) -> SVector<F, N> {
            self: |w| Point::from(w), |d| d.coords;
            b: |w| Point::from(-w), |d| -d.coords;
        }
        op Add, AddAssign(self, b: SVector<F, N>) -> Point<F, N> { self: same; b: |w| w.coords, |d| Point::from(d); }
        op Sub, SubAssign(self, b: SVector<F, N>) -> Point<F, N> { self: same; b: |w| -w.coords, |d| Point::from(-d); }
        op Mul, MulAssign(self, value b: F) -> Point<F, N> {
            self: |w| Point::from(weighted(&w.coords, |_| b)), |d| Point::from(weighted(&d.coords, |_| b));
            b: |w| sum_of(&w.coords, |at| self[at]), |d| self * d;
        }
        op Div, DivAssign(self, value b: F) -> Point<F, N> {
            self: |w| Point::from(weighted(&w.coords, |_| F::one() / b)), |d| Point::from(weighted(&d.coords, |_| F::one() / b));
            b: |w| -sum_of(&w.coords, |at| result[at] / b), |d| *result * -(d / b);
        }

        fn lerp(&self, b: &Point<F, N>, t: F) -> Point<F, N> {
            self: |w| w * (F::one() - t), |d| d * (F::one() - t);
            b: |w| w * t, |d| d * t;
            t: |w| (b - self).dot(&w.coords), |d| Point::from((b - self) * d);
        }
        // To the operand that is returned.
        fn inf(&self, b: &Point<F, N>) -> Point<F, N> {
            self: |w| Point::from(weighted(&w.coords, |at| choice(self[at] < b[at]))),
                  |d| Point::from(weighted(&d.coords, |at| choice(self[at] < b[at])));
            b: |w| Point::from(weighted(&w.coords, |at| choice(!(self[at] < b[at])))),
               |d| Point::from(weighted(&d.coords, |at| choice(!(self[at] < b[at]))));
        }
        fn sup(&self, b: &Point<F, N>) -> Point<F, N> {
            self: |w| Point::from(weighted(&w.coords, |at| choice(self[at] > b[at]))),
                  |d| Point::from(weighted(&d.coords, |at| choice(self[at] > b[at])));
            b: |w| Point::from(weighted(&w.coords, |at| choice(!(self[at] > b[at])))),
               |d| Point::from(weighted(&d.coords, |at| choice(!(self[at] > b[at]))));
        }
    }

    impl<F: Float, const R: usize, const C: usize> SMatrix<F, R, C> {
        check F = f64, R = 2, C = 3;
        check F = f32, R = 2, C = 2;

        op Mul(self, b: Point<F, C>) -> Point<F, R> {
            self: |w| w.coords * b.coords.transpose(), |d| d * b;
            b: |w| Point::from(self.tr_mul(&w.coords)), |d| self * d;
        }
    }

    impl<F: Float> Point<F, 1> {
        check F = f64;

        fn new(x: F) -> Point<F, 1> { x: |w| w.x, |d| Point1::new(d); }
        fn to_homogeneous(&self) -> SVector<F, 2> { self: |w| Point::from(w.fixed_rows::<1>(0).into_owned()), |d| d.coords.push(F::zero()); }
    }

    impl<F: Float> Point<F, 2> {
        check F = f64;
        check F = f32;

        fn new(x: F, y: F) -> Point<F, 2> {
            x: |w| w.x, |d| Point2::new(d, F::zero());
            y: |w| w.y, |d| Point2::new(F::zero(), d);
        }
        fn to_homogeneous(&self) -> SVector<F, 3> { self: |w| Point::from(w.fixed_rows::<2>(0).into_owned()), |d| d.coords.push(F::zero()); }
        fn yx(&self) -> Point<F, 2> { self: |w| w.yx(), |d| d.yx(); }
    }

    impl<F: Float> Point<F, 3> {
        check F = f64;
        check F = f32;

        fn new(x: F, y: F, z: F) -> Point<F, 3> {
            x: |w| w.x, |d| Point3::new(d, F::zero(), F::zero());
            y: |w| w.y, |d| Point3::new(F::zero(), d, F::zero());
            z: |w| w.z, |d| Point3::new(F::zero(), F::zero(), d);
        }
        fn to_homogeneous(&self) -> SVector<F, 4> { self: |w| Point::from(w.fixed_rows::<3>(0).into_owned()), |d| d.coords.push(F::zero()); }
        fn xy(&self) -> Point<F, 2> { self: |w| Point3::new(w.x, w.y, F::zero()), |d| d.xy(); }
        fn xz(&self) -> Point<F, 2> { self: |w| Point3::new(w.x, F::zero(), w.y), |d| d.xz(); }
        fn yz(&self) -> Point<F, 2> { self: |w| Point3::new(F::zero(), w.x, w.y), |d| d.yz(); }
    }

    impl<F: Float, const N: usize> Translation<F, N> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        op Mul, MulAssign(self, b: Translation<F, N>) -> Translation<F, N> { self: same; b: same; }
        op Div, DivAssign(self, b: Translation<F, N>) -> Translation<F, N> { self: same; b: |w| w.inverse(), |d| d.inverse(); }
        op Mul(self, b: Point<F, N>) -> Point<F, N> {
            self: |w| Translation::from(w.coords), |d| Point::from(d.vector);
            b: same;
        }
        fn inverse(&self) -> Translation<F, N> { self: |w| w.inverse(), |d| d.inverse(); }
        fn transform_point(&self, b: &Point<F, N>) -> Point<F, N> {
            self: |w| Translation::from(w.coords), |d| Point::from(d.vector);
            b: same;
        }
        fn inverse_transform_point(&self, b: &Point<F, N>) -> Point<F, N> {
            self: |w| Translation::from(-w.coords), |d| Point::from(-d.vector);
            b: same;
        }
    }

    impl<F: Float> Translation<F, 2> {
        check F = f64;

        fn new(x: F, y: F) -> Translation<F, 2> {
            x: |w| w.x, |d| Translation2::new(d, F::zero());
            y: |w| w.y, |d| Translation2::new(F::zero(), d);
        }
    }

    impl<F: Float> Translation<F, 3> {
        check F = f64;

        fn new(x: F, y: F, z: F) -> Translation<F, 3> {
            x: |w| w.x, |d| Translation3::new(d, F::zero(), F::zero());
            y: |w| w.y, |d| Translation3::new(F::zero(), d, F::zero());
            z: |w| w.z, |d| Translation3::new(F::zero(), F::zero(), d);
        }
    }
}
