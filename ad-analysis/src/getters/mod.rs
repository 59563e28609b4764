//! Getters: methods that return a reference to a part of what they are called on.
//!
//! ```text
//! fn row(&self, i: usize) -> &[f64] { &self.data[i * self.columns..(i + 1) * self.columns] }
//! ```
//!
//! Such a method has no derivative, since its result is a place: it ends in *ways* to that place, `self.data[n₀..n₁]`, on which
//! numbers are computed. Where these are known, the same way leads to the place in a bar.

mod queries;
mod repeatable;

pub use queries::{Maker, Query, range_of, told_by};
pub use repeatable::{
    elements_of_vec, is_discrete_name, is_number_method, is_number_operator, is_number_sign,
    may_be_number,
};

use crate::signatures::{Referent, referent_of};
use crate::stdlib::{self, Role};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprCall, ExprMethodCall, ExprReturn, FnArg, ImplItemFn, Member, RangeLimits,
    ReceiverKind, Stmt, Type,
};

/// A method that returns a reference.
#[derive(Clone)]
pub struct Getter {
    /// The function.
    pub function: ImplItemFn,
    /// The type of what it refers to.
    pub found: Type,
    /// Whether it is a `&mut`.
    pub is_exclusive: bool,
    /// Whether it is in an `Option`.
    pub is_optional: bool,
    /// Where it ends, in the order of the code.
    pub ways: Vec<Way>,
    /// Whether it may run again, if its operands are numbers and what it indexes are lists: then it calls nothing of the user's.
    pub is_repeatable: bool,
}

/// The way from the receiver to what is returned.
#[derive(Clone, Default)]
pub struct Way {
    /// The steps.
    pub steps: Vec<Step>,
    /// What is computed on it, in the order of the code: the numbers of the steps.
    pub numbers: Vec<Number>,
    /// What is indexed on it.
    pub lists: Vec<Expr>,
    /// Whether there is such a place only if the list that the last step is in has that element.
    pub may_be_absent: bool,
    /// The reference that a field holds, where that is what is returned: what it refers to is no part of the receiver.
    pub held: Option<Span>,
}

/// A number on the way.
#[derive(Clone)]
pub enum Number {
    /// What the getter says.
    Given(Expr),
    /// That of the first element of a list.
    First,
    /// That of the last element of this list.
    Last(Expr),
}

/// A step of a way.
#[derive(Clone)]
pub enum Step {
    /// A field.
    Field(Member),
    /// The element that the next number tells.
    Element,
    /// The elements in a range, which begins and ends with the next numbers, if it does.
    Range {
        /// Whether it begins with a number.
        has_start: bool,
        /// Whether it ends with a number.
        has_end: bool,
        /// Whether what the last number tells belongs to it.
        is_closed: bool,
    },
    /// What is in a `Box`, or what a reference refers to.
    Dereferenced,
}

/// Why a method that returns a reference is not understood.
#[derive(Clone, Debug)]
pub struct Unclear {
    /// Where.
    pub span: Span,
    /// What is in the way.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

/// What to write instead of what is not understood.
const WRITE_THE_PLACE: &str = "let it end in a place of `self`, as `&self.field`, `&self.list[i]`, `&self.list[a..b]`, \
     `self.list.as_slice()`, `self.list.last().unwrap()`, `Some(&self.field)`, `self.list.get(i)`, also at the ends of branches; or return the value";

impl Getter {
    /// The getter that a method is, or why it is not understood; nothing if it returns no reference to what may hold floats.
    pub fn of(function: &ImplItemFn) -> Option<Result<Self, Unclear>> {
        let Referent { found, is_exclusive, is_optional } = referent_of(&function.sig.output)?;
        if is_text(found) || !is_called_on_reference(function) {
            return None;
        }
        let mut ends = Ends { is_optional, ways: Vec::new(), unclear: None };
        let mut body = function.block.clone();
        let mut read = |end: &mut Expr| ends.read(end);
        each_end(&mut body, &mut read);
        if is_exclusive {
            ends.refuse_changes(&function.block);
        }
        let is_lent = |input: &&FnArg| matches!(input, FnArg::Typed(param) if matches!(&*param.ty, Type::Reference(_)));
        if let Some(lent) = function.sig.inputs.iter().find(is_lent) {
            ends.refuse(lent.span(), "a parameter that is a reference");
        }
        if !function.sig.generics.params.iter().all(is_lifetime) {
            ends.refuse(function.sig.generics.span(), "a getter with parameters of types");
        }
        let Ends { ways, unclear, .. } = ends;
        Some(match unclear {
            Some(unclear) => Err(unclear),
            None if ways.is_empty() => return None,
            None => Ok(Self {
                is_repeatable: repeatable::is_repeatable(&function.block, &ways),
                function: function.clone(),
                found: found.clone(),
                is_exclusive,
                is_optional,
                ways,
            }),
        })
    }

    /// The fields of the receiver that lead to what it refers to.
    pub fn fields(&self) -> impl Iterator<Item = &Member> {
        self.ways.iter().filter_map(Way::field)
    }

    /// Whether all that it may refer to belongs to such fields of the receiver.
    pub fn leads_through(&self, is_such: impl Fn(&Member) -> bool) -> bool {
        self.ways.iter().all(|way| way.field().is_some_and(&is_such))
    }

    /// The getter, if what it refers to is a part of the receiver itself, which has a bar.
    pub fn of_parts(self) -> Result<Self, Unclear> {
        let held = self.ways.iter().find_map(|way| way.held);
        match (held, &self.found) {
            (Some(span), _) => Err(unsupported(span, "this")),
            (None, Type::TraitObject(_)) => Err(unsupported(self.found.span(), "a `dyn`")),
            (None, _) => Ok(self),
        }
    }

    /// How many numbers tell the place.
    pub fn numbers(&self) -> usize {
        let most = self.ways.iter().map(|way| way.numbers.len()).max().unwrap_or_default();
        most + usize::from(self.has_choice())
    }

    /// Whether the first number tells which of several ways it is.
    pub fn has_choice(&self) -> bool {
        self.ways.len() > 1
    }
}

/// What a getter leads to, as a part of its receiver: `row()`. No field has that name.
pub fn part_of_getter(name: &str) -> String {
    format!("{name}()")
}

/// The name of the getter that leads to a part, if one does.
pub fn getter_of_part(part: &str) -> Option<&str> {
    part.strip_suffix("()")
}

/// The name of the method that says of a getter that what it leads to has no derivative.
pub fn passive_query(getter: &str) -> String {
    format!("__passive_getter_{}", getter.trim_start_matches("r#"))
}

/// The name of the method that finds where a getter leads to. It says whether that may be done again.
pub fn finder(getter: &Ident, is_repeatable: bool) -> Ident {
    let (name, how) = (getter.to_string(), if is_repeatable { "at" } else { "once_at" });
    Ident::new(&format!("__{how}_of_{}", name.trim_start_matches("r#")), getter.span())
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("str") || path.path.is_ident("String"))
}

fn is_lifetime(param: &syn::GenericParam) -> bool {
    matches!(param, syn::GenericParam::Lifetime(_))
}

fn is_called_on_reference(function: &ImplItemFn) -> bool {
    let receiver = function.sig.receiver();
    receiver.is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(..)))
        && function.sig.inputs.iter().skip(1).all(|input| match input {
            FnArg::Receiver(_) => false,
            FnArg::Typed(param) => !matches!(&*param.ty, Type::ImplTrait(_)),
        })
}

fn unsupported(span: Span, what: &str) -> Unclear {
    let message = format!("{what} is not supported where a reference is returned");
    Unclear { span, message, help: WRITE_THE_PLACE }
}

struct Ends {
    is_optional: bool,
    ways: Vec<Way>,
    unclear: Option<Unclear>,
}

impl Ends {
    fn refuse(&mut self, span: Span, what: &str) {
        self.unclear.get_or_insert_with(|| unsupported(span, what));
    }

    fn read(&mut self, end: &Expr) {
        if leads_nowhere(end) {
            return;
        }
        let mut way = Way::default();
        let is_found = match (stripped(end), self.is_optional) {
            (Expr::Call(call), true) => {
                is_some(call) && call.args.first().is_some_and(|inner| way.read_reference(inner))
            }
            (Expr::MethodCall(call), true) => {
                way.may_be_absent = true;
                way.read_element(call)
            }
            (end, false) => way.read_reference(end),
            (_, true) => false,
        };
        match is_found {
            true => self.ways.push(way),
            false => self.refuse(end.span(), "this"),
        }
    }

    /// A `&mut` getter must do nothing else: where the place is, is found again.
    fn refuse_changes(&mut self, body: &Block) {
        let mut before = body.clone();
        let nothing = Expr::Verbatim(proc_macro2::TokenStream::new());
        each_end(&mut before, &mut |end| *end = nothing.clone());
        if let Some(span) = change_in(&before) {
            self.refuse(span, "what changes something");
        }
    }
}

impl Way {
    /// The field of the receiver with which it begins, if it begins with one.
    pub fn field(&self) -> Option<&Member> {
        match self.steps.first()? {
            Step::Field(field) => Some(field),
            Step::Element | Step::Range { .. } | Step::Dereferenced => None,
        }
    }

    /// Reads what is a reference.
    fn read_reference(&mut self, expr: &Expr) -> bool {
        match stripped(expr) {
            Expr::Reference(reference) => self.read(&reference.expr),
            Expr::Field(field) => {
                let is_read = self.read(expr);
                self.steps.push(Step::Dereferenced);
                self.held = Some(field.span());
                is_read
            }
            Expr::MethodCall(call) if is_of_whole_list(call) => self.read(expr),
            Expr::MethodCall(call) if is_unwrapped(call) => match stripped(&call.receiver) {
                Expr::MethodCall(call) => self.read_element(call),
                _ => false,
            },
            _ => false,
        }
    }

    /// Reads `list.first()`, `list.last()`, `list.get(i)`, and what they are for `&mut`.
    fn read_element(&mut self, call: &ExprMethodCall) -> bool {
        let list = &*call.receiver;
        let is_read = self.read(list);
        let number = match element_of(call) {
            Some(Element::First) => Number::First,
            // Where the list is would be computed twice.
            Some(Element::Last) if self.numbers.is_empty() => Number::Last(list.clone()),
            Some(Element::At(index)) => Number::Given(index.clone()),
            Some(Element::Last) | None => return false,
        };
        self.lists.push(list.clone());
        self.steps.push(Step::Element);
        self.numbers.push(number);
        is_read
    }

    /// Reads the steps that lead to an expression; not if it does not begin with the receiver.
    fn read(&mut self, expr: &Expr) -> bool {
        match stripped(expr) {
            Expr::Path(path) => path.path.is_ident("self"),
            Expr::Field(field) => {
                let is_read = self.read(&field.base);
                self.steps.push(Step::Field(field.member.clone()));
                is_read
            }
            Expr::Index(index) => {
                let is_read = self.read(&index.expr);
                self.lists.push((*index.expr).clone());
                is_read && self.read_index(&index.index)
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                let is_read = self.read(&unary.expr);
                // The receiver is a reference already.
                if !self.steps.is_empty() {
                    self.steps.push(Step::Dereferenced);
                }
                is_read
            }
            Expr::MethodCall(call) if is_of_whole_list(call) => {
                let is_read = self.read(&call.receiver);
                self.lists.push((*call.receiver).clone());
                self.steps.push(Step::Range { has_start: false, has_end: false, is_closed: false });
                is_read
            }
            _ => false,
        }
    }

    fn read_index(&mut self, index: &Expr) -> bool {
        let Expr::Range(range) = stripped(index) else {
            self.steps.push(Step::Element);
            self.numbers.push(Number::Given(index.clone()));
            return !matches!(
                stripped(index),
                Expr::Tuple(_) | Expr::Array(_) | Expr::Reference(_)
            );
        };
        let bounds = [&range.start, &range.end];
        self.steps.push(Step::Range {
            has_start: range.start.is_some(),
            has_end: range.end.is_some(),
            is_closed: matches!(range.limits, RangeLimits::Closed(_)),
        });
        let bounds = bounds.into_iter().flatten();
        self.numbers.extend(bounds.map(|bound| Number::Given((**bound).clone())));
        true
    }
}

fn stripped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => stripped(&inner.expr),
        Expr::Group(inner) => stripped(&inner.expr),
        expr => expr,
    }
}

/// An element that a method of lists returns a reference to, if there is one.
enum Element<'e> {
    First,
    Last,
    At(&'e Expr),
}

fn element_of(call: &ExprMethodCall) -> Option<Element<'_>> {
    let name = call.method.to_string();
    let mut args = call.args.iter();
    match (name.as_str(), args.next(), args.next()) {
        ("first" | "first_mut", None, None) => Some(Element::First),
        ("last" | "last_mut", None, None) => Some(Element::Last),
        ("get" | "get_mut", Some(index), None) => {
            (!matches!(stripped(index), Expr::Range(_))).then_some(Element::At(index))
        }
        _ => None,
    }
}

fn is_unwrapped(call: &ExprMethodCall) -> bool {
    call.method == "unwrap" && call.args.is_empty()
        || call.method == "expect" && matches!(call.args.first(), Some(Expr::Lit(_)))
}

fn is_some(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some")) && call.args.len() == 1
}

/// Whether an expression at an end leads to no place: a macro that panics, or generated code does not compile, or `None`.
pub fn leads_nowhere(end: &Expr) -> bool {
    match stripped(end) {
        Expr::Macro(_) => true,
        Expr::Path(path) => path.path.is_ident("None"),
        _ => false,
    }
}

fn is_of_whole_list(call: &ExprMethodCall) -> bool {
    let is_one = call.method == "as_slice" || call.method == "as_mut_slice";
    is_one && call.args.is_empty()
}

/// Visits the expressions that a body has the value of: at its end, at the ends of its branches, and behind `return`.
pub fn each_end(block: &mut Block, visit: &mut dyn FnMut(&mut Expr)) {
    Walk { visit }.block(block);
}

struct Walk<'v> {
    visit: &'v mut dyn FnMut(&mut Expr),
}

impl Walk<'_> {
    fn block(&mut self, block: &mut Block) {
        let Some((last, before)) = block.stmts.split_last_mut() else { return };
        before.iter_mut().for_each(|stmt| self.visit_stmt_mut(stmt));
        match last {
            Stmt::Expr(expr, None) => self.end(expr),
            other => self.visit_stmt_mut(other),
        }
    }

    fn end(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(inner) => self.end(&mut inner.expr),
            Expr::Group(inner) => self.end(&mut inner.expr),
            // A `break` with a value leaves one with a label, too.
            Expr::Block(inner) if inner.label.is_none() => self.block(&mut inner.block),
            Expr::Unsafe(inner) => self.block(&mut inner.block),
            Expr::If(choice) => {
                self.visit_expr_mut(&mut choice.cond);
                self.block(&mut choice.then_branch);
                if let Some((_, otherwise)) = &mut choice.else_branch {
                    self.end(otherwise);
                }
            }
            Expr::Match(choice) => {
                self.visit_expr_mut(&mut choice.expr);
                for arm in &mut choice.arms {
                    if let syn::Pat::Guard(guarded) = &mut arm.pat {
                        self.visit_expr_mut(&mut guarded.guard);
                    }
                    self.end(&mut arm.body);
                }
            }
            Expr::Return(_) => self.visit_expr_mut(expr),
            end => (self.visit)(end),
        }
    }
}

impl VisitMut for Walk<'_> {
    fn visit_expr_return_mut(&mut self, exit: &mut ExprReturn) {
        if let Some(value) = &mut exit.expr {
            self.end(value);
        }
    }

    // What is returned in these is not what the body returns.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Where something is changed, as far as is seen.
pub fn change_in(body: &Block) -> Option<Span> {
    let mut changes = Changes(None);
    changes.visit_block(body);
    changes.0
}

struct Changes(Option<Span>);

impl<'ast> Visit<'ast> for Changes {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let changes = match expr {
            Expr::Assign(_) => true,
            Expr::Binary(binary) => {
                let sign = binary.op.to_token_stream().to_string();
                sign.ends_with('=') && !["==", "<=", ">=", "!="].contains(&sign.as_str())
            }
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::MethodCall(call) => {
                let is = |role| stdlib::is(&call.method, role);
                call.method.to_string().ends_with("_mut")
                    || is(Role::OfMutSlices)
                    || is(Role::OfVecs)
                    || is(Role::ChangesList)
            }
            _ => false,
        };
        if changes {
            self.0.get_or_insert(expr.span());
        }
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn getter(text: &str) -> Option<Result<Getter, String>> {
        let function = syn::parse_str(text).expect("a method");
        Getter::of(&function).map(|getter| getter.map_err(|unclear| unclear.message))
    }

    fn ways(text: &str) -> Vec<usize> {
        let getter = getter(text).expect("a reference").expect("a getter");
        getter.ways.iter().map(|way| way.numbers.len()).collect()
    }

    #[test]
    fn ways_end_where_the_body_does() {
        assert_eq!(ways("fn row(&self, i: usize) -> &[f64] { &self.data[i..i + self.n] }"), [2]);
        assert_eq!(ways("fn all(&self) -> &[f64] { self.data.as_slice() }"), [0]);
        assert_eq!(ways("fn at(&mut self, i: usize) -> &mut f64 { &mut self.rows[i][0].x }"), [2]);
        let branches = "fn one(&self) -> &f64 { if self.n > 0 { return &self.a; } match self.n { 0 => &self.b, k => &self.c[k] } }";
        assert_eq!(ways(branches), [0, 0, 1]);
        let optional = "fn get(&self, i: usize) -> Option<&f64> { if i > 3 { None } else { self.data.get(i) } }";
        assert_eq!(ways(optional), [1]);
        assert_eq!(ways("fn last(&self) -> &f64 { self.data.last().expect(\"one\") }"), [1]);
    }

    #[test]
    fn what_is_held_and_what_is_behind_a_dyn_is_no_part() {
        for text in [
            "fn held(&self) -> &f64 { self.held }",
            "fn as_trait(&self) -> &dyn Shape { &self.shape }",
        ] {
            assert_eq!(ways(text), [0]);
            let getter = getter(text).expect("a reference").expect("a getter");
            assert!(getter.leads_through(|_| true) && getter.of_parts().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_getter_is_told_from_what_is_not_understood() {
        for none in [
            "fn value(&self) -> f64 { self.x }",
            "fn name(&self) -> &str { &self.name }",
            "fn taken(self) -> &'static f64 { &1.0 }",
            "fn of(x: &f64) -> &f64 { x }",
        ] {
            assert!(getter(none).is_none(), "{none}");
        }
        for unclear in [
            "fn other<'a>(&'a self, other: &'a Self) -> &'a f64 { &other.x }",
            "fn grown(&mut self) -> &mut f64 { self.n += 1; &mut self.data[self.n] }",
            "fn matrix(&self) -> &f64 { &self.data[(0, 1)] }",
            "fn keyed(&self, key: usize) -> &f64 { &self.data[&key] }",
            "fn sorted(&mut self) -> &mut f64 { self.data.sort_unstable(); &mut self.data[0] }",
            "fn left(&self) -> &f64 { 'a: { if self.n > 0 { break 'a &self.a; } &self.b } }",
            "fn last_of(&self, i: usize) -> Option<&f64> { self.rows[i].last() }",
        ] {
            assert!(matches!(getter(unclear), Some(Err(_))), "{unclear}");
        }
    }

    #[test]
    fn a_getter_that_calls_something_runs_as_often_as_it_is_called() {
        let is_repeatable =
            |text: &str| getter(text).expect("a reference").expect("a getter").is_repeatable;
        assert!(is_repeatable(
            "fn row(&self, i: usize) -> &[f64] { assert!(i < self.n); let k = i * self.n; &self.data[k..] }"
        ));
        assert!(is_repeatable("fn last(&self) -> &f64 { &self.data[self.data.len() - 1] }"));
        for once in [
            "fn at(&self, i: usize) -> &f64 { &self.data[self.offset(i)] }",
            "fn at(&self, i: usize) -> &f64 { println!(\"{i}\"); &self.data[i] }",
            "fn at(&self, i: usize) -> &f64 { &self.data[self.other.len()] }",
            "fn at(&self) -> &f64 { if self.kind == Kind::First { &self.a } else { &self.b } }",
            "fn at(&self, i: usize) -> Option<&f64> { let k = self.find(i)?; Some(&self.data[k]) }",
        ] {
            assert!(!is_repeatable(once), "{once}");
        }
    }
}
