//! `bench`: a table, CSV and a drawing of what was measured; nothing here asks how long something takes.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use super::{ends, err, folder, out, redexter, run};

const FAST: &str = "normalize(beta <+ getBuild <+ letSubst <+ letDead)";

#[test]
fn times_are_shown_and_written() {
    let f = folder();
    let way = ["--way", "reference", "--seconds", "0", "--csv", "t.csv", "--svg", "t.svg"];
    let asked = ["bench", "m.arr:gradient", "--apply", "id", "--apply", FAST, "--sizes", "n=2,4,300"];
    let done = run(&f, &[&asked[..], &way].concat());
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let shown = out(&done);
    assert!(shown.starts_with("m.arr:gradient\nby the evaluator on "), "{shown}");
    assert_eq!(shown.matches("time grows as n^").count(), 2, "{shown}");
    assert!(shown.contains(FAST) && shown.contains("at the right end, from above: "), "{shown}");
    let table = fs::read_to_string(f.path().join("t.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7, "{table}");
    assert_eq!(rows[0].join(","), "program,size,runs,median_ns,least_ns,low_ns,high_ns,outliers,operations,calls");
    // As many operations as the evaluator counts, of which the schedule leaves fewer.
    let count = run(&f, &["eval", "m.arr:gradient", "--input", r#"{"v": [1, 2, 3, 4]}"#, "--count"]);
    let counts: serde_json::Value = serde_json::from_str(&out(&count)).unwrap();
    let all: u64 = ["flops", "compares", "reads", "writes"].iter().filter_map(|key| counts[key].as_u64()).sum();
    assert_eq!((rows[2][1], rows[2][2], rows[2][8]), ("4", "3", all.to_string().as_str()));
    assert!(rows[1..].iter().all(|row| row[9].parse::<u32>().is_ok_and(|calls| calls > 0)), "{table}");
    let drawn = fs::read_to_string(f.path().join("t.svg")).unwrap();
    assert_eq!(drawn.matches("<polyline").count(), 2, "{drawn}");
}

#[test]
fn what_was_measured_elsewhere_is_shown() {
    let f = folder();
    fs::write(f.path().join("e.csv"), "program,size,median_ns\n\"by hand, in C\",2,5000\n\"by hand, in C\",4,20000\n")
        .unwrap();
    let asked = ["bench", "m.arr:total", "--sizes", "n=2,4", "--way", "reference", "--seconds", "0", "--with"];
    let done = run(&f, &[&asked[..], &["e.csv"]].concat());
    assert!(out(&done).contains("by hand, in C") && out(&done).contains("time grows as n^2.00"), "{}", out(&done));
    fs::write(f.path().join("e.csv"), "program,size\n").unwrap();
    ends(&run(&f, &[&asked[..], &["e.csv"]].concat()), 1, "there is no column `median_ns`");
    let nowhere =
        ["bench", "m.arr:total", "--sizes", "n=2", "--way", "reference", "--seconds", "3600", "--csv", "no/t.csv"];
    ends(&run(&f, &nowhere), 1, "error[E0404]");
}

#[test]
fn wrong_benches_are_refused() {
    let f = folder();
    let asked = |further: &[&str]| run(&f, &[&["bench", "m.arr:total", "--way", "reference"], further].concat());
    ends(&asked(&["--sizes", "n"]), 2, "n=1000,2000");
    ends(&asked(&["--sizes", "n=1,x"]), 2, "n=1000,2000");
    ends(&asked(&["--sizes", "q=1"]), 1, "the program has no size `q`\n = help: leave it out; there is n");
    ends(&asked(&["--sizes", "n=1", "--size", "q=1"]), 1, "the program has no size `q`");
    ends(&asked(&["--sizes", "n=1", "--size", "n=2"]), 1, "the size `n` is given twice\n = help: give it once");
    ends(&asked(&["--sizes", "n=1", "--seconds=-1"]), 2, "seconds");
    ends(&asked(&["--sizes", "n=1", "--apply", "beta"]), 1, "beta");
    ends(&asked(&["--sizes", "n=99999999999"]), 3, "67108864");
}

/// A second size that never ends: by the evaluator, and as native code where there is a compiler.
#[cfg(unix)]
#[test]
fn what_was_measured_before_an_interrupt_is_shown_and_written() {
    const ENDLESS: &str = "def f {n} (x : real) : real :=\n  ifold n (fun a i => ifold n (fun b j => ifold n (fun c k => \
                           c * x + b) a) a) 0\n";
    let f = folder();
    fs::write(f.path().join("endless.arr"), ENDLESS).unwrap();
    let has_compiler = Command::new("cc").arg("--version").output().is_ok_and(|said| said.status.success());
    for way in if has_compiler { &["reference", "native"][..] } else { &["reference"] } {
        let mut command = redexter(f.path());
        command.args(["bench", "endless.arr:f", "--sizes", "n=2,1000000", "--seconds", "0", "--way", way]);
        command.args(["--max-steps", "1000000000000000", "--csv", "t.csv", "--svg", "t.svg"]);
        command.env("CC", "cc").env("XDG_CACHE_HOME", f.path().join("cache"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stderr.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let done = child.wait_with_output().unwrap();
        ends(&done, 130, "interrupted: this is what was measured so far");
        assert!(
            out(&done).starts_with("endless.arr:f\nby ") && out(&done).contains(" operations\n        2 "),
            "{}",
            out(&done)
        );
        let table = fs::read_to_string(f.path().join("t.csv")).unwrap();
        let sizes: Vec<_> = table.lines().skip(1).map(|line| line.split(',').nth(1)).collect();
        assert_eq!(sizes, [Some("2")], "{table}");
        assert!(fs::read_to_string(f.path().join("t.svg")).unwrap().starts_with("<svg"));
        ["t.csv", "t.svg"].iter().for_each(|file| fs::remove_file(f.path().join(file)).unwrap());
    }
}

/// A size that would go on for an hour: a limit ends it, and its runs until then are shown and written.
#[test]
fn runs_of_the_size_in_progress_are_kept() {
    let f = folder();
    let limited = ["--seconds", "3600", "--timeout", "2", "--csv", "t.csv"];
    let done = run(&f, &[&["bench", "m.arr:total", "--way", "reference", "--sizes", "n=8"], &limited[..]].concat());
    ends(&done, 3, "--timeout");
    let table = fs::read_to_string(f.path().join("t.csv")).unwrap();
    let row: Vec<&str> = table.lines().nth(1).unwrap_or_default().split(',').collect();
    assert_eq!(row[1], "8", "{table}");
    assert!(row[2].parse::<u32>().is_ok_and(|runs| runs > 1), "{table}");
}

/// A stand-in for Futhark's compiler, whose programs keep what they are given and say that their runs took 3, 4, 5 … µs.
#[cfg(unix)]
const COMPILER: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "Futhark 0.0"; exit; }
[ "$1 $2" = "c -o" ] || exit 1
grep -q wrong "$4" && { echo "wrong is wrong" >&2; exit 1; }
cp "$4" "$KEPT/program.fut"
cat > "$3" <<'PROGRAM'
#!/bin/sh
[ "$1 $2 $4" = "--binary-output --runs --write-runtime-to" ] || exit 1
grep -q "^entry ${7:-main} " "$KEPT/program.fut" && [ "$6" = --entry-point ] || { echo "No entry point '${7:-main}'." >&2; exit 1; }
cat > "$KEPT/data"
seq 3 $(($3 + 2)) > "$5"
PROGRAM
chmod +x "$3"
"#;

#[cfg(unix)]
#[test]
fn a_program_is_timed_by_futhark() {
    use std::os::unix::fs::PermissionsExt;
    const GATHER: &str = "def f {n m k} (p : real * array n (fin m)) (w : array m real) : array n real :=\n  build n (fun i => \
                          ifold k (fun a j => a * fst p) (w[(snd p)[i]]))\n\ndef pairs {n} (v : array n (real * real)) : array n \
                          real :=\n  build n (fun i => fst (v[i]))\n";
    let f = folder();
    fs::write(f.path().join("gather.arr"), GATHER).unwrap();
    let programs = f.path().join("programs");
    fs::create_dir(&programs).unwrap();
    let bench = |definition: &str, sizes: &[&str], path: &str| {
        let target = format!("gather.arr:{definition}");
        let asked = ["bench", &target, "--way", "futhark", "--seconds", "0", "--csv", "t.csv", "--sizes"];
        redexter(f.path()).args(asked).args(sizes).env("PATH", path).env("KEPT", f.path()).output().unwrap()
    };
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let gather = ["n=2", "--size", "m=3", "--size", "k=5"];
    ends(
        &bench("f", &gather, "nowhere"),
        1,
        "there is no `futhark` on the PATH\n = help: `--way blocks` needs no compiler",
    );
    fs::write(programs.join("futhark"), COMPILER).unwrap();
    fs::set_permissions(programs.join("futhark"), fs::Permissions::from_mode(0o755)).unwrap();
    let done = bench("f", &gather, &path);
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    assert!(out(&done).contains("by Futhark on ") && out(&done).contains("; Futhark 0.0\n"), "{}", out(&done));
    let table = fs::read_to_string(f.path().join("t.csv")).unwrap();
    assert!(table.contains("\nid,2,3,4000,3000,"), "{table}");
    let source = fs::read_to_string(f.path().join("program.fut")).unwrap();
    let head = "entry measured [n] [m] (k: i64) (p_1: f64) (p_2: [n]i64) (w: [m]f64)";
    assert!(source.contains(head), "{source}");
    let data = fs::read(f.path().join("data")).unwrap();
    let heads: [&[u8]; 4] = [b"b\x02\x00 i64", b"b\x02\x00 f64", b"b\x02\x01 i64", b"b\x02\x01 f64"];
    let at: Vec<&[u8]> = [(0, 15), (15, 30), (30, 61), (61, 100)].iter().map(|(a, b)| &data[*a..*b]).collect();
    assert!(at.iter().zip(heads).all(|(part, head)| part.starts_with(head)) && data.len() == 100, "{data:?}");
    let word = |part: usize, at: usize| u64::from_le_bytes(data[part + at..][..8].try_into().unwrap());
    assert_eq!([word(0, 7), word(30, 7), word(61, 7)], [5, 2, 3]);
    assert!(word(30, 15) < 3 && word(30, 23) < 3 && f64::from_bits(word(61, 31)).is_finite());
    let done = bench("pairs", &["n=2"], &path);
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let source = fs::read_to_string(f.path().join("program.fut")).unwrap();
    assert!(source.contains("entry measured [n] (v_1: [n]f64) (v_2: [n]f64) : [n]f64"), "{source}");
    let data = fs::read(f.path().join("data")).unwrap();
    assert!(data.len() == 2 * (15 + 16) && data[31..].starts_with(heads[3]), "{data:?}");
    fs::write(programs.join("futhark"), COMPILER.replace("wrong \"$4\"", "entry \"$4\"")).unwrap();
    ends(&bench("f", &gather, &path), 1, "`futhark c` failed: wrong is wrong");
}

#[test]
fn threads_are_for_native_code() {
    let f = folder();
    let number = "give a number from 1 to 256";
    let bench =
        |further: &[&str]| run(&f, &[&["bench", "m.arr:total", "--sizes", "n=2", "--seconds", "0"], further].concat());
    let eval = |further: &[&str]| run(&f, &[&["eval", "m.arr:total", "--input", r#"{"v": [1, 2]}"#], further].concat());
    for wrong in ["0", "257", "99999999999999999999", "two", "1.5", ""] {
        ends(&bench(&["--threads", wrong]), 2, number);
        ends(&eval(&["--native", "--threads", wrong]), 2, number);
        ends(&run(&f, &["gradbench", "--threads", wrong]), 2, number);
    }
    ends(&eval(&["--threads", "2"]), 2, "--native");
    ends(&bench(&["--threads", "2", "--as-written"]), 2, "--as-written");
    for way in ["blocks", "reference", "futhark"] {
        ends(
            &bench(&["--threads", "2", "--way", way]),
            1,
            "runs on one thread\n = help: `--way native` or `--way fast`",
        );
    }
    let done = eval(&["--native", "--threads", "256"]);
    assert_eq!((done.status.code(), out(&done).as_str()), (Some(0), "3.0\n"), "{}", err(&done));
    assert!(err(&done).contains("256 threads on "), "{}", err(&done));
}
