//! The turn from the forward to the backward sweep, where a stack is told what it holds.

use super::Entries;
use crate::ir::{StmtKind, Sweep, each_stmt};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Entries<'_> {
    /// What follows the forward sweep where the backward sweep comes next. Where nothing is put on the stack or beside it,
    /// nothing.
    pub(super) fn turn(&self, stack: &TokenStream) -> Option<TokenStream> {
        let kept = &self.kept;
        self.uses_stack().then(|| quote!(#stack.turn(&#kept);))
    }

    /// What stands around a backward sweep that is handed what was kept, on a stack that is not rewound afterwards.
    pub(super) fn holding(&self, stack: &Ident) -> (Option<TokenStream>, Option<TokenStream>) {
        let kept = &self.kept;
        let holding =
            self.keeps_lists().then(|| (quote!(#stack.hold(&#kept);), quote!(#stack.release();)));
        holding.unzip()
    }

    fn uses_stack(&self) -> bool {
        let mut uses = self.keeps_lists() || !self.kept_parts().1.is_empty();
        each_stmt(&self.product.adjoint.forward.block, &mut |stmt| {
            uses |= matches!(stmt.kind, StmtKind::Push { .. });
            if let StmtKind::Call(call) = &stmt.kind {
                uses |= matches!(call.sweep, Sweep::Forward { .. });
            }
        });
        uses
    }

    /// Whether something on the heap is kept by value.
    fn keeps_lists(&self) -> bool {
        let variables = &self.product.adjoint.backward.vars;
        let (by_value, _) = self.kept_parts();
        by_value.iter().any(|kept| owns_memory(&variables[kept.var].ty))
    }
}

/// Whether a value of a type that is known owns memory. What is kept of a slice is a list.
fn owns_memory(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::Vec(_) => true,
        Type::Array(element, _) => owns_memory(element),
        Type::Tuple(parts) => parts.iter().any(owns_memory),
        Type::Float(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    }
}
