//! Writes what stands behind functions: derivatives under which JAX knows them, and files that run elsewhere.

use super::head::Function;
use super::node::Number;
use crate::first::{Lowered, Refusal};
use redexter_language::ground::Name;
use redexter_language::ground::text::listed;
use redexter_language::term::{Type, TypeView};

/// The registration of a derivative: of which function, and of which arguments, where types don't tell.
pub(super) fn derivative(primal: &Function, own: &Function, by: Option<&[Name]>) -> Lowered<String> {
    let types = |function: &Function| function.parameters.iter().map(|(_, ty)| ty.clone()).collect::<Vec<Type>>();
    if types(primal) != types(own) {
        return Err(refused(format!("it doesn't take what `{}` takes", primal.name)));
    }
    if *primal.result.view() != TypeView::Real {
        return Err(refused(format!("`{}` gives no number", primal.name)));
    }
    if !primal.given.is_empty() {
        return Err(refused(format!("`{}` has the size {} that no array has", primal.name, primal.given[0])));
    }
    let names: Vec<String> = primal.parameters.iter().map(|(name, _)| name.clone()).collect();
    let wanted: Vec<usize> = match by {
        Some(by) => {
            let place = |name: &Name| {
                let found = names.iter().position(|own| own == name.as_str());
                found.ok_or_else(|| refused(format!("`{}` has no argument {name}", primal.name)))
            };
            let wanted = by.iter().map(place).collect::<Lowered<Vec<usize>>>()?;
            if let Some(k) = (0..wanted.len()).find(|k| wanted[..*k].contains(&wanted[*k])) {
                return Err(refused(format!("its argument {} stands there twice", names[wanted[k]])));
            }
            let parts: Vec<&Type> = wanted.iter().map(|k| &primal.parameters[*k].1).collect();
            if !has_parts(&own.result, &parts) {
                let by = listed(by.iter().map(|name| format!("`{name}`")));
                return Err(refused(format!("its result hasn't the types of {by} in this order")));
            }
            wanted
        }
        None => by_types(primal, own)?,
    };
    let all = names.join(", ");
    let is_real = |k: &usize| primal.parameters[*k].1.is_of_reals();
    let others: Vec<usize> = (0..names.len()).filter(|k| !wanted.contains(k) && is_real(k)).collect();
    let rest: Vec<String> = others.iter().map(|k| names[*k].clone()).collect();
    let mut text = format!("def _{0}_forward({all}):\n    return {0}({all}), ({all},)\n\n\n", primal.name);
    text += &format!("def _{}_backward(given, weight):\n    {} = given\n", primal.name, target(&names));
    let by_name = |k: usize| format!("by_{}", names[k]);
    let found: Vec<String> = wanted.iter().map(|k| by_name(*k)).collect();
    text += &format!("    {} = {}({all})\n", found.join(", "), own.name);
    if !rest.is_empty() {
        let rest_by: Vec<String> = others.iter().map(|k| by_name(*k)).collect();
        text += &format!(
            "    _, pull = jax.vjp(lambda {}: {}.__wrapped__({all}), {})\n",
            rest.join(", "),
            primal.name,
            rest.join(", ")
        );
        text += &format!("    {} = pull(weight)\n", target(&rest_by));
    }
    let results: Vec<String> = (0..names.len())
        .map(|k| match (wanted.contains(&k), is_real(&k)) {
            (true, _) => format!("jax.tree.map(lambda slope: weight * slope, {})", by_name(k)),
            (false, true) => by_name(k),
            (false, false) => "None".to_owned(),
        })
        .collect();
    text += &format!("    return ({},)\n\n\n", results.join(", "));
    text += &format!("{0}.defvjp(_{0}_forward, _{0}_backward)\n", primal.name);
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
fn by_types(primal: &Function, own: &Function) -> Lowered<Vec<usize>> {
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
    ways(&own.result, 0, &types, &mut Vec::new(), &mut all);
    match &all[..] {
        [one] => Ok(one.clone()),
        [] => Err(refused(format!("its result has the types of no arguments of `{}`", primal.name))),
        _ => Err(refused(format!(
            "its result may be by other arguments of `{}`, too: name those with `--by`",
            primal.name
        ))),
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
        .map(|(_, ty)| super::nested::Nested::of(ty, &mut |_, _| given.next().unwrap_or_default()).text("(", ")"))
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

fn target(names: &[String]) -> String {
    if let [one] = names { format!("({one},)") } else { names.join(", ") }
}

fn refused(what: String) -> Refusal {
    Refusal {
        reason: format!("it is no derivative: {what}"),
        help: "name a number's gradient by some of its arguments",
    }
}
