//! Surveys a term for what has a say in the text of any part of it: the sizes that it mentions, and whether a constant asks
//! for a lower bound of one of them.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::Name;
use crate::term::{Kind, Payload, Size, SizeAtom, Term, Type, TypeView};

/// The findings of a survey of a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SurveyFindings {
    /// The open sizes, in types and elsewhere.
    pub(super) sizes: BTreeSet<Name>,
    /// Whether a constant of the term asks for a lower bound of an open size.
    pub(super) bounds_a_size: bool,
}

impl SurveyFindings {
    fn add(&mut self, other: &SurveyFindings) {
        self.sizes.extend(other.sizes.iter().cloned());
        self.bounds_a_size |= other.bounds_a_size;
    }

    /// Whether it has all that the other one has.
    fn holds(&self, other: &SurveyFindings) -> bool {
        self.bounds_a_size >= other.bounds_a_size && other.sizes.is_subset(&self.sizes)
    }
}

/// Findings, remembered by subterm.
#[derive(Default)]
pub(super) struct TermSurvey(FxHashMap<u128, Rc<SurveyFindings>>);

impl TermSurvey {
    /// What is found in any of these terms.
    pub(super) fn of(&mut self, terms: &[&Term]) -> SurveyFindings {
        let mut all = SurveyFindings::default();
        terms.iter().for_each(|term| all.add(&self.within(term)));
        all
    }

    fn within(&mut self, term: &Term) -> Rc<SurveyFindings> {
        let mut waiting = vec![(term.clone(), false)];
        while let Some((term, below)) = waiting.pop() {
            if self.0.contains_key(&term.fingerprint()) {
                continue;
            }
            if below {
                let found = self.join(&term);
                self.0.insert(term.fingerprint(), found);
                continue;
            }
            let kids = term.kids();
            waiting.push((term, true));
            waiting.extend(kids.into_iter().map(|kid| (kid, false)));
        }
        self.0.get(&term.fingerprint()).cloned().unwrap_or_default()
    }

    /// Its own findings with those of its children; those of a child where it adds nothing to them.
    fn join(&self, term: &Term) -> Rc<SurveyFindings> {
        let mut all = Rc::new(own(term.kind()));
        for below in term.nodes().iter().filter_map(|kid| self.0.get(&kid.fingerprint())) {
            if Rc::ptr_eq(&all, below) || all.holds(below) {
                continue;
            }
            if below.holds(&all) {
                all = below.clone();
            } else {
                Rc::make_mut(&mut all).add(below);
            }
        }
        all
    }
}

/// The findings in a node without its children.
fn own(kind: &Kind) -> SurveyFindings {
    let bounds_a_size = matches!(kind, Kind::Fin(c, n) if *c >= n.constant());
    let mut found = SurveyFindings { bounds_a_size, ..SurveyFindings::default() };
    kind.each_held(|held| match held {
        Payload::Size(n) => collect_size(n, &mut found.sizes),
        Payload::SizeVar(n) => {
            found.sizes.insert(n.clone());
        }
        Payload::Type(ty) => collect_type(ty, &mut found.sizes),
        Payload::Hint(_) | Payload::Real(_) | Payload::Int(_) | Payload::Index(_) | Payload::Prim(_) => {}
    });
    found
}

fn collect_size(size: &Size, into: &mut BTreeSet<Name>) {
    for atom in size.atoms() {
        if let SizeAtom::Var(name) = atom {
            into.insert(name.clone());
        }
    }
}

fn collect_type(ty: &Type, into: &mut BTreeSet<Name>) {
    let mut seen = FxHashSet::default();
    let mut rest = vec![ty.clone()];
    while let Some(ty) = rest.pop() {
        if !ty.is_open() || !seen.insert(ty.fingerprint()) {
            continue;
        }
        match ty.view() {
            TypeView::Real | TypeView::Int | TypeView::Var(_) | TypeView::Unknown(_) => {}
            TypeView::Fin(n) => collect_size(n, into),
            TypeView::Array(n, a) => {
                collect_size(n, into);
                rest.push(a.clone());
            }
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => rest.extend([a.clone(), b.clone()]),
        }
    }
}
