//! Splits programs into parameters, which are the outermost λs, and body.

use std::collections::BTreeSet;

use crate::ground::{Diagnostic, Name, Trouble, code};
use crate::term::{Program, Term, Type, TypeView};

/// A parameter of a program.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name: the λ's hint, made unique by a number where an earlier parameter has the same.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// The parameters, outermost first.
pub fn parameters(program: &Program) -> Vec<Parameter> {
    peel(&program.term).0
}

fn peel(term: &Term) -> (Vec<Parameter>, Term) {
    let (parameters, body) = term.applied();
    let mut taken = BTreeSet::new();
    let all = parameters.into_iter().map(|(hint, ty)| {
        let mut name = hint.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            name = Name::new(&format!("{hint}{number}"));
            number += 1;
        }
        Parameter { name, ty }
    });
    (all.collect(), body)
}

/// The parameters and the body of a program that takes and gives data.
pub(super) fn split(program: &Program) -> Result<(Vec<Parameter>, Term), Trouble> {
    let (all, body) = peel(&program.term);
    let mut wrong: Vec<Diagnostic> = all.iter().filter_map(not_data).collect();
    if body.ty().has_function() {
        wrong.push(
            Diagnostic::error(code::NOT_DATA, format!("the result has type {}: a function is no data", body.ty()))
                .help("define a function that applies this one to all its arguments, and evaluate that"),
        );
    }
    if wrong.is_empty() { Ok((all, body)) } else { Err(Trouble::Wrong(wrong)) }
}

fn not_data(parameter: &Parameter) -> Option<Diagnostic> {
    let Parameter { name, ty } = parameter;
    let (why, help) = if ty.has_function() {
        ("a function can't be given as an input", "define a function that passes it one, and evaluate that")
    } else if has_type_variable(ty) {
        ("no input can be of a type that is left open", "define a function that uses it at one type, and evaluate that")
    } else {
        return None;
    };
    let headline = format!("parameter `{name}` has type {ty}: {why}");
    Some(Diagnostic::error(code::NOT_DATA, headline).help(help))
}

fn has_type_variable(ty: &Type) -> bool {
    fn go(ty: &Type, seen: &mut BTreeSet<u128>) -> bool {
        if !ty.is_open() || !seen.insert(ty.fingerprint()) {
            return false;
        }
        match ty.view() {
            TypeView::Var(_) | TypeView::Unknown(_) => true,
            TypeView::Array(_, a) => go(a, seen),
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => go(a, seen) || go(b, seen),
            TypeView::Real | TypeView::Int | TypeView::Fin(_) => false,
        }
    }
    go(ty, &mut BTreeSet::new())
}
