//! The shapes of values whose bars must be made.

use super::Reifier;
use crate::index::{BitSet, StmtId, Var};
use crate::ir::{Arg, ArgKind, Binding, Body, Call, Expr, ExprKind, Op, Place, StmtKind};
use crate::types::Type;
use proc_macro2::Span;

impl Reifier {
    /// Adds the shape of a variable of which a part may have another one now. Behind loops that do so it is taken once, by `simplify`.
    fn reshaped(&mut self, place: &Place, span: Span) {
        let root = self.body.root_of(place);
        if self.reified.shapes.contains_key(&root) {
            self.reshaped_if_free(root, span);
        }
    }

    /// A `&mut` parameter may need a bar that its caller does not pass.
    pub(super) fn shapes_of_params(&mut self) {
        for param in self.body.params.clone() {
            let variable = self.body.vars[param].clone();
            let is_exclusive = matches!(variable.binding, Binding::Exclusive);
            if is_exclusive && variable.ty.may_carry_floats() && variable.ty.has_dynamic_shape() {
                let value = self.body.load(param);
                self.define_shape(param, Some(value), true, variable.span);
            }
            if self.resized.contains(param) {
                let value = self.body.load(param);
                self.define_len(param, Some(&value), true, variable.span);
            }
        }
    }

    /// Adds the shape of a part of a variable before it is overwritten by a value that may be of another variant, or a list of another length.
    pub(super) fn shape_of_part(&mut self, id: StmtId, kind: &StmtKind, span: Span) {
        let StmtKind::Assign { place, value: _ } = kind else { return };
        let (resolved, ty) = (self.body.resolve(place), self.body.place_type(place));
        // Nothing is moved out of what a `&mut` refers to: a list is there until it is overwritten.
        let is_there = matches!(self.body.vars[resolved.root].binding, Binding::Exclusive)
            || !self.moved.contains(resolved.root);
        let is_list = is_list_of_numbers(&ty);
        let may_be_longer = is_there && (is_list || is_list_of_lists(&ty));
        if resolved.is_whole() || !may_be_longer && !self.body.parts.varies(&ty) {
            return;
        }
        let (suffix, op, of) = match is_list {
            true => ("len", Op::Len, Type::USIZE),
            false => ("shape", Op::Shape, Type::Unknown),
        };
        let hint = format!("{}_{suffix}", self.body.vars[resolved.root].name);
        let load = Expr::load(place.clone(), ty, span);
        let shape = self.name_value(&hint, Expr::op(op, vec![load], of));
        self.reified.part_shapes.insert(id, shape);
    }

    /// Adds the shapes of the variables that the last statement defined or changed, if they are dynamic.
    pub(super) fn shape_after(&mut self, span: Span) {
        let Some(stmt) = self.out.last() else { return };
        match stmt.kind.clone() {
            StmtKind::Let { var, value } => {
                let written = opaque_writes(value.as_ref());
                self.shape_of_new(var, value, true, span);
                self.measure(&written, span);
            }
            StmtKind::Assign { place, value } => {
                let written = opaque_writes(Some(&value));
                let place = self.body.resolve(&place);
                if place.is_whole() {
                    self.shape_of_new(place.root, Some(value), false, span);
                } else if value.ty.has_dynamic_shape() {
                    // A list in a list, say: the whole has another shape.
                    self.reshaped(&place, span);
                }
                self.measure(&written, span);
            }
            StmtKind::Call(Call { result, args, .. }) => {
                if let Some(result) = result {
                    let value = self.body.load(result);
                    self.shape_of_new(result, Some(value), true, span);
                }
                for place in self.lists_passed(&args) {
                    let is_whole = self.body.resolve(&place).is_whole();
                    match is_whole && self.is_list(&self.body.place_type(&place)) {
                        true => self.measure(&[place.root], span),
                        false => self.reshaped(&place, span),
                    }
                }
            }
            StmtKind::Opaque(opaque) => {
                for &var in &opaque.declares {
                    let value = self.body.load(var);
                    self.shape_of_new(var, Some(value), true, span);
                }
                self.measure(&opaque.writes, span);
            }
            StmtKind::Resize(resize) => self.shape_of_resized(&resize, span),
            StmtKind::Swap { a, b } => self.swap_shapes(&a, &b, span),
            _ => {}
        }
    }

    pub(super) fn shape_of_new(
        &mut self,
        var: Var,
        value: Option<Expr>,
        declares: bool,
        span: Span,
    ) {
        let ty = &self.body.vars[var].ty;
        let is_result = self.body.result == Some(var);
        if ty.may_carry_floats() && ty.has_dynamic_shape() && !is_result {
            self.define_shape(var, value.clone(), declares, span);
        }
        self.define_len(var, value.as_ref(), declares, span);
    }

    /// What a call may give another shape.
    fn lists_passed(&self, args: &[Arg]) -> Vec<Place> {
        let passed = args.iter().filter_map(|arg| match &arg.kind {
            ArgKind::Exclusive(place) => Some(place),
            ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => None,
        });
        let may_change = |place: &&Place| self.may_change_shape(&self.body.place_type(place));
        passed.filter(may_change).cloned().collect()
    }

    /// Whether code that is given a `&mut` may change the shape of a value.
    fn may_change_shape(&self, ty: &Type) -> bool {
        match ty {
            Type::Slice(element) | Type::Array(element, _) => self.may_change_shape(element),
            Type::Tuple(parts) => parts.iter().any(|part| self.may_change_shape(part)),
            Type::Named(_) | Type::Unknown | Type::Infer(_) => true,
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Vec(_) => self.is_list(ty),
        }
    }

    /// Whether a value has a length or a variant of its own.
    fn is_list(&self, ty: &Type) -> bool {
        matches!(ty, Type::Vec(_)) || self.body.parts.varies(ty)
    }

    /// Adds the shapes of lists that code has written which may have done anything to them. A list that is lent as a whole is looked at by the reference.
    fn measure(&mut self, written: &[Var], span: Span) {
        for &var in written {
            let place = self.body.resolve(&Place::var(var));
            let is_list = self.is_list(&self.body.vars[place.root].ty);
            let value = self.body.load(if place.is_whole() && is_list { var } else { place.root });
            if self.reified.shapes.contains_key(&place.root) && self.may_change_shape(&value.ty) {
                match place.is_whole() && is_list {
                    true => self.define_shape(place.root, Some(value.clone()), false, span),
                    false => self.reshaped(&place, span),
                }
            }
            // What is written to a part does not make the list longer.
            if place.is_whole() {
                self.define_len(place.root, Some(&value), false, span);
            }
        }
    }

    /// Whole lists exchange their shapes too.
    fn swap_shapes(&mut self, a: &Place, b: &Place, span: Span) {
        let has_shape = self.body.place_type(a).has_dynamic_shape();
        let [a, b] = [a, b].map(|place| self.body.resolve(place));
        if !has_shape {
            return;
        }
        if !a.is_whole() || !b.is_whole() {
            for place in [a, b] {
                match place.is_whole() {
                    true => self.measure(&[place.root], span),
                    false => self.reshaped(&place, span),
                }
            }
            return;
        }
        let shape = |this: &Self, place: &Place| this.reified.shapes.get(&place.root).copied();
        match (shape(self, &a), shape(self, &b)) {
            (Some(x), Some(y)) => {
                self.emit(StmtKind::Swap { a: Place::var(x), b: Place::var(y) }, span);
            }
            _ => return self.measure(&[a.root, b.root], span),
        }
        for place in [a, b] {
            let value = self.body.load(place.root);
            self.define_len(place.root, Some(&value), false, span);
        }
    }

    pub(super) fn define_shape(
        &mut self,
        var: Var,
        value: Option<Expr>,
        declares: bool,
        span: Span,
    ) {
        let ty = self.body.vars[var].ty.clone();
        let is_list = matches!(
            &ty,
            Type::Vec(element) | Type::Slice(element) if !element.has_dynamic_shape()
        );
        let shape = match self.reified.shapes.get(&var) {
            Some(&shape) => shape,
            None => {
                let suffix = if is_list { "len" } else { "shape" };
                let hint = format!("{}_{suffix}", self.body.vars[var].name);
                let ty = if is_list { Type::USIZE } else { Type::Unknown };
                let shape = self.body.local(&hint, ty, span);
                self.reified.shapes.insert(var, shape);
                shape
            }
        };
        let value = value.map(|value| {
            if is_list {
                self.len_of(&value, var)
            } else {
                Expr::op(Op::Shape, vec![self.present(&value, var)], Type::Unknown)
            }
        });
        self.set(shape, value, declares, span);
    }

    /// The length of the list that `value` makes and `var` now holds; told from the value if that is
    /// stable, so that it can be computed again without the list.
    pub(super) fn len_of(&self, value: &Expr, var: Var) -> Expr {
        if let ExprKind::Op(op, args) = &value.kind {
            match op {
                Op::Vec => return Expr::usize(args.len()),
                Op::VecRepeat if self.is_stable(&args[1]) => return args[1].clone(),
                Op::ToVec | Op::Clone if args[0].as_var().is_some() && self.is_stable(&args[0]) => {
                    return Expr::op(Op::Len, vec![args[0].clone()], Type::USIZE);
                }
                _ => {}
            }
        }
        Expr::op(Op::Len, vec![self.present(value, var)], Type::USIZE)
    }

    /// What a variable holds, by the reference to the whole of it that was used if it was.
    fn present(&self, value: &Expr, var: Var) -> Expr {
        let place = value.as_place().map(|place| self.body.resolve(place));
        match place.is_some_and(|place| place.root == var && place.is_whole()) {
            true => value.clone(),
            false => self.body.load(var),
        }
    }
}

fn is_list_of_numbers(ty: &Type) -> bool {
    matches!(ty, Type::Vec(element) if element.is_made_of_floats())
}

/// Notes the variables out of which a part may be moved: where the whole is gone nothing is written to its parts.
pub(super) fn note_moves(body: &Body, value: &Expr, moved: &mut BitSet<Var>) {
    match &value.kind {
        ExprKind::Op(Op::Shape | Op::Len | Op::Clone | Op::ToVec, _) => {}
        ExprKind::Op(_, args) => args.iter().for_each(|arg| note_moves(body, arg, moved)),
        ExprKind::Load(place) if !value.ty.is_copy() => {
            let place = body.resolve(place);
            if !place.is_whole() {
                moved.insert(place.root);
            }
        }
        ExprKind::Opaque(opaque) => {
            moved.extend(opaque.reads.iter().map(|&var| body.root_of(&Place::var(var))));
        }
        ExprKind::Load(_) | ExprKind::Literal(_) | ExprKind::Guard(_) => {}
    }
}

/// Whether there is nothing in the lists in a list but floats.
fn is_list_of_lists(ty: &Type) -> bool {
    let Type::Vec(element) = ty else { return false };
    matches!(&**element, Type::Vec(inner) if inner.is_made_of_floats()) || is_list_of_lists(element)
}

/// What verbatim code writes besides the value it yields.
fn opaque_writes(value: Option<&Expr>) -> Vec<Var> {
    match value.map(|value| &value.kind) {
        Some(ExprKind::Opaque(opaque)) => opaque.writes.clone(),
        _ => Vec::new(),
    }
}
