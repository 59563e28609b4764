//! Would the random programs notice a mistake? Each [mutant](table) is applied to a copy of the
//! workspace, where 5,000 random programs of the fixed seed must find something wrong.
//!
//! ```text
//! cargo run -p backsweep-tests --bin mutants             # all of them, half a minute each
//! cargo run -p backsweep-tests --bin mutants -- reset    # those with `reset` in the name
//! ```
//!
//! Of a few that no random program can meet the table names the tests that find them.
//!
//! A mutant that survives is either equivalent to the original, then it is replaced by one that is not,
//! or it shows what the random programs lack. The copy is made in the directory for temporary files
//! and removed at the end; it is built in `mutants` below the target directory.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs, io};
use table::{MUTANTS, Mutant};

/// How many programs have the chance to kill a mutant.
const PROGRAMS: u64 = 5_000;

/// What the random programs say of a mutant.
#[derive(Debug)]
enum Verdict {
    /// They fail from this one on.
    Killed(u64, String),
    /// They pass, and so many tests fail.
    Tested(usize),
    /// They pass.
    Survived,
    /// It does not compile.
    Invalid(String),
}

fn main() -> io::Result<ExitCode> {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let is_wanted = |mutant: &&Mutant| {
        wanted.is_empty() || wanted.iter().any(|part| mutant.name.contains(part.as_str()))
    };
    let copy = Copy::new()?;
    match copy.verdict()? {
        Verdict::Survived => println!("the original passes {PROGRAMS} programs"),
        other => {
            println!("the original fails: {other:?}");
            return Ok(ExitCode::FAILURE);
        }
    }
    let named = MUTANTS.iter().filter(is_wanted).filter_map(|mutant| mutant.tests);
    for tests in named.collect::<BTreeSet<&str>>() {
        match copy.verdict_of_tests(tests)? {
            Verdict::Survived => println!("the original passes the tests `{tests}`"),
            other => {
                println!("the original fails the tests `{tests}`: {other:?}");
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let mut all_killed = true;
    for mutant in MUTANTS.iter().filter(is_wanted) {
        let start = Instant::now();
        let verdict = copy.with(mutant, |copy| copy.verdict_on(mutant))?;
        let seconds = start.elapsed().as_secs();
        let text = match &verdict {
            Verdict::Killed(count, how) => format!("killed by program {count:4}: {how}"),
            Verdict::Tested(count) => format!("killed by {count} tests"),
            Verdict::Survived => "SURVIVED".to_owned(),
            Verdict::Invalid(errors) => format!("DOES NOT COMPILE\n{errors}"),
        };
        all_killed &= matches!(verdict, Verdict::Killed(..) | Verdict::Tested(_));
        println!("{:<52} {text} ({seconds} s)", mutant.name);
    }
    Ok(ExitCode::from(u8::from(!all_killed)))
}

/// A copy of the workspace.
struct Copy {
    root: PathBuf,
}

impl Copy {
    fn new() -> io::Result<Self> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let name = format!("backsweep-mutants-{}", std::process::id());
        let copy = Self { root: env::temp_dir().join(name) };
        copy_directory(&workspace, &copy.root)?;
        Ok(copy)
    }

    /// Does something with a mutant in place of the original.
    fn with<T>(&self, mutant: &Mutant, action: impl Fn(&Self) -> io::Result<T>) -> io::Result<T> {
        let file = self.root.join("ad-analysis/src").join(mutant.file);
        let original = fs::read_to_string(&file)?;
        let count = original.matches(mutant.old).count();
        assert_eq!(count, 1, "`{}` in {}, for {}", mutant.old, mutant.file, mutant.name);
        fs::write(&file, original.replace(mutant.old, mutant.new))?;
        let result = action(self);
        fs::write(&file, original)?;
        result
    }

    /// What the random programs say of a mutant, and if they pass, the tests that have to find it.
    fn verdict_on(&self, mutant: &Mutant) -> io::Result<Verdict> {
        match (self.verdict()?, mutant.tests) {
            (Verdict::Survived, Some(tests)) => self.verdict_of_tests(tests),
            (verdict, _) => Ok(verdict),
        }
    }

    /// Builds the tests with such names and runs them.
    fn verdict_of_tests(&self, tests: &str) -> io::Result<Verdict> {
        let binary = ["test", "--quiet", "-p", "backsweep-tests", "--test", "sweeps"];
        let mut cargo = self.with_target(&binary);
        cargo.args(["--no-fail-fast", "--", tests]);
        let output = cargo.stderr(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let passed = text.lines().any(|line| line.starts_with("test result: ok. 0 passed"));
        assert!(!passed, "there are no tests `{tests}`");
        let failures = text.lines().filter(|line| line.starts_with("---- ")).count();
        Ok(match output.status.success() {
            true => Verdict::Survived,
            false if failures == 0 => {
                Verdict::Killed(0, "what it generates does not compile".to_owned())
            }
            false => Verdict::Tested(failures),
        })
    }

    /// Builds the random programs and runs them.
    fn verdict(&self) -> io::Result<Verdict> {
        let mut build = self.cargo("build");
        build.arg("--quiet").stderr(Stdio::piped());
        let output = build.output()?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            // The library has annotated functions of its own.
            let is_valid = errors.contains("could not compile `backsweep` (lib)");
            return Ok(match is_valid {
                true => Verdict::Killed(0, "what it generates does not compile".to_owned()),
                false => Verdict::Invalid(errors),
            });
        }
        let mut run = self.cargo("run");
        run.arg("--quiet").env("RANDOM_PROGRAMS", PROGRAMS.to_string()).env("RANDOM_SEED", "0");
        let output = run.env("RANDOM_BRIEFLY", "").stderr(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(Verdict::Survived);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let failure = text.lines().find_map(|line| line.strip_prefix("seed ")?.split_once(": "));
        let (seed, how) = failure.unwrap_or(("0", "it dies"));
        let how: String = how.chars().take(40).collect();
        Ok(Verdict::Killed(seed.parse().map_or(0, |seed: u64| seed + 1), how))
    }

    fn cargo(&self, command: &str) -> Command {
        let random = [command, "--release", "-p", "backsweep-tests", "--bin", "random"];
        let mut cargo = self.with_target(&random);
        // Most of the time goes into building.
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_INCREMENTAL", "1");
        cargo
    }

    fn with_target(&self, args: &[&str]) -> Command {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
        let target = env::var_os("CARGO_TARGET_DIR").map_or(workspace, PathBuf::from);
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(args).env("CARGO_TARGET_DIR", target.join("mutants"));
        cargo.current_dir(&self.root);
        cargo
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // What cannot be removed stays among the temporary files.
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == "target" || name == ".git" {
            continue;
        }
        let (source, target) = (entry.path(), to.join(&name));
        if entry.file_type()?.is_dir() {
            copy_directory(&source, &target)?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}
