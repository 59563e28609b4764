//! Small programs that catch mistakes about values: overwritten, shadowed, deferred, at kinks.
//! Values and gradients are listed with each.

use backsweep::adjoint;

/// Operand overwritten between definition and use: recompute illegal.
#[adjoint]
#[sample(0.7)]
#[expect(value = 0.988314365159, gradient = [4.0059363])]
pub fn operand_overwritten_before_use(x: f64) -> f64 {
    let mut a = x;
    let t = a * a;
    a = 3.0 * x;
    t.sin() * a
}

/// Exactly one f64 pushed per iteration (a; t is recomputed), never 0 or 2.
#[adjoint]
#[sample(0.7, 0.4)]
#[expect(value = 3.659175558784, gradient = [0.8825782, 1.8350579])]
pub fn one_value_stored_per_iteration(mut a: f64, b: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..3 {
        let t = a * b;
        s += t.exp();
        a = 0.5 * a + 0.1;
    }
    s
}

/// A dropped statement must not discharge a store.
#[adjoint]
#[sample(0.7)]
#[expect(value = 1.830032857100, gradient = [1.9708995])]
pub fn dropped_statement_overwrites(x: f64) -> f64 {
    let mut v = x.sin();
    let y = v * v;
    v = 2.0;
    v = x.cos();
    3.0 * y + v * v
}

/// Slide example; a = 3z on return; weights 1, 2, 5.
#[adjoint]
#[weights(1.0, 2.0, 5.0)]
#[sample(0.2, 0.9, 0.4, 1.1)]
#[expect(value = 21.895474092924, gradient = [3.0000000, 0.0000000, 6.0754741, 15.0000000])]
pub fn three_scalars_in_place(x: &mut f64, y: &mut f64, a: &mut f64, z: f64) {
    *x = *x + a.exp();
    *y = *x + *a * *a;
    *a = 3.0 * z;
}

/// Shadowing in a loop.
#[adjoint]
#[sample(0.7)]
#[expect(value = 0.569742846450, gradient = [3.4081186])]
pub fn shadowing_in_a_loop(x: f64) -> f64 {
    let mut s = 0.0;
    let x = x * x;
    for _ in 0..2 {
        let x = x.sin();
        let x = x * s + x;
        s += x;
    }
    s * x
}

/// Evaluation order of compound assignment.
#[adjoint]
#[sample(0.7)]
#[expect(value = 2.490000000000, gradient = [1.4000000])]
pub fn order_of_compound_assignment(x: f64) -> f64 {
    let mut i = 0;
    let mut a = [1.0; 4];
    a[{
        i += 1;
        i
    }] += {
        i += 1;
        x * x
    };
    let y = a[i] * {
        i -= 1;
        a[i]
    };
    y + a[1]
}

/// Powi(0), powi(1) at 0.
#[adjoint]
#[sample(0.0, 0)]
#[expect(value = 1.000000000000, gradient = [0.0000000])]
#[sample(0.0, 1)]
#[expect(value = 0.000000000000, gradient = [1.0000000])]
#[sample(0.7, -2)]
#[expect(value = 2.040816326531, gradient = [-5.8309038])]
pub fn integer_powers_at_zero(x: f64, n: i32) -> f64 {
    x.powi(n)
}

/// The untaken ln(-x) is never evaluated.
#[adjoint]
#[sample(-0.7)]
#[expect(value = 0.415016428550, gradient = [-0.9854497])]
pub fn logarithm_in_the_other_branch(x: f64) -> f64 {
    let y = if x > 0.0 { x.ln() } else { x.sin() };
    y * y
}

/// Max with NaN.
#[adjoint]
#[sample(0.7)]
#[expect(value = 2.100000000000, gradient = [3.0000000])]
pub fn maximum_with_no_number(x: f64) -> f64 {
    x.max(f64::NAN) * 2.0 + x.min(5.0)
}

/// Tangent 2, adjoint 2 (strong zero).
#[adjoint]
#[sample(0.0)]
#[expect(value = 0.0, gradient = [2.0])]
#[sample(2.0)]
#[expect(value = 0.5, gradient = [-0.25])]
pub fn division_before_the_test(x: f64) -> f64 {
    let r = 1.0 / x;
    if x != 0.0 { r } else { x * 2.0 }
}

/// Deferred let, tuple-if.
#[adjoint]
#[sample(0.7, true)]
#[expect(value = 0.631333333493, gradient = [2.5533549])]
#[sample(0.7, false)]
#[expect(value = 1.606168593297, gradient = [0.9416694])]
pub fn deferred_initialisation(x: f64, c: bool) -> f64 {
    let t;
    let (p, q) = if c {
        t = x * x;
        (x.sin(), 2.0)
    } else {
        t = 3.0 * x;
        (1.0, x.cos())
    };
    p * q * t
}

/// Names that clash with generated ones.
#[adjoint]
#[sample(0.7, 0.4)]
#[expect(value = 0.054165707119, gradient = [0.2301059, 0.2672711])]
pub fn names_of_generated_variables(x: f64, x_b: f64) -> f64 {
    let stack = x * x_b;
    let ret_b = stack.sin();
    let x_b = ret_b * x;
    x_b * stack
}

/// Floor/cast cut the dependence.
#[adjoint]
#[sample([0.7, -0.4, 1.1], 1.25)]
#[expect(value = -0.025000000000, gradient = [0.0000000, 0.7500000, 0.2500000, 1.5000000])]
pub fn interpolation_by_floor(t: &[f64], x: f64) -> f64 {
    let k = x.floor() as usize;
    t[k] + (x - k as f64) * (t[k + 1] - t[k])
}

/// Float-to-float cast is active: 2·(x as f32).
#[adjoint]
#[sample(0.7)]
#[expect(value = 0.7_f32 as f64 * 0.7_f32 as f64, gradient = [2.0 * 0.7_f32 as f64])]
pub fn through_single_precision(x: f64) -> f64 {
    let mut acc = x;
    let y = acc as f32;
    acc = y as f64;
    acc * acc
}

/// Array destructuring, simultaneous update.
#[adjoint]
#[sample(0.7, -0.4)]
#[expect(value = -0.001680000000, gradient = [-0.0584000, -0.1442000])]
pub fn simultaneous_update(x: f64, y: f64) -> f64 {
    let mut h = [x, y];
    for _ in 0..3 {
        let [a, b] = h;
        h = [a * b, a + b];
    }
    h[0]
}
