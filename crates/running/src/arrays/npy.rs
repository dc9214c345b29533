//! Holds an array as it stands in a file: header and bytes, of which the header says how many there are.

use super::header::{Header, PREFIX, length};
use super::literal::UnreadableArray;
use redexter_language::eval::MAX_ELEMENTS;

/// An array of a file.
pub struct StoredArray {
    /// The file, and what it is called there.
    pub place: String,
    pub header: Header,
    pub bytes: Vec<u8>,
}

impl Header {
    /// The bytes of the numbers that it declares, where there may be so many: at most `most`.
    pub(super) fn size(&self, most: u64) -> Result<usize, UnreadableArray> {
        let count = self.count();
        match count > most {
            true => {
                let megabytes = count.saturating_mul(self.kind.width as u64) / 1_000_000;
                let why = format!(
                    "its header declares {count} numbers ({megabytes} MB), and at most {MAX_ELEMENTS} are read in all"
                );
                Err(UnreadableArray::because(why, "give smaller arrays"))
            }
            false => Ok(count as usize * self.kind.width),
        }
    }
}

/// Reads a header from what gives the first so many bytes, or all where there are fewer.
pub fn header(
    mut begins: impl FnMut(usize) -> Result<Vec<u8>, UnreadableArray>,
) -> Result<(Header, usize), UnreadableArray> {
    let whole = length(&begins(PREFIX)?)?;
    let bytes = begins(whole)?;
    if bytes.len() < whole {
        return Err("it ends within its header".into());
    }
    Ok((Header::parse(&bytes)?, whole))
}

/// What is wrong where there are other bytes than the header declares.
pub fn differs(header: &Header, declared: usize, there: &str) -> UnreadableArray {
    UnreadableArray::from(format!(
        "its header declares {} numbers, which are {declared} bytes, but there are {there}",
        header.count()
    ))
}

impl StoredArray {
    /// A `.npy` that holds at most so many numbers.
    pub fn read(place: String, mut bytes: Vec<u8>, most: u64) -> Result<StoredArray, UnreadableArray> {
        let (header, whole) = header(|n| Ok(bytes[..bytes.len().min(n)].to_vec()))?;
        let (declared, there) = (header.size(most)?, bytes.len() - whole);
        if there != declared {
            return Err(differs(&header, declared, &there.to_string()));
        }
        bytes.drain(..whole);
        Ok(StoredArray { place, header, bytes })
    }

    /// Its shape as Python writes it.
    pub fn shape(&self) -> String {
        tuple(&self.header.shape.iter().map(u64::to_string).collect::<Vec<_>>())
    }
}

/// A tuple as Python writes it.
pub fn tuple(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        _ => format!("({})", items.join(", ")),
    }
}
