//! Tests that reading is total, and keeps each line and column, whatever a text holds.

use super::tokens::passed;
use super::{Dialect, RightSide, TextKind, functions, kind_of, read, tokens};
use std::path::Path;

use redexter_language::{ground::Random, shipped};

fn texts() -> [&'static str; 2] {
    [shipped::file(Path::new("strategies/gradient.strat")).expect("a schedule"), OWN]
}

const OWN: &str = r##"// é /* */
strategy td(s, /* λ */ n) = s ; (n <+ id) // goes on
    ; td(s, n);
rule inline(k) = `let x := a; b(x) --> b(a)` where occurrences(x) <= k, holds(|e| { e.kind == "}"; true }, a) unchecked;
rule e1 = `x + 0 <--> x` -- ;
    real_exact;
rule turn(k) = computed(|t| t.rebuild([t.child(1), t.child(0)]), "exact") unchecked;
fn f(x) { let c = '"'; if x == "\\"" { `a ${f(`}${x; 1}`)} ;` } else { #"raw " ; "# } }
for s in [td(id, fail), try(id)] { print(s); }
let m = #{ a: 0x1f, b: [1.5e-3, 1..2] }; print(m.a <+ m . b);"##;

/// What is put into texts.
const PARTS: [&str; 36] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "`",
    "\"",
    "'",
    "#\"",
    "${",
    "/*",
    "*/",
    "//",
    "--",
    "-->",
    "\n",
    " ",
    ";",
    ";;",
    "<+",
    "<|",
    "~",
    "=",
    ",",
    ".",
    "|",
    "strategy ",
    "rule ",
    "rule\n",
    "holds(|",
    "where",
    "try(",
    "fn ",
    "é",
    "1",
];

/// A text in which some parts were taken out, put in, or moved.
fn mutated(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(chars.len() + 1);
        let end = (at + random.below(12)).min(chars.len());
        match random.below(4) {
            0 => drop(chars.drain(at..end)),
            1 => chars.truncate(at.max(1)),
            2 => chars = chars.split_off(at.min(chars.len() - 1)),
            _ => {
                drop(chars.splice(at..at, random.pick(&PARTS).chars()));
            }
        }
        if chars.is_empty() {
            chars.push(' ');
        }
    }
    chars.into_iter().collect()
}

#[test]
fn every_text_is_read_and_keeps_its_columns() {
    let mut random = Random::new(13);
    let (mut complete, mut wrong, mut defined) = (0, 0, 0);
    for round in 0..3_000 {
        let text = mutated(&mut random, texts()[round % 2]);
        let all = tokens(&text, Dialect::Script);
        assert_eq!(all.iter().map(|token| &text[token.range()]).collect::<String>(), text);
        assert!(all.iter().all(|token| token.start < token.end), "an empty token in {text}");
        for kind in [TextKind::Script, TextKind::Parenthesised] {
            let reading = read(&text, kind, round, &|name| name == "id");
            let widths = |text: &str| text.split('\n').map(|line| line.chars().count()).collect::<Vec<_>>();
            assert_eq!(widths(&reading.text), widths(&text), "{text}\n---\n{}", reading.text);
            for definition in &reading.definitions {
                assert_eq!(text[definition.at.clone()], definition.name);
                assert!(text[definition.range.clone()].contains(&definition.name), "{text}");
                if let RightSide::Function { body, .. } = &definition.right {
                    assert!(text.get(body.clone()).is_some(), "{text}");
                }
            }
            assert!(reading.oddities.iter().all(|oddity| text.get(oddity.at.clone()).is_some()), "{text}");
            complete += usize::from(reading.complete);
            wrong += usize::from(!reading.oddities.is_empty());
            defined += reading.definitions.len();
        }
        let _ = kind_of(&text);
        assert!(functions(&text).iter().all(|(name, body)| body.starts_with("fn") && body.contains(name)));
    }
    assert!(complete > 500 && wrong > 500 && defined > 10_000, "{complete} {wrong} {defined}");
}

#[test]
fn definitions_are_known_before_anything_runs() {
    let reading = read(texts()[1], TextKind::Script, 7, &|name| ["id", "fail"].contains(&name));
    assert_eq!(reading.oddities, []);
    assert!(reading.complete && reading.computes);
    let told: Vec<String> = reading
        .definitions
        .iter()
        .map(|definition| {
            let right = match &definition.right {
                RightSide::Function { body, unchecked } => format!("{} {unchecked}", &texts()[1][body.clone()]),
                other => format!("{other:?}"),
            };
            format!("{}: {right}", definition.usage())
        })
        .collect();
    assert_eq!(
        told,
        [
            "td(s, n): Strategy { ended: true }",
            "inline(k): Laws",
            "e1: Laws",
            "turn(k): computed(|t| t.rebuild([t.child(1), t.child(0)]), \"exact\")  true",
        ]
    );
    let lines: Vec<&str> = reading.text.lines().map(str::trim_end).collect();
    assert_eq!(lines[1], "_D 7                        s ~ (n <| id)");
    assert_eq!(lines[2], "    ~ td(s, n);");
    assert!(lines[3].starts_with("Rule(8,[  ") && lines[3].ends_with("  |e| { e.kind == \"}\"; true }])            ;"));
    assert_eq!(lines[6], "_D 10          computed(|t| t.rebuild([t.child(1), t.child(0)]), \"exact\")          ;");
}

/// The bar that is missing is found in the next rule, which `;;` doesn't end the one before.
#[test]
fn a_rule_may_begin_in_a_function_that_nothing_ends() {
    let one = "rule one(k) = `a --> a` where holds(|e, n  e.size <= n, b, k), small(a);;\n";
    let two = "rule two = `1 * a --> a` where holds(|e| e.size < 3, a), small(a) real_exact;\n";
    let text = [one, two].concat();
    let reading = read(&text, TextKind::Script, 0, &|_| false);
    let names: Vec<&str> = reading.definitions.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(reading.text.chars().count(), text.chars().count());
}

#[test]
fn functions_end_where_their_braces_do() {
    let text = "let f = 1; fn ff(x) { 1 } fn f (x) { // }\n if x { \"}\" } else { '}' } } /* fn h() {} */ fn g() { 2 }";
    let f = ("f", "fn f (x) { // }\n if x { \"}\" } else { '}' } }");
    assert_eq!(functions(text), [("ff", "fn ff(x) { 1 }"), f, ("g", "fn g() { 2 }")]);
    assert_eq!(functions("fn f() { "), []);
}

/// Whether each ends with its `;` or not, and is right or not.
#[test]
fn definitions_are_read_by_steps_that_grow_with_them() {
    let definitions = [
        "strategy s = id\n",
        "strategy s = id;\n",
        "strategy s = { id\n",
        "strategy s == id\n",
        "strategy s id\n",
        "strategy = id; beta;\n",
        "rule r = `x + 0 --> x`\n",
        "rule `x + 0 --> x`\n",
        "rule r = `x --> x` where holds(|e| e.size < 3\n",
    ];
    for definition in definitions {
        let steps = |count| passed::by(|| drop(read(&definition.repeat(count), TextKind::Script, 0, &|_| true)));
        let (once, twice) = (steps(500), steps(1_000));
        assert!(2 * twice <= 5 * once.max(500), "{definition}: {once} steps, and {twice} for twice the text");
    }
}
