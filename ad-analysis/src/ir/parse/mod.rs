//! Reads the textual form of the IR. The lexer is that of Rust; the grammar is what
//! [`print`](super::print) writes.

mod expr;

use super::operator::Resolution;
use super::syntax::*;
use super::values::*;
use crate::index::{Index, Label, Var};
use crate::types::{FloatKind, IntKind, Number, Type};
use fixedbitset::FixedBitSet;
use proc_macro2::{Span, TokenStream};
use std::collections::HashMap;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::{Ident, Token, braced, bracketed, parenthesized, token};

/// Parses a body.
pub fn parse(text: &str) -> Result<Body> {
    (|input: ParseStream<'_>| {
        let mut reader = Reader { body: Body::new(""), vars: HashMap::new() };
        reader.body(input)?;
        Ok(reader.body)
    })
    .parse_str(text)
}

/// Parses an expression in which only the variables of `body` occur. Types are not inferred:
/// every part has the type of the first variable it mentions, or `Unknown`.
pub fn parse_expr(text: &str, body: &Body) -> Result<Expr> {
    (|input: ParseStream<'_>| {
        let mut reader = Reader { body: body.clone(), vars: HashMap::new() };
        reader.vars = body.vars.enumerated().map(|(var, v)| (v.name.clone(), var)).collect();
        reader.expr(input, 0)
    })
    .parse_str(text)
}

struct Reader {
    body: Body,
    vars: HashMap<String, Var>,
}

mod keyword {
    syn::custom_keyword!(and);
    syn::custom_keyword!(block);
    syn::custom_keyword!(call);
    syn::custom_keyword!(by);
    syn::custom_keyword!(exit);
    syn::custom_keyword!(extend);
    syn::custom_keyword!(joint);
    syn::custom_keyword!(keep);
    syn::custom_keyword!(len);
    syn::custom_keyword!(opaque);
    syn::custom_keyword!(pop);
    syn::custom_keyword!(push);
    syn::custom_keyword!(reset);
    syn::custom_keyword!(split);
    syn::custom_keyword!(swap);
    syn::custom_keyword!(to);
    syn::custom_keyword!(trips);
    syn::custom_keyword!(truncate);
    syn::custom_keyword!(view);
}

impl Reader {
    fn declare(&mut self, name: &Ident, ty: Type, binding: Binding) -> Var {
        let var = self.body.variable(&name.to_string(), ty, binding, Span::call_site());
        self.vars.insert(name.to_string(), var);
        var
    }

    /// Declares a variable, unless the header did: the result, or what is kept.
    fn declare_once(&mut self, name: &Ident, ty: Type) -> Var {
        let known = self.vars.get(&name.to_string()).copied();
        known.unwrap_or_else(|| self.declare(name, ty, Binding::Value))
    }

    fn var(&self, input: ParseStream<'_>) -> Result<Var> {
        let name: Ident = input.call(Ident::parse_any)?;
        let known = self.vars.get(&name.to_string()).copied();
        known.ok_or_else(|| syn::Error::new(name.span(), format!("unknown variable `{name}`")))
    }

    fn name_and_type(&mut self, input: ParseStream<'_>) -> Result<(Ident, Type)> {
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        Ok((name, self.ty(input)?))
    }

    fn body(&mut self, input: ParseStream<'_>) -> Result<()> {
        while input.peek(Token![const]) {
            input.parse::<Token![const]>()?;
            let (name, ty) = self.name_and_type(input)?;
            input.parse::<Token![=]>()?;
            let path: syn::Path = input.parse()?;
            input.parse::<Token![;]>()?;
            self.declare(&name, ty, Binding::Global(quote::ToTokens::into_token_stream(path)));
        }
        input.parse::<Token![fn]>()?;
        self.body.name = input.call(Ident::parse_any)?.to_string();
        let params;
        parenthesized!(params in input);
        while !params.is_empty() {
            let param = self.param(&params)?;
            self.body.params.push(param);
            if !params.is_empty() {
                params.parse::<Token![,]>()?;
            }
        }
        if input.parse::<Option<Token![->]>>()?.is_some() {
            let (name, ty) = self.name_and_type(input)?;
            self.body.result = Some(self.declare(&name, ty, Binding::Value));
        }
        self.body.independents = self.var_list(input)?;
        self.body.dependents = self.var_list(input)?;
        // The exit variable and what is kept are declared by statements that come later.
        let exit = if input.parse::<Option<keyword::exit>>()?.is_some() {
            Some(input.call(Ident::parse_any)?.to_string())
        } else {
            None
        };
        let mut kept = Vec::new();
        if input.parse::<Option<keyword::keep>>()?.is_some() {
            while input.peek(Ident::peek_any) {
                let (name, ty) = self.name_and_type(input)?;
                let when = match input.parse::<Option<Token![if]>>()? {
                    Some(_) => self.condition(input)?,
                    None => Condition::always(self.body.pairs()),
                };
                kept.push((name.to_string(), when));
                if !self.vars.contains_key(&name.to_string()) {
                    self.declare(&name, ty, Binding::Value);
                }
            }
        }
        if let Some(name) = &exit
            && !self.vars.contains_key(name)
        {
            self.declare(&Ident::new(name, Span::call_site()), Type::U8, Binding::Value);
        }
        self.body.block = self.block(input)?;
        self.body.target.exit = exit.map(|name| self.vars[&name]);
        let kept = kept.into_iter().map(|(name, when)| Kept { var: self.vars[&name], when });
        self.body.kept = kept.collect();
        Ok(())
    }

    fn param(&mut self, input: ParseStream<'_>) -> Result<Var> {
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        let mut binding = Binding::Value;
        if input.parse::<Option<Token![&]>>()?.is_some() {
            binding = if input.parse::<Option<Token![mut]>>()?.is_some() {
                Binding::Exclusive
            } else {
                Binding::Shared
            };
        }
        let ty = self.ty(input)?;
        Ok(self.declare(&name, ty, binding))
    }

    fn var_list(&mut self, input: ParseStream<'_>) -> Result<Vec<Var>> {
        input.parse::<Token![|]>()?;
        let mut vars = Vec::new();
        while input.peek(Ident::peek_any)
            && !input.peek(keyword::keep)
            && !input.peek(keyword::exit)
        {
            vars.push(self.var(input)?);
        }
        Ok(vars)
    }

    fn ty(&mut self, input: ParseStream<'_>) -> Result<Type> {
        if input.peek(token::Bracket) {
            let inner;
            bracketed!(inner in input);
            let element = self.ty(&inner)?;
            if inner.parse::<Option<Token![;]>>()?.is_none() {
                return Ok(Type::slice(element));
            }
            let len: TokenStream = inner.parse()?;
            return Ok(Type::array(element, &len.to_string()));
        }
        if input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let mut fields = Vec::new();
            while !inner.is_empty() {
                fields.push(self.ty(&inner)?);
                inner.parse::<Option<Token![,]>>()?;
            }
            return Ok(Type::Tuple(fields.into()));
        }
        if input.parse::<Option<Token![_]>>()?.is_some() {
            return Ok(Type::Unknown);
        }
        let name: Ident = input.parse()?;
        Ok(match name.to_string().as_str() {
            "f32" => Type::F32,
            "f64" => Type::F64,
            "float" => Type::Float(FloatKind::Open(Number(0))),
            "int" => Type::Int(IntKind::Open(Number(0))),
            "bool" => Type::Bool,
            "Vec" => {
                input.parse::<Token![<]>()?;
                let element = self.ty(input)?;
                input.parse::<Token![>]>()?;
                Type::vec(element)
            }
            other => Type::int(other).unwrap_or_else(|| Type::Named(other.into())),
        })
    }

    fn block(&mut self, input: ParseStream<'_>) -> Result<Block> {
        let inner;
        braced!(inner in input);
        let mut block = self.body.new_block(Vec::new());
        while !inner.is_empty() {
            let kind = self.stmt(&inner)?;
            let stmt = self.body.stmt(kind, Span::call_site());
            block.stmts.push(stmt);
        }
        Ok(block)
    }

    fn stmt(&mut self, input: ParseStream<'_>) -> Result<StmtKind> {
        let label_then_block = input.peek2(syn::Lifetime) || input.peek2(token::Brace);
        if input.peek(Token![if]) {
            return self.choice(input);
        }
        if input.peek(Token![for]) || input.peek(Token![while]) || input.peek(Token![loop]) {
            return self.repetition(input);
        }
        if input.peek(keyword::block) && label_then_block {
            input.parse::<keyword::block>()?;
            let target = if input.peek(syn::Lifetime) { Some(self.target(input)?) } else { None };
            return Ok(StmtKind::Block { target, body: self.block(input)? });
        }
        let kind = self.simple(input)?;
        input.parse::<Token![;]>()?;
        Ok(kind)
    }

    fn choice(&mut self, input: ParseStream<'_>) -> Result<StmtKind> {
        input.parse::<Token![if]>()?;
        let test = self.expr(input, 0)?;
        let then = self.block(input)?;
        let otherwise = if input.parse::<Option<Token![else]>>()?.is_some() {
            self.block(input)?
        } else {
            self.body.new_block(Vec::new())
        };
        Ok(StmtKind::If { test, then, otherwise })
    }

    fn repetition(&mut self, input: ParseStream<'_>) -> Result<StmtKind> {
        let kind = if input.parse::<Option<Token![for]>>()?.is_some() {
            let (name, ty) = self.name_and_type(input)?;
            input.parse::<Token![in]>()?;
            let range = self.range(input)?;
            LoopKind::Counted { var: self.declare(&name, ty, Binding::Value), range }
        } else if input.parse::<Option<Token![while]>>()?.is_some() {
            LoopKind::While { test: self.expr(input, 0)? }
        } else {
            input.parse::<Token![loop]>()?;
            LoopKind::Forever
        };
        let target = self.target(input)?;
        let trips = if input.parse::<Option<keyword::trips>>()?.is_some() {
            Some(self.var(input)?)
        } else {
            None
        };
        Ok(StmtKind::Loop(Loop { target, kind, trips, body: self.block(input)? }))
    }

    fn simple(&mut self, input: ParseStream<'_>) -> Result<StmtKind> {
        let names_follow = input.peek2(Ident::peek_any);
        if input.parse::<Option<Token![let]>>()?.is_some() {
            let (name, ty) = self.name_and_type(input)?;
            let value = if input.parse::<Option<Token![=]>>()?.is_some() {
                Some(self.expr(input, 0)?)
            } else {
                None
            };
            return Ok(StmtKind::Let { var: self.declare_once(&name, ty), value });
        }
        if input.peek(keyword::view) && names_follow {
            input.parse::<keyword::view>()?;
            let (name, ty) = self.name_and_type(input)?;
            input.parse::<Token![=]>()?;
            input.parse::<Token![&]>()?;
            let mutable = input.parse::<Option<Token![mut]>>()?.is_some();
            let spelled = self.place(input)?;
            let (place, through) = (self.body.resolve(&spelled), self.body.through(&spelled));
            let binding = Binding::View(Rc::new(View { place, mutable, through }));
            return Ok(StmtKind::Bind { view: self.declare(&name, ty, binding) });
        }
        if input.peek(keyword::exit) && input.peek2(syn::Lifetime) {
            input.parse::<keyword::exit>()?;
            let label = self.label(input)?;
            let code = if input.is_empty() || input.peek(Token![;]) {
                0
            } else {
                input.parse::<syn::LitInt>()?.base10_parse()?
            };
            return Ok(StmtKind::Exit { label, code });
        }
        if input.peek(keyword::opaque) && names_follow {
            return Ok(StmtKind::Opaque(Rc::new(self.opaque(input)?)));
        }
        if (input.peek(keyword::call) || input.peek(keyword::joint) || input.peek(keyword::split))
            && names_follow
        {
            return Ok(StmtKind::Call(self.call(input)?));
        }
        if input.peek(keyword::reset) && names_follow {
            input.parse::<keyword::reset>()?;
            return Ok(StmtKind::Reset { place: self.place(input)? });
        }
        if (input.peek(keyword::extend) || input.peek(keyword::truncate)) && names_follow {
            return Ok(StmtKind::Resize(self.resize(input)?));
        }
        if input.peek(keyword::swap) && names_follow {
            input.parse::<keyword::swap>()?;
            let a = self.place(input)?;
            input.parse::<keyword::and>()?;
            return Ok(StmtKind::Swap { a, b: self.place(input)? });
        }
        if input.peek(keyword::push) && names_follow {
            input.parse::<keyword::push>()?;
            let moved = input.parse::<Option<Token![move]>>()?.is_some();
            let transfer = if moved { Transfer::Move } else { Transfer::Copy };
            return Ok(StmtKind::Push { place: self.place(input)?, transfer });
        }
        if input.peek(keyword::pop) && names_follow {
            input.parse::<keyword::pop>()?;
            if input.parse::<Option<Token![let]>>()?.is_some() {
                let (name, ty) = self.name_and_type(input)?;
                let var = self.declare_once(&name, ty);
                return Ok(StmtKind::Pop { place: Place::var(var), declares: true });
            }
            return Ok(StmtKind::Pop { place: self.place(input)?, declares: false });
        }
        let place = self.place(input)?;
        if input.parse::<Option<Token![+=]>>()?.is_some() {
            return Ok(StmtKind::Increment { place, value: self.expr(input, 0)? });
        }
        input.parse::<Token![=]>()?;
        Ok(StmtKind::Assign { place, value: self.expr(input, 0)? })
    }

    fn resize(&mut self, input: ParseStream<'_>) -> Result<Resize> {
        let extends = input.parse::<Option<keyword::extend>>()?.is_some();
        if !extends {
            input.parse::<keyword::truncate>()?;
        }
        let list = self.place(input)?;
        let change = if extends {
            input.parse::<keyword::by>()?;
            Change::Extend(self.expr(input, 0)?)
        } else {
            input.parse::<keyword::to>()?;
            Change::Truncate(self.expr(input, 0)?)
        };
        let len = if input.parse::<Option<keyword::len>>()?.is_some() {
            Some(self.var(input)?)
        } else {
            None
        };
        Ok(Resize { list, change, len })
    }

    fn label(&mut self, input: ParseStream<'_>) -> Result<Label> {
        let lifetime: syn::Lifetime = input.parse()?;
        let name = lifetime.ident.to_string();
        let number = name.strip_prefix('l').and_then(|digits| digits.parse::<u32>().ok());
        let number = number.ok_or_else(|| syn::Error::new(lifetime.span(), "expected `'l<n>`"))?;
        self.body.numbering.labels = self.body.numbering.labels.max(number + 1);
        Ok(Label::new(number as usize))
    }

    fn target(&mut self, input: ParseStream<'_>) -> Result<Target> {
        let label = self.label(input)?;
        let exit = if input.parse::<Option<keyword::exit>>()?.is_some() {
            Some(self.var(input)?)
        } else {
            None
        };
        Ok(Target { label, exit })
    }

    fn range(&mut self, input: ParseStream<'_>) -> Result<Range> {
        // A parenthesis may open the range or its first operand.
        if input.peek(token::Paren) {
            let fork = input.fork();
            let inner;
            parenthesized!(inner in fork);
            if self.expr(&inner, 1).is_ok() && inner.peek(Token![..]) {
                let inner;
                parenthesized!(inner in input);
                let mut range = self.bare_range(&inner)?;
                while input.parse::<Option<Token![.]>>()?.is_some() {
                    let name: Ident = input.parse()?;
                    let args;
                    parenthesized!(args in input);
                    range.adaptors.push(match name.to_string().as_str() {
                        "rev" => Adaptor::Rev,
                        "step_by" => Adaptor::StepBy(self.expr(&args, 0)?),
                        "take" => Adaptor::Take(self.expr(&args, 0)?),
                        _ => return Err(syn::Error::new(name.span(), "unknown adaptor")),
                    });
                }
                return Ok(range);
            }
        }
        self.bare_range(input)
    }

    fn bare_range(&mut self, input: ParseStream<'_>) -> Result<Range> {
        let start = self.expr(input, 1)?;
        let inclusive = if input.peek(Token![..=]) {
            input.parse::<Token![..=]>()?;
            true
        } else {
            input.parse::<Token![..]>()?;
            false
        };
        let end = self.expr(input, 1)?;
        Ok(Range { start, end, inclusive, adaptors: Vec::new() })
    }

    fn call(&mut self, input: ParseStream<'_>) -> Result<Call> {
        let mode = if input.parse::<Option<keyword::joint>>()?.is_some() {
            CallMode::Joint
        } else if input.parse::<Option<keyword::split>>()?.is_some() {
            CallMode::Split
        } else {
            CallMode::Auto
        };
        input.parse::<keyword::call>()?;
        let callee = input.parse::<syn::Path>()?;
        let callee = Callee::Function(quote::ToTokens::into_token_stream(callee));
        let inner;
        parenthesized!(inner in input);
        let mut args = Vec::new();
        while !inner.is_empty() {
            let kind = if inner.parse::<Option<Token![&]>>()?.is_some() {
                if inner.parse::<Option<Token![mut]>>()?.is_some() {
                    ArgKind::Exclusive(self.place(&inner)?)
                } else {
                    ArgKind::Shared(self.place(&inner)?)
                }
            } else {
                ArgKind::Value(self.expr(&inner, 0)?)
            };
            args.push(Arg { kind, slot: Slot::Passive });
            inner.parse::<Option<Token![,]>>()?;
        }
        let result = if input.parse::<Option<Token![->]>>()?.is_some() {
            let (name, ty) = self.name_and_type(input)?;
            Some(self.declare_once(&name, ty))
        } else {
            None
        };
        Ok(Call {
            callee,
            args,
            result,
            kept: None,
            mode,
            sweep: Sweep::Primal,
            carrier: None,
            failure: None,
            resolution: Resolution::AsNamed,
        })
    }

    fn opaque(&mut self, input: ParseStream<'_>) -> Result<Opaque> {
        input.parse::<keyword::opaque>()?;
        let class: Ident = input.parse()?;
        let class = match class.to_string().as_str() {
            "pure" => Class::Pure,
            "state" => Class::State,
            "once" => Class::Once,
            _ => return Err(syn::Error::new(class.span(), "expected `pure`, `state` or `once`")),
        };
        let inner;
        parenthesized!(inner in input);
        let tokens = inner.parse::<syn::LitStr>()?.value().parse()?;
        let refusal =
            Some(Refusal { what: "opaque code".into(), help: String::new(), callee: None });
        let mut opaque = Opaque {
            tokens,
            reads: Vec::new(),
            writes: Vec::new(),
            declares: Vec::new(),
            class,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal,
        };
        while !inner.is_empty() {
            let title: Ident = inner.parse()?;
            match title.to_string().as_str() {
                "reads" => opaque.reads = self.names(&inner)?,
                "writes" => opaque.writes = self.names(&inner)?,
                "declares" => {
                    while inner.peek(Ident) && inner.peek2(Token![:]) {
                        let (name, ty) = self.name_and_type(&inner)?;
                        opaque.declares.push(self.declare(&name, ty, Binding::Value));
                    }
                }
                "fails" => opaque.ending = Ending::Fails,
                _ => opaque.ending = Ending::Diverges,
            }
        }
        Ok(opaque)
    }

    fn names(&mut self, input: ParseStream<'_>) -> Result<Vec<Var>> {
        let mut vars = Vec::new();
        while input.peek(Ident)
            && !["writes", "declares", "diverges", "fails"]
                .contains(&input.fork().parse::<Ident>()?.to_string().as_str())
        {
            vars.push(self.var(input)?);
        }
        Ok(vars)
    }

    fn condition(&mut self, input: ParseStream<'_>) -> Result<Condition> {
        let mut pairs = FixedBitSet::with_capacity(self.body.pairs());
        input.parse::<Token![<]>()?;
        while input.parse::<Option<Token![>]>>()?.is_none() {
            let independent = self.var(input)?;
            input.parse::<Token![~]>()?;
            let dependent = self.var(input)?;
            let position = |list: &[Var], var| list.iter().position(|&other| other == var);
            if let (Some(row), Some(column)) = (
                position(&self.body.independents, independent),
                position(&self.body.dependents, dependent),
            ) {
                pairs.insert(row * self.body.dependents.len() + column);
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Condition::of(pairs))
    }
}
