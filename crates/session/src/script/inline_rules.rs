//! Reads texts where strategies are expected: a pattern, which succeeds where it matches, or a rule without a name, whose law is
//! its name. Both are read once, and shown where they stand in backticks; a text that was put together stands by itself.

use std::rc::Rc;

use super::soundness::{self, checker};
use super::world::ScriptWorld;
use redexter_language::ground::text::{in_word, on_one_line};
use redexter_language::ground::{Diagnostic, SourceId, Span, Trouble, code};
use redexter_language::syntax::raw::{RawInPlace, RawLaw, RawRule};
use redexter_language::syntax::{law_on_one_line, parse_in_place};
use redexter_rewriting::rule::{ConditionFunctions, Pattern, Rule, RuleInfo, define};
use redexter_rewriting::strategy::{Strategy, StrategyForm};

/// Words that may stand behind the laws of a rule only where it has a name.
const NAMED_RULE_WORDS: &[&str] = &["where", "exact", "real_exact", "reassociating", "unchecked"];

/// The strategy that a text is.
pub(crate) fn strategy(world: &ScriptWorld, text: &str) -> Result<Strategy, Trouble> {
    let key = text.trim();
    if let Some(known) = world.in_place.borrow().get(key) {
        return Ok(known.clone());
    }
    let at = place(world, text);
    let strategy = read(world, at).map_err(|trouble| explained(world, at, trouble))?;
    world.in_place.borrow_mut().insert(key.to_owned(), strategy.clone());
    Ok(strategy)
}

/// The pattern that a text is.
pub(crate) fn pattern(world: &ScriptWorld, text: &str) -> Result<Pattern, Trouble> {
    let found = if text.contains("-->") { None } else { Some(strategy(world, text)?) };
    match found.as_ref().map(Strategy::form) {
        Some(StrategyForm::Match(pattern)) => Ok(pattern.clone()),
        _ => Err(Diagnostic::error(code::BAD_RULE, "a pattern is needed here, and this is a rule")
            .at(place(world, text), "has an arrow")
            .help("write what stands before the arrow alone")
            .into()),
    }
}

/// Whether a text may be a path: names and numbers joined by dots, several of one name as `body×5`.
pub(crate) fn is_path(text: &str) -> bool {
    text.chars().all(|c| in_word(c) || c == '.' || c == '×')
}

/// Whether a text stands in backticks in what was read.
pub(crate) fn is_written(world: &ScriptWorld, text: &str) -> bool {
    found(world, text).is_some()
}

fn found(world: &ScriptWorld, text: &str) -> Option<Span> {
    let (sources, all) = (world.sources.borrow(), world.texts.borrow());
    let same = |span: &Span| {
        let written = &sources.get(span.source).text[span.start as usize..span.end as usize];
        let inside = written.strip_prefix("\r\n").or_else(|| written.strip_prefix('\n')).unwrap_or(written);
        inside == text
    };
    all.ticked.values().rev().find_map(|spans| spans.iter().find(|span| same(span)).copied())
}

/// Where a text stands.
fn place(world: &ScriptWorld, text: &str) -> Span {
    found(world, text).unwrap_or_else(|| {
        let mut sources = world.sources.borrow_mut();
        let id: SourceId = sources.add("<pattern>", text);
        sources.whole(id)
    })
}

fn read(world: &ScriptWorld, at: Span) -> Result<Strategy, Trouble> {
    let raw = parse_in_place(&world.sources.borrow(), at, &world.host.budget())?;
    match raw {
        RawInPlace::Pattern(pattern) => {
            let laws = checker(world)(&RawRule::of_pattern(&pattern), false)?;
            Ok(Strategy::pattern(&Pattern::new(&shown(world, pattern.span)?, &laws)))
        }
        RawInPlace::Rule(law) if law.both_ways => Err(two_ways(&shown(world, law.span)?, law.span).into()),
        RawInPlace::Rule(law) => {
            let rules = defined(world, &law)?;
            soundness::guard(world, &rules, law.span)?;
            let rule = rules.first().map(|info| Strategy::rule(&Rule::new(info.clone(), &[])));
            Ok(rule.unwrap_or_else(Strategy::fail))
        }
    }
}

/// A rule whose name is its law.
fn defined(world: &ScriptWorld, law: &RawLaw) -> Result<Vec<Rc<RuleInfo>>, Trouble> {
    let raw = RawRule::of_law(&format!("`{}`", shown(world, law.span)?), law.clone());
    define(raw, &world.sources.borrow().get(law.span.source).text, &checker(world), ConditionFunctions::default())
}

/// What stands there on one line, without comments.
fn shown(world: &ScriptWorld, span: Span) -> Result<String, Trouble> {
    let sources = world.sources.borrow();
    law_on_one_line(&sources.get(span.source).text[span.start as usize..span.end as usize])
}

fn two_ways(law: &str, at: Span) -> Diagnostic {
    Diagnostic::error(code::BAD_RULE, "a rule in place goes one way")
        .at(at, "goes both ways")
        .help(format!("write `{}`", law.replace("<-->", "-->")))
        .help(format!("or give it a name, which has a `reverse`: write `rule named = `{law}``"))
}

/// What is wrong, or where the law ends, if something stands behind it that only rules with names have.
fn explained(world: &ScriptWorld, at: Span, trouble: Trouble) -> Trouble {
    let sources = world.sources.borrow();
    let text = &sources.get(at.source).text[at.start as usize..at.end as usize];
    let behind = text.find("-->").and_then(|arrow| {
        let words = text.char_indices().filter(|(k, _)| *k > arrow && !text[..*k].ends_with(in_word));
        words.map(|(k, _)| k).find(|k| NAMED_RULE_WORDS.contains(&redexter_language::ground::text::word(&text[*k..])))
    });
    let (Trouble::Wrong(_), Some(k)) = (&trouble, behind) else { return trouble };
    let (law, rest) = (on_one_line(&text[..k]), on_one_line(&text[k..]));
    let start = at.start as usize + k;
    Diagnostic::error(code::BAD_RULE, "a rule in place is a law alone")
        .at(Span::new(at.source, start, start + text[k..].trim_end().len()), "belongs to a rule with a name")
        .help(format!("write `rule named = `{law}` {rest}`, and use its name"))
        .into()
}
