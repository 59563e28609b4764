//! Lists of lists that grow, elements taken out of the middle, lists joined and split.

use backsweep::adjoint;

/// Each value goes to the row it belongs to.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 0.9, -0.2], 3)]
pub fn grouped(x: &[f64], groups: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); groups];
    for (i, v) in x.iter().enumerate() {
        rows[i % groups].push(v * v);
        rows[groups - 1].push(v + 1.0);
    }
    let mut s = 0.0;
    for row in &rows {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        s += row.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    }
    s
}

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 0.9, -0.2])]
pub fn rows_that_change(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = x.chunks(2).map(|pair| pair.to_vec()).collect();
    rows[1].extend(x.iter().map(|v| v.sin()));
    rows[0].truncate(1);
    let last = rows[2].pop().unwrap();
    rows[1].insert(1, last * last);
    let first = rows[1].remove(0);
    rows.push(vec![first, last]);
    rows[2].clear();
    rows[2].extend_from_slice(&x[1..4]);
    rows.swap(0, 2);
    rows[0].reverse();
    let mut s = first * last;
    for row in &rows {
        for (k, v) in row.iter().enumerate() {
            s = s * 0.9 + v * k as f64;
        }
    }
    s
}

/// A list in a tuple.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn list_and_total(x: &[f64]) -> f64 {
    let mut state = (vec![x[0]], 1.0);
    for v in &x[1..] {
        state.1 += v * v;
        let scaled = v / state.1;
        state.0.push(scaled);
    }
    state.0.iter().product::<f64>() * state.1
}

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 0.9, -0.2])]
pub fn last_row_taken(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = x.chunks(2).map(|pair| pair.to_vec()).collect();
    let last = rows.pop().unwrap();
    last[0] * last[1]
}

/// What is left of a list after some of its elements are thrown away.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 0.9, -0.2])]
pub fn retained(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|t| t * t - 0.2).collect();
    v.retain(|t| *t > 0.0);
    let again = [v[0], v[0], x[1], x[1], x[0]];
    v.extend_from_slice(&again);
    v.dedup();
    let limit = v[0];
    v.retain(|&t| t <= limit);
    v.iter().enumerate().map(|(k, t)| t * t * (k + 1) as f64).sum()
}

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 0.9, -0.2])]
pub fn drained(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let tail = v.split_off(4);
    v[0] *= v[3];
    let squares: f64 = v.drain(1..3).map(|t| t * t).sum();
    v.extend_from_slice(&tail);
    v[1] *= v[2];
    v.drain(..1);
    let all: Vec<f64> = v.drain(..).collect();
    squares * all.iter().sum::<f64>() + v.len() as f64
}

/// The averages of neighbours that are out of order, until none is (PAV).
#[adjoint]
#[sample([1.0, 0.5, 2.0, 1.5, 1.2, 3.0])]
pub fn isotonic_regression(y: &[f64]) -> f64 {
    let mut sums: Vec<f64> = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    for &value in y {
        sums.push(value);
        counts.push(1);
        while sums.len() > 1 {
            let k = sums.len() - 1;
            if sums[k - 1] / counts[k - 1] as f64 <= sums[k] / counts[k] as f64 {
                break;
            }
            let sum = sums.pop().unwrap();
            let count = counts.pop().unwrap();
            sums[k - 1] += sum;
            counts[k - 1] += count;
        }
    }
    let fitted = sums.iter().zip(&counts).flat_map(|(s, &n)| {
        let mean = s / n as f64;
        std::iter::repeat_n(mean, n)
    });
    fitted.enumerate().map(|(k, f)| (f - y[k]).powi(2) + f * k as f64).sum()
}

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 0.9, -0.2])]
pub fn joined(x: &[f64]) -> f64 {
    let outer = [&x[..2], &x[3..]].concat();
    let rows: Vec<Vec<f64>> =
        x.chunks(4).map(|row| row.iter().map(|t| t * x[0]).collect()).collect();
    let flat = rows.concat();
    let inner: [f64; 3] = x[1..4].try_into().unwrap();
    let squares: [f64; 2] =
        x.iter().take(2).map(|t| t * t).collect::<Vec<_>>().try_into().unwrap();
    let product: f64 = outer.iter().zip(&flat).map(|(s, t)| s * t).sum();
    product + inner[0] * inner[2] * squares[1]
}

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3])]
pub fn ends_and_middle(x: &[f64]) -> f64 {
    let (first, rest) = x.split_first().unwrap();
    let (last, middle) = rest.split_last().expect("two elements");
    let above: f64 = x.iter().rev().skip_while(|t| **t < 0.5).map(|t| t * t).sum();
    first * last + middle[0] * middle[1] + above / x.len() as f64
}

/// Two sorted lists become one.
#[adjoint]
#[sample([-0.4, 0.3, 1.1], [0.1, 0.2, 0.9, 2.0])]
pub fn merged(a: &[f64], b: &[f64]) -> f64 {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            all.push(a[i]);
            i += 1;
        } else {
            all.push(b[j]);
            j += 1;
        }
    }
    all.extend(a[i..].iter().chain(&b[j..]));
    all.iter().enumerate().map(|(k, v)| v * v * (k as f64 + 1.0)).sum()
}

/// Rows that are read, and then thrown away.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn rows_thrown_away(x: &[f64]) -> f64 {
    let rows = || vec![vec![x[0], x[2]], vec![x[1] * x[0]], vec![x[2], x[2], x[1]]];
    let mut truncated = rows();
    let mut s = truncated[1][0] * truncated[2][1];
    truncated.truncate(1);
    let mut popped = rows();
    s += popped[2][2] * popped[0][1];
    popped.pop();
    let mut retained = rows();
    s += retained[1][0] * x[1];
    retained.retain(|row| row.len() == 2);
    let mut drained = rows();
    s *= drained[0][0] + drained[1][0];
    drained.drain(..2);
    for i in 0..x.len() {
        let mut scratch = vec![vec![x[i]; i + 1], vec![x[0]; 2]];
        s += scratch[0][i] * scratch[1][1];
        scratch.clear();
    }
    s + truncated.len() as f64
}

/// Rows that are copies of one.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn repeated_rows(x: &[f64]) -> f64 {
    let row = vec![x[0] * x[1]; 2];
    let mut m = vec![row; 3];
    m[0][1] *= x[2];
    let cube = vec![vec![vec![x[0] * x[2]; 2]; 2]; 3];
    let mut s = m[1][0] * m[0][1];
    for slice in &cube {
        for line in slice {
            s += line[1] * line[0];
        }
    }
    m.resize(5, vec![x[1]; 3]);
    s * m[4][2]
}

/// Lists of lists of lists whose rows grow and shrink.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn rows_of_rows(x: &[f64]) -> f64 {
    let mut c = vec![vec![vec![x[0]; 2]; 2]; 2];
    c[0].push(vec![x[1] * x[2]]);
    let mut s = c[0][2][0] * c[0][0][1] + c[1][1][0];
    c[0].pop();
    c[1].truncate(1);
    c[0][0][1] *= x[1];
    c[1].push(vec![s, x[0]]);
    s *= c[1][1][0] + c[1][1][1];
    c.truncate(1);
    s * c[0][0][1] + c[0].len() as f64
}

/// A stack of rows (depth first), and rows that are used again.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn stack_of_rows(x: &[f64]) -> f64 {
    let mut stack = vec![vec![x[0], 1.0]];
    let mut s = 0.0;
    while let Some(row) = stack.pop() {
        s += row[0] * row[1];
        if row[1] < 4.0 {
            stack.push(vec![row[0] * 0.5, row[1] + 1.0]);
            stack.push(vec![row[0] * x[1], row[1] + 2.0]);
        }
    }
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..x.len() {
        rows.clear();
        for j in 0..=i {
            rows.push(vec![x[j]; j + 1]);
        }
        s += rows[i][0] * rows[0][0];
    }
    let mut more = vec![vec![x[0], x[2]]];
    rows.append(&mut more);
    more.push(vec![x[2]]);
    s * rows[3][1] * rows[1][0] * more[0][0]
}

/// A list of lists that is there only if the function is not left before.
#[adjoint]
#[sample(0.7, 2)]
#[sample(0.7, 3)]
pub fn rows_after_an_exit(x: f64, n: usize) -> f64 {
    if n % 2 == 0 {
        return x * x;
    }
    let mut rows = vec![vec![x.sin(), x], vec![x.cos()]];
    for row in rows.iter_mut() {
        row[0] *= x;
    }
    rows[1] = vec![rows[0][0] * x; n];
    rows[0][0] * rows[1][n - 1] + rows[0][1]
}
