//! Lessons: what ships is as it says, what is said of random schedules is true, and a broken file is told where.

mod answers;
mod attempts;
mod broken;
mod random;

use crate::support::session;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use redexter::ground::{Budget, Nesting, with_stack};
use redexter::lesson::{DiagnosisKind, Lesson, LessonPage, diagnose};
use redexter::redex::families;
use redexter::session::SilentSink;
use redexter::session::{MemorySystem, Session, check_lesson, lesson_of, submit};
use session::session;

fn deep<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    with_stack(20_000, work).expect("a thread")
}

fn empty() -> Session {
    session(MemorySystem::default(), Nesting::default(), SilentSink)
}

/// The files of the lessons that ship, in their order, and the page for teachers.
fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir("lessons").unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files
}

/// A lesson, and the session that knows its rules and models.
fn opened(path: &Path) -> (Session, LessonPage, Lesson) {
    let mut session = empty();
    let (page, lesson) = lesson_of(&mut session, path, &fs::read_to_string(path).unwrap()).unwrap();
    (session, page, lesson)
}

#[test]
fn lessons_that_ship_are_as_they_say() {
    deep(|| {
        let (mut kinds, files) = (BTreeSet::new(), files());
        assert_eq!(files.iter().filter(|path| path.file_name().is_some_and(|n| n != "README.md")).count(), 16);
        for path in &files {
            let text = fs::read_to_string(path).unwrap();
            check_lesson(&mut empty(), path, &text).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", path.display()));
            let (_, page, _) = opened(path);
            assert!(page.mistakes.len() >= 4, "{} has few wrong answers", path.display());
            assert!(
                page.hints.len() >= 2 && page.mistakes.iter().all(|wrong| !wrong.text.with_comments().1.is_empty())
            );
            kinds.extend(page.mistakes.iter().map(|wrong| wrong.kind));
        }
        let all: BTreeSet<DiagnosisKind> =
            DiagnosisKind::ALL.into_iter().filter(|kind| *kind != DiagnosisKind::Reached).collect();
        assert_eq!(kinds, all, "each kind of diagnosis occurs");
    });
}

/// A rule is known by what it is: another one with its name may not be used.
#[test]
fn a_rule_of_ones_own_is_none_of_the_lessons() {
    deep(|| {
        let path = files().into_iter().find(|path| path.ends_with("09-gradient-of-a-sum.md")).unwrap();
        let (mut session, _, lesson) = opened(&path);
        submit(&mut session, "rule addZero = `build n (fun i => f(i)) --> build n (fun i => 1)` unchecked;").unwrap();
        let cheat = session.strategy("topDown(addZero)").unwrap();
        let all = families(&session.known_rules());
        let said = diagnose(&lesson, &cheat, &all, &Budget::default()).unwrap();
        assert_eq!(said.kind(), DiagnosisKind::Forbidden);
    });
}

/// What a lesson defines writes nothing when it is opened.
#[test]
fn a_lesson_writes_nothing() {
    deep(|| {
        let memory = Rc::new(MemorySystem::default());
        let page = "# T\n\n```strat\nterm(\"fun (x : real) => x\").write_futhark(\"f.fut\");\n```\n\n```lesson\n\
                    term: `fun (x : real) => x * 1`\nform: `fun (x : real) => x`\nrules: mulOne\n```\n\n\
                    ```solution\ntopDown(mulOne)\n```\n";
        memory.put(Path::new("own.md"), page.as_bytes());
        let mut session = session(memory.clone(), Nesting::default(), SilentSink);
        submit(&mut session, ":lesson own.md").unwrap();
        assert!(memory.get(Path::new("f.fut")).is_none());
        submit(&mut session, "term(\"fun (x : real) => x\").write_futhark(\"f.fut\")").unwrap();
        assert!(memory.get(Path::new("f.fut")).is_some());
    });
}

/// What ships is what stands in the folder.
#[test]
fn every_lesson_ships() {
    for path in files() {
        assert_eq!(redexter::shipped::file(&path), Some(&fs::read_to_string(&path).unwrap()[..]), "{}", path.display());
    }
}
