//! What is found out of declarations, as the macro writes it into the arguments of the attribute.

use std::collections::BTreeMap;
use std::fmt;

/// What is declared to have a type, and the type, as the module of the item spells it; nothing if it has several.
#[derive(Clone, Default)]
pub(super) struct Facts(pub(super) BTreeMap<Told, Option<String>>);

/// What has a type, as the macro writes it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Told {
    /// An operator, the name of its trait and the types of its operands.
    Operator([String; 3]),
    Other(String),
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Told::Operator([name, left, right]) => write!(f, "operator {name}, {left}, {right}"),
            Told::Other(text) => f.write_str(text),
        }
    }
}

impl Facts {
    pub(super) fn add(&mut self, of: String, ty: String) {
        self.insert(Told::Other(of), Some(ty));
    }

    pub(super) fn insert(&mut self, of: Told, ty: Option<String>) {
        let known = self.0.entry(of).or_insert_with(|| ty.clone());
        if *known != ty {
            *known = None;
        }
    }

    pub(super) fn extend(&mut self, others: Self) {
        others.0.into_iter().for_each(|(of, ty)| self.insert(of, ty));
    }

    /// What two of which rustc has one agree on.
    pub(super) fn common(mut self, other: &Self) -> Self {
        self.0.retain(|of, ty| other.0.get(of) == Some(ty));
        self
    }
}
