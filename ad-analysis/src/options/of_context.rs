//! The options that only the macro writes: what the files of the crate tell.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::ItemImpl;

/// `operators(mul, …)`, methods that are those of operators by the files of the crate.
pub const OPERATORS: &str = "operators";

/// `library(swap = core::mem::swap)`, functions of the standard library that are imported, by the
/// files of the crate.
pub const LIBRARY: &str = "library";

/// `declared(field Owner, name, Type; …)`, by the files of the crate.
pub const DECLARED: &str = "declared";

/// `traits(Abs, …)`, by the files of the crate: `Abs::abs(x)` is a call of a method of a trait.
pub const TRAITS: &str = "traits";

/// `lifetimes(View, …)`, types of parameters that have lifetimes and are written without, once for
/// each, by the files of the crate.
pub const LIFETIMES: &str = "lifetimes";

/// `derived(State, …)`, types of parameters that derive `Differentiable`, by the files of the crate.
pub const DERIVED: &str = "derived";

/// `float_traits(RealCopy)`, traits of the crate with one of floats for a supertrait, by the files
/// of the crate. A trait stands there by the [key](super::key_of) of its path.
pub const FLOAT_TRAITS: &str = "float_traits";

/// `held(Pair(2; first: 0; place = Point<A0, A1>))`, where structs hold values of their type parameters, and
/// which of their fields are structs of these, by the files of the crate.
pub const HELD: &str = "held";

/// `within(impl<T> Pair<T>)` on a function: the head of the `impl` block around it, by the files of the crate.
pub const WITHIN: &str = "within";

/// `of_trait(m, …)` on an `impl` block: the trait is annotated, and these are its methods with adjoints. The files of the crate tell, if
/// the trait is in them.
pub const OF_TRAIT: &str = "of_trait";

/// `apart` on an `impl` block of an annotated trait: the type implements the trait with other arguments, too, by the files of the crate.
/// What is generated for one cannot stand in a block of the type then.
pub const APART: &str = "apart";

/// `found(g = path)`, where the entries of a callee are by the files of the crate. It stands
/// there by its [key](super::key_of).
pub const FOUND: &str = "found";

/// `imported(g = a::g)`, the path from the root of the crate by which a callee is imported whose module is hidden. It stands there
/// by its [key](super::key_of).
pub const IMPORTED: &str = "imported";

/// `imports(path = a::f, …)`, the paths from the root of the crate by which others import the function, from whom its module is hidden.
pub const IMPORTS: &str = "imports";

/// An `impl` block with nothing in it, by its head.
pub fn block_of(head: TokenStream) -> Option<ItemImpl> {
    let nothing = TokenTree::from(Group::new(Delimiter::Brace, TokenStream::new()));
    syn::parse2(head.into_iter().chain([nothing]).collect()).ok()
}
