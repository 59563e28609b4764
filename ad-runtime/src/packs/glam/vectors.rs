//! Vectors.

use crate::rules::check::Checked;

/// The rules of a type of vectors of so many floats.
macro_rules! vectors {
    ($module:ident: $vec:ident of $float:ident, $len:literal) => {
        mod $module {
            use glam::*;

            ad_macros::rules! {
                crate = crate;

                impl $vec {
                    op Neg(self) -> $vec { self: each -1.0; }
                    op Add, AddAssign(self, b: $vec) -> $vec { self: each 1.0; b: each 1.0; }
                    op Sub, SubAssign(self, b: $vec) -> $vec { self: each 1.0; b: each -1.0; }
                    op Mul, MulAssign(self, b: $float) -> $vec { self: each b; b: each self; }

                    fn dot(self, b: $vec) -> $float {
                        self: |w| b * w, |d| d.dot(b);
                        b: |w| self * w, |d| self.dot(d);
                    }
                    fn new(x: f64, y: f64, z: f64) -> $vec {
                        x: |w| w.x, |d| $vec::X * d;
                        y: |w| w.y, |d| $vec::Y * d;
                        z: |w| w.z, |d| $vec::Z * d;
                    }
                    fn length(self) -> $float {
                        self: |w| self * (w / result), |d| self.dot(d) / result;
                    }
                }
            }
        }
    };
}

vectors! { dvec3: DVec3 of f64, 3 }

pub(super) fn table() -> Vec<Checked> {
    [dvec3::table()].concat()
}
