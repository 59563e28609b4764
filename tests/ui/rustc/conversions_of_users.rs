//! A conversion is that of `From`, and annotated.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
struct Narrow {
    x: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Wide {
    x: f64,
}

macro_rules! own_function {
    () => {
        impl Wide {
            fn from(narrow: Narrow) -> Self {
                Self { x: narrow.x * 3.0 }
            }
        }
    };
}

own_function!();

#[adjoint]
impl From<Narrow> for Wide {
    fn from(narrow: Narrow) -> Self {
        Self { x: narrow.x }
    }
}

/// The type has a function of that name, which a macro makes.
#[adjoint(independents(narrow), dependents(return), declared(operator From, Wide, Narrow, Wide;))]
fn by_path(narrow: Narrow) -> f64 {
    Wide::from(narrow).x
}

impl From<Wide> for Narrow {
    fn from(wide: Wide) -> Self {
        Self { x: wide.x }
    }
}

/// The conversion is not annotated.
#[adjoint(independents(wide), dependents(return), declared(operator From, Narrow, Wide, Narrow;))]
fn not_annotated(wide: Wide) -> f64 {
    let narrow: Narrow = wide.into();
    narrow.x
}

/// Not the trait of the standard library.
mod other {
    use super::{Narrow, Wide};
    use backsweep::adjoint;

    trait From<T> {
        fn from(value: T) -> Self;
    }

    #[adjoint]
    impl From<(Narrow, f64)> for Wide {
        fn from(value: (Narrow, f64)) -> Self {
            Self { x: value.0.x }
        }
    }
}

fn main() {}
