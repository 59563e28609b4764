//! Types by example: where the macro does not know the type of a value that comes off the stack, code
//! that is never run shows rustc where it came from.

use super::body::Emitter;
use super::expr::member;
use super::located;
use super::types::known;
use crate::index::{BitSet, Var};
use crate::ir::{
    Arg, ArgKind, Binding, Body, Call, Callee, Carrier, Change, Derivative, Expr, ExprKind, Op,
    Opaque, Place, Projection, Resize, Stmt, StmtKind, Variable, each_expr, each_place, each_stmt,
};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

/// What expressions that tell types go back to: each variable is shown once, in a declaration, or operators on values of unknown types would
/// double the expression with every step.
#[derive(Default)]
pub(super) struct Shown {
    /// The variables whose definitions are being shown.
    open: Vec<Var>,
    /// The names of what tells the types of variables.
    named: HashMap<Var, Ident>,
    /// The variables whose uses are shown.
    pub(super) used: BitSet<Var>,
    pub(super) declarations: TokenStream,
}

/// Where the variables of the primal get their values.
#[derive(Default)]
pub(super) struct Definitions {
    of: HashMap<Var, Vec<Stmt>>,
    /// What variables are assigned to or handed to.
    pub(super) uses: HashMap<Var, Vec<Stmt>>,
    /// What lists are extended by, one item each.
    items: HashMap<Var, Vec<Expr>>,
    /// What calls keep for their backward sweeps.
    kept: BitSet<Var>,
}

impl Definitions {
    fn of(primal: &Body) -> Self {
        let mut definitions = Self::default();
        each_stmt(&primal.block, &mut |stmt| {
            let defined = match &stmt.kind {
                StmtKind::Let { var, value: Some(_) } => Some(*var),
                StmtKind::Assign { place, value: _ } if place.is_whole() => Some(place.root),
                StmtKind::Call(call) => {
                    definitions.kept.extend(call.kept);
                    call.result
                }
                StmtKind::Resize(Resize { list, change: Change::Extend(items), .. }) => {
                    if let Some(item) = first_of(items).filter(|_| list.is_whole()) {
                        let list = primal.root_of(list);
                        definitions.items.entry(list).or_default().push(item.clone());
                    }
                    None
                }
                _ => None,
            };
            if let Some(var) = defined {
                definitions.of.entry(var).or_default().push(stmt.clone());
            }
            for var in used_by(stmt).iter() {
                definitions.uses.entry(var).or_default().push(stmt.clone());
            }
        });
        definitions
    }
}

/// The first of the items that are written one by one.
fn first_of(items: &Expr) -> Option<&Expr> {
    match &items.kind {
        ExprKind::Op(Op::Array | Op::Vec, items) => items.first(),
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Literal(_) => None,
        ExprKind::Guard(_) | ExprKind::Opaque(_) => None,
    }
}

/// The variables whose types are those of what a statement assigns, or of what it hands over.
fn used_by(stmt: &Stmt) -> BitSet<Var> {
    let mut used = BitSet::new();
    let mut is_seen =
        matches!(stmt.kind, StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::Call(_));
    // Code that is kept may leave the function.
    each_expr(stmt, &mut |expr| is_seen &= !has_kept_code(expr));
    if is_seen {
        each_place(stmt, &mut |place| used.extend(place.is_whole().then_some(place.root)));
    }
    used
}

fn has_kept_code(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Opaque(_) => true,
        ExprKind::Op(_, args) => args.iter().any(has_kept_code),
        ExprKind::Load(_) | ExprKind::Literal(_) | ExprKind::Guard(_) => false,
    }
}

/// How what is shown is used.
#[derive(Clone, Copy)]
enum Access {
    Shared,
    Exclusive,
}

impl Access {
    fn reference(self) -> TokenStream {
        match self {
            Self::Shared => quote!(&),
            Self::Exclusive => quote!(&mut),
        }
    }
}

impl Emitter<'_> {
    /// Pops a value of a type that only rustc knows.
    pub(super) fn witnessed_pop(&self, var: Var) -> TokenStream {
        let popped = self.decoded(&self.body.vars[var].ty);
        if self.is_kept_by_call(var) || self.is_told_by_code(&self.body.vars[var].ty) {
            // Its only use is an argument of a known type, or it tells its type.
            return popped;
        }
        let mut witness = self.told(var);
        let variable = self.primal.vars.get(var);
        if variable.is_some_and(|variable| matches!(variable.ty, Type::Slice(_))) {
            // What is kept of the caller's list is a copy.
            witness = quote!((#witness).to_vec());
        }
        quote!(if false { #witness } else { #popped })
    }

    /// Some value of the type of a variable.
    pub(super) fn witnessed_placeholder(&self, var: Var) -> TokenStream {
        let placeholder = self.stand_in(&self.body.vars[var].ty);
        let is_of_primal = self.primal.vars.get(var).is_some();
        let is_told = self.is_told_by_code(&self.body.vars[var].ty);
        if !is_of_primal || is_told || self.is_kept_by_call(var) {
            return placeholder;
        }
        let witness = self.told(var);
        quote!(if false { #witness } else { #placeholder })
    }

    fn is_kept_by_call(&self, var: Var) -> bool {
        self.kept.contains(var) || self.definitions().kept.contains(var)
    }

    pub(super) fn definitions(&self) -> &Definitions {
        self.definitions.get_or_init(|| Definitions::of(self.primal))
    }

    /// A value of the type of a variable; what it mentions is declared at the beginning of the sweep.
    fn told(&self, var: Var) -> TokenStream {
        let mut shown = self.shown.take();
        let witness = self.witness(var, &mut shown);
        self.shown.replace(shown);
        witness
    }

    /// What the sweep mentions that tells types.
    pub(super) fn told_types(&self) -> TokenStream {
        self.shown.borrow().declarations.clone()
    }

    /// Code that is never run and tells a type, behind the declarations of what it mentions.
    pub(super) fn told_apart(&self, show: impl FnOnce(&mut Shown) -> TokenStream) -> TokenStream {
        let mut shown = Shown::default();
        let tokens = show(&mut shown);
        let declarations = shown.declarations;
        if declarations.is_empty() { tokens } else { quote!({ #declarations #tokens }) }
    }

    /// An expression of the type of a variable.
    pub(super) fn witness(&self, var: Var, shown: &mut Shown) -> TokenStream {
        let rt = &self.rt;
        match (self.stated(var), &self.primal.vars.get(var)) {
            (Some(ty), Some(Variable { ty: Type::Slice(_), .. })) => {
                quote!((*#rt::never::<&#ty>()))
            }
            (Some(ty), _) => quote!(#rt::never::<#ty>()),
            (None, _) => self
                .example_of(var)
                .or_else(|| self.definition(var, shown))
                .or_else(|| self.overwritten(var, shown))
                .unwrap_or_else(|| quote!(#rt::never())),
        }
    }

    /// What was overwritten by what a variable of the backward sweep holds, where it is an element of something that is not seen.
    fn overwritten(&self, var: Var, shown: &mut Shown) -> Option<TokenStream> {
        let mut overwritten = self.product.adjoint.overwritten.iter();
        let (_, place) = overwritten.find(|(old, _)| *old == var)?;
        let is_plain = |step: &Projection| match step {
            Projection::Index(index) => index.ty == Type::USIZE,
            Projection::Field(_) | Projection::Boxed | Projection::Slice { .. } => true,
            Projection::Got { .. } => false,
        };
        let (rt, is_plain) = (&self.rt, place.projections.iter().all(is_plain));
        let place = is_plain.then(|| self.witness_of_place(place, Access::Shared, shown))?;
        Some(quote!(#rt::copied(&#place)))
    }

    /// A value of the type of a variable, if the type is seen.
    fn example_of(&self, var: Var) -> Option<TokenStream> {
        let variable = self.primal.vars.get(var).filter(|variable| !variable.assumed)?;
        self.example(&variable.ty)
    }

    pub(super) fn lasting_shared(&self, var: Var, shown: &mut Shown) -> TokenStream {
        self.lasting(var, Access::Shared, shown)
    }

    pub(super) fn lasting_exclusive(&self, var: Var, shown: &mut Shown) -> TokenStream {
        self.lasting(var, Access::Exclusive, shown)
    }

    /// A place of the type of a variable that lives as long as anything may want it.
    fn lasting(&self, var: Var, access: Access, shown: &mut Shown) -> TokenStream {
        let rt = &self.rt;
        let reference = access.reference();
        if let Some(ty) = self.stated(var) {
            return quote!((*#rt::never::<#reference #ty>()));
        }
        if let Some(value) = self.example_of(var).filter(|_| !self.is_global(var)) {
            return quote!((*#rt::lent(#value)));
        }
        if let Some(Binding::View(view)) = self.primal.vars.get(var).map(|var| &var.binding) {
            return self.witness_of_place(&view.place, access, shown);
        }
        match self.definition(var, shown) {
            Some(global) if self.is_global(var) => global,
            Some(value) => quote!((*#rt::lent(#value))),
            None => quote!((*#rt::never::<#reference _>())),
        }
    }

    fn is_global(&self, var: Var) -> bool {
        matches!(self.primal.vars[var].binding, Binding::Global(_))
    }

    /// The type of a variable, as the user stated it or the macro found it out.
    pub(super) fn stated(&self, var: Var) -> Option<TokenStream> {
        let variable = self.primal.vars.get(var)?;
        let known = known(&variable.ty).filter(|_| !variable.assumed);
        known.or_else(|| variable.declared.clone().map(located))
    }

    /// A value of the type that the definitions of a variable tell.
    pub(super) fn definition(&self, var: Var, shown: &mut Shown) -> Option<TokenStream> {
        let rt = &self.rt;
        let variable = self.primal.vars.get(var)?;
        if let Binding::Global(path) = &variable.binding {
            return Some(located(path.clone()));
        }
        if !shown.named.contains_key(&var) {
            let definition = self.shown_definition(var, shown)?;
            let name = format_ident!("__{}", variable.name.trim_start_matches("r#"));
            shown.declarations.extend(quote!(let #name = #rt::told(|| #definition);));
            shown.named.insert(var, name);
        }
        let name = &shown.named[&var];
        Some(quote!(#name.like()))
    }

    /// The code that is kept whose value a variable has, if nothing else tells its type.
    pub(super) fn kept_definition(&self, var: Var, shown: &Shown) -> Option<&Opaque> {
        let is_told = self.stated(var).is_some()
            || self.example_of(var).is_some()
            || shown.named.contains_key(&var)
            || shown.open.contains(&var);
        let definitions = self.definitions().of.get(&var).filter(|_| !is_told)?;
        match definitions.as_slice() {
            [
                Stmt {
                    kind: StmtKind::Let { value: Some(value), .. } | StmtKind::Assign { value, .. },
                    ..
                },
            ] => match &value.kind {
                ExprKind::Opaque(opaque) => Some(opaque),
                ExprKind::Op(..)
                | ExprKind::Load(_)
                | ExprKind::Literal(_)
                | ExprKind::Guard(_) => None,
            },
            _ => None,
        }
    }

    /// What a variable is defined as, in other words of the same type.
    fn shown_definition(&self, var: Var, shown: &mut Shown) -> Option<TokenStream> {
        if shown.open.contains(&var) {
            return None;
        }
        shown.open.push(var);
        let definitions = self.definitions().of.get(&var).into_iter().flatten();
        let (silent, telling): (Vec<&Stmt>, Vec<&Stmt>) =
            definitions.partition(|stmt| makes_nothing_of_parameters(stmt));
        let definition = telling.into_iter().chain(silent).find_map(|stmt| match &stmt.kind {
            StmtKind::Let { var: _, value: Some(value) } | StmtKind::Assign { place: _, value } => {
                let list = self.shown(value, shown)?;
                let is_empty =
                    matches!(&value.kind, ExprKind::Op(Op::Vec, items) if items.is_empty());
                let item = if is_empty { self.shown_item(var, shown) } else { None };
                Some(match item {
                    None => list,
                    Some(item) => quote!({ let mut list = #list; list.push(#item); list }),
                })
            }
            StmtKind::Call(call) => Some(self.witness_of_call(call, shown)),
            _ => None,
        });
        shown.open.pop();
        definition
    }

    /// An item of a list: what it begins with may have none.
    fn shown_item(&self, list: Var, shown: &mut Shown) -> Option<TokenStream> {
        let mut items = self.definitions().items.get(&list).into_iter().flatten();
        items.find_map(|item| self.shown(item, shown))
    }

    pub(super) fn witness_of(&self, expr: &Expr, shown: &mut Shown) -> TokenStream {
        let rt = &self.rt;
        self.shown(expr, shown).unwrap_or_else(|| quote!(#rt::never()))
    }

    /// An expression of the type of another, if anything is known of that.
    pub(super) fn shown(&self, expr: &Expr, shown: &mut Shown) -> Option<TokenStream> {
        let rt = &self.rt;
        let shown = match &expr.kind {
            ExprKind::Load(place) if self.primal.resolve(place).is_whole() => {
                self.witness(self.primal.root_of(place), shown)
            }
            ExprKind::Load(place) => {
                let part = self.witness_of_place(place, Access::Shared, shown);
                quote!(::core::clone::Clone::clone(&#part))
            }
            ExprKind::Op(Op::Shape, args) => {
                let inner = self.witness_of(&args[0], shown);
                quote!(#rt::Shape::of(&#inner))
            }
            ExprKind::Op(Op::Clone, args) => {
                let inner = self.witness_of(&args[0], shown);
                quote!((#inner).clone())
            }
            ExprKind::Op(Op::Tuple, args) => {
                let items = args.iter().map(|arg| self.witness_of(arg, shown));
                let items: Vec<TokenStream> = items.collect();
                quote!((#(#items,)*))
            }
            ExprKind::Op(Op::Boxed, args) => {
                let inner = self.witness_of(&args[0], shown);
                quote!(::std::boxed::Box::new(#inner))
            }
            ExprKind::Op(Op::Struct(path, fields), args) => {
                let path: TokenStream = path.parse().expect("paths are tokens");
                let path = located(path);
                let items = fields.iter().zip(args).map(|(field, arg)| {
                    let (member, value) = (member(field), self.witness_of(arg, shown));
                    quote!(#member: #value)
                });
                let items: Vec<TokenStream> = items.collect();
                let base = args.get(fields.len()).map(|base| {
                    let base = self.witness_of(base, shown);
                    quote!(..#base)
                });
                quote!((#path { #(#items,)* #base }))
            }
            ExprKind::Op(Op::Array, args) if !args.is_empty() => {
                let items: Vec<TokenStream> =
                    args.iter().map(|arg| self.witness_of(arg, shown)).collect();
                quote!([#(#items),*])
            }
            ExprKind::Op(Op::VecRepeat, args) if known(&expr.ty).is_none() => {
                let item = self.witness_of(&args[0], shown);
                quote!(::std::vec![#item; 0])
            }
            ExprKind::Op(Op::Vec, args) if known(&expr.ty).is_none() => {
                let items = args.iter().map(|arg| self.witness_of(arg, shown));
                let items: Vec<TokenStream> = items.collect();
                quote!(::std::vec![#(#items),*])
            }
            // Operators of user types take it for what it is to be.
            ExprKind::Literal(text) if known(&expr.ty).is_none() => {
                self.shown_literal(text, &expr.ty)
            }
            ExprKind::Opaque(opaque) => {
                let bindings = self.bindings_of(opaque, shown);
                let tokens = located(opaque.tokens.clone());
                quote!({ #bindings #tokens })
            }
            // They are of the type of their operand.
            ExprKind::Op(Op::Direction, args) => return self.shown(&args[0], shown),
            ExprKind::Op(Op::ZeroTangent, args) if !matches!(args[0].ty, Type::Slice(_)) => {
                return self.shown(&args[0], shown);
            }
            // The operands of an operation on numbers are of the type of its result.
            ExprKind::Op(
                Op::Unary(_)
                | Op::Binary(_)
                | Op::Method(_)
                | Op::Decided(_)
                | Op::Standard(_)
                | Op::Real
                | Op::Number
                | Op::Strong,
                args,
            ) if known(&expr.ty).is_none() => {
                let operand = args.iter().find(|arg| arg.as_literal().is_none());
                return self.shown(operand.unwrap_or(&args[0]), shown);
            }
            _ => {
                let ty = known(&expr.ty)?;
                quote!(#rt::never::<#ty>())
            }
        };
        Some(shown)
    }

    /// A place of the type of another, in code that is never run.
    pub(super) fn type_of_place(&self, place: &Place, shown: &mut Shown) -> TokenStream {
        self.witness_of_place(place, Access::Shared, shown)
    }

    fn witness_of_place(&self, place: &Place, access: Access, shown: &mut Shown) -> TokenStream {
        let (rt, place) = (&self.rt, &self.primal.resolve(place));
        let mut tokens = self.lasting(place.root, access, shown);
        for step in &place.projections {
            tokens = match step {
                Projection::Field(name) => self.field_of(&tokens, name),
                Projection::Boxed => quote!((*#tokens)),
                Projection::Index(_) => quote!(#tokens[0]),
                Projection::Slice { .. } => quote!(#tokens[..]),
                Projection::Got { getter, .. } => {
                    let (reference, found) = (access.reference(), located(getter.found.clone()));
                    quote!((*#rt::never::<#reference #found>()))
                }
            };
        }
        tokens
    }

    /// A call, without what it may fail with.
    pub(super) fn witness_of_call(&self, call: &Call, shown: &mut Shown) -> TokenStream {
        let rt = &self.rt;
        let whole = self.witness_of_whole_call(call, shown);
        match call.carrier {
            None if call.failure.is_some() => quote!(#rt::caught(#whole).0),
            None => whole,
            Some(Carrier::Option) => quote!(#whole.unwrap()),
            Some(Carrier::Result) => quote!(#whole.ok().unwrap()),
        }
    }

    /// A call, with all that it returns.
    pub(super) fn witness_of_whole_call(&self, call: &Call, shown: &mut Shown) -> TokenStream {
        let args = self.witness_of_args(call, shown);
        match (&call.callee, call.args.as_slice()) {
            (Callee::Function(path) | Callee::Associated(path), _) => {
                let path = located(path.clone());
                quote!(#path(#(#args),*))
            }
            (Callee::Derivative(Derivative::Directed, _), _) => {
                let entries = self.entries_of(&call.callee, Span::call_site());
                quote!(#entries.__primal(#(#args),*))
            }
            (Callee::Derivative(derivative, path), _) => {
                let (path, name) =
                    (located(path.clone()), Ident::new(derivative.name(), Span::call_site()));
                quote!(#path::#name(#(#args),*))
            }
            (Callee::Method(name), [receiver, ..]) => {
                let is_unseen =
                    self.is_unseen_receiver(receiver) && !self.is_receiver_of_dyn(receiver);
                let receiver = self.witness_of_receiver(receiver, shown);
                let span = Span::call_site();
                let taken = match is_unseen {
                    true => self.taken_receiver(name, &receiver),
                    false => receiver.clone(),
                };
                let value = self.primal_method(name, &call.resolution, &taken, &args[1..], span);
                self.value_in_sweeps(name, &receiver, value, span)
            }
            (Callee::Method(_), []) => unreachable!("a method has a receiver"),
            (Callee::Operator(operator), _) => self.witness_of_operator(*operator, &args),
            (Callee::DirectedOperator(operator), _) => {
                let function = self.function_of_directed(*operator, "primal", Span::call_site());
                quote!(#function(#(#args),*))
            }
            (Callee::Conversion(target), _) => {
                let function = self.function_of_conversion(target, "primal", Span::call_site());
                quote!(#function(#(#args),*))
            }
            (Callee::Given, _) => quote!(Self::__primal(#(#args),*)),
        }
    }

    /// A receiver that is moved if the method takes a value.
    fn taken_receiver(&self, name: &Ident, receiver: &TokenStream) -> TokenStream {
        let (rt, method) = (&self.rt, self.method_name(name, "method", Span::call_site()));
        quote! {
            {
                trait __Method {
                    fn #method(&self) -> #rt::Unannotated {
                        #rt::Unannotated
                    }
                }
                impl<T: ?Sized> __Method for &T {}
                #rt::method::taken((&#receiver).#method(), &mut #receiver)
            }
        }
    }

    /// Arguments of the types of those of a call.
    pub(super) fn witness_of_args(&self, call: &Call, shown: &mut Shown) -> Vec<TokenStream> {
        let args = call.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value(value) => self.witness_of(value, shown),
            ArgKind::Shared(place) => {
                let inner = self.witness_of_place(place, Access::Shared, shown);
                quote!(&#inner)
            }
            ArgKind::Exclusive(place) => {
                let inner = self.witness_of_place(place, Access::Exclusive, shown);
                quote!(&mut #inner)
            }
            ArgKind::Omitted => TokenStream::new(),
        });
        args.collect()
    }

    /// Whether a receiver that is not changed is of a type that the macro does not see: the method may take the value, which a place
    /// that is lent cannot give.
    fn is_unseen_receiver(&self, receiver: &Arg) -> bool {
        let ArgKind::Shared(place) = &receiver.kind else { return false };
        match self.primal.place_type(&self.primal.resolve(place)) {
            Type::Named(_) | Type::Unknown | Type::Infer(_) => true,
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Tuple(_) => false,
            Type::Array(..) | Type::Slice(_) | Type::Vec(_) => false,
        }
    }

    /// A receiver without a reference: rustc borrows it as the method wants.
    pub(super) fn witness_of_receiver(&self, receiver: &Arg, shown: &mut Shown) -> TokenStream {
        let witness = match &receiver.kind {
            // How the method takes it, rustc finds.
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => {
                self.witness_of_place(place, Access::Exclusive, shown)
            }
            ArgKind::Value(value) => self.witness_of(value, shown),
            ArgKind::Omitted => TokenStream::new(),
        };
        quote!((#witness))
    }

    pub(super) fn primal_name(&self, var: Var) -> TokenStream {
        let variable = &self.primal.vars[var];
        let name = super::ident(&variable.name, variable.span);
        quote!(#name)
    }
}

/// Whether a value is a variant that holds nothing: it does not tell what the parameters of its enum are.
fn makes_nothing_of_parameters(stmt: &Stmt) -> bool {
    let (StmtKind::Let { value: Some(value), .. } | StmtKind::Assign { value, .. }) = &stmt.kind
    else {
        return false;
    };
    matches!(&value.kind, ExprKind::Op(Op::Struct(..), args) if args.is_empty())
}
