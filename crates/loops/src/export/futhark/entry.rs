//! Writes one program as one entry point: its sizes, parameters, result and checks.

use std::collections::BTreeSet;

use super::code::{FutharkExpr, FutharkName};
use super::flat::{self, flat};
use super::lower::{FutharkLets, FutharkLowering};
use super::names::NameSupply;
use super::sizes::{SizeNames, type_text};
use super::{FutharkOptions, rows, selections, text};
use crate::first::{Lowered, first_order};
use redexter_language::ground::Name;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{OpenVariables, Prim, Program, Size, SizeAtom, Type, TypeView};

/// An entry's text and what it needs.
pub(super) struct EntryPoint {
    pub(super) text: String,
    /// What it uses that Futhark lacks.
    pub(super) defined: BTreeSet<&'static str>,
}

pub(super) fn entry(name: &FutharkName, program: &Program, options: &FutharkOptions) -> Lowered<EntryPoint> {
    let mut parts = first_order(program)?;
    if !options.sequential {
        let body = rows::powers(selections::at_places(parts.body, &mut parts.variables), &mut parts.variables);
        parts.body = rows::by_rows(body, &mut parts.variables);
    }
    let mut gathered = OpenVariables::default();
    gathered.ty(program.term.ty());
    gathered.term(&program.term);
    let mut scope = NameSupply::default();
    let sizes = SizeNames::new(&gathered.vars, &gathered.sizes, &mut scope);
    let mut lower = FutharkLowering::new(scope, sizes, *options);
    let mut signature = EntryHead::default();
    let (mut lets, mut wholes): (FutharkLets, FutharkLets) = (Vec::new(), Vec::new());
    for var in &parts.parameters {
        let whole = signature.data(&var.hint, &var.ty, &mut lower, &mut lets)?;
        let own = lower.name(&var.hint, whole, &mut wholes);
        lower.bind(var, own);
    }
    let mut fixed = BTreeSet::new();
    parts.parameters.iter().for_each(|var| of_arrays(&var.ty, &mut fixed));
    let open: Vec<Name> = gathered.vars.iter().filter(|n| !fixed.contains(*n)).cloned().collect();
    let body = lower.data(&parts.body)?;
    let body = FutharkExpr::lets(wholes, flat(body, &parts.result, &mut lower));
    let zeros =
        flat::parts(&parts.result).iter().map(|part| lower.zero(part)).collect::<Lowered<Vec<FutharkExpr>>>()?;
    let result = result(&parts.result, &lower)?;
    let mut all = lower.sizes.definitions();
    // Sizes come first, since the types of parameters name them.
    all.extend(lets);
    let given = std::mem::take(&mut signature.given);
    let body = checked(&gathered.vars, &open, &given, program, &mut lower, (body, zeros));
    let whole = FutharkExpr::lets(all, body);
    Ok(EntryPoint { text: signature.write(name, &open, &result, &whole, &lower), defined: lower.defined })
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

/// `body` without checks of indices, where what the types say of sizes and indices holds of what is given.
fn checked(
    vars: &[Name],
    open: &[Name],
    given: &[(Type, FutharkExpr)],
    program: &Program,
    lower: &mut FutharkLowering,
    (body, mut zeros): (FutharkExpr, Vec<FutharkExpr>),
) -> FutharkExpr {
    let least = |n: &Name| program.bounds.lower(n);
    let is_bound = |n: &&Name| least(n) > 0 || open.contains(n);
    let bounds = vars.iter().filter(is_bound).map(|n| {
        let least = FutharkExpr::Int(least(n).min(i64::MAX as u64) as i64);
        FutharkExpr::binary(Prim::Ge, FutharkExpr::Var(lower.sizes.var(n)), least)
    });
    let mut conditions: Vec<FutharkExpr> = bounds.collect();
    conditions.extend(given.iter().filter_map(|(ty, own)| in_range(ty, own.clone(), lower)));
    let condition = conditions.into_iter().reduce(|a, b| FutharkExpr::binary(Prim::And, a, b));
    match (condition, body.has_index()) {
        (None, false) => body,
        (None, true) => FutharkExpr::Unchecked(Box::new(body)),
        (Some(condition), false) => FutharkExpr::Assert(Box::new((condition, body))),
        // Around what isn't checked the compiler drops an `assert`, but not a choice; something has to stand behind its `else`.
        (Some(condition), true) => {
            let zeros = if zeros.len() == 1 { zeros.remove(0) } else { FutharkExpr::Tuple(zeros) };
            let refused = FutharkExpr::Assert(Box::new((condition.clone(), zeros)));
            FutharkExpr::if_else(condition, FutharkExpr::Unchecked(Box::new(body)), refused)
        }
    }
}

/// Whether each index in a value is one; nothing where it has none.
fn in_range(ty: &Type, value: FutharkExpr, lower: &mut FutharkLowering) -> Option<FutharkExpr> {
    match ty.view() {
        TypeView::Fin(n) => Some(lower.is_index(value, n)),
        TypeView::Array(_, element) if goes_on() => {
            let mark = lower.scope.mark();
            let name = lower.scope.fresh("x");
            let each = in_range(element, FutharkExpr::Var(name.clone()), lower);
            lower.scope.release(mark);
            Some(FutharkExpr::All(name, Box::new((each?, value))))
        }
        TypeView::Pair(first, second) if goes_on() => {
            let half = |k| FutharkExpr::Field(Box::new(value.clone()), k);
            let (first, second) = (in_range(first, half(0), lower), in_range(second, half(1), lower));
            [first, second].into_iter().flatten().reduce(|a, b| FutharkExpr::binary(Prim::And, a, b))
        }
        _ => None,
    }
}

/// The head of an entry.
#[derive(Default)]
struct EntryHead {
    /// Sizes that a parameter fixes, in the order of their first occurrence.
    fixed: Vec<FutharkName>,
    /// Fresh sizes for those of parameters that are no variables.
    fresh: Vec<(Size, FutharkName)>,
    /// Names and types as they are written.
    parameters: Vec<(FutharkName, String)>,
    /// The same with their types as they are.
    given: Vec<(Type, FutharkExpr)>,
}

impl EntryHead {
    /// What stands for a parameter: its name, or what its parts make.
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
        Ok(flat::nested(ty, &mut names.into_iter().map(FutharkExpr::Var), lower))
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
        self.parameters.push((name.clone(), own));
        self.given.push((ty.clone(), FutharkExpr::Var(name.clone())));
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

    /// Sizes that no parameter fixes are the first parameters. What nobody reads has no name.
    fn write(
        &self,
        name: &FutharkName,
        open: &[Name],
        result: &str,
        body: &FutharkExpr,
        lower: &FutharkLowering,
    ) -> String {
        let sizes: String =
            self.fixed.iter().chain(self.fresh.iter().map(|(_, n)| n)).map(|n| format!(" [{n}]")).collect();
        let given = self.parameters.iter().map(|(own, ty)| {
            let own = if body.mentions(own) { own } else { "_" };
            format!("({own}: {ty})")
        });
        let parameters: Vec<String> =
            open.iter().map(|n| format!("({}: i64)", lower.sizes.var(n))).chain(given).collect();
        text::entry(format!("entry {name}{sizes}"), &parameters, result, body)
    }
}
