//! `docs/language.md`, `lower/fence.rs` and the macro say the same, about everything syn knows.

use crate::constructs;
use ad_analysis::lower::fence::{self, Support};
use ad_analysis::read::Macros;
use ad_analysis::stdlib::{self, Role};
use ad_analysis::{differentiate, rules};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::{Item, ItemFn};

type Fence = &'static [(&'static str, Support)];

/// The section of the document, the file of syn and the enum that each list is about.
const LISTS: [(&str, &str, &str, Fence); 5] = [
    ("## Expressions", "expr.rs", "Expr", &fence::EXPRESSIONS),
    ("## Patterns", "pat.rs", "Pat", &fence::PATTERNS),
    ("## Statements", "stmt.rs", "Stmt", &fence::STATEMENTS),
    ("### Items inside of the function", "item.rs", "Item", &fence::ITEMS),
    ("## Parameters", "ty.rs", "Type", &fence::TYPES),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a member of the workspace")
}

fn document() -> String {
    let path = root().join("docs/language.md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text from a heading to the next one.
fn section(heading: &str) -> String {
    let text = document();
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with('#')).collect();
    assert!(!section.is_empty(), "the document has no section {heading:?}");
    section.join("\n")
}

/// The rows of the first table in a section, without its head.
fn table(heading: &str) -> Vec<Vec<String>> {
    let section = section(heading);
    let rows = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(cells).collect()
}

fn cells(row: &str) -> Vec<String> {
    const BAR: &str = "\u{0}";
    let row = row.replace("\\|", BAR);
    let inner = row.trim().trim_matches('|');
    inner.split('|').map(|cell| cell.trim().replace(BAR, "|")).collect()
}

/// The code in a cell, without the backticks around it.
fn code(cell: &str) -> Option<&str> {
    let inner = cell.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    assert_eq!(inner.is_none(), cell.is_empty(), "{cell:?} is no code");
    inner
}

/// Where the sources of the syn are that the library is built with.
fn syn_sources() -> PathBuf {
    let cargo = std::env::var("CARGO").expect("cargo runs the tests");
    let mut metadata = Command::new(cargo);
    // Packages for other platforms need not be there: what is missing is downloaded.
    let platform = host_platform();
    metadata.args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        &platform,
    ]);
    metadata.current_dir(root());
    let output = metadata.output().expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("metadata is UTF-8");
    // Paths in JSON have no quotes in them; the version that this test is compiled with is not known,
    // but two versions of one major number are never both there.
    let manifest = text.split('"').find(|part| {
        let folder = part.strip_suffix("/Cargo.toml").and_then(|path| path.rsplit('/').next());
        folder.is_some_and(|name| name.starts_with("syn-3."))
    });
    let manifest = manifest.expect("the library depends on syn 3");
    Path::new(manifest).with_file_name("src")
}

/// The platform that the compiler runs on.
fn host_platform() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc tells its version");
    let text = String::from_utf8(output.stdout).expect("its version is UTF-8");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc tells its platform").to_owned()
}

/// The names of the variants of an enum of syn, read from its sources: its enums are not exhaustive.
fn variants(file: &str, name: &str) -> BTreeSet<String> {
    let path = syn_sources().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let head = format!("pub enum {name} {{");
    let start = text.find(&head).unwrap_or_else(|| panic!("{} has no {head}", path.display()));
    let body = &text[start + head.len() - 1..];
    let mut depth = 0;
    let end = body.find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    let body = &body[..=end.expect("the enum ends")];
    let parsed: syn::ItemEnum =
        syn::parse_str(&format!("enum {name} {body}")).expect("it is an enum");
    parsed.variants.iter().map(|variant| variant.ident.to_string()).collect()
}

fn in_words(support: Support) -> &'static str {
    match support {
        Support::Active => "differentiated",
        Support::Partly(text) => text,
        Support::Passive => "kept as it is",
        Support::Refused => "refused",
    }
}

#[test]
fn fence_lists_what_syn_knows() {
    for (_, file, name, list) in LISTS {
        let listed: BTreeSet<String> = list.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(listed.len(), list.len(), "{name}: something is listed twice");
        assert_eq!(listed, variants(file, name), "{name}");
    }
}

#[test]
fn document_says_what_the_fence_says() {
    for (heading, _, name, list) in LISTS {
        let rows = table(heading);
        let documented: Vec<(&str, &str)> =
            rows.iter().map(|row| (row[0].trim_matches('`'), row[1].as_str())).collect();
        let fenced: Vec<(&str, &str)> =
            list.iter().map(|(name, support)| (*name, in_words(*support))).collect();
        assert_eq!(documented, fenced, "{name}");
    }
}

/// The function whose bodies the examples are, and the arguments of its attribute.
fn frame() -> (String, String) {
    let text = document();
    let block = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let (attribute, head) = block.expect("a frame").split_once('\n').expect("an attribute");
    let arguments = attribute.strip_prefix("#[adjoint(").and_then(|rest| rest.strip_suffix(")]"));
    let head = head.trim().strip_suffix("{}").expect("an empty body");
    (arguments.expect("arguments").to_owned(), head.to_owned())
}

/// What the macro has to say about a function: nothing if it accepts it.
fn messages(arguments: &str, function: &str) -> Vec<String> {
    let arguments: TokenStream = arguments.parse().expect("tokens");
    let item: Item = syn::parse_str(function).unwrap_or_else(|error| panic!("{function}: {error}"));
    // Macros of the function are expanded before.
    let item = Macros::default().expanded(&item);
    let Item::Fn(function) = item else { panic!("{function}: no function") };
    match differentiate(arguments, &function) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    }
}

fn assert_accepted(arguments: &str, function: &str) {
    assert_eq!(
        messages(arguments, function),
        Vec::<String>::new(),
        "#[adjoint({arguments})] {function}"
    );
}

fn assert_refused(arguments: &str, function: &str) {
    let messages = messages(arguments, function);
    assert!(!messages.is_empty(), "#[adjoint({arguments})] {function}: is accepted");
    let documented = documented_messages();
    for message in messages {
        let known = documented.iter().any(|pattern| matches(pattern, &message));
        assert!(known, "{function}: {message:?} is not in the document");
    }
}

/// Whether a message has the form of a pattern, in which `…` stands for anything.
fn matches(pattern: &str, message: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = message.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The messages in the document, in double backticks because there are backticks in them.
fn documented_messages() -> Vec<String> {
    let rows = table("## Messages");
    let messages = rows.iter().flat_map(|row| row[0].split("``").skip(1).step_by(2));
    messages.map(|message| message.trim().to_owned()).collect()
}

#[test]
fn examples_of_bodies_hold() {
    let (arguments, head) = frame();
    for (heading, ..) in &LISTS[..4] {
        for row in table(heading) {
            if let Some(body) = code(&row[2]) {
                assert_accepted(&arguments, &format!("{head} {{ {body} }}"));
            }
            if let Some(body) = code(&row[3]) {
                assert_refused(&arguments, &format!("{head} {{ {body} }}"));
            }
        }
    }
}

/// What is differentiated is never refused in the document's own words, and the other way round.
#[test]
fn examples_fit_what_becomes_of_the_construct() {
    for (heading, _, name, list) in LISTS {
        for (row, (variant, support)) in table(heading).iter().zip(list) {
            let (accepted, refused) = (!row[2].is_empty(), !row[3].is_empty());
            let fits = match support {
                Support::Active => !refused,
                Support::Refused => !accepted,
                Support::Partly(_) | Support::Passive => true,
            };
            assert!(fits, "{name}::{variant}");
        }
    }
}

/// The functions of a name in a file of the corpus, where they are annotated, or of the tests.
fn functions_of(path: &str) -> Vec<ItemFn> {
    let (file, name) = path.split_once("::").expect("a file and a function");
    let read = |folder: &str| std::fs::read_to_string(root().join(format!("{folder}/{file}.rs")));
    let corpus = read("corpus/functions").unwrap_or_default();
    let items = syn::parse_file(&corpus).expect("the corpus is Rust").items;
    let annotated = items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let is_annotated =
        |function: &ItemFn| function.attrs.iter().any(|a| a.path().is_ident("adjoint"));
    let tests: TokenStream = read("tests/it").unwrap_or_default().parse().expect("tokens");
    let all = annotated.filter(is_annotated).chain(constructs::functions(tests));
    all.filter(|function| function.sig.ident == name).collect()
}

/// Every construct is shown by a function that contains it, and its refusal by an example.
#[test]
fn constructs_are_shown() {
    let (arguments, head) = frame();
    let mut documented = BTreeSet::new();
    for row in table("## What numerical code is made of") {
        let [construct, support, section, shown, refused] = &row[..] else { panic!("{row:?}") };
        let heading = section.trim_start_matches('[').split(']').next().expect("a link");
        let is_there = document().lines().any(|line| {
            let title = line.trim_start_matches('#').trim().replace('`', "");
            line.starts_with('#') && title == heading
        });
        assert!(is_there, "{construct}: there is no section {heading:?}");
        if let Some(path) = code(shown) {
            let functions = functions_of(path);
            assert!(!functions.is_empty(), "{construct}: there is no {path}");
            let contains = |f: &ItemFn| constructs::constructs(f).contains(construct.as_str());
            assert!(functions.iter().any(contains), "{path} contains no {construct}");
        }
        if let Some(link) = refused.strip_prefix('[') {
            let (_, file) = link.split_once("](../").expect("a link");
            assert!(root().join(file.trim_end_matches(')')).exists(), "{file}");
        } else if let Some(body) = code(refused) {
            assert_refused(&arguments, &format!("{head} {{ {body} }}"));
        }
        let (accepts, refuses) =
            (!support.starts_with("refused"), !support.starts_with("supported"));
        assert_eq!((!shown.is_empty(), !refused.is_empty()), (accepts, refuses), "{construct}");
        documented.insert(construct.clone());
    }
    let folder = std::fs::read_dir(root().join("corpus/functions")).expect("the corpus is there");
    for entry in folder {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a text");
        for function in constructs::functions(text.parse().expect("tokens")) {
            for construct in constructs::constructs(&function) {
                assert!(documented.contains(construct), "{construct} is not in the document");
            }
        }
    }
}

#[test]
fn examples_of_parameters_hold() {
    for row in table("## Parameters") {
        let function = |ty: &str| format!("fn f(x: f64, q: {ty}) -> f64 {{ x * x }}");
        let is_listed = row[1].contains("passive(…)");
        if let Some(ty) = code(&row[2]) {
            assert_accepted(if is_listed { "passive(q)" } else { "" }, &function(ty));
        }
        if let Some(ty) = code(&row[3]) {
            assert_refused("", &function(ty));
        }
    }
}

#[test]
fn examples_of_options_hold() {
    let (_, head) = frame();
    let function = format!("{head} {{ m[0] = x; let y = g(x); h(x) * y }}");
    for row in table("## Options") {
        let passive = match row[0].as_str() {
            "`passive`" => ", independents(x)",
            // Partials say nothing of what is written.
            "`partials`" => ", passive(u, m)",
            _ => ", passive(u)",
        };
        let accepted = code(&row[1]).expect("an example");
        assert_accepted(&format!("{accepted}{passive}"), &function);
        let refused = code(&row[2]).expect("a counterexample");
        assert_refused(&format!("{refused}{passive}"), &function);
    }
}

/// The options that the macro itself lists are those of the document.
#[test]
fn document_lists_the_options() {
    let function: ItemFn = syn::parse_quote! { fn f(x: f64) -> f64 { x } };
    let arguments = "unknown".parse().expect("tokens");
    let errors = differentiate(arguments, &function).expect_err("there is no such option");
    let help = errors[0].help.strip_prefix("the options are ").expect("a list of options");
    let names = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned);
        words.filter(|word| !word.is_empty()).collect::<BTreeSet<_>>()
    };
    let rows = table("## Options");
    let documented: BTreeSet<String> = rows.iter().flat_map(|row| names(&row[0])).collect();
    // The values in the list of the macro are `…`, `g` and `path`.
    let placeholders = names("g path");
    let listed: BTreeSet<String> = names(help).difference(&placeholders).cloned().collect();
    assert_eq!(documented, listed);
}

/// What is in backticks in a section, outside of its tables.
fn names_in_text(heading: &str) -> BTreeSet<String> {
    let section = section(heading);
    let lines: Vec<&str> = section.lines().filter(|line| !line.starts_with('|')).collect();
    let text = lines.join(" ");
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn document_lists_the_methods_of_floats() {
    let documented = names_in_text("## Methods of floats");
    let operators = ["add", "sub", "mul", "div", "rem", "neg", "strong"];
    let methods =
        rules::RULES.iter().map(|rule| rule.name).filter(|name| !operators.contains(name));
    let methods = methods.chain(rules::TESTS).chain(rules::BITS);
    let methods = methods.chain(rules::UNSUPPORTED.map(|(name, _)| name)).chain([rules::PAIR.0]);
    let missing: Vec<&str> = methods.clone().filter(|name| !documented.contains(*name)).collect();
    assert!(missing.is_empty(), "not in the document: {missing:?}");
    let known: BTreeSet<&str> = methods.collect();
    let words =
        documented.iter().filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    let unknown: Vec<&String> = words.filter(|name| !known.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "not in the table of rules: {unknown:?}");
}

/// What the table of the standard library's methods says of iterators, `Option`s and lists.
#[test]
fn document_lists_the_methods_that_are_taken_apart() {
    let document = document();
    let roles = [
        Role::MakesIterator,
        Role::EndsOptional,
        Role::StepsOptional,
        Role::ChangesList,
        Role::Sorts(0),
        Role::Sorts(1),
        Role::Sorts(2),
    ];
    let words: BTreeSet<&str> =
        document.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for role in roles {
        let methods: Vec<&str> = stdlib::with(role).collect();
        assert!(!methods.is_empty(), "nothing is {role:?}");
        let missing: Vec<&&str> = methods.iter().filter(|name| !words.contains(**name)).collect();
        assert!(missing.is_empty(), "{role:?} and not in the document: {missing:?}");
    }
}

/// What is taken for a method of the standard library by its name is proved to be it, or is one of traits of the prelude that take the
/// value itself, which another trait cannot hide, and of characters.
#[test]
fn methods_that_are_known_are_proved() {
    let of_the_prelude = "max min map zip rev enumerate skip take step_by filter filter_map flat_map take_while skip_while map_while scan \
         chain sum product fold count last collect into_iter min_by max_by min_by_key max_by_key repeat_n cycle inspect by_ref";
    let of_text = "as_str as_bytes to_owned";
    let of_characters =
        "len_utf8 is_whitespace is_alphabetic is_alphanumeric is_ascii_digit is_numeric";
    let listed = [of_the_prelude, of_text, of_characters].map(str::split_whitespace);
    let listed: BTreeSet<&str> = listed.into_iter().flatten().collect();
    let runtime = std::fs::read_to_string(root().join("ad-runtime/src/named.rs")).expect("a file");
    let stand_ins: BTreeSet<&str> = runtime.split_whitespace().collect();
    for (method, roles) in stdlib::METHODS {
        let is_known = |role: &Role| !matches!(role, Role::NotOfUsers | Role::TypedByContext);
        let is_proved = stdlib::is_proved(method);
        assert!(
            is_proved || listed.contains(method) || !roles.iter().any(is_known),
            "nothing proves that `{method}` is the one of the standard library"
        );
        assert!(
            !is_proved || stand_ins.contains(method),
            "no method of the runtime stands for `{method}`"
        );
    }
}

/// The arguments of the macros in the document are cuts; those of others are not.
#[test]
fn document_lists_the_macros() {
    for name in names_in_text("## Macros").iter().filter(|name| *name != "vec!") {
        let given = if name == "matches!" { "y, 0.0.." } else { "y" };
        let function = format!("fn f(x: f64) -> f64 {{ let mut y = x * x; {name}({given}); y }}");
        assert_accepted("", &function);
    }
    assert_refused("", "fn f(x: f64) -> f64 { let mut y = x * x; dbg!(y); y }");
}

/// The messages of the macro that the ui tests see are in the document, and all of the document's
/// messages are seen.
#[test]
fn document_lists_the_messages() {
    let documented = documented_messages();
    let mut seen = BTreeSet::new();
    let folders = ["tests/ui", "tests/ui/src/bin"].map(|folder| root().join(folder));
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the ui tests are there"));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "stderr") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let lines: Vec<&str> = text.lines().collect();
        for (line, next) in lines.iter().zip(&lines[1..]) {
            // What comes from the macro says what to do; what comes from rustc does so elsewhere.
            let Some(message) = line.strip_prefix("error: ") else {
                continue;
            };
            if !next.trim_start().starts_with("help: ") {
                continue;
            }
            let patterns = documented.iter().filter(|pattern| matches(pattern, message));
            let patterns: Vec<String> = patterns.cloned().collect();
            assert!(!patterns.is_empty(), "{}: {message:?} is not in the document", path.display());
            seen.extend(patterns);
        }
    }
    let unseen: Vec<&String> =
        documented.iter().filter(|pattern| !seen.contains(*pattern)).collect();
    assert!(unseen.is_empty(), "no ui test shows {unseen:?}");
}
