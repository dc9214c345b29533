//! Inputs and results as `.npy` and `.npz`. Files are made byte by byte, or were by NumPy: reader and writer aren't only
//! tested against each other.

mod broken;
mod files;
mod kinds;
mod shapes;
mod shipped;

use std::fs;
use std::path::Path;
use std::rc::Rc;

use redexter::arrays::GivenArrays;
use redexter::eval::Value;
use redexter::ground::{Budget, Trouble};
use redexter::session::{self, MemorySystem, Session, Settings};
use redexter::term::Program;
use tempfile::TempDir;

use super::{ends, err, out, run};
use files::{numpys, reals};

const MODEL: &str = "def same {n} (v : array n real) : array n real := v\n
def turned {n m} (a : array n (array m real)) : array m (array n real) := build m (fun j => build n (fun i => a[i][j]))\n
def dot {n} (v w : array n real) : real := ifold n (fun s i => s + v[i] * w[i]) 0\n
def ints {n} (k : array n int) : array n int := k\n
def picks {n m} (at : array m (fin n)) (v : array n real) : array m real := build m (fun i => v[at[i]])\n
def unzip {n m} (p : array n (real * fin m)) (k : int) : array n real * (int * array n (fin m)) :=
  (build n (fun i => fst p[i]), (k, build n (fun i => snd p[i])))\n
def zip {n m} (p : array n real * (int * array n (fin m))) : array n (real * fin m) :=
  build n (fun i => ((fst p)[i], (snd (snd p))[i]))\n
def rows {n m} (a : array n (array m real)) : real := ifold n (fun s i => s + 1) 0\n
def square {n} (x : real) : array n (array n real) := build n (fun i => build n (fun j => x))\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.arr"), MODEL).unwrap();
    folder
}

fn session() -> Session {
    let files = MemorySystem::default();
    files.put(Path::new("m.arr"), MODEL.as_bytes());
    Session::new(Settings::quiet(Rc::new(files)), Rc::default()).unwrap()
}

fn program(name: &str) -> Program {
    session::target(&mut session(), &format!("m.arr:{name}")).unwrap()
}

/// What inputs of an archive come to.
fn from_archive(program: &Program, bytes: &[u8]) -> Result<Vec<Value>, Trouble> {
    let mut given = GivenArrays::default();
    given.add_all(None, "data.npz", bytes, &Budget::default())?;
    Ok(given.inputs(program, "{}", &[], &Budget::default())?.0)
}

fn from_array(program: &Program, name: &str, bytes: Vec<u8>) -> Result<Vec<Value>, Trouble> {
    let mut given = GivenArrays::default();
    given.add(name, "data.npy", bytes)?;
    Ok(given.inputs(program, "{}", &[], &Budget::default())?.0)
}

/// What is wrong with an array that is given for this parameter.
fn wrong(program: &Program, name: &str, bytes: Vec<u8>) -> String {
    match from_array(program, name, bytes) {
        Err(Trouble::Wrong(all)) => {
            all.iter().map(|one| format!("{} ({})", one.headline, one.help.join("; "))).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn all_same(some: &[Value], others: &[Value]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(a, b)| a.same(b))
}

#[test]
fn what_numpy_wrote_is_read() {
    let f = folder();
    fs::write(f.path().join("data.npz"), numpys()).unwrap();
    let done = run(&f, &["eval", "m.arr:dot", "--input", "data.npz"]);
    assert_eq!((out(&done).as_str(), err(&done).as_str()), ("-22.0\n", ""));
    // `numpy.save(file, numpy.asfortranarray(numpy.array([[1, 2, 3], [4, 5, 6]], '<u2')))`
    let text = "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }";
    let text = format!("{text:117}\n\x01\0\x04\0\x02\0\x05\0\x03\0\x06\0");
    fs::write(f.path().join("a.npy"), [b"\x93NUMPY\x01\x00v\x00", text.as_bytes()].concat()).unwrap();
    assert_eq!(
        out(&run(&f, &["eval", "m.arr:turned", "--input", "a=a.npy"])),
        "[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]\n"
    );
}

#[test]
fn files_and_json_agree_to_the_bit() {
    let f = folder();
    for (numbers, json) in [
        (
            vec![1.5, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324],
            r#"[1.5, -0.0, "NaN", "inf", "-inf", 5e-324]"#,
        ),
        (Vec::new(), "[]"),
    ] {
        let bytes = reals(&numbers);
        fs::write(f.path().join("v.npy"), &bytes).unwrap();
        let done = run(&f, &["eval", "m.arr:same", "--input", "v.npy"]);
        assert_eq!((out(&done), err(&done)), (format!("{json}\n"), String::new()));
        for way in ["--time", "--reference"] {
            let written = run(&f, &["eval", "m.arr:same", "--input", "v=v.npy", "-o", "o.npy", way]);
            assert_eq!((written.status.code(), out(&written)), (Some(0), String::new()), "{}", err(&written));
            assert_eq!(fs::read(f.path().join("o.npy")).unwrap(), bytes);
        }
        let json = format!("{{\"v\": {json}}}");
        ends(&run(&f, &["eval", "m.arr:same", "--input", &json, "-o", "j.npy"]), 0, "");
        assert_eq!(fs::read(f.path().join("j.npy")).unwrap(), bytes);
    }
    fs::write(f.path().join("w.npy"), reals(&[2.0])).unwrap();
    let both = run(&f, &["eval", "m.arr:dot", "--input", r#"{"v": [21]}"#, "--input", "w=w.npy"]);
    assert_eq!((out(&both), err(&both)), ("42.0\n".to_owned(), String::new()));
    ends(&run(&f, &["eval", "m.arr:same", "--input", "v=w.npy", "--count"]), 0, "");
}

#[test]
fn too_large_is_said_before_any_work() {
    let f = folder();
    let square = ["eval", "m.arr:square", "--input", r#"{"x": 1}"#, "--size", "n=20000", "--timeout", "5"];
    for way in [&[][..], &["--native"], &["--reference"], &["--apply", "id"], &["-o", "r.npy"]] {
        ends(&run(&f, &[&square[..], way].concat()), 1, "the result has 400000000 numbers (3200 MB); there may be");
    }
    let main = ["eval", "models/benchmark.arr:main", "--size", "n=300000000", "--timeout", "5"];
    for way in [&[][..], &["--native"], &["--reference"], &["--count"]] {
        ends(&run(&f, &[&main[..], way].concat()), 1, "the result has 300000000 numbers (2400 MB); there may be");
    }
}
