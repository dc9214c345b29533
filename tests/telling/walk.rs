//! Where steps stop, where marks and the focus are, what is found: against what the whole trace and searches by hand say.

use crate::support::{book, walks};
use std::collections::BTreeMap;
use std::rc::Rc;

use book::World;
use redexter::cost::{self, Poly};
use redexter::ground::{Name, Random};
use redexter::session::{self, Response, Session};
use redexter::strategy::{Profile, Step, Trace};
use redexter::term::{Path, Term, View};
use redexter::walk::{FocusedSubterm, RunRemainder, WalkAnswer, WalkHalt, WalkRun};
use walks::{deep, opened, taken, walked};

fn whole_trace() -> Rc<Trace> {
    taken(&mut opened("perceptron", "gradient"), "fastGradient").trace
}

/// What steps of two sessions have in common, whose rules are theirs.
fn told(steps: &[Step]) -> Vec<(String, Path, &Term, &Term)> {
    steps.iter().map(|step| (step.rule().to_string(), step.path(), &step.redex, &step.contractum)).collect()
}

fn within(step: &Step) -> Vec<&str> {
    step.within().iter().map(|name| &**name).collect()
}

/// Whether these names begin to stand around a step, one directly in the other.
fn enters(names: &[&str], last: Option<&Step>, next: &Step) -> bool {
    let (around, last) = (within(next), last.map_or(Vec::new(), within));
    (0..around.len()).any(|from| {
        let end = from + names.len();
        around.get(from..end) == Some(names) && last.get(..end) != Some(&around[..end])
    })
}

#[test]
fn runs_stop_before_the_steps_that_breakpoints_mean_and_nowhere_else() {
    deep(|| {
        let (whole, world) = (whole_trace(), World::new());
        let pattern = world.pattern("(build n f)[i]");
        let path = Path::parse("body.body.body", &whole.start).unwrap();
        type Stops<'a> = &'a dyn Fn(Option<&Step>, &Step) -> bool;
        let cases: [(&str, Stops); 6] = [
            ("unzip", &|last, next| enters(&["unzip"], last, next)),
            ("unzip/basics", &|last, next| enters(&["unzip", "basics"], last, next)),
            ("fastGradient", &|last, next| enters(&["fastGradient"], last, next)),
            ("beta", &|_, next| next.rule().info().name.as_str() == "beta"),
            (".body.body.body", &|_, next| next.path().0.starts_with(&path.0)),
            ("`(build n f)[i]`", &|_, next| pattern.matches(&next.redex)),
        ];
        for (address, stops) in cases {
            let mut session = opened("perceptron", "gradient");
            walked(&mut session, &format!(":break {address}"));
            let (mut at, mut line, mut stopped) = (0, "fastGradient", 0);
            loop {
                let run = taken(&mut session, line);
                let first = if line == ":continue" { at + 1 } else { at };
                let wanted = (first..whole.steps.len())
                    .find(|k| stops(k.checked_sub(1).map(|last| &whole.steps[last]), &whole.steps[*k]));
                let until = wanted.unwrap_or(whole.steps.len());
                assert_eq!(told(&run.trace.steps), told(&whole.steps[at..until]), "{address} from {at}");
                (at, line) = (at + run.trace.steps.len(), ":continue");
                match run.rest {
                    RunRemainder::Pending => {
                        assert!(matches!(run.halt, Some(WalkHalt::Break { number: 1, .. })), "{address}")
                    }
                    _ => break,
                }
                stopped += 1;
            }
            assert!(at == whole.steps.len() && stopped > 0, "{address}");
        }
    });
}

#[test]
fn a_breakpoint_that_was_removed_stops_nothing() {
    let mut session = opened("dot", "gradient");
    walked(&mut session, ":break beta");
    walked(&mut session, ":break buildAt");
    walked(&mut session, ":unbreak 1");
    assert!(matches!(taken(&mut session, "fastGradient").halt, Some(WalkHalt::Break { number: 2, .. })));
    assert!(session::submit(&mut session, ":unbreak 1").is_err());
    walked(&mut session, ":unbreak");
    assert!(matches!(taken(&mut session, ":continue"), WalkRun { halt: None, rest: RunRemainder::None, .. }));
}

#[test]
fn next_takes_stages_and_finish_ends_them() {
    deep(|| {
        let whole = whole_trace();
        let steps = &whole.steps;
        let all: Vec<Vec<&str>> = steps.iter().map(within).collect();
        let mut random = Random::new(7);
        for _ in 0..6 {
            let mut session = opened("perceptron", "gradient");
            taken(&mut session, ":step fastGradient");
            let (mut at, mut calls) = (1, 0);
            while at < steps.len() && calls < 60 {
                calls += 1;
                let (line, end) = match random.below(4) {
                    0 => {
                        let inside = |k: &usize| all[*k].starts_with(&all[at - 1]);
                        (":finish", (at..steps.len()).find(|k| !inside(k)).unwrap_or(steps.len()))
                    }
                    1 => (":step", at + 1),
                    _ => {
                        let common = all[at].iter().zip(&all[at - 1]).take_while(|(one, other)| one == other).count();
                        let inside = |k: &usize| all[at].len() > common && all[*k].starts_with(&all[at][..=common]);
                        (":next", (at + 1..steps.len()).find(|k| !inside(k)).unwrap_or(steps.len()))
                    }
                };
                let run = taken(&mut session, line);
                assert_eq!(run.trace.steps.len(), end - at, "{line} from {at}");
                assert_eq!((run.first, told(&run.trace.steps)), (at + 1, told(&steps[at..end])));
                at = end;
            }
        }
    });
}

#[test]
fn until_stops_at_the_first_term_for_which_something_holds() {
    deep(|| {
        let (whole, world) = (whole_trace(), World::new());
        let terms: Vec<Term> = std::iter::once(whole.start.clone()).chain(whole.terms()).collect();
        let work = Poly::read("500*n*d*h").unwrap();
        let pattern = world.pattern("0 + x");
        let size = terms[0].size();
        let bound = format!("size < {}", size - 20);
        type Holds<'a> = &'a dyn Fn(usize, &Term) -> bool;
        let cases: [(&str, Holds); 6] = [
            ("`0 + x`", &|_, term| pattern.occurs_in(term)),
            ("work < 500*n*d*h", &|_, term| cost::work(term).total().is_below(&work)),
            (&bound, &|_, term| term.size() < size - 20),
            ("steps >= 17", &|steps, _| steps >= 17),
            ("size >= 1", &|_, _| true),
            ("size > 1_000_000_000", &|_, _| false),
        ];
        for (condition, holds) in cases {
            let mut session = opened("perceptron", "gradient");
            walked(&mut session, ":break fastGradient");
            taken(&mut session, "fastGradient");
            walked(&mut session, ":unbreak");
            let wanted = terms.iter().enumerate().find(|(k, term)| holds(*k, term));
            let run = taken(&mut session, &format!(":until {condition}"));
            assert_eq!(run.trace.steps.len(), wanted.map_or(whole.steps.len(), |(k, _)| k), "{condition}");
            assert_eq!(matches!(run.halt, Some(WalkHalt::Reached(_))), wanted.is_some(), "{condition}: {:?}", run.halt);
            assert_eq!(matches!(run.halt, Some(WalkHalt::Never(_))), wanted.is_none(), "{condition}");
        }
    });
}

#[test]
fn steps_after_an_undo_keep_their_numbers() {
    let mut session = opened("dot", "gradient");
    taken(&mut session, ":step fastGradient");
    taken(&mut session, ":step 3");
    walked(&mut session, ":undo");
    assert_eq!(taken(&mut session, ":step 2").first, 2);
    assert_eq!(taken(&mut session, ":next").first, 4);
}

fn current(session: &mut Session) -> Term {
    walked(session, ":tag now");
    match walked(session, ":diff @now") {
        WalkAnswer::Difference { after, .. } => after.term,
        other => panic!("{other:?}"),
    }
}

/// What a term binds in a child.
fn binders(term: &Term, kid: usize) -> Vec<Name> {
    let name = match term.view() {
        View::Lam(name, ..) => name,
        View::Let(name, ..) => name,
        _ => Name::new("_"),
    };
    (0..term.binders(kid)).map(|_| name.clone()).collect()
}

/// A subterm whose variables say what binds them: by name what stands between it and the root, by distance the rest.
fn unbound(term: &Term, binders: &[Name], names: &mut Vec<Name>) -> (usize, Term) {
    let mut at = |index: u32| match binders.len().checked_sub(index as usize + 1) {
        None => index - binders.len() as u32,
        Some(k) => {
            let known = names.iter().position(|name| *name == binders[k]);
            let number = known.unwrap_or_else(|| {
                names.push(binders[k].clone());
                names.len() - 1
            });
            100_000 + number as u32
        }
    };
    let free: Vec<(u32, u32, redexter::term::Type)> =
        term.free().map(|(index, free)| (index, at(index), free.ty.clone())).collect();
    let to = |index: u32| {
        let (_, to, ty) = free.iter().find(|(known, ..)| *known == index).expect("a free variable");
        Term::var(*to, ty)
    };
    (free.len(), term.substitute(&to).expect("the same types"))
}

/// Every subterm on the way from the root down, with its path and the binders around it.
fn subterms(term: &Term) -> Vec<(Path, Vec<Name>, Term)> {
    let mut all = vec![(Path::default(), Vec::new(), term.clone())];
    let mut at = 0;
    while at < all.len() {
        let (path, names, here) = all[at].clone();
        let kids = (0..here.kid_count()).map(|k| {
            let mut below = path.clone();
            below.0.push(k as u32);
            (below, names.iter().cloned().chain(binders(&here, k)).collect(), here.kid(k))
        });
        all.extend(kids.collect::<Vec<_>>());
        at += 1;
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// Where a subterm stands after a step, found by comparing all subterms.
fn followed(place: &Path, step: &Step) -> Path {
    let at = step.path();
    let Some(inner) = place.0.strip_prefix(&at.0[..]).filter(|inner| !inner.is_empty()) else { return place.clone() };
    let mut names = Vec::new();
    let before = subterms(&step.redex).into_iter().find(|(path, ..)| path.0 == inner).expect("a subterm");
    let sought = unbound(&before.2, &before.1, &mut names);
    let found = subterms(&step.contractum)
        .into_iter()
        .find(|(_, around, term)| before.2.size() == term.size() && unbound(term, around, &mut names) == sought);
    Path(at.0.into_iter().chain(found.map_or_else(Vec::new, |(path, ..)| path.0)).collect())
}

fn mark(session: &mut Session, name: &str, now: &Term) -> Path {
    let WalkAnswer::Marks(all) = walked(session, ":mark") else { panic!("no marks") };
    let place = all.into_iter().find(|(known, _)| known == name).and_then(|(_, place)| place).expect("a place");
    Path::parse(&place.0, now).expect("a path of the current term")
}

#[test]
fn marks_and_the_focus_follow_their_subterms() {
    deep(|| {
        let (mut moved, mut checked) = (0, 0);
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let model = ["dot", "vector_sum", "perceptron"][random.below(3)];
            let mut session = opened(model, "gradient");
            taken(&mut session, ":step fastGradient");
            let places = subterms(&current(&mut session));
            let (mut place, ..) = places[random.below(places.len())].clone();
            let now = current(&mut session);
            walked(&mut session, &format!(":at .{}", place.display(&now)));
            walked(&mut session, ":mark m");
            let mut known = vec![(0, place.clone())];
            let mut steps = 0;
            for _ in 0..12 {
                let run = taken(&mut session, &format!(":step {}", random.below(6) + 1));
                for step in &run.trace.steps {
                    let next = followed(&place, step);
                    moved += usize::from(next != place);
                    place = next;
                }
                steps += run.trace.steps.len();
                known.push((steps, place.clone()));
                let now = current(&mut session);
                assert_eq!(mark(&mut session, "m", &now), place, "seed {seed} after {steps} steps");
                let focus = session.focus().unwrap_or_else(|| ".".to_owned());
                assert_eq!(focus, format!(".{}", place.display(&now)), "seed {seed}: the focus goes along");
                checked += 1;
                if run.rest != RunRemainder::Pending {
                    break;
                }
            }
            for _ in 0..6 {
                let (after, place) = known[random.below(known.len())].clone();
                walked(&mut session, &format!(":goto {}", after + 1));
                let now = current(&mut session);
                assert_eq!(mark(&mut session, "m", &now), place, "seed {seed} gone to {after}");
            }
        }
        assert!(moved > 20 && checked > 200, "{moved} {checked}");
    });
}

fn focus(answer: WalkAnswer) -> Box<FocusedSubterm> {
    match answer {
        WalkAnswer::Focus(focus) => focus,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_found_is_where_the_pattern_matches() {
    deep(|| {
        let world = World::new();
        for (model, definition) in [("perceptron", "gradient"), ("dot", "gradient"), ("mixture", "gradientAlpha")] {
            let mut session = opened(model, definition);
            let whole = current(&mut session);
            for text in ["fst a", "a[i]", "x * y", "let x := a; b(x)", "(a, 0)", "f a", "build n f", "pow x 7"] {
                let pattern = world.pattern(text);
                let matching: Vec<Path> = subterms(&whole)
                    .into_iter()
                    .filter(|(.., term)| pattern.matches(term))
                    .map(|(path, ..)| path)
                    .collect();
                let WalkAnswer::Found(found) = walked(&mut session, &format!(":find `{text}`")) else {
                    panic!("{text}")
                };
                assert_eq!(found.count, matching.len(), "{text}");
                let listed: Vec<&Path> = found.places.iter().map(|place| &place.path).collect();
                assert_eq!(listed, matching.iter().take(20).collect::<Vec<_>>(), "{text}");
                for (k, path) in matching.iter().enumerate().step_by(7) {
                    let at = focus(walked(&mut session, &format!(":find {}", k + 1)));
                    assert_eq!((&at.path, Some(&at.part)), (path, path.find(&whole).as_ref()), "{text}");
                    let bound: usize = {
                        let all = subterms(&whole);
                        all.iter().find(|(known, ..)| known == path).map_or(0, |(_, around, _)| around.len())
                    };
                    assert_eq!(at.binders.len(), bound, "{text}");
                }
                assert!(session::submit(&mut session, &format!(":find {}", matching.len() + 1)).is_err());
                walked(&mut session, ":top");
            }
        }
    });
}

#[test]
fn up_undoes_down_and_left_undoes_right() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut session = opened(["dot", "vector_sum"][random.below(2)], "gradient");
        for _ in 0..60 {
            let before = session.focus();
            let (line, back) = match random.below(6) {
                0 => (":right".to_owned(), Some(":left")),
                1 => (":left".to_owned(), Some(":right")),
                2 => (format!(":up {}", random.below(3) + 1), None),
                3 => (":down".to_owned(), Some(":up")),
                _ => (format!(":down {}", random.below(3)), Some(":up")),
            };
            let Ok(Response::Walk(WalkAnswer::Focus(at))) = session::submit(&mut session, &line) else {
                assert_eq!(session.focus(), before, "what fails moves nothing");
                continue;
            };
            assert_eq!(session.focus().unwrap_or_else(|| ".".to_owned()), at.address);
            if let Some(back) = back {
                focus(walked(&mut session, back));
                assert_eq!(session.focus(), before, "{line} {back}");
                focus(walked(&mut session, &line));
            }
        }
    }
}

#[test]
fn strategies_apply_at_the_focus() {
    let (mut here, mut there) = (opened("dot", "gradient"), opened("dot", "gradient"));
    let whole = current(&mut here);
    let mut rewritten = 0;
    for (path, ..) in subterms(&whole) {
        let way = path.display(&whole);
        walked(&mut here, &format!(":at .{way}"));
        let at_focus = session::submit(&mut here, "normalize(beta <+ fstPair <+ sndPair)");
        let at_path = session::submit(&mut there, &format!("at(\"{way}\", normalize(beta <+ fstPair <+ sndPair))"));
        match (at_focus, at_path) {
            (Ok(Response::Walk(WalkAnswer::Run(one))), Ok(Response::Walk(WalkAnswer::Run(other)))) => {
                assert_eq!((one.trace.steps.len(), &one.after), (other.trace.steps.len(), &other.after), "{way}");
                assert!(one.trace.steps.iter().all(|step| step.path().0.starts_with(&path.0)));
                assert_eq!(one.focus.map_or_else(Path::default, |focus| focus.path), path, "{way}");
                rewritten += usize::from(!one.trace.steps.is_empty());
            }
            other => panic!("{way}: {other:?}"),
        }
        session::submit(&mut here, ":goto 0").unwrap();
        session::submit(&mut there, ":goto 0").unwrap();
    }
    assert!(rewritten > 3, "{rewritten}");
}

#[track_caller]
fn profiled(session: &mut Session, line: &str) -> Profile {
    match walked(session, line) {
        WalkAnswer::Profile(profile) => profile,
        other => panic!("{line}: {other:?}"),
    }
}

/// Rewrites by rule, and steps by strategies around them.
fn counts<'a>(steps: impl IntoIterator<Item = &'a Step>) -> [BTreeMap<String, usize>; 2] {
    let mut counts = [BTreeMap::new(), BTreeMap::new()];
    for step in steps {
        let within: Vec<&str> = std::iter::once("fastGradient").chain(within(step).into_iter().skip(1)).collect();
        *counts[0].entry(step.rule().info().name.to_string()).or_insert(0) += 1;
        *counts[1].entry(within.join("/")).or_insert(0) += 1;
    }
    counts
}

fn counted(profile: &Profile) -> [BTreeMap<String, usize>; 2] {
    let rules = profile.rules.iter().map(|rule| (rule.name.to_string(), rule.rewrites));
    let stages = profile.stages.iter().map(|stage| (stage.within.join("/"), stage.steps));
    [rules.filter(|(_, count)| *count > 0).collect(), stages.filter(|(_, count)| *count > 0).collect()]
}

fn attempts(profile: &Profile) -> Vec<(String, u64)> {
    profile.rules.iter().map(|rule| (rule.name.to_string(), rule.attempts)).collect()
}

#[test]
fn a_profile_counts_the_rewrites_of_the_trace() {
    deep(|| {
        let mut session = opened("perceptron", "gradient");
        assert!(matches!(walked(&mut session, ":profile"), WalkAnswer::NoTrace));
        let tried_out = profiled(&mut session, ":profile fastGradient");
        assert!(matches!(walked(&mut session, ":profile"), WalkAnswer::NoTrace), "nothing was taken");
        let run = taken(&mut session, "fastGradient");
        assert_eq!(counted(&tried_out), counts(&run.trace.steps));
        assert!(tried_out.rules.iter().all(|rule| rule.attempts >= rule.rewrites as u64));
        let of_the_run = profiled(&mut session, ":profile");
        assert_eq!(attempts(&of_the_run), attempts(&tried_out), "the run again");
        assert_eq!(counted(&of_the_run), counted(&tried_out));

        walked(&mut session, ":goto 40");
        assert_eq!(counted(&profiled(&mut session, ":profile")), counts(&run.trace.steps[..40]));
    });
}

#[test]
fn a_profile_counts_attempts() {
    let mut session = opened("vector_sum", "gradient");
    session::submit(
        &mut session,
        "fun (v : real) => let x := v * v; let y := x * x; if v < y then y * x else let z := x; z",
    )
    .unwrap();
    let none = profiled(&mut session, ":profile try(letAdjoint)");
    assert_eq!(attempts(&none), [], "the term is no let");
    assert_eq!(attempts(&profiled(&mut session, ":profile try(topDown(letAdjoint))")), [("letAdjoint".to_owned(), 3)]);
    let undone = profiled(&mut session, ":profile where(topDown(letSubst))");
    assert_eq!(undone.rules.iter().map(|rule| rule.rewrites).collect::<Vec<_>>(), [0]);
    assert!(undone.rules[0].attempts >= 1, "{undone:?}");
    assert_eq!(undone.stages.iter().map(|stage| stage.steps).sum::<usize>(), 0);
    session::submit(&mut session, ":set max-steps 1").unwrap();
    assert!(session::submit(&mut session, ":profile repeat(topDown(letSubst))").is_err(), "a limit ends it");
}
