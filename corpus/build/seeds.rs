//! The functions with adjoints for several seeds, and the code that runs these.

use crate::cases::{argument, bar, passed, quiet};
use crate::files::Half;
use crate::generated::{Described, callees, functions_with, options_of};
use crate::several::can_be_called;
use crate::source::{Passing, Root, Source};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// A table of what runs the adjoints for several seeds of the functions of some files, in the variant with all optimisations.
pub fn several_seeds(sources: &[Source], half: Half) -> TokenStream {
    let (mut runs, mut table, mut cases) = (Vec::new(), Vec::new(), 0_usize);
    for source in sources {
        if !half.has(source) {
            cases += source.roots.len();
            continue;
        }
        let (file, mut own) = (&source.name, Vec::new());
        let functions = with_several_seeds(source);
        for root in &source.roots {
            let name = &root.name;
            if functions.contains_key(&name.to_string()) {
                own.push(run(file, root));
                table.push(quote! {
                    (#cases, runs_seeds::#file::#name as testkit::corpus::RunSeeds)
                });
            }
            cases += 1;
        }
        runs.push(quote!(pub mod #file {
            use crate::runs_several::{directions, uniform, visit};
            use testkit::corpus::{Outputs, Seeded, floats};
            #(#own)*
        }));
    }
    let runs = quiet(quote!(pub mod runs_seeds { #(#runs)* }));
    quote! {
        #runs
        /// Adjoints for several seeds: the number of a case, and what runs it.
        pub static SEEDS: &[(usize, testkit::corpus::RunSeeds)] = &[#(#table),*];
    }
}

/// The functions of a file with adjoints for several seeds: those of which the library does not say that they have
/// none, and neither of what they call.
fn with_several_seeds(source: &Source) -> BTreeMap<String, ()> {
    functions_with(source, options_of, |text| {
        let callees =
            callees(text, "} . __backwards").filter(|_| can_be_called(text, "adjoints"))?;
        Some(Described { callees, more: () })
    })
}

/// A function that runs the entry.
fn run(file: &Ident, root: &Root) -> TokenStream {
    let name = &root.name;
    let names: Vec<Ident> = (0..root.params.len()).map(argument).collect();
    let (mut args, mut bars, mut visits) = (Vec::new(), TokenStream::new(), TokenStream::new());
    let mut exclusive = Vec::new();
    let skip = |name: &Ident| quote!(seeds.by_ref().take(floats(&#name).len()).for_each(drop););
    let seed = match root.output_dependent {
        true => quote!(let seed = directions(&result, &mut seeds);),
        false => skip(&quote::format_ident!("result")),
    };
    for (position, (param, arg)) in root.params.iter().zip(passed(root)).enumerate() {
        let (name, bar) = (argument(position), bar(position));
        args.push(arg);
        bars.extend(match (param.passing == Passing::Exclusive, param.dependent) {
            (true, true) => quote!(let mut #bar = directions(&#name, &mut seeds);),
            // It is overwritten.
            (true, false) => {
                let skipped = skip(&name);
                let bar = param.has_bar().then(|| quote!(let mut #bar = uniform(&#name, 9.0);));
                quote!(#skipped #bar)
            }
            (false, _) if param.has_bar() => quote!(let mut #bar = uniform(&#name, 0.0);),
            (false, _) => TokenStream::new(),
        });
        exclusive.extend((param.passing == Passing::Exclusive).then(|| name.clone()));
        if param.has_bar() {
            args.push(quote!(&mut #bar));
            visits.extend(quote!(visit(&#name, &#bar, &mut bars);));
        }
    }
    args.extend(root.output_dependent.then(|| quote!(seed)));
    quote! {
        pub fn #name(sample: usize, seeds: &[[f64; 3]]) -> Seeded {
            use crate::all::#file::#name as entries;
            use crate::cases::#file::#name as case;
            let (#(mut #names,)*) = case::arguments(sample);
            let (result, mut seeds) = (case::result(sample), seeds.iter());
            #seed
            #bars
            let result = entries::adjoints(#(#args),*);
            let outputs = Outputs::of(&[&result, #(&#exclusive),*]);
            let mut bars = Vec::new();
            #visits
            Seeded { outputs, bars }
        }
    }
}
