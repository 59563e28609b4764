//! What is dropped where the macro does not see the type, nor whether it has a destructor.
use backsweep::adjoint;

struct Guard(u32);

impl Drop for Guard {
    fn drop(&mut self) {
        println!("dropped");
    }
}

fn guard() -> Guard {
    Guard(1)
}

#[adjoint]
fn f(x: f64) -> f64 {
    let mut kept: Option<_>;
    kept = Some(guard());
    let k: u32 = kept.as_ref().unwrap().0;
    kept = None;
    x * k as f64
}

fn main() {
    f(1.0);
}
