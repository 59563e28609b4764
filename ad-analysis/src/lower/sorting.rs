//! Sorting by value. Which element goes where is found out by verbatim code that only reads the list,
//! and is a list of integers; the elements then change places one by one, as in any other exchange.

use super::{Lowerer, fence};
use crate::index::Var;
use crate::ir::{Class, Ending, Expr, ExprKind, Opaque, Place, Projection, Range, StmtKind};
use crate::stdlib::{self, Role};
use crate::types::Type;
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Lowerer<'_> {
    /// A method call whose value is dropped: methods that sort a list.
    pub(super) fn sorting_method(
        &mut self,
        call: &syn::ExprMethodCall,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<()> {
        if !stdlib::is(&call.method, Role::Sorts(args.len())) {
            return None;
        }
        let list = self.exchange_list(&call.receiver, span)?;
        let element = self.element_type(&list);
        let element = self.types.resolve(&element);
        // A derivative belongs to what is referred to, which stays where it is.
        let is_moved = element.may_carry_floats() && !element.is_reference();
        // Where there are no derivatives, the list is sorted as it is.
        if !is_moved {
            return None;
        }
        let exchanges = self.exchanges(call, &list, args);
        let end = self.len_of(exchanges.clone(), span);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        self.each_index(range, span, |this, k| {
            let other = Expr::load(exchanges.index(k.clone()), Type::USIZE, span);
            this.exchange(list.index(k), list.index(other), span);
        });
        Some(())
    }

    /// The list of the exchanges that sort another list, as the method would.
    fn exchanges(
        &mut self,
        call: &syn::ExprMethodCall,
        list: &Place,
        args: &[&syn::Expr],
    ) -> Place {
        let span = call.method.span();
        let refusal = Some(fence::refusal(&syn::Expr::MethodCall(call.clone())));
        let parts: Vec<Opaque> = args
            .iter()
            .map(|arg| {
                let access = self.access_of_callback(arg);
                self.resolved((*arg).clone(), access, refusal.clone(), |arg, resolver| {
                    resolver.visit_expr_mut(arg);
                })
            })
            .collect();
        let mut reads = BTreeSet::from([list.root]);
        reads.extend(parts.iter().flat_map(|part| part.reads.iter().copied()));
        let writes: BTreeSet<Var> =
            parts.iter().flat_map(|part| part.writes.iter().copied()).collect();
        let opaque = Opaque {
            tokens: self.call_of_library(&call.method, list, &parts),
            reads: reads.into_iter().collect(),
            writes: writes.into_iter().collect(),
            declares: Vec::new(),
            class: parts.iter().map(|part| part.class).max().unwrap_or(Class::State),
            ending: Ending::Continues,
            calls_unknown: parts.iter().any(|part| part.calls_unknown),
            refusal,
        };
        let ty = Type::vec(Type::USIZE);
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty.clone(), span);
        let var = self.body.local("exchanges", ty, span);
        self.emit(StmtKind::Let { var, value: Some(value) }, span);
        Place::var(var)
    }

    /// The function of the library that finds the exchanges, called for a list.
    fn call_of_library(&self, method: &Ident, list: &Place, parts: &[Opaque]) -> TokenStream {
        let span = method.span();
        let facade = self.facade();
        let name = Ident::new(&self.body.vars[list.root].name, span);
        let fields = list.projections.iter().map(|step| match step {
            Projection::Field(field) => {
                let field: syn::Member = syn::parse_str(field).expect("the user has written it");
                quote!(.#field)
            }
            Projection::Boxed
            | Projection::Index(_)
            | Projection::Slice { .. }
            | Projection::Got { .. } => {
                unreachable!("a reference stands for places that are found at run time")
            }
        });
        let args = parts.iter().map(|part| &part.tokens);
        let function = Ident::new(&method.to_string(), span);
        quote!(#facade::__private::#function(&#name #(#fields)* [..], #(#args),*))
    }
}
