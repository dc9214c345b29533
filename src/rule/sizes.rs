//! What a law's type and size variables stand for: bound from types first, equations solved at the end.

use std::collections::BTreeMap;

use crate::ground::Name;
use crate::term::{Assignment, Atom, Kind, Size, Term, Type, TypeMemo, TypeView};

use super::reason::Why;

/// The types and sizes found so far, and equations that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    sizes: BTreeMap<Name, Size>,
    types: BTreeMap<Name, Type>,
    /// A size of the law and the size of the term that it has to be.
    waiting: Vec<(Size, Size)>,
    /// A size variable that stands as a term in the law, and what stands there.
    values: Vec<(Name, Term)>,
}

impl Assignment for Sizes {
    fn size(&self, atom: &Atom) -> Option<Size> {
        match atom {
            Atom::Var(name) => self.sizes.get(name).cloned(),
            Atom::Unknown(_) => None,
        }
    }

    fn ty(&self, leaf: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        match leaf {
            TypeView::Var(name) => self.types.get(name).cloned(),
            _ => None,
        }
    }
}

impl Sizes {
    /// The type of a term must be what the law says.
    pub(super) fn types(&mut self, pattern: &Type, found: &Type) -> Result<(), Why> {
        if !pattern.is_open() {
            return if pattern == found { Ok(()) } else { Err(Why::Type) };
        }
        match (pattern.view(), found.view()) {
            (TypeView::Var(name), _) => match self.types.get(name) {
                Some(earlier) if earlier == found => Ok(()),
                Some(_) => Err(Why::Type),
                None => {
                    self.types.insert(name.clone(), found.clone());
                    Ok(())
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
            _ => Err(Why::Type),
        }
    }

    /// A size of the law must be this one.
    pub(super) fn equation(&mut self, pattern: &Size, found: &Size) -> Result<(), Why> {
        if let Some(Atom::Var(name)) = pattern.as_atom()
            && !self.sizes.contains_key(name)
        {
            self.sizes.insert(name.clone(), found.clone());
            return Ok(());
        }
        match self.known(pattern) {
            Some(size) if size == *found => Ok(()),
            Some(_) => Err(Why::Type),
            None => {
                self.waiting.push((pattern.clone(), found.clone()));
                Ok(())
            }
        }
    }

    /// A size variable used as a term.
    pub(super) fn value(&mut self, name: &Name, found: &Term) -> Result<(), Why> {
        if let (Kind::SizeVar(size), false) = (found.kind(), self.sizes.contains_key(name)) {
            self.sizes.insert(name.clone(), Size::var(size));
        }
        self.values.push((name.clone(), found.clone()));
        Ok(())
    }

    /// A size of the law, once all its variables are known.
    pub(super) fn known(&self, pattern: &Size) -> Option<Size> {
        let all = pattern.atoms().all(|a| self.size(a).is_some());
        if all { pattern.replace(|a| self.size(a)) } else { None }
    }

    /// Solves what waits, as far as it has one unknown at a time; whatever stays open is no match.
    pub(super) fn solve(&mut self) -> Result<(), Why> {
        while !self.waiting.is_empty() {
            let before = self.waiting.len();
            for (pattern, found) in std::mem::take(&mut self.waiting) {
                if !self.solve_one(&pattern, &found)? {
                    self.waiting.push((pattern, found));
                }
            }
            if self.waiting.len() == before {
                return Err(Why::Type);
            }
        }
        let values = std::mem::take(&mut self.values);
        let fits = |(name, term): &(Name, Term)| self.sizes.get(name).is_some_and(|n| Term::size_value(n) == *term);
        if values.iter().all(fits) { Ok(()) } else { Err(Why::Type) }
    }

    /// Solves `factor * x + rest = found` for the only unknown x; false where there are more of them.
    fn solve_one(&mut self, pattern: &Size, found: &Size) -> Result<bool, Why> {
        if let Some(size) = self.known(pattern) {
            return if size == *found { Ok(true) } else { Err(Why::Type) };
        }
        let mut unknown = pattern.atoms().filter(|a| self.size(a).is_none());
        let Some(x) = unknown.next().cloned() else { return Err(Why::Type) };
        if unknown.any(|a| *a != x) {
            return Ok(false);
        }
        let at = |value: u64| pattern.replace(|a| if *a == x { Some(Size::literal(value)) } else { self.size(a) });
        let solution = || {
            let rest = at(0)?;
            let factor = at(1)?.minus(&rest)?;
            found.minus(&rest)?.divide(&factor)
        };
        let (Atom::Var(name), Some(value)) = (&x, solution()) else { return Err(Why::Type) };
        self.sizes.insert(name.clone(), value);
        let checked = self.known(pattern);
        if checked.as_ref() == Some(found) { Ok(true) } else { Err(Why::Type) }
    }
}
