//! Compiles relatives, and compares them with what they are without our attributes.

use super::OWN_WORDS;
use super::compiler::{Crate, Lints, RELATIVES};
use crate::expansion::{self, Expansion};
use crate::program::root;
use crate::relatives::{self, Relative};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What became of a relative with which something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A value, an effect or a derivative is another one.
    Wrong,
    /// A derivative or the macro does not end.
    Hang,
    /// The macro panics.
    Panic,
    /// rustc refuses what is generated.
    Rustc,
    /// rustc warns of what is generated.
    Lint,
}

/// Something wrong with a relative.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The relative.
    pub relative: Relative,
    /// Of which kind.
    pub fault: Fault,
    /// What is wrong.
    pub what: String,
}

/// What became of some relatives.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many rustc accepts without our attributes.
    pub valid: usize,
    /// How many it does not, with the errors: the generator is to blame.
    pub invalid: Vec<(Relative, String)>,
    /// How many are refused, by the reason.
    pub refused: BTreeMap<String, usize>,
    /// How many are right, derivatives included.
    pub right: usize,
    /// How many have the right values and effects, and no derivative that differences could tell.
    pub unusable: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Tally {
    /// Adds what came out of others.
    pub fn add(&mut self, other: Tally) {
        self.valid += other.valid;
        self.invalid.extend(other.invalid);
        for (reason, count) in other.refused {
            *self.refused.entry(reason).or_default() += count;
        }
        self.right += other.right;
        self.unusable += other.unusable;
        self.findings.extend(other.findings);
    }

    /// How many are refused.
    pub fn refusals(&self) -> usize {
        self.refused.values().sum()
    }

    /// How many findings of a kind there are.
    pub fn count(&self, fault: Fault) -> usize {
        self.findings.iter().filter(|finding| finding.fault == fault).count()
    }

    /// The figures in a line.
    pub fn summary(&self) -> String {
        format!(
            "{} run, {} accepted, {} refused, {} wrong, {} hangs, {} panics, {} errors of rustc, {} lints, {} without comparable \
             derivatives, {} invalid",
            self.valid,
            self.valid - self.refusals(),
            self.refusals(),
            self.count(Fault::Wrong),
            self.count(Fault::Hang),
            self.count(Fault::Panic),
            self.count(Fault::Rustc),
            self.count(Fault::Lint),
            self.unusable,
            self.invalid.len()
        )
    }

    /// The reasons of refusals, the most frequent first.
    pub fn reasons(&self) -> String {
        let mut reasons: Vec<(&String, &usize)> = self.refused.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
        let lines = reasons.iter().map(|(reason, count)| format!("{count:6} {reason}\n"));
        lines.collect()
    }
}

/// A relative on its way, under the name of its module.
struct Candidate {
    name: String,
    relative: Relative,
}

/// Takes relatives through all steps, in a crate in that folder.
pub fn examine_relatives(relatives: Vec<Relative>, folder: &Path) -> Tally {
    let place = Crate::new(folder, RELATIVES);
    let (candidates, plain_lints, mut tally) = expanded(relatives, &place);
    compile_and_run(&place, candidates, &plain_lints, &mut tally);
    tally
}

/// Takes relatives as far as the macro: nothing of what it generates is compiled.
pub fn expand_relatives(relatives: Vec<Relative>, folder: &Path) -> Tally {
    expanded(relatives, &Crate::new(folder, RELATIVES)).2
}

/// The relatives that rustc accepts without our attributes and the macro with them; the warnings that there are without.
fn expanded(relatives: Vec<Relative>, place: &Crate) -> (Vec<Candidate>, Lints, Tally) {
    let mut tally = Tally::default();
    let named = relatives.into_iter().enumerate();
    let mut candidates: Vec<Candidate> = named
        .map(|(number, relative)| Candidate { name: format!("p{number}"), relative })
        .collect();
    let mut lints = Lints::default();
    // Nothing of ours is in these: rustc ends.
    while let Some(bad) = errors(place, &candidates, false, &mut lints).expect("rustc ends") {
        remove(&mut candidates, &bad, &mut |relative, error| {
            tally.invalid.push((relative, error.to_owned()));
        });
    }
    tally.valid = candidates.len();
    candidates.retain(|candidate| is_expanded(&candidate.relative, &mut tally));
    (candidates, lints, tally)
}

/// Whether the macro accepts all that is annotated in a relative, and says so in time. Functions that macros make only rustc sees.
fn is_expanded(relative: &Relative, tally: &mut Tally) -> bool {
    let relative = relative.clone();
    match expansion::of_module(&relative.text()) {
        Expansion::Accepted => return true,
        Expansion::Refused(message) => {
            *tally.refused.entry(without_names(&message)).or_default() += 1;
        }
        Expansion::Panic(what) => {
            tally.findings.push(Finding { relative, fault: Fault::Panic, what });
        }
        Expansion::Hang => {
            let what = "the expansion does not end".to_owned();
            tally.findings.push(Finding { relative, fault: Fault::Hang, what });
        }
    }
    false
}

/// The first line of a message, without what differs.
fn without_names(message: &str) -> String {
    let line = message.trim_matches('"').split(['\n', '\\']).next().unwrap_or_default();
    let line = line.split(" (derived)").next().unwrap_or_default();
    let parts = line.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { "…" }).collect()
}

fn compile_and_run(
    place: &Crate,
    mut candidates: Vec<Candidate>,
    plain_lints: &Lints,
    tally: &mut Tally,
) {
    let mut lints = Lints::default();
    loop {
        if candidates.is_empty() {
            return;
        }
        match errors(place, &candidates, true, &mut lints) {
            Ok(None) => break,
            Ok(Some(bad)) => remove(&mut candidates, &bad, &mut |relative, error| {
                classify(relative, error, tally);
            }),
            // Which of them it is that does not end is found by halves.
            Err(()) if candidates.len() == 1 => {
                let relative = candidates.remove(0).relative;
                let what = "rustc does not end".to_owned();
                tally.findings.push(Finding { relative, fault: Fault::Hang, what });
                return;
            }
            Err(()) => {
                let rest = candidates.split_off(candidates.len() / 2);
                compile_and_run(place, candidates, plain_lints, tally);
                compile_and_run(place, rest, plain_lints, tally);
                return;
            }
        }
    }
    for candidate in &candidates {
        for what in lints.beyond(plain_lints, &candidate.name, "derived") {
            let relative = candidate.relative.clone();
            tally.findings.push(Finding { relative, fault: Fault::Lint, what });
        }
    }
    run(place, &candidates, tally);
}

fn remove(
    candidates: &mut Vec<Candidate>,
    bad: &BTreeMap<String, String>,
    found: &mut dyn FnMut(Relative, &str),
) {
    candidates.retain(|candidate| match bad.get(&candidate.name) {
        Some(error) => {
            found(candidate.relative.clone(), error);
            false
        }
        None => true,
    });
}

/// An error of rustc in a relative that it accepts without our attributes.
fn classify(relative: Relative, error: &str, tally: &mut Tally) {
    let panic = "attribute panicked";
    // The macro's own errors have no code. Nor have rustc's on syntax and macros.
    let of_rustc = ["expected", "cannot find", "no rules"];
    let without_code = error.strip_prefix(' ');
    let is_ours =
        without_code.is_some_and(|text| !of_rustc.iter().any(|words| text.starts_with(words)));
    if error.contains(panic) {
        let what = error.to_owned();
        tally.findings.push(Finding { relative, fault: Fault::Panic, what });
    } else if is_ours || OWN_WORDS.iter().any(|words| error.contains(words)) {
        *tally.refused.entry(without_names(error.trim())).or_default() += 1;
    } else {
        let what = format!("rustc: {error}");
        tally.findings.push(Finding { relative, fault: Fault::Rustc, what });
    }
}

/// The errors of rustc, by the names of the modules; nothing if there are none.
fn errors(
    place: &Crate,
    candidates: &[Candidate],
    is_derived: bool,
    lints: &mut Lints,
) -> Result<Option<BTreeMap<String, String>>, ()> {
    let texts = || {
        let shared = candidates.first().and_then(|candidate| candidate.relative.class.shared());
        let shared = shared.map(|text| ("shared".to_owned(), text));
        let own = candidates.iter();
        let own = own.map(|candidate| (candidate.name.clone(), candidate.relative.beside_shared()));
        shared.into_iter().chain(own)
    };
    let plain = texts().map(|(name, text)| (name, relatives::plain(&text)));
    let mut files = vec![("plain".to_owned(), by_module("plain", plain))];
    if is_derived {
        let runs = candidates.iter().map(|candidate| (candidate.name.clone(), case(candidate)));
        files.push(("derived".to_owned(), by_module("derived", texts())));
        files.push(("runs".to_owned(), by_module("runs", runs)));
    }
    let main = main(&files, candidates, is_derived);
    place.write(&files, &main);
    let messages = place.messages(if is_derived { "build" } else { "check" }, &files).ok_or(())?;
    let is_known = |name: &String| candidates.iter().any(|candidate| candidate.name == *name);
    let elsewhere = messages.errors.iter().find(|(name, _)| !is_known(name));
    assert!(elsewhere.is_none(), "{elsewhere:?}");
    *lints = messages.lints;
    Ok((!messages.errors.is_empty()).then_some(messages.errors))
}

fn by_module(name: &str, modules: impl Iterator<Item = (String, String)>) -> String {
    let modules = modules.map(|(name, text)| format!("    pub mod {name} {{\n{text}\n    }}\n"));
    format!("pub mod {name} {{\n{}}}\n", modules.collect::<String>())
}

/// The entries of a relative.
fn case(Candidate { name, relative }: &Candidate) -> String {
    let bars = if relative.has_pole() { "MayBeUndefined" } else { "Defined" };
    format!(
        "use crate::{{derived::{name} as derived, plain::{name} as plain}};\n\
         pub const CASE: crate::relatives::Case = crate::relatives::Case {{\n\
         plain: plain::f,\n\
         bars: crate::relatives::Bars::{bars},\n\
         own: derived::f,\n\
         gradient: |x, n, c| derived::f::gradient(x, n, c),\n\
         tangent: |x, x_d, n, c| derived::f::tangent(x, x_d, n, c),\n\
         adjoint: |x, x_b, n, c| derived::f::adjoint(x, x_b, n, c, 1.0),\n\
         forward: |stack, x, n, c| derived::f::forward(stack, x, n, c),\n\
         backward: |stack, x, x_b, n, c| derived::f::backward(stack, x, x_b, n, c, 1.0),\n\
         }};"
    )
}

/// The root of the crate.
fn main(files: &[(String, String)], candidates: &[Candidate], is_derived: bool) -> String {
    let runtime = root().canonicalize().expect("the repository is there");
    let runtime = runtime.join("tests/testkit/relatives/mod.rs");
    let mut text = format!("#[path = {:?}]\npub mod relatives;\n", runtime.to_string_lossy());
    for (name, _) in files {
        let _ = writeln!(text, "include!(\"{name}.rs\");");
    }
    let cases: Vec<String> = match is_derived {
        true => {
            candidates.iter().map(|candidate| format!("runs::{}::CASE", candidate.name)).collect()
        }
        false => Vec::new(),
    };
    text + &format!("fn main() {{ relatives::examine(&[{}]); }}\n", cases.join(", "))
}

/// Runs the program; it is started again behind a function that ends it.
fn run(place: &Crate, candidates: &[Candidate], tally: &mut Tally) {
    let mut first = 0;
    while first < candidates.len() {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 4000000; exec timeout 20 \"$0\" \"$1\""]);
        let output = command.arg(place.program()).arg(first.to_string()).output().expect("sh runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let (mut begun, mut prepared) = (None, BTreeSet::new());
        for line in text.lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(word), Some(number)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            match word {
                "begin" => begun = Some(number),
                "runs" => _ = prepared.insert(number),
                "compared" => (tally.right, begun) = (tally.right + 1, None),
                "unusable" => (tally.unusable, begun) = (tally.unusable + 1, None),
                "wrong" => {
                    let what = words.next().unwrap_or_default().to_owned();
                    let relative = candidates[number].relative.clone();
                    tally.findings.push(Finding { relative, fault: Fault::Wrong, what });
                    begun = None;
                }
                _ => {}
            }
        }
        let Some(ended) = begun else { break };
        let relative = candidates[ended].relative.clone();
        if prepared.contains(&ended) {
            let what = "the derivative does not end".to_owned();
            tally.findings.push(Finding { relative, fault: Fault::Hang, what });
        } else {
            tally.invalid.push((relative, "it does not end".to_owned()));
            tally.valid -= 1;
        }
        first = ended + 1;
    }
}
