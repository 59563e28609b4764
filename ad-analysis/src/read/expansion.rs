//! Calls of macros whose definitions are known become what they stand for, in the copy of the item that the compiler works on.

use super::inside_macros::arguments;
use super::library::is_of_library;
use super::macro_rules::Rules;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, Macro, PatIdent, Stmt, Token};

/// A definition of a macro.
#[derive(Clone)]
pub struct Definition {
    /// The conditions under which it is there.
    pub conditions: Vec<TokenStream>,
    /// What is inside of its braces.
    pub rules: TokenStream,
}

/// The macros that an item calls, with their definitions, the last first.
#[derive(Clone, Default)]
pub struct Macros(pub BTreeMap<String, Vec<Definition>>);

/// How often what a macro becomes may contain macros.
const DEEPEST: usize = 64;

impl Macros {
    /// Those that an item calls, and those that they call.
    pub fn called_in(item: &Item, look_up: impl Fn(&str) -> Option<Vec<Definition>>) -> Self {
        let (mut names, mut found) = (BTreeSet::new(), BTreeMap::new());
        called_in_tokens(item.to_token_stream(), &mut names);
        let mut seen = BTreeSet::new();
        let mut own = BTreeSet::new();
        defined_in_tokens(item.to_token_stream(), &mut own);
        while let Some(name) = names.pop_first() {
            if own.contains(&name) || !seen.insert(name.clone()) {
                continue;
            }
            let Some(definitions) = look_up(&name).filter(|found| !found.is_empty()) else {
                continue;
            };
            for definition in &definitions {
                called_in_tokens(definition.rules.clone(), &mut names);
            }
            found.insert(name, definitions);
        }
        Self(found)
    }

    /// All conditions of definitions.
    pub fn conditions(&self) -> impl Iterator<Item = &TokenStream> {
        self.0.values().flatten().flat_map(|definition| &definition.conditions)
    }

    /// Expands what is called in an item, given which conditions hold.
    pub fn expand(&self, item: &mut Item, holds: impl Fn(&TokenStream) -> bool) {
        let mut rules = BTreeMap::new();
        for (name, definitions) in &self.0 {
            let there = definitions.iter().find(|found| found.conditions.iter().all(&holds));
            if let Some(parsed) = there.and_then(|found| Rules::parse(found.rules.clone())) {
                rules.insert(name.clone(), parsed);
            }
        }
        if rules.is_empty() {
            return;
        }
        let mut words = BTreeSet::new();
        words_in(item.to_token_stream(), &mut words);
        let mut variables = Variables::default();
        variables.visit_item(item);
        let variables = variables.0;
        Expansion { rules, words, variables, depth: 0, has_changed: false }.visit_item_mut(item);
    }
}

/// The names of macros that are called: what stands before `!` and a group.
fn called_in_tokens(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(bang)), Some(TokenTree::Group(_)))
                if bang.as_char() == '!' =>
            {
                names.insert(name.to_string());
            }
            (TokenTree::Group(group), ..) => called_in_tokens(group.stream(), names),
            _ => {}
        }
    }
}

/// The names of macros that are defined in tokens.
fn defined_in_tokens(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 2)) {
            (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "macro_rules" => {
                names.insert(name.to_string());
            }
            (TokenTree::Group(group), _) => defined_in_tokens(group.stream(), names),
            _ => {}
        }
    }
}

fn words_in(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                words.insert(word.to_string());
            }
            TokenTree::Group(group) => words_in(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The names that patterns bind.
#[derive(Default)]
struct Variables(BTreeSet<String>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    /// What is in a macro may be a pattern, too.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        words_in(mac.tokens.clone(), &mut self.0);
    }
}

struct Expansion {
    rules: BTreeMap<String, Rules>,
    /// All words, so that names are new.
    words: BTreeSet<String>,
    /// The names of variables.
    variables: BTreeSet<String>,
    depth: usize,
    has_changed: bool,
}

impl Expansion {
    fn expanded(&mut self, mac: &Macro) -> Option<TokenStream> {
        let name = mac.path.get_ident()?;
        let rules = self.rules.get(&name.to_string()).filter(|_| self.depth < DEEPEST)?;
        let words = &mut self.words;
        let mut renamed = |name: &str| {
            let mut other = format!("{name}_of_macro");
            while words.contains(&other) {
                other.push('_');
            }
            words.insert(other.clone());
            other
        };
        let tokens = rules.expand(&mac.tokens, name.span(), &self.variables, &mut renamed)?;
        words_in(tokens.clone(), &mut self.words);
        Some(tokens)
    }

    /// What stands in the place of a statement.
    fn statements(&mut self, stmt: &Stmt, is_last: bool) -> Option<Vec<Stmt>> {
        let Stmt::Macro(call) = stmt else { return None };
        if !call.attrs.is_empty() {
            return None;
        }
        let tokens = self.expanded(&call.mac)?;
        if is_last
            && call.semi_token.is_none()
            && let Ok(value) = syn::parse2::<Expr>(tokens.clone())
        {
            return Some(vec![Stmt::Expr(value, None)]);
        }
        let mut stmts = Block::parse_within.parse2(tokens).ok()?;
        let end = |last: &mut Stmt| match last {
            Stmt::Expr(_, semi @ None) => *semi = Some(<Token![;]>::default()),
            Stmt::Macro(inner) => {
                inner.semi_token.get_or_insert_default();
            }
            Stmt::Expr(..) | Stmt::Local(_) | Stmt::Item(_) => {}
        };
        if !is_last || call.semi_token.is_some() {
            stmts.last_mut().into_iter().for_each(end);
        }
        Some(stmts)
    }

    fn deeper(&mut self, visit: impl FnOnce(&mut Self)) {
        self.has_changed = true;
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

impl VisitMut for Expansion {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let count = block.stmts.len();
        let mut written = Vec::with_capacity(count);
        for (position, mut stmt) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            match self.statements(&stmt, position + 1 == count) {
                None => {
                    self.visit_stmt_mut(&mut stmt);
                    written.push(stmt);
                }
                Some(stmts) => {
                    let mut inner = Block { brace_token: block.brace_token, stmts };
                    self.deeper(|this| this.visit_block_mut(&mut inner));
                    written.append(&mut inner.stmts);
                }
            }
        }
        block.stmts = written;
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(call) = expr
            && call.attrs.is_empty()
            && let Some(tokens) = self.expanded(&call.mac)
        {
            let grouped = TokenTree::Group(proc_macro2::Group::new(Delimiter::None, tokens));
            if let Ok(value) = syn::parse2::<Expr>(grouped.into()) {
                *expr = value;
                self.deeper(|this| this.visit_expr_mut(expr));
                return;
            }
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    /// What other macros are given, as far as these are expressions.
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if !is_of_library(mac) {
            return;
        }
        let Some(mut inside) = arguments(mac) else { return };
        let before = std::mem::replace(&mut self.has_changed, false);
        inside.values_mut().into_iter().for_each(|value| self.visit_expr_mut(value));
        if self.has_changed {
            mac.tokens = inside.into_tokens();
        }
        self.has_changed |= before;
    }
}
