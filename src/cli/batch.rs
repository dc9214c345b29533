//! Applies a strategy to several models of one line: each is a task in a session and a thread of its own.

use std::io;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use super::common::CommonArgs;
use super::exit_of;
use super::options::{ApplyArgs, Task};
use super::start::{run, timeout};
use crate::terminal::{Exit, Os, Out};
use redexter_language::ground::jobs::in_order;
use redexter_language::ground::{Sources, StopReason, Trouble};
use redexter_session::session::System;
use redexter_telling::render;

/// Applies the strategy to each of the models, and prints of them in their order. They have one clock; once it, or Ctrl-C,
/// ends them no other is begun. Gives the worst of their ends.
pub fn each(apply: ApplyArgs, common: &CommonArgs, depth: u32, out: &Out) -> io::Result<Exit> {
    let machine = Os::start();
    let over = || match machine.interrupted() {
        true => Some(StopReason::Interrupted),
        false => timeout(common).filter(|allowed| machine.now() >= *allowed).map(StopReason::Time),
    };
    let jobs = apply.jobs.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    // Half of the machine's memory, as for one model, is shared by those that are worked on at once.
    let share = machine.memory().map(|bytes| (bytes / 2 / jobs.min(apply.targets.len()) as u64) >> 20);
    let common = &CommonArgs { max_memory: common.max_memory.or(share), ..common.clone() };
    machine.working(true);
    let worked = in_order(
        apply.targets.clone(),
        jobs,
        depth,
        || over().is_none(),
        |target, port| {
            let one = ApplyArgs { targets: vec![target], ..apply.clone() };
            run(Task::Apply(one), common, depth, out.through(port), machine.shared())
        },
        |said| out.say(said),
    )?;
    let mut ends = worked.results;
    if !worked.left.is_empty()
        && let Some(reason) = over()
    {
        let stopped = Trouble::from(reason).help(format!("`{}` weren't begun", worked.left.join("`, `")));
        out.note(render::trouble(&stopped, &Sources::default()));
        ends.push(exit_of(&stopped));
    }
    machine.working(false);
    Ok(ends.into_iter().max().unwrap_or(Exit::Done))
}
