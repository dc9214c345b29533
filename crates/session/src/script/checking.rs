//! Registers `check(rule)`, `check(strategy, term)` and `validate(term, strategy)`, which test what a script asks for.

use std::rc::Rc;

use rhai::{Dynamic, Engine};

use super::errors::{fail, stop};
use super::soundness::{SEED, told, verdict};
use super::terms::TermValue;
use super::walks::said;
use super::words;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::sound::TestEffort;
use redexter_rewriting::strategy::{Strategy, check_ends};
use redexter_rewriting::validate::{StrategyCheck, check_strategy};
use redexter_telling::questions::validated;
use redexter_telling::walk::Walk;

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let of = world.clone();
    engine.register_fn("check", move |rule: Dynamic| {
        let strategy = words::strategy(&of, &rule, "`check(rule)` needs a rule").map_err(stop)?;
        let Some(rule) = strategy.as_rule() else {
            let finding =
                Diagnostic::error(code::NOT_A_STRATEGY, "`check(rule)` needs a rule, not a combination of them");
            return Err(fail(finding.help("write `check(strategy, term)` to test a strategy on a term")));
        };
        of.before_work()?;
        verdict(&of, &rule.shared(), TestEffort::QUICK).map(|found| told(&found)).map_err(stop)
    });
    let of = world.clone();
    engine.register_fn("check", move |strategy: Dynamic, term: TermValue| {
        let strategy: Strategy = words::strategy(&of, &strategy, "`check(s, t)` needs a strategy").map_err(stop)?;
        check_ends(&strategy).map_err(fail)?;
        of.before_work()?;
        let program = term.closed().map_err(fail)?;
        let done = check_strategy(&strategy, program, SEED, &of.host.budget()).map_err(stop)?;
        let failed = |reason| {
            let headline = format!("the strategy `{strategy}` failed: {reason}");
            fail(Diagnostic::error(code::STRATEGY_FAILED, headline).help("write `try(…)` around what may fail"))
        };
        done.map(|check| compared(&check)).map_err(failed)
    });
    let of = world.clone();
    engine.register_fn("validate", move |term: TermValue, strategy: Dynamic| {
        let strategy: Strategy = words::strategy(&of, &strategy, "`validate(t, s)` needs a strategy").map_err(stop)?;
        of.before_work()?;
        let walk = Walk::new(term.closed().map_err(fail)?.clone(), None);
        said(validated(&walk, Some(&strategy), &*of))
    });
}

fn compared(check: &StrategyCheck) -> String {
    let runs = check.comparison.runs.len();
    match &check.comparison.difference {
        None if runs == 0 => "not tested: no run could be compared".to_owned(),
        None => format!("the same results in {runs} runs ({})", check.exactness),
        Some(found) => {
            let d = if found.under_d { ", under D" } else { "" };
            let (left, right) = (&found.left, &found.right);
            let [left, right] = [left, right].map(redexter_language::eval::value_to_json);
            format!("different results{d}: {left} before, {right} after ({})", check.exactness)
        }
    }
}
