//! Finds the rules that a rewrite enables, at its place and around it, and those of which it takes a redex away.

use rustc_hash::FxHashSet;

use crate::redex::{Finder, Redex, site};
use crate::rule::{Focus, Frame, Marks, Rule};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, Term};

/// Where the redex or the contractum has more nodes, nothing is looked for.
const MAX_NODES: u64 = 20_000;

/// So many terms around the place are looked at, the nearest ones: further out a rule hardly sees it, and looks at more.
pub const MAX_AROUND: usize = 8;

/// A rule that a rewrite enables, or of which it takes a redex away.
#[derive(Clone, Debug)]
pub struct EnabledRule {
    /// The rule.
    pub rule: Rule,
    /// The first place where it applies afterwards and didn't before, or the other way round.
    pub path: Path,
}

/// The finder's rules that apply after a rewrite, at its place or around it, and didn't before. Within the contractum
/// those are the rules with more redexes than within the redex, copies counted once and the rewritten one not at all; in
/// the nearest [`MAX_AROUND`] terms around it those that didn't apply at the same place. First those within, from the root
/// down, then those around, from the inside out. None where the terms are too large to search.
pub fn enabled(
    before: &Program,
    redex: &Redex,
    after: &Term,
    finder: &mut Finder,
    budget: &Budget,
) -> Result<Option<Vec<EnabledRule>>, StopReason> {
    if redex.term.size().max(redex.contractum.size()) > MAX_NODES {
        return Ok(None);
    }
    let (path, after) = (&redex.path, before.with(after.clone()));
    let (old, _) = redexes(before, path, finder, budget)?;
    let (new, places) = redexes(&after, path, finder, budget)?;
    let own = finder.families().iter().position(|family| family.info().name == redex.rule.info().name);
    let more = |k: usize| {
        // The redex itself is gone, so that it doesn't count among those before.
        let rewritten = own == Some(k) && old[k].contains(&redex.term.fingerprint());
        new[k].len() > old[k].len() - usize::from(rewritten)
    };
    let mut found: Vec<(usize, Path)> = Vec::new();
    for (k, print, path) in places {
        let is_new = !old[k].contains(&print) || own == Some(k) && print == redex.term.fingerprint();
        if more(k) && is_new && found.iter().all(|(known, _)| *known != k) {
            found.push((k, path));
        }
    }
    let around = |whole: &Term| site(whole, path).map_or(Vec::new(), |(around, _)| around);
    let (was, is) = (around(&before.term), around(&after.term));
    for depth in (0..is.len().min(was.len())).rev().take(MAX_AROUND) {
        budget.tick()?;
        let mut at = |around: &[Frame]| {
            let marks = Marks::of(around[..depth].iter().map(|frame| (&frame.term, frame.kid)));
            let focus = Focus::new(&around[depth].term, &around[..depth], &before.bounds);
            finder.families_at(&Focus { marks: Some(&marks), ..focus })
        };
        let (old, new) = (at(&was)?, at(&is)?);
        for k in new.into_iter().filter(|k| !old.contains(k)) {
            if found.iter().all(|(known, _)| *known != k) {
                found.push((k, Path(path.0[..depth].to_vec())));
            }
        }
    }
    named_at(&after.term, found, before, finder).map(Some)
}

/// The rules of these families, with the arguments with which they apply at these places of a term.
fn named_at(
    whole: &Term,
    places: Vec<(usize, Path)>,
    program: &Program,
    finder: &mut Finder,
) -> Result<Vec<EnabledRule>, StopReason> {
    let mut all = Vec::new();
    for (k, path) in places {
        let Some((context, term)) = site(whole, &path) else { continue };
        let name = finder.families()[k].info().name.clone();
        let here = finder.at(&Focus::new(&term, &context, &program.bounds))?;
        let rule = here.into_iter().map(|(rule, _)| rule).find(|rule| rule.info().name == name);
        all.extend(rule.map(|rule| EnabledRule { rule, path }));
    }
    Ok(all)
}

/// The finder's rules of which a rewrite takes a redex away, each with the first place of one: rules with fewer redexes within
/// the contractum than within the redex, copies counted once and the rewritten one not at all. None where the terms are too
/// large to search.
pub fn taken_away(
    before: &Program,
    redex: &Redex,
    after: &Term,
    finder: &mut Finder,
    budget: &Budget,
) -> Result<Vec<EnabledRule>, StopReason> {
    if redex.term.size().max(redex.contractum.size()) > MAX_NODES {
        return Ok(Vec::new());
    }
    let own = finder.families().iter().position(|family| family.info().name == redex.rule.info().name);
    let rewritten = |k: usize, print: &u128| own == Some(k) && *print == redex.term.fingerprint();
    let (old, places) = redexes(before, &redex.path, finder, budget)?;
    let (new, _) = redexes(&before.with(after.clone()), &redex.path, finder, budget)?;
    let mut gone: Vec<(usize, Path)> = Vec::new();
    for (k, print, path) in places {
        let fewer = new[k].len() + old[k].iter().filter(|print| rewritten(k, print)).count() < old[k].len();
        let is_gone = fewer && !new[k].contains(&print) && !rewritten(k, &print);
        if is_gone && gone.iter().all(|(known, _)| *known != k) {
            gone.push((k, path));
        }
    }
    named_at(&before.term, gone, before, finder)
}

/// The terms that each of the finder's families rewrites.
type RewrittenTerms = Vec<FxHashSet<u128>>;

/// The number of a family, a term that it rewrites, and the first place of that.
type FirstPlace = (usize, u128, Path);

/// The terms at a path and below it that each of the finder's families rewrites, wherever their variables are bound, and
/// the first place of each, in order.
fn redexes(
    program: &Program,
    path: &Path,
    finder: &mut Finder,
    budget: &Budget,
) -> Result<(RewrittenTerms, Vec<FirstPlace>), StopReason> {
    let mut found: RewrittenTerms = vec![FxHashSet::default(); finder.families().len()];
    let mut places = Vec::new();
    finder.each_place(program, path, budget, &mut |finder, focus, path| {
        let print = focus.term.fingerprint();
        for k in finder.families_at(focus)? {
            if found[k].insert(print) {
                places.push((k, print, path.clone()));
            }
        }
        Ok(true)
    })?;
    Ok((found, places))
}
