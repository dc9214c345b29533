//! Large and deep terms: they are read, moved, compared, printed and dropped, and people see a summary.

use redexter::cost;
use redexter::ground::{Name, Random, with_stack};
use redexter::render::{PageLayout, paged};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Assignment, Prim, Size, SizeAtom, Term, Type, TypeMemo, TypeView};

use crate::laws::host::TestHost;
use crate::laws::{deep, large, model};

/// How deep terms are here: three times the usual limit.
const DEEP: u32 = 300_000;

fn main_of(host: &TestHost, text: &str) -> Term {
    model(host, text).expect("a model").program("main", &host.budget).expect("a term").term
}

#[test]
fn large_models_are_read_and_print_back() {
    deep(|| {
        let host = TestHost::new();
        let texts = [
            (large::map_chain(4_000), 20_000),
            (large::wide_tree(14), 32_000),
            (large::let_chain(5_000), 24_000),
            (large::polynomial(10_000), 20_000),
        ];
        for (text, least) in texts {
            let term = main_of(&host, &text);
            assert!(term.size() >= least && term.size() < 2 * least, "{} nodes", term.size());
            let printed = print_term(&term, &PrintStyle::default());
            assert_eq!(host.term(&printed).expect("what was printed").term, term);
        }
    });
}

#[test]
fn people_see_the_beginning_of_a_long_term() {
    deep(|| {
        let term = main_of(&TestHost::new(), &large::let_chain(5_000));
        let whole = paged(&term, PageLayout::from(100)).into_text();
        let brief = paged(&term, PageLayout { width: 100, rest: Some("`:show` prints all of it") }).into_text();
        let lines: Vec<&str> = brief.lines().collect();
        let (beginning, facts) = lines.split_at(lines.len() - 3);
        assert!(beginning.len() <= 20 && whole.lines().zip(beginning).all(|(a, b)| a == *b), "{brief}");
        assert_eq!(facts[0], format!("… {} nodes, 5004 deep; `:show` prints all of it", term.size()));
        assert_eq!(facts[1..], ["type: real -> real", "work: 9999"]);
        assert!(whole.lines().count() > 5_000);
        let short = main_of(&TestHost::new(), &large::let_chain(5));
        assert_eq!(paged(&short, PageLayout { width: 100, rest: Some("") }), paged(&short, PageLayout::from(100)));
    });
}

/// `DEEP` binders and operators over each other, in the scope of `v : array n real` (1) and `i : fin n` (2).
fn tower(value: &Term) -> Term {
    let mut body = value.clone();
    let n = Size::var(&Name::new("n"));
    let v = Term::var(1, &Type::array(n.clone(), Type::real()));
    let i = Term::var(2, &Type::fin(n));
    let element = Term::get(v, i).expect("an element");
    for k in 0..DEEP / 2 {
        let sum = Term::binary(Prim::Add, element.clone(), body).expect("a sum");
        body = match k % 2 {
            0 => Term::let_in(&Name::new("y"), element.clone(), sum.shift(1)).expect("a let"),
            _ => Term::unary(Prim::Neg, sum).expect("a negation"),
        };
    }
    body
}

#[test]
fn deep_terms_are_built_moved_compared_and_dropped_on_a_small_stack() {
    let x = Term::var(0, &Type::real());
    let (one, two) = (tower(&x), tower(&x));
    assert_eq!(one.depth(), DEEP + 2);
    assert_eq!(one.shape(), two.shape());
    assert!(one == two && one != tower(&Term::real(0.0)));
    assert_eq!(one.shift(3).lower(3).expect("no variable is lost"), two);
    let held = one.kid(0);
    drop(one);
    assert_eq!(held.depth(), DEEP + 1);
}

struct ByTwo;

impl Assignment for ByTwo {
    fn size(&self, _: &SizeAtom) -> Option<Size> {
        Some(Size::literal(2))
    }
    fn ty(&self, _: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        None
    }
}

#[test]
fn deep_terms_are_substituted_in_printed_and_measured_on_a_stack_for_their_depth() {
    let work = || {
        let term = tower(&Term::var(0, &Type::real()));
        let five = term.instantiate(&Term::real(5.0)).expect("a real");
        assert_eq!((five.occurrences(0), five.depth()), (term.occurrences(1), DEEP + 2));
        let types: Vec<(u32, Type)> = term.free().map(|(i, f)| (i, f.ty.clone())).collect();
        let same = |i: u32| Term::var(i, &types.iter().find(|(j, _)| *j == i).expect("a variable").1);
        assert_eq!(term.substitute(&same).expect("variables of their types"), term);
        let mut closed = term.assign(&ByTwo).expect("a size");
        assert!(!closed.is_open() && closed.size() == term.size());
        for name in ["x", "v", "i"] {
            let ty = closed.free_at(0).expect("a variable").ty.clone();
            closed = Term::lam(&Name::new(name), &ty, closed).expect("a function");
        }
        assert!(!cost::work(&closed).total().is_zero());
        assert!(format!("{closed:?}").len() > DEEP as usize);
        assert!(print_term(&closed, &PrintStyle::default()).len() > DEEP as usize);
    };
    with_stack(DEEP, work).expect("a thread");
}

#[test]
fn sizes_are_taken_away_where_they_are_there() {
    let (n, m) = (Size::var(&Name::new("n")), Size::var(&Name::new("m")));
    let literal = Size::literal;
    let sum = n.plus(&m).and_then(|sum| sum.plus(&literal(3))).expect("a size");
    assert_eq!(sum.minus(&m), n.plus(&literal(3)));
    assert_eq!(sum.minus(&literal(3)), n.plus(&m));
    assert_eq!(sum.minus(&sum), Some(literal(0)));
    let twice = n.plus(&n).expect("a size");
    for more in [literal(4), twice, n.times(&m).expect("a size")] {
        assert_eq!(sum.minus(&more), None, "{more}");
    }
}

/// A sum of products of three variables with small coefficients.
fn any_size(random: &mut Random) -> Size {
    let names = ["k", "m", "n"].map(|name| Size::var(&Name::new(name)));
    let product = |random: &mut Random| {
        let factors = (0..random.below(3)).map(|_| random.pick(&names).clone()).collect::<Vec<_>>();
        let number = Size::literal(1 + random.below(3) as u64);
        factors.iter().fold(number, |product, factor| product.times(factor).expect("a size"))
    };
    (0..random.below(3)).fold(product(random), |sum, _| sum.plus(&product(random)).expect("a size"))
}

#[test]
fn a_product_of_sizes_is_divided_by_its_factors() {
    let mut random = Random::new(5);
    let mut longer = 0;
    for _ in 0..2_000 {
        let (a, b, rest) = (any_size(&mut random), any_size(&mut random), any_size(&mut random));
        let product = a.times(&b).expect("a size");
        assert_eq!(product.divide(&a), Some(b.clone()), "({product}) / ({a})");
        longer += usize::from(a.terms().count() > 1 && b.terms().count() > 1);
        // What isn't a multiple isn't divided, and what is divided is one.
        let other = product.plus(&rest).expect("a size");
        assert!(
            other.divide(&a).is_none_or(|quotient| quotient.times(&a).as_ref() == Some(&other)),
            "({other}) / ({a})"
        );
    }
    assert!(longer > 500, "{longer}");
    let (n, one) = (Size::var(&Name::new("n")), Size::literal(1));
    let more = n.plus(&one).expect("a size");
    assert_eq!(n.divide(&more), None);
    assert_eq!(n.times(&n).expect("a size").plus(&one).expect("a size").divide(&more), None);
    assert_eq!(n.divide(&Size::literal(0)), None);
}
