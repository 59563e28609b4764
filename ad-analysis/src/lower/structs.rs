//! Structs: literals, constructors of tuple structs, patterns.

use super::enums::{field_of, variant_of};
use super::places::strip;
use super::{Destination, Lowerer, Operand};
use crate::ir::{Expr, ExprKind, Op, Place, Projection, StmtKind};
use crate::types::Type;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Pat, Path};

/// Constructors of enums that are in scope everywhere.
const VARIANTS: [&str; 3] = ["Some", "Ok", "Err"];

impl Lowerer<'_> {
    /// `Name { a: x, b: y, ..base }`
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Expr {
        let made = self.wanted.take();
        let whole = syn::Expr::Struct(literal.clone());
        let holds_references = literal.fields.iter().any(|field| self.is_borrowed(&field.expr));
        if literal.qself.is_some() || !names_struct(&literal.path) || holds_references {
            return self.opaque_value(&whole);
        }
        let mut exprs: Vec<&syn::Expr> = literal.fields.iter().map(|field| &field.expr).collect();
        exprs.extend(literal.rest.as_deref());
        let of = self.type_with_arguments(&literal.path, made);
        let wanted = literal.fields.iter().map(|field| {
            let name = field_of(&literal.path, &field.member);
            self.type_of_step(&of, &Projection::Field(name))
        });
        let wanted: Vec<Type> = wanted.collect();
        let mut next = wanted.into_iter();
        let mut values = self.in_order(exprs, |this, expr| {
            let Some(wanted) = next.next() else { return this.value(expr) };
            if let Some(option) = this.whole_option(expr, &wanted) {
                return option;
            }
            this.want(strip(expr), wanted);
            this.value(expr)
        });
        let base = literal.rest.is_some().then(|| values.pop()).flatten();
        let names = literal.fields.iter().map(|field| field_of(&literal.path, &field.member));
        let names: Vec<Rc<str>> = names.collect();
        let span = super::fence::token_of(&whole);
        match base {
            Some(base) => self.updated(&literal.path, base, &names, values, span),
            None => self.struct_of(&literal.path, names, values, span),
        }
    }

    /// `Name(x, y)`, if that builds a struct.
    pub(super) fn tuple_struct(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        made: Option<Type>,
    ) -> Option<Expr> {
        let is_variable =
            path.path.get_ident().is_some_and(|name| self.find(&name.to_string()).is_some());
        let is_struct = path.qself.is_none() && names_struct(&path.path) && !is_variable;
        if !is_struct || args.iter().any(|arg| self.is_borrowed(arg)) {
            return None;
        }
        let names: Vec<Rc<str>> =
            (0..args.len()).map(|position| position.to_string().into()).collect();
        let of = self.type_with_arguments(&path.path, made);
        let mut fields = names.iter();
        let values = self.in_order(args.to_vec(), |this, arg| {
            if let Some(field) = fields.next() {
                let wanted = this.type_of_step(&of, &Projection::Field(field.clone()));
                this.want(strip(arg), wanted);
            }
            this.value(arg)
        });
        self.constructed.insert(path.path.to_token_stream().to_string());
        Some(self.struct_of(&path.path, names, values, path.span()))
    }

    /// The type that a path makes a value of: with generic arguments, if the context tells them.
    fn type_with_arguments(&mut self, path: &Path, made: Option<Type>) -> Type {
        let own = self.type_made_by(path);
        let is_told = |this: &Self, made: &Type| {
            let Type::Named(name) = this.types.shallow(made) else { return false };
            let of = this.struct_named(&name);
            path.segments.last().is_some_and(|last| {
                last.arguments.is_none() && of.is_some_and(|of| of.ident == last.ident)
            })
        };
        made.filter(|made| is_told(self, made)).unwrap_or(own)
    }

    fn struct_of(
        &mut self,
        path: &Path,
        names: Vec<Rc<str>>,
        values: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let spelled = path.to_token_stream().to_string();
        let told = self.type_told_by_fields(path, &names, &values);
        let ty = told.unwrap_or_else(|| self.type_made_by(path));
        for (name, value) in names.iter().zip(&values) {
            let field = self.type_of_step(&ty, &Projection::Field(name.clone()));
            self.types.unify(&field, &value.ty);
        }
        let op = Op::Struct(spelled.into(), names.into());
        Expr::new(ExprKind::Op(op, values), ty, span)
    }

    /// A copy of `base` with some fields overwritten.
    fn updated(
        &mut self,
        path: &Path,
        mut base: Expr,
        names: &[Rc<str>],
        values: Vec<Expr>,
        span: Span,
    ) -> Expr {
        // What is not moved out of the base lives on, so the base must not be moved as a whole.
        let lives_on = base.as_var().is_none_or(|var| !self.is_fresh_result(var));
        if base.as_place().is_some() && lives_on {
            let ty = base.ty.clone();
            base = Expr::new(ExprKind::Op(Op::Clone, vec![base]), ty, span);
        }
        let mut value = self.struct_of(path, Vec::new(), Vec::new(), span);
        self.types.unify(&base.ty, &value.ty);
        if let ExprKind::Op(_, args) = &mut value.kind {
            args.push(base);
        }
        let var = self.name_value("updated", value);
        for (name, value) in names.iter().zip(values) {
            let place = Place::var(var).then(Projection::Field(name.clone()));
            self.assign(place, value, span);
        }
        self.load(var, span)
    }

    /// Whether an expression is a reference, which the struct would hold.
    fn is_borrowed(&self, expr: &syn::Expr) -> bool {
        match super::places::strip(expr) {
            syn::Expr::Reference(_) | syn::Expr::Closure(_) => true,
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                let var = name.and_then(|name| self.find(&name));
                var.is_some_and(|var| self.is_reference(var))
            }
            _ => false,
        }
    }

    /// Whether a place is a parameter with a bar or a part of one, or of the type of one, and no number.
    pub(super) fn may_be_struct(&self, place: &Place, ty: &Type) -> bool {
        let with_bars = || self.body.independents.iter().chain(&self.body.dependents);
        let root = self.body.resolve(place).root;
        let is_part = self.is_unseen(ty) && with_bars().any(|&var| var == root);
        let is_named = matches!(ty, Type::Named(_))
            && with_bars().any(|&var| self.types.shallow(&self.body.vars[var].ty) == *ty);
        is_part || is_named
    }

    /// Whether the macro does not see what values of a type are.
    pub(super) fn is_unseen(&self, ty: &Type) -> bool {
        self.types.is_open(ty) || matches!(ty, Type::Named(_))
    }

    /// Whether the pattern of a struct can be taken apart.
    pub(super) fn understands_struct(pat: &Pat) -> bool {
        match pat {
            Pat::Struct(pat) => {
                pat.qself.is_none()
                    && names_struct(&pat.path)
                    && pat.fields.iter().all(|field| Self::understands(&field.pat))
            }
            Pat::TupleStruct(pat) => {
                let last = pat.elems.len().wrapping_sub(1);
                pat.qself.is_none()
                    && names_struct(&pat.path)
                    && pat.elems.iter().enumerate().all(|(position, pat)| match pat {
                        Pat::Rest(_) => position == last,
                        pat => Self::understands(pat),
                    })
            }
            _ => false,
        }
    }

    /// The fields that the pattern of a struct takes, with their patterns.
    pub(super) fn fields_of_pattern(pat: &Pat) -> Vec<(Rc<str>, &Pat)> {
        match pat {
            Pat::Struct(path) => path
                .fields
                .iter()
                .map(|field| (field_of(&path.path, &field.member), &*field.pat))
                .collect(),
            Pat::TupleStruct(pat) => {
                let fields = pat.elems.iter().filter(|pat| !matches!(pat, Pat::Rest(_)));
                let named =
                    fields.enumerate().map(|(position, pat)| (position.to_string().into(), pat));
                named.collect()
            }
            _ => Vec::new(),
        }
    }

    /// A pattern tells the type of what it takes apart.
    pub(super) fn expect_struct(&mut self, place: &Place, pat: &Pat) {
        let path = match pat {
            Pat::Struct(pat) => &pat.path,
            Pat::TupleStruct(pat) => &pat.path,
            _ => return,
        };
        let ty = self.type_of(place);
        let made = self.type_made_by(path);
        self.types.unify(&ty, &made);
    }

    /// `let Name { a, b } = if … { … } else { … };`
    pub(super) fn destructure_structured(&mut self, pat: &Pat, init: &syn::Expr) {
        let (ty, span) = (self.types.fresh(), pat.span());
        let var = self.body.local("parts", ty, span);
        self.emit(StmtKind::Let { var, value: None }, span);
        self.lower_into(init, &Destination::Place(Place::var(var)));
        let value = self.load(var, span);
        self.bind_operand(pat, Operand::Value(value));
    }
}

/// Whether a path is spelled like that of a struct, and not like a variant of an enum that only rustc knows.
pub(super) fn names_struct(path: &Path) -> bool {
    if variant_of(path).is_some() {
        return true;
    }
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    match names.split_last() {
        Some((last, owners)) => {
            is_type(last) && !VARIANTS.contains(&last.as_str()) && !owners.iter().any(is_type)
        }
        None => false,
    }
}
