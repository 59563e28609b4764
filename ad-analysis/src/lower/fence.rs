//! The language that is accepted: every kind of expression, pattern, statement, item and type of Rust,
//! and what becomes of it. `docs/language.md` is checked against these lists.

use super::places;
use crate::ir::Refusal;
use crate::rules::UNSUPPORTED;
use crate::stdlib::is_known;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

/// What becomes of a syntax node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// It is differentiated.
    Active,
    /// Some forms of it are differentiated, as the text says; others are kept as they are.
    Partly(&'static str),
    /// It is kept as it is, as long as no derivative passes through it.
    Passive,
    /// It is an error.
    Refused,
}

/// The variants of `syn::Expr`.
pub const EXPRESSIONS: [(&str, Support); 40] = [
    ("Array", Support::Active),
    ("Assign", Support::Active),
    ("Async", Support::Passive),
    ("Await", Support::Passive),
    ("Binary", Support::Active),
    ("Block", Support::Active),
    ("Break", Support::Active),
    (
        "Call",
        Support::Partly(
            "functions, also of types, local closures, tuple structs and variants of derived enums",
        ),
    ),
    ("Cast", Support::Active),
    (
        "Closure",
        Support::Partly("bound to a name and called, or handed to a known adaptor of iterators"),
    ),
    ("Const", Support::Passive),
    ("Continue", Support::Active),
    ("Field", Support::Active),
    ("ForLoop", Support::Partly("ranges, slices, arrays, `Vec`s, and the iterators listed below")),
    ("Group", Support::Active),
    ("If", Support::Active),
    ("Index", Support::Partly("of lists")),
    ("Infer", Support::Partly("on the left of an assignment")),
    ("Let", Support::Active),
    ("Lit", Support::Active),
    ("Loop", Support::Active),
    (
        "Macro",
        Support::Partly(
            "`vec!`, `matches!`, `assert!` and its kin, `panic!` and its kin, `println!` and its kin",
        ),
    ),
    (
        "Match",
        Support::Partly("strings must carry no derivative, nor must enums that are not derived"),
    ),
    (
        "MethodCall",
        Support::Partly(
            "of numbers, of user types and of annotated traits; of lists and iterators those listed below",
        ),
    ),
    ("Paren", Support::Active),
    ("Path", Support::Active),
    ("Range", Support::Partly("as an index, and in the head of a loop")),
    ("RawAddr", Support::Passive),
    ("Reference", Support::Partly("to a place, bound to a name or passed to a function")),
    ("Repeat", Support::Active),
    ("Return", Support::Active),
    (
        "Struct",
        Support::Partly("of structs that own what they hold, and variants of derived enums"),
    ),
    ("Try", Support::Partly("in functions that return an `Option` or a `Result`")),
    ("TryBlock", Support::Passive),
    ("Tuple", Support::Active),
    ("Unary", Support::Active),
    ("Unsafe", Support::Passive),
    ("Verbatim", Support::Passive),
    ("While", Support::Active),
    ("Yield", Support::Passive),
];

/// The variants of `syn::Pat`.
pub const PATTERNS: [(&str, Support); 18] = [
    ("Const", Support::Passive),
    ("Guard", Support::Active),
    ("Ident", Support::Active),
    ("Lit", Support::Active),
    ("Macro", Support::Passive),
    ("Or", Support::Active),
    ("Paren", Support::Active),
    ("Path", Support::Active),
    ("Range", Support::Active),
    ("Reference", Support::Active),
    ("Rest", Support::Active),
    ("Slice", Support::Partly("`name @ ..` of lists behind a reference, and of arrays of numbers")),
    ("Struct", Support::Partly("of structs and derived enums; of others that carry no derivative")),
    ("Tuple", Support::Active),
    (
        "TupleStruct",
        Support::Partly(
            "of structs, derived enums, `Some`, `Ok`; of others that carry no derivative",
        ),
    ),
    ("Type", Support::Active),
    ("Verbatim", Support::Passive),
    ("Wild", Support::Active),
];

/// The variants of `syn::Stmt`.
pub const STATEMENTS: [(&str, Support); 4] = [
    ("Expr", Support::Active),
    ("Item", Support::Partly("`const`, `use`, `type`, `macro_rules!`, and `fn` without `static`")),
    ("Local", Support::Active),
    ("Macro", Support::Partly("as the expression")),
];

/// The variants of `syn::Item`, inside of an annotated function.
pub const ITEMS: [(&str, Support); 16] = [
    ("Const", Support::Active),
    ("Enum", Support::Refused),
    ("ExternCrate", Support::Refused),
    ("Fn", Support::Partly("without a `static` in it")),
    ("ForeignMod", Support::Refused),
    ("Impl", Support::Refused),
    ("Macro", Support::Partly("`macro_rules!` of which all calls are understood")),
    ("Mod", Support::Refused),
    ("Static", Support::Refused),
    ("Struct", Support::Refused),
    ("Trait", Support::Refused),
    ("TraitAlias", Support::Refused),
    ("Type", Support::Active),
    ("Union", Support::Refused),
    ("Use", Support::Active),
    ("Verbatim", Support::Refused),
];

/// The variants of `syn::Type`, as the types of parameters.
pub const TYPES: [(&str, Support); 15] = [
    ("Array", Support::Active),
    ("FnPtr", Support::Partly("listed in `passive(…)`")),
    ("Group", Support::Active),
    ("ImplTrait", Support::Partly("without a derivative")),
    ("Infer", Support::Refused),
    ("Macro", Support::Partly("listed in `passive(…)`")),
    ("Never", Support::Partly("listed in `passive(…)`")),
    ("Paren", Support::Active),
    ("Path", Support::Partly("types that are `Differentiable`; others listed in `passive(…)`")),
    ("Ptr", Support::Partly("listed in `passive(…)`")),
    ("Reference", Support::Active),
    ("Slice", Support::Active),
    ("TraitObject", Support::Partly("listed in `passive(…)`")),
    ("Tuple", Support::Active),
    ("Verbatim", Support::Refused),
];

/// Why an expression cannot be differentiated.
pub(super) fn refusal(expr: &syn::Expr) -> Refusal {
    let expr = places::strip(expr);
    if let syn::Expr::MethodCall(call) = expr
        && let Some((name, reason)) = UNSUPPORTED.iter().find(|(name, _)| call.method == name)
    {
        let what = format!("the method `{name}`");
        return Refusal { what, help: (*reason).into(), callee: None };
    }
    if super::conversions::is_of_any_number(expr) {
        return Refusal {
            what: "this conversion".into(),
            help: "say what the number becomes, `let y: T = NumCast::from(x).unwrap();`".into(),
            callee: None,
        };
    }
    if let syn::Expr::Call(call) = expr
        && call.args.iter().any(is_closure)
    {
        let what = format!("a call of `{}` with a closure", spelled(&call.func));
        let help = match super::arrays::is_array_from_fn(&call.func) {
            true => {
                "say how long the array is, `let list: [f64; 3] = …`, where what follows does not tell; one of structs has at most 32"
            }
            false => {
                "what a function does with a closure is not followed, annotated or not: write out here what it \
                     computes, or mark the call `#[passive]` if its derivative does not matter"
            }
        };
        return Refusal { what, help: help.into(), callee: None };
    }
    let (what, help): (String, &str) = match expr {
        syn::Expr::Closure(_) => (
            "a closure".into(),
            "bind it to a name of its own and call it by that, write the computation where it is used, or \
             in an annotated function",
        ),
        syn::Expr::Struct(_) => {
            ("this struct or variant".into(), "use a struct that owns its floats, or a variant of an enum of the crate that derives `Differentiable`, by its path")
        }
        syn::Expr::ForLoop(_) => (
            "a loop over this iterator".into(),
            "loop over a range and index, or over an iterator that `docs/language.md` lists",
        ),
        syn::Expr::Macro(mac) => {
            let name = spelled(&mac.mac.path);
            (
                format!("the macro `{name}!`"),
                "write out what it does, or move it out of the active code",
            )
        }
        syn::Expr::MethodCall(call) if call.method == "into" && call.args.is_empty() => (
            "this conversion".into(),
            "annotate the `impl From`, and say what the value becomes, `let y: Type = x.into();`; conversions of references, of generic types and in \
             second derivatives are not supported: write a function, and call it",
        ),
        syn::Expr::MethodCall(call) => (
            format!("the method `{}` of this receiver", call.method),
            of_lists(call).or_else(|| of_iterators(call)).or_else(|| of_functions(call)).unwrap_or("write it out with operators, loops and functions, or mark the expression `#[passive]` if its derivative does not matter"),
        ),
        syn::Expr::Call(call) => (
            match places::strip(&call.func) {
                syn::Expr::Path(path) => format!("a call of `{}`", spelled(path)),
                _ => "a call of this value".into(),
            },
            "call an annotated function, or mark the call `#[passive]` if its derivative does not matter",
        ),
        syn::Expr::Unsafe(_) | syn::Expr::RawAddr(_) => {
            ("`unsafe` code".into(), "write it with safe code")
        }
        syn::Expr::Async(_) | syn::Expr::Await(_) | syn::Expr::Yield(_) => {
            ("asynchronous code".into(), "move it out of the function")
        }
        syn::Expr::Range(_) => ("a range as a value".into(), "use it in the head of a loop"),
        syn::Expr::Index(_) if has_index_of_users(expr) => index_of_users(),
        syn::Expr::Assign(syn::ExprAssign { left, .. })
        | syn::Expr::Binary(syn::ExprBinary { left, .. })
            if has_index_of_users(left) =>
        {
            index_of_users()
        }
        syn::Expr::Assign(_) | syn::Expr::Binary(_) => {
            ("an assignment to this place".into(), "assign to a variable, a field or an element")
        }
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => (
            "the place that this refers to".into(),
            "refer to a variable, a field or an element by name (`let r = &a[i];`), or mark the \
             expression `#[passive]` if its derivative does not matter",
        ),
        syn::Expr::Try(_) => {
            ("`?`".into(), "test for the failure before: `let Some(y) = … else { … };`")
        }
        _ => ("this expression".into(), "write it with operators, functions, loops and branches"),
    };
    let is_of_lists = matches!(expr, syn::Expr::MethodCall(call) if of_lists(call).is_some());
    let callee = super::receivers::callee_of(expr).filter(|_| !is_of_lists);
    let callee = callee.or_else(|| match expr {
        syn::Expr::ForLoop(repetition) => Some(super::loops::site_of_loop(repetition)),
        _ => None,
    });
    Refusal { what, help: help.into(), callee }
}

/// Whether a place is found by a function of a type of the user's.
fn has_index_of_users(place: &syn::Expr) -> bool {
    match places::strip(place) {
        syn::Expr::Index(index) => {
            places::is_index_of_users(&index.index) || has_index_of_users(&index.expr)
        }
        syn::Expr::Field(field) => has_index_of_users(&field.base),
        _ => false,
    }
}

fn index_of_users() -> (String, &'static str) {
    (
        "an index of what is no list".into(),
        "annotate the `impl` of the index with `#[adjoint]`, `impl Index<…>` and `impl IndexMut<…>`, where the files of this crate have it; or use a list, or give the type annotated methods, `fn at(&self, i: usize, j: usize) -> f64` and `fn set(&mut self, i: usize, j: usize, value: f64)`, \
         and call these; or mark the expression `#[passive]` if its derivative does not matter",
    )
}

fn is_closure(expr: &syn::Expr) -> bool {
    match places::strip(expr) {
        syn::Expr::Closure(_) => true,
        syn::Expr::Reference(reference) => is_closure(&reference.expr),
        _ => false,
    }
}

/// What to do instead of a method that changes a list, if it is one.
fn of_lists(call: &syn::ExprMethodCall) -> Option<&'static str> {
    Some(match call.method.to_string().as_str() {
        // The `Option` that the method yields.
        "unwrap" | "expect" => match places::strip(&call.receiver) {
            syn::Expr::MethodCall(inner) => return of_lists(inner),
            _ => return None,
        },
        "push" | "pop" | "extend" | "extend_from_slice" | "append" | "resize" | "truncate"
        | "clear" | "insert" | "remove" | "swap_remove" => {
            "keep the numbers in a `Vec` that is a variable of its own (`let mut v: Vec<f64> = …`): that can grow and shrink"
        }
        "sort"
        | "sort_by"
        | "sort_by_key"
        | "sort_unstable"
        | "sort_unstable_by"
        | "sort_unstable_by_key"
        | "sort_by_cached_key"
        | "select_nth_unstable"
        | "select_nth_unstable_by" => {
            "sort a variable that is seen to be a list, in a statement, by a comparison that changes nothing; \
             or sort indices (`order.sort_by(|&i, &j| v[i].total_cmp(&v[j]))`), and read `v[order[k]]`"
        }
        "retain" | "retain_mut" | "dedup" | "dedup_by" | "dedup_by_key" | "drain" | "splice"
        | "split_off" => "make a new list of the elements that remain with `push`",
        _ => return None,
    })
}

/// What to do instead of a method at the end of a chain of iterators, if it is one.
fn of_iterators(call: &syn::ExprMethodCall) -> Option<&'static str> {
    match places::strip(&call.receiver) {
        syn::Expr::MethodCall(inner)
            if ["iter", "iter_mut", "into_iter"].iter().any(|name| inner.method == name) =>
        {
            Some(
                "state the type of the list if it is the value of a call (`let list: Vec<f64> = …`), write it out with loops \
                 over ranges, or mark the expression `#[passive]` if its derivative does not matter",
            )
        }
        syn::Expr::MethodCall(inner) => of_iterators(inner),
        _ => None,
    }
}

/// The token by which an expression is best recognised. Spans of whole expressions are not to be had
/// on stable.
pub(super) fn token_of(expr: &syn::Expr) -> Span {
    let last = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.span());
    match expr {
        syn::Expr::MethodCall(call) => call.method.span(),
        syn::Expr::Call(call) => match places::strip(&call.func) {
            syn::Expr::Path(path) => last(&path.path).unwrap_or_else(|| expr.span()),
            _ => call.func.span(),
        },
        syn::Expr::Macro(mac) => last(&mac.mac.path).unwrap_or_else(|| expr.span()),
        syn::Expr::Struct(structure) => last(&structure.path).unwrap_or_else(|| expr.span()),
        syn::Expr::Try(exit) => exit.question_token.span(),
        _ => expr.span(),
    }
}

/// Tokens as people write them: paths without spaces.
fn spelled(path: &impl ToTokens) -> String {
    let text = path.to_token_stream().to_string();
    let joined = text.replace(" :: ", "::").replace("< ", "<").replace(" >", ">");
    joined.replace(" <", "<").replace(":: ", "::")
}

/// What to do about a method that takes a closure, and is none of the standard library.
fn of_functions(call: &syn::ExprMethodCall) -> Option<&'static str> {
    let is_called_with_one = call.args.iter().any(is_closure);
    (is_called_with_one && !is_known(&call.method)).then_some(
        "write it out with operators, loops and functions; if it is a method of a type of this crate, annotate it, and state the type of \
         what it is called on (`let rule: Rule = …;`), and it is lowered in place of the call; or mark the expression `#[passive]` if its \
         derivative does not matter",
    )
}
