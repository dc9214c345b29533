//! Says which characters make words, and which words are reserved.

use pest::unicode::{LETTER, MARK, NUMBER};

use crate::term::Prim;

/// Words that the grammar itself reads.
const STRUCTURAL: [&str; 14] =
    ["def", "import", "fun", "let", "if", "then", "else", "build", "ifold", "D", "type", "fin", "array", "not"];

/// The word that stands before a term whose arithmetic is kept, where nothing else is called so.
pub const KEEP: &str = "keep";

/// The name of the index in `a[e else z]`: with a blank, so that no text can mean it. Several in one pair of brackets differ in
/// the number of blanks.
pub(crate) const UNNAMED_INDEX: &str = "k ";

/// Whether a character continues a word, as the grammar says; `λ` is a word of its own.
pub(super) fn in_word(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || c == '_' || c == '\'',
        false => c != 'λ' && (LETTER(c) || MARK(c) || NUMBER(c)),
    }
}

/// The word that `text` starts with; empty if there is none.
pub(super) fn word(text: &str) -> &str {
    let end = text.find(|c| !in_word(c)).unwrap_or(text.len());
    &text[..end]
}

/// Whether a word can't be defined or bound.
pub(super) fn reserved(word: &str) -> bool {
    STRUCTURAL.contains(&word) || word == "λ" || applied(word)
}

/// Whether a reserved word stands for a function: `fst`, `snd` or a primitive.
pub(super) fn applied(word: &str) -> bool {
    word == "fst" || word == "snd" || Prim::reserved(word).is_some()
}
