//! Names of lists of which nothing is used but elements. Such a name may as well stand for the place that the list was copied from, if that
//! stays as it is: what is behind a field may be a slice, which is no value that a bar could have.

use super::places::strip;
use crate::stdlib::{self, Role};
use crate::walk::visit::{self, Visit};
use quote::ToTokens;
use syn::{Expr, ExprPath, ItemFn, Macro};

/// Whether a function uses elements or the length of a variable, and nothing else of it.
pub(super) fn uses_only_elements(function: &ItemFn, name: &str) -> bool {
    let mut uses = Uses { name, of_elements: 0, others: 0 };
    uses.visit_block(&function.block);
    uses.of_elements > 0 && uses.others == 0
}

/// How often a variable is used.
struct Uses<'n> {
    name: &'n str,
    of_elements: usize,
    others: usize,
}

impl Uses<'_> {
    fn is_it(&self, expr: &Expr) -> bool {
        matches!(strip(expr), Expr::Path(path) if path.path.is_ident(self.name))
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Index(index) if self.is_it(&index.expr) => {
                self.of_elements += 1;
                self.visit_expr(&index.index);
            }
            Expr::MethodCall(call)
                if self.is_it(&call.receiver) && stdlib::is(&call.method, Role::ReadsList) =>
            {
                self.of_elements += 1;
                call.args.iter().for_each(|arg| self.visit_expr(arg));
            }
            other => visit::visit_expr(self, other),
        }
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        self.others += usize::from(path.path.is_ident(self.name));
    }

    // Names may stand in formats, too.
    fn visit_macro(&mut self, call: &'ast Macro) {
        let text = call.tokens.to_token_stream().to_string();
        self.others += usize::from(text.contains(self.name));
    }
}
