//! Text and back: the grammar (pest), the raw tree with spans, the parser, the printer.
//!
//! This room knows no types beyond printing them and resolves no names.

mod parse;
mod print;
pub mod raw;
mod words;

pub use parse::{parse_model, parse_rule, parse_rule_book, parse_term, parse_type};
pub use print::{
    Piece, Role, Style, flatten, names_at, print_beginning, print_pieces, print_short, print_term, print_type,
};
