//! What is taken for the standard library's by its name is proved to be it.
//!
//! * A function and a constructor are compared with those of the library: each has a type of its own.
//! * A macro of the library is imported once more: rustc refuses to choose between it and another one of that name.
//! * A method is called on a value for which a trait of the runtime has a method of that name, at the last point where rustc
//!   would look for it before it comes to that of the library: a method of the user's is found before, or is as good.

use super::imported::Imported;
use super::inside_macros::{Arguments, arguments};
use super::methods::{PROOFS, Proof};
use super::proofs::scope_of;
use super::values::Values;
use crate::libm;
use crate::stdlib::{self, Role};
use crate::walk::visit::{self, Visit};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{Block, Expr, Macro, Path, Signature};

/// Functions that are known by their paths, and arguments for their type parameters.
const FUNCTIONS: [(&[&str], &str); 13] = [
    (&["mem", "swap"], "u8"),
    (&["mem", "replace"], "u8"),
    (&["mem", "take"], "u8"),
    (&["ptr", "read_volatile"], "u8"),
    (&["hint", "black_box"], "u8"),
    (&["iter", "once"], "u8"),
    (&["iter", "repeat"], "u8"),
    (&["iter", "repeat_n"], "u8"),
    (&["iter", "repeat_with"], "u8, fn() -> u8"),
    (&["iter", "zip"], "[u8; 1], [u8; 1]"),
    (&["iter", "from_fn"], "u8, fn() -> ::core::option::Option<u8>"),
    (&["iter", "successors"], "u8, fn(&u8) -> ::core::option::Option<u8>"),
    (&["array", "from_fn"], "u8, 1, fn(usize) -> u8"),
];

/// Constructors of the prelude, where they are, and what they construct.
const CONSTRUCTORS: [(&str, &str, &str); 4] = [
    ("Some", "::core::option::Option", "u8"),
    ("None", "::core::option::Option", "u8"),
    ("Ok", "::core::result::Result", "u8, u8"),
    ("Err", "::core::result::Result", "u8, u8"),
];

/// Macros, and arguments that they can have.
const MACROS: [(&str, &str); 19] = [
    ("vec", "0.0"),
    ("matches", "0, _"),
    ("format", "\"\""),
    ("assert", "true"),
    ("assert_eq", "0, 0"),
    ("assert_ne", "0, 1"),
    ("debug_assert", "true"),
    ("debug_assert_eq", "0, 0"),
    ("debug_assert_ne", "0, 1"),
    ("panic", ""),
    ("unreachable", ""),
    ("todo", ""),
    ("unimplemented", ""),
    ("print", "\"\""),
    ("println", ""),
    ("eprint", "\"\""),
    ("eprintln", ""),
    ("write", "out, \"\""),
    ("writeln", "out"),
];

/// Proves that what a function takes for the standard library's is.
pub(super) fn proof(
    sig: &Signature,
    block: &Block,
    imported: &Imported,
    operators: &[Ident],
    facade: &TokenStream,
) -> TokenStream {
    let mut mentioned = Mentioned::among(Values::of(sig, block), imported);
    mentioned.visit_signature(sig);
    mentioned.visit_block(block);
    let is_generic = sig.generics.type_params().next().is_some();
    let mut proofs = mentioned.proofs(&quote!(#facade::__private), is_generic);
    let operators = operators.iter().filter_map(|name| mentioned.methods.get(&name.to_string()));
    proofs.extend(operators.filter_map(operator_proof));
    if proofs.is_empty() {
        return TokenStream::new();
    }
    let scope = scope_of(block);
    quote! {
        #[allow(unused, non_upper_case_globals, clippy::all)]
        const _: fn() = || {
            #scope
            #proofs
        };
    }
}

/// What a function mentions, once for each name.
struct Mentioned<'f> {
    values: Values<'f>,
    imported: &'f Imported,
    paths: BTreeMap<String, Path>,
    macros: BTreeMap<String, Path>,
    methods: BTreeMap<String, Ident>,
    /// Methods that are called on what may be a reference.
    on_references: BTreeMap<String, Ident>,
    /// The name of the type of lists.
    lists: Option<Ident>,
    /// That of the type of characters, which carry no derivative.
    characters: Option<Ident>,
}

impl<'f> Mentioned<'f> {
    fn among(values: Values<'f>, imported: &'f Imported) -> Self {
        Self {
            values,
            imported,
            paths: BTreeMap::new(),
            macros: BTreeMap::new(),
            methods: BTreeMap::new(),
            on_references: BTreeMap::new(),
            lists: None,
            characters: None,
        }
    }

    fn proofs(&self, rt: &TokenStream, is_generic: bool) -> TokenStream {
        let named = &quote!(#rt::named);
        let paths = self.paths.values();
        let paths = paths.filter_map(|path| function_proof(path, self.imported, rt));
        let macros = self.macros.iter().filter_map(|(name, path)| macro_proof(name, path, named));
        let lists = self.lists.iter().map(|list| {
            quote_spanned! {at(list)=>
                let _: ::core::marker::PhantomData<#list<u8>> =
                    ::core::marker::PhantomData::<::std::vec::Vec<u8>>;
            }
        });
        let characters = self.characters.iter().map(|character| {
            quote_spanned! {at(character)=>
                let _: ::core::marker::PhantomData<#character> =
                    ::core::marker::PhantomData::<::core::primitive::char>;
            }
        });
        let methods = PROOFS.iter().filter(|proof| !is_generic || !proof.of_references());
        let methods = methods.map(|proof| self.methods_proof(proof, named));
        let methods: TokenStream = methods.collect();
        let settled = (!methods.is_empty())
            .then(|| quote!(use #named::settled::{AlreadySettled as _, Settled as _};));
        lists.chain(characters).chain(paths).chain(macros).chain(settled).chain([methods]).collect()
    }
}

impl Mentioned<'_> {
    /// Proves that methods with a role are those of the library.
    fn methods_proof(&self, proof: &Proof, named: &TokenStream) -> TokenStream {
        let mentioned = if proof.of_references() { &self.on_references } else { &self.methods };
        let called = stdlib::with(proof.role).filter_map(|name| mentioned.get(name));
        let calls: Vec<TokenStream> = called
            .map(|name| {
                quote_spanned!(at(name)=> let _: #named::OfStandardLibrary = value().#name();)
            })
            .collect();
        if calls.is_empty() {
            return TokenStream::new();
        }
        let found = Ident::new(proof.found, Span::call_site());
        let each = proof.receivers.iter().map(|ty| {
            let settled = ty.contains('_').then(|| quote!(value.settle();));
            let ty: TokenStream = ty.parse().expect("a type");
            quote! {
                let _ = |value: fn() -> #ty| {
                    use #named::methods::#found as _;
                    #(#calls)*
                    #settled
                };
            }
        });
        each.collect()
    }
}

/// Where errors about a name are reported.
fn at(name: &Ident) -> Span {
    Span::call_site().located_at(name.span())
}

/// Tokens that stand there.
fn placed(text: &str, at: Span) -> TokenStream {
    let tokens: TokenStream = text.parse().expect("tokens");
    let placed = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), placed(&group.stream().to_string(), at)).into();
        }
        token.set_span(at);
        token
    });
    placed.collect()
}

/// Whether a macro has the name of one of the standard library.
pub(super) fn is_of_library(mac: &Macro) -> bool {
    mac.path.get_ident().is_some_and(is_macro_of_library)
}

/// Whether a name is that of one of its macros, which is proved where it is called.
pub fn is_macro_of_library(name: &Ident) -> bool {
    is_library_macro(&name.to_string())
}

/// Whether a macro of this name is taken for one of the standard library.
pub fn is_library_macro(name: &str) -> bool {
    MACROS.iter().any(|(known, _)| name == *known)
}

/// The path without arguments.
fn bare(path: &Path) -> TokenStream {
    let names = path.segments.iter().map(|segment| &segment.ident);
    let leading = &path.leading_colon;
    quote!(#leading #(#names)::*)
}

/// The names in a path, without that of the library.
fn names_of(path: &Path) -> Vec<String> {
    let names = path.segments.iter().map(|segment| segment.ident.to_string());
    let mut names: Vec<String> = names.collect();
    if names.len() > 1 && matches!(names[0].as_str(), "std" | "core" | "alloc") {
        names.remove(0);
    }
    names
}

/// A function that is known by its path.
#[derive(Clone, Copy)]
pub(super) enum KnownFunction {
    /// One of the standard library, by its path there.
    OfLibrary(&'static [&'static str]),
    /// One of the crate `libm`, by its name.
    OfLibm(&'static str),
}

/// Whether a path leads to a function that is known here.
pub fn is_known_function(path: &[String]) -> bool {
    known_function(path).is_some()
}

/// The function among those that are known that a path leads to, if it leads to their library.
pub(super) fn known_function(path: &[String]) -> Option<KnownFunction> {
    let (library, names) = path.split_first()?;
    match library.as_str() {
        "std" | "core" | "alloc" => {
            let (known, _) = FUNCTIONS.iter().find(|(known, _)| *known == names)?;
            Some(KnownFunction::OfLibrary(known))
        }
        "libm" if cfg!(feature = "libm") => {
            let [name] = names else { return None };
            libm::function(name).map(KnownFunction::OfLibm)
        }
        _ => None,
    }
}

fn function_proof(path: &Path, imported: &Imported, rt: &TokenStream) -> Option<TokenStream> {
    let named = quote!(#rt::named);
    let (names, user) = (names_of(path), bare(path));
    let at = at(&path.segments.last()?.ident);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tokens = |text: &str| placed(text, at);
    let imported = match imported.function(path) {
        Some(KnownFunction::OfLibm(name)) => {
            let name = Ident::new(name, at);
            return Some(quote_spanned!(at=> #named::of_libm(#rt::libm::of_crate::#name, #user);));
        }
        Some(KnownFunction::OfLibrary(names)) => Some(names),
        None => None,
    };
    if let ([name], None) = (names.as_slice(), imported) {
        let (name, owner, args) = CONSTRUCTORS.iter().find(|(known, ..)| known == name)?;
        let (name, owner, args) = (tokens(name), tokens(owner), tokens(args));
        return Some(quote_spanned!(at=> #named::same(#user, #owner::<#args>::#name);));
    }
    if let [.., "Option" | "Result", name] = names.as_slice() {
        // What the owner is called may be an alias with arguments of its own.
        let (name, owner, _) = CONSTRUCTORS.iter().find(|(known, ..)| known == name)?;
        let constructed = match *name {
            "None" => tokens(&format!("{owner}<u8>")),
            "Some" => tokens(&format!("fn(u8) -> {owner}<u8>")),
            "Ok" => tokens(&format!("fn(u8) -> {owner}<u8, _>")),
            _ => tokens(&format!("fn(_) -> {owner}<u8, _>")),
        };
        return Some(quote_spanned!(at=> #named::same::<#constructed>(#user, #user);));
    }
    let names = imported.unwrap_or(&names);
    let (known, args) = FUNCTIONS.iter().find(|(known, _)| *known == names)?;
    let (known, args) = (tokens(&known.join("::")), tokens(args));
    Some(quote_spanned!(at=> #named::same(#user, ::core::#known::<#args>);))
}

fn macro_proof(name: &str, path: &Path, named: &TokenStream) -> Option<TokenStream> {
    let (_, args) = MACROS.iter().find(|(known, _)| *known == name)?;
    let args: TokenStream = args.parse().expect("tokens");
    Some(quote! {
        let _ = |out: &mut ::std::fmt::Formatter<'_>| {
            use #named::macros::*;
            #path!(#args);
        };
    })
}

/// The traits of operators, and their methods.
const OPERATORS: [(&str, &str); 11] = [
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("Neg", "neg"),
    ("AddAssign", "add_assign"),
    ("SubAssign", "sub_assign"),
    ("MulAssign", "mul_assign"),
    ("DivAssign", "div_assign"),
    ("RemAssign", "rem_assign"),
];

/// The trait of which a method is that of an operator.
pub fn trait_of_operator(method: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|(_, name)| *name == method).map(|(of, _)| *of)
}

/// Proves that a method is that of an operator where it is called on floats: beside the trait of the operator, no other one with
/// such a method is in scope, or rustc could not choose.
fn operator_proof(method: &Ident) -> Option<TokenStream> {
    let name = trait_of_operator(&method.to_string())?;
    let span = at(method);
    let (name, rest) =
        (Ident::new(name, span), if name == "Neg" { quote!() } else { quote!(one()) });
    Some(quote_spanned! {span=>
        let _ = |one: fn() -> f64, two: fn() -> f32| {
            use ::core::ops::#name as _;
            let _ = one().#method(#rest);
            let one = two;
            let _ = one().#method(#rest);
        };
    })
}

impl Visit<'_> for Mentioned<'_> {
    fn visit_item(&mut self, _: &syn::Item) {}

    fn visit_path(&mut self, path: &Path) {
        let is_list = |name: &Ident| name == "Vec";
        if path.leading_colon.is_none()
            && path.segments.len() <= 2
            && is_list(&path.segments[0].ident)
        {
            self.lists.get_or_insert_with(|| path.segments[0].ident.clone());
        }
        if path.is_ident("char") {
            self.characters.get_or_insert_with(|| path.segments[0].ident.clone());
        }
        self.paths.entry(bare(path).to_string()).or_insert_with(|| path.clone());
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        if pat.ident == "None" {
            self.paths.entry("None".to_owned()).or_insert_with(|| pat.ident.clone().into());
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        if self.values.may_be_reference(&call.receiver) {
            self.on_references.entry(name.clone()).or_insert_with(|| call.method.clone());
        }
        self.methods.entry(name).or_insert_with(|| call.method.clone());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        if let Some(name) = mac.path.get_ident() {
            self.macros.entry(name.to_string()).or_insert_with(|| mac.path.clone());
        }
        match arguments(mac) {
            Some(Arguments::List(list)) => list.iter().for_each(|item| self.visit_expr(item)),
            Some(Arguments::Repeat(parts)) => {
                self.visit_expr(&parts.0);
                self.visit_expr(&parts.1);
            }
            Some(Arguments::Matches(choice)) => self.visit_expr(&Expr::Match(*choice)),
            None => {}
        }
    }
}

/// Whether a method has the name of one of floats.
pub(super) fn is_of_floats(name: &Ident) -> bool {
    stdlib::is(name, Role::OfFloats)
}
