//! What `:rule` says of rules: each part of a page for each rule, and that what it says of others is so.

use crate::support::{book, session};
use std::path::Path;
use std::rc::Rc;

use book::World;
use redexter::ground::{Name, Nesting, Trouble};
use redexter::reply;
use redexter::rule::{EnablingChance, Focus, Frame, Rule, RuleBody, RuleInfo};
use redexter::session::SilentSink;
use redexter::session::{MemorySystem, Response, RulePage, Session, submit, words};
use redexter::sound::{RuleRelations, relations};
use redexter::term::{SizeBounds, Term};
use session::session;

const WIDTH: usize = 100;

fn prompt() -> Session {
    session(MemorySystem::default(), Nesting::default(), SilentSink)
}

#[track_caller]
fn page(session: &mut Session, name: &str) -> (RulePage, String) {
    let answer = submit(session, &format!(":rule {name}")).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
    let text = reply::answer(&answer, WIDTH).text().to_owned();
    let Response::Rule(page) = answer else { panic!("{name} has no page") };
    (*page, text)
}

#[track_caller]
fn helps(session: &mut Session, line: &str) -> Vec<String> {
    match submit(session, line) {
        Err(Trouble::Wrong(found)) => found[0].help.iter().map(ToString::to_string).collect(),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_rule_of_the_book_has_a_whole_page() {
    let mut session = prompt();
    let names = words(&session).rules;
    assert!(names.len() > 100);
    for name in names {
        let (page, text) = page(&mut session, &name);
        for part in ["\n  source: ", "\nexample\n  - ", "\n  + ", "\n  tested on "] {
            assert!(text.contains(part), "{name} has no {part:?}:\n{text}");
        }
        let info = &page.info;
        assert!(!info.laws.is_empty() && text.starts_with(&info.usage()), "{text}");
        for (condition, meaning) in info.conditions.iter().zip(info.meanings()) {
            // A condition of a rule without laws in text is a sentence itself.
            let native = matches!(info.body, RuleBody::Native(_));
            assert!(
                meaning.as_ref().map_or(native, |m| m.contains(" where ") && !m.contains('{')),
                "{condition}: {meaning:?}"
            );
        }
        assert_eq!(info.meanings().len(), info.conditions.len());
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }
}

#[test]
fn each_word_of_conditions_becomes_a_sentence() {
    let mut session = prompt();
    let mut says = |law: &str, conditions: &str| {
        submit(&mut session, &format!("rule r(k) = `{law}` where {conditions} unchecked")).unwrap();
        let (page, _) = page(&mut session, "r");
        page.info.meanings().into_iter().map(Option::unwrap).collect::<Vec<_>>().join("\n")
    };
    let lets = "let x := a; b(x) --> b(a)";
    assert_eq!(
        says(lets, "safe(x), not literal(a)"),
        "only where x may be replaced by its value without repeating work\nnever where a is a number"
    );
    assert_eq!(
        says(lets, "occurrences(x) + 2 * work(a) < k, loops(a) != 1"),
        "only where the number of times that x occurs plus 2 times what running a once takes in flops, compares, reads and writes is less than k\n\
         only where the number of enclosing loop variables that a mention together isn't 1"
    );
    assert_eq!(says("a + b --> b + a", "tangent(a, b)").split(" depends").next(), Some("only where one of a, b"));
    assert_eq!(says("k + b --> b + k", "zero(b)"), "only where b is the number 0");
    assert_eq!(says("a + b --> b + a", "holds(|e| e.size > 1, a)"), "only where the script's function gives `true`");
    assert_eq!(
        says("a + b --> b + a", "not holds(|e| e.size > 1, a)"),
        "only where the script's function gives `false`"
    );
}

#[test]
fn rules_of_users_have_pages() {
    let mut session = prompt();
    submit(&mut session, "rule mine = `a - b <--> a + (0 - b)` real_exact unchecked").unwrap();
    submit(
        &mut session,
        "rule turn = computed(|t| if t.kind == \"+\" { t.rebuild([t.child(1), t.child(0)]) } else { fail })",
    )
    .unwrap();
    submit(&mut session, "rule never = computed(|t| fail) unchecked").unwrap();
    let (page, text) = self::page(&mut session, "mine");
    assert_eq!(page.source, "defined in this session");
    assert_eq!(page.relations.undone_by.iter().map(ToString::to_string).collect::<Vec<_>>(), ["mine.reverse"]);
    assert!(page.relations.enables.iter().any(|(name, _)| name.as_str() == "constFold"), "{text}");
    assert!(self::page(&mut session, "turn").1.contains("\nexample\n"));
    assert!(
        self::page(&mut session, "never")
            .1
            .ends_with("no example: it applies to none of the terms that were made from left sides\n")
    );
    let memory = MemorySystem::default();
    memory.put(Path::new("own.strat"), b"// Mine.\nrule own = `x + x --> 2 * x`;\n");
    let mut session = self::session::session(memory, Nesting::default(), SilentSink);
    submit(&mut session, ":load own.strat").unwrap();
    assert_eq!(self::page(&mut session, "own").0.source, "own.strat, line 2");
}

#[test]
fn what_is_no_rule_gets_the_nearest_and_the_list() {
    let mut session = prompt();
    let lists = "`:rules`, or `redexter rules`, lists the rules";
    assert_eq!(helps(&mut session, ":rule getBild"), ["did you mean `getBuild`?", lists]);
    assert_eq!(helps(&mut session, ":rule nothingLikeIt"), [lists]);
    assert_eq!(helps(&mut session, ":rule topDown"), ["write `:strategies topDown`", lists]);
    assert_eq!(helps(&mut session, ":rule fastGradient"), ["write `:strategies fastGradient`", lists]);
}

/// Whether a rule applies somewhere in a term.
fn applies(rule: &Rule, term: &Term, above: &mut Vec<Frame>) -> bool {
    rule.apply(&Focus::new(term, above, &SizeBounds::default())).is_ok()
        || (0..term.kid_count()).any(|kid| {
            above.push(Frame { term: term.clone(), kid });
            let below = applies(rule, &term.kid(kid), above);
            above.pop();
            below
        })
}

/// Every rule with laws that applies to an example's end and not to its beginning is one that is said.
#[test]
fn what_a_rule_enables_is_said() {
    let world = World::new();
    let all: Vec<_> = world.book.iter().cloned().collect();
    let textual = |info: &&Rc<RuleInfo>| matches!(info.body, RuleBody::Laws(_));
    let mut seen = 0;
    for info in all.iter().filter(textual) {
        let said = relations(world.templates(), info, &all).expect("relations");
        for example in world.templates().examples(info).expect("examples") {
            for other in all.iter().filter(textual).filter(|other| other.name != info.name && !said.open) {
                let rule = Rule::new(other.clone(), &vec![1; other.params.len()]);
                let [before, after] =
                    [&example.before, &example.after].map(|term| applies(&rule, term, &mut Vec::new()));
                if after && !before {
                    seen += 1;
                    assert!(
                        said.enables.iter().any(|(name, _)| *name == other.name),
                        "{} enables {}",
                        info.name,
                        other.name
                    );
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn what_stays_as_it_was_is_not_enabled() {
    let world = World::new();
    let all: Vec<_> = world.book.iter().cloned().collect();
    let of = |name: &str| {
        let info = all.iter().find(|info| info.name.as_str() == name).unwrap();
        relations(world.templates(), info, &all).unwrap()
    };
    let found = of("getBuild");
    let chance =
        |found: &RuleRelations, name: &str| found.enables.iter().find(|(n, _)| n.as_str() == name).map(|(_, c)| *c);
    assert_eq!([chance(&found, "beta"), chance(&found, "addZero")], [Some(EnablingChance::May), None]);
    assert!(!found.open && found.undone_by.is_empty(), "{found:?}");
    let found = of("distribute");
    assert_eq!(
        [chance(&found, "distribute.reverse"), chance(&found, "subSelf")],
        [Some(EnablingChance::Fits), Some(EnablingChance::May)]
    );
    assert_eq!([chance(&found, "getBuild"), chance(&found, "letDead")], [None; 2]);
    let undone: Vec<&str> = found.undone_by.iter().map(Name::as_str).collect();
    assert_eq!(undone, ["factor", "distribute.reverse"]);
    assert_eq!(chance(&of("letPair"), "letSubstSafe"), Some(EnablingChance::Fits));
    assert!(of("addZero").open && of("letSubst").open);
}
