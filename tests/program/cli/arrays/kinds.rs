//! Numbers of each kind, and which parameters take them.

use std::path::Path;
use std::rc::Rc;

use redexter::eval::{Value, inputs_from_json};
use redexter::ground::{Budget, Trouble};
use redexter::session::{self, MemorySystem, Session, Settings};

use super::files::{npy, of_order, reals, zip};
use super::{all_same, from_archive, from_array, program, wrong};

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
    let files = MemorySystem::default();
    files.put(Path::new("m.arr"), nested.as_bytes());
    let mut session = Session::new(Settings::quiet(Rc::new(files)), Rc::default()).unwrap();
    let all = session::target(&mut session, "m.arr:all").unwrap();
    let Err(Trouble::Wrong(found)) = from_archive(&all, &zip(&[("a.npy", columns), ("x.npy", reals(&[1.0, 2.0]))]))
    else {
        panic!("9 is taken")
    };
    assert!(found[0].headline.starts_with("`a[1][1]` must be an index below k, which is 2"), "{}", found[0].headline);
}
