//! The crates of the survey.

use anyhow::Result;
use serde::Deserialize;

/// A crate at a fixed version.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Entry {
    pub name: String,
    pub version: String,
    #[serde(default)]
    pub features: Vec<String>,
    #[serde(default = "yes")]
    pub default_features: bool,
    /// What is to be known about it.
    #[serde(default)]
    pub notes: String,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct Table {
    #[serde(rename = "crate")]
    crates: Vec<Entry>,
}

/// All crates, in their order.
pub fn all() -> Result<Vec<Entry>> {
    let table: Table = toml::from_str(include_str!("../crates.toml"))?;
    Ok(table.crates)
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_crate_is_there_once() {
        let crates = super::all().unwrap();
        let mut names: Vec<&str> = crates.iter().map(|entry| entry.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), crates.len());
        assert!(crates.iter().all(|entry| entry.version.split('.').count() == 3));
    }
}
