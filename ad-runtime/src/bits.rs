//! What generated code asks about the bits of floats.

use crate::Scalar;

/// A float of which it is known how it is stored.
pub trait Spaced {
    /// See [`spacing`].
    fn spacing(self) -> Self;
    /// See [`slope_under_mask`].
    fn slope_under_mask(self, value: Self, mask: Self) -> Option<Self>
    where
        Self: Sized;
}

macro_rules! spaced {
    ($($float:ty: $bits:ty;)*) => {$(
        impl Spaced for $float {
            #[inline]
            fn spacing(self) -> Self {
                const MANTISSA: $bits = <$float>::MANTISSA_DIGITS as $bits - 1;
                const EXPONENT: $bits = (<$bits>::MAX >> 1) >> MANTISSA;
                // Subnormal numbers are as far from each other as the smallest ones that are not; what is not finite has the
                // exponent behind the greatest.
                let exponent = ((self.to_bits() >> MANTISSA) & EXPONENT).clamp(1, EXPONENT - 1);
                let size = match exponent.checked_sub(MANTISSA) {
                    Some(exponent) if exponent > 0 => exponent << MANTISSA,
                    Some(_) | None => 1 << (exponent - 1),
                };
                <$float>::from_bits(size).copysign(self)
            }

            #[inline]
            fn slope_under_mask(self, value: Self, mask: Self) -> Option<Self> {
                const MANTISSA: $bits = <$float>::MANTISSA_DIGITS as $bits - 1;
                let cleared = !mask.to_bits() & (<$bits>::MAX >> 1);
                // With all of the mantissa the float itself would be gone.
                let are_last = cleared & (cleared + 1) == 0 && cleared >> (MANTISSA - 1) == 0;
                let is_masked = value.to_bits() == self.to_bits() & mask.to_bits();
                let sign = |float: Self| Self::copysign(1.0, float);
                (are_last && is_masked).then(|| sign(self) * sign(value))
            }
        }
    )*};
}

spaced! {
    f64: u64;
    f32: u32;
}

/// What is added to a float if 1 is added to the integer of its bits: the distance to the next float that is further from zero.
/// That of infinity is that of the greatest number.
#[inline]
pub fn spacing<F: Spaced>(float: F) -> F {
    float.spacing()
}

/// The slope of what the functions of a type parameter make of the bits of `x` under a mask, `T::from_bits(x.to_bits() & mask)`: the mask, as
/// the float that has its bits, may clear the sign, and some of the last digits, which is looked through as rounding is.
///
/// # Panics
/// If it clears something else, or if the value is another one.
#[inline]
#[track_caller]
pub fn slope_under_mask<T: Scalar>(x: T, value: T, mask: T) -> T {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn is_something_else() -> ! {
        panic!(
            "`from_bits(x.to_bits() & mask)` of this type parameter clears neither the sign nor the last digits: a derivative would be wrong"
        )
    }
    T::ternary(
        x,
        value,
        mask,
        |x, value, mask| x.slope_under_mask(value, mask).unwrap_or_else(|| is_something_else()),
        |x, value, mask| x.slope_under_mask(value, mask).unwrap_or_else(|| is_something_else()),
    )
}

#[cfg(test)]
mod tests {
    use super::{Spaced, spacing};

    #[test]
    fn it_is_the_distance_to_the_next_float() {
        for x in [1.0, 1.999, -3.0, 1e300, 1e-300, 5e-324, 1e-310, f64::MIN_POSITIVE, 0.1] {
            let next = f64::from_bits(x.to_bits() + 1);
            assert_eq!(spacing(x), next - x, "{x}");
        }
        for x in [1.0_f32, -1.999, 1e38, 1e-38, 1e-45, f32::MIN_POSITIVE] {
            let next = f32::from_bits(x.to_bits() + 1);
            assert_eq!(spacing(x), next - x, "{x}");
        }
    }

    #[test]
    fn it_has_the_sign_of_the_float_and_is_finite() {
        assert_eq!(spacing(0.0), 5e-324);
        assert!(spacing(-0.0_f64).is_sign_negative());
        assert_eq!(spacing(f64::INFINITY), spacing(f64::MAX));
        assert!(spacing(f64::NAN).is_finite());
    }

    #[test]
    fn masks_clear_the_sign_and_the_last_digits_and_nothing_else() {
        let slope = |x: f64, mask: u64| {
            let value = f64::from_bits(x.to_bits() & mask);
            x.slope_under_mask(value, f64::from_bits(mask))
        };
        let sign = 1 << 63;
        assert_eq!(slope(-2.5, !sign), Some(-1.0));
        assert_eq!(slope(2.5, !sign), Some(1.0));
        assert_eq!(slope(-0.3, !0xffff_ffff), Some(1.0));
        assert_eq!(slope(-0.3, !0xffff_ffff ^ sign), Some(-1.0));
        for mask in [0, sign, 0xfff, !0xff00, !0 << 52, !0 << 51, !(1 << 55)] {
            assert_eq!(slope(1.7, mask).is_some(), mask == !0 << 51, "{mask:x}");
        }
        assert_eq!((-2.5_f32).slope_under_mask(2.5, f32::from_bits(!0 >> 1)), Some(-1.0));
        assert_eq!((-2.5_f32).slope_under_mask(2.0, f32::from_bits(!0 >> 1)), None);
    }
}
