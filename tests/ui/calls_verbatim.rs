//! Calls that can only be kept as they are: of functions of types, constructors, fields, `std`.
use backsweep::adjoint;

struct Scale(f64);

enum Unit {
    Metre(f64),
    Other { factor: f64 },
}

impl Unit {
    fn value(self) -> f64 {
        let (Unit::Metre(value) | Unit::Other { factor: value }) = self;
        value
    }
}

impl Scale {
    fn of(x: f64) -> f64 {
        2.0 * x
    }
}

#[adjoint]
fn function_of_a_type(x: f64) -> f64 {
    Scale::of(x)
}

#[adjoint]
fn constructor(x: f64) -> f64 {
    let unit = Unit::Metre(x);
    unit.value()
}

#[adjoint]
fn standard(x: f64) -> f64 {
    std::convert::identity(x)
}

#[adjoint]
fn taken(x: f64) -> f64 {
    let mut s = [x * x];
    let t = std::mem::take(&mut s);
    t[0] + s[0]
}

#[adjoint]
fn qualified(x: f64) -> f64 {
    <f64 as std::ops::Add>::add(x, x)
}

#[adjoint]
fn unsafe_code(x: f64) -> f64 {
    let p = &raw const x;
    unsafe { *p * *p }
}

#[adjoint]
fn structure(x: f64) -> f64 {
    let unit = Unit::Other { factor: x * x };
    unit.value()
}

fn main() {
    function_of_a_type(1.0) + constructor(1.0) + standard(1.0) + taken(1.0) + qualified(1.0);
    unsafe_code(1.0) + structure(1.0);
}
