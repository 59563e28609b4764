//! What operators return. Those of types with parameters may return what the arguments of their operands tell.
//!
//! ```text
//! impl Mul for Complex { type Output = Complex; … }                       operator Mul, Complex, Complex, Complex;
//! impl<const N: usize, …> Mul<Mat<K, M>> for Mat<N, K> { type Output = Mat<N, M>; … }      operator Mul, Mat, Mat, Mat<__L0, __R1>;
//! ```

use super::declared::{Collector, names_of_params};
use super::facts::{Facts, Told};
use super::heads::{BlockOf, OfTrait};
use super::indices::output_of;
use super::meaning::Found;
use super::names::Scope;
use super::spelling::{At, Owner};
use super::written::Written;
use syn::{GenericArgument, PathArguments, Type};

impl Collector<'_> {
    /// What an operator of the type returns, or one with an operand of the type.
    pub(super) fn add_operator(
        &mut self,
        owner: &Owner,
        scope: &Scope,
        of: &Written,
        of_trait: &OfTrait,
        facts: &mut Facts,
    ) {
        let Some(left) = self.operand_spelled(of, At::module(scope)) else { return };
        let at = At { scope, own: Some(&left), params: &[], told: &[] };
        let right = match &of_trait.argument {
            None => Some(left.clone()),
            // Conversions of references are none of what these refer to.
            Some(right) if of_trait.name == "From" => self.speller.spelled(right, at),
            Some(right) => self.operand_spelled(right, at),
        };
        let output = match ["From", "Sum", "Product"].contains(&of_trait.name.as_str()) {
            true => Some(left.clone()),
            false => of_trait.output.as_ref().and_then(|output| self.speller.spelled(output, at)),
        };
        if let (Some(right), Some(output)) = (right, output)
            && [&left, &right].iter().any(|operand| operand.trim_start_matches('&') == owner.name)
        {
            facts.insert(Told::Operator([of_trait.name.clone(), left, right]), Some(output));
        }
    }

    /// The type of an operand. Operators on references are others than those on values.
    fn operand_spelled(&mut self, ty: &Written, at: At<'_>) -> Option<String> {
        match ty {
            Written::Reference(of) => Some(format!("&{}", self.speller.spelled(of, at)?)),
            ty => self.speller.spelled(ty, at),
        }
    }

    /// What the operators of a type with parameters return, and those on two of them.
    pub(super) fn add_operators_of_generic(
        &mut self,
        owner: &Owner,
        definition: &Found,
        scope: &Scope,
        facts: &mut Facts,
    ) {
        let is_method = |item: &super::scan::Item| {
            scope.name(item).chars().all(|letter| letter.is_lowercase() || letter == '_')
        };
        for BlockOf { block, head, functions: _ } in
            self.speller.blocks_of(definition, scope, is_method)
        {
            let Some((path, _)) = &head.trait_ else { continue };
            let Some(last) = path.segments.last() else { continue };
            let name = last.ident.to_string();
            if name == "Index" || !self.mentions.operators.contains(name.as_str()) {
                continue;
            }
            let params = names_of_params(&head.generics);
            let is_reference = matches!(&*head.self_ty, Type::Reference(_));
            let mut told = told_by_operand(&head.self_ty, "__L");
            let right = match &last.arguments {
                PathArguments::AngleBracketed(args) => args.args.first(),
                PathArguments::None | PathArguments::Parenthesized(_) => None,
            };
            let right = match right {
                Some(GenericArgument::Type(right)) => {
                    told.extend(told_by_operand(right, "__R"));
                    self.right_operand(
                        right,
                        owner,
                        At { scope, own: None, params: &params, told: &told },
                    )
                }
                Some(_) => None,
                None if is_reference => Some(format!("&{}", owner.name)),
                None => Some(owner.name.clone()),
            };
            // What is told of some arguments only is not told.
            if told.iter().any(|(param, _)| !params.contains(param)) {
                continue;
            }
            let own = (!is_reference).then_some("Self");
            let at = At { scope, own, params: &params, told: &told };
            let output =
                output_of(scope, block).and_then(|output| self.speller.spelled(&output, at));
            if let Some((right, output)) = right.zip(output) {
                self.see(&output);
                let left =
                    if is_reference { format!("&{}", owner.name) } else { owner.name.clone() };
                facts.insert(Told::Operator([name, left, right]), Some(output));
            }
        }
    }

    /// What a right operand is called: by its name alone if it is of a type with parameters.
    fn right_operand(&mut self, right: &Type, owner: &Owner, at: At<'_>) -> Option<String> {
        if let Type::Reference(reference) = right {
            return Some(format!("&{}", self.right_operand(&reference.elem, owner, at)?));
        }
        let written = Written::of(right)?;
        match &written {
            Written::Path(names) if *names == ["Self"] => Some(owner.name.clone()),
            written => {
                let spelled = self.speller.spelled(written, at)?;
                Some(spelled.split_once('<').map_or(spelled.clone(), |(of, _)| of.to_owned()))
            }
        }
    }
}

/// The parameters that are arguments of an operand, and what they are called then: `__L0` for the first one of the left operand.
pub(super) fn told_by_operand(ty: &Type, side: &str) -> Vec<(String, String)> {
    let path = match ty {
        Type::Reference(reference) => return told_by_operand(&reference.elem, side),
        Type::Path(path) => path,
        _ => return Vec::new(),
    };
    let Some(PathArguments::AngleBracketed(args)) =
        path.path.segments.last().map(|last| &last.arguments)
    else {
        return Vec::new();
    };
    let is_lifetime = |arg: &&GenericArgument| matches!(arg, GenericArgument::Lifetime(_));
    let told = args.args.iter().filter(|arg| !is_lifetime(arg)).enumerate();
    let told = told.map(|(position, arg)| {
        let name = match arg {
            GenericArgument::Type(Type::Path(path)) => {
                path.path.get_ident().map(ToString::to_string)
            }
            _ => None,
        };
        (name.unwrap_or_default(), format!("{side}{position}"))
    });
    told.collect()
}
