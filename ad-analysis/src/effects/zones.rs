//! Which storage do the analyses distinguish?
//!
//! A *zone* is a variable, a constant field path of one, or what remains of one besides the field
//! paths that occur. An array is one zone, whatever its elements. A place covers the zones that its
//! field path leads to; an index or a range on the way makes it a *part* of its zone, so that writing
//! it leaves the rest of the zone alone.

use crate::index::{BitSet, IndexVec, Var, Zone};
use crate::ir::{
    Binding, Body, Expr, ExprKind, Op, Place, Projection, StmtKind, each_expr, each_place,
    each_stmt,
};
use crate::types::{PartTypes, Type};
use std::rc::Rc;

/// The zones of a body.
#[derive(Debug)]
pub struct Zones {
    zones: IndexVec<Zone, ZoneInfo>,
    trees: IndexVec<Var, Tree>,
    follow_integers: bool,
}

#[derive(Debug)]
struct ZoneInfo {
    var: Var,
    path: Vec<Rc<str>>,
    ty: Type,
    /// How far it is to the field on the way that is marked `#[passive]`, if one is known to be and nothing can be written there.
    passive: Option<usize>,
}

/// A node of the tree of field paths of a variable. A leaf is a zone; an inner node has its fields
/// and a zone for the rest.
#[derive(Debug)]
struct Tree {
    rest: Zone,
    fields: Vec<(Rc<str>, Tree)>,
}

impl Zones {
    /// The zones of a body.
    pub fn of(body: &Body) -> Self {
        let mut paths: IndexVec<Var, Vec<Vec<Rc<str>>>> =
            IndexVec::filled(Vec::new(), body.vars.len());
        // Proofs stand where the function begins: other variables are not there yet.
        let is_lent = |var: Var| {
            matches!(body.vars[var].binding, Binding::Shared) && body.params.contains(&var)
        };
        let mut visit = |place: &Place| {
            let place = body.resolve(place);
            let path = field_path(&place, is_lent(place.root));
            if !path.is_empty() && !paths[place.root].contains(&path) {
                paths[place.root].push(path);
            }
        };
        each_stmt(&body.block, &mut |stmt| {
            each_place(stmt, &mut visit);
            if let StmtKind::Bind { view } = stmt.kind {
                visit(&Place::var(view));
            }
        });
        let mut zones = IndexVec::new();
        let trees = body.vars.enumerated().map(|(var, variable)| {
            let branch = Branch { var, prefix: &[], ty: &variable.ty, passive: None };
            tree(&body.parts, is_lent(var), &branch, &paths[var], &mut zones)
        });
        let trees = trees.collect();
        Self { zones, trees, follow_integers: uses_bits(body) }
    }

    /// Whether it matters what integers are made of: floats may be made of their bits.
    pub fn follow_integers(&self) -> bool {
        self.follow_integers
    }

    /// How many zones there are.
    pub fn len(&self) -> usize {
        self.zones.len()
    }

    /// Whether there is no zone.
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// All zones.
    pub fn all(&self) -> impl Iterator<Item = Zone> + use<> {
        self.zones.indices()
    }

    /// The zones a place covers or is a part of. The place is resolved: its root is no view.
    pub fn of_place(&self, place: &Place) -> Vec<Zone> {
        let mut node = &self.trees[place.root];
        for step in &place.projections {
            let Some(name) = field(step) else { break };
            match node.fields.iter().find(|(field, _)| field == name) {
                Some((_, below)) => node = below,
                None if matches!(step, Projection::Got { .. }) => break,
                None => return vec![node.rest],
            }
        }
        let mut zones = Vec::new();
        leaves(node, &mut zones);
        zones
    }

    /// The zones of a whole variable.
    pub fn of_var(&self, var: Var) -> Vec<Zone> {
        let mut zones = Vec::new();
        leaves(&self.trees[var], &mut zones);
        zones
    }

    /// Whether writing the place overwrites its zones completely.
    pub fn is_total(&self, place: &Place) -> bool {
        !place.is_computed() && {
            let mut node = &self.trees[place.root];
            place.projections.iter().all(|step| {
                let Projection::Field(name) = step else { return false };
                match node.fields.iter().find(|(field, _)| field == name) {
                    Some((_, below)) => {
                        node = below;
                        true
                    }
                    None => false,
                }
            })
        }
    }

    /// The variable a zone belongs to.
    pub fn var(&self, zone: Zone) -> Var {
        self.zones[zone].var
    }

    /// The place that is exactly the zone (or that and other zones, for the rest of a variable).
    pub fn place(&self, zone: Zone) -> Place {
        let ZoneInfo { var, path, .. } = &self.zones[zone];
        let projections = path.iter().map(|name| Projection::Field(name.clone())).collect();
        Place { root: *var, projections }
    }

    /// Whether a derivative may flow through the zone.
    pub fn may_carry_floats(&self, zone: Zone) -> bool {
        let ZoneInfo { ty, passive, .. } = &self.zones[zone];
        passive.is_none() && ty.may_carry_floats()
    }

    /// Whether the zone, or the variable that it is in, is of a type without a derivative, which is proved of what is passed to functions.
    pub fn is_without_bar(&self, body: &Body, zone: Zone) -> bool {
        let ZoneInfo { ty, var, .. } = &self.zones[zone];
        [ty, &body.vars[*var].ty]
            .into_iter()
            .any(|ty| matches!(ty, Type::Named(name) if name.is_without_bar()))
    }

    /// What is taken to be marked `#[passive]`: the structs, and the names of the fields.
    pub fn passive_fields(&self) -> impl Iterator<Item = (Place, &str)> {
        self.zones.iter().filter_map(|ZoneInfo { var, path, passive, .. }| {
            let (name, owner) = path.split_last().filter(|_| *passive == Some(path.len()))?;
            let projections = owner.iter().map(|name| Projection::Field(name.clone())).collect();
            Some((Place { root: *var, projections }, &**name))
        })
    }

    /// Whether there is nothing in the zone but floats, in lists or not.
    pub fn holds_only_floats(&self, zone: Zone) -> bool {
        fn only_floats(ty: &Type) -> bool {
            match ty {
                Type::Vec(element) | Type::Slice(element) => only_floats(element),
                ty => ty.is_made_of_floats(),
            }
        }
        only_floats(&self.zones[zone].ty)
    }

    /// The zone as the user would write it.
    pub fn name(&self, body: &Body, zone: Zone) -> String {
        let ZoneInfo { var, path, .. } = &self.zones[zone];
        let mut name = body.vars[*var].name.clone();
        for field in path {
            name.push('.');
            name.push_str(field);
        }
        name
    }

    /// A set as the user would write its zones.
    pub fn names(&self, body: &Body, set: &BitSet<Zone>) -> Vec<String> {
        set.iter().map(|zone| self.name(body, zone)).collect()
    }
}

/// Whether bits of floats are taken, or floats made of them: the next function may do the other half.
fn uses_bits(body: &Body) -> bool {
    let mut any = false;
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Opaque(opaque) = &stmt.kind {
            any |= super::bits::makes_floats_of_bits(opaque);
        }
        each_expr(stmt, &mut |expr| any |= has_bits(expr));
    });
    any
}

fn has_bits(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Op(Op::FromBits | Op::Unclear(_), _) => true,
        ExprKind::Op(Op::Method(name), _) if &**name == "to_bits" => true,
        ExprKind::Op(_, args) => args.iter().any(has_bits),
        ExprKind::Opaque(opaque) => super::bits::makes_floats_of_bits(opaque),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Guard(_) => false,
    }
}

/// The constant fields with which the way to a place begins, in a variable to which nothing is written, or which may be written to.
fn field_path(place: &Place, is_lent: bool) -> Vec<Rc<str>> {
    let is_apart = |step: &&Projection| is_lent || !matches!(step, Projection::Got { .. });
    let steps = place.projections.iter().take_while(is_apart);
    steps.map_while(field).cloned().collect()
}

/// The field that a step leads to. What a getter leads to that has no derivative is one, too, where nobody writes to it by another name.
fn field(step: &Projection) -> Option<&Rc<str>> {
    match step {
        Projection::Field(name) => Some(name),
        Projection::Got { getter, .. } => getter.is_passive.then_some(&getter.name),
        Projection::Boxed | Projection::Index(_) | Projection::Slice { .. } => None,
    }
}

/// Where a tree begins in a variable.
struct Branch<'a> {
    var: Var,
    prefix: &'a [Rc<str>],
    ty: &'a Type,
    passive: Option<usize>,
}

fn tree(
    parts: &PartTypes,
    is_lent: bool,
    branch: &Branch<'_>,
    paths: &[Vec<Rc<str>>],
    zones: &mut IndexVec<Zone, ZoneInfo>,
) -> Tree {
    let &Branch { var, prefix, ty, passive } = branch;
    let mut fields: Vec<(Rc<str>, Tree)> = Vec::new();
    let rest = zones.push(ZoneInfo { var, path: prefix.to_vec(), ty: ty.clone(), passive });
    let depth = prefix.len();
    for path in paths {
        let Some(name) = path.get(depth) else { continue };
        if !path.starts_with(prefix) || fields.iter().any(|(known, _)| known == name) {
            continue;
        }
        let mut prefix = prefix.to_vec();
        prefix.push(name.clone());
        let is_marked = is_lent && parts.is_passive(ty, name);
        let passive = passive.or(is_marked.then_some(prefix.len()));
        let below = Branch { var, prefix: &prefix, ty: &parts.field(ty, name), passive };
        fields.push((name.clone(), tree(parts, is_lent, &below, paths, zones)));
    }
    Tree { rest, fields }
}

fn leaves(node: &Tree, zones: &mut Vec<Zone>) {
    zones.push(node.rest);
    for (_, below) in &node.fields {
        leaves(below, zones);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    #[test]
    fn field_paths_split_a_variable() {
        let text = "fn f(p: (f64, f64), q: (f64, f64)) -> r: f64 | p q | r { r = p.0 * q.0; }";
        let body = parse(text).unwrap();
        let zones = Zones::of(&body);
        let p = body.params[0];
        let whole = zones.of_var(p);
        assert_eq!(whole.len(), 2, "p.0 and the rest");
        let field = Place::var(p).field(0);
        assert_eq!(zones.of_place(&field).len(), 1);
        assert!(zones.is_total(&field));
        assert!(!zones.is_total(&Place::var(p).field(1)), "p.1 is only a part of the rest");
    }

    #[test]
    fn an_element_is_a_part_of_its_array() {
        let body = parse("fn f(x: &mut [f64], i: usize) | x | x { x[i] = 1.0; }").unwrap();
        let zones = Zones::of(&body);
        let place = Place::var(body.params[0]).index(body.load(body.params[1]));
        assert_eq!(zones.of_place(&place), zones.of_var(body.params[0]));
        assert!(!zones.is_total(&place));
    }
}
