//! From the tokens of an annotated item to the tokens that replace it.

mod alone;
mod blocks;
mod bodies;
mod directions;
mod expansion;
mod getters;
mod imported;
mod in_place;
mod macros;
mod modules;
mod names;
mod partials;
mod results;
mod second;
mod stored;
mod summed;
mod traits;
mod written;

use crate::analyses::{Facts, Optimisation};
use crate::bits::follow_bits;
use crate::bodies::takes_functions;
use crate::diag::{Diagnostic, Errors};
use crate::diff::{
    Adjoint, NoTangent, Seeds, Tangent, Tracing, adjoint, for_several_seeds, leave_without_seed,
    tangent, traced,
};
use crate::emit::{
    ByDyn, Product, SummedProduct, emit, emit_by_dyn, emit_in_trait, located, naming_untold,
};
use crate::fuse::{keep_partials, single_pass, straighten};
use crate::inline::{Callees, inline};
use crate::ir::{Body, contradictions, print, verify};
use crate::lower::annotated::{Annotated, HAS_SEEDS};
use crate::lower::{Calls, Found, Lowered, lower};
use crate::numbers::Numbers;
use crate::options::Options;
use crate::outline::{Known, Mark, Outlined, Outlining, Step, mark, outline};
use crate::prove::prove;
use crate::read::{conditions_of, hidden_by_macros, in_impl};
use crate::refusals::{report_contradictions, report_obstacles};
use crate::reify::{Reified, reify};
use crate::simplify::simplify;
use crate::windows::cut_windows;
use alone::{annotated, proofs_in_impl};
use directions::in_directions;
pub use expansion::{arguments_in, expand, expand_decided, expand_in};
use in_place::OfType;
use proc_macro2::TokenStream;
use quote::ToTokens;
use second::second_derivatives;
use stored::settle_stored_numbers;
use summed::{WithSum, with_sum};
use syn::ItemFn;

/// The derivatives of a function, or everything that is wrong.
pub fn differentiate(
    arguments: TokenStream,
    function: &ItemFn,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let Generated { items, errors } = generated(arguments, function);
    if errors.is_empty() { Ok(items) } else { Err(errors) }
}

/// What is generated for an item, and what is wrong with it.
#[derive(Default)]
struct Generated {
    items: TokenStream,
    errors: Vec<Diagnostic>,
}

impl From<Vec<Diagnostic>> for Generated {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Self { items: TokenStream::new(), errors }
    }
}

impl From<Result<TokenStream, Vec<Diagnostic>>> for Generated {
    fn from(items: Result<TokenStream, Vec<Diagnostic>>) -> Self {
        items.map_or_else(Self::from, |items| Self { items, errors: Vec::new() })
    }
}

/// The derivatives of a function, or what stands in their place.
fn generated(arguments: TokenStream, function: &ItemFn) -> Generated {
    if let Some(getter) = getters::alone(&arguments, function) {
        return getter.into();
    }
    let mut errors = check_modes(arguments.clone(), function);
    if !errors.is_empty() {
        return errors.into();
    }
    let (annotated, proofs) = match annotated(&arguments, function) {
        Ok(annotated) => annotated,
        Err(found) => return found.into(),
    };
    let options = options_of(&arguments);
    if let Some(in_place) = &options.in_place {
        return in_place::beside(&arguments, &annotated.function, proofs, in_place).into();
    }
    if let [(name, told)] = options.in_place_of_type.as_slice() {
        return match in_place::of_type(&arguments, &Options::default(), &annotated.function, told) {
            Ok(OfType { inside, proofs: own }) => {
                let proofs = own.into_iter().chain(proofs).collect();
                let proofs = in_impl(proofs, &name.to_string());
                Ok(inside.into_iter().chain(proofs).collect()).into()
            }
            Err(found) => found.into(),
        };
    }
    let proofs = match annotated.is_alone_in_impl() {
        false => proofs,
        true => proofs_in_impl(&annotated, &options, proofs),
    };
    let name = function.sig.ident.to_string();
    let found = imported::proof_of_function(&options, &name);
    let derivatives =
        derivatives_or_stand_in(arguments, &annotated, &Callees::default(), &mut errors);
    let mut items = derivatives.map(Derivatives::together).unwrap_or_default();
    if errors.is_empty() {
        items.extend(proofs.into_iter().chain(found));
    }
    Generated { items, errors }
}

/// The options. What is wrong with them is reported with what is wrong with the function.
fn options_of(arguments: &TokenStream) -> Options {
    let unheeded = Errors::new();
    let options = Options::parse(arguments.clone(), &unheeded);
    unheeded.take();
    options
}

/// Whether the calls whose modes the attribute chooses are there. What an `impl` block says of calls need not be about
/// all of its functions, nor what a function says about all of its checkpointed parts.
fn check_modes(arguments: TokenStream, function: &ItemFn) -> Vec<Diagnostic> {
    let errors = Errors::new();
    options_of(&arguments).check_modes(&function.block.to_token_stream(), &errors);
    errors.take()
}

/// The derivatives of a function.
struct Derivatives {
    /// What stands where the function stands.
    entries: TokenStream,
    /// Functions that never stand in an `impl` block.
    beside: TokenStream,
    /// What stands beside a method of an annotated trait.
    in_trait: TokenStream,
    /// What it has by way of `dyn`.
    by_dyn: Option<ByDyn>,
}

impl Derivatives {
    fn together(self) -> TokenStream {
        self.beside.into_iter().chain(self.entries).collect()
    }

    /// What is under the conditions under which a method is.
    fn where_it_is(self, annotated: &Annotated) -> Self {
        let conditions = conditions_of(&annotated.function.attrs);
        if conditions.is_empty() {
            return self;
        }
        let [entries, beside] =
            [self.entries, self.beside].map(|items| written::under_conditions(&conditions, items));
        Self { entries, beside, ..self }
    }
}

/// The derivatives of a function, or what stands in their place where something is wrong with it.
fn derivatives_or_stand_in(
    arguments: TokenStream,
    annotated: &Annotated,
    callees: &Callees,
    errors: &mut Vec<Diagnostic>,
) -> Option<Derivatives> {
    match derivatives(arguments.clone(), annotated, callees) {
        Ok(derivatives) => Some(derivatives),
        Err(found) => {
            errors.extend(found);
            stand_in(arguments, annotated)
        }
    }
}

/// Entries and sweeps of a refused function by its signature alone, so that what calls it is not wrong, too: that does not run. A
/// function that takes functions has none.
fn stand_in(arguments: TokenStream, annotated: &Annotated) -> Option<Derivatives> {
    if takes_functions(&annotated.function.sig) {
        return None;
    }
    derivatives(arguments, &annotated.that_panics(), &Callees::default()).ok()
}

/// The derivatives of a function that stands anywhere.
fn derivatives(
    arguments: TokenStream,
    annotated: &Annotated,
    callees: &Callees,
) -> Result<Derivatives, Vec<Diagnostic>> {
    let mut marked = annotated.clone();
    let marks = marks(&mut marked.function)?;
    if marks.is_empty() {
        let differentiated = analyse(arguments, annotated, callees)?.finished();
        let mut entries = emitted(&differentiated, None);
        entries.extend(second_derivatives(&differentiated, annotated, false)?);
        let entries = naming_untold(&differentiated.lowered.interface, entries);
        let (in_trait, by_dyn) = in_trait(annotated, &differentiated);
        let beside = TokenStream::new();
        return Ok(Derivatives { entries, beside, in_trait, by_dyn }.where_it_is(annotated));
    }
    checkpointed(arguments, &marked, &marks)
}

/// The checkpointed blocks and loops of a function, which are numbered in it.
fn marks(function: &mut ItemFn) -> Result<Vec<Mark>, Vec<Diagnostic>> {
    let errors = Errors::new();
    let marks = mark(function, &errors);
    let errors = errors.take();
    if errors.is_empty() { Ok(marks) } else { Err(errors) }
}

/// The derivatives of a function with checkpointed blocks and loops.
fn checkpointed(
    arguments: TokenStream,
    marked: &Annotated,
    marks: &[Mark],
) -> Result<Derivatives, Vec<Diagnostic>> {
    let ordinary = analyse(arguments.clone(), marked, &Callees::default())?;
    let outlined = outlined(arguments.clone(), marked, marks, Outlining::All, &ordinary)?;
    let function = Annotated { function: outlined.function, ..marked.clone() };
    let loops = outlined.loops.into_iter().map(|(_, item)| located(item.into_token_stream()));
    let mut beside: TokenStream = loops.chain([outlined.entries]).collect();
    for Step { arguments, function, has_tangent } in outlined.steps {
        let mut annotated = Annotated::free(function.clone());
        annotated.neighbours = marked.neighbours.clone();
        (annotated.has_tangent, annotated.is_step) = (has_tangent, true);
        beside.extend(derivatives(arguments, &annotated, &Callees::default())?.together());
        beside.extend(located(written::code(function.into_token_stream())));
    }
    let has_fixed_point =
        marks.iter().any(|mark| mark.is_fixed_point() || mark.has_fixed_point_inside());
    let second = second_derivatives(&ordinary, marked, has_fixed_point)?;
    let of_tangent = function_of_tangent(arguments.clone(), marked, marks, ordinary)?;
    let differentiated = analyse(arguments, &function, &Callees::default())?.finished();
    let mut entries = emitted(&differentiated, Some(&product(&of_tangent, None)));
    entries.extend(second);
    let entries = naming_untold(&differentiated.lowered.interface, entries);
    let (in_trait, by_dyn) = in_trait(marked, &differentiated);
    Ok(Derivatives { entries, beside, in_trait, by_dyn }.where_it_is(marked))
}

/// What stands beside a method of an annotated trait, and what it has by way of `dyn`.
fn in_trait(
    annotated: &Annotated,
    differentiated: &Differentiated,
) -> (TokenStream, Option<ByDyn>) {
    let Some(place) = &annotated.in_trait else { return Default::default() };
    let product = product(differentiated, None);
    let beside = traits::in_method(place, emit_in_trait(&product, place));
    (beside, emit_by_dyn(&product, place))
}

/// The function that the tangent is one of: with ordinary blocks and loops, but for fixed-point loops.
fn function_of_tangent(
    arguments: TokenStream,
    marked: &Annotated,
    marks: &[Mark],
    ordinary: Differentiated,
) -> Result<Differentiated, Vec<Diagnostic>> {
    let mut found = ordinary;
    if marks.iter().any(Mark::has_tangent) {
        let outlined = outlined(arguments.clone(), marked, marks, Outlining::FixedPoints, &found)?;
        let function = Annotated { function: outlined.function, ..marked.clone() };
        found = analyse(arguments, &function, &Callees::default())?;
    }
    let is_hidden = |mark: &Mark| !mark.is_fixed_point() && mark.has_fixed_point_inside();
    if let Some(tangent) = &mut found.tangent
        && marks.iter().any(is_hidden)
    {
        tangent.refusal.get_or_insert(NoTangent::InnerFixedPoint);
    }
    // The step of a fixed-point loop has a tangent in one direction.
    if let Some(tangents) = &mut found.tangents
        && marks.iter().any(|mark| mark.is_fixed_point() || mark.has_fixed_point_inside())
    {
        tangents.refusal.get_or_insert(NoTangent::InSeveralDirections);
    }
    Ok(found)
}

/// The function with calls in the places of its checkpointed blocks and loops.
fn outlined(
    arguments: TokenStream,
    marked: &Annotated,
    marks: &[Mark],
    outlining: Outlining,
    ordinary: &Differentiated,
) -> Result<Outlined, Vec<Diagnostic>> {
    // Calls stay what they are: what is captured is told by the tokens.
    let Differentiated { lowered, facts, adjoint, .. } = ordinary;
    let errors = Errors::new();
    if marked.is_alone_in_impl() {
        for mark in marks {
            errors.report(
                mark.span,
                "`#[checkpoint]` in a method that is annotated alone is not supported yet",
                "annotate the `impl` block: `#[adjoint] impl …`",
            );
        }
    }
    let known = Known {
        annotated: marked,
        lowered,
        facts,
        backward: &adjoint.backward,
        numbers: Numbers::of(&lowered.body),
    };
    let outlined = outline(arguments, marks, outlining, &known, &errors);
    let errors = errors.take();
    if errors.is_empty() { Ok(outlined) } else { Err(errors) }
}

/// A function in the IR, and what its checkpointed blocks and loops have become; the function comes last. Loops are
/// ordinary loops over calls of their steps: how they are reversed is not in the IR.
pub fn bodies(arguments: TokenStream, function: &ItemFn) -> Result<Vec<Body>, Vec<Diagnostic>> {
    let ((mut marked, _), mut found) = (annotated(&arguments, function)?, Vec::new());
    let marks = marks(&mut marked.function)?;
    if !marks.is_empty() {
        let ordinary = analyse(arguments.clone(), &marked, &Callees::default())?;
        let outlined = outlined(arguments.clone(), &marked, &marks, Outlining::All, &ordinary)?;
        marked.function = outlined.function;
        let steps = outlined.steps.into_iter().map(|step| (step.arguments, step.function));
        for (arguments, item) in steps.chain(outlined.loops) {
            found.extend(bodies(arguments, &item)?);
        }
    }
    let errors = Errors::new();
    let options = Options::parse(arguments, &errors);
    let lowered = lower(&marked, &options, &Calls::default(), &errors);
    let errors = errors.take();
    match lowered {
        Some(lowered) if errors.is_empty() => found.push(lowered.body),
        Some(_) | None => return Err(errors),
    }
    Ok(found)
}

fn emitted(differentiated: &Differentiated, ordinary: Option<&Product<'_>>) -> TokenStream {
    // Checkpointed blocks and loops have no tangents.
    let with_sum = differentiated.with_sum.as_ref().filter(|_| ordinary.is_none());
    let of_sum = with_sum.map(|with_sum| (product(&with_sum.derivatives, None), &with_sum.sites));
    let summed = of_sum.as_ref().map(|(product, sites)| SummedProduct { product, sites });
    emit(&Product { summed, ..product(differentiated, ordinary) })
}

fn product<'a>(
    differentiated: &'a Differentiated,
    ordinary: Option<&'a Product<'a>>,
) -> Product<'a> {
    Product {
        interface: &differentiated.lowered.interface,
        primal: &differentiated.lowered.body,
        reified: &differentiated.reified,
        facts: &differentiated.facts,
        adjoint: &differentiated.adjoint,
        seeds: differentiated.seeds.as_ref(),
        tangent: differentiated.tangent.as_ref(),
        tangents: differentiated.tangents.as_ref(),
        traced: differentiated.traced.as_ref(),
        summed: None,
        ordinary,
        single_pass: differentiated.single_pass.as_ref(),
        items: &differentiated.lowered.items,
        codes: &differentiated.lowered.codes,
        callees: &differentiated.options.callees,
        found: &differentiated.options.found,
        imported: &differentiated.options.imported,
        imports: &differentiated.options.imports,
    }
}

/// The phases of a function in the textual form of the IR: the primal with its control made
/// explicit, the forward sweep, the backward sweep, and both in a single pass, if that is possible.
pub fn sweeps(arguments: TokenStream, function: &ItemFn) -> Result<String, Vec<Diagnostic>> {
    let Differentiated { lowered, adjoint, single_pass, .. } =
        analyse(arguments.clone(), &annotated(&arguments, function)?.0, &Callees::default())?
            .finished();
    let sweeps =
        [("primal", &lowered.body), ("forward", &adjoint.forward), ("backward", &adjoint.backward)];
    let sweeps = sweeps.into_iter().chain(single_pass.iter().map(|body| ("single pass", body)));
    let texts = sweeps.map(|(name, body)| format!("// {name}\n{}", print(body)));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// Everything that is known of a function when its derivatives are.
struct Differentiated {
    options: Options,
    lowered: Lowered,
    reified: Reified,
    facts: Facts,
    adjoint: Adjoint,
    /// The backward sweep for several seeds, if anybody may ask for it.
    seeds: Option<Seeds>,
    /// The tangent, if anybody may ask for it.
    tangent: Option<Tangent>,
    /// The same in several directions.
    tangents: Option<Tangent>,
    /// The same for finding the statement that is wrong, if there are tests.
    traced: Option<Tangent>,
    /// Those of the function with a sum of what its statements assign, if there are tests.
    with_sum: Option<WithSum>,
    /// Both sweeps in one, if that spares a loop.
    single_pass: Option<Body>,
}

impl Differentiated {
    /// The last that is done to the sweeps, for all who do not look into them any more.
    fn finished(mut self) -> Self {
        if self.options.enabled.has(Optimisation::Preaccumulate) && self.single_pass.is_none() {
            keep_partials(&self.lowered.body, &mut self.adjoint);
            expect_valid(&self.adjoint.forward);
            expect_valid(&self.adjoint.backward);
            let seeds = self.seeds.is_some();
            self.seeds = seeds.then(|| for_several_seeds(&self.adjoint, &self.lowered.body));
        }
        if self.options.enabled.has(Optimisation::ZeroSeeds) {
            leave_without_seed(&mut self.adjoint, &self.lowered.body);
            expect_valid(&self.adjoint.backward);
        }
        if self.options.enabled.has(Optimisation::Windows) {
            cut_windows(&mut self.adjoint.backward);
            expect_valid(&self.adjoint.backward);
        }
        self
    }
}

fn analyse(
    arguments: TokenStream,
    annotated: &Annotated,
    callees: &Callees,
) -> Result<Differentiated, Vec<Diagnostic>> {
    with_calls(|calls| {
        let errors = Errors::new();
        let options = Options::parse(arguments.clone(), &errors);
        analyse_with(options, annotated, calls, callees, errors)
    })
}

/// Analyses a function until all calls are known.
fn with_calls(
    mut analyse: impl FnMut(&Calls) -> (Vec<Found>, Result<Differentiated, Vec<Diagnostic>>),
) -> Result<Differentiated, Vec<Diagnostic>> {
    let mut calls = Calls::default();
    loop {
        let (found, differentiated) = analyse(&calls);
        // What derivatives pass through is a call of a function that may be annotated; what has none is
        // kept as it is. More of them are found with those that are known.
        let mut is_new = false;
        for callee in found {
            is_new |= calls.add(&callee);
        }
        if !is_new {
            return differentiated;
        }
    }
}

/// Analyses a function with some calls of functions of types. Returned are also the calls that were kept
/// as they are, though derivatives pass through them.
fn analyse_with(
    options: Options,
    annotated: &Annotated,
    calls: &Calls,
    callees: &Callees,
    errors: Errors,
) -> (Vec<Found>, Result<Differentiated, Vec<Diagnostic>>) {
    let Some(mut lowered) = lower(annotated, &options, calls, &errors) else {
        return (Vec::new(), Err(errors.take()));
    };
    let operators = std::mem::take(&mut lowered.operators);
    if operators.iter().any(|operator| !calls.has(operator)) {
        errors.take();
        let operators = operators.into_iter().map(Found::Call);
        return (operators.collect(), Err(Vec::new()));
    }
    if report_contradictions(&lowered.body, &errors) {
        return (Vec::new(), Err(errors.take()));
    }
    if options.enabled.has(Optimisation::Inline) && modules::has_names_of_module(&lowered, &options)
    {
        inline_known(&mut lowered.body, callees);
    }
    follow_bits(&mut lowered.body);
    let Derived { found, mut result } = derive(lowered, options, annotated.has_tangent, errors);
    let hidden = hidden_by_macros(&annotated.function);
    if result.is_ok() && !hidden.is_empty() {
        result = Err(hidden);
    }
    (found, result)
}

/// The derivatives of a function that has been lowered.
struct Derived {
    /// Calls that were kept as they are, though derivatives pass through them.
    found: Vec<Found>,
    result: Result<Differentiated, Vec<Diagnostic>>,
}

fn derive(mut lowered: Lowered, options: Options, has_tangent: bool, errors: Errors) -> Derived {
    let function = (!lowered.interface.examples.is_empty()).then(|| lowered.body.clone());
    let primal = &mut lowered.body;
    check(primal, &errors);
    let reified = reify(primal, options.enabled.has(Optimisation::Cse));
    check(primal, &errors);
    let facts = Facts::of(primal, &reified, options.enabled);
    let found = report_obstacles(primal, &facts, &errors);
    if !errors.is_empty() {
        return Derived { found, result: Err(errors.take()) };
    }
    let mut adjoint = adjoint(primal, &reified, &facts);
    prove(&facts, primal, [&mut adjoint.forward, &mut adjoint.backward], &errors);
    check(&adjoint.forward, &errors);
    check(&adjoint.backward, &errors);
    let mut tangent = has_tangent.then(|| tangent(primal, &reified, &facts));
    if let Some(tangent) = &mut tangent {
        check(&tangent.body, &errors);
        if !lowered.interface.demands.is_empty() {
            tangent.refuse_untyped_zeros();
        }
    }
    let is_given = !lowered.interface.given_partials.is_empty();
    let tracing = Tracing {
        compared: !is_given && !lowered.interface.examples.is_empty(),
        searched: options.first_nonfinite.is_some(),
    };
    let is_traced = tangent.is_some();
    let traced = is_traced.then(|| traced(primal, &reified, &facts, tracing)).flatten();
    if let (Some(asked), None) = (options.first_nonfinite, &traced) {
        errors.report(
            asked,
            "there is no search for what is not finite in a function without a tangent",
            "switch on the feature `tangent` of the library, and see what `f::tangent` says",
        );
    }
    if let Some(traced) = &traced {
        check(&traced.body, &errors);
    }
    settle_stored_numbers(primal, &mut adjoint);
    if options.enabled.has(Optimisation::Simplify) {
        simplify(&mut adjoint.forward);
        simplify(&mut adjoint.backward);
        if let Some(tangent) = &mut tangent {
            simplify(&mut tangent.body);
        }
    }
    let single_pass = options.enabled.has(Optimisation::Fuse).then(|| {
        straighten(&mut adjoint.backward);
        single_pass(primal, &adjoint)
    });
    let errors = errors.take();
    if !errors.is_empty() {
        return Derived { found, result: Err(errors) };
    }
    let single_pass = single_pass.flatten();
    let seeds = (has_tangent && HAS_SEEDS).then(|| for_several_seeds(&adjoint, primal));
    let tangents = tangent
        .as_ref()
        .map(|tangent| in_directions(primal, &reified, &facts, tangent, options.enabled));
    // It takes the place of the body, in one direction.
    if lowered.interface.given_tangent.is_some()
        && let Some(tangent) = &mut tangent
    {
        tangent.refusal = None;
    }
    let is_compared = |traced: &Tangent| traced.traced.is_some_and(|tracing| tracing.compared);
    let function = function.filter(|_| traced.as_ref().is_some_and(is_compared));
    let with_sum = function.and_then(|body| with_sum(&body, &lowered, &facts, &options));
    let differentiated = Differentiated {
        options,
        lowered,
        reified,
        facts,
        adjoint,
        seeds,
        tangent,
        tangents,
        traced,
        with_sum,
        single_pass,
    };
    Derived { found, result: Ok(differentiated) }
}

/// Replaces calls by bodies, unless what the caller knows of types contradicts that.
fn inline_known(body: &mut Body, callees: &Callees) {
    let before = body.clone();
    inline(body, callees);
    if !contradictions(body).is_empty() {
        *body = before;
    }
}

/// Between the phases, where nothing is wrong with the function: the IR is well-formed.
fn check(body: &Body, errors: &Errors) {
    if errors.is_empty() {
        expect_valid(body);
    }
}

/// In debug builds and tests: the IR is well-formed.
fn expect_valid(body: &Body) {
    if cfg!(debug_assertions)
        && let Err(found) = verify(body)
    {
        let text = crate::ir::print(body);
        panic!("a phase has left an invalid program:\n{}\n{text}", found.join("\n"));
    }
}
