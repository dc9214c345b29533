//! Parses Python's notation, as far as headers have it: strings, truth values, tuples of lengths, kinds of numbers.

/// Why an array can't be read, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableArray {
    pub why: String,
    pub help: &'static str,
}

impl UnreadableArray {
    pub fn because(why: impl Into<String>, help: &'static str) -> UnreadableArray {
        UnreadableArray { why: why.into(), help }
    }
}

impl<T: Into<String>> From<T> for UnreadableArray {
    /// A file that isn't what it should be.
    fn from(why: T) -> UnreadableArray {
        UnreadableArray::because(why, "save the array again: `numpy.save`, or `numpy.savez` for several")
    }
}

/// The kind of an array's numbers, as NumPy writes it: `<f8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberFormat {
    /// The most significant byte comes first.
    pub is_big: bool,
    /// `f`, `i` or `u`.
    pub letter: u8,
    /// In bytes.
    pub width: usize,
}

/// What is left of a header's text.
pub struct HeaderText<'t>(pub &'t str);

impl<'t> HeaderText<'t> {
    /// Whether this comes next; then it is gone.
    pub fn is(&mut self, c: char) -> bool {
        match self.0.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    pub fn eat(&mut self, c: char) -> Result<(), UnreadableArray> {
        if self.is(c) { Ok(()) } else { Err(format!("its header lacks a `{c}`").into()) }
    }

    pub fn string(&mut self) -> Result<&'t str, UnreadableArray> {
        let quote = if self.is('\'') { '\'' } else { '"' };
        if quote == '"' {
            self.eat('"')?;
        }
        let (text, rest) = self.0.split_once(quote).ok_or("its header has a string without an end")?;
        self.0 = rest;
        Ok(text)
    }

    pub fn truth(&mut self) -> Result<bool, UnreadableArray> {
        let text = self.0.trim_start();
        for (word, truth) in [("True", true), ("False", false)] {
            if let Some(rest) = text.strip_prefix(word) {
                self.0 = rest;
                return Ok(truth);
            }
        }
        Err("its `fortran_order` is neither True nor False".into())
    }

    pub fn lengths(&mut self) -> Result<Vec<u64>, UnreadableArray> {
        let mut all = Vec::new();
        self.eat('(')?;
        while !self.is(')') {
            let text = self.0.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            all.push(text[..end].parse().map_err(|_| "its `shape` has what is no length".to_owned())?);
            // Python 2 wrote long numbers so.
            self.0 = text[end..].strip_prefix('L').unwrap_or(&text[end..]);
            if !self.is(',') {
                self.eat(')')?;
                break;
            }
        }
        Ok(all)
    }

    pub fn kind(&mut self) -> Result<NumberFormat, UnreadableArray> {
        if self.0.trim_start().starts_with(['[', '(']) {
            return Err(UnreadableArray::because(
                "its elements are structures",
                "save each field as an array of its own",
            ));
        }
        let text = self.string()?;
        let (order, rest) = match text.strip_prefix(['<', '>', '|', '=']) {
            Some(rest) => (&text[..1], rest),
            None => ("<", text),
        };
        let letter = rest.bytes().next().unwrap_or(b'?');
        let width = rest.get(1..).and_then(|digits| digits.parse().ok());
        match (letter, width) {
            (b'f', Some(width @ (4 | 8))) | (b'i' | b'u', Some(width @ (1 | 2 | 4 | 8))) => {
                Ok(NumberFormat { is_big: order == ">", letter, width })
            }
            _ => Err(refused(letter, text)),
        }
    }
}

/// What is said of elements that no parameter takes.
fn refused(letter: u8, text: &str) -> UnreadableArray {
    let (found, as_reals, as_ints) = (
        format!("its elements are of kind `{text}`"),
        "convert the array: `.astype('float64')`",
        "convert the array: `.astype('int64')`",
    );
    match letter {
        b'b' => UnreadableArray::because("its elements are truth values", as_ints),
        b'c' => UnreadableArray::because("its elements are complex numbers", "save `.real` and `.imag` as two arrays"),
        b'O' => UnreadableArray::because("its elements are Python objects", as_reals),
        b'S' | b'U' | b'a' => UnreadableArray::because("its elements are texts", as_reals),
        b'm' | b'M' => UnreadableArray::because("its elements are times", as_ints),
        _ => UnreadableArray::because(found, as_reals),
    }
}
