//! Follows the conditions of laws through chains: each asks about a term over the chain's variables, whose form decides it as
//! soon as that is known.

use std::rc::Rc;

use crate::overlap::{FollowedLaw, composed, plain};
use crate::rule::{CompiledLaw, VariableCondition, place_of, variable};
use redexter_language::check::{Law, PatternVar};
use redexter_language::ground::{Name, SourceId, Span};
use redexter_language::term::{Kind, Path, SizeBounds, Term, Type, TypeView};

/// What tells a condition from others: which it is, and what it asks about.
pub(super) type ConditionKey = (usize, u128);

/// A condition of a step of a chain.
#[derive(Clone, Debug)]
pub(super) struct AskedCondition {
    pub(super) condition: Rc<VariableCondition>,
    /// What it asks about, as a function of what is bound around that.
    pub(super) term: Term,
    /// How many binders that are.
    under: u32,
}

impl AskedCondition {
    /// The same, below so many more binders.
    pub(super) fn under(&self, more: u32) -> AskedCondition {
        AskedCondition { under: self.under + more, ..self.clone() }
    }

    /// The same, about another term.
    pub(super) fn about(&self, term: Term) -> AskedCondition {
        AskedCondition { term, ..self.clone() }
    }

    /// What tells it from others about these variables.
    pub(super) fn key(&self, vars: &[PatternVar]) -> ConditionKey {
        (Rc::as_ptr(&self.condition) as usize, fingerprint_over(vars, &self.term))
    }

    /// Whether both can't hold.
    pub(super) fn contradicts(&self, other: &AskedCondition) -> bool {
        self.under == other.under && self.term == other.term && self.condition.contradicts(&other.condition)
    }

    /// What it asks about, without the binders.
    fn body(&self) -> Option<Term> {
        let mut here = self.term.clone();
        for _ in 0..self.under {
            if !matches!(here.kind(), Kind::Lam(..)) {
                return None;
            }
            here = here.kid(0);
        }
        Some(here)
    }

    /// Whether it holds whatever the variables stand for, or never does; none where that isn't sure.
    pub(super) fn decided(&self, vars: &[PatternVar]) -> Option<bool> {
        let body = self.body()?;
        // What is applied, and a size, may be of any form in an instance.
        if self.of_variable(vars).is_some() || matches!(body.kind(), Kind::App | Kind::SizeVar(_)) {
            return None;
        }
        self.condition.decided(&body, body.free().all(|(i, _)| i < self.under))
    }

    /// The variable that it asks about.
    pub(super) fn of_variable(&self, vars: &[PatternVar]) -> Option<usize> {
        variable(vars, &self.body()?, self.under).map(|(j, _)| j)
    }
}

/// What tells a term over these variables from others: the fingerprint of an open one is the same for whichever of its variables.
pub(super) fn fingerprint_over(vars: &[PatternVar], term: &Term) -> u128 {
    let closed = vars.iter().rev().try_fold(term.clone(), |body, var| Term::lam(&var.name, &var.ty, body));
    closed.map_or_else(|_| term.fingerprint(), |closed| closed.fingerprint())
}

/// The conditions on variables of a law.
pub(super) fn asked(law: &CompiledLaw, arguments: &[u64]) -> Vec<AskedCondition> {
    let count = law.law().vars.len() as u32;
    let one = |condition: VariableCondition| {
        let var = law.law().vars.get(condition.variable)?;
        let arity = var.arity as u32;
        let mut types = Vec::new();
        let mut term = Term::var(count - 1 - condition.variable as u32 + arity, &var.ty);
        let mut rest = var.ty.clone();
        for k in 0..arity {
            let TypeView::Fun(from, to) = rest.view().clone() else { return None };
            term = Term::app(term, Term::var(arity - 1 - k, &from)).ok()?;
            types.push(from);
            rest = to;
        }
        let lam = |body: Term, ty: &Type| Term::lam(&Name::new("i"), ty, body).ok();
        let term = types.iter().rev().try_fold(term, lam)?;
        Some(AskedCondition { condition: Rc::new(condition), term, under: arity })
    };
    law.of_variables(arguments).filter_map(one).collect()
}

/// The law where each variable that has to match a pattern is an instance of it, and each that has to be 0 is that; its terms are
/// what these conditions ask about.
pub(super) fn narrowed(made: FollowedLaw, asked: &[AskedCondition]) -> FollowedLaw {
    let narrow = |made: FollowedLaw, (k, asked): (usize, &AskedCondition)| {
        let narrower = || {
            let now = asked.about(made.terms.get(k)?.clone()?);
            let j = now.of_variable(&made.law.vars)?;
            let form = match asked.condition.form() {
                Some(form) => Law { right: form.left.clone(), ..form.clone() },
                None if asked.condition.wants_zero() => zero(&made.law.vars[j].ty)?,
                None => return None,
            };
            let left = Law { right: made.law.left.clone(), ..made.law.clone() };
            let [left, form] = [left, form].map(|law| FollowedLaw { law, terms: Vec::new() });
            let place = Path(place_of(&made.law, j)?);
            let left = plain(&composed(&plain(&left)?, &place, &form)?)?;
            composed(&left, &Path::default(), &made)
        };
        narrower().unwrap_or(made)
    };
    asked.iter().enumerate().fold(made, narrow)
}

/// The number 0 of a type as a law that leaves it.
fn zero(ty: &Type) -> Option<Law> {
    let zero = match ty.view() {
        TypeView::Real => Term::real(0.0),
        TypeView::Int => Term::int(0),
        _ => return None,
    };
    let (left, right, bounds) = (zero.clone(), zero, SizeBounds::default());
    Some(Law { vars: Vec::new(), left, right, bounds, text: String::new(), span: Span::new(SourceId(0), 0, 0) })
}
