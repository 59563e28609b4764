//! What the files of the crate are taken for is proved: here the path is said to lead to another function.

mod shapes {
    mod area {
        use backsweep::adjoint;

        #[adjoint(name = "self", imports(path_0 = shapes::area))]
        pub fn area(x: f64) -> f64 {
            x * x
        }
    }
    pub use area::area;
}

mod others {
    pub fn area(x: f64) -> f64 {
        2.0 * x
    }
}

use backsweep::adjoint;
use others::area;

#[adjoint(imported(area = shapes::area))]
fn caller(x: f64) -> f64 {
    area(x)
}

#[adjoint(name = "self", imports(path_0 = others::area))]
fn function(x: f64) -> f64 {
    x
}

fn main() {}
