//! A [`ConditionQuestion`] asks a function of a script to decide a condition. What a function is only a script knows; here it is
//! a value that answers.

use std::fmt;
use std::rc::Rc;

use redexter_language::ground::Name;
use redexter_language::term::{SizeBounds, Term};

use super::super::focus::{Focus, Frame};
use super::super::reason::FailureCause;
use super::quantity::Quantity;
use super::{ConditionVariable, Substitution};

/// A term or a number that a function is asked about.
pub enum QuestionSubject {
    /// A term and what stands around it, from the root.
    Term(Term, Vec<Frame>),
    /// A number.
    Number(u64),
}

type DecisionFn = dyn Fn(&[QuestionSubject], &SizeBounds) -> Result<bool, FailureCause>;

/// A function of a script, from terms and numbers to a truth value.
pub struct Decision {
    parameters: usize,
    answer: Box<DecisionFn>,
}

impl Decision {
    /// A function with so many parameters. What goes wrong in it is a reason for which the rule fails, in words that
    /// follow "goes wrong".
    pub fn new(
        parameters: usize,
        answer: impl Fn(&[QuestionSubject], &SizeBounds) -> Result<bool, FailureCause> + 'static,
    ) -> Decision {
        Decision { parameters, answer: Box::new(answer) }
    }

    pub(super) fn parameters(&self) -> usize {
        self.parameters
    }
}

/// The functions that a rule's conditions may ask.
#[derive(Default)]
pub struct ConditionFunctions {
    /// Those with names.
    pub named: Vec<(Name, Rc<Decision>)>,
    /// Those that stand in the rule itself, in their order.
    pub written: Vec<Rc<Decision>>,
}

impl ConditionFunctions {
    /// The function with this name and so many parameters.
    pub(super) fn find(&self, name: &Name, parameters: usize) -> Option<&Rc<Decision>> {
        let mut all = self.named.iter().filter(|(known, _)| known == name);
        all.find(|(_, function)| function.parameters == parameters).map(|(_, function)| function)
    }

    /// The names, with how many parameters each function has.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.named.iter().map(|(name, function)| (name.as_str(), function.parameters))
    }
}

/// A variable or a number that a function is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionArgument {
    /// What stands for a variable of the law that takes no arguments.
    Whole(ConditionVariable),
    /// What stands where a variable of the law with arguments occurs first.
    Body(ConditionVariable),
    /// What a variable of the left side is bound to.
    Value(ConditionVariable),
    /// A number.
    Number(Quantity),
}

/// A function asked about some arguments.
#[derive(Clone)]
pub struct ConditionQuestion {
    pub(super) text: Rc<str>,
    pub(super) function: Rc<Decision>,
    pub(super) arguments: Vec<QuestionArgument>,
}

impl ConditionQuestion {
    /// The sizes of the law that it is about.
    pub(super) fn sizes(&self) -> Vec<&Name> {
        let quantities = self.arguments.iter().filter_map(|argument| match argument {
            QuestionArgument::Number(quantity) => Some(quantity.sizes()),
            _ => None,
        });
        quantities.flatten().collect()
    }

    pub(super) fn answer(
        &self,
        found: &dyn Substitution,
        focus: &Focus,
        numbers: &[u64],
    ) -> Result<bool, Box<FailureCause>> {
        let subjects: Option<Vec<QuestionSubject>> =
            self.arguments.iter().map(|argument| argument.subject(found, focus, numbers)).collect();
        match subjects {
            Some(subjects) => (self.function.answer)(&subjects, focus.bounds).map_err(|why| {
                Box::new(match why {
                    FailureCause::Computed(words) => {
                        FailureCause::Computed(format!("the condition `{}` goes wrong{words}", self.text).into())
                    }
                    // A limit stays what it is, because it must end the whole run and not only this attempt.
                    limit => limit,
                })
            }),
            None => Err(Box::new(FailureCause::Computed(
                format!("the condition `{}` can't be asked here", self.text).into(),
            ))),
        }
    }
}

impl QuestionArgument {
    fn subject(&self, found: &dyn Substitution, focus: &Focus, numbers: &[u64]) -> Option<QuestionSubject> {
        let around = |frames: Vec<Frame>| focus.context.iter().cloned().chain(frames).collect();
        match self {
            QuestionArgument::Whole(variable) => {
                Some(QuestionSubject::Term(variable.term(found, focus.term)?, focus.context.to_vec()))
            }
            QuestionArgument::Body(variable) => {
                let (frames, term) = variable.place(focus.term)?;
                Some(QuestionSubject::Term(term, around(frames)))
            }
            QuestionArgument::Value(variable) => {
                let (mut frames, binder) = variable.place(focus.term)?;
                let value = binder.kid(0);
                frames.push(Frame { term: binder, kid: 0 });
                Some(QuestionSubject::Term(value, around(frames)))
            }
            QuestionArgument::Number(quantity) => {
                let size = quantity.value(found, focus, numbers)?;
                // An open size is no number yet, so that the function is given it as a term.
                let open = || QuestionSubject::Term(Term::size_value(&size), focus.context.to_vec());
                Some(size.as_literal().map_or_else(open, QuestionSubject::Number))
            }
        }
    }
}

impl fmt::Display for QuestionArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuestionArgument::Whole(variable)
            | QuestionArgument::Body(variable)
            | QuestionArgument::Value(variable) => {
                write!(f, "{}", variable.name)
            }
            QuestionArgument::Number(quantity) => write!(f, "{quantity}"),
        }
    }
}

impl PartialEq for ConditionQuestion {
    /// The same function, asked about the same.
    fn eq(&self, other: &ConditionQuestion) -> bool {
        Rc::ptr_eq(&self.function, &other.function) && self.arguments == other.arguments
    }
}

impl Eq for ConditionQuestion {}

impl fmt::Debug for ConditionQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
