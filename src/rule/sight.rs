//! What laws and functions inspect: worked out of a law's text, stated in a table for functions.

use std::cell::OnceCell;

use crate::term::{Head, Kind, Term};

use super::condition::{Condition, Variable};
use super::law::CompiledLaw;
use super::look::{Binders, Heads, Look, Ways};
use super::matching::variable;
use super::predicate::Predicate;
use super::quantity::{Measure, Quantity};

/// What a rule inspects, worked out when it is first asked for. By default it may be anything.
#[derive(Debug)]
pub struct Sight {
    pub(super) scan: &'static Scan,
    pub(super) look: OnceCell<Look>,
}

impl Sight {
    pub(super) fn of(scan: &'static Scan) -> Sight {
        Sight { scan, look: OnceCell::new() }
    }
}

impl Default for Sight {
    fn default() -> Sight {
        Sight::of(&BLIND)
    }
}

/// What a function inspects, as far as it is bounded.
#[derive(Debug)]
pub(super) struct Scan {
    /// The constructors that it may apply to.
    pub(super) heads: fn(Head) -> bool,
    /// What it looks at before anything deeper, or at all.
    pub(super) ways: &'static [&'static [u32]],
    /// How far below the root the scope of a bound variable begins that it asks about; 0 if it asks about none.
    pub(super) scope: u32,
    /// What must hold before it looks at anything else.
    pub(super) guard: fn(&Term) -> bool,
    /// Whether it looks deeper then.
    pub(super) deep: bool,
    /// Whether it looks at the place.
    pub(super) place: bool,
}

/// A function that nothing is known of.
pub(super) const BLIND: Scan = Scan { heads: |_| true, ways: &[], scope: 0, guard: |_| true, deep: true, place: true };

impl Scan {
    pub(super) fn look(&self) -> Look {
        let mut ways = Ways::default();
        self.ways.iter().for_each(|way| ways.add(way, Heads::ANY));
        Look::at(Head::all().filter(|head| (self.heads)(*head)), &ways, (self.scope, Binders::ALL), self.place)
    }
}

/// How much a condition wants to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Need {
    /// More than constructors and the uses of bound variables.
    deep: bool,
    /// The uses of bound variables.
    uses: bool,
    /// The place.
    place: bool,
}

impl Need {
    fn and(self, other: Need) -> Need {
        Need { deep: self.deep || other.deep, uses: self.uses || other.uses, place: self.place || other.place }
    }
}

const SURFACE: Need = Need { deep: false, uses: false, place: false };
const USES: Need = Need { uses: true, ..SURFACE };
const DEEP: Need = Need { deep: true, uses: true, place: false };
const PLACE: Need = Need { place: true, ..DEEP };

/// Whether a condition of a law wants to know more than constructors and uses of bound variables.
pub(super) fn is_deep(law: &CompiledLaw, condition: &Condition) -> bool {
    OfLaw::new(law).condition(condition).deep
}

/// What a law inspects.
pub(super) fn look(law: &CompiledLaw) -> Look {
    let mut sight = OfLaw::new(law);
    sight.pattern(&law.left, 0);
    let mut need = SURFACE;
    for condition in &law.conditions {
        need = need.and(sight.condition(condition));
    }
    if need.uses {
        sight.scope = sight.scope.max(binders(&law.left));
    }
    let (ways, scope) = (&sight.ways, (sight.scope, Binders::of(&law.left)));
    match law.left.kind() {
        Kind::Var | Kind::SizeVar(_) => Look::at(Head::all(), ways, scope, need.place),
        kind => Look::at([kind.head()], ways, scope, need.place),
    }
}

/// How far below the root the deepest scope of a binder begins.
fn binders(left: &Term) -> u32 {
    let own = u32::from(matches!(left.kind(), Kind::Lam(..) | Kind::Let(_)));
    left.kids().iter().map(binders).filter(|below| *below > 0).map(|below| below + 1).chain([own]).max().unwrap_or(0)
}

struct OfLaw<'a> {
    law: &'a CompiledLaw,
    ways: Ways,
    scope: u32,
    way: Vec<u32>,
}

impl<'a> OfLaw<'a> {
    fn new(law: &'a CompiledLaw) -> OfLaw<'a> {
        OfLaw { law, ways: Ways::default(), scope: 0, way: Vec::new() }
    }

    fn pattern(&mut self, pattern: &Term, under: u32) {
        if let Some((_, arguments)) = variable(&self.law.vars, pattern, under) {
            let all = (0..under).all(|i| arguments.iter().any(|a| is_variable(a, i)));
            if !all {
                self.scope = self.scope.max(self.way.len() as u32);
            }
            return;
        }
        // The number that a size becomes as a term has a constructor of its own.
        let wanted = if let Kind::SizeVar(_) = pattern.kind() { Heads::ANY } else { Heads::one(pattern.kind().head()) };
        self.ways.add(&self.way, wanted);
        for k in 0..pattern.kid_count() {
            self.way.push(k as u32);
            self.pattern(&pattern.kid(k), under + pattern.kind().binders(k));
            self.way.pop();
        }
    }

    fn condition(&mut self, condition: &Condition) -> Need {
        match condition {
            Condition::Holds(p, all) | Condition::HoldsNot(p, all) => self.predicate(*p, all),
            Condition::Asks(..) => PLACE,
            Condition::Compare(_, a, b) => self.quantity(a).and(self.quantity(b)),
        }
    }

    fn predicate(&mut self, predicate: Predicate, all: &[Variable]) -> Need {
        match predicate {
            Predicate::Constant | Predicate::Literal | Predicate::Zero | Predicate::Variable => self.root(all),
            Predicate::Safe => self.root(all).and(USES),
            Predicate::Looped => USES,
            Predicate::Cheap => DEEP,
            Predicate::IsReal
            | Predicate::IsInt
            | Predicate::IsFin
            | Predicate::IsArray
            | Predicate::IsPair
            | Predicate::IsFunction => SURFACE,
            Predicate::Free if all.first().is_some_and(|x| x.of_law.is_none()) => USES,
            Predicate::Free | Predicate::Depends | Predicate::Tangent | Predicate::OneHot => PLACE,
        }
    }

    fn quantity(&mut self, quantity: &Quantity) -> Need {
        match quantity {
            Quantity::Number(_) | Quantity::Parameter(..) | Quantity::Size(_) => SURFACE,
            Quantity::Of(Measure::Occurrences, _) => USES,
            Quantity::Of(Measure::Work, _) => DEEP,
            Quantity::Of(Measure::Loops, _) => PLACE,
            Quantity::Of(Measure::Value, all) => self.root(all),
            Quantity::Add(a, b) | Quantity::Mul(a, b) => self.quantity(a).and(self.quantity(b)),
        }
    }

    /// The constructor of what a variable stands for, or is bound to. What a variable with projections for arguments
    /// stands for is made of more than that.
    fn root(&mut self, all: &[Variable]) -> Need {
        let Some(variable) = all.first() else { return SURFACE };
        let mut way = variable.path.clone();
        if variable.of_law.is_none() {
            way.push(0);
        }
        self.ways.add(&way, Heads::ANY);
        if variable.of_law.is_some_and(|j| self.law.projects(j)) { DEEP } else { SURFACE }
    }
}

fn is_variable(term: &Term, index: u32) -> bool {
    matches!(term.kind(), Kind::Var) && term.free_at(index).is_some()
}
