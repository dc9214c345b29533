//! A [`Reason`] says why a rule or a strategy failed: it is a value that becomes text only when somebody asks.

use std::fmt;
use std::rc::Rc;

use redexter_language::ground::{Name, StopReason};

/// What a rule says of a subterm that keeps it from transposing what is around it.
pub(super) const NOT_LINEAR: &str = "this isn't linear in what is transposed";

/// What a rewrite counts for among pattern nodes that matched: more than any pattern has.
const BEHIND: u32 = 10_000;

/// Why a strategy failed.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The rule that failed, if one did.
    pub rule: Option<Rc<str>>,
    /// What was in its way.
    pub why: FailureCause,
    /// How far it came: pattern nodes that matched, and more behind a rewrite. Among several failures the furthest tells most.
    pub progress: u32,
}

/// The cause of a failure.
#[derive(Clone, Debug)]
pub enum FailureCause {
    /// A constructor is missing: the one expected and the one it was expected under.
    Missing(&'static str, Option<&'static str>),
    /// What stands for this pattern variable mentions a variable that it may not mention.
    Captures(Name),
    /// This pattern variable would stand for two different terms.
    Differs(Name),
    /// A type or a size isn't what the law says.
    Type,
    /// This condition doesn't hold.
    Condition(Rc<str>),
    /// The result would be too large to be represented.
    TooLarge,
    /// A native rule's own words.
    Native(&'static str),
    /// The same of a subterm, with the way to it.
    Within(&'static str, Rc<[u32]>),
    /// The words of a rule that a script computes.
    Computed(Rc<str>),
    /// A limit that a function of a script reached: the whole run ends.
    Stopped(StopReason),
    /// The rule may change bits, and stands within `exactly`.
    ChangesBits,
    /// `fail`
    Fail,
    /// No child on which the strategy succeeds; the combinator's name.
    NoChild(&'static str),
    /// The constructor has no such child.
    NoSlot(redexter_language::term::Slot),
    /// A path that leads nowhere here, and where it stops.
    NoPath(Rc<str>, Rc<redexter_language::term::PathStop>),
    /// `not(s)` where s succeeds.
    Succeeded,
    /// `repeatUntil`: s failed before the term contained the pattern.
    NotReached(Rc<str>),
}

impl Reason {
    /// A reason without a rule.
    pub fn new(why: FailureCause) -> Reason {
        Reason { rule: None, why, progress: 0 }
    }

    /// A native rule's own words.
    pub fn native(words: &'static str) -> Reason {
        Reason::new(FailureCause::Native(words))
    }

    /// The limit that was reached, where that was the reason.
    pub fn stopped(&self) -> Option<&StopReason> {
        match &self.why {
            FailureCause::Stopped(reason) => Some(reason),
            _ => None,
        }
    }

    /// The same of what was tried behind a rewrite, which came further than whatever failed before one.
    pub fn behind(self) -> Reason {
        Reason { progress: self.progress.saturating_add(BEHIND), ..self }
    }

    /// The more telling of two failures: the one that came further, else the later one.
    pub fn or(self, later: Reason) -> Reason {
        if self.progress > later.progress { self } else { later }
    }

    /// The more telling of a failure here and one further down: the one that came further, else the one here.
    pub fn or_below(self, below: Reason) -> Reason {
        if below.progress > self.progress { below } else { self }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule {
            Some(rule)
                if matches!(
                    self.why,
                    FailureCause::Condition(_)
                        | FailureCause::TooLarge
                        | FailureCause::Computed(_)
                        | FailureCause::ChangesBits
                ) =>
            {
                write!(f, "{rule}: {}", self.why)
            }
            Some(rule) => write!(f, "{rule} does not match: {}", self.why),
            None => write!(f, "{}", self.why),
        }
    }
}

impl fmt::Display for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureCause::Missing(what, None) => write!(f, "there is no {what}"),
            FailureCause::Missing(what, Some(under)) => write!(f, "no {what} under {} {under}", article(under)),
            FailureCause::Captures(name) => {
                write!(f, "what stands for `{name}` mentions a bound variable that it must not mention")
            }
            FailureCause::Differs(name) => write!(f, "`{name}` would stand for two different terms"),
            FailureCause::Type => f.write_str("the types or sizes differ from the law's"),
            FailureCause::Condition(text) => write!(f, "the condition `{text}` does not hold"),
            FailureCause::TooLarge => f.write_str("a size of the result is too large"),
            FailureCause::Native(words) | FailureCause::Within(words, _) => f.write_str(words),
            FailureCause::Computed(words) => f.write_str(words),
            FailureCause::Stopped(reason) => write!(f, "{reason}"),
            FailureCause::ChangesBits => f.write_str("it may change bits, and stands within `exactly`"),
            FailureCause::Fail => f.write_str("`fail` always fails"),
            FailureCause::NoChild(name) => write!(f, "`{name}` found no child to work on"),
            FailureCause::NoSlot(slot) => write!(f, "the term has no child `{slot}`"),
            FailureCause::NoPath(path, stop) => write!(f, "the path `{path}` leads nowhere: {stop}"),
            FailureCause::Succeeded => f.write_str("the strategy under `not` succeeded"),
            FailureCause::NotReached(pattern) => {
                write!(f, "`{pattern}` does not occur, and there is nothing left to rewrite")
            }
        }
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
