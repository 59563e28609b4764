//! Drives the tool over its standard streams, as the suite does, on small inputs. What it answers is compared with values
//! that are had in other ways, and all derivatives with central differences of the functions themselves.

mod differences;
mod tool;

use std::f64::consts::{FRAC_PI_2, PI};

use serde_json::{Value, json};

use differences::{assert_close, assert_derivatives, numbers};
use tool::Tool;

#[test]
fn hello() {
    let mut tool = Tool::start("hello");
    let mut x = 1.0;
    for _ in 0..4 {
        let square = tool.evaluate("square", &json!(x)).as_f64().unwrap();
        assert_eq!(square, x * x);
        let double = tool.evaluate("double", &json!(square)).as_f64().unwrap();
        assert_eq!(double, 2.0 * square);
        x = double;
    }
}

#[test]
fn every_message_is_acknowledged() {
    let mut tool = Tool::start("hello");
    let analysis =
        tool.send(&json!({"id": 7, "kind": "analysis", "of": 2, "valid": false, "error": "…"}));
    assert_eq!(analysis, json!({"id": 7}));
    assert_eq!(tool.send(&json!({"id": 8, "kind": "end"})), json!({"id": 8}));
}

#[test]
fn what_is_unknown_fails() {
    let mut tool = Tool::start("hello");
    let message = json!({"id": 1, "kind": "define", "module": "nothing"});
    assert_eq!(tool.send(&message)["success"], false);
    assert!(tool.failure("hello", "cube", &json!(1.0)).contains("`cube`"));
    assert!(tool.failure("nothing", "cube", &json!(1.0)).contains("`nothing`"));
}

#[test]
fn inputs_that_are_wrong_fail_and_the_tool_goes_on() {
    let mut tool = Tool::start("hello");
    assert!(tool.failure("hello", "square", &json!("one")).contains("invalid type"));
    assert!(tool.failure("lse", "primal", &json!({"x": [1.0]})).contains("min_runs"));
    assert!(tool.failure("ode", "primal", &once(json!({"x": [], "s": 1}))).contains("empty"));
    assert!(
        tool.failure("det", "gradient", &once(json!({"A": [1.0, 2.0], "ell": 2})))
            .contains("2 entries")
    );
    let mut ragged = gmm();
    ragged["mu"][0] = json!([1.0]);
    assert!(tool.failure("gmm", "objective", &ragged).contains("different lengths"));
    let mut narrow = gmm();
    narrow["x"] = json!([[1.0], [2.0], [3.0]]);
    assert!(tool.failure("gmm", "objective", &narrow).contains("3 × 1 instead of 3 × 2"));
    assert_eq!(tool.send_line("no JSON")["success"], false);
    assert_eq!(tool.send_line(r#"{"id": 5}"#)["id"], 5);
    assert_eq!(tool.evaluate("square", &json!(3.0)), json!(9.0));
}

#[test]
fn functions_run_as_often_as_demanded() {
    let mut tool = Tool::start("lse");
    let runs = |min_runs: usize, min_seconds: f64| json!({"x": [1.0], "min_runs": min_runs, "min_seconds": min_seconds});
    assert_eq!(tool.timings("primal", &runs(3, 0.0)).len(), 3);
    assert_eq!(tool.timings("primal", &runs(0, 0.0)).len(), 1);
    let total: u64 = tool.timings("gradient", &runs(1, 0.01)).iter().sum();
    assert!(total >= 10_000_000);
}

#[test]
fn lse() {
    let mut tool = Tool::start("lse");
    let x = [0.3, -1.2, 2.5, 0.1];
    let input = once(json!({ "x": x }));
    let expected = x.iter().map(|x: &f64| x.exp()).sum::<f64>().ln();
    assert_close(&tool.evaluate("primal", &input), &json!(expected));
    assert_derivatives(&mut tool, "primal", "gradient", &input, &["x"]);
    let large = once(json!({"x": [1000.0, 1000.0]}));
    assert_close(&tool.evaluate("primal", &large), &json!(1000.0 + 2.0_f64.ln()));
    assert_close(&tool.evaluate("gradient", &large), &json!([0.5, 0.5]));
}

#[test]
fn llsq() {
    let mut tool = Tool::start("llsq");
    let input = once(json!({"x": [0.4, -0.3, 1.7], "n": 5}));
    let residual = |t: f64, sign: f64| sign - 0.4 + 0.3 * t - 1.7 * t * t;
    let points = [(-1.0, -1.0), (-0.5, -1.0), (0.0, 0.0), (0.5, 1.0), (1.0, 1.0)];
    let expected: f64 = points.iter().map(|(t, sign)| 0.5 * residual(*t, *sign).powi(2)).sum();
    assert_close(&tool.evaluate("primal", &input), &json!(expected));
    assert_derivatives(&mut tool, "primal", "gradient", &input, &["x"]);
}

#[test]
fn ode() {
    let mut tool = Tool::start("ode");
    let x = [1.3, 0.7, -0.4, 2.1];
    let input = once(json!({"x": x, "s": 3}));
    // Polynomials of degree four at most are integrated exactly.
    let mut expected = Vec::new();
    let mut component = 1.0;
    for (i, x) in x.iter().enumerate() {
        component *= 2.0 * x / (i + 1) as f64;
        expected.push(component);
    }
    assert_close(&tool.evaluate("primal", &input), &json!(expected));
    let gradient: Vec<f64> = x.iter().map(|x| component / x).collect();
    assert_close(&tool.evaluate("gradient", &input), &json!(gradient));
}

#[test]
fn det() {
    let mut tool = Tool::start("det");
    let input = once(json!({"A": [2.0, -1.0, 0.5, 3.0, 4.0, -2.0, 1.0, 0.0, 7.0], "ell": 3}));
    assert_close(&tool.evaluate("primal", &input), &json!(77.0));
    assert_derivatives(&mut tool, "primal", "gradient", &input, &["A"]);
    assert_eq!(tool.evaluate("gradient", &once(json!({"A": [5.0], "ell": 1}))), json!([1.0]));
}

fn gmm() -> Value {
    once(json!({
        "d": 2, "k": 2, "n": 3, "m": 1, "gamma": 1.5,
        "x": [[0.3, -0.5], [1.2, 0.4], [-0.8, 0.9]],
        "alpha": [0.2, -0.7],
        "mu": [[0.1, 0.6], [0.8, -0.2]],
        "q": [[0.3, -0.1], [-0.4, 0.5]],
        "l": [[0.7], [-0.3]],
    }))
}

#[test]
fn gmm_of_one_dimension() {
    let (alpha, mu, q, x): ([f64; 2], [f64; 2], [f64; 2], _) =
        ([0.2, -0.7], [0.1, 0.8], [0.3, -0.4], [0.3, 1.2]);
    let gamma = 1.5_f64;
    let input = once(json!({
        "d": 1, "k": 2, "n": 2, "m": 1, "gamma": gamma,
        "x": [[x[0]], [x[1]]], "alpha": alpha, "mu": [[mu[0]], [mu[1]]], "q": [[q[0]], [q[1]]], "l": [[], []],
    }));
    let weights: f64 = alpha.iter().map(|a| a.exp()).sum();
    let density = |x: f64| -> f64 {
        let component = |k: usize| {
            let sigma = (-q[k]).exp();
            let normal = (-0.5 * ((x - mu[k]) / sigma).powi(2)).exp() / (sigma * (2.0 * PI).sqrt());
            alpha[k].exp() / weights * normal
        };
        component(0) + component(1)
    };
    // A Wishart distribution of one dimension and three degrees of freedom; Γ(3/2) = √π / 2.
    let prior = |q: f64| {
        let (precision, v) = ((2.0 * q).exp(), 1.0 / (gamma * gamma));
        let constant = (2.0 * v).powf(1.5) * PI.sqrt() / 2.0;
        precision.sqrt() * (-0.5 * precision / v).exp() / constant
    };
    let expected = (density(x[0]) * density(x[1]) * prior(q[0]) * prior(q[1])).ln();
    assert_close(&Tool::start("gmm").evaluate("objective", &input), &json!(expected));
}

#[test]
fn gmm_of_two_dimensions() {
    let mut tool = Tool::start("gmm");
    let input = gmm();
    let gradient = tool.evaluate("jacobian", &input);
    for field in ["alpha", "mu", "q", "l"] {
        let differences = differences::columns(&mut tool, "objective", &input, &[field]);
        assert_close(&json!(numbers(&gradient[field])), &json!(differences.concat()));
    }
    // A mixture of two equal components is one component.
    let double = |alpha: [f64; 2]| {
        let mut input = gmm();
        input["alpha"] = json!(alpha);
        for field in ["mu", "q", "l"] {
            input[field][1] = input[field][0].clone();
        }
        input
    };
    let equal = tool.evaluate("objective", &double([0.0, 0.0]));
    assert_close(&tool.evaluate("objective", &double([1.0, -2.0])), &equal);
}

#[test]
fn lstm() {
    let mut tool = Tool::start("lstm");
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    // One layer of one cell, two characters of one bit.
    let (w, b) = ([0.3, -0.4, 0.8, 0.6], [0.1, 0.2, -0.3, 0.5]);
    let input = once(json!({
        "main_params": [w, b], "extra_params": [[0.7], [1.1], [-0.2]],
        "state": [[0.25], [0.35]], "sequence": [[1.0], [1.0]],
    }));
    let cell = 0.35 * sigmoid(0.7 * w[0] + b[0])
        + sigmoid(0.25 * w[1] + b[1]) * (0.25 * w[3] + b[3]).tanh();
    let hidden = sigmoid(0.7 * w[2] + b[2]) * cell.tanh();
    let prediction = hidden * 1.1 - 0.2;
    let expected = (2.0 + prediction.exp()).ln() - prediction;
    assert_close(&tool.evaluate("objective", &input), &json!(expected));

    let rows = |rows: usize, columns: usize, phase: f64| -> Vec<Vec<f64>> {
        let entry = |i: usize, j: usize| (phase + 1.3 * i as f64 + 0.7 * j as f64).sin();
        (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect()
    };
    let input = once(json!({
        "main_params": rows(4, 8, 0.1), "extra_params": rows(3, 2, 0.2), "state": rows(4, 2, 0.3),
        "sequence": [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]],
    }));
    assert_derivatives(
        &mut tool,
        "objective",
        "jacobian",
        &input,
        &["main_params", "extra_params"],
    );
}

fn ba(rotation: [f64; 3]) -> Value {
    once(json!({
        "n": 2, "m": 3, "p": 10, "w": 0.5, "feat": [0.25, -0.5], "x": [1.5, 2.0, 5.0],
        "cam": [rotation[0], rotation[1], rotation[2], 0.5, 1.0, 1.0, 2.0, 0.1, 0.2, 0.3, 0.4],
    }))
}

#[test]
fn ba_objective() {
    let mut tool = Tool::start("ba");
    // The point is at (1, 1, 4) from the camera, which a quarter of a turn about the third axis takes to (−1, 1, 4).
    let distortion = 1.0 + 0.3 * 0.125 + 0.4 * 0.125 * 0.125;
    let expected = |x: f64, y: f64| {
        let error =
            [0.5 * (2.0 * x * distortion + 0.1 - 0.25), 0.5 * (2.0 * y * distortion + 0.2 + 0.5)];
        json!([error[0], error[1], 10, 0.75, 10])
    };
    let values = |output: Value| {
        let (errors, weights) = (&output["reproj_error"], &output["w_err"]);
        let elements = &errors["elements"];
        json!([
            elements[0],
            elements[1],
            errors["repeated"],
            weights["element"],
            weights["repeated"]
        ])
    };
    let unrotated = tool.evaluate("objective", &ba([0.0; 3]));
    assert_close(&values(unrotated), &expected(0.25, 0.25));
    let rotated = tool.evaluate("objective", &ba([0.0, 0.0, FRAC_PI_2]));
    assert_close(&values(rotated), &expected(-0.25, 0.25));
}

#[test]
fn ba_jacobian() {
    let mut tool = Tool::start("ba");
    for rotation in [[0.3, -0.5, 0.2], [0.0; 3]] {
        let input = ba(rotation);
        let jacobian = tool.evaluate("jacobian", &input);
        // Of the outputs, the first two are the errors of an observation, the fourth is that of its weight.
        let columns = differences::columns(&mut tool, "objective", &input, &["cam", "x", "w"]);
        let outputs: Vec<String> =
            differences::paths_of_numbers(&tool.evaluate("objective", &input));
        let row = |path: &str| -> Vec<f64> {
            let output = outputs.iter().position(|other| other == path).unwrap();
            columns.iter().map(|column| column[output]).collect()
        };
        let mut expected = row("/reproj_error/elements/0");
        expected.extend(row("/reproj_error/elements/1"));
        expected.push(*row("/w_err/element").last().unwrap());
        assert_close(&jacobian["vals"], &json!(expected));
        assert_eq!(numbers(&jacobian["vals"]).len(), 31);
        let block: Vec<usize> = (0..11).chain(22..25).chain([31]).collect();
        assert_eq!(jacobian["cols"], json!([block.clone(), block, vec![40]].concat()));
        let rows = (0..=20).map(|i| 15 * i).chain((1..=10).map(|i| 300 + i));
        assert_eq!(jacobian["rows"], json!(rows.collect::<Vec<usize>>()));
    }
}

/// Where the joint of a bone is in a hand at rest: each finger is a line along the second axis.
fn joint(bone: usize) -> [f64; 3] {
    match bone {
        0 => [0.0; 3],
        _ => [((bone - 1) / 4) as f64, 1.0 + ((bone - 1) % 4) as f64, 0.0],
    }
}

fn translation(by: [f64; 3]) -> Value {
    json!([
        [1.0, 0.0, 0.0, by[0]],
        [0.0, 1.0, 0.0, by[1]],
        [0.0, 0.0, 1.0, by[2]],
        [0.0, 0.0, 0.0, 1.0]
    ])
}

/// A hand with three vertices: one moves with the wrist, one with the second bone of the first finger, one with several.
fn ht(theta: &[f64], us: &Value) -> Value {
    let parents: Vec<i64> = (0..21).map(|bone| if bone % 4 == 1 { 0 } else { bone - 1 }).collect();
    let relative = |bone: usize| match usize::try_from(parents[bone]) {
        Ok(parent) => translation(std::array::from_fn(|i| joint(bone)[i] - joint(parent)[i])),
        Err(_) => translation(joint(bone)),
    };
    let base_relatives: Vec<Value> = (0..21).map(relative).collect();
    let inverses: Vec<Value> = (0..21).map(|bone| translation(joint(bone).map(|x| -x))).collect();
    let mut weights = vec![vec![0.0; 21]; 3];
    weights[0][0] = 1.0;
    weights[1][2] = 1.0;
    (weights[2][0], weights[2][4], weights[2][11]) = (0.5, 0.2, 0.3);
    once(json!({
        "theta": theta, "us": us,
        "data": {
            "correspondences": [0, 1, 0], "points": [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]],
            "model": {
                "bone_count": 21, "bone_names": vec!["bone"; 21], "parents": parents,
                "base_relatives": base_relatives, "inverse_base_absolutes": inverses,
                "base_positions": [[0.5, 0.0, 0.0, 1.0], [0.0, 3.0, 0.0, 1.0], [1.0, 2.0, 0.5, 1.0]],
                "weights": weights, "triangles": [[0, 1, 2], [2, 0, 1]], "is_mirrored": false,
            },
        },
    }))
}

#[test]
fn ht_objective() {
    let mut tool = Tool::start("ht");
    let mut theta = [0.0; 26];
    let no_us = json!([]);
    let at_rest = json!([0.1 - 0.5, 0.2, 0.3, 0.4, 0.5 - 3.0, 0.6, 0.7 - 0.5, 0.8, 0.9]);
    assert_close(&tool.evaluate("objective", &ht(&theta, &no_us)), &at_rest);
    // The first joint of the first finger, at (0, 2, 0), is bent by a quarter of a turn about the first axis.
    theta[6] = FRAC_PI_2;
    let bent = json!([0.1 - 0.5, 0.2, 0.3, 0.4, 0.5 - 2.0, 0.6 - 1.0, 0.7 - 0.5, 0.8, 0.9]);
    assert_close(&tool.evaluate("objective", &ht(&theta, &no_us)), &bent);
    // The hand is turned by a quarter of a turn about the third axis, then moved.
    (theta[2], theta[3]) = (FRAC_PI_2, 10.0);
    let moved =
        json!([0.1 - 10.0, 0.2 - 0.5, 0.3, 0.4 - 8.0, 0.5, 0.6 - 1.0, 0.7 - 10.0, 0.8 - 0.5, 0.9]);
    assert_close(&tool.evaluate("objective", &ht(&theta, &no_us)), &moved);
}

#[test]
fn ht_jacobian() {
    let mut tool = Tool::start("ht");
    let theta: Vec<f64> = (0..26).map(|i| 0.3 * (1.7 * i as f64 + 0.4).sin()).collect();
    for us in [json!([]), json!([[0.2, 0.3], [0.5, 0.1], [0.6, 0.2]])] {
        let input = ht(&theta, &us);
        let mut columns = differences::columns(&mut tool, "objective", &input, &["theta"]);
        if us != json!([]) {
            // The points depend on coordinates of their own: of these, one column has them all.
            let by_us = differences::columns(&mut tool, "objective", &input, &["us"]);
            let sum = |first: usize| -> Vec<f64> {
                (0..9)
                    .map(|row| by_us[first][row] + by_us[first + 2][row] + by_us[first + 4][row])
                    .collect()
            };
            columns.splice(0..0, [sum(0), sum(1)]);
        }
        let row = |row: usize| columns.iter().map(|column| column[row]).collect();
        let expected: Vec<Vec<f64>> = (0..9).map(row).collect();
        assert_close(&tool.evaluate("jacobian", &input), &json!(expected));
    }
}

#[test]
fn kmeans() {
    let mut tool = Tool::start("kmeans");
    let input = once(json!({
        "points": [[0.0, 1.0], [1.0, 0.5], [5.0, 4.0], [6.0, 7.0], [4.0, 5.5]],
        "centroids": [[0.5, 0.5], [5.5, 5.0]],
    }));
    assert_close(&tool.evaluate("cost", &input), &json!(0.5 + 0.25 + 1.25 + 4.25 + 2.5));
    // Newton's method takes each centroid to the mean of the points next to it.
    assert_close(&tool.evaluate("dir", &input), &json!([[0.0, -0.25], [0.5, -0.5]]));
}

/// Where the particle meets the axis, with the forces of both charges written out.
fn hit(w: f64) -> f64 {
    let (mut x, mut y, mut vx, mut vy) = (0.0, 8.0, 0.75, 0.0);
    loop {
        let force = |cx: f64, cy: f64| {
            let cubed = ((x - cx) * (x - cx) + (y - cy) * (y - cy)).powf(1.5);
            ((x - cx) / cubed, (y - cy) / cubed)
        };
        let (above, below) = (force(10.0, 10.0 - w), force(10.0, 0.0));
        x += 0.1 * vx;
        y += 0.1 * vy;
        if y <= 0.0 {
            return x - y / vy * vx;
        }
        vx += 0.1 * (above.0 + below.0);
        vy += 0.1 * (above.1 + below.1);
    }
}

#[test]
fn particle() {
    let mut tool = Tool::start("particle");
    let input = once(json!({"w": 0.0}));
    let found = tool.evaluate("ff", &input);
    assert!(hit(0.0).abs() > 0.1 && hit(found.as_f64().unwrap()).abs() < 1e-3);
    for modes in ["fr", "rf", "rr"] {
        assert_close(&tool.evaluate(modes, &input), &found);
    }
}

#[test]
fn a_function_that_panics_fails() {
    let mut tool = Tool::start("particle");
    let input = once(json!({"w": 100.0}));
    assert!(tool.failure("particle", "ff", &input).contains("does not come down"));
    assert!(tool.failure("particle", "rr", &input).contains("does not come down"));
    tool.evaluate("rr", &once(json!({"w": 0.2})));
}

#[test]
fn saddle() {
    let mut tool = Tool::start("saddle");
    let input = once(json!({"start": [1.0, 1.0]}));
    for modes in ["ff", "fr", "rf", "rr"] {
        let found = numbers(&tool.evaluate(modes, &input));
        assert!(
            found.len() == 4 && found.iter().all(|coordinate| coordinate.abs() < 1e-5),
            "{found:?}"
        );
    }
}

/// Adds how often a function is run: once.
fn once(mut input: Value) -> Value {
    input["min_runs"] = json!(1);
    input["min_seconds"] = json!(0.0);
    input
}
