//! Rotations: quaternions.

macro_rules! rotations {
    ($module:ident: $quat:ident of $vec:ident of $float:ident) => {
        pub(super) mod $module {
            use glam::*;

            /// The derivatives of an interpolation between two rotations. Of the two of which `end` is one, the way to the nearer is gone.
            struct Way {
                /// That one.
                end: $quat,
                /// Whether it is `end` or its opposite.
                sign: $float,
                /// The factors of the two rotations.
                factors: [$float; 2],
                /// The derivative by their inner product.
                by_inner: $quat,
                /// The derivative by the position on the way.
                by_position: $quat,
                /// What is normalized in the end: the direction, and the reciprocal of the length.
                normalized: Option<($quat, $float)>,
            }

            impl Way {
                fn straight(start: $quat, end: $quat, sign: $float, s: $float) -> Self {
                    let end = end * sign;
                    let sum = start * (1.0 - s) + end * s;
                    let shorter = sum.length_recip();
                    Self {
                        end,
                        sign,
                        factors: [1.0 - s, s],
                        by_inner: $quat::from_array([0.0; 4]),
                        by_position: end - start,
                        normalized: Some((sum * shorter, shorter)),
                    }
                }

                fn lerp(start: $quat, end: $quat, s: $float) -> Self {
                    Self::straight(start, end, if start.dot(end) >= 0.0 { 1.0 } else { -1.0 }, s)
                }

                fn slerp(start: $quat, end: $quat, s: $float) -> Self {
                    let sign = if start.dot(end) < 0.0 { -1.0 } else { 1.0 };
                    let inner = start.dot(end) * sign;
                    if inner > 1.0 - $float::EPSILON {
                        return Self::straight(start, end, sign, s);
                    }
                    let end = end * sign;
                    let angle = inner.acos();
                    let (sine, cosine) = angle.sin_cos();
                    let factors = [(angle * (1.0 - s)).sin() / sine, (angle * s).sin() / sine];
                    let slopes = [(angle * (1.0 - s)).cos() / sine, (angle * s).cos() / sine];
                    let value = start * factors[0] + end * factors[1];
                    let by_angle =
                        start * (slopes[0] * (1.0 - s)) + end * (slopes[1] * s) - value * (cosine / sine);
                    Self {
                        end,
                        sign,
                        factors,
                        by_inner: by_angle * (-1.0 / sine),
                        by_position: (end * slopes[1] - start * slopes[0]) * angle,
                        normalized: None,
                    }
                }

                /// What is left where the sum is normalized: this is its own adjoint.
                fn normalized(&self, change: $quat) -> $quat {
                    match self.normalized {
                        Some((direction, shorter)) => {
                            (change - direction * direction.dot(change)) * shorter
                        }
                        None => change,
                    }
                }

                fn pull_start(&self, w: $quat) -> $quat {
                    let w = self.normalized(w);
                    w * self.factors[0] + self.end * self.by_inner.dot(w)
                }

                fn push_start(&self, d: $quat) -> $quat {
                    self.normalized(d * self.factors[0] + self.by_inner * self.end.dot(d))
                }

                fn pull_end(&self, start: $quat, w: $quat) -> $quat {
                    let w = self.normalized(w);
                    (w * self.factors[1] + start * self.by_inner.dot(w)) * self.sign
                }

                fn push_end(&self, start: $quat, d: $quat) -> $quat {
                    let d = d * self.sign;
                    self.normalized(d * self.factors[1] + self.by_inner * start.dot(d))
                }
            }

            fn vector(of: $quat) -> $vec {
                $vec::new(of.x, of.y, of.z)
            }

            fn from_parts(vector: $vec, w: $float) -> $quat {
                $quat::from_xyzw(vector.x, vector.y, vector.z, w)
            }

            /// What a quaternion gets of the weight of a vector that it has rotated.
            fn pull_rotation(of: $quat, by: $vec, w: $vec) -> $quat {
                let (axis, s) = (vector(of), of.w);
                let part = axis * (-2.0 * by.dot(w))
                    + w * (2.0 * by.dot(axis))
                    + by * (2.0 * axis.dot(w))
                    + by.cross(w) * (2.0 * s);
                from_parts(part, 2.0 * (s * by.dot(w) + axis.cross(by).dot(w)))
            }

            /// What a direction of the quaternion does to the vector.
            fn push_rotation(of: $quat, by: $vec, d: $quat) -> $vec {
                let (axis, s) = (vector(of), of.w);
                let (along, ds) = (vector(d), d.w);
                by * (2.0 * (s * ds - axis.dot(along)))
                    + along * (2.0 * by.dot(axis))
                    + axis * (2.0 * by.dot(along))
                    + axis.cross(by) * (2.0 * ds)
                    + along.cross(by) * (2.0 * s)
            }

            ad_macros::rules! {
                crate = crate;

                impl $quat {
                    op Neg(self) -> $quat { self: each -1.0; }
                    op Add, AddAssign(self, b: $quat) -> $quat { self: each 1.0; b: each 1.0; }
                    op Sub, SubAssign(self, b: $quat) -> $quat { self: each 1.0; b: each -1.0; }
                    op Mul, MulAssign(self, b: $float) -> $quat { self: each b; b: each self; }
                    op Div, DivAssign(self, b: $float) -> $quat { self: each 1.0 / b; b: each -(result / b); }
                    op Mul, MulAssign(self, b: $quat) -> $quat {
                        self: |w| w * b.conjugate(), |d| d * b;
                        b: |w| self.conjugate() * w, |d| self * d;
                    }
                    op Mul(self, b: $vec) -> $vec {
                        self: |w| pull_rotation(self, b, w), |d| push_rotation(self, b, d);
                        b: |w| self.conjugate() * w, |d| self * d;
                    }
                    fn mul_vec3(self, b: $vec) -> $vec {
                        self: |w| pull_rotation(self, b, w), |d| push_rotation(self, b, d);
                        b: |w| self.conjugate() * w, |d| self * d;
                    }
                    fn mul_quat(self, b: $quat) -> $quat {
                        self: |w| w * b.conjugate(), |d| d * b;
                        b: |w| self.conjugate() * w, |d| self * d;
                    }
                    fn from_xyzw(x: $float, y: $float, z: $float, w: $float) -> $quat {
                        x: |weight| weight.x, |d| $quat::from_xyzw(d, 0.0, 0.0, 0.0);
                        y: |weight| weight.y, |d| $quat::from_xyzw(0.0, d, 0.0, 0.0);
                        z: |weight| weight.z, |d| $quat::from_xyzw(0.0, 0.0, d, 0.0);
                        w: |weight| weight.w, |d| $quat::from_xyzw(0.0, 0.0, 0.0, d);
                    }
                    fn from_array(a: [$float; 4]) -> $quat { a: |w| w.to_array(), |d| $quat::from_array(d); }
                    fn to_array(&self) -> [$float; 4] { self: |w| $quat::from_array(w), |d| d.to_array(); }
                    fn xyz(self) -> $vec { self: |w| from_parts(w, 0.0), |d| d.xyz(); }
                    fn from_axis_angle(axis: $vec, angle: $float) -> $quat {
                        axis: |w| vector(w) * (0.5 * angle).sin(), |d| from_parts(d * (0.5 * angle).sin(), 0.0);
                        angle: |w| 0.5 * (axis.dot(vector(w)) * (0.5 * angle).cos() - w.w * (0.5 * angle).sin()),
                               |d| from_parts(axis * (0.5 * angle).cos(), -(0.5 * angle).sin()) * (0.5 * d);
                    }
                    fn from_rotation_x(angle: $float) -> $quat {
                        angle: |w| 0.5 * (w.x * result.w - w.w * result.x), |d| $quat::from_xyzw(result.w, 0.0, 0.0, -result.x) * (0.5 * d);
                    }
                    fn from_rotation_y(angle: $float) -> $quat {
                        angle: |w| 0.5 * (w.y * result.w - w.w * result.y), |d| $quat::from_xyzw(0.0, result.w, 0.0, -result.y) * (0.5 * d);
                    }
                    fn from_rotation_z(angle: $float) -> $quat {
                        angle: |w| 0.5 * (w.z * result.w - w.w * result.z), |d| $quat::from_xyzw(0.0, 0.0, result.w, -result.z) * (0.5 * d);
                    }
                    fn conjugate(self) -> $quat { self: |w| w.conjugate(), |d| d.conjugate(); }
                    // Of a rotation, which has length 1: the conjugate.
                    fn inverse(self) -> $quat { self: |w| w.conjugate(), |d| d.conjugate(); }
                    fn dot(self, b: $quat) -> $float {
                        self: |w| b * w, |d| d.dot(b);
                        b: |w| self * w, |d| self.dot(d);
                    }
                    fn length(self) -> $float { self: |w| self * (w / result), |d| self.dot(d) / result; }
                    fn length_squared(self) -> $float { self: |w| self * (2.0 * w), |d| 2.0 * self.dot(d); }
                    fn length_recip(self) -> $float {
                        self: |w| self * (-w * result * result * result), |d| -self.dot(d) * result * result * result;
                    }
                    fn normalize(self) -> $quat {
                        self: |w| (w - *result * result.dot(w)) * self.length_recip(),
                              |d| (d - *result * result.dot(d)) * self.length_recip();
                    }
                    fn lerp(self, end: $quat, s: $float) -> $quat {
                        self: |w| Way::lerp(self, end, s).pull_start(w), |d| Way::lerp(self, end, s).push_start(d);
                        end: |w| Way::lerp(self, end, s).pull_end(self, w), |d| Way::lerp(self, end, s).push_end(self, d);
                        s: |w| { let way = Way::lerp(self, end, s); way.by_position.dot(way.normalized(w)) },
                           |d| { let way = Way::lerp(self, end, s); way.normalized(way.by_position * d) };
                    }
                    fn slerp(self, end: $quat, s: $float) -> $quat {
                        self: |w| Way::slerp(self, end, s).pull_start(w), |d| Way::slerp(self, end, s).push_start(d);
                        end: |w| Way::slerp(self, end, s).pull_end(self, w), |d| Way::slerp(self, end, s).push_end(self, d);
                        s: |w| { let way = Way::slerp(self, end, s); way.by_position.dot(way.normalized(w)) },
                           |d| { let way = Way::slerp(self, end, s); way.normalized(way.by_position * d) };
                    }
                }
            }
        }
    };
}

rotations! { dquat: DQuat of DVec3 of f64 }
rotations! { quat: Quat of Vec3 of f32 }

#[cfg(feature = "rule-checks")]
pub(super) fn table() -> Vec<crate::rules::check::Checked> {
    [dquat::table(), quat::table()].concat()
}
