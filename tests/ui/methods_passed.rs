//! Methods with functions handed to them that are not lowered in place, and references that become others.
use backsweep::adjoint;

pub struct Rule {
    shift: f64,
}

impl Rule {
    pub fn shifted(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift)
    }
}

pub struct Wrapper {
    inner: Rule,
    shift: f64,
}

impl std::ops::Deref for Wrapper {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        &self.inner
    }
}

#[adjoint(independents(p))]
fn of_a_method_that_is_not_known(rule: &Rule, p: f64) -> f64 {
    rule.shifted(|x| x * p)
}

#[adjoint(independents(p))]
fn by_a_coercion(wrapper: &Wrapper, p: f64) -> f64 {
    let shifted = |rule: &Rule| rule.shift * p;
    shifted(wrapper)
}

#[adjoint(independents(p))]
fn named_by_a_coercion(wrapper: &Wrapper, p: f64) -> f64 {
    let rule: &Rule = wrapper;
    rule.shift * p
}

fn main() {}
