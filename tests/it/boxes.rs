//! Types that hold each other in boxes, and what is in a `Box` otherwise, compared with tangents and differences.
#![allow(
    clippy::boxed_local,
    clippy::explicit_auto_deref,
    clippy::manual_flatten,
    clippy::misrefactored_assign_op,
    reason = "what is in a box is reached in all ways"
)]

use backsweep::{Differentiable, adjoint};

/// An expression that is interpreted.
#[derive(Clone, Debug, Differentiable)]
enum Formula {
    Constant(f64),
    Variable(usize),
    Sum(Box<Formula>, Box<Formula>),
    Product(Box<Formula>, Box<Formula>),
    Exponential(Box<Formula>),
}

#[adjoint]
impl Formula {
    #[adjoint(independents(self, x))]
    fn value(&self, x: &[f64]) -> f64 {
        match self {
            Formula::Constant(value) => *value,
            Formula::Variable(number) => x[*number],
            Formula::Sum(a, b) => a.value(x) + b.value(x),
            Formula::Product(a, b) => a.value(x) * b.value(x),
            Formula::Exponential(a) => a.value(x).exp(),
        }
    }
}

fn formula() -> Formula {
    use Formula::{Constant, Exponential, Product, Sum, Variable};
    let [zero, one] = [0, 1].map(|number| Box::new(Variable(number)));
    let [three, half] = [3.0, 0.5].map(|value| Box::new(Constant(value)));
    let inner = Box::new(Product(one, half));
    Sum(Box::new(Product(zero, three)), Box::new(Exponential(inner)))
}

#[adjoint(independents(f, x), test(f: &formula(), x: &[0.3, 0.9]))]
fn value_of(f: &Formula, x: &[f64]) -> f64 {
    f.value(x)
}

/// The same as a function, which gets what is in a `Box` in all ways.
#[adjoint(independents(x), test(f: &formula(), x: &[0.3, 0.9]))]
fn interpreted(f: &Formula, x: &[f64]) -> f64 {
    match f {
        Formula::Constant(value) => *value,
        Formula::Variable(number) => x[*number],
        Formula::Sum(a, b) => interpreted(a, x) + interpreted(b, x),
        Formula::Product(a, b) => interpreted(a.as_ref(), x) * interpreted(&**b, x),
        Formula::Exponential(a) => interpreted(a, x).exp(),
    }
}

/// Patterns look into boxes.
#[adjoint(independents(f), test(f: &Formula::Exponential(Box::new(Formula::Constant(0.3)))))]
fn looked_into(f: &Formula) -> f64 {
    match f {
        Formula::Exponential(inner) => match &**inner {
            Formula::Constant(value) => value * value * value,
            _ => 0.0,
        },
        Formula::Sum(a, b) => match (a.as_ref(), b.as_ref()) {
            (Formula::Constant(x), Formula::Constant(y)) => x * y,
            _ => 1.0,
        },
        _ => 0.0,
    }
}

#[test]
fn the_gradient_of_a_formula() {
    let (value, (f_g, x_g)) = value_of::gradient(&formula(), &[0.3, 0.9]);
    let e = 0.45_f64.exp();
    assert_eq!(value, 0.3 * 3.0 + e);
    assert_eq!(x_g, [3.0, e * 0.5]);
    let Formula::Sum(product, exponential) = f_g else { panic!("it has the shape of the formula") };
    let (Formula::Product(_, three), Formula::Exponential(inner)) = (*product, *exponential) else {
        panic!("it has the shape of the formula")
    };
    let Formula::Product(_, half) = *inner else { panic!("it has the shape of the formula") };
    let (Formula::Constant(three), Formula::Constant(half)) = (*three, *half) else {
        panic!("it has the shape of the formula")
    };
    assert_eq!([three, half], [0.3, e * 0.9]);
}

/// A tree with children that may not be there.
#[derive(Clone, Debug, Default, Differentiable)]
struct Cell {
    mass: f64,
    centre: [f64; 2],
    children: [Option<Box<Cell>>; 2],
}

#[adjoint]
impl Cell {
    fn potential(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = (self.centre[0] - x, self.centre[1] - y);
        let mut potential = self.mass / (dx * dx + dy * dy + 0.01).sqrt();
        for child in &self.children {
            if let Some(child) = child {
                potential += child.potential(x, y);
            }
        }
        potential
    }

    fn total(&self) -> f64 {
        self.mass + self.children.iter().flatten().map(|child| child.total()).sum::<f64>()
    }
}

fn cell() -> Cell {
    let child = Cell { mass: 2.0, centre: [1.0, 0.5], children: [None, None] };
    Cell { mass: 1.0, centre: [0.1, 0.2], children: [Some(Box::new(child)), None] }
}

#[adjoint(independents(cell, at), test(cell: &cell(), at: &[0.7, 0.8]))]
fn attraction(cell: &Cell, at: &[f64; 2]) -> f64 {
    cell.potential(at[0], at[1]) * cell.total()
}

/// A list as a chain.
#[derive(Clone, Debug, Differentiable)]
struct Chain {
    value: f64,
    next: Option<Box<Chain>>,
}

#[adjoint]
impl Chain {
    fn scale(&mut self, factor: f64) {
        self.value *= factor;
        if let Some(next) = &mut self.next {
            next.scale(factor * factor);
        }
    }

    fn sum(&self) -> f64 {
        match &self.next {
            Some(next) => self.value + next.sum(),
            None => self.value,
        }
    }

    fn last(&self) -> f64 {
        if let Some(next) = self.next.as_deref() { next.last() } else { self.value }
    }
}

fn chain() -> Chain {
    let next = Some(Box::new(Chain { value: 3.0, next: None }));
    Chain { value: 2.0, next }
}

#[adjoint(independents(chain, factor), test(chain: &chain(), factor: 1.5))]
fn scaled(chain: &Chain, factor: f64) -> f64 {
    let mut scaled = chain.clone();
    scaled.scale(factor);
    scaled.sum() * scaled.sum() + scaled.last()
}

#[adjoint(independents(chain, factor), second_order, test(chain: &chain(), factor: 1.5))]
fn folded(chain: &Chain, factor: f64) -> f64 {
    let head = chain.value * factor;
    match &chain.next {
        Some(next) => head * folded(next, factor),
        None => head * head,
    }
}

#[adjoint(independents(chain), test(chain: &chain()))]
fn two_of(chain: &Chain) -> f64 {
    let Some(next) = &chain.next else { return 0.0 };
    next.value * chain.value + chain.next.as_ref().map_or(0.0, |next| next.value.sin())
}

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weight: f64,
    bias: f64,
}

#[adjoint]
impl Layer {
    fn apply(&self, x: f64) -> f64 {
        (self.weight * x + self.bias).tanh()
    }

    fn step(&mut self, rate: f64) {
        self.weight *= rate;
        self.bias += rate * self.weight;
    }
}

/// Boxes of structs, numbers, tuples and lists.
#[derive(Clone, Debug, Differentiable)]
struct Network {
    first: Box<Layer>,
    second: Box<Layer>,
    scale: Box<f64>,
    pair: Box<(f64, f64)>,
    table: Box<[f64; 2]>,
}

fn network() -> Network {
    Network {
        first: Box::new(Layer { weight: 0.3, bias: 0.2 }),
        second: Box::new(Layer { weight: 0.5, bias: 0.1 }),
        scale: Box::new(2.0),
        pair: Box::new((0.4, 0.6)),
        table: Box::new([0.7, 0.8]),
    }
}

#[adjoint(independents(network, x), test(network: &network(), x: 0.4))]
fn overwritten(network: &Network, x: f64) -> f64 {
    let mut own = network.clone();
    let before = own.first.weight * own.first.weight;
    *own.first = Layer { weight: x * own.first.weight, bias: x };
    own.first.weight *= own.first.weight;
    own.second.bias = own.first.weight * before;
    *own.scale *= *own.scale;
    own.table[0] *= own.table[1] * x;
    own.pair.0 = own.pair.0 * own.pair.1;
    before * own.first.weight
        + own.second.apply(own.first.apply(x))
        + *own.scale * own.table[0]
        + own.pair.0
}

#[adjoint(independents(network, x), test(network: &network(), x: 0.4))]
fn copied(network: &Network, x: f64) -> f64 {
    let mut first = network.first.clone();
    first.weight *= x * first.weight;
    first.step(x);
    let second = (*network.second).clone();
    let again = &mut first;
    again.bias *= again.weight;
    first.apply(x) * second.bias
}

#[adjoint(independents(network, x), test(network: network(), x: 0.4))]
fn moved(network: Network, x: f64) -> f64 {
    let first = *network.first;
    let second = network.second;
    first.apply(x) * second.apply(x)
}

#[adjoint(independents(network, x), test(network: &network(), x: 0.4))]
fn in_a_loop(network: &Network, x: f64) -> f64 {
    let mut own = network.clone();
    let mut y = x;
    for round in 0..3 {
        let first = &mut own.first;
        first.weight *= y;
        first.step(y);
        y = first.apply(y) * own.second.weight;
        if round == 1 {
            own.second.weight *= y;
        }
        for value in network.table.iter() {
            y += value * 0.1;
        }
    }
    y
}

#[adjoint(independents(layer, x), test(layer: Box::new(Layer { weight: 0.3, bias: 0.2 }), x: 0.4))]
fn of_a_box(layer: Box<Layer>, x: f64) -> f64 {
    layer.apply(x)
}

#[adjoint(
    independents(layers, x),
    test(layers: &[Box::new(Layer { weight: 0.3, bias: 0.2 }), Box::new(Layer { weight: 0.1, bias: 0.5 })], x: 0.4)
)]
fn of_boxes(layers: &[Box<Layer>], x: f64) -> f64 {
    let mut y = x;
    for layer in layers {
        y = layer.apply(y);
    }
    layers.iter().fold(y, |y, layer| layer.apply(y))
}

/// Reactions: boxes are made of what is active.
mod reactions {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Debug, Differentiable)]
    pub enum Rate {
        Constant(f64),
        Arrhenius { a: f64, ea: f64 },
        ThirdBody { low: Box<Rate>, high: Box<Rate> },
    }

    const R: f64 = 8.314e-3;

    #[adjoint]
    impl Rate {
        pub fn at(&self, t: f64) -> f64 {
            match self {
                Rate::Constant(k) => *k,
                Rate::Arrhenius { a, ea } => a * (-ea / (R * t)).exp(),
                Rate::ThirdBody { low, high } => {
                    let (l, h) = (low.at(t), high.at(t));
                    l * h / (l + h)
                }
            }
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Reaction {
        #[passive]
        reactants: Vec<(usize, i32)>,
        #[passive]
        products: Vec<(usize, i32)>,
        rate: Rate,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Mechanism {
        reactions: Vec<Reaction>,
        #[passive]
        names: Vec<&'static str>,
    }

    #[adjoint]
    impl Mechanism {
        fn derivative(&self, t: f64, c: &[f64]) -> Vec<f64> {
            let mut dc = vec![0.0; c.len()];
            for reaction in self.reactions.iter() {
                let mut rate = reaction.rate.at(t);
                for &(species, order) in &reaction.reactants {
                    rate *= c[species].powi(order);
                }
                for &(species, n) in &reaction.reactants {
                    dc[species] -= n as f64 * rate;
                }
                for &(species, n) in &reaction.products {
                    dc[species] += f64::from(n) * rate;
                }
            }
            dc
        }

        fn step(&self, t: f64, c: &mut [f64], h: f64) {
            let k1 = self.derivative(t, c);
            let mid: Vec<f64> = c.iter().zip(&k1).map(|(c, k)| c + 0.5 * h * k).collect();
            let k2 = self.derivative(t, &mid);
            for i in 0..c.len() {
                c[i] += h * k2[i];
            }
        }
    }

    #[adjoint]
    pub fn yield_of_c(p: &[f64]) -> f64 {
        let arrhenius = |a: f64, ea: f64| Rate::Arrhenius { a, ea };
        let mechanism = Mechanism {
            reactions: vec![
                Reaction {
                    reactants: vec![(0, 1), (1, 1)],
                    products: vec![(2, 1)],
                    rate: arrhenius(p[0], p[1]),
                },
                Reaction {
                    reactants: vec![(2, 2)],
                    products: vec![(0, 1)],
                    rate: Rate::Constant(p[2]),
                },
                Reaction {
                    reactants: vec![(1, 1)],
                    products: vec![(0, 2)],
                    rate: Rate::ThirdBody {
                        low: Box::new(Rate::Constant(p[3])),
                        high: Box::new(arrhenius(p[4], 2.0)),
                    },
                },
            ],
            names: vec!["A", "B", "C"],
        };
        let mut c = vec![1.0, 0.8, 0.0];
        let mut t = 600.0;
        for _ in 0..10 {
            mechanism.step(t, &mut c, 0.05);
            t += 2.0 * p[0];
        }
        let index = 2;
        c[index]
    }

    /// Boxes in variables, and one of a number.
    #[adjoint]
    pub fn falloff(p: &[f64]) -> f64 {
        let low = Box::new(Rate::Constant(p[0] * p[1]));
        let high: Box<Rate> = Box::new(Rate::Arrhenius { a: p[1], ea: p[0] });
        let rate = Rate::ThirdBody { low, high };
        let mut twice = Box::new(p[0] * 2.0);
        *twice *= p[1];
        rate.at(500.0) * *twice
    }
}

/// Texts in a passive field, which a tangent has, too.
mod texts {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Debug, Differentiable)]
    pub struct Table {
        values: Vec<f64>,
        #[passive]
        names: Vec<&'static str>,
    }
    #[adjoint]
    impl Table {
        fn first(&self, k: f64) -> f64 {
            self.values[0] * k
        }
        fn index_of(&self, name: &str) -> Option<usize> {
            self.names.iter().position(|n| *n == name)
        }
    }
    #[adjoint]
    pub fn looked_up(p: &[f64]) -> f64 {
        let table = Table { values: p.to_vec(), names: vec!["a", "b"] };
        let mut c = [1.0, 0.8, 0.0];
        for _ in 0..3 {
            c[0] = table.first(c[0]);
        }
        let i = table.index_of("b").unwrap();
        c[i] = table.first(c[i]);
        c[i] + c[0]
    }
}

#[test]
fn boxes_are_made_of_what_is_active() {
    use {reactions::falloff, reactions::yield_of_c, texts::looked_up};
    let along = [1.0, 0.3, -0.7, 0.5, 0.2];
    crate::differences::assert_derivatives!([1.2, 2.0, 0.5, 0.8, 1.4], along; yield_of_c);
    crate::differences::assert_derivatives!([1.2, 2.0], [1.0, 0.3]; falloff);
    crate::differences::assert_derivatives!([1.2, 2.0], [1.0, 0.3]; looked_up);
}
