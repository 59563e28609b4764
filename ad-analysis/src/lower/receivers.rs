//! Calls of methods that may be annotated: how does a method take its receiver?

use super::calls::OnFailure;
use super::declared::Expected;
use super::indexed::site_of_index;
use super::{Lowerer, Operand};
use crate::interface::Passing;
use crate::ir::{ArgKind, Binding, Callee, Expr, ExprKind, Op, Place};
use crate::options::HAS_ARRAYS;
use crate::read::trait_of_operator;
use crate::rules;
use crate::stdlib::{self, Role};
use crate::types::Type;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::ExprMethodCall;

/// What becomes of the value of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Wanted,
    Dropped,
}

/// Types of the standard library whose functions have no adjoints.
const NOT_USERS_TYPES: [&str; 22] = [
    "Vec",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "String",
    "Option",
    "Result",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "VecDeque",
    "Mutex",
    "RwLock",
    "Instant",
    "Duration",
    "Default",
    "Iterator",
    "PhantomData",
    "Some",
];

/// The name of the function that an expression calls, if that may be one of a type of the user's.
pub(super) fn callee_of(expr: &syn::Expr) -> Option<Ident> {
    match super::places::strip(expr) {
        syn::Expr::MethodCall(call) => {
            let is_of_option = [Role::EndsOptional, Role::StepsOptional]
                .into_iter()
                .any(|role| stdlib::is(&call.method, role));
            let before = || match super::places::strip(&call.receiver) {
                syn::Expr::MethodCall(inner)
                    if inner.args.is_empty() && stdlib::is_known(&inner.method) =>
                {
                    None
                }
                // What is found in a list is not called.
                syn::Expr::Index(index)
                    if call.method == "clone"
                        && !super::places::is_index_of_users(&index.index) =>
                {
                    None
                }
                inner => callee_of(inner),
            };
            let is_users = !stdlib::is(&call.method, Role::NotOfUsers) || may_end_no_chain(call);
            let own = is_users.then(|| call.method.clone());
            let own = list_gone_through(expr).and_then(callee_of).or(own);
            // What yields the `Option` or the `Result`.
            if is_of_option { before().or(own) } else { own }
        }
        syn::Expr::Call(call) => {
            let syn::Expr::Path(path) = super::places::strip(&call.func) else { return None };
            function_of_type(path)
        }
        syn::Expr::Index(index) => Some(site_of_index(index)),
        syn::Expr::Assign(syn::ExprAssign { left, .. })
        | syn::Expr::Binary(syn::ExprBinary { left, .. }) => match super::places::strip(left) {
            syn::Expr::Index(index) => Some(site_of_index(index)),
            _ => None,
        },
        syn::Expr::ForLoop(repetition) => match super::places::strip(&repetition.expr) {
            syn::Expr::Reference(lent) => callee_of(super::places::strip(&lent.expr)),
            items => callee_of(items),
        },
        _ => None,
    }
}

/// The name of a function of a type, if the type may be one of the user's.
pub(super) fn function_of_type(path: &syn::ExprPath) -> Option<Ident> {
    let segments = &path.path.segments;
    let owner = &segments.get(segments.len().checked_sub(2)?)?.ident.to_string();
    let last = &segments.last()?.ident;
    let is_users = path.qself.is_none()
        && owner.starts_with(char::is_uppercase)
        && !last.to_string().starts_with(char::is_uppercase)
        && !NOT_USERS_TYPES.contains(&owner.as_str());
    is_users.then(|| last.clone())
}

/// What an iterator goes through, which may be the value of a call: `model.rates(x)` of `model.rates(x).iter().sum()`.
fn list_gone_through(expr: &syn::Expr) -> Option<&syn::Expr> {
    match super::places::strip(expr) {
        syn::Expr::MethodCall(call) if stdlib::is_known(&call.method) => {
            let goes_through = ["iter", "iter_mut", "into_iter"];
            match goes_through.iter().any(|name| call.method == name) {
                true => Some(super::places::strip(&call.receiver)),
                false => list_gone_through(&call.receiver),
            }
        }
        _ => None,
    }
}

/// Whether a method that ends a chain of iterators may be one of a value of the user's: arrays of other crates have a `sum`.
fn may_end_no_chain(call: &ExprMethodCall) -> bool {
    let ends = ["sum", "product"].iter().any(|name| call.method == name);
    ends && call.turbofish.is_none() && !makes_iterator(&call.receiver)
}

/// Whether an expression is seen to be an iterator.
fn makes_iterator(expr: &syn::Expr) -> bool {
    match super::places::strip(expr) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(call) => {
            // What may be one of an `Option` is one where what it is called on is.
            let is_made = stdlib::is(&call.method, Role::MakesIterator)
                && !stdlib::is(&call.method, Role::OfOptions);
            is_made || makes_iterator(&call.receiver)
        }
        _ => false,
    }
}

impl Lowerer<'_> {
    /// Whether the `impl` block around the function has an annotated function of that name.
    pub(super) fn has_sibling(&self, name: &Ident) -> bool {
        let surroundings = self.annotated.surroundings();
        surroundings.is_some_and(|known| known.functions.contains_key(&name.to_string()))
    }

    /// The value of a call of a method that may be annotated, if it is one.
    pub(super) fn method_value(
        &mut self,
        call: &ExprMethodCall,
        on_failure: OnFailure,
        span: Span,
    ) -> Option<Expr> {
        self.method_call_of(call, Use::Wanted, on_failure, span)
    }

    /// A call of a method that may be annotated, if it is one, without its value.
    pub(super) fn method_effect(&mut self, call: &ExprMethodCall, span: Span) -> Option<()> {
        self.method_call_of(call, Use::Dropped, OnFailure::Impossible, span).map(|_| ())
    }

    fn method_call_of(
        &mut self,
        call: &ExprMethodCall,
        usage: Use,
        on_failure: OnFailure,
        span: Span,
    ) -> Option<Expr> {
        let sibling = self.sibling(call);
        let is_call = sibling.is_some() || self.calls.has(&call.method);
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        // The sweeps of a method of another type are found by the receiver, without a path to give arguments.
        let is_named = call.turbofish.is_none() || sibling.is_some();
        // All types have `into` of the standard library, which comes before one by reference; and a clone is a copy.
        let is_of_any_type = sibling.is_none()
            && ["into", "clone"].iter().any(|name| call.method == name)
            && args.is_empty();
        let can_be_passed = args.iter().all(|arg| self.can_be_passed(arg));
        if !is_call || !is_named || is_of_any_type || !can_be_passed {
            return None;
        }
        self.attempt("a call of a method", |this| {
            this.note_lenders(&call.receiver, &args);
            this.lowered_method(call, &args, sibling, usage, on_failure, span)
        })
    }

    /// Where a method is called on what another one returns, or gets it, that may be a part of an array that is lent: it is a call, too.
    fn note_lenders(&mut self, receiver: &syn::Expr, args: &[&syn::Expr]) {
        for expr in args.iter().copied().chain([receiver]).filter(|_| HAS_ARRAYS) {
            let inner = match super::places::strip(expr) {
                syn::Expr::Reference(reference) => super::places::strip(&reference.expr),
                inner => inner,
            };
            if let syn::Expr::MethodCall(inner) = inner
                && !stdlib::is_known(&inner.method)
                && inner.turbofish.is_none()
            {
                self.lenders.push(inner.method.clone());
            }
        }
    }

    fn lowered_method(
        &mut self,
        call: &ExprMethodCall,
        args: &[&syn::Expr],
        sibling: Option<Passing>,
        usage: Use,
        on_failure: OnFailure,
        span: Span,
    ) -> Option<Expr> {
        let place = match self.operand(&call.receiver)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "receiver"),
        };
        let place = self.unboxed(place);
        let known = self.type_of(&place);
        let known = self.types.shallow(&known);
        if matches!(&known, Type::Named(name) if name.of_dyn().is_some())
            && self.may_be_changed(&place)
        {
            self.errors.report(
                call.method.span(),
                "a method of a `dyn` value that may be changed has no adjoint",
                "take it as what cannot be changed, `shape: &dyn Shape`; or let a type parameter stand for what is \
                 behind the `dyn`, `shape: &mut impl Shape`",
            );
            return None;
        }
        // Floats have methods of traits, too, which may be annotated.
        let method = call.method.to_string();
        let is_users = self.types.is_float(&known)
            && !rules::is_of_standard_library(&method)
            && trait_of_operator(&method).is_none();
        let is_of_std = self.is_number(&known) && !is_users
            || known.element().is_some()
            || matches!(known, Type::Bool | Type::Tuple(_));
        if is_of_std || self.of_library.contains(self.body.resolve(&place).root) {
            return None;
        }
        let declared = self.declared_receiver(&known, &method);
        // A type of the user's has such a method only where the files tell that.
        let is_told = sibling.or(declared).is_some() || may_end_no_chain(call);
        if !is_told && stdlib::is(&call.method, Role::NotOfUsers) {
            return None;
        }
        let passing = sibling.or(declared).unwrap_or_else(|| match usage {
            Use::Dropped if self.may_be_changed(&place) => Passing::Exclusive,
            Use::Dropped | Use::Wanted => Passing::Shared,
        });
        let receiver = match passing {
            Passing::Shared => ArgKind::Shared(place),
            Passing::Exclusive => ArgKind::Exclusive(place),
            Passing::Value => {
                let ty = self.type_of(&place);
                ArgKind::Value(Expr::load(place, ty, span))
            }
        };
        let is_exclusive = matches!(receiver, ArgKind::Exclusive(_));
        let mut wanted = match self.declared_name(&known) {
            Some(owner) => self.declared_parameters(Some(&owner), &method, args.len()),
            None => vec![Expected::default(); args.len()],
        };
        if sibling.is_some() {
            self.add_shared_of_sibling(&mut wanted, &method);
        }
        let mut lowered = self.wanted_arguments(vec![receiver], args, wanted)?;
        for arg in lowered.iter_mut().skip(1).filter(|_| is_exclusive) {
            // Rust evaluates them before it borrows the receiver.
            if let ArgKind::Value(value) = arg
                && value.as_var().is_none()
            {
                self.put_aside(value);
            }
        }
        let name = &call.method;
        let callee = match sibling {
            Some(_) => {
                let turbofish = &call.turbofish;
                Callee::Associated(quote!(Self::#name #turbofish))
            }
            None => Callee::Method(name.clone()),
        };
        let told = self.declared_result(&known, &name.to_string(), &on_failure);
        let result = match usage {
            Use::Wanted => {
                let ty = self.types.fresh();
                Some(self.body.local(&format!("{name}_value"), ty, span))
            }
            Use::Dropped => None,
        };
        if let Some(result) = result {
            self.declare_as(result, told.as_ref());
        }
        self.emit_call(callee, name, lowered, result, on_failure, span);
        if sibling.is_some() {
            self.note_method_of_self();
        }
        self.results.extend(result);
        self.note_of_user(result);
        Some(match result {
            Some(result) => self.load(result, span),
            None => Expr::new(ExprKind::Op(Op::Tuple, Vec::new()), Type::unit(), span),
        })
    }

    /// The method that is called, if it has the name of one that types of users are taken not to have, `slot.take()`, and the files tell that
    /// this one has it.
    pub(super) fn method_named_like_others(&mut self, expr: &syn::Expr) -> Option<Ident> {
        let syn::Expr::MethodCall(call) = expr else { return None };
        let name = call.method.to_string();
        if !stdlib::is(&call.method, Role::NotOfUsers)
            || !self.options.declared.has_receiver(&name)
            || self.calls.has(&call.method)
        {
            return None;
        }
        let mut owner = None;
        self.attempt("a method of a type of the user's", |this| {
            let place = this.place(&call.receiver)?;
            owner = Some(this.type_of(&place));
            None::<()>
        });
        self.declared_receiver(&owner?, &name).map(|_| call.method.clone())
    }

    /// How the method is known to take its receiver: `self.m(…)`, of a method in the same block.
    pub(super) fn sibling(&self, call: &ExprMethodCall) -> Option<Passing> {
        let syn::Expr::Path(path) = super::places::strip(&call.receiver) else { return None };
        let receiver = self.body.params.first().filter(|_| self.annotated.receiver.is_some())?;
        let is_self = self.find(&path.path.get_ident()?.to_string()) == Some(*receiver);
        // What an `impl` of an operator has may be that of another, by the types of the operands.
        let surroundings =
            self.annotated.surroundings().filter(|known| known.standard.is_none())?;
        let sibling = surroundings.functions.get(&call.method.to_string())?;
        sibling.receiver.filter(|_| is_self)
    }

    /// Whether the variable that a place is a part of can be written.
    fn may_be_changed(&self, place: &Place) -> bool {
        let root = self.body.resolve(place).root;
        match &self.body.vars[root].binding {
            Binding::Exclusive => true,
            Binding::View(view) => view.mutable,
            Binding::Value => self.mutable.contains(root),
            Binding::Shared | Binding::Global(_) => false,
        }
    }
}
