//! Modules whose functions are differentiated together: small functions in place of their calls, functions that take
//! functions.

use backsweep::adjoint;

/// What quadrature, root finding and time stepping are called with.
#[adjoint]
mod methods {
    use super::EARTH;

    /// The composite rule of Simpson.
    pub fn simpson<F: Fn(f64) -> f64>(f: F, lo: f64, hi: f64, n: usize) -> f64 {
        if hi == lo {
            return 0.0;
        }
        let h = (hi - lo) / (2 * n) as f64;
        let mut s = f(lo) + f(hi);
        for k in 1..2 * n {
            let weight = if k % 2 == 1 { 4.0 } else { 2.0 };
            s += weight * f(lo + k as f64 * h);
        }
        s * h / 3.0
    }

    fn bisected(f: &dyn Fn(f64) -> f64, lo: f64, hi: f64) -> f64 {
        let (mut a, mut b) = (lo, hi);
        for _ in 0..3 {
            let m = 0.5 * (a + b);
            if f(m) > 0.0 {
                b = m;
            } else {
                a = m;
            }
        }
        0.5 * (a + b)
    }

    /// A few steps of bisection, then some of Newton, until they are small.
    fn newton(f: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64, lo: f64, hi: f64) -> f64 {
        let mut x = bisected(&f, lo, hi);
        for _ in 0..20 {
            let step = f(x) / slope(x);
            if step.abs() < 1e-14 {
                return x - step;
            }
            x -= step;
        }
        x
    }

    fn euler<F>(mut slope: F, state: &mut [f64], h: f64, steps: usize)
    where
        F: FnMut(&[f64], &mut [f64]),
    {
        let n = state.len();
        let mut rate = vec![0.0; n];
        for _ in 0..steps {
            slope(state, &mut rate);
            for i in 0..n {
                state[i] += h * rate[i];
            }
        }
    }

    fn gaussian(t: f64) -> f64 {
        (-0.5 * t * t).exp()
    }

    pub fn overlap(a: f64, b: f64, width: f64) -> f64 {
        let narrow = |t: f64| gaussian((t - a) / width);
        let both = simpson(|t| narrow(t) * gaussian(t - b), -3.0, 3.0, 12);
        both / simpson(narrow, -3.0, 3.0, 12) + simpson(gaussian, a, b, 2) + simpson(f64::sin, b, b, 3)
    }

    pub fn kepler(m: f64, e: f64) -> f64 {
        newton(|t| t - e * t.sin() - m, |t| 1.0 - e * t.cos(), 0.0, 3.2)
    }

    pub fn thrown(speed: f64, drag: f64, steps: usize) -> f64 {
        let mut state = [0.0, speed];
        let mut highest = 0.0;
        euler(
            |s, rate| {
                rate[0] = s[1];
                rate[1] = -EARTH - drag * s[1] * s[1].abs();
                if s[0] > highest {
                    highest = s[0];
                }
            },
            &mut state,
            0.05,
            steps,
        );
        highest + state[0] * state[1]
    }

    pub fn table(x: &[f64], rate: f64) -> f64 {
        let each = x.iter().map(|t| simpson(|s| (s * t * rate).cos(), 0.0, *t, 3));
        each.sum::<f64>().sqrt()
    }
}

const EARTH: f64 = 9.81;

/// A quotient of integrals.
#[adjoint]
#[sample(0.3, -0.4, 0.7)]
#[sample(0.3, 0.3, 1.2)]
pub fn overlap(a: f64, b: f64, width: f64) -> f64 {
    methods::overlap(a, b, width)
}

/// The equation of Kepler, by a method that is given the equation.
#[adjoint]
#[sample(0.8, 0.3)]
#[sample(2.0, 0.6)]
pub fn kepler_by_newton(m: f64, e: f64) -> f64 {
    methods::kepler(m, e)
}

/// A closure that writes to what it captures, in a loop of the function it is given to.
#[adjoint]
#[sample(10.0, 0.02, 12)]
#[sample(10.0, 0.02, 30)]
#[sample(10.0, 0.02, 0)]
pub fn thrown(speed: f64, drag: f64, steps: usize) -> f64 {
    methods::thrown(speed, drag, steps)
}

/// A closure in a closure in an iterator.
#[adjoint]
#[sample([0.5, 0.8, 1.1], 0.7)]
pub fn table_of_integrals(x: &[f64], rate: f64) -> f64 {
    methods::table(x, rate)
}

/// Small functions that are called in loops.
#[adjoint]
mod particles {
    fn softened(d: f64) -> f64 {
        d * d + super::SOFTENING
    }

    fn attraction(m: f64, d: f64) -> f64 {
        if d.abs() > 4.0 {
            return 0.0;
        }
        let r = softened(d);
        -m * d / (r * r.sqrt())
    }

    fn advance(x: &mut f64, v: &mut f64, h: f64) {
        *x += h * *v;
        if *x < -1.0 {
            *v = -*v;
            return;
        }
        *v *= 1.0 - 0.1 * h;
    }

    fn centre(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for t in x {
            s += t;
        }
        s / x.len() as f64
    }

    fn spread(x: &[f64], mut shift: f64) -> f64 {
        shift += centre(x);
        let d = x[0] - shift;
        d * d
    }

    pub fn steps(at: &mut [f64], speed: &mut [f64], masses: &[f64], h: f64, count: usize) -> f64 {
        let n = at.len();
        let mut index = 0;
        for _ in 0..count {
            for i in 0..n {
                let mut a = 0.0;
                for j in 0..n {
                    if i != j {
                        a += attraction(masses[j], at[i] - at[j]);
                    }
                }
                speed[i] += h * a;
            }
            for i in 0..n {
                advance(&mut at[i], &mut speed[i], h);
            }
            index = (index + 1) % (n - 1);
            advance(&mut at[index], &mut speed[index + 1], 0.5 * h);
        }
        centre(&at[1..]) + spread(&*at, h) * spread(&speed[..n - 1], 0.5)
    }

    pub fn even(x: f64, n: usize) -> f64 {
        if n == 0 { x } else { odd(x * x, n - 1) * softened(x) }
    }

    pub fn odd(x: f64, n: usize) -> f64 {
        if n == 0 { 1.0 } else { even(x.sin(), n - 1) + x }
    }
}

const SOFTENING: f64 = 0.05;

/// Particles on a line, with a wall.
#[adjoint]
#[sample([-0.9, 0.4, 1.3], [-2.0, 0.3, 0.1], [1.0, 0.5, 2.0], 0.05, 4)]
#[sample([-0.9, 0.4, 6.3], [-2.0, 0.3, 0.1], [1.0, 0.5, 2.0], 0.1, 3)]
pub fn particles_on_a_line(
    at: &[f64],
    speed: &[f64],
    masses: &[f64],
    h: f64,
    count: usize,
) -> f64 {
    let (mut at, mut speed) = (at.to_vec(), speed.to_vec());
    particles::steps(&mut at, &mut speed, masses, h, count)
}

/// Functions that call each other.
#[adjoint]
#[sample(0.7, 5)]
#[sample(0.7, 0)]
pub fn by_turns(x: f64, n: usize) -> f64 {
    particles::even(x, n) + particles::odd(0.5 * x, n)
}
