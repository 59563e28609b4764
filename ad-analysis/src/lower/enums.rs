//! Variants of enums with derivatives. Where its declaration tells that a path is that of a variant, it is written with empty arguments,
//! `Shape::Disc::<> { r }`, in literals and patterns alike, also of variants that hold nothing (`Shape::Empty::<> {}`) or what has
//! positions only (`Shape::Pair::<> { 0: a, 1: b }`). So whoever sees it takes it for a struct, whose fields are payloads.
//!
//! What is told is no more than how the path is written: that the value answers as an enum with a derivative does rustc finds out.

use super::annotated::Annotated;
use crate::options::{Declarations, Options, Payloads};
use crate::payloads::payload_name;
use crate::walk::visit_mut::{self, VisitMut};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{
    Expr, ExprCall, ExprMatch, ExprPath, ExprStruct, FieldPat, FieldValue, Index, Member, Pat,
    PatPath, PatRest, PatStruct, PatTupleStruct, Path, PathArguments, Stmt, Type, parse_quote,
};

/// Macros of the standard library that take values.
const OF_VALUES: [&str; 7] = [
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
];

/// The function with the paths of variants written so.
pub(super) fn with_variants<'a>(
    annotated: Cow<'a, Annotated>,
    options: &Options,
) -> Cow<'a, Annotated> {
    if !options.declared.has_variants() || !super::fields::names_are_unique(&annotated.function) {
        return annotated;
    }
    let mut declared = options.declared.clone();
    if let Some(known) = annotated.surroundings() {
        declared.add_alias("Self", &known.self_type);
    }
    let mut annotated = annotated.into_owned();
    let mut variants = Variants::of(&declared);
    variants.visit_item_fn_mut(&mut annotated.function);
    let proofs = variants.counted.into_iter().map(|(mut path, count)| {
        if path.segments[0].ident == "Self"
            && let Some(known) = annotated.surroundings()
            && let Type::Path(own) = &known.self_type
        {
            let behind = path.segments.into_iter().skip(1);
            path = Path {
                segments: own.path.segments.iter().cloned().chain(behind).collect(),
                ..own.path.clone()
            };
        }
        count_proof(&path, count)
    });
    let proofs: Vec<Stmt> = proofs.collect();
    annotated.function.block.stmts.splice(0..0, proofs);
    Cow::Owned(annotated)
}

/// Proves that a variant holds so many payloads: positions behind `..` are counted from the end.
fn count_proof(path: &Path, count: usize) -> Stmt {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    let each = (0..count).map(|_| quote!(_));
    parse_quote! {
        const _: fn() = || {
            let _: fn(#(#each),*) -> #owner = #path;
        };
    }
}

/// The same in a `match` that a macro stands for. Whether that can be done: payloads of which there is no telling how many are before them
/// are left to rustc.
pub(super) fn write_variants(choice: &mut ExprMatch, declared: &Declarations) -> bool {
    let mut variants = Variants::of(declared);
    variants.visit_expr_match_mut(choice);
    variants.counted.is_empty()
}

/// A path of a variant, by its arguments: the enum and the name.
pub(super) fn variant_of(path: &Path) -> Option<(Path, String)> {
    let last = path.segments.last()?;
    let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    if !args.args.is_empty() || path.segments.len() < 2 {
        return None;
    }
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    Some((owner, last.ident.to_string()))
}

/// Whether a pattern is that of a variant.
pub(super) fn is_variant(pat: &Pat) -> bool {
    matches!(pat, Pat::Struct(pat) if variant_of(&pat.path).is_some())
}

/// What a member of a struct or of a variant is called.
pub(super) fn field_of(path: &Path, member: &impl ToTokens) -> Rc<str> {
    let member = member.to_token_stream().to_string();
    match variant_of(path) {
        Some((_, variant)) => payload_name(&variant, &member).into(),
        None => member.into(),
    }
}

/// Writes paths of variants.
pub(super) struct Variants<'d> {
    declared: &'d Declarations,
    /// Variants whose payloads were counted.
    counted: Vec<(Path, usize)>,
}

impl<'d> Variants<'d> {
    pub(super) fn of(declared: &'d Declarations) -> Self {
        Self { declared, counted: Vec::new() }
    }

    fn payloads(&self, path: &Path) -> Option<Payloads> {
        let (last, owner) =
            path.segments.iter().collect::<Vec<_>>().split_last().map(|(last, owner)| {
                let owner = owner.iter().map(|segment| segment.ident.to_string());
                (*last, owner.collect::<Vec<_>>().join("::"))
            })?;
        let is_bare = path.segments.iter().all(|segment| segment.arguments.is_empty());
        (is_bare && path.leading_colon.is_none())
            .then(|| self.declared.variant(&owner, &last.ident.to_string()))?
    }

    fn struct_pattern(&mut self, pat: &Pat) -> Option<PatStruct> {
        match pat {
            Pat::Path(PatPath { attrs, qself: None, path }) => {
                let bare = matches!(self.payloads(path)?, Payloads::None);
                bare.then(|| PatStruct { attrs: attrs.clone(), ..pattern_of(path) })
            }
            Pat::TupleStruct(PatTupleStruct { attrs, qself: None, path, elems, .. }) => {
                let rest = elems.iter().position(|pat| matches!(pat, Pat::Rest(_)));
                let is_counted = rest.is_some_and(|rest| rest + 1 < elems.len());
                let count = match self.payloads(path)? {
                    Payloads::Numbered(count) => count,
                    Payloads::NumberedOfGeneric(count) if !is_counted => count,
                    Payloads::NumberedOfGeneric(_) | Payloads::None | Payloads::Named => {
                        return None;
                    }
                };
                let positions = super::subjects::positions(elems, count);
                if is_counted {
                    self.counted.push((path.clone(), count));
                }
                let fields = elems.iter().zip(positions).filter_map(|(pat, position)| {
                    let member = Member::Unnamed(Index::from(position?));
                    Some(FieldPat {
                        attrs: Vec::new(),
                        member,
                        colon_token: Some(Default::default()),
                        pat: Box::new(pat.clone()),
                    })
                });
                let rest = elems.iter().find_map(|pat| match pat {
                    Pat::Rest(rest) => Some(rest.clone()),
                    _ => None,
                });
                let (attrs, fields) = (attrs.clone(), fields.collect());
                Some(PatStruct { attrs, fields, rest, ..pattern_of(path) })
            }
            Pat::Struct(pat) if pat.qself.is_none() => {
                self.payloads(&pat.path)?;
                Some(PatStruct { path: marked(&pat.path), ..pat.clone() })
            }
            _ => None,
        }
    }

    fn literal(&self, expr: &Expr) -> Option<ExprStruct> {
        match expr {
            Expr::Path(ExprPath { attrs, qself: None, path }) => {
                let bare = matches!(self.payloads(path)?, Payloads::None);
                bare.then(|| ExprStruct { attrs: attrs.clone(), ..literal_of(path) })
            }
            Expr::Call(ExprCall { attrs, func, args, .. }) => {
                let Expr::Path(ExprPath { qself: None, path, .. }) = super::places::strip(func)
                else {
                    return None;
                };
                match self.payloads(path)? {
                    Payloads::Numbered(_) | Payloads::NumberedOfGeneric(_) => {}
                    Payloads::None | Payloads::Named => return None,
                }
                let fields = args.iter().enumerate().map(|(position, arg)| FieldValue {
                    attrs: Vec::new(),
                    member: Member::Unnamed(Index::from(position)),
                    colon_token: Some(Default::default()),
                    expr: arg.clone(),
                });
                let (attrs, fields) = (attrs.clone(), fields.collect());
                Some(ExprStruct { attrs, fields, ..literal_of(path) })
            }
            Expr::Struct(literal) if literal.qself.is_none() => {
                self.payloads(&literal.path)?;
                Some(ExprStruct { path: marked(&literal.path), ..literal.clone() })
            }
            _ => None,
        }
    }
}

impl VisitMut for Variants<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Some(variant) = self.struct_pattern(pat) {
            *pat = Pat::Struct(variant);
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(variant) = self.literal(expr) {
            *expr = Expr::Struct(variant);
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if !mac.path.segments.last().is_some_and(|last| OF_VALUES.iter().any(|of| last.ident == of))
        {
            return;
        }
        let tokens = &mac.tokens;
        let list = syn::parse2::<Expr>(quote!([#tokens]));
        if let Ok(mut list @ (Expr::Array(_) | Expr::Repeat(_))) = list {
            self.visit_expr_mut(&mut list);
            mac.tokens = match list {
                Expr::Array(syn::ExprArray { elems, .. }) => elems.into_token_stream(),
                Expr::Repeat(syn::ExprRepeat { expr, semi_token, len, .. }) => {
                    quote!(#expr #semi_token #len)
                }
                _ => return,
            };
        }
    }
}

fn marked(path: &Path) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::AngleBracketed(parse_quote!(::<>));
    }
    path
}

fn pattern_of(path: &Path) -> PatStruct {
    PatStruct {
        attrs: Vec::new(),
        qself: None,
        path: marked(path),
        brace_token: Default::default(),
        fields: Punctuated::new(),
        rest: None::<PatRest>,
    }
}

fn literal_of(path: &Path) -> ExprStruct {
    ExprStruct {
        attrs: Vec::new(),
        qself: None,
        path: marked(path),
        brace_token: Default::default(),
        fields: Punctuated::new(),
        dot2_token: None,
        rest: None,
    }
}
