//! Names in verbatim code: which variables does it mention, how does control leave it?

use super::access::{Access, Use};
use super::optional::{Optional, Parts, variables_of};
use super::wholes::together;
use super::{Lowerer, macros};
use crate::index::Var;
use crate::ir::{BinaryOp, Binding, Class, Ending, Opaque, Refusal};
use crate::read::{choice_of_matches, names_in, tokens_of_matches};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Macro, Token};

impl Lowerer<'_> {
    /// An expression as it is. Nobody knows what is done with its value.
    pub(super) fn verbatim(&mut self, expr: &syn::Expr, refusal: Option<Refusal>) -> Opaque {
        let access = self.access_of(expr, Use::Handed);
        self.resolved(expr.clone(), access, refusal, |expr, resolver| resolver.visit_expr_mut(expr))
    }

    /// Code of which it is known what it does, with the names of the body, as `visit` puts them.
    pub(super) fn resolved<T: ToTokens>(
        &mut self,
        mut code: T,
        access: Access,
        refusal: Option<Refusal>,
        visit: impl FnOnce(&mut T, &mut Resolver<'_, '_>),
    ) -> Opaque {
        let Access { writes, options, class, calls_unknown, numbers } = access;
        for (var, name) in options {
            self.wanted_whole(&name.to_string(), var, name.span());
            self.option_in_parts(name.span());
        }
        let mut resolver = Resolver {
            lowerer: self,
            reads: BTreeSet::new(),
            writes,
            numbers,
            whole: BTreeSet::new(),
            class,
            loops: 0,
            labels: Vec::new(),
            closures: 0,
        };
        visit(&mut code, &mut resolver);
        let Resolver { mut reads, writes, .. } = resolver;
        // The name of an `Option` in parts is no variable of the function.
        reads.retain(|var| !self.optionals.contains_key(var));
        Opaque {
            tokens: code.to_token_stream(),
            reads: reads.into_iter().collect(),
            writes: writes.into_iter().collect(),
            declares: Vec::new(),
            class,
            ending: Ending::Continues,
            calls_unknown,
            refusal,
        }
    }
}

/// Replaces the user's names by those of the body, and notes what is mentioned.
pub(super) struct Resolver<'l, 'a> {
    lowerer: &'l Lowerer<'a>,
    reads: BTreeSet<Var>,
    /// What the code may write, with what references that it mentions may refer to.
    writes: BTreeSet<Var>,
    /// The constants that are to be numbers.
    numbers: BTreeSet<String>,
    /// The `Option`s in parts that the code finds put together.
    pub(super) whole: BTreeSet<Var>,
    class: Class,
    /// Loops, labels and closures of the code itself around the present place.
    loops: usize,
    labels: Vec<String>,
    closures: usize,
}

impl Resolver<'_, '_> {
    /// Renames a variable of the body; says whether that changed anything.
    fn rename(&mut self, ident: &mut Ident) -> bool {
        let Some(var) = self.lowerer.find(&ident.to_string()) else { return false };
        let name = &self.lowerer.body.vars[var].name;
        if *ident == *name || matches!(self.lowerer.body.vars[var].binding, Binding::Global(_)) {
            return false;
        }
        *ident = Ident::new(name, ident.span());
        true
    }

    fn mention(&mut self, name: &str) {
        if let Some(var) = self.lowerer.find(name) {
            self.reads.insert(var);
            self.reads.extend(self.lowerer.may_refer_to(var));
            self.writes.extend(self.lowerer.may_refer_to(var));
        }
    }

    /// The `Option` in parts that an expression names.
    fn optional_named(&self, expr: &syn::Expr) -> Option<(Var, Optional)> {
        let syn::Expr::Path(path) = super::places::strip(expr) else { return None };
        let var = self.lowerer.find(&path.path.get_ident()?.to_string())?;
        Some((var, self.lowerer.optionals.get(&var)?.clone()))
    }

    /// Puts an `Option` in parts together, to be read.
    fn put_together(&mut self, expr: &mut syn::Expr) -> bool {
        let Some((var, optional)) = self.optional_named(expr) else { return false };
        if self.whole.contains(&var) {
            return false;
        }
        let Some(Parts { some, payload }) = variables_of(&optional) else {
            self.lowerer.option_in_parts(expr.span());
            return true;
        };
        self.reads.extend([some, payload]);
        let name = |var: Var| Ident::new(&self.lowerer.body.vars[var].name, expr.span());
        let (some, payload) = (name(some), name(payload));
        let together = together(&some, &payload);
        *expr = syn::parse_quote!((#together));
        true
    }

    /// An exit that leaves the code.
    fn leaves(&self, span: Span, what: &str) {
        self.lowerer.errors.report(
            span,
            format!("{what} out of code that the macro does not take apart is not supported"),
            "write the code around it with `if`, `match` on numbers, loops over ranges or slices, \
             and plain `let`s",
        );
    }

    fn tokens(&mut self, tokens: &TokenStream) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let Some(var) = self.lowerer.find(&name) else { continue };
                    if self.lowerer.optionals.contains_key(&var) && !self.whole.contains(&var) {
                        self.lowerer.option_in_parts(ident.span());
                    }
                    self.mention(&name);
                    self.must_be_alone(&name, var, ident.span());
                }
                TokenTree::Group(group) => self.tokens(&group.stream()),
                TokenTree::Literal(literal) => {
                    for name in self.format_string(&literal.to_string()) {
                        if let Some(var) = self.lowerer.find(&name) {
                            self.must_be_alone(&name, var, literal.span());
                        }
                    }
                }
                TokenTree::Punct(punct) => {
                    if punct.as_char() == '?' && self.closures == 0 {
                        self.leaves(punct.span(), "a `?`");
                    }
                }
            }
        }
    }

    /// Tokens are left as they are: what they mention must have that name.
    fn must_be_alone(&self, name: &str, var: Var, span: Span) {
        let variable = &self.lowerer.body.vars[var];
        let is_global = matches!(variable.binding, Binding::Global(_));
        if variable.name != name && !is_global {
            self.lowerer.errors.report(
                span,
                format!("this macro mentions `{name}`, of which there are several"),
                "give the variables different names",
            );
        }
    }

    /// The names of variables in a format string.
    fn format_string(&mut self, text: &str) -> Vec<String> {
        let mut names = names_in(text);
        names.retain(|name| self.lowerer.find(name).is_some());
        names.iter().for_each(|name| self.mention(name));
        names
    }

    /// A macro of the standard library whose arguments are expressions.
    fn known_macro(&mut self, mac: &mut Macro) -> bool {
        let list = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        let Ok(mut args) = list.parse2(mac.tokens.clone()) else { return false };
        let mut captured = Vec::new();
        let given: Vec<String> = args.iter().filter_map(argument_name).collect();
        for arg in &mut args {
            if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = arg {
                let mut names = self.format_string(&text.value());
                names.retain(|name| !given.contains(name) && !captured.contains(name));
                captured.append(&mut names);
            }
            // `name = value` names an argument.
            match arg {
                syn::Expr::Assign(named) => self.visit_expr_mut(&mut named.right),
                arg => self.visit_expr_mut(arg),
            }
        }
        let mut tokens = args.to_token_stream();
        for name in captured {
            let mut ident = Ident::new(&name, mac.span());
            let original = ident.clone();
            let separator = if args.trailing_punct() { None } else { Some(<Token![,]>::default()) };
            let mut whole: syn::Expr = syn::parse_quote!(#ident);
            if self.put_together(&mut whole) {
                tokens.extend(quote!(#separator #original = #whole));
            } else if self.rename(&mut ident) {
                tokens.extend(quote!(#separator #original = #ident));
            }
        }
        mac.tokens = tokens;
        true
    }
}

impl VisitMut for Resolver<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let is_twofold = match &*expr {
            syn::Expr::Path(path) => path.path.get_ident().is_some_and(|ident| {
                let var = self.lowerer.find(&ident.to_string());
                var.is_some_and(|var| self.lowerer.twofold.contains(var))
            }),
            _ => false,
        };
        if self.put_together(expr) {
            return;
        }
        if let syn::Expr::Path(path) = expr
            && self.numbers.contains(&path.to_token_stream().to_string())
        {
            let (facade, span) = (self.lowerer.facade(), path.span());
            *expr = syn::parse_quote_spanned!(span=> #facade::__private::constant(#path));
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
        if is_twofold {
            *expr = syn::parse_quote!((&#expr));
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.qself.is_none()
            && let Some(ident) = path.path.get_ident()
        {
            self.mention(&ident.to_string());
            let mut ident = ident.clone();
            if self.rename(&mut ident) {
                path.path = ident.into();
            }
        }
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        if self
            .lowerer
            .find(&pat.ident.to_string())
            .is_some_and(|var| self.lowerer.optionals.contains_key(&var))
        {
            self.lowerer.errors.report(
                pat.ident.span(),
                format!("`{}` hides an `Option` or a `Result` of that name in code that is kept as it is", pat.ident),
                "give one of them another name",
            );
        }
        self.rename(&mut pat.ident);
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        let before = field.expr.to_token_stream().to_string();
        self.visit_expr_mut(&mut field.expr);
        if field.colon_token.is_none() && field.expr.to_token_stream().to_string() != before {
            field.colon_token = Some(<Token![:]>::default());
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let before = field.pat.to_token_stream().to_string();
        self.visit_pat_mut(&mut field.pat);
        if field.colon_token.is_none() && field.pat.to_token_stream().to_string() != before {
            field.colon_token = Some(<Token![:]>::default());
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        let is_list = self.lowerer.reads_indexed(call);
        visit_mut::visit_expr_method_call_mut(self, call);
        if is_list {
            let (receiver, facade) = (&call.receiver, self.lowerer.facade());
            *call.receiver = syn::parse_quote_spanned!(receiver.span()=> #facade::__private::proven_list(&#receiver));
        }
    }

    fn visit_expr_binary_mut(&mut self, binary: &mut syn::ExprBinary) {
        let is_test = super::expr::binary_op(&binary.op).is_some_and(BinaryOp::is_test);
        let of_users = [&binary.left, &binary.right].map(|operand| {
            is_test && self.class != Class::Once && self.lowerer.may_be_of_users(operand)
        });
        visit_mut::visit_expr_binary_mut(self, binary);
        for (operand, of_user) in [&mut binary.left, &mut binary.right].into_iter().zip(of_users) {
            if of_user {
                let facade = self.lowerer.facade();
                **operand = syn::parse_quote_spanned!(operand.span()=> *#facade::__private::compared(&#operand));
            }
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let name = macros::name_of(mac);
        if name == "matches"
            && let Some(mut choice) = choice_of_matches(mac)
        {
            visit_mut::visit_expr_match_mut(self, &mut choice);
            mac.tokens = tokens_of_matches(&choice);
            return;
        }
        if macros::class_of(&name).is_none() || !self.known_macro(mac) {
            self.tokens(&mac.tokens.clone());
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.closures += 1;
        visit_mut::visit_expr_closure_mut(self, closure);
        self.closures -= 1;
    }

    fn visit_expr_return_mut(&mut self, exit: &mut syn::ExprReturn) {
        if self.closures == 0 {
            self.leaves(exit.return_token.span(), "a `return`");
        }
        visit_mut::visit_expr_return_mut(self, exit);
    }

    fn visit_expr_try_mut(&mut self, exit: &mut syn::ExprTry) {
        if self.closures == 0 {
            self.leaves(exit.question_token.span(), "a `?`");
        }
        visit_mut::visit_expr_try_mut(self, exit);
    }

    fn visit_expr_break_mut(&mut self, exit: &mut syn::ExprBreak) {
        let inside = match &exit.label {
            Some(label) => self.labels.contains(&label.ident.to_string()),
            None => self.loops > 0,
        };
        if !inside {
            self.leaves(exit.break_token.span(), "a `break`");
        }
        visit_mut::visit_expr_break_mut(self, exit);
    }

    fn visit_expr_continue_mut(&mut self, exit: &mut syn::ExprContinue) {
        let inside = match &exit.label {
            Some(label) => self.labels.contains(&label.ident.to_string()),
            None => self.loops > 0,
        };
        if !inside {
            self.leaves(exit.continue_token.span(), "a `continue`");
        }
    }

    fn visit_label_mut(&mut self, label: &mut syn::Label) {
        self.labels.push(label.name.ident.to_string());
    }

    fn visit_expr_loop_mut(&mut self, repetition: &mut syn::ExprLoop) {
        self.loops += 1;
        visit_mut::visit_expr_loop_mut(self, repetition);
        self.loops -= 1;
    }

    fn visit_expr_while_mut(&mut self, repetition: &mut syn::ExprWhile) {
        self.loops += 1;
        visit_mut::visit_expr_while_mut(self, repetition);
        self.loops -= 1;
    }

    fn visit_expr_for_loop_mut(&mut self, repetition: &mut syn::ExprForLoop) {
        self.loops += 1;
        visit_mut::visit_expr_for_loop_mut(self, repetition);
        self.loops -= 1;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {
        // Items see none of the variables.
    }
}

/// The name that an argument of a macro is given.
fn argument_name(argument: &syn::Expr) -> Option<String> {
    let syn::Expr::Assign(named) = argument else { return None };
    Some(named.left.to_token_stream().to_string())
}
