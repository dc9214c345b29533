//! Types the laws of a rule that is written as text, once, when they are first needed, and tries them in their order.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use redexter_language::check::Law;
use redexter_language::ground::{Span, Trouble, text::on_one_line};
use redexter_language::syntax::raw::{RawRule, RawTerm};
use redexter_language::term::Term;

use super::condition::{AskedPattern, ConditionFunctions, conditions};
use super::explanation::RuleExplanation;
use super::focus::Focus;
use super::footprint::{Footprint, Miss, first};
use super::matching::CompiledLaw;
use super::pattern::Pattern;
use super::reason::Reason;
use super::restriction::Restriction;
use super::written::{WrittenFacts, WrittenLaw};

/// Types the laws of a rule, from right to left where the flag says so: what `check` does, with the library it knows.
pub type Checker = Rc<dyn Fn(&RawRule, bool) -> Result<Vec<Law>, Trouble>>;

/// Laws, typed or yet to be.
pub struct Laws {
    raw: Rc<RawRule>,
    reverse: bool,
    checker: Checker,
    functions: Rc<ConditionFunctions>,
    typed: OnceCell<Vec<Rc<CompiledLaw>>>,
    facts: OnceCell<WrittenFacts>,
}

impl Laws {
    pub(super) fn new(raw: &Rc<RawRule>, reverse: bool, checker: &Checker, functions: &Rc<ConditionFunctions>) -> Laws {
        let (raw, checker, functions) = (raw.clone(), checker.clone(), functions.clone());
        Laws { raw, reverse, checker, functions, typed: OnceCell::new(), facts: OnceCell::new() }
    }

    /// The typed laws, or what is wrong with them.
    pub fn typed(&self) -> Result<&[Rc<CompiledLaw>], Trouble> {
        if let Some(laws) = self.typed.get() {
            return Ok(laws);
        }
        let mut laws = Vec::new();
        for law in (self.checker)(&self.raw, self.reverse)? {
            let conditions = conditions(&self.raw, &law, &self.functions, &|raw| self.asked(raw))?;
            laws.push(Rc::new(CompiledLaw::new(&law, conditions)));
        }
        // Kept only now that all of them are typed and their conditions are read, so that an error is reported each time.
        Ok(self.typed.get_or_init(|| laws))
    }

    /// The same laws with one more condition on each; none where one of them has no variable of the name that it speaks of.
    pub(super) fn restricted(&self, by: &Restriction) -> Option<Laws> {
        let more = |law: &Rc<CompiledLaw>| {
            let all = law.conditions().cloned().chain([by.condition(law.law())?]).collect();
            Some(Rc::new(CompiledLaw::new(law.law(), all)))
        };
        let typed: Option<Vec<Rc<CompiledLaw>>> = self.typed().ok()?.iter().map(more).collect();
        let Laws { raw, reverse, checker, functions, .. } = self;
        let (raw, checker, functions) = (raw.clone(), checker.clone(), functions.clone());
        Some(Laws { raw, reverse: *reverse, checker, functions, typed: OnceCell::from(typed?), facts: OnceCell::new() })
    }

    /// The laws as they are written, before they are typed.
    pub(super) fn written(&self) -> impl Iterator<Item = WrittenLaw<'_>> {
        let own = self.raw.laws.iter().filter(|law| law.both_ways || !self.reverse);
        own.map(|law| match self.reverse {
            true => WrittenLaw::new(&law.right, &law.left),
            false => WrittenLaw::new(&law.left, &law.right),
        })
    }

    /// What they tell of themselves as they are written, read off once.
    pub(super) fn facts(&self) -> WrittenFacts {
        *self.facts.get_or_init(|| WrittenFacts::of(&self.written().collect::<Vec<WrittenLaw>>()))
    }

    /// Whether conditions are written that all must hold.
    pub(super) fn is_conditional(&self) -> bool {
        !self.raw.conditions.is_empty()
    }

    /// Where the rule's name stands.
    pub fn span(&self) -> Span {
        self.raw.name.span
    }

    /// A pattern that a condition asks about.
    fn asked(&self, raw: &RawTerm) -> Result<AskedPattern, Trouble> {
        let laws = (self.checker)(&RawRule::of_pattern(raw), false)?;
        let text = laws.first().map_or(String::new(), |law| on_one_line(&law.text));
        let pattern = Pattern::new(&text, &laws);
        Ok(AskedPattern::new(&text, laws.first(), move |focus| pattern.attempt(focus).is_ok()))
    }

    /// The laws themselves, or what is wrong with them.
    pub fn iter(&self) -> Result<impl Iterator<Item = &Law>, Trouble> {
        Ok(self.typed()?.iter().map(|law| law.law()))
    }

    /// The typed laws. Users' rules are typed when they are defined, and the book's in a test, so that an ill-typed law is
    /// a bug here.
    pub(super) fn sure(&self) -> &[Rc<CompiledLaw>] {
        self.typed().unwrap_or_else(|wrong| panic!("the rule {} can't be typed: {wrong:?}", self.raw.name.name))
    }

    /// What the laws inspect.
    pub(super) fn footprint(&self) -> Footprint {
        let mut all = Footprint::nothing();
        self.sure().iter().for_each(|law| all.join(&law.footprint()));
        all
    }

    /// The first law that applies; otherwise how deep they looked. The arguments are those of the rule.
    pub(super) fn attempt(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Miss> {
        // Lazy, so that no law is tried behind the first one that applies.
        let tried = self.sure().iter().map(|law| law.attempt(focus, arguments).map_err(|o| o.miss(law, focus.term)));
        first(tried)
    }

    /// The first law that applies, or the most telling failure.
    pub(super) fn apply(&self, focus: &Focus, arguments: &[u64]) -> Result<Term, Reason> {
        let mut why: Option<Reason> = None;
        for law in self.sure() {
            let reason = match law.attempt(focus, arguments) {
                Ok(term) => return Ok(term),
                Err(obstacle) => obstacle.reason(law, focus.term),
            };
            // A limit ends the whole run: it must not be outdone by a failure that came further, nor may another law be tried.
            if reason.stopped().is_some() {
                return Err(reason);
            }
            why = Some(match why {
                Some(earlier) => earlier.or_below(reason),
                None => reason,
            });
        }
        Err(why.unwrap_or_else(|| Reason::native("the rule has no law")))
    }

    /// What is in the way of the law that comes nearest; none where a law applies.
    pub(super) fn explain(&self, focus: &Focus, arguments: &[u64]) -> Option<RuleExplanation> {
        let mut nearest: Option<RuleExplanation> = None;
        for (number, law) in self.sure().iter().enumerate() {
            // No explanation means that this law applies, so that nothing is in the rule's way.
            let next = law.explain(focus, arguments, number)?;
            if nearest.as_ref().is_none_or(|nearest| next.nearness() > nearest.nearness()) {
                nearest = Some(next);
            }
        }
        nearest
    }

    /// The text of the first law whose left side matches the term, conditions apart.
    pub(super) fn matching(&self, term: &Term) -> Option<&str> {
        self.typed().ok()?.iter().find(|law| law.matches(term)).map(|law| law.law().text.as_str())
    }
}

impl fmt::Debug for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Laws").field(&self.raw.name.name).finish()
    }
}
