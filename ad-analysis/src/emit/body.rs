//! The statements of a sweep.

use super::directions::are_directions;
use super::expr::POSTFIX;
use super::frames::FrameNames;
use super::proofs::Proofs;
use super::types::known;
use super::variables::{conditional_in, mutated_in, undeclared_in, written_in};
use super::witness::{Definitions, Shown};
use super::{Product, at, located};
use crate::index::{BitSet, Label, Var};
use crate::ir::{
    BinaryOp, Binding, Block, Body, Ending, Expr, ExprKind, Loop, LoopKind, Op, Opaque, Place,
    Stmt, StmtKind, Transfer, View, each_stmt, exits_of_block, framed, kept_by_calls,
};
use crate::numbers::Numbers;
use crate::types::{FloatKind, IntKind, Number, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use syn::Lifetime;

/// What stands for the conditions on the instance.
#[derive(Clone, Debug)]
pub(super) struct Markers {
    /// The variable that says whether primal values are wanted.
    pub(super) primal: Ident,
    /// For each parameter with a bar, the variable that says whether it is active, and the type.
    pub(super) params: HashMap<Var, (Ident, TokenStream)>,
}

impl Markers {
    pub(super) fn primal(&self) -> TokenStream {
        let primal = &self.primal;
        quote!(#primal)
    }

    pub(super) fn value(&self, param: Var) -> TokenStream {
        let (value, _) = &self.params[&param];
        quote!(#value)
    }

    pub(super) fn ty(&self, param: Var) -> TokenStream {
        self.params[&param].1.clone()
    }
}

/// What statements are those of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A sweep of the adjoint.
    Sweep,
    /// The tangent. What types must be is proved in the forward sweep.
    Tangent,
}

/// Prints the statements of one sweep, or of the tangent.
pub(super) struct Emitter<'a> {
    pub(super) product: &'a Product<'a>,
    pub(super) primal: &'a Body,
    pub(super) body: &'a Body,
    pub(super) role: Role,
    /// The path of the runtime.
    pub(super) rt: TokenStream,
    pub(super) markers: Markers,
    pub(super) stack: Ident,
    /// The height of the stack at the beginning.
    pub(super) mark: Ident,
    /// The variables that hold what callees have kept.
    pub(super) kept: BitSet<Var>,
    /// What the parts of a frame are called, in a loop with one.
    pub(super) frame: FrameNames,
    /// Variables that are written after their declaration.
    mutated: BitSet<Var>,
    /// Variables that are written at all, but for what their declarations give them.
    written: BitSet<Var>,
    /// Variables that get their value back in some instances only.
    conditional: BitSet<Var>,
    /// Labels that something leaves.
    left: Vec<Label>,
    /// Local references that are not declared: what they refer to stands for them.
    pub(super) undeclared: BitSet<Var>,
    /// Elements that are lent to the present call together, by names of references to them.
    pub(super) lent: RefCell<Vec<(Place, Ident)>>,
    /// What tells the types of variables.
    pub(super) definitions: OnceCell<Definitions>,
    /// What this sweep mentions of that.
    pub(super) shown: RefCell<Shown>,
    /// What tells the types of numbers in the function, and what does in this sweep.
    pub(super) numbers: Numbers,
    pub(super) numbers_here: Numbers,
    /// The numbers whose types are told by what they are used for, with a literal for each.
    pub(super) typed_numbers: RefCell<BTreeMap<Number, String>>,
    /// Whether those have names in what is printed: in a sweep, and not where it is only asked about callees.
    pub(super) names_numbers: bool,
    /// The numbers whose types are being shown.
    pub(super) shown_numbers: RefCell<Vec<Number>>,
    /// The variables of which a field is written.
    pub(super) changed_in_part: OnceCell<BTreeSet<Var>>,
    /// The local references that are a `&mut`, and what they refer to.
    pub(super) lent_parts: OnceCell<Vec<(Var, Place)>>,
    /// What has been proved already.
    pub(super) proved: RefCell<BTreeSet<String>>,
    /// In a tangent in several directions, and for several seeds, the type parameter that stands for the derivatives of a float.
    pub(super) several: Option<Rc<str>>,
    /// Whether those are the directions of second derivatives, of which there are sweeps of either kind.
    pub(super) is_along: bool,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        product: &'a Product<'a>,
        body: &'a Body,
        role: Role,
        rt: TokenStream,
        markers: Markers,
        stack: Ident,
        mark: Ident,
    ) -> Self {
        let mutated = mutated_in(body);
        let left = exits_of_block(&body.block).into_iter().map(|exit| exit.0).collect();
        let undeclared = undeclared_in(body);
        let primal = product.primal;
        let mut emitter = Self {
            product,
            primal,
            body,
            role,
            rt,
            markers,
            stack,
            mark,
            frame: FrameNames::new(|name| Ident::new(name, Span::call_site())),
            kept: kept_by_calls(body),
            mutated,
            written: written_in(body),
            conditional: conditional_in(body),
            left,
            undeclared,
            lent: RefCell::default(),
            definitions: OnceCell::new(),
            shown: RefCell::default(),
            numbers: Numbers::of(primal),
            numbers_here: Numbers::of(body),
            typed_numbers: RefCell::default(),
            names_numbers: true,
            shown_numbers: RefCell::default(),
            changed_in_part: OnceCell::new(),
            lent_parts: OnceCell::new(),
            proved: RefCell::default(),
            several: None,
            is_along: false,
        };
        let mut left = std::mem::take(&mut emitter.left);
        each_stmt(&body.block, &mut |stmt| {
            if let StmtKind::Exit { label, .. } = stmt.kind {
                left.push(label);
            }
        });
        emitter.left = left;
        emitter
    }

    /// The statements of a block.
    pub(super) fn stmts(&self, block: &Block) -> TokenStream {
        self.stmts_of(&block.stmts)
    }

    /// Statements that follow each other, none of which is pushed or popped together with others.
    pub(super) fn stmts_alone(&self, mut stmts: &[Stmt]) -> TokenStream {
        let mut tokens = TokenStream::new();
        while let [first, rest @ ..] = stmts {
            if let [second, rest @ ..] = rest
                && let Some(halves) = self.halves(first, second)
            {
                tokens.extend(halves);
                stmts = rest;
            } else {
                tokens.extend(self.stmt(first));
                stmts = rest;
            }
        }
        tokens
    }

    /// The type of a variable, where it is written down.
    pub(super) fn ascription(&self, var: Var) -> Option<TokenStream> {
        let ty = self.type_written(var)?;
        Some(quote!(: #ty))
    }

    /// The same without the colon.
    pub(super) fn type_written(&self, var: Var) -> Option<TokenStream> {
        let variable = &self.body.vars[var];
        if let Some(declared) = &variable.declared {
            return Some(located(declared.clone()));
        }
        if variable.assumed {
            return None;
        }
        known(&variable.ty)
    }

    pub(super) fn binder(&self, var: Var) -> TokenStream {
        let name = self.name(var);
        if self.mutated.contains(var) { quote!(mut #name) } else { name }
    }

    fn label(&self, label: Label) -> Lifetime {
        Lifetime::new(&format!("'{label}"), Span::call_site())
    }

    fn label_if_left(&self, label: Label) -> Option<TokenStream> {
        let name = self.label(label);
        self.left.contains(&label).then(|| quote!(#name:))
    }

    pub(super) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        let Proofs { before, after } = match self.role {
            Role::Sweep => self.proofs(stmt),
            Role::Tangent => Proofs::default(),
        };
        let stmt = self.bare_stmt(stmt);
        quote!(#before #stmt #after)
    }

    fn bare_stmt(&self, stmt: &Stmt) -> TokenStream {
        let span = at(stmt.span);
        match &stmt.kind {
            StmtKind::Let { var, value } => {
                let (binder, ty) = (self.binder(*var), self.ascription(*var));
                match value {
                    Some(value) if matches!(value.kind, ExprKind::Op(Op::Traced(_), _)) => {
                        self.expr(value)
                    }
                    Some(value) => {
                        let value = match &value.kind {
                            ExprKind::Op(Op::Placeholder, _) => self.witnessed_placeholder(*var),
                            _ => self.typed(*var, value, self.expr(value)),
                        };
                        quote_spanned!(span=> let #binder #ty = #value;)
                    }
                    // What never gets a value is not read, and nothing tells its type.
                    None if !self.written.contains(*var) => TokenStream::new(),
                    None => quote_spanned!(span=> let #binder #ty;),
                }
            }
            StmtKind::Assign { place, value } => self.assign(place, value, span),
            StmtKind::Increment { place, value } => self.increment(place, value, span),
            StmtKind::Reset { place } => {
                let ty = self.body.place_type(place);
                if ty.is_float() {
                    let (place, zero) = (self.place(place), self.expr(&Expr::zero(ty)));
                    return quote_spanned!(span=> #place = #zero;);
                }
                let (rt, target) = (&self.rt, self.exclusive(place));
                if self.struct_fields(place).is_empty() {
                    return quote_spanned!(span=> #rt::Vector::set_zero(#target););
                }
                // The field may be one that has no bar.
                quote_spanned!(span=> {
                    use #rt::reset::*;
                    (&mut #rt::reset::Reset(#target)).reset();
                })
            }
            StmtKind::Resize(resize) => self.resize(resize, span),
            StmtKind::Swap { a, b } => self.swap(a, b, span),
            StmtKind::Bind { view } => self.bind(*view, span),
            StmtKind::Call(call) => self.call(call, span),
            StmtKind::Opaque(opaque) => self.verbatim(opaque, span),
            StmtKind::If { test, then, otherwise } => {
                let (test, then) = (self.expr(test), self.stmts(then));
                let otherwise = (!otherwise.stmts.is_empty()).then(|| {
                    let otherwise = self.stmts(otherwise);
                    quote!(else { #otherwise })
                });
                quote_spanned!(span=> if #test { #then } #otherwise)
            }
            StmtKind::Loop(inner) => self.repetition(inner, span),
            StmtKind::Block { target, body } => {
                let label = target.as_ref().and_then(|target| self.label_if_left(target.label));
                let body = self.stmts(body);
                quote_spanned!(span=> #label { #body })
            }
            StmtKind::Exit { label, code: _ } => {
                let label = self.label(*label);
                quote_spanned!(span=> break #label;)
            }
            StmtKind::Push { place, transfer } => self.push(place, *transfer),
            StmtKind::Pop { place, declares } => self.pop(place, *declares),
        }
    }

    /// An assignment; `a = a + b` as `a += b`.
    fn assign(&self, place: &Place, value: &Expr, span: Span) -> TokenStream {
        if let (ExprKind::Op(Op::ZeroBar, args), None) = (&value.kind, &self.several) {
            let (shape, bar) = (self.taken_shape(&args[0]), self.exclusive(place));
            return quote_spanned!(span=> #shape.reset(#bar););
        }
        let target = self.place(place);
        if let ExprKind::Op(Op::Binary(op), args) = &value.kind
            && args[0].without_direction().as_place() == Some(place)
            && (BinaryOp::BitOr.precedence()..).contains(&op.precedence())
            && !are_directions(&value.ty)
            && !is_lent_first(&self.body.resolve(place), &value.ty)
        {
            let op: TokenStream =
                format!("{}=", op.token()).parse().expect("compound operators are tokens");
            let value = self.expr(&args[1]);
            return quote_spanned!(span=> #target #op #value;);
        }
        let tokens = self.expr(value);
        let value = if place.is_whole() { self.typed(place.root, value, tokens) } else { tokens };
        quote_spanned!(span=> #target = #value;)
    }

    /// A shape of which a bar is made.
    pub(super) fn taken_shape(&self, shape: &Expr) -> TokenStream {
        let tokens = self.operand(shape, POSTFIX);
        let is_conditional = shape.as_var().is_some_and(|var| self.conditional.contains(var));
        if is_conditional { quote!(#tokens.clone()) } else { tokens }
    }

    fn increment(&self, place: &Place, value: &Expr, span: Span) -> TokenStream {
        self.if_fields_have_bars(place, self.bare_increment(place, value, span))
    }

    fn bare_increment(&self, place: &Place, value: &Expr, span: Span) -> TokenStream {
        if let ExprKind::Op(Op::Cast, args) = &value.kind
            && matches!(value.ty, Type::Unknown | Type::Named(_))
        {
            // What was cast may have been an integer.
            let (rt, target) = (&self.rt, self.exclusive(place));
            let value = self.expr(&args[0]);
            return quote_spanned!(span=> #rt::add_cast(#target, #value););
        }
        if are_directions(&value.ty) {
            return self.added_directions(place, value, span);
        }
        if value.ty.is_float() {
            if let ExprKind::Op(Op::Unary(crate::ir::UnaryOp::Neg), args) = &value.kind {
                let value = self.expr(&args[0]);
                return self.changed_bar(place, |target| quote_spanned!(span=> #target -= #value;));
            }
            let value = self.expr(value);
            return self.changed_bar(place, |target| quote_spanned!(span=> #target += #value;));
        }
        let (rt, target) = (&self.rt, self.exclusive(place));
        let sum = self.reference_to(value);
        // The bar of `array.to_vec()`: of one length, but not of one type.
        let is_array = |ty: &Type| matches!(ty, Type::Array(..));
        if is_array(&self.body.place_type(place)) && !is_array(&value.ty) {
            return quote_spanned! {span=>
                #rt::accumulate_list((#target).as_mut_slice(), #sum);
            };
        }
        quote_spanned!(span=> #rt::Vector::accumulate(#target, #sum);)
    }

    fn verbatim(&self, opaque: &Opaque, span: Span) -> TokenStream {
        let tokens = located(opaque.tokens.clone());
        match opaque.ending {
            Ending::Continues | Ending::Diverges => tokens,
            Ending::Fails if self.role == Role::Tangent => {
                let output = self.product.interface.output.clone().map(located);
                quote_spanned! {span=>
                    let failed: #output = #tokens;
                    return failed.map(|_| ::core::unreachable!());
                }
            }
            Ending::Fails => {
                let (stack, mark) = (&self.stack, &self.mark);
                quote_spanned! {span=>
                    #stack.rewind(#mark);
                    return (#tokens, ::core::option::Option::None);
                }
            }
        }
    }

    fn bind(&self, view: Var, span: Span) -> TokenStream {
        let Binding::View(target) = &self.body.vars[view].binding else {
            unreachable!("only views are bound");
        };
        let place = &self.spelled(target);
        let is_declared = !self.undeclared.contains(view);
        let binding = is_declared.then(|| {
            let name = self.name(view);
            let reference = if target.mutable && !self.is_read_only(target.place.root) {
                self.exclusive(place)
            } else {
                self.shared(place)
            };
            quote_spanned!(span=> let #name = #reference;)
        });
        let proof = self.body.vars[view].declared.clone().map(|ty| {
            let (rt, ty) = (&self.rt, located(ty));
            let named = Place::var(view);
            let reference = self.shared(if is_declared { &named } else { place });
            quote_spanned!(at(span)=> #rt::refers_to::<#ty, _>(#reference);)
        });
        quote!(#binding #proof)
    }

    /// The place that a view refers to, as generated code may name it.
    pub(super) fn spelled(&self, view: &View) -> Place {
        match view.through {
            Some(through) if self.undeclared.contains(through.view) => view.place.clone(),
            Some(_) | None => view.spelled(),
        }
    }

    pub(super) fn is_read_only(&self, var: Var) -> bool {
        matches!(self.body.vars[var].binding, Binding::Shared | Binding::Global(_))
    }

    fn repetition(&self, inner: &Loop, span: Span) -> TokenStream {
        if let (Some(frame), LoopKind::Counted { var, range }) =
            (framed(self.body, inner), &inner.kind)
        {
            return self.framed_loop(frame, *var, range, &inner.body, span);
        }
        let label = self.label_if_left(inner.target.label);
        let body = self.stmts(&inner.body);
        match &inner.kind {
            LoopKind::Counted { var, range } => {
                let name = self.name_of_counter(*var, &inner.body);
                let range = self.range(range, &self.body.vars[*var].ty);
                quote_spanned!(span=> #label for #name in #range { #body })
            }
            LoopKind::While { test } => {
                let test = self.expr(test);
                quote_spanned!(span=> #label while #test { #body })
            }
            LoopKind::Forever => quote_spanned!(span=> #label loop { #body }),
        }
    }

    pub(super) fn name_of_counter(&self, var: Var, block: &Block) -> TokenStream {
        if self.is_used(var, block) { self.name(var) } else { quote!(_) }
    }

    fn is_used(&self, var: Var, block: &Block) -> bool {
        let mut used = false;
        each_stmt(block, &mut |stmt| {
            crate::ir::each_place(stmt, &mut |place| used |= place.root == var);
            if let StmtKind::Bind { view } = stmt.kind
                && let Binding::View(target) = &self.body.vars[view].binding
            {
                used |= crate::ir::place_mentions(&target.place, var);
            }
            let mut verbatim = |opaque: &crate::ir::Opaque| used |= opaque.reads.contains(&var);
            if let StmtKind::Opaque(opaque) = &stmt.kind {
                verbatim(opaque);
            }
            crate::ir::each_expr(stmt, &mut |expr| {
                if let ExprKind::Opaque(opaque) = &expr.kind {
                    verbatim(opaque);
                }
            });
        });
        used
    }

    fn push(&self, place: &Place, transfer: Transfer) -> TokenStream {
        let stack = &self.stack;
        let ty = self.body.place_type(place);
        if matches!(ty, Type::Slice(_)) {
            let slice = self.shared(place);
            return quote!(#stack.push_slice(#slice););
        }
        let value = self.coded(&ty, self.pushed(place, transfer));
        quote!(#stack.push(#value);)
    }

    /// The value that is pushed.
    pub(super) fn pushed(&self, place: &Place, transfer: Transfer) -> TokenStream {
        let ty = self.body.place_type(place);
        let is_moved = transfer == Transfer::Move && !self.is_reference(place.root);
        if is_moved || ty.is_copy() {
            return self.place(place);
        }
        let span = at(self.body.vars[place.root].span);
        if ty.is_known() {
            let receiver = self.receiver(place);
            return quote_spanned!(span=> #receiver.clone());
        }
        let (rt, shared) = (&self.rt, self.shared(place));
        quote_spanned!(span=> #rt::copied(#shared))
    }

    fn pop(&self, place: &Place, declares: bool) -> TokenStream {
        let stack = &self.stack;
        let ty = self.body.place_type(place);
        if matches!(ty, Type::Slice(_)) {
            let slice = self.exclusive(place);
            return quote!(#stack.pop_slice(#slice););
        }
        // A type that is only assumed is not written, and perhaps nothing else tells it.
        let is_told = known(&ty).is_some() && !(declares && self.body.vars[place.root].assumed);
        // Where a place is written, it tells the type.
        let value = match is_told || !place.is_whole() {
            true => self.decoded(&ty),
            false => self.witnessed_pop(place.root),
        };
        self.popped(place, declares, value)
    }

    /// A value that was popped goes to its place.
    pub(super) fn popped(&self, place: &Place, declares: bool, value: TokenStream) -> TokenStream {
        if declares {
            let (binder, ty) = (self.binder(place.root), self.ascription(place.root));
            return quote!(let #binder #ty = #value;);
        }
        let place = self.place(place);
        quote!(#place = #value;)
    }
}

/// Whether the operator that assigns borrows the enum that it changes before its other operand is evaluated: for primitive numbers alone it does not.
fn is_lent_first(place: &Place, ty: &Type) -> bool {
    let is_primitive = matches!(
        ty,
        Type::Float(FloatKind::F64 | FloatKind::F32) | Type::Int(IntKind::Named(_)) | Type::Bool
    );
    place.is_in_variant() && !is_primitive
}
