//! The datatypes of the intermediate representation. This file only declares types, so that
//! changes to the IR can be reviewed as such; see the [module documentation](super) for what they
//! mean together.

use super::names::Namer;
use super::operator::{Operator, Resolution};
use super::values::{Condition, Expr, Fact, Guard, Place};
use crate::index::{BitSet, IndexVec, Label, Scope, StmtId, Var};
use crate::types::{PartTypes, Type};
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A function: the primal, one of its sweeps, or its tangent.
#[derive(Clone, Debug)]
pub struct Body {
    /// The name of the function.
    pub name: String,
    /// All variables; their names are unique.
    pub vars: IndexVec<Var, Variable>,
    /// What is known of parts of values of types that are not known themselves.
    pub parts: PartTypes,
    /// The parameters in order.
    pub params: Vec<Var>,
    /// The variable that holds the return value when control reaches the end, unless it is `()`.
    pub result: Option<Var>,
    /// What the derivative is taken with respect to.
    pub independents: Vec<Var>,
    /// What is differentiated: the result, `&mut` parameters.
    pub dependents: Vec<Var>,
    /// What the forward sweep hands to the backward sweep by value: results of a forward sweep,
    /// parameters of a backward sweep. The tangent of the result in a tangent, empty otherwise.
    pub kept: Vec<Kept>,
    /// Where `return` leads.
    pub target: Target,
    /// The statements.
    pub block: Block,
    /// How many statements, labels and scopes have been numbered.
    pub numbering: Numbering,
    /// The names that are taken.
    pub names: Namer,
    /// In the tangent as a function: the variables that hold directions.
    pub directions: BitSet<Var>,
    /// What is taken for a number that a trait of a type parameter has: `T::one()`.
    pub constants: Vec<Constant>,
    /// Methods that go through lists whose types the macro does not see, by their names.
    pub methods_of_lists: BTreeMap<String, Ident>,
    /// In a sweep: the calls of the primal whose callees its conditions ask.
    pub asked: BTreeMap<StmtId, AskedCall>,
}

/// A call whose callee is asked about arguments.
#[derive(Clone, Debug)]
pub struct AskedCall {
    /// What is called.
    pub callee: Callee,
    /// When each argument is active.
    pub active: Vec<Condition>,
    /// What the answers are called in generated code.
    pub names: BTreeMap<(usize, Fact), String>,
    /// Where the call is.
    pub span: Span,
}

/// A constant of a type parameter that stands for a float.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The user's code.
    pub tokens: TokenStream,
    /// The number that it is taken for.
    pub value: Rc<str>,
    /// Where that is.
    pub span: Span,
}

/// A value that the forward sweep hands to the backward sweep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The variable.
    pub var: Var,
    /// When it is handed over: otherwise the backward sweep does not read it.
    pub when: Condition,
}

/// The next free numbers of a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    /// Statements numbered so far.
    pub stmts: u32,
    /// Labels numbered so far.
    pub labels: u32,
    /// Scopes numbered so far.
    pub scopes: u32,
    /// Numbers of unknown types so far.
    pub numbers: u32,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in the generated code, unique in the body.
    pub name: String,
    /// Where the user declared it.
    pub span: Span,
    /// The type of the value, whether the variable holds it or refers to it.
    pub ty: Type,
    /// Whether the type is only assumed (see [`Unifier`](crate::types::Unifier)).
    pub assumed: bool,
    /// How the variable stands for the value.
    pub binding: Binding,
    /// The type as the user wrote it, to be repeated in the generated code.
    pub declared: Option<TokenStream>,
}

/// How a variable stands for a value.
#[derive(Clone, Debug)]
pub enum Binding {
    /// It holds the value.
    Value,
    /// It is a `&T` from outside: a parameter.
    Shared,
    /// It is a `&mut T` from outside: a parameter.
    Exclusive,
    /// It is a constant, a static or a const parameter, by its path. Never written.
    Global(TokenStream),
    /// It is a local reference to a place of this body, whose indices were captured when it was
    /// created, or the variables of a loop.
    View(Rc<View>),
}

/// The place a local reference refers to.
#[derive(Clone, Debug)]
pub struct View {
    /// The place; its root is no view, its indices are constants or never written variables.
    pub place: Place,
    /// Whether it is a `&mut`.
    pub mutable: bool,
    /// The `&mut` reference that it was made from, if it was: Rust allows no other way to the place as long as
    /// that is used.
    pub through: Option<Through>,
}

/// A local reference from which another was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Through {
    /// The reference.
    pub view: Var,
    /// How many projections of the place lead to what it refers to.
    pub depth: usize,
}

/// A list of statements and a scope: what it declares dies at its end.
#[derive(Clone, Debug)]
pub struct Block {
    /// The scope.
    pub scope: Scope,
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its number, by which facts refer to it.
    pub id: StmtId,
    /// The user's code it comes from.
    pub span: Span,
    /// What it does.
    pub kind: StmtKind,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Declares a variable of the current scope.
    Let {
        /// The variable.
        var: Var,
        /// Its first value, unless it is assigned later.
        value: Option<Expr>,
    },
    /// Overwrites a place.
    Assign {
        /// The place.
        place: Place,
        /// The value, computed before the place is written.
        value: Expr,
    },
    /// Adds to a place, element by element: `x_b += e`.
    Increment {
        /// The place.
        place: Place,
        /// What is added.
        value: Expr,
    },
    /// Sets all floats of a place to zero; its shape stays.
    Reset {
        /// The place.
        place: Place,
    },
    /// Makes a `Vec` longer or shorter at its end; its other elements stay.
    Resize(Resize),
    /// Exchanges the values of two places.
    Swap {
        /// One of them.
        a: Place,
        /// The other, which may be the same.
        b: Place,
    },
    /// Declares a local reference.
    Bind {
        /// The variable, whose binding is a view.
        view: Var,
    },
    /// Calls a user function.
    Call(Call),
    /// Code that is kept as it is.
    Opaque(Rc<Opaque>),
    /// A choice.
    If {
        /// The condition.
        test: Expr,
        /// What is done if it holds.
        then: Block,
        /// What is done otherwise.
        otherwise: Block,
    },
    /// A loop.
    Loop(Loop),
    /// A nested scope, which exits may leave.
    Block {
        /// Where exits that leave it lead, if there are any.
        target: Option<Target>,
        /// The statements.
        body: Block,
    },
    /// Leaves a labelled construct: `break 'label`; `return` leaves the body.
    Exit {
        /// The construct that is left.
        label: Label,
        /// Tells this exit from the others of the construct; 0 until control is reified.
        code: u8,
    },
    /// Pushes a value onto the stack.
    Push {
        /// Where the value is.
        place: Place,
        /// How it is taken from there.
        transfer: Transfer,
    },
    /// Pops a value from the stack.
    Pop {
        /// Where the value goes.
        place: Place,
        /// Whether this declares the variable.
        declares: bool,
    },
}

/// How a value gets from its place to the stack or to the backward sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// It is copied or cloned.
    Copy,
    /// The variable dies here: its value is moved.
    Move,
}

/// A change of the length of a `Vec`.
#[derive(Clone, Debug)]
pub struct Resize {
    /// The `Vec`: a variable, or a reference to one.
    pub list: Place,
    /// What is done to it.
    pub change: Change,
    /// The variable that holds the length the list has before, once control is reified.
    pub len: Option<Var>,
}

/// What a [`Resize`] does to its list.
#[derive(Clone, Debug)]
pub enum Change {
    /// The elements of a list are appended.
    Extend(Expr),
    /// It keeps so many elements, which are no more than it has.
    Truncate(Expr),
}

/// Where exits lead: the end of a labelled construct.
#[derive(Clone, Debug)]
pub struct Target {
    /// The label.
    pub label: Label,
    /// The variable that tells by which exit the construct was left (0: by none), once control is
    /// reified and if there is more than one way to leave it.
    pub exit: Option<Var>,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where exits lead.
    pub target: Target,
    /// What drives it.
    pub kind: LoopKind,
    /// The variable that counts the iterations begun, once control is reified and if the number
    /// cannot be told from the range.
    pub trips: Option<Var>,
    /// The statements of an iteration.
    pub body: Block,
}

impl Loop {
    /// The variable that takes the values of a range.
    pub fn counter(&self) -> Option<Var> {
        match &self.kind {
            LoopKind::Counted { var, range: _ } => Some(*var),
            LoopKind::While { .. } | LoopKind::Forever => None,
        }
    }
}

/// What drives a loop.
#[derive(Clone, Debug)]
pub enum LoopKind {
    /// `for var in range`
    Counted {
        /// The loop variable, never written by the body.
        var: Var,
        /// The values it takes.
        range: Range,
    },
    /// `while test`
    While {
        /// The condition, which has no effects.
        test: Expr,
    },
    /// `loop`
    Forever,
}

/// A range of integers, evaluated when its loop is entered.
#[derive(Clone, Debug)]
pub struct Range {
    /// The first value.
    pub start: Expr,
    /// The end.
    pub end: Expr,
    /// Whether the end belongs to the range.
    pub inclusive: bool,
    /// What was done to the range, in order.
    pub adaptors: Vec<Adaptor>,
}

/// A modification of a range.
#[derive(Clone, Debug)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.step_by(n)`
    StepBy(Expr),
    /// `.take(n)`
    Take(Expr),
}

/// A call of a user function.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub callee: Callee,
    /// The arguments in order; of a method the receiver first.
    pub args: Vec<Arg>,
    /// The variable declared by the call that takes the result, unless that is `()`.
    pub result: Option<Var>,
    /// The variable that takes what the callee keeps between its sweeps, once control is reified.
    /// Declared by a call of the forward sweep.
    pub kept: Option<Var>,
    /// What the user asked for.
    pub mode: CallMode,
    /// Which function of the callee is called.
    pub sweep: Sweep,
    /// What the callee returns its result in, if it may fail: then the caller fails too.
    pub carrier: Option<Carrier>,
    /// The variable declared by the call that takes the failure of the callee, if it may fail and the
    /// caller goes on then. The result is a placeholder then.
    pub failure: Option<Var>,
    /// What generated code proves of the way in which the callee was found.
    pub resolution: Resolution,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// The function at a path, with its generic arguments.
    Function(TokenStream),
    /// A derivative of the function at a path, which has an adjoint in its turn.
    Derivative(Derivative, TokenStream),
    /// The function of a type at a path.
    Associated(TokenStream),
    /// The method of that name of the first argument.
    Method(Ident),
    /// The operator of the types of the arguments.
    Operator(Operator),
    /// Its tangent as a function, in which each argument is followed by its direction.
    DirectedOperator(Operator),
    /// The conversion of the argument into a type.
    Conversion(TokenStream),
    /// The function itself, whose body is not looked at: the user gives its adjoint.
    Given,
}

/// A derivative that is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivative {
    /// The tangent, with something behind each argument: a direction or `()`. The result is the pair of the value and
    /// its derivative. Tangents call that of others.
    Directed,
    /// The tangent as users call it.
    Tangent,
    /// The gradient as users call it.
    Gradient,
}

impl Derivative {
    /// The derivative of that name, if users call it.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Tangent, Self::Gradient].into_iter().find(|derivative| derivative.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directed => "directed",
            Self::Tangent => "tangent",
            Self::Gradient => "gradient",
        }
    }
}

impl fmt::Display for Callee {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Function(path) | Self::Associated(path) => path.to_string(),
            Self::Derivative(derivative, path) => format!("{path}::{}", derivative.name()),
            Self::Method(name) => format!("_::{name}"),
            Self::Operator(operator) => format!("_::{}", operator.trait_name()),
            Self::DirectedOperator(operator) => format!("_::{}::directed", operator.trait_name()),
            Self::Conversion(target) => format!("_::into::<{target}>"),
            Self::Given => "given".to_owned(),
        };
        text.split_whitespace().try_for_each(|part| out.write_str(part))
    }
}

/// What a function that may fail returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// An `Option`.
    Option,
    /// A `Result`.
    Result,
}

/// Whether a call stores what its backward sweep needs, or computes it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallMode {
    /// Decided by the library.
    Auto,
    /// `#[checkpoint]`: the backward sweep runs both sweeps of the callee.
    Joint,
    /// `#[split]`: the forward sweep runs the callee's forward sweep.
    Split,
}

/// The function of a callee that is called.
#[derive(Clone, Debug)]
pub enum Sweep {
    /// The user's function.
    Primal,
    /// Its forward sweep.
    Forward {
        /// When the value of the callee is wanted.
        primal: Guard,
    },
    /// Its backward sweep.
    Backward {
        /// The bar of the result, which is reset.
        seed: Option<Place>,
        /// When the value of the callee was wanted in the forward sweep.
        primal: Guard,
    },
    /// Its tangent.
    Tangent {
        /// The variable declared by the call that takes the tangent of the result.
        result: Option<Var>,
        /// What the result leads to.
        leads: Leads,
    },
}

/// What the result of a call leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leads {
    /// It may lead to dependents.
    ToDependents,
    /// It leads to tests at most: only a tangent that follows them wants its tangent.
    ToTests,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Arg {
    /// What is passed.
    pub kind: ArgKind,
    /// What follows it in the sweeps of the callee.
    pub slot: Slot,
}

/// What is passed to a parameter.
#[derive(Clone, Debug)]
pub enum ArgKind {
    /// A value.
    Value(Expr),
    /// A `&` to a place.
    Shared(Place),
    /// A `&mut` to a place.
    Exclusive(Place),
    /// Nothing, where the function called takes a `&mut`: a backward sweep gets only its bar.
    Omitted,
}

/// What follows an argument in the uniform entry of the callee.
#[derive(Clone, Debug)]
pub enum Slot {
    /// The argument is passive.
    Passive,
    /// Forward sweep: the argument is active under the condition.
    Marker(Condition),
    /// Backward sweep: the bar of the argument, which is active under the condition. Tangent: the
    /// tangent of the argument.
    Bar(Place, Condition),
}

impl Slot {
    /// The bar or the tangent.
    pub fn bar(&self) -> Option<&Place> {
        match self {
            Self::Bar(place, _) => Some(place),
            Self::Passive | Self::Marker(_) => None,
        }
    }
}

/// Passive code that is kept as the user wrote it.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// The code, in the names of the body.
    pub tokens: TokenStream,
    /// The variables it mentions.
    pub reads: Vec<Var>,
    /// The variables it may write.
    pub writes: Vec<Var>,
    /// The variables it declares.
    pub declares: Vec<Var>,
    /// What running it again would do.
    pub class: Class,
    /// Whether control reaches its end.
    pub ending: Ending,
    /// Whether values may get out of it, or into it, by ways that the analyses do not see: it calls
    /// unknown code.
    pub calls_unknown: bool,
    /// What it is and why it cannot be differentiated: reported if a derivative would have to pass
    /// through it. `None` if the user declares that none does.
    pub refusal: Option<Refusal>,
}

/// What happens at the end of verbatim code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Control goes on.
    Continues,
    /// Control does not get there: a panic.
    Diverges,
    /// The function fails; the code is what it returns then. There is no way back from there, so that
    /// for the analyses it is a panic.
    Fails,
}

/// Why a piece of code cannot be differentiated.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What it is, as in "`x` is not supported in active code".
    pub what: String,
    /// What to do instead.
    pub help: String,
    /// If it is a call of a function that may be annotated: the name of that.
    pub callee: Option<Ident>,
}

/// What happens if code runs again. The order is that of strictness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The same, and nothing else.
    Pure,
    /// It writes only places the analyses track: repeatable once those are restored.
    State,
    /// Unknown effects: it must run exactly once.
    Once,
}
