//! What is known of a crate in the end.

use crate::classify::Outcome;
use crate::run::Driven;
use crate::select::NotTaken;
use serde::{Deserialize, Serialize};

/// The results of one crate.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    pub name: String,
    pub version: String,
    /// The commit of this repository that surveyed it.
    #[serde(default)]
    pub commit: String,
    /// Why it could not be surveyed at all, or to the end.
    pub failure: Option<String>,
    pub rounds: usize,
    pub seconds: u64,
    pub not_taken: NotTaken,
    /// Files that were not understood.
    pub unread: Vec<String>,
    pub units: Vec<UnitRecord>,
}

/// The results of a function, an operator or a type.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitRecord {
    pub path: String,
    pub kind: String,
    pub counted: bool,
    pub foreign: bool,
    pub takes_functions: bool,
    pub outcome: Outcome,
    pub reason: String,
    pub message: String,
    pub line: String,
    pub marked: String,
    pub followed_by: Vec<String>,
    /// Fields of a struct that had to be marked `#[passive]`.
    pub passive_fields: usize,
    pub driven: Option<Driven>,
    /// Why it is not driven.
    pub undriven: Option<String>,
}
