//! What must hold for every expansion.

use crate::mutate::{Degree, Pool, input};
use crate::program::{self, Program};
use ad_analysis::expand;
use fastrand::Rng;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Once, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use syn::{Attribute, Item, ItemFn};

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is no function.
    NoFunction,
    /// The macro refuses it.
    Refused,
    /// The macro makes derivatives of it.
    Accepted,
}

/// How long an expansion may take: far longer than that of the longest function, in every profile.
const PATIENCE: Duration = Duration::from_secs(5);

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics that are caught quiet and remembers the last of each thread.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match IS_CAUGHT.get() {
            true => LAST_PANIC.with(|last| *last.borrow_mut() = info.to_string()),
            false => print(info),
        }));
    });
}

/// Runs something; the message of its panic is an error.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    silence();
    let outer = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    IS_CAUGHT.set(outer);
    result.map_err(|_| LAST_PANIC.with(|last| last.borrow().clone()))
}

/// Expands an input, and says what is wrong with what comes out.
pub fn check(arguments: &TokenStream, item: &TokenStream) -> Result<Outcome, String> {
    let start = Instant::now();
    let output = caught(|| expand(arguments.clone(), item.clone()))?;
    let time = start.elapsed();
    if time > PATIENCE {
        return Err(format!("slow: {:.1} s", time.as_secs_f64()));
    }
    let again = caught(|| expand(arguments.clone(), item.clone()))?;
    if output.to_string() != again.to_string() {
        return Err("two expansions differ".to_owned());
    }
    let is_function = syn::parse2::<ItemFn>(item.clone()).is_ok();
    let mut messages = Vec::new();
    errors(output.clone(), &mut messages);
    if messages.iter().any(|message| message.trim_matches('"').trim().is_empty()) {
        return Err("an error without a message".to_owned());
    }
    if !is_function && messages.is_empty() {
        return Err("no function, and no error".to_owned());
    }
    if !is_function {
        return Ok(Outcome::NoFunction);
    }
    if !messages.is_empty() {
        return Ok(Outcome::Refused);
    }
    match caught(|| syn::parse2::<syn::File>(output.clone()))? {
        Ok(_) => Ok(Outcome::Accepted),
        Err(error) => Err(format!("what is generated is no Rust: {error}")),
    }
}

/// What became of the annotated items of a module.
pub enum Expansion {
    /// All are accepted.
    Accepted,
    /// One is refused, with that message.
    Refused(String),
    /// The macro panics.
    Panic(String),
    /// The macro does not end.
    Hang,
}

/// Expands what is annotated in a module.
pub fn of_module(text: &str) -> Expansion {
    let (sender, receiver) = mpsc::channel();
    let text = text.to_owned();
    // A thread that does not end is left behind.
    let builder = thread::Builder::new().stack_size(STACK_OF_RUSTC);
    let run = move || _ = sender.send(caught(|| first_refusal(&text)));
    let started = builder.spawn(run);
    started.expect("a thread can be started");
    match receiver.recv_timeout(4 * PATIENCE) {
        Ok(Ok(None)) => Expansion::Accepted,
        Ok(Ok(Some(message))) => Expansion::Refused(message),
        Ok(Err(panic)) => Expansion::Panic(panic),
        Err(_) => Expansion::Hang,
    }
}

fn first_refusal(text: &str) -> Option<String> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for item in file.items {
        let (attr, tokens) = match item {
            Item::Fn(mut item) => (taken(&mut item.attrs), item.into_token_stream()),
            Item::Impl(mut item) => (taken(&mut item.attrs), item.into_token_stream()),
            Item::Mod(mut item) => (taken(&mut item.attrs), item.into_token_stream()),
            _ => continue,
        };
        let Some(attr) = attr else { continue };
        let mut messages = Vec::new();
        errors(expand(program::arguments(&attr), tokens), &mut messages);
        if let Some(message) = messages.into_iter().next() {
            return Some(message);
        }
    }
    None
}

/// Takes `#[adjoint]` out of some attributes.
fn taken(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    let at = attrs.iter().position(|attr| attr.path().is_ident("adjoint"))?;
    Some(attrs.remove(at))
}

/// The messages of `compile_error!`s.
fn errors(tokens: TokenStream, messages: &mut Vec<String>) {
    let mut expected = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "compile_error" => expected = 2,
            TokenTree::Group(group) if expected == 1 => messages.push(group.stream().to_string()),
            TokenTree::Group(group) => errors(group.stream(), messages),
            TokenTree::Punct(_) if expected == 2 => expected = 1,
            _ => expected = 0,
        }
    }
}

/// What came out of many inputs.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many inputs there were.
    pub inputs: u64,
    /// How many of them are functions.
    pub functions: u64,
    /// How many of them are accepted.
    pub accepted: u64,
    /// The longest expansion, with its seed.
    pub slowest: (Duration, u64),
    /// What is wrong, with the seed.
    pub failures: Vec<(u64, String)>,
}

/// The inputs of seeds.
pub struct Inputs {
    programs: Vec<Program>,
    pool: Pool,
}

/// Macros are expanded by a thread of rustc that has a stack of so many bytes.
const STACK_OF_RUSTC: usize = 8 << 20;

/// Checks the inputs of so many seeds on all processors.
pub fn check_many(inputs: u64, patience: usize) -> Summary {
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let part = inputs.div_ceil(threads);
    thread::scope(|scope| {
        let work = |thread: u64| {
            let seeds = thread * part..((thread + 1) * part).min(inputs);
            // Syntax trees stay in the thread that has made them.
            let work = move || Inputs::default().check(seeds, patience);
            let builder = thread::Builder::new().stack_size(STACK_OF_RUSTC);
            builder.spawn_scoped(scope, work).expect("a thread can be started")
        };
        let running: Vec<_> = (0..threads).map(work).collect();
        let mut all = Summary::default();
        for thread in running {
            all.add(thread.join().expect("panics are caught"));
        }
        all
    })
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.inputs += other.inputs;
        self.functions += other.functions;
        self.accepted += other.accepted;
        self.slowest = self.slowest.max(other.slowest);
        self.failures.extend(other.failures);
    }
}

impl Default for Inputs {
    fn default() -> Self {
        let programs = program::all();
        let pool = Pool::of(&programs);
        Self { programs, pool }
    }
}

impl Inputs {
    /// The input of a seed: the arguments of the attribute and the item.
    pub fn of(&self, seed: u64) -> (TokenStream, TokenStream) {
        let mut rng = Rng::with_seed(seed);
        let degree = match rng.usize(..20) {
            0..=11 => Degree::Typed,
            12..=16 => Degree::Wild,
            _ => Degree::Tokens,
        };
        input(&self.programs, &self.pool, degree, &mut rng)
    }

    /// Checks the inputs of a range of seeds; gives up after some failures.
    pub fn check(&self, seeds: std::ops::Range<u64>, patience: usize) -> Summary {
        let mut summary = Summary::default();
        for seed in seeds {
            let (arguments, item) = self.of(seed);
            let start = Instant::now();
            summary.inputs += 1;
            match check(&arguments, &item) {
                Ok(Outcome::NoFunction) => {}
                Ok(Outcome::Refused) => summary.functions += 1,
                Ok(Outcome::Accepted) => {
                    summary.functions += 1;
                    summary.accepted += 1;
                }
                Err(message) => {
                    summary.failures.push((seed, message));
                    if summary.failures.len() >= patience {
                        break;
                    }
                }
            }
            summary.slowest = summary.slowest.max((start.elapsed(), seed));
        }
        summary
    }
}
