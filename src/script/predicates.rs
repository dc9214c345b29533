//! `where small(e)` and `where holds(|e| …, e)`: conditions that functions of a script decide.

use std::rc::Rc;

use rhai::{Dynamic, FnPtr};

use super::library::{Library, part};
use super::words;
use crate::ground::Name;
use crate::rule::{Decision, Functions, Subject, Why};
use crate::term::Bounds;

/// How Rhai's names for closures begin.
const ANONYMOUS: &str = "anon$";

/// The functions that a rule's conditions may ask: those with names, and those that stand in it.
pub(super) fn functions(library: &Library, written: Vec<FnPtr>) -> Functions {
    let ast = library.ast(None);
    let named = ast.iter_functions().filter(|f| !f.name.starts_with(ANONYMOUS)).filter_map(|f| {
        let pointer = FnPtr::new(f.name).ok()?;
        Some((Name::new(f.name), decision(library, f.params.len(), pointer)))
    });
    let parameters = |pointer: &FnPtr| {
        let found = ast.iter_functions().find(|f| f.name == pointer.fn_name());
        found.map_or(0, |f| f.params.len().saturating_sub(pointer.curry().len()))
    };
    let written = written.into_iter().map(|pointer| decision(library, parameters(&pointer), settled(pointer)));
    Functions { named: named.collect(), written: written.collect() }
}

/// A function whose captured variables keep the values that they have now.
fn settled(mut pointer: FnPtr) -> FnPtr {
    pointer.iter_curry_mut().for_each(|value| *value = value.flatten_clone());
    pointer
}

fn decision(library: &Library, parameters: usize, pointer: FnPtr) -> Rc<Decision> {
    let library = library.clone();
    Rc::new(Decision::new(parameters, move |subjects, bounds| {
        let arguments = subjects.iter().map(|subject| value(subject, bounds)).collect();
        let answer = library.call(&pointer, arguments)?;
        answer.as_bool().map_err(|_| {
            let what = words::what(&answer);
            Why::Computed(format!(": its function gives {what}, not a truth value").into())
        })
    }))
}

fn value(subject: &Subject, bounds: &Bounds) -> Dynamic {
    match subject {
        Subject::Term(term, above) => Dynamic::from(part(term, above, bounds)),
        Subject::Number(n) => Dynamic::from(i64::try_from(*n).unwrap_or(i64::MAX)),
    }
}
