//! Finds what a rule may enable: rules that may apply to what it leaves and didn't apply to what was there.
//!
//! A left side fits a piece of a contractum if their constructors agree wherever both have one; a variable may stand for
//! anything. So what is found may come to pass, and need not.

use redexter_language::check::{Law, PatternVar};
use redexter_language::term::{Kind, Term, TypeView};

use super::super::law::variable;
use super::Example;

/// A term and what a rule makes of it, with variables for what may be anything.
#[derive(Clone, Debug)]
pub struct RuleSides {
    vars: Vec<PatternVar>,
    left: Term,
    right: Term,
}

impl From<&Law> for RuleSides {
    fn from(law: &Law) -> RuleSides {
        RuleSides { vars: law.vars.clone(), left: law.left.clone(), right: law.right.clone() }
    }
}

impl From<&Example> for RuleSides {
    fn from(example: &Example) -> RuleSides {
        let var = |name| PatternVar { name, ty: example.before.ty().clone(), arity: 0 };
        let vars = example.scope.iter().cloned().map(var).collect();
        RuleSides { vars, left: example.before.clone(), right: example.after.clone() }
    }
}

/// How sure it is that a rule's left side fits what another rule leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EnablingChance {
    /// It hangs on what stands for variables, or on what stands around.
    May,
    /// The constructors are there.
    Fits,
}

/// A requirement on variables, under which a pattern fits a piece.
#[derive(PartialEq)]
enum OverlapNeed {
    /// This variable stands for something that matches a pattern.
    Is(usize, Term),
    /// Two pieces are one: both stand for this variable of the law.
    Same(usize),
}

/// The requirements that are gathered while a pattern is laid over a piece.
#[derive(Default)]
struct PieceFit {
    needs: Vec<OverlapNeed>,
    /// What stands for the law's variables.
    found: Vec<(usize, SidePiece)>,
}

/// A part of a law's side, and how many of its binders stand around it.
type SidePiece = (Term, u32);

/// A piece that comes to stand in the place of another one.
struct PieceReplacement {
    new: SidePiece,
    /// What stood there, where it is the whole left side.
    old: Option<SidePiece>,
}

impl RuleSides {
    /// Whether a law may apply, within what is left or around it, where it didn't before. `asks` says that the law asks for
    /// more than constructors.
    pub fn enables(&self, law: &Law, asks: bool) -> Option<EnablingChance> {
        let patterns = pieces(&law.vars, &law.left);
        let (whole, parts) = patterns.split_first()?;
        let before = pieces(&self.vars, &self.left);
        let newly = |pattern: &SidePiece, piece: &SidePiece, before: &[SidePiece]| {
            let needs = self.fit(law, pattern, piece)?;
            let known = |earlier: &SidePiece| {
                // The piece before asked for no more than this one does, so that the law applied there whenever it does here.
                let covered = |needed: Vec<OverlapNeed>| needed.iter().all(|need| needs.contains(need));
                // What else a law asks for may hold now.
                earlier == piece || !asks && self.fit(law, pattern, earlier).is_some_and(covered)
            };
            (!before.iter().any(known)).then_some(if needs.is_empty() {
                EnablingChance::Fits
            } else {
                EnablingChance::May
            })
        };
        let right = pieces(&self.vars, &self.right);
        let within = right.iter().filter_map(|piece| newly(whole, piece, &before)).max();
        let around = |PieceReplacement { new, old }: &PieceReplacement| {
            !self.is_variable(new) && parts.iter().any(|part| newly(part, new, old.as_slice()).is_some())
        };
        within.or_else(|| self.replacements().iter().any(around).then_some(EnablingChance::May))
    }

    /// Whether it leaves a piece that may have any form where another stood: then any rule may apply around it.
    pub fn is_open(&self) -> bool {
        self.replacements().iter().any(|replacement| self.is_variable(&replacement.new))
    }

    /// The whole, and the arguments that a body gets.
    fn replacements(&self) -> Vec<PieceReplacement> {
        let mut all = vec![PieceReplacement { new: (self.right.clone(), 0), old: Some((self.left.clone(), 0)) }];
        let mut open = Vec::new();
        bodies(&self.vars, &self.right, 0, &mut open);
        all.extend(open.into_iter().map(|new| PieceReplacement { new, old: None }));
        all
    }

    fn is_variable(&self, (term, under): &SidePiece) -> bool {
        variable(&self.vars, term, *under).is_some()
    }

    /// What must be so for a pattern of the law to match a piece.
    fn fit(&self, law: &Law, pattern: &SidePiece, piece: &SidePiece) -> Option<Vec<OverlapNeed>> {
        let mut fit = PieceFit::default();
        self.fits(law, pattern, piece, 0, &mut fit).then_some(fit.needs)
    }

    /// Whether the constructors agree, below `local` binders of either.
    fn fits(&self, law: &Law, pattern: &SidePiece, piece: &SidePiece, local: u32, fit: &mut PieceFit) -> bool {
        let (wanted, found) = (&pattern.0, &piece.0);
        if !may_be_one_type(wanted, found) {
            return false;
        }
        if let Some((j, _)) = variable(&law.vars, wanted, pattern.1) {
            let differs = fit.found.iter().any(|(k, other)| *k == j && other != piece);
            fit.needs.extend(differs.then_some(OverlapNeed::Same(j)));
            fit.found.push((j, piece.clone()));
            return true;
        }
        if matches!(wanted.kind(), Kind::SizeVar(_)) {
            return true;
        }
        if let Some((j, _)) = variable(&self.vars, found, piece.1) {
            fit.needs.push(OverlapNeed::Is(j, wanted.clone()));
            return true;
        }
        match (wanted.kind(), found.kind()) {
            (Kind::Var, Kind::Var) => {
                let index = |term: &Term| term.free().next().map_or(0, |(index, _)| index);
                // Binders that both have must be the same one; variables that are bound further out may come to be the same.
                index(wanted) == index(found) || index(wanted).min(index(found)) >= local
            }
            (Kind::Real(a), Kind::Real(b)) => a == b,
            (Kind::Int(a), Kind::Int(b)) => a == b,
            (Kind::Fin(a, _), Kind::Fin(b, _)) => a == b,
            (a, b) if a.head() != b.head() || wanted.kid_count() != found.kid_count() => false,
            _ => (0..wanted.kid_count()).all(|k| {
                let own = (wanted.kid(k), pattern.1 + wanted.binders(k));
                self.fits(law, &own, &(found.kid(k), piece.1 + found.binders(k)), local + wanted.binders(k), fit)
            }),
        }
    }
}

/// Every part of a side that has a constructor of the law's, the root first.
fn pieces(vars: &[PatternVar], side: &Term) -> Vec<SidePiece> {
    let mut all = Vec::new();
    collect(vars, side, 0, &mut all);
    all
}

fn collect(vars: &[PatternVar], term: &Term, under: u32, all: &mut Vec<SidePiece>) {
    if let Some((_, arguments)) = variable(vars, term, under) {
        return arguments.iter().for_each(|argument| collect(vars, argument, under, all));
    }
    if !matches!(term.kind(), Kind::Var) {
        all.push((term.clone(), under));
    }
    (0..term.kid_count()).for_each(|k| collect(vars, &term.kid(k), under + term.binders(k), all));
}

/// The arguments of bodies, but for variables that the side binds.
fn bodies(vars: &[PatternVar], term: &Term, under: u32, all: &mut Vec<SidePiece>) {
    match variable(vars, term, under) {
        Some((_, arguments)) => {
            arguments.iter().for_each(|argument| bodies(vars, argument, under, all));
            let bound = |term: &Term| matches!(term.kind(), Kind::Var) && term.free().all(|(index, _)| index < under);
            all.extend(arguments.into_iter().filter(|a| !bound(a)).map(|argument| (argument, under)));
        }
        None => (0..term.kid_count()).for_each(|k| bodies(vars, &term.kid(k), under + term.binders(k), all)),
    }
}

/// Whether terms of these types may be one: a type that is open may be any.
fn may_be_one_type(a: &Term, b: &Term) -> bool {
    let (a, b) = (a.ty().view(), b.ty().view());
    let open = |ty: &TypeView| matches!(ty, TypeView::Var(_));
    open(a) || open(b) || std::mem::discriminant(a) == std::mem::discriminant(b)
}
