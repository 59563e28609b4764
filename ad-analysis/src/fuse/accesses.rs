//! What statements read, write and add to, as far as loops that are moved or run in another order must
//! know it.

use crate::index::{BitSet, Var};
use crate::ir::{
    Block, Body, Expr, ExprKind, Loop, LoopKind, Op, Place, Projection, Stmt, StmtKind,
};

/// An access to a place, with views resolved.
#[derive(Debug)]
pub(super) struct Access {
    /// The place.
    pub(super) place: Place,
    /// What is done there.
    pub(super) kind: Kind,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It reads the value.
    Read,
    /// It asks for the number of elements, or where they are.
    Shape,
    /// It overwrites the value.
    Write,
    /// It adds to the value: additions commute but for rounding.
    Add,
}

/// What some statements do.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// The accesses, in order.
    pub(super) list: Vec<Access>,
    /// The variables they declare.
    pub(super) declared: BitSet<Var>,
}

impl Accesses {
    /// Those of some statements; `None` if there is more to them than reading and writing places: calls,
    /// exits, the stack, lists that change their length, verbatim code.
    pub(super) fn of(body: &Body, stmts: &[Stmt]) -> Option<Self> {
        let mut accesses = Self::default();
        accesses.stmts(body, stmts)?;
        Some(accesses)
    }

    fn stmts(&mut self, body: &Body, stmts: &[Stmt]) -> Option<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(body, stmt))
    }

    fn block(&mut self, body: &Body, block: &Block) -> Option<()> {
        self.stmts(body, &block.stmts)
    }

    fn stmt(&mut self, body: &Body, stmt: &Stmt) -> Option<()> {
        match &stmt.kind {
            StmtKind::Let { var, value } => {
                self.declared.insert(*var);
                value.as_ref().map_or(Some(()), |value| self.reads(body, value))?;
                self.access(body, &Place::var(*var), Kind::Write)
            }
            StmtKind::Assign { place, value } => {
                self.reads(body, value)?;
                self.access(body, place, Kind::Write)
            }
            StmtKind::Increment { place, value } => {
                self.reads(body, value)?;
                self.access(body, place, Kind::Add)
            }
            StmtKind::Reset { place } => self.access(body, place, Kind::Write),
            StmtKind::Bind { view } => {
                self.declared.insert(*view);
                self.access(body, &Place::var(*view), Kind::Shape)
            }
            StmtKind::If { test, then, otherwise } => {
                self.reads(body, test)?;
                self.block(body, then)?;
                self.block(body, otherwise)
            }
            StmtKind::Loop(Loop { target, kind, trips: None, body: inner })
                if target.exit.is_none() =>
            {
                let LoopKind::Counted { var, range } = kind else { return None };
                self.declared.insert(*var);
                range.operands().try_for_each(|operand| self.reads(body, operand))?;
                self.block(body, inner)
            }
            StmtKind::Block { target: None, body: inner } => self.block(body, inner),
            StmtKind::Loop(_)
            | StmtKind::Block { target: Some(_), body: _ }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => None,
        }
    }

    fn access(&mut self, body: &Body, place: &Place, kind: Kind) -> Option<()> {
        let place = body.resolve(place);
        for step in &place.projections {
            match step {
                Projection::Field(_) | Projection::Boxed => {}
                Projection::Index(index) | Projection::Got { at: index, .. } => {
                    self.reads(body, index)?;
                }
                Projection::Slice { start, end } => {
                    start.iter().chain(end).try_for_each(|bound| self.reads(body, bound))?;
                }
            }
        }
        self.list.push(Access { place, kind });
        Some(())
    }

    fn reads(&mut self, body: &Body, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Load(place) => self.access(body, place, Kind::Read),
            ExprKind::Op(Op::Len | Op::Shape, args) => match args[0].as_place() {
                Some(place) => self.access(body, place, Kind::Shape),
                None => self.reads(body, &args[0]),
            },
            ExprKind::Op(_, args) => args.iter().try_for_each(|arg| self.reads(body, arg)),
            ExprKind::Literal(_) | ExprKind::Guard(_) => Some(()),
            ExprKind::Opaque(_) => None,
        }
    }

    /// The accesses to variables that are declared elsewhere.
    pub(super) fn outer(&self) -> impl Iterator<Item = &Access> {
        self.list.iter().filter(|access| !self.declared.contains(access.place.root))
    }

    /// Whether nothing that one of them writes is accessed by the other, so that the order between the
    /// two does not matter.
    pub(super) fn commute_with(&self, other: &Self) -> bool {
        !self.disturb(other) && !other.disturb(self)
    }

    /// Whether these write something that `other` accesses.
    fn disturb(&self, other: &Self) -> bool {
        self.list.iter().filter(|access| access.kind.changes()).any(|write| {
            other.list.iter().any(|access| {
                let only_shape = access.kind == Kind::Shape && write.place.is_computed();
                access.place.root == write.place.root && !only_shape
            })
        })
    }
}

impl Kind {
    pub(super) fn changes(self) -> bool {
        match self {
            Kind::Read | Kind::Shape => false,
            Kind::Write | Kind::Add => true,
        }
    }
}
