//! Annotates a crate, and takes out what does not compile until the rest does.

use crate::annotate::{Origin, Owner, Rendered};
use crate::cargo::{Cargo, Diagnostic};
use crate::classify::{Outcome, Words, reason};
use crate::select::{Insertion, Kind, Selection};
use crate::source::Source;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// How many times a crate is compiled at most.
const ROUNDS: usize = 80;

/// How many times at most those are tried again that a trait refuses.
const CHANCES: usize = 4;

/// What has become of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub outcome: Outcome,
    /// Why it is refused, without names.
    pub reason: String,
    pub message: String,
    /// The line at which it is refused.
    pub line: String,
    /// What is marked there.
    pub marked: String,
    /// Errors of rustc that came together with words of ours.
    pub followed_by: Vec<String>,
}

/// When rustc finds an error: what is found later may follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Expansion,
    Definitions,
    Names,
    Types,
}

fn stage(outcome: Outcome, error: &Diagnostic) -> Stage {
    if matches!(outcome, Outcome::Macro | Outcome::Panicked) {
        return Stage::Expansion;
    }
    match error.code.as_deref() {
        Some("E0255" | "E0428" | "E0252" | "E0260" | "E0119") => Stage::Definitions,
        Some("E0425" | "E0433" | "E0412" | "E0432" | "E0531" | "E0532" | "E0659") => Stage::Names,
        _ => Stage::Types,
    }
}

impl Verdict {
    fn plain(outcome: Outcome) -> Self {
        Self {
            outcome,
            reason: String::new(),
            message: String::new(),
            line: String::new(),
            marked: String::new(),
            followed_by: Vec::new(),
        }
    }
}

/// A crate that is being annotated.
pub struct Study<'s> {
    pub folder: PathBuf,
    pub source: &'s Source,
    pub selection: &'s Selection,
    pub edition_2015: bool,
    /// Those that are out, or not there.
    pub verdicts: BTreeMap<usize, Verdict>,
    /// Fields that are marked `#[passive]`: unit and position.
    pub passive: BTreeSet<(usize, usize)>,
    /// What drives units, by the module in which it stands.
    pub drivers: BTreeMap<usize, Insertion>,
    /// Further text, such as the frames of drivers: file and insertion.
    pub frames: Vec<(usize, Insertion)>,
    /// Why driving is not possible.
    pub undriven: BTreeMap<usize, String>,
    pub rounds: usize,
    /// Errors that belong to no unit.
    pub unplaced: Vec<String>,
    /// Blocks of which each method stands in one of its own for a while: an error of the whole block does not tell whose it is.
    split: BTreeSet<usize>,
    /// Those that have been split before.
    once_split: BTreeSet<usize>,
    /// Those that traits refused when they were tried again, each time.
    tried_again: Vec<BTreeSet<usize>>,
    written: Vec<Rendered>,
}

impl<'s> Study<'s> {
    pub fn new(
        folder: &Path,
        source: &'s Source,
        selection: &'s Selection,
        edition_2015: bool,
    ) -> Self {
        Self {
            folder: folder.to_path_buf(),
            source,
            selection,
            edition_2015,
            verdicts: BTreeMap::new(),
            passive: BTreeSet::new(),
            drivers: BTreeMap::new(),
            frames: Vec::new(),
            undriven: BTreeMap::new(),
            rounds: 0,
            unplaced: Vec::new(),
            split: BTreeSet::new(),
            once_split: BTreeSet::new(),
            tried_again: Vec::new(),
            written: Vec::new(),
        }
    }

    pub fn is_active(&self, unit: usize) -> bool {
        !self.verdicts.contains_key(&unit)
    }

    /// Finds out which units are there in this configuration, and that the crate compiles as it stands.
    pub fn find_present(&mut self, cargo: &Cargo) -> Result<()> {
        let marks = self.selection.units.iter().enumerate().map(|(id, unit)| {
            let text = format!("#[allow(survey_mark_{id})] ");
            (unit.module, Owner::Unit(id), Insertion { at: unit.insertion.at, text })
        });
        self.write(marks.collect())?;
        let run = cargo.check_marked(&self.folder)?;
        if let Some(error) = run.errors.first() {
            bail!("the crate does not compile as it stands: {}", error.message);
        }
        let present: HashSet<usize> = run
            .warnings
            .iter()
            .filter_map(|warning| {
                let (_, rest) = warning.message.split_once("survey_mark_")?;
                rest.trim_end_matches('`').parse().ok()
            })
            .collect();
        for id in 0..self.selection.units.len() {
            if !present.contains(&id) {
                self.verdicts.insert(id, Verdict::plain(Outcome::Absent));
            }
        }
        Ok(())
    }

    /// Annotates, and takes out what fails, until the rest compiles. Says whether it does.
    pub fn settle(&mut self, cargo: &Cargo, words: &Words) -> Result<bool> {
        for _ in 0..ROUNDS {
            self.rounds += 1;
            self.write(self.attributes())?;
            let run = cargo.check(&self.folder)?;
            println!(
                "  round {}: {} errors, {} units out, {} not driven",
                self.rounds,
                run.errors.len(),
                self.verdicts.len(),
                self.undriven.len()
            );
            if run.errors.is_empty() {
                if !self.split.is_empty() {
                    self.once_split.append(&mut self.split);
                } else if !self.try_again() {
                    return Ok(true);
                }
                continue;
            }
            if !self.take_out(&run.errors, words) {
                let errors = run.errors.iter().take(20);
                self.unplaced.extend(errors.map(|error| {
                    let place = error.places.first();
                    let place = place.map(|spot| format!("{}:{}", spot.file.display(), spot.line));
                    format!(
                        "{} {} ({})",
                        error.code.clone().unwrap_or_default(),
                        error.message,
                        place.unwrap_or_default()
                    )
                }));
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Puts back what traits refuse: what it wanted then, the derivative of a type of which a field was not marked yet, may be there
    /// now. Says whether there is something new to try.
    fn try_again(&mut self) -> bool {
        // What a getter leads to may have been marked meanwhile.
        let refused = self.verdicts.iter().filter(|(id, verdict)| {
            let is_getter = || self.selection.units[**id].is_getter();
            verdict.outcome == Outcome::Trait || verdict.outcome == Outcome::Macro && is_getter()
        });
        let refused: BTreeSet<usize> = refused.map(|(id, _)| *id).collect();
        let is_new = !refused.is_empty() && self.tried_again.last() != Some(&refused);
        if !is_new || !self.frames.is_empty() || self.tried_again.len() == CHANCES {
            return false;
        }
        self.verdicts.retain(|id, _| !refused.contains(id));
        // Errors of whole blocks have to be told apart once more.
        self.once_split.clear();
        self.tried_again.push(refused);
        true
    }

    /// All text that is put into the files: module, owner, text.
    fn attributes(&self) -> Vec<(usize, Owner, Insertion)> {
        let mut all = Vec::new();
        let mut blocks = BTreeSet::new();
        for (id, unit) in self.selection.units.iter().enumerate() {
            if !self.is_active(id) {
                continue;
            }
            all.push((unit.module, Owner::Unit(id), unit.insertion.clone()));
            blocks.extend(unit.block);
            for (position, field) in unit.fields.iter().enumerate() {
                if self.passive.contains(&(id, position)) {
                    let text = "#[passive] ".to_string();
                    all.push((unit.module, Owner::Unit(id), Insertion { at: field.at, text }));
                }
            }
        }
        for id in blocks {
            let block = &self.selection.blocks[id];
            match self.split.contains(&id) {
                true => self.split_block(id, &mut all),
                false => all.push((block.module, Owner::Block(id), block.insertion.clone())),
            }
        }
        for (unit, driver) in &self.drivers {
            if self.is_active(*unit) && !self.undriven.contains_key(unit) {
                all.push((
                    self.selection.units[*unit].module,
                    Owner::Driver(*unit),
                    driver.clone(),
                ));
            }
        }
        all
    }

    /// Closes the block before each of its active methods, and opens another one.
    fn split_block(&self, id: usize, all: &mut Vec<(usize, Owner, Insertion)>) {
        let block = &self.selection.blocks[id];
        let file = &self.source.files[self.source.modules[block.module].file];
        let head = &file.text[block.head.clone()];
        for owner in self.of_block(id) {
            let Owner::Unit(unit) = owner else { continue };
            let span = &self.selection.units[unit].span;
            let attribute = &block.insertion.text;
            let before = Insertion { at: span.start, text: format!("}} {attribute}{head} {{ ") };
            let after = Insertion { at: span.end, text: format!(" }} {head} {{ ") };
            // What stands at one place stands there in this order: the block begins before the attribute of the method.
            all.insert(0, (block.module, owner, before));
            all.push((block.module, owner, after));
        }
    }

    /// Writes the files, those that have changed.
    fn write(&mut self, insertions: Vec<(usize, Owner, Insertion)>) -> Result<()> {
        let rendered = self.rendered(insertions);
        for (position, (file, now)) in self.source.files.iter().zip(&rendered).enumerate() {
            if self.written.get(position).is_none_or(|before| before.text != now.text) {
                std::fs::write(self.folder.join(&file.path), &now.text)?;
            }
        }
        self.written = rendered;
        Ok(())
    }

    /// The files with everything that is put into them.
    fn rendered(&self, insertions: Vec<(usize, Owner, Insertion)>) -> Vec<Rendered> {
        let mut by_file: Vec<Vec<(Owner, Insertion)>> = vec![Vec::new(); self.source.files.len()];
        // The drivers of a module stand between the two halves of its frame.
        let (drivers, attributes): (Vec<_>, Vec<_>) =
            insertions.into_iter().partition(|(_, owner, _)| matches!(owner, Owner::Driver(_)));
        for (module, owner, insertion) in attributes {
            by_file[self.source.modules[module].file].push((owner, insertion));
        }
        for (module, insertion) in &self.frames {
            let file = self.source.modules[*module].file;
            by_file[file].push((Owner::Frame, insertion.clone()));
            for (of, owner, driver) in &drivers {
                if of == module {
                    by_file[file].push((*owner, driver.clone()));
                }
            }
            let dispatch = crate::drive::dispatch(self, *module);
            let close = Insertion { at: insertion.at, text: dispatch };
            by_file[file].push((Owner::Frame, close));
        }
        let text = self.crates_named();
        by_file[0].insert(0, (Owner::Frame, Insertion { at: self.source.files[0].start, text }));
        let files = self.source.files.iter().zip(by_file);
        files.map(|(file, insertions)| Rendered::new(&file.text, insertions)).collect()
    }

    /// What the root of the crate has to say for crates to be found: those that edition 2015 wants named, and the standard library, which
    /// generated code names.
    fn crates_named(&self) -> String {
        let mut text = String::new();
        if self.edition_2015 {
            text += "extern crate backsweep; extern crate backsweep_survey_support;\n";
        }
        let root = &self.source.files[0].text;
        if root.contains("no_std") && !root.contains("extern crate std") {
            text += "extern crate std;\n";
        }
        text
    }

    /// Takes out the units that errors belong to. Where the macro has refused something, or names are defined twice, later errors may
    /// follow from that and wait for the next round. Says whether there were any.
    fn take_out(&mut self, errors: &[Diagnostic], words: &Words) -> bool {
        let mut of_units: BTreeMap<usize, Vec<(Outcome, &Diagnostic)>> = BTreeMap::new();
        let mut of_drivers: BTreeMap<usize, &Diagnostic> = BTreeMap::new();
        let owned = |error: &&Diagnostic| !self.owners(error).is_empty();
        let first =
            errors.iter().filter(owned).map(|error| stage(words.outcome(error), error)).min();
        for error in errors {
            let outcome = words.outcome(error);
            if Some(stage(outcome, error)) != first {
                continue;
            }
            for owner in self.owners(error) {
                match owner {
                    Owner::Unit(id) => of_units.entry(id).or_default().push((outcome, error)),
                    Owner::Driver(id) => {
                        of_drivers.entry(id).or_insert(error);
                    }
                    Owner::Block(_) | Owner::Frame => {}
                }
            }
        }
        let split = self.split_blamed(errors, words, first);
        of_units.retain(|id, _| {
            !self.selection.units[*id].block.is_some_and(|block| split.contains(&block))
        });
        let any = !of_units.is_empty() || !of_drivers.is_empty() || !split.is_empty();
        self.split.extend(split);
        for (id, error) in of_drivers {
            self.undriven.insert(id, reason(error));
        }
        for (id, errors) in of_units {
            self.take_out_one(id, &errors);
        }
        self.take_out_of_traits();
        any
    }

    /// Takes out the methods that a trait declares and all of its `impl` blocks refuse: what calls them would fail wherever it is used.
    fn take_out_of_traits(&mut self) {
        let all = || 0..self.selection.units.len();
        let name_of = |id: usize| {
            let unit = &self.selection.units[id];
            let of_trait = self.selection.blocks[unit.block?].of_trait.as_deref()?;
            Some((of_trait, unit.name.as_str()))
        };
        let is_there = |id: &usize| {
            self.verdicts.get(id).is_none_or(|verdict| verdict.outcome != Outcome::Absent)
        };
        let is_missing = |declared: &usize| {
            let is_implementation = |id: &usize| {
                self.selection.units[*id].kind == Kind::OfTrait
                    && name_of(*id) == name_of(*declared)
            };
            let mut implementations = all().filter(is_there).filter(is_implementation).peekable();
            implementations.peek().is_some() && implementations.all(|id| !self.is_active(id))
        };
        let declared = all().filter(|id| self.selection.units[*id].kind == Kind::Declared);
        let missing: Vec<usize> =
            declared.filter(|id| self.is_active(*id)).filter(is_missing).collect();
        for id in missing {
            let message = "all that implement the method are refused";
            let (reason, message) = (message.to_string(), message.to_string());
            let verdict = Verdict { reason, message, ..Verdict::plain(Outcome::Trait) };
            self.verdicts.insert(id, verdict);
        }
    }

    /// Takes out what calls methods of traits by these names, whose instances do not compile. Says whether there was any.
    pub fn take_out_callers(&mut self, methods: &BTreeSet<String>) -> bool {
        let calls = |id: &usize| {
            let unit = &self.selection.units[*id];
            let file = &self.source.files[self.source.modules[unit.module].file];
            let text = &file.text[unit.span.clone()];
            let is_called = |name: &String| {
                [".", "::"].iter().any(|before| text.contains(&format!("{before}{name}(")))
            };
            unit.kind != Kind::Type && methods.iter().any(is_called)
        };
        let all = 0..self.selection.units.len();
        let callers: Vec<usize> = all.filter(|id| self.is_active(*id)).filter(calls).collect();
        let message =
            "a method of an annotated trait is called that the type implements without an adjoint";
        for id in &callers {
            let (reason, message) = (message.to_string(), message.to_string());
            let verdict = Verdict { reason, message, ..Verdict::plain(Outcome::Trait) };
            self.verdicts.insert(*id, verdict);
        }
        !callers.is_empty()
    }

    /// The blocks with several methods that errors are about as a whole, if they have not been split before.
    fn split_blamed(
        &self,
        errors: &[Diagnostic],
        words: &Words,
        first: Option<Stage>,
    ) -> BTreeSet<usize> {
        let now = errors.iter().filter(|error| Some(stage(words.outcome(error), error)) == first);
        let blocks = now.filter_map(|error| match self.origin(error.places.first()?)? {
            (_, Origin::Inserted(Owner::Block(id))) => Some(id),
            _ => None,
        });
        // What is of a trait stands in one block.
        let blocks = blocks.filter(|id| self.selection.blocks[*id].of_trait.is_none());
        blocks.filter(|id| !self.once_split.contains(id) && self.of_block(*id).len() > 1).collect()
    }

    fn take_out_one(&mut self, id: usize, errors: &[(Outcome, &Diagnostic)]) {
        let unit = &self.selection.units[id];
        if unit.kind == Kind::Type {
            // A field without a derivative is marked, as the message says.
            let marked: Vec<usize> = (0..unit.fields.len())
                .filter(|position| !self.passive.contains(&(id, *position)))
                .filter(|position| {
                    errors.iter().any(|(_, error)| self.within_field(id, *position, error))
                })
                .collect();
            if !marked.is_empty() && marked.len() < unit.fields.len() {
                self.passive.extend(marked.into_iter().map(|position| (id, position)));
                return;
            }
        }
        let severity = |outcome: &Outcome| match outcome {
            Outcome::Panicked => 0,
            Outcome::Macro => 1,
            Outcome::Trait => 2,
            Outcome::Generated => 3,
            Outcome::Compiled | Outcome::InPlace | Outcome::Absent => 4,
        };
        let Some((outcome, error)) = errors.iter().min_by_key(|(outcome, _)| severity(outcome))
        else {
            return;
        };
        let followed_by = errors
            .iter()
            .filter(|(other, _)| *other == Outcome::Generated && other != outcome)
            .map(|(_, error)| reason(error));
        let spot = error.places.first();
        self.verdicts.insert(
            id,
            Verdict {
                outcome: *outcome,
                reason: reason(error),
                message: error.message.clone(),
                line: spot.map(|spot| spot.text.clone()).unwrap_or_default(),
                marked: spot.map(|spot| spot.marked.clone()).unwrap_or_default(),
                followed_by: followed_by.collect(),
            },
        );
    }

    fn within_field(&self, id: usize, position: usize, error: &Diagnostic) -> bool {
        let unit = &self.selection.units[id];
        let field = &unit.fields[position].span;
        error.places.iter().any(|spot| {
            self.original(spot).is_some_and(|(file, at)| {
                file == self.source.modules[unit.module].file && field.contains(&at)
            })
        })
    }

    fn origin(&self, spot: &crate::cargo::Spot) -> Option<(usize, Origin)> {
        let file = self.source.files.iter().position(|file| file.path == spot.file)?;
        Some((file, self.written[file].origin(spot.start)))
    }

    fn original(&self, spot: &crate::cargo::Spot) -> Option<(usize, usize)> {
        match self.origin(spot)? {
            (file, Origin::Original(at)) => Some((file, at)),
            (_, Origin::Inserted(_)) => None,
        }
    }

    /// The units to which an error belongs: by the first of its places that is in one, else by the names that it mentions.
    fn owners(&self, error: &Diagnostic) -> Vec<Owner> {
        for spot in &error.places {
            let found = match self.origin(spot) {
                Some((_, Origin::Inserted(Owner::Unit(id)))) => vec![Owner::Unit(id)],
                Some((_, Origin::Inserted(Owner::Driver(id)))) => vec![Owner::Driver(id)],
                Some((_, Origin::Inserted(Owner::Block(id)))) => self.of_block(id),
                Some((file, Origin::Original(at))) => self.at(file, at),
                Some((_, Origin::Inserted(Owner::Frame))) | None => Vec::new(),
            };
            if !found.is_empty() {
                return found;
            }
        }
        self.mentioned(error)
    }

    fn of_block(&self, block: usize) -> Vec<Owner> {
        let units = self.selection.units.iter().enumerate();
        units
            .filter(|(id, unit)| unit.block == Some(block) && self.is_active(*id))
            .map(|(id, _)| Owner::Unit(id))
            .collect()
    }

    fn at(&self, file: usize, at: usize) -> Vec<Owner> {
        let units = self.selection.units.iter().enumerate();
        let around = units.filter(|(id, unit)| {
            self.source.modules[unit.module].file == file
                && unit.span.contains(&at)
                && self.is_active(*id)
        });
        if let Some((id, _)) = around.min_by_key(|(_, unit)| unit.span.len()) {
            return vec![Owner::Unit(id)];
        }
        let mut blocks = self.selection.blocks.iter();
        let head = blocks.position(|block| {
            self.source.modules[block.module].file == file && block.head.contains(&at)
        });
        head.map(|block| self.of_block(block)).unwrap_or_default()
    }

    /// Active units whose names stand in the message, of the file in which the error is if there are some.
    fn mentioned(&self, error: &Diagnostic) -> Vec<Owner> {
        let names: HashSet<&str> = error.message.split('`').skip(1).step_by(2).collect();
        let file = error.places.iter().find_map(|spot| self.origin(spot)).map(|(file, _)| file);
        let named: Vec<usize> = (0..self.selection.units.len())
            .filter(|id| self.is_active(*id))
            .filter(|id| names.contains(self.selection.units[*id].name.as_str()))
            .collect();
        let here: Vec<usize> = named
            .iter()
            .copied()
            .filter(|id| Some(self.source.modules[self.selection.units[*id].module].file) == file)
            .collect();
        let chosen = if here.is_empty() { named } else { here };
        chosen.into_iter().map(Owner::Unit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::Spot;
    use crate::types::Types;

    const TEXT: &str = "struct P { x: f64, kind: Kind } fn f(x: f64) -> f64 { x * x } fn g(x: f64) -> f64 { f(x) * x }
        impl P { fn m(&self) -> f64 { self.x * 2.0 } }";

    /// What is out after errors at these pieces of the annotated text, and which fields are marked.
    fn out(errors: &[(Option<&str>, &str, &str)]) -> (Vec<(String, Outcome)>, usize) {
        let source = Source::of_text(TEXT);
        let types = Types::of(&source, &HashSet::new(), &HashSet::new());
        let selection = Selection::of(&source, &types);
        let mut study = Study::new(Path::new(""), &source, &selection, false);
        study.written = study.rendered(study.attributes());
        let text = study.written[0].text.clone();
        let diagnostics: Vec<Diagnostic> = errors
            .iter()
            .map(|(code, message, piece)| Diagnostic {
                code: code.map(ToString::to_string),
                message: (*message).to_string(),
                places: text
                    .find(piece)
                    .map(|start| Spot {
                        file: "src/lib.rs".into(),
                        start,
                        line: 1,
                        text: String::new(),
                        marked: String::new(),
                        primary: true,
                    })
                    .into_iter()
                    .collect(),
            })
            .collect();
        let words = Words::of_sources(["message = \"`{Self}` has no derivative\","]);
        study.take_out(&diagnostics, &words);
        let verdicts = study.verdicts.iter();
        let verdicts =
            verdicts.map(|(id, verdict)| (selection.units[*id].path.clone(), verdict.outcome));
        (verdicts.collect(), study.passive.len())
    }

    #[test]
    fn errors_belong_to_the_function_around_them() {
        let refused = (None, "not supported", "x * x }");
        let follows = (Some("E0277"), "`Q` has no derivative", "f(x) * x");
        assert_eq!(out(&[refused, follows]).0, [("f".to_string(), Outcome::Macro)]);
        assert_eq!(out(&[follows]).0, [("g".to_string(), Outcome::Trait)]);
        let generated = (Some("E0382"), "use of moved value", "self.x * 2.0");
        assert_eq!(out(&[generated]).0, [("P::m".to_string(), Outcome::Generated)]);
    }

    #[test]
    fn errors_without_a_place_belong_to_what_they_name() {
        let error = (Some("E0255"), "the name `g` is defined multiple times", "nowhere");
        assert_eq!(out(&[error]).0, [("g".to_string(), Outcome::Generated)]);
    }

    #[test]
    fn an_error_of_a_block_splits_it() {
        let text = "struct P { x: f64 } impl P { /// a\n fn a(&self) -> f64 { self.x * 2.0 } fn b(&self) -> f64 { self.x * 3.0 } }";
        let source = Source::of_text(text);
        let types = Types::of(&source, &HashSet::new(), &HashSet::new());
        let selection = Selection::of(&source, &types);
        let mut study = Study::new(Path::new(""), &source, &selection, false);
        study.split.insert(0);
        let rendered = study.rendered(study.attributes());
        let text = &rendered[0].text;
        syn::parse_file(text).expect("a file");
        assert_eq!(text.matches("impl P").count(), 5, "{text}");
        let second = text.match_indices("adjoint] impl P").nth(1).map(|(at, _)| at);
        assert_eq!(rendered[0].origin(second.unwrap()), Origin::Inserted(Owner::Unit(2)));
    }

    #[test]
    fn errors_about_a_block_belong_to_all_of_it() {
        let of_head = (None, "not supported", "impl P");
        assert_eq!(out(&[of_head]).0, [("P::m".to_string(), Outcome::Macro)]);
    }

    #[test]
    fn a_field_without_a_derivative_is_marked() {
        let error = (Some("E0277"), "`Kind` has no derivative", "kind: Kind");
        assert_eq!(out(&[error]), (Vec::new(), 1));
    }
}
