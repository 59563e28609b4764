//! Checkpointed blocks and loops.
//!
//! `#[checkpoint] { body }` becomes a call, in joint mode, of a function with that body, the *step*, with an adjoint like any other.
//! `#[checkpoint(snapshots = n)] for i in a..b { body }` becomes a call of a function of its own, and the
//! body of the loop a step:
//!
//! ```text
//! fn step(i: usize, u: &mut Vec<f64>, nu: f64) { body }
//! fn steps(n: usize, a: usize, b: usize, u: &mut Vec<f64>, nu: f64) { for i in a..b { step(i, u, nu) } }
//! ```
//!
//! What the body mentions of the function around it are the parameters. What it writes of that is the *state*:
//! the snapshots are copies of it. `steps` has no adjoint of the common kind: its forward sweep runs the steps as a
//! [schedule](https://docs.rs/backsweep/latest/backsweep/schedule) says, and its backward sweep goes on with it. To the
//! function around it is a split call: what is kept between the sweeps is the schedule with its snapshots. So analyses,
//! sweeps and emission know nothing of checkpointed loops, and loops inside of steps are nothing new.
//!
//! If only the steps know how many there are, each has one more parameter, a truth value that says whether there is
//! another; it belongs to the state. Exits of the loop are returns of the step.
//!
//! The types of the parameters, what is written and what is active are known from the function as it
//! is, with code that stores everything: it is analysed first.

mod captures;
mod carried;
mod convergence;
mod entries;
mod exits;
mod fixed_point;
mod generics;
mod independent;
mod items;
mod marks;
mod plan;
mod scheduled;
mod tangent;

pub use marks::{Mark, mark, mentions};

use crate::analyses::Facts;
use crate::diag::Errors;
use crate::ir::Body;
use crate::lower::Lowered;
use crate::lower::annotated::Annotated;
use crate::numbers::Numbers;
use crate::options::{DECLARED, FOUND, IMPORTED, LIBRARY, OPERATORS, TRAITS};
use crate::walk::visit_mut::VisitMut;
use captures::{Capture, captures};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{ItemFn, Stmt};

/// A function whose checkpointed blocks and loops are calls.
pub struct Outlined {
    /// The function.
    pub function: ItemFn,
    /// The loops as functions, with what would be the arguments of `#[adjoint]` if they had no sweeps of
    /// their own.
    pub loops: Vec<(TokenStream, ItemFn)>,
    /// The sweeps of the loops.
    pub entries: TokenStream,
    /// The blocks and the bodies of the loops as functions.
    pub steps: Vec<Step>,
}

/// A block or the body of a loop as a function.
pub struct Step {
    /// The arguments of its `#[adjoint]`.
    pub arguments: TokenStream,
    /// The function.
    pub function: ItemFn,
    /// Whether its tangent is called: to tangents only bodies of fixed-point loops are functions.
    pub has_tangent: bool,
}

/// What is known of a function with ordinary blocks and loops.
pub struct Known<'a> {
    /// The function, and where it stands.
    pub annotated: &'a Annotated,
    /// The same, lowered.
    pub lowered: &'a Lowered,
    /// The analyses of it.
    pub facts: &'a Facts,
    /// Its backward sweep.
    pub backward: &'a Body,
    /// The numbers whose types rustc may know better than the macro.
    pub numbers: Numbers,
}

/// Which of the blocks and loops that are marked become calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlining {
    /// All of them, for the adjoint.
    All,
    /// Fixed-point loops, for the tangent: to it the others are ordinary code.
    FixedPoints,
}

/// Makes calls of blocks and loops that are marked. What is in the way is reported.
pub fn outline(
    arguments: TokenStream,
    marks: &[Mark],
    outlining: Outlining,
    known: &Known<'_>,
    errors: &Errors,
) -> Outlined {
    let mut function = known.annotated.function.clone();
    let mut outlined = Vec::new();
    let (mut loops, mut entries, mut steps) = (Vec::new(), TokenStream::new(), Vec::new());
    for (position, mark) in marks.iter().enumerate() {
        if outlining == Outlining::FixedPoints && !mark.is_fixed_point() {
            outlined.push(None);
            continue;
        }
        let found = captures(position, mark, known, errors);
        let Some(found) = found.filter(|found| found.captures.iter().any(Capture::is_active_state))
        else {
            outlined.push(None);
            continue;
        };
        let prefix = prefix(known);
        let step = format_ident!("__{prefix}_step_{position}", span = mark.span);
        let steps_name = format_ident!("__{prefix}_steps_{position}", span = mark.span);
        let parts = items::Parts { mark, position, found: &found, step, steps: steps_name, known };
        if let Some(repetition) = mark.repetition() {
            loops.push((parts.loop_arguments(), parts.loop_function(repetition)));
            entries.extend(parts.entries(repetition));
        }
        let mut inherited = inherited(arguments.clone());
        if found.sums_backwards {
            inherited.extend(quote!(no(fuse)));
        }
        steps.push(Step {
            arguments: parts.step_arguments(inherited),
            function: parts.step(),
            has_tangent: mark.has_tangent(),
        });
        outlined.push(Some(parts.call()));
    }
    Replace { calls: outlined }.visit_item_fn_mut(&mut function);
    Outlined { function, loops, entries, steps }
}

/// What the names of the functions begin with. Those of methods stand beside the `impl` block.
fn prefix(known: &Known<'_>) -> String {
    let entries = known.lowered.interface.entries.to_string();
    let place = known.annotated.surroundings().map(|known| {
        let (ty, of_trait) = (&known.self_type, &known.of_trait);
        quote!(#ty #of_trait).to_string()
    });
    let name = place.unwrap_or_default() + entries.trim_start_matches("r#");
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// The arguments of `#[adjoint]` that hold for the steps, too.
fn inherited(arguments: TokenStream) -> TokenStream {
    const INHERITED: [&str; 12] = [
        "crate",
        "callee",
        "split",
        "checkpoint",
        "mode",
        "no",
        DECLARED,
        FOUND,
        IMPORTED,
        LIBRARY,
        OPERATORS,
        TRAITS,
    ];
    let arguments: Vec<TokenTree> = arguments.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut found = TokenStream::new();
    for argument in arguments.split(is_comma) {
        let holds = |name: &TokenTree| INHERITED.contains(&name.to_string().as_str());
        if argument.first().is_some_and(holds) {
            found.extend(quote!(#(#argument)*,));
        }
    }
    found
}

/// Puts calls in the places of what is marked.
struct Replace {
    calls: Vec<Option<TokenStream>>,
}

impl VisitMut for Replace {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Some(position) = marks::position_of(stmt) {
            if let Some(call) = self.calls[position].take() {
                *stmt = syn::parse2(call).expect("a call is a statement");
            }
            return;
        }
        crate::walk::visit_mut::visit_stmt_mut(self, stmt);
    }
}

/// The name of a parameter of generated functions.
fn generic(position: usize) -> Ident {
    format_ident!("Activity{position}")
}
