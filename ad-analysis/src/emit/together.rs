//! Words that are pushed, or popped, together.

use super::at;
use super::body::Emitter;
use super::types::known;
use crate::ir::{Place, Stmt, StmtKind, Together, Transfer, together};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emitter<'_> {
    /// Statements that follow each other.
    pub(super) fn stmts_of(&self, stmts: &[Stmt]) -> TokenStream {
        let groups = together(self.body, &self.kept, stmts);
        let mut tokens = TokenStream::new();
        let mut done = 0;
        for Together { pushes, members } in groups {
            let (first, last) = (members[0], members[members.len() - 1]);
            tokens.extend(self.stmts_alone(&stmts[done..first]));
            tokens.extend(match pushes {
                true => self.pushed_together(stmts, &members),
                false => self.popped_together(stmts, &members),
            });
            done = last + 1;
        }
        tokens.extend(self.stmts_alone(&stmts[done..]));
        tokens
    }

    /// From the first to the last statement of a group: values are put aside until the last of them is there.
    fn pushed_together(&self, stmts: &[Stmt], members: &[usize]) -> TokenStream {
        let stack = &self.stack;
        let mut tokens = TokenStream::new();
        let mut values = Vec::new();
        let direct = members.len() - last_in_a_row(members);
        for (number, &member) in members.iter().enumerate() {
            if let StmtKind::Push { place, transfer } = &stmts[member].kind {
                let value = self.value_pushed(place, *transfer);
                if number < direct {
                    let name = put_aside(number);
                    tokens.extend(quote!(let #name = #value;));
                    values.push(quote!(#name));
                } else {
                    values.push(value);
                }
            }
            let next = members.get(number + 1).copied().unwrap_or(member + 1);
            tokens.extend(self.stmts_alone(&stmts[member + 1..next]));
        }
        tokens.extend(quote!(#stack.push_together((#(#values),*));));
        tokens
    }

    /// A value for the stack, which says where it is that of the user.
    fn value_pushed(&self, place: &Place, transfer: Transfer) -> TokenStream {
        let (rt, value) = (&self.rt, self.pushed(place, transfer));
        quote_spanned!(at(self.body.vars[place.root].span)=> #rt::put(#value))
    }

    /// From the first to the last statement of a group: what is wanted later is put aside.
    fn popped_together(&self, stmts: &[Stmt], members: &[usize]) -> TokenStream {
        let stack = &self.stack;
        let direct = first_in_a_row(members);
        let (mut names, mut types, mut later) = (Vec::new(), Vec::new(), TokenStream::new());
        for (number, &member) in members.iter().enumerate() {
            if let StmtKind::Pop { place, declares } = &stmts[member].kind {
                let ty = known(&self.body.place_type(place));
                types.push(ty.unwrap_or_else(|| quote!(_)));
                if *declares && number < direct {
                    names.push(self.binder(place.root));
                } else {
                    let name = put_aside(number);
                    later.extend(self.popped(place, *declares, quote!(#name)));
                    names.push(quote!(#name));
                }
            }
            let next = members.get(number + 1).copied().unwrap_or(member + 1);
            later.extend(self.stmts_alone(&stmts[member + 1..next]));
        }
        // The last that was pushed is the first that is popped.
        names.reverse();
        types.reverse();
        quote!(let (#(#names),*): (#(#types),*) = #stack.pop_together(); #later)
    }
}

/// The name of a value that is put aside. It is none that the user could write.
fn put_aside(number: usize) -> Ident {
    Ident::new(&format!("word_{number}"), Span::mixed_site())
}

/// How many members follow each other directly, from the first one on.
fn first_in_a_row(members: &[usize]) -> usize {
    1 + members.windows(2).take_while(|pair| pair[1] == pair[0] + 1).count()
}

/// The same up to the last one.
fn last_in_a_row(members: &[usize]) -> usize {
    1 + members.windows(2).rev().take_while(|pair| pair[1] == pair[0] + 1).count()
}
