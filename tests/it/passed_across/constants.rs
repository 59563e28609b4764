pub const TOLERANCE: f64 = 1e-14;
pub const STEPS: usize = 50;
