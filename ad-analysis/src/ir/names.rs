//! The one producer of names: what is generated never clashes with what the user wrote.

use std::collections::HashSet;

/// Hands out names that are not taken.
#[derive(Clone, Debug, Default)]
pub struct Namer {
    taken: HashSet<String>,
}

impl Namer {
    /// Takes a name as it is, whether it was taken before or not.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Whether a name is taken.
    pub fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes `hint`, or `hint_1`, `hint_2`, … if that is taken.
    pub fn fresh(&mut self, hint: &str) -> String {
        let mut name = hint.to_owned();
        let mut number = 0;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{hint}_{number}");
        }
        name
    }
}
