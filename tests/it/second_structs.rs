//! Second derivatives through structs, against hyper-dual numbers: structs as locals, arguments, results, receivers and independents. The
//! references are written out as formulas of the floats in order, without structs.

use crate::second_methods::{Entries, assert_is_hessian};
use backsweep::{Differentiable, Vector, adjoint};
use num_dual::{DualNum, HyperDual64};

/// The floats of a value, in order.
pub fn flat<V: Vector + ?Sized>(vector: &V) -> Vec<f64> {
    let mut flat = Vec::new();
    vector.write_flat(&mut flat);
    flat
}

/// A value with other floats.
pub fn filled<V: Vector + Clone>(shape: &V, floats: &[f64]) -> V {
    let mut value = shape.clone();
    assert!(value.read_flat(floats).is_empty());
    value
}

/// The entries of a function of values that have the floats of a template: how it is called with those, and with their directions. The
/// gradient comes with the value, which is that of the function to the last bit.
macro_rules! entries {
    ($f:ident, $template:expr, |$x:pat_param| ($($arg:expr),*), |$d:pat_param| ($($directed:expr),*)) => {
        entries!(
            [$f] [$f hessian hessian_diagonal hessian_vector gradient],
            $template, |$x| ($($arg),*), |$d| ($($directed),*)
        )
    };
    (
        [$primal:path] [$of:ident $hessian:ident $diagonal:ident $vector:ident $gradient:ident],
        $template:expr, |$x:pat_param| ($($arg:expr),*), |$d:pat_param| ($($directed:expr),*)
    ) => {
        Entries {
            hessian: &|x| {
                let $x = filled(&$template, x);
                $of::$hessian($($arg),*)
            },
            diagonal: &|x| {
                let $x = filled(&$template, x);
                $of::$diagonal($($arg),*)
            },
            vector: &|x, d| {
                let ($x, $d) = (filled(&$template, x), filled(&$template, d));
                let (value, gradient, product) = $of::$vector($($directed),*);
                (value, flat(&gradient), flat(&product))
            },
            gradient: &|x| {
                let $x = filled(&$template, x);
                let value = $primal($($arg),*);
                let $x = filled(&$template, x);
                let (again, gradient) = $of::$gradient($($arg),*);
                assert_eq!(value.to_bits(), again.to_bits());
                (value, flat(&gradient))
            },
        }
    };
}
pub(crate) use entries;

type Dual = HyperDual64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

/// Of these it is not said what they are differentiated with respect to: they are there for others.
#[adjoint(second_order)]
fn minus(a: &Vec3, b: &Vec3) -> Vec3 {
    Vec3 { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
}

#[adjoint(second_order)]
fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3 { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }
}

#[adjoint(second_order)]
fn dot(a: &Vec3, b: &Vec3) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[adjoint(second_order)]
fn towards(a: &Vec3, b: &Vec3, t: f64) -> Vec3 {
    let Vec3 { x, y, z } = minus(b, a);
    Vec3 { x: a.x + t * x, y: a.y + t * y, z: a.z + t * z }
}

fn minus_of(a: &[Dual], b: &[Dual]) -> [Dual; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross_of(a: [Dual; 3], b: [Dual; 3]) -> [Dual; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot_of(a: &[Dual], b: &[Dual]) -> Dual {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Structs as locals, arguments and results.
#[adjoint(second_order)]
fn triangle_area(p: &[f64]) -> f64 {
    let corner = Vec3 { x: p[0], y: p[1], z: p[2] };
    let second = Vec3 { x: p[3], y: p[4], ..corner };
    let mut third = corner;
    third.z = p[5] * p[3];
    let normal = cross(minus(&second, &corner), minus(&third, &corner));
    0.5 * dot(&normal, &normal).sqrt() + third.z
}

#[test]
fn structs_are_locals() {
    let entries = entries!(triangle_area, vec![0.0; 6], |p| (&p), |d| (&p, &d));
    assert_is_hessian(&entries, &[0.1, 0.2, 0.3, 1.1, 0.4, -0.2], |p| {
        let third = [p[0], p[1], p[5] * p[3]];
        let n = cross_of(minus_of(&[p[3], p[4], p[2]], p), minus_of(&third, p));
        dot_of(&n, &n).sqrt() * 0.5 + third[2]
    });
}

/// The angle between the planes of four points: a list of structs as the independent.
#[adjoint(independents(p), second_order)]
fn dihedral(p: &[Vec3]) -> f64 {
    let (a, b, c) = (minus(&p[1], &p[0]), minus(&p[2], &p[1]), minus(&p[3], &p[2]));
    let (left, right) = (cross(a, b), cross(b, c));
    let sine = dot(&b, &b).sqrt() * dot(&a, &right);
    sine.atan2(dot(&left, &right))
}

fn points() -> Vec<Vec3> {
    let point = |k: usize| {
        let t = k as f64;
        Vec3 { x: t.sin(), y: (1.7 * t).cos(), z: 0.3 * t * t }
    };
    (0..4).map(point).collect()
}

#[test]
fn lists_of_structs_are_independents() {
    let entries = entries!(dihedral, points(), |p| (&p), |d| (&p, &d));
    assert_is_hessian(&entries, &flat(&points()), |p| {
        let [a, b, c] = [0, 3, 6].map(|at| minus_of(&p[at + 3..], &p[at..]));
        let (left, right) = (cross_of(a, b), cross_of(b, c));
        (dot_of(&b, &b).sqrt() * dot_of(&a, &right)).atan2(dot_of(&left, &right))
    });
}

/// A point of a Bézier curve, by de Casteljau: a local list of structs that is overwritten.
#[adjoint(independents(control, t), second_order)]
fn bezier(control: &[Vec3], t: f64) -> f64 {
    let mut p: Vec<Vec3> = control.to_vec();
    for level in 1..p.len() {
        for i in 0..p.len() - level {
            p[i] = towards(&p[i], &p[i + 1], t);
        }
    }
    let end = p[0];
    end.x * end.y + end.z * end.z
}

#[test]
fn lists_of_structs_are_overwritten() {
    let template = (points(), 0.4);
    let entries = entries!(bezier, template, |(p, t)| (&p, t), |(d, t_d)| (&p, &d, t, t_d));
    assert_is_hessian(&entries, &flat(&template), |x| {
        let t = x[12];
        let mut p: Vec<[Dual; 3]> =
            (0..4).map(|i| [x[3 * i], x[3 * i + 1], x[3 * i + 2]]).collect();
        for level in 1..4 {
            for i in 0..4 - level {
                p[i] = std::array::from_fn(|c| p[i][c] + t * (p[i + 1][c] - p[i][c]));
            }
        }
        p[0][0] * p[0][1] + p[0][2] * p[0][2]
    });
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Body {
    mass: f64,
    at: Vec3,
    speed: Vec3,
}

/// Nested structs in a list, and a number.
#[adjoint(independents(bodies, g), second_order)]
fn energy(bodies: &[Body], g: f64) -> f64 {
    let mut e = 0.0;
    for (i, b) in bodies.iter().enumerate() {
        e += 0.5 * b.mass * dot(&b.speed, &b.speed);
        for other in &bodies[i + 1..] {
            let d = minus(&b.at, &other.at);
            e -= g * b.mass * other.mass / dot(&d, &d).sqrt();
        }
    }
    e
}

fn bodies() -> Vec<Body> {
    let body = |mass: f64, s: f64| Body {
        mass,
        at: Vec3 { x: s, y: 1.0 - s, z: s * s },
        speed: Vec3 { x: 0.5 * s, y: -s, z: 0.25 },
    };
    vec![body(1.5, 0.3), body(0.8, 1.9), body(1.1, -0.7)]
}

#[test]
fn nested_structs_are_independents() {
    let template = (bodies(), 1.3);
    let entries = entries!(energy, template, |(b, g)| (&b, g), |(d, g_d)| (&b, &d, g, g_d));
    assert_is_hessian(&entries, &flat(&template), |x| {
        let mut e = x[21] * 0.0;
        for i in 0..3 {
            let b = &x[7 * i..];
            e += b[0] * 0.5 * dot_of(&b[4..], &b[4..]);
            for other in (i + 1..3).map(|j| &x[7 * j..]) {
                let d = minus_of(&b[1..], &other[1..]);
                e -= x[21] * b[0] * other[0] / dot_of(&d, &d).sqrt();
            }
        }
        e
    });
}

/// Changes what it is given, and the list that it is in.
#[adjoint(second_order)]
fn kick(body: &mut Body, k: f64, dt: f64) {
    body.speed.x -= k * body.at.x * dt / body.mass;
    let Vec3 { x, .. } = body.speed;
    body.speed = Vec3 { y: body.speed.y * x, ..body.speed };
}

#[adjoint(independents(bodies, dt), dependents(bodies), second_order)]
fn drift(bodies: &mut [Body], dt: f64) {
    for b in bodies.iter_mut() {
        b.at.x += dt * b.speed.x * b.mass;
        b.at = Vec3 { x: b.at.x, y: b.at.y + dt * b.speed.y, z: b.at.z };
    }
}

#[adjoint(independents(start, k), second_order)]
fn leapfrog(start: Vec<Body>, k: f64, steps: usize) -> f64 {
    let mut bodies = start;
    for _ in 0..steps {
        for i in 0..bodies.len() {
            kick(&mut bodies[i], k, 0.1);
        }
        drift(&mut bodies, 0.1);
        if bodies[0].at.x > bodies[1].at.x {
            bodies.swap(0, 1);
        }
    }
    bodies[0].at.x * bodies[1].at.y + bodies[0].speed.x
}

#[test]
fn structs_are_changed_by_calls() {
    let template = (bodies()[..2].to_vec(), 1.3);
    let entries = entries!(leapfrog, template, |(b, k)| (b, k, 4), |(d, k_d)| (b, d, k, k_d, 4));
    assert_is_hessian(&entries, &flat(&template), |x| {
        let mut all: Vec<Vec<Dual>> = vec![x[..7].to_vec(), x[7..14].to_vec()];
        for _ in 0..4 {
            for b in &mut all {
                b[4] = b[4] - x[14] * b[1] * 0.1 / b[0];
                b[5] = b[5] * b[4];
            }
            for b in &mut all {
                b[1] = b[1] + b[4] * b[0] * 0.1;
                b[2] = b[2] + b[5] * 0.1;
            }
            if all[0][1].re > all[1][1].re {
                all.swap(0, 1);
            }
        }
        all[0][1] * all[1][2] + all[0][4]
    });
}

/// Tuple structs, and a loop that ends by their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Complex(f64, f64);

#[adjoint(second_order)]
fn times(a: Complex, b: Complex) -> Complex {
    Complex(a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

#[adjoint(independents(c), second_order)]
fn escape(c: Complex) -> f64 {
    let mut z = c;
    let mut turns = 0;
    while z.0 * z.0 + z.1 * z.1 < 16.0 && turns < 20 {
        let Complex(re, im) = times(z, z);
        z = Complex(re + c.0, im + c.1);
        turns += 1;
    }
    (z.0 * z.0 + z.1 * z.1).ln().ln() / turns as f64
}

#[test]
fn tuple_structs_in_loops_that_end_by_their_values() {
    let entries = entries!(escape, Complex::default(), |c| (c), |d| (c, d));
    assert_is_hessian(&entries, &[0.4, 0.6], |c| {
        let (mut z, mut turns) = ([c[0], c[1]], 0);
        while (z[0] * z[0] + z[1] * z[1]).re < 16.0 && turns < 20 {
            z = [z[0] * z[0] - z[1] * z[1] + c[0], z[0] * z[1] * 2.0 + c[1]];
            turns += 1;
        }
        (z[0] * z[0] + z[1] * z[1]).ln().ln() / turns as f64
    });
}

/// A ray and what refracts it: results that may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Ray {
    height: f64,
    slope: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
pub struct Surface {
    curvature: f64,
    index: f64,
    #[passive]
    distance: f64,
}

#[adjoint(second_order)]
fn refracted(ray: &Ray, surface: &Surface) -> Option<Ray> {
    let height = ray.height + ray.slope * surface.distance;
    let sine = height * surface.curvature + ray.slope;
    if sine.abs() > surface.index {
        return None;
    }
    Some(Ray { height, slope: (sine / surface.index).asin() - height * surface.curvature })
}

#[adjoint(independents(surfaces, ray), second_order)]
fn focus(surfaces: &[Surface], ray: Ray) -> Option<f64> {
    let mut ray = ray;
    for surface in surfaces {
        ray = refracted(&ray, surface)?;
    }
    Some(-ray.height / ray.slope)
}

fn lens() -> (Vec<Surface>, Ray) {
    let surface =
        |curvature: f64, index: f64, distance: f64| Surface { curvature, index, distance };
    (vec![surface(0.5, 1.5, 2.0), surface(-0.4, 0.7, 0.3)], Ray { height: 0.3, slope: 0.02 })
}

#[test]
fn results_that_may_be_missing() {
    let lens = lens();
    let there = "nothing is reflected";
    let split = |x: &[f64]| filled(&lens, x);
    let entries = Entries {
        hessian: &|x| focus::hessian(&split(x).0, split(x).1).expect(there),
        diagonal: &|x| focus::hessian_diagonal(&split(x).0, split(x).1).expect(there),
        vector: &|x, d| {
            let ((s, r), (s_d, r_d)) = (split(x), split(d));
            let (value, gradient, product) = focus::hessian_vector(&s, &s_d, r, r_d).expect(there);
            (value, flat(&gradient), flat(&product))
        },
        gradient: &|x| {
            let (value, gradient) = focus::gradient(&split(x).0, split(x).1).expect(there);
            (value, flat(&gradient))
        },
    };
    assert_is_hessian(&entries, &flat(&lens), |x| {
        let (mut height, mut slope) = (x[4], x[5]);
        for (surface, distance) in [(&x[..2], 2.0), (&x[2..4], 0.3)] {
            height += slope * distance;
            let bend = height * surface[0];
            slope = ((bend + slope) / surface[1]).asin() - bend;
        }
        -height / slope
    });
    assert_eq!(focus::hessian(&lens.0, Ray { height: 3.0, slope: 0.0 }), None);
}

/// A state in a loop with snapshots.
#[adjoint(second_order)]
fn swing(ray: &Ray, k: f64) -> Ray {
    Ray { height: ray.height + 0.1 * ray.slope * k, slope: ray.slope - 0.1 * ray.height.sin() * k }
}

#[adjoint(independents(start, k), second_order)]
fn pendulum(start: &Ray, k: f64, steps: usize) -> f64 {
    let mut state = *start;
    #[checkpoint(snapshots = 3)]
    for _ in 0..steps {
        state = swing(&state, k);
    }
    state.height * state.slope
}

/// The same with all states in a list that grows, and by recursion.
#[adjoint(independents(start, k), second_order)]
fn listed(start: &Ray, k: f64, steps: usize) -> f64 {
    let mut states: Vec<Ray> = vec![*start];
    for i in 0..steps {
        let last = states[i];
        states.push(swing(&last, k));
    }
    let last = states[steps];
    last.height * last.slope
}

#[adjoint(independents(start, k), second_order)]
fn recursive(start: Ray, k: f64, steps: usize) -> f64 {
    if steps == 0 {
        return start.height * start.slope;
    }
    recursive(swing(&start, k), k, steps - 1)
}

#[test]
fn states_with_snapshots_in_lists_and_by_recursion() {
    let template = (Ray { height: 0.6, slope: 0.9 }, 1.4);
    let reference = |x: &[Dual]| {
        let (mut a, mut b) = (x[0], x[1]);
        for _ in 0..7 {
            (a, b) = (a + b * x[2] * 0.1, b - a.sin() * x[2] * 0.1);
        }
        a * b
    };
    let by_reference = |name: &str, entries: &Entries<'_>| {
        println!("{name}");
        assert_is_hessian(entries, &flat(&template), reference);
    };
    let entries = entries!(pendulum, template, |(s, k)| (&s, k, 7), |(d, k_d)| (&s, &d, k, k_d, 7));
    by_reference("snapshots", &entries);
    let entries = entries!(listed, template, |(s, k)| (&s, k, 7), |(d, k_d)| (&s, &d, k, k_d, 7));
    by_reference("a list", &entries);
    let entries = entries!(recursive, template, |(s, k)| (s, k, 7), |(d, k_d)| (s, d, k, k_d, 7));
    by_reference("recursion", &entries);
}
