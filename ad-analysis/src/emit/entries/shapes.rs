//! Checks that bars have the shapes of what they belong to, where types do not imply it.

use super::{Entries, relocated};
use crate::diff::Tangent;
use crate::interface::{Parameter, Passing};
use crate::ir::Carrier;
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// What is compared.
#[derive(Clone, Copy)]
enum Compared {
    /// The lengths of two lists.
    Lengths,
    /// All lengths and variants in a value.
    Shapes,
}

impl Compared {
    /// What is to be compared of values of a type, if two of them may differ.
    fn of(ty: &Type) -> Option<Self> {
        match ty {
            Type::Slice(element) | Type::Vec(element) if !element.has_dynamic_shape() => {
                Some(Self::Lengths)
            }
            ty => ty.has_dynamic_shape().then_some(Self::Shapes),
        }
    }

    /// That of a value that is called so, which `reference` refers to.
    fn of_value(self, name: &Ident, reference: &TokenStream, rt: &TokenStream) -> TokenStream {
        match self {
            Self::Lengths => quote!(#name.len()),
            Self::Shapes => quote!({
                use #rt::shaped::{WithBars as _, WithoutBars as _};
                (&#rt::shaped::Shaped(#reference)).shape()
            }),
        }
    }

    /// That of a bar.
    fn of_bar(self, name: &Ident, reference: &TokenStream, rt: &TokenStream) -> TokenStream {
        match self {
            Self::Lengths => quote!(#name.len()),
            Self::Shapes => quote!(#rt::shape_of_bar(#reference)),
        }
    }

    /// Panics if they differ.
    fn check(
        self,
        name: &Ident,
        found: &TokenStream,
        expected: &TokenStream,
        rt: &TokenStream,
    ) -> TokenStream {
        let text = name.to_string();
        match self {
            Self::Lengths => quote!(#rt::check_len(#text, #found, #expected);),
            Self::Shapes => quote!(#rt::check_shape(#text, #found, #expected);),
        }
    }
}

/// A bar, or a seed, whose shape is that of a value after the forward sweep.
pub(super) struct LateShape {
    compared: Compared,
    bar: Ident,
    /// What the bar has.
    found: TokenStream,
    /// What the value has.
    measured: TokenStream,
}

impl LateShape {
    fn name(&self) -> Ident {
        format_ident!("{}_shape", self.bar)
    }

    /// Compares with the value, which is at hand.
    pub(super) fn check(&self, rt: &TokenStream) -> TokenStream {
        self.compared.check(&self.bar, &self.found, &self.measured, rt)
    }

    /// Keeps the shape of the value for later.
    pub(super) fn remembered(&self) -> TokenStream {
        let (name, measured) = (self.name(), &self.measured);
        quote!(let #name = #measured;)
    }

    /// Compares with the shape that was kept.
    pub(super) fn check_remembered(&self, rt: &TokenStream) -> TokenStream {
        let name = self.name();
        self.compared.check(&self.bar, &self.found, &quote!(#name), rt)
    }

    /// Puts the shape of the value on a stack.
    pub(super) fn pushed(&self, stack: &Ident) -> TokenStream {
        let measured = &self.measured;
        quote!(#stack.push(#measured);)
    }

    /// Compares with the shape that is on a stack.
    pub(super) fn check_popped(&self, stack: &Ident, rt: &TokenStream) -> TokenStream {
        self.compared.check(&self.bar, &self.found, &quote!(#stack.pop()), rt)
    }
}

impl Entries<'_> {
    /// What is to be compared of a parameter and its bar.
    fn compared(&self, param: &Parameter) -> Option<Compared> {
        let compared = Compared::of(self.type_of(param))?;
        match compared {
            Compared::Lengths => Some(compared),
            // Those in several directions are not of the types of bars.
            Compared::Shapes => self.several.is_none().then_some(compared),
        }
    }

    /// Checks of what does not change its shape in the function.
    pub(super) fn checks(&self) -> TokenStream {
        let flat = self.exclusive(|param| self.stays_as_long(param)).into_iter();
        let flat: TokenStream = flat.map(|late| late.check(&self.rt)).collect();
        let others = self.checks_of_shared();
        quote!(#others #flat)
    }

    /// Whether a parameter is a slice that refers to nothing else which may become longer.
    fn stays_as_long(&self, param: &Parameter) -> bool {
        let ty = self.type_of(param);
        matches!((ty, Compared::of(ty)), (Type::Slice(_), Some(Compared::Lengths)))
    }

    /// Checks of what is not changed in the function.
    pub(super) fn checks_of_shared(&self) -> TokenStream {
        let rt = &self.rt;
        let checks = self.params().filter_map(|(param, bar)| {
            let bar = bar.as_ref()?;
            let name = relocated(&param.ident);
            let reference = match param.passing {
                Passing::Shared => quote!(#name),
                Passing::Value => quote!(&#name),
                Passing::Exclusive => return None,
            };
            let compared = self.compared(param)?;
            let expected = compared.of_value(&name, &reference, rt);
            let found = compared.of_bar(bar, &quote!(&*#bar), rt);
            Some(compared.check(bar, &found, &expected, rt))
        });
        checks.collect()
    }

    fn exclusive(&self, is_meant: impl Fn(&Parameter) -> bool) -> Vec<LateShape> {
        let shapes = self.params().filter_map(|(param, bar)| {
            let bar = bar.as_ref().filter(|_| param.passing == Passing::Exclusive)?;
            let compared = self.compared(param).filter(|_| is_meant(param))?;
            let name = relocated(&param.ident);
            Some(LateShape {
                compared,
                bar: bar.clone(),
                found: compared.of_bar(bar, &quote!(&*#bar), &self.rt),
                measured: compared.of_value(&name, &quote!(&*#name), &self.rt),
            })
        });
        shapes.collect()
    }

    /// Those whose shapes may be others after the forward sweep.
    pub(super) fn reshaped(&self) -> Vec<LateShape> {
        let reshaped = self.exclusive(|param| !self.stays_as_long(param)).into_iter();
        reshaped.chain(self.shape_of_seed()).collect()
    }

    /// Those that are out of reach after the forward sweep.
    pub(super) fn out_of_reach(&self) -> Vec<LateShape> {
        self.exclusive(|_| true).into_iter().chain(self.shape_of_seed()).collect()
    }

    /// Whether the shape of the result is compared with that of the seed.
    pub(super) fn has_shape_of_seed(&self) -> bool {
        self.shape_of_seed().is_some()
    }

    /// The check of a direction: it has the shape that the value has before.
    pub(super) fn check_of_direction(
        &self,
        tangent: &Tangent,
        param: &Parameter,
        direction: &Ident,
    ) -> Option<TokenStream> {
        let compared = Compared::of(self.type_of(param)).filter(|compared| {
            matches!(compared, Compared::Lengths) || tangent.several.is_none()
        })?;
        let name = relocated(&param.ident);
        let reference = |name: &Ident| match param.passing {
            Passing::Shared => quote!(#name),
            Passing::Value => quote!(&#name),
            Passing::Exclusive => quote!(&*#name),
        };
        // It is a value of the same type.
        let [found, expected] =
            [direction, &name].map(|name| compared.of_value(name, &reference(name), &self.rt));
        Some(compared.check(direction, &found, &expected, &self.rt))
    }

    fn shape_of_seed(&self) -> Option<LateShape> {
        let result = self.primal.result.filter(|_| self.interface.output_dependent)?;
        let compared = Compared::of(&self.primal.vars[result].ty)
            .filter(|compared| matches!(compared, Compared::Lengths) || self.several.is_none())?;
        let (rt, ret, seed) = (&self.rt, &self.ret, &self.seed);
        let measured = match self.interface.carrier {
            None => compared.of_value(ret, &quote!(&#ret), rt),
            // Of what has failed nothing is compared.
            Some(Carrier::Option | Carrier::Result) => {
                let measured = compared.of_value(ret, &quote!(#ret), rt);
                quote!(#ret.as_ref().map_or(::core::default::Default::default(), |#ret| #measured))
            }
        };
        let found = compared.of_bar(seed, &quote!(&#seed), rt);
        Some(LateShape { compared, bar: seed.clone(), found, measured })
    }
}
