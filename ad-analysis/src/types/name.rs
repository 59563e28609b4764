//! Names of types.

use proc_macro2::TokenStream;
use std::ops::Deref;
use std::rc::Rc;

/// The type of characters: nothing is known of it but that it carries no derivative.
const CHARACTER: &str = "char";

/// What stands for the type of the place that a getter finds: no type of the user's has that name.
const PLACE: &str = "At<_>";

/// The name of a type of which nothing else is known but whether it may hold floats.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeName {
    spelled: Rc<str>,
    kind: Kind,
}

/// What is known of values of a type that has a name.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// They hold integers, truth values and characters only.
    Plain,
    /// They hold no floats: texts, lists, collections, values of other such types.
    Compound,
    /// They have no derivative.
    Bare(Dropping),
    /// Nothing.
    Unknown,
}

/// What dropping a value does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropping {
    /// It frees what the value owns, and nothing else.
    Frees,
    /// It may have effects.
    Unknown,
}

/// How a value leads to one of a `dyn`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfDyn {
    /// How many times it is dereferenced.
    pub depth: usize,
    /// Whether that is by types that may have methods of their own, and not by references only.
    pub is_held: bool,
}

impl TypeName {
    /// A type that holds integers, truth values and characters only.
    pub fn plain(spelled: &str) -> Self {
        Self { spelled: spelled.into(), kind: Kind::Plain }
    }

    /// A type that holds no floats, but texts, lists, collections or values of other such types.
    pub fn compound(spelled: &str) -> Self {
        Self { spelled: spelled.into(), kind: Kind::Compound }
    }

    /// The type of what tells where a getter finds what it returns a reference to, the runtime's `At`.
    pub fn of_place() -> Self {
        Self::plain(PLACE)
    }

    /// The name as the user spells it.
    pub fn spelled(&self) -> &Rc<str> {
        &self.spelled
    }

    /// What the type is called that says how such values are put on the stack, if generated code needs one for that.
    pub fn code(&self) -> Option<String> {
        let name = self.spelled.chars().filter(|letter| letter.is_alphanumeric());
        (self.kind == Kind::Plain && ![CHARACTER, PLACE].contains(&&*self.spelled))
            .then(|| format!("__CodeOf{}", name.collect::<String>()))
    }

    /// Whether this is a reference.
    pub fn is_reference(&self) -> bool {
        self.spelled.starts_with('&')
    }

    /// What is in a `Box`, if this is one of something else than a slice.
    pub fn in_box(&self) -> Option<&str> {
        let (path, held) = self.spelled.split_once('<')?;
        let held = held.trim_end().strip_suffix('>')?.trim();
        let is_slice = held.starts_with('[') && !held.contains(';');
        let is_box = path.rsplit("::").next().map(str::trim) == Some("Box");
        (is_box && !is_slice).then_some(held)
    }

    /// How values of the type lead to ones of a `dyn`, of which only run time knows what they are.
    pub fn of_dyn(&self) -> Option<OfDyn> {
        let (mut of, mut rest) = (OfDyn { depth: 0, is_held: false }, self.spelled.trim_start());
        loop {
            if rest.starts_with("dyn ") {
                return Some(of);
            }
            of.depth += 1;
            rest = match rest.strip_prefix('&') {
                Some(referent) => {
                    let referent = referent.trim_start();
                    let is_lifetime = referent.starts_with('\'');
                    let end = if is_lifetime { referent.find(' ')? } else { 0 };
                    &referent[end..]
                }
                None => {
                    let (path, held) = rest.split_once('<')?;
                    let name = path.rsplit("::").next()?.trim();
                    of.is_held = true;
                    ["Box", "Rc", "Arc"].contains(&name).then_some(held)?
                }
            }
            .trim_start();
        }
    }

    /// Whether there are no floats in values of the type.
    pub fn is_without_floats(&self) -> bool {
        matches!(self.kind, Kind::Plain | Kind::Compound)
    }

    /// Whether values have no derivative, which generated code can prove: of a type that has no parameters.
    pub fn is_without_bar(&self) -> bool {
        let is_path = || self.spelled.chars().all(|c| c.is_alphanumeric() || "_: ".contains(c));
        matches!(self.kind, Kind::Bare(_)) && &*self.spelled != "Self" && is_path()
    }

    /// The same type, of which it is known that its values have no derivative.
    pub fn as_bare(&self, dropping: Dropping) -> Self {
        Self { kind: Kind::Bare(dropping), ..self.clone() }
    }

    /// The type, if its values are moved to the stack as they are, since they have no derivative, and what is known of their being dropped.
    pub fn moved(&self) -> Option<(TokenStream, Dropping)> {
        let dropping = match self.kind {
            Kind::Compound => Dropping::Frees,
            Kind::Bare(dropping) => dropping,
            Kind::Plain | Kind::Unknown => return None,
        };
        Some((self.spelled.parse().ok()?, dropping))
    }
}

impl From<&str> for TypeName {
    fn from(spelled: &str) -> Self {
        let kind = if spelled == CHARACTER { Kind::Plain } else { Kind::Unknown };
        Self { spelled: spelled.into(), kind }
    }
}

impl From<String> for TypeName {
    fn from(spelled: String) -> Self {
        Self::from(&*spelled)
    }
}

impl Deref for TypeName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.spelled
    }
}
