//! Variables get names that tell them apart, so that a name in the text is an identity from here on.
//!
//! rustc tells two variables of one spelling apart if one was written in the definition of a macro and the other by its
//! caller. A macro like this one can see that two names were written in different places (`Context`), not whether rustc takes
//! them for different: an identifier that a procedural macro has made may be the caller's all the same. So:
//!
//! * a spelling that is bound in one context only is one name, wherever it is used;
//! * one that is bound in several gets a name for each;
//!
//! and what is assumed thereby is proved by a function that rustc accepts only if it holds. A variable in capitals gets a
//! name in lower case: by the conventions of the language the others are constants and variants.

use super::closures::rename_parameters;
use super::format_strings::names_in;
use super::inside_macros::{Arguments, arguments};
use super::library::is_of_library;
use super::proofs;
use crate::diag::Errors;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Block, Expr, Lit, Macro, Pat, PatIdent, Signature};

/// Who has written a name: equal for two exactly if rustc resolves them alike. Nothing else is known of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Context(String);

impl Context {
    fn of(span: Span) -> Self {
        Self(format!("{:?}", span.located_at(Span::call_site())))
    }
}

/// Whether a plain name in a pattern that may fail is taken for a variable. That it is none of a constant is proved where the
/// pattern is used.
pub fn looks_like_variable(name: &Ident) -> bool {
    !name.to_string().trim_start_matches("r#").starts_with(char::is_uppercase)
}

/// Whether a name in a pattern is certainly that of a new variable.
fn binds_for_certain(pat: &PatIdent) -> bool {
    pat.by_ref.is_some() || pat.mutability.is_some() || pat.subpat.is_some()
}

/// Gives the variables of a function names that tell them apart. Returned are proofs of what is assumed; what is assumed of
/// constants matters only to code that is taken apart.
pub(super) fn resolve(
    sig: &mut Signature,
    block: &mut Block,
    facade: &TokenStream,
    is_taken_apart: bool,
    errors: &Errors,
) -> TokenStream {
    let mut found = Found::default();
    found.function(sig, block);
    let mut words = BTreeSet::new();
    all_words(quote!(#sig #block), &mut words);
    let names = Naming {
        found: &found,
        words: &mut words,
        facade,
        errors,
        proofs: TokenStream::new(),
        no_constants: Vec::new(),
        copies: Vec::new(),
    };
    let Chosen { names, no_constants, copies, mut proofs } = names.chosen();
    if is_taken_apart {
        proofs.extend(no_constants_proof(block, &no_constants));
    }
    if !names.is_empty() {
        let mut rename = |occurrence: Occurrence<'_>| rename(&names, occurrence, errors);
        Walk::new(true, &mut rename).visit_block_mut(block);
    }
    let copies = copies.into_iter().map(|(param, name)| copy_of(&param, &name, sig));
    block.stmts.splice(0..0, copies.collect::<Vec<_>>());
    rename_parameters(sig, block, &mut words);
    proofs
}

/// A proof that names are not those of constants, unit structs or variants: those cannot be bound with `@`. What the items in
/// the function call so counts, whatever it is.
fn no_constants_proof(block: &Block, names: &[Ident]) -> TokenStream {
    if names.is_empty() {
        return TokenStream::new();
    }
    let items = proofs::scope_of(block);
    quote! {
        #[allow(unused, non_snake_case, non_upper_case_globals, clippy::all)]
        const _: fn() = || {
            #items
            #(let #names @ _ = 0;)*
        };
    }
}

/// The parameter under another name.
fn copy_of(param: &Ident, name: &str, sig: &Signature) -> syn::Stmt {
    let is_mutable = sig.inputs.iter().any(|input| {
        matches!(input, syn::FnArg::Typed(typed)
            if matches!(&*typed.pat, Pat::Ident(pat) if pat.ident == *param && pat.mutability.is_some()))
    });
    let name = Ident::new(name, param.span());
    match is_mutable {
        true => syn::parse_quote!(let mut #name = #param;),
        false => syn::parse_quote!(let #name = #param;),
    }
}

/// The names that variables get, by how they are spelled and who has written that.
type Names = BTreeMap<String, BTreeMap<Context, String>>;

/// What occurs of a spelling.
#[derive(Default)]
struct Spelling {
    /// The parameters: rustc accepts several if they come from several contexts.
    params: Vec<Ident>,
    /// Where variables are bound, once for each context.
    binders: BTreeMap<Context, Ident>,
    /// Whether one of them can be nothing else.
    is_certain: bool,
    /// A variable that is no parameter.
    local: Option<Ident>,
    /// Where it is mentioned, once for each context.
    uses: BTreeMap<Context, Ident>,
}

#[derive(Default)]
struct Found {
    spellings: BTreeMap<String, Spelling>,
    labels: BTreeMap<String, BTreeMap<Context, Ident>>,
}

impl Found {
    fn function(&mut self, sig: &mut Signature, block: &mut Block) {
        for input in &mut sig.inputs {
            let syn::FnArg::Typed(param) = input else { continue };
            let mut note = |occurrence: Occurrence<'_>| {
                if let Occurrence::Binder(pat, _) = occurrence {
                    let spelling = self.spellings.entry(pat.ident.to_string()).or_default();
                    spelling.params.push(pat.ident.clone());
                    spelling.is_certain = true;
                    spelling
                        .binders
                        .entry(Context::of(pat.ident.span()))
                        .or_insert(pat.ident.clone());
                }
            };
            Walk::new(false, &mut note).visit_pat_mut(&mut param.pat);
        }
        let mut note = |occurrence: Occurrence<'_>| self.note(occurrence);
        Walk::new(false, &mut note).visit_block_mut(block);
    }

    fn note(&mut self, occurrence: Occurrence<'_>) {
        match occurrence {
            Occurrence::Binder(pat, refutable) => {
                let spelling = self.spellings.entry(pat.ident.to_string()).or_default();
                spelling.is_certain |= !refutable || binds_for_certain(pat);
                spelling.local.get_or_insert_with(|| pat.ident.clone());
                spelling.binders.entry(Context::of(pat.ident.span())).or_insert(pat.ident.clone());
            }
            Occurrence::Use(ident) => self.mention(ident.clone()),
            Occurrence::Inline(ident, _) => self.mention(ident),
            Occurrence::Unread(tokens) => {
                each_word(tokens.clone(), &mut |ident| self.mention(ident));
            }
            Occurrence::Label(label) => {
                let contexts = self.labels.entry(label.to_string()).or_default();
                contexts.entry(Context::of(label.span())).or_insert(label.clone());
            }
        }
    }

    fn mention(&mut self, ident: Ident) {
        let spelling = self.spellings.entry(ident.to_string()).or_default();
        spelling.uses.entry(Context::of(ident.span())).or_insert(ident);
    }
}

/// Chooses names.
struct Naming<'f> {
    found: &'f Found,
    /// Everything that is called anything.
    words: &'f mut BTreeSet<String>,
    facade: &'f TokenStream,
    errors: &'f Errors,
    proofs: TokenStream,
    /// Names in patterns that are taken for those of variables.
    no_constants: Vec<Ident>,
    /// Parameters in capitals that other variables are called like, and what both are called in the function.
    copies: Vec<(Ident, String)>,
}

struct Chosen {
    names: Names,
    no_constants: Vec<Ident>,
    copies: Vec<(Ident, String)>,
    proofs: TokenStream,
}

impl Naming<'_> {
    fn chosen(mut self) -> Chosen {
        let mut names = Names::new();
        for (text, spelling) in &self.found.spellings {
            let is_capital =
                spelling.binders.values().next().is_some_and(|name| !looks_like_variable(name));
            // Constants and variants in patterns.
            if spelling.binders.is_empty() || is_capital && !spelling.is_certain {
                continue;
            }
            if let [_, second, ..] = spelling.params.as_slice() {
                self.refuse(second, "parameter");
                continue;
            }
            if let (true, [param], Some(local)) = (is_capital, &*spelling.params, &spelling.local) {
                self.no_constants.push(local.clone());
                if spelling.binders.len() > 1 {
                    self.refuse(local, "variable");
                    continue;
                }
                let name = fresh(self.words, text);
                self.copies.push((param.clone(), name.clone()));
                let contexts = spelling.uses.keys().chain(spelling.binders.keys());
                let chosen = contexts.map(|context| (context.clone(), name.clone())).collect();
                names.insert(text.clone(), chosen);
                continue;
            }
            if !spelling.is_certain {
                self.no_constants.extend(spelling.binders.values().cloned());
            }
            let chosen = match spelling.binders.len() {
                1 => self.one(text, spelling, is_capital),
                _ => self.several(text, spelling, is_capital),
            };
            names.extend((!chosen.is_empty()).then(|| (text.clone(), chosen)));
        }
        for contexts in self.found.labels.values().filter(|contexts| contexts.len() > 1) {
            let second = contexts.values().nth(1).expect("there are several");
            self.refuse(second, "label");
        }
        let Self { no_constants, copies, proofs, .. } = self;
        Chosen { names, no_constants, copies, proofs }
    }

    /// One who binds: all uses are his.
    fn one(
        &mut self,
        text: &str,
        spelling: &Spelling,
        is_capital: bool,
    ) -> BTreeMap<Context, String> {
        let (context, bound) = spelling.binders.iter().next().expect("there is one");
        let strangers = spelling.uses.iter().filter(|(other, _)| *other != context);
        for (_, used) in strangers.clone() {
            let rt = self.runtime();
            self.proofs.extend(quote! {
                #[allow(non_snake_case)]
                const _: fn(#rt::OneVariable) = |#bound| { let _: #rt::OneVariable = #used; };
            });
        }
        if !spelling.params.is_empty() || !is_capital {
            return BTreeMap::new();
        }
        let name = fresh(self.words, text);
        let contexts = strangers.map(|(context, _)| context.clone()).chain([context.clone()]);
        contexts.map(|context| (context, name.clone())).collect()
    }

    /// Several who bind: each has variables of his own.
    fn several(
        &mut self,
        text: &str,
        spelling: &Spelling,
        is_capital: bool,
    ) -> BTreeMap<Context, String> {
        if let Some((_, used)) =
            spelling.uses.iter().find(|(context, _)| !spelling.binders.contains_key(*context))
        {
            self.refuse(used, "variable");
            return BTreeMap::new();
        }
        // Parameters are called what they are called.
        let own = spelling.params.first().map(|param| Context::of(param.span()));
        let own = own.or_else(|| spelling.binders.keys().next().filter(|_| !is_capital).cloned());
        let binders: Vec<(&Context, &Ident)> = spelling.binders.iter().collect();
        for (at, (_, first)) in binders.iter().enumerate() {
            for (_, second) in &binders[at + 1..] {
                let rt = self.runtime();
                self.proofs.extend(quote! {
                    #[allow(non_snake_case)]
                    const _: fn(#rt::OneVariable) = |#first| {
                        let #second = #rt::AnotherVariable;
                        let _: (#rt::OneVariable, #rt::AnotherVariable) = (#first, #second);
                    };
                });
            }
        }
        let others = binders
            .iter()
            .map(|(context, _)| *context)
            .filter(|context| Some(*context) != own.as_ref());
        let others: Vec<Context> = others.cloned().collect();
        others.into_iter().map(|context| (context, fresh(self.words, text))).collect()
    }

    fn runtime(&self) -> TokenStream {
        let facade = self.facade;
        quote!(#facade::__private)
    }

    fn refuse(&self, ident: &Ident, what: &str) {
        self.errors.report(
            ident.span(),
            format!("`{ident}` is the name of a {what} in a macro and in the code that calls it; this is not supported"),
            format!("give one {what} another name"),
        );
    }
}

/// A name in lower case that nothing has.
pub(super) fn fresh(words: &mut BTreeSet<String>, text: &str) -> String {
    let stem = text.trim_start_matches("r#").to_lowercase();
    let mut names = (1..).map(|number| format!("{stem}_{number}"));
    let name = names.find(|name| !words.contains(name)).expect("numbers do not end");
    words.insert(name.clone());
    name
}

/// Renames what occurs.
fn rename(names: &Names, occurrence: Occurrence<'_>, errors: &Errors) {
    let name_of = |ident: &Ident| {
        let contexts = names.get(&ident.to_string())?;
        contexts.get(&Context::of(ident.span())).map(String::as_str)
    };
    match occurrence {
        Occurrence::Binder(pat, _) => {
            let Some(name) = name_of(&pat.ident) else { return };
            pat.ident = Ident::new(name, pat.ident.span());
            // `K @ _` says that it is a variable, which the name says now.
            if matches!(&pat.subpat, Some((_, inner)) if matches!(**inner, Pat::Wild(_))) {
                pat.subpat = None;
            }
        }
        Occurrence::Use(ident) => {
            if let Some(name) = name_of(ident) {
                *ident = Ident::new(name, ident.span());
            }
        }
        Occurrence::Inline(ident, named) => {
            *named = name_of(&ident).map(|name| Ident::new(name, ident.span()));
        }
        Occurrence::Unread(tokens) => each_word(tokens.clone(), &mut |ident| {
            if name_of(&ident).is_some() {
                errors.report(
                    ident.span(),
                    format!("what this macro takes `{ident}` for is not to be seen"),
                    "give the variable a name of its own, in lower case",
                );
            }
        }),
        Occurrence::Label(_) => {}
    }
}

/// What there is of names in a function.
pub(super) enum Occurrence<'a> {
    /// A pattern that may bind a variable, and whether it may fail.
    Binder(&'a mut PatIdent, bool),
    /// A name that may be that of a variable.
    Use(&'a mut Ident),
    /// The same in a format string: it may be given another name.
    Inline(Ident, &'a mut Option<Ident>),
    /// Tokens of which nothing is known.
    Unread(&'a TokenStream),
    /// A label.
    Label(&'a Ident),
}

/// Walks over the names in a function, not over those in items inside of it.
pub(super) struct Walk<'f> {
    /// Whether the pattern around may fail.
    refutable: bool,
    /// Whether what occurs may be changed.
    rewrites: bool,
    on: &'f mut dyn FnMut(Occurrence<'_>),
}

impl<'f> Walk<'f> {
    pub(super) fn new(rewrites: bool, on: &'f mut dyn FnMut(Occurrence<'_>)) -> Self {
        Self { refutable: false, rewrites, on }
    }

    fn pattern(&mut self, pat: &mut Pat, refutable: bool) {
        let outer = std::mem::replace(&mut self.refutable, refutable);
        self.visit_pat_mut(pat);
        self.refutable = outer;
    }

    /// The names in the format strings among the arguments, which may get values.
    fn inline_names(&mut self, arguments: &mut Arguments) {
        let Arguments::List(list) = arguments else { return };
        let mut named: Vec<Expr> = Vec::new();
        for argument in list.iter() {
            let Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) = argument else { continue };
            for name in names_in(&text.value()) {
                let is_given = |argument: &Expr| match argument {
                    Expr::Assign(given) => given.left.to_token_stream().to_string() == name,
                    _ => false,
                };
                let Ok(ident) = syn::parse_str::<Ident>(&name) else { continue };
                if list.iter().chain(&named).any(is_given) {
                    continue;
                }
                let mut value = None;
                // It is resolved as the string is.
                let ident = Ident::new(&ident.to_string(), text.span());
                (self.on)(Occurrence::Inline(ident.clone(), &mut value));
                named.extend(value.map(|value| -> Expr { syn::parse_quote!(#ident = #value) }));
            }
        }
        list.extend(named);
    }
}

impl VisitMut for Walk<'_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        (self.on)(Occurrence::Binder(pat, self.refutable));
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let may_fail = local.init.as_ref().is_some_and(|init| init.diverge.is_some());
        local.attrs.iter_mut().for_each(|attr| self.visit_attribute_mut(attr));
        self.pattern(&mut local.pat, may_fail);
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.pattern(&mut arm.pat, true);
        self.visit_expr_mut(&mut arm.body);
    }

    fn visit_expr_let_mut(&mut self, condition: &mut syn::ExprLet) {
        self.pattern(&mut condition.pat, true);
        self.visit_expr_mut(&mut condition.expr);
    }

    fn visit_expr_for_loop_mut(&mut self, repetition: &mut syn::ExprForLoop) {
        let outer = std::mem::replace(&mut self.refutable, false);
        visit_mut::visit_expr_for_loop_mut(self, repetition);
        self.refutable = outer;
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        let outer = std::mem::replace(&mut self.refutable, false);
        visit_mut::visit_expr_closure_mut(self, closure);
        self.refutable = outer;
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        let is_name = path.qself.is_none() && path.path.get_ident().is_some();
        match path.path.segments.first_mut() {
            Some(only) if is_name => (self.on)(Occurrence::Use(&mut only.ident)),
            _ => visit_mut::visit_expr_path_mut(self, path),
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        visit_mut::visit_field_value_mut(self, field);
        let is_same = |path: &syn::ExprPath| match &field.member {
            syn::Member::Named(name) => path.path.is_ident(name),
            syn::Member::Unnamed(_) => false,
        };
        if !matches!(&field.expr, Expr::Path(path) if is_same(path)) {
            field.colon_token.get_or_insert_default();
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        visit_mut::visit_field_pat_mut(self, field);
        let is_same = |pat: &PatIdent| match &field.member {
            syn::Member::Named(name) => pat.ident == *name,
            syn::Member::Unnamed(_) => false,
        };
        if !matches!(&*field.pat, Pat::Ident(pat) if is_same(pat)) {
            field.colon_token.get_or_insert_default();
        }
    }

    fn visit_label_mut(&mut self, label: &mut syn::Label) {
        (self.on)(Occurrence::Label(&label.name.ident));
    }

    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        if let syn::Meta::List(list) = &attr.meta {
            (self.on)(Occurrence::Unread(&list.tokens));
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let Some(mut arguments) = arguments(mac) else {
            (self.on)(Occurrence::Unread(&mac.tokens));
            return;
        };
        arguments.values_mut().into_iter().for_each(|value| self.visit_expr_mut(value));
        if let Arguments::Matches(choice) = &mut arguments {
            self.visit_expr_match_mut(choice);
        }
        if is_of_library(mac) {
            self.inline_names(&mut arguments);
        }
        if self.rewrites {
            mac.tokens = arguments.into_tokens();
        }
    }
}

/// Visits the identifiers in tokens.
pub(super) fn each_word(tokens: TokenStream, visit: &mut dyn FnMut(Ident)) {
    tokens.into_iter().for_each(|token| match token {
        TokenTree::Ident(ident) => visit(ident),
        TokenTree::Group(group) => each_word(group.stream(), visit),
        TokenTree::Literal(_) | TokenTree::Punct(_) => {}
    });
}

/// Everything in tokens that may be a name, in strings, too.
fn all_words(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                words.insert(ident.to_string());
            }
            TokenTree::Group(group) => all_words(group.stream(), words),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.extend(parts.map(str::to_owned));
            }
            TokenTree::Punct(_) => {}
        }
    }
}
