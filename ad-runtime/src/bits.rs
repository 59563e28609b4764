//! What generated code asks about the bits of floats.

/// A float of which it is known how it is stored.
pub trait Spaced {
    /// See [`spacing`].
    fn spacing(self) -> Self;
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

#[cfg(test)]
mod tests {
    use super::spacing;

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
}
