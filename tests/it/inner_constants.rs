//! Constants, and other names, inside of functions, in the types of what is kept for the backward sweep.

use backsweep::adjoint;

mod sizes {
    pub const ROWS: usize = 3;
    pub const COLUMNS: usize = 2;
}

/// The same function with the options.
macro_rules! powers {
    ($($name:ident ($($options:tt)*))*) => {$(
        #[adjoint($($options)*)]
        fn $name(b: f64) -> f64 {
            const M: usize = 5;
            type Number = f64;
            const fn half(n: usize) -> usize {
                n / 2
            }
            let mut r = [0.0; M];
            let mut q: [Number; half(M) + 1] = [1.0; half(M) + 1];
            r[0] = b;
            for i in 1..M {
                r[i] = r[i - 1] * b;
                q[i % 3] *= r[i];
            }
            r[M - 1] + q[0] * q[1] * q[2]
        }
    )*};
}

powers! { powers() powers_unoptimised(no(all)) }

/// Imported inside of the function.
#[adjoint(no(all))]
fn table(b: f64) -> f64 {
    use sizes::{COLUMNS, ROWS as HEIGHT};
    let mut t = [[b; COLUMNS]; HEIGHT];
    for i in 1..HEIGHT {
        for k in 0..COLUMNS {
            t[i][k] *= t[i - 1][COLUMNS - 1 - k] * b;
        }
    }
    t[HEIGHT - 1][0] * t[1][1]
}

/// With all names of a module.
#[adjoint(no(all))]
fn column(b: f64) -> f64 {
    use sizes::*;
    let mut t = [b; ROWS];
    for i in 1..ROWS {
        t[i] *= t[i - 1] * b;
    }
    t[ROWS - 1]
}

#[test]
fn lengths_are_constants_of_the_function() {
    // b⁵, and the product of b², b³, b⁴, b⁵.
    let b = 0.9_f64;
    for (function, gradient) in [
        (powers as fn(f64) -> f64, powers::gradient as fn(f64) -> (f64, f64)),
        (powers_unoptimised, powers_unoptimised::gradient),
    ] {
        let (value, slope) = gradient(b);
        assert_eq!(value, function(b));
        assert!((slope - (5.0 * b.powi(4) + 14.0 * b.powi(13))).abs() < 1e-13, "{slope}");
    }
    // Rows are b, b³, b⁵.
    let (value, slope) = table::gradient(b);
    assert_eq!(value, table(b));
    assert!((slope - 8.0 * b.powi(7)).abs() < 1e-13, "{slope}");
    let (value, slope) = column::gradient(b);
    assert_eq!(value, column(b));
    assert!((slope - 5.0 * b.powi(4)).abs() < 1e-13, "{slope}");
}
