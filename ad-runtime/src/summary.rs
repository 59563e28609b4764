//! What generated code asks a callee about its parameters, at compile time.

/// What a function says of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Fact {
    /// Its backward sweep reads it.
    Reads,
    /// Its forward sweep reads it where no primal value is wanted, or its backward sweep does.
    Uses,
    /// It may give it another length.
    Resizes,
}

/// How many functions ask each other before the last one says yes: each of them asks all those that it calls.
const MOST: usize = 6;

/// A question about a parameter of a function, and those that led to it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What is asked.
    pub fact: Fact,
    /// The number of the parameter.
    pub parameter: usize,
    /// Which parameters are active.
    pub active: &'a [bool],
    /// Who is asked, where that asks others.
    function: &'static str,
    before: Option<&'a Question<'a>>,
}

impl<'a> Question<'a> {
    /// A question.
    pub const fn new(fact: Fact, parameter: usize, active: &'a [bool]) -> Self {
        Self { fact, parameter, active, function: "", before: None }
    }

    /// The same question, with the name of the function that is asked.
    pub const fn to(&self, function: &'static str) -> Self {
        Self { function, ..*self }
    }

    /// What that function asks in its turn.
    pub const fn then(&'a self, fact: Fact, parameter: usize, active: &'a [bool]) -> Self {
        Self { fact, parameter, active, function: "", before: Some(self) }
    }

    /// The answer, if it need not be found: what has been asked before adds nothing, and after many questions it is yes.
    pub const fn known(&self) -> Option<bool> {
        let mut before = self.before;
        let mut count = 0;
        while let Some(other) = before {
            if self.is_same(other) {
                return Some(false);
            }
            count += 1;
            before = other.before;
        }
        if count < MOST { None } else { Some(true) }
    }

    const fn is_same(&self, other: &Question<'_>) -> bool {
        let (function, name) = (self.function.as_bytes(), other.function.as_bytes());
        let mut same = self.fact as u8 == other.fact as u8
            && self.parameter == other.parameter
            && self.active.len() == other.active.len()
            && function.len() == name.len();
        let mut n = 0;
        while same && n < self.active.len() {
            same = self.active[n] == other.active[n];
            n += 1;
        }
        n = 0;
        while same && n < name.len() {
            same = function[n] == name[n];
            n += 1;
        }
        same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_end() {
        let first = Question::new(Fact::Reads, 0, &[true, false]).to("f");
        assert!(first.known().is_none());
        let other = first.then(Fact::Reads, 0, &[true, false]);
        assert!(other.to("g").known().is_none());
        assert_eq!(other.to("f").known(), Some(false));
        assert!(first.then(Fact::Uses, 0, &[true, false]).to("f").known().is_none());
        assert!(first.then(Fact::Reads, 1, &[true, false]).to("f").known().is_none());
        assert!(first.then(Fact::Reads, 0, &[true, true]).to("f").known().is_none());
        let second = first.then(Fact::Reads, 0, &[]).to("g");
        let third = second.then(Fact::Reads, 0, &[]).to("h");
        let fourth = third.then(Fact::Reads, 0, &[]).to("i");
        let fifth = fourth.then(Fact::Reads, 0, &[]).to("j");
        let sixth = fifth.then(Fact::Reads, 0, &[]).to("k");
        assert!(sixth.known().is_none());
        assert_eq!(sixth.then(Fact::Reads, 0, &[]).to("l").known(), Some(true));
    }
}
