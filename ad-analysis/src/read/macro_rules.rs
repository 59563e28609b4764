//! `macro_rules!` as rustc expands them: matching of what a macro is called with, and transcription.

use super::format_strings::names_in;
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};

/// The rules of a macro.
#[derive(Clone)]
pub struct Rules(Vec<Rule>);

#[derive(Clone)]
struct Rule {
    matcher: Vec<Matcher>,
    transcriber: Vec<TokenTree>,
}

#[derive(Clone)]
enum Matcher {
    /// A token that has to be there.
    Token(TokenTree),
    Group(Delimiter, Vec<Matcher>),
    /// `$name:fragment`
    Fragment(String, Fragment),
    /// `$(…) separator repetition`
    Repeated {
        matchers: Vec<Matcher>,
        separator: Option<TokenTree>,
        times: Times,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    Any,
    Some,
    Optional,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fragment {
    Block,
    Expr,
    Ident,
    Item,
    Lifetime,
    Literal,
    Meta,
    Pat,
    PatParam,
    Path,
    Stmt,
    Tt,
    Ty,
    Vis,
}

impl Fragment {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "block" => Self::Block,
            // Before the edition of 2024 two expressions fewer, which no program here has.
            "expr" | "expr_2021" => Self::Expr,
            "ident" => Self::Ident,
            "item" => Self::Item,
            "lifetime" => Self::Lifetime,
            "literal" => Self::Literal,
            "meta" => Self::Meta,
            "pat" => Self::Pat,
            "pat_param" => Self::PatParam,
            "path" => Self::Path,
            "stmt" => Self::Stmt,
            "tt" => Self::Tt,
            "ty" => Self::Ty,
            "vis" => Self::Vis,
            _ => return None,
        })
    }

    /// Whether rustc goes on with the next rule where this fragment is not found: for others a failure is an error of the program.
    fn may_be_missing(self, input: ParseStream<'_>) -> bool {
        let begins_nothing = |punct: char| !"*&-!|<#'.:".contains(punct);
        match self {
            Self::Ident | Self::Lifetime | Self::Literal | Self::Tt | Self::Vis | Self::Block => {
                true
            }
            Self::Expr
            | Self::Item
            | Self::Meta
            | Self::Pat
            | Self::PatParam
            | Self::Path
            | Self::Stmt
            | Self::Ty => match input.fork().parse::<TokenTree>() {
                Ok(TokenTree::Punct(first)) => begins_nothing(first.as_char()),
                Ok(TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_)) => false,
                Err(_) => true,
            },
        }
    }

    /// The tokens of such a fragment at the beginning of the input.
    fn parse(self, input: ParseStream<'_>) -> syn::Result<TokenStream> {
        fn whole<T: Parse + ToTokens>(input: ParseStream<'_>) -> syn::Result<TokenStream> {
            Ok(input.parse::<T>()?.into_token_stream())
        }
        match self {
            Self::Block => whole::<syn::Block>(input),
            // Grouped even if it is a name: another macro that is given it takes it for an expression only.
            Self::Expr => Ok(grouped(whole::<syn::Expr>(input)?)),
            Self::Ident => match input.parse()? {
                TokenTree::Ident(name) if name != "_" => Ok(TokenTree::Ident(name).into()),
                TokenTree::Ident(_)
                | TokenTree::Group(_)
                | TokenTree::Punct(_)
                | TokenTree::Literal(_) => Err(input.error("no name")),
            },
            Self::Item => whole::<syn::Item>(input),
            Self::Lifetime => whole::<syn::Lifetime>(input),
            Self::Literal => {
                let sign: Option<syn::Token![-]> = input.parse()?;
                let literal: syn::Lit = input.parse()?;
                Ok(grouped(quote!(#sign #literal)))
            }
            Self::Meta => whole::<syn::Meta>(input),
            Self::Pat => Ok(syn::Pat::parse_multi_with_leading_vert(input)?.into_token_stream()),
            Self::PatParam => Ok(syn::Pat::parse_single(input)?.into_token_stream()),
            Self::Path => whole::<syn::Path>(input),
            Self::Stmt => whole::<syn::Stmt>(input),
            Self::Tt => Ok(input.parse::<TokenTree>()?.into()),
            Self::Ty => Ok(grouped(input.parse::<syn::Type>()?.into_token_stream())),
            Self::Vis => whole::<syn::Visibility>(input),
        }
    }
}

/// Tokens that stay together.
fn grouped(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, tokens)).into()
}

/// What the variables of a matcher stand for.
type Bindings = BTreeMap<String, Bound>;

#[derive(Clone)]
enum Bound {
    Once(TokenStream),
    Several(Vec<Bound>),
}

impl Rules {
    /// Reads what is inside of `macro_rules! name { … }`; nothing, if there is something in it that is not known here.
    pub fn parse(rules: TokenStream) -> Option<Self> {
        let mut found = Vec::new();
        let mut tokens = rules.into_iter().peekable();
        while let Some(first) = tokens.next() {
            let TokenTree::Group(matcher) = first else { return None };
            let arrow = [tokens.next()?, tokens.next()?];
            let is_arrow = matches!(&arrow, [TokenTree::Punct(a), TokenTree::Punct(b)] if a.as_char() == '=' && b.as_char() == '>');
            let TokenTree::Group(transcriber) = tokens.next()? else { return None };
            if !is_arrow {
                return None;
            }
            let matcher = matchers(matcher.stream())?;
            let transcriber = transcriber.stream().into_iter().collect();
            found.push(Rule { matcher, transcriber });
            match tokens.next() {
                None => break,
                Some(TokenTree::Punct(end)) if end.as_char() == ';' => {}
                Some(_) => return None,
            }
        }
        Some(Self(found))
    }

    /// What the macro becomes; nothing, if no rule matches, or if it is not certain which rustc takes. Tokens of the macro get
    /// the span of the call, and variables that it binds itself a name by `renamed`. A name of its own that is none of these, and that
    /// the caller gives to a variable (`variables`), may be bound in a way that is not seen here, or be that of an item: nothing, too.
    pub fn expand(
        &self,
        arguments: &TokenStream,
        span: Span,
        variables: &BTreeSet<String>,
        renamed: &mut dyn FnMut(&str) -> String,
    ) -> Option<TokenStream> {
        for rule in &self.0 {
            let mut found = Match::default();
            let matching = |input: ParseStream<'_>| {
                found.all(&rule.matcher, input)?;
                if input.is_empty() { Ok(()) } else { Err(input.error("too much")) }
            };
            if matching.parse2(arguments.clone()).is_err() {
                match found.is_uncertain || repeats_tokens(&rule.matcher) {
                    true => return None,
                    false => continue,
                }
            }
            let bindings = found.bindings;
            let mut own = OwnNames { span, names: BTreeMap::new() };
            let bound = bound_names(&rule.transcriber);
            let mut free = FreeNames::default();
            free.find(&rule.transcriber);
            if free.may_be_mistaken(&bound, variables) {
                return None;
            }
            for name in bound {
                let other = renamed(&name);
                own.names.insert(name, other);
            }
            let mut out = Vec::new();
            transcribe(&rule.transcriber, &bindings, &mut Vec::new(), &own, &mut out)?;
            return Some(out.into_iter().collect());
        }
        None
    }
}

fn matchers(tokens: TokenStream) -> Option<Vec<Matcher>> {
    let mut tokens = tokens.into_iter().peekable();
    let mut found = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.next()? {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    let matchers = matchers(group.stream())?;
                    let (separator, times) = repetition(&mut tokens)?;
                    found.push(Matcher::Repeated { matchers, separator, times });
                }
                TokenTree::Ident(name) => {
                    let TokenTree::Punct(colon) = tokens.next()? else { return None };
                    let TokenTree::Ident(fragment) = tokens.next()? else { return None };
                    if colon.as_char() != ':' {
                        return None;
                    }
                    let fragment = Fragment::named(&fragment.to_string())?;
                    found.push(Matcher::Fragment(name.to_string(), fragment));
                }
                TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => return None,
            },
            TokenTree::Group(group) => {
                found.push(Matcher::Group(group.delimiter(), matchers(group.stream())?));
            }
            other => found.push(Matcher::Token(other)),
        }
    }
    Some(found)
}

/// What follows `$(…)`.
fn repetition(
    tokens: &mut std::iter::Peekable<proc_macro2::token_stream::IntoIter>,
) -> Option<(Option<TokenTree>, Times)> {
    let times = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => match punct.as_char() {
            '*' => Some(Times::Any),
            '+' => Some(Times::Some),
            '?' => Some(Times::Optional),
            _ => None,
        },
        TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => None,
    };
    let first = tokens.next()?;
    if let Some(times) = times(&first) {
        return Some((None, times));
    }
    // `=>` and the like as separators are rare, and nothing is known of them here.
    if matches!(&first, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint && !matches!(tokens.peek(), Some(next) if times(next).is_some()))
    {
        return None;
    }
    let second = times(&tokens.next()?)?;
    Some((Some(first), second))
}

/// Whether there is a repetition that begins with a token: rustc would look further ahead than what is done here.
fn repeats_tokens(matchers: &[Matcher]) -> bool {
    matchers.iter().any(|matcher| match matcher {
        Matcher::Token(_) | Matcher::Fragment(..) => false,
        Matcher::Group(_, inner) => repeats_tokens(inner),
        Matcher::Repeated { matchers, times, .. } => {
            let begins = matches!(matchers.first(), Some(Matcher::Token(_) | Matcher::Group(..)));
            begins && *times != Times::Optional || repeats_tokens(matchers)
        }
    })
}

/// Whether a token is the one that a rule asks for. A fragment is none, whatever is in it.
fn is_same(token: &TokenTree, expected: &TokenTree) -> bool {
    !matches!(token, TokenTree::Group(_)) && token.to_string() == expected.to_string()
}

/// A rule as it is matched.
#[derive(Default)]
struct Match {
    bindings: Bindings,
    /// Whether rustc may have matched where this did not.
    is_uncertain: bool,
}

impl Match {
    fn all(&mut self, matchers: &[Matcher], input: ParseStream<'_>) -> syn::Result<()> {
        matchers.iter().try_for_each(|matcher| self.one(matcher, input))
    }

    fn one(&mut self, matcher: &Matcher, input: ParseStream<'_>) -> syn::Result<()> {
        match matcher {
            Matcher::Token(expected) => {
                let token: TokenTree = input.parse()?;
                match is_same(&token, expected) {
                    true => Ok(()),
                    false => Err(input.error("another token")),
                }
            }
            Matcher::Group(delimiter, inner) => {
                let TokenTree::Group(group) = input.parse()? else {
                    return Err(input.error("no group"));
                };
                if group.delimiter() != *delimiter {
                    return Err(input.error("another group"));
                }
                let matching = |input: ParseStream<'_>| {
                    self.all(inner, input)?;
                    if input.is_empty() { Ok(()) } else { Err(input.error("too much")) }
                };
                matching.parse2(group.stream())
            }
            Matcher::Fragment(name, fragment) => {
                let may_be_missing = fragment.may_be_missing(input);
                let tokens = fragment.parse(input).inspect_err(|_| {
                    self.is_uncertain |= !may_be_missing;
                })?;
                self.bindings.insert(name.clone(), Bound::Once(tokens));
                Ok(())
            }
            Matcher::Repeated { matchers, separator, times } => {
                self.repeated(matchers, separator.as_ref(), *times, input)
            }
        }
    }

    fn repeated(
        &mut self,
        matchers: &[Matcher],
        separator: Option<&TokenTree>,
        times: Times,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        let mut names = BTreeSet::new();
        names_of(matchers, &mut names);
        let mut rounds: Vec<Bindings> = Vec::new();
        while !input.is_empty() && (times != Times::Optional || rounds.is_empty()) {
            let ahead = input.fork();
            if let (Some(separator), false) = (separator, rounds.is_empty()) {
                let token: TokenTree = ahead.parse()?;
                if !is_same(&token, separator) {
                    break;
                }
            }
            let (before, mut round) = (ahead.cursor(), Match::default());
            let result = round.all(matchers, &ahead);
            self.is_uncertain |= round.is_uncertain;
            if result.is_err() {
                break;
            }
            if ahead.cursor() == before {
                return Err(input.error("nothing is repeated"));
            }
            input.advance_to(&ahead);
            rounds.push(round.bindings);
        }
        if times == Times::Some && rounds.is_empty() {
            return Err(input.error("at least once"));
        }
        for name in names {
            let found = rounds.iter_mut().filter_map(|round| round.remove(&name)).collect();
            self.bindings.insert(name, Bound::Several(found));
        }
        Ok(())
    }
}

fn names_of(matchers: &[Matcher], names: &mut BTreeSet<String>) {
    for matcher in matchers {
        match matcher {
            Matcher::Token(_) => {}
            Matcher::Group(_, inner) | Matcher::Repeated { matchers: inner, .. } => {
                names_of(inner, names);
            }
            Matcher::Fragment(name, _) => {
                names.insert(name.clone());
            }
        }
    }
}

/// The names that are the macro's own, and the span that its tokens get.
struct OwnNames {
    span: Span,
    names: BTreeMap<String, String>,
}

impl OwnNames {
    /// A token as it is written where these tokens are around it: fields, methods, macros and paths keep their names.
    fn token_between(
        &self,
        before: Option<&TokenTree>,
        token: &TokenTree,
        next: Option<&TokenTree>,
    ) -> TokenTree {
        let is = |token: Option<&TokenTree>, what: char, spacing: Option<Spacing>| {
            matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == what
                && spacing.is_none_or(|spacing| punct.spacing() == spacing))
        };
        let is_called = is(next, '!', None) && !is(next, '!', Some(Spacing::Joint));
        if is(before, '.', Some(Spacing::Alone)) || is(next, ':', Some(Spacing::Joint)) || is_called
        {
            let mut token = token.clone();
            token.set_span(self.span);
            return token;
        }
        self.token(token)
    }

    fn token(&self, token: &TokenTree) -> TokenTree {
        let mut token = match token {
            TokenTree::Ident(ident) => match self.names.get(&ident.to_string()) {
                Some(name) => TokenTree::Ident(Ident::new(name, self.span)),
                None => token.clone(),
            },
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.clone(),
        };
        token.set_span(self.span);
        token
    }
}

/// Writes the right side of a rule; nothing, if it is one of those that no rule here understands. `rounds` says which
/// repetition is meant at each depth.
fn transcribe(
    tokens: &[TokenTree],
    bindings: &Bindings,
    rounds: &mut Vec<usize>,
    own: &OwnNames,
    out: &mut Vec<TokenTree>,
) -> Option<()> {
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        at += 1;
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.get(at)? {
                TokenTree::Ident(name) if name == "crate" => {
                    out.push(own.token(&tokens[at]));
                    at += 1;
                }
                TokenTree::Ident(name) => {
                    out.extend(bound_at(bindings.get(&name.to_string())?, rounds)?);
                    at += 1;
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    let mut rest = tokens[at + 1..]
                        .iter()
                        .cloned()
                        .collect::<TokenStream>()
                        .into_iter()
                        .peekable();
                    let before = tokens.len() - at - 1;
                    let (separator, _) = repetition(&mut rest)?;
                    at += 1 + before - rest.count();
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    repeat(&inner, separator.as_ref(), bindings, rounds, own, out)?;
                }
                TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => return None,
            },
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut inside = Vec::new();
                transcribe(&inner, bindings, rounds, own, &mut inside)?;
                let mut written = Group::new(group.delimiter(), inside.into_iter().collect());
                written.set_span(own.span);
                out.push(TokenTree::Group(written));
            }
            other => {
                let before = at.checked_sub(2).map(|before| &tokens[before]);
                out.push(own.token_between(before, other, tokens.get(at)));
            }
        }
    }
    Some(())
}

fn bound_at(bound: &Bound, rounds: &[usize]) -> Option<TokenStream> {
    match (bound, rounds) {
        (Bound::Once(tokens), _) => Some(tokens.clone()),
        (Bound::Several(found), [round, deeper @ ..]) => bound_at(found.get(*round)?, deeper),
        (Bound::Several(_), []) => None,
    }
}

fn repeat(
    inner: &[TokenTree],
    separator: Option<&TokenTree>,
    bindings: &Bindings,
    rounds: &mut Vec<usize>,
    own: &OwnNames,
    out: &mut Vec<TokenTree>,
) -> Option<()> {
    let mut counts = Vec::new();
    for name in variables_in(inner) {
        let mut bound = bindings.get(&name);
        for round in rounds.iter() {
            bound = match bound {
                Some(Bound::Several(found)) => found.get(*round),
                Some(Bound::Once(_)) | None => bound,
            };
        }
        if let Some(Bound::Several(found)) = bound {
            counts.push(found.len());
        }
    }
    let count = *counts.first()?;
    if counts.iter().any(|other| *other != count) {
        return None;
    }
    for round in 0..count {
        if let (Some(separator), true) = (separator, round > 0) {
            out.push(own.token(separator));
        }
        rounds.push(round);
        transcribe(inner, bindings, rounds, own, out)?;
        rounds.pop();
    }
    Some(())
}

/// The variables of the matcher that tokens mention.
fn variables_in(tokens: &[TokenTree]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Punct(dollar), Some(TokenTree::Ident(name))) if dollar.as_char() == '$' => {
                found.insert(name.to_string());
            }
            (TokenTree::Group(group), _) => {
                found.extend(variables_in(&group.stream().into_iter().collect::<Vec<_>>()));
            }
            _ => {}
        }
    }
    found
}

/// What the right side of a rule mentions of its own, and may be variables and labels.
#[derive(Default)]
struct FreeNames {
    names: BTreeSet<String>,
    /// Names in texts, as in `"{x}"`.
    in_texts: BTreeSet<String>,
    has_labels: bool,
}

impl FreeNames {
    fn find(&mut self, tokens: &[TokenTree]) {
        let follows = |at: usize, what: char| {
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == what)
        };
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(_) if follows(at, '\'') => self.has_labels = true,
                TokenTree::Ident(_) if follows(at, '.') || follows(at, '$') => {}
                TokenTree::Ident(word) => {
                    self.names.insert(word.to_string());
                }
                TokenTree::Group(group) => {
                    self.find(&group.stream().into_iter().collect::<Vec<_>>());
                }
                TokenTree::Literal(text) => self.in_texts.extend(names_in(&text.to_string())),
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Whether something would mean another thing in the place of the call: rustc tells labels and variables of a macro from
    /// those of its caller that are spelled alike. A name in a text is not renamed.
    fn may_be_mistaken(&self, bound: &BTreeSet<String>, variables: &BTreeSet<String>) -> bool {
        let mut free = self.names.iter().filter(|name| !bound.contains(*name));
        let mut in_texts = self.in_texts.iter();
        self.has_labels
            || free.any(|name| variables.contains(name))
            || in_texts.any(|name| bound.contains(name) || variables.contains(name))
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
