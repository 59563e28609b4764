use backsweep::adjoint;
use nalgebra::Vector3;

#[adjoint(independents(v))]
fn longer(v: Vector3<f64>) -> f64 {
    let w = v.push(1.0);
    w.w
}

#[adjoint(independents(v))]
fn changed_by_index(v: Vector3<f64>) -> f64 {
    let mut m: nalgebra::Matrix2<f64> = nalgebra::Matrix2::zeros();
    m[(0, 1)] += v.x;
    m[(0, 1)]
}

fn main() {}
