//! Writes sizes and types in Futhark: variables keep their names, and what is more than a variable gets a name at the top of the
//! entry, so that types have names and literals only.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Dim, FutharkExpr, FutharkName};
use super::names::NameSupply;
use crate::first::{Lowered, Refusal};
use redexter_language::ground::Name;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, Size, SizeAtom, Type, TypeView};

/// The sizes of an entry and their names.
pub(super) struct SizeNames {
    vars: BTreeMap<Name, FutharkName>,
    derived: BTreeMap<Size, FutharkName>,
    used: BTreeSet<Size>,
}

impl SizeNames {
    /// Names for these sizes: the variables first, so that they keep theirs.
    pub(super) fn new(vars: &[Name], all: &[Size], scope: &mut NameSupply) -> SizeNames {
        let vars = vars.iter().map(|n| (n.clone(), scope.fresh_entry(n.as_str()))).collect();
        let mut derived = BTreeMap::new();
        for size in all.iter().filter(|s| s.as_literal().is_none() && s.as_atom().is_none()) {
            derived.entry(size.clone()).or_insert_with(|| scope.fresh(&spelled(size)));
        }
        SizeNames { vars, derived, used: BTreeSet::new() }
    }

    pub(super) fn var(&self, name: &Name) -> FutharkName {
        self.vars.get(name).cloned().unwrap_or_else(|| FutharkName::from(name.as_str()))
    }

    /// The size as it may stand in a type.
    pub(super) fn dim(&mut self, size: &Size) -> Dim {
        match (size.as_literal(), size.as_atom(), self.derived.get(size)) {
            (Some(k), _, _) => Dim::Literal(k),
            (_, Some(SizeAtom::Var(name)), _) => Dim::Name(self.var(name)),
            (_, _, Some(name)) => {
                self.used.insert(size.clone());
                Dim::Name(name.clone())
            }
            _ => unreachable!("sizes are gathered before they are used"),
        }
    }

    /// The size as it would stand there, without asking for its definition.
    pub(super) fn named(&self, size: &Size) -> Option<Dim> {
        match (size.as_literal(), size.as_atom()) {
            (Some(k), _) => Some(Dim::Literal(k)),
            (_, Some(SizeAtom::Var(name))) => Some(Dim::Name(self.var(name))),
            _ => self.derived.get(size).cloned().map(Dim::Name),
        }
    }

    /// The definitions of the derived sizes that were used.
    pub(super) fn definitions(&self) -> Vec<(FutharkName, FutharkExpr)> {
        self.used.iter().map(|s| (self.derived[s].clone(), self.value(s))).collect()
    }

    /// The number that a size is.
    pub(super) fn value(&self, size: &Size) -> FutharkExpr {
        let mut sum: Option<FutharkExpr> = None;
        for (monomial, coefficient) in size.terms() {
            let mut product = (coefficient != 1 || monomial.is_empty()).then_some(FutharkExpr::Int(coefficient as i64));
            for (atom, power) in monomial {
                let SizeAtom::Var(name) = atom else { continue };
                for _ in 0..*power {
                    let factor = FutharkExpr::Var(self.var(name));
                    product = Some(match product {
                        Some(p) => FutharkExpr::binary(Prim::Mul, p, factor),
                        None => factor,
                    });
                }
            }
            let product = product.unwrap_or(FutharkExpr::Int(1));
            sum = Some(match sum {
                Some(s) if monomial.is_empty() => FutharkExpr::binary(Prim::Add, s, product),
                Some(s) => FutharkExpr::binary(Prim::Add, product, s),
                None => product,
            });
        }
        sum.unwrap_or(FutharkExpr::Int(0))
    }

    /// A type with every size as [`SizeNames::dim`] gives it.
    pub(super) fn ty(&mut self, ty: &Type) -> Lowered<String> {
        type_text(ty, &mut |n| match self.dim(n) {
            Dim::Name(name) => name.to_string(),
            Dim::Literal(k) => k.to_string(),
        })
    }
}

/// A data type in Futhark, with its sizes as `dim` writes them.
pub(super) fn type_text(ty: &Type, dim: &mut dyn FnMut(&Size) -> String) -> Lowered<String> {
    Ok(match ty.view() {
        _ if !goes_on() => String::new(),
        TypeView::Real => "f64".to_owned(),
        TypeView::Int | TypeView::Fin(_) => "i64".to_owned(),
        TypeView::Array(n, a) => format!("[{}]{}", dim(n), type_text(a, dim)?),
        TypeView::Pair(a, b) => format!("({}, {})", type_text(a, dim)?, type_text(b, dim)?),
        TypeView::Fun(..) => {
            return Err(Refusal {
                reason: format!("a function of type `{ty}` is left in it"),
                help: "apply the function, or give its definition where it is a parameter",
            });
        }
        TypeView::Var(name) => {
            return Err(Refusal {
                reason: format!("it is polymorphic in the type `{name}`"),
                help: "export a definition that uses it at one type",
            });
        }
        TypeView::Unknown(_) => {
            return Err(Refusal { reason: "a type is not known".to_owned(), help: "annotate its type" });
        }
    })
}

/// A name for a size: `n + 1` is `n_plus_1`.
fn spelled(size: &Size) -> String {
    let text = size.to_string().replace(" + ", "_plus_").replace(" * ", "_times_");
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("size_{text}") } else { text }
}
