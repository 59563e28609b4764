//! Random programs against dual numbers.

use ad_analysis::analyses::Optimisations;
use ad_analysis::ir::print;
use fastrand::Rng;
use testkit::check::{Point, check};
use testkit::program::Program;
use testkit::random::{Config, program};

#[test]
fn random_programs() {
    let count: u64 = std::env::var("COUNT").ok().and_then(|s| s.parse().ok()).unwrap_or(1000);
    let first: u64 = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut wrong = 0;
    for seed in first..first + count {
        let mut rng = Rng::with_seed(seed);
        let bodies = program(&mut rng, Config::default());
        let point = Point::random(bodies.last().unwrap(), &mut rng);
        for enabled in [Optimisations::ALL, Optimisations::NONE] {
            let result = std::panic::catch_unwind(|| {
                let program = Program::new(&bodies, enabled);
                check(&program, "main", &point)
            });
            let message = match result {
                Ok(Ok(_)) => continue,
                Ok(Err(message)) => message,
                Err(_) => "panic".to_owned(),
            };
            wrong += 1;
            if wrong <= 3 {
                println!("seed {seed} {enabled:?}: {message}");
                if bodies.iter().map(|b| print(b).len()).sum::<usize>() < 4000 {
                for body in &bodies {
                    println!("{}", print(body));
                }
                }
            }
        }
    }
    assert_eq!(wrong, 0);
}
