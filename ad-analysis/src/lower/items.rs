//! What iterators yield and closures are called with, and how patterns take it.

use super::enums::variant_of;
use super::{Lowerer, Operand};
use crate::index::Var;
use crate::ir::{Expr, ExprKind, Op, Place, Projection, place_mentions, places_in};
use crate::types::Type;
use crate::walk::visit::{self, Visit};
use proc_macro2::Span;
use quote::ToTokens;
use syn::Pat;
use syn::spanned::Spanned;

/// A value or reference on its way into a pattern. A tuple is kept in parts, so that references can be
/// among them.
#[derive(Clone)]
pub(super) enum Item {
    Operand(Operand),
    Tuple(Vec<Item>),
    /// A reference to an item, which is settled.
    Lent(Box<Item>),
}

impl Item {
    pub(super) fn value(value: Expr) -> Self {
        Item::Operand(Operand::Value(value))
    }

    pub(super) fn unit(span: Span) -> Self {
        Item::value(Expr::new(ExprKind::Op(Op::Tuple, Vec::new()), Type::unit(), span))
    }

    /// Whether it is read from a variable, or refers to one.
    pub(super) fn mentions(&self, var: Var) -> bool {
        match self {
            Item::Operand(Operand::Value(value)) => {
                let mut found = false;
                places_in(value, &mut |place| found |= place.root == var);
                found
            }
            Item::Operand(Operand::Reference { place, .. }) => place_mentions(place, var),
            Item::Tuple(parts) => parts.iter().any(|part| part.mentions(var)),
            Item::Lent(item) => item.mentions(var),
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Item::Operand(Operand::Value(value)) => value.span,
            Item::Operand(Operand::Reference { span, .. }) => *span,
            Item::Tuple(parts) => parts.first().map_or_else(Span::call_site, Item::span),
            Item::Lent(item) => item.span(),
        }
    }
}

/// The variables for an item that comes from one of several places. What it refers to is copied.
pub(super) enum Slots {
    Value(Var),
    /// The item is a reference to the value.
    Lent(Var),
    /// The item is a reference to this place, whose indices are kept in variables.
    Place {
        place: Place,
        mutable: bool,
        span: Span,
        indices: Vec<Var>,
    },
    Tuple(Vec<Slots>),
}

impl Slots {
    pub(super) fn vars(&self) -> Vec<Var> {
        match self {
            Slots::Value(var) | Slots::Lent(var) => vec![*var],
            Slots::Place { indices, .. } => indices.clone(),
            Slots::Tuple(parts) => parts.iter().flat_map(Slots::vars).collect(),
        }
    }

    /// Whether some of them say where a reference refers to.
    pub(super) fn refer(&self) -> bool {
        match self {
            Slots::Value(_) | Slots::Lent(_) => false,
            Slots::Place { .. } => true,
            Slots::Tuple(parts) => parts.iter().any(Slots::refer),
        }
    }
}

/// Whether a pattern of a closure or of a loop over an iterator can be taken apart.
pub(super) fn takes(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(pat) => pat.by_ref.is_none() && pat.subpat.is_none(),
        Pat::Wild(_) => true,
        Pat::Tuple(pat) => pat.elems.iter().all(takes),
        Pat::Slice(pat) => pat.elems.iter().all(takes),
        Pat::Reference(pat) => takes(&pat.pat),
        Pat::Paren(pat) => takes(&pat.pat),
        Pat::Type(pat) => takes(&pat.pat),
        Pat::Struct(syn::PatStruct { path, .. })
        | Pat::TupleStruct(syn::PatTupleStruct { path, .. }) => {
            variant_of(path).is_none() && Lowerer::understands_struct(pat)
        }
        _ => false,
    }
}

/// Whether none of the branches of an `if` ends in a value.
fn has_no_value(choice: &syn::ExprIf) -> bool {
    let ends_in_value = |block: &syn::Block| match block.stmts.last() {
        Some(syn::Stmt::Expr(syn::Expr::If(inner), None)) => !has_no_value(inner),
        Some(syn::Stmt::Expr(syn::Expr::ForLoop(_) | syn::Expr::While(_), None)) => false,
        Some(syn::Stmt::Expr(_, None)) => true,
        _ => false,
    };
    if ends_in_value(&choice.then_branch) {
        return false;
    }
    match choice.else_branch.as_ref().map(|(_, branch)| &**branch) {
        None => true,
        Some(syn::Expr::If(inner)) => has_no_value(inner),
        Some(syn::Expr::Block(inner)) => !ends_in_value(&inner.block),
        Some(_) => false,
    }
}

impl Lowerer<'_> {
    /// Binds an item to the names of a pattern.
    pub(super) fn bind_item(&mut self, pat: &Pat, item: Item) {
        match (pat, item) {
            (Pat::Paren(inner), item) => self.bind_item(&inner.pat, item),
            (Pat::Type(typed), item) => {
                let item = self.typed_item(&typed.ty, item);
                self.bind_item(&typed.pat, item);
            }
            (pat, Item::Lent(item)) => self.bind_lent(pat, *item),
            (Pat::Tuple(tuple), Item::Tuple(parts)) if tuple.elems.len() == parts.len() => {
                for (pat, part) in tuple.elems.iter().zip(parts) {
                    self.bind_item(pat, part);
                }
            }
            (Pat::Wild(_), Item::Tuple(parts)) => {
                parts.into_iter().for_each(|part| self.bind_item(pat, part));
            }
            (Pat::Ident(ident), Item::Operand(Operand::Value(value)))
                if ident.mutability.is_none() && self.may_be_named(&value) =>
            {
                let (name, var) = (ident.ident.to_string(), value.as_var().expect("just seen"));
                if self.made.contains(var) {
                    self.rename(var, &name);
                } else {
                    self.bind(&name, var);
                }
            }
            (_, Item::Operand(operand)) => self.bind_operand(pat, operand),
            (_, item @ Item::Tuple(_)) => {
                if !self.is_data(&item) {
                    self.errors.report(
                        pat.span(),
                        "a name for a tuple of references, of which more than fields is mentioned, is not supported here",
                        "take it apart in the pattern, `(a, b)`, or mention its fields only, `t.0`",
                    );
                }
                let value = self.item_value(item);
                self.bind_operand(pat, Operand::Value(value));
            }
        }
    }

    /// Whether a value is a variable that is not written while a name stands for it.
    fn may_be_named(&self, value: &Expr) -> bool {
        value.as_var().is_some_and(|var| self.counters.contains(var) || self.resting.contains(var))
    }

    /// Binds a reference to an item.
    fn bind_lent(&mut self, pat: &Pat, item: Item) {
        match (pat, item) {
            (Pat::Reference(inner), item) => self.bind_item(&inner.pat, item),
            (Pat::Wild(_), _) => {}
            (pat, Item::Lent(item)) => self.bind_lent(pat, *item),
            (Pat::Tuple(tuple), Item::Tuple(parts)) if tuple.elems.len() == parts.len() => {
                for (pat, part) in tuple.elems.iter().zip(parts) {
                    self.bind_item(pat, Item::Lent(Box::new(part)));
                }
            }
            (pat, item @ Item::Tuple(_)) => self.bind_item(pat, item),
            (pat, Item::Operand(Operand::Value(value))) => {
                let span = value.span;
                let place = self.place_of_value(value, "item");
                self.bind_operand(pat, Operand::Reference { place, mutable: false, span });
            }
            (pat, Item::Operand(Operand::Reference { place, mutable: _, span })) => {
                self.bind_operand(pat, Operand::Reference { place, mutable: false, span });
                if let Pat::Ident(ident) = pat
                    && let Some(var) = self.find(&ident.ident.to_string())
                {
                    self.twofold.insert(var);
                }
            }
        }
    }

    /// Whether an item consists of numbers, so that a copy is as good as a reference.
    pub(super) fn is_data(&mut self, item: &Item) -> bool {
        match item {
            Item::Operand(Operand::Value(value)) => self.is_number(&value.ty.clone()),
            Item::Operand(Operand::Reference { place, mutable, span: _ }) => {
                let ty = self.type_of(place);
                !mutable && self.is_number(&ty)
            }
            Item::Tuple(parts) => parts.iter().all(|part| self.is_data(part)),
            Item::Lent(item) => self.is_data(item),
        }
    }

    /// Whether a type is known to be one of numbers that are copied.
    pub(super) fn is_number(&self, ty: &Type) -> bool {
        self.types.is_float(ty) || self.types.is_int(ty) || self.types.resolve(ty).is_copy()
    }

    /// Variables for an item, and others of that kind; they are not declared yet.
    pub(super) fn slots(&mut self, item: &Item, other: Option<&Item>, span: Span) -> Slots {
        match (item, other) {
            (Item::Tuple(parts), None) => {
                Slots::Tuple(parts.iter().map(|part| self.slots(part, None, span)).collect())
            }
            (Item::Tuple(parts), Some(Item::Tuple(others))) if parts.len() == others.len() => {
                let parts = parts.iter().zip(others);
                Slots::Tuple(
                    parts.map(|(part, other)| self.slots(part, Some(other), span)).collect(),
                )
            }
            (item, _) => {
                let ty = self.item_type(item);
                let var = self.body.local("item", ty, span);
                self.mutable.insert(var);
                match item {
                    Item::Operand(Operand::Value(_)) | Item::Tuple(_) => Slots::Value(var),
                    Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => Slots::Lent(var),
                }
            }
        }
    }

    /// Variables for an item that goes on after the loop that yields it: values are copied, and of a reference to what is no number
    /// it is kept where it refers to. `None` if that is in a variable of the loop itself, whose variables are not before `outer`.
    pub(super) fn slots_after_loop(
        &mut self,
        item: &Item,
        outer: Var,
        span: Span,
    ) -> Option<Slots> {
        match item {
            Item::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.slots_after_loop(part, outer, span));
                Some(Slots::Tuple(parts.collect::<Option<Vec<_>>>()?))
            }
            Item::Operand(Operand::Reference { place, mutable, span })
                if !self.may_be_data(item) =>
            {
                if self.body.root_of(place) >= outer || place.root >= outer {
                    return None;
                }
                let mut place = place.clone();
                let mut indices = Vec::new();
                for index in bounds_in(&mut place) {
                    let var = self.body.local("at", Type::USIZE, *span);
                    self.mutable.insert(var);
                    *index = self.load(var, *span);
                    indices.push(var);
                }
                Some(Slots::Place { place, mutable: *mutable, span: *span, indices })
            }
            item => self.may_be_data(item).then(|| self.slots(item, None, span)),
        }
    }

    pub(super) fn item_type(&mut self, item: &Item) -> Type {
        match item {
            Item::Operand(Operand::Value(value)) => value.ty.clone(),
            Item::Operand(Operand::Reference { place, .. }) => self.type_of(place),
            Item::Lent(item) => self.item_type(item),
            Item::Tuple(parts) => {
                Type::Tuple(parts.iter().map(|part| self.item_type(part)).collect())
            }
        }
    }

    /// Puts an item in its variables.
    pub(super) fn put_in(&mut self, slots: &Slots, item: Item, span: Span) {
        match (slots, item) {
            (Slots::Tuple(slots), Item::Tuple(parts)) => {
                for (slots, part) in slots.iter().zip(parts) {
                    self.put_in(slots, part, span);
                }
            }
            (Slots::Value(var), item) => {
                let value = self.item_value(item);
                self.assign(Place::var(*var), value, span);
            }
            (Slots::Lent(var), item) => {
                let value = self.cloned_item(item);
                self.assign(Place::var(*var), value, span);
            }
            (Slots::Place { indices, .. }, Item::Operand(Operand::Reference { place, .. })) => {
                for (index, value) in indices.iter().zip(bounds_of(place)) {
                    self.assign(Place::var(*index), value, span);
                }
            }
            (
                Slots::Place { .. },
                Item::Operand(Operand::Value(_)) | Item::Tuple(_) | Item::Lent(_),
            ) => {
                unreachable!("the variables are those of a reference")
            }
            (Slots::Tuple(slots), item @ (Item::Operand(_) | Item::Lent(_))) => {
                let value = self.item_value(item);
                let fields = slots.iter().map(|_| self.types.fresh()).collect();
                self.types.unify(&value.ty, &Type::Tuple(fields));
                let whole = self.place_of_value(value, "parts");
                for (position, slots) in slots.iter().enumerate() {
                    let place = whole.field(position);
                    let ty = self.type_of(&place);
                    self.put_in(slots, Item::value(Expr::load(place, ty, span)), span);
                }
            }
        }
    }

    /// The item that is in these variables.
    pub(super) fn filled(&self, slots: &Slots, span: Span) -> Item {
        match slots {
            Slots::Value(var) => Item::value(self.load(*var, span)),
            Slots::Lent(var) => Item::Lent(Box::new(Item::value(self.load(*var, span)))),
            Slots::Place { place, mutable, span, indices: _ } => {
                let (place, mutable, span) = (place.clone(), *mutable, *span);
                Item::Operand(Operand::Reference { place, mutable, span })
            }
            Slots::Tuple(parts) => {
                Item::Tuple(parts.iter().map(|part| self.filled(part, span)).collect())
            }
        }
    }

    /// Whether an item may consist of numbers, as far as is known.
    pub(super) fn may_be_data(&mut self, item: &Item) -> bool {
        match item {
            Item::Operand(Operand::Value(_)) => true,
            Item::Operand(Operand::Reference { place, mutable, span: _ }) => {
                let ty = self.type_of(place);
                !mutable && (self.is_number(&ty) || self.types.is_open(&ty))
            }
            Item::Tuple(parts) => parts.iter().all(|part| self.may_be_data(part)),
            Item::Lent(item) => self.may_be_data(item),
        }
    }

    /// An item whose type the user has written.
    pub(super) fn typed_item(&mut self, ty: &syn::Type, item: Item) -> Item {
        match (ty, item) {
            (syn::Type::Paren(inner), item) => self.typed_item(&inner.elem, item),
            (syn::Type::Reference(reference), Item::Lent(item)) => {
                Item::Lent(Box::new(self.typed_item(&reference.elem, *item)))
            }
            (syn::Type::Reference(reference), item) => self.typed_item(&reference.elem, item),
            (syn::Type::Tuple(tuple), Item::Tuple(parts)) if tuple.elems.len() == parts.len() => {
                let parts = tuple.elems.iter().zip(parts);
                Item::Tuple(parts.map(|(ty, part)| self.typed_item(ty, part)).collect())
            }
            (ty, Item::Operand(Operand::Value(mut value))) => {
                let ty = self.lower_type(ty);
                if self.types.is_open(&value.ty) {
                    value.ty = ty;
                } else {
                    self.types.unify(&ty, &value.ty);
                }
                Item::value(value)
            }
            (ty, Item::Operand(reference @ Operand::Reference { .. })) => {
                Item::Operand(self.reference_to(ty, reference))
            }
            (_, item @ (Item::Tuple(_) | Item::Lent(_))) => item,
        }
    }

    /// A reference to a value whose type the user has written. Where it might become one to something else, generated code proves that it
    /// does not.
    pub(super) fn reference_to(&mut self, ty: &syn::Type, reference: Operand) -> Operand {
        let Operand::Reference { place, mutable, span } = &reference else { return reference };
        let (known, wanted) = (self.type_of(place), self.lower_type(ty));
        self.refuse_coercion(&known, &wanted, *span);
        let may_become_another = match (self.types.shallow(&known), self.types.shallow(&wanted)) {
            (_, Type::Float(_) | Type::Int(_) | Type::Bool) => false,
            (Type::Named(known), Type::Named(wanted)) => known != wanted,
            (Type::Named(_) | Type::Unknown | Type::Infer(_), _) => true,
            (
                Type::Float(_)
                | Type::Int(_)
                | Type::Bool
                | Type::Array(..)
                | Type::Slice(_)
                | Type::Vec(_)
                | Type::Tuple(_),
                _,
            ) => false,
        };
        self.types.unify(&known, &wanted);
        if !may_become_another || says_less(ty) {
            return reference;
        }
        let view = self.make_view("stated", place, *mutable, *span);
        self.variable_mut(view).declared = Some(ty.to_token_stream());
        Operand::Reference { place: Place::var(view), mutable: *mutable, span: *span }
    }

    /// A reference to a value of a type of the user's may become one to what that dereferences to: its fields are others then. So are
    /// its methods where it becomes one to a `dyn`.
    fn refuse_coercion(&self, known: &Type, wanted: &Type, span: Span) {
        let is_dyn = |ty: &Type| matches!(ty, Type::Named(name) if name.of_dyn().is_some());
        let value = self.types.shallow(known);
        if matches!(value, Type::Named(_)) && is_dyn(wanted) && !is_dyn(&value) {
            self.errors.report(
                span,
                "a reference that becomes one to a `dyn` value is not supported here",
                "call the methods of the value itself, or pass it to a function that takes the `dyn`",
            );
            return;
        }
        let name = |ty: &Type| match self.types.shallow(ty) {
            Type::Named(name) => Some(self.options.declared.name_of(&name)),
            _ => None,
        };
        let (Some(known), Some(wanted)) = (name(known), name(wanted)) else { return };
        let last = |name: &str| {
            let syn::Type::Path(path) = syn::parse_str(name).ok()? else { return None };
            let mut names =
                path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
            let last = names.next()?;
            // Pointers have no fields, and the macro may not see what `Self` is, or a type of a trait.
            let is_of_type = names.next().is_some_and(|of| of.starts_with(char::is_uppercase));
            let is_open = is_of_type || ["Box", "Rc", "Arc", "Self"].contains(&last.as_str());
            (!is_open).then_some(last)
        };
        if let (Some(one), Some(other)) = (last(&known), last(&wanted))
            && one != other
        {
            self.errors.report(
                span,
                format!("this is a reference to a `{known}`, and one to a `{wanted}` is taken"),
                "pass the field that is meant; where both are names of one type, write the same one",
            );
        }
    }

    /// The value of an item: references are followed, and no longer known to be references.
    pub(super) fn item_value(&mut self, item: Item) -> Expr {
        self.note_referents(&item);
        self.copied_item(item)
    }

    /// The value of an item that is copied, or of which it is known that it is none but a reference to it.
    pub(super) fn copied_item(&mut self, item: Item) -> Expr {
        match item {
            Item::Operand(operand) => self.value_of(operand),
            Item::Lent(item) => self.copied_item(*item),
            Item::Tuple(parts) => {
                let span = parts.first().map_or_else(Span::call_site, Item::span);
                let values: Vec<Expr> =
                    parts.into_iter().map(|part| self.copied_item(part)).collect();
                let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
                Expr::new(ExprKind::Op(Op::Tuple, values), ty, span)
            }
        }
    }

    /// The same as a value of its own: what is no number is cloned.
    pub(super) fn cloned_item(&mut self, item: Item) -> Expr {
        match item {
            Item::Operand(Operand::Reference { place, mutable, span }) => {
                let value = self.value_of(Operand::Reference { place, mutable, span });
                if self.is_number(&value.ty) || self.types.is_open(&value.ty) {
                    return value;
                }
                let ty = value.ty.clone();
                Expr::new(ExprKind::Op(Op::Clone, vec![value]), ty, span)
            }
            Item::Lent(item) => self.cloned_item(*item),
            item @ (Item::Operand(Operand::Value(_)) | Item::Tuple(_)) => self.copied_item(item),
        }
    }

    /// The item with its values in variables, so that it can be used twice.
    pub(super) fn settled(&mut self, item: Item) -> Item {
        match item {
            Item::Operand(Operand::Value(mut value)) => {
                if value.as_var().is_none_or(|var| !self.counters.contains(var)) {
                    self.put_aside(&mut value);
                }
                Item::value(value)
            }
            Item::Tuple(parts) => {
                Item::Tuple(parts.into_iter().map(|part| self.settled(part)).collect())
            }
            item @ (Item::Operand(Operand::Reference { .. }) | Item::Lent(_)) => item,
        }
    }

    /// What an expression denotes: tuples in parts, references as references.
    pub(super) fn item_of(&mut self, expr: &syn::Expr) -> Item {
        self.item_for(expr, None)
    }

    /// As [`item_of`](Self::item_of), where the context wants a type.
    pub(super) fn item_for(&mut self, expr: &syn::Expr, wanted: Option<&Type>) -> Item {
        let span = expr.span();
        let bare = super::places::strip(expr);
        if let (Some(ty), syn::Expr::MethodCall(_) | syn::Expr::Call(_)) = (wanted, bare) {
            self.want(bare, ty.clone());
        }
        match bare {
            bare if self.has_attributes(bare) => Item::value(self.value(bare)),
            syn::Expr::Block(block) if block.label.is_none() => {
                self.item_of_block(&block.block, wanted)
            }
            syn::Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let exprs: Vec<&syn::Expr> = tuple.elems.iter().collect();
                Item::Tuple(self.items_of(&exprs))
            }
            bare if self.is_statement(bare) => {
                self.statement(bare);
                Item::unit(span)
            }
            syn::Expr::If(choice) if has_no_value(choice) => {
                self.lower_into(bare, &super::Destination::Discard);
                Item::unit(span)
            }
            bare if self.is_structured(bare) => Item::value(self.value(bare)),
            bare => match self.operand(bare) {
                Some(operand) => Item::Operand(operand),
                None => Item::value(self.opaque_value(bare)),
            },
        }
    }

    /// Several items, evaluated in order.
    pub(super) fn items_of(&mut self, exprs: &[&syn::Expr]) -> Vec<Item> {
        self.in_order(exprs, |this, expr| this.item_of(expr))
    }

    fn item_of_block(&mut self, block: &syn::Block, wanted: Option<&Type>) -> Item {
        let span = block.brace_token.span.join();
        self.scopes.push(super::Scope::default());
        let first = self.out.len();
        let item = match block.stmts.split_last() {
            Some((syn::Stmt::Expr(tail, None), before)) => {
                let before = syn::Block { stmts: before.to_vec(), ..block.clone() };
                self.block_into(&before, &super::Destination::Discard);
                let start = self.out.len();
                let item = self.item_for(tail, wanted);
                // In an older edition they would outlive the block.
                if !self.temporaries_but(start, &item).is_empty() {
                    self.prove_unnoticed(start);
                }
                item
            }
            Some((syn::Stmt::Macro(tail), before)) if tail.semi_token.is_none() => {
                let before = syn::Block { stmts: before.to_vec(), ..block.clone() };
                self.block_into(&before, &super::Destination::Discard);
                let mac = syn::ExprMacro { attrs: tail.attrs.clone(), mac: tail.mac.clone() };
                Item::value(self.value(&syn::Expr::Macro(mac)))
            }
            _ => {
                self.block_into(block, &super::Destination::Discard);
                Item::unit(span)
            }
        };
        self.scopes.pop();
        self.item_without_temporaries(first, item)
    }
}

/// Whether a type leaves something open.
fn says_less(ty: &syn::Type) -> bool {
    struct Open(bool);
    impl Visit<'_> for Open {
        fn visit_type(&mut self, ty: &syn::Type) {
            self.0 |= matches!(ty, syn::Type::Infer(_) | syn::Type::ImplTrait(_));
            visit::visit_type(self, ty);
        }
    }
    let mut open = Open(false);
    open.visit_type(ty);
    open.0
}

/// The indices on the way to a place, those of the bounds of slices among them, that are not written there.
fn bounds_in(place: &mut Place) -> impl Iterator<Item = &mut Expr> {
    let bounds = place.projections.iter_mut().flat_map(|step| match step {
        Projection::Field(_) | Projection::Boxed => [None, None],
        Projection::Index(index) | Projection::Got { at: index, .. } => [Some(index), None],
        Projection::Slice { start, end } => [start.as_mut(), end.as_mut()],
    });
    bounds.flatten().filter(|bound| bound.as_literal().is_none())
}

fn bounds_of(mut place: Place) -> Vec<Expr> {
    bounds_in(&mut place).map(|bound| bound.clone()).collect()
}
