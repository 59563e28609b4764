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
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub line: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub marked: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed_by: Vec<String>,
    /// Fields of a struct that had to be marked `#[passive]`.
    pub passive_fields: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driven: Option<Driven>,
    /// Why it is not driven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undriven: Option<String>,
}

impl Record {
    /// The text of a record, a line for each unit: what has changed since the last survey is seen where both are compared.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let units = self.units.iter().map(serde_json::to_string);
        let units: Vec<String> = units.collect::<serde_json::Result<_>>()?;
        let whole = serde_json::to_string(&Self { units: Vec::new(), ..self.clone() })?;
        let head = whole.trim_end_matches("[]}");
        Ok(format!("{head}[\n{}\n]}}\n", units.join(",\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let unit = UnitRecord {
            path: "a::f".to_string(),
            kind: "function".to_string(),
            counted: true,
            foreign: false,
            takes_functions: false,
            outcome: Outcome::Macro,
            reason: "why".to_string(),
            message: String::new(),
            line: String::new(),
            marked: String::new(),
            followed_by: Vec::new(),
            passive_fields: 0,
            driven: None,
            undriven: Some("no".to_string()),
        };
        for units in [Vec::new(), vec![unit.clone()], vec![unit.clone(), unit]] {
            let record = Record { name: "a".to_string(), units, ..Record::default() };
            let read: Record = serde_json::from_str(&record.to_text().unwrap()).unwrap();
            assert_eq!(format!("{read:?}"), format!("{record:?}"));
        }
    }
}
