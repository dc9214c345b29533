//! Programs that are right: every file of `corpus/right` says in its comments what its definitions are and do.
//!
//! | comment | promise |
//! |---|---|
//! | `-- eval f {"x": 1} = 2.0` | f at these inputs (and sizes) gives this JSON |
//! | `-- near f {"x": 1} = 2.0` | the same up to rounding: to 9 digits |
//! | `-- type f : real -> real` | the type of f as a function of its parameters |
//! | `-- prints f : fun (x : real) => x` | f on one line |
//! | `-- same f g` | f and g are one term up to bound names |
//! | `-- open f` | f has a static parameter, so it has no term of its own |
//!
//! Each file is read three times: as it is, with a byte-order mark and CRLF, and with every definition printed and read
//! back before it is asked what it promises.

use crate::support::host;
use std::path::{Path, PathBuf};

use host::TestHost;
use libtest_mimic::{Failed, Trial};
use redexter::check::Model;
use redexter::eval;
use redexter::ground::Budget;
use redexter::syntax::{PrintStyle, print_term, print_type};
use redexter::term::Program;

/// The largest relative difference that `near` forgives.
const NEAR: f64 = 1e-9;

#[derive(Clone, Copy, PartialEq)]
enum Treatment {
    AsIs,
    Crlf,
    Printed,
}

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in files() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (treatment, label) in
            [(Treatment::AsIs, "as it is"), (Treatment::Crlf, "with CRLF"), (Treatment::Printed, "printed")]
        {
            let path = path.clone();
            trials.push(Trial::test(format!("{name} {label}"), move || file(&path, treatment)));
        }
    }
    trials
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new("tests/corpus/right");
    let entries = folder.read_dir().expect("the corpus").map(|entry| entry.expect("a readable folder").path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "arr")).collect();
    files.sort();
    assert!(files.len() > 15, "the corpus is complete");
    files
}

fn file(path: &Path, treatment: Treatment) -> Result<(), Failed> {
    let host = TestHost::new();
    let change: fn(String) -> String = match treatment {
        Treatment::Crlf => |text| format!("\u{feff}{}", text.replace('\n', "\r\n")),
        Treatment::AsIs | Treatment::Printed => |text| text,
    };
    let model = host.file(path, change)?;
    let asked = Asked { host: &host, model: &model, printed: treatment == Treatment::Printed };
    let text = std::fs::read_to_string(path)?;
    let (mut wrong, mut promises) = (Vec::new(), 0);
    for line in text.lines().filter_map(|line| line.strip_prefix("-- ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let result = match word {
            "eval" => asked.eval(rest, |found, expected| found == expected),
            "near" => asked.eval(rest, near),
            "type" => asked.ty(rest),
            "prints" => asked.prints(rest),
            "same" => asked.same(rest),
            "open" => asked.open(rest),
            _ => continue,
        };
        promises += 1;
        if let Err(why) = result {
            wrong.push(format!("{line}\n    {why}"));
        }
    }
    if promises == 0 && !model.definitions().is_empty() {
        wrong.push("promises nothing".to_owned());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

struct Asked<'a> {
    host: &'a TestHost,
    model: &'a Model,
    printed: bool,
}

impl Asked<'_> {
    fn program(&self, name: &str) -> Result<Program, String> {
        let program = self.model.program(name, &self.host.budget).map_err(host::said)?;
        if !self.printed {
            return Ok(program);
        }
        let text = print_term(&program.term, &PrintStyle { width: 60 });
        let again = self.host.term(&text).map_err(|why| format!("{why}\n{text}"))?;
        if again.term != program.term {
            return Err(format!("reads back as {}\n{text}", print_term(&again.term, &PrintStyle::default())));
        }
        Ok(Program { term: again.term, bounds: program.bounds })
    }

    fn eval(&self, rest: &str, agree: fn(&str, &str) -> bool) -> Result<(), String> {
        let (left, expected) = rest.rsplit_once(" = ").ok_or("no ` = `")?;
        let (name, inputs) = left.split_once(' ').unwrap_or((left, "{}"));
        let program = self.program(name)?;
        let (values, sizes) = eval::inputs_from_json(&program, inputs, &[], &Budget::default()).map_err(host::said)?;
        let (value, _) = eval::evaluate(&program, &values, &sizes, &self.host.budget).map_err(host::said)?;
        let found = eval::value_to_json(&value);
        if agree(&found, expected) { Ok(()) } else { Err(format!("gives {found}")) }
    }

    fn ty(&self, rest: &str) -> Result<(), String> {
        let (name, expected) = rest.split_once(" : ").ok_or("no ` : `")?;
        let definition = self.model.definition(name).ok_or("no such definition")?;
        compare(&print_type(definition.ty()), expected)
    }

    fn prints(&self, rest: &str) -> Result<(), String> {
        let (name, expected) = rest.split_once(" : ").ok_or("no ` : `")?;
        compare(&print_term(&self.program(name)?.term, &PrintStyle { width: usize::MAX }), expected)
    }

    fn same(&self, rest: &str) -> Result<(), String> {
        let (a, b) = rest.split_once(' ').ok_or("two names")?;
        let print = |p: &Program| print_term(&p.term, &PrintStyle::default());
        let (a, b) = (self.program(a)?, self.program(b)?);
        if a.term == b.term { Ok(()) } else { Err(format!("{}\n{}", print(&a), print(&b))) }
    }

    fn open(&self, name: &str) -> Result<(), String> {
        let definition = self.model.definition(name).ok_or("no such definition")?;
        if definition.is_static() { Ok(()) } else { Err("has no static parameter".to_owned()) }
    }
}

fn compare(found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("is {found}")) }
}

/// Whether two lines of JSON agree, numbers up to rounding.
fn near(found: &str, expected: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.replace(['[', ']', ','], " ").split_whitespace().map(str::to_owned).collect()
    };
    let shape = |text: &str| text.chars().filter(|c| "[],".contains(*c)).collect::<String>();
    let close = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= NEAR * a.abs().max(b.abs()).max(1.0),
        _ => a == b,
    };
    let (found_parts, expected_parts) = (parts(found), parts(expected));
    shape(found) == shape(expected)
        && found_parts.len() == expected_parts.len()
        && found_parts.iter().zip(&expected_parts).all(close)
}
