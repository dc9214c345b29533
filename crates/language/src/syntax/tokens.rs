//! Splits a text into tokens, one behind the other without a gap: what is a comment, what stands in quotes, how far a name goes
//! with its primes, and which brackets belong together is decided here.
//!
//! It reads any text to its end and knows no grammar.

use std::ops::Range;

use super::comments::{model_comment, script_comment};
use super::words;
use crate::ground::text::{begins_name, in_word, word};

/// The language whose tokens they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// A model's.
    Model,
    /// A law's: the same, but `-->` is a sign.
    Law,
    /// A script's: backticks are quotes, and what stands in their `${…}` is tokens again.
    Script,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Space,
    Comment,
    Word,
    Number,
    /// A string or a character, quotes and all.
    Quoted,
    /// What stands between backticks, with those that begin and end it, up to code or between two pieces of code.
    Ticked,
    Sign,
    /// `(`, `[`, `{`; before code between backticks `${`.
    Open,
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    /// The number of the token that closes this bracket, or that this one closes.
    pub partner: Option<usize>,
    /// The text ends before this comment, or what stands in these quotes.
    pub open: bool,
}

impl Token {
    /// Where it stands.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// It is no space and no comment.
    pub fn counts(&self) -> bool {
        !matches!(self.kind, TokenKind::Space | TokenKind::Comment)
    }
}

/// Signs of several characters, a longer one before what it begins with.
const SIGNS: &[&str] =
    &["<-->", "-->", ":=", "=>", "->", "<=", ">=", "!=", "==", "&&", "||", "<<", "<+", "<|", "|>", ";;"];

/// The tokens of a text.
pub fn tokens(text: &str, dialect: Dialect) -> Vec<Token> {
    let mut lexer = Lexer { text, dialect, ticked: false, brackets: Vec::new(), found: Vec::new() };
    let mut at = 0;
    while at < text.len() {
        at = lexer.next(at);
    }
    if let (true, Some(last)) = (lexer.ticked, lexer.found.last_mut()) {
        last.open = true;
    }
    lexer.found
}

struct Lexer<'a> {
    text: &'a str,
    dialect: Dialect,
    /// What comes next stands between backticks.
    ticked: bool,
    /// The brackets that are open.
    brackets: Vec<usize>,
    found: Vec<Token>,
}

impl Lexer<'_> {
    /// Reads the token that begins there; where it ends.
    fn next(&mut self, start: usize) -> usize {
        let rest = &self.text[start..];
        let (kind, length) = match self.ticked {
            true if rest.starts_with("${") => (TokenKind::Open, Some("${".len())),
            true => (TokenKind::Ticked, self.ticked(rest)),
            false if self.dialect == Dialect::Script && rest.starts_with('`') => {
                self.ticked = true;
                (TokenKind::Ticked, self.ticked(&rest[1..]).map(|length| 1 + length))
            }
            false => first(rest, self.dialect),
        };
        let end = start + length.unwrap_or(rest.len());
        let partner = match kind {
            TokenKind::Open => {
                self.ticked = false;
                self.brackets.push(self.found.len());
                None
            }
            TokenKind::Close => self.brackets.pop(),
            _ => None,
        };
        if let Some(opening) = partner {
            self.found[opening].partner = Some(self.found.len());
            self.ticked = rest.starts_with('}') && self.text[self.found[opening].range()].starts_with('$');
        }
        self.found.push(Token { kind, start, end, partner, open: length.is_none() });
        end
    }

    /// How far text goes that stands between backticks.
    fn ticked(&mut self, rest: &str) -> Option<usize> {
        let mut at = 0;
        while at < rest.len() {
            let tail = &rest[at..];
            if tail.starts_with("``") {
                at += 2;
            } else if tail.starts_with('`') {
                self.ticked = false;
                return Some(at + 1);
            } else if tail.starts_with("${") {
                return Some(at);
            } else {
                at += tail.chars().next().map_or(1, char::len_utf8);
            }
        }
        None
    }
}

/// The token that a text begins with, and its length, if its end is there.
fn first(rest: &str, dialect: Dialect) -> (TokenKind, Option<usize>) {
    let script = dialect == Dialect::Script;
    let comment = if script { script_comment(rest) } else { model_comment(rest, dialect == Dialect::Law) };
    if let Some(length) = comment {
        return (TokenKind::Comment, length.ok());
    }
    let run = |goes_on: &dyn Fn(char) -> bool| Some(rest.find(|c| !goes_on(c)).unwrap_or(rest.len()));
    match rest.chars().next().unwrap_or(' ') {
        c if c.is_whitespace() => (TokenKind::Space, run(&char::is_whitespace)),
        '"' => (TokenKind::Quoted, quoted(rest, '"', script)),
        '\'' if script => (TokenKind::Quoted, quoted(rest, '\'', true)),
        '#' if script => match raw(rest) {
            Some(length) => (TokenKind::Quoted, length),
            // All but the last, which may stand before a brace: else each of a long row would look through the others.
            None => (TokenKind::Sign, run(&|c| c == '#').map(|length| 1.max(length - 1))),
        },
        '(' | '[' | '{' => (TokenKind::Open, Some(1)),
        ')' | ']' | '}' => (TokenKind::Close, Some(1)),
        c if c.is_ascii_digit() => (TokenKind::Number, Some(number(rest, script))),
        _ if script && begins_name(rest) => (TokenKind::Word, run(&|c| in_word(c) || c == '\'')),
        c if script && in_word(c) => (TokenKind::Number, Some(word(rest).len())),
        c if !script && words::in_word(c) => (TokenKind::Word, run(&words::in_word)),
        c => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (TokenKind::Sign, Some(sign.map_or(c.len_utf8(), |sign| sign.len())))
        }
    }
}

/// The length of what stands in quotes. Single quotes end with their line; `escapes`: a `\` takes the next character's
/// meaning.
fn quoted(text: &str, quote: char, escapes: bool) -> Option<usize> {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = escapes,
            c if c == quote => return Some(at + 1),
            '\n' if quote == '\'' => return Some(at),
            _ => {}
        }
    }
    None
}

/// The length of the string between `#"` and `"#` that a text begins with, if it does, and if it is closed.
fn raw(text: &str) -> Option<Option<usize>> {
    let inside = text.trim_start_matches('#').strip_prefix('"')?;
    let hashes = text.len() - inside.len() - 1;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(inside.find(&close).map(|at| hashes + 1 + at + close.len()))
}

/// The length of digits, perhaps with a fraction and an exponent. In a script letters may follow, as in `0xff`.
fn number(text: &str, script: bool) -> usize {
    let digits = |from: usize| text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |k| from + k);
    let mut end = digits(0);
    if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = end + 1 + usize::from(text[end + 1..].starts_with(['+', '-']));
        end = if digits(sign) > sign { digits(sign) } else { end };
    }
    if script { end + word(&text[end..]).len() } else { end }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, TokenKind, tokens};

    /// What a text has of these kinds.
    fn some(text: &str, kinds: &[TokenKind]) -> Vec<String> {
        let all = tokens(text, Dialect::Script).into_iter().filter(|token| kinds.contains(&token.kind));
        all.map(|token| text[token.range()].to_owned()).collect()
    }

    #[test]
    fn quotes_comments_and_primes_are_one_thing_each() {
        let quoted = |text| some(text, &[TokenKind::Quoted, TokenKind::Comment]);
        assert_eq!(quoted("a(\";\\\"\") // c;\nd ';' '\\''"), ["\";\\\"\"", "// c;", "';'", "'\\''"]);
        assert_eq!(quoted("a /* ; /* ; */ ; */ -- ;\n --> #\"x\"y\"#"), ["/* ; /* ; */ ; */", "-- ;", "#\"x\"y\"#"]);
        assert_eq!(some("e' <= f'g", &[TokenKind::Word, TokenKind::Sign]), ["e'", "<=", "f'g"]);
        assert_eq!(some("1_0 0xff 1.5e-3 1..2", &[TokenKind::Number]), ["1_0", "0xff", "1.5e-3", "1", "2"]);
        assert_eq!(
            some("<+ ;; <--> |> <| << --> =", &[TokenKind::Sign]),
            "<+ ;; <--> |> <| << --> =".split(' ').collect::<Vec<_>>()
        );
    }

    /// So that a long row is looked through once.
    #[test]
    fn hashes_in_a_row_are_one_sign_and_the_last() {
        assert_eq!(some("####{} # ## \"\"", &[TokenKind::Sign]), ["###", "#", "#", "#", "#"]);
        assert_eq!(some("####\"#\"#### ##\"", &[TokenKind::Quoted]), ["####\"#\"####", "##\""]);
    }

    #[test]
    fn code_between_backticks_is_tokens() {
        let text = "`a``b ${f(\"}\", `${x}`)}${y} c` d";
        let words = ["f", "x", "y", "d"];
        assert_eq!(some(text, &[TokenKind::Word]), words);
        assert_eq!(some(text, &[TokenKind::Ticked]), ["`a``b ", "`", "`", " c`"]);
        let all = tokens(text, Dialect::Script);
        let pairs = all.iter().enumerate().filter_map(|(k, token)| Some((k, token.partner?)));
        assert!(pairs.clone().count() == 8 && pairs.into_iter().all(|(k, partner)| all[partner].partner == Some(k)));
    }

    #[test]
    fn what_is_never_closed_is_open() {
        for (text, open) in [
            ("\"a", true),
            ("`a", true),
            ("`a${b}", true),
            ("`a${b}`", false),
            ("/* /* */", true),
            ("'a\nb", false),
            ("'a", true),
        ] {
            assert_eq!(tokens(text, Dialect::Script).iter().any(|token| token.open), open, "{text}");
        }
    }
}
