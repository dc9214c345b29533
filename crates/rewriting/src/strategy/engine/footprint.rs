//! Sums up what an operation inspects, from the footprints of its rules: where it looks, and how much of the context it sees.

use rustc_hash::FxHashSet;

use crate::rule::{BinderKinds, ContextUse, Footprint, Frame};
use redexter_language::term::Term;

use super::code::{OpGraph, OpId, StrategyOp};

/// So many operations are looked at, because a definition that uses itself with ever new arguments has no end of them.
const MAX_OPS: usize = 10_000;

/// So many operations are looked at where the answer is wanted often.
pub(super) const FEW_OPS: usize = 64;

/// The footprint of an operation: what its rules inspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpFootprint {
    /// So much of the context; everything, too, where nobody knows.
    pub(super) context: ContextUse,
    /// The constructors of the term no deeper than so many steps.
    pub(super) longest: usize,
    /// The uses of variables that such binders bind.
    pub(super) uses: BinderKinds,
    /// In which order variables are bound.
    pub(super) ordered: bool,
    /// Anything below the term, by a function.
    pub(super) searches: bool,
}

impl OpFootprint {
    const NOTHING: OpFootprint = OpFootprint {
        context: ContextUse::Nothing,
        longest: 0,
        uses: BinderKinds::NONE,
        ordered: false,
        searches: false,
    };
    const UNKNOWN: OpFootprint = OpFootprint {
        context: ContextUse::Everything,
        longest: usize::MAX,
        uses: BinderKinds::ALL,
        ordered: true,
        searches: true,
    };
}

/// The footprint of an operation and all that it runs.
pub(super) fn footprint(code: &mut OpGraph, id: OpId) -> OpFootprint {
    let (mut found, mut seen) = (vec![id], FxHashSet::from_iter([id]));
    let mut all = OpFootprint::NOTHING;
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        if found.len() > MAX_OPS {
            return OpFootprint::UNKNOWN;
        }
        let op = code.op(id);
        if let Some(footprint) = own(code, op) {
            // Any change may matter to such a rule, so that nothing more is worth finding out.
            if footprint.context == ContextUse::Everything {
                return OpFootprint::UNKNOWN;
            }
            all.context = all.context.max(footprint.context);
            all.longest = all.longest.max(footprint.reach as usize);
            all.uses = all.uses.and(footprint.occurrences);
            all.ordered |= footprint.ordered;
            all.searches |= footprint.searches;
        }
        found.extend(parts(op).into_iter().flatten().filter(|part| seen.insert(*part)));
    }
    // The marks where it began don't decide such a failure, so that it must not be remembered by them.
    if all.context == ContextUse::Marks && found.iter().any(|id| may_take_back(code, *id)) {
        return OpFootprint::UNKNOWN;
    }
    all
}

/// Whether an operation may take back rewrites that it ran. In between these may have changed what the context says of
/// variables, and whether they do hangs on more than that.
fn may_take_back(code: &mut OpGraph, id: OpId) -> bool {
    match code.op(id) {
        StrategyOp::Seq(a, b) => !never_fails(code, b) && rewrites(code, a),
        StrategyOp::All(s) | StrategyOp::Times(_, s) | StrategyOp::Until(_, _, s) => {
            !never_fails(code, s) && rewrites(code, s)
        }
        StrategyOp::Test(_, s) | StrategyOp::Cheaper(s) => rewrites(code, s),
        StrategyOp::Cheapest(a, b) => rewrites(code, a) || rewrites(code, b),
        _ => false,
    }
}

/// Whether an operation may run a rule.
fn rewrites(code: &mut OpGraph, id: OpId) -> bool {
    run_by(code, id).is_none_or(|all| all.iter().any(|op| matches!(op, StrategyOp::Rules(_) | StrategyOp::Search(..))))
}

/// The operations that one runs, itself first; `None` where these are many.
fn run_by(code: &mut OpGraph, id: OpId) -> Option<Vec<StrategyOp>> {
    let (mut found, mut ops) = (vec![id], Vec::new());
    while let Some(id) = found.get(ops.len()).copied() {
        let op = code.op(id);
        let new: Vec<OpId> = parts(op).into_iter().flatten().filter(|part| !found.contains(part)).collect();
        found.extend(new);
        ops.push(op);
        if found.len() > FEW_OPS {
            return None;
        }
    }
    Some(ops)
}

/// The footprint of an operation's own rules or pattern.
fn own(code: &OpGraph, op: StrategyOp) -> Option<&Footprint> {
    match op {
        StrategyOp::Rules(row) | StrategyOp::Search(row, _) => Some(code.choices[row].rules.footprint()),
        StrategyOp::Match(row) => Some(code.patterns[row].footprint()),
        _ => None,
    }
}

fn parts(op: StrategyOp) -> [Option<OpId>; 2] {
    match op {
        StrategyOp::Succeed
        | StrategyOp::Fail
        | StrategyOp::Later(_)
        | StrategyOp::Match(_)
        | StrategyOp::Rules(_)
        | StrategyOp::Search(..) => [None, None],
        StrategyOp::Seq(a, b) | StrategyOp::Choice(a, b) | StrategyOp::Cheapest(a, b) => [Some(a), Some(b)],
        StrategyOp::Call(s)
        | StrategyOp::One(s)
        | StrategyOp::All(s)
        | StrategyOp::Some(s)
        | StrategyOp::Repeat(s, _)
        | StrategyOp::Test(_, s) => [Some(s), None],
        StrategyOp::Child(_, s) | StrategyOp::At(_, s) | StrategyOp::Times(_, s) | StrategyOp::Until(_, _, s) => {
            [Some(s), None]
        }
        StrategyOp::Cheaper(s) | StrategyOp::Force(s) | StrategyOp::Unfold(_, s) => [Some(s), None],
    }
}

/// Whether an operation that failed near a term may succeed after a change: asked of the looks of its rules.
fn may_change(code: &mut OpGraph, id: OpId, left: &mut usize, asked: &dyn Fn(&Footprint) -> bool) -> bool {
    if !spend(left) {
        return true;
    }
    match code.op(id) {
        StrategyOp::Rules(row) | StrategyOp::Search(row, _) => asked(code.choices[row].rules.footprint()),
        StrategyOp::Match(row) => asked(code.patterns[row].footprint()),
        StrategyOp::Choice(a, b) => may_change(code, a, left, asked) || may_change(code, b, left, asked),
        // A second part that fails counts as a deep failure, as does a `not` whose strategy succeeds, so that a near failure can
        // only be one of the first part.
        StrategyOp::Seq(s, _)
        | StrategyOp::Test(_, s)
        | StrategyOp::Force(s)
        | StrategyOp::Unfold(_, s)
        | StrategyOp::Call(s) => may_change(code, s, left, asked),
        // These fail near a term for its own constructor only.
        StrategyOp::Succeed
        | StrategyOp::Fail
        | StrategyOp::Later(_)
        | StrategyOp::One(_)
        | StrategyOp::Some(_)
        | StrategyOp::Child(..)
        | StrategyOp::At(..) => false,
        StrategyOp::All(_)
        | StrategyOp::Repeat(..)
        | StrategyOp::Times(..)
        | StrategyOp::Until(..)
        | StrategyOp::Cheaper(_)
        | StrategyOp::Cheapest(..) => true,
    }
}

/// The operation that a use of a definition, or of a bound name, stands for: it fails where that does.
pub(super) fn meant(code: &mut OpGraph, id: OpId) -> OpId {
    let mut meant = id;
    // At most so often, because a definition may be nothing but a use of itself.
    for _ in 0..FEW_OPS {
        match code.op(meant) {
            StrategyOp::Unfold(_, s) | StrategyOp::Call(s) => meant = s,
            _ => break,
        }
    }
    meant
}

/// Whether an operation runs itself again, as on children of children.
pub(super) fn recurs(code: &mut OpGraph, id: OpId) -> bool {
    let again = |op: &StrategyOp| parts(*op).contains(&Some(id));
    matches!(code.op(id), StrategyOp::Search(..)) || run_by(code, id).is_some_and(|all| all.iter().any(again))
}

/// Whether nothing is to be seen of an operation but its steps: it uses no definition and counts no unfolding, and throws
/// nothing away.
pub(super) fn is_silent(code: &mut OpGraph, id: OpId) -> bool {
    let is_seen = |op: &StrategyOp| {
        use StrategyOp::{Call, Cheaper, Cheapest, Unfold};
        matches!(op, Call(_) | Unfold(..) | Cheaper(_) | Cheapest(..))
    };
    run_by(code, id).is_some_and(|all| !all.iter().any(is_seen))
}

/// The first part of a choice.
fn first(code: &mut OpGraph, choice: OpId) -> OpId {
    match code.op(choice) {
        StrategyOp::Choice(a, _) => a,
        _ => choice,
    }
}

/// Whether a change at the end of this way, to `now`, may let the first part of a choice succeed at its beginning.
pub(super) fn reaches(code: &mut OpGraph, choice: OpId, way: &[Frame], now: &Term) -> bool {
    let id = first(code, choice);
    may_change(code, id, &mut { FEW_OPS }, &|footprint| sees(footprint, way, now))
}

/// The same for rules with this footprint.
pub(super) fn sees(footprint: &Footprint, way: &[Frame], now: &Term) -> bool {
    let Some(frame) = way.first() else { return false };
    footprint.sees(&frame.term, way.iter().map(|frame| frame.kid as u32), now)
}

/// Whether other uses of variables that it binds may let the first part of a choice succeed on a term.
pub(super) fn asks_uses(code: &mut OpGraph, choice: OpId, term: &Term) -> bool {
    let id = first(code, choice);
    may_change(code, id, &mut { FEW_OPS }, &|footprint| {
        footprint.occurrences != BinderKinds::NONE && footprint.may_apply_to(term)
    })
}

/// Whether an operation surely fails on a term for the constructor of that, before it uses a definition.
pub(super) fn fails_at_once(code: &mut OpGraph, id: OpId, term: &Term, left: &mut usize) -> bool {
    if !spend(left) {
        return false;
    }
    match code.op(id) {
        StrategyOp::Fail => true,
        StrategyOp::Rules(row) => !code.choices[row].rules.footprint().may_apply_to(term),
        StrategyOp::Choice(a, b) => fails_at_once(code, a, term, left) && fails_at_once(code, b, term, left),
        StrategyOp::Seq(s, _) | StrategyOp::Test(true, s) => fails_at_once(code, s, term, left),
        StrategyOp::Child(slot, _) => term.kind().kid_at(slot, term.kid_count()).is_none(),
        StrategyOp::Succeed
        | StrategyOp::Later(_)
        | StrategyOp::Match(_)
        | StrategyOp::Search(..)
        | StrategyOp::One(_)
        | StrategyOp::All(_)
        | StrategyOp::Some(_) => false,
        // A use of a bound name or a definition must be counted, so that it is run.
        StrategyOp::Call(_)
        | StrategyOp::Repeat(..)
        | StrategyOp::Test(false, _)
        | StrategyOp::At(..)
        | StrategyOp::Times(..)
        | StrategyOp::Until(..) => false,
        StrategyOp::Cheaper(_) | StrategyOp::Cheapest(..) | StrategyOp::Force(_) | StrategyOp::Unfold(..) => false,
    }
}

/// Whether an operation surely succeeds, or runs for ever, on every term.
pub(super) fn never_fails(code: &mut OpGraph, id: OpId) -> bool {
    SuccessProof { assumed: Vec::new(), left: FEW_OPS }.is_sure(code, id)
}

struct SuccessProof {
    /// The operations around: what runs itself again may be assumed to succeed.
    assumed: Vec<OpId>,
    left: usize,
}

impl SuccessProof {
    fn is_sure(&mut self, code: &mut OpGraph, id: OpId) -> bool {
        // Nothing on the way back to itself can fail, so that it can only go on for ever.
        if self.assumed.contains(&id) {
            return true;
        }
        if !spend(&mut self.left) {
            return false;
        }
        self.assumed.push(id);
        let sure = match code.op(id) {
            StrategyOp::Succeed | StrategyOp::Repeat(..) | StrategyOp::Times(0, _) => true,
            StrategyOp::Cheaper(_) | StrategyOp::Cheapest(..) => true,
            StrategyOp::Seq(a, b) => self.is_sure(code, a) && self.is_sure(code, b),
            // The second one first, because that is `id` where `try` is meant.
            StrategyOp::Choice(a, b) => self.is_sure(code, b) || self.is_sure(code, a),
            StrategyOp::All(s) | StrategyOp::Test(true, s) | StrategyOp::Times(_, s) => self.is_sure(code, s),
            StrategyOp::Call(s) | StrategyOp::Force(s) | StrategyOp::Unfold(_, s) => self.is_sure(code, s),
            StrategyOp::Fail
            | StrategyOp::Later(_)
            | StrategyOp::Match(_)
            | StrategyOp::Rules(_)
            | StrategyOp::Search(..) => false,
            StrategyOp::One(_) | StrategyOp::Some(_) => false,
            StrategyOp::Test(false, _) | StrategyOp::Child(..) | StrategyOp::At(..) | StrategyOp::Until(..) => false,
        };
        self.assumed.pop();
        sure
    }
}

/// Counts one of those that may be looked at, if any is left.
fn spend(left: &mut usize) -> bool {
    let some = *left > 0;
    *left = left.saturating_sub(1);
    some
}
