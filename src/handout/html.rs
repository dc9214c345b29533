//! The page of a derivation, or of two: the viewer with its data, and before it what is read without scripts and printed.

use std::borrow::Cow;

use super::derivation::{Told, derivation};
use super::frame::{Frame, Markup};
use super::sheet::letter;
use crate::compare::align;
use crate::derivation::{Derivation, Row};
use crate::ground::text::counted;
use crate::ground::writing::within;
use crate::ground::{Budget, StopReason};
use crate::render::leading;
use crate::syntax::{Piece, Role, Style, print_beginning, print_pieces};
use crate::term::Term;

const STYLES: [&str; 3] =
    [include_str!("assets/look.css"), include_str!("assets/viewer.css"), include_str!("assets/page.css")];

const SCRIPTS: [&str; 9] = [
    include_str!("assets/sheet.js"),
    include_str!("assets/drawing.js"),
    include_str!("assets/steps.js"),
    include_str!("assets/curve.js"),
    include_str!("assets/stages.js"),
    include_str!("assets/facts.js"),
    include_str!("assets/search.js"),
    include_str!("assets/viewer.js"),
    include_str!("assets/page.js"),
];

/// Rows of the table of stages, where these can be fewer than all.
const ROWS: usize = 60;

/// Terms of more nodes are shown by their beginning, which has so many characters.
const LONG: (u64, usize) = (3_000, 6_000);

const STYLE: Style = Style { width: 80 };

/// A derivation as a page of its own.
pub fn page(told: &Told, of: &Derivation, budget: &Budget) -> Result<String, StopReason> {
    let data = within(budget.fresh(), || derivation(told, of, budget))??;
    let mut body = Markup::default();
    within(budget.fresh(), || overview(&mut body, &[(told, of)], budget))??;
    Ok(document(&told.title, body, &data))
}

/// Two derivations of one term side by side.
pub fn comparison(sides: [(&Told, &Derivation); 2], budget: &Budget) -> Result<String, StopReason> {
    let [first, second] = sides;
    let json = |(told, of): (&Told, &Derivation)| within(budget.fresh(), || derivation(told, of, budget))?;
    let parts = first.1.steps().iter().zip(second.1.steps()).take_while(|(a, b)| a == b).count();
    let (a, b) = (json(first)?, json(second)?);
    let meet = serde_json::Value::from(meeting(first.1, second.1, budget)?);
    let data = format!("{{\"parts\": {parts}, \"meet\": {meet}, \"sides\": [{a},{b}]}}");
    let mut body = Markup::default();
    within(budget.fresh(), || overview(&mut body, &sides, budget))??;
    Ok(document(&first.0.title, body, &data))
}

/// Where two derivations that parted have the same term again.
fn meeting(first: &Derivation, second: &Derivation, budget: &Budget) -> Result<Option<String>, StopReason> {
    let [first, second] = [first, second].map(|of| of.trace(0..of.steps().len()));
    let aligned = align(&first, &second, budget)?;
    let [_, apart, _, ..] = &aligned[..] else { return Ok(None) };
    let [a, b] = apart.steps.each_ref().map(|steps| steps.end);
    Ok(Some(format!("They come to the same term again after {a} and {b} steps.")))
}

fn document(title: &str, body: Markup, data: &str) -> String {
    Frame {
        title,
        description: "A derivation, step by step: terms, the rules that rewrote them, and their work.",
        body,
        data: &[("data", data.as_bytes())],
        styles: &STYLES,
        scripts: &SCRIPTS,
        runs_wasm: false,
    }
    .document()
}

fn overview(out: &mut Markup, sides: &[(&Told, &Derivation)], budget: &Budget) -> Result<(), StopReason> {
    let mut done = Ok(());
    out.element("div", &[("id", "static")], |out| {
        let title = sides.first().map_or("", |(told, _)| &told.title);
        out.element("h1", &[], |out| out.text(title));
        done = sides.iter().try_for_each(|(told, of)| side(out, told, of, budget));
    });
    done
}

fn side(out: &mut Markup, told: &Told, of: &Derivation, budget: &Budget) -> Result<(), StopReason> {
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
    let rows = match of.overview(of.stages().tops(), ROWS, &budget.fresh()) {
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

fn table(out: &mut Markup, rows: &[Row]) {
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
    let (most, characters) = LONG;
    let pieces = match term.size() > most {
        true => print_beginning(term, &[], characters, &STYLE),
        false => print_pieces(term, &[], None, &STYLE),
    };
    for Piece { text, role, .. } in joined(pieces) {
        match role {
            Role::Plain => out.text(&text),
            role => out.element("span", &[("class", &format!("r-{}", letter(role)))], |out| out.text(&text)),
        }
    }
}

/// Pieces, neighbours of one role as one.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match all.last_mut().filter(|last| last.role == piece.role) {
            Some(last) => last.text = Cow::Owned(format!("{}{}", last.text, piece.text)),
            None => all.push(piece),
        }
    }
    all
}
