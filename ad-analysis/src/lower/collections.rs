//! Lists made from iterators: `collect`, `extend`, `unzip`, `partition`, and arrays by `map` and
//! `array::from_fn`.

use super::chains::Sink;
use super::items::Item;
use super::places::strip;
use super::sequences::{Items, Sequence, is_endless};
use super::{Destination, Lowerer, Operand};
use crate::index::Var;
use crate::ir::{BinaryOp, Expr, ExprKind, LoopKind, Op, Place, Range, StmtKind};
use crate::read::words_in;
use crate::types::Type;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// `collect` into a `Vec`.
    pub(super) fn collect(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let Type::Vec(element) = self.types.shallow(wanted?) else { return None };
        let element = Type::clone(&element);
        if !self.may_be_collected(&element) {
            return None;
        }
        let mut pipeline = self.iterator(&call.receiver)?;
        pipeline.yields(element.clone());
        let by_position = pipeline.stages.is_empty();
        if !by_position || !self.has_zero(&element) {
            let list = self.empty_list(element, span);
            self.drive(pipeline, None, span, pushed_to(list, span))?;
            return Some(self.load(list, span));
        }
        self.collected(pipeline.sequence, element, span)
    }

    /// Integers carry no derivative: where a list of them is made, the chain is kept as it is. So it is with references, of which no list
    /// with a bar can be made.
    pub(super) fn may_be_collected(&self, element: &Type) -> bool {
        let known = self.types.resolve(element);
        !self.types.is_int(element) && !known.is_discrete() && !known.is_reference()
    }

    /// Whether some value of a type can be made; what is not known yet is taken for a number.
    fn has_zero(&self, ty: &Type) -> bool {
        match self.types.shallow(ty) {
            Type::Vec(_) | Type::Slice(_) | Type::Named(_) => false,
            Type::Tuple(fields) => fields.iter().all(|field| self.has_zero(field)),
            Type::Array(element, _) => self.has_zero(&element),
            _ => true,
        }
    }

    /// A list of items whose number is known before.
    fn collected(&mut self, sequence: Sequence, element: Type, span: Span) -> Option<Expr> {
        let (len, items) = self.numbered(sequence);
        let len = self.frozen(len, "len");
        let list = self.empty_list(element.clone(), span);
        let declaration = self.out.len() - 1;
        let number = self.body.local("k", Type::USIZE, span);
        let sequence = Sequence::of(len.clone(), items);
        self.counters.insert(number);
        let label = self.body.numbering.label();
        let mut grows = false;
        let body = self.iteration(None, label, &Destination::Discard, |this| {
            let position = this.load(number, span);
            let item = this.item_at(&sequence.items, position.clone());
            let value = this.item_value(item);
            this.types.unify(&element, &value.ty);
            grows = !this.has_zero(&element);
            if grows {
                this.push_value(&Place::var(list), value, span);
            } else {
                this.assign(Place::var(list).index(position), value, span);
            }
        });
        let kind = LoopKind::Counted { var: number, range: sequence.range };
        self.emit_loop(label, kind, body, span);
        if std::mem::take(&mut self.misfit) {
            return None;
        }
        if !grows {
            let ty = self.body.vars[list].ty.clone();
            let args = vec![self.zero_of(&element)?, len];
            let value = Expr::new(ExprKind::Op(Op::VecRepeat, args), ty, span);
            self.out[declaration].kind = StmtKind::Let { var: list, value: Some(value) };
        }
        Some(self.load(list, span))
    }

    /// A variable for a list that is about to be made.
    pub(super) fn empty_list(&mut self, element: Type, span: Span) -> Var {
        let ty = Type::vec(element);
        let list = self.body.local("list", ty.clone(), span);
        self.mutable.insert(list);
        let value = Expr::new(ExprKind::Op(Op::Vec, Vec::new()), ty, span);
        self.emit(StmtKind::Let { var: list, value: Some(value) }, span);
        self.made.insert(list);
        list
    }

    /// `list.extend(iterator)`
    pub(super) fn extend_each(
        &mut self,
        list: &Place,
        source: &syn::Expr,
        span: Span,
    ) -> Option<()> {
        let pipeline = self.iterated(source)?;
        if is_endless(&pipeline.sequence.range.end) && pipeline.stages.is_empty() {
            return None;
        }
        let list = list.clone();
        let sink: Sink<'_> = Box::new(move |this, item, _| {
            let value = this.item_value(item);
            this.push_value(&list, value, span);
        });
        self.drive(pipeline, None, span, sink)
    }

    /// The two lists that the context wants, made empty.
    fn two_lists(&mut self, wanted: Option<&Type>, span: Span) -> Option<[Var; 2]> {
        let Type::Tuple(parts) = self.types.shallow(wanted?) else { return None };
        let [first, second] = &*parts else { return None };
        let mut elements = Vec::new();
        for part in [first, second] {
            let Type::Vec(element) = self.types.shallow(part) else { return None };
            elements.push(Type::clone(&element));
        }
        if !elements.iter().any(|element| self.may_be_collected(element)) {
            return None;
        }
        let lists: Vec<Var> =
            elements.into_iter().map(|element| self.empty_list(element, span)).collect();
        lists.try_into().ok()
    }

    fn pair_of(&self, lists: [Var; 2], span: Span) -> Expr {
        let lists: Vec<Expr> = lists.into_iter().map(|list| self.load(list, span)).collect();
        let ty = Type::Tuple(lists.iter().map(|list| list.ty.clone()).collect());
        Expr::new(ExprKind::Op(Op::Tuple, lists), ty, span)
    }

    /// `unzip` into two `Vec`s.
    pub(super) fn unzip(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let pipeline = self.iterator(&call.receiver)?;
        let lists = self.two_lists(wanted, span)?;
        let sink: Sink<'_> = Box::new(move |this, item, _| {
            let parts = this.halves_of(item, span);
            for (list, part) in lists.into_iter().zip(parts) {
                this.push_value(&Place::var(list), part, span);
            }
        });
        self.drive(pipeline, None, span, sink)?;
        Some(self.pair_of(lists, span))
    }

    /// The values of the parts of an item that is a pair.
    fn halves_of(&mut self, item: Item, span: Span) -> [Expr; 2] {
        match self.settled(item) {
            Item::Tuple(parts) if parts.len() == 2 => {
                let mut values = parts.into_iter().map(|part| self.item_value(part));
                [(); 2].map(|()| values.next().expect("two parts"))
            }
            item => {
                let value = self.item_value(item);
                let fields = (0..2).map(|_| self.types.fresh()).collect();
                self.types.unify(&value.ty, &Type::Tuple(fields));
                let whole = self.place_of_value(value, "parts");
                [0, 1].map(|position| {
                    let place = whole.field(position);
                    let ty = self.type_of(&place);
                    Expr::load(place, ty, span)
                })
            }
        }
    }

    /// `partition` into two `Vec`s.
    pub(super) fn partition(
        &mut self,
        call: &syn::ExprMethodCall,
        function: &syn::Expr,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let pipeline = self.iterator(&call.receiver)?;
        let function = self.function(function, 1)?;
        let lists = self.two_lists(wanted, span)?;
        let sink: Sink<'_> = Box::new(move |this, item, _| {
            let item = this.settled(item);
            let test = this.test_of(&function, &item);
            let [then, otherwise] = lists.map(|list| {
                let item = item.clone();
                this.in_block(|this| {
                    let value = this.item_value(item);
                    this.push_value(&Place::var(list), value, span);
                })
            });
            this.emit(StmtKind::If { test, then, otherwise }, span);
        });
        self.drive(pipeline, None, span, sink)?;
        Some(self.pair_of(lists, span))
    }

    /// `list.concat()`, `[a, b].concat()`
    pub(super) fn concat(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let span = call.span();
        if let syn::Expr::Array(array) = strip(&call.receiver) {
            let lists: Option<Vec<Place>> =
                array.elems.iter().map(|list| self.list_at(list)).collect();
            let lists = lists?;
            let element = self.element_type(lists.first()?);
            let whole = self.empty_list(element, span);
            for list in lists {
                self.extend_by(&Place::var(whole), list, span);
            }
            return Some(self.load(whole, span));
        }
        let rows = self.list_at(&call.receiver)?;
        let row = self.element_type(&rows);
        let element = self.types.shallow(&row).element()?.clone();
        let rows = self.fixed_list(rows, false, span);
        let whole = self.empty_list(element, span);
        let end = self.len_of(rows.clone(), span);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        self.each_index(range, span, |this, k| {
            this.extend_by(&Place::var(whole), rows.index(k), span);
        });
        Some(self.load(whole, span))
    }

    /// `list.try_into().unwrap()`, where an array is wanted.
    pub(super) fn array_from_list(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let (inner, message) = super::elements::unwrapped(call)?;
        if inner.method != "try_into" || !inner.args.is_empty() {
            return None;
        }
        let Type::Array(element, len) = self.types.shallow(wanted?) else { return None };
        let span = call.span();
        let list = self.list_at(&inner.receiver)?;
        let of_list = self.element_type(&list);
        self.types.unify(&element, &of_list);
        if !self.is_number(&element) {
            return None;
        }
        let list = self.fixed_list(list, false, span);
        let end = self.array_len(&len)?;
        let present = self.len_of(list.clone(), span);
        let differs = Expr::test(BinaryOp::Ne, present, end.clone());
        self.panic_if(differs, &message, span);
        let sequence = Sequence::of(end, Items::Element { list, mutable: false }).copied();
        self.array_of(sequence, Type::clone(&element), len, span)
    }

    /// The value of the length of an array.
    fn array_len(&mut self, len: &str) -> Option<Expr> {
        if let Ok(len) = len.parse::<usize>() {
            return Some(Expr::usize(len));
        }
        let len = syn::parse_str::<syn::Expr>(len).ok()?;
        let len = self.value(&len);
        self.types.unify(&len.ty, &Type::USIZE);
        Some(self.frozen(len, "len"))
    }

    /// `array.map(f)`
    pub(super) fn array_map(
        &mut self,
        call: &syn::ExprMethodCall,
        function: &syn::Expr,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let is_place = matches!(
            strip(&call.receiver),
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::Array(_)
        );
        if !is_place {
            return None;
        }
        let span = call.span();
        let list = match self.operand(&call.receiver)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "items"),
        };
        let ty = self.type_of(&list);
        let Type::Array(element, len) = self.types.shallow(&ty) else { return None };
        if !self.is_number(&element) {
            return None;
        }
        let function = self.function(function, 1)?;
        let list = self.fixed_list(list, false, span);
        let end = self.len_of(list.clone(), span);
        let items = Items::Element { list, mutable: false };
        let wanted = wanted.map(|wanted| self.types.shallow(wanted));
        let wanted = wanted.and_then(|wanted| wanted.element().cloned());
        let element = wanted.unwrap_or_else(|| self.types.fresh());
        let sequence = Sequence::of(end, items).copied().mapped(function);
        self.array_of(sequence, element, len, span)
    }

    /// `array::from_fn(f)`
    pub(super) fn array_from_fn(
        &mut self,
        path: &syn::ExprPath,
        args: &[&syn::Expr],
        wanted: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let ([function], true) = (args, names_array_from_fn(&path.path)) else { return None };
        let stated = path.path.segments.last().and_then(|last| len_of_arguments(&last.arguments));
        let wanted = wanted.map(|wanted| self.types.shallow(wanted));
        let (element, len): (Type, Rc<str>) = match (stated, wanted) {
            (None, Some(Type::Array(element, len))) => (Type::clone(&element), len),
            (Some(len), _) => (self.types.fresh(), len.into()),
            (None, _) => return None,
        };
        let function = self.function(function, 1)?;
        let positions = Items::Position;
        let end = self.array_len(&len)?;
        self.array_of(Sequence::of(end, positions).mapped(function), element, len, span)
    }

    /// An array of the items of a sequence.
    fn array_of(
        &mut self,
        mut sequence: Sequence,
        element: Type,
        len: Rc<str>,
        span: Span,
    ) -> Option<Expr> {
        sequence.yields(element.clone());
        let ty = Type::Array(Rc::new(element.clone()), len.clone());
        // There is no value that could stand where one is not made yet.
        if self.holds_users_types(&element) {
            return self.array_one_by_one(&sequence, ty, few(&syn::parse_str(&len).ok()?)?, span);
        }
        let list = self.body.local("list", ty.clone(), span);
        self.mutable.insert(list);
        let declaration = self.out.len();
        self.emit(StmtKind::Let { var: list, value: None }, span);
        let number = self.body.local("k", Type::USIZE, span);
        self.counters.insert(number);
        self.made.insert(number);
        let label = self.body.numbering.label();
        let body = self.iteration(None, label, &Destination::Discard, |this| {
            let position = this.load(number, span);
            let item = this.item_at(&sequence.items, position.clone());
            let value = this.item_value(item);
            this.types.unify(&element, &value.ty);
            this.assign(Place::var(list).index(position), value, span);
        });
        let kind = LoopKind::Counted { var: number, range: sequence.range };
        self.emit_loop(label, kind, body, span);
        if std::mem::take(&mut self.misfit) {
            return None;
        }
        let zero = self.zero_of(&element)?;
        let value = Expr::new(ExprKind::Op(Op::Repeat(len), vec![zero]), ty, span);
        self.out[declaration].kind = StmtKind::Let { var: list, value: Some(value) };
        self.made.insert(list);
        Some(self.load(list, span))
    }

    /// The items of a sequence, written one after the other.
    fn array_one_by_one(
        &mut self,
        sequence: &Sequence,
        ty: Type,
        count: usize,
        span: Span,
    ) -> Option<Expr> {
        let items = (0..count).map(|position| {
            let item = self.item_at(&sequence.items, Expr::usize(position));
            let value = self.item_value(item);
            let var = self.name_value("item", value);
            self.load(var, span)
        });
        let items = items.collect();
        let fits = !std::mem::take(&mut self.misfit);
        fits.then(|| Expr::new(ExprKind::Op(Op::Array, items), ty, span))
    }

    /// Whether a value that is repeated may have a derivative other than that of numbers: one of constants is made as it is written.
    pub(super) fn may_be_active_copies(&self, ty: &Type, written: &syn::Expr) -> bool {
        let mut words = BTreeSet::new();
        words_in(written.to_token_stream(), &mut words);
        self.holds_users_types(ty) && words.iter().any(|word| self.find(word).is_some())
    }

    /// Whether there are values of types of users in a value.
    fn holds_users_types(&self, ty: &Type) -> bool {
        match self.types.shallow(ty) {
            Type::Named(_) => true,
            Type::Array(element, _) | Type::Vec(element) => self.holds_users_types(&element),
            Type::Tuple(parts) => parts.iter().any(|part| self.holds_users_types(part)),
            Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Slice(_)
            | Type::Unknown
            | Type::Infer(_) => false,
        }
    }

    /// `vec![item; len]` of a value of which derivatives are not those of numbers: each element is a copy.
    pub(super) fn vec_of_copies(&mut self, item: Expr, len: Expr, span: Span) -> Expr {
        let ty = item.ty.clone();
        let item = self.name_value("item", item);
        let end = self.frozen(len, "len");
        let list = self.empty_list(ty.clone(), span);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        self.each_index(range, span, |this, _| {
            let copy = Expr::op(Op::Clone, vec![this.load(item, span)], ty);
            this.push_value(&Place::var(list), copy, span);
        });
        self.load(list, span)
    }

    /// `[item; 3]`, which is `[item, item, item]` of what is copied.
    pub(super) fn array_of_copies(&mut self, item: Expr, count: usize, span: Span) -> Expr {
        let ty = Type::array(item.ty.clone(), &count.to_string());
        let item = self.name_value("item", item);
        let items = (0..count).map(|_| self.load(item, span)).collect();
        Expr::new(ExprKind::Op(Op::Array, items), ty, span)
    }

    /// Some value of a type of numbers.
    pub(super) fn zero_of(&mut self, ty: &Type) -> Option<Expr> {
        if self.types.is_float(ty) {
            return Some(Expr::zero(ty.clone()));
        }
        if self.types.is_int(ty) {
            return Some(Expr::literal("0", ty.clone()));
        }
        match self.types.shallow(ty) {
            Type::Bool => Some(Expr::literal("false", Type::Bool)),
            Type::Tuple(fields) => {
                let zeros: Option<Vec<Expr>> =
                    fields.iter().map(|field| self.zero_of(field)).collect();
                Some(Expr::op(Op::Tuple, zeros?, ty.clone()))
            }
            Type::Array(element, len) => {
                let zero = self.zero_of(&element)?;
                Some(Expr::op(Op::Repeat(len), vec![zero], ty.clone()))
            }
            _ => None,
        }
    }
}

/// Appends each item to a list.
fn pushed_to<'s>(list: Var, span: Span) -> Sink<'s> {
    Box::new(move |this, item, _| {
        let value = this.item_value(item);
        this.push_value(&Place::var(list), value, span);
    })
}

/// Whether a function that is called is `array::from_fn`.
pub(super) fn is_array_from_fn(function: &syn::Expr) -> bool {
    matches!(strip(function), syn::Expr::Path(path) if names_array_from_fn(&path.path))
}

fn names_array_from_fn(path: &syn::Path) -> bool {
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(names.as_slice(), ["array", "from_fn"] | ["std" | "core", "array", "from_fn"])
}

/// A number of elements that are written one by one.
pub(super) fn few(len: &syn::Expr) -> Option<usize> {
    const MANY: usize = 32;
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. }) = len else { return None };
    len.base10_parse().ok().filter(|count| *count <= MANY)
}

/// The length in `from_fn::<T, LEN, _>`.
fn len_of_arguments(arguments: &syn::PathArguments) -> Option<String> {
    let syn::PathArguments::AngleBracketed(arguments) = arguments else { return None };
    match arguments.args.iter().nth(1)? {
        syn::GenericArgument::Const(len) => Some(len.to_token_stream().to_string()),
        syn::GenericArgument::Type(syn::Type::Path(len)) if len.path.get_ident().is_some() => {
            (len.path.get_ident()? != "_").then(|| len.to_token_stream().to_string())
        }
        _ => None,
    }
}
