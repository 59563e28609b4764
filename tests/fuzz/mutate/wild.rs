//! Changes without regard to types.

use super::{Pool, name, parsed};
use crate::sites::{change_one, each_block, each_expr, each_pat, each_type};
use fastrand::Rng;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ItemFn, Pat, Stmt, Type};

/// Methods of the standard library, of all sorts of types.
const METHODS: [&str; 72] = [
    "iter",
    "iter_mut",
    "into_iter",
    "map",
    "filter",
    "zip",
    "fold",
    "sum",
    "product",
    "collect",
    "rev",
    "enumerate",
    "skip",
    "take",
    "step_by",
    "chain",
    "cycle",
    "windows",
    "chunks",
    "chunks_exact",
    "take_while",
    "skip_while",
    "map_while",
    "scan",
    "flat_map",
    "filter_map",
    "inspect",
    "last",
    "next",
    "nth",
    "peekable",
    "min_by",
    "max_by",
    "reduce",
    "position",
    "any",
    "all",
    "count",
    "push",
    "pop",
    "insert",
    "remove",
    "swap",
    "swap_remove",
    "reverse",
    "truncate",
    "clear",
    "extend",
    "append",
    "resize",
    "drain",
    "retain",
    "sort_by",
    "first",
    "last_mut",
    "get",
    "get_mut",
    "split_at",
    "split_at_mut",
    "rotate_left",
    "to_vec",
    "clone",
    "unwrap",
    "expect",
    "unwrap_or",
    "ok",
    "as_ref",
    "sin_cos",
    "powi",
    "clamp",
    "len",
    "copied",
];

/// Changes something, if there is something to change.
pub fn change(function: &mut ItemFn, pool: &Pool, rng: &mut Rng) {
    let every = |_: &Expr| true;
    match rng.usize(..12) {
        0 | 1 => {
            let new = Pool::one(&pool.exprs, rng);
            change_one(function, rng, each_expr, &every, &mut |expr, _| *expr = new.clone());
        }
        2 | 3 => {
            change_one(function, rng, each_expr, &every, &mut |expr, rng| {
                if let Some(new) = parsed(wrapped(expr, pool, rng)) {
                    *expr = new;
                }
            });
        }
        4 => {
            let is_call = |expr: &Expr| matches!(expr, Expr::MethodCall(_));
            change_one(function, rng, each_expr, &is_call, &mut |expr, rng| {
                if let Expr::MethodCall(call) = expr {
                    call.method = name(METHODS[rng.usize(..METHODS.len())]);
                }
            });
        }
        5 | 6 => {
            let new = Pool::one(&pool.stmts, rng);
            change_one(function, rng, each_block, &|_: &Vec<Stmt>| true, &mut |stmts, rng| {
                stmts.insert(rng.usize(..=stmts.len()), new.clone());
            });
        }
        7 | 8 => {
            let new = Pool::one(&pool.pats, rng);
            change_one(function, rng, each_pat, &|_: &Pat| true, &mut |pat, _| *pat = new.clone());
        }
        9 => {
            let new = Pool::one(&pool.types, rng);
            change_one(function, rng, each_type, &|_: &Type| true, &mut |ty, _| *ty = new.clone());
        }
        _ => {
            change_one(
                function,
                rng,
                each_block,
                &|stmts: &Vec<Stmt>| stmts.len() > 1,
                &mut |stmts, rng| {
                    rng.shuffle(stmts);
                },
            );
        }
    }
}

/// Something around an expression.
fn wrapped(old: &Expr, pool: &Pool, rng: &mut Rng) -> TokenStream {
    let other = Pool::one(&pool.exprs, rng);
    let pat = Pool::one(&pool.pats, rng);
    let method = name(METHODS[rng.usize(..METHODS.len())]);
    match rng.usize(..34) {
        0 => quote!((|| #old)()),
        1 => quote!((move |#pat| #old)(#other)),
        2 => quote!(&#old),
        3 => quote!(&mut #old),
        4 => quote!(*#old),
        5 => quote!((#old)?),
        6 => quote!(unsafe { #old }),
        7 => quote!(async { #old }),
        8 => quote!((#old).await),
        9 => quote!(match #old { #pat => #other, _ => #old }),
        10 => quote!(if let #pat = #old { #other } else { #old }),
        11 => quote!(loop { break #old }),
        12 => quote!((#old) as f32),
        13 => quote!((#old) as usize),
        14 => quote!([#old]),
        15 => quote!((#old, #other)),
        16 => quote!([#old; 3]),
        17 => quote!(vec![#old; 2]),
        18 => quote!(println!("{}", #old)),
        19 => quote!(dbg!(#old)),
        20 => quote!((#old).#method(#other)),
        21 => quote!((#old).#method()),
        22 => quote!((#old).#method(|#pat| #other)),
        23 => quote!(#[passive] (#old)),
        24 => quote!(#[checkpoint] (#old)),
        25 => quote!(#[split] (#old)),
        26 => quote!((#old)[#other]),
        27 => quote!(return #old),
        28 => quote!(#other = #old),
        29 => quote!(#other += #old),
        30 => quote!((#old)..(#other)),
        31 => quote!(Some(#old)),
        32 => quote!(while #old { #other }),
        _ => quote!(for #pat in #old { #other }),
    }
}
