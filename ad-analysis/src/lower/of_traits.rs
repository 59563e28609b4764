//! Elementary functions of traits by their paths, `Real::sin_cos(x)`, `<T as Float>::powi(x, 2)`, and those of traits of type parameters that
//! have two values.
//!
//! What such a function does its trait says, which may be the user's. It is taken for the elementary function of its name, and generated code
//! checks that of its value wherever a derivative evaluates it, as of methods.

use super::Lowerer;
use super::generics::renamed;
use super::places::strip;
use super::scalars::is_float_trait;
use crate::ir::{Called, Expr, ExprKind, Op};
use crate::rules;
use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::borrow::Cow;

/// What operands are called in such calls.
pub(super) const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// What a function is taken for.
#[derive(Clone, Copy)]
enum Taken {
    /// The elementary function of that name.
    Elementary(&'static str),
    /// The sine and the cosine.
    Pair,
}

impl Taken {
    fn of(name: &str, arity: usize) -> Option<Self> {
        let has_arity =
            |rule: &&'static str| rules::method(rule).is_some_and(|rule| rule.args.len() == arity);
        let own = rules::method(name).map(|rule| rule.name).filter(has_arity);
        let is_pair = name == rules::PAIR.0 && arity == 1;
        let other = || renamed(name).filter(has_arity).map(Self::Elementary);
        own.map(Self::Elementary).or_else(other).or(is_pair.then_some(Self::Pair))
    }

    /// Whether an operand is an integer.
    fn takes_integer(self, position: usize) -> bool {
        match self {
            Self::Elementary(name) => {
                rules::method(name).is_some_and(|rule| rule.args[position].is_int)
            }
            Self::Pair => false,
        }
    }
}

impl Lowerer<'_> {
    /// `Real::sin(x)`: what a path leads to by way of a trait, if it has the name of an elementary function and is called with floats.
    pub(super) fn function_of_trait(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<Expr> {
        let name = &path.path.segments.last()?.ident;
        let taken = Taken::of(&name.to_string(), args.len())?;
        // What no derivative passes through may be anything.
        if path.qself.is_none() && !self.calls.has(name) {
            return None;
        }
        let is_exclusive = |arg: &&syn::Expr| matches!(strip(arg), syn::Expr::Reference(lent) if lent.mutability.is_some());
        if !self.leads_through_trait(path) || args.iter().any(is_exclusive) {
            return None;
        }
        let lent: Vec<bool> = args.iter().map(|arg| self.is_lent_number(arg)).collect();
        let (operands, ty) = self.attempt("a function of a trait", |this| {
            let exprs = args.iter().enumerate().map(|(position, arg)| {
                let arg = match strip(arg) {
                    syn::Expr::Reference(lent) => strip(&lent.expr),
                    arg => arg,
                };
                match taken.takes_integer(position) {
                    true => Cow::Borrowed(arg),
                    false => this.with_type_of_parameter(arg),
                }
            });
            let exprs: Vec<Cow<'_, syn::Expr>> = exprs.collect();
            let exprs: Vec<&syn::Expr> = exprs.iter().map(|expr| &**expr).collect();
            let operands = this.values(&exprs);
            let ty = this.type_of_operands(taken, &operands)?;
            Some((operands, ty))
        })?;
        let call = |names: &[Ident]| {
            let args = names.iter().zip(&lent).map(|(name, lent)| match lent {
                true => quote!(&#name),
                false => name.to_token_stream(),
            });
            quote!(#path(#(#args),*))
        };
        let Taken::Elementary(rule) = taken else {
            let angle = operands.into_iter().next()?;
            return Some(pair(self.pair_of_trait(angle, ty, call, span), span));
        };
        let names = OPERANDS[..operands.len()].iter();
        let names: Vec<Ident> =
            names.map(|operand| Ident::new(&self.body.names.fresh(operand), name.span())).collect();
        let tokens = call(&names);
        let called = Called { rule: Some(rule.into()), arguments: names, tokens };
        Some(Expr::new(ExprKind::Op(Op::Called(called.into()), operands), ty, span))
    }

    /// Whether a path leads to a function by way of a trait.
    fn leads_through_trait(&self, path: &syn::ExprPath) -> bool {
        if let Some(owner) = &path.qself {
            let of = owner
                .position
                .checked_sub(1)
                .map(|last| path.path.segments[last].ident.to_string());
            let is_last = owner.position + 1 == path.path.segments.len();
            return is_last && of.is_some_and(|of| is_float_trait(&of));
        }
        let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
        let names: Vec<String> = names.collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.is_through_trait(&names)
    }

    /// Whether an argument is a reference to a number.
    fn is_lent_number(&self, arg: &syn::Expr) -> bool {
        match strip(arg) {
            syn::Expr::Reference(_) => true,
            arg => self.names_reference(arg),
        }
    }

    /// The type of the floats among the operands, if they are of one.
    fn type_of_operands(&mut self, taken: Taken, operands: &[Expr]) -> Option<Type> {
        let is_integer = |position: &usize| taken.takes_integer(*position);
        let (integers, floats): (Vec<usize>, Vec<usize>) =
            (0..operands.len()).partition(is_integer);
        let types: Vec<Type> =
            operands.iter().map(|operand| self.types.shallow(&operand.ty)).collect();
        let known = floats.iter().map(|at| &types[*at]).find(|ty| ty.is_float());
        let ty = match (known.unwrap_or(&types[0]), self.float_params.as_slice()) {
            // A float that is not known is most likely one of the only type parameter: a call of one of another type does not compile.
            (Type::Infer(_), [only]) => Type::Float(FloatKind::Generic(only.as_str().into())),
            (ty, _) => ty.clone(),
        };
        let may_be_float =
            |at: &usize| types[*at] == ty || matches!(types[*at], Type::Infer(_) | Type::Unknown);
        if !floats.iter().all(may_be_float) || matches!(ty, Type::Named(_)) {
            return None;
        }
        for at in floats {
            self.types.unify(&types[at], &ty);
        }
        for at in integers {
            self.types.unify(&types[at], &Type::Int(IntKind::Named("i32")));
        }
        Some(ty)
    }

    /// The sine and the cosine, as the function of a trait has them.
    fn pair_of_trait(
        &mut self,
        mut angle: Expr,
        ty: Type,
        call: impl Fn(&[Ident]) -> TokenStream,
        span: Span,
    ) -> [Expr; 2] {
        if angle.as_var().is_none() {
            self.put_aside(&mut angle);
        }
        let [sine, cosine] = rules::PAIR.1;
        [(sine, quote!(.0)), (cosine, quote!(.1))].map(|(rule, part)| {
            let names = vec![Ident::new(&self.body.names.fresh(OPERANDS[0]), span)];
            let call = call(&names);
            let called =
                Called { rule: Some(rule.into()), arguments: names, tokens: quote!(#call #part) };
            let operands = vec![angle.clone()];
            Expr::new(ExprKind::Op(Op::Called(called.into()), operands), ty.clone(), span)
        })
    }

    /// The sine and the cosine: two operations, as in the standard library. Of a type parameter they are what its method says.
    pub(super) fn sine_and_cosine(
        &mut self,
        mut angle: Expr,
        method: &Ident,
        span: Span,
    ) -> [Expr; 2] {
        let ty = self.types.shallow(&angle.ty);
        let is_known = matches!(ty, Type::Float(FloatKind::F32 | FloatKind::F64));
        if !self.float_params.is_empty() && !is_known {
            let call = |names: &[Ident]| quote!(#(#names)*.#method());
            return self.pair_of_trait(angle, ty, call, span);
        }
        if angle.as_var().is_none() {
            self.put_aside(&mut angle);
        }
        rules::PAIR.1.map(|name| self.apply_method(name, vec![angle.clone()], span))
    }
}

/// Two values as a tuple.
pub(super) fn pair(parts: [Expr; 2], span: Span) -> Expr {
    let ty = Type::Tuple(parts.iter().map(|value| value.ty.clone()).collect());
    Expr::new(ExprKind::Op(Op::Tuple, parts.to_vec()), ty, span)
}
