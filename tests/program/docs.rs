//! The reference keeps its word: its command lines run, its tables list what there is; docs/paper.md leaves out nothing of the
//! paper. Their transcripts, models and schedules are checked by `sessions`.

use crate::support::host;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use host::TestHost;
use redexter::eval::{Sizes, Value, evaluate};
use redexter::ground::code;
use redexter::rule::{Predicate, TermMeasure};
use redexter::script::Builtin;
use redexter::shipped;
use redexter::term::{Fixity, Prim};

fn page() -> String {
    shipped::MANUAL.iter().map(|(path, _)| fs::read_to_string(path).unwrap()).collect()
}

/// The fenced blocks in this language.
fn blocks(language: &str) -> Vec<String> {
    blocks_of(&page(), language)
}

fn blocks_of(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    page.split(&opening).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned()).collect()
}

/// The cells of the rows of the table whose head begins with this cell.
fn table(head: &str) -> Vec<Vec<String>> {
    table_of(&page(), head)
}

fn table_of(page: &str, head: &str) -> Vec<Vec<String>> {
    let mut lines = page.lines().skip_while(|line| !line.starts_with(&format!("| {head} |")));
    lines.nth(1).unwrap_or_else(|| panic!("there is no table `{head}`"));
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|line| {
        let line = line.replace(r"\|", "¦");
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('¦', "|")).collect()
    })
    .collect()
}

/// The words before the brackets of what stands between backticks.
fn words(cell: &str) -> Vec<String> {
    let code = cell.replace("``", "`");
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect::<String>();
    code.split('`').skip(1).step_by(2).map(word).filter(|word| !word.is_empty() && word != "pattern").collect()
}

fn all_words(head: &str) -> BTreeSet<String> {
    table(head).iter().flat_map(|row| words(&row[0])).collect()
}

fn set<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// A folder with copies of the models and schedules.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["models", "strategies"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        for entry in fs::read_dir(name).unwrap().map(Result::unwrap).filter(|e| e.path().is_file()) {
            fs::copy(entry.path(), folder.path().join(name).join(entry.file_name())).unwrap();
        }
    }
    folder
}

/// Runs a line of a shell that knows the program; what it says on standard error if it fails.
fn shell(line: &str, folder: &Path) -> Result<(), String> {
    let program = Path::new(env!("CARGO_BIN_EXE_redexter"));
    let before = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([program.parent().unwrap().to_owned()].into_iter().chain(env::split_paths(&before)));
    let done = Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path.unwrap()).output().unwrap();
    if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

#[test]
fn command_lines_run() {
    let folder = folder();
    let lines: Vec<String> = blocks("sh").iter().flat_map(|block| block.lines()).map(str::to_owned).collect();
    assert!(!lines.is_empty());
    for line in lines {
        if let Err(wrong) = shell(&line, folder.path()) {
            panic!("{line}\n{wrong}");
        }
    }
}

#[test]
fn every_code_is_listed() {
    let rows: Vec<(String, String)> = table("code").iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let all: Vec<(String, String)> =
        code::ALL.iter().map(|(code, meaning)| (code.to_string(), meaning.trim().to_owned())).collect();
    assert_eq!(rows, all);
}

#[test]
fn every_combinator_is_listed() {
    let prelude = fs::read_to_string("strategies/prelude.strat").unwrap();
    let derived = prelude.lines().filter_map(|line| line.strip_prefix("strategy ")?.split('(').next());
    assert_eq!(all_words("strategy"), set(Builtin::all().map(|(name, _)| name).chain(derived)));
}

#[test]
fn every_word_of_conditions_is_listed() {
    assert_eq!(all_words("predicate"), set(Predicate::ALL.iter().map(|(word, ..)| *word)));
    assert_eq!(all_words("quantity"), set(TermMeasure::ALL.iter().map(|(word, ..)| *word)));
}

#[test]
fn the_prelude_is_listed() {
    let prelude = fs::read_to_string("models/prelude.arr").unwrap();
    let prelude = prelude.split_whitespace().collect::<Vec<&str>>().join(" ");
    let listed: BTreeSet<String> = table("definition").iter().map(|row| row[0].replace('`', "")).collect();
    let defined = prelude.split("def ").skip(1).map(|rest| rest.split(" :=").next().unwrap());
    assert_eq!(listed, set(defined));
}

#[test]
fn every_command_is_listed() {
    let listed: BTreeSet<String> = page()
        .lines()
        .filter(|line| line.starts_with("| `:"))
        .flat_map(|line| words(&line.split(" | ").next().unwrap().replace("`:", "`")))
        .collect();
    assert_eq!(listed, set(redexter::command::COMMANDS.iter().map(|entry| entry.name)));
}

/// The words of what stands between backticks behind this text, up to the next `.` or blank line.
fn listed_behind(text: &str) -> BTreeSet<String> {
    let page = page();
    let rest = &page[page.find(text).unwrap_or_else(|| panic!("`{text}` is gone")) + text.len()..];
    rest.split('`').nth(1).unwrap().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_named_primitive_is_listed() {
    let named = |fixity: Fixity| set(Prim::ALL.iter().filter(|p| p.fixity() == fixity).map(|p| p.text()));
    let reserved = named(Fixity::Reserved);
    let mut listed = listed_behind("primitives that are reserved:");
    listed.extend(["real".to_owned(), "int".to_owned()]);
    assert_eq!(listed, reserved);
    assert_eq!(listed_behind("No other word is reserved, not"), named(Fixity::Open));
    let written: String = table("written").iter().map(|row| row[0].replace('`', " ") + " ").collect();
    for name in reserved.iter().chain(&named(Fixity::Open)) {
        assert!(written.split_whitespace().any(|word| word == name), "`{name}` is no term");
    }
}

#[test]
fn derivatives_are_what_the_table_says() {
    let host = TestHost::new();
    let value = |text: &str, x: f64| {
        let program = host.term(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let inputs = [Value::Real(x), Value::Real(1.25)];
        evaluate(&program, &inputs, &Sizes::default(), &host.budget).unwrap().0
    };
    let mut seen = BTreeSet::new();
    for row in table("operator") {
        for (operator, tangent) in row[0].split(';').zip(row[1].split(';')) {
            let operator = operator.trim();
            let Some(code) = operator.split('`').nth(1) else { continue };
            let name = code.split(' ').next().unwrap();
            if !Prim::of_one_real().any(|p| p.text() == name) || name == "abs" {
                continue;
            }
            let said = format!("fun (x x' : real) => let r := {code}; {tangent}");
            let made = format!("fun (x x' : real) => snd (D {name} (x, x'))");
            for x in [0.3, 0.9, 2.5] {
                assert!(value(&said, x).same(&value(&made, x)), "{said}");
            }
            seen.insert(name.to_owned());
        }
    }
    let all = Prim::of_one_real().filter(|p| !matches!(p, Prim::Neg | Prim::Abs)).map(|p| p.text());
    assert_eq!(seen, set(all));
}

/// What README says that a line prints is what it prints.
#[test]
fn comments_behind_command_lines_are_their_answers() {
    let readme = fs::read_to_string("README.md").unwrap();
    let model = readme.split("```arr my.arr\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = folder();
    fs::write(folder.path().join("my.arr"), model).unwrap();
    let lines = readme.lines().filter(|line| line.starts_with("redexter apply ") && !line.contains("STRATEGY"));
    let said: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once("     # ")).collect();
    assert!(!said.is_empty());
    for (line, answer) in said {
        let asked = format!("test \"$({line})\" = '{answer}'");
        assert_eq!(shell(&asked, folder.path()), Ok(()), "{line}");
    }
}

/// The names that the paper defines.
const OF_THE_PAPER: &[&str] = &[
    "mkpair",
    "fst",
    "snd",
    "geti",
    "build",
    "addInt",
    "fromInt",
    "addZeroes",
    "zip",
    "lossDiff",
    "lossGrad",
    "Typ",
    "Term",
    "var",
    "app",
    "lam",
    "diff",
    "Fin",
    "vectorMap",
    "fail",
    "seq",
    "lchoice",
    "repeat",
    "Traversal",
    "function",
    "argument",
    "one",
    "topDown",
    "normalize",
    "Strategy",
    "RewriteResult",
    "freshM",
    "failure",
    "getBuild",
    "letSubst",
    "letSubstN",
    "subst",
    "replaceVar",
    "freshTerm",
    "vectorSum",
    "run",
    "count",
    "oneHot",
];

#[test]
fn the_papers_table_leaves_out_nothing() {
    let page = fs::read_to_string("docs/paper.md").unwrap();
    let rows = table_of(&page, "in the paper");
    let verdicts = set(["", "works", "renamed", "differs"]);
    for row in &rows {
        assert!(row.len() == 3 && verdicts.contains(&row[1]), "{row:?}");
        assert_eq!(row[1].is_empty(), row[0].starts_with("**"), "only headings have no verdict: {row:?}");
        assert!(row[1] == "works" || row[1].is_empty() || !row[2].is_empty(), "no reason: {row:?}");
    }
    let listed: BTreeSet<String> = rows.iter().flat_map(|row| words(&row[0])).collect();
    for name in OF_THE_PAPER {
        assert!(listed.contains(*name), "`{name}` is in the paper");
    }
}

/// The pictures of a page are what its sessions write. `UPDATE_GOLDEN=1` writes them anew.
#[test]
fn pictures_are_what_the_tutorial_draws() {
    let page = fs::read_to_string("docs/tutorial.md").unwrap();
    let folder = folder();
    for name in ["stages.strat", "energy.arr", "mine.strat"] {
        let language = name.split('.').next_back().unwrap();
        let [text] = blocks_of(&page, &format!("{language} {name}")).try_into().unwrap();
        fs::write(folder.path().join(name), text + "\n").unwrap();
    }
    for session in blocks_of(&page, "session").iter().filter(|session| session.contains(".svg\n")) {
        let typed: String =
            session.lines().filter_map(|line| line.strip_prefix("> ")).map(|l| l.to_owned() + "\n").collect();
        fs::write(folder.path().join("typed"), typed).unwrap();
        assert_eq!(shell("redexter < typed", folder.path()), Ok(()));
    }
    let shown: BTreeSet<&str> = page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let shown: Vec<&str> = shown.into_iter().filter(|target| target.ends_with(".svg")).collect();
    assert_eq!(shown.len(), 4);
    for name in shown {
        let kept = Path::new("docs").join(name);
        let drawn = fs::read(folder.path().join(name)).unwrap_or_else(|e| panic!("{name} isn't drawn: {e}"));
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(kept, drawn).unwrap();
        } else {
            assert!(fs::read(kept).unwrap() == drawn, "docs/{name} is another picture");
        }
    }
}
