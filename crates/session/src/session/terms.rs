//! Reads terms, and types behind a `D`, in the context of what is loaded and of the current term.

use super::current_term;
use super::state::Session;
use crate::script::Host;
use redexter_language::check;
use redexter_language::ground::text::in_word;
use redexter_language::ground::{Diagnostic, Name, Span, Trouble, code};
use redexter_language::syntax::raw::RawTerm;
use redexter_language::syntax::{parse_alone, parse_term, parse_type};
use redexter_language::term::{OpenVariables, Program, Type};

/// Why a line is no term.
pub(super) struct NoTerm {
    /// The grammar says that it is one.
    pub reads: bool,
    pub why: Trouble,
}

/// The term that a part of a line is, in the context of what is loaded and of the current term, which may be named in it.
pub(super) fn term(session: &Session, line: &str, text: &str) -> Result<Program, NoTerm> {
    let found = plain_term(session, line, text);
    let names_it = |why: &Trouble| matches!(why, Trouble::Wrong(all) if all.iter().any(current_term::is_unknown));
    match found {
        Err(NoTerm { reads: true, why }) if names_it(&why) => match current_term::written_in(session, text) {
            Ok(Some(text)) => plain_term(session, &text, &text),
            Ok(None) => Err(NoTerm { reads: true, why }),
            Err(why) => Err(NoTerm { reads: true, why }),
        },
        found => found,
    }
}

fn plain_term(session: &Session, line: &str, text: &str) -> Result<Program, NoTerm> {
    let source = session.sources.borrow_mut().add("<input>", line);
    let region = session.sources.borrow().part(source, text);
    let raw = parsed(session, region).map_err(|why| NoTerm { reads: false, why })?;
    let sizes = session.work.walk.current().map_or(Vec::new(), |program| OpenVariables::of(&program.term).vars);
    let (definitions, budget) = (definitions(session), session.host.budget());
    let checks = |raw: &RawTerm| check::prompt_term(raw, &definitions, &sizes, &budget);
    let checked = checks(&raw).and_then(|program| {
        let held = session.sources.borrow().get(region.source).text.clone();
        let text = &held[region.start as usize..region.end as usize];
        let divided = |divided: &str| checks(&parse_alone(divided, &budget)?).map(drop);
        let knows = |name: &str| definitions.defines(name) || sizes.iter().any(|size| size.as_str() == name);
        check::no_division_in_comments(text, region, &budget, knows, divided).map(|()| program)
    });
    checked.map_err(|why| NoTerm { reads: true, why })
}

/// What D makes of the type that stands behind a `D`, if there is one.
pub(super) fn dual_type(session: &Session, text: &str) -> Option<Result<Type, Trouble>> {
    let of = between_backticks(text).unwrap_or(text).strip_prefix('D')?;
    if of.starts_with(in_word) {
        return None;
    }
    let source = session.sources.borrow_mut().add("<input>", text);
    let start = text.find('D').unwrap_or(0) + 1;
    let region = Span::new(source, start, start + of.len());
    let budget = session.host.budget();
    match parse_type(&session.sources.borrow(), region, &budget) {
        Ok(raw) => Some(check::dual_type(&raw, &session.prelude, &budget)),
        Err(stopped @ Trouble::Stopped { .. }) => Some(Err(stopped)),
        Err(_) => None,
    }
}

/// A term that stands alone. A law, whose arrow the grammar would read as a comment, is none.
pub(super) fn parsed(session: &Session, region: Span) -> Result<RawTerm, Trouble> {
    let arrow =
        session.sources.borrow().get(region.source).text[region.start as usize..region.end as usize].find("-->");
    if let Some(at) = arrow {
        let start = region.start as usize + at;
        let finding = Diagnostic::error(code::SYNTAX, "a term has no `-->`")
            .at(Span::new(region.source, start, start + "-->".len()), "belongs to a law")
            .help("a law stands in a rule: ``rule name = `left --> right` ``");
        return Err(finding.into());
    }
    parse_term(&session.sources.borrow(), region, &session.host.budget())
}

/// The definitions that terms see: the prelude's and those of loaded models, whose names mean the same as in scripts.
pub(super) fn definitions(session: &Session) -> check::Model {
    let all = session.work.loaded.iter().rev().flat_map(|loaded| loaded.model.definitions());
    let bound = session.work.loaded.iter().flat_map(|loaded| {
        let is_bound = |name: &Name| loaded.bound.iter().any(|bound| bound == name.as_str());
        loaded.model.definitions().iter().filter(move |definition| is_bound(definition.name()))
    });
    session.prelude.seeing(all.chain(bound))
}

/// The text that a line holds between two backticks and nothing else, if no code stands in it.
pub(super) fn between_backticks(line: &str) -> Option<&str> {
    let text = line.strip_suffix(';').unwrap_or(line).trim_end().strip_prefix('`')?.strip_suffix('`')?;
    (!text.contains('`') && !text.contains("${")).then_some(text)
}
