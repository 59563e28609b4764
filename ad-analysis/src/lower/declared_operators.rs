//! What operators of the user's return, as declarations tell.

use super::Lowerer;
use super::calls::OnFailure;
use super::declared::{own_type_of, wanted, with_own_type};
use crate::ir::{ByReference, Operator};
use crate::options::Subject;
use crate::types::{FloatKind, IntKind, Type};
use crate::walk::visit_mut::{self, VisitMut};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments};

impl Lowerer<'_> {
    /// The type of what an operator returns. That on references is another one than that on values.
    pub(super) fn declared_operation(
        &self,
        operator: Operator,
        by_reference: ByReference,
        operands: &[Type],
    ) -> Option<syn::Type> {
        if operands.iter().all(|operand| !matches!(self.types.shallow(operand), Type::Named(_))) {
            return None;
        }
        let [first, second] = match operands {
            [operand] => [operand, operand],
            [left, right] => [left, right],
            _ => return None,
        };
        let operands = [first, second].map(|operand| self.types.resolve(operand));
        let [mut left, mut right] = [first, second].map(|operand| self.declared_names(operand));
        let refer = |names: &mut Vec<String>| names.iter_mut().for_each(|name| name.insert(0, '&'));
        if by_reference.has_left() {
            refer(&mut left);
        }
        if by_reference.has_right(operator) {
            refer(&mut right);
        }
        let args = operands.each_ref().map(arguments_of);
        add_names_by_left(&args[0], &mut right);
        let pairs = left.iter().flat_map(|left| right.iter().map(move |right| (left, right)));
        let mut found = pairs.filter_map(|(left, right)| {
            let subject = Subject::Operator(operator.trait_name(), left.clone(), right.clone());
            self.declaration(&subject)
        });
        match (found.next(), found.next()) {
            (Some(declared), None) => {
                let ty = wanted(&declared.ty, &OnFailure::Impossible)?;
                let own = own_type_of(&operands[0]);
                with_own_type(told_by_operands(ty, args)?, own.as_ref())
            }
            (_, _) => None,
        }
    }

    /// What a type may be called: a literal is of one of several.
    fn declared_names(&self, ty: &Type) -> Vec<String> {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        match self.types.resolve(ty) {
            Type::Float(FloatKind::F64) => names(&["f64"]),
            Type::Float(FloatKind::F32) => names(&["f32"]),
            Type::Float(FloatKind::Open(_)) => names(&["f64", "f32"]),
            Type::Int(IntKind::Named(name)) => names(&[name]),
            Type::Int(IntKind::Open(_)) => names(&crate::types::INT_NAMES),
            Type::Named(_) => {
                let Some(name) = self.declared_name(ty) else { return Vec::new() };
                let generic = self.options.declared.generic_name_of(&name);
                let of_any = Some(generic).filter(|generic| *generic != name);
                std::iter::once(name).chain(of_any).collect()
            }
            Type::Float(FloatKind::Generic(_) | FloatKind::Directions(_))
            | Type::Bool
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Tuple(_)
            | Type::Unknown
            | Type::Infer(_) => Vec::new(),
        }
    }
}

/// The arguments of a type.
pub(super) fn arguments_of(ty: &Type) -> Vec<GenericArgument> {
    let Type::Named(name) = ty else { return Vec::new() };
    syn::parse_str(name).map_or_else(|_| Vec::new(), |ty| arguments_in(&ty))
}

/// The arguments of a type, as it is written.
pub(super) fn arguments_in(ty: &syn::Type) -> Vec<GenericArgument> {
    let syn::Type::Path(path) = ty else { return Vec::new() };
    match path.path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(args)) => {
            let is_lifetime = |arg: &&GenericArgument| matches!(arg, GenericArgument::Lifetime(_));
            args.args.iter().filter(|arg| !is_lifetime(arg)).cloned().collect()
        }
        Some(PathArguments::None | PathArguments::Parenthesized(_)) | None => Vec::new(),
    }
}

/// A type with the arguments of operands in their places, if these are all known.
pub(super) fn told_by_operands(
    mut ty: syn::Type,
    args: [Vec<GenericArgument>; 2],
) -> Option<syn::Type> {
    let mut told = ToldByOperands { args, is_told: true };
    told.visit_type_mut(&mut ty);
    told.is_told.then_some(ty)
}

/// An operand of a type that is an argument of the left one may be declared as that.
fn add_names_by_left(left: &[GenericArgument], right: &mut Vec<String>) {
    for (position, arg) in left.iter().enumerate() {
        if right.contains(&arg.to_token_stream().to_string()) {
            right.push(format!("__L{position}"));
        }
    }
}

/// Puts the arguments of the left and of the right operand in the places of `__L0`, `__R1`, …
struct ToldByOperands {
    args: [Vec<GenericArgument>; 2],
    is_told: bool,
}

impl ToldByOperands {
    /// The argument that a name stands for, if it does.
    fn argument(&self, name: &syn::Ident) -> Option<Option<&GenericArgument>> {
        let name = name.to_string();
        let side = ["__L", "__R"].iter().position(|side| name.starts_with(side))?;
        let position: usize = name[3..].parse().ok()?;
        Some(self.args[side].get(position))
    }

    fn array(&mut self, array: &mut syn::TypeArray) {
        self.visit_type_mut(&mut array.elem);
        let named = match &array.len {
            syn::Expr::Path(len) => len.path.get_ident(),
            _ => None,
        };
        match named.and_then(|name| self.argument(name)) {
            Some(Some(GenericArgument::Const(len))) => array.len = len.clone(),
            Some(Some(GenericArgument::Type(syn::Type::Path(len)))) => {
                array.len = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: len.path.clone(),
                });
            }
            Some(_) => self.is_told = false,
            None => {}
        }
    }
}

impl VisitMut for ToldByOperands {
    fn visit_generic_argument_mut(&mut self, arg: &mut GenericArgument) {
        let named = match &*arg {
            GenericArgument::Type(syn::Type::Path(path)) => path.path.get_ident(),
            _ => None,
        };
        match named.and_then(|name| self.argument(name)) {
            Some(Some(told)) => *arg = told.clone(),
            Some(None) => self.is_told = false,
            None => visit_mut::visit_generic_argument_mut(self, arg),
        }
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let named = match &mut *ty {
            syn::Type::Path(path) => path.path.get_ident(),
            syn::Type::Array(array) => return self.array(array),
            _ => None,
        };
        match named.and_then(|name| self.argument(name)) {
            Some(Some(GenericArgument::Type(told))) => *ty = told.clone(),
            Some(_) => self.is_told = false,
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}
