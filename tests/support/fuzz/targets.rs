//! The six targets.

use std::cell::OnceCell;
use std::path::Path;
use std::rc::Rc;

use redexter::check::{self, Loader, Model};

use redexter::eval;
use redexter::format;
use redexter::ground::{Diagnostic, Trouble, code};
use redexter::reply::reply;
use redexter::session::{self, PendingLines, Response, Session, SessionStamp};
use redexter::shipped;
use redexter::syntax::parse_rule_book;
use redexter::term::Program;

use super::generate::Generator;
use super::world::{Library, budget, session, told, with_library};
use super::{End, Finding, Target, program, seeds};

/// What inputs are tried on.
pub const TARGETS: &[Target] = &[
    Target { name: "models", run: models, seeds: seeds::models, words: seeds::OF_TERMS },
    Target { name: "rules", run: rules, seeds: seeds::rules, words: seeds::OF_RULES },
    Target { name: "scripts", run: scripts, seeds: seeds::scripts, words: seeds::OF_SCRIPTS },
    Target { name: "prompt", run: prompt, seeds: seeds::prompt, words: seeds::OF_LINES },
    Target { name: "json", run: json, seeds: seeds::json, words: seeds::OF_JSON },
    Target { name: "terms", run: terms, seeds: seeds::terms, words: "" },
];

/// So many definitions of a model are looked at.
const DEFINITIONS: usize = 6;

/// So many lines of a session are answered.
const LINES: usize = 24;

type Met = Result<End, Finding>;

/// A text; what isn't UTF-8 is refused before anything reads it.
fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

/// A model is read, formatted, and what it defines holds what programs hold.
fn models(input: &[u8]) -> Met {
    let Some(text) = text(input) else { return Ok(End::Refused) };
    with_library(|library| {
        let model = match load(text, library)? {
            Ok(model) => model,
            Err(end) => return Ok(end),
        };
        let formatted = format::model(text);
        if format::model(&formatted) != formatted {
            return Err(Finding::new("a formatted model is formatted otherwise", formatted));
        }
        let again = load(&formatted, library)?
            .map_err(|end| Finding::new(format!("a formatted model is {end:?}"), formatted.clone()))?;
        for (one, other) in model.definitions().iter().zip(again.definitions()).take(DEFINITIONS) {
            let (Ok(one), Ok(other)) = (one.program(&budget()), other.program(&budget())) else { continue };
            if one != other {
                return Err(Finding::new("a formatted model means something else", formatted));
            }
            program::holds(&one, &input[..input.len().min(4)])?;
        }
        Ok(End::Accepted)
    })
}

/// A model from its text; others that it imports are those that ship.
fn load(text: &str, library: &Library) -> Result<Result<Rc<Model>, End>, Finding> {
    let (texts, budget) = (library.texts(), budget());
    let read = |path: &Path| match shipped::file(path) {
        _ if path == Path::new("models/fuzz.arr") => Ok(text.to_owned()),
        Some(shipped) => Ok(shipped.to_owned()),
        None => Err(Diagnostic::error(code::UNREADABLE, "there is no such file")),
    };
    let loaded = Loader::new(&texts, &read, &budget, library.prelude.clone()).load(Path::new("models/fuzz.arr"));
    loaded.map(Ok).or_else(|trouble| told(&trouble, &texts.borrow(), true).map(Err))
}

/// Rules are read and typed in both directions; then a session defines them and takes their first steps.
fn rules(input: &[u8]) -> Met {
    let Some(text) = text(input) else { return Ok(End::Refused) };
    let (texts, id) = with_library(|library| {
        let texts = library.texts();
        let id = texts.borrow_mut().add("fuzz.strat", text);
        (texts.into_inner(), id)
    });
    let book = match parse_rule_book(&texts, id, &budget()) {
        Ok(book) => book,
        Err(trouble) => return told(&trouble, &texts, true),
    };
    for (_, rule) in &book {
        for reverse in [false, true] {
            let typed = with_library(|library| check::laws(rule, reverse, &library.prelude, &texts, &budget()));
            if let Err(trouble) = typed {
                told(&trouble, &texts, true)?;
            }
        }
    }
    let mut session = session(&[("fuzz.arr", EXAMPLES.as_bytes())]);
    let known = session::words(&session).rules;
    if let Err(trouble) = session.during(|session| session::run_text(session, Path::new("fuzz.strat"), text, &[])) {
        return told(&trouble, &session.sources(), false);
    }
    let mut rules = session::words(&session).rules;
    rules.retain(|name| !known.contains(name));
    for name in rules {
        steps(&mut session, &format!("topDown({name}) <+ id"))?;
    }
    Ok(End::Accepted)
}

/// Programs that hold one of each construct.
const EXAMPLES: &str = "def f {n >= 1} (v : array n real) (i : fin n) (x : real) : real * array n real :=
  let y := (x + 0) * 1 + v[i]; let z := if x < y then exp y else max x (-y);
  (ifold n (fun a j => a + v[j] * z) 0 / 2, build n (fun j => fst (v[j], y) + (fun w => w * w) z))
def g {n m} (a : array n (array m real)) : array m (array n real) :=
  build m (fun j => build n (fun i => a[i][j] - real (pow 2 1 > 1)))
";

/// What a strategy makes of the examples has their types, and reads back.
fn steps(session: &mut Session, strategy: &str) -> Result<(), Finding> {
    let strategy = match session.strategy(strategy) {
        Ok(strategy) => strategy,
        Err(trouble) => return told(&trouble, &session.sources(), false).map(drop),
    };
    for target in ["fuzz.arr:f", "fuzz.arr:g"] {
        let before = session::target(session, target).expect("an example");
        match session.during(|session| session::derive(session, &strategy, &before)) {
            Ok(derived) => {
                let after = derived.program;
                if after.term.ty() != before.term.ty() {
                    return Err(Finding::new("a rule changes a type", strategy.to_string()));
                }
                if after != before {
                    program::holds(&after, &[])?;
                }
            }
            Err(trouble) => drop(told(&trouble, &session.sources(), false)?),
        }
    }
    Ok(())
}

/// A script is checked, formatted and run.
fn scripts(input: &[u8]) -> Met {
    let Some(text) = text(input) else { return Ok(End::Refused) };
    let mut session = session(&[("fuzz.arr", EXAMPLES.as_bytes()), ("strategies/fuzz.strat", input)]);
    let path = Path::new("strategies/fuzz.strat");
    if let Err(trouble) = session.during(|session| session::check_script(session, path, text)) {
        told(&trouble, &session.sources(), false)?;
    }
    match session::formatted(&mut session, "strategies/fuzz.strat", text, true) {
        Ok(formatted) => {
            if session::formatted(&mut session, "strategies/fuzz.strat", &formatted, true).ok().as_ref()
                != Some(&formatted)
            {
                return Err(Finding::new("a formatted script is formatted otherwise", formatted));
            }
        }
        Err(trouble) => drop(told(&trouble, &session.sources(), false)?),
    }
    match session.during(|session| session::run_text(session, path, text, &[])) {
        Ok(()) => Ok(End::Accepted),
        Err(trouble) => told(&trouble, &session.sources(), false),
    }
}

/// What an error leaves as it is.
#[derive(PartialEq)]
struct State {
    edits: SessionStamp,
    term: Option<u128>,
    focus: Option<String>,
    names: [Vec<String>; 2],
    models: Vec<(String, Vec<String>)>,
}

impl State {
    fn of(session: &Session) -> State {
        let words = session::words(session);
        State {
            edits: session.edits(),
            term: session.current_term().map(|term| term.fingerprint()),
            focus: session.focus(),
            names: [words.rules, words.names],
            models: words.models,
        }
    }

    /// What is another.
    fn differs(&self, other: &State) -> Option<&'static str> {
        let State { edits, term, focus, names, models } = self;
        [
            (*term == other.term, "term"),
            (*focus == other.focus, "focus"),
            (*names == other.names, "names"),
            (*models == other.models, "models"),
            (*edits == other.edits, "history"),
        ]
        .into_iter()
        .find_map(|(same, what)| (!same).then_some(what))
    }
}

/// Lines of a session are answered one by one. A line that is wrong leaves the session as it was.
fn prompt(input: &[u8]) -> Met {
    let mut session = session(&[("fuzz.arr", EXAMPLES.as_bytes())]);
    let (mut pending, mut met) = (PendingLines::default(), Ok(End::Accepted));
    for line in input.split(|byte| *byte == b'\n').take(LINES) {
        let Some(line) = text(line) else {
            pending.take();
            continue;
        };
        let goes_on = session.read_line(&mut pending, line, |session, line| {
            met = answered(session, line);
            met.as_ref().is_ok_and(|end| *end != End::Stopped)
        });
        if met.is_err() || !goes_on {
            return met;
        }
    }
    session::saved(&session);
    met
}

/// Answers a line as a face does; a line that leaves ends the session.
fn answered(session: &mut Session, line: &str) -> Met {
    let before = State::of(session);
    let answer = session::submit(session, line);
    reply(&answer, 80, &session.sources());
    match &answer {
        Ok(Response::Quit) => Ok(End::Stopped),
        Ok(response) => match response.trouble() {
            Some(trouble) => told(trouble, &session.sources(), false).map(|_| End::Accepted),
            None => Ok(End::Accepted),
        },
        Err(trouble) => {
            told(trouble, &session.sources(), false)?;
            match State::of(session).differs(&before) {
                Some(what) if matches!(trouble, Trouble::Wrong(_)) => {
                    Err(Finding::new(format!("a line that is wrong changes the {what}"), line))
                }
                _ => Ok(End::Refused),
            }
        }
    }
}

/// Programs with inputs of every kind.
const READERS: &str = "def v {n} (v : array n real) : real := ifold n (fun a i => a + v[i]) 0
def p (p : real * int) : real := fst p + real (snd p)
def m {n m >= 1} (a : array n (array m real)) (i : fin m) : array n real := build n (fun k => a[k][i])
def i {n} (i : fin (n + 1)) (s : array 2 (int * real)) : int := n + int i
def z {n} (x : real) : array n real := build n (fun k => x)
";

/// One input in so many is tried in a session, too, which takes longer to begin than inputs to be read.
const IN_SESSION: usize = 8;

/// The first line names one of the programs, the rest is its inputs: as JSON, at the prompt, and in a file.
fn json(input: &[u8]) -> Met {
    let cut = input.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (name, rest) = input.split_at(cut);
    let rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    let name = ["p", "m", "i", "z"].into_iter().find(|known| known.as_bytes() == name).unwrap_or("v");
    // By how it begins, so that a longer input of the same piece is tried in the same way.
    let begins: usize = rest.iter().take(16).map(|byte| usize::from(*byte)).sum();
    if begins.is_multiple_of(IN_SESSION) {
        let mut session = session(&[("fuzz.arr", READERS.as_bytes()), ("data.json", rest)]);
        if session.read_named(Path::new("data.json")).is_ok() != text(rest).is_some() {
            return Err(Finding::new("a file is read that isn't UTF-8, or one isn't that is", ""));
        }
        let inputs = String::from_utf8_lossy(rest).replace('\n', " ");
        for line in [":load fuzz.arr", name, &format!(":eval {inputs}"), &format!(":count {inputs}")] {
            answered(&mut session, line)?;
        }
    }
    match text(rest) {
        Some(text) => evaluated(&reader(name)?, text),
        None => Ok(End::Refused),
    }
}

/// What takes inputs.
fn reader(name: &str) -> Result<Program, Finding> {
    thread_local! {
        static MODEL: OnceCell<Rc<Model>> = const { OnceCell::new() };
    }
    let model = MODEL.with(|known| match known.get() {
        Some(model) => Ok(model.clone()),
        None => with_library(|library| load(READERS, library))
            .map(|loaded| known.get_or_init(|| loaded.expect("a model")).clone()),
    })?;
    Ok(model.program(name, &budget()).expect("a program"))
}

/// What comes out is JSON again.
fn evaluated(program: &Program, inputs: &str) -> Met {
    let budget = budget();
    let read = eval::inputs_from_json(program, inputs, &[], &budget);
    let done = read.and_then(|(inputs, sizes)| eval::evaluate(program, &inputs, &sizes, &budget));
    match done {
        Ok((value, _)) => {
            let value = eval::value_to_json(&value);
            match serde_json::from_str::<serde_json::Value>(&value) {
                Ok(_) => Ok(End::Accepted),
                Err(wrong) => Err(Finding::new("a result is no JSON", format!("{value}: {wrong}"))),
            }
        }
        Err(trouble) => with_library(|library| told(&trouble, &library.sources.borrow(), false)),
    }
}

/// The bytes say which term is generated and how it is rewritten.
fn terms(input: &[u8]) -> Met {
    let byte = |k: usize| input.get(k).copied().unwrap_or(0);
    let seed = u64::from_le_bytes(std::array::from_fn(|k| byte(k + 2)));
    let generated = Generator::new(seed, byte(1).is_multiple_of(2)).program(u32::from(byte(0) % 6));
    program::holds(&generated, input.get(10..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{State, session};

    #[test]
    fn what_a_line_changes_is_seen() {
        let mut session = session(&[("fuzz.arr", super::EXAMPLES.as_bytes())]);
        for (line, what) in [
            (":load fuzz.arr", Some("names")),
            ("f", Some("term")),
            (":at .body", Some("focus")),
            (":set max-steps 100", Some("history")),
            ("strategy s = id;", Some("names")),
            ("no such thing", None),
            (":show", None),
        ] {
            let before = State::of(&session);
            assert_eq!(session::submit(&mut session, line).is_ok(), what.is_some() || line == ":show", "{line}");
            assert_eq!(State::of(&session).differs(&before), what, "{line}");
        }
    }
}
