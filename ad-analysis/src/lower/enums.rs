//! Variants of enums with derivatives. Where its declaration tells that a path is that of a variant, it is written with empty arguments,
//! `Shape::Disc::<> { r }`, in literals and patterns alike, also of variants that hold nothing (`Shape::Empty::<> {}`) or what has
//! positions only (`Shape::Pair::<> { 0: a, 1: b }`). So whoever sees it takes it for a struct, whose fields are payloads.
//!
//! What is told is no more than how the path is written: that the value answers as an enum with a derivative does rustc finds out.

use super::annotated::Annotated;
use crate::options::{Declarations, Options, Payloads};
use crate::payloads::payload_name;
use crate::read::paths_of_import;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{
    Block, Expr, ExprCall, ExprMatch, ExprPath, ExprStruct, FieldPat, FieldValue, Index, Item,
    Member, Pat, PatPath, PatRest, PatStruct, PatTupleStruct, Path, PathArguments, Stmt, Type,
    UseTree, parse_quote,
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
    if !options.declared.has_variants() {
        return annotated;
    }
    let mut declared = options.declared.clone();
    if let Some(known) = annotated.surroundings() {
        declared.add_alias("Self", &known.self_type);
    }
    let mut annotated = annotated.into_owned();
    let (found, by_function) = (BTreeMap::new(), BTreeMap::new());
    let mut imported = Imported { declared: &declared, found, by_function };
    imported.visit_item_fn_mut(&mut annotated.function);
    if !super::fields::names_are_unique(&annotated.function) {
        return Cow::Owned(annotated);
    }
    let Imported { found, by_function, .. } = imported;
    let imports = found.into_iter().map(|(name, path)| {
        let imported = by_function.get(&name).cloned();
        import_proof(&imported.unwrap_or_else(|| path_of_name(&name)), &path)
    });
    let imports: Vec<Stmt> = imports.collect();
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
    let proofs: Vec<Stmt> = proofs.chain(imports).collect();
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

fn path_of_name(name: &str) -> Path {
    Ident::new(name, Span::call_site()).into()
}

/// Proves that what is imported is a variant of the enum that it is taken for one of.
fn import_proof(imported: &Path, path: &Path) -> Stmt {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    parse_quote! {
        const _: fn(&#owner) -> bool = |value| ::core::matches!(value, #imported { .. });
    }
}

/// Writes variants that are imported by their names as paths of their enums: `use Shape::*; … Disc(r)` as `Shape::Disc(r)`.
struct Imported<'d> {
    declared: &'d Declarations,
    found: BTreeMap<String, Path>,
    /// The paths by which the function itself imports them.
    by_function: BTreeMap<String, Path>,
}

impl Imported<'_> {
    fn path_of(&mut self, name: &Ident) -> Option<Path> {
        let name = name.to_string();
        let path = self.declared.imported_variant(&name)?;
        self.found.insert(name, path.clone());
        Some(path)
    }

    /// Whether an import of the function is one of variants, none of which is called by its name alone any more.
    fn imports_variants(&mut self, tree: &UseTree) -> bool {
        let mut imported = BTreeMap::new();
        let are_variants = paths_of_import(tree).into_iter().all(|(path, binds)| match binds {
            Some(name) => {
                let is_found = self.found.contains_key(&name);
                imported.insert(name, path);
                is_found
            }
            None => {
                let of = self.found.iter().filter(|(_, variant)| {
                    let owner = variant.segments.iter().rev().nth(1);
                    owner.is_some_and(|owner| path.last().is_some_and(|last| owner.ident == last))
                });
                let names: Vec<&String> = of.map(|(name, _)| name).collect();
                let path_to = |name: &String| path.iter().chain([name]).cloned().collect();
                imported.extend(names.iter().map(|name| ((*name).clone(), path_to(name))));
                !names.is_empty()
            }
        });
        let paths = imported.into_iter().filter(|_| are_variants);
        let paths = paths.filter_map(|(name, path): (_, Vec<String>)| {
            Some((name, syn::parse_str(&path.join("::")).ok()?))
        });
        self.by_function.extend(paths);
        are_variants
    }

    /// Names in a macro, unless they stand behind `::` or `.`.
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut is_behind = false;
        let written = tokens.into_iter().map(|token| {
            let is_part = std::mem::replace(
                &mut is_behind,
                matches!(&token, TokenTree::Punct(sign) if [':', '.'].contains(&sign.as_char())),
            );
            match token {
                TokenTree::Ident(name) if !is_part => match self.path_of(&name) {
                    Some(path) => path.into_token_stream(),
                    None => name.into_token_stream(),
                },
                TokenTree::Group(group) => {
                    Group::new(group.delimiter(), self.tokens(group.stream())).into_token_stream()
                }
                other => other.into_token_stream(),
            }
        });
        written.collect()
    }
}

impl VisitMut for Imported<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Ident(name) = &*pat
            && name.by_ref.is_none()
            && name.mutability.is_none()
            && name.subpat.is_none()
            && let Some(path) = self.path_of(&name.ident)
        {
            *pat = Pat::Path(PatPath { attrs: Vec::new(), qself: None, path });
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        block.stmts.retain(|stmt| match stmt {
            Stmt::Item(Item::Use(import)) => !self.imports_variants(&import.tree),
            _ => true,
        });
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if let Some(whole) = path.get_ident().and_then(|name| self.path_of(name)) {
            *path = whole;
        }
        visit_mut::visit_path_mut(self, path);
    }

    // No variant is a type.
    fn visit_type_mut(&mut self, _: &mut Type) {}
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
