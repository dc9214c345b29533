//! Lists the words that are highlighted in models and in scripts, for prompts, pages and editors.

use redexter_language::syntax::{KEEP, PrintRole};
use redexter_language::term::Prim;

/// The languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Models, and the laws of rules.
    Model,
    /// Scripts, and what is typed at the prompt.
    Script,
}

/// Words of models that say how a program is put together.
const MODEL_WORDS: &[&str] =
    &["def", "import", "fun", "λ", "let", "if", "then", "else", "build", "ifold", "D", "fst", "snd", "not"];

/// Words of types.
const TYPE_WORDS: &[&str] = &["real", "int", "bool", "fin", "array", "type"];

/// Words of scripts.
#[rustfmt::skip]
const SCRIPT_WORDS: &[&str] = &[
    "let", "const", "strategy", "rule", "fn", "if", "else", "for", "in", "while", "loop", "return", "where", "true", "false",
    "real_exact", "reassociating", "exact", "unchecked", "load", "term", "print",
];

impl Language {
    /// Words and what they are, each once.
    pub fn words(self) -> Vec<(&'static str, PrintRole)> {
        let all = |words: &'static [&'static str], role| words.iter().map(move |word| (*word, role));
        if self == Language::Script {
            return all(SCRIPT_WORDS, PrintRole::Keyword).collect();
        }
        let functions = Prim::ALL.iter().filter(|prim| prim.fixity().is_word()).map(|prim| prim.text());
        let functions = functions
            .chain([KEEP, "scan", "scanr", "scatter"])
            .filter(|word| !MODEL_WORDS.contains(word) && !TYPE_WORDS.contains(word));
        let functions = functions.map(|word| (word, PrintRole::Primitive));
        all(MODEL_WORDS, PrintRole::Keyword).chain(all(TYPE_WORDS, PrintRole::Type)).chain(functions).collect()
    }
}
