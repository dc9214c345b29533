//! Moves work of an inner loop that an outer loop repeats into a table (loop-invariant code motion, through an array if need be).

use rustc_hash::FxHashMap;

use super::naming::name_of;
use super::ring::{MAX_OPERANDS, Product};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, FailureCause, Focus, NativeRule, Reason};
use redexter_language::ground::{Name, StopReason};
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "tabulate",
    params: &[],
    group: "Sharing",
    law: Words(
        "build m (fun j => .. ifold n (fun a i => .. g(i) .. h(i, j) ..) z ..) --> let t := build n (fun i => g(i)); \
          build m (fun j => .. ifold n (fun a i => .. t[i] .. h(i, j) ..) z ..), and so for loops at any depth, for \
          several indices, and for none (loop-invariant motion)",
    ),
    condition: "g costs flops, compares or rounds, mentions the indices of some of the loops around it and no other \
                variable that is bound in between; the largest such g, or the factors of a product that are such",
    doc: "Computes once what the rounds of a loop repeat. Applied around several loops it makes the tables that they \
          share, as the indices stand in one order. What stood in branches is now computed in any case, which can add \
          work. Blocked by lets.",
    exactness: Exactness::Reassociating,
    inspects: Inspection { heads: HeadFilter::Inner(&[Head::Lam, Head::Let, Head::App]), ..BELOW },
    left_sides: &[
        "build m (fun j => ifold n (fun a i => a + sin (g(i)) * h(i, j)) 0)",
        "ifold m (fun s j => s * ifold n (fun a i => a * cos (g(i)) + h(i, j)) z) y",
        "build m (fun j => build n (fun i => ifold k (fun a l => a + sin (g(i, l)) * h(j, l)) 0))",
        "build m (fun j => sin c * h(j))",
        "build m (fun j => build n (fun i => g(i) * 2 * h(j)))",
        "ifold m (fun s j => if c * 2 < d(j) then s + f(j) else s) z",
    ],
    examples: &[
        (
            "fun (v : array n real) (w : array m real) => build m (fun j => ifold n (fun a i => a + exp v[i] * \
             w[j]) 0)",
            "fun (v : array n real) (w : array m real) => let t := build n (fun i => exp v[i]); build m (fun j => \
             ifold n (fun a i => a + t[i] * w[j]) 0)",
        ),
        (
            "fun (v w : array n real) (u : array m real) => build m (fun j => ifold n (fun a i => a + v[i] * u[j] \
             * w[i]) 0)",
            "fun (v w : array n real) (u : array m real) => let t := build n (fun i => v[i] * w[i]); build m (fun \
             j => ifold n (fun a i => a + t[i] * u[j]) 0)",
        ),
        (
            "fun (v : array n real) (w : array m real) => build m (fun j => w[j] + ifold n (fun a i => a + v[i]) 0)",
            "fun (v : array n real) (w : array m real) => let t := ifold n (fun a i => a + v[i]) 0; build m (fun \
             j => w[j] + t)",
        ),
        (
            "fun (v : array n (array k real)) (w : array m real) => build m (fun j => build n (fun x => build k \
             (fun y => exp v[x][y] * w[j])))",
            "fun (v : array n (array k real)) (w : array m real) => let t := build k (fun y => build n (fun x => \
             exp v[x][y])); build m (fun j => build n (fun x => build k (fun y => t[y][x] * w[j])))",
        ),
    ],
    refused: for_tests(&[
        "fun (v w : array n real) => build n (fun j => exp v[j])",
        "fun (v w : array n real) => build n (fun j => ifold n (fun a i => a * (a + v[j])) 1)",
    ]),
    function: |focus, _| tabulate(focus),
}];

/// A variable that is bound between the root and a place.
#[derive(Clone, PartialEq, Eq, Hash)]
enum InnerBinder {
    /// It counts to a size, under this name.
    Counter(Size, Name),
    Other,
}

/// A search for the largest table below the root, which then puts that in.
struct TableSearch<'a> {
    focus: &'a Focus<'a>,
    /// The limit that ended the search.
    stopped: Option<StopReason>,
    /// The largest table so far; once it is chosen, it is only put in.
    best: Option<Term>,
    chosen: bool,
    /// The scopes met so far, so that shared terms are walked once in each.
    scopes: FxHashMap<Vec<InnerBinder>, usize>,
    memo: FxHashMap<(Term, usize, bool), Term>,
    /// Of how many products around it a term may still be a factor whose factors were looked at with theirs.
    products: usize,
}

fn tabulate(focus: &Focus) -> Result<Term, Reason> {
    let (scopes, memo) = (FxHashMap::default(), FxHashMap::default());
    let mut tables = TableSearch { focus, stopped: None, best: None, chosen: false, scopes, memo, products: 0 };
    let found = match focus.term.kind() {
        Kind::Lam(..) | Kind::Let(_) | Kind::App => None,
        _ => tables.whole(),
    };
    let none = || Reason::native("no loop that repeats work of its own inner loops");
    match tables.stopped {
        Some(reason) => Err(Reason::new(FailureCause::Stopped(reason))),
        None => found.ok_or_else(none),
    }
}

impl TableSearch<'_> {
    /// The root below its largest table.
    fn whole(&mut self) -> Option<Term> {
        self.walk(self.focus.term, &mut Vec::new())?;
        let table = self.best.clone()?;
        self.chosen = true;
        // It holds terms as they are without the chosen table.
        self.memo.clear();
        // The table's variable is bound around the term; `walk` has left room for it.
        let whole = self.walk(self.focus.term, &mut Vec::new())?;
        // Unused: the table was put in nowhere, so that its let would be dead.
        whole.free_at(0)?;
        Term::let_in(&name_of(&table, "table"), table, whole).ok()
    }

    /// Asks whether the run goes on; after a limit nothing is found any more.
    fn goes_on(&mut self) -> Option<()> {
        if self.stopped.is_none() {
            self.stopped = self.focus.tick().err();
        }
        self.stopped.is_none().then_some(())
    }

    /// The term with the chosen table put in and room for its variable; before it is chosen, the term is only looked
    /// at.
    fn walk(&mut self, term: &Term, inner: &mut Vec<InnerBinder>) -> Option<Term> {
        self.goes_on()?;
        let bound = inner.len() as u32;
        if !term.costs() {
            return Some(term.shift_from(bound, 1));
        }
        // Whether a term can stand in a table hangs on the loops around it, so that it is remembered by its scope, too.
        let next = self.scopes.len();
        let scope = *self.scopes.entry(inner.clone()).or_insert(next);
        let key = (term.clone(), scope, self.products > 0);
        if let Some(done) = self.memo.get(&key) {
            return Some(done.clone());
        }
        let done = match self.table(term, inner) {
            Some(put) => put,
            None => self.below(term, inner)?,
        };
        self.memo.insert(key, done.clone());
        Some(done)
    }

    fn below(&mut self, term: &Term, inner: &mut Vec<InnerBinder>) -> Option<Term> {
        let around = self.products;
        self.products = match term.kind() {
            Kind::Prim(Prim::Mul | Prim::Div | Prim::Neg) if around > 0 => around - 1,
            Kind::Prim(Prim::Mul | Prim::Div) => MAX_OPERANDS - 1,
            _ => 0,
        };
        let is_part = around > 0 && self.products > 0;
        let done = self.below_product(term, inner, is_part);
        self.products = around;
        done
    }

    /// What is below a term. The factors of one that is part of a product were looked at with those of the whole: otherwise each
    /// factor of a long product would be looked at as often as it is nested.
    fn below_product(&mut self, term: &Term, inner: &mut Vec<InnerBinder>, is_part: bool) -> Option<Term> {
        let group = if is_part { None } else { self.group(term, inner) };
        // Before a table is chosen the rest isn't looked at by itself: it stands in no term that is walked after that.
        if let Some((group, rest)) = group
            && let Some(put) = self.table(&group, inner)
            && self.chosen
        {
            self.products = 0;
            return Term::prim(Prim::Mul, vec![put, self.walk(&rest, inner)?]).ok();
        }
        let mut kids = smallvec::SmallVec::new();
        for k in 0..term.kid_count() {
            kids.push(self.kid(term, k, inner)?);
        }
        if !self.chosen {
            return Some(term.shift_from(inner.len() as u32, 1));
        }
        term_like(term, inner.len() as u32, kids)
    }

    fn kid(&mut self, term: &Term, k: usize, inner: &mut Vec<InnerBinder>) -> Option<Term> {
        let kid = term.kid(k);
        match (term.kind(), kid.view()) {
            (Kind::Build(n), View::Lam(i, ty, body)) => {
                inner.push(InnerBinder::Counter(n.clone(), i.clone()));
                let body = self.walk(&body, inner);
                inner.pop();
                Term::lam(&i, &ty, body?).ok()
            }
            (Kind::Ifold(n), View::Lam(a, ty, rounds)) if k == 0 => {
                let View::Lam(i, fin, body) = rounds.view() else { return self.plain(&kid, 0, inner) };
                inner.extend([InnerBinder::Other, InnerBinder::Counter(n.clone(), i.clone())]);
                let body = self.walk(&body, inner);
                inner.truncate(inner.len() - 2);
                Term::lam(&a, &ty, Term::lam(&i, &fin, body?).ok()?).ok()
            }
            // A guard's index is one of those that it may be.
            (Kind::Guard(name, n), _) if k == 1 => {
                inner.push(InnerBinder::Counter(n.clone(), name.clone()));
                let inside = self.walk(&kid, inner);
                inner.pop();
                inside
            }
            _ => self.plain(&kid, term.binders(k), inner),
        }
    }

    fn plain(&mut self, kid: &Term, binders: u32, inner: &mut Vec<InnerBinder>) -> Option<Term> {
        inner.extend((0..binders).map(|_| InnerBinder::Other));
        let done = self.walk(kid, inner);
        inner.truncate(inner.len() - binders as usize);
        done
    }

    /// What takes the term's place if it can stand in a table: before one is chosen the term itself, which is noted;
    /// after that an element of the chosen table, if it is that one.
    fn table(&mut self, term: &Term, inner: &[InnerBinder]) -> Option<Term> {
        if term.ty().has_function() || !term.costs() {
            return None;
        }
        let (table, indices) = as_table(term, inner, None)?;
        let bound = inner.len() as u32;
        if !self.chosen {
            if self.best.as_ref().is_none_or(|best| best.size() < table.size()) {
                self.best = Some(table);
            }
            return Some(term.shift_from(bound, 1));
        }
        if self.best.as_ref() != Some(&table) {
            return None;
        }
        let element = |array: Option<Term>, i: &Term| Term::get(array?, i.clone()).ok();
        indices.iter().fold(Some(Term::var(bound, table.ty())), element)
    }

    /// Of a product of reals the factors that can stand in a table, and the rest.
    fn group(&mut self, term: &Term, inner: &[InnerBinder]) -> Option<(Term, Term)> {
        let Kind::Prim(Prim::Mul | Prim::Div) = term.kind() else { return None };
        if *term.ty().view() != TypeView::Real {
            return None;
        }
        let is_counter = |i: &u32| matches!(inner[inner.len() - 1 - *i as usize], InnerBinder::Counter(..));
        let mut counters = (0..inner.len() as u32).filter(is_counter).peekable();
        // Outside of loops nothing is repeated; products there may be long.
        counters.peek()?;
        let all = Product::of(term);
        let without = |i: u32| {
            self.goes_on()?;
            let (mut rest, mut group) = (all.clone(), Product::one());
            let fits = |t: &Term| as_table(t, inner, Some(i)).is_some();
            for (from, to) in [(&mut rest.factors, &mut group.factors), (&mut rest.divisors, &mut group.divisors)] {
                let (fitting, others) = std::mem::take(from).into_iter().partition(fits);
                (*to, *from) = (fitting, others);
            }
            let both = !rest.factors.is_empty() && group.factors.len() + group.divisors.len() > 1;
            both.then_some((group, rest))
        };
        let parts = |(group, _): &(Product, Product)| group.factors.len() + group.divisors.len();
        let (group, rest) = counters.filter_map(without).max_by_key(parts)?;
        Some((group.term()?, rest.term()?))
    }
}

/// The same constructor around children that have room for one more variable from `bound` on.
fn term_like(term: &Term, bound: u32, kids: smallvec::SmallVec<[Term; 2]>) -> Option<Term> {
    term.shift_from(bound, 1).with_kids(kids).ok()
}

/// The table of a term over the indices of loops that it mentions, in an order of their own, in the scope around the
/// root; and these indices. `None` if it mentions another variable that is bound in between, or all loops' indices, or
/// `without`.
fn as_table(term: &Term, inner: &[InnerBinder], without: Option<u32>) -> Option<(Term, Vec<Term>)> {
    let between = inner.len() as u32;
    let mut used: Vec<(u32, &Size, &Name)> = Vec::new();
    for (i, _) in term.free().filter(|(i, _)| *i < between) {
        match &inner[inner.len() - 1 - i as usize] {
            InnerBinder::Counter(n, name) if without != Some(i) => used.push((i, n, name)),
            _ => return None,
        }
    }
    let loops = inner.iter().filter(|bound| matches!(bound, InnerBinder::Counter(..))).count();
    // All the loops around it are mentioned, so that none of them repeats it.
    if used.len() == loops {
        return None;
    }
    // By their sizes, so that the same work under loops in another order makes the same table.
    used.sort_by_cached_key(|(_, n, _)| n.to_string());
    let count = used.len() as u32;
    let place = |i: u32| used.iter().position(|(j, ..)| *j == i).map_or(0, |p| count - 1 - p as u32);
    let mut table = term.rename(|i| if i < between { place(i) } else { i - between + count });
    for (_, n, name) in used.iter().rev() {
        table = Term::build((*n).clone(), Term::lam(name, &Type::fin((*n).clone()), table).ok()?).ok()?;
    }
    let index = |(i, n, _): &(u32, &Size, &Name)| Term::var(*i, &Type::fin((*n).clone()));
    Some((table, used.iter().map(index).collect()))
}
