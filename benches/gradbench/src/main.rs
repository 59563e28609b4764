//! A tool for GradBench: it reads messages from its standard input, one JSON object a line, and answers
//! each of them on its standard output. `docs/gradbench.md` says how the suite drives it.

#![allow(clippy::needless_range_loop)] // numerical code is full of indices

mod evals;
mod matrix;
mod protocol;
mod runs;

use std::io;

fn main() -> io::Result<()> {
    protocol::serve(io::stdin().lock(), io::stdout().lock(), evals::MODULES)
}
