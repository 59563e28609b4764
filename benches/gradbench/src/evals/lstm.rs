//! A recurrent neural network that predicts the next character of a text.

use backsweep::adjoint;
use serde::Deserialize;

use crate::matrix::Matrix;
use crate::protocol::Module;
use crate::runs::{evaluate, evaluate_and_report};

pub const MODULE: Module = Module {
    name: "lstm",
    functions: &[
        ("objective", |input| {
            evaluate(input, |i: &Input| loss(&i.main, &i.extra, &i.state, &i.text, i.width))
        }),
        ("jacobian", |input| {
            evaluate_and_report(
                input,
                |i: &Input| loss::gradient(&i.main, &i.extra, &i.state, &i.text, i.width).1,
                |_, (main, extra)| [main, extra].concat(),
            )
        }),
    ],
};

#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    main: Vec<f64>,
    extra: Vec<f64>,
    state: Vec<f64>,
    text: Vec<f64>,
    width: usize,
}

#[derive(Deserialize)]
struct Unchecked {
    main_params: Matrix,
    extra_params: Matrix,
    state: Matrix,
    sequence: Matrix,
}

impl TryFrom<Unchecked> for Input {
    type Error = String;

    fn try_from(input: Unchecked) -> Result<Self, Self::Error> {
        let Unchecked { main_params, extra_params, state, sequence } = input;
        let width = sequence.columns;
        let layers = state.rows / 2;
        if width == 0 || layers == 0 || sequence.rows < 2 {
            return Err("a layer and two characters are the least".to_owned());
        }
        state.expect_shape("state", 2 * layers, width)?;
        main_params.expect_shape("main_params", 2 * layers, 4 * width)?;
        extra_params.expect_shape("extra_params", 3, width)?;
        Ok(Self {
            main: main_params.entries,
            extra: extra_params.entries,
            state: state.entries,
            text: sequence.entries,
            width,
        })
    }
}

#[adjoint]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// One step of a layer: `signal` is what comes in, and what goes out. `parameters` are the weights of the gates
/// that forget, that let in and that let out, and of the change, then the biases of these four; `state` is what the layer put
/// out last, and the contents of its cells.
#[adjoint(independents(parameters, state, signal), dependents(state, signal))]
fn step(parameters: &[f64], state: &mut [f64], signal: &mut [f64]) {
    let n = signal.len();
    let (weights, biases) = parameters.split_at(4 * n);
    let (hidden, cells) = state.split_at_mut(n);
    for i in 0..n {
        let forget = sigmoid(signal[i] * weights[i] + biases[i]);
        let admit = sigmoid(hidden[i] * weights[n + i] + biases[n + i]);
        let emit = sigmoid(signal[i] * weights[2 * n + i] + biases[2 * n + i]);
        let change = (hidden[i] * weights[3 * n + i] + biases[3 * n + i]).tanh();
        cells[i] = cells[i] * forget + admit * change;
        hidden[i] = emit * cells[i].tanh();
        signal[i] = hidden[i];
    }
}

/// ln(2 + Σ exp(xᵢ)): the prediction has two classes more, with the logit 0.
#[adjoint(independents(x), dependents(return))]
fn log_sum_exp_and_two(x: &[f64]) -> f64 {
    let sum: f64 = x.iter().map(|value| value.exp()).sum();
    (sum + 2.0).ln()
}

/// The cross entropy of the characters of a text and their predictions by layers of long short-term memory
/// (Hochreiter and Schmidhuber 1997), per bit. All matrices of weights are diagonal, as in ADBench.
///
/// `main` holds the parameters of the layers, see [`step()`]; `extra` the weights of the input, and the weights and biases of the
/// output; `state` the outputs and cells of each layer in the beginning; `text` a row of `width` bits for each character.
#[adjoint(independents(main, extra), dependents(return))]
fn loss(main: &[f64], extra: &[f64], state: &[f64], text: &[f64], width: usize) -> f64 {
    let layers = state.len() / (2 * width);
    let characters = text.len() / width;
    let mut state = state.to_vec();
    let mut signal = vec![0.0; width];
    let mut total = 0.0;
    for t in 0..characters - 1 {
        let character = &text[t * width..(t + 1) * width];
        for i in 0..width {
            signal[i] = character[i] * extra[i];
        }
        for layer in 0..layers {
            let parameters = &main[8 * width * layer..8 * width * (layer + 1)];
            step(parameters, &mut state[2 * width * layer..2 * width * (layer + 1)], &mut signal);
        }
        for i in 0..width {
            signal[i] = signal[i] * extra[width + i] + extra[2 * width + i];
        }
        let normaliser = log_sum_exp_and_two(&signal);
        let next = &text[(t + 1) * width..(t + 2) * width];
        for i in 0..width {
            total += next[i] * (signal[i] - normaliser);
        }
    }
    -total / (width * (characters - 1)) as f64
}
