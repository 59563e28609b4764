//! The survey of one crate, from its download to its record.

use crate::cargo::Cargo;
use crate::classify::Words;
use crate::crates::Entry;
use crate::drive::{self, Tangents};
use crate::fetch::{self, Fetched};
use crate::record::{Record, UnitRecord};
use crate::rounds::Study;
use crate::run::{self, Driven};
use crate::select::{Kind, Selection};
use crate::source::Source;
use crate::types::Types;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Where everything is.
pub struct Workshop {
    pub repository: PathBuf,
    pub work: PathBuf,
    pub cargo: Cargo,
    pub words: Words,
}

impl Workshop {
    pub fn new() -> Result<Self> {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let work = repository.join("target/survey");
        std::fs::create_dir_all(&work)?;
        std::fs::create_dir_all(repository.join("survey/records"))?;
        let cargo = Cargo { target: work.join("target") };
        let words = words(&repository.join("ad-runtime/src"))?;
        Ok(Self { repository, work, cargo, words })
    }

    pub fn record_path(&self, name: &str) -> PathBuf {
        self.repository.join("survey/records").join(format!("{name}.json"))
    }

    /// The commit that is checked out, with a `+` if files have changed since.
    fn commit(&self) -> String {
        let git = |arguments: &[&str]| {
            let output = Command::new("git").current_dir(&self.repository).args(arguments).output();
            output.ok().filter(|output| output.status.success()).map(|output| output.stdout)
        };
        let Some(commit) = git(&["rev-parse", "--short", "HEAD"]) else { return "?".to_string() };
        let changes =
            git(&["status", "--porcelain", "--", "ad-*", "src", "survey", ":!survey/records"]);
        let mark = if changes.is_some_and(|changes| changes.is_empty()) { "" } else { "+" };
        format!("{}{mark}", String::from_utf8_lossy(&commit).trim())
    }

    /// Surveys a crate. What goes wrong is said in the record.
    pub fn survey(&self, entry: &Entry) -> Record {
        let start = Instant::now();
        let mut record = Record {
            name: entry.name.clone(),
            version: entry.version.clone(),
            commit: self.commit(),
            ..Record::default()
        };
        if let Err(error) = self.survey_into(entry, &mut record) {
            record.failure = Some(format!("{error:#}"));
        }
        record.seconds = start.elapsed().as_secs();
        record
    }

    fn survey_into(&self, entry: &Entry, record: &mut Record) -> Result<()> {
        let fetched = fetch::fetch(entry, &self.work, &self.repository)?;
        let source = Source::read(&fetched.folder, &fetched.root)?;
        let types = Types::of(&source, &fetched.dependencies, &fetched.exported);
        let selection = Selection::of(&source, &types);
        record.not_taken = selection.not_taken.clone();
        record.unread = source.unread.clone();
        let mut study = Study::new(&fetched.folder, &source, &selection, fetched.edition_2015);
        study.find_present(&self.cargo)?;
        let settled = study.settle(&self.cargo, &self.words);
        let driven = match &settled {
            Ok(true) => {
                let units: Vec<UnitRecord> = records(&study, &BTreeMap::new());
                record.units = units;
                drive::set_single(mostly_single(&source));
                self.drive(&mut study, &types, &fetched)
            }
            Ok(false) | Err(_) => Ok(BTreeMap::new()),
        };
        record.rounds = study.rounds;
        record.units = records(&study, driven.as_ref().unwrap_or(&BTreeMap::new()));
        if !settled? {
            record.failure = Some(format!("does not settle: {}", study.unplaced.join("; ")));
        }
        driven?;
        Ok(())
    }

    /// Drives what compiles. That a function has no tangent may be an error of the whole program: then none of those that are generic
    /// is asked for, or none at all.
    fn drive(
        &self,
        study: &mut Study,
        types: &Types,
        fetched: &Fetched,
    ) -> Result<BTreeMap<String, Driven>> {
        self.drive_with(study, types, fetched, Tangents::All)
            .or_else(|_| self.drive_with(study, types, fetched, Tangents::NotOfGenerics))
            .or_else(|_| self.drive_with(study, types, fetched, Tangents::None))
    }

    fn drive_with(
        &self,
        study: &mut Study,
        types: &Types,
        fetched: &Fetched,
        tangents: Tangents,
    ) -> Result<BTreeMap<String, Driven>> {
        study.undriven.clear();
        drive::add_drivers(study, types, tangents);
        loop {
            if !study.settle(&self.cargo, &self.words)? {
                anyhow::bail!("the drivers do not settle: {}", study.unplaced.join("; "));
            }
            let driven = run::drive(&self.cargo, fetched, &self.repository);
            match driven.as_ref().map_err(anyhow::Error::downcast_ref) {
                Err(Some(run::Unimplemented { methods })) if study.take_out_callers(methods) => {}
                Ok(_) | Err(_) => return driven,
            }
        }
    }
}

/// Are there more numbers of single precision than of double precision?
fn mostly_single(source: &Source) -> bool {
    let count =
        |word: &str| source.files.iter().map(|file| file.text.matches(word).count()).sum::<usize>();
    count("f32") > count("f64")
}

fn words(folder: &Path) -> Result<Words> {
    let mut texts = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                texts.push(std::fs::read_to_string(path)?);
            }
        }
    }
    Ok(Words::of_sources(texts.iter().map(String::as_str)))
}

fn records(study: &Study, driven: &BTreeMap<String, Driven>) -> Vec<UnitRecord> {
    let units = study.selection.units.iter().enumerate();
    units
        .map(|(id, unit)| {
            let verdict = study.verdicts.get(&id);
            let text = |of: fn(&crate::rounds::Verdict) -> &String| {
                verdict.map(of).cloned().unwrap_or_default()
            };
            let kind = match unit.kind {
                Kind::Function => "function",
                Kind::Method => "method",
                Kind::OfTrait => "method of a trait",
                Kind::Declared => "declared method",
                Kind::Operator => "operator",
                Kind::Type => "type",
            };
            UnitRecord {
                path: unit.path.clone(),
                kind: kind.to_string(),
                counted: unit.counted,
                foreign: unit.foreign,
                takes_functions: unit.traits.takes_functions,
                outcome: verdict.map_or(unit.compiled(), |verdict| verdict.outcome),
                reason: text(|verdict| &verdict.reason),
                message: text(|verdict| &verdict.message),
                line: text(|verdict| &verdict.line),
                marked: text(|verdict| &verdict.marked),
                followed_by: verdict.map(|verdict| verdict.followed_by.clone()).unwrap_or_default(),
                passive_fields: study.passive.iter().filter(|(of, _)| *of == id).count(),
                driven: driven.get(&unit.path).cloned(),
                undriven: study.undriven.get(&id).cloned(),
            }
        })
        .collect()
}
