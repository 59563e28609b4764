//! The functions with second derivatives, and the code that runs them.

use crate::cases::{argument, bar, passed, quiet};
use crate::generated::{Described, callees, functions_with, options_of};
use crate::source::{self, Passing, Root, Source};
use crate::variants;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;
use syn::{Attribute, Item};

/// The functions with second derivatives, by file.
pub struct Known(BTreeMap<String, BTreeMap<String, Sparse>>);

impl Known {
    /// Finds them.
    pub fn of(sources: &[Source]) -> Self {
        let functions =
            |source: &Source| (source.name.to_string(), with_second_derivatives(source));
        Self(sources.iter().map(functions).collect())
    }
}

/// The functions of some files with second derivatives, and what they mention, and a table of what runs those with a gradient.
pub fn second_derivatives(
    sources: &[Source],
    Known(known): &Known,
    is_meant: &dyn Fn(&Source) -> bool,
) -> TokenStream {
    let is_run = |source: &Source, root: &Root| {
        let has_some = known[&source.name.to_string()].contains_key(&root.name.to_string());
        is_meant(source) && has_some && is_plain(root)
    };
    let (mut modules, mut runs) = (Vec::new(), Vec::new());
    for source in source::with_roots(sources, &is_run) {
        let (file, functions) = (&source.name, &known[&source.name.to_string()]);
        let mut items = variants::ALL[0].items(&source);
        items.iter_mut().for_each(|item| annotate(item, functions));
        modules.push(syn::parse_quote!(pub mod #file { #(#items)* }));
        let own = source.roots.iter();
        let own = own.map(|root| run(file, root, functions[&root.name.to_string()]));
        runs.push(quote!(pub mod #file {
            use testkit::corpus::{Hessian, Outputs, filled};
            #(#own)*
        }));
    }
    let all = sources.iter().flat_map(|source| source.roots.iter().map(move |root| (source, root)));
    let table = all.enumerate().filter(|(_, (source, root))| is_run(source, root));
    let table = table.map(|(case, (source, root))| {
        let (file, name) = (&source.name, &root.name);
        quote!((#case, runs_second::#file::#name as testkit::corpus::RunHessian))
    });
    let modules = source::module_of("second", modules.into_iter());
    let runs = quiet(quote!(pub mod runs_second { #(#runs)* }));
    quote! {
        #modules
        #runs
        /// Second derivatives: the number of a case, and what runs it.
        pub static SECOND: &[(usize, testkit::corpus::RunHessian)] = &[#(#table),*];
    }
}

/// Whether one of the functions has a Hessian.
pub fn has_hessian(source: &Source) -> bool {
    let functions = with_second_derivatives(source);
    source.roots.iter().any(|root| functions.contains_key(&root.name.to_string()) && is_plain(root))
}

/// Whether there are entries for a sparse Hessian.
#[derive(Clone, Copy)]
enum Sparse {
    There,
    Missing,
}

/// Whether users can call for the Hessian.
fn is_plain(root: &Root) -> bool {
    let is_exclusive = |param: &&source::Param| param.passing == Passing::Exclusive;
    root.has_gradient() && !root.params.iter().filter(is_exclusive).any(source::Param::has_bar)
}

fn options(attr: &Attribute) -> TokenStream {
    let given = options_of(attr);
    if given.is_empty() { quote!(second_order) } else { quote!(#given, second_order) }
}

fn annotate(item: &mut Item, functions: &BTreeMap<String, Sparse>) {
    let Item::Fn(function) = item else { return };
    if !functions.contains_key(&function.sig.ident.to_string()) {
        return;
    }
    for attr in &mut function.attrs {
        if attr.path().is_ident("adjoint") {
            let options = options(attr);
            *attr = syn::parse_quote!(#[adjoint(#options)]);
        }
    }
}

/// The functions of a file that have second derivatives: those of which the library does not say that they have none, and neither of
/// what they call. Methods are annotated as they are, without; and partials that are given may call what has no adjoint.
fn with_second_derivatives(source: &Source) -> BTreeMap<String, Sparse> {
    let others = source.items.iter().filter_map(|item| match item {
        Item::Fn(function) => {
            let is_annotated = function.attrs.iter().any(|attr| attr.path().is_ident("adjoint"));
            (!is_annotated).then(|| function.sig.ident.to_string())
        }
        _ => None,
    });
    let others: Vec<String> = others.collect();
    let functions = functions_with(source, options, |text| {
        let has_adjoint = |callee: &String| !others.contains(callee);
        let all_have_adjoints = || {
            callees(text, "; __callee :: __entries ").is_none_or(|all| all.iter().all(has_adjoint))
        };
        if text.contains("_directed_forward") || !all_have_adjoints() {
            return None;
        }
        let callees = callees(text, "; __callee :: __entries_of_directed")?;
        let more = Along {
            callees: callees.clone(),
            is_found: !text.contains("has no second derivatives in several directions"),
            is_sparse: text.contains("fn hessian_sparse"),
        };
        Some(Described { callees, more })
    });
    sparse_of(functions)
}

/// What is known of the sweeps of a function for several directions.
struct Along {
    callees: Vec<String>,
    /// Whether callers find such sweeps, as far as the function itself tells.
    is_found: bool,
    /// Whether there are the entries that use them.
    is_sparse: bool,
}

/// Which functions have a sparse Hessian that can be used: those that call none without sweeps for several directions.
fn sparse_of(functions: BTreeMap<String, Along>) -> BTreeMap<String, Sparse> {
    let mut found: Vec<&str> =
        functions.iter().filter(|(_, along)| along.is_found).map(|(name, _)| &**name).collect();
    loop {
        let known = found.clone();
        found.retain(|name| functions[*name].callees.iter().all(|name| known.contains(&&**name)));
        if found.len() == known.len() {
            break;
        }
    }
    let sparse = functions.iter().map(|(name, along)| {
        let is_there = along.is_sparse && found.contains(&&**name);
        (name.clone(), if is_there { Sparse::There } else { Sparse::Missing })
    });
    sparse.collect()
}

/// A function that runs the entries for second derivatives.
fn run(file: &Ident, root: &Root, sparse: Sparse) -> TokenStream {
    let name = &root.name;
    let names: Vec<Ident> = (0..root.params.len()).map(argument).collect();
    let (args, mut directed) = (passed(root), Vec::new());
    let (mut directions, mut parts) = (TokenStream::new(), Vec::new());
    for (position, (param, arg)) in root.params.iter().zip(&args).enumerate() {
        directed.push(arg.clone());
        if !param.has_bar() {
            continue;
        }
        let (name, direction) = (argument(position), bar(position));
        directions.extend(quote!(let #direction = filled(&#name, &mut slopes);));
        directed.push(match param.passing {
            Passing::Value => quote!(#direction.clone()),
            Passing::Shared | Passing::Exclusive => quote!(&#direction),
        });
        parts.push(position);
    }
    let tuple = |prefix: &str| {
        let names: Vec<Ident> = parts.iter().map(|n| format_ident!("{prefix}{n}")).collect();
        match names.as_slice() {
            [only] => (quote!(#only), names.clone()),
            names => (quote!((#(#names),*)), names.to_vec()),
        }
    };
    let ((gradient, slopes), (products, rows)) = (tuple("g"), tuple("p"));
    let sparse = match sparse {
        Sparse::There => quote!(Some(entries::hessian_sparse(#(#args),*))),
        Sparse::Missing => quote!(None),
    };
    quote! {
        pub fn #name(sample: usize, direction: &[f64]) -> Hessian {
            use crate::second::#file::#name as entries;
            use crate::cases::#file::#name as case;
            let (#(mut #names,)*) = case::arguments(sample);
            let rows = entries::hessian(#(#args),*);
            let diagonal = entries::hessian_diagonal(#(#args),*);
            let sparse = #sparse;
            let mut slopes = direction.iter();
            #directions
            let (value, #gradient, #products) = entries::hessian_vector(#(#directed),*);
            Hessian {
                value: f64::from(value),
                gradient: Outputs::of(&[#(&#slopes),*]).floats,
                products: Outputs::of(&[#(&#rows),*]).floats,
                rows,
                diagonal,
                sparse,
            }
        }
    }
}
