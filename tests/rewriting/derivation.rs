//! A derivation as a tree: its stages hold its steps, its terms are those of the trace, and addresses mean what they say.

use crate::support::session;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use redexter::cost;
use redexter::derivation::{Address, Derivation, DerivationRun};
use redexter::ground::{Budget, Limits, Nesting, Random, with_stack};
use redexter::session::SilentSink;
use redexter::session::{MemorySystem, Response, Session, submit};
use redexter::term::Term;
use redexter::walk::WalkAnswer;
use session::session;

/// What these lines of strategies do to a definition of a model that ships.
fn derivation(model: &str, definition: &str, strategies: &[&str]) -> Derivation {
    let memory = MemorySystem::default();
    memory.put(Path::new("m.arr"), &fs::read(format!("models/{model}.arr")).unwrap());
    let mut session = session(memory, Nesting { terms: 100_000, ..Nesting::default() }, SilentSink);
    submit(&mut session, ":load m.arr").unwrap();
    let Response::Term(first) = submit(&mut session, definition).unwrap() else { panic!("{definition} is no term") };
    let runs: Vec<DerivationRun> = strategies
        .iter()
        .map(|strategy| match submit(&mut session, strategy).unwrap() {
            Response::Walk(WalkAnswer::Run(run)) => {
                DerivationRun { strategy: run.strategy.into(), traces: vec![run.trace] }
            }
            other => panic!("{other:?}"),
        })
        .collect();
    Derivation::new(&first.term, &runs)
}

fn deep(work: impl FnOnce() + Send + 'static) {
    with_stack(100_000, work).expect("a thread");
}

fn titles(derivation: &Derivation, text: &str) -> Result<Vec<String>, String> {
    let Some(Address::Stage(ways)) = Address::parse(text) else { panic!("{text} is no stage") };
    let found = derivation.find(&ways).map_err(|unreached| format!("{:?} {}", unreached.reached, unreached.help()))?;
    Ok(found.into_iter().map(|number| derivation.stages().title(number)).collect())
}

#[test]
fn stages_hold_the_steps_within_their_names() {
    deep(|| {
        for (model, definition, strategies) in [
            ("mixture", "gradient", &["fastGradient"][..]),
            ("dot", "gradient", &["normalize(beta)", "normalize(beta <+ fstPair)", "normalize(beta)"]),
            ("perceptron", "gradient", &["unzip", "repeat(topDown(getBuild))", "fastGradient"]),
        ] {
            let strategies: Vec<String> = strategies.iter().map(|s| s.replace("unzip", "fastGradient.unzip")).collect();
            let strategies: Vec<&str> = strategies.iter().map(String::as_str).collect();
            let derivation = derivation(model, definition, &strategies);
            let stages = derivation.stages();
            for number in 0..stages.len() {
                let stage = stages.stage(number);
                assert!(stage.pieces.windows(2).all(|pair| pair[0].end <= pair[1].start), "{stage:?}");
                let mut inside: Vec<_> =
                    stage.parts.iter().flat_map(|part| stages.stage(*part).pieces.clone()).collect();
                inside.sort_by_key(|piece| piece.start);
                assert!(inside.windows(2).all(|pair| pair[0].end <= pair[1].start), "parts of {stage:?} overlap");
                let within = |piece: &std::ops::Range<usize>| {
                    stage.pieces.iter().any(|own| own.start <= piece.start && piece.end <= own.end)
                };
                assert!(inside.iter().all(within), "{stage:?}");
                for step in stage.pieces.iter().flat_map(|piece| piece.clone()) {
                    assert!(stages.around(step).contains(&number));
                }
            }
            for (k, step) in derivation.steps().iter().enumerate() {
                let around = stages.around(k);
                let names: Vec<&str> = around.iter().map(|number| &*stages.stage(*number).name).collect();
                let within: Vec<&str> = step.within().iter().map(|name| &**name).collect();
                assert!(names == within || names[1..] == within[..], "{names:?} {within:?}");
            }
        }
    });
}

#[test]
fn terms_and_work_are_those_of_the_trace() {
    deep(|| {
        let derivation = derivation("perceptron", "gradient", &["fastGradient"]);
        let whole = derivation.trace(0..usize::MAX);
        assert_eq!(whole.steps.len(), derivation.steps().len());
        assert!(whole.steps.len() > 130, "several terms are kept");
        assert_eq!(derivation.term(0), whole.start);
        for (k, term) in whole.terms().enumerate() {
            assert_eq!(derivation.term(k + 1), term, "after {} steps", k + 1);
            if k % 10 == 0 {
                assert_eq!(*derivation.work(k + 1), cost::work(&term).total());
            }
        }
        let part = derivation.trace(100..103);
        assert_eq!(part.steps, whole.steps[100..103]);
        assert_eq!(part.terms().last(), Some(derivation.term(103)));
        assert_eq!(derivation.term(usize::MAX), derivation.term(whole.steps.len()));
    });
}

#[test]
fn addresses_are_written_as_they_are_read() {
    for text in [
        "0",
        "120",
        "3..9",
        "hoist",
        "hoist#2",
        "fastGradient/hoist#2",
        "@fused",
        "%sum",
        ".body.0",
        ".",
        "`x * 0`",
        "normalize(a / b)/c",
        "at(`x / y`, s)#3",
    ] {
        let address = Address::parse(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(address.to_string(), text);
    }
    let Some(Address::Stage(ways)) = Address::parse("at(`x / y`, s)#3/few") else { panic!() };
    assert_eq!(ways.len(), 2);
    for text in [
        "",
        " ",
        "`",
        "``",
        "` `",
        "@",
        "@a b",
        "%",
        "%a b",
        "9..3",
        "1..",
        "..",
        "..3",
        "12a",
        "hoist#0",
        "hoist#x",
        "a//b",
        "/",
        "#2",
        "99999999999999999999",
    ] {
        assert_eq!(Address::parse(text), None, "{text}");
    }
}

#[test]
fn a_path_of_names_leads_to_stages_or_says_how_far() {
    deep(|| {
        let derivation = derivation("perceptron_deep", "gradient", &["fastGradient"]);
        assert_eq!(titles(&derivation, "fastGradient"), Ok(vec!["fastGradient".into()]));
        let all = ["contract#1", "contract#2", "contract"].map(String::from);
        assert_eq!(titles(&derivation, "contract"), Ok(all.into()));
        assert_eq!(titles(&derivation, "numerals/contract"), Ok(vec!["contract".into()]));
        assert_eq!(titles(&derivation, "contract#2"), Ok(vec!["contract#2".into()]));
        assert_eq!(titles(&derivation, "fastGradient/hoist#1/basics"), Ok(vec!["basics".into()]));
        let missing = titles(&derivation, "fastGradient/hoits").unwrap_err();
        assert_eq!(missing, "\"fastGradient\" did you mean `hoist`?");
        let missing = titles(&derivation, "spread/nothing").unwrap_err();
        assert_eq!(missing, "\"spread\" the stages there: choices");
    });
}

#[test]
fn an_overview_keeps_to_its_rows_and_to_its_budget() {
    deep(|| {
        let derivation = derivation("mixture", "gradient", &["fastGradient"]);
        let tops = derivation.stages().tops();
        for rows in [1, 5, 20, 1_000] {
            let budget = Budget::default();
            let all = derivation.overview(tops, rows, &budget).unwrap();
            assert!(all.len() <= rows);
            assert_eq!(all[0].steps, derivation.steps().len());
            assert!(budget.steps() <= 2 * all.len() as u64, "a term is measured at each end of a stage");
        }
        let all = derivation.overview(tops, 1_000, &Budget::default()).unwrap();
        assert_eq!(all.len(), derivation.stages().len(), "with room for all of them nothing is hidden");
        assert!(all.iter().all(|row| row.hidden == 0));
        let few = Budget::new(Limits { max_steps: 3, ..Limits::default() }, None);
        assert!(derivation.overview(tops, 20, &few).is_err());
    });
}

/// The number of the step after which the current term stands.
fn place(session: &mut Session) -> usize {
    let Response::Walk(WalkAnswer::Log(entries)) = submit(session, ":log").unwrap() else { panic!("no log") };
    entries.iter().find(|entry| entry.is_current).expect("a current term").steps.end
}

/// Walks a derivation at random, with limits on the way: wherever one stands the numbers are those of the line, the terms are
/// those that its steps give, and tags keep their terms.
#[test]
fn nothing_that_was_reached_is_lost_or_misnamed() {
    deep(|| {
        let (mut gone, mut limited) = (0, 0);
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let mut session =
                session(MemorySystem::default(), Nesting { terms: 100_000, ..Nesting::default() }, SilentSink);
            for line in [
                "rule turn = `a * b --> b * a` unchecked",
                "strategy spin(s) = force(normalize(s))",
                "`fun (x y : real) => ((x * 2 + 0, y * 1), (build 3 (fun i => x * y + 0))[1])`",
            ] {
                submit(&mut session, line).unwrap();
            }
            let mut tagged: Vec<(String, Term)> = Vec::new();
            for k in 0..25 {
                submit(&mut session, &format!(":set max-steps {}", [40, 300][random.below(2)])).unwrap();
                let here = place(&mut session);
                let line = match random.below(12) {
                    0 => "normalize(addZero <+ mulOne)".to_owned(),
                    1 => ":step normalize(getBuild <+ beta <+ letSubst <+ addZero)".to_owned(),
                    2 => ":step topDown(addZero) ;; topDown(turn)".to_owned(),
                    3 => "repeatN(3, topDown(turn))".to_owned(),
                    4 => "spin(turn)".to_owned(),
                    5 => format!(":step {}", random.below(3) + 1),
                    6 => ":continue".to_owned(),
                    7 => format!(":undo {}", random.below(3) + 1),
                    8 => format!(":redo {}", random.below(3) + 1),
                    9 if !tagged.is_empty() => {
                        format!(":goto @{}", tagged[random.below(tagged.len())].0)
                    }
                    10 => format!(":tag t{k}"),
                    _ => format!(":goto {}", random.below(here + 4)),
                };
                match submit(&mut session, &line) {
                    Ok(Response::Walk(WalkAnswer::Stopped(_))) => limited += 1,
                    Ok(Response::Walk(WalkAnswer::At { .. })) => gone += 1,
                    Ok(_) | Err(_) => {}
                }
                let Response::Whole(now) = submit(&mut session, ":show").unwrap() else { panic!("no term") };
                if line.starts_with(":tag") {
                    tagged.push((format!("t{k}"), now.term.clone()));
                }
                let step = place(&mut session);
                let Response::Walk(WalkAnswer::Difference { before, after, .. }) =
                    submit(&mut session, &format!(":diff {step}")).unwrap()
                else {
                    panic!("{line}")
                };
                assert_eq!(before.term, after.term, "seed {seed}: after `{line}`");
                assert_eq!(before.term, now.term, "seed {seed}: after `{line}`");
                for (name, term) in &tagged {
                    let found = submit(&mut session, &format!(":diff @{name}")).unwrap();
                    assert!(
                        matches!(&found, Response::Walk(WalkAnswer::Difference { before, .. }) if before.term == *term),
                        "@{name}"
                    );
                }
            }
        }
        assert!(gone > 100 && limited > 20, "{gone} {limited}");
    });
}

/// Where the order changes is found by halving: the turns lead from the order before to the order after, one from another.
#[test]
fn turns_are_steps_that_change_the_order() {
    deep(|| {
        let derivation = derivation("perceptron", "gradient", &["fastGradient"]);
        let count = derivation.steps().len();
        let degree = |step: usize| {
            let work = derivation.work(step);
            let degrees =
                work.terms().iter().map(|(product, _)| product.iter().map(|(_, power)| *power).sum::<u32>()).max();
            degrees.unwrap_or(0)
        };
        let budget = Budget::default();
        let turns = derivation.turns(&(0..count), &budget).unwrap();
        assert!(!turns.is_empty() && degree(0) > degree(count));
        for turn in &turns {
            assert_eq!(*turn.work.0, *derivation.work(turn.number - 1));
            assert_eq!(*turn.work.1, *derivation.work(turn.number));
        }
        let fallen: i64 =
            turns.iter().map(|turn| i64::from(degree(turn.number - 1)) - i64::from(degree(turn.number))).sum();
        assert_eq!(fallen, i64::from(degree(0)) - i64::from(degree(count)), "no change of the degree is missed");
        assert!(
            budget.steps() < 2 * 32 * (turns.len() as u64 + 1),
            "{} terms for {} turns",
            budget.steps(),
            turns.len()
        );
        assert!(derivation.turns(&(3..3), &budget).unwrap().is_empty());
    });
}

/// The points of a curve are as many as were asked for, and those at the ends of stages: each is measured once.
#[test]
fn a_curve_is_measured_at_few_points() {
    deep(|| {
        let derivation = derivation("mixture", "gradient", &["fastGradient"]);
        let count = derivation.steps().len();
        for (span, points) in [(0..count, 160), (0..count, 1), (100..103, 3), (5..6, 1)] {
            let budget = Budget::default();
            let curve = derivation.curve(&span, points, &budget).unwrap();
            let ends = 2 * curve.stages.len();
            assert!(curve.points.len() <= points + 1 + ends, "{} points", curve.points.len());
            assert_eq!(budget.steps(), curve.points.len() as u64, "each is measured once");
            assert!(curve.points.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert_eq!(curve.points.first().map(|point| point.0), Some(span.start));
            assert_eq!(curve.points.last().map(|point| point.0), Some(span.end));
            for (step, work) in curve.points.iter().step_by(20) {
                assert_eq!(**work, cost::work(&derivation.term(*step)).total());
            }
            assert!(curve.stages.windows(2).all(|pair| pair[0].1.end <= pair[1].1.start), "{:?}", curve.stages);
        }
        let few = Budget::new(Limits { max_steps: 3, ..Limits::default() }, None);
        assert!(derivation.curve(&(0..count), 160, &few).is_err());
    });
}

/// The tags of a text that must be XML, by a reader of that little which a drawing has.
fn tags(xml: &str) -> Vec<String> {
    let (mut open, mut found, mut rest) = (Vec::new(), Vec::new(), xml);
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("each tag ends");
        let tag = &rest[start + 1..end];
        assert!(!rest[..start].contains('>') && !tag.contains('<'), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or_default().to_owned();
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(closed), _) => assert_eq!(open.pop(), Some(name(closed))),
            (None, true) => found.push(tag.to_owned()),
            (None, false) => {
                open.push(name(tag));
                found.push(tag.to_owned());
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    found
}

#[test]
fn a_plot_is_a_file_of_svg() {
    deep(|| {
        let memory = Rc::new(MemorySystem::default());
        memory.put(Path::new("m.arr"), &fs::read("models/perceptron.arr").unwrap());
        let mut session = session(memory.clone(), Nesting { terms: 100_000, ..Nesting::default() }, SilentSink);
        for line in [":load m.arr", "gradient", "strategy odd(s) = s; odd(normalize(beta))", "fastGradient"] {
            drop(submit(&mut session, line));
        }
        let mut read = |line: &str| {
            submit(&mut session, line).unwrap_or_else(|trouble| panic!("{line}: {trouble:?}"));
            String::from_utf8(memory.get(Path::new("p.svg")).expect("a file")).unwrap()
        };
        let whole = read(":plot p.svg");
        assert_eq!(whole, read(":plot \"p.svg\""), "equal drawings have equal bytes");
        for text in [&whole, &read(":plot fastGradient p.svg"), &read(":plot 3..9 p.svg")] {
            let tags = tags(text);
            let curve = tags.iter().find(|tag| tag.starts_with("polyline")).expect("a curve");
            let points: Vec<&str> = curve.split('"').nth(3).expect("its points").split(' ').collect();
            assert!(points.len() > 6, "{curve}");
            for point in points {
                let (x, y) = point.split_once(',').expect("two numbers");
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                assert!((70.0..=780.0).contains(&x) && (40.0..=340.0).contains(&y), "{point}");
            }
            assert!(tags.iter().filter(|tag| tag.starts_with("text")).count() > 6);
            assert!(text.contains("prefers-color-scheme: dark"));
        }
        assert!(whole.matches("<rect class=\"band").count() > 1, "{whole}");
        let before = read(":plot p.svg");
        assert!(submit(&mut session, ":plot nothing p.svg").is_err());
        assert_eq!(memory.get(Path::new("p.svg")).unwrap(), before.into_bytes(), "the old file is as it was");
    });
}
