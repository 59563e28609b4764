//! Loops that are reversed by a schedule: their sweeps carry it out.

use super::entries::{Entries, Slots, Sweep};
use super::items::argument;
use super::plan::Plan;
use crate::interface::Passing;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Expr;

impl Entries<'_> {
    /// The type of a schedule in the course of being carried out.
    pub(super) fn schedule_type(&self, plan: &Plan, state: &TokenStream) -> TokenStream {
        let rt = self.rt();
        let schedule = plan.schedule_type(self.repetition.length());
        let store = format_ident!("{}", if plan.disk.is_some() { "Tiered" } else { "Memory" });
        quote! {
            #rt::schedule::Run<#rt::schedule::#schedule, #state, #rt::schedule::#store<#state>>
        }
    }

    /// Runs the steps up to the forward sweep of the last one.
    pub(super) fn run_schedule(&self, plan: &Plan) -> TokenStream {
        let rt = self.rt();
        let (started, task) = (self.started(plan), self.forward_task());
        let running = self.running_tasks(Sweep::Forward);
        quote! {
            #started
            while let ::core::option::Option::Some(task) = #task {
                match task {
                    #running
                    #rt::schedule::Task::Backward { .. } => {}
                }
            }
            let last = run.last(&mut *stack);
        }
    }

    /// Goes on with the schedule.
    pub(super) fn reverse_schedule(&self, slots: &Slots) -> TokenStream {
        let rt = self.rt();
        let (running, reversed) =
            (self.running_tasks(Sweep::Backward), self.backward_step(&slots.all, false));
        quote! {
            while let ::core::option::Option::Some(task) = run.backward_task(&mut *stack) {
                match task {
                    #running
                    #rt::schedule::Task::Backward { step } => {
                        let kept = stack.pop();
                        #reversed
                    }
                }
            }
        }
    }

    /// What is done for the tasks that run steps.
    fn running_tasks(&self, sweep: Sweep) -> TokenStream {
        let (rt, advanced) = (self.rt(), self.advanced());
        let taped = self.forward_step(|position| self.marker(sweep, position), false);
        quote! {
            #rt::schedule::Task::Advance { state, steps } => {
                for step in steps {
                    #advanced;
                }
            }
            #rt::schedule::Task::Forward { state, step } => {
                #taped
                stack.push(kept);
            }
        }
    }

    /// The schedule in its initial state.
    fn started(&self, plan: &Plan) -> TokenStream {
        let (rt, repetition) = (self.rt(), self.repetition);
        let schedule = plan.schedule(&rt, repetition.length());
        let count = repetition.range.as_ref().map(|_| quote!(let count = (start..end).count();));
        let heap_bytes = self.heap_bytes(&quote!(state));
        let run = match &plan.disk {
            None => quote!(#rt::schedule::Run::started(schedule, initial, |state| #heap_bytes)),
            Some(disk) => {
                let directory = self.in_terms_of_arguments(&disk.directory);
                quote! {
                    #rt::schedule::Run::started_on_disk(
                        schedule, #directory, initial, |state| #heap_bytes,
                    )
                }
            }
        };
        quote! {
            #count
            let schedule = #schedule;
            let mut run = #run;
        }
    }

    /// An expression of the user's, where what it mentions has other names.
    fn in_terms_of_arguments(&self, expr: &Expr) -> TokenStream {
        let captures = self.parts.captures();
        let names = captures.iter().map(|capture| &capture.name);
        let values = captures.iter().enumerate().map(|(position, capture)| {
            let argument = argument(position);
            match capture.passing {
                Passing::Value => quote!(#argument),
                Passing::Shared | Passing::Exclusive => quote!(&*#argument),
            }
        });
        quote! {{
            #[allow(unused_variables)]
            let (#(#names,)*) = (#(#values,)*);
            #expr
        }}
    }

    /// The call that asks for the next task of the forward sweep.
    fn forward_task(&self) -> TokenStream {
        match (self.goes_on(), &self.repetition.range) {
            (None, _) => quote!(run.forward_task(&mut *stack)),
            (Some(place), Some(_)) => {
                quote!(run.step_task(&mut *stack, |state, step| state.#place && step < count))
            }
            (Some(place), None) => quote!(run.step_task(&mut *stack, |state, _| state.#place)),
        }
    }
}
