//! Writes what stands behind functions: derivatives under which JAX knows them, and files that run elsewhere.

use super::emit::tuple;
use super::head::{Function, written};
use super::nested::Nested;
use super::node::Number;
use crate::first::{Lowered, Refusal};
use redexter_language::ground::Name;
use redexter_language::ground::text::listed;
use redexter_language::term::{Program, Type, TypeView};

/// By which of a function's arguments, counted from 0, another one is its derivative; `by` says it where types don't tell.
fn arguments(primal: &FunctionTypes, own: &FunctionTypes, by: Option<&[Name]>) -> Lowered<Vec<usize>> {
    let types = |of: &FunctionTypes| of.parameters.iter().map(|(_, ty)| ty.clone()).collect::<Vec<Type>>();
    let wrong = |what: String| refused(primal.name, what);
    if types(primal) != types(own) {
        return Err(wrong("it doesn't take the same arguments".to_owned()));
    }
    if *primal.result.view() != TypeView::Real {
        return Err(wrong(format!("`{}` gives no number", primal.name)));
    }
    let Some(by) = by else { return by_types(primal, own) };
    let place = |name: &Name| {
        let found = primal.parameters.iter().position(|(own, _)| own == name.as_str());
        found.ok_or_else(|| wrong(format!("`{}` has no argument {name}", primal.name)))
    };
    let wanted = by.iter().map(place).collect::<Lowered<Vec<usize>>>()?;
    if let Some(k) = (0..wanted.len()).find(|k| wanted[..*k].contains(&wanted[*k])) {
        return Err(wrong(format!("its argument {} stands there twice", primal.parameters[wanted[k]].0)));
    }
    let parts: Vec<&Type> = wanted.iter().map(|k| &primal.parameters[*k].1).collect();
    if !has_parts(own.result, &parts) {
        let by = listed(by.iter().map(|name| format!("`{name}`")));
        return Err(wrong(format!("what it gives hasn't the types of {by} in this order")));
    }
    Ok(wanted)
}

/// What a function or its derivative takes and gives, and what it is called.
struct FunctionTypes<'a> {
    name: &'a str,
    parameters: &'a [(String, Type)],
    result: &'a Type,
}

impl Function {
    fn types(&self) -> FunctionTypes<'_> {
        FunctionTypes { name: &self.name, parameters: &self.parameters, result: &self.result }
    }
}

/// The arguments by which one program is the derivative of another of this name, where `by` says them or types tell.
pub(super) fn derivative_by(
    (name, primal): (&str, &Program),
    derivative: &Program,
    by: Option<&[Name]>,
) -> Lowered<Vec<Name>> {
    let parameters = |program: &Program| -> Vec<(String, Type)> {
        program.term.applied().0.into_iter().map(|(name, ty)| (name.to_string(), ty)).collect()
    };
    let [of, own] = [primal, derivative].map(parameters);
    let [result, slopes] = [primal, derivative].map(|program| program.term.applied().1.ty().clone());
    let of = FunctionTypes { name, parameters: &of, result: &result };
    let found = arguments(&of, &FunctionTypes { name: "", parameters: &own, result: &slopes }, by)?;
    Ok(found.into_iter().map(|k| Name::new(&of.parameters[k].0)).collect())
}

/// The registration of a derivative: of which function, and of which arguments, where types don't tell.
pub(super) fn derivative(primal: &Function, own: &Function, by: Option<&[Name]>) -> Lowered<String> {
    let wanted = arguments(&primal.types(), &own.types(), by)?;
    if !primal.given.is_empty() {
        let what = format!("`{}` has the size {} that no array has", primal.name, primal.given[0]);
        return Err(refused(&primal.name, what));
    }
    let names: Vec<String> = primal.parameters.iter().map(|(name, _)| name.clone()).collect();
    let all = names.join(", ");
    let is_real = |k: &usize| primal.parameters[*k].1.is_of_reals();
    let others: Vec<usize> = (0..names.len()).filter(|k| !wanted.contains(k) && is_real(k)).collect();
    let moved = |k: &usize| format!("{}_moved", names[*k]);
    let by = |which: &[usize], name: &dyn Fn(&usize) -> String| tuple(&which.iter().map(name).collect::<Vec<_>>());
    let by_names: Vec<String> = wanted.iter().map(|k| names[*k].clone()).collect();
    let name = &primal.name;
    let own_by = |k: &usize| format!("by_{}", names[*k]);
    // Names of the function's own, which no argument has.
    let [given, change, value, slope, rest] = ["given", "change", "value", "slope", "rest"].map(|hint| {
        let longer = std::iter::successors(Some(hint.to_owned()), |last| Some(format!("{last}_")));
        longer.into_iter().find(|own| !names.contains(own)).unwrap_or_default()
    });
    let all_moved: Vec<String> =
        (0..names.len()).map(|k| if is_real(&k) { moved(&k) } else { "_".to_owned() }).collect();
    let slopes = wanted.iter().map(own_by).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        format!("{} = {given}", target(&names)),
        format!("{} = {change}", target(&all_moved)),
        format!("{value} = {name}({all})"),
        format!("{slopes} = {}({all})", own.name),
        format!("{slope} = _along({}, {}, {value})", by(&wanted, &own_by), by(&wanted, &moved)),
    ];
    if !others.is_empty() {
        let (own, own_moved) = (by(&others, &|k| names[*k].clone()), by(&others, &moved));
        let takes = others.iter().map(|k| names[*k].clone()).collect::<Vec<_>>().join(", ");
        lines.push(format!("if _is_moved{own_moved}:"));
        lines.push(format!("    {rest} = lambda {takes}: {name}.__wrapped__({all})"));
        lines.push(format!("    {slope} += jax.jvp({rest}, {own}, _filled({own}, {own_moved}))[1]"));
    }
    lines.push(format!("return {value}, {slope}"));
    let doc =
        [format!("`{name}`, and how it changes as its arguments do: its slopes by {} are given.", listed(&by_names))];
    let mut text = written(&format!("def _{name}_slope({given}, {change}):"), &doc, &lines);
    text += &format!("\n\n{name}.defjvp(_{name}_slope, symbolic_zeros=True)\n");
    Ok(text)
}

/// Whether a type is that of these in a row of pairs.
fn has_parts(ty: &Type, parts: &[&Type]) -> bool {
    match (parts, ty.view()) {
        ([one], _) => ty == *one,
        ([first, rest @ ..], TypeView::Pair(a, b)) => a == *first && has_parts(b, rest),
        _ => false,
    }
}

/// The arguments whose types the parts of a derivative have, in order, where no others have them.
fn by_types(primal: &FunctionTypes, own: &FunctionTypes) -> Lowered<Vec<usize>> {
    fn ways(parts: &Type, from: usize, types: &[Type], taken: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        for k in from..types.len() {
            if types[k] == *parts {
                all.push([&taken[..], &[k]].concat());
            }
            if let TypeView::Pair(a, b) = parts.view()
                && types[k] == *a
            {
                taken.push(k);
                ways(b, k + 1, types, taken, all);
                taken.pop();
            }
        }
    }
    let types: Vec<Type> = primal.parameters.iter().map(|(_, ty)| ty.clone()).collect();
    let mut all = Vec::new();
    ways(own.result, 0, &types, &mut Vec::new(), &mut all);
    match &all[..] {
        [one] => Ok(one.clone()),
        [] => Err(refused(primal.name, "what it gives has the types of no arguments".to_owned())),
        _ => Err(refused(primal.name, "it may be by other arguments, too: name those with `--by`".to_owned())),
    }
}

/// The function that writes another one into a file.
pub(super) fn artifact(function: &Function) -> String {
    let sizes: Vec<&(String, u64)> = function.sizes.iter().filter(|(name, _)| !function.given.contains(name)).collect();
    let mut head = function.given.clone();
    head.push("path".to_owned());
    head.push("dtype=float".to_owned());
    let mut text = format!("def save_{}({}):\n", function.name, head.join(", "));
    text += &format!(
        "    \"\"\"Writes {} for any sizes into a file, which jax.export.deserialize reads.\"\"\"\n",
        function.name
    );
    text += "    from jax import export\n\n";
    if !sizes.is_empty() {
        let names: Vec<String> = sizes.iter().map(|(name, _)| name.clone()).collect();
        let bounds: Vec<String> = sizes
            .iter()
            .filter(|(_, least)| *least > 1)
            .map(|(name, least)| format!("\"{name} >= {least}\""))
            .collect();
        text += &format!(
            "    {} = export.symbolic_shape(\"{}\", constraints=[{}])\n",
            target(&names),
            names.join(", "),
            bounds.join(", ")
        );
    }
    let mut given = Vec::new();
    for (shape, number) in &function.shapes {
        let kind = if *number == Number::Real { "dtype" } else { "int" };
        given.push(format!("jax.ShapeDtypeStruct({shape}, {kind})"));
    }
    let mut given = given.into_iter();
    let arguments: Vec<String> = function
        .parameters
        .iter()
        .map(|(_, ty)| Nested::of(ty, &mut |_, _| given.next().unwrap_or_default()).text("(", ")"))
        .collect();
    text += &format!(
        "    given = [\n{}    ]\n",
        arguments.iter().map(|one| format!("        {one},\n")).collect::<String>()
    );
    let places: Vec<String> = (0..function.given.len()).map(|k| k.to_string()).collect();
    let made = match places.is_empty() {
        true => format!("jax.jit({})", function.name),
        false => format!("jax.jit({}, static_argnums=({},))", function.name, places.join(", ")),
    };
    let all: Vec<String> = function.given.iter().cloned().chain(["*given".to_owned()]).collect();
    text += &format!("    made = export.export({made})({})\n", all.join(", "));
    text += "    with open(path, \"wb\") as file:\n        file.write(made.serialize())\n";
    text
}

/// The program that runs a function on files of arrays; over the devices that there are, where it has a function of a mesh with
/// these axes.
pub(super) fn program(function: &Function, sharded: Option<(&str, &[String])>) -> String {
    let mut arrays = function.given.iter().map(|size| format!("int(given[\"{size}\"])")).collect::<Vec<String>>();
    for (name, ty) in &function.parameters {
        let mut parts = 0;
        Nested::of(ty, &mut |_, _| {
            parts += 1;
            String::new()
        });
        let mut k = 0;
        let one = Nested::of(ty, &mut |_, _| {
            k += 1;
            if parts == 1 { format!("given[\"{name}\"]") } else { format!("given[\"{name}_{k}\"]") }
        });
        arrays.push(one.text("(", ")"));
    }
    let (what, called) = match sharded {
        None => (String::new(), function.name.clone()),
        Some((outer, axes)) => {
            let names = axes.iter().map(|axis| format!("\"{axis}\"")).collect::<Vec<String>>();
            let shape = (0..axes.len()).map(|k| if k == 0 { "len(jax.devices())" } else { "1" }.to_owned());
            let mesh = format!("jax.make_mesh({}, {})", tuple(&shape.collect::<Vec<String>>()), tuple(&names));
            (", over the devices that there are".to_owned(), format!("{outer}({mesh})"))
        }
    };
    let lines = [
        "import argparse".to_owned(),
        String::new(),
        "import numpy as np".to_owned(),
        String::new(),
        "parser = argparse.ArgumentParser(description=main.__doc__)".to_owned(),
        "parser.add_argument(\"given\", help=\"a .npz file: arrays by the names of arguments, x_1, x_2 for a pair x\")"
            .to_owned(),
        "parser.add_argument(\"result\", help=\"the .npz file to write\")".to_owned(),
        "parser.add_argument(\"--distributed\", action=\"store_true\", help=\"over the devices of several processes\")"
            .to_owned(),
        "parser.add_argument(\"--float32\", action=\"store_true\")".to_owned(),
        "asked = parser.parse_args()".to_owned(),
        "if asked.distributed:".to_owned(),
        "    jax.distributed.initialize()".to_owned(),
        "jax.config.update(\"jax_enable_x64\", not asked.float32)".to_owned(),
        "given = np.load(asked.given)".to_owned(),
        format!("result = {called}({})", arrays.join(", ")),
        "whole = [one.is_fully_addressable or one.is_fully_replicated for one in jax.tree.leaves(result)]".to_owned(),
        "if not all(whole):".to_owned(),
        "    from jax.experimental import multihost_utils".to_owned(),
        String::new(),
        "    result = multihost_utils.process_allgather(result, tiled=True)".to_owned(),
        "if jax.process_index() == 0:".to_owned(),
        "    np.savez(asked.result, *jax.tree.leaves(result))".to_owned(),
    ];
    let doc = [format!("Runs {}{what} on arrays of a file.", function.name)];
    written("def main():", &doc, &lines) + "\n\nif __name__ == \"__main__\":\n    main()\n"
}

fn target(names: &[String]) -> String {
    if let [one] = names { format!("({one},)") } else { names.join(", ") }
}

fn refused(primal: &str, what: String) -> Refusal {
    Refusal {
        reason: format!("it is no derivative of `{primal}`: {what}"),
        help: "give the derivative of a number, by arguments in the order of its parts",
    }
}
