//! Random statements.

use super::{Generator, Kind, LEN, Returned};
use std::fmt::Write;

impl Generator<'_> {
    /// A block with some statements, in a scope of its own.
    fn block(&mut self, depth: usize) -> String {
        let outside = self.variables.clone();
        let mut text = "{\n".to_owned();
        for _ in 0..1 + self.rng.usize(..3) {
            text += &self.statement(depth + 1);
        }
        self.variables = outside;
        text + "}\n"
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
        self.budget = self.budget.saturating_sub(1);
        let deep = depth >= 3 || self.budget == 0;
        if self.has_checkpoints && !deep && self.rng.usize(..5) == 0 {
            return self.checkpointed(depth);
        }
        let statement = match self.rng.usize(..21) {
            0..=4 => Some(self.declaration()),
            5..=8 => self.assignment(),
            9 | 10 => self.of_element(),
            11 | 12 => self.of_list(),
            13..=15 if !deep => Some(self.repetition(depth)),
            16 if !deep => Some(self.choice(depth)),
            17 => self.exit(),
            18 => self.mutating_closure(),
            19 => Some(self.rows()),
            _ => self.exchange(),
        };
        statement.unwrap_or_else(|| self.declaration())
    }

    /// A block or a loop that is checkpointed. No exit leads further than behind it.
    fn checkpointed(&mut self, depth: usize) -> String {
        let labels = std::mem::take(&mut self.labels);
        let may_return = std::mem::replace(&mut self.may_return, false);
        let outside = self.variables.clone();
        let text = match self.rng.usize(..4) {
            0 => format!("#[checkpoint]\n{}", self.block(depth)),
            1 | 2 => {
                let (name, count) = (self.fresh("i"), self.rng.usize(..6));
                self.declare(&name, Kind::Int, false);
                let (label, body) = self.labelled_body(depth);
                // How many states there are is to be known.
                let mut schedules = vec!["snapshots = 2", "memory = \"100B\""];
                schedules
                    .extend((!body.contains(&format!("break {label}"))).then_some("every = 2"));
                let schedule = schedules[self.rng.usize(..schedules.len())];
                format!("#[checkpoint({schedule})]\n{label}: for {name} in 0..{count} {body}")
            }
            _ => {
                let (name, count) = (self.fresh("k"), self.rng.usize(..6));
                let test = self.test();
                self.declare(&name, Kind::Int, false);
                let (label, body) = self.labelled_body(depth);
                let body = body.strip_prefix('{').expect("a block");
                let condition = format!("{name} < {count} && ({test})");
                let (head, first) = match self.rng.bool() {
                    true => (format!("while {condition}"), String::new()),
                    false => ("loop".to_owned(), format!("if !({condition}) {{ break; }}\n")),
                };
                format!(
                    "let mut {name}: usize = 0;\n#[checkpoint(snapshots = 2)]\n\
                     {label}: {head} {{\n{first}{name} += 1;\n{body}"
                )
            }
        };
        self.variables = outside;
        (self.labels, self.may_return) = (labels, may_return);
        text
    }

    /// The body of a loop with the label of it, which exits may mention.
    fn labelled_body(&mut self, depth: usize) -> (String, String) {
        let label = self.fresh("'l");
        self.labels.push(label.clone());
        let body = self.block(depth);
        self.labels.pop();
        (label, body)
    }

    fn declaration(&mut self) -> String {
        let mutable = self.rng.usize(..4) > 0;
        let keyword = if mutable { "let mut" } else { "let" };
        match self.rng.usize(..10) {
            0..=2 => {
                let value = self.float(3);
                let name = self.fresh("f");
                self.declare(&name, Kind::Float, mutable);
                format!("{keyword} {name}: f64 = {value};\n")
            }
            // What is hidden stays in use where it was captured.
            3 => {
                let floats = self.of_kind(Kind::Float);
                let value = self.float(2);
                let name = self.pick(&floats).unwrap_or_else(|| "x".to_owned());
                self.declare(&name, Kind::Float, mutable);
                format!("{keyword} {name}: f64 = {value};\n")
            }
            4 => {
                let items: Vec<String> = (0..LEN).map(|_| self.float(1)).collect();
                let name = self.fresh("a");
                self.declare(&name, Kind::Array, mutable);
                format!("{keyword} {name} = [{}];\n", items.join(", "))
            }
            5 | 6 => {
                let value = match self.rng.usize(..4) {
                    0 => format!("vec![{}, {}]", self.known(), self.float(1)),
                    1 => format!("vec![{}; {}]", self.known(), self.rng.usize(1..4)),
                    2 => {
                        let lists = self.lists(false);
                        match self.pick(&lists) {
                            Some(list) => format!("{list}.to_vec()"),
                            None => format!("vec![{}]", self.known()),
                        }
                    }
                    _ => {
                        let lists = self.lists(false);
                        let factor = self.float(1);
                        match self.pick(&lists) {
                            Some(list) => {
                                format!("{list}.iter().map(|t| t * {factor}).collect::<Vec<f64>>()")
                            }
                            None => format!("vec![{}]", self.known()),
                        }
                    }
                };
                let name = self.fresh("g");
                self.declare(&name, Kind::Vec, mutable);
                format!("{keyword} {name}: Vec<f64> = {value};\n")
            }
            7 => {
                let (a, b) = (self.float(2), self.float(1));
                let name = self.fresh("p");
                self.declare(&name, Kind::Pair, mutable);
                format!("{keyword} {name}: (f64, f64) = ({a}, {b});\n")
            }
            8 => {
                let (a, b) = (self.float(2), self.float(2));
                let (first, second) = (self.fresh("f"), self.fresh("f"));
                self.declare(&first, Kind::Float, false);
                self.declare(&second, Kind::Float, true);
                format!("let ({first}, mut {second}): (f64, f64) = ({a}, {b});\n")
            }
            _ => {
                let test = self.test();
                let (a, b) = (self.float(1), self.float(2));
                let name = self.fresh("d");
                self.declare(&name, Kind::Float, false);
                format!("let {name}: f64; if {test} {{ {name} = {a}; }} else {{ {name} = {b}; }}\n")
            }
        }
    }

    fn assignment(&mut self) -> Option<String> {
        let op = ["=", "+=", "*=", "-="][self.rng.usize(..4)];
        let value = self.float(3);
        let floats = self.mutable(Kind::Float);
        let pairs = self.mutable(Kind::Pair);
        Some(match self.rng.usize(..8) {
            0 => {
                let pair = self.pick(&pairs)?;
                format!("{pair}.{} {op} {value};\n", self.rng.usize(..2))
            }
            1 => {
                let pair = self.pick(&pairs)?;
                format!("{pair} = ({pair}.1, {value});\n")
            }
            2 => {
                let (a, b) = (self.pick(&floats)?, self.pick(&floats)?);
                format!("({a}, {b}) = ({b}, {a} * {value});\n")
            }
            _ => format!("{} {op} {value};\n", self.pick(&floats)?),
        })
    }

    fn of_element(&mut self) -> Option<String> {
        let lists = self.lists(true);
        let list = self.pick(&lists)?;
        let (i, j) = (self.index(&list), self.index(&list));
        let op = ["=", "+=", "*=", "-="][self.rng.usize(..4)];
        let value = self.float(2);
        let is_vec = self.mutable(Kind::Vec).contains(&list);
        let other = self.without(&list, |this| this.float(1));
        Some(match self.rng.usize(..14) {
            7 => format!("{list}[{{ let k = {i}; k }}] {op} {value};\n"),
            8 => format!("{list}.fill({other});\n"),
            9 => format!("{list}[..1].copy_from_slice(&[{other}]);\n"),
            10 => format!(
                "{{ let (l, r) = {list}.split_at_mut(1); l[0] {op} {other}; for t in r.iter_mut() {{ *t += l[0] * 0.5; }} }}\n"
            ),
            11 => format!("for c in {list}.chunks_mut(2) {{ c[0] {op} {other}; }}\n"),
            12 if !is_vec => {
                format!("for k in 1..{LEN} {{ {list}[k] {op} {list}[k - 1] * {value}; }}\n")
            }
            12 => {
                format!("for k in 1..{list}.len() {{ {list}[k] {op} {list}[k - 1] * {other}; }}\n")
            }
            13 => format!("{list}.iter_mut().for_each(|t| *t = *t * {other} + 0.1);\n"),
            0 => format!("{list}.swap({i}, {j});\n"),
            1 => {
                let value = self.without(&list, |this| this.float(1));
                let name = self.fresh("r");
                format!(
                    "{{ let {name} = &mut {list}[{i}]; *{name} {op} {value}; *{name} *= 0.5; }}\n"
                )
            }
            2 => format!("{list}[{i}] {op} {list}[{j}] * {value};\n"),
            3 => {
                let value = self.without(&list, |this| this.float(1));
                format!("for t in {list}.iter_mut() {{ *t {op} {value}; }}\n")
            }
            _ => format!("{list}[{i}] {op} {value};\n"),
        })
    }

    fn of_list(&mut self) -> Option<String> {
        let vectors = self.mutable(Kind::Vec);
        let list = self.pick(&vectors)?;
        let value = self.float(2);
        let index = self.index(&list);
        Some(match self.rng.usize(..13) {
            0..=2 => format!("{list}.push({value});\n"),
            3 => {
                let floats = self.mutable(Kind::Float);
                let target = self.pick(&floats)?;
                format!("if {list}.len() > 1 {{ {target} += {list}.pop().unwrap(); }}\n")
            }
            4 => format!("{list}.insert({index}, {value});\n"),
            5 => {
                let name = self.fresh("f");
                let text = format!(
                    "let {name}: f64 = if {list}.len() > 1 {{ {list}.remove({index}) }} else {{ {value} }};\n"
                );
                self.declare(&name, Kind::Float, false);
                text
            }
            6 => format!("{list}.reverse();\n"),
            7 => format!("{list}.truncate({});\n", self.rng.usize(1..4)),
            8 => format!("{list}.resize({}, {value});\n", self.rng.usize(1..6)),
            9 => format!("{list} = {list}.iter().map(|t| t * {value}).collect();\n"),
            10 => {
                let lists = self.without(&list, |this| this.lists(false));
                let other = self.pick(&lists)?;
                format!("{list}.extend_from_slice(&{other}[..1]);\n")
            }
            11 => format!("{list} = vec![{value}; {}];\n", self.rng.usize(1..4)),
            _ => format!("{list}.rotate_left({list}.len() - 1);\n"),
        })
    }

    /// A list of lists that grows and changes.
    fn rows(&mut self) -> String {
        let (a, b, c) = (self.float(1), self.float(1), self.float(0));
        let test = self.test();
        let name = self.fresh("f");
        let rows = self.fresh("rows");
        let change = [
            format!("{rows}.push(vec![{b}, {c}]);"),
            format!("{rows}.swap(0, 1);"),
            format!("{rows}[1] = vec![{b}; 3];"),
            format!("for row in {rows}.iter_mut() {{ row[0] *= {b}; }}"),
            format!(
                "let taken = mem::take(&mut {rows}[1]); {rows}[0] = taken; {rows}[1] = vec![{c}];"
            ),
            format!(
                "for row in &{rows} {{ for t in row {{ if {test} {{ break; }} {name} += t * {c}; }} }}"
            ),
        ];
        let (first, second) =
            (&change[self.rng.usize(..change.len())], &change[self.rng.usize(..change.len())]);
        let text = format!(
            "let mut {name}: f64 = {a}; let mut {rows}: Vec<Vec<f64>> = vec![vec![{a}, x_or_one], vec![{b}]];\n\
             {first} if {test} {{ {second} }} {name} += {rows}[0][0] * {rows}[1][0];\n"
        );
        let known = self.known();
        let text = text.replace("x_or_one", &known);
        self.declare(&name, Kind::Float, true);
        text
    }

    fn exchange(&mut self) -> Option<String> {
        let kind = [Kind::Float, Kind::Array, Kind::Vec, Kind::Pair][self.rng.usize(..4)];
        let all = self.mutable(kind);
        let a = self.pick(&all)?;
        let others: Vec<String> = all.into_iter().filter(|name| *name != a).collect();
        Some(match (self.pick(&others), kind) {
            (Some(b), _) if self.rng.bool() => format!("mem::swap(&mut {a}, &mut {b});\n"),
            (Some(b), Kind::Vec) => format!("{a} = {b}.clone();\n"),
            (Some(b), _) => format!("{a} = {b};\n"),
            (None, Kind::Float) => {
                let value = self.without(&a, |this| this.float(1));
                let name = self.fresh("f");
                self.declare(&name, Kind::Float, true);
                format!("let mut {name}: f64 = mem::replace(&mut {a}, {value});\n")
            }
            (None, Kind::Vec) => {
                let value = self.float(1);
                let name = self.fresh("g");
                let text =
                    format!("let mut {name}: Vec<f64> = mem::take(&mut {a}); {a}.push({value});\n");
                self.declare(&name, Kind::Vec, true);
                text
            }
            (None, _) => return None,
        })
    }

    fn repetition(&mut self, depth: usize) -> String {
        let outside = self.variables.clone();
        let count = self.rng.usize(..4);
        let lists = self.lists(false);
        let integers = self.of_kind(Kind::Int);
        let mut before = String::new();
        let mut first = String::new();
        let head = match self.rng.usize(..11) {
            0..=2 => {
                let name = self.fresh("i");
                let end =
                    self.pick(&integers).map_or(format!("{count}"), |int| format!("{int} % 4"));
                let range = [
                    format!("0..{end}"),
                    format!("(0..{end}).rev()"),
                    "(0..4).step_by(2)".to_owned(),
                ];
                let range = range[self.rng.usize(..3)].clone();
                self.declare(&name, Kind::Int, false);
                format!("for {name} in {range}")
            }
            3 | 4 => match self.pick(&lists) {
                Some(list) => {
                    // The list is borrowed.
                    self.freeze(&list);
                    let name = self.fresh("r");
                    self.declare(&name, Kind::Reference, false);
                    format!("for {name} in {list}.iter()")
                }
                None => format!("for _ in 0..{count}"),
            },
            5 => match self.pick(&lists) {
                Some(list) => {
                    self.freeze(&list);
                    let (number, name) = (self.fresh("i"), self.fresh("f"));
                    self.declare(&number, Kind::Int, false);
                    self.declare(&name, Kind::Float, false);
                    format!("for ({number}, &{name}) in {list}.iter().enumerate()")
                }
                None => format!("for _ in 0..{count}"),
            },
            6 => match (self.pick(&lists), self.pick(&lists)) {
                (Some(list), Some(other)) => {
                    self.freeze(&list);
                    self.freeze(&other);
                    let (a, b) = (self.fresh("r"), self.fresh("r"));
                    self.declare(&a, Kind::Reference, false);
                    self.declare(&b, Kind::Reference, false);
                    format!("for ({a}, {b}) in {list}.iter().zip({other}.iter().rev())")
                }
                _ => format!("for _ in 0..{count}"),
            },
            7 => {
                let mutable = self.lists(true);
                match self.pick(&mutable) {
                    Some(list) => {
                        self.variables.retain(|variable| variable.name != list);
                        let name = self.fresh("e");
                        let value = self.float(2);
                        let _ = writeln!(first, "*{name} = *{name} * 0.5 + {value};");
                        format!("for {name} in {list}.iter_mut()")
                    }
                    None => format!("for _ in 0..{count}"),
                }
            }
            8 => {
                let name = self.fresh("k");
                let _ = writeln!(before, "let mut {name}: usize = 0;");
                let _ = writeln!(first, "{name} += 1;");
                let test = self.test();
                self.declare(&name, Kind::Int, false);
                format!("while {name} < {count} && ({test})")
            }
            _ => {
                let name = self.fresh("k");
                let _ = writeln!(before, "let mut {name}: usize = 0;");
                let _ = writeln!(first, "{name} += 1; if {name} > {count} {{ break; }}");
                self.declare(&name, Kind::Int, false);
                "loop".to_owned()
            }
        };
        let (label, body) = self.labelled_body(depth);
        self.variables = outside;
        let body = body.strip_prefix('{').expect("a block");
        format!("{before}{label}: {head} {{\n{first}{body}")
    }

    /// A list that must not change for a while.
    fn freeze(&mut self, list: &str) {
        for variable in &mut self.variables {
            if variable.name == list {
                variable.mutable = false;
            }
        }
    }

    fn choice(&mut self, depth: usize) -> String {
        let integers = self.of_kind(Kind::Int);
        if let (Some(int), true) = (self.pick(&integers), self.rng.bool()) {
            let (a, b, c) = (self.block(depth), self.block(depth), self.block(depth));
            return format!("match {int} {{ 0 | 3 => {a}, k if k > 1 => {b}, _ => {c} }}\n");
        }
        let test = self.test();
        let then = self.block(depth);
        if self.rng.bool() {
            return format!("if {test} {then}");
        }
        format!("if {test} {then} else {}", self.block(depth))
    }

    fn exit(&mut self) -> Option<String> {
        let test = self.test();
        let labels = self.labels.clone();
        if let (Some(label), true) = (self.pick(&labels), self.rng.usize(..4) > 0) {
            let keyword = if self.rng.bool() { "break" } else { "continue" };
            return Some(format!("if {test} {{ {keyword} {label}; }}\n"));
        }
        if !self.may_return {
            return None;
        }
        let value = match self.returned {
            Returned::Float => self.float(2),
            Returned::Pair => format!("({}, {})", self.float(2), self.float(1)),
            Returned::Array => format!("[{}, {}]", self.float(2), self.float(1)),
            Returned::Vec => format!("vec![{}]", self.float(2)),
        };
        Some(format!("if {test} {{ return {value}; }}\n"))
    }

    /// A closure that changes what it captures.
    fn mutating_closure(&mut self) -> Option<String> {
        let floats = self.mutable(Kind::Float);
        let target = self.pick(&floats)?;
        let name = self.fresh("c");
        let body = self.float(2);
        let (a, b) = self.without(&target, |this| (this.float(1), this.float(1)));
        let test = self.without(&target, |this| this.test());
        let text = format!(
            "{{ let mut {name} = |t: f64| {{ {target} = {target} * 0.5 + t * {body}; t + {target} }}; \
             let u: f64 = {name}({a}); if {test} {{ {name}(u * {b}); }} }}\n"
        );
        Some(text)
    }
}
