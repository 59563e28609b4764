//! Expressions and places.

use super::body::{Emitter, Role};
use super::{at, elementary, ident, located};
use crate::derive::number_of_field;
use crate::index::{Index, Var};
use crate::ir::{
    BinaryOp, Binding, Condition, Expr, ExprKind, Guard, Op, Place, Projection, UnaryOp,
};
use crate::payloads::{bare_field, is_of_variant};
use crate::types::{FloatKind, IntKind, Type};
use fixedbitset::FixedBitSet;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::rc::Rc;

/// How tightly the forms of expressions bind.
const LOOSEST: u8 = 0;
pub(super) const CAST: u8 = 10;
const UNARY: u8 = 11;
pub(super) const POSTFIX: u8 = 12;

impl Emitter<'_> {
    /// The name of a variable, or the path it stands for.
    pub(super) fn name(&self, var: Var) -> TokenStream {
        let variable = &self.body.vars[var];
        match &variable.binding {
            Binding::Global(path) => located(path.clone()),
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::View(_) => {
                let name = ident(&variable.name, variable.span);
                quote!(#name)
            }
        }
    }

    /// Whether a variable is none of the primal.
    pub(super) fn is_new(&self, var: Var) -> bool {
        var.position() >= self.primal.vars.len()
    }

    /// Whether a variable is a reference in the generated code.
    pub(super) fn is_reference(&self, var: Var) -> bool {
        match self.body.vars[var].binding {
            Binding::Shared | Binding::Exclusive | Binding::View(_) => true,
            Binding::Value | Binding::Global(_) => false,
        }
    }

    /// A place with a reference that is not declared replaced by what it refers to.
    pub(super) fn spelled_out(&self, place: &Place) -> Place {
        match &self.body.vars[place.root].binding {
            _ if !self.undeclared.contains(place.root) => place.clone(),
            // By way of the reference that it was made from: that is used again later, and as long as it is, there is no other way.
            Binding::View(view) => {
                let mut spelled = view.spelled();
                spelled.projections.extend(place.projections.iter().cloned());
                self.spelled_out(&spelled)
            }
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => {
                place.clone()
            }
        }
    }

    /// A place as something a method can be called on or an index applied to.
    pub(super) fn receiver(&self, place: &Place) -> TokenStream {
        let place = &self.spelled_out(place);
        let mut tokens = self.root_of_parts(place);
        for step in &place.projections {
            tokens = match step {
                Projection::Field(name) => self.field_of(&tokens, name),
                Projection::Boxed => quote!((*#tokens)),
                Projection::Index(index) | Projection::Got { at: index, .. } => {
                    let index = self.expr(index);
                    quote!(#tokens[#index])
                }
                Projection::Slice { start, end } => {
                    let start = start.as_ref().map(|start| self.operand(start, POSTFIX));
                    let end = end.as_ref().map(|end| self.operand(end, POSTFIX));
                    quote!(#tokens[#start..#end])
                }
            };
        }
        tokens
    }

    /// The variable that a place is a part of. What is in a `Box` is found in the `Box` only, not by way of a reference to it.
    pub(super) fn root_of_parts(&self, place: &Place) -> TokenStream {
        let name = self.name(place.root);
        let is_box = matches!(place.projections.first(), Some(Projection::Boxed));
        if is_box && self.is_reference(place.root) { quote!((*#name)) } else { name }
    }

    /// A field of something. A payload is an element of its enum, by its name.
    pub(super) fn field_of(&self, owner: &TokenStream, name: &str) -> TokenStream {
        if is_of_variant(name) {
            let (rt, number) = (&self.rt, Literal::u128_unsuffixed(number_of_field(name)));
            return quote!(#owner[#rt::Payload::<#number>]);
        }
        let member = member(name);
        quote!(#owner.#member)
    }

    /// A place as a value or as the target of an assignment.
    pub(super) fn place(&self, place: &Place) -> TokenStream {
        let place = &self.spelled_out(place);
        if let Some((_, name)) = self.lent.borrow().iter().find(|(lent, _)| lent == place) {
            return quote!((*#name));
        }
        let tokens = self.receiver(place);
        if place.is_whole() && self.is_reference(place.root) { quote!(*#tokens) } else { tokens }
    }

    /// A `&` to a place.
    pub(super) fn shared(&self, place: &Place) -> TokenStream {
        let place = &self.spelled_out(place);
        if let Some((_, name)) = self.lent.borrow().iter().find(|(lent, _)| lent == place) {
            return quote!(&*#name);
        }
        let tokens = self.receiver(place);
        let variable = &self.body.vars[place.root];
        let span = at(variable.span);
        if !place.is_whole() || !self.is_reference(place.root) {
            return quote_spanned!(span=> &#tokens);
        }
        match &variable.binding {
            Binding::Shared => tokens,
            Binding::View(view) if !view.mutable => tokens,
            _ => quote_spanned!(span=> &*#tokens),
        }
    }

    /// The parts of a place that are fields of structs, by what they are fields of and their names.
    pub(super) fn struct_fields(&self, place: &Place) -> Vec<(Place, Rc<str>)> {
        let mut owner = Place::var(place.root);
        let mut fields = Vec::new();
        for step in &place.projections {
            if let Projection::Field(name) = step
                && !matches!(self.body.proven_place_type(&owner), Type::Tuple(_))
            {
                fields.push((owner.clone(), name.clone()));
            }
            owner = owner.then(step.clone());
        }
        fields
    }

    /// What tells whether the field of a struct has a bar: a function of the struct if it has none,
    /// otherwise the one that [`fallbacks`](Self::fallbacks) gives to everything.
    pub(super) fn field_kind(&self, owner: &Place, name: &str) -> TokenStream {
        let (owner, query) = (self.place(owner), self.field_query(name));
        quote!((#owner).#query())
    }

    /// Statements that run only if all fields on the way to a place have a bar.
    pub(super) fn if_fields_have_bars(&self, place: &Place, stmts: TokenStream) -> TokenStream {
        let rt = &self.rt;
        let fields = self.struct_fields(place);
        if fields.is_empty() {
            return stmts;
        }
        let tests = fields.iter().map(|(owner, name)| {
            let kind = self.field_kind(owner, name);
            quote!(#rt::has_bar(#kind))
        });
        quote!(if #(#tests)&&* { #stmts })
    }

    /// A `&mut` to a place.
    pub(super) fn exclusive(&self, place: &Place) -> TokenStream {
        let spelled = self.spelled_out(place);
        if let Some((_, name)) = self.lent.borrow().iter().find(|(lent, _)| *lent == spelled) {
            return quote!(&mut *#name);
        }
        let tokens = self.place(place);
        quote!(&mut #tokens)
    }

    /// An expression.
    pub(super) fn expr(&self, expr: &Expr) -> TokenStream {
        self.operand(expr, LOOSEST)
    }

    /// An expression in a context that binds so tightly.
    pub(super) fn operand(&self, expr: &Expr, context: u8) -> TokenStream {
        match &expr.kind {
            ExprKind::Literal(text) => self.literal(text, &expr.ty),
            ExprKind::Load(place) => {
                let place = &self.spelled_out(place);
                let is_deref = place.is_whole() && self.is_reference(place.root);
                let load = parenthesised(self.place(place), is_deref && context > UNARY);
                match self.role {
                    Role::Tangent if self.is_new(place.root) => {
                        self.loaded_direction(place, load, &expr.ty)
                    }
                    Role::Tangent | Role::Sweep => load,
                }
            }
            ExprKind::Op(op, args) => self.operation(op, args, expr, context),
            ExprKind::Opaque(opaque) => located(opaque.tokens.clone()),
            ExprKind::Guard(guard) => {
                let tokens = self.guard(guard);
                parenthesised(tokens, context > LOOSEST)
            }
        }
    }

    fn literal(&self, text: &str, ty: &Type) -> TokenStream {
        let tokens: TokenStream = text.parse().expect("literals are tokens");
        match ty {
            Type::Float(FloatKind::Generic(_)) => {
                let (rt, ty) = (&self.rt, super::types::known(ty));
                quote!(<#ty as #rt::Scalar>::constant(#tokens))
            }
            Type::Float(FloatKind::Directions(_)) => {
                let ty = super::types::known(ty);
                quote!(#ty::ZERO)
            }
            _ => located(tokens),
        }
    }

    /// One of two values of which the other tells the type: that may be a type parameter, though it is not seen.
    fn choice(&self, value: &Expr) -> TokenStream {
        let tokens = self.expr(value);
        let is_open = matches!(value.ty, Type::Unknown | Type::Float(FloatKind::Open(_)));
        match value.as_literal() {
            Some(text)
                if is_of_all_floats(text)
                    && is_open
                    && !self.product.interface.demands.is_empty() =>
            {
                let rt = &self.rt;
                quote!(#rt::Scalar::constant(#tokens))
            }
            Some(_) | None => tokens,
        }
    }

    fn operation(&self, op: &Op, args: &[Expr], expr: &Expr, context: u8) -> TokenStream {
        let span = at(expr.span);
        if let Some(tokens) = self.of_directions(op, args, expr) {
            return tokens;
        }
        match op {
            Op::Binary(op) => {
                let own = op.precedence();
                let is_test = own == BinaryOp::Lt.precedence();
                // After a type, `<` begins its arguments.
                let left = match op {
                    BinaryOp::Lt | BinaryOp::Shl if ends_with_type(&args[0]) => CAST + 1,
                    _ if is_test => own + 1,
                    _ => own,
                };
                let left = self.operand(&args[0], left);
                let right = self.operand(&args[1], own + 1);
                let op: TokenStream = op.token().parse().expect("operators are tokens");
                parenthesised(quote_spanned!(span=> #left #op #right), own < context)
            }
            Op::Unary(op) => {
                let operand = self.operand(&args[0], UNARY);
                let tokens = match op {
                    UnaryOp::Neg => quote_spanned!(span=> -#operand),
                    UnaryOp::Not => quote_spanned!(span=> !#operand),
                };
                parenthesised(tokens, context > UNARY)
            }
            Op::Cast => {
                if let Some(cast) = self.cast_of_parameter(&args[0], &expr.ty) {
                    return cast;
                }
                let operand = self.operand(&args[0], CAST);
                if let (Type::Int(IntKind::Open(_)), Some(example)) =
                    (&expr.ty, self.example(&expr.ty))
                {
                    let rt = &self.rt;
                    return quote!(#rt::typed(|| #example, #operand as _));
                }
                let ty = super::types::known(&expr.ty).unwrap_or_else(|| match &expr.ty {
                    Type::Named(name) => name.parse().unwrap_or_else(|_| quote!(_)),
                    _ => quote!(_),
                });
                // Truth values become integers first.
                let by_integer = match (&args[0].ty, &expr.ty) {
                    (Type::Bool, Type::Float(_)) => quote!(as u8),
                    (_, _) => TokenStream::new(),
                };
                parenthesised(quote!(#operand #by_integer as #ty), context > CAST)
            }
            Op::Method(name) if elementary::is_of_trait(name, args) => {
                self.method_of_trait(name, args, expr.span)
            }
            Op::Called(called) => self.called_of_trait(called, args, expr),
            Op::Standard(name) => self.standard(name, args, expr.span),
            Op::Method(name) | Op::Decided(name) => {
                let receiver = self.operand(&typed_literals(&args[0]), POSTFIX);
                let name = ident(name, expr.span);
                let rest = op.of_value(args)[1..].iter().map(|arg| self.expr(arg));
                quote!(#receiver.#name(#(#rest),*))
            }
            Op::Len => self.length(&args[0], at(expr.span)),
            Op::ToVec => self.method_of_place(&args[0], quote!(to_vec())),
            Op::Clone => {
                let span = at(args[0].span);
                if let ExprKind::Op(Op::Direction, part) = &args[0].kind {
                    return self.clone_of_direction(&part[0], span);
                }
                self.method_of_place(&args[0], quote_spanned!(span=> clone()))
            }
            Op::Array => {
                let items = args.iter().map(|arg| self.expr(arg));
                quote!([#(#items),*])
            }
            Op::Vec if args.is_empty() => quote!(::std::vec::Vec::new()),
            Op::Vec => {
                let items = args.iter().map(|arg| self.expr(arg));
                quote!(::std::vec![#(#items),*])
            }
            Op::Tuple => {
                let items = args.iter().map(|arg| self.expr(arg));
                if args.len() == 1 { quote!((#(#items,)*)) } else { quote!((#(#items),*)) }
            }
            Op::Boxed => {
                let held = self.expr(&args[0]);
                quote!(::std::boxed::Box::new(#held))
            }
            Op::Struct(path, fields) => {
                let path: TokenStream = path.parse().expect("paths are tokens");
                let path = located(path);
                let items = fields.iter().zip(args).map(|(field, arg)| {
                    let (member, value) = (member(field), self.expr(arg));
                    quote!(#member: #value)
                });
                let base = args.get(fields.len()).map(|base| {
                    let base = self.expr(base);
                    quote!(..#base)
                });
                quote!(#path { #(#items,)* #base })
            }
            Op::Repeat(len) => {
                let item = self.expr(&args[0]);
                let len: TokenStream = len.parse().expect("lengths are expressions");
                let len = located(len);
                // Of lists there is no copy to repeat: each is made anew.
                match !args[0].ty.is_copy() && is_made_of_nothing(&args[0]) {
                    true => quote!(::core::array::from_fn::<_, { #len }, _>(|_| #item)),
                    false => quote!([#item; #len]),
                }
            }
            Op::VecRepeat => {
                let (item, len) = (self.expr(&args[0]), self.expr(&args[1]));
                quote!(::std::vec![#item; #len])
            }
            Op::Select => {
                let test = self.expr(&args[0]);
                let (then, otherwise) = (self.choice(&args[1]), self.choice(&args[2]));
                let tokens = quote!(if #test { #then } else { #otherwise });
                parenthesised(tokens, context > LOOSEST)
            }
            Op::Strong => {
                let product = Expr::weighted(&args[0], &args[1]);
                let choice = Expr::strongly(&args[0], product);
                self.operand(&choice, context)
            }
            Op::Real => {
                let (rt, operand) = (&self.rt, self.expr(&args[0]));
                quote_spanned!(span=> #rt::real(#operand))
            }
            Op::Number => {
                let (rt, operand) = (&self.rt, self.expr(&args[0]));
                quote_spanned!(span=> #rt::number(#operand))
            }
            Op::Direction => match args[0].as_place() {
                Some(place) => {
                    let load = self.expr(&args[0]);
                    self.loaded_direction(&self.spelled_out(place), load, &expr.ty)
                }
                None => unreachable!("what is a part of a direction is at a place"),
            },
            Op::Tested(test) => {
                let (rt, name) = (&self.rt, ident(test.name(), proc_macro2::Span::call_site()));
                let args = args.iter().map(|arg| self.expr(arg));
                quote!(#rt::tested::#name(#(#args),*))
            }
            Op::TracedStrong => {
                let (rt, args) = (&self.rt, args.iter().map(|arg| self.expr(arg)));
                quote!(#rt::check::trace::strong(#(#args),*))
            }
            Op::Traced(told) => self.traced(told, args, expr.span),
            Op::FromBits => {
                let (ty, bits) = (super::types::known(&expr.ty), self.expr(&args[0]));
                quote_spanned!(span=> #ty::from_bits(#bits))
            }
            Op::Spacing => {
                let (rt, float) = (&self.rt, self.expr(&args[0]));
                quote_spanned!(span=> #rt::bits::spacing(#float))
            }
            // Partials are for the backward sweep; what is unclear is an error, or passive.
            Op::Given | Op::Unclear(_) => self.operand(&args[0], context),
            Op::Shape => {
                let (rt, operand) = (&self.rt, self.reference_to(&args[0]));
                quote_spanned!(span=> #rt::Shape::of(#operand))
            }
            Op::ZeroBar => {
                let shape = self.taken_shape(&args[0]);
                quote_spanned!(span=> #shape.zero_bar())
            }
            Op::ZeroTangent => self.zero_tangent(&args[0], span),
            Op::Placeholder => {
                let other = self.stand_in(&expr.ty);
                quote_spanned!(span=> #other)
            }
        }
    }

    /// A clone of a part of a direction that cannot be moved.
    fn clone_of_direction(&self, part: &Expr, span: Span) -> TokenStream {
        let place = part.as_place().expect("what is a part of a direction is at a place");
        let receiver = self.receiver(place);
        let clone = quote_spanned!(span=> #receiver.clone());
        self.loaded_direction(&self.spelled_out(place), clone, &part.ty)
    }

    fn method_of_place(&self, operand: &Expr, call: TokenStream) -> TokenStream {
        match operand.as_place() {
            Some(place) => {
                let receiver = self.receiver(place);
                self.referred_direction(place, quote!(#receiver.#call))
            }
            None => {
                let receiver = self.operand(operand, POSTFIX);
                quote!(#receiver.#call)
            }
        }
    }

    /// The length of a list, which need not have a method that tells it if the macro does not see its type.
    fn length(&self, list: &Expr, span: Span) -> TokenStream {
        let is_list = match list.as_place() {
            Some(place) => self.body.proven_place_type(place).element().is_some(),
            None => list.ty.element().is_some(),
        };
        if is_list {
            return self.method_of_place(list, quote!(len()));
        }
        // Where the proof is that it is a list, so that rustc says once that it is none.
        let (rt, list) = (&self.rt, self.reference_to(list));
        quote_spanned!(span=> #rt::length(#list))
    }

    /// A `&` to the value of an expression.
    pub(super) fn reference_to(&self, expr: &Expr) -> TokenStream {
        match expr.as_place() {
            Some(place) => self.referred_direction(place, self.shared(place)),
            None => {
                let value = self.operand(expr, UNARY);
                quote!(&#value)
            }
        }
    }

    /// A condition on the instance, as a value.
    pub(super) fn guard(&self, guard: &Guard) -> TokenStream {
        let primal = self.markers.primal();
        let Guard { primal: wanted, bare } = guard;
        if wanted == bare {
            return self.condition(wanted);
        }
        match (wanted.is_always(), wanted.is_never(), bare.is_always(), bare.is_never()) {
            (true, _, _, true) => primal,
            (_, true, true, _) => quote!(!#primal),
            (_, _, _, true) => {
                let wanted = self.condition(wanted);
                quote!(#primal && (#wanted))
            }
            (_, true, _, _) => {
                let bare = self.condition(bare);
                quote!(!#primal && (#bare))
            }
            _ => {
                let (wanted, bare) = (self.condition(wanted), self.condition(bare));
                quote!(if #primal { #wanted } else { #bare })
            }
        }
    }

    /// A condition on the activity of the arguments, as a value.
    pub(super) fn condition(&self, condition: &Condition) -> TokenStream {
        if condition.is_always() {
            return quote!(true);
        }
        if condition.is_never() {
            return quote!(false);
        }
        let terms = self.terms(&condition.pairs).into_iter().map(|(independent, dependent)| {
            let independent = self.markers.value(independent);
            match dependent {
                Some(dependent) => {
                    let dependent = self.markers.value(dependent);
                    quote!((#independent && #dependent))
                }
                None => quote!(#independent),
            }
        });
        let if_callee = condition.if_callee.iter().map(|(fact, pairs)| {
            let answer = &self.body.asked[&fact.call].names[&(fact.argument, fact.fact)];
            let answer = Ident::new(answer, Span::call_site());
            let when = Condition::of(pairs.clone());
            match when.is_always() {
                true => quote!(#answer),
                false => {
                    let when = self.condition(&when);
                    quote!((#answer && (#when)))
                }
            }
        });
        let terms = terms.chain(if_callee);
        quote!(#(#terms)||*)
    }

    /// A condition on the activity of the arguments, as a type.
    pub(super) fn condition_type(&self, condition: &Condition) -> TokenStream {
        let rt = &self.rt;
        if condition.is_always() {
            return quote!(#rt::On);
        }
        debug_assert!(condition.if_callee.is_empty(), "types know nothing of callees");
        let terms = self.terms(&condition.pairs).into_iter().map(|(independent, dependent)| {
            let independent = self.markers.ty(independent);
            match dependent {
                Some(dependent) => {
                    let dependent = self.markers.ty(dependent);
                    quote!(#rt::And<#independent, #dependent>)
                }
                None => independent,
            }
        });
        terms.reduce(|a, b| quote!(#rt::Or<#a, #b>)).unwrap_or_else(|| quote!(#rt::Off))
    }

    /// The alternatives of a condition: an independent, and the parameter that must be a dependent too
    /// (the result always is).
    fn terms(&self, pairs: &FixedBitSet) -> Vec<(Var, Option<Var>)> {
        let body = self.primal;
        let mut terms: Vec<(Var, Option<Var>)> = Vec::new();
        for pair in pairs.ones() {
            let independent = body.independents[pair / body.dependents.len()];
            let dependent = body.dependents[pair % body.dependents.len()];
            // Conditions of a tangent do not look at dependents.
            let implied = Some(dependent) == body.result
                || dependent == independent
                || self.role == Role::Tangent;
            terms.push((independent, (!implied).then_some(dependent)));
        }
        // `x` covers `x && y`.
        let alone: Vec<Var> =
            terms.iter().filter(|term| term.1.is_none()).map(|term| term.0).collect();
        terms
            .retain(|(independent, dependent)| dependent.is_none() || !alone.contains(independent));
        terms.sort();
        terms.dedup();
        terms
    }
}

/// Whether a value is made of literals and empty lists alone: one made again is the same.
fn is_made_of_nothing(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Op(Op::Array | Op::Repeat(_) | Op::Tuple | Op::Vec, args) => {
            args.iter().all(is_made_of_nothing)
        }
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// Tokens in parentheses, if they need them.
fn parenthesised(tokens: TokenStream, needed: bool) -> TokenStream {
    if needed { quote!((#tokens)) } else { tokens }
}

/// Whether a literal is the same number in all types of floats.
fn is_of_all_floats(text: &str) -> bool {
    let number = text.contains('.').then(|| text.replace('_', "").parse::<f64>());
    matches!(number, Some(Ok(number)) if f64::from(number as f32) == number)
}

/// An expression on which a method can be called: rustc must know the type of its floats, and takes
/// it from anything but literals.
fn typed_literals(expr: &Expr) -> Expr {
    let mut typed = expr.clone();
    match &mut typed.kind {
        ExprKind::Literal(text) => {
            let suffix = match expr.ty {
                Type::Float(FloatKind::F32) => "_f32",
                Type::Float(FloatKind::F64) => "_f64",
                _ => "",
            };
            let is_bare = !text.contains("f32") && !text.contains("f64");
            if is_bare && expr.as_float().is_some() {
                *text = format!("{}{suffix}", text.trim_end_matches('.')).into();
            }
        }
        ExprKind::Op(Op::Unary(_) | Op::Binary(_), args) => {
            args.iter_mut().for_each(|arg| *arg = typed_literals(arg));
        }
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
    }
    typed
}

/// The name of a field in a literal.
pub(super) fn member(name: &str) -> TokenStream {
    bare_field(name).parse().expect("fields are names or numbers")
}

/// Whether the last token of an expression may be a type.
fn ends_with_type(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Op(Op::Cast, _) => true,
        ExprKind::Op(Op::Binary(_) | Op::Unary(_), args) => args.last().is_some_and(ends_with_type),
        _ => false,
    }
}
