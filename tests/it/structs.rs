//! Structs with derivatives: gradients against differences, adjoints against tangents by differences,
//! and everything with the optimisations on and off, with calls that store and that compute again.

use backsweep::{Differentiable, Vector};

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Vec3(f64, f64, f64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Body {
    mass: f64,
    at: Vec3,
    speed: Vec3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Kind {
    #[default]
    Linear,
    Cubic,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Model {
    k: f64,
    w: [f64; 2],
    body: Body,
    list: Vec<f64>,
    matrix: Vec<Vec<f64>>,
    n: usize,
    extra: Option<f64>,
    is_on: bool,
    name: String,
    #[passive]
    dt: f64,
    #[passive]
    kind: Kind,
    #[passive]
    table: &'static [f64],
}

impl Model {
    fn order(&self) -> usize {
        self.n
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Pair<T> {
    a: T,
    b: Vec<T>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Single {
    x: f32,
    y: f32,
}

/// The functions, with options that all of them get.
macro_rules! functions {
    ($name:ident $($options:tt)*) => {
        mod $name {
            use super::{Body, Model, Pair, Single, Vec3};
            use backsweep::adjoint;

            #[adjoint(independents(m, x), dependents(return) $($options)*)]
            pub fn fields(m: &Model, x: &[f64]) -> f64 {
                let mut s = m.k * m.k;
                for i in 0..m.n {
                    s += m.w[i % 2] * x[i] * m.body.at.0.sin() + m.list[i] * m.dt;
                    s *= m.matrix[1][i] + (#[passive] m.table[i]);
                }
                if m.is_on {
                    s *= m.body.mass;
                }
                s * m.n as f64 + (m.n * 2) as f64 * m.k
            }

            #[adjoint(independents(m), dependents(m, return) $($options)*)]
            pub fn updates(m: &mut Model, t: f64) -> f64 {
                for k in 0..3 {
                    m.body.at.0 += m.body.speed.0 * m.dt;
                    m.body.speed.0 -= m.body.at.0 * m.k * t;
                    m.list[k] *= m.body.at.0;
                    m.w[1] = m.w[0] * m.w[1];
                    let before = m.body;
                    m.body = Body { mass: before.mass * m.k, ..before };
                }
                m.body.at.0 * m.list[1] + m.body.mass
            }

            /// What a method that is no part of the derivative is asked, between reads of the struct.
            #[adjoint(independents(m, x), dependents(return) $($options)*)]
            pub fn asked(m: &Model, x: f64) -> f64 {
                let mut s = m.k * x;
                for i in 0..3 {
                    let n: usize = m.order();
                    s = (s * m.w[n % 2] + m.list[i] * x).sin() * m.k;
                    let v = cross(m.body.at, m.body.speed);
                    s *= v.0 + m.list[n - 1];
                }
                // Of the type of the order nothing is known here.
                s / m.order() as f64
            }

            #[adjoint(independents(m), dependents(return) $($options)*)]
            pub fn asked_by_value(m: Model) -> f64 {
                let s = m.k * m.body.mass;
                let n: usize = m.order();
                s * s * m.list[n - 1] * n as f64
            }

            #[adjoint(independents(m), dependents(return) $($options)*)]
            pub fn by_value(mut m: Model) -> f64 {
                m.k *= 3.0;
                let mut best = m.body;
                let mut s = 0.0;
                while best.mass < 3.0 {
                    best = Body { mass: best.mass * 1.5 + m.k * 0.1, ..best };
                    s += best.mass * best.at.1 * m.list[m.n - 1];
                    m.body = best;
                }
                let u = if s > 0.0 {
                    Body { mass: s, at: Vec3(m.k, 1.0, s), speed: m.body.speed }
                } else {
                    m.body
                };
                let Body { mass, at: Vec3(x, ..), .. } = if u.mass > 0.1 { u } else { best };
                x * mass + s + m.body.mass * m.body.speed.2
            }

            #[adjoint(independents(a, b), dependents(return) $($options)*)]
            pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
                Vec3(a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0)
            }

            #[adjoint(independents(a, b), dependents(return) $($options)*)]
            pub fn dot(a: &Vec3, b: &Vec3) -> f64 {
                a.0 * b.0 + a.1 * b.1 + a.2 * b.2
            }

            #[adjoint(independents(m), dependents(return) $($options)*)]
            pub fn vectors(m: &Model) -> f64 {
                let a = Vec3(m.k, m.w[0], m.list[2]);
                let b = m.body.speed;
                let mut c = cross(a, b);
                for i in 0..3 {
                    let d = cross(c, Vec3(1.0, m.list[i], m.k * m.k));
                    let Vec3(x, y, _) = d;
                    c = Vec3 { 2: x * y, ..d };
                    if c.0 > 0.0 {
                        c.1 = c.0 * d.2;
                    } else {
                        c = Vec3(d.0, c.1 * c.2, 0.3);
                    }
                }
                dot(&c, &a) * m.dt + dot(&m.body.at, &m.body.speed)
            }

            #[adjoint(independents(m, t), dependents(return) $($options)*)]
            pub fn stepped(m: &Model, t: f64) -> Model {
                let Model { k, w: [a, b], body: Body { mass, at, .. }, .. } = m;
                Model {
                    k: k * t + a * b,
                    body: Body { mass: mass * mass, at: Vec3(at.1, t * a, 0.5), ..m.body },
                    ..m.clone()
                }
            }

            #[adjoint(independents(m), dependents(return) $($options)*)]
            pub fn two_steps(m: &Model) -> Model {
                let first = stepped(m, 0.1);
                if first.k > 100.0 {
                    return first;
                }
                stepped(&first, m.k)
            }

            #[adjoint(independents(bodies), dependents(return) $($options)*)]
            pub fn energy(bodies: &[Body]) -> f64 {
                let mut e = 0.0;
                for (i, b) in bodies.iter().enumerate() {
                    e += 0.5 * b.mass * dot(&b.speed, &b.speed);
                    for other in &bodies[i + 1..] {
                        let d = Vec3(
                            b.at.0 - other.at.0,
                            b.at.1 - other.at.1,
                            b.at.2 - other.at.2,
                        );
                        e -= b.mass * other.mass / dot(&d, &d).sqrt();
                    }
                }
                e
            }

            #[adjoint(independents(bodies, dt), dependents(bodies) $($options)*)]
            pub fn drift(bodies: &mut [Body], dt: f64) {
                for _ in 0..2 {
                    for b in bodies.iter_mut() {
                        b.at.0 += dt * b.speed.0 * b.mass;
                        b.speed.1 *= b.at.0;
                        b.speed = Vec3(b.speed.0, b.speed.1, b.speed.2 * b.at.0);
                    }
                    let first = bodies[0];
                    bodies[1].at = first.speed;
                    push(&mut bodies[0].at, first.mass);
                }
            }

            #[adjoint(independents(at, by), dependents(at) $($options)*)]
            pub fn push(at: &mut Vec3, by: f64) {
                at.0 = at.0 * at.1 * by;
                *at = Vec3(at.1, at.0, at.2 * by);
            }

            #[adjoint(independents(k), dependents(return) $($options)*)]
            pub fn pattern(Model { k, w: [a, _], body, list, n, .. }: &Model) -> f64 {
                let mut s = *k * *a * body.mass;
                for i in 0..*n {
                    s = s * list[i] + body.at.2;
                }
                s
            }

            /// Reborrows a field, takes the struct apart by reference, reads an integer.
            #[adjoint(independents(m), dependents(m, return) $($options)*)]
            pub fn reborrowed(m: &mut Model) -> f64 {
                {
                    let r = &mut m.k;
                    *r *= 2.0;
                    *r = *r * *r;
                }
                let Model { k, w: [a, b], n, .. } = m;
                *b *= *k;
                *k * *a + *b * *n as f64
            }

            #[adjoint(independents(p), dependents(return) $($options)*)]
            pub fn generic(p: &Pair<f64>) -> f64 {
                let mut q = p.clone();
                let mut v = p.b.clone();
                for i in 0..2 {
                    q.a = q.a * q.b[i] + v[i];
                    v[i] = q.a * v[1 - i];
                    q.b[1] = v[0];
                }
                let r = Pair { a: v[0], b: vec![q.a, q.b[1] * 2.0] };
                q.a * r.a + r.b[0] * r.b[1]
            }

            #[adjoint(independents(s), dependents(return) $($options)*)]
            pub fn narrow(s: Single) -> f32 {
                let product = s.x * s.y;
                let mut t = Single { x: product, y: 1.0 };
                for _ in 0..3 {
                    t.x = t.x * t.y + s.x;
                    t.y *= t.x;
                }
                t.y
            }

            #[adjoint(independents(m), dependents(return) $($options)*)]
            pub fn first_crossing(m: &Model) -> (Vec3, f64) {
                let mut at = m.body.at;
                let mut t = m.k;
                loop {
                    t *= 1.1;
                    at = Vec3(at.0 + t * m.body.speed.0, at.1 * t, at.2);
                    if at.0 > 5.0 {
                        return (at, t * m.k);
                    }
                    if t > 3.0 {
                        break;
                    }
                }
                (Vec3(at.1, at.0, t), at.0)
            }
        }
    };
}

functions!(optimised);
functions!(naive, no(all));
functions!(no_activity, no(activity));
functions!(no_liveness, no(adjoint_liveness));
functions!(no_tbr, no(tbr));
functions!(no_recompute, no(recompute));
functions!(no_simplify, no(simplify));
functions!(joint, mode = "joint");

fn model() -> Model {
    Model {
        k: 0.7,
        w: [0.3, -0.8],
        body: Body { mass: 1.2, at: Vec3(0.4, 1.3, -0.2), speed: Vec3(0.9, -0.5, 0.6) },
        list: vec![0.5, -0.6, 0.9],
        matrix: vec![vec![1.0], vec![0.2, 0.4, -0.7]],
        n: 3,
        extra: Some(0.1),
        is_on: true,
        name: "model".to_owned(),
        dt: 0.25,
        kind: Kind::Cubic,
        table: &[0.5, 0.25, 0.125],
    }
}

fn bodies() -> Vec<Body> {
    let body = |mass: f64, s: f64| Body {
        mass,
        at: Vec3(s, 1.0 - s, s * s),
        speed: Vec3(0.5 * s, -s, 0.25),
    };
    vec![body(1.5, 0.3), body(0.8, 1.9), body(1.1, -0.7)]
}

fn flat<V: Vector + ?Sized>(vector: &V) -> Vec<f64> {
    let mut flat = Vec::new();
    vector.write_flat(&mut flat);
    flat
}

/// The gradient by central differences.
fn differences<V: Vector + Clone>(at: &V, f: impl Fn(&V) -> f64) -> Vec<f64> {
    let values = flat(at);
    let moved = |position: usize, by: f64| {
        let mut values = values.clone();
        values[position] += by;
        let mut at = at.clone();
        at.read_flat(&values);
        f(&at)
    };
    let h = 1e-5;
    (0..values.len()).map(|n| (moved(n, h) - moved(n, -h)) / (2.0 * h)).collect()
}

#[track_caller]
fn assert_close(name: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (position, (a, b)) in found.iter().zip(expected).enumerate() {
        let error = (a - b).abs() / (1.0 + b.abs());
        assert!(error < tolerance, "{name}, {position}: {a} instead of {b}");
    }
}

/// A vector of weights of the shape of a value.
fn weights<V: Vector + Differentiable<Bar = V>>(value: &V) -> V {
    let mut weights = value.zero_bar();
    let len = flat(value).len();
    let values: Vec<f64> = (0..len).map(|n| 0.3 + 0.17 * n as f64 % 1.0).collect();
    weights.read_flat(&values);
    weights
}

/// What is no derivative in a bar is a copy.
fn assert_copied(name: &str, bar: &Model) {
    let model = model();
    assert_eq!(bar.n, model.n, "{name}");
    assert_eq!(bar.name, model.name, "{name}");
    assert_eq!((bar.dt, bar.kind, bar.table), (model.dt, model.kind, model.table), "{name}");
    assert!(bar.is_on, "{name}");
}

/// Checks the functions of all variants: against differences, and against each other.
macro_rules! check {
    ($($variant:ident)*) => {{
        let all = [$((stringify!($variant), gradients!($variant))),*];
        for (name, found) in &all {
            for (position, (a, b)) in found.iter().zip(&all[0].1).enumerate() {
                assert_close(&format!("{name} {position}"), a, b, 1e-12);
            }
        }
    }};
}

macro_rules! gradients {
    ($v:ident) => {{
        let (m, x) = (model(), [1.1, 0.2, -0.4]);
        let name = |function: &str| format!("{}::{function}", stringify!($v));
        let mut all = Vec::new();
        let mut check = |function: &str, found: Vec<f64>, expected: Vec<f64>| {
            assert_close(&name(function), &found, &expected, 2e-8);
            all.push(found);
        };

        let (value, (g, x_g)) = $v::fields::gradient(&m, &x);
        assert_eq!(value, $v::fields(&m, &x));
        assert_copied(&name("fields"), &g);
        check("fields", flat(&g), differences(&m, |m| $v::fields(m, &x)));
        check("fields by x", x_g, differences(&x, |x| $v::fields(&m, x)));

        let (value, (g, x_g)) = $v::asked::gradient(&m, 0.6);
        assert_eq!(value, $v::asked(&m, 0.6));
        assert_copied(&name("asked"), &g);
        check("asked", flat(&g), differences(&m, |m| $v::asked(m, 0.6)));
        check("asked by x", vec![x_g], differences(&[0.6], |x| $v::asked(&m, x[0])));
        let (_, g) = $v::asked_by_value::gradient(m.clone());
        check("asked_by_value", flat(&g), differences(&m, |m| $v::asked_by_value(m.clone())));

        let seed = weights(&m);
        let (mut after, mut bar) = (m.clone(), seed.clone());
        $v::updates::adjoint(&mut after, &mut bar, 0.3, 0.8);
        let mut other = m.clone();
        $v::updates(&mut other, 0.3);
        assert_eq!(after, other);
        assert_copied(&name("updates"), &bar);
        let weighted = |m: &Model| {
            let mut m = m.clone();
            0.8 * $v::updates(&mut m, 0.3) + m.inner(&seed)
        };
        check("updates", flat(&bar), differences(&m, weighted));

        let (_, g) = $v::by_value::gradient(m.clone());
        check("by_value", flat(&g), differences(&m, |m| $v::by_value(m.clone())));

        let (_, g) = $v::vectors::gradient(&m);
        assert_copied(&name("vectors"), &g);
        check("vectors", flat(&g), differences(&m, $v::vectors));

        let mut bar = m.zero_bar();
        let value = $v::two_steps::adjoint(&m, &mut bar, seed.clone());
        assert_eq!(value, $v::two_steps(&m));
        assert_copied(&name("two_steps"), &bar);
        check("two_steps", flat(&bar), differences(&m, |m| $v::two_steps(m).inner(&seed)));

        let b = bodies();
        let (_, g) = $v::energy::gradient(&b);
        check("energy", flat(&g), differences(&b, |b| $v::energy(b)));

        let seed = weights(&b);
        let (mut after, mut bar, mut dt_b) = (b.clone(), seed.clone(), 0.0);
        $v::drift::adjoint(&mut after, &mut bar, 0.2, &mut dt_b);
        let weighted = |b: &Vec<Body>, dt: f64| {
            let mut b = b.clone();
            $v::drift(&mut b, dt);
            b.inner(&seed)
        };
        check("drift", flat(&bar), differences(&b, |b| weighted(b, 0.2)));
        check("drift by dt", vec![dt_b], differences(&[0.2], |dt| weighted(&b, dt[0])));

        let (_, g) = $v::pattern::gradient(&m);
        check("pattern", flat(&g), differences(&m, $v::pattern));

        let seed = weights(&m);
        let (mut after, mut bar) = (m.clone(), seed.clone());
        $v::reborrowed::adjoint(&mut after, &mut bar, 1.0);
        let weighted = |m: &Model| {
            let mut m = m.clone();
            $v::reborrowed(&mut m) + m.inner(&seed)
        };
        check("reborrowed", flat(&bar), differences(&m, weighted));

        let p = Pair { a: 0.6, b: vec![1.2, -0.7] };
        let (_, g) = $v::generic::gradient(&p);
        check("generic", flat(&g), differences(&p, $v::generic));

        let s = Single { x: 0.75, y: 1.5 };
        let (_, g) = $v::narrow::gradient(s);
        let wide = |s: &[f64; 2]| {
            let (mut x, mut y) = (s[0] * s[1], 1.0);
            for _ in 0..3 {
                x = x * y + s[0];
                y *= x;
            }
            y
        };
        let expected = differences(&[0.75, 1.5], wide);
        assert_close(&name("narrow"), &flat(&g), &expected, 1e-5);

        let mut bar = m.zero_bar();
        $v::first_crossing::adjoint(&m, &mut bar, (Vec3(0.5, 2.0, -1.0), 0.7));
        let weighted = |m: &Model| {
            let (at, t) = $v::first_crossing(m);
            0.5 * at.0 + 2.0 * at.1 - at.2 + 0.7 * t
        };
        check("first_crossing", flat(&bar), differences(&m, weighted));
        all
    }};
}

#[test]
fn gradients_are_right_in_all_variants() {
    check!(optimised naive no_activity no_liveness no_tbr no_recompute no_simplify joint);
}

#[test]
fn a_struct_is_differentiated_like_a_slice() {
    let b = bodies();
    let (value, gradient) = optimised::energy::gradient(&b);
    let (same, by_slice) = energy_of_slice::gradient(&flat(&b));
    assert_eq!(value, same);
    assert_close("energy", &flat(&gradient), &by_slice, 1e-14);
}

/// `energy`, on mass, place and speed of one body after the other.
#[backsweep::adjoint]
fn energy_of_slice(b: &[f64]) -> f64 {
    let mut e = 0.0;
    for i in 0..b.len() / 7 {
        let own = &b[7 * i..7 * i + 7];
        e += 0.5 * own[0] * (own[4] * own[4] + own[5] * own[5] + own[6] * own[6]);
        for j in i + 1..b.len() / 7 {
            let other = &b[7 * j..7 * j + 7];
            let (x, y, z) = (own[1] - other[1], own[2] - other[2], own[3] - other[3]);
            e -= own[0] * other[0] / (x * x + y * y + z * z).sqrt();
        }
    }
    e
}

#[test]
fn every_entry_takes_structs() {
    let m = model();
    let (value, expected) = optimised::vectors::gradient(&m);
    let mut g = weights(&m);
    assert_eq!(optimised::vectors::gradient_into(&m, &mut g), value);
    assert_eq!(flat(&g), flat(&expected));
    let (_, pullback) = optimised::vectors::pullback(&m);
    let mut bar = m.zero_bar();
    pullback.call(&mut bar, 1.0);
    assert_eq!(bar, expected);
    let mut stack = backsweep::Stack::new();
    optimised::vectors::forward(&mut stack, &m);
    let mut bar = m.zero_bar();
    optimised::vectors::backward(&mut stack, &m, &mut bar, 1.0);
    assert_eq!(bar, expected);
    assert!(stack.is_empty());
}

#[test]
fn options_have_bars_of_their_kind() {
    let mut bar = model().zero_bar();
    assert_eq!(bar.extra, Some(0.0));
    bar.accumulate(&model());
    assert_eq!(bar.extra, Some(0.1));
}
