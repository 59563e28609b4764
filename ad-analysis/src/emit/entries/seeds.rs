//! Adjoints for several seeds at once.

use super::super::types::known;
use super::super::{Product, docs, ident, located};
use super::public::Extras;
use super::several::replaced;
use super::{Entries, Entry, Several, SeveralOf};
use crate::interface::{Parameter, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Entries<'_> {
    /// Writes something with the bars for several seeds in the places of those for one, if callers find such a sweep.
    fn with_seeds<T>(&self, write: impl FnOnce(&Entries<'_>, &Ident) -> T) -> Option<T> {
        let seeds = self.product.seeds.filter(|_| self.is_function())?;
        let product = Product { adjoint: &seeds.adjoint, ..*self.product };
        let (mut entries, bars) =
            (Entries::new(&product), ident(&seeds.parameter, Span::call_site()));
        entries.several = Some(Several { parameter: bars.clone(), of: SeveralOf::Seeds });
        Some(write(&entries, &bars))
    }

    /// Whether there are none.
    pub(super) fn refuses_seeds(&self) -> bool {
        let is_refused = self.product.seeds.is_none_or(|seeds| seeds.is_refused);
        // What reverses checkpointed blocks and loops has one seed.
        is_refused || self.product.ordinary.is_some() || self.interface.given_adjoint.is_some()
    }

    /// The entry for users.
    pub(super) fn adjoints(&self) -> Option<Entry> {
        let count = self.fresh_count("SEEDS");
        let is_refused = self.refuses_seeds();
        self.with_seeds(|entries, bars| {
            let (rt, stack, ret) = (&entries.rt, &entries.stack, &entries.ret);
            let (demand, body) = match is_refused {
                true => {
                    let demand = quote!(for<'user> (): #rt::tangent_of::NoOtherSeeds);
                    (Some(demand), quote!(::core::unreachable!()))
                }
                false => {
                    let (pool, joint) = (entries.pool(), entries.joint(true));
                    (None, quote!(let #stack = #pool; #joint #ret))
                }
            };
            let extras = Extras { generics: vec![quote!(const #count: usize)], demand };
            let (doc, output) = (docs::adjoints(self.interface, &count), entries.value_output());
            let params = entries.adjoint_params(false);
            let entry = entries.entry_with("adjoints", doc, false, params, output, body, extras);
            let Entry { name, doc, signature, tokens } = entry;
            let several = quote!([f64; #count]);
            let [signature, tokens] =
                [signature, tokens].map(|tokens| replaced(tokens, bars, &several));
            Entry { name, doc, signature, tokens }
        })
    }

    /// The sweep that callers find.
    pub(super) fn backward_sweep_for_seeds(&self) -> Option<TokenStream> {
        let is_refused = self.refuses_seeds();
        self.with_seeds(|entries, bars| match is_refused {
            true => entries.refused_sweep_for_seeds(bars),
            false => entries.backward_sweep(),
        })
    }

    /// The same for callers that see a value, and not its type.
    pub(super) fn by_receiver_for_seeds(&self) -> Option<TokenStream> {
        if !self.interface.has_receiver {
            return None;
        }
        // It would be found by a bar, of which the macro does not see what it is made of.
        let is_refused = self.refuses_seeds() || self.changes_receiver();
        self.with_seeds(|entries, bars| match is_refused {
            true => Some(entries.refused_by_receiver(bars)),
            false => entries.backward_by_receiver(),
        })?
    }

    /// Only where the sweep is used, it is missed: anything may be passed until then.
    fn refused_sweep_for_seeds(&self, bars: &Ident) -> TokenStream {
        let params = self.interface.params.iter().zip(&self.activity).map(|(param, activity)| {
            let ty = located(param.ty.clone());
            match param.passing {
                Passing::Shared => quote!(_: #ty, _: #activity),
                Passing::Value => quote!(_: &#ty, _: #activity),
                Passing::Exclusive => quote!(_: (), _: #activity),
            }
        });
        let (definition, own) = self.sweep_definition(self.backward_name());
        self.refused(bars, &definition, own, &TokenStream::new(), &quote!(#(#params,)*))
    }

    /// The same for callers that see a value, and not its type.
    fn refused_by_receiver(&self, bars: &Ident) -> TokenStream {
        let (visibility, name) = (&self.interface.visibility, self.hidden_name("backwards_of"));
        let (types, activities) = (self.passed_again(), &self.activity[1..]);
        let own = if self.changes_receiver() { quote!(&mut self,) } else { quote!(&self,) };
        let own_activity = &self.activity[0];
        let definition = quote!(#visibility fn #name);
        let params = quote!(_: #own_activity, #(_: #types, _: #activities,)*);
        self.refused(bars, &definition, Some(own), &quote!(Self), &params)
    }

    fn refused(
        &self,
        bars: &Ident,
        definition: &TokenStream,
        own: Option<TokenStream>,
        mentioned: &TokenStream,
        params: &TokenStream,
    ) -> TokenStream {
        let (rt, stack_type, primal_type) = (&self.rt, &self.stack_type, &self.primal_type);
        let message = format!("`{}` has no adjoint for several seeds", self.interface.name);
        let all = self.interface.params.iter().zip(&self.activity);
        let types = all.clone().filter(|(param, _)| param.has_bar());
        let marker = |activity| quote!(<#activity as #rt::AnySlot>::Marker);
        let types = types.map(|(param, activity)| (param.var, marker(activity))).collect();
        // A caller may know of its type from here only.
        let kept = self.kept_type(&types);
        let activities = all.map(|(param, activity)| match param.has_bar() {
            true => quote!(#activity: #rt::AnySlot),
            false => quote!(#activity),
        });
        let more = [quote!(#primal_type)].into_iter().chain(activities);
        let more: Vec<TokenStream> = more.chain([quote!(#bars: #rt::Bars)]).collect();
        let (generics, bounds) = self.generics(&more, &quote!(#mentioned #params #kept));
        quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #definition #generics (
                #own
                _: &mut #stack_type,
                _: #primal_type,
                _: ::core::marker::PhantomData<#bars>,
                _: #kept,
                #params
                _: impl ::core::marker::Sized
            ) #bounds {
                const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
            }
        }
    }

    /// The name of the forward sweep.
    pub(super) fn forward_name(&self) -> &'static str {
        match self.several_of() {
            None | Some(SeveralOf::Seeds) => "forward",
            Some(SeveralOf::Directions) => "forward_along",
        }
    }

    /// The name of the backward sweep.
    pub(super) fn backward_name(&self) -> &'static str {
        match self.several_of() {
            None => "backward",
            Some(SeveralOf::Seeds) => "backwards",
            Some(SeveralOf::Directions) => "backward_along",
        }
    }

    /// What there are several of.
    pub(super) fn several_of(&self) -> Option<SeveralOf> {
        self.several.as_ref().map(|several| several.of)
    }

    /// What tells the backward sweep the type of the bars for several seeds or directions.
    pub(super) fn marker_of_several(&self) -> Option<TokenStream> {
        let bars = &self.several.as_ref()?.parameter;
        Some(quote!(::core::marker::PhantomData::<#bars>,))
    }

    /// The type of the bar of a parameter for several seeds or directions.
    pub(super) fn bar_for_several(&self, param: &Parameter) -> Option<TokenStream> {
        self.several.as_ref()?;
        let adjoint = self.product.adjoint;
        let bar = adjoint.bars.iter().find(|slot| slot.param == param.var)?.bar?;
        known(&adjoint.backward.vars[bar].ty)
    }

    /// The type of the seeds.
    pub(super) fn seed_for_several(&self) -> Option<TokenStream> {
        self.several.as_ref()?;
        let adjoint = self.product.adjoint;
        known(&adjoint.backward.vars[adjoint.seed?].ty)
    }
}
