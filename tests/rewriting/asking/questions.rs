//! Questions to a session, and their answers as values.

use redexter::reply;
use redexter::session::{self, Session};
use redexter::walk::WalkAnswer;
use redexter::why::{RuleStatement, WaitCause, WhyAnswer, WhyNot, WhyStage, WhyStep, WorkGrowth};

use super::walks::{empty, walked};

/// After these lines.
#[track_caller]
pub fn after(lines: &[&str]) -> Session {
    let mut session = empty();
    for line in lines {
        session::submit(&mut session, line).unwrap_or_else(|trouble| panic!("{line}: {trouble:?}"));
    }
    session
}

#[track_caller]
pub fn asked(session: &mut Session, line: &str) -> WhyAnswer {
    match walked(session, line) {
        answer @ WalkAnswer::Finding(_, None) => answer.found::<WhyAnswer>().expect("an answer").clone(),
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
pub fn why_not(session: &mut Session, line: &str) -> WhyNot {
    match asked(session, line) {
        WhyAnswer::Not(why) => why,
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
pub fn why_step(session: &mut Session, line: &str) -> WhyStep {
    match asked(session, line) {
        WhyAnswer::Step(why) => why,
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
pub fn why_stage(session: &mut Session, line: &str) -> WhyStage {
    match asked(session, line) {
        WhyAnswer::Stage(why) => why,
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
pub fn growth(session: &mut Session, line: &str) -> WorkGrowth {
    match asked(session, line) {
        WhyAnswer::Growth(growth) => growth,
        other => panic!("{line}: {other:?}"),
    }
}

/// What is printed, its lines joined.
#[track_caller]
pub fn printed(session: &mut Session, line: &str) -> String {
    match session::submit(session, line) {
        Ok(response) => reply::answer(&response, 1_000).text().to_owned(),
        other => panic!("{line}: {other:?}"),
    }
}

/// The messages and the help of what went wrong.
#[track_caller]
pub fn wrong(session: &mut Session, line: &str) -> String {
    match session::submit(session, line) {
        Err(trouble) => format!("{trouble:?}"),
        other => panic!("{line}: {other:?}"),
    }
}

pub const FUSE: &str =
    "strategy fuse = normalize(beta <+ getBuild <+ letPair <+ letSubstSafe <+ letSubstN(1) <+ fstPair <+ sndPair);";
pub const SPLIT: &str = "strategy split = normalize(ifoldFission <+ fstPair <+ sndPair);";

#[track_caller]
pub fn cause(why: &WhyNot) -> (usize, &str, &str, &str, &WaitCause) {
    let found = why.said.iter().find_map(|said| match said {
        RuleStatement::Taken(taken) => Some(taken),
        _ => None,
    });
    let taken = found.unwrap_or_else(|| panic!("{:?}", why.said));
    (taken.number, &taken.rule, &taken.address, &taken.place, &taken.cause)
}
