//! The items of a file, without looking into them: bodies are skipped as the braces that they are. A file of 50,000
//! lines takes some milliseconds, where a syntax tree of it would take half a second.

use std::ops::Range;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `mod name { … }` or `mod name;`
    Mod,
    /// `macro_rules! name { … }`
    MacroRules,
    /// `name! { … }`
    MacroCall,
    /// `use …;`
    Use,
    /// `fn name(…) { … }`
    Fn,
    /// `impl … { … }`, and `trait`: functions stand in it.
    Impl,
    /// `#![…]`
    Inner,
    /// Any other item: it brings neither macros nor modules with it.
    Other,
}

/// An item in a file. The ranges are of bytes.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    /// Its name, if it has one: of a call of a macro, that of the macro.
    pub name: Range<usize>,
    /// Where the word is that says what it is (`fn`, `impl`, `mod`).
    pub keyword: usize,
    /// What is inside of the brackets of its attributes.
    pub attributes: Vec<Range<usize>>,
    /// From its attributes to its end.
    pub whole: Range<usize>,
    /// What is inside of the brackets at its end, if it ends with some.
    pub body: Option<Range<usize>>,
}

/// The items in a part of a text that is a file or the inside of a module.
pub fn items(text: &str, part: Range<usize>) -> Vec<Item> {
    let mut scanner = Scanner { text: text.as_bytes(), at: part.start, end: part.end };
    let mut items = Vec::new();
    while let Some(item) = scanner.item() {
        let declared = match (item.kind, &item.body) {
            (Kind::MacroCall, Some(body)) => modules_in_call(text, body.clone()),
            _ => Vec::new(),
        };
        items.push(item);
        items.extend(declared);
    }
    with_alternatives_as_one(text, items)
}

/// `#[cfg(a)] pub mod name; #[cfg(not(a))] mod name;` is one module, which is there in any case. That all may see
/// it is not known.
fn with_alternatives_as_one(text: &str, items: Vec<Item>) -> Vec<Item> {
    let mut all: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        let is_other = |known: &&mut Item| {
            known.kind == Kind::Mod
                && text[known.name.clone()] == text[item.name.clone()]
                && are_alternatives(text, known, &item)
        };
        match all.iter_mut().filter(|_| item.kind == Kind::Mod).find(is_other) {
            Some(known) => {
                known.attributes.clear();
                known.whole.start = known.keyword;
            }
            None => all.push(item),
        }
    }
    all
}

/// Whether two modules in files of their own have conditions of which just one holds, and nothing else before them.
fn are_alternatives(text: &str, one: &Item, other: &Item) -> bool {
    let condition = |item: &Item| match (item.attributes.as_slice(), &item.body) {
        ([condition], None) => {
            let condition: String = text[condition.clone()].split_whitespace().collect();
            condition.strip_prefix("cfg(")?.strip_suffix(')').map(str::to_owned)
        }
        (_, _) => None,
    };
    let (Some(one), Some(other)) = (condition(one), condition(other)) else { return false };
    other == format!("not({one})") || one == format!("not({other})")
}

/// The modules in files of their own that the call of a macro declares, as calls of `cfg_if!` do. Alternatives are one module; one that stands there
/// once has the condition before it.
fn modules_in_call(text: &str, body: Range<usize>) -> Vec<Item> {
    let mut search = InCall { text, condition: None, found: Vec::new() };
    search.visit(body);
    let mut modules: Vec<Item> = Vec::new();
    for item in search.found {
        let name = |item: &Item| text[item.name.clone()].to_owned();
        match modules.iter_mut().find(|known| name(known) == name(&item)) {
            Some(known) => known.attributes.clear(),
            None => modules.push(item),
        }
    }
    modules
}

/// Looks for `mod name;` in the tokens of a call.
struct InCall<'t> {
    text: &'t str,
    /// What is inside of the brackets of the last attribute.
    condition: Option<Range<usize>>,
    found: Vec<Item>,
}

impl InCall<'_> {
    fn visit(&mut self, part: Range<usize>) {
        let text = self.text.as_bytes();
        let mut scanner = Scanner { text, at: part.start, end: part.end };
        let tokens: Vec<Token> = std::iter::from_fn(|| scanner.token()).collect();
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| tokens[before].kind);
            let inside = token.range.start + 1..token.range.end.saturating_sub(1);
            match token.kind {
                TokenKind::Group(b'[') if before == Some(TokenKind::Punct(b'#')) => {
                    self.condition = Some(inside);
                }
                // Files of modules in a module that is written there lie in another folder.
                TokenKind::Group(_) if is_module(&tokens[..at], text) => {}
                TokenKind::Group(_) => self.visit(inside),
                TokenKind::Word if &text[token.range.clone()] == b"mod" => {
                    self.declaration(&tokens[at..]);
                }
                TokenKind::Word | TokenKind::Punct(_) | TokenKind::Literal => {}
            }
        }
    }

    fn declaration(&mut self, tokens: &[Token]) {
        let [keyword, name, end, ..] = tokens else { return };
        if name.kind == TokenKind::Word && end.kind == TokenKind::Punct(b';') {
            self.found.push(Item {
                kind: Kind::Mod,
                name: name.range.clone(),
                keyword: keyword.range.start,
                attributes: self.condition.clone().into_iter().collect(),
                whole: keyword.range.start..end.range.end,
                body: None,
            });
        }
    }
}

/// Whether what follows is what a module consists of.
fn is_module(before: &[Token], text: &[u8]) -> bool {
    matches!(before, [.., keyword, name] if name.kind == TokenKind::Word && &text[keyword.range.clone()] == b"mod")
}

/// A token; what is between brackets is one.
#[derive(Clone, Debug)]
struct Token {
    kind: TokenKind,
    range: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Word,
    /// Brackets, by the first of them.
    Group(u8),
    Punct(u8),
    Literal,
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.end { self.text[at] } else { 0 }
    }

    fn skip_trivia(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\n' | b'\r', _) => self.at += 1,
                (b'/', b'/') => self.skip_line(),
                (b'/', b'*') => self.skip_comment(),
                // White space beyond ASCII, and the mark at the beginning of a file.
                (byte, _) if byte >= 0x80 && !is_word(byte, self.text, self.at) => self.at += 1,
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.end && self.text[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.end {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn token(&mut self) -> Option<Token> {
        self.skip_trivia();
        let start = self.at;
        if start >= self.end {
            return None;
        }
        let kind = match self.peek(0) {
            b'"' => self.string(),
            b'\'' => self.quoted(),
            open @ (b'(' | b'[' | b'{') => self.group(open),
            b'r' | b'b' | b'c' if self.is_prefixed_string() => self.prefixed_string(),
            byte if is_word(byte, self.text, self.at) => {
                while self.at < self.end && is_word(self.text[self.at], self.text, self.at) {
                    self.at += 1;
                }
                if byte.is_ascii_digit() { TokenKind::Literal } else { TokenKind::Word }
            }
            byte => {
                self.at += 1;
                TokenKind::Punct(byte)
            }
        };
        Some(Token { kind, range: start..self.at })
    }

    fn group(&mut self, open: u8) -> TokenKind {
        self.at += 1;
        loop {
            self.skip_trivia();
            match self.peek(0) {
                0 if self.at >= self.end => break,
                b')' | b']' | b'}' => {
                    self.at += 1;
                    break;
                }
                _ => {
                    self.token();
                }
            }
        }
        TokenKind::Group(open)
    }

    fn string(&mut self) -> TokenKind {
        self.at += 1;
        while self.at < self.end {
            match self.text[self.at] {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        TokenKind::Literal
    }

    /// A character or a lifetime: `'a'`, `'\n'`, `'a`.
    fn quoted(&mut self) -> TokenKind {
        self.at += 1;
        if self.peek(0) == b'\\' {
            self.at += 2;
            while self.at < self.end && self.text[self.at] != b'\'' {
                self.at += 1;
            }
            self.at += 1;
            return TokenKind::Literal;
        }
        let first = self.at;
        self.at += 1;
        while self.at < self.end && self.text[self.at] & 0xc0 == 0x80 {
            self.at += 1;
        }
        if self.peek(0) == b'\'' {
            self.at += 1;
            return TokenKind::Literal;
        }
        self.at = first;
        while self.at < self.end && is_word(self.text[self.at], self.text, self.at) {
            self.at += 1;
        }
        TokenKind::Punct(b'\'')
    }

    /// Whether `r`, `b`, `br`, `c` or `cr` begins a literal.
    fn is_prefixed_string(&self) -> bool {
        let mut ahead = 1;
        if self.peek(0) != b'r' && self.peek(1) == b'r' {
            ahead = 2;
        }
        let is_raw = self.peek(ahead - 1) == b'r';
        match self.peek(ahead) {
            b'"' => true,
            b'\'' => self.peek(0) == b'b' && !is_raw,
            b'#' if is_raw => {
                while self.peek(ahead) == b'#' {
                    ahead += 1;
                }
                self.peek(ahead) == b'"'
            }
            _ => false,
        }
    }

    fn prefixed_string(&mut self) -> TokenKind {
        let mut is_raw = false;
        while matches!(self.peek(0), b'r' | b'b' | b'c') {
            is_raw |= self.peek(0) == b'r';
            self.at += 1;
        }
        if self.peek(0) == b'\'' {
            return self.quoted();
        }
        if !is_raw {
            return self.string();
        }
        let mut hashes = 0;
        while self.peek(0) == b'#' {
            hashes += 1;
            self.at += 1;
        }
        self.at += 1;
        while self.at < self.end {
            let is_end =
                self.text[self.at] == b'"' && (1..=hashes).all(|ahead| self.peek(ahead) == b'#');
            self.at += 1;
            if is_end {
                self.at += hashes;
                break;
            }
        }
        TokenKind::Literal
    }

    /// Whether a sign follows. What is skipped on the way to it belongs to what follows.
    fn next_is(&mut self, punct: u8) -> bool {
        let at = self.at;
        self.skip_trivia();
        let is_next = self.peek(0) == punct;
        self.at = at;
        is_next
    }

    /// The item that begins here.
    fn item(&mut self) -> Option<Item> {
        self.skip_trivia();
        let start = self.at;
        let mut attributes = Vec::new();
        let mut token = self.token()?;
        while token.kind == TokenKind::Punct(b'#') {
            let is_inner = self.next_is(b'!');
            if is_inner {
                self.token();
            }
            let brackets = self.token()?;
            attributes.push(brackets.range.start + 1..brackets.range.end.saturating_sub(1));
            if is_inner {
                let none = start..start;
                let (kind, name) = (Kind::Inner, none);
                let (keyword, whole) = (start, start..self.at);
                return Some(Item { kind, name, keyword, attributes, whole, body: None });
            }
            token = self.token()?;
        }
        let mut head = Head::default();
        loop {
            head.take(&token, self.text);
            if self.is_end(&token, &head) {
                break;
            }
            let Some(next) = self.token() else { break };
            token = next;
        }
        Some(Item {
            kind: head.kind,
            name: head.name.unwrap_or(start..start),
            keyword: head.keyword,
            attributes,
            whole: start..self.at,
            body: head.body,
        })
    }

    fn is_end(&mut self, token: &Token, head: &Head) -> bool {
        match token.kind {
            TokenKind::Punct(b';') => true,
            TokenKind::Group(b'{') => match head.ending {
                Ending::Semicolon => false,
                Ending::Braces => true,
                // Braces in a type are followed by what ends an argument.
                Ending::Body => ![b'>', b',', b';'].iter().any(|&next| self.next_is(next)),
            },
            TokenKind::Group(_) | TokenKind::Word | TokenKind::Punct(_) | TokenKind::Literal => {
                false
            }
        }
    }
}

/// With what an item ends, if it does not end with a semicolon.
#[derive(Clone, Copy)]
enum Ending {
    /// The first braces.
    Braces,
    /// Braces that are not in a type.
    Body,
    /// Nothing else: braces are a value.
    Semicolon,
}

/// What is read of an item as its tokens come.
struct Head {
    kind: Kind,
    ending: Ending,
    /// Whether words still say what it is.
    is_open: bool,
    keyword: usize,
    name: Option<Range<usize>>,
    body: Option<Range<usize>>,
}

impl Default for Head {
    fn default() -> Self {
        let (kind, ending) = (Kind::Other, Ending::Body);
        Self { kind, ending, is_open: true, keyword: 0, name: None, body: None }
    }
}

impl Head {
    fn take(&mut self, token: &Token, text: &[u8]) {
        match token.kind {
            TokenKind::Word if self.is_open || self.name.is_none() => {
                self.word(&text[token.range.clone()], token.range.clone());
            }
            TokenKind::Punct(b'!') if self.is_open => self.called(text),
            // What stands before says who sees the item, `pub(crate)`.
            TokenKind::Group(_) if !self.is_open || self.name.is_some() => {
                self.body = Some(token.range.start + 1..token.range.end - 1);
            }
            TokenKind::Group(_) | TokenKind::Word | TokenKind::Punct(_) | TokenKind::Literal => {}
        }
    }

    /// A word that says what the item is, or its name.
    fn word(&mut self, word: &[u8], range: Range<usize>) {
        if !self.is_open {
            self.name = Some(range);
            return;
        }
        self.keyword = range.start;
        match word {
            b"impl" | b"trait" => (self.kind, self.is_open) = (Kind::Impl, false),
            b"mod" => (self.kind, self.ending, self.is_open) = (Kind::Mod, Ending::Braces, false),
            b"use" => {
                (self.kind, self.ending, self.is_open) = (Kind::Use, Ending::Semicolon, false)
            }
            b"fn" => (self.kind, self.ending, self.is_open) = (Kind::Fn, Ending::Body, false),
            b"struct" | b"enum" | b"union" => (self.ending, self.is_open) = (Ending::Body, false),
            b"static" | b"type" => (self.ending, self.is_open) = (Ending::Semicolon, false),
            // A function may follow.
            b"const" => self.ending = Ending::Semicolon,
            b"pub" | b"crate" | b"unsafe" | b"async" | b"extern" | b"default" | b"auto"
            | b"safe" => {}
            _ => {
                // The name of a constant; of what is called, a path may follow.
                self.is_open = !matches!(self.ending, Ending::Semicolon);
                self.name = Some(range);
            }
        }
    }

    /// An exclamation mark follows a name.
    fn called(&mut self, text: &[u8]) {
        let Some(name) = &self.name else { return };
        (self.ending, self.is_open) = (Ending::Braces, false);
        if &text[name.clone()] == b"macro_rules" {
            (self.kind, self.name) = (Kind::MacroRules, None);
        } else {
            self.kind = Kind::MacroCall;
        }
    }
}

/// Whether a byte belongs to a name or a number. Letters beyond ASCII count; white space beyond ASCII does not.
fn is_word(byte: u8, text: &[u8], at: usize) -> bool {
    if byte < 0x80 {
        return byte.is_ascii_alphanumeric() || byte == b'_';
    }
    let start = (0..4).find_map(|back| {
        let start = at.checked_sub(back)?;
        (text[start] & 0xc0 != 0x80).then_some(start)
    });
    let Some(start) = start else { return true };
    let end = (start + 4).min(text.len());
    let valid = text[start..end].utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or("");
    valid.chars().next().is_none_or(|letter| !letter.is_whitespace() && letter != '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(Kind, &str)> {
        items(text, 0..text.len())
            .iter()
            .map(|item| (item.kind, &text[item.name.clone()]))
            .collect()
    }

    #[test]
    fn items_are_found_and_their_bodies_skipped() {
        let text = r####"
            #![allow(unused)]
            //! { not a brace
            use std::{f64, fmt as f};
            /* nested /* } */ { */
            #[cfg(all(a, b = "}"))] pub(crate) const fn f<const N: usize>(x: [f64; { N + 1 }]) -> f64 { '}' ; "}\"" }
            const K: f64 = if C { 1.0 } else { 2.0 };
            pub static S: &str = r##"} "# { "##;
            macro_rules! m { ($x:expr) => { $x + '{' as u32 }; }
            macro_rules! n (() => (1););
            m! { a; b }
            a::b!(c);
            pub mod inner { fn g<'a>(x: &'a f64) -> char { 'é' } }
            mod file;
            pub(crate) mod other_file;
            impl<const N: usize> A<{ N }> for B { type C = D; }
            struct P(f64);
            extern crate std;
            unsafe extern "C" { fn h(); }
            fn last() {}
        "####;
        use Kind::*;
        let expected = [
            (Inner, ""),
            (Use, "std"),
            (Fn, "f"),
            (Other, "K"),
            (Other, "S"),
            (MacroRules, "m"),
            (MacroRules, "n"),
            (MacroCall, "m"),
            (MacroCall, "b"),
            (Mod, "inner"),
            (Mod, "file"),
            (Mod, "other_file"),
            (Impl, "const"),
            (Other, "P"),
            (Other, "std"),
            (Other, ""),
            (Fn, "last"),
        ];
        assert_eq!(names(text), expected);
    }

    #[test]
    fn modules_are_found_in_calls_of_macros() {
        let text = r#"
            cfg_if! { if #[cfg(a)] { pub mod both; } else if #[cfg(b)] { mod both; mod one; } else { use c; } }
            macro_rules! never { () => { mod never; } }
            m! { mod inline { mod inner; } }
        "#;
        let all = items(text, 0..text.len());
        let modules = all.iter().filter(|item| item.kind == Kind::Mod).map(|item| {
            let conditions: Vec<&str> =
                item.attributes.iter().map(|range| &text[range.clone()]).collect();
            (&text[item.name.clone()], conditions)
        });
        assert_eq!(modules.collect::<Vec<_>>(), [("both", vec![]), ("one", vec!["cfg(b)"])]);
    }

    #[test]
    fn modules_under_opposite_conditions_are_one() {
        let text = "#[cfg(a)] pub mod one; #[cfg(not(a))] mod one; \
                    #[cfg(a)] mod two; #[cfg(b)] pub mod two; \
                    #[cfg(not(a))] pub(crate) mod three; #[cfg( a )] pub mod three;";
        let all = items(text, 0..text.len());
        let found = all.iter().map(|item| (&text[item.whole.clone()], item.attributes.len()));
        let expected = [
            ("mod one;", 0),
            ("#[cfg(a)] mod two;", 1),
            ("#[cfg(b)] pub mod two;", 1),
            ("mod three;", 0),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn who_sees_a_module_is_no_body() {
        let text = "pub(crate) mod a; pub(in crate::b) mod c { fn d() {} }";
        let bodies: Vec<Option<&str>> =
            items(text, 0..text.len()).iter().map(|item| Some(&text[item.body.clone()?])).collect();
        assert_eq!(bodies, [None, Some(" fn d() {} ")]);
    }

    #[test]
    fn an_item_ends_before_the_text_about_the_next() {
        let text = "fn f() {}\n/// Of the next.\nfn g() {}";
        assert_eq!(&text[items(text, 0..text.len())[0].whole.clone()], "fn f() {}");
    }

    #[test]
    fn what_is_cut_off_ends_where_the_text_ends() {
        for text in
            ["fn f() {", "mod m { \"", "#[a", "'", "r#\"", "/*", "pub", "macro_rules!", "é "]
        {
            items(text, 0..text.len());
        }
    }
}
