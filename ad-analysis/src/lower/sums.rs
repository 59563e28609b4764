//! `sum` and `product` of values of users' types: `#[adjoint]` on `impl Sum for Type` puts a function of a list beside it, which has
//! derivatives as others do, and a chain that ends so is a call of it.
//!
//! ```text
//! impl Sum for Vec2 { fn sum<I: Iterator<Item = Vec2>>(iter: I) -> Vec2 { iter.fold(Vec2::ZERO, |a, b| a + b) } }
//! impl Vec2 { fn __sum_of_values(items: &[Vec2]) -> Vec2 { let iter = items.iter().cloned(); iter.fold(Vec2::ZERO, |a, b| a + b) } }
//!
//! points.iter().map(f).sum::<Vec2>()          let mut list = Vec::new(); …; Vec2::__sum_of_values(&list)
//! ```

use super::calls::OnFailure;
use super::chains::Sink;
use super::index_methods::Beside;
use super::items::Item;
use super::{Lowerer, Operand};
use crate::ir::{ArgKind, Callee, Expr, Place};
use crate::options::Subject;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, ImplItem, ItemImpl, Pat, PathArguments};

/// What is added up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Items {
    Values,
    References,
}

/// The function of a list that stands beside an `impl`.
fn function_of(of_trait: &str, items: Items, span: Span) -> Ident {
    let trait_name = of_trait.to_lowercase();
    match items {
        Items::Values => format_ident!("__{trait_name}_of_values", span = span),
        Items::References => format_ident!("__{trait_name}_of_references", span = span),
    }
}

/// What stands beside a block, if it is one of `Sum` or `Product` of values of its type, or of references to such.
pub fn beside(block: &ItemImpl) -> Option<Beside> {
    let (path, _) = block.trait_.as_ref()?;
    let of_trait = path.segments.last()?;
    let name = of_trait.ident.to_string();
    if !["Sum", "Product"].contains(&name.as_str()) {
        return None;
    }
    let argument = match &of_trait.arguments {
        PathArguments::None => None,
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => return None,
        },
        PathArguments::Parenthesized(_) => return None,
    };
    let (items, added) = match argument {
        Some(syn::Type::Reference(reference)) => (Items::References, Some(&*reference.elem)),
        Some(_) | None => (Items::Values, argument),
    };
    let own = block.self_ty.to_token_stream().to_string();
    let is_own =
        |ty: &syn::Type| ["Self", &own].contains(&ty.to_token_stream().to_string().as_str());
    if !added.is_none_or(is_own) {
        return None;
    }
    let function = block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })?;
    let FnArg::Typed(param) = function.sig.inputs.first()? else { return None };
    let Pat::Ident(iter) = &*param.pat else { return None };
    let source = match items {
        Items::Values => quote!(__items.iter().cloned()),
        Items::References => quote!(__items.iter()),
    };
    let ItemImpl { generics, self_ty, .. } = block;
    let (params, _, bounds) = generics.split_for_impl();
    let (method, stmts) =
        (function_of(&name, items, function.sig.ident.span()), &function.block.stmts);
    let methods = |attribute: TokenStream| {
        quote! {
            #[doc(hidden)]
            #[allow(missing_docs, clippy::all, clippy::pedantic)]
            impl #params #self_ty #bounds {
                #attribute
                pub fn #method(__items: &[#self_ty]) -> #self_ty {
                    let #iter = #source;
                    #(#stmts)*
                }
            }
        }
    };
    let plain = methods(TokenStream::new());
    let methods =
        syn::parse2(methods(quote!(#[adjoint(independents(__items), entries())]))).ok()?;
    let mut with_trait = generics.clone();
    with_trait.params.push(syn::parse_quote!(__T: #path));
    let (with_trait, _, _) = with_trait.split_for_impl();
    let (of_trait, added) = (&of_trait.ident, argument.map_or(quote!(__T), |of| quote!(#of)));
    let proofs = quote! {
        #[allow(dead_code, clippy::all)]
        const _: () = {
            fn _is_of_standard_library #with_trait (value: __T) -> impl ::core::iter::#of_trait<#added> #bounds {
                value
            }
        };
    };
    Some(Beside { plain, methods, proofs })
}

impl Lowerer<'_> {
    /// The sum, or the product, of values of a user's type.
    pub(super) fn accumulated_by_users(
        &mut self,
        call: &syn::ExprMethodCall,
        of: &Type,
    ) -> Option<Expr> {
        let (span, owner) = (call.span(), self.declared_name(of)?);
        let of_trait = if call.method == "sum" { "Sum" } else { "Product" };
        let pipeline = self.iterator(&call.receiver)?;
        let list = self.empty_list(of.clone(), span);
        let mut items = Items::Values;
        let sink: Sink<'_> = Box::new(|this, item, _| {
            if let Item::Operand(Operand::Reference { .. }) | Item::Lent(_) = &item {
                items = Items::References;
            }
            let value = this.cloned_item(item);
            // A type may be the sum of values of another one.
            let known = this.types.shallow(&value.ty);
            this.misfit |=
                !this.types.is_open(&known) && this.declared_name(&known) != this.declared_name(of);
            this.types.unify(&value.ty, of);
            this.push_value(&Place::var(list), value, span);
        });
        self.drive(pipeline, None, span, sink)?;
        let added = match items {
            Items::Values => owner.clone(),
            Items::References => format!("&{owner}"),
        };
        self.declaration(&Subject::Operator(of_trait.to_owned(), owner, added))?;
        let spelled: syn::Path = syn::parse_str(&self.types.resolve(of).to_string()).ok()?;
        let function = function_of(of_trait, items, span);
        let callee = Callee::Associated(quote_spanned!(span=> #spelled::#function));
        let result = self.body.local(&format!("{}_value", call.method), of.clone(), span);
        let argument = ArgKind::Shared(Place::var(list));
        self.emit_call(
            callee,
            &function,
            vec![argument],
            Some(result),
            OnFailure::Impossible,
            span,
        );
        self.results.insert(result);
        self.note_of_user(Some(result));
        Some(self.load(result, span))
    }
}
