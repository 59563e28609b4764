//! Iterators: which sequence they go through, and what is done to its items on their way.

use super::closures::Function;
use super::cursors::{Cursor, Side};
use super::places::strip;
use super::sequences::{Items, Sequence};
use super::without_floats::names_collection;
use super::{Lowerer, Operand};
use crate::index::Var;
use crate::ir::{BinaryOp, Binding, Expr, Place, Range};
use crate::stdlib::{self, Role};
use crate::types::Type;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

/// An iterator.
#[derive(Clone)]
pub(super) struct Pipeline {
    pub(super) sequence: Sequence,
    pub(super) stages: Vec<Stage>,
}

/// What happens to each item; what is not one to one ends the map from positions to items.
#[derive(Clone)]
pub(super) enum Stage {
    Copied,
    Map(Function),
    Filter(Function),
    FilterMap(Function),
    Inspect(Function),
    TakeWhile(Function),
    MapWhile(Function),
    /// Items pass once the flag is down.
    SkipWhile {
        function: Function,
        skipping: Var,
    },
    /// A value that the function changes goes along.
    Scan {
        function: Function,
        state: Var,
    },
    /// Items come with their number.
    Enumerate {
        count: Var,
    },
    /// So many items are left out.
    Skip {
        left: Var,
    },
    /// So many items pass.
    Take {
        left: Var,
    },
    /// One item passes, then so many are left out.
    StepBy {
        left: Var,
        between: Expr,
    },
    /// Each item is an iterator, or becomes one, whose items come in its place.
    Flatten(Function),
    /// In place of the item comes a value, and a function makes the next one of it, as long as it does.
    Succeed {
        function: Function,
        next: Var,
        present: Var,
    },
    /// In place of the item come those that other iterators yield, which are advanced.
    Next(Vec<(Cursor, Side)>),
}

impl Stage {
    /// Whether it does not matter to the stage in which order the items come.
    fn is_per_item(&self) -> bool {
        match self {
            Stage::Copied
            | Stage::Map(_)
            | Stage::Filter(_)
            | Stage::FilterMap(_)
            | Stage::Inspect(_) => true,
            Stage::TakeWhile(_)
            | Stage::MapWhile(_)
            | Stage::SkipWhile { .. }
            | Stage::Scan { .. }
            | Stage::Enumerate { .. }
            | Stage::Skip { .. }
            | Stage::Take { .. }
            | Stage::StepBy { .. }
            | Stage::Flatten(_)
            | Stage::Succeed { .. }
            | Stage::Next(_) => false,
        }
    }
}

impl Pipeline {
    pub(super) fn then(mut self, stage: Stage) -> Option<Self> {
        self.stages.push(stage);
        Some(self)
    }

    /// The sequence, if the items are still found by position and nothing happens in between.
    pub(super) fn into_sequence(self) -> Option<Sequence> {
        self.stages.is_empty().then_some(self.sequence)
    }

    /// States what type its items are to have.
    pub(super) fn yields(&mut self, ty: Type) {
        match self.stages.last_mut() {
            Some(Stage::Map(function)) => function.yields(ty),
            Some(_) => {}
            None => self.sequence.yields(ty),
        }
    }

    pub(super) fn over(sequence: Sequence) -> Self {
        Self { sequence, stages: Vec::new() }
    }
}

impl Lowerer<'_> {
    /// What `for` and `zip` go through: an iterator, or a list. `None` if it is not understood.
    pub(super) fn iterated(&mut self, expr: &syn::Expr) -> Option<Pipeline> {
        if let Some(list) = self.name_of_lent(expr) {
            return self.iterated(&list);
        }
        if let Some(copies) = self.copies_of_referents(expr) {
            let operand = self.operand(&copies)?;
            return self.list_iterator(operand, Access::Own, expr, None);
        }
        match strip(expr) {
            syn::Expr::Path(_) if self.is_iterator(expr) => self.named_iterator(expr),
            syn::Expr::Reference(reference) if self.is_iterator(&reference.expr) => {
                self.lent_iterator(&reference.expr)
            }
            syn::Expr::Reference(_)
            | syn::Expr::Path(_)
            | syn::Expr::Field(_)
            | syn::Expr::Index(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Try(_)
            | syn::Expr::Macro(_) => {
                let operand = self.operand(expr)?;
                self.list_iterator(operand, Access::Own, expr, None)
            }
            // An option is an iterator over what is in it.
            syn::Expr::Call(call)
                if super::chains::is_path(&call.func, "Some") && call.args.len() == 1 =>
            {
                Some(self.repeated(&call.args[0], Expr::usize(1)))
            }
            bare @ (syn::Expr::Call(_) | syn::Expr::MethodCall(_)) => {
                let iterator = self.attempt("an iterator", |this| this.iterator(bare));
                iterator.or_else(|| {
                    let operand = self.operand(bare)?;
                    self.list_iterator(operand, Access::Own, bare, None)
                })
            }
            bare => self.iterator(bare),
        }
    }

    /// An iterator. `None` if it is not understood.
    pub(super) fn iterator(&mut self, expr: &syn::Expr) -> Option<Pipeline> {
        match strip(expr) {
            syn::Expr::Range(range) => self.range_iterator(range),
            syn::Expr::Call(call) => self.source(call),
            syn::Expr::Path(_) => self.named_iterator(expr),
            syn::Expr::MethodCall(call) if call.turbofish.is_none() => {
                let name = call.method.to_string();
                let args: Vec<&syn::Expr> = call.args.iter().collect();
                match (name.as_str(), args.as_slice()) {
                    ("by_ref", []) => self.lent_iterator(&call.receiver),
                    ("clone", []) => self.copy_of_iterator(&call.receiver),
                    ("into_iter", []) if self.is_iterator(&call.receiver) => {
                        self.named_iterator(&call.receiver)
                    }
                    ("iter", []) => self.elements_iterator(call, Access::Shared),
                    ("iter_mut", []) => self.elements_iterator(call, Access::Exclusive),
                    ("into_iter", []) => self.elements_iterator(call, Access::Own),
                    (name, [size]) if stdlib::is(name, Role::MakesParts) => {
                        self.parts_iterator(call, size)
                    }
                    ("drain", [range]) => self.drained(&call.receiver, range),
                    _ => {
                        if let Some(range) = self.range_by_query(call) {
                            return Some(range);
                        }
                        let pipeline = self.iterator(&call.receiver)?;
                        // From the end, these look at the items that they leave out there.
                        let leaves_out = name == "rev" && leaves_out(&call.receiver);
                        if leaves_out && pipeline.sequence.items.is_noticed() {
                            return None;
                        }
                        self.adapted(pipeline, &name, &args)
                    }
                }
            }
            _ => None,
        }
    }

    fn range_iterator(&mut self, range: &syn::ExprRange) -> Option<Pipeline> {
        let Some(end) = range.end.as_deref() else {
            return self.endless_range(range.start.as_deref()?);
        };
        let start = range.start.as_deref()?;
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let mut values = self.values(&[start, end]).into_iter();
        let (start, end) = (values.next()?, values.next()?);
        self.types.unify(&start.ty, &end.ty);
        let ty = start.ty.clone();
        if self.types.is_float(&ty) {
            return None;
        }
        let range = Range { start, end, inclusive, adaptors: Vec::new() };
        Some(Pipeline::over(Sequence { range, ty, items: Items::Position }))
    }

    fn elements_iterator(
        &mut self,
        call: &syn::ExprMethodCall,
        access: Access,
    ) -> Option<Pipeline> {
        if access != Access::Exclusive
            && let Some(copies) = self.copies_of_referents(&call.receiver)
        {
            let operand = self.operand(&copies)?;
            return self.list_iterator(operand, Access::Own, &call.receiver, None);
        }
        if let Some(list) = self.name_of_lent(&call.receiver) {
            let of_list = syn::ExprMethodCall { receiver: Box::new(list), ..call.clone() };
            return self.elements_iterator(&of_list, access);
        }
        let operand = self.operand(&call.receiver)?;
        // `into_iter` is one of a trait that is always in scope: rustc does not choose between it and another.
        let method = (access == Access::Shared).then_some(&call.method);
        self.list_iterator(operand, access, &call.receiver, method)
    }

    fn list_iterator(
        &mut self,
        operand: Operand,
        access: Access,
        expr: &syn::Expr,
        method: Option<&Ident>,
    ) -> Option<Pipeline> {
        let span = expr.span();
        let (place, access) = match (operand, access) {
            (Operand::Reference { place, mutable, .. }, Access::Own) => {
                (place, if mutable { Access::Exclusive } else { Access::Shared })
            }
            (Operand::Reference { place, .. }, access) => (place, access),
            (Operand::Value(value), Access::Own) => (self.own_list(value)?, Access::Own),
            (Operand::Value(value), access) => (self.place_of_value(value, "items"), access),
        };
        let place = match self.known_list(place.clone()) {
            Some(place) => place,
            None if access == Access::Exclusive => return None,
            None => self.assumed_list(place, expr, method)?,
        };
        let mutable = match access {
            Access::Exclusive => true,
            Access::Shared | Access::Own => false,
        };
        let list = self.fixed_list(place, mutable, span);
        let len = self.len_of(list.clone(), span);
        let sequence = Sequence::of(len, Items::Element { list, mutable });
        Some(Pipeline::over(match access {
            Access::Own => sequence.copied(),
            Access::Shared | Access::Exclusive => sequence,
        }))
    }

    /// A list that is gone through by value: its elements are numbers, or of users' types and cloned. The variable it is in may get another
    /// value meanwhile.
    fn own_list(&mut self, value: Expr) -> Option<Place> {
        let known = self.types.shallow(&value.ty);
        let element = match &known {
            Type::Array(element, _) | Type::Vec(element) => element,
            _ => return None,
        };
        if !self.is_number(element) && !self.is_of_data(element) {
            return None;
        }
        let is_mutable = value.as_place().is_some_and(|place| self.mutable.contains(place.root));
        if is_mutable {
            return Some(Place::var(self.name_value("items", value)));
        }
        Some(self.place_of_value(value, "items"))
    }

    /// The place, if there is a list there.
    pub(super) fn known_list(&mut self, place: Place) -> Option<Place> {
        let ty = self.type_of(&place);
        // The type of a constant is not seen; what is gone through by reference is a table.
        let is_global = matches!(self.body.vars[place.root].binding, Binding::Global(_));
        let is_list = is_global || self.types.shallow(&ty).element().is_some();
        (is_list || self.turns_out_a_list(&place, &ty)).then_some(place)
    }

    /// Whether what comes later tells that there is a list of plain data: then the function is lowered again with its type.
    fn turns_out_a_list(&mut self, place: &Place, ty: &Type) -> bool {
        if !self.types.is_open(ty) {
            return false;
        }
        let settled = self.settled_type(place).filter(|settled| settled.element().is_some());
        if let Some(settled) = &settled {
            self.types.unify(ty, settled);
        }
        settled.is_some()
    }

    /// A value of a type that the macro does not see, or a part of it, if a derivative has to pass through what goes through it: a list,
    /// which generated code proves. Only what is gone through without being changed: what is pushed of elements that change has to
    /// be of a type that is seen.
    fn assumed_list(
        &mut self,
        place: Place,
        expr: &syn::Expr,
        method: Option<&Ident>,
    ) -> Option<Place> {
        let name = list_named(expr)?;
        if !self.calls.has(&name) || !self.is_unseen_list(&place) {
            return None;
        }
        if let Some(method) = method {
            self.note_method_of_lists(method);
        }
        Some(place)
    }

    /// Notes that a method goes through a list whose type the macro does not see: emission proves that it is that of the list.
    pub(super) fn note_method_of_lists(&mut self, method: &Ident) {
        self.body.methods_of_lists.insert(method.to_string(), method.clone());
    }

    /// Whether what is at a place may be a list, for all that is seen: of an open type, or of a type of another crate.
    pub(super) fn is_unseen_list(&mut self, place: &Place) -> bool {
        let ty = self.type_of(place);
        match self.types.shallow(&ty) {
            Type::Named(name) => {
                !names_collection(&name) && !self.options.declared.is_of_data(&name)
            }
            ty => self.types.is_open(&ty),
        }
    }

    /// A list whose place does not depend on anything that may change.
    pub(super) fn fixed_list(&mut self, place: Place, mutable: bool, span: Span) -> Place {
        if place.is_computed() {
            Place::var(self.make_view("items", &place, mutable, span))
        } else {
            place
        }
    }

    fn parts_iterator(&mut self, call: &syn::ExprMethodCall, size: &syn::Expr) -> Option<Pipeline> {
        let (list, method) = (&*call.receiver, call.method.to_string());
        let span = list.span();
        let place = match self.operand(list)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "items"),
        };
        let mutable = method.ends_with("_mut");
        let place = match self.known_list(place.clone()) {
            Some(place) => place,
            None if mutable => return None,
            None => self.assumed_list(place, list, Some(&call.method))?,
        };
        let mut place = place;
        let size = self.after(&mut place, |this| this.value(size));
        let list = self.fixed_list(place, mutable, span);
        self.parts(list, mutable, &method, size, span).map(Pipeline::over)
    }

    pub(super) fn adapted(
        &mut self,
        mut pipeline: Pipeline,
        name: &str,
        args: &[&syn::Expr],
    ) -> Option<Pipeline> {
        match (name, args) {
            ("map", [function]) => {
                let function = self.function(function, 1)?;
                if pipeline.stages.is_empty() {
                    return Some(Pipeline::over(pipeline.sequence.mapped(function)));
                }
                pipeline.then(Stage::Map(function))
            }
            ("filter", [function]) => {
                let function = self.function(function, 1)?;
                pipeline.then(Stage::Filter(function))
            }
            ("inspect", [function]) => {
                let function = self.function(function, 1)?;
                pipeline.then(Stage::Inspect(function))
            }
            ("take_while", [function]) => {
                let function = self.function(function, 1)?;
                pipeline.then(Stage::TakeWhile(function))
            }
            ("skip_while", [function]) => {
                let function = self.function(function, 1)?;
                let yes = Expr::literal("true", Type::Bool);
                let skipping = self.state("skipping", yes);
                pipeline.then(Stage::SkipWhile { function, skipping })
            }
            ("filter_map", [function]) => {
                let function = self.function(function, 1)?;
                pipeline.then(Stage::FilterMap(function))
            }
            ("map_while", [function]) => {
                let function = self.function(function, 1)?;
                pipeline.then(Stage::MapWhile(function))
            }
            ("scan", [initial, function]) => {
                let function = self.function(function, 2)?;
                let initial = self.after(&mut pipeline, |this| this.value(initial));
                let state = self.state("state", initial);
                pipeline.then(Stage::Scan { function, state })
            }
            ("flat_map", [function]) => {
                let function = self.function(function, 1)?;
                pipeline.then(Stage::Flatten(function))
            }
            ("flatten", []) => {
                let function = self.function(&syn::parse_quote!(|items| items), 1)?;
                pipeline.then(Stage::Flatten(function))
            }
            ("copied" | "cloned", []) => self.copied(pipeline, name),
            _ => self.arranged(pipeline, name, args),
        }
    }

    /// A variable that an iterator changes.
    pub(super) fn state(&mut self, hint: &str, initial: Expr) -> Var {
        let var = self.name_value(hint, initial);
        self.mutable.insert(var);
        var
    }

    fn copied(&mut self, pipeline: Pipeline, name: &str) -> Option<Pipeline> {
        if !pipeline.stages.is_empty() {
            return pipeline.then(Stage::Copied);
        }
        if let Items::Element { list, .. } = &pipeline.sequence.items {
            let ty = self.type_of(&list.index(Expr::usize(0)));
            let known = self.types.shallow(&ty);
            let is_copied =
                known.element().is_none() && (name == "copied" || !matches!(known, Type::Named(_)));
            if !is_copied && !self.is_of_data(&known) {
                return None;
            }
        }
        Some(Pipeline::over(pipeline.sequence.copied()))
    }

    /// Adaptors that pick and arrange items.
    fn arranged(
        &mut self,
        mut pipeline: Pipeline,
        name: &str,
        args: &[&syn::Expr],
    ) -> Option<Pipeline> {
        let by_position = pipeline.stages.is_empty();
        let has_effects = pipeline.sequence.items.has_effects();
        let is_noticed = pipeline.sequence.items.is_noticed();
        match (name, args) {
            ("rev", [])
                if !has_effects && !super::sequences::is_endless(&pipeline.sequence.range.end) =>
            {
                let per_item = pipeline.stages.iter().all(Stage::is_per_item);
                let sequence = pipeline.sequence.reversed();
                per_item.then_some(Pipeline { sequence, stages: pipeline.stages })
            }
            ("enumerate", []) if by_position => {
                Some(Pipeline::over(self.enumerated(pipeline.sequence)))
            }
            ("enumerate", []) => {
                let count = self.state("count", Expr::usize(0));
                pipeline.then(Stage::Enumerate { count })
            }
            ("zip", [other]) => {
                let mut left = pipeline.into_sequence()?;
                let right = self.after(&mut left, |this| this.iterated(other))?.into_sequence()?;
                (!has_effects).then(|| Pipeline::over(self.zipped(left, right)))
            }
            ("chain", [other]) => {
                let mut left = pipeline.into_sequence()?;
                let right = self.after(&mut left, |this| this.iterated(other))?.into_sequence()?;
                let joins = self.can_follow(&left.items, &right.items);
                joins.then(|| Pipeline::over(self.chained(left, right)))
            }
            ("cycle", []) if by_position && !has_effects => {
                Some(Pipeline::over(self.cycled(pipeline.sequence)))
            }
            ("skip", [count]) => {
                let count = self.after(&mut pipeline, |this| this.fixed_count(count, "skipped"));
                if by_position && !is_noticed {
                    return Some(Pipeline::over(self.skipped(pipeline.sequence, count)));
                }
                let left = self.state("left", count);
                pipeline.then(Stage::Skip { left })
            }
            ("take", [count]) => {
                let count = self.after(&mut pipeline, |this| this.fixed_count(count, "taken"));
                if by_position {
                    return Some(Pipeline::over(self.taken(pipeline.sequence, count)));
                }
                let left = self.state("left", count);
                pipeline.then(Stage::Take { left })
            }
            ("step_by", [count]) if by_position && !is_noticed => {
                let count = self.after(&mut pipeline, |this| this.fixed_count(count, "step"));
                Some(Pipeline::over(self.stepped(pipeline.sequence, count)))
            }
            ("step_by", [count]) => {
                let count = self.after(&mut pipeline, |this| this.fixed_count(count, "step"));
                let span = count.span;
                let none = Expr::test(BinaryOp::Eq, count.clone(), Expr::usize(0));
                self.panic_if(none, "assertion failed: step != 0", span);
                let between = Expr::binary(BinaryOp::Sub, count, Expr::usize(1));
                let between = self.frozen(between, "between");
                let left = self.state("left", Expr::usize(0));
                pipeline.then(Stage::StepBy { left, between })
            }
            _ => None,
        }
    }

    fn fixed_count(&mut self, count: &syn::Expr, hint: &str) -> Expr {
        let count = self.value(count);
        self.types.unify(&count.ty, &Type::USIZE);
        self.frozen(count, hint)
    }
}

/// Whether an iterator leaves items out of those that it goes through, as far as its syntax tells.
fn leaves_out(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::MethodCall(call) => {
            ["take", "skip", "step_by", "zip"].iter().any(|name| call.method == name)
                || leaves_out(&call.receiver)
        }
        _ => false,
    }
}

/// How a list is gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// `.iter()`
    Shared,
    /// `.iter_mut()`
    Exclusive,
    /// As what it is: by value, or as the reference says.
    Own,
}

/// What a loop or a chain of iterators goes through that could be lists: their last names.
pub(super) fn lists_gone_through(expr: &syn::Expr) -> Vec<Ident> {
    let mut lists = Vec::new();
    match strip(expr) {
        syn::Expr::ForLoop(each) => add_lists(&each.expr, &mut lists),
        chain => add_lists(chain, &mut lists),
    }
    lists
}

fn add_lists(expr: &syn::Expr, lists: &mut Vec<Ident>) {
    match strip(expr) {
        syn::Expr::Reference(reference) => lists.extend(list_named(&reference.expr)),
        syn::Expr::MethodCall(call) => {
            let makes_parts = stdlib::is(&call.method, Role::MakesParts);
            match makes_parts && stdlib::is(&call.method, Role::ReadsList) || call.method == "iter"
            {
                true => lists.extend(list_named(&call.receiver)),
                false => add_lists(&call.receiver, lists),
            }
            if ["zip", "chain"].iter().any(|name| call.method == name) {
                call.args.iter().for_each(|arg| add_lists(arg, lists));
            }
        }
        _ => {}
    }
}

/// A variable, or a part of one, as something that could be a list.
fn list_named(expr: &syn::Expr) -> Option<Ident> {
    match strip(expr) {
        syn::Expr::Reference(reference) => list_named(&reference.expr),
        syn::Expr::Path(path) => {
            let name = path.path.get_ident()?;
            Some(Ident::new(&format!("list_{name}"), name.span()))
        }
        syn::Expr::Field(field) => Some(match &field.member {
            syn::Member::Named(name) => Ident::new(&format!("list_{name}"), name.span()),
            syn::Member::Unnamed(index) => Ident::new(&format!("list_{}", index.index), index.span),
        }),
        syn::Expr::Index(index) => list_named(&index.expr),
        _ => None,
    }
}
