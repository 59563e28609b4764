//! The names in a format string.

/// The variables that a format string names: `x`, `w` and `p` in `"{x:w$.p$}"`.
pub fn names_in(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            rest = after;
            continue;
        }
        let (argument, after) = rest.split_once('}').unwrap_or((rest, ""));
        let (name, format) = argument.split_once(':').unwrap_or((argument, ""));
        names.push(name.trim());
        let parameters = format.split('$').collect::<Vec<_>>();
        let before_dollars = &parameters[..parameters.len() - 1];
        names.extend(before_dollars.iter().map(|part| last_word(part)));
        rest = after;
    }
    let is_name = |name: &&str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found: Vec<String> = Vec::new();
    for name in names.into_iter().filter(is_name) {
        if found.iter().all(|known| known != name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// The word at the end of a text.
fn last_word(text: &str) -> &str {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = text
        .rfind(|c| !is_in_word(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn arguments_widths_and_precisions() {
        assert_eq!(names_in("a {x} {{y}} {} {0} {z:?} {:>w$.p$} {x:+.3}"), ["x", "z", "w", "p"]);
        assert_eq!(names_in("{:0>width$} {:.*} {:1$}"), ["width"]);
        assert_eq!(names_in("変数 {変数:é<幅$} {"), ["変数", "幅"]);
        assert!(names_in("no names }{").is_empty());
    }
}
