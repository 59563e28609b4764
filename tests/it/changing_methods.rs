//! Methods that change what they are called on and return something, `let y = filter.update(x);`: the files tell that they take `&mut self`.

use crate::differences::{assert_derivatives, assert_gradient};
use backsweep::{Differentiable, adjoint};
use num_traits::Float;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Filter {
    gain: f64,
    state: f64,
    #[passive]
    calls: usize,
}

#[adjoint(second_order)]
impl Filter {
    fn new(gain: f64) -> Self {
        Filter { gain, state: 0.5 * gain, calls: 0 }
    }
    fn update(&mut self, x: f64) -> f64 {
        self.calls += 1;
        self.state += self.gain * (x - self.state);
        self.state * self.state
    }
    fn guarded(&mut self, x: f64) -> Result<f64, String> {
        if x < -5.0 {
            return Err("too low".to_owned());
        }
        self.state *= x;
        Ok(self.state + x)
    }
    fn both(&mut self, x: f64) -> (f64, f64) {
        self.state *= x;
        (self.state, x * self.gain)
    }
    fn peek(&self, x: f64) -> f64 {
        self.state * x
    }
    /// Nothing of the filter is active here.
    fn counted(&mut self, x: f64) -> f64 {
        self.calls += 1;
        x * x
    }
}

#[adjoint]
trait Stepper {
    fn advance(&mut self, h: f64) -> f64;
}

#[adjoint]
impl Stepper for Filter {
    fn advance(&mut self, h: f64) -> f64 {
        self.state += h * self.gain;
        self.state.sin()
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Accumulator<T> {
    gain: T,
    state: T,
}

#[adjoint]
impl<T: Float> Accumulator<T> {
    fn update(&mut self, x: T) -> T {
        self.state = self.state + self.gain * x;
        self.state * self.state
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Plant {
    filter: Filter,
    bank: Vec<Filter>,
    bias: f64,
}

#[adjoint]
impl Plant {
    fn run(&mut self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &v in x {
            let y = self.filter.update(v);
            sum += y * self.bias + self.bank[0].update(y);
        }
        sum
    }
}

#[adjoint(second_order)]
fn of_variable(x: &[f64]) -> f64 {
    let mut filter = Filter::new(x[0]);
    let mut sum = 0.0;
    for &v in x {
        let y = filter.update(v);
        sum += y * y;
    }
    sum + filter.state + filter.counted(x[1])
}

/// Operands and arguments are what they are when Rust evaluates them.
#[adjoint(second_order)]
fn in_order(x: &[f64]) -> f64 {
    let mut filter = Filter::new(x[0]);
    let a = filter.state + filter.update(x[1]) * filter.state;
    let b = filter.update(filter.state) * filter.update(filter.state * 2.0);
    a * b + filter.update(x[2]).sin()
}

#[adjoint]
fn in_control(x: &[f64]) -> f64 {
    let mut filter = Filter::new(x[0]);
    if filter.update(x[1]) > 0.0 {
        filter.gain *= 2.0;
    }
    let mut n = 0;
    while filter.update(x[2]) < 3.0 && n < 4 {
        n += 1;
    }
    let last = match filter.calls {
        3 => filter.update(x[0]),
        _ => filter.peek(x[1]),
    };
    last + filter.state
}

#[adjoint]
fn in_closures(x: &[f64]) -> f64 {
    let mut filter = Filter::new(x[0]);
    let sum: f64 = x.iter().map(|v| filter.update(*v)).sum();
    let list: Vec<f64> = x.iter().map(|v| filter.update(*v) * 2.0).collect();
    sum + list[1] * list[2]
}

#[adjoint]
fn of_trait(x: &[f64]) -> f64 {
    let mut filter = Filter::new(x[0]);
    let mut sum = 0.0;
    for &v in x {
        sum += filter.advance(v) * v;
    }
    sum
}

#[adjoint]
fn of_generic_type(x: &[f64]) -> f64 {
    let mut sum = Accumulator { gain: x[0], state: x[1] };
    let y = sum.update(x[2]);
    y + sum.update(y)
}

#[adjoint]
fn behind_reference(filter: &mut Filter, x: &[f64]) -> f64 {
    let y = filter.update(x[0]);
    let (a, b) = filter.both(x[1]);
    y * a + b * filter.state
}

#[adjoint]
fn of_fields(x: &[f64]) -> f64 {
    let bank = vec![Filter::new(x[1]), Filter::new(x[0])];
    let mut plant = Plant { filter: Filter::new(x[0]), bank, bias: x[2] };
    let run = plant.run(x);
    let both = plant.bank[1].update(x[2]) + behind_reference(&mut plant.filter, x);
    run * both + plant.bank[0].state
}

#[adjoint]
fn of_elements(x: &[f64]) -> f64 {
    let mut bank: Vec<Filter> = x.iter().map(|v| Filter::new(*v)).collect();
    let mut sum = 0.0;
    for filter in &mut bank {
        sum += filter.update(x[0]);
    }
    for filter in bank.iter_mut() {
        sum *= filter.update(x[1]);
    }
    for k in 0..3 {
        let y = bank[k].update(x[k]);
        sum += y;
    }
    sum + bank[2].state
}

#[adjoint]
fn in_checkpoints(x: &[f64]) -> f64 {
    let mut filter = Filter::new(x[0]);
    let mut sum = x[2];
    #[checkpoint]
    {
        let y = filter.update(x[1]);
        sum += y * filter.update(y);
    }
    #[checkpoint(snapshots = 2)]
    for k in 0..5 {
        let y = filter.update(x[k % 3]);
        sum += y * sum + y;
    }
    sum + filter.state
}

#[adjoint]
fn that_may_fail(x: &[f64]) -> Result<f64, String> {
    let mut filter = Filter::new(x[0]);
    let a = filter.guarded(x[1])?;
    let b = filter.guarded(x[2])? * a;
    Ok(b + filter.state)
}

/// Without a derivative, each call has the next number.
#[derive(Clone, Debug)]
struct Noise {
    seed: f64,
}

impl Noise {
    fn next(&mut self) -> f64 {
        self.seed = (self.seed * 7.1).fract();
        self.seed
    }
}

#[adjoint]
fn with_noise(x: &[f64]) -> f64 {
    let mut noise = Noise { seed: 0.3 };
    let mut sum = 0.0;
    for &v in x {
        let e = noise.next();
        sum += v * v * e;
    }
    sum * noise.next()
}

#[adjoint]
mod inlined {
    use backsweep::Differentiable;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Controller {
        pub gain: f64,
        pub state: f64,
    }

    #[adjoint]
    impl Controller {
        #[adjoint(independents(self, x), dependents(self, return))]
        pub fn update(&mut self, x: f64) -> f64 {
            self.state += self.gain * x;
            self.state * x
        }
    }

    #[adjoint(independents(controller, x), dependents(controller, return))]
    pub fn through(controller: &mut Controller, x: f64) -> f64 {
        let y = controller.update(x);
        y + controller.state
    }

    #[adjoint]
    pub fn of_call(x: &[f64]) -> f64 {
        let mut controller = Controller { gain: x[0], state: x[1] };
        through(&mut controller, x[2]) * controller.update(x[0])
    }
}

const AT: [f64; 3] = [1.2, 0.4, 0.7];
const ALONG: [f64; 3] = [0.3, -0.2, 0.9];

#[test]
fn methods_that_change_their_receivers_have_results() {
    assert_derivatives!(AT, ALONG; of_variable in_order in_control in_closures of_trait of_generic_type);
    assert_derivatives!(AT, ALONG; of_fields of_elements with_noise);
}

#[test]
fn they_are_run_again_in_checkpoints() {
    let (_, gradient) = in_checkpoints::gradient(&AT);
    assert_gradient(&gradient, &AT, in_checkpoints);
}

#[test]
fn they_may_fail() {
    let (_, gradient) = that_may_fail::gradient(&AT).expect("a value");
    assert_gradient(&gradient, &AT, |x| that_may_fail(x).expect("a value"));
    assert!(that_may_fail::gradient(&[1.0, -9.0, 1.0]).is_err());
}

#[test]
fn they_are_called_by_what_is_inlined() {
    use inlined::of_call;
    let (_, gradient) = of_call::gradient(&AT);
    assert_gradient(&gradient, &AT, of_call);
}

#[test]
fn they_have_second_derivatives() {
    let step = 1e-5;
    let moved = |by: f64| -> Vec<f64> { AT.iter().zip(ALONG).map(|(x, d)| x + by * d).collect() };
    macro_rules! assert_products {
        ($($function:ident)*) => { $({
            let (_, _, product) = $function::hessian_vector(&AT, &ALONG);
            let [after, before] = [step, -step].map(|by| $function::gradient(&moved(by)).1);
            for (k, found) in product.iter().enumerate() {
                let difference = (after[k] - before[k]) / (2.0 * step);
                // Differences of gradients have the rounding of these by the step, and its square.
                approx::assert_relative_eq!(*found, difference, max_relative = 1e-6);
            }
        })* };
    }
    assert_products!(of_variable in_order);
}
