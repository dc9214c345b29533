//! Tokens of plain text: what [`super::swift`] reads with. The grammar says the same of each, in `model.pest`.

/// A place in a text without comments, all ASCII.
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scanner<'t> {
    /// The byte here; 0 at the end.
    pub(super) fn byte(&self) -> u8 {
        self.ahead(0)
    }

    /// The byte `by` further on; 0 behind the end.
    pub(super) fn ahead(&self, by: usize) -> u8 {
        self.text.as_bytes().get(self.at + by).copied().unwrap_or(0)
    }

    /// Skips blanks and gives the byte behind them.
    pub(super) fn next(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
        self.byte()
    }

    /// Skips blanks and takes this symbol.
    pub(super) fn symbol(&mut self, symbol: &str) -> Option<()> {
        self.next();
        self.text[self.at..].starts_with(symbol).then(|| self.at += symbol.len())
    }

    /// The word that stands here, not taken yet; empty if there is none.
    pub(super) fn word(&self) -> &'t str {
        let rest = &self.text[self.at..];
        if !starts_word(self.byte()) {
            return "";
        }
        &rest[..rest.bytes().position(|b| !continues_word(b)).unwrap_or(rest.len())]
    }

    /// Skips blanks and takes this word.
    pub(super) fn keyword(&mut self, word: &str) -> Option<()> {
        self.next();
        (self.word() == word).then(|| self.at += word.len())
    }

    /// Takes a numeral: digits, perhaps with a fraction and an exponent, and no letter behind them.
    pub(super) fn number(&mut self) -> Option<&'t str> {
        let from = self.at;
        self.digits()?;
        if self.byte() == b'.' && self.ahead(1).is_ascii_digit() {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            let sign = usize::from(matches!(self.ahead(1), b'+' | b'-'));
            if self.ahead(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.digits()?;
            }
        }
        (!starts_word(self.byte())).then(|| &self.text[from..self.at])
    }

    /// Takes a natural number, which is no beginning of anything else.
    pub(super) fn natural(&mut self) -> Option<&'t str> {
        let from = self.at;
        self.digits()?;
        let more = starts_word(self.byte()) || self.byte() == b'.' && self.ahead(1).is_ascii_digit();
        (!more).then(|| &self.text[from..self.at])
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }

    /// Takes `.1` or `.2`, if that is what stands here: whether it is `.1`.
    pub(super) fn projection(&mut self) -> Option<bool> {
        let which = self.ahead(1);
        let found = self.byte() == b'.' && matches!(which, b'1' | b'2') && !continues_word(self.ahead(2));
        found.then(|| {
            self.at += 2;
            which == b'1'
        })
    }

    /// Takes an operator between operands.
    pub(super) fn infix(&mut self) -> Option<&'t str> {
        let length = match (self.byte(), self.ahead(1)) {
            (b'|', b'|') | (b'&', b'&') | (b'<' | b'>' | b'!', b'=') => 2,
            (b'<', _) if !self.text[self.at + 1..].starts_with("-->") => 1,
            (b'=', after) if !matches!(after, b'=' | b'>') => 1,
            (b'-', _) => return self.minus().then(|| &self.text[self.at - 1..self.at]),
            (b'>' | b'+' | b'*' | b'/', _) => 1,
            _ => return None,
        };
        self.at += length;
        Some(&self.text[self.at - length..self.at])
    }

    /// Takes a `-` that is no part of an arrow.
    pub(super) fn minus(&mut self) -> bool {
        let minus = self.byte() == b'-' && self.ahead(1) != b'>' && (self.ahead(1), self.ahead(2)) != (b'-', b'>');
        self.at += usize::from(minus);
        minus
    }

    /// Where the bracket that is open here is closed: the place of its `)`.
    pub(super) fn closing(&self) -> Option<usize> {
        let mut open = 0_usize;
        for (by, byte) in self.text.as_bytes()[self.at..].iter().enumerate() {
            match byte {
                b'(' => open += 1,
                b')' if open == 0 => return Some(self.at + by),
                b')' => open -= 1,
                _ => {}
            }
        }
        None
    }
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\''
}
