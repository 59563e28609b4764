//! Plain names in patterns that can only be those of constants and variants, or only those of variables, by where they
//! stand. The spelling decides about the others.
//!
//! ```text
//! match n { third => …, _ => … }        a variable would leave nothing to the arms below: a constant
//! match p { fast | Named { .. } => … }  a variable would be bound by all alternatives: a constant
//! match n { 0..=4 => …, N => … }        a constant would leave numbers without an arm: a variable
//! match p { Slow(T) => … T … }          one letter, which is used: a variable
//! ```
//!
//! All of it is proved, with the items that are in scope there.

use super::names::{each_word, looks_like_variable};
use super::proofs::items_that_name;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{Arm, Block, ExprMatch, Lit, Pat, PatIdent};

/// Writes constants as paths, `third`, and variables in capitals as `N @ _`; returns proofs.
pub(super) fn tell(block: &mut Block) -> TokenStream {
    let mut places = Places::default();
    places.visit_block_mut(block);
    places.proofs
}

#[derive(Default)]
struct Places {
    /// The items of the blocks around.
    scope: Vec<TokenStream>,
    proofs: TokenStream,
}

impl Places {
    fn prove(&mut self, what: TokenStream) {
        let items = &self.scope;
        self.proofs.extend(quote! {
            #[allow(unused, non_snake_case, non_upper_case_globals, clippy::all)]
            const _: fn() = || {
                #(#items)*
                #what
            };
        });
    }

    fn write_constants(&mut self, pat: &mut Pat, constants: &BTreeSet<Ident>) {
        each_plain_name(pat, &mut |place| {
            let Pat::Ident(PatIdent { ident, .. }) = &*place else { return };
            if constants.contains(ident) {
                let name = ident.clone();
                // A variable is bound by all alternatives.
                self.prove(quote!(match #name { #name | _ => () }));
                *place = Pat::Path(syn::parse_quote!(#name));
            }
        });
    }

    fn write_variables(&mut self, pat: &mut Pat, variables: &BTreeSet<Ident>) {
        each_plain_name(pat, &mut |place| {
            let Pat::Ident(PatIdent { ident, .. }) = &*place else { return };
            if variables.contains(ident) {
                let name = ident.clone();
                self.prove(quote!(let #name @ _ = 0;));
                *place = syn::parse_quote!(#name @ _);
            }
        });
    }
}

impl VisitMut for Places {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scope.push(items_that_name(block));
        visit_mut::visit_block_mut(self, block);
        self.scope.pop();
    }

    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        let last = choice.arms.len().saturating_sub(1);
        for arm in &mut choice.arms[..last] {
            let constants = constants_before_others(arm);
            self.write_constants(&mut arm.pat, &constants);
        }
        let is_of_numbers = choice.arms.iter().any(|arm| is_of_numbers(&arm.pat));
        if let Some(Arm { pat, .. }) = choice.arms.last_mut().filter(|_| is_of_numbers)
            && is_plain(pat)
        {
            let variables = names_in(pat, |name| !looks_like_variable(name));
            self.write_variables(pat, &variables);
        }
        for arm in &mut choice.arms {
            let variables = letters_used(&arm.pat, &arm.body);
            self.write_variables(&mut arm.pat, &variables);
        }
        visit_mut::visit_expr_match_mut(self, choice);
    }

    fn visit_expr_if_mut(&mut self, choice: &mut syn::ExprIf) {
        if let syn::Expr::Let(condition) = &mut *choice.cond {
            let variables = letters_used(&condition.pat, &choice.then_branch);
            self.write_variables(&mut condition.pat, &variables);
        }
        visit_mut::visit_expr_if_mut(self, choice);
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        let constants = bound_by_some(pat);
        self.write_constants(pat, &constants);
        visit_mut::visit_pat_mut(self, pat);
    }
}

/// Whether a pattern is just a name.
fn is_plain(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(name) => {
            name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none()
        }
        _ => false,
    }
}

/// The names of a kind in a pattern that may be those of constants.
fn names_in(pat: &Pat, kind: impl Fn(&Ident) -> bool) -> BTreeSet<Ident> {
    let mut names = BTreeSet::new();
    each_plain_name(&mut pat.clone(), &mut |place| {
        if let Pat::Ident(name) = place
            && kind(&name.ident)
        {
            names.insert(name.ident.clone());
        }
    });
    names
}

/// What must be constants in an arm that others follow, since it leaves nothing to these otherwise. Where there are several
/// names it is those that nothing in the arm uses.
fn constants_before_others(arm: &Arm) -> BTreeSet<Ident> {
    if !takes_all(&arm.pat) {
        return BTreeSet::new();
    }
    let mut names = names_in(&arm.pat, looks_like_variable);
    if names.len() > 1 {
        each_word(arm.body.to_token_stream(), &mut |word| _ = names.remove(&word));
    }
    names
}

/// Names of one letter, in capitals, that are used where the pattern has matched.
fn letters_used(pat: &Pat, scope: &impl ToTokens) -> BTreeSet<Ident> {
    let is_letter = |name: &Ident| {
        let text = name.to_string();
        text.chars().filter(|letter| !letter.is_ascii_digit()).count() == 1
    };
    let names = names_in(pat, |name| !looks_like_variable(name) && is_letter(name));
    let mut used = BTreeSet::new();
    each_word(scope.to_token_stream(), &mut |word| {
        used.extend(names.contains(&word).then_some(word));
    });
    used
}

/// Whether a pattern matches whatever there is, if names in lower case are those of variables.
pub fn takes_all(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(name) => {
            looks_like_variable(&name.ident)
                && name.subpat.as_ref().is_none_or(|(_, inner)| takes_all(inner))
        }
        Pat::Paren(inner) => takes_all(&inner.pat),
        Pat::Reference(inner) => takes_all(&inner.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(takes_all),
        Pat::Or(choice) => choice.cases.iter().any(takes_all),
        _ => false,
    }
}

/// The names like those of variables that some alternatives of a pattern have and others do not.
fn bound_by_some(pat: &Pat) -> BTreeSet<Ident> {
    let Pat::Or(choice) = pat else { return BTreeSet::new() };
    let of_cases = choice.cases.iter().map(|case| {
        let mut names = Names::default();
        names.visit_pat_mut(&mut case.clone());
        names.0
    });
    let of_cases: Vec<BTreeSet<Ident>> = of_cases.collect();
    let all = of_cases.iter().flatten();
    let is_constant = |name: &Ident| {
        looks_like_variable(name) && of_cases.iter().any(|names| !names.contains(name))
    };
    all.filter(|name| is_constant(name)).cloned().collect()
}

/// Everything that may be a variable in a pattern.
#[derive(Default)]
struct Names(BTreeSet<Ident>);

impl VisitMut for Names {
    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        self.0.insert(pat.ident.clone());
        visit_mut::visit_pat_ident_mut(self, pat);
    }
}

/// Visits the names in a pattern that may be those of constants. Fields that are named only are variables.
fn each_plain_name(pat: &mut Pat, visit: &mut dyn FnMut(&mut Pat)) {
    struct Walk<'v>(&'v mut dyn FnMut(&mut Pat));
    impl VisitMut for Walk<'_> {
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            if field.colon_token.is_some() {
                visit_mut::visit_field_pat_mut(self, field);
            }
        }

        fn visit_pat_mut(&mut self, pat: &mut Pat) {
            match is_plain(pat) {
                true => (self.0)(pat),
                false => visit_mut::visit_pat_mut(self, pat),
            }
        }
    }
    Walk(visit).visit_pat_mut(pat);
}

/// Whether only numbers and characters match a pattern.
fn is_of_numbers(pat: &Pat) -> bool {
    match pat {
        Pat::Lit(literal) => {
            matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Char(_) | Lit::Byte(_))
        }
        Pat::Range(_) => true,
        Pat::Paren(inner) => is_of_numbers(&inner.pat),
        Pat::Guard(guarded) => is_of_numbers(&guarded.pat),
        Pat::Or(choice) => choice.cases.iter().any(is_of_numbers),
        _ => false,
    }
}
