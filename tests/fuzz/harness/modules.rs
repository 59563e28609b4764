//! What the generated crate consists of.

use corpus_build::cases::{self, Entries};
use corpus_build::dual;
use corpus_build::second::{Known, second_derivatives};
use corpus_build::source::{Source, publish};
use corpus_build::variants::Variant;
use proc_macro2::TokenStream;
use std::fmt::Write;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item};

/// A part of the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The functions as they are.
    Plain,
    /// The functions in dual numbers.
    Dual,
    /// The table of the functions.
    Cases,
    /// The annotated functions, in some variants.
    Variants,
    /// The annotated functions with second derivatives, of those that have some.
    Second,
}

/// The part that everything starts from.
pub const PLAIN: Part = Part::Plain;

/// The files of a part, by the names of their modules.
pub fn files(
    part: Part,
    sources: &[Source],
    variants: &[&Variant],
    has_cases: bool,
) -> Vec<(String, String)> {
    match part {
        Part::Plain => {
            let items = |source: &Source| {
                let mut items = source.without_attributes().items;
                if has_cases {
                    items.iter_mut().for_each(|item| Fuel.visit_item_mut(item));
                }
                items
            };
            vec![("plain".to_owned(), by_source("plain", sources, &items))]
        }
        Part::Dual => vec![("dual".to_owned(), by_source("dual", sources, &dual::items))],
        Part::Cases => vec![("cases".to_owned(), text(cases::cases(sources)))],
        Part::Second => vec![(
            "second".to_owned(),
            text(second_derivatives(sources, &Known::of(sources), &|_| true)),
        )],
        Part::Variants => {
            let mut files = Vec::new();
            for variant in variants {
                let name = variant.name.to_owned();
                // The lints are those of the plain functions, whose constants are public.
                let items = |source: &Source| {
                    let mut items = variant.items(source);
                    items.iter_mut().for_each(publish);
                    items
                };
                files.push((name.clone(), by_source(&name, sources, &items)));
                if has_cases {
                    let runs = cases::runs(variant.name, sources, sources, Entries::Few);
                    files.push((format!("run_{name}"), text(runs)));
                }
            }
            files
        }
    }
}

fn text(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).expect("what is generated is Rust"))
}

/// A module of modules, one for each source.
fn by_source(name: &str, sources: &[Source], items: &dyn Fn(&Source) -> Vec<Item>) -> String {
    let mut text = format!("pub mod {name} {{\n");
    for source in sources {
        let items = items(source);
        let inner = prettyplease::unparse(&syn::parse_quote!(#(#items)*));
        let _ = writeln!(text, "    pub mod {} {{", source.name);
        text.push_str(&inner);
        text.push_str("    }\n");
    }
    text + "}\n"
}

/// The root of the crate.
pub fn main(files: &[(String, String)], variants: &[&Variant], has_cases: bool) -> String {
    let mut text = String::new();
    for (name, _) in files {
        let _ = writeln!(text, "include!(\"{name}.rs\");");
    }
    if files.iter().any(|(name, _)| name == "second") {
        return text + "fn main() { testkit::corpus::examine_hessians(CASES, SECOND); }\n";
    }
    let tables: Vec<String> =
        variants.iter().map(|variant| format!("&{}", variant.name.to_uppercase())).collect();
    if has_cases && !variants.is_empty() {
        let tables = tables.join(", ");
        let _ = writeln!(text, "fn main() {{ testkit::corpus::examine(CASES, &[{tables}]); }}");
    } else {
        text.push_str("fn main() {}\n");
    }
    text
}

/// Lets loops end.
struct Fuel;

impl Fuel {
    fn add(body: &mut Block) {
        body.stmts.insert(0, syn::parse_quote!(testkit::corpus::fuel();));
    }
}

impl VisitMut for Fuel {
    fn visit_expr_while_mut(&mut self, inner: &mut syn::ExprWhile) {
        Self::add(&mut inner.body);
        visit_mut::visit_expr_while_mut(self, inner);
    }

    fn visit_expr_loop_mut(&mut self, inner: &mut syn::ExprLoop) {
        Self::add(&mut inner.body);
        visit_mut::visit_expr_loop_mut(self, inner);
    }

    fn visit_expr_for_loop_mut(&mut self, inner: &mut syn::ExprForLoop) {
        Self::add(&mut inner.body);
        visit_mut::visit_expr_for_loop_mut(self, inner);
    }
}
