//! What is refused, and what is generated, of functions in files that no crate has.

use ad_analysis::context::Place;
use ad_analysis::expand_in;
use proc_macro2::TokenStream;
use std::path::Path;

/// The text of a file beside this one, in a folder that looks like that of a crate.
fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("it/passed_across/in_files/src").join(name)
}

/// What becomes of a function in a file, whose text may be another one in what the macro gets.
fn expanded(
    arguments: &str,
    name: &str,
    function: &str,
    change: impl Fn(String) -> String,
) -> String {
    let path = file(name);
    let text = std::fs::read_to_string(&path).expect("a file");
    let at = text.find(&format!("fn {function}")).expect("the function");
    let line = text[..at].matches('\n').count() + 1;
    let line_start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let place = Place { file: path, line, column: text[line_start..at].chars().count() + 1 };
    let rest = &text[line_start..];
    let end = rest.find("\n}").map_or(rest.len(), |end| end + 2);
    let item: TokenStream = change(rest[..end].to_owned()).parse().expect("tokens");
    expand_in(arguments.parse().expect("tokens"), item, Some(&place)).to_string()
}

fn refusal(name: &str, function: &str) -> String {
    let text = expanded("", name, function, |text| text);
    let error = text.split("compile_error").nth(1).unwrap_or_default();
    error.split('"').nth(1).unwrap_or_default().to_owned()
}

/// The constant in the declaration of a function, or the one that a caller asserts.
fn number(text: &str) -> Option<&str> {
    let end = text.find("u128 ;").or_else(|| text.find("u128 ,"));
    text.split_whitespace()
        .find(|word| word.ends_with("u128") && word.len() > 30)
        .or(end.map(|_| ""))
}

#[test]
fn what_cannot_be_lowered_elsewhere_is_said() {
    let cases = [
        (
            "of_a_private_function",
            "`uses_private`, which takes a function, mentions `private`, which is hidden from this module",
        ),
        (
            "of_a_method",
            "`uses_method`, which takes a function, calls a method `norm`, which may be another one elsewhere",
        ),
        ("of_one_that_calls_itself", "`by_turns`, which takes a function, calls itself"),
        (
            "of_one_that_is_not_annotated",
            "a call that passes a closure is not supported in active code",
        ),
        ("of_one_without_context", "a call that passes a closure is not supported in active code"),
        (
            "of_a_variable",
            "`hides`, which takes a function, has a variable `helper`, and its module an item of that name",
        ),
        ("of_a_macro", "`uses_macro`, which takes a function, calls a macro `twice`"),
        (
            "of_what_is_not_known",
            "`unknown`, which takes a function, mentions `elsewhere`, of which the files of the crate do not tell what it is",
        ),
    ];
    for (function, message) in cases {
        let found = refusal("lib.rs", function);
        assert!(found.starts_with(message), "{function}: {found}");
    }
}

#[test]
fn what_stands_in_the_way_is_said_at_the_function() {
    let cases = [
        ("recursive", "`recursive`, which takes a function, calls itself"),
        ("fails", "`fails`, which takes a function, may fail"),
        ("generic", "`generic`, which takes a function, has other generic parameters"),
        ("hides", "`hides`, which takes a function, has a variable `helper`"),
    ];
    for (function, message) in cases {
        let found = refusal("bodies.rs", function);
        assert!(found.starts_with(message), "{function}: {found}");
    }
    let with_options = expanded("test(f: f64::sin, x: 1.0)", "bodies.rs", "plain", |text| text);
    assert!(with_options.contains("`test` does not belong to a function that takes functions"));
}

#[test]
fn a_changed_body_has_another_number() {
    let asserted = expanded("", "lib.rs", "of_a_plain_one", |text| text);
    let declared = expanded("", "bodies.rs", "plain", |text| text);
    let spaced = expanded("", "bodies.rs", "plain", |text| text.replace(' ', "  "));
    let changed = expanded("", "bodies.rs", "plain", |text| text.replace("2.0", "3.0"));
    let number = |text: &str| number(text).expect("a number").to_owned();
    assert_eq!(number(&asserted), number(&declared));
    assert_eq!(number(&spaced), number(&declared));
    assert_ne!(number(&changed), number(&declared));
}

#[test]
fn without_context_nothing_is_taken_from_files() {
    let caller = expanded("no(context)", "lib.rs", "of_a_plain_one", |text| text);
    assert!(caller.contains("a call that passes a closure is not supported"));
    let callee = expanded("no(context)", "bodies.rs", "plain", |text| text);
    assert!(callee.contains("a function that is passed as a value"));
}
