//! Structs with type parameters in fields of others, which the files of the crate tell, and numbers of traits whose types nothing tells but
//! what takes them.

use backsweep::{Differentiable, adjoint};
use num_traits::{Float, One, Zero};
use std::marker::PhantomData;
use std::ops::{Add, Mul, Sub};

/// A unit.
struct Meters;

#[derive(Differentiable)]
struct Vector<T, U> {
    x: T,
    y: T,
    unit: PhantomData<U>,
}

#[derive(Differentiable)]
struct Point<T, U> {
    x: T,
    y: T,
    unit: PhantomData<U>,
}

/// Two points.
#[derive(Differentiable)]
struct Area<T, U> {
    low: Point<T, U>,
    high: Point<T, U>,
}

macro_rules! copied {
    ($($name:ident)*) => {
        $(
            impl<T: Copy, U> Copy for $name<T, U> {}
            impl<T: Copy, U> Clone for $name<T, U> {
                fn clone(&self) -> Self {
                    *self
                }
            }
        )*
    };
}

copied!(Vector Point Area);

#[adjoint]
fn vector<T, U>(x: T, y: T) -> Vector<T, U> {
    Vector { x, y, unit: PhantomData }
}

#[adjoint]
impl<T, U> Point<T, U> {
    fn new(x: T, y: T) -> Self {
        Point { x, y, unit: PhantomData }
    }
}

#[adjoint]
impl<T: Sub, U> Sub for Point<T, U> {
    type Output = Vector<T::Output, U>;
    fn sub(self, other: Self) -> Self::Output {
        Vector { x: self.x - other.x, y: self.y - other.y, unit: PhantomData }
    }
}

#[adjoint]
impl<T: Add, U> Add<Vector<T, U>> for Point<T, U> {
    type Output = Point<T::Output, U>;
    fn add(self, other: Vector<T, U>) -> Self::Output {
        Point { x: self.x + other.x, y: self.y + other.y, unit: PhantomData }
    }
}

#[adjoint]
impl<T, U> Vector<T, U>
where
    T: Copy + Add<T, Output = T> + Mul<T, Output = T>,
{
    #[adjoint(independents(self))]
    fn area(self) -> T {
        self.x * self.y + self.x
    }
}

#[adjoint]
impl<T, U> Area<T, U>
where
    T: Copy + Sub<T, Output = T> + Add<T, Output = T> + Mul<T, Output = T>,
{
    #[adjoint(independents(self))]
    fn size(&self) -> T {
        (self.high - self.low).area()
    }

    #[adjoint(independents(self, by))]
    fn inner(&self, by: T) -> Self {
        Area { low: self.low + vector(by, by * by), high: self.high + vector(by, by * by * by) }
    }

    #[adjoint(independents(self, by))]
    fn size_of_inner(&self, by: T) -> T {
        let inner = self.inner(by);
        (inner.high - self.low).area() * self.low.x
    }
}

/// Its zero and its one are told by what takes them.
#[adjoint]
impl<T: Float, U> Area<T, U> {
    #[adjoint(independents(width))]
    fn with_width(width: T) -> Self {
        let zero = Zero::zero();
        let one = One::one();
        Area { low: Point::new(zero, -width), high: Point::new(width * width, one) }
    }

    #[adjoint(independents(width))]
    fn size_with_width(width: T) -> T {
        let area: Self = Self::with_width(width);
        (area.high - area.low).area()
    }
}

#[adjoint]
fn larger<T: Float>(x: T, y: T) -> T {
    x.max(y) * x
}

#[adjoint]
fn above_zero<T: Float>(x: &[T]) -> T {
    let zero = Zero::zero();
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum = sum + larger(x[i], zero);
    }
    sum + larger(One::one(), x[0])
}

fn area(v: [f64; 4]) -> Area<f64, Meters> {
    Area { low: Point::new(v[0], v[1]), high: Point::new(v[2], v[3]) }
}

fn of_area(a: &Area<f64, Meters>) -> [f64; 4] {
    [a.low.x, a.low.y, a.high.x, a.high.y]
}

/// A gradient against central differences.
fn assert_close<const N: usize>(gradient: [f64; N], at: [f64; N], of: impl Fn([f64; N]) -> f64) {
    let step = 4e-6;
    for k in 0..N {
        let moved = |by: f64| {
            let mut at = at;
            at[k] += by;
            of(at)
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        let error = (gradient[k] - difference).abs();
        assert!(error < 2e-9 * difference.abs().max(1.0), "{k}: {} {difference}", gradient[k]);
    }
}

#[test]
fn operators_on_structs_in_fields() {
    let at = [0.4, -0.7, 1.9, 2.3];
    let of = |v: [f64; 4]| (v[2] - v[0]) * (v[3] - v[1]) + (v[2] - v[0]);
    let (value, gradient) = area(at).size_gradient();
    assert_eq!(value, of(at));
    assert_close(of_area(&gradient), at, of);

    let at = [0.4, -0.7, 1.9, 2.3, 0.3];
    let of = |v: [f64; 5]| {
        let (x, y) = (v[2] + v[4] - v[0], v[3] + v[4] * v[4] * v[4] - v[1]);
        (x * y + x) * v[0]
    };
    let (value, (of_self, of_by)) =
        area([at[0], at[1], at[2], at[3]]).size_of_inner_gradient(at[4]);
    assert!((value - of(at)).abs() < 1e-15);
    let [a, b, c, d] = of_area(&of_self);
    assert_close([a, b, c, d, of_by], at, of);
}

#[test]
fn numbers_that_their_takers_tell() {
    let of = |[w]: [f64; 1]| w * w * (1.0 + w) + w * w;
    let (value, derivative) = Area::<f64, Meters>::size_with_width_gradient(0.7);
    assert!((value - of([0.7])).abs() < 1e-15);
    assert_close([derivative], [0.7], of);

    let of = |x: [f64; 2]| x.iter().map(|x| x.max(0.0) * x).sum::<f64>() + 1.0_f64.max(x[0]);
    for at in [[0.4, -1.2], [1.7, 0.3]] {
        let (value, gradient) = above_zero::gradient(&at);
        assert_eq!(value, of(at));
        assert_close([gradient[0], gradient[1]], at, of);
    }
}

/// Its parts are `T`s, so it is none.
#[adjoint]
impl<T, U> Mul<T> for Vector<T, U>
where
    T: Copy + Mul<T, Output = T>,
{
    type Output = Vector<T, U>;
    fn mul(self, by: T) -> Self {
        vector(self.x * by, self.y * by)
    }
}

#[adjoint]
impl<T: Float, U> Vector<T, U> {
    #[adjoint(independents(self, other))]
    fn turned(self, other: Self) -> Self {
        vector(self.x * other.y, self.y * other.x)
    }

    #[adjoint(independents(self, other))]
    fn twisted(self, other: Self) -> T {
        let two = T::one() + T::one();
        let turned = self.turned(other) * two;
        self.x + self.y * turned.x - other.x * turned.y
    }
}

/// What a function of another type parameter returns is an operand by reference.
#[adjoint]
fn root<T: Float>(x: T) -> T {
    x.sqrt() * T::from(0.1).unwrap()
}

#[allow(
    clippy::op_ref,
    clippy::multiple_bound_locations,
    reason = "generic numerical code is written so"
)]
#[adjoint]
fn by_root<T: Float>(chroma: T, lightness: T) -> T
where
    for<'a> T: std::ops::Div<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    let root = root(lightness);
    let ratio = chroma / &root;
    ratio * &chroma
}

#[test]
fn what_has_parts_is_no_number() {
    let at = [0.4, -0.7, 1.9, 2.3];
    let of = |[a, b, c, d]: [f64; 4]| a + b * (a * d * 2.0) - c * (b * c * 2.0);
    let vector = |x: f64, y: f64| -> Vector<f64, Meters> { vector(x, y) };
    let (value, (v, w)) = vector(at[0], at[1]).twisted_gradient(vector(at[2], at[3]));
    assert!((value - of(at)).abs() < 1e-15);
    assert_close([v.x, v.y, w.x, w.y], at, of);
}

#[test]
fn references_to_type_parameters_that_are_floats() {
    let of = |[c, l]: [f64; 2]| c * c / (l.sqrt() * 0.1);
    let (value, (of_chroma, of_lightness)) = by_root::gradient(0.7, 1.3);
    assert!((value - of([0.7, 1.3])).abs() < 1e-15);
    assert_close([of_chroma, of_lightness], [0.7, 1.3], of);
}
