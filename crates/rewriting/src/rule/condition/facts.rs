//! Gathers what a condition was asked about and what it saw, for people who want to know why it doesn't hold. Places are counted
//! from the root of the context.

use redexter_language::ground::Name;
use redexter_language::term::{Kind, Path, Size, Term};

use super::super::focus::{Focus, Frame};
use super::super::occurrence::occurrences;
use super::enclosing::EnclosingMarks;
use super::question::QuestionArgument;
use super::{Condition, ConditionVariable, Predicate, Quantity, Substitution, TermMeasure};

/// The most occurrences of a variable that are told by their places.
const MAX_TOLD_PLACES: usize = 12;

/// The facts on which a condition was decided.
#[derive(Clone, Debug)]
pub struct ConditionFacts {
    /// Its number among the rule's, from 0: those before it hold.
    pub number: usize,
    /// The condition as it prints.
    pub condition: String,
    /// The sentence that it stands for.
    pub meaning: String,
    /// The numbers that it compares, as written, and what each is; none where it isn't known.
    pub numbers: Vec<(String, Option<Size>)>,
    /// The variables of the law that it asks about, where what each stands for is, and that.
    pub terms: Vec<(Name, Path, Term)>,
    /// The bound variables that it asks about.
    pub occurrences: Vec<Occurrences>,
    /// The loops and lets around, where it asks about these.
    pub around: Option<Vec<EnclosingBinder>>,
}

/// The occurrences of a bound variable.
#[derive(Clone, Debug)]
pub struct Occurrences {
    /// Its name in the law.
    pub variable: Name,
    /// Its name in the term.
    pub name: Name,
    /// Where it is bound.
    pub bound: Path,
    /// How often it occurs.
    pub count: u32,
    /// Where: the first of them.
    pub places: Vec<Path>,
    /// Whether one of them is in a loop or a function.
    pub looped: bool,
}

/// A variable that is bound around a place.
#[derive(Clone, Debug)]
pub struct EnclosingBinder {
    /// Its name.
    pub name: Name,
    /// The `fun` or the `let` that binds it.
    pub path: Path,
    /// Whether it counts a loop.
    pub counts: bool,
    /// Whether it is a parameter index, or depends on one.
    pub parameter: bool,
}

/// The way to the focus.
pub(in super::super) fn way(context: &[Frame]) -> Path {
    Path(context.iter().map(|frame| frame.kid as u32).collect())
}

impl Condition {
    /// What it saw, being the rule's condition with this number.
    pub(in super::super) fn facts(
        &self,
        number: usize,
        found: &dyn Substitution,
        focus: &Focus,
        arguments: &[u64],
    ) -> ConditionFacts {
        let mut facts = ConditionFacts {
            number,
            condition: self.to_string(),
            meaning: self.meaning(),
            numbers: Vec::new(),
            terms: Vec::new(),
            occurrences: Vec::new(),
            around: None,
        };
        let mut all: Vec<&ConditionVariable> = Vec::new();
        match self {
            Condition::Holds(predicate, variables) | Condition::HoldsNot(predicate, variables) => {
                all.extend(variables);
                if matches!(predicate, Predicate::Tangent | Predicate::OneHot | Predicate::Depends) {
                    facts.around = Some(around(focus));
                }
            }
            Condition::Compare(_, a, b) => {
                for quantity in [a, b] {
                    quantity.parts(&mut |part| match part {
                        Quantity::Of(measure, variables) => {
                            all.extend(variables);
                            facts.numbers.push((part.to_string(), part.value(found, focus, arguments)));
                            if *measure == TermMeasure::Loops {
                                facts.around = Some(around(focus));
                            }
                        }
                        Quantity::Size(_) | Quantity::Parameter(..) => {
                            facts.numbers.push((part.to_string(), part.value(found, focus, arguments)));
                        }
                        Quantity::Number(_) | Quantity::Add(..) | Quantity::Mul(..) => {}
                    });
                }
            }
            Condition::Asks(question, _) => {
                for argument in &question.arguments {
                    match argument {
                        QuestionArgument::Whole(variable)
                        | QuestionArgument::Body(variable)
                        | QuestionArgument::Value(variable) => {
                            all.push(variable);
                        }
                        QuestionArgument::Number(number) => {
                            facts.numbers.push((number.to_string(), number.value(found, focus, arguments)));
                        }
                    }
                }
            }
            Condition::Matches(variable, ..) => all.push(variable),
        }
        for variable in all {
            facts.look(variable, focus);
        }
        facts
    }
}

impl ConditionFacts {
    /// Those of its numbers that are literals.
    pub fn literals(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().filter_map(|(_, size)| size.as_ref()?.as_literal())
    }

    fn look(&mut self, variable: &ConditionVariable, focus: &Focus) {
        let Some((frames, there)) = variable.place(focus.term) else { return };
        let mut path = way(focus.context);
        path.0.extend(way(&frames).0);
        if variable.of_law.is_some() {
            return self.terms.push((variable.name.clone(), path, there));
        }
        // What `fun`, `let` and guards bind stands in the last child under a binder.
        let Some(scope) = (0..there.kid_count()).rev().find(|k| there.binders(*k) > 0) else { return };
        let Some(name) = there.kind().hint().cloned() else { return };
        let body = there.kid(scope);
        let mut inside = path.clone();
        inside.0.push(scope as u32);
        if let Kind::Let(_) = there.kind() {
            let mut value = path.clone();
            value.0.push(0);
            self.terms.push((variable.name.clone(), value, there.kid(0)));
        }
        self.occurrences.push(Occurrences {
            variable: variable.name.clone(),
            name,
            bound: path,
            count: body.occurrences(0),
            places: occurrences(&body, 0, &inside, MAX_TOLD_PLACES),
            looped: body.free_at(0).is_some_and(|uses| uses.looped),
        });
    }
}

impl Quantity {
    /// It and what it is made of.
    fn parts<'a>(&'a self, look: &mut dyn FnMut(&'a Quantity)) {
        look(self);
        if let Quantity::Add(a, b) | Quantity::Mul(a, b) = self {
            a.parts(look);
            b.parts(look);
        }
    }
}

/// The variables that are bound around the focus, outermost first.
fn around(focus: &Focus) -> Vec<EnclosingBinder> {
    let enclosing = EnclosingMarks::at(focus, &[]);
    let mut all = Vec::new();
    for (depth, frame) in focus.context.iter().enumerate() {
        if frame.term.binders(frame.kid) == 0 {
            continue;
        }
        // From the outermost in, so that indices fall.
        let Some(index) = enclosing.depth().checked_sub(all.len() + 1) else { break };
        all.push(EnclosingBinder {
            name: frame.term.kind().hint().cloned().unwrap_or_else(|| Name::hole(0)),
            path: way(&focus.context[..depth]),
            counts: enclosing.counts(index as u32),
            parameter: enclosing.is_marked(index as u32),
        });
    }
    all
}
