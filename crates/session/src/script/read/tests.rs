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
fn f(x) { let c = '"'; if x == "\"" { `a ${f(`}${x; 1}`)} ;` } else { #"raw " ; "# } }
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

/// Where each of these texts goes wrong, line and column, and what is said to write.
const LEFT_OPEN: &[(&str, (usize, usize), &str)] = &[
    ("strategy a = topDown(beta;\nstrategy b = beta;\nprint(b);", (1, 21), "write `strategy a = topDown(beta);`"),
    ("let x = 1;\nstrategy a = topDown(beta;\nlet y = 3;", (2, 21), "write `strategy a = topDown(beta);`"),
    ("let a = [1, 2;\nprint(a);", (1, 9), "write `let a = [1, 2];`"),
    ("strategy a = topDown(\n  beta <+\n  getBuild;\nprint(a);", (1, 21), "write `)` where it ends"),
    ("let a = (1 + 2];\nprint(a);", (1, 9), "write `)` where it ends"),
    ("strategy s = normalize(beta));\nprint(s);", (1, 29), "write `strategy s = normalize(beta);`"),
    ("rule r = `x * 1 --> x;\nlet y = 3;\nprint(y);", (1, 10), "write `rule r = `x * 1 --> x`;`"),
    ("rule r = `x * 1 --> x;\nrule q = `x + 0 --> x`;", (1, 10), "write `rule r = `x * 1 --> x`;`"),
    (
        "rule r = `x * 1 --> x where constant(x);\nlet y = 3;",
        (1, 10),
        "write `rule r = `x * 1 --> x` where constant(x);`",
    ),
    ("strategy a = topDown(`x * 1 --> x);\nprint(a);", (1, 22), "write `strategy a = topDown(`x * 1 --> x`);`"),
    ("let a = \"abc;\nprint(a);", (1, 9), "write `let a = \"abc\";`"),
    ("print(\"abc);\nprint(\"x\");", (1, 7), "write `print(\"abc\");`"),
    ("fn f(x) { x + 1\nlet y = 3;", (1, 9), "write `}` where it ends"),
    ("fn f(x) { x + 1\nfn g(x) { x }", (1, 9), "write `}` where it ends"),
    ("fn f(x) {\n  if x {\n    1\n}\nfn g(y) { y }\nlet y = 3;", (2, 8), "write `}` where it ends"),
    ("for s in [id] {\n  print(s);\n", (1, 15), "write `}` where it ends"),
    ("print(3);\n}\n", (2, 1), "remove `}`, or write the bracket that it closes"),
    ("let s = `a ${1 + (2} b`;", (1, 18), "write `)` where it ends"),
];

#[test]
fn what_is_left_open_is_told_where_it_begins() {
    let is_strategy = |name: &str| ["beta", "getBuild", "id"].contains(&name);
    for (text, place, help) in LEFT_OPEN {
        let oddities = read(text, TextKind::Script, 0, &is_strategy).oddities;
        let [oddity] = &oddities[..] else { panic!("{text}: {oddities:?}") };
        let before = &text[..oddity.at.start];
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        assert_eq!((before.matches('\n').count() + 1, column), *place, "{text}: {oddity:?}");
        assert_eq!(oddity.help, *help, "{text}");
        // What is said is typed.
        if let Some(line) =
            help.strip_prefix("write `").and_then(|rest| rest.strip_suffix('`')).filter(|line| line.len() > 1)
        {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[place.0 - 1] = line;
            assert_eq!(read(&lines.join("\n"), TextKind::Script, 0, &is_strategy).oddities, [], "{text}");
        }
    }
    // These are whole, though they look alike.
    for text in
        ["print(`\nlet x = 3;\nrule r = 1`);", "let a = \"a\\\nb\";", "rule r = `let x := a;\n  b(x) --> b(a)`;"]
    {
        assert_eq!(read(text, TextKind::Script, 0, &is_strategy).oddities, [], "{text}");
    }
}
