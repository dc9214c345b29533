//! Writes one program as one function: its arguments with their checks, what it is as a docstring, its result.

use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::tuple;
use super::layout::wrapped;
use super::lower::{Block, JaxLowering};
use super::names::PyNames;
use super::nested::Nested;
use super::node::{Node, Number, Value, parts};
use super::{HELPERS, Helper};
use crate::export::futhark::sizes_given;
use crate::first::{Lowered, first_order};
use redexter_language::ground::Name;
use redexter_language::term::{OpenVariables, Program, Size, SizeAtom, Type, TypeView};

/// A function's text, and which helpers it calls.
pub(super) struct Function {
    pub(super) text: String,
    pub(super) helpers: Vec<Helper>,
}

/// An argument, or a part of one.
struct Part {
    name: String,
    dims: Vec<Size>,
    number: Number,
}

/// The function of a program, under this name; the docstring begins with what it is.
pub(super) fn function(name: &str, what: &str, program: &Program) -> Lowered<Function> {
    let first = first_order(program)?;
    let mut gathered = OpenVariables::default();
    gathered.ty(program.term.ty());
    gathered.term(&program.term);
    let mut names = PyNames::without([name.to_owned()]);
    let sizes: FxHashMap<Name, String> =
        gathered.vars.iter().map(|size| (size.clone(), names.fresh(size.as_str()))).collect();
    let mut lower = JaxLowering {
        axes: Vec::new(),
        blocks: vec![Block::default()],
        names,
        sizes,
        bounds: program.bounds.clone(),
        env: FxHashMap::default(),
        conditions: Vec::new(),
        definitions: FxHashMap::default(),
        variables: 0,
        uses_dtype: false,
    };
    let given = sizes_given(program);
    let mut head: Vec<String> = given.iter().map(|size| format!("{}: int", lower.sizes[size])).collect();
    let mut laws = Vec::new();
    let mut unpacked = Vec::new();
    let mut all: Vec<Part> = Vec::new();
    for var in &first.parameters {
        let whole = lower.names.fresh(&var.hint);
        head.push(format!("{whole}: {}", hint_of(&var.ty, "ArrayLike")));
        laws.push(format!("{whole}: {}", law(&var.ty, &lower)));
        let own = parts(&var.ty);
        let is_one = own.len() == 1;
        let mut own_parts = Vec::new();
        for (k, (dims, number)) in own.into_iter().enumerate() {
            let name = if is_one { whole.clone() } else { lower.names.fresh(&format!("{}_{}", var.hint, k + 1)) };
            own_parts.push(Part { name, dims, number });
        }
        if !is_one {
            let mut texts = own_parts.iter().map(|part| part.name.clone());
            let pattern = Nested::of(&var.ty, &mut |_, _| texts.next().unwrap_or_default());
            unpacked.push(format!("{} = {whole}", pattern.target()));
        }
        let vars: Vec<_> =
            own_parts.iter().map(|part| lower.variable(part.name.clone(), 0, part.number, part.dims.clone())).collect();
        let mut vars = vars.into_iter();
        let value = lower.data(&var.ty, &mut |_, axes| match vars.next() {
            Some(var) => Node::Read(var, axes.iter().map(|axis| Node::Axis(*axis)).collect()),
            None => Node::Int(0),
        });
        lower.env.insert(var.number, value);
        all.extend(own_parts);
    }
    let mut lines = unpacked;
    let mut helpers = Vec::new();
    checks(&mut lines, &mut helpers, &all, &given, &lower);
    for size in gathered.vars.iter().filter(|size| program.bounds.lower(size) > 0) {
        helpers.push(Helper::Least);
        lines.push(format!("_least(\"{0}\", {0}, {1})", lower.sizes[size], program.bounds.lower(size)));
    }
    let value = lower.value(&first.body)?;
    let result = returned(&value, &first.result, &mut lower);
    if lower.uses_dtype {
        let real = all.iter().find(|part| part.number == Number::Real);
        lines.push(match real {
            Some(part) => format!("dtype = {}.dtype", part.name),
            None => "dtype = jnp.result_type(float)".to_owned(),
        });
    }
    let mut body = std::mem::take(&mut lower.blocks[0].lines);
    body.push(format!("return {result}"));
    lines.extend(without_unused(&body));
    let signature = format!("def {name}({}) -> {}:", head.join(", "), hint_of(&first.result, "jax.Array"));
    let mut text = wrapped(&signature, 0).join("\n");
    text += &format!("\n    \"\"\"{what}\n\n");
    for law in &laws {
        text += &format!("    {law}\n");
    }
    text += &format!("    returns {}\n", law(&first.result, &lower));
    text += "    \"\"\"\n";
    for line in &lines {
        let depth = line.len() - line.trim_start().len();
        for line in wrapped(line.trim_start(), depth + 4) {
            text += &line;
            text.push('\n');
        }
    }
    Ok(Function { text, helpers })
}

/// What makes arrays of the arguments, and says what is wrong with their shapes.
fn checks(lines: &mut Vec<String>, helpers: &mut Vec<Helper>, all: &[Part], given: &[Name], lower: &JaxLowering) {
    let of = |number: Number| all.iter().filter(move |part| part.number == number).map(|part| part.name.clone());
    let reals: Vec<String> = of(Number::Real).collect();
    if !reals.is_empty() {
        helpers.push(Helper::Reals);
        let targets = if let [one] = &reals[..] { format!("({one},)") } else { reals.join(", ") };
        lines.push(format!("{targets} = _reals({})", reals.join(", ")));
    }
    lines.extend(of(Number::Int).map(|name| format!("{name} = jnp.asarray({name}, int)")));
    let mut known: Vec<Name> = given.to_vec();
    let is_known = |size: &Size, known: &[Name]| {
        size.atoms().all(|atom| matches!(atom, SizeAtom::Var(name) if known.contains(name)))
    };
    // Those come last that can be computed only from what others say.
    let (late, early): (Vec<&Part>, Vec<&Part>) = all
        .iter()
        .partition(|part| part.dims.iter().any(|size| size.as_atom().is_none() && size.as_literal().is_none()));
    for part in early.into_iter().chain(late) {
        if !helpers.contains(&Helper::Shape) {
            helpers.push(Helper::Shape);
        }
        let mut targets = Vec::new();
        let mut laws = vec![format!("\"{}\", {}", part.name, part.name)];
        for size in &part.dims {
            let text = lower.size_text(size);
            let fresh = size.as_atom().and_then(|atom| match atom {
                SizeAtom::Var(name) if !known.contains(name) => Some(name.clone()),
                _ => None,
            });
            match fresh {
                Some(name) => {
                    laws.push(format!("\"{text}\""));
                    targets.push(text);
                    known.push(name);
                }
                None if is_known(size, &known) => {
                    // A size twice in one shape is compared behind it.
                    let is_own = targets.iter().any(|own| *own == text);
                    laws.push(if is_own { format!("\"{text}\"") } else { format!("(\"{text}\", {text})") });
                    targets.push("_".to_owned());
                }
                None => {
                    laws.push(format!("\"{text}\""));
                    targets.push("_".to_owned());
                }
            }
        }
        let call = format!("_shape({})", laws.join(", "));
        match targets.iter().all(|target| target == "_") {
            true => lines.push(call),
            false if targets.len() == 1 => lines.push(format!("({},) = {call}", targets[0])),
            false => lines.push(format!("{} = {call}", targets.join(", "))),
        }
    }
}

/// The result as an expression.
fn returned(value: &Value, ty: &Type, lower: &mut JaxLowering) -> String {
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
