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

use super::{compound_op, macros};
use crate::diag::{Diagnostic, Errors};
use crate::ir::{Ending, IndexMethod};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprReturn, FnArg, GenericArgument, ImplItem, ImplItemFn, ItemImpl, Path,
    PathArguments, Stmt, Type,
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
            "annotate a method that returns the elements, `fn row(&self, i: usize) -> Vec<f64>`",
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
    let methods = syn::parse2(quote! {
        #[doc(hidden)]
        #[allow(missing_docs, clippy::all, clippy::pedantic)]
        impl #params #self_ty #bounds { #(#methods)* }
    });
    let facade = facade.map_or_else(|| quote!(::backsweep), ToTokens::to_token_stream);
    let marker = match is_exclusive {
        false => quote!(#facade::__private::IndexedBy<#index>),
        true => quote!(#facade::__private::IndexedMutBy<#index>),
    };
    let mut proofs = proofs(block, path, index);
    proofs.extend(quote!(impl #params #marker for #self_ty #bounds {}));
    Some(Beside { methods: methods.ok()?, proofs })
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
    Places { access, is_number, errors, is_leaf: true }.visit_block_mut(&mut function.block);
    if method == IndexMethod::GetMut {
        Changes { errors }.visit_block(&function.block);
    }
    function
}

/// The parameter that holds what is written.
fn value(span: Span) -> Ident {
    Ident::new("__value", span)
}

/// Puts what is done with places where the body has references to them: at its ends.
struct Places<'a> {
    access: Access,
    /// Whether what the index finds is seen to be a number: anything else is cloned.
    is_number: bool,
    errors: &'a Errors,
    /// Whether the value of what is visited is that of the function.
    is_leaf: bool,
}

impl Places<'_> {
    fn of(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(inner) => self.of(&mut inner.expr),
            Expr::Group(inner) => self.of(&mut inner.expr),
            Expr::Block(inner) => self.block(&mut inner.block),
            Expr::Unsafe(inner) => self.block(&mut inner.block),
            Expr::If(choice) => {
                self.within(&mut choice.cond);
                self.block(&mut choice.then_branch);
                if let Some((_, otherwise)) = &mut choice.else_branch {
                    self.of(otherwise);
                }
            }
            Expr::Match(choice) => {
                self.within(&mut choice.expr);
                for arm in &mut choice.arms {
                    if let syn::Pat::Guard(guarded) = &mut arm.pat {
                        self.within(&mut guarded.guard);
                    }
                    self.of(&mut arm.body);
                }
            }
            Expr::Return(_) => self.within(expr),
            Expr::Macro(mac) if macros::ending(&macros::name_of(&mac.mac)) == Ending::Diverges => {}
            Expr::Macro(mac) => self.errors.report(
                mac.span(),
                "a macro in the place of what an index finds is not supported",
                "write the place, `&self.data[i]`",
            ),
            Expr::Reference(reference) => {
                let place = (*reference.expr).clone();
                *expr = self.used(place);
            }
            leaf => {
                let span = leaf.span();
                let place = syn::parse_quote_spanned!(span=> *(#leaf));
                *leaf = self.used(place);
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

    fn block(&mut self, block: &mut Block) {
        let Some((last, before)) = block.stmts.split_last_mut() else { return };
        before.iter_mut().for_each(|stmt| self.inside(stmt));
        match last {
            Stmt::Expr(expr, None) => self.of(expr),
            other => self.inside(other),
        }
    }

    fn inside(&mut self, stmt: &mut Stmt) {
        self.is_leaf = false;
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn within(&mut self, expr: &mut Expr) {
        self.is_leaf = false;
        self.visit_expr_mut(expr);
    }
}

impl VisitMut for Places<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        match std::mem::take(&mut self.is_leaf) {
            true => self.block(block),
            false => visit_mut::visit_block_mut(self, block),
        }
    }

    fn visit_expr_return_mut(&mut self, exit: &mut ExprReturn) {
        let Some(value) = &mut exit.expr else { return };
        self.of(value);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.errors.report(
            closure.span(),
            "a closure in an `impl` of an index is not supported",
            "write the place that it finds, `&self.data[i]`",
        );
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Looks for what changes something, which reading the place would do, too.
struct Changes<'a> {
    errors: &'a Errors,
}

impl Changes<'_> {
    fn refuse(&self, span: Span) {
        self.errors.report(
            span,
            "an `index_mut` that does more than find a place is not supported",
            "write the place, `&mut self.data[i]`",
        );
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.refuse(reference.span());
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method.to_string().ends_with("_mut") {
            self.refuse(call.method.span());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if compound_op(&binary.op).is_some() {
            self.refuse(binary.span());
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.refuse(assign.span());
    }
}
