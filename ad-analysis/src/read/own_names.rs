//! The names that the right side of a rule of a macro has of its own. rustc tells variables and labels among them from those of the caller
//! that are spelled alike.

use super::format_strings::names_in;
use super::library::is_library_macro;
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// What the right side of a rule mentions of its own, and may be variables and labels.
pub(super) struct OwnNames {
    /// Those that it may bind by itself.
    pub(super) bound: BTreeSet<String>,
    /// Those that it does not bind, as far as is seen.
    pub(super) free: BTreeSet<String>,
    /// Names in texts, as in `"{x}"`.
    pub(super) in_texts: BTreeSet<String>,
    pub(super) has_labels: bool,
    /// Whether something in it may bind names in a way that is not seen: an arm of a `match`, another macro.
    pub(super) may_bind_more: bool,
    /// How many calls of macros are around the present place: these may make anything of what looks like an attribute.
    calls_around: usize,
}

impl OwnNames {
    pub(super) fn of(transcriber: &[TokenTree]) -> Self {
        let mut names = Self {
            bound: bound_names(transcriber),
            free: BTreeSet::new(),
            in_texts: BTreeSet::new(),
            has_labels: false,
            may_bind_more: false,
            calls_around: 0,
        };
        names.find(transcriber);
        names.free = names.free.difference(&names.bound).cloned().collect();
        names
    }

    fn find(&mut self, tokens: &[TokenTree]) {
        let is_punct = |token: Option<&TokenTree>, what: char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == what);
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_called = is_punct(tokens.get(at + 1), '!')
                && matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
            match token {
                TokenTree::Ident(_) if is_punct(before, '\'') => self.has_labels = true,
                TokenTree::Ident(_) if is_behind_point(&tokens[..at]) || is_punct(before, '$') => {}
                TokenTree::Ident(name) if is_called => {
                    self.may_bind_more |= !is_library_macro(&name.to_string());
                }
                TokenTree::Ident(word) if is_keyword(&word.to_string()) => {}
                TokenTree::Ident(word) => {
                    self.free.insert(word.to_string());
                }
                // Attributes mention no variables.
                TokenTree::Group(group)
                    if is_punct(before, '#') && is_bracketed(group) && self.calls_around == 0 => {}
                TokenTree::Group(group) => {
                    let calls = usize::from(is_punct(before, '!'));
                    self.calls_around += calls;
                    self.find(&group.stream().into_iter().collect::<Vec<_>>());
                    self.calls_around -= calls;
                }
                TokenTree::Literal(text) => self.in_texts.extend(names_in(&text.to_string())),
                TokenTree::Punct(arrow) => {
                    self.may_bind_more |= arrow.as_char() == '>' && is_punct(before, '=');
                }
            }
        }
    }
}

/// Whether a name behind these tokens is that of a field or a method: behind a point, and not behind `..`.
pub(super) fn is_behind_point(before: &[TokenTree]) -> bool {
    let is_point = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '.');
    let mut backwards = before.iter().rev();
    is_point(backwards.next()) && !is_point(backwards.next())
}

fn is_bracketed(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}

/// Whether a word is one of the language, as far as no variable can be called so. `self` is one.
fn is_keyword(word: &str) -> bool {
    word != "self" && !word.starts_with("r#") && syn::parse_str::<Ident>(word).is_err()
}

/// All words of tokens, and those in texts.
pub(crate) fn words_in(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                words.insert(word.to_string());
            }
            TokenTree::Group(group) => words_in(group.stream(), words),
            TokenTree::Literal(text) => words.extend(names_in(&text.to_string())),
            TokenTree::Punct(_) => {}
        }
    }
}

/// The names that the right side of a rule may bind by itself: those after `let`, `for`, `mut`, `ref` and `|`, in patterns of any
/// kind. rustc tells such variables from those of the caller that are spelled alike. A name too many does no harm, as long as it
/// is one of a variable: what is called or stands in a path keeps its name.
fn bound_names(tokens: &[TokenTree]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_pattern = false;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let is_variable =
            at > 0 && matches!(&tokens[at - 1], TokenTree::Punct(punct) if punct.as_char() == '$');
        match token {
            TokenTree::Ident(word) if word == "let" || word == "for" => is_pattern = true,
            TokenTree::Ident(word) if word == "in" || word == "else" => is_pattern = false,
            TokenTree::Ident(word) if is_pattern && !is_variable && is_name(word, next) => {
                names.insert(word.to_string());
            }
            TokenTree::Punct(punct) if ":=;".contains(punct.as_char()) => is_pattern = false,
            // The parameters of a closure begin and end with it.
            TokenTree::Punct(punct) if punct.as_char() == '|' => is_pattern = !is_pattern,
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                if is_pattern {
                    let start = TokenTree::Ident(Ident::new("let", Span::call_site()));
                    names.extend(bound_names(&[&[start], &inner[..]].concat()));
                } else {
                    names.extend(bound_names(&inner));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    names
}

/// Whether a word in a pattern is a name that it binds, by the conventions of the language.
fn is_name(word: &Ident, next: Option<&TokenTree>) -> bool {
    let text = word.to_string();
    let is_keyword = ["mut", "ref", "_", "if", "box", "true", "false"].contains(&text.as_str());
    let is_path = match next {
        Some(TokenTree::Punct(punct)) => {
            punct.as_char() == ':' && punct.spacing() == Spacing::Joint
        }
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::None,
        Some(TokenTree::Ident(_) | TokenTree::Literal(_)) | None => false,
    };
    !is_keyword && !is_path && text.starts_with(|c: char| c.is_lowercase() || c == '_')
}
