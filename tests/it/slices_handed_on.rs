//! Slices that a struct or a list borrows, handed on to functions: the backward sweep finds them where they are.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Debug, Differentiable)]
struct Table<'a, const N: usize> {
    #[passive]
    axes: [&'a [f64]; N],
    #[passive]
    values: &'a [f64],
    #[passive]
    names: &'a [String],
    scale: f64,
}

/// The polynomial with these coefficients.
#[adjoint]
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

/// The same of a list that is lent as it is.
#[allow(clippy::ptr_arg, reason = "some code has it")]
#[adjoint(independents(x), dependents(return))]
fn of_list(coefficients: &Vec<f64>, x: f64) -> f64 {
    polynomial(coefficients, x) + x
}

#[adjoint]
impl<const N: usize> Table<'_, N> {
    /// Fails where the axis says.
    #[adjoint(independents(self, x), dependents(return))]
    fn at(&self, x: f64, axis: usize) -> Result<f64, String> {
        let mut sum = self.scale * polynomial(self.values, x * x);
        for i in 0..N {
            let own = self.axes[i];
            if x > own[0] + 1.0 {
                return Err(self.names[i].clone());
            }
            sum *= polynomial(own, x.sin()) + polynomial(self.axes[axis], sum);
        }
        Ok(sum + polynomial(&self.values[1..], sum))
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Model {
    #[passive]
    list: Vec<f64>,
    #[passive]
    rows: Vec<Vec<f64>>,
    scale: f64,
}

#[adjoint]
fn modelled(model: &Model, x: f64) -> f64 {
    model.scale * polynomial(&model.list, x) * of_list(&model.rows[1], x * x)
}

/// Small enough to be lowered in place.
#[adjoint]
fn scaled(model: &Model, x: f64) -> f64 {
    model.scale * x * model.list[0]
}

#[adjoint]
fn twice(model: &Model, x: f64) -> f64 {
    let same = model;
    scaled(model, x) * x + scaled(same, x) * same.list[1]
}

#[adjoint]
fn of_many(models: &[Model], x: f64) -> f64 {
    let mut sum = x;
    for model in models {
        sum *= model.scale + model.list[1] * scaled(model, sum);
    }
    sum
}

/// The lists are changed while what was lent stays.
#[adjoint(independents(x), dependents(x))]
fn along(axes: &[&[f64]], lists: &[Vec<f64>], x: &mut [f64], mut axis: usize) {
    for i in 0..x.len() {
        let first = axes[axis];
        x[i] = x[i] * polynomial(first, x[i]);
        axis = (axis + 1) % axes.len();
        x[i] += polynomial(axes[axis], x[0]) * of_list(&lists[axis], x[i]);
    }
}

fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-5;
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

#[test]
fn slices_of_structs() {
    let names = ["first".to_owned(), "second".to_owned()];
    let table = Table {
        axes: [&[0.5, 1.0, 2.0], &[0.25, -0.5, 0.125, 1.0]],
        values: &[1.0, -0.5, 0.3],
        names: &names,
        scale: 1.5,
    };
    for axis in 0..2 {
        let (value, (of_table, of_x)) = table.at_gradient(0.7, axis).unwrap();
        assert_eq!(Ok(value), table.at(0.7, axis));
        let of_scale = slope(|h| Table { scale: 1.5 + h, ..table }.at(0.7, axis).unwrap());
        assert_relative_eq!(of_table.scale, of_scale, max_relative = 1e-8);
        let expected = slope(|h| table.at(0.7 + h, axis).unwrap());
        assert_relative_eq!(of_x, expected, max_relative = 1e-8);
    }
    assert_eq!(table.at_gradient(1.3, 0).unwrap_err(), "second");
}

#[test]
fn slices_of_lists() {
    let axes: [&[f64]; 3] = [&[0.5, 1.0], &[0.25, -0.5, 0.125], &[1.0]];
    let lists = [vec![0.5], vec![1.0, 0.25], vec![-0.5, 0.0, 2.0]];
    let start = [0.3, -0.6, 0.9, 0.2];
    let weights = [1.0, -2.0, 0.5, 3.0];
    let value = |shift: f64, at: usize| {
        let mut x = start;
        x[at] += shift;
        along(&axes, &lists, &mut x, 1);
        x.iter().zip(weights).map(|(x, weight)| x * weight).sum::<f64>()
    };
    let (mut x, mut bars) = (start, weights);
    along::adjoint(&axes, &lists, &mut x, &mut bars, 1);
    for at in 0..4 {
        assert_relative_eq!(bars[at], slope(|h| value(h, at)), max_relative = 1e-8);
    }
}

#[test]
fn bars_have_copies_of_passive_lists() {
    let model = Model { list: vec![1.0, 2.0], rows: vec![vec![], vec![0.5, 3.0]], scale: 2.0 };
    let (value, (of_model, of_x)) = modelled::gradient(&model, 0.3);
    assert_eq!(value, modelled(&model, 0.3));
    let of_scale = value / model.scale;
    assert_eq!(of_model, Model { scale: of_scale, ..model.clone() });
    assert_relative_eq!(of_x, slope(|h| modelled(&model, 0.3 + h)), max_relative = 1e-8);
}

#[test]
fn passive_lists_of_variables_that_are_no_parameters() {
    let model = Model { list: vec![1.5, 2.0], rows: Vec::new(), scale: 0.7 };
    let (_, (of_model, of_x)) = twice::gradient(&model, 0.3);
    assert_eq!(of_model.list, model.list);
    assert_relative_eq!(of_x, slope(|h| twice(&model, 0.3 + h)), max_relative = 1e-8);
    let models = [model.clone(), Model { scale: -0.4, ..model.clone() }];
    let (_, (of_models, of_x)) = of_many::gradient(&models, 0.3);
    assert_relative_eq!(of_x, slope(|h| of_many(&models, 0.3 + h)), max_relative = 1e-8);
    let moved = |h: f64| {
        let scale = models[0].scale + h;
        of_many(&[Model { scale, ..model.clone() }, models[1].clone()], 0.3)
    };
    assert_relative_eq!(of_models[0].scale, slope(moved), max_relative = 1e-8);
}
