//! Types the two sides of laws: both get one type, and what stays open is a pattern variable.

use super::scan::{LawNames, LawScan, bare};
use super::{Law, PatternVar, unbound};
use crate::check::definition::{Lowering, TypedTree};
use crate::check::infer::Inference;
use crate::check::model::{Model, ModelScope};
use crate::check::solve::{CheckMode, Requirement};
use crate::ground::{Budget, Diagnostic, Sources, Span, Trouble, code, text::in_word};
use crate::syntax::raw::{RawRule, RawTerm};
use crate::term::{OpenVariables, Term, TypeMemo};

/// The laws of a rule, in order; with `reverse`, those written with `<-->`, from right to left.
///
/// A law that is open between `real` and `int` gives two. The rule's parameters are numbers and mean nothing in a law. A name of
/// the library that doesn't fit where it stands, as `sum` in `sum + 0 --> sum`, is a pattern variable like others.
pub fn laws(
    raw: &RawRule,
    reverse: bool,
    within: &Model,
    sources: &Sources,
    budget: &Budget,
) -> Result<Vec<Law>, Trouble> {
    let scope = within.scope();
    let wrong = match laws_in(raw, reverse, &scope, sources, budget) {
        Err(wrong @ Trouble::Wrong(_)) => wrong,
        other => return other,
    };
    let bare = raw.laws.iter().flat_map(|law| [&law.left, &law.right]).fold(Default::default(), bare);
    let other = scope.hiding(bare).map(|scope| laws_in(raw, reverse, &scope, sources, budget));
    other.and_then(Result::ok).ok_or(wrong)
}

fn laws_in(
    raw: &RawRule,
    reverse: bool,
    scope: &ModelScope,
    sources: &Sources,
    budget: &Budget,
) -> Result<Vec<Law>, Trouble> {
    let mut all = Vec::new();
    for law in raw.laws.iter().filter(|l| l.both_ways || !reverse) {
        let text = &sources.get(law.span.source).text[law.span.start as usize..law.span.end as usize];
        let (left, right) = if reverse { (&law.right, &law.left) } else { (&law.left, &law.right) };
        let found = LawScan::law(left, right, scope)?;
        let sides = LawSides { left, right, span: law.span, text: text.trim(), found: &found, scope, budget };
        let check = |int| sides.law(CheckMode::Rule { int });
        let (real, defaulted) = check(false)?;
        all.push(real);
        if defaulted && let Ok((int, _)) = check(true) {
            all.push(int);
        }
    }
    Ok(all)
}

/// A law that is being checked.
struct LawSides<'a> {
    left: &'a RawTerm,
    right: &'a RawTerm,
    span: Span,
    text: &'a str,
    found: &'a LawNames,
    scope: &'a ModelScope,
    budget: &'a Budget,
}

impl<'a> LawSides<'a> {
    /// Both sides with their types, which are one type if they are `joined`.
    fn typed(&self, mode: CheckMode, joined: bool) -> Result<(Inference<'a>, TypedTree, TypedTree), Trouble> {
        let mut infer = Inference::new(self.scope, mode, self.budget);
        let typed = self.inferred(&mut infer, joined).map_err(|trouble| self.with_variables(&infer, trouble));
        typed.map(|(left, right)| (infer, left, right))
    }

    fn inferred(&self, infer: &mut Inference<'a>, joined: bool) -> Result<(TypedTree, TypedTree), Trouble> {
        infer.sizes = self.found.sizes.clone();
        for var in &self.found.vars {
            let ty = infer.solver.fresh();
            infer.push(&var.name, &ty);
            if let Some(local) = infer.locals.last_mut() {
                local.arguments = var.arguments.clone();
            }
        }
        let left = infer.infer(self.left)?;
        let right = infer.infer(self.right)?;
        if joined {
            infer.solver.same(&left.ty, &right.ty, &Requirement::at(self.right.span))?;
        }
        infer.settle()?;
        Ok((left, right))
    }

    /// Says what is known of the types of the pattern variables where something is wrong.
    fn with_variables(&self, infer: &Inference, trouble: Trouble) -> Trouble {
        let Trouble::Wrong(mut all) = trouble else { return trouble };
        if let Some(first) = all.first_mut() {
            let stands =
                |name: &str| first.labels.iter().any(|label| self.written(label.span).any(|word| word == name));
            let named = self.found.vars.iter().zip(&infer.locals).filter(|(var, _)| stands(var.name.as_str()));
            let known =
                named.map(|(var, local)| (&var.name, infer.solver.shown(&local.ty))).filter(|(_, ty)| ty != "_");
            let known: Vec<String> = known.map(|(name, ty)| format!("`{name} : {ty}`")).collect();
            match &known[..] {
                [] => {}
                [one] => first.help.push(format!("here the pattern variable is {one}")),
                all => first.help.push(format!("here the pattern variables are {}", all.join(", "))),
            }
        }
        Trouble::Wrong(all)
    }

    /// The words that stand there in the law.
    fn written(&self, span: Span) -> impl Iterator<Item = &str> {
        let place = |at: u32| at.saturating_sub(self.span.start) as usize;
        let part = self.text.get(place(span.start)..place(span.end)).unwrap_or("");
        part.split(|c| !in_word(c))
    }

    /// The law at one default for numbers, and whether that default was used.
    fn law(&self, mode: CheckMode) -> Result<(Law, bool), Trouble> {
        let (mut infer, mut left, mut right) = self.typed(mode, true).map_err(|wrong| self.apart(mode, wrong))?;
        infer.solver.unifier.name_rest();
        let mut memo = TypeMemo::default();
        infer.finish(&mut left, &mut memo)?;
        infer.finish(&mut right, &mut memo)?;
        infer.show_ranges(&left)?;
        infer.show_ranges(&right)?;
        let mut vars = Vec::new();
        for (var, local) in self.found.vars.iter().zip(&infer.locals) {
            let ty = infer.finish_type(&local.ty, var.span, &mut memo)?;
            vars.push(PatternVar { name: var.name.clone(), ty, arity: var.arguments.len() });
        }
        let side = |tree: &TypedTree| {
            let mut lower = Lowering::of_law(self.budget);
            for _ in &vars {
                lower.enter(None);
            }
            lower.term(tree)
        };
        let (left, right) = (side(&left)?, side(&right)?);
        unbound_sizes(&left, &right, self.right.span)?;
        let (bounds, text) = (infer.solver.bounds.clone(), self.text.to_owned());
        Ok((Law { vars, left, right, bounds, text, span: self.span }, infer.solver.defaulted))
    }

    /// Says that the sides differ in type where each alone is well-typed.
    fn apart(&self, mode: CheckMode, wrong: Trouble) -> Trouble {
        let (Trouble::Wrong(_), Ok((infer, left, right))) = (&wrong, self.typed(mode, false)) else { return wrong };
        let (left, right) = (infer.solver.shown(&left.ty), infer.solver.shown(&right.ty));
        Diagnostic::error(code::RULE_SIDES, "the sides of the law differ in type")
            .at(self.right.span, format!("has type `{right}`"))
            .because(self.left.span, format!("has type `{left}`"))
            .help("a rule may change how something is computed, not its type")
            .into()
    }
}

/// Every size of the right side must be one of the left.
fn unbound_sizes(left: &Term, right: &Term, span: Span) -> Result<(), Diagnostic> {
    let (known, used) = (OpenVariables::of(left), OpenVariables::of(right));
    let missing = used.vars.iter().find(|n| !known.vars.contains(n) && !n.as_str().starts_with('?'));
    missing.map_or(Ok(()), |name| Err(unbound(name.as_str(), span)))
}
