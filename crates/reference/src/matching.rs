//! Rewrites by a law, read off its sides: pattern and term are walked together under the same binders. A variable of the law
//! matches what mentions none of these binders, and is kept in the scope outside of them; one with arguments matches what
//! mentions at most its arguments, and is kept as a body under one binder for each.

use std::collections::BTreeMap;

use redexter_language::check::Law;
use redexter_language::ground::Name;
use redexter_language::term::{Bindings, Kind, Size, SizeAtom, Term, Type, TypeView};

/// The contractum, where the left side matches; conditions and least sizes apart.
pub fn rewrite(law: &Law, term: &Term) -> Option<Term> {
    let terms = vec![None; law.vars.len()];
    let mut matcher = Matcher { law, terms, hints: BTreeMap::new(), types: BTreeMap::new(), sizes: Vec::new() };
    matcher.matches(&law.left, term, 0).then_some(())?;
    let bindings = matcher.solve()?;
    matcher.fill(&law.right.assign(&bindings).ok()?, 0)
}

struct Matcher<'a> {
    law: &'a Law,
    terms: Vec<Option<Term>>,
    /// The user's names for the left side's binders.
    hints: BTreeMap<Name, Name>,
    types: BTreeMap<Name, Type>,
    /// Sizes of the law with what they must be: a size of the term, or a term that a size becomes.
    sizes: Vec<(Size, Result<Size, Term>)>,
}

impl Matcher<'_> {
    /// The law's variable there, with the arguments that it takes.
    fn variable(&self, side: &Term, under: u32) -> Option<(usize, Vec<Term>)> {
        let (mut head, mut arguments) = (side.clone(), Vec::new());
        while let Kind::App = head.kind() {
            arguments.insert(0, head.kid(1));
            head = head.kid(0);
        }
        let index = index_of(&head)?.checked_sub(under)? as usize;
        let j = self.law.vars.len().checked_sub(index + 1)?;
        (self.law.vars[j].arity == arguments.len()).then_some((j, arguments))
    }

    fn matches(&mut self, pattern: &Term, term: &Term, under: u32) -> bool {
        if let Some((j, arguments)) = self.variable(pattern, under) {
            let Some(body) = abstracted(term, under, &arguments) else { return false };
            let mut ty = self.law.vars[j].ty.clone();
            for _ in &arguments {
                let TypeView::Fun(_, to) = ty.view() else { return false };
                ty = to.clone();
            }
            return match &self.terms[j] {
                Some(earlier) => *earlier == body,
                None => {
                    self.terms[j] = Some(body);
                    self.typed(&ty, term.ty())
                }
            };
        }
        if let Kind::SizeVar(name) = pattern.kind() {
            self.sizes.push((Size::var(name), Err(term.clone())));
            return true;
        }
        let fits = match (pattern.kind(), term.kind()) {
            (Kind::Var, Kind::Var) => index_of(pattern) == index_of(term),
            (Kind::Lam(x, p), Kind::Lam(hint, t)) => {
                self.hints.entry(x.clone()).or_insert_with(|| hint.clone());
                self.typed(p, t)
            }
            (Kind::Guard(x, p), Kind::Guard(hint, n)) => {
                self.hints.entry(x.clone()).or_insert_with(|| hint.clone());
                self.sized(p, n)
            }
            (Kind::Let(x), Kind::Let(hint)) => {
                self.hints.entry(x.clone()).or_insert_with(|| hint.clone());
                true
            }
            (Kind::Array(p), Kind::Array(t)) => pattern.kid_count() == term.kid_count() && self.typed(p, t),
            (Kind::Ifold(p), Kind::Ifold(n))
            | (Kind::Scan(p), Kind::Scan(n))
            | (Kind::Scanr(p), Kind::Scanr(n))
            | (Kind::Build(p), Kind::Build(n))
            | (Kind::Within(p), Kind::Within(n)) => self.sized(p, n),
            (Kind::Scatter(p, q), Kind::Scatter(n, m)) => self.sized(p, n) && self.sized(q, m),
            (Kind::Fin(c, p), Kind::Fin(d, n)) => c == d && self.sized(p, n),
            (Kind::Real(x), Kind::Real(y)) => x.to_bits() == y.to_bits(),
            (Kind::Int(x), Kind::Int(y)) => x == y,
            (Kind::Prim(p), Kind::Prim(q)) => p == q,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        fits && (0..pattern.kid_count())
            .all(|k| self.matches(&pattern.kid(k), &term.kid(k), under + pattern.kind().binders(k)))
    }

    fn typed(&mut self, pattern: &Type, found: &Type) -> bool {
        match (pattern.view(), found.view()) {
            (TypeView::Var(name), _) => self.types.entry(name.clone()).or_insert_with(|| found.clone()) == found,
            (TypeView::Fin(p), TypeView::Fin(n)) => self.sized(p, n),
            (TypeView::Array(p, a), TypeView::Array(n, b)) => self.sized(p, n) && self.typed(a, b),
            (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
                self.typed(a, c) && self.typed(b, d)
            }
            _ => pattern == found,
        }
    }

    fn sized(&mut self, pattern: &Size, found: &Size) -> bool {
        self.sizes.push((pattern.clone(), Ok(found.clone())));
        true
    }

    /// Solves for the sizes and types of the law: equations that have one unknown, until none is left.
    fn solve(&self) -> Option<Bindings> {
        let mut known = Bindings { types: self.types.clone(), ..Bindings::default() };
        let mut open: Vec<_> = self.sizes.iter().collect();
        // A size as a term says what it is only where nothing else does.
        open.sort_by_key(|(_, found)| found.is_err());
        loop {
            let mut waiting = Vec::new();
            for equation @ (pattern, found) in &open {
                let mut unknown: Vec<&SizeAtom> = pattern.atoms().filter(|a| stands_for(&known, a).is_none()).collect();
                unknown.dedup();
                let with = |x: Option<&Size>| {
                    let last = Size::unknown(0);
                    pattern.replace(|a| stands_for(&known, a).or_else(|| Some(x.unwrap_or(&last).clone())))
                };
                match (&unknown[..], found) {
                    ([], Ok(size)) if with(None)? != *size => return None,
                    ([], Err(term)) if Term::size_value(&with(None)?) != *term => return None,
                    ([], _) => {}
                    ([SizeAtom::Var(name)], Ok(size)) => {
                        let value = with(None)?.solved_for(&SizeAtom::Unknown(0), size)?;
                        known.sizes.insert(name.clone(), value);
                    }
                    ([SizeAtom::Var(name)], Err(term)) => {
                        let Kind::SizeVar(size) = term.kind() else { return None };
                        known.sizes.insert(name.clone(), Size::var(size));
                    }
                    _ => waiting.push(*equation),
                }
            }
            if waiting.is_empty() {
                return Some(known);
            }
            if waiting.len() == open.len() {
                return None;
            }
            open = waiting;
        }
    }

    /// The right side, under so many of its binders, with what was found for the law's variables.
    fn fill(&self, side: &Term, under: u32) -> Option<Term> {
        if let Some((j, arguments)) = self.variable(side, under) {
            let mut done = self.terms[j].as_ref()?.shift_from(arguments.len() as u32, under);
            for (k, argument) in arguments.iter().enumerate().rev() {
                done = done.instantiate(&self.fill(argument, under)?.shift(k as u32)).ok()?;
            }
            return Some(done);
        }
        let kid = |k: usize| self.fill(&side.kid(k), under + side.kind().binders(k));
        let hint = |name: &Name| self.hints.get(name).unwrap_or(name).clone();
        match side.kind() {
            Kind::Lam(name, ty) => Term::lam(&hint(name), ty, kid(0)?).ok(),
            Kind::Let(name) => Term::let_in(&hint(name), kid(0)?, kid(1)?).ok(),
            Kind::Guard(name, n) => Term::guard(&hint(name), n.clone(), kid(0)?, kid(1)?, kid(2)?).ok(),
            _ => side.with_kids((0..side.kid_count()).map(kid).collect::<Option<_>>()?).ok(),
        }
    }
}

fn stands_for(known: &Bindings, atom: &SizeAtom) -> Option<Size> {
    match atom {
        SizeAtom::Var(name) => known.sizes.get(name).cloned(),
        SizeAtom::Unknown(_) => None,
    }
}

fn index_of(term: &Term) -> Option<u32> {
    if let Kind::Var = term.kind() { term.free().next().map(|(index, _)| index) } else { None }
}

/// A term under `under` binders as a body under one binder for each argument, which is one of their variables or a
/// projection of one; `None` if it mentions them otherwise.
fn abstracted(term: &Term, under: u32, arguments: &[Term]) -> Option<Term> {
    let arity = arguments.len() as u32;
    let shifted: Vec<Term> = arguments.iter().map(|a| a.shift(arity)).collect();
    let replaced = exchange(&term.shift(arity), &shifted, 0);
    let clean = replaced.free().all(|(i, _)| i < arity || i >= arity + under);
    clean.then(|| replaced.rename(|i| if i < arity { i } else { i - under }))
}

/// The term with argument `j` of `k`, which looks the same whatever its types are, as variable `k - 1 - j`.
fn exchange(term: &Term, arguments: &[Term], under: u32) -> Term {
    let same = |argument: &Term| same_way(&argument.shift(under), term);
    if let Some(j) = arguments.iter().position(same) {
        return Term::var((arguments.len() - 1 - j) as u32 + under, term.ty());
    }
    let kid = |k: usize| exchange(&term.kid(k), arguments, under + term.kind().binders(k));
    term.with_kids((0..term.kid_count()).map(kid).collect()).expect("what takes a term's place has its type")
}

/// Whether both are the same projections of the same variable.
fn same_way(a: &Term, b: &Term) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Var, Kind::Var) => index_of(a) == index_of(b),
        (Kind::Fst, Kind::Fst) | (Kind::Snd, Kind::Snd) => same_way(&a.kid(0), &b.kid(0)),
        _ => false,
    }
}
