//! Reads the heads of definitions, `strategy name(a, b) =` and `rule name(k) =`: what they say, or what is wrong with one and
//! how it is written.

use std::ops::Range;

use super::tokens::ScriptTokens;
use super::{REPLACEMENT_WORDS, STATEMENTS, SyntaxOddity};
use redexter_language::ground::code;
use redexter_language::ground::text::{begins_name, call, in_word};
use redexter_language::syntax::tokens::{Token, TokenKind};

/// A head that is right; names and signs by the numbers of their tokens.
pub(super) struct DefinitionHead<'a> {
    pub name: usize,
    pub params: Vec<&'a str>,
    pub equals: usize,
}

/// Words that Rhai reads as no names; `try` is one where no parenthesis follows.
const RESERVED: &[&str] = &[
    "Fn",
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "export",
    "false",
    "fn",
    "for",
    "global",
    "go",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Signs that are written where `=` is meant.
const EQUALS_VARIANTS: &[&str] = &["=", ":=", "==", ":", "->", "=>", "-->"];

/// So many characters of a right side are repeated in advice.
const MAX_REPEATED_CHARACTERS: usize = 60;

/// The head behind a keyword; if it is wrong, the token at which that shows, and the finding.
pub(super) fn head(tokens: ScriptTokens<'_>, keyword: usize) -> Result<DefinitionHead<'_>, (usize, SyntaxOddity)> {
    let wrong = |at: usize, wanted: &str| (at, expected(tokens, keyword, at, wanted));
    let name = tokens.counting(keyword + 1);
    if !tokens.is(name, TokenKind::Word) {
        return Err(wrong(name, "a name"));
    }
    let mut params = Vec::new();
    let mut next = tokens.counting(name + 1);
    let bracket = tokens.text(next) == "(";
    if bracket {
        next = tokens.counting(next + 1);
        while !(params.is_empty() && tokens.text(next) == ")") {
            if !tokens.is(next, TokenKind::Word) {
                return Err(wrong(next, "a name"));
            }
            params.push(tokens.text(next));
            next = tokens.counting(next + 1);
            match tokens.text(next) {
                ")" => break,
                "," => next = tokens.counting(next + 1),
                _ => return Err(wrong(next, "`,` or `)`")),
            }
        }
        next = tokens.counting(next + 1);
    }
    match tokens.text(next) {
        "=" => Ok(DefinitionHead { name, params, equals: next }),
        _ => Err(wrong(next, if bracket { "`=`" } else { "a parameter or `=`" })),
    }
}

impl DefinitionHead<'_> {
    /// The first of its names that the script language can't read.
    pub(super) fn unreadable(&self, tokens: ScriptTokens<'_>) -> Option<SyntaxOddity> {
        let names = (self.name..self.equals).filter(|k| tokens.is(*k, TokenKind::Word));
        names.map(|k| (k, tokens.text(k))).find_map(|(k, name)| match name {
            // `try(` is a name like any other.
            "try" if k == self.name && !self.params.is_empty() => None,
            // A parameter that isn't used.
            "_" if k != self.name => None,
            _ => unreadable(name, tokens.all[k].range()),
        })
    }
}

/// What is wrong with a word as a name, if the script language can't read it as one.
pub(crate) fn unreadable(name: &str, at: Range<usize>) -> Option<SyntaxOddity> {
    let has = "names of strategies and functions have";
    let (code, headline, help) = match name {
        _ if RESERVED.contains(&name) || REPLACEMENT_WORDS.contains(&name) => return Some(reserved(name, at)),
        _ if name.contains('\'') => (
            code::SYNTAX,
            format!("the name `{name}` has a prime"),
            format!("{has} letters, digits and `_`: write `{}`", name.replace('\'', "1")),
        ),
        _ if !name.is_ascii() => (
            code::SYNTAX,
            format!("the name `{name}` has characters that aren't ASCII"),
            format!("{has} the letters from a to z, digits and `_`"),
        ),
        _ if !name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_alphabetic()) => (
            code::SYNTAX,
            format!("the name `{name}` begins with no letter"),
            format!("{has} a letter in front of the first digit: write `s{name}`"),
        ),
        _ => return None,
    };
    Some(SyntaxOddity { at, code, headline, help })
}

/// A reserved word where a name is needed.
pub(super) fn reserved(name: &str, at: Range<usize>) -> SyntaxOddity {
    let headline = format!("`{name}` is a reserved word of the script language");
    SyntaxOddity { at, code: code::RESERVED_WORD, headline, help: format!("choose another name, such as `{name}1`") }
}

fn expected(tokens: ScriptTokens<'_>, keyword: usize, at: usize, wanted: &str) -> SyntaxOddity {
    let text = tokens.text(at);
    let found = match tokens.kind(at) {
        None => "the end".to_owned(),
        Some(TokenKind::Ticked) => "a backtick".to_owned(),
        Some(TokenKind::Quoted) => "a string".to_owned(),
        _ => format!("`{text}`"),
    };
    let length = if tokens.is(at, TokenKind::Ticked) { 1 } else { text.len() };
    let behind = |token: &Token| if token.counts() { Some(token.end) } else { None };
    let start = match tokens.all.get(at) {
        Some(token) => token.start,
        None => tokens.all.iter().rev().find_map(behind).unwrap_or_default(),
    };
    SyntaxOddity {
        at: start..start + length,
        code: code::SYNTAX,
        headline: format!("expected {wanted}, found {found}"),
        help: format!("write {}", spelt(tokens, keyword)),
    }
}

/// The definition behind a keyword as it may have been meant.
fn spelt(tokens: ScriptTokens<'_>, keyword: usize) -> String {
    let end = spelt_end(tokens, keyword);
    let first = |wanted: &dyn Fn(usize) -> bool| tokens.level(keyword).take_while(|k| *k < end).find(|k| wanted(*k));
    let sign = first(&|k| EQUALS_VARIANTS.contains(&tokens.text(k)));
    let law = first(&|k| tokens.is(k, TokenKind::Ticked));
    let block = first(&|k| tokens.text(k) == "{");
    let (left, right) = match (sign, law, block.and_then(|block| Some((block, tokens.partner(block)?)))) {
        (Some(sign), ..) => (sign, Some(sign + 1..end)),
        (_, Some(law), _) => (law, Some(law..end)),
        (_, _, Some((open, close))) => (open, Some(open + 1..close)),
        _ => (end, None),
    };
    let names: Vec<&str> = (keyword + 1..left).filter_map(|k| meant(tokens, k)).collect();
    let usage = call(names.first().unwrap_or(&"name"), names.iter().skip(1));
    let right = right.map_or("", |right| tokens.text[tokens.start(right.start)..tokens.start(right.end)].trim());
    let fits = !right.is_empty() && !right.contains('\n') && right.chars().count() <= MAX_REPEATED_CHARACTERS;
    let laws = right.starts_with(['`', '|']) && !right.starts_with("``");
    let semicolon = if tokens.text(end) == ";" { ";" } else { "" };
    // Behind this `;` the strategy may go on.
    let next = tokens.text(tokens.counting(end + semicolon.len()));
    let whole = next.is_empty() || next == "}" || STATEMENTS.contains(&next);
    match tokens.text(keyword) {
        "rule" if fits && laws => format!("`rule {usage} = {right}{semicolon}`"),
        "rule" => format!("rule {usage} = `left --> right`;"),
        _ => format!("`strategy {usage} = {}{semicolon}`", if fits && whole { right } else { "…" }),
    }
}

/// Where the definition may have been meant to end: at its `;`, the bracket that closes around it, the keyword of the next one,
/// or the text's end.
fn spelt_end(tokens: ScriptTokens<'_>, keyword: usize) -> usize {
    let ends = |k: &usize| tokens.text(*k) == ";" || *k > keyword && ["strategy", "rule"].contains(&tokens.text(*k));
    let mut behind = keyword;
    for k in tokens.level(keyword) {
        if ends(&k) {
            return k;
        }
        behind = 1 + tokens.partner(k).unwrap_or(k);
    }
    behind
}

/// The name that a word or value of a head stands for, if it is no part of what stands before it, as a type is.
fn meant(tokens: ScriptTokens<'_>, at: usize) -> Option<&str> {
    // What stands before is looked for only where it counts: thousands of comments may lie between.
    let kind =
        tokens.kind(at).filter(|kind| matches!(kind, TokenKind::Word | TokenKind::Quoted | TokenKind::Number))?;
    let before = tokens.all[..at].iter().rfind(|token| token.counts())?;
    let begins = matches!(before.kind, TokenKind::Word | TokenKind::Open) || &tokens.text[before.range()] == ",";
    let name = match kind {
        TokenKind::Word => tokens.text(at),
        TokenKind::Quoted => tokens.text(at).trim_matches(['"', '\'']),
        TokenKind::Number if before.kind != TokenKind::Word => "n",
        _ => return None,
    };
    (begins && begins_name(name) && name.chars().all(in_word)).then_some(name)
}
