//! Types as they are written, as far as they are of kinds that may be told: what is kept of a syntax tree.

use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, TypeParamBound};

/// A type as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// A path without arguments.
    Path(Vec<String>),
    /// One name with types and numbers as arguments, or with lifetimes, which are left out.
    With(String, Vec<Written>),
    /// A number, as an argument.
    Number(String),
    Tuple(Vec<Written>),
    /// An array whose length is a number, or a name.
    Array(Box<Written>, String),
    Reference(Box<Written>),
    /// The paths of the traits of a `dyn`, without arguments and lifetimes.
    Dyn(Vec<Vec<String>>),
}

impl Written {
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::of(&syn::parse_str(text).ok()?)
    }

    pub(super) fn of(ty: &syn::Type) -> Option<Self> {
        match ty {
            syn::Type::Paren(inner) => Self::of(&inner.elem),
            syn::Type::Group(inner) => Self::of(&inner.elem),
            syn::Type::Reference(reference) => {
                Some(Self::Reference(Box::new(Self::of(&reference.elem)?)))
            }
            syn::Type::Tuple(tuple) => {
                let parts: Option<Vec<Self>> = tuple.elems.iter().map(Self::of).collect();
                Some(Self::Tuple(parts?))
            }
            syn::Type::Array(array) => match &array.len {
                Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) => {
                    Some(Self::Array(Box::new(Self::of(&array.elem)?), len.to_string()))
                }
                Expr::Path(len) => {
                    let len = len.path.get_ident().filter(|_| len.qself.is_none())?;
                    Some(Self::Array(Box::new(Self::of(&array.elem)?), len.to_string()))
                }
                _ => None,
            },
            syn::Type::Path(path) if path.qself.is_none() => Self::of_path(&path.path),
            syn::Type::TraitObject(object) => {
                let is_lifetime =
                    |bound: &&TypeParamBound| matches!(bound, TypeParamBound::Lifetime(_));
                let bounds = object.bounds.iter().filter(|bound| !is_lifetime(bound));
                let traits = bounds.map(|bound| match bound {
                    TypeParamBound::Trait(bound) => match Self::of_path(&bound.path)? {
                        Self::Path(names) => Some(names),
                        _ => None,
                    },
                    _ => None,
                });
                Some(Self::Dyn(traits.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    fn of_path(path: &syn::Path) -> Option<Self> {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let args = path.segments.iter().map(|segment| &segment.arguments);
        let args: Vec<&PathArguments> = args.filter(|args| !args.is_empty()).collect();
        match (names.as_slice(), args.as_slice()) {
            _ if path.leading_colon.is_some() => None,
            (_, []) => Some(Self::Path(names)),
            ([name], [PathArguments::AngleBracketed(args)]) => {
                let is_lifetime =
                    |arg: &&GenericArgument| matches!(arg, GenericArgument::Lifetime(_));
                let args = args.args.iter().filter(|arg| !is_lifetime(arg));
                let args = args.map(|arg| match arg {
                    GenericArgument::Type(ty) => Self::of(ty),
                    GenericArgument::Const(Expr::Lit(ExprLit {
                        lit: Lit::Int(number), ..
                    })) => Some(Self::Number(number.to_string())),
                    _ => None,
                });
                Some(Self::With(name.clone(), args.collect::<Option<_>>()?))
            }
            (_, _) => None,
        }
    }

    /// Whether the name of a type occurs in it.
    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Path(names) => names.last().is_some_and(|last| last == name),
            Self::With(own, args) => own == name || args.iter().any(|arg| arg.mentions(name)),
            Self::Tuple(parts) => parts.iter().any(|part| part.mentions(name)),
            Self::Number(_) => false,
            Self::Dyn(traits) => traits.iter().flatten().any(|part| part == name),
            Self::Array(inner, _) | Self::Reference(inner) => inner.mentions(name),
        }
    }
}

/// What an alias without parameters stands for, if a text is one.
pub(super) fn target_of(text: &str) -> Option<syn::Type> {
    let at = text.find("type ")?;
    let alias = syn::parse_str::<syn::ItemType>(&text[at..]).ok()?;
    alias.generics.params.is_empty().then_some(*alias.ty)
}
