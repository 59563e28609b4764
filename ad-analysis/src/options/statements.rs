//! How the macro writes declarations into the arguments of the attribute: `field Owner, name, Type; result Owner, name, Type; …`.

use super::declared::{Declaration, Payloads, Subject, key};
use crate::getters::part_of_getter;
use crate::payloads::payload_name;
use crate::signatures::Receiver;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Result};
use syn::{Error, Ident, Member, Path, Token, Type, TypeReference};

/// Something that is declared.
pub(super) enum Statement {
    Alias(String, String, Option<TokenStream>),
    Variant(String, String, Payloads),
    Derived(String),
    Bare(String),
    Varies(String),
    Imported(String, Path),
    Passive(String, String),
    Receiver(String, String, Receiver),
    Plain(String, TokenStream),
    Data(String, TokenStream),
    Has(Box<Declaration>),
}

impl Parse for Statement {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let kind: Ident = input.parse()?;
        let ty = |of: &Type| key(&of.to_token_stream());
        let comma = || input.parse::<Token![,]>();
        let (subject, of) = match kind.to_string().as_str() {
            "alias" => {
                let name: Type = input.parse()?;
                comma()?;
                let of: Type = input.parse()?;
                let condition = match input.parse::<Option<Token![,]>>()? {
                    Some(_) => {
                        input.parse::<Token![if]>()?;
                        let condition;
                        syn::parenthesized!(condition in input);
                        Some(condition.parse()?)
                    }
                    None => None,
                };
                return Ok(Statement::Alias(ty(&name), ty(&of), condition));
            }
            "variant" => {
                let owner: Type = input.parse()?;
                comma()?;
                let name = input.parse::<Ident>()?.to_string();
                comma()?;
                return Ok(Statement::Variant(ty(&owner), name, payloads_of(&input.parse()?)?));
            }
            "imported" => {
                let name = input.parse::<Ident>()?.to_string();
                comma()?;
                return Ok(Statement::Imported(name, input.call(Path::parse_mod_style)?));
            }
            text @ ("derived" | "bare" | "varies") => {
                let owner: Type = input.parse()?;
                comma()?;
                input.parse::<Type>()?;
                let statement = match text {
                    "derived" => Statement::Derived,
                    "bare" => Statement::Bare,
                    _ => Statement::Varies,
                };
                return Ok(statement(ty(&owner)));
            }
            "passive" => {
                let owner: Type = input.parse()?;
                comma()?;
                let mut name = input.parse::<Member>()?.to_token_stream().to_string();
                if input.peek(syn::token::Paren) {
                    let _nothing;
                    syn::parenthesized!(_nothing in input);
                    name = part_of_getter(&name);
                }
                comma()?;
                input.parse::<Type>()?;
                return Ok(Statement::Passive(ty(&owner), name));
            }
            "receiver" => {
                let owner: Type = input.parse()?;
                comma()?;
                let name = input.parse::<Ident>()?.to_string();
                comma()?;
                let receiver = match input.parse::<TypeReference>()?.mutability {
                    Some(_) => Receiver::Exclusive,
                    None => Receiver::Shared,
                };
                return Ok(Statement::Receiver(ty(&owner), name, receiver));
            }
            text @ ("plain" | "data") => {
                let owner: Type = input.parse()?;
                comma()?;
                let declaration;
                syn::braced!(declaration in input);
                let statement = if text == "plain" { Statement::Plain } else { Statement::Data };
                return Ok(statement(ty(&owner), declaration.parse()?));
            }
            "field" => {
                let owner: Type = input.parse()?;
                comma()?;
                let mut name = input.parse::<Member>()?.to_token_stream().to_string();
                if input.parse::<Option<Token![::]>>()?.is_some() {
                    let member = input.parse::<Member>()?.to_token_stream().to_string();
                    name = payload_name(&name, &member);
                }
                (Subject::Field(ty(&owner), name), owner.into_token_stream())
            }
            text @ ("result" | "getter" | "getter_once" | "query" | "lends") => {
                let owner: Type = input.parse()?;
                comma()?;
                let name = input.parse::<Ident>()?.to_string();
                let subject = match text {
                    "getter" => Subject::Getter,
                    "getter_once" => Subject::GetterOnce,
                    "query" => Subject::Query,
                    "lends" => Subject::Lends,
                    _ => Subject::Result,
                };
                (subject(ty(&owner), name), owner.into_token_stream())
            }
            text @ ("constant" | "function" | "generic") => {
                let path = input.parse::<Path>()?.into_token_stream();
                let subject = match text {
                    "constant" => Subject::Constant,
                    "generic" => Subject::Generic,
                    _ => Subject::Function,
                };
                (subject(key(&path)), path)
            }
            "operator" => {
                let name = input.parse::<Ident>()?.to_string();
                comma()?;
                let left: Type = input.parse()?;
                comma()?;
                let right: Type = input.parse()?;
                (Subject::Operator(name, ty(&left), ty(&right)), left.into_token_stream())
            }
            text @ ("parameter" | "shared") => {
                let path = input.parse::<Path>()?.into_token_stream();
                comma()?;
                let position = input.parse::<syn::LitInt>()?.base10_parse()?;
                let subject = match text {
                    "shared" => Subject::Shared,
                    _ => Subject::Parameter,
                };
                (subject(key(&path), position), path)
            }
            _ => return Err(Error::new(kind.span(), "only the macro writes declarations")),
        };
        comma()?;
        let ty = input.parse()?;
        Ok(Statement::Has(Box::new(Declaration { subject, of, ty })))
    }
}

fn payloads_of(kind: &Ident) -> Result<Payloads> {
    let text = kind.to_string();
    let number = |prefix| text.strip_prefix(prefix).and_then(|number| number.parse().ok());
    match (text.as_str(), number("tuple"), number("generic")) {
        ("unit", ..) => Ok(Payloads::None),
        ("named", ..) => Ok(Payloads::Named),
        (_, Some(number), _) => Ok(Payloads::Numbered(number)),
        (_, None, Some(number)) => Ok(Payloads::NumberedOfGeneric(number)),
        (_, None, None) => Err(Error::new(kind.span(), "only the macro writes declarations")),
    }
}
