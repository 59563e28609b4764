//! Code that drives the functions that compile, put at the end of their modules, where everything private can be reached.

use crate::rounds::Study;
use crate::select::{Insertion, Kind, Signature, Unit};
use crate::source::Source;
use crate::types::{Scope, Types};
use quote::ToTokens;
use std::fmt::Write;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, GenericParam, ReturnType, Type};

/// Which functions are driven with their tangents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tangents {
    All,
    /// Whether a generic function has a tangent rustc says only when it generates code.
    NotOfGenerics,
    /// A cast of which only rustc knows whether it is one of a float has a tangent or not, as rustc says then.
    None,
}

/// Puts drivers for all active units into a study.
pub fn add_drivers(study: &mut Study, types: &Types, tangents: Tangents) {
    study.drivers.clear();
    study.frames.clear();
    for (id, unit) in study.selection.units.iter().enumerate() {
        if !study.is_active(id) {
            continue;
        }
        let text = match unit.kind {
            Kind::Type => sample(study, id, unit, types),
            _ if unit.traits.takes_functions => Err("it has no derivatives of its own".to_string()),
            Kind::Function | Kind::Method => driver(study.source, id, unit, types, tangents),
            Kind::OfTrait | Kind::Declared => Err("a method of a trait".to_string()),
            Kind::Operator => Err("an operator".to_string()),
        };
        let at = study.source.modules[unit.module].end;
        match text {
            Ok(text) => {
                study.drivers.insert(id, Insertion { at, text });
            }
            Err(reason) => {
                study.undriven.insert(id, reason);
            }
        }
    }
    for (module, content) in study.source.modules.iter().enumerate() {
        let text = "\n#[doc(hidden)] #[allow(warnings, clippy::all)] pub mod __survey {
use super::*; use ::backsweep_survey_support::{self as survey_support, Differentiable as _, Vector as _};\n"
            .to_string();
        study.frames.push((module, Insertion { at: content.end, text }));
    }
}

/// The end of the frame of a module: drives its functions, and those of the modules in it.
pub fn dispatch(study: &Study, module: usize) -> String {
    let mut text = "pub fn run(session: &mut survey_support::Session) {\n".to_string();
    for id in study.drivers.keys() {
        let unit = &study.selection.units[*id];
        let drives = unit.kind != Kind::Type && study.is_active(*id);
        if unit.module == module && drives && !study.undriven.contains_key(id) {
            let _ = writeln!(text, "drive_{id}(session);");
        }
    }
    for child in &study.source.modules[module].children {
        let conditions = child.conditions.join(" ");
        let _ = writeln!(text, "{conditions} {{ super::{}::__survey::run(session); }}", child.name);
    }
    text + "}\n}\n"
}

/// How values of a derived type are made. Which variant is made is drawn.
fn sample(study: &Study, id: usize, unit: &Unit, types: &Types) -> Result<String, String> {
    let item = study.source.modules[unit.module].items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == unit.name => {
            Some((&item.generics, vec![("Self".to_owned(), &item.fields)]))
        }
        syn::Item::Enum(item) if item.ident == unit.name => {
            let variants = item.variants.iter();
            let cases =
                variants.map(|variant| (format!("Self::{}", variant.ident), &variant.fields));
            Some((&item.generics, cases.collect()))
        }
        _ => None,
    });
    let (generics, cases) = item.ok_or("no struct and no enum")?;
    let mut generics = generics.clone();
    let mut floats = Vec::new();
    for parameter in generics.type_params_mut() {
        parameter.default = None;
        parameter.bounds.push(syn::parse_quote!(survey_support::Sample));
        floats.push(parameter.ident.to_string());
    }
    let scope = Scope { floats: floats.into_iter().collect(), self_type: None };
    let (of_impl, of_type, conditions) = generics.split_for_impl();
    let (mut arms, count, mut position) = (String::new(), cases.len(), 0);
    for (number, (path, fields)) in cases.into_iter().enumerate() {
        let mut made = String::new();
        for (own, field) in fields.iter().enumerate() {
            let name = field.ident.as_ref().map_or(own.to_string(), ToString::to_string);
            let marked = field.attrs.iter().any(|attr| attr.path().is_ident("passive"));
            let passive = marked || study.passive.contains(&(id, position));
            let how =
                if passive || !types.carries(&field.ty, &scope) { "passive" } else { "active" };
            let _ = write!(made, "{name}: draw.{how}(), ");
            position += 1;
        }
        let number = if number + 1 < count { number.to_string() } else { "_".to_owned() };
        let _ = write!(arms, "{number} => {path} {{ {made} }}, ");
    }
    Ok(format!(
        "impl {} survey_support::Sample for {}{} {} {{ fn sample(draw: &mut survey_support::Draw) -> Self {{ match draw.variant({count}) {{ {arms} }} }} }}\n",
        of_impl.to_token_stream(),
        unit.name,
        of_type.to_token_stream(),
        conditions.to_token_stream(),
    ))
}

/// An argument of a function that is driven.
struct Argument {
    /// The type of the variable that holds it.
    drawn: String,
    pass: Pass,
    carries: bool,
    single: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Value,
    Shared,
    Exclusive,
}

impl Pass {
    fn of(self, name: &str) -> String {
        match self {
            Self::Value => name.to_string(),
            Self::Shared => format!("&{name}"),
            Self::Exclusive => format!("&mut {name}"),
        }
    }
}

/// The code that drives a function, or why that is not possible.
fn driver(
    source: &Source,
    id: usize,
    unit: &Unit,
    types: &Types,
    tangents: Tangents,
) -> Result<String, String> {
    let signature = unit.signature.as_ref().ok_or("no function")?;
    let scope = &signature.scope;
    let arguments = arguments(signature, types)?;
    let (result, fails) = result(signature);
    let gives = result.as_ref().is_some_and(|ty| types.carries(ty, scope));
    let value = if fails { ".into_iter().next().expect(\"a value\")" } else { "" };
    let name = unit.name.as_str();
    let (call, entries) = match &signature.self_type {
        Some(ty) => {
            let ty = without_lifetimes(ty);
            (format!("<{ty}>::{name}"), format!("<{ty}>::{name}_"))
        }
        None => (format!("super::{name}"), entries_of_function(source, unit)),
    };
    let single = arguments.iter().any(|argument| argument.single)
        || result.as_ref().is_some_and(|ty| is_single(ty, signature));

    let made = |prefix: &str, draw: &str| make(&arguments, prefix, draw);
    let plain_arguments = pass(&arguments, |_, _| None);
    let along_arguments = pass(&arguments, |at, pass| Some(pass.of(&format!("d{at}"))));
    let mut bar_arguments = pass(&arguments, |at, _| Some(format!("&mut b{at}")));
    let written = |prefix: &str, flat: &str, of: &str| {
        let mut text = String::new();
        if gives {
            let _ = write!(text, "{of}.write_flat(&mut {flat}); ");
        }
        for (at, argument) in arguments.iter().enumerate() {
            if argument.carries && argument.pass == Pass::Exclusive {
                let _ = write!(text, "{prefix}{at}.write_flat(&mut {flat}); ");
            }
        }
        text
    };
    let pair = if gives { "(r, r_d)" } else { "r" };
    let is_changed = |argument: &Argument| argument.carries && argument.pass == Pass::Exclusive;
    let mut bars = String::new();
    let (mut seeded, mut made_after) = (Vec::new(), Vec::new());
    let mut seeds = "let rest = seeds; ".to_string();
    let mut collected = String::new();
    if gives {
        seeded.push("mut seed".to_string());
        made_after.push("r".to_string());
        seeds.push_str("let rest = seed.read_flat(rest); ");
        bar_arguments.push_str(", seed");
    }
    for (at, argument) in arguments.iter().enumerate().filter(|(_, argument)| argument.carries) {
        let _ = write!(collected, "b{at}.write_flat(&mut bars); ");
        if is_changed(argument) {
            seeded.push(format!("mut b{at}"));
            made_after.push(format!("a{at}.zero_bar()"));
            let _ = write!(seeds, "let rest = b{at}.read_flat(rest); ");
        } else {
            let _ = write!(bars, "let mut b{at} = a{at}.zero_bar(); ");
        }
    }
    // Bars of results, and of what is changed, have the shapes that these have when the function ends.
    if !seeded.is_empty() {
        let _ = write!(
            bars,
            "let ({},) = {{ let draw = &mut draw.again(); {} let r = {call}({plain_arguments}){value}; ({},) }}; ",
            seeded.join(", "),
            made("a", "draw"),
            made_after.join(", "),
        );
    }
    let aliases = aliases(signature);
    let (a, d) = (made("a", "draw"), made("d", "along"));
    let (of_plain, of_along) = (written("a", "flat", "r"), written("d", "flat_d", "r_d"));
    let generic = !aliases.is_empty();
    let tangent = match tangents {
        Tangents::None => "survey_support::NO_TANGENT".to_string(),
        Tangents::NotOfGenerics if generic => "survey_support::NO_TANGENT".to_string(),
        Tangents::NotOfGenerics | Tangents::All => format!(
            "Some(&|draw, along| {{ {a} {d} let {pair} = {entries}tangent({along_arguments}){value};
  let mut flat = survey_support::Numbers::new(); {of_plain} let mut flat_d = survey_support::Numbers::new(); {of_along} (flat, flat_d) }})"
        ),
    };
    Ok(format!(
        "fn drive_{id}(session: &mut survey_support::Session) {{ {aliases}
session.drive(&survey_support::Case {{ name: {path:?}, single: {single},
plain: &|draw| {{ {a} let r = {call}({plain_arguments}){value}; let mut flat = survey_support::Numbers::new(); {of_plain} flat }},
tangent: {tangent},
adjoint: &|draw, seeds| {{ {a} {bars} {seeds} let r = {entries}adjoint({bar_arguments}){value};
  let mut flat = survey_support::Numbers::new(); {of_plain} let mut bars = survey_support::Numbers::new(); {collected} (flat, bars) }},
}}); }}\n",
        path = unit.path,
    ))
}

/// What the path of an entry of a function begins with: a module may have the name of the function.
fn entries_of_function(source: &Source, unit: &Unit) -> String {
    let (name, module) = (&unit.name, &source.modules[unit.module]);
    if module.children.iter().any(|child| child.name == *name) {
        return format!("super::{name}_derivatives::");
    }
    let parent = module.path.split_last().filter(|(own, _)| *own == name).map(|(_, path)| path);
    let parent = source.modules.iter().find(|module| Some(module.path.as_slice()) == parent);
    let is_imported = parent.into_iter().flat_map(|parent| &parent.items).any(|item| match item {
        syn::Item::Use(import) => imports_from(&import.tree, name, false),
        _ => false,
    });
    match is_imported {
        true => "super::".to_string(),
        false => format!("super::{name}::"),
    }
}

/// Does it import `name::name`, or all of `name`?
fn imports_from(tree: &syn::UseTree, name: &str, inside: bool) -> bool {
    match tree {
        syn::UseTree::Path(step) => imports_from(&step.tree, name, step.ident == name),
        syn::UseTree::Name(last) => inside && last.ident == name,
        syn::UseTree::Rename(_) => false,
        syn::UseTree::Glob(_) => inside,
        syn::UseTree::Group(group) => {
            group.items.iter().any(|tree| imports_from(tree, name, inside))
        }
    }
}

/// The variables that hold the arguments.
fn make(arguments: &[Argument], prefix: &str, draw: &str) -> String {
    let mut text = String::new();
    for (at, argument) in arguments.iter().enumerate() {
        let how = if argument.carries { "active" } else { "passive" };
        let _ = write!(text, "let mut {prefix}{at}: {} = {draw}.{how}(); ", argument.drawn);
    }
    text
}

/// The arguments of a call, with what follows each of those that carry derivatives.
fn pass(arguments: &[Argument], follows: impl Fn(usize, Pass) -> Option<String>) -> String {
    let mut list = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        list.push(argument.pass.of(&format!("a{at}")));
        if argument.carries {
            list.extend(follows(at, argument.pass));
        }
    }
    list.join(", ")
}

fn arguments(signature: &Signature, types: &Types) -> Result<Vec<Argument>, String> {
    signature.inputs.iter().map(|input| argument(input, signature, types)).collect()
}

fn argument(input: &FnArg, signature: &Signature, types: &Types) -> Result<Argument, String> {
    let scope = &signature.scope;
    let ty = match input {
        FnArg::Receiver(receiver) => {
            let of = signature.self_type.clone().ok_or("a receiver outside of an `impl`")?;
            match &receiver.kind {
                syn::ReceiverKind::Value => of,
                syn::ReceiverKind::Reference(_, _, None) => syn::parse_quote!(&#of),
                syn::ReceiverKind::Reference(_, _, Some(_)) => syn::parse_quote!(&mut #of),
                _ => return Err("this kind of receiver".to_string()),
            }
        }
        FnArg::Typed(input) => (*input.ty).clone(),
    };
    let (inner, pass) = match &ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            ((*reference.elem).clone(), Pass::Exclusive)
        }
        Type::Reference(reference) => ((*reference.elem).clone(), Pass::Shared),
        _ => (ty.clone(), Pass::Value),
    };
    let carries = types.carries(&inner, scope);
    let single = is_single(&inner, signature);
    let inner = match &signature.self_type {
        Some(of) => replace_self(&inner, of),
        None => inner,
    };
    let owned = match &inner {
        Type::Slice(slice) => format!("survey_support::List<{}>", without_lifetimes(&slice.elem)),
        Type::Path(path) if path.path.is_ident("str") => "survey_support::Text".to_string(),
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::FnPtr(_) => {
            return Err("a parameter that is a function or of a trait".to_string());
        }
        _ => without_lifetimes(&inner),
    };
    if owned.contains('&') || owned.contains("dyn ") {
        return Err("references inside of a parameter".to_string());
    }
    Ok(Argument { drawn: owned, pass, carries, single })
}

/// What is returned if the function does not fail, and whether it may.
fn result(signature: &Signature) -> (Option<Type>, bool) {
    let ReturnType::Type(_, ty) = &signature.output else { return (None, false) };
    if let Type::Path(path) = &**ty
        && let Some(last) = path.path.segments.last()
        && (last.ident == "Option" || last.ident == "Result")
        && let syn::PathArguments::AngleBracketed(list) = &last.arguments
        && let Some(syn::GenericArgument::Type(inner)) = list.args.first()
    {
        return (Some(inner.clone()), true);
    }
    (Some((**ty).clone()), false)
}

/// Type parameters stand for `f64`, constants for 3.
fn aliases(signature: &Signature) -> String {
    let mut text = String::new();
    for parameter in &signature.generics {
        let _ = match parameter {
            GenericParam::Type(parameter) => write!(text, "type {} = f64; ", parameter.ident),
            GenericParam::Const(parameter) => {
                let ty = parameter.ty.to_token_stream();
                let value = if ty.to_string() == "bool" { "true" } else { "3" };
                write!(text, "const {}: {ty} = {value}; ", parameter.ident)
            }
            GenericParam::Lifetime(_) => Ok(()),
        };
    }
    text
}

/// Are there numbers of single precision, as far as the type says? Types of the crate do not say it, and count if their names do.
fn is_single(ty: &Type, signature: &Signature) -> bool {
    let own = signature.self_type.iter().map(|of| of.to_token_stream().to_string());
    let mut texts = own.chain([ty.to_token_stream().to_string()]);
    texts.any(|text| text.contains("f32")) || SINGLE.with(std::cell::Cell::get)
}

thread_local! {
    /// Does the crate compute in single precision?
    static SINGLE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Says whether the structs of the crate are of numbers of single precision.
pub fn set_single(single: bool) {
    SINGLE.with(|cell| cell.set(single));
}

fn without_lifetimes(ty: &Type) -> String {
    struct Remove;
    impl VisitMut for Remove {
        fn visit_angle_bracketed_generic_arguments_mut(
            &mut self,
            list: &mut syn::AngleBracketedGenericArguments,
        ) {
            let kept = list
                .args
                .iter()
                .filter(|argument| !matches!(argument, syn::GenericArgument::Lifetime(_)));
            list.args = kept.cloned().collect();
            visit_mut::visit_angle_bracketed_generic_arguments_mut(self, list);
        }
    }
    let mut ty = ty.clone();
    Remove.visit_type_mut(&mut ty);
    ty.to_token_stream().to_string().replace("< >", "")
}

fn replace_self(ty: &Type, of: &Type) -> Type {
    struct Replace<'t>(&'t Type);
    impl VisitMut for Replace<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            match ty {
                Type::Path(path) if path.path.is_ident("Self") => *ty = self.0.clone(),
                _ => visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let mut ty = ty.clone();
    Replace(of).visit_type_mut(&mut ty);
    ty
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Selection;
    use std::collections::HashSet;

    fn driven(text: &str, position: usize) -> Result<String, String> {
        let source = Source::of_text(text);
        let types = Types::of(&source, &HashSet::new(), &HashSet::new());
        let selection = Selection::of(&source, &types);
        let text = driver(&source, 0, &selection.units[position], &types, Tangents::All)?;
        syn::parse_str::<syn::Item>(&text).expect("a function");
        Ok(text)
    }

    #[test]
    fn arguments_of_all_kinds() {
        let text =
            driven("fn f<T: Float>(x: T, list: &mut [T], n: usize) -> Option<(T, T)> { x * x }", 0)
                .unwrap();
        assert!(text.contains("type T = f64;"));
        assert!(
            text.contains("super::f::tangent(a0, d0, &mut a1, &mut d1, a2).into_iter()"),
            "{text}"
        );
        assert!(
            text.contains("super::f::adjoint(a0, &mut b0, &mut a1, &mut b1, a2, seed)"),
            "{text}"
        );
    }

    #[test]
    fn receivers() {
        let text =
            driven("struct P { x: f64 } impl P { fn m(&mut self, k: f64) { self.x *= k; } }", 1)
                .unwrap();
        assert!(text.contains("<P>::m_adjoint(&mut a0, &mut b0, a1, &mut b1)"), "{text}");
    }

    #[test]
    fn what_cannot_be_made() {
        assert!(driven("fn f(x: f64, c: &dyn Curve) -> f64 { x * x }", 0).is_err());
        assert!(driven("fn f(x: &[&[f64]]) -> f64 { x[0][0] * 2.0 }", 0).is_err());
    }
}
