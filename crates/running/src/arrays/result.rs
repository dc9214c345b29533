//! Writes a result as a file.

use std::path::Path;

use super::archive;
use super::header::Header;
use super::literal::NumberFormat;
use super::part::{ArrayPart, ElementKind, parts};
use redexter_language::eval::{Sizes, Value};
use redexter_language::ground::{Budget, Diagnostic, Trouble, code};
use redexter_language::term::Type;
use redexter_loops::blocks::packed;

/// The name of a result in an archive that is one array.
const ONLY: &str = "result";

/// The file format of values of a type.
pub struct ResultFile<'t> {
    ty: &'t Type,
    parts: Vec<ArrayPart>,
    is_archive: bool,
}

impl ResultFile<'_> {
    /// The one that a file's name asks for; wrong are other names, and `.npy` for what is more than one array.
    pub fn of<'t>(file: &Path, ty: &'t Type) -> Result<ResultFile<'t>, Diagnostic> {
        let parts = parts(ty)?;
        let wrong = |why: &str, extension: &str| {
            let headline = format!("`{}` can't be written: {why}", file.display());
            Diagnostic::error(code::UNWRITABLE, headline)
                .help(format!("name it `{}`", file.with_extension(extension).display()))
        };
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("npz") => Ok(ResultFile { ty, parts, is_archive: true }),
            Some("npy") if parts.len() == 1 => Ok(ResultFile { ty, parts, is_archive: false }),
            Some("npy") => Err(wrong(&format!("the result, of type {ty}, is {} arrays", parts.len()), "npz")),
            _ => Err(wrong("results are `.npy` or `.npz`", if parts.len() == 1 { "npy" } else { "npz" })),
        }
    }

    /// A value's file.
    pub fn bytes(&self, value: &Value, sizes: &Sizes, budget: &Budget) -> Result<Vec<u8>, Trouble> {
        let words = packed([(self.ty, value)], budget)?;
        let mut files = Vec::new();
        for (part, words) in self.parts.iter().zip(words) {
            let name = part.path.strip_prefix('.').unwrap_or(ONLY);
            files.push((name.to_owned(), part.bytes(&words, sizes)));
        }
        match self.is_archive {
            true => archive::write(&files).map_err(|error| {
                Diagnostic::error(code::UNWRITABLE, format!("the archive can't be made: {error}")).into()
            }),
            false => Ok(files.into_iter().next().map_or_else(Vec::new, |(_, bytes)| bytes)),
        }
    }
}

impl ArrayPart {
    fn bytes(&self, words: &[u64], sizes: &Sizes) -> Vec<u8> {
        let letter = if let ElementKind::Reals = self.holds { b'f' } else { b'i' };
        let kind = NumberFormat { is_big: false, letter, width: 8 };
        let shape = self.dims.iter().map(|size| sizes.value(size)).collect();
        let mut bytes = Header { kind, is_by_columns: false, shape }.bytes();
        bytes.reserve(8 * words.len());
        words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes
    }
}
