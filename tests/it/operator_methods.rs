//! Operators that are called as methods, `x.mul(y)`, with their traits in scope; methods that return pairs.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use core::ops::*;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair {
    x: f64,
    y: f64,
}

#[adjoint]
impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        Pair { x: self.x.add(other.x), y: self.y.add(other.y) }
    }
}

#[adjoint]
impl Mul<f64> for Pair {
    type Output = Pair;

    fn mul(self, factor: f64) -> Pair {
        Pair { x: self.x.mul(factor), y: self.y.mul(factor) }
    }
}

#[adjoint]
impl Neg for Pair {
    type Output = Pair;

    fn neg(self) -> Pair {
        Pair { x: self.x.neg(), y: self.y.neg() }
    }
}

#[adjoint]
impl SubAssign<Pair> for Pair {
    fn sub_assign(&mut self, other: Pair) {
        self.x.sub_assign(other.x);
        self.y.sub_assign(other.y);
    }
}

#[adjoint]
impl Pair {
    fn area(self) -> f64 {
        self.x.mul(self.y).div(2.0)
    }
}

#[adjoint(independents(p, t), dependents(return))]
fn through_operators(p: Pair, t: f64) -> f64 {
    let mut q = -(p + p * t);
    q -= p;
    q.area() + t.rem(0.7)
}

/// On numbers and elements, in place, with operands that are expressions.
#[adjoint]
fn on_numbers(x: &[f64], n: usize) -> f64 {
    let mut total = x[0].sub(x[1]);
    for k in 0..n.add(1) {
        total.add_assign((x[k] + 1.0).mul(x[k]).neg());
        total.mul_assign(1.5);
    }
    total
}

/// A method of the user's of that name, in the same block.
#[derive(Clone, Copy, Differentiable)]
struct Single(f64);

#[adjoint]
impl Single {
    fn add(self, other: f64) -> f64 {
        self.0 * 3.0 + other
    }

    fn more(self) -> f64 {
        self.add(1.0).mul(self.0)
    }
}

#[adjoint(independents(s), dependents(return))]
fn own_method(s: Single) -> f64 {
    s.more()
}

#[adjoint]
fn both(x: f64) -> (f64, f64) {
    f64::sin_cos(x * x)
}

#[adjoint(independents(p), dependents(return))]
fn pairs(p: Pair) -> f64 {
    let pair = p.x.sin_cos();
    let (s, c) = f64::sin_cos(p.y);
    let (s_2, c_2) = both(p.x * p.y);
    pair.0 * c + pair.1 * s * s_2.mul(c_2)
}

#[test]
fn sine_and_cosine_as_a_pair() {
    let (x, y) = (0.7_f64, -0.4_f64);
    let (value, gradient) = pairs::gradient(Pair { x, y });
    let square = (x * y) * (x * y);
    let product = square.sin() * square.cos();
    assert_eq!(value, x.sin() * y.cos() + x.cos() * y.sin() * product);
    let slope = (2.0 * square).cos() * 2.0 * (x * y);
    let by_x = x.cos() * y.cos() - x.sin() * y.sin() * product;
    let by_y = -x.sin() * y.sin() + x.cos() * y.cos() * product;
    let both = x.cos() * y.sin() * slope;
    approx::assert_relative_eq!(gradient.x, by_x + both * y, max_relative = 1e-13);
    approx::assert_relative_eq!(gradient.y, by_y + both * x, max_relative = 1e-13);
}

#[test]
fn operators_of_structs() {
    let p = Pair { x: 1.25, y: -0.5 };
    let (_, (p_g, t_g)) = through_operators::gradient(p, 0.4);
    // q = -(2 + t)·p: the product is (2 + t)²·x·y / 2, and t % 0.7 has the derivative 1.
    let scale = 2.4_f64;
    approx::assert_relative_eq!(p_g.x, scale * scale * p.y / 2.0, max_relative = 1e-14);
    approx::assert_relative_eq!(p_g.y, scale * scale * p.x / 2.0, max_relative = 1e-14);
    approx::assert_relative_eq!(t_g, scale * p.x * p.y + 1.0, max_relative = 1e-14);
}

#[test]
fn operators_of_numbers() {
    let x = [0.3, 0.8, -1.1];
    let value = on_numbers(&x, 2);
    let (same, gradient) = on_numbers::gradient(&x, 2);
    assert_eq!(value, same);
    // Each term is weighted with the factors after it.
    let weights = [1.5_f64.powi(3), 1.5_f64.powi(2), 1.5];
    for k in 0..3 {
        let first = [1.5_f64.powi(3), -(1.5_f64.powi(3)), 0.0][k];
        let expected = first - weights[k] * (2.0 * x[k] + 1.0);
        approx::assert_relative_eq!(gradient[k], expected, max_relative = 1e-14);
    }
}

#[test]
fn a_method_of_the_user() {
    let (value, gradient) = own_method::gradient(Single(0.5));
    assert_eq!((value, gradient.0), (1.25, 4.0));
}

/// A type with a method of its own beside the operator: without a derivative the call stays what it is.
#[derive(Clone, Copy)]
struct Step(usize);

impl Step {
    #[allow(clippy::should_implement_trait, reason = "that is the point")]
    fn mul(self, factor: usize) -> usize {
        self.0 * factor + 100
    }
}

impl Mul<usize> for Step {
    type Output = usize;

    fn mul(self, factor: usize) -> usize {
        self.0 * factor
    }
}

struct Plan {
    step: Step,
}

#[adjoint(independents(x), passive(plan))]
fn with_plain_data(x: f64, plan: &Plan) -> f64 {
    x * plan.step.mul(3) as f64
}

#[test]
fn a_method_of_plain_data_stays_what_it_is() {
    let plan = Plan { step: Step(2) };
    assert_eq!(with_plain_data(0.5, &plan), 53.0);
    assert_eq!(with_plain_data::gradient(0.5, &plan), (53.0, 106.0));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Couple {
    a: f64,
    b: f64,
}

#[adjoint]
impl Couple {
    fn length(self) -> f64 {
        self.a.mul(self.a).add(self.b.mul(self.b)).sqrt()
    }

    fn normalized(self) -> Self {
        self.div(self.length())
    }

    fn mirrored(&self) -> Couple {
        let turned = self.neg();
        (*self).mul(turned.a)
    }

    fn grow(&mut self, by: f64) {
        self.mul_assign(by);
        self.add_assign(Couple { a: by, b: 1.0 });
    }
}

/// Nothing else tells whether `self.neg()` on a `&self` is the operator on references.
#[test]
fn an_operator_of_references_is_proved_not_to_be_found_first() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("it/operator_methods.rs");
    let text = std::fs::read_to_string(&path).expect("this file");
    let at = text.find("impl Couple").expect("the block");
    let line = text[..at].matches('\n').count() + 1;
    let end = at + text[at..].find("\n}").expect("its end") + 2;
    let place = ad_analysis::context::Place { file: path, line, column: 1 };
    let block = text[at..end].parse().expect("tokens");
    let code = ad_analysis::expand_in(Default::default(), block, Some(&place)).to_string();
    let proved: Vec<&str> = code.split("impl < T > __OfReferences for & T").skip(1).collect();
    assert!(!proved.is_empty(), "there is no proof");
    let is_of_negation = |proof: &&str| proof.contains(". neg ()");
    assert!(proved.iter().all(is_of_negation), "`*self` is a value, and `&mut` is found at once");
}

#[adjoint]
impl Mul<f64> for Couple {
    type Output = Couple;

    fn mul(self, factor: f64) -> Couple {
        Couple { a: self.a.mul(factor), b: self.b.mul(factor) }
    }
}

#[adjoint]
impl Mul<Couple> for f64 {
    type Output = Couple;

    /// `self.mul(…)` is the operator of two numbers.
    fn mul(self, pair: Couple) -> Couple {
        Couple { a: self.mul(pair.a), b: self.mul(pair.b) }
    }
}

#[adjoint]
impl Mul for Couple {
    type Output = f64;

    fn mul(self, other: Couple) -> f64 {
        self.a.mul(other.a).add(self.b.mul(other.b))
    }
}

#[adjoint]
impl Div<f64> for Couple {
    type Output = Couple;

    /// Another operator.
    fn div(self, by: f64) -> Couple {
        self.mul(1.0 / by)
    }
}

#[adjoint]
impl Neg for Couple {
    type Output = Couple;

    fn neg(self) -> Couple {
        self.mul(-1.0)
    }
}

#[adjoint]
impl MulAssign<f64> for Couple {
    fn mul_assign(&mut self, factor: f64) {
        *self = self.mul(factor);
    }
}

#[adjoint]
impl AddAssign for Couple {
    fn add_assign(&mut self, other: Couple) {
        self.a.add_assign(other.a);
        self.b += other.b;
    }
}

#[adjoint(independents(pair, factor), dependents(return))]
fn of_pairs(pair: Couple, factor: f64) -> f64 {
    let unit: Couple = pair.normalized();
    let scaled: Couple = factor * unit;
    let mirrored: Couple = scaled.mirrored();
    mirrored * pair + mirrored.b
}

#[test]
fn operators_of_self() {
    let of = |a, b, factor| of_pairs(Couple { a, b }, factor);
    let (a, b, factor, h) = (0.8, -0.3, 1.7, 1e-6);
    let (value, (of_pair, by_factor)) = of_pairs::gradient(Couple { a, b }, factor);
    assert_eq!(value, of(a, b, factor));
    let differences = [
        (of(a + h, b, factor) - of(a - h, b, factor)) / (2.0 * h),
        (of(a, b + h, factor) - of(a, b - h, factor)) / (2.0 * h),
        (of(a, b, factor + h) - of(a, b, factor - h)) / (2.0 * h),
    ];
    for (exact, difference) in [of_pair.a, of_pair.b, by_factor].into_iter().zip(differences) {
        assert_relative_eq!(exact, difference, max_relative = 1e-8);
    }
}

#[test]
fn operators_that_change_self() {
    let (mut pair, mut bar, mut by_b) =
        (Couple { a: 2.0, b: 3.0 }, Couple { a: 1.0, b: 10.0 }, 0.0);
    pair.grow_adjoint(&mut bar, 0.5, &mut by_b);
    assert_eq!(pair, Couple { a: 1.5, b: 2.5 });
    assert_eq!((bar, by_b), (Couple { a: 0.5, b: 5.0 }, 2.0 + 30.0 + 1.0));
}

/// What no derivative passes through needs none.
impl Div<f64> for Pair {
    type Output = Pair;

    fn div(self, size: f64) -> Pair {
        Pair { x: self.x / size, y: self.y / size }
    }
}

impl Pair {
    fn cell(self) -> (i64, i64) {
        (self.x.floor() as i64, self.y.floor() as i64)
    }
}

#[adjoint]
fn checkerboard(p: Pair, size: f64) -> f64 {
    let cell = (p / size).cell();
    if (cell.0 ^ cell.1) & 1 == 0 { size * size } else { -size }
}

#[test]
fn methods_of_what_operators_give_may_decide() {
    let p = Pair { x: 0.7, y: 1.3 };
    for (size, slope) in [(0.5, -1.0), (2.0, 4.0)] {
        let (value, (p_b, size_b)) = checkerboard::gradient(p, size);
        assert_eq!(value, checkerboard(p, size));
        assert_eq!((p_b.x, p_b.y, size_b), (0.0, 0.0, slope));
    }
}
