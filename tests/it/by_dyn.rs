//! Methods of annotated traits that are called of `dyn` values, compared with tangents, differences and closed forms.
#![allow(
    clippy::borrowed_box,
    clippy::explicit_auto_deref,
    clippy::needless_range_loop,
    reason = "values of a `dyn` are reached in all ways"
)]

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use std::rc::Rc;
use std::sync::Arc;

/// Payoffs of options, with a method that the trait gives, one that fills a list, and one without floats.
mod payoffs {
    use backsweep::{Differentiable, adjoint};
    use std::panic::{RefUnwindSafe, UnwindSafe};

    #[adjoint]
    pub trait Payoff: Send + Sync + UnwindSafe + RefUnwindSafe {
        fn value(&self, spot: f64) -> f64;

        fn total(&self, spots: &[f64], weight: f64) -> f64 {
            let mut total = 0.0;
            for spot in spots {
                total += self.value(*spot) * weight;
            }
            total
        }

        fn fill(&self, spots: &[f64], out: &mut [f64]);

        fn both(&self, spot: f64, more: (f64, f64)) -> (f64, f64) {
            (spot * more.0, spot.sin() * more.1)
        }

        fn name(&self) -> &'static str {
            "payoff"
        }
    }

    #[derive(Clone, Differentiable)]
    pub struct Call {
        pub strike: f64,
    }

    #[adjoint]
    impl Payoff for Call {
        fn value(&self, spot: f64) -> f64 {
            if spot > self.strike { (spot - self.strike).powi(2) } else { 0.0 }
        }

        fn fill(&self, spots: &[f64], out: &mut [f64]) {
            out[0] = spots[0] * spots[1] * self.strike;
            out[1] += spots[1];
        }
    }

    #[derive(Clone, Differentiable)]
    pub struct Smooth;

    #[adjoint]
    impl Payoff for Smooth {
        fn value(&self, spot: f64) -> f64 {
            spot.sin()
        }

        fn total(&self, spots: &[f64], weight: f64) -> f64 {
            spots[0] * spots[1] * weight
        }

        fn fill(&self, spots: &[f64], out: &mut [f64]) {
            for i in 0..spots.len() {
                out[i] *= spots[i].exp();
            }
        }

        fn name(&self) -> &'static str {
            "smooth"
        }
    }

    /// Without adjoints.
    pub struct Unannotated;

    impl Payoff for Unannotated {
        fn value(&self, spot: f64) -> f64 {
            spot * spot
        }

        fn fill(&self, _: &[f64], _: &mut [f64]) {}
    }
}

use payoffs::{Call, Payoff, Smooth, Unannotated};

#[adjoint(independents(x), test(payoff: &Call { strike: 0.5 }, x: &[1.2, 0.7]))]
fn of_one(payoff: &dyn Payoff, x: &[f64]) -> f64 {
    payoff.value(x[0]) * x[1]
}

#[adjoint(independents(x), test(book: &[Box::new(Call { strike: 0.3 }), Box::new(Smooth)], x: &[1.2, 0.7]))]
fn of_all(book: &[Box<dyn Payoff>], x: &[f64]) -> f64 {
    let mut out = [1.0, 2.0];
    let mut total = book.iter().map(|payoff| payoff.value(x[0] * x[1])).sum::<f64>();
    for payoff in book {
        total += payoff.total(x, total);
        payoff.fill(x, &mut out);
        let (a, b) = payoff.both(x[0], (total, x[1]));
        total += if payoff.name() == "smooth" { a * b } else { a + b };
    }
    for i in 0..book.len() {
        total += book[i].value(x[i]) * 3.0;
    }
    total + out[0] * out[1]
}

/// What is changed and what is read are not all active: nothing is added for those.
#[adjoint(independents(x), test(payoff: &Call { strike: 0.5 }, x: 1.2))]
fn of_some(payoff: &dyn Payoff, x: f64) -> f64 {
    let mut out = [0.0; 2];
    payoff.fill(&[0.25, 0.5], &mut out);
    let mut counted = [x; 2];
    payoff.fill(&[2.0, 3.0], &mut counted);
    payoff.total(&[0.75, 2.0], x) + payoff.value(2.0) * x + out[0] * x + counted[1]
}

#[adjoint(independents(x), test(payoff: &Smooth, x: 0.7))]
fn price(payoff: &dyn Payoff, x: f64) -> f64 {
    payoff.value(x) * x
}

/// References to what is in boxes are passed on.
#[adjoint(independents(x), test(book: &[Box::new(Call { strike: 0.3 }), Box::new(Smooth)], x: 1.2))]
fn prices(book: &[Box<dyn Payoff>], x: f64) -> f64 {
    let mut total = 0.0;
    for payoff in book {
        total += price(payoff.as_ref(), x) + price(&**payoff, total);
    }
    for payoff in book.iter() {
        let payoff: &dyn Payoff = &**payoff;
        total += payoff.value(x) * price(payoff, x);
    }
    total
}

#[adjoint(independents(x), test(payoffs: &[&Smooth, &Call { strike: 0.1 }], x: 0.7))]
fn of_references(payoffs: &[&dyn Payoff], x: f64) -> f64 {
    let mut total = 0.0;
    for payoff in payoffs {
        total += payoff.value(x) * 2.0;
    }
    total + payoffs[0].value(x * x)
}

#[adjoint(independents(x), test(one: &one(), other: &other(), x: 0.7))]
fn of_counted(one: &Arc<dyn Payoff>, other: &Rc<dyn Payoff>, x: f64) -> f64 {
    one.value(x) * other.value(x * x)
}

fn one() -> Arc<dyn Payoff> {
    Arc::new(Smooth)
}

fn other() -> Rc<dyn Payoff> {
    Rc::new(Call { strike: 0.1 })
}

#[adjoint(independents(x), test(payoff: &Smooth, x: 0.7))]
fn of_one_to_send(payoff: &(dyn Payoff + Send), x: f64) -> f64 {
    payoff.value(x)
}

/// The fields of a struct that is read in the file.
struct Book {
    legs: Vec<Box<dyn Payoff>>,
}

#[adjoint(independents(x))]
fn of_book(book: &Book, x: f64) -> f64 {
    let mut total = 0.0;
    for (i, leg) in book.legs.iter().enumerate() {
        total += leg.value(x) * (i as f64 + 1.0);
    }
    total
}

/// A passive field of a struct that has a bar.
#[derive(Clone, Differentiable)]
struct Weighted {
    #[passive]
    payoff: Rc<dyn Payoff>,
    weight: f64,
}

#[adjoint]
impl Weighted {
    fn value(&self, x: f64) -> f64 {
        let payoff: &Rc<dyn Payoff> = &self.payoff;
        payoff.value(x * self.weight) * self.weight
    }
}

/// What implements the trait holds others.
#[adjoint]
trait Node {
    fn eval(&self, x: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Square {
    k: f64,
}

#[adjoint]
impl Node for Square {
    fn eval(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

struct Sum {
    parts: Vec<Box<dyn Node>>,
}

#[adjoint]
impl Node for Sum {
    #[adjoint(passive(self))]
    fn eval(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for part in &self.parts {
            sum += part.eval(x);
        }
        sum
    }
}

struct Composition {
    outer: Box<dyn Node>,
    inner: Box<dyn Node>,
}

#[adjoint]
impl Node for Composition {
    #[adjoint(passive(self))]
    fn eval(&self, x: f64) -> f64 {
        self.outer.eval(self.inner.eval(x))
    }
}

fn tree() -> Composition {
    let square = |k| Box::new(Square { k });
    let inner = Box::new(Sum { parts: vec![square(0.5), square(1.5)] });
    Composition { outer: square(3.0), inner }
}

#[adjoint(independents(x), test(node: &tree(), x: 0.7))]
fn of_tree(node: &dyn Node, x: f64) -> f64 {
    node.eval(x)
}

#[test]
fn fields_are_told_by_declarations() {
    let book = Book { legs: vec![Box::new(Call { strike: 0.5 }), Box::new(Smooth)] };
    let (value, slope) = of_book::gradient(&book, 1.3);
    assert_relative_eq!(value, 0.64 + 2.0 * 1.3_f64.sin(), max_relative = 1e-14);
    assert_relative_eq!(slope, 1.6 + 2.0 * 1.3_f64.cos(), max_relative = 1e-14);
    let of_book = Weighted { payoff: Rc::new(Smooth), weight: 2.0 };
    let (_, (bar, slope)) = of_book.value_gradient(0.3);
    assert_relative_eq!(slope, 4.0 * 0.6_f64.cos(), max_relative = 1e-14);
    let expected = 0.6_f64.sin() + 0.6 * 0.6_f64.cos();
    assert_relative_eq!(bar.weight, expected, max_relative = 1e-14);
}

#[test]
fn what_implements_the_trait_holds_others() {
    // 3 (2 x²)²
    let (value, slope) = of_tree::gradient(&tree(), 0.7);
    assert_relative_eq!(value, 12.0 * 0.7_f64.powi(4), max_relative = 1e-14);
    assert_relative_eq!(slope, 48.0 * 0.7_f64.powi(3), max_relative = 1e-14);
}

#[test]
#[should_panic = "Unannotated`, which implements the trait without adjoints"]
fn what_has_no_adjoints_is_named() {
    of_one::gradient(&Unannotated, &[1.0, 2.0]);
}

/// It may be called as before.
#[test]
fn what_has_no_adjoints_has_values() {
    assert_eq!(of_one(&Unannotated, &[3.0, 2.0]), 18.0);
}
