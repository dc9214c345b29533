//! Reads and writes JSON as the protocol has it: arrays of numbers lie flat, and numbers may be `NaN`, `Infinity` and
//! `-Infinity`, as Python writes them. serde_json refuses these, and its tree takes nine times the memory for a number.

use std::fmt::Write as _;

/// The deepest nesting.
const MAX_DEPTH: usize = 64;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ProtocolJson {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    /// An array of numbers only, which has one at least.
    Numbers(Vec<f64>),
    Array(Vec<ProtocolJson>),
    /// Its members as they stand.
    Object(Vec<(String, ProtocolJson)>),
}

impl ProtocolJson {
    /// The value under a key of an object; of several the last one counts.
    pub(super) fn get(&self, key: &str) -> Option<&ProtocolJson> {
        let ProtocolJson::Object(members) = self else { return None };
        members.iter().rev().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The text under a key.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        if let Some(ProtocolJson::Text(text)) = self.get(key) { Some(text) } else { None }
    }

    /// The whole number from 0 under a key.
    pub(super) fn whole(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some(ProtocolJson::Number(x)) if x.fract() == 0.0 && (0.0..=MAX_WHOLE).contains(x) => Some(*x as u64),
            _ => None,
        }
    }
}

/// The number up to which doubles have all whole numbers (2^53).
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Reads a text, or says what is wrong with it and where.
pub(super) fn read(text: &[u8]) -> Result<ProtocolJson, String> {
    let mut reader = ProtocolReader { text, at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at < text.len() { Err(reader.wrong("nothing more")) } else { Ok(value) }
}

struct ProtocolReader<'t> {
    text: &'t [u8],
    at: usize,
}

impl ProtocolReader<'_> {
    fn wrong(&self, wanted: &str) -> String {
        format!("this is no JSON: at byte {} there should be {wanted}", self.at)
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|c| matches!(c, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Steps over blanks and this character, if it comes next.
    fn take(&mut self, c: u8) -> bool {
        self.blanks();
        let found = self.text.get(self.at) == Some(&c);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn value(&mut self, depth: usize) -> Result<ProtocolJson, String> {
        if depth > MAX_DEPTH {
            return Err(format!("this is nested more than {MAX_DEPTH} deep at byte {}", self.at));
        }
        self.blanks();
        match self.text.get(self.at) {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(ProtocolJson::Text),
            Some(b'n') if self.word("null") => Ok(ProtocolJson::Null),
            Some(b't') if self.word("true") => Ok(ProtocolJson::Bool(true)),
            Some(b'f') if self.word("false") => Ok(ProtocolJson::Bool(false)),
            _ => self.number().map(ProtocolJson::Number),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        for (word, number) in [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)] {
            if self.word(word) {
                return Ok(number);
            }
        }
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|c| !matches!(c, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        let written = &rest[..length.unwrap_or(rest.len())];
        let begins = written.strip_prefix(b"-").unwrap_or(written).first().is_some_and(u8::is_ascii_digit);
        let number = str::from_utf8(written).ok().filter(|_| begins).and_then(|text| text.parse().ok());
        let number = number.ok_or_else(|| self.wrong("a value"))?;
        self.at += written.len();
        Ok(number)
    }

    fn array(&mut self, depth: usize) -> Result<ProtocolJson, String> {
        self.at += 1;
        let (mut numbers, mut items) = (Vec::new(), Vec::new());
        if self.take(b']') {
            return Ok(ProtocolJson::Array(items));
        }
        loop {
            match self.value(depth + 1)? {
                ProtocolJson::Number(x) if items.is_empty() => numbers.push(x),
                item => {
                    items.extend(numbers.drain(..).map(ProtocolJson::Number));
                    items.push(item);
                }
            }
            if self.take(b']') {
                return Ok(if items.is_empty() { ProtocolJson::Numbers(numbers) } else { ProtocolJson::Array(items) });
            }
            if !self.take(b',') {
                return Err(self.wrong("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<ProtocolJson, String> {
        self.at += 1;
        let mut members = Vec::new();
        if self.take(b'}') {
            return Ok(ProtocolJson::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            if !self.take(b':') {
                return Err(self.wrong("`:`"));
            }
            members.push((key, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(ProtocolJson::Object(members));
            }
            if !self.take(b',') {
                return Err(self.wrong("`,` or `}`"));
            }
        }
    }

    /// A text, whose escapes are left to the library.
    fn string(&mut self) -> Result<String, String> {
        let rest = &self.text[self.at..];
        if rest.first() != Some(&b'"') {
            return Err(self.wrong("a text"));
        }
        let mut end = 1;
        while rest.get(end).is_some_and(|c| *c != b'"') {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        let written = rest.get(..=end).ok_or_else(|| self.wrong("a text that ends"))?;
        let text = serde_json::from_slice(written).map_err(|_| self.wrong("a text"))?;
        self.at += written.len();
        Ok(text)
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes a number so that it reads back to the same double; a whole one without a point.
pub(super) fn write_number(x: f64, out: &mut String) {
    let _ = match x {
        _ if x.is_nan() => write!(out, "NaN"),
        _ if x.is_infinite() => write!(out, "{}Infinity", if x < 0.0 { "-" } else { "" }),
        _ if x.fract() == 0.0 && x.abs() < MAX_WHOLE && (x != 0.0 || x.is_sign_positive()) => {
            write!(out, "{}", x as i64)
        }
        _ => write!(out, "{x:?}"),
    };
}
