//! Writes a function whose data is split over devices: each sums its part, and one sum over all devices follows each of these.

use std::rc::Rc;

use super::checks::ArgumentPart;
use super::emit::tuple;
use super::head::{Begun, begin, written};
use super::lower::JaxLowering;
use super::names::PyNames;
use super::nested::Nested;
use super::node::{Axis, Number, PyVar};
use super::{Helper, JaxOptions};
use crate::first::{Lowered, Refusal};
use redexter_language::cost::Poly;
use redexter_language::ground::Name;
use redexter_language::term::{Program, Size};

impl JaxLowering {
    /// The mask of a device's indices along an axis over whose size data is split.
    pub(super) fn shard_of(&self, axis: Axis) -> Option<Rc<PyVar>> {
        let size = self.size_of(axis);
        self.shards.iter().find(|(own, _)| own == size).map(|(_, inside)| inside.clone())
    }

    /// Whether devices have parts of what is so long, or something made of it.
    pub(super) fn is_split(&self, size: &Size) -> bool {
        self.shards.iter().any(|(own, _)| size.atoms().any(|atom| own.as_atom() == Some(atom)))
    }

    /// The text of what can't be split, marked: where the function comes to need it, the reason is told.
    pub(super) fn refused(&mut self, what: &str, text: &str) -> String {
        let help = "split it over another size, or give the schedule that brings a sum there";
        self.refusals.push(Refusal { reason: format!("it can't be split: {what}"), help });
        format!("_refused({}, {text})", self.refusals.len() - 1)
    }

    /// The first reason that stands in these lines.
    pub(super) fn refusal(&self, lines: &[String]) -> Option<Refusal> {
        let marked = lines.iter().find_map(|line| line.split_once("_refused("))?;
        let number = marked.1.split(',').next()?.parse::<usize>().ok()?;
        self.refusals.get(number).cloned()
    }
}

/// A program that is about to be written for the devices' parts: over which sizes, and the statements of one of them.
struct SplitProgram {
    begun: Begun,
    over: Vec<Name>,
    lines: Vec<String>,
}

fn split(name: &str, program: &Program, shard: &[Name]) -> Lowered<SplitProgram> {
    let mut begun = begin(name, program)?;
    let over: Vec<Name> = shard.iter().filter(|size| begun.sizes.contains(size)).cloned().collect();
    if over.is_empty() {
        let wanted: Vec<&str> = shard.iter().map(Name::as_str).collect();
        let reason = format!("it has no size {} to split", wanted.join(", "));
        return Err(Refusal { reason, help: "`--shard` names sizes of the model, such as `n`" });
    }
    let mut lines = Vec::new();
    for size in &over {
        let text = begun.lower.sizes[size].clone();
        let own = Size::var(size);
        let inside = begun.lower.variable(format!("{text}_inside"), 0, Number::Truth, vec![own.clone()]);
        begun.lower.shards.push((own, inside));
        lines.push(format!("{text}_here = -(-{text} // jax.lax.axis_size(\"{text}\"))"));
        lines.push(format!("{text}_index = jax.lax.axis_index(\"{text}\") * {text}_here + jnp.arange({text}_here)"));
        lines.push(format!("{text}_inside = {text}_index < {text}"));
    }
    for part in &begun.parts {
        let odd =
            part.dims.iter().any(|size| begun.lower.is_split(size) && !over.iter().any(|own| Size::var(own) == *size));
        let often = over.iter().any(|own| part.dims.iter().filter(|size| **size == Size::var(own)).count() > 1);
        if odd || often {
            let reason = format!("`{}` has a length that devices can't have parts of", part.name);
            return Err(Refusal { reason, help: "split it over another size" });
        }
    }
    lines.extend(begun.body()?);
    Ok(SplitProgram { begun, over, lines })
}

/// The function of a device's part, and the one that makes of a mesh the function of the whole.
pub(super) fn sharded(
    name: &str,
    outer: &str,
    program: &Program,
    options: &JaxOptions,
) -> Lowered<(String, Vec<Helper>)> {
    let SplitProgram { begun, over, lines } = split(name, program, &options.shard)?;
    let lower = &begun.lower;
    let sizes: Vec<String> = begun.sizes.iter().map(|size| lower.sizes[size].clone()).collect();
    let parts: Vec<String> = begun.parts.iter().map(|part| part.name.clone()).collect();
    let signature = format!("def {name}({})", sizes.iter().chain(&parts).cloned().collect::<Vec<_>>().join(", "));
    let doc = vec!["What one device computes of its part.".to_owned()];
    let local = written(&format!("{signature}:"), &doc, &lines);
    let text = format!("{local}\n\n{}", whole(name, outer, &begun, &over));
    let mut helpers = begun.helpers;
    helpers.extend([Helper::Padded, Helper::Cut]);
    Ok((text, helpers))
}

/// What it costs to run a program on several devices.
#[derive(Clone, Debug)]
pub struct ShardCost {
    /// Numbers of the arguments of which each device has its part.
    pub split: Poly,
    /// Those that each device has all of.
    pub replicated: Poly,
    /// What devices tell each other, reduction by reduction: the numbers that each device gets.
    pub reductions: Vec<Poly>,
}

/// That of a program whose data is split over these sizes, without running anything.
pub(super) fn cost(program: &Program, shard: &[Name]) -> Lowered<ShardCost> {
    let SplitProgram { begun, over, lines } = split("part", program, shard)?;
    let is_split = |part: &&ArgumentPart| part.dims.iter().any(|size| over.iter().any(|own| Size::var(own) == *size));
    let (split, replicated): (Vec<_>, Vec<_>) = begun.parts.iter().partition(is_split);
    let numbers = |sizes: &[Size]| Poly::product(sizes.iter());
    let all =
        |parts: Vec<&ArgumentPart>| parts.iter().fold(Poly::default(), |all, part| all.plus(&numbers(&part.dims)));
    let text = lines.join("\n");
    let mut told = begun.lower.told;
    told.sort_by(|a, b| a.0.cmp(&b.0));
    told.dedup_by(|a, b| a.0 == b.0);
    let reductions = told.iter().flat_map(|(own, sizes)| text.matches(own.as_str()).map(|_| numbers(sizes)));
    Ok(ShardCost { split: all(split), replicated: all(replicated), reductions: reductions.collect() })
}

/// The function of a mesh.
fn whole(name: &str, outer: &str, begun: &Begun, over: &[Name]) -> String {
    let lower = &begun.lower;
    let own = |size: &Size| over.iter().find(|own| Size::var(own) == *size).map(|size| lower.sizes[size].clone());
    let spec = |dims: &[Size]| {
        let mut all: Vec<String> =
            dims.iter().map(|size| own(size).map_or("None".to_owned(), |name| format!("\"{name}\""))).collect();
        while all.last().is_some_and(|last| last == "None") {
            all.pop();
        }
        format!("spec({})", all.join(", "))
    };
    let mut lines: Vec<String> = begun.lines.clone();
    let mut split = Vec::new();
    for part in &begun.parts {
        let mut text = part.name.clone();
        for (k, size) in part.dims.iter().enumerate() {
            if let Some(axis) = own(size) {
                text = format!("_padded({text}, {k}, mesh.shape[\"{axis}\"])");
                split.push(format!("{} over {axis}", part.name));
            }
        }
        lines.push(format!("{} = place({text}, {})", part.name, spec(&part.dims)));
    }
    let sizes: Vec<String> = begun.sizes.iter().map(|size| lower.sizes[size].clone()).collect();
    let result = &begun.first.result;
    let owned = |dims: &[&Size]| dims.iter().map(|size| (*size).clone()).collect::<Vec<Size>>();
    let parts: Vec<String> = begun.parts.iter().map(|part| part.name.clone()).collect();
    let mut is_cut = false;
    let mut names = PyNames::default();
    let targets = Nested::of(result, &mut |_, _| names.fresh("out"));
    let mut names = PyNames::default();
    let cut = Nested::of(result, &mut |dims, _| {
        let name = names.fresh("out");
        let mut text = name;
        for (k, size) in dims.iter().enumerate() {
            if let Some(axis) = own(size) {
                is_cut = true;
                text = format!("_cut({text}, {k}, {axis}, place)");
            }
        }
        text
    });
    let call = format!("split({})({})", sizes.join(", "), parts.join(", "));
    match is_cut {
        false => lines.push(format!("return {call}")),
        true => {
            lines.push(format!("{} = {call}", targets.target()));
            lines.push(format!("return {}", cut.text("(", ")")));
        }
    }
    let specs: Vec<String> = begun.parts.iter().map(|part| spec(&part.dims)).collect();
    let outs = Nested::of(result, &mut |dims, _| spec(&owned(dims)));
    let arguments: Vec<String> = begun
        .given
        .iter()
        .map(|size| lower.sizes[size].clone())
        .chain(begun.parameters.iter().map(|(name, _)| name.clone()))
        .collect();
    let mut inner = vec![
        "spec = jax.sharding.PartitionSpec".to_owned(),
        String::new(),
        "def place(array, parts=spec()):".to_owned(),
        "    return jax.device_put(array, jax.sharding.NamedSharding(mesh, parts))".to_owned(),
        String::new(),
        "@functools.cache".to_owned(),
        format!("def split({}):", sizes.join(", ")),
        format!("    part = functools.partial({})", [vec![name.to_owned()], sizes].concat().join(", ")),
        format!("    ins, outs = {}, {}", tuple(&specs), outs.text("(", ")")),
        "    return jax.jit(jax.shard_map(part, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False))".to_owned(),
        String::new(),
        format!("def call({}):", arguments.join(", ")),
    ];
    inner.extend(lines.iter().map(|line| format!("    {line}")));
    inner.push(String::new());
    inner.push("return call".to_owned());
    let what = match split.is_empty() {
        true => "nothing is split".to_owned(),
        false => split.join(", "),
    };
    let doc = vec![
        format!(
            "{} with its data split over a mesh of devices: {what}.",
            name.trim_start_matches('_').trim_end_matches("_part")
        ),
        String::new(),
        "The mesh has an axis for each of these sizes, by its name. What isn't split each device has; results too, but"
            .to_owned(),
        "along those sizes. Data that the devices don't divide is padded, and what was added is masked.".to_owned(),
    ];
    written(&format!("def {outer}(mesh: jax.sharding.Mesh):"), &doc, &inner)
}
