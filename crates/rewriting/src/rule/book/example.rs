//! Shows a rule at work on the simplest instance of a law, as `:rule NAME` does.

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::focus::{Focus, Frame};
use super::super::info::{Rule, RuleInfo};
use super::super::law::variable;
use redexter_language::check::Law;
use redexter_language::ground::Name;
use redexter_language::term::{Bindings, OpenVariables, Prim, Size, SizeBounds, Term, Type, TypeView};

/// A term and what a rule makes of it.
#[derive(Clone, Debug)]
pub struct Example {
    /// The names of the free variables, outermost first.
    pub scope: Vec<Name>,
    /// The term.
    pub before: Term,
    /// What the rule makes of it.
    pub after: Term,
}

/// The numbers that the parameters of a rule are tried with in an example: the first with which it applies is taken.
const PARAMETER_CHOICES: [u64; 4] = [1, 2, 3, 0];

/// Instances of these left sides that the rule applies to, at their root or below.
pub fn examples<'a>(
    info: &Rc<RuleInfo>,
    laws: impl IntoIterator<Item = &'a Law> + 'a,
) -> impl Iterator<Item = Example> + 'a {
    // Without parameters each number makes the same rule, so that one is enough.
    let numbers = if info.params.is_empty() { &PARAMETER_CHOICES[..1] } else { &PARAMETER_CHOICES[..] };
    let rules: Vec<Rule> = numbers.iter().map(|n| Rule::new(info.clone(), &vec![*n; info.params.len()])).collect();
    let instances = laws.into_iter().flat_map(|law| Instantiation::ALL.iter().filter_map(move |way| way.instance(law)));
    instances.filter_map(move |(scope, before)| {
        let after = rules.iter().find_map(|rule| somewhere(rule, &before, &mut Vec::new()))?;
        Some(Example { scope, before, after })
    })
}

/// The term where the rule applies to it or, from the left, to one of its parts.
fn somewhere(rule: &Rule, term: &Term, above: &mut Vec<Frame>) -> Option<Term> {
    let here = rule.apply(&Focus::new(term, above, &SizeBounds::default())).ok().filter(|after| after != term);
    here.or_else(|| {
        (0..term.kid_count()).find_map(|kid| {
            above.push(Frame { term: term.clone(), kid });
            let below = somewhere(rule, &term.kid(kid), above);
            above.pop();
            term.with_kid(kid, below?).ok()
        })
    })
}

/// A way to instantiate pattern variables.
struct Instantiation {
    /// Reals become numbers instead of variables.
    literals: bool,
    /// What may mention a bound variable does so, once.
    mentions: bool,
}

/// Sizes as users write them, where nobody wrote a name; any type is `real`.
fn concrete(law: &Law) -> Bindings {
    let opens = OpenVariables::of(&law.left);
    let size = |name: &Name| (name.clone(), Size::var(&Name::new(name.as_str().trim_start_matches('?'))));
    Bindings {
        sizes: opens.vars.iter().map(size).collect(),
        types: opens.types.iter().map(|name| (name.clone(), Type::real())).collect(),
    }
}

impl Instantiation {
    const ALL: &[Instantiation] = &[
        Instantiation { literals: false, mentions: true },
        Instantiation { literals: true, mentions: true },
        Instantiation { literals: false, mentions: false },
    ];

    /// An instance of the left side, and the names of its free variables.
    fn instance(&self, law: &Law) -> Option<(Vec<Name>, Term)> {
        let term = self.fill(law, &law.left.assign(&concrete(law)).ok()?, 0)?;
        Some((law.vars.iter().map(|v| v.name.clone()).collect(), term))
    }

    /// `pattern`, under `under` of its binders, with something in the place of its variables.
    fn fill(&self, law: &Law, pattern: &Term, under: u32) -> Option<Term> {
        if let Some((_, arguments)) = variable(&law.vars, pattern, under) {
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
            // A single number is doubled, so that the body isn't just the variable.
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
