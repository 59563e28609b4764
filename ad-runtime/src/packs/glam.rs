//! Rules for the types of glam.

mod matrices;
mod rotations;
mod types;
mod vectors;

pub use methods::Methods;

use crate::rules::check::Checked;

mod methods {
    use glam::*;

    ad_macros::rules! {
        crate = crate;

        pub trait Methods for
            DVec2, DVec3, DVec4, Vec2, Vec3, Vec4,
            DMat2, DMat3, DMat4, Mat2, Mat3, Mat4,
            DQuat, Quat
        {
            dot/1, cross/1, length,
        }
    }
}

/// All rules.
pub fn table() -> Vec<Checked> {
    [vectors::table(), matrices::table(), rotations::table()].concat()
}
