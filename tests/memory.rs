//! What a session remembers of its runs doesn't grow with them, counted by what is allocated and not given back; and work
//! doesn't grow by the square of the input, counted by all that is allocated.

#[path = "support/session.rs"]
mod session;
#[allow(dead_code, reason = "other tests need more of it")]
#[path = "support/walks.rs"]
mod walks;

use std::alloc::System;
use std::path::Path;

use redexter::ground::{Nesting, cache, with_stack};
use redexter::session::{MemorySystem, SilentSink, check_script, submit};
use redexter::walk::WalkRun;
use redexter_allocator::CountingAllocator;
use walks::{opened, taken};

#[global_allocator]
static ALLOCATOR: CountingAllocator<System> = CountingAllocator(System);

/// What a line may leave: its text where diagnostics find it, a change of the term, the name of a branch.
const LINE: isize = 500;

/// Tables that double when they are full may do so in between, and what the last run made instead of taking it from a cache
/// may differ: so many bytes, and such a part of what the first round left.
const TABLES: isize = 50_000;
const PART: isize = 40;

/// Bytes that this thread holds, but in its caches, which have a size of their own.
fn held() -> isize {
    cache::empty();
    redexter_allocator::bytes()
}

/// How many bytes more a session holds after so many rounds of these lines than after some; and what the first left.
fn growth(model: &'static str, lines: &'static [&'static str], rounds: usize) -> (isize, isize) {
    let grown = move || {
        let mut session = opened(model, "gradient");
        let mut after = |count: usize| {
            for line in lines.iter().cycle().take(count * lines.len()) {
                assert!(submit(&mut session, line).is_ok(), "{line}");
            }
            held()
        };
        let (before, first) = (after(0), after(1));
        let some = after(rounds.min(20));
        (after(rounds) - some, first - before)
    };
    with_stack(100_000, grown).expect("a thread")
}

#[track_caller]
fn flat(model: &'static str, lines: &'static [&'static str], rounds: usize) {
    let (more, first) = growth(model, lines, rounds);
    println!("{model} {lines:?}: {first} at first, then {more} in {rounds} rounds");
    let allowed = LINE * (rounds * lines.len()) as isize + TABLES + first / PART;
    assert!(more < allowed, "{model}, {lines:?}: {more} bytes in {rounds} rounds");
}

#[test]
fn runs_that_are_taken_back() {
    flat("dot", &["fastGradient", ":undo"], 100);
    flat("dot", &["fastGradient", ":goto 0"], 100);
    flat("sum_of_squares", &["fastGradient", ":trace", ":log", ":undo", ":redo", ":undo"], 100);
}

#[test]
fn runs_from_a_term_that_is_named_again() {
    flat("dot", &["gradient", "fastGradient"], 100);
    flat("dot", &["gradient", "topDown(beta)", "normalize(getBuild)", ":cost", ":trace"], 100);
}

#[test]
fn runs_that_fail_or_come_to_a_limit() {
    flat("dot", &["topDown(getBuild) ; fail"], 100);
    flat("dot", &[":set max-steps 40", "fastGradient", ":undo", ":set max-steps 1000"], 100);
}

/// Hardly anything of a session stays when it ends.
#[test]
fn sessions_that_end() {
    let work = || {
        let whole = || {
            let before = held();
            let mut session = opened("dot", "gradient");
            submit(&mut session, "fastGradient").unwrap();
            submit(&mut session, ":trace").unwrap();
            let most = held() - before;
            drop(session);
            (most, held() - before)
        };
        whole();
        let (most, left) = whole();
        println!("a session leaves {left} bytes of {most}");
        assert!(left * 100 < most, "a session leaves {left} bytes of {most}");
    };
    with_stack(100_000, work).expect("a thread");
}

/// 100 times where time is no matter.
#[test]
fn a_long_session_with_a_large_model() {
    let rounds = redexter_reference::cases(5, 100) as usize;
    flat("mixture", &["fastGradient", ":undo"], rounds);
}

/// More runs are pending than keep what it takes to go on; each goes on as if it were the only one.
#[test]
fn runs_that_gave_back_go_on() {
    let work = || {
        let mut session = opened("dot", "gradient");
        let whole = taken(&mut opened("dot", "gradient"), "fastGradient").trace;
        let told = |run: &WalkRun| -> Vec<String> { run.trace.steps.iter().map(|step| format!("{step:?}")).collect() };
        let steps: Vec<String> = whole.steps.iter().map(|step| format!("{step:?}")).collect();
        for k in 1..=20 {
            submit(&mut session, ":goto 0").unwrap();
            taken(&mut session, "normalize(fail) ; fastGradient ; id");
            submit(&mut session, ":goto 0").unwrap();
            assert_eq!(told(&taken(&mut session, ":step fastGradient")), steps[..1]);
            if k > 1 {
                assert_eq!(told(&taken(&mut session, &format!(":step {}", k - 1))), steps[1..k]);
            }
            submit(&mut session, &format!(":tag at{k}")).unwrap();
        }
        for k in (1..=20).chain([3, 17]) {
            submit(&mut session, &format!(":goto @at{k}")).unwrap();
            assert_eq!(told(&taken(&mut session, ":continue")), steps[k..], "{k}");
        }
    };
    with_stack(100_000, work).expect("a thread");
}

/// Twice the input may ask for so many times as much, in percent: the time that it takes may grow so, too.
const MOST: usize = 250;

/// What work asks for with some input and with twice as much.
#[track_caller]
fn grows_with_the_input(what: &str, work: impl Fn(usize) + Send + 'static) {
    let grown = move || {
        let asked = |times: usize| {
            let before = redexter_allocator::asked();
            work(times);
            redexter_allocator::asked() - before
        };
        let nothing = asked(0);
        (asked(1) - nothing, asked(2) - nothing)
    };
    let (once, twice) = with_stack(100_000, grown).expect("a thread");
    println!("{what}: {once} bytes, and {twice} for twice the input");
    assert!(twice * 100 <= once * MOST, "{what}: {once} bytes, and {twice} for twice the input");
}

/// So many lines of a script, or of the prompt, have some 20 kB.
const LINES: usize = 1_000;

/// A text for each number: of a length that grows with it, or a line.
type Text = Box<dyn Fn(usize) -> String + Send>;

#[test]
fn scripts_are_checked_in_time_that_grows_with_them() {
    let lines = |times: usize, line: fn(usize) -> String| (1..=times * LINES).map(line).collect::<String>();
    let chain = |right: fn(usize) -> String| {
        move |times| {
            let defined = (1..=times * LINES).map(|k| format!("strategy s{k} = {};\n", right(k - 1)));
            std::iter::once("strategy s0 = id;\n".to_owned()).chain(defined).collect::<String>()
        }
    };
    let sequence = |times: usize| format!("let s = beta{};\n", " ; beta".repeat(3 * times * LINES));
    let texts: Vec<(&str, Text)> = vec![
        ("names that nobody knows", Box::new(move |times| lines(times, |k| format!("unknown{k};\n")))),
        ("functions that nobody knows", Box::new(move |times| lines(times, |k| format!("print(unknown{k}());\n")))),
        ("strategies, each by the one before it", Box::new(chain(|k| format!("s{k}")))),
        ("strategies, each by the one before it, twice", Box::new(chain(|k| format!("s{k} ;; s{k}")))),
        ("strategies that are made and dropped", Box::new(sequence)),
        ("strategies without their signs", Box::new(move |times| lines(times, |k| format!("strategy s{k} id\n")))),
    ];
    for (what, text) in texts {
        grows_with_the_input(what, move |times| {
            let mut session = session::session(MemorySystem::default(), Nesting::default(), SilentSink);
            let text = text(times);
            drop(session.during(|session| check_script(session, Path::new("own.strat"), &text)));
        });
    }
}

/// Bytes that the check of a script asks for.
fn asked_by_check(text: &str) -> usize {
    let mut session = session::session(MemorySystem::default(), Nesting::default(), SilentSink);
    let before = redexter_allocator::asked();
    drop(session.during(|session| check_script(session, Path::new("own.strat"), text)));
    redexter_allocator::asked() - before
}

/// Each use of a variable asks for little, though its type isn't known yet and grows with them.
#[test]
fn laws_are_typed_in_time_that_grows_with_them() {
    let asked = |times: usize| {
        let parts = "f(fst a, i), ".repeat(times * LINES);
        asked_by_check(&format!("rule r = `ifold n (fun a i => ({parts}g(snd a, i))) (y, z) --> 0`;\n"))
    };
    let [_, once, twice] = with_stack(100_000, move || [1, 1, 2].map(asked)).expect("a thread");
    println!("{once} bytes, and {twice} for twice the law");
    assert!(twice * 100 <= once * MOST, "{once} bytes, and {twice} for twice the law");
}

/// `tabulate` looks at all of a term; here that is a product that no loop repeats, or one in a loop. `gather` looks for addends
/// that share a factor; here that are all of them, or none. What the rest of the line asks for is left out.
#[test]
fn a_rule_is_tried_in_time_that_grows_with_the_term() {
    type Part = fn(usize) -> String;
    let asked = |(before, part, behind): (&str, Part, &str), rule: &str, times: usize| {
        let mut session = session::session(MemorySystem::default(), Nesting::default(), SilentSink);
        let parts: String = (0..times * LINES).map(part).collect();
        let text = format!("fun (x : real) (v : array 9 real) => {before}{parts}{behind}");
        let line = format!("let t = term(\"{text}\"); let u = t.apply(body(body(try({rule}))));");
        let before = redexter_allocator::asked();
        assert!(submit(&mut session, &line).is_ok(), "{rule}");
        redexter_allocator::asked() - before
    };
    let factor: Part = |_| " * x".to_owned();
    for (rule, what) in [
        ("tabulate", ("x", factor, "")),
        ("tabulate", ("build 9 (fun i => sin v[i]", factor, ")")),
        ("gather", ("x", |_| " - erfc x".to_owned(), "")),
        ("gather", ("x", |k| format!(" - erfc (x + {k})"), "")),
    ] {
        let more = move || [1, 2].map(|times| asked(what, rule, times) - asked(what, "mulOne", times));
        let [once, twice] = with_stack(100_000, more).expect("a thread");
        println!("{rule} {}{}: {once} bytes, and {twice} for twice the input", what.0, what.1(1));
        assert!(twice * 100 <= once * MOST, "{rule} {}: {once} bytes, and {twice} for twice the input", what.0);
    }
}

/// What a rule asks about the variables around a place isn't worked out anew at each; here the rule asks, and applies nowhere.
#[test]
fn redexes_are_looked_for_in_time_that_grows_with_the_term() {
    let asked = |times: usize| {
        let mut session = session::session(MemorySystem::default(), Nesting::default(), SilentSink);
        let lets: String = (1..=times * LINES).map(|k| format!("let a{k} := sin a{}; ", k - 1)).collect();
        assert!(submit(&mut session, &format!("fun (a0 : real) => {lets}a0")).is_ok());
        let before = redexter_allocator::asked();
        assert!(submit(&mut session, ":possible letOperand").is_ok());
        redexter_allocator::asked() - before
    };
    let [_, once, twice] = with_stack(100_000, move || [1, 1, 2].map(asked)).expect("a thread");
    println!("{once} bytes, and {twice} for twice the term");
    assert!(twice * 100 <= once * MOST, "{once} bytes, and {twice} for twice the term");
}

#[test]
fn lines_are_answered_in_time_that_grows_with_them() {
    let lines: [(&str, Text); 2] = [
        ("variables", Box::new(|k| format!("let variable{k} = {k};"))),
        ("uses of a variable", Box::new(|k| format!("let v = {k}; print(v);"))),
    ];
    for (what, line) in lines {
        grows_with_the_input(what, move |times| {
            let mut session = session::session(MemorySystem::default(), Nesting::default(), SilentSink);
            for k in 0..times * LINES {
                assert!(submit(&mut session, &line(k)).is_ok(), "{}", line(k));
            }
        });
    }
}
