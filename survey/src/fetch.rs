//! Gets the source of a crate, and makes a package of its own of it.

use crate::crates::Entry;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate that is ready to be annotated.
pub struct Fetched {
    pub folder: PathBuf,
    /// The root file of its library, from the folder on.
    pub root: PathBuf,
    pub edition_2015: bool,
    /// The names by which it knows other crates.
    pub dependencies: HashSet<String>,
    /// The types that other crates export.
    pub exported: HashSet<String>,
}

/// Copies the source of a crate into a folder, with the dependencies on this library.
pub fn fetch(entry: &Entry, work: &Path, repository: &Path) -> Result<Fetched> {
    let stub = work.join("stubs").join(&entry.name);
    std::fs::create_dir_all(stub.join("src"))?;
    std::fs::write(stub.join("src/lib.rs"), "")?;
    std::fs::write(stub.join("Cargo.toml"), stub_manifest(entry))?;
    let metadata = metadata(&stub)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let package = packages
        .iter()
        .find(|package| package["name"] == entry.name && package["version"] == entry.version)
        .context("the crate is not among the packages")?;
    let from = folder_of(package)?;
    let folder = work.join(&entry.name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    copy(&from, &folder)?;
    let manifest: toml::Table = std::fs::read_to_string(from.join("Cargo.toml"))?.parse()?;
    let adapted = adapted_manifest(&manifest, entry, repository);
    std::fs::write(folder.join("Cargo.toml"), toml::to_string(&adapted)?)?;
    let root = manifest.get("lib").and_then(|lib| lib.get("path")?.as_str());
    let edition = manifest["package"].get("edition").and_then(|edition| edition.as_str());
    let mut exported = HashSet::new();
    for other in packages.iter().filter(|other| *other != package && other["source"].is_string()) {
        add_exported(&folder_of(other)?.join("src"), &mut exported)?;
    }
    Ok(Fetched {
        folder,
        root: PathBuf::from(root.unwrap_or("src/lib.rs")),
        edition_2015: edition.is_none_or(|edition| edition == "2015"),
        dependencies: dependency_names(&manifest),
        exported,
    })
}

fn stub_manifest(entry: &Entry) -> String {
    format!(
        "[package]\nname = \"stub\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies.{}]\nversion = \"={}\"\ndefault-features = {}\nfeatures = {:?}\n",
        entry.name, entry.version, entry.default_features, entry.features
    )
}

/// Downloads what is needed, and says where it is.
fn metadata(folder: &Path) -> Result<Value> {
    let host = host()?;
    let output = crate::cargo::program()
        .current_dir(folder)
        .args(["metadata", "--format-version=1", "--filter-platform", &host])
        .output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not say what it runs on")?.to_string())
}

fn folder_of(package: &Value) -> Result<PathBuf> {
    let manifest = package["manifest_path"].as_str().context("a package without a manifest")?;
    Ok(Path::new(manifest).parent().context("a manifest without a folder")?.to_path_buf())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "Cargo.lock" || name == ".cargo" || name.starts_with("rust-toolchain") {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            // Not a copy of the permissions: what lies in the registry may not be written.
            std::fs::write(&target, std::fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// The manifest without what is for tests, with what annotated code needs.
fn adapted_manifest(manifest: &toml::Table, entry: &Entry, repository: &Path) -> toml::Table {
    let mut adapted = manifest.clone();
    for section in [
        "dev-dependencies",
        "dev_dependencies",
        "test",
        "bench",
        "example",
        "bin",
        "badges",
        "lints",
        "profile",
    ] {
        adapted.remove(section);
    }
    for target in
        adapted.get_mut("target").and_then(toml::Value::as_table_mut).into_iter().flatten()
    {
        if let Some(target) = target.1.as_table_mut() {
            target.remove("dev-dependencies");
        }
    }
    adapted.insert("workspace".to_string(), toml::Table::new().into());
    let on = |path: PathBuf| {
        let mut dependency = toml::Table::new();
        dependency.insert("path".to_string(), path.to_string_lossy().into_owned().into());
        toml::Value::Table(dependency)
    };
    let dependencies = adapted.entry("dependencies").or_insert_with(|| toml::Table::new().into());
    if let Some(dependencies) = dependencies.as_table_mut() {
        let mut of_ours = on(repository.to_path_buf());
        if let Some(of_ours) = of_ours.as_table_mut()
            && dependencies.contains_key("libm")
        {
            of_ours.insert("features".to_string(), vec!["libm".to_string()].into());
        }
        dependencies.insert("backsweep".to_string(), of_ours);
        dependencies
            .insert("backsweep-survey-support".to_string(), on(repository.join("survey/support")));
    }
    // The features that the survey chooses are what the package has by default.
    let features = adapted.entry("features").or_insert_with(|| toml::Table::new().into());
    if let Some(features) = features.as_table_mut() {
        let mut chosen: Vec<toml::Value> = match features.get("default") {
            Some(toml::Value::Array(list)) if entry.default_features => list.clone(),
            _ => Vec::new(),
        };
        chosen.extend(entry.features.iter().map(|feature| feature.clone().into()));
        features.insert("default".to_string(), chosen.into());
    }
    adapted
}

fn dependency_names(manifest: &toml::Table) -> HashSet<String> {
    let tables = manifest.get("dependencies").and_then(|section| section.as_table());
    let names = tables.into_iter().flat_map(|section| section.keys());
    names.map(|name| name.replace('-', "_")).collect()
}

/// Adds the names of the public types in all files of a folder.
fn add_exported(folder: &Path, exported: &mut HashSet<String>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            add_exported(&path, exported)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
            exported.extend(text.lines().filter_map(exported_type));
        }
    }
    Ok(())
}

/// The name of the public type that a line declares.
fn exported_type(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest =
        ["struct ", "enum ", "type ", "union "].iter().find_map(|word| rest.strip_prefix(word))?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_adapted() {
        let manifest: toml::Table =
            "[package]\nname = \"a\"\n[dev-dependencies]\nrand = \"1\"\n[features]\ndefault = [\"std\"]\nstd = []\nextra = []"
                .parse()
                .unwrap();
        let entry = Entry {
            name: "a".to_string(),
            version: "1.0.0".to_string(),
            features: vec!["extra".to_string()],
            default_features: true,
            notes: String::new(),
        };
        let adapted = adapted_manifest(&manifest, &entry, Path::new("/repository"));
        assert!(!adapted.contains_key("dev-dependencies"));
        assert_eq!(adapted["dependencies"]["backsweep"]["path"].as_str(), Some("/repository"));
        assert_eq!(adapted["features"]["default"].as_array().unwrap().len(), 2);
        assert!(adapted.contains_key("workspace"));
    }

    #[test]
    fn types_of_other_crates() {
        assert_eq!(exported_type("pub struct Vector3<T>(T);").as_deref(), Some("Vector3"));
        assert_eq!(exported_type("    pub type DVec = f64;").as_deref(), Some("DVec"));
        assert_eq!(exported_type("pub trait Real {}"), None);
        assert_eq!(exported_type("struct Hidden;"), None);
    }
}
