//! Grows numbers, conditions and indices.

use super::grow::Grower;
use super::scope::below;
use redexter_language::term::{Prim, PrimClass, RangeProver, Size, Term, Type};

/// Constants for terms that must round well, and beyond them for those that needn't.
const REAL_CONSTANTS: [f64; 8] = [0.0, 1.0, 2.0, -1.0, 0.5, 3.0, -0.0, 1e200];

/// Operations that no law of the reals knows.
const KEPT: [Prim; 5] = [Prim::RoundedAdd, Prim::RoundedSub, Prim::RoundedMul, Prim::RoundedNeg, Prim::Rounded];

/// What is less usual of two reals, and jumps or leaves the numbers.
const OF_TWO: [Prim; 7] = [Prim::Min, Prim::Max, Prim::Min, Prim::Max, Prim::Atan2, Prim::RealPow, Prim::RoundedDiv];

/// Arithmetic of integers, that which all know most often.
const ON_INTEGERS: [Prim; 8] =
    [Prim::Add, Prim::Sub, Prim::Mul, Prim::Add, Prim::Sub, Prim::Mul, Prim::Quot, Prim::Rem];

impl Grower {
    pub(super) fn real(&mut self, fuel: u32) -> Option<Term> {
        let choice = if fuel == 0 { 99 } else { self.random.below(100) };
        if fuel > 0
            && self.random.chance(12)
            && let Some(term) = self.idiom(fuel - 1)
        {
            return Some(term);
        }
        match choice {
            0..=49 => {
                let prim = *self.random.pick(&[Prim::Add, Prim::Sub, Prim::Mul, Prim::Mul]);
                self.real_prim(prim, fuel)
            }
            50..=54 => {
                let prim = *self.random.pick(&KEPT);
                self.real_prim(prim, fuel)
            }
            55..=64 => self.quotient(fuel),
            65..=76 if self.gentle => {
                let prim = *self.random.pick(&[Prim::Neg, Prim::Sin, Prim::Cos]);
                self.real_prim(prim, fuel)
            }
            65..=76 => {
                let all: Vec<Prim> = Prim::of_one_real().collect();
                let prim = *self.random.pick(&all);
                self.real_prim(prim, fuel)
            }
            77..=82 if !self.gentle => {
                let prim = *self.random.pick(&OF_TWO);
                self.real_prim(prim, fuel)
            }
            83..=92 => {
                let indices: Vec<Type> = self.locals.iter().filter(|t| below(t).is_some()).cloned().collect();
                let from = if indices.is_empty() { Type::int() } else { self.random.pick(&indices).clone() };
                Term::prim(Prim::ToReal, vec![self.term(&from, fuel.min(1))?]).ok()
            }
            _ if self.random.chance(40) => self.variable(&Type::real()),
            _ => {
                let known = if self.gentle { 6 } else { REAL_CONSTANTS.len() };
                let hint = self.hints.real(&mut self.random);
                Some(Term::real(hint.unwrap_or_else(|| *self.random.pick(&REAL_CONSTANTS[..known]))))
            }
        }
    }

    /// What derivatives are made of: a sum, or something that is 0 but where two indices are one.
    fn idiom(&mut self, fuel: u32) -> Option<Term> {
        let real = Type::real();
        let mut indices = self.locals.iter().rev().enumerate().filter(|(_, ty)| below(ty).is_some());
        let pair = indices.next().zip(indices.next());
        if let Some(((i, first), (j, second))) = pair
            && self.random.chance(60)
        {
            let equal = Term::prim(Prim::Eq, vec![Term::var(j as u32, second), Term::var(i as u32, first)]).ok()?;
            return Term::if_else(equal, self.term(&real, fuel)?, Term::real(0.0)).ok();
        }
        let n = self.random.pick(&self.sizes).clone();
        let index = Type::fin(n.clone());
        let (state, name) = (self.hint(&real), self.hint(&index));
        self.locals.extend([real.clone(), index.clone()]);
        let each = self.term(&real, fuel);
        self.locals.truncate(self.locals.len() - 2);
        let sum = Term::prim(Prim::Add, vec![Term::var(1, &real), each?]).ok()?;
        let step = Term::lam(&state, &real, Term::lam(&name, &index, sum).ok()?).ok()?;
        Term::ifold(n, step, Term::real(0.0)).ok()
    }

    fn real_prim(&mut self, prim: Prim, fuel: u32) -> Option<Term> {
        let operands: Option<Vec<Term>> = (0..prim.arity()).map(|_| self.term(&Type::real(), fuel)).collect();
        Term::prim(prim, operands?).ok()
    }

    /// A quotient; by a number where it has to round well.
    fn quotient(&mut self, fuel: u32) -> Option<Term> {
        let divisor = match self.gentle {
            true => Term::real(*self.random.pick(&[2.0, -4.0, 3.0])),
            false => self.term(&Type::real(), fuel)?,
        };
        Term::prim(Prim::Div, vec![self.term(&Type::real(), fuel)?, divisor]).ok()
    }

    pub(super) fn int(&mut self, fuel: u32) -> Option<Term> {
        // Without fuel only leaves are grown, so that the arms that take one from it always have one.
        let choice = if fuel == 0 { 99 } else { self.random.below(100) };
        match choice {
            0..=39 => self.condition(fuel - 1),
            40..=69 => {
                let prim = *self.random.pick(&ON_INTEGERS);
                let operands = vec![self.term(&Type::int(), fuel - 1)?, self.term(&Type::int(), fuel - 1)?];
                Term::prim(prim, operands).ok()
            }
            _ if self.random.chance(30) => self.variable(&Type::int()),
            _ if self.random.chance(15) => Some(Term::size_value(&self.random.pick(&self.sizes).clone())),
            _ => {
                let hint = self.hints.int(&mut self.random);
                Some(Term::int(hint.unwrap_or_else(|| self.random.below(5) as i64 - 1)))
            }
        }
    }

    /// An `int` that is likely to be 0 as well as not.
    pub(super) fn condition(&mut self, fuel: u32) -> Option<Term> {
        let comparisons: Vec<Prim> = Prim::ALL.iter().copied().filter(|p| p.class() == PrimClass::Comparison).collect();
        let op = *self.random.pick(&comparisons);
        match self.random.below(10) {
            0 => Term::prim(Prim::Not, vec![self.term(&Type::int(), fuel)?]).ok(),
            1 => {
                let op = *self.random.pick(&[Prim::And, Prim::Or]);
                Term::prim(op, vec![self.term(&Type::int(), fuel)?, self.term(&Type::int(), fuel)?]).ok()
            }
            2 => self.term(&Type::int(), 0),
            3..=5 => self.compared_reals(op, fuel),
            6..=8 => {
                let indices: Vec<Type> = self.locals.iter().filter(|t| below(t).is_some()).cloned().collect();
                let side = if indices.is_empty() { Type::int() } else { self.random.pick(&indices).clone() };
                Term::prim(op, vec![self.term(&side, 0)?, self.term(&side, 0)?]).ok()
            }
            _ => Term::prim(op, vec![self.term(&Type::int(), fuel)?, self.term(&Type::int(), fuel)?]).ok(),
        }
    }

    /// A comparison of reals; where rounding must not decide, of a parameter and a constant.
    fn compared_reals(&mut self, op: Prim, fuel: u32) -> Option<Term> {
        let real = Type::real();
        if !self.gentle {
            return Term::prim(op, vec![self.term(&real, fuel)?, self.term(&real, fuel)?]).ok();
        }
        // With no locals around only a parameter can be found: its value is an input and no result that was rounded.
        let locals = std::mem::take(&mut self.locals);
        let parameter = self.variable(&real);
        self.locals = locals;
        let parameter = parameter?.shift(self.locals.len() as u32);
        Term::prim(op, vec![parameter, Term::real(*self.random.pick(&REAL_CONSTANTS[..6]))]).ok()
    }

    /// An index below n: a variable, a constant if it is in range for every n, or one that is shifted.
    pub(super) fn index(&mut self, n: &Size, fuel: u32) -> Option<Term> {
        let least = n.least(&self.bounds);
        if self.random.chance(25)
            && let Some(index) = self.computed_index(n)
        {
            return Some(index);
        }
        if fuel > 0
            && self.random.chance(30)
            && let Some(m) = n.minus(&Size::literal(1))
            && let Some(index) = self.term(&Type::fin(m), fuel - 1)
        {
            return Term::prim(Prim::Offset(1), vec![index]).ok();
        }
        if least > 0 {
            return Term::fin(self.random.below(least.min(4) as usize) as u64, n.clone()).ok();
        }
        self.variable(&Type::fin(n.clone()))
    }
    /// Arithmetic of indices and sizes that is an index below n for sure, where some is found.
    fn computed_index(&mut self, n: &Size) -> Option<Term> {
        for _ in 0..8 {
            let number = self.arithmetic(n, 3)?;
            if RangeProver::new(&self.bounds, &vec![None; self.locals.len()]).is_index(&number, n).is_ok() {
                return Term::within(n.clone(), number).ok();
            }
        }
        None
    }

    /// Arithmetic around an index below n; the rarer forms are those that indices are moved by.
    pub(super) fn arithmetic(&mut self, n: &Size, fuel: u32) -> Option<Term> {
        let last = |n: &Size| Term::prim(Prim::Sub, vec![Term::size_value(n), Term::int(1)]).ok();
        match self.random.below(if fuel == 0 { 6 } else { 12 }) {
            0 => Some(Term::int(self.random.below(3) as i64)),
            1 => Some(Term::size_value(&self.random.pick(&self.sizes).clone())),
            2 => last(n),
            3..=5 => self.index_number().map_or_else(|| last(n), |(number, _)| Some(number)),
            6 => {
                let ((row, _), (column, below)) = (self.index_number()?, self.index_number()?);
                let rows = Term::prim(Prim::Mul, vec![row, Term::size_value(&below)]).ok()?;
                Term::prim(Prim::Add, vec![rows, column]).ok()
            }
            7 => Term::prim(Prim::Sub, vec![last(n)?, self.index_number()?.0]).ok(),
            _ => {
                let prim = *self.random.pick(&ON_INTEGERS);
                Term::prim(prim, vec![self.arithmetic(n, fuel - 1)?, self.arithmetic(n, fuel - 1)?]).ok()
            }
        }
    }

    /// The number of an index in scope, and what it is below.
    fn index_number(&mut self) -> Option<(Term, Size)> {
        let all: Vec<(u32, Size)> =
            (0..self.locals.len() as u32).filter_map(|k| Some((k, below(self.local(k))?))).collect();
        let (index, size) = all.get(self.random.below(all.len().max(1)))?.clone();
        Some((Term::unary(Prim::ToInt, Term::var(index, self.local(index))).ok()?, size))
    }

    fn local(&self, index: u32) -> &Type {
        &self.locals[self.locals.len() - 1 - index as usize]
    }
}
