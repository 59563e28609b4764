//! Adjoints for several seeds at once: each is, bit for bit, the adjoint for that seed alone.

use backsweep::adjoint;

/// One seed of several.
fn of<const M: usize, const N: usize>(parts: &[[f64; N]; M], k: usize) -> [f64; M] {
    parts.map(|part| part[k])
}

/// The bits of numbers: 0 and -0 differ, and NaNs are the same.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[adjoint]
fn spring(r: f64, k: f64) -> f64 {
    let s = (1.0 + r * r).sqrt();
    if s > 2.0 { k * s } else { -k * s.sin() }
}

/// Bars of lists, of what is changed, of what is used twice in a call; a result and a `&mut` that both matter.
#[adjoint]
fn energy(x: &[f64], weights: &[f64], force: &mut [f64; 2]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += spring(x[i] * weights[i], 2.0 / weights[i]);
        force[0] -= x[i] * force[0];
        force[1] = force[1].max(x[i] * sum);
        if sum > 100.0 {
            break;
        }
    }
    sum.abs() + spring(sum, sum)
}

#[test]
fn each_seed_has_the_adjoint_that_it_has_alone() {
    let (x, weights, force) = ([0.3, -1.2, 2.5], [1.0, 0.5, 3.0], [0.1, 0.2]);
    let seeds = [1.0, 0.0, -0.3, 1e300];
    let of_force = [[0.0, 1.0, 0.5, 0.0], [0.0, -2.0, 0.25, 0.0]];
    let before = [0.0, 7.0, 0.125, 0.0];
    let (mut x_b, mut weights_b) = ([before; 3], [before; 3]);
    let mut many = (force, of_force);
    let value = energy::adjoints::<4>(
        &x,
        &mut x_b,
        &weights,
        &mut weights_b,
        &mut many.0,
        &mut many.1,
        seeds,
    );
    for k in 0..4 {
        let (mut x_one, mut weights_one) = ([before[k]; 3], [before[k]; 3]);
        let mut one = (force, of(&of_force, k));
        let own = energy::adjoint(
            &x,
            &mut x_one,
            &weights,
            &mut weights_one,
            &mut one.0,
            &mut one.1,
            seeds[k],
        );
        assert_eq!((value.to_bits(), many.0), (own.to_bits(), one.0));
        assert_eq!(bits(&of(&x_b, k)), bits(&x_one));
        assert_eq!(bits(&of(&weights_b, k)), bits(&weights_one));
        assert_eq!(bits(&of(&many.1, k)), bits(&one.1));
    }
}

/// Partials that are infinite: what a seed of 0 contributes is 0, for each seed by itself.
#[adjoint]
fn singular(x: f64, y: f64) -> [f64; 4] {
    let root = x.sqrt();
    [root, root * y, -y.powf(x) / root.max(1e-3), (x / y).hypot(x)]
}

#[test]
fn a_seed_of_zero_adds_nothing_where_a_partial_is_infinite() {
    let seeds = [[1.0, 0.0, 0.0], [0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, -0.0]];
    for (x, y) in [(0.0, 1.0), (0.0, 0.0), (1.0, 0.5)] {
        let (mut x_b, mut y_b) = ([0.0; 3], [0.0; 3]);
        singular::adjoints::<3>(x, &mut x_b, y, &mut y_b, seeds);
        for k in 0..3 {
            let (mut x_one, mut y_one) = (0.0, 0.0);
            singular::adjoint(x, &mut x_one, y, &mut y_one, of(&seeds, k));
            assert_eq!(bits(&[x_b[k], y_b[k]]), bits(&[x_one, y_one]), "{x} {y}, seed {k}");
        }
    }
}

struct Negative;

#[adjoint]
fn root(x: f64) -> Result<f64, Negative> {
    if x < 0.0 { Err(Negative) } else { Ok(x.sqrt()) }
}

/// Lists that grow and change places, tuples in lists, failures.
#[adjoint]
fn pairs(x: &[f64], out: &mut Vec<(f64, usize)>) -> Result<Vec<Vec<f64>>, Negative> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 1..x.len() {
        let r = root(x[i] - 0.5 * x[i - 1])?;
        rows.push(vec![r * x[0]; i]);
        out.push((r * r.sin(), i));
    }
    let n = rows.len();
    rows.swap(0, n - 1);
    out.truncate(n.max(2));
    rows[0][0] *= out[0].0;
    Ok(rows)
}

#[test]
fn lists_inside_of_lists_and_failures() {
    let x = [0.4, 0.9, 1.3, 2.2];
    let mut out = vec![(0.5, 9)];
    assert!(pairs(&x, &mut out).is_ok());
    let shape = [3, 2, 1];
    let numbered = |k: usize| move |at: usize| (0.3 * (at + 5 * k) as f64).sin();
    let seed = |k: usize| -> Vec<Vec<f64>> {
        shape.map(|len| (0..len).map(numbered(k)).collect()).to_vec()
    };
    let seeds = |len: usize| (0..len).map(|at| std::array::from_fn(|k| numbered(k)(at))).collect();
    let seeds: Vec<Vec<[f64; 2]>> = shape.map(seeds).to_vec();
    let out_seed = |k: usize| move |at: usize| (1.0 + numbered(k)(at), at);
    let mut out_b: Vec<([f64; 2], usize)> =
        (0..3).map(|at| (std::array::from_fn(|k| out_seed(k)(at).0), at)).collect();
    let (mut list, mut x_b) = (vec![(0.5, 9)], [[0.0; 2]; 4]);
    let found = pairs::adjoints::<2>(&x, &mut x_b, &mut list, &mut out_b, seeds);
    assert!(found.is_ok() && list == out);
    for k in 0..2 {
        let (mut list, mut x_one) = (vec![(0.5, 9)], [0.0; 4]);
        let mut out_one: Vec<(f64, usize)> = (0..3).map(out_seed(k)).collect();
        assert!(pairs::adjoint(&x, &mut x_one, &mut list, &mut out_one, seed(k)).is_ok());
        assert_eq!(bits(&of(&x_b, k)), bits(&x_one));
        assert_eq!(out_b.len(), out_one.len());
        assert!(out_b.iter().zip(&out_one).all(|(parts, one)| parts.0[k] == one.0));
    }
    let (mut list, mut x_b) = (Vec::new(), [[1.0; 2]; 4]);
    let fails = [0.4, 0.9, 0.1, 2.2];
    let mut list_b = vec![([0.0; 2], 0)];
    let found = pairs::adjoints::<2>(&fails, &mut x_b, &mut list, &mut list_b, Vec::new());
    assert!(found.is_err());
    assert_eq!(x_b, [[1.0; 2]; 4]);
}

#[adjoint]
fn pushed(x: f64, out: &mut Vec<f64>) -> f64 {
    out.push(x * x);
    x.sin()
}

/// Of `pushed`, only what it writes matters, and in the second call only the result.
#[adjoint]
fn parts_of_calls(x: f64) -> [f64; 2] {
    let mut out = Vec::new();
    pushed(x, &mut out);
    let mut unread = vec![x; 3];
    let sine = pushed(out[0], &mut unread);
    [sine, out[0] * x]
}

#[test]
fn results_and_arguments_that_do_not_matter() {
    let mut x_b = [0.0; 2];
    parts_of_calls::adjoints::<2>(0.7, &mut x_b, [[1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(x_b, [2.0 * 0.7 * (0.7 * 0.7_f64).cos(), 0.7 * 0.7 + 0.7 * 2.0 * 0.7]);
}

#[adjoint]
fn single(x: f32, y: &[f32]) -> f32 {
    x.exp() * y[0] - y[1] / x
}

#[test]
fn bars_of_single_precision_are_of_double() {
    let (mut x_b, mut y_b) = ([0.0; 2], [[0.0; 2]; 2]);
    let value = single::adjoints::<2>(0.5, &mut x_b, &[2.0, 3.0], &mut y_b, [1.0, -3.0]);
    assert_eq!(value, single(0.5, &[2.0, 3.0]));
    let of_x = 2.0 * 0.5_f64.exp() + 12.0;
    assert!((x_b[0] - of_x).abs() < 1e-5 && (x_b[1] + 3.0 * of_x).abs() < 1e-4);
    assert_eq!(y_b[1], [-2.0, 6.0]);
}

struct Model {
    rates: Vec<f64>,
}

#[adjoint]
impl Model {
    #[adjoint(independents(time))]
    fn levels(&self, time: f64) -> [f64; 2] {
        let mut sum = 0.0;
        for k in 0..self.rates.len() {
            let decay: f64 = Self::decay(time, self.rates[k]);
            sum += decay;
        }
        let slowed: f64 = self.slowed(sum, &[time, 2.0]);
        [sum, slowed * time]
    }

    /// Called by a receiver that has no bar.
    #[adjoint(independents(sum, times))]
    fn slowed(&self, sum: f64, times: &[f64]) -> f64 {
        sum / (1.0 + self.rates[0] * times[0] * times[1])
    }

    #[adjoint]
    fn decay(time: f64, rate: f64) -> f64 {
        (-rate * time).exp()
    }
}

#[test]
fn methods_have_adjoints_for_several_seeds() {
    let model = Model { rates: vec![0.5, 2.0] };
    let (mut time_b, mut one) = ([0.0; 2], 0.0);
    let seeds = [[1.0, 0.5], [0.0, 2.0]];
    model.levels_adjoints::<2>(0.3, &mut time_b, seeds);
    model.levels_adjoint(0.3, &mut one, [0.5, 2.0]);
    assert_eq!(time_b[1].to_bits(), one.to_bits());
    let jacobian = model.levels_jacobian(0.3);
    assert_eq!(jacobian.len(), 2);
    assert_eq!(jacobian[0].to_bits(), time_b[0].to_bits());
}

thread_local! {
    static RUNS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn count() {
    RUNS.with(|runs| runs.set(runs.get() + 1));
}

/// Nine rows and eleven columns: three runs for four rows each, after one that counts.
#[adjoint]
fn nine(x: &[f64; 11]) -> [f64; 9] {
    #[passive]
    count();
    let mut y = [0.0; 9];
    for i in 0..9 {
        y[i] = x[i] * x[i + 2] - (x[i + 1] * i as f64).cos();
    }
    y
}

#[test]
fn jacobians_take_a_run_for_four_rows() {
    let x: [f64; 11] = std::array::from_fn(|k| 0.3 * k as f64 - 1.0);
    let jacobian = nine::jacobian(&x);
    assert_eq!(RUNS.take(), 1 + 3);
    assert_eq!(jacobian.len(), 99);
    for (row, found) in jacobian.chunks(11).enumerate() {
        let mut seed = [0.0; 9];
        seed[row] = 1.0;
        let mut x_b = [0.0; 11];
        nine::adjoint(&x, &mut x_b, seed);
        assert_eq!(found, x_b);
    }
}

#[test]
#[should_panic(expected = "`x_b` has length 2, but the value it belongs to has length 3")]
fn bars_are_of_the_lengths_of_values() {
    let (mut x_b, mut weights_b) = ([[0.0; 2]; 2], [[0.0; 2]; 3]);
    let mut force = ([0.0; 2], [[0.0; 2]; 2]);
    let (x, weights) = ([0.1, 0.2, 0.3], [1.0; 3]);
    energy::adjoints::<2>(
        &x,
        &mut x_b,
        &weights,
        &mut weights_b,
        &mut force.0,
        &mut force.1,
        [1.0; 2],
    );
}
