//! Files with text put into them, and where each of their bytes comes from.

use crate::select::Insertion;

/// Who wants a piece of text in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The attribute of a unit, of the number it has in the selection.
    Unit(usize),
    /// The attribute of an `impl` block.
    Block(usize),
    /// What drives a unit.
    Driver(usize),
    /// What belongs to no unit.
    Frame,
}

/// A file as it is written for rustc.
pub struct Rendered {
    pub text: String,
    /// Where each piece begins, and what it is.
    pieces: Vec<(usize, Origin)>,
}

/// Where a byte of a file that was written comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The original file.
    Original(usize),
    Inserted(Owner),
}

impl Rendered {
    /// Puts all insertions into a text; those at one place in their order.
    pub fn new(text: &str, mut insertions: Vec<(Owner, Insertion)>) -> Self {
        insertions.sort_by_key(|(_, insertion)| insertion.at);
        let mut rendered = Self { text: String::new(), pieces: Vec::new() };
        let mut done = 0;
        for (owner, insertion) in insertions {
            rendered.piece(Origin::Original(done), &text[done..insertion.at]);
            rendered.piece(Origin::Inserted(owner), &insertion.text);
            done = insertion.at;
        }
        rendered.piece(Origin::Original(done), &text[done..]);
        rendered
    }

    fn piece(&mut self, origin: Origin, text: &str) {
        if !text.is_empty() {
            self.pieces.push((self.text.len(), origin));
            self.text.push_str(text);
        }
    }

    /// Where a byte of the file that was written comes from.
    pub fn origin(&self, byte: usize) -> Origin {
        let after = self.pieces.partition_point(|(start, _)| *start <= byte);
        match after.checked_sub(1).map(|position| self.pieces[position]) {
            Some((start, Origin::Original(at))) => Origin::Original(at + byte - start),
            Some((_, inserted)) => inserted,
            None => Origin::Original(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_again() {
        let insertion = |at, text: &str| Insertion { at, text: text.to_string() };
        let rendered = Rendered::new(
            "/// é\nfn f() {}\nfn g() {}",
            vec![(Owner::Unit(1), insertion(17, "#[b] ")), (Owner::Unit(0), insertion(7, "#[a] "))],
        );
        assert_eq!(rendered.text, "/// é\n#[a] fn f() {}\n#[b] fn g() {}");
        let at = |pattern| rendered.origin(rendered.text.find(pattern).unwrap());
        assert_eq!(at("f()"), Origin::Original(10));
        assert_eq!(at("a]"), Origin::Inserted(Owner::Unit(0)));
        assert_eq!(at("g()"), Origin::Original(20));
        assert_eq!(at("///"), Origin::Original(0));
    }
}
