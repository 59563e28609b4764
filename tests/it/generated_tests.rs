//! Tests of derivatives that the attribute generates: what is asked for here runs with the others.

use backsweep::adjoint;

#[adjoint(test(x: &[0.5, 2.0, -3.0]), test(x: &[0.1]))]
fn piecewise(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += if *v > 1.0 { v * v } else { v.abs() };
    }
    sum
}

#[adjoint(partials(x: -x.sin()), test(x: 1.0))]
fn cosine(x: f64) -> f64 {
    x.cos()
}

fn given_adjoint(x: &[f64; 2], x_b: &mut [f64; 2], ret_b: f64) -> f64 {
    x_b[0] += ret_b * x[1];
    x_b[1] += ret_b * x[0];
    x[0] * x[1]
}

/// No tangent.
#[adjoint(with = given_adjoint, test(x: &[2.0, 3.0]))]
fn given(x: &[f64; 2]) -> f64 {
    x[0] * x[1]
}

struct Data {
    stiffness: f64,
}

/// Parameters of all kinds, one of them of a name that the test has use for; lists that become longer.
#[adjoint(
    passive(data),
    independents(u, out, y),
    dependents(out, return),
    test(numbers: 3, data: &Data { stiffness: 2.0 }, u: [1.0, 2.0], out: &mut vec![0.3; 4], y: u[0] + 0.5)
)]
fn mixed(
    numbers: usize,
    data: &Data,
    u: [f64; 2],
    out: &mut Vec<f64>,
    y: f64,
) -> Result<(f64, [f64; 2]), String> {
    if y < 0.0 {
        return Err(format!("{y} is negative"));
    }
    for k in 0..numbers {
        out[k] = out[k] * u[k % 2] * data.stiffness;
    }
    out.push(y * y);
    Ok((y, [out[0] * y, u[1]]))
}

#[adjoint(dependents(out), test(x: 0.3, out: &mut [0.0; 2]))]
fn writes(x: f64, out: &mut [f64; 2]) {
    out[0] = x.exp();
    out[1] = x * x;
}

#[adjoint(test(x: 0.3))]
fn perhaps(x: f64) -> Option<f64> {
    (x > 0.0).then(|| x.sqrt())
}

/// The differences go further than the function.
#[adjoint(test(x: 0.1))]
fn fails_beside_the_point(x: f64) -> Result<f64, String> {
    if x > 0.0 { Ok(x.sqrt()) } else { Err(format!("{x} is negative")) }
}

#[adjoint]
mod inner {
    #[adjoint(test(x: 0.3, y: 2.0))]
    pub fn product(x: f64, y: f64) -> f64 {
        x * y
    }
}

/// They are functions of this crate.
#[test]
fn they_are_there() {
    for test in [
        derivatives_of_piecewise,
        derivatives_of_piecewise_2,
        derivatives_of_cosine,
        derivatives_of_given,
        derivatives_of_mixed,
        derivatives_of_writes,
        derivatives_of_perhaps,
        derivatives_of_fails_beside_the_point,
    ] {
        test();
    }
    assert_eq!(inner::product(2.0, 3.0), 6.0);
}

/// The test is of the function alone, and not of what its second derivatives are made of.
#[adjoint(partials(x: 2.0 * x), second_order, test(x: 0.3))]
fn square(x: f64) -> f64 {
    x * x
}

#[test]
fn they_go_with_second_derivatives() {
    derivatives_of_square();
    assert_eq!(square::hessian(0.3), [2.0]);
}
