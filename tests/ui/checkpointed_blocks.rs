//! Checkpointed blocks that cannot be had.
use backsweep::adjoint;

#[adjoint]
fn returns(x: f64) -> f64 {
    let s = x * x;
    #[checkpoint]
    {
        if s > 1.0 {
            return s;
        }
    }
    s * s
}

#[adjoint]
fn fails(x: f64, bound: Option<f64>) -> Option<f64> {
    let mut s = x * x;
    #[checkpoint]
    {
        s *= bound?;
    }
    Some(s * s)
}

#[adjoint]
fn continues(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in x {
        #[checkpoint]
        {
            if *t < 0.0 {
                continue;
            }
            s += t * t;
        }
    }
    s
}

#[adjoint]
fn breaks_outside(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'items: for t in x {
        #[checkpoint]
        {
            loop {
                s += t * t;
                if s > 3.0 {
                    break 'items;
                }
            }
        }
    }
    s
}

#[adjoint]
fn has_a_value(x: f64) -> f64 {
    #[checkpoint]
    {
        let y = x * x;
        y * y
    }
}

#[adjoint]
fn has_a_schedule(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    {
        s *= s;
    }
    s
}

#[adjoint]
fn split(x: f64) -> f64 {
    let mut s = x;
    #[split]
    {
        s *= s;
    }
    s
}

#[adjoint]
fn with_a_closure(x: f64) -> f64 {
    let mut s = x;
    let twice = |t: f64| 2.0 * t * x;
    #[checkpoint]
    {
        s = twice(s).sin();
    }
    s
}

fn main() {
    returns(1.0) + continues(&[]) + breaks_outside(&[]) + has_a_value(1.0) + has_a_schedule(1.0);
    split(1.0) + with_a_closure(1.0);
    fails(1.0, None);
}
