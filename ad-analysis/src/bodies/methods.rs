//! Functions of types as functions beside them: what they are called on is a parameter like others, and `Self` has a name.

use crate::context::{Function, Names};
use crate::read::rename_receiver;
use crate::signatures::{Receiver, receiver_of};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprField, ExprMethodCall, FnArg, ImplItemFn, ItemFn, Path, ReceiverKind, Type,
    Visibility,
};

/// A function of a type as one beside it; nothing, if it takes what it is called on in another way than the usual ones.
pub fn freed(item: &ItemFn, owner: &Type) -> Option<ItemFn> {
    let mut function = item.clone();
    if let Some(FnArg::Receiver(receiver)) = item.sig.inputs.first() {
        let taken = receiver_of(&item.sig)?;
        let lifetime = match &receiver.kind {
            ReceiverKind::Reference(_, lifetime, _) => lifetime.as_ref(),
            _ => None,
        };
        let mutability = receiver.mutability.filter(|_| taken == Receiver::Value);
        let ty = match taken {
            Receiver::Value => quote!(Self),
            Receiver::Shared => quote!(& #lifetime Self),
            Receiver::Exclusive => quote!(& #lifetime mut Self),
        };
        let name = rename_receiver(&mut function, receiver.self_token.span);
        function.sig.inputs[0] = syn::parse_quote!(#mutability #name: #ty);
    }
    let owner = owner.to_token_stream();
    let sig = syn::parse2(with_owner(function.sig.to_token_stream(), &owner)).ok()?;
    let block = syn::parse2(with_owner(function.block.to_token_stream(), &owner)).ok()?;
    Some(ItemFn { sig, block, ..function })
}

/// The tokens with a type in place of `Self`.
fn with_owner(tokens: TokenStream, owner: &TokenStream) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "Self" => owner.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_owner(group.stream(), owner));
            inner.set_span(group.span());
            inner.to_token_stream()
        }
        other => other.to_token_stream(),
    });
    replaced.collect()
}

/// Calls of methods of the type itself on the receiver, by their paths: where other traits are in scope, a method by its name may be
/// another one. rustc finds those first that take what the receiver is.
pub(super) fn with_paths_of_methods(
    function: &mut ItemFn,
    own: Option<Receiver>,
    siblings: &[ImplItemFn],
    owner: &Type,
) {
    let Some(FnArg::Typed(param)) = function.sig.inputs.first() else { return };
    let (Some(own), syn::Pat::Ident(pat)) = (own, &*param.pat) else { return };
    let is_open = |vis: &Visibility| match vis {
        Visibility::Public(_) => true,
        Visibility::Restricted(restricted) => restricted.path.is_ident("crate"),
        Visibility::Inherited => false,
    };
    let alike = siblings
        .iter()
        .filter(|method| is_open(&method.vis) && receiver_of(&method.sig) == Some(own));
    let names = alike.map(|method| method.sig.ident.to_string()).collect();
    let mut paths = Paths { receiver: pat.ident.clone(), names, own, owner };
    paths.visit_block_mut(&mut function.block);
}

struct Paths<'o> {
    receiver: Ident,
    names: BTreeSet<String>,
    own: Receiver,
    owner: &'o Type,
}

impl Paths<'_> {
    fn by_path(&self, call: &ExprMethodCall) -> Option<Expr> {
        let Expr::Path(path) = &*call.receiver else { return None };
        if !path.path.is_ident(&self.receiver) || !self.names.contains(&call.method.to_string()) {
            return None;
        }
        let (owner, method, turbofish, args) =
            (self.owner, &call.method, &call.turbofish, &call.args);
        let receiver = match self.own {
            Receiver::Value => path.to_token_stream(),
            Receiver::Shared => quote!(&*#path),
            Receiver::Exclusive => quote!(&mut *#path),
        };
        Some(syn::parse_quote!(#owner::#method #turbofish(#receiver, #args)))
    }
}

impl VisitMut for Paths<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr
            && let Some(by_path) = self.by_path(call)
        {
            *expr = by_path;
        }
    }
}

/// What a function of a type, `written` in its `impl` block and freed from it, mentions of the type that the module of `from` does not
/// see: a field of what it is called on, or a constant or a function of the block.
pub(super) fn hidden_member(
    function: &Function,
    written: &ItemFn,
    freed: &ItemFn,
    from: &Names,
) -> Option<(String, Span)> {
    let owner = function.own_type()?.to_token_stream().to_string();
    let receiver = match freed.sig.inputs.first().filter(|_| written.sig.receiver().is_some()) {
        Some(FnArg::Typed(param)) => Some(param.pat.to_token_stream().to_string()),
        Some(FnArg::Receiver(_)) | None => None,
    };
    let mut members = Members { owner, receiver, fields: Vec::new(), items: Vec::new() };
    members.visit_block(&freed.block);
    let (fields, items) = (function.fields_hidden_from(from), function.items_hidden_from(from));
    let mut hidden_fields = members.fields.into_iter().filter(|(name, _)| fields.contains(name));
    let mut hidden_items = members.items.into_iter().filter(|(name, _)| items.contains(name));
    hidden_fields.next().or_else(|| hidden_items.next())
}

/// What is mentioned of a type.
struct Members {
    owner: String,
    /// The variable that the method is called on.
    receiver: Option<String>,
    fields: Vec<(String, Span)>,
    items: Vec<(String, Span)>,
}

impl<'ast> Visit<'ast> for Members {
    fn visit_expr_field(&mut self, field: &'ast ExprField) {
        if self.receiver.as_ref() == Some(&field.base.to_token_stream().to_string()) {
            self.fields.push((field.member.to_token_stream().to_string(), field.member.span()));
        }
        visit::visit_expr_field(self, field);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let mut owner = path.clone();
        if let Some(last) = owner.segments.pop() {
            owner.segments.pop_punct();
            if owner.to_token_stream().to_string() == self.owner {
                self.items.push((last.ident.to_string(), last.ident.span()));
            }
        }
        visit::visit_path(self, path);
    }
}
