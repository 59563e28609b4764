//! Second derivatives through operators of user types, against hyper-dual numbers.

use crate::second_methods::{Entries, assert_all_near, assert_is_hessian};
use crate::second_structs::{entries, filled, flat};
use backsweep::{Differentiable, adjoint};
use num_dual::{DualNum, HyperDual64};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

type Dual = HyperDual64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Complex {
    re: f64,
    im: f64,
}

#[adjoint(second_order)]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[adjoint(second_order)]
impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

#[adjoint(second_order)]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

#[adjoint(second_order)]
impl Mul<f64> for Complex {
    type Output = Complex;
    fn mul(self, by: f64) -> Complex {
        Complex { re: self.re * by, im: self.im * by }
    }
}

#[adjoint(second_order)]
impl Mul<Complex> for f64 {
    type Output = Complex;
    fn mul(self, of: Complex) -> Complex {
        Complex { re: self * of.re, im: self * of.im }
    }
}

#[adjoint(second_order)]
impl Div for Complex {
    type Output = Complex;
    fn div(self, by: Complex) -> Complex {
        let size = by.re * by.re + by.im * by.im;
        let turned: Complex = self * Complex { re: by.re, im: -by.im };
        turned * (1.0 / size)
    }
}

#[adjoint(second_order)]
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex { re: -self.re, im: -self.im }
    }
}

#[adjoint(second_order)]
impl AddAssign for Complex {
    fn add_assign(&mut self, other: Complex) {
        self.re += other.re;
        self.im += other.im;
    }
}

/// What is changed is read again.
#[adjoint(second_order)]
impl MulAssign<f64> for Complex {
    fn mul_assign(&mut self, by: f64) {
        self.re *= by;
        self.im *= by * self.re;
    }
}

#[adjoint(second_order)]
impl SubAssign<f64> for Complex {
    fn sub_assign(&mut self, by: f64) {
        self.re -= by;
    }
}

#[adjoint(independents(a, b, k), second_order)]
fn arithmetic(a: Complex, b: Complex, k: f64) -> f64 {
    let mut c: Complex = a * b + a * k - 2.0 * b;
    c += -a;
    c *= k;
    c -= 0.5;
    let d: Complex = c / b;
    let e: Complex = d * d * 3.0;
    e.re * e.im + c.re
}

fn times(a: [Dual; 2], b: [Dual; 2]) -> [Dual; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

#[test]
fn operators_of_values_and_of_numbers() {
    let template = (Complex::default(), Complex::default(), 0.0);
    let entries = entries!(arithmetic, template, |(a, b, k)| (a, b, k), |(a_d, b_d, k_d)| (
        a, a_d, b, b_d, k, k_d
    ));
    assert_is_hessian(&entries, &[0.4, 0.7, -0.3, 1.1, 1.3], |x| {
        let (a, b, k) = ([x[0], x[1]], [x[2], x[3]], x[4]);
        let mut c = times(a, b);
        for i in 0..2 {
            c[i] = c[i] + a[i] * k - b[i] * 2.0 - a[i];
        }
        c[0] *= k;
        c[1] = c[1] * k * c[0];
        c[0] -= 0.5;
        let size = b[0] * b[0] + b[1] * b[1];
        let d = times(c, [b[0] / size, -b[1] / size]);
        let e = times(d, d);
        e[0] * e[1] * 9.0 + c[0]
    });
}

/// Newton's method for a root of z³ = c, in a loop that ends by the values, by operators and a method of which the type is not seen.
#[adjoint(second_order)]
impl Complex {
    #[adjoint]
    fn square(self) -> Complex {
        self * self
    }

    #[adjoint]
    fn size(&self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt()
    }
}

#[adjoint(independents(c), second_order)]
fn root(c: Complex, start: f64) -> f64 {
    let mut z = Complex { re: start, im: 0.3 };
    for _ in 0..4 {
        let value: Complex = z.square() * z - c;
        let slope: Complex = 3.0 * z.square();
        if value.size() < 1e-9 {
            break;
        }
        let step: Complex = value / slope;
        z = z - step;
    }
    z.re * z.size() + z.im
}

#[test]
fn operators_in_loops_and_of_results_of_methods() {
    let entries = entries!(root, Complex::default(), |c| (c, 0.8), |c_d| (c, c_d, 0.8));
    assert_is_hessian(&entries, &[0.9, 0.4], |c| {
        let mut z = [c[0] * 0.0 + 0.8, c[0] * 0.0 + 0.3];
        for _ in 0..4 {
            let square = times(z, z);
            let value = times(square, z);
            let size = (square[0] * square[0] + square[1] * square[1]) * 3.0;
            let turned = [square[0] / size, -square[1] / size];
            let step = times([value[0] - c[0], value[1] - c[1]], turned);
            z = [z[0] - step[0], z[1] - step[1]];
        }
        z[0] * (z[0] * z[0] + z[1] * z[1]).sqrt() + z[1]
    });
}

/// With lists: operands are moved, and clones are what they were.
#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
pub struct Series {
    terms: Vec<f64>,
    at: Complex,
    #[passive]
    scale: f64,
}

#[adjoint(second_order)]
impl Mul for Series {
    type Output = Series;
    fn mul(self, other: Series) -> Series {
        let mut terms: Vec<f64> = self.terms.clone();
        for i in 0..terms.len() {
            terms[i] *= other.terms[i] * other.scale;
        }
        let (a, b): (Complex, Complex) = (self.at, other.at);
        let at: Complex = a + b;
        Series { terms, at, scale: 2.0 }
    }
}

#[adjoint(independents(s), second_order)]
fn product(s: &Series, k: f64) -> f64 {
    let mut all: Series = s.clone();
    for _ in 0..2 {
        let other: Series = s.clone();
        all = all * other;
        let at: Complex = all.at;
        all.at = at * k;
    }
    let (a, b): (Complex, Complex) = (all.at, s.at);
    let both: Complex = a * b;
    all.terms[0] * all.terms[1] * all.scale + both.re
}

#[test]
fn operators_of_structs_with_lists() {
    let series = Series { terms: vec![0.4, 0.7], at: Complex { re: -0.3, im: 1.1 }, scale: 1.5 };
    let entries = entries!(product, series, |s| (&s, 1.3), |s_d| (&s, &s_d, 1.3));
    assert_is_hessian(&entries, &flat(&series), |x| {
        let at = |w: Dual| ((w + w) * 1.3 + w) * 1.3;
        let terms = (x[0] * x[1]).powi(3) * 1.5_f64.powi(4);
        terms * 2.0 + at(x[2]) * x[2] - at(x[3]) * x[3]
    });
}

/// Of a type of which it is not seen that it is a number: the operators of numbers are the same.
type Length = f64;

pub struct Scale {
    by: Length,
}

impl Scale {
    fn by(&self) -> Length {
        self.by
    }
}

#[adjoint(independents(a, b), passive(scale), second_order)]
fn lengths(a: Length, b: Length, scale: &Scale) -> f64 {
    let by: Length = scale.by();
    let mut c: Length = a * b / (a + by);
    c += a;
    c *= b;
    c /= a;
    c -= b * by;
    c %= b;
    let d: Length = -(c % 7.0) - c * a;
    let e: f64 = d;
    e
}

#[test]
fn operators_of_numbers_by_another_name() {
    let scale = Scale { by: 0.6 };
    let at = [0.7, 1.9];
    let of = |x: &[Dual]| {
        let (a, b) = (x[0], x[1]);
        let c = (a * b / (a + 0.6) + a) * b / a - b * 0.6;
        let c = c - b * (c.re / b.re).trunc();
        -(c - 7.0 * (c.re / 7.0).trunc()) - c * a
    };
    let entries = Entries {
        hessian: &|x| lengths::hessian(x[0], x[1], &scale),
        diagonal: &|x| lengths::hessian_diagonal(x[0], x[1], &scale),
        vector: &|x, d| {
            let (value, (a, b), (a_p, b_p)) =
                lengths::hessian_vector(x[0], d[0], x[1], d[1], &scale);
            (value, vec![a, b], vec![a_p, b_p])
        },
        gradient: &|x| {
            let (value, (a, b)) = lengths::gradient(x[0], x[1], &scale);
            assert_eq!(value.to_bits(), lengths(x[0], x[1], &scale).to_bits());
            (value, vec![a, b])
        },
    };
    assert_is_hessian(&entries, &at, of);
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Narrow(f32);

#[adjoint(second_order)]
impl Rem for Narrow {
    type Output = Narrow;
    fn rem(self, by: Narrow) -> Narrow {
        Narrow(self.0 % by.0 * by.0)
    }
}

#[adjoint(second_order)]
impl DivAssign for Narrow {
    fn div_assign(&mut self, by: Narrow) {
        self.0 /= by.0;
    }
}

#[adjoint(independents(a, b), second_order)]
fn narrow(a: Narrow, b: Narrow) -> f32 {
    let mut c: Narrow = a % b;
    c /= a;
    c.0
}

#[test]
fn operators_of_narrow_floats() {
    // (a - 2 b) b / a = b - 2 b² / a for a = 5, b = 2.
    let hessian = narrow::hessian(Narrow(5.0), Narrow(2.0));
    let expected = [-4.0 * 4.0 / 125.0, 8.0 / 25.0, 8.0 / 25.0, -4.0 / 5.0];
    // Of floats of 24 bits.
    let rounded: Vec<f64> = hessian.iter().map(|h| (h * 1e6).round()).collect();
    let wanted: Vec<f64> = expected.iter().map(|h: &f64| (h * 1e6).round()).collect();
    assert_all_near(&rounded, &wanted);
}
