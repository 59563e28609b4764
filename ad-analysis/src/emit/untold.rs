//! Generic parameters that no argument tells, such as the `N` of `fn f<const N: usize>(x: f64) -> f64`:
//! entries that call each other name them.

use crate::interface::{Home, Interface};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use std::iter::repeat_n;
use syn::{GenericParam, ImplItem, Item, ItemImpl};

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
            let block = syn::parse2::<ItemImpl>(quote!(impl Self { #entries }));
            let block = block.expect("the entries are functions of an `impl` block");
            let calls = Calls::new(interface, [&block]);
            calls.completed(entries, "Self")
        }
        Home::Struct | Home::Beside | Home::StandardTrait => {
            let file = syn::parse2::<syn::File>(entries).expect("the entries are items");
            let blocks = file.items.iter().filter_map(inherent);
            let calls = Calls::new(interface, blocks);
            let completed = file.items.iter().map(|item| {
                let owner = inherent(item).map(|block| block.self_ty.to_token_stream().to_string());
                calls.completed(item.to_token_stream(), &owner.unwrap_or_default())
            });
            completed.collect()
        }
    }
}

fn inherent(item: &Item) -> Option<&ItemImpl> {
    match item {
        Item::Impl(block) => Some(block).filter(|block| block.trait_.is_none()),
        _ => None,
    }
}

/// What calls of functions are given.
struct Calls {
    turbofishes: HashMap<Name, TokenStream>,
}

impl Calls {
    fn new<'i>(interface: &Interface, blocks: impl IntoIterator<Item = &'i ItemImpl>) -> Self {
        let mut turbofishes = HashMap::new();
        for block in blocks {
            let owner = block.self_ty.to_token_stream().to_string();
            for item in &block.items {
                if let ImplItem::Fn(function) = item
                    && let Some(turbofish) = turbofish(interface, &function.sig.generics)
                {
                    let name = function.sig.ident.to_string();
                    turbofishes.insert((owner.clone(), name), turbofish);
                }
            }
        }
        Self { turbofishes }
    }

    /// The code, in which calls `Owner::name(…)` and `Owner {}.name(…)` have a turbofish. `own` is what
    /// `Self` means in it.
    fn completed(&self, code: TokenStream, own: &str) -> TokenStream {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        let mut completed = TokenStream::new();
        for (index, token) in tokens.iter().enumerate() {
            let turbofish = self.turbofish_behind(&tokens[..=index], own);
            let is_call = matches!(tokens.get(index + 1), Some(TokenTree::Group(args)) if args.delimiter() == Delimiter::Parenthesis);
            completed.extend([match token {
                TokenTree::Group(group) => {
                    let inside = self.completed(group.stream(), own);
                    let mut copy = Group::new(group.delimiter(), inside);
                    copy.set_span(group.span());
                    TokenTree::Group(copy)
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.clone(),
            }]);
            completed.extend(turbofish.filter(|_| is_call).cloned());
        }
        completed
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
fn turbofish(interface: &Interface, generics: &syn::Generics) -> Option<TokenStream> {
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
