//! Types by what is done with a value. Of `Pair::new(x, y)` the arguments do not tell all parameters of `Pair`: where the result goes does.

use super::body::Emitter;
use super::witness::Shown;
use crate::index::Var;
use crate::ir::{Call, Expr, ExprKind, Op, StmtKind, each_stmt};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// What a function of a type returns, as far as the caller tells: it may be all that tells which type that is. The call is one of the
    /// forward sweep, whose arguments are those of the primal.
    pub(super) fn returned(&self, call: &Call, shown: &mut Shown) -> TokenStream {
        let rt = &self.rt;
        self.returned_by_taker(call, shown).unwrap_or_else(|| {
            let whole = self.witness_of_whole_call(call, shown);
            quote!(#rt::method::returned_as(|| #whole))
        })
    }

    /// The same, if what takes the result tells it.
    pub(super) fn returned_by_taker(&self, call: &Call, shown: &mut Shown) -> Option<TokenStream> {
        let rt = &self.rt;
        let is_whole = call.carrier.is_none() && call.failure.is_none();
        let result = call.result.filter(|_| is_whole).and_then(|var| self.result_of_primal(var))?;
        if let Some(ty) = self.stated(result) {
            return Some(quote!(#rt::method::returned::<#ty>()));
        }
        let told = self.definition_with_uses(result, shown)?;
        Some(quote!(#rt::method::returned_as(|| #told)))
    }

    /// The variable of the primal that takes the result of a call: it may be declared before the call.
    fn result_of_primal(&self, result: Var) -> Option<Var> {
        if self.primal.vars.get(result).is_some() {
            return Some(result);
        }
        let mut found = None;
        each_stmt(&self.body.block, &mut |stmt| match &stmt.kind {
            StmtKind::Assign { place, value } if value.as_var() == Some(result) => {
                found = Some(place.root);
            }
            _ => {}
        });
        found.filter(|var| self.primal.vars.get(*var).is_some())
    }

    /// A value of the type of a variable, behind what tells it.
    fn definition_with_uses(&self, var: Var, shown: &mut Shown) -> Option<TokenStream> {
        let definition = self.definition(var, shown)?;
        self.show_uses(var, shown);
        Some(definition)
    }

    /// Shows what a variable is handed to, up to where a type is stated.
    fn show_uses(&self, var: Var, shown: &mut Shown) {
        if !shown.used.insert(var) {
            return;
        }
        for stmt in self.definitions().uses.get(&var).into_iter().flatten() {
            match &stmt.kind {
                // Shapes are asked of what is known.
                StmtKind::Let {
                    value: Some(Expr { kind: ExprKind::Op(Op::Shape, _), .. }),
                    ..
                } => {}
                StmtKind::Let { var: taker, value: Some(value) } => {
                    self.show_use(*taker, shown, |shown| self.shown(value, shown));
                }
                StmtKind::Assign { place, value } if place.is_whole() => {
                    self.show_use(place.root, shown, |shown| self.shown(value, shown));
                }
                StmtKind::Call(call) => {
                    let use_of = |shown: &mut Shown| Some(self.witness_of_call(call, shown));
                    match call.result {
                        Some(result) => self.show_use(result, shown, use_of),
                        None => self.show_alone(shown, use_of, None),
                    }
                }
                _ => {}
            }
        }
    }

    /// Shows what a variable takes.
    fn show_use(
        &self,
        taker: Var,
        shown: &mut Shown,
        use_of: impl FnOnce(&mut Shown) -> Option<TokenStream>,
    ) {
        match self.stated(taker) {
            Some(ty) => self.show_alone(shown, use_of, Some(ty)),
            None => {
                self.definition_with_uses(taker, shown);
            }
        }
    }

    /// Shows an expression, of a type that is stated or not.
    fn show_alone(
        &self,
        shown: &mut Shown,
        use_of: impl FnOnce(&mut Shown) -> Option<TokenStream>,
        ty: Option<TokenStream>,
    ) {
        let rt = &self.rt;
        if let Some(value) = use_of(shown) {
            let ty = ty.unwrap_or_else(|| quote!(_));
            shown.declarations.extend(quote!(let _ = #rt::told::<#ty>(|| #value);));
        }
    }
}
