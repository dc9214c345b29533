//! Binds names in strategies, and keeps definitions (`Definition`) with their uses (`Named`).

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use redexter_language::ground::Name;

use super::data::{Form, Node, Strategy};

/// A use of a definition: `td(getBuild)`.
#[derive(Clone)]
pub struct Named {
    /// What is used.
    pub definition: Rc<Definition>,
    /// The arguments as written; those that are strategies stand for the definition's parameters in order.
    pub arguments: Vec<Argument>,
}

/// An argument of a definition.
#[derive(Clone, PartialEq)]
pub enum Argument {
    /// A strategy.
    Strategy(Strategy),
    /// Anything else, as it prints; the definition is then one for this value.
    Text(String),
}

/// `strategy name(a, b) = body;`. Its body may use it, and is set once it is known.
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// The names of its strategy parameters.
    pub params: Vec<Name>,
    /// Whether it comes with a library, so that those who use it didn't write it.
    pub imported: bool,
    body: OnceCell<Strategy>,
}

impl Definition {
    /// A definition whose body isn't known yet.
    pub fn new(name: &str, params: &[&str]) -> Rc<Definition> {
        Definition::within(name, params, false)
    }

    /// The same; `imported`: of a library.
    pub fn within(name: &str, params: &[&str], imported: bool) -> Rc<Definition> {
        let params = params.iter().map(|p| Name::new(p)).collect();
        Rc::new(Definition { name: Name::new(name), params, imported, body: OnceCell::new() })
    }

    /// Sets the body, in which `Strategy::free(serials[k])` stands for parameter k. Nothing else may be free in it.
    /// False if it was set before.
    pub fn set(&self, serials: &[u64], body: &Strategy) -> bool {
        let places = serials.len() as u32;
        let bound = body.walk(0, &|leaf, under| match leaf {
            Form::Free(n) => {
                let k = serials.iter().rposition(|s| s == n)? as u32;
                Some(Strategy::new(Form::Var(under + places - 1 - k)))
            }
            // What is bound further out must not be caught by the parameters' binders.
            Form::Var(i) if *i >= under => Some(Strategy::new(Form::Var(i + places))),
            _ => None,
        });
        self.body.set(bound).is_ok()
    }

    /// The body, under one binder per parameter; `None` while it isn't set.
    pub fn body(&self) -> Option<&Strategy> {
        self.body.get()
    }
}

impl Named {
    /// The arguments that are strategies.
    pub fn strategies(&self) -> impl DoubleEndedIterator<Item = &Strategy> {
        self.arguments.iter().filter_map(|a| match a {
            Argument::Strategy(s) => Some(s),
            Argument::Text(_) => None,
        })
    }
}

impl Strategy {
    /// `mu(|hint| body)`, where `Strategy::free(serial)` stands for the whole in `body`.
    pub fn mu(hint: &str, serial: u64, body: &Strategy) -> Strategy {
        let bound = body.walk(0, &|leaf, under| match leaf {
            Form::Free(n) if *n == serial => Some(Strategy::new(Form::Var(under))),
            // What is bound further out must not be caught by the new binder.
            Form::Var(i) if *i >= under => Some(Strategy::new(Form::Var(i + 1))),
            _ => None,
        });
        Strategy::new(Form::Mu(Name::new(hint), bound))
    }

    /// Whether what is bound so many binders further out occurs in it.
    pub(super) fn mentions(&self, index: u32) -> bool {
        let inner = |s: &Strategy| s.mentions(index);
        match self.form() {
            _ if self.0.reach <= index => false,
            Form::Var(i) => *i == index,
            Form::Mu(_, s) => s.mentions(index + 1),
            // A vast one isn't gone through, because its parts may be shared: that it mentions the variable is the safe answer.
            form => self.is_vast() || form.parts().into_iter().any(inner),
        }
    }

    /// The strategy moved under `by` more binders.
    pub(super) fn shift(&self, by: u32) -> Strategy {
        self.walk(0, &|leaf, under| match leaf {
            Form::Var(i) if *i >= under => Some(Strategy::new(Form::Var(i + by))),
            _ => None,
        })
    }

    /// Replaces leaves: `leaf` sees each with the number of binders around it. What is shared stays so.
    fn walk(&self, under: u32, leaf: &dyn Fn(&Form, u32) -> Option<Strategy>) -> Strategy {
        Walk { leaf, known: FxHashMap::default() }.go(self, under)
    }

    /// The body of a definition, or of `mu`, with the innermost variables replaced; `by[0]` stands for variable 0.
    pub(super) fn instantiate(&self, by: &[&Strategy]) -> Strategy {
        let gone = by.len() as u32;
        self.walk(0, &|leaf, under| match leaf {
            Form::Var(i) if *i >= under => match by.get((i - under) as usize) {
                Some(s) => Some(s.shift(under)),
                // Bound further out, where there are fewer binders now, because those of the replaced variables are gone.
                None => Some(Strategy::new(Form::Var(i - gone))),
            },
            _ => None,
        })
    }
}

/// Leaves being replaced.
struct Walk<'a> {
    leaf: &'a dyn Fn(&Form, u32) -> Option<Strategy>,
    /// What became of parts that several others have, under so many binders.
    known: FxHashMap<(*const Node, u32), Strategy>,
}

impl Walk<'_> {
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
            form @ (Form::Id | Form::Fail | Form::Rule(_) | Form::Match(_) | Form::Var(_) | Form::Free(_)) => {
                return (self.leaf)(form, under).unwrap_or_else(|| s.clone());
            }
            Form::Seq(a, b) => Form::Seq(go(a), go(b)),
            Form::Choice(a, b) => Form::Choice(go(a), go(b)),
            Form::Mu(x, s) => Form::Mu(x.clone(), self.go(s, under + 1)),
            Form::Unary(u, s) => Form::Unary(*u, go(s)),
            Form::Child(slot, s) => Form::Child(*slot, go(s)),
            Form::At(path, s) => Form::At(path.clone(), go(s)),
            Form::AtMatch(p, s) => Form::AtMatch(p.clone(), go(s)),
            Form::RepeatN(n, s) => Form::RepeatN(*n, go(s)),
            Form::RepeatUntil(p, s) => Form::RepeatUntil(p.clone(), go(s)),
            Form::Named(named) => {
                let arguments = named.arguments.iter().map(|a| match a {
                    Argument::Strategy(s) => Argument::Strategy(go(s)),
                    Argument::Text(text) => Argument::Text(text.clone()),
                });
                Form::Named(Named { definition: named.definition.clone(), arguments: arguments.collect() })
            }
        })
    }
}
