//! Functions that others find by an import only: the module of their name, where their entries are, is hidden from these.

/// A function, by a path that all of its callers may write. The number is made of that path, see [`import_key`].
#[derive(Clone, Copy, Debug)]
pub struct ByPath<const KEY: u128>;

/// What the number of the path of a function leads to. There is one function at a path, and so one type of entries, which callers leave to
/// rustc: `<ByPath<KEY> as Imported<_>>::ENTRIES`.
#[diagnostic::on_unimplemented(
    message = "the function called here has no adjoint",
    label = "no adjoint",
    note = "annotate it with `#[adjoint]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait Imported<Entries> {
    /// Its entries.
    const ENTRIES: Entries;
}

/// The number of a path in a crate. The crate is the first name in the path of any of its modules.
pub const fn import_key(module: &str, path: &str) -> u128 {
    let (module, mut end) = (module.as_bytes(), 0);
    while end < module.len() && module[end] != b':' {
        end += 1;
    }
    let number = number(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, module, end);
    let number = number_after(number, b':');
    self::number(number, path.as_bytes(), path.len())
}

const fn number(mut number: u128, text: &[u8], end: usize) -> u128 {
    let mut at = 0;
    while at < end {
        number = number_after(number, text[at]);
        at += 1;
    }
    number
}

/// FNV-1a.
const fn number_after(number: u128, byte: u8) -> u128 {
    (number ^ byte as u128).wrapping_mul(0x0100_0000_0000_0000_0000_013b)
}

#[cfg(test)]
mod tests {
    use super::import_key;

    #[test]
    fn a_number_tells_crates_and_paths_apart() {
        let of = import_key("first::inner::more", "shapes::area");
        assert_eq!(of, import_key("first", "shapes::area"));
        assert_ne!(of, import_key("second::inner", "shapes::area"));
        assert_ne!(of, import_key("first", "shapes::volume"));
        assert_ne!(import_key("first", "a"), import_key("firs", "ta"));
    }
}
