//! Lays out what lessons say: the task, hints, and the diagnosis of a schedule.

use super::markdown::{entries, markdown};
use crate::session::{AttemptReport, LessonEntry, LessonOpening, LessonResponse};
use redexter_language::cost::Poly;
use redexter_language::eval::value_to_json;
use redexter_language::ground::Name;
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_language::syntax::names_at;
use redexter_language::term::{Path, Term};
use redexter_rewriting::redex::site;
use redexter_rewriting::sound::Difference;
use redexter_rewriting::why::WhyAnswer;
use redexter_telling::lesson::{
    Detour, Diagnosis, DiagnosisDetail, IdleReason, LessonGoal, NextMove, ScheduleFailure, SolutionStep, WrongTurn,
};
use redexter_telling::render::{Look, PageLayout, Styled, open_term, paged, polynomial, term, walk};
use redexter_telling::walk::{QuestionFinding, WalkAnswer};

/// So many characters of a subterm are shown within a line.
const EXCERPT_CHARACTERS: usize = 60;

/// So many rules that may not be used are named.
const MAX_NAMED_RULES: usize = 3;

/// What a lesson says.
pub fn lecture(lecture: &LessonResponse, page: PageLayout) -> Styled {
    match lecture {
        LessonResponse::List(lessons) => list(lessons, page.width),
        LessonResponse::Opened(opening) => opened(opening, page),
        LessonResponse::Hint { number, of, text } => {
            let head = Styled::of(Look::Note, &format!("hint {number} of {of}")).then("\n");
            head.then(markdown(text, page.width)).trim_end().then("\n")
        }
        LessonResponse::Tried(tried) => told(tried, page),
        LessonResponse::Report(text) => text.trim_end().into(),
        LessonResponse::TypedGoal(program) => {
            paged(&program.term, page).then("\n\n").then(typed_goal().folded(page.width))
        }
        LessonResponse::More(diagnosis) => more(diagnosis, page),
        LessonResponse::Closed(title) => Styled::aside(&format!("the lesson \"{title}\" is closed")),
    }
}

fn list(lessons: &[LessonEntry], width: usize) -> Styled {
    let row = |lesson: &LessonEntry| {
        let taken = lesson.taken.as_ref().filter(|taken| !taken.attempts.is_empty());
        let done = taken.map_or_else(String::new, |taken| {
            let reached = if taken.is_reached() { "reached" } else { "not reached yet" };
            format!(" ({reached}, {}, {})", counted(taken.attempts.len(), "attempt"), counted(taken.hints, "hint"))
        });
        (format!("{:>2} {}", lesson.number, lesson.name), format!("{}{done}", lesson.title))
    };
    let rows: Vec<(String, String)> = lessons.iter().map(row).collect();
    let help = "`:lesson NAME` or `:lesson 1` opens one";
    Styled::of(Look::Strong, "lessons").then("\n").then(entries(&rows, width)).then(Styled::aside(help))
}

fn opened(opening: &LessonOpening, page: PageLayout) -> Styled {
    let LessonOpening { title, prose, .. } = opening;
    let out = Styled::of(Look::Strong, title).then("\n\n").then(markdown(prose, page.width)).then("\n");
    out.then(task(opening, page))
}

/// The term, the goal and the rules.
fn task(opening: &LessonOpening, page: PageLayout) -> Styled {
    let LessonOpening { start, work, goal, rules, hints, .. } = opening;
    let mut out = Styled::default();
    out = out.and(Look::Note, "the term").and(Look::Aside, &format!(", work {}", polynomial(work))).then("\n");
    out = out.then(paged(&start.term, page)).then("\n");
    out = out.and(Look::Note, "the goal").then("\n").then(wanted(goal, page));
    out = out.and(Look::Note, "the rules").then("\n").then(entries(rules, page.width)).then("\n");
    let hints = if *hints == 1 { "a hint".to_owned() } else { format!("one of {hints} hints") };
    let help = format!(
        "type a schedule for the whole way from the term to the goal; `:lesson hint` gives {hints}, `:lesson stop` ends the lesson"
    );
    out.then(Styled::aside(&help))
}

/// The goal of a lesson: how its work grows, its form.
pub fn wanted(goal: &LessonGoal, page: PageLayout) -> Styled {
    let mut out = Styled::default();
    if let Some(work) = &goal.work {
        let is_constant = work.grows_within(&Poly::default());
        let work =
            if is_constant { "constant work".to_owned() } else { format!("work that grows as {}", polynomial(work)) };
        out.plain(&format!("{work}\n"));
    }
    if let Some(form) = &goal.form {
        out.append(&term(form, page.width).trim_end().then("\n"));
    }
    out
}

/// What is said of a term that is the goal, and was typed.
pub fn typed_goal() -> Styled {
    strong("That is the goal").then(
        ", but you typed it: the lesson asks for the schedule that leads to it from its own term. `:lesson again` takes you back there.",
    )
}

fn told(tried: &AttemptReport, page: PageLayout) -> Styled {
    let ran = &tried.ran;
    let out = ran.as_ref().map_or_else(Styled::default, |answer| walk(answer, page).trim_end().then("\n\n"));
    out.then(verdict(tried, page))
}

/// The part of an answer that stays to be seen after a pager showed the whole.
pub fn brief(lecture: &LessonResponse, page: PageLayout) -> Option<Styled> {
    match lecture {
        LessonResponse::Tried(tried) => Some(verdict(tried, page)),
        LessonResponse::Opened(opening) => Some(task(opening, page)),
        _ => None,
    }
}

fn verdict(tried: &AttemptReport, page: PageLayout) -> Styled {
    let AttemptReport { diagnosis, picked, attempts, hints, next, .. } = tried;
    let mut out = Styled::default();
    if let Some(schedule) = picked {
        out = out.and(Look::Aside, "the steps so far as a schedule").then(format!("\n{schedule}\n\n"));
    }
    let reached = diagnosis.kind().is_reached();
    out.append(&said(diagnosis).folded(page.width).trim_end().then("\n"));
    if let Some(remark) = &diagnosis.remark {
        out.append(&markdown(remark, page.width));
    }
    let help = match (reached, next) {
        (true, Some(next)) => format!("; `:lesson next` goes on with {next}"),
        (true, None) => String::new(),
        (false, _) => {
            let more = if has_more(diagnosis) { "`:lesson more` says more, " } else { "" };
            let back = if is_taken_back(tried) { "; its steps are taken back, `:redo` shows their end" } else { "" };
            format!("{more}`:lesson hint` helps{back}")
        }
    };
    let count = match reached {
        true => format!("With {} and {}", counted(*attempts, "attempt"), counted(*hints, "hint")),
        false => String::new(),
    };
    out.then(Styled::aside(&format!("{count}{help}")))
}

fn has_more(diagnosis: &Diagnosis) -> bool {
    !matches!(diagnosis.says, DiagnosisDetail::Failed(_) | DiagnosisDetail::Long(..) | DiagnosisDetail::Reached(None))
}

/// Whether its steps were taken on the walk, and were undone.
fn is_taken_back(tried: &AttemptReport) -> bool {
    matches!(tried.ran.as_deref(), Some(WalkAnswer::Run(run)) if run.taken() > 0)
}

/// The one thing that is said of a schedule.
pub fn said(diagnosis: &Diagnosis) -> Styled {
    let steps = counted(diagnosis.trace.steps.len(), "step");
    let [before, after] = diagnosis.work.each_ref().map(|work| polynomial(work));
    let enough = diagnosis.enough.as_ref().map_or_else(|| "less".to_owned(), polynomial);
    match &diagnosis.says {
        DiagnosisDetail::Reached(None) => strong("Reached").then(format!(" in {steps}: work {before} → {after}.")),
        DiagnosisDetail::Reached(Some(detour)) => strong("Reached").then(format!(" in {steps}, {}.", longer(detour))),
        DiagnosisDetail::Forbidden { rules, .. } => {
            let are = if rules.len() == 1 { "isn't one" } else { "aren't among those" };
            wrong("Not with these rules").then(format!(": {} {are} that this lesson is about.", some(rules)))
        }
        DiagnosisDetail::Endless(finding) => {
            let round = finding.help.iter().find(|line| line.starts_with("the way round"));
            let round = round.map_or_else(String::new, |line| format!(" {}", sentence(line)));
            wrong("It doesn't end").then(format!(": {}.{round}", finding.headline))
        }
        DiagnosisDetail::Long(reason, longest) => {
            let (takes, so_far) = (counted(*longest, "step"), reason.to_string());
            let so_far = so_far.split(';').next().unwrap_or_default().to_owned();
            wrong("It doesn't come to an end").then(format!(" where a solution takes {takes}: it was {so_far}."))
        }
        DiagnosisDetail::Failed(failure) => wrong("It fails").then(failed(failure, &passed(diagnosis))),
        DiagnosisDetail::Changed { step, rule, difference } => wrong("It changes what the term means").then(format!(
            ": step {step}, by {}. {}",
            rule.quoted(),
            counterexample(difference, &diagnosis.trace.start)
        )),
        DiagnosisDetail::Idle { stage, next } => {
            let without = if diagnosis.trace.steps.is_empty() { "" } else { ", all steps are taken without it" };
            wrong("Not there yet").then(format!(": the stage `{stage}` does nothing{without}. {}", onward(next)))
        }
        DiagnosisDetail::Stuck(_) if diagnosis.passed.is_some() => {
            wrong("Not there any more").then(format!(" after {steps}. {}", passed(diagnosis)))
        }
        DiagnosisDetail::Stuck(next) => wrong("Not there yet").then(format!(" after {steps}. {}", onward(next))),
        DiagnosisDetail::Costly(turn) => wrong("Too much work").then(format!(
            ": {after}, where {enough} is enough. {}{}",
            passed(diagnosis),
            left(turn, diagnosis.passed.as_ref().map(|passed| passed.0))
        )),
        DiagnosisDetail::Astray(turn) => {
            let work = match diagnosis.enough.as_ref().is_some_and(|enough| enough.is_below(&diagnosis.work[1])) {
                true => format!(", with work {after} instead of {enough}"),
                false => String::new(),
            };
            wrong("Another form than the one that is wanted").then(format!(
                "{work}. {}{}",
                passed(diagnosis),
                left(turn, diagnosis.passed.as_ref().map(|passed| passed.0))
            ))
        }
    }
}

/// Whether the goal was reached on the way: a sentence, and a blank behind it.
fn passed(diagnosis: &Diagnosis) -> String {
    match &diagnosis.passed {
        Some((after, Some(rule))) => {
            format!("You were there after step {after}: step {}, by {}, leaves it again. ", after + 1, rule.quoted())
        }
        Some((after, None)) => format!("You were there after step {after}: what stands behind that isn't needed. "),
        None => String::new(),
    }
}

fn strong(what: &str) -> Styled {
    Styled::of(Look::Strong, what)
}

fn wrong(what: &str) -> Styled {
    Styled::of(Look::Warning, what)
}

/// The first ones, and how many more.
fn some(names: &[Name]) -> String {
    let quoted = names.iter().take(MAX_NAMED_RULES).map(|name| format!("`{name}`"));
    let more = names.len().saturating_sub(MAX_NAMED_RULES);
    listed(quoted.chain((more > 0).then(|| format!("{more} more"))))
}

fn sentence(text: &str) -> String {
    // A name in two words, such as `letPair`, stays as it is written.
    let first = text.split(' ').next().unwrap_or_default();
    if first.contains(char::is_uppercase) {
        return format!("{}.", text.trim_end_matches('.'));
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.map_or_else(String::new, |first| format!("{first}{}.", letters.as_str().trim_end_matches('.')))
}

fn longer(detour: &Detour) -> String {
    let first = detour.steps.start + 1;
    let round = match detour.steps.len() {
        1 => format!("step {first}"),
        _ => format!("steps {first} to {}", detour.steps.end),
    };
    let instead = match detour.instead {
        0 => "a solution does without".to_owned(),
        count => format!("a solution takes {}", counted(count, "step")),
    };
    format!("a detour of {}: for {round} {instead}", counted(detour.extra, "step"))
}

fn failed(failure: &ScheduleFailure, passed: &str) -> String {
    let ScheduleFailure { reason, part, remedy, onward, idle, is_back, .. } = failure;
    let how = match part {
        Some((part, 0)) => format!(": its part `{part}` fails before any step, {reason}."),
        Some((part, after)) => format!(": its part `{part}` fails after {}, {reason}.", counted(*after, "step")),
        None => format!(": {reason}."),
    };
    let advice = match (remedy, onward) {
        _ if !passed.is_empty() => passed.trim_end().to_owned(),
        _ if *is_back => "The steps before it lead back to the term that you began with: leave them out.".to_owned(),
        (Some(remedy), _) => sentence(remedy),
        (None, Some(NextMove::Step(next))) => {
            let (rule, at) = (next.0.rule().quoted(), place(&next.0.path(), &next.1));
            match part {
                Some((_, 1..)) => format!("Before it {rule} applies {at}, and then a solution goes on."),
                _ => format!("{rule} applies {at}, and then a solution goes on."),
            }
        }
        (None, Some(NextMove::Left(turn))) => left(turn, None),
        (None, None) => String::new(),
    };
    let idle = idle.as_ref().map_or_else(String::new, |part| format!(" `{part}` before it does nothing."));
    format!("{how}{idle} {advice}")
}

fn onward(next: &SolutionStep) -> String {
    let rule = next.rule.quoted();
    let own = match &next.own {
        Some(IdleReason::AtRoot) => {
            " The schedule is tried at the root of the term only: `topDown` looks for a place.".to_owned()
        }
        Some(IdleReason::Begins(first)) => {
            format!(" The sequence that has {rule} begins with `{first}`, which fits nowhere.")
        }
        Some(IdleReason::Behind(first, then)) => format!(
            " In the schedule `{then}` stands right behind `{first}`, and has to succeed at the same place: it fails there, so that \
             both are undone. For different places write `<+`, or look for each by itself."
        ),
        Some(IdleReason::Elsewhere) => format!(" The schedule has {rule}, but never comes to try it there."),
        None => String::new(),
    };
    format!("{}{own}", applies(&rule, &next.path, &next.why.there.program.term))
}

fn applies(rule: &str, path: &Path, whole: &Term) -> String {
    format!("At its end {rule} applies {}, and then a solution goes on.", place(path, whole))
}

/// A subterm, as far as it fits into a line.
fn place(path: &Path, whole: &Term) -> String {
    match site(whole, path) {
        Some((_, here)) if !path.0.is_empty() => {
            let text = open_term(&here, &names_at(whole, path).unwrap_or_default(), usize::MAX);
            format!("at `{}`", shortened(text.text(), EXCERPT_CHARACTERS))
        }
        _ => "to the whole term".to_owned(),
    }
}

/// How the way was left; shorter where the goal was reached right before that, which is told already.
fn left(turn: &WrongTurn, passed: Option<usize>) -> String {
    let (next, rule) = (turn.after + 1, turn.away.rule().quoted());
    let at = place(&turn.away.path(), &turn.whole);
    let idle = turn.idle.as_ref().map_or_else(String::new, |stage| format!(" The stage `{stage}` did nothing."));
    match turn.after {
        after if passed == Some(after) => format!("It does so {at}.{idle}"),
        0 => format!("Its first step, {rule} {at}, leaves the way: a solution can't go on from there.{idle}"),
        after => format!("Up to step {after} a solution could go on; step {next}, {rule} {at}, leaves the way.{idle}"),
    }
}

fn counterexample(difference: &Difference, start: &Term) -> String {
    let names = start.applied().0.into_iter().map(|(name, _)| name);
    let sizes = difference.sizes.iter().map(|(name, value)| format!("{name} = {value}"));
    let inputs = names.zip(&difference.inputs).map(|(name, value)| format!("{name} = {}", value_to_json(value)));
    let given = listed(sizes.chain(inputs));
    let under = if difference.under_d { " under D" } else { "" };
    let [left, right] = [&difference.left, &difference.right].map(value_to_json);
    match given.is_empty() {
        true => format!("Before it the term is {left}{under}, after it {right}."),
        false => format!("For {given} the term before it gives {left}{under}, the one after it {right}."),
    }
}

fn more(diagnosis: &Diagnosis, page: PageLayout) -> Styled {
    let mut out = said(diagnosis).folded(page.width).trim_end().then("\n");
    match &diagnosis.says {
        DiagnosisDetail::Idle { next, .. } | DiagnosisDetail::Stuck(next) => {
            out.append(&WhyAnswer::Not((*next.why).clone()).text(page))
        }
        DiagnosisDetail::Costly(turn) | DiagnosisDetail::Astray(turn) => {
            let (after, number) = (turn.after, turn.after + 1);
            let at = turn.away.path().display(&turn.whole);
            let where_ = if at.is_empty() { String::new() } else { format!(" at .{at}") };
            let help = format!(
                "that step is{where_}; `:goto {after}` makes the term before it the current one, `:possible` says what else can \
                 be done there, `:why {number}` why it was done"
            );
            out.append(&Styled::aside(&help).folded(page.width));
        }
        DiagnosisDetail::Endless(finding) => finding.help.iter().for_each(|line| out.plain(&format!("{line}\n"))),
        DiagnosisDetail::Changed { rule, .. } => {
            out.append(&Styled::aside(&format!("`:rule {}` shows its law", rule.info().name)));
        }
        DiagnosisDetail::Forbidden { allowed, .. } => {
            out.append(&Styled::aside(&format!("the lesson is about {}", listed(allowed))).folded(page.width));
        }
        DiagnosisDetail::Reached(Some(detour)) => {
            out.append(&Styled::aside(&format!("the solution is `{}`", detour.solution)).folded(page.width));
        }
        DiagnosisDetail::Failed(_) | DiagnosisDetail::Long(..) | DiagnosisDetail::Reached(None) => {}
    }
    out
}
