//! A [`ScriptParser`] walks over a text's tokens, replaces those that Rhai doesn't know, and collects the definitions.

use std::ops::Range;

use super::head::{DefinitionHead, head, reserved};
use super::left_open::left_open;
use super::sequence::OpenDefinition;
use super::tokens::ScriptTokens;
use super::write::ScriptEdit;
use super::{
    CHOICE, DEFINE, ParsedDefinition, PreparedText, REPLACEMENT_WORDS, RightSide, SEQUENCE, SyntaxOddity, THEN, TRY,
    TextKind,
};
use redexter_language::ground::code;
use redexter_language::syntax::tokens::TokenKind;
use redexter_language::syntax::{GLUED, GLUED_HELP, is_glued};
use rustc_hash::FxHashSet;

/// Operators that Rhai gets in the place of others, with what a user who writes one may mean.
const RHAI_OPERATORS: &[(&str, &str)] = &[
    (THEN, "write `;` or `;;` for one strategy after another"),
    (CHOICE, "write `s <+ t` for s, or t where s fails"),
    (SEQUENCE, "write `s ;; t` for s, then t"),
];

/// The reader of a text: its place, what is open around that, and what was found.
pub(super) struct ScriptParser<'a> {
    pub(super) tokens: ScriptTokens<'a>,
    /// Where the statement ends that goes on at each token.
    pub(super) ends: Vec<usize>,
    /// Where the next `,` stands, in no bracket.
    pub(super) commas: Vec<usize>,
    pub(super) is_strategy: &'a dyn Fn(&str) -> bool,
    /// The definitions of strategies that the text is in, the innermost last.
    pub(super) defining: Vec<OpenDefinition>,
    pub(super) reading: PreparedText,
    /// The names of its definitions.
    pub(super) defined: FxHashSet<String>,
    kind: TextKind,
    /// The number of the first definition.
    first: usize,
    at: usize,
    /// The brackets that are open.
    brackets: Vec<usize>,
    /// The last token that counts.
    last: Option<usize>,
    /// The word behind a rule's function that is none of Rhai's.
    unchecked: Option<usize>,
    pub(super) edits: Vec<ScriptEdit>,
    /// A head is wrong, whatever may follow.
    refused: bool,
}

impl<'a> ScriptParser<'a> {
    pub(super) fn new(
        tokens: ScriptTokens<'a>,
        kind: TextKind,
        first: usize,
        is_strategy: &'a dyn Fn(&str) -> bool,
    ) -> ScriptParser<'a> {
        ScriptParser {
            tokens,
            ends: tokens.ends(),
            commas: tokens.commas(),
            is_strategy,
            defining: Vec::new(),
            reading: PreparedText::default(),
            defined: FxHashSet::default(),
            kind,
            first,
            at: 0,
            brackets: Vec::new(),
            last: None,
            unchecked: None,
            edits: Vec::new(),
            refused: false,
        }
    }

    /// What the text says, and the edits that make it Rhai's.
    pub(super) fn parsed(mut self) -> (PreparedText, Vec<ScriptEdit>) {
        self.walk(self.tokens.all.len());
        if let Some(oddity) = left_open(self.tokens) {
            // What stands behind isn't read as it was meant.
            self.reading.oddities.retain(|before| before.at.start < oddity.at.start);
            self.reading.oddities.push(oddity);
        }
        let goes_on =
            self.tokens.all.iter().any(|token| token.open || token.kind == TokenKind::Open && token.partner.is_none());
        let last = self.last.map_or("", |last| self.tokens.text(last));
        let sign = self.last.is_some_and(|last| self.tokens.is(last, TokenKind::Sign));
        let dangling = matches!(last, "<+" | ";;" | "where") || sign && last.ends_with(['=', ',', '.', '>']);
        self.reading.complete = self.refused || !goes_on && !dangling;
        (self.reading, self.edits)
    }

    fn walk(&mut self, end: usize) {
        while self.at < end {
            self.token();
        }
    }

    /// Reads a range of tokens within a bracket that was skipped, and gives the token behind what was read: a definition that
    /// begins in the range may have gone on behind it.
    pub(super) fn within(&mut self, bracket: usize, range: Range<usize>) -> usize {
        self.at = range.start;
        self.brackets.push(bracket);
        self.walk(range.end);
        self.brackets.pop();
        self.at
    }

    /// Goes on at this token.
    pub(super) fn skip_to(&mut self, at: usize) {
        let mut skipped = self.tokens.all[..at].iter();
        self.last = skipped.rposition(|token| token.counts()).or(self.last);
        self.at = at;
    }

    pub(super) fn edit(&mut self, range: Range<usize>, new: &str) {
        let edit = ScriptEdit { range, new: new.to_owned() };
        if !edit.fits(self.tokens.text) {
            self.reading.oddities.push(SyntaxOddity {
                at: edit.range.clone(),
                code: code::SYNTAX,
                headline: "this takes too many lines for what it says".to_owned(),
                help: "write it on one line".to_owned(),
            });
        }
        self.edits.push(edit);
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> usize {
        self.brackets.len()
    }

    /// The innermost bracket that is open.
    pub(super) fn bracket(&self) -> &'a str {
        self.brackets.last().map_or("", |bracket| self.tokens.text(*bracket))
    }

    fn token(&mut self) {
        let (at, token) = (self.at, self.tokens.all[self.at]);
        let text = self.tokens.text(at);
        self.at += 1;
        match token.kind {
            TokenKind::Comment => self.comment(token.range(), token.open),
            TokenKind::Open => self.brackets.push(at),
            TokenKind::Close => drop(self.brackets.pop()),
            TokenKind::Sign => self.sign(at, text),
            TokenKind::Word if self.unchecked == Some(at) => self.edit(token.range(), ""),
            TokenKind::Word => return self.word(at, text),
            TokenKind::Space | TokenKind::Number | TokenKind::Quoted | TokenKind::Ticked => {}
        }
        if token.counts() {
            self.last = Some(at);
        }
    }

    fn comment(&mut self, range: Range<usize>, open: bool) {
        if open {
            self.reading.oddities.push(SyntaxOddity {
                at: range.start..range.start + 2,
                code: code::UNTERMINATED_COMMENT,
                headline: "this comment is never closed".to_owned(),
                help: "write `*/` where it ends; comments nest, so each opening needs its own".to_owned(),
            });
        }
        if is_glued(self.tokens.text, range.start) {
            self.reading.oddities.push(SyntaxOddity {
                at: range.start..range.start + 2,
                code: code::COMMENT_AS_OPERATION,
                headline: GLUED.to_owned(),
                help: GLUED_HELP.to_owned(),
            });
        }
        self.edit(range, "");
    }

    fn sign(&mut self, at: usize, sign: &str) {
        let range = self.tokens.all[at].range();
        match sign {
            "<+" | ";;" => {
                self.sides(at, sign);
                self.edit(range, if sign == "<+" { CHOICE } else { SEQUENCE });
            }
            ";" => self.semicolon(at),
            _ => {
                if let Some((_, help)) = RHAI_OPERATORS.iter().find(|(nothing, _)| *nothing == sign) {
                    let headline = format!("`{sign}` means nothing in a schedule");
                    self.reading.oddities.push(SyntaxOddity {
                        at: range,
                        code: code::SYNTAX,
                        headline,
                        help: (*help).to_owned(),
                    });
                }
            }
        }
    }

    /// Tells where nothing stands on a side of an operator between strategies: what follows by chance would be blamed.
    fn sides(&mut self, at: usize, sign: &str) {
        let tokens = self.tokens;
        let closes = |text: &str| ["", ")", "]", "}", ",", ";", ";;", "<+"].contains(&text);
        let opens = |text: &str| ["", "(", "[", "{", ",", ";", "="].contains(&text);
        let (before, behind) = (self.last.map_or("", |last| tokens.text(last)), tokens.text(tokens.counting(at + 1)));
        let side = match (opens(before), closes(behind)) {
            (true, _) => "before",
            (_, true) => "behind",
            _ => return,
        };
        self.reading.oddities.push(SyntaxOddity {
            at: tokens.all[at].range(),
            code: code::SYNTAX,
            headline: format!("a strategy is missing {side} `{sign}`"),
            help: format!("write one there, as in `beta {sign} getBuild`, or leave `{sign}` out"),
        });
    }

    fn semicolon(&mut self, at: usize) {
        let range = self.tokens.all[at].range();
        let whole = self.brackets.is_empty() && self.kind == TextKind::Parenthesised;
        if whole && self.tokens.text(self.tokens.counting(at + 1)).is_empty() {
            return self.edit(range, "");
        }
        if whole || matches!(self.bracket(), "(" | "[") || self.goes_on(at) {
            return self.edit(range, THEN);
        }
        self.reading.ends.push(range.start);
    }

    fn word(&mut self, at: usize, word: &str) {
        let tokens = self.tokens;
        let last = self.last.map_or("", |last| tokens.text(last));
        let next = tokens.counting(at + 1);
        let field = self.last.is_some_and(|last| last > 0 && tokens.text(last) == "{" && tokens.text(last - 1) == "#");
        let statement = !field && (last.is_empty() || last.ends_with([';', '{', '}']));
        self.last = Some(at);
        match word {
            "try" if tokens.text(next) == "(" && last != "." => self.edit(tokens.all[at].range(), TRY),
            "strategy" if last != "." && last != "for" && (statement || tokens.is(next, TokenKind::Word)) => {
                self.define(at)
            }
            "rule" if statement && (tokens.is(next, TokenKind::Word) || self.looks_like_a_rule(next)) => {
                self.define(at)
            }
            // Fields may be called so.
            _ if REPLACEMENT_WORDS.contains(&word) && last != "." && tokens.text(next) != ":" => {
                self.reading.oddities.push(reserved(word, tokens.all[at].range()));
            }
            _ => {}
        }
    }

    /// Whether what follows `rule`, and is no name, is a part of a rule: elsewhere it may be a variable.
    fn looks_like_a_rule(&self, next: usize) -> bool {
        let tokens = self.tokens;
        let behind = tokens.partner(next).unwrap_or(next);
        let equals = match tokens.text(next) {
            "=" => next,
            _ => tokens.counting(behind + 1),
        };
        let law = tokens.is(tokens.counting(equals + 1), TokenKind::Ticked);
        match tokens.text(next) {
            "=" => law,
            _ if tokens.is(next, TokenKind::Ticked) => true,
            _ => tokens.text(equals) == "=" && (law || !tokens.is(next, TokenKind::Sign)),
        }
    }

    /// Reads a definition, of a strategy up to its right side, of a rule of laws whole.
    fn define(&mut self, keyword: usize) {
        let tokens = self.tokens;
        let head = match head(tokens, keyword) {
            Ok(head) => head,
            Err((at, oddity)) => {
                self.refused |= at < tokens.all.len();
                return self.reading.oddities.push(oddity);
            }
        };
        let right = tokens.counting(head.equals + 1);
        let is_rule = tokens.text(keyword) == "rule";
        let is_function = tokens.is(right, TokenKind::Word) || tokens.text(right).starts_with('|');
        self.reading.oddities.extend(head.unreadable(tokens));
        let end = self.ends[keyword];
        let number = self.reading.definitions.len();
        let right = match (is_rule, is_function) {
            (false, _) => {
                let depth = self.depth();
                while self.defining.pop_if(|outer| outer.depth >= depth).is_some() {}
                self.defining.push(OpenDefinition { number, depth });
                RightSide::Strategy { ended: false }
            }
            (true, true) => self.function(right, end),
            (true, false) => RightSide::Laws,
        };
        self.defined.insert(tokens.text(head.name).to_owned());
        self.reading.definitions.push(ParsedDefinition {
            name: tokens.text(head.name).to_owned(),
            at: tokens.all[head.name].range(),
            params: head.params.iter().map(|param| (*param).to_owned()).collect(),
            range: tokens.start(keyword)..tokens.start(end),
            right,
        });
        match self.reading.definitions[number].right {
            RightSide::Laws => self.laws(keyword, end, self.first + number),
            _ => self.replace(keyword, &head, self.first + number),
        }
    }

    /// The function of a rule, up to the end of the statement.
    fn function(&mut self, start: usize, end: usize) -> RightSide {
        let tokens = self.tokens;
        self.reading.computes = true;
        let mut parts = (start..end).rev().filter(|k| tokens.all[*k].counts());
        let unchecked = parts.next().filter(|last| tokens.text(*last) == "unchecked");
        let unchecked = unchecked.filter(|_| parts.next().is_some_and(|before| !tokens.is(before, TokenKind::Sign)));
        self.unchecked = unchecked.or(self.unchecked);
        let body = tokens.start(start)..tokens.start(unchecked.unwrap_or(end));
        RightSide::Function { body, unchecked: unchecked.is_some() }
    }

    /// Writes a definition's number for its head.
    fn replace(&mut self, keyword: usize, head: &DefinitionHead, number: usize) {
        let tokens = self.tokens;
        self.edit(tokens.start(keyword)..tokens.all[head.equals].end, &format!("{DEFINE} {number}"));
        self.skip_to(head.equals + 1);
    }
}
