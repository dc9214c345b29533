//! Rule sets that go round are found from their laws, and those that end aren't accused.

use crate::support::script::{deep, interpreter};
use redexter::ends::{Ending, EndingAnswer, SearchBounds, endings};
use redexter::ground::Budget;
use redexter::rule::Rule;

/// Sets of rules with a strategy `all`; the first line says whether it ends or loops.
const SETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rule-sets");

/// Fewer chains than usual, because sets that end go through all of them.
const FEW: SearchBounds = SearchBounds { laws: 5, nodes: 60, chains: 300 };

fn answers(text: &str, seeds: &dyn Fn(&Rule) -> bool) -> Vec<EndingAnswer> {
    let (mut interpreter, _) = interpreter();
    interpreter.run_script("set.strat", text, &[]).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
    let strategy = interpreter.strategy("all").expect("a strategy");
    endings(&strategy, seeds, FEW, &Budget::default()).expect("no limit")
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
