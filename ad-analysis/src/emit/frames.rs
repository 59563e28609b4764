//! Loops whose iterations push or pop the same words and bits: room for those of all iterations is asked for once, in a frame.

use super::at;
use super::body::Emitter;
use super::types::known;
use crate::ir::{Block, Framed, Place, Range, Stmt, StmtKind};
use crate::types::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

/// What generated code calls the parts of a frame.
#[derive(Clone)]
pub(super) struct FrameNames {
    /// The words of an iteration.
    pub words: Ident,
    /// The bits of all iterations.
    pub bits: Ident,
    /// The numbers that the variable of the loop has by turns, with the words.
    pub numbers: Ident,
}

impl FrameNames {
    /// Names that `fresh` makes.
    pub(super) fn new(mut fresh: impl FnMut(&str) -> Ident) -> Self {
        Self { words: fresh("frame"), bits: fresh("bits"), numbers: fresh("numbers") }
    }
}

impl Emitter<'_> {
    /// A loop with a frame: the name of its variable, its range, and what an iteration does.
    pub(super) fn framed_loop(
        &self,
        framed: Framed,
        name: &TokenStream,
        range: &Range,
        body: &Block,
        span: Span,
    ) -> TokenStream {
        let places: Vec<&Place> = body.stmts.iter().filter_map(transferred).collect();
        let words = places.iter().filter(|place| !self.is_bit(place)).count();
        let mut items: Vec<TokenStream> = places.iter().map(|place| self.item_of(place)).collect();
        if framed == Framed::Popped {
            // The last that is pushed is the first that is popped.
            items.reverse();
        }
        let range = self.range(&Range { adaptors: Vec::new(), ..range.clone() }, &Type::USIZE);
        let arguments = quote!(#range, [#(#items),*]);
        let body = self.framed_stmts(&body.stmts, words);
        let (stack, FrameNames { words: frame, bits, numbers }) = (&self.stack, &self.frame);
        let (way, order) = match framed {
            Framed::Pushed => ("pushing", None),
            Framed::Popped => ("popping", Some(quote!(.rev()))),
        };
        if words == places.len() {
            let transfer = Ident::new(way, span);
            return quote_spanned!(span=> for (#name, #frame) in #stack.#transfer(#arguments)#order { #body });
        }
        let (pattern, transfer) = match words {
            0 => {
                let transfer = Ident::new(&format!("{way}_bits"), span);
                (name.clone(), quote!(#transfer))
            }
            _ => {
                let transfer = Ident::new(&format!("{way}_with_bits"), span);
                let words = position(words);
                (quote!((#name, #frame)), quote!(#transfer::<#words, _>))
            }
        };
        quote_spanned!(span=> {
            let (#numbers, mut #bits) = #stack.#transfer(#arguments);
            for #pattern in #numbers #order { #body }
        })
    }

    /// Whether what is pushed or popped is a truth value.
    fn is_bit(&self, place: &Place) -> bool {
        self.body.place_type(place) == Type::Bool
    }

    /// What tells the stack of what type a word is, or that it is a bit.
    fn item_of(&self, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let span = at(self.body.vars[place.root].span);
        if self.is_bit(place) {
            return quote_spanned!(span=> #rt::Word::bit());
        }
        let ty = known(&self.body.place_type(place));
        quote_spanned!(span=> #rt::Word::of::<#ty>())
    }

    fn framed_stmts(&self, stmts: &[Stmt], words: usize) -> TokenStream {
        let (rt, FrameNames { words: frame, bits, numbers: _ }) = (&self.rt, &self.frame);
        let mut tokens = TokenStream::new();
        let mut done = 0;
        for part in stmts.chunk_by(|a, b| transferred(a).is_none() && transferred(b).is_none()) {
            if let [Stmt { kind: StmtKind::Push { place, transfer }, .. }] = part {
                let value = self.pushed(place, *transfer);
                if self.is_bit(place) {
                    tokens.extend(quote!(#bits.push(#value);));
                } else {
                    let at = position(done);
                    tokens.extend(quote!(#frame[#at] = #rt::word(#value);));
                    done += 1;
                }
            } else if let [Stmt { kind: StmtKind::Pop { place, declares }, .. }] = part {
                let value = if self.is_bit(place) {
                    quote!(#bits.pop())
                } else {
                    done += 1;
                    let at = position(words - done);
                    quote!(#rt::from_word(#frame[#at]))
                };
                tokens.extend(self.popped(place, *declares, value));
            } else {
                tokens.extend(self.stmts_of(part));
            }
        }
        tokens
    }
}

/// Where a word is in a frame.
fn position(word: usize) -> Literal {
    Literal::usize_unsuffixed(word)
}

/// The place that a statement pushes or pops.
fn transferred(stmt: &Stmt) -> Option<&Place> {
    let (StmtKind::Push { place, transfer: _ } | StmtKind::Pop { place, declares: _ }) = &stmt.kind
    else {
        return None;
    };
    Some(place)
}
