//! Rules without words: an attempt does what the rule does, and inspects no more than it says.

use crate::support::{book, computed};
use book::World;
use computed::closed;
use redexter::check::Law;
use redexter::ground::Name;
use redexter::rule::{Focus, Footprint, Frame, FreshSubterms, KidSet, Miss, Rule, RuleBody, RuleChoice, RuleInfo};
use redexter::sound::{Templates, sample};
use redexter::term::{ConstructorGroups, Head, Prim, Program, Size, Term};
use redexter_reference::rewrite;

/// A rule as users write them; one with a parameter at 2.
fn own(world: &World, text: &str) -> Rule {
    let info = world.own(text);
    let arguments = vec![2; info.params.len()];
    Rule::new(info, &arguments)
}

/// Programs that hold what the rule is for.
fn samples(templates: &Templates, info: &RuleInfo, count: u64) -> Vec<Program> {
    let some = |seed| sample(info, templates, seed).expect("its laws are well-typed");
    (0..count).filter_map(some).map(|(program, _)| program).collect()
}

/// Does something at every node; it gets what stands above, too.
fn everywhere(term: &Term, above: &mut Vec<Frame>, work: &mut impl FnMut(&Term, &[Frame])) {
    work(term, above);
    for (kid, next) in term.kids().into_iter().enumerate() {
        above.push(Frame { term: term.clone(), kid });
        everywhere(&next, above, work);
        above.pop();
    }
}

/// The same with a subterm replaced; `None` where a variable would get two types.
fn put(term: &Term, way: &[u32], new: Term) -> Option<Term> {
    let Some((first, rest)) = way.split_first() else { return Some(new) };
    let kid = put(&term.kid(*first as usize), rest, new)?;
    term.with_kid(*first as usize, kid).ok()
}

/// The ways to subterms, the empty one left out.
fn ways(term: &Term, depth: usize) -> Vec<(Vec<u32>, Term)> {
    let mut all = Vec::new();
    for (k, kid) in term.kids().into_iter().enumerate().filter(|_| depth > 0) {
        let below = ways(&kid, depth - 1).into_iter();
        all.extend(below.map(|(way, part)| ([vec![k as u32], way].concat(), part)));
        all.push((vec![k as u32], kid));
    }
    all
}

/// Terms of the same type whose free variables are used as often, and as often in loops.
fn disguises(part: &Term) -> Vec<Term> {
    let one = Size::literal(1);
    let element = || Term::get(Term::array(part.ty(), vec![part.clone()]).ok()?, Term::fin(0, one.clone()).ok()?).ok();
    let prim = |p, all: Vec<Term>| Term::prim(p, all).ok();
    let choice = |c| Term::if_else(Term::int(c), part.clone(), closed(part.ty(), 0.0)?).ok();
    let all = [
        Term::let_in(&Name::new("y"), Term::real(0.0), part.shift(1)).ok(),
        Term::pair(part.clone(), Term::int(0)).and_then(Term::fst).ok(),
        element(),
        choice(0),
        choice(1),
        prim(Prim::Neg, vec![part.clone()]),
        prim(Prim::Add, vec![part.clone(), Term::real(0.0)]),
        prim(Prim::Mul, vec![Term::int(1), part.clone()]),
        (part.free().len() == 0).then(|| closed(part.ty(), 0.0)).flatten(),
    ];
    all.into_iter().flatten().collect()
}

/// Terms of the same type that use variables otherwise, those that nobody asks about.
fn strangers(footprint: &Footprint, term: &Term, way: &[u32], part: &Term) -> Vec<Term> {
    let (mut here, mut asked) = (term.clone(), Vec::new());
    for k in way {
        let binders = here.kind().binders(*k as usize);
        asked.splice(0..0, (0..binders).map(|_| footprint.occurrences.holds(here.kind())));
        here = here.kid(*k as usize);
    }
    let unasked = |i: &u32| !asked.get(*i as usize).copied().unwrap_or(false);
    if !part.free().all(|(i, _)| unasked(&i)) {
        return Vec::new();
    }
    let variables = (0..3).filter(|i| part.free_at(*i).is_none()).filter(unasked);
    let twice = Term::if_else(Term::int(1), part.clone(), part.clone()).ok();
    variables.map(|i| Term::var(i, part.ty())).chain(twice).chain(closed(part.ty(), 0.0)).collect()
}

#[derive(Default)]
struct Tally {
    near: usize,
    changed: usize,
    applied: usize,
    spoilt: usize,
}

/// An attempt rewrites as the laws say, read off their sides; where nothing else is asked, wherever they say so.
fn agrees(rule: &Rule, focus: &Focus) {
    let (found, info) = (rule.attempt(focus), rule.info());
    assert_eq!(rule.apply(focus).is_ok(), found.is_ok(), "{rule} on {:?}", focus.term);
    let RuleBody::Laws(laws) = &info.body else { return };
    let laws: Vec<&Law> = laws.iter().expect("they are well-typed").collect();
    let asks = !info.conditions.is_empty() || !info.params.is_empty();
    let expected = laws.iter().filter(|law| law.bounds.iter().all(|(_, lower)| lower == 0));
    let mut expected = expected.filter_map(|law| rewrite(law, focus.term)).map(|term| format!("{term:?}"));
    match found {
        Ok(_) if laws.iter().any(|law| law.bounds.iter().any(|(_, lower)| lower > 0)) => {}
        Ok(found) if asks => assert!(expected.any(|e| e == format!("{found:?}")), "{rule} on {:?}", focus.term),
        Ok(found) => assert_eq!(Some(format!("{found:?}")), expected.next(), "{rule} on {:?}", focus.term),
        Err(_) => assert!(asks || expected.next().is_none(), "{rule} on {:?}", focus.term),
    }
}

/// A miss stays one, whatever stands where the footprint doesn't reach and nothing deep was asked.
fn stays(footprint: &Footprint, attempt: &dyn Fn(&Term) -> Option<Miss>, term: &Term, tally: &mut Tally) {
    let below = match attempt(term) {
        Some(Miss::Near) => KidSet::NONE,
        Some(Miss::Deep(below)) => below,
        _ => return,
    };
    tally.near += 1;
    for (way, part) in ways(term, 6) {
        for other in others(footprint, term, &way, &part) {
            if below.has(way[0] as usize) || footprint.sees(term, way.iter().copied(), &other) {
                continue;
            }
            let Some(changed) = put(term, &way, other) else { continue };
            tally.changed += 1;
            assert!(attempt(&changed).is_some(), "{term:?}\nat {way:?}: {changed:?}");
        }
    }
}

/// The terms on a way, each with the number of the child.
fn frames(term: &Term, way: &[u32]) -> Vec<Frame> {
    let (mut frames, mut here) = (Vec::new(), term.clone());
    for kid in way.iter().map(|k| *k as usize) {
        let next = here.kid(kid);
        frames.push(Frame { term: here, kid });
        here = next;
    }
    frames
}

/// A rule that misses where nothing stands twice misses again, unless what comes into the term stands beside that, too.
fn repeats_stay(rule: &Rule, program: &Program, [changed, told]: &mut [usize; 2]) {
    everywhere(&program.term, &mut Vec::new(), &mut |term, above| {
        let applies = |term: &Term| rule.attempt(&Focus::new(term, above, &program.bounds)).is_ok();
        if applies(term) {
            return;
        }
        let all = ways(term, 5);
        for (way, part) in &all {
            let elsewhere = all.iter().map(|(_, other)| other).filter(|other| other.ty() == part.ty()).cloned();
            for other in disguises(part).into_iter().chain(elsewhere) {
                let news = FreshSubterms::of(part, &other);
                let Some(new) = put(term, way, other) else { continue };
                match news.is_some_and(|news| !news.stands_beside(&frames(term, way))) {
                    true => assert!(!applies(&new), "{rule}: {term:?}\nat {way:?}: {new:?}"),
                    false => *told += usize::from(applies(&new)),
                }
                *changed += 1;
            }
        }
    });
}

#[test]
fn what_misses_as_nothing_stands_twice_is_told_what_does_now() {
    let world = World::new();
    for rule in ["cse", "letReuse"].map(|name| world.rule(name)) {
        assert!(rule.footprint().repeats);
        let mut tally = [0, 0];
        for other in ["cse", "letReuse", "letBuild", "sumMerge"].map(|name| world.rule(name)) {
            let programs = samples(world.templates(), other.info(), 40);
            programs.iter().for_each(|program| repeats_stay(&rule, program, &mut tally));
        }
        println!("{rule}: {tally:?}");
        assert!(tally[0] > 5_000 && tally[1] > 10, "{rule}: {tally:?}");
    }
}

/// What may replace a subterm and is seen only where the footprint reaches.
fn others(footprint: &Footprint, term: &Term, way: &[u32], part: &Term) -> Vec<Term> {
    let mut others = disguises(part);
    others.extend(strangers(footprint, term, way, part));
    others
}

/// A redex spoilt near its root is one again when the part comes back; so the footprint reaches that.
fn comes_back(footprint: &Footprint, attempt: &dyn Fn(&Term) -> Option<Miss>, redex: &Term, tally: &mut Tally) {
    for (way, part) in ways(redex, 6) {
        for spoilt in others(footprint, redex, &way, &part).into_iter().filter_map(|other| put(redex, &way, other)) {
            if attempt(&spoilt) == Some(Miss::Near) {
                tally.spoilt += 1;
                let seen = footprint.sees(&spoilt, way.iter().copied(), &part);
                assert!(seen, "{redex:?}\nat {way:?}: {spoilt:?}");
            }
        }
    }
}

fn check_rule(templates: &Templates, rule: &Rule, count: u64) -> Tally {
    let mut tally = Tally::default();
    for program in samples(templates, rule.info(), count) {
        everywhere(&program.term, &mut Vec::new(), &mut |term, above| {
            let focus = Focus::new(term, above, &program.bounds);
            agrees(rule, &focus);
            let tried = rule.attempt(&focus);
            tally.applied += usize::from(tried.is_ok());
            let around = above.iter().map(|frame| &frame.term).chain([term]);
            let is_seen = tried.is_err() || around.into_iter().all(|whole| rule.footprint().may_apply_in(whole));
            assert!(is_seen, "{rule} applies where it doesn't: {term:?}");
            if tried == Err(Miss::Near) {
                assert!(rule.attempt(&Focus::root(term, &program.bounds)).is_err(), "{rule} asks about the place");
            }
            if !rule.footprint().may_apply_to(term) {
                assert_eq!(tried, Err(Miss::Near), "{rule} fits {:?}", term.kind());
                return;
            }
            let attempt = |t: &Term| rule.attempt(&Focus::new(t, above, &program.bounds)).err();
            match tried {
                Ok(_) => comes_back(rule.footprint(), &attempt, term, &mut tally),
                Err(_) => stays(rule.footprint(), &attempt, term, &mut tally),
            }
        });
    }
    tally
}

fn whole_book(part: usize, parts: usize) {
    let world = World::new();
    let templates = world.templates();
    let mut all = Tally::default();
    for rule in world.rules().iter().skip(part).step_by(parts) {
        let own = check_rule(templates, rule, 40);
        assert!(own.applied > 0, "{rule} applies nowhere");
        all.near += own.near;
        all.changed += own.changed;
        all.spoilt += own.spoilt;
    }
    println!("{} near misses, {} changes, {} spoilt redexes", all.near, all.changed, all.spoilt);
    assert!(all.near > 500 && all.changed > 5_000 && all.spoilt > 1_000);
}

#[test]
fn nodes_say_which_constructors_stand_in_them() {
    let world = World::new();
    let all: Vec<ConstructorGroups> = Head::all().map(ConstructorGroups::of).collect();
    let mut told = [0, 0];
    for rule in world.rules() {
        for program in samples(world.templates(), rule.info(), 4) {
            everywhere(&program.term, &mut Vec::new(), &mut |term, _| {
                let mut found = ConstructorGroups::default();
                everywhere(term, &mut Vec::new(), &mut |part, _| {
                    found = found.and(ConstructorGroups::of(part.kind().head()))
                });
                for groups in &all {
                    let stands = groups.are_in(found);
                    assert_eq!(term.holds(*groups), stands, "{groups:?} in {term:?}");
                    told[usize::from(stands)] += 1;
                }
            });
        }
    }
    assert!(told.iter().all(|count| *count > 10_000), "{told:?}");
}

#[test]
fn attempts_inspect_what_they_say_1() {
    whole_book(0, 2);
}

#[test]
fn attempts_inspect_what_they_say_2() {
    whole_book(1, 2);
}

/// Laws whose types and sizes have to be asked for, in all the ways there are; what they say is no matter here.
const OWN: &[&str] = &[
    "r = `(v : array 3 real)[i] --> v[i] + 0`",
    "r = `(v : array n (array n real))[i][j] --> v[j][i]`",
    "r = `(build (n + m) f)[(i : fin n) + (j : fin m)] --> f (i + j)`",
    "r = `(build (2 * n) f)[i] --> f i`",
    "r = `build n (fun i => build n (fun j => e(i, j))) --> build n (fun j => build n (fun i => e(j, i)))`",
    "r = `build n (fun i => build m (fun j => e(i))) --> build n (fun i => let x := e(i); build m (fun j => x))`",
    "r = `ifold n (fun a i => e(a, a, i)) z --> ifold n (fun b j => e(b, b, j)) z`",
    "r = `let x := a; let y := b; e(x, y) --> e(a, b)`",
    "r = `let x := a; let y := x; e(x, y) --> let x := a; e(x, x)`",
    "r = `fst (p : real * int) --> fst p + 0`",
    "r = `let x := (p : a * a); e(fst x) --> let y := fst p; e(y)`",
    "r = `let x := p; (e(fst x), e(fst x)) --> let x := p; let y := e(fst x); (y, y)`",
    "r = `real n * x --> x * real n`",
    "r = `ifold n f z + n --> n + ifold n f z`",
    "r = `[x, y][i] --> [y, x][i]`",
    "r = `if c then (f : fin n -> a) else g --> fun i => if c then f i else g i`",
    "r = `(i : fin n) < (j : fin n) --> j > i`",
    "r = `(i : fin n) + (j : fin m) = k --> k = i + j`",
    "r = `pow x (k : int) --> x * pow x (k - 1)`",
    "r = `(if c then a else b) + (if c then x else y) --> if c then a + x else b + y`",
    "r = `fun x => f x --> f`",
    "r = `(fun x => fun y => e(y, x)) a --> fun y => e(y, a)`",
    "r(k) = `build k f --> let g := f; build k g`",
    "r = `build n f --> let g := f; build n g` where n >= 1, n * n <= 9",
    "r = `let x := a; e(x) --> e(a)` where literal(a), not looped(x)",
    "r = `a + b --> b + a` where work(a) < work(b)",
    "r = `build n (fun i => v[i] + e(i)) --> build n (fun i => e(i) + v[i])` where free(i, e)",
];

#[test]
fn laws_of_all_types_are_tried_alike() {
    let world = World::new();
    let templates = world.templates();
    let rules: Vec<Rule> = OWN.iter().map(|text| own(&world, text)).collect();
    let mut applied = vec![0; rules.len()];
    for (k, rule) in rules.iter().enumerate() {
        let tally = check_rule(templates, rule, 60);
        applied[k] += tally.applied;
        for program in samples(templates, rule.info(), 20) {
            everywhere(&program.term, &mut Vec::new(), &mut |term, above| {
                let focus = Focus::new(term, above, &program.bounds);
                rules.iter().for_each(|other| agrees(other, &focus));
            });
        }
    }
    let never: Vec<&str> = OWN.iter().zip(&applied).filter(|(_, n)| **n == 0).map(|(text, _)| *text).collect();
    assert!(never.is_empty(), "{never:#?}");
}

/// A choice of rules is its rules in order, and looks where any of them does.
#[test]
fn alternatives_are_their_rules_in_order() {
    let world = World::new();
    let templates = world.templates();
    let rules = world.rules();
    for (k, chosen) in rules.windows(9).step_by(4).enumerate() {
        let choice = RuleChoice::new(chosen.to_vec());
        for program in chosen.iter().flat_map(|rule| samples(templates, rule.info(), 2)) {
            let mut tally = Tally::default();
            everywhere(&program.term, &mut Vec::new(), &mut |term, above| {
                let focus = Focus::new(term, above, &program.bounds);
                let first = chosen.iter().enumerate().find_map(|(k, rule)| Some((k, rule.apply(&focus).ok()?)));
                assert_eq!(choice.attempt(&focus).ok(), first, "choice {k}");
                let attempt = |t: &Term| choice.attempt(&Focus::new(t, above, &program.bounds)).err();
                match first {
                    Some(_) => comes_back(choice.footprint(), &attempt, term, &mut tally),
                    None => stays(choice.footprint(), &attempt, term, &mut tally),
                }
            });
        }
    }
}
