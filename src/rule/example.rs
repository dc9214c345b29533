//! A rule at work on an instance of its own law: what `:rule NAME` shows.

use std::rc::Rc;

use smallvec::SmallVec;

use super::info::{Body, Rule, RuleInfo};
use super::law::CompiledLaw;
use super::matching::{spine, variable};
use super::site::Site;
use crate::ground::Name;
use crate::term::{Assignment, Atom, Bounds, Prim, Size, Term, Type, TypeMemo, TypeView};

/// A redex and its contractum.
#[derive(Clone, Debug)]
pub struct Example {
    /// The names of the free variables, outermost first.
    pub scope: Vec<Name>,
    /// The redex.
    pub redex: Term,
    /// What the rule makes of it.
    pub contractum: Term,
}

/// What a parameter of a rule is in an example.
const PARAMETER: u64 = 1;

/// An instance of one of a rule's laws that it applies to; none for native rules, and where the conditions ask for more
/// than the simplest instances have.
pub fn example(info: &Rc<RuleInfo>) -> Option<Example> {
    let Body::Laws(laws) = &info.body else { return None };
    let rule = Rule::new(info.clone(), &vec![PARAMETER; info.params.len()]);
    let ways = [Way { literals: false, mentions: true }, Way { literals: true, mentions: true }, Way::PLAIN];
    let laws = laws.typed().ok()?;
    laws.iter().flat_map(|law| ways.iter().map(move |way| (law, way))).find_map(|(law, way)| {
        let redex = way.instance(law)?;
        let contractum = rule.apply(&Site::root(&redex, &Bounds::default())).ok()?;
        let scope = law.vars.iter().map(|v| v.name.clone()).collect();
        (redex != contractum).then_some(Example { scope, redex, contractum })
    })
}

/// How pattern variables are instantiated.
struct Way {
    /// Reals become numbers instead of variables.
    literals: bool,
    /// What may mention a bound variable does so, once.
    mentions: bool,
}

/// Size variables as users write them; any type is `real`.
struct Concrete;

impl Assignment for Concrete {
    fn size(&self, atom: &Atom) -> Option<Size> {
        match atom {
            Atom::Var(name) => Some(Size::var(&Name::new(name.as_str().trim_start_matches('?')))),
            Atom::Unknown(_) => None,
        }
    }

    fn ty(&self, leaf: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        matches!(leaf, TypeView::Var(_)).then(Type::real)
    }
}

impl Way {
    const PLAIN: Way = Way { literals: false, mentions: false };

    fn instance(&self, law: &CompiledLaw) -> Option<Term> {
        self.fill(law, &law.left.assign(&Concrete).ok()?, 0)
    }

    /// `pattern`, under `under` of its binders, with something in the place of its variables.
    fn fill(&self, law: &CompiledLaw, pattern: &Term, under: u32) -> Option<Term> {
        let (head, arguments) = spine(pattern);
        if let Some(j) = variable(law.vars.len(), &head, under)
            && law.vars[j].arity == arguments.len()
        {
            let arguments: Option<Vec<Term>> = arguments.iter().map(|a| self.fill(law, a, under)).collect();
            return self.variable(pattern, &arguments?);
        }
        let kind = pattern.kind();
        let kid = |k: usize| self.fill(law, &pattern.kid(k), under + kind.binders(k));
        let kids: Option<SmallVec<[Term; 2]>> = (0..pattern.kid_count()).map(kid).collect();
        pattern.with_kids(kids?).ok()
    }

    /// What stands for a pattern variable: itself, if that is data and mentions nothing.
    fn variable(&self, pattern: &Term, arguments: &[Term]) -> Option<Term> {
        let data = arguments.is_empty() && !pattern.ty().is_function();
        match pattern.ty().view() {
            _ if data && !self.literals => Some(pattern.clone()),
            _ if self.mentions => value(pattern.ty(), arguments),
            _ => value(pattern.ty(), &[]),
        }
    }
}

/// Something of this type that mentions each of these terms, where it can.
fn value(ty: &Type, parts: &[Term]) -> Option<Term> {
    match ty.view() {
        TypeView::Int => parts.iter().find_map(|p| of_type(p, ty)).or(Some(Term::int(2))),
        TypeView::Fin(_) => parts.iter().find_map(|p| of_type(p, ty)),
        TypeView::Pair(a, b) => Term::pair(value(a, parts)?, value(b, parts)?).ok(),
        TypeView::Fun(a, b) => Term::lam(&binder(a), a, value(b, &inside(parts, a))?).ok(),
        TypeView::Array(n, a) => {
            let index = Type::fin(n.clone());
            let element = value(a, &inside(parts, &index))?;
            Term::build(n.clone(), Term::lam(&binder(&index), &index, element).ok()?).ok()
        }
        _ => {
            let mut reals = parts.iter().filter_map(real);
            let Some(first) = reals.next() else { return Some(Term::real(2.0)) };
            let sum = reals.try_fold(first.clone(), |sum, p| Term::prim(Prim::Add, vec![sum, p]).ok())?;
            if sum == first { Term::prim(Prim::Mul, vec![first, Term::real(2.0)]).ok() } else { Some(sum) }
        }
    }
}

/// These terms under one more binder, and its variable.
fn inside(parts: &[Term], bound: &Type) -> Vec<Term> {
    parts.iter().map(|p| p.shift(1)).chain([Term::var(0, bound)]).collect()
}

fn binder(ty: &Type) -> Name {
    Name::new(if matches!(ty.view(), TypeView::Fin(_)) { "j" } else { "y" })
}

fn of_type(part: &Term, ty: &Type) -> Option<Term> {
    (part.ty() == ty).then(|| part.clone())
}

/// A real made of a term.
fn real(part: &Term) -> Option<Term> {
    match part.ty().view() {
        TypeView::Real => Some(part.clone()),
        TypeView::Int | TypeView::Fin(_) => Term::prim(Prim::ToReal, vec![part.clone()]).ok(),
        TypeView::Pair(..) => {
            let halves = [real(&Term::fst(part.clone()).ok()?), real(&Term::snd(part.clone()).ok()?)];
            match halves {
                [Some(a), Some(b)] => Term::prim(Prim::Add, vec![a, b]).ok(),
                [a, b] => a.or(b),
            }
        }
        _ => None,
    }
}
