//! How long the macro takes for what is annotated in a surveyed crate: its items, each expanded once, in one process, as rustc has it. The
//! files of the crate are read on the way, with the item that asks for them first.

use ad_analysis::context::Place;
use ad_analysis::expand_in;
use anyhow::{Context, Result};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ItemFn, ItemImpl, ItemMod, ItemTrait, Meta};

/// How many of the items that take longest are named.
const NAMED: usize = 5;

/// What was expanded of a crate.
pub struct Expansions {
    items: Vec<Expanded>,
    /// What tells whether all is expanded as before.
    fingerprint: DefaultHasher,
}

struct Expanded {
    file: PathBuf,
    line: usize,
    lines: usize,
    time: Duration,
}

impl Expansions {
    /// Expands what is annotated in the files below a folder.
    pub fn of(folder: &Path) -> Result<Self> {
        let (mut items, mut fingerprint) = (Vec::new(), DefaultHasher::new());
        for file in files(folder)? {
            let text = std::fs::read_to_string(&file)?;
            // What is no Rust on its own is included somewhere.
            let Ok(parsed) = syn::parse_file(&text) else { continue };
            Finder { file: &file, items: &mut items, fingerprint: &mut fingerprint }
                .visit_file(&parsed);
        }
        Ok(Self { items, fingerprint })
    }
}

impl fmt::Display for Expansions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: usize = self.items.iter().map(|item| item.lines).sum();
        let time: Duration = self.items.iter().map(|item| item.time).sum();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let for_hundred = milliseconds(time) / lines.max(1) as f64 * 100.0;
        let count = self.items.len();
        writeln!(
            out,
            "{count} items, {lines} lines: {:.0} ms, {for_hundred:.1} ms for 100 lines; text {:016x}",
            milliseconds(time),
            self.fingerprint.finish()
        )?;
        let mut slowest: Vec<&Expanded> = self.items.iter().collect();
        slowest.sort_by_key(|item| std::cmp::Reverse(item.time));
        for Expanded { file, line, lines, time } in slowest.into_iter().take(NAMED) {
            writeln!(
                out,
                "  {:7.1} ms, {lines:4} lines: {}:{line}",
                milliseconds(*time),
                file.display()
            )?;
        }
        Ok(())
    }
}

/// The files of Rust below a folder, in their order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

struct Finder<'f> {
    file: &'f Path,
    items: &'f mut Vec<Expanded>,
    fingerprint: &'f mut DefaultHasher,
}

impl Finder<'_> {
    /// Expands an item that begins with a word if it is annotated; `without` has it without one of its attributes.
    fn expand(
        &mut self,
        attributes: &[Attribute],
        keyword: Span,
        item: &impl ToTokens,
        without: impl FnOnce(usize) -> TokenStream,
    ) -> bool {
        let is_ours = |attribute: &Attribute| {
            attribute.path().segments.last().is_some_and(|last| last.ident == "adjoint")
        };
        let Some(position) = attributes.iter().position(is_ours) else { return false };
        let arguments = match &attributes[position].meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        let (start, whole) = (keyword.start(), item.span());
        let place =
            Place { file: self.file.to_path_buf(), line: start.line, column: start.column + 1 };
        let item = without(position);
        let begin = Instant::now();
        let expansion = expand_in(arguments, item, Some(&place));
        let time = begin.elapsed();
        expansion.to_string().hash(self.fingerprint);
        let lines = whole.end().line + 1 - whole.start().line;
        self.items.push(Expanded { file: self.file.to_path_buf(), line: start.line, lines, time });
        true
    }
}

/// A node without one of its attributes.
macro_rules! without {
    ($node:expr) => {
        |position| {
            let mut item = $node.clone();
            item.attrs.remove(position);
            item.into_token_stream()
        }
    };
}

impl Visit<'_> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &ItemFn) {
        self.expand(&item.attrs, item.sig.fn_token.span, item, without!(item));
    }

    fn visit_item_impl(&mut self, item: &ItemImpl) {
        self.expand(&item.attrs, item.impl_token.span, item, without!(item));
    }

    fn visit_item_trait(&mut self, item: &ItemTrait) {
        self.expand(&item.attrs, item.trait_token.span, item, without!(item));
    }

    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !self.expand(&item.attrs, item.mod_token.span, item, without!(item)) {
            visit::visit_item_mod(self, item);
        }
    }
}
