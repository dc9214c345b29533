//! Checking rules: pattern variables are found, both sides get one type, and what stays open is a pattern variable.

use std::collections::HashSet;

use super::diagnose;
use super::infer::{Infer, Mode, Why};
use super::law::{Law, PatternVar};
use super::lower::{Lower, Plain};
use super::model::{Model, Scope};
use super::pending::Want;
use super::scan::{Found, Scan};
use super::tree::{Tree, TreeKind};
use crate::ground::{Budget, Diagnostic, Sources, Span, Trouble, code};
use crate::syntax::raw::{RawRule, RawTerm, RawTermKind};
use crate::term::{Atom, Size, Term, Type, TypeMemo, TypeView};

/// The laws of a rule, in order; with `reverse`, those written with `<-->`, from right to left.
///
/// A law that is open between `real` and `int` gives two. The rule's parameters are numbers and mean nothing in a law.
pub fn laws(
    raw: &RawRule,
    reverse: bool,
    within: &Model,
    sources: &Sources,
    budget: &Budget,
) -> Result<Vec<Law>, Trouble> {
    let scope = within.scope();
    let mut all = Vec::new();
    for law in raw.laws.iter().filter(|l| l.both_ways || !reverse) {
        let text = &sources.get(law.span.source).text[law.span.start as usize..law.span.end as usize];
        let (left, right) = if reverse { (&law.right, &law.left) } else { (&law.left, &law.right) };
        let found = Scan::law(left, right, &scope)?;
        let check = |int| one(left, right, law.span, &found, Mode::Rule { int }, &scope, budget, text.trim());
        let (real, defaulted) = check(false)?;
        all.push(real);
        if defaulted && let Ok((int, _)) = check(true) {
            all.push(int);
        }
    }
    Ok(all)
}

/// One law at one default for numbers, and whether that default was used.
#[allow(clippy::too_many_arguments)]
fn one(
    left: &RawTerm,
    right: &RawTerm,
    span: Span,
    found: &Found,
    mode: Mode,
    scope: &Scope,
    budget: &Budget,
    text: &str,
) -> Result<(Law, bool), Trouble> {
    let mut infer = Infer::new(scope, mode, budget);
    infer.sizes = found.sizes.clone();
    for var in &found.vars {
        let ty = infer.solver.fresh();
        infer.push(&var.name, &ty);
        if let Some(local) = infer.locals.last_mut() {
            local.arguments = var.arguments.clone();
        }
    }
    let mut left_tree = infer.infer(left)?;
    let mut right_tree = infer.infer(right)?;
    let want = Want { code: code::RULE_SIDES, ..Want::at(right.span) }
        .because(left.span, format!("has type `{}`", infer.shown(&left_tree.ty)));
    infer.same(&left_tree.ty, &right_tree.ty, &want)?;
    infer.settle()?;
    infer.solver.name_rest();
    let mut memo = TypeMemo::default();
    infer.finish(&mut left_tree, &mut memo)?;
    infer.finish(&mut right_tree, &mut memo)?;
    let mut vars = Vec::new();
    for (var, local) in found.vars.iter().zip(&infer.locals) {
        let ty = infer.finish_type(&local.ty, var.span, &mut memo)?;
        vars.push(PatternVar { name: var.name.clone(), ty, arity: var.arguments.len() });
    }
    let side = |tree: &Tree| {
        let mut lower = Lower::new(&Plain, budget);
        for _ in &vars {
            lower.enter(None);
        }
        lower.term(tree)
    };
    let (left_term, right_term) = (side(&left_tree)?, side(&right_tree)?);
    unbound_sizes(&left_term, &right_term, right.span)?;
    let law =
        Law { vars, left: left_term, right: right_term, bounds: infer.bounds.clone(), text: text.to_owned(), span };
    Ok((law, infer.defaulted))
}

/// Every size of the right side must be one of the left.
fn unbound_sizes(left: &Term, right: &Term, span: Span) -> Result<(), Diagnostic> {
    let (mut known, mut used) = (Names::default(), Names::default());
    known.term(left);
    used.term(right);
    let mut missing: Vec<_> = used.0.difference(&known.0).filter(|n| !n.starts_with('?')).collect();
    missing.sort();
    match missing.first() {
        Some(name) => Err(unbound(name, span)),
        None => Ok(()),
    }
}

pub(super) fn unbound(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::RULE_UNBOUND, format!("the right side uses `{name}`, which the left side lacks"))
        .at(span, "nothing says what it stands for")
        .help(format!("let the left side mention `{name}`, or write what it should be"))
}

/// The size and type names of a term.
#[derive(Default)]
struct Names(HashSet<String>, HashSet<u128>);

impl Names {
    fn size(&mut self, n: &Size) {
        self.0.extend(n.atoms().filter_map(|a| match a {
            Atom::Var(name) => Some(name.to_string()),
            Atom::Unknown(_) => None,
        }));
    }

    fn ty(&mut self, ty: &Type) {
        if !ty.is_open() || !self.1.insert(ty.print()) {
            return;
        }
        match ty.view() {
            TypeView::Fin(n) => self.size(n),
            TypeView::Array(n, a) => {
                self.size(n);
                self.ty(a);
            }
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.ty(a);
                self.ty(b);
            }
            TypeView::Var(name) => {
                self.0.insert(name.to_string());
            }
            _ => {}
        }
    }

    fn term(&mut self, term: &Term) {
        use crate::term::Kind;
        self.ty(term.ty());
        match term.kind() {
            Kind::Ifold(n) | Kind::Build(n) => self.size(n),
            Kind::SizeVar(name) => {
                self.0.insert(name.to_string());
            }
            _ => {}
        }
        for kid in term.kids() {
            self.term(&kid);
        }
    }
}

impl Infer<'_> {
    /// `e(a, i)`: the pattern variable e applied.
    pub(super) fn pattern(
        &mut self,
        name: &crate::ground::Name,
        arguments: &[RawTerm],
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        let Some(level) = self.local(name) else {
            return Err(diagnose::unknown(code::BAD_RULE, "pattern variable", name.as_str(), span, []).into());
        };
        let ty = self.locals[level].ty.clone();
        let head = self.tree(TreeKind::Local(level), &ty, span);
        let arguments: Vec<&RawTerm> = arguments.iter().collect();
        self.apply(head, &arguments, span, expected, why)
    }

    /// A pattern variable that takes arguments, used without them: the function of its arguments.
    pub(super) fn bare_pattern(
        &mut self,
        level: usize,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        let at = |kind| RawTerm { kind, span };
        let (name, arguments) = (self.locals[level].name.clone(), self.locals[level].arguments.clone());
        let params = arguments.iter().map(|a| super::scan::param(a, span)).collect();
        let uses = arguments.iter().map(|a| at(RawTermKind::Name(a.clone()))).collect();
        let body = at(RawTermKind::Pattern(name, uses));
        self.check(&at(RawTermKind::Fun(params, Box::new(body))), expected, why)
    }
}
