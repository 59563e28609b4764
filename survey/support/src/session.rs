//! The process that drives functions, and its lines of output.

use crate::oracle::{Case, examine};

/// Runs the functions of one crate from some number on, and prints a line before and after each one: a function that does not come to an
/// end, or takes the process with it, is the one whose second line is missing.
#[derive(Debug)]
pub struct Session {
    next: usize,
    first: usize,
}

impl Session {
    /// Leaves out the functions before `first`.
    #[must_use]
    pub fn starting_at(first: usize) -> Self {
        std::panic::set_hook(Box::new(|_| {}));
        Self { next: 0, first }
    }

    /// Drives a function.
    pub fn drive(&mut self, case: &Case) {
        let position = self.next;
        self.next += 1;
        if position < self.first {
            return;
        }
        println!("start\t{position}\t{}", case.name);
        let points = examine(case);
        let wrong: Vec<String> =
            points.wrong.iter().map(|line| line.replace(['\t', '\n'], " ")).collect();
        println!(
            "done\t{position}\t{}\t{}\t{}\t{}\t{}",
            points.agreed,
            points.not_comparable,
            points.flat,
            points.saturated,
            wrong.join("\t")
        );
    }
}
