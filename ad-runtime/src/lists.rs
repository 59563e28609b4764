//! That a method which goes through a list is that of the list, where the macro does not see its type: `v.iter()`, `v.map(|x| …)`. A
//! trait of the user's may have a method of that name, which rustc finds before. So the method is called with a trait from here in scope, which
//! all types have: between methods of two traits that are found at one step of method lookup rustc does not choose, and a method of the type
//! itself comes before both.

macro_rules! named {
    ($($doc:literal $name:ident ($($receiver:tt)*);)*) => {$(
        #[doc = $doc]
        #[allow(
            missing_docs,
            clippy::should_implement_trait,
            reason = "what matters is where method lookup finds them, and not what they do"
        )]
        pub trait $name: Sized {
            fn iter($($receiver)*) {}
            fn map($($receiver)*, _: fn(f64) -> f64) {}
            fn mapv($($receiver)*, _: fn(f64) -> f64) {}
            fn windows($($receiver)*, _: usize) {}
            fn chunks($($receiver)*, _: usize) {}
            fn chunks_exact($($receiver)*, _: usize) {}
            fn rchunks($($receiver)*, _: usize) {}
            fn rchunks_exact($($receiver)*, _: usize) {}
        }

        impl<T> $name for T {}
    )*};
}

named! {
    "Found where methods are that take the receiver." ByValue (self);
    "Found where methods are that take a reference to the receiver." ByShared (&self);
    "Found where methods are that take a `&mut` to the receiver." ByExclusive (&mut self);
}
