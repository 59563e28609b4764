//! Gradients of functions of the corpus at sizes of their daily work, over the functions themselves: `cargo bench -p backsweep-benches --bench
//! general`. A name as an argument times the functions whose names contain it.
//!
//! A gradient is `f::gradient` with the lists that it returns, of functions that write lists `f::adjoint`; both sides are run by turns, and
//! the shortest time of each counts.

use backsweep_benches::measure::best_of;
use fastrand::Rng;
use std::hint::black_box;
use std::time::Duration;

include!(concat!(env!("OUT_DIR"), "/timed.rs"));
use all::*;

const ROUNDS: usize = 25;

/// What a function takes, and its gradient.
struct Row {
    name: &'static str,
    primal: Duration,
    gradient: Duration,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.gradient.as_secs_f64() / self.primal.as_secs_f64()
    }
}

/// The functions that were asked for, as they are timed.
struct Table {
    wanted: Option<String>,
    rows: Vec<Row>,
}

impl Table {
    fn time(&mut self, name: &'static str, primal: &mut dyn FnMut(), gradient: &mut dyn FnMut()) {
        if self.wanted.as_ref().is_none_or(|wanted| name.contains(&**wanted)) {
            let best = best_of(ROUNDS, &mut [primal, gradient]);
            self.rows.push(Row { name, primal: best[0], gradient: best[1] });
        }
    }

    fn print(&mut self) {
        self.rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
        println!("| function | primal | gradient | ratio |\n|---|--:|--:|--:|");
        for row in &self.rows {
            println!(
                "| {} | {:.2?} | {:.2?} | {:.2} |",
                row.name,
                row.primal,
                row.gradient,
                row.ratio()
            );
        }
        let logarithms: f64 = self.rows.iter().map(|row| row.ratio().ln()).sum();
        let count = self.rows.len();
        println!("\n{count} functions, geometric mean {:.2}", (logarithms / count as f64).exp());
    }
}

/// Times functions that return what is differentiated.
macro_rules! gradients {
    ($table:ident: $($module:ident::$function:ident($($argument:expr),*);)*) => {$(
        $table.time(
            stringify!($function),
            &mut || { black_box($module::$function($(black_box($argument)),*)); },
            &mut || { black_box($module::$function::gradient($(black_box($argument)),*)); },
        );
    )*};
}

/// Times functions whose first parameter is a list that they change: it is set anew each time, and its seeds are 1.
macro_rules! adjoints {
    ($table:ident: $($module:ident::$function:ident($list:ident $(, $value:expr $(=> $bar:expr)?)* $(; $seed:expr)?);)*) => {$({
        let (mut state, mut bars) = ($list.clone(), $list.clone());
        let (mut other, start) = ($list.clone(), &$list);
        $table.time(
            stringify!($function),
            &mut || {
                state.clone_from(start);
                black_box($module::$function(&mut state $(, black_box($value))*));
            },
            &mut || {
                other.clone_from(start);
                bars.fill(1.0);
                black_box($module::$function::adjoint(&mut other, &mut bars $(, black_box($value) $(, $bar)?)* $(, $seed)?));
            },
        );
    })*};
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let mut table = Table { wanted, rows: Vec::new() };
    of_lists(&mut table);
    of_matrices(&mut table);
    of_states(&mut table);
    of_numbers(&mut table);
    table.print();
}

fn numbers(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.f64() * 2.0 - 1.0).collect()
}

fn positive(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.f64() + 0.1).collect()
}

fn of_lists(table: &mut Table) {
    let mut rng = Rng::with_seed(1);
    let (x, y, w) = (&numbers(&mut rng, 1000), &numbers(&mut rng, 1000), &positive(&mut rng, 1000));
    let (few, rows, labels) = (
        &numbers(&mut rng, 20),
        &numbers(&mut rng, 20_000),
        &[true, false, true, true].repeat(250),
    );
    let (weights, means, scales) =
        (&numbers(&mut rng, 8), &numbers(&mut rng, 8), &numbers(&mut rng, 8));
    let returns: &Vec<f64> = &x.iter().map(|x| 0.02 * x).collect();
    let grid: &Vec<f64> = &(0..1000).map(|i| i as f64 * 0.01).collect();
    let taps = &[0.2, 0.3, 0.2, -0.5, 0.2];
    let observed: &Vec<usize> = &(0..1000).map(|_| rng.usize(..3)).collect();
    let (transition, emission) = (&[[0.9, 0.1], [0.3, 0.7]], &[[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]]);
    let planes: &Vec<[f64; 3]> = &x.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect();
    gradients! { table:
        statistics::log_sum_exp(x);
        statistics::cross_entropy(x, 17);
        statistics::logistic_loss(few, rows, labels, 0.1);
        statistics::mixture_likelihood(x, weights, means, scales);
        statistics::autoregression(x, &[0.5, -0.2], -0.3);
        statistics::garch(returns, 0.00001, 0.1, 0.8);
        statistics::hidden_markov(observed, transition, emission);
        statistics::huber(x, 0.5);
        statistics::natural_spline(grid, x, 3.21);
        recurrences::clenshaw(0.3, x);
        recurrences::holt_forecast(x, 0.4, 0.3, 2.0);
        recurrences::biquad_energy(x, taps);
        recurrences::horner_by_index(x, 0.99);
        iterators::squared_distance(x, y);
        iterators::cosine_similarity(x, y);
        iterators::iter_mean(x);
        iterators::iter_variance(x);
        iterators::covariance(x, y);
        iterators::skewness(x);
        iterators::normal_likelihood(x, 0.1, 0.8);
        iterators::iter_log_sum_exp(x);
        iterators::entropy_of_scores(x);
        iterators::weighted_slope(x, y, w);
        iterators::total_variation(x);
        iterators::total_variation_by_zip(x);
        iterators::power_sum(x, 0.99);
        iterators::iter_rosenbrock(x);
        iterators::iter_ackley(x);
        iterators::iter_levy(x);
        iterators::styblinski_tang(x);
        iterators::iter_zakharov(x);
        iterators::trapezoid(grid, y);
        iterators::polygon_area(x);
        iterators::block_means(x, 10);
        iterators::positive_part(x);
        iterators::row_norms(planes);
        iterators::spread(x);
        closures::density(x, 0.3, 0.2);
        rows_and_parts::grouped(x, 10);
        choices::pairs(few);
    }
}

fn of_matrices(table: &mut Table) {
    let mut rng = Rng::with_seed(2);
    let n = 24;
    let (a, b, x) = (&numbers(&mut rng, n * n), &numbers(&mut rng, n * n), &numbers(&mut rng, n));
    let mut definite = a.iter().map(|a| 0.1 * a).collect::<Vec<f64>>();
    for i in 0..n {
        for j in 0..i {
            definite[i * n + j] = definite[j * n + i];
        }
        definite[i * n + i] = n as f64;
    }
    let lower: Vec<f64> = numbers(&mut rng, 1000);
    let (diagonal, upper) = (&vec![4.0; 1000], &numbers(&mut rng, 1000));
    let right = numbers(&mut rng, 1000);
    gradients! { table:
        linear_algebra::dot(a, b);
        linear_algebra::matmul_trace(a, b, n);
        linear_algebra::determinant(a, n);
        linear_algebra::power_iteration(&definite, n, 20);
        linear_algebra::conjugate_gradient(&definite, x, 1e-10);
    }
    let (mut lower_b, mut diagonal_b, mut upper_b) =
        (vec![0.0; 1000], vec![0.0; 1000], vec![0.0; 1000]);
    let mut state = right.clone();
    let (mut other, mut bars) = (right.clone(), right.clone());
    table.time(
        "thomas",
        &mut || {
            state.clone_from(&right);
            linear_algebra::thomas(black_box(&lower), diagonal, upper, &mut state);
        },
        &mut || {
            other.clone_from(&right);
            bars.fill(1.0);
            linear_algebra::thomas::adjoint(
                black_box(&lower),
                &mut lower_b,
                diagonal,
                &mut diagonal_b,
                upper,
                &mut upper_b,
                &mut other,
                &mut bars,
            );
        },
    );
    adjoints! { table:
        linear_algebra::cholesky(definite, n);
        linear_algebra::gram_schmidt(definite, n; 1.0);
    }
}

fn of_states(table: &mut Table) {
    let mut rng = Rng::with_seed(3);
    let u = numbers(&mut rng, 500);
    let (w1, b1, w2) = (&numbers(&mut rng, 32), &numbers(&mut rng, 16), &numbers(&mut rng, 16));
    let points: &Vec<[f64; 2]> = &(0..100).map(|_| [rng.f64(), rng.f64()]).collect();
    let targets = &numbers(&mut rng, 100);
    let (first, second) = (&numbers(&mut rng, 400), &numbers(&mut rng, 400));
    gradients! { table:
        simulation::rk4_pendulum([0.5, -0.2], 0.1, 0.05, 200);
        simulation::projectile_range(20.0, 0.8, 0.02);
        simulation::adaptive_lotka_volterra(1.0, 0.5, [1.1, 0.4, 0.4, 0.1], 1e-6);
        simulation::network_loss(w1, b1, w2, points, targets);
        finance::asian_with_barrier(1.0, 0.3, first, 0.5);
        finance::american_put(100.0, 105.0, 0.03, 0.2, 1.0, 100);
        finance::heston_paths(1.0, 0.04, 1.5, 0.05, 0.3, -0.6, first, second, 20);
    }
    let (mut ratio_b, mut omega_b) = (0.0, 0.0);
    adjoints! { table:
        simulation::heat(u, 0.2 => &mut ratio_b, 20);
        simulation::burgers(u, 0.1 => &mut ratio_b, 20; 1.0);
        simulation::relaxation(u, 20, 1.2 => &mut omega_b, 5);
        statistics::softmax(u);
        mutable::cumulative_sum(u);
        mutable::cumulative_product(u; 1.0);
        mutable::normalise(u; 1.0);
        iterators::square_all(u);
    }
}

fn of_numbers(table: &mut Table) {
    gradients! { table:
        finance::black_scholes(100.0, 105.0, 0.03, 0.2, 1.0, true);
        finance::sabr(0.03, 0.035, 1.0, 0.03, 0.5, -0.3, 0.4);
        finance::implied_volatility(0.1, 1.0, 1.1, 1.0);
        geometry::haversine((0.5, 0.1), (0.7, -0.3));
        geometry::distance_to_segment((0.3, 0.7), (0.0, 0.0), (1.0, 0.2));
        geometry::kepler(1.2, 0.6);
        geometry::vincenty(0.5, 0.1, 0.7, -0.3);
        special_functions::ln_gamma(3.7);
        special_functions::erf_series(0.8);
        special_functions::beta_fraction(2.5, 1.5, 0.3);
        special_functions::bessel_j(2, 1.7);
        special_functions::lambert_w(1.3);
        special_functions::zeta(2.4);
        special_functions::digamma(2.2);
        special_functions::gamma_p(2.2, 1.4);
        recurrences::agm(1.0, 2.0);
        recurrences::legendre(12, 0.3);
        recurrences::logistic_map(3.2, 0.4, 100);
        everyday::quadrature_by_table(0.0, 1.0, 0.3);
    }
}
