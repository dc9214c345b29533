//! Binds names in strategies, and keeps definitions (`StrategyDefinition`) with their uses (`NamedUse`).

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use redexter_language::ground::Name;

use super::data::{Strategy, StrategyForm, StrategyNode};

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
}

impl StrategyDefinition {
    /// A definition whose body isn't known yet.
    pub fn new(name: &str, params: &[&str]) -> Rc<StrategyDefinition> {
        StrategyDefinition::within(name, params, false)
    }

    /// The same; `imported`: of a library.
    pub fn within(name: &str, params: &[&str], imported: bool) -> Rc<StrategyDefinition> {
        let params = params.iter().map(|p| Name::new(p)).collect();
        Rc::new(StrategyDefinition { name: Name::new(name), params, imported, body: OnceCell::new() })
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
        let mut go = |s: &Strategy| self.go(s, under);
        Strategy::new(match s.form() {
            form @ (StrategyForm::Id
            | StrategyForm::Fail
            | StrategyForm::Rule(_)
            | StrategyForm::Match(_)
            | StrategyForm::Var(_)
            | StrategyForm::Free(_)) => {
                return (self.leaf)(form, under).unwrap_or_else(|| s.clone());
            }
            StrategyForm::Seq(a, b) => StrategyForm::Seq(go(a), go(b)),
            StrategyForm::Choice(a, b) => StrategyForm::Choice(go(a), go(b)),
            StrategyForm::Mu(x, s) => StrategyForm::Mu(x.clone(), self.go(s, under + 1)),
            StrategyForm::Unary(u, s) => StrategyForm::Unary(*u, go(s)),
            StrategyForm::Child(slot, s) => StrategyForm::Child(*slot, go(s)),
            StrategyForm::At(path, s) => StrategyForm::At(path.clone(), go(s)),
            StrategyForm::AtMatch(p, s) => StrategyForm::AtMatch(p.clone(), go(s)),
            StrategyForm::RepeatN(n, s) => StrategyForm::RepeatN(*n, go(s)),
            StrategyForm::RepeatUntil(p, s) => StrategyForm::RepeatUntil(p.clone(), go(s)),
            StrategyForm::Named(named) => {
                let arguments = named.arguments.iter().map(|a| match a {
                    StrategyArgument::Strategy(s) => StrategyArgument::Strategy(go(s)),
                    StrategyArgument::Text(text) => StrategyArgument::Text(text.clone()),
                });
                StrategyForm::Named(NamedUse { definition: named.definition.clone(), arguments: arguments.collect() })
            }
        })
    }
}
