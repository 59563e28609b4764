//! Long runs:
//!
//! ```text
//! cargo run --release -p backsweep-fuzz -- expand [inputs [first seed]]
//! cargo run --release -p backsweep-fuzz -- mutants [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- generated [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- second [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- checkpointed [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- order|drops|kept|names|numbers [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- interpreted [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- interpreted-checkpointed [functions [first seed]]
//! cargo run --release -p backsweep-fuzz -- minimise finding.rs
//! ```
//!
//! `expand` expands mutated functions. `mutants` compiles those that the macro accepts, and compares
//! their derivatives with dual numbers; `generated` does so with functions made up from nothing, `second` with the Hessians of such functions, `checkpointed` with
//! such functions that have checkpointed blocks and loops, and `interpreted` interprets the sweeps instead. What they
//! find is written to `target/fuzz/findings`, and `minimise` makes it smaller. `order` and the others named with it compile functions
//! with effects, and compare them with what they are without the attribute. `input`, `source` and
//! `refused` show what the seeds stand for.

use fuzz::expansion::{self, Inputs};
use fuzz::generate;
use fuzz::harness::{Depth, Report, Tally, examine, examine_relatives, expand_relatives, folder};
use fuzz::interpret;
use fuzz::mutate;
use fuzz::program::{self, Program};
use fuzz::relatives::{Class, Relative, smaller};
use fuzz::shrink::shrink;
use quote::ToTokens;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use syn::ItemFn;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    match arguments.first().map(String::as_str) {
        Some("expand") => expand(number(1, 20_000), number(2, 0)),
        Some(name @ ("mutants" | "generated" | "second" | "checkpointed")) => {
            let mutant = mutate::of_seed(with_samples());
            let (of, depth): (&dyn Fn(u64) -> Program, Depth) = match name {
                "mutants" => (&mutant, Depth::Compare),
                "generated" => (&generate::function, Depth::Compare),
                "second" => (&generate::function, Depth::CompareSecond),
                _ => (&generate::function_with_checkpoints, Depth::Compare),
            };
            long_run(number(1, 400), number(2, 0), of, depth)
        }
        Some("interpreted") => {
            interpreted(number(1, 10_000), number(2, 0), generate::function_to_interpret)
        }
        Some("interpreted-checkpointed") => {
            let generate = generate::function_with_checkpoints_to_interpret;
            interpreted(number(1, 10_000), number(2, 0), generate)
        }
        Some(name) if Class::named(name).is_some() => {
            relatives(Class::named(name).expect("it is one"), number(1, 500), number(2, 0))
        }
        Some("refused") => match arguments.get(1).and_then(|name| Class::named(name)) {
            Some(class) => refused_relatives(class, number(2, 400), number(3, 0)),
            None => refused(number(1, 400), number(2, 0)),
        },
        Some("source") => {
            match arguments.get(2).and_then(|name| Class::named(name)) {
                Some(class) => println!("{}", class.of_seed(number(1, 0)).text()),
                None => println!("{}", generate::function(number(1, 0)).text()),
            }
            ExitCode::SUCCESS
        }
        Some("minimise") => minimise(Path::new(arguments.get(1).expect("a file"))),
        Some("input") => {
            let (options, item) = Inputs::default().of(number(1, 0));
            println!("#[adjoint({options})]\n{}", pretty(&item));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!(
                "usage: fuzz expand|mutants|generated|second|checkpointed|interpreted|interpreted-checkpointed|\
                 order|drops|kept|names|numbers|minimise|input|source|refused …"
            );
            ExitCode::FAILURE
        }
    }
}

fn with_samples() -> Vec<Program> {
    program::all().into_iter().filter(Program::has_samples).collect()
}

/// Interprets the sweeps of generated functions.
fn interpreted(functions: u64, first: u64, generate: fn(u64) -> Program) -> ExitCode {
    let start = Instant::now();
    let (mut compared, mut failures) = (0, 0);
    let mut known: Vec<String> = Vec::new();
    for seed in first..first + functions {
        let program = generate(seed);
        match interpret::examine(&program, seed) {
            Ok(was_compared) => compared += u64::from(was_compared),
            Err(message) => {
                failures += 1;
                // Without its numbers.
                let kind: String = message.chars().take_while(|c| *c != '[').take(60).collect();
                if known.contains(&kind) {
                    continue;
                }
                known.push(kind.clone());
                let small = shrink(program.function(), &mut |function| {
                    let mut smaller = program.clone();
                    *smaller.function_mut() = function.clone();
                    interpret::examine(&smaller, seed).is_err_and(|other| other.starts_with(&kind))
                });
                let mut smaller = program.clone();
                *smaller.function_mut() = small;
                let of_smaller = interpret::examine(&smaller, seed).err().unwrap_or_default();
                println!("// seed {seed}: {message}\n// smaller: {of_smaller}\n{}", smaller.text());
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{functions} functions from seed {first} on, {compared} compared, {failures} wrong, {seconds:.0} s"
    );
    ExitCode::from(u8::from(failures > 0))
}

/// Why generated functions are refused.
fn refused(functions: u64, first: u64) -> ExitCode {
    for seed in first..first + functions {
        let (options, item) = generate::function(seed).annotated();
        let function = syn::parse2(item).expect("it is a function");
        let result = expansion::caught(|| ad_analysis::differentiate(options, &function));
        match result {
            Ok(Ok(_)) => {}
            Ok(Err(errors)) => println!("{seed}: {}", errors[0].message),
            Err(panic) => println!("{seed}: {panic}"),
        }
    }
    ExitCode::SUCCESS
}

/// Examines the functions of seeds, some hundred in a crate.
fn long_run(functions: u64, first: u64, of: &dyn Fn(u64) -> Program, depth: Depth) -> ExitCode {
    const AT_ONCE: u64 = 200;
    let start = Instant::now();
    let mut report = Report::default();
    let mut seed = first;
    let findings = folder().join("findings");
    std::fs::create_dir_all(&findings).expect("the folder can be made");
    while seed < first + functions {
        let end = (seed + AT_ONCE).min(first + functions);
        let part = examine((seed..end).map(of).collect(), &folder().join("batch"), depth);
        for finding in &part.findings {
            let text = format!(
                "// {}: {}\n{}",
                finding.program.origin,
                finding.what,
                finding.program.text()
            );
            println!("{text}");
            let name = finding.program.origin.replace([' ', ',', ':'], "_");
            std::fs::write(findings.join(format!("{name}.rs")), text).expect("it can be written");
        }
        report.add(part);
        println!(
            "seeds {first}..{end}: {}, {:.0} s",
            report.summary(),
            start.elapsed().as_secs_f64()
        );
        seed = end;
    }
    ExitCode::from(u8::from(!report.findings.is_empty()))
}

/// Examines relatives, some hundred in a crate.
fn relatives(class: Class, functions: u64, first: u64) -> ExitCode {
    const AT_ONCE: u64 = 100;
    let start = Instant::now();
    let findings = folder().join("findings");
    std::fs::create_dir_all(&findings).expect("the folder can be made");
    let mut tally = Tally::default();
    for begin in (first..first + functions).step_by(AT_ONCE as usize) {
        let end = (begin + AT_ONCE).min(first + functions);
        let part = (begin..end).map(|seed| class.of_seed(seed)).collect();
        let part = examine_relatives(part, &folder().join(class.name()));
        for finding in &part.findings {
            let text = finding.relative.file(&format!("{:?}: {}", finding.fault, finding.what));
            println!("{text}");
            let number = findings.read_dir().expect("the folder is there").count();
            let name = format!("{}_{number}.rs", class.name());
            std::fs::write(findings.join(name), text).expect("it can be written");
        }
        for (relative, error) in &part.invalid {
            println!("invalid: {error}\n{}", relative.text());
        }
        tally.add(part);
        let seconds = start.elapsed().as_secs_f64();
        println!("{}, seeds {first}..{end}: {}, {seconds:.0} s", class.name(), tally.summary());
    }
    println!("refused:\n{}", tally.reasons());
    ExitCode::from(u8::from(!tally.findings.is_empty()))
}

/// Why relatives are refused, as far as the macro sees it.
fn refused_relatives(class: Class, functions: u64, first: u64) -> ExitCode {
    let relatives = (first..first + functions).map(|seed| class.of_seed(seed)).collect();
    let tally = expand_relatives(relatives, &folder().join("refused"));
    for (relative, error) in &tally.invalid {
        println!("{}", relative.file(&format!("invalid: {error}")));
    }
    for finding in &tally.findings {
        println!("{}", finding.relative.file(&format!("{:?}: {}", finding.fault, finding.what)));
    }
    println!("{}, refused:\n{}", tally.summary(), tally.reasons());
    ExitCode::SUCCESS
}

/// Makes a relative smaller, by fewer and smaller choices.
fn minimise_relative(relative: Relative) -> ExitCode {
    let place = folder().join("smaller");
    let kind = |what: &str| what.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let mut best = relative;
    let first = examine_relatives(vec![best.clone()], &place);
    let Some(found) = first.findings.first() else {
        println!("nothing is wrong: {}", first.summary());
        return ExitCode::FAILURE;
    };
    let (fault, wanted) = (found.fault, kind(&found.what));
    println!("{:?}: {}", fault, found.what);
    loop {
        let candidates = smaller(&best.choices).into_iter();
        let candidates = candidates.map(|choices| best.class.of_choices(&choices));
        let mut texts = vec![best.text()];
        let mut others: Vec<Relative> = Vec::new();
        for other in candidates {
            if other.text().len() < best.text().len() && !texts.contains(&other.text()) {
                texts.push(other.text());
                others.push(other);
            }
        }
        others.sort_by_key(|other| other.text().len());
        others.truncate(60);
        let found = examine_relatives(others, &place).findings.into_iter();
        let still = found.filter(|finding| finding.fault == fault && kind(&finding.what) == wanted);
        let Some(smallest) = still.min_by_key(|finding| finding.relative.text().len()) else {
            break;
        };
        best = smallest.relative;
        println!("{}", best.file(&format!("{fault:?}: {}", smallest.what)));
    }
    ExitCode::SUCCESS
}

/// Makes what has been found smaller: all functions that are smaller by one step are examined at once.
fn minimise(path: &Path) -> ExitCode {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    if let Some(relative) = Relative::of_file(&text) {
        return minimise_relative(relative);
    }
    let items = syn::parse_file(&text).expect("it is Rust").items;
    let mut best = Program { origin: path.display().to_string(), items };
    let kind = |what: &str| what.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let place = folder().join("smaller");
    let first = examine(vec![best.clone()], &place, Depth::Compare);
    let Some(found) = first.findings.first() else {
        println!("nothing is wrong: {}", first.summary());
        return ExitCode::FAILURE;
    };
    let wanted = kind(&found.what);
    println!("{}", found.what);
    loop {
        let with = |function: ItemFn| {
            let mut program = best.clone();
            *program.function_mut() = function;
            program
        };
        let mut smaller: Vec<Program> =
            fuzz::shrink::smaller(best.function()).into_iter().map(with).collect();
        // The smallest first; rustc has to look at all of them.
        smaller.truncate(150);
        let report = examine(smaller, &place, Depth::Compare);
        let still = report.findings.into_iter().filter(|finding| kind(&finding.what) == wanted);
        let Some(smallest) = still.min_by_key(|finding| finding.program.text().len()) else {
            break;
        };
        best = smallest.program;
        println!("// {}\n{}", smallest.what, best.text());
    }
    ExitCode::SUCCESS
}

fn pretty(item: &impl ToTokens) -> String {
    match syn::parse2(item.to_token_stream()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => item.to_token_stream().to_string(),
    }
}

fn expand(inputs: u64, first: u64) -> ExitCode {
    let start = Instant::now();
    let all = Inputs::default();
    let summary = all.check(first..first + inputs, 50);
    // Each kind of failure once.
    let mut known: Vec<String> = Vec::new();
    for (seed, message) in &summary.failures {
        let kind: String = message.chars().take(100).collect();
        if known.contains(&kind) {
            continue;
        }
        known.push(kind.clone());
        let (options, item) = all.of(*seed);
        let small = syn::parse2::<ItemFn>(item.clone()).map(|function| {
            shrink(&function, &mut |function| {
                let other = expansion::check(&options, &function.to_token_stream());
                other.is_err_and(|other| other.starts_with(&kind))
            })
            .into_token_stream()
        });
        let small = small.unwrap_or(item);
        println!("seed {seed}: {message}\n#[adjoint({options})]\n{}", pretty(&small));
    }
    println!(
        "{} inputs from seed {first} on, {} functions, {} accepted, {} failures, slowest {:?}, {:.0} s",
        summary.inputs,
        summary.functions,
        summary.accepted,
        summary.failures.len(),
        summary.slowest,
        start.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(!summary.failures.is_empty()))
}
