//! What is known of the values in kept code: plain data, and what the standard library makes of it. Their operators and
//! methods are those of the language and of the standard library, which change nothing.

use super::Lowerer;
use super::access::Walk;
use super::places::strip;
use super::types::is_std;
use crate::index::Var;
use crate::ir::{Binding, Place, Projection};
use crate::read::words_in;
use crate::rules;
use crate::stdlib::{self, Role};
use crate::types::{FloatKind, Type};
use crate::walk::visit::{self, Visit};
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::{Expr, Pat};

/// A value that shares nothing that can be changed.
#[derive(Clone)]
pub(super) enum Known {
    /// Of this type, or a reference to such a value.
    Data(Type),
    /// Something of the standard library that is made of such values: an iterator, an `Option`, a part.
    Std,
}

/// Methods that type parameters have besides which stand for floats.
const OF_PARAMETERS: [&str; 17] = [
    "is_zero",
    "is_one",
    "is_positive",
    "is_negative",
    "integer_decode",
    "to_i8",
    "to_i16",
    "to_i32",
    "to_i64",
    "to_isize",
    "to_u8",
    "to_u16",
    "to_u32",
    "to_u64",
    "to_usize",
    "to_f32",
    "to_f64",
];

impl Known {
    /// Whether a method of such a value is one of the standard library that changes nothing.
    pub(super) fn has_method(&self, method: &Ident) -> bool {
        let name = method.to_string();
        let name = name.as_str();
        let of_numbers = rules::method(name).is_some() || stdlib::is(name, Role::ReadsNumber);
        match self {
            Self::Data(Type::Float(FloatKind::Generic(_))) => {
                of_numbers || OF_PARAMETERS.contains(&name)
            }
            Self::Data(Type::Float(_) | Type::Int(_) | Type::Bool) => of_numbers,
            Self::Data(Type::Array(..) | Type::Slice(_) | Type::Vec(_)) => {
                stdlib::is(name, Role::ReadsList)
            }
            Self::Data(Type::Named(_)) => stdlib::is(name, Role::ReadsText),
            Self::Data(Type::Tuple(_) | Type::Unknown | Type::Infer(_)) => name == "clone",
            // Orderings are joined by methods whose names users have for other things.
            Self::Std => {
                let joins = ["then", "then_with"].contains(&name);
                of_numbers || joins || stdlib::is(name, Role::ReadsOther)
            }
        }
    }
}

impl Known {
    /// Whether it is a number: what its methods are given is a number, too, or is compared with it.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Data(Type::Float(_) | Type::Int(_) | Type::Bool))
    }

    /// Whether a method of such a value is one of the standard library that changes the value, and nothing else.
    pub(super) fn is_changed_by(&self, method: &Ident) -> bool {
        let is_list = matches!(self, Self::Data(Type::Slice(_) | Type::Vec(_) | Type::Array(..)));
        is_list && stdlib::is(method, Role::ChangesList)
    }
}

impl Lowerer<'_> {
    /// The type of a place of plain data that was known only in the end, when the function was lowered before.
    pub(super) fn settled_type(&self, place: &Place) -> Option<Type> {
        let name = self.name_of_place(place);
        let settled = self.calls.plain.get(&name).cloned();
        if settled.is_none() {
            self.wondered.borrow_mut().push((name, place.clone()));
        }
        settled
    }

    /// What a place is known by when the function is lowered again.
    fn name_of_place(&self, place: &Place) -> String {
        let root = &self.body.vars[place.root];
        format!("{} {:?} {:?}", root.name, root.span, place.projections)
    }
}

impl Walk<'_, '_> {
    /// Whether a variable holds plain data or a reference to it.
    pub(super) fn is_plain(&self, var: Var) -> bool {
        self.optional(var).is_none() && is_data(&self.type_of_place(&Place::var(var)))
    }

    /// Whether a variable is of a type of the user's, as far as that is seen.
    pub(super) fn is_of_user(&self, var: Var) -> bool {
        self.lowerer.names_user_type(&self.type_of_place(&Place::var(var)))
    }

    /// The type of a place, also if that is known only in the end.
    fn type_of_place(&self, place: &Place) -> Type {
        let lowerer = self.lowerer;
        let root = &lowerer.body.vars[place.root];
        let mut ty = lowerer.types.resolve(&root.ty);
        for step in &place.projections {
            let part = match (step, &ty) {
                (Projection::Index(_), list) => list.element(),
                (Projection::Field(name), Type::Tuple(fields)) => {
                    name.parse::<usize>().ok().and_then(|n| fields.get(n))
                }
                (
                    Projection::Field(_)
                    | Projection::Boxed
                    | Projection::Slice { .. }
                    | Projection::Got { .. },
                    _,
                ) => None,
            };
            ty = part.cloned().unwrap_or(Type::Unknown);
        }
        if is_data(&ty) {
            return ty;
        }
        lowerer.settled_type(place).unwrap_or(ty)
    }

    /// Whether a method reads something that numbers are taken out of by indices elsewhere in the function. Generated code
    /// proves that this is a list of the standard library.
    pub(super) fn reads_indexed(&self, call: &syn::ExprMethodCall) -> bool {
        let is_reading = stdlib::is(&call.method, Role::ReadsList);
        let place = self.place_of(&call.receiver).filter(|_| is_reading);
        place.is_some_and(|place| {
            self.lowerer.calls.indexed.contains(&self.lowerer.name_of_place(&place))
        })
    }

    /// The variable of the function that an expression denotes, or a part of which it does.
    pub(super) fn root_of(&self, expr: &Expr) -> Option<Var> {
        self.place_of(expr).map(|place| place.root)
    }

    /// The place that an expression denotes, as far as its type is concerned.
    fn place_of(&self, expr: &Expr) -> Option<Place> {
        match strip(expr) {
            Expr::Path(path) => {
                let var = self.variable(path)?;
                self.optional(var).is_none().then(|| Place::var(var))
            }
            Expr::Field(field) => {
                let name = quote::ToTokens::to_token_stream(&field.member).to_string();
                Some(self.place_of(&field.base)?.then(Projection::Field(name.into())))
            }
            Expr::Index(index) if !matches!(strip(&index.index), Expr::Range(_)) => {
                Some(self.place_of(&index.expr)?.index(crate::ir::Expr::usize(0)))
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.place_of(&unary.expr)
            }
            Expr::Reference(reference) => self.place_of(&reference.expr),
            _ => None,
        }
    }

    pub(super) fn is_known(&self, expr: &Expr) -> bool {
        self.known(expr).is_some()
    }

    /// What is known of a value.
    pub(super) fn known(&self, expr: &Expr) -> Option<Known> {
        let data = |ty: Type| is_data(&ty).then_some(Known::Data(ty));
        if let Some(place) = self.place_of(expr) {
            return data(self.type_of_place(&place));
        }
        match strip(expr) {
            Expr::Lit(lit) => Some(Known::Data(type_of_literal(&lit.lit))),
            Expr::Path(path) => {
                match path.path.get_ident().and_then(|name| self.inner_name(name)) {
                    Some(known) => known.clone(),
                    None => data(type_of_constant(path)?),
                }
            }
            Expr::Field(field) => match self.known(&field.base)? {
                Known::Data(Type::Tuple(_)) | Known::Std => Some(Known::Std),
                Known::Data(_) => None,
            },
            Expr::Index(index) if self.is_list(&index.expr) => {
                let ty = self.type_of_list(&index.expr);
                match strip(&index.index) {
                    Expr::Range(_) => data(ty?),
                    _ => match ty {
                        Some(ty) => data(ty.element()?.clone()),
                        None => Some(Known::Std),
                    },
                }
            }
            Expr::Reference(reference) => self.known(&reference.expr),
            Expr::Unary(unary) => self.known(&unary.expr),
            Expr::Cast(_) => Some(Known::Data(Type::USIZE)),
            Expr::Binary(binary) => match (self.known(&binary.left)?, self.known(&binary.right)?) {
                // Of a number and what is made of numbers, the type is that of the number.
                (Known::Std, Known::Data(ty @ Type::Float(_))) => Some(Known::Data(ty)),
                (left, _) => Some(left),
            },
            Expr::Tuple(tuple) => self.all_known(&tuple.elems),
            Expr::Array(array) => self.all_known(&array.elems),
            Expr::Range(range) => {
                let bounds = [&range.start, &range.end].into_iter().flatten();
                bounds.map(|bound| self.known(bound)).collect::<Option<Vec<_>>>()?;
                Some(Known::Std)
            }
            Expr::Call(call) if self.is_of_numbers(call) => self.all_known(&call.args),
            Expr::MethodCall(call) => {
                if self.is_length(call) {
                    return Some(Known::Data(Type::USIZE));
                }
                let Some(receiver) = self.known(&call.receiver) else {
                    return self.reads_indexed(call).then_some(Known::Std);
                };
                // What makes a value of any type that is wanted.
                let is_open = ["collect", "sum", "product"].iter().any(|name| call.method == name);
                if is_open || !receiver.has_method(&call.method) {
                    return None;
                }
                let is_elementary = rules::method(&call.method.to_string()).is_some();
                match receiver {
                    Known::Data(Type::Float(_)) if is_elementary => Some(receiver),
                    Known::Data(_) | Known::Std => Some(Known::Std),
                }
            }
            _ => None,
        }
    }

    /// Whether there are variables in operands, and all of them are numbers.
    pub(super) fn are_of_numbers(&self, operands: &[&Expr]) -> bool {
        let mut words = BTreeSet::new();
        operands
            .iter()
            .for_each(|operand| words_in(quote::ToTokens::to_token_stream(operand), &mut words));
        let mut variables = words.iter().filter_map(|word| self.lowerer.find(word)).peekable();
        let is_number = |var: Var| {
            let ty = self.type_of_place(&Place::var(var));
            self.optional(var).is_none() && Known::Data(ty).is_number()
        };
        variables.peek().is_some() && variables.all(is_number)
    }

    /// The path of a constant, by the conventions for names.
    pub(super) fn constant(&self, expr: &Expr) -> Option<String> {
        let Expr::Path(path) = strip(expr) else { return None };
        let is_variable = path.path.get_ident().is_some_and(|name| self.inner_name(name).is_some());
        let name = path.path.segments.last()?.ident.to_string();
        let is_capital = name.len() > 1 && !name.contains(char::is_lowercase);
        (is_capital && path.qself.is_none() && !is_variable && self.variable(path).is_none())
            .then(|| quote::ToTokens::to_token_stream(path).to_string())
    }

    /// Whether a call is one of a function of numbers, which is given numbers only.
    pub(super) fn is_of_numbers(&self, call: &syn::ExprCall) -> bool {
        is_function_of_numbers(&call.func) || self.lowerer.makes_number(call)
    }

    /// Whether an expression is a truth value for certain.
    pub(super) fn is_truth(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Binary(binary) => matches!(
                binary.op,
                syn::BinOp::And(_)
                    | syn::BinOp::Or(_)
                    | syn::BinOp::Eq(_)
                    | syn::BinOp::Ne(_)
                    | syn::BinOp::Lt(_)
                    | syn::BinOp::Le(_)
                    | syn::BinOp::Gt(_)
                    | syn::BinOp::Ge(_)
            ),
            Expr::Unary(unary) => {
                matches!(unary.op, syn::UnOp::Not(_)) && self.is_truth(&unary.expr)
            }
            Expr::Macro(mac) => super::macros::name_of(&mac.mac) == "matches",
            _ => false,
        }
    }

    fn all_known<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Option<Known> {
        exprs.into_iter().all(|expr| self.is_known(expr)).then_some(Known::Std)
    }

    /// Whether what is indexed is a list of the standard library, whatever its elements are.
    pub(super) fn is_list(&self, list: &Expr) -> bool {
        self.type_of_list(list).is_some() || matches!(self.known(list), Some(Known::Std))
    }

    fn type_of_list(&self, list: &Expr) -> Option<Type> {
        if let Some(place) = self.place_of(list) {
            return Some(self.type_of_place(&place)).filter(|ty| ty.element().is_some());
        }
        match strip(list) {
            Expr::Index(index) => self.type_of_list(&index.expr),
            Expr::Reference(reference) => self.type_of_list(&reference.expr),
            other => match self.known(other)? {
                Known::Data(ty) => Some(ty).filter(|ty| ty.element().is_some()),
                Known::Std => None,
            },
        }
    }

    /// Whether `*` of an expression is the language's own, as that of a reference is.
    pub(super) fn is_reference(&self, expr: &Expr) -> bool {
        let is_variable = || match strip(expr) {
            Expr::Reference(_) => true,
            Expr::Path(path) => self.variable(path).is_some_and(|var| {
                !matches!(self.lowerer.body.vars[var].binding, Binding::Global(_))
                    && self.lowerer.is_reference(var)
            }),
            _ => false,
        };
        is_variable() || self.is_known(expr)
    }
}

/// Whether values of a type share nothing that can be changed.
pub(super) fn is_data(ty: &Type) -> bool {
    match ty {
        Type::Named(name) => matches!(&**name, "char" | "str" | "String"),
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => is_data(element),
        Type::Tuple(fields) => fields.iter().all(is_data),
        Type::Float(_) | Type::Int(_) | Type::Bool => true,
        Type::Unknown | Type::Infer(_) => false,
    }
}

fn type_of_literal(lit: &syn::Lit) -> Type {
    match lit {
        syn::Lit::Float(_) => Type::F64,
        syn::Lit::Int(_) => Type::USIZE,
        syn::Lit::Bool(_) => Type::Bool,
        _ => Type::Named("str".into()),
    }
}

/// The type of a constant of a primitive type: `usize::MAX`, `std::f64::consts::PI`.
fn type_of_constant(path: &syn::ExprPath) -> Option<Type> {
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let owner = match names.as_slice() {
        [owner, _] | [owner, _, _] => owner.as_str(),
        [_, owner, _, ..] if is_std(&path.path) => owner.as_str(),
        _ => return None,
    };
    let owner = if is_std(&path.path) { names.get(1)?.as_str() } else { owner };
    primitive(owner)
}

fn primitive(name: &str) -> Option<Type> {
    match name {
        "f64" => Some(Type::F64),
        "f32" => Some(Type::F32),
        name => Type::int(name),
    }
}

/// Whether a function is one of a primitive type: `f64::max`, `usize::from`.
pub(super) fn is_function_of_numbers(callee: &Expr) -> bool {
    let Expr::Path(path) = strip(callee) else { return false };
    let mut names = path.path.segments.iter();
    match (names.next(), names.next(), names.next()) {
        (Some(owner), Some(_), None) => primitive(&owner.ident.to_string()).is_some(),
        _ => false,
    }
}

/// `Ordering::Equal`: a variant of an enum, by the conventions for names.
pub(super) fn is_variant(expr: &Expr) -> bool {
    let Expr::Path(path) = strip(expr) else { return false };
    let last = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase)
}

/// What `unsafe { ptr::read_volatile(&value) }` reads: that of a reference is a copy of what it refers to.
pub(super) fn volatile_read(block: &syn::ExprUnsafe) -> Option<&Expr> {
    let [syn::Stmt::Expr(Expr::Call(call), _)] = block.block.stmts.as_slice() else { return None };
    let (Some(Expr::Reference(reference)), 1) = (call.args.first().map(strip), call.args.len())
    else {
        return None;
    };
    let is_read = is_of_library(&call.func, ["ptr", "read_volatile"]);
    (is_read && reference.mutability.is_none()).then_some(&*reference.expr)
}

/// Whether a function is `hint::black_box`, which returns what it is given.
pub(super) fn is_black_box(callee: &Expr) -> bool {
    is_of_library(callee, ["hint", "black_box"])
}

/// Whether a function is named as one of a module of the standard library, which is proved of those that are asked for here.
fn is_of_library(callee: &Expr, [module, function]: [&str; 2]) -> bool {
    let Expr::Path(path) = strip(callee) else { return false };
    let names: Vec<&Ident> = path.path.segments.iter().map(|segment| &segment.ident).collect();
    let names = if is_std(&path.path) { &names[1..] } else { &names[..] };
    matches!(names, [of, it] if *of == module && *it == function)
}

/// `Some`, `Ok`, `Point`: values that are built, not computed.
pub(super) fn is_constructor(callee: &Expr) -> bool {
    let Expr::Path(path) = callee else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// Whether a pattern lends a part as `&mut` by its own words.
pub(super) fn lends_mutably(pat: &Pat) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0 |= pat.by_ref.is_some() && pat.mutability.is_some();
            visit::visit_pat_ident(self, pat);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut search = Search(false);
    search.visit_pat(pat);
    search.0
}
