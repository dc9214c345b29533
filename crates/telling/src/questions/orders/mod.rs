//! Runs strategies one after another in each order, or in so many. Nothing changes.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, number, strategy};
use super::runs::{AfterSteps, compared};
use crate::arguments::CommandInfo;
use crate::walk::{WalkAnswer, WalkResult};
use redexter_language::ground::{Diagnostic, code};
use redexter_language::syntax::alternatives;
use redexter_rewriting::compare::{MOST, Orders, TooManyOrders, orders};
use redexter_rewriting::strategy::Strategy;

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let (number, rest) = number(info, rest)?;
    let strategies: Result<_, _> = alternatives(rest).iter().map(|text| strategy(info, text)).collect();
    Ok(QuestionArguments { number, ..QuestionArguments::of_strategies(strategies?) })
}

pub(super) fn answer(AskedQuestion { arguments, strategies, walk, owner }: AskedQuestion) -> WalkResult {
    if strategies.len() < 2 {
        return Err(Diagnostic::error(code::COMMAND, "one strategy has one order")
            .help("name several, for example `:orders fuse | split | onehot`")
            .into());
    }
    let all: Vec<&Strategy> = strategies.iter().collect();
    let (answer, on) = compared(walk, &all, owner, |subject| orders(subject, strategies, arguments.number))?;
    match answer {
        Ok(found) => {
            let trouble = found.stopped.clone();
            Ok(WalkAnswer::Finding(Rc::new(AfterSteps { found, on }), trouble))
        }
        Err(TooManyOrders { count }) => {
            let count = count.map_or_else(|| "too many to count".to_owned(), |count| count.to_string());
            let headline = format!("{} strategies have {count} orders", strategies.len());
            let names: Vec<String> = strategies.iter().map(Strategy::to_string).collect();
            let first = format!("`:orders {MOST} {}` tries the first {MOST}", names.join(" | "));
            Err(Diagnostic::error(code::COMMAND, headline).help(first).into())
        }
    }
}

presented!(AfterSteps<Orders>, "orders", text::orders, json::orders);
