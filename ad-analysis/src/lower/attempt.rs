//! Constructs are recognised by trying: what was lowered on the way is undone where the construct turns out not to be
//! understood.
//!
//! An attempt is a transaction: either all that it did is there, or nothing is. What may have to be restored is copied
//! when it is written ([`Shared`]), so an attempt that finds out at once that it is none costs next to nothing. Of types, of which
//! there are many, what was said is taken back. What attempts hand out stays handed out: no name, number or variable is
//! given a second time, so whatever still mentions one that is gone is not taken for something else.

use super::Lowerer;
use crate::diag::Diagnostic;
use crate::index::{BitSet, Var};
use crate::ir::{Refusal, Stmt, Variable};
use crate::types::{Said, Type};
use proc_macro2::{Span, TokenStream};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Why something was not lowered as the construct that it may be, where something in it is wrong, and it is not just
/// something else. Code that is kept as it is instead says so if a derivative has to pass through it.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    /// What it may be.
    construct: &'static str,
    /// What is wrong.
    error: Diagnostic,
}

impl Reason {
    /// The refusal of code that is kept as it is for this reason.
    pub(super) fn explain(&self, refusal: &mut Refusal) {
        let Self { construct, error: Diagnostic { message, help, span: _ } } = self;
        let why = format!("as {construct}, this is wrong with it: {message} ({help})");
        refusal.help = match refusal.help.is_empty() {
            true => why,
            false => format!("{}; {why}", refusal.help),
        };
    }
}

/// What is copied when it is written while somebody may want it back as it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T: Clone> Shared<T> {
    pub(super) fn into_inner(self) -> T {
        Rc::unwrap_or_clone(self.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

/// What there was before an attempt.
struct Before {
    /// The statements of the block under construction: the attempt begins with none.
    out: Vec<Stmt>,
    said: Said,
    changed: usize,
    errors: usize,
    wondered: usize,
    unparted: usize,
    tried: usize,
    kept: Kept,
}

/// What is kept as a copy: the parts of the lowerer with these names.
macro_rules! kept {
    ($($part:ident: $ty:ty,)*) => {
        struct Kept {
            $($part: $ty,)*
        }

        impl Kept {
            fn of(lowerer: &Lowerer<'_>) -> Self {
                Self { $($part: lowerer.$part.clone(),)* }
            }

            fn restore(self, lowerer: &mut Lowerer<'_>) {
                $(lowerer.$part = self.$part;)*
            }
        }
    };
}

kept! {
    constructed: Shared<BTreeSet<String>>,
    parts: Shared<Vec<super::fields::Part>>,
    honoured: Shared<BTreeSet<usize>>,
    scopes: Shared<Vec<super::Scope>>,
    breakables: Shared<Vec<super::Breakable>>,
    items: Shared<Vec<TokenStream>>,
    sites: Shared<Vec<super::Site>>,
    mutable: Shared<BitSet<Var>>,
    aliases: Shared<HashMap<Var, Vec<Var>>>,
    results: Shared<BitSet<Var>>,
    operations: Shared<Vec<Rc<super::operators::Operation>>>,
    lenders: Shared<Vec<proc_macro2::Ident>>,
    of_users: Shared<BitSet<Var>>,
    of_library: Shared<BitSet<Var>>,
    counters: Shared<BitSet<Var>>,
    resting: Shared<BitSet<Var>>,
    twofold: Shared<BitSet<Var>>,
    made: Shared<BitSet<Var>>,
    closures: Shared<BTreeMap<Var, super::closures::LocalClosure>>,
    optionals: Shared<HashMap<Var, super::optional::Optional>>,
    outcomes: Shared<BitSet<Var>>,
    open_callees: Shared<super::passed::Open>,
    exit: Shared<Option<super::closures::Exit>>,
    iterators: Shared<BTreeMap<Var, super::cursors::NamedIterator>>,
    followed: Shared<BitSet<Var>>,
    rebound: Shared<BTreeMap<Var, super::rebound::Referent>>,
    thrown_away: Shared<Vec<(Type, Span)>>,
    awaited: Shared<Vec<(String, Var)>>,
    referents: Shared<Vec<(Type, Span)>>,
    is_in_mode: bool,
    in_operand: bool,
    misfit: bool,
    wanted: Option<Type>,
}

impl Before {
    fn of(lowerer: &mut Lowerer<'_>) -> Self {
        Self {
            out: std::mem::take(&mut lowerer.out),
            said: lowerer.types.said(),
            changed: lowerer.changed.len(),
            errors: lowerer.errors.count(),
            wondered: lowerer.wondered.borrow().len(),
            unparted: lowerer.unparted.borrow().len(),
            tried: lowerer.tried.len(),
            kept: Kept::of(lowerer),
        }
    }

    fn go_on(mut self, lowerer: &mut Lowerer<'_>) {
        self.out.append(&mut lowerer.out);
        lowerer.out = self.out;
        lowerer.tried.truncate(self.tried);
    }

    /// Returned is what the attempt found to be wrong.
    fn restore(self, lowerer: &mut Lowerer<'_>) -> Vec<Diagnostic> {
        lowerer.out = self.out;
        lowerer.types.take_back(self.said);
        for (var, before) in lowerer.changed.drain(self.changed..).rev() {
            lowerer.body.vars[var] = before;
        }
        lowerer.wondered.get_mut().truncate(self.wondered);
        lowerer.unparted.get_mut().truncate(self.unparted);
        lowerer.tried.truncate(self.tried);
        self.kept.restore(lowerer);
        lowerer.errors.take_back(self.errors)
    }
}

impl Lowerer<'_> {
    /// Lowers something as the construct that it may be. Where it is none, nothing is left of having tried but the reason, if
    /// there is any.
    pub(super) fn attempt<T>(
        &mut self,
        construct: &'static str,
        lower: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let before = Before::of(self);
        let found = lower(self);
        if found.is_some() {
            before.go_on(self);
        } else if let Some(error) = before.restore(self).into_iter().next() {
            self.tried.push(Reason { construct, error });
        }
        found
    }

    /// What there is to know of what would be lowered. Nothing is left of it.
    pub(super) fn glimpse<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = Before::of(self);
        let found = lower(self);
        before.restore(self);
        found
    }

    /// A variable, to change something about it.
    pub(super) fn variable_mut(&mut self, var: Var) -> &mut Variable {
        self.changed.push((var, self.body.vars[var].clone()));
        &mut self.body.vars[var]
    }
}
