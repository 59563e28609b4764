//! Runs a function as often as its input demands, and takes the time of every run.

use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::protocol::{Answer, Timing};

/// How often the function of an input is run: so many times, and until so much time has passed.
#[derive(Deserialize)]
struct Runs {
    min_runs: usize,
    min_seconds: f64,
}

/// Runs `function` as often as the input says.
pub fn evaluate<I, O>(input: &RawValue, function: impl FnMut(&I) -> O) -> Result<Answer, String>
where
    I: DeserializeOwned,
    O: Serialize,
{
    evaluate_and_report(input, function, |_, output| output)
}

/// The same, if what is answered is not the output itself; what `report` does takes no time.
pub fn evaluate_and_report<I, O, R>(
    input: &RawValue,
    mut function: impl FnMut(&I) -> O,
    report: impl FnOnce(&I, O) -> R,
) -> Result<Answer, String>
where
    I: DeserializeOwned,
    R: Serialize,
{
    let runs: Runs = decode(input)?;
    let input: I = decode(input)?;
    let mut timings = Vec::new();
    let mut total = Duration::ZERO;
    let output = loop {
        let start = Instant::now();
        let output = function(&input);
        let elapsed = start.elapsed();
        total += elapsed;
        timings.push(evaluation(elapsed));
        if timings.len() >= runs.min_runs && total.as_secs_f64() >= runs.min_seconds {
            break output;
        }
    };
    answer(&report(&input, output), timings)
}

/// Runs `function` once, for inputs that do not say how often.
pub fn evaluate_once<I, O>(
    input: &RawValue,
    function: impl FnOnce(&I) -> O,
) -> Result<Answer, String>
where
    I: DeserializeOwned,
    O: Serialize,
{
    let input: I = decode(input)?;
    let start = Instant::now();
    let output = function(&input);
    let timings = vec![evaluation(start.elapsed())];
    answer(&output, timings)
}

fn decode<I: DeserializeOwned>(input: &RawValue) -> Result<I, String> {
    serde_json::from_str(input.get()).map_err(|error| format!("input: {error}"))
}

fn evaluation(elapsed: Duration) -> Timing {
    Timing { name: "evaluate", nanoseconds: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX) }
}

fn answer(output: &impl Serialize, timings: Vec<Timing>) -> Result<Answer, String> {
    let output = to_raw_value(output).map_err(|error| format!("output: {error}"))?;
    Ok(Answer { output, timings })
}
