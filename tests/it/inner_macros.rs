//! Macros that are defined inside of functions, and in annotated modules: they mention the variables in scope where they stand.

use approx::assert_relative_eq;
use backsweep::adjoint;

struct Grid {
    values: Vec<f64>,
}

impl Grid {
    fn at(&self, i: usize) -> f64 {
        self.values[i]
    }
}

/// The macro reads and writes what is around it, in two loops.
#[adjoint(independents(x), passive(grid))]
fn unrolled(grid: &Grid, x: [f64; 2], n: usize) -> f64 {
    let mut store = [[0.0; 2]; 3];
    macro_rules! step {
        ($i:ident) => {
            for j in 0..2 {
                let x0 = grid.at(j);
                let t = (x[j] - x0) * ($i as f64 + 1.0);
                store[j][$i % 2] += t * t;
            }
        };
    }
    if n <= 2 {
        for i in 0..n {
            step!(i)
        }
    } else {
        for k in 0..n {
            step!(k);
        }
    }
    let x0 = store[0][0] * store[1][1];
    x0 + store[0][1]
}

#[adjoint]
fn hygienic(x: f64, y: f64) -> f64 {
    macro_rules! squared {
        ($e:expr) => {{
            let t = $e;
            t * t * y
        }};
    }
    let t = x * y;
    squared!(t + x) + t
}

#[adjoint]
fn nested(x: f64) -> f64 {
    macro_rules! m {
        ($e:expr) => {
            2.0 * $e
        };
    }
    let a = m!(x);
    let b = {
        macro_rules! m {
            ($e:expr) => {
                x * $e
            };
        }
        m!(m!(a))
    };
    macro_rules! twice {
        ($e:expr) => {
            m!(m!($e))
        };
    }
    twice!(b) + a
}

/// The ends of its ranges are variables of the macro, and of who calls it.
#[adjoint]
fn ranges(x: f64, n: usize) -> f64 {
    macro_rules! powers {
        ($e:expr) => {{
            let n = 2;
            let mut s = 1.0;
            for _ in 0..n {
                s *= $e;
            }
            for _ in 1..=n {
                s *= $e;
            }
            s
        }};
    }
    powers!(x) + powers!(x * n as f64)
}

#[adjoint]
mod annotated {
    macro_rules! square {
        ($x:expr) => {
            $x * $x
        };
    }

    pub fn early(x: f64) -> f64 {
        square!(x)
    }

    macro_rules! square {
        ($x:expr) => {
            $x * $x * $x
        };
    }

    pub fn late(x: f64) -> f64 {
        square!(x)
    }
}

/// Fields are no variables of the macro.
struct Pair {
    t: f64,
}

#[adjoint(no(context))]
fn with_fields(x: f64) -> f64 {
    macro_rules! pair {
        ($e:expr) => {{
            let t = $e;
            Pair { t }
        }};
    }
    let t = x * x;
    let Pair { t: s } = Pair { t: 2.0 };
    let n = pair!(3.0 * s).t;
    t * n
}

/// The condition of a definition, and of what is called, is decided by rustc.
#[adjoint]
fn conditional(x: f64) -> f64 {
    #[cfg(any())]
    macro_rules! m {
        ($e:expr) => {
            0.0 * $e
        };
    }
    #[cfg(not(any()))]
    macro_rules! m {
        ($e:expr) => {
            x * $e
        };
    }
    m!(x)
}

#[test]
fn a_macro_in_a_function_sees_what_is_around_it() {
    let grid = Grid { values: vec![0.3, -0.2] };
    for n in [2, 5] {
        let (x, h) = ([0.7, 1.1], 1e-6);
        let (value, gradient) = unrolled::gradient(&grid, x, n);
        assert_eq!(value, unrolled(&grid, x, n));
        for at in 0..2 {
            let (mut more, mut less) = (x, x);
            more[at] += h;
            less[at] -= h;
            let slope = (unrolled(&grid, more, n) - unrolled(&grid, less, n)) / (2.0 * h);
            assert_relative_eq!(gradient[at], slope, max_relative = 1e-8);
        }
    }
}

#[test]
fn names_of_macros_are_their_own() {
    let (x, y) = (1.2_f64, 0.7);
    let (_, (by_x, by_y)) = hygienic::gradient(x, y);
    assert_relative_eq!(by_x, 2.0 * x * (y + 1.0).powi(2) * y + y, max_relative = 1e-14);
    let slope = x * x * ((y + 1.0).powi(2) + 2.0 * y * (y + 1.0)) + x;
    assert_relative_eq!(by_y, slope, max_relative = 1e-14);
    assert_relative_eq!(nested::gradient(x).1, 24.0 * x * x + 2.0, max_relative = 1e-14);
    assert_relative_eq!(with_fields::gradient(x).1, 12.0 * x, max_relative = 1e-14);
    assert_relative_eq!(conditional::gradient(x).1, 2.0 * x, max_relative = 1e-14);
    let (value, slope) = ranges::gradient(x, 3);
    assert_eq!(value, ranges(x, 3));
    assert_relative_eq!(slope, 4.0 * x.powi(3) * (1.0 + 81.0), max_relative = 1e-14);
}

#[test]
fn a_definition_in_an_annotated_module_counts_for_what_follows() {
    let x = 1.2_f64;
    assert_relative_eq!(annotated::early::gradient(x).1, 2.0 * x, max_relative = 1e-14);
    assert_relative_eq!(annotated::late::gradient(x).1, 3.0 * x * x, max_relative = 1e-14);
}
