//! All rules are right.

use ad_runtime::packs::nalgebra::table;

#[test]
fn all_rules_are_right() {
    let mut wrong = Vec::new();
    for rule in table() {
        let outcomes = (0..20).map(rule.check);
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
