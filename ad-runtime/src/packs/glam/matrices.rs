//! Matrices.

/// The rules of a type of square matrices, and behind these the rules that depend on the dimension.
macro_rules! matrices {
    ($module:ident: $mat:ident of $vec:ident of $float:ident, [$($col:ident $at:ident)*], $elements:literal,
        $mul_vec:ident $mul_mat:ident $add_mat:ident $sub_mat:ident, |$of:ident| $cofactors:expr, { $($special:tt)* }) => {
        pub(super) mod $module {
            use glam::*;

            /// The matrix of all products.
            fn outer(a: $vec, b: $vec) -> $mat {
                $mat::from_cols($(a * b.$at),*)
            }

            /// The inner product of all elements.
            fn inner(a: $mat, b: $mat) -> $float {
                a.to_cols_array().iter().zip(&b.to_cols_array()).map(|(a, b)| a * b).sum()
            }

            /// The derivative of the determinant.
            fn cofactors($of: $mat) -> $mat {
                $cofactors
            }

            ad_macros::rules! {
                crate = crate;

                impl $mat {
                    op Neg(self) -> $mat { self: each -1.0; }
                    op Add, AddAssign(self, b: $mat) -> $mat { self: each 1.0; b: each 1.0; }
                    op Sub, SubAssign(self, b: $mat) -> $mat { self: each 1.0; b: each -1.0; }
                    op Mul, MulAssign(self, b: $float) -> $mat { self: each b; b: each self; }
                    op Div, DivAssign(self, b: $float) -> $mat { self: each 1.0 / b; b: each -(result / b); }
                    op Mul, MulAssign(self, b: $mat) -> $mat {
                        self: |w| w * b.transpose(), |d| d * b;
                        b: |w| self.transpose() * w, |d| self * d;
                    }
                    op Mul(self, b: $vec) -> $vec {
                        self: |w| outer(w, b), |d| d * b;
                        b: |w| self.transpose() * w, |d| self * d;
                    }
                    fn $mul_vec(&self, b: $vec) -> $vec {
                        self: |w| outer(w, b), |d| d * b;
                        b: |w| self.transpose() * w, |d| *self * d;
                    }
                    fn $mul_mat(&self, b: &$mat) -> $mat {
                        self: |w| w * b.transpose(), |d| d * *b;
                        b: |w| self.transpose() * w, |d| *self * d;
                    }
                    fn $add_mat(&self, b: &$mat) -> $mat {
                        self: |w| w, |d| d;
                        b: |w| w, |d| d;
                    }
                    fn $sub_mat(&self, b: &$mat) -> $mat {
                        self: |w| w, |d| d;
                        b: |w| -w, |d| -d;
                    }
                    fn mul_scalar(&self, b: $float) -> $mat {
                        self: |w| w * b, |d| d * b;
                        b: |w| inner(*self, w), |d| *self * d;
                    }
                    fn transpose(&self) -> $mat { self: |w| w.transpose(), |d| d.transpose(); }
                    fn determinant(&self) -> $float {
                        self: |w| cofactors(*self) * w, |d| inner(cofactors(*self), d);
                    }
                    fn inverse(&self) -> $mat {
                        self: |w| -(result.transpose() * w * result.transpose()), |d| -(*result * d * *result);
                    }
                    fn from_cols($($col: $vec),*) -> $mat {
                        $($col: |w| w.$col, |d| { let mut tangent = $mat::ZERO; tangent.$col = d; tangent };)*
                    }
                    fn from_diagonal(diagonal: $vec) -> $mat {
                        diagonal: |w| $vec::new($(w.$col.$at),*), |d| $mat::from_diagonal(d);
                    }
                    fn from_cols_array(elements: &[$float; $elements]) -> $mat {
                        elements: |w| w.to_cols_array(), |d| $mat::from_cols_array(&d);
                    }
                    fn to_cols_array(&self) -> [$float; $elements] {
                        self: |w| $mat::from_cols_array(&w), |d| d.to_cols_array();
                    }
                    fn col(&self, index: usize) -> $vec {
                        self: |w| { let mut bar = $mat::ZERO; *bar.col_mut(index) = w; bar }, |d| d.col(index);
                        index: passive;
                    }
                    fn row(&self, index: usize) -> $vec {
                        self: |w| { let mut bar = $mat::ZERO; *bar.col_mut(index) = w; bar.transpose() }, |d| d.row(index);
                        index: passive;
                    }

                    $($special)*
                }

                impl $float {
                    op Mul(self, b: $mat) -> $mat { self: each b; b: each self; }
                }
            }
        }
    };
}

macro_rules! planar {
    ($module:ident: $mat:ident of $vec:ident of $float:ident) => {
        matrices! { $module: $mat of $vec of $float, [x_axis x y_axis y], 4, mul_vec2 mul_mat2 add_mat2 sub_mat2,
            |of| $mat::from_cols($vec::new(of.y_axis.y, -of.y_axis.x), $vec::new(-of.x_axis.y, of.x_axis.x)), {
                fn from_angle(angle: $float) -> $mat {
                    angle: |w| inner($mat::from_cols(result.x_axis.perp(), result.y_axis.perp()), w),
                           |d| $mat::from_cols(result.x_axis.perp(), result.y_axis.perp()) * d;
                }
            }
        }
    };
}

macro_rules! spatial {
    ($module:ident: $mat:ident of $vec:ident of $float:ident) => {
        matrices! { $module: $mat of $vec of $float, [x_axis x y_axis y z_axis z], 9, mul_vec3 mul_mat3 add_mat3 sub_mat3,
            |of| $mat::from_cols(of.y_axis.cross(of.z_axis), of.z_axis.cross(of.x_axis), of.x_axis.cross(of.y_axis)), {
                fn from_rotation_x(angle: $float) -> $mat {
                    angle: |w| inner($mat::from_cols($vec::X.cross(result.x_axis), $vec::X.cross(result.y_axis), $vec::X.cross(result.z_axis)), w), |d| $mat::from_cols($vec::X.cross(result.x_axis), $vec::X.cross(result.y_axis), $vec::X.cross(result.z_axis)) * d;
                }
                fn from_rotation_y(angle: $float) -> $mat {
                    angle: |w| inner($mat::from_cols($vec::Y.cross(result.x_axis), $vec::Y.cross(result.y_axis), $vec::Y.cross(result.z_axis)), w), |d| $mat::from_cols($vec::Y.cross(result.x_axis), $vec::Y.cross(result.y_axis), $vec::Y.cross(result.z_axis)) * d;
                }
                fn from_rotation_z(angle: $float) -> $mat {
                    angle: |w| inner($mat::from_cols($vec::Z.cross(result.x_axis), $vec::Z.cross(result.y_axis), $vec::Z.cross(result.z_axis)), w), |d| $mat::from_cols($vec::Z.cross(result.x_axis), $vec::Z.cross(result.y_axis), $vec::Z.cross(result.z_axis)) * d;
                }
            }
        }
    };
}

macro_rules! homogeneous {
    ($module:ident: $mat:ident of $vec:ident of $float:ident, $point:ident) => {
        matrices! { $module: $mat of $vec of $float, [x_axis x y_axis y z_axis z w_axis w], 16,
            mul_vec4 mul_mat4 add_mat4 sub_mat4, |of| of.inverse().transpose() * of.determinant(), {
                fn transform_point3(&self, point: $point) -> $point {
                    self: |w| outer(w.extend(0.0), point.extend(1.0)), |d| d.transform_point3(point);
                    point: |w| self.transpose().transform_vector3(w), |d| self.transform_vector3(d);
                }
                fn transform_vector3(&self, vector: $point) -> $point {
                    self: |w| outer(w.extend(0.0), vector.extend(0.0)), |d| d.transform_vector3(vector);
                    vector: |w| self.transpose().transform_vector3(w), |d| self.transform_vector3(d);
                }
            }
        }
    };
}

planar! { dmat2: DMat2 of DVec2 of f64 }
planar! { mat2: Mat2 of Vec2 of f32 }
spatial! { dmat3: DMat3 of DVec3 of f64 }
spatial! { mat3: Mat3 of Vec3 of f32 }
homogeneous! { dmat4: DMat4 of DVec4 of f64, DVec3 }
homogeneous! { mat4: Mat4 of Vec4 of f32, Vec3 }

#[cfg(feature = "rule-checks")]
pub(super) fn table() -> Vec<crate::rules::check::Checked> {
    let tables = [
        dmat2::table(),
        dmat3::table(),
        dmat4::table(),
        mat2::table(),
        mat3::table(),
        mat4::table(),
    ];
    tables.concat()
}
