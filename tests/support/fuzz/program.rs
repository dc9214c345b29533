//! What holds of every program.

use std::rc::Rc;

use redexter::ad::{self, AdError};
use redexter::check;
use redexter::cost::work;
use redexter::eval::{self, NumberSource, Sizes, open_sizes};
use redexter::export::{FutharkOptions, futhark};
use redexter::ground::{Name, Random, Span, Trouble};
use redexter::redex::{Finder, families};
use redexter::syntax::{PrintStyle, parse_term, print_term};
use redexter::term::{Program, Term};

use super::world::{budget, told, with_library};
use super::{End, Finding};

/// Larger terms aren't printed: reading them would take most of the time.
const PRINTED: u64 = 5_000;

/// Redexes among which one is chosen.
const REDEXES: usize = 64;

/// What is printed is read again, D keeps its promise, so do some rewrites, chosen by `choices`; work, inputs and exports
/// come to an end.
pub fn holds(program: &Program, choices: &[u8]) -> Result<End, Finding> {
    reads_back("a term", &program.term)?;
    let mut end = dual("D", &program.term)?;
    let mut now = program.clone();
    for choice in choices.iter().take(12) {
        match step(&now, *choice)? {
            Some(term) => now = now.with(term),
            None => break,
        }
    }
    reads_back("a rewritten term", &now.term)?;
    for program in [program, &now] {
        end = worse(end, runs(program)?);
    }
    Ok(end)
}

/// A limit that was met is remembered.
fn worse(a: End, b: End) -> End {
    if a == End::Stopped { a } else { b }
}

/// Prints a term and reads it; it is the same one.
fn reads_back(what: &str, term: &Term) -> Result<(), Finding> {
    if term.size() > PRINTED {
        return Ok(());
    }
    let text = print_term(term, &PrintStyle::default());
    with_library(|library| {
        let texts = library.texts();
        let id = texts.borrow_mut().add("<printed>", text.as_str());
        let region = Span::new(id, 0, text.len());
        let read = parse_term(&texts.borrow(), region, &budget());
        match read.and_then(|raw| check::term(&raw, &library.prelude, &budget())) {
            Ok(again) if again.term == *term => Ok(()),
            Ok(_) => Err(Finding::new(format!("{what} reads back as another"), text)),
            Err(Trouble::Stopped { .. }) => Ok(()),
            Err(Trouble::Wrong(all)) => {
                Err(Finding::new(format!("{what} doesn't read back"), format!("{}\n{text}", all[0].headline)))
            }
        }
    })
}

/// D of a term has D of its type.
fn dual(what: &str, term: &Term) -> Result<End, Finding> {
    match ad::dual_within(term, &budget()) {
        Ok(dual) => {
            let expected = ad::dual_type(term.ty()).ok();
            if expected.as_ref() != Some(dual.ty()) {
                return Err(Finding::new(format!("{what} has another type"), format!("{:?}", dual.ty())));
            }
            reads_back(what, &dual).map(|()| End::Accepted)
        }
        Err(AdError::IllTyped(why)) => Err(Finding::new(format!("{what} is ill-typed"), why.to_string())),
        Err(AdError::Stopped(_)) => Ok(End::Stopped),
        Err(_) => Ok(End::Accepted),
    }
}

/// Rewrites the term at one of its redexes; the type stays.
fn step(program: &Program, choice: u8) -> Result<Option<Term>, Finding> {
    let found = with_library(|library| {
        let infos: Vec<_> = library.book.iter().map(Rc::clone).collect();
        Finder::new(families(&infos)).redexes(program, REDEXES, &budget())
    });
    let Ok(found) = found else { return Ok(None) };
    if found.found.is_empty() {
        return Ok(None);
    }
    let redex = &found.found[usize::from(choice) % found.found.len()];
    let Some(term) = redex.rewrite(&program.term) else {
        return Err(Finding::new(format!("{} doesn't fit its place", redex.rule), shown(&program.term)));
    };
    match term.ty() == program.term.ty() {
        true => Ok(Some(term).filter(|term| term.size() <= PRINTED)),
        false => Err(Finding::new(format!("{} changes a type", redex.rule), shown(&program.term))),
    }
}

fn shown(term: &Term) -> String {
    print_term(term, &PrintStyle::default())
}

/// Counts its work, exports it, and runs it where its inputs are data.
fn runs(program: &Program) -> Result<End, Finding> {
    work(&program.term);
    if let Err(trouble) = futhark(&[(Name::new("main"), program.clone())], &FutharkOptions::default()) {
        said(&trouble)?;
    }
    let mut sizes = Sizes::default();
    for name in open_sizes(&program.term) {
        sizes.set(&name, program.bounds.lower(&name).max(2));
    }
    let budget = budget();
    match eval::drawn_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(0), &budget) {
        Ok(Some(inputs)) => match eval::evaluate(program, &inputs, &sizes, &budget) {
            Ok(_) => Ok(End::Accepted),
            Err(trouble) => said(&trouble),
        },
        Ok(None) => Ok(End::Accepted),
        Err(_) => Ok(End::Stopped),
    }
}

/// A program that can't be run or exported is none the less right.
fn said(trouble: &Trouble) -> Result<End, Finding> {
    with_library(|library| told(trouble, &library.sources.borrow(), false)).map(|end| worse(end, End::Accepted))
}
