//! What is refused, and what is proved, of methods in files that no crate has.

use ad_analysis::context::Place;
use ad_analysis::expand_in;
use proc_macro2::TokenStream;
use std::path::Path;

/// What becomes of a function in a file beside this one, in a folder that looks like that of a crate.
fn expanded(arguments: &str, name: &str, function: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/methods_passed/in_files/src");
    let file = folder.join(name);
    let text = std::fs::read_to_string(&file).expect("a file");
    let head = text.find(&format!("fn {function}")).expect("the function");
    let line = text[..head].matches('\n').count() + 1;
    let line_start = text[..head].rfind('\n').map_or(0, |before| before + 1);
    let start = text[line_start..].find(|c: char| c != ' ').expect("a line") + line_start;
    let keyword = text[line_start..head].chars().count();
    let indent = &text[line_start..start];
    let rest = &text[start..];
    let end = rest.find(&format!("\n{indent}}}")).map_or(rest.len(), |at| at + indent.len() + 2);
    let item: TokenStream = rest[..end].parse().expect("tokens");
    let place = Place { file, line, column: keyword + 1 };
    expand_in(arguments.parse().expect("tokens"), item, Some(&place)).to_string()
}

fn refusal(name: &str, function: &str) -> String {
    let text = expanded("independents(p), dependents(return)", name, function);
    let error = text.split("compile_error").nth(1).unwrap_or_default();
    error.split('"').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn what_cannot_be_lowered_in_place_is_said() {
    const UNKNOWN: &str = "the method `shifted` of this receiver is not supported in active code";
    const BY_IMPORT: &str =
        "`shifted`, which takes a function, is found by way of an import inside of this function";
    const COERCED: &str = "this is a reference to a `Wrapper`, and one to a `Rule` is taken";
    let cases = [
        (
            "of_a_hidden_field",
            "`hidden_field`, which takes a function, uses `scale` of its type, which is hidden from this module",
        ),
        (
            "of_a_hidden_constant",
            "`hidden_constant`, which takes a function, uses `HALF` of its type, which is hidden from this module",
        ),
        (
            "of_a_hidden_method",
            "`hidden_method`, which takes a function, calls a method `private`, which may be another one elsewhere",
        ),
        (
            "on_a_reference",
            "`by_value`, which takes a function, takes what it is called on by value, which is a reference here",
        ),
        ("of_one_that_calls_itself", "`again`, which takes a function, calls itself"),
        (
            "of_one_that_is_not_annotated",
            "the method `not_annotated` of this receiver is not supported in active code",
        ),
        (
            "of_one_of_two",
            "the method `conditional` of this receiver is not supported in active code",
        ),
        ("of_a_trait", "the method `of_trait` of this receiver is not supported in active code"),
        ("of_a_generic_type", UNKNOWN),
        ("of_a_type_that_is_not_declared", UNKNOWN),
        ("behind_two_references", UNKNOWN),
        ("behind_a_pointer", UNKNOWN),
        ("of_a_parameter", UNKNOWN),
        ("by_a_coercion", COERCED),
        ("function_by_a_coercion", COERCED),
        ("by_an_import_inside", BY_IMPORT),
        (
            "by_imports_of_all_names",
            "`shifted`, which takes a function, may be another one by an import of all names inside of this function",
        ),
        ("of_a_type_imported_inside", BY_IMPORT),
        ("on_a_type_imported_inside", UNKNOWN),
        ("with_an_import_inside", UNKNOWN),
        ("of_an_item_inside", "this item inside of an annotated function is not supported"),
    ];
    for (function, message) in cases {
        let found = refusal("lib.rs", function);
        assert!(found.starts_with(message), "{function}: {found}");
    }
}

/// A constant tells the body, and traits whose methods are found before the method prove that it is found.
#[test]
fn the_method_is_proved_to_be_the_one_of_the_type() {
    let declared = expanded("", "rules.rs", "shifted");
    let number = declared.split("u128 = ").nth(1).expect("a constant");
    let number = number.split(' ').next().expect("a number");
    let caller = expanded("independents(rule, p)", "lib.rs", "by_its_name");
    assert!(caller.contains(&format!("Rule :: __TOKENS_of_shifted == {number}")), "{caller}");
    let before = ["__T", "& mut & mut __T", "& mut & & __T"];
    let has = |text: &str, ty: &str| {
        let bare = |text: &str| text.replace(' ', "");
        bare(text).contains(&bare(&format!("impl <__T> __Before for {ty} {{")))
    };
    for before in before {
        assert!(has(&caller, before), "{before}");
    }
    let changed = expanded("independents(rule, p), dependents(rule)", "lib.rs", "changed");
    assert!(has(&changed, "& __T"), "{changed}");
}

#[test]
fn without_context_nothing_is_taken_from_files() {
    let caller = expanded("no(context), independents(rule, p)", "lib.rs", "by_its_name");
    assert!(caller.contains("the method `shifted` of this receiver is not supported"));
    let callee = expanded("no(context), independents(self)", "rules.rs", "shifted");
    assert!(callee.contains("a function that is passed as a value"), "{callee}");
}
