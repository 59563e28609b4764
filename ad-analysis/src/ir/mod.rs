//! The intermediate representation: structured programs over places, without sugar.
//!
//! A [`Body`] is the primal, one of its sweeps or its tangent; all are programs in this one
//! language, so each can be verified, printed, interpreted and differentiated again. Control is
//! structured. `continue` and `return` are lowered to [`StmtKind::Exit`]s from labelled constructs,
//! so an exit is the only way to leave a statement other than reaching its end. References are
//! gone: a variable stands for a value, and its [`Binding`] says whether it holds or refers to it.
//!
//! The textual form ([`print()`] and [`parse`]) looks like Rust:
//!
//! ```
//! let text = "\
//! fn f(x: &[f64], n: usize) -> ret: f64 | x | ret {
//!     let s: f64 = 0.0;
//!     for i: usize in 0..n 'l1 {
//!         s = s + x[i] * x[i];
//!     }
//!     ret = s;
//! }
//! ";
//! let body = ad_analysis::ir::parse(text).unwrap();
//! assert_eq!(ad_analysis::ir::print(&body), text);
//! ```

mod build;
mod condition;
mod contradictions;
mod control;
mod directed;
mod frames;
mod names;
mod operator;
mod parse;
mod print;
mod retype;
mod summary;
mod syntax;
mod together;
mod values;
mod verify;
mod visit;

pub use build::given_partials;
pub use contradictions::{Contradiction, contradictions};
pub use control::{ExitCode, completes, exits_of, exits_of_block};
pub use directed::{directed_name, entries_prefix, is_directed};
pub use frames::{Frame, Framed, framed, leaves_stack_alone, stmts_of_frames, transfers_of};
pub use names::Namer;
pub use operator::{
    ByReference, IndexMethod, Operator, Resolution, StandardTrait, is_operator_method,
};
pub use parse::{parse, parse_expr};
pub use print::{print, print_expr, print_place, print_stmt_line};
pub use summary::{Instances, ReadBy, ReadOfParam, reads_of};
pub use syntax::*;
pub use together::{Together, kept_by_calls, together};
pub use values::*;
pub use verify::{declared_by, declared_within, verify};
pub use visit::{
    each_block, each_block_mut, each_expr, each_expr_mut, each_place, each_place_mut, each_stmt,
    each_stmt_mut, each_written_place, exprs_in_place, exprs_in_place_mut, place_mentions,
    places_in, places_in_mut, written_by,
};
