//! A realistic function of 100 lines, for the benchmark of the expansion.

use backsweep::adjoint;

/// The worth of a forest of cohorts of trees, grown year by year under weather, competition, thinning
/// and storms.
#[adjoint(independents(diameter, density, rates, thinning), dependents(return))]
pub fn forest(
    diameter: &mut [f64],
    density: &mut [f64],
    weather: &[f64],
    rates: &[f64; 6],
    thinning: f64,
    years: usize,
) -> f64 {
    let cohorts = diameter.len();
    let growth = rates[0];
    let saturation = rates[1];
    let mortality = rates[2];
    let shading = rates[3];
    let drought = rates[4];
    let interest = rates[5];
    let mut value = 0.0;
    let mut carbon = 0.0;
    let mut discount = 1.0;
    let mut largest: f64 = 0.0;
    for year in 0..years {
        let wetness = weather[year % weather.len()];
        let mut stress = 0.0;
        if wetness < 0.3 {
            stress = drought * (0.3 - wetness) * (0.3 - wetness);
        } else if wetness > 0.9 {
            stress = 0.5 * drought * (wetness - 0.9);
        }

        // The basal area above each cohort decides how much light it has.
        let mut above = 0.0;
        let mut light = vec![0.0; cohorts];
        for k in (0..cohorts).rev() {
            light[k] = (-shading * above).exp();
            let radius = 0.5 * diameter[k];
            above += density[k] * std::f64::consts::PI * radius * radius;
        }

        let mut loss = 0.0;
        for k in 0..cohorts {
            let d = diameter[k];
            let potential = growth * d * (1.0 - (d / saturation).powi(2));
            let increment = potential * light[k] / (1.0 + stress);
            if increment > 0.0 {
                diameter[k] = d + increment;
            } else {
                diameter[k] = d + 0.01 * light[k];
            }
            let hazard = mortality * (1.0 + stress) + 0.02 * (1.0 - light[k]);
            let survivors = density[k] * (-hazard).exp();
            loss += (density[k] - survivors) * d * d;
            density[k] = survivors;
            if diameter[k] > largest {
                largest = diameter[k];
            }
        }

        // Every fifth year the forest is thinned from above.
        if year % 5 == 4 {
            let mut k = cohorts;
            let mut target = thinning * above;
            while k > 0 {
                k -= 1;
                let radius = 0.5 * diameter[k];
                let area = density[k] * std::f64::consts::PI * radius * radius;
                if area < 1e-9 {
                    continue;
                }
                let taken = if area < target { 0.8 * area } else { 0.5 * target };
                let part = taken / area;
                let height = 40.0 * (1.0 - (-0.03 * diameter[k]).exp());
                let price = match k % 3 {
                    0 => 40.0,
                    1 => 55.0,
                    _ => 70.0,
                };
                value += discount * price * taken * height;
                density[k] *= 1.0 - part;
                target -= taken;
                if target < 1e-6 {
                    break;
                }
            }
        }

        // A storm takes part of the tallest trees when they stand too free.
        let last = cohorts - 1;
        let exposure = largest / (1.0 + above);
        if exposure > 2.0 {
            let damage = 1.0 - 1.0 / (1.0 + (exposure - 2.0).sqrt());
            loss += damage * density[last];
            density[last] *= 1.0 - damage;
        }
        carbon += above.sqrt() - 0.1 * loss;
        discount /= 1.0 + interest;
    }
    for k in 0..cohorts {
        let height = 40.0 * (1.0 - (-0.03 * diameter[k]).exp());
        value += discount * 50.0 * density[k] * diameter[k] * diameter[k] * height;
    }
    value + 0.01 * carbon
}
