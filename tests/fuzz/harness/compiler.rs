//! The generated crate, and what rustc says about it.

use crate::program::root;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A crate in a folder.
pub struct Crate {
    folder: PathBuf,
}

/// How often rustc warned, by file, module and lint.
#[derive(Clone, Debug, Default)]
pub struct Lints(BTreeMap<(String, String, String), usize>);

/// What rustc said.
#[derive(Debug, Default)]
pub struct Messages {
    /// The first error in each module.
    pub errors: BTreeMap<String, String>,
    /// The warnings.
    pub lints: Lints,
}

impl Lints {
    /// The warnings about a function in a variant that the function alone does not have.
    pub fn beyond(&self, plain: &Lints, module: &str, variant: &str) -> Vec<String> {
        let own = self.0.iter().filter(|((file, of, _), _)| file == variant && of == module);
        let more = own.filter_map(|((_, _, lint), count)| {
            let key = ("plain".to_owned(), module.to_owned(), lint.clone());
            let known = plain.0.get(&key).copied().unwrap_or(0);
            (*count > known).then(|| format!("lint: {lint}, {count} instead of {known}"))
        });
        more.collect()
    }
}

/// How many seconds rustc may take for some hundred functions: far more than it does when the machine is busy.
const PATIENCE: &str = "3600";

/// What `timeout` returns when it has ended a command.
const ENDED: i32 = 124;

/// What the crate of compared functions depends on.
pub const FUNCTIONS: &str = r#"backsweep = { path = "@" }
testkit = { package = "backsweep-testkit", path = "@/tests/testkit" }
"#;

/// What that of relatives does: `testkit` would ask for entries that nobody runs.
pub const RELATIVES: &str = r#"backsweep = { path = "@" }
"#;

/// What begins errors of rustc by which a proof of names is refused.
pub const PROOF: &str = "what a name means is not what it seems to: ";

/// What only these errors speak of.
const PROOFS_OF_NAMES: [&str; 5] = [
    "__private::named",
    "ad-runtime/src/named.rs",
    "OfStandardLibrary",
    "cannot shadow",
    "is ambiguous",
];

const MANIFEST: &str = r#"[package]
name = "random-functions"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "random-functions"
path = "main.rs"

[dependencies]
#
[profile.dev]
debug = false
incremental = false

[profile.dev.build-override]
debug = false
opt-level = 1

[profile.dev.package."*"]
opt-level = 1

[workspace]
"#;

impl Crate {
    /// A crate with these dependencies.
    pub fn new(folder: &Path, dependencies: &str) -> Self {
        fs::create_dir_all(folder).expect("the folder can be made");
        let root = root().canonicalize().expect("the repository is there");
        let manifest = MANIFEST.replace('#', dependencies).replace('@', &root.to_string_lossy());
        let this = Self { folder: folder.to_owned() };
        this.put("Cargo.toml", &manifest);
        let lock = fs::read_to_string(root.join("Cargo.lock")).expect("there are locked versions");
        if !folder.join("Cargo.lock").exists() {
            this.put("Cargo.lock", &lock);
        }
        this
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("the folder can be written");
    }

    /// Writes the files.
    pub fn write(&self, files: &[(String, String)], main: &str) {
        for (name, text) in files {
            self.put(&format!("{name}.rs"), text);
        }
        self.put("main.rs", main);
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("timeout");
        cargo.arg(PATIENCE).arg(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
        cargo.args([command, "--offline", "--quiet"]).current_dir(&self.folder);
        // One folder for all crates: what they depend on is compiled once.
        let target = self.folder.parent().expect("the folder is in one").join("target");
        cargo.env("CARGO_TARGET_DIR", target).env_remove("RUSTFLAGS");
        cargo
    }

    /// What rustc says about the files: as the command `check`, or `build`. Nothing if it does not end.
    pub fn messages(&self, command: &str, files: &[(String, String)]) -> Option<Messages> {
        let mut cargo = self.cargo(command);
        cargo.arg("--message-format=json").stderr(Stdio::piped());
        let output = cargo.output().expect("cargo runs");
        if output.status.code() == Some(ENDED) {
            return None;
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: BTreeMap<&str, Vec<(usize, &str)>> =
            files.iter().map(|(name, text)| (name.as_str(), modules(text))).collect();
        let mut messages = Messages::default();
        let mut elsewhere = String::new();
        let mut in_library: Option<String> = None;
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            if value["reason"] != "compiler-message" {
                continue;
            }
            let message = &value["message"];
            let level = message["level"].as_str().unwrap_or_default();
            let code = message["code"]["code"].as_str().unwrap_or_default().to_owned();
            let text = message["message"].as_str().unwrap_or_default();
            let rendered = message["rendered"].as_str().unwrap_or_default();
            match module_of(message, &lines) {
                Some((file, module)) if level.starts_with("error") => {
                    let is_proof = PROOFS_OF_NAMES.iter().any(|words| rendered.contains(words));
                    let proof = if is_proof { PROOF } else { "" };
                    let error = format!("{code} {proof}{text} ({file}): {}", line_of(message));
                    messages.errors.entry(module).or_insert(error);
                }
                // What is proved of an instance fails in the library; a note says for whom.
                Some((file, module)) if text.contains("while instantiating") => {
                    if let Some(error) = in_library.take() {
                        let error = format!("{error} ({file}): {}", line_of(message));
                        messages.errors.entry(module).or_insert(error);
                    }
                }
                Some((file, module)) if level == "warning" => {
                    *messages.lints.0.entry((file, module, code)).or_default() += 1;
                }
                None if level.starts_with("error") => {
                    in_library = Some(format!("{code} {text}"));
                    elsewhere += rendered;
                }
                Some(_) | None => {}
            }
        }
        let failed = !output.status.success() && messages.errors.is_empty();
        assert!(!failed, "{elsewhere}\n{}", String::from_utf8_lossy(&output.stderr));
        Some(messages)
    }

    /// The compiled program.
    pub fn program(&self) -> PathBuf {
        let target = self.folder.parent().expect("the folder is in one").join("target");
        target.join("debug/random-functions")
    }
}

/// The lines in which the modules of a file begin.
fn modules(text: &str) -> Vec<(usize, &str)> {
    let heads = text.lines().enumerate().filter_map(|(line, text)| {
        let name = text.strip_prefix("    pub mod ")?.strip_suffix(" {")?;
        Some((line + 1, name))
    });
    heads.collect()
}

/// The line that a message is about.
fn line_of(message: &Value) -> String {
    let spans = message["spans"].as_array().into_iter().flatten();
    let primary = spans.into_iter().find(|span| span["is_primary"] == true);
    let text = primary.and_then(|span| span["text"][0]["text"].as_str());
    text.unwrap_or_default().trim().to_owned()
}

/// The file and the module that a message is about.
fn module_of(
    message: &Value,
    lines: &BTreeMap<&str, Vec<(usize, &str)>>,
) -> Option<(String, String)> {
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().find(|span| span["is_primary"] == true)?;
    // Code of macros of the standard library is where it is called.
    let mut span = primary;
    loop {
        let name = span["file_name"].as_str()?;
        let stem = Path::new(name).file_stem()?.to_str()?;
        if let Some(heads) = lines.get(stem).filter(|_| !name.starts_with('/')) {
            let line = usize::try_from(span["line_start"].as_u64()?).ok()?;
            let head = heads.iter().rev().find(|(start, _)| *start <= line)?;
            return Some((stem.to_owned(), head.1.to_owned()));
        }
        span = &span["expansion"]["span"];
    }
}
