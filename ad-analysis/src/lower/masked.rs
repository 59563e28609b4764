//! `T::from_bits(x.to_bits() & mask)` of a type parameter that stands for a float: its sign, or its last digits, are cleared.
//!
//! What the two functions do, and what the mask is, only traits of the user's know. So the slope is found where it is evaluated, from the
//! three numbers, and what is not understood there panics. A mask that depends on what is differentiated is refused.

use super::Lowerer;
use super::places::strip;
use crate::index::Var;
use crate::ir::{Class, Ending, Expr, ExprKind, Op, Opaque, Refusal};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// The value of such a call.
    pub(super) fn masked_bits(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let (ty, name) = self.function_of_parameter(&call.func)?;
        let [bits] = call.args.iter().collect::<Vec<_>>()[..] else { return None };
        let syn::Expr::Binary(both) = strip(bits) else { return None };
        if name != "from_bits" || !matches!(both.op, syn::BinOp::BitAnd(_)) {
            return None;
        }
        let operands = [&*both.left, &*both.right];
        let at = operands.iter().position(|operand| float_of_bits(operand).is_some())?;
        let float = float_of_bits(operands[at])?;
        self.attempt("bits of a float and a mask", |this| {
            let mut exprs = operands;
            exprs[at] = float;
            let mut values = this.values(&exprs);
            let (mask, float) = (values.remove(1 - at), values.remove(0));
            let is_meant = this.types.shallow(&float.ty) == ty;
            is_meant.then(|| this.masked(call, float, mask, &ty))
        })
    }

    fn masked(&mut self, call: &syn::ExprCall, float: Expr, mask: Expr, ty: &Type) -> Expr {
        let (span, from) = (call.span(), &call.func);
        let float = self.name_value("x", float);
        let mask = match mask.as_var() {
            Some(var) => var,
            None => self.name_value("mask", mask),
        };
        let facade = self.facade();
        let [x, with] = [float, mask].map(|var| self.code_name(var));
        let code = quote_spanned!(span=> #from(#x.to_bits() & #with));
        let value = self.noted("masked", (&[float, mask], code), None, ty, span);
        let refusal = Refusal {
            what: "a mask that depends on what is differentiated".into(),
            help: "compute with floats, or mark the expression `#[passive]` if its derivative does not matter".into(),
            callee: None,
        };
        let code = quote_spanned!(span=> #from(#with));
        let mask = self.noted("mask_value", (&[mask], code), Some(refusal), ty, span);
        let [result, with] = [value, mask].map(|var| self.code_name(var));
        let code =
            quote_spanned!(span=> #facade::__private::bits::slope_under_mask(#x, #result, #with));
        let slope = self.noted("slope", (&[float, value, mask], code), None, ty, span);
        let mut args = [value, slope, float].map(|var| self.load(var, span)).to_vec();
        args.extend([Expr::literal("0.0", ty.clone()), self.load(mask, span)]);
        Expr::new(ExprKind::Op(Op::Given, args), ty.clone(), span)
    }

    /// A variable for the value of code that reads others, and does nothing else.
    fn noted(
        &mut self,
        name: &str,
        (reads, tokens): (&[Var], TokenStream),
        refusal: Option<Refusal>,
        ty: &Type,
        span: Span,
    ) -> Var {
        let opaque = Opaque {
            tokens,
            reads: reads.to_vec(),
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::Pure,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal,
        };
        self.name_value(name, Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty.clone(), span))
    }

    fn code_name(&self, var: Var) -> Ident {
        Ident::new(&self.body.vars[var].name, Span::call_site())
    }
}

/// `x` of `x.to_bits()`.
fn float_of_bits(expr: &syn::Expr) -> Option<&syn::Expr> {
    match strip(expr) {
        syn::Expr::MethodCall(call) if call.method == "to_bits" && call.args.is_empty() => {
            Some(&call.receiver)
        }
        _ => None,
    }
}
