//! What `docs/abilities.md` lists is typed in all its places, and what commands and subcommands there are is listed.

use std::fs;

use redexter::command::COMMANDS;

use crate::support::program;

/// Commands that the table leaves out: they steer the session, or another one in the table says the same.
const LEFT_OUT: &[&str] = &[
    "break", "continue", "finish", "left", "mark", "next", "quit", "reload", "right", "stop", "take", "unbreak",
    "until", "up",
];

/// Subcommands that only the command line has, and those of another program.
const ALONE: &[&str] = &["bench", "completions", "fmt", "gradbench", "man", "repl"];

/// What is typed before a line of the prompt, and before one of a script.
const BEFORE: &str = ":load models/vector_sum.arr\ngradient\nnormalize(beta)\n";
const SCRIPT: &str =
    "let t = load(\"models/vector_sum.arr\").gradient;\nlet s = normalize(beta);\nlet w = t.walk();\nw.run(s);\n";

/// The lines of the table: what is done, and what is typed in each place.
fn rows() -> Vec<(String, [Vec<String>; 3])> {
    let page = fs::read_to_string("docs/abilities.md").unwrap();
    assert!(page.contains(&format!("```strat\n{SCRIPT}```")), "the page says what a script begins with");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| to "));
    rows.map(|row| {
        let row = row.replace("\\|", "¦");
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 4, "{row}");
        (cells[0].trim().to_owned(), [typed(cells[1]), typed(cells[2]), typed(cells[3])])
    })
    .collect()
}

#[test]
fn each_ability_is_there_in_its_places() {
    let mut wrong = Vec::new();
    for (what, [prompt, script, line]) in rows() {
        for typed in &prompt {
            let folder = tempfile::tempdir().unwrap();
            let (code, told) = program::run(&[], &format!("{BEFORE}print(\"␞\")\n{typed}\n"), folder.path());
            let told = told.split_once("␞").map_or("", |(_, told)| told).to_owned();
            if code != Some(0) || told.contains("error") || told.trim().is_empty() {
                wrong.push(format!("{what}: {typed}\n{told}"));
            }
        }
        for typed in &script {
            let folder = tempfile::tempdir().unwrap();
            let statement = if typed.ends_with(';') { typed.clone() } else { format!("{typed};") };
            let text = match statement.starts_with("import") {
                true => format!("{statement}\n{SCRIPT}"),
                false => format!("{SCRIPT}{statement}\n"),
            };
            fs::write(folder.path().join("own.strat"), text).unwrap();
            let (code, told) = program::run(&["run", "own.strat"], "", folder.path());
            if code != Some(0) {
                wrong.push(format!("{what}: {typed}\n{told}"));
            }
        }
        for typed in &line {
            let folder = tempfile::tempdir().unwrap();
            let words = words(typed);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (code, told) = program::run(&words[1..], "", folder.path());
            if code != Some(0) {
                wrong.push(format!("{what}: {typed}\n{told}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} don't do what they say:\n{}", wrong.len(), wrong.join("\n"));
}

/// What stands between backticks in a cell, or between two of them where it has such itself.
fn typed(cell: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = cell;
    while let Some(begins) = rest.find('`') {
        let sign = if rest[begins..].starts_with("``") { "``" } else { "`" };
        let (inside, behind) = rest[begins + sign.len()..].split_once(sign).unwrap();
        all.push(inside.trim().replace('¦', "|"));
        rest = behind;
    }
    all
}

/// The words of a shell's line.
fn words(line: &str) -> Vec<String> {
    let quoted = line.split('\'').enumerate();
    let words = quoted.flat_map(|(k, part)| match k % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<String>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn each_command_is_in_the_table() {
    let rows = rows();
    let typed = |place: usize| rows.iter().flat_map(move |(_, places)| &places[place]).collect::<Vec<&String>>();
    let (prompt, line) = (typed(0), typed(2));
    for command in COMMANDS.iter() {
        let named = prompt.iter().any(|typed| typed.split(' ').next() == Some(&format!(":{}", command.name)));
        assert_ne!(named, LEFT_OUT.contains(&command.name), "`:{}` is in the table or left out", command.name);
    }
    let (_, told) = program::run(&["--help"], "", std::path::Path::new("."));
    let listed = told.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let begins = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let listed = listed.take_while(|line| line.starts_with("  ")).filter(begins);
    let subcommands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(subcommands.len() > 10, "{told}");
    for subcommand in subcommands {
        let named = line.iter().any(|typed| typed.split(' ').nth(1) == Some(subcommand));
        assert_ne!(named, ALONE.contains(&subcommand), "`redexter {subcommand}` is in the table or alone");
    }
}
