//! What happens to whole lists: they grow and shrink, and exchange their values.

use super::bits;
use super::expr::Reader;
use super::{Effects, Flow, Inverse, Needs};
use crate::index::Zone;
use crate::ir::{Change, Class, Opaque, Place, Resize};
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;

/// A list changes its length. What it had and keeps is not touched, so that all the adjoint needs, and
/// all that undoing it takes, is the length it had, and what it lost.
pub(super) fn resize(reader: &Reader<'_>, resize: &Resize, span: Span, effects: &mut Effects) {
    let Resize { list, change, len } = resize;
    let place = reader.body.resolve(list);
    let len_zones = len.map_or_else(Vec::new, |len| reader.zones.of_var(len));
    effects.class = Some(Class::Pure);
    reader.reference(list, &mut effects.uses);
    effects.overwritten.push(list.clone());
    effects.writes = reader.zones.of_place(&place);
    effects.reshapes = true;
    effects.reset_needs.clone_from(&len_zones);
    effects.overwritten_indices.clone_from(&len_zones);
    match change {
        Change::Extend(items) => {
            reader.uses(items, &mut effects.uses);
            bits::into_integers(reader, items, span, effects);
            let to = carriers(reader, &effects.writes);
            if !to.is_empty() {
                let needs = Needs { before: len_zones, ..Needs::default() };
                effects.flows.extend(reader.flows_into(&place, items, &to, &needs));
            }
            effects.inverse = len.map(|len| Inverse::Truncate { len });
        }
        Change::Truncate(rest) => {
            reader.uses(rest, &mut effects.uses);
            // What is pushed as a slice must be plain data.
            let ty = reader.body.place_type(&place);
            let is_plain = ty.element().is_some_and(|ty| ty.is_known() && ty.is_copy());
            let extend = |len| Inverse::Extend { first: rest.clone(), len };
            effects.inverse = len.filter(|_| is_plain).map(extend);
            let lost = carriers(reader, &effects.writes);
            if !has_known_bars(&ty) && !lost.is_empty() {
                effects.flows.push(refused(lost, span));
            }
        }
    }
}

/// Whether the bars of elements that a list loses are known without the elements: lists among them are
/// emptied before.
fn has_known_bars(list: &Type) -> bool {
    list.element().is_some_and(|ty| matches!(ty, Type::Vec(_)) || !ty.has_dynamic_shape())
}

/// The bars of elements that a list loses come back as zeros, whose shape must be known.
fn refused(lost: Vec<Zone>, span: Span) -> Flow {
    let opaque = Opaque::refused(
        "taking elements from this list",
        "keep the elements and count how many of them are in use",
    );
    let refusal = Some((Rc::new(opaque), span));
    Flow { to: lost.clone(), from: lost, needs: Needs::default(), refusal }
}

/// Two places exchange their values: each gets the derivatives of the other.
pub(super) fn swap(reader: &Reader<'_>, places: [&Place; 2], effects: &mut Effects) {
    effects.class = Some(Class::Pure);
    let resolved = places.map(|place| reader.body.resolve(place));
    let mut indices = Vec::new();
    for (place, resolved) in places.into_iter().zip(&resolved) {
        reader.reference(place, &mut effects.uses);
        reader.indices(resolved, &mut indices);
        effects.overwritten.push(place.clone());
        let zones = reader.zones.of_place(resolved);
        effects.uses.extend(&zones);
        effects.writes.extend(&zones);
        if reader.zones.is_total(resolved) {
            effects.kills.extend(&zones);
        }
        let ty: Type = reader.body.place_type(resolved);
        effects.reshapes |= ty.has_dynamic_shape();
    }
    effects.uses.extend(&indices);
    effects.reset_needs.clone_from(&indices);
    effects.overwritten_indices.clone_from(&indices);
    let [a, b] = &resolved;
    for (from, to) in [(a, b), (b, a)] {
        let to = carriers(reader, &reader.zones.of_place(to));
        let from = carriers(reader, &reader.zones.of_place(from));
        if !to.is_empty() {
            let needs = Needs { before: indices.clone(), ..Needs::default() };
            effects.flows.push(Flow { to, from, needs, refusal: None });
        }
    }
    let (span, zones) = (Span::call_site(), effects.writes.clone());
    bits::among_integers(reader, &zones, span, effects);
    let [a, b] = places.map(Clone::clone);
    effects.inverse = Some(Inverse::Swap { a, b });
    effects.assigned = resolved.into();
}

fn carriers(reader: &Reader<'_>, zones: &[Zone]) -> Vec<Zone> {
    zones.iter().copied().filter(|&zone| reader.zones.may_carry_floats(zone)).collect()
}
