//! Conversions between types of the user's, `Target::from(x)` and `x.into()`, where the files of the crate declare them. The oracles are
//! differences of the functions themselves.

mod quaternions;
mod vectors;

use approx::assert_relative_eq;
use quaternions::Quaternion;

const AT: [f64; 4] = [0.3, -0.7, 1.1, 0.4];

fn quaternion([x, y, z, w]: [f64; 4]) -> Quaternion {
    Quaternion { x, y, z, w }
}

/// Compares a gradient, and derivatives along the axes, with differences.
fn compare(
    function: fn(Quaternion) -> f64,
    gradient: fn(Quaternion) -> (f64, Quaternion),
    tangent: fn(Quaternion, Quaternion) -> (f64, f64),
) {
    let (value, found) = gradient(quaternion(AT));
    assert_eq!(value.to_bits(), function(quaternion(AT)).to_bits());
    let found = [found.x, found.y, found.z, found.w];
    for (axis, found) in found.into_iter().enumerate() {
        let shifted = |by: f64| {
            let mut at = AT;
            at[axis] += by;
            function(quaternion(at))
        };
        let slope = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        assert_relative_eq!(found, slope, max_relative = 1e-8, epsilon = 1e-9);
        let mut along = [0.0; 4];
        along[axis] = 1.0;
        let (_, derivative) = tangent(quaternion(AT), quaternion(along));
        assert_relative_eq!(derivative, found, max_relative = 1e-14, epsilon = 1e-15);
    }
}

macro_rules! compared {
    ($($name:ident: $gradient:ident $tangent:ident;)*) => {$(
        #[test]
        fn $name() {
            compare(Quaternion::$name, Quaternion::$gradient, Quaternion::$tangent);
        }
    )*};
}

compared! {
    squared_norm: squared_norm_gradient squared_norm_tangent;
    first_of_square: first_of_square_gradient first_of_square_tangent;
    by_fields: by_fields_gradient by_fields_tangent;
    of_a_tuple: of_a_tuple_gradient of_a_tuple_tangent;
    by_path_of_a_tuple: by_path_of_a_tuple_gradient by_path_of_a_tuple_tangent;
    of_an_array: of_an_array_gradient of_an_array_tangent;
    in_a_loop: in_a_loop_gradient in_a_loop_tangent;
    own_function: own_function_gradient own_function_tangent;
    as_argument: as_argument_gradient as_argument_tangent;
}
