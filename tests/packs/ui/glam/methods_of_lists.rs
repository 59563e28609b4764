use backsweep::adjoint;
use glam::DVec3;

/// Rustc finds `map` before that of the type where it is called on a reference, and the type has no `iter`.
trait Other {
    fn map(&self, function: fn(f64) -> f64) -> DVec3;
    fn iter(&self) -> std::vec::IntoIter<f64>;
}

impl Other for DVec3 {
    fn map(&self, function: fn(f64) -> f64) -> DVec3 {
        DVec3::new(function(self.y), 0.0, 0.0)
    }
    fn iter(&self) -> std::vec::IntoIter<f64> {
        vec![self.z].into_iter()
    }
}

#[adjoint(independents(v))]
fn mapped(v: &DVec3) -> f64 {
    let w = v.map(|x| x * x);
    w.length()
}

#[adjoint(independents(v))]
fn gone_through(v: DVec3) -> f64 {
    let mut sum = 0.0;
    for x in v.iter() {
        sum += x * 1.0;
    }
    sum
}

fn main() {}
