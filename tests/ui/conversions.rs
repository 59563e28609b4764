//! Conversions of which it is not seen what they convert, or to what.
use backsweep::adjoint;
use num_traits::{Float, NumCast, Zero};

/// A variable without a type does not tell what it is converted to.
#[adjoint]
fn by_the_type_of_the_result<T: Float>(x: T) -> T {
    let y = NumCast::from(x * x).unwrap();
    x * y
}

/// Of an `Option` that nothing takes apart it is not seen that it is one.
#[adjoint]
fn not_taken_apart<T: Float>(x: T) -> T {
    let converted = T::from(x);
    let list = [converted, None];
    list[0].unwrap()
}

struct Degrees(f64);

impl Degrees {
    fn to_f64(&self) -> Option<f64> {
        Some(self.0.to_radians())
    }
}

/// What a type of the user's has by such a name is no conversion.
#[adjoint(independents(degrees))]
fn of_a_users_type(degrees: &Degrees) -> f64 {
    degrees.to_f64().unwrap()
}

trait Sure: Float {}

/// Without the files of the crate it is not seen that only floats have the trait.
#[adjoint(no(context))]
fn without_context<T: Sure>(x: T) -> T {
    x * x
}

#[adjoint]
fn larger<T: Float>(x: T, y: T) -> T {
    x.max(y)
}

/// A number of any type, which is handed to a function: no type parameter stands for a float.
#[adjoint]
fn of_no_type(x: f64) -> f64 {
    let zero = Zero::zero();
    larger(x, zero)
}

/// Two type parameters do.
#[adjoint]
fn of_one_of_two<T: Float, U: Float>(x: T, y: U) -> (T, U) {
    let zero = Zero::zero();
    (larger(x, zero), y)
}

fn main() {}
