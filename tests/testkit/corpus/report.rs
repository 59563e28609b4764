//! Failures, collected.

use std::fmt;

/// What has been checked and what was wrong.
#[derive(Debug, Default)]
pub struct Report {
    checks: usize,
    failures: Vec<String>,
}

/// More failures than that are counted only.
const SHOWN: usize = 200;

impl Report {
    /// Notes the outcome of a check.
    pub fn check(&mut self, holds: bool, failure: impl FnOnce() -> String) {
        self.checks += 1;
        if !holds {
            self.failures.push(failure());
        }
    }

    /// How many checks there were.
    pub fn checks(&self) -> usize {
        self.checks
    }

    /// # Panics
    /// If anything was wrong: with all of it.
    pub fn assert_passed(&self) {
        assert!(self.failures.is_empty(), "{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} checks failed", self.failures.len(), self.checks)?;
        for failure in self.failures.iter().take(SHOWN) {
            writeln!(f, "  {failure}")?;
        }
        if self.failures.len() > SHOWN {
            writeln!(f, "  …")?;
        }
        Ok(())
    }
}
