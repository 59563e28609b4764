use backsweep::adjoint;
use ndarray::Array1;

trait Other {
    fn mapv(&self, function: fn(f64) -> f64) -> Array1<f64>;
    fn iter(&self) -> std::vec::IntoIter<f64>;
}

impl Other for Array1<f64> {
    fn mapv(&self, function: fn(f64) -> f64) -> Array1<f64> {
        Array1::from_vec(vec![function(self[0])])
    }
    fn iter(&self) -> std::vec::IntoIter<f64> {
        vec![self[0]].into_iter()
    }
}

#[adjoint(independents(x))]
fn mapped(x: &Array1<f64>) -> f64 {
    let y = x.mapv(|x| x * x);
    y.sum()
}

#[adjoint(independents(x))]
fn gone_through(x: &Array1<f64>) -> f64 {
    let mut sum = 0.0;
    for x in x.iter() {
        sum += x * 1.0;
    }
    sum
}

fn main() {}
