//! Loops whose iterations push or pop the same words: these are pushed or popped at once, as a frame.

use super::at;
use super::body::Emitter;
use super::types::known;
use crate::ir::{Block, Framed, Place, Range, Stmt, StmtKind};
use crate::types::Type;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

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
        let words: Vec<TokenStream> =
            body.stmts.iter().filter_map(transferred).map(|place| self.word_of(place)).collect();
        let (stack, frame) = (&self.stack, &self.frame);
        let range = self.range(&Range { adaptors: Vec::new(), ..range.clone() }, &Type::USIZE);
        let body = self.framed_stmts(&body.stmts, words.len());
        let items = match framed {
            Framed::Pushed => quote!(#stack.pushing(#range, [#(#words),*])),
            Framed::Popped => {
                // The last word that is pushed is the first that is popped.
                let words = words.iter().rev();
                quote!(#stack.popping(#range, [#(#words),*]).rev())
            }
        };
        quote_spanned!(span=> for (#name, #frame) in #items { #body })
    }

    /// What tells the stack of what type a word is.
    fn word_of(&self, place: &Place) -> TokenStream {
        let (rt, ty) = (&self.rt, known(&self.body.place_type(place)));
        quote_spanned!(at(self.body.vars[place.root].span)=> #rt::Word::of::<#ty>())
    }

    fn framed_stmts(&self, stmts: &[Stmt], words: usize) -> TokenStream {
        let (rt, frame) = (&self.rt, &self.frame);
        let mut tokens = TokenStream::new();
        let mut done = 0;
        for part in stmts.chunk_by(|a, b| transferred(a).is_none() && transferred(b).is_none()) {
            if let [Stmt { kind: StmtKind::Push { place, transfer }, .. }] = part {
                let (at, value) = (position(done), self.pushed(place, *transfer));
                tokens.extend(quote!(#frame[#at] = #rt::word(#value);));
                done += 1;
            } else if let [Stmt { kind: StmtKind::Pop { place, declares }, .. }] = part {
                done += 1;
                let at = position(words - done);
                tokens.extend(self.popped(place, *declares, quote!(#rt::from_word(#frame[#at]))));
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
