//! Random functions of the shapes in which derivatives have gone wrong silently: effects in operands, values that are dropped,
//! code that is kept as it is and writes variables, names, and numbers at the ends of what there is. Each class is a grammar over a few
//! kinds of statements. What is run of every function is `f(x, n, c)`; its oracle is the same text without our attributes.

mod choices;
mod drops;
mod kept;
mod names;
mod numbers;
mod order;

pub use choices::{Choices, smaller};
use std::fmt::Write;

/// What a function is meant to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The order in which operands are evaluated, and places are fixed.
    Order,
    /// When temporaries and variables are dropped.
    Drops,
    /// Code that the macro does not take apart.
    Kept,
    /// Which name means what.
    Names,
    /// Infinite numbers, ties, the ends of the types of integers.
    Numbers,
}

/// A generated function with what it needs.
#[derive(Clone, Debug)]
pub struct Relative {
    /// What it is meant to break.
    pub class: Class,
    /// The choices of which it is made.
    pub choices: Vec<usize>,
    /// What it mentions.
    helpers: String,
    /// The function.
    items: String,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 5] =
        [Class::Order, Class::Drops, Class::Kept, Class::Names, Class::Numbers];

    /// As in commands.
    pub fn name(self) -> &'static str {
        match self {
            Class::Order => "order",
            Class::Drops => "drops",
            Class::Kept => "kept",
            Class::Names => "names",
            Class::Numbers => "numbers",
        }
    }

    /// The class of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The function of a seed.
    pub fn of_seed(self, seed: u64) -> Relative {
        self.made(Choices::random(seed))
    }

    /// The function that some choices make.
    pub fn of_choices(self, choices: &[usize]) -> Relative {
        self.made(Choices::given(choices))
    }

    /// What functions of this class mention, if they can have it in common: to compile it once is a lot less.
    pub fn shared(self) -> Option<String> {
        let helpers: &[Helper] = match self {
            Class::Order => &order::HELPERS,
            Class::Drops => &drops::HELPERS,
            Class::Kept | Class::Names | Class::Numbers => return None,
        };
        let all: String = helpers.iter().flat_map(|(_, text)| [*text, "\n"]).collect();
        Some(format!("{IMPORTS}{all}"))
    }

    fn made(self, mut choices: Choices) -> Relative {
        let (helpers, items) = match self {
            Class::Order => order::items(&mut choices),
            Class::Drops => drops::items(&mut choices),
            Class::Kept => kept::items(&mut choices),
            Class::Names => names::items(&mut choices),
            Class::Numbers => numbers::items(&mut choices),
        };
        Relative { class: self, choices: choices.noted().to_vec(), helpers, items }
    }
}

/// What stands at the beginning of each module.
const IMPORTS: &str = "use crate::relatives::*;\nuse backsweep::{adjoint, Differentiable};\n";

/// Stands behind a number with an infinite partial and a bar that is not 0: by the rules of the language the gradient may be NaN, though
/// the tangent is none.
const POLE: &str = " // A pole.";

/// A helper of generated functions: its name, and what it is.
type Helper = (&'static str, &'static str);

/// A function `f` with that body, and those helpers that it mentions.
fn function(choices: &mut Choices, helpers: &[Helper], body: &str) -> (String, String) {
    let options = ["", "", "", "", ", no(all)"];
    let options = choices.of(&options);
    let f = format!(
        "#[adjoint(independents(x), dependents(return), passive(c){options})]\n\
         pub fn f(x: &[f64], n: usize, c: &Context) -> f64 {{\n{body}}}\n"
    );
    (mentioned(helpers, &f), f)
}

/// Those helpers that some items mention.
fn mentioned(helpers: &[Helper], items: &str) -> String {
    let mut text = String::new();
    let mut known = items.to_owned();
    let mut wanted = vec![false; helpers.len()];
    // Helpers mention each other.
    while let Some(at) =
        (0..helpers.len()).find(|at| !wanted[*at] && mentions(&known, helpers[*at].0))
    {
        wanted[at] = true;
        known.push_str(helpers[at].1);
    }
    for (_, helper) in
        helpers.iter().zip(wanted).filter(|(_, is_wanted)| *is_wanted).map(|(helper, _)| helper)
    {
        let _ = writeln!(text, "{helper}");
    }
    text
}

/// Whether a text has a word.
fn mentions(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

/// The declarations that a body mentions, and the body.
fn declared(declarations: &[Helper], body: &str) -> String {
    let mut known = body.to_owned();
    let mut text = String::new();
    // The last first: those before may be mentioned by those behind.
    for (name, declaration) in declarations.iter().rev() {
        if mentions(&known, name) {
            text = format!("{declaration}\n{text}");
            known.push_str(declaration);
        }
    }
    text + body
}

/// A text without our attributes, each of which stands on a line of its own.
pub fn plain(text: &str) -> String {
    const OURS: [&str; 4] = ["#[adjoint", "#[checkpoint", "#[passive", "#[split"];
    let lines = text.lines().filter(|line| {
        let line = line.trim_start();
        !OURS.iter().any(|attribute| line.starts_with(attribute))
    });
    lines.fold(String::new(), |text, line| text + line + "\n")
}

impl Relative {
    /// Whether bars may be NaN where a tangent is a number.
    pub fn has_pole(&self) -> bool {
        self.items.contains(POLE)
    }

    /// All items.
    pub fn text(&self) -> String {
        format!("{IMPORTS}{}{}", self.helpers, self.items)
    }

    /// The items of a module beside that of what is shared.
    pub fn beside_shared(&self) -> String {
        match self.class.shared() {
            Some(_) => format!("use super::shared::*;\n{IMPORTS}{}", self.items),
            None => self.text(),
        }
    }

    /// The function with what makes it again, as a file.
    pub fn file(&self, what: &str) -> String {
        let choices: Vec<String> = self.choices.iter().map(usize::to_string).collect();
        format!(
            "// {}: {what}\n// choices: {}\n{}",
            self.class.name(),
            choices.join(" "),
            self.text()
        )
    }

    /// What such a file says.
    pub fn of_file(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let class = lines.next()?.strip_prefix("// ")?.split(':').next()?;
        let choices = lines.next()?.strip_prefix("// choices: ")?;
        let choices: Result<Vec<usize>, _> = choices.split(' ').map(str::parse).collect();
        Some(Class::named(class)?.of_choices(&choices.ok()?))
    }
}
