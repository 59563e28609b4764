//! The functions of the corpus without each of the optimisations, at their samples: their sweeps are interpreted, which takes seconds where
//! rustc takes a minute for each optimisation. What is computed is compared with dual numbers, those of the interpreter and those that are
//! compiled. Functions that the interpreter does not know something of are compiled in the long run (`corpus/single`).

use ad_analysis::analyses::{Optimisation, Optimisations};
use ad_analysis::ir::Body;
use ad_analysis::pipeline;
use backsweep_corpus::CASES;
use corpus_build::generated::options_of;
use corpus_build::source::{self, Root, Source};
use fastrand::Rng;
use quote::ToTokens;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use syn::{Attribute, Ident, Item, ItemFn};
use testkit::check::check;
use testkit::corpus::Case;
use testkit::program::Program;
use testkit::reference::{Point, Reference, position_of};

#[test]
fn no_optimisation_changes_a_derivative() {
    let sources = source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("functions"));
    let mut cases = CASES.iter();
    let mut report = Report::default();
    // What panics is reported by name.
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    for source in &sources {
        let file = File::new(source);
        for root in &source.roots {
            let case = cases.next().expect("a case for each function with samples");
            assert_eq!(case.name, format!("{}::{}", source.name, root.name));
            report.add(case, file.examine(root, case));
        }
    }
    set_hook(hook);
    println!("{} functions are compared, these are not: {:?}", report.compared, report.missing);
    assert!(report.wrong.is_empty(), "{}", report.wrong.join("\n"));
    assert!(report.compared >= 280, "too few functions can be interpreted");
}

#[derive(Default)]
struct Report {
    /// How many functions have been compared.
    compared: usize,
    /// Those that have not.
    missing: Vec<&'static str>,
    wrong: Vec<String>,
}

impl Report {
    fn add(&mut self, case: &Case, result: Result<bool, String>) {
        match result {
            Ok(true) => self.compared += 1,
            Ok(false) => self.missing.push(case.name),
            Err(what) => self.wrong.push(format!("{}: {what}", case.name)),
        }
    }
}

/// The functions of a file, differentiated with all optimisations, without each of them, and without any.
struct File {
    bodies: Vec<Body>,
    /// Those with fixed-point loops.
    iterating: Vec<Ident>,
    programs: Vec<(Optimisations, Program)>,
}

impl File {
    fn new(source: &Source) -> Self {
        let functions = source.items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some((source::find(&function.attrs, "adjoint")?, function)),
            _ => None,
        });
        let functions: Vec<(&Attribute, &ItemFn)> = functions.collect();
        let iterates =
            |function: &ItemFn| function.to_token_stream().to_string().contains("fixed_point");
        let iterating = functions.iter().filter(|(_, function)| iterates(function));
        let iterating = iterating.map(|(_, function)| function.sig.ident.clone()).collect();
        let bodies = functions.iter().filter_map(|(attr, function)| {
            // Methods and structs are refused here: their types are not seen.
            caught(|| pipeline::bodies(options_of(attr), function)).ok()?.ok()
        });
        let bodies: Vec<Body> = bodies.flatten().collect();
        let single = Optimisation::ALL.map(|missing| Optimisations::ALL.without(missing));
        let modes = [Optimisations::ALL, Optimisations::NONE].into_iter().chain(single);
        let program = |mode| (mode, Program::new(&bodies, mode).with_scheduled_loops());
        let programs = modes.map(program).collect();
        Self { bodies, iterating, programs }
    }

    /// Whether a function could be compared at one of its samples.
    fn examine(&self, root: &Root, case: &Case) -> Result<bool, String> {
        let main = self.bodies.iter().find(|body| root.name == body.name);
        // The interpreter computes in double precision, and iterates to no fixed point.
        let is_known = |_: &&Body| !case.is_single && !self.iterating.contains(&root.name);
        let Some(main) = main.filter(is_known) else { return Ok(false) };
        let mut is_compared = false;
        for sample in 0..case.expectations.len() {
            is_compared |= self.examine_at(main, root, case, sample)?;
        }
        Ok(is_compared)
    }

    fn examine_at(
        &self,
        main: &Body,
        root: &Root,
        case: &Case,
        sample: usize,
    ) -> Result<bool, String> {
        let mut at = Point::at(main, (case.arguments)(sample), &mut Rng::with_seed(sample as u64));
        // Without an active dependent there is no sweep.
        for (is_active, var) in at.mask.iter_mut().zip(&main.independents) {
            *is_active |= main.dependents.contains(var);
        }
        // What the interpreter does not know, or what panics, is not compared.
        let reference = caught(|| Reference::new(&self.bodies.as_slice(), main, &at, true));
        let Ok(Some(reference)) = reference else { return Ok(false) };
        compare_with_compiled(main, root, case, sample, &at, &reference)?;
        for (mode, program) in &self.programs {
            let text = |what: String| format!("#{sample} {mode:?}: {what}");
            match caught(|| check(program, &main.name, &at, &reference)) {
                Ok(result) => result.map(drop).map_err(text)?,
                // As it is written in a partial.
                Err(what) if what.contains("opaque code") => return Ok(false),
                Err(what) => return Err(text(what)),
            }
        }
        Ok(true)
    }
}

/// The gradient of the interpreter, in dual numbers, is that of the compiled function, in other dual numbers.
fn compare_with_compiled(
    main: &Body,
    root: &Root,
    case: &Case,
    sample: usize,
    at: &Point,
    reference: &Reference,
) -> Result<(), String> {
    let of_result = if root.output_dependent { at.seed } else { 0.0 };
    let mut weights = vec![of_result; (case.plain)(sample).returned];
    for (position, var) in main.params.iter().enumerate() {
        let floats = at.bars[position].floats().into_iter();
        if root.params[position].passing == source::Passing::Exclusive {
            let is_dependent = main.dependents.contains(var);
            weights.extend(floats.map(|bar| if is_dependent { bar } else { 0.0 }));
        }
    }
    let with_bars = (0..root.params.len()).filter(|position| root.params[*position].has_bar());
    let inputs = with_bars.flat_map(|position| {
        (0..at.args[position].floats().len()).map(move |component| (position, component))
    });
    let inputs: Vec<(usize, usize)> = inputs.collect();
    let gradient = reference.gradient.as_ref().expect("it has been asked for");
    for (part, &var) in gradient.iter().zip(&main.independents) {
        for (component, found) in part.iter().enumerate() {
            let input = (position_of(main, var), component);
            let slopes: Vec<f64> =
                inputs.iter().map(|other| if *other == input { 1.0 } else { 0.0 }).collect();
            let outputs = (case.dual)(sample, &slopes);
            assert_eq!(outputs.len(), weights.len(), "outputs");
            let expected: f64 =
                outputs.iter().zip(&weights).map(|(output, weight)| output.slope() * weight).sum();
            if (found - expected).abs() > 1e-9 * expected.abs().max(1.0) {
                return Err(format!("#{sample} {input:?}: {found:e} instead of {expected:e}"));
            }
        }
    }
    Ok(())
}

/// What a panic says is the error.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        text.unwrap_or_else(|| "a panic".to_owned())
    })
}
