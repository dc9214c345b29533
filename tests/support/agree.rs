//! Exported programs, run by an independent interpreter, against the evaluator.

use std::collections::HashMap;

use redexter::eval::{Sizes, Value, evaluate, parameters};
use redexter::ground::{Budget, Name};
use redexter::term::{OpenVariables, Program, Type, TypeView};

use super::futhark::compiled::{Executable, Shape};
use super::futhark::{Datum, File, run};

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
    Ok((in_whole(found, program), expected))
}

/// The same by the compiler's executable.
pub fn compiled(
    executable: &Executable,
    entry: &str,
    program: &Program,
    sizes: &Sizes,
    inputs: &[Value],
) -> Result<(Value, Value), String> {
    let (expected, _) = evaluate(program, inputs, sizes, &Budget::default()).unwrap();
    let all = arguments(program, sizes, inputs);
    let mut shapes = Vec::new();
    parameters(program).iter().for_each(|parameter| shape(&parameter.ty, sizes, &mut Vec::new(), &mut shapes));
    // The sizes that no parameter fixes come first.
    let open = (shapes.len()..all.len()).map(|_| Shape { lengths: Vec::new(), element: "i64" });
    let shapes = open.chain(shapes).collect::<Vec<Shape>>();
    let found = executable.run(entry, &all.into_iter().zip(shapes).collect::<Vec<_>>())?;
    Ok((in_whole(found, program), expected))
}

/// The shapes of what crosses an entry one by one, inside arrays of these lengths.
fn shape(ty: &Type, sizes: &Sizes, around: &mut Vec<u64>, all: &mut Vec<Shape>) {
    match ty.view() {
        TypeView::Pair(a, b) => [a, b].into_iter().for_each(|half| shape(half, sizes, around, all)),
        TypeView::Array(n, element) => {
            around.push(sizes.value(n));
            shape(element, sizes, around, all);
            around.pop();
        }
        TypeView::Real => all.push(Shape { lengths: around.clone(), element: "f64" }),
        _ => all.push(Shape { lengths: around.clone(), element: "i64" }),
    }
}

fn known(sizes: &Sizes) -> HashMap<String, i64> {
    sizes.iter().map(|(n, k)| (n.to_string(), k as i64)).collect()
}

fn arguments(program: &Program, sizes: &Sizes, inputs: &[Value]) -> Vec<Datum> {
    let mut arguments = open_arguments(program, sizes);
    let given = parameters(program).into_iter().zip(inputs);
    arguments.extend(given.flat_map(|(parameter, value)| parts(&datum(value), &parameter.ty)));
    arguments
}

fn in_whole(found: Datum, program: &Program) -> Value {
    let mut found = match found {
        Datum::Tuple(parts) => parts.into_iter(),
        one => vec![one].into_iter(),
    };
    let ty = program.term.applied().1.ty().clone();
    let result = value(&whole(&mut found, &ty), &ty);
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

/// What crosses an entry one by one: the parts of pairs and of arrays of them, as far as they have no pairs.
fn parts(datum: &Datum, ty: &Type) -> Vec<Datum> {
    match (datum, ty.view()) {
        (Datum::Tuple(halves), TypeView::Pair(a, b)) => [parts(&halves[0], a), parts(&halves[1], b)].concat(),
        (Datum::Array(items), TypeView::Array(_, element)) => {
            let mut columns = vec![Vec::new(); count(element)];
            for item in items {
                columns.iter_mut().zip(parts(item, element)).for_each(|(column, part)| column.push(part));
            }
            columns.into_iter().map(Datum::Array).collect()
        }
        (other, _) => vec![other.clone()],
    }
}

fn count(ty: &Type) -> usize {
    match ty.view() {
        TypeView::Pair(a, b) => count(a) + count(b),
        TypeView::Array(_, element) => count(element),
        _ => 1,
    }
}

/// The datum of these parts.
fn whole(parts: &mut dyn Iterator<Item = Datum>, ty: &Type) -> Datum {
    match ty.view() {
        TypeView::Pair(a, b) => {
            let first = whole(parts, a);
            Datum::Tuple(vec![first, whole(parts, b)])
        }
        TypeView::Array(_, element) => {
            let mut columns: Vec<_> = (0..count(element))
                .map(|_| match parts.next().expect("a part") {
                    Datum::Array(items) => items.into_iter(),
                    other => panic!("{other:?} is no array"),
                })
                .collect();
            let mut all = Vec::new();
            loop {
                let row: Vec<Datum> = columns.iter_mut().filter_map(Iterator::next).collect();
                if row.is_empty() {
                    break;
                }
                all.push(whole(&mut row.into_iter(), element));
            }
            Datum::Array(all)
        }
        _ => parts.next().expect("a part"),
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

/// The value of a type for a datum.
fn value(datum: &Datum, ty: &Type) -> Value {
    match (datum, ty.view()) {
        (Datum::F64(x), _) => Value::Real(*x),
        (Datum::I64(k), TypeView::Fin(_)) => Value::Index(*k as u64),
        (Datum::I64(k), _) => Value::Int(*k),
        (Datum::Array(items), TypeView::Array(_, element)) => {
            Value::array(items.iter().map(|item| value(item, element)).collect())
        }
        (Datum::Tuple(halves), TypeView::Pair(a, b)) => Value::pair(value(&halves[0], a), value(&halves[1], b)),
        _ => panic!("{datum:?} is no {ty}"),
    }
}
