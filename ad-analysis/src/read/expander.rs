//! Goes through an item in the order of its text, and writes what macros stand for in the places of their calls.
//!
//! Names of variables in a macro mean what they mean where it is defined, those in what it is given what they mean where it is called. A macro
//! is expanded only if the text says the same in the place of the call: a variable that it binds itself gets a new name, and what it
//! mentions otherwise must mean the same in both places.

use super::attributes_of;
use super::conditions::Conditions;
use super::expansion::{called_in_tokens, path_of};
use super::inside_macros::{Arguments, arguments};
use super::library::is_of_library;
use super::macro_rules::{Matched, Rules};
use super::of_other_crates::may_be_loop;
use super::own_names::{OwnNames, words_in};
use super::scopes::Scope;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syn::parse::Parser;
use syn::{
    Arm, Attribute, Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprWhile, FieldPat,
    FieldValue, FnArg, ImplItemFn, Item, ItemFn, ItemMacro, ItemMod, Local, Macro, Member,
    Signature, Stmt, StmtMacro, Token,
};

/// How often what a macro becomes may contain macros.
const DEEPEST: usize = 64;

pub(super) struct Expander {
    /// The macros of the crate, by their paths.
    of_crate: BTreeMap<String, Rc<Rules>>,
    /// Those that are defined in the item as far as it was gone through, the last last.
    of_item: Vec<Inner>,
    scope: Scope,
    /// All words, so that names are new.
    words: BTreeSet<String>,
    /// What the new names stand for.
    renamed: BTreeMap<String, Written>,
    depth: usize,
    has_changed: bool,
    /// What is known of the conditions in what macros stand for, where these are decided.
    conditions: Option<Conditions>,
}

/// A name as a macro has written it.
struct Written {
    name: String,
    /// Whether it means what it means in the place of the call, where the macro does not bind it.
    is_same: bool,
}

/// A macro that is defined in the item.
enum Inner {
    Known {
        name: String,
        rules: Rc<Rules>,
        /// The variables that it may mention.
        scope: Rc<Scope>,
    },
    /// One of which it is not known what it stands for.
    Unknown(String),
    /// Any macro may be another one from here on.
    All,
}

impl Expander {
    pub(super) fn new(
        of_crate: BTreeMap<String, Rc<Rules>>,
        words: BTreeSet<String>,
        conditions: Option<Conditions>,
    ) -> Self {
        Self {
            of_crate,
            of_item: Vec::new(),
            scope: Scope::default(),
            words,
            renamed: BTreeMap::new(),
            depth: 0,
            has_changed: false,
            conditions,
        }
    }

    /// What is known of conditions, with those that were found.
    pub(super) fn into_conditions(self) -> Option<Conditions> {
        self.conditions
    }

    /// The macro of a path, and the variables that it may mention.
    fn definition(&self, path: &str) -> Option<(Rc<Rules>, Rc<Scope>)> {
        for inner in self.of_item.iter().rev() {
            match inner {
                Inner::Known { name, rules, scope } if name == path => {
                    return Some((rules.clone(), scope.clone()));
                }
                Inner::Unknown(name) if name == path => return None,
                Inner::All => return None,
                Inner::Known { .. } | Inner::Unknown(_) => {}
            }
        }
        Some((self.of_crate.get(path)?.clone(), Rc::default()))
    }

    /// Notes a definition.
    fn define(&mut self, definition: &ItemMacro) {
        let Some(name) = &definition.ident else { return };
        let name = name.to_string();
        let is_certain = self.depth == 0 && definition.attrs.iter().all(says_nothing);
        let rules = is_certain.then(|| Rules::parse(definition.mac.tokens.clone())).flatten();
        self.of_item.push(match rules {
            Some(rules) => {
                let scope = Rc::new(self.scope.clone());
                Inner::Known { name, rules: Rc::new(rules), scope }
            }
            None => Inner::Unknown(name),
        });
    }

    fn expanded(&mut self, mac: &Macro) -> Option<TokenStream> {
        let (rules, defined) = self.definition(&path_of(&mac.path)?)?;
        if self.depth >= DEEPEST {
            return None;
        }
        let matched = rules.matched(&mac.tokens)?;
        let own = matched.own_names();
        let same = |name: &String| self.scope.meaning(name) == defined.meaning(name);
        let is_visible = |name: &&String| defined.meaning(name).is_some();
        let captured = own.bound.iter().filter(is_visible);
        if own.has_labels
            || !own.free.iter().chain(captured).all(same)
            || own.in_texts.iter().any(|name| own.bound.contains(name) || !same(name))
            || self.may_be_mistaken(&own, &matched, &defined)
        {
            return None;
        }
        let mut names = BTreeMap::new();
        for name in &own.bound {
            let other = new_name(&mut self.words, name);
            let written = Written { name: name.clone(), is_same: same(name) };
            self.renamed.insert(other.clone(), written);
            names.insert(name.clone(), other);
        }
        let span = mac.path.segments.last()?.ident.span();
        let tokens = matched.transcribed(span, &names)?;
        words_in(tokens.clone(), &mut self.words);
        (!rules.unroll || self.is_loop(tokens.clone())).then_some(tokens)
    }

    /// Whether a loop may stand in the place of what a macro repeats. What else is called in it tells, too.
    fn is_loop(&mut self, tokens: TokenStream) -> bool {
        let Ok(mut value) = syn::parse2::<Expr>(tokens) else { return false };
        self.deeper(|this| this.visit_expr_mut(&mut value));
        may_be_loop(&value)
    }

    /// Whether what the macro is given may bind a name that it mentions of its own, or the other way round.
    fn may_be_mistaken(&self, own: &OwnNames, matched: &Matched<'_>, defined: &Scope) -> bool {
        let names = match own.may_bind_more {
            true => matched.given_words(),
            false => matched.given_names(),
        };
        let visible = own.bound.iter().filter(|name| defined.meaning(name).is_some());
        own.free.iter().chain(&own.in_texts).chain(visible).any(|name| names.contains(name))
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
            && let Ok(mut value) = syn::parse2::<Expr>(tokens.clone())
            && attributes_of(&value).is_empty()
        {
            self.conditions.iter_mut().for_each(|conditions| conditions.visit_expr_mut(&mut value));
            return Some(vec![Stmt::Expr(value, None)]);
        }
        let mut stmts = Block::parse_within.parse2(tokens).ok()?;
        self.conditions.iter_mut().for_each(|conditions| conditions.statements(&mut stmts));
        let end = |last: &mut Stmt| match last {
            // What the call of a macro stands for are statements, too.
            Stmt::Expr(Expr::Macro(inner), None) => {
                let syn::ExprMacro { attrs, mac } = inner.clone();
                *last = Stmt::Macro(StmtMacro { attrs, mac, semi_token: Some(Default::default()) });
            }
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

    /// Goes through statements. What they bind is in scope behind them.
    fn all_statements(&mut self, stmts: Vec<Stmt>, written: &mut Vec<Stmt>) {
        let count = stmts.len();
        for (position, mut stmt) in stmts.into_iter().enumerate() {
            if let Some(stmts) = self.statements(&stmt, position + 1 == count) {
                self.deeper(|this| this.all_statements(stmts, written));
                continue;
            }
            self.visit_stmt_mut(&mut stmt);
            match &stmt {
                Stmt::Item(Item::Macro(definition)) => self.define(definition),
                // What it stands for may bind what it is given.
                Stmt::Macro(call) if !is_of_library(&call.mac) => {
                    let mut words = BTreeSet::new();
                    words_in(call.mac.tokens.clone(), &mut words);
                    self.scope.bind(words);
                }
                Stmt::Macro(_) | Stmt::Item(_) | Stmt::Local(_) | Stmt::Expr(..) => {}
            }
            written.push(stmt);
        }
    }

    fn deeper(&mut self, visit: impl FnOnce(&mut Self)) {
        self.has_changed = true;
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }

    /// Goes through something that ends a scope.
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let (outer, macros) = (self.scope.enter(), self.of_item.len());
        visit(self);
        self.scope.leave(outer);
        self.of_item.truncate(macros);
    }

    fn function(&mut self, sig: &Signature, block: &mut Block) {
        let hidden = self.scope.hide();
        for input in &sig.inputs {
            if let FnArg::Typed(param) = input {
                self.scope.bind_pattern(&param.pat);
            }
        }
        self.visit_block_mut(block);
        self.scope.show(hidden);
    }

    /// The name that a macro has written, if a new one stands in its place for a variable that is not in scope.
    fn as_written(&self, name: &Ident) -> Option<Ident> {
        let text = name.to_string();
        let written = self.renamed.get(&text).filter(|written| written.is_same)?;
        self.scope.meaning(&text).is_none().then(|| Ident::new(&written.name, name.span()))
    }

    /// The name that a macro has written for a field, where it has written no other name for the variable.
    fn field(&self, member: &Member) -> Option<Ident> {
        let Member::Named(name) = member else { return None };
        let written = self.renamed.get(&name.to_string())?;
        Some(Ident::new(&written.name, name.span()))
    }
}

/// A name that no word is.
fn new_name(words: &mut BTreeSet<String>, name: &str) -> String {
    let mut other = format!("{name}_of_macro");
    while words.contains(&other) {
        other.push('_');
    }
    words.insert(other.clone());
    other
}

/// Whether an attribute of a definition says nothing about what it is, and where.
fn says_nothing(attr: &Attribute) -> bool {
    ["allow", "expect", "warn", "deny", "doc", "macro_export"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

/// Leaves definitions out that nothing calls any more, from the last to the first.
fn without_uncalled(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut called = BTreeSet::new();
    let is_definition = |stmt: &&Stmt| matches!(stmt, Stmt::Item(Item::Macro(_)));
    for stmt in stmts.iter().filter(|stmt| !is_definition(stmt)) {
        called_in_tokens(stmt.to_token_stream(), &mut called);
    }
    let mut kept = Vec::with_capacity(stmts.len());
    for stmt in stmts.into_iter().rev() {
        if let Stmt::Item(Item::Macro(definition)) = &stmt
            && let Some(name) = &definition.ident
        {
            if !called.contains(&name.to_string()) {
                continue;
            }
            called_in_tokens(definition.mac.tokens.clone(), &mut called);
        }
        kept.push(stmt);
    }
    kept.reverse();
    kept
}

impl VisitMut for Expander {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let (stmts, mut written) = (std::mem::take(&mut block.stmts), Vec::new());
        self.scoped(|this| this.all_statements(stmts, &mut written));
        block.stmts = without_uncalled(written);
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        self.function(&function.sig, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        self.function(&function.sig, &mut function.block);
    }

    /// A definition in a module counts for what stands behind it.
    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        let macros = self.of_item.len();
        let hands_on = module.attrs.iter().any(|attr| !says_nothing(attr));
        match &mut module.content {
            Some((_, items)) => {
                for item in items {
                    self.visit_item_mut(item);
                    if let Item::Macro(definition) = item {
                        self.define(definition);
                    }
                }
            }
            None if hands_on => self.of_item.push(Inner::All),
            None => {}
        }
        if !hands_on {
            self.of_item.truncate(macros);
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        self.scope.bind_pattern(&local.pat);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.scoped(|this| {
            closure.inputs.iter().for_each(|input| this.scope.bind_pattern(input));
            visit_mut::visit_expr_closure_mut(this, closure);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, repetition: &mut ExprForLoop) {
        self.visit_expr_mut(&mut repetition.expr);
        self.scoped(|this| {
            this.scope.bind_pattern(&repetition.pat);
            this.visit_pat_mut(&mut repetition.pat);
            this.visit_block_mut(&mut repetition.body);
        });
    }

    fn visit_expr_if_mut(&mut self, choice: &mut ExprIf) {
        self.scoped(|this| {
            this.visit_expr_mut(&mut choice.cond);
            this.visit_block_mut(&mut choice.then_branch);
        });
        if let Some((_, otherwise)) = &mut choice.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, repetition: &mut ExprWhile) {
        self.scoped(|this| {
            this.visit_expr_mut(&mut repetition.cond);
            this.visit_block_mut(&mut repetition.body);
        });
    }

    fn visit_expr_let_mut(&mut self, test: &mut ExprLet) {
        self.visit_expr_mut(&mut test.expr);
        self.visit_pat_mut(&mut test.pat);
        self.scope.bind_pattern(&test.pat);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.scoped(|this| {
            this.scope.bind_pattern(&arm.pat);
            visit_mut::visit_arm_mut(this, arm);
        });
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Macro(call) if call.attrs.is_empty() => {
                if let Some(tokens) = self.expanded(&call.mac) {
                    let grouped = TokenTree::Group(Group::new(Delimiter::None, tokens));
                    if let Ok(mut value) = syn::parse2::<Expr>(grouped.into()) {
                        let conditions = self.conditions.iter_mut();
                        conditions.for_each(|conditions| conditions.visit_expr_mut(&mut value));
                        *expr = value;
                        return self.deeper(|this| this.visit_expr_mut(expr));
                    }
                }
            }
            Expr::Path(path) if attributes_of(&Expr::Path(path.clone())).is_empty() => {
                if let Some(name) = path.path.get_ident().and_then(|name| self.as_written(name)) {
                    path.path = name.into();
                }
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    /// `Point { x }` of a macro with a variable of its own.
    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        if let (None, Some(name)) = (&field.colon_token, self.field(&field.member)) {
            field.member = Member::Named(name);
            field.colon_token = Some(<Token![:]>::default());
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        if let (None, Some(name)) = (&field.colon_token, self.field(&field.member)) {
            field.member = Member::Named(name);
            field.colon_token = Some(<Token![:]>::default());
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    /// What other macros are given, as far as these are expressions.
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if !is_of_library(mac) {
            return;
        }
        let Some(mut inside) = arguments(mac) else { return };
        let before = std::mem::replace(&mut self.has_changed, false);
        match &mut inside {
            Arguments::Matches(choice) => self.visit_expr_match_mut(choice),
            Arguments::List(_) | Arguments::Repeat(_) => {
                inside.values_mut().into_iter().for_each(|value| self.visit_expr_mut(value));
            }
        }
        if self.has_changed {
            mac.tokens = inside.into_tokens();
        }
        self.has_changed |= before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function with the macros in it expanded.
    fn expanded(text: &str) -> String {
        let mut item: Item = syn::parse_str(text).expect("an item");
        let mut words = BTreeSet::new();
        words_in(item.to_token_stream(), &mut words);
        Expander::new(BTreeMap::new(), words, None).visit_item_mut(&mut item);
        let Item::Fn(function) = item else { panic!("a function") };
        let stmts = function.block.stmts.iter().map(|stmt| stmt.to_token_stream().to_string());
        stmts.collect::<Vec<_>>().join(" ")
    }

    fn is_expanded(text: &str) -> bool {
        !expanded(text).contains("macro_rules")
    }

    #[test]
    fn a_macro_mentions_variables_that_mean_the_same() {
        let text = "fn f(x: f64) { macro_rules! m { ($k:expr) => { s += x * $k; }; } let mut s = 0.0; m!(2.0); }";
        // `s` is another variable where the macro is defined, if there is one.
        assert!(!is_expanded(text));
        let text = "fn f(x: f64) { let mut s = 0.0; macro_rules! m { ($k:expr) => { s += x * $k; }; } m!(2.0); { m!(s); } }";
        assert_eq!(expanded(text), "let mut s = 0.0 ; s += x * 2.0 ; { s += x * s ; }");
        for hiding in ["let x = 2.0 * x;", "declare!(x);", "let (a, x) = (1.0, 2.0);"] {
            let text =
                format!("fn f(x: f64) {{ macro_rules! m {{ () => {{ x }}; }} {hiding} g(m!()); }}");
            assert!(!is_expanded(&text), "{hiding}");
            let text = format!(
                "fn f(x: f64) {{ macro_rules! m {{ () => {{ x }}; }} {{ {hiding} }} g(m!()); }}"
            );
            assert!(is_expanded(&text), "{hiding}");
        }
        for scope in [
            "for x in 0..3 { m!(); }",
            "let g = |x: f64| m!();",
            "match y { Some(x) => m!(), None => 0.0 };",
            "if let Some(x) = y { m!(); }",
            "while let Some(x) = y { m!(); }",
        ] {
            let text = format!("fn f(x: f64) {{ macro_rules! m {{ () => {{ x }}; }} {scope} }}");
            assert!(!is_expanded(&text), "{scope}");
            let text = format!("fn f(z: f64) {{ macro_rules! m {{ () => {{ z }}; }} {scope} }}");
            assert!(is_expanded(&text), "{scope}");
        }
    }

    #[test]
    fn the_last_definition_in_scope_counts() {
        let text = "fn f() { macro_rules! m { () => { 1 }; } g(m!()); { macro_rules! m { () => { 2 }; } g(m!()); } g(m!()); macro_rules! m { () => { 3 }; } g(m!()); }";
        assert_eq!(expanded(text), "g (1) ; { g (2) ; } g (1) ; g (3) ;");
        // One that has a condition, or that another macro has written, is not known.
        assert!(!is_expanded(
            "fn f() { macro_rules! m { () => { 1 }; } #[cfg(a)] macro_rules! m { () => { 2 }; } g(m!()); }"
        ));
        let text = "fn f() { macro_rules! d { () => { macro_rules! m { () => { 2 }; } }; } macro_rules! m { () => { 1 }; } d!(); g(m!()); }";
        assert!(expanded(text).ends_with("g (m ! ()) ;"));
    }

    #[test]
    fn names_of_a_macro_and_of_what_it_is_given_stay_apart() {
        // `t` is bound by the macro, and by who calls it.
        let text = "fn f(t: f64) { macro_rules! m { ($e:expr) => { { let u = 2.0; $e + u } }; } let u = t; g(m!(u)); }";
        assert_eq!(expanded(text), "let u = t ; g ({ let u_of_macro = 2.0 ; u + u_of_macro }) ;");
        // The end of a range is no field.
        let text = "fn f(n: usize) { macro_rules! m { ($e:expr) => { { let n = 2; for _ in 0..n { g($e, p.n, ..n); } } }; } m!(n); }";
        assert_eq!(
            expanded(text),
            "{ let n_of_macro = 2 ; for _ in 0 .. n_of_macro { g (n , p . n , .. n_of_macro) ; } } ;"
        );
        let text = "fn f(n: usize) { macro_rules! m { () => { g(..n) }; } let n = 2; m!(); }";
        assert!(!is_expanded(text));
        // It is used before it is bound, and where it is not bound.
        let text = "fn f(t: f64) { macro_rules! m { () => { { { let t = 2.0 * t; g(t); } t } }; } g(m!()); }";
        assert_eq!(expanded(text), "g ({ { let t_of_macro = 2.0 * t ; g (t_of_macro) ; } t }) ;");
        // What is given binds a name that the macro mentions.
        let text =
            "fn f(t: f64) { macro_rules! m { ($p:ident) => { { let $p = 2.0; t } }; } g(m!(t)); }";
        assert!(!is_expanded(text));
        let text = "fn f(t: f64) { macro_rules! m { ($e:expr) => { match 2.0 { t => t * $e } }; } g(m!(t)); }";
        assert!(!is_expanded(text));
        // Fields are none of the variables.
        let text = "fn f() { macro_rules! m { () => { { let t = 2.0; P { t } } }; } g(m!()); }";
        assert_eq!(expanded(text), "g ({ let t_of_macro = 2.0 ; P { t : t_of_macro } }) ;");
    }

    #[test]
    fn attributes_and_words_of_the_language_are_no_variables() {
        let text = "fn f(t: f64) { macro_rules! m { (if $c:meta, $($t:tt)*) => { #[inline(all)] g!($($t)*); }; (else $($t:tt)*) => { if $($t)* {} }; } m!(if all(b), all(if t {})); m!(else if t {}); }";
        assert!(is_expanded(text));
        // Another macro may take what looks like an attribute for something else.
        let text = "fn f(t: f64) { macro_rules! m { () => { g!(#[t]) }; } let t = 2.0; g(m!()); }";
        assert!(!is_expanded(text));
    }

    #[test]
    fn only_repetitions_that_are_begun_make_a_rule_uncertain() {
        let rules = "(if $c:expr => $a:expr, $(if $d:expr => $b:expr,)* else => $e:expr) => { l($c, $a, m!($(if $d => $b,)* else => $e)) }; (else => $e:expr) => { $e };";
        let text = format!(
            "fn f(t: f64) {{ macro_rules! m {{ {rules} }} g(m!(if t => 1, if 2 => 3, else => 4)); }}"
        );
        assert_eq!(expanded(&text), "g (l (t , 1 , l (2 , 3 , 4))) ;");
    }

    #[test]
    fn separators_of_several_characters_are_one_token() {
        let text =
            "fn f(t: f64) { macro_rules! m { ($($e:expr),*) => { g($($e)||*) }; } m!(t, 2); }";
        assert_eq!(expanded(text), "g (t || 2) ;");
        let rules = "($($e:ident)=>* | $($d:ident)=>+) => { g($($e,)* $($d),+) };";
        let text = format!("fn f(t: f64) {{ macro_rules! m {{ {rules} }} m!(t => t | t=>t=>t); }}");
        assert_eq!(expanded(&text), "g (t , t , t , t , t) ;");
        let text = "fn f(t: f64) { macro_rules! m { ($($e:ident)=>* = $r:tt) => { g($($e),*, $r) }; } m!(t = 2); }";
        assert_eq!(expanded(text), "g (t , 2) ;");
    }
}
