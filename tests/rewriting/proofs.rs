//! Proofs that rule sets end: those that are known to end are mostly proved, none that goes round is, and no random one.

use crate::ends::found_over;
use crate::support::script::{deep, interpreter};
use redexter::cost::cheaper_total;
use redexter::ends::{Ending, Endings, LawProof, ProofStep, SearchBounds, WayRound, endings, proof};
use redexter::ground::{Budget, Limits, Random};
use redexter::redex::{replaced, site};
use redexter::rule::{Focus, Rule};
use redexter::script::{Interpreter, LineValue};
use redexter::strategy::{Outcome, Strategy, choices_in, repetitions, run};
use redexter_reference::is_extended;

/// Sets of rules with a strategy `all`; the first line says whether it ends or loops.
const SETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rule-sets");

/// Ways round are looked for also where a proof says that there are none.
const DOUBTING: SearchBounds = SearchBounds { laws: 4, nodes: 40, chains: 60, needless: true };

fn found(text: &str, bounds: SearchBounds) -> Endings {
    found_by(&mut interpreter().0, text, bounds)
}

fn found_by(interpreter: &mut Interpreter, text: &str, bounds: SearchBounds) -> Endings {
    interpreter.run_script("set.strat", text, &[]).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
    let strategy = interpreter.strategy("all").expect("a strategy");
    let found = endings(&strategy, &|_| true, bounds, &Budget::default());
    assert!(found.stopped.is_none(), "no limit");
    found
}

fn proved(text: &str) -> LawProof {
    found(text, SearchBounds { chains: 0, ..DOUBTING }).answers.remove(0).proof
}

#[test]
fn sets_that_end_are_proved_and_no_others() {
    deep(|| {
        let (mut ends, mut whole) = (0, 0);
        for file in std::fs::read_dir(SETS).expect("the sets") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
            let proof = proved(&text);
            if text.starts_with("// ends") {
                ends += 1;
                whole += usize::from(proof.is_whole());
            } else {
                assert!(!proof.is_whole() && !proof.takes_the_rest(), "{text}{proof:?}");
            }
        }
        assert_eq!(ends, 10);
        assert!(whole >= 7, "{whole} of {ends}");
    });
}

#[test]
fn a_proof_says_what_takes_each_rule() {
    deep(|| {
        let set = |rules: &str, all: &str| proved(&format!("{rules} strategy all = normalize({all});"));
        let count = |of: &[&str], rules: &[&str]| ProofStep::Count {
            of: of.iter().map(|name| ((*name).to_owned(), 1)).collect(),
            rules: rules.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(set("", "mulOne <+ addZero").steps, [count(&[], &["mulOne", "addZero"])]);
        // The number of nodes rises, that of sines doesn't; without sines, what is left lowers nodes.
        let rules = "rule a = `sin x --> exp (exp x)` unchecked; rule b = `exp (exp (exp x)) --> exp x` unchecked;";
        assert_eq!(set(rules, "a <+ b").steps, [count(&["sin"], &["a"]), count(&[], &["b"])]);
        // What repeats a variable isn't counted: of sin (sin y) * sin (sin y) this one makes the same again.
        assert!(!set("rule a = `sin x * y --> x * (sin x * y)` unchecked;", "a").is_whole());
        assert!(!set("rule a = `x * sin (sin y) --> x * x` unchecked;", "a").is_whole());
        let found =
            set("rule a = `sin (x + y) --> sin x + sin y` unchecked; rule b = `x * 2 --> x + x` unchecked;", "a <+ b");
        let [ProofStep::PathOrder { above, rules, .. }] = &found.steps[..] else { panic!("{found:?}") };
        let above: Vec<(&str, &str)> = above.iter().map(|(f, g)| (f.as_str(), g.as_str())).collect();
        assert_eq!((above, rules.len()), (vec![("sin", "+"), ("*", "+")], 2));
    });
}

/// A condition that says that a variable is a number, or none, orders what can't be ordered else.
#[test]
fn conditions_on_numbers_are_used() {
    deep(|| {
        let of = |condition: &str| {
            let rule = format!("rule a = `(x * c) * y --> (x * y) * c` where {condition} reassociating;");
            proved(&format!("{rule} strategy all = normalize(a);")).is_whole()
        };
        assert!(of("literal(c), not literal(y)"));
        assert!(!of("literal(c)") && !of("not literal(y)") && !of("literal(c), literal(y)"));
    });
}

/// Whether the laws of these rules are proved to end.
fn is_proved(rules: &[&str]) -> bool {
    let names: Vec<String> = (0..rules.len()).map(|k| format!("r{k}")).collect();
    let rules: Vec<String> =
        names.iter().zip(rules).map(|(name, rule)| format!("rule {name} = {rule} unchecked;")).collect();
    proved(&format!("{} strategy all = normalize({});", rules.join(" "), names.join(" <+ "))).is_whole()
}

/// The number 0 is below all others, and what isn't 0 above it.
#[test]
fn zero_is_apart_from_other_numbers() {
    deep(|| {
        let turned = |condition: &str| format!("`if c then 0 else (t : real) --> if not c then t else 0` {condition}");
        assert!(is_proved(&[&turned("where not zero(t)")]));
        assert!(!is_proved(&[&turned("")]));
        assert!(!is_proved(&[
            &turned("where not literal(t)"),
            "`if c then t else 0 --> if not c then 0 else (t : real)`"
        ]));
        // What is a number may be 0.
        assert!(!is_proved(&["`sin x * c --> sin x * 0` where literal(c)"]));
        assert!(is_proved(&["`sin x * c --> sin x * 0` where literal(c), not zero(c)"]));
        assert!(is_proved(&["`sin x * 1 --> sin x * 0`"]));
        assert!(!is_proved(&["`sin x * 1 --> sin x * 2`"]) && !is_proved(&["`sin x * 0 --> sin x * 1`"]));
    });
}

/// Constructors may stand on one level, and then their operands decide.
#[test]
fn constructors_may_be_on_one_level() {
    deep(|| {
        let set = ["`a + (-b) --> a - b`", "`a - (-b) --> a + b`", "`sin (a + b) --> sin a + sin b`"];
        assert!(is_proved(&set));
        assert!(!is_proved(&["`exp (sin x) --> sin (exp x)`", "`sin (exp x) --> exp (sin x)`"]));
        assert!(!is_proved(&["`a + b --> a - b`", "`sin (a + b) --> sin a + sin b`", "`a - b --> a + b`"]));
        assert!(!is_proved(&["`a + (-b) --> a - b`", "`sin (a + b) --> sin a - sin b`", "`a - b --> -b + a`"]));
    });
}

/// Of three operands the last may be compared first, and then the others from the left.
#[test]
fn the_last_operand_may_be_compared_first() {
    deep(|| {
        let set = [
            "`if c && d then a else b --> if c then (if d then a else b) else b`",
            "`if c then (s : real) else t --> (if c then s else 0) + (if not c then t else 0)` where not zero(s), not zero(t)",
        ];
        assert!(is_proved(&set));
        assert!(!is_proved(&[set[0], set[1].split(" where").next().expect("a law")]));
    });
}

/// A substitution may repeat and nest whatever stands in a body.
#[test]
fn what_puts_terms_into_bodies_is_set_aside() {
    deep(|| {
        let proof = proved("strategy all = normalize(letSubst <+ mulOne);");
        assert_eq!((proof.set_aside, proof.open.is_empty(), proof.steps.len()), (vec!["letSubst".to_owned()], true, 1));
    });
}

/// A part of a repetition that takes a step of a rule wherever it succeeds is as good as its rules, and so is a traversal that
/// goes on below what it made; what may succeed without a step is not.
#[test]
fn parts_that_are_no_rules_are_read_where_they_take_steps() {
    deep(|| {
        let rules = "rule up = `sin x --> cos (sin x)` unchecked; rule down = `cos (sin x) --> sin x` unchecked; ";
        let mut found = found_over(rules, SearchBounds::default());
        let mut of = |all: &str| found(all).ending;
        for ends in [
            "repeat(topDown(addZero) ;; topDown(mulOne))",
            "repeat(try(addZero) ;; one(mulOne))",
            "repeat(topDown(addZero) <+ body(bottomUp(mulOne)))",
            "repeat(normalize(addZero) ;; some(mulOne))",
            "tryAll(addZero <+ mulOne)",
            "tryAll(repeat(addZero <+ mulOne))",
            "allTopDown(try(addZero))",
        ] {
            assert_eq!(of(ends), Ending::Ends, "{ends}");
        }
        for loops in [
            "repeat(topDown(up) ;; topDown(down))",
            "normalize(up ;; down)",
            "repeat(some(up <+ down))",
            "repeat(topDown(up) <+ topDown(down))",
            "tryAll(up)",
            "allTopDown(try(up))",
        ] {
            assert_eq!(of(loops), Ending::Loops, "{loops}");
        }
        // Its rules go round, and it doesn't.
        assert_eq!(of("repeat(topDown(up ;; down ;; down))"), Ending::MayLoop);
        for open in [
            "normalize(mu(|x| addZero <+ body(x)))",
            "repeat(try(addZero) ;; where(mulOne))",
            "repeat(not(addZero) ;; try(mulOne))",
            "repeat((addZero <+ where(mulOne)) ;; where(mulOne))",
        ] {
            assert_eq!(of(open), Ending::NotKnown, "{open}");
        }
    });
}

/// Of native rules nothing is known, so that laws that end beside them don't make the whole end.
#[test]
fn what_has_no_laws_is_in_the_way() {
    deep(|| {
        let of = |all: &str| {
            let found = found(&format!("strategy all = {all};"), SearchBounds::default());
            (found.ending, found.answers.iter().flat_map(|answer| answer.unread.clone()).collect::<Vec<String>>())
        };
        assert_eq!(of("normalize(mulOne <+ ifKnown)"), (Ending::NotKnown, vec!["ifKnown".to_owned()]));
        assert_eq!(of("normalize(mulOne <+ where(addZero))").0, Ending::NotKnown);
        assert_eq!(of("normalize(mulOne <+ addZero)"), (Ending::Ends, Vec::new()));
        assert_eq!(of("normalize(mulOne) ;; try(beta)").0, Ending::Ends);
        assert_eq!(of("try(beta)").0, Ending::Ends);
        // Beside a repetition that ends there may be what doesn't.
        assert_eq!(of("mu(|x| try(normalize(mulOne) ;; x))").0, Ending::NotKnown);
        assert_eq!(of("mu(|x| try(mulOne) ;; all(x)) ;; normalize(mulOne)").0, Ending::NotKnown);
        assert_eq!(of("force(repeat(id)) ;; normalize(mulOne)").0, Ending::NotKnown);
    });
}

#[test]
fn the_laws_of_most_shipped_stages_are_proved() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/strategies/gradient.strat");
        let text = std::fs::read_to_string(path).expect("the schedule");
        interpreter.run_script("gradient.strat", &text, &[]).expect("it runs");
        let mut all: Vec<(String, Vec<Rule>)> = Vec::new();
        let names: Vec<String> = interpreter.strategies().into_iter().map(|one| one.usage).collect();
        for name in names.iter().filter(|name| !name.contains('(') && text.contains(&format!("strategy {name} "))) {
            let strategy = interpreter.strategy(name).expect("a strategy");
            let repeated = repetitions(&strategy).into_iter().map(|repetition| repetition.rules);
            let mut sets: Vec<Vec<Rule>> = repeated.collect();
            if sets.is_empty() {
                sets.extend(choices_in(&strategy).into_iter().next());
            }
            all.extend(sets.into_iter().map(|rules| (name.clone(), rules)));
        }
        let mut distinct: Vec<Vec<Rule>> = Vec::new();
        all.retain(|(_, rules)| {
            let is_new = rules.len() > 1 && !distinct.contains(rules);
            distinct.extend(is_new.then(|| rules.clone()));
            is_new
        });
        let found: Vec<(&String, LawProof)> =
            all.iter().map(|(name, rules)| (name, proof(rules, &Budget::default()).expect("no limit"))).collect();
        // Where all laws are substitutions, or rules are native, nothing is left to be proved.
        let open: Vec<_> = found.iter().filter(|(_, proof)| !proof.open.is_empty()).collect();
        assert!(
            found.len() >= 22 && open.len() * 100 <= found.len() * 18,
            "{} of {}: {open:?}",
            open.len(),
            found.len()
        );
    });
}

/// A side of a random law, over these variables.
fn side(random: &mut Random, depth: u32, vars: &[&str]) -> String {
    if depth == 0 || random.chance(25) {
        let number = vars.is_empty() || random.chance(20);
        return (*random.pick(if number { &["0", "1", "2"] } else { vars })).to_owned();
    }
    let mut part = || side(random, depth - 1, vars);
    let (a, b) = (part(), part());
    match random.below(4) {
        0 => format!("sin ({a})"),
        1 => format!("exp ({a})"),
        2 => format!("({a}) * ({b})"),
        _ => format!("({a}) + ({b})"),
    }
}

/// Two to four rules, of one law each, some with a condition.
fn random_set(seed: u64) -> String {
    let mut random = Random::new(seed);
    let names: Vec<String> = (0..2 + random.below(3)).map(|k| format!("r{k}")).collect();
    let mut text = String::new();
    for name in &names {
        let inner = side(&mut random, 1, &["x", "y"]);
        let left = match random.below(3) {
            0 => format!("sin ({inner})"),
            1 => format!("exp ({inner})"),
            _ => format!("({inner}) * ({})", side(&mut random, 1, &["x"])),
        };
        let used: Vec<&str> = ["x", "y"].into_iter().filter(|var| left.replace("exp", "").contains(var)).collect();
        let right = side(&mut random, 2, &used);
        let conditions: &[&str] =
            if used.contains(&"x") { &["", "", "where literal(x)", "where not literal(x)"] } else { &[""] };
        text += &format!("rule {name} = `{left} --> {right}` {} unchecked; ", random.pick(conditions));
    }
    format!("{text}strategy all = normalize({});", names.join(" <+ "))
}

/// Whether the steps of a way round are the rules' own, and the strategy still goes on after many more steps than those that it
/// was judged by.
fn assert_goes_on(strategy: &Strategy, way: &WayRound, text: &str) {
    for ((rule, path), terms) in way.steps.iter().zip(way.terms.windows(2)) {
        let (context, here) = site(&terms[0], path).expect("a place");
        let made = rule.apply(&Focus::new(&here, &context, &way.program.bounds)).expect("a redex");
        assert_eq!(replaced(&terms[0], &path.0, &made).as_ref(), Some(&terms[1]), "{text}");
    }
    let limits = Limits { max_steps: 1_000, max_size: 200_000, ..Limits::default() };
    if let Ok(done) = run(strategy, &way.program, &Budget::new(limits, None), cheaper_total) {
        assert!(matches!(done.outcome, Outcome::Looping(_)), "{text}it ends");
    }
}

/// No set of which all laws are proved has a way round or is seen to go round on random terms, and each way round that is said
/// was gone by the real matcher.
#[test]
fn no_random_set_is_proved_that_goes_round() {
    deep(|| {
        let sets = if is_extended() { 10_000 } else { 200 };
        let (mut ends, mut loops, mut may, mut unknown) = (0, 0, 0, 0);
        for seed in 0..sets {
            let text = random_set(seed);
            let (mut interpreter, _) = interpreter();
            let found = found_by(&mut interpreter, &text, DOUBTING);
            let answer = &found.answers[0];
            match answer.ending {
                _ if answer.proof.is_whole() => {
                    assert!(answer.way.is_none(), "{text}{:?}{:?}", answer.proof, answer.way);
                    let mut random = Random::new(seed);
                    for _ in 0..3 {
                        let term = format!("fun (x y : real) => {}", side(&mut random, 4, &["x", "y"]));
                        let LineValue::Program { program, .. } =
                            interpreter.eval_line(&format!("term(\"{term}\")")).expect("a term")
                        else {
                            panic!("{term}")
                        };
                        let budget = Budget::new(Limits { max_steps: 500, ..Limits::default() }, None);
                        if let Ok(done) = run(&found.strategy, &program, &budget, cheaper_total) {
                            assert!(!matches!(done.outcome, Outcome::Looping(_)), "{text}goes round on {term}");
                        }
                    }
                    ends += 1;
                }
                Ending::Loops => {
                    assert_goes_on(&found.strategy, answer.way.as_ref().expect("a way round"), &text);
                    loops += 1;
                }
                Ending::MayLoop => may += 1,
                _ => unknown += 1,
            }
        }
        println!("{sets} sets: {ends} end, {loops} loop, {may} may loop, {unknown} aren't known");
        assert!(ends * 4 > sets && loops * 50 > sets, "{ends} {loops} {may} {unknown}");
    });
}
