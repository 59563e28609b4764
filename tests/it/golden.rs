//! What the compiler makes of small programs, written down: the phases of the IR, with the stored values
//! counted; expansions as users would see them; diagnostics.
//!
//! `INSTA_UPDATE=always` writes the texts in `tests/golden/`. The counts are assertions: an analysis that
//! stores more than it must passes every other test.

use ad_analysis::{differentiate, sweeps};
use backsweep::adjoint;
use proc_macro2::TokenStream;
use syn::ItemFn;

/// The phases of an annotated function.
fn phases(arguments: &str, function: &str) -> String {
    let arguments: TokenStream = arguments.parse().expect("tokens");
    let function: ItemFn = syn::parse_str(function).expect("a function");
    sweeps(arguments, &function).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// Compares a text with the one in `tests/golden/`.
fn assert_golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A value that the forward sweep stores.
#[derive(Debug, PartialEq, Eq)]
struct Stored<'p> {
    /// What is pushed.
    place: &'p str,
    /// Whether that is done in each iteration of a loop.
    in_loop: bool,
    /// Whether that is done only if the caller wants the primal results.
    for_primal: bool,
}

/// What the forward sweep does, read off its text.
struct Forward<'p> {
    pushed: Vec<Stored<'p>>,
    /// What is handed to the backward sweep without the stack: once, not for each iteration.
    kept: Vec<&'p str>,
    /// The statements that run only if the caller wants the primal results.
    for_primal: Vec<&'p str>,
}

impl<'p> Forward<'p> {
    fn of(phases: &'p str) -> Self {
        let forward = phases.split("// forward\n").nth(1).expect("a forward sweep");
        let forward = forward.split("// backward\n").next().expect("a backward sweep after it");
        let mut lines = forward.lines();
        let head = lines.next().expect("a signature");
        let kept = head.split_once(" keep ").map_or("", |(_, kept)| kept.trim_end_matches(" {"));
        let kept = kept.split_whitespace().filter_map(|word| word.strip_suffix(':')).collect();
        let mut sweep = Self { pushed: Vec::new(), kept, for_primal: Vec::new() };
        let mut open: Vec<&str> = Vec::new();
        for line in lines.map(str::trim) {
            if line.starts_with('}') {
                open.pop();
            }
            if line.ends_with('{') {
                open.push(line);
                continue;
            }
            let for_primal = open.iter().any(|head| head.starts_with("if guard(always;"));
            if for_primal {
                sweep.for_primal.push(line);
            }
            let pushed = line.strip_prefix("push ").and_then(|rest| rest.strip_suffix(';'));
            if let Some(place) = pushed {
                let place = place.strip_prefix("move ").unwrap_or(place);
                let in_loop = open.iter().any(|head| {
                    ["for ", "while ", "loop "].iter().any(|keyword| head.starts_with(keyword))
                });
                sweep.pushed.push(Stored { place, in_loop, for_primal });
            }
        }
        sweep
    }

    fn places(&self) -> Vec<&'p str> {
        self.pushed.iter().map(|stored| stored.place).collect()
    }
}

/// In the manner of Figure 1 of Hascoët, Naumann, Pascual, "To be recorded" analysis in reverse-mode
/// automatic differentiation (2005): a loop that is left by a test of `j`, a choice between an overwrite
/// of `x(i)` and one of `x(j)`, and a scalar `a` that is overwritten and occurs in no partial.
const FIGURE_1: &str = "fn figure_1(x: &mut [f64]) {
    let (mut i, mut j) = (0, 1);
    let mut a = 0.0;
    while j < x.len() {
        a = 2.0 * x[j] + a;
        if i < j { x[i] = x[i] * x[j] + a; } else { x[j] = x[j].sin() + a; }
        i += 2;
        j += 1;
    }
}";

#[test]
fn figure_1_without_recomputation() {
    let phases = phases("no(recompute, invert, retest)", FIGURE_1);
    assert_golden("figure_1_without_recomputation", &phases);
    let forward = Forward::of(&phases);
    // One of the two elements, both indices and the branch for each iteration; the trip count once.
    assert_eq!(forward.places(), ["x[i]", "x[j]", "i", "j", "test"]);
    assert!(forward.pushed.iter().all(|stored| stored.in_loop));
    assert!(forward.kept.contains(&"trips"));
    assert!(!forward.kept.contains(&"a"));
}

#[test]
fn figure_1_optimised() {
    let phases = phases("", FIGURE_1);
    assert_golden("figure_1", &phases);
    let forward = Forward::of(&phases);
    assert_eq!(forward.places(), ["x[i]", "x[j]"]);
    assert!(forward.kept.contains(&"trips"));
    assert!(!forward.kept.contains(&"a"));
}

/// The naive mode stores everything that is overwritten, `a` included: what the counts above are worth.
#[test]
fn figure_1_naive() {
    let phases = phases("no(all)", FIGURE_1);
    let forward = Forward::of(&phases);
    assert!(forward.places().contains(&"a"), "{:?}", forward.places());
    assert!(forward.pushed.len() > 5);
}

const SLIDE: &str = "fn slide(x: &mut f64, y: &mut f64, a: &mut f64, z: f64) {
    *x = *x + a.exp();
    *y = *x + *a * *a;
    *a = 3.0 * z;
}";

/// `exp(a)`, which the derivative reuses, is not pushed: it is handed over by value.
#[test]
fn slide_stores_a() {
    let phases = phases("", SLIDE);
    assert_golden("slide", &phases);
    assert_eq!(Forward::of(&phases).places(), ["a"]);
}

const LOGARITHMS: &str = "fn logarithms(a: &mut f64, c: f64) {
    if *a > 0.0 { *a = a.ln(); } else { *a = c.ln(); *a = *a * 2.0; }
}";

/// All logarithms and the only push are for callers that want the result.
#[test]
fn logarithms_are_for_the_primal() {
    let phases = phases("", LOGARITHMS);
    assert_golden("logarithms", &phases);
    let forward = Forward::of(&phases);
    assert_eq!(forward.pushed, [Stored { place: "a", in_loop: false, for_primal: true }]);
    let sweep =
        phases.split("// forward\n").nth(1).and_then(|rest| rest.split("// backward").next());
    let total = sweep.expect("a forward sweep").matches(".ln()").count();
    let guarded = forward.for_primal.iter().filter(|line| line.contains(".ln()")).count();
    assert_eq!((total, guarded), (2, 2));
}

#[adjoint]
#[allow(clippy::assign_op_pattern)] // as the paper has it
fn logarithms(a: &mut f64, c: f64) {
    if *a > 0.0 {
        *a = a.ln();
    } else {
        *a = c.ln();
        *a = *a * 2.0;
    }
}

#[test]
fn logarithms_have_the_same_bars_with_and_without_the_primal() {
    for a in [0.7, -0.7] {
        let bars = |entry: fn(&mut f64, &mut f64, f64, &mut f64)| {
            let (mut value, mut a_b, mut c_b) = (a, 1.5, 0.0);
            entry(&mut value, &mut a_b, 0.3, &mut c_b);
            (value, [a_b, c_b].map(f64::to_bits))
        };
        let (value, with) = bars(|a, a_b, c, c_b| logarithms::adjoint(a, a_b, c, c_b));
        let (_, without) = bars(|a, a_b, c, c_b| logarithms::adjoint_only(a, a_b, c, c_b));
        assert_eq!(with, without);
        let mut primal = a;
        logarithms(&mut primal, 0.3);
        assert_eq!(value.to_bits(), primal.to_bits());
        let expected = if a > 0.0 { [1.5 / a, 0.0] } else { [0.0, 2.0 * 1.5 / 0.3] };
        for (bar, expected) in with.map(f64::from_bits).into_iter().zip(expected) {
            assert!((bar - expected).abs() <= 1e-15 * expected.abs(), "{bar} {expected}");
        }
    }
}

/// A branch that does not change what it tests.
const RETESTED: &str = "fn retested(x: &[f64], n: usize) -> f64 {
    let mut y = 1.0;
    for i in 0..x.len() {
        if i + n > 2 { y = y * x[i]; } else { y = y + x[i].sin(); }
    }
    y
}";

#[test]
fn branch_is_tested_again() {
    let with = phases("", RETESTED);
    assert_golden("retested", &with);
    assert_eq!(Forward::of(&with).places(), ["y"]);
    let without = phases("no(retest)", RETESTED);
    assert_eq!(Forward::of(&without).places(), ["y", "test"]);
}

const T02: &str = "fn t02(mut a: f64, b: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..3 { let t = a * b; s += t.exp(); a = 0.5 * a + 0.1; }
    s
}";

/// One number for each iteration: neither `t` nor its exponential nor `s`.
#[test]
fn t02_stores_one_number_for_each_iteration() {
    let phases = phases("no(preaccumulate)", T02);
    assert_golden("t02", &phases);
    let forward = Forward::of(&phases);
    assert_eq!(forward.pushed.len(), 1);
    assert!(forward.pushed[0].in_loop);
    assert!(forward.places()[0].starts_with('a'));
    assert!(forward.kept.iter().all(|kept| !kept.starts_with(['t', 's'])), "{:?}", forward.kept);
}

const DEAR: &str = "fn dear(mut y: f64, n: usize) -> f64 {
    for _ in 0..n { y = y.sin() * y + y * y.tanh(); }
    y
}";

/// What costs more than a store and a load is stored, also inside of a value: not the sine, but the hyperbolic tangent.
#[test]
fn what_is_dear_is_stored() {
    assert_eq!(Forward::of(&phases("", DEAR)).places(), ["y_1", "tanh_1"]);
}

const T03: &str = "fn t03(x: f64) -> f64 {
    let mut v = x.sin();
    let y = v * v;
    v = 2.0;
    v = x.cos();
    3.0 * y + v * v
}";

/// `v` is overwritten twice, the first time by a statement that liveness drops: its first value is
/// computed again from `x`, and no number goes to the stack.
#[test]
fn t03_stores_nothing() {
    let phases = phases("", T03);
    assert_golden("t03", &phases);
    let forward = Forward::of(&phases);
    assert!(forward.pushed.is_empty(), "{:?}", forward.pushed);
    assert!(forward.kept.iter().all(|kept| *kept == "v"), "{:?}", forward.kept);
}

/// Without recomputation, the first `v` is stored before one of its two overwrites, once.
#[test]
fn t03_stores_one_number_without_recomputation() {
    let phases = phases("no(recompute, preaccumulate)", T03);
    assert_golden("t03_without_recomputation", &phases);
    assert_eq!(Forward::of(&phases).places(), ["v"]);
}

/// An expansion as rustfmt would show it.
fn expansion(arguments: &str, function: &str) -> String {
    let arguments: TokenStream = arguments.parse().expect("tokens");
    let function: ItemFn = syn::parse_str(function).expect("a function");
    let generated = differentiate(arguments, &function).unwrap_or_else(|e| panic!("{e:#?}"));
    prettyplease::unparse(&syn::parse2(generated).expect("the expansion is Rust"))
}

#[test]
fn expansion_of_a_formula() {
    let function = "pub fn product(x: f64, y: f64) -> f64 { x * y.sin() }";
    assert_golden("expansion_of_a_formula", &expansion("independents(x)", function));
}

#[test]
fn expansion_of_a_loop() {
    let function = "/// The norm.\npub fn norm(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() { s += x[i] * x[i]; }
        s.sqrt()
    }";
    assert_golden("expansion_of_a_loop", &expansion("", function));
}

#[test]
fn expansion_of_an_update_in_place() {
    let function = "fn relax(u: &mut [f64], f: &[f64], omega: f64) {
        for i in 1..u.len() { u[i] = u[i] + omega * (f[i] - u[i] * u[i - 1]); }
    }";
    assert_golden("expansion_of_an_update_in_place", &expansion("passive(f)", function));
}

/// An argument without a bar is passed without one: the sweeps called are those of the other argument.
#[test]
fn expansion_of_a_call() {
    let function = "fn response(x: &[f64], gain: f64) -> f64 { filters::filtered(x, gain).sin() }";
    assert_golden("expansion_of_a_call", &expansion("independents(x)", function));
}

/// Numbers have directions that may be zero, lists may have none; conditions are about lists.
#[test]
fn expansion_of_a_tangent() {
    let function =
        "fn misfit(x: &[f64], weights: &[f64], scale: f64, force: &mut [f64; 2]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let r = weights[i] * scale + x[i];
            sum += (1.0 + r * r).sqrt();
            force[0] -= r;
        }
        spring(sum, force)
    }";
    let text = expansion("", function);
    let (_, tangent) = text.split_once("pub fn __tangent<").expect("a tangent");
    assert_golden("expansion_of_a_tangent", tangent);
}

/// The entries stand inside of the module, and the small function in place of its call.
#[test]
fn expansion_of_a_module() {
    let module = "mod areas {
        fn square(x: f64) -> f64 { x * x }
        #[adjoint(skip)]
        pub fn unit() -> f64 { 1.0 }
        pub fn ring(r: f64, width: f64) -> f64 { square(r + width) - square(r) }
    }";
    let module: TokenStream = module.parse().expect("tokens");
    let expanded = ad_analysis::expand(TokenStream::new(), module);
    let text = prettyplease::unparse(&syn::parse2(expanded).expect("the expansion is Rust"));
    assert_golden("expansion_of_a_module", &text);
}

/// Several mistakes in one function: all are reported, and each says what to do.
#[test]
fn diagnostics_say_what_to_do() {
    let arguments = "independents(x, z), mode = \"tape\"".parse().expect("tokens");
    let function: ItemFn = syn::parse_quote! {
        fn f(x: f64, n: usize) -> f64 {
            let square = Box::new(|t: f64| t * x);
            #[cfg(test)]
            let y = square(x);
            y + x.gamma()
        }
    };
    let errors = differentiate(arguments, &function).expect_err("mistakes");
    let text: Vec<String> =
        errors.iter().map(|error| format!("{}\n  {}\n", error.message, error.help)).collect();
    assert_golden("diagnostics", &text.concat());
    assert!(errors.iter().all(|error| !error.help.is_empty()));
}
