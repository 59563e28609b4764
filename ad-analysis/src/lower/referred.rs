//! Variables that take a part of something, `let row = self.rows[i];`, of which only what comes later tells that it is a slice: they are
//! references to slices.

use crate::index::Var;
use crate::ir::{Body, StmtKind, each_stmt, each_stmt_mut};
use crate::types::{ELEMENT, Type, TypeName};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Gives them the types of references, of which elements are known.
pub(super) fn name_slices(body: &mut Body) {
    let mut elements: BTreeMap<Var, Type> = BTreeMap::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Let { var, value: Some(value) } = &stmt.kind
            && let Type::Slice(element) = &body.vars[*var].ty
            && value.as_place().is_some()
        {
            elements.insert(*var, (**element).clone());
        }
    });
    for (&var, element) in &elements {
        let name: Rc<str> = format!("& {}", Type::slice(element.clone())).into();
        body.parts.insert(name.clone(), ELEMENT.into(), element.clone());
        body.vars[var].ty = Type::Named(TypeName::from(&*name));
    }
    let vars = &body.vars;
    let types: BTreeMap<Var, Type> =
        elements.keys().map(|&var| (var, vars[var].ty.clone())).collect();
    each_stmt_mut(&mut body.block, &mut |stmt| {
        if let StmtKind::Let { var, value: Some(value) } = &mut stmt.kind
            && let Some(ty) = types.get(var)
        {
            value.ty = ty.clone();
        }
    });
}
