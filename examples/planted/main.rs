//! Planted mistakes: `cargo run --example planted` makes each mistake of `tests/planted`, one at a time, in a copy of the
//! sources, and says which of its tests notice; `… -- WORD` only those whose list or title has this word.
//!
//! Mistakes that are expressions are built at once, each behind a switch, so that one build serves them all; the others
//! are built one by one. The copy and what is built of it stand in `target/planted`.

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
    let all: Vec<Mistake> =
        mistakes(root).into_iter().filter(|m| m.list.contains(word) || m.title.contains(word)).collect();
    let (alone, together): (Vec<Mistake>, Vec<Mistake>) = all.into_iter().partition(|mistake| mistake.alone);
    let tree = Tree::of(root)?;
    tree.plant_all(&together)?;
    let tests = Tests::built(&tree, together.iter().chain(&alone))?;
    tests.pass()?;
    let mut survived = each(&together, |number, mistake| tests.notice(mistake, Some(number)));
    for mistake in &alone {
        tree.plant(mistake)?;
        let tests = Tests::built(&tree, [mistake])?;
        survived += each(std::slice::from_ref(mistake), |_, mistake| tests.notice(mistake, None));
    }
    println!("{} mistakes, {survived} survived", together.len() + alone.len());
    Ok(survived)
}

/// Tries mistakes on all processors, and says of each what came of it; how many survived.
fn each(all: &[Mistake], notice: impl Fn(usize, &Mistake) -> Option<String> + Sync) -> usize {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (next, (sender, found)) = (AtomicUsize::new(0), mpsc::channel());
    thread::scope(|scope| {
        for _ in 0..workers.min(all.len()) {
            let (sender, next, notice) = (sender.clone(), &next, &notice);
            scope.spawn(move || {
                while let Some((number, mistake)) = all.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((mistake, notice(number, mistake))).is_err() {
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
