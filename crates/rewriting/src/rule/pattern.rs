//! A [`Pattern`] is a law's left side on its own: it tests a term as a strategy, in a condition, or for `repeatUntil`.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::focus::Focus;
use super::footprint::{Footprint, Miss, first};
use super::matching::CompiledLaw;
use super::reason::{FailureCause, Reason};
use redexter_language::check::Law;
use redexter_language::term::Term;

/// A pattern that terms may match or contain. Cheap to clone, compared as text.
#[derive(Clone, Debug)]
pub struct Pattern(Rc<CompiledPattern>);

#[derive(Debug)]
struct CompiledPattern {
    text: String,
    laws: Vec<Rc<CompiledLaw>>,
    footprint: Footprint,
}

impl Pattern {
    /// The left sides of these laws; a pattern that is open between types has several.
    pub fn new(text: &str, laws: &[Law]) -> Pattern {
        let laws: Vec<Rc<CompiledLaw>> = laws.iter().map(|law| Rc::new(CompiledLaw::new(law, Vec::new()))).collect();
        let mut footprint = Footprint::nothing();
        laws.iter().for_each(|law| footprint.join(&law.footprint()));
        Pattern(Rc::new(CompiledPattern { text: text.to_owned(), laws, footprint }))
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What it inspects.
    pub fn footprint(&self) -> &Footprint {
        &self.0.footprint
    }

    /// Whether the pattern matches the term, whatever its sizes are.
    pub fn matches(&self, term: &Term) -> bool {
        self.0.laws.iter().any(|law| law.matches(term))
    }

    /// Whether the pattern matches the term or something in it.
    pub fn occurs_in(&self, term: &Term) -> bool {
        self.search(term, &mut FxHashSet::default())
    }

    /// The same, for one term after another: subterms in `seen` are skipped, because nothing matched in them. The set must not be
    /// used again after a hit, since it then holds what matched, too.
    pub fn occurs_in_new(&self, term: &Term, seen: &mut FxHashSet<u128>) -> bool {
        self.search(term, seen)
    }

    /// Tests that the pattern matches the term, with sizes that are as large as they have to be; or says how deep it looked.
    pub fn attempt(&self, focus: &Focus) -> Result<(), Miss> {
        // No law's left side has this constructor, so that nothing below needs to be looked at.
        if !self.footprint().may_apply_to(focus.term) {
            return Err(Miss::Near);
        }
        first(self.0.laws.iter().map(|law| law.applies(focus, &[]).map_err(|obstacle| obstacle.miss(law, focus.term))))
    }

    /// The same, but says why it doesn't match.
    pub fn test(&self, focus: &Focus) -> Result<(), Reason> {
        let mut why: Option<Reason> = None;
        for law in &self.0.laws {
            let Err(obstacle) = law.applies(focus, &[]) else { return Ok(()) };
            let reason = obstacle.reason(law, focus.term);
            why = Some(why.map_or_else(|| reason.clone(), |earlier| earlier.or_below(reason.clone())));
        }
        let reason = why.unwrap_or_else(|| Reason::native("it matches nothing"));
        // A user wrote a pattern and no law, so that the words must not speak of one.
        let why = match reason.why {
            FailureCause::Type => FailureCause::Native("the types or sizes differ from the pattern's"),
            why => why,
        };
        Err(Reason { rule: Some(format!("the pattern `{}`", self.text()).into()), why, ..reason })
    }

    /// What it is: laws that change nothing.
    pub(super) fn laws(&self) -> &[Rc<CompiledLaw>] {
        &self.0.laws
    }

    /// A match doesn't depend on where free variables are bound, so that a node is looked at once.
    fn search(&self, term: &Term, seen: &mut FxHashSet<u128>) -> bool {
        seen.insert(term.fingerprint()) && (self.matches(term) || term.kids().iter().any(|kid| self.search(kid, seen)))
    }
}

impl Eq for Pattern {}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text() == other.text()
    }
}
