//! Searches a term for one redex of a choice of rules: `topDown`, `bottomUp` and what users write with `one` to the same end. A
//! `RedexSearch` is the engine's inner loop, with the cursor for its stack.
//!
//! Within a repetition it goes on after a rewrite as [`super::resume`] says, for the terms on its own way down, too: there
//! its rules have failed, if they come before the children, and are asked again where they may succeed now.

use smallvec::SmallVec;

use crate::rule::{BinderKinds, FreshSubterms};

use super::children::{open_kid, visit};
use super::code::OpId;
use super::failures::FailureMemory;
use super::footprint::sees;
use super::machine::Engine;
use super::next_action::{EnclosingRepeat, EngineHalt, NextAction, RedexSearch, RewriteResult};
use super::resume::{
    again, around, asked_binders, finish_round, is_turned, may_be_asked, outer, refresh, refresh_to, seen_by, unwind,
    used_by,
};
use super::stack::ResumeRegion;

/// The result of trying the rules on the focus.
enum FocusOutcome {
    Failed,
    /// It was rewritten; now the search goes on with the focus.
    Anew,
    /// It was rewritten, and that is all.
    Done,
    /// It was rewritten, and the next round begins with what was tried at this place of the stack.
    Back(usize),
}

/// Runs the operation `own`, which tries these rules on a term and itself on one of its children.
pub(super) fn search(engine: &mut Engine, own: OpId, row: usize, outermost: bool) -> Result<NextAction, EngineHalt> {
    let choices = engine.code.choices[row].clone();
    let ResumeRegion { repeat, deep, .. } = engine.region();
    let place = |counted: u32| (counted as usize).checked_sub(1);
    let (base, deep) = (engine.cursor.depth(), place(deep));
    let around = place(repeat).map(|place| around(engine, place));
    // What failed near looks down by the reach of its rules at most; what failed for a reason at any depth must be asked
    // again wherever something changes.
    let near = match (&around, deep) {
        (Some(around), None) => base.saturating_add(around.reach),
        _ => usize::MAX,
    };
    // `whole` where the repetition is on top of the stack, because then it waits for this search and nothing else.
    let (bit, whole) = (engine.bit(own, FailureMemory::Failure), repeat as usize == engine.stack.len());
    let search = RedexSearch { choices, outermost, bit, base, around, whole, deep, near };
    engine.cursor.trying(search.base);
    run_search(engine, search)
}

/// Searches from the focus on; `from` is the child that comes next, and 0 where the focus itself does.
pub(super) fn run_search(engine: &mut Engine, search: RedexSearch) -> Result<NextAction, EngineHalt> {
    let mut from = 0;
    loop {
        // The constructor is asked first, because to try the rules may take putting together what stands around.
        if search.outermost && from == 0 && search.may_fit(&engine.cursor.focus) {
            match rewrite_here(engine, &search)? {
                FocusOutcome::Failed => {}
                // The search is handed out, so that after a pause it can go on from here.
                FocusOutcome::Anew if engine.is_due() => return Ok(NextAction::Search(Box::new(search))),
                FocusOutcome::Anew => continue,
                FocusOutcome::Done => return Ok(NextAction::Yes),
                FocusOutcome::Back(place) => return Ok(again(engine, place)),
            }
        }
        if let Some(k) = open_kid(engine, from, search.bit, |kid| search.may_rewrite(kid)) {
            // One search may go through the whole term, so that each child asks.
            engine.budget.tick()?;
            visit(engine, k);
            from = 0;
            continue;
        }
        if !search.outermost && search.may_fit(&engine.cursor.focus) {
            match rewrite_here(engine, &search)? {
                FocusOutcome::Failed => {}
                FocusOutcome::Anew if engine.is_due() => return Ok(NextAction::Search(Box::new(search))),
                FocusOutcome::Anew => {
                    // The contractum's children come before it, so that they must be searched first.
                    from = 0;
                    continue;
                }
                FocusOutcome::Done => return Ok(NextAction::Yes),
                FocusOutcome::Back(place) => return Ok(again(engine, place)),
            }
        }
        engine.note(search.bit);
        if engine.cursor.depth() <= search.base {
            // Rounds that went on inside the search may have rewritten what it was applied to.
            refresh(engine);
            // A leaf has nothing below that could change, so that only the rules' own reason counts.
            return Ok(NextAction::No(engine.cursor.focus.kid_count() > 0 || engine.cursor.is_doubtful()));
        }
        from = engine.cursor.up() + 1;
    }
}

/// Tries the rules on the focus.
#[inline(never)]
fn rewrite_here(engine: &mut Engine, search: &RedexSearch) -> Result<FocusOutcome, EngineHalt> {
    debug_assert!(!engine.cursor.is_doubtful(), "what is tried hasn't failed yet");
    match engine.attempt(&search.choices)? {
        RewriteResult::Rewritten => found(engine, search),
        RewriteResult::Missed(below) => {
            // From the leaves up, the rules haven't been tried yet on the terms around, so that there is no failure to doubt.
            if search.outermost {
                engine.cursor.doubt(below);
            }
            Ok(FocusOutcome::Failed)
        }
    }
}

fn found(engine: &mut Engine, search: &RedexSearch) -> Result<FocusOutcome, EngineHalt> {
    let inside = engine.cursor.depth() > search.base;
    // A success like any other where nothing repeats the search, or where more is repeated and the search's own term was
    // rewritten, since `resume` then finds where the next round goes on.
    let Some(around) = search.around.as_ref().filter(|_| inside || search.whole) else {
        rise(engine, search.base);
        // Earlier rounds may have gone on inside the search, so that the frame around may have an older term than this round.
        if !inside && let Some(redex) = engine.steps.last().map(|step| step.redex.clone()) {
            refresh_to(engine, redex);
        }
        return Ok(FocusOutcome::Done);
    };
    // The repetition begins the next round itself and counts this one there, so that it must not be counted here.
    if is_turned(engine, around.place) {
        rise(engine, search.base);
        unwind(engine, around.place + 1);
        return Ok(FocusOutcome::Done);
    }
    finish_round(engine, around.place)?;
    // Binders are gathered only where some may be asked about, because that takes going through the variables of both terms.
    if engine.steps.last().is_some_and(|step| may_be_asked(engine, around, &step.redex)) {
        return Ok(go_on_asked(engine, search, around));
    }
    Ok(go_on(engine, search, around, &[]))
}

#[inline(never)]
fn go_on_asked(engine: &mut Engine, search: &RedexSearch, around: &EnclosingRepeat) -> FocusOutcome {
    let binders = engine.steps.last().map_or_else(SmallVec::new, |step| asked_binders(engine, around, &step.redex));
    go_on(engine, search, around, &binders)
}

/// After a round that has changed how the variables of these binders are used.
#[inline(always)]
fn go_on(engine: &mut Engine, search: &RedexSearch, around: &EnclosingRepeat, binders: &[usize]) -> FocusOutcome {
    // What was tried further out comes before the search, so that the next round begins there if that may succeed now.
    if !search.whole
        && (engine.cursor.depth() <= search.near || !binders.is_empty())
        && let Some(place) = asked_outside(engine, search, around, binders)
    {
        rise(engine, search.base);
        return FocusOutcome::Back(place);
    }
    // A look at the contractum's constructor, so that nobody goes along the way where no rule looks for that.
    let seen = search.choices.rules.footprint().seeks(&engine.cursor.focus);
    if search.outermost
        && (seen || engine.cursor.doubtful().is_some() || !binders.is_empty())
        && let Some(depth) = asked_again(engine, search, binders)
    {
        rise(engine, depth);
        // The rules are tried on this term again, so that its last failure must not count any more.
        engine.cursor.trying(search.base);
    }
    FocusOutcome::Anew
}

#[inline(never)]
fn rise(engine: &mut Engine, depth: usize) {
    while engine.cursor.depth() > depth {
        engine.cursor.up();
    }
}

/// The outermost place of the stack, on the term that the search is applied to or further out, where something failed
/// that may succeed now.
#[inline(never)]
fn asked_outside(
    engine: &mut Engine,
    search: &RedexSearch,
    around: &EnclosingRepeat,
    binders: &[usize],
) -> Option<usize> {
    let seen = seen_by(engine, around, search.base);
    outer(outer(search.deep, seen), used_by(engine, around, binders, search.base))
}

/// The outermost term around the focus on which the rules have failed, but may succeed now.
#[inline(never)]
fn asked_again(engine: &Engine, search: &RedexSearch, binders: &[usize]) -> Option<usize> {
    outer(outer(doubted(engine, search), seen_here(engine, search)), used_here(engine, search, binders))
}

/// The outermost one on which they failed for a reason that lies on the way, and may have gone.
fn doubted(engine: &Engine, search: &RedexSearch) -> Option<usize> {
    let depth = engine.cursor.doubtful()?;
    // Rules that only fail because nothing stands twice fail again, unless the rewrite brought in what stands beside the way.
    let stays = || {
        let redex = &engine.steps.last()?.redex;
        let (now, way) = engine.cursor.site();
        Some(!FreshSubterms::of(redex, now)?.stands_beside(&way[depth..]))
    };
    let repeats = search.choices.rules.footprint().repeats;
    (!(repeats && stays() == Some(true))).then_some(depth)
}

/// The outermost term on the way at which the rules look as far as the focus.
fn seen_here(engine: &Engine, search: &RedexSearch) -> Option<usize> {
    let footprint = search.choices.rules.footprint();
    let (now, way) = engine.cursor.site();
    // The rules look down by their reach at most, so that terms further out can't have seen the change.
    let nearest = search.base.max(way.len().saturating_sub(footprint.reach as usize));
    (nearest..way.len()).find(|depth| sees(footprint, &way[*depth..], now))
}

/// The outermost one at which they may ask about variables of these binders, which are used differently now.
fn used_here(engine: &Engine, search: &RedexSearch, binders: &[usize]) -> Option<usize> {
    let footprint = search.choices.rules.footprint();
    if footprint.occurrences == BinderKinds::NONE {
        return None;
    }
    let asks = |depth: &usize| footprint.may_apply_to(&engine.cursor.frame(*depth).term);
    let nearest = |binder: &usize| search.base.max(binder.saturating_sub(footprint.reach as usize))..=*binder;
    binders.iter().filter_map(|binder| nearest(binder).find(asks)).min()
}
