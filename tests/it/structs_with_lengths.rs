//! What the declarations of structs with lengths and type parameters tell: fields that are lists of other structs, and what functions of them
//! return.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Component<const D: usize> {
    mean: [f64; D],
}

#[derive(Clone, Differentiable)]
struct Mixture<const D: usize> {
    components: Vec<Component<D>>,
    scale: f64,
}

#[adjoint]
impl<const D: usize> Component<D> {
    fn new(p: &[f64]) -> Self {
        let mut mean = [0.0; D];
        mean.copy_from_slice(p);
        Self { mean }
    }

    fn density(&self, p: &[f64; D]) -> f64 {
        self.mean.iter().zip(p).map(|(m, p)| (m - p).powi(2)).sum()
    }
}

#[adjoint]
impl<const D: usize> Mixture<D> {
    fn new(p: &[f64], scale: f64) -> Self {
        Self { components: p.chunks_exact(D).map(Component::new).collect(), scale }
    }

    fn likelihood(&self, points: &[[f64; D]]) -> f64 {
        let mut total = 0.0;
        let mut terms = Vec::with_capacity(self.components.len());
        for p in points {
            terms.clear();
            terms.extend(self.components.iter().map(|c| c.density(p)));
            total += soft(&terms) * self.scale;
        }
        total
    }
}

#[adjoint]
fn soft(x: &[f64]) -> f64 {
    x.iter().map(|x| (-x).exp()).sum::<f64>().ln()
}

#[adjoint]
fn likelihood(x: &[f64]) -> f64 {
    let mixture: Mixture<2> = Mixture::new(x, x[0] * x[3]);
    mixture.likelihood(&[[0.1, 0.2], [1.0, -0.5]])
}

#[adjoint(independents(m))]
fn of_parts(m: &Mixture<2>) -> f64 {
    m.components.iter().flat_map(|c| c.mean.iter()).map(|m| m * m).sum::<f64>()
}

#[adjoint]
fn parts(x: &[f64]) -> f64 {
    let mut components: Vec<Component<2>> = Vec::new();
    for p in x.chunks_exact(2) {
        components.push(Component::new(p));
    }
    let components: Vec<Component<2>> = components.into_iter().rev().collect();
    of_parts(&Mixture { components, scale: x[0] }) * x[1]
}

#[derive(Clone, Differentiable)]
struct Image<const W: usize> {
    pixels: [[f64; W]; 2],
}

#[adjoint]
impl<const W: usize> Image<W> {
    fn blurred(&self) -> Self {
        let mut out = self.clone();
        out.pixels[0][0] *= 2.0;
        out
    }

    fn of(v: f64) -> Self {
        Self { pixels: [[v; W]; 2] }
    }

    fn pooled(&self, n: usize) -> Vec<Vec<f64>> {
        self.pixels.iter().map(|r| r.chunks(n).map(|c| c[0] * c[0]).collect()).collect()
    }
}

impl<const W: usize> Image<W> {
    fn size(&self) -> (usize, usize) {
        (W, 2)
    }

    fn area(&self) -> usize {
        W * 2
    }
}

#[adjoint]
fn images(x: &[f64]) -> f64 {
    let a = Image::<3>::of(x[0]);
    let mut b = a.blurred();
    b.pixels[1][2] = x[1] * x[2];
    let product: f64 =
        b.pixels.iter().zip(&a.pixels).flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| a * b).sum();
    let (w, h): (usize, usize) = b.size();
    product / (w * h * b.area()) as f64 + b.pooled(3).iter().flatten().sum::<f64>()
}

#[derive(Clone, Differentiable)]
struct Rule {
    k: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Balance {
    storage: f64,
}

#[derive(Clone, Differentiable)]
struct Reservoir<R> {
    storage: f64,
    rule: R,
    record: Vec<Balance>,
}

#[adjoint(independents(r, inflow))]
fn advance(r: &mut Reservoir<Rule>, inflow: f64) -> f64 {
    r.storage += inflow * r.rule.k;
    r.record.push(Balance { storage: r.storage });
    r.storage
}

#[adjoint]
fn balances(x: &[f64]) -> f64 {
    let mut reservoir = Reservoir { storage: x[0], rule: Rule { k: x[1] }, record: Vec::new() };
    let mut total = 0.0;
    for inflow in &x[2..] {
        total += advance(&mut reservoir, inflow * inflow);
    }
    total + reservoir.record.iter().map(|b| b.storage * b.storage).sum::<f64>()
}

/// The length is told by the result only.
#[adjoint]
fn kernel<const N: usize>(sigma: f64) -> [f64; N] {
    let mut k = [0.0; N];
    for (i, k) in k.iter_mut().enumerate() {
        *k = i as f64 / sigma;
    }
    k
}

#[adjoint]
fn kernels(x: &[f64]) -> f64 {
    let k: [f64; 3] = kernel(x[0]);
    let l = kernel::<4>(x[0]);
    k[1] * k[2] * x[1] + l[3] * x[2]
}

mod sizes {
    pub const N: usize = 2;
}
use sizes::N;

#[derive(Clone, Copy, Differentiable)]
struct Cell {
    level: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Grid {
    cells: [Cell; N],
    weights: [[f64; N]; 2],
}

type State = [Cell; N];
type Weights = [f64; N];

#[adjoint]
fn weighted(y: &State, k: &Weights) -> f64 {
    k.iter().zip(y).map(|(k, c)| k * c.level).sum()
}

#[adjoint]
fn grids(x: &[f64]) -> f64 {
    let cells = [Cell { level: x[0] }, Cell { level: x[1] * x[0] }];
    let grid = Grid { cells, weights: [[x[2], 1.0], [x[3], x[0]]] };
    let squares = grid.weights.iter().flat_map(|r| r.iter()).map(|v| v * v).sum::<f64>();
    weighted(&grid.cells, &grid.weights[0])
        + squares
        + grid.cells.iter().map(|c| c.level).sum::<f64>()
}

mod filters {
    use backsweep::{Differentiable, adjoint};
    use std::f64::consts::PI;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Biquad {
        pub b: [f64; 2],
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Filter {
        pub q: f64,
    }

    #[adjoint]
    impl Filter {
        pub fn build(self) -> Biquad {
            let w = PI * self.q;
            let (sin, cos) = w.sin_cos();
            let b = [cos, sin];
            Biquad { b: b.map(|v| v / sin) }
        }
    }
}

#[adjoint]
fn filtered(x: &[f64]) -> f64 {
    let biquad = filters::Filter { q: x[2] }.build();
    biquad.b[0] * x[0] + biquad.b[1] * x[1]
}

#[test]
fn declarations_tell_what_is_in_them() {
    let (at, along) = ([0.7, 1.3, 0.4, 2.0], [1.0, -1.0, 0.5, 0.25]);
    assert_derivatives!(at, along; likelihood parts images balances kernels grids filtered);
    assert_eq!(kernel::tangent(2.0, 1.0), ([0.0, 0.5, 1.0], [-0.0, -0.25, -0.5]));
    assert_eq!(kernel::jacobian::<3>(2.0), [0.0, -0.25, -0.5]);
}
