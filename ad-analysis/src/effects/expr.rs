//! What an expression reads, and what its partials read.

use super::bits::refused;
use super::{Flow, Needs, Zones};
use crate::index::Zone;
use crate::ir::{Body, Expr, ExprKind, Op, Opaque, Place, Projection, Unclear, places_in};
use crate::payloads::variant_name;
use crate::rules;
use proc_macro2::Span;
use std::rc::Rc;

/// Reads expressions of a body.
pub(super) struct Reader<'a> {
    pub(super) body: &'a Body,
    pub(super) zones: &'a Zones,
}

impl Reader<'_> {
    /// The zones an expression reads, indices included.
    pub(super) fn uses(&self, expr: &Expr, out: &mut Vec<Zone>) {
        match &expr.kind {
            ExprKind::Load(place) => self.place(place, out),
            ExprKind::Op(op, args) => {
                op.of_value(args).iter().for_each(|operand| self.uses(operand, out));
            }
            ExprKind::Opaque(opaque) => {
                opaque.reads.iter().for_each(|&var| self.place(&Place::var(var), out));
            }
            ExprKind::Literal(_) | ExprKind::Guard(_) => {}
        }
    }

    /// The zones that reading a place reads: its own, those of its indices, the local reference.
    fn place(&self, place: &Place, out: &mut Vec<Zone>) {
        self.reference(place, out);
        let resolved = self.body.resolve(place);
        self.indices(&resolved, out);
        out.extend(self.zones.of_place(&resolved));
    }

    /// The local reference that a place goes through, if it does.
    pub(super) fn reference(&self, place: &Place, out: &mut Vec<Zone>) {
        if self.body.root_of(place) != place.root {
            out.extend(self.zones.of_var(place.root));
        }
    }

    /// The zones that the indices of a place read.
    pub(super) fn indices(&self, place: &Place, out: &mut Vec<Zone>) {
        for step in &place.projections {
            match step {
                Projection::Field(_) | Projection::Boxed => {}
                Projection::Index(index) | Projection::Got { at: index, .. } => {
                    self.uses(index, out)
                }
                Projection::Slice { start, end } => {
                    for bound in [start, end].into_iter().flatten() {
                        self.uses(bound, out);
                    }
                }
            }
        }
    }

    /// The zones that tell whether values are of the variants that a place leads through.
    pub(super) fn variants(&self, place: &Place, out: &mut Vec<Zone>) {
        for (position, step) in place.projections.iter().enumerate() {
            if let Projection::Field(name) = step
                && let Some((variant, _)) = name.rsplit_once("::")
            {
                let owner = place.projections[..position].to_vec();
                let owner = Place { root: place.root, projections: owner };
                let test = owner.then(Projection::Field(variant_name(variant).into()));
                out.extend(self.zones.of_place(&test));
            }
        }
    }

    /// The flows of `place = value`, one for each float that the value is computed from.
    pub(super) fn flows(&self, place: &Place, value: &Expr, to: &[Zone], lhs: &Needs) -> Vec<Flow> {
        let mut mentions_itself = false;
        places_in(value, &mut |read| {
            mentions_itself |= self.body.root_of(read) == place.root;
        });
        let result = place.is_whole() && !mentions_itself;
        let mut leaves = Leaves { reader: self, place, result, to, flows: Vec::new() };
        leaves.visit(value, lhs, true);
        leaves.flows
    }

    /// The flows of a value into new elements of a list.
    pub(super) fn flows_into(
        &self,
        list: &Place,
        items: &Expr,
        to: &[Zone],
        lhs: &Needs,
    ) -> Vec<Flow> {
        let mut leaves = Leaves { reader: self, place: list, result: false, to, flows: Vec::new() };
        leaves.visit(items, lhs, true);
        leaves.flows
    }
}

/// Collects the leaves of an expression tree with what the partials on the way to them read.
struct Leaves<'a> {
    reader: &'a Reader<'a>,
    place: &'a Place,
    /// Whether the result can be read from the assigned variable.
    result: bool,
    to: &'a [Zone],
    flows: Vec<Flow>,
}

impl Leaves<'_> {
    fn visit(&mut self, expr: &Expr, path: &Needs, is_root: bool) {
        if !expr.ty.may_carry_floats() {
            return;
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                let resolved = self.reader.body.resolve(place);
                let mut needs = path.clone();
                self.reader.indices(&resolved, &mut needs.before);
                let from = self.reader.zones.of_place(&resolved);
                self.flows.push(Flow { to: self.to.to_vec(), from, needs, refusal: None });
            }
            ExprKind::Op(op, args) => self.operation(expr, (op, args), path, is_root),
            ExprKind::Literal(_) | ExprKind::Guard(_) => {}
            ExprKind::Opaque(_) => unreachable!("opaque code stands at the root of a value"),
        }
    }

    fn operation(&mut self, expr: &Expr, (op, args): (&Op, &[Expr]), path: &Needs, is_root: bool) {
        match op {
            Op::Array
            | Op::Vec
            | Op::Tuple
            | Op::Boxed
            | Op::Struct(..)
            | Op::Cast
            | Op::ToVec
            | Op::Clone
            | Op::Real
            | Op::Number
            | Op::Direction => {
                args.iter().for_each(|arg| self.visit(arg, path, false));
            }
            Op::Given => {
                self.visit(&args[0], path, false);
                for (partial, arg) in crate::ir::given_partials(args) {
                    let mut path = path.clone();
                    self.read(partial, &mut path);
                    self.visit(arg, &path, false);
                }
            }
            Op::Repeat(_) | Op::VecRepeat | Op::Tested(_) => self.visit(&args[0], path, false),
            Op::Unclear(unclear) => {
                self.visit(&args[0], path, false);
                self.unclear(*unclear, &args[1..], expr.span);
            }
            Op::FromBits | Op::Spacing => {}
            Op::Traced(_) | Op::TracedStrong => unreachable!("only tangents are traced"),
            Op::Select => {
                let mut path = path.clone();
                self.read(&args[0], &mut path);
                args[1..].iter().for_each(|arg| self.visit(arg, &path, false));
            }
            Op::Called(called) if called.is_conversion() => self.visit(&args[0], path, false),
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Method(_)
            | Op::Standard(_)
            | Op::Called(_)
            | Op::Decided(_)
            | Op::Strong => {
                let Some(rule) = rules::rule_of(op) else {
                    // An operation of integers and truth values, or of a type of the user's.
                    return self.without_rule(expr, args);
                };
                for (position, arg) in args.iter().enumerate() {
                    let Some(partial) = rule.partial(position) else { continue };
                    let (reads, reads_result) = rule.reads(partial, args);
                    let mut path = path.clone();
                    for read in reads {
                        self.read(&args[read], &mut path);
                    }
                    if reads_result && is_root && self.result {
                        path.after.extend(self.reader.zones.of_place(self.place));
                    } else if reads_result {
                        args.iter().for_each(|arg| self.read(arg, &mut path));
                    }
                    self.visit(arg, &path, false);
                }
            }
            Op::Len | Op::Shape | Op::ZeroTangent | Op::Placeholder => {}
            Op::ZeroBar => unreachable!("sweeps are not analysed"),
        }
    }

    /// What an integer that holds bits of floats contributes.
    fn unclear(&mut self, unclear: Unclear, sources: &[Expr], span: Span) {
        let mut from = Vec::new();
        sources.iter().for_each(|source| self.reader.data(source, &mut from));
        let refusal = Some((refused(unclear), span));
        self.flows.push(Flow { to: self.to.to_vec(), from, needs: Needs::default(), refusal });
    }

    /// The flows of an operation on values of types that nobody knows.
    fn without_rule(&mut self, expr: &Expr, args: &[Expr]) {
        let refusal = Rc::new(Opaque::refused(
            "an operator on values of types that the macro cannot see",
            "if they are integers, say so: `let n: u32 = …;`; if they are of a type of yours, write its name, `let v: V = \
             …;`, and annotate the `impl` of the operator",
        ));
        let mut from = Vec::new();
        for arg in args.iter().filter(|arg| arg.ty.may_carry_floats()) {
            places_in(arg, &mut |place| {
                from.extend(self.reader.zones.of_place(&self.reader.body.resolve(place)));
            });
        }
        self.flows.push(Flow {
            to: self.to.to_vec(),
            from,
            needs: Needs::default(),
            refusal: Some((refusal, expr.span)),
        });
    }

    /// Notes that a partial reads the value of an expression.
    fn read(&self, expr: &Expr, needs: &mut Needs) {
        places_in(expr, &mut |read| {
            let resolved = self.reader.body.resolve(read);
            self.reader.indices(&resolved, &mut needs.before);
            if resolved == *self.place && resolved.is_computed() {
                needs.own = true;
            } else {
                needs.before.extend(self.reader.zones.of_place(&resolved));
            }
        });
    }
}
