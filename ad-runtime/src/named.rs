//! What generated code proves to rustc because a macro sees names and not what they mean.

/// One of two variables of one spelling: if it has another type than it should have, rustc takes names for one variable that
/// the macro took for two, or the other way round. Give the variables different names.
#[derive(Clone, Copy, Debug)]
pub struct OneVariable;

/// The other one.
#[derive(Clone, Copy, Debug)]
pub struct AnotherVariable;
