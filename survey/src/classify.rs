//! Whose words an error is in.

use crate::cargo::Diagnostic;
use serde::{Deserialize, Serialize};

/// What becomes of an annotated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    Compiled,
    /// It compiles, and has no derivatives of its own: it takes functions, and is lowered in place of its calls.
    InPlace,
    /// The macro refuses it, at a token of the user.
    Macro,
    /// A trait refuses it, in words of ours.
    Trait,
    /// rustc finds an error in generated code.
    Generated,
    /// The macro panics.
    Panicked,
    /// It is not there in this configuration.
    Absent,
}

/// The texts with which the runtime's traits explain that they are not implemented, each in the pieces between what differs.
pub struct Words(Vec<Vec<String>>);

impl Words {
    /// Reads them out of source code.
    pub fn of_sources<'s>(sources: impl IntoIterator<Item = &'s str>) -> Self {
        let mut texts = Vec::new();
        for source in sources {
            for line in source.lines() {
                let Some(rest) = line.trim().strip_prefix("message = \"") else { continue };
                let text = rest.trim_end_matches(',').trim_end_matches('"');
                texts.push(fixed_pieces(text));
            }
        }
        Self(texts)
    }

    /// Is this one of these texts?
    pub fn contain(&self, message: &str) -> bool {
        self.0.iter().any(|pieces| {
            let mut rest = message;
            pieces.iter().all(|piece| match rest.find(piece.as_str()) {
                Some(at) => {
                    rest = &rest[at + piece.len()..];
                    true
                }
                None => false,
            })
        })
    }

    pub fn outcome(&self, error: &Diagnostic) -> Outcome {
        let panicked = error.message.contains("attribute panicked")
            || error.message.contains("derive macro panicked")
            || error.message.contains("macro panicked");
        match error.code.as_deref() {
            _ if panicked => Outcome::Panicked,
            None => Outcome::Macro,
            Some(_) if self.contain(&error.message) => Outcome::Trait,
            // What constants of generated code prove.
            Some("E0080") if error.message.contains("panicked: ") => Outcome::Trait,
            Some(_) => Outcome::Generated,
        }
    }
}

fn fixed_pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for (position, piece) in text.split('{').enumerate() {
        let piece = match position {
            0 => piece,
            _ => piece.split_once('}').map_or("", |(_, rest)| rest),
        };
        if piece.len() > 2 {
            pieces.push(piece.to_string());
        }
    }
    pieces
}

/// The message without what differs from one function to the next: what is in backticks, unless it is of the language.
pub fn reason(error: &Diagnostic) -> String {
    let mut text = String::new();
    for (position, piece) in error.message.split('`').enumerate() {
        match position % 2 {
            0 => text.push_str(piece),
            _ if of_the_language(piece) => text.push_str(&format!("`{piece}`")),
            _ => text.push_str("`…`"),
        }
    }
    let text = text.lines().next().unwrap_or_default().trim().to_string();
    match &error.code {
        Some(code) => format!("{code}: {text}"),
        None => text,
    }
}

fn of_the_language(word: &str) -> bool {
    const WORDS: [&str; 47] = [
        "#[cfg]",
        "const",
        "async",
        "unsafe",
        "&mut",
        "match",
        "if let",
        "let",
        "while",
        "for",
        "return",
        "break",
        "continue",
        "?",
        "Option",
        "Result",
        "Differentiable",
        "passive(…)",
        "independents(…)",
        "dependents(…)",
        "impl",
        "enum",
        "struct",
        "static",
        "rev",
        "step_by",
        "#[passive]",
        "Clone",
        "Copy",
        "to_bits",
        "from_bits",
        "self",
        "&mut self",
        "&self",
        "unwrap",
        "map",
        "sum",
        "collect",
        "iter",
        "zip",
        "fold",
        "clone",
        "into",
        "push",
        "Default",
        "as",
        "#[adjoint]",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: Option<&str>, message: &str) -> Diagnostic {
        Diagnostic {
            code: code.map(ToString::to_string),
            message: message.to_string(),
            places: Vec::new(),
        }
    }

    #[test]
    fn whose_words() {
        let words = Words::of_sources([
            "    message = \"`{Self}` has no derivative\",\n    label = \"x\"",
            "message = \"the function called here has no adjoint\",",
        ]);
        let outcome = |code, message| words.outcome(&error(code, message));
        assert_eq!(outcome(None, "nothing to differentiate"), Outcome::Macro);
        assert_eq!(outcome(None, "custom attribute panicked"), Outcome::Panicked);
        assert_eq!(outcome(Some("E0277"), "`Foo<T>` has no derivative"), Outcome::Trait);
        assert_eq!(
            outcome(Some("E0277"), "the function called here has no adjoint"),
            Outcome::Trait
        );
        assert_eq!(outcome(Some("E0277"), "`Foo` doesn't implement `Debug`"), Outcome::Generated);
        assert_eq!(outcome(Some("E0080"), "evaluation panicked: this is a float"), Outcome::Trait);
        assert_eq!(outcome(Some("E0382"), "use of moved value: `p`"), Outcome::Generated);
    }

    #[test]
    fn reasons_leave_names_out() {
        assert_eq!(
            reason(&error(Some("E0382"), "use of moved value: `p`")),
            "E0382: use of moved value: `…`"
        );
        assert_eq!(reason(&error(None, "a `return` out of code")), "a `return` out of code");
    }
}
