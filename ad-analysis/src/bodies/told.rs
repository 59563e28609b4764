//! Options that only the macro writes: the bodies of functions that take functions, by the files of the crate.

use crate::signatures::Receiver;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// `passed_to({ f } { constant } { { path } … } { digest } { receiver } { fn f(…) { … } } …)`
pub const PASSED_TO: &str = "passed_to";

/// `in_place({ digest } { proofs })`
pub const IN_PLACE: &str = "in_place";

/// The same of functions of types: `in_place_of_type({ f { digest } { proofs } } …)`
pub const IN_PLACE_OF_TYPE: &str = "in_place_of_type";

/// A function that takes functions, which is called.
#[derive(Clone, Debug)]
pub struct PassedTo {
    /// The path by which it is called.
    pub called: TokenStream,
    /// The constant that tells its body.
    pub constant: TokenStream,
    /// Other paths of it, from the root of the crate.
    pub paths: Vec<TokenStream>,
    /// The number of its body.
    pub digest: TokenStream,
    /// If it is a method, how it takes its receiver, which is a parameter like others in the function.
    pub receiver: Option<Receiver>,
    /// The function, or what is in the way of lowering it in place, and what to do.
    pub function: Result<TokenStream, (String, String)>,
}

/// What a function that takes functions is replaced by.
#[derive(Clone, Debug)]
pub enum InPlace {
    /// It is known.
    Known {
        /// The number of its body.
        digest: TokenStream,
        /// Proofs of what its names mean.
        proofs: TokenStream,
    },
    /// Others cannot lower it.
    Hindered {
        /// Where.
        at: Span,
        /// What is in the way.
        message: String,
        /// What to do.
        help: String,
    },
}

impl PassedTo {
    /// The name by which it is looked up.
    pub fn key(&self) -> String {
        key_of_path(&self.called)
    }

    /// The type that it is a function of, and its name: if it is one that is known, and has no paths of its own.
    pub fn owner_and_name(&self) -> Option<(TokenStream, Ident)> {
        if self.function.is_err() || !self.paths.is_empty() {
            return None;
        }
        let mut path = syn::parse2::<syn::Path>(self.called.clone()).ok()?;
        let name = path.segments.pop()?.ident;
        path.segments.pop_punct();
        Some((path.to_token_stream(), name))
    }

    /// Those in a list.
    pub fn all_in(list: TokenStream) -> Vec<Self> {
        let groups = groups_in(list);
        let each = groups.chunks_exact(6).filter_map(|parts| {
            let [called, constant, paths, digest, receiver, function] = parts else {
                return None;
            };
            let paths = groups_in(paths.stream()).iter().map(Group::stream).collect();
            let function = match texts_in(function.stream()) {
                Some(texts) => Err(texts),
                None => Ok(function.stream()),
            };
            let receiver = Receiver::of(&receiver.stream());
            let [called, constant, digest] = [called, constant, digest].map(Group::stream);
            Some(Self { called, constant, paths, digest, receiver, function })
        });
        each.collect()
    }
}

impl ToTokens for PassedTo {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { called, constant, paths, digest, receiver, function } = self;
        let function = match function {
            Ok(function) => function.clone(),
            Err((message, help)) => quote!(#message #help),
        };
        tokens.extend(quote! {
            { #called } { #constant } { #({ #paths })* } { #digest } { #receiver } { #function }
        });
    }
}

impl Receiver {
    fn of(tokens: &TokenStream) -> Option<Self> {
        let all = [Self::Value, Self::Shared, Self::Exclusive];
        let text = tokens.to_string();
        all.into_iter().find(|one| one.to_token_stream().to_string() == text)
    }
}

impl ToTokens for Receiver {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Receiver::Value => quote!(self),
            Receiver::Shared => quote!(&self),
            Receiver::Exclusive => quote!(&mut self),
        });
    }
}

impl InPlace {
    /// As it is written in a list of those of functions of types.
    pub fn of_type(&self, name: &Ident) -> TokenStream {
        quote!({ #name #self })
    }

    /// Those of functions of types, with their names.
    pub fn of_types(list: TokenStream) -> Vec<(Ident, Self)> {
        let each = groups_in(list).into_iter().filter_map(|group| {
            let mut tokens = group.stream().into_iter();
            let Some(TokenTree::Ident(name)) = tokens.next() else { return None };
            Some((name, Self::of(tokens.collect())?))
        });
        each.collect()
    }

    /// What is in a list.
    pub fn of(list: TokenStream) -> Option<Self> {
        match groups_in(list.clone()).as_slice() {
            [digest, proofs] => {
                Some(InPlace::Known { digest: digest.stream(), proofs: proofs.stream() })
            }
            _ => {
                let (message, help) = texts_in(list.clone())?;
                let at = list.into_iter().next().map_or_else(Span::call_site, |first| first.span());
                Some(InPlace::Hindered { at, message, help })
            }
        }
    }
}

impl ToTokens for InPlace {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            InPlace::Known { digest, proofs } => quote!({ #digest } { #proofs }),
            InPlace::Hindered { at, message, help } => {
                let at = Ident::new("at", *at);
                quote!(#at #message #help)
            }
        });
    }
}

/// A path as a text without spaces.
pub fn key_of_path(path: &TokenStream) -> String {
    path.to_string().replace(' ', "")
}

fn groups_in(tokens: TokenStream) -> Vec<Group> {
    let groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    });
    groups.collect()
}

/// The two texts that tokens end with, if they do.
fn texts_in(tokens: TokenStream) -> Option<(String, String)> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let [.., message, help] = tokens.as_slice() else { return None };
    let text = |token: &TokenTree| {
        syn::parse2::<syn::LitStr>(token.to_token_stream()).ok().map(|text| text.value())
    };
    Some((text(message)?, text(help)?))
}
