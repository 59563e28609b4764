//! The noise of a function: the size of its rounding errors along a line.

/// So many points make a table of differences.
const POINTS: usize = 9;
/// The orders of differences that are looked at, and what normalises the squares of each: `k!² / (2k)!`.
const ORDERS: [(usize, f64); 3] = [(4, 1.0 / 70.0), (5, 1.0 / 252.0), (6, 1.0 / 924.0)];
/// A function whose changes are so many times its noise is seen to change.
const RESOLVED: f64 = 100.0;
/// So many tables show the noise, with different distances: rounding errors may repeat with one of them.
const TWICE: usize = 2;

/// What one table says.
#[derive(Clone, Copy)]
struct Table {
    noise: f64,
    /// Whether the function changes by more than noise.
    resolved: bool,
}

impl Table {
    /// The table of values at points with the same distance; `None` if one is not finite.
    ///
    /// High differences of what is smooth vanish, so that what they are is noise (J. Moré, S. Wild, *Estimating
    /// computational noise*, 2011).
    fn of(values: [f64; POINTS]) -> Option<Self> {
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mut noise = [0.0; ORDERS.len()];
        let mut differences = values.to_vec();
        let mut order = 0;
        for (noise, (wanted, normalised)) in noise.iter_mut().zip(ORDERS) {
            while order < wanted {
                differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
                order += 1;
            }
            let squares: f64 = differences.iter().map(|difference| difference * difference).sum();
            *noise = (normalised * squares / differences.len() as f64).sqrt();
        }
        noise.sort_by(f64::total_cmp);
        let noise = noise[ORDERS.len() / 2];
        let change = (values[POINTS - 1] - values[0]).abs() / (POINTS - 1) as f64;
        Some(Self { noise, resolved: change > RESOLVED * noise && change > 0.0 })
    }

    /// What this table and that of the other side say together.
    fn with(self, other: Self) -> Self {
        Self { noise: self.noise.max(other.noise), resolved: self.resolved && other.resolved }
    }
}

/// The noise of each of some functions of a distance.
///
/// Points are spaced wider and wider until the function is seen to change: rounding errors may be larger than
/// what it changes by over short distances. A table is made of each side without the middle, as there may be
/// a kink or a jump there.
pub(super) fn noise(at: &impl Fn(f64) -> Vec<f64>, spacings: &[f64], count: usize) -> Vec<f64> {
    let mut noise = vec![0.0_f64; count];
    let mut seen = vec![0; count];
    for &spacing in spacings {
        let side = |sign: f64| -> Vec<Vec<f64>> {
            (1..=POINTS).map(|k| at(sign * k as f64 * spacing)).collect()
        };
        let sides = [side(1.0), side(-1.0)];
        for i in 0..count {
            let table = |side: &Vec<Vec<f64>>| {
                let value = |k: usize| side[k].get(i).copied().unwrap_or(f64::NAN);
                Table::of(std::array::from_fn(value))
            };
            let both = match (table(&sides[0]), table(&sides[1])) {
                (Some(right), Some(left)) => Some(right.with(left)),
                (one, other) => one.or(other),
            };
            if let Some(table) = both
                && seen[i] < TWICE
            {
                noise[i] = noise[i].max(table.noise);
                seen[i] += usize::from(table.resolved);
            }
        }
        if seen.iter().all(|seen| *seen == TWICE) {
            break;
        }
    }
    noise
}

#[cfg(test)]
mod tests {
    use super::noise;

    #[test]
    fn noise_is_that_of_the_rounding() {
        let spacings: Vec<f64> = (0..5).map(|k| 1e-12 * 43.7_f64.powi(k)).collect();
        let of = |f: &dyn Fn(f64) -> f64| noise(&|t| vec![f(1.0 + t)], &spacings, 1)[0];
        let exact = of(&|x| x.sin());
        assert!(exact > 1e-18 && exact < 1e-15, "{exact}");
        let cancelling = of(&|x| (1e8 + x) - 1e8);
        assert!(cancelling > 1e-9 && cancelling < 1e-7, "{cancelling}");
        assert_eq!(of(&|_| 3.0), 0.0);
        // A kink in the middle is no noise.
        let kink = of(&|x| (x - 1.0).abs() + x.sin());
        assert!(kink < 1e-15, "{kink}");
        // Neither is a jump.
        let jump = of(&|x| x.floor() + x.sin());
        assert!(jump < 1e-14, "{jump}");
        // Noise is, also if it is on one side only.
        for side in [1.0, -1.0] {
            let noise = of(&|x| if side * (x - 1.0) > 0.0 { (1e4 + x) - 1e4 } else { x });
            assert!(noise > 1e-13 && noise < 1e-11, "{noise}");
        }
    }
}
