//! Elements behind fields of structs that may borrow: a field that is a reference has no bar, and nothing is added to what it refers to.

/// What may be a reference.
#[derive(Debug)]
pub struct Part<'p, T: ?Sized>(pub &'p mut T);

/// Found first.
pub trait OfReferences<'p, T: ?Sized> {
    /// It has no bar, so that nobody gets here.
    fn reached(self) -> &'p mut T;
}

impl<'p, T: ?Sized> OfReferences<'p, T> for Part<'p, &T> {
    fn reached(self) -> &'p mut T {
        unreachable!("what is borrowed has no bar")
    }
}

/// Found for all others.
pub trait OfOthers {
    /// The type.
    type Reached: ?Sized;

    /// The part itself.
    fn reached(&mut self) -> &mut Self::Reached;
}

impl<T: ?Sized> OfOthers for Part<'_, T> {
    type Reached = T;

    #[inline(always)]
    fn reached(&mut self) -> &mut T {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owned_elements_are_reached() {
        let (mut owned, mut array) = (vec![1.0, 2.0], [3.0]);
        Part(&mut owned).reached()[1] += 1.0;
        Part(&mut array).reached()[0] += 1.0;
        assert_eq!((owned, array), (vec![1.0, 3.0], [4.0]));
    }

    #[test]
    #[should_panic(expected = "what is borrowed has no bar")]
    fn borrowed_ones_are_not() {
        let mut borrowed: &[f64] = &[1.0];
        Part(&mut borrowed).reached()[0] += 1.0;
    }
}
