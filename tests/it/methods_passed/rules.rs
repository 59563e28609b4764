//! Rules of quadrature, and a solver: their functions take functions.

use backsweep::{Differentiable, adjoint};

/// Half of an interval.
pub const HALF: f64 = 0.5;

#[derive(Clone, Debug, Differentiable)]
pub struct GaussLegendre {
    pub(crate) node_weight_pairs: Vec<(f64, f64)>,
    pub(crate) scale: f64,
}

impl GaussLegendre {
    pub(crate) const THIRD: f64 = 1.0 / 3.0;

    /// Exact for polynomials of degree 5.
    pub fn new() -> Self {
        let node = 0.6_f64.sqrt();
        let pairs = vec![(-node, 5.0 / 9.0), (0.0, 8.0 / 9.0), (node, 5.0 / 9.0)];
        Self { node_weight_pairs: pairs, scale: 1.0 }
    }

    #[adjoint]
    pub fn integrate<F>(&self, a: f64, b: f64, mut integrand: F) -> f64
    where
        F: FnMut(f64) -> f64,
    {
        let result: f64 = self
            .node_weight_pairs
            .iter()
            .map(|(x_val, w_val)| integrand(HALF * ((b - a) * x_val + (b + a))) * w_val)
            .sum();
        HALF * (b - a) * result * self.scale
    }

    /// Hands the function on to another method, which another module calls by its path.
    #[allow(clippy::redundant_closure, reason = "a closure that calls what was handed in")]
    #[adjoint]
    pub fn mean(&self, a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
        self.integrate(a, b, |x| f(x)) / (b - a)
    }

    /// No method; with a constant of the type.
    #[adjoint]
    pub fn third_of_sum(points: &[f64], f: impl Fn(f64) -> f64) -> f64 {
        let mut sum = 0.0;
        for &point in points {
            sum += f(point);
        }
        sum * Self::THIRD
    }

    #[adjoint]
    pub fn rescale(&mut self, by: impl Fn(f64) -> f64) {
        self.scale = by(self.scale);
    }
}

/// Newton's method, by value.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Newton {
    pub start: f64,
    #[passive]
    pub tolerance: f64,
}

#[adjoint(second_order)]
impl Newton {
    pub fn solve(self, f: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> f64 {
        let mut x = self.start;
        loop {
            let step = f(x) / slope(x);
            x -= step;
            if step.abs() < self.tolerance {
                return x;
            }
        }
    }

    /// In the same block; it has derivatives.
    pub fn root(self, a: f64) -> f64 {
        self.solve(|x| x * x - a, |x| 2.0 * x) + Self::solve(self, |x| x - a, |_| 1.0)
    }
}
