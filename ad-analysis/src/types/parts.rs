//! The types of parts of values of types that the macro does not see: fields of structs, elements of
//! what it cannot tell to be a list.

use super::Type;
use crate::payloads::is_variant_test;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The name under which the elements of a value stand.
pub const ELEMENT: &str = "[]";

/// The name under which that stands what is in a `Box`.
pub const BOXED: &str = "*";

/// What was found out about the parts of values, by the name of the type and the name of the part.
#[derive(Clone, Debug, Default)]
pub struct PartTypes {
    types: HashMap<(Rc<str>, Rc<str>), Type>,
    /// Types whose values differ in shape by the variants of enums.
    varied: BTreeSet<Rc<str>>,
    /// The fields that have no bars, by the name of the struct and that of the field.
    passive: BTreeSet<(Rc<str>, Rc<str>)>,
}

impl PartTypes {
    /// States the type of a part.
    pub fn insert(&mut self, owner: Rc<str>, part: Rc<str>, ty: Type) {
        self.types.insert((owner, part), ty);
    }

    /// The types of which parts are known, and the names of the parts, in order.
    pub fn names(&self) -> Vec<(Rc<str>, Rc<str>)> {
        let mut names: Vec<_> = self.types.keys().cloned().collect();
        names.sort();
        names
    }

    /// The types of the parts.
    pub fn types_mut(&mut self) -> impl Iterator<Item = &mut Type> {
        self.types.values_mut()
    }

    /// What two functions know, unless they contradict each other.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        let mut all = self.clone();
        for (part, ty) in &other.types {
            let known = all.types.entry(part.clone()).or_insert_with(|| ty.clone());
            if !known.agrees_with(ty) {
                return None;
            }
        }
        all.varied.extend(other.varied.iter().cloned());
        all.passive.extend(other.passive.iter().cloned());
        Some(all)
    }

    /// States that values of a type differ in shape by the variants of enums.
    pub fn insert_varied(&mut self, name: Rc<str>) {
        self.varied.insert(name);
    }

    /// Whether values of a type differ in shape by the variants of enums.
    pub fn varies(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(name) => self.varied.contains(name.spelled()),
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                self.varies(element)
            }
            Type::Tuple(fields) => fields.iter().any(|field| self.varies(field)),
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// States that a field is marked `#[passive]`.
    pub fn insert_passive(&mut self, owner: Rc<str>, field: Rc<str>) {
        self.passive.insert((owner, field));
    }

    /// Whether a field of a value is marked `#[passive]`, as far as it is known.
    pub fn is_passive(&self, owner: &Type, field: &str) -> bool {
        let Type::Named(name) = owner else { return false };
        self.passive.contains(&(name.spelled().clone(), field.into()))
    }

    /// The type of a field of a value, as far as it is known.
    pub fn field(&self, owner: &Type, name: &str) -> Type {
        match (owner, name.parse::<usize>()) {
            (Type::Tuple(fields), Ok(number)) => {
                fields.get(number).cloned().unwrap_or(Type::Unknown)
            }
            _ if is_variant_test(name) => Type::Bool,
            _ => self.part(owner, name),
        }
    }

    /// The type of what is in a `Box`, as far as it is known.
    pub fn boxed(&self, owner: &Type) -> Type {
        self.part(owner, BOXED)
    }

    /// The type of an element of a value, as far as it is known.
    pub fn element(&self, owner: &Type) -> Type {
        owner.element().cloned().unwrap_or_else(|| self.part(owner, ELEMENT))
    }

    fn part(&self, owner: &Type, part: &str) -> Type {
        let Type::Named(name) = owner else { return Type::Unknown };
        self.types.get(&(name.spelled().clone(), part.into())).cloned().unwrap_or(Type::Unknown)
    }
}
