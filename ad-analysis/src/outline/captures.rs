//! What a block or the body of a loop mentions of the function around it.

use super::carried::Iterations;
use super::generics::{Generics, mention};
use super::items::in_place_of_self;
use super::marks::Reversal;
use super::{Known, Mark};
use crate::diag::Errors;
use crate::emit::known_type;
use crate::index::{BitSet, Var};
use crate::interface::Passing;
use crate::ir::{Binding, Block, Body, Loop, LoopKind, StmtKind, declared_by, each_stmt};
use crate::lower::Site;
use crate::types::Type;
use crate::walk::visit::Visit;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::{Expr, Pat};

/// What a step takes.
pub(super) struct Captures {
    /// The type of the loop variable, if there is one.
    pub(super) index: Option<TokenStream>,
    /// The other parameters.
    pub(super) captures: Vec<Capture>,
    /// Whether the ordinary code has an inner loop that is reversed from its end. In a step it might not
    /// be, since less is stored there; but sums are to be added up in the same order.
    pub(super) sums_backwards: bool,
    /// The generic parameters that the types mention.
    pub(super) generics: Generics,
}

/// A variable of the function around a block or a loop.
pub(super) struct Capture {
    /// Its name.
    pub(super) name: Ident,
    /// How the step gets it.
    pub(super) passing: Passing,
    /// Whether the variable is a reference itself.
    pub(super) is_reference: bool,
    /// The type of the value.
    pub(super) ty: Type,
    /// The same in tokens.
    pub(super) spelled: TokenStream,
    /// Whether it may carry a derivative.
    pub(super) is_active: bool,
    /// Whether derivatives pass from one iteration to the next by way of it; in an independent loop, whether values could.
    pub(super) is_carried: bool,
}

impl Capture {
    /// Whether the steps change it: it is a part of the state.
    pub(super) fn is_state(&self) -> bool {
        self.passing == Passing::Exclusive
    }

    /// Whether derivatives pass through the steps by way of it.
    pub(super) fn is_active_state(&self) -> bool {
        self.is_state() && self.is_active
    }

    /// Whether the step has a reference where the body means the value.
    pub(super) fn is_behind(&self) -> bool {
        !self.is_reference && self.passing != Passing::Value
    }

    /// The type of the copy of it that belongs to a state.
    pub(super) fn owned(&self) -> TokenStream {
        match &self.ty {
            Type::Slice(element) => {
                let element = known_type(element).unwrap_or_default();
                quote!(::std::vec::Vec<#element>)
            }
            _ => self.spelled.clone(),
        }
    }
}

/// Finds what a block or a loop captures. What it cannot capture is reported.
pub(super) fn captures(
    position: usize,
    mark: &Mark,
    known: &Known<'_>,
    errors: &Errors,
) -> Option<Captures> {
    let Known { lowered, .. } = *known;
    let place = mark.described();
    let refuse = |span: Span, what: String, help: &str| {
        let message = format!("{what} is not supported in {place} yet");
        errors.report(span, message, help);
    };
    let sites = lowered.sites.iter().filter(|site| site.position == position);
    let [site] = sites.collect::<Vec<&Site>>()[..] else {
        let help = "write it as a function of its own";
        refuse(mark.span, "this statement".to_owned(), help);
        return None;
    };
    let touched = Touched::by(site, known)?;
    let reversal = mark.repetition().map(|repetition| &repetition.reversal);
    let converges = matches!(reversal, Some(Reversal::FixedPoint(_)));
    let independent = matches!(reversal, Some(Reversal::Independent));
    let range = mark.repetition().and_then(|repetition| repetition.range.as_ref());
    let index = match (range, touched.counter) {
        (Some(range), Some(counter)) => {
            let index = match is_literal(&range.start) && is_literal(&range.end) {
                true => known_type(&settled(known, counter)),
                false => known_type(&lowered.body.vars[counter].ty),
            };
            if index.is_none() {
                let help = "give its bounds types: `let n: usize = …;`";
                refuse(mark.span, "a loop variable of unknown type".to_owned(), help);
                return None;
            }
            index
        }
        (Some(_), None) | (None, _) => None,
    };
    let mentioned = Mentions::of(mark);
    let (mut captures, mut targets) = (Vec::new(), Vec::<(String, Var)>::new());
    for (name, var) in &site.names {
        let Some(ident) = mentioned.names.get(name) else { continue };
        let span = ident.span();
        let help = "declare it inside, or write the code as a function of its own";
        let Some(var) = *var else {
            refuse(span, format!("`{name}`, which stands for no plain variable,"), help);
            continue;
        };
        let variable = &lowered.body.vars[var];
        // What the name stands for, and how: a local reference for a part of another variable.
        let (target, is_reference, is_shared) = match &variable.binding {
            Binding::Value => (var, false, false),
            Binding::Shared => (var, true, true),
            Binding::Exclusive => (var, true, false),
            Binding::View(view) => (lowered.body.resolve(&view.place).root, true, !view.mutable),
            Binding::Global(_) => continue,
        };
        let Some(spelled) = spelled(known, var) else {
            let help = "give the variable a type where it is declared";
            refuse(span, format!("`{name}`, whose type is not known here,"), help);
            continue;
        };
        let ty = settled(known, var);
        let is_number = ty.is_discrete() || ty.is_float();
        // What changes behind a `&`, a `Cell`, is no state.
        let is_written = touched.written.contains(target) && !is_shared;
        let passing = match (is_written, is_number && !is_reference) {
            (true, _) => Passing::Exclusive,
            (false, true) => Passing::Value,
            (false, false) => Passing::Shared,
        };
        let is_active = match ty.is_known() {
            true => ty.may_carry_floats() && (is_written || touched.varied.contains(target)),
            false => touched.active.contains(target) && !is_passive_reference(known, target),
        };
        if let Some((other, _)) = targets.iter().find(|&&(_, known)| known == target)
            && touched.written.contains(target)
        {
            let what = format!("`{name}`, which overlaps `{other}`,");
            refuse(span, what, "make the references inside");
            continue;
        }
        targets.push((name.clone(), target));
        if converges && touched.sums.contains(target) {
            let help = "add it up behind the loop from what the loop has converged to, or use \
                        `#[checkpoint(snapshots = n)]`, which follows all iterations";
            refuse(span, format!("`{name}`, a sum over the iterations,"), help);
        }
        let is_list = ty.element().is_some() && known_type(&ty).is_some();
        let is_shared = is_written && independent && touched.shared.contains(target);
        if is_shared && !is_list {
            let help = "leave `#[independent]` out, or declare what an iteration needs inside; sums are supported, \
                        and elements of lists";
            refuse(span, format!("`{name}`, which iterations read and write,"), help);
        }
        // The check at run time compares lists that are read and written: a dependence that ends elsewhere would not
        // show.
        let may_depend = is_shared && !touched.own.contains(target);
        if may_depend && is_list && touched.written.iter().any(|var| hides(&touched, known, var)) {
            let help = "add up and keep aside in another loop, or leave `#[independent]` out";
            let what = format!(
                "`{name}`, of which iterations touch more than their own elements, beside a sum or a variable,"
            );
            refuse(span, what, help);
        }
        let carried = if independent { &touched.shared } else { &touched.carried };
        let is_carried = carried.contains(target);
        let name = ident.clone();
        let capture = Capture { name, passing, is_reference, ty, spelled, is_active, is_carried };
        if capture.is_behind() {
            let name = &capture.name.to_string();
            if let Some(shadow) = mentioned.declared.get(name) {
                refuse(*shadow, format!("another `{name}` than outside"), "rename one of the two");
            }
            if let Some(mention) = mentioned.in_macros.get(name) {
                let help = "use a copy of it there";
                refuse(*mention, format!("`{name}`, which is changed, in a macro"), help);
            }
        }
        captures.push(capture);
    }
    let types: Vec<&TokenStream> = captures.iter().map(|capture| &capture.spelled).collect();
    let (generics, unknown) = Generics::of(known, &types, &mark.body.to_token_stream());
    if let Some(name) = unknown {
        let what = format!("`{name}`, which the types of no variables from outside mention,");
        let help = "use its value as a variable: `let n = N;`";
        refuse(name.span(), what, help);
    }
    if let Some(span) = generic_self(mark, known) {
        refuse(span, "`Self`, a type with parameters,".to_owned(), "write the type");
        return None;
    }
    Some(Captures { index, captures, sums_backwards: touched.sums_backwards, generics })
}

/// Whether a variable is a parameter behind a reference that has no bar: nothing active gets into what a `&` refers to, and of a `&mut` the user
/// says so.
fn is_passive_reference(known: &Known<'_>, var: Var) -> bool {
    let is_reference = match known.lowered.body.vars[var].binding {
        Binding::Shared | Binding::Exclusive => true,
        Binding::Value | Binding::Global(_) | Binding::View(_) => false,
    };
    let mut params = known.lowered.interface.params.iter();
    is_reference && params.any(|param| param.var == var && !param.has_bar())
}

/// Whether iterations leave something in a variable of the function that does not show whether they depend on each other:
/// a sum, or what each of them writes anew.
fn hides(touched: &Touched, known: &Known<'_>, var: Var) -> bool {
    let is_outer = !touched.declared.contains(var);
    let is_place =
        !matches!(known.lowered.body.vars[var].binding, Binding::View(_) | Binding::Global(_));
    is_outer && is_place && !touched.shared.contains(var)
}

/// Where `Self` stands for a generic type, the tokens of which cannot always stand in its place.
fn generic_self(mark: &Mark, known: &Known<'_>) -> Option<Span> {
    let own = known.annotated.surroundings()?.self_type.to_token_stream();
    let is_plain = own.into_iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    });
    let own = Ident::new("Self", Span::call_site());
    if is_plain { None } else { mention(&mark.body.to_token_stream(), &own) }
}

/// Whether a loop inside of a block runs backwards in the backward sweep.
fn has_reversed(outer: &Block, backward: &Body) -> bool {
    let mut inner = BTreeMap::new();
    each_stmt(outer, &mut |stmt| {
        if let StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range }, .. }) = &stmt.kind {
            inner.insert(*var, range.adaptors.len());
        }
    });
    let mut reversed = false;
    each_stmt(&backward.block, &mut |stmt| {
        if let StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range }, .. }) = &stmt.kind {
            reversed |= inner.get(var).is_some_and(|steps| *steps != range.adaptors.len());
        }
    });
    reversed
}

/// The type of a variable. Numbers of which nothing in sight determines the type are of those that rustc falls
/// back to.
fn settled(known: &Known<'_>, var: Var) -> Type {
    let ty = &known.lowered.body.vars[var].ty;
    if known.numbers.tell(ty) { ty.clone() } else { ty.with_fallbacks() }
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_literal(&unary.expr),
        _ => false,
    }
}

/// The type of a variable in tokens: as the user wrote it, or as it was found out.
fn spelled(known: &Known<'_>, var: Var) -> Option<TokenStream> {
    let ty = settled(known, var);
    if let Some(tokens) = known_type(&ty) {
        return Some(tokens);
    }
    let own = known.annotated.surroundings().map(|known| known.self_type.to_token_stream());
    let params = &known.lowered.interface.params;
    let param = params.iter().find(|param| param.var == var);
    let spelled = match (param, &ty) {
        (_, Type::Slice(_)) => return None,
        (Some(param), _) => param.pointee.clone(),
        // What is made by `State { … }` has arguments that only the declaration says.
        (None, Type::Named(name)) => match &known.lowered.body.vars[var].declared {
            Some(declared) if is_whole(declared) => declared.clone(),
            Some(_) | None => name.parse().ok()?,
        },
        (None, _) => return None,
    };
    let spelled = match own {
        Some(own) => in_place_of_self(spelled, &own),
        None => spelled,
    };
    // A lifetime without a name or an anonymous type cannot be repeated.
    let is_closed = |token: TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() != '&',
        TokenTree::Ident(ident) => !["impl", "Self", "dyn", "_"].iter().any(|open| ident == open),
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    };
    spelled.clone().into_iter().all(is_closed).then_some(spelled)
}

/// Whether a type leaves nothing to be inferred.
fn is_whole(ty: &TokenStream) -> bool {
    mention(ty, &Ident::new("_", Span::call_site())).is_none()
}

/// What is known of a block or a loop as it is: the variables that it writes, and those through which
/// derivatives pass there.
struct Touched {
    written: BitSet<Var>,
    varied: BitSet<Var>,
    active: BitSet<Var>,
    /// Those that are declared there.
    declared: BitSet<Var>,
    /// Those by way of which they pass from one iteration to the next.
    carried: BitSet<Var>,
    /// Those that iterations read and others may have written.
    shared: BitSet<Var>,
    /// Lists among those of which each iteration touches its own element only.
    own: BitSet<Var>,
    /// Those that are nothing but sums over the iterations.
    sums: BitSet<Var>,
    /// The loop variable.
    counter: Option<Var>,
    sums_backwards: bool,
}

impl Touched {
    fn by(site: &Site, known: &Known<'_>) -> Option<Self> {
        let mut found = None;
        each_stmt(&known.lowered.body.block, &mut |stmt| match &stmt.kind {
            StmtKind::Loop(inner) if inner.target.label == site.label => {
                let counter = match &inner.kind {
                    LoopKind::Counted { var, range: _ } => Some(*var),
                    LoopKind::While { .. } | LoopKind::Forever => None,
                };
                let iterations = Iterations { known, id: stmt.id, body: &inner.body };
                let mut touched = Self { counter, ..Self::inside(&inner.body, known) };
                touched.ask(&iterations);
                found = Some(touched);
            }
            StmtKind::Block { target: Some(target), body } if target.label == site.label => {
                found = Some(Self::inside(body, known));
            }
            _ => {}
        });
        found
    }

    /// What is handed on from one iteration to another.
    fn ask(&mut self, iterations: &Iterations<'_>) {
        let vars = iterations.known.lowered.body.vars.indices();
        for var in vars.filter(|var| self.written.contains(*var)) {
            if iterations.carry_derivatives(var) {
                self.carried.insert(var);
            }
            if iterations.carry_values(var) {
                self.shared.insert(var);
                if self.counter.is_some_and(|counter| iterations.keep_to_own_elements(var, counter))
                {
                    self.own.insert(var);
                }
            }
            if iterations.only_add_to(var) {
                self.sums.insert(var);
            }
        }
    }

    fn inside(body: &Block, known: &Known<'_>) -> Self {
        let Known { lowered, facts, backward, .. } = *known;
        let mut touched = Self {
            written: BitSet::new(),
            varied: BitSet::new(),
            active: BitSet::new(),
            declared: BitSet::new(),
            carried: BitSet::new(),
            shared: BitSet::new(),
            own: BitSet::new(),
            sums: BitSet::new(),
            counter: None,
            sums_backwards: has_reversed(body, backward),
        };
        each_stmt(body, &mut |stmt| {
            let point = facts.graph.at(stmt.id);
            let effects = &facts.graph.info(point).effects;
            touched.declared.extend(declared_by(stmt));
            touched.written.extend(effects.writes.iter().map(|&zone| facts.zones.var(zone)));
            let activity = &facts.activity;
            for var in lowered.body.vars.indices() {
                let zones = facts.zones.of_var(var);
                if activity.is_varied(point, &zones) {
                    touched.varied.insert(var);
                }
                if activity.is_varied(point, &zones) || activity.is_useful(point, &zones) {
                    touched.active.insert(var);
                }
            }
        });
        touched
    }
}

/// The names in a block or in the body of a loop.
#[derive(Default)]
struct Mentions {
    /// What is mentioned, and where first.
    names: BTreeMap<String, Ident>,
    /// What is declared.
    declared: BTreeMap<String, Span>,
    /// What stands in macros.
    in_macros: BTreeMap<String, Span>,
}

impl Mentions {
    fn of(mark: &Mark) -> Self {
        let mut found = Self::default();
        found.visit_block(&mark.body);
        if let Some(repetition) = mark.repetition() {
            repetition.range.iter().for_each(|range| found.visit_pat(&range.pat));
            if let Reversal::Schedule(plan) = &repetition.reversal {
                plan.disk.iter().for_each(|disk| found.visit_expr(&disk.directory));
            }
        }
        found
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    self.in_macros.entry(name.clone()).or_insert(ident.span());
                    self.names.entry(name).or_insert(ident);
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    // `"{x}"` mentions `x`.
                    for name in
                        literal.to_string().split(|c: char| !c.is_alphanumeric() && c != '_')
                    {
                        let span = literal.span();
                        if syn::parse_str::<Ident>(name).is_ok() {
                            self.in_macros.entry(name.to_owned()).or_insert(span);
                            let ident = Ident::new(name, span);
                            self.names.entry(name.to_owned()).or_insert(ident);
                        }
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Expr::Path(path) = expr
            && let Some(ident) = path.path.get_ident()
        {
            self.names.entry(ident.to_string()).or_insert_with(|| ident.clone());
        }
        if let Expr::Verbatim(tokens) = expr {
            self.tokens(tokens.clone());
        }
        crate::walk::visit::visit_expr(self, expr);
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        if let Pat::Ident(ident) = pat {
            self.declared.entry(ident.ident.to_string()).or_insert(ident.ident.span());
        }
        crate::walk::visit::visit_pat(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
    }
}
