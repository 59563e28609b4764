//! The functions of libm.

mod functions;
mod table;
mod ui;
