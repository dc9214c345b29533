//! The parser, seen from outside: text in, a compact form of the raw tree or one diagnostic out.

mod sexp;

mod accepted;
mod any_text;
mod long;
mod refused;
mod shipped;

use redexter::ground::{Budget, Limits, Sources, Span, Trouble, with_stack};
use redexter::syntax::raw::{RawModel, RawRule, RawTerm};
use redexter::syntax::{parse_model, parse_rule, parse_term};

/// A text as a table of its own, and the span of all of it.
fn whole(text: &str) -> (Sources, Span) {
    let mut sources = Sources::default();
    let id = sources.add("test", text);
    let end = sources.get(id).text.len();
    (sources, Span::new(id, 0, end))
}

fn term(text: &str) -> Result<RawTerm, Trouble> {
    let (sources, region) = whole(text);
    parse_term(&sources, region, &Budget::default())
}

fn model(text: &str) -> Result<RawModel, Trouble> {
    let (sources, region) = whole(text);
    parse_model(&sources, region.source, &Budget::default())
}

fn rule(text: &str) -> Result<RawRule, Trouble> {
    let (sources, region) = whole(text);
    parse_rule(&sources.get(region.source).text, region, &Budget::default())
}

fn check_terms(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        match term(text) {
            Ok(tree) => assert_eq!(sexp::term(&tree), *expected, "{text}"),
            Err(trouble) => panic!("{text}: {trouble:?}"),
        }
    }
}

/// Runs on a stack like the one of the binary.
fn deep(test: impl FnOnce() + Send + 'static) {
    with_stack(Limits::default().max_depth, test).expect("a thread");
}
