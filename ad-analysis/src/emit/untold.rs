//! Generic parameters that no argument tells, such as the `N` of `fn f<const N: usize>(x: f64) -> f64`:
//! entries that call each other name them.

use crate::interface::{Home, Interface};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use std::iter::repeat_n;
use syn::{GenericParam, Generics, ItemImpl};

/// The type a function is in, and its name.
type Name = (String, String);

/// The entries of a function, in which calls of each other say what the function's generic parameters
/// are, if the arguments do not tell.
pub fn naming_untold(interface: &Interface, entries: TokenStream) -> TokenStream {
    if interface.untold.is_empty() {
        return entries;
    }
    match interface.home {
        Home::Impl => {
            let mut calls = Calls::default();
            calls.add(interface, "Self", &entries);
            calls.completed(entries, "Self")
        }
        Home::Struct | Home::Beside | Home::StandardTrait => {
            let items = items_of(entries);
            let mut calls = Calls::default();
            for item in &items {
                if let (Some(owner), Some(TokenTree::Group(body))) =
                    (&item.owner, item.tokens.last())
                {
                    calls.add(interface, owner, &body.stream());
                }
            }
            let completed = items.into_iter().map(|Written { tokens, owner }| {
                calls.completed(tokens.into_iter().collect(), &owner.unwrap_or_default())
            });
            completed.collect()
        }
    }
}

/// An item among others.
struct Written {
    tokens: Vec<TokenTree>,
    /// The type whose functions stand in it, if it is an `impl` block of a type itself.
    owner: Option<String>,
}

/// The items that code consists of. To read all of it as syntax takes much longer.
fn items_of(code: TokenStream) -> Vec<Written> {
    let (mut items, mut tokens) = (Vec::new(), Vec::new());
    for token in code {
        let owner = match &token {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => owner_of(&tokens),
            TokenTree::Punct(punct) if punct.as_char() == ';' => None,
            TokenTree::Group(_)
            | TokenTree::Ident(_)
            | TokenTree::Punct(_)
            | TokenTree::Literal(_) => {
                tokens.push(token);
                continue;
            }
        };
        tokens.push(token);
        items.push(Written { tokens: std::mem::take(&mut tokens), owner });
    }
    items.push(Written { tokens, owner: None });
    items
}

/// The type that an `impl` block is of, by what stands before its braces; nothing of those of traits, and of other items.
fn owner_of(head: &[TokenTree]) -> Option<String> {
    head.iter()
        .any(|token| matches!(token, TokenTree::Ident(word) if word == "impl"))
        .then_some(())?;
    let head = head.iter().cloned().collect::<TokenStream>();
    let block: ItemImpl = syn::parse2(quote!(#head {})).ok()?;
    block.trait_.is_none().then(|| block.self_ty.to_token_stream().to_string())
}

/// The functions among the items of a block, with their generic parameters.
fn functions_in(block: &TokenStream) -> Vec<(Ident, Generics)> {
    let tokens: Vec<TokenTree> = block.clone().into_iter().collect();
    let mut functions = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [TokenTree::Ident(word), TokenTree::Ident(name)] = pair else { continue };
        if word == "fn" {
            let (mut depth, mut end) = (0, at + 2);
            while let Some(token) = tokens.get(end) {
                let before = &tokens[end - 1];
                match token {
                    TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
                    TokenTree::Punct(sign) if sign.as_char() == '>' && !is_dash(before) => {
                        depth -= 1
                    }
                    TokenTree::Punct(_)
                    | TokenTree::Ident(_)
                    | TokenTree::Group(_)
                    | TokenTree::Literal(_) => {}
                }
                if depth == 0 {
                    break;
                }
                end += 1;
            }
            // Without parameters, what stands there are the arguments.
            let inside = tokens.get(at + 2..=end).filter(|_| end > at + 2).unwrap_or_default();
            let generics = syn::parse2(inside.iter().cloned().collect());
            functions.push((name.clone(), generics.expect("generic parameters stand in `<…>`")));
        }
    }
    functions
}

/// Whether it is the `-` of an arrow.
fn is_dash(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '-')
}

/// What calls of functions are given.
#[derive(Default)]
struct Calls {
    turbofishes: HashMap<Name, TokenStream>,
}

impl Calls {
    /// The functions of a type in a block.
    fn add(&mut self, interface: &Interface, owner: &str, block: &TokenStream) {
        for (name, generics) in functions_in(block) {
            if let Some(turbofish) = turbofish(interface, &generics) {
                self.turbofishes.insert((owner.to_owned(), name.to_string()), turbofish);
            }
        }
    }

    /// The code, in which calls `Owner::name(…)` and `Owner {}.name(…)` have a turbofish. `own` is what
    /// `Self` means in it.
    fn completed(&self, code: TokenStream, own: &str) -> TokenStream {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        let mut completed: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        for (index, token) in tokens.iter().enumerate() {
            let is_call = matches!(tokens.get(index + 1), Some(TokenTree::Group(args)) if args.delimiter() == Delimiter::Parenthesis);
            completed.push(match token {
                TokenTree::Group(group) => {
                    let inside = self.completed(group.stream(), own);
                    let mut copy = Group::new(group.delimiter(), inside);
                    copy.set_span(group.span());
                    TokenTree::Group(copy)
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.clone(),
            });
            let turbofish = is_call.then(|| self.turbofish_behind(&tokens[..=index], own));
            completed.extend(turbofish.flatten().cloned().into_iter().flatten());
        }
        completed.into_iter().collect()
    }

    /// What is given to the function whose name the tokens end with.
    fn turbofish_behind(&self, tokens: &[TokenTree], own: &str) -> Option<&TokenStream> {
        let (owner, name): (&Ident, &Ident) = match tokens {
            [
                ..,
                TokenTree::Ident(owner),
                TokenTree::Punct(_),
                TokenTree::Punct(colon),
                TokenTree::Ident(name),
            ] if colon.as_char() == ':' => (owner, name),
            [
                ..,
                TokenTree::Ident(owner),
                TokenTree::Group(_),
                TokenTree::Punct(dot),
                TokenTree::Ident(name),
            ] if dot.as_char() == '.' => (owner, name),
            _ => return None,
        };
        let owner = if owner == "Self" { own.to_owned() } else { owner.to_string() };
        self.turbofishes.get(&(owner, name.to_string()))
    }
}

/// What a call gives a function that has the generic parameters of the user's before its own: these, and
/// what the arguments tell. `None` if it does not have them.
fn turbofish(interface: &Interface, generics: &Generics) -> Option<TokenStream> {
    let names = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.to_string()),
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    });
    let names: Vec<String> = names.collect();
    let own = &interface.generic_args;
    let told = repeat_n(quote!(_), names.len().checked_sub(own.len())?);
    let begins_with_own = names.iter().zip(own).all(|(name, own)| *name == own.to_string());
    begins_with_own.then(|| quote!(::<#(#own,)* #(#told),*>))
}
