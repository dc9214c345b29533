//! The library and the rule book: what every session knows from the start.

use std::cell::RefCell;
use std::rc::Rc;

use crate::check::{self, Model};
use crate::ground::{Budget, Limits, Sources, Trouble};
use crate::rule::{Checker, RuleBook};

/// The prelude and the rules that ship. Their laws are typed when they are first asked for.
pub fn shipped(sources: &Rc<RefCell<Sources>>) -> Result<(Rc<Model>, RuleBook), Trouble> {
    // The library is redexter's own: a user's limits are for the user's work.
    let budget = Budget::default();
    let prelude = check::prelude(sources, &budget)?;
    let (texts, within) = (sources.clone(), prelude.clone());
    let checker: Checker = Rc::new(move |raw, reverse| check::laws(raw, reverse, &within, &texts.borrow(), &budget));
    let book = RuleBook::shipped(&mut sources.borrow_mut(), &Limits::default(), &checker)?;
    Ok((prelude, book))
}
