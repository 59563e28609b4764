//! Builds the program that drives the functions of a crate, and watches it.

use crate::cargo::Cargo;
use crate::fetch::Fetched;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// How long a function may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What came out of driving a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Driven {
    pub agreed: usize,
    pub not_comparable: usize,
    pub flat: usize,
    /// Points where numbers have overflowed, and with them the derivatives.
    #[serde(default)]
    pub saturated: usize,
    pub wrong: Vec<String>,
    /// It did not come to an end, or took the process with it.
    pub ended: bool,
}

/// Instances of driven functions call methods of annotated traits that types implement without adjoints: only their compilation tells.
#[derive(Debug)]
pub struct Unimplemented {
    /// The methods.
    pub methods: BTreeSet<String>,
}

impl std::fmt::Display for Unimplemented {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "methods of traits without adjoints are called: {:?}", self.methods)
    }
}

impl std::error::Error for Unimplemented {}

impl Unimplemented {
    /// The methods that errors are about.
    fn of_errors(text: &str) -> Option<Self> {
        let methods = text.split("the method `").skip(1).filter_map(|rest| {
            let (name, rest) = rest.split_once('`')?;
            rest.starts_with(" of an annotated trait is called here").then(|| name.to_string())
        });
        let methods: BTreeSet<String> = methods.collect();
        (!methods.is_empty()).then_some(Self { methods })
    }
}

/// Builds and runs the drivers of a crate.
///
/// # Errors
///
/// [`Unimplemented`], or anything else for which they do not run.
pub fn drive(
    cargo: &Cargo,
    fetched: &Fetched,
    repository: &Path,
) -> Result<BTreeMap<String, Driven>> {
    let folder = fetched.folder.with_extension("driver");
    std::fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"survey-driver\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nsurveyed = {{ path = {:?}, package = {:?} }}\nbacksweep-survey-support = {{ path = {:?} }}\n",
        fetched.folder,
        fetched.folder.file_name().unwrap_or_default(),
        repository.join("survey/support"),
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::write(
        folder.join("src/main.rs"),
        "fn main() {
    let first = std::env::args().nth(1).and_then(|first| first.parse().ok()).unwrap_or(0);
    let run = move || surveyed::__survey::run(&mut backsweep_survey_support::Session::starting_at(first));
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap();
    thread.join().unwrap();
    println!(\"end\");
}
",
    )?;
    let output = cargo.command(&folder).args(["build", "-q", "-j1"]).output()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        if let Some(unimplemented) = Unimplemented::of_errors(&text) {
            return Err(unimplemented.into());
        }
        let text = &text[text.find("error").unwrap_or(0)..];
        bail!("the driver does not compile: {}", text.chars().take(1500).collect::<String>());
    }
    watch(&cargo.target.join("debug/survey-driver"))
}

/// Runs the program again from the next function on, when one does not come to an end.
fn watch(program: &PathBuf) -> Result<BTreeMap<String, Driven>> {
    let mut results = BTreeMap::new();
    let mut first = 0;
    loop {
        let mut child = Command::new(program)
            .arg(first.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the driver does not run")?;
        let (sender, lines) = mpsc::channel();
        let stdout = child.stdout.take().context("no output")?;
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut running: Option<(usize, String)> = None;
        let mut complete = false;
        while let Ok(line) = lines.recv_timeout(PATIENCE) {
            let parts: Vec<&str> = line.split('\t').collect();
            match parts[..] {
                ["start", position, name] => running = Some((position.parse()?, name.to_string())),
                ["done", _, agreed, not_comparable, flat, saturated, ..] => {
                    if let Some((_, name)) = running.take() {
                        let driven = Driven {
                            agreed: agreed.parse()?,
                            not_comparable: not_comparable.parse()?,
                            flat: flat.parse()?,
                            saturated: saturated.parse()?,
                            wrong: parts[6..]
                                .iter()
                                .filter(|line| !line.is_empty())
                                .map(ToString::to_string)
                                .collect(),
                            ended: true,
                        };
                        results.insert(name, driven);
                    }
                }
                ["end"] => complete = true,
                _ => {}
            }
        }
        child.kill().ok();
        child.wait()?;
        match running {
            _ if complete => return Ok(results),
            Some((position, name)) => {
                results.insert(name, Driven::default());
                first = position + 1;
            }
            None => bail!("the driver ends without a word"),
        }
    }
}
