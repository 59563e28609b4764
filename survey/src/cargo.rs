//! Runs of cargo, and what rustc says in them.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where crates are compiled, and with what.
pub struct Cargo {
    pub target: PathBuf,
}

/// An error or a warning of rustc.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub code: Option<String>,
    pub message: String,
    /// Where it is, the primary places first.
    pub places: Vec<Spot>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: PathBuf,
    pub start: usize,
    pub line: usize,
    /// The source line.
    pub text: String,
    /// What is marked in it.
    pub marked: String,
    pub primary: bool,
}

/// What a run says of the crate itself.
pub struct Run {
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

/// The cargo that runs the survey. It has chosen a version of rustc for all that it starts, whatever files say that lie beside crates.
pub fn program() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

impl Cargo {
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = program();
        command
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", &self.target)
            // Crates that deny warnings have those of generated code, too.
            .env("RUSTFLAGS", "--cap-lints=warn")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "1")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("CARGO_MANIFEST_DIR");
        command
    }

    /// `cargo check` of the library in a folder.
    pub fn check(&self, folder: &Path) -> Result<Run> {
        let mut command = self.command(folder);
        command.args(["check", "--lib", "-q", "-j1", "--message-format=json"]);
        self.run(command, folder)
    }

    /// The same, with warnings of lints that do not exist: those are marks of items that are there.
    pub fn check_marked(&self, folder: &Path) -> Result<Run> {
        let mut command = self.command(folder);
        command.args(["rustc", "--lib", "--profile=check", "-q", "-j1", "--message-format=json"]);
        command.args(["--", "--force-warn=unknown_lints"]);
        self.run(command, folder)
    }

    fn run(&self, mut command: Command, folder: &Path) -> Result<Run> {
        let output = command.output().context("cargo does not run")?;
        let stdout = String::from_utf8_lossy(&output.stdout);
        let run = Run::of_messages(&stdout, folder);
        if !output.status.success() && run.errors.is_empty() {
            bail!("cargo fails: {}", last_lines(&String::from_utf8_lossy(&output.stderr), &stdout));
        }
        Ok(run)
    }
}

/// The end of what a failed run says.
fn last_lines(stderr: &str, stdout: &str) -> String {
    let rendered = stdout.lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        (line["message"]["level"] == "error")
            .then(|| line["message"]["rendered"].as_str().unwrap_or_default().to_string())
    });
    let mut text: String = stderr.to_string();
    text.extend(rendered.take(2));
    text.chars().take(1500).collect()
}

impl Run {
    /// Reads the messages about the package in a folder.
    pub fn of_messages(stdout: &str, folder: &Path) -> Self {
        let mut run = Self { errors: Vec::new(), warnings: Vec::new() };
        let manifest = folder.join("Cargo.toml");
        for line in stdout.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let of_package = line["manifest_path"].as_str().map(Path::new) == Some(&manifest);
            if line["reason"] != "compiler-message" || !of_package {
                continue;
            }
            let diagnostic = Diagnostic::of(&line["message"]);
            match line["message"]["level"].as_str() {
                // The last line counts the others.
                Some("error") if diagnostic.message.starts_with("aborting") => {}
                Some(level) if level.starts_with("error") => run.errors.push(diagnostic),
                Some("warning") => run.warnings.push(diagnostic),
                _ => {}
            }
        }
        run
    }
}

impl Diagnostic {
    pub fn of(message: &Value) -> Self {
        let mut places = Vec::new();
        for primary in [true, false] {
            for span in message["spans"].as_array().into_iter().flatten() {
                if span["is_primary"].as_bool() == Some(primary) {
                    add_spot(span, primary, &mut places);
                }
            }
        }
        let children = message["children"].as_array().map(Vec::as_slice).unwrap_or_default();
        for span in children.iter().flat_map(|child| child["spans"].as_array()).flatten() {
            add_spot(span, false, &mut places);
        }
        let mut text = message["message"].as_str().unwrap_or_default().to_string();
        if text.ends_with("panicked") {
            // With what a macro panics is said below.
            for note in children.iter().filter_map(|child| child["message"].as_str()) {
                text = format!("{text}: {}", note.trim_start_matches("message: "));
            }
        }
        Self {
            code: message["code"]["code"].as_str().map(ToString::to_string),
            message: text,
            places,
        }
    }
}

/// The place, and those of the macros that it comes out of.
fn add_spot(span: &Value, primary: bool, places: &mut Vec<Spot>) {
    let number = |name: &str| span[name].as_u64().unwrap_or(0) as usize;
    let text = span["text"][0]["text"].as_str().unwrap_or_default().to_string();
    let highlighted = |name: &str| span["text"][0][name].as_u64().unwrap_or(1) as usize - 1;
    let (from, to) = (highlighted("highlight_start"), highlighted("highlight_end"));
    places.push(Spot {
        file: PathBuf::from(span["file_name"].as_str().unwrap_or_default()),
        start: number("byte_start"),
        line: number("line_start"),
        marked: text.chars().skip(from).take(to.saturating_sub(from)).collect(),
        text: text.trim().to_string(),
        primary,
    });
    if span["expansion"].is_object() {
        add_spot(&span["expansion"]["span"], primary, places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_macros_are_followed_outwards() {
        let line = r#"{"reason":"compiler-message","manifest_path":"/c/Cargo.toml","message":{"level":"error","message":"no","code":{"code":"E0277"},
            "children":[{"message":"annotate it","spans":[]}],
            "spans":[{"file_name":"/rust/std.rs","byte_start":1,"line_start":1,"is_primary":true,"text":[],
                "expansion":{"span":{"file_name":"src/lib.rs","byte_start":40,"line_start":3,"is_primary":false,
                    "text":[{"text":"  foo(x)","highlight_start":3,"highlight_end":6}],"expansion":null}}}]}}"#;
        let run = Run::of_messages(&line.replace('\n', " "), Path::new("/c"));
        let [error] = &run.errors[..] else { panic!("one error") };
        assert_eq!(error.code.as_deref(), Some("E0277"));
        assert_eq!((error.places[1].start, error.places[1].marked.as_str()), (40, "foo"));
        assert!(error.places[1].primary);
    }
}
