//! Writes one program as one function: its arguments with their checks, what it is as a docstring, its result.

use rustc_hash::FxHashSet;

use super::checks::{ArgumentPart, checks};
use super::emit::tuple;
use super::layout::wrapped;
use super::lower::JaxLowering;
use super::names::PyNames;
use super::nested::Nested;
use super::node::{AxisNode, AxisValue, Number, parts};
use super::{HELPERS, Helper};
use crate::export::futhark::sizes_given;
use crate::first::{FirstOrder, Lowered, first_order};
use redexter_language::ground::Name;
use redexter_language::term::{OpenVariables, Program, Size, Type, TypeView};

/// A function's text, and what those need to know who call it.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) helpers: Vec<Helper>,
    pub(super) parameters: Vec<(String, Type)>,
    pub(super) result: Type,
    /// Sizes that are arguments, then all with the least that they may be.
    pub(super) given: Vec<String>,
    pub(super) sizes: Vec<(String, u64)>,
    /// The texts of the shapes of the arguments' parts, and what these are.
    pub(super) shapes: Vec<(String, Number)>,
}

/// A program that is about to be written: its arguments have names, and what is known of them stands in `lines`.
pub(super) struct Begun {
    pub(super) lower: JaxLowering,
    pub(super) first: FirstOrder,
    pub(super) parameters: Vec<(String, Type)>,
    pub(super) parts: Vec<ArgumentPart>,
    pub(super) given: Vec<Name>,
    pub(super) sizes: Vec<Name>,
    pub(super) lines: Vec<String>,
    pub(super) helpers: Vec<Helper>,
}

/// A program's arguments and sizes by their names in a function of this name.
pub(super) fn begin(name: &str, program: &Program) -> Lowered<Begun> {
    let first = first_order(program)?;
    let mut gathered = OpenVariables::default();
    gathered.ty(program.term.ty());
    gathered.term(&program.term);
    let mut names = PyNames::without([name.to_owned()]);
    let sizes = gathered.vars.iter().map(|size| (size.clone(), names.fresh(size.as_str()))).collect();
    let mut lower = JaxLowering::new(names, sizes, program.bounds.clone());
    let (mut lines, mut helpers, mut all, mut parameters) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for var in &first.parameters {
        let whole = lower.names.fresh(&var.hint);
        let own = parts(&var.ty);
        let is_one = own.len() == 1;
        let mut own_parts = Vec::new();
        for (k, (dims, number)) in own.into_iter().enumerate() {
            let name = if is_one { whole.clone() } else { lower.names.fresh(&format!("{}_{}", var.hint, k + 1)) };
            own_parts.push(ArgumentPart { name, dims, number });
        }
        if !is_one {
            let mut texts = own_parts.iter().map(|part| part.name.clone());
            let pattern = Nested::of(&var.ty, &mut |_, _| texts.next().unwrap_or_default());
            lines.push(format!("{} = {whole}", pattern.target()));
        }
        let vars: Vec<_> =
            own_parts.iter().map(|part| lower.variable(part.name.clone(), 0, part.number, part.dims.clone())).collect();
        let mut vars = vars.into_iter();
        let value = lower.data(&var.ty, &mut |_, axes| match vars.next() {
            Some(var) => AxisNode::Read(var, axes.iter().map(|axis| AxisNode::Axis(*axis)).collect()),
            None => AxisNode::Int(0),
        });
        lower.env.insert(var.number, value);
        all.extend(own_parts);
        parameters.push((whole, var.ty.clone()));
    }
    let mut given = sizes_given(program);
    let known = given.clone();
    given.retain(|size| match longer(&all, size) {
        None => true,
        Some((part, axis, more)) => {
            helpers.push(Helper::Size);
            lines.push(format!("{} = _size(\"{1}\", {1}, {axis}, {more})", lower.sizes[size], part.name));
            false
        }
    });
    checks(&mut lines, &mut helpers, &all, &known, &lower);
    for size in gathered.vars.iter().filter(|size| program.bounds.lower(size) > 0) {
        helpers.push(Helper::Least);
        lines.push(format!("_least(\"{0}\", {0}, {1})", lower.sizes[size], program.bounds.lower(size)));
    }
    Ok(Begun { lower, first, parameters, parts: all, given, sizes: gathered.vars, lines, helpers })
}

/// The sizes that a program's function takes as arguments, in their order: those that no array's length tells.
pub fn sizes_taken(program: &Program) -> Vec<Name> {
    let (parameters, _) = program.term.applied();
    let mut all = sizes_given(program);
    let dims: Vec<Size> = parameters.iter().flat_map(|(_, ty)| parts(ty)).flat_map(|(dims, _)| dims).collect();
    all.retain(|size| !dims.iter().any(|dim| longer_by(dim, size).is_some()));
    all
}

fn longer_by(dim: &Size, size: &Name) -> Option<u64> {
    dim.minus(&Size::var(size))?.as_literal()
}

/// An array that is longer than a size by a number, along which axis, and by how much.
fn longer<'p>(all: &'p [ArgumentPart], size: &Name) -> Option<(&'p ArgumentPart, usize, u64)> {
    let along = |part: &'p ArgumentPart| {
        part.dims.iter().enumerate().find_map(|(axis, dim)| Some((part, axis, longer_by(dim, size)?)))
    };
    all.iter().find_map(along)
}

impl Begun {
    /// The statements that compute the result, and the last one, which returns it.
    pub(super) fn body(&mut self) -> Lowered<Vec<String>> {
        let value = self.lower.value(&self.first.body)?;
        let result = returned(&value, &self.first.result, &mut self.lower);
        let mut lines = Vec::new();
        if self.lower.uses_dtype {
            let real = self.parts.iter().find(|part| part.number == Number::Real);
            lines.push(match real {
                Some(part) => format!("dtype = {}.dtype", part.name),
                None => "dtype = jnp.result_type(float)".to_owned(),
            });
        }
        let mut body = std::mem::take(&mut self.lower.blocks[0].lines);
        body.push(format!("return {result}"));
        lines.extend(without_unused(&body));
        match self.lower.refusal(&lines) {
            Some(refusal) => Err(refusal),
            None => Ok(lines),
        }
    }
}

/// The function of a program, under this name; the docstring begins with what it is.
pub(super) fn function(name: &str, what: &str, program: &Program) -> Lowered<Function> {
    let mut begun = begin(name, program)?;
    let body = begun.body()?;
    let Begun { lower, first, parameters, parts, given, sizes, lines, helpers } = begun;
    let given: Vec<String> = given.iter().map(|size| lower.sizes[size].clone()).collect();
    let mut head: Vec<String> = given.iter().map(|size| format!("{size}: int")).collect();
    head.extend(parameters.iter().map(|(name, ty)| format!("{name}: {}", hint_of(ty, "ArrayLike"))));
    let signature = format!("def {name}({}) -> {}:", head.join(", "), hint_of(&first.result, "jax.Array"));
    let mut doc = vec![what.to_owned(), String::new()];
    doc.extend(parameters.iter().map(|(name, ty)| format!("{name}: {}", law(ty, &lower))));
    doc.push(format!("returns {}", law(&first.result, &lower)));
    let text = written(&signature, &doc, &[lines, body].concat());
    let sizes = sizes.iter().map(|size| (lower.sizes[size].clone(), lower.bounds.lower(size))).collect();
    let shape = |part: &ArgumentPart| tuple(&part.dims.iter().map(|size| lower.size_text(size)).collect::<Vec<_>>());
    let shapes = parts.iter().map(|part| (shape(part).replace("(,)", "()"), part.number)).collect();
    Ok(Function { name: name.to_owned(), text, helpers, parameters, result: first.result, given, sizes, shapes })
}

/// A function with its docstring and statements, laid out.
pub(super) fn written(signature: &str, doc: &[String], lines: &[String]) -> String {
    let mut text = wrapped(signature, 0).join("\n");
    let end = if doc.len() == 1 { "\"\"\"\n" } else { "\n    \"\"\"\n" };
    let doc: Vec<String> =
        doc.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }).collect();
    text += &format!("\n    \"\"\"{}{end}", doc.join("\n").trim_start());
    for line in lines {
        if line.trim().is_empty() {
            text.push('\n');
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        for line in wrapped(line.trim_start(), depth + 4) {
            text += &line;
            text.push('\n');
        }
    }
    text
}

/// The result as an expression.
fn returned(value: &AxisValue, ty: &Type, lower: &mut JaxLowering) -> String {
    let numbers = parts(ty);
    let mut texts = Vec::new();
    for ((axes, node), (_, number)) in value.leaves().into_iter().zip(numbers) {
        texts.push(lower.full(&node, &axes, number, 0));
    }
    let mut texts = texts.into_iter();
    Nested::of(ty, &mut |_, _| texts.next().unwrap_or_default()).text("(", ")")
}

/// Each type of numbers as Python's.
fn hint_of(ty: &Type, one: &str) -> String {
    Nested::of(ty, &mut |_, _| one.to_owned()).text("tuple[", "]")
}

/// What data looks like: shapes, and the numbers that aren't reals.
fn law(ty: &Type, lower: &JaxLowering) -> String {
    let mut one = |dims: &[&Size], ty: &Type| {
        let shape: Vec<String> = dims.iter().map(|size| lower.size_text(size)).collect();
        let shape = if shape.is_empty() { "a number".to_owned() } else { tuple(&shape) };
        match ty.view() {
            TypeView::Int => format!("{shape}, whole"),
            TypeView::Fin(n) => format!("{shape}, indices below {}", lower.size_text(n)),
            _ => shape,
        }
    };
    Nested::of(ty, &mut one).text("(", ")")
}

/// The lines that assign what no line behind them mentions are left out.
fn without_unused(lines: &[String]) -> Vec<String> {
    let words = |line: &str| -> Vec<String> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        line.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut kept = Vec::new();
    for line in lines.iter().rev() {
        let target = line.trim_start().split_once(" = ").map(|(target, _)| target);
        let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if target.is_none_or(|target| !is_name(target) || used.contains(target)) {
            used.extend(words(line));
            kept.push(line.clone());
        }
    }
    kept.reverse();
    kept
}

/// The helpers that some functions call, in the order of the module.
pub(super) fn helpers(all: &[Helper]) -> String {
    HELPERS.iter().filter(|(helper, _)| all.contains(helper)).map(|(_, text)| format!("{text}\n\n")).collect()
}
