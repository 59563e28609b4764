use backsweep::adjoint;

pub const FIRST: i32 = 1;

type Equation = fn(f64, f64) -> f64;

#[adjoint]
pub fn secant(equation: Equation, fixed: f64, target: f64, which: i32) -> f64 {
    let eval = |x: f64| -> f64 {
        match which {
            FIRST => target - equation(fixed, x),
            _ => target - equation(x, fixed),
        }
    };
    let (mut a, mut b) = (1.0, 1.5);
    let (mut of_a, mut of_b) = (eval(a), eval(b));
    let mut n = 0;
    while (b - a).abs() > 1e-12 && n < 60 && of_b - of_a != 0.0 {
        let step = (a - b) * of_b / (of_b - of_a);
        a = b;
        of_a = of_b;
        b += step;
        of_b = eval(b);
        n += 1;
    }
    b
}
