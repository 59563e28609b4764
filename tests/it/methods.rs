//! Methods, `impl` blocks and operators of user types: gradients against differences, and everything with
//! the optimisations on and off, with calls that store and that compute again.

use backsweep::{Differentiable, Stack};

/// The programs, with options that all of them get.
macro_rules! programs {
    ($name:ident $(, $option:meta)*) => {
        #[allow(dead_code, reason = "not all entries are called")]
        mod $name {
            use backsweep::{Differentiable, adjoint};
            use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

            #[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
            pub struct Vec3 {
                pub x: f64,
                pub y: f64,
                pub z: f64,
            }

            #[adjoint($($option),*)]
            impl Add for Vec3 {
                type Output = Vec3;
                fn add(self, o: Vec3) -> Vec3 {
                    Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
                }
            }

            #[adjoint($($option),*)]
            impl Sub for Vec3 {
                type Output = Self;
                fn sub(self, o: Self) -> Self {
                    Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
                }
            }

            #[adjoint($($option),*)]
            impl Neg for Vec3 {
                type Output = Self;
                fn neg(self) -> Self::Output {
                    Self::new(-self.x, -self.y, -self.z)
                }
            }

            #[adjoint($($option),*)]
            impl Mul<f64> for Vec3 {
                type Output = Self;
                fn mul(self, k: f64) -> Self {
                    Self::new(self.x * k, self.y * k, self.z * k)
                }
            }

            #[adjoint($($option),*)]
            impl Mul<Vec3> for f64 {
                type Output = Vec3;
                fn mul(self, v: Vec3) -> Vec3 {
                    v * self
                }
            }

            #[adjoint($($option),*)]
            impl Div<f64> for Vec3 {
                type Output = Self;
                fn div(self, k: f64) -> Self {
                    Self::new(self.x / k, self.y / k, self.z / k)
                }
            }

            #[adjoint($($option),*)]
            impl AddAssign for Vec3 {
                fn add_assign(&mut self, o: Self) {
                    self.x += o.x;
                    self.y += o.y;
                    self.z += o.z;
                }
            }

            #[adjoint($($option),*)]
            impl SubAssign for Vec3 {
                fn sub_assign(&mut self, o: Self) {
                    *self = *self - o;
                }
            }

            #[adjoint($($option),*)]
            impl MulAssign<f64> for Vec3 {
                fn mul_assign(&mut self, k: f64) {
                    self.x *= k;
                    self.y *= k;
                    self.z *= k;
                }
            }

            #[adjoint($($option),*)]
            impl Vec3 {
                pub const fn zero() -> Self {
                    Self { x: 0.0, y: 0.0, z: 0.0 }
                }

                #[adjoint]
                pub fn new(x: f64, y: f64, z: f64) -> Self {
                    Self { x, y, z }
                }

                #[adjoint]
                pub fn dot(self, o: Self) -> f64 {
                    self.x * o.x + self.y * o.y + self.z * o.z
                }

                #[adjoint]
                pub fn cross(self, o: Self) -> Self {
                    Self::new(
                        self.y * o.z - self.z * o.y,
                        self.z * o.x - self.x * o.z,
                        self.x * o.y - self.y * o.x,
                    )
                }

                #[adjoint]
                pub fn norm(&self) -> f64 {
                    self.dot(*self).sqrt()
                }

                #[adjoint]
                pub fn normalize(&mut self) -> f64 {
                    let length = self.norm();
                    *self = *self / length;
                    length
                }
            }

            /// A rotation.
            #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
            pub struct Quaternion {
                w: f64,
                v: Vec3,
            }

            #[adjoint($($option),*)]
            impl Mul for Quaternion {
                type Output = Quaternion;
                fn mul(self, o: Quaternion) -> Quaternion {
                    let (a, b): (Vec3, Vec3) = (self.v, o.v);
                    let v: Vec3 = a * o.w + b * self.w;
                    Quaternion { w: self.w * o.w - a.dot(b), v: v + a.cross(b) }
                }
            }

            #[adjoint($($option),*)]
            impl Quaternion {
                pub fn about(axis: Vec3, angle: f64) -> Self {
                    let (s, c) = (0.5 * angle).sin_cos();
                    let unit: Vec3 = axis / axis.norm();
                    Quaternion { w: c, v: unit * s }
                }

                pub fn conjugate(&self) -> Self {
                    let v: Vec3 = self.v;
                    Self { w: self.w, v: -v }
                }

                pub fn rotate(&self, p: Vec3) -> Vec3 {
                    let q: Quaternion = *self * Quaternion { w: 0.0, v: p };
                    let back: Quaternion = q * self.conjugate();
                    back.v
                }
            }

            #[adjoint($($option),*)]
            pub fn rotated(p: &[f64]) -> f64 {
                let axis = Vec3::new(p[0], p[1], 1.0);
                let q = Quaternion::about(axis, p[2]);
                let r: Quaternion = q * Quaternion::about(Vec3::new(0.3, p[0] * p[1], p[2]), p[1]);
                let mut total = Vec3::new(0.0, 0.0, 0.0);
                for k in 0..3 {
                    let point = Vec3::new(p[k], 1.0, k as f64);
                    let turned: Vec3 = r.rotate(point);
                    total += turned * (1.0 + p[k]);
                    total -= 0.5 * axis;
                    total *= 0.9;
                }
                let length = Vec3::normalize(&mut total);
                length + total.dot(axis) + total.x * total.y
            }

            /// A body between two springs.
            #[derive(Clone, Debug, PartialEq, Differentiable)]
            pub struct Chain {
                springs: Vec<Spring>,
                at: Vec<f64>,
                speed: Vec<f64>,
                #[passive]
                steps: usize,
            }

            #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
            pub struct Spring {
                k: f64,
                rest: f64,
            }

            impl Spring {
                #[adjoint(independents(self, length), dependents(return) $(, $option)*)]
                fn force(&self, length: f64) -> f64 {
                    let stretch = length - self.rest;
                    self.k * stretch * (1.0 + Self::HARDENING * stretch * stretch)
                }

                const HARDENING: f64 = 0.3;
            }

            #[adjoint($($option),*)]
            impl Chain {
                const DAMPING: f64 = 0.05;

                pub fn with(stiffness: f64, rest: f64) -> Self {
                    let first = Spring { k: stiffness, rest };
                    let second = Spring { k: stiffness * 0.5, rest: rest * rest };
                    Self {
                        springs: vec![first, second, first],
                        at: vec![0.5, 1.2],
                        speed: vec![0.0; 2],
                        steps: 5,
                    }
                }

                fn energy(&self) -> f64 {
                    let mut e = 0.0;
                    for i in 0..self.speed.len() {
                        e += 0.5 * self.speed[i] * self.speed[i];
                        e += self.springs[i].force(self.at[i]) * self.at[i];
                    }
                    e
                }

                fn damped(speed: f64) -> f64 {
                    speed * (1.0 - Self::DAMPING * speed.abs())
                }

                fn step(&mut self, dt: f64) {
                    for i in 0..self.at.len() {
                        let left = if i == 0 { 0.0 } else { self.at[i - 1] };
                        let pull = self.springs[i].force(self.at[i] - left);
                        self.speed[i] = Self::damped(self.speed[i] - dt * pull);
                    }
                    for i in 0..self.at.len() {
                        self.at[i] += dt * self.speed[i];
                    }
                }

                fn run(&mut self, dt: f64) -> f64 {
                    let mut mean = 0.0;
                    for _ in 0..self.steps {
                        self.step(dt);
                        mean += self.energy();
                    }
                    mean / self.steps as f64
                }
            }

            #[adjoint($($option),*)]
            pub fn chain(p: &[f64]) -> f64 {
                let mut chain = Chain::with(p[0], p[1]);
                let mean = Chain::run(&mut chain, 0.1 * p[2]);
                chain.step(0.1);
                mean * chain.energy() + p[0]
            }

            /// A natural cubic spline.
            #[derive(Clone, Debug, PartialEq, Differentiable)]
            pub struct Spline {
                x: Vec<f64>,
                y: Vec<f64>,
                curvature: Vec<f64>,
            }

            #[adjoint($($option),*)]
            impl Spline {
                pub fn through(x: &[f64], y: &[f64]) -> Self {
                    let n = x.len();
                    let mut curvature = vec![0.0; n];
                    let mut u = vec![0.0; n];
                    for i in 1..n - 1 {
                        let sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
                        let p = sig * curvature[i - 1] + 2.0;
                        curvature[i] = (sig - 1.0) / p;
                        let slope = (y[i + 1] - y[i]) / (x[i + 1] - x[i])
                            - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
                        u[i] = (6.0 * slope / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p;
                    }
                    for k in (0..n - 1).rev() {
                        curvature[k] = curvature[k] * curvature[k + 1] + u[k];
                    }
                    Self { x: x.to_vec(), y: y.to_vec(), curvature }
                }

                pub fn eval(&self, t: f64) -> f64 {
                    let mut i: usize = 0;
                    while i + 2 < self.x.len() && t > self.x[i + 1] {
                        i += 1;
                    }
                    let h = self.x[i + 1] - self.x[i];
                    let a = (self.x[i + 1] - t) / h;
                    let b = (t - self.x[i]) / h;
                    a * self.y[i]
                        + b * self.y[i + 1]
                        + ((a * a * a - a) * self.curvature[i]
                            + (b * b * b - b) * self.curvature[i + 1])
                            * h * h / 6.0
                }
            }

            #[adjoint($($option),*)]
            pub fn spline(p: &[f64]) -> f64 {
                let x = [0.0, 0.8 + 0.1 * p[0], 2.0, 3.1];
                let y = [p[0], p[1] * p[2], p[1], p[2]];
                let s = Spline::through(&x, &y);
                s.eval(p[0]) + s.eval(1.7) * s.eval(2.2 + p[2])
            }

            /// A European option.
            #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
            pub struct BlackScholes {
                pub spot: f64,
                pub strike: f64,
                pub rate: f64,
                pub volatility: f64,
                pub expiry: f64,
            }

            #[adjoint($($option),*)]
            impl BlackScholes {
                fn normal(x: f64) -> f64 {
                    0.5 * (1.0 + (0.797_884_560_8 * (x + 0.044_715 * x * x * x)).tanh())
                }

                fn d1(&self) -> f64 {
                    let variance = self.volatility * self.volatility;
                    ((self.spot / self.strike).ln() + (self.rate + 0.5 * variance) * self.expiry)
                        / (self.volatility * self.expiry.sqrt())
                }

                fn discount(&self) -> f64 {
                    (-self.rate * self.expiry).exp()
                }

                pub fn call(&self) -> f64 {
                    let d1 = self.d1();
                    let d2 = d1 - self.volatility * self.expiry.sqrt();
                    self.spot * Self::normal(d1) - self.strike * self.discount() * Self::normal(d2)
                }

                pub fn put(&self) -> f64 {
                    self.call() - self.spot + self.strike * self.discount()
                }
            }

            #[adjoint($($option),*)]
            pub fn straddle(p: &[f64]) -> f64 {
                let option = BlackScholes {
                    spot: 1.0 + p[0],
                    strike: 1.1,
                    rate: 0.02 * p[1],
                    volatility: 0.2 + 0.1 * p[2],
                    expiry: 1.5,
                };
                let mut later = option;
                later.expiry = 1.0 + p[0] * p[0];
                option.call() + option.put() * later.call()
            }

            /// Newton's method for Kepler's equation.
            #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
            pub struct Orbit {
                eccentricity: f64,
                axis: f64,
                #[passive]
                tolerance: f64,
            }

            #[adjoint($($option),*)]
            impl Orbit {
                fn residual(&self, anomaly: f64, mean: f64) -> f64 {
                    anomaly - self.eccentricity * anomaly.sin() - mean
                }

                fn slope(self, anomaly: f64) -> f64 {
                    1.0 - self.eccentricity * anomaly.cos()
                }

                pub fn anomaly(&self, mean: f64) -> f64 {
                    let mut e = mean;
                    for _ in 0..20 {
                        let step = self.residual(e, mean) / self.slope(e);
                        e -= step;
                        if step.abs() < self.tolerance {
                            break;
                        }
                    }
                    e
                }

                pub fn radius(&self, mean: f64) -> f64 {
                    let e = self.anomaly(mean);
                    self.axis * self.slope(e)
                }
            }

            #[adjoint($($option),*)]
            pub fn kepler(p: &[f64]) -> f64 {
                let orbit =
                    Orbit { eccentricity: 0.3 + 0.2 * p[0], axis: 1.0 + p[1], tolerance: 1e-14 };
                let mut s = 0.0;
                for k in 1..4 {
                    s += orbit.radius(p[2] * k as f64);
                }
                s * orbit.anomaly(0.4)
            }

            /// A layer that remembers its input.
            #[derive(Clone, Debug, PartialEq, Differentiable)]
            pub struct Layer {
                weights: Vec<f64>,
                bias: f64,
                cache: Vec<f64>,
                #[passive]
                width: usize,
            }

            #[derive(Clone, Debug, PartialEq, Differentiable)]
            pub struct Network {
                hidden: Layer,
                output: Layer,
            }

            #[adjoint($($option),*)]
            impl Layer {
                pub fn forward(&mut self, input: &[f64]) -> f64 {
                    let mut s = self.bias;
                    for i in 0..self.width {
                        s += self.weights[i] * input[i];
                        self.cache[i] = input[i] * s;
                    }
                    s.tanh()
                }

                pub fn remembered(&self) -> f64 {
                    let mut s = 0.0;
                    for i in 0..self.width {
                        s += self.cache[i] * self.cache[i];
                    }
                    s
                }
            }

            #[adjoint($($option),*)]
            impl Network {
                pub fn loss(&mut self, x: &[f64], target: f64) -> f64 {
                    let a = Layer::forward(&mut self.hidden, x);
                    let b = Layer::forward(&mut self.hidden, &[a, x[0], x[1]]);
                    let y = Layer::forward(&mut self.output, &[a, b, 1.0]);
                    let error = y - target;
                    error * error + 0.01 * self.hidden.remembered() + 0.1 * self.output.remembered()
                }
            }

            #[adjoint($($option),*)]
            pub fn network(p: &[f64]) -> f64 {
                let layer = |w: f64| w;
                let mut net = Network {
                    hidden: Layer {
                        weights: vec![p[0], p[1], layer(0.3)],
                        bias: 0.1,
                        cache: vec![0.0; 3],
                        width: 3,
                    },
                    output: Layer {
                        weights: vec![p[2], 0.5, p[0] * p[1]],
                        bias: p[2],
                        cache: vec![0.0; 3],
                        width: 3,
                    },
                };
                let first = Network::loss_of(&mut net, p, 0.3);
                first + Network::loss(&mut net, &[0.2, p[1], p[2]], p[0])
            }

            trait Loss {
                fn loss_of(&mut self, x: &[f64], target: f64) -> f64;
            }

            #[adjoint($($option),*)]
            impl Loss for Network {
                fn loss_of(&mut self, x: &[f64], target: f64) -> f64 {
                    let loss = Network::loss(self, x, target);
                    self.output.bias *= loss;
                    loss
                }
            }

            /// Two by two.
            #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
            pub struct Matrix(pub [f64; 4]);

            #[adjoint($($option),*)]
            impl Mul for Matrix {
                type Output = Matrix;
                fn mul(self, b: Matrix) -> Matrix {
                    let (a, b) = (self.0, b.0);
                    Matrix([
                        a[0] * b[0] + a[1] * b[2],
                        a[0] * b[1] + a[1] * b[3],
                        a[2] * b[0] + a[3] * b[2],
                        a[2] * b[1] + a[3] * b[3],
                    ])
                }
            }

            #[adjoint($($option),*)]
            impl AddAssign for Matrix {
                fn add_assign(&mut self, b: Matrix) {
                    for k in 0..4 {
                        self.0[k] += b.0[k];
                    }
                }
            }

            #[adjoint($($option),*)]
            pub fn product(a: Matrix, b: Matrix) -> f64 {
                let c = a * b;
                c.0[0] + c.0[3]
            }

            #[adjoint(independents(a, b), dependents(return) $(, $option)*)]
            pub fn matrices(a: Matrix, b: Matrix) -> f64 {
                let c = a * b;
                c.0[0] + c.0[3]
            }

            #[adjoint($($option),*)]
            pub fn powers(p: &[f64]) -> f64 {
                let m = Matrix([p[0], 0.2, p[1], p[2]]);
                let mut sum = Matrix([1.0, 0.0, 0.0, 1.0]);
                let mut power = m;
                for _ in 0..3 {
                    sum += power;
                    power = power * m;
                }
                product(sum, power) + sum.0[1]
            }

            /// A generic type.
            #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
            pub struct Complex<T> {
                re: T,
                im: T,
            }

            #[adjoint($($option),*)]
            impl<T: num_traits::Float> Mul for Complex<T> {
                type Output = Complex<T>;
                fn mul(self, o: Complex<T>) -> Complex<T> {
                    Complex {
                        re: self.re * o.re - self.im * o.im,
                        im: self.re * o.im + self.im * o.re,
                    }
                }
            }

            #[adjoint($($option),*)]
            impl<T: num_traits::Float> Complex<T> {
                pub fn polar(r: T, angle: T) -> Self {
                    Self { re: r * angle.cos(), im: r * angle.sin() }
                }

                pub fn norm(&self) -> T {
                    self.re.hypot(self.im)
                }
            }

            #[adjoint($($option),*)]
            pub fn complex(p: &[f64]) -> f64 {
                let a = Complex::polar(1.0 + p[0], p[1]);
                let b: Complex<f64> = a * Complex { re: p[2], im: 0.5 };
                let mut z: Complex<f64> = b;
                for _ in 0..3 {
                    z = z * b;
                }
                z.norm() + z.re * b.im
            }

            // Each type is told by the one before: shown in full, what is stored of the last would be of 2¹² operands.
            #[adjoint($($option),*)]
            pub fn squared(p: &[f64]) -> f64 {
                let mut total = 0.0;
                for k in 0..2 {
                    let a = Complex { re: 0.9 + 0.1 * p[k].sin(), im: 0.05 * p[k + 1] };
                    let b = a * a;
                    let c = b * b;
                    let d = c * c;
                    let e = d * d;
                    let f = e * d;
                    let g = f * f;
                    let h = g * a;
                    let i = h * h;
                    let j = i * b;
                    let k = j * i;
                    let l = k * j;
                    let m: Complex<f64> = l * a;
                    total += m.re + m.im * m.im;
                }
                total
            }
        }
    };
}

programs!(optimised);
programs!(naive, no(all));
programs!(joint, mode = "joint");

type Function = fn(&[f64]) -> f64;
type Gradient = fn(&[f64]) -> (f64, Vec<f64>);

/// The gradients of one program in all variants, and the program.
macro_rules! variants {
    ($($function:ident),*) => {
        [$((
            stringify!($function),
            optimised::$function as Function,
            [
                optimised::$function::gradient as Gradient,
                naive::$function::gradient,
                joint::$function::gradient,
            ],
        )),*]
    };
}

#[test]
fn gradients_are_those_of_differences() {
    let programs =
        variants!(rotated, chain, spline, straddle, kepler, network, powers, complex, squared);
    let points = [[0.7, 0.4, 1.1], [0.3, 0.9, 0.6], [1.2, 0.2, 0.8]];
    for (name, function, gradients) in programs {
        for p in points {
            let differences: Vec<f64> = (0..3)
                .map(|i| {
                    let at = |h: f64| {
                        let mut q = p;
                        q[i] += h;
                        function(&q)
                    };
                    let difference = |h: f64| (at(h) - at(-h)) / (2.0 * h);
                    (4.0 * difference(1e-4) - difference(2e-4)) / 3.0
                })
                .collect();
            let mut first: Option<Vec<f64>> = None;
            for gradient in gradients {
                let (value, found) = gradient(&p);
                assert_eq!(value.to_bits(), function(&p).to_bits(), "{name}");
                for (found, expected) in found.iter().zip(&differences) {
                    let error = (found - expected).abs();
                    assert!(error < 1e-8 * (1.0 + expected.abs()), "{name}: {found} {expected}");
                    assert!(*expected != 0.0, "{name} does not depend on all of its input");
                }
                let known = first.get_or_insert_with(|| found.clone());
                for (a, b) in known.iter().zip(&found) {
                    assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{name}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn products_of_matrices_are_no_products_of_elements() {
    use optimised::{Matrix, matrices};
    let (a, b) = (Matrix([1.0, 2.0, 3.0, 4.0]), Matrix([5.0, 6.0, 7.0, 8.0]));
    let (value, (a_b, b_b)) = matrices::gradient(a, b);
    assert_eq!(value, matrices(a, b));
    // The seed of the product is the identity.
    assert_eq!(a_b, Matrix([5.0, 7.0, 6.0, 8.0]));
    assert_eq!(b_b, Matrix([1.0, 3.0, 2.0, 4.0]));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Gauge {
    k: f64,
    w: Vec<f64>,
}

impl Gauge {
    #[backsweep::adjoint(independents(self, x))]
    fn energy(&self, x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += self.w[i] * x[i] * self.k;
        }
        s
    }

    #[backsweep::adjoint(independents(x), name = "wrt_x")]
    #[backsweep::adjoint(independents(self), dependents(self, return))]
    fn step(&mut self, x: f64) -> f64 {
        self.k *= x;
        self.w[0] += self.k;
        self.w[0] * x
    }

    #[backsweep::adjoint(independents(self))]
    fn total(self) -> f64 {
        self.k * self.w[1]
    }
}

#[test]
fn entries_stand_beside_the_method() {
    let gauge = Gauge { k: 2.0, w: vec![3.0, 5.0] };
    let x = [0.5, 0.25];
    let bar = Gauge { k: 2.75, w: vec![1.0, 0.5] };
    assert_eq!(gauge.energy_gradient(&x), (5.5, (bar.clone(), vec![6.0, 10.0])));

    let (mut gauge_b, mut x_b) = (gauge.zero_bar(), [0.0; 2]);
    assert_eq!(gauge.energy_adjoint(&mut gauge_b, &x, &mut x_b, 1.0), 5.5);
    gauge.energy_adjoint_only(&mut gauge_b, &x, &mut x_b, 1.0);
    assert_eq!((gauge_b.k, x_b), (5.5, [12.0, 20.0]));
    let (mut gauge_g, mut x_g) = (gauge_b.clone(), [1.0; 2]);
    assert_eq!(gauge.energy_gradient_into(&mut gauge_g, &x, &mut x_g), 5.5);
    assert_eq!((&gauge_g, x_g), (&bar, [6.0, 10.0]));

    let mut stack = Stack::new();
    assert_eq!(gauge.energy_forward(&mut stack, &x), 5.5);
    gauge.energy_backward(&mut stack, &mut gauge_b, &x, &mut x_b, -2.0);
    assert_eq!((gauge_b.k, x_b), (0.0, [0.0, 0.0]));
    assert!(stack.is_empty());
    assert_eq!(gauge.energy_gradient_with(&mut stack, &x).1.1, [6.0, 10.0]);

    let (value, pullback) = gauge.energy_pullback(&x);
    pullback.call(&mut gauge_b, &mut x_b, 1.0);
    assert_eq!((value, gauge_b, x_b), (5.5, bar, [6.0, 10.0]));
    assert_eq!(gauge.total_gradient().1, Gauge { k: 5.0, w: vec![0.0, 2.0] });
}

#[test]
fn a_receiver_that_is_changed_has_its_bar_in_and_out() {
    let start = Gauge { k: 2.0, w: vec![3.0, 5.0] };
    let mut gauge = start.clone();
    let mut bar = Gauge { k: 1.0, w: vec![0.0, 7.0] };
    // step: k' = k x, w' = w + k x, value = (w + k x) x.
    assert_eq!(gauge.step_adjoint(&mut bar, 0.5, 2.0), 2.0);
    assert_eq!(gauge, Gauge { k: 1.0, w: vec![4.0, 5.0] });
    assert_eq!(bar, Gauge { k: 0.5 + 0.5, w: vec![1.0, 7.0] });

    let mut stack = Stack::new();
    let mut again = start.clone();
    let mut bar = Gauge { k: 1.0, w: vec![0.0, 7.0] };
    again.step_forward(&mut stack, 0.5);
    again.k = f64::NAN;
    Gauge::step_backward(&mut stack, &mut bar, 0.5, 2.0);
    assert_eq!(bar, Gauge { k: 1.0, w: vec![1.0, 7.0] });

    let (value, slope) = start.clone().wrt_x_gradient(0.5);
    assert_eq!((value, slope), (2.0, 3.0 + 2.0 * 2.0 * 0.5));
}
