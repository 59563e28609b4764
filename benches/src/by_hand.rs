//! The adjoints of the kernels, written by hand, with the value. Same arguments as the generated ones.

/// Of [`rosenbrock`](crate::kernels::rosenbrock()).
pub fn rosenbrock(x: &[f64], x_b: &mut [f64], ret_b: f64) -> f64 {
    let x_b = &mut x_b[..x.len()];
    let mut sum = 0.0;
    let mut carried = 0.0;
    for i in 0..x.len() - 1 {
        let along = 1.0 - x[i];
        let across = x[i + 1] - x[i] * x[i];
        sum += along * along + 100.0 * across * across;
        let across_b = 200.0 * across * ret_b;
        x_b[i] += carried - 2.0 * (along * ret_b + x[i] * across_b);
        carried = across_b;
    }
    x_b[x.len() - 1] += carried;
    sum
}

/// Of [`norm`](crate::kernels::norm()).
pub fn norm(x: &[f64], x_b: &mut [f64], ret_b: f64) -> f64 {
    let norm = x.iter().map(|value| value * value).sum::<f64>().sqrt();
    let factor = if norm == 0.0 { 0.0 } else { ret_b / norm };
    for (x_b, x) in x_b.iter_mut().zip(x) {
        *x_b += factor * x;
    }
    norm
}

/// Of [`dot`](crate::kernels::dot()).
pub fn dot(x: &[f64], x_b: &mut [f64], y: &[f64], y_b: &mut [f64], ret_b: f64) -> f64 {
    let mut sum = 0.0;
    for (((x, x_b), y), y_b) in x.iter().zip(x_b).zip(y).zip(y_b) {
        sum += x * y;
        *x_b += ret_b * y;
        *y_b += ret_b * x;
    }
    sum
}

/// Of [`distance`](crate::kernels::distance()).
pub fn distance(x: &[f64], x_b: &mut [f64], y: &[f64], y_b: &mut [f64], ret_b: f64) -> f64 {
    let mut sum = 0.0;
    for (((x, x_b), y), y_b) in x.iter().zip(x_b).zip(y).zip(y_b) {
        let difference = x - y;
        sum += difference * difference;
        let bar = 2.0 * ret_b * difference;
        *x_b += bar;
        *y_b -= bar;
    }
    sum
}

/// Of [`logistic`](crate::kernels::logistic()).
pub fn logistic(
    weights: &[f64],
    weights_b: &mut [f64],
    features: &[f64],
    labels: &[f64],
    penalty: f64,
    ret_b: f64,
) -> f64 {
    let factor = ret_b / labels.len() as f64;
    let mut loss = 0.0;
    for (row, label) in features.chunks_exact(weights.len()).zip(labels) {
        let score: f64 = row.iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        let odds = score.exp();
        loss += odds.ln_1p() - label * score;
        let score_b = factor * (odds / (1.0 + odds) - label);
        for (weight_b, feature) in weights_b.iter_mut().zip(row) {
            *weight_b += score_b * feature;
        }
    }
    let mut squares = 0.0;
    for (weight_b, weight) in weights_b.iter_mut().zip(weights) {
        squares += weight * weight;
        *weight_b += penalty * ret_b * weight;
    }
    loss / labels.len() as f64 + 0.5 * penalty * squares
}

/// Of [`matrix_vector`](crate::kernels::matrix_vector()).
pub fn matrix_vector(
    matrix: &[f64],
    matrix_b: &mut [f64],
    x: &[f64],
    x_b: &mut [f64],
    y: &mut [f64],
    y_b: &mut [f64],
) {
    let rows = matrix.chunks_exact(x.len()).zip(matrix_b.chunks_exact_mut(x.len()));
    for ((row, row_b), (y, y_b)) in rows.zip(y.iter_mut().zip(y_b)) {
        let bar = std::mem::take(y_b);
        let mut sum = 0.0;
        for (((a, a_b), x), x_b) in row.iter().zip(row_b).zip(x).zip(x_b.iter_mut()) {
            sum += a * x;
            *a_b += bar * x;
            *x_b += bar * a;
        }
        *y = sum;
    }
}

/// Of [`thomas`](crate::kernels::thomas()): the transposed system is solved with the factors that the
/// elimination has left in `work`.
#[allow(clippy::too_many_arguments, reason = "the same as the generated adjoint")]
pub fn thomas(
    lower: &[f64],
    lower_b: &mut [f64],
    diagonal: &[f64],
    diagonal_b: &mut [f64],
    upper: &[f64],
    upper_b: &mut [f64],
    x: &mut [f64],
    x_b: &mut [f64],
    work: &mut [f64],
) {
    crate::kernels::thomas(lower, diagonal, upper, x, work);
    // A = L U with the pivots on the diagonal of L: Uᵀ y = x_b, then Lᵀ λ = y.
    let n = x.len();
    for i in 1..n {
        x_b[i] -= work[i - 1] * x_b[i - 1];
    }
    for i in (0..n).rev() {
        let carried = if i + 1 < n { lower[i + 1] * x_b[i + 1] } else { 0.0 };
        let pivot = if i > 0 { diagonal[i] - lower[i] * work[i - 1] } else { diagonal[0] };
        x_b[i] = (x_b[i] - carried) / pivot;
    }
    for i in 0..n {
        diagonal_b[i] -= x_b[i] * x[i];
        if i > 0 {
            lower_b[i] -= x_b[i] * x[i - 1];
        }
        if i + 1 < n {
            upper_b[i] -= x_b[i] * x[i + 1];
        }
    }
}

/// Of [`pendulum`](crate::kernels::pendulum()): the states are kept, a step is computed again before
/// it is reversed.
#[allow(clippy::too_many_arguments, reason = "the same as the generated adjoint")]
pub fn pendulum(
    mut angle: f64,
    angle_b: &mut f64,
    mut speed: f64,
    speed_b: &mut f64,
    damping: f64,
    damping_b: &mut f64,
    step: f64,
    steps: usize,
    ret_b: f64,
) -> f64 {
    let half = 0.5 * step;
    let mut states = Vec::with_capacity(steps);
    for _ in 0..steps {
        states.push([angle, speed]);
        let s1 = -angle.sin() - damping * speed;
        let a2 = speed + half * s1;
        let s2 = -(angle + half * speed).sin() - damping * a2;
        let a3 = speed + half * s2;
        let s3 = -(angle + half * a2).sin() - damping * a3;
        let a4 = speed + step * s3;
        let s4 = -(angle + step * a3).sin() - damping * a4;
        angle += step / 6.0 * (speed + 2.0 * a2 + 2.0 * a3 + a4);
        speed += step / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4);
    }
    let value = angle;
    let (mut ab, mut vb, mut db) = (ret_b, 0.0, 0.0);
    for [angle, speed] in states.into_iter().rev() {
        let s1 = -angle.sin() - damping * speed;
        let a2 = speed + half * s1;
        let s2 = -(angle + half * speed).sin() - damping * a2;
        let a3 = speed + half * s2;
        let s3 = -(angle + half * a2).sin() - damping * a3;
        let a4 = speed + step * s3;
        let (a, v) = (step / 6.0 * ab, step / 6.0 * vb);

        let s4b = v;
        let a4b = a - damping * s4b;
        db -= a4 * s4b;
        let inner = -(angle + step * a3).cos() * s4b;
        ab += inner;
        let mut a3b = 2.0 * a + step * inner;
        vb += a4b;
        let s3b = 2.0 * v + step * a4b;
        a3b -= damping * s3b;
        db -= a3 * s3b;
        let inner = -(angle + half * a2).cos() * s3b;
        ab += inner;
        let mut a2b = 2.0 * a + half * inner;
        vb += a3b;
        let s2b = 2.0 * v + half * a3b;
        a2b -= damping * s2b;
        db -= a2 * s2b;
        let inner = -(angle + half * speed).cos() * s2b;
        ab += inner;
        vb += a + half * inner + a2b;
        let s1b = v + half * a2b;
        vb -= damping * s1b;
        db -= speed * s1b;
        ab -= angle.cos() * s1b;
    }
    *angle_b += ab;
    *speed_b += vb;
    *damping_b += db;
    value
}

/// Of [`diffusion`](crate::kernels::diffusion()): the states are kept as they are overwritten.
pub fn diffusion(u: &mut [f64], u_b: &mut [f64], rate: f64, rate_b: &mut f64, steps: usize) {
    let n = u.len();
    let mut states = Vec::with_capacity(n * steps);
    for _ in 0..steps {
        states.extend_from_slice(u);
        let mut before = u[n - 1];
        for i in 0..n - 1 {
            let here = u[i];
            u[i] = here + rate * (before - 2.0 * here + u[i + 1]) * here;
            before = here;
        }
    }
    let mut sum = 0.0;
    for old in states.chunks_exact(n).rev() {
        // Cell i + 1 reads cell i before it changes, so what goes to the left is carried.
        let mut to_left = 0.0;
        for i in (0..n - 1).rev() {
            let before = if i == 0 { old[n - 1] } else { old[i - 1] };
            let (here, bar) = (old[i], u_b[i]);
            let flow = before - 2.0 * here + old[i + 1];
            sum += bar * flow * here;
            u_b[i] = bar + rate * bar * (flow - 2.0 * here) + to_left;
            u_b[i + 1] += rate * bar * here;
            to_left = rate * bar * here;
        }
        u_b[n - 1] += to_left;
    }
    *rate_b += sum;
}
