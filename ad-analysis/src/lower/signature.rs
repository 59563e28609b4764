//! The signature: parameters, result, what is differentiated with respect to what.

use super::Lowerer;
use crate::index::{BitSet, Var};
use crate::interface::{Home, Interface, Parameter, Passing};
use crate::ir::{
    ArgKind, Binding, Callee, Carrier, Expr, Op, Place, Stmt, StmtKind, each_stmt, written_by,
};
use crate::options::{Declarations, Given, Repeats};
use crate::read::hides_lifetimes;
use crate::signatures::has_reference;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, Generics, Pat, ReturnType, Signature};

/// Names that a struct beside the function must not take.
const PRIMITIVE_NAMES: [&str; 20] = [
    "f32", "f64", "bool", "char", "str", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8",
    "i16", "i32", "i64", "i128", "std", "core", "alloc",
];

/// What a function returns.
struct Output {
    /// The type, unless it is `()`.
    returned: Option<TokenStream>,
    /// What that carries the result in, if the function may fail.
    carrier: Option<Carrier>,
    /// The type of the result, unless it is `()`.
    payload: Option<TokenStream>,
    ty: Type,
}

fn is_unit(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty())
}

impl Lowerer<'_> {
    /// Declares parameters and result. `None` if the signature is such that nothing can be done.
    pub(super) fn signature(&mut self, sig: &Signature) -> Option<Interface> {
        let (name, entries, home) = self.entries_name(sig);
        self.check_qualifiers(sig);
        let (mut demands, mut asked_of_others) = (self.float_parameters(sig), Vec::new());
        if let Some(around) = self.annotated.generics_around() {
            asked_of_others.extend(self.unchanging_parameters(around));
            self.generics(around);
        }
        let generic_args = self.generics(&sig.generics);
        let untold = super::generics::untold(sig);
        let known: Vec<_> = sig.generics.lifetimes().map(|param| &param.lifetime).collect();
        let named = &self.named_parameters(sig);
        let lifetimes = named.generics.lifetimes().map(|param| &param.lifetime);
        let elided =
            lifetimes.filter(|name| !known.contains(name)).map(ToTokens::to_token_stream).collect();
        let sig = named;
        asked_of_others.extend(self.unchanging_parameters(&sig.generics));
        asked_of_others.extend(self.arguments_of_structs(sig));
        let generics = sig.generics.params.to_token_stream();
        demands.extend(super::generics::demands_of_values(sig, &self.float_params));
        let mut params = Vec::new();
        for input in &sig.inputs {
            let FnArg::Typed(param) = input else {
                unreachable!("a receiver has become a parameter");
            };
            params.push(self.parameter(param));
        }
        if let (Some(receiver), Some(param)) = (&self.annotated.receiver, params.first_mut()) {
            param.names = vec![receiver.clone()];
            param.ident = receiver.clone();
        }
        let Output { returned, carrier, payload, ty } = self.output(&sig.output);
        self.carrier = carrier;
        if payload.is_some() {
            let result = self.body.local("ret", ty, sig.output.span());
            self.body.vars[result].declared.clone_from(&payload);
            self.body.result = Some(result);
        }
        let output_dependent = self.choose_variables(&mut params, sig);
        self.copy_mutable_params(sig, &params);
        let facade = self.facade();
        let interface = Interface {
            name,
            primal: self.annotated.path(),
            called: self.annotated.path(),
            entries,
            home,
            outer_params: self.annotated.outer_params(),
            any_owner: self.annotated.any_owner(),
            of_trait: self.options.of_trait.clone().unwrap_or_default(),
            owner: self.declared_name(&Type::Named("Self".into())),
            is_recursive: self.annotated.is_recursive(),
            is_step: self.annotated.is_step,
            standard: self.annotated.standard_impl(),
            has_receiver: self.annotated.receiver.is_some(),
            owner_may_borrow: self.annotated.owner_may_borrow(),
            visibility: self.annotated.visibility(),
            generics,
            elided,
            primal_args: match &self.annotated.stands_for {
                Some(stands_for) => stands_for.arguments.clone(),
                None => generic_args.clone(),
            },
            generic_args,
            untold,
            declared: match self.names_are_unique {
                true => self.options.declared.clone(),
                false => Declarations::default(),
            },
            bounds: sig.generics.where_clause.to_token_stream(),
            demands,
            asked_of_others,
            params,
            output: returned,
            carrier,
            payload,
            output_dependent,
            given_adjoint: self.options.given.as_ref().and_then(Given::adjoint).cloned(),
            given_tangent: self.options.given_tangent.as_ref().map(|(path, _)| path.clone()),
            is_repeatable: matches!(self.options.repeats, Some((Repeats::Repeatable, _))),
            given_partials: match &self.options.given {
                Some(Given::Partials(partials)) => {
                    partials.iter().map(|partial| partial.name.clone()).collect()
                }
                Some(Given::Adjoint(_)) | None => Vec::new(),
            },
            examples: Vec::new(),
            is_searched: false,
            selection: None,
            facade,
        };
        let (examples, is_searched) = (self.examples(&interface), self.is_searched(&interface));
        let selection = self.asked_entries(interface.home);
        Some(Interface { examples, is_searched, selection, ..interface })
    }

    fn entries_name(&mut self, sig: &Signature) -> (Ident, Ident, Home) {
        let name = sig.ident.clone();
        let (text, span) = match &self.options.name {
            Some((text, span)) => (text.clone(), *span),
            None => (name.to_string(), name.span()),
        };
        let home = match self.annotated.home() {
            Home::Struct if text == "self" => Home::Beside,
            home => home,
        };
        if home == Home::Beside {
            let hidden = Ident::new("__Derivatives", name.span());
            return (name, hidden, home);
        }
        if home == Home::Struct && PRIMITIVE_NAMES.contains(&text.as_str()) {
            self.errors.report(
                span,
                format!(
                    "a type called `{text}` beside the function would hide what `{text}` means"
                ),
                "give the derivatives another name: `#[adjoint(…, name = \"…\")]`",
            );
        }
        match syn::parse_str::<Ident>(&text) {
            Ok(mut entries) => {
                entries.set_span(span);
                (name, entries, home)
            }
            Err(_) => {
                self.errors.report(span, format!("`{text}` is no name"), "a name is an identifier");
                (name.clone(), name, home)
            }
        }
    }

    fn check_qualifiers(&self, sig: &Signature) {
        let refuse = |span: Span, what: &str, help: &str| {
            self.errors.report(span, format!("{what} cannot be differentiated"), help);
        };
        if let Some(token) = &sig.asyncness {
            refuse(token.span(), "`async` functions", "annotate the synchronous computation in it");
        }
        if !sig.safety.to_token_stream().is_empty() {
            refuse(sig.safety.span(), "`unsafe` functions", "annotate the safe computation in it");
        }
        if let Some(abi) = &sig.abi {
            refuse(abi.span(), "`extern` functions", "annotate a function that this one calls");
        }
        if let Some(variadic) = &sig.variadic {
            refuse(variadic.span(), "variadic functions", "pass a slice");
        }
    }

    /// The generic parameters that can be given explicitly.
    fn generics(&mut self, generics: &Generics) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for param in &generics.params {
            match param {
                GenericParam::Lifetime(_) => {}
                GenericParam::Const(param) => {
                    let ident = &param.ident;
                    let ty = self.lower_type(&param.ty);
                    let binding = Binding::Global(ident.to_token_stream());
                    let var = self.user_variable(&ident.to_string(), ty, binding, ident.span());
                    self.globals.insert(ident.to_string(), var);
                    args.push(ident.to_token_stream());
                }
                GenericParam::Type(param) => {
                    self.type_params.push(param.ident.clone());
                    args.push(param.ident.to_token_stream());
                }
            }
        }
        args
    }

    fn parameter(&mut self, param: &syn::PatType) -> Parameter {
        for attr in param.attrs.iter().filter(|attr| !attr.path().is_ident("passive")) {
            self.errors.report(
                attr.span(),
                "attributes on parameters are not supported",
                "mark the parameter `#[passive]` if it carries no derivative",
            );
        }
        let (passing, pointee) = match &*param.ty {
            syn::Type::Reference(reference) if reference.mutability.is_some() => {
                (Passing::Exclusive, &*reference.elem)
            }
            syn::Type::Reference(reference) => (Passing::Shared, &*reference.elem),
            ty => (Passing::Value, ty),
        };
        let ty = self.lower_type(pointee);
        let binding = match passing {
            Passing::Value => Binding::Value,
            Passing::Shared => Binding::Shared,
            Passing::Exclusive => Binding::Exclusive,
        };
        let ident = match &*param.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat.ident.clone(),
            pat => Ident::new(&self.body.names.fresh(&name_of_pattern(pat)), pat.span()),
        };
        let name = ident.to_string();
        let var = match &*param.pat {
            Pat::Ident(_) => self.user_variable(&name, ty, binding, ident.span()),
            _ => {
                let var = self.body.variable("", ty, binding, ident.span());
                self.body.vars[var].name = name;
                var
            }
        };
        self.body.vars[var].declared = Some(pointee.to_token_stream());
        self.body.params.push(var);
        let mut names = Vec::new();
        bound_names(&param.pat, &mut names);
        Parameter {
            var,
            ident,
            names,
            ty: param.ty.to_token_stream(),
            pointee: pointee.to_token_stream(),
            passing,
            independent: false,
            dependent: false,
            is_decided: true,
        }
    }

    fn output(&mut self, output: &ReturnType) -> Output {
        let nothing = Output { returned: None, carrier: None, payload: None, ty: Type::unit() };
        let ReturnType::Type(_, returned) = output else { return nothing };
        if is_unit(returned) {
            return nothing;
        }
        let (carrier, payload) = match self.carried(returned) {
            Some((carrier, payload)) => (Some(carrier), payload),
            None => (None, &**returned),
        };
        let returned = Some(returned.to_token_stream());
        if is_unit(payload) {
            return Output { returned, carrier, ..nothing };
        }
        let ty = self.result_type(payload);
        Output { returned, carrier, payload: Some(payload.to_token_stream()), ty }
    }

    fn result_type(&mut self, ty: &syn::Type) -> Type {
        let report = |span| {
            self.errors.report(
                span,
                "a function that returns a reference cannot be differentiated yet",
                "return a value, or write to a `&mut` parameter",
            );
            Type::Unknown
        };
        match ty {
            syn::Type::Reference(reference) => report(reference.span()),
            syn::Type::Tuple(tuple) if has_reference(tuple) => report(tuple.span()),
            syn::Type::Never(never) => {
                let help = "there is no result to differentiate";
                self.errors.report(never.span(), "this function does not return", help);
                Type::unit()
            }
            ty => {
                let tokens = ty.to_token_stream();
                let hides_some = hides_lifetimes(ty, &self.options.lifetimes);
                if has_anonymous_lifetime(&tokens) || hides_some {
                    self.errors.report(
                        ty.span(),
                        "the type of the result has a lifetime without a name",
                        "name it: `fn f<'a>(x: &'a [f64]) -> View<'a>`",
                    );
                }
                self.lower_type(ty)
            }
        }
    }

    /// Decides what is differentiated with respect to what. Says whether the result is a dependent.
    fn choose_variables(&mut self, params: &mut [Parameter], sig: &Signature) -> bool {
        let options = self.options;
        let lists = [&options.independents, &options.dependents];
        let named = lists.into_iter().flatten().flatten().chain(&options.passive);
        let mut is_clear = true;
        for name in named.filter(|name| *name != "return") {
            if !params.iter().any(|param| param.names.contains(name)) {
                is_clear = false;
                self.errors.report(
                    name.span(),
                    format!("there is no parameter `{name}`"),
                    format!("the parameters are {}", list_of(params)),
                );
            }
        }
        let mut result = self
            .body
            .result
            .is_some_and(|var| may_be_differentiated(&self.body.vars[var].ty) != Some(false));
        if let Some(names) = &options.dependents {
            let asked = names.iter().find(|name| *name == "return");
            if let (Some(name), None) = (asked, self.body.result) {
                is_clear = false;
                let help = "name a `&mut` parameter instead";
                self.errors.report(name.span(), "this function returns nothing", help);
            }
            if let (Some(name), Some(_), false) = (asked, self.body.result, result) {
                is_clear = false;
                let help = "only floats, and what consists of floats, have derivatives";
                self.errors.report(name.span(), "the result carries no float", help);
            }
            result &= asked.is_some();
        }
        for param in params.iter_mut() {
            is_clear &= self.choose_parameter(param, sig);
        }
        let (independents, dependents): (Vec<Var>, Vec<Var>) = (
            params.iter().filter(|param| param.independent).map(|param| param.var).collect(),
            params.iter().filter(|param| param.dependent).map(|param| param.var).collect(),
        );
        // A `&mut` parameter that is one of the two is both for the sweeps: its bar goes in and out.
        let both = |param: &&Parameter| param.passing == Passing::Exclusive && param.has_bar();
        let both: Vec<Var> = params.iter().filter(both).map(|param| param.var).collect();
        let merged = |mut vars: Vec<Var>| {
            vars.extend(both.iter().filter(|var| !vars.contains(var)).collect::<Vec<_>>());
            vars
        };
        self.body.independents = merged(independents);
        self.body.dependents = self.body.result.filter(|_| result).into_iter().collect();
        self.body.dependents.extend(merged(dependents));
        if !is_clear {
            // What follows from that is no news.
        } else if self.body.independents.is_empty() {
            self.errors.report(
                sig.ident.span(),
                "nothing to differentiate with respect to",
                "no parameter carries floats as far as the macro can see: name one in `independents(…)`, or take the attribute \
                 away: to annotated callers the function returns constants",
            );
        } else if self.body.dependents.is_empty() {
            self.errors.report(
                sig.ident.span(),
                "nothing to differentiate",
                "neither the result nor a `&mut` parameter carries floats, as far as the macro can \
                 see: name one in `dependents(…)`",
            );
        }
        result
    }

    /// Decides about one parameter. Says whether what is asked for can be had.
    fn choose_parameter(&mut self, param: &mut Parameter, sig: &Signature) -> bool {
        let mut is_clear = true;
        let options = self.options;
        let names = param.names.clone();
        let is = |name: &Ident| names.contains(name);
        let listed = |list: &Option<Vec<Ident>>| {
            list.as_ref().and_then(|list| list.iter().find(|name| is(name)).cloned())
        };
        let ty = self.body.vars[param.var].ty.clone();
        let in_option = self.is_float_in_option(&ty).then_some(true);
        let possible = may_be_differentiated(&ty)
            .or(in_option)
            .or_else(|| self.carries_inside(&param.pointee, sig));
        let passive = options.passive.iter().any(is);
        let is_exclusive = param.passing == Passing::Exclusive;
        let (independent, dependent) = (listed(&options.independents), listed(&options.dependents));
        for name in independent.iter().chain(&dependent) {
            if passive {
                let help = "take it out of one of the lists";
                self.errors.report(name.span(), format!("`{name}` is listed as passive too"), help);
            }
            if possible == Some(false) {
                is_clear = false;
                self.errors.report(
                    name.span(),
                    format!("`{name}` has type `{ty}`, which carries no float"),
                    "only floats, and what consists of floats, have derivatives",
                );
            }
        }
        if let (Some(name), false) = (&dependent, is_exclusive) {
            is_clear = false;
            self.errors.report(
                name.span(),
                format!("`{name}` is not written by the function: it is no `&mut` parameter"),
                "dependents are `return` and `&mut` parameters",
            );
        }
        let by_default = possible == Some(true) && !passive;
        param.independent = match &options.independents {
            Some(_) => independent.is_some() && possible != Some(false),
            None => by_default,
        };
        param.dependent = is_exclusive
            && match &options.dependents {
                Some(_) => dependent.is_some() && possible != Some(false),
                // What is said to have a derivative has one behind a `&mut`, too.
                None => by_default || param.independent,
            };
        let named = independent.as_ref().or(dependent.as_ref());
        if let (Some(name), true) = (named, has_anonymous_lifetime(&param.pointee)) {
            is_clear = false;
            self.errors.report(
                name.span(),
                format!("the type of `{name}` has a lifetime without a name"),
                "name it: `fn f<'a>(…: View<'a>)`",
            );
        }
        let open = possible.is_none() && !passive && !param.has_bar();
        let undecided = open && ty.may_carry_floats() && !self.is_without_floats(param, sig);
        if undecided && options.independents.is_none() && self.may_have_bar(param) {
            // Other annotated functions know; whoever calls the entries has to be told.
            param.independent = true;
            param.dependent = is_exclusive && options.dependents.is_none();
            param.is_decided = self.is_receiver(param);
        } else if undecided && options.independents.is_none() {
            is_clear = false;
            let ident = &param.ident;
            self.errors.report(
                ident.span(),
                format!("the macro cannot see whether `{ident}` carries floats"),
                format!(
                    "say so: `#[adjoint(independents({ident}, …))]` or `#[adjoint(passive({ident}))]`"
                ),
            );
        }
        is_clear
    }

    fn is_receiver(&self, param: &Parameter) -> bool {
        self.annotated.receiver.as_ref() == Some(&param.ident)
    }

    /// Whether a parameter is of a type of the user's, which may be `Differentiable`.
    fn may_have_bar(&self, param: &Parameter) -> bool {
        let Ok(syn::Type::Path(path)) = syn::parse2(param.pointee.clone()) else { return false };
        let is_parameter =
            path.path.get_ident().is_some_and(|name| self.type_params.contains(name));
        !is_parameter && !has_anonymous_lifetime(&param.pointee)
    }

    /// A `&mut` parameter that is asked for as a dependent must be written by the body.
    pub(super) fn check_dependents(&self, params: &[Parameter]) {
        let mut written: BitSet<Var> = BitSet::new();
        let mut collect = |stmt: &Stmt| written.extend(written_by(&self.body, stmt));
        each_stmt(&self.body.block, &mut collect);
        for name in self.options.dependents.iter().flatten() {
            let param = params.iter().find(|param| param.dependent && param.names.contains(name));
            if param.is_some_and(|param| !written.contains(param.var)) {
                self.errors.report(
                    name.span(),
                    format!("`{name}` is a dependent, but the function never writes it"),
                    "take it out of `dependents(…)`, and make the parameter a `&`",
                );
            }
        }
    }

    /// A parameter that is no `mut` is not written: the backward sweep gets it again.
    pub(super) fn check_parameters(&self) {
        each_stmt(&self.body.block, &mut |stmt| {
            // What verbatim code may write is a guess.
            let written = match &stmt.kind {
                StmtKind::Assign { place, .. } => vec![self.body.root_of(place)],
                StmtKind::Resize(resize) => vec![self.body.root_of(&resize.list)],
                StmtKind::Swap { a, b } => vec![self.body.root_of(a), self.body.root_of(b)],
                // What a method takes its receiver by is a guess, too.
                StmtKind::Call(call) if !matches!(call.callee, Callee::Method(_)) => {
                    let exclusive = call.args.iter().filter_map(|arg| match &arg.kind {
                        ArgKind::Exclusive(place) => Some(self.body.root_of(place)),
                        ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => None,
                    });
                    exclusive.collect()
                }
                _ => Vec::new(),
            };
            for var in written {
                let variable = &self.body.vars[var];
                let is_value = matches!(variable.binding, Binding::Value);
                if is_value && self.body.params.contains(&var) {
                    self.errors.report(
                        stmt.span,
                        format!("`{}` cannot be written", variable.name),
                        "declare the parameter `mut`",
                    );
                }
            }
        });
    }

    /// A by-value parameter that the body changes is copied: the backward sweep gets the original.
    fn copy_mutable_params(&mut self, sig: &Signature, params: &[Parameter]) {
        for (input, param) in sig.inputs.iter().zip(params) {
            let FnArg::Typed(typed) = input else { continue };
            match &*typed.pat {
                Pat::Ident(pat) if pat.mutability.is_some() => {
                    let name = pat.ident.to_string();
                    let variable = self.body.vars[param.var].clone();
                    if param.passing == Passing::Shared && variable.ty.element().is_some() {
                        self.rebindable(
                            &name,
                            (&Place::var(param.var), false),
                            false,
                            variable.span,
                        );
                    }
                    if param.passing == Passing::Value {
                        let copy = self.user_variable(
                            &name,
                            variable.ty.clone(),
                            Binding::Value,
                            variable.span,
                        );
                        self.mutable.insert(copy);
                        let load = self.load(param.var, variable.span);
                        let value = if variable.ty.is_copy() || !variable.ty.is_known() {
                            load
                        } else {
                            Expr::op(Op::Clone, vec![load], variable.ty)
                        };
                        self.emit(StmtKind::Let { var: copy, value: Some(value) }, variable.span);
                    }
                }
                Pat::Ident(_) => {}
                pat => {
                    let place = Place::var(param.var);
                    let span = pat.span();
                    let reference = match param.passing {
                        Passing::Value => None,
                        Passing::Shared => Some(false),
                        Passing::Exclusive => Some(true),
                    };
                    self.destructure(pat, &place, reference, span);
                }
            }
        }
    }
}

/// Whether a lifetime is written as `'_`.
fn has_anonymous_lifetime(ty: &TokenStream) -> bool {
    let text = ty.to_string();
    let mut rests = text.split("'_").skip(1);
    rests.any(|rest| !rest.starts_with(|next: char| next == '_' || next.is_alphanumeric()))
}

/// Whether values of a type carry derivatives; `None` if the macro cannot see.
pub(super) fn may_be_differentiated(ty: &Type) -> Option<bool> {
    match ty {
        Type::Float(_) => Some(true),
        Type::Int(_) | Type::Bool => Some(false),
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
            may_be_differentiated(element)
        }
        Type::Tuple(fields) => {
            let fields: Vec<Option<bool>> = fields.iter().map(may_be_differentiated).collect();
            if fields.contains(&Some(true)) {
                Some(true)
            } else if fields.contains(&None) {
                None
            } else {
                Some(false)
            }
        }
        Type::Named(name) if matches!(&**name, "str" | "String" | "char") => Some(false),
        Type::Named(_) | Type::Unknown | Type::Infer(_) => None,
    }
}

/// The first name a pattern binds.
fn name_of_pattern(pat: &Pat) -> String {
    name_bound_by(pat).map_or_else(|| "arg".to_owned(), |name| format!("{name}_in"))
}

/// A name that a pattern binds.
pub(super) fn name_bound_by(pat: &Pat) -> Option<Ident> {
    let mut names = Vec::new();
    bound_names(pat, &mut names);
    names.into_iter().next()
}

pub(super) fn bound_names(pat: &Pat, names: &mut Vec<Ident>) {
    match pat {
        Pat::Ident(pat) => names.push(pat.ident.clone()),
        Pat::Tuple(pat) => pat.elems.iter().for_each(|pat| bound_names(pat, names)),
        Pat::Slice(pat) => pat.elems.iter().for_each(|pat| bound_names(pat, names)),
        Pat::Struct(pat) => pat.fields.iter().for_each(|field| bound_names(&field.pat, names)),
        Pat::TupleStruct(pat) => pat.elems.iter().for_each(|pat| bound_names(pat, names)),
        Pat::Reference(pat) => bound_names(&pat.pat, names),
        Pat::Paren(pat) => bound_names(&pat.pat, names),
        Pat::Type(pat) => bound_names(&pat.pat, names),
        _ => {}
    }
}

fn list_of(params: &[Parameter]) -> String {
    let names: Vec<String> = params.iter().map(|param| format!("`{}`", param.ident)).collect();
    names.join(", ")
}
