//! What is said of a rule on a term, checked by hand: on prepared terms and on random ones.

use std::rc::Rc;

use redexter::check::Law;
use redexter::ground::{Budget, Random, with_stack};
use redexter::redex::{Redex, RuleFamily, families, replaced, site};
use redexter::rule::{Focus, Pattern, Rule, RuleBody, RuleInfo, RuleMismatch};
use redexter::sound::sample;
use redexter::term::{Kind, Path, Program, Term, View};
use redexter::walk::QuestionFinding;
use redexter::why::{NearMatch, Remedy, RuleAnswer, rule_at};

use super::book::World;
use super::rules::{first, infos};

/// Where the variable that stands at a place is bound.
fn binder(whole: &Term, path: &Path) -> Option<Path> {
    let (above, here) = site(whole, path)?;
    let View::Var(mut index) = here.view() else { return None };
    for (depth, frame) in above.iter().enumerate().rev() {
        let Some(outer) = index.checked_sub(frame.term.binders(frame.kid)) else {
            return Some(Path(path.0[..depth].to_vec()));
        };
        index = outer;
    }
    None
}

fn depth(whole: &Term, path: &Path) -> u32 {
    let (above, _) = site(whole, path).unwrap();
    above.iter().map(|frame| frame.term.binders(frame.kid)).sum()
}

/// What the rule makes of the term at a place.
fn rewritten(rule: &Rule, program: &Program, path: &Path) -> Option<Term> {
    let (context, term) = site(&program.term, path)?;
    let focus = Focus::new(&term, &context, &program.bounds);
    rule.apply(&focus).ok().filter(|contractum| *contractum != term)
}

/// Whether two nodes are the same but for what is below them.
fn alike(a: &Term, b: &Term) -> bool {
    a.number() == b.number()
        && a.kid_count() == b.kid_count()
        && match (a.kind(), b.kind()) {
            (Kind::Real(x), Kind::Real(y)) => x.to_bits() == y.to_bits(),
            (Kind::Int(x), Kind::Int(y)) => x == y,
            (Kind::Fin(x, _), Kind::Fin(y, _)) => x == y,
            (Kind::Prim(p), Kind::Prim(q)) => p == q,
            _ => true,
        }
}

/// All that an answer says is so.
#[track_caller]
pub fn hold(answer: &RuleAnswer) {
    let program = &answer.program;
    let name = answer.rule.split('(').next().unwrap();
    for Redex { rule, path, contractum, .. } in &answer.applies {
        assert_eq!(rewritten(rule, program, path).as_ref(), Some(contractum));
        assert_eq!(rule.info().name.as_str(), name);
    }
    for near in &answer.nearest {
        assert_eq!(rewritten(&near.rule, program, &near.path), None);
        if let Some(other) = &near.other {
            assert_eq!(other.info().name.as_str(), name);
            assert!(rewritten(other, program, &near.path).is_some(), "{other} doesn't apply");
        }
        differs_really(near, program);
    }
    for Remedy { redex, rule, path, .. } in &answer.remedies {
        assert_ne!(redex.rule.info().name.as_str(), name);
        assert_eq!(rewritten(&redex.rule, program, &redex.path).as_ref(), Some(&redex.contractum));
        let after = program.with(replaced(&program.term, &redex.path.0, &redex.contractum).expect("it fits"));
        assert_eq!(rule.info().name.as_str(), name);
        assert!(rewritten(rule, &after, path).is_some(), "after {} {rule} doesn't apply", redex.rule);
    }
    assert!(!answer.text(80.into()).is_empty());
    assert!(answer.json().is_object());
}

fn law(rule: &Rule, number: usize) -> Law {
    let RuleBody::Laws(laws) = &rule.info().body else { panic!("no law") };
    laws.iter().expect("laws").nth(number).expect("the law").clone()
}

#[track_caller]
fn differs_really(near: &NearMatch, program: &Program) {
    let whole = &program.term;
    let there = |path: &Path| path.find(whole).expect("a place");
    let law = near.explanation.law.as_ref().map(|(number, _)| law(&near.rule, *number));
    if let Some(law) = &law {
        let matches = Pattern::new("", std::slice::from_ref(law)).matches(&near.term);
        let asked = matches!(
            near.explanation.mismatch,
            RuleMismatch::Bound { .. } | RuleMismatch::Condition(_) | RuleMismatch::Words(_)
        );
        assert_eq!(matches, asked, "{near:?}");
    }
    match &near.explanation.mismatch {
        RuleMismatch::Form(form) => {
            assert_eq!(there(&form.path), form.found);
            let law = law.as_ref().expect("a law");
            let wanted = form.within.find(&law.left).expect("a piece");
            match wanted.kind() {
                Kind::Var => {
                    let View::Var(index) = wanted.view() else { panic!() };
                    assert!(!matches!(form.found.view(), View::Var(other) if other == index));
                }
                Kind::SizeVar(_) => {}
                _ => assert!(!alike(&wanted, &form.found), "{wanted:?} {:?}", form.found),
            }
            if let Some(behind) = &form.behind {
                assert!(alike(&wanted, &there(&behind.path)));
            }
        }
        RuleMismatch::Captures(captures) => {
            assert!(!captures.occurrences.is_empty());
            for place in &captures.occurrences {
                assert!(place.0.starts_with(&near.path.0));
                assert_eq!(binder(whole, place).as_ref(), Some(&captures.bound));
            }
        }
        RuleMismatch::Differs(differs) => {
            let [a, b] = &differs.at;
            assert_eq!([there(a), there(b)], differs.terms);
            if depth(whole, a) == depth(whole, b) {
                assert_ne!(differs.terms[0], differs.terms[1]);
            }
        }
        RuleMismatch::Size { wanted, found, .. } => assert_ne!(wanted.as_ref(), Some(found)),
        RuleMismatch::Type { wanted, found, .. } => assert_ne!(wanted.as_ref(), Some(found)),
        RuleMismatch::Bound { value, least, wanted, .. } => {
            assert_eq!(value.least(&program.bounds), *least);
            assert!(least < wanted);
        }
        RuleMismatch::Condition(facts) => {
            for (_, path, term) in &facts.terms {
                assert_eq!(there(path), *term);
            }
            for occurrences in &facts.occurrences {
                assert_eq!(occurrences.places.len(), (occurrences.count as usize).min(12));
                for place in &occurrences.places {
                    assert_eq!(binder(whole, place).as_ref(), Some(&occurrences.bound));
                }
            }
            if let [(_, Some(a)), (_, Some(b))] = &facts.numbers[..]
                && let (Some(a), Some(b)) = (a.as_literal(), b.as_literal())
                && facts.condition.contains(" <= ")
            {
                assert!(a > b, "{facts:?}");
            }
        }
        RuleMismatch::Words(words) => assert!(!words.is_empty()),
        RuleMismatch::Within { words, path, found } => {
            assert!(!words.is_empty() && path.0.starts_with(&near.path.0));
            assert_eq!(there(path), *found);
        }
        RuleMismatch::TooLarge | RuleMismatch::Unchanged => {}
    }
}

fn every_path(term: &Term, here: &mut Path, all: &mut Vec<Path>) {
    all.push(here.clone());
    for (k, kid) in term.kids().iter().enumerate() {
        here.0.push(k as u32);
        every_path(kid, here, all);
        here.0.pop();
    }
}

fn is_let(term: &Option<Term>) -> bool {
    term.as_ref().is_some_and(|term| matches!(term.kind(), Kind::Let(_)))
}

fn chosen<'a>(random: &mut Random, from: impl Iterator<Item = &'a RuleFamily>) -> Option<&'a RuleFamily> {
    let all: Vec<&RuleFamily> = from.collect();
    if all.is_empty() { None } else { Some(*random.pick(&all)) }
}

#[test]
fn what_is_said_of_random_places_is_so() {
    with_stack(100_000, || {
        let world = World::new();
        let (rules, families) = (infos(&world), families(world.book.iter()));
        let mut random = Random::new(15);
        let (mut asked, mut helped, mut others, mut kinds) = (0, 0, 0, [0; 8]);
        while asked < 2_000 {
            let info: &Rc<RuleInfo> = random.pick(&rules);
            let grown = sample(info, world.templates(), random.number()).expect("it is typed");
            let Some((program, _)) = grown else { continue };
            let mut paths = Vec::new();
            every_path(&program.term, &mut Path::default(), &mut paths);
            let lets: Vec<&Path> = paths.iter().filter(|path| is_let(&path.find(&program.term))).collect();
            let often = !lets.is_empty() && random.chance(10);
            let path = if often { *random.pick(&lets) } else { random.pick(&paths) };
            let there = path.find(&program.term).expect("a place");
            let likely = |family: &&RuleFamily| family.rules()[0].footprint().may_apply_to(&there);
            let textual = |family: &&RuleFamily| matches!(family.info().body, RuleBody::Laws(_));
            let family = match random.below(10) {
                _ if often => families.iter().find(|family| family.info().name.as_str() == "letSubstN"),
                0 => Some(random.pick(&families)),
                1 => chosen(&mut random, families.iter().filter(likely)),
                _ => chosen(&mut random, families.iter().filter(likely).filter(textual)),
            };
            let Some(family) = family else { continue };
            let rule = match !often && random.chance(50) {
                true => family.clone(),
                false => RuleFamily::from(&family.rules()[0]),
            };
            let at = random.chance(70).then_some(path);
            let answer = rule_at(&rule, &program, at, &families, &Budget::default());
            hold(&answer);
            assert_eq!(answer.stopped, None);
            if answer.does_apply() {
                continue;
            }
            asked += 1;
            helped += usize::from(!answer.remedies.is_empty());
            others += usize::from(answer.nearest.iter().any(|near| near.other.is_some()));
            if let Some(at) = at {
                assert_eq!(first(&answer).path, *at);
            }
            for near in &answer.nearest {
                kinds[match &near.explanation.mismatch {
                    RuleMismatch::Form(form) if form.behind.is_some() => 0,
                    RuleMismatch::Form(_) => 1,
                    RuleMismatch::Captures(_) => 2,
                    RuleMismatch::Differs(_) => 3,
                    RuleMismatch::Size { .. } | RuleMismatch::Type { .. } => 4,
                    RuleMismatch::Condition(_) => 5,
                    RuleMismatch::Words(_) | RuleMismatch::Within { .. } => 6,
                    RuleMismatch::Bound { .. } | RuleMismatch::TooLarge | RuleMismatch::Unchanged => 7,
                }] += 1;
            }
        }
        assert!(helped > 50 && others > 5, "{helped} {others}");
        assert!(kinds[..7].iter().all(|count| *count > 0), "{kinds:?}");
    })
    .expect("a thread");
}
