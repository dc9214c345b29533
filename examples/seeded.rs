//! Hides each looping rule set of the tests among all rules of the book that are laws, looks for ways round from the set's own
//! rules alone, and prints how long that took: `cargo run --release --example seeded`.

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use redexter::ends::{SearchBounds, endings};
use redexter::ground::{Budget, Trouble, with_stack};
use redexter::rule::{Rule, RuleBody};
use redexter::session::{MemorySystem, Session, Settings, run_text};

const SETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rule-sets");

fn main() {
    let done = with_stack(100_000, all).expect("a stack");
    done.unwrap_or_else(|wrong| panic!("{wrong:?}"));
}

fn all() -> Result<(), Trouble> {
    let mut files: Vec<_> =
        std::fs::read_dir(SETS).expect("the sets").map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("loops")));
    files.sort();
    let mut times = Vec::new();
    for path in files {
        let mut session = Session::new(Settings::quiet(Rc::new(MemorySystem::default())), Rc::default())?;
        let book = session.known_rules();
        let laws = book.iter().filter(|info| info.params.is_empty() && matches!(info.body, RuleBody::Laws(_)));
        let names: Vec<&str> = laws.map(|info| info.name.as_str()).filter(|name| !name.contains('.')).collect();
        let text = std::fs::read_to_string(&path).expect("a text");
        run_text(&mut session, Path::new("set.strat"), &text, &[])?;
        let own = redexter::strategy::rules_in(&session.strategy("all")?);
        let rules: Vec<String> = own.iter().map(Rule::to_string).collect();
        let whole = session.strategy(&format!("normalize({} <+ {})", rules.join(" <+ "), names.join(" <+ ")))?;
        let began = Instant::now();
        let found = endings(&whole, &|rule| own.contains(rule), SearchBounds::default(), &Budget::default());
        let took = began.elapsed().as_millis();
        times.push(took);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let chains = found.answers.iter().map(|answer| answer.chains).sum::<usize>();
        println!("{name:24} {:10} {took:6} ms {chains:5} chains, among {} rules", found.ending.text(), names.len());
    }
    times.sort_unstable();
    println!("median {} ms, at most {} ms", times[times.len() / 2], times[times.len() - 1]);
    Ok(())
}
