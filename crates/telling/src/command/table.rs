//! Lists every command with its arguments, summary and example, and the aliases of some.

use std::sync::LazyLock;

use crate::arguments::{CommandInfo, command_info};
use crate::questions::QUESTIONS;

macro_rules! table {
    ($($group:ident $name:literal $usage:literal $argument:ident $summary:literal $example:literal $(as $method:literal)?;)*) => {
        [$(command_info!($group $name $usage $argument $summary $example $(as $method)?)),*]
    };
}

/// Every command, in the order of `:help` within its group.
pub static COMMANDS: LazyLock<Vec<CommandInfo>> = LazyLock::new(|| {
    let questions = QUESTIONS.iter().map(|question| question.info);
    BEFORE_QUESTIONS.iter().copied().chain(questions).chain(BEHIND_QUESTIONS.iter().copied()).collect()
});

const BEFORE_QUESTIONS: &[CommandInfo] = &table! {
    Files "load" "FILE" File "load a model (.arr) or run a script (.strat)" ":load models/vector_sum.arr";
    Look "show" "[TERM]" Expression "show the current term, or another one" ":show";
    Look "type" "[TERM]" Expression "the type of the current term, or of another" ":type gradient";
    Walk "step" "[STRATEGY | N]" Expression "take a strategy's first rewrite, or N more" ":step normalize(getBuild <+ beta)";
    Walk "continue" "" Nothing "take all rewrites that are pending" ":continue" as "go_on";
    Walk "next" "[N]" Free "take the next rewrite, or all of the stage that it begins" ":next";
    Walk "finish" "" Nothing "take the rest of the stage that the last rewrite was in" ":finish";
    Walk "until" "CONDITION" Free "take rewrites until something holds for the whole term" ":until work < 3*n" as "run_until";
    Walk "break" "[ADDRESS]" Address "stop before rewrites by a rule, of a stage, at a path or a pattern; list these" ":break hoist" as "break_at";
    Walk "unbreak" "[N]" Free "remove a breakpoint, or all" ":unbreak 1";
    Walk "stop" "" Nothing "drop the rewrites that are pending" ":stop";
    Walk "take" "N" Free "take a rewrite that `:possible` listed, by its number" ":take 1";
    Walk "undo" "[N]" Free "take back the last change of the term, or the last N" ":undo 2";
    Walk "redo" "[N]" Free "do again what was taken back" ":redo";
    Walk "replay" "[from ADDRESS] [STRATEGY]" Expression "run a strategy from an earlier term: a branch, compared with what was there" ":replay from 1 fastGradient";
    Look "trace" "[ADDRESS…]" Address "what was done: a table of stages, or a stage, a step, several" ":trace fastGradient/hoist";
    Walk "goto" "ADDRESS" Address "make the term after a step, after a stage or with a tag the current one" ":goto 1" as "go_to";
    Look "log" "" Nothing "every term that was current, with branches and tags" ":log";
    Walk "tag" "NAME" Free "give the current term a name" ":tag fused";
    Look "diff" "ADDRESS [ADDRESS]" Address "how a term differs from the current one, or from another" ":diff 0 1";
    Look "plot" "[ADDRESS] [FILE.svg]" Address "the work over the steps, as a drawing here or in a file" ":plot fastGradient";
    Look "profile" "[STRATEGY]" Expression "attempts, rewrites and time by rule and by stage: of what was run, or of a strategy that is only tried out" ":profile normalize(getBuild <+ beta)";
    Focus "at" "ADDRESS" Address "put the focus on a subterm: strategies apply there" ":at .body.argument";
    Focus "find" "[PATTERN | N]" Free "where a pattern matches in the focus; go to the N-th of these places" ":find `x * y`";
    Focus "up" "[N]" Free "put the focus on the term around" ":up 2";
    Focus "down" "[CHILD]" Free "put the focus on a child, the first if none is named" ":down argument";
    Focus "left" "" Nothing "put the focus on the child before" ":left";
    Focus "right" "" Nothing "put the focus on the child behind" ":right";
    Focus "top" "" Nothing "put the focus on the whole term" ":top";
    Focus "mark" "[NAME]" Free "give the subterm in focus a name that follows it; list these" ":mark sum";
    Ask "rules" "[TEXT]" Rule "the rule book, or the rules that contain a text" ":rules build";
    Ask "rule" "NAME" Rule "a rule: laws, conditions, source, example, what it enables" ":rule letSubstN";
    Ask "strategies" "[NAME | TEXT]" Expression "all strategies and libraries, all about one, or those that contain a text" ":strategies topDown";
};

const BEHIND_QUESTIONS: &[CommandInfo] = &table! {
    Run "eval" "[DEFINITION] {JSON} | NAME=VALUE…" Free "evaluate the current term, or another" ":eval v=[1, 2, 3]";
    Run "count" "[DEFINITION] {JSON} | NAME=VALUE…" Free "count what evaluating it executes" ":count {\"v\": [1, 2]} n=2";
    Run "cost" "[TERM | sharded SIZE…] [SIZE=N…]" Expression "the work of the current term, or of another, as formulas in its sizes, or at sizes; what each of p devices holds and is told" ":cost n=10";
    Files "reload" "" Nothing "load again what was loaded, and say what changed" ":reload";
    Files "export" "futhark|jax FILE | page|markdown|latex|json [ADDRESS…] FILE" Export "export the current term to Futhark or JAX; or its derivation, or parts of it, as a page, as notes, as a paper, as JSON" ":export futhark out.fut";
    Files "save" "FILE.strat" File "write a script that does again what was done" ":save session.strat";
    Ask "lesson" "[NAME | FILE.md | hint | check | more | again | next | list | report FILE | stop]" Free "open a lesson in the order of optimisations, or get help in it" ":lesson fusion";
    Session "set" "[LIMIT VALUE]" Setting "show the limits, or change one" ":set max-steps 5000";
    Session "quit" "" Nothing "leave" ":quit";
    Ask "help" "[WORD]" Topic "this list; what is called so: a command, a topic, a rule, a strategy; or what mentions it" ":help addresses";
};

/// Other names for commands: short forms that mean one of several, and the words of other prompts.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("l", "load"),
    ("lo", "load"),
    ("u", "undo"),
    ("un", "undo"),
    ("re", "redo"),
    ("d", "diff"),
    ("a", "at"),
    ("g", "goto"),
    ("pr", "profile"),
    ("se", "set"),
    ("ta", "tag"),
    ("h", "help"),
    ("exit", "quit"),
    // GHCi's.
    ("t", "type"),
    ("i", "help"),
    ("info", "help"),
    ("?", "help"),
    // gdb's.
    ("s", "step"),
    ("c", "continue"),
    ("bt", "trace"),
];
