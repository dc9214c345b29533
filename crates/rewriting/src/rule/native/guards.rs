//! Takes the branch of a guard (`if k : fin n := c then a else b`) that its number decides, or one that stands around it.

use super::solve_index::{at_index, index_below, number};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::{Text, Words};
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use smallvec::SmallVec;

use redexter_language::term::{ConstructorGroups, Head, Prim, RangeProver, Size, SizeBounds, Term, Type, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "guardHolds",
        params: &[],
        group: "Conditionals",
        law: Words("if k : fin n := c then a(k) else b --> let k := c; a(k)"),
        condition: "c is shown to be from 0 and below n, wherever its variables are what their types say",
        doc: "Drops a guard that always holds, such as one in a round where a neighbour exists. The index is named unless it is \
              a variable or a number.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Guard]), ..BELOW },
        left_sides: &[
            "if k : fin n := int (i : fin n) then a(k) else b",
            "if k : fin (n + 1) := int (i : fin n) + 1 then a(k) else b",
            "if k : fin n := n - 1 - int (i : fin n) then a(k) else b",
            "if k : fin (n * m) := int (i : fin n) * m + int (j : fin m) then a(k) else b",
            "if k : fin n := int (i : fin (n * 2)) / 2 then a(k) else b",
            "if k : fin 3 := 2 then a(k) else b",
        ],
        examples: &[
            (
                "fun (v : array (n + 1) real) (i : fin n) => v[int i + 1 else 0]",
                "fun (v : array (n + 1) real) (i : fin n) => let k := (int i + 1 : fin (n + 1)); v[k]",
            ),
            ("fun (v : array n real) (i : fin n) => v[int i else 0]", "fun (v : array n real) (i : fin n) => v[i]"),
            ("fun (v : array (n + 3) real) => v[2 else 0]", "fun (v : array (n + 3) real) => v[2]"),
        ],
        refused: for_tests(&[
            "fun (v : array n real) (i : fin n) => v[int i - 1 else 0]",
            "fun (v : array n real) (i : fin n) => v[int i + 1 else 0]",
            "fun (v : array n real) => v[0 else 1]",
        ]),
        function: |focus, _| guard_holds(focus),
    },
    NativeRule {
        name: "guardFails",
        params: &[],
        group: "Conditionals",
        law: Text(&["if k : fin n := c then a(k) else b --> b"]),
        condition: "c is shown to be negative or at least n, wherever its variables are what their types say",
        doc: "Takes the other branch of a guard that never holds, such as one in a round where no neighbour exists.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Guard]), ..BELOW },
        left_sides: &[
            "if k : fin n := -1 then a(k) else b",
            "if k : fin n := n then a(k) else b",
            "if k : fin n := n + int (i : fin m) then a(k) else b",
            "if k : fin n := int (i : fin n) - n then a(k) else b",
            "if k : fin 3 := 7 then a(k) else b",
        ],
        examples: &[
            ("fun (v : array n real) => v[n else 2]", "fun (v : array n real) => (2 : real)"),
            (
                "fun (v : array n real) (i : fin m) => v[-1 - i else 2]",
                "fun (v : array n real) (i : fin m) => (2 : real)",
            ),
            (
                "fun (v : array n real) (i : fin m) => v[n + i else 2]",
                "fun (v : array n real) (i : fin m) => (2 : real)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) (i : fin n) => v[int i - 1 else 2]",
            "fun (v : array (n + 1) real) => v[n else 2]",
            // Four sizes can come to so much that they wrap.
            "fun (v : array n real) (i : fin n) => v[4 * n + i else 2]",
        ]),
        function: |focus, _| guard_fails(focus),
    },
    NativeRule {
        name: "guardAgain",
        params: &[],
        group: "Conditionals",
        law: Words(
            "if k : fin n := c then C[if l : fin m := d then a(l) else b] else z --> if k : fin n := c then C[a(e)] else z, where d is the \
             number of an index e by int k = c; and with b where it is no index, as a d that is c isn't in z",
        ),
        condition: "e is k or another variable, and C is anything",
        doc: "Asks a guard's question once where a branch asks it again, or asks for the neighbour that it came from: i - 1 + 1 is i.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Guard]), ..BELOW },
        left_sides: &[
            "if k : fin n := c then (if l : fin n := c then a(k, l) else b(k)) else z",
            "if k : fin n := c then a(k) else (if l : fin n := c then b(l) else z)",
            "if k : fin n := c then x + (if l : fin n := c then a(k, l) else b(k)) else z",
            "if k : fin n := int (i : fin n) - 1 then (if l : fin n := int k + 1 then a(k, l) else b(k)) else z",
            "if k : fin n := int (i : fin n) + n then build n (fun j => if l : fin n := int k - n then a(l) else y) else z",
        ],
        examples: &[
            (
                "fun (v w : array n real) (i : fin n) => if k : fin n := int i - 1 then (if l : fin n := int k + 1 then v[k] * w[l] else 2) else 1",
                "fun (v w : array n real) (i : fin n) => if k : fin n := int i - 1 then v[k] * w[i] else 1",
            ),
            (
                "fun (v w : array n real) (c : int) => if k : fin n := c - 1 then build m (fun j => w[c - 1 else 2]) else build m (fun j => \
                 v[c - 1 else 3])",
                "fun (v w : array n real) (c : int) => if k : fin n := c - 1 then build m (fun j => w[k]) else build m (fun j => 3)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) (w : array m real) (c : int) => v[c else w[c else 2]]",
            "fun (v : array n real) (i : fin n) => if k : fin n := int i - 1 then v[int k - 1 else 2] else 1",
        ]),
        function: |focus, _| guard_again(focus),
    },
];

/// `if k : fin n := c then a(k) else b --> a(c)` where c is an index below n.
fn guard_holds(focus: &Focus) -> Result<Term, Reason> {
    let View::Guard(name, n, number, inside, _) = focus.term.view() else {
        return Err(Reason::native("the term is no guard"));
    };
    index_below(&number, &n, focus.bounds)
        .and_then(|index| at_index(&name, index, &inside))
        .ok_or(Reason { progress: 1, ..Reason::native("the number isn't shown to be in range") })
}

/// `if k : fin n := c then a(k) else b --> b` where c is no index below n.
fn guard_fails(focus: &Focus) -> Result<Term, Reason> {
    let View::Guard(_, n, number, _, other) = focus.term.view() else {
        return Err(Reason::native("the term is no guard"));
    };
    match RangeProver::new(focus.bounds, &[]).is_no_index(&number, &n) {
        true => Ok(other),
        false => Err(Reason { progress: 1, ..Reason::native("the number isn't shown to be out of range") }),
    }
}

fn holds_guard(term: &Term) -> bool {
    term.holds_any(ConstructorGroups::of(Head::Guard))
}

fn guard_again(focus: &Focus) -> Result<Term, Reason> {
    let none = || Reason::native("no guard in it is decided by it");
    let View::Guard(name, n, number, inside, other) = focus.term.view() else { return Err(none()) };
    let outer = OuterGuard { size: &n, number: &number, bounds: focus.bounds };
    let (then, rest) = (outer.decided(&inside, 0, true), outer.decided(&other, 0, false));
    if then.same(&inside) && rest.same(&other) {
        return Err(none());
    }
    Term::guard(&name, n.clone(), number.clone(), then, rest).map_err(|_| none())
}

/// What a guard says to those in its branches.
struct OuterGuard<'a> {
    size: &'a Size,
    number: &'a Term,
    bounds: &'a SizeBounds,
}

/// The branch of a guard.
enum GuardBranch {
    /// That of an index, which is this one.
    Inside(Term),
    Other,
}

impl OuterGuard<'_> {
    /// A part of a branch under so many more binders, with the guards in it taken away that are decided there.
    fn decided(&self, term: &Term, under: u32, holds: bool) -> Term {
        if !holds_guard(term) {
            return term.clone();
        }
        if let View::Guard(name, n, number, inside, other) = term.view() {
            let branch = match self.branch((&n, &number), under, holds) {
                Some(GuardBranch::Inside(index)) => at_index(&name, index, &inside),
                Some(GuardBranch::Other) => Some(other),
                None => None,
            };
            if let Some(branch) = branch {
                return self.decided(&branch, under, holds);
            }
        }
        let kids: SmallVec<[Term; 2]> =
            (0..term.kid_count()).map(|k| self.decided(&term.kid(k), under + term.binders(k), holds)).collect();
        match kids.iter().enumerate().all(|(k, kid)| kid.same(&term.kid(k))) {
            true => term.clone(),
            false => term.with_kids(kids).unwrap_or_else(|_| term.clone()),
        }
    }

    fn branch(&self, (n, number): (&Size, &Term), under: u32, holds: bool) -> Option<GuardBranch> {
        // In its branch of an index that is bound, too.
        let own = self.number.shift(under + u32::from(holds));
        if !holds {
            return (n == self.size && self.equal(number, &own)).then_some(GuardBranch::Other);
        }
        let index = Term::var(under, &Type::fin(self.size.clone()));
        let known = with_number(number, under, &own)?;
        if n == self.size && self.equal(&known, &own) {
            return Some(GuardBranch::Inside(index));
        }
        number.free_at(under)?;
        let fin = Type::fin(n.clone());
        let is_it = |other: &Term| self::number(other.clone()).is_some_and(|other| self.equal(&known, &other));
        let variable = known.free().find_map(|(k, variable)| {
            let other = (*variable.ty == fin).then(|| Term::var(k, &fin))?;
            is_it(&other).then_some(other)
        });
        match variable {
            Some(index) => Some(GuardBranch::Inside(index)),
            None => RangeProver::new(self.bounds, &[]).is_no_index(&known, n).then_some(GuardBranch::Other),
        }
    }

    /// Whether two whole numbers are equal by the laws of such: their difference is an index below 1.
    fn equal(&self, a: &Term, b: &Term) -> bool {
        let difference = Term::prim(Prim::Sub, vec![a.clone(), b.clone()]);
        a == b
            || difference
                .is_ok_and(|zero| RangeProver::new(self.bounds, &[]).is_index(&zero, &Size::literal(1)).is_ok())
    }
}

/// A whole number where variable k, an index, is this number.
fn with_number(term: &Term, k: u32, to: &Term) -> Option<Term> {
    if term.free_at(k).is_none() {
        return Some(term.clone());
    }
    match term.view() {
        View::Var(_) => Some(to.clone()),
        View::Within(_, number) => with_number(&number, k, to),
        View::Prim(Prim::ToInt, operands) => with_number(&operands[0], k, to),
        View::Prim(Prim::Offset(c), operands) => {
            let by = Term::int(i64::try_from(c).ok()?);
            Term::prim(Prim::Add, vec![with_number(&operands[0], k, to)?, by]).ok()
        }
        View::Prim(op @ (Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg), operands) => {
            let operands = operands.iter().map(|part| with_number(part, k, to));
            Term::prim(op, operands.collect::<Option<_>>()?).ok()
        }
        _ => None,
    }
}
