//! The picture: observed, initial and fitted profiles.

use crate::inverse::Observations;
use plotters::prelude::*;
use std::path::{Path, PathBuf};

/// The profiles to be shown beside the observations.
pub struct Profiles<'p> {
    /// For the parameters the search has started from.
    pub initial: &'p [f64],
    /// For the parameters it has found.
    pub fitted: &'p [f64],
}

/// Beside the build: `<target directory>/bratu.svg`.
pub fn path() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3).unwrap_or(Path::new("."));
    target.join("bratu.svg")
}

/// Draws the picture.
pub fn draw(
    path: &Path,
    observations: &Observations,
    profiles: &Profiles<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::new(path, (900, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    let position = |point: usize| 2.0 * point as f64 / (observations.n + 1) as f64 - 1.0;
    let highest = observations.temperatures.iter().fold(0.0, |a: f64, b| a.max(*b));
    let mut chart = ChartBuilder::on(&root)
        .caption("Temperature in a slab of solid fuel", ("sans-serif", 24))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(-1.0..1.0, -0.05 * highest..1.12 * highest)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("position between the walls")
        .y_desc("temperature")
        .label_style(("sans-serif", 15))
        .draw()?;

    let measured = observations.sensors.iter().zip(&observations.temperatures);
    let grey = RGBColor(120, 120, 120);
    chart
        .draw_series(
            measured
                .map(|(&point, &value)| Circle::new((position(point), value), 2, grey.filled())),
        )?
        .label("observed")
        .legend(move |(x, y)| Circle::new((x + 10, y), 3, grey.filled()));
    let curves = [
        ("initial guess", profiles.initial, RGBColor(217, 95, 2)),
        ("fitted", profiles.fitted, RGBColor(27, 80, 158)),
    ];
    // A few hundred points are as good as all of them.
    let stride = (observations.n / 400).max(1);
    for (label, profile, colour) in curves {
        let last = profile.len() - 1;
        let points = (0..last).step_by(stride).chain([last]);
        let line = points.map(|point| (position(point), profile[point]));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .label_font(("sans-serif", 15))
        .draw()?;
    root.present()?;
    Ok(())
}
