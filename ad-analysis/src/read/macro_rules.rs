//! `macro_rules!` as rustc expands them: matching of what a macro is called with, and transcription.

use super::of_other_crates::UNROLLED;
use super::own_names::{OwnNames, is_behind_point, words_in};
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};

/// The rules of a macro.
#[derive(Clone)]
pub struct Rules {
    all: Vec<Rule>,
    /// Whether they write a loop in the place of what the macro repeats.
    pub(super) unroll: bool,
}

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
        /// A token of the language, which may be several here.
        separator: Vec<TokenTree>,
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

    /// Whether names in it may be bound by what the macro writes around it, and so for what follows.
    fn may_bind_outside(self) -> bool {
        match self {
            Self::Ident | Self::Item | Self::Pat | Self::PatParam | Self::Stmt | Self::Tt => true,
            Self::Block
            | Self::Expr
            | Self::Lifetime
            | Self::Literal
            | Self::Meta
            | Self::Path
            | Self::Ty
            | Self::Vis => false,
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
    Once(Fragment, TokenStream),
    Several(Vec<Bound>),
}

impl Bound {
    fn words(&self, is_meant: impl Fn(Fragment) -> bool + Copy, words: &mut BTreeSet<String>) {
        match self {
            Self::Once(fragment, tokens) if is_meant(*fragment) => words_in(tokens.clone(), words),
            Self::Once(..) => {}
            Self::Several(found) => found.iter().for_each(|bound| bound.words(is_meant, words)),
        }
    }
}

impl Rules {
    /// Reads what is inside of `macro_rules! name { … }`; nothing, if there is something in it that is not known here.
    pub fn parse(rules: TokenStream) -> Option<Self> {
        let mut all = Vec::new();
        let mut tokens = rules.into_iter().peekable();
        let unroll = tokens.next_if(|first| is_same_word(first, UNROLLED)).is_some();
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
            all.push(Rule { matcher, transcriber });
            match tokens.next() {
                None => break,
                Some(TokenTree::Punct(end)) if end.as_char() == ';' => {}
                Some(_) => return None,
            }
        }
        Some(Self { all, unroll })
    }

    /// The rule that rustc takes for what the macro is called with; nothing, if there is none, or if it is not certain which.
    pub(super) fn matched(&self, arguments: &TokenStream) -> Option<Matched<'_>> {
        for rule in &self.all {
            let mut found = Match::default();
            let matching = |input: ParseStream<'_>| {
                found.all(&rule.matcher, input)?;
                if input.is_empty() { Ok(()) } else { Err(input.error("too much")) }
            };
            if matching.parse2(arguments.clone()).is_ok() {
                return Some(Matched { rule, bindings: found.bindings });
            }
            if found.is_uncertain {
                return None;
            }
        }
        None
    }
}

/// A rule with what its variables stand for.
pub(super) struct Matched<'r> {
    rule: &'r Rule,
    bindings: Bindings,
}

impl Matched<'_> {
    /// The names that the macro has of its own.
    pub(super) fn own_names(&self) -> OwnNames {
        OwnNames::of(&self.rule.transcriber)
    }

    /// All words that the macro is given.
    pub(super) fn given_words(&self) -> BTreeSet<String> {
        self.words_of(|_| true)
    }

    /// The words that the macro is given and may write where they bind names that it mentions, too.
    pub(super) fn given_names(&self) -> BTreeSet<String> {
        self.words_of(Fragment::may_bind_outside)
    }

    fn words_of(&self, is_meant: impl Fn(Fragment) -> bool + Copy) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        self.bindings.values().for_each(|bound| bound.words(is_meant, &mut words));
        words
    }

    /// What the macro becomes, with tokens of its own at a span and names of its own by others. Nothing, if there is something in the
    /// rule that is not known here.
    pub(super) fn transcribed(
        &self,
        span: Span,
        names: &BTreeMap<String, String>,
    ) -> Option<TokenStream> {
        let (own, mut out) = (Own { span, names }, Vec::new());
        transcribe(&self.rule.transcriber, &self.bindings, &mut Vec::new(), &own, &mut out)?;
        Some(out.into_iter().collect())
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
) -> Option<(Vec<TokenTree>, Times)> {
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
        return Some((Vec::new(), times));
    }
    let mut separator = vec![first];
    while let Some(next) = tokens.peek()
        && is_one_token(&separator, next)
    {
        separator.extend(tokens.next());
    }
    let times = times(&tokens.next()?)?;
    Some((separator, times))
}

/// Whether tokens and the one behind them are one token of the language.
fn is_one_token(tokens: &[TokenTree], next: &TokenTree) -> bool {
    const LONGER: [&str; 22] = [
        "&&", "||", "::", "->", "=>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=",
        "&=", "|=", "<<", ">>", "..", "..=", "...",
    ];
    let are_joint = tokens.iter().all(is_joint);
    let text: String = tokens.iter().chain([next]).map(ToString::to_string).collect();
    are_joint && LONGER.contains(&text.as_str())
}

fn is_same_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(name) if name == word)
}

fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint)
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
                self.bindings.insert(name.clone(), Bound::Once(*fragment, tokens));
                Ok(())
            }
            Matcher::Repeated { matchers, separator, times } => {
                self.repeated(matchers, separator, *times, input)
            }
        }
    }

    fn repeated(
        &mut self,
        matchers: &[Matcher],
        separator: &[TokenTree],
        times: Times,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        // Where a repetition begins with a token, rustc looks further ahead than what is done here.
        let begins = matches!(matchers.first(), Some(Matcher::Token(_) | Matcher::Group(..)));
        self.is_uncertain |= begins && times != Times::Optional;
        let mut names = BTreeSet::new();
        names_of(matchers, &mut names);
        let mut rounds: Vec<Bindings> = Vec::new();
        while !input.is_empty() && (times != Times::Optional || rounds.is_empty()) {
            let ahead = input.fork();
            if !rounds.is_empty() && !is_separated(separator, &ahead) {
                break;
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

/// Takes a separator, if there is one.
fn is_separated(separator: &[TokenTree], input: ParseStream<'_>) -> bool {
    for (number, expected) in separator.iter().enumerate() {
        let Ok(token) = input.parse::<TokenTree>() else { return false };
        let is_last = number + 1 == separator.len();
        if !is_same(&token, expected) || !is_last && !is_joint(&token) {
            return false;
        }
    }
    true
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

/// What becomes of the macro's own tokens: the span that they get, and other names for some of its names.
struct Own<'n> {
    span: Span,
    names: &'n BTreeMap<String, String>,
}

impl Own<'_> {
    /// A token as it is written where these tokens are around it: fields, methods, macros and paths keep their names.
    fn token_between(
        &self,
        before: &[TokenTree],
        token: &TokenTree,
        next: Option<&TokenTree>,
    ) -> TokenTree {
        let is = |token: Option<&TokenTree>, what: char, spacing: Option<Spacing>| {
            matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == what
                && spacing.is_none_or(|spacing| punct.spacing() == spacing))
        };
        let is_called = is(next, '!', None) && !is(next, '!', Some(Spacing::Joint));
        if is_behind_point(before) || is(next, ':', Some(Spacing::Joint)) || is_called {
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
    own: &Own<'_>,
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
                    repeat(&inner, &separator, bindings, rounds, own, out)?;
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
                out.push(own.token_between(&tokens[..at - 1], other, tokens.get(at)));
            }
        }
    }
    Some(())
}

fn bound_at(bound: &Bound, rounds: &[usize]) -> Option<TokenStream> {
    match (bound, rounds) {
        (Bound::Once(_, tokens), _) => Some(tokens.clone()),
        (Bound::Several(found), [round, deeper @ ..]) => bound_at(found.get(*round)?, deeper),
        (Bound::Several(_), []) => None,
    }
}

fn repeat(
    inner: &[TokenTree],
    separator: &[TokenTree],
    bindings: &Bindings,
    rounds: &mut Vec<usize>,
    own: &Own<'_>,
    out: &mut Vec<TokenTree>,
) -> Option<()> {
    let mut counts = Vec::new();
    for name in variables_in(inner) {
        let mut bound = bindings.get(&name);
        for round in rounds.iter() {
            bound = match bound {
                Some(Bound::Several(found)) => found.get(*round),
                Some(Bound::Once(..)) | None => bound,
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
        if round > 0 {
            out.extend(separator.iter().map(|token| own.token(token)));
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
