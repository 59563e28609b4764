//! Places and expressions.

use super::super::values::*;
use super::{Reader, keyword};
use crate::types::{FloatKind, IntKind, Number, Type};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::rc::Rc;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Lit, Member, Token, braced, bracketed, parenthesized, token};

impl Reader {
    pub(super) fn place(&mut self, input: ParseStream<'_>) -> Result<Place> {
        let root = self.var(input)?;
        let mut place = Place::var(root);
        while let Some(step) = self.projection(input)? {
            place.projections.extend(step);
        }
        Ok(place)
    }

    pub(super) fn projection(&mut self, input: ParseStream<'_>) -> Result<Option<Vec<Projection>>> {
        if input.peek(token::Bracket) {
            let inner;
            bracketed!(inner in input);
            let start = if inner.peek(Token![..]) { None } else { Some(self.expr(&inner, 1)?) };
            if inner.parse::<Option<Token![..]>>()?.is_none() {
                return Ok(Some(start.map(Projection::Index).into_iter().collect()));
            }
            let end = if inner.is_empty() { None } else { Some(self.expr(&inner, 1)?) };
            return Ok(Some(vec![Projection::Slice { start, end }]));
        }
        // `a.b` is a field, `a.b(…)` a method, `a.*` what is in a box; `a.0.1` lexes as a float.
        if input.peek(Token![.]) && !input.peek(Token![..]) {
            let fork = input.fork();
            fork.parse::<Token![.]>()?;
            if fork.peek(Ident) && fork.peek2(token::Paren) {
                return Ok(None);
            }
            input.parse::<Token![.]>()?;
            if input.parse::<Option<Token![*]>>()?.is_some() {
                return Ok(Some(vec![Projection::Boxed]));
            }
            let text = if input.peek(Ident) {
                input.parse::<Ident>()?.to_string()
            } else {
                quote::ToTokens::into_token_stream(input.parse::<Lit>()?).to_string()
            };
            return Ok(Some(text.split('.').map(|name| Projection::Field(name.into())).collect()));
        }
        Ok(None)
    }

    pub(super) fn expr(&mut self, input: ParseStream<'_>, least: u8) -> Result<Expr> {
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

    pub(super) fn unary(&mut self, input: ParseStream<'_>) -> Result<Expr> {
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

    pub(super) fn postfix(&mut self, input: ParseStream<'_>) -> Result<Expr> {
        let mut expr = self.atom(input)?;
        while input.peek(Token![.]) && !input.peek(Token![..]) {
            input.parse::<Token![.]>()?;
            let name: Ident = input.parse()?;
            let inner;
            parenthesized!(inner in input);
            let mut args = vec![expr];
            args.extend(self.list(&inner)?);
            let ty = args.first().map_or(Type::Unknown, |arg| arg.ty.clone());
            let is_discrete = ty.is_discrete();
            expr = match name.to_string().as_str() {
                "len" => Expr::op(Op::Len, args, Type::USIZE),
                "to_vec" => {
                    let element = ty.element().cloned().unwrap_or(Type::Unknown);
                    Expr::op(Op::ToVec, args, Type::vec(element))
                }
                "clone" => Expr::op(Op::Clone, args, ty),
                "is_nan" | "is_finite" | "is_infinite" | "is_normal" => {
                    Expr::op(Op::Method(name.to_string().into()), args, Type::Bool)
                }
                method => {
                    let mut full = args[0].ty.clone();
                    if matches!(full, Type::Float(FloatKind::Open(_))) && !is_discrete {
                        full = args.iter().fold(full, |ty, arg| join_types(&ty, &arg.ty));
                    }
                    Expr::op(Op::Method(method.into()), args, full)
                }
            };
        }
        Ok(expr)
    }

    pub(super) fn list(&mut self, input: ParseStream<'_>) -> Result<Vec<Expr>> {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(self.expr(input, 0)?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(items)
    }

    /// `Pair { 0: x, 1: y, }`
    fn struct_literal(&mut self, input: ParseStream<'_>) -> Result<Expr> {
        let name = input.parse::<Ident>()?.to_string();
        let inner;
        braced!(inner in input);
        let (mut fields, mut args) = (Vec::new(), Vec::new());
        while !inner.is_empty() {
            fields.push(inner.parse::<Member>()?.to_token_stream().to_string().into());
            inner.parse::<Token![:]>()?;
            args.push(self.expr(&inner, 0)?);
            inner.parse::<Option<Token![,]>>()?;
        }
        let ty = Type::Named(name.as_str().into());
        Ok(Expr::op(Op::Struct(name.as_str().into(), fields.into()), args, ty))
    }

    pub(super) fn atom(&mut self, input: ParseStream<'_>) -> Result<Expr> {
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
        if input.peek(Ident) && input.peek2(token::Brace) && names_struct(input) {
            return self.struct_literal(input);
        }
        if input.peek(Ident) && input.peek2(Token![!]) && input.peek3(token::Bracket) {
            input.parse::<Ident>()?;
            input.parse::<Token![!]>()?;
            let inner;
            bracketed!(inner in input);
            if inner.is_empty() {
                let ty = Type::vec(Type::Unknown);
                return Ok(Expr::new(ExprKind::Op(Op::Vec, Vec::new()), ty, Span::call_site()));
            }
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
            let ty = match args.first() {
                Some(first) if name != "boxed" => first.ty.clone(),
                // Listings do not tell what the box is called, nor of what type something is that stands for a value.
                Some(_) | None => Type::Unknown,
            };
            let op = match name.to_string().as_str() {
                "strong" => Op::Strong,
                "boxed" => Op::Boxed,
                "real" => Op::Real,
                "number" => Op::Number,
                "direction" => Op::Direction,
                "given" => Op::Given,
                "spacing" => Op::Spacing,
                "shape" => Op::Shape,
                "zero_bar" => Op::ZeroBar,
                "zero_tangent" => Op::ZeroTangent,
                "placeholder" => Op::Placeholder,
                "from_bits" => {
                    // Listings do not tell the width.
                    return Ok(Expr::op(Op::FromBits, args, Type::F64));
                }
                "decided" => {
                    if let Ok(
                        [
                            Expr { kind: ExprKind::Op(Op::Method(method), mut operands), .. },
                            outcome,
                        ],
                    ) = <[Expr; 2]>::try_from(args)
                    {
                        operands.push(outcome);
                        return Ok(Expr::op(Op::Decided(method), operands, ty));
                    }
                    return Err(syn::Error::new(
                        name.span(),
                        "a method and an outcome are expected",
                    ));
                }
                other => match (Test::of_name(other), Unclear::of_name(other)) {
                    (Some(test), _) => Op::Tested(test),
                    (None, Some(unclear)) => Op::Unclear(unclear),
                    (None, None) => return Err(syn::Error::new(name.span(), "unknown operation")),
                },
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
}

fn literal(lit: &Lit) -> Expr {
    let text = quote::ToTokens::to_token_stream(lit).to_string();
    let ty = match lit {
        Lit::Bool(_) => Type::Bool,
        Lit::Int(int) if int.suffix().is_empty() => Type::Int(IntKind::Open(Number(0))),
        Lit::Int(int) => Type::int(int.suffix()).unwrap_or(Type::Unknown),
        Lit::Float(float) => match float.suffix() {
            "f32" => Type::F32,
            "f64" => Type::F64,
            _ => Type::Float(FloatKind::Open(Number(0))),
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
        Type::Unknown | Type::Float(FloatKind::Open(_)) | Type::Int(IntKind::Open(_)) => {
            right.clone()
        }
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

/// Whether what comes next has the name of a type, as in the literal of a struct, and not that of a variable before a block.
fn names_struct(input: ParseStream<'_>) -> bool {
    let name = input.fork().parse::<Ident>();
    name.is_ok_and(|name| name.to_string().starts_with(char::is_uppercase))
}
