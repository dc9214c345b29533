//! Inputs and results as `.npy` and `.npz`. Files are made here, byte by byte, or were by NumPy: reader and writer aren't
//! only tested against each other.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use redexter::arrays::{Form, Given};
use redexter::blocks::packed;
use redexter::eval::{Sizes, Value, evaluate, inputs_from_json, open_sizes, parameters, random_inputs, value_to_json};
use redexter::ground::{Budget, Name, Trouble};
use redexter::session::{Memory, Session, Settings};
use redexter::shipped;
use redexter::term::{Program, Type, TypeView};
use tempfile::TempDir;

use super::{ends, err, out, redexter, run};

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

/// A `.npy` with this kind of numbers and this shape, written as Python writes them.
fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    of_order(kind, "False", shape, data)
}

fn of_order(kind: &str, by_columns: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': {by_columns}, 'shape': {shape}, }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend([(text.len() % 256) as u8, (text.len() / 256) as u8]);
    [&bytes, text.as_bytes(), data].concat()
}

fn reals(numbers: &[f64]) -> Vec<u8> {
    npy("<f8", &format!("({},)", numbers.len()), &numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
}

/// The header's text and the words of a `.npy` that was written.
fn taken_apart(bytes: &[u8]) -> (String, Vec<u64>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let begins = 10 + usize::from(bytes[8]) + 256 * usize::from(bytes[9]);
    assert_eq!((begins % 64, bytes[begins - 1]), (0, b'\n'));
    let words = bytes[begins..].chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
    (String::from_utf8(bytes[10..begins].to_vec()).unwrap().trim_end().to_owned(), words.collect())
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

/// An archive of files as they are.
fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let (size, at) = ((bytes.len() as u32).to_le_bytes(), (all.len() as u32).to_le_bytes());
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
            &crc(bytes).to_le_bytes(),
            &size,
            &size,
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        all.extend([b"PK\x03\x04", &common[..], name.as_bytes(), bytes].concat());
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &at, name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let [size, at] = [directory.len() as u32, all.len() as u32].map(u32::to_le_bytes);
    [&all, &directory, &b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &at, &[0, 0]].concat()
}

fn session() -> Session {
    let files = Memory::default();
    files.put(Path::new("m.arr"), MODEL.as_bytes());
    Session::new(Settings::quiet(Rc::new(files)), Rc::default()).unwrap()
}

fn program(name: &str) -> Program {
    session().target(&format!("m.arr:{name}")).unwrap()
}

/// What inputs of an archive come to.
fn from_archive(program: &Program, bytes: &[u8]) -> Result<Vec<Value>, Trouble> {
    let mut given = Given::default();
    given.add_all(None, "data.npz", bytes, &Budget::default())?;
    Ok(given.inputs(program, "{}", &[], &Budget::default())?.0)
}

fn from_array(program: &Program, name: &str, bytes: Vec<u8>) -> Result<Vec<Value>, Trouble> {
    let mut given = Given::default();
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

/// `numpy.savez_compressed(file, v=numpy.array([1.5, -2, 3], '>f4'), w=numpy.array([4, 5, -6], 'i1'))`, of NumPy 2.
const NUMPYS: &str = "504b03042d000000080000002100fa4da39bffffffffffffffff05001400762e6e7079010010008c000000000000004f000000000000009bec17ea\
1b10c9c850c650ad9e925a9c5ca46ea5a06e9766a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14002efb030c0c\
40c4e0e0c0c00000504b03042d0000000800000021005a8ffce3ffffffffffffffff05001400772e6e707901001000830000000000000047000000000000009bec17\
ea1b10c9c850c650ad9e925a9c5ca46ea5a05e9369a8aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14002e16d6\
5f00504b01022d032d000000080000002100fa4da39b4f0000008c000000050000000000000000000000800100000000762e6e7079504b01022d032d0000000800\
000021005a8ffce34700000083000000050000000000000000000000800186000000772e6e7079504b0506000000000200020066000000040100000000";

fn numpys() -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
    NUMPYS.as_bytes().chunks(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect()
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
fn numbers_of_each_kind_are_read_as_they_are() {
    let (same, ints) = (program("same"), program("ints"));
    let kinds: [(&str, Vec<u8>, f64); 14] = [
        ("<f4", 0.1f32.to_le_bytes().into(), f64::from(0.1f32)),
        (">f4", (-1.5f32).to_be_bytes().into(), -1.5),
        (">f8", 0.1f64.to_be_bytes().into(), 0.1),
        ("=f8", 0.1f64.to_le_bytes().into(), 0.1),
        ("|i1", vec![0x80], -128.0),
        ("|u1", vec![0x80], 128.0),
        ("<i2", (-2i16).to_le_bytes().into(), -2.0),
        (">u2", 40_000u16.to_be_bytes().into(), 40_000.0),
        ("<i4", i32::MIN.to_le_bytes().into(), f64::from(i32::MIN)),
        (">i4", 7i32.to_be_bytes().into(), 7.0),
        ("<u4", u32::MAX.to_le_bytes().into(), f64::from(u32::MAX)),
        ("<i8", (1i64 << 53).to_le_bytes().into(), 9_007_199_254_740_992.0),
        (">i8", i64::MIN.to_be_bytes().into(), i64::MIN as f64),
        ("<u8", (1u64 << 63).to_le_bytes().into(), 9_223_372_036_854_775_808.0),
    ];
    for (kind, bytes, number) in kinds {
        let read = from_array(&same, "v", npy(kind, "(1,)", &bytes)).unwrap();
        assert!(all_same(&read, &[Value::array(vec![Value::Real(number)])]), "{kind}: {read:?}");
        if kind.contains(['i', 'u']) && number < 9e18 {
            let read = from_array(&ints, "k", npy(kind, "(1,)", &bytes)).unwrap();
            assert!(all_same(&read, &[Value::array(vec![Value::Int(number as i64)])]), "{kind}: {read:?}");
        }
    }
    let odd = ((1i64 << 53) + 1).to_le_bytes();
    assert!(wrong(&same, "v", npy("<i8", "(1,)", &odd)).contains("but is 9007199254740993 in `data.npy`"));
    let large = u64::MAX.to_le_bytes();
    assert!(
        wrong(&ints, "k", npy("<u8", "(1,)", &large)).starts_with("`k[0]` must be an int, but is 18446744073709551615")
    );
    assert!(wrong(&ints, "k", reals(&[1.0])).contains("must be a whole number, but is 1.0"));
    for (kind, width, what) in [
        ("|b1", 1, "truth values"),
        ("<c16", 16, "complex numbers"),
        ("|O", 8, "Python objects"),
        ("<U3", 12, "texts"),
        ("|S3", 3, "texts"),
        ("<M8[ns]", 8, "times"),
        ("<f2", 2, "`<f2`"),
        ("<f16", 16, "`<f16`"),
        ("", 8, "``"),
        ("é8", 8, "`é8`"),
    ] {
        let said = wrong(&same, "v", npy(kind, "(1,)", &vec![0; width]));
        assert!(said.contains(what) && said.contains('('), "{kind}: {said}");
    }
    let fields = npy("", "(1,)", &[0; 8]);
    let fields = String::from_utf8_lossy(&fields[10..]).replace("''", "[('a', '<f8')]");
    let fields = [b"\x93NUMPY\x01\x00", &(fields.len() as u16).to_le_bytes()[..], fields.as_bytes()].concat();
    assert!(wrong(&same, "v", fields).contains("structures"));
}

#[test]
fn indices_are_below_their_size() {
    let picks = program("picks");
    let given = |at: &[i64]| {
        let bytes: Vec<u8> = at.iter().flat_map(|k| k.to_le_bytes()).collect();
        zip(&[("at.npy", npy("<i8", &format!("({},)", at.len()), &bytes)), ("v.npy", reals(&[1.0, 2.0, 3.0]))])
    };
    let (read, _) = inputs_from_json(&picks, r#"{"at": [2, 0], "v": [1, 2, 3]}"#, &[], &Budget::default()).unwrap();
    assert!(all_same(&from_archive(&picks, &given(&[2, 0])).unwrap(), &read));
    for (at, said) in [(3, "3"), (-1, "-1"), (i64::MIN, "-9223372036854775808")] {
        let Err(Trouble::Wrong(found)) = from_archive(&picks, &given(&[0, at])) else { panic!("{at} is taken") };
        let headline = format!("`at[1]` must be an index below n, which is 3, but is {said} in `data.npz: at`");
        assert_eq!(
            (found[0].headline.as_str(), found[0].help[0].as_str()),
            (&*headline, "give whole numbers from 0 to 2")
        );
    }
    let columns = of_order("<i8", "True", "(2, 2)", &[0u64, 1, 0, 9].map(u64::to_le_bytes).concat());
    let nested = "def all {n m k} (a : array n (array m (fin k))) (x : array k real) : int := 0\n";
    let files = Memory::default();
    files.put(Path::new("m.arr"), nested.as_bytes());
    let mut session = Session::new(Settings::quiet(Rc::new(files)), Rc::default()).unwrap();
    let all = session.target("m.arr:all").unwrap();
    let Err(Trouble::Wrong(found)) = from_archive(&all, &zip(&[("a.npy", columns), ("x.npy", reals(&[1.0, 2.0]))]))
    else {
        panic!("9 is taken")
    };
    assert!(found[0].headline.starts_with("`a[1][1]` must be an index below k, which is 2"), "{}", found[0].headline);
}

#[test]
fn pairs_are_two_arrays() {
    let f = folder();
    let one = |k: i64| npy("<i8", "()", &k.to_le_bytes());
    let given = zip(&[
        ("p.0.npy", reals(&[1.5, 2.5])),
        ("p.1.npy", npy("<i8", "(2,)", &[3u64, 1].map(u64::to_le_bytes).concat())),
        ("k.npy", one(-7)),
        ("m.npy", one(4)),
    ]);
    fs::write(f.path().join("data.npz"), &given).unwrap();
    let unzip = ["eval", "m.arr:unzip", "--input", "data.npz"];
    assert_eq!(out(&run(&f, &unzip)), "[[1.5, 2.5], [-7, [3, 1]]]\n");
    let written: Vec<Vec<u8>> = ["a.npz", "b.npz"]
        .map(|file| {
            ends(&run(&f, &[&unzip[..], &["-o", file]].concat()), 0, "");
            fs::read(f.path().join(file)).unwrap()
        })
        .into();
    assert!(written[0] == written[1], "the same result is another file");
    let zipped = ["eval", "m.arr:zip", "--input", "p=a.npz", "--size", "m=4"];
    let back = run(&f, &zipped);
    assert_eq!((out(&back), err(&back)), ("[[1.5, 3], [2.5, 1]]\n".to_owned(), String::new()));
    ends(&run(&f, &[&unzip[..], &["-o", "c.npy"]].concat()), 1, "is 3 arrays\n = help: name it `c.npz`");
    ends(&run(&f, &[&unzip[..], &["-o", "c.txt"]].concat()), 1, "name it `c.npz`");
    ends(&run(&f, &[&unzip[..], &["-o", "none/c.npz"]].concat()), 1, "there is no folder `none`");
    ends(&run(&f, &[&unzip[..], &["-o", "c.npz", "--count"]].concat()), 2, "");

    let files = |name: &str| match name {
        "p.0" => reals(&[1.5, 2.5]),
        "p.1" => npy("<i8", "(2,)", &[0; 16]),
        _ => one(4),
    };
    for (name, said) in [
        ("p.0", "there is no array `p.0`"),
        ("p.1", "`p`, of type array n (real * fin m), is given as `p.0`, `p.1`"),
        ("k", "there is no input for the parameter `k`"),
        ("m", "nothing determines the size `m`"),
    ] {
        let named: Vec<(String, Vec<u8>)> = ["p.0", "p.1", "k", "m"]
            .into_iter()
            .filter(|other| *other != name)
            .map(|name| (format!("{name}.npy"), files(name)))
            .collect();
        let named: Vec<(&str, Vec<u8>)> = named.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
        fs::write(f.path().join("less.npz"), zip(&named)).unwrap();
        ends(&run(&f, &["eval", "m.arr:unzip", "--input", "less.npz"]), 1, said);
    }
    for (extra, said) in [
        ("p", "no parameter takes the array `p` in `p.npy`"),
        ("p.0.0", "no parameter takes the array `p.0.0`"),
        ("q", "the program has no parameter and no size `q`"),
        ("k", "`k` is given twice: in `data.npz: k` and in `k.npy`"),
    ] {
        let file = format!("{extra}.npy");
        fs::write(f.path().join(&file), one(1)).unwrap();
        ends(&run(&f, &[&unzip[..], &["--input", &format!("{extra}={file}")]].concat()), 1, said);
    }
    let json = run(&f, &[&unzip[..], &["--input", r#"{"k": 1}"#]].concat());
    ends(&json, 1, "`k` is given twice: as JSON, and as an array");
}

#[test]
fn shapes_fit_each_other() {
    let f = folder();
    for (name, bytes) in [
        ("v", reals(&[1.0, 2.0, 3.0])),
        ("w", reals(&[1.0])),
        ("a", npy("<f8", "(1, 3)", &[0; 24])),
        ("one", npy("<f8", "()", &[0; 8])),
    ] {
        fs::write(f.path().join(format!("{name}.npy")), bytes).unwrap();
    }
    let dot = |v: &str, w: &str| run(&f, &["eval", "m.arr:dot", "--input", v, "--input", w]);
    ends(&dot("v=v.npy", "w=w.npy"), 1, "`w` has 1 element, which contradicts its size n, where n is 3 by `v`");
    ends(&dot("v=v.npy", "w=w.npy"), 1, "the shapes of the arrays: `v` (3,), `w` (1,)");
    ends(&dot("v=a.npy", "w=w.npy"), 1, "`v` must have the shape (n,), but has (1, 3) in `a.npy`");
    ends(&dot("v=one.npy", "w=w.npy"), 1, "`v` must have the shape (n,), but has () in `one.npy`");
    ends(&dot("v.npy", "w=w.npy"), 1, "say whose it is: `--input v=…`, `--input w=…`");
    ends(&dot("v=none.npy", "w=w.npy"), 1, "there is no such file");
    ends(&dot(r#"{"v": [1]}"#, r#"{"w": [1]}"#), 1, "inputs are given as JSON twice");
    ends(&run(&f, &["eval", "m.arr:same", "--input", "v.npy", "--size", "n=4"]), 1, "n is 4 by `--size n=4`");
}

#[test]
fn headers_are_not_believed() {
    let (rows, same) = (program("rows"), program("same"));
    for (shape, said) in [
        ("(1099511627776, 1099511627776)", "18446744073709551615 numbers"),
        ("(67108865, 1)", "67108865 numbers (536 MB), and at most 67108864 are read"),
        ("(99999999999999999999, 1)", "what is no length"),
        ("(-1, 1)", "what is no length"),
        ("(3, 3", "lacks a `)`"),
        ("(1099511627776, 0)", "`a` has 1099511627776 rows and numbers"),
        ("((((((1,", "what is no length"),
    ] {
        let said_of = wrong(&rows, "a", npy("<f8", shape, b""));
        assert!(said_of.contains(said), "{shape}: {said_of}");
    }
    let none = from_array(&rows, "a", of_order("<f8", "True", "(0, 9223372036854775807)", b"")).unwrap();
    assert!(all_same(&none, &[Value::array(Vec::new())]));
    let long = [b"\x93NUMPY\x02\x00\xff\xff\xff\xff", &[b' '; 100][..]].concat();
    assert!(wrong(&same, "v", long).contains("its header has 4294967295 bytes, and at most 65536"));
    let nested = format!("{{'descr': {}", "(".repeat(60_000));
    let nested = [b"\x93NUMPY\x01\x00", &(nested.len() as u16).to_le_bytes()[..], nested.as_bytes()].concat();
    assert!(wrong(&same, "v", nested).contains("structures"));
    assert!(wrong(&same, "v", b"\x93NUMPY\x04\x00\x00\x00".to_vec()).contains("version 4.0"));
    assert!(wrong(&same, "v", b"[1, 2, 3]".to_vec()).contains("it is no `.npy`"));
    assert!(wrong(&same, "v", npy("<f8", "(2,)", &[0; 8])).contains("2 numbers, which are 16 bytes, but there are 8"));
    let Err(Trouble::Wrong(found)) = from_archive(&same, &zip(&[("v.npy", npy("<f8", "(2,)", &[0; 17]))])) else {
        panic!("more is taken")
    };
    assert!(found[0].headline.contains("but there are more"), "{}", found[0].headline);
    let halves = || npy("|u1", "(40000000,)", &vec![0; 40_000_000]);
    let Err(Trouble::Wrong(found)) = from_archive(&program("dot"), &zip(&[("v.npy", halves()), ("w.npy", halves())]))
    else {
        panic!("too many are taken")
    };
    assert!(
        found[0].headline.contains("`data.npz: w`") && found[0].headline.contains("67108864"),
        "{}",
        found[0].headline
    );
}

#[test]
fn broken_files_are_refused() {
    let (same, dot) = (program("same"), program("dot"));
    let whole = reals(&[1.0, 2.0]);
    for length in 0..whole.len() {
        assert!(from_array(&same, "v", whole[..length].to_vec()).is_err(), "{length} bytes are taken");
    }
    for archive in [numpys(), zip(&[("v.npy", reals(&[1.0])), ("w.npy", reals(&[2.0]))])] {
        let right = from_archive(&dot, &archive).unwrap();
        let mut refused = 0;
        for length in 0..archive.len() {
            assert!(from_archive(&dot, &archive[..length]).is_err(), "{length} bytes are taken");
        }
        for at in 0..archive.len() {
            for flip in [1, 0x80, 0xff] {
                let mut broken = archive.clone();
                broken[at] ^= flip;
                match from_archive(&dot, &broken) {
                    Ok(read) => assert!(all_same(&read, &right), "byte {at} changes what is read"),
                    Err(Trouble::Wrong(_)) => refused += 1,
                    Err(stopped) => panic!("{stopped:?}"),
                }
            }
        }
        assert!(refused > archive.len(), "only {refused} of {} are refused", 3 * archive.len());
    }
    for at in 0..whole.len() {
        for flip in [1, 0x80, 0xff] {
            let mut broken = whole.clone();
            broken[at] ^= flip;
            // Another number is nothing that can be seen.
            assert!(from_array(&same, "v", broken).is_err() || at >= 10, "byte {at}");
        }
    }
    let f = folder();
    fs::write(f.path().join("data.npz"), &numpys()[..300]).unwrap();
    let done = redexter(f.path()).args(["eval", "m.arr:dot", "--input", "data.npz"]).output().unwrap();
    ends(&done, 1, "`data.npz` can't be read: it is no `.npz`, or a broken one");
}

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
    format!("({})", dims.iter().map(|n| format!("{n}, ")).collect::<String>().trim_end_matches(' '))
}

/// On random inputs of all definitions that ship.
#[test]
fn shipped_programs_get_what_json_gives_them() {
    let (mut session, budget) = (session(), Budget::default());
    let (mut tried, mut pairs, mut written) = (0, 0, 0);
    for file in shipped::names(Path::new("models")).collect::<std::collections::BTreeSet<_>>() {
        let path = format!("models/{file}");
        for name in session.definitions_of(Path::new(&path)).unwrap() {
            let program = session.target(&format!("{path}:{name}")).unwrap();
            for (seed, size) in [(1, 1), (2, 2), (3, 3)] {
                let sizes: Sizes = open_sizes(&program.term).into_iter().map(|name| (name, size)).collect();
                let Some(inputs) = random_inputs(&program, &sizes, seed) else { continue };
                if inputs.is_empty() {
                    continue;
                }
                let given_sizes: Vec<(Name, u64)> = sizes.iter().map(|(name, n)| (name.clone(), n)).collect();
                let of = parameters(&program);
                let json: Vec<String> = of
                    .iter()
                    .zip(&inputs)
                    .map(|(p, value)| format!("\"{}\": {}", p.name, value_to_json(value)))
                    .collect();
                let json = format!("{{{}}}", json.join(", "));
                let Ok((from_json, _)) = inputs_from_json(&program, &json, &given_sizes, &budget) else { continue };
                let words = packed(of.iter().map(|p| &p.ty).zip(&inputs), &budget).unwrap();
                let named = of.iter().flat_map(|p| parts(p.name.as_str(), &p.ty, &sizes, &[]));
                let mut given = Given::default();
                for ((name, dims, kind), words) in named.zip(words) {
                    pairs += usize::from(name.contains('.'));
                    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    given
                        .add(
                            &name,
                            "data.npy",
                            npy(kind, &tuple(&dims).replace(",)", if dims.len() == 1 { ",)" } else { ")" }), &bytes),
                        )
                        .unwrap();
                }
                let (read, of_shapes) = given.inputs(&program, "{}", &given_sizes, &budget).unwrap();
                assert!(all_same(&read, &from_json) && of_shapes == sizes, "{path}:{name} at {size}");
                tried += 1;
                let Ok((value, _)) = evaluate(&program, &read, &sizes, &budget) else { continue };
                let ty = program.term.applied().1.ty().clone();
                if let [(_, dims, kind)] = &parts("", &ty, &sizes, &[])[..] {
                    let form = Form::of(Path::new("r.npy"), &ty).unwrap();
                    let (header, words) = taken_apart(&form.bytes(&value, &sizes, &budget).unwrap());
                    assert!(header.starts_with(&format!("{{'descr': '{kind}'")), "{header}");
                    assert_eq!(words.len() as u64, dims.iter().product::<u64>());
                    assert_eq!(vec![words], packed([(&ty, &value)], &budget).unwrap());
                    written += 1;
                }
            }
        }
    }
    assert!(tried > 150 && pairs > 20 && written > 100, "{tried} tried, {pairs} of pairs, {written} written");
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
