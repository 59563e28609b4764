//! Random programs against dual numbers.

use ad_analysis::analyses::Optimisations;
use ad_analysis::ir::{Body, print};
use fastrand::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use testkit::check::{Point, check, primal_runs};
use testkit::program::Program;
use testkit::random::{Config, program};
use testkit::shrink::shrink;

fn failure(bodies: &[Body], point: &Point, enabled: Optimisations) -> Option<String> {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let program = Program::new(bodies, enabled);
        check(&program, "main", point)
    }));
    match result {
        Ok(Ok(_)) => None,
        Ok(Err(message)) => Some(message),
        Err(panic) => Some(format!(
            "panic: {}",
            panic.downcast_ref::<String>().cloned().unwrap_or_else(|| panic
                .downcast_ref::<&str>()
                .unwrap_or(&"?")
                .to_string())
        )),
    }
}

fn runs(bodies: &[Body], point: &Point) -> bool {
    let run = || primal_runs(bodies, "main", point);
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(false)
}

fn kind(message: &str) -> String {
    message.split_whitespace().take(2).collect()
}

#[test]
fn random_programs() {
    let count: u64 = std::env::var("COUNT").ok().and_then(|s| s.parse().ok()).unwrap_or(1000);
    let first: u64 = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    std::panic::set_hook(Box::new(|_| {}));
    let mut wrong = 0;
    for seed in first..first + count {
        let mut rng = Rng::with_seed(seed);
        let bodies = program(&mut rng, Config::default());
        let point = Point::random(bodies.last().unwrap(), &mut rng);
        for enabled in [Optimisations::ALL, Optimisations::NONE] {
            let Some(message) = failure(&bodies, &point, enabled) else { continue };
            wrong += 1;
            if wrong <= 3 {
                let small = shrink(bodies.clone(), &|bodies| {
                    runs(bodies, &point) && failure(bodies, &point, enabled)
                        .is_some_and(|other| kind(&other) == kind(&message))
                });
                println!("seed {seed} {enabled:?}: {}", failure(&small, &point, enabled).unwrap());
                for body in &small {
                    println!("{}", print(body));
                }
                if let Ok(program) = catch_unwind(|| Program::new(&small, enabled)) {
                    let f = &program.functions["main"];
                    println!("// reified\n{}", print(&f.reified));
                    println!("// forward\n{}", print(&f.adjoint.forward));
                    println!("// backward\n{}", print(&f.adjoint.backward));
                    println!("{point:?}");
                }
            }
        }
    }
    assert_eq!(wrong, 0, "of {count}");
}
