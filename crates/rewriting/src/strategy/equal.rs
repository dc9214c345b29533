//! Compares strategies: equal ones have the same combinators on the same rules, whatever their bound names and the objects of
//! their definitions are.

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::data::{Form, Node, Strategy};
use super::scope::{Argument, Definition, Named};

impl PartialEq for Strategy {
    fn eq(&self, other: &Strategy) -> bool {
        Comparison::default().equal(self, other)
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What was compared, or is being compared, counts as equal: the first difference ends everything. So recursive definitions
/// can be compared, and parts that are shared are compared once.
#[derive(Default)]
struct Comparison {
    definitions: FxHashSet<(*const Definition, *const Definition)>,
    parts: FxHashSet<(*const Node, *const Node)>,
}

impl Comparison {
    fn equal(&mut self, a: &Strategy, b: &Strategy) -> bool {
        let (left, right) = (a.form().parts(), b.form().parts());
        if a.same(b) || !left.is_empty() && !self.parts.insert((Rc::as_ptr(&a.0), Rc::as_ptr(&b.0))) {
            return true;
        }
        let head = match (a.form(), b.form()) {
            (Form::Id, Form::Id) | (Form::Fail, Form::Fail) | (Form::Mu(..), Form::Mu(..)) => true,
            (Form::Seq(..), Form::Seq(..)) | (Form::Choice(..), Form::Choice(..)) => true,
            (Form::Rule(r), Form::Rule(s)) => r == s,
            (Form::Match(p), Form::Match(q)) | (Form::AtMatch(p, _), Form::AtMatch(q, _)) => p == q,
            (Form::Var(i), Form::Var(j)) => i == j,
            (Form::Free(i), Form::Free(j)) => i == j,
            (Form::Unary(u, _), Form::Unary(v, _)) => u == v,
            (Form::Child(p, _), Form::Child(q, _)) => p == q,
            (Form::At(p, _), Form::At(q, _)) => p == q,
            (Form::RepeatN(n, _), Form::RepeatN(m, _)) => n == m,
            (Form::RepeatUntil(p, _), Form::RepeatUntil(q, _)) => p == q,
            (Form::Named(m), Form::Named(n)) => self.same_use(m, n),
            _ => false,
        };
        head && left.len() == right.len() && left.iter().zip(right).all(|(a, b)| self.equal(a, b))
    }

    fn same_use(&mut self, a: &Named, b: &Named) -> bool {
        let texts = |n: &Named| -> Vec<Option<String>> {
            let text = |a: &Argument| match a {
                Argument::Text(text) => Some(text.clone()),
                Argument::Strategy(_) => None,
            };
            n.arguments.iter().map(text).collect()
        };
        // Arguments that are strategies are parts, so that `equal` compares them.
        if Rc::ptr_eq(&a.definition, &b.definition) {
            return texts(a) == texts(b);
        }
        let pair = (Rc::as_ptr(&a.definition), Rc::as_ptr(&b.definition));
        let bodies = !self.definitions.insert(pair)
            || match (a.definition.body(), b.definition.body()) {
                (Some(x), Some(y)) => self.equal(x, y),
                _ => false,
            };
        bodies && a.definition.name == b.definition.name && texts(a) == texts(b)
    }
}
