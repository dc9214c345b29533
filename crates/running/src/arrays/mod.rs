//! Reads inputs and writes results as files of NumPy's: an array is a `.npy`, several with names are an `.npz`, which is a ZIP
//! archive of them. `header` and `literal` read what a file declares, `numbers` its numbers in either byte order, `archive`
//! several arrays.
//!
//! A parameter `v` is the array `v`, a number an array without dimensions. The halves of a pair `p` are the arrays `p.0` and
//! `p.1`, and so on inwards; an array of pairs is the array of all first halves and that of all second ones. A result
//! that is a pair has the arrays `0` and `1`.
//!
//! Nothing in a file is trusted: what its header declares is compared with what may be held and with what is there before any
//! memory is taken. It knows values and their types, no files: bytes come in, bytes go out.

mod archive;
mod given;
mod header;
mod literal;
mod npy;
mod numbers;
mod part;
mod result;

pub use given::GivenArrays;
pub use part::{ArrayPart, ElementKind, parts};
pub use result::ResultFile;
