//! Methods of traits of the user's that have the names of methods of the standard library, and are found before these.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
pub struct Point {
    x: f64,
}

mod lists {
    use super::Point;

    pub trait Sorted {
        fn is_sorted(&self) -> bool;
        fn extend(&self, other: &[f64]);
    }

    impl Sorted for Vec<f64> {
        fn is_sorted(&self) -> bool {
            false
        }
        fn extend(&self, _: &[f64]) {}
    }

    /// Of a list of values of another type than that of the function.
    pub trait Ends {
        fn first(&self) -> Option<&Point>;
    }

    impl Ends for Vec<Point> {
        fn first(&self) -> Option<&Point> {
            self.last()
        }
    }

    /// Of references to a list.
    pub trait At {
        fn get(&self, at: usize) -> Option<&f64>;
    }

    impl At for &Vec<f64> {
        fn get(&self, at: usize) -> Option<&f64> {
            self[..].get(at + 1)
        }
    }

    /// Of slices that can be changed.
    pub trait Exclusive {
        fn last(&mut self) -> Option<&f64>;
        fn len(&mut self) -> usize;
    }

    impl Exclusive for [f64] {
        fn last(&mut self) -> Option<&f64> {
            None
        }
        fn len(&mut self) -> usize {
            1
        }
    }
}

mod values {
    pub trait Copied {
        fn clone(self) -> Self;
    }

    impl Copied for f64 {
        fn clone(self) -> f64 {
            2.0 * self
        }
    }

    impl Copied for super::Point {
        fn clone(self) -> Self {
            Self { x: 2.0 * self.x }
        }
    }

    pub trait Powers {
        fn pow(&self, exponent: u32) -> usize;
    }

    impl Powers for usize {
        fn pow(&self, _: u32) -> usize {
            1
        }
    }

    pub trait Bits {
        fn to_bits(&self) -> u64;
    }

    impl Bits for f64 {
        fn to_bits(&self) -> u64 {
            1
        }
    }
}

mod options {
    pub trait Or {
        fn unwrap_or(&self, other: f64) -> f64;
        fn is_some(self) -> bool;
    }

    impl Or for Option<f64> {
        fn unwrap_or(&self, other: f64) -> f64 {
            other
        }
        fn is_some(self) -> bool {
            false
        }
    }
}

mod of_lists {
    use super::lists::Sorted;
    use backsweep::adjoint;

    #[adjoint]
    fn sorted(x: f64) -> f64 {
        let mut list = vec![x, 2.0 * x];
        list.extend(&[x]);
        if list.is_sorted() { list[0] * list[1] } else { list[0] }
    }
}

mod of_other_lists {
    use super::Point;
    use super::lists::Ends;
    use backsweep::adjoint;

    #[adjoint(independents(points))]
    fn first(points: &Vec<Point>) -> f64 {
        points.first().unwrap().x
    }
}

mod of_references_to_lists {
    use super::lists::At;
    use backsweep::adjoint;

    #[adjoint]
    fn at(list: &Vec<f64>) -> f64 {
        let x = list.get(0).unwrap();
        x * x
    }
}

mod of_slices {
    use super::lists::Exclusive;
    use backsweep::adjoint;

    #[adjoint(independents(x), passive(list))]
    fn ends(x: f64, list: &mut [f64]) -> f64 {
        x * list.len() as f64 * list.last().unwrap()
    }
}

mod of_values {
    use super::Point;
    use super::values::{Bits, Copied, Powers};
    use backsweep::adjoint;

    #[adjoint]
    fn cloned(x: f64) -> f64 {
        x.clone()
    }

    #[adjoint(independents(point))]
    fn cloned_point(point: Point) -> f64 {
        let copy = point.clone();
        copy.x
    }

    #[adjoint]
    fn power(x: f64, n: &usize) -> f64 {
        x * n.pow(2) as f64
    }

    #[adjoint]
    fn bits(x: &f64) -> f64 {
        f64::from_bits(x.to_bits() & !1)
    }
}

mod of_options {
    use super::options::Or;
    use backsweep::adjoint;

    #[adjoint]
    fn or(x: f64) -> f64 {
        let option = Some(x);
        let reference = &option;
        if option.is_some() { reference.unwrap_or(1.0) } else { x * x }
    }
}

fn main() {}
