//! Values whose drop is an effect: temporaries, guards of locks, `let _`, variables that are assigned again or left.

use super::{Choices, Helper, declared, function};

pub(super) const HELPERS: [Helper; 5] = [
    (
        "by",
        "#[adjoint]\npub fn by(y: f64, k: usize) -> f64 { tick(1); y * (k as f64 * 0.25 + 1.0) }",
    ),
    (
        "under",
        "#[adjoint(independents(y), passive(g))]\npub fn under(y: f64, g: &Tracer) -> f64 { y * y * g.k as f64 }",
    ),
    ("over", "#[adjoint]\npub fn over(y: f64, k: usize) -> f64 { y * y * k as f64 }"),
    (
        "holding",
        "#[adjoint]\npub fn holding(y: f64, k: usize) -> f64 { let _g = tracer(k); tick(2); y.sin() * 2.0 }",
    ),
    ("counted", "pub fn counted(k: usize) -> usize { let _g = tracer(k); tick(3) + k }"),
];

const VARIABLES: [Helper; 3] = [
    ("s", "let mut s: f64 = x[0] * 0.5;"),
    ("t", "let mut t: f64 = x[1] + 0.25;"),
    ("k", "let mut k: usize = 1;"),
];

struct Drops<'a> {
    choices: &'a mut Choices,
    names: usize,
    labels: usize,
    tracers: usize,
    /// Variables that hold a tracer.
    guards: Vec<String>,
}

pub(super) fn items(choices: &mut Choices) -> (String, String) {
    let mut drops = Drops { choices, names: 0, labels: 0, tracers: 0, guards: Vec::new() };
    let mut body = String::new();
    for _ in 0..1 + drops.choices.below(4) {
        body += &drops.statement(0);
    }
    let body = format!("{body}s * x[2] + t * x[3] + k as f64 * x[1]\n");
    function(choices, &HELPERS, &declared(&VARIABLES, &body))
}

impl Drops<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("g{}", self.names)
    }

    /// A new tracer, each with a number of its own.
    fn tracer(&mut self) -> String {
        self.tracers += 1;
        let number = self.tracers;
        match self.choices.below(4) {
            0 | 1 => format!("tracer({number})"),
            2 => format!("{{ tick({}); tracer({number}) }}", 600 + number),
            _ => format!("tracer({number} + k % 2)"),
        }
    }

    /// An integer out of a temporary.
    fn of_temporary(&mut self) -> String {
        let tracer = self.tracer();
        match self.choices.below(10) {
            0 | 1 => format!("({tracer}).k"),
            2 => format!("look(&{tracer})"),
            3 => format!("({tracer}).read()"),
            4 => format!("look_both(&{tracer}, &{})", self.tracer()),
            5 => format!("({tracer}).items[k % 2]"),
            6 => format!("({tracer}).spend()"),
            7 => format!("{{ let g = {tracer}; g.read() }}"),
            8 => format!("Some({tracer}).map_or(0, |g| g.k)"),
            _ => format!("counted({})", self.choices.below(4)),
        }
    }

    /// A number out of what is behind a lock or a check at run time.
    fn of_lock(&mut self) -> String {
        match self.choices.below(10) {
            0 | 1 => "LOCK.lock().unwrap()[k % 2]".to_owned(),
            2 => "LOCK.lock().unwrap().iter().sum::<f64>()".to_owned(),
            3 => "{ let g = LOCK.lock().unwrap(); g[0] * g[1] }".to_owned(),
            4 => "LOCK.lock().unwrap().map(|q| q * 2.0)[0]".to_owned(),
            5 => "LOCK.lock().map_or(0.5, |g| g[0])".to_owned(),
            6 => "c.lock.lock().unwrap()[0]".to_owned(),
            7 => "c.list.borrow()[1]".to_owned(),
            8 => "c.lock.lock().unwrap()[k % 3]".to_owned(),
            _ => "c.list.borrow_mut().pop().unwrap_or(0.5)".to_owned(),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let outside = self.guards.len();
        let count = 1 + self.choices.below(3);
        let stmts: String = (0..count).map(|_| self.statement(depth + 1)).collect();
        self.guards.truncate(outside);
        format!("{{\n{stmts}}}\n")
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.choices.below(if depth > 1 { 17 } else { 22 }) {
            0 => {
                let (name, value) = (self.fresh(), self.of_temporary());
                format!("let {name}: usize = {value};\ns += x[0] * {name} as f64;\n")
            }
            1 => format!("k = {} % 7;\n", self.of_temporary()),
            2 => format!("let _ = {};\nk += tick(20);\n", self.tracer()),
            3 => {
                let name = self.fresh();
                format!("let _{name} = {};\nk += tick(21);\n", self.tracer())
            }
            4 => self.variable(),
            5 => self.of_variable(),
            6 => {
                let name = self.fresh();
                format!("let {name}: f64 = {};\ns *= {name} * x[1];\n", self.of_lock())
            }
            7 => self.write_behind_lock(),
            8 => format!("if {} > 3 {}", self.of_temporary(), self.block_of(depth)),
            9 => self.choice(depth),
            10 => format!("s += by(x[2], {});\n", self.of_temporary()),
            11 => self.passed(),
            12 => format!("s -= holding(t, {});\n", self.of_temporary()),
            13 => {
                let (a, b) = (self.of_temporary(), self.of_temporary());
                format!("k = ({a} + 10 * {b}) % 11;\nt *= 1.0 + k as f64 * 0.125;\n")
            }
            14 => self.several(),
            15 => format!("t += x[{} % 4] * s;\n", self.of_temporary()),
            16 => self.extended(),
            17 => self.block(depth),
            18 | 19 => self.repetition(depth),
            20 => self.tail(depth),
            _ => self.repetition(depth),
        }
    }

    fn block_of(&mut self, depth: usize) -> String {
        if depth > 1 { "{ s += x[1]; k += tick(30); }\n".to_owned() } else { self.block(depth) }
    }

    /// A variable that holds one.
    fn variable(&mut self) -> String {
        let (name, tracer) = (self.fresh(), self.tracer());
        match self.choices.below(7) {
            0 | 1 => {
                self.guards.push(name.clone());
                format!("let mut {name} = {tracer};\nk += tick(22);\n")
            }
            2 => format!(
                "let mut {name} = Some({tracer});\nk += {name}.as_ref().unwrap().k;\n{name} = None;\nk += tick(23);\n"
            ),
            3 => format!(
                "let mut {name} = Some({tracer});\nlet _ = {name}.take();\nk += tick(24);\n"
            ),
            4 => {
                // Both live to the end of the scope.
                let other = self.tracer();
                format!(
                    "let {name} = {tracer};\nlet {name} = ({name}.k, {other});\nk += {name}.0 + tick(25);\n"
                )
            }
            5 => format!(
                "let {name};\nif k % 2 == 0 {{ {name} = {tracer}; k += {name}.k; }}\nk += tick(26);\n"
            ),
            _ => format!(
                "let {name} = {tracer};\nk += {name}.read();\ndrop({name});\nk += tick(27);\n"
            ),
        }
    }

    /// Something with such a variable.
    fn of_variable(&mut self) -> String {
        if self.guards.is_empty() {
            return self.variable();
        }
        let name = self.guards[self.choices.below(self.guards.len())].clone();
        let tracer = self.tracer();
        match self.choices.below(5) {
            0 => format!("k += {name}.read() % 5;\n"),
            1 => format!("{name} = {tracer};\nk += tick(28);\n"),
            2 => format!("k += std::mem::replace(&mut {name}, {tracer}).k % 5;\n"),
            3 => format!("k += look_both(&{name}, &{tracer}) % 5;\n"),
            _ => format!("t += over(x[1], {name}.k);\n"),
        }
    }

    /// A call that reads a tracer. The backward sweep would need a tracer that a parameter refers to: it has no copy and is refused, which
    /// one of eight says often enough.
    fn passed(&mut self) -> String {
        let tracer = self.tracer();
        match self.choices.below(8) {
            0 => format!("t += under(x[3], &{tracer}) * x[0];\n"),
            1..4 => format!("t += over(x[3], ({tracer}).k) * x[0];\n"),
            _ => format!("t += over(x[3], look(&{tracer})) * x[0];\n"),
        }
    }

    fn write_behind_lock(&mut self) -> String {
        match self.choices.below(9) {
            0 => "LOCK.lock().unwrap()[0] = 1.25;\n".to_owned(),
            1 => "LOCK.lock().unwrap()[k % 2] += 0.5;\n".to_owned(),
            2 => "*LOCK.lock().unwrap() = [0.5, 1.5];\n".to_owned(),
            3 => "let g = LOCK.lock().unwrap();\nlet q: f64 = g[0];\ndrop(g);\ns += q * x[3];\n"
                .to_owned(),
            4 => "c.lock.lock().unwrap()[1] += 0.5;\n".to_owned(),
            5 => "c.lock.lock().unwrap().push(0.25);\n".to_owned(),
            6 => "*c.lock.lock().unwrap() = vec![1.0, 2.0, 0.5];\n".to_owned(),
            7 => "{ let mut g = c.list.borrow_mut(); g[0] *= 2.0; g[1] += 1.0; }\n".to_owned(),
            _ => "let g = c.lock.lock().unwrap();\nlet q: f64 = g[0];\ndrop(g);\ns += q * x[3];\n"
                .to_owned(),
        }
    }

    /// A choice by a temporary: where it dies depends on the kind of choice.
    fn choice(&mut self, depth: usize) -> String {
        let tracer = self.tracer();
        let name = self.fresh();
        match self.choices.below(7) {
            0 => format!(
                "match ({tracer}).k {{ 0 | 2 => s += x[1], 1 => k += tick(31), _ => t += x[2] }}\nk += tick(32);\n"
            ),
            1 => format!(
                "match ({tracer}).read() % 3 {{ 0 => {{ k += tick(33); s += x[0]; }} q => {{ k += tick(34); t += x[q]; }} }}\n"
            ),
            2 => format!(
                "if let 1..4 = ({tracer}).k {{ k += tick(35); s += x[2]; }} else {{ k += tick(36); t -= x[0]; }}\n"
            ),
            3 => {
                let block = self.block_of(depth);
                format!("if ({tracer}).k % 2 == 0 && {} > 2 {block}", self.of_temporary())
            }
            4 => format!(
                "let {name} = match {tracer} {{ g if g.k > 2 => {{ k += tick(37); g.k }} g => g.read() }};\ns += x[{name} % 4];\n"
            ),
            5 => "if let Some(q) = LOCK.lock().unwrap().first().copied() { s += q * x[0]; k += tick(38); }\nk += tick(39);\n"
                .to_owned(),
            _ => format!(
                "let Some({name}) = Some({tracer}).filter(|g| g.k > 0) else {{ return s; }};\nk += {name}.k;\n"
            ),
        }
    }

    fn several(&mut self) -> String {
        let (a, b) = (self.tracer(), self.tracer());
        let name = self.fresh();
        match self.choices.below(6) {
            0 => format!("let (_, {name}) = ({a}, {b});\nk += {name}.k + tick(40);\n"),
            1 => format!("let {name} = [{a}, {b}];\nk += {name}[k % 2].k + tick(41);\n"),
            2 => format!(
                "let {name} = vec![{a}, {b}];\nk += {name}.iter().map(|g| g.k).sum::<usize>();\ndrop({name});\nk += tick(42);\n"
            ),
            3 => format!("_ = ({a}, {b});\nk += tick(43);\n"),
            4 => format!("let ({name}, _) = ({a}, {b});\nk += {name}.spend();\n"),
            _ => format!(
                "let {name} = ({a}, {b});\nk += {name}.0.k;\nlet (_, q) = {name};\nk += q.k + tick(44);\n"
            ),
        }
    }

    /// Temporaries that live as long as what refers to them.
    fn extended(&mut self) -> String {
        let (tracer, name) = (self.tracer(), self.fresh());
        match self.choices.below(4) {
            0 => format!("let {name} = &{tracer};\nk += {name}.k + tick(45);\n"),
            1 => format!("let {name} = &({tracer}).k;\nk += *{name} + tick(46);\n"),
            2 => format!("let {name} = (&{tracer}, 2);\nk += {name}.0.k + {name}.1 + tick(47);\n"),
            _ => format!("for q in ({tracer}).items {{ k += q + tick(48); s += x[q % 4]; }}\n"),
        }
    }

    fn repetition(&mut self, depth: usize) -> String {
        self.labels += 1;
        let (label, name) = (format!("'l{}", self.labels), self.fresh());
        let temporary = self.of_temporary();
        let outside = self.guards.len();
        let text = match self.choices.below(5) {
            0 => format!("for _ in 0..n {}", self.block(depth)),
            1 => format!(
                "for {name} in 0..({temporary}) % 4 {{\ns += x[{name}];\n{}}}\n",
                self.statement(depth + 1)
            ),
            2 => format!(
                "let mut {name} = 0;\nwhile {{ {name} += 1; {name} < 4 && {temporary} > {name} }} {}",
                self.block(depth)
            ),
            3 => {
                let keyword = self.choices.of(&["break", "continue"]);
                let (first, last) = (self.variable(), self.statement(depth + 1));
                format!(
                    "{label}: for {name} in 0..3 {{\n{first}if {name} + {temporary} % 3 > 2 {{ {keyword} {label}; }}\ns += x[{name}];\n{last}}}\n"
                )
            }
            _ => {
                let first = self.variable();
                format!(
                    "for {name} in 0..3 {{\n{first}if {temporary} > 40 + {name} {{ return s * x[0]; }}\nt += x[{name}];\n}}\n"
                )
            }
        };
        self.guards.truncate(outside);
        text
    }

    /// A block with a value: its temporaries die before its variables.
    fn tail(&mut self, depth: usize) -> String {
        let name = self.fresh();
        let outside = self.guards.len();
        let (stmt, value) = (self.statement(depth + 1), self.of_temporary());
        self.guards.truncate(outside);
        match self.choices.below(3) {
            0 => format!("let {name}: usize = {{\n{stmt}{value}\n}};\ns += x[{name} % 4];\n"),
            1 => format!("s += {{\n{stmt}x[1] * ({value}) as f64\n}};\n"),
            _ => format!(
                "let {name}: f64 = if {value} % 2 == 0 {{\n{stmt}x[0]\n}} else {{ x[3] * t }};\ns += {name};\n"
            ),
        }
    }
}
