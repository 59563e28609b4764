//! The macro survives everything.

use fuzz::expansion::{Outcome, check, check_many};
use fuzz::program::Program;
use fuzz::{generate, interpret};
use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use testkit::campaign::each_seed;

/// `FUZZ_INPUTS` says how many.
#[test]
fn every_input_is_expanded_or_refused() {
    let inputs = env::var("FUZZ_INPUTS").ok().and_then(|text| text.parse().ok());
    let summary = check_many(inputs.unwrap_or(1_000), 5);
    println!(
        "{} inputs, {} functions, {} accepted, slowest {:?}",
        summary.inputs, summary.functions, summary.accepted, summary.slowest
    );
    for (seed, message) in &summary.failures {
        println!("seed {seed}: {message}");
    }
    assert!(summary.failures.is_empty(), "`fuzz expand` makes the functions smaller");
    assert!(100 * summary.functions >= 60 * summary.inputs, "too few functions");
    assert!(100 * summary.accepted >= 25 * summary.inputs, "too few functions are accepted");
}

/// The sweeps of generated functions, interpreted, against dual numbers: at least `part` of so many that are meant could
/// be compared. `FUZZ_INTERPRETED` says how many.
fn interpreted(generate: fn(u64) -> Program, is_meant: fn(&Program) -> bool, part: f64) {
    let functions = env::var("FUZZ_INTERPRETED").ok().and_then(|text| text.parse().ok());
    let (meant, compared) = (AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    each_seed(0, functions.unwrap_or(300), &|seed| {
        let program = generate(seed);
        if !is_meant(&program) {
            return true;
        }
        meant.fetch_add(1, Ordering::Relaxed);
        match interpret::examine(&program, seed) {
            Ok(was_compared) => compared.fetch_add(u64::from(was_compared), Ordering::Relaxed),
            Err(message) => {
                let text = format!("seed {seed}: {message}\n{}", program.text());
                failures.lock().expect("no thread has panicked").push(text);
                return false;
            }
        };
        true
    });
    let (meant, compared) = (meant.into_inner(), compared.into_inner());
    let failures = failures.into_inner().expect("no thread has panicked");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{meant} functions, {compared} compared, 0 wrong");
    let enough = compared > 0 && compared as f64 >= part * meant as f64;
    assert!(enough, "too few functions have been compared");
}

#[test]
fn generated_functions_are_differentiated() {
    interpreted(generate::function_to_interpret, |_| true, 0.65);
}

/// So are functions with checkpointed blocks and loops, which schedules reverse.
#[test]
fn checkpointed_functions_are_differentiated() {
    let has_checkpoints = |program: &Program| program.text().contains("#[checkpoint");
    interpreted(generate::function_with_checkpoints_to_interpret, has_checkpoints, 0.5);
}

/// What once was a panic although there is nothing wrong with it.
#[test]
fn strange_functions_are_differentiated() {
    let functions = [
        // Nothing after an endless loop is ever reversed.
        "fn f(x: f64, n: usize) -> f64 {
            let mut rows = vec![vec![x], vec![x * x, x]];
            for i in 0..n {
                loop {
                    rows[i % 2] = vec![x.sin(); 5 - i];
                }
            }
            rows[0][0] * rows[1][0]
        }",
    ];
    for function in functions {
        let outcome = check(&Default::default(), &function.parse().expect("tokens"));
        assert_eq!(outcome, Ok(Outcome::Accepted), "{function}");
    }
}

/// What once was a panic, or no Rust. rustc accepts none of these.
#[test]
fn nonsense_is_refused() {
    let functions = [
        "fn f(x: f64) -> f64 { sum += x; sum }",
        "fn f(x: f64, y: f64) -> f64 { x /= y; x }",
        "fn f(x: &[f64], w: &[f64]) -> f64 { x.iter().map(|(x, _)| x * w).sum::<f64>() }",
        "fn f(x: &[f64]) -> f64 { let mut best = x; [best] * best * 1.0 }",
        "fn f(x: &[f64], y: f64) -> f64 { let mut s = y; for i in 0..1.0 { s = s + x[i * s]; } s }",
        "fn f(x: f64, n: usize) -> f64 { x * (n % 3) }",
        "fn f(x: f64, n: usize) -> f64 { x.powi(n) }",
        "fn f(x: f64, k: usize) -> f64 { let y = x; y * 1.0[k] }",
        "fn f(x: f64) -> f64 { let (a, b) = x; a * b }",
        "fn f(x: &[f64], w: f64) -> f64 { let mut s = w; for v in &x[0.0..w] { s += v; } s }",
        "fn f(x: f64, y: f32) -> f64 { x.max(y) }",
        "fn f(x: f64) -> f64 { let list = vec![x; 1.0]; list[0] }",
        "fn f(x: f64, n: usize) -> f64 { (n as f64).powf(-vec![x; 2]) }",
        "fn f(x: Option<f64>, y: f64) -> Option<f64> { if y > 0.0 { x /= y; } x }",
        "fn f(x: f64) -> f64 { 1.0.log(vec![x * x; 2]) }",
        "fn f(a: f32, x: f64) -> f32 { let mut sum = 0.0_f64; sum += (a, x) as f64; sum as f32 }",
        "fn f(x: &[f64], n: usize) -> f64 { let index = |k: usize| (let [h, rest @ ..] = xs) % n; x[index(1)] }",
        "fn f(x: f64, n: usize) -> f64 { let mut s = x; for i in 0..n { s = s.atan2(i); } s }",
        "fn f(a: M, b: M) -> f64 { let c = a * b; c.0[0] + vec![c.0[3]; 2] }",
        "fn f(x: f64) -> f64 { match failing(x) { Ok() => x, Err(Failure(y)) => y } }",
        "fn f(x: f64, n: i32) -> f64 { let list = vec![x; n]; list[0] }",
    ];
    for function in functions {
        let outcome = check(&Default::default(), &function.parse().expect("tokens"));
        assert_eq!(outcome, Ok(Outcome::Refused), "{function}");
    }
}
