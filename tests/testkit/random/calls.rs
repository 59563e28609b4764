//! Random calls of the helpers.

use super::{Generator, LEN};
use ad_analysis::index::Var;
use ad_analysis::ir::{
    Arg, ArgKind, BinaryOp, Binding, Body, Call, CallMode, Callee, Expr, Place, Resolution, Slot,
    Stmt, StmtKind, Sweep,
};
use ad_analysis::types::Type;
use proc_macro2::{Ident, Span, TokenStream};

impl Generator<'_> {
    pub(super) fn call_stmt(
        &mut self,
        name: &str,
        args: Vec<ArgKind>,
        result: Option<Var>,
    ) -> Stmt {
        let callee =
            TokenStream::from(proc_macro2::TokenTree::from(Ident::new(name, Span::call_site())));
        let callee = Callee::Function(callee);
        let args = args.into_iter().map(|kind| Arg { kind, slot: Slot::Passive }).collect();
        let modes = [CallMode::Auto, CallMode::Joint, CallMode::Split];
        let mode = self.pick(&modes).expect("not empty");
        let call = Call {
            callee,
            args,
            result,
            kept: None,
            mode,
            sweep: Sweep::Primal,
            carrier: None,
            failure: None,
            resolution: Resolution::AsNamed,
        };
        self.emit(StmtKind::Call(call))
    }

    pub(super) fn call(&mut self) -> Vec<Stmt> {
        if self.helpers.is_empty() || self.loops > 1 {
            return self.assignment().into_iter().collect();
        }
        let helper = &self.helpers[self.rng.usize(..self.helpers.len())];
        let mut stmts = Vec::new();
        let mut args = Vec::new();
        let mut taken = Vec::new();
        for &param in &helper.params {
            let Some((arg, define)) = self.argument(helper, param, &mut taken) else {
                return self.assignment().into_iter().collect();
            };
            stmts.extend(define);
            args.push(arg);
        }
        let result = self.body.local("r", Type::F64, Span::call_site());
        stmts.push(self.call_stmt(&helper.name, args, Some(result)));
        self.floats.push(result);
        stmts
    }

    /// An argument for a parameter of a helper. What is passed as `&mut` is passed once.
    fn argument(
        &mut self,
        helper: &Body,
        param: Var,
        taken: &mut Vec<Var>,
    ) -> Option<(ArgKind, Option<Stmt>)> {
        let variable = &helper.vars[param];
        let whole = |this: &Self, var: &Var| match &this.body.vars[*var].ty {
            Type::Array(_, len) => **len == *LEN.to_string(),
            Type::Slice(_) => !matches!(this.body.vars[*var].binding, Binding::View(_)),
            _ => false,
        };
        match (&variable.binding, &variable.ty) {
            (Binding::Shared, _) => {
                let lists: Vec<Var> =
                    self.lists.iter().copied().filter(|v| whole(self, v)).collect();
                let list = self.pick(&lists)?;
                taken.push(list);
                Some((ArgKind::Shared(Place::var(list)), None))
            }
            (Binding::Exclusive, Type::Float(_)) => {
                let floats: Vec<Var> = self
                    .floats
                    .iter()
                    .copied()
                    .filter(|var| self.writable.contains(var) && !taken.contains(var))
                    .collect();
                let lists: Vec<Var> = self
                    .lists
                    .iter()
                    .copied()
                    .filter(|var| self.writable.contains(var) && !taken.contains(var))
                    .filter(|&var| !matches!(self.body.vars[var].binding, Binding::View(_)))
                    .collect();
                let list = self.pick(&lists).filter(|_| self.rng.f64() < 0.3);
                let place = match list {
                    Some(list) => {
                        taken.push(list);
                        self.element(list)
                    }
                    None => {
                        let var = self.pick(&floats)?;
                        taken.push(var);
                        Place::var(var)
                    }
                };
                // Indices are captured, as lowering does.
                Some((ArgKind::Exclusive(place), None))
            }
            (Binding::Exclusive, _) => {
                let lists: Vec<Var> = self
                    .lists
                    .iter()
                    .copied()
                    .filter(|v| whole(self, v) && self.writable.contains(v) && !taken.contains(v))
                    .collect();
                let list = self.pick(&lists)?;
                taken.push(list);
                Some((ArgKind::Exclusive(Place::var(list)), None))
            }
            (_, Type::Int(_)) => {
                let value = self.int(1);
                Some((ArgKind::Value(Expr::binary(BinaryOp::Rem, value, Expr::usize(3))), None))
            }
            _ => {
                let value = self.float(2);
                let (var, define) = self.let_float("t", value);
                Some((ArgKind::Value(self.load(var)), Some(define)))
            }
        }
    }
}
