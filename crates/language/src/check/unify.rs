//! Unifies types and sizes, with sizes as polynomials: an equation between sizes that doesn't decide its unknowns yet waits
//! until others have.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use crate::ground::Name;
use crate::term::{Assignment, Size, SizeAtom, TooLarge, Type, TypeMemo, TypeView};

/// Two types that can't be made equal: the innermost parts that differ, and whether only sizes do.
#[derive(Clone, Debug)]
pub enum UnifyError {
    /// Different forms: the innermost parts that differ.
    Forms(Type, Type),
    /// Sizes that differ.
    Sizes(Size, Size),
    /// A type would contain itself.
    Infinite,
    /// A size is too large.
    TooLarge,
}

/// Unknown types and sizes, and what is known of them.
#[derive(Default)]
pub struct TypeUnifier {
    /// Each known one, with the way to it shortened when it is looked up.
    types: RefCell<Vec<Option<Type>>>,
    sizes: Vec<Option<Size>>,
    /// Above all unknowns that what is known of others mentions.
    mentioned: u32,
    /// Grows with every unknown that is found: tells whether a pass made progress.
    pub(super) progress: usize,
}

impl Assignment for TypeUnifier {
    fn size(&self, atom: &SizeAtom) -> Option<Size> {
        match atom {
            SizeAtom::Unknown(id) => self.sizes[*id as usize].as_ref().and_then(|s| self.size_now(s).ok()),
            SizeAtom::Var(_) => None,
        }
    }
    fn ty(&self, leaf: &TypeView, memo: &mut TypeMemo) -> Option<Type> {
        match leaf {
            TypeView::Unknown(id) => self.known(*id).and_then(|t| t.assign(self, memo).ok()),
            _ => None,
        }
    }
    fn skips(&self, ty: &Type) -> bool {
        !ty.has_unknown()
    }
}

impl TypeUnifier {
    pub fn fresh(&mut self) -> Type {
        let types = self.types.get_mut();
        types.push(None);
        Type::unknown(types.len() as u32 - 1)
    }

    pub fn fresh_size(&mut self) -> Size {
        self.sizes.push(None);
        Size::unknown(self.sizes.len() as u32 - 1)
    }

    /// The type with its outermost form known, as far as it is.
    pub fn head(&self, ty: &Type) -> Type {
        match ty.view() {
            TypeView::Unknown(id) => self.known(*id).unwrap_or_else(|| ty.clone()),
            _ => ty.clone(),
        }
    }

    /// The end of the chain of types that begins at an unknown, if it stands for anything: a known form, or the last unknown.
    fn known(&self, id: u32) -> Option<Type> {
        let mut types = self.types.borrow_mut();
        let mut end = types[id as usize].clone()?;
        let mut passed = None;
        while let TypeView::Unknown(next) = end.view() {
            let Some(further) = types[*next as usize].clone() else { break };
            passed = Some(id);
            end = further;
        }
        // Path compression: all that was passed leads to the end at once from now on.
        while let Some(here) = passed {
            let next = types[here as usize].replace(end.clone());
            passed = match next.as_ref().map(Type::view) {
                Some(TypeView::Unknown(next)) if types[*next as usize].is_some() => Some(*next),
                _ => None,
            };
        }
        Some(end)
    }

    /// The type with all that is known put in.
    pub fn now(&self, ty: &Type) -> Result<Type, TooLarge> {
        self.now_by(ty, &mut TypeMemo::default())
    }

    /// The same for one of several types; the memo holds as long as nothing more becomes known.
    pub fn now_by(&self, ty: &Type, memo: &mut TypeMemo) -> Result<Type, TooLarge> {
        if ty.has_unknown() { ty.assign(self, memo) } else { Ok(ty.clone()) }
    }

    /// The size with all that is known put in.
    pub fn size_now(&self, size: &Size) -> Result<Size, TooLarge> {
        if !has_unknown(size) {
            return Ok(size.clone());
        }
        size.replace(|a| self.size(a)).ok_or(TooLarge)
    }

    /// Makes two types equal as far as that can be decided; equations between sizes that can't go to `waiting`.
    pub fn unify(&mut self, a: &Type, b: &Type, waiting: &mut Vec<(Size, Size)>) -> Result<(), UnifyError> {
        let (mut work, mut seen) = (Vec::new(), FxHashSet::default());
        let mut next = Some((a.clone(), b.clone()));
        while let Some((a, b)) = next {
            let (a, b) = (self.head(&a), self.head(&b));
            match (a.view(), b.view()) {
                _ if a == b => {}
                (TypeView::Unknown(id), _) => self.bind(*id, &b)?,
                (_, TypeView::Unknown(id)) => self.bind(*id, &a)?,
                // Types share their parts: a pair of them is looked at once.
                _ if !seen.insert((a.fingerprint(), b.fingerprint())) => {}
                (TypeView::Fin(n), TypeView::Fin(m)) => self.equate(n, m, waiting)?,
                (TypeView::Array(n, x), TypeView::Array(m, y)) => {
                    work.push((x.clone(), y.clone()));
                    self.equate(n, m, waiting)?;
                }
                (TypeView::Pair(x1, y1), TypeView::Pair(x2, y2)) | (TypeView::Fun(x1, y1), TypeView::Fun(x2, y2)) => {
                    work.push((y1.clone(), y2.clone()));
                    work.push((x1.clone(), x2.clone()));
                }
                _ => return Err(UnifyError::Forms(a, b)),
            }
            next = work.pop();
        }
        Ok(())
    }

    fn bind(&mut self, id: u32, ty: &Type) -> Result<(), UnifyError> {
        self.mentioned = self.mentioned.max(ty.unknowns());
        // What was made after all that is mentioned anywhere doesn't stand in the type, which needn't be walked: else each use of
        // a variable would take as long as its type, while that is open.
        let ty = match id >= self.mentioned {
            true => ty.clone(),
            false => self.now(ty).map_err(|_| UnifyError::TooLarge)?,
        };
        if id < self.mentioned && contains(&ty, id, &mut FxHashSet::default()) {
            return Err(UnifyError::Infinite);
        }
        self.types.get_mut()[id as usize] = Some(ty);
        self.progress += 1;
        Ok(())
    }

    /// Makes two sizes equal, or finds that they can't be, or puts the equation off.
    pub(super) fn equate(&mut self, a: &Size, b: &Size, waiting: &mut Vec<(Size, Size)>) -> Result<(), UnifyError> {
        let now = |s: &Size| self.size_now(s).map_err(|_| UnifyError::TooLarge);
        let (full_a, full_b) = (now(a)?, now(b)?);
        let (left, right) = full_a.cancel(&full_b);
        if left == right {
            return Ok(());
        }
        let clash = || UnifyError::Sizes(full_a.clone(), full_b.clone());
        match (has_unknown(&left), has_unknown(&right)) {
            (false, false) => return Err(clash()),
            (true, false) if self.solve(&left, &right) => return Ok(()),
            (false, true) if self.solve(&right, &left) => return Ok(()),
            (true, true) => {
                for (x, y) in [(&left, &right), (&right, &left)] {
                    if let Some(SizeAtom::Unknown(id)) = x.as_atom()
                        && !y.atoms().any(|a| *a == SizeAtom::Unknown(*id))
                    {
                        self.sizes[*id as usize] = Some(y.clone());
                        self.progress += 1;
                        return Ok(());
                    }
                }
            }
            _ => {}
        }
        if impossible(&left, &right) || impossible(&right, &left) {
            return Err(clash());
        }
        waiting.push((left, right));
        Ok(())
    }

    /// Solves `left = right` where only `left` has unknowns, and one alone.
    fn solve(&mut self, left: &Size, right: &Size) -> bool {
        if right.as_literal() == Some(0) {
            return self.all_zero(left);
        }
        let mut unknowns = left.atoms().filter(|a| matches!(a, SizeAtom::Unknown(_)));
        let Some(unknown @ SizeAtom::Unknown(id)) = unknowns.next() else { return false };
        if unknowns.any(|other| other != unknown) {
            return false;
        }
        let Some(value) = left.solved_for(unknown, right) else { return false };
        self.sizes[*id as usize] = Some(value);
        self.progress += 1;
        true
    }

    /// Makes what is still unknown a variable with a name that no user can write: a law is open in it.
    pub(super) fn name_rest(&mut self) {
        for (id, slot) in self.types.get_mut().iter_mut().enumerate() {
            slot.get_or_insert_with(|| Type::var(&Name::new(&format!("?t{id}"))));
        }
        for (id, slot) in self.sizes.iter_mut().enumerate() {
            slot.get_or_insert_with(|| Size::var(&Name::new(&format!("?s{id}"))));
        }
    }

    /// A sum is zero only where every summand is; a summand that is one unknown must be.
    fn all_zero(&mut self, left: &Size) -> bool {
        let ids: Option<Vec<u32>> = left
            .terms()
            .map(|(m, _)| match &m[..] {
                [(SizeAtom::Unknown(id), _)] => Some(*id),
                _ => None,
            })
            .collect();
        match ids {
            Some(ids) => {
                for id in ids {
                    self.sizes[id as usize] = Some(Size::literal(0));
                    self.progress += 1;
                }
                true
            }
            None => false,
        }
    }
}

pub(super) fn has_unknown(size: &Size) -> bool {
    size.atoms().any(|a| matches!(a, SizeAtom::Unknown(_)))
}

/// Whether `left = right` has no solution: the left has a constant or known part that nothing on the right can make up.
fn impossible(left: &Size, right: &Size) -> bool {
    right.as_literal() == Some(0) && left.terms().any(|(m, _)| m.iter().all(|(a, _)| matches!(a, SizeAtom::Var(_))))
        || (!has_unknown(right)
            && left.terms().any(|(m, c)| {
                m.iter().all(|(a, _)| matches!(a, SizeAtom::Var(_))) && right.terms().all(|(n, d)| n != m || d < c)
            }))
}

fn contains(ty: &Type, id: u32, seen: &mut FxHashSet<u128>) -> bool {
    if !ty.has_unknown() || !seen.insert(ty.fingerprint()) {
        return false;
    }
    match ty.view() {
        TypeView::Unknown(k) => *k == id,
        TypeView::Array(_, a) => contains(a, id, seen),
        TypeView::Pair(a, b) | TypeView::Fun(a, b) => contains(a, id, seen) || contains(b, id, seen),
        _ => false,
    }
}
