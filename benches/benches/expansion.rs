//! How long `#[adjoint]` takes on a function of 100 lines.
//!
//! * Optimised: `cargo bench -p backsweep-benches --bench expansion`.
//! * As users get it, a procedural macro without optimisation:
//!   `cargo bench -p backsweep-benches --bench expansion --profile dev`.

use criterion::{Criterion, criterion_group, criterion_main};
use proc_macro2::TokenStream;
use std::time::Duration;

fn expansion(criterion: &mut Criterion) {
    let function: TokenStream = include_str!("hundred_lines.rs").parse().expect("it is Rust");
    let arguments: TokenStream =
        "independents(diameter, density, rates, thinning), dependents(return)"
            .parse()
            .expect("these are tokens");
    let expand = || ad_analysis::expand(arguments.clone(), function.clone());
    assert!(!expand().to_string().contains("compile_error"), "{}", expand());
    let mut group = criterion.benchmark_group("expansion");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    group.bench_function("100 lines", |bencher| bencher.iter(expand));
    group.finish();
}

criterion_group!(benches, expansion);
criterion_main!(benches);
