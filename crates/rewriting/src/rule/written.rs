//! Reads off a law as it is written which constructors its sides have, as far as that shows before the law is typed: typing takes
//! a hundred times as long, and mostly it then only shows that two laws have nothing to do with each other.

use std::cell::OnceCell;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use redexter_language::ground::Name;
use redexter_language::syntax::raw::{RawHead, RawTerm, RawTermKind};
use redexter_language::term::{Head, Prim};

/// A law as it is written.
#[derive(Debug)]
pub(super) struct WrittenLaw<'a> {
    left: &'a RawTerm,
    right: &'a RawTerm,
    /// The constructor at the root of its left side.
    root: Option<Head>,
    /// That of its right side.
    right_root: Option<Head>,
    names: OnceCell<WrittenNames<'a>>,
}

/// The bit of numbers in sets of constructors; those before it are the constructors'.
const NUMBER: u64 = 63;

/// What a rule's laws tell of themselves as they are written, whatever stands beside them. The sets of constructors are bits, of
/// which some constructors may share one, so that they only ever say too much.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenFacts {
    /// What may be at the roots of terms that the left sides match.
    left: u64,
    /// What may be at the roots of terms that the right sides match.
    right: u64,
    /// What the right sides may have at their roots where left sides match them: a variable has nothing there.
    result: u64,
    /// Whether each instance of a right side may have a redex of one of them at its root, and anywhere.
    restarts: [bool; 2],
}

impl WrittenFacts {
    pub(super) fn of<'a>(laws: &[WrittenLaw<'a>]) -> WrittenFacts {
        let bits = |side: &RawTerm, root: Option<Head>| match root {
            Some(head) => 1 << (FxBuildHasher.hash_one(head) % NUMBER),
            None if is_number(side) => 1 << NUMBER,
            None => u64::MAX,
        };
        let result = |law: &WrittenLaw<'a>| match law.right_root {
            None if is_variable(law.right, law) => 0,
            root => bits(law.right, root),
        };
        let all = |of: &dyn Fn(&WrittenLaw<'a>) -> u64| laws.iter().fold(0, |all, law| all | of(law));
        let again = |anywhere| laws.iter().any(|law| laws.iter().any(|other| law.may_leave(other, anywhere)));
        let anywhere = again(true);
        WrittenFacts {
            left: all(&|law| bits(law.left, law.root)),
            right: all(&|law| bits(law.right, law.right_root)),
            result: all(&result),
            restarts: [anywhere && again(false), anywhere],
        }
    }

    /// Whether each instance of a right side may have a redex of one of the laws: at its own root, or `anywhere`.
    pub(super) fn may_restart(self, anywhere: bool) -> bool {
        self.restarts[usize::from(anywhere)]
    }

    /// Whether one of these laws may take back one of the others, as far as the constructors at their roots tell.
    pub(super) fn may_undo(self, other: WrittenFacts) -> bool {
        self.left & other.result != 0 && self.right & other.left != 0
    }
}

/// The names of a law's variables and of what its sides bind. A definition without parameters counts as a variable where it
/// stands on the left.
#[derive(Debug, Default)]
struct WrittenNames<'a> {
    all: Vec<&'a Name>,
    /// Those that are bound.
    bound: Vec<&'a Name>,
}

/// The constructor at the root of a term that is written so; none where only typing tells.
fn root(term: &RawTerm) -> Option<Head> {
    match &term.kind {
        RawTermKind::Binary(prim, ..) => Some(Head::Prim(*prim)),
        RawTermKind::Unary(Prim::Neg, of) if is_number(of) => None,
        RawTermKind::Unary(prim, _) => Some(Head::Prim(*prim)),
        RawTermKind::Fun(..) => Some(Head::Lam),
        RawTermKind::Let(..) => Some(Head::Let),
        RawTermKind::If(..) => Some(Head::If),
        RawTermKind::Guard(..) => Some(Head::Guard),
        RawTermKind::Array(_) => Some(Head::Array),
        RawTermKind::Get(..) => Some(Head::Get),
        RawTermKind::Pair(..) => Some(Head::Pair),
        RawTermKind::Project(true, _) => Some(Head::Fst),
        RawTermKind::Project(false, _) => Some(Head::Snd),
        RawTermKind::Ascribe(inner, _) => root(inner),
        RawTermKind::App(..) => applied(term),
        RawTermKind::Name(_) | RawTermKind::Number(_) | RawTermKind::Head(_) => None,
        RawTermKind::D(_) | RawTermKind::Pattern(..) | RawTermKind::Hole => None,
    }
}

/// That of a word with all of its arguments; with fewer it is a function.
fn applied(term: &RawTerm) -> Option<Head> {
    let (function, arguments) = spine(term);
    let open = match &function.kind {
        RawTermKind::Fun(..) => return Some(Head::App),
        RawTermKind::Name(name) => match (name.as_str(), arguments.len()) {
            ("scan", 3) => return Some(Head::Scan),
            ("scanr", 3) => return Some(Head::Scanr),
            ("scatter", 3) => return Some(Head::Scatter),
            (name, _) => RawHead::open(name),
        },
        _ => None,
    };
    let word = if let RawTermKind::Head(word) = &function.kind { Some(word) } else { open.as_ref() };
    match (word?, arguments.len()) {
        (RawHead::Prim(prim), count) if count == prim.arity() => Some(Head::Prim(*prim)),
        (RawHead::Pull, 2) => Some(Head::Pull),
        (RawHead::Plus, 2) => Some(Head::Plus),
        (RawHead::Fst, 1) => Some(Head::Fst),
        (RawHead::Snd, 1) => Some(Head::Snd),
        (RawHead::Build(_), 1) => Some(Head::Build),
        (RawHead::Ifold(_), 2) => Some(Head::Ifold),
        (RawHead::Scan(_, false), 2) => Some(Head::Scan),
        (RawHead::Scan(_, true), 2) => Some(Head::Scanr),
        (RawHead::Scatter(..), 1) => Some(Head::Scatter),
        _ => None,
    }
}

/// What is applied, and to what; the last argument first.
fn spine(term: &RawTerm) -> (&RawTerm, Vec<&RawTerm>) {
    let (mut here, mut arguments) = (term, Vec::new());
    while let RawTermKind::App(function, argument) = &here.kind {
        arguments.push(&**argument);
        here = function;
    }
    (here, arguments)
}

impl<'a> WrittenLaw<'a> {
    pub(super) fn new(left: &'a RawTerm, right: &'a RawTerm) -> WrittenLaw<'a> {
        WrittenLaw { left, right, root: root(left), right_root: root(right), names: OnceCell::new() }
    }

    /// Whether each instance of the right side may have a redex of the other law: at its own root, or `anywhere`.
    pub(super) fn may_leave(&self, other: &WrittenLaw<'a>, anywhere: bool) -> bool {
        fn at<'a>(part: &'a RawTerm, law: &WrittenLaw<'a>, other: &WrittenLaw<'a>, anywhere: bool) -> bool {
            // What stands for a variable may have none, and what a variable takes may be dropped.
            if is_number(part) || is_variable(part, law) {
                return false;
            }
            may_match((other.left, other), (part, law), &mut Vec::new())
                || root(part).is_none()
                || (anywhere && parts(part).into_iter().any(|part| at(part, law, other, anywhere)))
        }
        at(self.right, self, other, anywhere)
    }

    /// Whether this law may take back the other.
    pub(super) fn may_undo(&self, other: &WrittenLaw<'a>) -> bool {
        // Most sides differ at their roots, which needs no names.
        let differ = |a: Option<Head>, b: Option<Head>| a.zip(b).is_some_and(|(a, b)| a != b);
        if differ(self.root, other.right_root) || differ(self.right_root, other.root) {
            return false;
        }
        let mut known = Vec::new();
        may_match((self.left, self), (other.right, other), &mut known)
            && may_match((self.right, self), (other.left, other), &mut known)
    }

    fn names(&self) -> &WrittenNames<'a> {
        self.names.get_or_init(|| {
            let mut found = WrittenNames::default();
            names(self.left, &mut found.all);
            bound(self.left, &mut found.bound);
            bound(self.right, &mut found.bound);
            found.all.extend(&found.bound);
            found
        })
    }
}

/// A side, and its law, whose names are read off where a name stands.
type NamedSide<'s, 'a> = (&'a RawTerm, &'s WrittenLaw<'a>);

/// Whether a side may match another as it stands there; what its variables stand for is noted.
fn may_match<'a>(
    (pattern, own): NamedSide<'_, 'a>,
    (term, others): NamedSide<'_, 'a>,
    known: &mut Vec<(&'a Name, &'a RawTerm)>,
) -> bool {
    if is_variable(pattern, own) {
        let RawTermKind::Name(name) = &pattern.kind else { return true };
        if own.names().bound.contains(&name) {
            return true;
        }
        if known.iter().any(|(other, before)| *other == name && !may_be_equal(before, term, others.names())) {
            return false;
        }
        known.push((name, term));
        return true;
    }
    let (wanted, found) = (root(pattern), root(term));
    if wanted.is_none() && !is_number(pattern) {
        return true;
    }
    if is_variable(term, others) {
        return false;
    }
    if is_number(pattern) || is_number(term) || found.is_none() {
        return found.is_none() && (is_number(pattern) || !is_number(term));
    }
    let (ours, theirs) = (parts(pattern), parts(term));
    wanted == found
        && ours.len() == theirs.len()
        && ours.into_iter().zip(theirs).all(|(a, b)| may_match((a, own), (b, others), known))
}

/// Whether two parts of a law may be equal, whatever its variables stand for.
fn may_be_equal(a: &RawTerm, b: &RawTerm, names: &WrittenNames) -> bool {
    let name = |term: &RawTerm| match &term.kind {
        RawTermKind::Name(name) | RawTermKind::Pattern(name, _) if names.all.contains(&name) => Some(name.clone()),
        _ => None,
    };
    let is_bound = |name: &Name| names.bound.contains(&name);
    match (name(a), name(b)) {
        // Bound variables may be called otherwise.
        (Some(a), Some(b)) => a == b || is_bound(&a) || is_bound(&b),
        (Some(_), None) => root(b).is_none() && !is_number(b),
        (None, Some(_)) => root(a).is_none() && !is_number(a),
        (None, None) => match (root(a), root(b)) {
            (Some(head), Some(other)) => {
                let (ours, theirs) = (parts(a), parts(b));
                head == other
                    && ours.len() == theirs.len()
                    && ours.into_iter().zip(theirs).all(|(a, b)| may_be_equal(a, b, names))
            }
            (Some(_), None) => !is_number(b),
            (None, Some(_)) => !is_number(a),
            (None, None) => value(a).zip(value(b)).is_none_or(|(a, b)| a == b),
        },
    }
}

/// The number that is written.
fn value(term: &RawTerm) -> Option<f64> {
    match &term.kind {
        RawTermKind::Number(text) => text.as_str().parse().ok(),
        RawTermKind::Unary(Prim::Neg, inner) => Some(-value(inner)?),
        RawTermKind::Ascribe(inner, _) => value(inner),
        _ => None,
    }
}

/// Whether it is a variable of the law or a bound one.
fn is_variable(term: &RawTerm, law: &WrittenLaw) -> bool {
    match &term.kind {
        RawTermKind::Pattern(..) | RawTermKind::Hole => true,
        RawTermKind::Name(name) => law.names().all.contains(&name),
        RawTermKind::Ascribe(inner, _) => is_variable(inner, law),
        _ => false,
    }
}

fn is_number(term: &RawTerm) -> bool {
    match &term.kind {
        RawTermKind::Number(_) => true,
        RawTermKind::Unary(Prim::Neg, inner) | RawTermKind::Ascribe(inner, _) => is_number(inner),
        _ => false,
    }
}

/// The terms below its root; of a word that is applied only what it takes.
fn parts(term: &RawTerm) -> Vec<&RawTerm> {
    match &term.kind {
        RawTermKind::Ascribe(inner, _) => parts(inner),
        RawTermKind::App(..) => {
            let (function, mut all) = spine(term);
            all.extend(matches!(function.kind, RawTermKind::Fun(..)).then_some(function));
            all
        }
        _ => term.parts(),
    }
}

fn names<'a>(term: &'a RawTerm, all: &mut Vec<&'a Name>) {
    if let RawTermKind::Name(name) | RawTermKind::Pattern(name, _) = &term.kind {
        all.push(name);
    }
    term.parts().into_iter().for_each(|part| names(part, all));
}

fn bound<'a>(term: &'a RawTerm, all: &mut Vec<&'a Name>) {
    match &term.kind {
        RawTermKind::Fun(params, _) => all.extend(params.iter().map(|param| &param.name.name)),
        RawTermKind::Let(param, ..) | RawTermKind::Guard(param, ..) => all.push(&param.name.name),
        _ => {}
    }
    term.parts().into_iter().for_each(|part| bound(part, all));
}
