//! Arrays that are written out, element by element.

use super::{Exactness, Row};
use crate::ground::Name;
use crate::rule::condition::{Dependence, Enclosing};
use crate::rule::{Focus, Reason};
use crate::term::{Term, View};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "letArray",
        group: "Written out",
        law: "let x := [e1, .., ek]; b(x) --> let x := e1; ..; let x := ek; b([x, .., x])",
        condition: "k is at least 1",
        doc: "Names the elements of an array one by one, as letPair does with pairs; repeats nothing.",
        exactness: Exactness::Exact,
        function: |focus| let_array(focus.term).ok_or(Reason::native("no let of an array that is written out")),
    },
    Row {
        name: "ifArray",
        group: "Written out",
        law: "if c then [a1, .., ak] else [b1, .., bk] --> let c := c; [if c then a1 else b1, .., if c then ak else bk]",
        condition: "k is at least 1",
        doc: "Chooses element by element, so that each goes its own way.",
        exactness: Exactness::Exact,
        function: |focus| if_array(focus.term).ok_or(Reason::native("no choice between arrays that are written out")),
    },
    Row {
        name: "letIntoArray",
        group: "Written out",
        law: "let t := a; [e1(t), .., ek(t)] --> [let t := a; e1(t), .., let t := a; ek(t)]",
        condition: "t is a tangent",
        doc: "Takes a tangent to each result, where letLinear gathers its factors; repeats a.",
        exactness: Exactness::Exact,
        function: |focus| into_array(focus).ok_or(Reason::native("no tangent around an array that is written out")),
    },
];

fn let_array(term: &Term) -> Option<Term> {
    let View::Let(x, value, body) = term.view() else { return None };
    let View::Array(ty, elements) = value.view() else { return None };
    let count = elements.len() as u32;
    let names = (0..count).rev().map(|i| Term::var(i, &ty)).collect();
    let array = Term::array(&ty, names).ok().filter(|_| count > 0)?;
    let inner = body.shift_from(1, count).instantiate(&array).ok()?;
    let bind = |body: Term, (k, element): (usize, &Term)| Term::let_in(&x, element.shift(k as u32), body).ok();
    elements.iter().enumerate().rev().try_fold(inner, bind)
}

fn if_array(term: &Term) -> Option<Term> {
    let View::If(c, a, b) = term.view() else { return None };
    let (View::Array(ty, a), View::Array(_, b)) = (a.view(), b.view()) else { return None };
    let condition = Term::var(0, c.ty());
    let choice = |(a, b): (&Term, &Term)| Term::if_else(condition.clone(), a.shift(1), b.shift(1)).ok();
    let all: Vec<Term> = a.iter().zip(&b).map(choice).collect::<Option<_>>()?;
    let array = Term::array(&ty, all).ok().filter(|_| !a.is_empty() && a.len() == b.len())?;
    Term::let_in(&Name::new("c"), c, array).ok()
}

fn into_array(focus: &Focus) -> Option<Term> {
    let View::Let(x, value, body) = focus.term.view() else { return None };
    let View::Array(ty, elements) = body.view() else { return None };
    if !Enclosing::of(focus.context, Dependence::Parameter).marks(&value) {
        return None;
    }
    let bind = |element: Term| match element.free_at(0) {
        None => element.lower(1),
        Some(_) => Term::let_in(&x, value.clone(), element).ok(),
    };
    Term::array(&ty, elements.into_iter().map(bind).collect::<Option<_>>()?).ok()
}
