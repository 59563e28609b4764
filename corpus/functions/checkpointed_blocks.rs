//! Blocks that are run again, loops of unknown length, snapshots on disk.

use backsweep::adjoint;

/// The stages of a method of Runge and Kutta, each a block, inside of a loop.
#[adjoint(independents(start, decay), dependents(return))]
#[sample([0.8, -0.3, 0.5], 0.7, 5)]
#[sample([0.8, -0.3, 0.5], 0.7, 0)]
pub fn stages(start: &[f64], decay: f64, steps: usize) -> f64 {
    let mut u = start.to_vec();
    let mut slope = vec![0.0; start.len()];
    let time = 0.05;
    for _ in 0..steps {
        #[checkpoint]
        {
            let before = u.clone();
            for k in 0..u.len() {
                let next = before[(k + 1) % before.len()];
                slope[k] = (before[k] * next).sin() - decay * before[k];
                u[k] += 0.5 * time * slope[k];
            }
        }
        #[checkpoint]
        {
            for k in 0..u.len() {
                u[k] += time * slope[k] * u[k].cos();
            }
        }
    }
    let mut s = 0.0;
    for v in &u {
        s += v * v;
    }
    s
}

/// Blocks in each other, with counters and a truth value.
#[adjoint]
#[sample(0.7, 1.2)]
#[sample(-0.7, 1.2)]
pub fn blocks_in_blocks(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut turns: i32 = 0;
    let mut is_large = false;
    #[checkpoint]
    {
        for k in 0..4 {
            a = a * y + 0.1 * f64::from(k);
            turns += 1;
            #[checkpoint]
            {
                let b = a.sin();
                if b > 0.3 {
                    a += b * x;
                    turns += 2;
                    is_large = !is_large;
                }
            }
        }
        a *= f64::from(turns);
    }
    if is_large { a * a } else { a.exp() }
}

/// A block with a label that it leaves, and one that holds a checkpointed loop.
#[adjoint]
#[sample([0.5, 0.9, -0.2, 0.4], 0.8)]
pub fn mixed(x: &[f64], rate: f64) -> f64 {
    let mut sum = 0.0;
    let mut z = rate;
    #[checkpoint]
    'search: {
        for t in x {
            sum += t * rate;
            if sum > 0.9 {
                break 'search;
            }
        }
        sum *= 2.0;
    }
    #[checkpoint]
    {
        #[checkpoint(snapshots = 2)]
        for i in 0..9 {
            z = (z * x[i % x.len()] + sum).cos();
        }
        sum += z * z;
    }
    sum * z
}

/// The block writes what is not read before it, and its inputs change after it.
#[adjoint]
#[sample([0.3, 0.6], 0.5)]
pub fn overwritten(v: &mut [f64], x: f64) -> f64 {
    let mut product = 0.0;
    let mut scale = x;
    for k in 0..v.len() {
        #[checkpoint]
        {
            product = scale * v[k];
            v[k] = product.exp() * x;
        }
        scale = product * 0.5 + scale * scale;
        v[k] *= scale;
    }
    product + scale
}

/// Newton's method for a cube root: the loop ends when it has converged.
#[adjoint(independents(a), dependents(return))]
#[sample(7.0, 1e-9)]
#[sample(1.0, 1e-9)]
pub fn cube_root(a: f64, tolerance: f64) -> f64 {
    let mut y = 1.0;
    #[checkpoint(snapshots = 3)]
    while (y * y * y - a).abs() > tolerance {
        y -= (y * y * y - a) / (3.0 * y * y);
    }
    y
}

/// An adaptive integrator: steps are tried, rejected, and the last one ends the loop.
#[adjoint(independents(y, rate), dependents(return))]
#[sample(1.0, 1.7, 2.0)]
#[sample(1.0, 1.7, 0.0)]
pub fn adaptive(y: f64, rate: f64, end: f64) -> f64 {
    let mut state = y;
    let mut time = 0.0;
    let mut step = 0.3;
    let mut rejected: u32 = 0;
    #[checkpoint(snapshots = 4)]
    loop {
        if time >= end {
            break;
        }
        let slope = -rate * state * state;
        let middle = state + 0.5 * step * slope;
        let better = -rate * middle * middle;
        let error = (slope - better).abs() * step;
        if error > 0.05 {
            step *= 0.5;
            rejected += 1;
            continue;
        }
        state += step * better;
        time += step;
        if error < 0.01 {
            step *= 1.4;
        }
    }
    state + f64::from(rejected) * rate
}

/// Loops over ranges that end early, from inside of others, by a label.
#[adjoint]
#[sample([0.6, 0.9, 0.4], 1.4)]
#[sample([0.1, 0.1, 0.1], 0.2)]
pub fn early(x: &[f64], y: f64) -> f64 {
    let mut s = y;
    #[checkpoint(snapshots = 2)]
    'steps: for i in 0..20 {
        for t in x {
            s += t * y * 0.2;
            if s > 3.0 {
                break 'steps;
            }
            if *t < 0.5 {
                continue 'steps;
            }
        }
        s *= 1.0 + 0.01 * i as f64;
    }
    #[checkpoint(snapshots = 3)]
    for i in 2..8 {
        if i % 3 == 0 {
            continue;
        }
        s = s * 0.9 + x[i % x.len()];
    }
    s * s
}

/// A loop without an end of its own, with another inside, and a list that shrinks.
#[adjoint(independents(x), dependents(return))]
#[sample([0.6, 0.9, 0.4, 0.7])]
pub fn emptied(x: &[f64]) -> f64 {
    let mut rest = x.to_vec();
    let mut s = 0.5;
    #[checkpoint(memory = "1 KiB")]
    while let Some(t) = rest.pop() {
        let mut z = t;
        #[checkpoint(snapshots = 2)]
        while z < 3.0 {
            z += 0.4 * z * t + 0.2;
        }
        s = (s * z).sin() + t;
    }
    s
}

/// Snapshots in memory and on disk.
#[adjoint(independents(start, rate), dependents(return))]
#[sample([0.3, 0.5, -0.2], 0.4, 23)]
#[sample([0.3, 0.5, -0.2], 0.4, 0)]
pub fn on_disk(start: &[f64], rate: f64, steps: usize) -> f64 {
    let mut u = start.to_vec();
    let mut pairs = [(0.0, 1.0); 2];
    #[checkpoint(snapshots = 2, disk = std::env::temp_dir().join("backsweep-corpus"), on_disk = 3)]
    for i in 0..steps {
        for k in 1..u.len() {
            u[k] = (u[k] + rate * u[k - 1]).sin();
        }
        u[0] += 0.1 * rate * u[i % u.len()];
        pairs[i % 2].0 += u[0] * rate;
    }
    #[checkpoint(memory = "200B", disk = std::env::temp_dir().join("backsweep-corpus"))]
    for _ in 0..steps {
        u[0] = u[0].cos() * rate + u[1] * pairs[0].1;
    }
    u[0] + u[1] * u[2] + pairs[0].0 * pairs[1].0
}

/// References from outside, and items.
#[adjoint]
#[sample([0.3, 0.8, 0.5], 1.1)]
pub fn through_references(x: &[f64], t: f64) -> f64 {
    const HALF: f64 = 0.5;
    const NEXT: usize = 1;
    let mut u = x.to_vec();
    let mut v = [t, 1.0, HALF * t];
    let tail = &mut u[1..];
    let last = &mut v[2];
    let first = &x[..2];
    #[checkpoint(snapshots = 2)]
    for i in 0..7 {
        tail[i % 2] += *last * t * first[(i + NEXT) % 2];
        *last = tail[(i + NEXT) % 2].sin() * HALF;
    }
    #[checkpoint]
    {
        *last *= tail[0];
        tail[1] += *last;
    }
    u[0] * u[1] + u[2] * v[2]
}

/// A step of a relaxation.
#[adjoint]
fn relaxed(x: f64, rate: f64) -> f64 {
    x + rate * (x.cos() - x)
}

/// Calls whose modes the attribute chooses, in one of the checkpointed parts, and in none.
#[adjoint(independents(x, rate), checkpoint(relaxed), split(damped))]
#[sample(0.7, 0.4, 6)]
pub fn modes_beside_marks(x: f64, rate: f64, steps: usize) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for _ in 0..steps {
        y = relaxed(y, rate);
    }
    #[checkpoint]
    {
        y *= y.sin();
    }
    damped(y, rate)
}

/// Damped by a rate.
#[adjoint]
fn damped(x: f64, rate: f64) -> f64 {
    (-rate * x).exp() * x
}
