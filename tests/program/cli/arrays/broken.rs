//! Files that aren't what they say.

use std::fs;

use redexter::eval::Value;
use redexter::ground::Trouble;

use super::files::{npy, numpys, of_order, reals, zip};
use super::{all_same, ends, folder, from_archive, from_array, program, run, wrong};

#[test]
fn headers_are_not_believed() {
    let (rows, same) = (program("rows"), program("same"));
    for (shape, said) in [
        ("(1099511627776, 1099511627776)", "18446744073709551615 numbers"),
        ("(67108865, 1)", "67108865 numbers (536 MB), and at most 67108864 are read"),
        ("(99999999999999999999, 1)", "what is no length"),
        ("(-1, 1)", "what is no length"),
        ("(3 3)", "lacks a `)`"),
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
    let done = run(&f, &["eval", "m.arr:dot", "--input", "data.npz"]);
    ends(&done, 1, "`data.npz` can't be read: it is no `.npz`, or a broken one");
}
