//! What declarations of the crate say of types: of fields, of constants, of what functions and operators return. Generated code proves
//! what is used of it.

use super::enums;
use super::facts::{Facts, Told};
use super::fields::{derives_bar, fields_of, passive_fields_of, types_of_fields};
use super::getters::DeclaredGetter;
use super::heads::{BlockOf, generic_owner};
use super::meaning::{Found, Meaning};
use super::names::{Names, Scope};
use super::operators::told_by_operand;
use super::resolve::Wanted;
use super::scan::{Item, Kind};
use super::spelling::{Alternative, At, Definitions, Owner, Speller, is_plain, is_primitive};
use super::written::Written;
use crate::signatures::{Lent, shared_parameters};
use std::collections::BTreeSet;
use syn::{FnArg, Generics, ImplItemFn, ReturnType, Signature};

/// What an item mentions.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// Paths that types, functions and constants may stand at.
    pub paths: BTreeSet<Vec<String>>,
    /// All names.
    pub words: BTreeSet<String>,
    /// The traits of the operators in it.
    pub operators: BTreeSet<&'static str>,
    /// What functions in it import, and what that is called there; nothing if all names of the path are imported.
    pub imports: Vec<(Vec<String>, Option<String>)>,
    /// Names that mean something else in a part of it.
    pub hidden: BTreeSet<String>,
}

/// What is declared of types.
#[derive(Debug, Default)]
pub struct Declared {
    /// Types, as the macro writes them into the arguments of the attribute.
    pub types: String,
    /// The functions that an item mentions of types whose values it may have, each by its path.
    pub functions: BTreeSet<Vec<String>>,
}

impl Names {
    /// What is declared of the types that an item mentions, and of those that follow from them.
    pub fn declared(&self, mentions: &Mentions, is_module: bool) -> Declared {
        let around = self.innermost();
        let inside = around.filter(|_| is_module).and_then(|module| self.own.enter(module));
        let own = inside.unwrap_or_else(|| self.own.clone());
        let speller = Speller::new(own, &mentions.hidden);
        let mut collector = Collector {
            speller,
            mentions,
            facts: Facts::default(),
            open: Vec::new(),
            seen: BTreeSet::new(),
            seen_generic: BTreeSet::new(),
            functions: BTreeSet::new(),
        };
        if let Some(block) = around.filter(|item| item.kind == Kind::Impl) {
            collector.add_own_type(block);
        }
        for path in &mentions.paths {
            collector.add_path(path);
        }
        collector.add_imported_variants();
        collector.close();
        let told = collector.facts.0.iter();
        let mut types: String =
            told.filter_map(|(of, ty)| Some(format!("{of}, {};", ty.as_ref()?))).collect();
        for (name, Alternative { condition, ty }) in collector.speller.alternatives() {
            types += &format!("alias {name}, {ty}, if ({condition});");
        }
        Declared { types, functions: collector.functions }
    }
}

pub(super) struct Collector<'m> {
    pub(super) speller: Speller<'m>,
    pub(super) mentions: &'m Mentions,
    pub(super) facts: Facts,
    /// Types of the user's of which more is to be found out.
    open: Vec<Owner>,
    /// The names of those that values may have.
    seen: BTreeSet<String>,
    /// The same of structs with type parameters, also by other names.
    seen_generic: BTreeSet<(String, String)>,
    functions: BTreeSet<Vec<String>>,
}

impl Collector<'_> {
    /// Values of a type may be there: what belongs to it matters.
    pub(super) fn see(&mut self, spelled: &str) {
        for owner in self.speller.owners_in(spelled) {
            if self.seen.insert(owner.name.clone()) {
                self.open.push(owner.clone());
            }
        }
        for Owner { name, definitions } in self.speller.generic_owners_in(spelled) {
            self.add_generic_struct(&definitions, &name);
        }
    }

    /// Finds what belongs to the types that values may have, until there are no more.
    fn close(&mut self) {
        let mut operators = Facts::default();
        loop {
            while let Some(owner) = self.open.pop() {
                for (of, ty) in self.members_of(&owner).0 {
                    if let (Told::Other(_), Some(ty)) = (&of, &ty) {
                        self.see(ty);
                    }
                    match of {
                        Told::Operator(_) => operators.insert(of, ty),
                        Told::Other(_) => self.facts.insert(of, ty),
                    }
                }
            }
            let is_seen = |name: &String| {
                let name = name.trim_start_matches('&');
                is_primitive(name) || self.seen.contains(name)
            };
            let matters = |of: &Told| match of {
                // Of a conversion the function may mention one of both types only.
                Told::Operator([name, ..]) if ["From", "Index"].contains(&name.as_str()) => true,
                Told::Operator([_, left, right]) => is_seen(left) && is_seen(right),
                Told::Other(_) => true,
            };
            let (found, others) = operators.0.into_iter().partition(|(of, _)| matters(of));
            operators = Facts(others);
            let found = Facts(found);
            found.0.values().flatten().for_each(|ty| self.see(ty));
            self.facts.extend(found);
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// What `Self` is in the `impl` block of the item.
    fn add_own_type(&mut self, block: &Item) {
        let own = self.speller.own.clone();
        if let Some(head) = own.head(block)
            && let Some(name) = self.speller.spelled(&head.of, At::module(&own))
        {
            self.see(&name);
            self.facts.add("alias Self".to_owned(), name);
        }
        if let Some(head) = own.head(block)
            && let Written::With(name, _) = &head.of
            && let Some(types) =
                self.speller.definitions(&own, std::slice::from_ref(name), Wanted::Type)
        {
            self.add_generic_enum(&types, "Self");
            self.add_generic_struct(&types, "Self");
        }
        if own.head(block).is_none()
            && let Some(name) = generic_owner(&own, block)
            && let Some(types) = self.speller.definitions(&own, &[name], Wanted::Type)
        {
            self.add_generic_struct(&types, "Self");
        }
    }

    /// A path that the item mentions: of a type, or of something of a type, of a function, of a constant.
    pub(super) fn add_path(&mut self, path: &[String]) {
        let [first, ..] = path else { return };
        if self.mentions.hidden.contains(first) || first == "Self" {
            return;
        }
        let (own, spelling) = (self.speller.own.clone(), path.join("::"));
        if let Some(float) = float_of_constant(path, &own) {
            self.facts.add(format!("constant {spelling}"), float);
            return;
        }
        let types = self.speller.definitions(&own, path, Wanted::Type);
        if let Some(types) = types.filter(|types| !types.is_empty()) {
            self.add_generic_enum(&types, &spelling);
            self.add_generic_struct(&types, &spelling);
            return self.add_type(&spelling);
        }
        match self.speller.definitions(&own, path, Wanted::Item) {
            Some(found) if !found.is_empty() => {
                let mut told = found.iter().map(|found| {
                    let mut facts = Facts::default();
                    self.add_item(found, &spelling, &mut facts);
                    facts
                });
                let first = told.next().unwrap_or_default();
                let common = told.fold(first, |common, next| common.common(&next));
                common.0.values().flatten().for_each(|ty| self.see(ty));
                self.facts.extend(common);
            }
            // `Type::function`, `Type::CONSTANT`
            _ => {
                if let Some((_, of)) = path.split_last()
                    && of.last().is_some_and(|name| name.starts_with(char::is_uppercase))
                {
                    self.add_path(of);
                }
            }
        }
    }

    /// A function or a constant.
    fn add_item(&mut self, found: &Found, spelling: &str, facts: &mut Facts) {
        let Found { scope, item, .. } = found;
        let at = At::module(scope);
        match item.kind {
            Kind::Fn => {
                if let Some(ty) = self.result_of(item, at) {
                    facts.add(format!("function {spelling}"), ty);
                } else if let Some(ty) = self.result_by_arguments(item, at) {
                    facts.add(format!("generic {spelling}"), ty);
                }
                self.add_parameters(item, spelling, at, facts);
            }
            Kind::Other => {
                if let Some(ty) = type_of_constant(scope, item)
                    && let Some(ty) = self.speller.spelled(&ty, at)
                {
                    facts.add(format!("constant {spelling}"), ty);
                }
            }
            Kind::Mod | Kind::Impl | Kind::Use | Kind::Inner => {}
            Kind::MacroRules | Kind::MacroCall => {}
        }
    }

    fn add_type(&mut self, spelling: &str) {
        let own = self.speller.own.clone();
        let ty = Written::Path(spelling.split("::").map(str::to_owned).collect());
        if let Some(name) = self.speller.spelled(&ty, At::module(&own)) {
            self.see(&name);
            if name != spelling {
                self.facts.add(format!("alias {spelling}"), name);
            }
        }
    }

    /// An enum with type parameters, if it is one. Its variants are called by its name alone; the types of what they hold are not known, but
    /// for those that mention no parameter.
    fn add_generic_enum(&mut self, definitions: &Definitions, spelling: &str) {
        let are_enums = definitions.iter().all(|definition| enums::enum_of(definition).is_some());
        if !are_enums || definitions.iter().all(is_plain) {
            return;
        }
        let Some(owner) = self.speller.owner(definitions) else { return };
        if owner.name != spelling {
            self.facts.add(format!("alias {spelling}"), owner.name.clone());
        }
        if self.seen.insert(owner.name.clone()) {
            self.open.push(owner);
        }
    }

    /// The fields of a struct with type parameters that are marked `#[passive]`, and its getters.
    fn add_generic_struct(&mut self, definitions: &Definitions, spelling: &str) {
        if definitions.iter().any(is_plain) {
            return;
        }
        let Some(owner) = self.speller.owner(definitions) else { return };
        if !self.seen_generic.insert((owner.name.clone(), spelling.to_owned())) {
            return;
        }
        definitions.iter().for_each(|definition| self.add_types_of_fields(definition));
        let told: Vec<Facts> = definitions
            .iter()
            .map(|definition| {
                let fields = passive_fields_of(&owner.name, definition, &self.mentions.words);
                let mut facts = self.methods_of_generic(&owner, definition);
                fields.into_iter().for_each(|of| facts.add(of, "()".to_owned()));
                if self.is_bare(definition) {
                    facts.add(format!("bare {}", owner.name), "()".to_owned());
                }
                facts
            })
            .collect();
        let told = told.into_iter().reduce(|common, next| common.common(&next)).unwrap_or_default();
        if told.0.is_empty() {
            return;
        }
        if owner.name != spelling {
            self.facts.add(format!("alias {spelling}"), owner.name.clone());
        }
        self.facts.extend(told);
    }

    /// The types of the fields of a struct with parameters that are mentioned.
    fn add_types_of_fields(&mut self, definition: &Found) {
        for name in types_of_fields(definition, &self.mentions.words) {
            let path = [name.clone()];
            let definitions = self.speller.definitions(&definition.scope, &path, Wanted::Type);
            match definitions.filter(|found| !found.is_empty()) {
                Some(found) if found.iter().all(is_plain) => {
                    let (ty, at) = (Written::Path(path.to_vec()), At::module(&definition.scope));
                    if let Some(spelled) = self.speller.spelled(&ty, at) {
                        self.see(&spelled);
                    }
                }
                Some(found) => self.add_generic_struct(&found, &name),
                None => {}
            }
        }
    }

    fn methods_of_generic(&mut self, owner: &Owner, definition: &Found) -> Facts {
        let own = self.speller.own.clone();
        let is_elsewhere = own.place() != definition.scope.place();
        let elsewhere = is_elsewhere.then(|| definition.scope.clone());
        let mut facts = Facts::default();
        for scope in elsewhere.into_iter().chain([own]) {
            self.add_receivers(owner, definition, &scope, &mut facts);
            self.add_results_of_generic(owner, definition, &scope, &mut facts);
            self.add_indices_of_generic(owner, definition, &scope, &mut facts);
            self.add_operators_of_generic(owner, definition, &scope, &mut facts);
            let words = &self.mentions.words;
            for getter in self.speller.getters_of_generic(owner, definition, &scope, words) {
                self.see(&getter.ty);
                self.add_getter(getter, &mut facts);
            }
        }
        facts
    }

    /// What the functions of a type with parameters return, where that does not depend on these: `Self` is the type with its arguments.
    fn add_results_of_generic(
        &mut self,
        owner: &Owner,
        definition: &Found,
        scope: &Scope,
        facts: &mut Facts,
    ) {
        let words = &self.mentions.words;
        let blocks =
            self.speller.blocks_of(definition, scope, |item| words.contains(scope.name(item)));
        for BlockOf { block, head, functions } in blocks {
            if head.trait_.is_some() {
                continue;
            }
            let params = names_of_params(&head.generics);
            // Of a block for some arguments only these do not tell.
            let told = told_by_operand(&head.self_ty, "__L");
            let is_for_any = told.iter().all(|(param, _)| params.contains(param));
            let told = if is_for_any { told } else { Vec::new() };
            let at = At { scope, own: Some("Self"), params: &params, told: &told };
            for item in &functions {
                if let Some((of, ty)) = self.speller.query(owner, (item, block), scope) {
                    facts.add(of, ty);
                }
                self.add_lent((item, block), owner, scope, facts);
                if let Some(ty) = self.result_of(item, at) {
                    self.see(&ty);
                    facts.add(format!("result {}, {}", owner.name, scope.name(item)), ty);
                }
            }
        }
    }

    fn add_receivers(&mut self, owner: &Owner, of: &Found, scope: &Scope, facts: &mut Facts) {
        let found = self.speller.receivers(&owner.name, of, scope, &self.mentions.words);
        found.into_iter().for_each(|(of, ty)| facts.add(of, ty.to_owned()));
    }

    fn add_getter(&mut self, getter: DeclaredGetter, facts: &mut Facts) {
        facts.add(getter.of, getter.ty);
        if let Some(passive) = getter.passive {
            facts.add(passive, "()".to_owned());
        }
        if let Some(next) = getter.generic {
            self.add_generic_struct(&next.definitions, &next.name);
        }
    }

    /// What is declared of a type: by each of its definitions, of which rustc has one.
    fn members_of(&mut self, owner: &Owner) -> Facts {
        let mut of_all: Option<Facts> = None;
        for definition in owner.definitions.iter() {
            let mut facts = Facts::default();
            let words = &self.mentions.words;
            let fields = fields_of(&owner.name, definition, words, &mut self.speller);
            fields.into_iter().for_each(|(of, ty)| facts.add(of, ty));
            if derives_bar(definition) || enums::enum_of(definition).is_some() {
                facts.add(format!("derived {}", owner.name), "()".to_owned());
            }
            self.add_variants(owner, definition, &mut facts);
            self.add_without_bar(owner, definition, &mut facts);
            let own = self.speller.own.clone();
            let is_elsewhere = own.place() != definition.scope.place();
            let elsewhere = is_elsewhere.then(|| definition.scope.clone());
            for scope in elsewhere.into_iter().chain([own]) {
                self.add_blocks(owner, definition, &scope, &mut facts);
                self.add_receivers(owner, definition, &scope, &mut facts);
            }
            of_all = Some(match of_all {
                Some(others) => others.common(&facts),
                None => facts,
            });
        }
        of_all.unwrap_or_default()
    }

    fn add_blocks(&mut self, owner: &Owner, of: &Found, scope: &Scope, facts: &mut Facts) {
        let name = of.scope.name(&of.item);
        for (item, head) in scope.heads() {
            if !head.mentions(name) {
                continue;
            }
            match &head.of_trait {
                None => self.add_block(owner, scope, item, &head.of, facts),
                // Methods are called that the attribute puts there.
                Some(of)
                    if ["Index", "Sum", "Product"].contains(&of.name.as_str())
                        && !scope.is_annotated(item) => {}
                Some(of) if self.mentions.operators.contains(of.name.as_str()) => {
                    self.add_operator(owner, scope, &head.of, of, facts);
                }
                Some(_) => {}
            }
        }
    }

    /// The variants of an enum, and whether values differ in shape by variants.
    fn add_variants(&mut self, owner: &Owner, definition: &Found, facts: &mut Facts) {
        if let Some(item) = enums::enum_of(definition) {
            let (scope, words) = (&definition.scope, &self.mentions.words);
            let told = enums::variants_of(&owner.name, &item, scope, words, &mut self.speller);
            told.into_iter().for_each(|(of, ty)| facts.add(of, ty));
        }
        if enums::varies(definition) {
            facts.add(format!("varies {}", owner.name), "()".to_owned());
        }
    }

    /// What the functions and constants of a block are declared with.
    fn add_block(
        &mut self,
        owner: &Owner,
        scope: &Scope,
        block: &Item,
        of: &Written,
        facts: &mut Facts,
    ) {
        if self.speller.spelled(of, At::module(scope)).as_ref() != Some(&owner.name) {
            return;
        }
        let at = At { scope, own: Some(&owner.name), params: &[], told: &[] };
        for item in scope.items_inside(block).iter() {
            let name = scope.name(item);
            if !self.mentions.words.contains(name) {
                continue;
            }
            if item.kind == Kind::Fn
                && let Some(getter) = self.speller.getter(owner, (item, block), at)
            {
                self.add_getter(getter, facts);
            }
            if item.kind == Kind::Fn
                && let Some((of, ty)) = self.speller.query(owner, (item, block), scope)
            {
                facts.add(of, ty);
            }
            if item.kind == Kind::Fn {
                let path = owner.name.split("::").chain([name]);
                self.functions.insert(path.map(str::to_owned).collect());
                self.add_lent((item, block), owner, scope, facts);
                self.add_parameters(item, &format!("{}::{name}", owner.name), at, facts);
            }
            let ty = match item.kind {
                Kind::Fn => self.result_of(item, at).map(|ty| ("result", ", ", ty)),
                _ => type_of_constant(scope, item)
                    .and_then(|ty| self.speller.spelled(&ty, at))
                    .map(|ty| ("constant", "::", ty)),
            };
            if let Some((what, sign, ty)) = ty {
                facts.add(format!("{what} {}{sign}{name}", owner.name), ty);
            }
        }
    }

    /// The types of parameters, which tell what is converted to or collected into, `f(x.into())`, and which of them are a `&`: a `&mut` that is passed becomes one.
    /// Where it is one to a slice, what is passed may be a reference behind a field, `f(self.table)`.
    fn add_parameters(&mut self, item: &Item, path: &str, at: At<'_>, facts: &mut Facts) {
        let Some(signature) = signature_of(item, at.scope) else { return };
        let behind_receiver = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(&*param.ty),
            FnArg::Receiver(_) => None,
        });
        for (position, shared) in shared_parameters(&signature) {
            if shared == Lent::Slice || self.mentions.words.contains("mut") {
                facts.add(format!("shared {path}, {position}"), shared.spelled().to_owned());
            }
        }
        if !TYPED_BY_PARAMETERS.iter().any(|word| self.mentions.words.contains(*word)) {
            return;
        }
        let params = type_params(&signature);
        for (position, ty) in behind_receiver.enumerate() {
            let ty = Written::of(ty)
                .and_then(|ty| self.speller.spelled(&ty, At { params: &params, ..at }));
            if let Some(ty) = ty {
                facts.add(format!("parameter {path}, {position}"), ty);
            }
        }
    }

    /// The type of what a generic function returns, which arguments tell: `A0` for that of the first one, `E0` for that of its elements, `N0` for
    /// its length.
    /// What a function that may fail returns is in an `Option` or a `Result`.
    fn result_by_arguments(&mut self, item: &Item, at: At<'_>) -> Option<String> {
        let signature = signature_of(item, at.scope)?;
        let ReturnType::Type(_, ty) = &signature.output else { return None };
        let params = names_of_params(&signature.generics);
        let mut told = Vec::new();
        for (position, input) in signature.inputs.iter().enumerate() {
            let FnArg::Typed(input) = input else { return None };
            told.extend(told_by(&input.ty, position));
            told.retain(|(param, _)| params.contains(param));
        }
        self.speller.spelled(&Written::of(ty)?, At { params: &params, told: &told, ..at })
    }

    /// The type of what a function returns.
    fn result_of(&mut self, item: &Item, at: At<'_>) -> Option<String> {
        let signature = signature_of(item, at.scope)?;
        let ReturnType::Type(_, ty) = &signature.output else { return None };
        let own = names_of_params(&signature.generics);
        let params: Vec<String> = at.params.iter().cloned().chain(own).collect();
        self.speller.spelled(&Written::of(ty)?, At { params: &params, ..at })
    }
}

/// What a function that has an argument of a type which the parameter tells mentions.
const TYPED_BY_PARAMETERS: [&str; 5] = ["into", "collect", "from_fn", "Some", "None"];

/// The parameters that are the type of an argument, that of the elements of a list, or its length, and what they are called then.
fn told_by(ty: &syn::Type, position: usize) -> Vec<(String, String)> {
    let named = |ty: &syn::Type, kind: char| match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            path.path.get_ident().map(|name| (name.to_string(), format!("{kind}{position}")))
        }
        _ => None,
    };
    match ty {
        syn::Type::Reference(reference) => told_by(&reference.elem, position),
        syn::Type::Slice(list) => named(&list.elem, 'E').into_iter().collect(),
        syn::Type::Array(list) => {
            let length = match &list.len {
                syn::Expr::Path(len) => len.path.get_ident(),
                _ => None,
            };
            let length = length.map(|len| (len.to_string(), format!("N{position}")));
            named(&list.elem, 'E').into_iter().chain(length).collect()
        }
        ty => named(ty, 'A').into_iter().collect(),
    }
}

fn type_params(signature: &Signature) -> Vec<String> {
    signature.generics.type_params().map(|param| param.ident.to_string()).collect()
}

/// The type of a constant of the standard library, `std::f64::consts::PI`, if a path leads to one.
fn float_of_constant(path: &[String], from: &Scope) -> Option<String> {
    if path.last()?.contains(char::is_lowercase) {
        return None;
    }
    let Ok(Meaning::Foreign(found)) = from.meaning(path, Wanted::Item) else { return None };
    match found.as_slice() {
        [library, float, consts, _]
            if ["std", "core"].contains(&library.as_str())
                && ["f64", "f32"].contains(&float.as_str())
                && consts == "consts" =>
        {
            Some(float.clone())
        }
        _ => None,
    }
}

/// The names of parameters that are no lifetimes.
pub(super) fn names_of_params(generics: &Generics) -> Vec<String> {
    let consts = generics.const_params().map(|param| param.ident.to_string());
    generics.type_params().map(|param| param.ident.to_string()).chain(consts).collect()
}

/// The signature of a function that returns what it says.
pub(super) fn signature_of(item: &Item, scope: &Scope) -> Option<Signature> {
    let after = item.attributes.last().map_or(item.whole.start, |last| last.end);
    let qualifiers = scope.text_between(after, item.keyword);
    let body = item.body.clone()?;
    if qualifiers.split_whitespace().any(|word| word == "async") {
        return None;
    }
    let head = format!("fn {} {{}}", scope.text_between(item.name.start, body.start - 1));
    Some(syn::parse_str::<ImplItemFn>(&head).ok()?.sig)
}

/// The type of a constant or a static, by its declaration.
fn type_of_constant(scope: &Scope, item: &Item) -> Option<Written> {
    let before = scope.text_between(item.whole.start, item.name.start).trim_end();
    let is_constant = ["const", "static"].iter().any(|word| before.ends_with(word));
    if !is_constant || scope.name(item) == "_" {
        return None;
    }
    let after = scope.text_between(item.name.end, item.whole.end);
    let after = after.trim_start().strip_prefix(':')?;
    let ty = after.split_once('=').map_or(after, |(ty, _)| ty);
    Written::parse(ty)
}
