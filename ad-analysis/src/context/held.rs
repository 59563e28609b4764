//! Where structs and enums of the crate hold values of their type parameters: a field, a part of one, or a payload. Generated code states
//! the type of each that is used.

use super::meaning::{Found, Meaning};
use super::names::{Names, Scope};
use super::parameters::Parameters;
use super::resolve::Wanted;
use super::spelling::is_primitive;
use crate::payloads::{is_of_variant, payload_name};
use quote::ToTokens;
use syn::{
    Expr, ExprLit, Field, GenericArgument, Generics, ItemEnum, ItemStruct, Lit, PathArguments,
    PathSegment, Type, Visibility,
};

/// Types of the standard library with an argument, and where they are.
const OF_LIBRARY: [(&str, &str); 2] =
    [("Vec", "::std::vec::Vec"), ("Option", "::core::option::Option")];

/// How deep structs in structs are looked into.
const DEPTH: usize = 6;

/// A part, and the type parameter that is its type.
struct Part {
    place: String,
    param: String,
}

/// What is known of a struct.
pub struct HeldBy {
    /// As the macro writes it: `<A0, A1>; first: 0; place = Point<A0, A1>`.
    pub text: String,
    /// The structs with arguments that fields have for their types.
    pub structs: Vec<String>,
}

impl Names {
    /// Where a struct or an enum holds values of its type parameters, and which of its fields are other structs with these for arguments, if
    /// it has a declaration of its own.
    pub fn held(&self, name: &str) -> Option<HeldBy> {
        let OfStruct { params, parts, fields, wholes, structs } =
            parts_of(&self.own, &self.own, name, DEPTH)?;
        let at = |param: &String| params.position(param);
        let told: Vec<(String, usize)> =
            parts.into_iter().filter_map(|part| Some((part.place, at(&part.param)?))).collect();
        // A part of a field tells nothing where a field is known.
        let is_field = |place: &str| !place.contains(['.', '[']);
        let is_needed = |(place, at): &&(String, usize)| {
            is_field(place)
                || !told.iter().any(|(field, of)| of == at && is_field(field))
                    && told.iter().find(|(_, of)| of == at).is_some_and(|(first, _)| first == place)
        };
        let needed: String =
            told.iter().filter(is_needed).map(|(place, at)| format!("; {place}: {at}")).collect();
        let others = fields.iter().filter_map(|StructField { name, of, lifetimes, arguments }| {
            let arguments = arguments.iter().map(|own| Some(format!("A{}", at(own)?)));
            let arguments: Vec<String> = arguments.collect::<Option<_>>()?;
            let all: Vec<&String> = lifetimes.iter().chain(&arguments).collect();
            Some(match all.is_empty() {
                true => format!("; {name} = {of}"),
                false => format!("; {name} = {of}<{}>", joined(&all)),
            })
        });
        let wholes = wholes.into_iter().map(|(field, ty)| format!("; {field} = {ty}"));
        let others: String = others.chain(wholes).collect();
        let structs = fields.into_iter().map(|field| field.of).chain(structs).collect();
        (!needed.is_empty() || !others.is_empty())
            .then(|| HeldBy { text: format!("{}{needed}{others}", params.text), structs })
    }
}

/// The type parameters of a struct, and its parts that another module sees.
struct OfStruct {
    params: Parameters,
    parts: Vec<Part>,
    fields: Vec<StructField>,
    /// The fields that are numbers, and lists, options or tuples of numbers, structs and values of parameters, and their types, in which `A0`
    /// is the first parameter.
    wholes: Vec<(String, String)>,
    /// The structs in these.
    structs: Vec<String>,
}

/// A field whose type is a struct or an enum, with parameters for its arguments if it has some.
struct StructField {
    name: String,
    of: String,
    lifetimes: Vec<String>,
    arguments: Vec<String>,
}

/// Those of the struct that has a name in a module.
fn parts_of(own: &Scope, from: &Scope, name: &str, depth: usize) -> Option<OfStruct> {
    let found = match from.meaning(&[name.to_owned()], Wanted::Type) {
        // A derivative that is written by hand tells nothing of fields.
        Ok(Meaning::Item(found)) if depth > 0 && found.attributes().contains("Differentiable") => {
            found
        }
        Ok(_) | Err(_) => return None,
    };
    let (generics, members) = members_of(own, &found)?;
    let params = Parameters::of(&generics, &found.scope, own)?;
    let (mut parts, mut fields, mut wholes) = (Vec::new(), Vec::new(), Vec::new());
    let mut structs = Vec::new();
    for (place, ty) in &members {
        let field = struct_field(own, &found.scope, place, ty);
        let field = field.filter(|field| !params.names.contains(&field.of));
        if field.is_none() && name_of(ty).is_none_or(|name| is_primitive(&name)) {
            let mut spelling =
                Spelling { own, from: &found.scope, params: &params.names, structs: &mut structs };
            let whole = spelling.spelled(ty);
            wholes.extend(whole.map(|ty| (place.clone(), ty)));
        }
        fields.extend(field);
        match is_of_variant(place) {
            // Of a payload nothing but the whole has a place.
            true => {
                let param = name_of(ty).map(|param| Part { place: place.clone(), param });
                parts.extend(param);
            }
            false => add_parts(own, &found.scope, place, ty, depth, &mut parts),
        }
    }
    parts.retain(|part| params.names.contains(&part.param));
    Some(OfStruct { params, parts, fields, wholes, structs })
}

/// The parameters of a struct or an enum, and the fields or payloads that may be named.
fn members_of(own: &Scope, found: &Found) -> Option<(Generics, Vec<(String, Type)>)> {
    let name_of = |number: usize, field: &Field| {
        field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string)
    };
    if let Ok(ItemStruct { generics, fields, .. }) = syn::parse_str(found.text()) {
        let fields = fields.into_iter().enumerate();
        let seen = fields.filter(|(_, field)| is_bare(field) && is_seen(own, found, field));
        let named = seen.map(|(number, field)| (name_of(number, &field), field.ty));
        return Some((generics, named.collect()));
    }
    let ItemEnum { generics, variants, .. } = syn::parse_str(found.text()).ok()?;
    let mut payloads = Vec::new();
    for variant in variants {
        let fields = variant.fields.into_iter().enumerate().filter(|(_, field)| is_bare(field));
        let name = variant.ident.to_string();
        payloads.extend(
            fields.map(|(at, field)| (payload_name(&name, &name_of(at, &field)), field.ty)),
        );
    }
    Some((generics, payloads))
}

/// A field whose type has a name that means the same in the module of the item, and names for arguments, if it has some.
fn struct_field(own: &Scope, from: &Scope, name: &str, ty: &Type) -> Option<StructField> {
    let Type::Path(path) = ty else { return None };
    let [of] = path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    if path.qself.is_some() || path.path.leading_colon.is_some() {
        return None;
    }
    let lifetimes = lifetimes_of(of)?;
    let arguments = arguments_of(of).into_iter().map(|argument| name_of(argument?));
    let arguments: Vec<String> = arguments.collect::<Option<_>>()?;
    let of = of.ident.to_string();
    let meaning = |scope: &Scope| match scope.meaning(std::slice::from_ref(&of), Wanted::Type) {
        Ok(Meaning::Item(found)) => Some(found),
        Ok(Meaning::Foreign(_)) | Err(_) => None,
    };
    let declared = meaning(from)?;
    let is_struct = declared.scope.begins_with(&declared.item, &["struct", "enum"]);
    let is_same = meaning(own)?.is(&declared);
    let name = name.to_owned();
    (is_struct && is_same).then(|| StructField { name, of: of.clone(), lifetimes, arguments })
}

/// The lifetimes among the arguments of a name, if these have names.
fn lifetimes_of(segment: &PathSegment) -> Option<Vec<String>> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return Some(Vec::new());
    };
    let lifetimes = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    });
    let named = lifetimes.map(|lifetime| (lifetime.ident != "_").then(|| lifetime.to_string()));
    named.collect()
}

/// Spells types that are made of parameters, numbers, structs, lists, options and tuples.
struct Spelling<'s> {
    own: &'s Scope,
    from: &'s Scope,
    params: &'s [String],
    /// The structs that occur.
    structs: &'s mut Vec<String>,
}

impl Spelling<'_> {
    fn spelled(&mut self, ty: &Type) -> Option<String> {
        match ty {
            Type::Array(array) => {
                let element = self.spelled(&array.elem)?;
                let len = match &array.len {
                    len if is_number(len) => len.to_token_stream().to_string(),
                    Expr::Path(path) => {
                        self.numbered(&path.path.get_ident().map(ToString::to_string)?)?
                    }
                    _ => return None,
                };
                Some(format!("[{element}; {len}]"))
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|part| Some(self.spelled(part)? + ", "));
                Some(format!("({})", parts.collect::<Option<String>>()?))
            }
            Type::Path(_) => match name_of(ty) {
                Some(name) if is_primitive(&name) => Some(name),
                Some(name) => self.numbered(&name).or_else(|| self.of_struct(ty)),
                None => self.of_library(ty).or_else(|| self.of_struct(ty)),
            },
            _ => None,
        }
    }

    /// A parameter.
    fn numbered(&self, name: &String) -> Option<String> {
        Some(format!("A{}", self.params.iter().position(|param| param == name)?))
    }

    fn of_library(&mut self, ty: &Type) -> Option<String> {
        OF_LIBRARY.iter().find_map(|(name, path)| {
            let element = self.spelled(argument_of(name, self.from, ty)?)?;
            Some(format!("{path}<{element}>"))
        })
    }

    /// A struct with parameters and numbers for its arguments.
    fn of_struct(&mut self, ty: &Type) -> Option<String> {
        let StructField { of, lifetimes, arguments, .. } =
            struct_field(self.own, self.from, "", ty)?;
        let arguments = arguments.iter().map(|own| match is_primitive(own) {
            true => Some(own.clone()),
            false => self.numbered(own),
        });
        let arguments: Vec<String> = arguments.collect::<Option<_>>()?;
        let all: Vec<&String> = lifetimes.iter().chain(&arguments).collect();
        let spelled = match all.is_empty() {
            true => of.clone(),
            false => format!("{of}<{}>", joined(&all)),
        };
        self.structs.push(of);
        Some(spelled)
    }
}

/// A type that is one name.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// The argument of a type of the standard library, unless the crate has another one of that name.
fn argument_of<'t>(name: &str, from: &Scope, ty: &'t Type) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let [of] = path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    let is_bare = path.qself.is_none() && path.path.leading_colon.is_none() && of.ident == name;
    let is_another = || {
        let meaning = from.meaning(std::slice::from_ref(&of.ident.to_string()), Wanted::Type);
        matches!(meaning, Ok(Meaning::Item(_)))
    };
    let [Some(element)] = arguments_of(of)[..] else { return None };
    (is_bare && !is_another()).then_some(element)
}

/// Whether a field is there, and has a derivative.
fn is_bare(field: &Field) -> bool {
    field.attrs.iter().all(|attribute| attribute.path().is_ident("doc"))
}

/// Whether a field may be named.
fn is_seen(own: &Scope, found: &Found, field: &Field) -> bool {
    let is_inside = || {
        let of = found.scope.place();
        of.is_some_and(|of| own.path.iter().any(|part| part.place() == of))
    };
    match &field.vis {
        Visibility::Public(_) => true,
        Visibility::Restricted(restricted) => restricted.path.is_ident("crate") || is_inside(),
        Visibility::Inherited => is_inside(),
    }
}

/// The parts of a field whose type is a name without arguments.
fn add_parts(
    own: &Scope,
    from: &Scope,
    place: &str,
    ty: &Type,
    depth: usize,
    parts: &mut Vec<Part>,
) {
    match ty {
        Type::Array(array) if is_number(&array.len) => {
            add_parts(own, from, &format!("{place}[0]"), &array.elem, depth, parts);
        }
        Type::Tuple(tuple) => {
            for (number, part) in tuple.elems.iter().enumerate() {
                add_parts(own, from, &format!("{place}.{number}"), part, depth, parts);
            }
        }
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            let of = &path.path.segments[0];
            if of.arguments.is_none() {
                parts.push(Part { place: place.to_owned(), param: of.ident.to_string() });
                return;
            }
            if let Some(element) = argument_of("Vec", from, ty) {
                add_parts(own, from, &format!("{place}[0]"), element, depth, parts);
                return;
            }
            let arguments = arguments_of(of);
            let inner = parts_of(own, from, &of.ident.to_string(), depth - 1);
            let Some(inner) = inner.filter(|inner| inner.params.names.len() == arguments.len())
            else {
                return;
            };
            for part in inner.parts {
                let at = inner.params.position(&part.param);
                let argument = at.and_then(|at| arguments[at]);
                if let Some(argument) = argument {
                    let place = format!("{place}.{}", part.place);
                    add_parts(own, from, &place, argument, depth - 1, parts);
                }
            }
        }
        _ => {}
    }
}

/// The arguments of a name but for lifetimes, as far as they are types.
fn arguments_of(segment: &PathSegment) -> Vec<Option<&Type>> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let arguments = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Lifetime(_) => None,
        GenericArgument::Type(ty) => Some(Some(ty)),
        _ => Some(None),
    });
    arguments.collect()
}

fn is_number(len: &Expr) -> bool {
    let Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) = len else { return false };
    len.base10_parse::<usize>().is_ok_and(|len| len > 0)
}

fn joined(texts: &[&String]) -> String {
    let texts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
    texts.join(", ")
}
