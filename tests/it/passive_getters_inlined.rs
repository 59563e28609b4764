//! Getters of what is marked `#[passive]` in a function that is replaced by its body where it is called: what was lent is a variable there, which
//! is written to.

use crate::differences::assert_gradient;

#[backsweep::adjoint]
mod bodies {
    use backsweep::Differentiable;

    #[derive(Clone, Default)]
    pub struct Settings {
        pub dt: f64,
    }

    #[derive(Clone, Differentiable)]
    pub struct Body {
        pub x: f64,
        pub v: f64,
        #[passive]
        pub settings: Settings,
    }

    #[adjoint]
    impl Body {
        pub fn settings(&self) -> &Settings {
            &self.settings
        }
    }

    #[adjoint(independents(body), dependents(return))]
    fn scaled(body: &Body) -> f64 {
        body.x * body.v * body.settings().dt
    }

    #[adjoint(independents(x, v, k), dependents(return))]
    pub fn of_local(x: f64, v: f64, k: f64) -> f64 {
        let mut body = Body { x, v, settings: Settings { dt: 0.1 } };
        body.x = x * x;
        let scaled = scaled(&body);
        scaled * body.settings().dt + k * scaled
    }
}

#[test]
fn what_is_lent_by_a_variable_has_constants_behind_getters() {
    use bodies::of_local;
    let at = [0.3, 0.7, 0.2];
    let (_, (x, v, k)) = of_local::gradient(at[0], at[1], at[2]);
    assert_gradient(&[x, v, k], &at, |at| of_local(at[0], at[1], at[2]));
    let (_, along) = of_local::tangent(at[0], 1.0, at[1], -0.5, at[2], 2.0);
    assert!((along - (x - 0.5 * v + 2.0 * k)).abs() < 1e-12);
}
