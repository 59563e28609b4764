//! What is asked of the rules of each crate: that they are right, and that `docs/packs.md` says what there are rules for.

use ad_runtime::rules::check::Checked;
use std::collections::BTreeMap;
use std::fs;

/// One row for each type, with its functions and operators.
fn documented(rules: &[Checked]) -> String {
    let mut types: BTreeMap<&str, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let mut order = Vec::new();
    for rule in rules {
        let (owner, function) = rule.signature.split_once("::").expect("a function of a type");
        let (functions, operators) = types.entry(owner).or_default();
        if !order.contains(&owner) {
            order.push(owner);
        }
        let (name, rest) = function.split_once('(').expect("it has arguments");
        let (list, text) = match rule.is_operator {
            // Generated code has methods for these.
            false if name.starts_with("__index_") => (functions, index(name)),
            false => (functions, format!("`{name}`")),
            true => {
                let args = rest.split_once(')').expect("and they end").0;
                let right = args.split_once(": ").map(|(_, right)| right.trim_start_matches('&'));
                let symbol = match name {
                    "Add" => "+",
                    "Sub" | "Neg" => "-",
                    "Mul" => "*",
                    "Div" => "/",
                    "Rem" => "%",
                    other => panic!("`{other}` is no operator"),
                };
                let text = match right {
                    Some(right) => format!("`{owner} {symbol} {right}`"),
                    None => format!("`{symbol}{owner}`"),
                };
                (operators, text)
            }
        };
        // Rules of types with parameters are checked for several of them.
        if !list.contains(&text) {
            list.push(text);
        }
    }
    let mut text = String::new();
    for owner in order {
        let (functions, operators) = &types[owner];
        text += &format!("| `{owner}` | {} | {} |\n", operators.join(", "), functions.join(", "));
    }
    text
}

/// What an index goes by: that of `__index_array_usize_2` by `[i, j]`.
fn index(name: &str) -> String {
    let len_of_array = name.rsplit('_').next().and_then(|last| last.parse().ok());
    let names = |count: usize| ["i", "j", "k"][..count].join(", ");
    match len_of_array {
        Some(len) => format!("indices by `[{}]`", names(len)),
        None => format!("indices by `({})`", names(name.matches("usize").count())),
    }
}

/// Compares the table of a crate with the page. With `UPDATE_DOCS=1` it is written.
pub fn the_table_is_what_there_is(name: &str, rules: &[Checked]) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/packs.md");
    let text = fs::read_to_string(path).expect("the page is there");
    let begin = format!("<!-- {name} -->\n");
    let (before, rest) = text.split_once(&begin).expect("the table begins");
    let (old, after) = rest.split_once("<!-- end -->").expect("the table ends");
    let head = "| type | operators | functions |\n| --- | --- | --- |\n";
    let table = format!("{head}{}", documented(rules));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, format!("{before}{begin}{table}<!-- end -->{after}"))
            .expect("it is written");
    } else {
        assert_eq!(old, table, "run the test with `UPDATE_DOCS=1`");
    }
}

/// Checks all rules at so many points of their own.
pub fn all_are_right(rules: &[Checked], points: u64) {
    let mut wrong = Vec::new();
    for rule in rules {
        let outcomes = (0..points).map(rule.check);
        let (mut tried, mut error) = (0, None);
        for outcome in outcomes {
            match outcome {
                Ok(is_tried) => tried += usize::from(is_tried),
                Err(message) => error = Some(message),
            }
        }
        match error {
            Some(error) => wrong.push(format!("{}: {error}", rule.signature)),
            None if tried < 5 => wrong.push(format!("{}: {tried} points of use", rule.signature)),
            None => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
