use backsweep::adjoint;
use ndarray::Array1;

#[adjoint(independents(x))]
fn added(x: &Array1<f64>) -> f64 {
    let mut y = x.clone();
    y.scaled_add(2.0, x);
    y.sum()
}

#[adjoint(independents(x))]
fn changed_by_a_closure(x: &Array1<f64>) -> f64 {
    let mut y = x.clone();
    y.mapv_inplace(|x| x * x);
    y.sum()
}

fn main() {}
