//! Reads text and writes it: here are the grammar (pest), the raw tree with spans, the parser, the printer.
//!
//! This module knows no types beyond printing them and resolves no names.

pub(crate) mod comments;
mod parse;
mod prescan;
mod print;
pub mod raw;
pub mod tokens;
mod words;

pub use comments::{GLUED, GLUED_HELP, is_glued, option_words};
pub use parse::{
    ListedRule, definitions, law_on_one_line, listed, parse_alone, parse_definition, parse_in_place, parse_model,
    parse_rule, parse_rule_book, parse_term, parse_type,
};
pub use prescan::{alternatives, goes_on, may_be_divisions, only_a_term};
pub use print::{
    BlockId, Excerpt, ExcerptPrinter, PrintRole, PrintStyle, PrintedPiece, RelativePath, RewrittenBlock, Scopes, Sheet,
    SheetBlock, SheetPart, Window, flatten, names_at, print_beginning, print_each, print_open, print_pieces,
    print_term, print_type,
};
pub use words::KEEP;
pub(crate) use words::UNNAMED_INDEX;
