//! Random functions whose loops can be joined, and others that just cannot: sums over elements, with
//! something in the loop, before it or behind it that stands in the way.

use ad_analysis::ir::{Body, parse};
use fastrand::Rng;

/// Lines that do not stand in the way, and lines that do.
struct Lines {
    harmless: &'static [&'static str],
    obstacles: &'static [&'static str],
}

/// The ends of loops. Of some it cannot be told that they are inside of the lists.
const ENDS: Lines = Lines {
    harmless: &["x.len().min(v.len())", "v.len().min(x.len()).min(2)"],
    obstacles: &["n % 4", "3", "x.len()"],
};

/// The loops over the elements.
const HEADS: Lines =
    Lines { harmless: &["0..end", "1..end"], obstacles: &["(0..end).rev()", "0..=1", "0..3"] };

/// What may happen in an iteration.
const STEPS: Lines = Lines {
    harmless: &[
        "s = s + x[k];",
        "s = s + x[k] * a;",
        "s = s + (x[k] - v[k]).powi(2);",
        "t = t + x[k].sin() * v[k];",
        "let u: f64 = x[k] * a + 0.5; s = s + u * u.sin(); t = t - u;",
        "let u: f64 = x[k]; u = u * a; s = s + u * u;",
        "view y: f64 = &x[k]; view z: f64 = &v[k]; s = s + y * z;",
        "if x[k] > 0.1 { s = s + v[k] * a; } else { t = t + x[k]; }",
        "for j: usize in 0..2 '_ { s = s + x[k] * w[j]; }",
        "s = s + k as f64 * x[k] * w[1];",
        "s = s + x[k] * b;",
        "s = s + x[k].exp() * v[k];",
        "let u: f64 = x[k].sin(); u = u * v[k]; u = u.exp(); s = s + u;",
    ],
    obstacles: &[
        "s = s * (x[k] + 0.5);",
        "s = s + x[k] * s;",
        "if s > 0.3 { t = t + x[k]; }",
        "t = x[k] * a;",
        "b = b + x[k]; s = s + b * v[k];",
        "w[0] = x[k] * a; s = s + w[0];",
        "for j: usize in 0..3 '_ { w[j] = w[j] + x[k]; } s = s + w[0];",
        "let j: usize = (k + 1) % 3; s = s + x[j] * x[k];",
        "s = s + x[0] * v[k];",
        "s = s + w[k] * x[k];",
        "s = s + x[k] * t; t = t + v[k];",
    ],
};

/// What may come before the loop.
const BEFORE: Lines = Lines {
    harmless: &[
        "t = t * a;",
        "for i: usize in 0..3 '_ { t = t + v[i] * w[i]; }",
        "for i: usize in 0..3 '_ { w[i] = w[i] * x[i]; }",
        "s = x[1] * a;",
        "b = b * x[0].sin();",
    ],
    obstacles: &["end = end.min(2);"],
};

/// How the function ends.
const AFTER: Lines = Lines {
    harmless: &["ret = s;", "ret = s / 3.0 + t;", "ret = s * 0.5 - a * t;", "ret = s * b + w[1];"],
    obstacles: &[
        "ret = s.sin();",
        "ret = s * t;",
        "ret = if s > 0.2 { s } else { t };",
        "ret = s + x[1] * a;",
        "for m: usize in 0..3 '_ { t = t + s * x[m]; } ret = t;",
        "s = s * a; w[1] = s; ret = s + w[1];",
    ],
};

/// A function `main` of that kind.
pub fn sum(rng: &mut Rng) -> Body {
    // The line with the obstacle, if there is one.
    let obstacle = if rng.bool() { rng.usize(..8) } else { usize::MAX };
    let mut number = 0;
    let mut pick = |lines: &Lines| {
        let list = if number == obstacle { lines.obstacles } else { lines.harmless };
        number += 1;
        list[rng.usize(..list.len())]
    };
    let (end, head, after) = (pick(&ENDS), pick(&HEADS), pick(&AFTER));
    let steps = [pick(&STEPS), pick(&STEPS), pick(&STEPS)];
    let before = [pick(&BEFORE), pick(&BEFORE)];
    let scoped = |lines: &[&str], first: usize| -> Vec<String> {
        lines.iter().enumerate().map(|(n, line)| with_own_names(line, first + n)).collect()
    };
    let before = scoped(&before[..rng.usize(..=2)], 3).join("\n    ");
    let steps = scoped(&steps[..rng.usize(1..=3)], 0).join("\n        ");
    let text = format!(
        "fn main(x: &[f64], v: &[f64], a: f64, n: usize) -> ret: f64 | x v a | ret {{
    let end: usize = {end};
    let w: [f64; 3] = [a, x[0], 0.5];
    let s: f64 = 0.0;
    let t: f64 = x[2];
    let b: f64 = v[1] * 0.5;
    {before}
    for k: usize in {head} '_ {{
        {steps}
    }}
    {after}
}}
"
    );
    let text = with_labels(&text);
    parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// A line whose names differ from those of other lines.
fn with_own_names(line: &str, number: usize) -> String {
    let is_declared = |name: &str| {
        ["let ", "view ", "for "].iter().any(|word| line.contains(&format!("{word}{name}:")))
    };
    let own = ["u", "y", "z", "i", "j"].into_iter().filter(|name| is_declared(name));
    own.fold(line.to_owned(), |line, name| renamed(&line, name, &format!("{name}{number}")))
}

/// The text with one word replaced.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut renamed = String::new();
    for (n, piece) in text.split(from).enumerate() {
        if n > 0 {
            let is_word = !renamed.ends_with(is_part) && !piece.starts_with(is_part);
            renamed.push_str(if is_word { to } else { from });
        }
        renamed.push_str(piece);
    }
    renamed
}

/// The text with numbered labels.
fn with_labels(text: &str) -> String {
    let mut pieces = text.split("'_");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.enumerate().fold(first, |text, (n, piece)| format!("{text}'l{}{piece}", n + 1))
}
