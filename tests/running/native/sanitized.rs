//! Exported C runs under sanitizers, which end it at the first access outside of an input, a result or the arena.
//!
//! In the arena temporaries lie side by side, where an access behind one falls into the next and isn't seen: so most programs are
//! tried with each temporary in a block of its own.

use std::fs;
use std::process::Command;

use redexter::export::c::CTarget;
use redexter::nest::Freedom;
use redexter_reference::cases;

use crate::has_compiler;
use crate::native::bits::deep;
use crate::native::called::{Called, Temporaries, called};
use crate::native::drawn::Case;
use crate::native::shipped::Workbench;

/// Optimised a little: the code is checked as it is written.
pub const CHECKED: [&str; 3] = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Whether the compiler has sanitizers, and what it makes with them runs.
pub fn has_sanitizers() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, made) = (folder.path().join("none.c"), folder.path().join("none"));
    fs::write(&source, "int main(void) { return 0; }\n").expect("a file");
    let is_made = Command::new("cc").args(CHECKED).arg(&source).arg("-o").arg(&made).output();
    let has = is_made.is_ok_and(|said| said.status.success())
        && Command::new(&made).output().is_ok_and(|said| said.status.success());
    if !has {
        println!("skipped: the compiler has no sanitizers");
    }
    has
}

/// How many runs of how many programs there were, and what was wrong.
type Checked = (usize, usize, Vec<String>);

/// Runs the programs of so many seeds from `first` on, compiled some at a time.
fn checked(first: u64, most: u64, how: (CTarget, Temporaries)) -> Checked {
    deep(move || {
        let (workbench, mut all) = (Workbench::new(), (0, 0, Vec::new()));
        let mut seeds = first..first + most;
        loop {
            let cases: Vec<Case> =
                seeds.by_ref().take(TOGETHER).map(|seed| Case::grown(&workbench, seed, false)).collect();
            if cases.is_empty() {
                return all;
            }
            let folder = tempfile::tempdir().expect("a folder");
            let called = Called::compiled(&cases, how, folder.path(), &CHECKED);
            all = (all.0 + called.runs(), all.1 + called.programs(), [all.2, called.wrong()].concat());
        }
    })
}

/// So many programs are compiled at once.
const TOGETHER: usize = 30;

fn assert_inside(few: u64, first: u64, how: (CTarget, Temporaries)) {
    if !has_compiler() || !has_sanitizers() {
        return;
    }
    let most = cases(few, 300);
    let (runs, programs, wrong) = checked(first, most, how);
    println!("{runs} runs of {programs} programs");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(programs as u64 > most * 9 / 10 && runs as u64 > most * 3, "{runs} runs of {programs} programs");
}

#[test]
fn nothing_is_accessed_out_of_bounds() {
    assert_inside(60, 100_000, (called(Freedom::Exact, 4), Temporaries::Apart));
}

/// What `NAME_arena` says is enough, where it begins anywhere.
#[test]
fn arenas_are_large_enough() {
    assert_inside(20, 200_000, (called(Freedom::Exact, 8), Temporaries::Arena));
}

/// Results aren't compared here, since sums may be added in another order.
#[test]
fn nothing_is_accessed_out_of_bounds_by_reordered_sums() {
    assert_inside(20, 300_000, (called(Freedom::Fast, 4), Temporaries::Apart));
}
