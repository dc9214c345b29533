//! Random strategies as schedules have them: many rules at once, searched for everywhere, again and again; and such
//! within each other.

use std::rc::Rc;

use redexter::ground::Random;
use redexter::rule::Pattern;
use redexter::strategy::{Strategy, StrategyArgument, StrategyDefinition, Unary};
use redexter::term::Slot;

/// What strategies are made of.
pub struct Parts {
    /// Rules, and choices of rules that have a name.
    rules: Vec<Strategy>,
    /// What a repetition ends at.
    goal: Pattern,
    /// Patterns that look in the ways that rules do.
    patterns: Vec<Pattern>,
    /// Definitions with one parameter.
    definitions: Vec<Rc<StrategyDefinition>>,
}

impl Parts {
    pub fn new(rules: Vec<Strategy>, goal: Pattern, patterns: Vec<Pattern>) -> Parts {
        Parts { rules, goal, patterns, definitions: definitions() }
    }
}

/// Definitions with a strategy for their parameter, which use themselves.
fn definitions() -> Vec<Rc<StrategyDefinition>> {
    let s = Strategy::free(0);
    let define = |name: &str, body: &dyn Fn(&Strategy) -> Strategy| {
        let own = StrategyDefinition::new(name, &["s"]);
        let again = Strategy::named(&own, vec![StrategyArgument::Strategy(s.clone())]);
        assert!(own.set(&[0], &body(&again)));
        own
    };
    let by_turns = |again: &Strategy| s.under(Unary::TopDown).then(again).or(&Strategy::id());
    vec![
        define("spine", &|again| s.or(&again.child(Slot::Body)).or(&again.child(Slot::LetBody))),
        define("td", &|again| s.or(&again.under(Unary::One))),
        define("bu", &|again| again.under(Unary::One).or(&s)),
        define("norm", &by_turns),
        define("sometd", &|again| s.or(&again.under(Unary::Some))),
        define("once", &|_| s.under(Unary::TopDown)),
    ]
}

/// Makes strategies; the same seed gives the same ones.
pub struct Maker<'a> {
    random: Random,
    parts: &'a Parts,
    serial: u64,
}

impl<'a> Maker<'a> {
    pub fn new(seed: u64, parts: &'a Parts) -> Maker<'a> {
        Maker { random: Random::new(seed), parts, serial: 0 }
    }

    fn rule(&mut self) -> Strategy {
        self.parts.rules[self.random.below(self.parts.rules.len())].clone()
    }

    fn choice(&mut self) -> Strategy {
        let most = [4, 12][self.random.below(2)];
        let first = self.rule();
        let all = (0..self.random.below(most)).fold(first, |all, _| all.or(&self.rule()));
        if self.random.below(8) == 0 { self.rule().or(&self.named(&all)).or(&self.rule()) } else { all }
    }

    /// A definition without parameters that stands for this.
    fn named(&mut self, s: &Strategy) -> Strategy {
        self.serial += 1;
        let own = StrategyDefinition::new(&format!("own{}", self.serial), &[]);
        assert!(own.set(&[], s));
        Strategy::named(&own, Vec::new())
    }

    /// A definition with a parameter, of this.
    fn defined(&mut self, s: &Strategy) -> Strategy {
        let definition = &self.parts.definitions[self.random.below(self.parts.definitions.len())];
        Strategy::named(definition, vec![StrategyArgument::Strategy(s.clone())])
    }

    /// A way from the root of a program, which leads somewhere or not.
    fn at(&mut self, s: &Strategy) -> Strategy {
        let numbers = |count: usize, maker: &mut Self| {
            (0..count).map(|_| maker.random.below(2).to_string()).collect::<Vec<_>>().join(".")
        };
        let path = match self.random.below(4) {
            0 => "body".to_owned(),
            1 => "body.body".to_owned(),
            2 => format!("body.{}", numbers(1, self)),
            _ => format!("body.{}", numbers(2 + self.random.below(2), self)),
        };
        s.at(&path)
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
        match self.random.below(30) {
            20 => self.place().then(&next(self)),
            21 => self.place().or(&next(self)),
            22 => self.place().under([Unary::Not, Unary::TopDown, Unary::One][self.random.below(3)]).then(&next(self)),
            23 => {
                let k = self.random.below(self.parts.patterns.len());
                next(self).at_match(&self.parts.patterns[k])
            }
            24 => next(self).under(Unary::Try).then(&next(self)),
            25 => next(self).under([Unary::Normalize, Unary::Innermost][self.random.below(2)]).or(&next(self)),
            26 => {
                let s = next(self);
                self.named(&s)
            }
            27 | 28 => {
                let s = next(self);
                self.defined(&s)
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
            13 if self.random.below(2) == 0 => next(self).or_cheaper(&next(self)),
            13 => next(self).repeat_n(1 + self.random.below(3) as u64),
            14 => next(self).repeat_until(&self.parts.goal),
            15 => next(self).under([Unary::Force, Unary::Exactly, Unary::InReals][self.random.below(3)]),
            16 => {
                let s = next(self);
                self.at(&s).or(&next(self))
            }
            17 => self.fixed(|maker, x| next(maker).or(&x.child(Slot::LetBody)).or(&x.child(Slot::Operand(0)))),
            _ => self.fixed(|maker, x| next(maker).or(&x.under(Unary::One)).or(&next(maker))),
        }
    }

    /// As schedules have them: many rules at once, everywhere; and such within each other.
    pub fn stage(&mut self) -> Strategy {
        let all = (0..16).fold(self.choice(), |all, _| all.or(&self.choice()));
        let whole = [Unary::Innermost, Unary::Innermost, Unary::Normalize, Unary::Outermost][self.random.below(4)];
        let stage = all.under(whole);
        match self.random.below(10) {
            0 => stage.then(&self.stage()),
            1 => self.choice().under(Unary::TopDown).then(&stage).under(Unary::Repeat),
            2 => stage.child(Slot::Body).then(&self.search().under(Unary::Repeat)),
            3 => self.fixed(|maker, x| maker.choice().or(&x.under(Unary::One)).or(&all)).under(Unary::Repeat),
            4 => self.fixed(|_, x| x.child(Slot::FoldInit).or(&x.under(Unary::One)).or(&all)).under(Unary::Repeat),
            5 => self.defined(&all).under(Unary::Repeat).under(Unary::Try).then(&self.choice().under(Unary::TryAll)),
            _ => stage,
        }
    }

    /// Some of these in a row, in their order; in part where their order is broken, or within something else.
    pub fn some_of(&mut self, stages: &[Strategy]) -> Strategy {
        let kept: Vec<&Strategy> = stages.iter().filter(|_| self.random.below(3) > 0).collect();
        let all = kept.into_iter().fold(Strategy::id(), |all, stage| all.then(stage));
        match self.random.below(5) {
            0 if self.random.below(2) == 0 => all.under(Unary::Cheaper),
            0 => all.or_cheaper(&self.search().under(Unary::Repeat)),
            1 => all.under(Unary::Try).then(&self.search().under(Unary::Repeat)).then(&all),
            2 => self.named(&all),
            _ => all,
        }
    }

    fn place(&mut self) -> Strategy {
        Strategy::pattern(&self.parts.patterns[self.random.below(self.parts.patterns.len())])
    }

    pub fn repetition(&mut self) -> Strategy {
        let fuel = self.random.below(4) as u32;
        let s = self.strategy(fuel);
        s.under([Unary::Repeat, Unary::Repeat, Unary::Repeat, Unary::Normalize, Unary::Innermost][self.random.below(5)])
    }
}
