//! Expressions replaced by others that seem to be of the same type.

use super::kinds::{BINARY, FUNCTIONS, Kind, Names};
use super::{name, parsed, pick};
use crate::sites::{change_one, each_expr};
use fastrand::Rng;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, ItemFn, Lit};

/// Changes one expression; says whether there was one to change.
pub fn change(function: &mut ItemFn, names: &Names, rng: &mut Rng) -> bool {
    match rng.usize(..12) {
        0..=4 => replace(function, names, Kind::Float, rng),
        5 => replace(function, names, Kind::Bool, rng),
        6 => replace(function, names, Kind::Int, rng),
        7 => operator(function, rng),
        8 => method(function, rng),
        9 => literal(function, rng),
        10 => adaptor(function, rng),
        _ => range(function, rng),
    }
}

fn put(expr: &mut Expr, tokens: TokenStream) {
    if let Some(new) = parsed(tokens) {
        *expr = new;
    }
}

fn replace(function: &mut ItemFn, names: &Names, kind: Kind, rng: &mut Rng) -> bool {
    let others = of_kind(function, names, kind);
    change_one(
        function,
        rng,
        each_expr,
        &|expr: &Expr| names.kind(expr) == kind,
        &mut |expr, rng| {
            let new = match kind {
                Kind::Float => float(expr, names, &others, rng),
                Kind::Bool => truth(expr, names, &others, rng),
                _ => int(expr, names, &others, rng),
            };
            put(expr, new);
        },
    )
}

/// The expressions of a kind.
fn of_kind(function: &mut ItemFn, names: &Names, kind: Kind) -> Vec<Expr> {
    let mut found = Vec::new();
    each_expr(function, &mut |expr| {
        if names.kind(expr) == kind && expr.to_token_stream().into_iter().count() < 40 {
            found.push(expr.clone());
        }
    });
    found
}

/// A float that is there already.
pub fn some_float(names: &Names, rng: &mut Rng) -> TokenStream {
    match pick(&names.of_kind(Kind::Float), rng) {
        Some(known) if rng.usize(..6) > 0 => {
            let known = name(known);
            quote!(#known)
        }
        _ => {
            let number =
                proc_macro2::Literal::f64_unsuffixed([0.5, 2.0, 1.0, 0.3, 1e-3][rng.usize(..5)]);
            quote!(#number)
        }
    }
}

/// A condition on a float.
pub fn some_test(names: &Names, rng: &mut Rng) -> TokenStream {
    let (a, b) = (some_float(names, rng), some_float(names, rng));
    match rng.usize(..3) {
        0 => quote!(#a > #b),
        1 => quote!(#a * #b < 0.25),
        _ => quote!(#a.abs() <= 1.0),
    }
}

fn float(old: &Expr, names: &Names, others: &[Expr], rng: &mut Rng) -> TokenStream {
    let other = if rng.bool() || others.is_empty() {
        some_float(names, rng)
    } else {
        others[rng.usize(..others.len())].to_token_stream()
    };
    let function = name(FUNCTIONS[rng.usize(..FUNCTIONS.len())]);
    let binary = name(BINARY[rng.usize(..BINARY.len())]);
    let test = some_test(names, rng);
    match rng.usize(..22) {
        0..=2 => quote!(#other),
        3 => quote!((#old).#function()),
        4 => quote!((#old).sin()),
        5 => quote!(f64::#function(#old)),
        6 => quote!((#old) * (#other)),
        7 => quote!((#old) + (#other)),
        8 => quote!((#old) / (1.0 + (#other) * (#other))),
        9 => quote!((#other) - (#old)),
        10 => quote!((#old).#binary(#other)),
        11 => quote!((if #test { #old } else { #other })),
        12 => quote!({ let t = #old; t * t }),
        13 => quote!({ let t: f64 = #old; let u = t * (#other); u + t }),
        14 => quote!((|t: f64| t * (#other))(#old)),
        15 => quote!({ let again = |t: f64| t * (#old); again(#other) + again(0.5) }),
        16 => quote!([#old, #other][1]),
        17 => quote!((#old, #other).0),
        18 => quote!([#old, #other].iter().map(|t| t * t).sum::<f64>()),
        19 => quote!({ let mut t = #old; for _ in 0..3 { t = t * 0.5 + (#other); } t }),
        20 => quote!((0..3).map(|k| (#old) * k as f64).sum::<f64>()),
        _ => quote!({ let mut list = vec![#old]; list.push(#other); list[0] * list[1] }),
    }
}

fn truth(old: &Expr, names: &Names, others: &[Expr], rng: &mut Rng) -> TokenStream {
    let test = some_test(names, rng);
    match rng.usize(..6) {
        0 => quote!(!(#old)),
        1 => quote!((#old) && #test),
        2 => quote!((#old) || #test),
        3 if !others.is_empty() => others[rng.usize(..others.len())].to_token_stream(),
        4 => quote!({ let test = #old; test }),
        _ => test,
    }
}

fn int(old: &Expr, names: &Names, others: &[Expr], rng: &mut Rng) -> TokenStream {
    let known = pick(&names.of_kind(Kind::Int), rng).map(name);
    match rng.usize(..8) {
        0 => quote!((#old) + 1),
        1 => quote!((#old) % 2),
        2 => quote!(0),
        3 => quote!(1),
        4 if known.is_some() => quote!(#known),
        5 if known.is_some() => quote!((#old).min(#known)),
        6 if !others.is_empty() => others[rng.usize(..others.len())].to_token_stream(),
        _ => quote!((#old) / 2),
    }
}

fn operator(function: &mut ItemFn, rng: &mut Rng) -> bool {
    let qualifies = |expr: &Expr| matches!(expr, Expr::Binary(_));
    change_one(function, rng, each_expr, &qualifies, &mut |expr, rng| {
        let Expr::Binary(binary) = &*expr else { return };
        let arithmetic = ["+", "-", "*", "/"];
        let assignments = ["+=", "-=", "*=", "/=", "="];
        let comparisons = ["<", "<=", ">", ">=", "!="];
        let candidates: &[&str] = match &binary.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => &arithmetic,
            BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_) => &assignments,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => &comparisons,
            _ => return,
        };
        let op: TokenStream =
            pick(candidates, rng).and_then(|op| op.parse().ok()).unwrap_or_default();
        let (left, right) = (&binary.left, &binary.right);
        put(expr, quote!(#left #op #right));
    })
}

fn method(function: &mut ItemFn, rng: &mut Rng) -> bool {
    let is_known = |call: &syn::ExprMethodCall| {
        let name = call.method.to_string();
        FUNCTIONS.contains(&name.as_str()) || BINARY.contains(&name.as_str())
    };
    let qualifies = |expr: &Expr| matches!(expr, Expr::MethodCall(call) if is_known(call));
    change_one(function, rng, each_expr, &qualifies, &mut |expr, rng| {
        let Expr::MethodCall(call) = expr else { return };
        let list: &[&str] = if call.args.is_empty() { &FUNCTIONS } else { &BINARY };
        call.method = name(list[rng.usize(..list.len())]);
    })
}

fn literal(function: &mut ItemFn, rng: &mut Rng) -> bool {
    let qualifies = |expr: &Expr| matches!(expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Float(_) | Lit::Int(_)));
    change_one(function, rng, each_expr, &qualifies, &mut |expr, rng| {
        let Expr::Lit(lit) = &*expr else { return };
        let new = match (&lit.lit, rng.usize(..4)) {
            (Lit::Float(_), 0) => quote!(0.0),
            (Lit::Float(_), 1) => quote!(1.0),
            (Lit::Float(_), 2) => quote!(-0.7),
            (Lit::Float(_), _) => quote!(2.5),
            (_, 0) => quote!(0),
            (_, 1) => quote!(1),
            (_, 2) => quote!(2),
            _ => quote!(3),
        };
        put(expr, new);
    })
}

/// Another adaptor with the same kind of argument, or one in between.
fn adaptor(function: &mut ItemFn, rng: &mut Rng) -> bool {
    const OF_TESTS: [&str; 3] = ["filter", "take_while", "skip_while"];
    const OF_COUNTS: [&str; 3] = ["skip", "take", "step_by"];
    const STARTS: [&str; 3] = ["iter", "iter_mut", "into_iter"];
    let all = [&OF_TESTS[..], &OF_COUNTS, &STARTS, &["map", "rev", "copied", "enumerate", "sum"]]
        .concat();
    let qualifies = |expr: &Expr| matches!(expr, Expr::MethodCall(call) if all.contains(&call.method.to_string().as_str()));
    change_one(function, rng, each_expr, &qualifies, &mut |expr, rng| {
        let Expr::MethodCall(call) = &mut *expr else { return };
        let known = call.method.to_string();
        for list in [OF_TESTS, OF_COUNTS, STARTS] {
            if list.contains(&known.as_str()) && rng.bool() {
                call.method = name(list[rng.usize(..list.len())]);
                return;
            }
        }
        let inserted = match rng.usize(..6) {
            0 => quote!(rev()),
            1 => quote!(skip(1)),
            2 => quote!(take(2)),
            3 => quote!(step_by(2)),
            4 => quote!(inspect(|_| ())),
            _ => quote!(filter(|_| true)),
        };
        if STARTS.contains(&known.as_str()) {
            put(expr, quote!(#expr.#inserted));
        } else {
            let receiver = &call.receiver;
            *call.receiver =
                parsed(quote!(#receiver.#inserted)).unwrap_or_else(|| (**receiver).clone());
        }
    })
}

/// A range that is closed, shorter or the other way round.
fn range(function: &mut ItemFn, rng: &mut Rng) -> bool {
    let qualifies = |expr: &Expr| matches!(expr, Expr::Range(range) if range.start.is_some() && range.end.is_some());
    change_one(function, rng, each_expr, &qualifies, &mut |expr, rng| {
        let Expr::Range(range) = &*expr else { return };
        let (start, end) = (&range.start, &range.end);
        let new = match rng.usize(..5) {
            0 => quote!(#start..=#end),
            1 => quote!((#start..#end).rev()),
            2 => quote!((#start..#end).step_by(2)),
            3 => quote!((#start..#end).skip(1)),
            _ => quote!(1 + #start..#end),
        };
        put(expr, new);
    })
}
