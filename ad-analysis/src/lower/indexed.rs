//! Indices that are functions of a type of the user's, where the files of the crate declare them: `m[(i, j)]` of an annotated `impl Index`. What
//! they find is read and written by the methods that the attribute puts beside that `impl`.
//!
//! ```text
//! y = m[(i, j)] * x;      index_value = call m.__index_tuple_usize_usize((i, j)); y = index_value * x
//! m[(i, j)] = x;          call m.__index_set_tuple_usize_usize((i, j), x)
//! m[(i, j)] += x;         index_value = call m.__index_mut_tuple_usize_usize((i, j)); call m.__index_set_tuple_usize_usize((i, j), index_value + x)
//! ```

use super::Lowerer;
use super::calls::OnFailure;
use super::places::strip;
use crate::index::Var;
use crate::ir::{ArgKind, BinaryOp, Callee, Expr, IndexMethod, Place, Resolution};
use crate::types::{IntKind, Type};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// An index, and the methods that go by its type.
struct Indexed {
    base: Place,
    index: Expr,
    methods: Methods,
    span: Span,
}

/// The methods for indices of a type.
struct Methods {
    /// The type of the index.
    by: syn::Type,
    /// The type of what it finds, if that is declared.
    output: Option<syn::Type>,
}

/// The name of an index where calls are told apart.
pub(super) fn site_of_index(index: &syn::ExprIndex) -> Ident {
    Ident::new("index", index.bracket_token.span.open())
}

impl Lowerer<'_> {
    /// Whether a type has indices of its own.
    pub(super) fn has_index_of_user(&self, ty: &Type) -> bool {
        let Type::Named(name) = ty else { return false };
        let owner = self.options.declared.name_of(name);
        self.names_are_unique && self.options.declared.indices_of(&owner, "Index").next().is_some()
    }

    /// The value of `m[index]`.
    pub(super) fn index_of_user(&mut self, index: &syn::ExprIndex) -> Option<Expr> {
        if !self.calls.has(&site_of_index(index)) {
            return None;
        }
        self.attempt("an index of a type of the user's", |this| {
            let mut indexed = this.indexed(index)?;
            Some(this.got(&mut indexed, IndexMethod::Get))
        })
    }

    /// `m[index] = value`, if it is that.
    pub(super) fn written_by_index(&mut self, assign: &syn::ExprAssign) -> bool {
        let syn::Expr::Index(index) = strip(&assign.left) else { return false };
        if !self.calls.has(&site_of_index(index)) {
            return false;
        }
        let written = self.attempt("an assignment by an index of a type of the user's", |this| {
            let mut value = this.value(&assign.right);
            let indexed = this.after(&mut value, |this| this.indexed(index))?;
            this.set(indexed, value);
            Some(())
        });
        written.is_some()
    }

    /// `m[index] op= value` of numbers, if it is that.
    pub(super) fn changed_by_index(&mut self, binary: &syn::ExprBinary, op: BinaryOp) -> bool {
        let syn::Expr::Index(index) = strip(&binary.left) else { return false };
        if !self.calls.has(&site_of_index(index)) {
            return false;
        }
        let changed = self.attempt("an assignment by an index of a type of the user's", |this| {
            let operand = this.operand_of_operator(&binary.right);
            let mut value = operand.proved(&this.types);
            let mut indexed = this.after(&mut value, |this| this.indexed(index))?;
            let own = this.got(&mut indexed, IndexMethod::GetMut);
            // Of other types it is a method that takes the place.
            if this.types.is_open(&own.ty) && this.types.is_float(&value.ty) {
                this.types.unify(&own.ty, &value.ty);
            }
            let known = this.types.shallow(&own.ty);
            if !this.types.is_float(&known) {
                return None;
            }
            let value = this.operation(op, own, value, binary.span());
            this.set(indexed, value);
            Some(())
        });
        changed.is_some()
    }

    /// What is indexed, and by what.
    fn indexed(&mut self, index: &syn::ExprIndex) -> Option<Indexed> {
        let mut base = self.base_place(&index.expr)?;
        let ty = self.type_of(&base);
        let ty = self.types.shallow(&ty);
        let value = self.after(&mut base, |this| this.value(&index.index));
        let methods = match self.has_index_of_user(&ty) {
            true => self.declared_methods(&ty, &value)?,
            false => self.untold_methods(&ty, index)?,
        };
        Some(Indexed { base, index: value, methods, span: index.span() })
    }

    /// The methods of the only index of the type that fits.
    fn declared_methods(&self, ty: &Type, index: &Expr) -> Option<Methods> {
        let owner = self.declared_name(ty)?;
        let declared = self.options.declared.indices_of(&owner, "Index");
        let mut fitting = declared.filter(|(by, _)| self.may_be_index(index, by));
        let (Some((by, output)), None) = (fitting.next(), fitting.next()) else { return None };
        Some(Methods { by: syn::parse_str(by).ok()?, output: Some(output.clone()) })
    }

    /// Of types with parameters declarations tell nothing: if they have an index of what is none of a list, it goes by numbers as those of lists do. Where that is
    /// not annotated, generated code says so.
    fn untold_methods(&self, ty: &Type, index: &syn::ExprIndex) -> Option<Methods> {
        let Type::Named(name) = ty else { return None };
        let own = self.annotated.surroundings().map(|known| known.self_type.to_token_stream());
        let is_generic = match own {
            Some(own) if **name == *"Self" => own.to_string().contains('<'),
            Some(_) | None => name.contains('<'),
        };
        if !is_generic || !self.names_user_type(ty) {
            return None;
        }
        let by: syn::Type = match strip(&index.index) {
            syn::Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|_| quote!(usize));
                syn::parse_quote!((#(#parts,)*))
            }
            syn::Expr::Array(array) => {
                let len = syn::Index::from(array.elems.len());
                syn::parse_quote!([usize; #len])
            }
            _ => return None,
        };
        Some(Methods { by, output: None })
    }

    /// Whether a value may be of the type of an index, which is given as text. If it is not, the call does not compile.
    fn may_be_index(&self, value: &Expr, by: &str) -> bool {
        match self.types.shallow(&value.ty) {
            Type::Int(IntKind::Named(name)) => *name == *by,
            Type::Int(IntKind::Open(_)) => Type::int(by).is_some(),
            Type::Tuple(parts) => {
                matches!(syn::parse_str(by), Ok(syn::Type::Tuple(tuple)) if tuple.elems.len() == parts.len())
            }
            Type::Array(..) => by.starts_with('['),
            Type::Named(name) => self.options.declared.name_of(&name) == *by,
            Type::Infer(_) | Type::Unknown => true,
            Type::Float(_) | Type::Bool | Type::Slice(_) | Type::Vec(_) => false,
        }
    }

    /// A call that reads the place.
    fn got(&mut self, indexed: &mut Indexed, method: IndexMethod) -> Expr {
        let (base, span) = (indexed.base.clone(), indexed.span);
        if method == IndexMethod::GetMut {
            self.put_aside(&mut indexed.index);
        }
        let index = indexed.index.clone();
        let ty = self.types.fresh();
        let result = self.body.local("index_value", ty, span);
        let args = vec![ArgKind::Shared(base), ArgKind::Value(index)];
        self.called(&indexed.methods, method, args, Some(result), span);
        self.declare_as(result, indexed.methods.output.as_ref());
        self.results.insert(result);
        self.note_of_user(Some(result));
        self.load(result, span)
    }

    /// A call that writes the place.
    fn set(&mut self, indexed: Indexed, value: Expr) {
        let Indexed { base, index, methods, span } = indexed;
        let args = vec![ArgKind::Exclusive(base), ArgKind::Value(index), ArgKind::Value(value)];
        self.called(&methods, IndexMethod::Set, args, None, span);
    }

    fn called(
        &mut self,
        methods: &Methods,
        method: IndexMethod,
        mut args: Vec<ArgKind>,
        result: Option<Var>,
        span: Span,
    ) {
        self.separate(&mut args);
        let name = Ident::new(&method.name(&methods.by), span);
        let callee = Callee::Method(name.clone());
        self.emit_call(callee, &name, args, result, OnFailure::Impossible, span);
        self.last_call().resolution =
            Resolution::Index { by: methods.by.to_token_stream(), method };
    }
}
