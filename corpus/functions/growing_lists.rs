//! Lists that grow, shrink and change places.

use backsweep::adjoint;
use std::mem;

/// A pendulum followed for some time: the path is collected and measured afterwards.
#[adjoint]
#[sample(0.4, 0.1, 0.05, 12)]
#[sample(0.4, 0.1, 0.05, 0)]
pub fn length_of_path(angle: f64, friction: f64, h: f64, steps: usize) -> f64 {
    let mut angles = Vec::with_capacity(steps + 1);
    let mut speeds = Vec::with_capacity(steps + 1);
    angles.push(angle);
    speeds.push(0.0);
    for k in 0..steps {
        let speed = speeds[k] - h * (angles[k].sin() + friction * speeds[k]);
        speeds.push(speed);
        angles.push(angles[k] + h * speed);
    }
    let mut length = 0.0;
    for k in 1..angles.len() {
        let (da, ds) = (angles[k] - angles[k - 1], speeds[k] - speeds[k - 1]);
        length += (da * da + ds * ds + 1e-6).sqrt();
    }
    length + angles.last().unwrap() * speeds[speeds.len() / 2]
}

/// Steps that are halved where the field is steep; how many there are depends on the data.
#[adjoint(independents(y0, rate), dependents(return))]
#[sample(1.5, 0.8, 1.0)]
pub fn adaptive_steps(y0: f64, rate: f64, end: f64) -> Vec<f64> {
    let mut ys = vec![y0];
    let mut t = 0.0;
    let mut h = 0.4;
    while t < end {
        let y = *ys.last().unwrap();
        let slope = -rate * y * y;
        if slope.abs() * h > 0.3 && h > 0.05 {
            h *= 0.5;
            continue;
        }
        let middle = y + 0.5 * h * slope;
        ys.push(y - h * rate * middle * middle);
        t += h;
        h *= 1.2;
    }
    ys
}

/// An expression in reverse Polish notation: 0 is `x`, 1 is `y`, 2 adds, 3 multiplies, 4 is the
/// sine, 5 doubles what is on top, 6 exchanges the two on top.
#[adjoint(independents(x, y), dependents(return))]
#[sample(0.7, -0.4, [0, 1, 3, 4, 0, 2])]
#[sample(0.7, -0.4, [0, 5, 3, 1, 6, 4, 3, 1, 1, 3, 2])]
pub fn reverse_polish(x: f64, y: f64, program: &[usize]) -> f64 {
    let mut stack = Vec::new();
    for &op in program {
        match op {
            0 => stack.push(x),
            1 => stack.push(y),
            2 => {
                let b = stack.pop().unwrap();
                let a = stack.pop().unwrap();
                stack.push(a + b);
            }
            3 => {
                let b = stack.pop().expect("two operands");
                *stack.last_mut().expect("two operands") *= b;
            }
            4 => {
                let a: f64 = stack.pop().unwrap();
                stack.push(a.sin());
            }
            5 => {
                let top = *stack.last().unwrap();
                stack.push(top);
            }
            _ => {
                let n = stack.len();
                stack.swap(n - 1, n - 2);
            }
        }
    }
    stack[0]
}

/// The coefficients of the polynomial with given roots, at a point.
#[adjoint]
#[sample([0.7, -0.4, 1.1], 0.3)]
pub fn from_roots(roots: &[f64], x: f64) -> f64 {
    let mut coefficients = vec![1.0];
    for root in roots {
        let mut next = vec![0.0; coefficients.len() + 1];
        for k in 0..coefficients.len() {
            next[k] -= root * coefficients[k];
            next[k + 1] += coefficients[k];
        }
        coefficients = next;
    }
    coefficients.reverse();
    let mut value = 0.0;
    for c in &coefficients {
        value = value * x + c * c;
    }
    value
}

/// The powers of a polynomial, each longer than the one before.
#[adjoint]
#[sample([0.5, -0.3], 3)]
pub fn power_of_polynomial(p: &[f64], n: usize) -> Vec<f64> {
    let mut result = Vec::new();
    result.push(1.0);
    for _ in 0..n {
        let shorter = mem::take(&mut result);
        result.resize(shorter.len() + p.len() - 1, 0.0);
        for i in 0..shorter.len() {
            for j in 0..p.len() {
                result[i + j] += shorter[i] * p[j];
            }
        }
    }
    result
}

/// The Levinson–Durbin recursion, with a predictor that grows by one coefficient per order.
#[adjoint]
#[sample([2.0, 0.9, 0.3, -0.2], [0.7, 0.1, -0.4])]
pub fn levinson(autocorrelation: &[f64], signal: &[f64]) -> f64 {
    let order = autocorrelation.len() - 1;
    let mut predictor: Vec<f64> = Vec::new();
    let mut error = autocorrelation[0];
    for m in 0..order {
        let mut sum = autocorrelation[m + 1];
        for k in 0..m {
            sum -= predictor[k] * autocorrelation[m - k];
        }
        let reflection = sum / error;
        let previous = predictor.clone();
        for k in 0..m {
            predictor[k] = previous[k] - reflection * previous[m - 1 - k];
        }
        predictor.push(reflection);
        error *= 1.0 - reflection * reflection;
    }
    let mut prediction = 0.0;
    for (k, s) in signal.iter().enumerate() {
        prediction += predictor[k] * s;
    }
    prediction + error
}

/// Heat in a ring: two buffers that change places after every step.
#[adjoint]
#[sample([0.3, 1.2, -0.5, 0.8], 0.2, 5)]
pub fn double_buffered(initial: &[f64], diffusivity: f64, steps: usize) -> f64 {
    let n = initial.len();
    let mut present = initial.to_vec();
    let mut next = vec![0.0; n];
    for _ in 0..steps {
        for i in 0..n {
            let (left, right) = (present[(i + n - 1) % n], present[(i + 1) % n]);
            let conductivity = diffusivity * (1.0 + 0.1 * present[i] * present[i]);
            next[i] = present[i] + conductivity * (left - 2.0 * present[i] + right);
        }
        mem::swap(&mut present, &mut next);
    }
    let mut energy = 0.0;
    for t in &present {
        energy += t * t;
    }
    energy
}

/// Three fields that are handed on from step to step, the oldest to be overwritten.
#[adjoint]
#[sample([0.0, 0.4, 0.1, 0.0], 0.3, 6)]
pub fn wave_of_three_levels(initial: &[f64], courant: f64, steps: usize) -> f64 {
    let n = initial.len();
    let mut old = initial.to_vec();
    let mut now = initial.to_vec();
    let mut new = vec![0.0; n];
    for _ in 0..steps {
        for i in 1..n - 1 {
            let curvature = now[i - 1] - 2.0 * now[i] + now[i + 1];
            new[i] = 2.0 * now[i] - old[i] + courant * curvature - 0.01 * now[i].powi(3);
        }
        let spare = mem::replace(&mut old, mem::replace(&mut now, new));
        new = spare;
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += now[i] * now[i] - old[i] * (i as f64);
    }
    sum
}

/// A window that moves over a signal; the oldest value leaves it.
#[adjoint]
#[sample([0.3, -0.2, 0.9, 1.4, -0.6, 0.2], 3)]
pub fn moving_window(signal: &[f64], width: usize) -> Vec<f64> {
    let mut window = Vec::with_capacity(width);
    let mut smooth = Vec::new();
    for s in signal {
        if window.len() == width {
            window.remove(0);
        }
        window.push(*s);
        let mut product = 1.0;
        for w in &window {
            product *= 1.0 + 0.1 * w;
        }
        smooth.push(product / window.len() as f64);
    }
    smooth
}

/// A filter of Savitzky and Golay with mirrored ends.
#[adjoint]
#[sample([0.3, -0.2, 0.9, 1.4, -0.6, 0.2])]
pub fn savitzky_golay(y: &[f64]) -> Vec<f64> {
    let weights = [-3.0, 12.0, 17.0, 12.0, -3.0];
    let n = y.len();
    let mut padded = Vec::with_capacity(n + 4);
    padded.push(y[2]);
    padded.push(y[1]);
    padded.extend_from_slice(y);
    padded.extend_from_slice(&[y[n - 2], y[n - 3]]);
    let mut smooth = Vec::with_capacity(n);
    for i in 0..n {
        let mut sum = 0.0;
        for (k, w) in weights.iter().enumerate() {
            sum += w * padded[i + k];
        }
        smooth.push(sum / 35.0);
    }
    smooth
}

/// A heap by hand: the smallest values of a list, weighted by their order.
#[adjoint]
#[sample([0.3, -0.2, 0.9, 1.4, -0.6, 0.2])]
pub fn heap_by_hand(values: &[f64]) -> f64 {
    let mut heap = Vec::new();
    for v in values {
        heap.push(v * v.cos());
        let mut child = heap.len() - 1;
        while child > 0 && heap[child] < heap[(child - 1) / 2] {
            heap.swap(child, (child - 1) / 2);
            child = (child - 1) / 2;
        }
    }
    let mut sum = 0.0;
    let mut weight = 1.0;
    while heap.len() > 2 {
        sum += weight * heap.swap_remove(0);
        weight *= 0.5;
        let mut parent = 0;
        loop {
            let mut least = parent;
            if 2 * parent + 1 < heap.len() && heap[2 * parent + 1] < heap[least] {
                least = 2 * parent + 1;
            }
            if 2 * parent + 2 < heap.len() && heap[2 * parent + 2] < heap[least] {
                least = 2 * parent + 2;
            }
            if least == parent {
                break;
            }
            heap.swap(parent, least);
            parent = least;
        }
    }
    sum + heap[0] * heap[1]
}

/// Values put in order one by one, each at its place.
#[adjoint]
#[sample([0.3, -0.2, 0.9, 1.4, -0.6], 0.3)]
pub fn median_by_insertion(values: &[f64], scale: f64) -> f64 {
    let mut sorted: Vec<f64> = Vec::new();
    for v in values {
        let mut at = 0;
        while at < sorted.len() && sorted[at] < *v {
            at += 1;
        }
        sorted.insert(at, v * scale.exp());
    }
    let (low, high) = sorted.split_at(sorted.len() / 2);
    low[0] * high[high.len() - 1] + high[0]
}

/// A list that is filled again for each row.
#[adjoint]
#[sample([0.3, -0.2, 0.9, 1.4, -0.6, 0.2], 3)]
pub fn scratch_that_is_cleared(a: &[f64], n: usize) -> f64 {
    let mut row = Vec::new();
    let mut sum = 0.0;
    for i in 0..a.len() / n {
        row.clear();
        for k in 0..n {
            row.push(a[i * n + k] * a[k]);
        }
        row.rotate_left(i + 1);
        row.truncate(2);
        sum += row[0] * row[1];
    }
    sum
}

/// What was appended, exchanged and taken away, of several lists at once.
#[adjoint]
#[sample([0.3, -0.2, 0.9], [1.4, -0.6])]
pub fn lists_of_many_lengths(a: &[f64], b: &[f64]) -> f64 {
    let mut first = a.to_vec();
    let mut second = b.to_vec();
    mem::swap(&mut first, &mut second);
    second.append(&mut first);
    first.extend(second.iter());
    first.resize(7, a[0] * b[0]);
    first.resize(6, 1.0);
    let (left, right) = first.split_at_mut(3);
    left.swap_with_slice(right);
    left[0] *= right[1];
    second.rotate_right(2);
    second.pop();
    first.extend_from_slice(&second);
    let mut sum = 0.0;
    for (k, t) in first.iter().enumerate() {
        sum += t * t * (k as f64 + 1.0);
    }
    sum * second.first().copied().unwrap() + second.get(1).unwrap()
}

/// Appends what is between neighbours. The bar that goes in is longer than the one that comes out, so
/// this has no sample of its own.
#[adjoint]
pub fn appends_midpoints(points: &mut Vec<f64>) {
    let n = points.len();
    for k in 1..n {
        let (a, b) = (points[k - 1], points[k]);
        points.push(a * b);
        points[k - 1] = a * a;
    }
}

/// Calls a function that makes its argument longer.
#[adjoint]
#[sample([0.3, -0.2, 0.9])]
pub fn refined_twice(points: &[f64]) -> f64 {
    let mut all = points.to_vec();
    appends_midpoints(&mut all);
    all.truncate(4);
    appends_midpoints(&mut all);
    let mut sum = 0.0;
    for p in &all {
        sum += p.exp();
    }
    sum
}

/// The method of Gram and Schmidt on a basis that grows row by row.
#[adjoint]
#[sample([[1.0, 0.2, 0.1], [0.3, 1.0, -0.4], [0.1, 0.5, 1.2]])]
pub fn gram_schmidt_of_rows(vectors: &[[f64; 3]]) -> f64 {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for v in vectors {
        let mut w = v.to_vec();
        for row in &basis {
            let mut projection = 0.0;
            for k in 0..3 {
                projection += row[k] * v[k];
            }
            for k in 0..3 {
                w[k] -= projection * row[k];
            }
        }
        let mut norm = 0.0;
        for t in &w {
            norm += t * t;
        }
        let norm = norm.sqrt();
        for t in &mut w {
            *t /= norm;
        }
        basis.push(w);
    }
    basis[0][0] * basis[1][1] * basis[2][2] + basis[2][0]
}

/// The triangle of Pascal with weights, in a list of lists.
#[adjoint]
#[sample(0.7, 1.2, 4)]
pub fn triangle(x: f64, y: f64, n: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(n);
    for i in 0..n {
        let mut row = vec![x; i + 1];
        for j in 1..i {
            row[j] = rows[i - 1][j - 1] * y + rows[i - 1][j];
        }
        rows.push(row);
    }
    let mut sum = 0.0;
    for row in &rows {
        for t in row {
            sum += t * t;
        }
    }
    sum
}

/// Gaussian elimination on nested arrays, with pivoting by exchange of elements.
#[adjoint]
#[sample([[0.1, 2.0, 0.3], [1.5, 0.2, -0.4], [0.3, 0.5, 1.2]], [1.0, -0.5, 0.3])]
pub fn solve_on_arrays(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> f64 {
    for k in 0..3 {
        let mut pivot = k;
        for i in k + 1..3 {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..3 {
            let factor = a[i][k] / a[k][k];
            for j in k..3 {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..3).rev() {
        for j in k + 1..3 {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b[0] * b[1] + b[2]
}

/// Indices on a stack: which element comes next depends on the data.
#[adjoint]
#[sample([0.3, -0.2, 0.9, 1.4, -0.6, 0.2, 0.8])]
pub fn depth_first_sum(values: &[f64]) -> f64 {
    let mut stack = vec![0];
    let mut order = Vec::new();
    let mut sum = 1.0;
    while !stack.is_empty() {
        let node: usize = stack.pop().unwrap();
        order.push(node);
        sum = sum * (1.0 + 0.1 * values[node]) + values[node] * values[order[order.len() / 2]];
        for child in [2 * node + 1, 2 * node + 2] {
            if child < values.len() && values[child] > -0.5 {
                stack.push(child);
            }
        }
    }
    sum
}

/// Halves intervals until they are small: adaptive quadrature with a stack of its own.
#[adjoint(independents(a, b, rate), dependents(return))]
#[sample(0.0, 1.5, 1.3, 1e-3)]
pub fn adaptive_quadrature(a: f64, b: f64, rate: f64, tolerance: f64) -> f64 {
    let mut intervals = vec![(a, b)];
    let mut sum = 0.0;
    while let Some((low, high)) = intervals.pop() {
        let middle = 0.5 * (low + high);
        let (fl, fm, fh) = ((-rate * low * low).exp(), (-rate * middle * middle).exp(), (-rate * high * high).exp());
        let coarse = 0.5 * (high - low) * (fl + fh);
        let fine = (high - low) / 6.0 * (fl + 4.0 * fm + fh);
        if (coarse - fine).abs() > tolerance {
            intervals.push((low, middle));
            intervals.push((middle, high));
            continue;
        }
        sum += fine;
    }
    sum
}

/// Sums up what is left on a stack.
#[adjoint]
#[sample([0.3, -0.2, 0.9])]
pub fn unwound(x: &[f64]) -> f64 {
    let mut stack = Vec::new();
    for t in x {
        stack.push(t * t);
        stack.push(*t);
    }
    let mut sum = 1.0;
    'unwinding: while let Some(t) = stack.pop() {
        sum = sum * t + t.sin();
        if stack.len() == 1 {
            break 'unwinding;
        }
    }
    sum
}

/// Rows of many lengths that are replaced and exchanged.
#[adjoint]
#[sample(0.7, 0)]
#[sample(0.7, 1)]
#[sample(0.7, 4)]
pub fn rows_of_many_lengths(x: f64, n: usize) -> f64 {
    let mut rows = vec![vec![x], vec![x * x, 1.0, x]];
    let mut product = 1.0;
    for i in 0..n {
        let last = rows[0].len() - 1;
        product *= rows[0][last] * rows[0][0] + rows[1][0];
        rows[i % 2] = vec![product.sin(); 5 - i];
        rows.swap(0, 1);
        rows[0][0] *= rows[1][0] + 2.0;
    }
    let mut row = mem::take(&mut rows[1]);
    row.push(product);
    rows[1] = row;
    rows[0][0] * product + rows[1][rows[1].len() - 1] * rows[1][0]
}

/// A list of indices that other code changes too.
#[adjoint]
#[sample(0.7, 7)]
pub fn indices_without_repetition(x: f64, n: usize) -> f64 {
    let mut indices: Vec<usize> = Vec::new();
    let mut sum = x;
    for i in 0..n {
        indices.push(i / 2);
        indices.push(i / 2);
        indices.dedup();
        sum = sum * x + indices[indices.len() - 1] as f64 * sum.sin();
        if indices.len() > 2 {
            indices.remove(0);
        }
    }
    while let Some(k) = indices.pop() {
        sum *= x + k as f64;
    }
    sum
}

/// The last value of a row is the first of the next; rows end early.
#[adjoint]
#[sample(0.7, 0)]
#[sample(0.7, 3)]
#[sample(0.7, 7)]
pub fn rows_that_end_early(x: f64, n: usize) -> f64 {
    let mut all = vec![x];
    'rows: for i in 0..n {
        let mut row = Vec::new();
        for j in 0..n {
            if (i + j) % 5 == 4 {
                continue 'rows;
            }
            row.push(all[j % all.len()] * x);
            if row.len() > 3 {
                break;
            }
        }
        if all.len() > 9 {
            return all[3] * row[0];
        }
        all.extend(&row);
        all[0] += row[row.len() - 1];
    }
    all.len() as f64 * all[all.len() - 1]
}

/// A sequence turned round by fixed and by given numbers of places, and steps of steps.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 2.0], 2, 3)]
#[sample([0.7, -0.4, 1.1, 0.3, 2.0], 1, 1)]
pub fn turned_round(x: &[f64], places: usize, step: usize) -> f64 {
    let mut v = x.to_vec();
    v[0] = v[0] * v[1];
    v.rotate_left(1);
    v[0] = v[0].sin();
    v.rotate_right(2);
    v[1] += v[0] * v[2];
    v.rotate_left(places);
    let mut width = step;
    let mut sum = 0.0;
    for i in (0..v.len()).step_by(1).step_by(step).step_by(width) {
        width += 1;
        v[i] = v[i] * (i as f64 + 1.0) * width as f64;
        sum += v[i].sin();
    }
    let mut weight = 1.0;
    for value in &v {
        weight *= 0.5;
        sum += weight * value;
    }
    sum
}

/// Appends to a list.
#[adjoint]
fn appended(list: &mut Vec<f64>, x: f64) {
    list.push(x * x);
    list[0] *= x;
}

/// Takes the first element away.
#[adjoint]
fn without_first(list: &mut Vec<f64>) {
    let first = list.remove(0);
    list[0] *= first;
}

/// Lists in a list, whose lengths are changed by functions.
#[adjoint]
#[sample(0.7, 0)]
#[sample(0.7, 1)]
#[sample(-1.2, 5)]
pub fn rows_that_change(x: f64, rounds: usize) -> f64 {
    let mut rows = vec![vec![x, x * x], vec![x.sin()]];
    for round in 0..rounds {
        appended(&mut rows[round % 2], x);
        if rows[0].len() > 2 {
            without_first(&mut rows[0]);
        }
    }
    let mut sum = 0.0;
    for row in &rows {
        for value in row {
            sum += value * value;
        }
    }
    sum
}
