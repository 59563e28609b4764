//! Calls of functions of another crate: an argument without a bar costs nothing. And functions that call each other in
//! turn.

use backsweep::{Stack, adjoint};

/// The same calls of a function and of one that was made for them: once, and in a loop, where what is kept of each call is
/// stored, too.
macro_rules! callers {
    ($module:ident, $active:ident, $function:ident) => {
        mod $module {
            use backsweep::adjoint;

            #[adjoint(independents($active), dependents(return))]
            pub fn once(x: &[f64], gain: f64) -> f64 {
                strict::$function(x, gain).sin()
            }

            #[adjoint(independents($active), dependents(return))]
            pub fn often(x: &[f64], gain: f64) -> f64 {
                let mut sum = 0.0;
                for n in 0..x.len() {
                    sum += strict::$function(&x[n..], gain) * n as f64;
                }
                sum
            }
        }
    };
}

callers!(signal, x, filtered);
callers!(signal_by_hand, x, filtered_signal);
callers!(gain, gain, filtered);
callers!(gain_by_hand, gain, filtered_gain);
callers!(kept_of_signal, x, stretched);
callers!(kept_of_signal_by_hand, x, stretched_signal);
callers!(kept_of_gain, gain, stretched);
callers!(kept_of_gain_by_hand, gain, stretched_gain);

/// What was pushed, by types and in bytes.
fn pushed(stack: &Stack) -> Vec<(&'static str, u64, u64)> {
    let report = stack.report();
    assert_eq!(report.bytes, 0);
    report.by_kind.iter().map(|(kind, traffic)| (*kind, traffic.values, traffic.bytes)).collect()
}

#[test]
fn an_argument_without_a_bar_is_not_stored_for() {
    let x: Vec<f64> = (0..20).map(|n| f64::from(n).cos()).collect();
    macro_rules! measured {
        ($entries:path) => {{
            use $entries as entries;
            let mut stack = Stack::recording();
            let gradient = entries::gradient_with(&mut stack, &x, 0.7);
            (gradient, pushed(&stack))
        }};
    }
    assert_eq!(measured!(signal::once), measured!(signal_by_hand::once));
    assert_eq!(measured!(signal::often), measured!(signal_by_hand::often));
    assert_eq!(measured!(gain::once), measured!(gain_by_hand::once));
    assert_eq!(measured!(gain::often), measured!(gain_by_hand::often));
    assert_eq!(measured!(kept_of_signal::often), measured!(kept_of_signal_by_hand::often));
    assert_eq!(measured!(kept_of_gain::often), measured!(kept_of_gain_by_hand::often));
    assert_eq!(measured!(kept_of_signal::once), measured!(kept_of_signal_by_hand::once));
    assert_eq!(measured!(kept_of_gain::once), measured!(kept_of_gain_by_hand::once));
    // What is kept of a call in a loop is stored: one value for the signal, two for the gain, and the bit that says
    // that there is anything.
    let floats =
        |pushed: &[(&str, u64, u64)]| pushed.iter().find(|kind| kind.0 == "f64").map(|kind| kind.1);
    assert_eq!(floats(&measured!(kept_of_signal::often).1), Some(20));
    assert_eq!(floats(&measured!(kept_of_gain::often).1), Some(40));
    // The signal: nothing. The gain: each state.
    let bytes = |pushed: &[(&str, u64, u64)]| pushed.iter().map(|kind| kind.2).sum::<u64>();
    assert_eq!(bytes(&measured!(signal::once).1), 0);
    assert_eq!(bytes(&measured!(gain::once).1), 20 * 8);
}

#[adjoint]
fn descends(x: f64, n: usize) -> f64 {
    if n == 0 {
        return x;
    }
    #[checkpoint]
    let rest = ascends(x * x, n - 1);
    rest + x
}

#[adjoint]
fn ascends(x: f64, n: usize) -> f64 {
    if n == 0 { 2.0 * x } else { descends(x.sin(), n - 1) * x }
}

#[test]
fn functions_that_call_each_other_in_turn_may_be_checkpointed() {
    let at = |x: f64| descends(x, 5);
    let (value, gradient) = descends::gradient(0.8, 5);
    assert_eq!(value, at(0.8));
    let difference = (at(0.8 + 1e-6) - at(0.8 - 1e-6)) / 2e-6;
    assert!((gradient - difference).abs() < 1e-8, "{gradient} {difference}");
}

#[adjoint]
fn powers(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

/// Names for a whole and for its parts, of what a call returns and of a passive value.
#[adjoint]
fn wholes_and_parts(x: f64) -> f64 {
    let all @ [first, ..] = powers(x);
    #[passive]
    let copy @ [_, two] = [x, 2.0];
    first * all[1] * two * copy[1]
}

#[test]
fn a_whole_and_its_parts_have_names() {
    for x in [-1.5, 0.5, 2.0] {
        // 4x³.
        assert_eq!(wholes_and_parts::gradient(x), (4.0 * x * x * x, 12.0 * x * x));
    }
}
