//! Checks that the children of a node have the types they must have, and computes the node's own.

use std::fmt;

use super::kind::{Kind, KindSignature, Payload};
use super::node::Term;
use super::prim::Overload;
use super::scheme::{MetaBindings, MetaType};
use super::types::Type;

/// The reason for which a term can't be made: what was to be made, what its parts had to be, what they are. It is made rarely and
/// handed on often, so that it is one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllTyped(Box<TypingError>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct TypingError {
    what: &'static str,
    expected: String,
    found: String,
}

impl fmt::Display for IllTyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.0.what, self.0.expected, self.0.found)
    }
}

#[cold]
pub(super) fn refuse<T>(what: &'static str, expected: impl ToString, found: impl ToString) -> Result<T, IllTyped> {
    Err(IllTyped(Box::new(TypingError { what, expected: expected.to_string(), found: found.to_string() })))
}

pub(super) fn same(what: &'static str, expected: &Type, found: &Type) -> Result<(), IllTyped> {
    if expected == found { Ok(()) } else { refuse(what, expected, found) }
}

/// The variables that are bound around child `k` must have the types that `metas` say.
pub(super) fn binders(kind: &Kind, k: usize, kid: &Term, metas: &MetaBindings) -> Result<(), IllTyped> {
    let KindSignature::Listed(kids, _) = kind.signature() else { return Ok(()) };
    for (index, (ty, name)) in kids[k].binds.iter().rev().enumerate() {
        if let (Some(free), Some(ty)) = (kid.free_at(index as u32), ty.known(metas)) {
            same(name, &ty, free.ty)?;
        }
    }
    Ok(())
}

/// The type of a node with this constructor around children of these types, and what its metavariables stand for; variables
/// apart.
pub(super) fn result<'a>(kind: &'a Kind, of: &[&'a Type]) -> Result<(Type, MetaBindings<'a>), IllTyped> {
    let mut metas = held(kind);
    let ty = match kind.signature() {
        KindSignature::Listed(kids, ty) => {
            let fit = kids.len() == of.len() && kids.iter().zip(of).all(|(kid, found)| kid.ty.fits(found, &mut metas));
            if fit { ty.known(&metas) } else { None }
        }
        KindSignature::Each(_, each, _, ty) => {
            metas.literal = of.len() as u64;
            if of.iter().all(|found| each.fits(found, &mut metas)) { ty.known(&metas) } else { None }
        }
        KindSignature::Primitive => overloaded(kind, of),
    };
    match ty {
        Some(ty) => Ok((ty, metas)),
        None => wrong(kind, of),
    }
}

/// The types and sizes that the metavariables of a constructor stand for, by what it holds.
fn held(kind: &Kind) -> MetaBindings<'_> {
    let mut metas = MetaBindings::default();
    let mut sizes = 0;
    kind.each_held(|held| match held {
        Payload::Type(ty) => metas.types[0] = Some(ty),
        Payload::Size(size) => {
            metas.sizes[sizes] = Some(size);
            sizes += 1;
        }
        Payload::Hint(_)
        | Payload::SizeVar(_)
        | Payload::Real(_)
        | Payload::Int(_)
        | Payload::Index(_)
        | Payload::Prim(_) => {}
    });
    metas
}

/// The type of a primitive's result, by the first overload that takes such operands.
fn overloaded(kind: &Kind, operands: &[&Type]) -> Option<Type> {
    let Kind::Prim(prim) = kind else { return None };
    let takes = |overload: &Overload| {
        let (all, result) = (overload.operands(), overload.result());
        let mut metas = MetaBindings { literal: prim.literal(), ..MetaBindings::default() };
        let fit = all.len() == operands.len() && all.iter().zip(operands).all(|(meta, ty)| meta.fits(ty, &mut metas));
        match (fit, result) {
            (false, _) => None,
            (true, MetaType::Real | MetaType::Int) if all[0] == *result => Some(operands[0].clone()),
            (true, _) => result.known(&metas),
        }
    };
    prim.overloads().iter().find_map(takes)
}

/// Says why children of these types don't fit.
#[cold]
fn wrong<T>(kind: &Kind, of: &[&Type]) -> Result<T, IllTyped> {
    let mut metas = held(kind);
    match kind.signature() {
        KindSignature::Listed(kids, _) if kids.len() == of.len() => {
            // What mentions a metavariable twice comes last, when the others have said what that stands for.
            for last in [false, true] {
                for (kid, found) in kids.iter().zip(of).filter(|(kid, _)| kid.ty.mentions_twice() == last) {
                    fit(kind, kid.name, &kid.ty, found, &mut metas)?;
                }
            }
        }
        KindSignature::Each(_, each, name, _) => {
            of.iter().try_for_each(|found| fit(kind, name, each, found, &mut metas))?;
        }
        KindSignature::Primitive => {
            let Kind::Prim(prim) = kind else { return refuse("operands", "a primitive", of.len()) };
            let found: Vec<String> = of.iter().map(|ty| ty.to_string()).collect();
            return refuse(kind.noun(), format!("what `{}` takes", prim.text()), found.join(" and "));
        }
        KindSignature::Listed(..) => {}
    }
    refuse("children", format!("those of {kind:?}"), of.len())
}

/// A child has the type that its constructor asks for; or else what is wrong: all of it where it is known what it has to
/// be, else its form, else a part.
fn fit<'a>(
    kind: &Kind,
    name: &'static str,
    expected: &MetaType,
    found: &'a Type,
    metas: &mut MetaBindings<'a>,
) -> Result<(), IllTyped> {
    let before = *metas;
    if expected.fits(found, metas) {
        return Ok(());
    }
    if let Some(known) = expected.known(&before) {
        return refuse(name, known, found);
    }
    let Some(parts) = expected.parts(found) else { return refuse(kind.noun(), expected.form(), found) };
    *metas = before;
    parts.into_iter().try_for_each(|(part, found)| fit(kind, name, part, found, metas))
}
