//! `Vec`s that are parts of something else, and grow or shrink: they are taken out, changed, and put back,
//! by exchanges that cost nothing.

use super::Lowerer;
use crate::ir::{
    Binding, Expr, ExprKind, Op, Place, Projection, Stmt, StmtKind, each_block, exits_of,
};
use crate::types::Type;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// What a method of a list is called with.
#[derive(Clone, Copy)]
pub(super) enum Arguments<'a> {
    /// Values, which Rust evaluates before the list changes.
    Values(&'a [&'a syn::Expr]),
    /// What is gone through, or called, while the list changes.
    Parts(&'a [&'a syn::Expr]),
}

impl<'a> Arguments<'a> {
    fn all(self) -> &'a [&'a syn::Expr] {
        match self {
            Self::Values(all) | Self::Parts(all) => all,
        }
    }
}

impl Lowerer<'_> {
    /// Does something to the `Vec` that a method is called on, which may be a variable or a part of one.
    pub(super) fn with_list<R>(
        &mut self,
        receiver: &syn::Expr,
        args: Arguments<'_>,
        span: Span,
        change: impl FnOnce(&mut Self, &Place, &[&syn::Expr]) -> Option<R>,
    ) -> Option<R> {
        let list = self.attempt("a list that grows", |this| this.growing_list(receiver));
        if let Some(list) = list {
            return change(self, &list, args.all());
        }
        self.attempt("a list of a list that grows", |this| {
            let row = this.row(receiver)?;
            let is_read = args.all().iter().any(|arg| this.mentions(&arg.to_token_stream(), &row));
            this.scopes.push(super::Scope::default());
            let args: Vec<syn::Expr> = match (is_read, args) {
                (false, _) => args.all().iter().map(|&arg| arg.clone()).collect(),
                (true, Arguments::Values(values)) => this.evaluated(values),
                // The row is away while they are used.
                (true, Arguments::Parts(_)) => return None,
            };
            let args: Vec<&syn::Expr> = args.iter().collect();
            let taken = this.empty_vec_like(&row, span);
            let spelled = this.row_by_reference(receiver).unwrap_or(row);
            this.exchange(spelled.clone(), taken.clone(), span);
            let start = this.out.len();
            let result = change(this, &taken, &args)?;
            this.scopes.pop();
            // It must not be away for good.
            if this.out[start..].iter().any(may_leave) {
                return None;
            }
            this.exchange(spelled, taken, span);
            Some(result)
        })
    }

    /// Evaluates arguments, and gives them names.
    fn evaluated(&mut self, args: &[&syn::Expr]) -> Vec<syn::Expr> {
        let named = args.iter().enumerate().map(|(position, arg)| {
            let value = self.value(arg);
            let var = self.name_value("argument", value);
            let name = Ident::new(&format!("__argument_{position}"), arg.span());
            self.bind(&name.to_string(), var);
            syn::parse_quote!(#name)
        });
        named.collect()
    }

    /// The place of a `Vec` in a list or in a tuple, with its indices captured.
    fn row(&mut self, receiver: &syn::Expr) -> Option<Place> {
        let place = self.place(receiver)?;
        let ty = self.type_of(&place);
        let Type::Vec(_) = self.types.shallow(&ty) else { return None };
        let place = self.body.resolve(&place);
        Some(self.capture(place, "row"))
    }

    /// The same by the reference that the receiver is: while that is used, what it refers to may not be borrowed in another way.
    fn row_by_reference(&mut self, receiver: &syn::Expr) -> Option<Place> {
        let place = self.place(receiver)?;
        let is_view = matches!(self.body.vars[place.root].binding, Binding::View(_));
        (is_view && place.is_whole()).then_some(place)
    }

    /// A variable for an empty `Vec` of the type that a place has.
    pub(super) fn empty_vec_like(&mut self, place: &Place, span: Span) -> Place {
        let ty = self.type_of(place);
        let ty = self.types.shallow(&ty);
        let empty = Expr::new(ExprKind::Op(Op::Vec, Vec::new()), ty, span);
        let var = self.name_value("taken", empty);
        self.mutable.insert(var);
        Place::var(var)
    }

    /// Whether code mentions the variable that a place is a part of, and not only other fields of it.
    fn mentions(&self, code: &TokenStream, place: &Place) -> bool {
        let tokens: Vec<TokenTree> = code.clone().into_iter().collect();
        let mentions = |(position, token): (usize, &TokenTree)| match token {
            TokenTree::Ident(ident) => self.find(&ident.to_string()).is_some_and(|var| {
                let is_mentioned = self.rebound.contains_key(&var)
                    || self.iterators.contains_key(&var)
                    || self.closures.contains_key(&var)
                    || self.body.root_of(&Place::var(var)) == place.root;
                let is_itself = var == place.root && !is_within_path(&tokens[..position]);
                is_mentioned && !(is_itself && is_of_other_field(&tokens[position + 1..], place))
            }),
            TokenTree::Group(group) => self.mentions(&group.stream(), place),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        tokens.iter().enumerate().any(mentions)
    }
}

/// Whether a name is that of a field or of an item in something else.
fn is_within_path(before: &[TokenTree]) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(sign)) if [':', '.'].contains(&sign.as_char()))
}

/// Whether what follows the name of a variable is a field that a place in that variable is no part of.
fn is_of_other_field(after: &[TokenTree], place: &Place) -> bool {
    let [TokenTree::Punct(dot), field, rest @ ..] = after else { return false };
    let Some(Projection::Field(own)) = place.projections.first() else { return false };
    let is_method = match rest.first() {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        Some(TokenTree::Punct(sign)) => sign.as_char() == ':',
        Some(TokenTree::Ident(_) | TokenTree::Literal(_)) | None => false,
    };
    // `1.0` is two fields.
    let name = field.to_string();
    dot.as_char() == '.' && !is_method && !name.contains('.') && *name != **own
}

/// Whether control may leave by way of a statement.
fn may_leave(stmt: &Stmt) -> bool {
    !exits_of(stmt).is_empty() || may_fail(stmt)
}

/// Whether there is a call in a statement whose failure is that of the function.
fn may_fail(stmt: &Stmt) -> bool {
    let mut fails = matches!(&stmt.kind, StmtKind::Call(call) if call.carrier.is_some());
    each_block(stmt, &mut |block| fails |= block.stmts.iter().any(may_fail));
    fails
}
