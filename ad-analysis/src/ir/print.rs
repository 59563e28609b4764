//! The textual form of the IR. [`parse`](super::parse) reads it back.

use super::operator::Resolution;
use super::syntax::*;
use super::values::*;
use crate::index::Var;
use crate::types::Type;
use std::fmt::{self, Write};

/// Prints a body.
pub fn print(body: &Body) -> String {
    let mut printer = Printer { body, out: String::new(), depth: 0 };
    printer.body().expect("writing to a string cannot fail");
    printer.out
}

/// Prints an expression in the names of a body.
pub fn print_expr(body: &Body, expr: &Expr) -> String {
    let mut printer = Printer { body, out: String::new(), depth: 0 };
    printer.expr(expr, 0).expect("writing to a string cannot fail");
    printer.out
}

/// Prints a place in the names of a body.
pub fn print_place(body: &Body, place: &Place) -> String {
    let mut printer = Printer { body, out: String::new(), depth: 0 };
    printer.place(place).expect("writing to a string cannot fail");
    printer.out
}

/// Prints the first line of a statement.
pub fn print_stmt_line(body: &Body, stmt: &Stmt) -> String {
    let mut printer = Printer { body, out: String::new(), depth: 0 };
    printer.stmt(stmt).expect("writing to a string cannot fail");
    printer.out.lines().next().unwrap_or_default().to_owned()
}

struct Printer<'a> {
    body: &'a Body,
    out: String,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn name(&self, var: Var) -> &'a str {
        &self.body.vars[var].name
    }

    fn body(&mut self) -> fmt::Result {
        let body = self.body;
        for variable in body.vars.iter() {
            if let Binding::Global(path) = &variable.binding {
                let path: String =
                    path.to_string().chars().filter(|c| !c.is_whitespace()).collect();
                writeln!(self.out, "const {}: {} = {path};", variable.name, variable.ty)?;
            }
        }
        write!(self.out, "fn {}(", body.name)?;
        for (position, &param) in body.params.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            let reference = match &body.vars[param].binding {
                Binding::Shared => "&",
                Binding::Exclusive => "&mut ",
                Binding::Value | Binding::Global(_) | Binding::View(_) => "",
            };
            write!(self.out, "{}: {reference}{}", self.name(param), body.vars[param].ty)?;
        }
        self.out.push(')');
        if let Some(result) = body.result {
            write!(self.out, " -> {}: {}", self.name(result), body.vars[result].ty)?;
        }
        for list in [&body.independents, &body.dependents] {
            self.out.push_str(" |");
            for &var in list {
                write!(self.out, " {}", self.name(var))?;
            }
        }
        if let Some(exit) = body.target.exit {
            write!(self.out, " exit {}", self.name(exit))?;
        }
        if !body.kept.is_empty() {
            self.out.push_str(" keep");
            for kept in &body.kept {
                write!(self.out, " {}: {}", self.name(kept.var), body.vars[kept.var].ty)?;
                if !kept.when.is_always() {
                    self.out.push_str(" if ");
                    self.condition(&kept.when)?;
                }
            }
        }
        self.out.push(' ');
        self.block(&body.block)?;
        self.out.push('\n');
        Ok(())
    }

    fn block(&mut self, block: &Block) -> fmt::Result {
        self.out.push('{');
        self.depth += 1;
        for stmt in &block.stmts {
            self.line()?;
            self.stmt(stmt)?;
        }
        self.depth -= 1;
        if !block.stmts.is_empty() {
            self.line()?;
        }
        self.out.push('}');
        Ok(())
    }

    fn line(&mut self) -> fmt::Result {
        write!(self.out, "\n{:1$}", "", 4 * self.depth)
    }

    fn resize(&mut self, resize: &Resize) -> fmt::Result {
        let Resize { list, change, len } = resize;
        let (verb, preposition, operand) = match change {
            Change::Extend(items) => ("extend", "by", items),
            Change::Truncate(rest) => ("truncate", "to", rest),
        };
        write!(self.out, "{verb} ")?;
        self.place(list)?;
        write!(self.out, " {preposition} ")?;
        self.expr(operand, 0)?;
        if let Some(len) = len {
            write!(self.out, " len {}", self.name(*len))?;
        }
        self.out.push(';');
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        match &stmt.kind {
            StmtKind::Let { var, value } => {
                write!(self.out, "let {}: {}", self.name(*var), self.body.vars[*var].ty)?;
                if let Some(value) = value {
                    self.out.push_str(" = ");
                    self.expr(value, 0)?;
                }
                self.out.push(';');
            }
            StmtKind::Assign { place, value } => {
                self.place(place)?;
                self.out.push_str(" = ");
                self.expr(value, 0)?;
                self.out.push(';');
            }
            StmtKind::Increment { place, value } => {
                self.place(place)?;
                self.out.push_str(" += ");
                self.expr(value, 0)?;
                self.out.push(';');
            }
            StmtKind::Reset { place } => self.simple("reset", place)?,
            StmtKind::Resize(resize) => self.resize(resize)?,
            StmtKind::Swap { a, b } => {
                self.out.push_str("swap ");
                self.place(a)?;
                self.out.push_str(" and ");
                self.place(b)?;
                self.out.push(';');
            }
            StmtKind::Bind { view } => {
                let Binding::View(target) = &self.body.vars[*view].binding else {
                    unreachable!("only views are bound");
                };
                let mutable = if target.mutable { "mut " } else { "" };
                let (name, ty) = (self.name(*view), &self.body.vars[*view].ty);
                write!(self.out, "view {name}: {ty} = &{mutable}")?;
                self.place(&target.spelled())?;
                self.out.push(';');
            }
            StmtKind::Call(call) => self.call(call)?,
            StmtKind::Opaque(opaque) => {
                self.opaque(opaque)?;
                self.out.push(';');
            }
            StmtKind::If { test, then, otherwise } => {
                self.out.push_str("if ");
                self.expr(test, 0)?;
                self.out.push(' ');
                self.block(then)?;
                if !otherwise.stmts.is_empty() {
                    self.out.push_str(" else ");
                    self.block(otherwise)?;
                }
            }
            StmtKind::Loop(Loop { target, kind, trips, body }) => {
                match kind {
                    LoopKind::Counted { var, range } => {
                        let ty = &self.body.vars[*var].ty;
                        write!(self.out, "for {}: {ty} in ", self.name(*var))?;
                        self.range(range)?;
                    }
                    LoopKind::While { test } => {
                        self.out.push_str("while ");
                        self.expr(test, 0)?;
                    }
                    LoopKind::Forever => self.out.push_str("loop"),
                }
                self.target(target)?;
                if let Some(trips) = trips {
                    write!(self.out, " trips {}", self.name(*trips))?;
                }
                self.out.push(' ');
                self.block(body)?;
            }
            StmtKind::Block { target, body } => {
                self.out.push_str("block");
                if let Some(target) = target {
                    self.target(target)?;
                }
                self.out.push(' ');
                self.block(body)?;
            }
            StmtKind::Exit { label, code } => {
                write!(self.out, "exit '{label}")?;
                if *code != 0 {
                    write!(self.out, " {code}")?;
                }
                self.out.push(';');
            }
            StmtKind::Push { place, transfer: Transfer::Copy } => self.simple("push", place)?,
            StmtKind::Push { place, transfer: Transfer::Move } => {
                self.simple("push move", place)?
            }
            StmtKind::Pop { place, declares: false } => self.simple("pop", place)?,
            StmtKind::Pop { place, declares: true } => {
                let (name, ty) = (self.name(place.root), &self.body.vars[place.root].ty);
                write!(self.out, "pop let {name}: {ty};")?;
            }
        }
        Ok(())
    }

    fn simple(&mut self, verb: &str, place: &Place) -> fmt::Result {
        self.out.push_str(verb);
        self.out.push(' ');
        self.place(place)?;
        self.out.push(';');
        Ok(())
    }

    fn target(&mut self, target: &Target) -> fmt::Result {
        write!(self.out, " '{}", target.label)?;
        if let Some(exit) = target.exit {
            write!(self.out, " exit {}", self.name(exit))?;
        }
        Ok(())
    }

    fn range(&mut self, range: &Range) -> fmt::Result {
        let Range { start, end, inclusive, adaptors } = range;
        let dots = if *inclusive { "..=" } else { ".." };
        if adaptors.is_empty() {
            self.expr(start, 1)?;
            self.out.push_str(dots);
            return self.expr(end, 1);
        }
        self.out.push('(');
        self.expr(start, 1)?;
        self.out.push_str(dots);
        self.expr(end, 1)?;
        self.out.push(')');
        for adaptor in adaptors {
            match adaptor {
                Adaptor::Rev => self.out.push_str(".rev()"),
                Adaptor::StepBy(count) => {
                    self.out.push_str(".step_by(");
                    self.expr(count, 0)?;
                    self.out.push(')');
                }
                Adaptor::Take(count) => {
                    self.out.push_str(".take(");
                    self.expr(count, 0)?;
                    self.out.push(')');
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &Call) -> fmt::Result {
        let Call { callee, args, result, kept, mode, sweep, carrier, failure, resolution } = call;
        match mode {
            CallMode::Auto => {}
            CallMode::Joint => self.out.push_str("joint "),
            CallMode::Split => self.out.push_str("split "),
        }
        self.out.push_str("call ");
        self.out.push_str(&callee.to_string());
        self.out.push('(');
        for (position, Arg { kind, slot }) in args.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            match kind {
                ArgKind::Value(value) => self.expr(value, 0)?,
                ArgKind::Shared(place) => {
                    self.out.push('&');
                    self.place(place)?;
                }
                ArgKind::Exclusive(place) => {
                    self.out.push_str("&mut ");
                    self.place(place)?;
                }
                ArgKind::Omitted => self.out.push('_'),
            }
            match slot {
                Slot::Passive => {}
                Slot::Marker(condition) => {
                    self.out.push_str(" if ");
                    self.condition(condition)?;
                }
                Slot::Bar(place, condition) => {
                    self.out.push_str(" bar ");
                    self.place(place)?;
                    self.out.push_str(" if ");
                    self.condition(condition)?;
                }
            }
        }
        self.out.push_str(if carrier.is_some() { ")?" } else { ")" });
        match resolution {
            Resolution::AsNamed => {}
            Resolution::MethodOf(of) => {
                self.out.push_str(" method of ");
                self.out.push_str(&of.to_string());
            }
            Resolution::MethodOfReferent(of) => {
                self.out.push_str(" method of what is referred to, ");
                self.out.push_str(&of.to_string());
            }
            Resolution::OnReferences => self.out.push_str(" on references"),
            Resolution::Index { by, method: _ } => {
                write!(self.out, " by {by}").expect("text can be written");
            }
        }
        if let Some(failure) = failure {
            self.out.push_str(" failure ");
            self.out.push_str(&self.body.vars[*failure].name);
        }
        match sweep {
            Sweep::Primal => {}
            Sweep::Forward { primal } => {
                self.out.push_str(" forward if ");
                self.guard(primal)?;
            }
            Sweep::Backward { seed, primal } => {
                self.out.push_str(" backward");
                if let Some(seed) = seed {
                    self.out.push_str(" seed ");
                    self.place(seed)?;
                }
                self.out.push_str(" if ");
                self.guard(primal)?;
            }
            Sweep::Tangent { result, leads: _ } => {
                self.out.push_str(" tangent");
                if let Some(result) = result {
                    write!(self.out, " {}", self.name(*result))?;
                }
            }
        }
        if let Some(kept) = kept {
            write!(self.out, " kept {}", self.name(*kept))?;
        }
        if let Some(result) = result {
            write!(self.out, " -> {}: {}", self.name(*result), self.body.vars[*result].ty)?;
        }
        self.out.push(';');
        Ok(())
    }

    fn opaque(&mut self, opaque: &Opaque) -> fmt::Result {
        let Opaque { tokens, reads, writes, declares, class, ending, calls_unknown: _, refusal: _ } =
            opaque;
        let class = match class {
            Class::Pure => "pure",
            Class::State => "state",
            Class::Once => "once",
        };
        write!(self.out, "opaque {class}({:?}", tokens.to_string())?;
        for (title, vars) in [("reads", reads), ("writes", writes), ("declares", declares)] {
            if !vars.is_empty() {
                write!(self.out, " {title}")?;
                for &var in vars {
                    write!(self.out, " {}", self.name(var))?;
                    if title == "declares" {
                        write!(self.out, ": {}", self.body.vars[var].ty)?;
                    }
                }
            }
        }
        match ending {
            Ending::Continues => {}
            Ending::Diverges => self.out.push_str(" diverges"),
            Ending::Fails => self.out.push_str(" fails"),
        }
        self.out.push(')');
        Ok(())
    }

    fn place(&mut self, place: &Place) -> fmt::Result {
        write!(self.out, "{}", self.name(place.root))?;
        for step in &place.projections {
            match step {
                Projection::Field(name) => write!(self.out, ".{name}")?,
                Projection::Boxed => self.out.push_str(".*"),
                Projection::Index(index) => {
                    self.out.push('[');
                    self.expr(index, 0)?;
                    self.out.push(']');
                }
                Projection::Got { getter, at } => {
                    write!(self.out, "[{} at ", getter.name)?;
                    self.expr(at, 0)?;
                    self.out.push(']');
                }
                Projection::Slice { start, end } => {
                    self.out.push('[');
                    if let Some(start) = start {
                        self.expr(start, 1)?;
                    }
                    self.out.push_str("..");
                    if let Some(end) = end {
                        self.expr(end, 1)?;
                    }
                    self.out.push(']');
                }
            }
        }
        Ok(())
    }

    /// Prints an expression; parenthesised if it binds less tightly than `context`.
    fn expr(&mut self, expr: &Expr, context: u8) -> fmt::Result {
        match &expr.kind {
            ExprKind::Literal(text) => self.out.push_str(text),
            ExprKind::Load(place) => self.place(place)?,
            ExprKind::Op(op, args) => self.operation(op, args, &expr.ty, context)?,
            ExprKind::Opaque(opaque) => self.opaque(opaque)?,
            ExprKind::Guard(guard) => self.guard(guard)?,
        }
        Ok(())
    }

    fn operation(&mut self, op: &Op, args: &[Expr], ty: &Type, context: u8) -> fmt::Result {
        const UNARY: u8 = 11;
        const POSTFIX: u8 = 12;
        match op {
            Op::Binary(op) => {
                let own = op.precedence();
                let open = own < context;
                if open {
                    self.out.push('(');
                }
                self.expr(&args[0], if op.is_test() { own + 1 } else { own })?;
                write!(self.out, " {} ", op.token())?;
                self.expr(&args[1], own + 1)?;
                if open {
                    self.out.push(')');
                }
            }
            Op::Unary(op) => {
                let open = context > UNARY;
                if open {
                    self.out.push('(');
                }
                self.out.push(match op {
                    UnaryOp::Neg => '-',
                    UnaryOp::Not => '!',
                });
                self.expr(&args[0], UNARY)?;
                if open {
                    self.out.push(')');
                }
            }
            Op::Cast => {
                let open = context > 10;
                if open {
                    self.out.push('(');
                }
                self.expr(&args[0], 10)?;
                write!(self.out, " as {ty}")?;
                if open {
                    self.out.push(')');
                }
            }
            Op::Called(called) => {
                write!(self.out, "{}", called.tokens)?;
                self.list(" of (", args, ")")?;
            }
            Op::Decided(name) => {
                self.out.push_str("decided(");
                self.expr(&args[0], POSTFIX)?;
                write!(self.out, ".{name}")?;
                self.list("(", &op.of_value(args)[1..], "), ")?;
                self.list("", &args[args.len() - 1..], ")")?;
            }
            Op::Method(name) | Op::Standard(name) => {
                self.expr(&args[0], POSTFIX)?;
                write!(self.out, ".{name}")?;
                self.list("(", &args[1..], ")")?;
            }
            Op::Len => {
                self.expr(&args[0], POSTFIX)?;
                self.out.push_str(".len()");
            }
            Op::ToVec => {
                self.expr(&args[0], POSTFIX)?;
                self.out.push_str(".to_vec()");
            }
            Op::Clone => {
                self.expr(&args[0], POSTFIX)?;
                self.out.push_str(".clone()");
            }
            Op::Array => self.list("[", args, "]")?,
            Op::Vec => self.list("vec![", args, "]")?,
            Op::Tuple => self.list("(", args, if args.len() == 1 { ",)" } else { ")" })?,
            Op::Boxed => self.list("boxed(", args, ")")?,
            Op::Struct(path, fields) => {
                write!(self.out, "{path} {{ ")?;
                for (field, arg) in fields.iter().zip(args) {
                    write!(self.out, "{field}: ")?;
                    self.expr(arg, 0)?;
                    self.out.push_str(", ");
                }
                if let Some(base) = args.get(fields.len()) {
                    self.out.push_str("..");
                    self.expr(base, 0)?;
                    self.out.push(' ');
                }
                self.out.push('}');
            }
            Op::Repeat(len) => {
                self.out.push('[');
                self.expr(&args[0], 0)?;
                write!(self.out, "; {len}]")?;
            }
            Op::VecRepeat => {
                self.out.push_str("vec![");
                self.expr(&args[0], 0)?;
                self.out.push_str("; ");
                self.expr(&args[1], 0)?;
                self.out.push(']');
            }
            Op::Select => {
                self.out.push_str("if ");
                self.expr(&args[0], 0)?;
                self.out.push_str(" { ");
                self.expr(&args[1], 0)?;
                self.out.push_str(" } else { ");
                self.expr(&args[2], 0)?;
                self.out.push_str(" }");
            }
            Op::Strong | Op::TracedStrong => self.list("strong(", args, ")")?,
            Op::Real => self.list("real(", args, ")")?,
            Op::Number => self.list("number(", args, ")")?,
            Op::Direction => self.list("direction(", args, ")")?,
            Op::Tested(test) => self.list(&format!("{}(", test.name()), args, ")")?,
            Op::Traced(told) => self.list(&format!("traced(\"{}\": ", told.what), args, ")")?,
            Op::Given => self.list("given(", args, ")")?,
            Op::FromBits => self.list("from_bits(", args, ")")?,
            Op::Spacing => self.list("spacing(", args, ")")?,
            Op::Unclear(unclear) => self.list(&format!("{}(", unclear.name()), args, ")")?,
            Op::Shape => self.list("shape(", args, ")")?,
            Op::ZeroBar => self.list("zero_bar(", args, ")")?,
            Op::ZeroTangent => self.list("zero_tangent(", args, ")")?,
            Op::Placeholder => self.list("placeholder(", args, ")")?,
        }
        Ok(())
    }

    fn list(&mut self, open: &str, items: &[Expr], close: &str) -> fmt::Result {
        self.out.push_str(open);
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.expr(item, 0)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    fn condition(&mut self, condition: &Condition) -> fmt::Result {
        if condition.is_always() {
            self.out.push_str("always");
            return Ok(());
        }
        self.out.push('<');
        let dependents = self.body.dependents.len();
        let further = condition.if_callee.iter();
        let further =
            further.flat_map(|(fact, pairs)| pairs.ones().map(move |pair| (pair, Some(fact))));
        let pairs = condition.pairs.ones().map(|pair| (pair, None)).chain(further);
        for (position, (pair, fact)) in pairs.enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            let independent = self.body.independents[pair / dependents];
            let dependent = self.body.dependents[pair % dependents];
            write!(self.out, "{}~{}", self.name(independent), self.name(dependent))?;
            if let Some(CalleeFact { call, argument, fact }) = fact {
                let known = self.body.asked.get(call);
                match known.and_then(|asked| asked.names.get(&(*argument, *fact))) {
                    Some(name) => write!(self.out, " if {name}")?,
                    None => write!(self.out, " if {call} {fact:?} {argument}")?,
                }
            }
        }
        self.out.push('>');
        Ok(())
    }

    fn guard(&mut self, guard: &Guard) -> fmt::Result {
        let Guard { primal, bare } = guard;
        if primal == bare {
            return self.condition(primal);
        }
        self.out.push_str("guard(");
        self.condition(primal)?;
        self.out.push_str("; ");
        self.condition(bare)?;
        self.out.push(')');
        Ok(())
    }
}
