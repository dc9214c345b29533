//! Lays out the guides to strategies and libraries: usage, purpose, definition, laws and examples.

use super::rules::block;
use crate::script::{LibraryGuide, StrategyGuide};
use redexter_telling::render::{Look, Styled};

/// All about one strategy.
pub fn strategy(guide: &StrategyGuide, width: usize) -> Styled {
    let mut text = Styled::of(Look::Rule, &guide.usage).then("\n");
    let mut put = |first: &str, part: &str| {
        let indent = 2 + first.chars().count();
        for (k, line) in block(Look::Plain, part, indent, width).into_iter().enumerate() {
            text.plain(&if k == 0 { format!("  {first}") } else { " ".repeat(indent) });
            text.append(&line.then("\n"));
        }
    };
    put("", &guide.about);
    put("", guide.definition.as_deref().unwrap_or(""));
    guide.laws.iter().for_each(|law| put("law: ", law));
    guide.examples.iter().for_each(|example| put("example: ", example));
    text
}

/// What a library offers.
pub fn library(library: &LibraryGuide, width: usize) -> Styled {
    let mut text = Styled::of(Look::Strong, &format!("{}: {}", library.name, library.path)).then("\n");
    if library.offers.is_empty() {
        text.plain("  offers nothing\n");
    }
    let names = library.offers.iter().map(|guide| guide.usage.chars().count()).max().unwrap_or(0);
    for guide in &library.offers {
        text = text.then("  ").and(Look::Rule, &guide.usage);
        let lines = block(Look::Plain, &guide.about, names + 4, width);
        for (k, line) in lines.iter().enumerate() {
            let used = if k == 0 {
                2 + guide.usage.chars().count()
            } else {
                text.plain("\n");
                0
            };
            text.plain(&" ".repeat(names + 4 - used));
            text.append(line);
        }
        text.plain("\n");
    }
    text
}
