//! Modules that import all names of each other, some of them twice.

pub mod common {
    pub mod kinds {
        pub const DENSITY: i32 = 3;
        pub const VISCOSITY: i32 = 4;
    }
    pub mod pairs {
        use super::super::common::*;
        use super::super::regions::one::*;
        use backsweep::adjoint;

        /// Which numbers a pair is made of.
        pub enum Pair {
            PressureTemperature,
            TemperatureDensity,
        }

        #[adjoint]
        pub fn transport<F>(a: f64, b: f64, kind: i32, pair: Pair, thermal: F) -> f64
        where
            F: Fn(f64, f64, i32) -> f64,
        {
            match kind {
                VISCOSITY => match pair {
                    Pair::TemperatureDensity => viscosity(b, a),
                    _ => viscosity(thermal(a, b, DENSITY), b),
                },
                _ => first(a, b),
            }
        }
    }
    pub mod further {
        use backsweep::adjoint;

        #[adjoint]
        pub fn viscosity(density: f64, temperature: f64) -> f64 {
            density * temperature.sqrt()
        }
    }
    pub use self::{further::*, kinds::*, pairs::*};
}

pub mod regions {
    pub mod one {
        use super::super::common::kinds::*;
        use super::super::common::*;
        use super::super::regions::*;
        use backsweep::adjoint;

        #[adjoint]
        pub fn region(p: f64, t: f64, kind: i32) -> f64 {
            match kind {
                VISCOSITY => transport(p, t, kind, Pair::PressureTemperature, thermal),
                _ => thermal(p, t, kind) + transport(p, t, kind, Pair::TemperatureDensity, thermal),
            }
        }

        #[adjoint]
        pub fn first(p: f64, t: f64) -> f64 {
            p - t
        }
    }
    pub mod two {
        use super::super::common::kinds::*;
        use backsweep::adjoint;

        #[adjoint]
        pub fn thermal(p: f64, t: f64, kind: i32) -> f64 {
            if kind == DENSITY { p / t } else { p.sin() * t }
        }
    }
    pub use self::{one::*, two::*};
}
