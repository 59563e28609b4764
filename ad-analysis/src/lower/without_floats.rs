//! Parameters that are constants without being called so: values of which nothing is known but what they do.
//!
//! What may carry floats has to be named where tokens do not tell. Of `rng: &mut impl Rng` and `log: &dyn Log` there is no bar that anybody
//! could ask for, as far as their bounds tell. Nothing rests on that: a caller that hands over something active is an error of rustc, as if
//! the parameter were listed in `passive(…)`. Of a type of the crate its declaration tells that there are no floats in it.

use super::Lowerer;
use super::enums::variant_of;
use super::generics::mentions;
use super::scalars::{ARITHMETIC, bounds_of};
use crate::interface::Parameter;
use crate::ir::{ArgKind, StmtKind, each_stmt};
use crate::types::{self, Dropping, TypeName};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;
use syn::{
    Fields, GenericArgument, Generics, Item, Lifetime, PathArguments, PathSegment, Signature, Type,
    TypeParamBound, TypePath, Variant,
};

/// Traits that numbers, lists of them, structs of the user's and functions of numbers have: a parameter of which nothing else is known may
/// carry floats.
const OF_DATA: [&str; 32] = [
    "Fn",
    "FnMut",
    "FnOnce",
    "Sized",
    "Copy",
    "Clone",
    "Debug",
    "Display",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Send",
    "Sync",
    "Unpin",
    "Any",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "AsMut",
    "Borrow",
    "BorrowMut",
    "ToOwned",
    "Deref",
    "DerefMut",
    "Index",
    "IndexMut",
    "Differentiable",
];

/// Collections of the standard library other than lists. There are no bars of them.
const COLLECTIONS: [&str; 6] =
    ["HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap"];

/// What else of the standard library may hold data, and where it stands.
const HOLDERS: [(&str, &str); 3] = [("Vec", "vec"), ("Option", "option"), ("Box", "boxed")];

/// Where a type of the standard library stands, by its name.
fn module_of(name: &Ident) -> Option<&'static str> {
    if COLLECTIONS.iter().any(|known| name == known) {
        return Some("collections");
    }
    HOLDERS.iter().find(|(known, _)| name == known).map(|(_, module)| *module)
}

/// Whether a type is a collection, by its name, of what holds no floats.
fn is_collection(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| COLLECTIONS.iter().any(|name| last.ident == name))
        && is_of_data_without_floats(ty)
}

fn is_of_data_without_floats(ty: &Type) -> bool {
    match ty {
        Type::Path(path) if path.qself.is_none() => match path.path.get_ident() {
            Some(name) => {
                let name = name.to_string();
                types::INT_NAMES.contains(&name.as_str())
                    || ["bool", "char", "str", "String"].contains(&name.as_str())
            }
            None => path.path.segments.last().is_some_and(holds_no_floats),
        },
        Type::Reference(reference) => is_of_data_without_floats(&reference.elem),
        Type::Slice(list) => is_of_data_without_floats(&list.elem),
        Type::Array(list) => is_of_data_without_floats(&list.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_of_data_without_floats),
        _ => false,
    }
}

fn holds_no_floats(of: &PathSegment) -> bool {
    let PathArguments::AngleBracketed(args) = &of.arguments else { return false };
    module_of(&of.ident).is_some()
        && args.args.iter().all(|arg| match arg {
            GenericArgument::Lifetime(_) => true,
            GenericArgument::Type(ty) => is_of_data_without_floats(ty),
            _ => false,
        })
}

/// A type without the names of lifetimes.
struct WithoutLifetimes;

impl VisitMut for WithoutLifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        lifetime.ident = format_ident!("_");
    }
}

/// A type by the paths of the standard library.
struct ByPaths;

impl VisitMut for ByPaths {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        if let Some(last) = path.path.segments.last().cloned()
            && let Some(module) = module_of(&last.ident)
        {
            let module = format_ident!("{module}");
            *path = syn::parse_quote!(::std::#module::#last);
        }
        visit_mut::visit_type_path_mut(self, path);
    }
}

/// Whether the name of a type is that of a collection which is no list.
pub(super) fn names_collection(name: &str) -> bool {
    let name = name.split_once('<').map_or(name, |(name, _)| name).trim();
    let last = name.rsplit("::").next().unwrap_or(name).trim();
    COLLECTIONS.contains(&last)
}

impl Lowerer<'_> {
    /// Whether a parameter is of a type of which nothing is known but traits that have nothing to do with floats.
    pub(super) fn is_without_floats(&mut self, param: &Parameter, sig: &Signature) -> bool {
        let Ok(ty) = syn::parse2::<Type>(param.pointee.clone()) else { return false };
        if is_collection(&ty) {
            self.prove_collection(ty);
            return true;
        }
        match &ty {
            Type::TraitObject(object) => self.are_without_floats(object.bounds.iter()),
            Type::Path(path) if path.qself.is_none() => {
                let Some(name) = path.path.get_ident() else { return false };
                let around = self.annotated.generics_around();
                let generics: Vec<&Generics> = [&sig.generics].into_iter().chain(around).collect();
                let is_parameter =
                    generics.iter().any(|of| of.type_params().any(|param| param.ident == *name));
                let bounds = generics.iter().flat_map(|generics| bounds_of(name, generics));
                let bounds: Vec<&TypeParamBound> = bounds.collect();
                is_parameter && self.are_without_floats(bounds.into_iter())
            }
            _ => false,
        }
    }

    /// A type that has the name of a collection is the one of the standard library, and so is what it holds.
    fn prove_collection(&mut self, mut written: Type) {
        WithoutLifetimes.visit_type_mut(&mut written);
        let mut known = written.clone();
        ByPaths.visit_type_mut(&mut known);
        self.add_item(quote!(const _: fn(&#written) = |value| { let _: &#known = value; };));
    }

    /// The type parameters whose bounds say that they have derivatives.
    pub(super) fn params_with_bars(&self, sig: &Signature) -> Vec<Ident> {
        let around = self.annotated.generics_around();
        let generics: Vec<&Generics> = [&sig.generics].into_iter().chain(around).collect();
        let has_bars = |name: &&Ident| {
            let mut bounds = generics.iter().flat_map(|generics| bounds_of(name, generics));
            bounds.any(|bound| match bound {
                TypeParamBound::Trait(of) => {
                    of.path.segments.last().is_some_and(|last| last.ident == "Differentiable")
                }
                _ => false,
            })
        };
        let names = generics.iter().flat_map(|of| of.type_params()).map(|param| &param.ident);
        names.filter(has_bars).cloned().collect()
    }

    /// A type by a path without arguments. If its declaration tells that it holds no floats, that is proved.
    pub(super) fn type_by_name(&mut self, path: &syn::Path) -> types::Type {
        let spelled = path.to_token_stream().to_string().replace(":: <", "<");
        types::Type::Named(match self.prove_without_floats(path) {
            Some(Contents::Primitive) => TypeName::plain(&spelled),
            Some(Contents::Compound) => TypeName::compound(&spelled),
            None => spelled.into(),
        })
    }

    /// The type of what a path of a struct or of a variant makes.
    pub(super) fn type_made_by(&mut self, path: &syn::Path) -> types::Type {
        if let Some((owner, _)) = variant_of(path) {
            return self.type_by_name(&owner);
        }
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        match self.plain_declaration(self.path_of_own(&owner)) {
            Some(_) => self.type_by_name(&owner),
            None => self.type_by_name(path),
        }
    }

    /// What `Self` is called outside of its block.
    pub(super) fn path_of_own<'p>(&'p self, path: &'p syn::Path) -> &'p syn::Path {
        let own = self.annotated.surroundings().filter(|_| path.is_ident("Self"));
        match own.map(|own| &own.self_type) {
            Some(Type::Path(own)) if own.qself.is_none() => &own.path,
            _ => path,
        }
    }

    /// The declaration of a type that holds no floats.
    pub(super) fn plain_declaration(&self, path: &syn::Path) -> Option<Item> {
        if path.get_ident().is_some_and(|name| self.type_params.contains(name)) {
            return None;
        }
        let declaration = self.options.declared.plain(&path.to_token_stream().to_string())?;
        syn::parse2(declaration.clone()).ok()
    }

    /// The declaration of a type of data, and those of the types in it.
    fn declarations_of_data(&self, path: &syn::Path) -> Option<Vec<(syn::Path, Item)>> {
        let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open = vec![self.path_of_own(path).clone()];
        while let Some(path) = open.pop() {
            if seen.insert(path.to_token_stream().to_string()) {
                let declaration =
                    self.options.declared.data(&path.to_token_stream().to_string())?;
                let item = syn::parse2(declaration.clone()).ok()?;
                types_of_fields(&item).for_each(|ty| open.extend(paths_of_crate(ty)));
                all.push((path, item));
            }
        }
        Some(all)
    }

    /// Proves of a type that there are no floats in it, if its declaration tells so. What is known of it besides is returned.
    pub(super) fn prove_without_floats(&mut self, path: &syn::Path) -> Option<Contents> {
        self.plain_declaration(self.path_of_own(path))?;
        let all = self.declarations_of_data(path)?;
        for (path, item) in &all {
            let arms = arms(path, item);
            let no_bar = self.proof_of_no_bar(path);
            self.add_item(quote! {
                const _: fn(&#path) = |value| match value { #arms };
                #no_bar
            });
        }
        if all.len() == 1 && types_of_fields(&all[0].1).all(is_primitive) {
            return Some(Contents::Primitive);
        }
        self.prove_freed(&all);
        Some(Contents::Compound)
    }

    /// Proves of values that are passed to functions, and that have no derivative by their declarations, that they have none: so the callee has
    /// declared the parameter to be passive.
    pub(super) fn prove_passed_without_bars(&mut self) {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let body = &self.body;
        each_stmt(&body.block, &mut |stmt| {
            let StmtKind::Call(call) = &stmt.kind else { return };
            for arg in &call.args {
                let place = match &arg.kind {
                    ArgKind::Value(value) => value.as_place(),
                    ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place),
                    ArgKind::Omitted => None,
                };
                let Some(place) = place.map(|place| body.resolve(place)) else { continue };
                for ty in [body.vars[place.root].ty.clone(), body.place_type(&place)] {
                    let without_bar = ty.names().into_iter().filter(|name| name.is_without_bar());
                    names.extend(without_bar.map(|name| name.to_string()));
                }
            }
        });
        for name in names {
            if let Ok(path) = syn::parse_str::<syn::Path>(&name) {
                let proof = self.proof_of_no_bar(&path);
                self.add_item(proof);
            }
        }
    }

    fn proof_of_no_bar(&self, path: &syn::Path) -> TokenStream {
        let facade = self.facade();
        let rt = quote!(#facade::__private);
        quote! {
            const _: () = {
                use #rt::NoBar as _;
                #rt::no_bar(#rt::BarOf::<#path>::EXISTS)
            };
        }
    }

    /// Proves of a type of data that dropping a value frees what it owns, and nothing else, if its declaration tells what is in it.
    pub(super) fn prove_dropping(&mut self, name: &TypeName) -> Dropping {
        let path = syn::parse_str::<syn::Path>(name).ok();
        match path.and_then(|path| self.declarations_of_data(&path)) {
            Some(all) => {
                self.prove_freed(&all);
                Dropping::Frees
            }
            None => Dropping::Unknown,
        }
    }

    fn prove_freed(&mut self, all: &[(syn::Path, Item)]) {
        let facade = self.facade();
        for (path, item) in all {
            let types = types_of_fields(item);
            let taken = taken_apart(path, item);
            self.add_item(quote! {
                const _: fn(#path) = |value| match value { #taken };
                const _: () = #facade::__private::frees_only::<#path, (#(#types,)*)>();
            });
        }
    }

    /// Whether bounds say what a value does, and nothing of floats.
    fn are_without_floats<'b>(&self, bounds: impl Iterator<Item = &'b TypeParamBound>) -> bool {
        let mut is_told = false;
        for bound in bounds {
            let TypeParamBound::Trait(of) = bound else { continue };
            let Some(last) = of.path.segments.last() else { return false };
            let name = last.ident.to_string();
            if name == "Differentiable" || self.mentions_floats(of.to_token_stream()) {
                return false;
            }
            is_told |= !OF_DATA.iter().chain(&ARITHMETIC).any(|known| *known == name);
        }
        is_told
    }

    fn mentions_floats(&self, tokens: TokenStream) -> bool {
        let floats = ["f64", "f32"].into_iter().map(str::to_owned);
        floats.chain(self.float_params.iter().cloned()).any(|name| {
            let name = Ident::new(&name, Span::call_site());
            mentions(quote!(#tokens), &name)
        })
    }
}

/// What there is in values of a type without floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Contents {
    /// Integers, truth values and characters only.
    Primitive,
    /// Texts, lists, collections, values of other such types.
    Compound,
}

/// Arms that take references to the values of a type apart, and prove of each part that it is what the declaration says.
fn arms(path: &syn::Path, item: &Item) -> TokenStream {
    variants(path, item, |fields, names| {
        let types = fields.iter().map(|field| &field.ty);
        // What derefs to the type is not taken for it: slices are not coerced.
        quote!(#(let _: &[#types] = ::core::slice::from_ref(#names);)*)
    })
}

/// Arms that take the values of a type apart: nothing is moved out of what does something when it is dropped.
fn taken_apart(path: &syn::Path, item: &Item) -> TokenStream {
    variants(path, item, |_, names| quote!(#(let _taken = #names;)*))
}

/// An arm for each variant, or for the struct.
fn variants(
    path: &syn::Path,
    item: &Item,
    body: impl Fn(&Fields, &[Ident]) -> TokenStream,
) -> TokenStream {
    match item {
        Item::Enum(item) => {
            let of =
                |Variant { ident, fields, .. }: &Variant| arm(quote!(#path::#ident), fields, &body);
            item.variants.iter().map(of).collect()
        }
        Item::Struct(item) => arm(path.to_token_stream(), &item.fields, &body),
        _ => TokenStream::new(),
    }
}

fn types_of_fields(item: &Item) -> impl Iterator<Item = &Type> {
    let fields: Vec<&Fields> = match item {
        Item::Enum(item) => item.variants.iter().map(|variant| &variant.fields).collect(),
        Item::Struct(item) => vec![&item.fields],
        _ => Vec::new(),
    };
    fields.into_iter().flatten().map(|field| &field.ty)
}

/// Whether a type is one of the language that is copied.
fn is_primitive(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(names_primitive))
}

fn names_primitive(name: &Ident) -> bool {
    types::INT_NAMES.iter().chain(&["bool", "char"]).any(|known| name == known)
}

/// The types of the crate in one that a declaration spells: those of the standard library have paths from the root.
fn paths_of_crate(ty: &Type) -> Vec<syn::Path> {
    struct OfCrate(Vec<syn::Path>);
    impl<'ast> Visit<'ast> for OfCrate {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            let is_of_language = path.get_ident().is_some_and(|name| {
                names_primitive(name) || ["str", "f64", "f32"].iter().any(|known| name == known)
            });
            if path.leading_colon.is_none() && !is_of_language {
                self.0.push(path.clone());
            }
            visit::visit_path(self, path);
        }
    }
    let mut found = OfCrate(Vec::new());
    found.visit_type(ty);
    found.0
}

/// The arm of a `match` that takes what has that name apart.
fn arm(
    of: TokenStream,
    fields: &Fields,
    body: &impl Fn(&Fields, &[Ident]) -> TokenStream,
) -> TokenStream {
    let names: Vec<Ident> = (0..fields.len()).map(|at| format_ident!("part_{at}")).collect();
    let body = body(fields, &names);
    match fields {
        Fields::Unit => quote!(#of => {}),
        Fields::Unnamed(_) => quote!(#of(#(#names),*) => { #body }),
        Fields::Named(_) => {
            let members = fields.iter().map(|field| &field.ident);
            quote!(#of { #(#members: #names),* } => { #body })
        }
    }
}
