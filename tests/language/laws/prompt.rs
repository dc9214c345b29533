//! What is printed can be typed: a term at the prompt, and behind a command that takes one, is the term that was printed.

use std::collections::HashSet;

use redexter::ground::{Diagnostic, Nesting};
use redexter::session::{self, MemorySystem, Response, Session, Sink};
use redexter::syntax::{PrintStyle, only_a_term, print_term};
use redexter::term::Term;
use redexter_reference::cases;

use crate::laws::generate::Generator;
use crate::laws::subterms;

/// Lines of one session: its texts are kept.
const SEEDS: u64 = 1_000;

struct Silent;

impl Sink for Silent {
    fn line(&self, text: &str) {
        panic!("a term prints nothing: {text}");
    }

    fn finding(&self, finding: &Diagnostic) {
        panic!("a term needs no warning: {finding:?}");
    }
}

fn session() -> Session {
    crate::laws::session::session(MemorySystem::default(), Nesting::default(), Silent)
}

/// The term that a line comes to, or the one whose type a command asks for.
fn answered(session: &mut Session, line: &str) -> Term {
    match session::submit(session, line) {
        Ok(Response::Term(program) | Response::Type(program)) => program.term,
        other => panic!("{other:?}\n{line}"),
    }
}

/// The term that a text alone at the prompt comes to. A name, and what the script language computes from numbers alone,
/// such as `1 + 2`, `[1, 2]` or `sin (0.5 + 1)`, is that language's, and typed between backticks.
fn alone(session: &mut Session, text: &str) -> Term {
    assert!(session.is_complete(text), "{text}");
    let name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    match (!name).then(|| session::submit(session, text)) {
        Some(Ok(Response::Term(program))) => program.term,
        None | Some(Ok(Response::Value(_))) if !only_a_term(text) => answered(session, &format!("`{text}`")),
        other => panic!("{other:?}\n{text}"),
    }
}

/// Whole programs, and the closed terms within them in the context of those: there sizes may stand as terms only.
///
/// What is left out: terms with free variables, which are parts of terms and stand for nothing without them, and what
/// prints as a quotient (NaN and the infinities), which the generator doesn't make.
#[test]
fn printed_terms_are_themselves_at_the_prompt() {
    let (mut open, mut seen) = (session(), HashSet::new());
    for seed in 0..cases(60, 20_000) {
        if seed % SEEDS == 0 {
            (open, seen) = (session(), HashSet::new());
        }
        let whole = Generator::new(seed, seed % 2 == 0).program(6).term;
        let text = print_term(&whole, &PrintStyle::default());
        assert_eq!(alone(&mut open, &print_term(&whole, &PrintStyle { width: 40 })), whole, "{text}");
        for part in subterms(&whole).into_iter().filter(|part| part.free().len() == 0) {
            if !seen.insert(part.fingerprint()) {
                continue;
            }
            let shown = print_term(&part, &PrintStyle::default());
            assert_eq!(answered(&mut open, &format!(":type {shown}")), part, "{shown}");
            assert_eq!(alone(&mut open, &shown), part, "{shown}");
            session::submit(&mut open, ":undo").expect("the whole program is back");
        }
    }
}

/// Between backticks a term over several lines is whole at its end only.
#[test]
fn backticks_keep_a_term_open() {
    let session = session();
    for seed in 0..100 {
        let whole = Generator::new(seed, true).program(6).term;
        let text = format!("`{}`", print_term(&whole, &PrintStyle { width: 30 }));
        for (end, _) in text.match_indices('\n') {
            assert!(!session.is_complete(&text[..end]), "{}", &text[..end]);
        }
        assert!(session.is_complete(&text), "{text}");
    }
}

#[test]
fn a_byte_order_mark_is_none_of_a_term() {
    let mut session = session();
    let whole = answered(&mut session, "\u{feff}`fun (x : real) => x`");
    assert_eq!(answered(&mut session, ":type \u{feff}fun (x : real) => x;"), whole);
}
