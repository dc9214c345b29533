//! An [`RuleExplanation`] says in full why a rule doesn't apply to a term; it is made only when somebody asks. Places are counted
//! from the root of the context.

use redexter_language::ground::Name;
use redexter_language::term::{Path, Size, Term, Type};

use super::condition::ConditionFacts;

/// Why a rule doesn't apply to a term.
#[derive(Clone, Debug)]
pub struct RuleExplanation {
    /// The number of the law that comes nearest, from 0, and it as written; none of a rule that is a function.
    pub law: Option<(usize, String)>,
    /// So many of the left side's constructors and bound variables are there.
    pub matched: usize,
    /// So many it has.
    pub of: usize,
    /// The first thing that is in the way.
    pub mismatch: RuleMismatch,
}

/// The first thing that is in the way of a rule.
#[derive(Clone, Debug)]
pub enum RuleMismatch {
    /// Another constructor, constant or variable stands there.
    Form(Box<FormMismatch>),
    /// What stands for a variable of the law mentions a bound variable that it must not mention.
    Captures(Box<CaptureMismatch>),
    /// A variable of the law would stand for two terms.
    Differs(Box<NonlinearMismatch>),
    /// A size isn't what the law says.
    Size {
        /// The law's.
        law: Size,
        /// What that is, by all else that matched; none where nothing says it.
        wanted: Option<Size>,
        /// What it is.
        found: Size,
        /// The subterm that has it, itself or in its type.
        path: Path,
    },
    /// A type isn't what the law says.
    Type {
        /// The law's.
        law: Type,
        /// What that is, by all else that matched; none where nothing says it.
        wanted: Option<Type>,
        /// What it is.
        found: Type,
        /// The subterm that has it.
        path: Path,
    },
    /// A size isn't known to be large enough.
    Bound {
        /// Its name in the law.
        size: Name,
        /// What it is.
        value: Size,
        /// It is at least this, as far as is known.
        least: u64,
        /// It has to be at least this.
        wanted: u64,
    },
    /// A condition doesn't hold.
    Condition(Box<ConditionFacts>),
    /// What a rule that is a function says, or a function that it asks.
    Words(String),
    /// The same of a subterm.
    Within {
        /// What it says.
        words: &'static str,
        /// The subterm that it says it of.
        path: Path,
        /// This.
        found: Term,
    },
    /// The result can't be represented.
    TooLarge,
    /// The rule would change nothing.
    Unchanged,
}

/// A constructor, a constant or a bound variable that isn't there.
#[derive(Clone, Debug)]
pub struct FormMismatch {
    /// The piece of the left side.
    pub piece: String,
    /// What it is called.
    pub noun: &'static str,
    /// Where it stands in the left side; for people, the words of the one above it.
    pub within: Path,
    /// What it stands under, unless it is the whole.
    pub under: Option<&'static str>,
    /// Where it should be.
    pub path: Path,
    /// What stands there.
    pub found: Term,
    /// Where it is behind something.
    pub behind: Option<HiddenMatch>,
}

/// The place where what is wanted stands after all, behind something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenMatch {
    /// Behind what, the outermost first.
    pub through: Vec<HidingConstruct>,
    /// Where it is.
    pub path: Path,
}

/// A construct behind which something can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HidingConstruct {
    /// The body of a `let`.
    Let,
    /// A branch of an `if`.
    If,
    /// A variable that is bound to it by a `let`, or as an argument; and where it is bound.
    Variable(Name, Path),
    /// A function that is applied.
    Application,
    /// A half of a pair that is taken.
    Projection,
    /// An element of a `build` that is taken.
    Element,
}

/// A variable of the law would stand for a term that mentions a bound variable, which it must not mention.
#[derive(Clone, Debug)]
pub struct CaptureMismatch {
    /// The variable of the law.
    pub variable: Name,
    /// Where it stands.
    pub path: Path,
    /// The bound variable, as the law and as the term call it.
    pub binder: (Name, Name),
    /// Where it is bound.
    pub bound: Path,
    /// Where it occurs: the first places.
    pub occurrences: Vec<Path>,
}

/// A variable that stands in the law more than once would stand for two different terms.
#[derive(Clone, Debug)]
pub struct NonlinearMismatch {
    /// The variable of the law.
    pub variable: Name,
    /// Where it stands first, and again.
    pub paths: [Path; 2],
    /// Below each, the first subterms that differ.
    pub at: [Path; 2],
    /// These.
    pub terms: [Term; 2],
}

impl RuleExplanation {
    /// Of a rule that is a function; whether it may apply to such a term at all.
    pub(super) fn words(words: String, may_apply: bool) -> RuleExplanation {
        RuleExplanation { law: None, matched: usize::from(may_apply), of: 1, mismatch: RuleMismatch::Words(words) }
    }

    /// The same of a subterm.
    pub(super) fn within(words: &'static str, path: Path, found: Term) -> RuleExplanation {
        RuleExplanation { law: None, matched: 1, of: 1, mismatch: RuleMismatch::Within { words, path, found } }
    }

    /// Of a rule that gives the same term.
    pub(super) fn unchanged() -> RuleExplanation {
        RuleExplanation { law: None, matched: 1, of: 1, mismatch: RuleMismatch::Unchanged }
    }

    /// Whether not even the outermost constructor is there.
    pub fn is_apart(&self) -> bool {
        self.matched == 0
    }

    /// The places of what is in the way.
    pub fn places(&self) -> Vec<Path> {
        match &self.mismatch {
            RuleMismatch::Form(form) => {
                let behind = form.behind.iter().map(|behind| behind.path.clone());
                std::iter::once(form.path.clone()).chain(behind).collect()
            }
            RuleMismatch::Captures(captures) => {
                [&captures.occurrences[..], std::slice::from_ref(&captures.path)].concat()
            }
            RuleMismatch::Differs(differs) => [&differs.at[..], &differs.paths[..]].concat(),
            RuleMismatch::Size { path, .. } | RuleMismatch::Type { path, .. } | RuleMismatch::Within { path, .. } => {
                vec![path.clone()]
            }
            RuleMismatch::Condition(facts) => {
                let occurring = facts.occurrences.iter().flat_map(|occurrences| occurrences.places.iter().cloned());
                occurring.chain(facts.terms.iter().map(|(_, path, _)| path.clone())).collect()
            }
            RuleMismatch::Bound { .. } | RuleMismatch::Words(_) | RuleMismatch::TooLarge | RuleMismatch::Unchanged => {
                Vec::new()
            }
        }
    }

    /// How near the rule is to applying: the larger the nearer. A form that isn't there comes before what is asked of one
    /// that is.
    pub fn nearness(&self) -> (u64, usize, usize) {
        let parts = (self.matched as u64 * 1_000).checked_div(self.of as u64).unwrap_or(0);
        let turn = match &self.mismatch {
            // Of a function nobody knows how far it came; of a law it is a condition.
            RuleMismatch::Words(_) if self.law.is_none() => 0,
            mismatch => mismatch.turn(),
        };
        (parts, turn, self.matched)
    }
}

impl RuleMismatch {
    /// When it is asked for, after the form.
    fn turn(&self) -> usize {
        match self {
            RuleMismatch::Form(form) if form.behind.is_none() => 1,
            RuleMismatch::Form(_) => 2,
            RuleMismatch::Captures(_) => 3,
            RuleMismatch::Differs(_) => 4,
            RuleMismatch::Size { .. } | RuleMismatch::Type { .. } => 5,
            RuleMismatch::Bound { .. } => 6,
            RuleMismatch::Words(_) | RuleMismatch::Within { .. } => 7,
            RuleMismatch::Condition(facts) => 7 + facts.number,
            RuleMismatch::TooLarge | RuleMismatch::Unchanged => usize::MAX,
        }
    }

    /// It in a few words, the same for all places that have it.
    pub fn brief(&self) -> String {
        match self {
            RuleMismatch::Form(form) => match form.under {
                None => format!("no {}", form.noun),
                Some(under) => format!("no {} in the {under}", form.noun),
            },
            RuleMismatch::Captures(captures) => format!("`{}` mentions a bound variable", captures.variable),
            RuleMismatch::Differs(differs) => format!("`{}` would stand for two terms", differs.variable),
            RuleMismatch::Size { law, .. } => format!("a size isn't `{law}`"),
            RuleMismatch::Type { law, .. } => format!("a type isn't `{law}`"),
            RuleMismatch::Bound { size, wanted, .. } => format!("`{size} >= {wanted}` isn't known"),
            RuleMismatch::Condition(facts) => format!("`{}` doesn't hold", facts.condition),
            RuleMismatch::Words(words) => words.clone(),
            RuleMismatch::Within { words, .. } => (*words).to_owned(),
            RuleMismatch::TooLarge => "the result would be too large".to_owned(),
            RuleMismatch::Unchanged => "it changes nothing".to_owned(),
        }
    }
}
