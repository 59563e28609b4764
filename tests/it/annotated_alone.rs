//! Functions in `impl` blocks that are annotated alone: the files of the crate tell what the block is of.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint, check};
use num_traits::Float;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Interpolated<T>
where
    T: Float,
{
    xs: Vec<T>,
    ys: Vec<T>,
}

impl<T: Float> Interpolated<T> {
    /// What makes a value has no receiver.
    #[adjoint(independents(ys, step))]
    fn uniform(ys: &[T], step: T) -> Self {
        let xs: Vec<T> = (0..ys.len()).map(|i| T::from(i).unwrap() * step).collect();
        Interpolated { xs, ys: ys.to_vec() }
    }

    #[adjoint(independents(self, at))]
    fn at(&self, at: T) -> T {
        let mut k = 0;
        while k + 2 < self.xs.len() && self.xs[k + 1] < at {
            k += 1;
        }
        let t = (at - self.xs[k]) / (self.xs[k + 1] - self.xs[k]);
        self.ys[k] + Self::bent(t, self.ys[k + 1] - self.ys[k])
    }

    #[adjoint(independents(t, rise))]
    fn bent(t: T, rise: T) -> T {
        t.sin() * rise * rise.abs()
    }

    #[adjoint(independents(self, by))]
    fn stretch(&mut self, by: T) {
        for x in &mut self.xs {
            *x = *x * by;
        }
    }
}

/// The derivatives pass through the functions of the type.
#[adjoint(independents(ys, at, by), test(ys: &[1.0, 2.0, 0.5], at: 1.3, by: 0.9))]
fn through(ys: &[f64], at: f64, by: f64) -> f64 {
    let mut of_pieces = Interpolated::uniform(ys, 1.0);
    of_pieces.stretch(by);
    of_pieces.at(at)
}

#[test]
fn type_parameters_are_those_of_the_block() {
    let of_pieces = Interpolated { xs: vec![0.0, 1.0, 3.0], ys: vec![1.0, 2.0, 0.0] };
    let (value, (of_self, slope)) = of_pieces.at_gradient(2.0);
    assert_relative_eq!(value, 2.0 - 4.0 * 0.5_f64.sin());
    assert_relative_eq!(slope, -2.0 * 0.5_f64.cos());
    assert_relative_eq!(of_self.ys[1], 1.0 - 4.0 * 0.5_f64.sin());
    let of_singles = Interpolated { xs: vec![0.0_f32, 1.0], ys: vec![1.0, 2.0] };
    assert_relative_eq!(of_singles.at_gradient(0.5).1.1, 0.5_f32.cos());
}

#[test]
fn a_function_without_a_receiver_has_its_entries_in_the_type() {
    let (made, (of_ys, of_step)) = {
        let bar = Interpolated { xs: vec![1.0, 2.0, 3.0], ys: vec![0.5, 0.25, 0.0] };
        let (mut of_ys, mut of_step) = ([0.0; 3], 0.0);
        let ys = [1.0, 4.0, 9.0];
        let made = Interpolated::<f64>::uniform_adjoint(&ys, &mut of_ys, 0.5, &mut of_step, bar);
        (made, (of_ys, of_step))
    };
    assert_eq!(made, Interpolated::uniform(&[1.0, 4.0, 9.0], 0.5));
    assert_eq!((of_ys, of_step), ([0.5, 0.25, 0.0], 8.0));
}

struct Energy;

impl Energy {
    #[adjoint(independents(x), second_order)]
    fn of(x: &[f64]) -> f64 {
        x.windows(2).map(|pair| Self::of_pair(pair[0], pair[1])).sum()
    }

    #[adjoint(independents(a, b), second_order)]
    fn of_pair(a: f64, b: f64) -> f64 {
        (a * b).exp() - a.sin()
    }
}

#[test]
fn second_derivatives_are_those_of_first_ones() {
    let (x, along) = ([0.3, -0.8, 0.5], [1.0, 0.5, -0.25]);
    check::gradient(Energy::of, Energy::of_gradient, &x).assert_passed();
    let gradient = |x: &[f64]| Energy::of_gradient(x).1;
    let (_, _, product) = Energy::of_hessian_vector(&x, &along);
    let moved = |by: f64| gradient(&[0, 1, 2].map(|i| x[i] + by * along[i]));
    for (i, (up, down)) in moved(1e-5).into_iter().zip(moved(-1e-5)).enumerate() {
        assert_relative_eq!(product[i], (up - down) / 2e-5, epsilon = 1e-8);
    }
}

/// Lifetimes and lengths are parameters of a block, too.
#[derive(Clone, Differentiable)]
struct Seen<'a, const N: usize> {
    #[passive]
    table: &'a [f64; N],
    shift: f64,
}

impl<'a, const N: usize> Seen<'a, N> {
    #[adjoint(independents(table, shift))]
    fn summed(table: &'a [f64; N], shift: f64) -> f64 {
        table.iter().map(|t| t * shift).sum()
    }

    #[adjoint(independents(self, x))]
    fn at(&self, x: f64) -> f64 {
        self.shift * x + Self::summed(self.table, x)
    }

    #[adjoint(independents(x))]
    fn constant(table: &'static [f64], x: f64) -> f64 {
        table.iter().map(|t| t * x).sum()
    }
}

#[test]
fn lengths_are_those_of_the_block() {
    let seen = Seen { table: &[1.0, 2.0], shift: 0.5 };
    let (value, (of_self, slope)) = seen.at_gradient(2.0);
    assert_eq!((value, of_self.shift, slope), (7.0, 2.0, 3.5));
}

#[test]
fn references_live_as_long_as_the_function_asks_for() {
    let table = [1.0, 2.0];
    let (_, pullback) = Seen::summed_pullback(&table, 0.5);
    let (mut of_table, mut of_shift) = ([0.0; 2], 0.0);
    pullback.call(&mut of_table, &mut of_shift, 2.0);
    assert_eq!((of_table, of_shift), ([1.0, 1.0], 6.0));
    assert_eq!(Seen::<2>::constant_gradient(&[3.0, 4.0], 2.0), (14.0, 7.0));
}
