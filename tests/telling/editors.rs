//! The grammars for editors are made from the table of words, and read each file that ships as the tool does.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use fancy_regex::Regex;
use redexter::render::{Language, Look, code, grammar};
use redexter::syntax::PrintRole;
use serde_json::Value;

fn shipped() -> Vec<(&'static str, &'static str)> {
    let is_code = |path: &str| path.ends_with(".arr") || path.ends_with(".strat");
    redexter::shipped::FILES.iter().copied().filter(|(path, _)| is_code(path)).collect()
}

fn language(path: &str) -> Language {
    if path.ends_with(".arr") { Language::Model } else { Language::Script }
}

#[test]
fn the_files_are_those_that_the_words_make() {
    for (name, language) in [("arr", Language::Model), ("strat", Language::Script)] {
        let path = PathBuf::from(format!("editors/syntaxes/{name}.tmLanguage.json"));
        let made = grammar(language);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &made).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), made, "{path:?}: UPDATE_GOLDEN=1 makes it anew");
    }
}

#[test]
fn the_extension_names_files_that_are_there() {
    let told: Value = serde_json::from_str(&fs::read_to_string("editors/package.json").unwrap()).unwrap();
    let names = |list: &str, key: &str| -> Vec<String> {
        let all = told["contributes"][list].as_array().unwrap();
        all.iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    for path in names("languages", "configuration").iter().chain(&names("grammars", "path")) {
        let text = fs::read_to_string(PathBuf::from("editors").join(path)).unwrap();
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{path}");
    }
    let scopes = names("grammars", "scopeName");
    let made = [Language::Model, Language::Script].map(|language| {
        let made: Value = serde_json::from_str(&grammar(language)).unwrap();
        made["scopeName"].as_str().unwrap().to_owned()
    });
    assert_eq!(scopes, made);
}

#[test]
fn each_shipped_file_reads_as_the_tool_reads_it() {
    for (path, text) in shipped() {
        compare(path, text, language(path));
    }
}

#[test]
fn what_no_shipped_file_has_reads_so_too() {
    compare(
        "arr",
        "/- a /- b\n-/ c -/ def f' (x : real) : real := x.1 - 1.5e-3 -- x\nimport \"a -- b\"",
        Language::Model,
    );
    let script = "let a = \"x\\\" // y\"; let b = 'c'; /* a /* b */\nc */ rule r = `x + 1 --> ${f(\"}\", #{a: 1})} -- law\n + y`;\n\
                  print(#\"raw \" quote\"#); strategy s = r <+ beta ;; r; let n = 0x1f + 1_000; a --> b; ``";
    compare("strat", script, Language::Script);
}

/// What a character is: the same for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Comment,
    Number,
    Quoted,
    Keyword,
    Type,
    Function,
    Other,
}

fn compare(path: &str, text: &str, language: Language) {
    let mut expected = Vec::new();
    for (look, run) in code(text, language, &|_| false).runs() {
        let class = match look {
            Look::Aside => Class::Comment,
            Look::Role(PrintRole::Number) => Class::Number,
            Look::Role(PrintRole::Keyword) => Class::Keyword,
            Look::Role(PrintRole::Type) => Class::Type,
            Look::Role(PrintRole::Primitive) if run.starts_with(['"', '\'', '`', '#']) => Class::Quoted,
            Look::Role(PrintRole::Primitive) => Class::Function,
            _ => Class::Other,
        };
        expected.extend(run.chars().map(|_| class));
    }
    let grammar: Value = serde_json::from_str(&grammar(language)).unwrap();
    let found = Reader::new(&grammar).read(text);
    for (k, c) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
        let line = text.chars().take(k).filter(|c| *c == '\n').count() + 1;
        assert_eq!(found[k], expected[k], "{path}, line {line}, `{c}`");
    }
}

/// As much of how editors read such grammars as these need.
struct Reader<'a> {
    grammar: &'a Value,
    known: RefCell<BTreeMap<String, Rc<Regex>>>,
    /// The regions that are open, the outermost first: the region and what ends it.
    open: Vec<(&'a Value, Option<Rc<Regex>>)>,
}

impl<'a> Reader<'a> {
    fn new(grammar: &'a Value) -> Reader<'a> {
        Reader { grammar, known: RefCell::default(), open: vec![(grammar, None)] }
    }

    fn regex(&self, text: &str) -> Rc<Regex> {
        let mut known = self.known.borrow_mut();
        known.entry(text.to_owned()).or_insert_with(|| Rc::new(Regex::new(text).unwrap())).clone()
    }

    fn read(&mut self, text: &str) -> Vec<Class> {
        let mut classes = Vec::new();
        for line in text.split('\n') {
            self.line(line, &mut classes);
            classes.push(Class::Other);
        }
        classes
    }

    fn line(&mut self, line: &str, classes: &mut Vec<Class>) {
        let mut at = 0;
        loop {
            let (region, end) = self.open.last().unwrap();
            let mut best: Option<(usize, usize, Option<&Value>)> = None;
            if let Some(found) = end.as_ref().and_then(|end| end.find_from_pos(line, at).unwrap()) {
                best = Some((found.start(), found.end(), None));
            }
            for rule in self.patterns(&region["patterns"]) {
                let Some(text) = rule["match"].as_str().or(rule["begin"].as_str()) else { continue };
                let found = self.regex(text).find_from_pos(line, at).unwrap();
                let better = |found: &fancy_regex::Match| best.is_none_or(|(start, ..)| found.start() < start);
                if let Some(found) = found.filter(better) {
                    best = Some((found.start(), found.end(), Some(rule)));
                }
            }
            let Some((start, stop, rule)) = best else { break self.write(&line[at..], None, classes) };
            self.write(&line[at..start], None, classes);
            let found = &line[start..stop];
            match rule {
                None => {
                    self.write(found, None, classes);
                    self.open.pop();
                }
                Some(rule) if rule["begin"].is_string() => {
                    let groups = self.regex(rule["begin"].as_str().unwrap());
                    let group =
                        groups.captures_from_pos(line, start).unwrap().and_then(|all| Some(all.get(1)?.as_str()));
                    let end = rule["end"].as_str().unwrap().replace("\\1", group.unwrap_or(""));
                    self.open.push((rule, Some(self.regex(&end))));
                    self.write(found, None, classes);
                }
                Some(rule) if rule["captures"].is_object() => {
                    let groups = self.regex(rule["match"].as_str().unwrap());
                    let groups = groups.captures_from_pos(line, start).unwrap().unwrap();
                    let first = groups.get(1).unwrap();
                    self.write(first.as_str(), rule["captures"]["1"]["name"].as_str(), classes);
                    self.write(&line[first.end()..stop], rule["captures"]["2"]["name"].as_str(), classes);
                }
                Some(rule) => self.write(found, rule["name"].as_str(), classes),
            }
            at = stop;
            if at == line.len() && start == stop {
                break;
            }
        }
    }

    /// Patterns with those that they include.
    fn patterns(&self, list: &'a Value) -> Vec<&'a Value> {
        let mut all = Vec::new();
        for rule in list.as_array().into_iter().flatten() {
            let included = rule["include"].as_str().and_then(|name| name.strip_prefix('#'));
            match included.map(|name| &self.grammar["repository"][name]).unwrap_or(rule) {
                group if group["match"].is_string() || group["begin"].is_string() => all.push(group),
                group => all.extend(self.patterns(&group["patterns"])),
            }
        }
        all
    }

    /// Characters with the innermost scope that says what they are.
    fn write(&self, text: &str, scope: Option<&str>, classes: &mut Vec<Class>) {
        let of = |scope: &str| {
            Some(match scope.split('.').next()? {
                "comment" => Class::Comment,
                "string" => Class::Quoted,
                "constant" if scope.ends_with("numeric") => Class::Number,
                "constant" => Class::Quoted,
                "keyword" if scope == "keyword" => Class::Keyword,
                "storage" => Class::Type,
                "support" => Class::Function,
                "meta" | "keyword" | "entity" => Class::Other,
                _ => return None,
            })
        };
        let around = self.open.iter().rev().find_map(|(region, _)| of(region["name"].as_str()?));
        let class = scope.and_then(of).or(around).unwrap_or(Class::Other);
        let tick = |c| if c == '`' && class == Class::Other { Class::Quoted } else { class };
        classes.extend(text.chars().map(tick));
    }
}
