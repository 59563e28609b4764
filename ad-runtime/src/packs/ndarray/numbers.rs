//! Functions of floats, as those of arrays are called: where a macro does not see whether `(a + b).exp()` is of a float or of an array, it
//! is a call of a method, and rustc decides.

use crate::operator::strong;

/// Of one number, by the partial.
macro_rules! of_one {
    ($float:ident: $($name:ident($x:ident) $partial:expr;)*) => {
        mod of_one {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl $float {
                    $(fn $name(self) -> $float {
                        self: |w| { let $x = self; strong(w, $partial) }, |d| { let $x = self; strong(d, $partial) };
                    })*
                }
            }
        }
    };
}

/// Of two numbers, by the partials.
macro_rules! of_two {
    ($float:ident: $($name:ident($x:ident, $b:ident) $of_x:expr, $of_b:expr;)*) => {
        mod of_two {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl $float {
                    $(fn $name(self, other: $float) -> $float {
                        self: |w| { let ($x, $b) = (self, other); strong(w, $of_x) }, |d| { let ($x, $b) = (self, other); strong(d, $of_x) };
                        other: |w| { let ($x, $b) = (self, other); strong(w, $of_b) }, |d| { let ($x, $b) = (self, other); strong(d, $of_b) };
                    })*
                }
            }
        }
    };
}

/// Those of floats of one kind.
macro_rules! functions {
    ($($module:ident: $float:ident;)*) => {
        $(mod $module {
            use super::*;

            const LN_2: $float = std::f64::consts::LN_2 as $float;
            const LN_10: $float = std::f64::consts::LN_10 as $float;

            fn choice(holds: bool) -> $float {
                if holds { 1.0 } else { 0.0 }
            }

            fn of_integer_power(x: $float, n: i32) -> $float {
                match n {
                    0 => 0.0,
                    // There is no integer below.
                    i32::MIN => n as $float * (x.powi(n) / x),
                    _ => n as $float * x.powi(n - 1),
                }
            }

            /// A rounded exponent p - 1 tells where x is far from 1.
            fn of_power(x: $float, p: $float) -> $float {
                let power = x.powf(p);
                if p == 0.0 {
                    0.0
                } else if power.is_normal() {
                    power / x * p
                } else {
                    p * x.powf(p - 1.0)
                }
            }

            fn of_exponent(x: $float, p: $float) -> $float {
                if x == 0.0 { 0.0 } else { x.powf(p) * x.ln() }
            }

            of_one! {
                $float:
                sqrt(x) 0.5 / x.sqrt();
                cbrt(x) 1.0 / (3.0 * x.cbrt() * x.cbrt());
                recip(x) -(x.recip() * x.recip());
                exp(x) x.exp();
                exp2(x) x.exp2() * LN_2;
                exp_m1(x) x.exp();
                ln(x) 1.0 / x;
                ln_1p(x) 1.0 / (1.0 + x);
                log2(x) 1.0 / (x * LN_2);
                log10(x) 1.0 / (x * LN_10);
                sin(x) x.cos();
                cos(x) -x.sin();
                tan(x) 1.0 + x.tan() * x.tan();
                asin(x) 1.0 / ((1.0 - x) * (1.0 + x)).sqrt();
                acos(x) -1.0 / ((1.0 - x) * (1.0 + x)).sqrt();
                atan(x) 1.0 / (1.0 + x * x);
                to_degrees(_x) (1.0 as $float).to_degrees();
                to_radians(_x) (1.0 as $float).to_radians();
                sinh(x) x.cosh();
                cosh(x) x.sinh();
                tanh(x) x.cosh().recip().powi(2);
                asinh(x) 1.0 / x.hypot(1.0);
                acosh(x) 1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt());
                atanh(x) 1.0 / ((1.0 - x) * (1.0 + x));
                abs(x) choice(x > 0.0) - choice(x < 0.0);
                floor(_x) 0.0;
                ceil(_x) 0.0;
                round(_x) 0.0;
                round_ties_even(_x) 0.0;
                trunc(_x) 0.0;
                signum(_x) 0.0;
                fract(_x) 1.0;
            }
            of_two! {
                $float:
                hypot(x, b) x / x.hypot(b), b / x.hypot(b);
                powf(x, b) of_power(x, b), of_exponent(x, b);
                log(x, b) 1.0 / (x * b.ln()), -(x.log(b) / (b * b.ln()));
                atan2(x, b) b / x.hypot(b) / x.hypot(b), -(x / x.hypot(b) / x.hypot(b));
                max(x, b) choice(x >= b || b.is_nan()), choice(!(x >= b || b.is_nan()));
                min(x, b) choice(x <= b || b.is_nan()), choice(!(x <= b || b.is_nan()));
                copysign(x, b) if x.is_sign_negative() == b.is_sign_negative() { 1.0 } else { -1.0 }, 0.0;
                midpoint(_x, _b) 0.5, 0.5;
                div_euclid(_x, _b) 0.0, 0.0;
                rem_euclid(x, b) 1.0, -((x - x.rem_euclid(b)) / b).round();
            }

            ad_macros::rules! {
                crate = crate;

                impl $float {
                    fn powi(self, n: i32) -> $float {
                        self: |w| strong(w, of_integer_power(self, n)), |d| strong(d, of_integer_power(self, n));
                        n: passive;
                    }
                    fn mul_add(self, b: $float, c: $float) -> $float {
                        self: |w| w * b, |d| d * b;
                        b: |w| w * self, |d| d * self;
                        c: same;
                    }
                    fn clamp(self, low: $float, high: $float) -> $float {
                        self: |w| w * choice(!(self < low || self > high)), |d| d * choice(!(self < low || self > high));
                        low: |w| w * choice(self < low), |d| d * choice(self < low);
                        high: |w| w * choice(self > high), |d| d * choice(self > high);
                    }
                }
            }

            #[cfg(feature = "rule-checks")]
            pub(super) fn all() -> Vec<crate::rules::check::Checked> {
                [table(), of_one::table(), of_two::table()].concat()
            }
        })*

        /// All rules of numbers.
        #[cfg(feature = "rule-checks")]
        pub(super) fn all() -> Vec<crate::rules::check::Checked> {
            [$($module::all()),*].concat()
        }
    };
}

functions! {
    double: f64;
    single: f32;
}
