//! Values that are put in a `Box`.

use super::places::strip;
use super::{Lowerer, fence};
use crate::ir::{Expr, ExprKind, Op, Projection, Refusal};
use crate::types::Type;
use proc_macro2::Ident;
use quote::quote;
use syn::spanned::Spanned;

/// The type and the name of the function that puts its argument into a box.
fn maker(call: &syn::ExprCall) -> Option<(syn::Path, &Ident)> {
    let syn::Expr::Path(path) = strip(&call.func) else { return None };
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // What a closure computes is not followed.
    let is_maker = path.qself.is_none()
        && call.args.len() == 1
        && !matches!(strip(&call.args[0]), syn::Expr::Closure(_))
        && matches!(
            names.as_slice(),
            ["Box", "new"] | ["boxed", "Box", "new"] | ["std" | "alloc", "boxed", "Box", "new"]
        );
    if !is_maker || path.path.segments.iter().any(|segment| !segment.arguments.is_none()) {
        return None;
    }
    let mut owner = path.path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    Some((owner, &path.path.segments.last()?.ident))
}

impl Lowerer<'_> {
    /// `Box::new(value)`, of a value that a derivative passes through; what else is put in a box is kept as it is.
    pub(super) fn boxed(&mut self, call: &syn::ExprCall, wanted: Option<&Type>) -> Option<Expr> {
        let (owner, name) = maker(call)?;
        let made = self.calls.has(name).then(|| {
            self.attempt("a box", |this| this.box_of(&owner, &call.args[0], wanted, call.span()))
        });
        made.flatten().or_else(|| {
            let expr = syn::Expr::Call(call.clone());
            let refusal = fence::refusal(&expr);
            let callee = (!self.calls.has(name)).then(|| name.clone());
            Some(self.verbatim_value(&expr, Some(Refusal { callee, ..refusal })))
        })
    }

    fn box_of(
        &mut self,
        owner: &syn::Path,
        held: &syn::Expr,
        wanted: Option<&Type>,
        span: proc_macro2::Span,
    ) -> Option<Expr> {
        let wanted = wanted.map(|wanted| self.types.shallow(wanted)).filter(Type::is_box);
        if let Some(inner) = wanted.as_ref().and_then(|wanted| self.held_in_box(wanted)) {
            self.want(strip(held), inner);
        }
        let value = self.value(held);
        let ty = match wanted {
            Some(wanted) => wanted,
            None => {
                let held: syn::Type =
                    syn::parse_str(&self.types.resolve(&value.ty).to_string()).ok()?;
                if matches!(held, syn::Type::Infer(_)) {
                    return None;
                }
                self.lower_type(&syn::parse_quote!(#owner<#held>))
            }
        };
        let inner = self.type_of_step(&ty, &Projection::Boxed);
        self.types.unify(&inner, &value.ty);
        // The box is the standard library's.
        self.add_item(quote!(const _: fn(#owner<()>) -> ::std::boxed::Box<()> = |it| it;));
        Some(Expr::new(ExprKind::Op(Op::Boxed, vec![value]), ty, span))
    }
}
