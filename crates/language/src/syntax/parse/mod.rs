//! Parses text: text in, raw tree or one diagnostic out.
//!
//! Three passes: `comments` blanks what isn't language, `nesting` bounds how deep pest may recurse, the grammar gives
//! pairs from which `definitions`, `climb`, `terms`, `types` and `rules` build the tree; `explain` turns pest's
//! expectations into words. Nothing here knows what a name means or what type a term has.

mod build;
mod climb;
mod definitions;
mod explain;
mod nesting;
mod rules;
mod slices;
mod terms;
mod tuples;
mod types;

use std::ops::Range;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use pest_derive::Parser;

use self::build::Builder;
pub use self::definitions::definitions;
use self::explain::SyntaxError;
pub use self::rules::{ListedRule, listed};
use super::comments::{self, CommentDialect};
use super::raw::{RawDefinition, RawInPlace, RawModel, RawRule, RawTerm, RawType};
use crate::ground::{Budget, SourceId, Sources, Span, Trouble, text::on_one_line};

#[derive(Parser)]
#[grammar = "syntax/model.pest"]
struct Grammar;

/// A model is parsed in parts of about so many bytes, between which the budget is asked: pest can't be stopped.
const PART_BYTES: usize = 1 << 16;

/// Parses a model file.
pub fn parse_model(sources: &Sources, id: SourceId, budget: &Budget) -> Result<RawModel, Trouble> {
    let text = BlankedText::new(&sources.get(id).text, sources.whole(id), budget, CommentDialect::Model)?;
    let (mut model, mut from) = (RawModel::default(), 0);
    loop {
        let end = part_end(&text.blanked, from);
        // What is wrong with a part may come from where it ends.
        let part = text.parse(from..end, budget, Rule::model, Builder::model);
        let (part, end) = match part {
            Err(Trouble::Wrong(_)) if end < text.blanked.len() => {
                (text.parse(from..text.blanked.len(), budget, Rule::model, Builder::model)?, text.blanked.len())
            }
            part => (part?, end),
        };
        model.imports.extend(part.imports);
        model.definitions.extend(part.definitions);
        if end == text.blanked.len() {
            return Ok(model);
        }
        from = end;
    }
}

/// Where a part of a model ends that begins there: before a definition, unless it is the last.
fn part_end(model: &str, from: usize) -> usize {
    let least = (from + PART_BYTES..model.len()).find(|at| model.is_char_boundary(*at)).unwrap_or(model.len());
    model[least..].find("\ndef ").map_or(model.len(), |at| least + at + 1)
}

/// Parses the one definition that stands in `region` of a text.
pub fn parse_definition(text: &str, region: Span, budget: &Budget) -> Result<RawDefinition, Trouble> {
    parse(text, region, budget, Rule::lone_definition, CommentDialect::Model, |b, top| b.definition(build::first(top)))
}

/// Parses the text of `region`, all of which must be one term.
pub fn parse_term(sources: &Sources, region: Span, budget: &Budget) -> Result<RawTerm, Trouble> {
    let term = |b: &Builder, top: Pair<'_, Rule>| Ok(b.term(build::first(top))?.node);
    parse(&sources.get(region.source).text, region, budget, Rule::lone_term, CommentDialect::Model, term)
}

/// Parses a text that is one term, to whose places nothing will point.
pub fn parse_alone(text: &str, budget: &Budget) -> Result<RawTerm, Trouble> {
    let mut sources = Sources::default();
    let id = sources.add("<term>", text);
    parse_term(&sources, sources.whole(id), budget)
}

/// Parses the text of `region`, all of which must be one type.
pub fn parse_type(sources: &Sources, region: Span, budget: &Budget) -> Result<RawType, Trouble> {
    let text = &sources.get(region.source).text;
    parse(text, region, budget, Rule::lone_type, CommentDialect::Model, |b, top| Ok(b.ty(build::first(top))?.node))
}

/// Parses one rule: what stands between the word `rule` and the `;`, in this text.
pub fn parse_rule(text: &str, region: Span, budget: &Budget) -> Result<RawRule, Trouble> {
    parse(text, region, budget, Rule::lone_rule, CommentDialect::Rules, |b, top| b.rule(build::first(top), text))
}

/// Parses what stands between backticks where a strategy is expected: a pattern or a law.
pub fn parse_in_place(sources: &Sources, region: Span, budget: &Budget) -> Result<RawInPlace, Trouble> {
    let text = &sources.get(region.source).text;
    parse(text, region, budget, Rule::lone_law, CommentDialect::Rules, Builder::in_place)
}

/// Parses a rule book; each rule comes with the name of the group it stands in, empty before the first group.
pub fn parse_rule_book(sources: &Sources, id: SourceId, budget: &Budget) -> Result<Vec<(String, RawRule)>, Trouble> {
    let text = &sources.get(id).text;
    parse(text, sources.whole(id), budget, Rule::rule_book, CommentDialect::Rules, |b, top| b.rule_book(top, text))
}

/// A law or a pattern on one line, without its comments.
pub fn law_on_one_line(text: &str) -> Result<String, Trouble> {
    let bare = comments::blank(text, CommentDialect::Rules, |start, end| Span::new(SourceId(0), start, end))?;
    Ok(on_one_line(&bare))
}

/// A text of a model with its comments blanked.
pub(super) fn without_comments(text: &str) -> Result<String, Trouble> {
    comments::blank(text, CommentDialect::Model, |start, end| Span::new(SourceId(0), start, end))
}

/// The passes in their order; `build` gets the pair of `start`.
fn parse<T>(
    whole: &str,
    region: Span,
    budget: &Budget,
    start: Rule,
    dialect: CommentDialect,
    build: impl FnOnce(&Builder, Pair<'_, Rule>) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let text = BlankedText::new(whole, region, budget, dialect)?;
    text.parse(0..text.blanked.len(), budget, start, build)
}

/// A text that is as deep and as long as it may be, its comments blanked.
struct BlankedText {
    source: SourceId,
    /// Where it begins in its source.
    base: usize,
    dialect: CommentDialect,
    blanked: String,
}

impl BlankedText {
    fn new(whole: &str, region: Span, budget: &Budget, dialect: CommentDialect) -> Result<BlankedText, Trouble> {
        budget.ask()?;
        let (source, base) = (region.source, region.start as usize);
        let written = &whole[base..region.end as usize];
        let blanked = comments::blank(written, dialect, |start, end| Span::new(source, base + start, base + end))?;
        nesting::open_forms(&blanked, dialect, budget)?;
        Ok(BlankedText { source, base, dialect, blanked })
    }

    /// Parses a range, before which nothing is open.
    fn parse<T>(
        &self,
        range: Range<usize>,
        budget: &Budget,
        start: Rule,
        build: impl FnOnce(&Builder, Pair<'_, Rule>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        budget.ask()?;
        let from = range.start;
        let builder = Builder::new(self.source, self.base + from, self.dialect == CommentDialect::Rules, budget);
        match Grammar::parse(start, &self.blanked[range]) {
            Ok(mut pairs) => {
                budget.ask()?;
                build(&builder, build::part(&mut pairs))
            }
            Err(error) => {
                let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
                let expected = match error.variant {
                    ErrorVariant::ParsingError { positives, .. } => positives,
                    ErrorVariant::CustomError { .. } => Vec::new(),
                };
                let BlankedText { source, base, dialect, blanked: text } = self;
                let (source, base, dialect) = (*source, *base, *dialect);
                Err(SyntaxError { text, dialect, source, base, at: from + at, expected: &expected }.explain().into())
            }
        }
    }
}
