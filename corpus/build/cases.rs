//! The code that runs the functions at their samples.

use crate::source::{Passing, Root, Sample, Source};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Type};

pub(crate) fn quiet(module: TokenStream) -> TokenStream {
    quote! {
        #[allow(dead_code, unused, missing_docs, clippy::all, clippy::pedantic, clippy::restriction)]
        #module
    }
}

fn roots(sources: &[Source]) -> impl Iterator<Item = (&Ident, &Root)> {
    sources.iter().flat_map(|source| source.roots.iter().map(|root| (&source.name, root)))
}

pub(crate) fn argument(position: usize) -> Ident {
    format_ident!("a{position}")
}

pub(crate) fn bar(position: usize) -> Ident {
    format_ident!("b{position}")
}

/// The table of cases, and what is common to the variants.
pub fn cases(sources: &[Source]) -> TokenStream {
    let modules = sources.iter().map(|source| {
        let roots = source.roots.iter().map(|root| case_module(&source.name, root));
        let file = &source.name;
        quote!(pub mod #file { #(#roots)* })
    });
    let modules = quiet(quote!(pub mod cases { #(#modules)* }));
    let table = roots(sources).map(|(file, root)| {
        let name = &root.name;
        let (text, is_single) = (format!("{file}::{name}"), root.is_single);
        let weights = match &root.weights {
            Some(weights) => quote!(Some(&[#weights])),
            None => quote!(None),
        };
        let expectations = root.samples.iter().map(expectation);
        quote! {
            testkit::corpus::Case {
                name: #text,
                is_single: #is_single,
                weights: #weights,
                expectations: &[#(#expectations),*],
                arguments: cases::#file::#name::interpreted,
                plain: cases::#file::#name::plain,
                dual: cases::#file::#name::dual,
            }
        }
    });
    quote! {
        #modules
        /// All functions of the corpus that have samples.
        pub static CASES: &[testkit::corpus::Case] = &[#(#table),*];
    }
}

fn expectation(sample: &Sample) -> TokenStream {
    if sample.value.is_none() && sample.gradient.is_none() {
        return quote!(None);
    }
    let option = |expr: &Option<Expr>, reference: TokenStream| match expr {
        Some(expr) => quote!(Some(#reference #expr)),
        None => quote!(None),
    };
    let (value, gradient) = (option(&sample.value, quote!()), option(&sample.gradient, quote!(&)));
    quote!(Some(testkit::corpus::Expectation { value: #value, gradient: #gradient }))
}

/// What is passed to the function, or to its forward sweep.
pub(crate) fn passed(root: &Root) -> Vec<TokenStream> {
    let args = root.params.iter().enumerate().map(|(position, param)| {
        let name = argument(position);
        match param.passing {
            Passing::Value => quote!(#name.clone()),
            Passing::Shared => quote!(&#name),
            Passing::Exclusive => quote!(&mut #name),
        }
    });
    args.collect()
}

/// The `&mut` arguments.
fn exclusive(root: &Root) -> Vec<usize> {
    let all = root.params.iter().enumerate();
    let exclusive = all.filter(|(_, param)| param.passing == Passing::Exclusive);
    exclusive.map(|(position, _)| position).collect()
}

fn value_of(ty: &Type, expr: &Expr) -> TokenStream {
    let is_vec = matches!(ty, Type::Path(path) if path.path.segments[0].ident == "Vec");
    if is_vec { quote!(<#ty>::from(#expr)) } else { quote!(#expr) }
}

fn case_module(file: &Ident, root: &Root) -> TokenStream {
    let name = &root.name;
    let types: Vec<&Type> = root.params.iter().map(|param| &param.owned).collect();
    let samples = root.samples.iter().enumerate().map(|(number, sample)| {
        let values = sample.arguments.iter().zip(&types).map(|(expr, ty)| value_of(ty, expr));
        quote!(#number => (#(#values,)*))
    });
    let names: Vec<Ident> = (0..types.len()).map(argument).collect();
    let (args, output) = (passed(root), &root.output);
    let outputs: Vec<Ident> = exclusive(root).into_iter().map(argument).collect();
    let output_dependent = root.output_dependent;
    let dependent: Vec<bool> =
        exclusive(root).into_iter().map(|position| root.params[position].dependent).collect();
    let inputs = root.params.iter().zip(&names).filter(|(param, _)| param.has_bar());
    let inputs = inputs.map(|(_, name)| name);
    let lifted = root.params.iter().zip(&names).map(|(param, name)| {
        if param.has_bar() {
            quote!(let mut #name = #name.lift(&mut slopes);)
        } else {
            quote!(let mut #name = constant(&#name);)
        }
    });
    quote! {
        pub mod #name {
            use testkit::corpus::{Lift, Outputs, Primal, constant, duals, floats};

            /// The arguments, unknown to the optimiser.
            #[inline(never)]
            pub fn arguments(sample: usize) -> (#(#types,)*) {
                std::hint::black_box(match sample {
                    #(#samples,)*
                    _ => unreachable!("there are fewer samples"),
                })
            }

            pub fn interpreted(sample: usize) -> Vec<testkit::value::Value<f64>> {
                let (#(#names,)*) = arguments(sample);
                vec![#(testkit::corpus::Leaves::interpreted(&#names)),*]
            }

            pub fn result(sample: usize) -> #output {
                let (#(mut #names,)*) = arguments(sample);
                crate::plain::#file::#name(#(#args),*)
            }

            pub fn plain(sample: usize) -> Primal {
                let (#(mut #names,)*) = arguments(sample);
                let inputs = 0 #(+ floats(&#inputs).len())*;
                let result = crate::plain::#file::#name(#(#args),*);
                let returned = floats(&result).len();
                let mut dependent = vec![#output_dependent; returned];
                #(dependent.extend(vec![#dependent; floats(&#outputs).len()]);)*
                Primal {
                    outputs: Outputs::of(&[&result, #(&#outputs),*]),
                    returned,
                    dependent,
                    inputs,
                }
            }

            pub fn dual(sample: usize, slopes: &[f64]) -> Vec<testkit::dual::Dual> {
                let (#(#names,)*) = arguments(sample);
                let mut slopes = slopes.iter();
                #(#lifted)*
                let result = crate::dual::#file::#name(#(#args),*);
                duals(&[&result, #(&#outputs),*])
            }
        }
    }
}

/// Which of the entries of a function are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// All of them.
    All,
    /// Those that do anything else than call what another one calls, too: without the ones that take a stack, the gradients and the pullback.
    Sweeps,
    /// `adjoint`, and `forward` with `backward`: what random functions are checked by.
    Few,
}

/// The functions that run the entries of a variant, of those that are kept of all sources.
pub fn runs(variant: &str, sources: &[Source], kept: &[Source], entries: Entries) -> TokenStream {
    let (module, runs) = (format_ident!("{variant}"), format_ident!("run_{variant}"));
    let functions = kept.iter().map(|source| {
        let file = &source.name;
        let functions = source.roots.iter().map(|root| run(&module, file, root, entries));
        quote! {
            pub mod #file {
                use testkit::corpus::{Derivative, Entry, Leaves, Outputs, filled, skip, uniform};
                #(#functions)*
            }
        }
    });
    let functions = quiet(quote!(pub mod #runs { #(#functions)* }));
    let paths = roots(sources).map(|(file, root)| {
        let name = &root.name;
        let is_kept = roots(kept).any(|(of, other)| of == file && other.name == *name);
        if is_kept { quote!(Some(#runs::#file::#name)) } else { quote!(None) }
    });
    let table = format_ident!("{}", variant.to_uppercase());
    quote! {
        #functions
        /// The corpus in this variant.
        pub static #table: testkit::corpus::Variant =
            testkit::corpus::Variant { name: #variant, runs: &[#(#paths),*] };
    }
}

fn run(module: &Ident, file: &Ident, root: &Root, chosen: Entries) -> TokenStream {
    let name = &root.name;
    let names: Vec<Ident> = (0..root.params.len()).map(argument).collect();
    let bars: Vec<Ident> = (0..root.params.len())
        .filter(|position| root.params[*position].has_bar())
        .map(bar)
        .collect();
    let outputs: Vec<Ident> = exclusive(root).into_iter().map(argument).collect();
    let arms = Arms::new(root);
    let (adjoint, twice, split, pullback) =
        (arms.adjoint(), arms.twice(), arms.split(), arms.pullback());
    let (gradient, seeding) = (arms.gradient(), arms.seeding());
    let thin = |call: &TokenStream, read: &TokenStream| match chosen {
        Entries::All => quote! {
            Entry::AdjointWith => { let result = entries::adjoint_with(&mut stack, #call); #read }
            Entry::AdjointOnlyWith => { entries::adjoint_only_with(&mut stack, #call); None }
            Entry::Tangent => return None,
            Entry::Pullback => { #pullback }
            #gradient
        },
        Entries::Sweeps | Entries::Few => quote!(_ => return None,),
    };
    let others = |call: &TokenStream, read: &TokenStream| {
        let thin = thin(call, read);
        let further = (chosen != Entries::Few).then(|| {
            quote! {
                Entry::Twice => { #twice #read }
                Entry::AdjointOnly => { entries::adjoint_only(#call); None }
            }
        });
        quote!(#further #thin)
    };
    let read = quote!(Some(Outputs::of(&[&result, #(&#outputs),*])));
    let others = others(&arms.call(), &read);
    let tangent = arms.tangent();
    quote! {
        pub fn #name(entry: Entry, sample: usize, seeds: &[f64]) -> Option<Derivative> {
            use crate::#module::#file::#name as entries;
            use crate::cases::#file::#name as case;
            let (#(mut #names,)*) = case::arguments(sample);
            #tangent
            let mut stack = backsweep::Stack::new();
            let result = case::result(sample);
            #seeding
            let outputs = match entry {
                Entry::Adjoint => { let result = #adjoint; #read }
                Entry::Split => { #split }
                #others
            };
            let bars = Outputs::of(&[#(&#bars),*]).floats;
            let stack_is_empty = stack.is_empty() && stack.bytes() == 0;
            Some(Derivative { outputs, bars, stack_is_empty })
        }
    }
}

/// The arms of the choice among entries.
struct Arms<'a> {
    root: &'a Root,
    outputs: Vec<Ident>,
}

impl<'a> Arms<'a> {
    fn new(root: &'a Root) -> Self {
        Self { root, outputs: exclusive(root).into_iter().map(argument).collect() }
    }

    /// Bars and seeds, in the order of the result and the `&mut` arguments.
    fn seeding(&self) -> TokenStream {
        let mut tokens = quote!(let mut seeds = seeds.iter(););
        tokens.extend(if self.root.output_dependent {
            quote!(let seed = filled(&result, &mut seeds);)
        } else {
            quote!(skip(&result, &mut seeds);)
        });
        for (position, param) in self.root.params.iter().enumerate() {
            let (name, bar) = (argument(position), bar(position));
            let is_exclusive = param.passing == Passing::Exclusive;
            tokens.extend(match (is_exclusive, param.dependent) {
                (true, true) => quote!(let mut #bar = filled(&#name, &mut seeds);),
                // It is overwritten.
                (true, false) => {
                    quote!(skip(&#name, &mut seeds); let mut #bar = uniform(&#name, 9.0);)
                }
                (false, _) => quote!(let mut #bar = uniform(&#name, 0.0);),
            });
        }
        tokens
    }

    fn seed(&self) -> Option<TokenStream> {
        self.root.output_dependent.then(|| quote!(seed.clone(),))
    }

    /// The arguments of `adjoint`.
    fn call(&self) -> TokenStream {
        let args = passed(self.root);
        let args = self.root.params.iter().zip(args).enumerate().map(|(position, (param, arg))| {
            let bar = bar(position);
            if param.has_bar() { quote!(#arg, &mut #bar,) } else { quote!(#arg,) }
        });
        let seed = self.seed();
        quote!(#(#args)* #seed)
    }

    fn adjoint(&self) -> TokenStream {
        let call = self.call();
        quote!(entries::adjoint(#call))
    }

    /// Of the tangent, the seeds are the direction, and what comes out is the derivative of the dependents.
    fn tangent(&self) -> TokenStream {
        let Root { params, output_dependent, .. } = self.root;
        if !self.root.has_tangent {
            return quote!(if entry == Entry::Tangent {
                return None;
            });
        }
        let (mut directions, mut args, mut tangents) = (TokenStream::new(), Vec::new(), Vec::new());
        for (position, (param, arg)) in params.iter().zip(passed(self.root)).enumerate() {
            let (name, direction) = (argument(position), bar(position));
            args.push(arg);
            if !param.has_bar() {
                continue;
            }
            directions.extend(quote!(let mut #direction = filled(&#name, &mut slopes);));
            args.push(match param.passing {
                Passing::Value => quote!(#direction.clone()),
                Passing::Shared => quote!(&#direction),
                Passing::Exclusive => quote!(&mut #direction),
            });
            if param.dependent {
                tangents.push(quote!(&#direction));
            }
        }
        let result = match output_dependent {
            true => quote!((result, tangent)),
            false => quote!(result),
        };
        if *output_dependent {
            tangents.insert(0, quote!(&tangent));
        }
        let outputs = &self.outputs;
        quote! {
            if entry == Entry::Tangent {
                let mut slopes = seeds.iter();
                #directions
                let #result = entries::tangent(#(#args),*);
                let outputs = Some(Outputs::of(&[&result, #(&#outputs),*]));
                let bars = Outputs::of(&[#(#tangents),*]).floats;
                return Some(Derivative { outputs, bars, stack_is_empty: true });
            }
        }
    }

    fn twice(&self) -> TokenStream {
        let adjoint = self.adjoint();
        let mut again = TokenStream::new();
        let mut halved = TokenStream::new();
        let mut saved = TokenStream::new();
        for (position, param) in self.root.params.iter().enumerate() {
            let (name, bar) = (argument(position), bar(position));
            let index = syn::Index::from(position);
            if param.passing == Passing::Exclusive {
                again.extend(quote!(#name = case::arguments(sample).#index;));
                if param.has_bar() {
                    let copy = format_ident!("{bar}_before");
                    saved.extend(quote!(let #copy = #bar.clone();));
                    again.extend(quote!(#bar = #copy;));
                }
            } else if param.has_bar() {
                halved.extend(quote!(Leaves::map(&mut #bar, &mut |float| 0.5 * float);));
            }
        }
        quote!(#saved #adjoint; #again let result = #adjoint; #halved)
    }

    /// The bars of the backward sweep, with the arguments it takes again.
    fn split(&self) -> TokenStream {
        let forward = passed(self.root);
        let outputs = &self.outputs;
        let args = self.root.params.iter().zip(&forward).enumerate();
        let args = args.map(|(position, (param, arg))| {
            let bar = bar(position);
            let arg = (param.passing != Passing::Exclusive).then(|| quote!(#arg,));
            let bar = param.has_bar().then(|| quote!(&mut #bar,));
            quote!(#arg #bar)
        });
        let seed = self.seed();
        quote! {
            let result = entries::forward(&mut stack, #(#forward),*);
            let outputs = Some(Outputs::of(&[&result, #(&#outputs),*]));
            #(#outputs = uniform(&#outputs, 9.0);)*
            entries::backward(&mut stack, #(#args)* #seed);
            outputs
        }
    }

    fn pullback(&self) -> TokenStream {
        let forward = passed(self.root);
        let outputs = &self.outputs;
        let bars = self.root.params.iter().enumerate().filter(|(_, param)| param.has_bar());
        let bars = bars.map(|(position, _)| {
            let bar = bar(position);
            quote!(&mut #bar,)
        });
        let seed = self.seed();
        quote! {
            let (result, pullback) = entries::pullback(#(#forward),*);
            let outputs = Some(Outputs::of(&[&result, #(&#outputs),*]));
            #(#outputs = uniform(&#outputs, 9.0);)*
            pullback.call(#(#bars)* #seed);
            outputs
        }
    }

    fn gradient(&self) -> TokenStream {
        if !self.root.has_gradient() {
            return quote!(_ => return None,);
        }
        let args = passed(self.root);
        let outputs = &self.outputs;
        let independent =
            self.root.params.iter().enumerate().filter(|(_, param)| param.independent);
        let bars: Vec<Ident> = independent.map(|(position, _)| bar(position)).collect();
        let bars_pattern = match bars.as_slice() {
            [only] => quote!(#only),
            bars => quote!((#(#bars),*)),
        };
        let into = self.root.params.iter().zip(&args).enumerate();
        let into = into.map(|(position, (param, arg))| {
            let bar = bar(position);
            if param.independent { quote!(#arg, &mut #bar,) } else { quote!(#arg,) }
        });
        let into = quote!(#(#into)*);
        let read = quote!(Some(Outputs::of(&[&result, #(&#outputs),*])));
        let garbage = quote!(#(#bars = uniform(&#bars, 9.0);)*);
        quote! {
            Entry::Gradient => {
                let (result, gradient) = entries::gradient(#(#args),*);
                #bars_pattern = gradient;
                #read
            }
            Entry::GradientWith => {
                let (result, gradient) = entries::gradient_with(&mut stack, #(#args),*);
                #bars_pattern = gradient;
                #read
            }
            Entry::GradientInto => {
                #garbage
                let result = entries::gradient_into(#into);
                #read
            }
            Entry::GradientIntoWith => {
                #garbage
                let result = entries::gradient_into_with(&mut stack, #into);
                #read
            }
        }
    }
}
