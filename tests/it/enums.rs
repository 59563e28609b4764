//! Enums with derivatives: as parameters, as locals, results, fields and elements. Gradients against central differences, tangents against
//! gradients, values against the plain functions.

use backsweep::{Differentiable, Vector, adjoint};
use std::f64::consts::PI;
use testkit::vectors::{check, close, direction, flat};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Shape {
    Disc {
        r: f64,
    },
    Rect(f64, f64),
    Polygon(Vec<f64>, usize),
    Tagged {
        at: [f64; 2],
        #[passive]
        weight: f64,
    },
    Empty,
}

use Shape as Form;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Color {
    Rgb([f64; 3]),
    Gray(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Bound {
    None,
    Lower(f64),
    Both(f64, f64),
}

/// One variant only.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Single {
    Only { x: f64 },
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Part {
    shape: Shape,
    bound: Bound,
    mass: f64,
}

/// Enums in enums.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Node {
    Leaf(Shape),
    Pair(Shape, Bound, f64),
}

/// Without floats and without a derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Fast,
    Slow,
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Disc { r: 1.3 },
        Shape::Disc { r: 0.3 },
        Shape::Rect(2.0, 3.0),
        Shape::Polygon(vec![1.0, 2.0, -0.5], 3),
        Shape::Tagged { at: [1.5, 2.5], weight: 2.0 },
        Shape::Empty,
    ]
}

fn bounds() -> Vec<Bound> {
    vec![Bound::None, Bound::Lower(0.7), Bound::Both(-1.2, 0.4)]
}

/// By reference, with all that a pattern may have.
#[adjoint(independents(s))]
pub fn area(s: &Shape) -> f64 {
    match s {
        Shape::Disc { r } => PI * r * r,
        Shape::Rect(a, b) => a * b,
        Shape::Polygon(v, n) => {
            let mut t = 0.0;
            for i in 0..v.len() {
                t += v[i] * v[i] * *n as f64;
            }
            t
        }
        Shape::Tagged { at, weight } => at[0] * at[1] * weight,
        Shape::Empty => 0.0,
    }
}

#[adjoint(independents(s), no(all))]
pub fn area_plainly(s: &Shape) -> f64 {
    match *s {
        Shape::Disc { r } => PI * r * r,
        Shape::Rect(ref a, b) => *a * b,
        Shape::Polygon(ref v, n) => v.iter().map(|t| t * t).sum::<f64>() * n as f64,
        Shape::Tagged { ref at, weight } => at[0] * at[1] * weight,
        Shape::Empty => 0.0,
    }
}

#[adjoint]
impl Shape {
    /// Guards, alternatives, `*self`, `Self`.
    pub fn size(&self, w: f64) -> f64 {
        match *self {
            Self::Disc { r } if r > 1.0 => r.sin() * w,
            Self::Disc { r } => r * w,
            Self::Rect(a, _) | Self::Tagged { at: [a, _], .. } if w > 3.0 => a,
            Self::Rect(a, b) | Self::Tagged { at: [a, b], .. } => a.exp() * b * w * w,
            _ => w,
        }
    }

    /// By value: what is in it is moved.
    pub fn length(self, w: f64) -> f64 {
        if let Self::Polygon(v, _) = self {
            return v.iter().map(|t| t * w).sum();
        }
        let Self::Tagged { at: [a, b], .. } = self else {
            return w;
        };
        a * b * w
    }

    /// The last of them.
    pub fn second(&self) -> f64 {
        match self {
            Self::Rect(.., b) => b * b,
            Self::Polygon(list, ..) if !list.is_empty() => match list.as_slice() {
                [first, .., last] => first * last,
                _ => list[0],
            },
            Form::Disc { r: 0.0..=1.0 } => 2.0,
            Form::Disc { r: radius @ 1.0.. } => radius.sqrt(),
            _ => 1.0,
        }
    }

    /// Makes one.
    pub fn scaled(&self, by: f64) -> Self {
        match self {
            Self::Disc { r } => Self::Disc { r: r * by },
            Self::Rect(a, b) => Shape::Rect(a * by, b * by),
            Self::Polygon(v, n) => Self::Polygon(v.iter().map(|t| t * by).collect(), *n),
            Self::Tagged { at, weight } => Self::Tagged {
                at: [at[0] * by, at[1] * by],
                weight: #[passive]
                *weight,
            },
            Self::Empty => Self::Empty,
        }
    }
}

#[adjoint(independents(shapes, w))]
pub fn total(shapes: &[Shape], w: f64) -> f64 {
    let mut t = 0.0;
    for s in shapes {
        t += area(s) * w;
        if matches!(s, Shape::Disc { r } if *r > 0.5) {
            t *= 2.0;
        }
    }
    let cubes = shapes.iter().map(|s| match s {
        Shape::Disc { r } => r * r * r,
        Shape::Rect(a, ..) => a.sin(),
        _ => 1.0,
    });
    t + cubes.sum::<f64>()
}

#[adjoint(independents(c))]
pub fn luminance(c: Color) -> f64 {
    match c {
        Color::Rgb([r, g, b]) => 0.2126 * r.powi(2) + 0.7152 * g + 0.0722 * b * r,
        Color::Gray(v) => v * v,
    }
}

/// Two at once, and a type that has no derivative.
#[adjoint(independents(a, b, x), passive(mode))]
pub fn clamped(a: &Bound, b: Bound, x: f64, mode: Mode) -> f64 {
    let y = match (a, b) {
        (Bound::Lower(l), Bound::Both(_, h)) => x.max(*l).min(h) * l,
        (Bound::None, Bound::None) => x,
        (Bound::Both(l, h), Bound::Both(m, n)) => (x - l) * (h - x) * m * n,
        (&Bound::Lower(l), _) | (_, Bound::Lower(l)) if x > 0.0 => l * x,
        _ => x * x,
    };
    match mode {
        Mode::Fast => y,
        Mode::Slow => y * y,
    }
}

#[adjoint(independents(s))]
pub fn only(s: &Single) -> f64 {
    let Single::Only { x } = s;
    x.sin() * x
}

/// Assigned in branches, by constructors and by calls.
#[adjoint]
pub fn chosen(x: f64, y: f64, c: bool) -> f64 {
    let s = if c { Shape::Disc { r: x * y } } else { Shape::Rect(x, y.sin()) };
    let t = s.scaled(x);
    area(&s) + area(&t) * y
}

/// Overwritten by other variants, also in loops.
#[adjoint]
pub fn changing(x: f64, n: usize) -> f64 {
    let mut s = Shape::Disc { r: x };
    let mut t = 0.0;
    for k in 0..n {
        t += area(&s) * x;
        s = match s {
            Shape::Disc { r } => Shape::Rect(r * x, r.sin()),
            Shape::Rect(a, b) if k % 2 == 0 => Shape::Polygon(vec![a, b, a * b], k),
            Shape::Rect(a, _) => Shape::Disc { r: a },
            Shape::Polygon(v, _) => Shape::Disc { r: v[0] + v[2] },
            other => other,
        };
        if k == 3 {
            s = Shape::Empty;
        }
        if k == 4 {
            s = Shape::Rect(t.sin(), x);
        }
    }
    t + area(&s)
}

#[adjoint(no(all))]
pub fn changing_plainly(x: f64, n: usize) -> f64 {
    let mut b = Bound::Lower(x);
    let mut t = x;
    for k in 0..n {
        if let Bound::Lower(l) = b {
            t += l * x;
            b = Bound::Both(l * t, x);
        } else if let Bound::Both(l, h) = b {
            t *= l * h;
            b = if k > 4 { Bound::None } else { Bound::Lower(h + t.sin()) };
        }
    }
    t
}

/// Payloads that are changed in place.
#[adjoint]
pub fn in_place(x: f64, c: bool) -> f64 {
    let mut s = if c { Shape::Rect(x, x * x) } else { Shape::Polygon(vec![x; 3], 2) };
    match &mut s {
        Shape::Rect(a, b) => {
            *a *= *b;
            *b += *a * x;
        }
        Shape::Polygon(v, n) => {
            v[1] *= v[0];
            *n += 1;
        }
        _ => {}
    }
    if let Shape::Polygon(v, _) = &mut s {
        for t in v.iter_mut() {
            *t *= x;
        }
    }
    area(&s)
}

#[adjoint(independents(p, x))]
pub fn in_struct(p: &Part, x: f64) -> f64 {
    let low = match p.bound {
        Bound::None => 0.1,
        Bound::Lower(l) => l * x,
        Bound::Both(l, h) => l * h * p.mass,
    };
    let mut q = Part { shape: p.shape.scaled(low), bound: Bound::Lower(x), ..p.clone() };
    let before = area(&q.shape);
    if x > 1.0 {
        q.shape = Shape::Disc { r: q.mass * x };
    }
    if let Part { bound: Bound::Lower(l), shape: Shape::Disc { r }, .. } = &q {
        return l * r * before;
    }
    area(&q.shape) * before
}

#[adjoint(independents(n))]
pub fn nested(n: &Node) -> f64 {
    match n {
        Node::Leaf(Shape::Disc { r }) => r * r,
        Node::Leaf(s) => area(s),
        Node::Pair(Shape::Rect(a, _), Bound::Lower(l) | Bound::Both(_, l), w) => a * l * w,
        Node::Pair(s, Bound::None, w) if *w > 0.0 => area(s) * w,
        Node::Pair(_, b, w) => match b {
            Bound::Both(l, h) => l * h,
            _ => w.sin(),
        },
    }
}

/// Elements that change their variants, in a list of the caller's.
#[adjoint(independents(list, x), dependents(list))]
pub fn turn(list: &mut [Bound], x: f64) {
    for i in 0..list.len() {
        list[i] = match list[i] {
            Bound::None => Bound::Lower(x),
            Bound::Lower(l) => Bound::Both(l * x, l.sin()),
            Bound::Both(l, h) => {
                if l > h {
                    Bound::None
                } else {
                    Bound::Lower(l * h * x)
                }
            }
        };
    }
}

fn sum(list: &[Bound]) -> f64 {
    let terms = list.iter().map(|b| match b {
        Bound::None => 0.5,
        Bound::Lower(l) => l * l,
        Bound::Both(l, h) => l * h,
    });
    terms.sum()
}

#[adjoint(independents(list))]
fn sum_of(list: &[Bound]) -> f64 {
    let mut t = 0.0;
    for b in list {
        t += match b {
            Bound::None => 0.5,
            Bound::Lower(l) => l * l,
            Bound::Both(l, h) => l * h,
        };
    }
    t
}

#[adjoint(independents(list, x))]
pub fn turned_twice(list: &[Bound], x: f64) -> f64 {
    let mut own = list.to_vec();
    turn(&mut own, x);
    let first = sum_of(&own);
    turn(&mut own, x * first);
    own.push(Bound::Lower(first));
    sum_of(&own) + first
}

/// Lists of enums that grow.
#[adjoint]
pub fn collected(x: f64, n: usize) -> f64 {
    let mut list = Vec::new();
    for k in 0..n {
        let t = x * k as f64;
        list.push(if k % 2 == 0 { Bound::Lower(t.sin()) } else { Bound::Both(t, x) });
    }
    sum_of(&list)
}

#[adjoint(independents(b, x), dependents(b))]
fn change(b: &mut Bound, x: f64) {
    *b = match *b {
        Bound::None => Bound::Lower(x),
        Bound::Lower(l) => Bound::Both(l * x, l),
        Bound::Both(l, _) => Bound::Lower(l * l),
    };
}

/// A callee changes the variant.
#[adjoint]
pub fn by_reference(x: f64) -> f64 {
    let mut b = Bound::None;
    let mut t = 0.0;
    for _ in 0..4 {
        change(&mut b, x);
        if let Bound::Lower(l) | Bound::Both(l, _) = b {
            t += l * x;
        }
    }
    t
}

#[adjoint]
pub fn first_root(x: f64) -> Option<Bound> {
    if x > 2.0 {
        return None;
    }
    Some(if x > 1.0 { Bound::Lower(x * x) } else { Bound::Both(x, x.sin()) })
}

#[adjoint]
pub fn of_option(x: f64) -> f64 {
    match first_root(x) {
        Some(Bound::Lower(l)) => l * x,
        Some(Bound::Both(l, h)) => l * h,
        Some(Bound::None) => 3.0,
        None => x,
    }
}

#[test]
fn parameters_by_reference() {
    for s in &shapes() {
        for gradient in [area::gradient(s), area_plainly::gradient(s)] {
            assert_eq!(gradient.0.to_bits(), area(s).to_bits());
            check(area, s, &gradient.1);
        }
        let along = direction(s);
        let (value, slope) = area::tangent(s, &along);
        assert_eq!(value, area(s));
        close(slope, area::gradient(s).1.inner(&along));
        close(area_plainly::tangent(s, &along).1, slope);
    }
}

#[test]
fn methods() {
    for s in &shapes() {
        for w in [1.7, 3.5] {
            let (value, (s_b, w_b)) = s.size_gradient(w);
            assert_eq!(value, s.size(w));
            check(|s| s.size(w), s, &s_b);
            check(|w| s.size(*w), &w, &w_b);
            let (value, (s_b, w_b)) = s.clone().length_gradient(w);
            assert_eq!(value, s.clone().length(w));
            check(|s| s.clone().length(w), s, &s_b);
            check(|w| s.clone().length(*w), &w, &w_b);
            let along = direction(s);
            close(s.clone().length_tangent(along.clone(), w, 0.5).1, s_b.inner(&along) + 0.5 * w_b);
        }
        let (value, s_b) = s.second_gradient();
        assert_eq!(value, s.second());
        check(Shape::second, s, &s_b);
    }
}

#[test]
fn lists_of_enums() {
    let list = shapes();
    let (value, (list_b, w_b)) = total::gradient(&list, 1.7);
    assert_eq!(value, total(&list, 1.7));
    check(|list| total(list, 1.7), &list, &list_b);
    check(|w| total(&list, *w), &1.7, &w_b);
    let along = direction(&list);
    close(total::tangent(&list, &along, 1.7, 0.5).1, list_b.inner(&along) + 0.5 * w_b);
}

#[test]
fn colors_and_bounds() {
    for c in [Color::Rgb([0.2, 0.5, 0.9]), Color::Gray(0.4)] {
        let (value, c_b) = luminance::gradient(c);
        assert_eq!(value, luminance(c));
        check(|c| luminance(*c), &c, &c_b);
    }
    for a in bounds() {
        for b in bounds() {
            for (x, mode) in [(0.6, Mode::Fast), (-0.3, Mode::Slow)] {
                let (value, (a_b, b_b, x_b)) = clamped::gradient(&a, b, x, mode);
                assert_eq!(value, clamped(&a, b, x, mode));
                check(|a| clamped(a, b, x, mode), &a, &a_b);
                check(|b| clamped(&a, *b, x, mode), &b, &b_b);
                check(|x| clamped(&a, b, *x, mode), &x, &x_b);
            }
        }
    }
    let single = Single::Only { x: 0.8 };
    check(only, &single, &only::gradient(&single).1);
}

#[test]
fn locals_and_results() {
    for c in [false, true] {
        let (value, (x_b, y_b)) = chosen::gradient(0.8, 0.6, c);
        assert_eq!(value, chosen(0.8, 0.6, c));
        check(|x| chosen(*x, 0.6, c), &0.8, &x_b);
        check(|y| chosen(0.8, *y, c), &0.6, &y_b);
        close(chosen::tangent(0.8, 1.0, 0.6, 0.5, c).1, x_b + 0.5 * y_b);
        let (value, x_b) = in_place::gradient(0.7, c);
        assert_eq!(value, in_place(0.7, c));
        check(|x| in_place(*x, c), &0.7, &x_b);
        close(in_place::tangent(0.7, 1.0, c).1, x_b);
    }
    for n in 0..9 {
        let (value, x_b) = changing::gradient(0.9, n);
        assert_eq!(value, changing(0.9, n));
        check(|x| changing(*x, n), &0.9, &x_b);
        close(changing::tangent(0.9, 1.0, n).1, x_b);
        let (value, x_b) = changing_plainly::gradient(0.9, n);
        assert_eq!(value, changing_plainly(0.9, n));
        check(|x| changing_plainly(*x, n), &0.9, &x_b);
        close(changing_plainly::tangent(0.9, 1.0, n).1, x_b);
        let (value, x_b) = collected::gradient(0.9, n);
        assert_eq!(value, collected(0.9, n));
        check(|x| collected(*x, n), &0.9, &x_b);
    }
    for x in [0.4, 1.4, 2.4] {
        let (value, x_b) = of_option::gradient(x);
        assert_eq!(value, of_option(x));
        check(|x| of_option(*x), &x, &x_b);
    }
    check(|x| by_reference(*x), &0.8, &by_reference::gradient(0.8).1);
    close(by_reference::tangent(0.8, 1.0).1, by_reference::gradient(0.8).1);
}

#[test]
fn enums_in_structs_and_enums() {
    for shape in shapes() {
        for bound in bounds() {
            let part = Part { shape: shape.clone(), bound, mass: 1.1 };
            for x in [0.7, 1.6] {
                let (value, (p_b, x_b)) = in_struct::gradient(&part, x);
                assert_eq!(value, in_struct(&part, x));
                check(|p| in_struct(p, x), &part, &p_b);
                check(|x| in_struct(&part, *x), &x, &x_b);
                let along = direction(&part);
                let slope = in_struct::tangent(&part, &along, x, 0.3).1;
                close(slope, p_b.inner(&along) + 0.3 * x_b);
            }
            for node in [Node::Leaf(shape.clone()), Node::Pair(shape.clone(), bound, 0.9)] {
                let (value, n_b) = nested::gradient(&node);
                assert_eq!(value, nested(&node));
                check(nested, &node, &n_b);
            }
        }
    }
}

#[test]
fn elements_change_their_variants() {
    let list = bounds();
    let x = 0.9;
    let (value, (list_b, x_b)) = turned_twice::gradient(&list, x);
    assert_eq!(value, turned_twice(&list, x));
    check(|list| turned_twice(list, x), &list, &list_b);
    check(|x| turned_twice(&list, *x), &x, &x_b);
    let along = direction(&list);
    close(turned_twice::tangent(&list, &along, x, 0.3).1, list_b.inner(&along) + 0.3 * x_b);

    // The bars that come in are of the variants that are left, those that go out of those that were there.
    let mut after = list.clone();
    turn(&mut after, x);
    let mut seeds = sum_of::gradient(&after).1;
    let (mut own, mut x_b) = (list.clone(), 0.0);
    turn::adjoint(&mut own, &mut seeds, x, &mut x_b);
    assert_eq!(own, after);
    let turned = |list: &Vec<Bound>, x: f64| {
        let mut own = list.clone();
        turn(&mut own, x);
        sum(&own)
    };
    check(|list| turned(list, x), &list, &seeds);
    check(|x| turned(&list, *x), &x, &x_b);
}

#[test]
fn bars_are_of_the_variant_of_their_value() {
    let shape = Shape::Tagged { at: [1.0, 2.0], weight: 3.0 };
    let mut bar = shape.zero_bar();
    assert_eq!(bar, Shape::Tagged { at: [0.0, 0.0], weight: 3.0 });
    bar.accumulate(&shape);
    bar.accumulate(&shape);
    assert_eq!(bar, Shape::Tagged { at: [2.0, 4.0], weight: 3.0 });
    assert_eq!(bar.inner(&shape), 2.0 + 8.0);
    bar.set_zero();
    assert_eq!(bar, shape.zero_bar());
    assert_eq!(flat(&Shape::Empty), []);
    let together = std::panic::catch_unwind(|| Shape::Empty.zero_bar().accumulate(&shape));
    let message = *together.unwrap_err().downcast::<&str>().unwrap();
    assert!(message.contains("are of different ones"), "{message}");
    let wrong = std::panic::catch_unwind(|| area::tangent(&shape, &Shape::Disc { r: 1.0 }));
    assert!(wrong.is_err());
    let mut wrong = Bound::None;
    let seeded = std::panic::catch_unwind(move || {
        change::adjoint(&mut Bound::Lower(1.0), &mut wrong, 0.5, &mut 0.0);
    });
    assert!(seeded.is_err());
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Act {
    Lin(f64),
    Sig { a: f64, b: f64 },
    Off,
}

#[adjoint(independents(act, x), dependents(return))]
fn acted(act: Act, x: f64) -> f64 {
    match act {
        Act::Lin(k) => k * x,
        Act::Sig { a, b } => a * (b * x).tanh(),
        Act::Off => x,
    }
}

/// What was overwritten in a payload is restored to a value that has become one of another variant since.
#[adjoint]
fn switched_off(x: &[f64]) -> f64 {
    let mut act = Act::Lin(x[0]);
    let mut s = 0.0;
    for k in 0..3 {
        if let Act::Lin(t) = &mut act {
            *t = *t * *t * x[k + 1];
            s += *t;
        }
        if k == 1 {
            act = Act::Off;
        }
    }
    s
}

#[adjoint]
fn exchanged(x: &[f64]) -> f64 {
    let mut a = Act::Lin(x[0]);
    let mut b = Act::Sig { a: x[1], b: x[2] };
    for k in 0..3 {
        std::mem::swap(&mut a, &mut b);
        if let Act::Lin(t) = &mut a {
            *t *= x[k + 3];
        }
    }
    acted(a, x[6]) * acted(b, x[7])
}

/// The same of what callees change.
#[adjoint]
fn damped(act: &mut Act, by: f64) {
    if let Act::Lin(t) | Act::Sig { a: t, .. } = act {
        *t = t.sin() * by;
    }
}

#[adjoint]
fn in_turn(x: &[f64]) -> f64 {
    let mut acts = [Act::Lin(x[0]), Act::Sig { a: x[1], b: x[2] }, Act::Off];
    let mut s = 0.0;
    for k in 0..4 {
        let i = k % 3;
        damped(&mut acts[i], x[k + 3]);
        s += acted(acts[i], x[7]);
        acts[i] = acts[(k + 1) % 3];
    }
    s
}

#[test]
fn payloads_are_restored_to_their_variant() {
    type Function = fn(&[f64]) -> f64;
    type Gradient = fn(&[f64]) -> (f64, Vec<f64>);
    type Tangent = fn(&[f64], &[f64]) -> (f64, f64);
    let cases: [(Function, Gradient, Tangent); 3] = [
        (switched_off, switched_off::gradient, switched_off::tangent),
        (exchanged, exchanged::gradient, exchanged::tangent),
        (in_turn, in_turn::gradient, in_turn::tangent),
    ];
    for (function, gradient, tangent) in cases {
        for x in
            [[0.3, 0.7, 0.9, 1.1, 1.2, 1.3, 0.4, 0.6], [1.3, 0.5, -0.8, 1.4, 0.6, -1.1, 0.9, 1.2]]
        {
            let x = x.to_vec();
            let (value, bar) = gradient(&x);
            assert_eq!(value, function(&x));
            check(|x: &Vec<f64>| function(x), &x, &bar);
            let x_d = direction(&x);
            let (_, slope) = tangent(&x, &x_d);
            close(slope, bar.inner(&x_d));
        }
    }
}
