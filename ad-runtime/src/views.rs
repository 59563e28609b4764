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

/// What may be a reference, on the way to the bar of an element that is passed to a function.
#[derive(Debug)]
pub struct Way<'p, T: ?Sized>(Option<&'p mut T>);

impl<'p, T: ?Sized> Way<'p, T> {
    /// A way that leads on.
    pub fn by(part: &'p mut T) -> Self {
        Self(Some(part))
    }
}

/// Found first.
pub trait ByReference<'p, T: ?Sized> {
    /// What is borrowed has no bar.
    fn leads_to(self) -> Option<&'p mut T>;
}

impl<'p, T: ?Sized> ByReference<'p, T> for Way<'p, &T> {
    #[inline(always)]
    fn leads_to(self) -> Option<&'p mut T> {
        None
    }
}

/// Found for all others.
pub trait ByPart<'p, T: ?Sized> {
    /// The part itself.
    fn leads_to(self) -> Option<&'p mut T>;
}

impl<'p, T: ?Sized> ByPart<'p, T> for &mut Way<'p, T> {
    #[inline(always)]
    fn leads_to(self) -> Option<&'p mut T> {
        self.0.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_end_at_references() {
        let (mut owned, mut borrowed): (_, &[f64]) = (vec![1.0, 2.0], &[1.0]);
        let element = Way::by(&mut owned).leads_to().map(|list| &mut list[1]);
        assert_eq!(element.copied(), Some(2.0));
        assert!(Way::by(&mut borrowed).leads_to().is_none());
    }

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
