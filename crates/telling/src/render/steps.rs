//! Renders the steps of a derivation: the redex is marked in the term before each, the contractum in the term after it.

use super::work::{change, polynomial};
use crate::styled::{Look, Styled};
use redexter_language::cost::{self, Poly, WorkMeter};
use redexter_language::ground::text::counted;
use redexter_language::syntax::{Excerpt, ExcerptPrinter, PrintStyle, PrintedPiece, Window};
use redexter_language::term::{Path, Term};
use redexter_rewriting::strategy::{Step, Trace};

/// The lines of its terms that a step shows.
const WINDOW: Window = Window { context: 3, ends: 8 };

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
    written(rewrite, &mut printer(width))
}

fn printer(width: usize) -> ExcerptPrinter {
    Excerpts::printer(width.saturating_sub(4))
}

fn written(rewrite: &Rewrite, printer: &mut ExcerptPrinter) -> Styled {
    let place = match rewrite.path.display(rewrite.before) {
        root if root.is_empty() => String::new(),
        place => format!(" at {}", Path::shortened(&place)),
    };
    let law = if rewrite.law.is_empty() { String::new() } else { format!(": {}", rewrite.law) };
    let mut out = Styled::from(format!("{}. ", rewrite.number))
        .and(Look::Rule, rewrite.rule)
        .and(Look::Aside, &format!("{place}{law}"))
        .then("\n");
    if let Some(work) = change(rewrite.work.0, rewrite.work.1) {
        out = out.then("  ").and(Look::Aside, "work:").then(" ").then(work).then("\n");
    }
    let Excerpts { before, after } = Excerpts::of([rewrite.before, rewrite.after], rewrite.path, printer);
    for (sign, term, look) in [("-", before, Look::Redex), ("+", after, Look::Contractum)] {
        for (k, line) in lines(&term, look).into_iter().enumerate() {
            let lead = if k == 0 { format!("  {sign} ") } else { "    ".to_owned() };
            out = out.then(lead).then(line).then("\n");
        }
    }
    out
}

/// The excerpts of its terms that a step shows: the lines around the redex of the one before, around the contractum of the other.
pub struct Excerpts {
    /// Of the term before.
    pub before: Excerpt,
    /// Of the term after.
    pub after: Excerpt,
}

impl Excerpts {
    /// Writes terms in lines of this width.
    pub fn printer(width: usize) -> ExcerptPrinter {
        ExcerptPrinter::new(WINDOW, &PrintStyle { width })
    }

    /// Of the terms before and after a rewrite at `path`.
    pub fn of(terms: [&Term; 2], path: &Path, printer: &mut ExcerptPrinter) -> Excerpts {
        let mut excerpts = printer.around(terms, path);
        // Of a redex too long to be shown whole only the part that changes is marked.
        if excerpts.iter().any(hides_some_of_the_mark) {
            excerpts = printer.around(terms, &difference(terms, path));
        }
        let [before, after] = excerpts;
        Excerpts { before, after }
    }

    /// The lines of one of them as text, the mark between `«` and `»`.
    pub fn text(excerpt: &Excerpt) -> impl Iterator<Item = String> {
        lines(excerpt, Look::Redex).into_iter().map(|line| line.text().to_owned())
    }
}

/// Whether lines between the first and the last marked one are left out.
fn hides_some_of_the_mark(excerpt: &Excerpt) -> bool {
    let is_marked =
        |line: &Option<Vec<PrintedPiece>>| line.as_ref().is_some_and(|pieces| pieces.iter().any(|piece| piece.marked));
    let first = excerpt.iter().position(is_marked).unwrap_or(0);
    let last = excerpt.iter().rposition(is_marked).unwrap_or(0);
    excerpt[first..last].iter().any(Option::is_none)
}

/// The innermost place at or below this one that has all in which the terms differ.
fn difference([before, after]: [&Term; 2], path: &Path) -> Path {
    let mut found = path.clone();
    let (Some(mut old), Some(mut new)) = (path.find(before), path.find(after)) else { return found };
    while old.kid_count() == new.kid_count() {
        let mut different = (0..old.kid_count()).filter(|k| old.kid(*k) != new.kid(*k));
        let (Some(only), None) = (different.next(), different.next()) else { break };
        // More than this child differs, such as a size of the terms' own.
        if old.with_kid(only, new.kid(only)).is_ok_and(|changed| changed != new) {
            break;
        }
        found.0.push(only as u32);
        (old, new) = (old.kid(only), new.kid(only));
    }
    found
}

/// A derivation as text, its steps numbered from `first`, and what it did to the work.
pub fn trace(trace: &Trace, first: usize, width: usize) -> Styled {
    steps(trace, first, width).then(in_total(trace))
}

/// A derivation step by step, and what it did to the work at the end.
pub fn each_step(trace: &Trace, width: usize) -> impl Iterator<Item = Styled> {
    let (mut known, mut printer) = (RunningWork::default(), printer(width));
    let steps = trace.rewrites().enumerate();
    let steps = steps.map(move |(k, rewrite)| numbered(k + 1, &rewrite, &mut known, &mut printer));
    steps.chain(std::iter::once_with(|| in_total(trace)))
}

fn in_total(trace: &Trace) -> Styled {
    let Some(last) = trace.terms().last() else { return Styled::default() };
    let (before, after) = (total(&trace.start), total(&last));
    let work = change(&before, &after).unwrap_or_else(|| format!("{}, as before", polynomial(&after)).into());
    Styled::of(Look::Aside, "work in total:").then(" ").then(work).then("\n")
}

/// The steps of a derivation.
pub fn steps(trace: &Trace, first: usize, width: usize) -> Styled {
    let (mut known, mut printer) = (RunningWork::default(), printer(width));
    let each = trace.rewrites().enumerate();
    each.map(|(k, rewrite)| numbered(first + k, &rewrite, &mut known, &mut printer)).collect()
}

/// The first and the last steps of a derivation that leads to this term, so many of each.
pub fn ends(trace: &Trace, end: &Term, first: usize, most: usize, width: usize) -> Styled {
    let count = trace.steps.len();
    if count <= most.saturating_mul(2) {
        return steps(trace, first, width);
    }
    let (mut known, mut printer) = (RunningWork::default(), printer(width));
    let mut out = Styled::default();
    for (k, rewrite) in trace.rewrites().take(most).enumerate() {
        out.append(&numbered(first + k, &rewrite, &mut known, &mut printer));
    }
    // The steps that follow don't begin where the last one ended.
    known.work = None;
    let (from, to) = (first + most, first + count - most - 1);
    let hidden = counted(count - 2 * most, "step");
    out.push(Look::Aside, &format!("… {hidden}; `:trace {from}..{to}` lists them, `:trace` tells the stages …\n"));
    for (k, rewrite) in trace.last_rewrites(end, most).into_iter().enumerate() {
        out.append(&numbered(to + 1 + k, &rewrite, &mut known, &mut printer));
    }
    out
}

/// The work that is known from the steps before.
#[derive(Default)]
struct RunningWork {
    meter: WorkMeter,
    /// After the last one, if it was the one before.
    work: Option<Poly>,
}

/// A step with its number.
fn numbered(
    number: usize,
    (done, before, after): &(&Step, Term, Term),
    known: &mut RunningWork,
    printer: &mut ExcerptPrinter,
) -> Styled {
    let (rule, law) = (format!("{}{}", done.rule(), done.rule().mark()), done.rule().law_for(&done.redex));
    let from = known.work.take().unwrap_or_else(|| known.meter.total(before));
    let to = known.meter.total(after);
    let path = &done.path();
    let text = written(&Rewrite { number, rule: &rule, law: &law, path, before, after, work: (&from, &to) }, printer);
    known.work = Some(to);
    text
}

fn total(term: &Term) -> Poly {
    cost::work(term).total()
}

/// The lines of a term, the mark between `«` and `»`; `…` for lines that are left out.
fn lines(excerpt: &Excerpt, look: Look) -> Vec<Styled> {
    // Whether each piece is marked, one piece ahead of the lines.
    let mut rest = excerpt.iter().flatten().flatten().map(|piece| piece.marked).skip(1);
    let mut inside = false;
    let mut line = |pieces: &Vec<PrintedPiece>| {
        let mut line = Styled::default();
        for piece in pieces {
            let marked_next = rest.next().unwrap_or(false);
            if let Some(indent) = piece.text.strip_prefix('\n') {
                line.plain(indent);
                continue;
            }
            if piece.marked && !inside {
                line.push(Look::Mark, "«");
            }
            inside = piece.marked;
            line.push(if inside { look } else { Look::Role(piece.role) }, &piece.text);
            if inside && !marked_next {
                line.push(Look::Mark, "»");
            }
        }
        line
    };
    excerpt.iter().map(|shown| shown.as_ref().map_or_else(|| "…".into(), &mut line)).collect()
}
