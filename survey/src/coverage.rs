//! The tables of `docs/coverage.md`.

use crate::classify::Outcome;
use crate::crates::Entry;
use crate::record::{Record, UnitRecord};
use crate::run::Driven;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many functions there are of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    functions: usize,
    compiled: usize,
    in_place: usize,
    by_macro: usize,
    by_trait: usize,
    generated: usize,
    panicked: usize,
    driven: usize,
    agreed: usize,
    wrong: usize,
}

impl Counts {
    fn of<'u>(units: impl Iterator<Item = &'u UnitRecord>) -> Self {
        let mut counts = Self::default();
        for unit in units {
            counts.functions += 1;
            match unit.outcome {
                Outcome::Compiled => counts.compiled += 1,
                Outcome::InPlace => counts.in_place += 1,
                Outcome::Macro => counts.by_macro += 1,
                Outcome::Trait => counts.by_trait += 1,
                Outcome::Generated => counts.generated += 1,
                Outcome::Panicked => counts.panicked += 1,
                Outcome::Absent => counts.functions -= 1,
            }
            if let Some(driven) = &unit.driven {
                let points = driven.agreed + driven.not_comparable + driven.wrong.len();
                counts.driven += usize::from(points > 0);
                counts.agreed += usize::from(points > 0 && driven.wrong.is_empty());
                counts.wrong += usize::from(!driven.wrong.is_empty());
            }
        }
        counts
    }

    fn add(&mut self, other: &Self) {
        self.functions += other.functions;
        self.compiled += other.compiled;
        self.in_place += other.in_place;
        self.by_macro += other.by_macro;
        self.by_trait += other.by_trait;
        self.generated += other.generated;
        self.panicked += other.panicked;
        self.driven += other.driven;
        self.agreed += other.agreed;
        self.wrong += other.wrong;
    }

    fn cells(&self) -> String {
        let Self {
            functions,
            compiled,
            in_place,
            by_macro,
            by_trait,
            generated,
            panicked,
            driven,
            agreed,
            wrong,
        } = self;
        format!(
            "{functions} | {compiled} | {in_place} | {by_macro} | {by_trait} | {generated} | {panicked} | {driven} | {agreed} | {wrong}"
        )
    }
}

const HEAD: &str = "functions | compiled | lowered in place | refused by the macro | refused by a trait | error of rustc | panic | driven | agreed | wrong";
const RULE: &str = "--:|--:|--:|--:|--:|--:|--:|--:|--:|--:";

/// Functions and methods with arithmetic of their own.
fn counted(record: &Record) -> impl Iterator<Item = &UnitRecord> {
    record
        .units
        .iter()
        .filter(|unit| unit.counted && (unit.kind == "function" || unit.kind == "method"))
}

/// One line about a crate, for the terminal.
pub fn line(record: &Record) -> String {
    let own = Counts::of(counted(record).filter(|unit| !unit.foreign));
    let foreign = Counts::of(counted(record).filter(|unit| unit.foreign));
    let failure = record.failure.as_ref().map(|text| format!("\n  {text}")).unwrap_or_default();
    format!(
        "  own {own:?}\n  foreign {foreign:?}\n  {} rounds, {} s{failure}",
        record.rounds, record.seconds
    )
}

/// The whole page.
pub fn page(all: &[Entry], records: &[Record]) -> String {
    let mut page = include_str!("coverage.md").to_string();
    crates(&mut page, all, records);
    reasons(&mut page, records);
    errors(&mut page, records);
    wrong(&mut page, records);
    saturated(&mut page, records);
    suspects(&mut page, records);
    others(&mut page, records);
    page
}

fn crates(page: &mut String, all: &[Entry], records: &[Record]) {
    for (title, foreign) in [
        ("Functions of types that the crate itself defines", false),
        ("Functions that mention types of other crates", true),
    ] {
        let _ = write!(
            page,
            "\n## {title}\n\n| crate | version | commit | {HEAD} |\n|---|---|---|{RULE}|\n"
        );
        let mut sum = Counts::default();
        for record in records {
            let counts = Counts::of(counted(record).filter(|unit| unit.foreign == foreign));
            if counts.functions > 0 {
                sum.add(&counts);
                let Record { name, version, commit, .. } = record;
                let _ = writeln!(page, "| {name} | {version} | {commit} | {} |", counts.cells());
            }
        }
        let _ = writeln!(page, "| all | | | {} |", sum.cells());
        if sum.functions > 0 {
            let part = |count: usize| 100.0 * count as f64 / sum.functions as f64;
            let _ = writeln!(
                page,
                "\nAccepted by the macro: {:.1} %. Compiled as they stand, with derivatives of their own: {:.1} %. Lowered in place of their calls: {:.1} %.",
                part(sum.functions - sum.by_macro - sum.panicked),
                part(sum.compiled),
                part(sum.in_place)
            );
        }
    }
    let notes = all.iter().filter(|entry| !entry.notes.is_empty());
    let notes: Vec<String> = notes
        .map(|entry| format!("* {} {}: {}\n", entry.name, entry.version, entry.notes))
        .collect();
    if !notes.is_empty() {
        let _ = write!(page, "\n{}", notes.concat());
    }
    let _ = writeln!(page, "\n## Crates that were not surveyed to the end\n");
    for entry in all {
        match records.iter().find(|record| record.name == entry.name) {
            None => {
                let _ = writeln!(page, "* {} {}: no record", entry.name, entry.version);
            }
            Some(record) => {
                if let Some(failure) = &record.failure {
                    let text: String = failure
                        .split_whitespace()
                        .collect::<Vec<_>>()
                        .join(" ")
                        .chars()
                        .take(300)
                        .collect();
                    let _ = writeln!(
                        page,
                        "* {} {}: {}",
                        entry.name,
                        entry.version,
                        text.replace('`', "'")
                    );
                }
            }
        }
    }
}

/// A table of texts by how often they occur, those that occur `least` times.
fn table(
    page: &mut String,
    head: &str,
    least: usize,
    texts: impl Iterator<Item = (String, String)>,
) {
    let mut counts: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (text, example) in texts {
        counts.entry(text).or_insert((0, example)).0 += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().filter(|(_, (count, _))| *count >= least).collect();
    sorted.sort_by(|left, right| right.1.0.cmp(&left.1.0).then(left.0.cmp(&right.0)));
    let _ = write!(page, "\n| {head} | functions | for instance |\n|---|--:|---|\n");
    for (text, (count, example)) in sorted {
        let _ = writeln!(page, "| {} | {count} | {example} |", text.replace('|', "\\|"));
    }
}

/// The reason, and what has become of the function that has no adjoint, if it is that.
fn detailed(record: &Record, unit: &UnitRecord) -> String {
    let of_call = unit.reason.ends_with("called here has no adjoint");
    if !of_call {
        return unit.reason.clone();
    }
    let mut words = unit.marked.split(|c: char| !c.is_alphanumeric() && c != '_');
    let callee = words.rfind(|word| !word.is_empty()).unwrap_or_default();
    let named: Vec<&UnitRecord> = record
        .units
        .iter()
        .filter(|other| other.path.rsplit("::").next() == Some(callee))
        .collect();
    let refused = named.iter().any(|other| {
        !matches!(other.outcome, Outcome::Compiled | Outcome::InPlace | Outcome::Absent)
    });
    let what = match (named.is_empty(), refused) {
        (true, _) => "it is of a trait, of a macro or of another crate",
        (false, true) => "it is refused itself",
        (false, false) => "there is an annotated one of that name",
    };
    format!("{}: {what}", unit.reason)
}

/// The names in a message.
fn names(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    first.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(", ")
}

fn example(record: &Record, unit: &UnitRecord) -> String {
    let line: String = unit.line.chars().take(80).collect();
    let line = line.replace('`', "'").replace('|', "\\|");
    match line.is_empty() {
        true => format!("{} `{}`", record.name, unit.path),
        false => format!("{} `{}`: `{line}`", record.name, unit.path),
    }
}

fn units(records: &[Record]) -> impl Iterator<Item = (&Record, &UnitRecord)> {
    records.iter().flat_map(|record| counted(record).map(move |unit| (record, unit)))
}

fn reasons(page: &mut String, records: &[Record]) {
    for (title, outcome) in
        [("Refused by the macro", Outcome::Macro), ("Refused by a trait", Outcome::Trait)]
    {
        for (whose, foreign) in [("", false), (", of other crates' types", true)] {
            let _ = writeln!(page, "\n## {title}{whose}");
            let of = || {
                units(records)
                    .filter(move |(_, unit)| unit.outcome == outcome && unit.foreign == foreign)
            };
            let lines = of().map(|(record, unit)| (detailed(record, unit), example(record, unit)));
            table(page, "reason", 1, lines);
            if outcome == Outcome::Macro && !foreign {
                let _ = writeln!(
                    page,
                    "\nThe same by the names in the messages, those that occur three times:"
                );
                let named = of().filter(|(_, unit)| unit.message.contains('`'));
                let lines = named.map(|(record, unit)| {
                    let first = unit.message.lines().next().unwrap_or_default();
                    let head = unit.reason.chars().take(60).collect::<String>();
                    (format!("`{}` ({head})", names(first)), example(record, unit))
                });
                table(page, "name", 3, lines);
            }
        }
    }
}

fn errors(page: &mut String, records: &[Record]) {
    let _ = writeln!(page, "\n## Errors of rustc in generated code, and panics");
    let of = units(records)
        .filter(|(_, unit)| matches!(unit.outcome, Outcome::Generated | Outcome::Panicked));
    let lines = of.map(|(record, unit)| (unit.reason.clone(), example(record, unit)));
    table(page, "error", 1, lines);
    let _ = writeln!(page, "\nErrors of rustc beside a refusal by a trait, in the same function:");
    let lines = units(records).flat_map(|(record, unit)| {
        unit.followed_by.iter().map(move |reason| (reason.clone(), example(record, unit)))
    });
    table(page, "error", 1, lines);
}

fn wrong(page: &mut String, records: &[Record]) {
    let _ = writeln!(page, "\n## What does not agree\n");
    for record in records {
        for unit in &record.units {
            let Some(driven) = &unit.driven else { continue };
            if let Some(first) = driven.wrong.first() {
                let text: String = first.chars().take(220).collect();
                let _ = writeln!(
                    page,
                    "* {} `{}`, {} points: {}",
                    record.name,
                    unit.path,
                    driven.wrong.len(),
                    text.replace('`', "'")
                );
            }
        }
    }
}

/// Where a derivative is not finite, and the function is.
fn saturated(page: &mut String, records: &[Record]) {
    let _ = writeln!(
        page,
        "\n## Derivatives that are not finite where numbers overflow\n\nAt some of the points numbers inside of the function have overflowed, and its derivative is not finite: around them the function is the same number to the last bit (`1 / eˣ` for a large `x`, whose derivative is `0 · ∞`), or the derivative is so large that its square overflows.\n"
    );
    for_driven(page, records, |driven| driven.saturated > 0);
}

/// What may be a derivative that got lost, and what is driven no further.
fn suspects(page: &mut String, records: &[Record]) {
    let _ = writeln!(page, "\n## Derivatives that are zero at all points\n");
    for_driven(page, records, |driven| {
        let points = driven.agreed + driven.not_comparable;
        points > 0 && driven.flat == points
    });
    let _ = writeln!(page, "\n## Functions that do not come to an end when they are driven\n");
    for_driven(page, records, |driven| !driven.ended);
}

fn for_driven(page: &mut String, records: &[Record], chosen: impl Fn(&Driven) -> bool) {
    for record in records {
        for unit in record.units.iter().filter(|unit| unit.driven.as_ref().is_some_and(&chosen)) {
            let _ = writeln!(page, "* {} `{}`", record.name, unit.path);
        }
    }
}

fn others(page: &mut String, records: &[Record]) {
    let _ = writeln!(
        page,
        "\n## What is not counted above\n\n| crate | methods of traits, compiled | of other traits | unsafe, async, extern | no derivative | without arithmetic, compiled | operators, compiled | types, derived | fields marked |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    for record in records {
        let ratio = |kind: fn(&UnitRecord) -> bool| {
            let counts = Counts::of(record.units.iter().filter(|unit| kind(unit)));
            format!("{} of {}", counts.compiled, counts.functions)
        };
        let of_trait = |unit: &UnitRecord| unit.kind == "method of a trait";
        let helper =
            |unit: &UnitRecord| !unit.counted && (unit.kind == "function" || unit.kind == "method");
        let marked: usize = record.units.iter().map(|unit| unit.passive_fields).sum();
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {marked} |",
            record.name,
            ratio(of_trait),
            record.not_taken.of_traits,
            record.not_taken.of_other_kinds,
            record.not_taken.without_derivative,
            ratio(helper),
            ratio(|unit| unit.kind == "operator"),
            ratio(|unit| unit.kind == "type"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(path: &str, outcome: Outcome, reason: &str) -> UnitRecord {
        UnitRecord {
            path: path.to_string(),
            kind: "function".to_string(),
            counted: true,
            foreign: false,
            takes_functions: false,
            outcome,
            reason: reason.to_string(),
            message: String::new(),
            line: String::new(),
            marked: String::new(),
            followed_by: Vec::new(),
            passive_fields: 0,
            driven: None,
            undriven: None,
        }
    }

    #[test]
    fn functions_are_counted_once() {
        let units = vec![
            unit("f", Outcome::Compiled, ""),
            unit("g", Outcome::Macro, "why"),
            unit("h", Outcome::Absent, ""),
            unit("i", Outcome::InPlace, ""),
        ];
        let record = Record {
            name: "a".to_string(),
            version: "1.0.0".to_string(),
            commit: "c0ffee".to_string(),
            units,
            ..Record::default()
        };
        let text = page(&[], std::slice::from_ref(&record));
        assert!(
            text.contains("| a | 1.0.0 | c0ffee | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |"),
            "{text}"
        );
        assert!(text.contains("| why | 1 | a `g` |"));
        assert!(text.contains("Accepted by the macro: 66.7 %"));
    }
}
