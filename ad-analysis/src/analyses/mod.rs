//! The adjoint data-flow analyses, in the order in which they must run: activity → needs → adjoint
//! liveness → TBR. Each sees the program through [effects](crate::effects) only.
//!
//! The order matters. *Needs* alone decides which values the backward sweep reads and which it
//! computes again; deciding that after TBR gives wrong gradients. A statement that liveness removes
//! from the forward sweep overwrites nothing, so TBR may not let it discharge the obligation to
//! store.

mod activity;
mod assumptions;
mod availability;
mod liveness;
mod lost;
mod needs;
mod optimisation;
mod searches;
mod tbr;
mod undone;

pub use activity::Activity;
pub use availability::{Available, DefId, Doomed};
pub use liveness::{Liveness, Mode};
pub use lost::Lost;
pub use needs::{Needed, Recomputation, Side, Site};
pub use optimisation::{Optimisation, Optimisations};
pub use searches::searches;
pub use tbr::{Save, Storage};

use crate::effects::Zones;
use crate::flow::FlowGraph;
use crate::index::Point;
use crate::ir::Body;
use crate::reify::Reified;

/// Everything the analyses found out about a body.
#[derive(Debug)]
pub struct Facts {
    /// The zones of the body.
    pub zones: Zones,
    /// Its flow graph.
    pub graph: FlowGraph,
    /// Which dependences are active.
    pub activity: Activity,
    /// Which values may get lost.
    pub lost: Lost,
    /// What the backward sweep reads and what it computes again.
    pub needed: Needed,
    /// Which statements the forward sweep runs.
    pub liveness: Liveness,
    /// What is stored, where.
    pub storage: Storage,
}

impl Facts {
    /// Whether a derivative may pass through the statement at a point.
    pub fn is_active(&self, point: Point) -> bool {
        let flows = &self.graph.info(point).effects.flows;
        flows.iter().any(|flow| !self.activity.condition(point, flow).is_never())
    }

    /// Analyses a body whose control is reified.
    pub fn of(body: &Body, reified: &Reified, enabled: Optimisations) -> Self {
        let zones = Zones::of(body);
        let graph = FlowGraph::of(body, &zones);
        let activity = Activity::of(body, &zones, &graph, enabled);
        let lost = Lost::of(body, &zones, &graph, enabled);
        // The way back through a construct must be found if something in it is active, or restored;
        // finding it may take values that must be restored elsewhere.
        let mut assumptions = assumptions::Assumptions::from_activity(body, &graph, &activity);
        loop {
            let needed =
                Needed::of(body, reified, &zones, &graph, &activity, &assumptions, enabled);
            let liveness = Liveness::of(body, reified, &zones, &graph, &activity, &needed, enabled);
            let storage = Storage::of(body, &zones, &graph, &needed, &liveness, enabled);
            if !assumptions.grow(&graph, &storage, enabled) {
                return Self { zones, graph, activity, lost, needed, liveness, storage };
            }
        }
    }
}
