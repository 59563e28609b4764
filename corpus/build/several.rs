//! The functions with tangents in several directions, and the code that runs these, and sparse Jacobians.

use crate::cases::{argument, bar, passed, quiet};
use crate::files::Half;
use crate::generated::{Described, callees, functions_with, options_of};
use crate::source::{Passing, Root, Source};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// A table of what runs the functions of some files that have tangents in several directions, in the variant with all optimisations.
pub fn several_directions(sources: &[Source], half: Half) -> TokenStream {
    let (mut runs, mut table, mut cases) = (Vec::new(), Vec::new(), 0_usize);
    for source in sources {
        if !half.has(source) {
            cases += source.roots.len();
            continue;
        }
        let (file, mut own) = (&source.name, Vec::new());
        let (functions, followed) = (with_several_directions(source), with_validity(source));
        for root in &source.roots {
            let name = &root.name;
            if let Some(&is_sparse) = functions.get(&name.to_string()) {
                let follows_tests = followed.contains_key(&name.to_string());
                own.push(run(file, root, is_sparse, follows_tests));
                table.push(quote! {
                    (#cases, runs_several::#file::#name as testkit::corpus::RunSeveral)
                });
            }
            cases += 1;
        }
        runs.push(quote!(pub mod #file {
            use super::{Parts, direction, directions, visit};
            use testkit::corpus::{Outputs, Several, Sparse, floats};
            #(#own)*
        }));
    }
    let runs = quiet(quote!(pub mod runs_several {
        use backsweep::__private::HasTangents;

        type Parts = [f64; 3];

        /// Directions of the shape of a value, from the parts of three directions.
        pub fn directions<V: HasTangents<Parts>>(value: &V, parts: &mut std::slice::Iter<'_, Parts>) -> V::Tangent {
            value.tangent_of(&mut || *parts.next().expect("parts for each float"))
        }

        /// A direction of the shape of a value, from the parts of one.
        fn direction<V: HasTangents<f64>>(value: &V, parts: &mut std::slice::Iter<'_, Parts>) -> V::Tangent {
            value.tangent_of(&mut || parts.next().expect("parts for each float")[0])
        }

        /// Parts of the shape of a value, all the same.
        pub fn uniform<V: HasTangents<Parts>>(value: &V, part: f64) -> V::Tangent {
            value.tangent_of(&mut || [part; 3])
        }

        /// The tangents of a value.
        pub fn visit<V: HasTangents<Parts>>(_: &V, tangent: &V::Tangent, found: &mut Vec<Parts>) {
            V::visit_tangent(tangent, &mut |parts| found.push(parts));
        }

        #(#runs)*
    }));
    quote! {
        #runs
        /// Tangents in several directions: the number of a case, and what runs it.
        pub static SEVERAL: &[(usize, testkit::corpus::RunSeveral)] = &[#(#table),*];
    }
}

/// The functions of a file with tangents in several directions: those of which the library does not say that they have
/// none, and neither of what they call. With each, whether it has a sparse Jacobian.
fn with_several_directions(source: &Source) -> BTreeMap<String, bool> {
    functions_with(source, options_of, |text| {
        let callees =
            callees(text, "} . __tangents").filter(|_| can_be_called(text, "tangents"))?;
        Some(Described { callees, more: text.contains("fn jacobian_sparse") })
    })
}

/// Those of them that follow all tests.
fn with_validity(source: &Source) -> BTreeMap<String, ()> {
    functions_with(source, options_of, |text| {
        let callees =
            callees(text, "} . __tangents").filter(|_| can_be_called(text, "validity"))?;
        Some(Described { callees, more: () })
    })
}

/// Whether there are entries of that name, all without a demand that nothing meets: loops have functions of their own.
pub fn can_be_called(text: &str, entry: &str) -> bool {
    let definition = format!("pub fn {entry} ");
    let mut signatures = text.split(&definition).skip(1).map(|rest| rest.split('{').next());
    let is_free = |signature: &str| !signature.contains("tangent_of :: No");
    text.contains(&definition) && signatures.all(|signature| signature.is_some_and(is_free))
}

/// A function that runs the entries.
fn run(file: &Ident, root: &Root, is_sparse: bool, follows_tests: bool) -> TokenStream {
    let name = &root.name;
    let names: Vec<Ident> = (0..root.params.len()).map(argument).collect();
    let (mut args, mut directions, mut visits) =
        (Vec::new(), TokenStream::new(), TokenStream::new());
    let (mut exclusive, mut columns) = (Vec::new(), TokenStream::new());
    let mut single = TokenStream::new();
    if root.output_dependent {
        visits.extend(quote!(visit(&result, &slope, &mut slopes);));
    }
    for (position, (param, arg)) in root.params.iter().zip(passed(root)).enumerate() {
        let (name, direction) = (argument(position), bar(position));
        args.push(arg);
        exclusive.extend((param.passing == Passing::Exclusive).then(|| name.clone()));
        if !param.has_bar() {
            continue;
        }
        let is_independent = param.independent;
        columns.extend(quote!(columns.extend(vec![#is_independent; floats(&#name).len()]);));
        directions.extend(quote!(let mut #direction = directions(&#name, &mut parts);));
        single.extend(quote!(let mut #direction = direction(&#name, &mut parts);));
        args.push(match param.passing {
            Passing::Value => quote!(#direction.clone()),
            Passing::Shared => quote!(&#direction),
            Passing::Exclusive => quote!(&mut #direction),
        });
        if param.dependent {
            visits.extend(quote!(visit(&#name, &#direction, &mut slopes);));
        }
    }
    let result = match root.output_dependent {
        true => quote!((result, slope)),
        false => quote!(result),
    };
    let again = passed(root);
    let sparse = match is_sparse {
        true => quote! {{
            let (rows, cols, values) = entries::jacobian_sparse(#(#again),*);
            let mut columns: Vec<bool> = Vec::new();
            #columns
            Some(Sparse { rows, cols, values, columns })
        }},
        false => quote!(None),
    };
    let validity = match follows_tests {
        true => quote! {{
            let (#(mut #names,)*) = case::arguments(sample);
            let mut parts = parts.iter();
            #single
            Some(entries::validity(#(#args),*))
        }},
        false => quote!(None),
    };
    quote! {
        pub fn #name(sample: usize, parts: &[[f64; 3]]) -> Several {
            use crate::all::#file::#name as entries;
            use crate::cases::#file::#name as case;
            let (#(mut #names,)*) = case::arguments(sample);
            let (sparse, validity) = (#sparse, #validity);
            let mut parts = parts.iter();
            #directions
            let #result = entries::tangents(#(#args),*);
            let outputs = Outputs::of(&[&result, #(&#exclusive),*]);
            let mut slopes = Vec::new();
            #visits
            Several { outputs, slopes, sparse, validity }
        }
    }
}
