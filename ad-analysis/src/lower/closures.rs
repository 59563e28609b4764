//! Closures: lowered anew wherever they are called, so that what they capture needs no place of its
//! own.

use super::items::{Item, takes};
use super::places::strip;
use super::receivers::function_of_type;
use super::{Destination, Lowerer};
use crate::index::{BitSet, Var};
use crate::ir::{
    Binding, Block, ExprKind, Place, StmtKind, Target, each_block_mut, each_expr, each_place,
    each_stmt,
};
use crate::types::Type;
use crate::walk::visit::{self, Visit};
use proc_macro2::{Ident, TokenTree};
use quote::{ToTokens, format_ident};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Something that can be called and is lowered where it is.
#[derive(Clone)]
pub(super) struct Function {
    closure: Rc<syn::ExprClosure>,
    /// Where it was made, if that is not where it is called.
    origin: Option<Rc<Origin>>,
    /// Whether calling it for nothing makes a difference.
    has_effects: bool,
    /// Whether it calls annotated functions, which may panic.
    calls: bool,
    /// The type that the context wants of its value.
    wanted: Option<Type>,
}

/// Where a function was made.
struct Origin {
    /// The names in scope there.
    scopes: Vec<super::Scope>,
    /// The functions in whose bodies it is written.
    callees: Vec<String>,
}

impl Function {
    /// The body of the last of these functions, each of which is called in the one before: it sees these names only.
    pub(super) fn known(
        closure: syn::ExprClosure,
        scopes: Vec<super::Scope>,
        callees: Vec<String>,
    ) -> Self {
        let origin = Some(Rc::new(Origin { scopes, callees }));
        Self { closure: Rc::new(closure), origin, has_effects: true, calls: true, wanted: None }
    }

    pub(super) fn has_effects(&self) -> bool {
        self.has_effects
    }

    /// Whether it is noticed if it is not called.
    pub(super) fn is_noticed(&self) -> bool {
        self.has_effects || self.calls
    }

    pub(super) fn yields(&mut self, ty: Type) {
        self.wanted = Some(ty);
    }

    pub(super) fn body(&self) -> &syn::Expr {
        &self.closure.body
    }
}

/// A closure with a name.
#[derive(Clone)]
pub(super) struct LocalClosure {
    function: Function,
    /// Whether it owns copies of variables that change.
    owns: bool,
    /// Where it was lowered in place of a call.
    called: bool,
}

/// Where `return` leads inside of a closure.
#[derive(Clone)]
pub(super) struct Exit {
    pub(super) label: crate::index::Label,
    pub(super) destination: Destination,
}

impl Lowerer<'_> {
    /// What is called with `arity` arguments, if it can be lowered in place: a closure, the name of one,
    /// a function.
    pub(super) fn function(&mut self, expr: &syn::Expr, arity: usize) -> Option<Function> {
        match strip(expr) {
            syn::Expr::Closure(closure) => {
                if closure.inputs.len() != arity || !is_plain(closure) {
                    return None;
                }
                let (scopes, _) = self.scopes_of(closure)?;
                Some(self.function_of(closure, scopes))
            }
            syn::Expr::Reference(reference) => self.function(&reference.expr, arity),
            syn::Expr::Path(path) => {
                if let Some(var) = self.closure_named(path) {
                    let known = self.closures.get_mut(&var).expect("just found");
                    let fits = known.function.closure.inputs.len() == arity;
                    known.called |= fits;
                    return fits.then(|| known.function.clone());
                }
                let is_constant = arity == 0
                    && self
                        .function_of_parameter(expr)
                        .is_some_and(|(_, name)| super::generics::is_constant(&name));
                if let Some(method) = method_of_slices(path).filter(|_| arity == 1) {
                    let closure = syn::parse_quote!(|list| list.#method());
                    self.body.names.reserve("list");
                    return Some(Function {
                        closure: Rc::new(closure),
                        origin: None,
                        has_effects: false,
                        calls: false,
                        wanted: None,
                    });
                }
                // What turns out to be a call through which a derivative passes is lowered as one then.
                let may_be_called =
                    is_constant || self.is_function(path) || function_of_type(path).is_some();
                if !may_be_called {
                    return None;
                }
                let names: Vec<Ident> = (0..arity).map(|n| format_ident!("item_{n}")).collect();
                names.iter().for_each(|name| self.body.names.reserve(&name.to_string()));
                let closure = syn::parse_quote!(|#(#names),*| #path(#(#names),*));
                Some(Function {
                    closure: Rc::new(closure),
                    origin: None,
                    has_effects: false,
                    calls: self.is_users_function(path),
                    wanted: None,
                })
            }
            _ => None,
        }
    }

    /// The same of a function in which a `?` may stand, and no `return`: the function around it may fail in its place.
    pub(super) fn function_that_fails(
        &mut self,
        expr: &syn::Expr,
        arity: usize,
    ) -> Option<Function> {
        let syn::Expr::Closure(closure) = strip(expr) else { return self.function(expr, arity) };
        let leaves = Leaves::of(&closure.body);
        let is_left = leaves.by_other_ways || !leaves.returns.is_empty();
        if closure.inputs.len() != arity || !is_bare(closure) || is_left {
            return None;
        }
        let (scopes, _) = self.scopes_of(closure)?;
        Some(self.function_of(closure, scopes))
    }

    fn function_of(&self, closure: &syn::ExprClosure, scopes: Vec<super::Scope>) -> Function {
        let effects = self.side_effects_given(&closure.body, closure.inputs.iter());
        Function {
            closure: Rc::new(closure.clone()),
            origin: Some(Rc::new(Origin { scopes, callees: self.open_callees.around.clone() })),
            has_effects: effects.found,
            calls: effects.calls,
            wanted: None,
        }
    }

    pub(super) fn closure_named(&self, path: &syn::ExprPath) -> Option<Var> {
        let var = self.find(&path.path.get_ident()?.to_string())?;
        self.closures.contains_key(&var).then_some(var)
    }

    /// What a name of a closure stands for.
    pub(super) fn function_of_closure(&self, name: Var) -> &Function {
        &self.closures[&name].function
    }

    /// Lowers the body of a function for these arguments.
    pub(super) fn inline(&mut self, function: &Function, args: Vec<Item>) -> Item {
        let stated = match &function.closure.output {
            syn::ReturnType::Type(_, ty) if !matches!(**ty, syn::Type::Reference(_)) => {
                Some(self.lower_type(ty))
            }
            syn::ReturnType::Type(..) | syn::ReturnType::Default => None,
        };
        let wanted = stated.or_else(|| function.wanted.clone());
        self.inline_with(function, args, |this, body| match returns_of(body) {
            Returns::None => this.item_for(body, wanted.as_ref()),
            returns => this.item_with_returns(body, returns, wanted),
        })
    }

    /// As [`inline`](Self::inline), with another way to lower the body.
    pub(super) fn inline_with(
        &mut self,
        function: &Function,
        args: Vec<Item>,
        lower: impl FnOnce(&mut Self, &syn::Expr) -> Item,
    ) -> Item {
        let output = function.closure.output.clone();
        let start = self.out.len();
        let item = self.within(function, args, |this, body| {
            let result = lower(this, body);
            match &output {
                syn::ReturnType::Type(_, ty) => this.typed_item(ty, result),
                syn::ReturnType::Default => result,
            }
        });
        self.item_without_temporaries(start, item)
    }

    /// Does something with the body of a function, where the names in scope are those that it sees, and the functions around it those
    /// in whose bodies it is written: a closure that is passed to a function may call it, too.
    pub(super) fn within<R>(
        &mut self,
        function: &Function,
        args: Vec<Item>,
        lower: impl FnOnce(&mut Self, &syn::Expr) -> R,
    ) -> R {
        let Function { closure, origin, has_effects: _, calls: _, wanted: _ } = function;
        let callers = origin.as_ref().map(|own| {
            let scopes = std::mem::replace(&mut *self.scopes, own.scopes.clone());
            (scopes, std::mem::replace(&mut self.open_callees.around, own.callees.clone()))
        });
        let breakables = std::mem::take(&mut *self.breakables);
        self.scopes.push(super::Scope::default());
        let mut body = Cow::Borrowed(&*closure.body);
        for (pat, arg) in closure.inputs.iter().zip(args) {
            self.bind_for(pat, arg, &mut body);
        }
        let result = lower(self, &body);
        self.scopes.pop();
        *self.breakables = breakables;
        if let Some((scopes, callees)) = callers {
            (*self.scopes, self.open_callees.around) = (scopes, callees);
        }
        result
    }

    /// A body that is left early: a block that `return` leaves.
    fn item_with_returns(
        &mut self,
        body: &syn::Expr,
        returns: Returns,
        wanted: Option<Type>,
    ) -> Item {
        let span = body.span();
        let value = match returns {
            Returns::Value => {
                let ty = wanted.unwrap_or_else(|| self.types.fresh());
                let var = self.body.local("value", ty, span);
                self.emit(StmtKind::Let { var, value: None }, span);
                Some(var)
            }
            Returns::None | Returns::Unit => None,
        };
        let destination =
            value.map_or(Destination::Discard, |var| Destination::Place(Place::var(var)));
        self.left_by_returns(body, destination);
        value.map_or_else(|| Item::unit(span), |var| Item::value(self.load(var, span)))
    }

    /// The body of a closure, with or without a `return`: its value goes to a destination.
    pub(super) fn left_by_returns(&mut self, body: &syn::Expr, destination: Destination) {
        let label = self.body.numbering.label();
        let exit = Exit { label, destination: destination.clone() };
        let outer = self.exit.replace(exit);
        let block = self.in_block(|this| this.lower_into(body, &destination));
        *self.exit = outer;
        let target = Some(Target { label, exit: None });
        self.emit(StmtKind::Block { target, body: block }, body.span());
    }

    /// `let f = |x| …;`. The closure itself is kept too, until it turns out that nothing needs it.
    pub(super) fn local_closure(&mut self, name: &Ident, closure: &syn::ExprClosure) -> bool {
        if !is_plain(closure) {
            return false;
        }
        let Some((scopes, owns)) = self.scopes_of(closure) else { return false };
        let value = self.opaque_value(&syn::Expr::Closure(closure.clone()));
        let var = value.as_var().expect("verbatim code has a variable for its value");
        self.rename(var, &name.to_string());
        let function = self.function_of(closure, scopes);
        self.closures.insert(var, LocalClosure { function, owns, called: false });
        true
    }

    /// The names that a closure sees, with copies of what it owns, and whether there are any.
    fn scopes_of(&mut self, closure: &syn::ExprClosure) -> Option<(Vec<super::Scope>, bool)> {
        let mut scopes = self.scopes.to_vec();
        if closure.capture.is_none() {
            return Some((scopes, false));
        }
        let own = self.owned_by(closure)?;
        let owns = !own.is_empty();
        let mut copies = super::Scope::default();
        for (name, var) in own {
            let value = self.load(var, closure.span());
            let copy = self.name_value(&name, value);
            self.mutable.insert(copy);
            copies.insert(name, copy);
        }
        scopes.push(copies);
        Some((scopes, owns))
    }

    /// The variables that may change and that a `move` closure has copies of. `None` if it cannot be
    /// told whether it has a copy or takes the variable.
    fn owned_by(&self, closure: &syn::ExprClosure) -> Option<Vec<(String, Var)>> {
        let mut mentioned = Mentioned::default();
        mentioned.tokens(closure.body.to_token_stream());
        let mut own = Vec::new();
        for name in mentioned.names {
            let Some(var) = self.find(&name) else { continue };
            if self.optionals.contains_key(&var) {
                return None;
            }
            let is_value = matches!(self.body.vars[var].binding, Binding::Value);
            if !is_value || !self.mutable.contains(var) {
                continue;
            }
            let ty = &self.body.vars[var].ty;
            // A list is moved, and its variable may get another one.
            if !self.is_number(ty) {
                return None;
            }
            own.push((name, var));
        }
        Some(own)
    }

    /// The value of a call, if what is called is a closure of this function.
    pub(super) fn closure_call(&mut self, call: &syn::ExprCall) -> Option<Item> {
        let syn::Expr::Path(path) = strip(&call.func) else { return None };
        self.closure_named(path)?;
        let function = self.function(&call.func, call.args.len())?;
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let args = self.items_of(&args);
        Some(self.inline(&function, args))
    }

    /// Drops the closures and the iterators that nothing mentions any more, since each call was lowered in place.
    pub(super) fn drop_closures(&mut self) {
        while let Some(unused) = self.unused_closures() {
            drop_declarations(&mut self.body.block, &unused);
            self.closures.retain(|var, _| !unused.contains(*var));
            self.iterators.retain(|var, _| !unused.contains(*var));
        }
        for (var, closure) in self.closures.iter() {
            let changes = closure.owns || !self.may_refer_to(*var).is_empty();
            if closure.called && changes {
                self.errors.report(
                    closure.function.closure.span(),
                    "a closure that changes variables is not supported where other code uses it too",
                    "call it by its name only, or write the computation where it is used",
                );
            }
        }
    }

    fn unused_closures(&self) -> Option<BitSet<Var>> {
        let mut unused: BitSet<Var> = BitSet::new();
        unused.extend(self.closures.keys().copied());
        unused.extend(self.iterators.keys().copied());
        each_stmt(&self.body.block, &mut |stmt| {
            let mut mentions = |var: Var| {
                unused.remove(var);
            };
            each_place(stmt, &mut |place| mentions(place.root));
            match &stmt.kind {
                StmtKind::Bind { view } => {
                    if let Binding::View(view) = &self.body.vars[*view].binding {
                        mentions(view.place.root);
                        view.through.into_iter().for_each(|through| mentions(through.view));
                    }
                }
                StmtKind::Opaque(opaque) => opaque.reads.iter().for_each(|var| mentions(*var)),
                _ => {}
            }
            each_expr(stmt, &mut |expr| {
                if let ExprKind::Opaque(opaque) = &expr.kind {
                    opaque.reads.iter().for_each(|var| mentions(*var));
                }
            });
        });
        (!unused.is_empty()).then_some(unused)
    }
}

fn drop_declarations(block: &mut Block, unused: &BitSet<Var>) {
    block
        .stmts
        .retain(|stmt| !matches!(stmt.kind, StmtKind::Let { var, .. } if unused.contains(var)));
    for stmt in &mut block.stmts {
        each_block_mut(stmt, &mut |block| drop_declarations(block, unused));
    }
}

/// Whether a closure can be lowered where it is called.
fn is_plain(closure: &syn::ExprClosure) -> bool {
    let leaves = Leaves::of(&closure.body);
    is_bare(closure) && !leaves.fails && !leaves.by_other_ways
}

/// Whether a closure has nothing but parameters that are understood, and a body.
fn is_bare(closure: &syn::ExprClosure) -> bool {
    closure.attrs.is_empty()
        && closure.lifetimes.is_none()
        && closure.constness.is_none()
        && closure.asyncness.is_none()
        && closure.inputs.iter().all(takes)
}

/// How a body is left early.
#[derive(Clone, Copy)]
enum Returns {
    None,
    Unit,
    Value,
}

/// Whether there is a `return` in the body of a closure.
pub(super) fn has_return(body: &syn::Expr) -> bool {
    !Leaves::of(body).returns.is_empty()
}

fn returns_of(body: &syn::Expr) -> Returns {
    match Leaves::of(body).returns.as_slice() {
        [] => Returns::None,
        returns if returns.iter().all(|has_value| *has_value) => Returns::Value,
        _ => Returns::Unit,
    }
}

/// The ways in which control leaves a closure.
#[derive(Default)]
struct Leaves {
    /// For each `return`, whether it has a value.
    returns: Vec<bool>,
    /// Whether there is a `?`.
    fails: bool,
    by_other_ways: bool,
}

impl Leaves {
    fn of(body: &syn::Expr) -> Self {
        let mut leaves = Self::default();
        leaves.visit_expr(body);
        leaves
    }
}

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expr_return(&mut self, exit: &'ast syn::ExprReturn) {
        self.returns.push(exit.expr.is_some());
        visit::visit_expr_return(self, exit);
    }

    fn visit_expr_try(&mut self, exit: &'ast syn::ExprTry) {
        self.fails = true;
        visit::visit_expr_try(self, exit);
    }

    fn visit_expr_await(&mut self, _: &'ast syn::ExprAwait) {
        self.by_other_ways = true;
    }

    fn visit_expr_yield(&mut self, _: &'ast syn::ExprYield) {
        self.by_other_ways = true;
    }

    // What a closure inside of this one does is its own affair.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether code may leave the function that it is in.
pub(super) fn leaves_function(code: &syn::Expr) -> bool {
    let leaves = Leaves::of(code);
    leaves.fails || !leaves.returns.is_empty()
}

/// The names that occur in code.
#[derive(Default)]
struct Mentioned {
    names: BTreeSet<String>,
}

impl Mentioned {
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.names.insert(ident.to_string());
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                // Names can stand in format strings.
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                    self.names.extend(words.map(str::to_owned));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// The method that `<[f64]>::to_vec` is: slices have it themselves, so that no trait can have another one for it.
fn method_of_slices(path: &syn::ExprPath) -> Option<&Ident> {
    const METHODS: [&str; 4] = ["is_empty", "iter", "len", "to_vec"];
    let of = path.qself.as_ref().filter(|of| of.position == 0)?;
    let only = path.path.segments.first().filter(|_| path.path.segments.len() == 1)?;
    let is_known = METHODS.iter().any(|method| only.ident == method);
    (is_known && matches!(&*of.ty, syn::Type::Slice(_))).then_some(&only.ident)
}
