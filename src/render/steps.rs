//! Derivations: what each step rewrote, marked in the whole term, and what it made of it.

use super::theme::{Look, paint};
use super::work::{change, polynomial};
use crate::cost::{self, Poly};
use crate::ground::text::counted;
use crate::strategy::Trace;
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
    /// Its law.
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
/// the contractum in the new one; without colour between `«` and `»`. Of long terms only the surroundings are shown.
pub fn step(rewrite: &Rewrite, width: usize, colour: bool) -> String {
    let place = match rewrite.path.display(rewrite.before) {
        root if root.is_empty() => String::new(),
        place => format!(" at {place}"),
    };
    let mut out = format!("{}. {}", rewrite.number, paint(Look::Rule, rewrite.rule, colour));
    out += &paint(Look::Aside, &format!("{place}: {}", rewrite.law), colour);
    out.push('\n');
    if let Some(work) = change(rewrite.work.0, rewrite.work.1, colour) {
        out += &format!("  {} {work}\n", paint(Look::Aside, "work:", colour));
    }
    for (sign, term, look) in [("-", rewrite.before, Look::Redex), ("+", rewrite.after, Look::Contractum)] {
        let style = Style { width: width.saturating_sub(4) };
        let pieces = print_pieces(term, &[], Some(rewrite.path), &style);
        for (k, line) in excerpt(lines(&pieces, look, colour)).iter().enumerate() {
            let lead = if k == 0 { format!("  {sign} ") } else { "    ".to_owned() };
            out += &format!("{lead}{line}\n");
        }
    }
    out
}

/// A derivation as text, its steps numbered from `first`, and what it did to the work.
pub fn trace(trace: &Trace, first: usize, width: usize, colour: bool) -> String {
    let mut out = steps(trace, first, usize::MAX, width, colour);
    let last = trace.terms().last();
    let (before, after) = (total(&trace.start), last.as_ref().map(total));
    if let Some(after) = after {
        let changed = change(&before, &after, colour);
        let work = changed.unwrap_or_else(|| format!("{}, as before", polynomial(&after)));
        out += &format!("{} {work}\n", paint(Look::Aside, "work in total:", colour));
    }
    out
}

/// The steps of a derivation. Of a long one only the first and the last, `ends` of each, are shown.
pub fn steps(trace: &Trace, first: usize, ends: usize, width: usize, colour: bool) -> String {
    let count = trace.steps.len();
    let hidden = |k: usize| k >= ends && k.saturating_add(ends) < count;
    let mut out = String::new();
    let mut before = trace.start.clone();
    let mut known: Option<Poly> = None;
    for (k, (done, after)) in trace.steps.iter().zip(trace.terms()).enumerate() {
        if !hidden(k) {
            let (rule, law) = (format!("{}{}", done.rule(), done.rule().mark()), done.rule().law_for(&done.redex));
            let (from, to) = (known.take().unwrap_or_else(|| total(&before)), total(&after));
            let (number, path) = (first + k, &done.path());
            let rewrite =
                Rewrite { number, rule: &rule, law: &law, path, before: &before, after: &after, work: (&from, &to) };
            out += &step(&rewrite, width, colour);
            known = Some(to);
        } else if k == ends {
            known = None;
            let left_out = count - 2 * ends;
            let steps = counted(left_out, "step");
            out += &paint(Look::Aside, &format!("… {steps}; `:trace` shows them all …"), colour);
            out.push('\n');
        }
        before = after;
    }
    out
}

fn total(term: &Term) -> Poly {
    cost::work(term).total()
}

/// A line of text and whether the mark reaches into it.
type Line = (String, bool);

fn lines(pieces: &[Piece], look: Look, colour: bool) -> Vec<Line> {
    let mut lines = vec![(String::new(), false)];
    let mut inside = false;
    for (k, piece) in pieces.iter().enumerate() {
        if let Some(indent) = piece.text.strip_prefix('\n') {
            lines.push((indent.to_owned(), piece.marked));
            continue;
        }
        let Some((line, marked)) = lines.last_mut() else { continue };
        *marked |= piece.marked;
        if piece.marked && !inside && !colour {
            line.push('«');
        }
        inside = piece.marked;
        let look = if piece.marked { look } else { Look::Role(piece.role) };
        *line += &paint(look, &piece.text, colour);
        if inside && !colour && !pieces.get(k + 1).is_some_and(|next| next.marked) {
            line.push('»');
        }
    }
    lines
}

/// The lines around the mark, `…` for what is left out.
fn excerpt(lines: Vec<Line>) -> Vec<String> {
    let first = lines.iter().position(|(_, marked)| *marked).unwrap_or(0);
    let last = lines.iter().rposition(|(_, marked)| *marked).unwrap_or(0);
    let shown = |k: usize| k + CONTEXT >= first && k <= last + CONTEXT && (k < first + ENDS || k + ENDS > last);
    let mut out: Vec<String> = Vec::new();
    let mut gap = false;
    for (k, (line, _)) in lines.into_iter().enumerate() {
        if shown(k) {
            gap = false;
            out.push(line);
        } else if !gap {
            gap = true;
            out.push("…".to_owned());
        }
    }
    out
}
