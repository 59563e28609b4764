//! Checks of many random programs, on all processors.

use crate::check::{check, check_tangent, check_text, compare, primal_runs};
use crate::program::Program;
use crate::random::{Config, program};
use crate::reference::{Point, Reference};
use crate::shrink::shrink;
use ad_analysis::analyses::{Optimisation, Optimisations};
use ad_analysis::inline::{Callees, inline};
use ad_analysis::ir::{Body, CallMode, StmtKind, each_stmt_mut, parse, print};
use fastrand::Rng;
use std::fmt::Write;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::thread;

/// The programs of so many seeds are checked component by component; those of the others in between in
/// one direction.
const THOROUGH_EVERY: u64 = 8;

/// The programs of a range of seeds.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The first seed.
    pub first: u64,
    /// How many programs.
    pub programs: u64,
    /// After how many failures to give up.
    pub patience: usize,
    /// Whether to make failing programs smaller, which takes a while.
    pub shrinks: bool,
}

/// A program that is differentiated wrongly.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// What is wrong, and the program.
    pub text: String,
}

/// What came out of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many programs were checked.
    pub checked: u64,
    /// How many of them could be compared: the others overflow.
    pub compared: u64,
    /// The failures found before giving up, by seed.
    pub failures: Vec<Failure>,
}

impl Campaign {
    /// As many programs as `RANDOM_PROGRAMS` says, from the seed `RANDOM_SEED` on.
    pub fn from_environment(programs: u64) -> Self {
        let programs = number("RANDOM_PROGRAMS").unwrap_or(programs);
        let first = number("RANDOM_SEED").unwrap_or(0);
        Self { first, programs, patience: 3, shrinks: true }
    }

    /// Checks the programs.
    pub fn run(&self) -> Summary {
        let failures = Mutex::new(Vec::new());
        let compared = AtomicU64::new(0);
        let checked = each_seed(self.first, self.programs, &|seed| {
            match examine(seed) {
                Ok(was_compared) => {
                    compared.fetch_add(u64::from(was_compared), Ordering::Relaxed);
                }
                Err(message) => {
                    let text = if self.shrinks { shrunk(seed, &message) } else { message };
                    failures.lock().expect("no thread has panicked").push(Failure { seed, text });
                }
            }
            failures.lock().expect("no thread has panicked").len() < self.patience
        });
        let mut failures = failures.into_inner().expect("no thread has panicked");
        failures.sort_by_key(|failure| failure.seed);
        Summary { checked, compared: compared.into_inner(), failures }
    }
}

fn number<T: FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// Calls `visit` with each seed until it says stop, on as many threads as there are processors; says
/// how often it was called.
pub fn each_seed(first: u64, count: u64, visit: &(dyn Fn(u64) -> bool + Sync)) -> u64 {
    // What goes wrong with a program is caught and reported with the program.
    static QUIET: Once = Once::new();
    const NAME: &str = "random programs";
    QUIET.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(NAME) {
                before(info);
            }
        }));
    });
    let (next, visited) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            if position >= count {
                return;
            }
            visited.fetch_add(1, Ordering::Relaxed);
            if !visit(first + position) {
                next.store(count, Ordering::Relaxed);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            let builder = thread::Builder::new().name(NAME.to_owned()).stack_size(32 << 20);
            builder.spawn_scoped(scope, work).expect("a thread can be started");
        }
    });
    visited.into_inner()
}

/// The program of a seed, and a point at which it is run.
pub fn sample(seed: u64) -> (Vec<Body>, Point) {
    let mut rng = Rng::with_seed(seed);
    let bodies = program(&mut rng, Config::default());
    let point = Point::random(bodies.last().expect("there is a main function"), &mut rng);
    (bodies, point)
}

/// The optimisations that the program of a seed is checked with: none, all, all but one.
fn modes(seed: u64) -> [Optimisations; 3] {
    let names = Optimisation::ALL;
    let missing = names[(seed % names.len() as u64) as usize];
    [Optimisations::NONE, Optimisations::ALL, Optimisations::ALL.without(missing)]
}

/// Checks the program of a seed; says whether it could be compared.
pub fn examine(seed: u64) -> Result<bool, String> {
    let (bodies, point) = caught(|| Ok(sample(seed)))?;
    examine_at(&bodies, &point, seed)
}

/// Checks a program at so many points, with other optimisations switched off and other parameters active
/// at each.
pub fn examine_text(text: &str, points: u64) -> Result<(), String> {
    let bodies = [parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))];
    (0..points).try_for_each(|seed| {
        let point = Point::random(&bodies[0], &mut Rng::with_seed(seed));
        examine_at(&bodies, &point, seed).map(drop)
    })
}

fn examine_at(bodies: &[Body], point: &Point, seed: u64) -> Result<bool, String> {
    let main = bodies.last().expect("there is a main function");
    let is_thorough = seed.is_multiple_of(THOROUGH_EVERY);
    let [naive, all, rotating] = modes(seed);
    let reference = caught(|| Ok(Reference::new(&bodies, main, point, is_thorough)))?;
    let Some(reference) = reference else { return Ok(false) };
    let derive = || Ok(Program::new(bodies, naive));
    let program = caught(derive).map_err(with_mode(naive))?;
    let gradient = |program: &Program, mode| {
        let text = || if is_thorough { check_text(program) } else { Ok(()) };
        caught(|| text().and_then(|()| check(program, &main.name, point, &reference)))
            .map_err(with_mode(mode))
    };
    let expected = gradient(&program, naive)?;
    let tangent =
        |program: &Program| caught(|| check_tangent(program, &main.name, point, &reference));
    tangent(&program).map_err(with_mode(naive))?;
    for mode in [all, rotating] {
        let program = caught(|| Ok(program.with(mode))).map_err(with_mode(mode))?;
        let found = gradient(&program, mode)?;
        compare(main, &found, &expected, "optimised adjoint").map_err(with_mode(mode))?;
        tangent(&program).map_err(with_mode(mode))?;
    }
    if bodies.len() > 1 {
        let inlined = |error| format!("{error}\n(inlined)");
        let program = || Ok(Program::new(&inlined_in_part(bodies, seed), all));
        let program = caught(program).map_err(inlined)?;
        let found = gradient(&program, all).map_err(inlined)?;
        compare(main, &found, &expected, "adjoint of what is inlined").map_err(inlined)?;
    }
    Ok(true)
}

/// The program with the calls of some functions replaced by their bodies.
pub fn inlined_in_part(bodies: &[Body], seed: u64) -> Vec<Body> {
    let mut rng = Rng::with_seed(seed);
    let mut bodies = bodies.to_vec();
    for body in &mut bodies {
        each_stmt_mut(&mut body.block, &mut |stmt| {
            // A mode is a reason not to.
            if let StmtKind::Call(call) = &mut stmt.kind
                && rng.f64() < 0.7
            {
                call.mode = CallMode::Auto;
            }
        });
    }
    let callees = Callees::of(bodies.clone(), |_| true);
    bodies.iter_mut().for_each(|body| inline(body, &callees));
    bodies
}

/// What a check says; a panic is an error like others.
fn caught<T>(check: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let result = catch_unwind(AssertUnwindSafe(check));
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn with_mode(mode: Optimisations) -> impl Fn(String) -> String {
    move |message| format!("{message}\n({})", describe(mode))
}

fn describe(mode: Optimisations) -> String {
    if mode == Optimisations::NONE {
        return "no(all)".to_owned();
    }
    let missing = Optimisation::ALL.into_iter().filter(|&name| !mode.has(name));
    let names: Vec<&str> = missing.map(Optimisation::name).collect();
    if names.is_empty() { "optimised".to_owned() } else { format!("no({})", names.join(", ")) }
}

/// What is wrong, by which a shrunk program is recognised as failing for the same reason.
fn kind(message: &str) -> String {
    message.split_whitespace().take(2).collect()
}

/// The smallest program like that of a seed that fails in the same way, with its sweeps.
fn shrunk(seed: u64, message: &str) -> String {
    let Ok((bodies, point)) = catch_unwind(|| sample(seed)) else { return message.to_owned() };
    let runs = |bodies: &[Body]| {
        let run = || primal_runs(bodies, "main", &point);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or(false)
    };
    let small = shrink(bodies, &|bodies| {
        // What has become endless is given up before it is differentiated.
        let other = || examine_at(bodies, &point, seed).err();
        runs(bodies) && other().is_some_and(|other| kind(&other) == kind(message))
    });
    let message = examine_at(&small, &point, seed).err().unwrap_or_else(|| message.to_owned());
    let mut text = format!("{message}\n");
    for body in &small {
        let _ = writeln!(text, "{}", print(body));
    }
    let mode =
        modes(seed).into_iter().find(|&mode| message.ends_with(&format!("({})", describe(mode))));
    let mode = mode.unwrap_or(Optimisations::ALL);
    if let Ok(program) = catch_unwind(AssertUnwindSafe(|| Program::new(&small, mode))) {
        for (name, function) in &program.functions {
            let adjoint = &function.adjoint;
            let phases = [&function.reified, &adjoint.forward, &adjoint.backward].map(print);
            let [reified, forward, backward] = phases;
            let _ = writeln!(
                text,
                "// {name}, {}: reified\n{reified}// forward\n{forward}// backward\n{backward}",
                describe(mode)
            );
        }
    }
    let _ = writeln!(text, "{point:?}");
    text
}
