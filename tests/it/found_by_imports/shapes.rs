/// What generic functions are.
pub mod numbers {
    pub trait Float: Copy + std::ops::Mul<Output = Self> {
        fn two() -> Self;
    }
    impl Float for f64 {
        fn two() -> Self {
            2.0
        }
    }
    impl Float for f32 {
        fn two() -> Self {
            2.0
        }
    }
}

mod area {
    use backsweep::adjoint;

    #[adjoint(independents(sides))]
    pub fn area(sides: &[f64]) -> f64 {
        sides[0] * sides[1]
    }
}
pub use area::area;

mod scaled {
    use super::numbers::Float;
    use backsweep::adjoint;

    #[adjoint]
    pub fn scaled<F: Float>(x: F, n: i32) -> F {
        let mut y = x;
        for _ in 0..n {
            y = y * F::two();
        }
        y
    }
}
pub use scaled::scaled;

mod raised {
    use backsweep::adjoint;

    #[adjoint(dependents(x))]
    pub fn raised(x: &mut f64) {
        *x = x.powi(3);
    }
}
pub use self::raised::raised;

/// Nothing in it is annotated.
mod halved {
    pub fn halved(x: f64) -> f64 {
        0.5 * x
    }
}
pub use halved::halved;

// One module: of opposite conditions one holds.
#[cfg(test)]
pub(crate) mod cooled;
#[cfg(not(test))]
mod cooled;
pub use cooled::cooled;
