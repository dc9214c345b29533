//! Equality of strategies: the same combinators on the same rules, whatever bound names and definitions' objects are.

use std::fmt;
use std::rc::Rc;

use super::data::{Form, Strategy};
use super::scope::{Argument, Definition, Named};

impl PartialEq for Strategy {
    fn eq(&self, other: &Strategy) -> bool {
        equal(self, other, &mut Vec::new())
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Definitions that are being compared count as equal, so that recursive ones can be.
type Assumed = Vec<(*const Definition, *const Definition)>;

fn equal(a: &Strategy, b: &Strategy, assumed: &mut Assumed) -> bool {
    if a.same(b) {
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
        (Form::Named(m), Form::Named(n)) => same_use(m, n, assumed),
        _ => false,
    };
    let (left, right) = (a.form().parts(), b.form().parts());
    head && left.len() == right.len() && left.iter().zip(right).all(|(a, b)| equal(a, b, assumed))
}

fn same_use(a: &Named, b: &Named, assumed: &mut Assumed) -> bool {
    let texts = |n: &Named| -> Vec<Option<String>> {
        let text = |a: &Argument| match a {
            Argument::Text(text) => Some(text.clone()),
            Argument::Strategy(_) => None,
        };
        n.arguments.iter().map(text).collect()
    };
    if Rc::ptr_eq(&a.definition, &b.definition) {
        return texts(a) == texts(b);
    }
    let pair = (Rc::as_ptr(&a.definition), Rc::as_ptr(&b.definition));
    if assumed.contains(&pair) {
        return true;
    }
    assumed.push(pair);
    let bodies = match (a.definition.body(), b.definition.body()) {
        (Some(x), Some(y)) => equal(x, y, assumed),
        _ => false,
    };
    bodies && a.definition.name == b.definition.name && texts(a) == texts(b)
}
