//! backsweep
pub use ad_macros::adjoint;
pub use ad_runtime::{Differentiable, Pullback, Stack, Vector};

#[doc(hidden)]
pub mod __private {
    pub use ad_runtime::*;
}
