use backsweep::adjoint;
use glam::DVec3;

#[adjoint(independents(points))]
fn sum(points: &[DVec3]) -> f64 {
    points.iter().sum::<DVec3>().length()
}

#[adjoint(independents(p))]
fn into(p: DVec3) -> f64 {
    let parts: [f64; 3] = p.into();
    parts[0]
}

#[adjoint(independents(p))]
fn borrowed(p: DVec3) -> f64 {
    let parts: &[f64; 3] = p.as_ref();
    parts[0]
}

fn main() {}
