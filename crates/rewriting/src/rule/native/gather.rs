//! Makes one addend of several: factors out what they have in common, and merges sums of as many iterations (loop fusion).

use rustc_hash::{FxHashMap, FxHashSet};

use super::fold_parts::SumParts;
use super::ring::{Product, SUM_HEADS, addends, is_real, total};
use crate::rule::footprint::{BELOW, Inspection};
use crate::rule::record::NativeStatement::{Text, Words};
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::term::{Kind, Prim, Term};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "gather",
        params: &[],
        group: "Sums and products",
        law: Text(&["a * b + a * c --> a * (b + c)", "b / a + c / a --> (b + c) / a"]),
        condition: "anywhere in a sum, whatever the order and grouping of its products; the two addends that have most \
                    in common",
        doc: "Multiplies once what two addends have in common: factor for sums and products of any length. Undoes \
              distributeOneHot.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: SUM_HEADS, guard: is_real, ..BELOW },
        left_sides: &[
            "a * b + c * a",
            "b / a - c / a",
            "a * b * c + (d - b * c)",
            "a + a * b",
            "-(a * b) - a * c",
            "2 * a * b - 3 * a",
        ],
        examples: &[
            ("fun (u v w : real) => v * w + w * u", "fun (u v w : real) => w * (v + u)"),
            ("fun (u v w : real) => v / w - 2 * u / w", "fun (u v w : real) => (v - 2 * u) / w"),
        ],
        refused: for_tests(&["fun (u v w : real) => v * w + u", "fun (u v w : real) => v / w + w * u"]),
        function: |focus, _| gather(focus.term).ok_or(Reason::native("no sum with two addends that share a factor")),
    },
    NativeRule {
        name: "sumMerge",
        params: &[],
        group: "Sums and products",
        law: Words("c * Σ_i e + c * Σ_i f --> c * Σ_i (e + f), where Σ_i e is ifold n (fun a i => a + e) 0"),
        condition: "c is a number; anywhere in a sum; both sums have the same number of rounds",
        doc: "Runs one loop instead of two, and shows gather what both have in common. Undoes ifoldSplitSum; sumOneHot \
              and sumOrder should have come first.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: SUM_HEADS, guard: is_real, ..BELOW },
        left_sides: &[
            "ifold n (fun a i => a + e(i)) 0 + ifold n (fun a i => a + f(i)) 0",
            "b - 2 * ifold n (fun a i => a + e(i)) 0 + ifold n (fun a i => a + f(i)) 0 * 2",
            "ifold n (fun a i => a + e(i)) 0 - (ifold n (fun a i => a + f(i)) 0 - b)",
        ],
        examples: &[(
            "fun (v w : array n real) (u : real) => 2 * ifold n (fun a i => a + v[i]) 0 + u - 2 * ifold n (fun a \
             i => a + w[i]) 0",
            "fun (v w : array n real) (u : real) => 2 * ifold n (fun a i => a + (v[i] - w[i])) 0 + u",
        )],
        refused: for_tests(&[
            "fun (v w : array n real) => ifold n (fun a i => a + v[i]) 0 + 2 * ifold n (fun a i => a + w[i]) 0",
            "fun (v : array n real) (w : array m real) => ifold n (fun a i => a + v[i]) 0 + ifold m (fun a i => a \
             + w[i]) 0",
        ]),
        function: |focus, _| merge(focus.term).ok_or(Reason::native("no sum with two sums of as many rounds")),
    },
];

/// The addends of a sum of reals.
fn sum(term: &Term) -> Option<Vec<(bool, Term)>> {
    let is_sum = matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub)) && is_real(term);
    is_sum.then(|| addends(term))
}

/// The sum with two addends replaced by one.
fn replaced(mut all: Vec<(bool, Term)>, first: usize, second: usize, one: Term) -> Option<Term> {
    all[first] = (false, one);
    all.remove(second);
    total(all)
}

fn gather(term: &Term) -> Option<Term> {
    let all = sum(term)?;
    let products: Vec<Product> = all.iter().map(|(_, addend)| Product::of(addend)).collect();
    let mut best: Option<(u64, usize, usize, Product)> = None;
    let mut seen: FxHashMap<(&[Term], &[Term]), usize> = FxHashMap::default();
    let mut holding: FxHashMap<(&Term, bool), Vec<usize>> = FxHashMap::default();
    for (j, second) in products.iter().enumerate() {
        // Behind two equal products a third makes no pair that comes first.
        let equal = seen.entry((&second.factors, &second.divisors)).or_default();
        *equal += 1;
        if *equal > 2 {
            continue;
        }
        let factors = second.factors.iter().map(|factor| (factor, false));
        let parts: FxHashSet<(&Term, bool)> = factors.chain(second.divisors.iter().map(|d| (d, true))).collect();
        let mut partners: Vec<usize> = parts.iter().filter_map(|part| holding.get(part)).flatten().copied().collect();
        partners.sort_unstable();
        partners.dedup();
        for i in partners {
            let first = &products[i];
            let both = Product {
                number: 1.0,
                factors: common(&first.factors, &second.factors),
                divisors: common(&first.divisors, &second.divisors),
            };
            let common = both.factors.iter().chain(&both.divisors);
            let size = common.fold(0u64, |size, term| size.saturating_add(term.size()));
            // Strictly more, so that the first of equal pairs is taken.
            if size > best.as_ref().map_or(0, |(most, ..)| *most) {
                best = Some((size, i, j, both));
            }
        }
        for part in parts {
            holding.entry(part).or_default().push(j);
        }
    }
    let (_, i, j, both) = best?;
    let rest = |k: usize| {
        let (minus, product) = (all[k].0, &products[k]);
        let rest = Product {
            number: product.number.abs(),
            factors: without(&product.factors, &both.factors),
            divisors: without(&product.divisors, &both.divisors),
        };
        Some((minus != product.number.is_sign_negative(), rest.term()?))
    };
    let mut one = both.clone();
    one.factors.push(total(vec![rest(i)?, rest(j)?])?);
    replaced(all.clone(), i, j, one.term()?)
}

/// What is in both, as often as it is in both.
fn common(a: &[Term], b: &[Term]) -> Vec<Term> {
    let mut left = b.to_vec();
    let found = |t: &&Term| left.iter().position(|other| other == *t).map(|k| left.remove(k)).is_some();
    a.iter().filter(found).cloned().collect()
}

fn without(all: &[Term], some: &[Term]) -> Vec<Term> {
    let mut left = some.to_vec();
    let stays = |t: &&Term| left.iter().position(|other| other == *t).map(|k| left.remove(k)).is_none();
    all.iter().filter(stays).cloned().collect()
}

fn merge(term: &Term) -> Option<Term> {
    let all = sum(term)?;
    let mut known: Vec<(usize, f64, SumParts)> = Vec::new();
    for (k, (minus, addend)) in all.iter().enumerate() {
        let product = Product::of(addend);
        let ([only], []) = (&product.factors[..], &product.divisors[..]) else { continue };
        let Some(sum) = SumParts::of(only) else { continue };
        let number = if *minus { -product.number } else { product.number };
        // The sign may differ, because it goes into the merged sum's body.
        let like = |(_, n, other): &&(usize, f64, SumParts)| n.abs() == number.abs() && other.n == sum.n;
        if let Some((first, n, other)) = known.iter().find(like) {
            let body = total(vec![(*n < 0.0, other.body.clone()), (number < 0.0, sum.body)])?;
            let sum = SumParts { body, ..other.clone() }.term()?;
            let one = Product { number: number.abs(), factors: vec![sum], divisors: Vec::new() };
            return replaced(all.clone(), *first, k, one.term()?);
        }
        known.push((k, number, sum));
    }
    None
}
