//! Hands each command about a derivation to the function that runs it.

use super::answer::{WalkAnswer, WalkResult};
use super::breakpoints::{remove_breakpoints, set_breakpoint, until};
use super::command::WalkCommand;
use super::control::StepGoal;
use super::focus::{find, go_aside, go_down, go_top, go_up, list_marks, mark, put_focus_at};
use super::navigation::{diff, go_to, log, tag, trace};
use super::owner::WalkOwner;
use super::plot::plot;
use super::state::Walk;
use super::take::{go_on, stop, take_possible, travel};

/// Runs a command.
pub fn answer(walk: &mut Walk, command: &WalkCommand, owner: &dyn WalkOwner) -> WalkResult {
    match command {
        WalkCommand::Step(count) => go_on(walk, StepGoal::Steps(*count), owner),
        WalkCommand::Continue => go_on(walk, StepGoal::All, owner),
        WalkCommand::Next(count) => go_on(walk, StepGoal::Next(*count), owner),
        WalkCommand::Finish => go_on(walk, StepGoal::Finish, owner),
        WalkCommand::Until(condition) => until(walk, condition, owner),
        WalkCommand::Break(None) => Ok(WalkAnswer::Breakpoints(walk.breakpoints.clone())),
        WalkCommand::Break(Some(address)) => set_breakpoint(walk, address, owner),
        WalkCommand::Unbreak(number) => remove_breakpoints(&mut walk.breakpoints, *number),
        WalkCommand::Stop => stop(&mut walk.history),
        WalkCommand::Take(number) => take_possible(walk, *number, owner),
        WalkCommand::Undo(count) => travel(walk, *count, true),
        WalkCommand::Redo(count) => travel(walk, *count, false),
        WalkCommand::Trace(addresses) => trace(walk, addresses, owner),
        WalkCommand::Plot(address) => Ok(WalkAnswer::Plot(Box::new(plot(walk, address.as_ref(), owner)?))),
        WalkCommand::GoTo(address) => go_to(walk, address, owner),
        WalkCommand::Log => log(&walk.history),
        WalkCommand::Tag(name) => tag(&mut walk.history, name),
        WalkCommand::Diff(from, to) => diff(walk, from, to.as_ref(), owner),
        WalkCommand::At(address) => put_focus_at(walk, address, owner),
        WalkCommand::Find(target) => find(walk, target, owner),
        WalkCommand::Up(count) => go_up(&mut walk.history, *count),
        WalkCommand::Down(child) => go_down(&mut walk.history, child.as_deref()),
        WalkCommand::Left => go_aside(&mut walk.history, false),
        WalkCommand::Right => go_aside(&mut walk.history, true),
        WalkCommand::Top => go_top(&mut walk.history),
        WalkCommand::Mark(Some(name)) => mark(&mut walk.marks, name, &walk.history),
        WalkCommand::Mark(None) => list_marks(&walk.marks, &walk.history),
    }
}
