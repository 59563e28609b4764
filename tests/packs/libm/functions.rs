//! Functions of libm where users call them.

use backsweep::{Differentiable, adjoint, check};
use libm::erfc;
use libm::exp as exponential;

/// The price of a call option, as it is written where there is no standard library.
#[adjoint(independents(spot, strike, rate, volatility, time), test(spot: 100.0, strike: 95.0, rate: 0.03, volatility: 0.2, time: 0.7), second_order)]
fn black_scholes(spot: f64, strike: f64, rate: f64, volatility: f64, time: f64) -> f64 {
    let deviation = volatility * libm::sqrt(time);
    let d1 = (libm::log(spot / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
    spot * normal(d1) - strike * exponential(-rate * time) * normal(d1 - deviation)
}

#[adjoint(independents(x), second_order)]
fn normal(x: f64) -> f64 {
    0.5 * erfc(-x * core::f64::consts::FRAC_1_SQRT_2)
}

#[test]
fn greeks_are_those_of_the_formulas() {
    let (spot, strike, rate, volatility, time) = (100.0_f64, 95.0, 0.03, 0.2, 0.7);
    let (_, greeks) = black_scholes::gradient(spot, strike, rate, volatility, time);
    let deviation = volatility * time.sqrt();
    let d1 = ((spot / strike).ln() + (rate + volatility * volatility / 2.0) * time) / deviation;
    let density = (-d1 * d1 / 2.0).exp() / (2.0 * core::f64::consts::PI).sqrt();
    assert!((greeks.0 - normal(d1)).abs() < 1e-13);
    assert!((greeks.3 - spot * density * time.sqrt()).abs() < 1e-11);
    let of_spot = |along: f64| {
        black_scholes::hessian_vector(
            spot, along, strike, 0.0, rate, 0.0, volatility, 0.0, time, 0.0,
        )
    };
    let (_, _, product) = of_spot(1.0);
    assert!((product.0 - density / (spot * deviation)).abs() < 1e-14, "gamma");
}

/// The density of the gamma distribution, its logarithm.
#[adjoint(independents(x, shape, rate), test(x: 1.5, shape: 2.2, rate: 0.7))]
fn ln_gamma_density(x: f64, shape: f64, rate: f64) -> f64 {
    use libm::{lgamma, log as ln};
    shape * ln(rate) - lgamma(shape) + (shape - 1.0) * ln(x) - rate * x
}

/// Functions as values, in lists and closures.
#[adjoint(independents(x), test(x: &[0.3, -0.4, 0.9]))]
fn in_lists(x: &[f64]) -> f64 {
    let mut powers = vec![libm::sin(x[0]), ::libm::tanh(x[1])];
    powers.push(libm::cos(x[2]));
    let sum: f64 = x.iter().copied().map(libm::erf).sum();
    let scaled = |y: f64| libm::pow(2.0 + y, x[2]);
    sum + powers.iter().map(|power| scaled(*power)).sum::<f64>()
}

/// What they return has a type, which methods, lists and conversions ask for.
#[adjoint(independents(x), test(x: 1.7))]
fn of_known_types(x: f64) -> f64 {
    let mut powers = vec![libm::sin(x); 3];
    powers.push(libm::cos(x));
    let (fraction, whole) = libm::modf(x);
    let parts = [[fraction; 2], [whole; 2]];
    let (mantissa, exponent) = libm::frexp(x);
    let both = vec![libm::sincos(x).0; exponent as usize];
    // Differences see the steps between single floats.
    let single = [libm::expf(0.5); 2];
    let of_parts: f64 = parts.iter().flatten().product();
    powers.iter().chain(&both).sum::<f64>() + of_parts + mantissa * f64::from(single[1])
}

/// What calls them is a method, in a loop.
#[derive(Clone, Differentiable)]
struct Wave {
    frequency: f64,
}

#[adjoint]
impl Wave {
    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for x in x {
            sum += libm::cos(self.frequency * x) * libm::hypot(*x, 1.0);
        }
        sum
    }
}

#[adjoint(independents(frequency, x), test(frequency: 1.3, x: &[0.3, 0.7]))]
fn of_wave(frequency: f64, x: &[f64]) -> f64 {
    let wave = Wave { frequency };
    wave.energy(x)
}

#[adjoint]
mod of_modules {
    pub fn root(x: f64) -> f64 {
        libm::cbrt(x) + libm::fabs(x)
    }
}

#[test]
fn modules_and_methods_call_them() {
    let wave = Wave { frequency: 1.1 };
    assert_eq!(wave.energy(&[0.0]), 1.0);
    let of_root = |x: f64| of_modules::root::gradient(x);
    check::derivative(of_modules::root, of_root, -0.7).assert_passed();
}

/// A module that has the name of the crate has functions of its own.
mod of_own {
    use backsweep::adjoint;

    mod libm {
        use backsweep::adjoint;

        #[adjoint]
        pub fn erf(x: f64) -> f64 {
            2.0 * x
        }
    }

    #[adjoint]
    pub fn twice(x: f64) -> f64 {
        libm::erf(x) + ::libm::erf(0.0 * x)
    }
}

#[test]
fn modules_of_that_name_keep_their_functions() {
    let (value, gradient) = of_own::twice::gradient(1.5);
    assert_eq!(value, 3.0);
    // The slope of the error function at 0 does not count: what it is given is 0 whatever `x` is.
    assert_eq!(gradient, 2.0);
}
