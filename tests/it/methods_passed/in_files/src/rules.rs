use backsweep::adjoint;

pub struct Rule {
    scale: f64,
    pub(crate) shift: f64,
}

impl Rule {
    const HALF: f64 = 0.5;

    #[adjoint]
    pub fn hidden_field(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.scale)
    }

    #[adjoint]
    pub fn hidden_constant(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift) * Self::HALF
    }

    #[adjoint]
    pub fn hidden_method(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.private())
    }

    fn private(&self) -> f64 {
        self.shift
    }

    #[adjoint]
    pub fn by_value(self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift)
    }

    #[adjoint]
    pub fn shifted(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift)
    }

    #[adjoint]
    pub fn shift(&mut self, f: impl Fn(f64) -> f64) {
        self.shift = f(self.shift);
    }

    #[adjoint]
    pub fn again(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.again(|x| f(x))
    }

    pub fn not_annotated(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift)
    }

    #[cfg(feature = "one")]
    #[adjoint]
    pub fn conditional(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift)
    }

    #[cfg(not(feature = "one"))]
    #[adjoint]
    pub fn conditional(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(2.0 * self.shift)
    }
}

pub trait Other {
    fn of_trait(&self, f: impl Fn(f64) -> f64) -> f64;
}

impl Other for Rule {
    #[adjoint]
    fn of_trait(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.shift)
    }
}

pub struct Generic<T> {
    pub shift: T,
}

impl<T: Copy> Generic<T> {
    #[adjoint]
    pub fn shifted(&self, f: impl Fn(T) -> f64) -> f64 {
        f(self.shift)
    }
}

pub struct Wrapper {
    inner: Rule,
    pub(crate) shift: f64,
}

impl std::ops::Deref for Wrapper {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        &self.inner
    }
}

#[adjoint]
pub fn shifted(rule: &Rule, f: impl Fn(f64) -> f64) -> f64 {
    f(rule.shift)
}
