//! Registers amounts, such as the work of a term, as values of a script: they print as formulas in open sizes, and compare as
//! `cheaper` compares.

use std::cmp::Ordering;
use std::rc::Rc;

use rhai::{Dynamic, Engine, ImmutableString, Map};

use super::errors::{RhaiResult, fail};
use super::words;
use redexter_language::cost::{self, Poly};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, Name, code};
use redexter_language::term::SizeBounds;

/// An amount of operations or numbers of a program whose open sizes have these lower bounds.
#[derive(Clone)]
pub(crate) struct AmountValue {
    formula: Rc<Poly>,
    bounds: SizeBounds,
}

/// Sums are multiplied out for `==` where that makes no more products.
const MAX_PRODUCTS: usize = 1_000;

impl AmountValue {
    /// A formula, as a value of a script.
    pub(super) fn value(formula: impl Into<Rc<Poly>>, bounds: &SizeBounds) -> Dynamic {
        Dynamic::from(AmountValue { formula: formula.into(), bounds: bounds.clone() })
    }

    /// What a value means beside an amount: another one, a number, or a formula as it is written.
    fn of(value: &Dynamic) -> Option<AmountValue> {
        if let Some(amount) = value.read_lock::<AmountValue>() {
            return Some(amount.clone());
        }
        let formula = match value.as_int() {
            Ok(n) => Poly::constant(u128::try_from(n).ok()?),
            Err(_) => Poly::read(&value.read_lock::<ImmutableString>()?)?,
        };
        Some(AmountValue { formula: Rc::new(formula), bounds: SizeBounds::default() })
    }

    fn is_known(&self) -> bool {
        !self.formula.is_unknown() && !self.formula.is_vast()
    }

    fn is_same(&self, other: &AmountValue) -> bool {
        let expanded = |amount: &AmountValue| amount.formula.expanded(MAX_PRODUCTS);
        self.formula == other.formula || expanded(self).is_some_and(|one| Some(one) == expanded(other))
    }

    /// Which of two is less; an error where `cheaper` would take steps between them neither way or both ways.
    fn order(&self, other: &AmountValue) -> Result<Ordering, Diagnostic> {
        if !self.is_known() || !other.is_known() {
            return Err(undecided(self, other, "not all of it is known"));
        }
        if self.is_same(other) {
            return Ok(Ordering::Equal);
        }
        let mut bounds = self.bounds.clone();
        other.bounds.iter().for_each(|(name, lower)| bounds.require(name, lower));
        let rises = |from: &AmountValue, to: &AmountValue| cost::compare(&from.formula, &to.formula, &bounds).is_raised;
        match (rises(self, other), rises(other, self)) {
            (true, false) => Ok(Ordering::Less),
            (false, true) => Ok(Ordering::Greater),
            _ => Err(undecided(self, other, "each is as far above the other at some sizes")),
        }
    }

    /// The amount where the sizes have these values.
    fn at(&self, sizes: &Map) -> Result<Dynamic, Diagnostic> {
        let wrong = |headline: String| Diagnostic::error(code::SCRIPT, headline);
        let wanted: Vec<Name> = self.formula.sizes().into_iter().collect();
        let example = listed(wanted.iter().map(|name| format!("{name}: 1000")));
        let all = format!("write `.at(#{{{example}}})`");
        if let Some(missing) = wanted.iter().find(|name| !sizes.contains_key(name.as_str())) {
            return Err(wrong(format!("`{}` needs the size {missing}", self.formula)).help(all));
        }
        if let Some(other) = sizes.keys().find(|key| !wanted.iter().any(|name| name.as_str() == key.as_str())) {
            return Err(wrong(format!("`{}` has no size `{other}`", self.formula)).help(all));
        }
        let mut known = Vec::new();
        for name in &wanted {
            known.push((name, words::natural(&sizes[name.as_str()], "a size is a whole number from 0")?));
        }
        let value = self.formula.at(|name| known.iter().find(|(own, _)| *own == name).map_or(0, |(_, n)| *n));
        match i64::try_from(value) {
            Ok(number) if self.is_known() => Ok(Dynamic::from(number)),
            Ok(_) => Err(wrong(format!("`{}` isn't known", self.formula))),
            Err(_) => Err(wrong(format!("`{}` is more there than a number of a script can be", self.formula))),
        }
    }
}

fn undecided(one: &AmountValue, other: &AmountValue, why: &str) -> Diagnostic {
    let headline = format!("which of `{}` and `{}` is less can't be decided: {why}", one.formula, other.formula);
    Diagnostic::error(code::SCRIPT, headline).help("compare numbers instead, as `.at(#{n: 1000})` gives them")
}

pub(crate) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<AmountValue>("amount");
    for name in ["to_string", "to_debug"] {
        engine.register_fn(name, |amount: &mut AmountValue| amount.formula.to_string());
    }
    engine.register_fn("at", |amount: &mut AmountValue, sizes: Map| amount.at(&sizes).map_err(fail));
    for (name, wanted) in [("==", true), ("!=", false)] {
        compared(engine, name, move |one, other| {
            Ok(one.zip(other).is_some_and(|(one, other)| one.is_same(&other)) == wanted)
        });
    }
    let less: fn(Ordering) -> bool = Ordering::is_lt;
    let orders = [("<", less), ("<=", Ordering::is_le), (">", Ordering::is_gt), (">=", Ordering::is_ge)];
    for (name, holds) in orders {
        compared(engine, name, move |one, other| match one.zip(other) {
            Some((one, other)) => one.order(&other).map(holds).map_err(fail),
            None => Err(fail(
                Diagnostic::error(code::SCRIPT, "an amount is compared with what is none")
                    .help("write an amount, a number from 0, or a formula such as \"3*n^2\""),
            )),
        });
    }
}

/// Registers an operator for an amount on either side.
fn compared(
    engine: &mut Engine,
    name: &str,
    holds: impl Fn(Option<AmountValue>, Option<AmountValue>) -> RhaiResult<bool> + Clone + 'static,
) {
    let (both, right) = (holds.clone(), holds.clone());
    engine.register_fn(name, move |one: AmountValue, other: AmountValue| both(Some(one), Some(other)));
    engine.register_fn(name, move |one: AmountValue, other: Dynamic| right(Some(one), AmountValue::of(&other)));
    engine.register_fn(name, move |one: Dynamic, other: AmountValue| holds(AmountValue::of(&one), Some(other)));
}
