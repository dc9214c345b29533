//! Which types the children of a node must have, and which it has then.

use std::fmt;

use super::kind::{Held, Kid, Kind, Signature};
use super::node::Term;
use super::prim::Overload;
use super::scheme::{MetaType, Metas};
use super::types::Type;

/// Why a term can't be made: what was to be made, what its parts had to be, what they are. Made rarely, handed on often,
/// so that it is one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllTyped(Box<Clash>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Clash {
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
    Err(IllTyped(Box::new(Clash { what, expected: expected.to_string(), found: found.to_string() })))
}

pub(super) fn same(what: &'static str, expected: &Type, found: &Type) -> Result<(), IllTyped> {
    if expected == found { Ok(()) } else { refuse(what, expected, found) }
}

/// The variables that are bound around child `k` must have the types that `metas` say.
pub(super) fn binders(kind: &Kind, k: usize, kid: &Term, metas: &Metas) -> Result<(), IllTyped> {
    let Signature::Listed(kids, _) = kind.signature() else { return Ok(()) };
    for (index, (ty, name)) in kids[k].binds.iter().rev().enumerate() {
        if let (Some(free), Some(ty)) = (kid.free_at(index as u32), ty.known(metas)) {
            same(name, &ty, free.ty)?;
        }
    }
    Ok(())
}

/// The type of a node with this constructor around children of these types, and what its metavariables stand for; variables
/// apart.
pub(super) fn result<'a>(kind: &'a Kind, of: &[&'a Type]) -> Result<(Type, Metas<'a>), IllTyped> {
    let mut metas = Metas::default();
    kind.each_held(|held| match held {
        Held::Type(ty) => metas.types[0] = Some(ty),
        Held::Size(size) => metas.sizes[0] = Some(size),
        Held::Prim(prim) => metas.literal = prim.literal(),
        Held::Hint(_) | Held::SizeVar(_) | Held::Real(_) | Held::Int(_) | Held::Index(_) => {}
    });
    let ty = match kind.signature() {
        Signature::Listed(kids, ty) if kids.len() == of.len() => {
            // What mentions a metavariable twice comes last, when the others have said what that stands for.
            for last in [false, true] {
                let all = kids.iter().zip(of).filter(|(kid, _)| kid.ty.mentions_twice() == last);
                all.into_iter().try_for_each(|(kid, ty)| fit(kind, kid, ty, &mut metas))?;
            }
            ty.known(&metas)
        }
        Signature::Each(kid, ty) => {
            metas.literal = of.len() as u64;
            of.iter().try_for_each(|ty| fit(kind, kid, ty, &mut metas))?;
            ty.known(&metas)
        }
        Signature::Primitive => overloaded(kind, of, &mut metas)?,
        Signature::Listed(..) => None,
    };
    match ty {
        Some(ty) => Ok((ty, metas)),
        None => refuse("children", format!("those of {kind:?}"), of.len()),
    }
}

/// A child has the type that its constructor asks for.
fn fit<'a>(kind: &Kind, kid: &Kid, ty: &'a Type, metas: &mut Metas<'a>) -> Result<(), IllTyped> {
    let before = metas.clone();
    if kid.ty.fits(ty, metas) { Ok(()) } else { clash(kind, kid, &kid.ty, ty, before) }
}

/// What is wrong with a child's type: all of it where it is known what it has to be, else its form, else a part.
#[cold]
fn clash<'a>(
    kind: &Kind,
    kid: &Kid,
    expected: &MetaType,
    found: &'a Type,
    mut metas: Metas<'a>,
) -> Result<(), IllTyped> {
    if let Some(known) = expected.known(&metas) {
        return refuse(kid.name, known, found);
    }
    match expected.parts(found) {
        None => refuse(kind.noun(), expected.form(), found),
        Some(parts) => {
            let wrong = parts.into_iter().find(|(meta, ty)| !meta.fits(ty, &mut metas));
            let (meta, ty) = wrong.unwrap_or(parts[0]);
            clash(kind, kid, meta, ty, metas)
        }
    }
}

/// The type of a primitive's result.
fn overloaded(kind: &Kind, operands: &[&Type], metas: &mut Metas) -> Result<Option<Type>, IllTyped> {
    let Kind::Prim(prim) = kind else { return Ok(None) };
    let takes = |overload: &Overload| {
        let (all, mut metas) = (overload.operands(), metas.clone());
        let fit = all.len() == operands.len() && all.iter().zip(operands).all(|(meta, ty)| meta.fits(ty, &mut metas));
        if fit { overload.result().known(&metas) } else { None }
    };
    match prim.overloads().iter().find_map(takes) {
        Some(ty) => Ok(Some(ty)),
        None => {
            let found: Vec<String> = operands.iter().map(|ty| ty.to_string()).collect();
            refuse(kind.noun(), format!("what `{}` takes", prim.text()), found.join(" and "))
        }
    }
}
