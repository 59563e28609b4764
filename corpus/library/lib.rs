//! Functions that the programs of the corpus call in another crate. The files of `functions/` are not compiled as they
//! are: the build script makes modules of them.

include!(concat!(env!("OUT_DIR"), "/library.rs"));
