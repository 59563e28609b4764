//! Patterns of arrays and slices, of what calls and methods return, too.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Segment {
    ends: [[f64; 2]; 2],
    weight: f64,
}

#[adjoint]
impl Segment {
    fn start(&self) -> [f64; 2] {
        let [[x, y], _] = self.ends;
        [x * self.weight, y]
    }

    fn scaled(&self, by: f64) -> [f64; 2] {
        let [x, y] = self.start();
        [x * by, y + by]
    }
}

#[adjoint(independents(segment, by), dependents(return))]
fn of_methods(segment: &Segment, by: f64) -> f64 {
    let [x, y] = segment.start();
    let [u, v] = Segment::scaled(segment, by);
    let more = match segment.scaled(x) {
        [a, 0.0] => a,
        [a, b] if a > 100.0 => a - b,
        [a, b] => a * b,
    };
    if let [w, 0.0] = segment.start() {
        return w * by;
    }
    x * v - y * u + more
}

/// The same by indices.
fn of_methods_by_hand(segment: &Segment, by: f64) -> f64 {
    let (p, w) = (segment.ends[0], segment.weight);
    let (x, y) = (p[0] * w, p[1]);
    if y == 0.0 {
        return x * by;
    }
    x * (y + by) - y * x * by + x * x * (y + x)
}

#[test]
fn what_methods_return_is_taken_apart() {
    for y in [0.0, 2.0] {
        let segment = |x: f64, weight: f64| Segment { ends: [[x, y], [7.0, 8.0]], weight };
        let (value, (of_segment, of_by)) = of_methods::gradient(&segment(1.5, 0.5), 1.25);
        assert_eq!(value.to_bits(), of_methods(&segment(1.5, 0.5), 1.25).to_bits());
        let difference = |at: &dyn Fn(f64) -> f64| (at(1e-6) - at(-1e-6)) / 2e-6;
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-7, "{a} {b}");
        close(value, of_methods_by_hand(&segment(1.5, 0.5), 1.25));
        close(of_by, difference(&|h| of_methods_by_hand(&segment(1.5, 0.5), 1.25 + h)));
        let [[of_x, _], [other, _]] = of_segment.ends;
        close(of_x, difference(&|h| of_methods_by_hand(&segment(1.5 + h, 0.5), 1.25)));
        let of_weight = difference(&|h| of_methods_by_hand(&segment(1.5, 0.5 + h), 1.25));
        close(of_segment.weight, of_weight);
        assert_eq!(other, 0.0);
    }
}
