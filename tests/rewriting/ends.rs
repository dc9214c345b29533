//! Rule sets that go round are found from their laws, and those that end aren't accused.

use std::cell::Cell;
use std::rc::Rc;

use crate::support::script::{deep, interpreter};
use redexter::cost::cheaper_total;
use redexter::ends::{Cure, Ending, EndingAnswer, EndingFinder, Endings, SearchBounds, endings};
use redexter::ground::{Budget, Limits};
use redexter::rule::{Rule, RuleBody};
use redexter::script::LineValue;
use redexter::strategy::{Outcome, Strategy, rules_in, run};

/// Sets of rules with a strategy `all`; the first line says whether it ends or loops.
const SETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rule-sets");

/// Fewer chains than usual, because sets that end go through all of them.
const FEW: SearchBounds = SearchBounds { laws: 5, nodes: 60, chains: 300, needless: true };

fn answers(text: &str, seeds: &dyn Fn(&Rule) -> bool) -> Vec<EndingAnswer> {
    let (mut interpreter, _) = interpreter();
    interpreter.run_script("set.strat", text, &[]).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
    let strategy = interpreter.strategy("all").expect("a strategy");
    let found = endings(&strategy, seeds, FEW, &Budget::default());
    assert!(found.stopped.is_none(), "no limit");
    found.answers
}

/// What is found of strategies over these rules.
pub(crate) fn found_over(rules: &str, bounds: SearchBounds) -> impl FnMut(&str) -> Endings {
    let (mut interpreter, _) = interpreter();
    interpreter.run_script("set.strat", rules, &[]).expect("rules");
    move |text| endings(&interpreter.strategy(text).expect(text), &|_| true, bounds, &Budget::default())
}

#[test]
fn sets_that_loop_are_told_from_sets_that_end() {
    deep(|| {
        let (mut looping, mut ending) = (0, 0);
        for file in std::fs::read_dir(SETS).expect("the sets") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
            let found = answers(&text, &|_| true);
            assert_eq!(found.len(), 1, "{text}");
            let way = found[0].way.as_ref();
            if text.starts_with("// ends") {
                ending += 1;
                assert_eq!((found[0].ending, way.is_none()), (Ending::NotKnown, true), "{text}{way:?}");
                continue;
            }
            looping += 1;
            assert_eq!(found[0].ending, Ending::Loops, "{text}");
            let way = way.expect("a way round");
            // A round that doesn't grow is back where it began.
            let (first, last) = (&way.terms[0], &way.terms[way.terms.len() - 1]);
            assert_eq!(way.terms.len(), way.steps.len() + 1, "{text}");
            assert_eq!(last.size() as i64 - first.size() as i64, way.growth, "{text}");
            assert!(way.growth >= 0, "{text}");
            assert!(answers(&text, &|_| false)[0].way.is_none(), "nothing is new, so that nothing is looked at");
        }
        assert_eq!((looping, ending), (14, 10));
    });
}

/// The order keeps it from going round, so that it isn't said to loop.
#[test]
fn what_ends_on_the_term_may_only_loop() {
    deep(|| {
        let rules = "rule up = `sin x --> cos x` unchecked; rule down = `cos x --> sin x` unchecked; \
            rule off = `sin x --> x` unchecked; ";
        let found = answers(&format!("{rules}strategy all = normalize(off <+ up <+ down);"), &|_| true);
        let saved = found[0].way.as_ref().and_then(|way| way.saved_by.as_ref()).map(ToString::to_string);
        assert_eq!((found[0].ending, saved.as_deref()), (Ending::MayLoop, Some("off")));
        let found = answers(&format!("{rules}strategy all = normalize(up <+ down <+ off);"), &|_| true);
        assert_eq!(found[0].ending, Ending::Loops);
    });
}

/// What was found before the search was broken off stays.
#[test]
fn what_was_found_stays_where_the_search_ends() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        let rules = "rule up = `sin x --> cos x` unchecked; rule down = `cos x --> sin x` unchecked;";
        interpreter.run_script("set.strat", rules, &[]).expect("rules");
        let strategy =
            interpreter.strategy("normalize(up <+ down) ;; normalize(ifSame <+ getIf <+ fstIf)").expect("a strategy");
        let asked = Rc::default();
        let found = endings(&strategy, &|_| true, FEW, &Budget::default().asked_at_most(20, asked));
        assert_eq!(
            found.answers.iter().map(|answer| answer.ending).collect::<Vec<_>>(),
            [Ending::Loops, Ending::NotKnown]
        );
        assert_eq!((found.ending, found.answers[1].all), (Ending::Loops, false));
        assert!(found.stopped.is_some());
    });
}

/// What several strategies repeat is looked at once; where chains begin elsewhere, again.
#[test]
fn what_was_found_of_a_repetition_is_known() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        let text = "strategy all = normalize(letSubst <+ distribute); strategy more = all ;; normalize(mulOne);";
        interpreter.run_script("set.strat", text, &[]).expect("strategies");
        let [all, more] = ["all", "more"].map(|name| interpreter.strategy(name).expect("a strategy"));
        let asked: Rc<Cell<u64>> = Rc::default();
        let budget = Budget::default().asked_at_most(u64::MAX, asked.clone());
        let mut finder = EndingFinder::new(FEW, &budget);
        let mut of = |strategy: &Strategy, is_new: bool| {
            let before = asked.get();
            let found = finder.endings(strategy, &|rules| vec![is_new; rules.len()]);
            (asked.get() - before, found.answers[0].chains)
        };
        let (first, again) = (of(&all, true), of(&more, true));
        assert!(first.0 > 50 && again.0 * 10 < first.0, "{first:?} {again:?}");
        assert_eq!((first.1, of(&all, false).1), (again.1, 0));
    });
}

/// A strategy isn't said to loop where only a part of it would, on a term that this part never gets.
#[test]
fn a_part_that_loops_is_kept_from_it_by_what_stands_before() {
    deep(|| {
        let rules = "rule up = `sin x --> cos x` unchecked; rule down = `cos x --> sin x` unchecked; \
            rule off = `sin x --> x` unchecked; rule out = `cos x --> x` unchecked; ";
        let mut found = found_over(rules, FEW);
        let mut of = |text: &str| {
            let found = found(text);
            (found.ending, found.answers.iter().map(|answer| answer.ending).max())
        };
        assert_eq!(of("normalize(up <+ down)"), (Ending::Loops, Some(Ending::Loops)));
        assert_eq!(of("normalize(off <+ out) ;; normalize(up <+ down)"), (Ending::MayLoop, Some(Ending::Loops)));
    });
}

/// What gives up what grows, or counts, ends.
#[test]
fn what_gives_up_may_only_loop() {
    deep(|| {
        let rules = "rule grow = `exp x --> exp (-x)` unchecked; rule swap = `x * y --> y * x` unchecked; \
            rule square = `x * x --> pow x 2` unchecked; rule product = `pow x 2 --> x * x` unchecked; \
            rule off = `x * y --> 0` unchecked; rule none = `pow x 2 --> 0` unchecked;";
        let mut found = found_over(rules, FEW);
        let mut of = |text: &str| found(text).ending;
        assert_eq!(of("force(normalize(grow))"), Ending::Loops);
        assert_eq!(of("cheaper(force(normalize(grow)))"), Ending::MayLoop);
        assert_eq!(of("cheapest(force(normalize(grow)), id)"), Ending::MayLoop);
        assert_eq!(of("cheaper(swap) ;; force(normalize(grow))"), Ending::Loops);
        let counted = |n: u32| {
            format!("try(repeatN({n}, topDown(swap))) ;; normalize(off <+ none) ;; normalize(square <+ product)")
        };
        assert_eq!([20, 250].map(|n| of(&counted(n))), [Ending::MayLoop; 2]);
    });
}

/// Rules that are only tried out, or that `exactly` keeps from being taken, are no part of a way round.
#[test]
fn what_leaves_no_step_behind_goes_no_way() {
    deep(|| {
        let rules = "rule left = `x + (y + z) --> (x + y) + z` reassociating; \
            rule right = `(x + y) + z --> x + (y + z)` reassociating; \
            strategy again(s) = repeat(s); strategy twice(s) = s ;; s; strategy down(s) = s <+ one(down(s));";
        let mut found = found_over(rules, SearchBounds::default());
        let mut of = |text: &str| found(text).ending;
        for ends in [
            "repeat(where(topDown(left)) ;; topDown(right))",
            "normalize(not(left) ;; right)",
            "repeat(topDown(right) ;; repeatN(0, left))",
            "exactly(normalize(left <+ right))",
            "exactly(normalize(inReals(left) <+ right))",
            "again(topDown(left))",
            "twice(twice(normalize(right)))",
        ] {
            assert_eq!(of(ends), Ending::Ends, "{ends}");
        }
        for loops in [
            "exactly(normalize(inReals(left <+ right)))",
            "again(topDown(left <+ right))",
            "repeat(down(left <+ right))",
        ] {
            assert_eq!(of(loops), Ending::Loops, "{loops}");
        }
        assert_eq!(of("repeat(down(left))"), Ending::NotKnown);
    });
}

/// Conditions that rule out sums, or ask for work or for how often something occurs, leave products, functions and more of the
/// same; where no term is found, that is said.
#[test]
fn ways_round_are_shown_on_terms_of_many_forms() {
    deep(|| {
        let of = |rule: &str| {
            let found = answers(&format!("rule a = {rule} unchecked; strategy all = normalize(a);"), &|_| true);
            (found[0].ending, found[0].unshown > 0)
        };
        for rule in [
            "`max x y --> max y x` where not variable(x), not literal(x), not matches(x, `p + q`)",
            "`x * y --> y * x` where not literal(x), not variable(x), not matches(x, `p + q`), not matches(x, `p * q`)",
            "`x + y --> y + x` where not matches(x, `p + q`), work(x) >= 1",
            "`x * y --> y * x` where work(x) >= 30, work(y) >= 30",
            "`x + y --> y + x` where work(x) != work(y)",
            "`let x := a; b(x) --> let y := a; b(y)` where occurrences(x) >= 2",
        ] {
            assert_eq!(of(rule), (Ending::Loops, false), "{rule}");
        }
        let hidden = "`let x := a; b(x) --> let y := a; b(y)` where looped(x)";
        assert_eq!(of(hidden), (Ending::NotKnown, true), "{hidden}");
    });
}

/// A round whose rule asks how often something occurs may stop once the term is large enough, so that it isn't said to loop.
#[test]
fn a_round_that_grows_under_a_condition_on_numbers_may_only_loop() {
    deep(|| {
        let of = |condition: &str| {
            let rule = format!("rule grow = `sin (x : real) --> sin (x + x)` {condition} unchecked; ");
            answers(&format!("{rule}strategy all = force(id) ;; normalize(grow <+ mulOne);"), &|_| true)[0].ending
        };
        assert_eq!(of(""), Ending::Loops);
        assert_eq!(of("where not literal(x)"), Ending::Loops);
        assert_eq!(of("where work(x) <= 9999"), Ending::MayLoop);
    });
}

/// The answer, the rules of the way round, and how many chains were looked at.
fn found_of(rules: &str, all: &str) -> (Ending, Vec<String>, usize) {
    let found = answers(&format!("{rules} strategy all = normalize({all});"), &|_| true);
    let way = found[0].way.iter().flat_map(|way| &way.steps).map(|(rule, _)| rule.to_string()).collect();
    (found[0].ending, way, found[0].chains)
}

/// What a condition asks of a variable goes along a chain: it says which terms to try, and ends the chain where it fails.
#[test]
fn conditions_are_followed() {
    deep(|| {
        let loops = |rules: &str, way: &[&str]| {
            let found = found_of(rules, &way.join(" <+ "));
            assert_eq!(
                (found.0, found.1),
                (Ending::Loops, way.iter().map(|rule| (*rule).to_owned()).collect()),
                "{rules}"
            );
        };
        // A form, the number 0, the value of a number, another number, none.
        loops(
            "rule mark = `a * s --> a * fst (s, 0) + 0` where matches(s, `p + q`) unchecked; \
             rule unmark = `a * fst (s, 0) + 0 --> a * s` unchecked;",
            &["mark", "unmark"],
        );
        loops(
            "rule pad = `x + z --> x - z` where zero(z) unchecked; rule unpad = `x - z --> x + z` where zero(z) unchecked;",
            &["pad", "unpad"],
        );
        loops(
            "rule unroll = `pow x k --> pow x (k - 1) * x` where value(k) >= 30, 32 > value(k) unchecked; \
             rule roll = `pow x (k - 1) * x --> pow x k` unchecked;",
            &["unroll", "roll"],
        );
        loops(
            "rule toAdd = `x - c --> x + (-1) * c` where literal(c) unchecked; rule fromAdd = `x + (-1) * c --> x - c` \
             where not zero(c), literal(c) unchecked;",
            &["toAdd", "fromAdd"],
        );
        loops(
            "rule name = `exp x --> let y := x; exp y` where not variable(x), not literal(x) unchecked; \
             rule inline = `let y := x; exp y --> exp x` unchecked;",
            &["name", "inline"],
        );
        // Below binders, and of what is bound.
        loops(
            "rule floatOut = `sin (let x := a; b(x)) --> let x := a; sin (b(x))` unchecked; \
             rule floatIn = `let x := a; sin (b(x)) --> sin (let x := a; b(x))` where occurrences(x) >= 2 unchecked;",
            &["floatOut", "floatIn"],
        );
        loops(
            "rule out = `build n (fun i => a(i) * c) --> let t := c; build n (fun i => a(i) * t)` where work(c) >= 2 unchecked; \
             rule back = `let t := c; build n (fun i => a(i) * t) --> build n (fun i => a(i) * c)` unchecked;",
            &["out", "back"],
        );
        loops(
            "rule share = `build n (fun i => f(i) + g(i)) --> build n (fun i => (build n (fun j => f(j)))[i] + g(i))` \
             where not matches(f, `(build n u)[k]`) unchecked; \
             rule inline = `(build n (fun j => f(j)))[i] --> f(i)` unchecked;",
            &["share", "inline"],
        );
        // Sides that differ in the order of their variables alone, and conditions that hold of both before and after an exchange.
        loops(
            "rule a = `x * k --> k * x` where literal(k), not literal(x) unchecked; \
             rule b = `k * x --> x * k` where literal(k), not literal(x) unchecked;",
            &["a", "b"],
        );
        loops("rule swap = `max x y --> max y x` where value(x) <= 2 unchecked;", &["swap"]);
        loops("rule swap = `x + y --> y + x` where not literal(x), not variable(x) unchecked;", &["swap"]);
        // Each way round would need a number that is none, or a form that the variable hasn't.
        let quiet = |rules: &str, all: &str, most: usize| {
            let (ending, way, chains) = found_of(rules, all);
            assert_eq!((ending, way.len()), (Ending::NotKnown, 0), "{rules}");
            assert!(chains <= most, "{rules}{chains}");
        };
        quiet(
            "rule up = `sin x --> cos x` where literal(x) unchecked; rule down = `cos x --> sin x` where not literal(x) unchecked;",
            "up <+ down",
            2,
        );
        quiet(
            "rule push = `exp s --> exp (fst (s, 0))` where matches(s, `p + q`) unchecked; \
             rule pull = `exp (fst (s, t)) --> tanh s` unchecked; \
             rule more = `tanh s --> exp s` where not matches(s, `p + q`) unchecked;",
            "push <+ pull <+ more",
            20,
        );
        quiet(
            "rule a = `sin x --> cos (x + 1)` where literal(x) unchecked; rule b = `cos x --> exp x` unchecked; \
             rule c = `exp x --> sin x` where zero(x) unchecked;",
            "a <+ b <+ c",
            12,
        );
    });
}

/// A repetition under `force` is one, and of what goes on in another way nothing is known.
#[test]
fn what_goes_on_without_a_repetition_is_named() {
    deep(|| {
        let mut found = found_over("rule swap = `x + y --> y + x` unchecked;", FEW);
        let mut of = |text: &str| {
            let found = found(text);
            (found.ending, found.other.map(|other| other.to_string()))
        };
        assert_eq!(of("force(normalize(swap))"), (Ending::Loops, None));
        assert_eq!(of("repeatN(2, swap) ;; topDown(swap)"), (Ending::Ends, None));
        let other = |text: &str| (Ending::NotKnown, Some(text.to_owned()));
        assert_eq!(of("mu(|s| topDown(swap) ;; s)"), other("mu(|x| topDown(swap) ; x)"));
        assert_eq!(of("mu(|s| tryAll(swap <+ s))"), other("mu(|x| tryAll(swap <+ x))"));
        // A traversal comes to a place once.
        assert_eq!(of("try(tryAll(swap))"), (Ending::NotKnown, None));
    });
}

fn cures(rules: &str, all: &str) -> Vec<String> {
    let found = answers(&format!("{rules} strategy all = normalize({all});"), &|_| true);
    assert_eq!(found[0].ending, Ending::Loops, "{rules}");
    let said = |cure: &Cure| match cure {
        Cure::Stages { stages, proved } => format!("{stages}{}", if *proved { "" } else { " (likely)" }),
        Cure::Condition { rule, condition, proved } => {
            format!("{rule} where {condition}{}", if *proved { "!" } else { "" })
        }
        Cure::Order(order) => format!("only {order}"),
    };
    found[0].cures.iter().map(said).collect()
}

/// What is offered was checked, and done by hand it keeps its promise.
#[test]
fn cures_are_stages_conditions_or_an_order() {
    deep(|| {
        // Not where another way round is left, or the rule would never apply.
        let two = "rule a = `max x y --> max y x` where literal(x) unchecked; rule b = `x * y --> y * x` unchecked;";
        assert_eq!(cures(two, "a <+ b"), Vec::<String>::new());
        let same = "rule a = `x + y --> y + x` where zero(x), zero(y) unchecked;";
        assert_eq!(cures(same, "a"), Vec::<String>::new());
        // Nor where the condition leaves other forms that go round.
        let uneven = "rule a = `x + y --> y + x` where work(x) != work(y) unchecked;";
        assert_eq!(cures(uneven, "a"), Vec::<String>::new());
        let read = |name: &str| {
            let text = std::fs::read_to_string(format!("{SETS}/loops_{name}.strat")).expect("a set");
            text.split("strategy").next().expect("rules").to_owned()
        };
        let minus = read("minushalf");
        let found = cures(&minus, "collect <+ negatedReciprocal <+ outermost1");
        assert_eq!(found[0], "normalize(negatedReciprocal <+ outermost1) ;; normalize(collect)");
        assert_eq!(found[1], "collect where not matches(c, `-1`)");
        // What leaves a chain that leads back isn't offered, be it that no term shows that.
        assert!(found.iter().all(|cure| !cure.contains("literal(d)")), "{found:?}");
        let of = |rules: &str, all: &str| found_over(rules, FEW)(all).ending;
        assert_eq!(of(&minus, &found[0]), Ending::NotKnown, "needless looks for ways round find none");
        let cured = minus.replacen("literal(d) reassociating", "literal(d), not matches(c, `-1`) unchecked", 1);
        assert_ne!(cured, minus);
        assert_eq!(of(&cured, "normalize(collect <+ negatedReciprocal <+ outermost1)"), Ending::NotKnown);
        // What a rule asks for isn't forbidden, nor is a number that only the term has.
        assert_eq!(cures(&read("constright"), "constRight"), ["constRight where not literal(x)!"]);
        assert_eq!(cures(&read("constmul"), "constOut"), ["constOut where not literal(y)!"]);
        assert_eq!(
            cures("rule up = `sin x --> exp x` unchecked; rule down = `exp x --> sin x` unchecked;", "up <+ down"),
            ["normalize(down) ;; normalize(up)"]
        );
        // What no order proves is a cure where nothing is found any more, too, and where a run ends.
        let masks = "rule over = `x + (if p then a else b) --> if p then x + a else x + b` unchecked; \
            rule out = `if p then x + a else x + b --> x + (if p then a else b)` unchecked; \
            rule swap = `if not p then a else b --> if p then b else a` unchecked; \
            rule join = `if p then (if q then a else b) else b --> if p && q then a else b` unchecked; \
            rule deal = `p && (q || r) --> (p && q) || (p && r)` unchecked;";
        assert_eq!(
            cures(masks, "over <+ out <+ swap <+ join <+ deal"),
            ["normalize(out <+ swap <+ join <+ deal) ;; normalize(over) (likely)"]
        );
        // One rule that feeds itself has no cure.
        assert_eq!(cures(&read("quantize"), "quantize"), Vec::<String>::new());
        let rules = "rule up = `sin x --> cos (sin x)` unchecked; rule down = `cos (sin x) --> sin x` unchecked; \
            rule off = `sin x --> x` unchecked; ";
        assert_eq!(cures(rules, "up <+ down <+ off"), ["only normalize(down <+ off <+ up)"]);
    });
}

/// A run that a limit ends names the round that it went, also where the term grows in each.
#[test]
fn a_run_at_a_limit_names_its_round() {
    deep(|| {
        let of = |rules: &str, all: &str, on: &str| {
            let (mut interpreter, _) = interpreter();
            interpreter.run_script("set.strat", rules, &[]).expect("rules");
            let strategy = interpreter.strategy(all).expect("a strategy");
            let LineValue::Program { program, .. } = interpreter.eval_line(&format!("term(\"{on}\")")).expect("a term")
            else {
                panic!("{on}")
            };
            let budget = Budget::new(Limits { max_steps: 200, ..Limits::default() }, None);
            let Err(stop) = run(&strategy, &program, &budget, cheaper_total) else { panic!("{all} ends") };
            let round = stop.round().map(|(round, growth)| {
                (round.iter().map(|step| step.rule().to_string()).collect::<Vec<String>>(), growth)
            });
            (round, stop.help().pop().unwrap_or_default())
        };
        let grow = "rule up = `sin x --> exp (cos x)` unchecked; rule down = `cos x --> tanh (sin x)` unchecked;";
        let (round, help) = of(grow, "force(normalize(up <+ down))", "fun (x : real) => sin x");
        let (mut rules, growth) = round.expect("a round");
        rules.sort();
        assert_eq!((rules, growth), (vec!["down".to_owned(), "up".to_owned()], 2));
        assert!(help.contains("; each round leaves 2 nodes more, and"), "{help}");
        // Many steps of one rule, each at another place, are no round.
        let many = format!("fun (x : real) => {}", vec!["x * 1"; 300].join(" + "));
        assert_eq!(of("", "normalize(mulOne)", &many).0, None);
    });
}

/// A run that grows round by round for long, and then ends, isn't taken for one that never does: what else a strategy asks may
/// change its choice.
#[test]
fn a_run_that_grows_may_end() {
    deep(|| {
        let rules = format!(
            "rule more = `x * 2 --> (x * 1) * 2`; rule stop = `({}y{}) * 2 --> 0 * y` unchecked;",
            "(".repeat(300),
            " * 1)".repeat(300)
        );
        let (mut interpreter, _) = interpreter();
        interpreter.run_script("set.strat", &rules, &[]).expect("rules");
        let mut end = |all: &str| {
            let strategy = interpreter.strategy(all).expect("a strategy");
            let line = "term(\"fun (y : real) => (y * 2, y * 2)\")";
            let LineValue::Program { program, .. } = interpreter.eval_line(line).expect("a term") else {
                panic!("{all}")
            };
            let budget = Budget::new(Limits { max_steps: 5_000, ..Limits::default() }, None);
            let done = run(&strategy, &program, &budget, cheaper_total);
            done.map_or("a limit", |done| match done.outcome {
                Outcome::Success(_) => "ends",
                Outcome::Looping(_) => "loops",
                Outcome::Failure(_) => "fails",
            })
        };
        for all in [
            "repeatN(400, at(\"body.pairSecond\", more))",
            "repeat(at(\"body.pairFirst\", stop <+ more))",
            "at(\"body.pairFirst\", normalize(stop <+ more))",
            "cheaper(repeatN(400, at(\"body.pairSecond\", more)))",
        ] {
            assert_eq!(end(all), "ends", "{all}");
        }
        assert_eq!(end("normalize(more)"), "a limit");
    });
}

/// Hidden among the rules of the book, a set that goes round is found within few chains from its own rules.
#[test]
fn what_is_new_is_found_among_many_rules() {
    deep(|| {
        for name in ["cnf", "context", "letswap", "minushalf", "reciprocal"] {
            let text = std::fs::read_to_string(format!("{SETS}/loops_{name}.strat")).expect("a set");
            let (mut interpreter, _) = interpreter();
            let book: Vec<String> = interpreter
                .rules()
                .iter()
                .filter(|info| info.params.is_empty() && matches!(info.body, RuleBody::Laws(_)))
                .map(|info| info.name.to_string())
                .filter(|name| !name.contains('.'))
                .collect();
            interpreter.run_script("set.strat", &text, &[]).expect("rules");
            let own = rules_in(&interpreter.strategy("all").expect("a strategy"));
            let rules: Vec<String> = own.iter().map(ToString::to_string).collect();
            let whole = format!("normalize({} <+ {})", rules.join(" <+ "), book.join(" <+ "));
            let whole = interpreter.strategy(&whole).expect("a strategy");
            let bounds = SearchBounds { chains: 100, ..SearchBounds::default() };
            let found = endings(&whole, &|rule| own.contains(rule), bounds, &Budget::default());
            assert!(
                book.len() > 80 && found.ending == Ending::Loops,
                "{name} among {}: {:?}",
                book.len(),
                found.ending
            );
        }
    });
}
