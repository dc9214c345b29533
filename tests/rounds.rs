//! Repetitions of searches on generated programs: the engine goes on where a round left off, with the steps of the
//! reference interpreter, which begins anew.

#[path = "support/account.rs"]
mod account;
#[allow(dead_code)]
#[path = "support/book.rs"]
mod book;

use std::collections::BTreeMap;

use account::compare_within;
use book::{World, at_one};
use redexter::ground::{Budget, Limits, Name, Random, with_stack};
use redexter::rule::{Pattern, Rule};
use redexter::strategy::{Strategy, Unary};
use redexter::term::{Bounds, Prim, Program, Size, Slot, Term, Type};
use redexter_oracle::cases;

/// Rules of the book that feed each other.
const BOOK: &[&str] = &[
    "beta",
    "getBuild",
    "letSubst",
    "letSubstSafe",
    "letSubstN",
    "letSubstCheap",
    "letDead",
    "letLet",
    "letPair",
    "letFloat",
    "letSwap",
    "letSwapPrimal",
    "letCse",
    "letLinear",
    "fstPair",
    "sndPair",
    "fstLet",
    "sndLet",
    "getLet",
    "addZero",
    "mulOne",
    "mulZero",
    "distribute",
    "ifoldPeel",
    "ifFloat",
    "ifSame",
    "cse",
    "constFoldArithmetic",
];

/// Rules that ask about all that a failure may hang on; what they mean doesn't matter.
const OWN: &[&str] = &[
    "n1 = `-sin a --> -cos a`",
    "n2 = `cos a --> sin a`",
    "n3 = `sin(a + b) --> cos a + b`",
    "n4 = `a + a --> 2.0 * a`",
    "n5 = `a * a --> sin a`",
    "n6 = `let x := a; b(x) --> b(a)` where cheap(x)",
    "n7 = `let x := a; sin(b(x)) --> sin(let x := a; b(x))`",
    "n8 = `let x := a; b(x) + c --> (let x := a; b(x)) + c`",
    "n9 = `let x := a; b(x) * c(x) --> (let x := a; b(x)) * (let x := a; c(x))`",
    "n10 = `(a + b) + c --> a + (b + c)`",
    "n11 = `a * b --> b * a`",
    "n12 = `a + b --> b + a`",
    "n13 = `let x := a; let y := b(x); c(y) --> let y := (let x := a; b(x)); c(y)`",
    "n14 = `let x := a; b(x) --> b(a)` where looped(x)",
    "n15 = `let x := a; b(x) --> b(a)` where not looped(x), safe(x)",
    "n16 = `a - a --> 0.0`",
    "n17 = `let x := a; (let y := b(x); c(x, y)) + d --> (let x := a; let y := b(x); c(x, y)) + d`",
    "n18 = `let x := a; b(x) --> b(a)` where not cheap(x), zero(a)",
    "n19 = `sin(let x := a; b(x)) --> let x := a; sin(b(x))`",
    "n20 = `let x := a + b; c(x) --> let x := b + a; c(x)` where not cheap(x)",
    "n21 = `(let x := a; b(x)) + c --> c + (let x := a; b(x))` where looped(x)",
    "n23 = `let x := a; b(x) --> b(a)` where matches(a, `p + q`)",
    "n24 = `let x := a; b(x) + c --> b(a) + c` where not matches(x, `p * q`), matches(c, `let y := p; q(y)`)",
    "n25 = `-(let x := a; b(x)) --> let x := a; -(b(x))` where matches(b, `p + _`)",
    "n22 = `-(let x := a; b(x)) --> let x := a; -(b(x))` where safe(x)",
];

const PATTERNS: &[&str] = &[
    "a + b",
    "a * 0.0",
    "let x := a; b(x)",
    "let x := a; b",
    "let x := a; b(x) + c",
    "let x := _; sin(_)",
    "a + a",
    "(let x := a; b(x)) * c",
    "sin(cos a)",
    "fst (a, b)",
];

/// Makes terms and strategies; the same seed gives the same ones.
struct Maker<'a> {
    random: Random,
    rules: &'a [Rule],
    pattern: &'a Pattern,
    /// Patterns that look in the ways that rules do.
    patterns: &'a [Pattern],
    serial: u64,
}

impl Maker<'_> {
    fn leaf(&mut self, scope: u32) -> Term {
        match self.random.below(3) {
            0 => Term::real([0.0, 1.0, 2.0][self.random.below(3)]),
            _ if scope > 0 => Term::var(self.random.below(scope.min(3) as usize) as u32, &Type::real()),
            _ => Term::real([0.0, 1.0][self.random.below(2)]),
        }
    }

    /// A real in the scope of so many real variables.
    fn term(&mut self, fuel: u32, scope: u32) -> Term {
        if fuel == 0 || self.random.below(8) == 0 {
            return self.leaf(scope);
        }
        let (fuel, few) = (fuel - 1, (fuel - 1).min(2));
        let x = Name::new("x");
        let made =
            match self.random.below(14) {
                k @ 0..=4 => {
                    let prim = [Prim::Add, Prim::Add, Prim::Mul, Prim::Mul, Prim::Sub][k];
                    Term::binary(prim, self.term(fuel, scope), self.term(fuel, scope))
                }
                5 => Term::unary([Prim::Neg, Prim::Sin, Prim::Cos][self.random.below(3)], self.term(fuel, scope)),
                6..=9 => Term::let_in(&x, self.term(few, scope), self.term(fuel, scope + 1)),
                10 => Term::pair(self.term(fuel, scope), self.term(few, scope))
                    .and_then(if self.random.below(2) == 0 { Term::fst } else { Term::snd }),
                11 => Term::lam(&x, &Type::real(), self.term(fuel, scope + 1))
                    .and_then(|f| Term::app(f, self.term(few, scope))),
                12 => self.element(fuel, scope),
                _ => Term::binary(Prim::Lt, self.term(few, scope), self.term(few, scope))
                    .and_then(|c| Term::if_else(c, self.term(fuel, scope), self.term(fuel, scope))),
            };
        made.expect("reals")
    }

    /// `(build 2 (fun i => e))[k]`
    fn element(&mut self, fuel: u32, scope: u32) -> Result<Term, redexter::term::IllTyped> {
        let two = Size::literal(2);
        let f = Term::lam(&Name::new("i"), &Type::fin(two.clone()), self.term(fuel, scope).shift(1))?;
        Term::get(Term::build(two.clone(), f)?, Term::fin(self.random.below(2) as u64, two)?)
    }

    fn choice(&mut self) -> Strategy {
        let most = [4, 12][self.random.below(2)];
        let one = |maker: &mut Self| Strategy::rule(&maker.rules[maker.random.below(maker.rules.len())]);
        let first = one(self);
        (0..self.random.below(most)).fold(first, |all, _| all.or(&one(self)))
    }

    fn fixed(&mut self, body: impl FnOnce(&mut Self, Strategy) -> Strategy) -> Strategy {
        self.serial += 1;
        let own = self.serial;
        let body = body(self, Strategy::free(own));
        Strategy::mu("x", own, &body)
    }

    fn search(&mut self) -> Strategy {
        let s = self.choice();
        match self.random.below(5) {
            0 | 1 => s.under(Unary::TopDown),
            2 => s.under(Unary::BottomUp),
            3 => self.fixed(|_, x| s.or(&x.under(Unary::One))),
            _ => self.fixed(|_, x| x.under(Unary::One).or(&s)),
        }
    }

    fn strategy(&mut self, fuel: u32) -> Strategy {
        let Some(fuel) = fuel.checked_sub(1) else {
            return if self.random.below(3) == 0 { self.choice() } else { self.search() };
        };
        let next = |maker: &mut Self| maker.strategy(fuel);
        match self.random.below(24) {
            20 => self.place().then(&next(self)),
            21 => self.place().or(&next(self)),
            22 => self.place().under([Unary::Not, Unary::TopDown, Unary::One][self.random.below(3)]).then(&next(self)),
            23 => {
                let k = self.random.below(self.patterns.len());
                next(self).at_match(&self.patterns[k])
            }
            0 | 1 => self.search(),
            2..=4 => next(self).or(&next(self)),
            5..=7 => next(self).under(Unary::One),
            8 => {
                let slots =
                    [Slot::LetBody, Slot::Value, Slot::Operand(0), Slot::Operand(1), Slot::Body, Slot::Function];
                next(self).child(slots[self.random.below(slots.len())])
            }
            9 => next(self).then(&next(self)),
            10 => next(self).under([Unary::Repeat1, Unary::Some][self.random.below(2)]),
            11 => next(self).under([Unary::Where, Unary::Not][self.random.below(2)]).then(&next(self)),
            12 => next(self).under([Unary::All, Unary::Cheaper, Unary::Repeat][self.random.below(3)]).then(&next(self)),
            13 => next(self).repeat_n(1 + self.random.below(3) as u64),
            14 => next(self).repeat_until(self.pattern),
            15 => next(self).under(Unary::Force),
            16 => next(self).at("body").or(&next(self)),
            17 => self.fixed(|maker, x| next(maker).or(&x.child(Slot::LetBody)).or(&x.child(Slot::Operand(0)))),
            _ => self.fixed(|maker, x| next(maker).or(&x.under(Unary::One)).or(&next(maker))),
        }
    }

    fn place(&mut self) -> Strategy {
        Strategy::pattern(&self.patterns[self.random.below(self.patterns.len())])
    }

    fn repetition(&mut self) -> Strategy {
        let fuel = self.random.below(4) as u32;
        let s = self.strategy(fuel);
        s.under([Unary::Repeat, Unary::Repeat, Unary::Repeat, Unary::Normalize, Unary::Innermost][self.random.below(5)])
    }
}

fn budget() -> Budget {
    Budget::new(Limits { max_steps: 150, max_size: 3_000, max_depth: 200 }, None)
}

fn all_agree() {
    let world = World::new();
    let rules: Vec<Rule> =
        BOOK.iter().map(|name| world.rule(name)).chain(OWN.iter().map(|text| at_one(&world.own(text)))).collect();
    let pattern = world.pattern("a - b");
    let patterns: Vec<Pattern> = PATTERNS.iter().map(|text| world.pattern(text)).collect();
    let mut tally = BTreeMap::new();
    let pairs = cases(24_000, 240_000);
    for seed in 0..pairs {
        let mut maker =
            Maker { random: Random::new(seed), rules: &rules, pattern: &pattern, patterns: &patterns, serial: 0 };
        let term = maker.term(4 + (seed % 4) as u32, 0);
        let strategy = maker.repetition();
        compare_within(&budget, &strategy, &Program { term, bounds: Bounds::default() }, &mut tally);
    }
    println!("{pairs} pairs: {tally:?}");
    assert!(tally["steps"] > pairs && tally["loop"] > 100, "{tally:?}");
    assert!(tally["success"] > pairs / 3, "{tally:?}");
}

#[test]
fn generated_repetitions_take_the_steps_of_the_reference_interpreter() {
    with_stack(2_000, all_agree).expect("a thread");
}
