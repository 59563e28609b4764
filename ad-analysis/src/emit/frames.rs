//! Loops whose iterations push or pop the same words and bits: room for those of all iterations is asked for once, in a frame.

use super::at;
use super::body::Emitter;
use super::types::known;
use crate::index::Var;
use crate::ir::{Block, Frame, Framed, Place, Range, Stmt, StmtKind, transfers_of};
use crate::types::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

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
    /// A loop with a frame: its variable and range, and what an iteration does.
    pub(super) fn framed_loop(
        &self,
        frame: Frame<'_>,
        var: Var,
        range: &Range,
        body: &Block,
        span: Span,
    ) -> TokenStream {
        let own = body.stmts.iter().flat_map(transfers_of);
        let places: Vec<&Place> = own.filter_map(|(_, stmt)| transferred(stmt)).collect();
        let words = places.iter().filter(|place| !self.is_bit(place)).count();
        let mut items: Vec<TokenStream> = places.iter().map(|place| self.item_of(place)).collect();
        let (way, order) = match frame.transfer {
            Framed::Pushed => ("pushing", None),
            Framed::Popped => {
                // The last that is pushed is the first that is popped.
                items.reverse();
                ("popping", Some(quote!(.rev())))
            }
        };
        let way = |what: &str| Ident::new(&format!("{way}{what}"), span);
        let range = self.range(&Range { adaptors: Vec::new(), ..range.clone() }, &Type::USIZE);
        let counter = self.name_of_counter(var, body);
        let (stack, FrameNames { words: own, bits, numbers }) = (&self.stack, &self.frame);
        if words == places.len() && frame.when.is_none() {
            let body = self.framed_stmts(&body.stmts, words, &quote!(#own));
            let transfer = way("");
            return quote_spanned!(span=> for (#counter, #own) in #stack.#transfer(#range, [#(#items),*])#order { #body });
        }
        let when = frame.when.map_or_else(|| quote!(true), |test| self.expr(test));
        let arguments = quote!(#when, &#numbers, [#(#items),*]);
        let bits = if words < places.len() { quote!(mut #bits) } else { quote!(_) };
        let lent = matches!(frame.transfer, Framed::Pushed).then(|| quote!(mut));
        let (names, transfer) = match (words, position(words)) {
            (0, _) => (bits, way("_bits").into_token_stream()),
            (_, words) => {
                let transfer = way("_frames");
                (quote!((#lent #own, #bits)), quote!(#transfer::<#words, _>))
            }
        };
        let counter = if words == 0 { counter } else { self.name(var) };
        let body = self.framed_stmts(&body.stmts, words, &quote!(#own.at(#counter)));
        quote_spanned!(span=> {
            let #numbers = #range;
            let #names = #stack.#transfer(#arguments);
            for #counter in #numbers #order { #body }
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

    /// The statements of an iteration, which has so many words in its own part of the frame.
    fn framed_stmts(&self, stmts: &[Stmt], words: usize, own: &TokenStream) -> TokenStream {
        let (rt, bits) = (&self.rt, &self.frame.bits);
        let mut tokens = TokenStream::new();
        let mut done = 0;
        let mut transfer = |stmt: &Stmt| {
            if let StmtKind::Push { place, transfer } = &stmt.kind {
                let value = self.pushed(place, *transfer);
                if self.is_bit(place) {
                    return quote!(#bits.push(#value););
                }
                let at = position(done);
                done += 1;
                quote!(#own[#at] = #rt::word(#value);)
            } else if let StmtKind::Pop { place, declares } = &stmt.kind {
                if self.is_bit(place) {
                    return self.popped(place, *declares, quote!(#bits.pop()));
                }
                done += 1;
                let at = position(words - done);
                self.popped(place, *declares, quote!(#rt::from_word(#own[#at])))
            } else {
                self.stmt(stmt)
            }
        };
        let is_apart = |stmt: &Stmt| !transfers_of(stmt).is_empty();
        for part in stmts.chunk_by(|a, b| !is_apart(a) && !is_apart(b)) {
            let [stmt] = part else {
                tokens.extend(self.stmts_of(part));
                continue;
            };
            if let (StmtKind::If { test, then, otherwise: _ }, true) = (&stmt.kind, is_apart(stmt))
            {
                let test = self.expr(test);
                let then: TokenStream = then.stmts.iter().map(&mut transfer).collect();
                tokens.extend(quote!(if #test { #then }));
            } else {
                tokens.extend(transfer(stmt));
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
