//! The numbers the interpreter computes with: floats, and dual numbers as the reference for
//! derivatives. The dual numbers know nothing of the rules under test.

use num_dual::{Dual64, DualNum};
use std::fmt::Debug;

/// A number.
pub trait Scalar: Copy + Debug + PartialEq {
    /// A constant.
    fn constant(value: f64) -> Self;
    /// The value.
    fn value(self) -> f64;
    /// The elementary operation of that name in the rule table, with integer arguments apart.
    fn elementary(name: &str, args: &[Self], ints: &[i128]) -> Option<Self>;
}

impl Scalar for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn elementary(name: &str, args: &[Self], ints: &[i128]) -> Option<Self> {
        let rule = ad_analysis::rules::find(name)?;
        let mut args = args.iter();
        let mut ints = ints.iter();
        let values: Option<Vec<f64>> = rule
            .args
            .iter()
            .map(
                |arg| {
                    if arg.is_int { ints.next().map(|&n| n as f64) } else { args.next().copied() }
                },
            )
            .collect();
        Some((rule.evaluate)(&values?).0)
    }
}

impl Scalar for Dual64 {
    fn constant(value: f64) -> Self {
        Dual64::from(value)
    }

    fn value(self) -> f64 {
        self.re
    }

    fn elementary(name: &str, args: &[Self], ints: &[i128]) -> Option<Self> {
        let choose = |first: bool| if first { args[0] } else { args[1] };
        let x = *args.first()?;
        Some(match name {
            "add" => x + args[1],
            "sub" => x - args[1],
            "mul" => x * args[1],
            "div" => x / args[1],
            "neg" => -x,
            "sqrt" => x.sqrt(),
            "cbrt" => x.cbrt(),
            "recip" => x.recip(),
            "hypot" => (x * x + args[1] * args[1]).sqrt(),
            "powi" => x.powi(i32::try_from(*ints.first()?).ok()?),
            "powf" => x.powd(args[1]),
            "mul_add" => x * args[1] + args[2],
            "exp" => x.exp(),
            "exp2" => x.exp2(),
            "exp_m1" => x.exp_m1(),
            "ln" => x.ln(),
            "ln_1p" => x.ln_1p(),
            "log2" => x.log2(),
            "log10" => x.log10(),
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "atan2" => x.atan2(args[1]),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "asinh" => x.asinh(),
            "acosh" => x.acosh(),
            "atanh" => x.atanh(),
            "abs" if x.re == 0.0 => Dual64::from(0.0),
            "abs" => x * Dual64::from(x.re.signum()),
            "max" => choose(x.re >= args[1].re || args[1].re.is_nan()),
            "min" => choose(x.re <= args[1].re || args[1].re.is_nan()),
            "floor" => Dual64::from(x.re.floor()),
            _ => return None,
        })
    }
}
