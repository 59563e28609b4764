//! Small programs that catch mistakes about calls.
//! Values and gradients are listed with each.

use backsweep::adjoint;

use std::sync::atomic::{AtomicUsize, Ordering};

/// The inner product.
#[adjoint]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

/// 1, 2, 3, 1, 2, … from call to call.
pub fn weight() -> f64 {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    (CALLS.fetch_add(1, Ordering::Relaxed) % 3 + 1) as f64
}

/// A linear congruential generator.
pub struct Lcg(u64);

impl Lcg {
    /// The next number between 0 and 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Impure call: 12x, counter advances by 3, not 6.
#[adjoint]
#[sample(0.7)]
#[expect(value = 2.940000000000, gradient = [8.4000000])]
pub fn stateful_weight(x: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..3 {
        let w = weight();
        s += w * x * x;
    }
    s
}

/// Recursion.
#[adjoint]
#[sample(0.7, 3)]
#[expect(value = 0.379972019673, gradient = [2.6158772])]
pub fn recursion(x: f64, n: usize) -> f64 {
    if n == 0 {
        x
    } else {
        recursion(x * x.sin() + 0.3, n - 1) * x
    }
}

/// RNG state; same draws under joint/checkpoint.
#[adjoint]
#[sample(0.7, 9)]
#[expect(value = 2.607383440214, gradient = [1.2383644])]
pub fn random_walk_of_a_seed(x: f64, n: usize) -> f64 {
    let mut rng = Lcg(42);
    let mut s = x;
    for _ in 0..n {
        let u = rng.next();
        if u < 0.5 {
            s = s * (1.0 + u);
        } else {
            s = s.sin() + u * x;
        }
    }
    s
}

/// Input of a joint call overwritten afterwards; rotate.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 1.116000000000, gradient = [0.8400000, 1.3800000, 1.3200000])]
pub fn argument_overwritten_after_the_call(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let y = dot(&v, &v);
    v[0] = y;
    v.rotate_left(1);
    y * v[0] + v[v.len() - 1]
}

/// Overlapping & arguments, same argument twice.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = -1.339200000000, gradient = [-1.7520000, 3.9240000, -2.3280000])]
pub fn overlapping_arguments(p: &[f64]) -> f64 {
    dot(&p[1..], &p[..p.len() - 1]) * dot(p, p)
}

/// A term with a row of a table.
#[adjoint]
pub fn weighted_row(w: f64, row: &[f64; 2]) -> f64 {
    w * row[0] * row[1] + (w * row[1]).sin()
}

/// The terms of all rows: of a table without bars, if the caller has none.
#[adjoint]
pub fn weighted_rows(w: f64, rows: &[[f64; 2]]) -> f64 {
    let mut sum = 0.0;
    for k in 0..rows.len() {
        sum += weighted_row(w, &rows[k]) * w;
    }
    sum
}

/// A passive list has no bars that could be indexed.
#[adjoint(independents(w), dependents(return))]
#[sample(0.7, 3)]
pub fn rows_without_bars(w: f64, n: usize) -> f64 {
    let rows = vec![[1.5, -0.5]; n];
    weighted_rows(w, &rows)
}

/// Blocks whose sizes change, and of which a part of the arguments knows nothing.
#[adjoint]
#[sample([0.1, 0.5, 0.7, -0.3, 0.4, 0.2, 0.9, 1.1, 0.3, 0.2], 0.7, &[3, 1, 0, 2, 6, 5])]
pub fn blocks_of_changing_sizes(x: &[f64], y: f64, sizes: &[usize]) -> f64 {
    let mut total = y;
    let mut m = 1;
    for k in 0..sizes.len() {
        m = (m * 3 + sizes[k]) % 7 + 1;
        let mut sum = 0.0;
        for i in (0..x.len()).step_by(m) {
            sum += x[i].sin();
        }
        for block in x.chunks(m) {
            sum += block[0] * block[block.len() - 1];
        }
        for pair in x.windows(m) {
            sum += pair[0] * pair[m - 1];
        }
        for v in &x[m - 1..m + 1] {
            sum += v * v;
        }
        total = total * y.sin() + sum;
        m += 2;
    }
    total
}

/// Nothing of what is done with the blocks is active: their sizes are not there in the backward sweep.
#[adjoint(independents(y))]
#[sample([0.1, 0.5, 0.7, -0.3, 0.4, 0.2, 0.9, 1.1, 0.3, 0.2], 0.7, &[3, 1, 0, 2, 6, 5])]
pub fn passive_blocks(x: &[f64], y: f64, sizes: &[usize]) -> f64 {
    blocks_of_changing_sizes(x, y, sizes) * y
}

/// Only the blocks are active.
#[adjoint(independents(x))]
#[sample([0.1, 0.5, 0.7, -0.3, 0.4, 0.2, 0.9, 1.1, 0.3, 0.2], 0.7, &[3, 1, 0, 2, 6, 5])]
pub fn active_blocks(x: &[f64], y: f64, sizes: &[usize]) -> f64 {
    blocks_of_changing_sizes(x, y, sizes) * x[0]
}

/// A list gets two more values.
#[adjoint]
fn lengthen(list: &mut Vec<f64>, x: f64) {
    for _ in 0..2 {
        list.push(x * x);
    }
}

/// What a callee appends is given up, and the list begins anew: no derivative goes through the call, but a length does.
#[adjoint]
#[sample(0.13, 0.4, [0.1, 0.2, 0.3], 2)]
pub fn lengthened_and_emptied(x: f64, y: f64, w: &[f64], n: usize) -> f64 {
    let mut list = vec![y; 1];
    list.extend_from_slice(w);
    let mut sum = 0.0;
    for k in 0..n {
        sum += list[k] * y;
        lengthen(&mut list, x);
        let old = std::mem::take(&mut list);
        list.push(x.sin());
        list.extend_from_slice(&old[..1]);
    }
    sum * list[n % list.len()]
}
