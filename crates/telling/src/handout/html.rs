//! Writes the page of a derivation, or of two side by side: the viewer with its data, and before it an overview that is printed,
//! and read where scripts don't run.

use std::borrow::Cow;

use super::comparison::comparison;
use super::derivation::{TitledDerivation, derivation};
use super::frame::{HtmlDocument, Markup, gzipped};
use crate::render::leading;
use crate::styled::letter;
use redexter_language::ground::text::counted;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{PrintRole, PrintStyle, PrintedPiece, print_beginning, print_pieces};
use redexter_language::term::Term;
use redexter_rewriting::derivation::OverviewRow;

const STYLES: [&str; 3] =
    [include_str!("assets/look.css"), include_str!("assets/viewer.css"), include_str!("assets/page.css")];

const SCRIPTS: [&str; 13] = [
    include_str!("assets/browser.js"),
    include_str!("assets/sheet.js"),
    include_str!("assets/drawing.js"),
    include_str!("assets/steps.js"),
    include_str!("assets/curve.js"),
    include_str!("assets/stages.js"),
    include_str!("assets/facts.js"),
    include_str!("assets/search.js"),
    include_str!("assets/terms.js"),
    include_str!("assets/ways.js"),
    include_str!("assets/viewer.js"),
    include_str!("assets/sides.js"),
    include_str!("assets/page.js"),
];

/// The most rows of the table of stages; the outermost stages are always shown.
const MAX_ROWS: usize = 60;

/// Terms of more nodes than the first number are shown by their beginning, which has so many characters as the second says.
const TERM_LIMITS: (u64, usize) = (3_000, 6_000);

const STYLE: PrintStyle = PrintStyle { width: 80 };

/// A derivation as a page of its own.
pub(super) fn page((told, of): TitledDerivation, budget: &Budget) -> Result<String, StopReason> {
    document(&[(told, of)], &derivation(told, of, budget)?, budget)
}

/// Two derivations of one term side by side.
pub(super) fn pages(ways: [TitledDerivation; 2], budget: &Budget) -> Result<String, StopReason> {
    document(&ways, &comparison(ways, budget)?, budget)
}

fn document(ways: &[TitledDerivation], data: &str, budget: &Budget) -> Result<String, StopReason> {
    let title = ways.first().map_or("", |(told, _)| &told.title);
    let frame = HtmlDocument {
        title,
        body: overview(title, ways, budget)?,
        description: "A derivation, step by step: terms, the rules that rewrote them, and their work.",
        data: &[("data", &gzipped(data.as_bytes()))],
        styles: &STYLES,
        scripts: &SCRIPTS,
        runs_wasm: false,
    };
    Ok(frame.document())
}

fn overview(title: &str, ways: &[TitledDerivation], budget: &Budget) -> Result<Markup, StopReason> {
    let (mut body, mut done) = (Markup::default(), Ok(()));
    body.element("div", &[("id", "static")], |out| {
        out.element("h1", &[], |out| out.text(title));
        done = ways.iter().try_for_each(|way| side(out, *way, budget));
    });
    done.map(|()| body)
}

fn side(out: &mut Markup, (told, of): TitledDerivation, budget: &Budget) -> Result<(), StopReason> {
    let count = of.steps().len();
    out.element("p", &[("class", "schedule mono")], |out| out.text(&told.schedule));
    let (before, after) = (of.work(0), of.work(count));
    out.element("p", &[], |out| {
        out.text(&format!("{}; work {} → {}.", counted(count, "step"), leading(&before), leading(&after)));
        if let Some(stopped) = &told.stopped {
            out.text(&format!(" Ended early: {stopped}."));
        }
    });
    // Where hardly a step is allowed, the works of that many stages aren't known.
    let rows = match of.overview(of.stages().tops(), MAX_ROWS, &budget.fresh()) {
        Err(StopReason::Steps(_)) => Vec::new(),
        rows => rows?,
    };
    out.element("div", &[("class", "scroll")], |out| out.element("table", &[], |out| table(out, &rows)));
    for (heading, term) in [("The first term", of.term(0)), ("The last term", of.term(count))] {
        out.element("h2", &[], |out| out.text(heading));
        out.element("pre", &[("class", "term")], |out| pieces(out, &term));
    }
    Ok(())
}

fn table(out: &mut Markup, rows: &[OverviewRow]) {
    out.element("thead", &[], |out| {
        out.element("tr", &[], |out| {
            for heading in ["Stage", "Steps", "Work before", "Work after"] {
                out.element("th", &[("scope", "col")], |out| out.text(heading));
            }
        });
    });
    out.element("tbody", &[], |out| {
        for row in rows {
            let [before, after] = match &row.work {
                Some((before, after)) => [leading(before), leading(after)],
                None => Default::default(),
            };
            // Indentation that is copied along with the text.
            let title = format!("{}{}", "\u{a0}\u{a0}".repeat(row.depth), row.title);
            out.element("tr", &[], |out| {
                for cell in [title, row.steps.to_string(), before, after] {
                    out.element("td", &[], |out| out.text(&cell));
                }
            });
        }
    });
}

fn pieces(out: &mut Markup, term: &Term) {
    let (most, characters) = TERM_LIMITS;
    let pieces = match term.size() > most {
        true => print_beginning(term, &[], characters, &STYLE),
        false => print_pieces(term, &[], None, &STYLE),
    };
    for PrintedPiece { text, role, .. } in joined(pieces) {
        match role {
            PrintRole::Plain => out.text(&text),
            role => out.element("span", &[("class", &format!("r-{}", letter(role)))], |out| out.text(&text)),
        }
    }
}

/// The pieces, with neighbours of one role joined.
fn joined(pieces: Vec<PrintedPiece>) -> Vec<PrintedPiece> {
    let mut all: Vec<PrintedPiece> = Vec::new();
    for piece in pieces {
        match all.last_mut().filter(|last| last.role == piece.role) {
            Some(last) => last.text = Cow::Owned(format!("{}{}", last.text, piece.text)),
            None => all.push(piece),
        }
    }
    all
}
