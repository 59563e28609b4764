//! The signature of a function, as emission repeats it.

use crate::index::Var;
use crate::ir::{ByReference, Carrier, StandardTrait};
use crate::options::Declarations;
use proc_macro2::{Ident, TokenStream};

/// How an argument gets to a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// By value.
    Value,
    /// As a `&`.
    Shared,
    /// As a `&mut`.
    Exclusive,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable in the IR.
    pub var: Var,
    /// The name in generated signatures.
    pub ident: Ident,
    /// The names the user gave it: one, or those its pattern binds.
    pub names: Vec<Ident>,
    /// The type, references included.
    pub ty: TokenStream,
    /// The type behind the reference, or the type itself.
    pub pointee: TokenStream,
    /// How it is passed.
    pub passing: Passing,
    /// Whether it is among the independents.
    pub independent: bool,
    /// Whether it is among the dependents.
    pub dependent: bool,
    /// Whether tokens tell that it is or is not. If not, there are entries for other annotated functions
    /// only.
    pub is_decided: bool,
}

impl Parameter {
    /// Whether the entries have a bar for it.
    pub fn has_bar(&self) -> bool {
        self.independent || self.dependent
    }
}

impl Interface {
    /// Whether it is clear what is differentiated with respect to what, so that users can call the entries.
    pub fn is_decided(&self) -> bool {
        self.params.iter().all(|param| param.is_decided)
    }

    /// Whether the type of a parameter cannot be written elsewhere: `impl Fn(f64) -> f64`.
    pub fn has_anonymous_types(&self) -> bool {
        self.params.iter().any(|param| {
            let text = param.ty.to_string();
            text.split_whitespace().any(|word| word == "impl")
        })
    }
}

/// Where the entries of a function are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In a struct beside the function.
    Struct,
    /// There, and as functions beside the function.
    Beside,
    /// Beside the function in an `impl` of its type.
    Impl,
    /// In an `impl` of the library's trait for what a trait of the standard library has: there are none for users.
    StandardTrait,
}

/// The `impl` block of an operator or of a conversion.
#[derive(Clone, Debug)]
pub struct StandardImpl {
    /// What the trait is for.
    pub of: StandardTrait,
    /// The trait, as the user has it.
    pub written: WrittenTrait,
    /// The generic parameters in angle brackets, without the brackets.
    pub generics: TokenStream,
    /// The predicates of the where clause.
    pub bounds: TokenStream,
    /// Which operands are references.
    pub by_reference: ByReference,
    /// The type, or what it refers to.
    pub self_type: TokenStream,
    /// The type of the right operand, or of what is converted, or what that refers to.
    pub right: TokenStream,
}

/// The trait of an `impl` block as it is written, outside of the block: with what its path mentions.
#[derive(Clone, Debug)]
pub struct WrittenTrait {
    /// The path.
    pub path: TokenStream,
    /// The generic parameters in angle brackets, without the brackets.
    pub params: TokenStream,
    /// The predicates of the where clause.
    pub clauses: TokenStream,
}

/// The signature of a function.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The name of the function.
    pub name: Ident,
    /// The path by which generated code calls the function.
    pub primal: TokenStream,
    /// How the function calls itself, if it does.
    pub called: TokenStream,
    /// The name of the struct that carries the entries, or what their names begin with.
    pub entries: Ident,
    /// Where the entries are.
    pub home: Home,
    /// The operator or the conversion that the function is, if it is one.
    pub standard: Option<StandardImpl>,
    /// The type and constant parameters of the `impl` block around it, if they are known.
    pub outer_params: Option<Vec<Ident>>,
    /// The type that the block is of, with any parameters where it is generic.
    pub any_owner: TokenStream,
    /// The methods with adjoints of the annotated trait that the `impl` block around it is of.
    pub of_trait: Vec<Ident>,
    /// What the type around the function is called, if that is known.
    pub owner: Option<String>,
    /// Whether it may call itself by way of other functions of its `impl` block.
    pub is_recursive: bool,
    /// Whether it is the body of a checkpointed block or loop.
    pub is_step: bool,
    /// Whether the first parameter is a receiver.
    pub has_receiver: bool,
    /// Whether the type of the `impl` block around it may hold references.
    pub owner_may_borrow: bool,
    /// The visibility.
    pub visibility: TokenStream,
    /// The generic parameters in angle brackets, without the brackets: as they are.
    pub generics: TokenStream,
    /// Those of them that stand for lifetimes without names in the types of parameters.
    pub elided: Vec<TokenStream>,
    /// The names of the generic parameters that can be given explicitly.
    pub generic_args: Vec<TokenStream>,
    /// What of them the function at the path of generated code is given.
    pub primal_args: Vec<TokenStream>,
    /// Those that no argument tells: whoever calls the function or an entry names them.
    pub untold: Vec<Ident>,
    /// What the files of the crate tell of types.
    pub declared: Declarations,
    /// The where clause.
    pub bounds: TokenStream,
    /// What the derivatives ask of type parameters besides.
    pub demands: Vec<TokenStream>,
    /// What they ask of those that are no floats: of plain data, that nothing changes it by way of a shared reference; of arguments of
    /// types with derivatives, that their bars are of the same type.
    pub asked_of_others: Vec<TokenStream>,
    /// The parameters.
    pub params: Vec<Parameter>,
    /// The type that is returned; `None` for `()`.
    pub output: Option<TokenStream>,
    /// What that carries the result in, if the function may fail.
    pub carrier: Option<Carrier>,
    /// The type of the result; `None` for `()`.
    pub payload: Option<TokenStream>,
    /// Whether the result is a dependent.
    pub output_dependent: bool,
    /// The path of the adjoint, if the user gives it.
    pub given_adjoint: Option<TokenStream>,
    /// The path of the tangent, if the user gives that, too.
    pub given_tangent: Option<TokenStream>,
    /// Whether the user says that such a function may run twice.
    pub is_repeatable: bool,
    /// What the partials that the user gives are with respect to, where that is written.
    pub given_partials: Vec<Ident>,
    /// The arguments of generated tests, in the order of the parameters.
    pub examples: Vec<Vec<TokenStream>>,
    /// Whether there is a search for what makes an infinity or a NaN.
    pub is_searched: bool,
    /// Which of the entries for users there are; all, if the user does not say.
    pub selection: Option<Selection>,
    /// The path of the facade.
    pub facade: TokenStream,
}

/// Entries for users, by their names without what those of methods begin with.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Those that the user asks for.
    pub asked: Vec<Ident>,
    /// Those that are called by what other options ask for.
    pub needed: Vec<&'static str>,
}

/// A method of an annotated trait, in the trait or in an `impl` of it.
#[derive(Clone)]
pub struct InTrait {
    /// Its name.
    pub method: Ident,
    /// The path of the trait.
    pub of_trait: TokenStream,
    /// Its own generic parameters, as they are declared.
    pub params: Vec<TokenStream>,
    /// The predicates of its where clause.
    pub clauses: Vec<TokenStream>,
    /// Those of its generic parameters that can be given explicitly.
    pub arguments: Vec<TokenStream>,
    /// Those that are types.
    pub types: Vec<Ident>,
    /// The type and constant parameters of the trait, or of the `impl`.
    pub outer: Vec<TokenStream>,
    /// Those of them that are types.
    pub outer_types: Vec<Ident>,
    /// The parameters that are arguments of the trait: they stand for its own, of which it asks what derivatives need.
    pub of_trait_params: Vec<Ident>,
    /// How it takes its receiver, if it has one.
    pub receiver: Option<Passing>,
    /// The conditions under which it is there.
    pub conditions: TokenStream,
    /// Where its sweeps are.
    pub behind: Behind,
}

/// Where the sweeps of a method of an annotated trait are.
#[derive(Clone)]
pub enum Behind {
    /// Nowhere: the trait declares the method.
    Nowhere,
    /// In a function with the body that the trait gives the method.
    Default(StandIn),
    /// In functions of the type that implements the trait.
    Type,
    /// In a function beside the `impl` of the trait.
    Function(StandIn),
}

/// A function in the place of a method.
#[derive(Clone)]
pub struct StandIn {
    /// The struct with its entries.
    pub entries: Ident,
    /// What its generic parameters are in the method.
    pub arguments: Vec<TokenStream>,
}
