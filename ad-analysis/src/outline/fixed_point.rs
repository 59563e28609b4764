//! Fixed-point loops.
//!
//! The loop `loop { A; if c { break; } B }` ends with `A` of a state `z` that is a fixed point of `φ = B ∘ A`, the step that completes.
//! Backwards there is first the adjoint of its last iteration, which is `A`, and then that of `z`, which is the solution `w` of
//! `w = b + φ_zᵀ w`, with the bar `b` of `z`: passes over the step at `z` with bars of the state only, and in the end one with those of
//! everything else.

use super::captures::Capture;
use super::entries::{Entries, Slots, Sweep, bar};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Entries<'_> {
    /// Runs the steps, and keeps the state before the last one.
    pub(super) fn run_to_fixed_point(&self) -> TokenStream {
        let (rt, advanced) = (self.rt(), self.advanced());
        let goes_on = self.goes_on();
        let places = self.parts.state().map(|(place, ..)| place);
        let heap_bytes = self.heap_bytes(&quote!(before));
        quote! {
            let mut last = initial;
            let mut before = ::core::clone::Clone::clone(&last);
            let mut steps = 0_usize;
            while last.#goes_on {
                #(::core::clone::Clone::clone_from(&mut before.#places, &last.#places);)*
                let state = &mut last;
                #advanced;
                steps = steps.saturating_add(1);
            }
            let heap_bytes = #heap_bytes;
            let run = #rt::FixedPoint { state: before, iterated: steps > 1, heap_bytes };
        }
    }

    /// The adjoint of the last iteration, and of what the loop has converged to.
    pub(super) fn reverse_fixed_point(&self, slots: &Slots) -> TokenStream {
        let (rt, name) = (self.rt(), self.loop_name());
        let marker = |position| self.marker(Sweep::Backward, position);
        let (left, left_back) =
            (self.forward_step(marker, false), self.backward_step(&slots.all, false));
        let (whole, whole_back) =
            (self.forward_step(marker, true), self.backward_step(&slots.all, true));
        let (pass, pass_back) = (
            self.forward_step(|_| quote!(#rt::Off), true),
            self.backward_step(&slots.of_state, true),
        );
        let present = quote!(let state = &mut ::core::clone::Clone::clone(&run.state););
        let carried = self.bars(|capture| capture.is_carried);
        let others = self.bars(|capture| !capture.is_carried);
        let (read_carried, write_carried) =
            (self.read(&carried, &quote!(iteration.iterate())), self.write(&carried));
        let (read_others, write_others) =
            (self.read(&others, &quote!(&others)), self.write(&others));
        let prepared = quote! {
            #read_carried
            if run.iterated {
                #read_others
            } else {
                #(#rt::Vector::set_zero(&mut *#others);)*
            }
            #present
        };
        let (held, released) = (quote!(stack.hold(&kept);), quote!(stack.release();));
        quote! {
            stack.hold(&run);
            {
                #present
                #left
                #held
                #left_back
                #released
            }
            let others = #write_others;
            let mut iteration = #rt::LinearIteration::adjoint(
                &*stack, #name, #write_carried, &others, *tolerance, *passes,
            );
            while iteration.goes_on() {
                {
                    #prepared
                    #pass
                    #held
                    #pass_back
                    #released
                }
                iteration.add(&#write_carried);
            }
            {
                #prepared
                #whole
                #held
                #whole_back
                #released
            }
            iteration.finish(&mut *stack);
            #released
            #(#rt::Vector::set_zero(&mut *#carried);)*
            if !run.iterated {
                // What no iteration has written is what it was before the loop.
                #read_others
            }
        }
    }

    /// The bars of a part of the state.
    fn bars(&self, is_meant: impl Fn(&Capture) -> bool) -> Vec<Ident> {
        let state = self.parts.state().filter(|(.., capture)| capture.is_active_state());
        let meant = state.filter(|(.., capture)| is_meant(capture));
        meant.map(|(_, position, _)| bar(position)).collect()
    }

    /// A flat list of bars.
    fn write(&self, bars: &[Ident]) -> TokenStream {
        let rt = self.rt();
        quote! {{
            let mut flat = ::std::vec::Vec::new();
            #(#rt::Vector::write_flat(&*#bars, &mut flat);)*
            flat
        }}
    }

    /// Takes bars from a flat list.
    fn read(&self, bars: &[Ident], flat: &TokenStream) -> TokenStream {
        let rt = self.rt();
        quote! {{
            let flat: &[f64] = #flat;
            #(let flat = #rt::Vector::read_flat(&mut *#bars, flat);)*
        }}
    }
}
