//! Without the files of the crate a macro takes a module for a crate of its name, and says so.

use backsweep::adjoint;

mod libm {
    pub fn erf(x: f64) -> f64 {
        x
    }
}

#[adjoint(independents(x), no(context))]
fn scaled(x: f64) -> f64 {
    2.0 * libm::erf(x)
}

#[adjoint(independents(x))]
fn unknown(x: f64) -> f64 {
    let (remainder, _) = ::libm::remquo(x, 2.0);
    remainder
}

fn main() {
    scaled(1.0);
    unknown(1.0);
}
