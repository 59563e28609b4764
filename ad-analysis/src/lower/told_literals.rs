//! The arguments of structs that are written without them: the values of fields tell.
//!
//! ```text
//! struct Mat<const R: usize, const C: usize>([[f64; C]; R]);
//! let h = Mat([[1.0, 0.0]]);                  of the type `Mat<1, 2>`
//! ```

use super::Lowerer;
use crate::ir::Expr;
use crate::options::OfStruct;
use crate::types::{FloatKind, Type};
use std::rc::Rc;
use syn::Path;

impl Lowerer<'_> {
    /// The type of a struct literal with these fields, if these tell all of its arguments and nothing else does.
    pub(super) fn type_told_by_fields(
        &mut self,
        path: &Path,
        names: &[Rc<str>],
        values: &[Expr],
    ) -> Option<Type> {
        let name = path.get_ident().filter(|_| self.names_are_unique && !path.is_ident("Self"))?;
        let of = self.options.held.of(name).filter(|of| of.params > 0)?;
        let mut told = vec![None; of.params];
        for (field, value) in names.iter().zip(values) {
            let ty = self.types.resolve(&value.ty);
            tell(of, field, &ty, &mut told);
        }
        let told: Vec<String> = told.into_iter().collect::<Option<_>>()?;
        let ty = syn::parse_str(&format!("{name}<{}>", told.join(", "))).ok()?;
        Some(self.lower_type(&ty))
    }
}

/// What a field of this type tells of the arguments.
fn tell(of: &OfStruct, field: &str, ty: &Type, told: &mut [Option<String>]) {
    if let Some((_, param)) = of.part(field) {
        tell_type(*param, ty, told);
    } else if let Some((_, declared)) = of.field(field)
        && let Ok(declared) = syn::parse2(declared.clone())
    {
        tell_parts(&declared, ty, told);
    }
}

fn tell_parts(declared: &syn::Type, ty: &Type, told: &mut [Option<String>]) {
    match (declared, ty) {
        (syn::Type::Path(path), ty) => match path.path.get_ident().and_then(param_of) {
            Some(param) => tell_type(param, ty, told),
            None => {
                if let (Some(element), Type::Vec(of)) = (element_of(path), ty) {
                    tell_parts(element, of, told);
                }
            }
        },
        (syn::Type::Array(array), Type::Array(element, len)) => {
            tell_parts(&array.elem, element, told);
            let len_of = match &array.len {
                syn::Expr::Path(len) => len.path.get_ident().and_then(param_of),
                _ => None,
            };
            if let Some(slot) = len_of.and_then(|param| told.get_mut(param)) {
                slot.get_or_insert_with(|| braced(len));
            }
        }
        (syn::Type::Tuple(declared), Type::Tuple(parts)) => {
            declared.elems.iter().zip(parts.iter()).for_each(|(declared, part)| {
                tell_parts(declared, part, told);
            });
        }
        (_, _) => {}
    }
}

/// A parameter that is the type of a value.
fn tell_type(param: usize, ty: &Type, told: &mut [Option<String>]) {
    let text = match ty {
        Type::Float(FloatKind::F64 | FloatKind::F32 | FloatKind::Generic(_)) => ty.to_string(),
        Type::Named(name) if !name.is_reference() => name.to_string(),
        _ => return,
    };
    if let Some(slot) = told.get_mut(param) {
        slot.get_or_insert(text);
    }
}

/// The position of a parameter, `A0` for the first one.
fn param_of(name: &proc_macro2::Ident) -> Option<usize> {
    name.to_string().strip_prefix('A')?.parse().ok()
}

fn element_of(path: &syn::TypePath) -> Option<&syn::Type> {
    let last = path.path.segments.last().filter(|last| last.ident == "Vec")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(element)) => Some(element),
        _ => None,
    }
}

/// A length as an argument: what is no number or name stands in braces.
fn braced(len: &str) -> String {
    let is_simple = len.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_simple { len.to_owned() } else { format!("{{ {len} }}") }
}
