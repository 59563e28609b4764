//! Annotated traits: their methods as callers find them by bounds of type parameters, by the trait that is in scope, and by types. Oracles are
//! differences, and closed forms.

use backsweep::{Differentiable, adjoint};

/// Bodies that the trait gives, functions without receivers, and what overrides them.
mod special {
    use backsweep::adjoint;

    #[adjoint]
    pub trait Special {
        const SCALE: f64;

        fn kernel(x: f64) -> f64;

        fn scaled(x: f64) -> f64 {
            Self::SCALE * (x * x).exp() * Self::kernel(x)
        }

        fn pair(x: f64, y: f64) -> (f64, f64) {
            (Self::kernel(x) * y, x * y)
        }
    }

    pub struct Rational;

    #[adjoint]
    impl Special for Rational {
        const SCALE: f64 = 0.5;

        fn kernel(x: f64) -> f64 {
            1.0 / (1.0 + x * x)
        }
    }

    pub struct Wave;

    #[adjoint]
    impl Special for Wave {
        const SCALE: f64 = 2.0;

        fn kernel(x: f64) -> f64 {
            let mut sum = 0.0;
            for k in 1..4 {
                sum += (f64::from(k) * x).sin() / f64::from(k);
            }
            sum
        }

        fn scaled(x: f64) -> f64 {
            x * Self::kernel(x) * Self::kernel(2.0 * x)
        }
    }
}

/// Methods of floats.
mod on_floats {
    use backsweep::adjoint;

    #[adjoint]
    pub trait Fused {
        fn fused(self, a: f64, b: f64) -> f64;
        fn bump(&mut self, by: f64);
    }

    #[adjoint]
    impl Fused for f64 {
        #[cfg(not(test))]
        fn fused(self, a: f64, b: f64) -> f64 {
            self - a - b
        }

        #[cfg(test)]
        fn fused(self, a: f64, b: f64) -> f64 {
            self * a + b
        }

        fn bump(&mut self, by: f64) {
            *self *= by;
        }
    }
}

use on_floats::Fused as _;
use special::{Rational, Special, Wave};

fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-8 * (1.0 + a.abs().max(b.abs())), "{a} is not {b}");
}

#[adjoint]
fn by_bound<S: Special>(x: f64, y: f64) -> f64 {
    let (a, b) = S::pair(x, S::scaled(y));
    let a: f64 = a;
    let b: f64 = b;
    a * b + S::kernel(y) * S::scaled(x)
}

/// The type has no value, and need not have a size.
#[adjoint]
fn by_type<S: Special + ?Sized>(x: f64) -> f64 {
    S::kernel(x) * S::scaled(x)
}

#[adjoint]
fn of_both(x: f64, y: f64) -> f64 {
    by_bound::<Rational>(x, y) * Wave::kernel(x) - by_bound::<Wave>(y, x)
}

#[test]
fn functions_are_found_by_the_bound() {
    let (x, y) = (0.7, -0.4);
    let (value, (by_x, by_y)) = of_both::gradient(x, y);
    assert_eq!(value, of_both(x, y));
    close(by_x, difference(|x| of_both(x, y), x));
    close(by_y, difference(|y| of_both(x, y), y));
    let (value, slope) = of_both::tangent(x, 1.5, y, -0.25);
    assert_eq!(value, of_both(x, y));
    close(slope, 1.5 * by_x - 0.25 * by_y);
    let (value, slope) = by_type::gradient::<Wave>(x);
    assert_eq!(value, by_type::<Wave>(x));
    close(slope, difference(by_type::<Wave>, x));
    let (value, slope) = by_type::gradient::<Rational>(x);
    assert_eq!(value, by_type::<Rational>(x));
    close(slope, difference(by_type::<Rational>, x));
}

#[adjoint]
fn of_floats(x: f64, y: f64) -> f64 {
    let mut z = x * y;
    z.bump(x.fused(y, x));
    x.fused(y, z).fused(2.0, y.sin())
}

#[test]
fn methods_of_floats_are_found_by_the_trait_in_scope() {
    let (x, y) = (1.3, 0.6);
    let plain = |x: f64, y: f64| (x * y + x * y * (x * y + x)) * 2.0 + y.sin();
    let (value, (by_x, by_y)) = of_floats::gradient(x, y);
    close(value, plain(x, y));
    close(by_x, difference(|x| plain(x, y), x));
    close(by_y, difference(|y| plain(x, y), y));
}

/// Methods with receivers, of types with and without bars.
#[adjoint]
trait Model {
    type Label;

    fn energy(&self, x: &[f64]) -> f64;

    fn twice(&self, x: &[f64]) -> f64 {
        2.0 * self.energy(x) * x[0]
    }

    fn checked(&self, x: f64) -> Option<f64>;

    fn advance(&mut self, by: f64) -> f64;

    fn label(&self) -> Self::Label;
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Quadratic {
    k: f64,
    at: f64,
}

#[adjoint]
impl Model for Quadratic {
    type Label = &'static str;

    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for t in x {
            sum += self.k * (t - self.at) * (t - self.at);
        }
        sum
    }

    fn checked(&self, x: f64) -> Option<f64> {
        if x > self.at { Some(self.k / (x - self.at)) } else { None }
    }

    fn advance(&mut self, by: f64) -> f64 {
        self.at += by * self.k;
        self.at * by
    }

    #[adjoint(skip)]
    fn label(&self) -> &'static str {
        "quadratic"
    }
}

/// It has no bar.
struct Fixed(usize);

#[adjoint]
impl Model for Fixed {
    type Label = usize;

    #[adjoint(passive(self))]
    fn energy(&self, x: &[f64]) -> f64 {
        x[self.0].sin()
    }

    #[adjoint(passive(self))]
    fn checked(&self, x: f64) -> Option<f64> {
        if self.0 == 0 { Some(x * x) } else { None }
    }

    #[adjoint(skip)]
    fn advance(&mut self, by: f64) -> f64 {
        self.0 += 1;
        by
    }

    #[adjoint(skip)]
    fn label(&self) -> usize {
        self.0
    }
}

#[adjoint(passive(m))]
fn of_model<M: Model>(m: &M, x: &[f64]) -> Option<f64> {
    let energy: f64 = m.energy(x);
    let positive: f64 = m.checked(x[1])?;
    let twice: f64 = m.twice(&x[1..]);
    Some(energy * positive + twice)
}

#[adjoint(independents(m, x), dependents(return))]
fn with_model<M: Model + Differentiable>(m: &M, x: &[f64]) -> f64 {
    let energy: f64 = m.energy(x);
    energy * x[0]
}

#[adjoint(independents(m, t), dependents(return, m))]
fn moved(m: &mut Quadratic, t: f64) -> f64 {
    let first: f64 = Quadratic::advance(m, t);
    let second: f64 = Quadratic::advance(m, first * t);
    first * second
}

#[test]
fn methods_are_found_by_the_bound() {
    let x = [0.3, 0.9, -0.5];
    let along = |f: &dyn Fn(&[f64]) -> f64, k: usize| {
        difference(
            |t| {
                let mut moved = x;
                moved[k] = t;
                f(&moved)
            },
            x[k],
        )
    };
    let model = Quadratic { k: 1.7, at: 0.2 };
    for k in 0..3 {
        let of_quadratic = of_model::gradient(&model, &x).expect("a value").1;
        close(of_quadratic[k], along(&|x| of_model(&model, x).expect("a value"), k));
        let of_fixed = of_model::gradient(&Fixed(0), &x).expect("a value").1;
        close(of_fixed[k], along(&|x| of_model(&Fixed(0), x).expect("a value"), k));
    }
    assert!(of_model::gradient(&Fixed(1), &x).is_none());
    assert_eq!((model.label(), Fixed(3).label(), Fixed(1).advance(2.0)), ("quadratic", 3, 2.0));
}

#[test]
fn receivers_have_bars_where_somebody_asks() {
    let (x, model) = ([0.3, 0.9], Quadratic { k: 1.7, at: 0.2 });
    let (value, (of_model, of_x)) = with_model::gradient(&model, &x);
    assert_eq!(value, with_model(&model, &x));
    close(of_model.k, difference(|k| with_model(&Quadratic { k, at: 0.2 }, &x), 1.7));
    close(of_model.at, difference(|at| with_model(&Quadratic { k: 1.7, at }, &x), 0.2));
    close(of_x[1], difference(|t| with_model(&model, &[0.3, t]), 0.9));
}

#[test]
fn receivers_that_change_have_bars_that_change() {
    let run = |k: f64, at: f64, t: f64| {
        let mut model = Quadratic { k, at };
        let value = moved(&mut model, t);
        value + 3.0 * model.at - 2.0 * model.k
    };
    let mut model = Quadratic { k: 0.8, at: 0.4 };
    let mut bar = Quadratic { k: -2.0, at: 3.0 };
    let mut of_t = 0.0;
    moved::adjoint(&mut model, &mut bar, 0.6, &mut of_t, 1.0);
    close(bar.k, difference(|k| run(k, 0.4, 0.6), 0.8));
    close(bar.at, difference(|at| run(0.8, at, 0.6), 0.4));
    close(of_t, difference(|t| run(0.8, 0.4, t), 0.6));
}

/// A trait with parameters of its own and methods with theirs, in a module of which nothing is imported.
mod generic {
    use backsweep::adjoint;

    #[adjoint]
    pub trait Rule<const N: usize> {
        #[adjoint(passive(self))]
        fn apply<S: super::Special>(&self, x: [f64; N]) -> f64;
    }
}

struct Weights([i32; 2]);

#[adjoint]
impl generic::Rule<2> for Weights {
    #[adjoint(passive(self))]
    fn apply<S: Special>(&self, x: [f64; 2]) -> f64 {
        S::kernel(x[0]) * x[1] + f64::from(self.0[0]) * x[0] * f64::from(self.0[1])
    }
}

#[adjoint(passive(rule))]
fn ruled<R: generic::Rule<2>>(rule: &R, x: f64, y: f64) -> f64 {
    let value: f64 = R::apply::<Wave>(rule, [x, x * y]);
    value * y
}

#[test]
fn traits_and_methods_have_parameters() {
    let (rule, x, y) = (Weights([2, 3]), 0.4, 1.1);
    let (_, (by_x, by_y)) = ruled::gradient(&rule, x, y);
    close(by_x, difference(|x| ruled(&rule, x, y), x));
    close(by_y, difference(|y| ruled(&rule, x, y), y));
}

/// What calls itself, and calls that run twice.
#[adjoint]
trait Powers {
    fn power(self, n: u32) -> f64;
}

#[adjoint]
impl Powers for f64 {
    fn power(self, n: u32) -> f64 {
        if n == 0 {
            return 1.0;
        }
        let rest: f64 = self.power(n - 1);
        self * rest
    }
}

#[adjoint]
fn powers(x: f64) -> f64 {
    let cube: f64 = x.power(3);
    cube * x.power(2)
}

#[adjoint]
fn joint<S: Special>(x: f64) -> f64 {
    let kernel: f64 = #[checkpoint]
    S::kernel(x * x);
    kernel * x
}

#[test]
fn methods_may_call_themselves() {
    let (value, slope) = powers::gradient(1.3);
    close(value, 1.3_f64.powi(5));
    close(slope, 5.0 * 1.3_f64.powi(4));
}

#[test]
fn calls_that_run_twice() {
    let (_, slope) = joint::gradient::<Wave>(0.8);
    close(slope, difference(joint::<Wave>, 0.8));
}

/// Of what is returned the files of the crate tell the type.
#[adjoint]
fn long<S: Special>(x: f64, y: f64) -> f64 {
    let z = x.fused(y, x).fused(x, y).fused(y, 2.0 * x);
    (z * S::kernel(x) + S::scaled(z)).sqrt() * x.fused(x, x).powi(2)
}

#[test]
fn types_are_told() {
    let (_, (by_x, by_y)) = long::gradient::<Rational>(0.4, 0.6);
    close(by_x, difference(|x| long::<Rational>(x, 0.6), 0.4));
    close(by_y, difference(|y| long::<Rational>(0.4, y), 0.6));
}
