//! Calls: of functions of the language, of the user's functions, of what only passive code may call.

use super::declared::Expected;
use super::exchange::mem_function;
use super::of_traits::pair;
use super::types::is_std;
use super::{Lowerer, Operand};
use crate::index::Var;
use crate::ir::{
    self, Arg, ArgKind, Binding, Call, Carrier, Expr, ExprKind, Op, Place, Projection, Refusal,
    Resolution, Slot, StmtKind, Sweep,
};
use crate::options::key_of;
use crate::rules;
use crate::signatures::Lent;
use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

/// What becomes of the caller if a callee fails.
pub(super) enum OnFailure {
    /// The callee does not return an `Option` or a `Result`.
    Impossible,
    /// The caller fails too.
    PassedOn(Carrier),
    /// The caller goes on.
    Caught(Caught),
}

/// What is known of a call that may have failed.
#[derive(Clone, Copy)]
pub(super) struct Caught {
    /// The variable for what the callee failed with.
    pub(super) failure: Var,
    /// The variable that tells whether it did not.
    pub(super) succeeds: Var,
}

/// What a called path is.
pub(super) enum Callee {
    /// A function of a primitive type, by the name of its method: `f64::sin`.
    Method(String),
    /// `f64::from`, `usize::from`, …: a conversion to a primitive type.
    Conversion(Type),
    /// A function of the user's.
    User,
    /// A function of a type of the user's.
    Associated,
    /// A constructor, a function of a type, a closure, a function of the standard library.
    Other,
}

/// The derivative that a path names, and the path of its function: `f::gradient`. A function of that name in a module is
/// called by its name, or by way of `self`, `super` or `crate`.
fn derivative(path: &syn::ExprPath) -> Option<(ir::Derivative, TokenStream)> {
    let mut function = path.path.clone();
    let name = function.segments.pop()?.ident;
    let derivative = ir::Derivative::of_name(&name.to_string())?;
    function.segments.pop_punct();
    let owner = &function.segments.last()?.ident;
    let is_function = !["self", "super", "crate"].iter().any(|module| owner == module);
    is_function.then(|| (derivative, function.to_token_stream()))
}

impl Lowerer<'_> {
    /// The value of a call.
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        let wanted = self.wanted.take();
        let span = call.span();
        let expr = syn::Expr::Call(call.clone());
        if let Some(constant) = self.generic_constant(&expr) {
            return constant;
        }
        if let Some(value) = self.masked_bits(call) {
            return value;
        }
        if let Some(value) = self.converted_as(&expr, wanted.as_ref()) {
            return value;
        }
        if let Some(value) = self.conversion_by_path(call) {
            return value;
        }
        if let Some(value) = self.boxed(call, wanted.as_ref()) {
            return value;
        }
        if let Some(item) = self.closure_call(call) {
            return self.item_value(item);
        }
        if let Some(item) = self.call_with_functions(call) {
            return self.item_value(item);
        }
        let syn::Expr::Path(path) = super::places::strip(&call.func) else {
            return self.opaque_value(&expr);
        };
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let array = self.attempt("`array::from_fn`", |this| {
            this.array_from_fn(path, &args, wanted.as_ref(), span)
        });
        if let Some(value) = array.or_else(|| self.function_of_trait(path, &args, span)) {
            return value;
        }
        if let Some(made) = self.by_maker(path, &args) {
            return made;
        }
        match self.callee(path) {
            Callee::Method(name) => self.primitive_function(&name, path, &args, &expr, span),
            Callee::Conversion(ty) if args.len() == 1 => {
                let lowered = self.attempt("a conversion of a number", |this| {
                    let value = this.value(args[0]);
                    // Otherwise the conversion is one of that type.
                    let is_number = !this.names_user_type(&this.types.shallow(&value.ty));
                    is_number.then_some(value)
                });
                match lowered {
                    Some(value) => Expr::new(ExprKind::Op(Op::Cast, vec![value]), ty, span),
                    None => self.opaque_value(&expr),
                }
            }
            Callee::User | Callee::Associated => {
                let value = self.user_value(path, &args, OnFailure::Impossible, span);
                value.unwrap_or_else(|| self.call_that_is_kept(call, &expr))
            }
            Callee::Other => match self.tuple_struct(path, &args, wanted) {
                Some(value) => value,
                None => self.library_function(path, &args, &expr, span),
            },
            Callee::Conversion(_) => self.opaque_value(&expr),
        }
    }

    /// A call of a function that may be annotated, with arguments that no derivative passes through.
    fn call_that_is_kept(&mut self, call: &syn::ExprCall, expr: &syn::Expr) -> Expr {
        let is_closure =
            |arg: &syn::Expr| matches!(super::places::strip(arg), syn::Expr::Closure(_));
        if !call.args.iter().any(is_closure) {
            return self.opaque_value(expr);
        }
        let refusal = Refusal {
            what: "a call that passes a closure".into(),
            help: "annotate the function that is called, if it stands in this crate: calls of functions that take \
                   functions are lowered in place; or put both functions into an `#[adjoint] mod`"
                .into(),
            callee: None,
        };
        self.verbatim_value(expr, Some(refusal))
    }

    /// A function of the standard library, or of something else that the macro does not see.
    fn library_function(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        expr: &syn::Expr,
        span: Span,
    ) -> Expr {
        if let Some(function) = mem_function(path, args.len())
            && let Some(value) = self.mem_call(function, args, span)
        {
            return value;
        }
        if let Some(name) = path.path.get_ident().map(ToString::to_string)
            && self.find(&name).is_some()
        {
            let refusal = Refusal {
                what: format!("a call of `{name}`, a function that is passed as a value,"),
                help: "its derivative is not known here: call an annotated function by its name, or mark the call \
                       `#[passive]` if its derivative does not matter"
                    .into(),
                callee: None,
            };
            return self.verbatim_value(expr, Some(refusal));
        }
        if let Some(element) = self.empty_vec(path, args) {
            for arg in args {
                let value = self.value(arg);
                self.discard(value);
            }
            let ty = Type::vec(element);
            return Expr::new(ExprKind::Op(Op::Vec, Vec::new()), ty, span);
        }
        let value = self.opaque_value(expr);
        self.declare_users_type(path, &value);
        match super::receivers::callee_of(expr) {
            Some(_) => self.note_of_user(value.as_var()),
            None => self.of_library.extend(value.as_var()),
        }
        value
    }

    /// The value of a call that is kept as it is may be of a type of the user's, whose methods are known.
    fn declare_users_type(&mut self, path: &syn::ExprPath, value: &Expr) {
        let told = self.declared_call(&path.path, &OnFailure::Impossible);
        if let (Some(told), Some(var)) = (told, value.as_var())
            && matches!(self.lower_type(&told), Type::Named(_))
        {
            self.declare_as(var, Some(&told));
        }
    }

    /// The value of a call of a function that may be annotated.
    pub(super) fn user_value(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        on_failure: OnFailure,
        span: Span,
    ) -> Option<Expr> {
        let told = self.declared_call(&path.path, &on_failure);
        let ty = self.types.fresh();
        let name = path.path.segments.last().map(|segment| segment.ident.to_string());
        let hint = format!("{}_value", name.unwrap_or_default());
        let result = self.body.local(&hint, ty, span);
        self.declare_as(result, told.as_ref());
        self.user_call(path, args, Some(result), on_failure, span)?;
        if matches!(self.callee(path), Callee::Associated) {
            self.note_of_user(Some(result));
        }
        self.results.insert(result);
        Some(self.load(result, span))
    }

    /// `f(x)?`, of a function that may be annotated.
    pub(super) fn passed_on(&mut self, call: &syn::Expr, carrier: Carrier) -> Option<Expr> {
        let call = match super::places::strip(call) {
            syn::Expr::Call(call) => call,
            syn::Expr::MethodCall(call) => {
                return self.method_value(call, OnFailure::PassedOn(carrier), call.span());
            }
            _ => return None,
        };
        let syn::Expr::Path(path) = super::places::strip(&call.func) else { return None };
        match self.callee(path) {
            Callee::User | Callee::Associated => {
                let args: Vec<&syn::Expr> = call.args.iter().collect();
                self.user_value(path, &args, OnFailure::PassedOn(carrier), call.span())
            }
            Callee::Method(_) | Callee::Conversion(_) | Callee::Other => None,
        }
    }

    /// A call whose value is dropped.
    pub(super) fn call_statement(&mut self, call: &syn::ExprCall) {
        let in_place = self.closure_call(call);
        if let Some(item) = in_place.or_else(|| self.call_with_functions(call)) {
            let value = self.item_value(item);
            self.discard(value);
            return;
        }
        let expr = syn::Expr::Call(call.clone());
        if let syn::Expr::Path(path) = super::places::strip(&call.func)
            && matches!(self.callee(path), Callee::User | Callee::Associated)
        {
            let args: Vec<&syn::Expr> = call.args.iter().collect();
            if self.user_call(path, &args, None, OnFailure::Impossible, call.span()).is_some() {
                return;
            }
        }
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        if let syn::Expr::Path(path) = super::places::strip(&call.func)
            && let Some(function) = mem_function(path, args.len())
            && self.mem_call(function, &args, call.span()).is_some()
        {
            return;
        }
        self.opaque_statement_expr(&expr);
    }

    /// Whether a path names a function whose calls are lowered.
    pub(super) fn is_function(&self, path: &syn::ExprPath) -> bool {
        !matches!(self.callee(path), Callee::Other)
    }

    /// Whether a path names a function of the user's, which may be annotated.
    pub(super) fn is_users_function(&self, path: &syn::ExprPath) -> bool {
        matches!(self.callee(path), Callee::User | Callee::Associated)
    }

    pub(super) fn callee(&self, path: &syn::ExprPath) -> Callee {
        if path.qself.is_some() {
            return Callee::Other;
        }
        let names: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let is_variable = matches!(names.as_slice(), [name] if self.find(name).is_some());
        if is_variable || super::conversions::converts_as_wanted(&path.path) {
            return Callee::Other;
        }
        let primitive = |name: &str| match name {
            "f64" => Some(Type::F64),
            "f32" => Some(Type::F32),
            name => Type::int(name),
        };
        if let [.., ty, function] = names.as_slice()
            && let Some(ty) = primitive(ty)
            && (names.len() == 2 || is_std(&path.path))
        {
            return match *function {
                "from" => Callee::Conversion(ty),
                function => Callee::Method(function.to_owned()),
            };
        }
        if let [owner, function] = names.as_slice()
            && self.float_parameter(owner).is_some()
            && rules::method(function).is_some()
        {
            return Callee::Method((*function).to_owned());
        }
        let last = names.last().copied().unwrap_or_default();
        let owner = names.len().checked_sub(2).map_or("", |n| names[n]);
        let capital = |name: &str| name.starts_with(char::is_uppercase);
        let is_mem = matches!(names.as_slice(), ["mem", "swap" | "replace" | "take"]);
        if is_mem || is_std(&path.path) || capital(last) {
            return match self.calls.functions.contains(&path.path.to_token_stream().to_string()) {
                true => Callee::User,
                false => Callee::Other,
            };
        }
        if self.is_through_trait(&names) {
            return Callee::Other;
        }
        if capital(owner) {
            let name = &path.path.segments[names.len() - 1].ident;
            let is_known = owner == "Self" && self.has_sibling(name);
            return match is_known || self.calls.has(name) {
                true => Callee::Associated,
                false => Callee::Other,
            };
        }
        Callee::User
    }

    /// Whether a path leads through a trait of the crate: `Abs::abs` is of whatever type it is called with.
    pub(super) fn is_through_trait(&self, names: &[&str]) -> bool {
        let owner = &names[..names.len().saturating_sub(1)];
        let owner: Vec<String> = owner.iter().map(ToString::to_string).collect();
        let key = key_of(&owner);
        self.options.traits.iter().any(|name| *name == key)
    }

    /// `f64::sin(x)`, `f64::max(a, b)`.
    fn primitive_function(
        &mut self,
        name: &str,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        expr: &syn::Expr,
        span: Span,
    ) -> Expr {
        let is_float = path
            .path
            .segments
            .iter()
            .any(|segment| matches!(segment.ident.to_string().as_str(), "f64" | "f32"));
        if let ("to_bits" | "from_bits", [arg]) = (name, args) {
            return match self.bits_function(name, path, arg, span) {
                Some(value) => value,
                None => self.opaque_value(expr),
            };
        }
        let is_pair = name == rules::PAIR.0 && args.len() == 1;
        let known = is_pair
            || rules::method(name).is_some_and(|rule| rule.args.len() == args.len())
            || (rules::TESTS.contains(&name) && args.len() == 1 && name != "total_cmp");
        if !known {
            return self.opaque_value(expr);
        }
        let values = self.values(args);
        if let Some((ty, _)) = self.function_of_parameter(&syn::Expr::Path(path.clone())) {
            self.types.unify(&values[0].ty, &ty);
        }
        if is_float {
            let owner = path.path.segments.iter().rev().nth(1);
            let kind = match owner.map(|segment| segment.ident.to_string()).as_deref() {
                Some("f32") => FloatKind::F32,
                _ => FloatKind::F64,
            };
            self.types.unify(&values[0].ty, &Type::Float(kind));
        }
        match is_pair {
            true => {
                let method = &path.path.segments.last().expect("paths have segments").ident;
                pair(self.sine_and_cosine(values[0].clone(), method, span), span)
            }
            false => self.apply_method(name, values, span),
        }
    }

    /// A call of a function that may be annotated. `None` if an argument is such that only verbatim
    /// code can pass it.
    pub(super) fn user_call(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        result: Option<Var>,
        on_failure: OnFailure,
        span: Span,
    ) -> Option<()> {
        if args.iter().any(|arg| !self.can_be_passed(arg)) {
            return None;
        }
        let spelled = path.path.to_token_stream().to_string();
        let mut wanted = self.declared_parameters(None, &spelled, args.len());
        if let Some(function) = spelled.strip_prefix("Self :: ") {
            self.add_shared_of_sibling(&mut wanted, function);
        }
        let lowered = self.wanted_arguments(Vec::new(), args, wanted)?;
        if let Some(result) = result {
            let told = self.told_by_arguments(&path.path, &lowered, &on_failure);
            self.declare_as(result, told.as_ref());
        }
        let name = &path.path.segments.last().expect("paths have segments").ident;
        let callee = path.path.to_token_stream();
        let callee = match (self.callee(path), derivative(path)) {
            (Callee::Associated, _) => ir::Callee::Associated(callee),
            (_, Some((derivative, function))) => ir::Callee::Derivative(derivative, function),
            (_, None) => ir::Callee::Function(callee),
        };
        self.emit_call(callee, name, lowered, result, on_failure, span);
        Some(())
    }

    /// Lowers arguments that follow others, in Rust's order. The types of the parameters tell what arguments are converted to.
    pub(super) fn wanted_arguments(
        &mut self,
        mut lowered: Vec<ArgKind>,
        args: &[&syn::Expr],
        wanted: Vec<Expected>,
    ) -> Option<Vec<ArgKind>> {
        for (arg, Expected { ty: wanted, shared }) in args.iter().zip(wanted) {
            let others: Vec<Place> = lowered.iter().filter_map(referred).cloned().collect();
            let kind = self.after(&mut lowered, |this| {
                if super::optional_syntax::is_none_of_option(arg) {
                    let none = Expr::literal("::core::option::Option::None", this.types.fresh());
                    return Some(ArgKind::Value(none));
                }
                if let Some(wanted) = &wanted
                    && let Some(option) = this.whole_option(arg, wanted)
                {
                    return Some(ArgKind::Value(option));
                }
                let bare = super::places::strip(arg);
                let is_awaited = super::awaited::says_nothing_of_its_type(bare);
                if let Some(wanted) = wanted.clone()
                    && (is_awaited || matches!(bare, syn::Expr::MethodCall(_)))
                {
                    this.want(bare, wanted);
                }
                let argument = this.argument(arg, shared, &others)?;
                if let (Some(wanted), ArgKind::Value(value)) = (&wanted, &argument)
                    && this.is_awaited(value)
                {
                    this.types.unify(&value.ty, wanted);
                }
                Some(argument)
            })?;
            lowered.push(kind);
        }
        self.separate(&mut lowered);
        Some(lowered)
    }

    pub(super) fn emit_call(
        &mut self,
        callee: ir::Callee,
        name: &Ident,
        mut args: Vec<ArgKind>,
        result: Option<Var>,
        on_failure: OnFailure,
        span: Span,
    ) {
        let (carrier, caught) = match on_failure {
            OnFailure::Impossible => (None, None),
            OnFailure::PassedOn(carrier) => (Some(carrier), None),
            OnFailure::Caught(caught) => (None, Some(caught)),
        };
        let attempted = caught.map(|caught| (caught, self.attempted(&mut args, span)));
        let args = args.into_iter().map(|kind| Arg { kind, slot: Slot::Passive }).collect();
        let mode = self.options.mode_of(name);
        let call = Call {
            callee,
            args,
            result,
            kept: None,
            mode,
            sweep: Sweep::Primal,
            carrier,
            failure: caught.map(|caught| caught.failure),
            resolution: Resolution::AsNamed,
        };
        self.emit(StmtKind::Call(call), span);
        if let Some((caught, attempted)) = attempted {
            self.note_outcome(caught, attempted, span);
        }
    }

    /// Whether an argument can be lowered: no closure, no reference to something else than a place.
    pub(super) fn can_be_passed(&self, arg: &syn::Expr) -> bool {
        !matches!(super::places::strip(arg), syn::Expr::Closure(_))
    }

    fn argument(
        &mut self,
        arg: &syn::Expr,
        expected: Option<Lent>,
        others: &[Place],
    ) -> Option<ArgKind> {
        Some(match self.operand(arg)? {
            Operand::Reference { place, mutable: false, .. } => ArgKind::Shared(place),
            // It becomes a `&` on the way.
            Operand::Reference { place, mutable: true, .. } if expected.is_some() => {
                ArgKind::Shared(place)
            }
            Operand::Reference { place, mutable: true, .. } => ArgKind::Exclusive(place),
            Operand::Value(value) => {
                match self.slice_behind(&value, expected == Some(Lent::Slice)) {
                    Some(place) if !others.iter().any(|other| is_of_one_field(other, &place)) => {
                        ArgKind::Shared(place)
                    }
                    Some(_) | None => ArgKind::Value(value),
                }
            }
        })
    }

    /// The place of a reference to a slice that is a part of something, `self.table` or `rows[i]`: what it refers to is passed then, as it
    /// is with `&self.table`. Such a part is a reference if its type is that of a slice, or a slice is expected.
    fn slice_behind(&mut self, value: &Expr, is_expected: bool) -> Option<Place> {
        let ExprKind::Load(place) = &value.kind else { return None };
        let ty = self.types.shallow(&value.ty);
        if place.projections.is_empty() {
            return None;
        }
        if is_expected && self.types.is_open(&ty) {
            let element = self.types.fresh();
            self.types.unify(&ty, &Type::slice(element));
            return Some(place.clone());
        }
        let is_slice = match ty {
            Type::Slice(_) => true,
            Type::Unknown | Type::Infer(_) | Type::Named(_) => is_expected,
            Type::Float(_) | Type::Int(_) | Type::Bool => false,
            Type::Array(..) | Type::Vec(_) | Type::Tuple(_) => false,
        };
        is_slice.then(|| place.clone())
    }

    /// Gives values that have bars variables of their own: each bar is passed once, as a whole.
    pub(super) fn separate(&mut self, args: &mut [ArgKind]) {
        let mut seen: Vec<Var> = Vec::new();
        for arg in args {
            let ArgKind::Value(value) = arg else { continue };
            let is_constant = value
                .as_var()
                .is_some_and(|var| matches!(self.body.vars[var].binding, Binding::Global(_)));
            if value.as_literal().is_some() || self.types.is_int(&value.ty) || is_constant {
                continue;
            }
            let whole = value.as_var().filter(|var| !seen.contains(var));
            match whole {
                Some(var) => seen.push(var),
                None => self.put_aside(value),
            }
        }
    }

    /// A method of a primitive type applied to values.
    pub(super) fn apply_method(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let ty =
            if rules::TESTS.contains(&name) { Type::Bool } else { self.method_type(name, &args) };
        Expr::new(ExprKind::Op(Op::Method(name.into()), args), ty, span)
    }

    /// The type of an elementary operation: that of its float arguments.
    fn method_type(&mut self, name: &str, args: &[Expr]) -> Type {
        let Some(rule) = rules::find(name) else { return self.types.fresh() };
        let floats = rule.args.iter().zip(args).filter(|(arg, _)| !arg.is_int);
        let floats: Vec<Type> = floats.map(|(_, value)| value.ty.clone()).collect();
        // What a method of another type takes, only rustc knows.
        let is_float = self.types.is_float(&floats[0]);
        for (arg, value) in rule.args.iter().zip(args) {
            if arg.is_int && (is_float || !self.types.is_open(&value.ty)) {
                self.types.unify(&value.ty, &Type::Int(IntKind::Named("i32")));
            }
        }
        // The arguments of a method of a primitive type have that type, without coercion.
        if self.types.is_float(&floats[0]) || self.types.is_int(&floats[0]) {
            for ty in &floats[1..] {
                self.types.unify(&floats[0], ty);
            }
            return floats[0].clone();
        }
        let result = self.types.fresh();
        self.types.arithmetic(floats, result.clone());
        result
    }

    /// A whole variable as an operand of a call.
    pub(super) fn whole(&self, var: Var, span: Span) -> Expr {
        Expr::load(Place::var(var), self.body.vars[var].ty.clone(), span)
    }
}

/// What an argument refers to.
fn referred(arg: &ArgKind) -> Option<&Place> {
    match arg {
        ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place),
        ArgKind::Value(_) | ArgKind::Omitted => None,
    }
}

/// Whether two places may be parts of one field: both would have one bar.
fn is_of_one_field(one: &Place, other: &Place) -> bool {
    let first = |place: &'_ Place| {
        place.projections.iter().find(|step| !matches!(step, Projection::Boxed)).cloned()
    };
    one.root == other.root
        && match (first(one), first(other)) {
            (Some(Projection::Field(one)), Some(Projection::Field(other))) => one == other,
            (Some(Projection::Field(_)), _) | (_, Some(Projection::Field(_))) => true,
            (_, _) => false,
        }
}
