//! Checkpointed loops that cannot be had.
use backsweep::{Differentiable, adjoint};

#[adjoint]
fn leaves_another_loop(x: f64) -> f64 {
    let mut s = x;
    'rounds: for _ in 0..3 {
        #[checkpoint(snapshots = 3)]
        for i in 0..9 {
            s *= x;
            if s > 4.0 && i > 2 {
                break 'rounds;
            }
        }
    }
    s
}

#[adjoint]
fn fails(x: f64, factors: &[Option<f64>]) -> Option<f64> {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    for i in 0..factors.len() {
        s *= factors[i]?;
    }
    Some(s)
}

#[adjoint]
fn breaks_with_a_value(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    loop {
        s *= x;
        if s > 4.0 {
            break s;
        }
    }
}

#[adjoint]
fn returns(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..9 {
        s *= x;
        if s > 4.0 {
            return s;
        }
    }
    s
}

#[adjoint]
fn over_a_list(x: &[f64]) -> f64 {
    let mut s = 1.0;
    #[checkpoint(every = 3)]
    for t in x {
        s *= t;
    }
    s
}

#[adjoint]
fn periodic_without_end(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(every = 3)]
    while s < 100.0 {
        s *= s;
    }
    s
}

#[adjoint]
fn to_disk_without_end(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3, disk = "scratch")]
    for _ in 0..9 {
        s *= x;
        if s > 4.0 {
            break;
        }
    }
    s
}

#[adjoint]
fn to_disk_alone(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(disk = "scratch")]
    for _ in 0..9 {
        s *= x;
    }
    s
}

#[adjoint]
fn on_no_disk(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3, on_disk = 4)]
    for _ in 0..9 {
        s *= x;
    }
    s
}

#[adjoint]
fn two_schedules(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3, every = 4)]
    for _ in 0..9 {
        s *= x;
    }
    s
}

#[adjoint]
fn no_amount(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(memory = "64 megabytes")]
    for _ in 0..9 {
        s *= x;
    }
    s
}

#[adjoint]
fn nothing_of_the_kind(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(slots = 3)]
    for _ in 0..9 {
        s *= x;
    }
    s
}

#[adjoint]
fn with_an_item_around(x: f64) -> f64 {
    let mut s = x;
    if x > 0.0 {
        const RATE: f64 = 0.5;
        #[checkpoint(snapshots = 3)]
        for _ in 0..9 {
            s *= x * RATE;
        }
    }
    s
}

#[adjoint]
fn overlapping(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    let (left, right) = u.split_at_mut(1);
    #[checkpoint(snapshots = 3)]
    for _ in 0..9 {
        left[0] *= right[0];
    }
    u[0]
}

#[adjoint]
fn closure(x: f64) -> f64 {
    let mut s = x;
    let twice = |t: f64| 2.0 * t * x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..9 {
        s = twice(s).sin();
    }
    s
}

#[adjoint]
fn in_a_macro(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..9 {
        s *= x;
        assert!(s < 1e9);
    }
    s
}

#[adjoint]
fn of_the_same_name(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..9 {
        s *= x;
        let s = 3;
        let _ = s;
    }
    s
}

#[adjoint]
fn generic<const N: usize>(x: [f64; N]) -> f64 {
    let mut s = x[0];
    #[checkpoint(snapshots = 3)]
    for i in 0..9 {
        s *= (i % N) as f64;
    }
    s
}

#[derive(Clone, Differentiable)]
struct Scale(f64);

impl Scale {
    #[adjoint]
    fn alone(&self, x: f64) -> f64 {
        let mut s = x;
        #[checkpoint(snapshots = 3)]
        for _ in 0..9 {
            s *= x;
        }
        s
    }
}

#[derive(Clone, Differentiable)]
struct Table<const N: usize>([f64; N]);

#[adjoint]
impl<const N: usize> Table<N> {
    const HALF: f64 = 0.5;

    fn of_a_generic_type(&self, x: f64) -> f64 {
        let mut s = x;
        #[checkpoint]
        {
            s *= Self::HALF * self.0[0];
        }
        s
    }
}

#[adjoint]
fn without_snapshots(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 0)]
    for _ in 0..9 {
        s *= x;
    }
    s
}

fn main() {
    without_snapshots(1.0);
    leaves_another_loop(1.0) + breaks_with_a_value(1.0) + returns(1.0) + over_a_list(&[]);
    periodic_without_end(1.0) + to_disk_without_end(1.0) + to_disk_alone(1.0) + on_no_disk(1.0);
    two_schedules(1.0) + no_amount(1.0) + nothing_of_the_kind(1.0);
    with_an_item_around(1.0) + overlapping(&[]) + closure(1.0) + in_a_macro(1.0);
    of_the_same_name(1.0) + generic([1.0]) + Scale(1.0).alone(1.0);
    Table([1.0]).of_a_generic_type(1.0);
    fails(1.0, &[]);
}
