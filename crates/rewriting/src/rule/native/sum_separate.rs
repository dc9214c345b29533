//! Splits a sum over products that have a sum among their factors into several sums (loop distribution), each of which fewer
//! loops repeat.

use super::fold_parts::{SUM_INSPECTION, SumParts};
use super::ring::{Product, addends, is_real, total};
use super::sum_order::loops;
use crate::rule::condition::EnclosingMarks;
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::Term;

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "sumSeparate",
    params: &[],
    group: "Sums",
    law: Words(
        "Σ_i (c(i) * (f(i) + d * g(i))) --> Σ_i (c(i) * f(i)) + d * Σ_i (c(i) * g(i)), and so for any number of addends, \
              where Σ_i e is ifold n (fun a i => a + e) 0",
    ),
    condition: "each of the sums mentions fewer enclosing loop variables than the whole",
    doc: "Multiplies a sum out where an outer loop repeats what its parts have alone: tabulate then takes each part out of \
          that loop. What is left behind a normalisation has this form.",
    exactness: Exactness::Reassociating,
    inspects: SUM_INSPECTION,
    left_sides: &[
        "build m (fun p => ifold n (fun a i => a + c(i) * (f(i) + d(p) * g(i))) 0)",
        "build m (fun p => ifold n (fun a i => a + (f(i) / h(p) - g(i)) / c(i)) 0)",
        "build m (fun p => ifold n (fun a i => a + -2 * (f(i) - d(p) + g(i) * d(p)) * c(i) * e(p)) 0)",
    ],
    examples: &[
        (
            "fun (u v : array n real) (w : array m real) => build m (fun p => ifold n (fun a i => a + v[i] * (u[i] - v[i] * \
             w[p])) 0)",
            "fun (u v : array n real) (w : array m real) => build m (fun p => ifold n (fun a i => a + v[i] * u[i]) 0 - w[p] * \
             ifold n (fun a i => a + v[i] * v[i]) 0)",
        ),
        (
            "fun (v : array n real) (w : array m real) => build m (fun p => ifold n (fun a i => a + (v[i] - w[p])) 0)",
            "fun (v : array n real) (w : array m real) => build m (fun p => ifold n (fun a i => a + v[i]) 0 - w[p] * ifold n \
             (fun a i => a + 1) 0)",
        ),
    ],
    refused: for_tests(&[
        "fun (u v w : array n real) => ifold n (fun a i => a + v[i] * (u[i] - w[i])) 0",
        "fun (v : array n real) (w : array m (array n real)) => build m (fun p => ifold n (fun a i => a + (v[i] - w[p][i])) 0)",
        "fun (v : array n real) (w : array m real) => build m (fun p => ifold n (fun a i => a + (v[i] - w[p]) * (v[i] - w[p])) \
             0)",
    ]),
    function: |focus, _| {
        separate(focus).ok_or(Reason::native("no sum that comes apart into sums which fewer loops repeat"))
    },
}];

/// A sum to be: the product that stands before it, and the addends under its index.
struct AddendGroup {
    outside: Product,
    addends: Vec<(bool, Term)>,
}

fn separate(focus: &Focus) -> Option<Term> {
    let sum = SumParts::of(focus.term).filter(|_| is_real(focus.term))?;
    let enclosing = EnclosingMarks::at(focus, &[]);
    let reach = |terms: &mut dyn Iterator<Item = &Term>| loops(terms, 1, &enclosing).len();
    let whole = reach(&mut std::iter::once(&sum.body));
    let product = Product::of(&sum.body);
    let apart = |at: usize| {
        let groups = groups(&product, at)?;
        let is_less = |group: &AddendGroup| reach(&mut group.addends.iter().map(|(_, addend)| addend)) < whole;
        (groups.len() > 1 && groups.iter().all(is_less)).then_some(groups)
    };
    let groups = (0..product.factors.len()).find_map(apart)?;
    let all = groups.into_iter().map(|AddendGroup { mut outside, addends }| {
        // If each is subtracted the whole sum is, so that its body begins with no sign.
        let is_negative = addends.iter().all(|(minus, _)| *minus);
        let body = total(addends.into_iter().map(|(minus, addend)| (minus != is_negative, addend)).collect())?;
        // What stands outside is still in the scope of the sum's index, which none of it mentions and all of it leaves below.
        outside.factors.push(SumParts { body, ..sum.clone() }.term()?.shift(1));
        Some((is_negative, outside.term()?.lower(1)?))
    });
    total(all.collect::<Option<Vec<(bool, Term)>>>()?)
}

/// The product, multiplied out over the factor at a place, by what doesn't mention variable 0.
fn groups(product: &Product, at: usize) -> Option<Vec<AddendGroup>> {
    let all = addends(&product.factors[at]);
    if all.len() < 2 {
        return None;
    }
    let mut groups: Vec<AddendGroup> = Vec::new();
    for (minus, addend) in all {
        let mut each = product.clone();
        each.factors.remove(at);
        let Product { number, factors, divisors } = Product::of(&addend);
        each.number *= number;
        each.factors.extend(factors);
        each.divisors.extend(divisors);
        let [inside, outside] = parted(each);
        let same = |group: &&mut AddendGroup| {
            (&group.outside.factors, &group.outside.divisors) == (&outside.factors, &outside.divisors)
        };
        let inside = (minus != inside.number.is_sign_negative(), positive(inside).term()?);
        match groups.iter_mut().find(same) {
            Some(group) => group.addends.push(inside),
            None => groups.push(AddendGroup { outside, addends: vec![inside] }),
        }
    }
    Some(groups)
}

fn positive(product: Product) -> Product {
    Product { number: product.number.abs(), ..product }
}

/// What mentions variable 0, with the number, and what doesn't.
fn parted(product: Product) -> [Product; 2] {
    let mentions = |term: &Term| term.free_at(0).is_some();
    let (factors, outer) = product.factors.into_iter().partition(mentions);
    let (divisors, below) = product.divisors.into_iter().partition(mentions);
    [Product { number: product.number, factors, divisors }, Product { number: 1.0, factors: outer, divisors: below }]
}
