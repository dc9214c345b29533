//! Text and back: the grammar (pest), the raw tree with spans, the parser, the printer.
//!
//! This room knows no types beyond printing them and resolves no names.

pub mod raw;
