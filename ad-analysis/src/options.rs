//! The arguments of `#[adjoint(…)]`.

mod declared;
mod held;
mod of_context;
mod statements;

use crate::analyses::{Optimisation, Optimisations};
use crate::bodies::{IN_PLACE, IN_PLACE_OF_TYPE, InPlace, PASSED_TO, PassedTo};
use crate::diag::Errors;
use crate::ir::CallMode;
use crate::read::{HOLDS, Told, text_of};
pub use declared::{Declaration, Declarations, Payloads, Subject};
pub use held::{Held, OfStruct};
pub use of_context::{
    APART, DECLARED, DERIVED, FLOAT_TRAITS, FOUND, HELD, IMPORTED, IMPORTS, LIBRARY, LIFETIMES,
    OF_TRAIT, OPERATORS, TRAITS, WITHIN, block_of,
};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser, Result};
use syn::punctuated::Punctuated;
use syn::{LitStr, Path, Token, parenthesized};

/// Whether functions of floats may be those of arrays where types are not seen: there are rules of both then.
pub const HAS_ARRAYS: bool = cfg!(feature = "arrays");

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// `independents(…)`, if given: the names of parameters.
    pub independents: Option<Vec<Ident>>,
    /// `dependents(…)`, if given: the names of parameters, and `return`.
    pub dependents: Option<Vec<Ident>>,
    /// `passive(…)`: parameters that carry no derivative, whatever their types.
    pub passive: Vec<Ident>,
    /// What the user gives in place of what the body would say.
    pub given: Option<Given>,
    /// `tangent = path`: the tangent that belongs to an adjoint that is given, and where that is said.
    pub given_tangent: Option<(TokenStream, Span)>,
    /// `once` or `repeatable`: whether a function whose adjoint is given may run twice, and where that is said.
    pub repeats: Option<(Repeats, Span)>,
    /// `name = "…"`.
    pub name: Option<(String, Span)>,
    /// `crate = path`.
    pub facade: Option<TokenStream>,
    /// Methods that are those of operators if they are called on floats, as the files of the crate tell.
    pub operators: Vec<Ident>,
    /// Functions of the standard library, by the names by which they are imported, as the files of the crate tell.
    pub library: Vec<(Ident, TokenStream)>,
    /// The traits that paths of calls lead through, by [keys](key_of).
    pub traits: Vec<Ident>,
    /// Types of parameters that have lifetimes and are written without, once for each.
    pub lifetimes: Vec<Ident>,
    /// What the declarations in the files of the crate say of types.
    pub declared: Declarations,
    /// The conditions of what is declared that rustc has not decided.
    pub undecided: Vec<TokenStream>,
    /// The conditions that hold, as text.
    pub holds: Option<Vec<String>>,
    /// Types of parameters that derive `Differentiable`.
    pub derived: Vec<Ident>,
    /// Traits that only floats have, with the names of their paths in one, as the files of the crate tell.
    pub float_traits: Vec<Ident>,
    /// Where structs hold values of their type parameters, as the files of the crate tell.
    pub held: Held,
    /// The head of the `impl` block around a function that is annotated alone, as the files of the crate tell.
    pub within: Option<TokenStream>,
    /// `of_trait(m, …)`: the methods with adjoints of the trait that an `impl` block is of, if that is annotated.
    pub of_trait: Option<Vec<Ident>>,
    /// [`APART`].
    pub is_apart: bool,
    /// Where the entries of functions are, as the files of the crate tell.
    pub found: Vec<(Ident, TokenStream)>,
    /// By which paths callees are imported whose modules are hidden, as the files of the crate tell.
    pub imported: Vec<(Ident, TokenStream)>,
    /// By which paths others import the function, as the files of the crate tell.
    pub imports: Vec<(Ident, TokenStream)>,
    /// The bodies of functions that take functions, as the files of the crate tell.
    pub passed_to: Vec<PassedTo>,
    /// Of a function that takes functions: how others that call it know its body.
    pub in_place: Option<InPlace>,
    /// Functions in an `impl` block for which others stand.
    pub in_place_of_type: Vec<(Ident, InPlace)>,
    /// `callee(g = path)`: where the entries of a callee are.
    pub callees: Vec<(Ident, TokenStream)>,
    /// `split(…)` and `checkpoint(…)`: callees called in one mode throughout.
    pub modes: Vec<(Ident, CallMode)>,
    /// `mode = "…"`: the mode of the calls without a mode of their own.
    pub mode: CallMode,
    /// `second_order`: whether there are second derivatives, and where that is said.
    pub second_order: Option<Span>,
    /// `first_nonfinite`: whether there is a search for what makes an infinity or a NaN, and where that is said.
    pub first_nonfinite: Option<Span>,
    /// `entries(…)`, if given: the entries that users call, those of a block and those of its function. There are those that these call, too,
    /// and no others.
    pub entries: Option<Vec<Ident>>,
    /// `test(x: …)`: arguments of generated tests, and where they are asked for.
    pub tests: Vec<(Ident, Vec<NamedValue>)>,
    /// `no(…)` removes optimisations.
    pub enabled: Optimisations,
    /// Whether files of the crate are read; `no(context)` says that they are not.
    pub has_context: bool,
}

/// A derivative that the user gives, of a function whose body is not looked at.
#[derive(Clone, Debug)]
pub enum Given {
    /// `partials(x: …)`: the partials of the result, by the names of parameters.
    Partials(Vec<NamedValue>),
    /// `with = path`: a function that is the adjoint.
    Adjoint(TokenStream),
}

impl Given {
    /// The path of the adjoint.
    pub fn adjoint(&self) -> Option<&TokenStream> {
        match self {
            Self::Adjoint(path) => Some(path),
            Self::Partials(_) => None,
        }
    }
}

/// What happens if a function whose body is not looked at runs again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// Nobody knows: it must run once.
    Once,
    /// The same.
    Repeatable,
}

/// What the user gives for a parameter: a partial derivative with respect to it, or an argument.
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// The parameter.
    pub name: Ident,
    /// The expression.
    pub value: TokenStream,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            independents: None,
            dependents: None,
            passive: Vec::new(),
            given: None,
            given_tangent: None,
            repeats: None,
            name: None,
            facade: None,
            operators: Vec::new(),
            library: Vec::new(),
            lifetimes: Vec::new(),
            traits: Vec::new(),
            declared: Declarations::default(),
            undecided: Vec::new(),
            holds: None,
            derived: Vec::new(),
            float_traits: Vec::new(),
            held: Held::default(),
            within: None,
            of_trait: None,
            is_apart: false,
            found: Vec::new(),
            imported: Vec::new(),
            imports: Vec::new(),
            passed_to: Vec::new(),
            in_place: None,
            in_place_of_type: Vec::new(),
            callees: Vec::new(),
            modes: Vec::new(),
            mode: CallMode::Auto,
            second_order: None,
            first_nonfinite: None,
            entries: None,
            tests: Vec::new(),
            enabled: Optimisations::ALL,
            has_context: true,
        }
    }
}

/// A path in one name.
pub fn key_of(path: &[String]) -> String {
    path.iter().map(|name| name.trim_start_matches("r#")).collect::<Vec<_>>().join("_IN_")
}

/// The path that a key was made of.
pub fn path_of_key(key: &str) -> String {
    key.replace("_IN_", "::")
}

/// Options that the design knows and this version does not have yet.
const LATER: [(&str, &str); 1] =
    [("skip", "it belongs to functions in an `impl` block that is annotated")];

const KNOWN: &str = "independents(…), dependents(…), passive(…), partials(…), with = path, tangent = path, once, repeatable, \
                     name = \"…\", crate = path, callee(g = path), split(…), checkpoint(…), mode = \"…\", entries(…), second_order, \
                     first_nonfinite, test(…), of_trait(…), no(…)";

const REPEATS: &str = "write `with = path, repeatable` if the function does the same whenever it is called, and nothing \
                       else; it is `once` otherwise. Of functions whose bodies are lowered the macro finds it out";

const GIVEN_TANGENT: &str = "write `with = path, tangent = path`; the tangent of a function with `partials(…)` or with a body is found \
                             by the macro";

const TEST: &str =
    "write `test(x: …, n: …)`: for each parameter an expression as in a call of the function";

const PARTIALS: &str = "write `partials(x: …)`: the derivative of the result with respect to `x`, in terms of \
                        the parameters and `result`";

impl Options {
    /// What the files of the crate tell of the names in the item.
    pub fn told(&self) -> Told<'_> {
        let Self { operators, library, lifetimes, declared, .. } = self;
        Told { operators, library, lifetimes, aliases: declared.aliases() }
    }

    /// Parses the arguments; what is wrong with them is reported, and the rest counts.
    pub fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut options = Self::default();
        let items = Punctuated::<Item, Token![,]>::parse_terminated.parse2(tokens);
        match items {
            Ok(items) => {
                let mut seen: Vec<String> = Vec::new();
                for item in items {
                    let name = item.name.to_string();
                    let repeatable = ["callee", "entries", DECLARED, FOUND, IMPORTED, "test", "no"]
                        .contains(&name.as_str());
                    if seen.contains(&name) && !repeatable {
                        let what = format!("`{name}` is given twice");
                        errors.report(item.name.span(), what, "give it once");
                    }
                    seen.push(name);
                    options.apply(item, errors);
                }
            }
            Err(error) => errors.report_syntax(&error, &format!("the options are {KNOWN}")),
        }
        options.settle_given(errors);
        options.settle_declared();
        options
    }

    fn settle_declared(&mut self) {
        if self.holds.is_none() {
            self.undecided = self.declared.conditions().cloned().collect();
        }
        let holds = self.holds.take().unwrap_or_default();
        self.declared.decide(|condition| holds.contains(&text_of(condition)));
    }

    fn apply(&mut self, item: Item, errors: &Errors) {
        let Item { name, value } = item;
        let span = name.span();
        match (name.to_string().as_str(), value) {
            ("independents", Value::List(list)) => {
                self.independents = names(list, &name, errors);
            }
            ("dependents", Value::List(list)) => self.dependents = names(list, &name, errors),
            ("passive", Value::List(list)) => self.passive = listed(list, &name, errors),
            ("entries", Value::List(list)) => {
                let asked = self.entries.get_or_insert_default();
                if !list.is_empty() {
                    asked.extend(listed(list, &name, errors));
                }
            }
            ("partials", Value::List(list)) => self.give_partials(list, &name, errors),
            ("with", Value::Path(path)) => self.give(Given::Adjoint(path), &name, errors),
            ("tangent", Value::Path(path)) => self.given_tangent = Some((path, span)),
            ("split", Value::List(list)) => {
                let list = listed(list, &name, errors);
                self.modes.extend(list.into_iter().map(|callee| (callee, CallMode::Split)));
            }
            ("checkpoint", Value::List(list)) => {
                let list = listed(list, &name, errors);
                self.modes.extend(list.into_iter().map(|callee| (callee, CallMode::Joint)));
            }
            ("callee", Value::List(list)) => self.callees.extend(paths_of(list, errors)),
            (OPERATORS, Value::List(list)) => self.operators = listed(list, &name, errors),
            (LIBRARY, Value::List(list)) => self.library = paths_of(list, errors),
            (OF_TRAIT, Value::List(list)) => self.of_trait = Some(listed(list, &name, errors)),
            (APART, Value::Nothing) => self.is_apart = true,
            (DECLARED, Value::List(list)) => {
                if let Err(error) = self.declared.read(list) {
                    errors.report_syntax(&error, "leave it to the macro");
                }
            }
            (HOLDS, Value::List(list)) => {
                let texts = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(list);
                self.holds = texts.ok().map(|texts| texts.iter().map(LitStr::value).collect());
            }
            (TRAITS, Value::List(list)) => self.traits = listed(list, &name, errors),
            (LIFETIMES, Value::List(list)) => self.lifetimes = listed(list, &name, errors),
            (DERIVED, Value::List(list)) => self.derived = listed(list, &name, errors),
            (FLOAT_TRAITS, Value::List(list)) => self.float_traits = listed(list, &name, errors),
            (HELD, Value::List(list)) => match Held::parse(list) {
                Ok(held) => self.held = held,
                Err(error) => errors.report_syntax(&error, "leave it to the macro"),
            },
            (WITHIN, Value::List(list)) => self.within = Some(list),
            (PASSED_TO, Value::List(list)) => self.passed_to = PassedTo::all_in(list),
            (IN_PLACE, Value::List(list)) => self.in_place = InPlace::of(list),
            (IN_PLACE_OF_TYPE, Value::List(list)) => {
                self.in_place_of_type = InPlace::of_types(list);
            }
            (FOUND, Value::List(list)) => self.found.extend(paths_of(list, errors)),
            (IMPORTED, Value::List(list)) => self.imported.extend(paths_of(list, errors)),
            (IMPORTS, Value::List(list)) => self.imports = paths_of(list, errors),
            ("test", Value::List(list)) => match named_values(list) {
                Ok(values) => self.tests.push((name, values)),
                Err(error) => errors.report_syntax(&error, TEST),
            },
            ("test", _) => errors.report(span, "`test` takes a list", TEST),
            ("no", Value::List(list)) => {
                for optimisation in listed(list, &name, errors) {
                    self.switch_off(&optimisation, errors);
                }
            }
            ("name", Value::Text(text, span)) => self.name = Some((text, span)),
            ("crate", Value::Path(path)) => self.facade = Some(path),
            ("mode", Value::Text(text, span)) => match text.as_str() {
                "joint" => self.mode = CallMode::Joint,
                "split" => self.mode = CallMode::Split,
                "auto" => self.mode = CallMode::Auto,
                _ => errors.report(
                    span,
                    format!("`{text}` is no mode"),
                    "the modes are \"joint\", \"split\" and \"auto\"",
                ),
            },
            ("once", Value::Nothing) => self.repeat(Repeats::Once, span, errors),
            ("repeatable", Value::Nothing) => self.repeat(Repeats::Repeatable, span, errors),
            (known @ ("once" | "repeatable"), _) => {
                errors.report(span, format!("`{known}` takes nothing"), REPEATS);
            }
            ("second_order", Value::Nothing) => self.second_order = Some(span),
            ("first_nonfinite", Value::Nothing) => self.first_nonfinite = Some(span),
            (known @ ("second_order" | "first_nonfinite"), _) => {
                let what = format!("`{known}` takes nothing");
                errors.report(span, what, format!("write `{known}`"));
            }
            (known, _) if LATER.iter().any(|(later, _)| *later == known) => {
                let help = LATER.iter().find(|(later, _)| *later == known).map_or("", |l| l.1);
                errors.report(span, format!("`{known}` is not supported yet"), help);
            }
            (
                known @ ("independents" | "dependents" | "passive" | "split" | "checkpoint"
                | "callee" | "entries" | "no"),
                _,
            ) => errors.report(
                span,
                format!("`{known}` takes a list"),
                format!("write `{known}(…)`"),
            ),
            ("partials", _) => errors.report(span, "`partials` takes a list", PARTIALS),
            (known @ ("with" | "tangent"), _) => {
                let entry = if known == "with" { "adjoint" } else { known };
                let help = format!(
                    "write `{known} = path`: the path of a function with the signature of `{entry}`"
                );
                errors.report(span, format!("`{known}` takes a path"), help);
            }
            (known @ ("name" | "mode"), _) => errors.report(
                span,
                format!("`{known}` takes a string"),
                format!("write `{known} = \"…\"`"),
            ),
            ("crate", _) => {
                errors.report(span, "`crate` takes a path", "write `crate = path`, without quotes");
            }
            (unknown, _) => errors.report(
                span,
                format!("`{unknown}` is no option of `adjoint`"),
                format!("the options are {KNOWN}"),
            ),
        }
    }

    fn repeat(&mut self, repeats: Repeats, span: Span, errors: &Errors) {
        if self.repeats.is_some() {
            errors.report(span, "a function is `once` or `repeatable`", REPEATS);
        }
        self.repeats = Some((repeats, span));
    }

    fn give(&mut self, given: Given, name: &Ident, errors: &Errors) {
        if self.given.is_some() {
            let help = "`partials` is for a scalar result, `with` for everything else";
            errors.report(name.span(), "the derivative is given twice", help);
        }
        self.given = Some(given);
    }

    fn give_partials(&mut self, list: TokenStream, name: &Ident, errors: &Errors) {
        let partials = match named_values(list) {
            Ok(partials) => partials,
            Err(error) => return errors.report_syntax(&error, PARTIALS),
        };
        if partials.is_empty() {
            errors.report(name.span(), "`partials(…)` names nothing", PARTIALS);
        }
        for (position, partial) in partials.iter().enumerate() {
            if partials[..position].iter().any(|other| other.name == partial.name) {
                let what = format!("`{}` is listed twice", partial.name);
                errors.report(partial.name.span(), what, "list it once");
            }
        }
        self.give(Given::Partials(partials), name, errors);
    }

    /// The parameters with partials are the independents, and the result is the dependent.
    fn settle_given(&mut self, errors: &Errors) {
        if let (Some((_, span)), None | Some(Given::Partials(_))) = (self.repeats, &self.given) {
            errors.report(span, "this belongs to functions with `with = path`", REPEATS);
        }
        if let (Some((_, span)), None | Some(Given::Partials(_))) =
            (&self.given_tangent, &self.given)
        {
            errors.report(*span, "a tangent is given, and no adjoint", GIVEN_TANGENT);
        }
        let Some(Given::Partials(partials)) = &self.given else { return };
        for name in [&self.independents, &self.dependents].into_iter().flatten().flatten() {
            errors.report(
                name.span(),
                "`partials(…)` says what is differentiated with respect to what",
                "leave `independents(…)` and `dependents(…)` out",
            );
        }
        self.independents = Some(partials.iter().map(|partial| partial.name.clone()).collect());
        let span = partials.first().map_or_else(Span::call_site, |partial| partial.name.span());
        self.dependents = Some(vec![Ident::new("return", span)]);
    }

    fn switch_off(&mut self, name: &Ident, errors: &Errors) {
        if name == "all" {
            self.enabled = Optimisations::NONE;
            return;
        }
        if name == "context" {
            self.has_context = false;
            return;
        }
        match Optimisation::ALL.into_iter().find(|known| name == known.name()) {
            Some(optimisation) => self.enabled = self.enabled.without(optimisation),
            None => {
                let known: Vec<&str> = Optimisation::ALL.iter().map(|known| known.name()).collect();
                errors.report(
                    name.span(),
                    format!("`{name}` is no optimisation"),
                    format!("the optimisations are {}; `all` means all of them", known.join(", ")),
                );
            }
        }
    }

    /// Reports functions whose mode is chosen twice, or that nothing in a function mentions.
    pub fn check_modes(&self, body: &TokenStream, errors: &Errors) {
        for (position, (name, mode)) in self.modes.iter().enumerate() {
            if self.modes[..position].iter().any(|(other, before)| other == name && before != mode)
            {
                let what = format!("`{name}` is in `split(…)` and in `checkpoint(…)`");
                errors.report(
                    name.span(),
                    what,
                    "a call has one mode: mark the calls themselves if they differ",
                );
            } else if !mentions(body.clone(), name) {
                let what = format!("there is no call of `{name}` here");
                errors.report(
                    name.span(),
                    what,
                    "name the function as it is called, without its path",
                );
            }
        }
    }

    /// The mode of the calls of a function, as far as the attribute tells.
    pub fn mode_of(&self, callee: &Ident) -> CallMode {
        let mode = self.modes.iter().find(|(name, _)| name == callee).map(|(_, mode)| *mode);
        mode.unwrap_or(self.mode)
    }
}

impl Parse for NamedValue {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        if !input.peek(Token![:]) {
            let what = format!("an expression for `{name}` is missing");
            return Err(syn::Error::new(name.span(), what));
        }
        input.parse::<Token![:]>()?;
        let value: syn::Expr = input.parse()?;
        Ok(Self { name, value: value.into_token_stream() })
    }
}

/// `g = path, …`
fn paths_of(list: TokenStream, errors: &Errors) -> Vec<(Ident, TokenStream)> {
    let help = "write `callee(g = path::to::entries)`";
    let pairs = match Punctuated::<Item, Token![,]>::parse_terminated.parse2(list) {
        Ok(pairs) => pairs,
        Err(error) => {
            errors.report_syntax(&error, help);
            return Vec::new();
        }
    };
    let paths = pairs.into_iter().filter_map(|pair| match pair.value {
        Value::Path(path) => Some((pair.name, path)),
        Value::Nothing | Value::Text(..) | Value::List(_) => {
            errors.report(pair.name.span(), "a path is expected", help);
            None
        }
    });
    paths.collect()
}

fn named_values(list: TokenStream) -> Result<Vec<NamedValue>> {
    let values = Punctuated::<NamedValue, Token![,]>::parse_terminated.parse2(list)?;
    Ok(values.into_iter().collect())
}

/// Whether tokens contain a name.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Literal(_) | TokenTree::Punct(_) => false,
    })
}

/// `name`, `name(…)` or `name = …`.
struct Item {
    name: Ident,
    value: Value,
}

enum Value {
    Nothing,
    List(TokenStream),
    Text(String, Span),
    Path(TokenStream),
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let value = if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            Value::List(list.parse()?)
        } else if input.parse::<Option<Token![=]>>()?.is_some() {
            if input.peek(syn::LitStr) {
                let text: syn::LitStr = input.parse()?;
                Value::Text(text.value(), text.span())
            } else {
                Value::Path(input.call(Path::parse_mod_style)?.into_token_stream())
            }
        } else {
            Value::Nothing
        };
        Ok(Self { name, value })
    }
}

/// A list of distinct names, without those that are wrong.
fn listed(list: TokenStream, of: &Ident, errors: &Errors) -> Vec<Ident> {
    names(list, of, errors).unwrap_or_default()
}

/// A list of distinct names; `None` if there are none, which is reported.
fn names(list: TokenStream, of: &Ident, errors: &Errors) -> Option<Vec<Ident>> {
    let parse = |input: ParseStream<'_>| {
        let mut names: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            if input.peek(Token![.]) {
                errors.report(
                    name.span(),
                    "parts of a parameter are not supported here yet",
                    format!("name the whole parameter: `{of}({name})`"),
                );
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<proc_macro2::TokenTree>()?;
                }
            }
            if names.contains(&name) {
                errors.report(name.span(), format!("`{name}` is listed twice"), "list it once");
            } else {
                names.push(name);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(names)
    };
    match Parser::parse2(parse, list) {
        Ok(names) => {
            if names.is_empty() {
                errors.report(
                    of.span(),
                    format!("`{of}(…)` names nothing"),
                    "name something, or leave the option out",
                );
                return None;
            }
            Some(names)
        }
        Err(error) => {
            errors.report_syntax(&error, &format!("write `{of}(a, b)`"));
            None
        }
    }
}
