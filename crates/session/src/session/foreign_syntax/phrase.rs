//! Says a line anew: a phrase of another language is found in it, and written as a phrase of this one.
//!
//! A phrase is a row of words and signs. In it `A`, `B`, `C` and `E` stand for an operand each (a word, a number or what
//! stands in brackets, with the brackets and fields directly behind it), followed by `…` for any balanced text that isn't
//! empty; `W` stands for a word, `N` for a number; `⟨` is the beginning of the line and `⟩` its end.

use redexter_language::ground::text::in_word;

/// Signs of several characters that are read as one.
const SIGNS: &[&str] = &[
    "<-->", "-->", "==>", "***", "---", ">>>", "<+>", "<*", "<+", ">>", ";;", "|>", "||", "&&", "==", "/=", "**", "!=",
    "<=", ">=", ":=", "::", "->", "=>", "..", "//",
];

/// Words of both languages that are no operands.
const STRUCTURE: &[&str] = &[
    "def", "else", "fn", "for", "fun", "if", "import", "in", "let", "return", "rule", "strategy", "then", "throw",
    "while",
];

/// The names of holes, which stand for parts of the line.
const HOLE_NAMES: &str = "ABCEWN";

/// A word, number or sign of a text.
#[derive(Clone, Copy)]
struct PhraseToken<'t> {
    text: &'t str,
    start: usize,
}

impl PhraseToken<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !STRUCTURE.contains(&self.text)
    }

    fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// A part of a phrase.
enum PhrasePart<'t> {
    Sign(&'t str),
    Start,
    End,
    /// An operand, a word or a number.
    Hole(char),
    /// Any balanced text.
    Run(char),
}

/// The line with the phrase in each of its places written anew; nothing where the phrase isn't in it.
pub(super) fn said_anew(line: &str, foreign: &str, ours: &str) -> Option<String> {
    let tokens = tokens(line);
    let parts = parts(foreign);
    let (mut new, mut copied, mut at) = (String::new(), 0, 0);
    let mut in_string = false;
    while at < tokens.len() {
        let mut bound = Vec::new();
        in_string ^= tokens[at].text == "\"";
        let found = if in_string { None } else { matching(&tokens, at, &parts, &mut bound) };
        match found {
            Some(end) if end > at => {
                new.push_str(&line[copied..tokens[at].start]);
                write(&mut new, line, ours, &bound);
                copied = tokens[end - 1].end();
                at = end;
            }
            _ => at += 1,
        }
    }
    new.push_str(&line[copied..]);
    (copied > 0).then_some(new)
}

fn tokens(text: &str) -> Vec<PhraseToken<'_>> {
    let mut all = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        let rest = &text[start..];
        let length = if c.is_ascii_digit() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let point = rest[digits..].strip_prefix('.').filter(|more| more.starts_with(|c: char| c.is_ascii_digit()));
            point.map_or(digits, |more| digits + 1 + more.find(|c: char| !in_word(c)).unwrap_or(more.len()))
        } else if in_word(c) {
            // A quote belongs to the word, unless it closes what a quote before it opened.
            let quoted = all.iter().filter(|token: &&PhraseToken| token.text == "'").count() % 2 == 1;
            rest.find(|c: char| !in_word(c) && (quoted || c != '\'')).unwrap_or(rest.len())
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len())
        };
        if !c.is_whitespace() {
            all.push(PhraseToken { text: &rest[..length], start });
        }
        start += length;
    }
    all
}

/// The hole that a token of a phrase is.
fn hole(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|c| HOLE_NAMES.contains(*c) && chars.next().is_none())
}

fn parts(phrase: &str) -> Vec<PhrasePart<'_>> {
    let mut parts = Vec::new();
    for token in tokens(phrase) {
        match (token.text, parts.last()) {
            ("…", Some(PhrasePart::Hole(name))) => {
                let name = *name;
                parts.pop();
                parts.push(PhrasePart::Run(name));
            }
            ("⟨", _) => parts.push(PhrasePart::Start),
            ("⟩", _) => parts.push(PhrasePart::End),
            (text, _) => parts.push(hole(text).map_or(PhrasePart::Sign(text), PhrasePart::Hole)),
        }
    }
    parts
}

/// A hole and what it stands for, in bytes of the line.
type HoleBinding = (char, usize, usize);

/// The token behind a phrase that begins at a token, if it does; `bound` gets what its holes stand for.
fn matching(tokens: &[PhraseToken], at: usize, parts: &[PhrasePart], bound: &mut Vec<HoleBinding>) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    match part {
        PhrasePart::Start => (at == 0).then(|| matching(tokens, at, rest, bound)).flatten(),
        PhrasePart::End => (at == tokens.len()).then_some(at),
        PhrasePart::Sign(text) => {
            let same = tokens.get(at).is_some_and(|token| token.text == *text);
            same.then(|| matching(tokens, at + 1, rest, bound)).flatten()
        }
        PhrasePart::Hole(name) => {
            let end = hole_end(tokens, at, *name)?;
            bound.push((*name, tokens[at].start, tokens[end - 1].end()));
            matching(tokens, end, rest, bound).or_else(|| {
                bound.pop();
                None
            })
        }
        PhrasePart::Run(name) => {
            let ends = run_ends(tokens, at);
            let ends: Vec<usize> = if rest.is_empty() { ends.into_iter().rev().collect() } else { ends };
            ends.into_iter().find_map(|end| {
                let known = bound.len();
                bound.push((*name, tokens[at].start, tokens[end - 1].end()));
                let found = matching(tokens, end, rest, bound);
                if found.is_none() {
                    bound.truncate(known);
                }
                found
            })
        }
    }
}

/// The token behind what a hole of this name stands for.
fn hole_end(tokens: &[PhraseToken], at: usize, name: char) -> Option<usize> {
    let first = tokens.get(at)?;
    match name {
        'W' => first.is_word().then_some(at + 1),
        'N' => first.is_number().then_some(at + 1),
        _ => operand_end(tokens, at),
    }
}

fn operand_end(tokens: &[PhraseToken], at: usize) -> Option<usize> {
    let first = tokens.get(at)?;
    let simple = first.is_word() || first.is_number();
    let mut end = if simple { at + 1 } else { group_end(tokens, at)? };
    while let Some(next) = tokens.get(end).filter(|next| next.start == tokens[end - 1].end()) {
        end = match next.text {
            "(" | "[" => group_end(tokens, end)?,
            "." if tokens.get(end + 1).is_some_and(|t| t.is_word() || t.is_number()) => end + 2,
            _ => break,
        };
    }
    Some(end)
}

/// The token behind the bracket that closes this one.
fn group_end(tokens: &[PhraseToken], at: usize) -> Option<usize> {
    if let quote @ ("`" | "\"") = tokens[at].text {
        return tokens[at + 1..].iter().position(|token| token.text == quote).map(|k| at + k + 2);
    }
    let mut open = 0_usize;
    for (k, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => open = open.checked_sub(1)?,
            _ => {}
        }
        if open == 0 {
            return (k > at).then_some(k + 1);
        }
    }
    None
}

/// Where a balanced text that begins here may end.
fn run_ends(tokens: &[PhraseToken], at: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut open = 0_usize;
    for (k, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => match open.checked_sub(1) {
                Some(less) => open = less,
                None => break,
            },
            _ => {}
        }
        if open == 0 {
            ends.push(k + 1);
        }
    }
    ends
}

/// Writes a phrase with what its holes stand for.
fn write(out: &mut String, line: &str, phrase: &str, bound: &[HoleBinding]) {
    let mut copied = 0;
    for token in tokens(phrase) {
        out.push_str(&phrase[copied..token.start]);
        copied = token.end();
        let known = hole(token.text).and_then(|name| bound.iter().find(|(other, ..)| *other == name));
        out.push_str(known.map_or(token.text, |(_, start, end)| &line[*start..*end]));
    }
}

#[cfg(test)]
mod tests {
    use super::said_anew;

    #[test]
    fn phrases_are_said_anew_wherever_they_stand() {
        let new = |line, foreign, ours| said_anew(line, foreign, ours).unwrap_or_default();
        assert_eq!(new("s(alltd(x), alltd(y))", "alltd", "tryAll"), "s(tryAll(x), tryAll(y))");
        assert_eq!(new("def f := x[0] ^ 2 + 1", "A ^ B", "pow A B"), "def f := pow x[0] 2 + 1");
        assert_eq!(new("a ? (b ? c) : d", "⟨ A… ? B… : C… ⟩", "if A then B else C"), "if a then (b ? c) else d");
        assert_eq!(new("exp $ x + 1", "A $ B…", "A (B)"), "exp (x + 1)");
        assert_eq!(new("rule r = `x * 1 -> x`", "` A… -> B… `", "`A --> B`"), "rule r = `x * 1 --> x`");
        assert_eq!(new("f('a b', \"'a b'\")", "' A… '", "\"A\""), "f(\"a b\", \"'a b'\")");
        assert_eq!(said_anew("f(a", "A ^ B", "pow A B"), None);
        assert_eq!(said_anew("(a) b", "A ^ B", "pow A B"), None);
    }
}
