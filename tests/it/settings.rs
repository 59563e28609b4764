//! Types of the crate whose declarations have texts, lists, collections and other such types in them, and no floats: settings. They are constants
//! without being called so, and stored.
#![allow(
    clippy::collapsible_if,
    clippy::collapsible_match,
    clippy::needless_range_loop,
    dead_code,
    reason = "as users write it"
)]

use crate::differences::assert_derivatives;

mod ode {
    use backsweep::{Differentiable, adjoint};
    pub mod settings {
        use std::collections::BTreeMap;
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scheme {
            Euler,
            Heun,
        }
        #[derive(Clone, Debug)]
        pub enum Output {
            None,
            File(String),
            Points { at: Vec<usize>, every: Option<usize> },
        }
        #[derive(Clone, Debug)]
        pub struct Settings {
            pub scheme: Scheme,
            pub output: Output,
            pub names: BTreeMap<String, usize>,
            pub limits: [(u32, bool); 2],
        }
        impl Settings {
            pub fn new(scheme: Scheme) -> Self {
                Settings {
                    scheme,
                    output: Output::Points { at: vec![1, 2], every: None },
                    names: [("a".to_string(), 1)].into_iter().collect(),
                    limits: [(1, true), (3, false)],
                }
            }
            pub fn is_heun(&self) -> bool {
                self.scheme == Scheme::Heun
            }
            pub fn index(&self, name: &str) -> Option<usize> {
                self.names.get(name).copied()
            }
        }
    }
    use settings::{Output, Scheme, Settings};
    #[adjoint]
    pub fn step(y: f64, h: f64, settings: &Settings) -> f64 {
        let k = -y * y;
        match settings.scheme {
            Scheme::Euler => y + h * k,
            Scheme::Heun => {
                let z = y + h * k;
                y + 0.5 * h * (k - z * z)
            }
        }
    }
    #[adjoint]
    pub fn run(x: &[f64], settings: &Settings) -> f64 {
        let mut y = x[0];
        let mut out = 0.0;
        for n in 0..4 {
            y = step(y, x[1], settings);
            match &settings.output {
                Output::None => {}
                Output::File(name) => {
                    if name.is_empty() {
                        out += y;
                    }
                }
                Output::Points { at, every } => {
                    if at.contains(&n) {
                        out += y * x[2];
                    }
                    if let Some(every) = every {
                        if n % every == 0 {
                            out += y;
                        }
                    }
                }
            }
            if settings.is_heun() {
                out *= x[3].sqrt();
            }
        }
        out + x[settings.index("a").unwrap_or(0)]
    }
    #[adjoint]
    pub fn both(x: &[f64]) -> f64 {
        let mut total = 0.0;
        let mut settings = Settings::new(Scheme::Euler);
        for k in 0..3 {
            if k == 1 {
                settings.scheme = Scheme::Heun;
            }
            if k == 2 {
                settings = Settings::new(Scheme::Heun);
                settings.output = Output::File(String::new());
            }
            total += run(x, &settings) * (1.0 + k as f64);
        }
        total
    }
    #[adjoint]
    pub fn several(x: &[f64]) -> f64 {
        let all = vec![Settings::new(Scheme::Euler), Settings::new(Scheme::Heun)];
        let mut total: f64 = 0.0;
        for settings in &all {
            total += run(x, settings) * total.cos();
            total += x[all.len()];
        }
        for (i, settings) in all.iter().enumerate() {
            if settings.is_heun() {
                total *= x[i];
            }
        }
        total
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Solver {
        #[passive]
        pub settings: Settings,
        pub state: f64,
    }
    #[adjoint]
    impl Solver {
        pub fn advance(&mut self, h: f64) {
            self.state = step(self.state, h, &self.settings);
        }
    }
    #[adjoint]
    pub fn solver(x: &[f64]) -> f64 {
        let mut solver = Solver { settings: Settings::new(Scheme::Heun), state: x[0] };
        for i in 1..4 {
            solver.advance(x[i] * 0.1);
        }
        solver.state
    }
}

/// A network.
mod network {
    use backsweep::adjoint;

    #[derive(Clone, Debug, PartialEq)]
    pub enum Loss {
        Squared,
        Huber,
    }
    #[derive(Clone, Debug)]
    pub struct Config {
        layers: Vec<usize>,
        name: String,
        loss: Loss,
    }
    impl Config {
        pub fn new() -> Self {
            Config { layers: vec![2, 3], name: "net".into(), loss: Loss::Huber }
        }
        pub fn depth(&self) -> usize {
            self.layers.len()
        }
    }
    #[adjoint]
    pub fn of_a_variable(x: &[f64]) -> f64 {
        let config = Config::new();
        let mut t = 0.0;
        for (i, n) in config.layers.iter().enumerate() {
            t += x[i] * x[i + 1] * *n as f64;
            if config.loss == Loss::Huber && t > 3.0 {
                t = t.sqrt();
            }
        }
        t * config.depth() as f64
    }
    #[adjoint]
    pub fn of_variables_in_a_loop(x: &[f64]) -> f64 {
        let mut t = 0.0;
        for k in 0..3 {
            let config = Config { layers: vec![k, 3], name: "net".into(), loss: Loss::Huber };
            t += x[k] * x[k + 1] * config.layers[0] as f64 + t * config.depth() as f64 * 0.1;
        }
        t
    }
    #[adjoint]
    pub fn h(x: &[f64], config: &Config) -> f64 {
        let mut t = 0.0;
        for (i, n) in config.layers.iter().enumerate() {
            t += x[i] * x[i + 1] * *n as f64;
        }
        t
    }
    #[adjoint]
    pub fn of_a_parameter(x: &[f64]) -> f64 {
        h(x, &Config::new())
    }
}

/// Data with floats that derives nothing, and owns lists.
mod data {
    use backsweep::adjoint;

    struct Data {
        v: Vec<f64>,
        name: String,
        t: [f64; 2],
        k: Option<Box<Data>>,
    }

    impl Data {
        fn new(n: usize) -> Self {
            Data { v: vec![1.0 + n as f64; n], name: "a".into(), t: [1.0, 2.0], k: None }
        }
    }

    #[adjoint]
    pub fn of_data(x: &[f64]) -> f64 {
        let mut s: f64 = 0.1;
        for n in 1..4 {
            let d = Data::new(n);
            for t in &d.v {
                s += t * x[0] * x[n] * s;
            }
            s *= d.t[1];
            let w = d.v[0];
            s = (0.1 * s).tanh() * w;
        }
        s
    }
}

#[test]
fn settings_are_constants() {
    use data::of_data;
    use network::{of_a_parameter, of_a_variable, of_variables_in_a_loop};
    use ode::{both, several, solver};
    assert_derivatives!([0.7, 1.3, 0.4, 2.0], [1.0, -1.0, 0.5, 0.25]; of_data of_a_variable of_variables_in_a_loop of_a_parameter both several solver);
}
