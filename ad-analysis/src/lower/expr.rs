//! Expressions: operators, literals, arrays, tuples, casts.

use super::arrays::few;
use super::chains::is_typed_by_context;
use super::destructuring::takes_apart;
use super::order::Later;
use super::{Destination, Lowerer, Operand, operators};
use crate::ir::{BinaryOp, ByReference, Expr, ExprKind, Op, Operator, Place, StmtKind, UnaryOp};
use crate::types::Type;
use proc_macro2::Span;
use quote::ToTokens;
use syn::Lit;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// The value of an expression. Its effects become statements before.
    pub(super) fn value(&mut self, expr: &syn::Expr) -> Expr {
        let span = expr.span();
        if self.has_attributes(expr) {
            return self.attributed_value(expr);
        }
        match expr {
            syn::Expr::Paren(inner) => self.value(&inner.expr),
            syn::Expr::Group(inner) => self.value(&inner.expr),
            syn::Expr::Lit(lit) => self.literal(&lit.lit, span),
            syn::Expr::Path(_) | syn::Expr::Reference(_) => match self.operand(expr) {
                Some(operand) => {
                    if let Operand::Reference { mutable: true, span, .. } = operand {
                        // The value would be a copy, and what is written to it would be lost.
                        self.errors.report(
                            span,
                            "a `&mut` as a value is not supported",
                            "give it a name in a `let` of its own, `let r = &mut a;`, or use an index",
                        );
                    }
                    self.note_referent(&operand);
                    self.value_of(operand)
                }
                None => self.opaque_value(expr),
            },
            syn::Expr::Index(index) => {
                self.index_of_user(index).unwrap_or_else(|| self.loaded(expr))
            }
            syn::Expr::Field(_) => self.loaded(expr),
            syn::Expr::Unary(unary) => match unary.op {
                syn::UnOp::Deref(_) => self.loaded(expr),
                syn::UnOp::Neg(_) => self.unary(UnaryOp::Neg, &unary.expr, span),
                syn::UnOp::Not(_) => self.unary(UnaryOp::Not, &unary.expr, span),
                _ => self.opaque_value(expr),
            },
            syn::Expr::Try(exit) => match self.question_mark(exit) {
                Some(operand) => {
                    self.note_referent(&operand);
                    self.value_of(operand)
                }
                None => self.opaque_value(expr),
            },
            syn::Expr::Binary(binary) => self.binary(binary, span),
            syn::Expr::Cast(cast) => {
                if let Some(value) = self.of_parameter(cast) {
                    return value;
                }
                let operand = self.value(&cast.expr);
                let ty = self.lower_type(&cast.ty);
                Expr::new(ExprKind::Op(Op::Cast, vec![operand]), ty, span)
            }
            syn::Expr::Tuple(tuple) => {
                let items: Vec<&syn::Expr> = tuple.elems.iter().collect();
                let wanted = match self.wanted.take().map(|wanted| self.types.shallow(&wanted)) {
                    Some(Type::Tuple(parts)) if parts.len() == items.len() => Some(parts.to_vec()),
                    _ => None,
                };
                let items = self.values_wanted(&items, wanted);
                let ty = Type::Tuple(items.iter().map(|item| item.ty.clone()).collect());
                Expr::new(ExprKind::Op(Op::Tuple, items), ty, span)
            }
            syn::Expr::Array(array) => {
                let items: Vec<&syn::Expr> = array.elems.iter().collect();
                let wanted = self.wanted.take().map(|wanted| self.types.shallow(&wanted));
                let wanted = wanted.and_then(|wanted| wanted.element().cloned());
                let (items, element) = self.elements(&items, wanted);
                let ty = Type::array(element, &items.len().to_string());
                Expr::new(ExprKind::Op(Op::Array, items), ty, span)
            }
            syn::Expr::Repeat(repeat) => {
                let item = self.value(&repeat.expr);
                let len = repeat.len.to_token_stream().to_string();
                if let Some(count) = few(&repeat.len)
                    && self.may_be_active_copies(&item.ty, &repeat.expr)
                {
                    return self.array_of_copies(item, count, span);
                }
                let ty = Type::array(item.ty.clone(), &len);
                Expr::new(ExprKind::Op(Op::Repeat(len.into()), vec![item]), ty, span)
            }
            syn::Expr::Struct(literal) => self.struct_literal(literal),
            syn::Expr::MethodCall(call) => self.method_call(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::Macro(mac) => self.macro_value(&mac.mac, expr),
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_)
                if self.is_structured(expr) =>
            {
                self.control_value(expr, span)
            }
            _ if self.is_statement(expr) => {
                self.statement(expr);
                let unit = Type::unit();
                Expr::new(ExprKind::Op(Op::Tuple, Vec::new()), unit, span)
            }
            _ => self.opaque_value(expr),
        }
    }

    /// The value of an expression with control in it, by way of a variable.
    fn control_value(&mut self, expr: &syn::Expr, span: Span) -> Expr {
        let ty = self.types.fresh();
        let var = self.body.local("value", ty, span);
        self.emit(StmtKind::Let { var, value: None }, span);
        let in_operand = std::mem::replace(&mut self.in_operand, true);
        self.lower_into(expr, &Destination::Place(Place::var(var)));
        self.in_operand = in_operand;
        self.load(var, span)
    }

    fn loaded(&mut self, expr: &syn::Expr) -> Expr {
        match self.attempt("a place", |this| this.place(expr)) {
            Some(place) => {
                let ty = self.type_of(&place);
                let is_in_temporary = self.is_in_temporary(&place);
                let mut value = Expr::load(place, ty, expr.span());
                if is_in_temporary {
                    // The value may be wanted when the temporary is gone.
                    self.put_aside(&mut value);
                }
                value
            }
            // What is kept as it is has its effects itself.
            None => self.opaque_value(expr),
        }
    }

    /// The values of several expressions, evaluated in order.
    pub(super) fn values(&mut self, exprs: &[&syn::Expr]) -> Vec<Expr> {
        self.in_order(exprs, |this, expr| this.value(expr))
    }

    /// Gives a value a variable of its own, unless it is a constant.
    pub(super) fn put_aside(&mut self, value: &mut Expr) {
        if value.as_literal().is_some() {
            return;
        }
        let span = value.span;
        let var = self.name_value("operand", value.clone());
        *value = self.load(var, span);
    }

    fn elements(&mut self, exprs: &[&syn::Expr], wanted: Option<Type>) -> (Vec<Expr>, Type) {
        let wanted = wanted.map(|wanted| vec![wanted; exprs.len()]);
        let items = self.values_wanted(exprs, wanted);
        let element = self.types.fresh();
        for (expr, item) in exprs.iter().zip(&items) {
            self.types.unify(&element, &item.ty);
            let is_list = match self.types.shallow(&item.ty) {
                Type::Slice(_) => true,
                Type::Vec(_) | Type::Array(..) => {
                    matches!(expr, syn::Expr::Reference(_)) || self.is_lent(expr)
                }
                _ => false,
            };
            if is_list && !self.types.resolve(&item.ty).is_copy() {
                self.errors.report(
                    item.span,
                    "a list of references to lists is not supported here",
                    "hand the lists on by themselves, or make a list of copies: `[a.to_vec(), b.to_vec()]`",
                );
            }
        }
        (items, element)
    }

    /// Several values, evaluated in order, and the types that are wanted of them where that is known.
    fn values_wanted(&mut self, exprs: &[&syn::Expr], wanted: Option<Vec<Type>>) -> Vec<Expr> {
        let mut wanted = wanted.into_iter().flatten();
        self.in_order(exprs.iter().copied(), |this, expr| {
            if let Some(wanted) = wanted.next() {
                this.want(expr, wanted);
            }
            this.value(expr)
        })
    }

    pub(super) fn vec_of(&mut self, exprs: &[&syn::Expr], span: Span) -> Expr {
        let (items, element) = self.elements(exprs, None);
        Expr::new(ExprKind::Op(Op::Vec, items), Type::vec(element), span)
    }

    fn literal(&mut self, lit: &Lit, span: Span) -> Expr {
        let ty = match lit {
            Lit::Float(float) => match float.suffix() {
                "f32" => Type::F32,
                "f64" => Type::F64,
                _ => self.types.float_literal(),
            },
            Lit::Int(int) => match int.suffix() {
                "" => self.types.int_literal(),
                "f64" => Type::F64,
                "f32" => Type::F32,
                suffix => Type::int(suffix).unwrap_or(Type::Unknown),
            },
            Lit::Bool(_) => Type::Bool,
            Lit::Char(_) => Type::Named("char".into()),
            _ => Type::Named("str".into()),
        };
        let text = lit.to_token_stream().to_string();
        Expr::new(ExprKind::Literal(text.into()), ty, span)
    }

    fn unary(&mut self, op: UnaryOp, operand: &syn::Expr, span: Span) -> Expr {
        let operand = self.with_type_of_parameter(operand);
        let operator = Operator::Unary(op);
        let name = operators::name_of(operator, span);
        if let Some(value) = self.operator_call(operator, &name, &[&operand]) {
            return value;
        }
        let operand = self.operand_of_operator(&operand);
        let own = operand.value.ty.clone();
        let told =
            self.declared_operation(operator, ByReference::Neither, std::slice::from_ref(&own));
        let ty = told.map_or(own, |told| self.lower_type(&told));
        self.note_operation(operator, name, &[&operand.value], &ty);
        let operand = operand.proved(&self.types);
        Expr::new(ExprKind::Op(Op::Unary(op), vec![operand]), ty, span)
    }

    fn binary(&mut self, binary: &syn::ExprBinary, span: Span) -> Expr {
        let Some(op) = binary_op(&binary.op) else {
            self.compound_assignment(binary);
            return Expr::new(ExprKind::Op(Op::Tuple, Vec::new()), Type::unit(), span);
        };
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.short_circuit(op, binary, span);
        }
        let operands = [&binary.left, &binary.right];
        let [left, right] = operands.map(|operand| self.with_type_of_parameter(operand));
        if op.is_test() {
            let mut args = self.in_order([&*left, &*right], |this, expr| this.compared(expr));
            let (right, left) = (args.pop(), args.pop());
            let [left, right] = [left, right].map(|operand| operand.expect("two operands"));
            return self.operation(op, left, right, span);
        }
        let operator = Operator::Binary(op);
        let name = operators::name_of(operator, operators::span_of(&binary.op));
        if let Some(value) = self.operator_call(operator, &name, &[&left, &right]) {
            return value;
        }
        let mut args = self.operands_of_operator(&[&left, &right]);
        let right = args.pop().expect("two operands");
        let left = args.pop().expect("two operands");
        let (own, other) = (left.value.clone(), right.value.clone());
        let [left, right] = [left, right].map(|operand| operand.proved(&self.types));
        let value = self.operation(op, left, right, span);
        self.note_operation(operator, name, &[&own, &other], &value.ty);
        value
    }

    /// An operand of a comparison. References are compared as what they refer to is.
    fn compared(&mut self, expr: &syn::Expr) -> Expr {
        let followed = self.attempt("a reference", |this| match super::places::strip(expr) {
            path @ syn::Expr::Path(_) => match this.operand(path)? {
                reference @ Operand::Reference { .. } => Some(this.value_of(reference)),
                Operand::Value(_) => None,
            },
            _ => None,
        });
        followed.unwrap_or_else(|| self.value(expr))
    }

    /// An operator applied to values.
    pub(super) fn operation(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {
                self.compare(&left.ty, &right.ty);
                Type::Bool
            }
            BinaryOp::And | BinaryOp::Or => Type::Bool,
            BinaryOp::Shl | BinaryOp::Shr => left.ty.clone(),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => {
                let operands = vec![left.ty.clone(), right.ty.clone()];
                match self.declared_operation(Operator::Binary(op), ByReference::Neither, &operands)
                {
                    Some(told) => self.lower_type(&told),
                    None => {
                        let result = self.types.fresh();
                        self.types.arithmetic(operands, result.clone());
                        result
                    }
                }
            }
        };
        Expr::new(ExprKind::Op(Op::Binary(op), vec![left, right]), ty, span)
    }

    /// Literals take the type of what they are compared with. What is compared with a float is taken for one.
    fn compare(&mut self, left: &Type, right: &Type) {
        let known = |this: &Self, ty: &Type| this.types.is_float(ty) || this.types.is_int(ty);
        if known(self, left) && known(self, right) {
            self.types.unify(left, right);
        } else if self.types.is_float(left) || self.types.is_float(right) {
            self.types.arithmetic(vec![left.clone(), right.clone()], left.clone());
        }
    }

    /// The value of a condition.
    pub(super) fn truth_value(&mut self, expr: &syn::Expr) -> Expr {
        let start = self.out.len();
        let value = self.value(expr);
        self.types.unify(&value.ty, &Type::Bool);
        self.without_temporaries(start, value)
    }

    /// `a && b`: if evaluating `b` takes statements, they run only if `a` holds.
    fn short_circuit(&mut self, op: BinaryOp, binary: &syn::ExprBinary, span: Span) -> Expr {
        let left = self.truth_value(&binary.left);
        let outer = std::mem::take(&mut self.out);
        let right = self.truth_value(&binary.right);
        let effects = std::mem::replace(&mut self.out, outer);
        if effects.is_empty() {
            return Expr::new(ExprKind::Op(Op::Binary(op), vec![left, right]), Type::Bool, span);
        }
        let var = self.name_value("holds", left);
        let assign = StmtKind::Assign { place: Place::var(var), value: right };
        let mut stmts = effects;
        stmts.push(self.body.stmt(assign, span));
        let decides = self.load(var, span);
        let test = if op == BinaryOp::And { decides } else { Expr::negated(decides) };
        let (then, otherwise) = (self.body.new_block(stmts), self.body.new_block(Vec::new()));
        self.emit(StmtKind::If { test, then, otherwise }, span);
        self.load(var, span)
    }

    /// `place op= value`: the value first, as for all primitive types; the place first, as for all others.
    pub(super) fn compound_assignment(&mut self, binary: &syn::ExprBinary) {
        let Some(op) = compound_op(&binary.op) else {
            self.opaque_statement_expr(&syn::Expr::Binary(binary.clone()));
            return;
        };
        if self.changed_by_index(binary, op) {
            return;
        }
        let span = binary.span();
        let operator = Operator::Assign(op);
        let name = operators::name_of(operator, operators::span_of(&binary.op));
        if self.calls.has(&name) {
            let operands = self.attempt("an assignment by an operator", |this| {
                this.operands_of_statement(&binary.left, &binary.right)
            });
            match operands {
                Some(operands) => self.operator_statement(op, &name, operands),
                None => self.opaque_statement_expr(&syn::Expr::Binary(binary.clone())),
            }
            return;
        }
        let operands =
            self.attempt("an assignment by an operator", |this| this.value_and_place(binary));
        let Some((place, value)) = operands else {
            self.opaque_statement_expr(&syn::Expr::Binary(binary.clone()));
            return;
        };
        let ty = self.type_of(&place);
        let own = Expr::load(place.clone(), ty.clone(), binary.left.span());
        self.note_operation(operator, name, &[&own, &value], &ty);
        let value = self.operation(op, own, value, span);
        self.emit(StmtKind::Assign { place, value }, span);
    }

    /// The operands of a compound assignment by an operator of the user's.
    pub(super) fn place_and_value(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
    ) -> Option<(Place, Expr)> {
        let mut place = self.place(left)?;
        let value = self.after(&mut place, |this| this.value(right));
        Some((place, value))
    }

    /// The operands of a compound assignment of numbers. Where what is assigned to depends on the order, it has to be known
    /// that these are numbers.
    fn value_and_place(&mut self, binary: &syn::ExprBinary) -> Option<(Place, Expr)> {
        let start = self.out.len();
        let right = self.with_type_of_parameter(&binary.right);
        let operand = self.operand_of_operator(&right);
        let mut value = operand.proved(&self.types);
        let between = self.out.len();
        let place = self.after(&mut value, |this| this.place(&binary.left));
        let place = place.filter(|place| !self.is_in_temporary(place))?;
        let ty = self.type_of(&place);
        let effects = &self.out[start..between];
        let depends =
            self.out.len() > between || Later::of(&self.body, effects).moves(&self.body, &place);
        if depends && self.types.is_open(&ty) {
            self.errors.report(
                binary.span(),
                "the order of evaluation depends on a type the macro cannot see",
                "compute the index before the assignment",
            );
        }
        Some((place, value))
    }

    /// `place = value`, or several at once.
    pub(super) fn assignment(&mut self, assign: &syn::ExprAssign) {
        let span = assign.span();
        if let syn::Expr::Infer(_) = &*assign.left {
            self.lower_into(&assign.right, &Destination::Discard);
            return;
        }
        if self.assign_optional(assign) {
            return;
        }
        if takes_apart(&assign.left) {
            self.assign_parts(assign);
            return;
        }
        if self.rebind(&assign.left, &assign.right) || self.written_by_index(assign) {
            return;
        }
        if let syn::Expr::Path(path) = &*assign.left
            && let Some(var) = self.path_variable(path)
            && self.is_reference(var)
        {
            // `r = &other`: the reference itself changes, so the place it refers to is not fixed.
            self.refuse_new_referent(span);
            return;
        }
        if self.assign_whole_option(assign) {
            return;
        }
        if self.is_structured(&assign.right) {
            let known = self.attempt("a place that is known beforehand", |this| {
                let place = this.place(&assign.left)?;
                (this.out.is_empty() && !this.is_element(&place)).then_some(place)
            });
            if let Some(place) = known {
                self.lower_into(&assign.right, &Destination::Place(place));
                return;
            }
        }
        let wanted = match is_typed_by_context(&assign.right) {
            true => self.glimpse(|this| this.place(&assign.left).map(|place| this.type_of(&place))),
            false => None,
        };
        let operands = self.attempt("an assignment", |this| {
            if let Some(wanted) = wanted {
                this.want(&assign.right, wanted);
            }
            let mut value = this.value(&assign.right);
            let place = this.after(&mut value, |this| this.place(&assign.left))?;
            (!this.is_in_temporary(&place)).then_some((place, value))
        });
        let Some((place, value)) = operands else {
            self.opaque_statement_expr(&syn::Expr::Assign(assign.clone()));
            return;
        };
        self.assign(place, value, span);
    }

    fn refuse_new_referent(&self, span: Span) {
        self.errors.report(
            span,
            "a reference that is assigned again is not supported",
            "use an index, or a new `let` with another name",
        );
    }

    pub(super) fn assign(&mut self, place: Place, value: Expr, span: Span) {
        if matches!(self.types.shallow(&value.ty), Type::Slice(_)) {
            self.errors.report(
                value.span,
                "a choice of lists by reference is not supported",
                "choose where the list is used, or copy it, `let p = if c { x.to_vec() } else { y.to_vec() };`",
            );
            return;
        }
        let ty = self.type_of(&place);
        self.types.unify(&ty, &value.ty);
        if self.is_element(&place) && matches!(self.types.shallow(&ty), Type::Vec(_)) {
            // A row may have another length than the one before it, and so may their bars.
            self.replace(place, value, span);
            return;
        }
        self.emit(StmtKind::Assign { place, value }, span);
    }

    /// Whether a place is in a list, or refers to one that is.
    fn is_element(&self, place: &Place) -> bool {
        self.body.resolve(place).is_computed()
    }
}

pub(super) fn binary_op(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinaryOp::Add,
        syn::BinOp::Sub(_) => BinaryOp::Sub,
        syn::BinOp::Mul(_) => BinaryOp::Mul,
        syn::BinOp::Div(_) => BinaryOp::Div,
        syn::BinOp::Rem(_) => BinaryOp::Rem,
        syn::BinOp::And(_) => BinaryOp::And,
        syn::BinOp::Or(_) => BinaryOp::Or,
        syn::BinOp::BitXor(_) => BinaryOp::BitXor,
        syn::BinOp::BitAnd(_) => BinaryOp::BitAnd,
        syn::BinOp::BitOr(_) => BinaryOp::BitOr,
        syn::BinOp::Shl(_) => BinaryOp::Shl,
        syn::BinOp::Shr(_) => BinaryOp::Shr,
        syn::BinOp::Eq(_) => BinaryOp::Eq,
        syn::BinOp::Lt(_) => BinaryOp::Lt,
        syn::BinOp::Le(_) => BinaryOp::Le,
        syn::BinOp::Ne(_) => BinaryOp::Ne,
        syn::BinOp::Ge(_) => BinaryOp::Ge,
        syn::BinOp::Gt(_) => BinaryOp::Gt,
        _ => return None,
    })
}

pub(super) fn compound_op(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinaryOp::Add,
        syn::BinOp::SubAssign(_) => BinaryOp::Sub,
        syn::BinOp::MulAssign(_) => BinaryOp::Mul,
        syn::BinOp::DivAssign(_) => BinaryOp::Div,
        syn::BinOp::RemAssign(_) => BinaryOp::Rem,
        syn::BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        syn::BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        syn::BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        syn::BinOp::ShlAssign(_) => BinaryOp::Shl,
        syn::BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}
