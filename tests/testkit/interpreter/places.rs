//! Reading and writing places.

use super::Frame;
use super::operations::literal;
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::Index;
use ad_analysis::ir::{Adaptor, Expr, ExprKind, Place, Projection, Range};

impl<S: Scalar> Frame<'_, S> {
    pub(super) fn range(&self, range: &Range) -> Vec<i128> {
        let (start, end) = (self.eval(&range.start).int(), self.eval(&range.end).int());
        let mut values: Vec<i128> =
            if range.inclusive { (start..=end).collect() } else { (start..end).collect() };
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::Rev => values.reverse(),
                Adaptor::StepBy(step) => {
                    let step = self.eval(step).int() as usize;
                    values = values.into_iter().step_by(step).collect();
                }
                Adaptor::Take(count) => values.truncate(self.eval(count).int() as usize),
            }
        }
        values
    }

    pub(super) fn read(&self, place: &Place) -> Value<S> {
        self.watch(place);
        let place = self.body.resolve(place);
        let mut value = &self.values[place.root.position()];
        let slice;
        for (depth, step) in place.projections.iter().enumerate() {
            match step {
                Projection::Field(name) => {
                    value = &value.parts()[name.parse::<usize>().expect("tuple fields")];
                }
                // A value stands for the `Box` around it.
                Projection::Boxed => {}
                Projection::Got { .. } => calls_getter(),
                Projection::Index(index) => {
                    let index = self.eval(index).int();
                    let parts = value.parts();
                    value =
                        parts.get(usize::try_from(index).expect("a valid index")).unwrap_or_else(
                            || panic!("index {index} of {} in {}", parts.len(), self.body.name),
                        );
                }
                Projection::Slice { start, end } => {
                    let (start, end) = self.bounds(start, end, value.parts().len());
                    slice = Value::List(value.parts()[start..end].to_vec());
                    let rest = Place {
                        root: place.root,
                        projections: place.projections[depth + 1..].to_vec(),
                    };
                    return self.part(&slice, &rest.projections);
                }
            }
        }
        value.clone()
    }

    /// Notes by which name an element is accessed.
    fn watch(&self, name: &Place) {
        let Some(watched) = &self.watched else { return };
        let place = self.body.resolve(name);
        let mut offset = 0;
        for step in &place.projections {
            let at = |expr: &Expr| usize::try_from(self.eval(expr).int()).expect("a valid index");
            match step {
                Projection::Field(_) | Projection::Boxed | Projection::Got { .. } => return,
                Projection::Slice { start, end: _ } => offset += start.as_ref().map_or(0, at),
                Projection::Index(index) => {
                    let element = (place.root, offset + at(index));
                    let mut watched = watched.borrow_mut();
                    let first = watched.names.entry(element).or_insert_with(|| name.clone());
                    let is_other = first != name;
                    watched.equal_indices += usize::from(is_other);
                }
            }
        }
    }

    /// A part of a value that stands for itself.
    fn part(&self, value: &Value<S>, steps: &[Projection]) -> Value<S> {
        let Some((step, rest)) = steps.split_first() else { return value.clone() };
        match step {
            Projection::Field(name) => {
                let field = &value.parts()[name.parse::<usize>().expect("tuple fields")];
                self.part(field, rest)
            }
            Projection::Boxed => self.part(value, rest),
            Projection::Got { .. } => calls_getter(),
            Projection::Index(index) => {
                let index = usize::try_from(self.eval(index).int()).expect("a valid index");
                self.part(&value.parts()[index], rest)
            }
            Projection::Slice { start, end } => {
                let (start, end) = self.bounds(start, end, value.parts().len());
                self.part(&Value::List(value.parts()[start..end].to_vec()), rest)
            }
        }
    }

    fn bounds(&self, start: &Option<Expr>, end: &Option<Expr>, len: usize) -> (usize, usize) {
        let bound = |expr: &Expr| usize::try_from(self.eval(expr).int()).expect("a valid bound");
        (start.as_ref().map_or(0, bound), end.as_ref().map_or(len, bound))
    }

    pub(super) fn write(&mut self, place: &Place, value: Value<S>) {
        self.watch(place);
        let (var, steps) = self.locate(place);
        store(&mut self.values[var], &steps, 0, value);
    }

    /// Exchanges two values; what the indices of both read is read before.
    pub(super) fn swap(&mut self, a: &Place, b: &Place) {
        let (first, second) = (self.read(a), self.read(b));
        self.write_all(vec![(a, second), (b, first)]);
    }

    /// Writes several places; what their indices read is read before.
    pub(super) fn write_all(&mut self, values: Vec<(&Place, Value<S>)>) {
        let located: Vec<_> =
            values.into_iter().map(|(place, value)| (self.locate(place), value)).collect();
        for ((var, steps), value) in located {
            store(&mut self.values[var], &steps, 0, value);
        }
    }

    /// The variable and the indices of a place, evaluated before anything is borrowed.
    fn locate(&self, place: &Place) -> (usize, Vec<(usize, Option<usize>)>) {
        let place = self.body.resolve(place);
        let steps: Vec<(usize, Option<usize>)> = {
            let mut steps = Vec::new();
            let mut current = self.values[place.root.position()].clone();
            for step in &place.projections {
                let (first, end) = match step {
                    Projection::Field(name) => (name.parse().expect("tuple fields"), None),
                    Projection::Boxed => continue,
                    Projection::Got { .. } => calls_getter(),
                    Projection::Index(index) => {
                        (usize::try_from(self.eval(index).int()).expect("a valid index"), None)
                    }
                    Projection::Slice { start, end } => {
                        let (start, end) = self.bounds(start, end, current.parts().len());
                        (start, Some(end))
                    }
                };
                current = match end {
                    None => current.parts()[first].clone(),
                    Some(end) => Value::List(current.parts()[first..end].to_vec()),
                };
                steps.push((first, end));
            }
            steps
        };
        (place.root.position(), steps)
    }

    pub(super) fn eval(&self, expr: &Expr) -> Value<S> {
        match &expr.kind {
            ExprKind::Literal(text) => literal(text, &expr.ty),
            ExprKind::Load(place) => self.read(place),
            ExprKind::Guard(guard) => Value::Bool(self.holds(guard)),
            ExprKind::Opaque(_) => panic!("opaque code cannot be interpreted"),
            ExprKind::Op(op, args) => self.operation(op, args, &expr.ty),
        }
    }
}

fn store<S: Scalar>(
    target: &mut Value<S>,
    steps: &[(usize, Option<usize>)],
    offset: usize,
    value: Value<S>,
) {
    match steps.split_first() {
        None => *target = value,
        Some((&(first, None), rest)) => {
            store(&mut target.parts_mut()[first + offset], rest, 0, value);
        }
        Some((&(first, Some(end)), rest)) => {
            if rest.is_empty() {
                let parts = &mut target.parts_mut()[first + offset..end + offset];
                assert_eq!(parts.len(), value.parts().len(), "slices of one length");
                parts.clone_from_slice(value.parts());
            } else {
                store(target, rest, first + offset, value);
            }
        }
    }
}

/// Values have no methods here.
fn calls_getter() -> ! {
    panic!("a body that calls a getter is not interpreted")
}
