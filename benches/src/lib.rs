//! Timings.
