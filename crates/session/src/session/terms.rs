//! Reads lines that are terms of the array language, and hints at how other things of it are written.
//!
//! A line is a term where it holds what only terms have, or stands between backticks, or can't be a line of the script
//! language; then it has to be one as far as the checker says. Everything else is the script's.

use super::Session;
use crate::script::{Host, LineValue, STATEMENTS};
use redexter_language::check;
use redexter_language::ground::text::{in_word, word};
use redexter_language::ground::{Diagnostic, DiagnosticCode, Name, Span, Trouble, code};
use redexter_language::syntax::raw::RawTerm;
use redexter_language::syntax::{only_a_term, parse_term, parse_type};
use redexter_language::term::{OpenVariables, Prim, Program, Type};

/// Findings to which a line of the array language leads where it is read as one of the script language.
const MISREAD_CODES: &[DiagnosticCode] = &[code::SYNTAX, code::UNKNOWN_STRATEGY, code::RESERVED_WORD, code::SCRIPT];

/// Why a line is no term.
pub(super) struct NoTerm {
    /// The grammar says that it is one.
    reads: bool,
    why: Trouble,
}

impl Session {
    /// The value of a line. Where a term is `expected`, a number, a name or a text may be one, too.
    pub(super) fn value_of(&mut self, line: &str, expected: bool) -> Result<LineValue, Trouble> {
        // `Sources` takes a byte-order mark off: places in the line and in its source have to agree.
        let line = line.trim_start_matches('\u{feff}');
        let within = between_backticks(line);
        let text = within.unwrap_or_else(|| line.strip_suffix(';').unwrap_or(line));
        let certain = only_a_term(text);
        let first = (certain || within.is_some()).then(|| self.term(line, text)).transpose();
        let refused = match first {
            Ok(Some(program)) => return Ok(of(program)),
            Ok(None) => None,
            Err(NoTerm { why: why @ Trouble::Stopped { .. }, .. }) => return Err(why),
            Err(NoTerm { why, .. }) if within.is_some() && certain => return Err(why),
            Err(no_term) => Some(no_term),
        };
        let wrong = match self.interpreter.read_line(line) {
            Ok(read) => {
                let done = self.interpreter.run_line(read);
                let misread = match &done {
                    Ok(value) => expected && matches!(value, LineValue::Other(_)),
                    // A function that doesn't take these arguments may be meant as one of the array language.
                    Err(trouble) => matches!(trouble, Trouble::Wrong(_)),
                };
                return match misread.then(|| self.term(line, text)) {
                    Some(Ok(program)) => Ok(of(program)),
                    _ => done.map_err(|trouble| self.hinted(trouble, line)),
                };
            }
            Err(wrong) => wrong,
        };
        let alone = text.chars().all(in_word) && !expected;
        let no_term = match refused {
            Some(no_term) => no_term,
            None if alone => return Err(self.hinted(wrong, line)),
            None => match self.term(line, text) {
                Ok(program) => return Ok(of(program)),
                Err(no_term) => no_term,
            },
        };
        let seems_term = match no_term.reads {
            true => certain || self.begins_with_a_definition(text),
            false => certain && !defines(text),
        };
        Err(if seems_term { no_term.why } else { self.hinted(wrong, line) })
    }

    /// The term that a part of a line is, in the context of what is loaded and of the current term. The part begins where the
    /// line does, or behind a backtick.
    pub(super) fn term(&self, line: &str, text: &str) -> Result<Program, NoTerm> {
        let source = self.sources.borrow_mut().add("<input>", line);
        let start = if line.starts_with(text) { 0 } else { "`".len() };
        let region = Span::new(source, start, start + text.len());
        let raw = self.parsed(region).map_err(|why| NoTerm { reads: false, why })?;
        let sizes = self.walk.current().map_or(Vec::new(), |program| OpenVariables::of(&program.term).vars);
        let checked = check::prompt_term(&raw, &self.definitions(), &sizes, &self.host.budget());
        checked.map_err(|why| NoTerm { reads: true, why })
    }

    /// What D makes of the type that stands behind a `D`, if there is one.
    pub(super) fn dual_type(&self, text: &str) -> Option<Result<Type, Trouble>> {
        let of = between_backticks(text).unwrap_or(text).strip_prefix('D')?;
        if of.starts_with(in_word) {
            return None;
        }
        let source = self.sources.borrow_mut().add("<input>", text);
        let start = text.find('D').unwrap_or(0) + 1;
        let region = Span::new(source, start, start + of.len());
        let budget = self.host.budget();
        match parse_type(&self.sources.borrow(), region, &budget) {
            Ok(raw) => Some(check::dual_type(&raw, &self.prelude, &budget)),
            Err(stopped @ Trouble::Stopped { .. }) => Some(Err(stopped)),
            Err(_) => None,
        }
    }

    /// A term that stands alone. A law, whose arrow the grammar would read as a comment, is none.
    fn parsed(&self, region: Span) -> Result<RawTerm, Trouble> {
        let arrow =
            self.sources.borrow().get(region.source).text[region.start as usize..region.end as usize].find("-->");
        if let Some(at) = arrow {
            let start = region.start as usize + at;
            let finding = Diagnostic::error(code::SYNTAX, "a term has no `-->`")
                .at(Span::new(region.source, start, start + "-->".len()), "belongs to a law")
                .help("a law stands in a rule: ``rule name = `left --> right` ``");
            return Err(finding.into());
        }
        parse_term(&self.sources.borrow(), region, &self.host.budget())
    }

    /// The definitions that terms see: the prelude's and those of loaded models, whose names mean the same as in scripts.
    fn definitions(&self) -> check::Model {
        let all = self.loaded.iter().rev().flat_map(|loaded| loaded.model.definitions());
        let bound = self.loaded.iter().flat_map(|loaded| {
            let is_bound = |name: &Name| loaded.bound.iter().any(|bound| bound == name.as_str());
            loaded.model.definitions().iter().filter(move |definition| is_bound(definition.name()))
        });
        self.prelude.seeing(all.chain(bound))
    }

    /// Whether a text begins with a word that means something in the array language, and something follows.
    fn begins_with_a_definition(&self, text: &str) -> bool {
        let inside = text.trim_start_matches(['(', '[', '-']);
        let first = word(inside);
        let known = || {
            let primitive = first == "fst" || first == "snd" || Prim::reserved(first).is_some();
            primitive || self.definitions().defines(first)
        };
        inside[first.len()..].starts_with(' ') && known()
    }

    /// Adds how a term, or a definition, is written here, if the line is one.
    fn hinted(&self, trouble: Trouble, line: &str) -> Trouble {
        let Trouble::Wrong(mut all) = trouble else { return trouble };
        if let Some(first) = all.first_mut().filter(|first| MISREAD_CODES.contains(&first.code))
            && let Some(hint) = self.hint(first, line)
        {
            first.help = vec![hint];
        }
        Trouble::Wrong(all)
    }

    fn hint(&self, finding: &Diagnostic, line: &str) -> Option<String> {
        if line.starts_with("def ") {
            return Some("definitions stand in model files: write them to `my.arr`, then `:load my.arr`".to_owned());
        }
        let guessed = finding.help.iter().any(|help| help.starts_with("did you mean"));
        let rest = line.trim_start_matches(in_word);
        if guessed || rest.is_empty() || rest.starts_with('(') || line.ends_with(';') {
            return None;
        }
        let id = self.sources.borrow_mut().add("<line>", line);
        let region = self.sources.borrow().whole(id);
        let Ok(raw) = self.parsed(region) else {
            let binds = line.starts_with("let ") && line.contains(":=");
            return binds.then(|| "in a schedule write `let name = …`; terms stand in `term(\"…\")`".to_owned());
        };
        if let Some(closed) = self.closed(line) {
            return Some(format!("for this part of the current term write `{}`", closed.text));
        }
        let open = check::term(&raw, &self.prelude, &self.host.budget()).is_ok();
        open.then(|| format!("for a term of the array language write `term({})`", serde_json::Value::from(line)))
    }
}

/// Whether a text begins as something that gives a name a meaning, in one of the two languages.
fn defines(text: &str) -> bool {
    let first = word(text);
    first == "def" || STATEMENTS.contains(&first) || text[first.len()..].trim_start().starts_with(":=")
}

fn of(program: Program) -> LineValue {
    LineValue::Program { program, name: None }
}

/// The text that a line holds between two backticks and nothing else, if no code stands in it.
fn between_backticks(line: &str) -> Option<&str> {
    let text = line.strip_suffix(';').unwrap_or(line).trim_end().strip_prefix('`')?.strip_suffix('`')?;
    (!text.contains('`') && !text.contains("${")).then_some(text)
}
