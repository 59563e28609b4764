//! The sweeps of generated functions, interpreted: many more than rustc could compile. What lowering makes
//! of them is taken as it is, so this checks what comes after it.

use crate::expansion::caught;
use crate::program::{Program, adjoint, arguments};
use ad_analysis::analyses::{Optimisation, Optimisations};
use ad_analysis::ir::Body;
use ad_analysis::pipeline;
use fastrand::Rng;
use syn::Item;
use testkit::check;
use testkit::program::Program as Differentiated;
use testkit::reference::{Point, Reference};

/// The annotated functions of a program in the IR; nothing if some are refused.
fn lowered(program: &Program) -> Option<Vec<Body>> {
    let mut bodies = Vec::new();
    for item in &program.items {
        let Item::Fn(function) = item else { continue };
        let Some(attr) = adjoint(function) else { continue };
        bodies.extend(pipeline::bodies(arguments(attr), function).ok()?);
    }
    Some(bodies)
}

/// Checks a program at a random point; says whether it could be compared.
pub fn examine(program: &Program, seed: u64) -> Result<bool, String> {
    let Some(bodies) = caught(|| lowered(program))? else { return Ok(false) };
    let Some(main) = bodies.last() else { return Ok(false) };
    let mut rng = Rng::with_seed(seed);
    // What the interpreter does not know, or what panics, is not compared.
    let prepared = caught(|| {
        let point = Point::random(main, &mut rng);
        Reference::new(&bodies.as_slice(), main, &point, seed.is_multiple_of(4))
            .map(|known| (point, known))
    });
    let Ok(Some((point, reference))) = prepared else { return Ok(false) };
    let names = Optimisation::ALL;
    let missing = names[usize::try_from(seed).unwrap_or(0) % names.len()];
    for mode in [Optimisations::NONE, Optimisations::ALL, Optimisations::ALL.without(missing)] {
        let text = |what: String| format!("{what} ({mode:?})");
        let differentiated = caught(|| Differentiated::new(&bodies, mode).with_scheduled_loops());
        let differentiated = differentiated.map_err(text)?;
        let checked = caught(|| check::check(&differentiated, &main.name, &point, &reference));
        match checked.map_err(text)? {
            Ok(_) => {}
            // Something on the way overflows that the result does not depend on.
            Err(what) if what.contains("NaN") => return Ok(false),
            Err(what) => return Err(text(what)),
        }
    }
    Ok(true)
}
