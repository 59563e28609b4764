//! Lowering: from the tokens of a function to the IR. Everything that is sugar disappears here, one
//! file per kind of construct.
//!
//! What is not understood is kept as it is (`opaque`); that is fine as long as no derivative passes
//! through it, which the analyses find out later. Operands are lowered in the order in which Rust
//! evaluates them, and side effects inside operands become statements before.

mod access;
mod aliases;
pub mod annotated;
mod apart;
mod arrays;
mod attempt;
mod attributes;
mod awaited;
mod bits;
pub mod blocks;
mod boxes;
mod calls;
mod caught;
mod chained;
mod chains;
mod checks;
mod choices;
mod chosen;
mod closures;
mod codes;
mod collected_outcomes;
mod collections;
mod contents;
mod control;
mod conversions;
mod conversions_of_users;
mod cursors;
mod declared;
mod declared_operators;
mod destructuring;
mod elements;
mod elementwise;
mod enums;
mod examples;
mod exchange;
mod expr;
pub mod fence;
mod fields;
mod found;
mod generics;
mod getters;
mod given;
mod growth;
pub mod index_methods;
mod indexed;
mod inner_items;
mod inner_references;
mod items;
mod known;
mod lengths;
mod lent_lists;
mod lets;
mod lists_of_references;
mod loops;
mod macros;
mod masked;
mod methods;
pub mod modules;
mod nested;
mod occurring;
mod of_traits;
mod on_references;
mod only_elements;
mod opaque;
mod operator_methods;
mod operators;
mod optional;
mod optional_methods;
mod optional_syntax;
mod order;
mod outcome;
mod parameters;
mod partials;
mod passed;
mod passive_getters;
mod patterns;
mod picks;
mod pipelines;
mod places;
mod quantifiers;
mod queries;
mod rebound;
mod receivers;
mod referents;
mod referred;
mod removal;
mod resolver;
mod rows;
pub mod scalars;
mod sequences;
mod side_effects;
mod signature;
mod sorting;
mod sources;
mod spread;
pub mod stand_ins;
mod stmt;
mod structs;
mod subjects;
pub mod sums;
mod taken;
mod temporaries;
mod told_literals;
pub mod traits;
mod types;
mod variants;
mod whole_options;
mod wholes;
mod without_floats;

use crate::diag::{Diagnostic, Errors};
use crate::index::{BitSet, Label, Var};
use crate::interface::Interface;
use crate::ir::{
    Binding, Block, Body, Carrier, Expr, ExprKind, Op, Place, Stmt, StmtKind, Variable,
    each_stmt_mut,
};
use crate::options::{Given, Options};
use crate::types::{Dropping, Type, TypeName, Unifier};
use annotated::Annotated;
use attempt::Shared;
pub use attributes::{SITE, Site};
pub use found::{Calls, Found};
pub use partials::tangent_of_partials;
pub use passed::{Neighbour, Neighbours, hindrance};
use proc_macro2::{Ident, Span, TokenStream};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use temporaries::Unparted;

/// A lowered function.
#[derive(Debug)]
pub struct Lowered {
    /// The primal.
    pub body: Body,
    /// The signature.
    pub interface: Interface,
    /// Items inside the function that the generated functions need too.
    pub items: Vec<TokenStream>,
    /// How values of types without floats are stored, for the sweeps.
    pub codes: Vec<TokenStream>,
    /// Operators that are calls when the function is lowered again with them.
    pub operators: Vec<Ident>,
    /// The checkpointed loops.
    pub sites: Vec<Site>,
    /// Places of which kept code wanted to know whether they are plain data, and which are, by now.
    pub plain: Vec<(String, Type)>,
    /// Those of them that plain data is taken out of by indices.
    pub indexed: Vec<String>,
    /// The types of variables that are told by what follows.
    pub awaited: Vec<(String, Type)>,
    /// What was taken for structs that are built, and gives numbers.
    pub functions: Vec<String>,
    /// `Option`s and `Result`s that have to be kept as they are.
    pub whole: Vec<String>,
}

/// Lowers a function. Errors are reported; there is no result if the signature has some.
///
/// What kept code does depends on types, and some of them are known only in the end: then the function is lowered
/// again with them.
pub fn lower(
    annotated: &Annotated,
    options: &Options,
    calls: &Calls,
    errors: &Errors,
) -> Option<Lowered> {
    let mut calls = calls.clone();
    let annotated = &enums::with_variants(scalars::without_outputs(annotated, options), options);
    loop {
        let attempt = Errors::new();
        let lowered = lower_with(annotated, options, &calls, &attempt);
        let found = attempt.take();
        let is_new = lowered.as_ref().is_some_and(|lowered| calls.learn(lowered));
        if !is_new {
            for Diagnostic { span, message, help } in found {
                errors.report(span, message, help);
            }
            return lowered;
        }
    }
}

fn lower_with(
    annotated: &Annotated,
    options: &Options,
    calls: &Calls,
    errors: &Errors,
) -> Option<Lowered> {
    let function = &annotated.function;
    let mut options = options.clone();
    for name in attributes::passive_parameters(&function.sig) {
        if !options.passive.contains(&name) {
            options.passive.push(name);
        }
    }
    if let Some(known) = annotated.surroundings() {
        options.declared.add_alias("Self", &known.self_type);
    }
    let mut lowerer = Lowerer::new(annotated, &options, calls, errors);
    let Some(given) = &options.given else {
        let interface = lowerer.signature(&function.sig)?;
        lowerer.refuse_misplaced_lets(&function.block);
        lowerer.function_body(&function.block);
        lowerer.refuse_overlooked_marks(&function.block);
        lowerer.check_dependents(&interface.params);
        lowerer.check_parameters();
        return Some(lowerer.finish(interface));
    };
    let sig = lowerer.plain_parameters(&function.sig);
    let interface = lowerer.signature(&sig)?;
    match given {
        Given::Partials(partials) => lowerer.with_partials(partials, &interface),
        Given::Adjoint(path) => lowerer.with_adjoint(path, &interface),
    }
    Some(lowerer.finish(interface))
}

/// What the names of a scope mean.
type Scope = Shared<HashMap<String, Var>>;

/// What is known while a function is lowered. What an attempt may write and give up is [`Shared`], or taken back by it
/// in another way: see [`attempt`].
struct Lowerer<'a> {
    annotated: &'a Annotated,
    calls: &'a Calls,
    /// The places that kept code mentions, or that are gone through, of types that are not known yet.
    wondered: RefCell<Vec<(String, Place)>>,
    /// What is built like a tuple struct, by its path.
    constructed: Shared<BTreeSet<String>>,
    body: Body,
    types: Unifier,
    /// What is known of fields and elements of values of types that are not known.
    parts: Shared<Vec<fields::Part>>,
    /// The names of functions that are called: a variable of such a name would hide the function where generated
    /// code imports it.
    called: BTreeSet<String>,
    /// Whether a name of a type means the same in the whole function.
    names_are_unique: bool,
    options: &'a Options,
    errors: &'a Errors,
    /// The attributes `#[passive]` that have been taken notice of.
    honoured: Shared<BTreeSet<usize>>,
    /// Whether this is lowered in a mode that an attribute has asked for.
    is_in_mode: bool,
    /// The names in scope, innermost last.
    scopes: Shared<Vec<Scope>>,
    /// Paths to constants and the variables that stand for them.
    globals: HashMap<String, Var>,
    /// The constructs around the current statement that can be left.
    breakables: Shared<Vec<Breakable>>,
    /// The statements of the block under construction.
    out: Vec<Stmt>,
    items: Shared<Vec<TokenStream>>,
    /// The checkpointed loops.
    sites: Shared<Vec<Site>>,
    /// Variables that the user declared `mut`.
    mutable: Shared<BitSet<Var>>,
    /// Variables whose values verbatim code made from others that it may change: references to parts
    /// of those, as far as the macro can tell.
    aliases: Shared<HashMap<Var, Vec<Var>>>,
    /// Variables that hold what a call of a function of the user's returned.
    results: Shared<BitSet<Var>>,
    /// What the function returns its result in, if it may fail.
    carrier: Option<Carrier>,
    /// The type parameters that stand for floats.
    float_params: Vec<String>,
    /// The operators that are taken for those of numbers.
    operations: Shared<Vec<Rc<operators::Operation>>>,
    /// Calls of methods that may lend parts of arrays, which have copies in sweeps.
    lenders: Shared<Vec<Ident>>,
    /// Variables that hold what functions of types and operators of user types returned.
    of_users: Shared<BitSet<Var>>,
    /// Variables that hold what functions of the standard library returned.
    of_library: Shared<BitSet<Var>>,
    /// All type parameters.
    type_params: Vec<Ident>,
    /// The variables of loops, which their bodies never write.
    counters: Shared<BitSet<Var>>,
    /// Variables that are not written while the present closure is lowered.
    resting: Shared<BitSet<Var>>,
    /// The type that the context wants of the chain that is lowered next.
    wanted: Option<Type>,
    /// Names of references to references, which stand for the places themselves.
    twofold: Shared<BitSet<Var>>,
    /// Variables of the library's own that hold a new value, to be taken over by a variable of the
    /// user's.
    made: Shared<BitSet<Var>>,
    /// The closures with a name.
    closures: Shared<BTreeMap<Var, closures::LocalClosure>>,
    /// The `Option`s and `Result`s in parts, by the variables of their names, which hold nothing.
    optionals: Shared<HashMap<Var, optional::Optional>>,
    /// Variables that tell whether callees have failed that were given a `&mut`.
    outcomes: Shared<BitSet<Var>>,
    /// The functions that take functions whose bodies are being lowered.
    open_callees: Shared<passed::Open>,
    /// Where `return` leads, inside of a closure.
    exit: Shared<Option<closures::Exit>>,
    /// The iterators with a name.
    iterators: Shared<BTreeMap<Var, cursors::NamedIterator>>,
    /// Those of them that were lowered where they are used.
    followed: Shared<BitSet<Var>>,
    /// References that are assigned again, and what they refer to.
    rebound: Shared<BTreeMap<Var, rebound::Referent>>,
    /// Whether the block that is lowered is an operand: after it, other parts of the statement are evaluated.
    in_operand: bool,
    /// `Option`s in parts that may have to be kept as they are.
    unparted: RefCell<Vec<Unparted>>,
    /// Whether what should be an iterator, inside of the one that is lowered, was not understood.
    misfit: bool,
    /// The types of elements that were thrown away when they were not known.
    thrown_away: Shared<Vec<(Type, Span)>>,
    /// The variables whose types what follows may tell.
    awaited: Shared<Vec<(String, Var)>>,
    /// The types of values in the places of which Rust has references to them, where these are operands of no operator.
    referents: Shared<Vec<(Type, Span)>>,
    /// Variables before something about them was changed that attempts may have to restore.
    changed: Vec<(Var, Variable)>,
    /// Why what is lowered now is not what it may be.
    tried: Vec<attempt::Reason>,
}

/// A construct that `break` or `continue` can leave.
#[derive(Clone)]
struct Breakable {
    /// The name of its label, without the apostrophe.
    name: Option<String>,
    label: Label,
    /// Where `continue` leads, if this is a loop: the end of the iteration.
    iteration: Option<Label>,
    /// Where the value of `break` goes.
    destination: Destination,
}

/// Where the value of an expression goes.
#[derive(Clone)]
enum Destination {
    /// Nowhere.
    Discard,
    /// To a place.
    Place(Place),
    /// It is the `Option` or `Result` that the function returns.
    Outcome,
    /// It is an `Option` or a `Result`: to the variables of its parts.
    Optional(optional::Parts),
    /// It is a reference: to what is kept of that.
    Reference(rebound::Referent),
    /// Its parts to several places.
    Tuple(Vec<Destination>),
}

/// What an expression denotes.
#[derive(Clone)]
enum Operand {
    /// A value.
    Value(Expr),
    /// A reference to a place of this body.
    Reference { place: Place, mutable: bool, span: Span },
}

impl<'a> Lowerer<'a> {
    fn new(
        annotated: &'a Annotated,
        options: &'a Options,
        calls: &'a Calls,
        errors: &'a Errors,
    ) -> Self {
        let item = &annotated.function;
        let mut body = Body::new(&item.sig.ident.to_string());
        // Nothing that is generated may be called like anything the user mentions.
        occurring::reserve(quote::ToTokens::to_token_stream(item), &mut body.names);
        Self {
            annotated,
            calls,
            wondered: RefCell::new(Vec::new()),
            constructed: Shared::default(),
            body,
            types: Unifier::default(),
            parts: Shared::default(),
            called: occurring::called(item),
            names_are_unique: fields::names_are_unique(item),
            options,
            errors,
            honoured: Shared::default(),
            is_in_mode: false,
            scopes: Shared::new(vec![Scope::default()]),
            globals: HashMap::new(),
            breakables: Shared::default(),
            out: Vec::new(),
            items: Shared::default(),
            sites: Shared::default(),
            mutable: Shared::default(),
            aliases: Shared::default(),
            results: Shared::default(),
            carrier: None,
            float_params: Vec::new(),
            operations: Shared::default(),
            lenders: Shared::default(),
            of_users: Shared::default(),
            of_library: Shared::default(),
            type_params: Vec::new(),
            counters: Shared::default(),
            resting: Shared::default(),
            wanted: None,
            twofold: Shared::default(),
            made: Shared::default(),
            closures: Shared::default(),
            optionals: Shared::default(),
            outcomes: Shared::default(),
            open_callees: Shared::default(),
            exit: Shared::default(),
            iterators: Shared::default(),
            followed: Shared::default(),
            rebound: Shared::default(),
            in_operand: false,
            unparted: RefCell::new(Vec::new()),
            misfit: false,
            thrown_away: Shared::default(),
            awaited: Shared::default(),
            referents: Shared::default(),
            changed: Vec::new(),
            tried: Vec::new(),
        }
    }

    fn emit(&mut self, kind: StmtKind, span: Span) {
        self.follow_aliases(&kind, span);
        if let StmtKind::Let { var, value: Some(value) } = &kind
            && let Some(source) = value.as_var()
        {
            for known in [&mut self.results, &mut self.of_users, &mut self.of_library] {
                if known.contains(source) {
                    known.insert(*var);
                }
            }
        }
        let stmt = self.body.stmt(kind, span);
        self.out.push(stmt);
    }

    /// Lowers something into a block of its own.
    fn in_block(&mut self, lower: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.out);
        self.scopes.push(Scope::default());
        lower(self);
        self.scopes.pop();
        let stmts = std::mem::replace(&mut self.out, outer);
        self.body.new_block(stmts)
    }

    /// A variable that the user has named. The first of a name keeps it.
    fn user_variable(&mut self, name: &str, ty: Type, binding: Binding, span: Span) -> Var {
        let var = if self.is_taken(name) {
            self.body.variable(name, ty, binding, span)
        } else {
            let var = self.body.variable("", ty, binding, span);
            self.body.vars[var].name = name.to_owned();
            var
        };
        self.bind(name, var);
        var
    }

    /// Whether a variable of a name is called something else in generated code.
    fn is_taken(&self, name: &str) -> bool {
        self.called.contains(name) || self.body.vars.iter().any(|variable| variable.name == name)
    }

    fn bind(&mut self, name: &str, var: Var) {
        self.scopes.last_mut().expect("a scope is open").insert(name.to_owned(), var);
    }

    fn find(&self, name: &str) -> Option<Var> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The path of this library.
    fn facade(&self) -> TokenStream {
        self.options.facade.clone().unwrap_or_else(|| quote::quote!(::backsweep))
    }

    /// Declares a variable of the library's own for a value.
    fn name_value(&mut self, hint: &str, value: Expr) -> Var {
        let span = value.span;
        let var = self.body.local(hint, value.ty.clone(), span);
        self.emit(StmtKind::Let { var, value: Some(value) }, span);
        var
    }

    fn load(&self, var: Var, span: Span) -> Expr {
        Expr { span, ..self.body.load(var) }
    }

    /// The type of a place, as far as it is known now.
    fn type_of(&mut self, place: &Place) -> Type {
        let place = self.body.resolve(place);
        let mut ty = self.body.vars[place.root].ty.clone();
        for step in &place.projections {
            ty = self.type_of_step(&ty, step);
        }
        ty
    }

    /// Replaces the types under inference by what has been found out.
    fn finish(mut self, interface: Interface) -> Lowered {
        caught::join_outcomes(&mut self.body, &self.outcomes);
        self.drop_closures();
        self.refuse_kept_names();
        self.unify_parts();
        self.types.assume();
        self.tell_numbers_of_traits();
        let codes = self.codes(&interface);
        let droppings = self.droppings(&interface);
        self.refuse_unemptied();
        self.refuse_referents();
        self.drop_needless_proofs();
        let whole = self.kept_whole();
        let operators = [self.operators_of_users(), self.lenders.to_vec()].concat();
        self.publish_parts();
        let types = &self.types;
        let functions = types.contradicted().filter(|&name| self.constructed.contains(name));
        let functions = functions.map(str::to_owned).collect();
        for var in self.body.vars.indices() {
            self.body.vars[var].assumed = types.is_assumed(&self.body.vars[var].ty);
        }
        let declared = &self.options.declared;
        let bare = |name: &TypeName| {
            let dropping = droppings.get(&**name).copied().unwrap_or(Dropping::Unknown);
            (!name.is_without_floats() && declared.is_bare(name)).then(|| name.as_bare(dropping))
        };
        self.body.each_type_mut(&mut |ty| *ty = types.resolve(ty).with_names(&bare));
        self.body.numbering.numbers = types.numbers();
        referred::name_slices(&mut self.body);
        each_stmt_mut(&mut self.body.block, &mut settle_placeholder);
        taken::declare_results(&mut self.body);
        self.prove_passed_without_bars();
        self.refuse_numbers_without_types();
        let awaited = self.awaited_types();
        let Self { body, items, sites, wondered, .. } = self;
        let (items, sites) = (items.into_inner(), sites.into_inner());
        let (mut plain, mut indexed) = (Vec::new(), Vec::new());
        for (name, place) in wondered.into_inner() {
            let ty = body.place_type(&body.resolve(&place));
            if known::is_data(&ty) {
                plain.push((name, ty));
            } else if known::is_data(&body.parts.element(&ty)) {
                indexed.push(name);
            }
        }
        Lowered {
            body,
            interface,
            items,
            codes,
            operators,
            sites,
            plain,
            indexed,
            awaited,
            functions,
            whole,
        }
    }
}

/// A number that is never read is 0.
fn settle_placeholder(stmt: &mut Stmt) {
    if let StmtKind::Let { value: Some(value), .. } = &mut stmt.kind
        && matches!(value.kind, ExprKind::Op(Op::Placeholder, _))
        && let Some(known) = Expr::placeholder(&value.ty)
    {
        value.kind = known.kind;
    }
}
