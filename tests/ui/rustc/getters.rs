use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
pub struct Weight(f64);

impl std::ops::Mul<Weight> for usize {
    type Output = usize;

    fn mul(self, _: Weight) -> usize {
        self
    }
}

#[derive(Clone, Differentiable)]
pub struct Grid {
    data: Vec<f64>,
    #[passive]
    fixed: Vec<f64>,
    weight: Weight,
}

#[adjoint]
impl Grid {
    #[adjoint]
    pub fn fixed(&self) -> &[f64] {
        &self.fixed
    }

    #[adjoint]
    pub fn weighed(&self, i: usize) -> &f64 {
        &self.data[i * self.weight]
    }
}

#[derive(Clone, Differentiable)]
pub struct Both {
    data: Vec<f64>,
}

#[adjoint]
impl Both {
    #[adjoint]
    pub fn new(x: f64) -> Self {
        Both { data: vec![x] }
    }

    #[adjoint]
    pub fn entry(&self, i: usize) -> &f64 {
        &self.data[i]
    }
}

pub trait Taken {
    fn entry(self, i: usize) -> &'static f64;
}

impl Taken for Both {
    fn entry(self, _: usize) -> &'static f64 {
        &1.0
    }
}

#[adjoint(independents(x), dependents(return), declared(getter Both, entry, &f64))]
pub fn shadowed(x: f64) -> f64 {
    let both: Both = Both::new(x);
    *both.entry(0)
}

#[adjoint(independents(both), dependents(return), declared(getter Both, entry, &f32))]
pub fn another_type(both: &Both) -> f64 {
    let entry = both.entry(0);
    *entry * 2.0
}

#[adjoint(independents(both), dependents(return), declared(getter Both, first, &f64))]
pub fn none(both: &Both) -> f64 {
    *both.first() * 2.0
}

impl Both {
    fn first(&self) -> &f64 {
        &self.data[0]
    }
}

/// What it dereferences to depends on what is in it: in a bar that is something else.
#[derive(Clone, Differentiable)]
pub struct Pick {
    a: Pair,
    b: Pair,
}

#[derive(Clone, Differentiable)]
pub struct Pair {
    x: f64,
}

impl std::ops::Deref for Pick {
    type Target = Pair;

    fn deref(&self) -> &Pair {
        if self.a.x > self.b.x { &self.a } else { &self.b }
    }
}

impl std::ops::DerefMut for Pick {
    fn deref_mut(&mut self) -> &mut Pair {
        if self.a.x > self.b.x { &mut self.a } else { &mut self.b }
    }
}

#[derive(Clone, Differentiable)]
pub struct Outer {
    pick: Pick,
}

#[adjoint]
impl Outer {
    #[adjoint]
    pub fn pair(&self) -> &Pair {
        &self.pick
    }

    #[adjoint]
    pub fn number(&self) -> &f64 {
        &self.pick.x
    }

    #[adjoint]
    pub fn explicit(&self) -> &f64 {
        &(*self.pick).x
    }
}

fn main() {}
