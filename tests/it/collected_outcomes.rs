//! Lists of what does not fail, compared with tangents and differences; and the failures are those of the function.

use backsweep::{Differentiable, adjoint};

#[derive(Debug, PartialEq)]
enum Wrong {
    Small(f64),
    Otherwise(String),
}

impl From<String> for Wrong {
    fn from(text: String) -> Self {
        Wrong::Otherwise(text)
    }
}

#[adjoint]
fn ln(v: f64) -> Result<f64, String> {
    if v > 0.0 { Ok(v.ln()) } else { Err(format!("the logarithm of {v}")) }
}

#[adjoint(test(x: &[1.0, 2.0, 3.0]))]
fn of_a_function(x: &[f64]) -> Result<f64, String> {
    let logs: Vec<f64> = x.iter().map(|v| ln(*v)).collect::<Result<_, _>>()?;
    Ok(logs.iter().map(|log| log * log).sum())
}

#[adjoint(test(x: &[1.0, 2.0, 3.0]))]
fn left_by_a_question_mark(x: &[f64]) -> Result<f64, String> {
    let terms = x
        .iter()
        .map(|&v| {
            let log = ln(v)?;
            Ok(log * v)
        })
        .collect::<Result<Vec<f64>, String>>()?;
    Ok(terms.iter().map(|term| term * term).sum())
}

#[adjoint(test(x: &[1.0, 2.0, 3.0]))]
fn returned(x: &[f64]) -> Result<Vec<f64>, String> {
    x.iter().map(|&v| ln(v)).collect()
}

#[adjoint(test(x: &[1.0, 2.0, 3.0], y: 0.3))]
fn by_branches(x: &[f64], y: f64) -> Result<f64, Wrong> {
    let logs = x
        .iter()
        .enumerate()
        .map(|(i, v)| if *v > y { Ok(v.ln() * y + i as f64) } else { Err(Wrong::Small(*v)) })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(logs[0] * logs[1] + logs[2])
}

/// The failures of one type become those of another.
#[adjoint(test(x: &[1.0, 2.0, 3.0], y: 0.3))]
fn converted(x: &[f64], y: f64) -> Result<f64, Wrong> {
    let logs: Vec<f64> =
        x.iter().filter(|v| **v != 1.5).map(|v| ln(v * y + 1.0)).collect::<Result<_, String>>()?;
    Ok(logs.iter().sum())
}

#[adjoint(test(x: &[1.0, 2.0, 3.0]))]
fn by_arms(x: &[f64]) -> Option<f64> {
    let roots: Vec<f64> = x
        .iter()
        .map(|v| match *v {
            v if v > 2.5 => Some(v * v),
            v if v > 0.0 => Some(v.sqrt()),
            _ => None,
        })
        .collect::<Option<_>>()?;
    Some(roots[0] * roots[1] + roots[2])
}

#[adjoint(test(x: &[1.0, 2.0, 3.0]))]
fn options_returned(x: &[f64]) -> Option<Vec<f64>> {
    x.windows(2).map(|w| if w[1] != 0.0 { Some(w[0] / w[1]) } else { None }).collect()
}

#[adjoint(independents(x), test(x: 0.3, text: "1.0 2.5"))]
fn of_a_text(x: f64, text: &str) -> Result<f64, std::num::ParseFloatError> {
    let factors =
        text.split_whitespace().map(|word| word.parse()).collect::<Result<Vec<f64>, _>>()?;
    Ok(factors[0] * x * x + factors[1])
}

#[derive(Clone, Debug, Differentiable)]
struct Bond {
    coupon: f64,
}

#[adjoint]
impl Bond {
    fn price(&self, rate: f64) -> Result<f64, String> {
        if rate < 0.0 { Err(format!("the rate is {rate}")) } else { Ok(self.coupon / (1.0 + rate)) }
    }
}

#[adjoint(test(bonds: &[(2.0, Bond { coupon: 0.3 }), (-1.0, Bond { coupon: 0.7 })], rate: 0.1))]
fn of_methods(bonds: &[(f64, Bond)], rate: f64) -> Result<f64, String> {
    let prices: Vec<f64> =
        bonds.iter().map(|(_, bond)| bond.price(rate)).collect::<Result<_, _>>()?;
    let first = (bonds[0].1.price(rate * rate))?;
    Ok(first + bonds.iter().zip(prices).map(|((count, _), price)| count * price).sum::<f64>())
}

#[test]
fn the_first_failure_is_that_of_the_function() {
    assert_eq!(
        of_a_function::gradient(&[1.0, -1.0, -2.0]).map(|_| ()),
        Err("the logarithm of -1".to_owned())
    );
    assert_eq!(
        left_by_a_question_mark::gradient(&[1.0, -1.0]).map(|_| ()),
        Err("the logarithm of -1".to_owned())
    );
    let small = by_branches::gradient(&[1.0, 0.1, 0.2], 0.3).map(|_| ());
    assert_eq!(small, Err(Wrong::Small(0.1)));
    let otherwise = converted::gradient(&[-10.0, 2.0], 1.0).map(|_| ());
    assert_eq!(otherwise, Err(Wrong::Otherwise("the logarithm of -9".to_owned())));
    assert!(by_arms::gradient(&[1.0, -1.0, 1.0]).is_none());
    assert!(of_a_text::gradient(0.3, "1.0 x").is_err());
}
