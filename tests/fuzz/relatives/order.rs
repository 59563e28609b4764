//! Operands with effects: what is evaluated when, and to what a place refers that was named before.

use super::{Choices, Helper, declared, function};

pub(super) const HELPERS: [Helper; 8] = [
    ("Pair", "#[derive(Clone, Copy, Differentiable)]\npub struct Pair { pub u: f64, pub w: f64 }"),
    (
        "next",
        "#[adjoint]\npub fn next(i: &mut usize, y: f64) -> f64 { tick(1); *i = (*i + 1) % 3; y * 2.0 + *i as f64 }",
    ),
    ("grow", "#[adjoint]\npub fn grow(y: &mut f64) -> f64 { tick(2); *y *= 1.25; *y + 1.0 }"),
    ("both", "#[adjoint]\npub fn both(a: &f64, b: f64) -> f64 { a * b }"),
    ("three", "#[adjoint]\npub fn three(a: f64, b: &[f64], c: f64) -> f64 { a * b[0] + b[1] * c }"),
    (
        "change",
        "#[adjoint]\npub fn change(a: &mut f64, k: usize, b: f64) { tick(3); *a = *a * b + k as f64; }",
    ),
    ("step", "pub fn step(k: &mut usize) -> usize { tick(4); *k = (*k + 2) % 3; *k }"),
    (
        "Sum",
        "#[derive(Clone, Copy, Differentiable)]\npub struct Sum { pub u: f64, pub w: f64 }\n#[adjoint]\nimpl std::ops::Add for Sum { type Output = Sum; fn add(self, o: Sum) -> Sum { Sum { u: self.u + o.u, w: self.w * o.w } } }",
    ),
];

const VARIABLES: [Helper; 11] = [
    ("i", "let mut i: usize = 0;"),
    ("j", "let mut j: usize = 1;"),
    ("s", "let mut s: f64 = x[0] * 0.5;"),
    ("t", "let mut t: f64 = x[1] + 0.25;"),
    ("v", "let mut v: Vec<f64> = x.to_vec();"),
    ("w", "let mut w: Vec<f64> = vec![x[2], x[0] * x[3], x[1]];"),
    ("a", "let mut a: [f64; 3] = [x[3], x[0], x[1] * x[2]];"),
    (
        "m",
        "let mut m: Vec<Vec<f64>> = vec![vec![x[0], x[1], 1.5], vec![x[2], 0.5, x[3]], vec![x[1], x[3], x[2]]];",
    ),
    ("p", "let mut p: Pair = Pair { u: x[1], w: x[3] };"),
    ("z", "let mut z: Sum = Sum { u: x[0], w: x[2] };"),
    ("o", "let mut o: Option<f64> = Some(x[2]);"),
];

const LISTS: [&str; 3] = ["v", "w", "a"];

/// Which variables an operand must leave alone, since one before has borrowed them.
#[derive(Clone, Default)]
struct Borrowed {
    shared: Vec<&'static str>,
    exclusive: Vec<&'static str>,
}

impl Borrowed {
    fn may_read(&self, name: &str) -> bool {
        !self.exclusive.contains(&name)
    }

    fn may_write(&self, name: &str) -> bool {
        self.may_read(name) && !self.shared.contains(&name)
    }

    fn with_shared(&self, name: &'static str) -> Self {
        let mut more = self.clone();
        more.shared.push(name);
        more
    }

    fn with_exclusive(&self, name: &'static str) -> Self {
        let mut more = self.clone();
        more.exclusive.push(name);
        more
    }
}

struct Order<'a> {
    choices: &'a mut Choices,
    effects: u32,
    names: usize,
    labels: usize,
}

pub(super) fn items(choices: &mut Choices) -> (String, String) {
    let mut order = Order { choices, effects: 10, names: 0, labels: 0 };
    let mut body = String::new();
    for _ in 0..1 + order.choices.below(4) {
        body += &order.statement(0);
    }
    let parts = [
        ("i", "i as f64 * x[1]"),
        ("j", "j as f64 * x[0]"),
        ("s", "s * x[2]"),
        ("t", "t * x[3]"),
        ("v", "v[0] * v[1] + v[2]"),
        ("w", "w[0] + w[1] * w[2]"),
        ("a", "a[0] * a[2] + a[1]"),
        ("m", "m[0][1] * m[1][2] + m[2][0] + m[1][0]"),
        ("p", "p.u * p.w"),
        ("z", "z.u * z.w"),
        ("o", "o.unwrap_or(0.5)"),
    ];
    let parts = parts.iter().filter(|(name, _)| super::mentions(&body, name));
    let parts: Vec<&str> = parts.map(|(_, part)| *part).collect();
    let sum = if parts.is_empty() { "x[0]".to_owned() } else { parts.join(" + ") };
    let body = declared(&VARIABLES, &format!("{body}{sum}\n"));
    function(choices, &HELPERS, &body)
}

impl Order<'_> {
    fn effect(&mut self) -> u32 {
        self.effects += 1;
        self.effects
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("r{}", self.names)
    }

    /// A list, an index or a number that may be written.
    fn writable(&mut self, among: &[&'static str], borrowed: &Borrowed) -> Option<&'static str> {
        let free: Vec<&'static str> =
            among.iter().copied().filter(|name| borrowed.may_write(name)).collect();
        (!free.is_empty()).then(|| free[self.choices.below(free.len())])
    }

    fn index(&mut self, depth: usize, borrowed: &Borrowed) -> String {
        let plain = self.choices.below(3).to_string();
        match self.choices.below(if depth > 2 { 2 } else { 6 }) {
            0 => plain,
            1 => match self.choices.of(&["i", "j"]) {
                name if borrowed.may_read(name) => name.to_owned(),
                _ => plain,
            },
            2 => match self.writable(&["i", "j"], borrowed) {
                Some(name) => format!("{{ {name} = ({name} + 1) % 3; {name} }}"),
                None => plain,
            },
            3 => format!("(tick({}) % 3)", self.effect()),
            4 => match self.writable(&["j", "i"], borrowed) {
                Some(name) => format!("step(&mut {name})"),
                None => plain,
            },
            _ => {
                let (a, b) = (self.index(depth + 1, borrowed), self.index(depth + 1, borrowed));
                format!("(({a} + {b}) % 3)")
            }
        }
    }

    /// An element or a field, to be read.
    fn element(&mut self, depth: usize, borrowed: &Borrowed) -> String {
        match self.choices.below(5) {
            0 => format!("x[{}]", self.index(depth + 1, borrowed)),
            1 | 2 => match self.choices.of(&LISTS) {
                name if borrowed.may_read(name) => {
                    format!("{name}[{}]", self.index(depth + 1, borrowed))
                }
                _ => "x[0]".to_owned(),
            },
            3 if borrowed.may_read("m") => {
                // A row is borrowed while the column is found.
                let row = self.index(depth + 1, borrowed);
                let column = self.index(depth + 1, &borrowed.with_shared("m"));
                format!("m[{row}][{column}]")
            }
            3 => "x[3]".to_owned(),
            _ if borrowed.may_read("p") => self.choices.of(&["p.u", "p.w"]).to_owned(),
            _ => "x[1]".to_owned(),
        }
    }

    /// A number.
    fn float(&mut self, depth: usize, borrowed: &Borrowed) -> String {
        if depth > 2 {
            return self.element(depth, borrowed);
        }
        let deep = depth + 1;
        match self.choices.below(14) {
            0 => self.element(depth, borrowed),
            1 => match self.writable(&["i", "j"], borrowed) {
                Some(name) => format!("{{ {name} = ({name} + 1) % 3; x[{name}] }}"),
                None => "x[2]".to_owned(),
            },
            2 => match self.writable(&["i", "j"], borrowed) {
                Some(name) => {
                    format!(
                        "next(&mut {name}, {})",
                        self.float(deep, &borrowed.with_exclusive(name))
                    )
                }
                None => "x[1]".to_owned(),
            },
            3 => match self.writable(&["s", "t"], borrowed) {
                Some(name) => format!("{{ {name} += {}; {name} }}", self.float(deep, borrowed)),
                None => "x[0]".to_owned(),
            },
            4 => format!("tick({}) as f64 * {}", self.effect(), self.element(deep, borrowed)),
            5 => match self.writable(&["s", "t"], borrowed) {
                Some(name) => {
                    let value = self.float(deep, &borrowed.with_exclusive(name));
                    format!("std::mem::replace(&mut {name}, {value})")
                }
                None => "x[3]".to_owned(),
            },
            6 => match self.writable(&LISTS, borrowed) {
                Some(name) => {
                    let (value, at) = (self.float(deep, borrowed), self.index(deep, borrowed));
                    let read = self.index(deep, borrowed);
                    format!("{{ {name}[{at}] = {value}; {name}[{read}] }}")
                }
                None => "x[1]".to_owned(),
            },
            7 => match self.writable(&["s", "t"], borrowed) {
                Some(name) => format!("grow(&mut {name})"),
                None => "x[0]".to_owned(),
            },
            8 => {
                let (a, b) = (self.float(deep, borrowed), self.float(deep, borrowed));
                format!("({a} {} {b})", self.choices.of(&["*", "+", "-"]))
            }
            9 => {
                let (a, b) = (self.element(deep, borrowed), self.float(deep, borrowed));
                let method = self.choices.of(&["max", "hypot", "atan2", "copysign"]);
                format!("({a}).{method}({b})")
            }
            10 => {
                let parts = [(); 3].map(|()| self.float(deep, borrowed));
                format!("({}).mul_add({}, {})", parts[0], parts[1], parts[2])
            }
            11 => {
                let test = self.index(deep, borrowed);
                let (a, b) = (self.float(deep, borrowed), self.float(deep, borrowed));
                format!("(if {test} > 1 {{ {a} }} else {{ {b} }})")
            }
            12 => self.with_reference(deep, borrowed),
            _ => format!("({}).sin()", self.float(deep, borrowed)),
        }
    }

    /// A call that gets a reference, and then an operand with an effect.
    fn with_reference(&mut self, depth: usize, borrowed: &Borrowed) -> String {
        let name = self.choices.of(&LISTS);
        if !borrowed.may_read(name) {
            return "x[2]".to_owned();
        }
        let name = LISTS.into_iter().find(|list| *list == name).expect("it is one of them");
        let under = borrowed.with_shared(name);
        let at = self.index(depth, borrowed);
        if self.choices.below(2) == 0 {
            return format!("both(&{name}[{at}], {})", self.float(depth + 1, &under));
        }
        let (first, last) = (self.float(depth + 1, borrowed), self.float(depth + 1, &under));
        format!("three({first}, &{name}[{at} % 2..], {last})")
    }

    fn block(&mut self, depth: usize) -> String {
        let count = 1 + self.choices.below(2);
        let stmts: String = (0..count).map(|_| self.statement(depth + 1)).collect();
        format!("{{\n{stmts}}}\n")
    }

    fn statement(&mut self, depth: usize) -> String {
        let free = Borrowed::default();
        match self.choices.below(if depth > 1 { 17 } else { 21 }) {
            0 => self.assignment(),
            1 => {
                let name = self.fresh();
                let value = self.float(0, &free);
                format!("let {name}: f64 = {value};\ns += {name} * x[0];\n")
            }
            2 => self.pair_of_operands(),
            3 => self.exclusive_call(),
            4 => self.exchange(),
            5 => self.of_whole_list(),
            6 => self.local_closure(),
            7 => self.part_of_list(),
            8 => self.optional(),
            9 => self.literal(),
            10 => self.growth(),
            11 => self.assignment(),
            12 => {
                let (value, test) = (self.float(1, &free), self.float(1, &free));
                format!("if {value} < {test} {{ s += x[1]; }} else {{ t -= x[2]; }}\n")
            }
            13 => {
                let (at, value) = (self.index(0, &free), self.float(1, &free));
                format!(
                    "match ({at}, {value}) {{ (0, q) => s += q, (1, q) => t += q * 2.0, (_, q) => s -= q }}\n"
                )
            }
            14 => {
                let (a, b, c) = (self.index(1, &free), self.index(1, &free), self.float(1, &free));
                format!("if {a} > 0 && {b} > 1 || {c} > 0.75 {{ t += x[3]; }}\n")
            }
            15 => self.operator(),
            16 => self.assignment(),
            17 => {
                let (low, high) = (self.index(1, &free), self.index(1, &free));
                let name = self.fresh();
                format!(
                    "for {name} in {low}..({high}) + 1 {{ s += {name} as f64 * x[1];\n{}}}\n",
                    self.statement(depth + 1)
                )
            }
            18 => {
                let (name, test) = (self.fresh(), self.index(1, &free));
                format!(
                    "let mut {name} = 0;\nwhile {{ {name} += 1; {name} < 2 + {test} && {name} < 4 }} {}",
                    self.block(depth)
                )
            }
            19 => self.exit(depth),
            _ => format!("for _ in 0..n {}", self.block(depth)),
        }
    }

    /// The place of an assignment is fixed behind its value.
    fn assignment(&mut self) -> String {
        let free = Borrowed::default();
        let value = self.float(0, &free);
        let operator = self.choices.of(&["=", "+=", "-=", "*="]);
        let place = match self.choices.below(5) {
            0 => self.choices.of(&["s", "t"]).to_owned(),
            1 | 2 => format!("{}[{}]", self.choices.of(&LISTS), self.index(1, &free)),
            3 => {
                let row = self.index(1, &free);
                format!("m[{row}][{}]", self.index(1, &free.with_exclusive("m")))
            }
            _ => self.choices.of(&["p.u", "p.w"]).to_owned(),
        };
        format!("{place} {operator} {value};\n")
    }

    fn list(&mut self) -> &'static str {
        LISTS[self.choices.below(LISTS.len())]
    }

    fn pair_of_operands(&mut self) -> String {
        let free = Borrowed::default();
        let list = self.list();
        let at = self.index(1, &free);
        let under = free.with_shared(list);
        let (r, k) = (self.fresh(), self.fresh());
        match self.choices.below(3) {
            0 => format!(
                "let ({r}, {k}) = (&{list}[{at}], {});\ns += *{r} * {k};\n",
                self.float(1, &under)
            ),
            1 => format!(
                "let ({r}, {k}) = (&{list}[{at}], {});\nt += *{r} * {k} as f64;\n",
                self.index(1, &under)
            ),
            _ => format!(
                "let ({r}, {k}) = ({list}[{at}], {});\nt += {r} * {k};\n",
                self.float(1, &free)
            ),
        }
    }

    fn exclusive_call(&mut self) -> String {
        let free = Borrowed::default();
        let list = self.list();
        let at = self.index(1, &free);
        let under = free.with_exclusive(list);
        let k = self.index(1, &under);
        format!("change(&mut {list}[{at}], {k}, {});\n", self.float(1, &under))
    }

    fn exchange(&mut self) -> String {
        let free = Borrowed::default();
        let list = self.list();
        let at = self.index(1, &free);
        let under = free.with_exclusive(list);
        match self.choices.below(4) {
            0 => {
                let (name, value) = (self.fresh(), self.float(1, &under));
                format!(
                    "let {name}: f64 = std::mem::replace(&mut {list}[{at}], {value});\ns += {name} * 2.0;\n"
                )
            }
            1 => {
                let other = self.writable(&LISTS, &under).expect("there are three");
                format!(
                    "std::mem::swap(&mut {list}[{at}], &mut {other}[{}]);\n",
                    self.index(1, &under)
                )
            }
            2 => format!("{list}.swap({at}, {});\n", self.index(1, &free.with_exclusive(list))),
            _ => {
                let under = free.with_exclusive("m");
                let (row, value) = (self.index(1, &free), [(); 3].map(|()| self.float(2, &under)));
                format!(
                    "let mut old = std::mem::replace(&mut m[{row}], vec![{}, {}, {}]);\nold[0] *= 2.0;\nt += old[0] * old[1];\n",
                    value[0], value[1], value[2]
                )
            }
        }
    }

    fn of_whole_list(&mut self) -> String {
        let free = Borrowed::default();
        let at = self.index(1, &free);
        let under = free.with_exclusive("m");
        match self.choices.below(4) {
            0 => format!("m[{at}].fill({});\n", self.float(1, &under)),
            1 => {
                let values = [(); 3].map(|()| self.float(2, &under));
                format!(
                    "m[{at}].copy_from_slice(&[{}, {}, {}]);\n",
                    values[0], values[1], values[2]
                )
            }
            2 => {
                let list = self.list();
                format!(
                    "m[{at}].copy_from_slice(&{list}[{{ let _ = {}; 0 }}..3]);\n",
                    self.index(1, &under.with_shared(list))
                )
            }
            _ => {
                let list = self.list();
                format!("{list}.fill({});\n", self.float(1, &free.with_exclusive(list)))
            }
        }
    }

    fn local_closure(&mut self) -> String {
        let free = Borrowed::default();
        let (name, list) = (self.fresh(), self.list());
        let at = self.index(1, &free);
        match self.choices.below(3) {
            0 => format!(
                "let {name} = |r: &f64, k: f64| r * k + x[3];\ns += {name}(&{list}[{at}], {});\n",
                self.float(1, &free.with_shared(list))
            ),
            1 => {
                let under = free.with_exclusive("i");
                let (a, b) = (self.float(1, &under), self.float(1, &under));
                format!(
                    "let mut {name} = |k: f64| {{ i = (i + 1) % 3; k * x[i] }};\nlet {name}b: f64 = {name}({a}) - {name}({b});\ns += {name}b;\n"
                )
            }
            _ => {
                let under = free.with_exclusive("j");
                format!(
                    "s += {list}.iter().map(|r| {{ j = (j + 1) % 3; r * x[j] }}).sum::<f64>() * {};\n",
                    self.float(1, &under)
                )
            }
        }
    }

    fn part_of_list(&mut self) -> String {
        let free = Borrowed::default();
        let (name, list) = (self.fresh(), self.list());
        match self.choices.below(3) {
            0 => {
                let (low, high) = (self.index(1, &free), self.index(1, &free));
                format!(
                    "let {name} = &{list}[{low} % 2..{{ let k = {high}; k % 2 + 2 }}];\ns += {name}[0] * {name}.len() as f64;\n"
                )
            }
            1 => {
                let (low, value) =
                    (self.index(1, &free), self.float(1, &free.with_exclusive(list)));
                format!("{{ let {name} = &mut {list}[{low} % 3..]; {name}[0] = {value}; }}\n")
            }
            _ => {
                let (low, high) = (self.index(1, &free), self.index(1, &free));
                format!(
                    "for r in &{list}[{low} % 2..{{ let k = {high}; k % 2 + 2 }}] {{ t += r * x[0]; }}\n"
                )
            }
        }
    }

    fn optional(&mut self) -> String {
        let free = Borrowed::default();
        let value = self.float(1, &free);
        let set = self.choices.of(&[
            "o = None",
            "o = Some(x[0] * 2.0)",
            "o = Some(s)",
            "i = (i + 1) % 3",
        ]);
        match self.choices.below(6) {
            0 => format!("s += o.unwrap_or({{ {set}; {value} }});\n"),
            1 => format!("s += o.map_or({{ {set}; {value} }}, |q| q * x[1]);\n"),
            2 => format!("let q = o.or({{ {set}; Some({value}) }});\ns += q.unwrap_or(0.5);\n"),
            3 => format!("let q = o.take().unwrap_or_else(|| {value});\nt += q;\n"),
            4 => format!("if let Some(q) = o {{ {set}; s += q * {value}; }}\n"),
            _ => format!("o = Some({value});\ns += o.unwrap_or(0.0) * 0.5;\n"),
        }
    }

    fn literal(&mut self) -> String {
        let free = Borrowed::default();
        let parts = [(); 3].map(|()| self.float(1, &free));
        let name = self.fresh();
        match self.choices.below(4) {
            0 => format!(
                "let {name} = [{}, {}, {}];\ns += {name}[0] * {name}[1] - {name}[2];\n",
                parts[0], parts[1], parts[2]
            ),
            1 => format!("let {name} = ({}, {});\ns += {name}.0 * {name}.1;\n", parts[0], parts[1]),
            // In the order in which they are written.
            2 => format!(
                "let {name} = Pair {{ w: {}, u: {} }};\ns += {name}.u * 2.0 - {name}.w;\n",
                parts[0], parts[1]
            ),
            _ => format!(
                "let {name} = vec![{}; {} + 1];\nt += {name}[0] * {name}.len() as f64;\n",
                parts[0],
                self.index(1, &free)
            ),
        }
    }

    fn growth(&mut self) -> String {
        let free = Borrowed::default();
        let list = ["w", "v"][self.choices.below(2)];
        // Borrowed in two phases: what is read of the list is read before it is changed.
        let under = free.with_shared(list);
        match self.choices.below(4) {
            0 => format!("{list}.push({list}.len() as f64 * {});\n", self.float(1, &under)),
            1 => {
                let at = self.index(1, &under);
                format!("{list}.insert({at}, {});\n", self.float(1, &under))
            }
            2 => format!(
                "{list}.push({});\ns += {list}.pop().unwrap() * x[0];\n",
                self.float(1, &under)
            ),
            _ => format!(
                "{list}.extend_from_slice(&[{}, {}]);\n",
                self.float(1, &under),
                self.float(1, &under)
            ),
        }
    }

    fn operator(&mut self) -> String {
        let free = Borrowed::default();
        let (u, w) = (self.float(1, &free), self.float(1, &free));
        match self.choices.below(3) {
            0 => format!("z = z + Sum {{ u: {u}, w: {w} }};\n"),
            1 => format!(
                "let q: Sum = z + {{ z.u += x[2]; Sum {{ u: {u}, w: {w} }} }};\ns += q.u * q.w;\n"
            ),
            _ => format!("z = Sum {{ u: {u}, w: z.u }} + {{ z.w = {w}; z }};\n"),
        }
    }

    fn exit(&mut self, depth: usize) -> String {
        let free = Borrowed::default();
        self.labels += 1;
        let label = format!("'l{}", self.labels);
        let (a, test) = (self.float(1, &free), self.index(1, &free));
        let keyword = self.choices.of(&["break", "continue"]);
        let rest = self.statement(depth + 1);
        format!(
            "{label}: for k in 0..3 {{\nlet q: f64 = {a};\nif k + {test} > 2 {{ {keyword} {label}; }}\ns += q;\n{rest}}}\n"
        )
    }
}
