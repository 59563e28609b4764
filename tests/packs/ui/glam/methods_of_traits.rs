use backsweep::adjoint;
use glam::DVec3;

/// It comes before the method of the type where that is behind a reference.
trait Norm {
    fn length(&self) -> f64;
}

impl Norm for DVec3 {
    fn length(&self) -> f64 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}

#[adjoint(independents(p))]
fn parameter(p: &DVec3) -> f64 {
    p.length()
}

#[adjoint(independents(points))]
fn item(points: &[DVec3]) -> f64 {
    let mut sum = 0.0;
    for p in points {
        sum += p.length();
    }
    sum
}

#[adjoint(independents(points))]
fn choice(points: &[DVec3], n: usize) -> f64 {
    let p = match n {
        0 => &points[0],
        _ => &points[1],
    };
    p.length()
}

/// By value the method of the type comes first.
#[adjoint(independents(p))]
fn value(p: DVec3) -> f64 {
    p.length()
}

fn main() {}
