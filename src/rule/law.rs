//! A law made ready for matching.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::check::{Law, PatternVar};
use crate::ground::Name;
use crate::term::{Assignment, Atom, Kind, Size, Term, Type, TypeMemo, TypeView};

use super::build;
use super::condition::Condition;
use super::matching::{Match, Matcher, variable};
use super::plan::Plan;
use super::reason::{Reason, Why};
use super::site::Site;

/// A law whose size and type variables can't be mistaken for those of the terms that it meets.
#[derive(Clone, Debug)]
pub struct CompiledLaw {
    pub(super) text: String,
    pub(super) vars: Vec<PatternVar>,
    pub(super) left: Term,
    pub(super) right: Term,
    pub(super) conditions: Vec<Condition>,
    /// The least values of its sizes for which it is well-typed.
    bounds: Vec<(Name, u64)>,
    plan: OnceCell<Rc<Plan>>,
}

/// Gives each variable of a law a name that users can't write.
struct Apart;

/// The name that stands for a law's size or type variable while it is matched.
pub(super) fn apart(name: &Name) -> Name {
    Name::new(&format!("?{name}"))
}

impl Assignment for Apart {
    fn size(&self, atom: &Atom) -> Option<Size> {
        match atom {
            Atom::Var(name) => Some(Size::var(&apart(name))),
            Atom::Unknown(_) => None,
        }
    }

    fn ty(&self, leaf: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        match leaf {
            TypeView::Var(name) => Some(Type::var(&apart(name))),
            _ => None,
        }
    }
}

impl CompiledLaw {
    /// Renaming keeps every size as large as it was, so that nothing can go wrong here but a bug.
    pub fn new(law: &Law, conditions: Vec<Condition>) -> CompiledLaw {
        let mut memo = TypeMemo::default();
        let term = |t: &Term| t.assign(&Apart).expect("renaming keeps sizes");
        let var = |v: &PatternVar| {
            let ty = v.ty.assign(&Apart, &mut memo).expect("renaming keeps sizes");
            PatternVar { ty, ..v.clone() }
        };
        CompiledLaw {
            text: law.text.clone(),
            left: term(&law.left),
            right: term(&law.right),
            vars: law.vars.iter().map(var).collect(),
            conditions,
            bounds: law.bounds.iter().map(|(name, lower)| (name.clone(), lower)).collect(),
            plan: OnceCell::new(),
        }
    }

    /// The variables. Their types, and both sides, speak of sizes and types under names that users can't write.
    pub fn vars(&self) -> &[PatternVar] {
        &self.vars
    }

    /// The left side, in the scope of the variables as [`crate::check::Law`] has it.
    pub fn left(&self) -> &Term {
        &self.left
    }

    /// The least value of a size of the left side for which the law is well-typed.
    pub fn lower(&self, size: &Name) -> u64 {
        self.bounds.iter().find(|(name, _)| apart(name) == *size).map_or(0, |(_, lower)| *lower)
    }

    /// What the left side becomes with these sizes and types, and with these terms for its variables: each under one
    /// binder for each argument that the variable takes. `None` where they don't fit.
    pub fn instance(&self, by: &dyn Assignment, terms: Vec<Term>) -> Option<Term> {
        let left = self.left.assign(by).ok()?;
        build::left_side(self, &left, &Match::of(terms)).ok()
    }

    /// What the left side matches, if the term is of its form; conditions apart.
    pub(super) fn matches(&self, term: &Term) -> Result<Match, Reason> {
        Matcher::new(&self.vars).run(&self.left, term)
    }

    /// Whether it applies to whatever its left side matches.
    pub(super) fn is_unconditional(&self) -> bool {
        self.conditions.is_empty() && self.bounds.is_empty()
    }

    /// Whether a size of the law is at least so much, whatever the open sizes are.
    fn reaches(&self, name: &Name, lower: u64, found: &Match, site: &Site) -> bool {
        let size = found.sizes.size(&Atom::Var(apart(name)));
        size.is_none_or(|size| size.least(site.bounds) >= lower)
    }

    /// Whether the left side has this variable with a projection for an argument: `e(fst a)`.
    pub(super) fn projects(&self, j: usize) -> bool {
        self.projects_in(&self.left, 0, j)
    }

    fn projects_in(&self, term: &Term, under: u32, j: usize) -> bool {
        let projects = |a: &Term| matches!(a.kind(), Kind::Fst | Kind::Snd);
        let here = variable(&self.vars, term, under);
        here.is_some_and(|(k, arguments)| k == j && arguments.iter().any(projects))
            || (0..term.kid_count()).any(|k| self.projects_in(&term.kid(k), under + term.kind().binders(k), j))
    }

    /// The law made ready to be tried many times.
    pub(super) fn plan(&self) -> &Rc<Plan> {
        self.plan.get_or_init(|| {
            let bounds = self.bounds.iter().map(|(name, lower)| (Size::var(&apart(name)), *lower));
            Rc::new(Plan::new(self, bounds.collect()))
        })
    }

    /// The right side, where the left side matches and the conditions hold.
    pub fn apply(&self, site: &Site, arguments: &[u64]) -> Result<Term, Reason> {
        let found = self.matches(site.term)?;
        let progress = self.left.size() as u32;
        if let Some((name, lower)) = self.bounds.iter().find(|(name, lower)| !self.reaches(name, *lower, &found, site))
        {
            return Err(Reason { progress, ..Reason::new(Why::Condition(format!("{name} >= {lower}").into())) });
        }
        if let Some(why) = self.conditions.iter().find_map(|c| c.check(&found, site, arguments).err()) {
            return Err(Reason { progress, ..Reason::new(why) });
        }
        let contractum = build::right_side(self, &found)?;
        site.assert_type(&contractum);
        Ok(contractum)
    }
}
