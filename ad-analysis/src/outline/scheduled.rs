//! Loops that are reversed by a schedule: their sweeps carry it out.

use super::captures::Capture;
use super::entries::{Entries, Slots, Sweep};
use super::items::argument;
use super::plan::Plan;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Expr;
use syn::visit_mut::VisitMut;

impl Entries<'_> {
    /// The type of a schedule in the course of being carried out.
    pub(super) fn schedule_type(&self, plan: &Plan, state: &TokenStream) -> TokenStream {
        let rt = self.rt();
        let schedule = plan.schedule_type(self.repetition.length());
        let store = format_ident!("{}", if plan.disk.is_some() { "Tiered" } else { "Memory" });
        quote! {
            #rt::schedule::Checkpoints<
                #rt::schedule::#schedule, #state, (), #rt::schedule::#store<#state>
            >
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
            let last = run.last();
        }
    }

    /// Goes on with the schedule.
    pub(super) fn reverse_schedule(&self, slots: &Slots) -> TokenStream {
        let rt = self.rt();
        let (running, reversed) =
            (self.running_tasks(Sweep::Backward), self.backward_step(&slots.all, false));
        quote! {
            while let ::core::option::Option::Some(task) = run.backward_task() {
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
        let run = match &plan.disk {
            None => quote!(#rt::schedule::Checkpoints::started(schedule, initial)),
            Some(disk) => {
                let mut directory = disk.directory.clone();
                Arguments { captures: self.parts.captures() }.visit_expr_mut(&mut directory);
                quote!(#rt::schedule::Checkpoints::started_on_disk(schedule, #directory, initial))
            }
        };
        quote! {
            #count
            let schedule = #schedule;
            let mut run = #run;
        }
    }

    /// The call that asks for the next task of the forward sweep.
    fn forward_task(&self) -> TokenStream {
        match (self.goes_on(), &self.repetition.range) {
            (None, _) => quote!(run.forward_task()),
            (Some(place), Some(_)) => {
                quote!(run.step_task(|state, step| state.#place && step < count))
            }
            (Some(place), None) => quote!(run.step_task(|state, _| state.#place)),
        }
    }
}

/// Writes what the arguments are called for what is captured.
struct Arguments<'a> {
    captures: &'a [Capture],
}

impl VisitMut for Arguments<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let name = match expr {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let is_named = |capture: &Capture| name == Some(&capture.name);
        let Some(position) = self.captures.iter().position(is_named) else {
            syn::visit_mut::visit_expr_mut(self, expr);
            return;
        };
        let name = argument(position);
        *expr = match self.captures[position].is_behind() {
            true => syn::parse_quote!((*#name)),
            false => syn::parse_quote!(#name),
        };
    }
}
