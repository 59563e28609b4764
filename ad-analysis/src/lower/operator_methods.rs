//! Methods that are those of operators, `x.mul(y)`, where the files of the crate say so. A type of the user's may have a method of
//! that name besides: generated code proves of `self` that it has none, and of others that they are floats.

use super::Lowerer;
use super::of_traits::pair;
use crate::ir::{
    ArgKind, BinaryOp, Binding, ByReference, Expr, ExprKind, Op, Operator, Resolution, StmtKind,
    UnaryOp,
};
use crate::rules;
use crate::types::Type;
use proc_macro2::Span;
use quote::quote;
use syn::ExprMethodCall;

/// Methods with a value, and their operators.
const OF_VALUES: [(&str, BinaryOp); 5] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("div", BinaryOp::Div),
    ("rem", BinaryOp::Rem),
];

impl Lowerer<'_> {
    /// The value of the method of an operator, called on floats or on `self`.
    pub(super) fn operator_method(&mut self, call: &ExprMethodCall, span: Span) -> Option<Expr> {
        if let Some(value) = self.operator_of_self(call).or_else(|| self.operator_of_user(call)) {
            return Some(value);
        }
        if !self.may_be_operator_on_floats(call) {
            return None;
        }
        let receiver = self.dereferenced(&call.receiver);
        let args: Vec<&syn::Expr> = std::iter::once(&receiver).chain(&call.args).collect();
        match args.as_slice() {
            [_] if call.method == "neg" => {
                let operand = self.values(&args).pop()?;
                let ty = operand.ty.clone();
                Some(Expr::new(ExprKind::Op(Op::Unary(UnaryOp::Neg), vec![operand]), ty, span))
            }
            [_, _] => {
                let (_, op) = OF_VALUES.iter().find(|(name, _)| call.method == name)?;
                let mut args = self.values(&args);
                let (right, left) = (args.pop()?, args.pop()?);
                Some(self.operation(*op, left, right, span))
            }
            _ => None,
        }
    }

    /// The method of an operator that assigns, called on a float.
    pub(super) fn operator_statement_method(
        &mut self,
        call: &ExprMethodCall,
        span: Span,
    ) -> Option<()> {
        let method = call.method.to_string();
        let of_value = method.strip_suffix("_assign")?;
        let (_, op) = OF_VALUES.iter().find(|(name, _)| of_value == *name)?;
        if call.args.len() != 1 {
            return None;
        }
        if self.is_operator_of_self(call) {
            let receiver = self.pointee_of_self(&call.receiver);
            let operands = self.operands_of_statement(&receiver, &call.args[0])?;
            self.operator_statement(*op, &call.method, operands);
            self.note_operator_of_self(call);
            return Some(());
        }
        if !self.may_be_operator_on_floats(call) {
            return None;
        }
        let receiver = self.dereferenced(&call.receiver);
        let operands = self.attempt("an assignment by an operator", |this| {
            this.place_and_value(&receiver, &call.args[0])
        });
        let (place, value) = operands?;
        let own = Expr::load(place.clone(), self.type_of(&place), span);
        let value = self.operation(*op, own, value, span);
        self.emit(StmtKind::Assign { place, value }, span);
        Some(())
    }

    /// The value of `x.sin_cos()`, if `x` is a float.
    pub(super) fn pair_method(&mut self, call: &ExprMethodCall, span: Span) -> Option<Expr> {
        let is_pair = call.method == rules::PAIR.0 && call.args.is_empty();
        if !is_pair || !self.calls.has(&call.method) || !self.may_be_number(&call.receiver) {
            return None;
        }
        let receiver = self.dereferenced(&call.receiver);
        let angle = self.value(&receiver);
        Some(pair(self.sine_and_cosine(angle, &call.method, span), span))
    }

    /// The value of the method of an operator, called on `self`.
    fn operator_of_self(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        if !self.is_operator_of_self(call) {
            return None;
        }
        let operator = operator_called(call)?;
        let receiver = self.pointee_of_self(&call.receiver);
        let operands: Vec<&syn::Expr> = std::iter::once(&receiver).chain(&call.args).collect();
        let value = self.operator_call(operator, &call.method, &operands)?;
        self.note_operator_of_self(call);
        Some(value)
    }

    /// The call that was emitted last is one of the operator of `self`, unless that has a reference for an operand.
    fn note_operator_of_self(&mut self, call: &ExprMethodCall) {
        // One that assigns takes its receiver by reference: none is found before.
        let is_referent = self.is_reference_to_self(&call.receiver)
            && !call.method.to_string().ends_with("_assign");
        let resolution = match is_referent {
            true => Resolution::MethodOfReferent(quote!(Self)),
            false => Resolution::MethodOf(quote!(Self)),
        };
        if !self.last_call().is_on_references() {
            self.last_call().resolution = resolution;
        }
    }

    /// The value of the method of an operator, called on a value of a type that is declared in the crate and has no method of its own
    /// of that name there.
    fn operator_of_user(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let operator = operator_called(call)?;
        if !self.is_operator(call) || self.sibling(call).is_some() || self.is_named_reference(call)
        {
            return None;
        }
        self.attempt("an operator of a type of the crate", |this| {
            let operands: Vec<&syn::Expr> =
                std::iter::once(&*call.receiver).chain(&call.args).collect();
            let value = this.operator_call(operator, &call.method, &operands)?;
            let args = this.last_call().args.iter();
            let types: Option<Vec<Type>> = args.map(|arg| type_of_value(&arg.kind)).collect();
            let types = types?;
            let of = this.declared_name(&types[0])?;
            let has_own = this.has_function(&of, &call.method.to_string());
            let is_on_references = this.last_call().is_on_references();
            let told = this.declared_operation(operator, ByReference::Neither, &types);
            if has_own || is_on_references || told.is_none() {
                return None;
            }
            this.last_call().resolution = Resolution::MethodOf(of.parse().ok()?);
            Some(value)
        })
    }

    /// Whether it is called on a reference with a name: references may have operators of their own.
    fn is_named_reference(&self, call: &ExprMethodCall) -> bool {
        let syn::Expr::Path(path) = super::places::strip(&call.receiver) else { return false };
        let named = path.path.get_ident().and_then(|name| self.find(&name.to_string()));
        named.is_some_and(|var| self.is_reference(var))
    }

    /// The call that was emitted last is one of a method of `self`, as far as its name tells.
    pub(super) fn note_method_of_self(&mut self) {
        self.last_call().resolution = Resolution::MethodOf(quote!(Self));
    }

    /// What `self` is or refers to.
    fn pointee_of_self(&self, receiver: &syn::Expr) -> syn::Expr {
        let receiver = super::places::strip(receiver);
        match self.is_reference_to_self(receiver) {
            true => syn::parse_quote!(*#receiver),
            false => receiver.clone(),
        }
    }

    fn is_reference_to_self(&self, receiver: &syn::Expr) -> bool {
        let is_reference = self.body.params.first().is_some_and(|own| {
            let binding = &self.body.vars[*own].binding;
            matches!(binding, Binding::Shared | Binding::Exclusive)
        });
        is_reference && matches!(super::places::strip(receiver), syn::Expr::Path(_))
    }

    /// Whether it is called on `self`, whose own functions have other names.
    fn is_operator_of_self(&self, call: &ExprMethodCall) -> bool {
        let is_own = match super::places::strip(&call.receiver) {
            syn::Expr::Path(path) => self.names_receiver(path),
            syn::Expr::Unary(unary) => match (&unary.op, super::places::strip(&unary.expr)) {
                (syn::UnOp::Deref(_), syn::Expr::Path(path)) => self.names_receiver(path),
                (_, _) => false,
            },
            _ => false,
        };
        let surroundings = self.annotated.surroundings();
        let is_of_type = surroundings.is_some_and(|known| {
            known.standard.is_none() && known.functions.contains_key(&call.method.to_string())
        });
        is_own && !is_of_type && self.is_operator(call)
    }

    fn names_receiver(&self, path: &syn::ExprPath) -> bool {
        let own = self.body.params.first().filter(|_| self.annotated.receiver.is_some());
        let named = path.path.get_ident().and_then(|name| self.find(&name.to_string()));
        own.is_some() && named == own.copied()
    }

    /// Only where a derivative has to pass through: there it is proved to be a float, and elsewhere the call stays what it is.
    fn may_be_operator_on_floats(&self, call: &ExprMethodCall) -> bool {
        self.is_operator(call)
            && self.float_params.is_empty()
            && self.sibling(call).is_none()
            && self.may_be_number(&call.receiver)
    }

    fn is_operator(&self, call: &ExprMethodCall) -> bool {
        self.calls.has(&call.method)
            && self.options.operators.contains(&call.method)
            && call.turbofish.is_none()
    }
}

fn type_of_value(arg: &ArgKind) -> Option<Type> {
    match arg {
        ArgKind::Value(value) => Some(value.ty.clone()),
        ArgKind::Shared(_) | ArgKind::Exclusive(_) | ArgKind::Omitted => None,
    }
}

/// The operator of a method with as many operands.
fn operator_called(call: &ExprMethodCall) -> Option<Operator> {
    let (operator, count) = match OF_VALUES.iter().find(|(name, _)| call.method == name) {
        Some((_, op)) => (Operator::Binary(*op), 1),
        None if call.method == "neg" => (Operator::Unary(UnaryOp::Neg), 0),
        None => return None,
    };
    (call.args.len() == count).then_some(operator)
}
