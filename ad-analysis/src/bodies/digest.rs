//! A number that tells bodies apart.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The hash of FNV-1a with 128 bits, the same wherever it is computed.
pub(super) struct Digest(u128);

impl Digest {
    pub(super) fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    pub(super) fn add(&mut self, text: &str) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        // What ends is told from what goes on.
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds tokens: neither where they stand nor the space between them matters, but for signs that belong together.
    pub(super) fn add_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.add(open);
                    self.add_tokens(group.stream());
                    self.add(close);
                }
                TokenTree::Punct(punct) => {
                    let is_followed = matches!(tokens.get(at + 1), Some(TokenTree::Punct(_)));
                    let is_joint = is_followed && punct.spacing() == Spacing::Joint;
                    self.add(&format!("{}{}", punct.as_char(), if is_joint { "+" } else { "" }));
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) => self.add(&token.to_string()),
            }
        }
    }

    pub(super) fn value(&self) -> u128 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    fn of(text: &str) -> u128 {
        let mut digest = Digest::new();
        digest.add_tokens(text.parse().expect("tokens"));
        digest.value()
    }

    #[test]
    fn what_means_the_same_has_one_number() {
        assert_eq!(
            of("fn f(x: f64) -> f64 { x + 1.0 }"),
            of("fn f ( x:f64 )->f64{ x+1.0 } // text")
        );
        for other in ["a && b", "a & &b", "a & b", "a &(&b)", "ab", "a", "a & -b"] {
            assert_eq!(of(other) == of("a & &b"), other == "a & &b", "{other}");
        }
    }
}
