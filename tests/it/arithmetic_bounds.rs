//! Type parameters with bounds of arithmetic, or of data only, stand for floats in derivatives. The functions themselves stay what they are: the
//! oracle is the same functions on dual numbers, a type of the tests' own with operators of its own.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use num_traits::{One, Zero};
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

/// A number and its derivative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Dual(f64, f64);

impl Add for Dual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Dual(self.0 + other.0, self.1 + other.1)
    }
}

impl AddAssign for Dual {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Dual(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Dual(self.0 * other.0, self.1 * other.0 + self.0 * other.1)
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.0 / other.0;
        Dual(value, (self.1 - value * other.1) / other.0)
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Dual(-self.0, -self.1)
    }
}

impl Zero for Dual {
    fn zero() -> Self {
        Dual(0.0, 0.0)
    }
    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }
}

impl One for Dual {
    fn one() -> Self {
        Dual(1.0, 0.0)
    }
}

/// What the structs are tagged with: nothing is known of it, and nothing asked.
struct Metres;
struct Feet;

mod shapes {
    use super::*;

    #[derive(Differentiable)]
    pub struct Pair<T, U> {
        pub x: T,
        pub y: T,
        pub unit: PhantomData<U>,
    }

    #[derive(Differentiable)]
    pub struct Scale<T, From, To>(pub T, pub PhantomData<(From, To)>);

    #[derive(Differentiable)]
    pub struct Span<T, U> {
        pub from: Pair<T, U>,
        pub to: Pair<T, U>,
    }

    /// A type parameter that is the type of a field without a derivative.
    #[derive(Clone, Differentiable)]
    pub struct Tagged<T> {
        pub x: f64,
        #[passive]
        pub tag: T,
    }

    impl<T: Copy, U> Copy for Pair<T, U> {}
    impl<T: Clone, U> Clone for Pair<T, U> {
        fn clone(&self) -> Self {
            Pair { x: self.x.clone(), y: self.y.clone(), unit: PhantomData }
        }
    }
    impl<T: Copy, From, To> Copy for Scale<T, From, To> {}
    impl<T: Clone, From, To> Clone for Scale<T, From, To> {
        fn clone(&self) -> Self {
            Scale(self.0.clone(), PhantomData)
        }
    }
    impl<T: Copy, U> Copy for Span<T, U> {}
    impl<T: Clone, U> Clone for Span<T, U> {
        fn clone(&self) -> Self {
            Span { from: self.from.clone(), to: self.to.clone() }
        }
    }

    #[adjoint]
    pub fn pair<T, U>(x: T, y: T) -> Pair<T, U> {
        Pair { x, y, unit: PhantomData }
    }

    #[adjoint]
    impl<T, U> Pair<T, U> {
        pub const fn new(x: T, y: T) -> Self {
            Pair { x, y, unit: PhantomData }
        }

        pub fn splat(v: T) -> Self
        where
            T: Clone,
        {
            Pair { x: v.clone(), y: v, unit: PhantomData }
        }
    }

    #[adjoint]
    impl<T: Copy, U> Pair<T, U> {
        pub fn swapped(self) -> Self {
            Pair::new(self.y, self.x)
        }

        pub fn cast<V>(&self) -> Pair<T, V> {
            pair(self.x, self.y)
        }
    }

    #[adjoint]
    impl<T, U> Pair<T, U>
    where
        T: Copy + Add<T, Output = T> + Mul<T, Output = T>,
    {
        pub fn dot(self, other: Self) -> T {
            self.x * other.x + self.y * other.y
        }
    }

    #[adjoint]
    impl<T, U> Pair<T, U> {
        pub fn cross(self, other: Self) -> T
        where
            T: Sub<Output = T> + Mul<Output = T>,
        {
            self.x * other.y - self.y * other.x
        }
    }

    #[adjoint]
    impl<T: Add, U> Add for Pair<T, U> {
        type Output = Pair<T::Output, U>;
        fn add(self, other: Self) -> Self::Output {
            Pair::new(self.x + other.x, self.y + other.y)
        }
    }

    #[adjoint]
    impl<T: Sub, U> Sub for Pair<T, U> {
        type Output = Pair<T::Output, U>;
        fn sub(self, other: Self) -> Self::Output {
            Pair::new(self.x - other.x, self.y - other.y)
        }
    }

    #[adjoint]
    impl<T: Neg, U> Neg for Pair<T, U> {
        type Output = Pair<T::Output, U>;
        fn neg(self) -> Self::Output {
            Pair::new(-self.x, -self.y)
        }
    }

    #[adjoint]
    impl<T: Copy + Mul, U> Mul<T> for Pair<T, U> {
        type Output = Pair<T::Output, U>;
        fn mul(self, scale: T) -> Self::Output {
            Pair::new(self.x * scale, self.y * scale)
        }
    }

    #[adjoint]
    impl<T: Copy + Div, U> Div<T> for Pair<T, U> {
        type Output = Pair<<T as Div>::Output, U>;
        fn div(self, scale: T) -> Self::Output {
            Pair::new(self.x / scale, self.y / scale)
        }
    }

    #[adjoint]
    impl<T: Copy + Mul, From, To> Mul<Scale<T, From, To>> for Pair<T, From> {
        type Output = Pair<T::Output, To>;
        fn mul(self, scale: Scale<T, From, To>) -> Self::Output {
            Pair::new(self.x * scale.0, self.y * scale.0)
        }
    }

    #[adjoint]
    impl<T: Copy + Add<T, Output = T>, U> AddAssign<Self> for Pair<T, U> {
        fn add_assign(&mut self, other: Self) {
            self.x = self.x + other.x;
            self.y = self.y + other.y;
        }
    }

    #[adjoint]
    impl<T: Copy, U> Span<T, U> {
        pub fn between(from: Pair<T, U>, to: Pair<T, U>) -> Self {
            Span { from, to }
        }

        pub fn reversed(&self) -> Self {
            Span { from: self.to, to: self.from }
        }

        /// Units are told by where the pairs go.
        pub fn cast<V>(&self) -> Span<T, V> {
            Span::between(self.from.cast(), self.to.cast())
        }
    }

    #[adjoint]
    impl<T: Copy + Add<Output = T> + Sub<Output = T>, U> Span<T, U> {
        pub fn grown(&self, by: T) -> Self
        where
            T: PartialEq,
        {
            let (one, other) = (by, by);
            if by == one - other {
                return *self;
            }
            let from = Pair::new(self.from.x - by, self.from.y - by);
            Span::between(from, Pair::new(self.to.x + by, self.to.y + by))
        }
    }

    #[adjoint]
    impl<T: Copy + Mul<Output = T>, U> MulAssign<Scale<T, U, U>> for Pair<T, U> {
        fn mul_assign(&mut self, scale: Scale<T, U, U>) {
            self.x = self.x * scale.0;
            self.y = self.y * scale.0;
        }
    }

    #[adjoint]
    impl<T, From, To> Scale<T, From, To> {
        pub fn by(factor: T) -> Self {
            Scale(factor, PhantomData)
        }
    }

    #[adjoint]
    impl<T: Copy + Mul<Output = T>, U> Pair<T, U> {
        pub fn scale(&mut self, factor: T) {
            *self *= Scale::by(factor);
        }
    }

    /// A module with the name of a function.
    pub mod span {
        #[allow(dead_code, reason = "the module is there for its name")]
        pub struct Side;
    }

    #[adjoint]
    pub fn span<T: Copy, U>(x: T, y: T, u: T, v: T) -> Span<T, U> {
        Span::between(Pair::new(x, y), Pair::new(u, v))
    }

    #[adjoint]
    impl<T: Clone> Tagged<T> {
        #[adjoint(independents(self, by))]
        pub fn scaled(&self, by: f64) -> f64 {
            self.x * by
        }
    }
}

use shapes::{Pair, Scale, Span, Tagged};

#[adjoint(independents(pair), dependents(return))]
fn sum_of<T: Clone + Add<Output = T>>(pair: &Pair<T, Metres>) -> T {
    pair.x.clone() + pair.y.clone()
}

/// All of it.
#[adjoint(independents(p, q, by, t), dependents(return))]
fn through<T>(p: Pair<T, Metres>, q: Pair<T, Metres>, by: Scale<T, Metres, Feet>, t: T) -> T
where
    T: Copy
        + Zero
        + One
        + Neg<Output = T>
        + Add<Output = T>
        + Sub<Output = T>
        + Mul<Output = T>
        + Div<Output = T>
        + PartialOrd,
{
    let two = T::one() + T::one();
    let mid: Pair<T, Metres> = (p + q) / two;
    let mut turned: Pair<T, Metres> = -(mid - p.swapped()) * t;
    turned += q;
    let far: Pair<T, Feet> = turned * by;
    let span = Span { from: far, to: p.cast() };
    let back: Span<T, Feet> = span.reversed().grown(two * t).cast();
    let mut corners: Span<T, Metres> = shapes::span(t, sum_of(&p), two, q.x);
    corners.to.scale(t);
    let diagonal: Pair<T, Feet> = Pair::splat(t);
    let mut sum = back.from.cross(back.to) + diagonal.dot(far) + corners.from.dot(corners.to);
    if sum < T::zero() {
        sum = sum * t;
    }
    sum
}

type Inputs<T> = (Pair<T, Metres>, Pair<T, Metres>, Scale<T, Metres, Feet>, T);

fn inputs<T>(number: impl Fn(usize) -> T) -> Inputs<T> {
    let scale = Scale(number(4), PhantomData);
    (Pair::new(number(0), number(1)), Pair::new(number(2), number(3)), scale, number(5))
}

#[test]
fn structs_of_numbers_agree_with_dual_numbers() {
    for point in [[0.3, -1.2, 0.8, 2.1, 0.7, 1.3], [1.3, 0.2, -0.8, 0.4, -1.7, -0.6]] {
        let (p, q, by, t) = inputs(|at| point[at]);
        let zero = || Pair::<f64, Metres>::new(0.0, 0.0);
        let (mut p_b, mut q_b, mut by_b, mut t_b) = (zero(), zero(), Scale(0.0, PhantomData), 0.0);
        let value = through::adjoint(p, &mut p_b, q, &mut q_b, by, &mut by_b, t, &mut t_b, 1.0);
        let found = [p_b.x, p_b.y, q_b.x, q_b.y, by_b.0, t_b];
        for (at, found) in found.into_iter().enumerate() {
            let (p, q, by, t) = inputs(|of| Dual(point[of], if of == at { 1.0 } else { 0.0 }));
            let expected = through(p, q, by, t);
            assert_eq!(value, expected.0);
            assert_relative_eq!(found, expected.1, max_relative = 1e-12);
            let (p_d, q_d, by_d, t_d) = inputs(|of| if of == at { 1.0 } else { 0.0 });
            let (p, q, by, t) = inputs(|at| point[at]);
            let (again, along) = through::tangent(p, p_d, q, q_d, by, by_d, t, t_d);
            assert_eq!(again, value);
            assert_relative_eq!(along, expected.1, max_relative = 1e-12);
        }
    }
}

/// Numbers in lists, with assignments, and results of the type that an operator says.
#[adjoint]
fn horner<T: Copy + AddAssign + Mul<Output = T>>(coefficients: &[T], x: T) -> T {
    let mut sum = coefficients[0];
    for &c in &coefficients[1..] {
        sum = sum * x;
        sum += c;
    }
    sum
}

#[adjoint]
fn product<T: Copy + Mul>(x: T, y: T) -> T::Output {
    x * y
}

#[adjoint]
fn first<T: Copy>(list: &[T], at: usize) -> T {
    list[at]
}

#[adjoint]
fn several<T: Copy + AddAssign + Mul<Output = T>>(list: &[T], x: T) -> T {
    horner(list, product(x, first(list, 1)))
}

#[test]
fn free_functions_agree_with_dual_numbers() {
    let (list, x) = ([0.5, -1.5, 2.0, 0.25], 0.75);
    let (mut list_b, mut x_b) = ([0.0; 4], 0.0);
    let value = several::adjoint(&list, &mut list_b, x, &mut x_b, 1.0);
    for at in 0..5 {
        let number = |value, of| Dual(value, if of == at { 1.0 } else { 0.0 });
        let list: Vec<Dual> = list.iter().enumerate().map(|(of, &v)| number(v, of)).collect();
        let expected = several(&list, number(x, 4));
        assert_eq!(value, expected.0);
        let found = if at < 4 { list_b[at] } else { x_b };
        assert_relative_eq!(found, expected.1, max_relative = 1e-12);
    }
    let (mut single, mut along) = ([0.0_f32; 2], 0.0_f32);
    assert_eq!(horner::adjoint(&[2.0_f32, 3.0], &mut single, 4.0, &mut along, 1.0), 11.0);
    assert_eq!((single, along), ([4.0, 1.0], 2.0));
}

/// Functions of type parameters stay functions of all types.
#[test]
fn other_types_are_as_they_were() {
    assert_eq!(horner(&[2, 3], 4), 11);
    assert_eq!(Pair::<_, Metres>::new("a", "b").swapped().x, "b");
    let tagged = Tagged { x: 2.0, tag: String::from("no number") };
    let mut bar = tagged.clone();
    bar.x = 0.0;
    let mut by_b = 0.0;
    assert_eq!(tagged.scaled_adjoint(&mut bar, 3.0, &mut by_b, 1.0), 6.0);
    assert_eq!((bar.x, by_b), (3.0, 2.0));
}
