//! Any text, and what is nearly a text.

use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};
use redexter::ground::Budget;
use redexter::syntax::{parse_rule_book, parse_type};

use crate::syntax::{model, rule, term, whole};

/// Text that is nearly of the language.
fn tokens() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "def ", "let ", "fun ", "λ", "if ", "then ", "else ", "x", "(", ")", "[", "]", "{", "}", ":=", ":", ";", ",",
        "=>", "->", "-->", "<-->", "`", "+", "-", "*", "<", "=", "not ", "&&", "D ", "build ", "ifold ", "fin ", "n",
        "array ", "real ", "1", "2.5", ".1", ".", "_", "exp ", "where ", "rule ", "--", "/-", "-/", "//", "/*", "\n",
        "\r\n", " ", "\"", "import ", "ü", "type ", ">=", "exact ",
    ];
    prop::collection::vec(prop_oneof![prop::sample::select(WORDS), Just(" ")], 0..40).prop_map(|words| words.concat())
}

fn never_panics(text: &str) {
    let _ = term(text);
    let _ = model(text);
    let _ = rule(text);
    let (sources, region) = whole(text);
    let _ = parse_rule_book(&sources, region.source, &Budget::default());
    let _ = parse_type(&sources, region, &Budget::default());
}

proptest! {
    #[test]
    fn characters(text in "\\PC*") {
        never_panics(&text);
    }

    #[test]
    fn near_misses(text in tokens()) {
        never_panics(&text);
        never_panics(&format!("def f := {text}"));
        never_panics(&format!("r = `{text} --> x`"));
        never_panics(&format!("rule r = `{text} --> x`;"));
    }
}
