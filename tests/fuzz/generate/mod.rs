//! Random functions that rustc accepts: their types are right, indices are in bounds, loops end.

mod expressions;
mod statements;

use crate::program::Program;
use fastrand::Rng;
use std::fmt::Write;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `f64`
    Float,
    /// `&f64`
    Reference,
    /// `usize`
    Int,
    /// A list of [`LEN`] floats: `[f64; 4]`.
    Array,
    /// A parameter: `&[f64]` or `&mut [f64]` with [`LEN`] elements.
    Slice,
    /// `Vec<f64>` with one element at least.
    Vec,
    /// `(f64, f64)`
    Pair,
}

/// The length of lists that do not grow.
const LEN: usize = 3;

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
    mutable: bool,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returned {
    Float,
    Pair,
    Array,
    Vec,
}

struct Generator<'a> {
    rng: &'a mut Rng,
    /// The variables in scope.
    variables: Vec<Variable>,
    /// How many names have been made.
    names: usize,
    returned: Returned,
    /// The labels of the loops around, innermost last.
    labels: Vec<String>,
    /// Whether `return` leads out of the function.
    may_return: bool,
    /// How many statements there may still be.
    budget: usize,
    /// Whether there is another function to be called.
    has_helper: bool,
    /// Whether some blocks and loops are checkpointed.
    has_checkpoints: bool,
}

/// A random function, with another one that it may call.
pub fn function(seed: u64) -> Program {
    returning_anything(seed, false)
}

/// The same, with blocks and loops that are checkpointed.
pub fn function_with_checkpoints(seed: u64) -> Program {
    returning_anything(seed, true)
}

/// A random function of floats and lists that returns a float.
pub fn function_to_interpret(seed: u64) -> Program {
    returning(Returned::Float, false, false, seed, Rng::with_seed(seed))
}

/// The same, with blocks and loops that are checkpointed.
pub fn function_with_checkpoints_to_interpret(seed: u64) -> Program {
    returning(Returned::Float, false, true, seed, Rng::with_seed(seed))
}

fn returning_anything(seed: u64, has_checkpoints: bool) -> Program {
    let mut rng = Rng::with_seed(seed);
    let returned = match rng.usize(..8) {
        0 => Returned::Pair,
        1 => Returned::Array,
        2 => Returned::Vec,
        _ => Returned::Float,
    };
    returning(returned, true, has_checkpoints, seed, rng)
}

fn returning(
    returned: Returned,
    with_pairs: bool,
    has_checkpoints: bool,
    seed: u64,
    mut rng: Rng,
) -> Program {
    let has_helper = rng.usize(..3) == 0;
    let mut text = "use backsweep::adjoint;\nuse std::mem;\n".to_owned();
    if has_helper {
        let mut helper = Generator::new(&mut rng, Returned::Float, 4);
        text += &helper.function("helper", &[("x", Kind::Float, false), ("v", Kind::Slice, false)]);
    }
    let mut params = vec![("x", Kind::Float, false)];
    let optional = [
        ("y", Kind::Float, rng.bool()),
        ("v", Kind::Slice, false),
        ("w", Kind::Slice, true),
        ("n", Kind::Int, false),
        ("p", Kind::Pair, false),
        ("q", Kind::Array, rng.bool()),
    ];
    let wanted = |kind: Kind| with_pairs || kind != Kind::Pair;
    params.extend(optional.into_iter().filter(|param| rng.bool() && wanted(param.1)));
    let budget = 3 + rng.usize(..12);
    let mut main = Generator::new(&mut rng, returned, budget);
    main.has_helper = has_helper;
    main.has_checkpoints = has_checkpoints;
    text += &main.function("main", &params);
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Program { origin: format!("generated {seed}"), items: file.items }
}

impl<'a> Generator<'a> {
    fn new(rng: &'a mut Rng, returned: Returned, budget: usize) -> Self {
        Self {
            rng,
            variables: Vec::new(),
            names: 0,
            returned,
            labels: Vec::new(),
            may_return: true,
            budget,
            has_helper: false,
            has_checkpoints: false,
        }
    }

    fn function(&mut self, name: &str, params: &[(&str, Kind, bool)]) -> String {
        let mut text = "#[adjoint]\n".to_owned();
        if name == "main" {
            for _ in 0..2 {
                let samples: Vec<String> =
                    params.iter().map(|(_, kind, _)| self.sample(*kind)).collect();
                let _ = writeln!(text, "#[sample({})]", samples.join(", "));
            }
        }
        let typed = params.iter().map(|(name, kind, mutable)| {
            let ty = match (kind, mutable) {
                (Kind::Slice, false) => "&[f64]".to_owned(),
                (Kind::Slice, true) => "&mut [f64]".to_owned(),
                (kind, _) => kind.name(),
            };
            let is_mut = *mutable && *kind != Kind::Slice;
            format!("{}{name}: {ty}", if is_mut { "mut " } else { "" })
        });
        let typed: Vec<String> = typed.collect();
        self.variables = params
            .iter()
            .map(|(name, kind, mutable)| Variable {
                name: (*name).to_owned(),
                kind: *kind,
                mutable: *mutable,
            })
            .collect();
        let output = match self.returned {
            Returned::Float => "f64",
            Returned::Pair => "(f64, f64)",
            Returned::Array => "[f64; 2]",
            Returned::Vec => "Vec<f64>",
        };
        let _ = writeln!(text, "pub fn {name}({}) -> {output} {{", typed.join(", "));
        while self.budget > 0 {
            text += &self.statement(0);
        }
        text += &self.result();
        text + "}\n"
    }

    fn sample(&mut self, kind: Kind) -> String {
        let mut float = || format!("{:.2}", self.rng.f64() * 2.0 - 0.8);
        match kind {
            Kind::Int => format!("{}", self.rng.usize(..4)),
            Kind::Pair => format!("({}, {})", float(), float()),
            Kind::Array | Kind::Slice | Kind::Vec => {
                let floats: Vec<String> = (0..LEN).map(|_| float()).collect();
                format!("[{}]", floats.join(", "))
            }
            Kind::Float | Kind::Reference => float(),
        }
    }

    /// What is returned: as much as possible depends on everything.
    fn result(&mut self) -> String {
        let parts = self.variables.clone();
        let mut terms: Vec<String> = Vec::new();
        for variable in parts {
            let name = &variable.name;
            terms.push(match variable.kind {
                Kind::Float => format!("{name} * {}", self.literal()),
                Kind::Reference => format!("*{name}"),
                Kind::Int => continue,
                Kind::Array | Kind::Slice => format!("{name}[{}]", self.rng.usize(..LEN)),
                Kind::Vec if self.rng.bool() => format!("{name}.iter().sum::<f64>()"),
                Kind::Vec => format!("{name}[{name}.len() - 1] * {name}[0]"),
                Kind::Pair => format!("{name}.0 * {name}.1"),
            });
        }
        let all = terms.join(" + ");
        match self.returned {
            Returned::Float => all,
            Returned::Pair => format!("({all}, {})", self.float(1)),
            Returned::Array => format!("[{}, {all}]", self.float(1)),
            Returned::Vec => {
                let vectors = self.of_kind(Kind::Vec);
                match self.pick(&vectors) {
                    Some(list) if self.rng.bool() => list,
                    _ => format!("vec![{all}, {}]", self.float(1)),
                }
            }
        }
    }

    fn fresh(&mut self, hint: &str) -> String {
        self.names += 1;
        format!("{hint}{}", self.names)
    }

    fn declare(&mut self, name: &str, kind: Kind, mutable: bool) {
        self.variables.retain(|variable| variable.name != name);
        self.variables.push(Variable { name: name.to_owned(), kind, mutable });
    }

    fn names_of(&self, test: impl Fn(&Variable) -> bool) -> Vec<String> {
        let found = self.variables.iter().filter(|variable| test(variable));
        found.map(|variable| variable.name.clone()).collect()
    }

    fn of_kind(&self, kind: Kind) -> Vec<String> {
        self.names_of(|variable| variable.kind == kind)
    }

    fn mutable(&self, kind: Kind) -> Vec<String> {
        self.names_of(|variable| variable.kind == kind && variable.mutable)
    }

    fn lists(&self, mutable: bool) -> Vec<String> {
        self.names_of(|variable| {
            let is_list = matches!(variable.kind, Kind::Array | Kind::Slice | Kind::Vec);
            is_list && (variable.mutable || !mutable)
        })
    }

    fn pick(&mut self, names: &[String]) -> Option<String> {
        (!names.is_empty()).then(|| names[self.rng.usize(..names.len())].clone())
    }

    /// Runs something with a variable out of sight.
    fn without<T>(&mut self, name: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        let all = self.variables.clone();
        self.variables.retain(|variable| variable.name != name);
        let result = run(self);
        self.variables = all;
        result
    }
}

impl Kind {
    fn name(self) -> String {
        match self {
            Kind::Float => "f64".to_owned(),
            Kind::Reference => "&f64".to_owned(),
            Kind::Int => "usize".to_owned(),
            Kind::Array => format!("[f64; {LEN}]"),
            Kind::Slice => "&[f64]".to_owned(),
            Kind::Vec => "Vec<f64>".to_owned(),
            Kind::Pair => "(f64, f64)".to_owned(),
        }
    }
}
