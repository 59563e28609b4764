//! Local unification: which types do signature, literals, casts and known methods imply?
//!
//! Two strengths of knowledge are kept apart. A type is *proven* when the tokens imply it. It is
//! *assumed* when it follows only if an operator is the primitive one (`x * K` with `x: f64` makes
//! `K` a float unless some user type implements `Mul` with `f64`). Assumptions are never used to
//! call something passive, and where a rule relies on one the generated code proves it to rustc.
//! Integers are never assumed.

use super::{FloatKind, IntKind, Number, Type, TypeVar};
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Clone, Debug)]
enum State {
    Open,
    FloatLiteral,
    IntLiteral,
    Same(TypeVar),
    Is(Type),
}

/// The operands and the result of a primitive operation have one numeric type.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    /// The types of the operands.
    pub operands: Vec<Type>,
    /// The type of the result.
    pub result: Type,
}

/// Solves equations between types.
#[derive(Default, Debug)]
pub struct Unifier {
    states: Vec<State>,
    assumed: Vec<bool>,
    pending: Rc<Vec<Rc<Arithmetic>>>,
    contradicted: Rc<BTreeSet<Rc<str>>>,
    /// What variables were before they were written, oldest first.
    trail: Vec<Before>,
}

/// A variable before it was written.
#[derive(Debug)]
struct Before {
    var: TypeVar,
    state: State,
    assumed: bool,
}

/// What had been said at some time.
#[derive(Debug)]
pub struct Said {
    trail: usize,
    pending: Rc<Vec<Rc<Arithmetic>>>,
    contradicted: Rc<BTreeSet<Rc<str>>>,
}

impl Unifier {
    /// A type nothing is known of yet.
    pub fn fresh(&mut self) -> Type {
        self.variable(State::Open)
    }

    /// How many numbers of unknown types there can be.
    pub fn numbers(&self) -> u32 {
        u32::try_from(self.states.len()).expect("fewer than 2^32 type variables")
    }

    /// The type of a float literal without suffix.
    pub fn float_literal(&mut self) -> Type {
        self.variable(State::FloatLiteral)
    }

    /// The type of an integer literal without suffix.
    pub fn int_literal(&mut self) -> Type {
        self.variable(State::IntLiteral)
    }

    fn variable(&mut self, state: State) -> Type {
        self.states.push(state);
        self.assumed.push(false);
        Type::Infer(TypeVar(self.numbers() - 1))
    }

    /// What has been said so far.
    pub fn said(&self) -> Said {
        let (pending, contradicted) = (self.pending.clone(), self.contradicted.clone());
        Said { trail: self.trail.len(), pending, contradicted }
    }

    /// Takes back what has been said since. Variables that were made since stay, and nothing is known of them: whoever still mentions
    /// one does not get another one in its place.
    pub fn take_back(&mut self, said: Said) {
        for Before { var, state, assumed } in self.trail.drain(said.trail..).rev() {
            self.states[var.0 as usize] = state;
            self.assumed[var.0 as usize] = assumed;
        }
        (self.pending, self.contradicted) = (said.pending, said.contradicted);
    }

    /// Writes a variable in a way that can be taken back.
    fn set(&mut self, var: TypeVar, state: State) {
        self.remember(var);
        self.states[var.0 as usize] = state;
    }

    fn set_assumed(&mut self, var: TypeVar) {
        self.remember(var);
        self.assumed[var.0 as usize] = true;
    }

    fn remember(&mut self, var: TypeVar) {
        let (state, assumed) = (self.states[var.0 as usize].clone(), self.assumed[var.0 as usize]);
        self.trail.push(Before { var, state, assumed });
    }

    fn root(&self, mut var: TypeVar) -> TypeVar {
        while let State::Same(next) = self.states[var.0 as usize] {
            var = next;
        }
        var
    }

    /// The type as far as it is known at its outermost level.
    pub fn shallow(&self, ty: &Type) -> Type {
        match ty {
            Type::Infer(var) => {
                let root = self.root(*var);
                match &self.states[root.0 as usize] {
                    State::Is(known) => self.shallow(known),
                    State::Open | State::FloatLiteral | State::IntLiteral | State::Same(_) => {
                        Type::Infer(root)
                    }
                }
            }
            known => known.clone(),
        }
    }

    /// Whether the type is known to be a float, the width apart.
    pub fn is_float(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Float(_) => true,
            Type::Infer(var) => matches!(self.states[var.0 as usize], State::FloatLiteral),
            _ => false,
        }
    }

    /// Whether the type is known to be an integer, the width apart.
    pub fn is_int(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Int(_) => true,
            Type::Infer(var) => matches!(self.states[var.0 as usize], State::IntLiteral),
            _ => false,
        }
    }

    /// Whether nothing is known of the type.
    pub fn is_open(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Infer(var) => matches!(self.states[var.0 as usize], State::Open),
            Type::Unknown => true,
            _ => false,
        }
    }

    /// States that two types are equal. Contradictions are left to rustc, which sees the user's
    /// function too: the first statement wins.
    pub fn unify(&mut self, left: &Type, right: &Type) {
        let (left, right) = (self.shallow(left), self.shallow(right));
        match (&left, &right) {
            (Type::Infer(a), Type::Infer(b)) if a == b => {}
            (Type::Infer(a), Type::Infer(b)) => self.merge(*a, *b),
            (Type::Infer(var), known) | (known, Type::Infer(var)) => self.bind(*var, known),
            (Type::Array(a, _), Type::Array(b, _))
            | (Type::Slice(a), Type::Slice(b))
            | (Type::Vec(a), Type::Vec(b)) => self.unify(a, b),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                for (a, b) in a.iter().zip(b.iter()) {
                    self.unify(a, b);
                }
            }
            (Type::Named(name), known) | (known, Type::Named(name))
                if !matches!(known, Type::Named(_) | Type::Unknown) =>
            {
                Rc::make_mut(&mut self.contradicted).insert(name.spelled().clone());
            }
            _ => {}
        }
    }

    /// The types with names that would have to be numbers, lists or tuples: aliases, and what is no type at all.
    pub fn contradicted(&self) -> impl Iterator<Item = &str> {
        self.contradicted.iter().map(|name| &**name)
    }

    fn merge(&mut self, a: TypeVar, b: TypeVar) {
        let keep_b = matches!(self.states[a.0 as usize], State::Open);
        let (from, to) = if keep_b { (a, b) } else { (b, a) };
        self.set(from, State::Same(to));
        if self.assumed[from.0 as usize] {
            self.set_assumed(to);
        }
    }

    fn bind(&mut self, var: TypeVar, known: &Type) {
        if *known == Type::Unknown {
            return;
        }
        let fits = match &self.states[var.0 as usize] {
            State::Open => true,
            State::FloatLiteral => known.is_float(),
            State::IntLiteral => matches!(known, Type::Int(_)),
            State::Same(_) | State::Is(_) => false,
        };
        if fits && !self.is_part(var, known) {
            self.set(var, State::Is(known.clone()));
        } else if let Type::Named(name) = known {
            Rc::make_mut(&mut self.contradicted).insert(name.spelled().clone());
        }
    }

    /// Whether a type is made of a variable: the variable cannot be that type, which would have no end.
    fn is_part(&self, var: TypeVar, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Infer(other) => other == var,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                self.is_part(var, &element)
            }
            Type::Tuple(fields) => fields.iter().any(|field| self.is_part(var, field)),
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Named(_) | Type::Unknown => false,
        }
    }

    /// States that an operator is applied to operands of one type and yields that type, if it is
    /// the primitive operator.
    pub fn arithmetic(&mut self, operands: Vec<Type>, result: Type) {
        Rc::make_mut(&mut self.pending).push(Rc::new(Arithmetic { operands, result }));
        self.propagate();
    }

    /// Draws what follows for sure from the pending operations.
    fn propagate(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            let pending = self.pending.clone();
            let mut open = Vec::with_capacity(pending.len());
            for operation in pending.iter() {
                match self.settle(operation) {
                    true => changed = true,
                    false => open.push(operation.clone()),
                }
            }
            if changed {
                self.pending = Rc::new(open);
            }
        }
    }

    /// Equates the types of an operation if all its operands are known to be primitive numbers.
    fn settle(&mut self, operation: &Arithmetic) -> bool {
        let proven =
            |this: &Self, ty: &Type| (this.is_float(ty) || this.is_int(ty)) && !this.is_assumed(ty);
        if !operation.operands.iter().all(|ty| proven(self, ty)) {
            return false;
        }
        for pair in operation.operands.windows(2) {
            self.unify(&pair[0], &pair[1]);
        }
        self.unify(&operation.operands[0], &operation.result);
        true
    }

    /// Draws the conclusions that need an assumption: one known float makes all of them floats.
    /// Call once, when everything else has been said.
    pub fn assume(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            let mut open = Vec::new();
            for operation in std::mem::take(&mut self.pending).iter() {
                if self.settle(operation) {
                    changed = true;
                    continue;
                }
                let all = || operation.operands.iter().chain([&operation.result]);
                let Some(float) = all().find(|ty| self.is_float(ty)).cloned() else {
                    open.push(operation.clone());
                    continue;
                };
                for ty in all() {
                    if let Type::Infer(var) = self.shallow(ty)
                        && matches!(self.states[var.0 as usize], State::Open)
                    {
                        self.set_assumed(var);
                    }
                    self.unify_assumed(ty, &float);
                }
                changed = true;
            }
            self.pending = Rc::new(open);
        }
    }

    /// Unifies `ty` with a float without making the float itself an assumption.
    fn unify_assumed(&mut self, ty: &Type, float: &Type) {
        let (ty, float) = (self.shallow(ty), self.shallow(float));
        match (&ty, &float) {
            (Type::Infer(a), Type::Infer(b)) if a != b => {
                if matches!(self.states[a.0 as usize], State::Open) {
                    self.set(*a, State::Is(float.clone()));
                } else {
                    self.merge(*a, *b);
                }
            }
            _ => self.unify(&ty, &float),
        }
    }

    /// Whether two types under inference are one, apart from what is assumed of them.
    pub fn are_one(&self, left: &Type, right: &Type) -> bool {
        let end_of = |ty: &Type| {
            let &Type::Infer(mut var) = ty else { return None };
            while let State::Same(next) = &self.states[var.0 as usize] {
                var = *next;
            }
            Some(var)
        };
        end_of(left).is_some_and(|var| end_of(right) == Some(var))
    }

    /// Whether the type was only assumed.
    pub fn is_assumed(&self, ty: &Type) -> bool {
        match ty {
            Type::Infer(var) => {
                let mut var = *var;
                loop {
                    if self.assumed[var.0 as usize] {
                        return true;
                    }
                    match &self.states[var.0 as usize] {
                        State::Same(next) => var = *next,
                        State::Is(Type::Infer(next)) => var = *next,
                        State::Open | State::FloatLiteral | State::IntLiteral | State::Is(_) => {
                            return false;
                        }
                    }
                }
            }
            _ => false,
        }
    }

    /// Gives a type of which nothing is known a name. Call when everything else has been said.
    pub fn name_open(&mut self, ty: &Type, name: &str) {
        if let Type::Infer(var) = self.shallow(ty)
            && matches!(self.states[var.0 as usize], State::Open)
        {
            self.set(var, State::Is(Type::Named(name.into())));
        }
    }

    /// The type with everything replaced that is known so far.
    pub fn known(&self, ty: &Type) -> Type {
        match self.shallow(ty) {
            Type::Array(element, len) => Type::Array(Rc::new(self.known(&element)), len),
            Type::Slice(element) => Type::slice(self.known(&element)),
            Type::Vec(element) => Type::vec(self.known(&element)),
            Type::Tuple(fields) => Type::Tuple(fields.iter().map(|ty| self.known(ty)).collect()),
            known => known,
        }
    }

    /// The type with everything replaced that was found out; what stays open is `Unknown`.
    pub fn resolve(&self, ty: &Type) -> Type {
        match self.shallow(ty) {
            Type::Infer(var) => match self.states[var.0 as usize] {
                State::FloatLiteral => Type::Float(FloatKind::Open(Number(var.0))),
                State::IntLiteral => Type::Int(IntKind::Open(Number(var.0))),
                State::Open | State::Same(_) | State::Is(_) => Type::Unknown,
            },
            Type::Array(element, len) => Type::Array(Rc::new(self.resolve(&element)), len),
            Type::Slice(element) => Type::slice(self.resolve(&element)),
            Type::Vec(element) => Type::vec(self.resolve(&element)),
            Type::Tuple(fields) => Type::Tuple(fields.iter().map(|ty| self.resolve(ty)).collect()),
            known => known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_take_the_type_of_their_partner() {
        let mut types = Unifier::default();
        let literal = types.float_literal();
        let result = types.fresh();
        types.arithmetic(vec![Type::F32, literal.clone()], result.clone());
        assert_eq!(types.resolve(&literal), Type::F32);
        assert_eq!(types.resolve(&result), Type::F32);
        assert!(!types.is_assumed(&result));
    }

    #[test]
    fn an_unknown_partner_is_assumed_only() {
        let mut types = Unifier::default();
        let (constant, result) = (types.fresh(), types.fresh());
        types.arithmetic(vec![Type::F64, constant.clone()], result.clone());
        assert_eq!(types.resolve(&constant), Type::Unknown);
        types.assume();
        assert_eq!(types.resolve(&constant), Type::F64);
        assert!(types.is_assumed(&constant));
    }

    #[test]
    fn integers_are_never_assumed() {
        let mut types = Unifier::default();
        let (count, result) = (types.fresh(), types.fresh());
        let literal = types.int_literal();
        types.arithmetic(vec![count.clone(), literal], result.clone());
        types.assume();
        assert_eq!(types.resolve(&count), Type::Unknown);
        assert_eq!(types.resolve(&result), Type::Unknown);
    }

    #[test]
    fn nothing_is_a_list_of_itself() {
        let mut types = Unifier::default();
        let (item, list) = (types.fresh(), types.fresh());
        types.unify(&list, &Type::vec(item.clone()));
        types.unify(&item, &list);
        assert_eq!(types.resolve(&item), Type::Unknown);
        assert_eq!(types.resolve(&list), Type::vec(Type::Unknown));
        types.unify(&item, &Type::Tuple([Type::F64, list.clone()].into()));
        types.unify(&item, &Type::F64);
        assert_eq!(types.resolve(&list), Type::vec(Type::F64));
    }

    #[test]
    fn what_is_taken_back_was_never_said() {
        let mut types = Unifier::default();
        let (early, other) = (types.fresh(), types.fresh());
        types.arithmetic(vec![early.clone(), other.clone()], other.clone());
        let said = types.said();
        let late = types.float_literal();
        types.unify(&early, &late);
        types.unify(&other, &Type::F32);
        types.unify(&Type::Named("Point".into()), &Type::F64);
        types.assume();
        assert_eq!(types.resolve(&early), Type::F32);
        types.take_back(said);
        assert_eq!(types.resolve(&early), Type::Unknown);
        assert_eq!(types.resolve(&other), Type::Unknown);
        assert_eq!(types.contradicted().count(), 0);
        types.unify(&early, &Type::F64);
        types.unify(&other, &Type::F64);
        assert_eq!(types.resolve(&other), Type::F64);
        assert!(!types.is_assumed(&other));
    }

    #[test]
    fn a_late_fact_settles_an_early_operation() {
        let mut types = Unifier::default();
        let (deferred, result) = (types.fresh(), types.fresh());
        types.arithmetic(vec![deferred.clone(), deferred.clone()], result.clone());
        types.unify(&deferred, &Type::F64);
        types.assume();
        assert_eq!(types.resolve(&result), Type::F64);
        assert!(!types.is_assumed(&deferred));
    }
}
