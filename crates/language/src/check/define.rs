//! Checks one definition, or a term or a type that stands outside of models.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::advice;
use super::definition::{ByType, Definition, Lowering, TypedTree, TypedTreeKind, statics};
use super::diagnose;
use super::infer::{Expectation, Inference, LocalVariable};
use super::model::{Model, ModelScope};
use super::solve::{CheckMode, MismatchReason};
use crate::ad;
use crate::ground::{Budget, Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{RawDefinition, RawIdent, RawImplicit, RawParam, RawTerm, RawTermKind, RawType};
use crate::term::{Bindings, Program, Type, TypeMemo, TypeView};

pub(super) fn definition(raw: &RawDefinition, scope: &ModelScope, budget: &Budget) -> Result<Definition, Trouble> {
    defined(raw, scope, budget).map_err(|trouble| advice::spoken(trouble, &raw.body))
}

fn defined(raw: &RawDefinition, scope: &ModelScope, budget: &Budget) -> Result<Definition, Trouble> {
    let mut infer = Inference::new(scope, CheckMode::Definition, budget);
    let (sizes, types) = implicits(raw, &mut infer)?;
    let mut names = FxHashSet::default();
    for p in &raw.params {
        unique(&p.name, &mut names, "parameter")?;
        let ty = match &p.ty {
            Some(ty) => infer.raw_type(ty)?,
            None => infer.solver.fresh(),
        };
        infer.push(&p.name.name, &ty);
    }
    let (result, why) = match &raw.result {
        Some(ty) => (
            infer.raw_type(ty)?,
            Expectation::new(ty.span, MismatchReason::Said("the result type that is written here")),
        ),
        None => (infer.solver.fresh(), Expectation::NONE),
    };
    let mut body = match by_type(raw, &infer, &result) {
        Some(body) => body,
        None => infer.check(&raw.body, &result, &why)?,
    };
    infer.settle()?;
    let mut memo = TypeMemo::default();
    infer.finish(&mut body, &mut memo)?;
    infer.show_ranges(&body)?;
    let mut param_types = Vec::new();
    for (p, local) in raw.params.iter().zip(&infer.locals) {
        param_types.push(infer.finish_type(&local.ty, p.name.span, &mut memo)?);
    }
    let result = infer.finish_type(&result, raw.name.span, &mut memo)?;
    let ty = param_types.iter().rev().fold(result.clone(), |to, from| Type::fun(from.clone(), to));
    let known_first = statics(&body, raw.params.len());
    for (k, ty) in param_types.iter().enumerate() {
        if known_first[k] && !matches!(ty.view(), TypeView::Fun(..)) {
            return Err(holds_functions(&raw.params[k], ty).into());
        }
    }
    Ok(Definition {
        name: raw.name.name.clone(),
        sizes,
        types,
        params: raw.params.iter().map(|p| p.name.name.clone()).collect(),
        statics: known_first,
        param_types,
        result,
        ty,
        body,
        span: raw.name.span,
        term: OnceCell::new(),
    })
}

/// The body of a definition by type, which no text says.
fn by_type(raw: &RawDefinition, infer: &Inference, result: &Type) -> Option<TypedTree> {
    let RawTermKind::Hole = raw.body.kind else { return None };
    let of = infer.locals.iter().rev().fold(result.clone(), |to, from| Type::fun(from.ty.clone(), to));
    let which = ByType::named(&raw.name.name, &of)?;
    let parameter = |(level, local): (usize, &LocalVariable)| {
        infer.tree(TypedTreeKind::Local(level), &local.ty, raw.params[level].name.span)
    };
    let parameters = infer.locals.iter().enumerate().map(parameter).collect();
    Some(infer.tree(TypedTreeKind::ByType(which, parameters), result, raw.body.span))
}

type Implicits = (Vec<(Name, u64)>, Vec<Name>);

fn implicits(raw: &RawDefinition, infer: &mut Inference) -> Result<Implicits, Trouble> {
    let (mut sizes, mut types, mut names) = (Vec::new(), Vec::new(), FxHashSet::default());
    for implicit in &raw.implicits {
        match implicit {
            RawImplicit::Size { name, lower } => {
                unique(name, &mut names, "size")?;
                infer.sizes.insert(name.name.clone());
                infer.solver.bounds.require(&name.name, *lower);
                sizes.push((name.name.clone(), *lower));
            }
            RawImplicit::Type(name) => {
                unique(name, &mut names, "type parameter")?;
                infer.types.insert(name.name.clone());
                types.push(name.name.clone());
            }
        }
    }
    Ok((sizes, types))
}

fn unique(name: &RawIdent, seen: &mut FxHashSet<Name>, what: &str) -> Result<(), Diagnostic> {
    if name.name.as_str() == "_" || seen.insert(name.name.clone()) {
        return Ok(());
    }
    Err(Diagnostic::error(code::DUPLICATE, format!("the {what} `{}` is bound twice", name.name))
        .at(name.span, "bound again here")
        .help("give one of the two another name"))
}

/// Checks a term that stands alone, as in `term("…")`. It sees what `within` sees; a size name that nothing binds is an
/// open size, with the lower bound that the term needs.
pub fn term(raw: &RawTerm, within: &Model, budget: &Budget) -> Result<Program, Trouble> {
    term_and_warnings(raw, within, budget).map(|(program, _)| program)
}

/// The same, with a warning of each name that nothing says to be a size but that nothing binds.
pub fn term_and_warnings(
    raw: &RawTerm,
    within: &Model,
    budget: &Budget,
) -> Result<(Program, Vec<Diagnostic>), Trouble> {
    alone(raw, Inference::new(&within.scope(), CheckMode::Term, budget))
}

/// Checks a term at the prompt. Unlike [`term`] it takes a name for an open size only where that is also written as a
/// size, or is one of `sizes`: a slip is no size.
pub fn prompt_term(raw: &RawTerm, within: &Model, sizes: &[Name], budget: &Budget) -> Result<Program, Trouble> {
    let scope = within.scope();
    let mut infer = Inference::new(&scope, CheckMode::Prompt, budget);
    infer.sizes.extend(sizes.iter().cloned());
    alone(raw, infer).map(|(program, _)| program)
}

/// D of a type that stands alone. A size name that nothing binds is an open size.
pub fn dual_type(raw: &RawType, within: &Model, budget: &Budget) -> Result<Type, Trouble> {
    let scope = within.scope();
    let mut infer = Inference::new(&scope, CheckMode::Term, budget);
    let ty = infer.raw_type(raw)?;
    let ty = infer.finish_type(&ty, raw.span, &mut TypeMemo::default())?;
    ad::dual_type(&ty).map_err(|why| diagnose::ad(raw.span, &why).into())
}

fn alone(raw: &RawTerm, infer: Inference) -> Result<(Program, Vec<Diagnostic>), Trouble> {
    typed(raw, infer).map_err(|trouble| advice::spoken(trouble, raw))
}

fn typed(raw: &RawTerm, mut infer: Inference) -> Result<(Program, Vec<Diagnostic>), Trouble> {
    let budget = infer.budget;
    let tree = infer.infer(raw);
    // What else is wrong may follow from a name that was taken for a size.
    if let (CheckMode::Prompt, Some((name, span))) = (infer.solver.mode, infer.guessed.first().cloned()) {
        infer.sizes.remove(&name);
        return Err(infer.unknown_name(&name, span).into());
    }
    let mut guessed = infer.guessed.clone();
    guessed.dedup_by(|a, b| a.0 == b.0);
    let settled = tree.and_then(|tree| infer.settle().map(|()| tree));
    let mut tree = settled.map_err(|trouble| of_guesses(trouble, &guessed))?;
    infer.finish(&mut tree, &mut TypeMemo::default())?;
    infer.show_ranges(&tree)?;
    let term = Lowering::new(Bindings::default(), budget).term(&tree)?;
    budget.measure(term.size(), term.depth())?;
    let warnings = guessed.iter().map(|(name, span)| diagnose::guessed(name, *span)).collect();
    Ok((Program { term, bounds: infer.solver.bounds }, warnings))
}

/// Adds to what is wrong that it may follow from a name that was taken for a size.
fn of_guesses(trouble: Trouble, guessed: &[(Name, Span)]) -> Trouble {
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    if let Some(first) = all.first_mut() {
        first.help.extend(guessed.iter().map(|(name, _)| format!("nothing binds `{name}`, so it is taken for a size")));
    }
    Trouble::Wrong(all)
}

/// A parameter under D that isn't a function but holds some: nothing could be given for it.
fn holds_functions(param: &RawParam, ty: &Type) -> Diagnostic {
    diagnose::unknown_static(param.name.span, "holds functions, and one of them stands under D")
        .help(format!("`{}` is no function but `{ty}`: make the function a parameter of its own", param.name.name))
}

/// Reports a name that a file defines twice.
pub(super) fn duplicate(name: &RawIdent, first: Span) -> Diagnostic {
    Diagnostic::error(code::DUPLICATE, format!("`{}` is defined twice", name.name))
        .at(name.span, "defined again here")
        .because(first, "first defined here")
        .help("rename or remove one of the two")
}
