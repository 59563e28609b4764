//! Vectors.

use std::ops::Mul;

/// The product of all elements but one, for each.
fn products_of_others<F: Copy + From<f32> + Mul<Output = F>, const N: usize>(
    elements: [F; N],
) -> [F; N] {
    std::array::from_fn(|at| {
        let others = elements.iter().enumerate().filter(|(other, _)| *other != at);
        others.fold(F::from(1.0), |product, (_, element)| product * *element)
    })
}

/// The rules of a type of vectors, and of operators of floats with them; behind these the rules that depend on the dimension.
macro_rules! vectors {
    ($module:ident: $vec:ident of $float:ident, $len:literal, $other:ident by $cast:ident and $back:ident {
        $($special:tt)*
    }) => {
        pub(super) mod $module {
            use super::products_of_others;
            use glam::*;
            use std::$float::consts::LN_2;

            ad_macros::rules! {
                crate = crate;

                impl $vec {
                    op Neg(self) -> $vec { self: each -1.0; }
                    op Add, AddAssign(self, b: $vec) -> $vec { self: each 1.0; b: each 1.0; }
                    op Sub, SubAssign(self, b: $vec) -> $vec { self: each 1.0; b: each -1.0; }
                    op Mul, MulAssign(self, b: $vec) -> $vec { self: each b; b: each self; }
                    op Div, DivAssign(self, b: $vec) -> $vec { self: each 1.0 / b; b: each -(result / b); }
                    op Rem, RemAssign(self, b: $vec) -> $vec { self: each 1.0; b: each -((self - result) / b).round(); }
                    op Add, AddAssign(self, b: $float) -> $vec { self: each 1.0; b: each 1.0; }
                    op Sub, SubAssign(self, b: $float) -> $vec { self: each 1.0; b: each -1.0; }
                    op Mul, MulAssign(self, b: $float) -> $vec { self: each b; b: each self; }
                    op Div, DivAssign(self, b: $float) -> $vec { self: each 1.0 / b; b: each -(result / b); }
                    op Rem, RemAssign(self, b: $float) -> $vec { self: each 1.0; b: each -((self - result) / b).round(); }

                    fn splat(v: $float) -> $vec { v: |w| w.element_sum(), |d| $vec::splat(d); }
                    fn from_array(a: [$float; $len]) -> $vec { a: |w| w.to_array(), |d| $vec::from_array(d); }
                    fn to_array(&self) -> [$float; $len] { self: |w| $vec::from_array(w), |d| d.to_array(); }
                    fn with_x(self, x: $float) -> $vec {
                        self: |w| w.with_x(0.0), |d| d.with_x(0.0);
                        x: |w| w.x, |d| $vec::X * d;
                    }
                    fn with_y(self, y: $float) -> $vec {
                        self: |w| w.with_y(0.0), |d| d.with_y(0.0);
                        y: |w| w.y, |d| $vec::Y * d;
                    }
                    fn $cast(self) -> $other { self: |w| w.$back(), |d| d.$cast(); }

                    fn dot(self, b: $vec) -> $float {
                        self: |w| b * w, |d| d.dot(b);
                        b: |w| self * w, |d| self.dot(d);
                    }
                    fn length(self) -> $float { self: |w| self * (w / result), |d| self.dot(d) / result; }
                    fn length_squared(self) -> $float { self: |w| self * (2.0 * w), |d| 2.0 * self.dot(d); }
                    fn length_recip(self) -> $float {
                        self: |w| self * (-w * result * result * result), |d| -self.dot(d) * result * result * result;
                    }
                    fn distance(self, b: $vec) -> $float {
                        self: |w| (self - b) * (w / result), |d| (self - b).dot(d) / result;
                        b: |w| (b - self) * (w / result), |d| (b - self).dot(d) / result;
                    }
                    fn distance_squared(self, b: $vec) -> $float {
                        self: |w| (self - b) * (2.0 * w), |d| 2.0 * (self - b).dot(d);
                        b: |w| (b - self) * (2.0 * w), |d| 2.0 * (b - self).dot(d);
                    }
                    fn normalize(self) -> $vec {
                        self: |w| (w - result * result.dot(w)) * self.length_recip(),
                              |d| (d - result * result.dot(d)) * self.length_recip();
                    }
                    fn try_normalize(self) -> Option<$vec> {
                        self: |w| (w - result * result.dot(w)) * self.length_recip(),
                              |d| (d - result * result.dot(d)) * self.length_recip();
                    }
                    // What comes instead of a vector that has no direction does not depend on it.
                    fn normalize_or_zero(self) -> $vec {
                        self: |w| match *result == $vec::ZERO {
                                  true => $vec::ZERO,
                                  false => (w - result * result.dot(w)) * self.length_recip(),
                              },
                              |d| match *result == $vec::ZERO {
                                  true => $vec::ZERO,
                                  false => (d - result * result.dot(d)) * self.length_recip(),
                              };
                    }
                    fn normalize_or(self, otherwise: $vec) -> $vec {
                        self: |w| match self.try_normalize() {
                                  None => $vec::ZERO,
                                  Some(_) => (w - result * result.dot(w)) * self.length_recip(),
                              },
                              |d| match self.try_normalize() {
                                  None => $vec::ZERO,
                                  Some(_) => (d - result * result.dot(d)) * self.length_recip(),
                              };
                        otherwise: |w| match self.try_normalize() { None => w, Some(_) => $vec::ZERO },
                                   |d| match self.try_normalize() { None => d, Some(_) => $vec::ZERO };
                    }
                    fn project_onto(self, b: $vec) -> $vec {
                        self: |w| b * (b.dot(w) / b.dot(b)), |d| b * (b.dot(d) / b.dot(b));
                        b: |w| {
                               let share = self.dot(b) / b.dot(b);
                               w * share + (self - b * (2.0 * share)) * (b.dot(w) / b.dot(b))
                           },
                           |d| {
                               let share = self.dot(b) / b.dot(b);
                               d * share + b * ((self - b * (2.0 * share)).dot(d) / b.dot(b))
                           };
                    }
                    fn reject_from(self, b: $vec) -> $vec {
                        self: |w| w - b * (b.dot(w) / b.dot(b)), |d| d - b * (b.dot(d) / b.dot(b));
                        b: |w| {
                               let share = self.dot(b) / b.dot(b);
                               -(w * share + (self - b * (2.0 * share)) * (b.dot(w) / b.dot(b)))
                           },
                           |d| {
                               let share = self.dot(b) / b.dot(b);
                               -(d * share + b * ((self - b * (2.0 * share)).dot(d) / b.dot(b)))
                           };
                    }
                    fn project_onto_normalized(self, b: $vec) -> $vec {
                        self: |w| b * b.dot(w), |d| b * b.dot(d);
                        b: |w| w * self.dot(b) + self * b.dot(w), |d| d * self.dot(b) + b * self.dot(d);
                    }
                    fn reject_from_normalized(self, b: $vec) -> $vec {
                        self: |w| w - b * b.dot(w), |d| d - b * b.dot(d);
                        b: |w| -(w * self.dot(b) + self * b.dot(w)), |d| -(d * self.dot(b) + b * self.dot(d));
                    }
                    fn reflect(self, normal: $vec) -> $vec {
                        self: |w| w - normal * (2.0 * normal.dot(w)), |d| d - normal * (2.0 * normal.dot(d));
                        normal: |w| (self * normal.dot(w) + w * self.dot(normal)) * -2.0,
                                |d| (normal * self.dot(d) + d * self.dot(normal)) * -2.0;
                    }
                    fn lerp(self, b: $vec, s: $float) -> $vec {
                        self: each 1.0 - s;
                        b: each s;
                        s: each b - self;
                    }
                    fn midpoint(self, b: $vec) -> $vec { self: each 0.5; b: each 0.5; }
                    fn mul_add(self, a: $vec, b: $vec) -> $vec { self: each a; a: each self; b: each 1.0; }

                    // To the operand that is returned.
                    fn min(self, b: $vec) -> $vec {
                        self: each if self < b { 1.0 } else { 0.0 };
                        b: each if self < b { 0.0 } else { 1.0 };
                    }
                    fn max(self, b: $vec) -> $vec {
                        self: each if self > b { 1.0 } else { 0.0 };
                        b: each if self > b { 0.0 } else { 1.0 };
                    }
                    fn clamp(self, low: $vec, high: $vec) -> $vec {
                        self: each if self > low && self < high { 1.0 } else { 0.0 };
                        low: each if !(self > low) && low < high { 1.0 } else { 0.0 };
                        high: each if (if self > low { self } else { low }) < high { 0.0 } else { 1.0 };
                    }
                    fn min_element(self) -> $float {
                        self: |w| $vec::AXES[self.min_position()] * w, |d| d[self.min_position()];
                    }
                    fn max_element(self) -> $float {
                        self: |w| $vec::AXES[self.max_position()] * w, |d| d[self.max_position()];
                    }
                    fn element_sum(self) -> $float { self: |w| $vec::splat(w), |d| d.element_sum(); }
                    fn element_product(self) -> $float {
                        self: |w| $vec::from_array(products_of_others(self.to_array())) * w,
                              |d| $vec::from_array(products_of_others(self.to_array())).dot(d);
                    }

                    // The derivative of |x| at 0 is 0.
                    fn abs(self) -> $vec { self: each if self > 0.0 { 1.0 } else if self < 0.0 { -1.0 } else { 0.0 }; }
                    fn copysign(self, sign: $vec) -> $vec {
                        self: each if self.is_sign_negative() == result.is_sign_negative() { 1.0 } else { -1.0 };
                        sign: each 0.0;
                    }
                    fn saturate(self) -> $vec { self: each if self > 0.0 && self < 1.0 { 1.0 } else { 0.0 }; }
                    // Steps: 0 between the jumps, and 0 at them by convention.
                    fn signum, floor, ceil, round, trunc(self) -> $vec { self: each 0.0; }
                    fn fract, fract_gl(self) -> $vec { self: each 1.0; }
                    fn div_euclid(self, b: $vec) -> $vec { self: each 0.0; b: each 0.0; }
                    fn rem_euclid(self, b: $vec) -> $vec { self: each 1.0; b: each -((self - result) / b).round(); }

                    fn recip(self) -> $vec { self: each -(result * result); }
                    fn sqrt(self) -> $vec { self: each 0.5 / result; }
                    fn exp(self) -> $vec { self: each result; }
                    fn exp2(self) -> $vec { self: each result * LN_2; }
                    fn ln(self) -> $vec { self: each 1.0 / self; }
                    fn log2(self) -> $vec { self: each 1.0 / (self * LN_2); }
                    fn sin(self) -> $vec { self: each self.cos(); }
                    fn cos(self) -> $vec { self: each -self.sin(); }
                    fn powf(self, n: $float) -> $vec {
                        self: each if n == 0.0 { 0.0 } else if result.is_normal() { result / self * n } else { n * self.powf(n - 1.0) };
                        n: each if self == 0.0 { 0.0 } else { result * self.ln() };
                    }

                    $($special)*
                }

                impl $float {
                    op Add(self, b: $vec) -> $vec { self: each 1.0; b: each 1.0; }
                    op Sub(self, b: $vec) -> $vec { self: each 1.0; b: each -1.0; }
                    op Mul(self, b: $vec) -> $vec { self: each b; b: each self; }
                    op Div(self, b: $vec) -> $vec { self: each 1.0 / b; b: each -(result / b); }
                    op Rem(self, b: $vec) -> $vec { self: each 1.0; b: each -((self - result) / b).round(); }
                }
            }
        }
    };
}

macro_rules! planar {
    ($module:ident: $vec:ident of $float:ident, $next:ident, $other:ident by $cast:ident and $back:ident) => {
        vectors! { $module: $vec of $float, 2, $other by $cast and $back {
            fn select(mask: BVec2, a: $vec, b: $vec) -> $vec {
                mask: passive;
                a: |w| $vec::select(mask, w, $vec::ZERO), |d| $vec::select(mask, d, $vec::ZERO);
                b: |w| $vec::select(mask, $vec::ZERO, w), |d| $vec::select(mask, $vec::ZERO, d);
            }
            fn new(x: $float, y: $float) -> $vec {
                x: |w| w.x, |d| $vec::new(d, 0.0);
                y: |w| w.y, |d| $vec::new(0.0, d);
            }
            fn extend(self, z: $float) -> $next {
                self: |w| w.truncate(), |d| d.extend(0.0);
                z: |w| w.z, |d| $next::Z * d;
            }
            fn perp(self) -> $vec { self: |w| -w.perp(), |d| d.perp(); }
            fn perp_dot(self, b: $vec) -> $float {
                self: |w| b.perp() * -w, |d| d.perp_dot(b);
                b: |w| self.perp() * w, |d| self.perp_dot(d);
            }
            // Both as complex numbers.
            fn rotate(self, b: $vec) -> $vec {
                self: |w| $vec::new(b.x, -b.y).rotate(w), |d| d.rotate(b);
                b: |w| $vec::new(self.x, -self.y).rotate(w), |d| self.rotate(d);
            }
            fn from_angle(angle: $float) -> $vec { angle: |w| result.perp().dot(w), |d| result.perp() * d; }
            fn to_angle(self) -> $float {
                self: |w| self.perp() * (w / self.length_squared()), |d| self.perp().dot(d) / self.length_squared();
            }
        } }
    };
}

/// The angle between two vectors, in three dimensions: its sine is not lost near 0 and π.
macro_rules! spatial {
    ($module:ident: $vec:ident of $float:ident, $before:ident, $next:ident, $other:ident by $cast:ident and $back:ident) => {
        vectors! { $module: $vec of $float, 3, $other by $cast and $back {
            fn select(mask: BVec3, a: $vec, b: $vec) -> $vec {
                mask: passive;
                a: |w| $vec::select(mask, w, $vec::ZERO), |d| $vec::select(mask, d, $vec::ZERO);
                b: |w| $vec::select(mask, $vec::ZERO, w), |d| $vec::select(mask, $vec::ZERO, d);
            }
            fn new(x: $float, y: $float, z: $float) -> $vec {
                x: |w| w.x, |d| $vec::new(d, 0.0, 0.0);
                y: |w| w.y, |d| $vec::new(0.0, d, 0.0);
                z: |w| w.z, |d| $vec::new(0.0, 0.0, d);
            }
            fn with_z(self, z: $float) -> $vec {
                self: |w| w.with_z(0.0), |d| d.with_z(0.0);
                z: |w| w.z, |d| $vec::Z * d;
            }
            fn extend(self, w: $float) -> $next {
                self: |weight| weight.truncate(), |d| d.extend(0.0);
                w: |weight| weight.w, |d| $next::W * d;
            }
            fn truncate(self) -> $before { self: |w| w.extend(0.0), |d| d.truncate(); }
            fn cross(self, b: $vec) -> $vec {
                self: |w| b.cross(w), |d| d.cross(b);
                b: |w| w.cross(self), |d| self.cross(d);
            }
            fn angle_between(self, b: $vec) -> $float {
                self: |w| {
                          let normal = self.cross(b);
                          normal.cross(self) * (-w / (normal.length() * self.length_squared()))
                      },
                      |d| {
                          let normal = self.cross(b);
                          normal.cross(self).dot(d) * (-1.0 / (normal.length() * self.length_squared()))
                      };
                b: |w| {
                       let normal = b.cross(self);
                       normal.cross(b) * (-w / (normal.length() * b.length_squared()))
                   },
                   |d| {
                       let normal = b.cross(self);
                       normal.cross(b).dot(d) * (-1.0 / (normal.length() * b.length_squared()))
                   };
            }
        } }
    };
}

macro_rules! homogeneous {
    ($module:ident: $vec:ident of $float:ident, $before:ident, $other:ident by $cast:ident and $back:ident { $($special:tt)* }) => {
        vectors! { $module: $vec of $float, 4, $other by $cast and $back {
            fn new(x: $float, y: $float, z: $float, w: $float) -> $vec {
                x: |weight| weight.x, |d| $vec::new(d, 0.0, 0.0, 0.0);
                y: |weight| weight.y, |d| $vec::new(0.0, d, 0.0, 0.0);
                z: |weight| weight.z, |d| $vec::new(0.0, 0.0, d, 0.0);
                w: |weight| weight.w, |d| $vec::new(0.0, 0.0, 0.0, d);
            }
            fn with_z(self, z: $float) -> $vec {
                self: |w| w.with_z(0.0), |d| d.with_z(0.0);
                z: |w| w.z, |d| $vec::Z * d;
            }
            fn with_w(self, w: $float) -> $vec {
                self: |weight| weight.with_w(0.0), |d| d.with_w(0.0);
                w: |weight| weight.w, |d| $vec::W * d;
            }
            fn truncate(self) -> $before { self: |w| w.extend(0.0), |d| d.truncate(); }
            $($special)*
        } }
    };
}

planar! { dvec2: DVec2 of f64, DVec3, Vec2 by as_vec2 and as_dvec2 }
planar! { vec2: Vec2 of f32, Vec3, DVec2 by as_dvec2 and as_vec2 }
spatial! { dvec3: DVec3 of f64, DVec2, DVec4, Vec3 by as_vec3 and as_dvec3 }
spatial! { vec3: Vec3 of f32, Vec2, Vec4, DVec3 by as_dvec3 and as_vec3 }
homogeneous! { dvec4: DVec4 of f64, DVec3, Vec4 by as_vec4 and as_dvec4 {
    fn select(mask: BVec4, a: DVec4, b: DVec4) -> DVec4 {
        mask: passive;
        a: |w| DVec4::select(mask, w, DVec4::ZERO), |d| DVec4::select(mask, d, DVec4::ZERO);
        b: |w| DVec4::select(mask, DVec4::ZERO, w), |d| DVec4::select(mask, DVec4::ZERO, d);
    }
} }
// What selects of its elements is another type on other machines.
homogeneous! { vec4: Vec4 of f32, Vec3, DVec4 by as_dvec4 and as_vec4 {} }

#[cfg(feature = "rule-checks")]
pub(super) fn table() -> Vec<crate::rules::check::Checked> {
    let tables = [
        dvec2::table(),
        dvec3::table(),
        dvec4::table(),
        vec2::table(),
        vec3::table(),
        vec4::table(),
    ];
    tables.concat()
}
