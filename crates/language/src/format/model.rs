//! Formats models: it indents each line by what is open where the line begins.
//!
//! A line lies two further right than the one that opened what it is in (a bracket, a `let` before its `;`, what follows
//! `=>`, `then`, `else`), however much that line opened, and two more where it goes on with what a line of the same kind
//! began. Heads of definitions go on at four.

use super::space::apart;
use super::token::{Dialect, FormatToken, FormatTokenKind, tokens};

/// Further right no line begins, so that deep nesting doesn't make a text quadratic.
const MAX_INDENT: usize = 60;

/// A form of the language that may be open where a line begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenConstruct {
    Head,
    Body,
    /// With the indentation of the line that opened it.
    Bracket(usize),
    Let,
    /// With the indentation of its `then` and `else`.
    If(usize),
    /// What follows `=>`, `then` and `else`.
    Branch,
}

/// How the part of an open form began that a line may go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartStart {
    None,
    /// It began behind something else on its line.
    Within,
    /// It began a line.
    Line,
}

/// An open form: the indentation of the lines in it, and how its part began.
struct LayoutFrame {
    form: OpenConstruct,
    inside: usize,
    part: PartStart,
}

/// A model in its layout.
pub fn model(text: &str) -> String {
    let all = tokens(text, Dialect::Model);
    // Many lines of comments may stand before the word whose indentation they have.
    let mut followed_by: Vec<&str> = Vec::with_capacity(all.len());
    for token in all.iter().rev() {
        let next = followed_by.last().copied().unwrap_or("");
        followed_by.push(if token.kind == FormatTokenKind::Comment { next } else { token.text });
    }
    followed_by.reverse();
    let mut lines = Indenter { frames: Vec::new(), line: 0, chain: None };
    let mut out = String::with_capacity(text.len());
    for (k, token) in all.iter().enumerate() {
        let begins = k == 0 || token.breaks > 0;
        if begins {
            out.push_str(["", "\n", "\n\n"][if k == 0 { 0 } else { token.breaks.min(2) }]);
            let next = followed_by[k];
            lines.line = if next.is_empty() { 0 } else { lines.indent(next).min(MAX_INDENT) };
            out.push_str(&" ".repeat(lines.line));
        } else if apart(&all[..k], token) {
            let column = token.kind == FormatTokenKind::Comment && !token.text.starts_with("/-");
            out.push_str(&" ".repeat(if column { token.blanks.max(1) } else { 1 }));
        }
        out.push_str(token.text);
        if token.kind != FormatTokenKind::Comment {
            lines.pass(token, begins);
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

struct Indenter {
    frames: Vec<LayoutFrame>,
    /// The indentation of the current line.
    line: usize,
    /// The indentation of the `else` that was last, for an `if` behind it.
    chain: Option<usize>,
}

impl Indenter {
    /// Where a line that begins with this word or sign lies.
    fn indent(&self, next: &str) -> usize {
        let inner = self.frames.iter().rev();
        let bracket = || {
            inner.clone().find_map(|frame| match frame.form {
                OpenConstruct::Bracket(line) => Some(line),
                _ => None,
            })
        };
        let choice = || {
            let mut until = inner.clone().take_while(|frame| !matches!(frame.form, OpenConstruct::Bracket(_)));
            until.find_map(|frame| match frame.form {
                OpenConstruct::If(line) => Some(line),
                _ => None,
            })
        };
        let Some(frame) = self.frames.last() else { return 0 };
        let outer = match next {
            "def" | "import" => return 0,
            ")" | "]" | "}" => bracket(),
            "then" | "else" => choice(),
            _ => None,
        };
        outer.unwrap_or(if frame.part == PartStart::Line { frame.inside + 2 } else { frame.inside })
    }

    fn open(&mut self, form: OpenConstruct) {
        self.frames.push(LayoutFrame { form, inside: self.line + 2, part: PartStart::None });
    }

    fn part(&mut self, part: PartStart) {
        if let Some(frame) = self.frames.last_mut() {
            frame.part = part;
        }
    }

    /// Drops what is open within the innermost form that `wanted` accepts, unless a bracket is around all of it.
    fn back_to(&mut self, wanted: impl Fn(OpenConstruct) -> bool) -> bool {
        let found = self.frames.iter().rposition(|f| wanted(f.form) || matches!(f.form, OpenConstruct::Bracket(_)));
        match found.filter(|k| wanted(self.frames[*k].form)) {
            Some(k) => {
                self.frames.truncate(k + 1);
                true
            }
            None => false,
        }
    }

    /// Goes past a word or sign, which may begin its line.
    fn pass(&mut self, token: &FormatToken<'_>, begins: bool) {
        let part = if begins { PartStart::Line } else { PartStart::Within };
        let chain = self.chain.take();
        let goes_on = matches!(token.text, ")" | "]" | "}" | "," | ";" | "then" | "else" | "=>" | ":=");
        if let Some(frame) = self.frames.last_mut()
            && frame.part == PartStart::None
            && !goes_on
            && (frame.form != OpenConstruct::Head || token.text == ":")
        {
            frame.part = part;
        }
        match token.text {
            "def" => self.frames = vec![LayoutFrame { form: OpenConstruct::Head, inside: 4, part: PartStart::None }],
            "import" => self.frames.clear(),
            "(" | "[" | "{" => self.open(OpenConstruct::Bracket(self.line)),
            ")" | "]" | "}" if self.back_to(|form| matches!(form, OpenConstruct::Bracket(_))) => {
                self.frames.pop();
            }
            "," => {
                self.back_to(|form| matches!(form, OpenConstruct::Bracket(_)));
                self.part(PartStart::None);
            }
            "let" => self.open(OpenConstruct::Let),
            ";" => {
                if self.back_to(|form| form == OpenConstruct::Let) {
                    self.frames.pop();
                }
                self.part(PartStart::None);
            }
            ":=" => match self.frames.last_mut() {
                Some(frame) if frame.form == OpenConstruct::Head => {
                    *frame = LayoutFrame { form: OpenConstruct::Body, inside: 2, part: PartStart::None }
                }
                _ => self.part(PartStart::None),
            },
            "if" => {
                let line = chain.unwrap_or(if begins { self.line } else { self.line + 2 });
                self.open(OpenConstruct::If(line));
            }
            "then" => {
                self.back_to(|form| matches!(form, OpenConstruct::If(_)));
                self.open(OpenConstruct::Branch);
            }
            "else" => {
                if self.back_to(|form| matches!(form, OpenConstruct::If(_)))
                    && let Some(LayoutFrame { form: OpenConstruct::If(line), .. }) = self.frames.pop()
                {
                    self.chain = Some(line);
                }
                self.open(OpenConstruct::Branch);
            }
            "=>" => self.open(OpenConstruct::Branch),
            _ => {}
        }
    }
}
