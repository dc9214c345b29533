//! Splits a strategy into its `StrategyStages`: the parts of the sequence that its body is, or of the two ways that it compares.

use crate::strategy::{Strategy, StrategyForm, Unary};

/// The most stages of a sequence: what is shared in it may stand there more often than anybody can count.
const MAX_STAGES: usize = 1_000;

/// So many definitions are unfolded on the way to a sequence.
const MAX_UNFOLDED: usize = 16;

/// A sequence of strategies, or two that are compared, and the combinators around it.
#[derive(Clone, Debug)]
pub struct StrategyStages {
    /// Outermost first.
    around: Vec<Unary>,
    parts: Vec<Strategy>,
    /// Puts two of them together.
    join: fn(&Strategy, &Strategy) -> Strategy,
}

impl StrategyStages {
    /// Those of a strategy, of a definition those of its body, also where that is tried, forced, repeated or taken if it
    /// is cheaper as a whole; None where that is no sequence, or one of more than a thousand.
    pub fn of(strategy: &Strategy) -> Option<StrategyStages> {
        let (mut here, mut around, mut unfolded) = (strategy.clone(), Vec::new(), 0);
        loop {
            here = match here.form() {
                StrategyForm::Named(_) if unfolded < MAX_UNFOLDED => {
                    unfolded += 1;
                    here.definition()?
                }
                StrategyForm::Unary(
                    unary @ (Unary::Cheaper
                    | Unary::Try
                    | Unary::Force
                    | Unary::Repeat
                    | Unary::Exactly
                    | Unary::InReals),
                    inside,
                ) => {
                    around.push(*unary);
                    inside.clone()
                }
                StrategyForm::Seq(..) => {
                    return Some(StrategyStages { around, parts: sequence(&here)?, join: Strategy::then });
                }
                StrategyForm::Cheapest(a, b) => {
                    let parts = vec![a.clone(), b.clone()];
                    return Some(StrategyStages { around, parts, join: Strategy::or_cheaper });
                }
                _ => return None,
            }
        }
    }

    /// Their names, as they print; of those that stand there several times with a number: `hoist#2`.
    pub fn names(&self) -> Vec<String> {
        let texts: Vec<String> = self.parts.iter().map(Strategy::to_string).collect();
        let count = |all: &[String], name: &String| all.iter().filter(|other| *other == name).count();
        let name = |(k, name): (usize, &String)| match count(&texts, name) {
            1 => name.clone(),
            _ => format!("{name}#{}", count(&texts[..=k], name)),
        };
        texts.iter().enumerate().map(name).collect()
    }

    /// Whether nothing stands around the sequence.
    pub fn is_bare(&self) -> bool {
        self.around.is_empty()
    }

    /// One of them, by its number from 0.
    pub fn part(&self, number: usize) -> &Strategy {
        &self.parts[number]
    }

    /// The strategy with `id` for one of them, by its number from 0.
    pub fn without(&self, number: usize) -> Strategy {
        let part = |(k, part): (usize, &Strategy)| if k == number { Strategy::id() } else { part.clone() };
        let sequence = self.parts.iter().enumerate().map(part).reduce(|all, part| (self.join)(&all, &part));
        let sequence = sequence.unwrap_or_else(Strategy::id);
        self.around.iter().rev().fold(sequence, |inside, unary| inside.under(*unary))
    }
}

/// What a sequence consists of, from left to right, if that isn't too much.
fn sequence(strategy: &Strategy) -> Option<Vec<Strategy>> {
    let (mut found, mut waiting) = (Vec::new(), vec![strategy.clone()]);
    while let Some(next) = waiting.pop() {
        match next.form() {
            StrategyForm::Seq(a, b) => waiting.extend([b.clone(), a.clone()]),
            _ if found.len() == MAX_STAGES => return None,
            _ => found.push(next),
        }
    }
    Some(found)
}
