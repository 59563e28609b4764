//! Functions that are generic over floats: `fn f<T: Float>(x: &[T]) -> T`.
//!
//! A type parameter bounded by a trait of numbers stands for `f64` or `f32`. Its constants become
//! literals, or constants of that name; what else its traits offer is a function like others.

use super::Lowerer;
use super::conversions::number_named;
use super::of_traits::OPERANDS;
use super::places::strip;
use super::scalars::{Generic, Made, parameters_bounded_by};
use crate::ir::{Binding, Called, Constant, Expr, ExprKind, Op, Place, UnaryOp};
use crate::rules;
use crate::types::{FloatKind, Type};
use crate::walk::visit::Visit;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use syn::spanned::Spanned;
use syn::{GenericParam, WherePredicate};

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
    pub(super) fn float_parameters(&mut self, sig: &syn::Signature) -> Vec<TokenStream> {
        let around = self.annotated.surroundings();
        let generic = Generic::of(sig, self.annotated.generics_around(), self.options);
        let mut floats = generic.numbers();
        let receiver = self.annotated.receiver.as_ref();
        let own = around.map(|around| &around.self_type);
        let made = Made::of(&generic, sig, receiver, own, self.options);
        let is_new = |name: &&Ident| !floats.contains(name);
        let more: Vec<Ident> = made.numbers.iter().filter(is_new).cloned().collect();
        floats.extend(more);
        generic.proofs().into_iter().for_each(|proof| self.add_item(proof));
        // What bounds call numbers needs nothing else.
        if !made.numbers.is_empty() {
            made.proofs.into_iter().for_each(|proof| self.add_item(proof));
        }
        let facade = self.facade();
        let demands = floats.iter().map(|name| quote!(#name: #facade::__private::Scalar));
        self.float_params.extend(floats.iter().map(ToString::to_string));
        demands.collect()
    }

    /// Proves that a method makes a copy of a value, if that is of a type parameter: a trait among the bounds may have another one.
    pub(super) fn prove_copy(&mut self, ty: &Type, method: &Ident) {
        let Type::Float(FloatKind::Generic(name)) = ty else { return };
        let around = self.annotated.generics_around();
        let generic = Generic::of(&self.annotated.function.sig, around, self.options);
        let proof = generic.proof_of_copy(&Ident::new(name, method.span()), method, self.facade());
        self.add_item(proof);
    }

    /// What the derivatives ask of type parameters of plain data, such as indices of several types.
    pub(super) fn unchanging_parameters(&self, generics: &syn::Generics) -> Vec<TokenStream> {
        let mut names = parameters_bounded_by(generics, &["Copy"]);
        let functions = parameters_bounded_by(generics, &["Fn", "FnMut", "FnOnce"]);
        names.retain(|name| {
            !functions.contains(name) && self.float_parameter(&name.to_string()).is_none()
        });
        let facade = self.facade();
        let of = |name| quote!(#name: #facade::__private::WithoutInteriorMutability);
        names.iter().map(of).collect()
    }

    /// What the derivatives ask of type parameters that are arguments of other types, `fn run<M: Model + Differentiable>(filter: &Filter<M>)`: a
    /// derive gives these bars of their own types, if all their fields have.
    pub(super) fn arguments_of_structs(&self, sig: &syn::Signature) -> Vec<TokenStream> {
        let mut arguments = Arguments(TokenStream::new());
        sig.inputs.iter().for_each(|input| arguments.visit_fn_arg(input));
        let around = self.annotated.surroundings().filter(|around| around.of_trait.is_none());
        if let Some(around) = around {
            arguments.visit_type(&around.self_type);
        }
        let all = around.map(|around| &around.generics).into_iter().chain([&sig.generics]);
        let names = all.flat_map(|generics| parameters_bounded_by(generics, &["Differentiable"]));
        let names = names.filter(|name| {
            mentions(arguments.0.clone(), name) && self.float_parameter(&name.to_string()).is_none()
        });
        // What is changed or goes away is copied before.
        let is_lent = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(param) => {
                matches!(&*param.ty, syn::Type::Reference(lent) if lent.mutability.is_none())
            }
            syn::FnArg::Receiver(_) => false,
        };
        let clone = (!sig.inputs.iter().all(is_lent)).then(|| quote!(+ ::core::clone::Clone));
        let facade = self.facade();
        let rt = quote!(#facade::__private);
        let asked = |name: Ident| quote!(#name: #rt::Differentiable<Bar = #name> + #rt::Vector + #rt::Storable #clone);
        names.map(asked).collect()
    }

    /// The signature with a type parameter for each `impl Trait`, and a name for each lifetime inside of a type: the entries mention them by
    /// name.
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
        self.name_lifetimes(&mut sig);
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
        let rule = renamed(&name)?;
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
        let called = Called { rule: Some(rule.into()), arguments, tokens };
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

/// The elementary function that traits of numbers have by another name.
pub(super) fn renamed(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(own, _)| *own == name).map(|(_, rule)| *rule)
}

/// Whether code is `Zero::zero()`: a number of a type that the code around it tells.
pub(super) fn is_number_of_trait(tokens: &TokenStream) -> bool {
    let Ok(syn::Expr::Call(call)) = syn::parse2(tokens.clone()) else { return false };
    let syn::Expr::Path(path) = strip(&call.func) else { return false };
    let owner = owner_and_name(path).map(|(owner, _)| owner.to_string());
    let is_of_trait = owner.is_some_and(|owner| NUMBER_TRAITS.contains(&owner.as_str()));
    is_of_trait && path.qself.is_none() && call.args.is_empty()
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
            .chain([sig.inputs.to_token_stream()])
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

/// The arguments of types.
struct Arguments(TokenStream);

impl<'ast> Visit<'ast> for Arguments {
    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.0.extend(argument.to_token_stream());
    }
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
