//! Renders what was found of strategies' ends as text: the answer, and the way round step by step.

use super::StrategyEndings;
use crate::render::term;
use crate::styled::{Look, MAX_TITLE_COLUMNS, PageLayout, Styled};
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_language::term::Term;
use redexter_rewriting::ends::{Cure, Ending, EndingAnswer, Endings, LawProof, ProofStep, WayRound};

/// What was found of some strategies, each with its answer and its repetitions.
pub fn endings(StrategyEndings(all): &StrategyEndings, page: PageLayout) -> Styled {
    all.iter().map(|found| one(found, page)).collect()
}

fn one(found: &Endings, page: PageLayout) -> Styled {
    let name = found.strategy.to_string();
    if let [answer] = &found.answers[..]
        && (answer.strategy == found.strategy || answer.ending == found.ending)
    {
        return head(&name, found.ending, page).then(repetition(answer, page));
    }
    let mut out = head(&name, found.ending, page);
    match &found.other {
        Some(other) => {
            let other = names(&[other.to_string()], page);
            out.push(Look::Aside, &format!("  nothing is said of {other}, which may go on without a repetition\n"));
        }
        None if found.answers.is_empty() && found.stopped.is_none() => {
            out.push(Look::Aside, "  there is no repetition in it\n");
        }
        None => {}
    }
    for answer in &found.answers {
        let part = head(&answer.strategy.to_string(), answer.ending, page).then(repetition(answer, page));
        out = part.lines().into_iter().fold(out, |out, line| out.then("  ").then(line).then("\n"));
    }
    out
}

fn head(name: &str, ending: Ending, page: PageLayout) -> Styled {
    let look = match ending {
        Ending::Loops | Ending::MayLoop => Look::Warning,
        Ending::NotKnown => Look::Aside,
        Ending::Ends => Look::Note,
    };
    let room = page.width.saturating_sub(ending.text().len() + 2).max(MAX_TITLE_COLUMNS);
    Styled::of(Look::Strong, &shortened(name, room)).then(": ").and(look, ending.text()).then("\n")
}

/// What is to be said of a repetition below its answer.
fn repetition(answer: &EndingAnswer, page: PageLayout) -> Styled {
    let mut out = Styled::default();
    match &answer.way {
        Some(way) => out = out.then(way_round(answer.ending, way, page)),
        None if answer.proof.is_whole() && !answer.proof.steps.is_empty() => {}
        None if answer.ending == Ending::Ends => out.push(Look::Aside, "  no rule is taken in it\n"),
        None if answer.chains == 0 => {
            let has_laws = !answer.proof.steps.is_empty() || !answer.proof.open.is_empty();
            let why = if has_laws { "none of its rules with laws is new" } else { "it has no rules with laws" };
            out.push(Look::Aside, &format!("  there is nothing to begin from: {why}\n"));
        }
        None => {
            let far = match answer.all {
                _ if answer.unshown > 0 => format!(
                    "its laws lead back to their beginning in {} of {}, but on no term that was tried: conditions may be in the way",
                    answer.unshown,
                    counted(answer.chains, "chain")
                ),
                true => format!("no way round: its laws make {} in all", counted(answer.chains, "chain")),
                false => format!(
                    "no way round was found among {}, all of up to {}",
                    counted(answer.chains, "chain"),
                    counted(answer.laws, "law")
                ),
            };
            out.push(Look::Aside, &format!("  {far}\n"));
        }
    }
    out = out.then(cures(answer, page));
    if answer.way.is_none() {
        out = out.then(proved(&answer.proof, page));
    }
    if !answer.unread.is_empty() {
        let what = names(&answer.unread, page);
        out.push(Look::Aside, &format!("  nothing is said of what {what} does\n"));
    }
    out
}

/// What is said of a cure that isn't proved.
const LIKELY: &str = "no way round is found, and it ends on this term";

/// What would end a repetition that goes round; of a rule that feeds itself what it can be used in.
fn cures(answer: &EndingAnswer, page: PageLayout) -> Styled {
    let Some(way) = &answer.way else { return Styled::default() };
    if answer.ending != Ending::Loops {
        return Styled::default();
    }
    let mut lines = Vec::new();
    for cure in &answer.cures {
        lines.push(match cure {
            Cure::Stages { stages, proved: true } => (stages.to_string(), "ends: each stage is proved"),
            Cure::Stages { stages, .. } => (stages.to_string(), LIKELY),
            Cure::Condition { rule, condition, proved: true } => {
                (format!("{rule} where {condition}"), "ends: all laws are proved")
            }
            Cure::Condition { rule, condition, .. } => (format!("{rule} where {condition}"), LIKELY),
            Cure::Order(order) => (order.to_string(), "ends on this term, and may go round on others"),
        });
    }
    let alone = way.steps.iter().all(|(rule, _)| *rule == way.steps[0].0);
    if let (true, Some((rule, _))) = (lines.is_empty(), way.steps.first()) {
        let help = match alone {
            // What `tryAll` finds below the place where a rule applied may be that rule's own.
            true if way.growth > 0 => {
                format!("{rule} leads to itself: `repeatN(3, topDown({rule}))` takes it three times, say")
            }
            true => format!("{rule} leads to itself: `tryAll({rule})` takes it once at each place, `repeatN` so often"),
            false => "no stages, condition or order that would end it were found".to_owned(),
        };
        return Styled::aside(&format!("  {help}\n"));
    }
    let is_order = matches!(answer.cures[..], [Cure::Order(_)]);
    let mut out = Styled::aside(if is_order {
        "  no cure was found, but another order:\n"
    } else {
        "  what would end it, checked:\n"
    });
    for (cure, why) in lines {
        let fits = cure.chars().count() + why.len() + 8 <= page.width;
        out = out.then("    ").and(Look::Rule, &cure).then(if fits { "    " } else { "\n      " });
        out = out.and(Look::Aside, why).then("\n");
    }
    out
}

/// The measures that take the laws, and what no measure takes.
fn proved(proof: &LawProof, page: PageLayout) -> Styled {
    let mut out = Styled::default();
    if !proof.set_aside.is_empty() && proof.takes_the_rest() {
        out.push(
            Look::Aside,
            &format!(
                "  its laws end without {}, which {} terms into bodies:\n",
                names(&proof.set_aside, page),
                if proof.set_aside.len() == 1 { "puts" } else { "put" }
            ),
        );
    }
    if proof.takes_the_rest() {
        let width = page.width.saturating_sub(2).max(MAX_TITLE_COLUMNS);
        for step in &proof.steps {
            out = out.then(Styled::aside(&format!("  {}\n", measure(step))).folded(width));
        }
    }
    if !proof.open.is_empty() {
        out.push(
            Look::Aside,
            &format!("  no count and no path order takes the laws of {}\n", names(&proof.open, page)),
        );
    }
    out
}

/// A part of a proof in words.
fn measure(step: &ProofStep) -> String {
    match step {
        ProofStep::Count { of, rules } => {
            let weight = |(name, weight): &(String, u64)| match weight {
                1 => format!("`{name}`"),
                more => format!("{more} times `{name}`"),
            };
            let of: Vec<String> = of.iter().map(weight).collect();
            let (verb, what) = (if rules.len() == 1 { "lowers" } else { "lower" }, of.join(" and "));
            let what = if of.is_empty() { "nodes".to_owned() } else { what };
            format!("{} {verb} the number of {what}, which no rule that is left raises", listed(rules))
        }
        ProofStep::PathOrder { above, level, from_right, last_first, rules } => {
            let pairs = |of: &[(String, String)], sign: &str| -> Vec<String> {
                of.iter().map(|(f, g)| format!("`{f}` {sign} `{g}`")).collect()
            };
            let all: Vec<String> = pairs(above, ">").into_iter().chain(pairs(level, "=")).collect();
            let order = if all.is_empty() { String::new() } else { format!(" with {}", listed(all)) };
            let compared = |of: &[String], how: &str| match of.is_empty() {
                true => String::new(),
                false => {
                    let all: Vec<String> = of.iter().map(|f| format!("`{f}`")).collect();
                    format!(", operands of {} compared {how}", listed(all))
                }
            };
            let (right, last) = (compared(from_right, "from the right"), compared(last_first, "the last first"));
            let verb = if rules.len() == 1 { "lowers" } else { "lower" };
            format!("{} {verb} the term in a path order{order}{right}{last}", listed(rules))
        }
    }
}

/// Some names on a line.
fn names(all: &[String], page: PageLayout) -> String {
    shortened(&listed(all), page.width.saturating_sub(44).max(MAX_TITLE_COLUMNS))
}

/// The steps of the way round, each with the term that it leaves.
fn way_round(ending: Ending, way: &WayRound, page: PageLayout) -> Styled {
    let steps = counted(way.steps.len(), "step");
    let leads = if way.steps.len() == 1 { "leads" } else { "lead" };
    let back = match way.growth {
        0 if way.terms.first() == way.terms.last() => format!("{steps} {leads} back to the same term"),
        0 => format!("{steps} {leads} back to a term of the same form"),
        more => format!("{steps} {leads} back, with {} each time", counted(more.unsigned_abs() as usize, "more node")),
    };
    let mut out =
        Styled::from(format!("  {back}\n")).then(way.terms.first().map(|first| on(first, page)).unwrap_or_default());
    for ((rule, path), terms) in way.steps.iter().zip(way.terms.windows(2)) {
        let place = match path.display(&terms[0]) {
            root if root.is_empty() => " at the root".to_owned(),
            path => format!(" at .{path}"),
        };
        out = out.then("  ").and(Look::Rule, &rule.to_string()).and(Look::Aside, &place).then("\n");
        out = out.then(on(&terms[1], page));
    }
    if ending == Ending::MayLoop {
        let why = match &way.saved_by {
            Some(rule) => format!("the strategy ends on this term: {rule} leads away"),
            None => "the strategy wasn't seen to go on for ever on this term".to_owned(),
        };
        out.push(Look::Aside, &format!("  {why}\n"));
    }
    out
}

/// A term on lines of its own.
fn on(of: &Term, page: PageLayout) -> Styled {
    let lines = term(of, page.width.saturating_sub(4)).lines();
    lines.into_iter().map(|line| Styled::from("    ").then(line).then("\n")).collect()
}
