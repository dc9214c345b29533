//! Answers `:limits` and `:set`: what work may take.

use std::time::Duration;

use super::response::{Response, SessionResult};
use super::state::Session;
use redexter_language::ground::{Diagnostic, Limits, code};
use redexter_telling::command::LimitName;

pub(super) fn limits(session: &Session) -> Response {
    Response::Limits(session.host.allowance())
}

pub(super) fn set(session: &mut Session, setting: LimitName, value: &str) -> SessionResult {
    let before = session.host.allowance();
    let mut allowance = before;
    let limits = &mut allowance.limits;
    match setting {
        LimitName::MaxSteps => limits.max_steps = number(value)?,
        LimitName::MaxSize => limits.max_size = number(value)?,
        LimitName::MaxDepth => limits.max_depth = depth(session, number(value)?)?,
        LimitName::MaxMemory => allowance.memory = megabytes(value)?,
        LimitName::Timeout => allowance.timeout = timeout(value)?,
        LimitName::Pager => {
            session.host.paged.set(on_or_off(value)?);
            return Ok(Response::Silent);
        }
    }
    let limits = allowance.limits;
    let widest = session.work.widest.unwrap_or(before.limits);
    session.work.widest = Some(Limits {
        max_steps: widest.max_steps.max(limits.max_steps),
        max_size: widest.max_size.max(limits.max_size),
        max_depth: widest.max_depth.max(limits.max_depth),
    });
    session.host.allow(allowance);
    Ok(Response::Limits(allowance))
}

/// A limit on depth that the stack has room for: the stack is made when the program starts.
fn depth(session: &Session, wanted: u64) -> Result<u32, Diagnostic> {
    let deepest = session.host.nesting.terms;
    u32::try_from(wanted).ok().filter(|w| *w <= deepest).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, format!("this session can't nest deeper than {deepest}"))
            .help(format!("start it with `--max-depth {wanted}`"))
    })
}

/// The commands that make one set of limits another.
pub(super) fn commands_between(before: Limits, after: Limits) -> Vec<String> {
    let all = [
        ("max-steps", before.max_steps, after.max_steps),
        ("max-size", before.max_size, after.max_size),
        ("max-depth", before.max_depth.into(), after.max_depth.into()),
    ];
    let changed = all.into_iter().filter(|(_, before, after)| before != after);
    changed.map(|(name, _, after)| format!(":set {name} {after}")).collect()
}

fn on_or_off(value: &str) -> Result<bool, Diagnostic> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(Diagnostic::error(code::COMMAND, format!("the pager is `on` or `off`, not `{value}`"))
            .help("write `:set pager off`")),
    }
}

fn number(value: &str) -> Result<u64, Diagnostic> {
    value.replace('_', "").parse().map_err(|_| {
        Diagnostic::error(code::COMMAND, format!("`{value}` is no number")).help("give a number such as 100000")
    })
}

fn megabytes(value: &str) -> Result<Option<u64>, Diagnostic> {
    if value == "half" {
        return Ok(None);
    }
    let count = value.replace('_', "").parse::<u64>().ok();
    count.and_then(|n| n.checked_mul(1 << 20)).map(Some).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, format!("`{value}` is no number of megabytes"))
            .help("give megabytes such as 2000, or `half` for half of the machine's")
    })
}

fn timeout(value: &str) -> Result<Option<Duration>, Diagnostic> {
    if value == "none" {
        return Ok(None);
    }
    let seconds = value.parse::<f64>().ok().filter(|s| (0.0..=1e9).contains(s));
    seconds.map(|s| Some(Duration::from_secs_f64(s))).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, format!("`{value}` is no number of seconds")).help("give seconds, or `none`")
    })
}
