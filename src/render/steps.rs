//! Derivations: what each step rewrote, marked in the whole term, and what it made of it.

use super::styled::{Look, Styled};
use super::work::{change, polynomial};
use crate::cost::{self, Poly};
use crate::ground::text::counted;
use crate::strategy::{Step, Trace};
use crate::syntax::{Piece, Style, print_pieces};
use crate::term::{Path, Term};

/// Lines of a term around its mark that a step shows.
const CONTEXT: usize = 3;

/// The most lines of a marked subterm that a step shows at its start and at its end.
const ENDS: usize = 8;

/// One rewrite of a whole term.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'a> {
    /// Its number in the derivation, from 1.
    pub number: usize,
    /// The rule, as users write it.
    pub rule: &'a str,
    /// Its law; nothing for one without another name.
    pub law: &'a str,
    /// Where the redex stands, and afterwards the contractum.
    pub path: &'a Path,
    /// The whole term before.
    pub before: &'a Term,
    /// The whole term after.
    pub after: &'a Term,
    /// The work of the whole term before and after.
    pub work: (&'a Poly, &'a Poly),
}

/// A step as text that ends in a line break: rule, place and law, then both terms, the redex marked in the old one and
/// the contractum in the new one, between `«` and `»`. Of long terms only the surroundings are shown.
pub fn step(rewrite: &Rewrite, width: usize) -> Styled {
    let place = match rewrite.path.display(rewrite.before) {
        root if root.is_empty() => String::new(),
        place => format!(" at {place}"),
    };
    let law = if rewrite.law.is_empty() { String::new() } else { format!(": {}", rewrite.law) };
    let mut out = Styled::from(format!("{}. ", rewrite.number))
        .and(Look::Rule, rewrite.rule)
        .and(Look::Aside, &format!("{place}{law}"))
        .then("\n");
    if let Some(work) = change(rewrite.work.0, rewrite.work.1) {
        out = out.then("  ").and(Look::Aside, "work:").then(" ").then(work).then("\n");
    }
    for (sign, term, look) in [("-", rewrite.before, Look::Redex), ("+", rewrite.after, Look::Contractum)] {
        let style = Style { width: width.saturating_sub(4) };
        let pieces = print_pieces(term, &[], Some(rewrite.path), &style);
        for (k, line) in excerpt(lines(&pieces, look)).into_iter().enumerate() {
            let lead = if k == 0 { format!("  {sign} ") } else { "    ".to_owned() };
            out = out.then(lead).then(line).then("\n");
        }
    }
    out
}

/// A derivation as text, its steps numbered from `first`, and what it did to the work.
pub fn trace(trace: &Trace, first: usize, width: usize) -> Styled {
    steps(trace, first, usize::MAX, width).then(in_total(trace))
}

/// A derivation step by step, and what it did to the work at the end.
pub fn each_step(trace: &Trace, width: usize) -> impl Iterator<Item = Styled> {
    let mut known: Option<Poly> = None;
    let steps = trace.rewrites().enumerate().map(move |(k, rewrite)| numbered(k + 1, &rewrite, &mut known, width));
    steps.chain(std::iter::once_with(|| in_total(trace)))
}

fn in_total(trace: &Trace) -> Styled {
    let Some(last) = trace.terms().last() else { return Styled::default() };
    let (before, after) = (total(&trace.start), total(&last));
    let work = change(&before, &after).unwrap_or_else(|| format!("{}, as before", polynomial(&after)).into());
    Styled::of(Look::Aside, "work in total:").then(" ").then(work).then("\n")
}

/// The steps of a derivation. Of a long one only the first and the last, `ends` of each, are shown.
pub fn steps(trace: &Trace, first: usize, ends: usize, width: usize) -> Styled {
    let count = trace.steps.len();
    let hidden = |k: usize| k >= ends && k.saturating_add(ends) < count;
    let mut out = Styled::default();
    let mut known: Option<Poly> = None;
    for (k, rewrite) in trace.rewrites().enumerate() {
        if !hidden(k) {
            out.append(&numbered(first + k, &rewrite, &mut known, width));
        } else if k == ends {
            known = None;
            let steps = counted(count - 2 * ends, "step");
            let (from, to) = (first + ends, first + count - ends - 1);
            out.push(Look::Aside, &format!("… {steps}; `:trace {from}..{to}` lists them, `:trace` tells the stages …"));
            out.plain("\n");
        }
    }
    out
}

/// A step with its number; `known` is the work before it, where that is known, and then the work after it.
fn numbered(
    number: usize,
    (done, before, after): &(&Step, Term, Term),
    known: &mut Option<Poly>,
    width: usize,
) -> Styled {
    let (rule, law) = (format!("{}{}", done.rule(), done.rule().mark()), done.rule().law_for(&done.redex));
    let (from, to) = (known.take().unwrap_or_else(|| total(before)), total(after));
    let path = &done.path();
    let text = step(&Rewrite { number, rule: &rule, law: &law, path, before, after, work: (&from, &to) }, width);
    *known = Some(to);
    text
}

fn total(term: &Term) -> Poly {
    cost::work(term).total()
}

/// A line of text and whether the mark reaches into it.
type Line = (Styled, bool);

fn lines(pieces: &[Piece], look: Look) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    let mut inside = false;
    for (k, piece) in pieces.iter().enumerate() {
        if let Some(indent) = piece.text.strip_prefix('\n') {
            lines.push((indent.into(), piece.marked));
            continue;
        }
        let Some((line, marked)) = lines.last_mut() else { continue };
        *marked |= piece.marked;
        if piece.marked && !inside {
            line.push(Look::Mark, "«");
        }
        inside = piece.marked;
        line.push(if piece.marked { look } else { Look::Role(piece.role) }, &piece.text);
        if inside && !pieces.get(k + 1).is_some_and(|next| next.marked) {
            line.push(Look::Mark, "»");
        }
    }
    lines
}

/// The lines around the mark, `…` for what is left out.
fn excerpt(lines: Vec<Line>) -> Vec<Styled> {
    let first = lines.iter().position(|(_, marked)| *marked).unwrap_or(0);
    let last = lines.iter().rposition(|(_, marked)| *marked).unwrap_or(0);
    let shown = |k: usize| k + CONTEXT >= first && k <= last + CONTEXT && (k < first + ENDS || k + ENDS > last);
    let mut out: Vec<Styled> = Vec::new();
    let mut gap = false;
    for (k, (line, _)) in lines.into_iter().enumerate() {
        if shown(k) {
            gap = false;
            out.push(line);
        } else if !gap {
            gap = true;
            out.push("…".into());
        }
    }
    out
}
