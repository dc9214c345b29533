//! Which step made a redex: the last one before which the rule didn't apply there.

use super::case::Case;
use crate::ground::StopReason;
use crate::redex::{replaced, site};
use crate::rule::{ContextUse, Focus, Miss, Rule};
use crate::term::{Path, Program, Term};

/// So many steps are gone back.
const MOST: usize = 20_000;

/// Where a redex comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is in the first term.
    First,
    /// This step made it.
    Step(Maker),
    /// It is older than the steps that were looked at.
    Earlier,
}

/// A step that made a redex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Its number.
    pub number: usize,
    /// Its rule.
    pub rule: String,
    /// Where it rewrote, as an address.
    pub address: String,
}

/// Which step made the redex of a rule that stands at a path after so many steps; steps up to `floor` aren't looked at.
pub fn origin(case: &Case, after: usize, rule: &Rule, path: &Path, floor: usize) -> Result<Origin, StopReason> {
    let mut program = case.program(after);
    let mut path = path.clone();
    for k in (floor.max(after.saturating_sub(MOST))..after).rev() {
        case.budget.tick()?;
        let step = &case.derivation.steps()[k];
        let at = step.path();
        let Some(before) = replaced(&program.term, &at.0, &step.redex) else { return Ok(Origin::Earlier) };
        let earlier = program.with(before);
        let older = match path.0.strip_prefix(&at.0[..]) {
            // Its place is in what the step made: what stood elsewhere in the redex before isn't made.
            Some(_) => moved(&program.term, &path, &at, &step.redex),
            None if at.0.starts_with(&path.0) || rule.footprint().context != ContextUse::Nothing => Some(path.clone()),
            None => {
                program = earlier;
                continue;
            }
        };
        match older {
            Some(older) if applies(rule, &earlier, &older)? => (path, program) = (older, earlier),
            _ => return Ok(Origin::Step(Maker::of(case, k))),
        }
    }
    Ok(if floor == 0 && after <= MOST { Origin::First } else { Origin::Earlier })
}

impl Maker {
    /// A step, by its number less one.
    pub(super) fn of(case: &Case, k: usize) -> Maker {
        let step = &case.derivation.steps()[k];
        let address = step.path().address(&case.derivation.term(k));
        Maker { number: k + 1, rule: step.rule().to_string(), address }
    }
}

/// Where the subterm at a path stood in a redex whose contractum it is in: the first that is the same.
fn moved(after: &Term, path: &Path, at: &Path, redex: &Term) -> Option<Path> {
    let wanted = path.find(after)?;
    let mut below = find(redex, &wanted, &mut Vec::new(), &mut NODES.clone())?;
    below.splice(0..0, at.0.iter().copied());
    Some(Path(below))
}

/// So many nodes of a redex are looked at.
const NODES: usize = 20_000;

fn find(term: &Term, wanted: &Term, path: &mut Vec<u32>, left: &mut usize) -> Option<Vec<u32>> {
    if term == wanted {
        return Some(path.clone());
    }
    *left = left.checked_sub(1)?;
    if term.size() <= wanted.size() {
        return None;
    }
    for (k, kid) in term.kids().into_iter().enumerate() {
        path.push(k as u32);
        let found = find(&kid, wanted, path, left);
        path.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a rule makes another term of what stands at a path.
pub(super) fn applies(rule: &Rule, program: &Program, path: &Path) -> Result<bool, StopReason> {
    let Some((context, term)) = site(&program.term, path) else { return Ok(false) };
    match rule.attempt(&Focus::new(&term, &context, &program.bounds)) {
        Ok(contractum) => Ok(contractum != term),
        Err(Miss::Stopped(reason)) => Err(reason),
        Err(_) => Ok(false),
    }
}
