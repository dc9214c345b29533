//! Renders answers to why as text: why a step was taken, a stage did nothing, a rule didn't fire; where work comes from.

use super::rule_text::{excerpt, why_rule};
use crate::render::{MAX_STRATEGY_CHARS, change, leading, polynomial, quoted, rule_counts, thrown};
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::ground::text::{counted, listed};
use redexter_language::term::{Path, Term};
use redexter_rewriting::why::{
    AskedMoment, CostlyLoop, FiredSteps, LoopRemover, LoopShape, MakingStep, RedexOrigin, RuleStatement, TakenStep,
    TraversalOrder, WaitCause, WhyAnswer, WhyNot, WhyStage, WhyStep, WorkGrowth,
};

/// An answer to why.
pub fn why(answer: &WhyAnswer, page: PageLayout) -> Styled {
    match answer {
        WhyAnswer::Step(why) => step(why, page),
        WhyAnswer::Stage(why) => stage(why, page),
        WhyAnswer::Not(why) => why_not(why, page),
        WhyAnswer::Growth(why) => growth(why, page),
    }
}

/// Lines, each folded to the page and indented.
fn lines(all: Vec<Styled>, page: PageLayout) -> Styled {
    let mut out = Styled::default();
    for line in all {
        for (k, part) in line.folded(page.width.saturating_sub(4).max(20)).lines().into_iter().enumerate() {
            out = out.then(if k == 0 { "  " } else { "    " }).then(part).then("\n");
        }
    }
    out
}

fn at(address: &str) -> String {
    if address == "." { "the root".to_owned() } else { Path::shortened(address) }
}

fn maker(maker: &MakingStep) -> String {
    format!("step {}, {} at {}", maker.number, maker.rule, at(&maker.address))
}

fn why_not(why: &WhyNot, page: PageLayout) -> Styled {
    let head = match &why.moment {
        AskedMoment::Now => String::new(),
        AskedMoment::Step(number) => format!("at the redex of step {number}, before it\n"),
        AskedMoment::Stage(stage, after) => {
            format!("in {}, at the term with which it begins, {}\n", quoted(stage), taken(*after))
        }
        AskedMoment::Tag(tag) => format!("at @{tag}\n"),
    };
    let mut out = Styled::aside(&head);
    // That it applies there is part of why it had to wait.
    out.append(&why_rule(&why.there, page).trim_end().then("\n"));
    if !why.said.is_empty() {
        out.push(Look::Aside, "in this derivation:\n");
        out.append(&lines(why.said.iter().map(|said| sentence(said, &why.rule)).collect(), page));
    }
    out
}

pub(super) fn sentence(said: &RuleStatement, rule: &str) -> Styled {
    match said {
        RuleStatement::Fired(all) => fired("it did fire", all).into(),
        RuleStatement::Fires(all) => fired("it fires later", all).into(),
        RuleStatement::Absent { strategy, others } if others.is_empty() => {
            format!("{} doesn't contain it", quoted(strategy)).into()
        }
        RuleStatement::Absent { strategy, others } => {
            format!("{} doesn't contain {rule}, but {}", quoted(strategy), listed(others)).into()
        }
        RuleStatement::Taken(taken) => told(taken).into(),
        RuleStatement::Never { within, looked, of } if looked == of => {
            format!("it applied to no term of {}", quoted(within)).into()
        }
        RuleStatement::Never { within, looked, of } => {
            let terms = format!("{looked} terms that were looked at, of {of} of {}", quoted(within));
            format!("it applied to none of {terms}: those where stages end").into()
        }
        RuleStatement::Cut { reason, running, own, is_later, after, .. } => {
            let running = if running.is_empty() { "it".to_owned() } else { quoted(running) };
            let own = match is_later {
                true => format!("; {}, which has the rule, comes later", quoted(own)),
                false => format!("; the rule is in {}", quoted(own)),
            };
            let head = format!("a limit ended {running} after {}", counted(*after, "step"));
            Styled::from(head).then(own).then(": ").and(Look::Warning, &reason.to_string())
        }
        RuleStatement::Normal { strategy } => {
            format!("{} was done: it ends where none of its rules applies any more", quoted(strategy)).into()
        }
        RuleStatement::MadeLater { maker: made, running, own } => format!(
            "its redex was made by {}, in {}, when {}, which has the rule, was done: run that again, or put it behind",
            maker(made),
            quoted(running),
            quoted(own)
        )
        .into(),
        RuleStatement::Discarded(discard, count) => {
            let often = if *count > 1 { format!("{count} times; the first time ") } else { String::new() };
            format!("it did fire, but `cheaper` threw that away: {often}{}", thrown(discard)).into()
        }
        RuleStatement::Failed { strategy } => {
            format!("the last run, {}, failed: what it had done was given up", quoted(strategy)).into()
        }
        RuleStatement::Pending { strategy, taken } => {
            format!("{} has more to do: {} taken; `:continue` goes on", quoted(strategy), counted(*taken, "step"))
                .into()
        }
    }
}

fn fired(when: &str, all: &FiredSteps) -> String {
    let FiredSteps { count, first, last, stages } = all;
    let stages = stages_of(stages);
    match count {
        1 => format!("{when}: {}, in {stages}", maker(first)),
        _ => format!("{when}: {} in {stages}; first {}; last {}", counted(*count, "step"), maker(first), maker(last)),
    }
}

fn stages_of(stages: &[String]) -> String {
    let more = stages.len().saturating_sub(3);
    let shown = listed(stages.iter().take(3).map(|stage| quoted(stage)));
    if more > 0 { format!("{shown} and {}", counted(more, "other stage")) } else { shown }
}

fn told(taken: &TakenStep) -> String {
    let TakenStep { number, rule, address, wanted, place, cause } = taken;
    let (here, there) = (at(address), at(place));
    match cause {
        WaitCause::Absent { strategy } => {
            format!("{wanted} applied at {there} before step {number}, but {} doesn't contain it", quoted(strategy))
        }
        WaitCause::Alternative { choice } => format!(
            "step {number} by {rule} took the redex at {here}: {wanted} applied there, too, but in {} {rule} is tried \
             first; put {wanted} before {rule}",
            quoted(choice)
        ),
        WaitCause::Traversal { strategy, around } => {
            let where_ = match around {
                Some(true) => "which is around it",
                Some(false) => "which is within it",
                None => "which is to its left",
            };
            format!(
                "{wanted} applied at {there} before step {number}, but {} comes first to {here}, {where_}: {rule} took \
                 that",
                quoted(strategy)
            )
        }
        WaitCause::Later { running, own } => format!(
            "{wanted} applied at {there} before step {number}, {rule} at {here}, but {} was running, and {}, which has \
             {wanted}, comes later",
            quoted(running),
            quoted(own)
        ),
        WaitCause::Earlier { running, own } => format!(
            "{wanted} applied at {there} before step {number}, {rule} at {here}, but {} was running, and {}, which has \
             {wanted}, was done",
            quoted(running),
            quoted(own)
        ),
        WaitCause::Left { choice, left } => format!(
            "{wanted} applied at {there} before step {number}, but in {} {}, which stands to its left, succeeds: {rule} \
             took {here}",
            quoted(choice),
            quoted(left)
        ),
        WaitCause::Open => {
            format!("{wanted} applied at {there} before step {number}, and that step is by {rule}, at {here}")
        }
        WaitCause::Other { alternative } => format!(
            "{wanted} applied at {there} before step {number}, {rule} at {here}: {} went another way, or what stands \
             beside the rule in it failed",
            quoted(alternative)
        ),
    }
}

fn step(why: &WhyStep, page: PageLayout) -> Styled {
    let place = at(&why.path.address(&why.before.term));
    let law = if why.law.is_empty() { String::new() } else { format!(": {}", why.law) };
    let head = Styled::from(format!("{}. ", why.number)).and(Look::Rule, &why.rule);
    let mut out = head.and(Look::Aside, &format!(" at {place}{law}")).then("\n");
    let mut all: Vec<Styled> = Vec::new();
    if !why.purpose.is_empty() {
        all.push(Styled::aside(&why.purpose));
    }
    if let Some(work) = change(&why.work.0, &why.work.1) {
        let is_worse = !why.work.1.grows_within(&why.work.0) && why.work.0.grows_within(&why.work.1);
        let dearer = if is_worse { ": dearer, of a higher order" } else { "" };
        all.push(Styled::aside("work: ").then(work).then(dearer));
    }
    if !why.within.is_empty() {
        all.push(format!("in {}", listed(why.within.iter().map(|name| quoted(name)))).into());
    }
    if let Some((strategy, order)) = &why.traversal {
        let order = match order {
            TraversalOrder::Down => "from the root down, from left to right",
            TraversalOrder::Up => "from the leaves up, from left to right",
        };
        all.push(
            format!(
                "this place: {} goes {order}, and this is the first place where {}",
                quoted(strategy),
                if why.tries_rules { "it finds a redex" } else { "all of what is in it succeeds" }
            )
            .into(),
        );
    }
    if let Some(choice) = &why.choice {
        all.push(format!("this rule: of {}", quoted(choice)).into());
    }
    for (rule, reason) in &why.failed.0 {
        all.push(Styled::from("  tried before: ").and(Look::Rule, rule).then(format!(": {}", reason.why)));
    }
    if why.failed.1 > 0 {
        all.push(format!("  and {} that didn't match either", counted(why.failed.1, "other rule")).into());
    }
    if !why.later.is_empty() {
        all.push(format!("  behind it, these apply, too: {}", listed(&why.later)).into());
    }
    all.push(match &why.origin {
        RedexOrigin::First => "its redex stands in the first term".into(),
        RedexOrigin::Step(made) => format!("its redex was made by {}", maker(made)).into(),
        RedexOrigin::Earlier => "its redex is older than the steps that were looked at".into(),
    });
    if let Some(next) = &why.enables {
        all.push(format!("it makes possible {}", maker(next)).into());
    }
    out.append(&lines(all, page));
    out
}

fn stage(why: &WhyStage, page: PageLayout) -> Styled {
    let name = quoted(&why.stage);
    if let Some((first, last)) = why.span {
        let steps = counted(why.steps, "step");
        let span = if first == last { first.to_string() } else { format!("{first}..{last}") };
        let mut out = Styled::from(format!("{name} took {steps}, {span}: {}\n", rule_counts(&why.rules)));
        if let Some((before, after)) = &why.work {
            let work = change(before, after).unwrap_or_else(|| format!("{}, as before", polynomial(after)).into());
            out = out.and(Look::Aside, "work: ").then(work).then("\n");
        }
        return out;
    }
    let mut out = Styled::from(format!("{name} took no step\n"));
    let mut all: Vec<Styled> = Vec::new();
    all.push(match (&why.began, &why.cut) {
        (Some((first, times)), _) if *times > 1 => format!("it began {times} times, first {}", taken(*first)).into(),
        (Some((first, _)), _) => format!("it began {}", taken(*first)).into(),
        (None, Some(reason)) => {
            Styled::from("it never began, as a limit ended the run: ").and(Look::Warning, &reason.to_string())
        }
        (None, None) => "it never began: what stands before it failed, or an alternative to its left succeeded".into(),
    });
    if let Some(beginning) = &why.beginning {
        all.push(format!("it begins with {}, which took no step", quoted(beginning)).into());
    }
    let (discards, count) = &why.discarded;
    for discard in discards {
        all.push(format!("`cheaper` threw away {}", thrown(discard)).into());
    }
    if *count > discards.len() {
        all.push(format!("and more, {count} times in all").into());
    }
    out.append(&lines(all, page));
    for answer in &why.nearest {
        out.append(&why_rule(answer, page).trim_end().then("\n"));
        if !answer.applies.is_empty() {
            let aside = format!("{name} doesn't try it there, or what stands beside it in the strategy fails");
            out.append(&lines(vec![aside.into()], page));
        }
    }
    if why.more > 0 && !why.nearest.is_empty() {
        out.push(Look::Aside, &format!("and {} that didn't come nearer\n", counted(why.more, "other rule")));
    }
    out
}

/// After so many steps.
fn taken(steps: usize) -> String {
    if steps == 0 { "at the first term".to_owned() } else { format!("after step {steps}") }
}

fn growth(why: &WorkGrowth, page: PageLayout) -> Styled {
    let address = why.at.address(&why.program.term);
    let mut out = Styled::from(format!("work at {}: {}", at(&address), polynomial(&why.work))).then("\n");
    let order = polynomial(&why.order);
    if why.loops.is_empty() {
        let constant = why.work.iter().all(|(product, count)| product.is_empty() && count < u128::MAX);
        let said = match (constant, &why.stopped) {
            (true, _) => "none of it grows with an open size\n",
            (false, None) => "no single loop makes its order: functions are called there in several ways\n",
            (false, Some(_)) => "",
        };
        return out.and(Look::Aside, said);
    }
    let count = why.loops.len() + why.more;
    let all = if count > 1 { format!(" ({count} in all)") } else { String::new() };
    out.push(Look::Aside, &format!("the loops of order {order}{all}:\n"));
    for found in &why.loops {
        out.append(&looped(&why.program.term, found, page));
    }
    if why.more > 0 {
        out.push(Look::Aside, &format!("and {} more\n", why.more));
    }
    if let Some(result) = why.loops.iter().find(|found| found.is_result) {
        let elements = polynomial(&result.rounds());
        out =
            out.and(Look::Strong, &format!("the result itself has {elements} elements: no lower order is possible\n"));
    }
    let Some(first) = why.reducible() else { return out };
    let place = at(&first.path.address(&why.program.term));
    let word = match &first.shape {
        LoopShape::Build => "build",
        LoopShape::Sum => "sum",
        LoopShape::Fold(_) => "fold",
    };
    if let LoopShape::Fold(Some(operation)) = &first.shape {
        let used = state_use(&why.program.term, operation);
        out.append(&lines(vec![format!("the fold at {place} is no sum: {used}").into()], page));
    }
    if why.standing.is_empty() {
        return out;
    }
    out.push(Look::Strong, &format!("this {word} at {place} stands because\n"));
    for standing in &why.standing {
        out.append(&left(standing, page));
    }
    out
}

/// The use that a fold makes of its state.
fn state_use(whole: &Term, operation: &Path) -> String {
    let term = operation.find(whole).unwrap_or_else(|| whole.clone());
    format!("its state is used in `{}`", excerpt(whole, operation, &term, MAX_STRATEGY_CHARS))
}

fn looped(whole: &Term, found: &CostlyLoop, page: PageLayout) -> Styled {
    let nest = found.nest.iter().map(|(_, word, size)| format!("{word} {size}")).collect::<Vec<_>>().join(" / ");
    let head = format!("  {}  {}  ", leading(&found.work), at(&found.path.address(whole)));
    let called = found
        .called
        .as_ref()
        .map(|function| format!(", as often as the function {} is called", at(&function.address(whole))));
    let out = Styled::from(head).and(Look::Aside, &(nest + called.as_deref().unwrap_or_default())).then("\n");
    let room = page.width.saturating_sub(4).max(20);
    out.then(format!("    {}\n", excerpt(whole, &found.path, &found.term, room)))
}

fn left(standing: &LoopRemover, page: PageLayout) -> Styled {
    let LoopRemover { there, after, in_strategy, fired } = standing;
    let mut notes: Vec<String> = Vec::new();
    match in_strategy {
        Some(false) => notes.push("the strategy that ran doesn't contain it".to_owned()),
        Some(true) if *fired == 0 => notes.push("it is in the strategy that ran, and took no step".to_owned()),
        Some(true) => notes.push(format!("it took {} elsewhere", counted(*fired, "step"))),
        None => {}
    }
    if let Some(after) = after {
        notes.insert(0, format!("applying it makes the work {}", polynomial(after)));
    }
    let mut out = why_rule(there, page).trim_end().then("\n");
    out.append(&lines(notes.into_iter().map(Styled::from).collect(), page));
    out
}
