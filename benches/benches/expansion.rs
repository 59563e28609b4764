//! How long `#[adjoint]` takes on a function of 100 lines.
//!
//! * Optimised: `cargo bench -p backsweep-benches --bench expansion`.
//! * As users get it, a procedural macro without optimisation:
//!   `cargo bench -p backsweep-benches --bench expansion --profile dev`.

use criterion::{Criterion, criterion_group, criterion_main};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::time::Duration;
use syn::Item;

/// The arguments of the attribute, and the function.
fn forest() -> (TokenStream, TokenStream) {
    let file = syn::parse_file(include_str!("../src/forest.rs")).expect("it is Rust");
    let functions = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    let mut function = functions.last().expect("there is a function");
    let attributes =
        function.attrs.extract_if(.., |attribute| attribute.path().is_ident("adjoint"));
    let attribute = attributes.last().expect("it is annotated");
    let arguments = attribute.meta.require_list().expect("it has arguments").tokens.clone();
    (arguments, function.into_token_stream())
}

fn expansion(criterion: &mut Criterion) {
    let (arguments, function) = forest();
    let expand = || ad_analysis::expand(arguments.clone(), function.clone());
    assert!(!expand().to_string().contains("compile_error"), "{}", expand());
    let mut group = criterion.benchmark_group("expansion");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    group.bench_function("100 lines", |bencher| bencher.iter(expand));
    group.finish();
}

criterion_group!(benches, expansion);
criterion_main!(benches);
