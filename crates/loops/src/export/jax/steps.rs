//! Writes loops that carry something as `jax.lax.scan`, through which derivatives go in both directions.

use std::rc::Rc;

use super::emit::tuple;
use super::lower::JaxLowering;
use super::node::{Axis, AxisNode, Number, PyVar};
use redexter_language::term::Size;

/// What a step carries: its variable, the axes that this has, and what the next step is given.
pub(super) type Carried = (Rc<PyVar>, Vec<Axis>, AxisNode);

impl JaxLowering {
    /// Writes the loop of the innermost block, which ends with it: what it carries at the end, and what it kept at each index.
    pub(super) fn scan_text(
        &mut self,
        over: Axis,
        is_reversed: bool,
        states: &[Carried],
        inits: &[(Vec<Axis>, AxisNode)],
        kept: &[(Vec<Axis>, AxisNode)],
    ) -> (Vec<Rc<PyVar>>, Vec<Rc<PyVar>>) {
        let level = self.here();
        let next: Vec<String> =
            states.iter().map(|(var, axes, node)| self.full(node, axes, var.number, level)).collect();
        let kinds: Vec<Number> = kept.iter().map(|(_, node)| kept_as(node)).collect();
        let keeps: Vec<String> =
            kept.iter().zip(&kinds).map(|((axes, node), kind)| self.full(node, axes, *kind, level)).collect();
        let Some(block) = self.blocks.pop() else { return (Vec::new(), Vec::new()) };
        let start: Vec<String> = inits
            .iter()
            .zip(states)
            .map(|((axes, node), (var, ..))| self.full(node, axes, var.number, level - 1))
            .collect();
        let carried: Vec<String> = states.iter().map(|(var, ..)| var.name.clone()).collect();
        let (sources, elements): (Vec<String>, Vec<String>) =
            block.given.iter().map(|(source, var)| (source.clone(), var.name.clone())).unzip();
        let step = self.names.fresh("step");
        let mut lines = Vec::new();
        let mut parameter = |all: &[String], whole: &str| match all {
            [] => "_".to_owned(),
            [one] => one.clone(),
            all => {
                lines.push(format!("    {} = {whole}", all.join(", ")));
                whole.to_owned()
            }
        };
        let head = [parameter(&carried, "carry"), parameter(&elements, "given")].join(", ");
        lines.insert(0, format!("def {step}({head}):"));
        lines.extend(block.lines.iter().map(|line| format!("    {line}")));
        let one_or_all = |all: &[String], none: &str| match all {
            [] => none.to_owned(),
            [one] => one.clone(),
            all => tuple(all),
        };
        lines.push(format!("    return {}, {}", one_or_all(&next, "()"), one_or_all(&keeps, "None")));
        let size = self.size_text(&self.size_of(over).clone());
        let along = match sources.is_empty() {
            true => format!("None, length={size}"),
            false => one_or_all(&sources, "None"),
        };
        let reversed = if is_reversed { ", reverse=True" } else { "" };
        let lasts: Vec<Rc<PyVar>> = states
            .iter()
            .map(|(var, ..)| self.variable(var.name.clone(), level - 1, var.number, var.dims.clone()))
            .collect();
        let mut stacked = Vec::new();
        for ((axes, _), kind) in kept.iter().zip(&kinds) {
            let first = std::iter::once(self.size_of(over).clone());
            let dims: Vec<Size> = first.chain(axes.iter().map(|axis| self.size_of(*axis).clone())).collect();
            let name = self.names.fresh("kept");
            stacked.push(self.variable(name, level - 1, *kind, dims));
        }
        let names: Vec<String> = stacked.iter().map(|var| var.name.clone()).collect();
        let results = format!("{}, {}", one_or_all(&carried, "_"), one_or_all(&names, "_"));
        let arguments = format!("{step}, {}, {along}{reversed}", one_or_all(&start, "()"));
        let mut scan = format!("jax.lax.scan({arguments})");
        if self.shard_of(over).is_some() {
            scan = self.refused(&format!("a loop over `{size}` carries what the step before left"), &scan);
        }
        lines.push(format!("{results} = {scan}"));
        self.blocks[level - 1].lines.append(&mut lines);
        (lasts, stacked)
    }
}

/// What a step keeps is a number.
fn kept_as(node: &AxisNode) -> Number {
    if node.number() == Number::Real { Number::Real } else { Number::Int }
}
