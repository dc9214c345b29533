//! Adds choices up that ask for one condition, anywhere in a sum.

use super::ring::{OperandSorter, SUM_HEADS, addends, is_sum, is_zero, total};
use crate::rule::footprint::{BELOW, Inspection};
use crate::rule::record::NativeStatement::Text;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::term::{Kind, Prim, Size, Term, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "ifMerge",
        params: &[],
        group: "Sums and products",
        law: Text(&["(if c then a else 0) + (if c then b else 0) --> if c then a + b else 0"]),
        condition: "anywhere in a sum, the condition up to the order of what commutes",
        doc: "Asks once for the addends that depend on one condition. Undoes ifSplitSum.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: SUM_HEADS, ..BELOW },
        left_sides: &[
            "(if c then a else 0) + (if c then b else 0)",
            "(if c then a else 0) + d + (if c then b else 0)",
            "(if c then a else 0) - (if c then b else 0)",
            "(if (c : int) = d then a else 0) + (if d = c then b else 0)",
            "(if k : fin n := c then a(k) else 0) - (if k : fin n := c then b(k) else 0)",
        ],
        examples: &[(
            "fun (v w : real) (c : int) => (if c then v else 0) + v - (if c then w else 0)",
            "fun (v w : real) (c : int) => (if c then v - w else 0) + v",
        )],
        refused: for_tests(&["fun (v w : real) (c d : int) => (if c then v else 0) + (if d then w else 0)"]),
        function: |focus, _| added(focus.term, true).ok_or(Reason::native("no sum with two choices by one condition")),
    },
    NativeRule {
        name: "ifJoin",
        params: &[],
        group: "Sums and products",
        law: Text(&[
            "(if c then a else 0) + (if not c then b else 0) --> if c then a else b",
            "(if c then a else 0) + (if c then 0 else b) --> if c then a else b",
        ]),
        condition: "anywhere in a sum, the condition up to the order of what commutes",
        doc: "Makes one choice of two of which one is 0. Undoes ifSplit, so it is for the end, when no sum waits for a 0.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: SUM_HEADS, ..BELOW },
        left_sides: &[
            "(if c then a else 0) + (if not c then b else 0)",
            "(if c then a else 0) - (if c then 0 else b)",
            "(if not c then a else 0) + d - (if c then b else 0)",
            "(if k : fin n := c then a(k) else 0) - (if k : fin n := c then 0 else b)",
        ],
        examples: &[
            (
                "fun (v w : real) (c : int) => (if c then v else 0) + v - (if not c then w else 0)",
                "fun (v w : real) (c : int) => (if c then v else -w) + v",
            ),
            (
                "fun (v : array n real) (w : real) (c : int) => (if k : fin n := c then 0 else w) + (if k : fin n := c then v[k] else 0)",
                "fun (v : array n real) (w : real) (c : int) => if k : fin n := c then v[k] else w",
            ),
        ],
        refused: for_tests(&[
            "fun (v w : real) (c d : int) => (if c then v else 0) + (if not d then w else 0)",
            "fun (v w : real) (c : int) => (if c then v else 0) + (if c then w else 0)",
        ]),
        function: |focus, _| {
            added(focus.term, false).ok_or(Reason::native("no sum with two choices that exclude each other"))
        },
    },
];

/// A choice between something and 0.
struct Choice {
    /// What is asked, without `not`, and the size of a guard.
    asked: (Term, Option<Size>),
    /// Whether the part counts where that holds.
    holds: bool,
    /// Which child of the choice the part is.
    kid: usize,
}

impl Choice {
    fn of(term: &Term, sorted: &mut OperandSorter) -> Option<Choice> {
        let (Kind::If | Kind::Guard(..)) = term.kind() else { return None };
        let kid = if is_zero(&term.kid(2)) { 1 } else { 2 };
        if !is_zero(&term.kid(3 - kid)) {
            return None;
        }
        let (condition, holds) = asked(term, kid);
        let size = if let View::Guard(_, n, ..) = term.view() { Some(n) } else { None };
        Some(Choice { asked: (sorted.term(&condition), size), holds, kid })
    }
}

/// What a choice asks, without `not`, and whether this child counts where it holds.
fn asked(choice: &Term, kid: usize) -> (Term, bool) {
    let (mut condition, mut holds) = (choice.kid(0), kid == 1);
    while let (View::If(..), View::Prim(Prim::Not, of)) = (choice.view(), condition.view()) {
        (condition, holds) = (of[0].clone(), !holds);
    }
    (condition, holds)
}

/// The sum in which the first two choices that ask the same are one: those that count together, or those that exclude each other.
fn added(term: &Term, together: bool) -> Option<Term> {
    if !is_sum(term) {
        return None;
    }
    let mut sorted = OperandSorter::default();
    let mut all = addends(term);
    let mut known: Vec<(Choice, usize)> = Vec::new();
    for (k, (_, addend)) in all.iter().enumerate() {
        let Some(choice) = Choice::of(addend, &mut sorted) else { continue };
        let meets = |other: &Choice| other.asked == choice.asked && (other.holds == choice.holds) == together;
        // A part of a guard stands under the guard's index, its other part doesn't.
        let alike = |other: &Choice| !together || other.kid == choice.kid;
        match known.iter().find(|(other, _)| meets(other) && alike(other)) {
            Some((other, first)) => {
                let (first, kids) = (*first, (other.kid, choice.kid));
                let second = all.remove(k);
                let joined =
                    if together { merged(&all[first], &second, kids.0) } else { joined(&all[first], &second, kids) };
                all[first] = (false, joined?);
                return total(all);
            }
            None => known.push((choice, k)),
        }
    }
    None
}

/// The first choice with what both have at this child added up.
fn merged(first: &(bool, Term), second: &(bool, Term), kid: usize) -> Option<Term> {
    let both = total(vec![(first.0, first.1.kid(kid)), (second.0, second.1.kid(kid))])?;
    first.1.with_kid(kid, both).ok()
}

/// One choice between what one of them has where the condition holds and what the other has elsewhere.
fn joined(first: &(bool, Term), second: &(bool, Term), kids: (usize, usize)) -> Option<Term> {
    let part = |(minus, choice): &(bool, Term), kid: usize| total(vec![(*minus, choice.kid(kid))]);
    let ((condition, holds), parts) = (asked(&first.1, kids.0), (part(first, kids.0)?, part(second, kids.1)?));
    let (then, other) = if holds { parts } else { (parts.1, parts.0) };
    Term::of(first.1.kind(), [condition, then, other].into_iter().collect()).ok()
}
