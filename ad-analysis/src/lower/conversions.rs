//! Conversions between numbers by functions and methods of traits: `T::from_f64(x).unwrap()`, `x.to_f64()`, `<usize as NumCast>::from(x)`.
//!
//! What such a function does its trait says, which may be the user's. It is taken to make the nearest number, with the derivative 1, or an
//! integer beside it, with the derivative 0, and generated code checks that of what it makes wherever a derivative evaluates it. Whether
//! it may fail is told by what is done with its value.
//!
//! ```text
//! T::from_f64(x).unwrap()                 x converted by `T::from_f64(x).unwrap()`
//! T::from(x).ok_or("…")?                  let is_some = T::from(x).is_some(); if !is_some { fail Err("…"); }
//!                                         x converted by `T::from(x).unwrap()`
//! ```

use super::Lowerer;
use super::generics::is_constant;
use super::items::Item;
use super::optional::{Failure, Optional};
use super::places::strip;
use crate::index::Var;
use crate::ir::{Called, Class, Ending, Expr, ExprKind, Op, Opaque};
use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use std::rc::Rc;
use syn::spanned::Spanned;

/// A call that is taken for a conversion.
struct Conversion<'e> {
    call: &'e syn::Expr,
    operand: &'e syn::Expr,
    /// The type of the operand, if the name of the function tells.
    from: Option<Type>,
    to: Type,
}

impl<'e> Conversion<'e> {
    /// The call with another operand.
    fn of(&self, operand: &Ident) -> syn::Expr {
        let operand = syn::parse_quote!(#operand);
        match strip(self.call).clone() {
            syn::Expr::Call(mut call) => {
                call.args[0] = operand;
                syn::Expr::Call(call)
            }
            syn::Expr::MethodCall(call) => {
                syn::Expr::MethodCall(syn::ExprMethodCall { receiver: Box::new(operand), ..call })
            }
            other => other,
        }
    }
}

impl Lowerer<'_> {
    /// The conversion that an expression is as far as names tell, and the type that is wanted.
    fn conversion<'e>(&self, expr: &'e syn::Expr, wanted: Option<&Type>) -> Option<Conversion<'e>> {
        let wanted = wanted.map(|wanted| self.types.shallow(wanted));
        let wanted = wanted.filter(Type::is_float);
        match strip(expr) {
            syn::Expr::Call(call) => {
                let [operand] = call.args.iter().collect::<Vec<_>>()[..] else { return None };
                if let Some(target) = target_of_function(&call.func) {
                    let to = match target.map(|ty| ty.to_token_stream().to_string()) {
                        Some(name) => self.float_parameter(&name).or(number_named(&name))?,
                        None => wanted?,
                    };
                    return Some(Conversion { call: expr, operand, from: None, to });
                }
                let (to, name) = self.function_of_number(&call.func)?;
                let from = match name.strip_prefix("from_") {
                    Some(number) => Some(number_named(number)?),
                    None if name == "from" => None,
                    None => return None,
                };
                Some(Conversion { call: expr, operand, from, to })
            }
            syn::Expr::MethodCall(call) if call.args.is_empty() && call.turbofish.is_none() => {
                let to = match is_open(&call.method) {
                    true => wanted?,
                    false => target_of(&call.method)?,
                };
                Some(Conversion { call: expr, operand: &call.receiver, from: None, to })
            }
            _ => None,
        }
    }

    /// What is converted. From an integer to an integer nothing is, as far as derivatives are concerned.
    fn converted_operand(&mut self, conversion: &Conversion<'_>) -> Option<Expr> {
        let Conversion { call, operand, from, to } = conversion;
        let operand = match strip(call) {
            syn::Expr::MethodCall(_) => self.dereferenced(operand),
            _ => syn::Expr::clone(operand),
        };
        let value = self.value(&operand);
        if let Some(from) = from {
            self.types.unify(&value.ty, from);
        }
        let is_float = self.types.is_float(&value.ty);
        let is_counted =
            self.types.is_int(&value.ty) || self.types.shallow(&value.ty) == Type::Bool;
        let is_number = is_float || is_counted && to.is_float();
        is_number.then_some(value)
    }

    /// `T::from(x).unwrap()`, `x.to_f64().expect("…")`: what is converted is there for sure.
    pub(super) fn converted(&mut self, whole: &syn::Expr) -> Option<Expr> {
        let syn::Expr::MethodCall(end) = strip(whole) else { return None };
        let is_end = match (end.method.to_string().as_str(), end.args.first()) {
            ("unwrap", None) => true,
            ("expect", Some(message)) => {
                matches!(strip(message), syn::Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Str(_)))
            }
            _ => false,
        };
        let wanted = self.wanted.clone();
        let conversion = self.conversion(&end.receiver, wanted.as_ref()).filter(|_| is_end)?;
        self.attempt("a conversion of a number", |this| {
            let value = this.converted_operand(&conversion)?;
            let ending = |call| syn::ExprMethodCall { receiver: Box::new(call), ..end.clone() };
            Some(
                this.made_by(&conversion, value, whole.span(), |call| {
                    ending(call).into_token_stream()
                }),
            )
        })
    }

    /// `T::from_f64(x)`, `x.to_f64()` where a value is wanted, of this type if it is known: the conversion cannot fail then.
    pub(super) fn converted_as(&mut self, expr: &syn::Expr, wanted: Option<&Type>) -> Option<Expr> {
        let conversion = self.conversion(expr, wanted)?;
        let is_wanted = match wanted.map(|wanted| self.types.shallow(wanted)) {
            Some(wanted) if !self.types.is_open(&wanted) => conversion.to == wanted,
            // `T::from(x)` is one of `NumCast`, which may fail, more often than not.
            _ => conversion.from.is_some() || matches!(strip(expr), syn::Expr::MethodCall(_)),
        };
        if !conversion.to.is_float() || !is_wanted {
            return None;
        }
        if let syn::Expr::Call(call) = strip(expr)
            && let Some(value) = self.converted_literal(call, expr)
        {
            return Some(value);
        }
        self.attempt("a conversion of a number", |this| {
            let value = this.converted_operand(&conversion)?;
            let is_parameter = |ty: &Type| matches!(ty, Type::Float(FloatKind::Generic(_)));
            // What a float of known width has by such a name may be anything.
            let is_own = conversion.from.is_some()
                || is_parameter(&conversion.to)
                || is_parameter(&this.types.shallow(&value.ty))
                || is_from_primitive_integer(&conversion, &this.types.shallow(&value.ty));
            let make = |this: &mut Self| {
                this.made_by(&conversion, value, expr.span(), |call| call.into_token_stream())
            };
            is_own.then(|| make(this))
        })
    }

    /// `T::from(x)`, `x.to_f64()` where an `Option` is wanted.
    pub(super) fn converted_optional(&mut self, expr: &syn::Expr) -> Option<Optional> {
        if let syn::Expr::Call(call) = strip(expr)
            && let whole = syn::parse_quote_spanned!(call.span()=> #call.unwrap())
            && let Some(value) = self.converted_literal(call, &whole)
        {
            let some = Expr::literal("true", Type::Bool);
            return Some(Optional { some, payload: Item::value(value), failure: Failure::None });
        }
        let conversion = self.conversion(expr, None)?;
        self.attempt("a conversion of a number", |this| {
            let span = expr.span();
            let value = this.converted_operand(&conversion)?;
            let ty = this.types.shallow(&value.ty);
            if !matches!(ty, Type::Float(_) | Type::Int(_)) && !this.types.is_int(&ty) {
                // A number without a type is of the one that rustc falls back to: nothing else tells.
                this.types.unify(&ty, &Type::F64);
            }
            let operand = this.name_value("operand", value);
            let call = conversion.of(&this.name_of(operand));
            let some = quote!(::core::option::Option::is_some(&#call));
            let some = reading(operand, some);
            let some = Expr::new(ExprKind::Opaque(Rc::new(some)), Type::Bool, span);
            let some = this.name_value("is_some", some);
            let payload = match conversion.to.is_float() {
                true => {
                    let value = this.load(operand, span);
                    this.made_by(&conversion, value, span, |call| quote!(#call.unwrap()))
                }
                false => {
                    let (ty, code) = (conversion.to.clone(), call.to_token_stream());
                    this.integer(ty, operand, &quote!(beside_it_if_any), &code, span)
                }
            };
            let some = this.load(some, span);
            Some(Optional { some, payload: Item::value(payload), failure: Failure::None })
        })
    }

    /// The number that a call makes of an operand: `whole` is what the call is part of.
    fn made_by(
        &mut self,
        conversion: &Conversion<'_>,
        value: Expr,
        span: Span,
        whole: impl FnOnce(syn::Expr) -> TokenStream,
    ) -> Expr {
        let ty = conversion.to.clone();
        let of = self.types.shallow(&value.ty);
        if is_from_primitive_integer(conversion, &of) {
            self.prove_into(&of, &ty, span);
            return Expr::new(ExprKind::Op(Op::Cast, vec![value]), ty, span);
        }
        if !ty.is_float() {
            let operand = self.name_value("operand", value);
            let tokens = whole(conversion.of(&self.name_of(operand)));
            return self.integer(ty, operand, &quote!(beside_it), &tokens, span);
        }
        let argument = Ident::new(&self.body.names.fresh("x"), conversion.operand.span());
        let tokens = whole(conversion.of(&argument));
        let called = Called { rule: None, arguments: vec![argument], tokens };
        Expr::new(ExprKind::Op(Op::Called(called.into()), vec![value]), ty, span)
    }

    /// Proves that `into` is of the standard library: beside its trait no other one in scope has such a method.
    fn prove_into(&mut self, from: &Type, to: &Type, span: Span) {
        let [from, to] = [from, to].map(|ty| Ident::new(&ty.to_string(), Span::call_site()));
        let into = Ident::new("into", Span::call_site().located_at(span));
        self.add_item(quote! {
            const _: fn(#from) -> #to = |value| {
                use ::core::convert::Into as _;
                value.#into()
            };
        });
    }

    /// An integer that code makes of a float, which `check` is a check of.
    fn integer(
        &mut self,
        ty: Type,
        operand: Var,
        check: &TokenStream,
        code: &TokenStream,
        span: Span,
    ) -> Expr {
        let (facade, name) = (self.facade(), self.name_of(operand));
        let tokens = quote!(#facade::__private::elementary::#check(#name, #code));
        let value = ExprKind::Opaque(Rc::new(reading(operand, tokens)));
        let var = self.name_value("converted", Expr::new(value, ty, span));
        self.load(var, span)
    }

    fn name_of(&self, var: Var) -> Ident {
        Ident::new(&self.body.vars[var].name, Span::call_site())
    }

    /// Something that is an operand of arithmetic, or what a method of floats is called on. `T::from_f64(c)`, `T::half()` and the like are
    /// of type `T` there, which is written `T::half() as T`: one that may fail is no operand.
    pub(super) fn with_type_of_parameter<'e>(
        &mut self,
        operand: &'e syn::Expr,
    ) -> Cow<'e, syn::Expr> {
        if let syn::Expr::Call(call) = strip(operand)
            && let Some((_, name)) = self.function_of_parameter(&call.func)
            && (name.starts_with("from")
                || ["new", "cast", "lit"].contains(&name.as_str())
                || call.args.is_empty() && !is_constant(&name))
            && let syn::Expr::Path(path) = strip(&call.func)
            && path.qself.is_none()
        {
            let ty = &path.path.segments[0].ident;
            return Cow::Owned(syn::parse_quote_spanned!(call.span()=> #call as #ty));
        }
        if let syn::Expr::MethodCall(call) = strip(operand)
            && let Some(ty @ Type::Float(_)) = target_of(&call.method)
            && self.glimpse(|this| this.converted_as(operand, Some(&ty))).is_some()
        {
            let ty = Ident::new(&ty.to_string(), call.span());
            return Cow::Owned(syn::parse_quote_spanned!(call.span()=> #call as #ty));
        }
        Cow::Borrowed(operand)
    }

    /// `T::half() as T`, where `T` is a type parameter: what the function returns is of that type, which rustc confirms.
    pub(super) fn of_parameter(&mut self, cast: &syn::ExprCast) -> Option<Expr> {
        let wanted = self.lower_type(&cast.ty);
        let call = match strip(&cast.expr) {
            syn::Expr::Call(call) => call,
            syn::Expr::MethodCall(_) => return self.converted_as(&cast.expr, Some(&wanted)),
            _ => return None,
        };
        let (ty, _) = self.function_of_parameter(&call.func)?;
        if wanted != ty {
            return None;
        }
        if let Some(value) = self.converted_as(&cast.expr, Some(&wanted)) {
            return Some(value);
        }
        let ty = &cast.ty;
        Some(
            self.value(&syn::parse_quote_spanned!(cast.span()=> { let value: #ty = #call; value })),
        )
    }
}

/// What `NumCast::from` and `num_traits::cast` convert to, if they are called: the type that is written, `cast::<usize, f64>`, or that which is wanted.
fn target_of_function(function: &syn::Expr) -> Option<Option<&syn::Type>> {
    let syn::Expr::Path(path) = strip(function) else { return None };
    if path.qself.is_some() || !converts_as_wanted(&path.path) {
        return None;
    }
    let syn::PathArguments::AngleBracketed(args) = &path.path.segments.last()?.arguments else {
        return Some(None);
    };
    Some(args.args.iter().nth(1).and_then(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty).filter(|ty| !matches!(ty, syn::Type::Infer(_))),
        _ => None,
    }))
}

/// Whether a function is one of those.
pub(super) fn converts_as_wanted(path: &syn::Path) -> bool {
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(names.as_slice(), [.., "NumCast", "from"] | ["num_traits" | "num", "cast"])
}

/// Whether an expression is a number that one of these has made, of which only what follows tells the type.
pub(super) fn is_of_any_number(expr: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(end) = expr else { return false };
    let is_end = ["unwrap", "expect"].iter().any(|name| end.method == name);
    let syn::Expr::Call(call) = strip(&end.receiver) else { return false };
    is_end && matches!(target_of_function(&call.func), Some(None))
}

/// Whether a method may be one of those of which the type that is wanted tells what they convert to.
fn is_open(method: &Ident) -> bool {
    method == "into" || method == "as_"
}

/// `n.into()` of an integer where a float of a known width is wanted: what the standard library makes of it is what `n as f64` is.
fn is_from_primitive_integer(conversion: &Conversion<'_>, of: &Type) -> bool {
    let is_into =
        matches!(strip(conversion.call), syn::Expr::MethodCall(call) if call.method == "into");
    let is_primitive = matches!(of, Type::Int(IntKind::Named(_)));
    is_into && is_primitive && [Type::F64, Type::F32].contains(&conversion.to)
}

/// Whether a method may be a conversion.
pub(super) fn may_convert(method: &Ident) -> bool {
    is_open(method) || target_of(method).is_some()
}

/// The type that a method converts to as its name tells.
pub(super) fn target_of(method: &Ident) -> Option<Type> {
    number_named(method.to_string().strip_prefix("to_")?)
}

pub(super) fn number_named(name: &str) -> Option<Type> {
    match name {
        "f64" => Some(Type::F64),
        "f32" => Some(Type::F32),
        name => Type::int(name),
    }
}

/// Code that reads a variable, and does nothing else.
fn reading(var: Var, tokens: TokenStream) -> Opaque {
    Opaque {
        tokens,
        reads: vec![var],
        writes: Vec::new(),
        declares: Vec::new(),
        class: Class::Pure,
        ending: Ending::Continues,
        calls_unknown: false,
        refusal: None,
    }
}
