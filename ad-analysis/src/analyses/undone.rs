//! Which variables does the backward sweep change back, with nothing of them stored?

use crate::effects::Inverse;
use crate::flow::FlowGraph;
use crate::index::{BitSet, Var};
use crate::ir::Body;

/// The numbers and truth values that are overwritten by exact updates only. What is made of them can be computed again though
/// they have changed since.
pub(super) fn undone(body: &Body, graph: &FlowGraph) -> BitSet<Var> {
    let (mut updated, mut others) = (BitSet::new(), BitSet::new());
    for &point in graph.order() {
        let effects = &graph.info(point).effects;
        let changed = match effects.inverse {
            Some(Inverse::Value(_)) => &mut updated,
            Some(Inverse::Truncate { .. } | Inverse::Extend { .. } | Inverse::Swap { .. })
            | None => &mut others,
        };
        changed.extend(effects.overwritten.iter().map(|place| body.root_of(place)));
    }
    updated.subtract(&others);
    updated
}
