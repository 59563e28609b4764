//! Calls of getters: `grid.row(i)` is a place of `grid`, which is looked for once.
//!
//! ```text
//! let r = grid.row(i);        let at = grid.__at_of_row(i); let r = &grid[at];
//! ```

use super::items::Item;
use super::optional::{Failure, Optional};
use super::places::strip;
use super::{Lowerer, Operand};
use crate::bodies::lookup_proof_of;
use crate::getters::{finder, part_of_getter};
use crate::index::Var;
use crate::ir::{Binding, Class, Ending, Expr, ExprKind, Getter, Opaque, Place, Projection};
use crate::options::Declaration;
use crate::signatures::Receiver;
use crate::types::{Type, TypeName};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// What a call of a getter refers to, if the method is one of the type that it is called on.
    pub(super) fn by_getter(&mut self, call: &syn::ExprMethodCall) -> Option<Operand> {
        if !self.may_be_getter(call) {
            return None;
        }
        let place = self.attempt("what a getter refers to", |this| {
            let called = this.getter_called(call)?;
            if called.is_optional || !this.leads_to_place(&called) {
                return None;
            }
            let (tokens, at) = this.located(&called, call);
            let at = this.found(tokens, at, called.class, Type::Named(TypeName::of_place()));
            Some(this.operand_got(&called, at, call))
        });
        place.or_else(|| {
            let place = Place::var(self.copied_behind_getter(call, &[])?);
            Some(Operand::Reference { place, mutable: false, span: call.span() })
        })
    }

    /// The same of a getter that returns a reference in an `Option`.
    pub(super) fn by_optional_getter(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        if !self.may_be_getter(call) {
            return None;
        }
        self.attempt("what a getter refers to, if it does", |this| {
            let mut called = this.getter_called(call).filter(|called| called.is_optional)?;
            if !this.leads_to_place(&called) {
                return None;
            }
            called.owner = this.capture(called.owner, "owner");
            let (tokens, reads) = this.located(&called, call);
            let (span, place) = (call.method.span(), || Type::Named(TypeName::of_place()));
            let found = this.found(tokens, reads, called.class, place());
            let var = found.as_var()?;
            let (facade, name) = (this.facade(), Ident::new(&this.body.vars[var].name, span));
            let some = quote_spanned!(span=> #name.is_some());
            let some = this.found(some, vec![var], Class::Pure, Type::Bool);
            let at = quote_spanned!(span=> #facade::__private::place_if_any(#name));
            let at = this.found(at, vec![var], Class::Pure, place());
            let payload = Item::Operand(this.operand_got(&called, at, call));
            Some(Optional { some, payload, failure: Failure::None })
        })
    }

    pub(super) fn may_be_getter(&self, call: &syn::ExprMethodCall) -> bool {
        self.options.declared.has_getter(&call.method.to_string()) && self.names_are_unique
    }

    pub(super) fn getter_called(&mut self, call: &syn::ExprMethodCall) -> Option<Called> {
        // In a `Box` methods of traits for boxes are found before, of which nothing is proved: there is no type to be found.
        let mut owner = self.base_place(&call.receiver)?;
        let ty = self.type_of(&owner);
        let name = call.method.to_string();
        let (declared, is_repeatable) = self.getter(&ty, &name)?;
        let is_passive = self.is_passive_getter(&ty, &name);
        let (reference, is_optional) = match declared.ty {
            syn::Type::Reference(reference) => (reference, false),
            ty => (reference_in_option(ty)?, true),
        };
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let args = self.after(&mut owner, |this| this.values(&args));
        // Counters of loops are there in the backward sweep, too.
        let args = args.into_iter().map(|arg| self.captured(arg, "operand")).collect();
        let finder = finder(&call.method, is_repeatable);
        let class = if is_repeatable { Class::Pure } else { Class::Once };
        Some(Called { owner, reference, is_passive, is_optional, args, finder, class })
    }

    /// Whether zones tell what a getter leads to.
    fn leads_to_place(&self, called: &Called) -> bool {
        !called.is_passive || self.is_part_of_lent(&called.owner)
    }

    fn is_passive_getter(&self, ty: &Type, name: &str) -> bool {
        let Type::Named(owner) = self.types.shallow(ty) else { return false };
        self.options.declared.is_passive_getter(&owner, name)
    }

    /// Whether a place is a field of what a parameter lends: nothing is written there, and zones tell it apart.
    pub(super) fn is_part_of_lent(&self, place: &Place) -> bool {
        let place = self.body.resolve(place);
        let is_shared = matches!(self.body.vars[place.root].binding, Binding::Shared);
        let is_field = |step: &Projection| match step {
            Projection::Field(_) => true,
            Projection::Got { getter, .. } => getter.is_passive,
            Projection::Boxed | Projection::Index(_) | Projection::Slice { .. } => false,
        };
        is_shared
            && self.body.params.contains(&place.root)
            && place.projections.iter().all(is_field)
    }

    /// A reference to the place, if it is known where it is.
    fn operand_got(&mut self, called: &Called, at: Expr, call: &syn::ExprMethodCall) -> Operand {
        let place = self.place_got(called, at, call);
        let (found, declared) = (self.type_of(&place), self.lower_type(&called.reference.elem));
        self.types.unify(&found, &declared);
        let mutable = called.reference.mutability.is_some();
        Operand::Reference { place, mutable, span: call.span() }
    }

    /// The place.
    pub(super) fn place_got(
        &mut self,
        called: &Called,
        at: Expr,
        call: &syn::ExprMethodCall,
    ) -> Place {
        let &Called { ref owner, ref reference, is_passive, .. } = called;
        let name = part_of_getter(&call.method.to_string()).into();
        let found = reference.elem.to_token_stream();
        let getter = Getter { name, found, is_passive };
        owner.clone().then(Projection::Got { getter: Rc::new(getter), at })
    }

    /// The getter of that name of a type, and whether it may run again.
    fn getter(&self, ty: &Type, name: &str) -> Option<(Declaration, bool)> {
        let Type::Named(owner) = self.types.shallow(ty) else { return None };
        let (declaration, is_repeatable) = self.options.declared.getter(&owner, name)?;
        let mut declaration = declaration.clone();
        let args = self.arguments_of_type(&owner);
        if !args.is_empty() {
            Arguments(&args).visit_type_mut(&mut declaration.ty);
        }
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

    /// The code that finds where it is, and the variables that it mentions: the getter runs, once.
    pub(super) fn located(
        &mut self,
        called: &Called,
        call: &syn::ExprMethodCall,
    ) -> (TokenStream, Vec<Var>) {
        let span = call.method.span();
        let Operands { owner, args, reads } =
            self.operands_of_call(&called.owner, &called.args, call);
        let facade = self.facade();
        let Called { reference, is_optional, finder, .. } = called;
        let found = &reference.elem;
        let proof = self.found_first(reads[0], &owner, call, reference.mutability.is_some());
        let told = Ident::new(if *is_optional { "found_if_any" } else { "found" }, span);
        let tokens = quote_spanned! {span=>
            #facade::__private::#told::<#found, _, _>(#owner.#finder(#(#args),*))
        };
        let tokens = match proof {
            None => tokens,
            Some(proof) => quote_spanned!(span=> { if false { #proof } #tokens }),
        };
        (tokens, reads)
    }

    /// How generated code names what a method is called on and with: variables and literals.
    pub(super) fn operands_of_call(
        &mut self,
        owner: &Place,
        args: &[Expr],
        call: &syn::ExprMethodCall,
    ) -> Operands {
        let span = call.method.span();
        let root = match owner.is_whole() {
            true => owner.root,
            false => self.make_view("owner", owner, false, span),
        };
        let (args, mut reads) = self.spelled_operands(args, span);
        reads.insert(0, root);
        Operands { owner: Ident::new(&self.body.vars[root].name, span), args, reads }
    }

    /// Literals and variables as generated code names them, and the latter.
    pub(super) fn spelled_operands(
        &self,
        args: &[Expr],
        span: proc_macro2::Span,
    ) -> (Vec<TokenStream>, Vec<Var>) {
        let mut reads = Vec::new();
        let args = args.iter().map(|arg| match (arg.as_literal(), arg.as_var()) {
            (Some(text), _) => text.parse().unwrap_or_default(),
            (None, Some(var)) => {
                reads.push(var);
                Ident::new(&self.body.vars[var].name, span).into_token_stream()
            }
            (None, None) => unreachable!("it was put aside"),
        });
        let args = args.collect();
        (args, reads)
    }

    /// A variable that holds what code finds.
    pub(super) fn found(
        &mut self,
        tokens: TokenStream,
        reads: Vec<Var>,
        class: Class,
        ty: Type,
    ) -> Expr {
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
        let span = proc_macro2::Span::call_site();
        let var = self.name_value("at", Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span));
        self.load(var, span)
    }

    /// Proves that the getter is found before the methods of traits. On a `&` to its type nothing is looked at before.
    pub(super) fn found_first(
        &self,
        root: Var,
        owner: &Ident,
        call: &syn::ExprMethodCall,
        is_exclusive: bool,
    ) -> Option<TokenStream> {
        let facade = self.facade();
        let is_shared = match &self.body.vars[root].binding {
            // `(*value).row(i)` is called on the value.
            Binding::Shared => {
                matches!(strip(&call.receiver), syn::Expr::Path(_)) && !self.twofold.contains(root)
            }
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
        Some(lookup_proof_of(&value, &call.method, receiver))
    }
}

/// What a method is called on and with, as generated code names it.
pub(super) struct Operands {
    pub(super) owner: Ident,
    pub(super) args: Vec<TokenStream>,
    /// The variables, first that of the owner.
    pub(super) reads: Vec<Var>,
}

/// A call of a getter.
pub(super) struct Called {
    /// What it is called on.
    pub(super) owner: Place,
    /// What it returns.
    pub(super) reference: syn::TypeReference,
    /// Whether that refers to what has no derivative.
    pub(super) is_passive: bool,
    /// Whether that is in an `Option`.
    pub(super) is_optional: bool,
    pub(super) args: Vec<Expr>,
    /// The method that finds where it leads to.
    pub(super) finder: Ident,
    pub(super) class: Class,
}

fn reference_in_option(ty: syn::Type) -> Option<syn::TypeReference> {
    let syn::Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(args) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match args.args.first()? {
        syn::GenericArgument::Type(syn::Type::Reference(reference)) => Some(reference.clone()),
        _ => None,
    }
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
