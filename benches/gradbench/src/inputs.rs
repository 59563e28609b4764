//! Inputs of three sizes for the evals that take time.

use serde_json::{Value, json};

/// An eval with a function, its derivative, and inputs.
pub struct Problem {
    /// The module of the eval.
    pub module: &'static str,
    /// The function without derivatives.
    pub primal: &'static str,
    /// What is wanted of it.
    pub derivative: &'static str,
    /// A small, a medium and a large input, without how often they are to be run.
    pub inputs: [Value; 3],
}

/// The problems. Numbers in them are random, and the same each time.
pub fn problems() -> Vec<Problem> {
    let mut random = Random(1);
    vec![
        Problem {
            module: "gmm",
            primal: "objective",
            derivative: "jacobian",
            inputs: [(10, 25, 200), (32, 25, 200), (64, 25, 400)]
                .map(|(d, k, n)| random.mixture(d, k, n)),
        },
        Problem {
            module: "ba",
            primal: "objective",
            derivative: "jacobian",
            inputs: [(21, 1000, 3000), (49, 7776, 30_000), (161, 48_126, 180_000)].map(adjustment),
        },
        Problem {
            module: "lstm",
            primal: "objective",
            derivative: "jacobian",
            inputs: [200, 1000, 4000].map(|characters| random.network(2, 14, characters)),
        },
        Problem {
            module: "ode",
            primal: "primal",
            derivative: "gradient",
            inputs: [(100, 100), (1000, 100), (1000, 1000)]
                .map(|(n, s)| json!({"x": random.list(n), "s": s})),
        },
        Problem {
            module: "lse",
            primal: "primal",
            derivative: "gradient",
            inputs: [10_000, 100_000, 1_000_000].map(|n| json!({"x": random.list(n)})),
        },
        Problem {
            module: "llsq",
            primal: "primal",
            derivative: "gradient",
            inputs: [(32, 1000), (32, 10_000), (64, 100_000)]
                .map(|(m, n)| json!({"x": random.list(m), "n": n})),
        },
        Problem {
            module: "det",
            primal: "primal",
            derivative: "gradient",
            inputs: [6, 7, 8].map(|ell| json!({"A": random.list(ell * ell), "ell": ell})),
        },
        Problem {
            module: "kmeans",
            primal: "cost",
            derivative: "dir",
            inputs: [(1000, 4, 16), (10_000, 4, 32), (50_000, 4, 64)].map(
                |(n, d, k)| json!({"points": random.rows(n, d), "centroids": random.rows(k, d)}),
            ),
        },
    ]
}

/// Observations as the suite makes them of one camera, one point and one feature.
fn adjustment((cameras, points, observations): (usize, usize, usize)) -> Value {
    json!({
        "n": cameras, "m": points, "p": observations, "w": 0.5, "feat": [0.25, -0.5], "x": [1.5, 2.0, 5.0],
        "cam": [0.1, -0.2, 0.3, 0.5, 1.0, 1.0, 2.0, 0.1, 0.2, 0.3, 0.4],
    })
}

/// Numbers between -1 and 1: Marsaglia's xorshift (2003), which is enough for measurements.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn list(&mut self, len: usize) -> Vec<f64> {
        (0..len).map(|_| self.number()).collect()
    }

    fn rows(&mut self, rows: usize, columns: usize) -> Vec<Vec<f64>> {
        (0..rows).map(|_| self.list(columns)).collect()
    }

    fn mixture(&mut self, d: usize, k: usize, n: usize) -> Value {
        json!({
            "d": d, "k": k, "n": n, "m": 0, "gamma": 1.0,
            "x": self.rows(n, d), "alpha": self.list(k), "mu": self.rows(k, d),
            "q": self.rows(k, d), "l": self.rows(k, d * (d - 1) / 2),
        })
    }

    fn network(&mut self, layers: usize, width: usize, characters: usize) -> Value {
        json!({
            "main_params": self.rows(2 * layers, 4 * width),
            "extra_params": self.rows(3, width),
            "state": self.rows(2 * layers, width),
            "sequence": self.rows(characters, width),
        })
    }
}
