//! Writes one program as one entry point: its sizes, parameters, result and checks.

use std::collections::BTreeSet;

use super::code::{FutharkExpr, FutharkName};
use super::flat::{self, flat};
use super::lower::{FutharkLets, FutharkLowering};
use super::names::NameSupply;
use super::sizes::{SizeNames, type_text};
use super::{FutharkOptions, text};
use crate::first::{Lowered, first_order};
use redexter_language::ground::Name;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{OpenVariables, Prim, Program, Size, SizeAtom, Type, TypeView};

/// An entry's text and what it needs.
pub(super) struct EntryPoint {
    pub(super) text: String,
    /// What it uses that Futhark lacks.
    pub(super) defined: BTreeSet<Prim>,
}

pub(super) fn entry(name: &FutharkName, program: &Program, options: &FutharkOptions) -> Lowered<EntryPoint> {
    let parts = first_order(program)?;
    let mut gathered = OpenVariables::default();
    gathered.ty(program.term.ty());
    gathered.term(&program.term);
    let mut scope = NameSupply::default();
    let sizes = SizeNames::new(&gathered.vars, &gathered.sizes, &mut scope);
    let mut lower = FutharkLowering::new(scope, sizes, *options);
    let mut signature = EntryHead::default();
    let mut lets: FutharkLets = Vec::new();
    for var in &parts.parameters {
        let own = signature.data(&var.hint, &var.ty, &mut lower, &mut lets)?;
        lower.bind(var, own);
    }
    let mut fixed = BTreeSet::new();
    parts.parameters.iter().for_each(|var| of_arrays(&var.ty, &mut fixed));
    signature.open(gathered.vars.iter().filter(|n| !fixed.contains(*n)), &lower);
    let body = lower.data(&parts.body)?;
    let body = flat(body, &parts.result, &mut lower.scope);
    let result = result(&parts.result, &lower)?;
    let mut all = lower.sizes.definitions();
    // Sizes come first, since the types of parameters name them.
    all.extend(lets);
    let whole = FutharkExpr::lets(all, checked(&gathered.vars, program, &lower, body));
    Ok(EntryPoint { text: signature.write(name, &result, &whole), defined: lower.defined })
}

/// The sizes that are an entry's first parameters, in their order: those that no array of its parameters has.
pub fn sizes_given(program: &Program) -> Vec<Name> {
    let mut fixed = BTreeSet::new();
    program.term.applied().0.iter().for_each(|(_, ty)| of_arrays(ty, &mut fixed));
    let mut all = OpenVariables::default();
    all.ty(program.term.ty());
    all.term(&program.term);
    all.vars.retain(|n| !fixed.contains(n));
    all.vars
}

/// Adds the sizes that are arrays' lengths as they stand.
fn of_arrays(ty: &Type, into: &mut BTreeSet<Name>) {
    match ty.view() {
        TypeView::Array(n, a) if goes_on() => {
            if let Some(SizeAtom::Var(n)) = n.as_atom() {
                into.insert(n.clone());
            }
            of_arrays(a, into);
        }
        TypeView::Pair(a, b) if goes_on() => {
            of_arrays(a, into);
            of_arrays(b, into);
        }
        _ => {}
    }
}

/// The type of the result: with names for variable sizes only.
fn result(ty: &Type, lower: &FutharkLowering) -> Lowered<String> {
    let parts = flat::parts(ty);
    let all = parts.iter().map(|part| {
        type_text(part, &mut |n| match (n.as_literal(), n.as_atom()) {
            (Some(k), _) => k.to_string(),
            (_, Some(SizeAtom::Var(n))) => lower.sizes.var(n).to_string(),
            _ => String::new(),
        })
    });
    let all = all.collect::<Lowered<Vec<String>>>()?;
    Ok(if let [one] = all.as_slice() { one.clone() } else { format!("({})", all.join(", ")) })
}

/// `body` where the lower bounds of the sizes hold.
fn checked(vars: &[Name], program: &Program, lower: &FutharkLowering, body: FutharkExpr) -> FutharkExpr {
    let bounds = vars.iter().map(|n| (n, program.bounds.lower(n))).filter(|(_, least)| *least > 0);
    let conditions = bounds.map(|(n, least)| {
        FutharkExpr::binary(
            Prim::Ge,
            FutharkExpr::Var(lower.sizes.var(n)),
            FutharkExpr::Int(least.min(i64::MAX as u64) as i64),
        )
    });
    match conditions.reduce(|a, b| FutharkExpr::binary(Prim::And, a, b)) {
        Some(condition) => FutharkExpr::Assert(Box::new((condition, body))),
        None => body,
    }
}

/// The head of an entry.
#[derive(Default)]
struct EntryHead {
    /// Sizes that a parameter fixes, in the order of their first occurrence.
    fixed: Vec<FutharkName>,
    /// Fresh sizes for those of parameters that are no variables.
    fresh: Vec<(Size, FutharkName)>,
    parameters: Vec<String>,
}

impl EntryHead {
    /// What stands for a parameter: its name, or a pair of those of its parts.
    fn data(
        &mut self,
        hint: &str,
        ty: &Type,
        lower: &mut FutharkLowering,
        lets: &mut FutharkLets,
    ) -> Lowered<FutharkExpr> {
        let parts = flat::parts(ty);
        let mut names = Vec::new();
        for (part, k) in parts.iter().zip(1..) {
            let hint = if parts.len() == 1 { hint.to_string() } else { format!("{hint}_{k}") };
            let own = lower.scope.fresh_entry(&hint);
            self.parameter(&own, part, lower, lets)?;
            names.push(own);
        }
        let whole = flat::nested(ty, &mut names.into_iter());
        Ok(lower.name(hint, whole, lets))
    }

    fn parameter(
        &mut self,
        name: &FutharkName,
        ty: &Type,
        lower: &mut FutharkLowering,
        lets: &mut FutharkLets,
    ) -> Lowered<()> {
        let mut computed = false;
        let own = type_text(ty, &mut |n| match (n.as_literal(), n.as_atom()) {
            (Some(k), _) => k.to_string(),
            (_, Some(SizeAtom::Var(n))) => {
                let size = lower.sizes.var(n);
                if !self.fixed.contains(&size) {
                    self.fixed.push(size.clone());
                }
                size.to_string()
            }
            _ => {
                computed = true;
                self.stand_in(n, lower).to_string()
            }
        })?;
        // The head can't say a computed size, so that what comes is checked against it here.
        if computed {
            let exact = lower.sizes.ty(ty)?;
            lets.push((name.clone(), FutharkExpr::Coerce(Box::new(FutharkExpr::Var(name.clone())), exact)));
        }
        self.parameters.push(format!("({name}: {own})"));
        Ok(())
    }

    /// The size that stands for a computed one in the head.
    fn stand_in(&mut self, size: &Size, lower: &mut FutharkLowering) -> FutharkName {
        if let Some((_, known)) = self.fresh.iter().find(|(s, _)| s == size) {
            return known.clone();
        }
        let name = lower.scope.fresh("size");
        self.fresh.push((size.clone(), name.clone()));
        name
    }

    /// Sizes that no parameter fixes become the first parameters.
    fn open<'n>(&mut self, open: impl Iterator<Item = &'n Name>, lower: &FutharkLowering) {
        let mut parameters: Vec<String> = open.map(|n| format!("({}: i64)", lower.sizes.var(n))).collect();
        parameters.append(&mut self.parameters);
        self.parameters = parameters;
    }

    fn write(&self, name: &FutharkName, result: &str, body: &FutharkExpr) -> String {
        let sizes: String =
            self.fixed.iter().chain(self.fresh.iter().map(|(_, n)| n)).map(|n| format!(" [{n}]")).collect();
        text::entry(format!("entry {name}{sizes}"), &self.parameters, result, body)
    }
}
