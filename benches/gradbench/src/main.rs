//! A tool for GradBench: it reads messages from its standard input, one JSON object a line, and answers
//! each of them on its standard output. `docs/gradbench.md` says how the suite drives it.

use backsweep_gradbench::{evals, protocol};
use std::io;

fn main() -> io::Result<()> {
    protocol::serve(io::stdin().lock(), io::stdout().lock(), evals::MODULES)
}
