//! Types as the user spells them.

use super::Lowerer;
use crate::types::Type;
use quote::ToTokens;

impl Lowerer<'_> {
    /// What a type is known to be. References inside it make it unknown.
    pub(super) fn lower_type(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Path(path) if path.qself.is_none() => self.lower_path_type(&path.path),
            syn::Type::Array(array) => {
                let element = self.lower_type(&array.elem);
                Type::array(element, &array.len.to_token_stream().to_string())
            }
            syn::Type::Slice(slice) => Type::slice(self.lower_type(&slice.elem)),
            syn::Type::Tuple(tuple) => {
                Type::Tuple(tuple.elems.iter().map(|ty| self.lower_type(ty)).collect())
            }
            syn::Type::Paren(inner) => self.lower_type(&inner.elem),
            syn::Type::Group(inner) => self.lower_type(&inner.elem),
            syn::Type::Infer(_) => self.types.fresh(),
            other => Type::Named(other.to_token_stream().to_string().into()),
        }
    }

    fn lower_path_type(&mut self, path: &syn::Path) -> Type {
        let last = path.segments.last().expect("paths have segments");
        let name = last.ident.to_string();
        if let syn::PathArguments::AngleBracketed(args) = &last.arguments {
            let mut types = args.args.iter().filter_map(|arg| match arg {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            return match (name.as_str(), types.next(), types.next()) {
                ("Vec", Some(element), None) => Type::vec(self.lower_type(element)),
                ("Option", Some(payload), None) => self.option_of(path, payload),
                _ => Type::Named(path.to_token_stream().to_string().into()),
            };
        }
        if let Some(ident) = path.get_ident()
            && let Some(ty) = self.float_parameter(&ident.to_string())
        {
            return ty;
        }
        let primitive = path.segments.len() == 1 || is_std(path);
        match name.as_str() {
            "f64" if primitive => Type::F64,
            "f32" if primitive => Type::F32,
            "bool" if primitive => Type::Bool,
            "Vec" if primitive => {
                let element = self.types.fresh();
                Type::vec(element)
            }
            name if primitive => Type::int(name).unwrap_or_else(|| self.type_by_name(path)),
            _ => self.type_by_name(path),
        }
    }
}

/// Whether a path begins in the standard library.
pub(super) fn is_std(path: &syn::Path) -> bool {
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    path.segments.len() > 1 && matches!(first.as_deref(), Some("std" | "core" | "alloc"))
}
