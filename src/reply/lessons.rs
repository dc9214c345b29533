//! What is said in lessons.

use super::markdown::{entries, markdown};
use crate::eval::value_to_json;
use crate::ground::Diagnostic;
use crate::ground::text::{counted, listed};
use crate::lesson::{Diagnosis, Goal, Next, Says, Turn};
use crate::render::{Look, Page, Styled, paged, polynomial, term, walk, why};
use crate::session::{Lecture, Opening, Tried};
use crate::sound::Difference;
use crate::why::Why;

/// What a lesson says.
pub fn lecture(lecture: &Lecture, page: Page) -> Styled {
    match lecture {
        Lecture::List(titles) => list(titles, page.width),
        Lecture::Opened(opening) => opened(opening, page),
        Lecture::Hint { number, of, text } => Styled::of(Look::Note, &format!("hint {number} of {of}"))
            .then("\n")
            .then(markdown(text, page.width))
            .then("\n"),
        Lecture::Tried(tried) => told(tried, page),
        Lecture::More(diagnosis) => more(diagnosis, page),
        Lecture::Closed(title) => Styled::aside(&format!("the lesson \"{title}\" is closed")),
    }
}

fn list(titles: &[(String, String)], width: usize) -> Styled {
    let numbered = titles.iter().enumerate().map(|(k, (name, title))| (format!("{:>2} {name}", k + 1), title.clone()));
    let rows: Vec<(String, String)> = numbered.collect();
    Styled::of(Look::Strong, "lessons")
        .then("\n")
        .then(entries(&rows, width))
        .then(Styled::aside("`:lesson 1` opens the first one"))
}

fn opened(opening: &Opening, page: Page) -> Styled {
    let Opening { title, prose, start, work, goal, rules, hints } = opening;
    let mut out = Styled::of(Look::Strong, title).then("\n\n").then(markdown(prose, page.width)).then("\n");
    out = out.and(Look::Note, "the term").and(Look::Aside, &format!(", work {}", polynomial(work))).then("\n");
    out = out.then(paged(&start.term, page)).then("\n");
    out = out.and(Look::Note, "the goal").then("\n").then(wanted(goal, page)).then("\n");
    out = out.and(Look::Note, "the rules").then("\n").then(listed(rules)).then("\n\n");
    let help =
        format!("type a schedule; `:lesson hint` gives one of {}, `:lesson stop` ends it", counted(*hints, "hint"));
    out.then(Styled::aside(&help)).folded(page.width)
}

fn wanted(goal: &Goal, page: Page) -> Styled {
    let mut out = Styled::default();
    if let Some(work) = &goal.work {
        out.plain(&format!("work that grows as {}\n", polynomial(work)));
    }
    if let Some(form) = &goal.form {
        out.append(&term(form, page.width).then("\n"));
    }
    out
}

fn told(tried: &Tried, page: Page) -> Styled {
    let Tried { ran, diagnosis, picked, attempts, hints, next } = tried;
    let mut out = ran.as_ref().map_or_else(Styled::default, |answer| walk(answer, page).trim_end().then("\n\n"));
    if let Some(schedule) = picked {
        out = out.and(Look::Aside, "the schedule that says what you picked").then(format!("\n{schedule}\n\n"));
    }
    let reached = diagnosis.kind().is_reached();
    out.append(&said(diagnosis).folded(page.width).trim_end().then("\n"));
    if let Some(remark) = &diagnosis.remark {
        out.append(&markdown(remark, page.width));
    }
    let help = match (reached, next) {
        (true, Some(next)) => format!("`:lesson next` goes on with {next}"),
        (true, None) => "that was the last one".to_owned(),
        (false, _) => {
            "`:lesson more` says more, `:lesson hint` helps; the next schedule begins at the lesson's term".to_owned()
        }
    };
    if reached {
        let of = format!("with {} and {}", counted(*attempts, "attempt"), counted(*hints, "hint"));
        out.append(&Styled::aside(&of).then("\n"));
    }
    out.then(Styled::aside(&help))
}

/// The one thing that is said.
fn said(diagnosis: &Diagnosis) -> Styled {
    let steps = counted(diagnosis.trace.steps.len(), "step");
    let [before, after] = diagnosis.work.each_ref().map(|work| polynomial(work));
    match &diagnosis.says {
        Says::Reached(None) => {
            Styled::of(Look::Strong, "Reached").then(format!(" in {steps}: work {before} -> {after}."))
        }
        Says::Reached(Some(detour)) => {
            let first = detour.steps.start + 1;
            let where_ = match detour.steps.len() {
                1 => format!("step {first}"),
                _ => format!("steps {first} to {}", detour.steps.end),
            };
            let instead = match detour.instead {
                0 => "does without".to_owned(),
                count => format!("takes {}", counted(count, "step")),
            };
            Styled::of(Look::Strong, "Reached").then(format!(
                " in {steps}, a detour of {}: for {where_} `{}` {instead}.",
                counted(detour.extra, "step"),
                detour.solution
            ))
        }
        Says::Forbidden(rules) => {
            let are = if rules.len() == 1 { "isn't one" } else { "aren't among those" };
            wrong("Not with these rules").then(format!(": {} {are} that this lesson is about.", quoted(rules)))
        }
        Says::Endless(finding) => wrong("It doesn't end").then(format!(": {}.", found(finding))),
        Says::Long(reason, longest) => {
            let takes = counted(*longest, "step");
            let so_far = reason.to_string();
            let so_far = so_far.split(';').next().unwrap_or_default();
            wrong("It doesn't come to an end").then(format!(" where a solution takes {takes}: it was {so_far}."))
        }
        Says::Failed(reason, remedy) => wrong("It fails").then(format!(": {reason}. {}", sentence(remedy))),
        Says::Changed { step, rule, difference } => wrong("It changes what the term means").then(format!(
            ": step {step}, by {}. {}",
            rule.quoted(),
            counterexample(difference)
        )),
        Says::Idle { stage, next } => wrong("Not there yet")
            .then(format!(": the stage `{stage}` does nothing, all steps are taken without it. {}", onward(next))),
        Says::Stuck(next) => wrong("Not there yet").then(format!(" after {steps}: {}", onward(next))),
        Says::Costly(turn) => wrong("Too much work").then(format!(": {after}, where less is possible. {}", left(turn))),
        Says::Astray(turn) => wrong("Another form than the one that is wanted").then(format!(". {}", left(turn))),
    }
}

fn wrong(what: &str) -> Styled {
    Styled::of(Look::Warning, what)
}

fn quoted(names: &[crate::ground::Name]) -> String {
    listed(names.iter().map(|name| format!("`{name}`")))
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.map_or_else(String::new, |first| format!("{first}{}.", letters.as_str().trim_end_matches('.')))
}

fn found(finding: &Diagnostic) -> String {
    finding.headline.trim_end_matches('.').to_owned()
}

fn onward(next: &Next) -> String {
    let whole = &next.why.there.program.term;
    let place = next.path.display(whole);
    let at = if place.is_empty() { "at the root".to_owned() } else { format!("at `{place}`") };
    format!("from here {} applies {at}, and then a solution goes on.", next.rule.quoted())
}

fn left(turn: &Turn) -> String {
    let (next, rule) = (turn.after + 1, turn.away.rule().quoted());
    let place = turn.away.path().display(&turn.whole);
    let at = if place.is_empty() { "at the root".to_owned() } else { format!("at `{place}`") };
    match turn.after {
        0 => format!("Its first step, {rule} {at}, leaves the way: a solution can't go on from there."),
        after => {
            format!("Up to step {after} a solution could go on to the goal; step {next}, {rule} {at}, leaves that way.")
        }
    }
}

fn counterexample(difference: &Difference) -> String {
    let sizes = difference.sizes.iter().map(|(name, value)| format!("{name} = {value}"));
    let inputs: Vec<String> = difference.inputs.iter().map(value_to_json).collect();
    let given = match inputs.is_empty() {
        true => listed(sizes),
        false => listed(sizes.chain([format!("the input {}", inputs.join(", "))])),
    };
    let under = if difference.under_d { " under D" } else { "" };
    let [left, right] = [&difference.left, &difference.right].map(value_to_json);
    match given.is_empty() {
        true => format!("Before it the term is {left}{under}, after it {right}."),
        false => format!("For {given} the term before it gives {left}{under}, the one after it {right}."),
    }
}

fn more(diagnosis: &Diagnosis, page: Page) -> Styled {
    let mut out = said(diagnosis).folded(page.width).trim_end().then("\n");
    match &diagnosis.says {
        Says::Idle { next, .. } | Says::Stuck(next) => {
            out.append(&why(&Why::Not((*next.why).clone()), page));
        }
        Says::Costly(turn) | Says::Astray(turn) => {
            let help = format!(
                "`:goto {}` makes the term before that step the current one; `:possible` says what else can be done there, `:why {}` why this was",
                turn.after,
                turn.after + 1
            );
            out.append(&Styled::aside(&help));
        }
        Says::Endless(finding) => {
            finding.help.iter().for_each(|line| out.plain(&format!("{line}\n")));
        }
        Says::Changed { rule, .. } => {
            out.append(&Styled::aside(&format!("`:rule {}` shows its law", rule.info().name)));
        }
        Says::Forbidden(_) | Says::Failed(..) | Says::Long(..) | Says::Reached(_) => {}
    }
    out
}
