//! What a context says about the variables that it binds: which ones count loops, which ones depend on a parameter index.

use rustc_hash::FxHashSet;

use crate::term::{Kind, Prim, Term};

use super::super::focus::Frame;

/// The variables that a context binds, outermost first.
pub(in super::super) struct Enclosing {
    binders: Vec<Binder>,
}

/// A variable that a context binds.
struct Binder {
    /// It counts the rounds of a `build` or an `ifold`.
    counts: bool,
    /// It depends on what was asked for.
    marked: bool,
}

/// On what variables are to depend.
#[derive(Clone, Copy)]
pub(in super::super) enum Dependence {
    /// On a parameter index: the variable of a `build` on the way from the root to the result that some `=` below
    /// compares with an index bound further in.
    Parameter,
    /// On the variable that is bound there, counted from the root.
    Level(usize),
}

/// What the way from the root has just entered.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The result itself: through λ, `let` bodies, pairs, array literals and elements of such.
    Result,
    /// The function of a `build`; whether its elements are part of the result.
    Elements(bool),
    /// The function of an `ifold`; whether its state depends on what was asked for.
    State(bool),
    /// The same after the accumulator.
    Rounds,
    /// Anything else.
    Inside,
}

impl Enclosing {
    /// The place that these frames lead to.
    pub(in super::super) fn of<'a>(frames: impl IntoIterator<Item = &'a Frame>, on: Dependence) -> Enclosing {
        let mut enclosing = Enclosing { binders: Vec::new() };
        let mut way = Way::Result;
        for frame in frames {
            way = enclosing.enter(frame, way, on);
        }
        enclosing
    }

    fn enter(&mut self, frame: &Frame, way: Way, on: Dependence) -> Way {
        let term = &frame.term;
        match (term.kind(), frame.kid, way) {
            (Kind::Lam(..), _, Way::Elements(result)) => {
                let parameter = result && matches!(on, Dependence::Parameter) && is_compared(&term.kid(0));
                self.bind(true, parameter, on);
                if result { Way::Result } else { Way::Inside }
            }
            (Kind::Lam(..), _, Way::State(marked)) => {
                self.bind(false, marked, on);
                Way::Rounds
            }
            (Kind::Lam(..), _, Way::Rounds) => {
                self.bind(true, false, on);
                Way::Inside
            }
            (Kind::Lam(..), ..) => {
                self.bind(false, false, on);
                way
            }
            (Kind::Let(_), 1.., _) => {
                self.bind(false, self.marks(&term.kid(0)), on);
                if way == Way::Result { way } else { Way::Inside }
            }
            (Kind::Build(_), ..) => Way::Elements(way == Way::Result),
            (Kind::Ifold(_), 0, _) => Way::State(self.marks(term)),
            (Kind::Pair | Kind::Array(_), ..) if way == Way::Result => way,
            (Kind::Let(_) | Kind::Ifold(_) | Kind::Pair | Kind::Array(_), ..) => Way::Inside,
            (Kind::App | Kind::If | Kind::Get | Kind::Fst | Kind::Snd | Kind::Prim(_), ..) => Way::Inside,
            (Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_), ..) => Way::Inside,
        }
    }

    fn bind(&mut self, counts: bool, marked: bool, on: Dependence) {
        let asked = matches!(on, Dependence::Level(level) if level == self.binders.len());
        self.binders.push(Binder { counts, marked: marked || asked });
    }

    /// The number of variables that are bound around the place.
    pub(in super::super) fn depth(&self) -> usize {
        self.binders.len()
    }

    fn binder(&self, index: u32) -> Option<(usize, &Binder)> {
        let level = self.binders.len().checked_sub(index as usize + 1)?;
        Some((level, &self.binders[level]))
    }

    /// Whether a term at this place depends on what it asks about, be it through enclosing lets and folds.
    pub(in super::super) fn marks(&self, term: &Term) -> bool {
        term.free().any(|(i, _)| self.is_marked(i))
    }

    /// Whether this variable does.
    pub(in super::super) fn is_marked(&self, index: u32) -> bool {
        self.binder(index).is_some_and(|(_, binder)| binder.marked)
    }

    /// Whether this variable counts the rounds of a loop.
    pub(in super::super) fn counts(&self, index: u32) -> bool {
        self.binder(index).is_some_and(|(_, binder)| binder.counts)
    }

    /// The enclosing loop variables in a term at this place, counted from the root.
    pub(in super::super) fn loops(&self, term: &Term) -> Vec<usize> {
        let counted = |(i, _)| self.binder(i).filter(|(_, binder)| binder.counts).map(|(level, _)| level);
        term.free().filter_map(counted).collect()
    }

    /// Whether a term at this place holds an `if` whose condition does.
    pub(in super::super) fn holds_choice(&self, term: &Term) -> bool {
        let marked =
            |t: &Term, under: u32| t.free().any(|(i, _)| i.checked_sub(under).is_some_and(|i| self.is_marked(i)));
        let wanted = |term: &Term, under: u32| matches!(term.kind(), Kind::If) && marked(&term.kid(0), under);
        search(term, 0, &mut FxHashSet::default(), &marked, &wanted)
    }
}

/// Whether some `=` in the body of a binder compares its variable with one that is bound further in.
fn is_compared(body: &Term) -> bool {
    let own = |t: &Term, under: u32| t.free_at(under).is_some();
    let wanted = |term: &Term, under: u32| {
        let inner = |t: &Term| t.free().any(|(i, _)| i < under);
        let across = |a: &Term, b: &Term| own(a, under) && inner(b);
        matches!(term.kind(), Kind::Prim(Prim::Eq | Prim::Ne)) && {
            let (a, b) = (term.kid(0), term.kid(1));
            across(&a, &b) || across(&b, &a)
        }
    };
    search(body, 0, &mut FxHashSet::default(), &own, &wanted)
}

/// What a search asks about a term and how many binders it has passed.
type Ask<'a> = &'a dyn Fn(&Term, u32) -> bool;

/// Whether `wanted` holds of a node in the term; what isn't `relevant` holds no such node.
fn search(term: &Term, under: u32, seen: &mut FxHashSet<(Term, u32)>, relevant: Ask, wanted: Ask) -> bool {
    if term.kid_count() == 0 || !relevant(term, under) || !seen.insert((term.clone(), under)) {
        return false;
    }
    wanted(term, under)
        || (0..term.kid_count()).any(|k| search(&term.kid(k), under + term.binders(k), seen, relevant, wanted))
}
