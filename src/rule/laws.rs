//! The laws of a rule that is written as text, typed when they are first needed.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use crate::check::Law;
use crate::ground::Trouble;
use crate::syntax::raw::RawRule;
use crate::term::Term;

use super::asked::Functions;
use super::compile;
use super::info::Rule;
use super::law::CompiledLaw;
use super::look::{Look, Miss, first};
use super::reason::Reason;
use super::sight;
use super::site::Site;

/// Types the laws of a rule, from right to left where the flag says so: what `check` does, with the library it knows.
pub type Checker = Rc<dyn Fn(&RawRule, bool) -> Result<Vec<Law>, Trouble>>;

/// Laws, typed or yet to be.
pub struct Laws {
    raw: Rc<RawRule>,
    reverse: bool,
    checker: Checker,
    functions: Rc<Functions>,
    typed: OnceCell<Vec<CompiledLaw>>,
}

impl Laws {
    pub(super) fn new(raw: &Rc<RawRule>, reverse: bool, checker: &Checker, functions: &Rc<Functions>) -> Laws {
        let (raw, checker, functions) = (raw.clone(), checker.clone(), functions.clone());
        Laws { raw, reverse, checker, functions, typed: OnceCell::new() }
    }

    /// The typed laws, or what is wrong with them.
    pub fn typed(&self) -> Result<&[CompiledLaw], Trouble> {
        if let Some(laws) = self.typed.get() {
            return Ok(laws);
        }
        let mut laws = Vec::new();
        for law in (self.checker)(&self.raw, self.reverse)? {
            let conditions = compile::conditions(&self.raw, &law, &self.functions)?;
            laws.push(CompiledLaw::new(&law, conditions));
        }
        Ok(self.typed.get_or_init(|| laws))
    }

    /// The typed laws of a rule that has been tried.
    pub(super) fn sure(&self) -> &[CompiledLaw] {
        self.typed().unwrap_or_else(|wrong| panic!("the rule {} can't be typed: {wrong:?}", self.raw.name.name))
    }

    /// What the laws inspect.
    pub(super) fn look(&self) -> Look {
        let mut all = Look::nothing();
        self.sure().iter().for_each(|law| all.join(&sight::look(law)));
        all
    }

    /// The first law of the rule, whose these are, that applies; otherwise how deep they looked.
    pub(super) fn attempt(&self, site: &Site, rule: &Rule) -> Result<Term, Miss> {
        let head = site.term.kind().head();
        let fitting = self.sure().iter().map(CompiledLaw::plan).filter(|plan| plan.may_fit(head));
        first(fitting.map(|plan| plan.attempt(site, rule)))
    }

    /// The first law that applies, or the most telling failure. Users' rules are typed when they are defined, and the
    /// book's in a test, so that an ill-typed law is a bug here.
    pub(super) fn apply(&self, site: &Site, arguments: &[u64]) -> Result<Term, Reason> {
        let mut why: Option<Reason> = None;
        for law in self.sure() {
            match law.apply(site, arguments) {
                Ok(term) => return Ok(term),
                Err(reason) if reason.stopped().is_some() => return Err(reason),
                Err(reason) => {
                    why = Some(match why {
                        Some(earlier) => earlier.or_below(reason),
                        None => reason,
                    });
                }
            }
        }
        Err(why.unwrap_or_else(|| Reason::native("the rule has no law")))
    }
}

impl Laws {
    /// The text of the first law whose left side matches the term, conditions apart.
    pub(super) fn matching(&self, term: &Term) -> Option<&str> {
        self.typed().ok()?.iter().find(|law| law.matches(term).is_ok()).map(|law| law.text.as_str())
    }
}

impl fmt::Debug for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Laws").field(&self.raw.name.name).finish()
    }
}
