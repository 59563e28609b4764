//! Rotations with translations.

use super::Float;
use super::turns::{Turn, pulled_by_scaled_axis, pushed_by_scaled_axis};
use crate::rules::Spread;
use crate::rules::check::{Random, Sample};
use crate::{
    Differentiable, Placeholder, ShapeDigest, Shapes, Stack, Storable, Unchanging, Vector,
    put_words, take_words, words_together,
};
use nalgebra::*;

impl<F: Float, R: Turn<F, N>, const N: usize> Vector for Isometry<F, R, N> {
    const SHAPES: Shapes = Shapes::One;
    #[inline]
    fn digest_shape(&self, _: &mut ShapeDigest) {}
    #[inline]
    fn set_zero(&mut self) {
        self.rotation.set_zero();
        self.translation.set_zero();
    }
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        self.rotation.accumulate(&other.rotation);
        self.translation.accumulate(&other.translation);
    }
    fn inner(&self, other: &Self) -> f64 {
        self.rotation.inner(&other.rotation) + self.translation.inner(&other.translation)
    }
    fn write_flat(&self, flat: &mut Vec<f64>) {
        self.rotation.write_flat(flat);
        self.translation.write_flat(flat);
    }
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        let rest = self.rotation.read_flat(flat);
        self.translation.read_flat(rest)
    }
}

impl<F: Float, R: Turn<F, N>, const N: usize> Differentiable for Isometry<F, R, N> {
    type Bar = Self;
    #[inline]
    fn zero_bar(&self) -> Self {
        Self::placeholder()
    }
    #[inline]
    fn common_zero_bar() -> Option<Self> {
        Some(Self::placeholder())
    }
}

impl<F: Float, R: Turn<F, N>, const N: usize> Storable for Isometry<F, R, N> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        (self.translation, self.rotation).store(stack);
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        let (translation, rotation) = Storable::load(stack);
        Self::from_parts(translation, rotation)
    }
    const WORDS: Option<usize> = words_together(&[Translation::<F, N>::WORDS, R::WORDS]);
    #[inline]
    fn to_words(&self, mut words: &mut [u64]) {
        put_words(&self.translation, &mut words);
        put_words(&self.rotation, &mut words);
    }
    #[inline]
    fn from_words(mut words: &[u64]) -> Self {
        Self::from_parts(take_words(&mut words), take_words(&mut words))
    }
}

impl<F: Float, R: Turn<F, N>, const N: usize> Placeholder for Isometry<F, R, N> {
    #[inline]
    fn placeholder() -> Self {
        Self::from_parts(Placeholder::placeholder(), Placeholder::placeholder())
    }
}

impl<F: Float, R: Turn<F, N>, const N: usize> Unchanging for Isometry<F, R, N> {}

impl<D, F: Float, R: Turn<F, N>, const N: usize> Spread<D> for Isometry<F, R, N> {
    type Tangents = Self;
}

impl<F: Float, R: Turn<F, N>, const N: usize> Sample for Isometry<F, R, N> {
    fn sample(random: &mut Random) -> Self {
        Self::from_parts(Sample::sample(random), Sample::sample(random))
    }
}

/// One made of what is given, whatever it is.
fn parts<F: Float, R: Turn<F, N>, const N: usize>(
    shift: SVector<F, N>,
    turn: R,
) -> Isometry<F, R, N> {
    Isometry::from_parts(Translation::from(shift), turn)
}

fn zero<T: Placeholder>() -> T {
    T::placeholder()
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, R: Turn<F, N>, const N: usize> Isometry<F, R, N> {
        check F = f64, R = UnitQuaternion<f64>, N = 3;
        check F = f64, R = UnitComplex<f64>, N = 2;
        check F = f32, R = Rotation<f32, 3>, N = 3;

        op Mul, MulAssign(self, b: Isometry<F, R, N>) -> Isometry<F, R, N> {
            self: |w| {
                      let mut turn = w.rotation * b.rotation.inverse();
                      turn.accumulate(&self.rotation.pulled(&b.translation.vector, &w.translation.vector));
                      parts(w.translation.vector, turn)
                  },
                  |d| parts(
                      d.translation.vector + self.rotation.pushed(&b.translation.vector, &d.rotation),
                      d.rotation * b.rotation,
                  );
            b: |w| parts(self.rotation.inverse_transform_vector(&w.translation.vector), self.rotation.inverse() * w.rotation),
               |d| parts(self.rotation.transform_vector(&d.translation.vector), self.rotation * d.rotation);
        }
        op Mul(self, b: Point<F, N>) -> Point<F, N> {
            self: |w| parts(w.coords, self.rotation.pulled(&b.coords, &w.coords)),
                  |d| Point::from(d.translation.vector + self.rotation.pushed(&b.coords, &d.rotation));
            b: |w| self.rotation.inverse_transform_point(&w), |d| self.rotation.transform_point(&d);
        }
        op Mul(self, b: SVector<F, N>) -> SVector<F, N> {
            self: |w| parts(zero(), self.rotation.pulled(&b, &w)), |d| self.rotation.pushed(&b, &d.rotation);
            b: |w| self.rotation.inverse_transform_vector(&w), |d| self.rotation.transform_vector(&d);
        }
        op Mul(self, b: Translation<F, N>) -> Isometry<F, R, N> {
            self: |w| {
                      let mut turn = w.rotation;
                      turn.accumulate(&self.rotation.pulled(&b.vector, &w.translation.vector));
                      parts(w.translation.vector, turn)
                  },
                  |d| parts(d.translation.vector + self.rotation.pushed(&b.vector, &d.rotation), d.rotation);
            b: |w| Translation::from(self.rotation.inverse_transform_vector(&w.translation.vector)),
               |d| parts(self.rotation.transform_vector(&d.vector), zero());
        }

        fn from_parts(translation: Translation<F, N>, rotation: R) -> Isometry<F, R, N> {
            translation: |w| w.translation, |d| parts(d.vector, zero());
            rotation: |w| w.rotation, |d| parts(zero(), d);
        }
        fn inverse(&self) -> Isometry<F, R, N> {
            self: |w| {
                      let back = self.rotation.inverse();
                      let mut turn = back.pulled(&-self.translation.vector, &w.translation.vector);
                      turn.accumulate(&w.rotation);
                      parts(-self.rotation.transform_vector(&w.translation.vector), turn.inverse())
                  },
                  |d| {
                      let (back, along) = (self.rotation.inverse(), d.rotation.inverse());
                      parts(
                          -back.transform_vector(&d.translation.vector) - back.pushed(&self.translation.vector, &along),
                          along,
                      )
                  };
        }
        fn transform_point(&self, b: &Point<F, N>) -> Point<F, N> {
            self: |w| parts(w.coords, self.rotation.pulled(&b.coords, &w.coords)),
                  |d| Point::from(d.translation.vector + self.rotation.pushed(&b.coords, &d.rotation));
            b: |w| self.rotation.inverse_transform_point(&w), |d| self.rotation.transform_point(&d);
        }
        fn transform_vector(&self, b: &SVector<F, N>) -> SVector<F, N> {
            self: |w| parts(zero(), self.rotation.pulled(b, &w)), |d| self.rotation.pushed(b, &d.rotation);
            b: |w| self.rotation.inverse_transform_vector(&w), |d| self.rotation.transform_vector(&d);
        }
        fn inverse_transform_point(&self, b: &Point<F, N>) -> Point<F, N> {
            self: |w| {
                      let turn = self.rotation.inverse().pulled(&(b.coords - self.translation.vector), &w.coords);
                      parts(-self.rotation.transform_vector(&w.coords), turn.inverse())
                  },
                  |d| {
                      let (back, along) = (self.rotation.inverse(), d.rotation.inverse());
                      let moved = back.pushed(&(b.coords - self.translation.vector), &along);
                      Point::from(moved - back.transform_vector(&d.translation.vector))
                  };
            b: |w| self.rotation.transform_point(&w), |d| self.rotation.inverse_transform_point(&d);
        }
        fn inverse_transform_vector(&self, b: &SVector<F, N>) -> SVector<F, N> {
            self: |w| parts(zero(), self.rotation.inverse().pulled(b, &w).inverse()),
                  |d| self.rotation.inverse().pushed(b, &d.rotation.inverse());
            b: |w| self.rotation.transform_vector(&w), |d| self.rotation.inverse_transform_vector(&d);
        }
    }

    impl<F: Float> Isometry<F, UnitQuaternion<F>, 3> {
        check F = f64;
        check F = f32;

        fn new(translation: SVector<F, 3>, axisangle: SVector<F, 3>) -> Isometry<F, UnitQuaternion<F>, 3> {
            translation: |w| w.translation.vector, |d| parts(d, zero());
            axisangle: |w| pulled_by_scaled_axis(&axisangle, &w.rotation), |d| parts(zero(), pushed_by_scaled_axis(&axisangle, &d));
        }
        fn translation(x: F, y: F, z: F) -> Isometry<F, UnitQuaternion<F>, 3> {
            x: |w| w.translation.vector.x, |d| parts(Vector3::x() * d, zero());
            y: |w| w.translation.vector.y, |d| parts(Vector3::y() * d, zero());
            z: |w| w.translation.vector.z, |d| parts(Vector3::z() * d, zero());
        }
        fn rotation(axisangle: SVector<F, 3>) -> Isometry<F, UnitQuaternion<F>, 3> {
            axisangle: |w| pulled_by_scaled_axis(&axisangle, &w.rotation), |d| parts(zero(), pushed_by_scaled_axis(&axisangle, &d));
        }
    }

    impl<F: Float> Isometry<F, UnitComplex<F>, 2> {
        check F = f64;
        check F = f32;

        fn new(translation: SVector<F, 2>, angle: F) -> Isometry<F, UnitComplex<F>, 2> {
            translation: |w| w.translation.vector, |d| parts(d, zero());
            angle: |w| w.rotation.im * angle.cos() - w.rotation.re * angle.sin(),
                   |d| parts(zero(), Unit::new_unchecked(Complex::new(-angle.sin() * d, angle.cos() * d)));
        }
    }
}
