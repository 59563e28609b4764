//! Numbers at the edges: infinite operands that do not reach the result, ranges that end where their types end, equal elements.

use super::{Choices, Helper, declared, function};
use std::fmt::Write;

const HELPERS: [Helper; 4] = [
    (
        "safe",
        "#[adjoint]\nfn safe(y: f64, z: f64) -> f64 { let q = y / z; if z == 0.0 { y * 2.0 } else { q } }",
    ),
    (
        "softplus",
        "#[adjoint]\nfn softplus(y: f64) -> f64 { let e = y.exp(); if y > 30.0 { y } else { (1.0 + e).ln() } }",
    ),
    (
        "norm",
        "#[adjoint]\nfn norm(list: &[f64]) -> f64 { list.iter().map(|t| t * t).sum::<f64>().sqrt() }",
    ),
    ("LAST", "const LAST: u8 = u8::MAX;"),
];

const VARIABLES: [Helper; 5] = [
    ("zero", "let zero: f64 = if n < 100 { 0.0 } else { 1.0 };"),
    ("large", "let large: f64 = if n < 100 { f64::INFINITY } else { 1.0 };"),
    ("huge", "let huge: f64 = x[0] * 1e200;"),
    ("flag", "let flag: bool = n < 100;"),
    ("t", "let mut t: f64 = x[1] + 0.25;"),
];

struct Numbers<'a> {
    choices: &'a mut Choices,
    names: usize,
}

pub(super) fn items(choices: &mut Choices) -> (String, String) {
    let mut numbers = Numbers { choices, names: 0 };
    let mut body = "let mut s: f64 = x[0] * 0.5;\n".to_owned();
    for _ in 0..1 + numbers.choices.below(4) {
        body += &numbers.statement(0);
    }
    body += if super::mentions(&body, "t") { "s * x[2] + t * x[3]\n" } else { "s * x[2]\n" };
    function(choices, &HELPERS, &declared(&VARIABLES, &body))
}

/// What of a type there is at its ends.
const ENDS: [(&str, &str, &str); 11] = [
    ("u8", "0", "3"),
    ("u8", "252", "255"),
    ("i8", "-128", "-125"),
    ("i8", "124", "127"),
    ("i8", "-3", "3"),
    ("i16", "32764", "32767"),
    ("i32", "-2147483648", "-2147483645"),
    ("u32", "4294967292", "4294967295"),
    ("i64", "9223372036854775804", "9223372036854775807"),
    ("u64", "18446744073709551612", "18446744073709551615"),
    ("usize", "18446744073709551612", "18446744073709551615"),
];

/// Whether a finite number has an infinite or undefined partial, with what it is made of being 0.
fn singular_at_0(wild: &str) -> bool {
    [" * zero).sqrt()", "(zero / ", ").atan2("].iter().any(|part| wild.contains(part))
}

impl Numbers<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("r{}", self.names)
    }

    /// An ordinary number.
    fn float(&mut self) -> String {
        match self.choices.below(6) {
            0 => format!("x[{}]", self.choices.below(4)),
            1 => format!("(x[{}] * x[{}])", self.choices.below(4), self.choices.below(4)),
            2 => "s".to_owned(),
            3 => format!("x[{}].sin()", self.choices.below(4)),
            4 => format!("(x[{}] - 0.5)", self.choices.below(4)),
            _ => "t".to_owned(),
        }
    }

    /// A number that is infinite or none at all, and depends on `x`.
    fn wild(&mut self) -> String {
        let y = self.float();
        match self.choices.below(18) {
            0 => format!("{y} * (1.0 / zero)"),
            1 => format!("{y} / zero"),
            2 => format!("{y} * large"),
            3 => format!("({y} + 800.0).exp()"),
            4 => format!("({y} * zero).ln()"),
            5 => format!("({y} * zero).sqrt()"),
            6 => format!("(zero / {y}).powf({y})"),
            7 => format!("({y} * large) * zero"),
            8 => format!("large - {y} * large"),
            9 => "huge * huge".to_owned(),
            10 => format!("({y} * large).sin()"),
            11 => format!("({y} * large).hypot({y})"),
            12 => format!("({y} * zero).recip()"),
            13 => format!("({y} + 800.0).cosh() * {y}"),
            14 => format!("({y} * {y} * zero).atan2({y} * zero)"),
            15 => format!("(-{y} * {y} - 1.0).sqrt()"),
            16 => format!("({y} * 0.0 + 1.0).atanh()"),
            _ => format!("({y} * zero).powi(-2)"),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.choices.below(if depth > 0 { 12 } else { 13 }) {
            0..=2 => self.infinite(),
            3..=5 => self.range(),
            6..=8 => self.ties(),
            9 => self.extremes(),
            10 => self.integers(),
            11 => self.casts(),
            _ => format!("for _ in 0..2 {{\n{}}}\n", self.statement(depth + 1)),
        }
    }

    /// An infinite operand that does not reach the result.
    fn infinite(&mut self) -> String {
        let (wild, y, name) = (self.wild(), self.float(), self.fresh());
        match self.choices.below(10) {
            0 => format!("let {name}: f64 = {wild};\ns += if flag {{ {y} }} else {{ {name} }};\n"),
            1 => format!(
                "let {name}: f64 = {wild};\nlet {name}b: f64 = {name} * x[1] + {y};\nif !flag {{ s += {name}b; }}\n"
            ),
            2 => format!("let {name} = [{wild}, {y}];\ns += {name}[n.min(1)] * x[0];\n"),
            3 => format!(
                "let mut {name}: f64 = {wild};\nif flag {{ {name} = {y}; }}\ns += {name} * x[2];\n"
            ),
            4 => {
                let note = if singular_at_0(&wild) { super::POLE } else { "" };
                format!(
                    "let {name}: f64 = {wild};{note}\ns += if {name}.is_finite() {{ {name}.sin() }} else {{ {y} }};\n"
                )
            }
            5 => format!("s += safe({y}, zero);\n"),
            6 => format!("s += softplus({y} * 900.0 + 800.0);\n"),
            7 => format!(
                "let ({name}, {name}b): (f64, f64) = ({wild}, {y});\nlet _ = {name};\ns += {name}b * {y};\n"
            ),
            8 => format!(
                "let {name}: f64 = {wild};\nlet {name}b: f64 = match n {{ 100.. => {name} * {name}, _ => {y} }};\ns += {name}b;\n"
            ),
            _ => format!(
                "let {name} = vec![{wild}, {y}, x[3]];\nfor r in {name}.iter().skip(1) {{ s += r * x[0]; }}\n"
            ),
        }
    }

    /// A loop over integers at the ends of their type.
    fn range(&mut self) -> String {
        let (ty, low, high) = ENDS[self.choices.below(ENDS.len())];
        let range = match self.choices.below(5) {
            0 => format!("({low}{ty}..{high})"),
            1 => format!("({low}{ty}..={high})"),
            2 => format!("({high}{ty}..={high})"),
            3 => format!("({high}{ty}..{low})"),
            _ if low == "252" => format!("({low}..=LAST)"),
            _ => format!("({low}..={ty}::MAX.min({high}))"),
        };
        let value = format!("(r as f64 * 1e-3).sin() * {}", self.float());
        match self.choices.below(13) {
            0 => format!("for r in {range} {{ s += {value}; }}\n"),
            1 => format!("for r in {range}.rev() {{ s = s * 0.5 + {value}; }}\n"),
            2 => format!("for (j, r) in {range}.enumerate() {{ s += x[j % 4] * {value}; }}\n"),
            3 => format!("for (r, v) in {range}.zip(x) {{ s += v * {value}; }}\n"),
            4 => format!("for (v, r) in x.iter().zip({range}) {{ s += v * {value}; }}\n"),
            5 => format!("for r in {range}.step_by(2) {{ s += {value}; }}\n"),
            6 => format!("for r in {range}.skip(1) {{ s += {value}; }}\n"),
            7 => format!("for r in {range}.take(2) {{ s += {value}; }}\n"),
            8 => format!("s += {range}.map(|r| {value}).sum::<f64>();\n"),
            9 => format!("for (r, j) in {range}.zip(0..) {{ s += x[j % 4] * {value}; }}\n"),
            10 => format!("for (r, j) in {range}.zip(250u8..) {{ s += (j as f64) * {value}; }}\n"),
            11 => format!(
                "for (r, j) in {range}.rev().zip((0..4usize).rev()) {{ s += x[j] * {value}; }}\n"
            ),
            _ => format!("for r in {range}.chain({range}) {{ s += {value}; }}\n"),
        }
    }

    /// Sorting and choosing among equal elements.
    fn ties(&mut self) -> String {
        let (name, count) = (self.fresh(), [6, 12, 25, 40, 70][self.choices.below(5)]);
        let period = 1 + self.choices.below(5);
        let mut text = format!(
            "let mut {name}: Vec<(f64, f64)> = (0..{count}usize).map(|j| ((j * 7 % {period}) as f64, x[j % 4] * j as f64)).collect();\n"
        );
        let how = match self.choices.below(9) {
            0 => format!("{name}.sort_by(|a, b| a.0.total_cmp(&b.0));\n"),
            1 => format!("{name}.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));\n"),
            2 => format!("{name}.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap());\n"),
            3 => format!("{name}.sort_unstable_by(|a, b| b.0.partial_cmp(&a.0).unwrap());\n"),
            4 => format!("{name}.sort_by_key(|a| a.0 as i64);\n"),
            5 => format!("{name}.sort_unstable_by_key(|a| a.0 as i64);\n"),
            6 => format!("{name}.sort_by_cached_key(|a| -(a.0 as i64));\n"),
            7 => format!(
                "{name}.select_nth_unstable_by({}, |a, b| a.0.total_cmp(&b.0));\n",
                count / 2
            ),
            _ => format!(
                "{name}.reverse();\n{name}.sort_unstable_by(|a, b| (a.0 % 2.0).total_cmp(&(b.0 % 2.0)));\n"
            ),
        };
        text += &how;
        let _ = writeln!(
            text,
            "for (j, (_, r)) in {name}.iter().enumerate() {{ s += r * (j as f64 * 0.01); }}"
        );
        text
    }

    /// The first and the last of equal numbers.
    fn extremes(&mut self) -> String {
        let (a, b, name) = (self.float(), self.float(), self.fresh());
        match self.choices.below(8) {
            0 => format!(
                "let {name} = [{a}, {a} * 1.0, {b}];\ns += {name}.iter().copied().fold(f64::NEG_INFINITY, f64::max) * x[1];\n"
            ),
            1 => format!("s += ({a}).min(large) + ({b}).max(-large);\n"),
            2 => format!("s += ({a}).clamp(-large, large);\n"),
            3 => format!(
                "let {name} = [x[0], {a}, x[0]];\ns += {name}.iter().copied().max_by(|u, v| u.total_cmp(v)).unwrap() * {b};\n"
            ),
            4 => format!(
                "let {name} = [x[1], {a}, x[1]];\ns += {name}.iter().copied().reduce(f64::min).unwrap() * {b};\n"
            ),
            5 => format!("s += (zero * {a}).max({b});\n"),
            6 => format!("s += ({a}).max(zero / zero) * {b};\n"),
            _ => format!("s += norm(&[{a}, {b}, zero]);\n"),
        }
    }

    /// Integers that wrap, saturate and are shifted.
    fn integers(&mut self) -> String {
        let (a, name) = (self.float(), self.fresh());
        let value = match self.choices.below(12) {
            0 => "(n as u8).wrapping_sub(200)",
            1 => "(n as i8).wrapping_mul(100)",
            2 => "i32::MIN.wrapping_abs().wrapping_add(n as i32)",
            3 => "(u64::MAX - n as u64) % 17",
            4 => "(n as i64 - 5).rem_euclid(4)",
            5 => "(i64::MIN + n as i64) >> 60",
            6 => "(1u32 << (31 - n)) >> 28",
            7 => "(n as u8).saturating_sub(4)",
            8 => "(n as i16 - 4) / 2 % 3",
            9 => "u8::MAX.checked_add(n as u8).unwrap_or(7)",
            10 => "(!(n as u8)) & 0x1f ^ 3",
            _ => "(n as u128 * 3) % 5",
        };
        match self.choices.below(4) {
            0 => format!("let {name} = {value};\ns += {a} * {name} as f64 * 1e-3;\n"),
            1 => format!("let {name} = {value};\nif {name} > 2 {{ s += {a}; }}\n"),
            2 => format!("let {name} = ({value}) as usize % 4;\ns += x[{name}] * {a};\n"),
            _ => format!("let {name} = ({value}) as i32 % 5;\ns += ({a} + 2.0).powi({name});\n"),
        }
    }

    /// Numbers that are cast at the ends of types.
    fn casts(&mut self) -> String {
        let (a, name) = (self.float(), self.fresh());
        match self.choices.below(10) {
            0 => {
                format!("let {name} = ({a} * 1e30) as i32;\ns += x[1] * ({name} as f64 * 1e-9);\n")
            }
            1 => format!(
                "let {name} = (-{a} * {a} - 1.0) as u8;\ns += x[1] * {name} as f64 + {a};\n"
            ),
            2 => format!("let {name} = (zero / zero) as i64;\ns += x[2] * {name} as f64 + {a};\n"),
            3 => format!("let {name} = {a} as f32;\ns += ({name} * 0.0) as f64 + {a};\n"),
            4 => format!("let {name} = large as usize;\nif {name} > 100 {{ s += {a}; }}\n"),
            5 => format!("s += ({a} + 700.0) % 7.0;\n"),
            6 => format!("s += ({a}).rem_euclid(2.5) + ({a}).div_euclid(2.5);\n"),
            7 => format!("s += ({a} + 2.0).powi(i32::MIN) * 0.0 + {a};\n"),
            8 => format!("s += ({a} * 1e-320) * 1e300 + {a};\n"),
            _ => format!(
                "s += ({a} * 30.0).tanh() + (-{a} * {a} * 50.0).exp_m1() + (x[0] * 1e-17).ln_1p();\n"
            ),
        }
    }
}
