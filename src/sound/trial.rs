//! A rule tried at a place of a program.

use crate::ground::StopReason;
use crate::rule::{Focus, Frame, Rule};
use crate::term::{Path, Program, Term};

/// A place where a rule fired, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Fired {
    pub(super) path: Path,
    pub(super) redex: Term,
    pub(super) contractum: Term,
    /// The whole program; or why there is none.
    pub(super) after: Result<Program, String>,
}

/// Tries the rule there.
pub(super) fn at(rule: &Rule, program: &Program, path: &Path) -> Result<Option<Fired>, StopReason> {
    let mut above = Vec::with_capacity(path.0.len());
    let mut here = program.term.clone();
    for k in &path.0 {
        let kid = *k as usize;
        if kid >= here.kid_count() {
            return Ok(None);
        }
        let next = here.kid(kid);
        above.push(Frame { term: here, kid });
        here = next;
    }
    let contractum = match rule.apply(&Focus::new(&here, &above, &program.bounds)) {
        Ok(contractum) if contractum != here => contractum,
        Ok(_) => return Ok(None),
        Err(reason) => return reason.stopped().map_or(Ok(None), |stop| Err(stop.clone())),
    };
    let after = rebuild(&above, &here, &contractum).map(|term| Program { term, bounds: program.bounds.clone() });
    Ok(Some(Fired { path: path.clone(), redex: here, contractum, after }))
}

fn rebuild(above: &[Frame], redex: &Term, contractum: &Term) -> Result<Term, String> {
    if contractum.ty() != redex.ty() {
        return Err(format!("a term of another type, {}", contractum.ty()));
    }
    let around = |kid: Term, frame: &Frame| frame.term.with_kid(frame.kid, kid);
    let whole = above.iter().rev().try_fold(contractum.clone(), around);
    match whole {
        Ok(term) if term.free().len() == 0 => Ok(term),
        Ok(_) => Err("a term that mentions a variable which is not in scope".to_owned()),
        Err(wrong) => Err(format!("a term that does not fit its place: {wrong}")),
    }
}

/// Tries the rule there first, and then everywhere, from the root down.
pub(super) fn anywhere(rule: &Rule, program: &Program, first: &Path) -> Result<Option<Fired>, StopReason> {
    let mut all = vec![first.clone()];
    paths(&program.term, &mut Path::default(), &mut all);
    all.iter().map(|path| at(rule, program, path)).find_map(Result::transpose).transpose()
}

/// Every place, parents before children.
pub(super) fn paths(term: &Term, here: &mut Path, all: &mut Vec<Path>) {
    all.push(here.clone());
    for (k, kid) in term.kids().iter().enumerate() {
        here.0.push(k as u32);
        paths(kid, here, all);
        here.0.pop();
    }
}
