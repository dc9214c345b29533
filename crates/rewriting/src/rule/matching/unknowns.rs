//! Solves for what a law's type and size variables stand for: plain variables are bound first, other equations wait till the end.

use redexter_language::ground::Name;
use redexter_language::term::{Assignment, Bindings, Kind, Size, SizeAtom, Term, Type, TypeView};

/// The types and sizes found so far, and equations that wait. What contradicts them is no match: `None`.
#[derive(Debug, Default)]
pub(in super::super) struct Unknowns {
    /// What is known.
    pub(super) bindings: Bindings,
    /// A size of the law and the size of the term that it has to be.
    waiting: Vec<(Size, Size)>,
    /// A size variable that stands as a term in the law, and what stands there.
    values: Vec<(Name, Term)>,
}

impl Unknowns {
    /// The type of a term must be what the law says.
    pub(in super::super) fn types(&mut self, pattern: &Type, found: &Type) -> Option<()> {
        if !pattern.is_open() {
            return (pattern == found).then_some(());
        }
        match (pattern.view(), found.view()) {
            (TypeView::Var(name), _) => match self.bindings.types.get(name) {
                Some(earlier) if earlier == found => Some(()),
                Some(_) => None,
                None => {
                    self.bindings.types.insert(name.clone(), found.clone());
                    Some(())
                }
            },
            (TypeView::Fin(p), TypeView::Fin(n)) => self.equation(p, n),
            (TypeView::Array(p, a), TypeView::Array(n, b)) => {
                self.equation(p, n)?;
                self.types(a, b)
            }
            (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
                self.types(a, c)?;
                self.types(b, d)
            }
            _ => None,
        }
    }

    /// A size of the law must be this one.
    pub(super) fn equation(&mut self, pattern: &Size, found: &Size) -> Option<()> {
        if let Some(SizeAtom::Var(name)) = pattern.as_atom()
            && !self.bindings.sizes.contains_key(name)
        {
            self.bindings.sizes.insert(name.clone(), found.clone());
            return Some(());
        }
        match self.known(pattern) {
            Some(size) if size == *found => Some(()),
            Some(_) => None,
            None => {
                // It waits because a type that is read later may bind the variables in it.
                self.waiting.push((pattern.clone(), found.clone()));
                Some(())
            }
        }
    }

    /// A size variable used as a term.
    pub(super) fn value(&mut self, name: &Name, found: &Term) {
        // Only a size variable is taken at its word. For any other term, a number too, the size must be known from elsewhere by
        // the end, where all terms are compared with what their sizes become.
        if let (Kind::SizeVar(size), false) = (found.kind(), self.bindings.sizes.contains_key(name)) {
            self.bindings.sizes.insert(name.clone(), Size::var(size));
        }
        self.values.push((name.clone(), found.clone()));
    }

    /// A size of the law, once all its variables are known.
    pub(super) fn known(&self, pattern: &Size) -> Option<Size> {
        let all = pattern.atoms().all(|a| self.bindings.size(a).is_some());
        if all { pattern.replace(|a| self.bindings.size(a)) } else { None }
    }

    /// Solves what waits, as far as it has one unknown at a time; whatever stays open is no match.
    pub(super) fn solve(&mut self) -> Option<()> {
        while !self.waiting.is_empty() {
            let before = self.waiting.len();
            for (pattern, found) in std::mem::take(&mut self.waiting) {
                if !self.solve_one(&pattern, &found)? {
                    self.waiting.push((pattern, found));
                }
            }
            // Nothing was solved in this pass, so that another one would solve nothing either.
            if self.waiting.len() == before {
                return None;
            }
        }
        let values = std::mem::take(&mut self.values);
        let fits =
            |(name, term): &(Name, Term)| self.bindings.sizes.get(name).is_some_and(|n| Term::size_value(n) == *term);
        values.iter().all(fits).then_some(())
    }

    /// Solves `factor * x + rest = found` for the only unknown x; false where there are more of them.
    fn solve_one(&mut self, pattern: &Size, found: &Size) -> Option<bool> {
        if let Some(size) = self.known(pattern) {
            return (size == *found).then_some(true);
        }
        let mut unknown = pattern.atoms().filter(|a| self.bindings.size(a).is_none());
        let x = unknown.next().cloned()?;
        if unknown.any(|a| *a != x) {
            return Some(false);
        }
        // A size of the term may be called like x, so that it is solved for under a name that no term has.
        let alone = |a: &SizeAtom| if *a == x { Some(Size::unknown(0)) } else { self.bindings.size(a) };
        let value = pattern.replace(alone)?.solved_for(&SizeAtom::Unknown(0), found)?;
        let SizeAtom::Var(name) = x else { return None };
        self.bindings.sizes.insert(name, value);
        Some(true)
    }
}
