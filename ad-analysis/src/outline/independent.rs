//! Loops whose iterations do not depend on each other.
//!
//! What an iteration reads is the same before the loop as it is before the iteration, so each one runs again from
//! the state before the loop, and is reversed at once. They run from the last to the first. If one has read what
//! another has written, they leave something else than they left in the order of the loop, which is checked.

use super::captures::Capture;
use super::entries::{Entries, Slots, Sweep};
use proc_macro2::TokenStream;
use quote::quote;

impl Entries<'_> {
    /// Runs the steps, and keeps the state before them.
    pub(super) fn run_independently(&self) -> TokenStream {
        let (rt, advanced) = (self.rt(), self.advanced());
        let prints = self.prints(&quote!(last));
        let heap_bytes = self.heap_bytes(&quote!(initial));
        quote! {
            let mut last = ::core::clone::Clone::clone(&initial);
            for step in 0..(start..end).count() {
                let state = &mut last;
                #advanced;
            }
            let heap_bytes = #heap_bytes;
            let run = #rt::Independent { state: initial, prints: #prints, heap_bytes };
        }
    }

    /// Runs and reverses each step.
    pub(super) fn reverse_independently(&self, slots: &Slots) -> TokenStream {
        let name = self.loop_name();
        let step = self.forward_step(|position| self.marker(Sweep::Backward, position), false);
        let reversed = self.backward_step(&slots.all, false);
        let prints = self.prints(&quote!(run.state));
        quote! {
            stack.hold(&run);
            for step in (0..(start..end).count()).rev() {
                let state = &mut run.state;
                #step
                stack.hold(&kept);
                #reversed
                stack.release();
            }
            stack.release();
            run.check(#name, &#prints);
        }
    }

    /// The fingerprints of the lists in a state.
    fn prints(&self, state: &TokenStream) -> TokenStream {
        let rt = self.rt();
        let lists = self.parts.state().filter(|(.., capture)| is_compared(capture));
        let lists = lists.map(|(place, ..)| quote!(#rt::fingerprint(&#state.#place)));
        quote!(::std::vec::Vec::<u64>::from([#(#lists),*]))
    }
}

/// Whether the order of the iterations must not make a difference to what they leave there: what is no sum, and what is
/// not written anew by each.
fn is_compared(capture: &Capture) -> bool {
    capture.is_carried
}
