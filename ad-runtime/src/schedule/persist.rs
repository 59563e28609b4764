//! States that can be written to disk.

use std::io::{self, Error, ErrorKind, Read, Write};

/// A state that can be written to disk and read again, bit by bit the same.
///
/// Numbers, `Vec`s, arrays, tuples and `Option`s are; of a struct, write and read the fields one after the
/// other:
///
/// ```
/// use backsweep::schedule::Persist;
/// use std::io::{self, Read, Write};
///
/// #[derive(Debug, PartialEq)]
/// struct Water {
///     depth: Vec<f64>,
///     momentum: Vec<[f64; 2]>,
/// }
///
/// impl Persist for Water {
///     fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
///         self.depth.write_to(to)?;
///         self.momentum.write_to(to)
///     }
///
///     fn read_from(from: &mut impl Read) -> io::Result<Self> {
///         Ok(Self { depth: Vec::read_from(from)?, momentum: Vec::read_from(from)? })
///     }
/// }
///
/// let water = Water { depth: vec![1.0, 2.0], momentum: vec![[0.5, 0.0]; 2] };
/// let mut bytes = Vec::new();
/// water.write_to(&mut bytes)?;
/// assert_eq!(Water::read_from(&mut &bytes[..])?, water);
/// # Ok::<(), io::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written to disk, and its size cannot be measured",
    note = "`memory = …` and `disk = …` need `backsweep::schedule::Persist` for what the loop changes"
)]
pub trait Persist: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// Those of what is written to.
    fn write_to(&self, to: &mut impl Write) -> io::Result<()>;

    /// Reads a value that was written.
    ///
    /// # Errors
    /// Those of what is read from.
    fn read_from(from: &mut impl Read) -> io::Result<Self>;
}

macro_rules! persist_numbers {
    ($($number:ty),*) => {$(
        impl Persist for $number {
            fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
                to.write_all(&self.to_le_bytes())
            }

            fn read_from(from: &mut impl Read) -> io::Result<Self> {
                let mut bytes = [0; size_of::<Self>()];
                from.read_exact(&mut bytes)?;
                Ok(Self::from_le_bytes(bytes))
            }
        }
    )*};
}

persist_numbers!(f64, f32, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

impl Persist for bool {
    fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
        u8::from(*self).write_to(to)
    }

    fn read_from(from: &mut impl Read) -> io::Result<Self> {
        Ok(u8::read_from(from)? != 0)
    }
}

impl<T: Persist> Persist for Vec<T> {
    fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
        self.len().write_to(to)?;
        self.iter().try_for_each(|item| item.write_to(to))
    }

    fn read_from(from: &mut impl Read) -> io::Result<Self> {
        let len = usize::read_from(from)?;
        (0..len).map(|_| T::read_from(from)).collect()
    }
}

impl<T: Persist, const N: usize> Persist for [T; N] {
    fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
        self.iter().try_for_each(|item| item.write_to(to))
    }

    fn read_from(from: &mut impl Read) -> io::Result<Self> {
        let items = (0..N).map(|_| T::read_from(from)).collect::<io::Result<Vec<T>>>()?;
        items.try_into().map_err(|_| Error::from(ErrorKind::InvalidData))
    }
}

impl<T: Persist> Persist for Option<T> {
    fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
        self.is_some().write_to(to)?;
        self.iter().try_for_each(|item| item.write_to(to))
    }

    fn read_from(from: &mut impl Read) -> io::Result<Self> {
        bool::read_from(from)?.then(|| T::read_from(from)).transpose()
    }
}

macro_rules! persist_tuples {
    ($(($($name:ident $place:tt),*))*) => {$(
        impl<$($name: Persist),*> Persist for ($($name,)*) {
            fn write_to(&self, _to: &mut impl Write) -> io::Result<()> {
                $(self.$place.write_to(_to)?;)*
                Ok(())
            }

            fn read_from(_from: &mut impl Read) -> io::Result<Self> {
                Ok(($($name::read_from(_from)?,)*))
            }
        }
    )*};
}

persist_tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
