//! Lays out the help: the commands in their groups, and what there is to read on a word.

use super::guides::{library, strategy};
use super::markdown::{entries, markdown};
use super::rules::{block, rule};
use crate::session::manual::{self, ManualRow, Section};
use crate::session::markdown::inline;
use crate::session::{HelpMention, HelpTopic};
use redexter_telling::command::{ADDRESS_HELP, ArgumentKind, COMMANDS, CommandGroup, CommandInfo, aliases};
use redexter_telling::render::{Look, Styled};

/// How a command is written.
fn usage(info: &CommandInfo) -> String {
    format!(":{} {}", info.name, info.usage).trim_end().to_owned()
}

/// Every command, and every topic.
pub fn help(width: usize) -> Styled {
    let intro = "A line that is a strategy runs on the current term; one that is a term makes it current; everything \
                 else is a statement of the script language.";
    let mut text = lines(intro, width);
    for (group, heading) in CommandGroup::ALL {
        let of = COMMANDS.iter().filter(|info| info.group == *group);
        let rows: Vec<(String, String)> = of.map(|info| (usage(info), info.summary.to_owned())).collect();
        text = text.then("\n").and(Look::Strong, heading).then("\n").then(entries(&rows, width));
    }
    text = text.then("\n").and(Look::Strong, "topics").then("\n").then(topics(width)).then("\n");
    let close = "`:help WORD` tells of a command, topic, rule or strategy, or finds the word. A line that leaves a \
                 bracket or quote open goes on in the next; Tab completes names and files.";
    text.then(lines(close, width))
}

fn lines(text: &str, width: usize) -> Styled {
    block(Look::Plain, text, 0, width).into_iter().map(|line| line.then("\n")).collect()
}

/// The pages of the reference with the sections in each.
fn topics(width: usize) -> Styled {
    let sections = manual::sections();
    let pages = sections.iter().filter(|section| section.level == 1);
    let rows = pages.map(|page| {
        let titles: Vec<&str> = page.below().iter().map(|section| section.title).collect();
        (page.title.to_owned(), titles.join(" · "))
    });
    entries(&rows.collect::<Vec<_>>(), width)
}

/// All that a word names.
pub fn help_on(found: &[HelpTopic], width: usize) -> Styled {
    let mut text = Styled::default();
    for (k, named) in found.iter().enumerate() {
        if k > 0 {
            text.plain("\n");
        }
        text.append(&match named {
            HelpTopic::Command(info) => on_command(info, width).then(match found.len() {
                1 => elsewhere(info, width),
                _ => Styled::default(),
            }),
            HelpTopic::Strategy(guide) => strategy(guide, width),
            HelpTopic::Library(guide) => library(guide, width),
            HelpTopic::Rule(page) => rule(page, width),
            HelpTopic::Row(ManualRow { section, cells }) => {
                let rest = cells.iter().skip(1).map(|cell| inline(cell)).collect::<Vec<_>>().join("; ");
                let first = inline(cells.first().map_or("", String::as_str));
                entries(&[(first, rest)], width).then(see(&format!("see `:help {section}`"), width))
            }
            HelpTopic::Section(section) => on_section(section, width),
            HelpTopic::Own(name, told) => entries(&[(name.clone(), told.clone())], width),
        });
    }
    text
}

fn see(text: &str, width: usize) -> Styled {
    block(Look::Aside, text, 0, width).into_iter().map(|line| line.then("\n")).collect()
}

/// Where more is said of a command that is shown without the section that has its name.
fn elsewhere(info: &CommandInfo, width: usize) -> Styled {
    let has_section = manual::sections().iter().any(|section| section.names().any(|name| name == info.name));
    if has_section { see(&format!("  more: `:help {}`", info.name), width) } else { Styled::default() }
}

fn on_command(info: &CommandInfo, width: usize) -> Styled {
    let mut text = Styled::of(Look::Rule, &usage(info)).then("\n");
    let mut put = |part: &str| {
        for line in block(Look::Plain, part, 2, width) {
            text.plain("  ");
            text.append(&line.then("\n"));
        }
    };
    put(info.summary);
    put(&format!("example: {}", info.example));
    let others: Vec<String> = aliases(info).map(|name| format!(":{name}")).collect();
    if !others.is_empty() {
        put(&format!("also: {}", others.join(", ")));
    }
    if info.argument == ArgumentKind::Address {
        put(&format!("{ADDRESS_HELP}; more in `:help addresses`"));
    }
    text
}

fn on_section(section: &Section, width: usize) -> Styled {
    let below: Vec<&str> = section.below().iter().map(|section| section.title).collect();
    let text = Styled::of(Look::Strong, section.title).then("\n").then(markdown(section.text, width));
    match below.is_empty() {
        true => text,
        false => text.then("\n").then(see(&format!("more: `:help` {}", below.join(" · ")), width)),
    }
}

/// The lines that mention a word, where nothing has it as its name.
pub fn mentions(wanted: &str, found: &[HelpMention], width: usize) -> Styled {
    let rows: Vec<(String, String)> = found.iter().map(|m| (m.topic.clone(), inline(&m.about))).collect();
    Styled::of(Look::Aside, &format!("nothing is called `{wanted}`; these mention it"))
        .then("\n")
        .then(entries(&rows, width))
}
