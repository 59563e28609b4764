//! `#[adjoint]` on `impl Index` and `impl IndexMut`: what the index finds is read and written by methods, which have adjoints as others do.
//!
//! ```text
//! impl IndexMut<(usize, usize)> for Matrix {
//!     fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.data[i * self.columns + j] }
//! }
//!
//! impl Matrix {
//!     fn __index_mut_tuple_usize_usize(&self, (i, j): (usize, usize)) -> f64 { self.data[i * self.columns + j] }
//!     fn __index_set_tuple_usize_usize(&mut self, (i, j): (usize, usize), __value: f64) { self.data[i * self.columns + j] = __value; }
//! }
//! ```

use super::macros;
use crate::diag::{Diagnostic, Errors};
use crate::getters::{change_in, each_end};
use crate::ir::{Ending, IndexMethod};
use crate::walk::visit::Visit;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    Block, Expr, FnArg, GenericArgument, ImplItem, ImplItemFn, ItemImpl, Path, PathArguments, Type,
};

/// What is done with the place that a reference refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// What stands beside an `impl Index` or an `impl IndexMut`.
pub struct Beside {
    /// The block of methods.
    pub plain: TokenStream,
    /// The same with what is said to differentiate them.
    pub methods: ItemImpl,
    /// What the methods take for granted.
    pub proofs: TokenStream,
}

/// What stands beside a block, if it is one of an index.
pub fn beside(
    block: &ItemImpl,
    facade: Option<&TokenStream>,
) -> Option<Result<Beside, Vec<Diagnostic>>> {
    let (path, _) = block.trait_.as_ref()?;
    let is_exclusive = match path.segments.last()?.ident.to_string().as_str() {
        "Index" => false,
        "IndexMut" => true,
        _ => return None,
    };
    let errors = Errors::new();
    let beside = beside_block(block, facade, (path, is_exclusive), &errors);
    let errors = errors.take();
    Some(match beside {
        Some(beside) if errors.is_empty() => Ok(beside),
        Some(_) | None => Err(errors),
    })
}

fn beside_block(
    block: &ItemImpl,
    facade: Option<&TokenStream>,
    (path, is_exclusive): (&Path, bool),
    errors: &Errors,
) -> Option<Beside> {
    let Some(index) = index_type(path) else {
        errors.report(path.span(), "the type of the index is not seen", "write it, `Index<usize>`");
        return None;
    };
    let function = block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })?;
    let output = output_of(block, function, index)?;
    if matches!(output, Type::Slice(_)) {
        errors.report(
            output.span(),
            "an index that yields a slice is not supported yet",
            "annotate a method that returns the slice, `fn row(&self, i: usize) -> &[f64]`",
        );
        return None;
    }
    let chosen: &[IndexMethod] = match is_exclusive {
        false => &[IndexMethod::Get],
        true => &[IndexMethod::GetMut, IndexMethod::Set],
    };
    let methods = chosen.iter().map(|of| method(function, *of, (index, &output), errors));
    let ItemImpl { generics, self_ty, .. } = block;
    let (params, _, bounds) = generics.split_for_impl();
    let plain = quote! {
        #[doc(hidden)]
        #[allow(missing_docs, clippy::all, clippy::pedantic)]
        impl #params #self_ty #bounds { #(#methods)* }
    };
    let facade = facade.map_or_else(|| quote!(::backsweep), ToTokens::to_token_stream);
    let marker = match is_exclusive {
        false => quote!(#facade::__private::IndexedBy<#index>),
        true => quote!(#facade::__private::IndexedMutBy<#index>),
    };
    let mut proofs = proofs(block, path, index);
    proofs.extend(quote!(impl #params #marker for #self_ty #bounds {}));
    Some(Beside { methods: syn::parse2(plain.clone()).ok()?, plain, proofs })
}

/// That the trait is the one that its name says, and that numbers which are written as they are in an index, `m[(0, 1)]`, are none of other types: where the
/// type has the same index by `i32`, they are these.
fn proofs(block: &ItemImpl, path: &Path, index: &Type) -> TokenStream {
    let ItemImpl { generics, self_ty, .. } = block;
    let (params, _, bounds) = generics.split_for_impl();
    let of_trait = &path.segments.last().map(|last| &last.ident);
    let mut with_trait = generics.clone();
    with_trait.params.push(syn::parse_quote!(__T: #path));
    let (with_trait, _, _) = with_trait.split_for_impl();
    let by_literals = by_literals(index.to_token_stream());
    let is_only = (by_literals.to_string() != index.to_token_stream().to_string()).then(|| {
        quote! {
            trait _IndexedBy<__By> {
                const IS_ONLY: () = ();
            }
            impl<__T: ?::core::marker::Sized> _IndexedBy<()> for __T {}
            impl<__T: ?::core::marker::Sized + ::core::ops::Index<#by_literals>> _IndexedBy<i32> for __T {}
            fn _is_the_only_one #params () #bounds {
                <#self_ty as _IndexedBy<_>>::IS_ONLY
            }
        }
    });
    quote! {
        #[allow(dead_code, clippy::all)]
        const _: () = {
            fn _is_of_standard_library #with_trait (value: &__T) -> &impl ::core::ops::#of_trait<#index> #bounds {
                value
            }
            #is_only
        };
    }
}

/// An index with numbers of the type that literals have if nothing says which.
fn by_literals(index: TokenStream) -> TokenStream {
    let by_literal = |token| match token {
        TokenTree::Ident(name) if crate::types::Type::int(&name.to_string()).is_some() => {
            TokenTree::Ident(Ident::new("i32", name.span()))
        }
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), by_literals(group.stream())))
        }
        other @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => other,
    };
    index.into_iter().map(by_literal).collect()
}

/// The type of what the index finds. `Self::Output` stands for nothing outside of the block.
fn output_of(block: &ItemImpl, function: &ImplItemFn, index: &Type) -> Option<Type> {
    let declared = block.items.iter().find_map(|item| match item {
        ImplItem::Type(item) if item.ident == "Output" => Some(item.ty.clone()),
        _ => None,
    });
    let syn::ReturnType::Type(_, ty) = &function.sig.output else { return None };
    let ty = declared.or_else(|| match &**ty {
        Type::Reference(reference) => Some((*reference.elem).clone()),
        _ => None,
    });
    let of_block: Type = syn::parse_quote!(Self::Output);
    match ty? {
        ty if ty.to_token_stream().to_string() == of_block.to_token_stream().to_string() => {
            Some(syn::parse_quote!(<Self as ::core::ops::Index<#index>>::Output))
        }
        ty => Some(ty),
    }
}

fn index_type(path: &Path) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The method that does to the place what the place is for.
fn method(
    function: &ImplItemFn,
    method: IndexMethod,
    (index, output): (&Type, &Type),
    errors: &Errors,
) -> ImplItemFn {
    let mut function = function.clone();
    let span = function.sig.ident.span();
    function.sig.ident = Ident::new(&method.name(index), span);
    let access = match method {
        IndexMethod::Get | IndexMethod::GetMut => {
            if let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first_mut() {
                *receiver = syn::parse_quote_spanned!(receiver.span()=> &self);
            }
            function.sig.output = syn::parse_quote_spanned!(span=> -> #output);
            Access::Read
        }
        IndexMethod::Set => {
            let value = value(span);
            function.sig.inputs.push(syn::parse_quote_spanned!(span=> #value: #output));
            function.sig.output = syn::ReturnType::Default;
            Access::Write
        }
    };
    function.vis = syn::parse_quote_spanned!(span=> pub);
    let is_number = [quote!(f64), quote!(f32)]
        .map(|ty| ty.to_string())
        .contains(&output.to_token_stream().to_string());
    refuse_closures(&function.block, errors);
    let uses = Uses { access, is_number };
    each_end(&mut function.block, &mut |end| uses.end(end, errors));
    if method == IndexMethod::GetMut
        && let Some(change) = change_in(&function.block)
    {
        errors.report(
            change,
            "an `index_mut` that does more than find a place is not supported",
            "write the place, `&mut self.data[i]`",
        );
    }
    function
}

/// The parameter that holds what is written.
fn value(span: Span) -> Ident {
    Ident::new("__value", span)
}

/// What is done with places where the body has references to them: at its ends.
struct Uses {
    access: Access,
    /// Whether what the index finds is seen to be a number: anything else is cloned.
    is_number: bool,
}

impl Uses {
    fn end(&self, end: &mut Expr, errors: &Errors) {
        match end {
            Expr::Macro(mac) if macros::ending(&macros::name_of(&mac.mac)) == Ending::Diverges => {}
            Expr::Macro(mac) => errors.report(
                mac.span(),
                "a macro in the place of what an index finds is not supported",
                "write the place, `&self.data[i]`",
            ),
            Expr::Reference(reference) => *end = self.used((*reference.expr).clone()),
            reference => {
                let span = reference.span();
                let place = syn::parse_quote_spanned!(span=> *(#reference));
                *reference = self.used(place);
            }
        }
    }

    fn used(&self, place: Expr) -> Expr {
        let span = place.span();
        match self.access {
            Access::Read if self.is_number => place,
            Access::Read => syn::parse_quote_spanned!(span=> (#place).clone()),
            Access::Write => {
                let value = value(span);
                syn::parse_quote_spanned!(span=> { #place = #value; })
            }
        }
    }
}

fn refuse_closures(body: &Block, errors: &Errors) {
    struct Closures<'a>(&'a Errors);
    impl<'ast> Visit<'ast> for Closures<'_> {
        fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
            self.0.report(
                closure.span(),
                "a closure in an `impl` of an index is not supported",
                "write the place that it finds, `&self.data[i]`",
            );
        }
    }
    Closures(errors).visit_block(body);
}
