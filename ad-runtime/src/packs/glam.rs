//! Rules for the types of glam.

mod matrices;
mod rotations;
mod types;
mod vectors;

pub use methods::Methods;

mod methods {
    use glam::*;

    ad_macros::rules! {
        crate = crate;

        pub trait Methods for
            DVec2, DVec3, DVec4, Vec2, Vec3, Vec4,
            DMat2, DMat3, DMat4, Mat2, Mat3, Mat4,
            DQuat, Quat
        {
            abs, add_mat2/1, add_mat3/1, add_mat4/1, angle_between/1, as_dvec2, as_dvec3, as_dvec4,
            as_vec2, as_vec3, as_vec4, ceil, clamp/2, col/1, conjugate, copysign/1, cos, cross/1,
            determinant, distance/1, distance_squared/1, div_euclid/1, dot/1, element_product,
            element_sum, exp, exp2, extend/1, floor, fract, fract_gl, inverse,
            length, length_recip, length_squared, lerp/2, ln, log2, max/1, max_element, midpoint/1,
            min/1, min_element, mul_add/2, mul_mat2/1, mul_mat3/1, mul_mat4/1, mul_quat/1,
            mul_scalar/1, mul_vec2/1, mul_vec3/1, mul_vec4/1, normalize, normalize_or/1,
            normalize_or_zero, try_normalize, perp, perp_dot/1, powf/1, project_onto/1, project_onto_normalized/1,
            recip, reflect/1, reject_from/1, reject_from_normalized/1, rem_euclid/1, rotate/1,
            round, row/1, saturate, signum, sin, slerp/2, sqrt, sub_mat2/1, sub_mat3/1, sub_mat4/1,
            to_angle, to_array, to_cols_array, transform_point3/1, transform_vector3/1, transpose,
            trunc, truncate, with_w/1, with_x/1, with_y/1, with_z/1, xyz,
        }
    }
}

/// All rules.
#[cfg(feature = "rule-checks")]
pub fn table() -> Vec<crate::rules::check::Checked> {
    [vectors::table(), matrices::table(), rotations::table()].concat()
}
