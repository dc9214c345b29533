//! What is shown to be an index is one at every size and for every index, by counting all of them.

use redexter::ground::{Name, Random};
use redexter::term::{Kind, Prim, RangeProver, Size, SizeBounds, Term, Type, View};

const OPERATORS: [Prim; 7] = [Prim::Add, Prim::Add, Prim::Sub, Prim::Sub, Prim::Mul, Prim::Quot, Prim::Rem];

fn open(name: &str) -> Size {
    Size::var(&Name::new(name))
}

/// Two indices, below these sizes.
fn index(k: u32, sizes: &[Size; 2]) -> Term {
    let below = &sizes[1 - k as usize];
    Term::unary(Prim::ToInt, Term::var(k, &Type::fin(below.clone()))).expect("an index")
}

fn grown(random: &mut Random, sizes: &[Size; 2], fuel: u32) -> Term {
    if fuel == 0 || random.chance(25) {
        return match random.below(6) {
            0 | 1 => index(0, sizes),
            2 => index(1, sizes),
            3 => Term::size_value(&open("n")),
            4 => Term::size_value(&open("m")),
            _ => Term::int(random.below(3) as i64),
        };
    }
    let (a, b) = (grown(random, sizes, fuel - 1), grown(random, sizes, fuel - 1));
    Term::binary(*random.pick(&OPERATORS), a, b).expect("numbers")
}

/// The value of a number, without wrapping; nothing of a division by 0.
fn value(term: &Term, sizes: &[(Name, i128)], indices: [i128; 2]) -> Option<i128> {
    let View::Prim(prim, operands) = term.view() else {
        return match term.kind() {
            Kind::Int(k) => Some((*k).into()),
            Kind::SizeVar(name) => sizes.iter().find(|(known, _)| known == name).map(|(_, value)| *value),
            _ => None,
        };
    };
    if prim == Prim::ToInt {
        let View::Var(k) = operands[0].view() else { return None };
        return Some(indices[1 - k as usize]);
    }
    let (a, b) = (value(&operands[0], sizes, indices)?, value(&operands[1], sizes, indices)?);
    match prim {
        Prim::Add => Some(a + b),
        Prim::Sub => Some(a - b),
        Prim::Mul => Some(a * b),
        Prim::Quot => (b != 0).then(|| a.div_euclid(b)),
        Prim::Rem => (b != 0).then(|| a.rem_euclid(b)),
        _ => None,
    }
}

fn at(size: &Size, sizes: &[(Name, i128)]) -> i128 {
    let number = Term::size_value(size);
    value(&number, sizes, [0, 0]).expect("a size")
}

/// Sizes from the bounds up, and the indices below what is mentioned, at which a number isn't from 0 and below a size.
fn counterexample(number: &Term, below: &Size, of: &[Size; 2], bounds: &SizeBounds) -> Option<String> {
    let names = [Name::new("n"), Name::new("m")];
    let least = |name: &Name| i128::from(bounds.lower(name));
    for n in least(&names[0])..6 {
        for m in least(&names[1])..6 {
            let sizes = [(names[0].clone(), n), (names[1].clone(), m)];
            // An index that isn't in the number has no say, and needn't exist.
            let all = |k: u32, size: &Size| match number.free_at(k) {
                Some(_) => 0..at(size, &sizes),
                None => 0..1,
            };
            for i in all(1, &of[0]) {
                for j in all(0, &of[1]) {
                    let found = value(number, &sizes, [i, j]);
                    if !found.is_some_and(|x| (0..at(below, &sizes)).contains(&x)) {
                        return Some(format!(
                            "{number:?} at n = {n}, m = {m}, {i}, {j} is {found:?}, not below {below}"
                        ));
                    }
                }
            }
        }
    }
    None
}

#[test]
fn what_is_shown_is_so() {
    let mut random = Random::new(1);
    let (n, m) = (open("n"), open("m"));
    let of_both = |size: Option<Size>| size.expect("a small size");
    let two = Size::literal(2);
    let all = [
        n.clone(),
        m.clone(),
        of_both(n.times(&m)),
        of_both(n.plus(&Size::literal(1))),
        of_both(n.plus(&m)),
        of_both(n.times(&two)),
        of_both(n.times(&n)),
    ];
    let mut shown = 0;
    for _ in 0..40_000 {
        let of = [random.pick(&all).clone(), random.pick(&all).clone()];
        let number = grown(&mut random, &of, 3);
        let mut bounds = SizeBounds::default();
        for name in ["n", "m"] {
            bounds.require(&Name::new(name), random.below(3) as u64);
        }
        let below = random.pick(&all).clone();
        if RangeProver::new(&bounds, &[None, None]).is_index(&number, &below).is_ok() {
            shown += 1;
            let wrong = counterexample(&number, &below, &of, &bounds);
            assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        }
    }
    assert!(shown > 2_000, "only {shown} of the numbers are indices");
}
