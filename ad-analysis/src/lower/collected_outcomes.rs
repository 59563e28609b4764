//! `chain.map(f).collect::<Result<Vec<_>, _>>()?`: a list of what `f` returns, or the function fails as the first of them does.
//!
//! ```text
//! let logs: Vec<f64> = x.iter().map(|&v| ln(v)).collect::<Result<_, _>>()?;
//!
//! let mut logs = Vec::new();
//! for &v in x { logs.push(ln(v)?); }
//! ```

use super::chains::{Sink, is_path};
use super::places::strip;
use super::{Destination, Lowerer};
use crate::ir::{Expr, Place, StmtKind};
use crate::types::Type;
use syn::spanned::Spanned;
use syn::{Block, ExprMethodCall, GenericArgument, Stmt};

impl Lowerer<'_> {
    /// The list that a `collect()?` makes, if the items are what a function returns that is written there or has a name.
    pub(super) fn collected_and_passed_on(&mut self, chain: &syn::Expr) -> Option<Expr> {
        let collect = collect_of(chain)?;
        let GenericArgument::Type(stated) = collect.turbofish.as_ref()?.args.first()? else {
            return None;
        };
        let (carrier, list) = self.carried(stated)?;
        if self.carrier != Some(carrier) {
            return None;
        }
        let stated = self.lower_type(list);
        if let Some(wanted) = &self.wanted.take() {
            self.types.unify(&stated, wanted);
        }
        self.collected_outcomes(collect, &stated)
    }

    /// The same of a chain whose value is that of the function.
    pub(super) fn collected_and_returned(&mut self, chain: &syn::Expr) -> Option<Expr> {
        let collect = collect_of(chain)?;
        let result = self.body.result.filter(|_| self.carrier.is_some())?;
        let ty = self.body.vars[result].ty.clone();
        self.collected_outcomes(collect, &ty)
    }

    fn collected_outcomes(&mut self, collect: &ExprMethodCall, list: &Type) -> Option<Expr> {
        let syn::Expr::MethodCall(map) = strip(&collect.receiver) else { return None };
        if map.method != "map" || map.args.len() != 1 {
            return None;
        }
        let Type::Vec(element) = self.types.shallow(list) else { return None };
        let element = Type::clone(&element);
        let span = collect.span();
        self.attempt("a list of outcomes", |this| {
            let pipeline = this.iterator(&map.receiver)?;
            let function = this.function_that_fails(&map.args[0], 1)?;
            let list = this.empty_list(element.clone(), span);
            let sink: Sink<'_> = Box::new(|this, item, _| {
                let var = this.body.local("collected", element.clone(), span);
                this.emit(StmtKind::Let { var, value: None }, span);
                this.within(&function, vec![item], |this, body| {
                    this.lower_into(&payload_of(body), &Destination::Place(Place::var(var)));
                });
                let value = this.load(var, span);
                this.push_value(&Place::var(list), value, span);
            });
            this.drive(pipeline, None, span, sink)?;
            this.may_be_collected(&element).then(|| this.load(list, span))
        })
    }
}

fn collect_of(chain: &syn::Expr) -> Option<&ExprMethodCall> {
    match strip(chain) {
        syn::Expr::MethodCall(call) if call.method == "collect" => Some(call),
        _ => None,
    }
}

/// The payload of what a function returns: where there is none, the function around it fails.
fn payload_of(outcome: &syn::Expr) -> syn::Expr {
    match strip(outcome) {
        syn::Expr::Call(call)
            if call.args.len() == 1
                && (is_path(&call.func, "Ok") || is_path(&call.func, "Some")) =>
        {
            call.args[0].clone()
        }
        syn::Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
            syn::Expr::Block(syn::ExprBlock { block: block_of(&block.block), ..block.clone() })
        }
        syn::Expr::If(choice) => {
            let otherwise = choice
                .else_branch
                .as_ref()
                .map(|(token, otherwise)| (*token, Box::new(payload_of(otherwise))));
            syn::Expr::If(syn::ExprIf {
                then_branch: block_of(&choice.then_branch),
                else_branch: otherwise,
                ..choice.clone()
            })
        }
        syn::Expr::Match(choice) => {
            let arms = choice.arms.iter();
            let arms =
                arms.map(|arm| syn::Arm { body: Box::new(payload_of(&arm.body)), ..arm.clone() });
            syn::Expr::Match(syn::ExprMatch { arms: arms.collect(), ..choice.clone() })
        }
        fails if is_path(fails, "None") => syn::parse_quote!(return #fails),
        syn::Expr::Call(call) if is_path(&call.func, "Err") => {
            let (err, error) = (&call.func, &call.args);
            syn::parse_quote!(return #err(::core::convert::From::from(#error)))
        }
        outcome => syn::parse_quote!((#outcome)?),
    }
}

fn block_of(block: &Block) -> Block {
    let mut block = block.clone();
    if let Some(Stmt::Expr(tail, None)) = block.stmts.last_mut() {
        *tail = payload_of(tail);
    }
    block
}
