//! Changes of tokens, after which there need not be a function any more.

use fastrand::Rng;
use proc_macro2::{Group, TokenStream, TokenTree};

/// Changes tokens in one of the groups.
pub fn change(tokens: TokenStream, rng: &mut Rng) -> TokenStream {
    let mut list: Vec<TokenTree> = tokens.into_iter().collect();
    let groups: Vec<usize> =
        (0..list.len()).filter(|at| matches!(list[*at], TokenTree::Group(_))).collect();
    // Most tokens are deep inside, in the last of the groups.
    if !groups.is_empty() && rng.usize(..8) > 0 {
        let at =
            if rng.bool() { groups[groups.len() - 1] } else { groups[rng.usize(..groups.len())] };
        if let TokenTree::Group(group) = &list[at] {
            let inner = change(group.stream(), rng);
            list[at] = TokenTree::Group(Group::new(group.delimiter(), inner));
        }
        return list.into_iter().collect();
    }
    if list.is_empty() {
        return TokenStream::new();
    }
    let (at, other) = (rng.usize(..list.len()), rng.usize(..list.len()));
    match rng.usize(..6) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at].clone()),
        2 => list.swap(at, other),
        3 => list[at] = list[other].clone(),
        4 => {
            let words = [
                "mut", "&", "x", "ref", "move", "0", "1.0", "..", "return", "_", "self", ";", ",",
                "|",
            ];
            let new: TokenStream = words[rng.usize(..words.len())].parse().expect("tokens");
            list.splice(at..at, new);
        }
        _ => {
            let names: Vec<usize> =
                (0..list.len()).filter(|at| matches!(list[*at], TokenTree::Ident(_))).collect();
            if names.len() > 1 {
                list.swap(names[rng.usize(..names.len())], names[rng.usize(..names.len())]);
            }
        }
    }
    list.into_iter().collect()
}
