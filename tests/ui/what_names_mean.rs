//! Names of which the macro cannot tell what they mean.
use backsweep::adjoint;

macro_rules! unread {
    ($($name:ident => $value:expr);*) => {
        $(let _ = ($name, $value);)*
    };
}

#[adjoint]
#[allow(non_snake_case)]
fn in_an_unread_macro(x: f64) -> f64 {
    let K = 2.0;
    unread!(K => 1);
    x * K
}

macro_rules! labels {
    ($name:ident, $label:lifetime) => {
        #[adjoint]
        fn $name(x: f64) -> f64 {
            let mut s = x;
            $label: for i in 0..3 {
                'a: for j in 0..3 {
                    if j > i {
                        continue $label;
                    }
                    s *= x;
                    if j == 1 {
                        continue 'a;
                    }
                }
            }
            s
        }
    };
}

labels!(labels_of_two, 'a);

macro_rules! parameters {
    ($name:ident, $x:ident) => {
        #[adjoint]
        fn $name($x: f64, x: f64) -> f64 {
            $x * x * x
        }
    };
}

parameters!(parameters_of_two, x);

#[adjoint(independents(x), passive(xs))]
fn hidden_option(x: &[f64], xs: &[Option<usize>]) -> f64 {
    let mut best: Option<usize> = None;
    if x[0] > 0.5 {
        best = Some(1);
    }
    let k: usize = unsafe {
        let best = xs.get_unchecked(0);
        best.unwrap_or(1)
    };
    x[0] * k as f64 + x[best.unwrap()]
}

fn main() {}
