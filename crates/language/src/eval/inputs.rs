//! Reads inputs from JSON: an object from parameters' names, and names of sizes, to values. Others may come from elsewhere.

use std::collections::BTreeSet;

use super::external::{ExternalInputs, NoExternalInputs};
use super::json::{self, JsonError, JsonTree, describe, integer, real};
use super::measure::{InputMeasure, elements, halves};
use super::parameters::{Parameter, split};
use super::shape::InputPath;
use super::sizes::{Sizes, open_sizes};
use super::solve::{LengthFact, SizeSolver, contradiction};
use super::value::Value;
use crate::ground::name::did_you_mean;
use crate::ground::{Budget, Diagnostic, Name, Trouble, code};
use crate::term::{MAX_SIZE, Program, Size, Type, TypeView};

/// Reads a program's inputs from a JSON object and solves for its sizes.
///
/// Sizes follow from lengths of arrays, from `given_sizes` (`--size n=5`) and from keys that name a size (a parameter of
/// the same name goes first). A size that stands only in the types of elements of empty arrays is its lower bound.
/// Refused are: text that is no JSON or nested more than 127 deep, a key that stands twice, keys and sizes that the program
/// lacks, parameters and sizes without a value, values of another type, ragged arrays, sizes that contradict each other or a
/// lower bound, programs that take or give functions.
pub fn inputs_from_json(
    program: &Program,
    json: &str,
    given_sizes: &[(Name, u64)],
    budget: &Budget,
) -> Result<(Vec<Value>, Sizes), Trouble> {
    inputs_with(program, json, &NoExternalInputs, given_sizes, budget)
}

/// The same of inputs some of which come from elsewhere; an input that comes from both is refused, too.
pub fn inputs_with(
    program: &Program,
    json: &str,
    elsewhere: &dyn ExternalInputs,
    given_sizes: &[(Name, u64)],
    budget: &Budget,
) -> Result<(Vec<Value>, Sizes), Trouble> {
    let object = parse(json, budget)?;
    let (parameters, sizes) = solved(program, &object, elsewhere, given_sizes, budget)?;
    let reader = InputReader { sizes: &sizes, budget };
    let read = |p: &Parameter| match object.get(p.name.as_str()) {
        Some(json) => reader.read(&p.ty, json, &mut InputPath::new(&p.name)),
        None => elsewhere.value(p, &sizes, budget),
    };
    let inputs = parameters.iter().map(read).collect::<Result<Vec<Value>, Trouble>>()?;
    Ok((inputs, sizes))
}

/// A program's sizes alone, where all inputs come from elsewhere; their values aren't asked for.
pub fn sizes_with(
    program: &Program,
    elsewhere: &dyn ExternalInputs,
    given_sizes: &[(Name, u64)],
    budget: &Budget,
) -> Result<Sizes, Trouble> {
    let nothing = JsonTree::Object(Box::default());
    solved(program, &nothing, elsewhere, given_sizes, budget).map(|(_, sizes)| sizes)
}

/// The parameters of a program, and the sizes that follow from its inputs.
fn solved(
    program: &Program,
    object: &JsonTree,
    elsewhere: &dyn ExternalInputs,
    given_sizes: &[(Name, u64)],
    budget: &Budget,
) -> Result<(Vec<Parameter>, Sizes), Trouble> {
    let (parameters, _) = split(program)?;
    let others = elsewhere.names();
    let needed = open_sizes(&program.term);
    check_names(&parameters, &needed, (object, &others), given_sizes)?;
    let mut solver = SizeSolver::default();
    for (name, value) in given_sizes {
        solver.give(name, *value, format!("`--size {name}={value}`"))?;
    }
    for name in &needed {
        if parameters.iter().any(|p| p.name == *name) {
            continue;
        }
        if let Some(value) = object.get(name.as_str()) {
            solver.give(name, size_value(name, value)?, format!("the key \"{name}\""))?;
        } else if others.contains(name) {
            let (value, place) = elsewhere.size(name)?;
            solver.give(name, value, place)?;
        }
    }
    let mut measure = InputMeasure::default();
    for p in &parameters {
        match object.get(p.name.as_str()) {
            Some(json) => measure.walk(&p.ty, json, &mut InputPath::new(&p.name), &mut Vec::new(), budget)?,
            None => {
                let lengths = elsewhere.lengths(p)?.into_iter();
                measure.facts.extend(lengths.map(|(size, length, place)| LengthFact { size, length, place }));
            }
        }
    }
    let sizes = solver.solve(measure.facts, &needed, &measure.unseen, &program.bounds)?;
    sizes.check(program)?;
    Ok((parameters, sizes))
}

/// An object.
fn parse(json: &str, budget: &Budget) -> Result<JsonTree, Trouble> {
    let json = json.strip_prefix('\u{feff}').unwrap_or(json);
    match json::read(json, budget) {
        Ok((object @ JsonTree::Object(_), None)) => Ok(object),
        Ok((JsonTree::Object(_), Some(key))) => {
            let twice = Diagnostic::error(code::BAD_JSON, format!("the key \"{key}\" stands twice"));
            Err(twice.help(format!("give `{key}` once")).into())
        }
        Ok((other, _)) => Err(Diagnostic::error(
            code::INPUT_SHAPE,
            format!("the inputs must be an object from parameters to values, but are {}", describe(&other)),
        )
        .help("write them like {\"v\": [1, 2, 3]}")
        .into()),
        Err(JsonError::Stopped(reason)) => Err(reason.into()),
        Err(JsonError::Wrong(error)) => {
            let text = error.to_string();
            let word = |word: &str| ["inf", "Infinity", "nan", "NaN"].contains(&word);
            let words =
                |json: &str| json.split('"').step_by(2).any(|part| part.split(|c: char| !c.is_alphabetic()).any(word));
            let (headline, help) = if words(json) {
                (format!("this is no JSON: {text}"), "infinities and NaN stand in quotes: \"inf\", \"-inf\", \"NaN\"")
            } else if text.starts_with("recursion limit") {
                (text.replacen("recursion limit exceeded", "JSON nested too deep", 1), "nest it at most 127 deep")
            } else if text.starts_with("number out of range") {
                (text, "write a number that a double can hold, or the string \"inf\"")
            } else {
                (format!("this is no JSON: {text}"), "write inputs like {\"v\": [1, 2, 3]}")
            };
            Err(Diagnostic::error(code::BAD_JSON, headline).help(help).into())
        }
    }
}

/// Every key and every given size must be the program's, and every parameter must have a key.
fn check_names(
    parameters: &[Parameter],
    needed: &BTreeSet<Name>,
    (object, others): (&JsonTree, &BTreeSet<Name>),
    given: &[(Name, u64)],
) -> Result<(), Trouble> {
    let sizes: Vec<&str> = needed.iter().map(Name::as_str).collect();
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    let mut both = names.clone();
    both.extend(sizes.iter().filter(|s| !names.contains(s)));
    let mut wrong = Vec::new();
    let members: &[(String, JsonTree)] = if let JsonTree::Object(members) = object { members } else { &[] };
    let keys = || members.iter().map(|(key, _)| key.as_str());
    for key in keys().chain(others.iter().map(Name::as_str)).filter(|key| !both.contains(key)) {
        let headline = format!("the program has no parameter and no size `{key}`");
        wrong.push(Diagnostic::error(code::INPUT_SUPERFLUOUS, headline).help(instead(key, &both)));
    }
    for (name, value) in given {
        if !needed.contains(name) {
            wrong.push(no_size(name, &sizes));
        } else if *value > MAX_SIZE {
            let headline = format!("`--size {name}={value}` is too large");
            wrong.push(Diagnostic::error(code::INPUT_SIZES, headline).help("give a size below 2^63"));
        }
    }
    for key in keys().filter(|key| others.contains(&Name::new(key))) {
        let headline = format!("`{key}` is given twice: as JSON, and as an array");
        wrong.push(Diagnostic::error(code::INPUT_SUPERFLUOUS, headline).help("give it once"));
    }
    let is_given = |p: &&Parameter| object.get(p.name.as_str()).is_some() || others.contains(&p.name);
    wrong.extend(parameters.iter().filter(|p| !is_given(p)).map(missing));
    if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
}

/// The finding that nothing is given for a parameter.
pub(super) fn missing(Parameter { name, ty }: &Parameter) -> Diagnostic {
    let headline = format!("there is no input for the parameter `{name}`, of type {ty}");
    Diagnostic::error(code::INPUT_MISSING, headline).help(format!("add the key \"{name}\" to the inputs"))
}

/// Refuses given sizes that a program doesn't have, and those that are given twice.
pub fn only_sizes_of<'n>(program: &Program, given: impl IntoIterator<Item = &'n Name>) -> Result<(), Trouble> {
    let needed = open_sizes(&program.term);
    let sizes: Vec<&str> = needed.iter().map(Name::as_str).collect();
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for name in given {
        if !needed.contains(name) {
            wrong.push(no_size(name, &sizes));
        } else if !seen.insert(name) {
            wrong.push(contradiction(format!("the size `{name}` is given twice")).help("give it once"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
}

/// A size that is given and no program has, beside those that there are.
pub fn no_size(name: &Name, sizes: &[&str]) -> Diagnostic {
    let headline = format!("the program has no size `{name}`");
    Diagnostic::error(code::INPUT_SUPERFLUOUS, headline).help(instead(name.as_str(), sizes))
}

fn instead(wrong: &str, candidates: &[&str]) -> String {
    match did_you_mean(wrong, candidates.iter().copied()) {
        Some(help) => help,
        None if candidates.is_empty() => "leave it out; the program has none".to_owned(),
        None => format!("leave it out; there is {}", candidates.join(", ")),
    }
}

fn size_value(name: &Name, json: &JsonTree) -> Result<u64, Diagnostic> {
    let whole = integer(json).and_then(|i| u64::try_from(i).ok());
    let wrong = || InputPath::new(name).wrong("a size, a whole number from 0", describe(json));
    whole.ok_or_else(|| wrong().help(format!("write {{\"{name}\": 3}}")))
}

/// Reads values of types at given sizes.
struct InputReader<'a> {
    sizes: &'a Sizes,
    budget: &'a Budget,
}

impl InputReader<'_> {
    fn read(&self, ty: &Type, json: &JsonTree, place: &mut InputPath) -> Result<Value, Trouble> {
        self.budget.tick()?;
        match ty.view() {
            TypeView::Real => real(json).map(Value::Real).ok_or_else(|| {
                let wrong = place.wrong("a real", describe(json));
                wrong.help("write a number, or \"NaN\", \"inf\" or \"-inf\"").into()
            }),
            TypeView::Int => integer(json).map(Value::Int).ok_or_else(|| {
                place.wrong("an int", describe(json)).help("write a whole number from -2^63 to 2^63 - 1").into()
            }),
            TypeView::Fin(n) => Ok(index(n, json, self.sizes, place)?),
            TypeView::Array(_, a) => {
                let items = elements(ty, json, place)?.iter().enumerate();
                let items: Result<Vec<Value>, Trouble> =
                    items.map(|(k, item)| place.at(k, |place| self.read(a, item, place))).collect();
                Ok(Value::array(items?))
            }
            TypeView::Pair(a, b) => {
                let items = halves(ty, json, place)?;
                let first = place.at(0, |place| self.read(a, &items[0], place))?;
                Ok(Value::pair(first, place.at(1, |place| self.read(b, &items[1], place))?))
            }
            TypeView::Fun(..) | TypeView::Var(_) | TypeView::Unknown(_) => {
                Err(place.wrong(format!("of type {ty}"), "data").help("leave it out").into())
            }
        }
    }
}

fn index(n: &Size, json: &JsonTree, sizes: &Sizes, place: &InputPath) -> Result<Value, Diagnostic> {
    let limit = sizes.value(n);
    if let Some(i) = integer(json).and_then(|i| u64::try_from(i).ok())
        && i < limit
    {
        return Ok(Value::Index(i));
    }
    let expected = match n.as_literal() {
        Some(_) => format!("an index below {limit}"),
        None => format!("an index below {n}, which is {limit}"),
    };
    let help = match limit {
        0 => "there is no such index; give larger sizes".to_owned(),
        _ => format!("write a whole number from 0 to {}", limit - 1),
    };
    Err(place.wrong(expected, describe(json)).help(help))
}
