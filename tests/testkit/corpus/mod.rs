//! The corpus: what the build script generates for each of its functions, and the checks.

mod check;
mod examine;
mod jacobian;
mod leaves;
mod report;
mod second;
mod seeds;
mod several;

use crate::dual::Dual;
use crate::value::Value;
pub use check::{check, digest};
pub use examine::{examine, examine_hessians, fuel};
pub use jacobian::check_jacobians;
pub use leaves::{DualLeaves, Leaves, Lift, constant, duals, filled, floats, skip, uniform};
pub use report::Report;
pub use second::check_hessians;
pub use seeds::check_seeds;
pub use several::{Compared, check_several};

/// What is run of the entries of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// `adjoint`.
    Adjoint,
    /// `adjoint` twice with the same bars, halved where they accumulate.
    Twice,
    /// `adjoint_with`.
    AdjointWith,
    /// `adjoint_only`.
    AdjointOnly,
    /// `adjoint_only_with`.
    AdjointOnlyWith,
    /// `gradient`.
    Gradient,
    /// `gradient_with`.
    GradientWith,
    /// `gradient_into`.
    GradientInto,
    /// `gradient_into_with`.
    GradientIntoWith,
    /// `forward`, and `backward` after the `&mut` arguments have been overwritten.
    Split,
    /// `pullback`.
    Pullback,
    /// `tangent`: what is passed is a direction of the inputs, what comes out the derivatives of the dependents.
    Tangent,
}

impl Entry {
    /// All entries that must do bit for bit what `adjoint` does.
    pub const OTHERS: [Entry; 9] = [
        Entry::AdjointWith,
        Entry::AdjointOnly,
        Entry::AdjointOnlyWith,
        Entry::Gradient,
        Entry::GradientWith,
        Entry::GradientInto,
        Entry::GradientIntoWith,
        Entry::Split,
        Entry::Pullback,
    ];

    /// Whether the seed is always 1.
    pub fn is_gradient(self) -> bool {
        matches!(
            self,
            Entry::Gradient | Entry::GradientWith | Entry::GradientInto | Entry::GradientIntoWith
        )
    }
}

/// The result and the `&mut` arguments, in this order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outputs {
    /// All floats.
    pub floats: Vec<f64>,
    /// Everything else.
    pub discrete: Vec<i64>,
}

impl Outputs {
    /// Reads them.
    pub fn of(values: &[&dyn Leaves]) -> Self {
        let mut outputs = Self::default();
        for value in values {
            value.each(&mut |float| outputs.floats.push(float));
            value.discrete(&mut outputs.discrete);
        }
        outputs
    }

    /// Whether they are equal bit for bit; numbers that are none are equal.
    pub fn same_bits(&self, other: &Self) -> bool {
        self.discrete == other.discrete && same_bits(&self.floats, &other.floats)
    }
}

/// Whether lists are equal bit for bit; numbers that are none are equal.
pub fn same_bits(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// What a run of the function itself yields.
#[derive(Clone, Debug)]
pub struct Primal {
    /// Its outputs.
    pub outputs: Outputs,
    /// How many of the floats belong to the result.
    pub returned: usize,
    /// Which of the floats are dependent.
    pub dependent: Vec<bool>,
    /// How many floats there are derivatives with respect to.
    pub inputs: usize,
}

/// What a run of an entry yields.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The outputs, if the entry promises them.
    pub outputs: Option<Outputs>,
    /// The floats of all bars.
    pub bars: Vec<f64>,
    /// Whether the stack that was passed is empty again.
    pub stack_is_empty: bool,
}

/// The listed value and gradient of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Expectation {
    /// The outputs, weighted and added.
    pub value: Option<f64>,
    /// The gradient of it.
    pub gradient: Option<&'static [f64]>,
}

/// A function of the corpus.
#[derive(Debug)]
pub struct Case {
    /// `file::function`.
    pub name: &'static str,
    /// Whether it computes with single precision somewhere.
    pub is_single: bool,
    /// The weights of the outputs, unless they are the usual ones.
    pub weights: Option<&'static [f64]>,
    /// What is listed for each sample.
    pub expectations: &'static [Option<Expectation>],
    /// The arguments, for the interpreter.
    pub arguments: fn(sample: usize) -> Vec<Value<f64>>,
    /// Runs the function itself.
    pub plain: fn(sample: usize) -> Primal,
    /// Runs the function in dual numbers with such slopes of the inputs.
    pub dual: fn(sample: usize, slopes: &[f64]) -> Vec<Dual>,
}

/// Runs an entry of a function in a variant with such seeds of the outputs; nothing if the function
/// has no such entry.
pub type Run = fn(entry: Entry, sample: usize, seeds: &[f64]) -> Option<Derivative>;

/// Second derivatives at a sample.
#[derive(Clone, Debug)]
pub struct Hessian {
    /// The value, of `hessian_vector`.
    pub value: f64,
    /// The gradient, of the same.
    pub gradient: Vec<f64>,
    /// The product with the direction.
    pub products: Vec<f64>,
    /// All of it.
    pub rows: Vec<f64>,
    /// Its diagonal.
    pub diagonal: Vec<f64>,
    /// Rows, columns and values of its entries, if it is had that way.
    pub sparse: Option<(Vec<usize>, Vec<usize>, Vec<f64>)>,
}

/// Tangents in three directions at a sample, and the sparse Jacobian.
#[derive(Clone, Debug)]
pub struct Several {
    /// The result and the `&mut` arguments.
    pub outputs: Outputs,
    /// The derivatives of all dependents.
    pub slopes: Vec<[f64; 3]>,
    /// The Jacobian of functions that have no gradient.
    pub sparse: Option<Sparse>,
    /// How far along the first direction the function goes the same way.
    pub validity: Option<(f64, f64)>,
}

/// A sparse Jacobian.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The rows of the entries.
    pub rows: Vec<usize>,
    /// Their columns.
    pub cols: Vec<usize>,
    /// The entries.
    pub values: Vec<f64>,
    /// Which of the inputs have columns.
    pub columns: Vec<bool>,
}

/// Adjoints for three seeds at a sample.
#[derive(Clone, Debug)]
pub struct Seeded {
    /// The result and the `&mut` arguments.
    pub outputs: Outputs,
    /// The bars of all inputs.
    pub bars: Vec<[f64; 3]>,
}

/// Runs the adjoint for three seeds of each output.
pub type RunSeeds = fn(sample: usize, seeds: &[[f64; 3]]) -> Seeded;

/// Runs the entries for several directions of a function, with the parts of three directions for each input.
pub type RunSeveral = fn(sample: usize, parts: &[[f64; 3]]) -> Several;

/// Runs all entries for second derivatives of a function, with a direction.
pub type RunHessian = fn(sample: usize, direction: &[f64]) -> Hessian;

/// The Jacobian at a sample.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// All of it.
    pub rows: Vec<f64>,
    /// Which of the inputs have a column.
    pub columns: Vec<bool>,
    /// Whether the `&mut` arguments are what they were.
    pub keeps_arguments: bool,
}

/// Runs the entry for the Jacobian of a function.
pub type RunJacobian = fn(sample: usize) -> Jacobian;

/// The corpus with the options of a variant.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// Runs each function, in the order of the cases, if it is any other than with all optimisations.
    pub runs: &'static [Option<Run>],
}
