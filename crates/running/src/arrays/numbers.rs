//! Converts an array's bytes to words of 8 bytes, row after row, each number being exactly what stands there.

use super::header::Header;
use super::literal::NumberFormat;
use super::npy::StoredArray;
use super::part::{ArrayPart, ElementKind};
use redexter_language::eval::Sizes;
use redexter_language::ground::{Diagnostic, code};

/// A number as it stands in a file.
#[derive(Clone, Copy)]
enum FileNumber {
    Real(f64),
    Whole(i128),
}

impl StoredArray {
    /// Its numbers as those of a part of the parameter that this name begins with, at these sizes.
    pub fn words(&self, name: &str, part: &ArrayPart, sizes: &Sizes) -> Result<Vec<u64>, Diagnostic> {
        let Header { kind, is_by_columns, shape } = &self.header;
        let found = self.bytes.chunks_exact(kind.width).map(|bytes| kind.read(bytes));
        let words = found.map(|found| (found, part.holds.word(found, sizes)));
        if let Some(at) = words.clone().position(|(_, word)| word.is_none()) {
            let number = words.clone().nth(at).map_or(FileNumber::Whole(0), |(found, _)| found);
            let place = format!("{name}{}", indices(at as u64, shape, *is_by_columns));
            return Err(part.holds.wrong(&place, number, sizes, &self.place));
        }
        let words: Vec<u64> = words.filter_map(|(_, word)| word).collect();
        Ok(if *is_by_columns { by_rows(&words, shape) } else { words })
    }

    /// The whole number that it is, where it is one.
    pub fn whole(&self) -> Option<u64> {
        let number = self.header.shape.is_empty().then(|| self.header.kind.read(&self.bytes));
        match number? {
            FileNumber::Whole(k) => u64::try_from(k).ok(),
            FileNumber::Real(_) => None,
        }
    }
}

impl NumberFormat {
    fn read(&self, bytes: &[u8]) -> FileNumber {
        let word = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
        let word = match self.is_big {
            true => bytes.iter().fold(0, word),
            false => bytes.iter().rev().fold(0, word),
        };
        match (self.letter, self.width) {
            (b'f', 4) => FileNumber::Real(f64::from(f32::from_bits(word as u32))),
            (b'f', _) => FileNumber::Real(f64::from_bits(word)),
            (b'u', _) => FileNumber::Whole(i128::from(word)),
            (_, width) => {
                // Moved to the top and back, the number fills the word with its sign.
                let unused = 64 - 8 * width as u32;
                FileNumber::Whole(i128::from((word << unused) as i64 >> unused))
            }
        }
    }
}

impl ElementKind {
    /// The word that holds a number, if it can.
    fn word(&self, found: FileNumber, sizes: &Sizes) -> Option<u64> {
        match (self, found) {
            (ElementKind::Reals, FileNumber::Real(x)) => Some(x.to_bits()),
            // A whole number that no double is would be rounded, so that it is refused.
            (ElementKind::Reals, FileNumber::Whole(k)) => (k as f64 as i128 == k).then_some((k as f64).to_bits()),
            (ElementKind::Ints, FileNumber::Whole(k)) => i64::try_from(k).ok().map(|k| k as u64),
            (ElementKind::Indices(n), FileNumber::Whole(k)) => u64::try_from(k).ok().filter(|k| *k < sizes.value(n)),
            (ElementKind::Ints | ElementKind::Indices(_), FileNumber::Real(_)) => None,
        }
    }

    fn wrong(&self, place: &str, found: FileNumber, sizes: &Sizes, file: &str) -> Diagnostic {
        let (expected, help) = match (self, found) {
            (ElementKind::Ints | ElementKind::Indices(_), FileNumber::Real(_)) => {
                ("a whole number".to_owned(), "convert the array: `.astype('int64')`".to_owned())
            }
            (ElementKind::Reals, _) => {
                ("a number that a double can be".to_owned(), "convert the array: `.astype('float64')`".to_owned())
            }
            (ElementKind::Ints, _) => ("an int".to_owned(), "give whole numbers from -2^63 to 2^63 - 1".to_owned()),
            (ElementKind::Indices(n), _) => {
                let (limit, literal) = (sizes.value(n), n.as_literal().is_some());
                let below = if literal { String::new() } else { format!("{n}, which is ") };
                let help = match limit {
                    0 => "there is no such index; give larger sizes".to_owned(),
                    _ => format!("give whole numbers from 0 to {}", limit - 1),
                };
                (format!("an index below {below}{limit}"), help)
            }
        };
        let found = match found {
            FileNumber::Real(x) => format!("{x:?}"),
            FileNumber::Whole(k) => k.to_string(),
        };
        let headline = format!("`{place}` must be {expected}, but is {found} in `{file}`");
        Diagnostic::error(code::INPUT_SHAPE, headline).help(help)
    }
}

/// Where the number stands that is the `at`th of its file: `[3][1]`.
fn indices(mut at: u64, shape: &[u64], is_by_columns: bool) -> String {
    let mut place = |n: &u64| {
        let index = at % n.max(&1);
        at /= n.max(&1);
        format!("[{index}]")
    };
    let mut all: Vec<String> = match is_by_columns {
        true => shape.iter().map(&mut place).collect(),
        false => shape.iter().rev().map(&mut place).collect(),
    };
    if !is_by_columns {
        all.reverse();
    }
    all.concat()
}

/// What stands column after column, row after row.
fn by_rows(words: &[u64], shape: &[u64]) -> Vec<u64> {
    if words.is_empty() {
        return Vec::new();
    }
    let strides = shape.iter().scan(1, |stride: &mut usize, n| Some(std::mem::replace(stride, *stride * *n as usize)));
    let strides: Vec<usize> = strides.collect();
    let (mut index, mut at) = (vec![0; shape.len()], 0);
    let next = |_| {
        let word = words.get(at).copied().unwrap_or(0);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= strides[axis] * shape[axis] as usize;
            index[axis] = 0;
        }
        word
    };
    (0..words.len()).map(next).collect()
}
