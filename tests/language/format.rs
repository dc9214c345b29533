//! `redexter fmt`: what is laid out means the same, has the same comments, and stays as it is when laid out again.

use crate::support::{generate, session::session as session_over};
use std::fs;
use std::path::PathBuf;

use generate::Generator;
use redexter::ground::{Budget, Nesting, Random, Sources};
use redexter::session::SilentSink;
use redexter::session::{self, MemorySystem, Session};
use redexter::syntax::{PrintStyle, parse_model, parse_rule_book, print_term};

fn session() -> Session {
    session_over(MemorySystem::default(), Nesting::default(), SilentSink)
}

fn formatted(session: &mut Session, text: &str, script: bool) -> String {
    session::formatted(session, "<test>", text, script).unwrap_or_else(|why| panic!("{why:?}\n{text}"))
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == extension));
    found.sort();
    assert!(!found.is_empty());
    found
}

/// A raw tree in words, without its places.
fn without_places(tree: &str) -> String {
    let mut parts = tree.split("Span {");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or("", |(_, rest)| rest))
}

fn model(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("<test>", text);
    let raw = parse_model(&sources, id, &Budget::default()).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    without_places(&format!("{raw:?}"))
}

fn book(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("<test>", text);
    let raw = parse_rule_book(&sources, id, &Budget::default()).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    without_places(&format!("{raw:?}"))
}

/// Other blanks, line ends and comments where there are blanks.
fn mangled(text: &str, random: &mut Random, comments: &[&str], count: &mut usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            let gap = match random.below(9) {
                0..=4 => " ".to_owned(),
                5 => "   ".to_owned(),
                6 => "\n".to_owned(),
                7 => "\n\n\n  ".to_owned(),
                _ => {
                    *count += 1;
                    comments[random.below(comments.len())].replace('#', &count.to_string())
                }
            };
            out.push_str(&gap);
        }
        out.push_str(word);
    }
    out
}

#[track_caller]
fn has_comments(text: &str, count: usize) {
    let mut rest = text;
    for k in 1..=count {
        let comment = format!(" c{k} c");
        let at = rest.find(&comment).unwrap_or_else(|| panic!("no{comment} in\n{text}"));
        rest = &rest[at + comment.len()..];
    }
}

#[test]
fn what_ships_is_formatted() {
    let mut session = session();
    let scripts = [files("strategies", "strat"), files("strategies/rules", "strat")].concat();
    let mut wrong = [files("models", "arr"), scripts].concat();
    wrong.retain(|path| {
        let text = fs::read_to_string(path).unwrap();
        formatted(&mut session, &text, path.extension().is_some_and(|e| e == "strat")) != text
    });
    assert!(wrong.is_empty(), "`redexter fmt` changes {wrong:?}");
}

#[test]
fn models_mean_the_same() {
    let mut session = session();
    for path in [files("models", "arr"), files("tests/corpus/right", "arr")].concat() {
        let text = fs::read_to_string(&path).unwrap();
        let once = formatted(&mut session, &text, false);
        assert_eq!(model(&once), model(&text), "{}", path.display());
        assert_eq!(formatted(&mut session, &once, false), once, "{}", path.display());
        let comments = |text: &str| -> Vec<String> {
            let of_line = |line: &str| line.split_once("--").map(|(_, comment)| comment.trim().to_owned());
            text.lines().filter_map(of_line).collect()
        };
        assert_eq!(comments(&once), comments(&text), "{}", path.display());
    }
}

#[test]
fn mangled_models_mean_the_same() {
    let mut session = session();
    let mut random = Random::new(13);
    let comments = [" -- c# c\n", " // c# c\n", " /- c# c -/ "];
    for seed in 0..1000 {
        let program = Generator::new(seed, true).program(4);
        let text =
            format!("def f := {}", print_term(&program.term, &PrintStyle { width: [20, 60, 100][seed as usize % 3] }));
        let mut count = 0;
        let text = mangled(&text, &mut random, &comments, &mut count);
        let once = formatted(&mut session, &text, false);
        assert_eq!(model(&once), model(&text), "{text}\n{once}");
        assert_eq!(formatted(&mut session, &once, false), once);
        has_comments(&once, count);
    }
}

#[test]
fn mangled_rules_mean_the_same() {
    let mut session = session();
    let mut random = Random::new(13);
    let rules: Vec<String> = files("strategies/rules", "strat")
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n")
        })
        .collect();
    for text in rules.iter().cycle().take(40) {
        let mut count = 0;
        let rule = |line: &str| mangled(line, &mut random, &["\n", " "], &mut count);
        let text = text.lines().map(rule).collect::<Vec<_>>().join("\n");
        let once = formatted(&mut session, &text, true);
        assert_eq!(book(&once), book(&text), "{text}\n{once}");
        assert_eq!(formatted(&mut session, &once, true), once);
        for line in once.lines() {
            assert!(line.matches("-->").count() <= 1, "{line}");
        }
    }
}

#[test]
fn a_model_in_its_layout() {
    let mut session = session();
    let text = "\n\n/- head\n     stays -/\ndef   f{n}{k>=1}\n(v:array n real) : array n real:=\n\
        let a:=v[0]+-1 ;   -- one\nlet g := fun x=>\n let y := x*\n2;\ny - -x;\n\n\n\
        if a=0 then v\nelse if a < 1 then\nv else\nbuild n (fun i=>[ g a ,v [i] ][0]\n+ g(a)\n  ) -- last\n\n\n-- end\n";
    let laid = "/- head\n     stays -/\ndef f {n} {k >= 1}\n    (v : array n real) : array n real :=\n  \
        let a := v[0] + -1;   -- one\n  let g := fun x =>\n    let y := x *\n      2;\n    y - -x;\n\n  \
        if a = 0 then v\n  else if a < 1 then\n    v else\n      build n (fun i => [g a, v [i]][0]\n        + g(a)\n      ) -- last\n\n-- end\n";
    assert_eq!(formatted(&mut session, text, false), laid);
    let crlf = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(formatted(&mut session, &crlf(text), false), crlf(laid));
}

#[test]
fn a_script_in_its_layout() {
    let mut session = session();
    let text = "let  x = 1 ;\n  rule   a(k)   =`x*k-->k  * x`,`x+ 0 -->\nx`   where  constant( x ),k<=2 real_exact ;\n\
        rule b = `f(x)+ g (x)\n --> g (x)+f(x)` unchecked;  let  y=2;\n\
        strategy   s( t )  =t<+where (s(t))<+one( s(t) );try( a(2) ) // why\n<+ b;;\nat( \"body\" ,(id\n;fail)) ;\n\
        strategy  c =  if x == 1 { id } else  { fail };\nfn  f( a ){ a }\n";
    let laid = "let  x = 1 ;\n  rule a(k)   = `x * k --> k * x`,\n                `x + 0 -->\n                 x` where constant(x), k <= 2 real_exact;\n\
        rule b = `f(x) + g (x)\n          --> g (x) + f(x)` unchecked;  let  y=2;\n\
        strategy s(t)  = t <+ where(s(t)) <+ one(s(t)) ; try(a(2)) // why\n    <+ b ;;\n    at(\"body\", (id\n            ; fail));\n\
        strategy  c =  if x == 1 { id } else  { fail };\nfn  f( a ){ a }\n";
    assert_eq!(formatted(&mut session, text, true), laid);
    assert_eq!(formatted(&mut session, laid, true), laid);
}

#[test]
fn patterns_in_strategies_and_conditions_are_laid_out_as_laws_are() {
    let mut session = session();
    let text = "strategy s=topDown( `x*1`;mulOne)<+ at(`ifold n   (fun a i=>a) z`,id)<+`x*1-->x`;\n\
        strategy t(k)=where(`x*${k}`) ; at( `body.0`,id );\nstrategy u = td(`no  pattern, this`);\n\
        rule r=`let x:=a; b(x)-->b(a)` where matches(a,`p  +q`),not matches( x,`p*q` );\n\
        strategy v = topDown(`let x:=a;\nb(x)`);\nlet p = `x*1`;\n";
    let laid = "strategy s = topDown(`x * 1` ; mulOne) <+ at(`ifold n (fun a i => a) z`, id) <+ `x * 1 --> x`;\n\
        strategy t(k)=where(`x*${k}`) ; at( `body.0`,id );\nstrategy u = td(`no  pattern, this`);\n\
        rule r = `let x := a; b(x) --> b(a)` where matches(a, `p + q`), not matches(x, `p * q`);\n\
        strategy v = topDown(`let x := a;\n                      b(x)`);\nlet p = `x*1`;\n";
    assert_eq!(formatted(&mut session, text, true), laid);
    assert_eq!(formatted(&mut session, laid, true), laid);
}

#[test]
fn comments_of_a_script_stay_what_they_are() {
    let mut session = session();
    let text = "rule a=`x*1-->x` -- why, (odd\n  ,`1*x-->x` /* a /* nested */ ; */ real_exact ; // `end\n\
        strategy  s=a -- first ; (\n ; addZero/* ; */;\n-- strategy  no=;\nstrategy t=s;\n";
    let laid = "rule a = `x * 1 --> x` -- why, (odd\n         ,\n         `1 * x --> x` /* a /* nested */ ; */ real_exact; // `end\n\
        strategy s = a -- first ; (\n    ; addZero /* ; */;\n-- strategy  no=;\nstrategy t = s;\n";
    assert_eq!(formatted(&mut session, text, true), laid);
    assert_eq!(formatted(&mut session, laid, true), laid);
}

#[test]
fn what_is_no_text_of_the_language_is_refused() {
    let mut session = session();
    for (text, script) in [("def f := (", false), ("rule a = ", true), ("strategy a = (", true)] {
        assert!(session::formatted(&mut session, "<test>", text, script).is_err(), "{text}");
    }
}
