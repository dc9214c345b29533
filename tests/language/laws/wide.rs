//! Nodes with more variables than are held in place, against the same made anew and naive counterparts.

use redexter::ground::{Name, Random};
use redexter::term::{Prim, Term, Type};

use crate::laws::equality::count;
use crate::laws::named::Fresh;

fn two(op: Prim, a: Term, b: Term) -> Term {
    Term::prim(op, vec![a, b]).expect("reals")
}

/// A term with up to 60 variables, in sums, products and lets; every other one of them is an `int`.
fn wide(seed: u64) -> Term {
    let mut random = Random::new(seed);
    let variable = |random: &mut Random| match random.below(60) as u32 {
        index if index % 2 == 0 => Term::var(index, &Type::real()),
        index => Term::prim(Prim::ToReal, vec![Term::var(index, &Type::int())]).expect("an int"),
    };
    let mut row: Vec<Term> = (0..90).map(|_| variable(&mut random)).collect();
    while row.len() > 1 {
        let a = row.remove(random.below(row.len()));
        let b = row.remove(random.below(row.len()));
        let joined = match random.below(3) {
            0 => two(Prim::Add, a, b),
            1 => two(Prim::Mul, a, b),
            _ => {
                let body = two(Prim::Add, Term::var(0, &Type::real()), b.shift(1));
                Term::let_in(&Name::new("x"), a, body).expect("a real")
            }
        };
        row.push(joined);
    }
    row.remove(0)
}

#[test]
fn a_node_knows_all_its_variables_in_the_order_of_their_first_occurrence() {
    for seed in 0..40 {
        let term = wide(seed);
        let mut counted = std::collections::HashMap::new();
        count(&term, 0, &mut counted);
        assert_eq!(term.free().map(|(i, f)| (i, f.count)).collect::<std::collections::HashMap<_, _>>(), counted);
        assert!(counted.len() > 30, "{} variables", counted.len());
        let mut met = Vec::new();
        first_met(&term, 0, &mut met);
        assert_eq!(term.free().map(|(i, _)| i).collect::<Vec<u32>>(), met);
        for (index, free) in term.free() {
            assert_eq!(*free.ty, if index % 2 == 0 { Type::real() } else { Type::int() });
        }
    }
}

fn first_met(term: &Term, under: u32, met: &mut Vec<u32>) {
    if let (0, Some((index, _))) = (term.kid_count(), term.free().next())
        && let Some(outer) = index.checked_sub(under)
        && !met.contains(&outer)
    {
        met.push(outer);
    }
    (0..term.kid_count()).for_each(|k| first_met(&term.kid(k), under + term.kind().binders(k), met));
}

#[test]
fn a_replaced_child_makes_what_is_made_anew() {
    for seed in 0..40 {
        let (term, other) = (wide(seed), wide(seed + 1_000));
        for k in 0..term.kid_count() {
            // Another mention of what is there, other variables, and the same ones in another order.
            let (kid, under) = (term.kid(k), term.kind().binders(k));
            let (real, other) = (Term::var(60 + under, &Type::real()), other.shift(2 + under));
            let mirrored = two(Prim::Add, real.clone(), kid.clone());
            for new in [two(Prim::Add, kid.clone(), real), mirrored, two(Prim::Mul, other, kid.clone()), kid] {
                let mut kids = term.kids();
                kids[k] = new.clone();
                let anew = term.with_kids(kids).expect("a real");
                let replaced = term.with_kid(k, new).expect("a real");
                assert_eq!(replaced, anew);
                assert_eq!(
                    (replaced.size(), replaced.depth(), replaced.shape()),
                    (anew.size(), anew.depth(), anew.shape())
                );
                let known = |term: &Term| term.free().map(|(i, f)| (i, f.count, f.looped)).collect::<Vec<_>>();
                assert_eq!(known(&replaced), known(&anew));
            }
        }
    }
}

#[test]
fn a_variable_is_one_type_wherever_it_stands() {
    for seed in 0..40 {
        let term = wide(seed);
        let (index, _) = term.free().find(|(index, _)| index % 2 == 0).expect("a real");
        let wrong = Term::prim(Prim::ToReal, vec![Term::var(index, &Type::int())]).expect("an int");
        assert!(Term::prim(Prim::Add, vec![term.clone(), wrong.clone()]).is_err());
        assert!(Term::prim(Prim::Add, vec![wrong.clone(), term.clone()]).is_err());
        assert!(Term::let_in(&Name::new("x"), Term::int(0), term.rename(|i| (i + 60 - index) % 60)).is_err());
        assert!(Term::lam(&Name::new("x"), &Type::int(), term.rename(|i| (i + 60 - index) % 60)).is_err());
    }
}

#[test]
fn a_value_takes_the_place_of_one_variable_among_many() {
    for seed in 0..40 {
        let term = wide(seed);
        let (met, _) = term.free().find(|(index, _)| index % 2 == 0).expect("a real");
        for (index, free) in term.free().filter(|(index, _)| index % 2 == 0) {
            // The variable first, the others behind it.
            let body = term.rename(|i| if i == index { 0 } else { i + 1 });
            // One that doesn't occur yet, and one that mostly does.
            for to in [70, met] {
                let found = body.instantiate(&Term::var(to, &Type::real())).expect("a real");
                let expected = Fresh::default().named(&term).replace(&|name| {
                    (name == format!("free {index}")).then(|| crate::laws::named::Named::Var(format!("free {to}")))
                });
                assert!(Fresh::default().named(&found).alpha(&expected), "{free:?} in {term:?}");
                let mut counted = std::collections::HashMap::new();
                count(&found, 0, &mut counted);
                assert_eq!(
                    found.free().map(|(i, f)| (i, f.count)).collect::<std::collections::HashMap<_, _>>(),
                    counted
                );
            }
        }
    }
}
