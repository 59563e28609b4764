//! Random expressions.

use super::{Generator, Kind, LEN};

impl Generator<'_> {
    pub(super) fn literal(&mut self) -> String {
        ["0.5", "2.0", "0.3", "1.5", "-0.7", "1.0", "0.0"][self.rng.usize(..7)].to_owned()
    }

    /// A float that is in a variable: of a type that rustc knows.
    pub(super) fn known(&mut self) -> String {
        let floats = self.of_kind(Kind::Float);
        let references = self.of_kind(Kind::Reference);
        match self.rng.usize(..8) {
            0 => match self.pick(&references) {
                Some(name) => format!("*{name}"),
                None => self.known(),
            },
            1 | 2 => {
                let lists = self.lists(false);
                match self.pick(&lists) {
                    Some(list) => {
                        let index = self.index(&list);
                        format!("{list}[{index}]")
                    }
                    None => "x".to_owned(),
                }
            }
            3 => {
                let pairs = self.of_kind(Kind::Pair);
                match self.pick(&pairs) {
                    Some(pair) => format!("{pair}.{}", self.rng.usize(..2)),
                    None => "x".to_owned(),
                }
            }
            // The parameter that is always there, unless it is out of sight.
            _ => self.pick(&floats).unwrap_or_else(|| "1.0_f64".to_owned()),
        }
    }

    /// An index that is in bounds.
    pub(super) fn index(&mut self, list: &str) -> String {
        let kind = self.variables.iter().find(|variable| variable.name == list);
        let is_vec = kind.is_some_and(|variable| variable.kind == Kind::Vec);
        let integers = self.of_kind(Kind::Int);
        match (self.pick(&integers), is_vec) {
            (Some(int), true) => format!("{int} % {list}.len()"),
            (Some(int), false) if self.rng.usize(..3) > 0 => {
                let offset = self.rng.usize(..3);
                format!("({int} + {offset}) % {LEN}")
            }
            (None, true) if self.rng.bool() => format!("{list}.len() - 1"),
            (None, true) => "0".to_owned(),
            (_, false) => format!("{}", self.rng.usize(..LEN)),
        }
    }

    pub(super) fn test(&mut self) -> String {
        let integers = self.of_kind(Kind::Int);
        match (self.rng.usize(..5), self.pick(&integers)) {
            (0, Some(int)) => format!("{int} % 2 == 0"),
            (1, Some(int)) => format!("{int} > {}", self.rng.usize(..3)),
            (2, _) => format!("{}.sin() > {}", self.receiver(), self.literal()),
            _ => format!("{} > {}", self.float(1), self.float(1)),
        }
    }

    /// Something that a method can be called of.
    fn receiver(&mut self) -> String {
        let known = self.known();
        if self.rng.bool() {
            format!("({known})")
        } else {
            format!("({known} * {})", self.float(0))
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.rng.usize(..4) == 0 { self.literal() } else { self.known() };
        }
        let inner = depth - 1;
        match self.rng.usize(..28) {
            0..=3 => format!("({} + {})", self.float(inner), self.float(inner)),
            4 => format!("({} - {})", self.float(inner), self.float(inner)),
            5..=8 => format!("({} * {})", self.float(inner), self.float(inner)),
            9 => {
                let below = self.known();
                format!("({} / (1.0 + {below} * {below}))", self.float(inner))
            }
            10 => format!("{}.sin()", self.receiver()),
            11 => format!("f64::cos({})", self.float(inner)),
            12 => format!("{}.tanh()", self.receiver()),
            13 => format!("{}.powi({})", self.receiver(), self.rng.usize(1..4)),
            14 => format!("{}.max({})", self.receiver(), self.float(inner)),
            15 => {
                let (test, a, b) = (self.test(), self.float(inner), self.float(inner));
                format!("(if {test} {{ {a} }} else {{ {b} }})")
            }
            16 => {
                let name = self.fresh("t");
                let value = self.float(inner);
                format!("{{ let {name}: f64 = {value}; {name} * {name} + {} }}", self.float(inner))
            }
            17..=20 => self.chain(inner),
            21 => {
                let name = self.fresh("c");
                let body = self.float(inner);
                let (a, b) = (self.float(inner), self.float(0));
                format!("{{ let {name} = |t: f64| t * {body}; {name}({a}) + {name}({b}) }}")
            }
            22 if self.has_helper => {
                let lists = self.lists(false);
                let argument = self.float(inner);
                match self.pick(&lists) {
                    Some(list) => format!("helper({argument}, &{list}[..])"),
                    None => format!("helper({argument}, &[{argument}, 0.5, x])"),
                }
            }
            23 => {
                let test = self.test();
                let (a, b) = (self.float(inner), self.float(inner));
                let label = self.fresh("'b");
                format!("{label}: {{ if {test} {{ break {label} {a}; }} {b} }}")
            }
            24 => self.parts(inner),
            25 => {
                let integers = self.of_kind(Kind::Int);
                let Some(int) = self.pick(&integers) else { return self.float(inner) };
                let (a, b) = (self.float(inner), self.float(inner));
                format!(
                    "(match {int} % 3 {{ 0 => {a}, 1 => {int} as f64 * {b}, _ => {} }})",
                    self.known()
                )
            }
            _ => self.known(),
        }
    }

    /// Parts of lists, lists of lists, and closures that take them.
    fn parts(&mut self, depth: usize) -> String {
        let lists = self.lists(false);
        let (a, b) = (self.float(depth.min(1)), self.float(0));
        let test = self.test();
        match (self.pick(&lists), self.rng.usize(..7)) {
            (_, 0) => format!("[[{a}, {b}], [0.5, {a}]][{}][1]", self.rng.usize(..2)),
            (_, 1) => format!(
                "{{ let rows = vec![vec![{a}], vec![{b}, x]]; rows[1][0] * rows[0][0] + rows.len() as f64 }}"
            ),
            (_, 2) => format!(
                "{{ let pick = |t: f64| {{ if {test} {{ return t * {a}; }} let u = t.cos(); u * {b} }}; pick(x) - pick({b}) }}"
            ),
            (_, 3) => format!(
                "{{ const SCALE: f64 = 0.25; fn least() -> usize {{ 1 }} {a} * SCALE * least() as f64 }}"
            ),
            (_, 4) => format!(
                "{{ let mut k = 0; let mut s: f64 = {a}; loop {{ k += 1; s = s * 0.5 + {b}; if k > 2 {{ break s * s; }} }} }}"
            ),
            (Some(list), 5) => {
                format!(
                    "{{ let part = &{list}[..1]; let of = |l: &[f64], t: f64| l[0] * t; of(part, {a}) + of(&{list}, {b}) }}"
                )
            }
            (Some(list), _) => {
                format!("{{ let (l, r) = {list}.split_at(1); l[0] * {a} + r.iter().sum::<f64>() }}")
            }
            (None, _) => a,
        }
    }

    /// The value of an iterator.
    fn chain(&mut self, depth: usize) -> String {
        let lists = self.lists(false);
        let Some(list) = self.pick(&lists) else { return self.known() };
        let factor = self.float(depth.min(1));
        let literal = self.literal();
        match self.rng.usize(..18) {
            10 => format!(
                "{list}.iter().scan({factor}, |s, t| {{ *s = *s * 0.5 + t; Some(*s) }}).sum::<f64>()"
            ),
            11 => format!(
                "{list}.iter().filter_map(|&t| if t > {literal} {{ Some(t * {factor}) }} else {{ None }}).sum::<f64>()"
            ),
            12 => format!("{list}.iter().copied().fold(f64::NEG_INFINITY, f64::max)"),
            13 => {
                format!("{list}.iter().map(|t| t * {factor}).reduce(|a, b| a * b).unwrap_or(0.5)")
            }
            14 => format!(
                "{list}.chunks(2).map(|c| c[0] * {factor} + c.len() as f64).product::<f64>()"
            ),
            15 => {
                format!("{list}.iter().copied().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()")
            }
            16 => format!(
                "{list}.iter().skip_while(|t| **t < {literal}).map_while(|t| if *t < 2.0 {{ Some(t.sin()) }} else {{ None }}).sum::<f64>()"
            ),
            17 => {
                format!("{list}.iter().step_by(2).zip(1..9).map(|(t, k)| t.powi(k)).sum::<f64>()")
            }
            0 => format!("{list}.iter().sum::<f64>()"),
            1 => format!("{list}.iter().map(|t| t * {factor}).sum::<f64>()"),
            2 => {
                let other = self.pick(&lists).unwrap_or_else(|| list.clone());
                format!(
                    "{list}.iter().zip({other}.iter()).map(|(a, b)| a * b + {factor}).sum::<f64>()"
                )
            }
            3 => format!("{list}.iter().fold({factor}, |s, t| s * 0.5 + t)"),
            4 => format!("{list}.iter().filter(|t| **t > {literal}).map(|t| t * t).sum::<f64>()"),
            5 => format!("{list}.windows(2).map(|t| (t[1] - t[0]) * {factor}).sum::<f64>()"),
            6 => format!("{list}.iter().enumerate().map(|(k, &t)| t * k as f64).sum::<f64>()"),
            7 => format!("{list}.iter().rev().skip(1).take(2).copied().sum::<f64>()"),
            8 => format!("(0..3).map(|k| {factor} * k as f64).sum::<f64>()"),
            _ => format!(
                "{list}.iter().take_while(|t| **t < {literal}).map(|&t| t * {factor}).sum::<f64>()"
            ),
        }
    }
}
