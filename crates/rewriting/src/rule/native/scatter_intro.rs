//! Makes a scatter of sums that ask, for each element of an array, where data say that something is added.

use super::fold_parts::SumParts;
use super::ring::{Product, is_real, is_zero};
use super::solve_index::{number, solved};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "scatterIntro",
    params: &[],
    group: "Sums",
    law: Words(
        "build n (fun i => .. ifold m (fun a e => a + (if i = k(e) then t(e, i) else 0)) 0 ..) --> \
         let s := scatter n m (fun e => (int k(e), t(e, k(e)))); build n (fun i => .. s[i] ..)",
    ),
    condition: "of what is bound between the build and the sum indices of loops alone stand in k or t: for each of those in k there \
                is a scatter, over those in t arrays are added; around the choice others, factors and further sums may stand, whose loops are one \
                loop then; the first such sum",
    doc: "Adds each value where it belongs, instead of asking for each element which values do: from n * m rounds to n + m. \
          Blocked by sums of sums (ifoldSplitOneHot) and by lets.",
    exactness: Exactness::Reassociating,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Build]), holds: &[Head::Ifold], ..BELOW },
    left_sides: &[
        "build n (fun i => ifold m (fun a e => a + (if i = k[e] then (t(e, i) : real) else 0)) 0)",
        "build n (fun i => c(i) + ifold m (fun a e => a + (if d(e) then (if k(e) = i then (t(e) : real) else 0) else 0)) 0)",
        "build n (fun i => build l (fun h => ifold m (fun a e => a + (if i = k(e) then (t(e, h) : real) else 0)) 0))",
        "build n (fun i => ifold m (fun a e => a + u(e) * ifold l (fun b h => b + (if i = k(e, h) then (t(h) : real) else 0)) 0) 0)",
    ],
    examples: &[
        (
            "fun (k : array m (fin n)) (v : array m real) => build n (fun i => ifold m (fun a e => a + (if i = k[e] then v[e] \
             else 0)) 0)",
            "fun (k : array m (fin n)) (v : array m real) => let sums := scatter n m (fun e => (int k[e], v[e])); \
             build n (fun i => sums[i])",
        ),
        (
            "fun (k : array m (fin n)) (v : array m (array l real)) (w : array l real) => build n (fun i => build l (fun h => \
             w[h] - ifold m (fun a e => a + (if v[e][h] < 0 then (if k[e] = i then v[e][h] else 0) else 0)) 0))",
            "fun (k : array m (fin n)) (v : array m (array l real)) (w : array l real) => let sums := scatter n m (fun e => \
             (int k[e], build l (fun h => if v[e][h] < 0 then v[e][h] else 0))); build n (fun i => build l (fun h => w[h] - \
             sums[i][h]))",
        ),
        (
            "fun (k : array m (array l (fin n))) (v : array m real) => build n (fun i => ifold m (fun a e => a + v[e] * \
             ifold l (fun b h => b + (if i = k[e][h] then real h else 0)) 0) 0)",
            "fun (k : array m (array l (fin n))) (v : array m real) => let sums := scatter n (l * m) (fun x => let e := (int x / l \
             : fin m); let h := (int x % l : fin l); (int k[e][h], v[e] * real h)); build n (fun i => sums[i])",
        ),
    ],
    refused: for_tests(&[
        "fun (k : array n (array m (fin n))) => build n (fun i => ifold m (fun a e => a + (if i = k[i][e] then 1 else 0)) 0)",
        "fun (k : array m (fin n)) (v : array m real) => build n (fun i => ifold m (fun a e => a + (if i = k[e] then v[e] else 1)) 0)",
    ]),
    function: |focus, _| {
        scattered(focus.term)
            .ok_or(Reason::native("no sum over choices, one of which asks whether data are the build's index"))
    },
}];

/// A variable between the build and a sum: one that is below a size, over which there may be an array, or none such.
type Counter = Option<(Size, Name)>;

fn scattered(term: &Term) -> Option<Term> {
    let View::Build(n, f) = term.view() else { return None };
    let View::Lam(_, _, body) = f.view() else { return None };
    let mut search = SumSearch { places: n, inner: Vec::new(), path: vec![0, 0] };
    let (scatter, read) = search.found(&body)?;
    // The scatter's variable is bound around the build.
    let whole = with(&term.shift(1), &search.path, read)?;
    Term::let_in(&Name::new("sums"), scatter, whole).ok()
}

/// A term with another one at the end of a path.
fn with(term: &Term, path: &[u32], new: Term) -> Option<Term> {
    let Some((k, rest)) = path.split_first() else { return Some(new) };
    let k = *k as usize;
    term.with_kid(k, with(&term.kid(k), rest, new)?).ok()
}

/// A search for the first sum that can be a scatter.
struct SumSearch {
    places: Size,
    /// What is bound between the build's index and the term that is looked at, outermost first.
    inner: Vec<Counter>,
    /// The way there, from the build.
    path: Vec<u32>,
}

impl SumSearch {
    /// The scatter, outside of the build, and what is read of it in place of the sum to which the path leads then.
    fn found(&mut self, term: &Term) -> Option<(Term, Term)> {
        if !term.costs() || term.free_at(self.inner.len() as u32).is_none() {
            return None;
        }
        if is_real(term)
            && SumParts::of(term).is_some()
            && let Some(found) = self.scatter(term)
        {
            return Some(found);
        }
        for k in 0..term.kid_count() {
            let bound = Self::binders(term, k);
            let own = bound.len();
            self.inner.extend(bound);
            self.path.push(k as u32);
            let found = self.found(&term.kid(k));
            if found.is_some() {
                return found;
            }
            self.path.pop();
            self.inner.truncate(self.inner.len() - own);
        }
        None
    }

    /// What a term binds around a child.
    fn binders(term: &Term, k: usize) -> Vec<Counter> {
        match term.kind() {
            Kind::Lam(name, ty) => match ty.view() {
                TypeView::Fin(n) => vec![Some((n.clone(), name.clone()))],
                _ => vec![None],
            },
            kind => vec![None; kind.binders(k) as usize],
        }
    }

    fn scatter(&self, sum: &Term) -> Option<(Term, Term)> {
        let depth = self.inner.len() as u32;
        let mut entry = Entry { index: depth, loops: Vec::new(), tests: Vec::new(), factors: Vec::new() };
        let (key, value) = entry.of(sum)?;
        let Entry { loops, tests, factors, .. } = entry;
        let count = loops.len() as u32;
        let is_inner = |v: u32| (count..count + depth).contains(&v);
        // Where the build's index stands the key does: it is what the index is.
        let at_key = |term: &Term| {
            let moved = term.rename(|v| match v.cmp(&(count + depth)) {
                std::cmp::Ordering::Less => v + 1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => v,
            });
            moved.instantiate(&key).ok()
        };
        let mut value = at_key(&value)?;
        for mut product in factors.into_iter().rev() {
            product.factors = product.factors.iter().map(at_key).collect::<Option<_>>()?;
            product.divisors = product.divisors.iter().map(at_key).collect::<Option<_>>()?;
            product.factors.push(value);
            value = product.term()?;
        }
        let positions = |term: &Term| {
            let mut all: Vec<u32> = term.free().filter(|(v, _)| is_inner(*v)).map(|(v, _)| v - count).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            all
        };
        // For each index that the key needs there is a scatter; over the others there are arrays, in which a test of them stands.
        let each = positions(&key);
        let mut place = number(key.clone())?;
        for test in tests.iter().rev() {
            let test = at_key(test)?;
            match positions(&test).iter().all(|position| each.contains(position)) {
                true => place = Term::if_else(test, place, Term::int(-1)).ok()?,
                false => value = Term::if_else(test, value, Term::real(0.0)).ok()?,
            }
        }
        let mut rows = positions(&value);
        rows.retain(|position| !each.contains(position));
        let counter = |position: &u32| self.inner[(depth - 1 - position) as usize].clone();
        let counters = |all: &[u32]| all.iter().map(counter).collect::<Option<Vec<(Size, Name)>>>();
        // Of several loops the scatter's own index is bound around theirs.
        let around = count + u32::from(count > 1);
        let (width, outer) = (rows.len() as u32, each.len() as u32);
        let place_in = |all: &[u32], v: u32| all.iter().position(|own| *own == v - count).unwrap_or(0) as u32;
        let moved = |term: &Term, below: u32| {
            term.rename(|v| match v {
                v if v < count => v + below,
                v if is_inner(v) && rows.contains(&(v - count)) => width - 1 - place_in(&rows, v),
                v if is_inner(v) => below + around + outer - 1 - place_in(&each, v),
                v => v - count - depth + around + below + outer,
            })
        };
        let entry = Term::pair(moved(&place, 0), built(counters(&rows)?, moved(&value, width))?).ok()?;
        let scatter = built(counters(&each)?, looped(&self.places, &loops, entry)?)?;
        // Its variable is the first one outside of the build.
        let mut read = Term::var(depth + 1, scatter.ty());
        for position in each.iter().copied().chain([depth]).chain(rows.iter().copied()) {
            let TypeView::Array(n, _) = read.ty().view() else { return None };
            let index = Term::var(position, &Type::fin(n.clone()));
            read = Term::get(read, index).ok()?;
        }
        Some((scatter, read))
    }
}

/// A term in arrays over these counters, which are bound around it, the outermost first.
fn built(counters: Vec<(Size, Name)>, mut term: Term) -> Option<Term> {
    for (n, name) in counters.into_iter().rev() {
        let element = Term::lam(&name, &Type::fin(n.clone()), term).ok()?;
        term = Term::build(n, element).ok()?;
    }
    Some(term)
}

/// What is found on the way from a sum to the choice that asks for the index of the build.
struct Entry {
    /// The variable of that index, where the search is.
    index: u32,
    /// The loops around, outermost first.
    loops: Vec<(Size, Name)>,
    /// The conditions before the choice.
    tests: Vec<Term>,
    /// What stands beside it in products, outermost first.
    factors: Vec<Product>,
}

impl Entry {
    /// What the index of the build has to be, without which it is known, and what is added then.
    fn of(&mut self, term: &Term) -> Option<(Term, Term)> {
        if let Some(sum) = SumParts::of(term) {
            self.enter(sum.n, sum.index);
            return self.of(&sum.body);
        }
        match term.view() {
            // The guard's index goes over all that it may be: for each the number says what the index of the build is then.
            View::Guard(name, n, number, inside, other) if is_zero(&other) && number.free_at(self.index).is_some() => {
                let own = Term::prim(Prim::ToInt, vec![Term::var(0, &Type::fin(n.clone()))]).ok()?;
                self.enter(n, name);
                Some((self.key(&Term::prim(Prim::Eq, vec![own, number.shift(1)]).ok()?)?, inside))
            }
            View::If(condition, then, other) if is_zero(&other) => {
                if let Some(key) = self.key(&condition) {
                    return Some((key, then));
                }
                self.tests.push(condition);
                self.of(&then)
            }
            View::Prim(Prim::Mul | Prim::Div | Prim::Neg, _) => {
                let product = Product::of(term);
                let at = product.factors.iter().position(|factor| self.asks(factor))?;
                let mut rest = product;
                let asking = rest.factors.remove(at);
                self.factors.push(rest);
                self.of(&asking)
            }
            _ => None,
        }
    }

    /// A loop, or a guard, whose index is the innermost variable from here on.
    fn enter(&mut self, n: Size, name: Name) {
        self.loops.push((n, name));
        self.index += 1;
        self.tests.iter_mut().for_each(|test| *test = test.shift(1));
        for product in &mut self.factors {
            product.factors.iter_mut().chain(&mut product.divisors).for_each(|factor| *factor = factor.shift(1));
        }
    }

    /// What the index must be where a condition holds, if it says so, with the index taken out of scope.
    fn key(&self, condition: &Term) -> Option<Term> {
        let View::Prim(Prim::Eq, sides) = condition.view() else { return None };
        let index = self.index;
        let inmost = |term: &Term| term.rename(|v| if v == index { 0 } else { v + u32::from(v < index) });
        solved(&inmost(&sides[0]), &inmost(&sides[1]))
    }

    /// Whether a choice that asks for the index stands in a factor where [`Entry::of`] finds it.
    fn asks(&self, factor: &Term) -> bool {
        let mut search = Entry { index: self.index, loops: Vec::new(), tests: Vec::new(), factors: Vec::new() };
        search.of(factor).is_some()
    }
}

/// The scatter of an entry that stands below all loops.
pub(super) fn looped(places: &Size, loops: &[(Size, Name)], entry: Term) -> Option<Term> {
    if let [(n, name)] = loops {
        let step = Term::lam(name, &Type::fin(n.clone()), entry).ok()?;
        return Term::scatter(places.clone(), n.clone(), step).ok();
    }
    let rounds = loops.iter().try_fold(Size::literal(1), |all, (n, _)| all.times(n))?;
    let ty = Type::fin(rounds.clone());
    let mut step = entry;
    // The last loop's index changes fastest.
    for k in (0..loops.len()).rev() {
        let mut own = Term::prim(Prim::ToInt, vec![Term::var(k as u32, &ty)]).ok()?;
        for (n, _) in loops[k + 1..].iter().rev() {
            own = Term::prim(Prim::Quot, vec![own, Term::size_value(n)]).ok()?;
        }
        let (n, name) = &loops[k];
        if k > 0 {
            own = Term::prim(Prim::Rem, vec![own, Term::size_value(n)]).ok()?;
        }
        step = Term::let_in(name, Term::within(n.clone(), own).ok()?, step).ok()?;
    }
    let step = Term::lam(&Name::new("x"), &ty, step).ok()?;
    Term::scatter(places.clone(), rounds, step).ok()
}
