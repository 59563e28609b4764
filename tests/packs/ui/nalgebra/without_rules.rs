use backsweep::adjoint;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

#[adjoint(independents(m))]
fn decomposed(m: Matrix3<f64>) -> f64 {
    m.schur().unpack().1.trace()
}

/// The right-hand side is a view.
#[adjoint(independents(m))]
fn solved_for_view(m: Matrix3<f64>) -> f64 {
    m.lu().solve(&m.column(0)).unwrap().norm()
}

#[adjoint(independents(m))]
fn part(m: Matrix3<f64>) -> f64 {
    m.column(0).norm()
}

#[adjoint(independents(v))]
fn changed(v: Vector3<f64>) -> f64 {
    let mut w = v;
    w.normalize_mut();
    w.x
}

/// The norm is one of what a rotation is made of.
#[adjoint(independents(q))]
fn of_what_it_derefs_to(q: UnitQuaternion<f64>) -> f64 {
    q.norm()
}

#[adjoint(independents(q))]
fn field_of_what_it_derefs_to(q: UnitQuaternion<f64>) -> f64 {
    q.w
}

#[adjoint]
fn conversion(x: f64) -> f64 {
    Vector3::from([x, 1.0, 2.0]).norm()
}

#[adjoint]
fn tuple(x: f64) -> f64 {
    let (roll, _, _) = Rotation3::from_euler_angles(x, 0.0, 0.0).euler_angles();
    roll
}

fn main() {}
