//! From a schedule's text to text that Rhai reads: same lines, same columns.
//!
//! Rhai knows no `;` between strategies, no `<+`, no function `try` and no `rule` statement. This module maps them to
//! operators and calls that the engine registers, character for character, so that every position Rhai reports is a
//! position of the user's text. It also finds what has to be known before a script is compiled: the strategies and
//! rules that it defines with parameters, and where its rules stand. `rules` has the statement `rule`, `texts` what is
//! copied or blanked. It knows no engine and no strategies.

mod rules;
mod sequence;
mod texts;

use std::ops::Range;

use self::rules::is_computed;
pub(crate) use self::sequence::STATEMENTS;
use self::sequence::{Defining, past_space};
use self::texts::raw_string;
use crate::ground::text::{begins_name, in_word, word};
use crate::ground::{Code, code};
use crate::syntax::comments::script_comment;

/// What `<+` becomes.
pub(crate) const CHOICE: &str = "<|";
/// What `;;` becomes.
pub(crate) const SEQUENCE: &str = "|>";
/// What `;` between parentheses becomes.
pub(crate) const THEN: &str = "~";
/// What `rule` becomes before laws.
pub(crate) const LAWS: &str = "Rule";
/// What `rule` becomes before a function.
pub(crate) const COMPUTED: &str = "RULE";
/// What `try(` becomes.
pub(crate) const TRY: &str = "Try";

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// As statements.
    Script,
    /// As if it stood in parentheses.
    Parenthesised,
}

/// Something that only looks like the language, and what to say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Oddity {
    /// Where, in bytes of the user's text.
    pub at: Range<usize>,
    pub code: Code,
    pub headline: &'static str,
    pub help: &'static str,
}

/// A text made ready for Rhai.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// What Rhai gets.
    pub text: String,
    /// The `rule` statements, without their semicolons, in bytes of the user's text.
    pub rules: Vec<Range<usize>>,
    /// The `strategy` statements that end with a semicolon, without it, in bytes of the user's text.
    pub strategies: Vec<Range<usize>>,
    /// Strategies and rules that are defined, with the number of their parameters.
    pub definitions: Vec<(String, usize)>,
    /// One of the rules is computed by a function.
    pub computes: bool,
    /// What must not be run.
    pub oddities: Vec<Oddity>,
    /// Nothing is left open: no bracket, string or comment, no operator without its right side.
    pub complete: bool,
}

/// Reads a text; `is_strategy` says which names stand for strategies besides those that it defines.
pub(crate) fn read(text: &str, kind: TextKind, is_strategy: &dyn Fn(&str) -> bool) -> Reading {
    let open = match kind {
        TextKind::Script => Vec::new(),
        TextKind::Parenthesised => vec!['('],
    };
    let base = open.len();
    let mut reader = Reader {
        text,
        at: 0,
        open,
        base,
        before: None,
        last: String::new(),
        unclosed: false,
        is_strategy,
        defining: Vec::new(),
        reading: Reading { text: String::with_capacity(text.len()), ..Reading::default() },
    };
    while reader.at < text.len() {
        reader.item();
    }
    let dangling = matches!(reader.last.as_str(), "<+" | ";;" | "=" | "," | "where" | "." | ">");
    reader.reading.complete = !reader.unclosed && reader.open.len() <= base && !dangling;
    reader.reading
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Open brackets; a backtick stands for the code of an interpolation.
    open: Vec<char>,
    base: usize,
    /// The last character that is no space and in no comment.
    before: Option<char>,
    /// The last item that is no space and no comment, where it matters.
    last: String,
    unclosed: bool,
    is_strategy: &'a dyn Fn(&str) -> bool,
    /// The definitions of strategies that the text is in, the innermost last.
    defining: Vec<Defining>,
    reading: Reading,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Copies so many bytes.
    fn copy(&mut self, bytes: usize) {
        let end = self.at + bytes;
        self.reading.text.push_str(&self.text[self.at..end]);
        self.at = end;
    }

    /// Writes a space for each of the next characters but line ends.
    fn blank(&mut self, bytes: usize) {
        let end = self.at + bytes;
        self.reading.text.extend(self.text[self.at..end].chars().map(|c| if c == '\n' { c } else { ' ' }));
        self.at = end;
    }

    /// Notes the end of an item that counts.
    fn note(&mut self, item: &str) {
        self.before = item.chars().next_back();
        self.last.clear();
        self.last.push_str(item);
    }

    /// Writes `new` for the next `old` characters, which have the same number.
    fn map(&mut self, old: &str, new: &str) {
        self.reading.text.push_str(new);
        self.at += old.len();
        self.note(old);
    }

    /// Reads one item: a space, comment, string, word, bracket or operator.
    fn item(&mut self) {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return };
        if c.is_whitespace() {
            return self.copy(c.len_utf8());
        }
        match script_comment(rest) {
            Some(Ok(length)) => return self.blank(length),
            Some(Err(_)) => return self.unclosed_comment(),
            None => {}
        }
        match c {
            '"' | '\'' => self.quoted(c),
            '`' => self.backticks(),
            '#' if raw_string(rest).is_some() => self.raw(),
            '(' | '[' | '{' => {
                self.open.push(c);
                self.plain(c);
            }
            ')' | ']' | '}' => self.close(c),
            ';' => self.semicolon(),
            '<' if rest.starts_with("<<") => self.map("<<", "<<"),
            '<' if rest.starts_with("<+") => self.map("<+", CHOICE),
            '~' => self.odd(1, "`~` means nothing in a schedule", "write `;` or `;;` for one strategy after another"),
            '<' if rest.starts_with(CHOICE) => {
                self.odd(2, "`<|` means nothing in a schedule", "write `s <+ t` for s, or t where s fails")
            }
            '|' if rest.starts_with(SEQUENCE) => {
                self.odd(2, "`|>` means nothing in a schedule", "write `s ;; t` for s, then t")
            }
            c if in_word(c) => self.word(),
            c => self.plain(c),
        }
    }

    fn plain(&mut self, c: char) {
        self.copy(c.len_utf8());
        self.note(c.encode_utf8(&mut [0; 4]));
    }

    fn odd(&mut self, bytes: usize, headline: &'static str, help: &'static str) {
        self.reading.oddities.push(Oddity { at: self.at..self.at + bytes, code: code::SYNTAX, headline, help });
        self.copy(bytes);
        self.before = Some(' ');
    }

    fn close(&mut self, c: char) {
        if c == '}' && self.open.last() == Some(&'`') {
            self.open.pop();
            self.copy(1);
            return self.text_of_backticks();
        }
        if self.open.len() > self.base {
            self.open.pop();
        }
        self.plain(c);
    }

    fn semicolon(&mut self) {
        if self.rest().starts_with(";;") {
            return self.map(";;", SEQUENCE);
        }
        let top = self.base > 0 && self.open.len() == self.base;
        if top && past_space(&self.rest()[1..]).is_empty() {
            return self.map(";", " ");
        }
        let between = matches!(self.open.last(), Some('(' | '['));
        let new = if between || self.goes_on() { THEN } else { ";" };
        self.map(";", new);
    }

    fn word(&mut self) {
        let word = word(self.rest()).to_owned();
        let after = self.rest()[word.len()..].trim_start();
        let statement = matches!(self.before, None | Some(';' | '{' | '}'));
        let field = self.before == Some('.');
        match word.as_str() {
            "try" if after.starts_with('(') && !field => return self.map("try", TRY),
            "rule" if statement && begins_name(after) => match is_computed(after) {
                true => {
                    self.reading.computes = true;
                    self.definition("rule".len());
                    return self.map("rule", COMPUTED);
                }
                false => return self.rule(),
            },
            "strategy" if begins_name(after) => {
                let (name, params) = self.definition("strategy".len());
                let depth = self.open.len();
                while self.defining.pop_if(|outer| outer.depth >= depth).is_some() {}
                self.defining.push(Defining { name, params, start: self.at, depth });
            }
            _ => {}
        }
        self.copy(word.len());
        self.note(&word);
    }

    /// Notes the name and the parameters of a definition whose keyword takes so many bytes.
    fn definition(&mut self, keyword: usize) -> (String, Vec<String>) {
        let after = self.rest()[keyword..].trim_start();
        let name = word(after).to_owned();
        let params = after[name.len()..].trim_start().strip_prefix('(').and_then(|rest| rest.split(')').next());
        let params = params.unwrap_or("").split(',').map(str::trim).filter(|p| !p.is_empty());
        let params: Vec<String> = params.map(str::to_owned).collect();
        self.reading.definitions.push((name.clone(), params.len()));
        (name, params)
    }
}
