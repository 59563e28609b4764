//! `unroll!` of `crunchy`, whose definition is in no file of the crate: it stands for a loop.

use approx::assert_relative_eq;
use backsweep::adjoint;
use crunchy::unroll;

/// A macro of the function in it, which the loop calls, too.
#[adjoint]
fn chosen<const N: usize>(x: [f64; N], n: usize) -> f64 {
    let mut s = 0.0;
    macro_rules! step {
        ($i:ident) => {
            for j in 0..N {
                if j <= $i {
                    s = s * x[j] + x[$i];
                }
            }
        };
    }
    if N <= 4 {
        unroll! {
            for i < 8 in 0..n {
                step!(i)
            }
        }
    } else {
        for i in 0..n {
            step!(i)
        }
    }
    s
}

/// Names of the macro are none of the caller's, and ranges begin anywhere.
#[adjoint]
fn with_names(x: [f64; 4], first: usize, end: usize) -> f64 {
    let mut s = 1.0;
    unroll! {
        for k in 1..3 {
            s += x[k] * x[first] * x[end];
        }
    }
    unroll! {
        for k in (0..4) {
            let mut inner = 0;
            while inner < 3 {
                inner += 1;
                if inner == 3 {
                    break;
                }
                s *= x[inner] + x[k];
            }
        }
    }
    s
}

mod by_path {
    // The macro calls itself by its name.
    use crunchy::unroll;

    #[backsweep::adjoint(second_order)]
    pub fn cubes(x: &[f64]) -> f64 {
        let mut s = 0.0;
        crunchy::unroll! {
            for i in 0..3 {
                s += x[i] * x[i] * x[i];
            }
        }
        s
    }
}

fn check<const N: usize>(f: impl Fn([f64; N]) -> f64, x: [f64; N], gradient: [f64; N]) {
    let h = 1e-6;
    for at in 0..N {
        let (mut more, mut less) = (x, x);
        more[at] += h;
        less[at] -= h;
        let slope = (f(more) - f(less)) / (2.0 * h);
        assert_relative_eq!(gradient[at], slope, max_relative = 1e-7, epsilon = 1e-8);
    }
}

#[test]
fn what_is_unrolled_is_a_loop() {
    let x = [0.7, -0.4, 1.3, 0.6];
    for n in 0..=4 {
        let (value, gradient) = chosen::gradient(x, n);
        assert_eq!(value, chosen(x, n));
        check(|x| chosen(x, n), x, gradient);
    }
    let (value, gradient) = with_names::gradient(x, 0, 3);
    assert_eq!(value, with_names(x, 0, 3));
    check(|x| with_names(x, 0, 3), x, gradient);
    let gradient = by_path::cubes::gradient(&x).1;
    check(|x| by_path::cubes(&x), x, [gradient[0], gradient[1], gradient[2], gradient[3]]);
}

#[test]
#[should_panic(expected = "assertion failed")]
fn there_are_no_more_iterations_than_it_says() {
    chosen::gradient([0.5; 2], 9);
}
