//! Exits out of code that is kept as it is.
use backsweep::adjoint;

#[adjoint(independents(x))]
fn from_a_loop_over_an_iterator(x: f64, names: &[String]) -> f64 {
    let mut s = x;
    'outer: for k in 0..3 {
        for pair in names.chunk_by(|a, b| a == b) {
            if pair.len() == k {
                break 'outer;
            }
            if pair.len() > k {
                continue 'outer;
            }
        }
        s *= x;
    }
    s
}

fn main() {
    from_a_loop_over_an_iterator(1.0, &[]);
}
