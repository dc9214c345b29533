//! Exported programs, run by an independent interpreter, against the evaluator.

use std::collections::HashMap;

use redexter::eval::{Sizes, Value, evaluate, parameters};
use redexter::ground::{Budget, Name};
use redexter::term::{OpenVariables, Program, Type, TypeView};

use super::futhark::{Datum, Executable, File, run};

/// What an entry gives on these inputs, and what the evaluator gives.
pub fn both(
    file: &File,
    entry: &str,
    program: &Program,
    sizes: &Sizes,
    inputs: &[Value],
) -> Result<(Value, Value), String> {
    let (expected, _) = evaluate(program, inputs, sizes, &Budget::default()).unwrap();
    let found = run(file, entry, arguments(program, sizes, inputs), &known(sizes))?;
    Ok((in_whole(found, &expected), expected))
}

/// The same by the compiler's executable.
pub fn compiled(
    (executable, file): (&Executable, &File),
    entry: &str,
    program: &Program,
    sizes: &Sizes,
    inputs: &[Value],
) -> Result<(Value, Value), String> {
    let (expected, _) = evaluate(program, inputs, sizes, &Budget::default()).unwrap();
    let def = file.0.iter().find(|def| def.name == entry).ok_or("no such entry")?;
    let types = def.params.iter().map(|(_, ty)| ty.clone());
    let arguments: Vec<_> = arguments(program, sizes, inputs).into_iter().zip(types).collect();
    let found = executable.run(entry, &arguments, &known(sizes))?;
    Ok((in_whole(found, &expected), expected))
}

fn known(sizes: &Sizes) -> HashMap<String, i64> {
    sizes.iter().map(|(n, k)| (n.to_string(), k as i64)).collect()
}

fn arguments(program: &Program, sizes: &Sizes, inputs: &[Value]) -> Vec<Datum> {
    let mut arguments = open_arguments(program, sizes);
    arguments.extend(inputs.iter().flat_map(parts).map(|part| datum(&part)));
    arguments
}

fn in_whole(found: Datum, expected: &Value) -> Value {
    let mut found = match found {
        Datum::Tuple(parts) => parts.into_iter(),
        one => vec![one].into_iter(),
    };
    let result = whole(&mut found, expected);
    assert!(found.next().is_none(), "more than the evaluator gives");
    result
}

/// The sizes that no parameter fixes, in the order of their first occurrence.
fn open_arguments(program: &Program, sizes: &Sizes) -> Vec<Datum> {
    let mut fixed = Vec::new();
    for parameter in parameters(program) {
        array_sizes(&parameter.ty, &mut fixed);
    }
    let mut all = OpenVariables::default();
    all.ty(program.term.ty());
    all.term(&program.term);
    let open = all.vars.iter().filter(|n| !fixed.contains(n));
    open.map(|n| Datum::I64(sizes.get(n).unwrap() as i64)).collect()
}

fn array_sizes(ty: &Type, into: &mut Vec<Name>) {
    match ty.view() {
        TypeView::Array(n, a) => {
            into.extend(n.as_atom().map(|atom| Name::new(&atom.to_string())));
            array_sizes(a, into);
        }
        TypeView::Pair(a, b) => {
            array_sizes(a, into);
            array_sizes(b, into);
        }
        _ => {}
    }
}

/// What crosses an entry one by one: the parts of a pair, as far as they are no pairs.
fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Pair(p) => [parts(&p.0), parts(&p.1)].concat(),
        other => vec![other.clone()],
    }
}

/// The value of these parts.
fn whole(parts: &mut impl Iterator<Item = Datum>, like: &Value) -> Value {
    match like {
        Value::Pair(p) => {
            let first = whole(parts, &p.0);
            Value::pair(first, whole(parts, &p.1))
        }
        _ => value(&parts.next().expect("a part"), like),
    }
}

fn datum(value: &Value) -> Datum {
    match value {
        Value::Real(x) => Datum::F64(*x),
        Value::Int(k) => Datum::I64(*k),
        Value::Index(k) => Datum::I64(*k as i64),
        Value::Array(a) => Datum::Array(a.items().map(|item| datum(&item)).collect()),
        Value::Pair(p) => Datum::Tuple(vec![datum(&p.0), datum(&p.1)]),
        Value::Function(_) => panic!("a function as data"),
    }
}

/// The value for a datum; integers become what `like` has there.
fn value(datum: &Datum, like: &Value) -> Value {
    match (datum, like) {
        (Datum::F64(x), _) => Value::Real(*x),
        (Datum::I64(k), Value::Index(_)) => Value::Index(*k as u64),
        (Datum::I64(k), _) => Value::Int(*k),
        (Datum::Array(items), Value::Array(a)) if items.len() == a.items().len() => {
            Value::array(items.iter().zip(a.items()).map(|(d, l)| value(d, &l)).collect())
        }
        (Datum::Tuple(parts), Value::Pair(p)) if parts.len() == 2 => {
            Value::pair(value(&parts[0], &p.0), value(&parts[1], &p.1))
        }
        _ => panic!("{datum:?} where {like:?} was expected"),
    }
}
