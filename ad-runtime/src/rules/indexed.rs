//! Elements by several indices, `m[(i, j)]`: generated code reads and writes them by methods.

/// The trait of the types of a pack that have such indices.
macro_rules! indexed {
    ($($by:ty: $get:ident $get_mut:ident $set:ident $method:ident $repeatable:ident $forward:ident $backward:ident $backwards:ident $tangent:ident $tangents:ident;)*) => {
    /// Types with such indices, and how their elements are read and written, as [`adjoint`](ad_macros::adjoint) has it of types of users.
    #[doc(hidden)]
    #[allow(clippy::too_many_arguments, reason = "the signatures of all sweeps")]
    pub trait Indexed: Sized {
        /// The type of the elements.
        type Element: Float;

        $(
        /// The value of `m[at]`.
        #[inline]
        fn $get(&self, at: $by) -> Self::Element
        where
            Self: IndexMut<$by, Output = Self::Element>,
        {
            self[at]
        }

        /// The same where it is written next.
        #[inline]
        fn $get_mut(&self, at: $by) -> Self::Element
        where
            Self: IndexMut<$by, Output = Self::Element>,
        {
            self[at]
        }

        /// `m[at] = value`.
        #[inline]
        fn $set(&mut self, at: $by, value: Self::Element)
        where
            Self: IndexMut<$by, Output = Self::Element>,
        {
            self[at] = value;
        }

        /// How it takes `m`.
        fn $method(&self) -> Method<Self, ByExclusive> {
            Method::new()
        }

        /// It may run twice.
        fn $repeatable(
            &self,
            _: $by,
            _: Self::Element,
            _: Returned<()>,
        ) -> Is<true> {
            Is
        }

        /// The forward sweep.
        #[inline]
        fn $forward<P: Marker, A: Marker, I, V: Marker>(
            &mut self,
            _: &mut Stack,
            _: P,
            _: A,
            at: $by,
            _: I,
            value: Self::Element,
            _: V,
        ) -> ((), ())
        where
            Self: IndexMut<$by, Output = Self::Element>,
        {
            self[at] = value;
            ((), ())
        }

        /// The backward sweep, of a bar: what was overwritten has none.
        #[inline]
        fn $backward<P: Marker, A: Marker, I, V>(
            &mut self,
            _: &mut Stack,
            _: P,
            (): (),
            _: A,
            at: &$by,
            _: I,
            _: &Self::Element,
            mut value_bar: V,
            _: impl Seed<()>,
        ) where
            Self: IndexMut<$by, Output = Self::Element>,
            Self: Differentiable<Bar = Self>,
            V: Slot<Self::Element>,
        {
            if A::ON {
                let weight = std::mem::take(&mut self[*at]);
                if let Some(bar) = value_bar.bar() {
                    bar.accumulate(&weight);
                }
            }
        }

        /// The backward sweep for several seeds, which there is none of.
        fn $backwards<P, B, K, A, I, V, S>(
            &mut self,
            _: &mut Stack,
            _: P,
            _: B,
            _: K,
            _: A,
            _: &$by,
            _: I,
            _: &Self::Element,
            _: V,
            _: S,
        ) {
            const { panic!("{}", crate::rules::WITHOUT_SEEDS) }
        }

        /// The tangent.
        #[inline]
        fn $tangent<A: Slot<Self>, I, V: Along<Self::Element>>(
            &mut self,
            mut direction: A,
            at: $by,
            _: I,
            value: Self::Element,
            value_direction: V,
        ) -> ((), ())
        where
            Self: IndexMut<$by, Output = Self::Element>,
        {
            self[at] = value;
            if let Some(direction) = direction.bar() {
                direction[at] = value_direction.direction().copied().unwrap_or_default();
            }
            ((), ())
        }

        /// The tangents in several directions, which there are none of.
        fn $tangents<D, A, I, V>(
            &mut self,
            _: PhantomData<D>,
            _: A,
            _: $by,
            _: I,
            _: Self::Element,
            _: V,
        ) -> ((), ()) {
            const { panic!("{}", crate::rules::WITHOUT_DIRECTIONS) }
        }
        )*
    }
    };
}
pub(crate) use indexed;
