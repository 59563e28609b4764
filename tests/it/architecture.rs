//! The order of the modules of the compiler, and the size of the files.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each module uses only what stands before it: the IR knows no analysis, the analyses do not know how
/// the IR came about or what becomes of it.
const ORDER: [&str; 37] = [
    "index",
    "diag",
    // Walks over syntax trees.
    "walk",
    // What parts of enums are called.
    "payloads",
    // What the methods of the standard library are.
    "stdlib",
    // What signatures say of references.
    "signatures",
    // Methods that return references.
    "getters",
    // The files around the item: plain text.
    "context",
    // What those of the crate `libm` are.
    "libm",
    // What only the original tokens tell.
    "read",
    // Bodies of functions in other files, and what they mean there.
    "bodies",
    // The derive has nothing to do with functions.
    "derive",
    // Nor have rules for types of other crates, which are found by numbers as fields are.
    "packs",
    "types",
    "ir",
    // What tells the types of numbers that the tokens do not tell.
    "numbers",
    "rules",
    // Bodies in place of calls, before anything is found out about them.
    "inline",
    "effects",
    "flow",
    // Floats that are made of the bits of floats.
    "bits",
    "dataflow",
    // Makes the control of the primal explicit, once for all analyses.
    "reify",
    "analyses",
    "diff",
    "simplify",
    "fuse",
    // The last that is done to backward sweeps.
    "windows",
    // Names of optimisations are names of analyses.
    "options",
    "prove",
    // The signature, as emission repeats it.
    "interface",
    "emit",
    "lower",
    // What the analyses of what was lowered stand in the way of.
    "refusals",
    // Loops that become functions, from what is known of a function with ordinary ones.
    "outline",
    "pipeline",
    "lib",
];

/// The front end stands late in the order since it knows the options; apart from them it knows the
/// language of the IR only, neither analyses nor derivatives nor emission.
const LOWER_USES: [&str; 15] = [
    "bodies",
    "diag",
    "getters",
    "index",
    "interface",
    "ir",
    "libm",
    "options",
    "payloads",
    "read",
    "rules",
    "signatures",
    "stdlib",
    "types",
    "walk",
];

/// The modules that know the syntax of Rust: what comes in (`read`, `lower`, `options`, `pipeline`), what is
/// said about it (`diag`), structs (`derive`), what is said by signatures (`signatures`) and repeated of them (`emit`), loops that become functions
/// (`outline`), the textual IR (`ir`), rules for types of other crates (`packs`), and walks over trees (`walk`).
const KNOW_SYN: [&str; 15] = [
    "bodies",
    "context",
    "derive",
    "diag",
    "emit",
    "getters",
    "ir",
    "lower",
    "options",
    "outline",
    "packs",
    "pipeline",
    "read",
    "signatures",
    "walk",
];

/// The modules that make Rust code: `emit`, `derive`, `lower` where it keeps code as it is,
/// `outline` where that becomes a function, and `packs`.
const MAKE_CODE: [&str; 7] = ["bodies", "derive", "emit", "lower", "outline", "packs", "read"];

const LONGEST: usize = 650;

/// What attempts of the lowering need not restore: what they cannot write, what the signature alone writes, and names that
/// were handed out.
const NOT_RESTORED: [&str; 9] = [
    "annotated",
    "calls",
    "called",
    "names_are_unique",
    "options",
    "globals",
    "carrier",
    "float_params",
    "type_params",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a member of the workspace")
}

/// All Rust files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a file mentions, outside of comments.
#[derive(Default)]
struct Mentions {
    /// Modules of the crate: `x` of `crate::x` and of `crate::{x, …}`.
    modules: BTreeSet<String>,
    /// The first names of paths, and macros with their exclamation marks.
    names: BTreeSet<String>,
}

impl Mentions {
    fn collect(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == c);
        let is_path = |at: usize| is(at, ':') && is(at + 1, ':');
        for (at, token) in tokens.iter().enumerate() {
            match token {
                // `$crate` in a macro is the crate, too.
                TokenTree::Ident(ident) if ident == "crate" && is_path(at + 1) => {
                    match tokens.get(at + 3) {
                        Some(TokenTree::Ident(module)) => {
                            self.modules.insert(module.to_string());
                        }
                        Some(TokenTree::Group(group)) => self.collect_list(group.stream()),
                        _ => {}
                    }
                }
                TokenTree::Ident(ident) => {
                    let is_first = at < 2 || !is_path(at - 2);
                    if is_first && is_path(at + 1) {
                        self.names.insert(ident.to_string());
                    }
                    if is(at + 1, '!') {
                        self.names.insert(format!("{ident}!"));
                    }
                }
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// The modules in `crate::{a::X, b}`.
    fn collect_list(&mut self, list: TokenStream) {
        let mut starts = true;
        for token in list {
            if let (true, TokenTree::Ident(module)) = (starts, &token) {
                self.modules.insert(module.to_string());
            }
            starts = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        }
    }
}

/// What each module of the compiler mentions.
fn modules() -> BTreeMap<String, Mentions> {
    let source = root().join("ad-analysis/src");
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let mut modules: BTreeMap<String, Mentions> = BTreeMap::new();
    for path in paths {
        let relative = path.strip_prefix(&source).expect("the file is in the folder");
        let first = relative.components().next().expect("a name");
        let first = Path::new(first.as_os_str()).file_stem().expect("a name");
        let tokens =
            read(&path).parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        modules.entry(first.to_string_lossy().into_owned()).or_default().collect(tokens);
    }
    modules
}

#[test]
fn modules_use_what_stands_before_them() {
    let modules = modules();
    let position = |name: &str| ORDER.iter().position(|module| *module == name);
    let mut wrong = Vec::new();
    let mut uses = 0;
    for (module, mentions) in &modules {
        let Some(own) = position(module) else {
            wrong.push(format!("`{module}` has no place in the order"));
            continue;
        };
        // What is in the list of modules of the crate; the rest are items that `lib.rs` re-exports.
        for other in mentions.modules.iter().filter(|other| modules.contains_key(*other)) {
            uses += 1;
            if position(other).is_some_and(|other| other > own) {
                wrong.push(format!("`{module}` uses `{other}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(uses > 40, "only {uses} uses have been found");
}

#[test]
fn lowering_knows_neither_analyses_nor_derivatives() {
    let modules = modules();
    let used: BTreeSet<&str> = modules["lower"].modules.iter().map(String::as_str).collect();
    let used: BTreeSet<&str> = used.into_iter().filter(|used| ORDER.contains(used)).collect();
    assert_eq!(used, BTreeSet::from(LOWER_USES));
}

/// The modules that mention one of some names.
fn mentioning(modules: &BTreeMap<String, Mentions>, names: &[&str]) -> BTreeSet<String> {
    let mentions = modules
        .iter()
        .filter(|(_, mentions)| names.iter().any(|name| mentions.names.contains(*name)));
    mentions.map(|(module, _)| module.clone()).collect()
}

#[test]
fn few_modules_know_rust() {
    let modules = modules();
    let expected =
        |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(mentioning(&modules, &["syn"]), expected(&KNOW_SYN));
    let quoting = mentioning(&modules, &["quote!", "quote_spanned!", "format_ident!"]);
    assert_eq!(quoting, expected(&MAKE_CODE));
}

#[test]
fn what_was_tried_is_undone_in_one_place() {
    let lower = root().join("ad-analysis/src/lower");
    let mut paths = Vec::new();
    files(&lower, &mut paths);
    let by_hand = |path: &PathBuf| {
        let text = read(path);
        !path.ends_with("attempt.rs")
            && ["out.truncate(", "out.clear(", "out.pop("].iter().any(|undo| text.contains(undo))
    };
    let by_hand: Vec<&PathBuf> = paths.iter().filter(|path| by_hand(path)).collect();
    assert!(by_hand.is_empty(), "what an attempt leaves is undone by `attempt`: {by_hand:?}");
    // Whatever the lowerer has is restored, or of a kind that need not be.
    let (fields, attempt) = (read(&lower.join("mod.rs")), read(&lower.join("attempt.rs")));
    let fields = fields.split_once("struct Lowerer<'a> {").expect("the lowerer").1;
    let fields = fields.split_once("\n}").expect("its end").0;
    let fields = fields.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names: Vec<&str> =
        fields.filter_map(|line| line.trim().split_once(": ")).map(|it| it.0).collect();
    assert!(names.len() > 20, "{names:?}");
    let is_restored = |name: &&&str| {
        attempt.contains(&format!("\n    {name}: ")) || attempt.contains(&format!("lowerer.{name}"))
    };
    let forgotten: Vec<&&str> = names.iter().filter(|name| !is_restored(name)).collect();
    assert_eq!(forgotten, NOT_RESTORED.iter().collect::<Vec<_>>());
}

#[test]
fn files_are_short() {
    let mut paths = Vec::new();
    for folder in ["src", "ad-analysis/src", "ad-macros/src", "ad-runtime/src", "optim/src"] {
        files(&root().join(folder), &mut paths);
    }
    let mut long = BTreeSet::new();
    let mut macros = 0;
    for path in paths {
        let lines = read(&path).lines().count();
        let relative =
            path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        if relative.starts_with("ad-macros/") {
            macros += lines;
        }
        if lines > LONGEST {
            long.insert(relative);
        }
    }
    assert!(long.is_empty(), "files over {LONGEST} lines: {long:?}");
    assert!(macros < 150, "ad-macros has no logic, and now {macros} lines");
}
