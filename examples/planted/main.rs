//! Planted mistakes: `cargo run --example planted` makes each mistake of `tests/planted`, one at a time, in a copy of the
//! sources, and says which of its tests notice; `… -- WORD` only those of the list that is called so, or else those whose list or
//! title has this word.
//!
//! All are built at once, each behind a switch, so that one build serves them all. The copy and what is built of it stand in
//! `target/planted`.

mod copy;
mod run;

#[path = "../../tests/support/planted.rs"]
mod planted;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use copy::Tree;
use planted::{Mistake, mistakes};
use run::Tests;

fn main() -> ExitCode {
    let word = std::env::args().nth(1).unwrap_or_default();
    match planted(&word) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Plants the mistakes that have this word; how many survive.
fn planted(word: &str) -> Result<usize, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = mistakes(root);
    let tree = Tree::of(root)?;
    tree.plant(&all)?;
    let is_list = all.iter().any(|mistake| mistake.list == word);
    let has_word = |(_, mistake): &(usize, Mistake)| match is_list {
        true => mistake.list == word,
        false => mistake.list.contains(word) || mistake.title.contains(word),
    };
    let wanted: Vec<(usize, Mistake)> = all.into_iter().enumerate().filter(has_word).collect();
    let tests = Tests::built(&tree, wanted.iter().map(|(_, mistake)| mistake))?;
    tests.pass()?;
    let survived = each(&wanted, &tests);
    println!("{} mistakes, {survived} survived", wanted.len());
    Ok(survived)
}

/// Tries mistakes on all processors, and says of each what came of it; how many survived.
fn each(all: &[(usize, Mistake)], tests: &Tests) -> usize {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (next, (sender, found)) = (AtomicUsize::new(0), mpsc::channel());
    thread::scope(|scope| {
        for _ in 0..workers.min(all.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((number, mistake)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((mistake, tests.notice(mistake, *number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut survived = 0;
        for (mistake, noticed) in found {
            survived += usize::from(noticed.is_none());
            let how = noticed.map_or("SURVIVED".to_owned(), |test| format!("caught by {test}"));
            println!("{}: {}: {how}", mistake.list, mistake.title);
        }
        survived
    })
}
