//! Terms, types and sizes: the object language. This room knows nobody but `ground`.

pub mod prim;

pub use prim::{Charge, Fixity, Prim};
