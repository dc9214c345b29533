//! Derives what a law inspects from its left side and its conditions.

use redexter_language::check::Law;
use redexter_language::term::{ConstructorGroups, Head, Kind, Term};

use super::super::condition::{Condition, ConditionVariable, Predicate, Quantity, TermMeasure};
use super::super::law::variable;
use super::sets::{BinderKinds, HeadSet, KidSet};
use super::trie::InspectionTrie;
use super::{ContextUse, Footprint};

/// The knowledge of a term that a condition needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ConditionNeed {
    /// More than constructors and the occurrences of bound variables.
    deep: bool,
    /// The occurrences of bound variables.
    occurrences: bool,
    /// The context.
    context: ContextUse,
}

impl ConditionNeed {
    fn and(self, other: ConditionNeed) -> ConditionNeed {
        ConditionNeed {
            deep: self.deep || other.deep,
            occurrences: self.occurrences || other.occurrences,
            context: self.context.max(other.context),
        }
    }
}

const SURFACE: ConditionNeed = ConditionNeed { deep: false, occurrences: false, context: ContextUse::Nothing };
const OCCURRENCES: ConditionNeed = ConditionNeed { occurrences: true, ..SURFACE };
const DEEP: ConditionNeed = ConditionNeed { deep: true, occurrences: true, context: ContextUse::Nothing };
const MARKS: ConditionNeed = ConditionNeed { context: ContextUse::Marks, ..DEEP };
const EVERYTHING: ConditionNeed = ConditionNeed { context: ContextUse::Everything, ..DEEP };

/// Whether a condition of a law wants to know more than constructors and occurrences of bound variables.
pub(in super::super) fn is_deep(law: &Law, condition: &Condition) -> bool {
    LawInspection::new(law).condition(condition).deep
}

/// What a law inspects.
pub(in super::super) fn of_law<'a>(law: &Law, conditions: impl Iterator<Item = &'a Condition>) -> Footprint {
    let mut of_law = LawInspection::new(law);
    of_law.pattern(&law.left, 0);
    let mut need = SURFACE;
    for condition in conditions {
        need = need.and(of_law.condition(condition));
    }
    if need.occurrences {
        of_law.scope = of_law.scope.max(binders(&law.left));
    }
    let (held, ways, scope) = (of_law.held, &of_law.ways, (of_law.scope, BinderKinds::of(&law.left)));
    match law.left.kind() {
        Kind::Var | Kind::SizeVar(_) => Footprint::at(Head::all(), held, ways, scope, need.context),
        kind => Footprint::at([kind.head()], held, ways, scope, need.context),
    }
}

/// How far below the root the deepest scope of a binder begins.
fn binders(left: &Term) -> u32 {
    let own = u32::from(left.kind().binds());
    left.kids().iter().map(binders).filter(|below| *below > 0).map(|below| below + 1).chain([own]).max().unwrap_or(0)
}

struct LawInspection<'a> {
    law: &'a Law,
    /// What its left side holds.
    held: ConstructorGroups,
    ways: InspectionTrie,
    scope: u32,
    way: Vec<u32>,
}

impl<'a> LawInspection<'a> {
    fn new(law: &'a Law) -> LawInspection<'a> {
        LawInspection {
            law,
            held: ConstructorGroups::default(),
            ways: InspectionTrie::default(),
            scope: 0,
            way: Vec::new(),
        }
    }

    fn pattern(&mut self, pattern: &Term, under: u32) {
        if let Some((_, arguments)) = variable(&self.law.vars, pattern, under) {
            let all = (0..under).all(|i| arguments.iter().any(|a| is_variable(a, i)));
            if !all {
                // The match then hangs on whether a binder is mentioned that must not be, so that uses matter down to here.
                self.scope = self.scope.max(self.way.len() as u32);
            }
            return;
        }
        // The number that a size becomes as a term has a constructor of its own.
        let wanted = match pattern.kind() {
            Kind::SizeVar(_) => HeadSet::ANY,
            kind => {
                self.held = self.held.and(ConstructorGroups::of(kind.head()));
                HeadSet::one(kind.head())
            }
        };
        self.ways.add(&self.way, wanted);
        for k in 0..pattern.kid_count() {
            self.way.push(k as u32);
            self.pattern(&pattern.kid(k), under + pattern.binders(k));
            self.way.pop();
        }
    }

    fn condition(&mut self, condition: &Condition) -> ConditionNeed {
        match condition {
            Condition::Holds(p, all) | Condition::HoldsNot(p, all) => self.predicate(*p, all),
            // A script's function is given the term with its context, and may look at anything in either.
            Condition::Asks(..) => EVERYTHING,
            Condition::Matches(..) => DEEP,
            Condition::Compare(_, a, b) => self.quantity(a).and(self.quantity(b)),
        }
    }

    fn predicate(&mut self, predicate: Predicate, all: &[ConditionVariable]) -> ConditionNeed {
        match predicate {
            Predicate::Constant | Predicate::Literal | Predicate::Zero | Predicate::Variable => self.root(all),
            Predicate::Safe => self.root(all).and(OCCURRENCES),
            Predicate::Looped => OCCURRENCES,
            Predicate::Cheap => DEEP,
            Predicate::IsReal
            | Predicate::IsInt
            | Predicate::IsFin
            | Predicate::IsArray
            | Predicate::IsPair
            | Predicate::IsFunction => SURFACE,
            Predicate::Free if all.first().is_some_and(|x| x.of_law.is_none()) => OCCURRENCES,
            Predicate::Tangent | Predicate::OneHot => MARKS,
            Predicate::Free | Predicate::Depends => EVERYTHING,
        }
    }

    fn quantity(&mut self, quantity: &Quantity) -> ConditionNeed {
        match quantity {
            Quantity::Number(_) | Quantity::Parameter(..) | Quantity::Size(_) => SURFACE,
            Quantity::Of(TermMeasure::Occurrences, _) => OCCURRENCES,
            Quantity::Of(TermMeasure::Work, _) => DEEP,
            Quantity::Of(TermMeasure::Loops, _) => MARKS,
            Quantity::Of(TermMeasure::Value, all) => self.root(all),
            Quantity::Add(a, b) | Quantity::Mul(a, b) => self.quantity(a).and(self.quantity(b)),
        }
    }

    /// The constructor of what a variable stands for, or is bound to. What a variable with projections for arguments
    /// stands for is made of more than that.
    fn root(&mut self, all: &[ConditionVariable]) -> ConditionNeed {
        let Some(variable) = all.first() else { return SURFACE };
        let mut way = variable.path.clone();
        if variable.of_law.is_none() {
            // The path leads to the `let`, whose value, its first child, is meant.
            way.push(0);
        }
        self.ways.add(&way, HeadSet::ANY);
        if variable.of_law.is_some_and(|j| projects(self.law, &self.law.left, 0, j)) { DEEP } else { SURFACE }
    }
}

fn is_variable(term: &Term, index: u32) -> bool {
    matches!(term.kind(), Kind::Var) && term.free_at(index).is_some()
}

/// Whether a side has this variable with a projection for an argument: `e(fst a)`.
fn projects(law: &Law, side: &Term, under: u32, j: usize) -> bool {
    let projection = |a: &Term| matches!(a.kind(), Kind::Fst | Kind::Snd);
    variable(&law.vars, side, under).is_some_and(|(k, arguments)| k == j && arguments.iter().any(projection))
        || (0..side.kid_count()).any(|k| projects(law, &side.kid(k), under + side.binders(k), j))
}

/// Below which children of the matched term it hangs on more than constructors that a condition doesn't hold; `deep`
/// says that it may be so. Whether the value of a let is safe or cheap shows in the value, but for an array's occurrences.
pub(in super::super) fn below(condition: &Condition, deep: bool, matched: &Term) -> KidSet {
    let (Condition::Holds(predicate, all) | Condition::HoldsNot(predicate, all)) = condition else {
        return if deep { KidSet::ALL } else { KidSet::NONE };
    };
    let value = all.first().and_then(|x| x.bound(matched)?.1).map(|value| value.node().kind());
    let outermost = all.first().is_some_and(|x| x.path.is_empty());
    match (predicate, value) {
        (Predicate::Safe, Some(Kind::Fst | Kind::Snd)) if outermost => KidSet::FIRST,
        (Predicate::Safe, Some(Kind::Fst | Kind::Snd)) => KidSet::ALL,
        (Predicate::Cheap, Some(kind)) if outermost && !matches!(kind, Kind::Build(_)) => KidSet::FIRST,
        _ if deep => KidSet::ALL,
        _ => KidSet::NONE,
    }
}
