//! Amounts of work and memory as values: they are compared as numbers are at large sizes, never by their letters.

use crate::script::gives;
use crate::script::script::{deep, interpreter, run};

/// A sum of products with ones: by hand 3 operations a round.
const SUM: &str = "let t = term(\"fun (v : array n real) => ifold n (fun acc i => acc + v[i] * 1) 0\");";

/// A fold in a fold, over two sizes.
const TABLE: &str = "let u = term(\"fun (v : array n real) (w : array k real) => \
    ifold n (fun a i => a + ifold k (fun b j => b + v[i] * w[j]) 0) 0\");";

fn refused(cases: &[(&str, &str)]) {
    for (text, why) in cases {
        let told = run(text).expect_err(text);
        assert!(told.starts_with("E0701 2:") && told.contains(why), "{text}\n{told}");
    }
}

#[test]
fn amounts_compare_as_numbers_do() {
    // Pairs of formulas of one size, the less of which is known by arithmetic at all sizes from 10 to 1,000 or by its order; by
    // their letters many are the other way around.
    let mut cases = Vec::new();
    for (more, less) in
        [("12*n", false), ("2*n", true), ("10*n", false), ("3", true), ("n", true), ("n^2", false), ("100", true)]
    {
        cases.push((
            format!("{SUM} print(t.work > \"{more}\"); print(t.work < \"{more}\");"),
            format!("{less}\n{}", !less),
        ));
        cases.push((
            format!("{SUM} print(\"{more}\" < t.work); print(\"{more}\" >= t.work);"),
            format!("{less}\n{}", !less),
        ));
    }
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, said)| (text.as_str(), said.as_str())).collect();
    gives(&cases);
    gives(&[
        (
            &format!("{SUM} print(t.work <= \"n*3\" && t.work >= t.work && t.work == \"n + 2*n\" && t.work != \"3\");"),
            "true",
        ),
        (&format!("{SUM} print(t.work != () && !(t.work == ()) && t.work != \"\" && t.work != t);"), "true"),
        (&format!("{SUM} print(t.work > 100 && 5 < t.work && term(\"1.5 + 2\").work == 1);"), "true"),
        (
            &format!("{SUM} print(`${{t.work}}`); print(\"work \" + t.work); print(type_of(t.work));"),
            "3*n\nwork 3*n\namount",
        ),
        (
            &format!(
                "{SUM} let all = [t.work, term(\"1.5 + 2\").work]; all.sort(|a, b| if a < b {{ -1 }} else {{ 1 }}); print(all);"
            ),
            "[1, 3*n]",
        ),
    ]);
}

#[test]
fn an_amount_at_sizes_is_a_number() {
    gives(&[
        (&format!("{SUM} print(t.work.at(#{{n: 1000}}) + 1);"), "3001"),
        (&format!("{SUM} print(t.memory.at(#{{}}));"), "0"),
        (&format!("{TABLE} print(u.work.at(#{{n: 0, k: 7}}));"), "0"),
        (
            &format!(
                "{TABLE} let w = u.work; print(w.at(#{{n: 20, k: 0}}) == 20 && w.at(#{{n: 2, k: 3}}) > w.at(#{{n: 2, k: 2}}));"
            ),
            "true",
        ),
    ]);
    refused(&[
        (&format!("{SUM}\nt.work.at(#{{}})"), "`3*n` needs the size n"),
        (&format!("{SUM}\nt.work.at(#{{n: 1, m: 2}})"), "`3*n` has no size `m`"),
        (&format!("{SUM}\nt.work.at(#{{n: -1}})"), "a size is a whole number from 0"),
        (&format!("{SUM}\nt.work.at(#{{n: 9000000000000000000}})"), "more there than a number of a script can be"),
    ]);
}

#[test]
fn what_cannot_be_decided_is_an_error() {
    refused(&[
        (&format!("{SUM}\nprint(t.work < \"3*k\")"), "can't be decided"),
        (&format!("{SUM}\nprint(\"3*k\" >= t.work)"), "can't be decided"),
        (&format!("{SUM}\nprint(t.work < \"3 - n\")"), "an amount is compared with what is none"),
        (&format!("{SUM}\nprint(t.work < t)"), "an amount is compared with what is none"),
        (&format!("{SUM}\nprint(t.work > -1)"), "an amount is compared with what is none"),
    ]);
}

/// The order is that of `cheaper`: where it takes a step from one term to another, the other's work isn't above the first one's.
#[test]
fn the_cheaper_term_has_less_work() {
    deep(|| {
        for (model, name, stage) in [
            ("vector_sum", "gradient", "normalize(getBuild <+ beta)"),
            ("dot", "gradient", "normalize(letSubst)"),
            ("sum_of_squares", "gradient", "fastGradient"),
        ] {
            let text = format!(
                "let t = load(\"models/{model}.arr\").{name}; let s = {stage}; let u = t.apply(s); \
                 let kept = t.apply(try(cheaper(s))); print(u == t || (kept == u) == !(u.work > t.work));"
            );
            assert_eq!(run(&text).as_deref(), Ok("true"), "{text}");
        }
    });
}

/// What `check` warns of is not run: both sides are surely texts.
#[test]
fn texts_that_are_compared_by_letters_are_told() {
    for (text, is_told) in [
        ("print(\"12\" < \"2\");", true),
        ("let a = 12; print(`${a} steps` >= \"2 steps\");", true),
        ("let a = \"x\"; if a > \"b\" { print(1); }", true),
        ("let t = term(\"1.5 + 2\"); print(t.work < \"2\");", false),
        ("let t = term(\"1.5 + 2\"); print(`${t.work}` < `${t.work}`);", true),
        ("print(args[0] < \"b\"); print(\"a\" == \"b\"); print(1 < 2);", false),
    ] {
        let (mut interpreter, host) = interpreter();
        interpreter.check_script("test.strat", text).expect(text);
        let warned = host.warned.borrow();
        assert_eq!(
            warned.iter().any(|finding| finding.headline.ends_with("compares texts by their letters")),
            is_told,
            "{text}"
        );
    }
}
