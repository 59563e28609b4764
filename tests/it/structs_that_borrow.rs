//! Structs with references in them, whose lifetimes have no names where they are passed.
#![allow(elided_lifetimes_in_paths, reason = "as much code has them")]

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Context<'a> {
    n: usize,
    scale: f64,
    #[passive]
    nodes: &'a [f64],
    #[passive]
    rows: &'a [&'a [f64]],
    weights: [f64; 2],
}

#[adjoint(independents(context, x), dependents(return))]
fn hidden(context: &Context, mut x: f64) -> f64 {
    for i in 0..context.n {
        x *= context.nodes[i] * context.scale * context.rows[1][0] + context.weights[i];
    }
    x
}

#[adjoint(independents(context, x), dependents(return))]
fn taken_apart(context: &Context<'_>, mut x: f64) -> f64 {
    let Context { n, scale, nodes, rows, weights } = context;
    for i in 0..*n {
        x *= nodes[i] * scale * rows[1][0] + weights[i];
    }
    x
}

#[adjoint(independents(context, x), dependents(return))]
fn copied(context: &Context<'_>, mut x: f64) -> f64 {
    let &Context { n, scale, nodes, weights, .. } = context;
    let rows = context.rows;
    for i in 0..n.min(nodes.len()) {
        x *= nodes[i] * scale * rows[1][0] + weights[i];
    }
    x
}

#[adjoint(independents(context, x), dependents(return))]
fn failing(context: &Context, x: f64) -> Result<(f64, f64), String> {
    if x > 30.0 {
        return Err("too large".to_owned());
    }
    Ok((x * context.scale, x * x * context.nodes[0]))
}

#[adjoint(independents(context), dependents(return))]
fn by_value(context: Context) -> f64 {
    context.scale * context.nodes[0]
}

impl Context<'_> {
    /// Of another one of the same kind.
    fn like(&self, scale: f64, weight: f64) -> Self {
        Self { scale, weights: [weight, self.weights[1]], ..self.clone() }
    }
}

impl Context<'_> {
    #[adjoint(independents(self, x), dependents(return))]
    fn product(&self, mut x: f64) -> f64 {
        for i in 0..self.n {
            x *= self.nodes[i] * self.scale * self.rows[1][0] + self.weights[i];
        }
        x
    }
}

#[adjoint]
impl<'view> Context<'view> {
    #[adjoint(independents(self, other, x), dependents(return))]
    fn beside(&self, other: &Context<'_>, mut x: f64) -> f64 {
        for i in 0..self.n {
            x *= self.nodes[i] * other.scale * other.rows[1][0] + self.weights[i];
        }
        x
    }
}

#[test]
fn lifetimes_without_names() {
    let (nodes, row) = ([0.5, 2.0], [3.0]);
    let rows: [&[f64]; 2] = [&[], &row];
    let context = Context { n: 2, scale: 1.5, nodes: &nodes, rows: &rows, weights: [0.25, -1.0] };
    for gradient in [hidden::gradient, taken_apart::gradient, copied::gradient] {
        let (value, (of_context, of_x)) = gradient(&context, 0.75);
        assert_eq!(value, hidden(&context, 0.75));
        let h = 1e-6;
        let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
        let of_scale = slope(&|h| hidden(&context.like(1.5 + h, 0.25), 0.75));
        let of_weight = slope(&|h| hidden(&context.like(1.5, 0.25 + h), 0.75));
        assert_relative_eq!(of_context.scale, of_scale, max_relative = 1e-8);
        assert_relative_eq!(of_context.weights[0], of_weight, max_relative = 1e-8);
        assert_relative_eq!(of_x, value / 0.75, max_relative = 1e-14);
    }
    let through_free = hidden::gradient(&context, 0.75);
    for (value, (of_context, of_x)) in [context.product_gradient(0.75), {
        let (value, (mut own, of_other, of_x)) = context.beside_gradient(&context, 0.75);
        own.scale += of_other.scale;
        (value, (own, of_x))
    }] {
        let (expected, (of_expected, of_expected_x)) = &through_free;
        assert_eq!((value, of_x), (*expected, *of_expected_x));
        assert_eq!(of_context.scale, of_expected.scale);
        assert_eq!(of_context.weights, of_expected.weights);
    }
    let mut context_b = context.zero_bar();
    let mut x_b = 0.0;
    let value = failing::adjoint(&context, &mut context_b, 2.0, &mut x_b, (1.0, 10.0));
    assert_eq!(value, Ok((3.0, 2.0)));
    assert_eq!((context_b.scale, x_b), (2.0, 1.5 + 10.0 * 2.0));
    let (value, of_context) = by_value::gradient(context);
    assert_eq!((value, of_context.scale), (0.75, 0.5));
}
