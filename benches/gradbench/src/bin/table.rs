//! What derivatives of the evals cost beside the functions: `cargo run --release -p backsweep-gradbench --bin table [-- module …]`.
//!
//! A function and its derivative run by turns, so that both suffer alike on a busy machine; the ratio is that of the shortest times,
//! and beside it stands that of the medians.

use backsweep_gradbench::evals::MODULES;
use backsweep_gradbench::inputs::{Problem, problems};
use backsweep_gradbench::protocol::Function;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// How often a function and its derivative take turns.
const ROUNDS: usize = 15;
/// For how long one of them runs in a turn, in seconds.
const TURN: f64 = 0.02;

fn main() -> Result<(), String> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("| eval | size | primal, ms | derivative, ms | ratio | of medians |");
    println!("|---|---|--:|--:|--:|--:|");
    for problem in problems() {
        if wanted.is_empty() || wanted.iter().any(|name| name == problem.module) {
            print_rows(&problem)?;
        }
    }
    Ok(())
}

fn print_rows(problem: &Problem) -> Result<(), String> {
    let functions = [problem.primal, problem.derivative];
    let functions = functions.map(|name| function(problem.module, name));
    for (size, input) in ["S", "M", "L"].iter().zip(&problem.inputs) {
        let input = demanded(input)?;
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (function, times) in functions.iter().zip(&mut times) {
                let timings = function(&input)?.timings;
                times.extend(timings.iter().map(|timing| timing.nanoseconds));
            }
        }
        let [primal, derivative] = times.map(Times::of);
        println!(
            "| {} | {size} | {:.3} | {:.3} | {:.2} | {:.2} |",
            problem.module,
            primal.shortest * 1e-6,
            derivative.shortest * 1e-6,
            derivative.shortest / primal.shortest,
            derivative.median / primal.median,
        );
    }
    Ok(())
}

/// Times in nanoseconds.
struct Times {
    shortest: f64,
    median: f64,
}

impl Times {
    fn of(mut times: Vec<u64>) -> Self {
        times.sort_unstable();
        Self { shortest: times[0] as f64, median: times[times.len() / 2] as f64 }
    }
}

/// A function of an eval.
fn function(module: &str, name: &str) -> Function {
    let module = MODULES.iter().find(|known| known.name == module).expect("a module");
    module.functions.iter().find(|known| known.0 == name).expect("a function of the module").1
}

/// An input with how often the function is to run.
fn demanded(input: &Value) -> Result<Box<RawValue>, String> {
    let mut input = input.clone();
    input["min_runs"] = 1.into();
    input["min_seconds"] = TURN.into();
    to_raw_value(&input).map_err(|error| error.to_string())
}
