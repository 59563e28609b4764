//! Exact updates are undone in the backward sweep, and nothing of them is stored.

use backsweep::adjoint;
use testkit::storage::bytes_between_sweeps;

/// The alternating series of the arc tangent, with a hash of the way there that weights its terms.
#[adjoint(independents(x), no(preaccumulate))]
fn series(x: f64, n: usize) -> f64 {
    let (mut power, mut sum) = (x, 0.0);
    let (mut sign, mut odd) = (1, 1);
    let mut mask: u32 = 0b1011;
    let mut is_even = true;
    for _ in 0..n {
        let weight = (mask & 7) as f64 + is_even as u8 as f64;
        sum += weight * sign as f64 * power / odd as f64;
        sign = -sign;
        odd += 2;
        mask ^= 0x5a5a;
        is_even = !is_even;
        power *= x * x;
    }
    sum
}

#[adjoint(independents(x), no(invert, preaccumulate))]
fn stored(x: f64, n: usize) -> f64 {
    let (mut power, mut sum) = (x, 0.0);
    let (mut sign, mut odd) = (1, 1);
    let mut mask: u32 = 0b1011;
    let mut is_even = true;
    for _ in 0..n {
        let weight = (mask & 7) as f64 + is_even as u8 as f64;
        sum += weight * sign as f64 * power / odd as f64;
        sign = -sign;
        odd += 2;
        mask ^= 0x5a5a;
        is_even = !is_even;
        power *= x * x;
    }
    sum
}

#[test]
fn signs_counters_and_masks_are_changed_back() {
    let (x, n) = (0.4, 100);
    let (undone, kept) = (
        bytes_between_sweeps(|stack| {
            series::forward(stack, x, n);
        }),
        bytes_between_sweeps(|stack| {
            stored::forward(stack, x, n);
        }),
    );
    // The powers are rounded, and are stored.
    assert!((8 * n..8 * n + 64).contains(&undone), "{undone}");
    assert!(kept >= 24 * n, "{kept}");
    assert_eq!(series::gradient(x, n), stored::gradient(x, n));
    let (_, slope) = series::gradient(x, n);
    let step = 1e-5;
    let difference = (series(x + step, n) - series(x - step, n)) / (2.0 * step);
    assert!((slope - difference).abs() < 1e-9, "{slope} {difference}");
}
