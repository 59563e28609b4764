//! The annotated item as it was written, less the attributes that only this macro understands. Its tokens are passed on
//! as they came in: what rustc knows of the fragments of a macro, no syntax tree does. It knows no more where tokens are put
//! together anew, so that happens only where an attribute goes, with parentheses in place of what rustc knew.

use crate::outline::mentions;
use crate::read::{REQUESTS, parenthesised};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

/// What is added to a module, and to those in it by their names.
#[derive(Default)]
pub(super) struct Additions {
    pub(super) items: TokenStream,
    pub(super) modules: BTreeMap<String, Additions>,
}

/// Code without the requests in it.
pub(super) fn code(tokens: TokenStream) -> TokenStream {
    changed_code(&tokens, Delimiter::None).unwrap_or(tokens)
}

/// An `impl` block, or a trait, without the requests in it, and without the attributes on its functions, and with what is added to it.
pub(super) fn block(tokens: TokenStream, additions: TokenStream) -> TokenStream {
    in_body(tokens, |inside| {
        let items = items_of(inside).into_iter();
        let tokens = items.flat_map(|item| item.stripped(&Additions::default()));
        tokens.map(as_operand).chain(additions).collect()
    })
}

/// A trait with one more supertrait, if there is one.
pub(super) fn with_supertrait(tokens: TokenStream, supertrait: TokenStream) -> TokenStream {
    if supertrait.is_empty() {
        return tokens;
    }
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let keyword = tokens.iter().position(|token| is_word(token, "trait"));
    let behind_name = keyword.expect("it is a trait") + 2;
    let at = behind_name + length_of_generics(&tokens[behind_name..]);
    let has_others =
        matches!(tokens.get(at), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
    let punct = |of: char| TokenTree::Punct(Punct::new(of, Spacing::Alone));
    let (at, mut added) = (at + usize::from(has_others), Vec::from_iter(supertrait));
    match has_others {
        true => added.push(punct('+')),
        false => added.insert(0, punct(':')),
    }
    tokens.splice(at..at, added);
    tokens.into_iter().collect()
}

/// How many tokens generic parameters in angle brackets are, at the beginning.
fn length_of_generics(tokens: &[TokenTree]) -> usize {
    let (mut depth, mut before) = (0_usize, ' ');
    for (position, token) in tokens.iter().enumerate() {
        let sign = match token {
            TokenTree::Punct(punct) => punct.as_char(),
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => ' ',
        };
        match sign {
            '<' => depth += 1,
            // What a function returns is behind an arrow.
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if sign == '>' { position + 1 } else { 0 };
        }
        before = sign;
    }
    0
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// A module without them, and with what is added to it.
pub(super) fn module(tokens: TokenStream, additions: &Additions) -> TokenStream {
    in_body(tokens, |inside| {
        let items = items_of(inside).into_iter().flat_map(|item| {
            if item.is_conditional() { item.whole() } else { item.stripped(additions) }
        });
        items.map(as_operand).chain(additions.items.clone()).collect()
    })
}

/// Changes what is in the braces at the end.
fn in_body(tokens: TokenStream, change: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut() {
        *body = regrouped(body, change(body.stream()));
    }
    tokens.into_iter().collect()
}

fn regrouped(group: &Group, inside: TokenStream) -> Group {
    let mut new = Group::new(group.delimiter(), inside);
    new.set_span(group.span());
    new
}

/// A span in the code of this macro: what stands there has no lints. Without the request in front of them, braces may be of no use, which
/// they are with it.
fn of_macro(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// The code between such delimiters without the requests in it, if there are some.
fn changed_code(tokens: &TokenStream, between: Delimiter) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let (mut out, mut has_changed, mut at) = (Vec::new(), false, 0);
    // The block that a request is about.
    let mut requested = None;
    while at < tokens.len() {
        let attributes = attributes_at(&tokens[at..]);
        if !attributes.is_empty() {
            let next = at + 2 * attributes.len();
            if attributes.iter().any(|(attr, _)| is_request(attr)) {
                (has_changed, requested) = (true, Some(next));
            }
            if begins_statement(&tokens[..at], between) && begins_loop(&tokens[next..]) {
                out.extend(attributes.iter().flat_map(|(attr, _)| mentions(attr)));
            }
            let kept = attributes.into_iter().filter(|(attr, _)| !is_request(attr));
            out.extend(kept.flat_map(|(_, tokens)| tokens));
            at = next;
            continue;
        }
        let mut token = tokens[at].clone();
        if let TokenTree::Group(group) = &mut token
            && !follows_macro(&tokens[..at])
            && let Some(inside) = changed_code(&group.stream(), group.delimiter())
        {
            *group = regrouped(group, inside);
            has_changed = true;
        }
        if let TokenTree::Group(group) = &mut token
            && group.delimiter() == Delimiter::Brace
            && requested == Some(at)
        {
            group.set_span(of_macro(group.span()));
        }
        out.push(token);
        at += 1;
    }
    has_changed.then(|| out.into_iter().map(as_operand).collect())
}

/// A fragment of a macro where rustc will not know that it was one.
fn as_operand(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let whole = parenthesised(TokenTree::Group(group.clone()).into());
            whole.into_iter().next().unwrap_or(TokenTree::Group(group))
        }
        token => token,
    }
}

/// The attributes at the beginning of tokens, each of two tokens.
fn attributes_at(tokens: &[TokenTree]) -> Vec<(Attribute, [TokenTree; 2])> {
    let mut found = Vec::new();
    for pair in tokens.chunks_exact(2) {
        let [hash @ TokenTree::Punct(punct), brackets @ TokenTree::Group(group)] = pair else {
            break;
        };
        if punct.as_char() != '#' || group.delimiter() != Delimiter::Bracket {
            break;
        }
        let tokens = [hash.clone(), brackets.clone()];
        let stream: TokenStream = tokens.iter().cloned().collect();
        let Some(attribute) =
            Attribute::parse_outer.parse2(stream).ok().and_then(|mut all| all.pop())
        else {
            break;
        };
        found.push((attribute, tokens));
    }
    found
}

/// Whether an attribute has one of these names.
fn is_called(attr: &Attribute, names: &[&str]) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// Whether only this macro understands an attribute: a request, also under a condition.
fn is_request(attr: &Attribute) -> bool {
    if !attr.path().is_ident("cfg_attr") {
        return is_called(attr, &REQUESTS);
    }
    let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else {
        return false;
    };
    let mut attributes = metas.iter().skip(1).peekable();
    let is_request = |meta: &Meta| REQUESTS.iter().any(|name| meta.path().is_ident(name));
    attributes.peek().is_some() && attributes.all(is_request)
}

/// Whether a statement begins after these tokens, which stand between such delimiters.
fn begins_statement(before: &[TokenTree], between: Delimiter) -> bool {
    between == Delimiter::Brace
        && match before.last() {
            None => true,
            Some(TokenTree::Punct(last)) => last.as_char() == ';',
            Some(TokenTree::Group(last)) => last.delimiter() == Delimiter::Brace,
            Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => false,
        }
}

fn begins_loop(tokens: &[TokenTree]) -> bool {
    match tokens.first() {
        Some(TokenTree::Ident(first)) => ["for", "while", "loop"].iter().any(|word| first == word),
        Some(TokenTree::Punct(first)) => first.as_char() == '\'',
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) | None => false,
    }
}

/// Whether what comes next is that of a macro: what is in it means what the macro makes of it.
fn follows_macro(before: &[TokenTree]) -> bool {
    let before = match before {
        [before @ .., TokenTree::Ident(_)] => before,
        before => before,
    };
    let [.., TokenTree::Ident(name), TokenTree::Punct(bang)] = before else { return false };
    let is_name = || syn::parse2::<Ident>(TokenTree::Ident(name.clone()).into()).is_ok();
    bang.as_char() == '!' && is_name()
}

/// An item among others.
struct Part {
    attributes: Vec<(Attribute, [TokenTree; 2])>,
    rest: Vec<TokenTree>,
}

/// The items in a block or a module.
fn items_of(tokens: TokenStream) -> Vec<Part> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut items, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let attributes = attributes_at(&tokens[at..]);
        at += 2 * attributes.len();
        let len = length_of_item(&tokens[at..]);
        items.push(Part { attributes, rest: tokens[at..at + len].to_vec() });
        at += len;
    }
    items
}

/// Items, or functions of an `impl` block, each under conditions.
pub(super) fn under_conditions(conditions: &TokenStream, items: TokenStream) -> TokenStream {
    let items = each_item(items).into_iter();
    items.flat_map(|item| conditions.clone().into_iter().chain(item)).collect()
}

/// The items, each with its attributes.
pub(super) fn each_item(tokens: TokenStream) -> Vec<TokenStream> {
    items_of(tokens).into_iter().map(|item| item.whole().into_iter().collect()).collect()
}

/// How many tokens the first item has: it ends with a semicolon, or with braces that do not stand in a type.
fn length_of_item(tokens: &[TokenTree]) -> usize {
    let is_end = |at: usize| match &tokens[at] {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            !matches!(tokens.get(at + 1), Some(TokenTree::Punct(next)) if ">,;".contains(next.as_char()))
        }
        TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    (0..tokens.len()).find(|&at| is_end(at)).map_or(tokens.len(), |end| end + 1)
}

impl Part {
    fn whole(self) -> Vec<TokenTree> {
        self.attributes.into_iter().flat_map(|(_, tokens)| tokens).chain(self.rest).collect()
    }

    fn is_conditional(&self) -> bool {
        self.attributes.iter().any(|(attr, _)| is_called(attr, &["cfg", "cfg_attr"]))
    }

    /// A function, a block or a module as such; any other item as it is.
    fn stripped(self, additions: &Additions) -> Vec<TokenTree> {
        let tokens: TokenStream = self.rest.iter().cloned().collect();
        let rest = match syn::parse2::<Item>(tokens.clone()) {
            Ok(Item::Impl(_)) => block(tokens, TokenStream::new()),
            Ok(Item::Mod(inner)) if inner.content.is_some() => {
                let none = Additions::default();
                module(tokens, additions.modules.get(&inner.ident.to_string()).unwrap_or(&none))
            }
            Ok(Item::Fn(_)) => code(tokens),
            // Of functions with receivers, or without bodies.
            Ok(Item::Verbatim(_)) | Err(_) => match syn::parse2::<syn::TraitItem>(tokens.clone()) {
                Ok(syn::TraitItem::Fn(_)) => code(tokens),
                Ok(_) | Err(_) => match syn::parse2::<syn::ImplItem>(tokens.clone()) {
                    Ok(syn::ImplItem::Fn(_)) => code(tokens),
                    Ok(_) | Err(_) => return self.whole(),
                },
            },
            Ok(_) => return self.whole(),
        };
        let kept = self.attributes.into_iter().filter(|(attr, _)| !is_called(attr, &["adjoint"]));
        kept.flat_map(|(_, tokens)| tokens).chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_on_what_is_no_statement_leave_nothing_behind() {
        let without = |text: &str| code(text.parse().unwrap()).to_string();
        let same = |text: &str| text.parse::<TokenStream>().unwrap().to_string();
        let in_call = without("{ f(#[checkpoint(snapshots = n)] for i in 0 {},) }");
        assert_eq!(in_call, same("{ f(for i in 0 {},) }"));
        let statement = without("{ #[checkpoint(snapshots = n)] for i in 0 {} }");
        assert!(statement.contains("& n") && statement.contains(&same("for i in 0 {}")));
    }
}
