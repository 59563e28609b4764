//! The functions with several dependents, and the code that runs their Jacobians.

use crate::cases::{argument, passed, quiet};
use crate::files::Half;
use crate::source::{Passing, Root, Source};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A table of what runs the Jacobians of the functions of some files, in the variant with all optimisations.
pub fn jacobians(sources: &[Source], half: Half) -> TokenStream {
    let (mut runs, mut table, mut cases) = (Vec::new(), Vec::new(), 0_usize);
    for source in sources {
        if !half.has(source) {
            cases += source.roots.len();
            continue;
        }
        let (file, mut own) = (&source.name, Vec::new());
        for root in &source.roots {
            if !root.has_gradient() {
                let name = &root.name;
                own.push(run(file, root));
                table.push(quote! {
                    (#cases, runs_jacobian::#file::#name as testkit::corpus::RunJacobian)
                });
            }
            cases += 1;
        }
        runs.push(quote!(pub mod #file {
            use testkit::corpus::{Jacobian, Outputs, floats};
            #(#own)*
        }));
    }
    let runs = quiet(quote!(pub mod runs_jacobian { #(#runs)* }));
    quote! {
        #runs
        /// Jacobians: the number of a case, and what runs it.
        pub static JACOBIANS: &[(usize, testkit::corpus::RunJacobian)] = &[#(#table),*];
    }
}

/// A function that runs the entry.
fn run(file: &Ident, root: &Root) -> TokenStream {
    let name = &root.name;
    let names: Vec<Ident> = (0..root.params.len()).map(argument).collect();
    let args = passed(root);
    let with_names = || root.params.iter().zip(&names);
    let exclusive = with_names().filter(|(param, _)| param.passing == Passing::Exclusive);
    let exclusive: Vec<&Ident> = exclusive.map(|(_, name)| name).collect();
    let columns = with_names().filter(|(param, _)| param.has_bar()).map(|(param, name)| {
        let is_independent = param.independent;
        quote!(columns.extend(vec![#is_independent; floats(&#name).len()]);)
    });
    quote! {
        pub fn #name(sample: usize) -> Jacobian {
            use crate::cases::#file::#name as case;
            use crate::all::#file::#name as entries;
            let (#(mut #names,)*) = case::arguments(sample);
            let mut columns: Vec<bool> = Vec::new();
            #(#columns)*
            let before = Outputs::of(&[#(&#exclusive),*]);
            let rows = entries::jacobian(#(#args),*);
            let keeps_arguments = Outputs::of(&[#(&#exclusive),*]).same_bits(&before);
            Jacobian { rows, columns, keeps_arguments }
        }
    }
}
