//! Places and references: what can be assigned, indexed, borrowed.

use super::attributes::is_marked_passive;
use super::{Lowerer, Operand};
use crate::index::Var;
use crate::ir::{Binding, Expr, ExprKind, Op, Place, Projection};
use crate::types::{IntKind, Type};
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// Whether a variable is a reference in the user's code.
    pub(super) fn is_reference(&self, var: Var) -> bool {
        match self.body.vars[var].binding {
            Binding::Shared | Binding::Exclusive | Binding::View(_) => true,
            Binding::Value | Binding::Global(_) => false,
        }
    }

    /// Whether a variable gives mutable access to what it stands for.
    pub(super) fn is_mutable_reference(&self, var: Var) -> bool {
        match &self.body.vars[var].binding {
            Binding::Exclusive => true,
            Binding::View(view) => view.mutable,
            Binding::Value | Binding::Shared | Binding::Global(_) => false,
        }
    }

    /// The place an expression denotes, if it denotes one.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> Option<Place> {
        if let Some(copy) = self.copied_by_getter(expr) {
            return Some(Place::var(copy));
        }
        match expr {
            syn::Expr::Path(_) if self.is_iterator(expr) => None,
            syn::Expr::Path(path) => {
                let rebound = self.rebound_place(expr);
                rebound.map(|(place, _)| place).or_else(|| self.path_variable(path).map(Place::var))
            }
            syn::Expr::Paren(inner) => self.place(&inner.expr),
            syn::Expr::Group(inner) => self.place(&inner.expr),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                match self.operand(&unary.expr)? {
                    Operand::Reference { place, .. } => Some(place),
                    Operand::Value(value) => self.referred_to(value),
                }
            }
            syn::Expr::Field(field) => {
                let base = self.base_place(&field.base)?;
                let base = self.unboxed(base);
                let name = field.member.to_token_stream().to_string();
                Some(base.then(Projection::Field(name.into())))
            }
            syn::Expr::Index(index) if is_index_of_users(&index.index) => None,
            syn::Expr::Index(index) => {
                let base = self.base_place(&index.expr)?;
                let mut base = self.unboxed(base);
                let ty = self.type_of(&base);
                let ty = self.types.shallow(&ty);
                if self.is_indexed_by_user(&base, &ty) {
                    return None;
                }
                let is_list = ty.element().is_some();
                let step = self.after(&mut base, |this| this.index_step(&index.index, is_list));
                Some(base.then(step))
            }
            _ => None,
        }
    }

    /// Whether the index of a place is a function of a type of the user's, which must be called as often as it is written. Of
    /// what may have a derivative generated code proves that it is none.
    fn is_indexed_by_user(&self, base: &Place, ty: &Type) -> bool {
        if self.has_index_of_user(ty) {
            return true;
        }
        let root = self.body.resolve(base).root;
        let with_bars = || self.body.independents.iter().chain(&self.body.dependents);
        self.names_user_type(ty)
            && self.body.params.contains(&root)
            && !with_bars().any(|&known| known == root)
    }

    /// The place behind a value that is dereferenced: numbers, lists and tuples cannot be, so that this
    /// must be a reference to a reference, which is taken for one to the place itself.
    fn referred_to(&mut self, value: Expr) -> Option<Place> {
        let known = self.types.shallow(&value.ty);
        let is_twofold = value.as_var().is_some_and(|var| self.twofold.contains(var));
        let is_data = is_twofold
            || self.is_number(&known)
            || known.element().is_some()
            || matches!(known, Type::Tuple(_));
        let place = value.as_place()?.clone();
        match known.is_box() {
            true => Some(place.then(Projection::Boxed)),
            false => is_data.then_some(place),
        }
    }

    /// What is in a `Box`, and in one in that: where fields, elements and methods are looked for, too.
    pub(super) fn unboxed(&mut self, place: Place) -> Place {
        let ty = self.type_of(&place);
        match self.types.shallow(&ty).is_box() {
            true => self.unboxed(place.then(Projection::Boxed)),
            false => place,
        }
    }

    /// The type of what is in a `Box`, by its name.
    pub(super) fn held_in_box(&mut self, owner: &Type) -> Option<Type> {
        let Type::Named(name) = owner else { return None };
        let held = syn::parse_str(name.in_box()?).ok()?;
        Some(self.lower_type(&held))
    }

    /// The place a field or element is taken of; a value gets a variable of its own.
    pub(super) fn base_place(&mut self, expr: &syn::Expr) -> Option<Place> {
        if let Some(place) = self.place(expr) {
            return Some(place);
        }
        match self.operand(expr)? {
            Operand::Reference { place, .. } => Some(place),
            Operand::Value(value) => Some(self.place_of_value(value, "base")),
        }
    }

    /// The place of a value: where it was loaded from, or a variable of its own.
    pub(super) fn place_of_value(&mut self, value: Expr, hint: &str) -> Place {
        match value.kind {
            ExprKind::Load(place) => place,
            ExprKind::Literal(_) | ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                Place::var(self.name_value(hint, value))
            }
        }
    }

    fn index_step(&mut self, index: &syn::Expr, is_list: bool) -> Projection {
        if let syn::Expr::Range(range) = strip(index) {
            let bound = |this: &mut Self, bound: &Option<Box<syn::Expr>>| {
                bound.as_ref().map(|bound| this.index_value(bound, is_list))
            };
            let mut start = bound(self, &range.start);
            let mut end = self.after(&mut start, |this| bound(this, &range.end));
            if matches!(range.limits, syn::RangeLimits::Closed(_)) {
                end = end.map(|end| Expr::binary(crate::ir::BinaryOp::Add, end, Expr::usize(1)));
            }
            return Projection::Slice { start, end };
        }
        Projection::Index(self.index_value(index, is_list))
    }

    /// An index. That of a list is a number; what others take, only rustc knows.
    fn index_value(&mut self, index: &syn::Expr, is_list: bool) -> Expr {
        let value = self.value(index);
        let known = self.types.shallow(&value.ty);
        let may_be_any = !is_list && self.types.is_open(&known);
        if matches!(known, Type::Infer(_)) && !may_be_any {
            self.types.unify(&value.ty, &Type::USIZE);
        }
        value
    }

    /// The variable a path denotes: a local, or a constant.
    pub(super) fn path_variable(&mut self, path: &syn::ExprPath) -> Option<Var> {
        if path.qself.is_some() {
            return Some(self.global(path));
        }
        if let Some(ident) = path.path.get_ident() {
            if let Some(var) = self.find(&ident.to_string()) {
                // An `Option` in parts is no place.
                if self.optionals.contains_key(&var) {
                    return None;
                }
                return Some(var);
            }
            if ident == "self" {
                let help = "move the computation to a free function";
                self.errors.report(ident.span(), "`self` is not supported yet", help);
            }
        }
        Some(self.global(path))
    }

    /// The variable that stands for a constant.
    fn global(&mut self, path: &syn::ExprPath) -> Var {
        let key = path.to_token_stream().to_string();
        if let Some(&var) = self.globals.get(&key) {
            return var;
        }
        let declared = self.declared_constant(&path.path).filter(|_| path.qself.is_none());
        let ty = declared.unwrap_or_else(|| self.type_of_constant(&path.path));
        let last = path.path.segments.last().expect("paths have segments");
        let name = last.ident.to_string();
        let span = path.span();
        let binding = Binding::Global(path.to_token_stream());
        let var = self.body.variable(&name, ty, binding, span);
        self.globals.insert(key, var);
        var
    }

    /// What the path of a constant tells of its type.
    fn type_of_constant(&mut self, path: &syn::Path) -> Type {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            [.., "f32" | "f64", "RADIX" | "DIGITS" | "MANTISSA_DIGITS"] => {
                Type::Int(IntKind::Named("u32"))
            }
            [name, "BITS"] if Type::int(name).is_some() => Type::Int(IntKind::Named("u32")),
            [.., "f32" | "f64", "MIN_EXP" | "MAX_EXP" | "MIN_10_EXP" | "MAX_10_EXP"] => {
                Type::Int(IntKind::Named("i32"))
            }
            ["f64", _] | ["std" | "core", "f64", ..] | ["f64", "consts", _] => Type::F64,
            ["f32", _] | ["std" | "core", "f32", ..] | ["f32", "consts", _] => Type::F32,
            [name, _] => Type::int(name).unwrap_or_else(|| self.types.fresh()),
            _ => self.types.fresh(),
        }
    }

    /// What an expression denotes: a value, or a reference to a place.
    pub(super) fn operand(&mut self, expr: &syn::Expr) -> Option<Operand> {
        let span = expr.span();
        if is_marked_passive(expr) {
            return self.passive_operand(expr);
        }
        match expr {
            syn::Expr::Paren(inner) => self.operand(&inner.expr),
            syn::Expr::Group(inner) => self.operand(&inner.expr),
            syn::Expr::Path(_) if self.is_iterator(expr) => None,
            syn::Expr::Path(path) => {
                if let Some((place, mutable)) = self.rebound_place(expr) {
                    return Some(Operand::Reference { place, mutable, span });
                }
                let var = self.path_variable(path)?;
                let place = Place::var(var);
                if self.is_reference(var) {
                    let mutable = self.is_mutable_reference(var);
                    return Some(Operand::Reference { place, mutable, span });
                }
                Some(Operand::Value(Expr { span, ..self.body.load(var) }))
            }
            syn::Expr::Reference(reference) => {
                let mutable = reference.mutability.is_some();
                self.note_reference_to_reference(&reference.expr);
                let place = match self.place(&reference.expr) {
                    Some(place) => place,
                    // What is written to a copy of it would be lost.
                    None if mutable && is_place(&reference.expr) => return None,
                    None => match self.operand(&reference.expr)? {
                        // `&*x`, `&&x`: the reference itself.
                        Operand::Reference { place, .. } => place,
                        Operand::Value(value) => match value.as_var() {
                            Some(var) if self.is_fresh_result(var) => Place::var(var),
                            _ => Place::var(self.name_value("temporary", value)),
                        },
                    },
                };
                Some(Operand::Reference { place, mutable, span })
            }
            syn::Expr::MethodCall(call) => {
                if let Some(item) = self.taken_item(expr) {
                    return Some(self.operand_of(item));
                }
                let element = self.element_reference(call);
                let known = element
                    .or_else(|| self.array_reference(call))
                    .or_else(|| self.reference_method(call))
                    .or_else(|| self.by_getter(call));
                if known.is_some() {
                    return known;
                }
                let element = self.attempt("an element", |this| {
                    this.element_value(call).or_else(|| this.shrinking_value(call))
                });
                if let Some(value) = element {
                    return Some(Operand::Value(value));
                }
                if let Some(operand) = self.optional_value(call) {
                    return Some(operand);
                }
                Some(Operand::Value(self.value(expr)))
            }
            syn::Expr::Try(exit) => {
                let operand = self.question_mark(exit);
                operand.or_else(|| Some(Operand::Value(self.opaque_value(expr))))
            }
            _ => Some(Operand::Value(self.value(expr))),
        }
    }

    /// Methods that yield a reference to their receiver, or to what is in it.
    fn reference_method(&mut self, call: &syn::ExprMethodCall) -> Option<Operand> {
        let (of_list, mutable) = match call.method.to_string().as_str() {
            "as_slice" => (true, false),
            "as_mut_slice" => (true, true),
            "as_ref" => (false, false),
            "as_mut" => (false, true),
            _ => return None,
        };
        if !call.args.is_empty() {
            return None;
        }
        let place = match of_list {
            true => self.base_place(&call.receiver)?,
            false => self.attempt("what is in a box", |this| {
                let place = this.place(&call.receiver)?;
                let ty = this.type_of(&place);
                this.types.shallow(&ty).is_box().then(|| place.then(Projection::Boxed))
            })?,
        };
        Some(Operand::Reference { place, mutable, span: call.span() })
    }

    /// The value of an operand: what a reference refers to.
    pub(super) fn value_of(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Reference { place, mutable: _, span } => {
                let ty = self.type_of(&place);
                Expr::load(place, ty, span)
            }
        }
    }

    /// The number of elements at a place.
    pub(super) fn len_of(&mut self, place: Place, span: Span) -> Expr {
        let ty = self.type_of(&place);
        let whole = Expr::load(place, ty, span);
        Expr::new(ExprKind::Op(Op::Len, vec![whole]), Type::USIZE, span)
    }
}

/// Whether an index is none of a list, which is indexed by numbers: what it finds, only the type of what is indexed knows.
pub(super) fn is_index_of_users(index: &syn::Expr) -> bool {
    matches!(
        strip(index),
        syn::Expr::Reference(_)
            | syn::Expr::Tuple(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. })
    )
}

/// Whether an expression is a place in Rust, and no value.
fn is_place(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Index(_) | syn::Expr::Field(_) | syn::Expr::Path(_) => true,
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

/// An expression without the parentheses around it.
pub(super) fn strip(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => strip(&inner.expr),
        syn::Expr::Group(inner) => strip(&inner.expr),
        expr => expr,
    }
}
