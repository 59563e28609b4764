//! Types that declarations in the files of the crate tell. Rustc proves them: variables that take results are declared with them, and
//! emission states those of fields and constants.

use super::Lowerer;
use super::calls::OnFailure;
use super::declared_operators::{arguments_in, arguments_of, told_by_operands};
use super::scalars::{proof_of_part, proof_of_place};
use crate::index::Var;
use crate::interface::Passing;
use crate::ir::ArgKind;
use crate::libm;
use crate::options::{Declaration, Subject};
use crate::signatures::{Lent, Receiver};
use crate::types::{FloatKind, Type};
use crate::walk::visit_mut::{self, VisitMut};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments};

/// What is known of a parameter of a callee.
#[derive(Clone, Default)]
pub(super) struct Expected {
    /// Its type.
    pub(super) ty: Option<Type>,
    /// What it refers to, if it is a `&`, and not a `&mut`.
    pub(super) shared: Option<Lent>,
}

impl Lowerer<'_> {
    /// The type of a field.
    pub(super) fn declared_field(&mut self, owner: &Type, name: &str) -> Option<Type> {
        let of = self.declared_name(owner)?;
        let plain = self.declared_plainly(Subject::Field(of, name.to_owned()));
        plain.or_else(|| self.held_field(owner, name))
    }

    /// The type of a field that is a type parameter of its struct, or a struct of these.
    fn held_field(&mut self, owner: &Type, name: &str) -> Option<Type> {
        let Type::Named(owner) = self.types.shallow(owner) else { return None };
        let of = &self.struct_named(&owner)?;
        let held = self.options.held.of(&of.ident)?;
        let ty = held.type_of_field(&of.arguments, name)?;
        let proof = match (held.part(name), held.field(name)) {
            (Some(part), _) => proof_of_part(held, &of.ident, part),
            (None, Some((place, ty))) => proof_of_place(held, &of.ident, place, ty),
            (None, None) => return None,
        };
        self.add_item(proof);
        Some(self.lower_type(&ty))
    }

    /// The name of a struct, with its arguments.
    pub(super) fn struct_named(&self, name: &str) -> Option<syn::PathSegment> {
        let mut ty: syn::Type = syn::parse_str(name).ok().filter(|_| self.names_are_unique)?;
        if matches!(&ty, syn::Type::Path(path) if path.path.is_ident("Self")) {
            ty = self.annotated.surroundings()?.self_type.clone();
        }
        let syn::Type::Path(path) = &ty else { return None };
        path.path.segments.first().filter(|_| path.path.segments.len() == 1).cloned()
    }

    /// The type of a constant.
    pub(super) fn declared_constant(&mut self, path: &syn::Path) -> Option<Type> {
        let path = self.options.declared.name_of(&spelling(path));
        self.declared_plainly(Subject::Constant(path))
    }

    /// The type of what a method returns.
    pub(super) fn declared_result(
        &self,
        owner: &Type,
        method: &str,
        on_failure: &OnFailure,
    ) -> Option<syn::Type> {
        let declared = self.options.declared.result_of(&self.declared_name(owner)?, method)?;
        let ty = wanted(&declared.ty, on_failure).filter(|_| self.names_are_unique)?;
        let owner = self.types.shallow(owner);
        let ty = told_by_operands(ty, [arguments_of(&owner), Vec::new()])?;
        with_own_type(ty, own_type_of(&owner).as_ref())
    }

    /// How a method of a type takes its receiver, if it takes it by reference.
    pub(super) fn declared_receiver(&self, owner: &Type, method: &str) -> Option<Passing> {
        let owner = self.declared_name(owner).filter(|_| self.names_are_unique)?;
        match self.options.declared.receiver_of(&owner, method)? {
            Receiver::Exclusive => Some(Passing::Exclusive),
            Receiver::Shared => Some(Passing::Shared),
            Receiver::Value => None,
        }
    }

    /// The type of what a function returns that is called by its path.
    pub(super) fn declared_call(
        &self,
        path: &syn::Path,
        on_failure: &OnFailure,
    ) -> Option<syn::Type> {
        let spelling = spelling(path);
        let of_type = spelling.rsplit_once("::").and_then(|(owner, name)| {
            let declared = self.options.declared.result_of(owner, name);
            declared.filter(|_| self.names_are_unique)
        });
        let declared = of_type.or_else(|| self.declaration(&Subject::Function(spelling)));
        let Some(declared) = declared else {
            return result_of_libm(path).or_else(|| self.default_of(path, on_failure));
        };
        let owner = owner_of(path);
        let args = owner.as_ref().map(arguments_in).unwrap_or_default();
        let ty = told_by_operands(wanted(&declared.ty, on_failure)?, [args, Vec::new()])?;
        with_own_type(ty, owner.as_ref())
    }

    /// The type of the default of a type of the crate, unless it has a function of its own of that name.
    fn default_of(&self, path: &syn::Path, on_failure: &OnFailure) -> Option<syn::Type> {
        let spelling = spelling(path);
        let (owner, _) = spelling.rsplit_once("::").filter(|(_, name)| *name == "default")?;
        let name = self.options.declared.name_of(owner);
        let is_declared =
            self.options.declared.is_of_data(&name) || self.options.declared.is_bare(&name);
        let owner = syn::parse_str(owner).ok().filter(|_| is_declared && self.names_are_unique)?;
        wanted(&owner, on_failure)
    }

    /// The type of what a generic function returns, if arguments tell it: made of floats, and of lengths of arrays.
    pub(super) fn told_by_arguments(
        &mut self,
        path: &syn::Path,
        args: &[ArgKind],
        on_failure: &OnFailure,
    ) -> Option<syn::Type> {
        let declared = self.declaration(&Subject::Generic(spelling(path)))?;
        let mut ty = wanted(&declared.ty, on_failure)?;
        let args = args.iter().map(|arg| match arg {
            ArgKind::Value(value) => Some(value.ty.clone()),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(self.type_of(place)),
            ArgKind::Omitted => None,
        });
        let args: Vec<Option<Type>> = args.collect();
        let args: Vec<Option<Type>> =
            args.into_iter().map(|ty| Some(self.types.resolve(&ty?))).collect();
        let mut told = ToldByArguments { args, is_told: true };
        told.visit_type_mut(&mut ty);
        told.is_told.then_some(ty)
    }

    /// What the declarations call a type of the user's, or a float, which has methods of traits.
    pub(super) fn declared_name(&self, ty: &Type) -> Option<String> {
        match self.types.shallow(ty) {
            Type::Named(name) => Some(self.options.declared.name_of(&name)),
            Type::Float(FloatKind::F64) => Some("f64".to_owned()),
            Type::Float(FloatKind::F32) => Some("f32".to_owned()),
            _ => None,
        }
    }

    /// Whether a type has a function of its own of that name.
    pub(super) fn has_function(&self, owner: &str, name: &str) -> bool {
        let subject = Subject::Result(owner.to_owned(), name.to_owned());
        self.options.declared.get(&subject).is_some()
    }

    /// The variable takes what has a declared type.
    pub(super) fn declare_as(&mut self, var: Var, ty: Option<&syn::Type>) {
        if let Some(ty) = ty {
            let known = self.lower_type(ty);
            self.types.unify(&self.body.vars[var].ty, &known);
            self.variable_mut(var).declared = Some(ty.to_token_stream());
        }
    }

    pub(super) fn declaration(&self, subject: &Subject) -> Option<&Declaration> {
        self.options.declared.get(subject).filter(|_| self.names_are_unique)
    }

    /// The types of the parameters of a function, by the type that it is one of, if it is, and by its name, behind the receiver.
    pub(super) fn declared_parameters(
        &mut self,
        owner: Option<&str>,
        name: &str,
        count: usize,
    ) -> Vec<Expected> {
        let path = owner.map_or_else(|| name.to_owned(), |owner| format!("{owner}::{name}"));
        let path = self.options.declared.name_of(&path);
        let parameter = |position| Subject::Parameter(path.clone(), position);
        let expected = (0..count).map(|position| {
            let shared = self.declaration(&Subject::Shared(path.clone(), position));
            let shared = shared.map(|shared| match shared.ty {
                syn::Type::Slice(_) => Lent::Slice,
                _ => Lent::Other,
            });
            Expected { shared, ty: self.declared_plainly(parameter(position)) }
        });
        expected.collect()
    }

    /// The same of a function in the `impl` block around this one.
    pub(super) fn add_shared_of_sibling(&self, expected: &mut [Expected], name: &str) {
        let around = self.annotated.surroundings();
        let Some(sibling) = around.and_then(|known| known.functions.get(name)) else { return };
        for (position, shared) in &sibling.shared {
            if let Some(expected) = expected.get_mut(*position) {
                expected.shared.get_or_insert(*shared);
            }
        }
    }

    fn declared_plainly(&mut self, subject: Subject) -> Option<Type> {
        let ty = self.declaration(&subject)?.ty.clone();
        Some(self.lower_type(&ty))
    }
}

/// The type that a function belongs to, if its path tells the arguments of that.
fn owner_of(path: &syn::Path) -> Option<syn::Type> {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    let last = owner.segments.last_mut()?;
    if let PathArguments::AngleBracketed(arguments) = &mut last.arguments {
        arguments.colon2_token = None;
    }
    (last.ident == "Self" || !last.arguments.is_empty()).then(|| syn::parse_quote!(#owner))
}

/// Puts what arguments tell in the places of `A0`, `E0`, `N0`, …
struct ToldByArguments {
    args: Vec<Option<Type>>,
    is_told: bool,
}

impl ToldByArguments {
    /// The kind of what is told, and the argument that tells it.
    fn argument(&self, name: &syn::Ident) -> Option<(char, Option<&Type>)> {
        let name = name.to_string();
        let mut rest = name.chars();
        let kind = rest.next().filter(|kind| "AEN".contains(*kind))?;
        let position: usize = rest.as_str().parse().ok()?;
        Some((kind, self.args.get(position).and_then(Option::as_ref)))
    }

    fn array(&mut self, array: &mut syn::TypeArray) {
        self.visit_type_mut(&mut array.elem);
        let named = match &array.len {
            syn::Expr::Path(len) => len.path.get_ident().and_then(|name| self.argument(name)),
            _ => None,
        };
        let length = match named {
            Some((_, Some(Type::Array(_, len)))) => syn::parse_str(len).ok(),
            Some(_) => None,
            None => return,
        };
        match length {
            Some(length) => array.len = length,
            None => self.is_told = false,
        }
    }

    fn float(kind: char, of: &Type) -> Option<syn::Type> {
        match if kind == 'E' { of.element()? } else { of } {
            Type::Float(FloatKind::Open(_) | FloatKind::Directions(_)) => None,
            float @ Type::Float(_) => syn::parse_str(&float.to_string()).ok(),
            _ => None,
        }
    }
}

impl VisitMut for ToldByArguments {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let named = match &mut *ty {
            syn::Type::Path(path) => path.path.get_ident().and_then(|name| self.argument(name)),
            syn::Type::Array(array) => return self.array(array),
            _ => None,
        };
        match named {
            Some((kind, of)) => match of.and_then(|of| Self::float(kind, of)) {
                Some(told) => *ty = told,
                None => self.is_told = false,
            },
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// What `Self` is in the declarations of a type with parameters, if its arguments are known.
pub(super) fn own_type_of(ty: &Type) -> Option<syn::Type> {
    match ty {
        Type::Named(name) if name.contains('<') || **name.spelled() == *"Self" => {
            syn::parse_str(name).ok()
        }
        _ => None,
    }
}

/// A type with that of its block in the place of `Self`. If that is not told, nothing that mentions it is.
pub(super) fn with_own_type(mut ty: syn::Type, own: Option<&syn::Type>) -> Option<syn::Type> {
    struct WithOwnType<'t> {
        own: Option<&'t syn::Type>,
        is_told: bool,
    }
    impl VisitMut for WithOwnType<'_> {
        fn visit_type_mut(&mut self, ty: &mut syn::Type) {
            if !matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self")) {
                return visit_mut::visit_type_mut(self, ty);
            }
            match self.own {
                Some(own) => ty.clone_from(own),
                None => self.is_told = false,
            }
        }
    }
    let mut told = WithOwnType { own, is_told: true };
    told.visit_type_mut(&mut ty);
    told.is_told.then_some(ty)
}

/// The type of what one of the facade's functions of `libm` returns.
fn result_of_libm(path: &syn::Path) -> Option<syn::Type> {
    let mut segments = path.segments.iter().rev();
    let function = segments.next()?.ident.to_string();
    let [folder, within] = [segments.next()?, segments.next()?];
    if folder.ident != "libm" || within.ident != "__private" {
        return None;
    }
    syn::parse_str(libm::result(libm::function(&function)?)).ok()
}

/// A path without its arguments.
fn spelling(path: &syn::Path) -> String {
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    names.join("::")
}

/// The type of a value, or of what is in an `Option` or a `Result` that is taken apart.
pub(super) fn wanted(ty: &syn::Type, on_failure: &OnFailure) -> Option<syn::Type> {
    let outcome = match ty {
        syn::Type::Path(path) => path.path.segments.last().filter(|last| {
            path.path.segments.len() == 1 && ["Option", "Result"].iter().any(|of| last.ident == of)
        }),
        _ => None,
    };
    match (on_failure, outcome) {
        (OnFailure::Impossible, None) => Some(ty.clone()),
        (OnFailure::PassedOn(_) | OnFailure::Caught(_), Some(outcome)) => {
            match &outcome.arguments {
                PathArguments::AngleBracketed(args) => match args.args.first() {
                    Some(GenericArgument::Type(ty)) => wanted(ty, &OnFailure::Impossible),
                    _ => None,
                },
                PathArguments::None | PathArguments::Parenthesized(_) => None,
            }
        }
        (OnFailure::Impossible, Some(_)) | (_, None) => None,
    }
}
