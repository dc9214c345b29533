//! What can be said of an operation from its rules: where it looks, and whether it looks at nothing but the term.

use std::collections::HashSet;

use crate::rule::{Binders, Frame, Look};
use crate::term::Term;

use super::code::{Code, Id, Op};

/// So many operations are looked at.
const MOST: usize = 10_000;

/// So many operations are passed on the way to a rule.
const FUEL: usize = 32;

/// What the rules of an operation look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// The term, no deeper than so many steps for the constructors, and the uses of variables that such binders bind.
    Term { longest: usize, uses: Binders },
    /// The place, too, or nobody knows.
    Place,
}

/// What an operation and all that it runs look at.
pub(super) fn outlook(code: &mut Code, id: Id) -> Outlook {
    let (mut found, mut seen) = (vec![id], HashSet::from([id]));
    let (mut next, mut longest, mut uses) = (0, 0, Binders::NONE);
    while let Some(id) = found.get(next).copied() {
        next += 1;
        if found.len() > MOST {
            return Outlook::Place;
        }
        let op = code.op(id);
        if let Op::Rules(row) | Op::Search(row, _) = op {
            let look = code.choices[row].rules.look();
            if look.place {
                return Outlook::Place;
            }
            longest = longest.max(look.longest as usize);
            uses = uses.and(look.uses);
        }
        found.extend(parts(op).into_iter().flatten().filter(|part| seen.insert(*part)));
    }
    Outlook::Term { longest, uses }
}

fn parts(op: Op) -> [Option<Id>; 2] {
    match op {
        Op::Succeed | Op::Fail | Op::Later(_) | Op::Rules(_) | Op::Search(..) => [None, None],
        Op::Seq(a, b) | Op::Choice(a, b) => [Some(a), Some(b)],
        Op::Call(s) | Op::One(s) | Op::All(s) | Op::Some(s) | Op::Repeat(s, _) | Op::Test(_, s) => [Some(s), None],
        Op::Child(_, s) | Op::At(_, s) | Op::Times(_, s) | Op::Until(_, _, s) => [Some(s), None],
        Op::Cheaper(s) | Op::Force(s) | Op::Scope(_, s) => [Some(s), None],
    }
}

/// Whether an operation that failed near a term may succeed after a change: asked of the looks of its rules.
fn may_change(code: &mut Code, id: Id, fuel: usize, asked: &dyn Fn(&Look) -> bool) -> bool {
    let Some(fuel) = fuel.checked_sub(1) else { return true };
    match code.op(id) {
        Op::Rules(row) | Op::Search(row, _) => asked(code.choices[row].rules.look()),
        Op::Choice(a, b) => may_change(code, a, fuel, asked) || may_change(code, b, fuel, asked),
        Op::Seq(s, _) | Op::Test(_, s) | Op::Force(s) | Op::Scope(_, s) | Op::Call(s) => {
            may_change(code, s, fuel, asked)
        }
        // These fail near a term for its own constructor only.
        Op::Succeed | Op::Fail | Op::Later(_) | Op::One(_) | Op::Some(_) | Op::Child(..) | Op::At(..) => false,
        Op::All(_) | Op::Repeat(..) | Op::Times(..) | Op::Until(..) | Op::Cheaper(_) => true,
    }
}

/// What a choice tries first.
fn first(code: &mut Code, choice: Id) -> Id {
    match code.op(choice) {
        Op::Choice(a, _) => a,
        _ => choice,
    }
}

/// Whether a change at the end of this way, to `now`, may let the first part of a choice succeed at its beginning.
pub(super) fn reaches(code: &mut Code, choice: Id, way: &[Frame], now: &Term) -> bool {
    let id = first(code, choice);
    may_change(code, id, FUEL, &|look| sees(look, way, now))
}

/// The same for rules with this look.
pub(super) fn sees(look: &Look, way: &[Frame], now: &Term) -> bool {
    let Some(frame) = way.first() else { return false };
    look.reaches(&frame.term, way.iter().map(|frame| frame.kid as u32), now)
}

/// Whether other uses of variables that it binds may let the first part of a choice succeed on a term.
pub(super) fn asks_uses(code: &mut Code, choice: Id, term: &Term) -> bool {
    let id = first(code, choice);
    may_change(code, id, FUEL, &|look| look.uses != Binders::NONE && look.fits_term(term))
}
