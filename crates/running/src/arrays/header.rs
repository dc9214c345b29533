//! Reads and writes what a `.npy` begins with: a magic, a version, and a dictionary in Python's notation that tells the kind of
//! its numbers, their order and the lengths.

use super::literal::{HeaderText, NumberFormat, UnreadableArray};

/// What it begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// A header of more bytes isn't read; NumPy itself reads 10,000.
const MOST_BYTES: usize = 1 << 16;

/// What begins each header, before its length.
pub const PREFIX: usize = 12;

/// What an array's header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: NumberFormat,
    /// The first index runs fastest.
    pub is_by_columns: bool,
    pub shape: Vec<u64>,
}

/// How many bytes a header takes that begins with these.
pub fn length(prefix: &[u8]) -> Result<usize, UnreadableArray> {
    let rest = prefix.strip_prefix(MAGIC).ok_or("it is no `.npy`")?;
    let (before, text) = match *rest {
        [1, 0, a, b, ..] => (10, usize::from(u16::from_le_bytes([a, b]))),
        [2 | 3, 0, a, b, c, d, ..] => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        [major, minor, _, _, ..] => {
            return Err(format!("it is of version {major}.{minor}, and 1.0 to 3.0 are read").into());
        }
        _ => return Err("it ends within its header".into()),
    };
    match text > MOST_BYTES {
        true => Err(format!("its header has {text} bytes, and at most {MOST_BYTES} are read").into()),
        false => Ok(before + text),
    }
}

impl Header {
    /// Reads a whole header.
    pub fn parse(bytes: &[u8]) -> Result<Header, UnreadableArray> {
        let before = if bytes.get(MAGIC.len()) == Some(&1) { 10 } else { 12 };
        let text = bytes.get(before..).and_then(|text| std::str::from_utf8(text).ok());
        let text = text.ok_or("its header is no text")?;
        let mut rest = HeaderText(text);
        let (mut descr, mut order, mut shape) = (None, None, None);
        rest.eat('{')?;
        while !rest.is('}') {
            let key = rest.string()?;
            rest.eat(':')?;
            match key {
                "descr" => descr = Some(rest.kind()?),
                "fortran_order" => order = Some(rest.truth()?),
                "shape" => shape = Some(rest.lengths()?),
                _ => return Err(format!("its header has the key `{key}`").into()),
            }
            if !rest.is(',') {
                rest.eat('}')?;
                break;
            }
        }
        match (descr, order, shape) {
            (Some(kind), Some(is_by_columns), Some(shape)) if rest.0.trim().is_empty() => {
                Ok(Header { kind, is_by_columns, shape })
            }
            _ => Err("its header lacks one of `descr`, `fortran_order` and `shape`, or goes on".into()),
        }
    }

    /// The header as NumPy writes it, so long that data begins at a multiple of 64 bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let lengths: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        let one = if lengths.len() == 1 { "," } else { "" };
        let (big, letter) = (if self.kind.is_big { '>' } else { '<' }, char::from(self.kind.letter));
        let order = if self.is_by_columns { "True" } else { "False" };
        let text = format!(
            "{{'descr': '{big}{letter}{}', 'fortran_order': {order}, 'shape': ({}{one}), }}",
            self.kind.width,
            lengths.join(", ")
        );
        let whole = (10 + text.len() + 1).next_multiple_of(64);
        let text = format!("{text:<width$}\n", width = whole - 11);
        let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
        [MAGIC, &[1, 0], &length.to_le_bytes(), text.as_bytes()].concat()
    }

    /// How many numbers it declares; saturates.
    pub fn count(&self) -> u64 {
        match self.shape.contains(&0) {
            true => 0,
            false => self.shape.iter().fold(1, |all: u64, n| all.saturating_mul(*n)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::literal::NumberFormat;
    use super::{Header, length};

    #[test]
    fn it_is_written_as_numpy_does() {
        let kind = NumberFormat { is_big: false, letter: b'f', width: 8 };
        let header = Header { kind, is_by_columns: false, shape: vec![3] };
        let bytes = header.bytes();
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(bytes.len(), 128);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert_eq!(&bytes[10..], format!("{text:<117}\n").as_bytes());
        assert_eq!((length(&bytes), Header::parse(&bytes)), (Ok(128), Ok(header)));
    }
}
