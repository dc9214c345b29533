//! Writes programs as a module of readable Python: a pure function of `jax.numpy` for each.
//!
//! The way: `lower` makes numbers over axes of a first-order program, one axis for each index, and of loops that carry nothing
//! reductions (`fold`); `emit` writes them as broadcast operations, with `sums` for reductions, `reads` for elements of arrays
//! and `steps` for the loops that are left; `head` puts signature, docstring and checks around. Nothing here knows where a
//! program comes from.

mod beside;
mod checks;
mod emit;
mod fold;
mod head;
mod layout;
mod lower;
mod names;
mod nested;
mod node;
mod reads;
mod shard;
mod steps;
mod sums;

use crate::first::Refusal;
pub use head::sizes_taken;
use redexter_language::ground::{Diagnostic, Name, Trouble, code as codes};
use redexter_language::term::Program;
pub use shard::ShardCost;

/// A program to be exported.
#[derive(Clone, Debug)]
pub struct JaxEntry {
    /// What the function is called.
    pub name: Name,
    /// What it is, for its docstring: "gradient of models/dot.arr after fastGradient".
    pub what: String,
    /// What it computes.
    pub program: Program,
    /// Where it is the derivative of another entry, under which JAX is to know it.
    pub derivative: Option<DerivativeOf>,
}

/// What an entry is the derivative of.
#[derive(Clone, Debug)]
pub struct DerivativeOf {
    /// The number of that entry.
    pub primal: usize,
    /// By which of its arguments; where types tell, they needn't be named.
    pub by: Option<Vec<Name>>,
}

/// Options of the export.
#[derive(Clone, Debug, Default)]
pub struct JaxOptions {
    /// Whether the module can write each function into a file of `jax.export`.
    pub artifact: bool,
    /// Sizes over which data is split over devices.
    pub shard: Vec<Name>,
    /// Whether the module is a program, too, that runs its last function on files of arrays.
    pub main: bool,
}

/// What functions call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Helper {
    Reals,
    Whole,
    Size,
    Shape,
    Least,
    Padded,
    Cut,
    Along,
}

/// The text of each.
const HELPERS: &[(Helper, &str)] = &[
    (
        Helper::Reals,
        "\
def _reals(*given):
    \"\"\"The arguments as arrays of one type of reals: that of those that have one.\"\"\"
    typed = [one if hasattr(one, \"dtype\") or isinstance(one, (int, float)) else jnp.asarray(one) for one in given]
    dtype = jnp.result_type(1.0, *typed)
    return [jnp.asarray(one, dtype) for one in given]
",
    ),
    (
        Helper::Whole,
        "\
def _whole(name, given):
    \"\"\"The argument as an array of JAX's integers.\"\"\"
    array = jnp.asarray(given)
    if array.dtype.kind not in \"iu\":
        raise TypeError(f\"argument {name}: expected whole numbers, found {array.dtype}\")
    return array.astype(int)
",
    ),
    (
        Helper::Size,
        "\
def _size(name, array, axis, more):
    \"\"\"The size that an array is longer than by so much.\"\"\"
    found = jnp.shape(array)
    if len(found) <= axis or found[axis] < more:
        raise ValueError(f\"argument {name}: expected at least {more} along axis {axis}, found the shape {found}\")
    return found[axis] - more
",
    ),
    (
        Helper::Shape,
        "\
def _shape(name, array, *law):
    \"\"\"The shape of an argument; each size is a name, which may occur twice, or a name with what it has to be.\"\"\"
    found = jnp.shape(array)
    known = dict(size for size in law if not isinstance(size, str))
    if len(found) == len(law):
        for size, own in zip(law, found):
            known.setdefault(size if isinstance(size, str) else size[0], own)
    names = [size if isinstance(size, str) else size[0] for size in law]
    if len(found) != len(law) or any(known[size] != own for size, own in zip(names, found)):
        told = [size if size == str(known.get(size, size)) else f\"{size} = {known[size]}\" for size in names]
        raise ValueError(f\"argument {name}: expected the shape ({', '.join(told)}), found {found}\")
    return found
",
    ),
    (
        Helper::Least,
        "\
def _least(name, size, least):
    \"\"\"Holds a size against the least that it may be.\"\"\"
    if size < least:
        raise ValueError(f\"size {name}: expected at least {least}, found {size}\")
",
    ),
    (
        Helper::Padded,
        "\
def _padded(array, axis, parts):
    \"\"\"The array, its last element along an axis repeated until there are equal parts.\"\"\"
    more = -array.shape[axis] % parts
    widths = [(0, more if k == axis else 0) for k in range(array.ndim)]
    return jnp.pad(array, widths, mode=\"edge\") if more else array
",
    ),
    (
        Helper::Cut,
        "\
def _cut(array, axis, size, place):
    \"\"\"The array without what was added along an axis; each device has it all where something was.\"\"\"
    return array if array.shape[axis] == size else jax.lax.slice_in_dim(place(array), 0, size, axis=axis)
",
    ),
    (
        Helper::Along,
        "\
def _is_moved(*moved):
    \"\"\"Whether an argument changes, as far as is known.\"\"\"
    return any(not isinstance(one, SymbolicZero) for one in jax.tree.leaves(moved))


def _filled(given, moved):
    \"\"\"How arguments change, as arrays.\"\"\"
    return jax.tree.map(lambda one, by: by if _is_moved(by) else jnp.zeros_like(one), given, moved)


def _along(slopes, moved, value):
    \"\"\"How a number changes whose slopes these are.\"\"\"
    pairs = zip(jax.tree.leaves(slopes), jax.tree.leaves(moved), strict=True)
    return sum((jnp.sum(slope * by) for slope, by in pairs if _is_moved(by)), start=jnp.zeros_like(value))
",
    ),
];

/// One module with a function for each program. The errors have the code
/// [`NOT_EXPORTABLE`](redexter_language::ground::code::NOT_EXPORTABLE), one for each program that can't be exported.
///
/// It asks whether the text [goes on](redexter_language::ground::writing). Recursion goes as deep as the terms: run it where the
/// stack fits them. A page refuses, as it does for C: what it carries is to be small.
pub fn jax(entries: &[JaxEntry], options: &JaxOptions) -> Result<String, Trouble> {
    if cfg!(target_family = "wasm") {
        let told = Diagnostic::error(codes::NOT_EXPORTABLE, "modules for JAX are written by the program");
        return Err(told.help("type `redexter export jax FILE.arr:NAME -o OUT` in a terminal").into());
    }
    let mut taken = names::PyNames::default();
    let (mut texts, mut wrong, mut helpers) = (Vec::new(), Vec::new(), Vec::new());
    let mut functions: Vec<Option<head::Function>> = Vec::new();
    for entry in entries {
        let name = taken.fresh(entry.name.as_str());
        let made = head::function(&name, &entry.what, &entry.program);
        functions.push(made.map_err(|refusal| wrong.push(told(refusal, &entry.name))).ok());
    }
    let is_primal = |k: usize| entries.iter().any(|entry| entry.derivative.as_ref().is_some_and(|of| of.primal == k));
    for (k, function) in functions.iter().enumerate() {
        let Some(function) = function else { continue };
        let mark = if is_primal(k) { "@jax.custom_jvp\n" } else { "" };
        texts.push(format!("{mark}{}", function.text));
        helpers.extend(&function.helpers);
    }
    for (entry, function) in entries.iter().zip(&functions) {
        let Some(function) = function else { continue };
        if let Some(of) = &entry.derivative
            && let Some(Some(primal)) = functions.get(of.primal)
        {
            match beside::derivative(primal, function, of.by.as_deref()) {
                Ok(text) => {
                    texts.push(text);
                    helpers.push(Helper::Along);
                }
                Err(refusal) => wrong.push(told(refusal, &entry.name)),
            }
        }
        if options.artifact {
            texts.push(beside::artifact(function));
        }
        if !options.shard.is_empty() {
            let outer = outer_name(entries, function);
            match shard::sharded(&format!("_{}_part", function.name), &outer, &entry.program, options) {
                Ok((text, more)) => {
                    texts.push(text);
                    helpers.extend(more);
                }
                Err(refusal) => wrong.push(told(refusal, &entry.name)),
            }
        }
    }
    if !wrong.is_empty() {
        return Err(Trouble::Wrong(wrong));
    }
    if let (true, Some(Some(last))) = (options.main, functions.last()) {
        let axes: Vec<String> = options.shard.iter().map(Name::to_string).collect();
        let outer = outer_name(entries, last);
        texts.push(beside::program(last, (!axes.is_empty()).then_some((outer.as_str(), &axes[..]))));
    }
    let first = if options.shard.is_empty() { "" } else { "import functools\n\n" };
    let zero = if helpers.contains(&Helper::Along) { "from jax.custom_derivatives import SymbolicZero\n" } else { "" };
    let imports = format!("{first}import jax\nimport jax.numpy as jnp\n{zero}from jax.typing import ArrayLike\n\n\n");
    let head = "\"\"\"Exported by redexter: pure functions of jax.numpy, which take their sizes from their arguments.\"\"\"\n\n";
    Ok(format!("{head}{imports}{}{}", head::helpers(&helpers), texts.join("\n\n")))
}

/// The arguments by which one program is the derivative of another of this name, where `by` says them, or else the types do.
/// Wrong is what can't be one.
pub fn derivative_by(
    primal: (&str, &Program),
    derivative: &Program,
    by: Option<&[Name]>,
) -> Result<Vec<Name>, Diagnostic> {
    beside::derivative_by(primal, derivative, by)
        .map_err(|refusal| Diagnostic::error(codes::NOT_EXPORTABLE, refusal.reason).help(refusal.help))
}

/// What the function is called that makes one of a mesh.
fn outer_name(entries: &[JaxEntry], function: &head::Function) -> String {
    if entries.len() == 1 { "sharded".to_owned() } else { format!("sharded_{}", function.name) }
}

/// What running a program costs whose data is split over these sizes, known without running anything. The errors are those of
/// [`jax`] with [`JaxOptions::shard`].
pub fn shard_cost(name: &Name, program: &Program, over: &[Name]) -> Result<ShardCost, Trouble> {
    shard::cost(program, over).map_err(|refusal| told(refusal, name).into())
}

/// A refusal as a finding.
fn told(refusal: Refusal, name: &Name) -> Diagnostic {
    let headline = format!("`{name}` can't be exported: {}", refusal.reason);
    Diagnostic::error(codes::NOT_EXPORTABLE, headline).help(refusal.help)
}
