//! The operands of operators, as their `impl` blocks say them.

use syn::{GenericArgument, Path, PathArguments, Type};

/// The type of the right operand of an operator, or of what is converted.
pub fn right_of(path: &Path) -> Option<&Type> {
    match &path.segments.last()?.arguments {
        PathArguments::AngleBracketed(args) => match args.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        PathArguments::None | PathArguments::Parenthesized(_) => None,
    }
}

/// Whether operators on a type have adjoints: it is a value, or a reference to one.
pub fn may_be_operand(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => {
            reference.mutability.is_none()
                && !matches!(&*reference.elem, Type::Reference(_) | Type::Slice(_))
        }
        _ => true,
    }
}
