//! Types by example: where the macro does not know the type of a value that comes off the stack, code
//! that is never run shows rustc where it came from.

use super::body::Emitter;
use super::expr::member;
use super::types::known;
use super::{at, located};
use crate::index::Var;
use crate::ir::{
    Arg, ArgKind, Binding, Call, Callee, Carrier, Derivative, Expr, ExprKind, Op, Place, Stmt,
    StmtKind, Variable, each_stmt,
};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// How many values an expression that tells a type may go back to.
const MOST_WITNESSES: u32 = 400;

/// How what is shown is used.
#[derive(Clone, Copy)]
enum Access {
    Shared,
    Exclusive,
}

impl Emitter<'_> {
    /// Pops a value of a type that only rustc knows.
    pub(super) fn witnessed_pop(&self, var: Var) -> TokenStream {
        let stack = &self.stack;
        if self.is_kept_by_call(var) {
            // Its only use is an argument of a known type.
            return quote!(#stack.pop());
        }
        let mut witness = self.witness(var, &mut Vec::new());
        let variable = self.primal.vars.get(var);
        if variable.is_some_and(|variable| matches!(variable.ty, Type::Slice(_))) {
            // What is kept of the caller's list is a copy.
            witness = quote!((#witness).to_vec());
        }
        quote!(if false { #witness } else { #stack.pop() })
    }

    /// Some value of the type of a variable.
    pub(super) fn witnessed_placeholder(&self, var: Var) -> TokenStream {
        let rt = &self.rt;
        let placeholder = quote!(#rt::Storable::placeholder());
        let is_of_primal = self.primal.vars.get(var).is_some();
        if !is_of_primal || self.is_kept_by_call(var) {
            return placeholder;
        }
        let witness = self.witness(var, &mut Vec::new());
        quote!(if false { #witness } else { #placeholder })
    }

    fn is_kept_by_call(&self, var: Var) -> bool {
        let mut found = false;
        each_stmt(&self.primal.block, &mut |stmt| {
            if let StmtKind::Call(call) = &stmt.kind {
                found |= call.kept == Some(var);
            }
        });
        found
    }

    /// An expression of the type of a variable.
    pub(super) fn witness(&self, var: Var, seen: &mut Vec<Var>) -> TokenStream {
        let rt = &self.rt;
        match (self.stated(var), &self.primal.vars.get(var)) {
            (Some(ty), Some(Variable { ty: Type::Slice(_), .. })) => {
                quote!((*#rt::never::<&#ty>()))
            }
            (Some(ty), _) => quote!(#rt::never::<#ty>()),
            (None, _) => self
                .example_of(var)
                .or_else(|| self.definition(var, seen))
                .unwrap_or_else(|| quote!(#rt::never())),
        }
    }

    /// A value of the type of a variable, if the type is seen.
    fn example_of(&self, var: Var) -> Option<TokenStream> {
        let variable = self.primal.vars.get(var).filter(|variable| !variable.assumed)?;
        self.example(&variable.ty)
    }

    pub(super) fn lasting_shared(&self, var: Var, seen: &mut Vec<Var>) -> TokenStream {
        self.lasting(var, Access::Shared, seen)
    }

    pub(super) fn lasting_exclusive(&self, var: Var, seen: &mut Vec<Var>) -> TokenStream {
        self.lasting(var, Access::Exclusive, seen)
    }

    /// A place of the type of a variable that lives as long as anything may want it.
    fn lasting(&self, var: Var, access: Access, seen: &mut Vec<Var>) -> TokenStream {
        let rt = &self.rt;
        let reference = match access {
            Access::Shared => quote!(&),
            Access::Exclusive => quote!(&mut),
        };
        if let Some(ty) = self.stated(var) {
            return quote!((*#rt::never::<#reference #ty>()));
        }
        if let Some(value) = self.example_of(var).filter(|_| !self.is_global(var)) {
            return quote!((*#rt::lent(#value)));
        }
        match self.definition(var, seen) {
            Some(global) if self.is_global(var) => global,
            Some(value) => quote!((*#rt::lent(#value))),
            None => quote!((*#rt::never::<#reference _>())),
        }
    }

    fn is_global(&self, var: Var) -> bool {
        matches!(self.primal.vars[var].binding, Binding::Global(_))
    }

    /// The type of a variable, as the user stated it or the macro found it out.
    fn stated(&self, var: Var) -> Option<TokenStream> {
        let variable = self.primal.vars.get(var)?;
        let known = known(&variable.ty).filter(|_| !variable.assumed);
        known.or_else(|| variable.declared.clone().map(located))
    }

    /// What a variable is defined as, in other words of the same type.
    fn definition(&self, var: Var, seen: &mut Vec<Var>) -> Option<TokenStream> {
        let variable = self.primal.vars.get(var)?;
        if let Binding::Global(path) = &variable.binding {
            return Some(located(path.clone()));
        }
        if seen.contains(&var) {
            return None;
        }
        // Operators on values of unknown types double the expression with every step.
        if seen.is_empty() {
            self.witnessed.set(0);
        }
        self.witnessed.set(self.witnessed.get() + 1);
        if self.witnessed.get() > MOST_WITNESSES {
            let message = "the types of too many values cannot be seen here: write some of them down, \
                           `let y: Vector = …;`";
            return Some(quote_spanned!(at(variable.span)=> ::core::compile_error!(#message)));
        }
        seen.push(var);
        let mut definition = None;
        each_stmt(&self.primal.block, &mut |stmt: &Stmt| {
            if definition.is_none() {
                definition = match &stmt.kind {
                    StmtKind::Let { var: defined, value: Some(value) } if *defined == var => {
                        self.shown(value, seen)
                    }
                    StmtKind::Assign { place, value } if place.is_whole() && place.root == var => {
                        self.shown(value, seen)
                    }
                    StmtKind::Call(call) if call.result == Some(var) => {
                        Some(self.witness_of_call(call, seen))
                    }
                    _ => None,
                };
            }
        });
        seen.pop();
        definition
    }

    pub(super) fn witness_of(&self, expr: &Expr, seen: &mut Vec<Var>) -> TokenStream {
        let rt = &self.rt;
        self.shown(expr, seen).unwrap_or_else(|| quote!(#rt::never()))
    }

    /// An expression of the type of another, if anything is known of that.
    fn shown(&self, expr: &Expr, seen: &mut Vec<Var>) -> Option<TokenStream> {
        let rt = &self.rt;
        let shown = match &expr.kind {
            ExprKind::Load(place) if self.primal.resolve(place).is_whole() => {
                self.witness(self.primal.root_of(place), seen)
            }
            ExprKind::Load(place) => {
                let part = self.witness_of_place(place, Access::Shared, seen);
                quote!(::core::clone::Clone::clone(&#part))
            }
            ExprKind::Op(Op::Shape, args) => {
                let inner = self.witness_of(&args[0], seen);
                quote!(#rt::Shape::of(&#inner))
            }
            ExprKind::Op(Op::Clone, args) => {
                let inner = self.witness_of(&args[0], seen);
                quote!((#inner).clone())
            }
            ExprKind::Op(Op::Tuple, args) => {
                let items = args.iter().map(|arg| self.witness_of(arg, seen));
                let items: Vec<TokenStream> = items.collect();
                quote!((#(#items,)*))
            }
            ExprKind::Op(Op::Struct(path, fields), args) => {
                let path: TokenStream = path.parse().expect("paths are tokens");
                let path = located(path);
                let items = fields.iter().zip(args).map(|(field, arg)| {
                    let (member, value) = (member(field), self.witness_of(arg, seen));
                    quote!(#member: #value)
                });
                let items: Vec<TokenStream> = items.collect();
                let base = args.get(fields.len()).map(|base| {
                    let base = self.witness_of(base, seen);
                    quote!(..#base)
                });
                quote!((#path { #(#items,)* #base }))
            }
            ExprKind::Op(Op::Array, args) if !args.is_empty() => {
                let items: Vec<TokenStream> =
                    args.iter().map(|arg| self.witness_of(arg, seen)).collect();
                quote!([#(#items),*])
            }
            ExprKind::Op(Op::VecRepeat, args) if known(&expr.ty).is_none() => {
                let item = self.witness_of(&args[0], seen);
                quote!(::std::vec![#item; 0])
            }
            ExprKind::Op(Op::Vec, args) if known(&expr.ty).is_none() => {
                let items = args.iter().map(|arg| self.witness_of(arg, seen));
                let items: Vec<TokenStream> = items.collect();
                quote!(::std::vec![#(#items),*])
            }
            // Operators of user types take it for what it is to be.
            ExprKind::Literal(text) if known(&expr.ty).is_none() => {
                self.shown_literal(text, &expr.ty)
            }
            ExprKind::Opaque(opaque) => {
                let bindings = self.bindings_of(opaque, seen);
                let tokens = located(opaque.tokens.clone());
                quote!({ #bindings #tokens })
            }
            // They are of the type of their operand.
            ExprKind::Op(Op::Direction, args) => return self.shown(&args[0], seen),
            ExprKind::Op(Op::ZeroTangent, args) if !matches!(args[0].ty, Type::Slice(_)) => {
                return self.shown(&args[0], seen);
            }
            // The operands of an operation on numbers are of the type of its result.
            ExprKind::Op(
                Op::Unary(_) | Op::Binary(_) | Op::Method(_) | Op::Real | Op::Strong,
                args,
            ) if known(&expr.ty).is_none() => {
                let operand = args.iter().find(|arg| arg.as_literal().is_none());
                return self.shown(operand.unwrap_or(&args[0]), seen);
            }
            _ => {
                let ty = known(&expr.ty)?;
                quote!(#rt::never::<#ty>())
            }
        };
        Some(shown)
    }

    fn witness_of_place(&self, place: &Place, access: Access, seen: &mut Vec<Var>) -> TokenStream {
        let place = &self.primal.resolve(place);
        let mut tokens = self.lasting(place.root, access, seen);
        for step in &place.projections {
            tokens = match step {
                crate::ir::Projection::Field(name) => {
                    let member = member(name);
                    quote!(#tokens.#member)
                }
                crate::ir::Projection::Index(_) => quote!(#tokens[0]),
                crate::ir::Projection::Slice { .. } => quote!(#tokens[..]),
            };
        }
        tokens
    }

    pub(super) fn witness_of_call(&self, call: &Call, seen: &mut Vec<Var>) -> TokenStream {
        let (carrier, failure, rt) = (call.carrier, call.failure, &self.rt);
        let args = self.witness_of_args(call, seen);
        let call = match (&call.callee, call.args.as_slice()) {
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
                let receiver = self.witness_of_receiver(receiver, seen);
                let (name, others) = (super::ident(&name.to_string(), name.span()), &args[1..]);
                quote!(#receiver.#name(#(#others),*))
            }
            (Callee::Method(_), []) => unreachable!("a method has a receiver"),
            (Callee::Operator(operator), _) => self.witness_of_operator(*operator, &args),
            (Callee::DirectedOperator(operator), _) => {
                let function = self.function_of_directed(*operator, "primal", Span::call_site());
                quote!(#function(#(#args),*))
            }
            (Callee::Given, _) => quote!(Self::__primal(#(#args),*)),
        };
        match carrier {
            None if failure.is_some() => quote!(#rt::caught(#call).0),
            None => call,
            Some(Carrier::Option) => quote!(#call.unwrap()),
            Some(Carrier::Result) => quote!(#call.ok().unwrap()),
        }
    }

    /// Arguments of the types of those of a call.
    pub(super) fn witness_of_args(&self, call: &Call, seen: &mut Vec<Var>) -> Vec<TokenStream> {
        let args = call.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value(value) => self.witness_of(value, seen),
            ArgKind::Shared(place) => {
                let inner = self.witness_of_place(place, Access::Shared, seen);
                quote!(&#inner)
            }
            ArgKind::Exclusive(place) => {
                let inner = self.witness_of_place(place, Access::Exclusive, seen);
                quote!(&mut #inner)
            }
            ArgKind::Omitted => TokenStream::new(),
        });
        args.collect()
    }

    /// A receiver without a reference: rustc borrows it as the method wants.
    pub(super) fn witness_of_receiver(&self, receiver: &Arg, seen: &mut Vec<Var>) -> TokenStream {
        let witness = match &receiver.kind {
            ArgKind::Shared(place) => self.witness_of_place(place, Access::Shared, seen),
            ArgKind::Exclusive(place) => self.witness_of_place(place, Access::Exclusive, seen),
            ArgKind::Value(value) => self.witness_of(value, seen),
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
