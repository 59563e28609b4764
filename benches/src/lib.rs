//! Kernels for the benchmarks: each as an ordinary annotated function, and with the adjoint that a
//! patient person would write.

pub mod by_hand;
pub mod forest;
pub mod kernels;
pub mod measure;
pub mod modes;
pub mod stencils;
