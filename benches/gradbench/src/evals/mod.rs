//! The modules that evals may ask for: functions written as one would without derivatives in mind, and what
//! `#[adjoint]` makes of them.

mod ba;
mod det;
mod gmm;
mod hello;
mod ht;
mod kmeans;
mod llsq;
mod lse;
mod lstm;
mod ode;
mod particle;
mod saddle;

use crate::protocol::Module;

/// All modules.
pub const MODULES: &[Module] = &[
    ba::MODULE,
    det::MODULE,
    gmm::MODULE,
    hello::MODULE,
    ht::MODULE,
    kmeans::MODULE,
    llsq::MODULE,
    lse::MODULE,
    lstm::MODULE,
    ode::MODULE,
    particle::MODULE,
    saddle::MODULE,
];
