//! Macros of which it is not known what they stand for: what they are given could be kept by them.
use backsweep::adjoint;

macro_rules! recorded {
    ($x:expr) => {
        LAST.with(|last| last.set($x))
    };
}

thread_local! {
    static LAST: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

#[adjoint(no(context))]
fn without_context(x: f64) -> f64 {
    recorded!(x);
    x * x
}

/// What it becomes is refused, too.
#[adjoint]
fn kept_elsewhere(x: f64) -> f64 {
    recorded!(x);
    x * x
}

macro_rules! define {
    ($name:ident) => {
        macro_rules! $name {
            ($x:expr) => {
                assert!($x > 0.0)
            };
        }
    };
}

macro_rules! positive {
    ($x:expr) => {
        recorded!($x)
    };
}

define!(positive);

/// A macro that another one defines: the definition that stands there is another one.
#[adjoint]
fn defined_by_a_macro(x: f64) -> f64 {
    positive!(x);
    x * x
}

fn in_a_function() {
    macro_rules! recorded {
        ($x:expr) => {
            LAST.with(|last| last.set(2.0 * $x))
        };
    }
    #[adjoint]
    fn inner(x: f64) -> f64 {
        recorded!(x);
        x * x
    }
    inner(1.0);
}

macro_rules! bound_in_arms {
    ($value:expr, $scale:expr) => {
        match $value {
            u if u > 100.0 => 0.0,
            v => $scale * v,
        }
    };
}

/// The variable `v` of the macro is not the one of its caller.
#[adjoint]
fn variables_of_one_name(v: f64) -> f64 {
    bound_in_arms!(2.0 * v, v)
}

macro_rules! repeat {
    ($times:expr, $body:block) => {
        'rounds: for _ in 0..$times {
            $body
        }
    };
}

/// The label of the macro is not the one of its caller.
#[adjoint]
fn labels_of_one_name(x: f64) -> f64 {
    let mut y = x;
    'rounds: for _ in 0..3 {
        repeat!(2, {
            y *= x;
            if y > 2.0 {
                break 'rounds;
            }
        });
    }
    y
}

/// The variable that the macro mentions is hidden where it is called.
#[adjoint]
fn hidden(x: f64) -> f64 {
    macro_rules! scaled {
        ($k:expr) => {
            x * $k
        };
    }
    let x = x * x;
    scaled!(x)
}

mod elsewhere {
    macro_rules! kept {
        ($x:expr) => {
            LAST.with(|last| last.set($x))
        };
    }
    pub(crate) use kept;
}

/// It may be another one than that of the module.
#[adjoint]
fn imported_in_a_block(x: f64) -> f64 {
    use elsewhere::kept;
    kept!(x);
    x * x
}

macro_rules! shift {
    ($n:ident) => {
        let $n = $n + 1;
    };
}

/// The variable that is mentioned after it is another one.
#[adjoint(no(context))]
fn declares(x: f64, n: usize) -> f64 {
    shift!(n);
    x * n as f64
}

/// In a block of its own it hides nothing.
#[adjoint(no(context))]
fn in_a_block(x: f64, n: usize) -> f64 {
    {
        shift!(n);
    }
    x * n as f64
}

fn main() {
    declares(1.0, 1) + in_a_block(1.0, 1);
    hidden(1.0) + imported_in_a_block(1.0);
    variables_of_one_name(1.0) + labels_of_one_name(1.0);
    without_context(1.0) + kept_elsewhere(1.0) + defined_by_a_macro(1.0);
    in_a_function();
}
