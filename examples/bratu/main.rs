mod slab;
use slab::*;
use std::hint::black_box;
fn best(mut f: impl FnMut()) -> f64 { let mut b = f64::INFINITY; for _ in 0..300 { let t = std::time::Instant::now(); f(); b = b.min(t.elapsed().as_secs_f64()); } b * 1e6 }
fn main() {
    let n = 10_000;
    let x: Vec<f64> = (0..n + 2).map(|i| { let z = i as f64 / (n + 1) as f64; 2.0 * z * (1.0 - z) }).collect();
    let mut f = vec![0.0; n + 2];
    let (s, t) = (0.7, 0.2);
    let p = best(|| { residual(black_box(&x), black_box(s), t, &mut f); black_box(&mut f); });
    let mut xb = vec![0.0; n + 2];
    let mut fb = vec![0.0; n + 2];
    let (mut sb, mut tb) = (0.0, 0.0);
    println!("primal {p:.1} µs");
    let a = best(|| { fb.fill(1.0); residual::adjoint(black_box(&x), &mut xb, black_box(s), &mut sb, t, &mut tb, &mut f, &mut fb); black_box(&mut f); });
    println!("adjoint {:.2}", a / p);
    let a = best(|| { fb.fill(1.0); residual::adjoint_only(black_box(&x), &mut xb, black_box(s), &mut sb, t, &mut tb, &mut f, &mut fb); black_box(&mut f); });
    println!("adjoint_only {:.2}", a / p);
    let a = best(|| { fb.fill(1.0); residual_tbr::adjoint(black_box(&x), &mut xb, black_box(s), &mut sb, t, &mut tb, &mut f, &mut fb); black_box(&mut f); });
    println!("tbr {:.2}", a / p);
    let a = best(|| { fb.fill(1.0); residual_naive::adjoint(black_box(&x), &mut xb, black_box(s), &mut sb, t, &mut tb, &mut f, &mut fb); black_box(&mut f); });
    println!("naive {:.2}", a / p);
    let mut st = backsweep::Stack::new();
    residual_naive::forward(&mut st, &x, s, t, &mut f); println!("{}", st.bytes() as f64 / 8.0 / n as f64);
    let mut st = backsweep::Stack::new();
    residual_tbr::forward(&mut st, &x, s, t, &mut f); println!("{}", st.bytes() as f64 / 8.0 / n as f64);
    let mut st = backsweep::Stack::new();
    residual::forward(&mut st, &x, s, t, &mut f); println!("{}", st.bytes() as f64 / 8.0 / n as f64);
}
