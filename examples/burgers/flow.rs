//! A viscous flow on a periodic square: the equation of Burgers in two dimensions.

use backsweep::schedule::Steps;
use backsweep::{Stack, adjoint};

/// Cells along a side.
pub const SIDE: usize = 48;
pub const CELLS: usize = SIDE * SIDE;

/// The velocities of all cells, by component.
pub type Velocities = [Vec<f64>; 2];

/// One explicit step: `w_t = -u w_x - v w_y + viscosity (w_xx + w_yy)` for `w` = `u`, `v`, with central
/// differences. The sides of the square have length 1.
#[adjoint]
pub fn step(u: &mut [f64], v: &mut [f64], viscosity: f64, time: f64) {
    let side = SIDE as f64;
    let convection = 0.5 * time * side;
    let diffusion = time * side * side * viscosity;
    let u_old = u.to_vec();
    let v_old = v.to_vec();
    for row in 0..SIDE {
        let above = (row + 1) % SIDE * SIDE;
        let below = (row + SIDE - 1) % SIDE * SIDE;
        for column in 0..SIDE {
            let at = row * SIDE + column;
            let right = row * SIDE + (column + 1) % SIDE;
            let left = row * SIDE + (column + SIDE - 1) % SIDE;
            let (up, down) = (above + column, below + column);
            let along_x = convection * u_old[at];
            let along_y = convection * v_old[at];
            u[at] = u_old[at]
                - along_x * (u_old[right] - u_old[left])
                - along_y * (u_old[up] - u_old[down])
                + diffusion
                    * (u_old[right] + u_old[left] + u_old[up] + u_old[down] - 4.0 * u_old[at]);
            v[at] = v_old[at]
                - along_x * (v_old[right] - v_old[left])
                - along_y * (v_old[up] - v_old[down])
                + diffusion
                    * (v_old[right] + v_old[left] + v_old[up] + v_old[down] - 4.0 * v_old[at]);
        }
    }
}

/// The kinetic energy per area.
#[adjoint(independents(u, v), dependents(return))]
pub fn energy(u: &[f64], v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for at in 0..CELLS {
        sum += u[at] * u[at] + v[at] * v[at];
    }
    0.5 * sum / CELLS as f64
}

/// Two vortices and a drift.
pub fn initial() -> Velocities {
    let wave = |cells: usize| (std::f64::consts::TAU * cells as f64 / SIDE as f64).sin();
    let cells = || (0..CELLS).map(|at| (at % SIDE, at / SIDE));
    let u = cells().map(|(x, y)| 0.3 + 0.5 * wave(y) * wave(x + 3)).collect();
    let v = cells().map(|(x, y)| 0.4 * wave(2 * x) - 0.2 * wave(x + y)).collect();
    [u, v]
}

/// The flow, and the bars of what it depends on.
pub struct Flow<W> {
    pub viscosity: f64,
    pub time: f64,
    pub stack: Stack,
    pub velocities_b: Velocities,
    pub viscosity_b: f64,
    /// Called whenever a step has run.
    pub watch: W,
}

impl<W: FnMut()> Flow<W> {
    pub fn new(viscosity: f64, time: f64, watch: W) -> Self {
        let velocities_b = [vec![0.0; CELLS], vec![0.0; CELLS]];
        Self { viscosity, time, stack: Stack::new(), velocities_b, viscosity_b: 0.0, watch }
    }

    /// The energy, and its adjoint.
    pub fn seed(&mut self, [u, v]: &Velocities) -> f64 {
        let [u_b, v_b] = &mut self.velocities_b;
        energy::adjoint_with(&mut self.stack, u, u_b, v, v_b, 1.0)
    }
}

impl<W: FnMut()> Steps for Flow<W> {
    type State = Velocities;
    /// The sweeps leave what they need on the stack.
    type Tape = ();

    fn advance(&mut self, [u, v]: &mut Velocities, _step: usize) {
        step(u, v, self.viscosity, self.time);
        (self.watch)();
    }

    fn forward(&mut self, [u, v]: &mut Velocities, _step: usize) {
        step::forward(&mut self.stack, u, v, self.viscosity, self.time);
        (self.watch)();
    }

    fn backward(&mut self, (): (), _step: usize) {
        let [u_b, v_b] = &mut self.velocities_b;
        let mut time_b = 0.0;
        step::backward(
            &mut self.stack,
            u_b,
            v_b,
            self.viscosity,
            &mut self.viscosity_b,
            self.time,
            &mut time_b,
        );
    }
}
