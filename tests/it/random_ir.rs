//! Random programs against dual numbers and against each other.
//!
//! `RANDOM_PROGRAMS` says how many, `RANDOM_SEED` from which seed on. A failure is reported with a
//! smaller program that fails in the same way.

use testkit::campaign::{Campaign, examine_text};
use testkit::distribution::Distribution;

#[test]
fn random_programs() {
    let summary = Campaign::from_environment(2_000).run();
    println!("{} programs, {} of them compared", summary.checked, summary.compared);
    for failure in &summary.failures {
        println!("seed {}: {}", failure.seed, failure.text);
    }
    assert!(summary.failures.is_empty(), "random programs are differentiated wrongly");
    assert!(100 * summary.compared >= 90 * summary.checked, "too many programs overflow");
}

/// What the programs are like that the analyses are trusted for.
#[test]
fn random_programs_are_worth_something() {
    let all = Distribution::of(0, 2_000);
    let median = all.median_statements();
    println!("median of the statements: {median}");
    assert!(median >= 12, "the programs are too small: {median}");
    let at_least = |least: f64, what: &str, found: f64| {
        println!("{what}: {found:.1} %");
        assert!(found >= least, "{what}: {found:.1} %, at least {least} % are wanted");
    };
    at_least(30.0, "overwrite a needed value in a loop", all.percentage(|p| p.overwrites_in_loop));
    at_least(10.0, "take an early exit", all.percentage(|p| p.exits_early));
    at_least(20.0, "meet equal indices", all.percentage(|p| p.has_equal_indices));
    at_least(10.0, "resize a list in a loop", all.percentage(|p| p.resizes_in_loop));
    at_least(10.0, "skip a loop", all.percentage(|p| p.has_empty_loop));
    at_least(1.0, "are differentiated in a single pass", all.percentage(|p| p.has_single_pass));
    at_least(1.0, "hand over partials", all.percentage(|p| p.hands_over_partials));
    at_least(1.0, "store nothing for a callee", all.percentage(|p| p.spares_storage));
    at_least(10.0, "have calls that are inlined", all.percentage(|p| p.has_inlined));
    at_least(90.0, "have a finite gradient that is not zero", all.percentage(|p| p.has_gradient));
}

/// Programs that long runs have found, at other points and with other parameters active.
#[test]
fn programs_that_were_wrong_once() {
    for text in [
        // The bar of what only some parameters reach has not the length that an exchange looks for.
        "fn main(x: &[f64], a: f64, y: &mut f64, n: usize) -> ret: f64 | x y | ret y {
            y = 0.25;
            let v: Vec<f64> = vec![-0.763; 3];
            let c: usize = 3;
            loop 'l1 {
                if !(c > 0) {
                    exit 'l1;
                }
                c = c - 1;
                swap y and v[((x[0] * x[0]).sin() * 3.0).abs() as usize % v.len()];
                truncate v to 2;
            }
            ret = 2.0;
        }",
        "fn main(x: &[f64], a: f64, y: &mut f64, w: &mut [f64], n: usize) -> ret: f64 | x y w | ret y w {
            for c: usize in 0..2 'l1 {
                let v: Vec<f64> = vec![-(a - w[0]); 3];
                for k: usize in 1..4 'l2 {
                    swap v[n] and w[((v.len() as f64 * 0.25).sin() * 3.0).abs() as usize];
                }
                truncate v to 1;
            }
            w[0] = y;
            ret = w[n % 3];
        }",
        // An index is the copy of a value that is computed again from what stands at that index.
        "fn main(x: &[f64], v: &[f64], a: f64, y: &mut f64, w: &mut [f64], n: usize) -> ret: f64 | x v a y w | ret y w {
            if a < 0.622 {
                for k: usize in (1..=0).step_by(2) 'l3 {
                    y = y * a;
                }
            } else {
                y = w[n % 3].sin();
                let f_6: f64 = y;
                w[((f_6 * f_6).sin() * 3.0).abs() as usize % 3] = (x[n % 3].sin() * 3.0).atan() * -y;
            }
            ret = 2.0;
        }",
        // Lists that change places: one active, the other not, and of other lengths before.
        "fn main(x: &[f64], a: f64, n: usize) -> ret: f64 | x a | ret {
            let v: Vec<f64> = vec![0.5; 2];
            let w: Vec<f64> = vec![x[1] * a; 4];
            w[3] = w[3] * w[2];
            for c: usize in 0..3 'l1 {
                swap v and w;
                v[1] = v[1] * x[c];
                truncate v to 2;
                extend w by vec![a; 2];
                w[3] = w[1] * a;
            }
            ret = v[1] * w[3] + w[1];
        }",
        // A partial is named outside of the condition under which what it reads is restored.
        "fn main(x: &[f64], v: &[f64], a: f64, w: &mut [f64], n: usize) -> ret: f64 | x v a w | ret w {
            if n < 5 {
                let u: Vec<f64> = vec![(w[n % 3].sin() * 0.75 + 1.25).recip(); 4];
                u[n % u.len()] = (v[n % 3].sin() * 2.0).atan2(v[1].sin() + 1.05) * (x[n % 3] - u[0]);
            }
            ret = 3.0;
        }",
    ] {
        examine_text(text, 176).unwrap_or_else(|error| panic!("{error}"));
    }
}
