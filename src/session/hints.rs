//! What to say to those who write a line of the REPL in the array language.

use super::Session;
use crate::check;
use crate::ground::{Code, Diagnostic, Trouble, code, text::in_word};
use crate::script::Host;
use crate::syntax::parse_term;

/// Findings that a line of the array language leads to.
const MISREAD: &[Code] = &[code::SYNTAX, code::UNKNOWN_STRATEGY, code::RESERVED_WORD, code::SCRIPT];

impl Session {
    /// Adds how a term, or a definition, is written here, if the line is one.
    pub(super) fn with_array_language(&self, trouble: Trouble, line: &str) -> Trouble {
        let Trouble::Wrong(mut all) = trouble else { return trouble };
        if let Some(first) = all.first_mut().filter(|first| MISREAD.contains(&first.code))
            && let Some(hint) = self.hint(first, line)
        {
            first.help = vec![hint];
        }
        Trouble::Wrong(all)
    }

    fn hint(&self, finding: &Diagnostic, line: &str) -> Option<String> {
        if line.starts_with("def ") || line.starts_with("import ") {
            return Some("definitions stand in model files: write them to `my.arr`, then `:load my.arr`".to_owned());
        }
        let guessed = finding.help.iter().any(|help| help.starts_with("did you mean"));
        let rest = line.trim_start_matches(in_word);
        if guessed || rest.is_empty() || rest.starts_with('(') || line.ends_with(';') {
            return None;
        }
        let id = self.sources.borrow_mut().add("<line>", line);
        let limits = self.host.limits.get();
        let sources = self.sources.borrow();
        let raw = parse_term(&sources, sources.whole(id), &limits);
        let Ok(raw) = raw else {
            let binds = line.starts_with("let ") && line.contains(":=");
            return binds.then(|| "in a schedule write `let name = …`; terms stand in `term(\"…\")`".to_owned());
        };
        Some(match check::term(&raw, &self.prelude, &self.host.budget()) {
            Ok(_) => format!("for a term of the array language write `term({})`", serde_json::Value::from(line)),
            Err(_) => "a term of the array language stands in `term(\"…\")`, as `term(\"fun (x : real) => x + 1\")`"
                .to_owned(),
        })
    }
}
