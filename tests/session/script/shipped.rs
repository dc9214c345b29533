//! The scripts that ship.

use redexter::script::Host;

use crate::script::script::{deep, interpreter, tell};

/// Runs a script that ships, on sizes 3 and 4; what it prints and writes.
fn shipped(name: &str) -> (Vec<String>, Vec<(String, String)>) {
    let name = format!("strategies/{name}.strat");
    let (mut interpreter, host) = interpreter();
    let text = host.read(&name).expect("the script");
    let done = interpreter.run_script(&name, &text, &["3".into(), "4".into()]);
    done.unwrap_or_else(|trouble| panic!("{name}: {}", tell(&trouble, &interpreter)));
    assert!(host.warned.borrow().is_empty(), "{name}: {:?}", host.warned.borrow());
    (host.printed.take(), host.written.take())
}

#[test]
fn the_papers_schedule_goes_from_quadratic_to_linear() {
    deep(|| {
        let (printed, written) = shipped("paper");
        let expected = "\
1. first: 5 steps
  getBuild         1
  letSubstN(1)     4
2. fuse: 12 steps
  beta             3
  fstPair          1
  getBuild         1
  letPair          1
  letSubstN(1)     1
  letSubstSafe     4
  sndPair          1
3. split: 2 steps
  ifoldFission     1
  sndPair          1
4. onehot: 6 steps
  addZero          2
  ifFloat          1
  ifoldOneHot      1
  letSubstSafe     2

fun (v : array n real) => build n (fun i => 1)

     n  program       flops   compares      reads     writes iterations
     3  plain            18          9         27         21         30
     3  fast              0          0          0          3          3
     4  plain            32         16         48         36         52
     4  fast              0          0          0          4          4

wrote vector_sum_plain.fut and vector_sum_fast.fut";
        assert_eq!(printed.join("\n"), expected);
        let names: Vec<&str> = written.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(names, ["vector_sum_plain.fut", "vector_sum_fast.fut"]);
        assert!(written.iter().all(|(_, text)| text.contains("entry gradient")));
    });
}

#[test]
fn every_schedule_that_ships_reaches_the_good_form() {
    deep(|| {
        let good = [
            ("vector_sum", vec!["fun (v : array n real) => build n (fun i => 1)"]),
            ("dot", vec!["fun (v w : array n real) => w", "same results: true"]),
            (
                "sum_of_squares",
                vec![
                    "fun (v : array n real) => build n (fun i => v[i] + v[i])",
                    "same results: true",
                    "fun (v : array n real) => build n (fun i => build n (fun j => if j = i then 1 + 1 else 0))",
                    "same results: true",
                ],
            ),
            (
                "matrix_vector",
                vec![
                    "fun (a : array n (array m real)) (x : array m real) => build m (fun i => build n (fun j => a[j][i]))",
                    "same results: true",
                ],
            ),
        ];
        for (name, expected) in good {
            assert_eq!(shipped(name).0, expected, "{name}");
        }
        let (printed, _) = shipped("least_squares");
        assert!(!printed[0].contains("if "), "{}", printed[0]);
        assert_eq!(printed[1], "same results: true");
    });
}
