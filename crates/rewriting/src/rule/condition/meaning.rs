//! Says in a sentence what a condition means, from the tables of its words.

use redexter_language::ground::text::listed;
use redexter_language::term::Prim;

use super::{Condition, ConditionVariable, Predicate, Quantity, TermMeasure};

impl Condition {
    /// The sentence that it stands for.
    pub fn meaning(&self) -> String {
        match self {
            Condition::Holds(predicate, all) => format!("only where {}", sentence(*predicate, all)),
            Condition::HoldsNot(predicate, all) => format!("never where {}", sentence(*predicate, all)),
            Condition::Compare(op, a, b) => format!("only where {} {} {}", amount(a), relation(*op), amount(b)),
            Condition::Matches(variable, pattern, true) => format!("only where {} matches `{pattern}`", variable.name),
            Condition::Matches(variable, pattern, false) => {
                format!("never where {} matches `{pattern}`", variable.name)
            }
            Condition::Asks(_, true) => "only where the script's function gives `true`".to_owned(),
            Condition::Asks(_, false) => "only where the script's function gives `false`".to_owned(),
        }
    }
}

fn sentence(predicate: Predicate, all: &[ConditionVariable]) -> String {
    let says = Predicate::ALL.iter().find(|(_, known, _)| *known == predicate).map_or("", |(.., says)| says);
    filled(says, all)
}

fn amount(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Of(measure, all) => {
            let says = TermMeasure::ALL.iter().find(|(_, known, _)| known == measure).map_or("", |(.., says)| says);
            filled(says, all)
        }
        Quantity::Add(a, b) => format!("{} plus {}", amount(a), amount(b)),
        Quantity::Mul(a, b) => format!("{} times {}", amount(a), amount(b)),
        Quantity::Number(_) | Quantity::Parameter(..) | Quantity::Size(_) => quantity.to_string(),
    }
}

fn relation(op: Prim) -> &'static str {
    match op {
        Prim::Lt => "is less than",
        Prim::Le => "is at most",
        Prim::Gt => "is greater than",
        Prim::Ge => "is at least",
        Prim::Ne => "isn't",
        _ => "is",
    }
}

/// A sentence with these variables in it.
fn filled(says: &str, all: &[ConditionVariable]) -> String {
    let name = |k: usize| all.get(k).map_or("", |variable| variable.name.as_str());
    let names = listed(all.iter().map(|variable| &variable.name));
    let any = if all.len() == 1 { names.clone() } else { format!("one of {names}") };
    says.replace("{1}", name(0)).replace("{2}", name(1)).replace("{all}", &names).replace("{any}", &any)
}
