//! The modes of calls, in counted work: what each moves to the stack and back, and what it runs again.

use ad_analysis::analyses::Optimisations;
use ad_analysis::diag::Errors;
use ad_analysis::ir::Body;
use ad_analysis::lower::annotated::Annotated;
use ad_analysis::lower::{Calls, lower};
use ad_analysis::options::Options;
use testkit::check::measured;
use testkit::interpreter::Counters;
use testkit::program::Program;
use testkit::reference::Point;

/// What of a function has to be stored, if it is stored.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    /// A number in a loop; the list is changed by sums, which nothing is stored for.
    Sums,
    /// A number in a loop, and each element of the list.
    Products,
    /// A number in a loop; the list is only read.
    Reads,
}

/// A nest of calls.
#[derive(Clone, Copy, Debug)]
struct Shape {
    leaf: Leaf,
    /// How many values a call of the innermost function stores.
    stored: usize,
    /// The elements of the list that all calls get.
    list: usize,
    /// How many functions call each other.
    depth: usize,
    /// How often the innermost function is called by that around it.
    trips: usize,
}

impl Shape {
    /// Functions from the innermost to `main`.
    fn functions(self) -> Vec<String> {
        let Self { leaf, stored, list, depth, trips } = self;
        let (passing, change) = match leaf {
            Leaf::Sums => ("mut ", "u[k] += s * 0.25;"),
            Leaf::Products => ("mut ", "u[k] = u[k] * (1.0 + 0.1 * s);"),
            Leaf::Reads => ("", "s += 0.01 * u[k];"),
        };
        let mut functions = vec![format!(
            "fn level_0(u: &{passing}[f64], p: f64) -> f64 {{
                let mut s = p;
                for _ in 0..{stored} {{ s = (s * p).sin() + 0.1 * u[0]; }}
                for k in 0..u.len() {{ {change} }}
                s
            }}"
        )];
        for level in 1..depth {
            // The outer loops are short, the one around the innermost function is as long as it is to be.
            let (inner, trips) =
                (level - 1, if level == 1 { trips } else { 1 + (trips + level) % 3 });
            let argument = if passing.is_empty() { "u" } else { "&mut *u" };
            functions.push(format!(
                "fn level_{level}(u: &{passing}[f64], p: f64) -> f64 {{
                    let mut q = p;
                    for i in 0..{trips} {{ q = level_{inner}({argument}, 0.5 * q + 0.01 * i as f64); }}
                    q * u[0]
                }}"
            ));
        }
        let top = depth - 1;
        functions.push(format!(
            "fn main(x: f64) -> f64 {{
                let mut u = vec![x; {list}];
                let mut sum = 0.0;
                for i in 0..3 {{ sum += level_{top}(&{passing}u, x * (1.0 + i as f64)); }}
                sum + u[{list} - 1]
            }}"
        ));
        functions
    }

    /// What the sweeps of `main` do, and the gradient, with calls of a mode.
    fn run(self, mode: &str) -> (Counters, Vec<f64>) {
        let bodies: Vec<Body> = self.functions().iter().map(|text| lowered(text, mode)).collect();
        let program = Program::new(&bodies, Optimisations::ALL);
        let main = bodies.last().expect("there is `main`");
        let point = Point::random(main, &mut fastrand::Rng::with_seed(1));
        let (counters, gradient) = measured(&program, "main", &point)
            .unwrap_or_else(|what| panic!("{self:?}, {mode}: {what}"));
        (counters, gradient.concat())
    }
}

fn lowered(text: &str, mode: &str) -> Body {
    let errors = Errors::new();
    let options = format!("mode = \"{mode}\"").parse().expect("tokens");
    let options = Options::parse(options, &errors);
    let function = syn::parse_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let lowered = lower(&Annotated::free(function), &options, &Calls::default(), &errors);
    let errors = errors.take();
    assert!(errors.is_empty(), "{errors:?}: {text}");
    lowered.expect("there are no errors").body
}

/// Bytes that go to the stack, or to the caller, and come back.
fn moved(counters: &Counters) -> usize {
    2 * 8 * (counters.pushes + counters.kept)
}

fn shapes() -> Vec<Shape> {
    let sizes = [(1, 10), (2, 6), (4, 4), (9, 3), (20, 2)];
    let mut shapes = Vec::new();
    for leaf in [Leaf::Sums, Leaf::Products, Leaf::Reads] {
        for depth in 1..=4 {
            for (number, (stored, list)) in sizes.into_iter().enumerate() {
                let trips = 1 + (3 * number + 2 * depth) % 7;
                shapes.push(Shape { leaf, stored, list, depth, trips });
            }
        }
    }
    shapes
}

/// A split call stores what a joint one stores as well, when it is run again, and what a joint one stores besides, so that
/// it can be, is not less than what a split one keeps.
#[test]
fn the_default_mode_is_close_to_the_better_one() {
    let (shapes, mut logarithms) = (shapes(), 0.0);
    assert_eq!(shapes.len(), 60);
    for shape in &shapes {
        let [(split, gradient), (joint, of_joint), (default, of_default)] =
            ["split", "joint", "auto"].map(|mode| shape.run(mode));
        assert_eq!(gradient, of_default, "{shape:?}");
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + a.abs());
        assert!(gradient.iter().zip(&of_joint).all(is_near), "{shape:?}");
        // Nothing runs twice in split calls.
        let again = |counters: &Counters| counters.steps.saturating_sub(split.steps);
        let work = |counters: &Counters| (moved(counters) + again(counters)) as f64;
        let better = work(&split).min(work(&joint));
        let ratio = if better == 0.0 { 1.0 + work(&default) } else { work(&default) / better };
        println!(
            "{shape:?}: split {} + {}, joint {} + {}, default {ratio:.3} of the better one",
            moved(&split),
            again(&split),
            moved(&joint),
            again(&joint),
        );
        assert!(ratio <= 1.25, "{shape:?}: {ratio}");
        logarithms += ratio.ln();
    }
    let mean = (logarithms / shapes.len() as f64).exp();
    println!("geometric mean: {mean:.4}");
    assert!(mean <= 1.10, "{mean}");
}
