//! Reads conditions from their raw tree: names are looked up in the law, the rule's parameters and the vocabulary.

use std::collections::BTreeSet;

use redexter_language::check::Law;
use redexter_language::ground::{Diagnostic, Name, Span, Trouble, code, name::did_you_mean};
use redexter_language::syntax::raw::{RawCondition, RawConditionKind, RawIdent, RawQuantity, RawRule, RawTerm};
use redexter_language::term::{Kind, OpenVariables, Prim, Term};

use super::super::law::{first_place, place_of};
use super::predicate::Predicate;
use super::quantity::{Quantity, TermMeasure};
use super::question::{ConditionFunctions, ConditionQuestion, QuestionArgument};
use super::{AskedPattern, Condition, ConditionVariable};

/// The rule's conditions as they are to be understood for one of its laws.
pub(in super::super) fn conditions(
    rule: &RawRule,
    law: &Law,
    functions: &ConditionFunctions,
    patterns: PatternReader,
) -> Result<Vec<Condition>, Trouble> {
    let scope = Environment::new(rule, law, functions);
    let named = rule.params.iter().enumerate().filter_map(|(k, param)| scope.is_parameter(k, param).transpose());
    let named = named.map(|condition| condition.map_err(Trouble::from));
    // What parameters ask for by their names comes first, since `RuleInfo::meanings` skips that many.
    named.chain(rule.conditions.iter().map(|raw| scope.condition(raw, patterns))).collect()
}

/// Reads a pattern.
pub(in super::super) type PatternReader<'a> = &'a dyn Fn(&RawTerm) -> Result<AskedPattern, Trouble>;

/// The word before a pattern in a condition.
pub(super) const MATCHES: &str = "matches";

/// The word before a function that stands in a condition.
const HOLDS: &str = "holds";

struct Environment<'a> {
    params: &'a [RawIdent],
    functions: &'a ConditionFunctions,
    law: &'a Law,
    /// What the left side binds, and the sizes that it leaves open.
    binders: BTreeSet<Name>,
    sizes: Vec<Name>,
}

impl<'a> Environment<'a> {
    fn new(rule: &'a RawRule, law: &'a Law, functions: &'a ConditionFunctions) -> Environment<'a> {
        let mut opens = OpenVariables::of(&law.left);
        law.vars.iter().for_each(|var| opens.ty(&var.ty));
        let mut binders = BTreeSet::new();
        bound(&law.left, &mut binders);
        Environment { params: &rule.params, functions, law, binders, sizes: opens.vars }
    }

    /// The number of a variable of the law.
    fn of_law(&self, name: &Name) -> Option<usize> {
        self.law.vars.iter().position(|var| var.name == *name)
    }

    /// That what a law calls by the name of a parameter, a size or a number, is the parameter.
    fn is_parameter(&self, k: usize, param: &RawIdent) -> Result<Option<Condition>, Diagnostic> {
        let value = if self.sizes.contains(&param.name) {
            Quantity::Size(param.name.clone())
        } else if self.of_law(&param.name).is_some() {
            Quantity::Of(TermMeasure::Value, vec![self.variable(param)?])
        } else {
            return Ok(None);
        };
        Ok(Some(Condition::Compare(Prim::Eq, value, Quantity::Parameter(param.name.clone(), k))))
    }

    fn condition(&self, raw: &RawCondition, patterns: PatternReader) -> Result<Condition, Trouble> {
        let plain = match &raw.kind {
            RawConditionKind::Holds(RawQuantity::Call(word, arguments))
                if arguments.iter().any(|argument| matches!(argument, RawQuantity::Pattern(_))) =>
            {
                self.matching(word, arguments, patterns)?
            }
            RawConditionKind::Holds(RawQuantity::Call(word, arguments)) if self.asks(word, arguments) => {
                Condition::Asks(self.question(word, arguments)?, true)
            }
            RawConditionKind::Holds(RawQuantity::Call(word, arguments)) => {
                let predicate = self.word(word, Predicate::ALL)?;
                Condition::Holds(predicate, self.variables(word, arguments, predicate.arity())?)
            }
            RawConditionKind::Holds(_) => {
                let help = "compare two numbers, or write a predicate such as `constant(e)`";
                return Err(bad(raw.span, "a number is no condition".to_owned()).help(help).into());
            }
            RawConditionKind::Compare(op, a, b) => Condition::Compare(*op, self.quantity(a)?, self.quantity(b)?),
        };
        Ok(if raw.negated { plain.negate() } else { plain })
    }

    /// `` matches(e, `pattern`) ``
    fn matching(
        &self,
        word: &RawIdent,
        arguments: &[RawQuantity],
        patterns: PatternReader,
    ) -> Result<Condition, Trouble> {
        let (MATCHES, [RawQuantity::Name(of), RawQuantity::Pattern(pattern)]) = (word.name.as_str(), arguments) else {
            let finding = bad(word.span, format!("only `{MATCHES}` takes a pattern, behind a variable"));
            return Err(finding.help("write `matches(e, `x * 0`)`").into());
        };
        let variable = self.variable(of)?;
        if variable.of_law.is_none() && !self.is_let(&variable.path) {
            let headline = format!("`{}` is bound by `fun` and stands for no term", of.name);
            return Err(bad(of.span, headline)
                .help("ask about what is bound by `let`, or about a pattern variable")
                .into());
        }
        Ok(Condition::Matches(variable, patterns(pattern)?, true))
    }

    fn word<T: Copy>(&self, word: &RawIdent, all: &[(&str, T, &str)]) -> Result<T, Diagnostic> {
        let found = all.iter().find(|(text, ..)| *text == word.name.as_str());
        found.map(|(_, meaning, _)| *meaning).ok_or_else(|| {
            let diagnostic = bad(word.span, format!("conditions have no word `{}` here", word.name));
            if let Some((_, parameters)) = self.functions.names().find(|(name, _)| *name == word.name.as_str()) {
                let many = if parameters == 1 { "one argument".to_owned() } else { format!("{parameters} arguments") };
                return diagnostic.help(format!("the function `{}` takes {many}", word.name));
            }
            if matches!(word.name.as_str(), "count" | "freeVars") {
                return diagnostic.help("how often a variable occurs is `occurrences(x)`");
            }
            let functions = self.functions.names().map(|(name, _)| name);
            suggest(diagnostic, &word.name, all.iter().map(|(text, ..)| *text).chain(functions))
        })
    }

    /// Whether a function of the script is asked: the words of conditions come first.
    fn asks(&self, word: &RawIdent, arguments: &[RawQuantity]) -> bool {
        let written = word.name.as_str() == HOLDS && matches!(arguments.first(), Some(RawQuantity::Function(_)));
        let known = Predicate::ALL.iter().any(|(text, ..)| *text == word.name.as_str());
        written || !known && self.functions.find(&word.name, arguments.len()).is_some()
    }

    fn question(&self, word: &RawIdent, arguments: &[RawQuantity]) -> Result<ConditionQuestion, Diagnostic> {
        let (function, rest, mut words) = match arguments {
            [RawQuantity::Function(written), rest @ ..] => {
                (self.functions.written.get(written.number), rest, vec![written.text.to_string()])
            }
            all => (self.functions.find(&word.name, all.len()), all, Vec::new()),
        };
        let function = function.ok_or_else(|| {
            let help = "a function can be asked in the rules of scripts and of the REPL";
            bad(word.span, "there is no function here".to_owned()).help(help)
        })?;
        if function.parameters() != rest.len() {
            let headline = format!("a function of {} parameters is asked about {}", function.parameters(), rest.len());
            return Err(bad(word.span, headline));
        }
        let mut asked = Vec::new();
        for argument in rest {
            asked.push(self.argument(argument)?);
        }
        words.extend(asked.iter().map(QuestionArgument::to_string));
        let text = format!("{}({})", word.name, words.join(", ")).into();
        Ok(ConditionQuestion { text, function: function.clone(), arguments: asked })
    }

    /// A number, or a variable that stands for a term.
    fn argument(&self, raw: &RawQuantity) -> Result<QuestionArgument, Diagnostic> {
        let RawQuantity::Name(ident) = raw else { return Ok(QuestionArgument::Number(self.quantity(raw)?)) };
        let is_number = self.params.iter().any(|p| p.name == ident.name) || self.sizes.contains(&ident.name);
        if is_number && self.of_law(&ident.name).is_none() && !self.binders.contains(&ident.name) {
            return Ok(QuestionArgument::Number(self.number(ident)?));
        }
        let variable = self.variable(ident)?;
        match variable.of_law.map(|j| self.law.vars[j].arity) {
            Some(0) => Ok(QuestionArgument::Whole(variable)),
            Some(_) => Ok(QuestionArgument::Body(variable)),
            None if self.is_let(&variable.path) => Ok(QuestionArgument::Value(variable)),
            None => {
                let headline = format!("`{}` is bound by `fun` and stands for no term", ident.name);
                Err(bad(ident.span, headline).help("ask about what is bound by `let`, or about a pattern variable"))
            }
        }
    }

    /// Whether a `let` stands there in the left side.
    fn is_let(&self, path: &[u32]) -> bool {
        let there = path.iter().fold(self.law.left.clone(), |term, k| term.kid(*k as usize));
        matches!(there.kind(), Kind::Let(_))
    }

    /// What a word speaks of: so many variables, at least and at most.
    fn variables(
        &self,
        word: &RawIdent,
        arguments: &[RawQuantity],
        (least, most): (usize, usize),
    ) -> Result<Vec<ConditionVariable>, Diagnostic> {
        let names: Option<Vec<&RawIdent>> = arguments
            .iter()
            .map(|argument| match argument {
                RawQuantity::Name(of) => Some(of),
                _ => None,
            })
            .collect();
        match names {
            Some(names) if (least..=most).contains(&names.len()) => names.iter().map(|of| self.variable(of)).collect(),
            _ => {
                let many = match (least, most) {
                    (1, 1) => "one variable",
                    (2, 2) => "two variables",
                    _ => "one or more variables",
                };
                Err(bad(word.span, format!("`{}` takes {many}", word.name)))
            }
        }
    }

    fn variable(&self, ident: &RawIdent) -> Result<ConditionVariable, Diagnostic> {
        let name = ident.name.clone();
        let of_law = self.of_law(&name);
        if of_law.is_some() || self.binders.contains(&name) {
            let path = self.path_to(&name, of_law).unwrap_or_default();
            return Ok(ConditionVariable { name, of_law, path });
        }
        let variables = self.law.vars.iter().map(|var| &var.name).filter(|name| !name.is_hole());
        let names = variables.chain(&self.binders).map(Name::as_str);
        Err(suggest(bad(ident.span, format!("the left side has no variable `{name}`")), &name, names))
    }

    /// The way to the first occurrence of a variable of the law, applied or not, or else to the binder of that name.
    fn path_to(&self, name: &Name, of_law: Option<usize>) -> Option<Vec<u32>> {
        match of_law {
            Some(j) => place_of(self.law, j),
            None => first_place(&self.law.left, 0, &|term, _| term.kind().hint() == Some(name)),
        }
    }

    fn quantity(&self, raw: &RawQuantity) -> Result<Quantity, Diagnostic> {
        Ok(match raw {
            RawQuantity::Number(n, _) => Quantity::Number(*n),
            RawQuantity::Name(ident) => self.number(ident)?,
            RawQuantity::Call(word, arguments) => {
                let measure = self.word(word, TermMeasure::ALL)?;
                let most = if measure == TermMeasure::Loops { 8 } else { 1 };
                let all = self.variables(word, arguments, (1, most))?;
                if measure == TermMeasure::Occurrences && all[0].of_law.is_some() {
                    let headline = "`occurrences` takes a variable that the left side binds";
                    return Err(bad(word.span, headline.to_owned()));
                }
                Quantity::Of(measure, all)
            }
            RawQuantity::Function(function) => {
                let help = format!("write `{HOLDS}(|e| …, e)` for a function that decides");
                return Err(bad(function.span, "a function stands where a number is needed".to_owned()).help(help));
            }
            RawQuantity::Pattern(pattern) => {
                let finding = bad(pattern.span, "a pattern stands where a number is needed".to_owned());
                return Err(finding.help("write `matches(e, `x * 0`)`"));
            }
            RawQuantity::Add(a, b) => Quantity::Add(Box::new(self.quantity(a)?), Box::new(self.quantity(b)?)),
            RawQuantity::Mul(a, b) => Quantity::Mul(Box::new(self.quantity(a)?), Box::new(self.quantity(b)?)),
        })
    }

    fn number(&self, ident: &RawIdent) -> Result<Quantity, Diagnostic> {
        if let Some(k) = self.params.iter().position(|p| p.name == ident.name) {
            return Ok(Quantity::Parameter(ident.name.clone(), k));
        }
        if self.sizes.contains(&ident.name) {
            return Ok(Quantity::Size(ident.name.clone()));
        }
        let names = self.params.iter().map(|p| &p.name).chain(&self.sizes).map(Name::as_str);
        let diagnostic =
            bad(ident.span, format!("`{}` is no parameter of the rule and no size of the law", ident.name));
        Err(suggest(diagnostic, &ident.name, names))
    }
}

/// The names that a term binds.
fn bound(term: &Term, names: &mut BTreeSet<Name>) {
    names.extend(term.kind().hint().cloned());
    term.kids().iter().for_each(|kid| bound(kid, names));
}

fn bad(span: Span, headline: String) -> Diagnostic {
    Diagnostic::error(code::BAD_RULE, headline).at(span, "in this condition")
}

fn suggest<'a>(diagnostic: Diagnostic, wanted: &Name, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    did_you_mean(wanted.as_str(), names).into_iter().fold(diagnostic, Diagnostic::help)
}
