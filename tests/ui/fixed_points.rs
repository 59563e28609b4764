//! Fixed-point loops that cannot be had.
use backsweep::adjoint;

#[adjoint]
fn on_a_range(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    for _ in 0..100 {
        y = 0.5 * (y + a / y);
        if (y * y - a).abs() < 1e-12 {
            break;
        }
    }
    y
}

#[adjoint]
fn on_a_block(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    {
        y = 0.5 * (y + a / y);
    }
    y
}

#[adjoint]
fn without_tolerance(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
    }
    y
}

#[adjoint]
fn with_a_bound_only(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(max = 20)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
    }
    y
}

#[adjoint]
fn unknown_option(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12, warm = true)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
    }
    y
}

#[adjoint]
fn two_tolerances(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12, tol = 1e-6)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
    }
    y
}

#[adjoint]
fn with_a_schedule(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    #[checkpoint(snapshots = 3)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
    }
    y
}

#[adjoint]
fn returns(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    loop {
        y = 0.5 * (y + a / y);
        if (y * y - a).abs() < 1e-12 {
            return y;
        }
    }
}

#[adjoint]
fn fails(a: f64, limit: usize) -> Option<f64> {
    let mut y = a;
    let mut rest = limit;
    #[fixed_point(tol = 1e-12)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
        rest = rest.checked_sub(1)?;
    }
    Some(y)
}

#[adjoint]
fn leaves_another_loop(a: f64) -> f64 {
    let mut y = a;
    'rounds: for _ in 0..3 {
        #[fixed_point(tol = 1e-12)]
        loop {
            y = 0.5 * (y + a / y);
            if (y * y - a).abs() < 1e-12 {
                break 'rounds;
            }
        }
    }
    y
}

#[adjoint]
fn breaks_with_a_value(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    loop {
        y = 0.5 * (y + a / y);
        if (y * y - a).abs() < 1e-12 {
            break y;
        }
    }
}

#[adjoint]
fn never_ends(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    loop {
        y = 0.5 * (y + a / y);
    }
}

#[adjoint]
fn always_ends(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    loop {
        y = 0.5 * (y + a / y);
        if (y * y - a).abs() > 1e-12 {
            continue;
        }
        break;
    }
    y
}

#[adjoint]
fn ends_in_both_branches(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    loop {
        y = 0.5 * (y + a / y);
        if (y * y - a).abs() > 1e-12 {
            y += 1.0;
            break;
        } else {
            break;
        }
    }
    y
}

#[adjoint]
fn ends_by_a_pattern(a: f64, rates: &[f64]) -> f64 {
    let mut y = a;
    let mut k: usize = 0;
    #[fixed_point(tol = 1e-12)]
    loop {
        let Some(rate) = rates.get(k) else { break };
        y = rate * (y + a / y);
        k += 1;
    }
    y
}

#[adjoint]
fn ends_in_a_match(a: f64) -> f64 {
    let mut y = a;
    let mut k: usize = 0;
    #[fixed_point(tol = 1e-12)]
    loop {
        match k {
            7 => break,
            _ => y = 0.5 * (y + a / y),
        }
        k += 1;
    }
    y
}

#[adjoint]
fn while_a_pattern(a: f64, rates: &[f64]) -> f64 {
    let mut y = a;
    let mut k: usize = 0;
    #[fixed_point(tol = 1e-12)]
    while let Some(rate) = rates.get(k) {
        y = rate * (y + a / y);
        k += 1;
    }
    y
}

/// In conjugate gradients the solution is a sum, which has no fixed point of its own.
#[adjoint]
fn sums_up(a: f64) -> f64 {
    let mut residual = a;
    let mut solution = 0.0;
    #[fixed_point(tol = 1e-12)]
    while residual > 1e-12 {
        solution += 0.5 * residual;
        residual -= 0.5 * residual;
    }
    solution
}

#[adjoint]
fn of_unknown_type(a: f64) -> f64 {
    let mut y = a;
    let mut list = std::iter::repeat(a).take(2).collect();
    #[fixed_point(tol = 1e-12)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
        push(&mut list, y);
    }
    y
}

fn push(list: &mut Vec<f64>, value: f64) {
    list.push(value);
}

fn main() {
    on_a_range(1.0) + on_a_block(1.0) + without_tolerance(1.0) + with_a_bound_only(1.0);
    unknown_option(1.0) + two_tolerances(1.0) + with_a_schedule(1.0);
    returns(1.0) + leaves_another_loop(1.0) + breaks_with_a_value(1.0) + never_ends(1.0);
    always_ends(1.0) + ends_in_both_branches(1.0) + ends_by_a_pattern(1.0, &[]);
    ends_in_a_match(1.0) + while_a_pattern(1.0, &[]) + sums_up(1.0) + of_unknown_type(1.0);
    fails(1.0, 2);
}
