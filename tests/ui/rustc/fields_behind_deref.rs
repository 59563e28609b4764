//! A field that is not seen is none: its name means that of what the struct dereferences to.

use backsweep::adjoint;

mod hidden {
    use backsweep::Differentiable;
    use std::ops::{Deref, DerefMut};

    #[derive(Clone, Copy, Differentiable)]
    pub struct Inner {
        pub x: f64,
        pub y: f64,
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Outer {
        #[passive]
        x: f64,
        pub inner: Inner,
    }

    #[derive(Clone, Differentiable)]
    pub struct List {
        pub numbers: Vec<f64>,
    }

    #[derive(Clone, Differentiable)]
    pub struct Listed {
        pub inner: List,
    }

    impl Deref for Listed {
        type Target = List;

        fn deref(&self) -> &List {
            &self.inner
        }
    }

    impl DerefMut for Listed {
        fn deref_mut(&mut self) -> &mut List {
            &mut self.inner
        }
    }

    impl Deref for Outer {
        type Target = Inner;

        fn deref(&self) -> &Inner {
            assert!(self.x > 0.0);
            &self.inner
        }
    }

    impl DerefMut for Outer {
        fn deref_mut(&mut self) -> &mut Inner {
            &mut self.inner
        }
    }
}

#[adjoint(independents(outer), dependents(return))]
fn of_the_same_name(outer: hidden::Outer) -> f64 {
    outer.x * 2.0
}

#[adjoint(independents(outer), dependents(return))]
fn of_another_name(outer: hidden::Outer) -> f64 {
    outer.y * outer.inner.y
}

/// Neither is active by itself.
#[adjoint(passive(outer))]
fn written_by_another_way(a: f64, outer: hidden::Outer) -> f64 {
    let mut w = outer;
    w.y = a * a;
    w.inner.y
}

#[adjoint(passive(outer))]
fn written_by_reference(a: f64, outer: hidden::Outer) -> f64 {
    let mut w = outer;
    let y = &mut w.y;
    *y = a * a;
    w.inner.y
}

/// An element of a list.
#[adjoint(passive(list))]
fn element_by_another_way(a: f64, list: hidden::Listed) -> f64 {
    let mut w = list;
    w.numbers[0] = a * a;
    w.inner.numbers[0]
}

fn main() {}
