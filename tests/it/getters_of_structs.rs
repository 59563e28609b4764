//! Getters of structs in structs, in lists and in boxes: what they lead to has derivatives, compared with differences, and tangents with
//! adjoints.

use crate::differences::assert_gradient;
use backsweep::adjoint;
use model::{Model, Params};

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Structs in structs, in lists and in boxes, whose getters are annotated alone.
mod model {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Debug, Differentiable)]
    pub struct Params {
        pub rate: f64,
        pub table: [f64; 3],
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Model {
        pub params: Params,
        pub parts: Vec<Params>,
        pub inner: Box<Params>,
    }

    impl Params {
        #[adjoint]
        pub fn rate(&self) -> &f64 {
            &self.rate
        }

        #[adjoint]
        pub fn table(&self) -> &[f64; 3] {
            &self.table
        }

        #[adjoint]
        pub fn entry_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.table[i]
        }

        #[adjoint]
        pub fn entry(&self, i: usize) -> Option<&f64> {
            self.table.get(i)
        }

        #[adjoint]
        pub fn first(&self) -> Option<&f64> {
            self.table.first()
        }

        #[adjoint]
        pub fn get(&self, i: usize) -> Option<&f64> {
            if i < 7 {
                let position = 2 * i;
                return self.table.get(position - i);
            }
            None
        }
    }

    impl Model {
        #[adjoint]
        pub fn params(&self) -> &Params {
            &self.params
        }

        #[adjoint]
        pub fn params_mut(&mut self) -> &mut Params {
            &mut self.params
        }

        #[adjoint]
        pub fn part(&self, i: usize) -> &Params {
            if i >= self.parts.len() {
                panic!("no such part");
            }
            &self.parts[i]
        }

        #[adjoint]
        pub fn inner(&self) -> &Params {
            &self.inner
        }

        #[adjoint]
        pub fn last(&self) -> &Params {
            self.parts.last().unwrap()
        }

        #[adjoint]
        pub fn first_mut(&mut self) -> Option<&mut Params> {
            self.parts.first_mut()
        }

        #[adjoint]
        pub fn fast(&self) -> &Params {
            for (i, part) in self.parts.iter().enumerate() {
                if part.rate > 1.0 {
                    return &self.parts[i];
                }
            }
            &self.params
        }

        #[adjoint]
        pub fn faster_than(&self, rate: f64) -> Option<&Params> {
            let position = self.parts.iter().position(|part| part.rate > rate)?;
            Some(&self.parts[position])
        }
    }
}

fn model_of(numbers: &[f64]) -> Model {
    let params = |at: usize| Params {
        rate: numbers[at],
        table: [numbers[at + 1], numbers[at + 2], numbers[at + 3]],
    };
    Model { params: params(0), parts: vec![params(4), params(8)], inner: Box::new(params(12)) }
}

fn numbers_of_model(model: &Model) -> Vec<f64> {
    let all = [&model.params, &model.parts[0], &model.parts[1], &*model.inner];
    all.iter().flat_map(|params| [params.rate].into_iter().chain(params.table)).collect()
}

fn model_numbers() -> Vec<f64> {
    (0..16).map(|k| 0.3 + 0.11 * f64::from(k)).collect()
}

fn assert_model_gradient(
    f: impl Fn(&Model, f64) -> f64,
    gradient: impl Fn(&Model, f64) -> (f64, (Model, f64)),
) {
    let (numbers, x) = (model_numbers(), 0.4);
    let (value, (model_b, x_b)) = gradient(&model_of(&numbers), x);
    assert_eq!(value, f(&model_of(&numbers), x));
    assert_gradient(&numbers_of_model(&model_b), &numbers, |numbers| f(&model_of(numbers), x));
    assert_gradient(&[x_b], &[x], |x| f(&model_of(&numbers), x[0]));
}

#[adjoint(independents(model, x), dependents(return))]
fn chained(model: &Model, x: f64) -> f64 {
    let params = model.params();
    let mut sum = params.rate() * x
        + params.table()[1] * model.part(1).table()[0]
        + model.inner().rate * model.last().table[2];
    for k in 0..model.parts.len() {
        sum += model.part(k).rate().sin() * x;
    }
    for (v, w) in model.params().table().iter().zip(model.part(0).table()) {
        sum += v * w;
    }
    sum * model.fast().rate() + (*model.params().rate()).powi(2)
}

#[test]
fn getters_are_called_on_what_getters_lead_to() {
    assert_model_gradient(chained, chained::gradient);
}

#[adjoint(independents(model, x), dependents(return))]
fn possible(model: &Model, x: f64) -> f64 {
    let mut sum = x;
    if let Some(entry) = model.params().entry(1) {
        sum += entry * x;
    }
    match model.params().entry(7) {
        Some(entry) => sum += entry,
        None => sum *= x,
    }
    sum += model.part(0).entry(2).copied().unwrap_or(3.0) * x;
    sum += model.inner().entry(5).map_or(x * x, |entry| entry * x);
    sum + model.faster_than(1.0).unwrap().rate * x
        + model.faster_than(100.0).map_or(0.0, |params| params.rate)
}

#[test]
fn references_in_options_have_derivatives() {
    assert_model_gradient(possible, possible::gradient);
}

#[adjoint(independents(model), dependents(return))]
fn failing(model: &Model, i: usize) -> Option<f64> {
    let entry = model.params().entry(i)?;
    Some(entry * model.first_rate())
}

impl Model {
    #[adjoint]
    fn first_rate(&self) -> f64 {
        *self.part(0).rate()
    }
}

#[test]
fn what_is_not_there_fails() {
    let model = model_of(&model_numbers());
    assert!(failing::gradient(&model, 3).is_none());
    let (value, model_b) = failing::gradient(&model, 2).expect("an entry");
    assert_eq!(value, model.params.table[2] * model.parts[0].rate);
    assert_eq!(model_b.params.table, [0.0, 0.0, model.parts[0].rate]);
    assert_eq!(model_b.parts[0].rate, model.params.table[2]);
}

#[adjoint(independents(model, x), dependents(return))]
fn in_steps(model: &Model, x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for k in 0..5usize {
        y = y * model.part(k % 2).rate() + model.params().table()[k % 3];
    }
    #[checkpoint]
    {
        y *= *model.inner().rate();
    }
    y
}

#[test]
fn getters_are_called_in_checkpointed_code() {
    assert_model_gradient(in_steps, in_steps::gradient);
}

#[adjoint(independents(params), dependents(return))]
fn taken(params: &Params) -> f64 {
    params.rate * params.table()[1]
}

#[adjoint(independents(model, x), dependents(return))]
fn passed_on(model: &Model, x: f64) -> f64 {
    let list = model.params.table.map(|v| v * 2.0);
    taken(model.params()) + taken(model.part(0)) * list[0] * x + model.params().clone().rate
}

#[test]
fn what_getters_lead_to_is_passed_on() {
    assert_model_gradient(passed_on, passed_on::gradient);
}

#[adjoint(independents(model, x), dependents(return), second_order)]
fn curved(model: &Model, x: f64) -> f64 {
    let params = model.params();
    params.rate().sin() * x * x + params.table()[2] * x * x * x
}

#[test]
fn second_derivatives_go_through_getters() {
    assert_model_gradient(curved, curved::gradient);
    let (model, x) = (model_of(&model_numbers()), 0.4);
    let none = model_of(&[0.0; 16]);
    let (_, _, (_, product)) = curved::hessian_vector(&model, &none, x, 1.0);
    let expected = 2.0 * model.params.rate.sin() + 6.0 * model.params.table[2] * x;
    assert!((product - expected).abs() < 1e-14, "{product} instead of {expected}");
}

#[adjoint(independents(model, x), dependents(model))]
fn moved(model: &mut Model, x: f64) {
    let params = model.params_mut();
    *params.entry_mut(2) *= x;
    params.rate += x * x;
    model.params_mut().rate *= 2.0;
    let entry = model.params_mut().entry_mut(0);
    *entry = entry.sin();
    if let Some(part) = model.first_mut() {
        part.rate *= part.table[1];
    }
}

#[test]
fn what_getters_in_getters_lead_to_is_written() {
    let seed: Vec<f64> = (0..16).map(|k| 0.9 - 0.13 * f64::from(k)).collect();
    let (numbers, x) = (model_numbers(), 0.4);
    let written = |numbers: &[f64], x: f64| {
        let mut model = model_of(numbers);
        moved(&mut model, x);
        dot(&numbers_of_model(&model), &seed)
    };
    let (mut model_b, mut x_b) = (model_of(&seed), 0.0);
    moved::adjoint(&mut model_of(&numbers), &mut model_b, x, &mut x_b);
    assert_gradient(&numbers_of_model(&model_b), &numbers, |numbers| written(numbers, x));
    assert_gradient(&[x_b], &[x], |x| written(&numbers, x[0]));
}

#[adjoint(independents(model, x), dependents(return))]
fn chosen_again(model: &Model, x: f64) -> f64 {
    let mut row = model.part(0).table();
    let mut sum = row[0] * x;
    if x > 0.0 {
        row = model.part(1).table();
    }
    sum += row[1] * row[2];
    let count = if model.params().table().len() > 1 { 1 } else { 0 };
    sum * model.part(count).rate()
}

#[test]
fn references_to_what_getters_lead_to_are_assigned_again() {
    assert_model_gradient(chosen_again, chosen_again::gradient);
}

mod lookups {
    use std::cell::Cell;

    thread_local! {
        pub static MADE: Cell<usize> = const { Cell::new(0) };
    }

    pub fn positions() -> Vec<usize> {
        MADE.with(|made| made.set(made.get() + 1));
        vec![1, 2]
    }
}

/// `first` and `get` are methods of lists, and getters of other types: what they are called on is evaluated once.
#[adjoint(independents(params), dependents(return))]
fn of_both(params: &Params) -> f64 {
    let mut sum = params.first().unwrap() * params.get(2).unwrap();
    if let Some(&position) = lookups::positions().first() {
        sum += params.table()[position];
    }
    if let Some(&position) = lookups::positions().get(1) {
        sum += params.table()[position] * params.rate;
    }
    sum
}

#[test]
fn what_getters_are_called_like_is_evaluated_once() {
    let params = Params { rate: 0.5, table: [2.0, 3.0, 5.0] };
    lookups::MADE.set(0);
    let (value, params_b) = of_both::gradient(&params);
    assert_eq!(lookups::MADE.get(), 2);
    assert_eq!((value, params_b.rate), (3.0 + 2.5 + 10.0, 5.0));
    assert_eq!(params_b.table, [5.0, 1.0, 0.5 + 2.0]);
}
