//! All that ships, and what takes pairs, on random inputs.

use std::collections::BTreeSet;
use std::path::Path;

use redexter::arrays::{GivenArrays, ResultFile};
use redexter::blocks::packed;
use redexter::eval::{Sizes, evaluate, inputs_from_json, open_sizes, parameters, random_inputs, value_to_json};
use redexter::ground::{Budget, Name};
use redexter::shipped;
use redexter::term::{Program, Type, TypeView};

use super::files::{npy, taken_apart};
use super::{all_same, session};

/// The arrays of a type by the names of parts, with their dimensions: reals or whole numbers.
fn parts(name: &str, ty: &Type, sizes: &Sizes, dims: &[u64]) -> Vec<(String, Vec<u64>, &'static str)> {
    match ty.view() {
        TypeView::Array(n, a) => parts(name, a, sizes, &[dims, &[sizes.value(n)]].concat()),
        TypeView::Pair(a, b) => {
            let half = |k: u8, ty: &Type| parts(&format!("{name}.{k}"), ty, sizes, dims);
            [half(0, a), half(1, b)].concat()
        }
        TypeView::Real => vec![(name.to_owned(), dims.to_vec(), "<f8")],
        _ => vec![(name.to_owned(), dims.to_vec(), "<i8")],
    }
}

fn tuple(dims: &[u64]) -> String {
    match dims {
        [one] => format!("({one},)"),
        _ => format!("({})", dims.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// How often something was tried.
#[derive(Debug, Default)]
struct Tried {
    inputs: u64,
    of_pairs: u64,
    results: u64,
}

impl Tried {
    /// Random inputs of a program at these sizes, from arrays and from JSON; and its result as a file.
    fn one(&mut self, what: &str, program: &Program, size: u64) -> Option<()> {
        let budget = Budget::default();
        let sizes: Sizes = open_sizes(&program.term).into_iter().map(|name| (name, size)).collect();
        let inputs = random_inputs(program, &sizes, size)?;
        let of = parameters(program);
        let given_sizes: Vec<(Name, u64)> = sizes.iter().map(|(name, n)| (name.clone(), n)).collect();
        let json = of.iter().zip(&inputs).map(|(p, value)| format!("\"{}\": {}", p.name, value_to_json(value)));
        let json = format!("{{{}}}", json.collect::<Vec<_>>().join(", "));
        let (from_json, _) = inputs_from_json(program, &json, &given_sizes, &budget).ok()?;
        let words = packed(of.iter().map(|p| &p.ty).zip(&inputs), &budget).unwrap();
        let named = of.iter().flat_map(|p| parts(p.name.as_str(), &p.ty, &sizes, &[]));
        let mut given = GivenArrays::default();
        for ((name, dims, kind), words) in named.zip(words) {
            self.of_pairs += u64::from(name.contains('.'));
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            given.add(&name, "data.npy", npy(kind, &tuple(&dims), &bytes)).unwrap();
        }
        let (read, of_shapes) = given.inputs(program, "{}", &given_sizes, &budget).unwrap();
        assert!(all_same(&read, &from_json) && of_shapes == sizes, "{what} at {size}");
        self.inputs += 1;
        let (value, _) = evaluate(program, &read, &sizes, &budget).ok()?;
        let ty = program.term.applied().1.ty().clone();
        if let [(_, dims, kind)] = &parts("", &ty, &sizes, &[])[..] {
            let form = ResultFile::of(Path::new("r.npy"), &ty).unwrap();
            let (header, words) = taken_apart(&form.bytes(&value, &sizes, &budget).unwrap());
            let expected = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {}, }}", tuple(dims));
            assert_eq!((header, vec![words]), (expected, packed([(&ty, &value)], &budget).unwrap()));
            self.results += 1;
        }
        Some(())
    }
}

#[test]
fn shipped_programs_get_what_json_gives_them() {
    let (mut session, mut tried) = (session(), Tried::default());
    let files: BTreeSet<&str> = shipped::names(Path::new("models")).collect();
    // No model that ships takes pairs of a closed type.
    for path in files.iter().map(|file| format!("models/{file}")).chain([String::from("m.arr")]) {
        for name in session::definitions_of(&mut session, Path::new(&path)).unwrap() {
            let what = format!("{path}:{name}");
            // One that takes a function under D has no term.
            let Ok(program) = session::target(&mut session, &what) else { continue };
            for size in 1..=3 {
                tried.one(&what, &program, size);
            }
        }
    }
    assert!(tried.inputs > 300 && tried.of_pairs > 10 && tried.results > 300, "{tried:?}");
}
