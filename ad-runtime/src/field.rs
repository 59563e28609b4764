//! What derived implementations for structs call, field by field.

use crate::{And, Differentiable, Marker, Off, On, ShapeDigest, Shapes, Vector};

/// A field of a struct whose bar is a struct of the same type: one of a type that is its own bar.
pub trait Field: Sized {
    /// [`Vector::SHAPES`]
    const SHAPES: Shapes;
    /// [`Differentiable::zero_bar`]
    fn zero(&self) -> Self;
    /// [`Differentiable::common_zero_bar`]
    fn common_zero() -> Option<Self>;
    /// [`Differentiable::any_bar`]
    fn any() -> Option<Self>;
    /// [`Vector::set_zero`]
    fn clear(&mut self);
    /// [`Vector::accumulate`]
    fn add(&mut self, other: &Self);
    /// [`Vector::inner`]
    fn dot(&self, other: &Self) -> f64;
    /// [`Vector::write_flat`]
    fn write(&self, flat: &mut Vec<f64>);
    /// [`Vector::read_flat`]
    fn read<'s>(&mut self, flat: &'s [f64]) -> &'s [f64];
    /// [`Vector::digest_shape`]
    fn digest(&self, digest: &mut ShapeDigest);
}

impl<T: Differentiable<Bar = T> + Vector> Field for T {
    const SHAPES: Shapes = <T as Vector>::SHAPES;
    #[inline]
    fn zero(&self) -> Self {
        self.zero_bar()
    }
    #[inline]
    fn common_zero() -> Option<Self> {
        T::common_zero_bar()
    }
    #[inline]
    fn any() -> Option<Self> {
        T::any_bar()
    }
    #[inline]
    fn clear(&mut self) {
        T::set_zero(self);
    }
    #[inline]
    fn add(&mut self, other: &Self) {
        T::accumulate(self, other);
    }
    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        T::inner(self, other)
    }
    #[inline]
    fn write(&self, flat: &mut Vec<f64>) {
        T::write_flat(self, flat);
    }
    #[inline]
    fn read<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        T::read_flat(self, flat)
    }
    #[inline]
    fn digest(&self, digest: &mut ShapeDigest) {
        T::digest_shape(self, digest);
    }
}

/// Whether the bar of a struct has a bar for a field, as a type.
pub trait FieldKind {
    /// Whether it has.
    const HAS_BAR: bool;
    /// The same as a marker.
    type Marker: Marker;
}

/// Of fields in fields: whether both have bars.
impl<A: FieldKind, B: FieldKind> FieldKind for (A, B) {
    const HAS_BAR: bool = A::HAS_BAR && B::HAS_BAR;
    type Marker = And<A::Marker, B::Marker>;
}

/// A field with a bar. What generated code asks of a struct falls back to this.
#[derive(Clone, Copy, Debug)]
pub struct ActiveField;

/// A field marked `#[passive]`: the bar of the struct has a copy of its value there.
#[derive(Clone, Copy, Debug)]
pub struct PassiveField;

impl FieldKind for ActiveField {
    const HAS_BAR: bool = true;
    type Marker = On;
}

impl FieldKind for PassiveField {
    const HAS_BAR: bool = false;
    type Marker = Off;
}

/// Whether a field has a bar.
#[inline(always)]
pub fn has_bar<F: FieldKind>(_: F) -> bool {
    F::HAS_BAR
}

/// A field to which a value with a derivative may be written.
#[diagnostic::on_unimplemented(
    message = "a value with a derivative is written to a field that is marked `#[passive]`",
    note = "take the mark off the field, or mark the value `#[passive]` if its derivative does not matter"
)]
pub trait Writable {}

impl Writable for ActiveField {}

/// Proves that a value with a derivative may be written to a field.
#[inline(always)]
pub const fn writable<F: Writable + Copy>(_: F) {}

/// Proves that a field has no bar.
#[inline(always)]
pub const fn passive_field(_: PassiveField) {}

/// Whether a field belongs to what it is taken of, and not to something that is `Deref`ed to.
pub mod direct {
    use std::ops::Deref;

    /// What a field is taken of, and a number made of the name of the field.
    #[derive(Debug)]
    pub struct Owner<'v, T: ?Sized, const FIELD: u128>(pub &'v T);

    /// A struct that has a public field of its own of that name: rustc finds such a field before it comes to what the struct `Deref`s to.
    pub trait Has<const FIELD: u128> {}

    /// The field is one of the type.
    #[derive(Debug)]
    pub struct Direct;

    /// The type can be dereferenced.
    #[derive(Debug)]
    pub struct ThroughDeref;

    /// Found first: the struct says that it has the field.
    pub trait ByDeclaration {
        /// How the field is reached.
        fn way(&self) -> Direct {
            Direct
        }
    }

    impl<T: Has<FIELD> + ?Sized, const FIELD: u128> ByDeclaration for &&&&Owner<'_, T, FIELD> {}

    /// Found next: a reference is what it refers to.
    pub trait ByReference {
        /// How the field is reached.
        fn way(&self) -> Direct {
            Direct
        }
    }

    impl<T: ?Sized, const FIELD: u128> ByReference for &&&Owner<'_, &T, FIELD> {}
    impl<T: ?Sized, const FIELD: u128> ByReference for &&&Owner<'_, &mut T, FIELD> {}

    /// Found next.
    pub trait ByDeref {
        /// How the field is reached.
        fn way(&self) -> ThroughDeref {
            ThroughDeref
        }
    }

    impl<T: Deref + ?Sized, const FIELD: u128> ByDeref for &&Owner<'_, T, FIELD> {}

    /// Found last.
    pub trait BySelf {
        /// How the field is reached.
        fn way(&self) -> Direct {
            Direct
        }
    }

    impl<T: ?Sized, const FIELD: u128> BySelf for &Owner<'_, T, FIELD> {}
}

/// A way to a field that generated code can follow.
#[diagnostic::on_unimplemented(
    message = "this field is reached through `Deref`",
    note = "two ways to one field could not be told to be the same: write out the fields on the way to it"
)]
pub trait DirectWay {}

impl DirectWay for direct::Direct {}

/// Proves that a field is one of the type it is taken of.
#[inline(always)]
pub fn direct_field<W: DirectWay>(_: W) {}

/// Sets the bar of a field to zero, if it is one.
pub mod reset {
    /// What may be a bar.
    #[derive(Debug)]
    pub struct Reset<'b, T>(pub &'b mut T);

    /// Found first: the bar is a vector.
    pub trait OfVector {
        /// Sets the bar to zero.
        fn reset(self);
    }

    impl<T: crate::Vector> OfVector for &mut Reset<'_, T> {
        #[inline]
        fn reset(self) {
            self.0.set_zero();
        }
    }

    /// Found next: it is a copy of a value without floats.
    pub trait NoVector {
        /// Does nothing.
        fn reset(&mut self);
    }

    impl<T> NoVector for &mut Reset<'_, T> {
        #[inline]
        fn reset(&mut self) {}
    }
}
