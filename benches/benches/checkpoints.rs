//! The adjoint of 300 steps of a flow, with everything stored and with schedules:
//! `cargo bench -p backsweep-benches --bench checkpoints`.

use backsweep::schedule::{Binomial, Checkpoints, Online, Periodic, Schedule};
use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use flow::{Flow, energy, initial, step};
use std::hint::black_box;

#[path = "../../examples/burgers/flow.rs"]
mod flow;

const STEPS: usize = 300;
const SNAPSHOTS: usize = 10;
const VISCOSITY: f64 = 0.01;
const TIME: f64 = 1e-4;

fn flow() -> Flow<impl FnMut()> {
    Flow::new(black_box(VISCOSITY), TIME, || {})
}

fn primal() {
    let [mut u, mut v] = initial();
    for _ in 0..STEPS {
        step(&mut u, &mut v, black_box(VISCOSITY), TIME);
    }
    black_box(energy(&u, &v));
}

fn offline(schedule: impl Schedule) {
    let (mut flow, mut checkpoints) = (flow(), Checkpoints::new(schedule));
    let Ok(last) = checkpoints.forward(&mut flow, initial());
    flow.seed(&last);
    let Ok(_) = checkpoints.backward(&mut flow);
    black_box(flow.viscosity_b);
}

fn online() {
    let (mut flow, mut checkpoints) = (flow(), Checkpoints::new(Online::new(SNAPSHOTS)));
    let Ok(last) = checkpoints.forward_while(&mut flow, initial(), |_, step| step < STEPS);
    flow.seed(&last);
    let Ok(_) = checkpoints.backward(&mut flow);
    black_box(flow.viscosity_b);
}

fn checkpoints(criterion: &mut Criterion) {
    side_by_side(
        criterion,
        "checkpoints",
        &mut [
            ("primal", &mut primal),
            ("everything", &mut || offline(Periodic::new(STEPS, STEPS))),
            ("periodic", &mut || offline(Periodic::new(STEPS, 17))),
            ("binomial", &mut || offline(Binomial::new(STEPS, SNAPSHOTS))),
            ("online", &mut online),
        ],
    );
}

criterion_group!(benches, checkpoints);
criterion_main!(benches);
