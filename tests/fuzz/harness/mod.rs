//! Compiles functions, and compares their derivatives with dual numbers.

mod compiler;
mod modules;
mod relatives;

use crate::expansion::{Outcome, caught, check};
use crate::program::{self, Program, root};
use compiler::{Crate, FUNCTIONS, Lints};
use corpus_build::second::has_hessian;
use corpus_build::source::Source;
use corpus_build::variants::{self, Variant};
use modules::{PLAIN, Part};
pub use relatives::{Fault, Tally, examine_relatives, expand_relatives};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::Item;

/// The folder for the generated crates.
pub fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root().join("target")).join("fuzz")
}

/// What the library says where rustc finds out what a macro cannot see.
const OWN_WORDS: [&str; 15] = [
    compiler::PROOF,
    "as if it were",
    "may be changed by way of a shared reference",
    "when this temporary is dropped depends",
    "what is differentiated here is not said",
    "called here has no adjoint",
    "called here has no second derivatives",
    "which the macro cannot see here",
    "is written to a field that is marked `#[passive]`",
    "effects that must happen once",
    "has no derivative",
    "has no adjoint",
    "has no second derivatives",
    "cannot be stored for the backward sweep",
    "may contain interior mutability",
];

/// Something wrong with a function.
#[derive(Clone)]
pub struct Finding {
    /// The function.
    pub program: Program,
    /// What is wrong.
    pub what: String,
}

/// What came out of some functions.
#[derive(Clone, Default)]
pub struct Report {
    /// How many there were.
    pub programs: usize,
    /// How many the macro accepts.
    pub accepted: usize,
    /// How many rustc accepts of these, without the attribute.
    pub plain: usize,
    /// How many the library refuses, in its own words, where only rustc sees what a name stands for.
    pub refused: usize,
    /// How many it accepts with the attribute.
    pub compiled: usize,
    /// How many were compared with dual numbers.
    pub compared: usize,
    /// How many could not be compared, by the reason.
    pub unusable: BTreeMap<String, usize>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Adds what came out of others.
    pub fn add(&mut self, other: Report) {
        self.programs += other.programs;
        self.accepted += other.accepted;
        self.plain += other.plain;
        self.refused += other.refused;
        self.compiled += other.compiled;
        self.compared += other.compared;
        for (why, count) in other.unusable {
            *self.unusable.entry(why).or_default() += count;
        }
        self.findings.extend(other.findings);
    }

    /// The figures in a line.
    pub fn summary(&self) -> String {
        let Self { programs, accepted, plain, refused, compiled, compared, unusable, findings } =
            self;
        format!(
            "{programs} functions, {accepted} accepted by the macro, {plain} of them by rustc, {refused} refused in \
             the library's words, {compiled} compiled with derivatives, {compared} compared, {} findings; not compared: {unusable:?}",
            findings.len()
        )
    }
}

/// What is done with the functions that compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Nothing.
    Compile,
    /// Their derivatives are compared with dual numbers.
    Compare,
    /// Their Hessians are, if they have one.
    CompareSecond,
}

/// A function on its way.
struct Candidate {
    program: Program,
    source: Source,
}

/// Whether the macro accepts all annotated functions of a program.
fn is_accepted(program: &Program) -> bool {
    let annotated = program.items.iter().filter_map(|item| match item {
        Item::Fn(function) => program::adjoint(function).map(|attr| (attr, function)),
        _ => None,
    });
    annotated.into_iter().all(|(attr, function)| {
        let (options, item) = program::annotated(attr, function);
        check(&options, &item) == Ok(Outcome::Accepted)
    })
}

/// Takes functions through all steps, in a crate in that folder.
pub fn examine(programs: Vec<Program>, folder: &Path, depth: Depth) -> Report {
    let mut report = Report { programs: programs.len(), ..Report::default() };
    let accepted = programs.into_iter().filter(is_accepted);
    let candidates = accepted.enumerate().filter_map(|(number, program)| {
        let name = format!("p{number}");
        let source = caught(|| Source::of(&name, program.items.clone())).ok()?;
        // What cannot be said in dual numbers is not compared.
        let sayable = caught(|| corpus_build::dual::items(&source)).is_ok();
        let is_meant = match depth {
            Depth::Compile => true,
            Depth::Compare => sayable,
            Depth::CompareSecond => sayable && has_hessian(&source),
        };
        is_meant.then_some(Candidate { program, source })
    });
    let mut candidates: Vec<Candidate> = candidates.collect();
    report.accepted = candidates.len();
    let place = Crate::new(folder, FUNCTIONS);
    let variants: Vec<&Variant> = match depth {
        Depth::Compile => variants::ALL.iter().take(1).collect(),
        Depth::CompareSecond => Vec::new(),
        Depth::Compare => {
            let names = ["all", "no_all"];
            variants::ALL.iter().filter(|variant| names.contains(&variant.name)).collect()
        }
    };
    let references = match depth {
        Depth::Compile => vec![PLAIN],
        Depth::Compare | Depth::CompareSecond => vec![PLAIN, Part::Dual, Part::Cases],
    };
    let derivatives = match depth {
        Depth::Compile | Depth::Compare => Part::Variants,
        Depth::CompareSecond => Part::Second,
    };
    let mut plain_lints = Lints::default();
    while let Some(bad) = errors(&place, &candidates, &references, &[], &mut plain_lints) {
        candidates.retain(|candidate| !bad.contains_key(&candidate.source.name.to_string()));
    }
    report.plain = candidates.len();
    let mut lints = Lints::default();
    let parts = [references, vec![derivatives]].concat();
    while let Some(bad) = errors(&place, &candidates, &parts, &variants, &mut lints) {
        candidates.retain(|candidate| {
            let error = bad.get(&candidate.source.name.to_string());
            if error.is_some_and(|what| OWN_WORDS.iter().any(|words| what.contains(words))) {
                report.refused += 1;
            } else if let Some(what) = error {
                let (program, what) = (candidate.program.clone(), format!("rustc: {what}"));
                report.findings.push(Finding { program, what });
            }
            error.is_none()
        });
    }
    report.compiled = candidates.len();
    for candidate in &candidates {
        let name = candidate.source.name.to_string();
        for what in lints.beyond(&plain_lints, &name, "all") {
            report.findings.push(Finding { program: candidate.program.clone(), what });
        }
    }
    if depth != Depth::Compile && !candidates.is_empty() {
        run(&place, &candidates, &mut report);
    }
    report
}

/// Checks the candidates with rustc; the errors by the names of the modules. Nothing if there are none.
fn errors(
    place: &Crate,
    candidates: &[Candidate],
    parts: &[Part],
    variants: &[&Variant],
    lints: &mut Lints,
) -> Option<BTreeMap<String, String>> {
    let sources: Vec<Source> =
        candidates.iter().map(|candidate| candidate.source.clone()).collect();
    let has_cases = parts.contains(&Part::Cases);
    let mut files: Vec<(String, String)> = Vec::new();
    for part in parts {
        files.extend(modules::files(*part, &sources, variants, has_cases));
    }
    place.write(&files, &modules::main(&files, variants, has_cases));
    let is_run = !variants.is_empty() || parts.contains(&Part::Second);
    let command = if has_cases && is_run { "build" } else { "check" };
    let messages = place.messages(command, &files).expect("rustc ends");
    *lints = messages.lints;
    (!messages.errors.is_empty()).then_some(messages.errors)
}

/// Runs the program; it is started again after a function that ends it.
fn run(place: &Crate, candidates: &[Candidate], report: &mut Report) {
    // The functions with samples, in the order of the table.
    let cases = candidates.iter().flat_map(|candidate| {
        let roots = candidate.source.roots.len();
        std::iter::repeat_n(candidate, roots)
    });
    let cases: Vec<&Candidate> = cases.collect();
    let mut first = 0;
    while first < cases.len() {
        let mut command = Command::new("sh");
        let program = place.program();
        // A function that uses all of the time or the memory is ended.
        command.args(["-c", "ulimit -v 4000000; exec timeout 60 \"$0\" \"$1\""]);
        let output = command.arg(&program).arg(first.to_string()).output().expect("sh runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let (mut begun, mut runs) = (None, None);
        for line in text.lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(word), Some(number)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            let rest = words.next().unwrap_or_default();
            match word {
                "begin" => begun = Some(number),
                "runs" => runs = Some(number),
                "compared" => report.compared += 1,
                "unusable" => *report.unusable.entry(rest.to_owned()).or_default() += 1,
                "wrong" => {
                    let program = cases[number].program.clone();
                    report.findings.push(Finding { program, what: format!("wrong: {rest}") });
                }
                _ => continue,
            }
            if ["compared", "unusable", "wrong"].contains(&word) {
                begun = None;
            }
        }
        let Some(ended) = begun else { break };
        if runs == Some(ended) {
            let program = cases[ended].program.clone();
            let what = "wrong: the derivative does not end".to_owned();
            report.findings.push(Finding { program, what });
        } else {
            *report.unusable.entry("it does not end".to_owned()).or_default() += 1;
        }
        first = ended + 1;
    }
}
