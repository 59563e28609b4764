//! For which receivers it is proved that a method is that of the standard library: for those on which method lookup could find
//! another one before it.
//!
//! Rust looks at the receiver, at `&` and `&mut` of it, and then at the same of what it dereferences to. At each of these steps
//! it looks for methods that take that as `self`. So a method of a type itself that takes `self` cannot be hidden on a
//! value, but on a reference. Types with a `_` are those with any elements: an `impl` for some of them counts.

use crate::stdlib::Role::{self, *};

/// What is proved of the methods with a role.
pub(super) struct Proof {
    pub(super) role: Role,
    /// The trait of the runtime whose method is found at the last step before.
    pub(super) found: &'static str,
    /// The types of receivers.
    pub(super) receivers: &'static [&'static str],
}

impl Proof {
    /// Whether only receivers that may be references count: numbers are values, where nothing says otherwise.
    pub(super) fn of_references(&self) -> bool {
        matches!(self.role, OfFloats | OfIntegers)
    }
}

const fn proof(role: Role, found: &'static str, receivers: &'static [&'static str]) -> Proof {
    Proof { role, found, receivers }
}

const BEHIND: &str = "BehindReferences";
const BY_VALUE: &str = "FoundByValue";
const BY_SHARED: &str = "FoundByShared";
const BY_EXCLUSIVE: &str = "FoundByExclusive";

const REFERENCES_TO_ARRAYS: [&str; 2] = ["&'static [_; _]", "&'static mut [_; _]"];
const REFERENCES_TO_VECS: [&str; 2] =
    ["&'static ::std::vec::Vec<_>", "&'static mut ::std::vec::Vec<_>"];
const MUT_SLICE: &str = "&'static mut [_]";
const LISTS: [&str; 3] = ["::std::vec::Vec<_>", "[_; _]", "::std::boxed::Box<[_]>"];
const OPTION: &str = "::core::option::Option<_>";
const RESULT: &str = "::core::result::Result<_, _>";

/// What is proved, by roles.
#[rustfmt::skip]
pub(super) const PROOFS: [Proof; 19] = [
    proof(OfFloats, BEHIND, &["&'static f64", "&'static mut f64", "&'static f32", "&'static mut f32"]),
    proof(OfIntegers, BEHIND, &[
        "&'static usize", "&'static isize", "&'static u8", "&'static u16", "&'static u32", "&'static u64", "&'static u128",
        "&'static i8", "&'static i16", "&'static i32", "&'static i64", "&'static i128",
    ]),
    proof(OfValues, BY_VALUE, &[
        "f64", "f32", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "bool", "[_; _]",
    ]),
    proof(OfSlices, BY_EXCLUSIVE, &LISTS),
    proof(OfSlices, BEHIND, &REFERENCES_TO_VECS),
    proof(OfSlices, BEHIND, &REFERENCES_TO_ARRAYS),
    proof(OfSlices, BEHIND, &[MUT_SLICE]),
    proof(OfMutSlices, BY_EXCLUSIVE, &LISTS),
    proof(OfMutSlices, BEHIND, &[REFERENCES_TO_VECS[1], REFERENCES_TO_ARRAYS[1]]),
    proof(OfArrays, BY_EXCLUSIVE, &[LISTS[1], LISTS[2]]),
    proof(OfArrays, BEHIND, &[REFERENCES_TO_ARRAYS[0], REFERENCES_TO_ARRAYS[1], MUT_SLICE]),
    proof(OfVecs, BY_SHARED, &[LISTS[0]]),
    proof(OfLengths, BY_VALUE, &[LISTS[0]]),
    proof(OfLengths, BEHIND, &[REFERENCES_TO_VECS[1]]),
    proof(OfOptions, BEHIND, &["&'static ::core::option::Option<_>", "&'static ::core::result::Result<_, _>"]),
    proof(OfLentOptions, BY_VALUE, &[OPTION, RESULT]),
    proof(OfMutOptions, BY_SHARED, &[OPTION]),
    proof(OfText, BY_EXCLUSIVE, &["::std::string::String"]),
    proof(OfIterators, BY_SHARED, &["::core::slice::Iter<'static, _>", "::core::ops::Range<_>"]),
];
