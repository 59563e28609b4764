//! Calls of methods of values whose types only rustc knows.

use super::body::Emitter;
use super::entries::name_behind;
use super::{at, hidden_name, respanned};
use crate::ir::{Arg, ArgKind, Binding, Place, Projection, Slot, is_directed};
use crate::types::{OfDyn, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emitter<'_> {
    /// A receiver in front of the name of a method: rustc borrows it as the method wants.
    pub(super) fn receiver_of_call(&self, receiver: &Arg) -> TokenStream {
        match &receiver.kind {
            ArgKind::Value(value) => {
                let value = self.expr(value);
                quote!((#value))
            }
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => self.receiver(place),
            ArgKind::Omitted => TokenStream::new(),
        }
    }

    /// The receiver of a call whose value is computed again in the backward sweep: where the method takes it by value it gets a copy.
    pub(super) fn receiver_of_joint_call(
        &self,
        name: &Ident,
        receiver: &Arg,
        span: Span,
    ) -> TokenStream {
        let of_call = self.receiver_of_call(receiver);
        let of_sweeps = match &receiver.kind {
            ArgKind::Shared(place) => self.receiver_at(name, place, "read"),
            ArgKind::Exclusive(_) | ArgKind::Value(_) | ArgKind::Omitted => return of_call,
        };
        match (&of_sweeps.holder, &of_sweeps.behind) {
            (None, None) => self.proved_receiver(name, &of_sweeps, &TokenStream::new(), span),
            (_, _) => of_call,
        }
    }

    /// A receiver as the sweeps of the method get it: of a `Box` they get what it holds, and of a `dyn` what stands for it.
    fn receiver_of_sweeps(&self, name: &Ident, receiver: &Arg) -> Receiver {
        match &receiver.kind {
            ArgKind::Shared(place) => self.receiver_at(name, place, "read"),
            ArgKind::Exclusive(place) => self.receiver_at(name, place, "write_mut"),
            ArgKind::Value(value) => match value.as_place() {
                Some(place) => {
                    Receiver { value: self.expr(value), ..self.receiver_at(name, place, "read") }
                }
                None => {
                    let value = self.expr(value);
                    Receiver { value, function: "read", holder: None, behind: None }
                }
            },
            ArgKind::Omitted => unreachable!("forward sweeps and tangents get all arguments"),
        }
    }

    /// A receiver in code that is never run, if the method is annotated.
    pub(super) fn receiver_of_annotated(
        &self,
        name: &Ident,
        receiver: &Arg,
        span: Span,
    ) -> TokenStream {
        let receiver = self.receiver_of_sweeps(name, receiver);
        self.proved_receiver(name, &receiver, &TokenStream::new(), span)
    }

    fn receiver_at(&self, name: &Ident, place: &Place, function: &'static str) -> Receiver {
        let value = self.place(place);
        let boxed = match place.projections.split_last() {
            Some((Projection::Boxed, way)) => {
                Some(self.place(&Place { root: place.root, projections: way.to_vec() }))
            }
            Some(_) | None => None,
        };
        let Some(of) = self.of_dyn(place) else {
            return Receiver { value, function, holder: boxed, behind: None };
        };
        let behind = name_behind(&self.prefix_of(name));
        let stars = std::iter::repeat_n(quote!(*), of.depth);
        let stand_in = quote!((& #(#stars)* #value).#behind());
        let holder = if of.is_held { Some(value) } else { boxed };
        Receiver { value: stand_in, function, holder, behind: Some(behind) }
    }

    /// Whether only run time knows of which type a receiver is.
    pub(super) fn is_receiver_of_dyn(&self, receiver: &Arg) -> bool {
        receiver_place(receiver).is_some_and(|place| self.of_dyn(place).is_some())
    }

    fn of_dyn(&self, place: &Place) -> Option<OfDyn> {
        match self.body.place_type(place) {
            Type::Named(name) => name.of_dyn(),
            _ => None,
        }
    }

    /// A receiver for a sweep. It shows rustc that the method is one of the very type of the receiver,
    /// and that it takes it as the macro has it. What is found where there is no such method is one of references,
    /// and so comes after what annotated traits have.
    fn proved_receiver(
        &self,
        name: &Ident,
        receiver: &Receiver,
        proof: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let place = respanned(receiver.value.clone(), span);
        let method = self.method_name(name, "method", span);
        let reference = if receiver.is_changed() { quote!(&mut) } else { quote!(&) };
        let function = Ident::new(receiver.function, span);
        let behind = receiver.behind.iter().map(|behind| Ident::new(&behind.to_string(), span));
        let missing = behind.chain([method.clone()]);
        let found = quote_spanned!(span=> (&#place).#method());
        let found = match is_directed(name) {
            true => quote_spanned!(span=> #rt::method::directed(#found)),
            false => found,
        };
        quote_spanned! {span=>
            {
                trait __Method {
                    #(fn #missing(&self) -> #rt::Unannotated {
                        #rt::Unannotated
                    })*
                }
                impl<T: ?Sized> __Method for &T {}
                #proof
                #rt::method::#function(#found, #reference #place)
            }
        }
    }

    /// Proves that a call is one of the method whose sweeps it finds: traits have methods of the name, too,
    /// and one that takes the value comes before one of the type itself that takes a reference. A trait that
    /// all types have shows rustc that there are two such methods, which is an error.
    fn lookup_proof(
        &self,
        receiver: &Arg,
        name: &Ident,
        of_sweeps: &Receiver,
        span: Span,
    ) -> TokenStream {
        if of_sweeps.behind.is_some() && of_sweeps.holder.is_none() {
            // Nothing comes before the methods that a `dyn` has of its trait.
            return TokenStream::new();
        }
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let place = respanned(of_sweeps.found_on().clone(), span);
        let found = self.found_method(name, of_sweeps, span);
        let name = super::ident(&name.to_string(), span);
        let proof = |receiver: TokenStream, instead: &str| {
            let instead = Ident::new(instead, span);
            quote_spanned! {span=>
                {
                    trait __AnotherMethodIsCalledHere {
                        fn #name(#receiver);
                    }
                    impl<T> __AnotherMethodIsCalledHere for T {
                        fn #name(#receiver) {}
                    }
                    #rt::method::#instead(#found, &#place).#name();
                }
            }
        };
        let by_value = proof(quote!(self), "by_value_instead");
        // A method that the type has by way of `Deref` comes behind those that traits give it.
        let is_behind = of_sweeps.is_changed()
            || of_sweeps.holder.is_some()
            || self.is_whole_parameter(receiver);
        let by_shared = is_behind.then(|| proof(quote!(&self), "by_shared_instead"));
        let by_exclusive = (of_sweeps.is_changed() && of_sweeps.holder.is_some())
            .then(|| proof(quote!(&mut self), "by_shared_instead"));
        let on_references =
            self.proof_on_receivers_by_reference(receiver, &name, &place, &found, span);
        quote_spanned!(span=> if false { #by_value #by_shared #by_exclusive #on_references })
    }

    /// The same of a receiver that may be a reference in the eyes of the user, `r.length()`: a method that takes the value comes behind all
    /// methods of the reference, those that take a reference to the value among them.
    fn proof_on_receivers_by_reference(
        &self,
        receiver: &Arg,
        name: &Ident,
        place: &TokenStream,
        found: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let Some(of) = receiver_place(receiver) else { return TokenStream::new() };
        if self.is_whole_parameter(receiver) {
            return TokenStream::new();
        }
        let (instead, reference) = match &self.body.vars[of.root].binding {
            Binding::Exclusive => ("by_exclusive_reference_instead", quote!(&mut T)),
            Binding::Value | Binding::Shared | Binding::View(_) | Binding::Global(_) => {
                ("by_reference_instead", quote!(&T))
            }
        };
        let rt = respanned(self.rt.clone(), span);
        let (instead, reference) = (Ident::new(instead, span), respanned(reference, span));
        quote_spanned! {span=>
            {
                trait __AnotherMethodIsCalledHere {
                    fn #name(self);
                }
                impl<T> __AnotherMethodIsCalledHere for T {
                    fn #name(self) {}
                }
                #rt::method::#instead(#found, &#place).#name();
            }
            {
                trait __AnotherMethodIsCalledHere {
                    fn #name(&self);
                }
                impl<T> __AnotherMethodIsCalledHere for #reference {
                    fn #name(&self) {}
                }
                impl __AnotherMethodIsCalledHere for #rt::method::Nothing {
                    fn #name(&self) {}
                }
                #rt::method::#instead(#found, &#place).#name();
            }
        }
    }

    /// The method of a receiver, for proofs: that of what is in a `Box` comes behind all methods of the `Box`.
    fn found_method(&self, name: &Ident, receiver: &Receiver, span: Span) -> TokenStream {
        let rt = respanned(self.rt.clone(), span);
        let place = respanned(receiver.value.clone(), span);
        let method = self.method_name(name, "method", span);
        let found = quote_spanned!(span=> (&#place).#method());
        match receiver.holder {
            None => found,
            Some(_) => quote_spanned!(span=> #rt::method::behind(#found)),
        }
    }

    /// Whether a receiver is a parameter that is passed by value, which is no reference in the eyes of the user.
    fn is_whole_parameter(&self, receiver: &Arg) -> bool {
        receiver_place(receiver).is_some_and(|place| {
            matches!(self.body.vars[place.root].binding, Binding::Value)
                && self.body.params.contains(&place.root)
                && place.is_whole()
        })
    }

    pub(super) fn method_name(&self, name: &Ident, function: &str, span: Span) -> Ident {
        let name = hidden_name(&self.prefix_of(name), function);
        Ident::new(&name.to_string(), at(span))
    }

    pub(super) fn forward_of_method(
        &self,
        name: &Ident,
        args: &[Arg],
        head: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let [receiver, others @ ..] = args else { unreachable!("a method has a receiver") };
        let of_sweeps = self.receiver_of_sweeps(name, receiver);
        // Of what the tangent calls, the forward sweep of the function proves it.
        let proof = match is_directed(name) {
            true => TokenStream::new(),
            false => self.lookup_proof(receiver, name, &of_sweeps, span),
        };
        let owner = self.proved_receiver(name, &of_sweeps, &proof, span);
        let marker = self.marker(&receiver.slot);
        let sweep = self.method_name(name, "forward_of", span);
        let others = others.iter().map(|arg| self.argument_with_marker(arg, span));
        quote_spanned!(span=> #owner.#sweep(#head, #marker, #(#others),*))
    }

    /// The tangent is found by the receiver; what must be so of that the forward sweep proves.
    pub(super) fn tangent_of_method(&self, name: &Ident, args: &[Arg], span: Span) -> TokenStream {
        let [receiver, others @ ..] = args else { unreachable!("a method has a receiver") };
        let of_sweeps = self.receiver_of_sweeps(name, receiver);
        let owner = self.proved_receiver(name, &of_sweeps, &TokenStream::new(), span);
        let direction = self.direction(receiver);
        let first = self.marker_of_directions().into_iter();
        let tangent = if self.several.is_some() { "tangents_of" } else { "tangent_of" };
        let tangent = self.method_name(name, tangent, span);
        let others = others.iter().map(|arg| self.argument_with_direction(arg));
        quote_spanned!(span=> #owner.#tangent(#(#first,)* #direction, #(#others),*))
    }

    /// The backward sweep is found by the receiver, or if the method changes that, by its bar.
    pub(super) fn backward_of_method(
        &self,
        name: &Ident,
        args: &[Arg],
        head: &TokenStream,
        seed: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let [receiver, others @ ..] = args else { unreachable!("a method has a receiver") };
        // The forward sweep has proved it.
        let none = TokenStream::new();
        let (owner, slot) = match (&receiver.kind, &receiver.slot) {
            (ArgKind::Shared(_) | ArgKind::Value(_), slot) => {
                let mut again = self.receiver_of_sweeps(name, receiver);
                if again.behind.is_none() {
                    again.function = "read_again";
                }
                (self.proved_receiver(name, &again, &none, span), self.slot(slot))
            }
            (ArgKind::Omitted | ArgKind::Exclusive(_), Slot::Bar(bar, condition)) => {
                let marker = self.marker(&Slot::Marker(condition.clone()));
                let owner = self.receiver_at(name, bar, "write_mut");
                (self.proved_receiver(name, &owner, &none, span), marker)
            }
            (ArgKind::Omitted | ArgKind::Exclusive(_), Slot::Passive | Slot::Marker(_)) => {
                let message = format!(
                    "this method changes a receiver without a derivative, and an argument has one: \
                     write the call as `Type::{name}(&mut …)`"
                );
                return quote_spanned!(span=> ::core::compile_error!(#message););
            }
        };
        let sweep = if self.several.is_some() { "backwards_of" } else { "backward_of" };
        let sweep = self.method_name(name, sweep, span);
        let others = others.iter().map(|arg| match &arg.kind {
            ArgKind::Omitted => self.omitted_with_slot(arg, span),
            _ => self.argument_with_slot(arg, span),
        });
        let others: Vec<TokenStream> = others.collect();
        quote_spanned!(span=> #owner.#sweep(#head, #slot, #(#others,)* #seed);)
    }
}

/// A receiver in front of a sweep.
struct Receiver {
    value: TokenStream,
    /// The function of the runtime that passes it.
    function: &'static str,
    /// The `Box` around it, on which the method is found.
    holder: Option<TokenStream>,
    /// The function that gives it, of a `dyn` that it stands for.
    behind: Option<Ident>,
}

impl Receiver {
    /// What the user's code calls the method on.
    fn found_on(&self) -> &TokenStream {
        self.holder.as_ref().unwrap_or(&self.value)
    }

    fn is_changed(&self) -> bool {
        self.function == "write_mut"
    }
}

/// The place that a method is called on, if it is one.
fn receiver_place(receiver: &Arg) -> Option<&Place> {
    match &receiver.kind {
        ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place),
        ArgKind::Value(value) => value.as_place(),
        ArgKind::Omitted => None,
    }
}
