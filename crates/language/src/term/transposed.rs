//! Says what the notations of transposition mean in the plain language, and which terms are linear in a variable.
//!
//! `pull f w` and `plus a b` stand between the first and the last step of a derivation by transposition. Whoever runs a term,
//! counts it or takes its derivative does so with [`Term::meaning`].

use super::kind::{Kind, View};
use super::node::Term;
use super::path::Path;
use super::prim::Prim;
use super::size::Size;
use super::types::{Type, TypeView};
use super::typing::IllTyped;
use crate::ground::Name;

type Made = Result<Term, IllTyped>;

impl Term {
    /// What a `pull` or a `plus` means without being written so, with the same free variables; any other term as it is.
    ///
    /// `pull f w` is, for each place of what f takes, the sum of the products of w with f's value at the one-hot there.
    pub fn meaning(&self) -> Term {
        let made = match self.view() {
            View::Plus(a, b) => sum(a, b),
            View::Pull(f, w) => pulled(&f, &w),
            _ => return self.clone(),
        };
        // Sizes of types that the parts have are small enough, so that nothing else can fail.
        made.unwrap_or_else(|_| self.clone())
    }

    /// The value of a type that is made of reals whose numbers are 0.
    pub fn zero(ty: &Type) -> Option<Term> {
        match ty.view() {
            TypeView::Real => Some(Term::real(0.0)),
            TypeView::Pair(a, b) => Term::pair(Term::zero(a)?, Term::zero(b)?).ok(),
            TypeView::Array(n, element) => {
                Term::build(n.clone(), Term::lam(&Name::new("_"), &Type::fin(n.clone()), Term::zero(element)?).ok()?)
                    .ok()
            }
            _ => None,
        }
    }

    /// Whether its numbers are written as 0, each of them.
    pub fn is_zero(&self) -> bool {
        match self.view() {
            View::Real(x) => x == 0.0,
            View::Pair(a, b) => a.is_zero() && b.is_zero(),
            View::Build(_, f) => matches!(f.view(), View::Lam(_, _, body) if body.is_zero()),
            View::Array(_, all) => all.iter().all(Term::is_zero),
            _ => false,
        }
    }

    /// Whether it is linear in a free variable: its numbers are sums of that variable's numbers, each times what doesn't mention
    /// it. Where it isn't, the way to a subterm that is in the way.
    ///
    /// Linear are 0 and the variable; sums, differences and what is negated; products and quotients of one linear factor by
    /// what doesn't mention the variable; pairs, halves, arrays, elements; choices and guards that don't ask the variable; lets,
    /// folds and scans, jointly in what they bind; scatters whose keys don't mention it.
    pub fn linear_in(&self, variable: u32) -> Result<(), Path> {
        let mut walk = LinearWalk { way: Vec::new() };
        match walk.linear(self, &[variable]) {
            true => Ok(()),
            false => Err(Path(walk.way)),
        }
    }

    /// Where what is linear is held together with what isn't, on the way to what isn't: at the innermost loop, let or half whose
    /// pairs are written out further down the way. None where no pair is to blame.
    pub fn holding_together(&self, way: &Path) -> Option<Path> {
        let (mut term, mut holder, mut found) = (self.clone(), None, None);
        for (depth, k) in way.0.iter().enumerate() {
            match term.kind() {
                Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_) | Kind::Fst | Kind::Snd => holder = Some(depth),
                Kind::Let(_) if *k == 0 => holder = Some(depth),
                Kind::Pair => found = holder.or(found),
                _ => {}
            }
            term = term.kid(*k as usize);
        }
        found.map(|depth| Path(way.0[..depth].to_vec()))
    }
}

/// `a + b`, number by number.
fn sum(a: Term, b: Term) -> Made {
    match a.ty().clone().view() {
        TypeView::Real => Term::binary(Prim::Add, a, b),
        TypeView::Pair(..) => both(a, b, |a, b| {
            let first = Term::plus(Term::fst(a.clone())?, Term::fst(b.clone())?)?;
            Term::pair(first, Term::plus(Term::snd(a)?, Term::snd(b)?)?)
        }),
        TypeView::Array(n, _) => {
            both(a, b, |a, b| each(n, |i| Term::plus(Term::get(a.shift(1), i.clone())?, Term::get(b.shift(1), i)?)))
        }
        _ => Term::plus(a, b),
    }
}

/// `let a := …; let b := …; body(a, b)`
fn both(a: Term, b: Term, body: impl FnOnce(Term, Term) -> Made) -> Made {
    let body = body(Term::var(1, a.ty()), Term::var(0, b.ty()))?;
    Term::let_in(&Name::new("a"), a, Term::let_in(&Name::new("b"), b.shift(1), body)?)
}

fn each(n: &Size, body: impl FnOnce(Term) -> Made) -> Made {
    let ty = Type::fin(n.clone());
    Term::build(n.clone(), Term::lam(&Name::new("i"), &ty, body(Term::var(0, &ty))?)?)
}

fn pulled(f: &Term, w: &Term) -> Made {
    let TypeView::Fun(from, _) = f.ty().view() else { return Term::pull(f.clone(), w.clone()) };
    let weight = Term::var(0, w.ty());
    let (f, name) = (f.shift(1), Name::new("w"));
    // Under so many binders, with the weight outside of them.
    let at = |value: Term, under: u32| {
        let f = f.shift(under);
        let value = match f.view() {
            View::Lam(x, _, body) => Term::let_in(&x, value, body)?,
            _ => Term::app(f, value)?,
        };
        product(&weight.shift(under), value)
    };
    Term::let_in(&name, w.clone(), places(from, 0, &at)?)
}

/// For each place of a type what `at` makes of the one-hot there, which stands under so many binders.
fn places(ty: &Type, under: u32, at: &dyn Fn(Term, u32) -> Made) -> Made {
    let zero = |ty: &Type| Term::zero(ty).unwrap_or_else(|| Term::real(0.0));
    match ty.view() {
        TypeView::Pair(a, b) => {
            let first = places(a, under, &|x, under| at(Term::pair(x, zero(b))?, under))?;
            Term::pair(first, places(b, under, &|x, under| at(Term::pair(zero(a), x)?, under))?)
        }
        TypeView::Array(n, element) => each(n, |_| {
            let index = Type::fin(n.clone());
            places(element, under + 1, &|x, now| {
                let asked = Term::binary(Prim::Eq, Term::var(now - under, &index), Term::var(0, &index))?;
                let chosen = Term::if_else(asked, x.shift(1), zero(element))?;
                at(Term::build(n.clone(), Term::lam(&Name::new("j"), &index, chosen)?)?, now)
            })
        }),
        _ => at(Term::real(1.0), under),
    }
}

/// The sum of the products of the numbers of two values of one type.
fn product(w: &Term, value: Term) -> Made {
    match value.ty().clone().view() {
        TypeView::Pair(..) => bound(value, |value| {
            let w = w.shift(1);
            let first = product(&Term::fst(w.clone())?, Term::fst(value.clone())?)?;
            Term::binary(Prim::Add, first, product(&Term::snd(w)?, Term::snd(value)?)?)
        }),
        TypeView::Array(n, _) => bound(value, |value| {
            let index = Type::fin(n.clone());
            // Under the value, the sum so far and the index.
            let (w, i) = (Term::get(w.shift(3), Term::var(0, &index))?, Term::var(0, &index));
            let body = product(&w, Term::get(value.shift(2), i)?)?;
            let sum = Term::binary(Prim::Add, Term::var(1, &Type::real()), body)?;
            let step = Term::lam(&Name::new("s"), &Type::real(), Term::lam(&Name::new("i"), &index, sum)?)?;
            Term::ifold(n.clone(), step, Term::real(0.0))
        }),
        _ => Term::binary(Prim::Mul, w.clone(), value),
    }
}

fn bound(value: Term, body: impl FnOnce(Term) -> Made) -> Made {
    let body = body(Term::var(0, value.ty()))?;
    Term::let_in(&Name::new("v"), value, body)
}

/// The way to the part that is looked at; where the judgement fails it stays there.
struct LinearWalk {
    way: Vec<u32>,
}

impl LinearWalk {
    fn kid(&mut self, term: &Term, k: usize, linear: &[u32]) -> bool {
        self.way.push(k as u32);
        let holds = self.linear(&term.kid(k), linear);
        if holds {
            self.way.pop();
        }
        holds
    }

    fn free(&mut self, term: &Term, k: usize, linear: &[u32]) -> bool {
        let holds = is_free(&term.kid(k), linear);
        if !holds {
            self.way.push(k as u32);
        }
        holds
    }

    /// Under the binders around child k, all of which are linear, or none.
    fn under(&mut self, term: &Term, k: usize, linear: &[u32], is_linear: bool) -> bool {
        let binders = term.binders(k);
        let mut inner: Vec<u32> = linear.iter().map(|index| index + binders).collect();
        if is_linear {
            inner.extend(0..binders);
        }
        self.kid(term, k, &inner)
    }

    /// Of a function that is called with such arguments, outermost first.
    fn function(&mut self, f: &Term, linear: &[u32], arguments: &[bool]) -> bool {
        match arguments.split_first() {
            None => self.linear(f, linear),
            Some((first, rest)) if matches!(f.kind(), Kind::Lam(..)) => {
                let mut inner: Vec<u32> = linear.iter().map(|index| index + 1).collect();
                inner.extend(first.then_some(0));
                self.way.push(0);
                let holds = self.function(&f.kid(0), &inner, rest);
                if holds {
                    self.way.pop();
                }
                holds
            }
            Some(_) => false,
        }
    }

    fn called(&mut self, term: &Term, linear: &[u32], arguments: &[bool]) -> bool {
        self.way.push(0);
        let holds = self.function(&term.kid(0), linear, arguments);
        if holds {
            self.way.pop();
        }
        holds
    }

    fn linear(&mut self, term: &Term, linear: &[u32]) -> bool {
        let all = |walk: &mut Self| (0..term.kid_count()).all(|k| walk.kid(term, k, linear));
        match term.kind() {
            Kind::Var => linear.contains(&term.places()[0]),
            Kind::Real(x) => *x == 0.0,
            Kind::Pair | Kind::Fst | Kind::Snd | Kind::Array(_) | Kind::Plus => all(self),
            Kind::Prim(Prim::Add | Prim::Sub | Prim::Neg) => all(self),
            Kind::Prim(Prim::Mul) if is_free(&term.kid(0), linear) && !term.kid(0).is_zero() => {
                self.kid(term, 1, linear)
            }
            Kind::Prim(Prim::Mul | Prim::Div) => self.free(term, 1, linear) && self.kid(term, 0, linear),
            Kind::If => self.free(term, 0, linear) && self.kid(term, 1, linear) && self.kid(term, 2, linear),
            Kind::Guard(..) => {
                self.free(term, 0, linear) && self.under(term, 1, linear, false) && self.kid(term, 2, linear)
            }
            Kind::Let(_) if is_free(&term.kid(0), linear) => self.under(term, 1, linear, false),
            Kind::Let(_) => self.kid(term, 0, linear) && self.under(term, 1, linear, true),
            Kind::App if is_free(&term.kid(1), linear) => self.called(term, linear, &[false]),
            Kind::App => self.kid(term, 1, linear) && self.called(term, linear, &[true]),
            Kind::Get => self.free(term, 1, linear) && self.kid(term, 0, linear),
            Kind::Build(_) => self.called(term, linear, &[false]),
            Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_) => {
                self.kid(term, 1, linear) && self.called(term, linear, &[true, false])
            }
            Kind::Scatter(..) => self.entry_function(term, linear),
            Kind::Pull => self.free(term, 0, linear) && self.kid(term, 1, linear),
            Kind::Lam(..) | Kind::Within(_) | Kind::Prim(_) => false,
            Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => false,
        }
    }

    fn entry_function(&mut self, term: &Term, linear: &[u32]) -> bool {
        let f = term.kid(0);
        let Kind::Lam(..) = f.kind() else { return false };
        let inner: Vec<u32> = linear.iter().map(|index| index + 1).collect();
        self.way.extend([0, 0]);
        let holds = self.entry(&f.kid(0), &inner);
        if holds {
            self.way.truncate(self.way.len() - 2);
        }
        holds
    }

    /// A key that doesn't mention what is linear, and a linear value.
    fn entry(&mut self, entry: &Term, linear: &[u32]) -> bool {
        match entry.kind() {
            Kind::Pair => self.free(entry, 0, linear) && self.kid(entry, 1, linear),
            Kind::If if is_free(&entry.kid(0), linear) => {
                self.entry(&entry.kid(1), linear) && self.entry(&entry.kid(2), linear)
            }
            Kind::Let(_) => {
                let is_linear = !is_free(&entry.kid(0), linear);
                if is_linear && !self.kid(entry, 0, linear) {
                    return false;
                }
                let mut inner: Vec<u32> = linear.iter().map(|index| index + 1).collect();
                inner.extend(is_linear.then_some(0));
                self.entry(&entry.kid(1), &inner)
            }
            _ => false,
        }
    }
}

fn is_free(term: &Term, linear: &[u32]) -> bool {
    !term.places().iter().any(|index| linear.contains(index))
}
