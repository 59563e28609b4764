//! `docs/packs.md` says what there are rules for.

use ad_runtime::packs::glam::table;
use std::collections::BTreeMap;
use std::fs;

/// One row for each type, with its functions and operators.
fn documented() -> String {
    let mut types: BTreeMap<&str, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let mut order = Vec::new();
    for rule in table() {
        let (owner, function) = rule.signature.split_once("::").expect("a function of a type");
        let (functions, operators) = types.entry(owner).or_default();
        if !order.contains(&owner) {
            order.push(owner);
        }
        let (name, rest) = function.split_once('(').expect("it has arguments");
        match rule.is_operator {
            false => functions.push(format!("`{name}`")),
            true => {
                let args = rest.split_once(')').expect("and they end").0;
                let right = args.split_once(": ").map(|(_, right)| right);
                let symbol = match name {
                    "Add" => "+",
                    "Sub" | "Neg" => "-",
                    "Mul" => "*",
                    "Div" => "/",
                    "Rem" => "%",
                    other => panic!("`{other}` is no operator"),
                };
                operators.push(match right {
                    Some(right) => format!("`{owner} {symbol} {right}`"),
                    None => format!("`{symbol}{owner}`"),
                });
            }
        }
    }
    let mut text = String::new();
    for owner in order {
        let (functions, operators) = &types[owner];
        text += &format!("| `{owner}` | {} | {} |\n", operators.join(", "), functions.join(", "));
    }
    text
}

/// With `UPDATE_DOCS=1` the table is written.
#[test]
fn the_table_is_what_there_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/packs.md");
    let text = fs::read_to_string(path).expect("the page is there");
    let (before, rest) = text.split_once("<!-- glam -->\n").expect("the table begins");
    let (old, after) = rest.split_once("<!-- end -->").expect("the table ends");
    let head = "| type | operators | functions |\n| --- | --- | --- |\n";
    let table = format!("{head}{}", documented());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, format!("{before}<!-- glam -->\n{table}<!-- end -->{after}"))
            .expect("it is written");
    } else {
        assert_eq!(old, table, "run the test with `UPDATE_DOCS=1`");
    }
}
