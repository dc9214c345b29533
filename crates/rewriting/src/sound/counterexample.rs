//! A [`CounterExample`] is a rule's failure as it is shown: a term before and after, inputs, and what both give.

use std::fmt;

use super::inputs::to_json;
use super::shrink::FailingCase;
use crate::rule::Rule;
use redexter_language::eval::{Sizes, Value, value_to_json};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::{Path, Program, Term};

/// A term and inputs on which a rule changes what comes out.
#[derive(Clone, Debug)]
pub struct CounterExample {
    /// The rule, with the arguments that it had.
    pub rule: Rule,
    /// The whole term before; it takes and gives data.
    pub before: Program,
    /// The whole term after, if the contractum fits its place.
    pub after: Option<Program>,
    /// Where the rule fired.
    pub path: Path,
    /// What stood there.
    pub redex: Term,
    /// What the rule made of it.
    pub contractum: Term,
    /// Values of the open sizes.
    pub sizes: Sizes,
    /// The inputs as a JSON object, which `evaluate` takes; under D each real with its tangent.
    pub inputs: String,
    /// What `before` gives.
    pub left: String,
    /// What `after` gives, or what is wrong with it.
    pub right: String,
    /// Whether D of both differs, rather than both.
    pub under_d: bool,
    /// What the check was started with.
    pub seed: u64,
    differs_by_rounding: bool,
}

impl CounterExample {
    pub(super) fn new(rule: &Rule, case: FailingCase, seed: u64) -> CounterExample {
        let json = |v: &Value| value_to_json(v);
        let values = case.difference.as_ref().map(|d| (&d.left, &d.right));
        let differs_by_rounding = values.is_some_and(|(left, right)| numbers_differ(left, right));
        let (sizes, inputs, left, right, under_d) = match &case.difference {
            Some(d) => {
                let inputs = to_json(&case.program, &d.inputs, &d.sizes);
                (d.sizes.clone(), inputs, json(&d.left), json(&d.right), d.under_d)
            }
            None => {
                let wrong = case.fired.after.clone().err().unwrap_or_default();
                (Sizes::default(), "{}".to_owned(), "a term".to_owned(), wrong, false)
            }
        };
        let FailingCase { program, fired, .. } = case;
        CounterExample {
            rule: rule.clone(),
            before: program,
            after: fired.after.ok(),
            path: fired.path,
            redex: fired.redex,
            contractum: fired.contractum,
            sizes,
            inputs,
            left,
            right,
            under_d,
            seed,
            differs_by_rounding,
        }
    }

    /// Whether both sides give numbers in one place that differ, rather than NaN, infinities or the signs of zeros alone.
    pub fn differs_by_rounding(&self) -> bool {
        self.differs_by_rounding
    }

    /// The finding in lines: the term before and after, the inputs, both values, the seed.
    pub fn lines(&self) -> Vec<String> {
        let show = |p: &Program| print_term(&p.term, &PrintStyle { width: usize::MAX });
        let d = if self.under_d { "D of " } else { "" };
        let mut lines = vec![format!("{} changes    {}", self.rule, show(&self.before))];
        lines.extend(self.after.iter().map(|after| format!("into    {}", show(after))));
        lines.push(format!("on {}, {d}the first gives {}, {d}the second {}", self.inputs, self.left, self.right));
        lines.push(format!("seed {}", self.seed));
        lines
    }
}

fn numbers_differ(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Real(left), Value::Real(right)) => left.is_finite() && right.is_finite() && left != right,
        (Value::Int(left), Value::Int(right)) => left != right,
        (Value::Index(left), Value::Index(right)) => left != right,
        (Value::Array(left), Value::Array(right)) => {
            left.items().zip(right.items()).any(|(left, right)| numbers_differ(&left, &right))
        }
        (Value::Pair(left), Value::Pair(right)) => {
            numbers_differ(&left.0, &right.0) || numbers_differ(&left.1, &right.1)
        }
        _ => false,
    }
}

impl fmt::Display for CounterExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}
