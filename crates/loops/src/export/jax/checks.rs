//! Writes how arguments are taken in: as arrays of one type, with shapes that fit together.

use super::Helper;
use super::lower::JaxLowering;
use super::node::Number;
use redexter_language::ground::Name;
use redexter_language::term::{Size, SizeAtom};

/// An argument, or a part of one.
pub(super) struct ArgumentPart {
    pub(super) name: String,
    pub(super) dims: Vec<Size>,
    pub(super) number: Number,
}

/// What makes arrays of the arguments, and says what is wrong with their shapes.
pub(super) fn checks(
    lines: &mut Vec<String>,
    helpers: &mut Vec<Helper>,
    all: &[ArgumentPart],
    given: &[Name],
    lower: &JaxLowering,
) {
    let of = |number: Number| all.iter().filter(move |part| part.number == number).map(|part| part.name.clone());
    let reals: Vec<String> = of(Number::Real).collect();
    if !reals.is_empty() {
        helpers.push(Helper::Reals);
        let targets = if let [one] = &reals[..] { format!("({one},)") } else { reals.join(", ") };
        lines.push(format!("{targets} = _reals({})", reals.join(", ")));
    }
    lines.extend(of(Number::Int).map(|name| format!("{name} = _whole(\"{name}\", {name})")));
    helpers.extend(of(Number::Int).next().map(|_| Helper::Whole));
    let mut known: Vec<Name> = given.to_vec();
    let is_known = |size: &Size, known: &[Name]| {
        size.atoms().all(|atom| matches!(atom, SizeAtom::Var(name) if known.contains(name)))
    };
    // Those come last that can be computed only from what others say.
    let (late, early): (Vec<&ArgumentPart>, Vec<&ArgumentPart>) = all
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
                    let is_own = targets.contains(&text);
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
