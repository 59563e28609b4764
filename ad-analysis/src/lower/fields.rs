//! Fields of structs: the macro sees no declaration, but all uses of a field within the function are of
//! one type.

use super::Lowerer;
use crate::ir::Projection;
use crate::payloads::is_variant_test;
use crate::read::paths_of_import;
use crate::types::{BOXED, ELEMENT, Type};
use crate::walk::visit::Visit;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is known of a part of the values of a type.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) owner: Type,
    name: Rc<str>,
    ty: Type,
}

impl Lowerer<'_> {
    /// The type of what one step leads to.
    pub(super) fn type_of_step(&mut self, owner: &Type, step: &Projection) -> Type {
        let owner = self.types.shallow(owner);
        match step {
            Projection::Field(name) => match (&owner, name.parse::<usize>()) {
                (Type::Tuple(fields), Ok(number)) => match fields.get(number) {
                    Some(field) => field.clone(),
                    None => self.types.fresh(),
                },
                _ if is_variant_test(name) => Type::Bool,
                _ => self.part_type(&owner, name),
            },
            Projection::Index(index) => match owner.element() {
                Some(element) => element.clone(),
                // A type may be indexed by more than integers.
                None if self.types.is_int(&index.ty) => self.part_type(&owner, ELEMENT),
                None => self.types.fresh(),
            },
            Projection::Boxed => self.part_type(&owner, BOXED),
            Projection::Got { getter, .. } => self.part_type(&owner, &getter.name),
            Projection::Slice { .. } => match owner.element() {
                Some(element) => Type::slice(element.clone()),
                None => self.types.fresh(),
            },
        }
    }

    fn part_type(&mut self, owner: &Type, name: &str) -> Type {
        let is_shared = match owner {
            Type::Named(_) => self.names_are_unique,
            Type::Infer(_) => true,
            _ => false,
        };
        let known = self.parts.iter().find(|part| {
            *part.name == *name && self.types.shallow(&part.owner) == self.types.shallow(owner)
        });
        if let (Some(part), true) = (known, is_shared) {
            return part.ty.clone();
        }
        let known = match name {
            BOXED => self.held_in_box(owner),
            name => self.field_of_option(owner, name).or_else(|| self.declared_field(owner, name)),
        };
        let ty = known.unwrap_or_else(|| self.types.fresh());
        if is_shared {
            let (owner, name) = (owner.clone(), name.into());
            self.parts.push(Part { owner, name, ty: ty.clone() });
        }
        ty
    }

    /// Equates what turned out to be parts of values of one type.
    pub(super) fn unify_parts(&mut self) {
        let snapshot = |this: &Self| -> Vec<Type> {
            this.parts.iter().map(|part| this.types.shallow(&part.ty)).collect()
        };
        loop {
            let before = snapshot(self);
            for (position, part) in self.parts.iter().enumerate() {
                let owner = self.types.shallow(&part.owner);
                let known = match (&owner, part.name.parse::<usize>()) {
                    (Type::Tuple(fields), Ok(number)) => fields.get(number).cloned(),
                    _ if *part.name == *ELEMENT => owner.element().cloned(),
                    _ => None,
                };
                if let Some(known) = known {
                    self.types.unify(&part.ty, &known);
                }
                for other in &self.parts[..position] {
                    if other.name == part.name && self.types.shallow(&other.owner) == owner {
                        self.types.unify(&other.ty, &part.ty);
                    }
                }
            }
            if snapshot(self) == before {
                return;
            }
        }
    }

    /// Hands on what was found out about parts, when everything is known that will be.
    pub(super) fn publish_parts(&mut self) {
        for (position, part) in self.parts.iter().enumerate() {
            // A type that nothing names gets a name, by which its parts can be found.
            self.types.name_open(&part.owner, &format!("_{position}"));
        }
        for Part { owner, name, ty } in self.parts.iter() {
            if let Type::Named(owner) = self.types.resolve(owner) {
                self.body.parts.insert(owner.spelled().clone(), name.clone(), ty.clone());
            }
        }
        let types = self.body.vars.iter().map(|variable| &variable.ty);
        let types = types.chain(self.parts.iter().flat_map(|part| [&part.owner, &part.ty]));
        let mut names = BTreeSet::new();
        types.for_each(|ty| named_in(&self.types.resolve(ty), &mut names));
        for name in &names {
            for field in self.options.declared.passive_fields(name) {
                self.body.parts.insert_passive(name.clone(), field.into());
            }
        }
        names.retain(|name| self.options.declared.varies(name) || self.holds_option(name));
        for name in names {
            self.body.parts.insert_varied(name);
        }
    }
}

/// The names of the types in a type.
fn named_in(ty: &Type, names: &mut BTreeSet<Rc<str>>) {
    match ty {
        Type::Named(name) => {
            names.insert(name.spelled().clone());
        }
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
            named_in(element, names);
        }
        Type::Tuple(fields) => fields.iter().for_each(|field| named_in(field, names)),
        Type::Float(_) | Type::Int(_) | Type::Bool | Type::Unknown | Type::Infer(_) => {}
    }
}

/// Whether a name of a type means the same in the whole function: no item in it gives it another
/// meaning. What a function imports by name from the standard library is known before anything is told of it; other traits may have methods of
/// the names of those that are told.
pub(super) fn names_are_unique(function: &syn::ItemFn) -> bool {
    struct Items(bool);
    impl Visit<'_> for Items {
        fn visit_item(&mut self, item: &syn::Item) {
            self.0 |= match item {
                syn::Item::Use(import) => {
                    !paths_of_import(&import.tree).iter().all(|(path, binds)| {
                        let is_std =
                            path.first().is_some_and(|first| first == "std" || first == "core");
                        let is_of_numbers =
                            path.get(1).is_some_and(|next| next == "f64" || next == "f32");
                        is_std && (binds.is_some() || is_of_numbers)
                    })
                }
                item => matches!(item, syn::Item::Type(_)),
            };
        }
    }
    let mut items = Items(false);
    items.visit_block(&function.block);
    !items.0
}
