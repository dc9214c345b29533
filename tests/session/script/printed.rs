//! What is built, and how it prints.

use crate::script::script::{deep, run};
use crate::script::{gives, prints};

#[test]
fn every_combinator_prints_as_it_is_written() {
    deep(|| {
        let same = [
            "id",
            "fail",
            "id <+ fail",
            "id ;; fail",
            "id ;; fail <+ id",
            "one(id)",
            "all(id)",
            "some(id)",
            "repeat(fail)",
            "try(fail)",
            "not(id)",
            "where(id)",
            "repeat1(fail)",
            "repeatN(3, id)",
            "topDown(id)",
            "bottomUp(id)",
            "allTopDown(id)",
            "allBottomUp(id)",
            "tryAll(id)",
            "normalize(fail)",
            "outermost(fail)",
            "innermost(fail)",
            "at(\"body.argument.0\", id)",
            "cheaper(id)",
            "force(id)",
            "function(id)",
            "argument(id)",
            "body(id)",
            "value(id)",
            "letBody(id)",
            "condition(id)",
            "thenBranch(id)",
            "elseBranch(id)",
            "pairFirst(id)",
            "pairSecond(id)",
            "projected(id)",
            "array(id)",
            "index(id)",
            "buildBody(id)",
            "foldBody(id)",
            "foldInit(id)",
            "operand(1, id)",
            "element(0, fail)",
            "mu(|x| (id ; x) <+ id)",
            "mu(|x| one(x))",
            "normalize(id ; (fail <+ id) ; all(id))",
            "topDown((id ; fail) <+ id)",
        ];
        for text in same {
            let back = prints(text);
            let plain = |s: &str| s.replace(['(', ')'], "").replace(";;", ";");
            assert_eq!(plain(&back), plain(text), "{text}");
        }
    });
}

#[test]
fn sequence_binds_tighter_than_choice() {
    deep(|| {
        let cases = [
            ("print((id ; fail <+ id) == ((id ; fail) <+ id));", "true"),
            ("print(id ;; fail <+ id == seq(id, fail) <+ id);", "true"),
            ("print((id ; (fail <+ id)) == seq(id, lchoice(fail, id)));", "true"),
            ("print((id <+ fail ; id <+ fail) == ((id <+ (fail ; id)) <+ fail));", "true"),
            ("print((id ; fail ; id) == seq(seq(id, fail), id));", "true"),
            ("print(id != fail);", "true"),
            ("print(id == 3);", "false"),
            ("let s = id ;; fail; print(s);", "id ;; fail"),
            ("let f = |s| try(s ; id); print(f.call(fail));", "try(fail ; id)"),
            ("let x = 3; print(x <+2);", ""),
        ];
        for (text, expected) in cases {
            if expected.is_empty() {
                assert!(run(text).is_err(), "{text}");
            } else {
                assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
            }
        }
    });
}

#[test]
fn the_rest_of_the_script_language_is_there() {
    deep(|| {
        let cases = [
            ("let all = [id, fail]; print(all[1]); print(all.len());", "fail\n2"),
            ("print(args); print(parse_int(args[0]) + 1);", "[\"7\", \"x\"]\n8"),
            ("fn twice(s) { s ;; s } print(twice(try(fail)));", "try(fail) ;; try(fail)"),
            ("let s = id; for k in 0..3 { s = s ;; fail; } print(s);", "id ;; fail ;; fail ;; fail"),
            (
                "try { term(\"1.0\").apply(fail) } catch (e) { print(e); }",
                "the strategy `fail` failed: `fail` always fails",
            ),
            ("try { throw \"no\" } catch (e) { print(e); }", "no"),
            ("let m = #{ a: id, b: `x${1 + 1}` }; print(m.a); print(m.b);", "id\nx2"),
            ("/// a doc comment\nstrategy f = id; // `;;\n/* ( */ print(f);", "f"),
            ("\u{feff}print(1);\r\nprint(2);\r\n", "1\n2"),
            ("if id == id { print(\"a;b <+ c\"); }", "a;b <+ c"),
            ("switch 2 { 1 => print(1), _ => print(3) }", "3"),
            ("print(#\"raw ; \"text\" \"#);", "raw ; \"text\" "),
            ("let s = \"λ;\"; print(s.len());", "2"),
        ];
        gives(&cases);
    });
}

#[test]
fn definitions_keep_their_names_and_may_use_themselves() {
    deep(|| {
        let cases = [
            ("strategy a = id ;; fail; print(a); print(normalize(a));", "a\nnormalize(a)"),
            ("strategy td(s) = s <+ one(td(s)); print(td(fail));", "td(fail)"),
            ("strategy td(s) = s <+ one(td(s)); print(td(td(id)) == td(td(id)));", "true"),
            ("strategy loop_(s) = loop_(try(s)) <+ s; print(loop_(id));", "loop_(id)"),
            (
                "strategy times(n, s) = repeatN(n, s); print(times(2, id)); print(times(3, id));",
                "times(2, id)\ntimes(3, id)",
            ),
            (
                "strategy times(n, s) = repeatN(n, s); let t = term(\"fun (x : real) => x * 1 * 1 * 1\"); \
                 print(t.apply(body(times(1, mulOne)))); print(t.apply(body(times(2, mulOne))));",
                "fun (x : real) => x * 1 * 1\nfun (x : real) => x * 1",
            ),
            (
                "strategy upto(n, s) = if n == 0 { id } else { s ;; upto(n - 1, s) }; print(upto(2, fail));",
                "upto(2, fail)",
            ),
            ("strategy here(p, s) = at(p, s); print(here(\"body\", id));", "here(\"body\", id)"),
            ("strategy a = id; strategy b = a ;; a; strategy a = fail; print(b); print(a);", "b\na"),
            ("let a = 3; strategy a = id; print(a);", "a"),
            ("strategy a = id; let a = 3; print(a);", "3"),
            ("strategy f() = id; print(f);", "f"),
            ("strategy a = id; fn g() { a ;; fail } print(g());", "a ;; fail"),
            ("fn g(s) { s <+ id } strategy a(s) = g(s); print(a(fail));", "a(fail)"),
            ("let n = 2; strategy a(s) = repeatN(n, s); n = 5; print(a(id)); print(n);", "a(id)\n5"),
            ("strategy a(s) = mu(|x| (s ; x) <+ id); print(a(fail));", "a(fail)"),
            ("strategy td(s) =\n  s\n  <+ one(td(s));\nprint(td(id));", "td(id)"),
            ("strategy not_yet(s) = later(s); strategy later(s) = try(s); print(not_yet(id));", "not_yet(id)"),
            ("strategy a(s) = s <+ b(s); strategy b(s) = one(a(s)); print(a(id));", "a(id)"),
        ];
        gives(&cases);
    });
}

#[test]
fn long_chains_are_read() {
    deep(|| {
        for sign in [" <+ ", " ;; "] {
            let chain = vec!["id"; 300].join(sign);
            assert_eq!(prints(&chain), chain);
            let inside =
                format!("fn f() {{ let s = normalize({chain}); s }} strategy c = normalize({chain}); print(c);");
            assert_eq!(run(&inside).as_deref(), Ok("c"));
        }
    });
}

#[test]
fn introduced_names_tell_what_they_hold() {
    let cse = |value: &str, name: &str| {
        let term = format!("fun (v w : array n real) (k : fin n) => ({value}, {value})");
        let names = format!("fun (v w : array n real) (k : fin n) => let {name} := {value}; ({name}, {name})");
        let script = format!(
            "let t = term(\"{term}\").apply(body(body(body(cse)))); print(t.to_string() == term(\"{names}\").to_string());"
        );
        gives(&[(&script, "true")]);
    };
    cse("exp v[k]", "s");
    cse("ifold n (fun a i => a + v[i]) 1", "sum");
    cse("ifold n (fun a i => v[i] + a) 0", "sum");
    cse("ifold n (fun a i => a + a * v[i]) 0", "s");
    cse("ifold n (fun a i => max a v[i]) 0", "largest");
    cse("ifold n (fun a i => if a < v[i] then v[i] else a) 0", "largest");
    cse("ifold n (fun a i => if a < v[i] then a else v[i]) 0", "s");
    cse("ifold n (fun b i => if v[i] > v[b] then i else b) k", "best");
    cse("ifold n (fun b i => if v[b] >= v[i] then b else i) k", "best");
    cse("ifold n (fun b i => if v[i] < v[b] then i else b) k", "s");
    cse("build n (fun i => exp v[i])", "table");
}
