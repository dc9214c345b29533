//! Which types the children of a node must have, and which it has then.

use std::fmt;

use super::kind::Kind;
use super::node::Term;
use super::prim::{Overload, Prim};
use super::scheme::Metas;
use super::size::Size;
use super::types::{Type, TypeView};

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

/// The type of variable 0 in `body`, if it occurs, must be `ty`.
pub(super) fn binder(what: &'static str, ty: &Type, body: &Term) -> Result<(), IllTyped> {
    match body.free_at(0) {
        Some(free) => same(what, ty, free.ty),
        None => Ok(()),
    }
}

/// The type of a node with this constructor around children of these types; variables apart. Leaves say theirs themselves.
pub(super) fn result(kind: &Kind, of: &[&Type]) -> Result<Type, IllTyped> {
    match (kind, of) {
        (Kind::Lam(_, from), [to]) => Ok(Type::fun(from.clone(), (*to).clone())),
        (Kind::App, [function, argument]) => {
            let TypeView::Fun(from, to) = function.view() else {
                return refuse("application", "a function", function);
            };
            same("argument", from, argument)?;
            Ok(to.clone())
        }
        (Kind::Let(_), [_, body]) => Ok((*body).clone()),
        (Kind::If, [condition, a, b]) => {
            if *condition.view() != TypeView::Int {
                return refuse("condition", Type::int(), condition);
            }
            same("else branch", a, b)?;
            Ok((*a).clone())
        }
        (Kind::Ifold(n), [f, z]) => match is_step(f, z, n) {
            true => Ok((*z).clone()),
            false => {
                let step = Type::fun(Type::fin(n.clone()), (*z).clone());
                refuse("ifold body", Type::fun((*z).clone(), step), f)
            }
        },
        (Kind::Build(n), [f]) => {
            let TypeView::Fun(from, to) = f.view() else {
                return refuse("build", "a function", f);
            };
            match is_below(from, n) {
                true => Ok(Type::array(n.clone(), to.clone())),
                false => refuse("build body's parameter", Type::fin(n.clone()), from),
            }
        }
        (Kind::Array(element), all) => {
            all.iter().try_for_each(|ty| same("array element", element, ty))?;
            Ok(Type::array(Size::literal(all.len() as u64), element.clone()))
        }
        (Kind::Get, [array, index]) => {
            let TypeView::Array(n, element) = array.view() else {
                return refuse("indexing", "an array", array);
            };
            match is_below(index, n) {
                true => Ok(element.clone()),
                false => refuse("index", Type::fin(n.clone()), index),
            }
        }
        (Kind::Pair, [a, b]) => Ok(Type::pair((*a).clone(), (*b).clone())),
        (Kind::Fst, [p]) => match p.view() {
            TypeView::Pair(a, _) => Ok(a.clone()),
            _ => refuse("fst", "a pair", p),
        },
        (Kind::Snd, [p]) => match p.view() {
            TypeView::Pair(_, b) => Ok(b.clone()),
            _ => refuse("snd", "a pair", p),
        },
        (Kind::Prim(prim), all) => result_of(*prim, all).map_or_else(|| refuse_operands(*prim, all), Ok),
        (kind, all) => refuse("children", format!("those of {kind:?}"), all.len()),
    }
}

#[cold]
fn refuse_operands<T>(prim: Prim, operands: &[&Type]) -> Result<T, IllTyped> {
    let found: Vec<String> = operands.iter().map(|ty| ty.to_string()).collect();
    refuse("operands", format!("what `{}` takes", prim.text()), found.join(" and "))
}

/// Whether it is `fin n`.
fn is_below(ty: &Type, n: &Size) -> bool {
    matches!(ty.view(), TypeView::Fin(m) if m == n)
}

/// Whether it is `a -> fin n -> a`.
fn is_step(ty: &Type, a: &Type, n: &Size) -> bool {
    let TypeView::Fun(from, rest) = ty.view() else { return false };
    matches!(rest.view(), TypeView::Fun(index, to) if from == a && is_below(index, n) && to == a)
}

/// The type of a primitive's result, if it takes operands of these types.
fn result_of(prim: Prim, operands: &[&Type]) -> Option<Type> {
    let takes = |overload: &Overload| {
        let mut metas = Metas { literal: prim.literal(), ..Metas::default() };
        let all = overload.operands();
        let fit = all.len() == operands.len() && all.iter().zip(operands).all(|(meta, ty)| meta.fits(ty, &mut metas));
        if fit { overload.result().known(&metas) } else { None }
    };
    prim.overloads().iter().find_map(takes)
}
