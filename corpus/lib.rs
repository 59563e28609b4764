//! Functions as they are found in the wild. The files of `functions/` are not compiled as they are: the
//! build script makes modules of them, which the tests include.
//!
//! It is a package of its own so that it is compiled without optimisation, on which it would spend
//! minutes.
