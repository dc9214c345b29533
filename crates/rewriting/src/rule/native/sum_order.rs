//! Reorders sums of products, so that their factors stand under fewer loops: invariant factors leave their sum, and chains of
//! matrices are multiplied from the cheaper end.

use std::collections::BTreeSet;

use super::fold_parts::SumParts;
use super::ring::{MAX_OPERANDS, Product, is_real, is_zero};
use crate::rule::condition::EnclosingMarks;
use crate::rule::footprint::{BELOW, ContextUse, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Prim, Term, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "sumOrder",
    params: &[],
    group: "Sums",
    law: Words(
        "Σ_i (c(i) * Σ_j (g(j) * f(i, j))) --> Σ_j (g(j) * Σ_i (c(i) * f(i, j))), and so for sums in products in sums \
          at any depth, and choices with 0 among the factors; Σ_i e is ifold n (fun a i => a + e) 0",
    ),
    condition: "next comes the sum over the index whose factors mention the fewest enclosing loop variables; the \
                factors stand under fewer loop variables than before",
    doc: "Does what sumReassoc, ifoldFactor and ifFloatSum do, for a product of any shape at once: what doesn't change \
          leaves its sum, and chains of matrices are multiplied from their cheaper end. Blocked by lets and by sums \
          that aren't split.",
    exactness: Exactness::Reassociating,
    inspects: Inspection {
        heads: HeadFilter::Of(&[
            Head::Ifold,
            Head::If,
            Head::Prim(Prim::Mul),
            Head::Prim(Prim::Div),
            Head::Prim(Prim::Neg),
        ]),
        guard: is_real,
        context: ContextUse::Marks,
        ..BELOW
    },
    left_sides: &[
        "ifold n (fun a i => a + c * f(i)) 0",
        "build m (fun p => ifold n (fun a i => a + c(i) * ifold k (fun b j => b + g(p, j) * f(i, j)) 0) 0)",
        "ifold n (fun a i => a + (if c then f(i) else 0)) 0",
        "build m (fun p => ifold n (fun a i => a + c(i) * (if d(i) then ifold k (fun b j => b + g(p, j) / \
             f(i, j)) 0 else 0)) 0)",
        "e * ifold n (fun a i => a + 2 * ifold m (fun b j => b + f(i) * g(j)) 0) 0",
        "ifold n (fun a i => a + ifold m (fun b j => b + f(i)) 0) 0",
    ],
    examples: &[
        (
            "fun (v : array n real) (c : real) => ifold n (fun a i => a + c * v[i]) 0",
            "fun (v : array n real) (c : real) => c * ifold n (fun a i => a + v[i]) 0",
        ),
        (
            "fun (q : array n (array m real)) (c : array n real) (g : array m (array k real)) => build k (fun p \
             => ifold n (fun a i => a + c[i] * ifold m (fun b j => b + g[j][p] * q[i][j]) 0) 0)",
            "fun (q : array n (array m real)) (c : array n real) (g : array m (array k real)) => build k (fun p \
             => ifold m (fun b j => b + g[j][p] * ifold n (fun a i => a + c[i] * q[i][j]) 0) 0)",
        ),
        (
            "fun (v : array n real) (c : int) => ifold n (fun a i => a + (if c then v[i] else 0)) 0",
            "fun (v : array n real) (c : int) => if c then ifold n (fun a i => a + v[i]) 0 else 0",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => ifold n (fun a i => a + exp v[i] * v[i]) 0",
        "fun (q : array n (array m real)) (c : array n real) (g : array m real) => ifold n (fun a i => a + \
             c[i] * ifold m (fun b j => b + g[j] * q[i][j]) 0) 0",
    ]),
    function: |focus, _| sum_order(focus).ok_or(Reason::native("no product of sums that another order makes cheaper")),
}];

#[derive(Clone, Copy, PartialEq)]
enum FactorRole {
    Above,
    Below,
    /// It holds, or the product is 0.
    Condition,
}

/// A product without its sums. Factors stand in one scope: variable s is the index of sum s.
struct FlatProduct {
    number: f64,
    sums: Vec<SumParts>,
    factors: Vec<(Term, FactorRole)>,
    /// How many factors stand under so many loop variables.
    load: FactorLoad,
}

/// The numbers of factors under 0, 1, 2, … loop variables.
#[derive(Clone, Default, PartialEq)]
struct FactorLoad(Vec<usize>);

impl FactorLoad {
    fn add(&mut self, loops: usize, factors: usize) {
        self.0.resize(self.0.len().max(loops + 1), 0);
        self.0[loops] += factors;
    }

    fn is_below(&self, other: &FactorLoad) -> bool {
        let at = |load: &FactorLoad, k: usize| load.0.get(k).copied().unwrap_or(0);
        let most = self.0.len().max(other.0.len());
        // From the deepest nesting on, because a factor under more loops outweighs any number under fewer.
        let differs = (0..most).rev().find(|k| at(self, *k) != at(other, *k));
        differs.is_some_and(|k| at(self, k) < at(other, k))
    }
}

/// A term below some of the sums: those around it, outermost first.
struct ScopedFactor {
    term: Term,
    role: FactorRole,
    under: Vec<usize>,
}

fn sum_order(focus: &Focus) -> Option<Term> {
    if !is_real(focus.term) {
        return None;
    }
    let enclosing = EnclosingMarks::at(focus, &[]);
    let flat = FlatProduct::of(focus.term, &enclosing)?;
    let (term, load) = flat.summed(&enclosing)?;
    if load.is_below(&flat.load) { Some(term) } else { None }
}

impl FlatProduct {
    /// `None` where there is no sum.
    fn of(term: &Term, enclosing: &EnclosingMarks) -> Option<FlatProduct> {
        let mut flat = FlatProduct { number: 1.0, sums: Vec::new(), factors: Vec::new(), load: FactorLoad::default() };
        let mut parts = Vec::new();
        flat.group(term, &[], enclosing, &mut parts);
        let all = flat.sums.len();
        let common = |part: ScopedFactor| {
            let inner = part.under.len() as u32;
            let to = |i: u32| match inner.checked_sub(i + 1) {
                Some(k) => part.under[k as usize] as u32,
                None => i - inner + all as u32,
            };
            (part.term.rename(to), part.role)
        };
        flat.factors = parts.into_iter().map(common).collect();
        (all > 0).then_some(flat)
    }

    /// What stands directly under the innermost of these sums: its factors, and the sums among them.
    fn group(&mut self, term: &Term, under: &[usize], enclosing: &EnclosingMarks, parts: &mut Vec<ScopedFactor>) {
        let mut waiting = vec![(term.clone(), FactorRole::Above)];
        let (mut own, mut number) = (0, 1.0);
        while let Some((next, role)) = waiting.pop() {
            if role == FactorRole::Above && parts.len() + waiting.len() < MAX_OPERANDS {
                let product = Product::of(&next);
                // A product of one factor, and no number, is that factor itself: there is nothing to take apart.
                if product.number != 1.0 || product.factors.len() + product.divisors.len() != 1 {
                    number *= product.number;
                    // Pushed backwards, so that they come off the stack from left to right, factors before divisors.
                    waiting.extend(product.divisors.into_iter().rev().map(|t| (t, FactorRole::Below)));
                    waiting.extend(product.factors.into_iter().rev().map(|t| (t, FactorRole::Above)));
                    continue;
                }
                if let View::If(c, then, other) = next.view()
                    && is_zero(&other)
                {
                    waiting.extend([(then, FactorRole::Above), (c, FactorRole::Condition)]);
                    continue;
                }
            }
            own += 1;
            match SumParts::of(&next).filter(|_| role == FactorRole::Above) {
                Some(sum) => {
                    let inner: Vec<usize> = under.iter().copied().chain([self.sums.len()]).collect();
                    self.sums.push(sum.clone());
                    self.group(&sum.body, &inner, enclosing, parts);
                }
                None => parts.push(ScopedFactor { term: next, role, under: under.to_vec() }),
            }
        }
        self.number *= number;
        let loops = loops([term], under.len() as u32, enclosing).len();
        self.load.add(loops, own + usize::from(number != 1.0 && !under.is_empty()));
    }

    /// The same product, each sum as soon as it costs least; and its load.
    fn summed(&self, enclosing: &EnclosingMarks) -> Option<(Term, FactorLoad)> {
        let all = self.sums.len() as u32;
        let mut factors = self.factors.clone();
        let mut left: Vec<u32> = (0..all).collect();
        let mut load = FactorLoad::default();
        while !left.is_empty() {
            let reach = |s: u32| loops(mentioning(&factors, s).map(|(t, _)| t), all, enclosing).len();
            // Backwards, because of equal ones the first is taken: inner sums have higher numbers than those around them.
            let next = (0..left.len()).rev().min_by_key(|k| reach(left[*k]))?;
            let s = left.remove(next);
            let (group, others): (Vec<_>, Vec<_>) = factors.into_iter().partition(|(t, _)| t.free_at(s).is_some());
            load.add(loops(group.iter().map(|(t, _)| t), all, enclosing).len().max(1), group.len().max(1));
            let body = product(1.0, &group)?.rename(|i| if i == s { 0 } else { i + 1 });
            factors = others;
            factors.push((SumParts { body, ..self.sums[s as usize].clone() }.term()?, FactorRole::Above));
        }
        load.add(loops(factors.iter().map(|(t, _)| t), all, enclosing).len(), factors.len());
        Some((product(self.number, &factors)?.lower(all)?, load))
    }
}

fn mentioning(factors: &[(Term, FactorRole)], s: u32) -> impl Iterator<Item = &(Term, FactorRole)> {
    factors.iter().filter(move |(t, _)| t.free_at(s).is_some())
}

/// The loop variables in terms under so many sums.
pub(super) fn loops<'a>(
    terms: impl IntoIterator<Item = &'a Term>,
    sums: u32,
    enclosing: &EnclosingMarks,
) -> BTreeSet<u32> {
    let counts = |i: &u32| *i < sums || enclosing.counts(*i - sums);
    terms.into_iter().flat_map(|t| t.free().map(|(i, _)| i).collect::<Vec<u32>>()).filter(counts).collect()
}

/// The product of these, below the conditions among them.
fn product(number: f64, factors: &[(Term, FactorRole)]) -> Option<Term> {
    let of = |role: FactorRole| factors.iter().filter(move |(_, r)| *r == role).map(|(t, _)| t.clone());
    let all =
        Product { number: 1.0, factors: of(FactorRole::Above).collect(), divisors: of(FactorRole::Below).collect() };
    let below = |inner: Term, c: Term| Term::if_else(c, inner, Term::real(0.0)).ok();
    let chosen = of(FactorRole::Condition).collect::<Vec<Term>>().into_iter().rev().try_fold(all.term()?, below)?;
    if number == 1.0 {
        return Some(chosen);
    }
    let mut whole = Product::of(&chosen);
    whole.number *= number;
    whole.term()
}
