//! Central differences of what the tool answers.

use serde_json::{Value, json};

use crate::tool::Tool;

const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 1e-8;

/// Asserts that the output of `derivative` is the gradient of `function` by the numbers of these fields.
pub fn assert_derivatives(
    tool: &mut Tool,
    function: &str,
    derivative: &str,
    input: &Value,
    fields: &[&str],
) {
    let expected = columns(tool, function, input, fields).concat();
    assert_close(&tool.evaluate(derivative, input), &json!(expected));
}

/// The derivatives of all numbers in the output of `function`, by each number of these fields.
pub fn columns(tool: &mut Tool, function: &str, input: &Value, fields: &[&str]) -> Vec<Vec<f64>> {
    let mut columns = Vec::new();
    for field in fields {
        for path in paths_of_numbers(&input[field]) {
            let mut moved = |step: f64| {
                let mut input = input.clone();
                let entry =
                    input.pointer_mut(&format!("/{field}{path}")).expect("there is a number");
                *entry = json!(entry.as_f64().expect("a number") + step);
                numbers(&tool.evaluate(function, &input))
            };
            let (before, after) = (moved(-STEP), moved(STEP));
            columns.push(before.iter().zip(&after).map(|(a, b)| (b - a) / (2.0 * STEP)).collect());
        }
    }
    columns
}

/// All numbers in a value.
pub fn numbers(value: &Value) -> Vec<f64> {
    let number = |path: &String| value.pointer(path).and_then(Value::as_f64).expect("a number");
    paths_of_numbers(value).iter().map(number).collect()
}

/// Where the numbers in a value are.
pub fn paths_of_numbers(value: &Value) -> Vec<String> {
    let within = |key: String, part: &Value| -> Vec<String> {
        paths_of_numbers(part).iter().map(|path| format!("/{key}{path}")).collect()
    };
    match value {
        Value::Number(_) => vec![String::new()],
        Value::Array(parts) => {
            parts.iter().enumerate().flat_map(|(i, part)| within(i.to_string(), part)).collect()
        }
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, part)| within(name.clone(), part)).collect()
        }
        _ => Vec::new(),
    }
}

/// Asserts that two values have the same shape, and numbers that are as good as equal.
pub fn assert_close(actual: &Value, expected: &Value) {
    assert_eq!(
        paths_of_numbers(actual),
        paths_of_numbers(expected),
        "{actual} instead of {expected}"
    );
    for (a, e) in numbers(actual).iter().zip(numbers(expected)) {
        assert!((a - e).abs() <= TOLERANCE * e.abs().max(1.0), "{actual} instead of {expected}");
    }
}
