//! What is refused, warned of and noticed about strategies that may not end or can't do anything.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use redexter::check;
use redexter::cost::cheaper_total;
use redexter::ground::{
    Budget, Diagnostic, DiagnosticCode, Limits, Severity, Sources, StopReason, Trouble, code, with_stack,
};
use redexter::rule::{Checker, Rule, RuleBook, undoes, undone};
use redexter::script::{Host, Interpreter, LineValue};
use redexter::strategy::{Cycle, Execution, Outcome, Strategy, StrategyRun, check_ends, lint, replay, run};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::Program;

/// A host that remembers what it was warned of.
#[derive(Default)]
struct TestHost(RefCell<Vec<Diagnostic>>);

impl Host for TestHost {
    fn print(&self, _: &str) {}

    fn warn(&self, finding: &Diagnostic) {
        self.0.borrow_mut().push(finding.clone());
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        Err(Diagnostic::error(code::UNREADABLE, path))
    }

    fn write(&self, path: &str, _: &str) -> Result<(), Diagnostic> {
        Err(Diagnostic::error(code::UNWRITABLE, path))
    }

    fn budget(&self) -> Budget {
        small()
    }
}

fn small() -> Budget {
    Budget::new(Limits { max_steps: 2_000, ..Limits::default() }, None)
}

const RULES: &str = "
    rule commute = `x + y --> y + x`;
    rule turn = `x * y --> y * x` where constant(x);
    rule left = `(x + y) + z --> x + (y + z)` reassociating;
    rule right = `x + (y + z) --> (x + y) + z` reassociating;
    rule grow = `x * y --> (x * y) * 1`;
    rule nest = `x - y --> 0 + (x - y)` real_exact;
    rule double(k) = `x * 2 --> x + x` where k >= 1;
    rule round = `(a, b) --> (b, a)` unchecked;
    rule one = `sin x --> cos x` unchecked;
    rule two = `cos x --> tanh x` unchecked;
    rule three = `tanh x --> sin x` unchecked;
    rule under = `exp (sin x) --> x` unchecked;
    strategy norm(s) = normalize(s);
    strategy swaps = commute;
    strategy td(s) = s <+ one(td(s));
";

struct Bench {
    interpreter: Interpreter,
    host: Rc<TestHost>,
}

impl Bench {
    fn new() -> Bench {
        let host = Rc::new(TestHost::default());
        let sources = Rc::new(RefCell::new(Sources::default()));
        let prelude = check::prelude(&sources);
        let (texts, within) = (sources.clone(), prelude.clone());
        let checker: Checker =
            Rc::new(move |raw, reverse| check::laws(raw, reverse, &within, &texts.borrow(), &Budget::default()));
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
        let mut interpreter = Interpreter::new(host.clone(), sources, prelude, book);
        interpreter.run_script("rules.strat", RULES, &[]).expect("the rules of the tests");
        Bench { interpreter, host }
    }

    fn strategy(&mut self, text: &str) -> Strategy {
        self.interpreter.strategy(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))
    }

    fn term(&mut self, text: &str) -> Program {
        match self.interpreter.eval_line(&format!("term(\"{text}\")")) {
            Ok(LineValue::Program { program, .. }) => program,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn findings(&mut self, text: &str) -> Vec<Diagnostic> {
        lint(&self.strategy(text), None)
    }

    fn run(&mut self, strategy: &str, term: &str) -> Result<StrategyRun, StopReason> {
        let (strategy, program) = (self.strategy(strategy), self.term(term));
        Ok(run(&strategy, &program, &small(), cheaper_total)?)
    }

    fn cycle(&mut self, strategy: &str, term: &str) -> Cycle {
        match self.run(strategy, term).expect("no limit").outcome {
            Outcome::Looping(cycle) => cycle,
            other => panic!("{strategy}: {other:?}"),
        }
    }
}

/// What uses itself first, on the term as it is, is said to; what does so behind a success, or on children, isn't.
#[test]
fn what_begins_with_itself_is_warned_of() {
    with_bench(|bench| {
        let text = "strategy left = left <+ beta; strategy right = beta <+ right; strategy down = beta <+ one(down); \
                    strategy again = try(beta ;; again); strategy first = topDown(first) ;; beta;";
        bench.interpreter.run_script("own.strat", text, &[]).expect("strategies");
        let headline = |name: &str| format!("`{name}` may never end: it uses itself before anything else was done");
        for (name, told) in [("left", true), ("right", true), ("down", false), ("again", false), ("first", true)] {
            let found = bench.findings(name);
            let told: Vec<String> = told.then(|| headline(name)).into_iter().collect();
            assert_eq!(found.first().map(|first| first.headline.clone()).into_iter().collect::<Vec<_>>(), told);
        }
    });
}

/// Runs a test on a stack that fits nested scripts.
fn with_bench(test: impl FnOnce(&mut Bench) + Send + 'static) {
    with_stack(10_000, || test(&mut Bench::new())).expect("a stack");
}

fn codes(findings: &[Diagnostic]) -> Vec<DiagnosticCode> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn rules_that_never_run_out_of_redexes_are_refused() {
    with_bench(|bench| {
        for text in [
            "normalize(commute)",
            "repeat(commute)",
            "repeat1(commute)",
            "innermost(swaps)",
            "norm(commute)",
            "normalize(letSwap)",
            "normalize(grow)",
            "outermost(nest)",
            "repeat(topDown(commute))",
            "normalize(left <+ right)",
            "normalize(factor <+ distribute)",
            "normalize(distribute <+ distribute.reverse)",
            "normalize(one <+ two <+ three)",
            "getBuild <+ try(normalize(round))",
        ] {
            let strategy = bench.strategy(text);
            let refused = check_ends(&strategy).expect_err(text);
            assert_eq!((refused.code, refused.severity), (code::NEVER_ENDS, Severity::Error), "{text}");
            assert!(!refused.help.is_empty());
            assert!(check_ends(&bench.strategy(&format!("force({text})"))).is_ok(), "{text}");
        }
    });
}

/// A rule that stands beside silences the refusal only where it may take away what the others would rewrite again.
#[test]
fn rules_that_stand_beside_are_looked_at() {
    with_bench(|bench| {
        for (text, named) in [
            ("normalize(one <+ two <+ three <+ addZero)", "one of `one`, `two`, `three` always applies"),
            ("normalize(negNeg <+ commute)", "`commute` leaves a term"),
            ("normalize(addZero <+ grow <+ negNeg)", "`grow` leaves a term"),
            ("outermost(mulOne <+ nest)", "`nest` leaves a term"),
            ("repeat(mulZero <+ one <+ two <+ three)", "one of `one`, `two`, `three` always applies"),
            ("normalize(negNeg <+ left <+ right)", "`left` and `right` undo each other"),
        ] {
            let refused = check_ends(&bench.strategy(text)).expect_err(text);
            assert_eq!(refused.code, code::NEVER_ENDS, "{text}");
            assert!(refused.headline.contains(named), "{}", refused.headline);
        }
        // It drops them, or is one with them; and a function may do anything.
        for text in [
            "normalize(one <+ two <+ three <+ mulZero)",
            "normalize(one <+ two <+ three <+ fstPair)",
            "normalize(one <+ two <+ three <+ letSubst)",
            "normalize(subSelf <+ nest)",
            "normalize(under <+ one <+ two <+ three)",
            "normalize(one <+ two <+ three <+ constFold)",
            "normalize(one <+ two <+ three <+ ifSame)",
        ] {
            let done = check_ends(&bench.strategy(text));
            assert!(done.is_ok(), "{text}: {done:?}");
        }
        for (text, term) in [
            ("normalize(mulZero <+ one <+ two <+ three)", "fun (x : real) => sin x * 0"),
            ("normalize(fstPair <+ one <+ two <+ three)", "fun (x : real) => fst (x, sin x)"),
        ] {
            let ran = bench.run(text, term).expect("no limit");
            assert!(matches!(ran.outcome, Outcome::Success(_)), "{text}: {:?}", ran.outcome);
        }
    });
}

#[test]
fn what_changes_nothing_is_not_repeated() {
    with_bench(|bench| {
        for text in [
            "repeat(`x * 1`)",
            "normalize(`x * 1` <+ where(addZero))",
            "innermost(not(addZero) ;; `x * 1`)",
            "repeat1(topDown(`x * 1`))",
            "repeat(one(`x * 1`) <+ body(`x + y`))",
            "norm(`x * 1`)",
            "repeat(td(`x * 1`))",
            "repeat(at(`x * 1`, where(mulOne)))",
            "repeat(mu(|s| `x * 1` <+ one(s)))",
        ] {
            let refused = check_ends(&bench.strategy(text)).expect_err(text);
            assert_eq!((refused.code, refused.severity), (code::NEVER_ENDS, Severity::Error), "{text}");
            assert!(check_ends(&bench.strategy(&format!("force({text})"))).is_ok(), "{text}");
        }
        for text in
            ["repeat(`x * 1` ;; mulOne)", "normalize(at(`x * y`, addZero))", "repeat(fail)", "repeatN(2, `x * 1`)"]
        {
            let done = check_ends(&bench.strategy(text));
            assert!(done.is_ok(), "{text}: {done:?}");
        }
        let findings = bench.findings("normalize(addZero <+ `x * 1`)");
        assert_eq!(codes(&findings), [code::RESTARTS]);
        assert_eq!(
            findings[0].headline,
            "`normalize(addZero <+ `x * 1`)` may never end: `x * 1` changes nothing, and where it succeeds it does so again"
        );
        assert_eq!(bench.findings("normalize(`x * 1` ;; mulOne <+ addZero)"), []);
        let cycle = bench.cycle("normalize(mulOne <+ `x + y`)", "fun (x : real) => x * 1 + x");
        assert_eq!(cycle.diagnostic().code, code::LOOP);
    });
}

#[test]
fn what_may_end_is_not_refused() {
    with_bench(|bench| {
        for text in [
            "commute",
            "topDown(commute)",
            "repeatN(3, commute)",
            "normalize(turn)",
            "repeat(grow ; fail)",
            "repeat(nest)",
            "normalize(left)",
            "normalize(right)",
            "normalize(factor)",
            "normalize(distribute)",
            "normalize(commute ; addZero)",
            "normalize(one <+ two)",
            "normalize(letSwap <+ letCse)",
            "normalize(addZero <+ commute)",
            "normalize(beta <+ getBuild <+ letPair <+ letSubstSafe <+ letSubstN(1) <+ fstPair <+ sndPair)",
            "normalize(ifoldFission <+ fstPair <+ sndPair)",
            "normalize(ifFloat <+ addZero <+ ifoldOneHot <+ letSubstSafe)",
            "normalize(letFloat) ;; normalize(letCse <+ letDead) ;; normalize(ifoldPeel)",
        ] {
            let done = check_ends(&bench.strategy(text));
            assert!(done.is_ok(), "{text}: {done:?}");
        }
    });
}

#[test]
fn loops_that_hang_on_the_term_are_warned_of() {
    with_bench(|bench| {
        let findings = bench.findings("normalize(addZero <+ commute)");
        assert_eq!(codes(&findings), [code::RESTARTS]);
        assert_eq!(
            findings[0].headline,
            "`normalize(addZero <+ commute)` may never end: `commute` leaves a term that it rewrites again"
        );
        assert_eq!(codes(&bench.findings("normalize(addZero <+ left <+ right)")), [code::UNDONE]);
        assert_eq!(codes(&bench.findings("norm(addZero <+ left <+ right)")), [code::UNDONE]);
        assert_eq!(codes(&bench.findings("normalize(mulOne <+ factor <+ distribute)")), [code::UNDONE]);
        assert_eq!(codes(&bench.findings("repeat(mulOne <+ nest)")), []);
        for quiet in
            ["force(normalize(addZero <+ commute))", "addZero <+ commute", "normalize(left) ;; normalize(right)"]
        {
            assert_eq!(bench.findings(quiet), [], "{quiet}");
        }
    });
}

/// Rules whose texts show that they have nothing to do with each other aren't typed, and that changes no answer.
#[test]
fn rules_that_undo_each_other_are_told_before_most_are_typed() {
    with_stack(10_000, || {
        let typed = Rc::new(Cell::new(0));
        let sources = Rc::new(RefCell::new(Sources::default()));
        let (texts, prelude, count) = (sources.clone(), check::prelude(&sources), typed.clone());
        let checker: Checker = Rc::new(move |raw, reverse| {
            count.set(count.get() + 1);
            check::laws(raw, reverse, &prelude, &texts.borrow(), &Budget::default())
        });
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
        let rules: Vec<Rule> = book.iter().map(|info| Rule::new(info.clone(), &vec![1; info.params.len()])).collect();
        let before = typed.get();
        let found = undone(&rules);
        let few = typed.get() - before;
        let pairs = (0..rules.len()).flat_map(|k| (k + 1..rules.len()).map(move |j| (k, j)));
        let all: Vec<(usize, usize)> =
            pairs.filter(|(k, j)| undoes(&rules[*k], &rules[*j]) || undoes(&rules[*j], &rules[*k])).collect();
        assert_eq!(found, all);
        assert!(!all.is_empty() && few * 3 < (typed.get() - before) * 2, "{few} of {}", typed.get() - before);
    })
    .expect("a stack");
}

#[test]
fn branches_without_a_chance_are_warned_of() {
    with_bench(|bench| {
        for (text, headline) in [
            ("id <+ getBuild", "`getBuild` is never tried: `id` before it never fails"),
            ("try(beta) <+ getBuild", "`getBuild` is never tried: `try(beta)` before it never fails"),
            ("fail ;; getBuild", "`getBuild` is never tried: `fail` before it fails on every term"),
            ("not(try(beta)) ;; beta", "`beta` is never tried: `not(try(beta))` before it fails on every term"),
            ("letSubst <+ letDead", "`letDead` never gets a turn: `letSubst` to its left applies wherever it does"),
            (
                "normalize(beta <+ letSubst <+ fstPair <+ letSubstN(1))",
                "`letSubstN(1)` never gets a turn: `letSubst` to its left applies wherever it does",
            ),
            ("`x * y` <+ mulOne", "`mulOne` never gets a turn: `x * y` to its left applies wherever it does"),
            ("`x * 1` <+ `x * 1`", "`x * 1` stands twice in this choice: where the first fails, the second does"),
            ("not(id) ;; `x * 1`", "`x * 1` is never tried: `not(id)` before it fails on every term"),
            ("try(`x * 1`) <+ addZero", "`addZero` is never tried: `try(`x * 1`)` before it never fails"),
            ("beta <+ beta", "`beta` stands twice in this choice: where the first fails, the second does"),
        ] {
            let findings = bench.findings(text);
            assert_eq!(findings.iter().map(|f| &*f.headline).collect::<Vec<_>>(), [headline], "{text}");
            assert_eq!(findings[0].severity, Severity::Warning);
        }
        for quiet in [
            "letDead <+ letSubst",
            "letSubstN(1) <+ letSubst",
            "letSubstN(1) <+ letSubstN(2)",
            "letPair <+ letSubst",
            "mulZero <+ addZero <+ mulOne",
            "td(beta <+ getBuild)",
            "fail <+ beta",
            "double(1) <+ double(2)",
            "`x * 1` <+ mulZero",
            "mulOne <+ `x * y`",
        ] {
            assert_eq!(bench.findings(quiet), [], "{quiet}");
        }
    });
}

#[test]
fn rules_for_types_that_do_not_occur_are_warned_of() {
    with_bench(|bench| {
        let strategy = bench.strategy("normalize(mulOne <+ ifoldFission <+ getBuild)");
        let (plain, paired) = (bench.term("fun (x : real) => x * 1"), bench.term("fun (x : real * real) => fst x * 1"));
        let findings = lint(&strategy, Some(&plain));
        assert_eq!(codes(&findings), [code::IDLE_RULE]);
        assert!(findings[0].headline.starts_with("`ifoldFission` finds nothing"), "{findings:?}");
        assert_eq!(lint(&strategy, Some(&paired)), []);
        let strategy = bench.strategy("topDown(`fst (a, b)` ;; fstPair) <+ topDown(`(a, b)` ;; mulOne)");
        let findings = lint(&strategy, Some(&plain));
        assert_eq!(codes(&findings), [code::IDLE_RULE]);
        assert!(findings[0].headline.starts_with("`(a, b)` matches nothing"), "{findings:?}");
        assert_eq!(lint(&strategy, Some(&paired)), []);
        assert_eq!(lint(&strategy, None), []);
    });
}

#[test]
fn rules_of_a_library_that_find_nothing_are_no_news() {
    with_bench(|bench| {
        bench.interpreter.run_script("own.strat", "strategy own(s) = normalize(ifoldFission <+ s);", &[]).expect("one");
        let plain = bench.term("fun (x : real) => x * 1");
        for (text, found) in [
            ("fastGradient", None),
            ("fastGradient ; td(pairEta)", Some("`pairEta`")),
            ("own(mulOne)", Some("`ifoldFission`")),
        ] {
            let findings = lint(&bench.strategy(text), Some(&plain));
            let named: Vec<_> = findings.iter().filter(|f| f.code == code::IDLE_RULE).map(|f| &*f.headline).collect();
            assert_eq!(named.len(), usize::from(found.is_some()), "{text}: {named:?}");
            assert!(found.is_none_or(|rule| named[0].starts_with(rule)), "{text}: {named:?}");
        }
    });
}

#[test]
fn recursive_and_growing_definitions_are_analysed_in_bounded_time() {
    with_bench(|bench| {
        let more =
            "strategy more(s) = s <+ more((s ; s)); strategy ping(s) = pong(one(s)); strategy pong(s) = ping(s);";
        bench.interpreter.run_script("more.strat", more, &[]).expect("definitions");
        for (text, found) in [("more(beta)", 1), ("ping(beta)", 2), ("more(more(beta))", 1)] {
            assert!(check_ends(&bench.strategy(text)).is_ok());
            assert_eq!(bench.findings(text).len(), found, "{text}");
        }
    });
}

#[test]
fn a_term_that_comes_back_ends_the_run_and_shows_the_way_round() {
    with_bench(|bench| {
        let cycle = bench.cycle("normalize(turn)", "fun (x : real) => 1 + 2 * 3");
        let shown = cycle.diagnostic();
        assert_eq!(shown.code, code::LOOP);
        assert_eq!(shown.headline, "`normalize(turn)` never ends: 2 steps lead back to the same term");
        assert_eq!(shown.help[0], "the way round: turn at body.1, turn at body.1");
        assert_eq!(replay(&cycle.trace).as_ref(), Ok(&cycle.trace.start));
        let cycle = bench.cycle("repeat((one <+ two <+ three) ; id)", "sin 1");
        assert_eq!(cycle.trace.steps.len(), 3);
        let below = bench.cycle("body(operand(0, repeatUntil(`exp x`, commute)))", "fun (x : real) => (x + 1) * 2");
        assert_eq!(below.diagnostic().help[0], "the way round: commute, commute");
        let idle = bench.cycle("repeat(all(commute))", "1.5").diagnostic();
        assert!(idle.headline.ends_with("never ends: a round succeeds and changes nothing"), "{idle:?}");
        let single = bench.cycle("normalize(turn <+ commute)", "fun (x : real) => x + x").diagnostic();
        assert!(single.headline.ends_with("a step leaves the term as it was"), "{single:?}");
    });
}

#[test]
fn forced_loops_meet_their_limit() {
    with_bench(|bench| {
        for text in ["force(normalize(turn))", "force(repeat(id))", "force(normalize(commute))"] {
            assert_eq!(bench.run(text, "2 * 3 + 1").map(|_| ()), Err(StopReason::Steps(2_000)), "{text}");
        }
    });
}

#[test]
fn runs_that_end_are_as_they_were() {
    with_bench(|bench| {
        let there_and_back =
            "repeat(commute ; commute ; fail) ;; repeatN(4, commute) ;; repeatUntil(`cos x`, one <+ three)";
        let run = bench.run(there_and_back, "1 + sin 2").expect("no limit");
        assert!(matches!(run.outcome, Outcome::Failure(_)));
        let run = bench.run("repeatN(5, topDown(commute))", "1 + sin 2").expect("no limit");
        let Outcome::Success(term) = &run.outcome else { panic!("it failed") };
        assert_eq!((run.trace.steps.len(), &*print_term(term, &PrintStyle::default())), (5, "sin 2 + 1"));
    });
}

#[test]
fn steps_are_taken_up_to_where_the_loop_closes() {
    with_bench(|bench| {
        let (strategy, program) = (bench.strategy("normalize(turn)"), bench.term("2 * 3"));
        let mut execution = Execution::new(&strategy, &program, cheaper_total);
        execution.advance(1, &small()).expect("no limit");
        assert!(execution.outcome().is_none() && execution.steps().len() == 1);
        execution.advance(usize::MAX, &small()).expect("no limit");
        assert!(matches!(execution.outcome(), Some(Outcome::Looping(_))));
        assert!(execution.steps().len() > 1);
    });
}

#[test]
fn steps_that_a_later_node_takes_back_are_not_settled() {
    with_bench(|bench| {
        let (strategy, program) = (bench.strategy("allTopDown((commute ; id))"), bench.term("1 + 2"));
        let mut execution = Execution::new(&strategy, &program, cheaper_total);
        execution.advance(1, &small()).expect("no limit");
        assert!(matches!(execution.outcome(), Some(Outcome::Failure(_))) && execution.steps().is_empty());
        let (strategy, program) = (bench.strategy("try(normalize(one)) ;; id"), bench.term("sin (sin 1)"));
        let mut execution = Execution::new(&strategy, &program, cheaper_total);
        execution.advance(1, &small()).expect("no limit");
        assert!(execution.outcome().is_none() && execution.steps().len() == 1);
    });
}

#[test]
fn growth_is_noted() {
    with_bench(|bench| {
        for (depth, expected) in [(8, &[][..]), (16, &[code::GROWTH][..])] {
            let run = bench.run("repeat(letSubst)", &doubled(depth)).expect("no limit");
            assert_eq!(codes(&run.warnings()), expected, "{depth}");
        }
    });
}

/// `let a := 1; let b := a + a; …`: substituted, it doubles with each let.
fn doubled(depth: usize) -> String {
    let lets: Vec<String> = (1..depth).map(|k| format!("let x{k} := x{0} + x{0}; ", k - 1)).collect();
    format!("let x0 := 1.5; {}x{}", lets.concat(), depth - 1)
}

#[test]
fn scripts_are_warned_before_they_run_and_told_of_loops() {
    with_bench(|bench| {
        let mut said = |line: &str| {
            let done = bench.interpreter.eval_line(line);
            let warned = codes(&bench.host.0.take());
            match done {
                Ok(_) => (warned, None),
                Err(Trouble::Wrong(all)) => (warned, Some(all[0].code)),
                Err(Trouble::Stopped { reason, .. }) => panic!("{line}: {reason}"),
            }
        };
        assert_eq!(said("term(\"1 + 2.5\").apply(id <+ commute)"), (vec![code::DEAD_BRANCH], None));
        assert_eq!(said("term(\"1 + 2.5\").apply(normalize(commute))"), (vec![], Some(code::NEVER_ENDS)));
        assert_eq!(said("term(\"2 * 2.5\").trace(normalize(turn))"), (vec![], Some(code::LOOP)));
        assert_eq!(said("term(\"2 * 2.5\").try_apply(normalize(turn))"), (vec![], Some(code::LOOP)));
    });
}
