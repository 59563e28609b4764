//! What is written in `rules! { … }`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Error, Expr, ExprClosure, Generics, Pat, Path, Result, Token, Type, Visibility, parenthesized,
};

/// All of it.
pub(super) struct Pack {
    /// Where the runtime is found.
    pub(super) runtime: Option<Path>,
    pub(super) methods: Vec<Methods>,
    pub(super) owners: Vec<Owner>,
}

/// The trait of the methods of some types.
pub(super) struct Methods {
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    /// Whether the types have methods that take `&self` by way of `Deref`: `deref trait Methods for …`.
    pub(super) is_behind_deref: bool,
    /// With their parameters.
    pub(super) types: Vec<(Generics, Type)>,
    pub(super) methods: Vec<Method>,
}

/// A method of a trait.
pub(super) struct Method {
    pub(super) name: Ident,
    /// The number of its arguments, the receiver left out.
    pub(super) others: usize,
    /// Whether the types of the arguments, which are references, tell which rule is meant: `overloaded dot/1`.
    pub(super) is_overloaded: bool,
    /// Whether the value in sweeps is a copy of what the method lends: `copied row/1`.
    pub(super) is_copied: bool,
}

/// A type with rules.
pub(super) struct Owner {
    pub(super) generics: Generics,
    pub(super) ty: Type,
    /// What the parameters of the type are where rules are checked.
    pub(super) instances: Vec<Instance>,
    pub(super) rules: Vec<Rule>,
}

/// What parameters of a type are, in order of their names: nothing, of a type without.
#[derive(Clone, Default)]
pub(super) struct Instance(Vec<(Ident, TokenStream)>);

impl Instance {
    /// With what they are in the places of the parameters.
    pub(super) fn of(&self, tokens: TokenStream) -> TokenStream {
        let replaced = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(word) => match self.0.iter().find(|(name, _)| *name == word) {
                Some((_, value)) => value.clone(),
                None => TokenTree::Ident(word).into(),
            },
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), self.of(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => token.into(),
        });
        replaced.collect()
    }
}

impl Parse for Instance {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        input.parse::<keyword::check>()?;
        let parts = Punctuated::<_, Token![,]>::parse_separated_nonempty_with(input, |input| {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            let value: syn::GenericArgument = input.parse()?;
            Ok((name, quote::quote!(#value)))
        })?;
        input.parse::<Token![;]>()?;
        Ok(Self(parts.into_iter().collect()))
    }
}

/// A rule.
#[derive(Clone)]
pub(super) struct Rule {
    pub(super) subject: Subject,
    pub(super) params: Vec<Param>,
    /// Where the backward sweep has the result from.
    pub(super) result: Kept,
    /// Whether there may be no result.
    pub(super) fails: Fails,
    /// The type of the result.
    pub(super) output: Type,
    /// The value, if it is not a call of the function.
    pub(super) value: Option<Expr>,
}

/// What a rule is the derivative of.
#[derive(Clone)]
pub(super) enum Subject {
    Function(Ident),
    /// One of several functions of this name, which the types of the arguments tell apart, all of them references:
    /// `overloaded fn dot(&self, b: &Vector)`.
    Overloaded(Ident),
    /// An operator, and the one that assigns.
    Operator(Ident, Option<Assigning>),
}

/// An operator that assigns, `AddAssign`, or one that is there for references to the right operand only, `&AddAssign`.
#[derive(Clone)]
pub(super) struct Assigning {
    pub(super) name: Ident,
    pub(super) is_by_reference: bool,
}

/// Where the backward sweep of a function has the result from, if a pullback reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is computed again.
    Nothing,
    /// It is kept: `kept fn try_inverse(self)`.
    Result,
}

/// How a function says that it has no result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fails {
    /// It always has one.
    Never,
    /// It returns an `Option`.
    ByOption,
}

/// How an argument is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    Value,
    Shared,
}

/// The forms in which an operator takes an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Forms {
    /// As a value, and as a reference to one.
    All,
    /// As a value: `value name: Type`.
    Values,
}

/// An argument, and its line.
#[derive(Clone)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) is_receiver: bool,
    pub(super) forms: Forms,
    pub(super) taken: Taken,
    pub(super) ty: Type,
    pub(super) line: Line,
}

/// The derivative with respect to an argument.
#[derive(Clone)]
pub(super) enum Line {
    Passive,
    /// The result depends on it as on itself: `same`.
    Same,
    /// So it does where it is as large as the result, and an operand that is assigned to is: `same |weight| …, |direction| …`.
    SameIfAsLarge(Maps),
    Each(TokenStream),
    Maps(Maps),
}

/// What the bar of an argument gets of a weight, and what a direction contributes.
#[derive(Clone)]
pub(super) struct Maps {
    pub(super) pullback: Pullback,
    pub(super) pushforward: Map,
}

/// What the bar of an argument gets.
#[derive(Clone)]
pub(super) enum Pullback {
    /// A value: `|weight| value`.
    Part(Map),
    /// What is added in place: `|bar, weight| bar += …`, of a reference to the weight.
    Added { bar: Ident, of: Ident, added: TokenStream },
}

/// A linear map.
#[derive(Clone)]
pub(super) struct Map {
    pub(super) of: Ident,
    pub(super) value: TokenStream,
}

mod keyword {
    syn::custom_keyword!(check);
    syn::custom_keyword!(copied);
    syn::custom_keyword!(deref);
    syn::custom_keyword!(op);
    syn::custom_keyword!(overloaded);
    syn::custom_keyword!(each);
    syn::custom_keyword!(kept);
    syn::custom_keyword!(passive);
    syn::custom_keyword!(same);
    syn::custom_keyword!(value);
}

/// `self` is a name like any other in what is generated, and `result` is what the function returns, whichever macro has written it.
pub(super) fn renamed(tokens: TokenStream) -> TokenStream {
    let renamed = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "self" => TokenTree::Ident(receiver(word.span())),
        TokenTree::Ident(word) if word == "result" => {
            TokenTree::Ident(Ident::new("result", Span::call_site().located_at(word.span())))
        }
        TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), renamed(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    });
    renamed.collect()
}

fn receiver(span: Span) -> Ident {
    Ident::new("__self", Span::call_site().located_at(span))
}

impl Parse for Pack {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut pack = Self { runtime: None, methods: Vec::new(), owners: Vec::new() };
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            pack.runtime = Some(input.call(Path::parse_mod_style)?);
            input.parse::<Token![;]>()?;
        }
        while !input.is_empty() {
            match input.peek(Token![impl]) {
                true => pack.owners.extend(owners(input)?),
                false => pack.methods.push(input.parse()?),
            }
        }
        Ok(pack)
    }
}

impl Parse for Methods {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let visibility = input.parse()?;
        let is_behind_deref = input.parse::<Option<keyword::deref>>()?.is_some();
        input.parse::<Token![trait]>()?;
        let name = input.parse()?;
        input.parse::<Token![for]>()?;
        let types = Punctuated::<_, Token![,]>::parse_separated_nonempty_with(input, |input| {
            let mut generics = match input.parse::<Option<Token![impl]>>()? {
                Some(_) => input.parse()?,
                None => Generics::default(),
            };
            let ty = input.parse()?;
            generics.where_clause = bounds_before_next(input)?;
            Ok((generics, ty))
        })?;
        let content;
        syn::braced!(content in input);
        let methods = Punctuated::<_, Token![,]>::parse_terminated(&content)?;
        let (types, methods) = (types.into_iter().collect(), methods.into_iter().collect());
        Ok(Self { visibility, name, is_behind_deref, types, methods })
    }
}

impl Parse for Method {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let is_overloaded = input.parse::<Option<keyword::overloaded>>()?.is_some();
        let is_copied = input.parse::<Option<keyword::copied>>()?.is_some();
        let name: Ident = input.parse()?;
        let others = match input.parse::<Option<Token![/]>>()? {
            Some(_) => input.parse::<syn::LitInt>()?.base10_parse()?,
            None => 0,
        };
        Ok(Self { name, others, is_overloaded, is_copied })
    }
}

/// What is known of the parameters of one type among several: a comma ends it where the next type begins.
fn bounds_before_next(input: ParseStream<'_>) -> Result<Option<syn::WhereClause>> {
    let Some(where_token) = input.parse::<Option<Token![where]>>()? else { return Ok(None) };
    let mut predicates = Punctuated::new();
    loop {
        predicates.push_value(input.parse()?);
        if !input.peek(Token![,]) || input.peek2(Token![impl]) {
            return Ok(Some(syn::WhereClause { where_token, predicates }));
        }
        predicates.push_punct(input.parse()?);
    }
}

/// The types of a block, `impl<F> Lu<F>, Qr<F> { … }`, with the same rules.
fn owners(input: ParseStream<'_>) -> Result<Vec<Owner>> {
    input.parse::<Token![impl]>()?;
    let mut generics: Generics = input.parse()?;
    let types = Punctuated::<Type, Token![,]>::parse_separated_nonempty(input)?;
    generics.where_clause = input.parse()?;
    let content;
    syn::braced!(content in input);
    let mut instances = Vec::new();
    while content.peek(keyword::check) {
        instances.push(content.parse()?);
    }
    if generics.params.is_empty() {
        instances.push(Instance::default());
    }
    let mut rules: Vec<Rule> = Vec::new();
    while !content.is_empty() {
        rules.extend(rules_of(&content)?);
    }
    let owners = types.into_iter().map(|ty| {
        let rules = rules.iter().map(|rule| rule.of_type(&ty)).collect();
        Owner { generics: generics.clone(), ty, instances: instances.clone(), rules }
    });
    Ok(owners.collect())
}

impl Rule {
    /// With this type for that of the receiver.
    fn of_type(&self, ty: &Type) -> Self {
        let mut rule = self.clone();
        let receivers = rule.params.iter_mut().filter(|param| param.is_receiver);
        receivers.for_each(|param| param.ty = ty.clone());
        rule
    }
}

/// The rule that comes next, of each of its names.
fn rules_of(input: ParseStream<'_>) -> Result<Vec<Rule>> {
    let result = match input.parse::<Option<keyword::kept>>()? {
        Some(_) => Kept::Result,
        None => Kept::Nothing,
    };
    let subjects = subjects(input)?;
    let signature;
    parenthesized!(signature in input);
    let declared = Punctuated::<_, Token![,]>::parse_terminated_with(&signature, Declared::parse)?;
    input.parse::<Token![->]>()?;
    let (fails, output) = returned(input.parse()?);
    if let [Subject::Operator(name, _), ..] = subjects.as_slice() {
        match (fails, result) {
            (Fails::Never, Kept::Nothing) => {}
            (Fails::ByOption, _) => {
                return Err(Error::new(name.span(), "an operator has a result"));
            }
            (Fails::Never, Kept::Result) => {
                return Err(Error::new(name.span(), "results of operators are not kept"));
            }
        }
    }
    let value = input.parse::<Option<Token![=]>>()?;
    let value = value.map(|_| Expr::parse_without_eager_brace(input)).transpose()?;
    let body;
    syn::braced!(body in input);
    let mut lines = Vec::new();
    while !body.is_empty() {
        lines.push(line(&body)?);
    }
    let params = declared.into_iter().map(|param| param.with_line(&mut lines));
    let params = params.collect::<Result<Vec<_>>>()?;
    if let Some((name, _)) = lines.first() {
        return Err(Error::new(name.span(), format!("there is no argument `{name}`")));
    }
    let rules = subjects.into_iter().map(|subject| {
        let (params, output, value) = (params.clone(), output.clone(), value.clone());
        Rule { subject, params, result, fails, output, value }
    });
    Ok(rules.collect())
}

/// What a function returns: something, or an `Option` of something.
fn returned(ty: Type) -> (Fails, Type) {
    if let Type::Path(path) = &ty
        && let Some(last) = path.path.segments.last()
        && last.ident == "Option"
        && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(syn::GenericArgument::Type(content)) = arguments.args.first()
    {
        return (Fails::ByOption, content.clone());
    }
    (Fails::Never, ty)
}

/// `op Mul, MulAssign`, or `fn norm, magnitude`: functions that do the same under several names.
fn subjects(input: ParseStream<'_>) -> Result<Vec<Subject>> {
    if input.parse::<Option<keyword::op>>()?.is_some() {
        let operator = input.parse()?;
        let comma = input.parse::<Option<Token![,]>>()?;
        let assigning = comma.map(|_| -> Result<Assigning> {
            let is_by_reference = input.parse::<Option<Token![&]>>()?.is_some();
            Ok(Assigning { name: input.parse()?, is_by_reference })
        });
        return Ok(vec![Subject::Operator(operator, assigning.transpose()?)]);
    }
    let subject = match input.parse::<Option<keyword::overloaded>>()? {
        Some(_) => Subject::Overloaded,
        None => Subject::Function,
    };
    input.parse::<Token![fn]>()?;
    let names = Punctuated::<Ident, Token![,]>::parse_separated_nonempty(input)?;
    Ok(names.into_iter().map(subject).collect())
}

/// An argument in a signature.
struct Declared {
    name: Ident,
    is_receiver: bool,
    forms: Forms,
    taken: Taken,
    ty: Type,
}

impl Declared {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let forms = match input.peek(keyword::value) && !input.peek2(Token![:]) {
            true => {
                input.parse::<keyword::value>()?;
                Forms::Values
            }
            false => Forms::All,
        };
        let by_reference = input.parse::<Option<Token![&]>>()?.is_some();
        if by_reference || input.peek(Token![self]) {
            let span = input.parse::<Token![self]>()?.span();
            let taken = if by_reference { Taken::Shared } else { Taken::Value };
            let ty = syn::parse_quote_spanned!(span=> Self);
            return Ok(Self { name: receiver(span), is_receiver: true, forms, taken, ty });
        }
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let by_reference = input.parse::<Option<Token![&]>>()?.is_some();
        let taken = if by_reference { Taken::Shared } else { Taken::Value };
        Ok(Self { name, is_receiver: false, forms, taken, ty: input.parse()? })
    }

    fn with_line(self, lines: &mut Vec<(Ident, Line)>) -> Result<Param> {
        let Self { name, is_receiver, forms, taken, ty } = self;
        let Some(at) = lines.iter().position(|(of, _)| *of == name) else {
            let message = "nothing is said of this argument: `argument: |weight| …, |direction| …;`, or `argument: passive;`";
            return Err(Error::new(name.span(), message));
        };
        let (_, line) = lines.swap_remove(at);
        Ok(Param { name, is_receiver, forms, taken, ty, line })
    }
}

fn line(input: ParseStream<'_>) -> Result<(Ident, Line)> {
    let name = match input.parse::<Option<Token![self]>>()? {
        Some(own) => receiver(own.span()),
        None => input.parse()?,
    };
    input.parse::<Token![:]>()?;
    let line = if input.parse::<Option<keyword::passive>>()?.is_some() {
        Line::Passive
    } else if input.parse::<Option<keyword::same>>()?.is_some() {
        match input.peek(Token![;]) {
            true => Line::Same,
            false => Line::SameIfAsLarge(maps(input)?),
        }
    } else if input.parse::<Option<keyword::each>>()?.is_some() {
        let partial: Expr = input.parse()?;
        Line::Each(renamed(quote::quote!(#partial)))
    } else {
        Line::Maps(maps(input)?)
    };
    input.parse::<Token![;]>()?;
    Ok((name, line))
}

fn maps(input: ParseStream<'_>) -> Result<Maps> {
    let pullback = pullback(input)?;
    input.parse::<Token![,]>()?;
    Ok(Maps { pullback, pushforward: map(input)? })
}

fn pullback(input: ParseStream<'_>) -> Result<Pullback> {
    let (inputs, value, span) = closure(input)?;
    match inputs.as_slice() {
        [of] => Ok(Pullback::Part(Map { of: of.clone(), value })),
        [bar, of] => Ok(Pullback::Added { bar: bar.clone(), of: of.clone(), added: value }),
        _ => Err(Error::new(span, "a closure of the weight, or of bar and weight, is expected")),
    }
}

fn map(input: ParseStream<'_>) -> Result<Map> {
    let (inputs, value, span) = closure(input)?;
    let [of] = inputs.as_slice() else {
        return Err(Error::new(span, "a closure with one argument is expected"));
    };
    Ok(Map { of: of.clone(), value })
}

/// The arguments and the value of a closure.
fn closure(input: ParseStream<'_>) -> Result<(Vec<Ident>, TokenStream, Span)> {
    let closure: ExprClosure = input.parse()?;
    let span = closure.span();
    let inputs = closure.inputs.into_iter().map(|input| match input {
        Pat::Ident(input) => Ok(input.ident),
        other => Err(Error::new(other.span(), "a name is expected")),
    });
    let inputs = inputs.collect::<Result<_>>()?;
    let body = &closure.body;
    Ok((inputs, renamed(quote::quote!(#body)), span))
}
