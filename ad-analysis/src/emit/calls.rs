//! Calls of user functions and of their sweeps.

use super::body::{Emitter, Role};
use super::{at, hidden_name, located, with_spans};
use crate::index::Var;
use crate::ir::{
    Arg, ArgKind, Binding, ByReference, Call, CallMode, Callee, Carrier, Condition, Derivative,
    Guard, IndexMethod, Place, Projection, Resolution, Slot, Sweep, entries_prefix,
};
use crate::options::HAS_ARRAYS;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

impl Emitter<'_> {
    /// A call of a user function, or of one of its sweeps.
    pub(super) fn call(&self, call: &Call, span: Span) -> TokenStream {
        match &call.sweep {
            Sweep::Primal => self.lending(call, span, || self.primal_call(call, span)),
            Sweep::Forward { primal } => {
                self.lending(call, span, || self.forward_call(call, primal, span))
            }
            Sweep::Backward { seed, primal } => {
                self.backward_call(call, seed.as_ref(), primal, span)
            }
            Sweep::Tangent { result, leads } => self.tangent_call(call, *result, *leads, span),
        }
    }

    /// A call with what it borrows together before it.
    fn lending(&self, call: &Call, span: Span, print: impl FnOnce() -> TokenStream) -> TokenStream {
        let lent = self.lent_together(call, span);
        let call = print();
        self.lent.borrow_mut().clear();
        quote!(#lent #call)
    }

    /// The call as the user has it.
    pub(super) fn primal_value(&self, call: &Call, span: Span) -> TokenStream {
        let args = call.args.iter().map(|arg| self.argument(arg));
        match (&call.callee, call.args.as_slice()) {
            (Callee::Method(name), [first, others @ ..]) => {
                let receiver = match call.mode {
                    CallMode::Joint => self.receiver_of_joint_call(name, first, span),
                    CallMode::Auto | CallMode::Split => self.receiver_of_call(first),
                };
                let args: Vec<_> = others.iter().map(|arg| self.argument(arg)).collect();
                let value = self.primal_method(name, &call.resolution, &receiver, &args, span);
                match (&first.kind, call.result) {
                    (ArgKind::Shared(place), Some(_)) => {
                        let place = self.place(place);
                        self.value_in_sweeps(name, &quote!((#place)), value, span)
                    }
                    _ => value,
                }
            }
            (Callee::Method(_), []) => unreachable!("a method has a receiver"),
            (Callee::Operator(operator), args) => self.primal_operator(*operator, args, span),
            (Callee::DirectedOperator(operator), _) => {
                let function = self.function_of_directed(*operator, "primal", span);
                quote_spanned!(span=> #function (#(#args),*))
            }
            (Callee::Conversion(target), _) => {
                let function = self.function_of_conversion(target, "primal", span);
                quote_spanned!(span=> #function (#(#args),*))
            }
            (Callee::Given, _) => quote_spanned!(span=> Self::__primal(#(#args),*)),
            (Callee::Function(path) | Callee::Associated(path), _) => {
                let path = located(path.clone());
                quote_spanned!(span=> #path(#(#args),*))
            }
            (Callee::Derivative(Derivative::Directed, _), _) => {
                let entries = self.entries_of(&call.callee, span);
                quote_spanned!(span=> #entries.__primal(#(#args),*))
            }
            (Callee::Derivative(derivative, path), _) => {
                let path = located(path.clone());
                let name = Ident::new(derivative.name(), at(span));
                quote_spanned!(span=> #path::#name(#(#args),*))
            }
        }
    }

    /// A method as it is called, or the index that it stands for.
    pub(super) fn primal_method(
        &self,
        name: &Ident,
        resolution: &Resolution,
        receiver: &TokenStream,
        args: &[TokenStream],
        span: Span,
    ) -> TokenStream {
        let rt = &self.rt;
        match (resolution, args) {
            (Resolution::Index { method: IndexMethod::Get, .. }, [index]) => {
                quote_spanned!(span=> #rt::copied(&#receiver[#index]))
            }
            (Resolution::Index { method: IndexMethod::Set, .. }, [index, value]) => {
                quote_spanned!(span=> #receiver[#index] = #value)
            }
            (
                Resolution::Index { .. }
                | Resolution::AsNamed
                | Resolution::MethodOf(_)
                | Resolution::MethodOfReferent(_)
                | Resolution::OnReferences,
                _,
            ) => {
                let name = super::ident(&name.to_string(), name.span());
                quote_spanned!(span=> #receiver.#name(#(#args),*))
            }
        }
    }

    /// What a method returns, or a copy where that is a part of an array that it lends.
    pub(super) fn value_in_sweeps(
        &self,
        name: &Ident,
        receiver: &TokenStream,
        value: TokenStream,
        span: Span,
    ) -> TokenStream {
        if !HAS_ARRAYS {
            return value;
        }
        let (rt, copied) = (&self.rt, self.method_name(name, "copied", span));
        quote_spanned! {span=>
            {
                trait __Method {
                    fn #copied(&self) -> #rt::method::AsReturned {
                        #rt::method::AsReturned
                    }
                }
                impl<T: ?Sized> __Method for &T {}
                #rt::method::in_sweeps((&#receiver).#copied(), #value)
            }
        }
    }

    fn primal_call(&self, call: &Call, span: Span) -> TokenStream {
        let (value, proof) = (self.primal_value(call, span), self.annotated_proof(call, span));
        let call = self.primal_statement(call, value, span);
        quote!(#proof #call)
    }

    fn primal_statement(&self, call: &Call, value: TokenStream, span: Span) -> TokenStream {
        match call.result {
            _ if call.failure.is_some() => {
                let pattern = self.caught_pattern(call);
                let (rt, ty) = (&self.rt, self.caught_type(call));
                quote_spanned!(span=> let #pattern #ty = #rt::caught(#value);)
            }
            Some(result) => {
                let (binder, ty) = (self.binder(result), self.ascription(result));
                let value = self.or_fail(value, call.carrier, span);
                quote_spanned!(span=> let #binder #ty = #value;)
            }
            None => quote_spanned!(span=> #value;),
        }
    }

    fn forward_call(&self, call: &Call, primal: &Guard, span: Span) -> TokenStream {
        let (stack, wanted) = (&self.stack, self.wanted(primal));
        let (sweep, along) = self.forward_of_callee();
        let along = along.into_iter();
        let sweep = self.sweep_of(call, sweep, &quote!(&mut *#stack, #wanted #(, #along)*), span);
        let checks = self.checks(call, span);
        let result = call.result.map_or_else(|| quote!(_), |result| self.binder(result));
        let kept = call.kept.map_or_else(|| quote!(_), |kept| self.binder(kept));
        let payload = call.result.filter(|_| call.carrier.is_some()).map(|result| {
            let (name, binder) = (self.name(result), self.binder(result));
            let value = self.or_fail(name, call.carrier, span);
            quote_spanned!(span=> let #binder = #value;)
        });
        if call.failure.is_some() {
            let (rt, pattern, ty) = (&self.rt, self.caught_pattern(call), self.caught_type(call));
            let outcome = call.failure.map(|failure| self.name(failure));
            return quote_spanned! {span=>
                #checks
                let (#outcome, #kept) = #sweep;
                let #pattern #ty = #rt::caught(#outcome);
            };
        }
        let proof = call.result.and_then(|result| {
            let (name, ty) = (self.name(result), self.ascription(result)?);
            let binder = self.binder(result);
            Some(quote_spanned!(span=> let #binder #ty = #name;))
        });
        // The backward sweep follows at once.
        let held =
            (call.mode == CallMode::Joint).then(|| quote_spanned!(span=> #stack.hold(&#kept);));
        quote_spanned! {span=>
            #checks
            let (#result, #kept) = #sweep;
            #held
            #payload
            #proof
        }
    }

    /// The variables for the payload and the failure of a call.
    fn caught_pattern(&self, call: &Call) -> TokenStream {
        let binder = |var: Option<Var>| var.map_or_else(|| quote!(_), |var| self.binder(var));
        let (result, failure) = (binder(call.result), binder(call.failure));
        quote!((#result, #failure))
    }

    fn caught_type(&self, call: &Call) -> Option<TokenStream> {
        let ty = self.type_written(call.result?)?;
        Some(quote!(: (#ty, _)))
    }

    fn backward_call(
        &self,
        call: &Call,
        seed: Option<&Place>,
        primal: &Guard,
        span: Span,
    ) -> TokenStream {
        let (stack, wanted) = (&self.stack, self.wanted(primal));
        let (kept, seed) = (call.kept.map(|kept| self.name(kept)), self.seed(seed));
        let (sweep, several) = self.backward_of_callee();
        let several = several.into_iter();
        let head = quote!(&mut *#stack, #wanted, #(#several,)* #kept);
        let is_joint = call.mode == CallMode::Joint && call.kept.is_some();
        let released = is_joint.then(|| quote_spanned!(span=> #stack.release();));
        let backward = match &call.callee {
            Callee::Function(_) | Callee::Derivative(..) | Callee::Associated(_) => {
                let function = self.function_of(call, sweep, span);
                let is_associated = matches!(call.callee, Callee::Associated(_));
                let args = call.args.iter().map(|arg| match arg.kind {
                    ArgKind::Omitted if is_associated => self.omitted_with_slot(arg, span),
                    _ => self.argument_with_slot(arg, span),
                });
                match is_associated {
                    // A statement that begins with a block would end with it.
                    true => quote_spanned!(span=> let () = #function (#head, #(#args,)* #seed);),
                    false => quote_spanned!(span=> #function (#head, #(#args,)* #seed);),
                }
            }
            Callee::Method(name) => self.backward_of_method(name, &call.args, &head, &seed, span),
            Callee::Operator(operator) => {
                let by_reference = ByReference::of_call(&call.args);
                let function = self.function_of_operator(*operator, by_reference, sweep, span);
                self.backward_of_operator(&function, &call.args, &head, &seed, span)
            }
            Callee::DirectedOperator(operator) => {
                let function = self.function_of_directed(*operator, sweep, span);
                self.backward_of_operator(&function, &call.args, &head, &seed, span)
            }
            Callee::Conversion(target) => {
                let function = self.function_of_conversion(target, sweep, span);
                let args = call.args.iter().map(|arg| self.argument_with_slot(arg, span));
                quote_spanned!(span=> #function (#head, #(#args,)* #seed);)
            }
            // The signature is that of `adjoint`: a bar is wanted whether the argument is active or not.
            Callee::Given => {
                let args = call.args.iter().flat_map(|arg| {
                    let bar = match &arg.slot {
                        Slot::Bar(place, _) => Some(self.exclusive(place)),
                        Slot::Passive | Slot::Marker(_) => None,
                    };
                    [self.argument(arg)].into_iter().chain(bar)
                });
                let args = args.chain(self.product.interface.output_dependent.then_some(seed));
                quote_spanned!(span=> let _ = Self::__given(#(#args),*);)
            }
        };
        quote!(#backward #released)
    }

    /// An argument of a forward sweep, and whether it is active.
    pub(super) fn argument_with_marker(&self, arg: &Arg, span: Span) -> TokenStream {
        let marker = self.marker_of_slice(arg).unwrap_or_else(|| self.marker(&arg.slot));
        let (value, marker) = (self.argument(arg), placed(marker, arg, span));
        quote!(#value, #marker)
    }

    /// A `&mut` of which a backward sweep gets the bar only. If the callee takes a `&`, the types differ.
    pub(super) fn omitted_with_slot(&self, arg: &Arg, span: Span) -> TokenStream {
        let slot = placed(self.slot(&arg.slot), arg, span);
        quote!((), #slot)
    }

    /// An argument of a backward sweep, and its bar.
    pub(super) fn argument_with_slot(&self, arg: &Arg, span: Span) -> TokenStream {
        let rt = &self.rt;
        let value = match &arg.kind {
            // It stands for a direction that is not passed.
            ArgKind::Value(value) if value.ty == Type::unit() => self.expr(value),
            ArgKind::Value(value) => self.reference_to(value),
            ArgKind::Shared(_) | ArgKind::Exclusive(_) => self.argument(arg),
            ArgKind::Omitted => quote!(#rt::unread()),
        };
        let slot = self.bar_of_slice(arg).unwrap_or_else(|| self.slot(&arg.slot));
        let slot = placed(slot, arg, span);
        quote!(#value, #slot)
    }

    /// The forward sweep of a callee with all its arguments.
    fn sweep_of(&self, call: &Call, sweep: &str, head: &TokenStream, span: Span) -> TokenStream {
        match &call.callee {
            Callee::Function(_) | Callee::Derivative(..) | Callee::Associated(_) => {
                let function = self.function_of(call, sweep, span);
                let args = call.args.iter().map(|arg| self.argument_with_marker(arg, span));
                quote_spanned!(span=> #function (#head, #(#args),*))
            }
            Callee::Method(name) => self.forward_of_method(name, &call.args, head, span),
            Callee::Operator(operator) => {
                let by_reference = ByReference::of_call(&call.args);
                let function = self.function_of_operator(*operator, by_reference, sweep, span);
                let args = call.args.iter().map(|arg| self.argument_with_marker(arg, span));
                quote_spanned!(span=> #function (#head, #(#args),*))
            }
            Callee::DirectedOperator(operator) => {
                let function = self.function_of_directed(*operator, sweep, span);
                let args = call.args.iter().map(|arg| self.argument_with_marker(arg, span));
                quote_spanned!(span=> #function (#head, #(#args),*))
            }
            Callee::Conversion(target) => {
                let function = self.function_of_conversion(target, sweep, span);
                let args = call.args.iter().map(|arg| self.argument_with_marker(arg, span));
                quote_spanned!(span=> #function (#head, #(#args),*))
            }
            Callee::Given => unreachable!("it has no forward sweep"),
        }
    }

    /// A sweep of a callee that has a path.
    pub(super) fn function_of(&self, call: &Call, sweep: &str, span: Span) -> TokenStream {
        let turbofish = self.turbofish(call, sweep);
        match &call.callee {
            callee @ (Callee::Function(_) | Callee::Derivative(..)) => {
                let (entries, name) = (self.entries_of(callee, span), format_ident!("__{sweep}"));
                quote_spanned!(span=> #entries.#name #turbofish)
            }
            Callee::Associated(path) => {
                let function = self.hidden_function(path, sweep, span);
                let fallback = self.fallback_of(path, sweep, call.args.len(), span);
                quote_spanned!(span=> { #fallback #function #turbofish })
            }
            Callee::Method(_)
            | Callee::Operator(_)
            | Callee::DirectedOperator(_)
            | Callee::Conversion(_)
            | Callee::Given => {
                unreachable!("there is no path")
            }
        }
    }

    /// Whether a path is that of a function of the annotated trait that the `impl` block is of: it has hidden functions, and they are found
    /// as any others of a trait are.
    pub(super) fn is_of_trait(&self, path: &syn::Path) -> bool {
        let names: Vec<&Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
        let methods = &self.product.interface.of_trait;
        matches!(names.as_slice(), [own, name] if *own == "Self" && methods.contains(name))
    }

    /// A hidden function beside a function of a type.
    pub(super) fn hidden_function(
        &self,
        path: &TokenStream,
        function: &str,
        span: Span,
    ) -> TokenStream {
        let Ok(mut path) = syn::parse2::<syn::Path>(path.clone()) else { return path.clone() };
        if let Some(last) = path.segments.last_mut() {
            let name = hidden_name(&self.prefix_of(&last.ident), function);
            last.ident = Ident::new(&name.to_string(), at(span));
            last.arguments = syn::PathArguments::None;
        }
        located(quote!(#path))
    }

    /// What the names of the entries of a function in an `impl` block begin with.
    pub(super) fn prefix_of(&self, name: &Ident) -> String {
        entries_prefix(self.product.callees, name)
    }

    /// The payload of what a call returned; without one the function fails, as `?` has it.
    pub(super) fn or_fail(
        &self,
        call: TokenStream,
        carrier: Option<Carrier>,
        span: Span,
    ) -> TokenStream {
        match carrier {
            None => call,
            Some(Carrier::Option) => {
                let fail = self.fail(&quote!(::core::option::Option::None));
                quote_spanned! {span=>
                    match #call {
                        ::core::option::Option::Some(payload) => payload,
                        ::core::option::Option::None => { #fail }
                    }
                }
            }
            Some(Carrier::Result) => {
                let error = quote!(::core::result::Result::Err(::core::convert::From::from(error)));
                let fail = self.fail(&error);
                quote_spanned! {span=>
                    match #call {
                        ::core::result::Result::Ok(payload) => payload,
                        ::core::result::Result::Err(error) => { #fail }
                    }
                }
            }
        }
    }

    /// The function fails with something.
    fn fail(&self, outcome: &TokenStream) -> TokenStream {
        match self.role {
            Role::Tangent => quote!(return #outcome;),
            Role::Sweep => {
                let (stack, mark) = (&self.stack, &self.mark);
                quote!(#stack.rewind(#mark); return (#outcome, ::core::option::Option::None);)
            }
        }
    }

    fn seed(&self, seed: Option<&Place>) -> TokenStream {
        let rt = &self.rt;
        let Some(seed) = seed else {
            let is_one = self.several.is_none();
            return if is_one { quote!(#rt::Unweighted) } else { quote!(#rt::UnweightedSeeds) };
        };
        let ty = self.body.place_type(seed);
        let value = self.place(seed);
        if ty.is_copy() { value } else { quote!(#value.clone()) }
    }

    fn wanted(&self, primal: &Guard) -> TokenStream {
        let rt = &self.rt;
        if primal.is_never() { quote!(#rt::Off) } else { quote!(#rt::On) }
    }

    pub(super) fn argument(&self, arg: &Arg) -> TokenStream {
        match &arg.kind {
            ArgKind::Value(value) => self.expr(value),
            ArgKind::Shared(place) => self.shared(place),
            ArgKind::Exclusive(place) => self.exclusive(place),
            ArgKind::Omitted => TokenStream::new(),
        }
    }

    pub(super) fn marker(&self, slot: &Slot) -> TokenStream {
        let rt = &self.rt;
        match slot {
            Slot::Passive | Slot::Bar(..) => quote!(#rt::Off),
            Slot::Marker(condition) if condition.is_always() => quote!(#rt::On),
            Slot::Marker(condition) => {
                let ty = self.condition_type(condition);
                quote!(<#ty as #rt::Marker>::MARKER)
            }
        }
    }

    pub(super) fn slot(&self, slot: &Slot) -> TokenStream {
        match slot {
            Slot::Passive | Slot::Marker(_) => quote!(()),
            Slot::Bar(place, condition) if condition.is_always() => {
                self.listed_bar(place).unwrap_or_else(|| self.exclusive(place))
            }
            Slot::Bar(place, condition) => match self.listed_bar(place) {
                Some(listed) => self.listed_where(condition, place, &listed),
                None => {
                    let names = [quote!(when), quote!(when_there)];
                    self.passed_where(condition, place, self.exclusive(place), names)
                }
            },
        }
    }

    /// [Listed bars](Self::listed_bar) that are passed where a condition holds: they live as long as the call.
    fn listed_where(
        &self,
        condition: &Condition,
        place: &Place,
        listed: &TokenStream,
    ) -> TokenStream {
        let (rt, ty) = (&self.rt, self.condition_type(condition));
        if self.is_always_there(place) {
            return quote!(#rt::when::<#ty, _>(&mut #listed));
        }
        quote! {
            #rt::when_there::<#ty, _>((if <#ty as #rt::Marker>::ON {
                ::core::option::Option::Some(#listed)
            } else {
                ::core::option::Option::None
            }).as_mut())
        }
    }

    /// The bars of structs in an array or in a part of a list: the callee takes them as a `Vec`, if its parameter is a slice.
    fn listed_bar(&self, place: &Place) -> Option<TokenStream> {
        let is_unknown = |element: &Type| super::types::known(element).is_none();
        let is_listed = match self.body.place_type(place) {
            Type::Array(element, _) => is_unknown(&element),
            Type::Slice(element) => is_unknown(&element) && !place.is_whole(),
            _ => false,
        };
        let (rt, bars) = (&self.rt, self.exclusive(place));
        is_listed.then(|| quote!(#rt::listed(#bars)))
    }

    /// A reference to a place, which is passed where a condition holds: by the first of the functions of the runtime if the
    /// place can be named in any case, and otherwise by the second.
    pub(super) fn passed_where(
        &self,
        condition: &Condition,
        place: &Place,
        reference: TokenStream,
        [named, there]: [TokenStream; 2],
    ) -> TokenStream {
        let (rt, ty) = (&self.rt, self.condition_type(condition));
        if self.is_always_there(place) {
            return quote!(#rt::#named::<#ty, _>(#reference));
        }
        quote! {
            #rt::#there::<#ty, _>(if <#ty as #rt::Marker>::ON {
                ::core::option::Option::Some(#reference)
            } else {
                ::core::option::Option::None
            })
        }
    }

    /// Whether a bar or a direction can be named also where it is not active.
    pub(super) fn is_always_there(&self, place: &Place) -> bool {
        let variable = &self.body.vars[place.root];
        let has_zero =
            !variable.ty.has_dynamic_shape() || matches!(variable.binding, Binding::Exclusive);
        let is_there = place.projections.iter().all(Projection::is_fixed);
        !place.is_in_variant() && (is_there || self.role == Role::Tangent && has_zero)
    }

    /// Generic arguments given to a callee, followed by one for each of those the sweeps have besides.
    pub(super) fn turbofish(&self, call: &Call, sweep: &str) -> Option<TokenStream> {
        let (Callee::Function(path) | Callee::Derivative(_, path) | Callee::Associated(path)) =
            &call.callee
        else {
            return None;
        };
        let path: syn::Path = syn::parse2(path.clone()).ok()?;
        let last = path.segments.last()?;
        let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
        let given = args.args.iter();
        let count = match &call.callee {
            // Directions have types of their own, but for those that a backward sweep does not get.
            Callee::Derivative(Derivative::Directed, _) => {
                let values = call.args.iter().step_by(2);
                let omitted = values.filter(|arg| matches!(arg.kind, ArgKind::Omitted)).count();
                call.args.len() / 2 * 3 + 1 - omitted
            }
            // A tangent has none for the primal, one in several directions has theirs.
            _ => call.args.len() + usize::from(sweep != "tangent"),
        };
        let inferred = std::iter::repeat_n(quote!(_), count);
        Some(quote!(::<#(#given,)* #(#inferred),*>))
    }

    /// What only the callee knows: a joint call runs twice, so the callee must be repeatable; and what
    /// is passed on as a `&mut` must not become a `&` on the way, for the value it has would be needed.
    fn checks(&self, call: &Call, span: Span) -> TokenStream {
        // The backward sweep for one seed has said it.
        if self.several.is_some() {
            return TokenStream::new();
        }
        if !matches!(call.callee, Callee::Function(_) | Callee::Derivative(..)) {
            return match (call.mode, &call.resolution) {
                // What is written is found once more.
                (_, Resolution::Index { method: IndexMethod::GetMut, .. }) => {
                    self.repeatable_check(call, "must_be_found_again", span)
                }
                (CallMode::Joint, _) => self.repeatable_check(call, "must_be_repeatable", span),
                (CallMode::Auto | CallMode::Split, _) => TokenStream::new(),
            };
        }
        let (entries, rt) = (self.entries_of(&call.callee, span), &self.rt);
        let mut checks = Vec::new();
        if call.mode == CallMode::Joint {
            let message = "this call runs twice, but the function called has effects that must \
                           happen once: use `#[split]`";
            let test = quote!(#entries.__is_repeatable(&#rt::Callers::NONE));
            checks.push((test, message.to_owned()));
        }
        for (index, arg) in call.args.iter().enumerate() {
            let ArgKind::Exclusive(place) = &arg.kind else { continue };
            let variable = &self.body.vars[place.root];
            if matches!(variable.binding, Binding::Exclusive | Binding::View(_)) {
                let name = &variable.name;
                let message = format!(
                    "`{name}` is a `&mut`, and the function called takes a `&`: pass `&*{name}`"
                );
                let index = proc_macro2::Literal::usize_unsuffixed(index);
                checks.push((quote!(#entries.__is_exclusive(#index)), message));
            }
        }
        let checks = checks.into_iter().map(|(test, message)| {
            quote_spanned!(at(span)=> const _: () = ::core::assert!(#test, #message);)
        });
        checks.collect()
    }
}

/// What follows an argument, where the argument is, or at least the call: there rustc says that the callee has no place
/// for it.
fn placed(tokens: TokenStream, arg: &Arg, call: Span) -> TokenStream {
    let span = match &arg.kind {
        ArgKind::Value(value) => value.span,
        ArgKind::Shared(_) | ArgKind::Exclusive(_) | ArgKind::Omitted => call,
    };
    with_spans(tokens, &|own| own.located_at(span))
}
