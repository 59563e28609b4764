//! Names: variables that hide each other, in any script and case, constants among patterns, functions that macros make, items that
//! are called like those of the standard library.

use super::{Choices, Helper, function, mentioned};

const HELPERS: [Helper; 19] = [
    ("third", "#[allow(non_upper_case_globals)]\npub const third: usize = 2;"),
    ("FIRST", "pub const FIRST: usize = 1;"),
    (
        "bounds",
        "pub mod bounds { pub const LOW: usize = 0; #[allow(non_upper_case_globals)]\npub const high: usize = 3; pub const SCALE: f64 = 1.5; }",
    ),
    ("half", "#[allow(non_upper_case_globals)]\npub const half: f64 = 0.5;"),
    (
        "pace",
        "#[derive(Clone, Copy, PartialEq)]\n#[allow(non_camel_case_types)]\npub enum Pace { fast, Slow(f64), Named { by: usize } }\nuse Pace::*;\n\
         fn pace(k: usize) -> Pace { match k % 3 { 0 => fast, 1 => Slow(1.5), _ => Named { by: k } } }",
    ),
    (
        "Named2",
        "#[derive(Clone, Copy, Differentiable)]\npub struct Named2 { pub y: f64, pub s: f64, pub ret: f64 }",
    ),
    (
        "mem",
        "pub mod mem { pub fn swap(a: &mut usize, b: &mut usize) { *a += *b; } pub fn take(a: &mut usize) -> usize { *a += 2; *a } pub fn replace(a: &mut usize, b: usize) -> usize { *a *= 2; *a + b } }",
    ),
    (
        "iter",
        "pub mod iter { pub fn once(k: usize) -> [usize; 2] { [k, k + 1] } pub fn repeat_n(k: usize, n: usize) -> Vec<usize> { Vec::from([n, k, 1]) } }",
    ),
    ("vec", "macro_rules! vec { ($($e:expr),*) => { [$($e + 1),*] } }"),
    (
        "Fill",
        "pub trait Fill { fn fill(&mut self, k: usize); fn first(&self) -> usize; }\nimpl Fill for Vec<usize> { fn fill(&mut self, k: usize) { for t in self.iter_mut() { *t *= k; } } fn first(&self) -> usize { self[1] + 7 } }",
    ),
    (
        "FillFloats",
        "pub trait FillFloats { fn fill(&mut self, y: f64); }\nimpl FillFloats for Vec<f64> { fn fill(&mut self, y: f64) { for t in self.iter_mut() { *t *= y; } } }",
    ),
    (
        "Fract",
        "pub trait Fract { fn fract(self) -> f64; fn sin(self) -> f64; }\nimpl Fract for &f64 { fn fract(self) -> f64 { self * 3.0 } fn sin(self) -> f64 { self * self } }",
    ),
    ("max", "#[adjoint]\npub fn max(a: f64, b: f64) -> f64 { a * 0.5 + b * b }"),
    ("swap", "#[adjoint]\npub fn swap(a: &mut f64, b: &mut f64) { *a += *b * 0.5; }"),
    ("sin", "#[adjoint]\npub fn sin(y: f64) -> f64 { y * y + 1.0 }"),
    (
        "Option2",
        "pub mod own { #[derive(Clone, Copy)] pub enum Option { Some(usize), None } impl Option { pub fn unwrap_or(self, k: usize) -> usize { match self { Option::Some(j) => j * 3, Option::None => k + 1 } } } }",
    ),
    (
        "stack",
        "#[adjoint]\npub fn stack(stack: f64, ret: f64) -> f64 { let primal = stack * ret; primal + stack }",
    ),
    ("drop", "fn drop(k: usize) -> usize { k + 3 }"),
    ("twice", "macro_rules! twice { ($e:expr) => { $e * 2 } }"),
];

const WORDS: [&str; 34] = [
    "y", "t", "s2", "ret", "stack", "primal", "test", "trips", "exit", "old", "x_b", "x_d", "y_b",
    "seed", "value", "result", "r#type", "r#match", "len", "exp", "v_len", "entries", "forward",
    "adjoint", "K", "N", "GAMMA", "Y_B", "変数", "Δ", "ω2", "e1", "tangent", "i",
];

struct Names<'a> {
    choices: &'a mut Choices,
    /// The numbers in scope, by name.
    floats: Vec<String>,
    labels: usize,
}

pub(super) fn items(choices: &mut Choices) -> (String, String) {
    if choices.below(5) >= 3 {
        return made_by_macro(choices);
    }
    let mut names = Names { choices, floats: vec!["s".to_owned()], labels: 0 };
    let mut body = "let mut s: f64 = x[0] * x[1];\n".to_owned();
    for _ in 0..2 + names.choices.below(5) {
        body += &names.statement(0);
    }
    let terms: Vec<String> = names
        .floats
        .iter()
        .enumerate()
        .map(|(at, name)| format!("{name} * x[{}]", at % 4))
        .collect();
    let body = format!("{body}{}\n", terms.join(" + "));
    function(choices, &HELPERS, &body)
}

impl Names<'_> {
    fn word(&mut self) -> String {
        // Those in scope are hidden now and then.
        if self.choices.once_in(4) {
            let at = self.choices.below(self.floats.len());
            let name = self.floats[at].clone();
            if name != "s" {
                return name;
            }
        }
        self.choices.of(&WORDS).to_owned()
    }

    fn float(&mut self) -> String {
        let at = self.choices.below(self.floats.len());
        let name = self.floats[at].clone();
        match self.choices.below(5) {
            0 => name,
            1 => format!("x[{}]", self.choices.below(4)),
            2 => format!("({name} + x[{}])", self.choices.below(4)),
            3 => format!("{name}.sin()"),
            _ => format!("{name} * {}", self.float()),
        }
    }

    fn declare(&mut self, name: &str) {
        self.floats.retain(|other| other != name);
        self.floats.push(name.to_owned());
    }

    fn hide(&mut self, name: &str) {
        self.floats.retain(|other| other != name);
    }

    fn inside(&mut self, run: impl FnOnce(&mut Self) -> String) -> String {
        let outside = self.floats.clone();
        let text = run(self);
        self.floats = outside;
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.choices.below(if depth > 1 { 10 } else { 14 }) {
            0 => {
                let (value, name) = (self.float(), self.word());
                self.declare(&name);
                format!("let {name}: f64 = {value};\n")
            }
            1 => {
                let (value, name) = (self.float(), self.word());
                self.declare(&name);
                format!("let mut {name} = {value} * 0.5;\n{name} += x[1];\n")
            }
            2 => self.closure(),
            3 => self.patterns(),
            4 => self.patterns(),
            5 => self.user_items(),
            6 => self.text(),
            7 => self.fields(),
            8 => self.item_inside(),
            9 => {
                let (value, name, other) = (self.float(), self.word(), self.word());
                self.hide(&name);
                self.declare(&other);
                self.declare(&name);
                if name == other {
                    return format!("let {name}: f64 = {value};\n");
                }
                format!("let ({name}, {other}): (f64, f64) = ({value}, x[2] * 0.5);\n")
            }
            10 => {
                let name = self.word();
                let inner = self.inside(|this| {
                    this.hide(&name);
                    let inner = this.statement(depth + 1);
                    format!("{inner}s += q9 as f64 * {};\n", this.float())
                });
                format!("for {name} in 0..3usize {{\nlet q9: usize = {name};\n{inner}}}\n")
            }
            11 => self.inside(|this| {
                let inner = this.statement(depth + 1);
                let value = this.float();
                format!("{{\n{inner}s += {value};\n}}\n")
            }),
            12 => {
                let inner = self.inside(|this| {
                    let inner = this.statement(depth + 1);
                    format!("{inner}{}", this.float())
                });
                let name = self.word();
                self.declare(&name);
                format!("let {name}: f64 = {{\n{inner}\n}};\n")
            }
            _ => {
                self.labels += 1;
                let label = self.choices.of(&["'y", "'s", "'x", "'ret"]);
                let label = format!("{label}{}", self.labels);
                let inner = self.inside(|this| this.statement(depth + 1));
                format!(
                    "{label}: for q in 0..3usize {{\n{inner}if q == n % 3 {{ break {label}; }}\ns += x[q];\n}}\n"
                )
            }
        }
    }

    fn closure(&mut self) -> String {
        let (param, name) = (self.word(), self.choices.of(&["g", "h2", "G", "sinus"]));
        let inner = self.inside(|this| {
            this.declare(&param);
            this.float()
        });
        let (a, b) = (self.float(), self.float());
        match self.choices.below(3) {
            0 => format!(
                "let {name} = |{param}: f64| {inner} + {param};\ns += {name}({a}) * {name}({b});\n"
            ),
            1 => format!("s += x.iter().map(|{param}| {param} * {a}).sum::<f64>();\n"),
            _ => format!(
                "let k2: usize = [Some(3usize), None, Some(1)].iter().map(|{param}| {param}.unwrap_or(2)).sum::<usize>();\ns += k2 as f64 * {a};\n"
            ),
        }
    }

    /// Constants and variants look like variables, and variables like constants.
    fn patterns(&mut self) -> String {
        let name = match self.word() {
            name if name.starts_with("r#") => "N".to_owned(),
            name => name,
        };
        // What is bound here is an integer.
        let outside = self.floats.clone();
        self.hide(&name);
        let (a, b) = (self.float(), self.float());
        self.floats = outside;
        match self.choices.below(12) {
            0 => format!("s += match n % 4 {{ third => {a}, _ => {b} }};\n"),
            1 => format!(
                "s += match n % 4 {{ FIRST => {a}, third => x[0], {name} => {b} * x[2] }};\n"
            ),
            2 => format!(
                "s += match n % 4 {{ bounds::LOW => {a}, bounds::high => {b}, _ => x[1] }};\n"
            ),
            3 => format!("s += match n % 3 {{ 0 => {a}, {name} => x[{name}] * 2.0 }};\n"),
            4 => format!(
                "s += match (n % 3, n % 2) {{ (third, _) => {a}, (_, FIRST) => {b}, _ => x[3] }};\n"
            ),
            5 => format!("s += match x.get(n) {{ Some({name}) => *{name} * {a}, None => {b} }};\n"),
            6 => format!(
                "s += match pace(n) {{ fast => {a}, Slow(by) => by * {b}, Named {{ by }} => x[by % 4] }};\n"
            ),
            7 => format!(
                "s += match pace(n) {{ Slow({name}) => {name} * {a}, fast | Named {{ .. }} => {b} }};\n"
            ),
            8 => format!("if let third = n % 4 {{ s += {a}; }} else {{ s += {b}; }}\n"),
            9 => format!("s += match n {{ third..=4 => {a}, {name} => {b} * {name} as f64 }};\n"),
            10 => format!("s += match x[0] {{ half => {a}, _ => {b} }};\n"),
            _ => format!(
                "s += match n % 4 {{ {name} @ (third | FIRST) => {a} * {name} as f64, _ => {b} }};\n"
            ),
        }
    }

    fn user_items(&mut self) -> String {
        let (a, b) = (self.float(), self.float());
        match self.choices.below(17) {
            0 => format!(
                "let (mut k1, mut k2) = (1usize, n);\nmem::swap(&mut k1, &mut k2);\ns += k1 as f64 * {a};\n"
            ),
            1 => format!(
                "let mut k1 = n;\nlet k2: usize = mem::take(&mut k1);\ns += (k1 + k2) as f64 * {a};\n"
            ),
            2 => format!("for q in iter::once(n) {{ s += q as f64 * {a}; }}\n"),
            3 => {
                format!("let list = vec![n, 2];\nlet k1: usize = list[0];\ns += k1 as f64 * {a};\n")
            }
            4 => format!(
                "{{ let mut list: Vec<usize> = Vec::from([n, 2]);\nFill::fill(&mut list, 3);\nlet k1: usize = list[1];\ns += k1 as f64 * {a}; }}\n"
            ),
            5 => format!("s += max({a}, {b});\n"),
            6 => format!(
                "{{ let (mut u, mut v) = ({a}, {b});\nswap(&mut u, &mut v);\ns += u * v; }}\n"
            ),
            7 => format!("s += sin({a}) - sin({b});\n"),
            8 => format!(
                "let k1: usize = own::Option::Some(n).unwrap_or(1); // Option2\ns += k1 as f64 * {a};\n"
            ),
            9 => format!("s += stack({a}, {b});\n"),
            10 => format!("let k1: usize = drop(n);\ns += k1 as f64 * {a};\n"),
            11 => format!("let k1: usize = twice!(n + 1);\ns += k1 as f64 * {a};\n"),
            12 => format!(
                "let mut k1 = n;\nlet k2: usize = mem::replace(&mut k1, 3);\ns += (k1 * k2) as f64 * {a};\n"
            ),
            13 => format!(
                "let mut list: Vec<usize> = Vec::from([n, 4]); // Fill\nlist.fill(2);\nlet k1: usize = list[0];\ns += k1 as f64 * {a};\n"
            ),
            14 => format!(
                "let list: Vec<usize> = Vec::from([n, 4]); // Fill\nlet k1: usize = list.first();\ns += k1 as f64 * {a};\n"
            ),
            15 => format!("let r9 = &x[0]; // Fract\ns += r9.fract() * {a};\n"),
            _ => format!(
                "{{ let mut list: Vec<f64> = x.to_vec(); // FillFloats\nlist.fill({a});\ns += list[0] * {b}; }}\n"
            ),
        }
    }

    /// Texts that mention variables.
    fn text(&mut self) -> String {
        let name = self.word();
        let name = if name.starts_with("r#") { "w".to_owned() } else { name };
        let a = self.float();
        let text = match self.choices.below(3) {
            0 => format!(
                "let {name} = n;\nlet k8 = {name} * 2;\nlet {name} = {name} + 7;\nlet q8 = format!(\"{{:{name}$}}\", 1);\nlet k9: usize = q8.len() + k8;\ns += k9 as f64;\n"
            ),
            1 => format!(
                "let {name} = n + 10;\nlet q8 = format!(\"{{{name}}}\");\nlet k9: usize = q8.len();\ns += k9 as f64 * x[1];\n"
            ),
            _ => format!(
                "let {name} = n;\nlet {name} = {name} + 95;\nlet k9: usize = format!(\"{{{name}:?}} {{}}\", {name}).len();\ns += k9 as f64 * x[2];\n"
            ),
        };
        format!("s += {a};\n{{\n{text}}}\n")
    }

    fn fields(&mut self) -> String {
        let (a, b) = (self.float(), self.float());
        match self.choices.below(3) {
            0 => format!(
                "{{ let y: f64 = {a};\nlet ret: f64 = {b};\nlet q = Named2 {{ y, s, ret }};\ns += q.y * q.ret - q.s; }}\n"
            ),
            1 => format!(
                "{{ let q = Named2 {{ y: {a}, s: {b}, ret: x[0] }};\nlet Named2 {{ y, s: ret, ret: t }} = q;\ns += y * ret + t; }}\n"
            ),
            _ => format!(
                "{{ let y: Named2 = Named2 {{ y: {a}, s: {b}, ret: s }};\ns = y.y * y.s + y.ret; }}\n"
            ),
        }
    }

    fn item_inside(&mut self) -> String {
        let a = self.float();
        match self.choices.below(4) {
            0 => format!("{{ const GAMMA9: f64 = 1.5;\ns += GAMMA9 * {a}; }}\n"),
            1 => format!(
                "{{ fn size9(y: usize) -> usize {{ let s = y * 2; s + 1 }}\nlet k1: usize = size9(n);\ns += k1 as f64 * {a}; }}\n"
            ),
            2 => format!("{{ use bounds::SCALE as scale9;\ns += scale9 * {a}; }}\n"),
            _ => format!(
                "{{ #[allow(non_upper_case_globals)]\nconst unit9: usize = 1;\ns += match n % 3 {{ unit9 => {a}, _ => x[1] }}; }}\n"
            ),
        }
    }
}

/// What stands in the definition of a macro, where `y` is another variable than the `y` that is passed.
const TEMPLATES: [&str; 30] = [
    "s += $e * $x[2];\n",
    "s = $x[0] * $e * $x[1] + s;\n",
    "s -= $e;\n",
    "s = s * 0.5 - $e - $x[1];\n",
    "s += -$e * $x[0];\n",
    "s /= $e;\n",
    "s += $x[3] / $e;\n",
    "let y = y + $y;\n",
    "let $y = $y * y;\n",
    "let $y = y * 3.0;\n",
    "let y = $y - y;\n",
    "s += y * $y;\n",
    "if $p && $x[0] > 0.5 { s += $x[0]; } else { s += $x[1] * y; }\n",
    "if !$p { s += y; }\n",
    "for j in $k..$k + 2 { s += $x[j % 4] * y; }\n",
    "for $y in 0..2 { s += $y as f64 * y; }\n",
    "for y in 0..2 { s += $y * y as f64; }\n",
    "let g = |y: f64| y * $y + 1.0;\ns += g($x[3]);\n",
    "let g = |$y: f64| y * $y + 1.0;\ns += g($x[2]);\n",
    "s += { let $y = 2.0 * y; $y * y };\n",
    "s += { let y = 2.0 * $y; $y * y };\n",
    "s += match $k { 1 => y, _ => $y };\n",
    "s += match n % 3 { $q => y, _ => $y };\n",
    "s += $k as f64 * y;\n",
    "s += $x[$k % 4] * 2.0;\n",
    "let z: $t = $e;\ns += z * y;\n",
    "s += $l * y;\n",
    "s += $b * $y;\n",
    "let (y, $y) = ($y, y * 0.5);\n",
    "if let Some(y) = $x.get(1) { s += *y * $y; }\n",
];

/// A function that a macro makes of fragments.
fn made_by_macro(choices: &mut Choices) -> (String, String) {
    let mut body =
        "let y = $x[0] * $x[1];\nlet $y = $x[2] + 0.5;\nlet mut s = y * $y;\n".to_owned();
    for _ in 0..1 + choices.below(5) {
        body += choices.of(&TEMPLATES);
    }
    body += "s + y * $x[3] - $y * $x[0]\n";
    let fragments: [(&str, &str, &[&str]); 9] = [
        ("$x", "ident", &["x", "y2"]),
        ("$y", "ident", &["y", "y", "z3", "s"]),
        (
            "$e",
            "expr",
            &[
                "1.5",
                "x[0] + 2.0",
                "1.0 + 2.0",
                "-1.5",
                "x[1] - x[2]",
                "if true { 1.5 } else { 0.5 }",
                "2.0 * x[1]",
                "{ 1.0 } + x[0]",
            ],
        ),
        ("$k", "expr", &["1", "1 + 2", "if true { 1 } else { 2 }", "3 - 1", "2 * 1"]),
        ("$p", "expr", &["true", "true || false", "false || true", "!true", "1 < 2"]),
        ("$q", "pat", &["0", "0 | 1", "1..=2", "_"]),
        ("$t", "ty", &["f64", "core::primitive::f64"]),
        ("$l", "literal", &["1.5", "-0.5", "2.0"]),
        ("$b", "block", &["{ 1.5 }", "{ let y = 0.5; y + 1.0 }"]),
    ];
    let wanted = fragments.iter().filter(|(name, _, _)| *name == "$x" || body.contains(name));
    let mut chosen: Vec<(&str, &str, String)> = Vec::new();
    for (name, kind, values) in wanted {
        chosen.push((name, kind, choices.of(values).to_owned()));
    }
    // The parameter is known by the name that is passed.
    let parameter = chosen[0].2.clone();
    for (_, kind, value) in &mut chosen {
        if *kind == "expr" {
            *value = value.replace("x[", &format!("{parameter}["));
        }
    }
    let params: Vec<String> =
        chosen.iter().map(|(name, kind, _)| format!("{name}:{kind}")).collect();
    let values: Vec<&str> = chosen.iter().map(|(_, _, value)| value.as_str()).collect();
    let attribute = "#[adjoint(independents($x), dependents(return), passive(c))]";
    let function =
        format!("{attribute}\npub fn f($x: &[f64], n: usize, c: &Context) -> f64 {{\n{body}}}\n");
    let mut items = format!(
        "macro_rules! make {{ ({}) => {{\n{function}}} }}\nmake!({});\n",
        params.join(", "),
        values.join(", ")
    );
    // Fragments that have gone through another macro.
    if choices.once_in(3) {
        let names: Vec<&str> = chosen.iter().map(|(name, _, _)| *name).collect();
        let outer = format!(
            "macro_rules! outer {{ ({}) => {{ make!({}); }} }}\nouter!({});\n",
            params.join(", "),
            names.join(", "),
            values.join(", ")
        );
        items = items.replace(&format!("make!({});\n", values.join(", ")), &outer);
    }
    (mentioned(&HELPERS, &items), items)
}
