//! The documentation of `#[adjoint]` has all entries, options and marks.

use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use syn::{Item, ItemFn, Visibility, parse_quote};

fn read(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words in backticks in the documentation of the attribute, outside of programs.
fn documented() -> BTreeSet<String> {
    let text = read("ad-macros/src/adjoint.md");
    let prose = text.split("```").step_by(2).collect::<String>();
    let code = prose.split('`').skip(1).step_by(2);
    let words = code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn assert_documented(what: &str, names: impl IntoIterator<Item = String>) {
    let documented = documented();
    let missing: Vec<String> =
        names.into_iter().filter(|name| !documented.contains(name)).collect();
    assert!(missing.is_empty(), "{what} that ad-macros/src/adjoint.md does not have: {missing:?}");
}

/// The public functions that are generated.
fn entries(arguments: &str, function: &ItemFn) -> BTreeSet<String> {
    let arguments: TokenStream = arguments.parse().expect("tokens");
    let generated = ad_analysis::differentiate(arguments, function).expect("derivatives");
    let file: syn::File = syn::parse2(generated).expect("Rust");
    let mut found = BTreeSet::new();
    for item in file.items {
        let Item::Impl(block) = item else { continue };
        for item in block.items {
            let syn::ImplItem::Fn(entry) = item else { continue };
            let name = entry.sig.ident.to_string();
            if matches!(entry.vis, Visibility::Public(_)) && !name.starts_with("__") {
                found.insert(name);
            }
        }
    }
    found
}

#[test]
fn all_entries_are_documented() {
    let number: ItemFn = parse_quote! { pub fn f(x: &[f64]) -> f64 { x[0] * x[0] } };
    let list: ItemFn = parse_quote! { pub fn f(x: &[f64]) -> [f64; 2] { [x[0], x[1] * x[0]] } };
    let (mut names, of_list) = (entries("second_order", &number), entries("", &list));
    assert!(names.contains("hessian_sparse") && of_list.contains("jacobian_sparse"));
    names.extend(of_list);
    assert_documented("entries", names);
}

#[test]
fn all_options_are_documented() {
    // What the parser tells apart, except what only the macro writes, for which there are constants.
    let parser = read("ad-analysis/src/options.rs");
    let arms = parser.split("(\"").skip(1).filter_map(|rest| rest.split_once("\", Value::"));
    let mut names: BTreeSet<String> =
        arms.map(|(name, _)| name.to_owned()).filter(|name| !name.contains('"')).collect();
    assert!(names.contains("independents") && names.contains("second_order"));
    // What it lists itself.
    let function: ItemFn = parse_quote! { fn f(x: f64) -> f64 { x } };
    let arguments = "unknown".parse().expect("tokens");
    let errors = ad_analysis::differentiate(arguments, &function).expect_err("no such option");
    let listed = errors[0].help.split(|c: char| !c.is_alphanumeric() && c != '_');
    let listed = listed.skip_while(|word| *word != "are").skip(1).filter(|word| !word.is_empty());
    names.extend(listed.map(str::to_owned));
    names.insert("skip".to_owned());
    assert_documented("options", names);

    let optimisations = ad_analysis::analyses::Optimisation::ALL;
    assert_documented("optimisations", optimisations.map(|known| known.name().to_owned()));
}
