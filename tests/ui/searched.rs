//! What a loop finds by comparisons alone has a derivative that its statements do not tell.

use backsweep::adjoint;

#[adjoint]
fn bisected(a: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    0.5 * (lo + hi)
}

/// On one way out of it.
#[adjoint]
fn with_an_early_return(a: f64, b: f64) -> f64 {
    if a < 1.0 {
        return a * b;
    }
    let (mut lo, mut hi) = (0.0, 10.0);
    loop {
        let middle = 0.5 * (lo + hi);
        let residual = middle * middle - a;
        if residual.abs() < 1e-9 {
            return middle;
        }
        if residual > 0.0 {
            hi = middle;
        } else {
            lo = middle;
        }
    }
}

#[adjoint]
fn with_steps_that_halve(a: f64) -> f64 {
    let (mut x, mut step) = (0.0, 1.0);
    while step > 1e-9 {
        if (x + step) * (x + step) < a {
            x += step;
        }
        step *= 0.5;
    }
    x
}

/// The ends of the interval carry derivatives, the root has nothing of them.
#[adjoint]
fn between(a: f64, mut lo: f64, mut hi: f64, tolerance: f64) -> f64 {
    while hi - lo > tolerance {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    0.5 * (lo + hi)
}

#[adjoint]
fn below_what_it_is_of(a: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, a.max(1.0));
    for _ in 0..60 {
        let middle: f64 = lo + (hi - lo) / 2.0;
        if (middle * middle - a).signum() > 0.0 {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    lo
}

#[adjoint]
fn by_golden_sections(c: f64, mut a: f64, mut b: f64) -> f64 {
    while (b - a).abs() > 1e-6 {
        let x = b - (b - a) * 0.618;
        let y = a + (b - a) * 0.618;
        if (x - c) * (x - c) < (y - c) * (y - c) {
            b = y;
        } else {
            a = x;
        }
    }
    (a + b) / 2.0
}


fn residual(x: f64, a: f64) -> f64 {
    x * x - a
}

/// What is found is mixed with what depends on the independents: of the derivative a part is missing.
#[adjoint]
fn scaled(a: f64, k: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    lo * k
}

#[adjoint]
fn with_its_residual(a: f64) -> (f64, f64) {
    let (mut lo, mut hi) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    (lo, lo * lo - a)
}

#[adjoint]
fn price(volatility: f64, spot: f64) -> f64 {
    volatility * spot.sqrt()
}

#[adjoint]
fn handed_on(quote: f64, spot: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 4.0);
    while hi - lo > 1e-12 {
        let middle = 0.5 * (lo + hi);
        if price(middle, spot) > quote {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    price(lo, 1.1 * spot)
}

#[adjoint]
fn into_a_list(a: f64, out: &mut [f64]) {
    let (mut lo, mut hi) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    out[0] = lo;
}

/// By an index, by a sign, by loops that are left.
#[adjoint]
fn by_an_index(a: f64) -> f64 {
    let mut ends = [0.0, 10.0];
    for _ in 0..60 {
        let middle = 0.5 * (ends[0] + ends[1]);
        let side = (middle * middle > a) as usize;
        ends[side] = middle;
    }
    ends[0]
}

#[adjoint]
fn by_a_sign(a: f64) -> f64 {
    let (mut x, mut step) = (1.0, 1.0);
    for _ in 0..60 {
        step *= 0.5;
        x -= step * (#[passive] residual(x, a)).signum();
    }
    x
}

#[adjoint]
fn by_marching(a: f64) -> f64 {
    let (mut x, mut step) = (0.0, 0.5);
    while step > 1e-15 {
        while price(x + step, x + step) < a {
            x += step;
        }
        step *= 0.1;
    }
    x
}

/// By an index that is chosen, and by a sign that is.
#[adjoint]
fn by_a_chosen_index(a: f64) -> f64 {
    let mut ends = [0.0, 4.0];
    for _ in 0..60 {
        let middle = 0.5 * (ends[0] + ends[1]);
        let k = if middle * middle < a { 0 } else { 1 };
        ends[k] = middle;
    }
    ends[0]
}

#[adjoint]
fn by_a_chosen_sign(a: f64) -> f64 {
    let (mut y, mut h) = (2.0, 1.0);
    for _ in 0..50 {
        let sign = if y * y < a { 1 } else { -1 };
        y += sign as f64 * h;
        h *= 0.5;
    }
    y
}

/// Mixed with what is active inside of the loop.
#[adjoint]
fn returned_from_the_loop(area: f64, scale: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 4.0);
    loop {
        let r = 0.5 * (lo + hi);
        if hi - lo < 1e-12 {
            return r * scale;
        }
        if r * r < area {
            lo = r;
        } else {
            hi = r;
        }
    }
}

#[adjoint]
fn of_the_last_iteration(a: f64, k: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 4.0);
    let mut out = 0.0;
    for _ in 0..50 {
        let r = 0.5 * (lo + hi);
        if r * r < a {
            lo = r;
        } else {
            hi = r;
        }
        out = r * k;
    }
    out
}

fn main() {}
