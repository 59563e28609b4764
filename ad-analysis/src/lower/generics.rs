//! Functions that are generic over floats: `fn f<T: Float>(x: &[T]) -> T`.
//!
//! A type parameter bounded by a trait of numbers stands for `f64` or `f32`. Its constants become
//! literals, or constants of that name; what else its traits offer is a function like others.

use super::Lowerer;
use super::conversions::number_named;
use super::places::strip;
use crate::ir::{Binding, Called, Constant, Expr, ExprKind, Op, Place, UnaryOp};
use crate::options::key_of;
use crate::rules;
use crate::types::{FloatKind, Type};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use syn::spanned::Spanned;
use syn::{GenericArgument, GenericParam, PathArguments, TypeParamBound, WherePredicate};

/// Traits that only numbers with a decimal point have, of `num-traits` and others.
const FLOAT_TRAITS: [&str; 7] =
    ["Float", "FloatCore", "Real", "RealField", "FloatConst", "FloatNumber", "RealNumber"];

/// Traits of arithmetic whose results are of the type itself for numbers.
const ARITHMETIC: [&str; 4] = ["Add", "Sub", "Mul", "Div"];

/// Elementary functions by other names, as traits of numbers have them.
const RENAMED: [(&str, &str); 16] = [
    ("pow", "powf"),
    ("inv", "recip"),
    ("log", "ln"),
    ("expm1", "exp_m1"),
    ("log1p", "ln_1p"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arsinh", "asinh"),
    ("arcosh", "acosh"),
    ("artanh", "atanh"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
    ("fabs", "abs"),
];

/// What operands are called in such calls.
const OPERANDS: [&str; 3] = ["x", "y", "z"];
/// Traits of `num-traits` by which functions of a float are named, `<T as NumCast>::from(n)`.
const NUMBER_TRAITS: [&str; 7] =
    ["Float", "FloatConst", "FromPrimitive", "NumCast", "One", "Real", "Zero"];

/// Functions without arguments, of those traits, that return a constant.
const CONSTANTS: [&str; 8] = [
    "epsilon",
    "infinity",
    "neg_infinity",
    "nan",
    "max_value",
    "min_value",
    "min_positive_value",
    "neg_zero",
];

impl Lowerer<'_> {
    /// Notes which type parameters stand for floats, and says what the derivatives ask of them.
    pub(super) fn float_parameters(&mut self, generics: &syn::Generics) -> Vec<TokenStream> {
        let names = match self.names_floats() {
            true => parameters_bounded_by(generics, |_, bound| self.is_float_bound(bound)),
            false => parameters_bounded_by(generics, |name, bound| {
                self.is_float_bound(bound) || is_arithmetic_bound(name, bound)
            }),
        };
        let facade = self.facade();
        let demands = names.iter().map(|name| quote!(#name: #facade::__private::Scalar));
        let demands = demands.collect();
        self.float_params.extend(names.iter().map(ToString::to_string));
        demands
    }

    /// Whether only floats have a trait: by its name, or by those of its supertraits. Of a parameter with such a bound the derivatives ask
    /// that it is one.
    fn is_float_bound(&self, bound: &TypeParamBound) -> bool {
        path_of_bound(bound).is_some_and(|path| {
            path.last().is_some_and(|name| is_float_trait(name))
                || self.options.float_traits.iter().any(|known| *known == key_of(&path))
        })
    }

    /// Whether the signature has floats in it that are no type parameters: arithmetic of the parameters may be another then, that of indices
    /// for instance.
    fn names_floats(&self) -> bool {
        let function = &self.annotated.function.sig;
        let generics = self.annotated.surroundings().map(|around| around.generics.clone());
        let names = [&function.generics].into_iter().chain(&generics);
        let has_bound = |generics: &syn::Generics| {
            !parameters_bounded_by(generics, |_, bound| self.is_float_bound(bound)).is_empty()
        };
        let around = generics.to_token_stream();
        names.into_iter().any(has_bound)
            || ["f64", "f32"].iter().any(|float| {
                let float = Ident::new(float, proc_macro2::Span::call_site());
                mentions(quote!(#function #around), &float)
            })
    }

    /// What the derivatives ask of type parameters of plain data, such as indices of several types.
    pub(super) fn unchanging_parameters(&self, generics: &syn::Generics) -> Vec<TokenStream> {
        let mut names = parameters_bounded_by(generics, |_, bound| is_bound_by(bound, &["Copy"]));
        let functions = parameters_bounded_by(generics, |_, bound| {
            is_bound_by(bound, &["Fn", "FnMut", "FnOnce"])
        });
        names.retain(|name| {
            !functions.contains(name) && self.float_parameter(&name.to_string()).is_none()
        });
        let facade = self.facade();
        let of = |name| quote!(#name: #facade::__private::WithoutInteriorMutability);
        names.iter().map(of).collect()
    }

    /// The signature with a type parameter for each `impl Trait`: the entries mention their types by name.
    pub(super) fn named_parameters(&mut self, sig: &syn::Signature) -> syn::Signature {
        let mut sig = sig.clone();
        for input in &mut sig.inputs {
            let syn::FnArg::Typed(typed) = input else { continue };
            let ty = match &mut *typed.ty {
                syn::Type::Reference(reference) => &mut *reference.elem,
                ty => ty,
            };
            let syn::Type::ImplTrait(implementation) = ty else { continue };
            let name = self.body.names.fresh("Argument");
            let name = proc_macro2::Ident::new(&name, implementation.impl_token.span);
            let bounds = &implementation.bounds;
            sig.generics.params.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
        }
        sig
    }

    /// The type of that name, if it is a type parameter that stands for a float.
    pub(super) fn float_parameter(&self, name: &str) -> Option<Type> {
        let is_known = self.float_params.iter().any(|known| known == name);
        is_known.then(|| Type::Float(FloatKind::Generic(name.into())))
    }

    /// `T::zero()`, `T::from(0.5).unwrap()`, `T::epsilon()`, `T::PI()`: a constant of a type parameter.
    pub(super) fn generic_constant(&mut self, expr: &syn::Expr) -> Option<Expr> {
        if let syn::Expr::MethodCall(call) = strip(expr)
            && matches!(call.method.to_string().as_str(), "unwrap" | "expect")
            && let syn::Expr::Call(inner) = strip(&call.receiver)
        {
            return self.converted_literal(inner, expr);
        }
        let syn::Expr::Call(call) = strip(expr) else { return None };
        if !call.args.is_empty() {
            return None;
        }
        let (ty, name) = self.function_of_parameter(&call.func)?;
        match name.as_str() {
            "zero" => Some(self.number(expr, "0.0", ty)),
            "one" => Some(self.number(expr, "1.0", ty)),
            name if is_constant(name) => {
                let key = call.to_token_stream().to_string();
                let var = match self.globals.get(&key) {
                    Some(&var) => var,
                    None => {
                        let binding = Binding::Global(call.to_token_stream());
                        let var = self.body.variable(name, ty.clone(), binding, call.span());
                        self.globals.insert(key, var);
                        var
                    }
                };
                Some(Expr::load(Place::var(var), ty, call.span()))
            }
            _ => None,
        }
    }

    /// What a trait of a type parameter has is taken for a number, which generated code checks.
    fn number(&mut self, expr: &syn::Expr, value: &str, ty: Type) -> Expr {
        let (tokens, span) = (expr.to_token_stream(), expr.span());
        let is_known =
            self.body.constants.iter().any(|known| {
                *known.value == *value && known.tokens.to_string() == tokens.to_string()
            });
        if !is_known {
            self.body.constants.push(Constant { tokens, value: value.into(), span });
        }
        match value.strip_prefix('-') {
            Some(digits) => {
                let operand = Expr::literal(digits, ty.clone());
                Expr::op(Op::Unary(UnaryOp::Neg), vec![operand], ty)
            }
            None => Expr::literal(value, ty),
        }
    }

    /// `T::from(0.5)`, whose result is there for sure: `whole` is the expression that has it.
    pub(super) fn converted_literal(
        &mut self,
        call: &syn::ExprCall,
        whole: &syn::Expr,
    ) -> Option<Expr> {
        let (ty, name) = self.function_of_parameter(&call.func)?;
        let [arg] = call.args.iter().collect::<Vec<_>>()[..] else { return None };
        let (sign, digits) = match strip(arg) {
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => ("-", &**expr),
            other => ("", other),
        };
        let syn::Expr::Lit(literal) = strip(digits) else { return None };
        let digits = match &literal.lit {
            // A literal of another width would be rounded to that first.
            syn::Lit::Float(float) if matches!(float.suffix(), "" | "f64") => float.base10_digits(),
            syn::Lit::Int(int) if int.base10_digits().len() <= 15 => int.base10_digits(),
            _ => return None,
        };
        let digits = if digits.contains(['.', 'e', 'E']) {
            digits.to_owned()
        } else {
            format!("{digits}.0")
        };
        let is_conversion = match name.as_str() {
            "from" | "from_f64" => true,
            "from_f32" => is_of_single_precision(&digits),
            name => name.strip_prefix("from_").is_some_and(is_integer),
        };
        is_conversion.then(|| self.number(whole, &format!("{sign}{digits}"), ty))
    }

    /// `x.pow(y)` and the like of a type parameter: elementary functions that go by another name in its traits.
    pub(super) fn renamed_method(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        let (_, rule) = RENAMED.iter().find(|(own, _)| *own == name)?;
        let arity = rules::method(rule).map(|rule| rule.args.len());
        if self.float_params.is_empty() || arity != Some(call.args.len() + 1) {
            return None;
        }
        let (operands, parameter) = self.attempt("a function of a type parameter", |this| {
            let receiver = this.dereferenced(&call.receiver);
            let args: Vec<Cow<'_, syn::Expr>> =
                call.args.iter().map(|arg| this.with_type_of_parameter(arg)).collect();
            let mut exprs: Vec<&syn::Expr> = vec![&receiver];
            exprs.extend(args.iter().map(|arg| &**arg));
            let operands = this.values(&exprs);
            let types = operands.iter().map(|arg| this.types.shallow(&arg.ty));
            let types: Vec<Type> = types.collect();
            let is_parameter = |ty: &&Type| matches!(ty, Type::Float(FloatKind::Generic(_)));
            let parameter = types.iter().find(is_parameter)?;
            let is_open = |ty: &Type| matches!(ty, Type::Infer(_));
            let agree = types.iter().all(|ty| ty == parameter || is_open(ty));
            agree.then(|| (operands, parameter.clone()))
        })?;
        operands.iter().for_each(|operand| self.types.unify(&operand.ty, &parameter));
        let arguments = (0..operands.len()).map(|position| {
            Ident::new(&self.body.names.fresh(OPERANDS[position]), call.method.span())
        });
        let arguments: Vec<Ident> = arguments.collect();
        let (method, first, rest) = (&call.method, &arguments[0], &arguments[1..]);
        let tokens = quote!(#first.#method(#(#rest),*));
        let called = Called { rule: Some((*rule).into()), arguments, tokens };
        Some(Expr::new(ExprKind::Op(Op::Called(called.into()), operands), parameter, call.span()))
    }

    /// `T::name`, or `<T as NumCast>::name`, of a type parameter that stands for a float.
    pub(super) fn function_of_parameter(&self, function: &syn::Expr) -> Option<(Type, String)> {
        let syn::Expr::Path(path) = strip(function) else { return None };
        let (owner, name) = owner_and_name(path)?;
        Some((self.float_parameter(&owner.to_string())?, name.to_string()))
    }

    /// The same, also of a number whose type is known: `<f64 as NumCast>::name`.
    pub(super) fn function_of_number(&self, function: &syn::Expr) -> Option<(Type, String)> {
        let syn::Expr::Path(path) = strip(function) else { return None };
        let (owner, name) = owner_and_name(path)?;
        let (owner, name) = (owner.to_string(), name.to_string());
        let is_of_trait =
            path.qself.is_some() || name.strip_prefix("from_").and_then(number_named).is_some();
        let known = || number_named(&owner).filter(|_| is_of_trait);
        Some((self.float_parameter(&owner).or_else(known)?, name))
    }

    /// Whether a call makes a number of a type parameter of what it is given: `T::one()`, `T::from(2)`.
    pub(super) fn makes_number(&self, call: &syn::ExprCall) -> bool {
        self.function_of_parameter(&call.func).is_some_and(|(_, name)| match call.args.len() {
            0 => is_constant(&name),
            _ => name == "from" || name.starts_with("from_"),
        })
    }
}

/// `T` and `name` of `T::name` and `<T as NumCast>::name`.
fn owner_and_name(path: &syn::ExprPath) -> Option<(&Ident, &Ident)> {
    let mut backwards = path.path.segments.iter().rev().map(|segment| &segment.ident);
    let (name, owner, before) = (backwards.next()?, backwards.next()?, backwards.next());
    match &path.qself {
        None => before.is_none().then_some((owner, name)),
        Some(owned) if NUMBER_TRAITS.iter().any(|known| owner == known) => {
            let syn::Type::Path(ty) = &*owned.ty else { return None };
            let owner = ty.path.get_ident().filter(|_| ty.qself.is_none())?;
            Some((owner, name))
        }
        Some(_) => None,
    }
}

/// Whether a function of a type parameter returns a number of that type, as its name tells.
pub(super) fn is_constant(name: &str) -> bool {
    let is_of_conventions = name.chars().all(|c| !c.is_lowercase());
    ["zero", "one"].contains(&name) || CONSTANTS.contains(&name) || is_of_conventions
}

/// Whether a number is the same as one of single precision.
fn is_of_single_precision(digits: &str) -> bool {
    let (single, double) = (digits.parse::<f32>(), digits.parse::<f64>());
    single.is_ok_and(|single| double.is_ok_and(|double| f64::from(single) == double))
}

fn is_integer(name: &str) -> bool {
    Type::int(name).is_some()
}

/// Whether traits of that name are those of floats.
pub fn is_float_trait(name: &str) -> bool {
    FLOAT_TRAITS.contains(&name)
}

/// The path of the trait of a bound.
pub fn path_of_bound(bound: &TypeParamBound) -> Option<Vec<String>> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    Some(bound.path.segments.iter().map(|segment| segment.ident.to_string()).collect())
}

fn is_bound_by(bound: &TypeParamBound, traits: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    let last = bound.path.segments.last().map(|segment| segment.ident.to_string());
    last.is_some_and(|name| traits.contains(&name.as_str()))
}

/// `Mul<Output = T>`, `Mul<T, Output = T>` of a parameter `T`.
fn is_arithmetic_bound(name: &Ident, bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(of) = bound else { return false };
    let Some(last) = of.path.segments.last() else { return false };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
    let is_own = |ty: &syn::Type| matches!(ty, syn::Type::Path(path) if path.path.is_ident(name));
    let mut yields_own = false;
    let only_own = arguments.args.iter().all(|argument| match argument {
        GenericArgument::Type(ty) => is_own(ty),
        GenericArgument::AssocType(output) => {
            yields_own |= output.ident == "Output" && is_own(&output.ty);
            true
        }
        _ => false,
    });
    only_own && yields_own && is_bound_by(bound, &ARITHMETIC)
}

/// The type parameters that have such a bound.
fn parameters_bounded_by(
    generics: &syn::Generics,
    is_meant: impl Fn(&Ident, &TypeParamBound) -> bool,
) -> Vec<proc_macro2::Ident> {
    let mut names = Vec::new();
    for param in &generics.params {
        if let GenericParam::Type(param) = param
            && param.bounds.iter().any(|bound| is_meant(&param.ident, bound))
        {
            names.push(param.ident.clone());
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate
            && let syn::Type::Path(path) = &predicate.bounded_ty
            && let Some(ident) = path.path.get_ident()
            && predicate.bounds.iter().any(|bound| is_meant(ident, bound))
            && !names.contains(ident)
        {
            names.push(ident.clone());
        }
    }
    names
}

/// Generic parameters that no argument tells: only `f::<T>(…)` names them.
pub(super) fn untold(sig: &syn::Signature) -> Vec<Ident> {
    let is_told = |ident: &Ident, param: &GenericParam| {
        let others = sig.generics.params.iter().filter(|other| !core::ptr::eq(*other, param));
        let clauses = sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let is_own = |predicate: &&WherePredicate| match predicate {
            WherePredicate::Type(predicate) => match &predicate.bounded_ty {
                syn::Type::Path(path) => path.path.is_ident(ident),
                _ => false,
            },
            _ => false,
        };
        let clauses = clauses.filter(|predicate| !is_own(predicate)).map(ToTokens::to_token_stream);
        let told: TokenStream = others
            .map(ToTokens::to_token_stream)
            .chain(clauses)
            .chain([sig.inputs.to_token_stream(), sig.output.to_token_stream()])
            .collect();
        mentions(told, ident)
    };
    let params = sig.generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(of) => Some((&of.ident, param)),
        GenericParam::Const(of) => Some((&of.ident, param)),
        GenericParam::Lifetime(_) => None,
    });
    let untold = params.filter(|(ident, param)| !is_told(ident, param));
    untold.map(|(ident, _)| ident.clone()).collect()
}

/// Whether a name occurs in tokens.
pub(super) fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// What the derivatives ask of type parameters that are passed by value and are no floats: both sweeps get
/// a copy.
pub(super) fn demands_of_values(sig: &syn::Signature, floats: &[String]) -> Vec<TokenStream> {
    let is_parameter = |ident: &proc_macro2::Ident| {
        let is_known = sig.generics.type_params().any(|param| param.ident == *ident);
        is_known && !floats.iter().any(|float| ident == float)
    };
    let by_value = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => match &*typed.ty {
            syn::Type::Path(path) => path.path.get_ident().filter(|ident| is_parameter(ident)),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    });
    by_value.map(|ident| quote!(#ident: ::core::clone::Clone)).collect()
}
