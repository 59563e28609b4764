//! What is found out of a function while it is lowered and analysed, for it to be lowered once more.

use super::Lowered;
use crate::types::Type;
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// The calls of methods and of functions of types through which derivatives would pass. All others are
/// kept as they are.
#[derive(Clone, Default, Debug)]
pub struct Calls {
    /// Those that are lowered as calls of functions that may be annotated.
    annotated: BTreeSet<String>,
    /// Those whose values are integers.
    integers: BTreeSet<String>,
    /// The types of places that were not known yet when kept code mentioned them.
    pub(super) plain: BTreeMap<String, Type>,
    /// The places of types that are not known that plain data is taken out of by indices.
    pub(super) indexed: BTreeSet<String>,
    /// The types of variables that are told by what follows.
    pub(super) awaited: BTreeMap<String, Type>,
    /// Paths in capitals that are those of functions, and not of structs.
    pub(super) functions: BTreeSet<String>,
    /// The variables whose `Option`s are kept as they are, though they could be taken apart: what is in them is of a type that
    /// the macro does not see, and only the whole can be emptied, or be used in any way.
    pub(super) whole: BTreeSet<String>,
}

/// What a call is that was kept as it is, though a derivative would pass through it.
#[derive(Clone, Debug)]
pub enum Found {
    /// One of a function that may be annotated, by the name of that.
    Call(Ident),
    /// One whose value is only cast.
    Integer(Ident),
}

impl Calls {
    /// Adds a call; says whether it is new.
    pub fn add(&mut self, found: &Found) -> bool {
        match found {
            Found::Call(name) => self.annotated.insert(site_of(name)),
            Found::Integer(name) => self.integers.insert(site_of(name)),
        }
    }

    /// Adds what a function that was lowered tells; says whether some of it is new.
    pub(super) fn learn(&mut self, lowered: &Lowered) -> bool {
        let mut is_new = false;
        for (place, ty) in &lowered.plain {
            is_new |= self.plain.insert(place.clone(), ty.clone()).is_none();
        }
        for place in &lowered.indexed {
            is_new |= self.indexed.insert(place.clone());
        }
        for (variable, ty) in &lowered.awaited {
            is_new |= self.awaited.insert(variable.clone(), ty.clone()).is_none();
        }
        for path in &lowered.functions {
            is_new |= self.functions.insert(path.clone());
        }
        for name in &lowered.whole {
            is_new |= self.whole.insert(name.clone());
        }
        is_new
    }

    /// Whether a call is one of a function that may be annotated.
    pub fn has(&self, name: &Ident) -> bool {
        self.annotated.contains(&site_of(name))
    }

    /// Whether the value of a call is an integer.
    pub(super) fn is_integer(&self, name: &Ident) -> bool {
        self.integers.contains(&site_of(name))
    }

    /// Whether the `Option` of a variable is kept as it is.
    pub(super) fn is_whole(&self, name: &Ident) -> bool {
        self.whole.contains(&site_of(name))
    }
}

/// Where a name stands, as far as a span tells.
pub(super) fn site_of(name: &Ident) -> String {
    format!("{name} {:?}", name.span())
}
