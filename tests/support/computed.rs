//! Rules that are functions, and simple terms for them.

use std::rc::Rc;

use redexter::ground::Name;
use redexter::rule::{
    ComputedRule, Exactness, Focus, LazyFootprint, Reason, RuleBody, RuleInfo, RuleOrigin, SoundnessState,
};
use redexter::term::{Term, Type, TypeView};

/// A rule that a script would compute.
pub fn computed(name: &str, function: impl Fn(&Focus, &[u64]) -> Result<Term, Reason> + 'static) -> Rc<RuleInfo> {
    Rc::new(RuleInfo {
        name: Name::new(name),
        group: String::new(),
        params: Vec::new(),
        laws: Vec::new(),
        conditions: Vec::new(),
        doc: String::new(),
        exactness: Exactness::Exact,
        origin: RuleOrigin::User,
        unchecked: false,
        state: SoundnessState::at_first(RuleOrigin::User),
        footprint: LazyFootprint::default(),
        body: RuleBody::Computed(ComputedRule::new(function)),
    })
}

/// A closed term of this type, where there is a simple one, whose reals are this one.
pub fn closed(ty: &Type, real: f64) -> Option<Term> {
    match ty.view() {
        TypeView::Real => Some(Term::real(real)),
        TypeView::Int => Some(Term::int(1)),
        TypeView::Pair(a, b) => Term::pair(closed(a, real)?, closed(b, real)?).ok(),
        TypeView::Fun(a, b) => Term::lam(&Name::new("y"), a, closed(b, real)?).ok(),
        TypeView::Array(n, a) => {
            let f = Term::lam(&Name::new("i"), &Type::fin(n.clone()), closed(a, real)?).ok()?;
            Term::build(n.clone(), f).ok()
        }
        _ => None,
    }
}
