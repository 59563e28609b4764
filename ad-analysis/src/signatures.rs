//! What signatures say of receivers and references.

use syn::{
    FnArg, GenericArgument, PathArguments, ReceiverKind, ReturnType, Signature, Type, TypeTuple,
};

/// How a method takes what it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// `self`
    Value,
    /// `&self`
    Shared,
    /// `&mut self`
    Exclusive,
}

/// How a method takes its receiver, if it takes it in one of the usual ways.
pub fn receiver_of(sig: &Signature) -> Option<Receiver> {
    let by_reference = |is_mutable: bool| match is_mutable {
        true => Receiver::Exclusive,
        false => Receiver::Shared,
    };
    match &sig.receiver()?.kind {
        ReceiverKind::Value => Some(Receiver::Value),
        ReceiverKind::Reference(_, _, mutability) => Some(by_reference(mutability.is_some())),
        _ => None,
    }
}

/// What a result refers to.
pub struct Referent<'t> {
    /// Its type.
    pub found: &'t Type,
    /// Whether by a `&mut`.
    pub is_exclusive: bool,
    /// Whether the reference is in an `Option`.
    pub is_optional: bool,
}

/// What a result refers to, if it is a reference, or one in an `Option`.
pub fn referent_of(output: &ReturnType) -> Option<Referent<'_>> {
    let ReturnType::Type(_, ty) = output else { return None };
    let ty = without_parentheses(ty);
    let (ty, is_optional) = in_option(ty).map_or((ty, false), |inner| (inner, true));
    let Type::Reference(reference) = ty else { return None };
    let is_static = reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
    let found = without_parentheses(&reference.elem);
    let is_open = matches!(found, Type::ImplTrait(_));
    let is_exclusive = reference.mutability.is_some();
    let referent = Referent { found, is_exclusive, is_optional };
    (!is_static && !is_open).then_some(referent)
}

/// Whether a function returns references in a tuple.
pub fn returns_references(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if matches!(&**ty, Type::Tuple(tuple) if has_reference(tuple)))
}

/// Whether there is a reference in a tuple.
pub fn has_reference(tuple: &TypeTuple) -> bool {
    tuple.elems.iter().any(|part| matches!(part, Type::Reference(_)))
}

fn without_parentheses(mut ty: &Type) -> &Type {
    while let Type::Paren(inner) = ty {
        ty = &inner.elem;
    }
    ty
}

fn in_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    args.args.iter().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// What a parameter that is a `&` refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lent {
    /// A slice.
    Slice,
    /// Something else.
    Other,
}

impl Lent {
    /// As a declaration says it: of elements and of other types nothing.
    pub fn spelled(self) -> &'static str {
        match self {
            Self::Slice => "[_]",
            Self::Other => "_",
        }
    }
}

/// The parameters that are a `&`, and no `&mut`, by their positions behind a receiver.
pub fn shared_parameters(signature: &Signature) -> impl Iterator<Item = (usize, Lent)> {
    let behind_receiver = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => Some(&*param.ty),
        FnArg::Receiver(_) => None,
    });
    behind_receiver.enumerate().filter_map(|(position, ty)| match ty {
        Type::Reference(reference) if reference.mutability.is_none() => {
            let is_slice = matches!(*reference.elem, Type::Slice(_));
            Some((position, if is_slice { Lent::Slice } else { Lent::Other }))
        }
        _ => None,
    })
}
