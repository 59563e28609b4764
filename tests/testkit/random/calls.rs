//! Random calls of the helpers.

use super::expressions::constant;
use super::{Generator, LEN};
use ad_analysis::index::Var;
use ad_analysis::ir::{
    Arg, ArgKind, BinaryOp, Binding, Body, Call, CallMode, Callee, Expr, Op, Place, Resolution,
    Slot, Stmt, StmtKind, Sweep,
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
                // What has been declared may be used later.
                stmts.extend(self.assignment());
                return stmts;
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
    ) -> Option<(ArgKind, Vec<Stmt>)> {
        let variable = &helper.vars[param];
        let whole = |this: &Self, var: &Var| match &this.body.vars[*var].ty {
            Type::Array(_, len) => **len == *LEN.to_string(),
            Type::Slice(_) => !matches!(this.body.vars[*var].binding, Binding::View(_)),
            _ => false,
        };
        match (&variable.binding, &variable.ty) {
            (Binding::Shared, Type::Named(_)) => {
                let is_struct = |var: &Var| matches!(self.body.vars[*var].ty, Type::Named(_));
                let structs: Vec<Var> = self.pairs.iter().copied().filter(is_struct).collect();
                if self.chance(0.5)
                    && let Some(var) = self.pick(&structs)
                {
                    return Some((ArgKind::Shared(Place::var(var)), Vec::new()));
                }
                let (var, define) = self.let_struct(&structs);
                Some((ArgKind::Shared(Place::var(var)), define))
            }
            (Binding::Shared, _) => {
                let lists: Vec<Var> =
                    self.lists.iter().copied().filter(|v| whole(self, v)).collect();
                let list = self.pick(&lists)?;
                taken.push(list);
                Some((ArgKind::Shared(Place::var(list)), Vec::new()))
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
                Some((ArgKind::Exclusive(place), Vec::new()))
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
                Some((ArgKind::Exclusive(Place::var(list)), Vec::new()))
            }
            (_, Type::Int(_)) => {
                let value = self.int(1);
                Some((
                    ArgKind::Value(Expr::binary(BinaryOp::Rem, value, Expr::usize(3))),
                    Vec::new(),
                ))
            }
            _ => {
                let value = self.float(2);
                let (var, define) = self.let_float("t", value);
                Some((ArgKind::Value(self.load(var)), vec![define]))
            }
        }
    }

    /// A struct to be passed: a copy of one of the others, or of a new one, of which a part is made constant. The callee adds to the
    /// bar of the whole.
    fn let_struct(&mut self, others: &[Var]) -> (Var, Vec<Stmt>) {
        let mut stmts = Vec::new();
        let original = match self.pick(others) {
            Some(other) => other,
            None => {
                let value = self.new_struct();
                self.let_pair(value, &mut stmts)
            }
        };
        let original = self.load(original);
        let ty = original.ty.clone();
        let var = self.let_pair(Expr::op(Op::Clone, vec![original], ty), &mut stmts);
        let place = Place::var(var).field(self.rng.usize(..2));
        stmts.push(self.emit(StmtKind::Assign { place, value: constant(0.5) }));
        (var, stmts)
    }

    fn let_pair(&mut self, value: Expr, stmts: &mut Vec<Stmt>) -> Var {
        let var = self.body.local("p", value.ty.clone(), Span::call_site());
        self.pairs.push(var);
        stmts.push(self.emit(StmtKind::Let { var, value: Some(value) }));
        var
    }
}
