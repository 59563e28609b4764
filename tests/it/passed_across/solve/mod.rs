mod quadrature;

pub use self::quadrature::*;
