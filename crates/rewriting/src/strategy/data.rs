//! Represents strategies as data, and binds names in them: a `Strategy` is a shared tree of `StrategyForm`s.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::unary::Unary;
use crate::rule::{Pattern, Rule};
use redexter_language::ground::Name;
use redexter_language::term::Slot;

/// A strategy: takes a term and gives a term, or fails. Cheap to clone.
///
/// Bound names are nameless inside: [`StrategyForm::Var`] counts binders outwards. To build `mu(|x| s)` or a definition's
/// body, stand [`Strategy::free`] with a serial number of your own for the name, and let [`Strategy::mu`] or
/// [`StrategyDefinition::set`] bind it.
///
/// ```
/// use redexter_rewriting::strategy::{Strategy, Unary};
/// let strategy = Strategy::fail().or(&Strategy::id()).under(Unary::TopDown);
/// assert_eq!(strategy.to_string(), "topDown(fail <+ id)");
/// ```
#[derive(Clone)]
pub struct Strategy(pub(super) Rc<StrategyNode>);

/// The most parts, counted as a tree, of a strategy that is analysed before it runs.
const MAX_ANALYSED_PARTS: u64 = 20_000;

pub(super) struct StrategyNode {
    pub(super) form: StrategyForm,
    /// How many binders around it its variables reach for; 0 for a closed strategy.
    pub(super) reach: u32,
    /// Whether a `Free` is in it.
    pub(super) free: bool,
    /// Its parts, counted as a tree; saturates.
    pub(super) weight: u64,
}

/// The forms of a strategy.
#[derive(Clone)]
pub enum StrategyForm {
    /// `id`
    Id,
    /// `fail`
    Fail,
    /// A rule, tried at the root.
    Rule(Rule),
    /// A pattern: succeeds without change where it matches the root.
    Match(Pattern),
    /// `s ; t`
    Seq(Strategy, Strategy),
    /// `s <+ t`
    Choice(Strategy, Strategy),
    /// `cheapest(s, t)`
    Cheapest(Strategy, Strategy),
    /// `mu(|x| s)`: the hint for x, s under one binder.
    Mu(Name, Strategy),
    /// What is bound so many binders further out: a fixed point or a definition's parameter.
    Var(u32),
    /// A name that isn't bound yet, by its serial number; what a run meets of them fails.
    Free(u64),
    /// A combinator of one strategy.
    Unary(Unary, Strategy),
    /// `body(s)`, `operand(1, s)` and so on.
    Child(Slot, Strategy),
    /// `at("body.argument.0", s)`
    At(Rc<str>, Strategy),
    /// `` at(`pattern`, s) ``, which is `` topDown(`pattern` ; s) ``.
    AtMatch(Pattern, Strategy),
    /// `repeatN(n, s)`
    RepeatN(u64, Strategy),
    /// `repeatUntil(pattern, s)`
    RepeatUntil(Pattern, Strategy),
    /// A use of a definition.
    Named(NamedUse),
}

impl Strategy {
    /// It in backticks; a pattern or a rule in place has them.
    pub fn quoted(&self) -> String {
        match self.form() {
            StrategyForm::Match(_) => self.to_string(),
            StrategyForm::Rule(rule) => rule.quoted(),
            _ => format!("`{self}`"),
        }
    }

    /// The strategy of this form.
    pub fn new(form: StrategyForm) -> Strategy {
        let (mut reach, mut free) = (0, matches!(form, StrategyForm::Free(_)));
        let mut part = |s: &Strategy, binders: u32| {
            reach = reach.max(s.0.reach.saturating_sub(binders));
            free |= s.0.free;
        };
        match &form {
            StrategyForm::Var(i) => reach = i + 1,
            StrategyForm::Mu(_, s) => part(s, 1),
            _ => form.parts().into_iter().for_each(|s| part(s, 0)),
        }
        let weight = form.parts().into_iter().fold(1u64, |sum, part| sum.saturating_add(part.0.weight));
        Strategy(Rc::new(StrategyNode { form, reach, free, weight }))
    }

    /// Whether it has so many parts that what is said before a run would take longer than the run: parts may be
    /// shared, so that a few lines of a script make more of them than there is time.
    pub(super) fn is_vast(&self) -> bool {
        self.0.weight > MAX_ANALYSED_PARTS
    }

    /// Its form.
    pub fn form(&self) -> &StrategyForm {
        &self.0.form
    }

    /// The rule that it is, if it is one.
    pub fn as_rule(&self) -> Option<Rule> {
        match self.form() {
            StrategyForm::Rule(rule) => Some(rule.clone()),
            _ => None,
        }
    }

    /// `id`
    pub fn id() -> Strategy {
        Strategy::new(StrategyForm::Id)
    }

    /// `fail`
    pub fn fail() -> Strategy {
        Strategy::new(StrategyForm::Fail)
    }

    /// A rule, tried at the root.
    pub fn rule(rule: &Rule) -> Strategy {
        Strategy::new(StrategyForm::Rule(rule.clone()))
    }

    /// A pattern, tried at the root.
    pub fn pattern(pattern: &Pattern) -> Strategy {
        Strategy::new(StrategyForm::Match(pattern.clone()))
    }

    /// `self ; next`
    pub fn then(&self, next: &Strategy) -> Strategy {
        Strategy::new(StrategyForm::Seq(self.clone(), next.clone()))
    }

    /// `self <+ other`
    pub fn or(&self, other: &Strategy) -> Strategy {
        Strategy::new(StrategyForm::Choice(self.clone(), other.clone()))
    }

    /// `cheapest(self, other)`
    pub fn or_cheaper(&self, other: &Strategy) -> Strategy {
        Strategy::new(StrategyForm::Cheapest(self.clone(), other.clone()))
    }

    /// A combinator of this strategy.
    pub fn under(&self, combinator: Unary) -> Strategy {
        Strategy::new(StrategyForm::Unary(combinator, self.clone()))
    }

    /// On the child at this place.
    pub fn child(&self, slot: Slot) -> Strategy {
        Strategy::new(StrategyForm::Child(slot, self.clone()))
    }

    /// On the subterm at this path.
    pub fn at(&self, path: &str) -> Strategy {
        Strategy::new(StrategyForm::At(Rc::from(path), self.clone()))
    }

    /// At the first place from the root down where the pattern matches and it succeeds.
    pub fn at_match(&self, pattern: &Pattern) -> Strategy {
        Strategy::new(StrategyForm::AtMatch(pattern.clone(), self.clone()))
    }

    /// Exactly `times` times.
    pub fn repeat_n(&self, times: u64) -> Strategy {
        Strategy::new(StrategyForm::RepeatN(times, self.clone()))
    }

    /// Until the term contains the pattern.
    pub fn repeat_until(&self, pattern: &Pattern) -> Strategy {
        Strategy::new(StrategyForm::RepeatUntil(pattern.clone(), self.clone()))
    }

    /// A name that is yet to be bound; serial numbers are the caller's.
    pub fn free(serial: u64) -> Strategy {
        Strategy::new(StrategyForm::Free(serial))
    }

    /// A use of a definition.
    pub fn named(definition: &Rc<StrategyDefinition>, arguments: Vec<StrategyArgument>) -> Strategy {
        Strategy::new(StrategyForm::Named(NamedUse { definition: definition.clone(), arguments }))
    }

    /// Whether both are the very same object.
    pub(super) fn same(&self, other: &Strategy) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl StrategyForm {
    /// Whether it keeps what its strategies lead to only if that takes no more work.
    pub fn compares(&self) -> bool {
        matches!(self, StrategyForm::Unary(Unary::Cheaper, _) | StrategyForm::Cheapest(..))
    }

    /// The strategies that it is made of, in the order in which they are written.
    pub fn parts(&self) -> Vec<&Strategy> {
        match self {
            StrategyForm::Id
            | StrategyForm::Fail
            | StrategyForm::Rule(_)
            | StrategyForm::Match(_)
            | StrategyForm::Var(_)
            | StrategyForm::Free(_) => Vec::new(),
            StrategyForm::Seq(a, b) | StrategyForm::Choice(a, b) | StrategyForm::Cheapest(a, b) => vec![a, b],
            StrategyForm::Mu(_, s)
            | StrategyForm::Unary(_, s)
            | StrategyForm::Child(_, s)
            | StrategyForm::At(_, s)
            | StrategyForm::AtMatch(_, s)
            | StrategyForm::RepeatN(_, s)
            | StrategyForm::RepeatUntil(_, s) => vec![s],
            StrategyForm::Named(named) => named.strategies().collect(),
        }
    }

    /// The same form of other parts: `new` gets each, with the number of binders that stand between.
    pub(super) fn with_parts(&self, new: &mut dyn FnMut(&Strategy, u32) -> Strategy) -> StrategyForm {
        match self {
            StrategyForm::Id
            | StrategyForm::Fail
            | StrategyForm::Rule(_)
            | StrategyForm::Match(_)
            | StrategyForm::Var(_)
            | StrategyForm::Free(_) => self.clone(),
            StrategyForm::Seq(a, b) => StrategyForm::Seq(new(a, 0), new(b, 0)),
            StrategyForm::Choice(a, b) => StrategyForm::Choice(new(a, 0), new(b, 0)),
            StrategyForm::Cheapest(a, b) => StrategyForm::Cheapest(new(a, 0), new(b, 0)),
            StrategyForm::Mu(x, s) => StrategyForm::Mu(x.clone(), new(s, 1)),
            StrategyForm::Unary(u, s) => StrategyForm::Unary(*u, new(s, 0)),
            StrategyForm::Child(slot, s) => StrategyForm::Child(*slot, new(s, 0)),
            StrategyForm::At(path, s) => StrategyForm::At(path.clone(), new(s, 0)),
            StrategyForm::AtMatch(p, s) => StrategyForm::AtMatch(p.clone(), new(s, 0)),
            StrategyForm::RepeatN(n, s) => StrategyForm::RepeatN(*n, new(s, 0)),
            StrategyForm::RepeatUntil(p, s) => StrategyForm::RepeatUntil(p.clone(), new(s, 0)),
            StrategyForm::Named(named) => {
                let arguments = named.arguments.iter().map(|a| match a {
                    StrategyArgument::Strategy(s) => StrategyArgument::Strategy(new(s, 0)),
                    StrategyArgument::Text(text) => StrategyArgument::Text(text.clone()),
                });
                StrategyForm::Named(NamedUse { arguments: arguments.collect(), ..named.clone() })
            }
        }
    }
}

/// A use of a definition: `td(getBuild)`.
#[derive(Clone)]
pub struct NamedUse {
    /// What is used.
    pub definition: Rc<StrategyDefinition>,
    /// The arguments as written; those that are strategies stand for the definition's parameters in order.
    pub arguments: Vec<StrategyArgument>,
}

/// An argument of a definition.
#[derive(Clone, PartialEq)]
pub enum StrategyArgument {
    /// A strategy.
    Strategy(Strategy),
    /// Anything else, as it prints; the definition is then one for this value.
    Text(String),
}

/// `strategy name(a, b) = body;`. Its body may use it, and is set once it is known.
pub struct StrategyDefinition {
    /// Its name.
    pub name: Name,
    /// The names of its strategy parameters.
    pub params: Vec<Name>,
    /// Whether it comes with a library, so that those who use it didn't write it.
    pub imported: bool,
    body: OnceCell<Strategy>,
    /// Its body was found to end: what uses it needn't look into it again.
    ends: Cell<bool>,
}

impl StrategyDefinition {
    /// A definition whose body isn't known yet.
    pub fn new(name: &str, params: &[&str]) -> Rc<StrategyDefinition> {
        StrategyDefinition::within(name, params, false)
    }

    /// The same; `imported`: of a library.
    pub fn within(name: &str, params: &[&str], imported: bool) -> Rc<StrategyDefinition> {
        let params = params.iter().map(|p| Name::new(p)).collect();
        Rc::new(StrategyDefinition {
            name: Name::new(name),
            params,
            imported,
            body: OnceCell::new(),
            ends: Cell::new(false),
        })
    }

    /// Sets the body, in which `Strategy::free(serials[k])` stands for parameter k. Nothing else may be free in it.
    /// False if it was set before.
    pub fn set(&self, serials: &[u64], body: &Strategy) -> bool {
        let places = serials.len() as u32;
        let bound = body.walk(0, &|leaf, under| match leaf {
            StrategyForm::Free(n) => {
                let k = serials.iter().rposition(|s| s == n)? as u32;
                Some(Strategy::new(StrategyForm::Var(under + places - 1 - k)))
            }
            // What is bound further out must not be caught by the parameters' binders.
            StrategyForm::Var(i) if *i >= under => Some(Strategy::new(StrategyForm::Var(i + places))),
            _ => None,
        });
        self.body.set(bound).is_ok()
    }

    /// Whether it takes no parameters and its body was found to end.
    pub(super) fn ends(&self) -> bool {
        self.ends.get()
    }

    /// Notes that its body was found to end.
    pub(super) fn set_ends(&self) {
        self.ends.set(self.params.is_empty() && self.body.get().is_some());
    }

    /// The body, under one binder per parameter; `None` while it isn't set.
    pub fn body(&self) -> Option<&Strategy> {
        self.body.get()
    }
}

impl NamedUse {
    /// The arguments that are strategies.
    pub fn strategies(&self) -> impl DoubleEndedIterator<Item = &Strategy> {
        self.arguments.iter().filter_map(|a| match a {
            StrategyArgument::Strategy(s) => Some(s),
            StrategyArgument::Text(_) => None,
        })
    }
}

impl Strategy {
    /// `mu(|hint| body)`, where `Strategy::free(serial)` stands for the whole in `body`.
    pub fn mu(hint: &str, serial: u64, body: &Strategy) -> Strategy {
        let bound = body.walk(0, &|leaf, under| match leaf {
            StrategyForm::Free(n) if *n == serial => Some(Strategy::new(StrategyForm::Var(under))),
            // What is bound further out must not be caught by the new binder.
            StrategyForm::Var(i) if *i >= under => Some(Strategy::new(StrategyForm::Var(i + 1))),
            _ => None,
        });
        Strategy::new(StrategyForm::Mu(Name::new(hint), bound))
    }

    /// Whether what is bound so many binders further out occurs in it.
    pub(super) fn mentions(&self, index: u32) -> bool {
        let inner = |s: &Strategy| s.mentions(index);
        match self.form() {
            _ if self.0.reach <= index => false,
            StrategyForm::Var(i) => *i == index,
            StrategyForm::Mu(_, s) => s.mentions(index + 1),
            // A vast one isn't gone through, because its parts may be shared: that it mentions the variable is the safe answer.
            form => self.is_vast() || form.parts().into_iter().any(inner),
        }
    }

    /// The strategy moved under `by` more binders.
    pub(super) fn shift(&self, by: u32) -> Strategy {
        self.walk(0, &|leaf, under| match leaf {
            StrategyForm::Var(i) if *i >= under => Some(Strategy::new(StrategyForm::Var(i + by))),
            _ => None,
        })
    }

    /// Replaces leaves: `leaf` sees each with the number of binders around it. What is shared stays so.
    fn walk(&self, under: u32, leaf: &dyn Fn(&StrategyForm, u32) -> Option<Strategy>) -> Strategy {
        LeafReplacer { leaf, known: FxHashMap::default() }.go(self, under)
    }

    /// The body of a definition, or of `mu`, with the innermost variables replaced; `by[0]` stands for variable 0.
    pub(super) fn instantiate(&self, by: &[&Strategy]) -> Strategy {
        let gone = by.len() as u32;
        self.walk(0, &|leaf, under| match leaf {
            StrategyForm::Var(i) if *i >= under => match by.get((i - under) as usize) {
                Some(s) => Some(s.shift(under)),
                // Bound further out, where there are fewer binders now, because those of the replaced variables are gone.
                None => Some(Strategy::new(StrategyForm::Var(i - gone))),
            },
            _ => None,
        })
    }

    /// The strategy that a use of a definition, or `at` with a pattern, stands for; `None` for everything else.
    pub fn definition(&self) -> Option<Strategy> {
        match self.form() {
            StrategyForm::AtMatch(pattern, s) => Some(Strategy::pattern(pattern).then(s).under(Unary::TopDown)),
            StrategyForm::Named(named) => {
                // The last one first, because the innermost binder is that of the last parameter.
                let arguments: Vec<&Strategy> = named.strategies().rev().collect();
                Some(named.definition.body()?.instantiate(&arguments))
            }
            _ => None,
        }
    }

    /// Its parts, outermost first, definitions not unfolded: each object once, wherever it recurs.
    pub fn distinct(&self) -> Vec<Strategy> {
        let (mut found, mut seen, mut waiting) = (Vec::new(), FxHashSet::default(), vec![self.clone()]);
        while let Some(next) = waiting.pop() {
            if seen.insert(Rc::as_ptr(&next.0)) {
                waiting.extend(next.form().parts().into_iter().rev().cloned());
                found.push(next);
            }
        }
        found
    }
}

/// Leaves being replaced.
struct LeafReplacer<'a> {
    leaf: &'a dyn Fn(&StrategyForm, u32) -> Option<Strategy>,
    /// What became of parts that several others have, under so many binders.
    known: FxHashMap<(*const StrategyNode, u32), Strategy>,
}

impl LeafReplacer<'_> {
    fn go(&mut self, s: &Strategy, under: u32) -> Strategy {
        // Every variable in it is bound in it, so that no leaf is replaced: the object stays the same, and shared.
        if !s.0.free && s.0.reach <= under {
            return s.clone();
        }
        let key = (Rc::as_ptr(&s.0), under);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let new = self.replaced(s, under);
        // Only a shared part can be met again, so that no other one is remembered.
        if Rc::strong_count(&s.0) > 1 {
            self.known.insert(key, new.clone());
        }
        new
    }

    fn replaced(&mut self, s: &Strategy, under: u32) -> Strategy {
        if s.form().parts().is_empty() {
            return (self.leaf)(s.form(), under).unwrap_or_else(|| s.clone());
        }
        Strategy::new(s.form().with_parts(&mut |part, binders| self.go(part, under + binders)))
    }
}
