//! Writes a derivation as a document in LaTeX, set as the paper sets programs: words upright and typewritten, variables in
//! italics, sizes below `build` and `ifold`, `λ` for functions. The redex is underlined in the term before, the contractum in
//! the term after.
//!
//! It needs nothing but amsmath, amssymb and color, and compiles with pdflatex, xelatex and lualatex.

use super::derivation::TitledDerivation;
use super::notes::{DerivationNotes, StageNote, StepNote};
use super::tex::{identifier, math, prose, typewritten};
use crate::render::{Excerpts, polynomial};
use redexter_language::ground::text::counted;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{Excerpt, PrintRole, PrintStyle, PrintedPiece, print_pieces};
use redexter_language::term::Term;

/// Terms are laid out to this width.
const WIDTH: usize = 72;

/// The beginning of each paper that redexter writes.
pub const BEGINNING: &str = "% Written by redexter.\n";

const PREAMBLE: &str = r"% Written by redexter.
\documentclass[fleqn]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=2cm]{geometry}
\usepackage{amsmath,amssymb,color}
\definecolor{redexcolor}{rgb}{0.70,0.25,0.05}
\definecolor{contractumcolor}{rgb}{0.00,0.40,0.35}
\newcommand{\redex}[1]{{\color{redexcolor}\underline{#1}}}
\newcommand{\contractum}[1]{{\color{contractumcolor}\underline{#1}}}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\setlength{\mathindent}{1em}
\setlength{\jot}{1pt}
\raggedright
";

/// The whole derivation; of long terms the surroundings of what is rewritten.
pub(super) fn latex((told, derivation): TitledDerivation, budget: &Budget) -> Result<String, StopReason> {
    let notes = DerivationNotes { told, derivation, budget };
    let mut out = format!("{PREAMBLE}\\begin{{document}}\n\\section*{{{}}}\n\n", prose(&told.title));
    out.push_str(&summary(&notes));
    out.push_str("\n\n\\medskip\n\\begin{tabular}{lll}\nstage & steps & work \\\\ \\hline\n");
    notes.stages()?.iter().for_each(|row| out.push_str(&stage(row)));
    out.push_str("\\end{tabular}\n");
    out.push_str(&whole("First", &derivation.term(0)));
    notes.each(WIDTH, |note, terms| out.push_str(&step(note, &terms)))?;
    out.push_str(&whole("Last", &derivation.term(notes.count())));
    out.push_str("\n\\end{document}\n");
    Ok(out)
}

fn summary(notes: &DerivationNotes) -> String {
    let work = match notes.work() {
        (None, after) => format!("its work is ${}$, as before", math(&after)),
        (Some(before), after) => format!("its work goes from ${}$ to ${}$", math(&before), math(&after)),
    };
    let steps = counted(notes.count(), "step");
    if let Some(told) = notes.told_count() {
        let schedule = typewritten(&notes.told.schedule);
        return format!("{told} of the {steps} by {schedule} between the two terms below; {work}.");
    }
    format!("{} rewrites {} in {steps}; {work}.", typewritten(&notes.told.schedule), typewritten(notes.model()))
}

fn stage(stage: &StageNote) -> String {
    let steps = match &stage.steps {
        Ok((first, last)) => format!("{first}--{last}"),
        Err(pieces) => pieces.clone(),
    };
    let work = match &stage.work {
        Some((Some(before), after)) => format!("${} \\to {}$", math(before), math(after)),
        Some((None, after)) => format!("${}$", math(after)),
        None => String::new(),
    };
    format!("\\hspace*{{{}em}}{} & {steps} & {work} \\\\\n", stage.depth, typewritten(&stage.title))
}

/// A term in all its lines.
fn whole(title: &str, term: &Term) -> String {
    format!("\n\\paragraph{{{title}}}\n{}", of_term(term))
}

/// A term in all its lines, as an `align*`.
pub fn of_term(term: &Term) -> String {
    let mut all: Excerpt = vec![Some(Vec::new())];
    for piece in print_pieces(term, &[], None, &PrintStyle { width: WIDTH }) {
        if piece.text.starts_with('\n') {
            all.push(Some(Vec::new()));
        }
        if let Some(Some(line)) = all.last_mut() {
            line.push(piece);
        }
    }
    format!("\\begin{{align*}}\n  & {}\n\\end{{align*}}\n", set(&lines(&all, "\\redex")))
}

/// Lines of mathematics, one below the other.
fn set(lines: &[String]) -> String {
    lines.join(" \\\\\n  & ")
}

fn step(note: &StepNote, terms: &Excerpts) -> String {
    let mut out = note.left_out.as_ref().map_or_else(String::new, |gap| format!("\n\\emph{{{gap}}}\n"));
    out.push_str(&format!("\n\\paragraph{{{}. {}}}", note.number, typewritten(&note.rule)));
    if !note.law.is_empty() {
        out.push_str(&format!(" {}", typewritten(&note.law)));
    }
    if !note.place.is_empty() {
        out.push_str(&format!(" \\emph{{at}} {}", typewritten(&note.place)));
    }
    if let Some(maker) = note.maker {
        out.push_str(&format!(" \\emph{{made by step}} {maker}"));
    }
    if note.work.0 != note.work.1 {
        let [before, after] = [&note.work.0, &note.work.1].map(|work| math(&polynomial(work)));
        out.push_str(&format!(" \\emph{{work}} ${before} \\to {after}$"));
    }
    let before = lines(&terms.before, "\\redex");
    let after = lines(&terms.after, "\\contractum");
    out.push_str(&format!(
        "\n\\begin{{align*}}\n  & {} \\\\\n  \\leadsto\\quad & {}\n\\end{{align*}}\n",
        set(&before),
        set(&after)
    ));
    out
}

/// The lines of a term in mathematics, the mark in `macro`.
fn lines(excerpt: &Excerpt, mark: &str) -> Vec<String> {
    let mut setter = Typesetter::default();
    excerpt
        .iter()
        .map(|line| match line {
            Some(pieces) => setter.line(pieces, mark),
            None => "\\dots".to_owned(),
        })
        .collect()
}

/// Sets pieces one behind the other.
#[derive(Default)]
struct Typesetter {
    /// How many brackets are open in the size below a word; none where there is no size.
    size: Option<usize>,
}

impl Typesetter {
    fn line(&mut self, pieces: &[PrintedPiece], mark: &str) -> String {
        let mut out = String::new();
        let mut marked = false;
        for piece in pieces {
            let text = match piece.text.strip_prefix('\n') {
                Some(indent) => {
                    out.push_str(&format!("\\hspace{{{}em}}", indent.len() as f64 / 2.0));
                    continue;
                }
                None => &*piece.text,
            };
            if piece.marked != marked {
                out.push_str(&if piece.marked { format!("{mark}{{") } else { "}".to_owned() });
                marked = piece.marked;
            }
            out.push_str(&self.piece(text, piece.role));
        }
        if self.size.take().is_some() {
            out.push('}');
        }
        out + if marked { "}" } else { "" }
    }

    /// Sets a piece. `build` and `ifold` open a subscript for the size that follows them; it ends at the first blank outside of
    /// brackets, so that `build (n + 1) f` has all of `(n + 1)` below.
    fn piece(&mut self, text: &str, role: PrintRole) -> String {
        if let Some(open) = self.size {
            let [opened, closed] = ['(', ')'].map(|bracket| text.matches(bracket).count());
            if text == " " && role == PrintRole::Plain && open == 0 {
                self.size = None;
                return "}~".to_owned();
            }
            self.size = Some((open + opened).saturating_sub(closed));
        }
        match (role, text.trim()) {
            (PrintRole::Keyword | PrintRole::Primitive, "build" | "ifold" | "scan" | "scanr")
                if text.ends_with(' ') =>
            {
                self.size = Some(0);
                format!("\\mathtt{{{}}}_{{", text.trim())
            }
            (PrintRole::Keyword, "fun") => "\\lambda ".to_owned(),
            (PrintRole::Keyword, "=>") => ".".to_owned(),
            (PrintRole::Keyword, ":=") => "\\mathrel{:=}".to_owned(),
            (PrintRole::Keyword | PrintRole::Primitive | PrintRole::Type, _) => words(text),
            (PrintRole::Size, _) => size(text),
            (PrintRole::Binder | PrintRole::Variable, name) => identifier(name),
            (PrintRole::Number | PrintRole::Operator | PrintRole::Plain, _) => math(text),
        }
    }
}

/// A size, which may be a sum or a product: its names as names, what is between them as it stands.
fn size(text: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let is_word = is_name(first);
        let end = rest.find(|c: char| is_name(c) != is_word).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        // A number is no name with digits below.
        let named = is_word && !first.is_ascii_digit();
        out += &if named { identifier(piece) } else { math(piece) };
        rest = behind;
    }
    out
}

/// Words upright, the blanks between them kept.
fn words(text: &str) -> String {
    let set = |word: &str| if word.is_empty() { String::new() } else { format!("\\mathtt{{{}}}", math(word)) };
    text.split(' ').map(set).collect::<Vec<_>>().join("~")
}
