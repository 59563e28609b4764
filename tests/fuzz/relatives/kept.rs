//! Code that the macro does not take apart, which writes variables in the ways that Rust has. Derivatives read the variables before
//! and behind it, so a write that is not seen shows in them.

use super::{Choices, Helper, declared, function};

const HELPERS: [Helper; 14] = [
    (
        "Holder",
        "#[derive(Clone, Copy, Default, Differentiable)]\npub struct Holder { pub u: f64, pub k: usize }",
    ),
    (
        "Couple",
        "#[derive(Clone, Copy, Default, Differentiable)]\npub struct Couple(pub f64, pub f64);",
    ),
    (
        "Lent",
        "pub struct Lent<'a> { pub u: &'a mut f64 }\nimpl Lent<'_> { fn first(self) -> usize { *self.u *= 1.5; 2 } fn len(&mut self) -> usize { *self.u += 0.25; 1 } }",
    ),
    (
        "Meter",
        "#[derive(Clone, Differentiable)]\npub struct Meter(pub f64);\nimpl Meter {\n\
         fn get(&self, u: &mut f64) -> usize { *u *= 2.0; tick(1); 3 }\n\
         fn exp(&self, u: &mut f64) -> f64 { *u += 0.5; self.0 }\n\
         fn min(&self, u: &mut usize) -> usize { *u += 1; 4 }\n\
         fn first(&mut self) -> f64 { self.0 += 1.0; tick(2); self.0 }\n\
         fn iter(&mut self) -> std::ops::Range<usize> { self.0 *= 2.0; 0..2 }\n}",
    ),
    // Its state is behind no reference, so that it may be read anywhere.
    (
        "DIAL",
        "pub struct Dial;\nconst DIAL: Dial = Dial;\nimpl Dial { fn get(&self) -> f64 { tick(3) as f64 * 0.5 + 0.25 } fn len(&self) -> usize { tick(12) + 1 } }\n\
         impl std::ops::Index<usize> for Dial { type Output = f64; fn index(&self, i: usize) -> &f64 { &[0.5, 1.5, 2.5][(i + tick(4)) % 3] } }\n\
         impl PartialEq<usize> for Dial { fn eq(&self, o: &usize) -> bool { tick(5) > *o } }",
    ),
    (
        "Pen",
        "#[derive(Clone, Copy)]\npub struct Pen(pub usize);\n\
         impl std::ops::Shl<&mut f64> for Pen { type Output = usize; fn shl(self, u: &mut f64) -> usize { *u += 0.5; tick(6); self.0 } }\n\
         impl std::ops::BitOr<usize> for Pen { type Output = Pen; fn bitor(self, o: usize) -> Pen { tick(7); Pen(self.0 + o) } }\n\
         impl std::ops::BitXorAssign<usize> for Pen { fn bitxor_assign(&mut self, o: usize) { tick(8); self.0 += 2 * o; } }\n\
         impl std::ops::Not for Pen { type Output = usize; fn not(self) -> usize { tick(9); self.0 % 5 } }",
    ),
    ("raise", "fn raise(u: &mut f64) -> usize { *u += 0.75; tick(10); 2 }"),
    ("raise_both", "fn raise_both(p: (&mut f64, f64)) { *p.0 *= p.1; tick(11); }"),
    ("raise_all", "fn raise_all(list: &mut [f64]) { for u in list { *u *= 1.25; } }"),
    ("raise_some", "fn raise_some(u: Option<&mut f64>) { if let Some(u) = u { *u += 0.5; } }"),
    ("raise_lent", "fn raise_lent(list: [&mut f64; 2]) { for u in list { *u += 0.25; } }"),
    ("set", "macro_rules! set { ($u:ident, $e:expr) => { $u = $e } }"),
    (
        "measured",
        "#[adjoint(independents(y), passive(d))]\nfn measured(y: f64, d: &Dial) -> f64 { let u: f64 = d.get(); (y * u).sin() }",
    ),
    ("scaled", "#[adjoint]\nfn scaled(y: f64, u: f64) -> f64 { y * u * y }"),
];

const VARIABLES: [Helper; 12] = [
    ("a", "let mut a: f64 = 1.25;"),
    ("b", "let mut b: f64 = 0.75;"),
    ("k", "let mut k: usize = 1;"),
    ("p", "let mut p: (f64, usize) = (1.5, 2);"),
    ("q", "let mut q: [f64; 3] = [0.5, 1.5, 1.0];"),
    ("h", "let mut h: Holder = Holder { u: 1.5, k: 1 };"),
    ("w", "let mut w: Couple = Couple(0.5, 1.5);"),
    ("l", "let mut l: Vec<f64> = vec![1.0, 0.5, 1.5];"),
    ("e", "let mut e: Option<f64> = Some(1.5);"),
    ("meter", "let mut meter: Meter = Meter(0.5);"),
    ("pen", "let mut pen: Pen = Pen(1);"),
    ("y", "let mut y: f64 = x[0] * x[1];"),
];

/// What reads the variables, as a number.
const READS: [Helper; 11] = [
    ("a", "a"),
    ("b", "b"),
    ("k", "k as f64"),
    ("p", "p.0"),
    ("p", "p.1 as f64"),
    ("q", "q[1]"),
    ("q", "q[k % 3]"),
    ("h", "h.u"),
    ("l", "l[0]"),
    ("w", "w.1"),
    ("e", "e.unwrap_or(0.25)"),
];

struct Kept<'a> {
    choices: &'a mut Choices,
    names: usize,
    /// The variables that are written, most of the time: reads of others show nothing.
    written: Vec<&'static str>,
}

pub(super) fn items(choices: &mut Choices) -> (String, String) {
    let mut kept = Kept { choices, names: 0, written: Vec::new() };
    let mut body = kept.read();
    for _ in 0..1 + kept.choices.below(2) {
        body += &kept.statement(0);
        body += &kept.read();
    }
    let body = declared(&VARIABLES, &format!("{body}y * x[2] + x[3]\n"));
    function(choices, &HELPERS, &body)
}

impl Kept<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("r{}", self.names)
    }

    fn value(&mut self) -> String {
        let written: Vec<&'static str> = READS
            .iter()
            .filter(|(name, _)| self.written.contains(name))
            .map(|(_, read)| *read)
            .collect();
        if !written.is_empty() && !self.choices.once_in(4) {
            return self.choices.of(&written).to_owned();
        }
        READS[self.choices.below(READS.len())].1.to_owned()
    }

    /// Active code that reads.
    fn read(&mut self) -> String {
        let (one, other) = (self.value(), self.value());
        match self.choices.below(6) {
            0 => format!("y = y * x[1] * ({one});\n"),
            1 => format!("y = y.sin() * ({one}) + x[2] * ({other});\n"),
            2 => format!("y += x[3] * x[0] * ({one});\n"),
            3 => format!("y = scaled(y.cos(), {one}) + x[1];\n"),
            4 => format!("if {one} > 1.6 {{ y = y * x[0]; }} else {{ y = y * {other} * x[3]; }}\n"),
            _ => format!("for r in 0..3 {{ y = (y * x[r] * ({one})).sin(); }}\n"),
        }
    }

    /// A statement with code that is kept.
    fn statement(&mut self, depth: usize) -> String {
        match self.choices.below(if depth > 0 { 9 } else { 13 }) {
            0..=8 => self.loop_over_text(),
            9 => self.alone(),
            10 => self.repeated(),
            11 => self.state(),
            _ => format!("for _ in 0..n {{\n{}{}}}\n", self.statement(depth + 1), self.read()),
        }
    }

    /// A loop that the macro does not know, with writes inside.
    fn loop_over_text(&mut self) -> String {
        let writes: String = (0..1 + self.choices.below(2)).map(|_| self.write(0)).collect();
        match self.choices.below(7) {
            0 => format!("for g in \"ab c\".chars() {{\nif g != ' ' {{\n{writes}}}\n}}\n"),
            1 => format!("for g in \"abc\".bytes().rev() {{\nlet _ = g;\n{writes}}}\n"),
            2 => format!("if let Some(g) = \"ab\".chars().next() {{\nlet _ = g;\n{writes}}}\n"),
            3 => format!(
                "match [\"up\", \"down\"][k % 2] {{ \"up\" => {{\n{writes}}}\n_ => {{ k += 2; }}\n}}\n"
            ),
            4 => {
                let name = self.fresh();
                format!(
                    "let mut {name} = std::collections::VecDeque::from([1_usize, 2]);\nwhile let Some(g) = {name}.pop_front() {{\nlet _ = g;\n{writes}}}\n"
                )
            }
            5 => {
                let name = self.fresh();
                format!(
                    "let {name} = std::collections::BTreeMap::from([(1_usize, 0.5_f64), (4, 1.5)]);\nfor (g, u) in &{name} {{\nlet _ = (g, u);\n{writes}}}\n"
                )
            }
            _ => format!("for g in \"one two\".split(' ') {{\nif g.len() > 2 {{\n{writes}}}\n}}\n"),
        }
    }

    /// A write as a statement.
    fn write(&mut self, depth: usize) -> String {
        let (text, written) = match self.choices.below(8) {
            0 => self.destructuring(),
            1 => self.by_pattern(),
            2 => self.by_call(),
            3 => self.by_reference(),
            4 => self.by_method(),
            5 => self.by_iterator(),
            6 => self.direct(),
            _ if depth < 1 => {
                let inner = self.write(depth + 1);
                let name = self.fresh();
                let text = match self.choices.below(3) {
                    0 => format!("{{\n{inner}}}\n"),
                    1 => format!("for _ in 0..2 {{\n{inner}}}\n"),
                    _ => format!("let mut {name} = || {{\n{inner}}};\n{name}();\n{name}();\n"),
                };
                return text;
            }
            _ => self.direct(),
        };
        self.written.extend_from_slice(written);
        text.to_owned()
    }

    fn one(
        &mut self,
        list: &[(&'static str, &'static [&'static str])],
    ) -> (&'static str, &'static [&'static str]) {
        list[self.choices.below(list.len())]
    }

    fn destructuring(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("(a, b) = (b, a + b);\n", &["a", "b"]),
            ("[a, b] = [b + 0.5, a];\n", &["a", "b"]),
            ("(a, _) = (a * 1.5, 0);\n", &["a"]),
            ("Couple(a, b) = Couple(b, a * 1.25);\n", &["a", "b"]),
            ("Holder { u: a, k } = Holder { u: a + 0.5, k: k + 1 };\n", &["a", "k"]),
            ("Holder { u: b, .. } = Holder { u: b + 0.5, k: 3 };\n", &["b"]),
            ("(k, [a, .., q[0]]) = (k + 1, [a * 1.5, 2.0, 0.5]);\n", &["k", "a", "q"]),
            ("(p.0, h.u) = (h.u, p.0 + 0.25);\n", &["p", "h"]),
            ("((a, k), b) = ((b, k + 2), 0.5);\n", &["a", "k", "b"]),
            ("[q[0], q[k % 3]] = [q[1], q[0] + 0.5];\n", &["q"]),
            ("(*&mut a, b) = (b + 0.5, a);\n", &["a", "b"]),
            ("(a, ..) = (a + 0.5, 1, 2);\n", &["a"]),
        ])
    }

    fn by_pattern(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("{ let (ref mut u, ref mut m) = p; *u += 0.5; *m += 1; }\n", &["p"]),
            ("{ let ref mut u = a; *u += 0.5; }\n", &["a"]),
            ("{ let (u, m) = &mut p; *u *= 1.5; *m += 1; }\n", &["p"]),
            ("match &mut p { (u, 0) => *u = 2.0, (u, m) => { *u += 0.25; *m += 1; } }\n", &["p"]),
            ("match p { (ref mut u, _) if *u > 0.0 => *u += 0.5, _ => () }\n", &["p"]),
            ("{ let Holder { u, k: m } = &mut h; *u += 0.5; *m += 1; }\n", &["h"]),
            ("{ let [u, .., v] = &mut q; std::mem::swap(u, v); }\n", &["q"]),
            ("{ let [_, ref mut rest @ ..] = q; rest[0] += 0.5; }\n", &["q"]),
            ("if let Some(u) = &mut e { *u += 0.5; }\n", &["e"]),
            ("if let Some(ref mut u) = e { *u *= 1.5; }\n", &["e"]),
            ("if let [u, ..] = l.as_mut_slice() { *u += 0.5; }\n", &["l"]),
            ("{ let Couple(_, v) = &mut w; *v *= 1.5; }\n", &["w"]),
            ("{ let (u, v) = (&mut a, &mut b); *u += 0.5; *v *= 1.5; }\n", &["a", "b"]),
            ("{ let (&mut ref mut u, _) = (&mut a, 0); *u += 0.5; }\n", &["a"]),
        ])
    }

    fn by_call(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("raise(&mut a);\n", &["a"]),
            ("k += raise(&mut p.0);\n", &["k", "p"]),
            ("raise_both((&mut a, 1.5));\n", &["a"]),
            ("raise_both((&mut q[k % 3], 1.5));\n", &["q"]),
            ("raise_all(&mut q);\n", &["q"]),
            ("raise_all(&mut l[1..]);\n", &["l"]),
            ("raise_all(std::slice::from_mut(&mut a));\n", &["a"]),
            ("raise_some(Some(&mut b));\n", &["b"]),
            ("raise_some(e.as_mut());\n", &["e"]),
            ("raise_some(l.last_mut());\n", &["l"]),
            ("raise_lent([&mut a, &mut b]);\n", &["a", "b"]),
            ("k += Lent { u: &mut a }.first();\n", &["k", "a"]),
            ("k += Lent { u: &mut h.u }.len();\n", &["k", "h"]),
            ("drop(std::mem::replace(&mut a, 2.0));\n", &["a"]),
            ("std::mem::swap(&mut a, &mut h.u);\n", &["a", "h"]),
            ("Option::insert(&mut e, 2.5);\n", &["e"]),
            ("set!(a, a + 0.5);\n", &["a"]),
            ("f64::clone_from(&mut a, &2.5);\n", &["a"]),
            ("*Some(&mut b).unwrap() = 2.0;\n", &["b"]),
            ("(if k > 1 { raise } else { raise })(&mut b);\n", &["b"]),
        ])
    }

    fn by_reference(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("{ let u = &mut a; *u += 0.5; }\n", &["a"]),
            ("{ let u = &mut &mut a; **u += 0.5; }\n", &["a"]),
            ("{ let u = if k > 1 { &mut a } else { &mut b }; *u += 0.5; }\n", &["a", "b"]),
            ("{ let mut u = &mut a; *u += 0.5; u = &mut b; *u *= 1.5; }\n", &["a", "b"]),
            ("*(&mut a) += 0.5;\n", &["a"]),
            ("{ let u = Some(&mut a); if let Some(u) = u { *u += 0.5; } }\n", &["a"]),
            ("{ let u = Lent { u: &mut b }; *u.u += 0.5; }\n", &["b"]),
            ("{ let u = std::cell::Cell::from_mut(&mut a); u.set(u.get() + 0.5); }\n", &["a"]),
            ("{ let u = vec![&mut a, &mut b]; for v in u { *v += 0.5; } }\n", &["a", "b"]),
            ("{ let u = Box::new(&mut a); **u += 0.5; }\n", &["a"]),
            ("{ let (u, v) = l.split_at_mut(1); std::mem::swap(&mut u[0], &mut v[1]); }\n", &["l"]),
        ])
    }

    fn by_method(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("k += meter.get(&mut a);\n", &["k", "a"]),
            ("b += meter.exp(&mut a);\n", &["a", "b"]),
            ("p.1 += meter.min(&mut k);\n", &["k", "p"]),
            ("a += meter.first();\n", &["a"]),
            ("for g in meter.iter() { k += g + 1; }\nb += meter.0;\n", &["k", "b"]),
            ("a += DIAL.get();\n", &["a"]),
            ("k += DIAL.len();\n", &["k"]),
            ("a += DIAL[k];\n", &["a"]),
            ("if DIAL == 1 { k += 1; }\n", &["k"]),
            ("k += pen << &mut a;\n", &["k", "a"]),
            ("pen = pen | 1;\nk += !pen;\n", &["k"]),
            ("pen ^= 1;\nk += pen.0;\n", &["k"]),
            ("e.get_or_insert(2.0);\ne = e.map(|u| u + 0.5);\n", &["e"]),
            ("if let Some(u) = e.take() { a += u; }\n", &["a", "e"]),
            ("a.clone_from(&b);\nb += 0.5;\n", &["a", "b"]),
            ("e.as_mut().map(|u| *u += 0.5);\n", &["e"]),
            ("l.retain_mut(|u| { *u += 0.5; true });\n", &["l"]),
            ("l.rotate_left(1);\n", &["l"]),
            ("k += c.bump();\n", &["k"]),
            ("a += c.get();\n", &["a"]),
        ])
    }

    fn by_iterator(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("for u in [&mut a, &mut b] { *u += 0.5; }\n", &["a", "b"]),
            ("for u in q.iter_mut() { *u += 0.5; }\n", &["q"]),
            ("q.iter_mut().rev().for_each(|u| *u *= 1.5);\n", &["q"]),
            ("for u in &mut l { *u += 0.25; }\n", &["l"]),
            ("l.iter_mut().skip(1).take(1).for_each(|u| *u += 0.5);\n", &["l"]),
            ("for (u, v) in q.iter_mut().zip([0.5, 0.25]) { *u += v; }\n", &["q"]),
            ("for u in e.iter_mut() { *u += 0.5; }\n", &["e"]),
            (
                "if let Some(u) = l.iter_mut().max_by(|u, v| u.total_cmp(v)) { *u = 0.25; }\n",
                &["l"],
            ),
            ("(0..2).for_each(|m| k += m + 1);\n", &["k"]),
            ("let _ = l.iter().map(|u| { a += u; 1 }).count();\n", &["a"]),
            ("l.sort_by(|u, v| { k += 1; v.total_cmp(u) });\n", &["l", "k"]),
            (
                "l.extend(std::iter::from_fn(|| { k += 1; (k % 3 != 0).then_some(0.5) }));\n",
                &["k", "l"],
            ),
            ("a = q.iter().fold(a, |u, v| u + v);\n", &["a"]),
        ])
    }

    fn direct(&mut self) -> (&'static str, &'static [&'static str]) {
        self.one(&[
            ("a += 0.5;\n", &["a"]),
            ("b *= a;\n", &["b"]),
            ("k += 2;\n", &["k"]),
            ("k <<= 1;\n", &["k"]),
            ("p.0 += 0.5;\np.1 += 1;\n", &["p"]),
            ("q[k % 3] += 0.5;\n", &["q"]),
            ("h.u *= 1.5;\nh.k += 1;\n", &["h"]),
            ("e = e.map(|u| u + 0.5);\n", &["e"]),
            ("h = Holder { u: h.u + 0.5, ..h };\n", &["h"]),
            ("a = { b += 0.25; b };\n", &["a", "b"]),
            ("l[0] += 0.5;\n", &["l"]),
            ("a = if k > 1 { a + 0.5 } else { 2.0 };\n", &["a"]),
        ])
    }

    /// A write outside of a loop, with values that unknown code makes.
    fn alone(&mut self) -> String {
        let write = self.write(1);
        let name = self.fresh();
        match self.choices.below(3) {
            0 => write,
            1 => {
                format!("let {name}: usize = {{\n{write}k + 1 }};\ny = y * {name} as f64 * x[0];\n")
            }
            _ => format!(
                "let {name}: usize = \"abc\".chars().filter(|g| {{\nlet _ = g;\n{write}true }}).count();\ny = y * {name} as f64 * x[0];\n"
            ),
        }
    }

    /// Code that would run again in the backward sweep: it must not, or the function is refused.
    fn repeated(&mut self) -> String {
        let name = self.fresh();
        match self.choices.below(4) {
            0 => "y = y * measured(x[1], &DIAL);\n".to_owned(),
            1 => format!("let {name}: f64 = DIAL.get();\ny = (y * {name} * x[1]).sin();\n"),
            2 => format!(
                "let {name} = {{\n#[checkpoint]\nmeasured(x[1], &DIAL)\n}};\ny = y * {name};\n"
            ),
            _ => format!(
                "for _ in 0..2 {{\nlet {name}: f64 = DIAL[k];\ny = (y * {name} * x[1]).sin();\n}}\n"
            ),
        }
    }

    /// State behind a shared reference.
    fn state(&mut self) -> String {
        let name = self.fresh();
        match self.choices.below(4) {
            0 => format!("let {name}: usize = c.bump();\ny = y * x[2] * {name} as f64;\n"),
            1 => format!("let {name}: f64 = c.get();\ny = y.sin() * {name};\n"),
            2 => format!(
                "c.count.set(4);\nlet {name}: usize = c.count.get();\ny = y * {name} as f64 * x[1];\n"
            ),
            _ => format!(
                "let {name} = std::cell::Cell::new(2_usize);\n{name}.set({name}.get() + k);\nlet {name}b: usize = {name}.get();\ny = y * {name}b as f64 * x[1];\n"
            ),
        }
    }
}
