//! Reads the textual form of the IR. The lexer is that of Rust; the grammar is what
//! [`print`](super::print) writes.

use super::syntax::*;
use crate::index::{Index, Label, Var};
use crate::types::{FloatKind, IntKind, Type};
use fixedbitset::FixedBitSet;
use proc_macro2::{Span, TokenStream};
use std::collections::HashMap;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::{Ident, Lit, Token, braced, bracketed, parenthesized, token};

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
    syn::custom_keyword!(block);
    syn::custom_keyword!(call);
    syn::custom_keyword!(exit);
    syn::custom_keyword!(joint);
    syn::custom_keyword!(keep);
    syn::custom_keyword!(opaque);
    syn::custom_keyword!(pop);
    syn::custom_keyword!(push);
    syn::custom_keyword!(region);
    syn::custom_keyword!(reset);
    syn::custom_keyword!(split);
    syn::custom_keyword!(trips);
    syn::custom_keyword!(view);
}

impl Reader {
    fn declare(&mut self, name: &Ident, ty: Type, binding: Binding) -> Var {
        let var = self.body.variable(&name.to_string(), ty, binding, Span::call_site());
        self.vars.insert(name.to_string(), var);
        var
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
                kept.push(name.to_string());
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
        self.body.kept = kept.iter().map(|name| self.vars[name]).collect();
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
            "float" => Type::Float(FloatKind::Any),
            "int" => Type::Int(IntKind::Any),
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
            let target =
                if input.peek(syn::Lifetime) { Some(self.target(input)?) } else { None };
            return Ok(StmtKind::Block { target, body: self.block(input)? });
        }
        if input.peek(keyword::region) && label_then_block {
            input.parse::<keyword::region>()?;
            return Ok(StmtKind::Region { body: self.block(input)? });
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
            // The result and what is kept were declared by the header.
            let known = self.vars.get(&name.to_string()).copied();
            let var = known.unwrap_or_else(|| self.declare(&name, ty, Binding::Value));
            return Ok(StmtKind::Let { var, value });
        }
        if input.peek(keyword::view) && names_follow {
            input.parse::<keyword::view>()?;
            let (name, ty) = self.name_and_type(input)?;
            input.parse::<Token![=]>()?;
            input.parse::<Token![&]>()?;
            let mutable = input.parse::<Option<Token![mut]>>()?.is_some();
            let place = self.place(input)?;
            let binding = Binding::View(Rc::new(View { place, mutable }));
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
                let known = self.vars.get(&name.to_string()).copied();
                let var = known.unwrap_or_else(|| self.declare(&name, ty, Binding::Value));
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
        let callee = quote::ToTokens::into_token_stream(input.parse::<syn::Path>()?);
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
            Some(self.declare(&name, ty, Binding::Value))
        } else {
            None
        };
        Ok(Call { callee, args, result, kept: None, mode, sweep: Sweep::Primal })
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
        let refusal = Some(Refusal { what: "opaque code".into(), help: String::new() });
        let mut opaque = Opaque {
            tokens,
            reads: Vec::new(),
            writes: Vec::new(),
            declares: Vec::new(),
            class,
            diverges: false,
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
                _ => opaque.diverges = true,
            }
        }
        Ok(opaque)
    }

    fn names(&mut self, input: ParseStream<'_>) -> Result<Vec<Var>> {
        let mut vars = Vec::new();
        while input.peek(Ident)
            && !["writes", "declares", "diverges"]
                .contains(&input.fork().parse::<Ident>()?.to_string().as_str())
        {
            vars.push(self.var(input)?);
        }
        Ok(vars)
    }

    fn place(&mut self, input: ParseStream<'_>) -> Result<Place> {
        let root = self.var(input)?;
        let mut place = Place::var(root);
        while let Some(step) = self.projection(input)? {
            place.projections.extend(step);
        }
        Ok(place)
    }

    fn projection(&mut self, input: ParseStream<'_>) -> Result<Option<Vec<Projection>>> {
        if input.peek(token::Bracket) {
            let inner;
            bracketed!(inner in input);
            let start =
                if inner.peek(Token![..]) { None } else { Some(self.expr(&inner, 1)?) };
            if inner.parse::<Option<Token![..]>>()?.is_none() {
                return Ok(Some(start.map(Projection::Index).into_iter().collect()));
            }
            let end = if inner.is_empty() { None } else { Some(self.expr(&inner, 1)?) };
            return Ok(Some(vec![Projection::Slice { start, end }]));
        }
        // `a.b` is a field, `a.b(…)` a method; `a.0.1` lexes as a float.
        if input.peek(Token![.]) && !input.peek(Token![..]) {
            let fork = input.fork();
            fork.parse::<Token![.]>()?;
            if fork.peek(Ident) && fork.peek2(token::Paren) {
                return Ok(None);
            }
            input.parse::<Token![.]>()?;
            let text = if input.peek(Ident) {
                input.parse::<Ident>()?.to_string()
            } else {
                quote::ToTokens::into_token_stream(input.parse::<Lit>()?).to_string()
            };
            return Ok(Some(text.split('.').map(|name| Projection::Field(name.into())).collect()));
        }
        Ok(None)
    }

    fn expr(&mut self, input: ParseStream<'_>, least: u8) -> Result<Expr> {
        let mut left = self.unary(input)?;
        loop {
            if input.parse::<Option<Token![as]>>()?.is_some() {
                let ty = self.ty(input)?;
                left = Expr::op(Op::Cast, vec![left], ty);
                continue;
            }
            let Some(op) = peek_operator(input) else { return Ok(left) };
            if op.precedence() < least.max(1) {
                return Ok(left);
            }
            for _ in op.token().chars() {
                input.step(|cursor| {
                    let (_, rest) = cursor.punct().expect("an operator was peeked");
                    Ok(((), rest))
                })?;
            }
            let right = self.expr(input, op.precedence() + 1)?;
            let ty = if op.is_test() { Type::Bool } else { joined(&left, &right) };
            left = Expr::op(Op::Binary(op), vec![left, right], ty);
        }
    }

    fn unary(&mut self, input: ParseStream<'_>) -> Result<Expr> {
        let op = if input.parse::<Option<Token![-]>>()?.is_some() {
            UnaryOp::Neg
        } else if input.parse::<Option<Token![!]>>()?.is_some() {
            UnaryOp::Not
        } else {
            return self.postfix(input);
        };
        let operand = self.unary(input)?;
        let ty = operand.ty.clone();
        Ok(Expr::op(Op::Unary(op), vec![operand], ty))
    }

    fn postfix(&mut self, input: ParseStream<'_>) -> Result<Expr> {
        let mut expr = self.atom(input)?;
        while input.peek(Token![.]) && !input.peek(Token![..]) {
            input.parse::<Token![.]>()?;
            let name: Ident = input.parse()?;
            let inner;
            parenthesized!(inner in input);
            let mut args = vec![expr];
            args.extend(self.list(&inner)?);
            let ty = args[0].ty.clone();
            let is_discrete = ty.is_discrete();
            expr = match name.to_string().as_str() {
                "len" => Expr::op(Op::Len, args, Type::USIZE),
                "to_vec" => {
                    let element = ty.element().cloned().unwrap_or(Type::Unknown);
                    Expr::op(Op::ToVec, args, Type::vec(element))
                }
                "clone" => Expr::op(Op::Clone, args, ty),
                "is_nan" | "is_finite" | "is_infinite" => {
                    Expr::op(Op::Method(name.to_string().into()), args, Type::Bool)
                }
                method => {
                    let mut full = args[0].ty.clone();
                    if full == Type::Float(FloatKind::Any) && !is_discrete {
                        full = args.iter().fold(full, |ty, arg| join_types(&ty, &arg.ty));
                    }
                    Expr::op(Op::Method(method.into()), args, full)
                }
            };
        }
        Ok(expr)
    }

    fn list(&mut self, input: ParseStream<'_>) -> Result<Vec<Expr>> {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(self.expr(input, 0)?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(items)
    }

    fn atom(&mut self, input: ParseStream<'_>) -> Result<Expr> {
        if input.peek(Lit) {
            let lit: Lit = input.parse()?;
            return Ok(literal(&lit));
        }
        if input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let first = if inner.is_empty() { None } else { Some(self.expr(&inner, 0)?) };
            if inner.is_empty()
                && let Some(first) = first
            {
                return Ok(first);
            }
            inner.parse::<Option<Token![,]>>()?;
            let mut items: Vec<Expr> = first.into_iter().collect();
            items.extend(self.list(&inner)?);
            let ty = Type::Tuple(items.iter().map(|item| item.ty.clone()).collect());
            return Ok(Expr::new(ExprKind::Op(Op::Tuple, items), ty, Span::call_site()));
        }
        if input.peek(token::Bracket) {
            let inner;
            bracketed!(inner in input);
            let first = self.expr(&inner, 0)?;
            if inner.parse::<Option<Token![;]>>()?.is_some() {
                let len = inner.parse::<TokenStream>()?.to_string();
                let ty = Type::array(first.ty.clone(), &len);
                return Ok(Expr::op(Op::Repeat(len.into()), vec![first], ty));
            }
            inner.parse::<Option<Token![,]>>()?;
            let mut items = vec![first];
            items.extend(self.list(&inner)?);
            let ty = Type::array(items[0].ty.clone(), &items.len().to_string());
            return Ok(Expr::op(Op::Array, items, ty));
        }
        if input.parse::<Option<Token![if]>>()?.is_some() {
            let test = self.expr(input, 0)?;
            let mut args = vec![test];
            for _ in 0..2 {
                let inner;
                braced!(inner in input);
                args.push(self.expr(&inner, 0)?);
                input.parse::<Option<Token![else]>>()?;
            }
            let ty = joined(&args[1], &args[2]);
            return Ok(Expr::op(Op::Select, args, ty));
        }
        if input.peek(keyword::opaque) && input.peek2(Ident) {
            let opaque = self.opaque(input)?;
            return Ok(Expr::new(
                ExprKind::Opaque(Rc::new(opaque)),
                Type::Unknown,
                Span::call_site(),
            ));
        }
        if input.peek(Ident) && input.peek2(Token![!]) && input.peek3(token::Bracket) {
            input.parse::<Ident>()?;
            input.parse::<Token![!]>()?;
            let inner;
            bracketed!(inner in input);
            let first = self.expr(&inner, 0)?;
            let ty = Type::vec(first.ty.clone());
            if inner.parse::<Option<Token![;]>>()?.is_some() {
                let len = self.expr(&inner, 0)?;
                return Ok(Expr::op(Op::VecRepeat, vec![first, len], ty));
            }
            inner.parse::<Option<Token![,]>>()?;
            let mut items = vec![first];
            items.extend(self.list(&inner)?);
            return Ok(Expr::op(Op::Vec, items, ty));
        }
        if input.peek(Ident) && input.peek2(token::Paren) {
            let name: Ident = input.parse()?;
            let inner;
            parenthesized!(inner in input);
            let args = self.list(&inner)?;
            let ty = args[0].ty.clone();
            let op = match name.to_string().as_str() {
                "real" => Op::Real,
                "shape" => Op::Shape,
                "zero_bar" => Op::ZeroBar,
                _ => return Err(syn::Error::new(name.span(), "unknown operation")),
            };
            return Ok(Expr::op(op, args, ty));
        }
        if input.peek(Token![<]) {
            return Ok(Expr::guard(Guard::both(self.condition(input)?)));
        }
        let place = self.place(input)?;
        let ty = self.body.place_type(&place);
        Ok(Expr::load(place, ty, Span::call_site()))
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
        Ok(Condition { pairs })
    }
}

fn literal(lit: &Lit) -> Expr {
    let text = quote::ToTokens::to_token_stream(lit).to_string();
    let ty = match lit {
        Lit::Bool(_) => Type::Bool,
        Lit::Int(int) if int.suffix().is_empty() => Type::Int(IntKind::Any),
        Lit::Int(int) => Type::int(int.suffix()).unwrap_or(Type::Unknown),
        Lit::Float(float) => match float.suffix() {
            "f32" => Type::F32,
            "f64" => Type::F64,
            _ => Type::Float(FloatKind::Any),
        },
        _ => Type::Unknown,
    };
    Expr::literal(&text, ty)
}

fn joined(left: &Expr, right: &Expr) -> Type {
    join_types(&left.ty, &right.ty)
}

/// The more precise of two types.
fn join_types(left: &Type, right: &Type) -> Type {
    match left {
        Type::Unknown | Type::Float(FloatKind::Any) | Type::Int(IntKind::Any) => right.clone(),
        _ => left.clone(),
    }
}

fn peek_operator(input: ParseStream<'_>) -> Option<BinaryOp> {
    if input.peek(Token![+=]) || input.peek(Token![=>]) {
        return None;
    }
    // Longer tokens first.
    macro_rules! first {
        ($($token:tt => $op:ident),*) => { $(if input.peek(Token![$token]) { return Some(BinaryOp::$op); })* };
    }
    first!(
        && => And, || => Or, == => Eq, != => Ne, << => Shl, >> => Shr, <= => Le, >= => Ge,
        < => Lt, > => Gt, + => Add, - => Sub, * => Mul, / => Div, % => Rem, & => BitAnd,
        | => BitOr, ^ => BitXor
    );
    None
}
