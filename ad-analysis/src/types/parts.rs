//! The types of parts of values of types that the macro does not see: fields of structs, elements of
//! what it cannot tell to be a list.

use super::Type;
use std::collections::HashMap;
use std::rc::Rc;

/// The name under which the elements of a value stand.
pub const ELEMENT: &str = "[]";

/// What was found out about the parts of values, by the name of the type and the name of the part.
#[derive(Clone, Debug, Default)]
pub struct PartTypes(HashMap<(Rc<str>, Rc<str>), Type>);

impl PartTypes {
    /// States the type of a part.
    pub fn insert(&mut self, owner: Rc<str>, part: Rc<str>, ty: Type) {
        self.0.insert((owner, part), ty);
    }

    /// The types of which parts are known, and the names of the parts, in order.
    pub fn names(&self) -> Vec<(Rc<str>, Rc<str>)> {
        let mut names: Vec<_> = self.0.keys().cloned().collect();
        names.sort();
        names
    }

    /// The types of the parts.
    pub fn types_mut(&mut self) -> impl Iterator<Item = &mut Type> {
        self.0.values_mut()
    }

    /// What two functions know, unless they contradict each other.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        let mut all = self.clone();
        for (part, ty) in &other.0 {
            let known = all.0.entry(part.clone()).or_insert_with(|| ty.clone());
            if !known.agrees_with(ty) {
                return None;
            }
        }
        Some(all)
    }

    /// The type of a field of a value, as far as it is known.
    pub fn field(&self, owner: &Type, name: &str) -> Type {
        match (owner, name.parse::<usize>()) {
            (Type::Tuple(fields), Ok(number)) => {
                fields.get(number).cloned().unwrap_or(Type::Unknown)
            }
            _ => self.part(owner, name),
        }
    }

    /// The type of an element of a value, as far as it is known.
    pub fn element(&self, owner: &Type) -> Type {
        owner.element().cloned().unwrap_or_else(|| self.part(owner, ELEMENT))
    }

    fn part(&self, owner: &Type, part: &str) -> Type {
        let Type::Named(name) = owner else { return Type::Unknown };
        self.0.get(&(name.clone(), part.into())).cloned().unwrap_or(Type::Unknown)
    }
}
