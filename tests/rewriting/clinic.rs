//! Larger rule sets, as simplifiers have them: what was found of each is found again.

use crate::support::script::{deep, interpreter};
use redexter::ends::{Ending, SearchBounds, endings};
use redexter::ground::Budget;

/// Where the ways round that are known lie.
const NEAR: SearchBounds = SearchBounds { laws: 3, nodes: 60, chains: 1_000, needless: false };

/// A strategy, what is said of it, and the rules of the way round.
type Said = (&'static str, Ending, &'static [&'static str]);

/// Each file with its strategies: as written, and cured.
const FOUND: [(&str, [Said; 2]); 5] = [
    (
        "algebra",
        [("simplify", Ending::MayLoop, &["constFirst", "expand", "collect"]), ("collected", Ending::Ends, &[])],
    ),
    ("masks", [("masks", Ending::Loops, &["addSelect", "selectAdd"]), ("outwards", Ending::NotKnown, &[])]),
    ("layout", [("layout", Ending::Loops, &["transposeAdd", "transposeOut"]), ("inwards", Ending::Ends, &[])]),
    ("elementary", [("elementary", Ending::Loops, &["expSum", "expTimes"]), ("gathered", Ending::Ends, &[])]),
    ("comparisons", [("comparisons", Ending::Loops, &["equalTurned"]), ("tidied", Ending::NotKnown, &[])]),
];

#[test]
fn what_was_found_of_larger_sets_is_found_again() {
    deep(|| {
        for (file, strategies) in FOUND {
            let path = format!("{}/examples/clinic/{file}.strat", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a set");
            assert!(text.lines().filter(|line| line.starts_with("rule ")).count() >= 25, "{file}");
            let (mut interpreter, _) = interpreter();
            interpreter.run_script("clinic.strat", &text, &[]).expect("rules");
            for (name, ending, rules) in strategies {
                let strategy = interpreter.strategy(name).expect("a strategy");
                let found = endings(&strategy, &|_| true, NEAR, &Budget::default());
                let way: Vec<String> =
                    found.answers[0].way.iter().flat_map(|way| &way.steps).map(|(rule, _)| rule.to_string()).collect();
                assert_eq!(
                    (found.ending, way),
                    (ending, rules.iter().map(|rule| (*rule).to_owned()).collect()),
                    "{name}"
                );
            }
        }
    });
}
