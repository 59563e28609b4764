//! Type parameters whose bounds are traits of the crate: that only floats have these their supertraits tell.

use approx::assert_relative_eq;

/// A trait of the crate that only floats have, as its supertraits tell.
mod supertraits {
    use backsweep::adjoint;
    use num_traits::Float;

    pub trait Plain: Copy + Small {}
    pub trait Small: Float + Into<f64> + From<f32> {}

    impl<T: Float + Into<f64> + From<f32>> Small for T {}
    impl<T: Small> Plain for T {}

    #[adjoint]
    pub fn wanted<T: Plain>(x: T, y: f64, z: f32) -> f64 {
        let wide: f64 = x.into();
        let own: T = z.into();
        let product: f64 = (x * own).into();
        wide.sin() * y + product
    }

    #[adjoint]
    pub fn of_num_cast<T>(x: T, y: f64) -> T
    where
        T: Plain,
    {
        let wide: f64 = num_traits::NumCast::from(x * x).unwrap();
        num_traits::NumCast::from(wide * y).unwrap()
    }

    #[adjoint]
    pub fn of_one<T: Plain>(x: T) -> T {
        x * x
    }
}

#[test]
fn types_that_are_wanted_tell_what_is_converted_to() {
    let (x, y, z) = (0.5_f64, 3.0, 0.25_f32);
    let (value, (x_g, y_g, z_g)) = supertraits::wanted::gradient(x, y, z);
    assert_relative_eq!(value, x.sin() * y + 0.125, max_relative = 1e-15);
    assert_relative_eq!(x_g, x.cos() * y + 0.25, max_relative = 1e-15);
    assert_relative_eq!(y_g, x.sin(), max_relative = 1e-15);
    assert_eq!(z_g, 0.5);
    let (value, (x_g, y_g)) = supertraits::of_num_cast::gradient(x, y);
    assert_eq!((value, x_g, y_g), (0.75, 3.0, 0.25));
    assert_eq!(supertraits::of_one::gradient(1.5_f32), (2.25, 3.0));
}
