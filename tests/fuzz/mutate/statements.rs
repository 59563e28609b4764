//! Statements that are left out, repeated, exchanged, moved, wrapped and added.

use super::exprs::{some_float, some_test};
use super::kinds::{Kind, Names};
use super::{name, parsed, pick};
use crate::sites::{change_one, each_block};
use fastrand::Rng;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, ItemFn, Stmt};

/// Changes the statements of one block; says whether there was one to change.
pub fn change(function: &mut ItemFn, names: &Names, rng: &mut Rng) -> bool {
    let qualifies = |stmts: &Vec<Stmt>| !stmts.is_empty();
    change_one(function, rng, each_block, &qualifies, &mut |stmts, rng| {
        let at = rng.usize(..stmts.len());
        match rng.usize(..9) {
            0 => drop(stmts.remove(at)),
            1 => stmts.insert(at, stmts[at].clone()),
            2 if at + 1 < stmts.len() => stmts.swap(at, at + 1),
            3 => {
                let moved = stmts.remove(at);
                let to = rng.usize(..=stmts.len());
                stmts.insert(to, moved);
            }
            4 | 5 => wrap(stmts, at, names, rng),
            _ => insert(stmts, at, names, rng),
        }
    })
}

fn wrap(stmts: &mut [Stmt], at: usize, names: &Names, rng: &mut Rng) {
    let is_value = matches!(&stmts[at], Stmt::Expr(_, None) | Stmt::Local(_) | Stmt::Item(_));
    if is_value {
        return;
    }
    let (old, test) = (&stmts[at], some_test(names, rng));
    let new = match rng.usize(..6) {
        0 | 1 => quote!(if #test { #old }),
        2 => quote!(for _ in 0..2 { #old }),
        3 => quote!({ #old }),
        4 => quote!(loop { #old break; }),
        _ => quote!('out: { if #test { break 'out; } #old }),
    };
    if let Some(new) = parsed(quote!(#new;)) {
        stmts[at] = Stmt::Expr(new, Some(syn::token::Semi::default()));
    } else if let Some(new) = parsed_stmts(new) {
        stmts[at] = new.into_iter().next().expect("one statement");
    }
}

fn parsed_stmts(tokens: TokenStream) -> Option<Vec<Stmt>> {
    Some(parsed::<Block>(quote!({ #tokens }))?.stmts).filter(|stmts| !stmts.is_empty())
}

fn insert(stmts: &mut Vec<Stmt>, at: usize, names: &Names, rng: &mut Rng) {
    let Some(new) = new_statement(names, rng).and_then(parsed_stmts) else { return };
    for stmt in new.into_iter().rev() {
        stmts.insert(at, stmt);
    }
}

fn new_statement(names: &Names, rng: &mut Rng) -> Option<TokenStream> {
    let (value, other, test) =
        (some_float(names, rng), some_float(names, rng), some_test(names, rng));
    let lists = names.of_kind(Kind::List);
    let float = |rng: &mut Rng| pick(&names.mutable(Kind::Float), rng).map(name);
    let known = |rng: &mut Rng| pick(&names.of_kind(Kind::Float), rng).map(name);
    let list = |rng: &mut Rng| pick(&names.mutable(Kind::List), rng).map(name);
    Some(match rng.usize(..16) {
        0 => {
            let target = float(rng)?;
            quote!(#target += #value * 0.5;)
        }
        1 => {
            let target = float(rng)?;
            quote!(#target *= #value.sin();)
        }
        2 => {
            let target = float(rng)?;
            quote!(if #test { #target = #value; })
        }
        3 => {
            let (a, b) = (float(rng)?, float(rng)?);
            quote!(std::mem::swap(&mut #a, &mut #b);)
        }
        // What is hidden is used again further down.
        4 => {
            let hidden = known(rng)?;
            quote!(let #hidden = #value * 1.5;)
        }
        5 => {
            let hidden = known(rng)?;
            quote!(let mut #hidden = #hidden; #hidden += #value;)
        }
        6 => quote!(if #test { return #value; }),
        7 => {
            let list = list(rng)?;
            quote!(#list[0] += #value;)
        }
        8 => {
            let list = list(rng)?;
            quote!(#list[1] = #list[0] * #value;)
        }
        9 => {
            let list = list(rng)?;
            quote!(#list.swap(0, 1);)
        }
        10 => {
            let list = list(rng)?;
            quote!(for item in #list.iter_mut() { *item *= #value; })
        }
        11 => {
            let (target, list) = (float(rng)?, name(pick(&lists, rng)?));
            quote!(#target += #list.iter().sum::<f64>();)
        }
        12 => {
            let (target, list) = (float(rng)?, name(pick(&lists, rng)?));
            quote!(for (k, item) in #list.iter().enumerate() { if k == 2 { break; } #target += item * #value; })
        }
        13 => {
            let target = float(rng)?;
            quote!({ let mut grow = |t: f64| #target += t; grow(#value); grow(#other); })
        }
        14 => {
            let target = float(rng)?;
            quote!((#target, _) = (#value, #other);)
        }
        _ => {
            if rng.bool() {
                quote!(if #test { break; })
            } else {
                quote!(if #test { continue; })
            }
        }
    })
}
