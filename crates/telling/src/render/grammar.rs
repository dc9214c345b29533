//! Generates TextMate grammars, by which editors know the languages, from the words that the prompt highlights.
//!
//! Such a grammar is a list of regular expressions, tried on each line from the left; it knows tokens, and which comments,
//! strings and laws go on over lines.

use serde_json::{Value, json};

use super::words::Language;
use redexter_language::syntax::PrintRole;

/// The grammar of a language, as a file's text.
pub fn grammar(language: Language) -> String {
    let all = match language {
        Language::Model => model(),
        Language::Script => script(),
    };
    format!("{all:#}\n")
}

fn model() -> Value {
    json!({
        "name": "Redexter model",
        "scopeName": "source.redexter.arr",
        "fileTypes": ["arr"],
        "patterns": [
            { "include": "#block" },
            matching("comment.line", "(?://|--).*$"),
            matching("string.quoted.double", r#""[^"]*""#),
            defining("def", Language::Model),
            { "include": "#tokens" },
        ],
        "repository": {
            "block": nested("/-", "-/"),
            "tokens": { "patterns": tokens(Language::Model) },
        },
    })
}

fn script() -> Value {
    json!({
        "name": "Redexter script",
        "scopeName": "source.redexter.strat",
        "fileTypes": ["strat"],
        "patterns": [{ "include": "#code" }],
        "repository": {
            "code": { "patterns": [
                { "include": "#block" },
                matching("comment.line", "(?://|--(?!>)).*$"),
                region("string.quoted.raw", "(#+)\"", "\"\\1", json!([])),
                region("string.quoted.double", "\"", "\"", json!([matching("constant.character.escape", r"\\.")])),
                matching("string.quoted.single", r"'(?:\\.|[^'\\])*(?:'|$)"),
                region("meta.law", "`", "`", json!([
                    { "include": "#inserted" },
                    matching("comment.line", "(?://|--(?!>))[^`]*"),
                    { "include": "#law" },
                ])),
                defining("(?:strategy|rule|fn)", Language::Script),
                { "patterns": tokens(Language::Script) },
            ]},
            "block": nested(r"/\*", r"\*/"),
            "inserted": region("meta.embedded", r"\$\{", r"\}", json!([{ "include": "#braces" }, { "include": "#code" }])),
            "braces": region("meta.braces", r"\{", r"\}", json!([{ "include": "#braces" }, { "include": "#code" }])),
            "law": { "patterns": tokens(Language::Model) },
        },
    })
}

/// The patterns of tokens outside of quotes and comments.
fn tokens(language: Language) -> Vec<Value> {
    let number = r"(?<![\w'])[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\w*";
    let mut all = vec![matching("constant.numeric", number)];
    for (role, scope) in
        [(PrintRole::Keyword, "keyword"), (PrintRole::Type, "storage.type"), (PrintRole::Primitive, "support.function")]
    {
        let words = words(language, role);
        if !words.is_empty() {
            all.push(matching(scope, &format!(r"(?<![\w'])(?:{})(?![\w'])", words.join("|"))));
        }
    }
    all.push(matching("keyword.operator", r"<-->|-->|:=|=>|->|<=|>=|!=|&&|\|\||<\+|<\||\|>|;;|[-+*/%^<>=×→⊕⊖⊗⊘]"));
    all
}

fn words(language: Language, role: PrintRole) -> Vec<&'static str> {
    language.words().into_iter().filter(|(_, of)| *of == role).map(|(word, _)| word).collect()
}

fn matching(scope: &str, expression: &str) -> Value {
    json!({ "name": scope, "match": expression })
}

fn region(scope: &str, begin: &str, end: &str, patterns: Value) -> Value {
    json!({ "name": scope, "begin": begin, "end": end, "patterns": patterns })
}

/// A comment in which there may be comments.
fn nested(begin: &str, end: &str) -> Value {
    region("comment.block", begin, end, json!([{ "include": "#block" }]))
}

/// The name behind a word that defines it, unless that is a word of the language.
fn defining(word: &str, language: Language) -> Value {
    let taken = words(language, PrintRole::Keyword).join("|");
    json!({
        "match": format!(r"(?<![\w'])({word})\s+(?!(?:{taken})(?![\w']))([^\W0-9][\w']*)"),
        "captures": { "1": { "name": "keyword" }, "2": { "name": "entity.name.function" } },
    })
}
