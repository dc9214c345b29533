//! What rules see of their context is what they say: in another context that they can't tell from the first they do the
//! same.

use crate::support::{book, computed, indexed, shipped};
use std::path::Path;

use book::{World, at_one};
use computed::{closed, computed};
use indexed::Indexed;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, Name, Random, with_stack};
use redexter::rule::{ContextUse, Focus, Frame, Marks, Reason, Rule, order};
use redexter::sound::sample;
use redexter::strategy::run;
use redexter::term::{Kind, Prim, Program, Size, SizeBounds, Term, Type};
use shipped::Workbench;

/// A term and the way to one of its subterms.
#[derive(Clone)]
struct Place {
    whole: Term,
    way: Vec<usize>,
}

impl Place {
    fn parts(&self) -> (Vec<Frame>, Term) {
        let (mut frames, mut here) = (Vec::new(), self.whole.clone());
        for kid in &self.way {
            let next = here.kid(*kid);
            frames.push(Frame { term: here, kid: *kid });
            here = next;
        }
        (frames, here)
    }

    /// The same with another term at this depth, in which the subterm stands at the end of another way.
    fn with(&self, depth: usize, term: Option<Term>, way: &[usize], skip: usize) -> Option<Place> {
        let (frames, _) = self.parts();
        let whole = frames[..depth].iter().rev().try_fold(term?, |kid, frame| frame.term.with_kid(frame.kid, kid).ok());
        let way = [&self.way[..depth], way, &self.way[depth + skip..]].concat();
        Some(Place { whole: whole?, way })
    }
}

/// The same subterm in another context, or the same.
fn elsewhere(place: &Place, random: &mut Random) -> Option<Place> {
    let (frames, here) = place.parts();
    let depth = random.below(place.way.len() + 1);
    let term = frames.get(depth).map_or(&here, |frame| &frame.term);
    let (name, one) = (Name::new("w"), Size::literal(1));
    let index = Type::fin(one.clone());
    let lam = |ty: &Type, body: Term| Term::lam(&name, ty, body).ok();
    match random.below(12) {
        0 => place.with(depth, Term::let_in(&name, Term::real(0.0), term.shift(1)).ok(), &[1], 0),
        1 => {
            let free: Vec<(u32, Type)> = term.free().map(|(i, free)| (i, free.ty.clone())).collect();
            let (i, ty) = free.get(random.below(free.len().max(1)))?;
            place.with(depth, Term::let_in(&name, Term::var(*i, ty), term.shift(1)).ok(), &[1], 0)
        }
        2 => place.with(depth, Term::pair(term.clone(), Term::int(0)).and_then(Term::fst).ok(), &[0, 0], 0),
        3 => place.with(depth, Term::if_else(Term::int(1), term.clone(), closed(term.ty(), 3.0)?).ok(), &[1], 0),
        4 => {
            let table = Term::build(one.clone(), lam(&index, term.shift(1))?).ok()?;
            place.with(depth, Term::get(table, Term::fin(0, one).ok()?).ok(), &[0, 0, 0], 0)
        }
        5 => place.with(0, lam(&Type::real(), place.whole.shift(1)), &[0], 0),
        6 => place.with(0, Term::pair(Term::int(2), place.whole.clone()).ok(), &[1], 0),
        7 => {
            let Frame { term, kid } = frames.get(depth)?;
            let other = random.below(term.kid_count());
            let new = term.with_kid(other, closed(term.kid(other).ty(), 3.0)?).ok();
            if other == *kid { None } else { place.with(depth, new, &[*kid], 1) }
        }
        8 => {
            let Frame { term, kid } = frames.get(depth)?;
            let inner = term.kid(*kid).lower(term.binders(*kid))?;
            if inner.ty() == term.ty() { place.with(depth, Some(inner), &[], 1) } else { None }
        }
        9 => place.with(depth, Term::app(lam(&Type::int(), term.shift(1))?, Term::int(7)).ok(), &[0, 0], 0),
        10 => {
            let step = lam(term.ty(), lam(&index, term.shift(2))?)?;
            place.with(depth, Term::ifold(one, step, closed(term.ty(), 3.0)?).ok(), &[0, 0, 0], 0)
        }
        _ => bound_by_functions(&here, random),
    }
}

/// The term below functions that bind its variables, in some order.
fn bound_by_functions(term: &Term, random: &mut Random) -> Option<Place> {
    let mut free: Vec<(u32, Type)> = term.free().map(|(i, free)| (i, free.ty.clone())).collect();
    for k in (1..free.len()).rev() {
        free.swap(k, random.below(k + 1));
    }
    let place = |i: u32| free.iter().position(|(k, _)| *k == i).map_or(i, |p| p as u32);
    let whole = free.iter().try_fold(term.rename(place), |body, (_, ty)| Term::lam(&Name::new("w"), ty, body).ok())?;
    Some(Place { whole, way: vec![0; free.len()] })
}

/// What a rule does to a subterm, its variables numbered in their order.
fn outcome(rule: &Rule, place: &Place, bounds: &SizeBounds) -> Result<Term, String> {
    let (frames, term) = place.parts();
    let number = |i: u32| term.free().position(|(k, _)| k == i).map_or(u32::MAX, |p| p as u32);
    let found = rule.attempt(&Focus::new(&term, &frames, bounds));
    found.map(|contractum| contractum.rename(number)).map_err(|miss| format!("{miss:?}"))
}

/// What a rule sees of its context: so much, and whether in which order variables are bound.
#[derive(Clone, Copy)]
struct Sees(ContextUse, bool);

impl Sees {
    fn of(rule: &Rule) -> Sees {
        Sees(rule.footprint().context, rule.footprint().ordered)
    }

    /// Whether it sees the same of two places of one subterm.
    fn alike(self, one: &Place, other: &Place) -> bool {
        let signature = |place: &Place| {
            let (frames, term) = place.parts();
            Marks::of(frames.iter().map(|frame| (&frame.term, frame.kid))).signature(&term)
        };
        (self.0 != ContextUse::Marks || signature(one) == signature(other))
            && (!self.1 || order(&one.parts().1) == order(&other.parts().1))
    }
}

/// Whether each variable that is bound around a subterm depends on a parameter index, outermost first: as LANGUAGE.md says
/// it, term by term.
fn marked(place: &Place) -> Vec<bool> {
    let (frames, _) = place.parts();
    let mut marked: Vec<bool> = Vec::new();
    // On the way to the result, and what the next functions are of.
    let (mut result, mut elements, mut state) = (true, false, None);
    // Whether a parameter index was bound there, and how many functions of a sum that is the result come next.
    let (mut earlier, mut sum) = (false, 0);
    for Frame { term, kid } in &frames {
        let (of_build, of_fold) = (std::mem::take(&mut elements), state.take());
        let of_sum = std::mem::take(&mut sum);
        let depends = |t: &Term| t.free().any(|(i, _)| marked[marked.len() - 1 - i as usize]);
        match term.kind() {
            Kind::Lam(..) => {
                let is_parameter = (of_build && result || of_sum == 1) && is_compared(&term.kid(0), 0, 0);
                marked.push(of_fold.unwrap_or(is_parameter));
                earlier |= of_fold.is_none() && is_parameter;
                sum = u32::from(of_sum == 2);
            }
            Kind::Build(_) => elements = true,
            Kind::Let(_) if *kid == 1 => marked.push(depends(&term.kid(0))),
            Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_) if *kid == 0 => {
                let is_sum = result && !earlier && !depends(term) && matches!(term.kind(), Kind::Ifold(_));
                (result, state, sum) = (false, Some(depends(term)), if is_sum { 2 } else { 0 });
            }
            Kind::Pair | Kind::Array(_) => {}
            _ => result = false,
        }
    }
    marked
}

/// Whether some `=` or `!=` in a term compares a variable with one that is bound further in.
fn is_compared(term: &Term, variable: u32, inner: u32) -> bool {
    let across = |a: &Term, b: &Term| a.free_at(variable).is_some() && b.free().any(|(i, _)| i < inner);
    let here = matches!(term.kind(), Kind::Prim(Prim::Eq | Prim::Ne))
        && (across(&term.kid(0), &term.kid(1)) || across(&term.kid(1), &term.kid(0)));
    let below = |k: usize| is_compared(&term.kid(k), variable + term.binders(k), inner + term.binders(k));
    here || (0..term.kid_count()).any(below)
}

fn marks_are_as_defined() {
    let world = World::new();
    let tangent = at_one(&world.own("r = `sin a --> cos a` where tangent(a)"));
    let (mut found, mut random) = ([0, 0], Random::new(1));
    for seed in 0..400 {
        for place in places(&Indexed::new(seed).program(6)) {
            let Some(place) = elsewhere(&place, &mut random) else { continue };
            let (frames, term) = place.parts();
            let Ok(sine) = Term::unary(Prim::Sin, term.clone()) else { continue };
            let marked = marked(&place);
            let expected = term.free().any(|(i, _)| marked[marked.len() - 1 - i as usize]);
            let applies = tangent.attempt(&Focus::new(&sine, &frames, &SizeBounds::default())).is_ok();
            assert_eq!(applies, expected, "{term:?} in {:?}", place.whole);
            found[usize::from(expected)] += 1;
        }
    }
    println!("{found:?}");
    assert!(found[0] > 5_000 && found[1] > 500);
}

#[test]
fn what_depends_on_a_parameter_index_is_as_defined() {
    with_stack(2_000, marks_are_as_defined).expect("a thread");
}

#[derive(Default)]
struct Tally {
    applied: u64,
    failed: u64,
}

/// Tries the rule at a place and at others that it can't tell from that if it sees no more than this of its context;
/// says where it does something else.
fn exchange(
    (rule, sees): (&Rule, Sees),
    place: &Place,
    bounds: &SizeBounds,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let expected = outcome(rule, place, bounds);
    for _ in 0..3 {
        let far = 1 + random.below(3);
        let other = (0..far).try_fold(place.clone(), |place, _| elsewhere(&place, random));
        let Some(other) = other else { continue };
        if !sees.alike(place, &other) {
            continue;
        }
        let found = outcome(rule, &other, bounds);
        *if found.is_ok() { &mut tally.applied } else { &mut tally.failed } += 1;
        if found != expected {
            let (whole, other, term) = (&place.whole, &other.whole, place.parts().1);
            return Err(format!("{rule} on {term:?}\nin {whole:?}: {expected:?}\nin {other:?}: {found:?}"));
        }
    }
    Ok(())
}

/// Every place of a term.
fn places(whole: &Term) -> Vec<Place> {
    let mut all = vec![Place { whole: whole.clone(), way: Vec::new() }];
    let mut next = 0;
    while let Some(place) = all.get(next).cloned() {
        let kids = place.parts().1.kid_count();
        all.extend((0..kids).map(|kid| Place { whole: whole.clone(), way: [&place.way[..], &[kid]].concat() }));
        next += 1;
    }
    all
}

/// The programs that a rule is tried in: such as hold what it is for, and such as ask about their indices.
fn programs(world: &World, rule: &Rule, count: u64) -> Vec<Program> {
    let some = |seed| sample(rule.info(), world.templates(), seed).expect("its laws are well-typed");
    let own = (0..count).filter_map(some).map(|(program, _)| program);
    let indexed =
        (0..count / 4).map(|seed| Program { term: Indexed::new(seed).program(4), bounds: SizeBounds::default() });
    own.chain(indexed).collect()
}

/// Whether a rule sees no more than this of its context.
fn sees_only(world: &World, rule: &Rule, sees: Sees, count: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(1);
    for Program { term, bounds } in programs(world, rule, count) {
        for place in places(&term) {
            if rule.footprint().may_apply_to(&place.parts().1) {
                exchange((rule, sees), &place, &bounds, &mut random, tally)?;
            }
        }
    }
    Ok(())
}

fn book_sees_what_it_says() {
    let world = World::new();
    let mut marks = 0;
    for rule in world.rules() {
        let (sees, mut tally) = (Sees::of(&rule), Tally::default());
        sees_only(&world, &rule, sees, 100, &mut tally).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_ne!(sees.0, ContextUse::Everything, "{rule}");
        assert!(tally.applied > 3, "{rule} applied {} times, failed {}", tally.applied, tally.failed);
        marks += u64::from(sees.0 == ContextUse::Marks);
    }
    assert_eq!(marks, 16);
}

#[test]
fn rules_of_the_book_see_of_their_context_what_they_say() {
    with_stack(2_000, book_sees_what_it_says).expect("a thread");
}

/// Each condition that there is, and each that sees its context both ways.
const CONDITIONS: &[&str] = &[
    "r = `a + b --> b + a` where tangent(a, b)",
    "r = `a * b --> b * a` where not tangent(a), tangent(b)",
    "r = `let x := a; b(x) --> b(a)` where not tangent(b)",
    "r = `a + b --> b + a` where oneHotIn(b)",
    "r = `ifold n (fun a i => e(a, i)) z --> ifold n (fun b j => e(b, j)) z` where not oneHotIn(e, z)",
    "r = `a * b --> b * a` where loops(a) < loops(b)",
    "r = `let x := a; b(x) --> b(a)` where loops(a, b) > 1",
    "r = `build n (fun i => e(i)) --> build n (fun j => e(j))` where loops(e) > 1",
    "r = `let x := a; b(x) --> b(a)` where literal(a), not looped(x)",
    "r = `let x := a; b(x) --> b(a)` where not constant(a), occurrences(x) <= 1",
    "r = `let x := a; b(x) --> b(a)` where safe(x)",
    "r = `let x := a; b(x) --> b(a)` where cheap(x)",
    "r = `a + b --> b + a` where work(a) < work(b)",
    "r = `a * b --> b * a` where variable(a), isReal(b)",
    "r = `a * b --> b * a` where zero(a)",
    "r = `if c then a else b --> a` where isReal(a), not isPair(b), not isFunction(b)",
    "r = `build n (fun i => v[i] + e(i)) --> build n (fun i => e(i) + v[i])` where free(i, e)",
    "r = `a + b --> b + a` where matches(a, `p * q`)",
];

fn conditions_see_what_they_say() {
    let world = World::new();
    for text in CONDITIONS {
        let (rule, mut tally) = (at_one(&world.own(text)), Tally::default());
        sees_only(&world, &rule, Sees::of(&rule), 100, &mut tally).unwrap_or_else(|wrong| panic!("{wrong}"));
        println!("{text}: {:?}, {} and {}", rule.footprint().context, tally.applied, tally.failed);
        assert!(tally.applied + tally.failed > 20, "{text}");
    }
}

#[test]
fn conditions_see_of_their_context_what_they_say() {
    with_stack(2_000, conditions_see_what_they_say).expect("a thread");
}

fn lies_are_found() {
    let world = World::new();
    let doubled =
        |term: &Term| Term::if_else(Term::int(1), term.clone(), term.clone()).map_err(|_| Reason::native("no"));
    let deep = at_one(&computed("computed", move |focus, _| match focus.context.len() > 4 {
        true => doubled(focus.term),
        false => Err(Reason::native("not so deep")),
    }));
    let beside = at_one(&computed("computed", move |focus, _| match focus.context.last() {
        Some(frame) if frame.term.size() % 2 == 0 => doubled(focus.term),
        _ => Err(Reason::native("another size")),
    }));
    let depends = at_one(&world.own("r = `a + b --> b + a` where depends(a, b)"));
    let liars = [
        (world.rule("letSubstTangent"), ContextUse::Nothing),
        (world.rule("sumOrder"), ContextUse::Nothing),
        (world.rule("arrange"), ContextUse::Nothing),
        (world.rule("ifSplitSum"), ContextUse::Nothing),
        (depends, ContextUse::Marks),
        (deep, ContextUse::Marks),
        (beside, ContextUse::Marks),
    ];
    for (rule, says) in liars {
        let found = sees_only(&world, &rule, Sees(says, false), 400, &mut Tally::default());
        assert!(found.is_err(), "{rule} sees more than {says:?}");
    }
}

#[test]
fn rules_that_see_more_than_they_say_are_found() {
    with_stack(2_000, lies_are_found).expect("a thread");
}

/// Every rule that the general schedule tries, at places of its derivations.
fn derivations_see_what_they_say() {
    let (world, workbench) = (World::new(), Workbench::new());
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
    let (rules, mut random, mut tally) = (world.rules(), Random::new(1), Tally::default());
    for model in ["models/least_squares.arr", "models/log_sum_exp.arr", "models/logistic.arr"] {
        for (_, program) in
            workbench.programs(Path::new(model)).into_iter().filter(|(name, _)| name.ends_with(":gradient"))
        {
            let budget = Budget::new(Limits::default(), None);
            let trace = run(&strategy, &program, &budget, cheaper_total).expect("no limit").trace;
            for (step, before, _) in trace.rewrites() {
                let way = step.path().0.iter().map(|k| *k as usize).collect();
                let redex = Place { whole: before, way };
                for rule in rules.iter().filter(|rule| rule.footprint().may_apply_to(&step.redex)) {
                    if rule.info().name != step.rule().info().name && random.below(8) > 0 {
                        continue;
                    }
                    let sees = Sees::of(rule);
                    exchange((rule, sees), &redex, &program.bounds, &mut random, &mut tally)
                        .unwrap_or_else(|wrong| panic!("{wrong}"));
                }
            }
        }
    }
    println!("{} and {}", tally.applied, tally.failed);
    assert!(tally.applied > 500 && tally.failed > 500);
}

#[test]
fn rules_see_in_derivations_what_they_say() {
    with_stack(10_000, derivations_see_what_they_say).expect("a thread");
}
