//! What a callee's backward sweep reads of its arguments, and what callers store for it.

use approx::assert_relative_eq;
use backsweep::adjoint;
use testkit::storage::bytes_between_sweeps;

/// Reads only how long the list is.
#[adjoint]
fn linear(u: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..u.len() {
        s += c * 2.0 + u[i] * 3.0;
    }
    s
}

/// Reads the list where `a` is active, and `a` where the list is.
#[adjoint]
fn scaled(a: f64, u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..u.len() {
        s += a * u[i];
    }
    s
}

/// Reads the first number to find its way, and no other.
#[adjoint]
fn switched(u: &[f64], c: f64) -> f64 {
    let mut s = c;
    for i in 0..u.len() {
        s += if u[0] > 0.0 { 2.0 * u[i] } else { -u[i] };
    }
    s
}

mod recursive {
    use backsweep::adjoint;

    #[adjoint]
    pub fn summed(u: &[f64], depth: usize) -> f64 {
        if depth == 0 { u[0] * 2.0 } else { summed(u, depth - 1) + u[1] }
    }

    /// Calls `odd` with its lists exchanged: each reads in the end what either squares.
    #[adjoint]
    pub fn even(u: &[f64], v: &[f64], depth: usize) -> f64 {
        if depth == 0 { u[0] } else { odd(v, u, depth - 1) + u[1] }
    }

    #[adjoint]
    pub fn odd(u: &[f64], v: &[f64], depth: usize) -> f64 {
        if depth == 0 { u[0] * u[0] } else { even(u, v, depth - 1) + v[1] }
    }
}
use recursive::{even, summed};

/// Hands its lists on, one to a function that reads it.
#[adjoint(no(inline))]
fn handed_on(u: &[f64], v: &[f64], a: f64) -> f64 {
    linear(u, 2.0) + scaled(a, v)
}

/// Reads what it is given as a value, if `by` is active.
#[adjoint(no(preaccumulate, inline))]
fn stretched(t: f64, by: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..3 {
        s += t * by;
    }
    s
}

/// A function that steps two lists and calls others with them, as it is and with `no(summaries)`.
macro_rules! stepping {
    (@ $name:ident [$($off:ident)?] |$u:ident, $v:ident, $x:ident| $call:expr) => {
        #[adjoint(independents(x), no(inline $(, $off)?))]
        fn $name($x: f64, steps: usize) -> f64 {
            let mut $u = vec![$x; 20];
            let mut $v = vec![0.5 * $x; 20];
            let mut s = 0.0;
            for k in 0..steps {
                s += $call;
                for i in 0..20 {
                    $u[i] = $u[i] * 0.9 + k as f64;
                    $v[i] = $v[i] * 0.8 + 0.1;
                }
            }
            s
        }
    };
    ($($name:ident, $without:ident: |$u:ident, $v:ident, $x:ident| $call:expr;)*) => {$(
        stepping!(@ $name [] |$u, $v, $x| $call);
        stepping!(@ $without [summaries] |$u, $v, $x| $call);
    )*};
}

stepping! {
    of_linear, of_linear_stored: |u, v, x| linear(&u, 1.5) + linear(&v, x);
    of_passive_scale, of_passive_scale_stored: |u, v, x| scaled(0.7, &u) + scaled(0.3, &v);
    of_active_scale, of_active_scale_stored: |u, v, x| scaled(x, &u) + scaled(0.3, &v);
    of_switched, of_switched_stored: |u, v, x| switched(&u, x) + switched(&v, 1.0);
    of_recursion, of_recursion_stored: |u, v, x| summed(&u, 3) + summed(&v, 0) * x;
    of_exchanged, of_exchanged_stored: |u, v, x| even(&u, &v, 2) + x;
    of_exchanged_once_more, of_exchanged_once_more_stored: |u, v, x| even(&u, &v, 3) + x;
    of_handed_on, of_handed_on_stored: |u, v, x| handed_on(&u, &v, x);
    of_handed_on_passively, of_handed_on_passively_stored: |u, v, x| handed_on(&u, &v, 0.4) + x;
    of_parts, of_parts_stored: |u, v, x| linear(&u[3..7], 1.0) + scaled(x, &v[..5]);
}

/// Both give the derivative, and store what they are said to.
fn compare(
    [bytes, bytes_without]: [usize; 2],
    of: impl Fn(f64) -> (f64, f64),
    without: impl Fn(f64) -> (f64, f64),
    stores: &str,
) {
    for x in [0.3, -1.2] {
        let (value, gradient) = of(x);
        assert_eq!((value, gradient), without(x));
        let h = 1e-4;
        let slope = (of(x + h).0 - of(x - h).0) / (2.0 * h);
        assert_relative_eq!(gradient, slope, max_relative = 1e-6);
    }
    match stores {
        // The lists themselves are handed over, as they are at the end.
        "nothing" => assert!(bytes < 700 && bytes_without > 1_900, "{bytes} {bytes_without}"),
        "one list" => assert!(bytes < 2_400 && bytes_without > 3_500, "{bytes} {bytes_without}"),
        "both lists" => assert_eq!(bytes, bytes_without),
        _ => unreachable!(),
    }
}

macro_rules! compared {
    ($($name:ident, $without:ident: $stores:literal;)*) => {$(
        compare(
            [
                bytes_between_sweeps(|stack| { $name::forward(stack, 0.3, 10); }),
                bytes_between_sweeps(|stack| { $without::forward(stack, 0.3, 10); }),
            ],
            |x| $name::gradient(x, 4),
            |x| $without::gradient(x, 4),
            $stores,
        );
    )*};
}

#[test]
fn what_no_callee_reads_is_not_stored() {
    compared! {
        of_linear, of_linear_stored: "nothing";
        of_passive_scale, of_passive_scale_stored: "nothing";
        of_active_scale, of_active_scale_stored: "one list";
        of_switched, of_switched_stored: "both lists";
        of_recursion, of_recursion_stored: "nothing";
        of_exchanged, of_exchanged_stored: "both lists";
        of_exchanged_once_more, of_exchanged_once_more_stored: "both lists";
        of_handed_on, of_handed_on_stored: "one list";
        of_handed_on_passively, of_handed_on_passively_stored: "nothing";
        of_parts, of_parts_stored: "one list";
    }
}

/// Numbers that are passed as they are.
#[adjoint(independents(x), no(inline))]
fn of_values(x: f64, by: f64, steps: usize) -> f64 {
    let mut s = 0.0;
    let mut t = x;
    for _ in 0..steps {
        s += stretched(t, by);
        t = (t * t + 0.2).sin();
        s += t * t;
    }
    s
}

#[adjoint(independents(x, by), no(inline))]
fn of_values_and_scale(x: f64, by: f64, steps: usize) -> f64 {
    of_values_of(x, by, steps)
}

#[adjoint(no(inline))]
fn of_values_of(x: f64, by: f64, steps: usize) -> f64 {
    let mut s = 0.0;
    let mut t = x;
    for _ in 0..steps {
        s += stretched(t, by);
        t = 0.5 * t + 0.25;
    }
    s
}

#[adjoint(independents(x), no(inline))]
fn of_values_alone(x: f64, by: f64, steps: usize) -> f64 {
    of_values_of(x, by, steps)
}

#[test]
fn numbers_are_stored_where_the_instance_of_the_callee_reads_them() {
    let (x, by, h) = (0.4, 1.3, 1e-4);
    let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    let gradient = of_values::gradient(x, by, 5).1;
    assert_relative_eq!(gradient, slope(&|d| of_values(x + d, by, 5)), max_relative = 1e-6);
    let (_, (x_g, by_g)) = of_values_and_scale::gradient(x, by, 5);
    assert_relative_eq!(x_g, slope(&|d| of_values_of(x + d, by, 5)), max_relative = 1e-6);
    assert_relative_eq!(by_g, slope(&|d| of_values_of(x, by + d, 5)), max_relative = 1e-6);
    assert_relative_eq!(of_values_alone::gradient(x, by, 5).1, x_g);
    let with_scale = bytes_between_sweeps(|stack| {
        of_values_and_scale::forward(stack, x, by, 100);
    });
    let alone = bytes_between_sweeps(|stack| {
        of_values_alone::forward(stack, x, by, 100);
    });
    assert!(alone + 700 < with_scale, "{alone} {with_scale}");
}

/// The list has another length in each turn: its length is there, whatever is read of it.
#[adjoint(independents(x), no(inline))]
fn of_lengths(x: f64, steps: usize) -> f64 {
    let mut u = vec![x];
    let mut s = 0.0;
    for k in 0..steps {
        s += linear(&u, x);
        u = vec![x * x; k + 2];
        u.push(0.5 * x);
        s += scaled(0.5, &u);
    }
    s
}

/// Lists of the iteration, and a list that is made again in the backward sweep.
#[adjoint(independents(x), no(inline))]
fn of_local_lists(x: f64, steps: usize) -> f64 {
    let mut s = 0.0;
    let mut t = x;
    for k in 0..steps {
        let v = vec![t; k + 1];
        let mut w = v.clone();
        s += linear(&v, 1.0) + scaled(2.0, &w);
        w[0] = 3.0 * t;
        s += linear(&w, t);
        t = 0.5 * t + 1.0;
    }
    s
}

/// What a method passes on.
#[derive(Clone, backsweep::Differentiable)]
struct Line {
    points: Vec<f64>,
    scale: f64,
}

#[adjoint]
impl Line {
    fn lengths(&self, steps: usize) -> f64 {
        let mut u = self.points.clone();
        let mut s = 0.0;
        for _ in 0..steps {
            s += linear(&u, self.scale) + scaled(self.scale, &u);
            for i in 0..u.len() {
                u[i] = u[i] * u[i] + 0.1;
            }
        }
        s
    }
}

#[adjoint(independents(x), no(inline))]
fn of_line(x: f64, steps: usize) -> f64 {
    let line = Line { points: vec![x, 0.5, 0.1 * x], scale: 0.4 * x };
    line.lengths(steps)
}

#[test]
fn lists_have_their_lengths() {
    for f in [of_lengths::gradient, of_local_lists::gradient, of_line::gradient] {
        for x in [0.3, -0.8] {
            let h = 1e-4;
            let slope = (f(x + h, 4).0 - f(x - h, 4).0) / (2.0 * h);
            assert_relative_eq!(f(x, 4).1, slope, max_relative = 1e-6);
        }
    }
}

/// Second derivatives: the tangent is differentiated, whose calls are those of tangents.
#[adjoint(second_order)]
fn squared_sum(u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..u.len() {
        s += u[i] * u[i];
    }
    s
}

#[adjoint(independents(x), second_order, no(inline))]
fn curved(x: f64, steps: usize) -> f64 {
    let mut u = vec![x; 4];
    let mut s = 0.0;
    for _ in 0..steps {
        s += squared_sum(&u);
        for i in 0..4 {
            u[i] = 0.7 * u[i] + 0.2;
        }
    }
    s * s
}

#[test]
fn second_derivatives_are_right() {
    let (x, h) = (0.6, 1e-4);
    let (.., product) = curved::hessian_vector(x, 1.0, 3);
    let slope = (curved::gradient(x + h, 3).1 - curved::gradient(x - h, 3).1) / (2.0 * h);
    assert_relative_eq!(product, slope, max_relative = 1e-6);
}

/// Changes its list in place, and cannot give it another length.
#[adjoint]
fn advanced(u: &mut [f64], a: f64) {
    for v in u.iter_mut() {
        *v = *v * 0.5 + a;
    }
}

/// Gives its list another length.
#[adjoint]
fn prolonged(u: &mut Vec<f64>, a: f64) {
    u.push(a);
    for v in u.iter_mut() {
        *v *= 0.5;
    }
}

macro_rules! advancing {
    (@ $name:ident [$($off:ident)?] |$u:ident, $x:ident| $change:expr, $call:expr) => {
        #[adjoint(independents(x), no(inline $(, $off)?))]
        fn $name($x: f64, steps: usize) -> f64 {
            let mut $u = vec![$x; 20];
            let mut s = 0.0;
            for _ in 0..steps {
                s += $call;
                $change;
            }
            s
        }
    };
    ($($name:ident, $without:ident: |$u:ident, $x:ident| $change:expr, $call:expr;)*) => {$(
        advancing!(@ $name [] |$u, $x| $change, $call);
        advancing!(@ $without [summaries] |$u, $x| $change, $call);
    )*};
}

advancing! {
    of_advanced, of_advanced_stored: |u, x| advanced(&mut u, 0.1 * x), linear(&u, 1.0);
    of_advanced_and_read, of_advanced_and_read_stored: |u, x| advanced(&mut u, 0.1), scaled(x, &u);
    of_prolonged, of_prolonged_stored: |u, x| prolonged(&mut u, 0.1 * x), linear(&u, 1.0);
}

#[test]
fn what_a_callee_overwrites_is_stored_if_another_reads_it_or_its_length() {
    compared! {
        of_advanced, of_advanced_stored: "nothing";
        of_advanced_and_read, of_advanced_and_read_stored: "both lists";
        of_prolonged, of_prolonged_stored: "both lists";
    }
}

/// Reads two lists, changes one that it reads and one that its adjoint has no use for.
#[adjoint]
fn segment(a: &[f64], b: &[f64], unread: &mut [f64], w: &mut [f64]) {
    for i in 0..w.len() {
        let mut t = w[i];
        for _ in 0..50 {
            t = (t * a[i] + b[i]).sin();
        }
        w[i] = t;
    }
    for v in unread.iter_mut() {
        *v += 1.0;
    }
}

/// Linear in its list, which its adjoint does not read when it runs again.
#[adjoint]
fn weighted(u: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..u.len() {
        s += u[i] * c.sin();
    }
    s
}

macro_rules! checkpointed {
    ($($name:ident: $($off:ident)?;)*) => {$(
        #[adjoint(no(inline $(, $off)?))]
        fn $name(x: &[f64]) -> f64 {
            let n = x.len();
            let mut a = vec![0.0; n];
            let mut b = vec![0.0; n];
            let mut w = vec![0.0; n];
            let mut unread = vec![0.0; n];
            for i in 0..n {
                a[i] = x[i] * 0.5;
                b[i] = x[i] * 0.3;
                w[i] = x[i] * 0.1;
                unread[i] = x[i];
            }
            #[checkpoint]
            segment(&a, &b, &mut unread, &mut w);
            let mut s = 0.0;
            for i in 0..n {
                b[i] = b[i] * w[i];
                s += b[i] + unread[i] + a[i];
            }
            #[checkpoint]
            let t = weighted(&unread, 1.2);
            for i in 0..n {
                unread[i] = 0.5 * unread[i];
                s += unread[i];
            }
            s + t
        }
    )*};
}

checkpointed! {
    of_snapshots: ;
    of_snapshots_stored: summaries;
}

#[test]
fn snapshots_hold_what_is_used_when_a_call_runs_again() {
    let x: Vec<f64> = (0..20).map(|i| 0.1 + f64::from(i) * 0.01).collect();
    let [bytes, bytes_stored] = [
        bytes_between_sweeps(|stack| {
            of_snapshots::forward(stack, &x);
        }),
        bytes_between_sweeps(|stack| {
            of_snapshots_stored::forward(stack, &x);
        }),
    ];
    // The list that is only incremented, before the first call, and after the second.
    assert!(bytes + 2 * 20 * 8 <= bytes_stored, "{bytes} {bytes_stored}");
    let (value, gradient) = of_snapshots::gradient(&x);
    assert_eq!((value, gradient.clone()), of_snapshots_stored::gradient(&x));
    for i in [0, 7, 19] {
        let moved = |h: f64| {
            let mut x = x.clone();
            x[i] += h;
            of_snapshots(&x)
        };
        let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
        assert_relative_eq!(gradient[i], slope, max_relative = 1e-6);
    }
}

/// Two results: the sweep for several seeds asks the same.
#[adjoint(independents(x, c), dependents(out), no(inline))]
fn of_two_results(x: f64, c: f64, out: &mut [f64; 2]) {
    let mut u = vec![x; 3];
    for k in 0..4 {
        out[0] += linear(&u, c);
        out[1] += scaled(c, &u);
        for i in 0..3 {
            u[i] = u[i] * u[i] + 0.1 * k as f64;
        }
    }
}

#[test]
fn bars_of_each_result_are_right() {
    let (x, c, h) = (0.4, 0.7, 1e-4);
    let bars = |seed: [f64; 2]| {
        let (mut out, mut out_b, mut x_b, mut c_b) = ([0.0; 2], seed, 0.0, 0.0);
        of_two_results::adjoint(x, &mut x_b, c, &mut c_b, &mut out, &mut out_b);
        [x_b, c_b]
    };
    let at = |x: f64, c: f64| {
        let mut out = [0.0; 2];
        of_two_results(x, c, &mut out);
        out
    };
    for (n, seed) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
        let [x_b, c_b] = bars(seed);
        let slope_x = (at(x + h, c)[n] - at(x - h, c)[n]) / (2.0 * h);
        let slope_c = (at(x, c + h)[n] - at(x, c - h)[n]) / (2.0 * h);
        assert_relative_eq!(x_b, slope_x, max_relative = 1e-6);
        assert_relative_eq!(c_b, slope_c, max_relative = 1e-6);
    }
}
