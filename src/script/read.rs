//! From a schedule's text to text that Rhai reads: same lines, same columns.
//!
//! Rhai knows no `;` between strategies, no `<+`, no function `try` and no `rule` statement. This module maps them to
//! operators and calls that the engine registers, character for character, so that every position Rhai reports is a
//! position of the user's text. It also finds what has to be known before a script is compiled: the strategies and
//! rules that it defines with parameters, and where its rules stand. It knows no engine and no strategies.

use crate::ground::{Code, code};
use std::ops::Range;

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
pub(crate) enum Frame {
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
    /// The code of the finding.
    pub code: Code,
    /// What is wrong.
    pub headline: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// A text made ready for Rhai.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// What Rhai gets.
    pub text: String,
    /// The `rule` statements, without their semicolons, in bytes of the user's text.
    pub rules: Vec<Range<usize>>,
    /// Strategies and rules that are defined, with the number of their parameters.
    pub definitions: Vec<(String, usize)>,
    /// One of the rules is computed by a function.
    pub computes: bool,
    /// What must not be run.
    pub oddities: Vec<Oddity>,
    /// Nothing is left open: no bracket, string or comment, no operator without its right side.
    pub complete: bool,
}

/// Reads a text.
pub(crate) fn read(text: &str, frame: Frame) -> Reading {
    let open = match frame {
        Frame::Script => Vec::new(),
        Frame::Parenthesised => vec!['('],
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
        reading: Reading { text: String::with_capacity(text.len()), ..Reading::default() },
    };
    while reader.at < text.len() {
        reader.item();
    }
    let dangling = matches!(reader.last.as_str(), "<+" | ";;" | "=" | "," | "where" | "." | ">");
    reader.reading.complete = !reader.unclosed && reader.open.len() <= base && !dangling;
    reader.reading
}

/// The state of reading.
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
        if rest.starts_with("//") {
            return self.blank(rest.find('\n').unwrap_or(rest.len()));
        }
        if rest.starts_with("/*") {
            return self.block_comment();
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
            c if c.is_alphanumeric() || c == '_' => self.word(),
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
        if top && only_space(&self.rest()[1..]) {
            return self.map(";", " ");
        }
        let new = if self.open.last() == Some(&'(') { THEN } else { ";" };
        self.map(";", new);
    }

    fn block_comment(&mut self) {
        let mut depth = 0usize;
        let mut end = 0;
        let bytes = self.rest().as_bytes();
        while end < bytes.len() {
            match &bytes[end..] {
                [b'/', b'*', ..] => (depth, end) = (depth + 1, end + 2),
                [b'*', b'/', ..] => (depth, end) = (depth - 1, end + 2),
                _ => end += 1,
            }
            if depth == 0 {
                return self.blank(end);
            }
        }
        self.unclosed = true;
        self.reading.oddities.push(Oddity {
            at: self.at..self.at + 2,
            code: code::UNTERMINATED_COMMENT,
            headline: "this comment is never closed",
            help: "write `*/` where it ends; comments nest, so each opening needs its own",
        });
        self.copy(end);
    }

    fn quoted(&mut self, quote: char) {
        let mut escaped = true;
        for (k, c) in self.rest().char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote || (c == '\n' && quote == '\'') {
                self.copy(k + 1);
                return self.note("\"");
            }
        }
        self.unclosed = true;
        self.copy(self.rest().len());
    }

    fn raw(&mut self) {
        let (hashes, start) = raw_string(self.rest()).unwrap_or((0, 0));
        let close = format!("\"{}", "#".repeat(hashes));
        match self.rest()[start..].find(&close) {
            Some(k) => self.copy(start + k + close.len()),
            None => {
                self.unclosed = true;
                self.copy(self.rest().len());
            }
        }
        self.note("\"");
    }

    fn backticks(&mut self) {
        self.copy(1);
        self.text_of_backticks();
    }

    /// Copies text between backticks, up to the end or the code of an interpolation.
    fn text_of_backticks(&mut self) {
        let rest = self.rest();
        let mut k = 0;
        while k < rest.len() {
            let tail = &rest[k..];
            if tail.starts_with("``") {
                k += 2;
            } else if tail.starts_with('`') {
                self.copy(k + 1);
                return self.note("`");
            } else if tail.starts_with("${") {
                self.copy(k + 2);
                self.open.push('`');
                return self.note("{");
            } else {
                k += tail.chars().next().map_or(1, char::len_utf8);
            }
        }
        self.unclosed = true;
        self.copy(k);
    }

    fn word(&mut self) {
        let word = leading_word(self.rest()).to_owned();
        let after = self.rest()[word.len()..].trim_start();
        let statement = matches!(self.before, None | Some(';' | '{' | '}'));
        let field = self.before == Some('.');
        match word.as_str() {
            "try" if after.starts_with('(') && !field => return self.map("try", TRY),
            "rule" if statement && starts_name(after) => match is_computed(after) {
                true => {
                    self.reading.computes = true;
                    self.definition("rule".len());
                    return self.map("rule", COMPUTED);
                }
                false => return self.rule(),
            },
            "strategy" if starts_name(after) => self.definition("strategy".len()),
            _ => {}
        }
        self.copy(word.len());
        self.note(&word);
    }

    /// Notes the name and the number of parameters of a definition whose keyword takes so many bytes.
    fn definition(&mut self, keyword: usize) {
        let after = self.rest()[keyword..].trim_start();
        let name = leading_word(after);
        let arity = match after[name.len()..].trim_start().strip_prefix('(') {
            Some(params) => {
                let params = params.split(')').next().unwrap_or("");
                params.split(',').filter(|p| !p.trim().is_empty()).count()
            }
            None => 0,
        };
        let name = name.to_owned();
        self.reading.definitions.push((name, arity));
    }

    /// Writes `new`, then spaces, for what stands up to `end`; whether there was room.
    fn write(&mut self, new: &str, end: usize) -> bool {
        let mut new = new.chars();
        for c in self.text[self.at..end].chars() {
            self.reading.text.push(if c == '\n' { c } else { new.next().unwrap_or(' ') });
        }
        self.at = end;
        new.next().is_none()
    }

    /// Turns the rest of a rule, up to `end`, into a list of its functions, each at its place.
    fn functions(&mut self, all: &[Range<usize>], end: usize) -> bool {
        let mut before = "([";
        for function in all {
            let room = self.write(before, function.start);
            self.open.push('[');
            while self.at < function.end {
                self.item();
            }
            self.open.pop();
            if !room {
                return false;
            }
            before = ",";
        }
        self.write(" ])", end)
    }

    /// Turns a rule, up to its semicolon, into a call at the same place, and remembers where it stands.
    fn rule(&mut self) {
        self.definition("rule".len());
        let end = self.at + rule_end(self.rest());
        let start = self.at;
        self.reading.rules.push(start..end);
        self.reading.text.push_str(LAWS);
        self.at += LAWS.len();
        let body = &self.text[self.at..end];
        let functions: Vec<Range<usize>> =
            functions(body).into_iter().map(|f| self.at + f.start..self.at + f.end).collect();
        self.reading.computes |= body.contains("where");
        let whole = match functions.is_empty() {
            true => self.write("()", end),
            false => self.functions(&functions, end),
        };
        if !whole {
            let help = "write rule name = `left --> right`;";
            self.reading.oddities.push(Oddity {
                at: start..end,
                code: code::SYNTAX,
                headline: "this rule has no law",
                help,
            });
        }
        if body.matches('`').count() % 2 == 1 {
            self.unclosed = true;
        }
        let last = body.trim_end();
        let item = if last.ends_with("where") {
            "where"
        } else {
            &last[last.len() - usize::from(last.ends_with([',', '=']))..]
        };
        self.note(item);
        self.before = Some('`');
    }
}

/// The functions in a rule's conditions: what stands between `holds(` and the comma behind it.
fn functions(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut law = false;
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        let rest = &body[at..];
        let inside = rest.strip_prefix("holds").map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
        let start = inside.map(|inside| body.len() - inside.trim_start().len()).filter(|_| !law);
        law ^= c == '`';
        at += match start.filter(|start| body[*start..].starts_with('|')) {
            Some(start) => match argument_end(&body[start..]) {
                Some(length) => {
                    found.push(start..start + length);
                    start + length - at
                }
                None => c.len_utf8(),
            },
            None if !law && rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            None => c.len_utf8(),
        };
    }
    found
}

/// The length of a function that is an argument: up to the comma outside all brackets, if there is one.
fn argument_end(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    let mut string = false;
    let params = 1 + text[1..].find('|')? + 1;
    let mut escaped = false;
    for (k, c) in text[params..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if string => escaped = true,
            '"' => string = !string,
            _ if string => {}
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.checked_sub(1)?,
            ',' if open == 0 => return Some(params + k),
            _ => {}
        }
    }
    None
}

/// The word that the text begins with.
fn leading_word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

fn starts_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether a rule, from its name on, is no text in backticks but a function: `name(k) = |t| …`, or a call.
fn is_computed(text: &str) -> bool {
    let after = text[leading_word(text).len()..].trim_start();
    let after = match after.strip_prefix('(') {
        Some(params) => params.split_once(')').map_or("", |(_, rest)| rest).trim_start(),
        None => after,
    };
    after.strip_prefix('=').is_some_and(|body| {
        let body = body.trim_start();
        body.starts_with('|') || starts_name(body)
    })
}

/// Nothing but spaces and comments.
fn only_space(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        rest = match (rest.strip_prefix("//"), rest.strip_prefix("/*")) {
            (Some(comment), _) => comment.split_once('\n').map_or("", |(_, rest)| rest),
            (_, Some(comment)) => comment.split_once("*/").map_or("", |(_, rest)| rest),
            _ => return rest.is_empty(),
        }
        .trim_start();
    }
}

/// The number of `#` and the length of the opening of a raw string.
fn raw_string(text: &str) -> Option<(usize, usize)> {
    let hashes = text.len() - text.trim_start_matches('#').len();
    text[hashes..].starts_with('"').then_some((hashes, hashes + 1))
}

/// The length of a rule up to its semicolon: the first that stands neither between backticks nor in a comment, a string
/// or the braces of a function.
fn rule_end(text: &str) -> usize {
    let (mut law, mut comment, mut string) = (false, false, false);
    let mut braces = 0_u32;
    for (k, c) in text.char_indices() {
        match c {
            '\n' => comment = false,
            _ if comment => {}
            '"' if !law => string = !string,
            _ if string => {}
            '`' => law = !law,
            '{' if !law => braces += 1,
            '}' if !law => braces = braces.saturating_sub(1),
            '/' if !law && text[k..].starts_with("//") => comment = true,
            ';' if !law && braces == 0 => return k,
            _ => {}
        }
    }
    text.len()
}
