//! Replaces rules of laws by calls at the same place, with the functions that stand in their conditions. The laws themselves are
//! for the parser of the array language.

use std::ops::Range;

use super::LAWS;
use super::parser::ScriptParser;
use super::tokens::ScriptTokens;
use super::write::ScriptEdit;
use redexter_language::syntax::tokens::TokenKind;

impl ScriptParser<'_> {
    /// Replaces a rule of laws, from its keyword to its end, by `Rule(7)` or `Rule(7,[…])`: of it only the functions in its
    /// conditions are left.
    pub(super) fn laws(&mut self, keyword: usize, end: usize, number: usize) {
        let tokens = self.tokens;
        self.reading.computes |= (keyword..end).any(|k| tokens.text(k) == "where");
        let mut call = format!("{LAWS}({number}");
        let mut copied = tokens.start(keyword);
        for ConditionFunction { bracket, range } in functions(tokens, &self.commas, keyword..end) {
            // A rule that begins in the function before may have gone on to here, and behind.
            if tokens.start(range.start) < copied {
                continue;
            }
            call.push_str(if call.starts_with(LAWS) { ",[" } else { "" });
            self.edit(copied..tokens.start(range.start), &call);
            let behind = self.within(bracket, range);
            (call, copied) = (",".to_owned(), tokens.start(behind));
        }
        let close = if call.starts_with(LAWS) { format!("{call})") } else { "])".to_owned() };
        // Behind a function that was only begun there may be no room; then Rhai says what is missing.
        self.edits.push(ScriptEdit { range: copied..tokens.start(end).max(copied), new: close });
        self.skip_to(end);
    }
}

/// A function in a condition, and the bracket that it stands in.
struct ConditionFunction {
    bracket: usize,
    range: Range<usize>,
}

/// The functions in a rule's conditions: what stands between `holds(` and the comma behind it.
fn functions(tokens: ScriptTokens<'_>, commas: &[usize], rule: Range<usize>) -> Vec<ConditionFunction> {
    let mut found: Vec<ConditionFunction> = Vec::new();
    for k in rule.clone().filter(|k| tokens.text(*k) == "holds") {
        let bracket = tokens.counting(k + 1);
        let start = tokens.counting(bracket + 1);
        let bar = |k: usize| tokens.is(k, TokenKind::Sign) && tokens.text(k).starts_with('|');
        let within = found.last().is_some_and(|last| k < last.range.end);
        if within || tokens.text(bracket) != "(" || !bar(start) {
            continue;
        }
        let body = match tokens.text(start) {
            "|" => (start + 1..rule.end).find(|k| bar(*k)),
            _ => Some(start),
        };
        if let Some(end) = body.map(|body| commas[body + 1]).filter(|end| *end < rule.end) {
            found.push(ConditionFunction { bracket, range: start..end });
        }
    }
    found
}
