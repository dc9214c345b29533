//! Chooses what a law's sizes and types stand for in one instance, and grows terms for its variables.

use std::collections::BTreeSet;

use super::grow::Grower;
use redexter_language::check::Law;
use redexter_language::ground::Name;
use redexter_language::term::{Bindings, OpenVariables, Size, Term, Type, TypeMemo, TypeView};

/// Names of open sizes.
const OPEN_NAMES: &[&str] = &["n", "m", "k"];

/// Sizes and types by the law's names for them.
pub(super) struct LawBindings(pub(super) Bindings);

impl LawBindings {
    /// Sizes and types for a law, chosen by the grower, which then has these sizes to choose from. Parameters of the rule
    /// are what they are given.
    pub(super) fn choose(law: &Law, parameters: &[(Name, u64)], grower: &mut Grower) -> Option<LawBindings> {
        let mut opens = OpenVariables::of(&law.left);
        law.vars.iter().for_each(|var| opens.ty(&var.ty));
        let (sizes, types): (BTreeSet<Name>, BTreeSet<Name>) =
            (opens.vars.into_iter().collect(), opens.types.into_iter().collect());
        let mut given = Bindings::default();
        for name in sizes {
            let size = match parameters.iter().find(|(parameter, _)| *parameter == name) {
                Some((_, argument)) => Size::literal(*argument),
                None => choose_size(law.bounds.lower(&name), grower)?,
            };
            grower.sizes.push(size.clone());
            given.sizes.insert(name, size);
        }
        given.types = types.into_iter().map(|name| (name, grower.ty(true))).collect();
        Some(LawBindings(given))
    }

    pub(super) fn ty(&self, ty: &Type) -> Option<Type> {
        ty.assign(&self.0, &mut TypeMemo::default()).ok()
    }

    /// A random term for each variable of the law, under one binder for each of its arguments.
    /// The fuel of each is below `most`.
    pub(super) fn terms(&self, law: &Law, grower: &mut Grower, most: usize) -> Option<Vec<Term>> {
        law.vars
            .iter()
            .map(|var| {
                let mut ty = self.ty(&var.ty)?;
                let mut arguments = Vec::new();
                for _ in 0..var.arity {
                    let TypeView::Fun(from, to) = ty.view().clone() else { return None };
                    arguments.push(from);
                    ty = to;
                }
                let fuel = grower.random.below(most) as u32;
                grower.body(&arguments, &ty, fuel)
            })
            .collect()
    }
}

/// A number, an open size, or one more than an open size; never below `lower`. Numbers of the rule's text are among them,
/// and bounds of open sizes.
pub(super) fn choose_size(lower: u64, grower: &mut Grower) -> Option<Size> {
    let roll = grower.random.below(100);
    let hint = (!grower.hints.sizes.is_empty()).then(|| *grower.random.pick(&grower.hints.sizes));
    if let Some(hint) = hint.filter(|_| roll < 12) {
        return Some(Size::literal(lower.max(hint)));
    }
    if roll < 30 {
        return Some(Size::literal(lower.max(grower.random.below(4) as u64)));
    }
    let lower = hint.filter(|_| roll > 93).map_or(lower, |hint| lower.max(hint));
    let name: &&str = grower.random.pick(OPEN_NAMES);
    let name = Name::new(name);
    let open = Size::var(&name);
    if roll < 85 {
        grower.bounds.require(&name, lower);
        return Some(open);
    }
    // The size is one more than the open one, which may therefore be one less than the bound.
    grower.bounds.require(&name, lower.saturating_sub(1));
    open.plus(&Size::literal(1))
}
