//! Strategies as data.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::ground::Name;
use crate::rule::{Pattern, Rule};
use crate::term::Slot;

/// A strategy: takes a term and gives a term, or fails. Cheap to clone.
///
/// Bound names are nameless inside: [`Form::Var`] counts binders outwards. To build `mu(|x| s)` or a definition's
/// body, stand [`Strategy::free`] with a serial number of your own for the name, and let [`Strategy::mu`] or
/// [`Definition::set`] bind it.
#[derive(Clone)]
pub struct Strategy(Rc<Node>);

struct Node {
    form: Form,
    /// How many binders around it its variables reach for; 0 for a closed strategy.
    reach: u32,
    /// Whether a `Free` is in it.
    free: bool,
}

/// The forms of a strategy.
#[derive(Clone)]
pub enum Form {
    /// `id`
    Id,
    /// `fail`
    Fail,
    /// A rule, tried at the root.
    Rule(Rule),
    /// `s ; t`
    Seq(Strategy, Strategy),
    /// `s <+ t`
    Choice(Strategy, Strategy),
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
    /// `repeatN(n, s)`
    RepeatN(u64, Strategy),
    /// `repeatUntil(pattern, s)`
    RepeatUntil(Pattern, Strategy),
    /// A use of a definition.
    Named(Named),
}

macro_rules! unary {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal;)*) => {
        /// The combinators of one strategy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Unary { $($(#[doc = $doc])+ $name,)* }

        impl Unary {
            /// All of them.
            pub const ALL: &[Unary] = &[$(Unary::$name),*];

            /// The name that users write.
            pub fn text(self) -> &'static str {
                match self { $(Unary::$name => $text,)* }
            }

            /// What it does, in a sentence.
            pub fn doc(self) -> &'static str {
                match self { $(Unary::$name => concat!($($doc),+).trim_ascii_start(),)* }
            }
        }
    };
}

unary! {
    /// On exactly one child: the leftmost where s succeeds.
    One "one";
    /// On every child; succeeds on a leaf.
    All "all";
    /// On as many children as succeed, and at least one.
    Some "some";
    /// As often as s succeeds; never fails.
    Repeat "repeat";
    /// s, or nothing where it fails.
    Try "try";
    /// Succeeds without change where s fails.
    Not "not";
    /// Succeeds without change where s succeeds.
    Where "where";
    /// As often as s succeeds, and at least once.
    Repeat1 "repeat1";
    /// Once, at the first node from the root downwards, left to right, where s succeeds.
    TopDown "topDown";
    /// Once, at the first node from the leaves upwards, left to right, where s succeeds.
    BottomUp "bottomUp";
    /// At every node, parents first; fails where s fails on one.
    AllTopDown "allTopDown";
    /// At every node, children first; fails where s fails on one.
    AllBottomUp "allBottomUp";
    /// At every node where s succeeds, parents first; never fails.
    TryAll "tryAll";
    /// As long as s succeeds anywhere, outermost first; never fails.
    Normalize "normalize";
    /// As long as s succeeds anywhere, outermost first; never fails.
    Outermost "outermost";
    /// As long as s succeeds anywhere, innermost first; never fails.
    Innermost "innermost";
    /// s, unless it raises the term's symbolic work; never fails.
    Cheaper "cheaper";
    /// s, without the check before running that it can end.
    Force "force";
}

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
    body: OnceCell<Strategy>,
}

impl Definition {
    /// A definition whose body isn't known yet.
    pub fn new(name: &str, params: &[&str]) -> Rc<Definition> {
        let params = params.iter().map(|p| Name::new(p)).collect();
        Rc::new(Definition { name: Name::new(name), params, body: OnceCell::new() })
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

impl Strategy {
    /// The strategy of this form.
    pub fn new(form: Form) -> Strategy {
        let (mut reach, mut free) = (0, matches!(form, Form::Free(_)));
        let mut part = |s: &Strategy, binders: u32| {
            reach = reach.max(s.0.reach.saturating_sub(binders));
            free |= s.0.free;
        };
        match &form {
            Form::Var(i) => reach = i + 1,
            Form::Mu(_, s) => part(s, 1),
            _ => form.parts().into_iter().for_each(|s| part(s, 0)),
        }
        Strategy(Rc::new(Node { form, reach, free }))
    }

    /// Its form.
    pub fn form(&self) -> &Form {
        &self.0.form
    }

    /// `id`
    pub fn id() -> Strategy {
        Strategy::new(Form::Id)
    }

    /// `fail`
    pub fn fail() -> Strategy {
        Strategy::new(Form::Fail)
    }

    /// A rule, tried at the root.
    pub fn rule(rule: &Rule) -> Strategy {
        Strategy::new(Form::Rule(rule.clone()))
    }

    /// `self ; next`
    pub fn then(&self, next: &Strategy) -> Strategy {
        Strategy::new(Form::Seq(self.clone(), next.clone()))
    }

    /// `self <+ other`
    pub fn or(&self, other: &Strategy) -> Strategy {
        Strategy::new(Form::Choice(self.clone(), other.clone()))
    }

    /// A combinator of this strategy.
    pub fn under(&self, combinator: Unary) -> Strategy {
        Strategy::new(Form::Unary(combinator, self.clone()))
    }

    /// On the child at this place.
    pub fn child(&self, slot: Slot) -> Strategy {
        Strategy::new(Form::Child(slot, self.clone()))
    }

    /// On the subterm at this path.
    pub fn at(&self, path: &str) -> Strategy {
        Strategy::new(Form::At(Rc::from(path), self.clone()))
    }

    /// Exactly `times` times.
    pub fn repeat_n(&self, times: u64) -> Strategy {
        Strategy::new(Form::RepeatN(times, self.clone()))
    }

    /// Until the term contains the pattern.
    pub fn repeat_until(&self, pattern: &Pattern) -> Strategy {
        Strategy::new(Form::RepeatUntil(pattern.clone(), self.clone()))
    }

    /// A name that is yet to be bound; serial numbers are the caller's.
    pub fn free(serial: u64) -> Strategy {
        Strategy::new(Form::Free(serial))
    }

    /// `mu(|hint| body)`, where `Strategy::free(serial)` stands for the whole in `body`.
    pub fn mu(hint: &str, serial: u64, body: &Strategy) -> Strategy {
        let bound = body.walk(0, &|leaf, under| match leaf {
            Form::Free(n) if *n == serial => Some(Strategy::new(Form::Var(under))),
            Form::Var(i) if *i >= under => Some(Strategy::new(Form::Var(i + 1))),
            _ => None,
        });
        Strategy::new(Form::Mu(Name::new(hint), bound))
    }

    /// A use of a definition.
    pub fn named(definition: &Rc<Definition>, arguments: Vec<Argument>) -> Strategy {
        Strategy::new(Form::Named(Named { definition: definition.clone(), arguments }))
    }

    /// The strategy moved under `by` more binders.
    pub(super) fn shift(&self, by: u32) -> Strategy {
        self.walk(0, &|leaf, under| match leaf {
            Form::Var(i) if *i >= under => Some(Strategy::new(Form::Var(i + by))),
            _ => None,
        })
    }

    /// Replaces leaves: `leaf` sees each with the number of binders around it.
    fn walk(&self, under: u32, leaf: &dyn Fn(&Form, u32) -> Option<Strategy>) -> Strategy {
        if !self.0.free && self.0.reach <= under {
            return self.clone();
        }
        let go = |s: &Strategy| s.walk(under, leaf);
        Strategy::new(match &self.0.form {
            form @ (Form::Id | Form::Fail | Form::Rule(_) | Form::Var(_) | Form::Free(_)) => {
                return leaf(form, under).unwrap_or_else(|| self.clone());
            }
            Form::Seq(a, b) => Form::Seq(go(a), go(b)),
            Form::Choice(a, b) => Form::Choice(go(a), go(b)),
            Form::Mu(x, s) => Form::Mu(x.clone(), s.walk(under + 1, leaf)),
            Form::Unary(u, s) => Form::Unary(*u, go(s)),
            Form::Child(slot, s) => Form::Child(*slot, go(s)),
            Form::At(path, s) => Form::At(path.clone(), go(s)),
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

    /// The body of a definition, or of `mu`, with the innermost variables replaced; `by[0]` stands for variable 0.
    pub(super) fn instantiate(&self, by: &[&Strategy]) -> Strategy {
        let gone = by.len() as u32;
        self.walk(0, &|leaf, under| match leaf {
            Form::Var(i) if *i >= under => match by.get((i - under) as usize) {
                Some(s) => Some(s.shift(under)),
                None => Some(Strategy::new(Form::Var(i - gone))),
            },
            _ => None,
        })
    }

    /// Whether nothing in it reaches for a binder around it.
    pub(super) fn is_closed(&self) -> bool {
        self.0.reach == 0
    }

    /// Whether both are the very same object.
    pub(super) fn same(&self, other: &Strategy) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Form {
    /// The strategies that it is made of, in the order in which they are written.
    pub fn parts(&self) -> Vec<&Strategy> {
        match self {
            Form::Id | Form::Fail | Form::Rule(_) | Form::Var(_) | Form::Free(_) => Vec::new(),
            Form::Seq(a, b) | Form::Choice(a, b) => vec![a, b],
            Form::Mu(_, s)
            | Form::Unary(_, s)
            | Form::Child(_, s)
            | Form::At(_, s)
            | Form::RepeatN(_, s)
            | Form::RepeatUntil(_, s) => vec![s],
            Form::Named(named) => named.strategies().collect(),
        }
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
