//! What of published crates backsweep differentiates as it stands, and whether the derivatives are right.
//!
//! `cargo run --release -p backsweep-survey -- ellip roots` surveys these crates, `-- --all` all that have no record yet, and without
//! arguments the tables are written from the records that there are. Sources are in `target/survey`, and records in `survey/records`; a record
//! that is deleted is made again. `docs/coverage.md` explains what is counted.
//!
//! `cargo run -p backsweep-survey -- --expansion ellip roots` (without `--release`: so the macro is compiled for those who use it) says how
//! long the macro takes for what is annotated in crates that were surveyed.

mod annotate;
mod cargo;
mod classify;
mod clones;
mod coverage;
mod crates;
mod drive;
mod expansion;
mod fetch;
mod operands;
mod record;
mod rounds;
mod run;
mod select;
mod source;
mod survey;
mod traits;
mod types;

use anyhow::{Context, Result};
use expansion::Expansions;
use record::Record;
use survey::Workshop;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = crates::all()?;
    let workshop = Workshop::new()?;
    if let [flag, names @ ..] = arguments.as_slice()
        && flag == "--expansion"
    {
        for name in names {
            let expansions = Expansions::of(&workshop.work.join(name).join("src"))?;
            print!("{name}: {expansions}");
        }
        return Ok(());
    }
    let resumed = arguments.iter().any(|argument| argument == "--all");
    if !resumed
        && let Some(name) =
            arguments.iter().find(|name| !all.iter().any(|entry| entry.name == **name))
    {
        anyhow::bail!("{name} is not in survey/crates.toml");
    }
    for entry in &all {
        let path = workshop.record_path(&entry.name);
        let wanted = arguments.contains(&entry.name) || resumed && !path.exists();
        if wanted {
            println!("{} {}", entry.name, entry.version);
            let record = workshop.survey(entry);
            println!("{}", coverage::line(&record));
            std::fs::write(path, record.to_text()?)?;
        }
    }
    let mut records: Vec<Record> = Vec::new();
    for entry in &all {
        let path = workshop.record_path(&entry.name);
        if path.exists() {
            let text = std::fs::read_to_string(&path)?;
            records.push(serde_json::from_str(&text).context("an old record: delete it")?);
        }
    }
    let page = workshop.repository.join("docs/coverage.md");
    std::fs::write(page, coverage::page(&all, &records))?;
    Ok(())
}
