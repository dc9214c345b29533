//! Makes terms of their own of parts of the current term: what a trace shows of a step has variables that only the whole term
//! binds.

use rustc_hash::FxHashSet;

use super::state::Session;
use super::terms::term;
use redexter_language::ground::Name;
use redexter_language::ground::text::in_word;
use redexter_language::syntax::print_type;
use redexter_language::term::{Program, Term, Type, View};

/// A text closed over variables of the current term.
pub(super) struct ClosedSubterm {
    /// The function of these variables, as it is written.
    pub text: String,
    pub program: Program,
    /// How many they are.
    pub count: usize,
}

/// The text of a part of the current term as a function of the variables that it takes from there, where each has
/// one type only.
pub(super) fn closed(session: &Session, text: &str) -> Option<ClosedSubterm> {
    let variables = variables(&session.work.walk.current().ok()?.term);
    let mut params: Vec<(&Name, &Type)> = Vec::new();
    for word in text.split(|c| !(in_word(c) || c == '\'')) {
        let mut meant = variables.iter().filter(|(name, _)| name.as_str() == word);
        if let Some((name, ty)) = meant.next()
            && !params.iter().any(|(known, _)| *known == name)
        {
            if meant.next().is_some() {
                return None;
            }
            params.push((name, ty));
        }
    }
    let heads: String = params.iter().map(|(name, ty)| format!(" ({name} : {})", print_type(ty))).collect();
    let text = format!("fun{heads} => {text}");
    let program = term(session, &text, &text).ok().filter(|_| !params.is_empty())?;
    Some(ClosedSubterm { text, program, count: params.len() })
}

impl ClosedSubterm {
    /// The type of the part itself.
    pub fn ty(&self) -> Type {
        let (params, body) = (self.count, self.program.term.clone());
        let inner = (0..params).fold(body, |term, _| match term.view() {
            View::Lam(_, _, body) => body,
            _ => term,
        });
        inner.ty().clone()
    }
}

/// The variables that a term binds, each with each of its types once.
fn variables(term: &Term) -> Vec<(Name, Type)> {
    let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![term.clone()]);
    while let Some(term) = work.pop() {
        if !seen.insert(term.fingerprint()) {
            continue;
        }
        let ty = (0..term.kid_count()).find_map(|k| term.bound_type(k));
        let bound = term.kind().hint().cloned().zip(ty);
        found.extend(bound.filter(|new| !found.contains(new)));
        work.extend(term.kids());
    }
    found
}
