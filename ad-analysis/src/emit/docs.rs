//! The documentation of generated items.

use crate::interface::{Interface, Passing};
use proc_macro2::Ident;

/// What the struct is.
pub(super) fn of_struct(interface: &Interface) -> String {
    let name = &interface.name;
    format!("The derivatives of [`{name}`](fn@{name}).")
}

fn bars(interface: &Interface) -> String {
    let mut lines = String::new();
    for param in interface.params.iter().filter(|param| param.has_bar()) {
        let name = &param.ident;
        let line = match (param.passing, param.dependent) {
            (Passing::Exclusive, true) => format!(
                "* `{name}_b`: in, the bar of what `{name}` holds afterwards; out, the bar of what \
                 `{name}` held before.\n"
            ),
            (Passing::Exclusive, false) => {
                format!("* `{name}_b` is overwritten with the bar of what `{name}` held before.\n")
            }
            (Passing::Value | Passing::Shared, _) => {
                format!("* `{name}_b += ∂{}/∂{name}`, weighted with the seeds.\n", interface.name)
            }
        };
        lines.push_str(&line);
    }
    if interface.output_dependent {
        lines.push_str("* `ret_b` is the seed: the weight of the result.\n");
    }
    lines
}

/// What it means that the function fails.
fn failures(interface: &Interface) -> &'static str {
    match interface.carrier {
        Some(_) => "\n\nIf the function has no result, bars and gradients stay as they are.",
        None => "",
    }
}

const PANICS: &str = "\n# Panics\nIf a bar or a seed has another shape than its value, or if the function panics; the \
     stack is left as it was.";

pub(super) fn adjoint(interface: &Interface) -> String {
    let name = &interface.name;
    let (bars, failures) = (bars(interface), failures(interface));
    format!("The value of `{name}` and its adjoint.\n\n{bars}{failures}{PANICS}")
}

pub(super) fn adjoint_only(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The adjoint of `{name}`, for callers that do not want its value: what `&mut` parameters hold \
         afterwards is unspecified.\n\n{}{}{PANICS}",
        bars(interface),
        failures(interface)
    )
}

/// The adjoint for several seeds, of which there are `count`.
pub(super) fn adjoints(interface: &Interface, count: &Ident) -> String {
    let name = &interface.name;
    format!(
        "The value of `{name}`; adds to the bars for `{count}` seeds at once. Both sweeps run once. What is a number in the bars of \
         `adjoint` is `[f64; {count}]` here: one for each seed.\n\n{}{}{PANICS}",
        bars(interface),
        failures(interface)
    )
}

pub(super) fn gradient(interface: &Interface) -> String {
    let independents: Vec<String> = independents(interface);
    format!(
        "The value of `{}` and its gradient with respect to {}.",
        interface.name,
        independents.join(", ")
    )
}

pub(super) fn gradient_into(interface: &Interface) -> String {
    let independents: Vec<String> = independents(interface);
    format!(
        "The value of `{}`; its gradient with respect to {} is written to the parameters that follow \
         them. In the steady state nothing is allocated.{}{PANICS}",
        interface.name,
        independents.join(", "),
        failures(interface)
    )
}

pub(super) fn pullback(interface: &Interface) -> String {
    format!(
        "The value of `{}` and its pullback: called with bars and seed, it does what `adjoint` does \
         beyond computing the value.",
        interface.name
    )
}

pub(super) fn forward(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The value of `{name}`; what its backward sweep needs is left on the stack. To each `forward` \
         belongs one `backward`, in the opposite order."
    )
}

pub(super) fn backward(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The backward sweep of `{name}`: takes from the stack what `forward` has left there. The \
         parameters that are passed again must be what they were.\n\n{}\n# Panics\nIf what is on top of \
         the stack was not left by `forward` of this function.",
        bars(interface)
    )
}

pub(super) fn tangent(interface: &Interface) -> String {
    let name = &interface.name;
    let params = interface.params.iter().filter(|param| param.has_bar());
    let lines: String = params
        .map(|param| {
            let name = &param.ident;
            match (param.passing, param.dependent) {
                (Passing::Exclusive, true) => format!(
                    "* `{name}_d`: in, the direction of `{name}`; out, the derivative of what `{name}` holds \
                     afterwards.\n"
                ),
                (Passing::Exclusive, false) => format!(
                    "* `{name}_d` is the direction of `{name}`; what it holds afterwards is unspecified.\n"
                ),
                (Passing::Value | Passing::Shared, _) => {
                    format!("* `{name}_d` is the direction of `{name}`.\n")
                }
            }
        })
        .collect();
    format!(
        "The value of `{name}` and its derivative in a direction.\n\n{lines}\n# Panics\nIf a direction has another length \
         than its value, or if the function panics."
    )
}

/// The documentation of `tangents`.
pub(super) fn tangents(interface: &Interface, count: &Ident) -> String {
    let name = &interface.name;
    format!(
        "The value of `{name}` and its derivatives in `{count}` directions, for one evaluation of `{name}`.\n\nEach direction \
         `…_d` has `[f64; {count}]` in the place of each number: its parts in all directions. The derivatives are arranged alike.\n\n# \
         Panics\nIf directions have another length than their value, or if the function panics."
    )
}

/// The documentation of `validity`.
pub(super) fn validity(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "How far the branches that `{name}` takes stay the same along a direction: the steps `t` between the two ends that are returned, to \
         first order. The ends are infinite if nothing ends the interval.\n\nEach direction `…_d` has the form of its value, in numbers of `f64`. \
         Branches are those of comparisons, and of functions with kinks or jumps: `abs`, `max`, `floor`, `as usize`, …\n\n# \
         Panics\nIf directions have another length than their value, if what is tested comes from a function without derivatives, or if the function \
         panics."
    )
}

/// The documentation of `first_nonfinite`.
pub(super) fn first_nonfinite(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The first statement of `{name}` that makes an infinity or a NaN of finite numbers, in its value or in its derivative. There is none if \
         the values and the gradient with all seeds 1 are finite.\n\nThe function and its tangents run several times. Of what is called \
         the call is named. `&mut` parameters stay as they are.\n\n# Panics\nIf the function panics, or fails."
    )
}

/// What the rows and columns of a Jacobian are.
fn rows_and_columns(interface: &Interface) -> String {
    let params = interface.params.iter().filter(|param| param.dependent);
    let mut rows: Vec<String> = params.map(|param| format!("`{}`", param.ident)).collect();
    rows.extend(interface.output_dependent.then(|| "the result".to_owned()));
    let columns = independents(interface);
    format!(
        "Its rows are the numbers of {}, its columns those of {}, in this order. What `&mut` parameters refer to stays as it is.",
        rows.join(", "),
        columns.join(", ")
    )
}

/// The documentation of `jacobian_pattern`.
pub(super) fn jacobian_pattern(interface: &Interface) -> String {
    let (name, order) = (&interface.name, rows_and_columns(interface));
    format!(
        "Where the Jacobian of `{name}` has entries, for all arguments for which the same branches are taken as for these.\n\n{order}\n\n\
         It is found by one run with sets of inputs in the place of derivatives. That takes more time than a tangent, and memory \
         in proportion to the number of operations.\n\n# Panics\nIf the function panics."
    )
}

/// The documentation of `jacobian_sparse`.
pub(super) fn jacobian_sparse(interface: &Interface) -> String {
    let (name, order) = (&interface.name, rows_and_columns(interface));
    format!(
        "The Jacobian of `{name}` as lists of the rows, the columns and the values of its entries, row by row.\n\n{order}\n\nPattern and \
         colouring are found anew; where branches stay the same, `jacobian_pattern` finds them once, and `jacobian_values` the \
         values.\n\n# Panics\nIf the function panics."
    )
}

/// The documentation of `jacobian_values`.
pub(super) fn jacobian_values(interface: &Interface) -> String {
    let (name, order) = (&interface.name, rows_and_columns(interface));
    format!(
        "The values of the entries of the Jacobian of `{name}`, for a compression by columns, in the order of its pattern. Each run \
         of the tangent serves up to ten colours.\n\n{order}\n\n# Panics\nIf there are entries that the pattern does not have, as where other branches \
         are taken: a weighted sum of all columns is compared with that of the values. If the function panics."
    )
}

/// The documentation of `jacobian`.
pub(super) fn jacobian(interface: &Interface) -> String {
    let (name, order) = (&interface.name, rows_and_columns(interface));
    format!(
        "The Jacobian of `{name}`, row by row.\n\n{order}\n\nThe function is run once for each column or each row, whichever are \
         fewer, where it has a tangent, and else for each row.\n\n# Panics\nIf the function panics."
    )
}

/// The documentation of `hessian_vector`.
pub(super) fn hessian_vector(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The value of `{name}`, its gradient, and the product of its Hessian with a direction: a tuple each if there \
         are several independents.\n\nA direction follows each independent.\n\n# Panics\nIf a direction has another length \
         than its value, or if the function panics."
    )
}

/// The documentation of `hessian`.
pub(super) fn hessian(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The Hessian of `{name}`, row by row, with respect to all numbers of the independents in their order: by products with directions, \
         as many as there are numbers; four take one run, unless `{name}` calls a function with second derivatives.\n\n# Panics\n\
         If the function panics."
    )
}

/// The documentation of `hessian_diagonal`.
pub(super) fn hessian_diagonal(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The diagonal of the Hessian of `{name}`, with respect to all numbers of the independents in their order: by products with \
         directions, as for the whole Hessian.\n\n# Panics\nIf the function panics."
    )
}

/// The documentation of `hessian_pattern`.
pub(super) fn hessian_pattern(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "Where the Hessian of `{name}` has entries, for all arguments for which the same branches are taken as for these: rows and columns \
         are the numbers of the independents in their order. All entries, those below the diagonal and those above.\n\nIt is found by one run \
         with sets of inputs in the place of directions. That takes more time than a product with a direction, and memory in proportion to the number \
         of operations.\n\n# Panics\nIf the function panics."
    )
}

/// The documentation of `hessian_sparse`.
pub(super) fn hessian_sparse(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The Hessian of `{name}` as lists of the rows, the columns and the values of its entries, row by row, those below the diagonal and those \
         above: rows and columns are the numbers of the independents in their order.\n\nPattern and colouring are found anew; where branches \
         stay the same, `hessian_pattern` finds them once, and `hessian_values` the values.\n\n# Panics\nIf the function panics."
    )
}

/// The documentation of `hessian_values`.
pub(super) fn hessian_values(interface: &Interface) -> String {
    let name = &interface.name;
    format!(
        "The values of the entries of the Hessian of `{name}`, for a symmetric compression, in the order of its pattern. Each run serves up \
         to ten colours.\n\n# Panics\nIf there are entries that the pattern does not have, as where other branches are taken: a weighted sum of all \
         columns is compared with that of the values. If the function panics."
    )
}

/// The sentence that tells the form with a stack from the form without.
pub(super) fn with(doc: &str) -> String {
    format!("{doc}\n\nThe stack is the caller's.")
}

fn independents(interface: &Interface) -> Vec<String> {
    let params = interface.params.iter().filter(|param| param.independent);
    params.map(|param| format!("`{}`", param.ident)).collect()
}
