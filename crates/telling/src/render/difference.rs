//! Renders the difference of two terms line by line: lines that only one of them has, and in similar lines the words that differ.
//!
//! Patience diff (Cohen) finds it, for lines as for words: what both have once is matched first, so that spaces don't tear words
//! apart.

use super::page::MAX_PRINTED_NODES;
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Term;
use similar::algorithms::{Capture, Compact, Replace, patience};
use similar::{DiffOp, DiffTag, diff_ratio, group_diff_ops};
use std::iter::from_fn;

/// The share that lines must have in common to be compared word by word.
const MIN_SIMILARITY: f32 = 0.3;

/// The lines that are shown around a difference.
const CONTEXT_LINES: usize = 3;

/// Two terms line by line, what is only in the one or the other marked.
pub fn difference(names: &(String, String), before: &Term, after: &Term, page: PageLayout) -> Styled {
    if before == after {
        return Styled::of(Look::Aside, &format!("{} and {} are the same term", names.0, names.1));
    }
    if before.size().max(after.size()) > MAX_PRINTED_NODES {
        let sizes = format!("{} has {} nodes, {} has {}", names.0, before.size(), names.1, after.size());
        let text = format!(
            "{sizes}: lines of more than {MAX_PRINTED_NODES} nodes aren't compared; `:at PATH` shows a part of the current term"
        );
        return Styled::of(Look::Aside, &text);
    }
    let print = |term: &Term| print_term(term, &PrintStyle { width: page.width.saturating_sub(2) });
    let (old, new) = (print(before), print(after));
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut out =
        Styled::of(Look::Redex, &format!("- {}\n", names.0)).and(Look::Contractum, &format!("+ {}\n", names.1));
    for (k, group) in group_diff_ops(compared(&old, &new), CONTEXT_LINES).iter().enumerate() {
        if k > 0 {
            out.push(Look::Aside, "…\n");
        }
        for part in group {
            let (tag, olds, news) = part.as_tag_tuple();
            let (olds, news) = (&old[olds], &new[news]);
            match tag {
                DiffTag::Equal => lines(&mut out, ("  ", Look::Plain), olds),
                _ => changed(&mut out, olds, news),
            }
        }
    }
    out
}

/// The ranges of two sequences that are equal, and those that take each other's place, in their order.
///
/// One function for lines and words: what is generic in it is compiled once.
fn compared(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    match patience::diff(&mut found, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => found.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

const OLD: (&str, Look) = ("- ", Look::Redex);
const NEW: (&str, Look) = ("+ ", Look::Contractum);

/// Lines with their sign, nothing in them marked.
fn lines(out: &mut Styled, (sign, look): (&str, Look), lines: &[&str]) {
    for line in lines {
        out.push(look, sign);
        out.push(look, line);
        out.plain("\n");
    }
}

/// Lines in the place of others; where they are alike, with the words in which they differ marked.
fn changed(out: &mut Styled, olds: &[&str], news: &[&str]) {
    let plain = |out: &mut Styled| {
        lines(out, OLD, olds);
        lines(out, NEW, news);
    };
    // The share of the lines that can have a counterpart: one line beside many is not like them, whatever its words.
    if 2.0 * olds.len().min(news.len()) as f32 / ((olds.len() + news.len()) as f32) < MIN_SIMILARITY {
        return plain(out);
    }
    let (old, new) = (words(olds), words(news));
    let parts = compared(&old.concat(), &new.concat());
    let [mut in_old, mut in_new] = [&old, &new].map(|lines| vec![false; lines.iter().map(Vec::len).sum()]);
    if diff_ratio(&parts, in_old.len(), in_new.len()) < MIN_SIMILARITY {
        return plain(out);
    }
    for part in parts.iter().filter(|part| part.tag() != DiffTag::Equal) {
        in_old[part.old_range()].fill(true);
        in_new[part.new_range()].fill(true);
    }
    marked(out, OLD, &old, in_old);
    marked(out, NEW, &new, in_new);
}

/// The words of each line, and the spaces between them.
fn words<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let is_space = |text: &str| text.starts_with(char::is_whitespace);
    let words = |line: &'a str| {
        let mut rest = line;
        from_fn(move || {
            let end = rest.find(|c: char| c.is_whitespace() != is_space(rest)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            rest = behind;
            (!word.is_empty()).then_some(word)
        })
    };
    lines.iter().map(|line| words(line).collect()).collect()
}

/// Lines with their sign; words that differ stand in marks, those side by side in the same ones.
fn marked(out: &mut Styled, (sign, look): (&str, Look), lines: &[Vec<&str>], differ: Vec<bool>) {
    let mut differ = differ.into_iter();
    for line in lines {
        out.push(look, sign);
        let words: Vec<(&str, bool)> = line.iter().copied().zip(differ.by_ref()).collect();
        for run in words.chunk_by(|(_, a), (_, b)| a == b) {
            let text: String = run.iter().map(|(word, _)| *word).collect();
            if run[0].1 && !text.trim().is_empty() {
                out.push(Look::Mark, "«");
                out.push(look, &text);
                out.push(Look::Mark, "»");
            } else {
                out.push(look, &text);
            }
        }
        out.plain("\n");
    }
}
