//! What ships.

use redexter::ground::Budget;
use redexter::syntax::parse_rule_book;

use crate::syntax::{model, sexp, whole};

/// Every shipped file of this kind, with its text.
fn shipped(folder: &str, extension: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder ships").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.extension().is_some_and(|e| e == extension));
    files.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("a text"))).collect()
}

#[test]
fn shipped_files_load() {
    for (path, text) in shipped("models", "arr") {
        let trouble = model(&text).err().map(|trouble| sexp::trouble(&whole(&text).0, &trouble));
        assert_eq!(trouble, None, "{path}");
    }
    for (path, text) in shipped("strategies/rules", "strat") {
        let (sources, region) = whole(&text);
        let book = parse_rule_book(&sources, region.source, &Budget::default());
        assert_eq!(book.err().map(|trouble| sexp::trouble(&sources, &trouble)), None, "{path}");
    }
}

/// What ships is read piece by piece, when it is first asked for: by these lists, which say what the parser says.
mod lists {
    use super::{Budget, whole};
    use redexter::ground::Name;
    use redexter::shipped;
    use redexter::syntax::{definitions, listed, parse_definition, parse_model, parse_rule, parse_rule_book};

    #[test]
    fn of_the_rule_book() {
        let mut seen = 0;
        for (_, text) in shipped::rules() {
            let (sources, region) = whole(text);
            let book = parse_rule_book(&sources, region.source, &Budget::default()).expect("a book");
            let found = listed(text);
            assert_eq!(found.len(), book.len());
            for (one, (group, rule)) in found.iter().zip(&book) {
                let region = redexter::ground::Span::new(region.source, one.range.start, one.range.end);
                let again = parse_rule(text, region, &Budget::default()).expect("a rule");
                assert_eq!(format!("{again:?}"), format!("{rule:?}"));
                assert_eq!((one.group, one.name, one.params), (&**group, rule.name.name.as_str(), rule.params.len()));
                let both = rule.laws.iter().any(|law| law.both_ways);
                assert_eq!(text[one.range.clone()].contains("<-->"), both);
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen} rules");
    }

    #[test]
    fn of_the_prelude() {
        let (sources, region) = whole(shipped::PRELUDE);
        let model = parse_model(&sources, region.source, &Budget::default()).expect("a model");
        let found = definitions(shipped::PRELUDE);
        assert_eq!(found.len(), model.definitions.len());
        for ((name, range), definition) in found.iter().zip(&model.definitions) {
            let region = redexter::ground::Span::new(region.source, range.start, range.end);
            let again = parse_definition(shipped::PRELUDE, region, &Budget::default()).expect("a definition");
            assert_eq!(Name::new(name), definition.name.name);
            assert_eq!(format!("{again:?}"), format!("{definition:?}"));
        }
    }
}
