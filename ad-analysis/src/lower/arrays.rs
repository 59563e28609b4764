//! Arrays: made of lists, by `map`, by `array::from_fn`.

use super::Lowerer;
use super::elements::unwrapped_value;
use super::places::strip;
use super::sequences::{Items, Move, Sequence};
use super::{Destination, Operand};
use crate::ir::{BinaryOp, Expr, ExprKind, LoopKind, Op, Place, StmtKind};
use crate::types::Type;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::spanned::Spanned;

/// An array that is taken out of a list, or a panic.
pub(super) struct TakenArray<'e> {
    list: &'e syn::Expr,
    /// Its type, where that is written with it.
    ty: Option<&'e syn::Type>,
    /// Its length, where that is written with it.
    len: Option<String>,
    part: Part,
    /// Whether it is a reference to one.
    refers: bool,
    message: String,
}

/// What of a list becomes an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All of it: another length panics.
    Whole,
    /// The first elements: fewer panic.
    First,
    /// The last elements: fewer panic.
    Last,
}

impl<'e> TakenArray<'e> {
    /// `list.try_into().unwrap()`, `<[f64; 3]>::try_from(list).unwrap()`, `list.first_chunk::<3>().unwrap()`, or the same with `expect`.
    pub(super) fn of(call: &'e syn::ExprMethodCall) -> Option<Self> {
        let (value, message) = unwrapped_value(call)?;
        match value {
            syn::Expr::MethodCall(inner) if inner.args.is_empty() => {
                let (part, refers) = match inner.method.to_string().as_str() {
                    "try_into" => (Part::Whole, false),
                    "as_array" => (Part::Whole, true),
                    "first_chunk" => (Part::First, true),
                    "last_chunk" => (Part::Last, true),
                    _ => return None,
                };
                let len = inner.turbofish.as_ref().and_then(|given| len_of(given.args.first()?));
                Some(Self { list: &inner.receiver, ty: None, len, part, refers, message })
            }
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = strip(&call.func) else { return None };
                let (Some(of), Some(list), 1) = (&path.qself, call.args.first(), call.args.len())
                else {
                    return None;
                };
                let (ty, refers) = match &*of.ty {
                    syn::Type::Reference(lent) if lent.mutability.is_none() => (&*lent.elem, true),
                    ty => (ty, false),
                };
                let is_array = matches!(ty, syn::Type::Array(_));
                let is_tried = path.path.segments.last()?.ident == "try_from" && of.position == 0;
                let (ty, part) = (Some(ty), Part::Whole);
                (is_array && is_tried).then_some(Self {
                    list,
                    ty,
                    len: None,
                    part,
                    refers,
                    message,
                })
            }
            _ => None,
        }
    }
}

impl Lowerer<'_> {
    /// A reference to an array in a list, of which it is a copy: behind a `&` nothing changes.
    pub(super) fn array_reference(&mut self, call: &syn::ExprMethodCall) -> Option<Operand> {
        let taken = TakenArray::of(call)?;
        let wanted = self.wanted.take();
        if !taken.refers && !wanted.as_ref().is_some_and(Type::is_reference) {
            self.wanted = wanted;
            return None;
        }
        let span = call.span();
        let array = self
            .attempt("an array in a list", |this| this.array_taken(taken, wanted.as_ref(), span))?;
        Some(Operand::Reference {
            place: self.place_of_value(array, "array"),
            mutable: false,
            span,
        })
    }

    /// `list.try_into().unwrap()`, where an array is wanted, and its like.
    pub(super) fn array_from_list(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        self.array_taken(TakenArray::of(call)?, wanted, call.span())
    }

    /// The type of an array that is wanted, or to which a reference is.
    fn array_wanted(&mut self, wanted: &Type) -> Option<(Type, Rc<str>)> {
        match self.types.shallow(wanted) {
            Type::Array(element, len) => Some((Type::clone(&element), len)),
            Type::Named(name) if name.is_reference() => {
                let syn::Type::Reference(reference) = syn::parse_str(&name).ok()? else {
                    return None;
                };
                let syn::Type::Array(_) = &*reference.elem else { return None };
                let referent = self.lower_type(&reference.elem);
                self.array_wanted(&referent)
            }
            Type::Named(_)
            | Type::Vec(_)
            | Type::Slice(_)
            | Type::Tuple(_)
            | Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Unknown
            | Type::Infer(_) => None,
        }
    }

    fn array_taken(
        &mut self,
        taken: TakenArray<'_>,
        wanted: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let written = taken.ty.map(|ty| self.lower_type(ty));
        let (element, len) = match (written.as_ref().or(wanted), taken.len) {
            (_, Some(len)) => (self.types.fresh(), len.into()),
            (Some(ty), None) => self.array_wanted(ty)?,
            (None, None) => return None,
        };
        let list = self.list_at(taken.list)?;
        let of_list = self.element_type(&list);
        self.types.unify(&element, &of_list);
        if !self.is_number(&element) {
            return None;
        }
        let list = self.fixed_list(list, false, span);
        let end = self.array_len(&len)?;
        let present = self.len_of(list.clone(), span);
        let op = if taken.part == Part::Whole { BinaryOp::Ne } else { BinaryOp::Lt };
        self.panic_if(Expr::test(op, present.clone(), end.clone()), &taken.message, span);
        let items = Items::Element { list, mutable: false };
        let items = match taken.part {
            Part::Whole | Part::First => items,
            Part::Last => {
                let before = Expr::binary(BinaryOp::Sub, present, end.clone());
                let before = self.frozen(before, "before");
                Items::Moved(Box::new(items), Move::Ahead(before))
            }
        };
        self.array_of(Sequence::of(end, items).copied(), element, len, span)
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
        let numbers = self.attempt("an array of numbers", |this| this.numbers_of(&call.receiver));
        let sequence = match numbers {
            Some(numbers) => numbers,
            None => self.iterated(&call.receiver)?.into_sequence()?,
        };
        let ty = self.type_of(list_behind(&sequence.items)?);
        let Type::Array(_, len) = self.types.shallow(&ty) else { return None };
        let function = self.function(function, 1)?;
        let wanted = wanted.map(|wanted| self.types.shallow(wanted));
        let wanted = wanted.and_then(|wanted| wanted.element().cloned());
        let element = wanted.unwrap_or_else(|| self.types.fresh());
        self.array_of(sequence.mapped(function), element, len, call.span())
    }

    /// The numbers in an array that goes away.
    fn numbers_of(&mut self, array: &syn::Expr) -> Option<Sequence> {
        let list = match self.operand(array)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "items"),
        };
        let element = self.type_of(&list);
        let element = self.types.shallow(&element).element()?.clone();
        if !self.is_number(&element) {
            return None;
        }
        let list = self.fixed_list(list, false, array.span());
        let end = self.len_of(list.clone(), array.span());
        Some(Sequence::of(end, Items::Element { list, mutable: false }).copied())
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
        // There is no value that could stand where one is not made yet.
        let in_a_loop = match self.holds_users_types(&element) {
            true => None,
            false => self.attempt("an array that is filled", |this| {
                this.array_filled(&sequence, &element, len.clone(), span)
            }),
        };
        in_a_loop.or_else(|| {
            let count = few(&syn::parse_str(&len).ok()?)?;
            self.array_one_by_one(&sequence, Type::Array(Rc::new(element), len), count, span)
        })
    }

    /// The items, put one after the other into an array of zeros.
    fn array_filled(
        &mut self,
        sequence: &Sequence,
        element: &Type,
        len: Rc<str>,
        span: Span,
    ) -> Option<Expr> {
        let ty = Type::Array(Rc::new(element.clone()), len.clone());
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
            this.types.unify(element, &value.ty);
            this.assign(Place::var(list).index(position), value, span);
        });
        let kind = LoopKind::Counted { var: number, range: sequence.range.clone() };
        self.emit_loop(label, kind, body, span);
        if std::mem::take(&mut self.misfit) {
            return None;
        }
        let zero = self.zero_of(element)?;
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

    /// `[item; 3]`, which is `[item, item, item]` of what is copied.
    pub(super) fn array_of_copies(&mut self, item: Expr, count: usize, span: Span) -> Expr {
        let ty = Type::array(item.ty.clone(), &count.to_string());
        let item = self.name_value("item", item);
        let items = (0..count).map(|_| self.load(item, span)).collect();
        Expr::new(ExprKind::Op(Op::Array, items), ty, span)
    }
}

/// The list whose elements the items are.
fn list_behind(items: &Items) -> Option<&Place> {
    match items {
        Items::Element { list, .. } => Some(list),
        Items::Copied(inner) => list_behind(inner),
        Items::Position
        | Items::Number { .. }
        | Items::Counted { .. }
        | Items::Part { .. }
        | Items::Mapped(..)
        | Items::Moved(..)
        | Items::Zipped(..)
        | Items::Chained { .. }
        | Items::Repeated(_) => None,
    }
}

/// The length in `first_chunk::<LEN>`.
fn len_of(argument: &syn::GenericArgument) -> Option<String> {
    match argument {
        syn::GenericArgument::Const(len) => Some(len.to_token_stream().to_string()),
        syn::GenericArgument::Type(syn::Type::Path(len)) => {
            (len.path.get_ident()? != "_").then(|| len.to_token_stream().to_string())
        }
        _ => None,
    }
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
    len_of(arguments.args.iter().nth(1)?)
}
