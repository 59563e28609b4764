//! Calls of getters: `grid.row(i)` is a place of `grid`, which is looked for once.
//!
//! ```text
//! let r = grid.row(i);        let at = grid.__at_of_row(i); let r = &grid[at];
//! ```

use super::{Lowerer, Operand};
use crate::bodies::{Receiver, lookup_proof_of};
use crate::getters::finder;
use crate::index::Var;
use crate::ir::{Binding, Class, Ending, Expr, ExprKind, Getter, Opaque, Place, Projection};
use crate::options::{Declaration, Subject};
use crate::types::{Type, TypeName};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// What a call of a getter refers to, if the method is one of the type that it is called on.
    pub(super) fn by_getter(&mut self, call: &syn::ExprMethodCall) -> Option<Operand> {
        let name = call.method.to_string();
        if !self.options.declared.has_getter(&name) || !self.names_are_unique {
            return None;
        }
        self.attempt("what a getter refers to", |this| {
            let mut owner = this.base_place(&call.receiver)?;
            owner = this.unboxed(owner);
            let ty = this.type_of(&owner);
            let (declared, is_repeatable) = this.getter(&ty, &name)?;
            let syn::Type::Reference(reference) = &declared.ty else { return None };
            let args: Vec<&syn::Expr> = call.args.iter().collect();
            let mut args = this.after(&mut owner, |this| this.values(&args));
            args.iter_mut().for_each(|arg| this.put_aside(arg));
            let finder = finder(&call.method, is_repeatable);
            let class = if is_repeatable { Class::Pure } else { Class::Once };
            let finder = Finder { method: call.method.clone(), finder, class };
            let at = this.located(&owner, &finder, args, reference);
            let getter = Getter {
                name: format!("{name}()").into(),
                found: reference.elem.to_token_stream(),
            };
            let place = owner.then(Projection::Got { getter: Rc::new(getter), at });
            let (found, declared) = (this.type_of(&place), this.lower_type(&reference.elem));
            this.types.unify(&found, &declared);
            let mutable = reference.mutability.is_some();
            Some(Operand::Reference { place, mutable, span: call.span() })
        })
    }

    /// The getter of that name of a type, and whether it may run again.
    fn getter(&mut self, ty: &Type, name: &str) -> Option<(Declaration, bool)> {
        let Type::Named(owner) = self.types.shallow(ty) else { return None };
        let declared = &self.options.declared;
        let found = |owner: String| {
            let subject = Subject::Getter(owner.clone(), name.to_owned());
            let again = declared.get(&subject).map(|found| (found, true));
            let subject = Subject::GetterOnce(owner, name.to_owned());
            again.or_else(|| declared.get(&subject).map(|found| (found, false)))
        };
        let plain = found(declared.name_of(&owner));
        if let Some((declaration, is_repeatable)) = plain.filter(|_| !owner.contains('<')) {
            return Some((declaration.clone(), is_repeatable));
        }
        let (declaration, is_repeatable) = found(declared.generic_name_of(&owner))?;
        let mut declaration = declaration.clone();
        let args = self.arguments_of_type(&owner);
        Arguments(&args).visit_type_mut(&mut declaration.ty);
        Some((declaration, is_repeatable))
    }

    /// The arguments of a type that has some.
    fn arguments_of_type(&self, name: &str) -> Vec<syn::Type> {
        let own = self.annotated.surroundings().map(|known| &known.self_type);
        let ty = match (name, own) {
            ("Self", Some(own)) => Some(own.clone()),
            (name, _) => syn::parse_str(name).ok(),
        };
        let Some(syn::Type::Path(path)) = ty else { return Vec::new() };
        let Some(last) = path.path.segments.last() else { return Vec::new() };
        let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return Vec::new() };
        let types = args.args.iter().filter_map(|arg| match arg {
            syn::GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        });
        types.collect()
    }

    /// Where it is found: the getter runs, once.
    fn located(
        &mut self,
        owner: &Place,
        finder: &Finder,
        args: Vec<Expr>,
        reference: &syn::TypeReference,
    ) -> Expr {
        let span = finder.method.span();
        let root = match owner.is_whole() {
            true => owner.root,
            false => self.make_view("owner", owner, false, span),
        };
        let variable = |this: &Self, var| Ident::new(&this.body.vars[var].name, span);
        let mut reads = vec![root];
        let args = args.iter().map(|arg| match (arg.as_literal(), arg.as_var()) {
            (Some(text), _) => text.parse().unwrap_or_default(),
            (None, Some(var)) => {
                reads.push(var);
                variable(self, var).into_token_stream()
            }
            (None, None) => unreachable!("it was put aside"),
        });
        let args: Vec<_> = args.collect();
        let (facade, owner) = (self.facade(), variable(self, root));
        let (found, method, class) = (&reference.elem, &finder.finder, finder.class);
        let proof = self.found_first(root, &owner, &finder.method, reference.mutability.is_some());
        let tokens = quote_spanned! {span=>
            #facade::__private::found::<#found, _, _>(#owner.#method(#(#args),*))
        };
        let tokens = match proof {
            None => tokens,
            Some(proof) => quote_spanned!(span=> { if false { #proof } #tokens }),
        };
        let opaque = Opaque {
            tokens,
            reads,
            writes: Vec::new(),
            declares: Vec::new(),
            class,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: None,
        };
        let ty = Type::Named(TypeName::of_place());
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span);
        let var = self.name_value("at", value);
        self.load(var, span)
    }

    /// Proves that the getter is found before the methods of traits. On a `&` to its type nothing is looked at before.
    fn found_first(
        &self,
        root: Var,
        owner: &Ident,
        method: &Ident,
        is_exclusive: bool,
    ) -> Option<TokenStream> {
        let facade = self.facade();
        let is_shared = match &self.body.vars[root].binding {
            Binding::Shared => true,
            Binding::Value | Binding::Exclusive | Binding::Global(_) | Binding::View(_) => false,
        };
        let receiver = match is_exclusive {
            true => Receiver::Exclusive,
            false if is_shared => return None,
            false => Receiver::Shared,
        };
        let value = match self.is_reference(root) {
            true => quote!(#facade::__private::method::like(&*#owner)),
            false => quote!(#facade::__private::method::like(&#owner)),
        };
        Some(lookup_proof_of(&value, method, receiver))
    }
}

/// How it is found where a getter leads to.
struct Finder {
    /// The getter.
    method: Ident,
    /// The method that finds it.
    finder: Ident,
    class: Class,
}

/// Puts the arguments of a type in the places of `A0`, `A1`, …
struct Arguments<'a>(&'a [syn::Type]);

impl VisitMut for Arguments<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let position = match &*ty {
            syn::Type::Path(path) => path.path.get_ident().and_then(|name| {
                name.to_string().strip_prefix('A').and_then(|number| number.parse::<usize>().ok())
            }),
            _ => None,
        };
        match position {
            Some(position) => {
                let unknown = || syn::parse_quote!(_);
                *ty = self.0.get(position).cloned().unwrap_or_else(unknown);
            }
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}
