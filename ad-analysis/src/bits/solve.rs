//! What is known of integers at each point of a function.

use super::arithmetic::{self, Width};
use super::value::{Content, Copied, Origin, Ratio, Value};
use crate::effects::Zones;
use crate::flow::{FlowGraph, PointKind};
use crate::index::{Index, Point, StmtId, Var};
use crate::ir::{
    BinaryOp, Binding, Body, Expr, ExprKind, Op, Opaque, Place, Stmt, StmtKind, each_expr,
    each_stmt,
};
use crate::types::{FloatKind, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// What is known of the integers that have a value.
pub type State = BTreeMap<Var, Value>;

/// What is known of the integers of a body.
pub struct Integers<'a> {
    pub body: &'a Body,
    pub graph: &'a FlowGraph,
    zones: &'a Zones,
    statements: HashMap<StmtId, Rc<Stmt>>,
    /// Where each `to_bits` stands.
    taken: HashMap<(StmtId, usize), Origin>,
    /// Bits that may be those taken at several places.
    joined: HashMap<(Point, Vec<Option<Origin>>), Origin>,
    /// The points at which they join, by their position in the order.
    joined_at: HashMap<Origin, usize>,
    /// Whether bits have been put into something else than a variable.
    stored: bool,
    before: HashMap<Point, State>,
}

/// Where the float is that an integer follows.
#[derive(Clone, PartialEq, Debug)]
pub enum Leaf {
    /// This integer follows it, too.
    Integer(Var),
    /// Its bits are taken here.
    Float(Expr),
}

/// How often a point is looked at before it is given up.
const PATIENCE: usize = 40;

impl<'a> Integers<'a> {
    /// Follows the integers of a body.
    pub fn of(body: &'a Body, graph: &'a FlowGraph, zones: &'a Zones) -> Self {
        let mut statements = HashMap::new();
        let mut taken = HashMap::new();
        each_stmt(&body.block, &mut |stmt| {
            statements.insert(stmt.id, Rc::new(stmt.clone()));
            let mut count = 0;
            each_expr(stmt, &mut |expr| count += takings(expr));
            for position in 0..count {
                let origin = Origin(u32::try_from(taken.len()).expect("not that many"));
                taken.insert((stmt.id, position), origin);
            }
        });
        let mut integers = Self {
            body,
            graph,
            zones,
            statements,
            taken,
            joined: HashMap::new(),
            joined_at: HashMap::new(),
            stored: false,
            before: HashMap::new(),
        };
        integers.solve();
        if integers.stored {
            integers.solve();
        }
        integers
    }

    /// A statement, and what is known before it; nothing if control does not get there.
    pub fn before(&self, stmt: StmtId) -> Option<(&Stmt, &State)> {
        let state = self.before.get(&self.graph.at(stmt))?;
        Some((self.statements.get(&stmt)?, state))
    }

    fn solve(&mut self) {
        let order = self.graph.order().to_vec();
        let positions: HashMap<Point, usize> =
            order.iter().enumerate().map(|(position, &point)| (point, position)).collect();
        let mut after: HashMap<Point, State> = HashMap::new();
        let mut visits: HashMap<Point, usize> = HashMap::new();
        self.before.clear();
        loop {
            let mut changed = false;
            for &point in &order {
                let mut state = self.entering(point, &positions, &after);
                let count = visits.entry(point).or_insert(0);
                *count += 1;
                if *count > PATIENCE {
                    let given_up = |value: &mut Value| *value = Value::unknown(true, 128);
                    state.values_mut().for_each(given_up);
                }
                self.before.insert(point, state.clone());
                self.transfer(point, &mut state);
                if after.get(&point) != Some(&state) {
                    after.insert(point, state);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What is known where control comes together.
    fn entering(
        &mut self,
        point: Point,
        positions: &HashMap<Point, usize>,
        after: &HashMap<Point, State>,
    ) -> State {
        let here = positions[&point];
        let mut incoming: Vec<State> = Vec::new();
        let mut predecessors: Vec<Point> = self.graph.predecessors(point).collect();
        predecessors.sort_by_key(|point| point.position());
        let mut is_repeated = false;
        for predecessor in predecessors {
            let Some(state) = after.get(&predecessor) else { continue };
            let mut state = state.clone();
            if positions.get(&predecessor).is_some_and(|&position| position >= here) {
                is_repeated = true;
                // What joins inside of a loop is something else each time.
                let inside =
                    |origin: Origin| self.joined_at.get(&origin).is_some_and(|&at| at >= here);
                state.values_mut().for_each(|value| forget(value, &inside));
            }
            incoming.push(state);
        }
        if !is_repeated && incoming.len() > 1 {
            self.name_joined(point, here, &mut incoming);
        }
        let mut states = incoming.into_iter();
        let mut state = states.next().unwrap_or_default();
        if point == self.graph.start() {
            let params = self.body.params.iter().copied().filter(|&var| self.is_followed(var));
            state.extend(params.map(|var| (var, self.given(var))));
        }
        for other in states {
            for (var, value) in other {
                match state.get_mut(&var) {
                    Some(known) => *known = known.join(&value),
                    None => drop(state.insert(var, value)),
                }
            }
        }
        state
    }

    /// Bits that were taken at different places and come together get a name of their own: integers that hold bits of one float
    /// on each way hold bits of one float.
    fn name_joined(&mut self, point: Point, here: usize, incoming: &mut [State]) {
        let vars: BTreeSet<Var> = incoming.iter().flat_map(|state| state.keys().copied()).collect();
        let mut tuples: BTreeSet<Vec<Option<Origin>>> = BTreeSet::new();
        for var in vars {
            let tuple: Vec<_> =
                incoming.iter().map(|state| state.get(&var).and_then(origin_of)).collect();
            if tuple.iter().flatten().collect::<BTreeSet<_>>().len() > 1 {
                tuples.insert(tuple);
            }
        }
        let next = self.taken.len() + self.joined.len();
        for tuple in tuples {
            let name = Origin(u32::try_from(next + self.joined.len()).expect("not that many"));
            let name = *self.joined.entry((point, tuple.clone())).or_insert(name);
            self.joined_at.insert(name, here);
            for (state, origin) in incoming.iter_mut().zip(tuple) {
                if let Some(origin) = origin {
                    state.values_mut().for_each(|value| rename(value, origin, name));
                }
            }
        }
    }

    fn transfer(&mut self, point: Point, state: &mut State) {
        let info = self.graph.info(point);
        let stmt = info.stmt.and_then(|id| self.statements.get(&id).cloned());
        let (kind, dies) = (info.kind, info.dies.clone());
        for var in dies {
            state.remove(&var);
        }
        let Some(stmt) = stmt else { return };
        match kind {
            PointKind::Statement => self.statement(&stmt, point, state),
            PointKind::Iteration => {
                for var in self.written(point) {
                    state.insert(var, Value::discrete(BTreeSet::new(), 128));
                }
            }
            PointKind::Start | PointKind::End | PointKind::After | PointKind::ScopeEnd { .. } => {}
        }
    }

    fn statement(&mut self, stmt: &Stmt, point: Point, state: &mut State) {
        let assigned = match &stmt.kind {
            StmtKind::Let { var, value } => Some((*var, value.as_ref())),
            StmtKind::Assign { place, value } if place.is_whole() => {
                Some((place.root, Some(value)))
            }
            _ => None,
        };
        self.note_stored(stmt, state);
        let new = match assigned {
            Some((var, Some(value))) if self.is_followed(var) => {
                Some((var, self.eval(stmt, state, value)))
            }
            Some((var, None)) => {
                state.remove(&var);
                return;
            }
            _ => None,
        };
        // The same code takes other bits now.
        let mut count = 0;
        each_expr(stmt, &mut |expr| count += takings(expr));
        for position in 0..count {
            let again = self.taken[&(stmt.id, position)];
            for value in state.values_mut() {
                forget(value, &|origin| origin == again);
            }
        }
        let uses = &self.graph.info(point).effects.uses;
        let mut used = uses.iter().filter_map(|&zone| state.get(&self.zones.var(zone)));
        let of_bits = self.stored || used.any(Value::holds_bits);
        for var in self.written(point) {
            state.insert(var, Value::unknown(of_bits, 128));
        }
        if let Some((var, value)) = new {
            state.insert(var, value);
        }
    }

    fn written(&self, point: Point) -> BTreeSet<Var> {
        let writes = &self.graph.info(point).effects.writes;
        writes
            .iter()
            .map(|&zone| self.zones.var(zone))
            .filter(|&var| self.is_followed(var))
            .collect()
    }

    /// Notes integers that get into something else than a variable.
    fn note_stored(&mut self, stmt: &Stmt, state: &State) {
        let mut found = false;
        let is_variable = match &stmt.kind {
            StmtKind::Let { var, value: _ } => self.is_followed(*var),
            StmtKind::Assign { place, value: _ } => {
                place.is_whole() && self.is_followed(place.root)
            }
            _ => false,
        };
        each_expr(stmt, &mut |expr| {
            let is_integer = matches!(expr.ty, Type::Int(_));
            if !is_variable && is_integer && self.eval(stmt, state, expr).holds_bits() {
                found |= matches!(stmt.kind, StmtKind::Let { .. } | StmtKind::Assign { .. });
            }
            found |= self.is_part_of_aggregate(stmt, state, expr);
        });
        self.stored |= found;
    }

    fn is_part_of_aggregate(&self, stmt: &Stmt, state: &State, expr: &Expr) -> bool {
        let ExprKind::Op(op, args) = &expr.kind else { return false };
        let is_aggregate = matches!(
            op,
            Op::Array
                | Op::Vec
                | Op::Tuple
                | Op::Boxed
                | Op::Struct(..)
                | Op::Repeat(_)
                | Op::VecRepeat
        );
        args.iter().any(|arg| {
            let is_integer = is_aggregate && matches!(arg.ty, Type::Int(_));
            is_integer && self.eval(stmt, state, arg).holds_bits()
                || self.is_part_of_aggregate(stmt, state, arg)
        })
    }

    fn reads_bits(&self, opaque: &Opaque, state: &State) -> bool {
        let mut read =
            opaque.reads.iter().filter_map(|&var| state.get(&self.body.root_of(&Place::var(var))));
        read.any(Value::holds_bits)
    }

    /// Whether an integer is followed: a whole variable.
    pub fn is_followed(&self, var: Var) -> bool {
        let variable = &self.body.vars[var];
        matches!(variable.binding, Binding::Value) && Width::of(&variable.ty).is_some()
    }

    /// What is known of the value of an expression of a statement.
    pub fn eval(&self, stmt: &Stmt, state: &State, expr: &Expr) -> Value {
        let width = Width::of(&expr.ty);
        let unknown = |of_bits| Value::unknown(of_bits, 128);
        match &expr.kind {
            ExprKind::Literal(text) => number(text).map_or(unknown(false), Value::constant),
            ExprKind::Load(place) => self.load(state, place),
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Method(name), [float]) if &**name == "to_bits" => {
                    self.bits_of(stmt, expr, float)
                }
                _ if expr.ty == Type::Bool => Value::discrete(BTreeSet::new(), 1),
                (Op::Len, _) => Value::discrete(BTreeSet::new(), 64),
                (Op::Cast, [from]) => self.cast(stmt, state, from, width),
                _ => {
                    let args: Vec<Value> =
                        args.iter().map(|arg| self.eval(stmt, state, arg)).collect();
                    operation(op, &args, width)
                }
            },
            ExprKind::Opaque(opaque) => unknown(self.reads_bits(opaque, state)),
            ExprKind::Guard(_) => Value::discrete(BTreeSet::new(), 1),
        }
    }

    fn cast(&self, stmt: &Stmt, state: &State, from: &Expr, to: Option<Width>) -> Value {
        match &from.ty {
            Type::Bool => Value::discrete(BTreeSet::new(), 1),
            Type::Float(_) => Value::part(BTreeSet::new(), 128),
            ty => {
                let value = self.eval(stmt, state, from);
                match (Width::of(ty), to) {
                    (Some(from), Some(to)) => arithmetic::cast(&value, from, to),
                    _ if value.as_constant().is_some() => value,
                    _ => Value::unknown(value.holds_bits(), 128),
                }
            }
        }
    }

    fn bits_of(&self, stmt: &Stmt, expr: &Expr, float: &Expr) -> Value {
        let (mantissa, end) = match &float.ty {
            Type::Float(FloatKind::F32) => (23, 32),
            _ => (52, 64),
        };
        let mut position = 0;
        let mut found = None;
        each_expr(stmt, &mut |root| place_of(root, expr, &mut position, &mut found));
        let origin = found.and_then(|position| self.taken.get(&(stmt.id, position)).copied());
        let copied = Copied { ratio: Ratio::ONE, mantissa, from: 0, offset: 128, origin };
        Value { content: Content::Copy(copied), zeros: 0, end }
    }

    fn load(&self, state: &State, place: &Place) -> Value {
        let place = self.body.resolve(place);
        let variable = &self.body.vars[place.root];
        if place.is_whole() && self.is_followed(place.root) {
            // A parameter, or something that has no value yet.
            return state.get(&place.root).cloned().unwrap_or_else(|| self.given(place.root));
        }
        match variable.binding {
            Binding::Global(_) | Binding::Shared => Value::discrete(BTreeSet::new(), 128),
            Binding::Value | Binding::Exclusive | Binding::View(_) => {
                Value::unknown(self.stored, 128)
            }
        }
    }

    /// An integer from outside, which holds no bits of a float: as many as its type has.
    fn given(&self, var: Var) -> Value {
        let most = Width::of(&self.body.vars[var].ty).map_or(128, |width| width.most);
        Value::discrete(BTreeSet::new(), most)
    }

    /// Where the float is that the value of an expression follows.
    pub fn leaf(&self, stmt: &Stmt, state: &State, expr: &Expr) -> Option<Leaf> {
        let Content::Copy(_) = self.eval(stmt, state, expr).content else { return None };
        match &expr.kind {
            ExprKind::Load(place) => Some(Leaf::Integer(self.body.root_of(place))),
            ExprKind::Op(Op::Method(name), args) if &**name == "to_bits" => {
                Some(Leaf::Float(args[0].clone()))
            }
            ExprKind::Op(_, args) => args.iter().find_map(|arg| self.leaf(stmt, state, arg)),
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => None,
        }
    }
}

/// What an operation other than a cast makes of its operands.
fn operation(op: &Op, args: &[Value], width: Option<Width>) -> Value {
    let of_bits = args.iter().any(Value::holds_bits);
    let method = |op, args: &[Value]| match (width, args) {
        (Some(width), [a, b]) => arithmetic::binary(op, a, b, width),
        _ => Value::unknown(of_bits, 128),
    };
    match op {
        Op::Binary(op) => method(*op, args),
        Op::Unary(op) => match width {
            Some(width) => arithmetic::unary(*op, &args[0], width),
            None => Value::unknown(of_bits, 128),
        },
        Op::Method(name) => match &**name {
            "wrapping_add" => method(BinaryOp::Add, args),
            "wrapping_sub" => method(BinaryOp::Sub, args),
            "wrapping_mul" => method(BinaryOp::Mul, args),
            // The place of the first digit.
            "leading_zeros" | "ilog2"
                if matches!(args[0].content, Content::Copy(_) | Content::Discrete(_)) =>
            {
                Value::discrete(args[0].exponents(), 8)
            }
            _ if args.iter().all(|arg| matches!(arg.content, Content::Discrete(_))) => {
                match args.iter().any(Value::is_part) {
                    true => Value::part(BTreeSet::new(), 128),
                    false => Value::discrete(BTreeSet::new(), 128),
                }
            }
            _ => Value::unknown(of_bits, 128),
        },
        _ => Value::unknown(of_bits, 128),
    }
}

fn origin_of(value: &Value) -> Option<Origin> {
    match &value.content {
        Content::Copy(copied) => copied.origin,
        Content::Low(origin, _) => Some(*origin),
        Content::Discrete(_) | Content::Truncated | Content::Unknown { .. } => None,
    }
}

fn rename(value: &mut Value, from: Origin, to: Origin) {
    match &mut value.content {
        Content::Copy(copied) if copied.origin == Some(from) => copied.origin = Some(to),
        Content::Low(origin, _) if *origin == from => *origin = to,
        Content::Discrete(discrete) => {
            if discrete.of.contains(&from) {
                discrete.of.insert(to);
            }
        }
        Content::Copy(_) | Content::Low(..) | Content::Truncated | Content::Unknown { .. } => {}
    }
}

/// Bits are those of another float from now on.
fn forget(value: &mut Value, gone: &dyn Fn(Origin) -> bool) {
    match &mut value.content {
        Content::Copy(copied) => copied.origin = copied.origin.filter(|origin| !gone(*origin)),
        Content::Low(origin, _) if gone(*origin) => {
            value.content = Content::Unknown { of_bits: true }
        }
        Content::Discrete(discrete) => discrete.of.retain(|origin| !gone(*origin)),
        Content::Low(..) | Content::Truncated | Content::Unknown { .. } => {}
    }
}

/// How often an expression takes the bits of a float.
fn takings(expr: &Expr) -> usize {
    let ExprKind::Op(op, args) = &expr.kind else { return 0 };
    usize::from(is_taking(op)) + args.iter().map(takings).sum::<usize>()
}

fn is_taking(op: &Op) -> bool {
    matches!(op, Op::Method(name) if &**name == "to_bits")
}

/// The number of the place where an expression takes the bits of a float.
fn place_of(expr: &Expr, wanted: &Expr, position: &mut usize, found: &mut Option<usize>) {
    let ExprKind::Op(op, args) = &expr.kind else { return };
    if is_taking(op) {
        if std::ptr::eq(expr, wanted) {
            *found = Some(*position);
        }
        *position += 1;
    }
    args.iter().for_each(|arg| place_of(arg, wanted, position, found));
}

/// The number that a literal of an integer stands for.
fn number(text: &str) -> Option<u128> {
    let digits = text.replace('_', "");
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ => (digits.as_str(), 10),
    };
    let end = match crate::types::INT_NAMES.iter().find(|name| digits.ends_with(**name)) {
        Some(name) => digits.len() - name.len(),
        None => digits.len(),
    };
    u128::from_str_radix(&digits[..end], radix).ok()
}

/// For other files: whether anything is done with bits in a body.
pub fn uses_bits(body: &Body) -> bool {
    fn made(expr: &Expr) -> bool {
        let ExprKind::Op(op, args) = &expr.kind else { return false };
        *op == Op::FromBits || is_taking(op) || args.iter().any(made)
    }
    let mut any = false;
    each_stmt(&body.block, &mut |stmt| each_expr(stmt, &mut |expr| any |= made(expr)));
    any
}
