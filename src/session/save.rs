//! A session as a script that does again what was done.
//!
//! Terms that a model defines are loaded again, others are written out. A strategy is written as it prints, after the
//! rules and strategies of the user that it needs; where it can't be written so (because a definition was made for a
//! number, or two definitions share a name) its steps are, and the term after a step of a rule that can't be.

use super::needed::{Needed, Surroundings};
use crate::strategy::Strategy;
use crate::syntax::{Style, print_term};
use crate::term::Program;
use crate::walk::{How, State};

/// The script that leads to the last of these states, from the last term that was given.
pub fn script(states: &[&State], around: &Surroundings) -> String {
    let given = states.iter().rposition(|state: &&State| state.is_given()).unwrap_or(0);
    let states = &states[given..];
    let text = String::from("// What a session of redexter did.\n");
    let mut writer = Writer { text, defined: vec![("current".to_owned(), "let current".to_owned())], around };
    let mut rest = states;
    while let Some((state, after)) = rest.split_first() {
        rest = after;
        match &state.how {
            How::Given(origin) => {
                let named = origin.as_ref().map(|origin| origin.written.clone());
                let source = named.unwrap_or_else(|| written_out(&state.program));
                writer.put(&format!("let current = {source};"));
            }
            How::Taken { strategy, .. } => {
                let more = whole_run(state, after);
                match more {
                    Some(more) => writer.apply(strategy, &states[states.len() - after.len() - 1..][..=more]),
                    None => writer.steps(state),
                }
                rest = &after[more.unwrap_or(0)..];
            }
        }
    }
    writer.put("print(current);");
    writer.text
}

/// How many of the states that follow belong to the same run, if it was begun here and taken to its end.
fn whole_run(state: &State, after: &[&State]) -> Option<usize> {
    let How::Taken { first: true, last, .. } = &state.how else { return None };
    if *last {
        return Some(0);
    }
    for (k, next) in after.iter().enumerate() {
        match &next.how {
            How::Taken { first: false, last: true, .. } => return Some(k + 1),
            How::Taken { first: false, .. } => {}
            _ => return None,
        }
    }
    None
}

fn written_out(program: &Program) -> String {
    let text = print_term(&program.term, &Style { width: usize::MAX });
    format!("term({})", serde_json::Value::from(text))
}

struct Writer<'a> {
    text: String,
    /// What is defined so far: name and definition.
    defined: Vec<(String, String)>,
    around: &'a Surroundings,
}

impl Writer<'_> {
    fn put(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes the definitions that aren't there yet. None where a name would have two meanings.
    fn define(&mut self, needed: Needed) -> Option<()> {
        if needed.found.iter().any(|(name, definition)| self.clashes(name, definition)) {
            return None;
        }
        for (name, definition) in needed.found {
            let known = self.defined.iter().rev().find(|(n, _)| *n == name);
            if known.is_none_or(|(_, text)| *text != definition) {
                // One import gives many names, and the prelude is there.
                let known = self.defined.iter().any(|(_, text)| *text == definition);
                if !(definition.is_empty() || known && definition.starts_with("import")) {
                    self.put(&definition);
                }
                self.defined.push((name, definition));
            }
        }
        Some(())
    }

    /// Whether a name can't get this meaning: what is imported has it in the whole script, and what is there from the
    /// start only where nothing else has its name.
    fn clashes(&self, name: &str, definition: &str) -> bool {
        let import = |text: &str| text.starts_with("import");
        let others = self.defined.iter().filter(|(known, text)| known == name && text != definition);
        others.into_iter().any(|(_, text)| import(text) || import(definition) || definition.is_empty())
    }

    /// A run to its end that went through these states.
    fn apply(&mut self, strategy: &Strategy, states: &[&State]) {
        let mut needed = Needed::new(self.around);
        if needed.strategy(strategy).and_then(|()| self.define(needed)).is_none() {
            return states.iter().for_each(|state| self.steps(state));
        }
        self.put(&format!("current = current.apply({strategy});"));
    }

    /// The steps that led to a state, one by one.
    fn steps(&mut self, state: &State) {
        let Some(trace) = &state.trace else { return };
        for (step, before, after) in trace.rewrites() {
            let (rule, path) = (step.rule(), step.path().display(&before));
            let mut needed = Needed::new(self.around);
            if needed.rule(rule).and_then(|()| self.define(needed)).is_none() {
                let program = state.program.with(after);
                self.put(&format!("current = {};", written_out(&program)));
                continue;
            }
            let at = if path.is_empty() { rule.to_string() } else { format!("at(\"{path}\", {rule})") };
            self.put(&format!("current = current.apply({at});"));
        }
    }
}
