//! What is matched against patterns, and how it is told whether it matches.
//!
//! ```text
//! match (n, y) {                          let selector = n;
//!     (0, t) => t,                        if selector == 0 { let t = y; value = t; }
//!     (_, t) => t * t,                    else { let t = y; value = t * t; }
//! }
//! ```

use super::enums::{is_variant, variant_of};
use super::items::Item;
use super::optional::Optional;
use super::optional_syntax::names;
use super::places::strip;
use super::{Lowerer, Operand};
use crate::ir::{BinaryOp, Expr, Opaque, Place, Projection, StmtKind};
use crate::payloads::variant_name;
use crate::read::{looks_like_variable, takes_all};
use crate::types::Type;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Pat, RangeLimits};

/// What is matched.
#[derive(Clone)]
pub(super) enum Subject {
    /// A value or a reference that is known here.
    Item(Item),
    /// Several, of which each is matched in its own way.
    Tuple(Vec<Subject>),
    /// An `Option` or a `Result` in parts.
    Optional(Box<Optional>),
    /// Something that only rustc can match: an enum, a string. It is code that can be repeated.
    Verbatim(Opaque),
}

impl Subject {
    /// Does something to the place that is matched.
    pub(super) fn each_place(&mut self, change: &mut dyn FnMut(&mut Place)) {
        match self {
            Subject::Item(Item::Operand(Operand::Reference { place, mutable: _, span: _ })) => {
                change(place);
            }
            Subject::Item(Item::Operand(Operand::Value(value))) => {
                if let crate::ir::ExprKind::Load(place) = &mut value.kind {
                    change(place);
                }
            }
            Subject::Tuple(parts) => parts.iter_mut().for_each(|part| part.each_place(change)),
            Subject::Item(_) | Subject::Optional(_) | Subject::Verbatim(_) => {}
        }
    }

    /// The variable that holds a number that is compared.
    pub(super) fn as_selector(&self) -> Option<crate::index::Var> {
        match self {
            Subject::Item(Item::Operand(Operand::Value(value))) => value.as_var(),
            Subject::Item(_) | Subject::Tuple(_) | Subject::Optional(_) | Subject::Verbatim(_) => {
                None
            }
        }
    }
}

impl Lowerer<'_> {
    /// Evaluates what is matched against a pattern that may fail.
    pub(super) fn refutable_subject(&mut self, expr: &syn::Expr, pat: &Pat) -> Subject {
        let otherwise: Pat = syn::parse_quote!(_);
        self.subject(expr, &[pat, &otherwise])
    }

    /// Evaluates what is matched against these patterns.
    pub(super) fn subject(&mut self, expr: &syn::Expr, pats: &[&Pat]) -> Subject {
        let pats = cases_of(pats);
        let bare = strip(expr);
        if let syn::Expr::Tuple(tuple) = bare
            && let Some(columns) = columns_of(&pats, tuple.elems.len())
            && !self.has_attributes(bare)
        {
            return self.tuple_subject(tuple, &columns);
        }
        if pats.iter().any(|pat| is_optional_pattern(pat))
            && let Some(optional) = self.optional(bare)
        {
            return Subject::Optional(Box::new(optional));
        }
        if !pats.iter().all(|pat| is_plain(pat)) || are_of_enum(&pats) {
            return Subject::Verbatim(self.verbatim_subject(bare));
        }
        if pats.iter().all(|pat| is_scalar(pat)) {
            let value = self.value(expr);
            return Subject::Item(Item::value(self.selector(value)));
        }
        let operand = self.attempt("what is matched", |this| {
            let operand = this.operand(bare)?;
            // What verbatim code returns may be a reference, whatever it is matched with.
            let is_got = matches!(&operand, Operand::Reference { place, .. } if matches!(place.projections.last(), Some(Projection::Got { .. })));
            (is_got || !this.last_is_verbatim()).then_some(operand)
        });
        match operand {
            Some(Operand::Value(value)) => {
                let (ty, span) = (value.ty.clone(), value.span);
                let place = self.place_of_value(value, "subject");
                Subject::Item(Item::value(Expr::load(place, ty, span)))
            }
            Some(reference) => Subject::Item(Item::Operand(reference)),
            None => Subject::Verbatim(self.verbatim_subject(bare)),
        }
    }

    /// A variable that holds what code denotes, as code.
    pub(super) fn named_code(&mut self, code: Opaque) -> Opaque {
        let (ty, span) = (self.types.fresh(), proc_macro2::Span::call_site());
        let value = Expr::new(crate::ir::ExprKind::Opaque(std::rc::Rc::new(code)), ty, span);
        self.verbatim_operand(&Operand::Value(value))
    }

    /// A number that is compared with several others.
    fn selector(&mut self, value: Expr) -> Expr {
        if value.as_literal().is_some() {
            return value;
        }
        let span = value.span;
        let var = self.name_value("selector", value);
        self.load(var, span)
    }

    fn tuple_subject(&mut self, tuple: &syn::ExprTuple, columns: &[Vec<&Pat>]) -> Subject {
        let columns = tuple.elems.iter().zip(columns);
        Subject::Tuple(self.in_order(columns, |this, (expr, pats)| this.subject(expr, pats)))
    }

    /// Whether a subject matches a pattern; `None` if it always does.
    pub(super) fn pattern_test(&mut self, pat: &Pat, subject: &Subject) -> Option<Expr> {
        match (pat, subject) {
            (Pat::Wild(_) | Pat::Rest(_), _) => None,
            (Pat::Ident(ident), _) if looks_like_variable(&ident.ident) => {
                let (_, inner) = ident.subpat.as_ref()?;
                self.pattern_test(inner, subject)
            }
            (Pat::Paren(inner), _) => self.pattern_test(&inner.pat, subject),
            (Pat::Type(inner), _) => self.pattern_test(&inner.pat, subject),
            (_, Subject::Verbatim(opaque)) => self.verbatim_test(pat, opaque),
            (Pat::Or(or), _) => self.any_case(or, subject),
            (_, Subject::Optional(optional)) => self.optional_test(pat, optional),
            (Pat::Tuple(tuple), Subject::Tuple(parts)) => {
                let places = positions(&tuple.elems, parts.len());
                self.all_of(tuple.elems.iter().zip(places), |this, (pat, position)| {
                    let position = position?;
                    this.pattern_test(pat, &parts[position])
                })
            }
            (_, Subject::Tuple(_)) => {
                self.unsupported_pattern(pat);
                None
            }
            (_, Subject::Item(item)) => self.item_test(pat, item),
        }
    }

    fn any_case(&mut self, or: &syn::PatOr, subject: &Subject) -> Option<Expr> {
        let mut any: Option<Expr> = None;
        for case in &or.cases {
            let test = self.pattern_test(case, subject)?;
            any = Some(match any {
                Some(any) => Expr::test(BinaryOp::Or, any, test),
                None => test,
            });
        }
        any
    }

    fn all_of<T>(
        &mut self,
        parts: impl Iterator<Item = T>,
        mut test: impl FnMut(&mut Self, T) -> Option<Expr>,
    ) -> Option<Expr> {
        let mut all = None;
        for part in parts {
            let test = test(self, part);
            all = both(all, test);
        }
        all
    }

    fn item_test(&mut self, pat: &Pat, item: &Item) -> Option<Expr> {
        let inner =
            |this: &mut Self, pat: &Pat, item: Item| this.pattern_test(pat, &Subject::Item(item));
        match (pat, item) {
            (Pat::Reference(reference), Item::Lent(item)) => {
                inner(self, &reference.pat, Item::clone(item))
            }
            (Pat::Reference(reference), Item::Operand(operand)) => {
                let value = self.value_of(operand.clone());
                inner(self, &reference.pat, Item::value(value))
            }
            (_, Item::Lent(item)) => inner(self, pat, Item::clone(item)),
            (Pat::Tuple(tuple), Item::Tuple(parts)) => {
                let places = positions(&tuple.elems, parts.len());
                self.all_of(tuple.elems.iter().zip(places), |this, (pat, position)| {
                    inner(this, pat, parts[position?].clone())
                })
            }
            (_, Item::Tuple(_)) => {
                self.unsupported_pattern(pat);
                None
            }
            (_, Item::Operand(operand)) => self.operand_test(pat, operand),
        }
    }

    fn operand_test(&mut self, pat: &Pat, operand: &Operand) -> Option<Expr> {
        if !is_plain(pat) {
            let opaque = self.verbatim_operand(operand);
            return self.verbatim_test(pat, &opaque);
        }
        match pat {
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Ident(_) => {
                let value = self.value_of(operand.clone());
                self.scalar_test(pat, &value)
            }
            Pat::Struct(of) if let Some((_, variant)) = variant_of(&of.path) => {
                let place = self.place_of_operand(operand.clone());
                self.expect_struct(&place, pat);
                let test = place.then(Projection::Field(variant_name(&variant).into()));
                let test = Expr::load(test, Type::Bool, pat.span());
                Some(self.test_if(test, |this| this.parts_test(pat, &place, operand)))
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                let place = self.place_of_operand(operand.clone());
                let many = match pat {
                    Pat::Slice(slice) => self.length_test(slice, &place),
                    _ => None,
                };
                let parts = self.parts_test(pat, &place, operand);
                both(many, parts)
            }
            other => {
                self.unsupported_pattern(other);
                None
            }
        }
    }

    /// Whether the parts of what a place holds match those of a pattern.
    fn parts_test(&mut self, pat: &Pat, place: &Place, operand: &Operand) -> Option<Expr> {
        let parts = self.parts_of(pat, place)?;
        self.all_of(parts.into_iter(), |this, (pat, place)| {
            let (ty, span) = (this.type_of(&place), pat.span());
            let part = match operand {
                Operand::Value(_) => Operand::Value(Expr::load(place, ty, span)),
                Operand::Reference { mutable, .. } => {
                    Operand::Reference { place, mutable: *mutable, span }
                }
            };
            this.pattern_test(pat, &Subject::Item(Item::Operand(part)))
        })
    }

    pub(super) fn place_of_operand(&mut self, operand: Operand) -> Place {
        match operand {
            Operand::Value(value) => self.place_of_value(value, "subject"),
            Operand::Reference { place, .. } => place,
        }
    }

    /// Whether a list has as many elements as the pattern says.
    fn length_test(&mut self, slice: &syn::PatSlice, place: &Place) -> Option<Expr> {
        let ty = self.type_of(place);
        if matches!(self.types.shallow(&ty), Type::Array(..)) {
            return None;
        }
        let has_rest = slice.elems.iter().any(is_rest);
        let wanted = slice.elems.len() - usize::from(has_rest);
        let len = self.len_of(place.clone(), slice.span());
        match (has_rest, wanted) {
            (true, 0) => None,
            (true, wanted) => Some(Expr::test(BinaryOp::Ge, len, Expr::usize(wanted))),
            (false, wanted) => Some(Expr::test(BinaryOp::Eq, len, Expr::usize(wanted))),
        }
    }

    /// Whether a number matches a pattern.
    fn scalar_test(&mut self, pat: &Pat, value: &Expr) -> Option<Expr> {
        match pat {
            Pat::Lit(lit) => {
                let literal = self.value(&syn::Expr::Lit(lit.clone()));
                self.types.unify(&value.ty, &literal.ty);
                if self.types.shallow(&value.ty) == Type::Bool {
                    let holds = literal.as_literal().is_some_and(|text| &**text == "true");
                    return Some(if holds { value.clone() } else { Expr::negated(value.clone()) });
                }
                Some(Expr::test(BinaryOp::Eq, value.clone(), literal))
            }
            Pat::Path(path) => {
                let constant = self.value(&syn::Expr::Path(path.clone()));
                Some(Expr::test(BinaryOp::Eq, value.clone(), constant))
            }
            Pat::Ident(ident) => {
                let name = &ident.ident;
                let constant = self.value(&syn::parse_quote!(#name));
                Some(Expr::test(BinaryOp::Eq, value.clone(), constant))
            }
            Pat::Range(range) => {
                let bounds = [&range.start, &range.end]
                    .map(|bound| bound.as_deref().map(|constant| self.value(constant)));
                self.range_test(bounds, &range.limits, value)
            }
            _ => None,
        }
    }

    /// Whether a number lies in a range, if that has bounds.
    pub(super) fn range_test(
        &mut self,
        [start, end]: [Option<Expr>; 2],
        limits: &RangeLimits,
        value: &Expr,
    ) -> Option<Expr> {
        let below = match limits {
            RangeLimits::HalfOpen(_) => BinaryOp::Lt,
            RangeLimits::Closed(_) => BinaryOp::Le,
        };
        let mut test = |op, bound: Option<Expr>| {
            let bound = bound?;
            self.types.unify(&value.ty, &bound.ty);
            Some(Expr::test(op, value.clone(), bound))
        };
        both(test(BinaryOp::Ge, start), test(below, end))
    }

    /// Binds the names of a pattern that matches. `scope` is where they are used, if that is known.
    pub(super) fn bind_pattern(
        &mut self,
        pat: &Pat,
        subject: &Subject,
        scope: Option<&dyn ToTokens>,
    ) {
        match (pat, subject) {
            (Pat::Paren(inner), _) => self.bind_pattern(&inner.pat, subject, scope),
            (Pat::Type(inner), _) => self.bind_pattern(&inner.pat, subject, scope),
            (_, Subject::Verbatim(opaque)) => self.bind_verbatim(pat, opaque, scope),
            (_, Subject::Optional(optional)) => self.bind_optional(pat, optional, scope),
            (Pat::Tuple(tuple), Subject::Tuple(parts)) => {
                let places = positions(&tuple.elems, parts.len());
                for (pat, position) in tuple.elems.iter().zip(places) {
                    if let Some(position) = position {
                        self.bind_pattern(pat, &parts[position], scope);
                    }
                }
            }
            (_, Subject::Tuple(_)) => {}
            (Pat::Tuple(tuple), Subject::Item(Item::Tuple(parts))) => {
                let places = positions(&tuple.elems, parts.len());
                for (pat, position) in tuple.elems.iter().zip(places) {
                    if let Some(position) = position {
                        self.bind_item(pat, parts[position].clone());
                    }
                }
            }
            (_, Subject::Item(item)) => self.bind_item(pat, item.clone()),
        }
    }

    /// The same behind references, if a pattern might move something out of it.
    pub(super) fn lent_subject(&mut self, subject: &Subject) -> Option<Subject> {
        match subject {
            Subject::Item(Item::Operand(Operand::Value(value))) if !self.is_number(&value.ty) => {
                let (place, span) = (value.as_place()?.clone(), value.span);
                let reference = Operand::Reference { place, mutable: false, span };
                Some(Subject::Item(Item::Operand(reference)))
            }
            Subject::Optional(optional) => {
                let payload = Subject::Item(optional.payload.clone());
                let Some(Subject::Item(payload)) = self.lent_subject(&payload) else { return None };
                Some(Subject::Optional(Box::new(Optional { payload, ..(**optional).clone() })))
            }
            Subject::Tuple(parts) => {
                let lent: Vec<Option<Subject>> =
                    parts.iter().map(|part| self.lent_subject(part)).collect();
                let any = lent.iter().any(Option::is_some);
                let parts = lent.into_iter().zip(parts);
                let parts = parts.map(|(lent, part)| lent.unwrap_or_else(|| part.clone()));
                any.then(|| Subject::Tuple(parts.collect()))
            }
            Subject::Item(_) | Subject::Verbatim(_) => None,
        }
    }

    /// Evaluates a test only if another one holds.
    pub(super) fn test_if(
        &mut self,
        first: Expr,
        lower: impl FnOnce(&mut Self) -> Option<Expr>,
    ) -> Expr {
        let span = first.span;
        let outer = std::mem::take(&mut self.out);
        let second = lower(self);
        let effects = std::mem::replace(&mut self.out, outer);
        if effects.is_empty() {
            return both(Some(first.clone()), second).unwrap_or(first);
        }
        let var = self.name_value("matches", first);
        self.mutable.insert(var);
        let test = self.load(var, span);
        let then = self.in_block(|this| {
            this.out.extend(effects);
            if let Some(second) = second {
                this.assign(Place::var(var), second, span);
            }
        });
        let otherwise = self.body.new_block(Vec::new());
        self.emit(StmtKind::If { test, then, otherwise }, span);
        self.load(var, span)
    }
}

/// Both tests, of which either may be trivial.
pub(super) fn both(left: Option<Expr>, right: Option<Expr>) -> Option<Expr> {
    match (left, right) {
        (Some(left), Some(right)) => Some(Expr::test(BinaryOp::And, left, right)),
        (left, right) => left.or(right),
    }
}

/// The patterns without alternatives, guards and parentheses around them.
fn cases_of<'p>(pats: &[&'p Pat]) -> Vec<&'p Pat> {
    let mut cases = Vec::new();
    for pat in pats {
        match pat {
            Pat::Or(or) => cases.extend(cases_of(&or.cases.iter().collect::<Vec<_>>())),
            Pat::Guard(guarded) => cases.extend(cases_of(&[&guarded.pat])),
            Pat::Paren(inner) => cases.extend(cases_of(&[&inner.pat])),
            Pat::Type(inner) => cases.extend(cases_of(&[&inner.pat])),
            Pat::Ident(ident) if looks_like_variable(&ident.ident) => match &ident.subpat {
                Some((_, inner)) => cases.extend(cases_of(&[inner])),
                None => cases.push(pat),
            },
            pat => cases.push(pat),
        }
    }
    cases
}

/// What the patterns have to say of each part of a tuple, if they take it apart.
fn columns_of<'p>(pats: &[&'p Pat], len: usize) -> Option<Vec<Vec<&'p Pat>>> {
    let mut columns = vec![Vec::new(); len];
    for pat in pats {
        match pat {
            Pat::Wild(_) => {}
            Pat::Tuple(tuple) if fits(&tuple.elems, len) => {
                let places = positions(&tuple.elems, len);
                for (pat, position) in tuple.elems.iter().zip(places) {
                    if let Some(position) = position {
                        columns[position].push(pat);
                    }
                }
            }
            _ => return None,
        }
    }
    (len > 0).then_some(columns)
}

fn fits<P>(elems: &syn::punctuated::Punctuated<Pat, P>, len: usize) -> bool {
    let has_rest = elems.iter().any(|pat| matches!(pat, Pat::Rest(_)));
    if has_rest { elems.len() <= len + 1 } else { elems.len() == len }
}

/// The positions that the patterns of a tuple are about; `None` for `..`.
pub(super) fn positions<P>(
    elems: &syn::punctuated::Punctuated<Pat, P>,
    len: usize,
) -> Vec<Option<usize>> {
    let rest = elems.iter().position(|pat| matches!(pat, Pat::Rest(_)));
    let position = |n: usize| match rest {
        Some(rest) if n == rest => None,
        Some(rest) if n > rest => (len + n).checked_sub(elems.len()),
        _ => Some(n),
    };
    (0..elems.len()).map(position).collect()
}

/// Whether a pattern of a list stands for several elements: `..` or `name @ ..`.
pub(super) fn is_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => {
            ident.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_)))
        }
        _ => false,
    }
}

/// Whether a pattern asks for an `Option` or a `Result`.
pub(super) fn is_optional_pattern(pat: &Pat) -> bool {
    match pat {
        Pat::Or(or) => or.cases.iter().any(is_optional_pattern),
        Pat::Paren(inner) => is_optional_pattern(&inner.pat),
        Pat::Guard(guarded) => is_optional_pattern(&guarded.pat),
        Pat::Reference(inner) => is_optional_pattern(&inner.pat),
        Pat::TupleStruct(pat) => pat.elems.len() == 1 && names(&pat.path, &["Some", "Ok", "Err"]),
        Pat::Ident(pat) => pat.ident == "None",
        Pat::Path(pat) => names(&pat.path, &["None"]),
        _ => false,
    }
}

fn last_of(path: &syn::Path) -> String {
    path.segments.last().map_or_else(String::new, |last| last.ident.to_string())
}

/// Whether a pattern is one of numbers, tuples, structs and lists throughout.
pub(super) fn is_plain(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(pat) => {
            let inner = pat.subpat.as_ref().is_none_or(|(_, inner)| is_plain(inner));
            (looks_like_variable(&pat.ident) || is_constant(&pat.ident.to_string())) && inner
        }
        Pat::Lit(lit) => {
            matches!(lit.lit, syn::Lit::Int(_) | syn::Lit::Float(_) | syn::Lit::Bool(_))
        }
        Pat::Path(path) => path.qself.is_none() && names_constant(&path.path),
        Pat::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|bound| {
            match super::control::strip_neg(bound) {
                syn::Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Int(_) | syn::Lit::Float(_)),
                syn::Expr::Path(path) => names_constant(&path.path),
                _ => false,
            }
        }),
        Pat::Or(or) => or.cases.iter().all(is_plain),
        Pat::Paren(inner) => is_plain(&inner.pat),
        Pat::Type(inner) => is_plain(&inner.pat),
        Pat::Guard(guarded) => is_plain(&guarded.pat),
        Pat::Reference(inner) => is_plain(&inner.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Pat::Slice(slice) => slice.elems.iter().all(is_plain),
        // What is in a variant is looked at when it is known to be there.
        pat if is_variant(pat) => true,
        Pat::Struct(pat) => {
            super::structs::names_struct(&pat.path)
                && pat.fields.iter().all(|field| is_plain(&field.pat))
        }
        Pat::TupleStruct(pat) => {
            super::structs::names_struct(&pat.path) && pat.elems.iter().all(is_plain)
        }
        _ => false,
    }
}

/// Whether patterns of which the first that matches is taken are about variants that are called like structs: there are
/// several of them, or what is no such pattern is left for others.
fn are_of_enum(pats: &[&Pat]) -> bool {
    let mut first: Option<String> = None;
    pats.iter().enumerate().any(|(position, pat)| {
        let Some((path, is_whole)) = head_of(pat) else { return false };
        let path = path.to_token_stream().to_string();
        let is_other = first.replace(path.clone()).is_some_and(|first| first != path);
        is_other || is_whole && position + 1 < pats.len()
    })
}

/// The struct or the variant that a pattern is about, and whether it takes all of that.
fn head_of(pat: &Pat) -> Option<(&syn::Path, bool)> {
    match pat {
        pat if is_variant(pat) => None,
        Pat::Paren(inner) => head_of(&inner.pat),
        Pat::Reference(inner) => head_of(&inner.pat),
        Pat::Guard(guarded) => head_of(&guarded.pat).map(|(path, _)| (path, false)),
        Pat::Ident(ident) => head_of(&ident.subpat.as_ref()?.1),
        Pat::Struct(pat) => Some((&pat.path, pat.fields.iter().all(|field| takes_all(&field.pat)))),
        Pat::TupleStruct(pat) => Some((&pat.path, pat.elems.iter().all(takes_all))),
        _ => None,
    }
}

/// Whether a pattern is about a number as a whole.
fn is_scalar(pat: &Pat) -> bool {
    matches!(pat, Pat::Wild(_) | Pat::Ident(_) | Pat::Lit(_) | Pat::Range(_) | Pat::Path(_))
}

/// Whether a name is that of a constant, and not of a variant.
fn is_constant(name: &str) -> bool {
    name == name.to_uppercase() && name.starts_with(char::is_uppercase) && name.len() > 1
}

/// The same of a path: what belongs to a type that is no number may be a variant.
fn names_constant(path: &syn::Path) -> bool {
    let owner = path.segments.iter().rev().nth(1);
    let of_type =
        owner.is_some_and(|owner| owner.ident.to_string().starts_with(char::is_uppercase));
    is_constant(&last_of(path)) && !of_type
}
