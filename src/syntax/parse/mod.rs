//! The parser: text in, raw tree or one diagnostic out.
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
mod terms;
mod types;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use pest_derive::Parser;

use self::build::Builder;
pub use self::definitions::definitions;
use self::explain::SyntaxError;
pub use self::rules::{Listed, listed};
use super::comments::{self, Dialect};
use super::raw::{RawDefinition, RawInPlace, RawModel, RawRule, RawTerm, RawType};
use crate::ground::{Limits, SourceId, Sources, Span, Trouble, text::on_one_line};

#[derive(Parser)]
#[grammar = "syntax/model.pest"]
struct Grammar;

/// Parses a model file.
pub fn parse_model(sources: &Sources, id: SourceId, limits: &Limits) -> Result<RawModel, Trouble> {
    let text = &sources.get(id).text;
    parse(text, sources.whole(id), limits, Rule::model, Dialect::Model, Builder::model)
}

/// Parses the one definition that stands in `region` of a text.
pub fn parse_definition(text: &str, region: Span, limits: &Limits) -> Result<RawDefinition, Trouble> {
    parse(text, region, limits, Rule::lone_definition, Dialect::Model, |b, top| b.definition(build::first(top)))
}

/// Parses the text of `region`, all of which must be one term.
pub fn parse_term(sources: &Sources, region: Span, limits: &Limits) -> Result<RawTerm, Trouble> {
    let term = |b: &Builder, top: Pair<'_, Rule>| Ok(b.term(build::first(top))?.node);
    parse(&sources.get(region.source).text, region, limits, Rule::lone_term, Dialect::Model, term)
}

/// Parses the text of `region`, all of which must be one type.
pub fn parse_type(sources: &Sources, region: Span, limits: &Limits) -> Result<RawType, Trouble> {
    let text = &sources.get(region.source).text;
    parse(text, region, limits, Rule::lone_type, Dialect::Model, |b, top| Ok(b.ty(build::first(top))?.node))
}

/// Parses one rule: what stands between the word `rule` and the `;`, in this text.
pub fn parse_rule(text: &str, region: Span, limits: &Limits) -> Result<RawRule, Trouble> {
    parse(text, region, limits, Rule::lone_rule, Dialect::Rules, |b, top| b.rule(build::first(top), text))
}

/// Parses what stands between backticks where a strategy is expected: a pattern or a law.
pub fn parse_in_place(sources: &Sources, region: Span, limits: &Limits) -> Result<RawInPlace, Trouble> {
    let text = &sources.get(region.source).text;
    parse(text, region, limits, Rule::lone_law, Dialect::Rules, Builder::in_place)
}

/// Parses a rule book; each rule comes with the name of the group it stands in, empty before the first group.
pub fn parse_rule_book(sources: &Sources, id: SourceId, limits: &Limits) -> Result<Vec<(String, RawRule)>, Trouble> {
    let text = &sources.get(id).text;
    parse(text, sources.whole(id), limits, Rule::rule_book, Dialect::Rules, |b, top| b.rule_book(top, text))
}

/// A law or a pattern on one line, without its comments.
pub fn law_on_one_line(text: &str) -> Result<String, Trouble> {
    let bare = comments::blank(text, Dialect::Rules, |start, end| Span::new(SourceId(0), start, end))?;
    Ok(on_one_line(&bare))
}

/// A text of a model with its comments blanked.
pub(super) fn without_comments(text: &str) -> Result<String, Trouble> {
    comments::blank(text, Dialect::Model, |start, end| Span::new(SourceId(0), start, end))
}

/// The passes in their order; `build` gets the pair of `start`.
fn parse<T>(
    whole: &str,
    region: Span,
    limits: &Limits,
    start: Rule,
    dialect: Dialect,
    build: impl FnOnce(&Builder, Pair<'_, Rule>) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let base = region.start as usize;
    let written = &whole[base..region.end as usize];
    let text = comments::blank(written, dialect, |start, end| Span::new(region.source, base + start, base + end))?;
    let builder = Builder::new(region.source, base, dialect == Dialect::Rules, limits.max_depth);
    nesting::open_forms(&text, dialect, limits.max_depth)?;
    match Grammar::parse(start, &text) {
        Ok(mut pairs) => build(&builder, build::part(&mut pairs)),
        Err(error) => {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            let expected = match error.variant {
                ErrorVariant::ParsingError { positives, .. } => positives,
                ErrorVariant::CustomError { .. } => Vec::new(),
            };
            Err(SyntaxError { text: &text, dialect, source: region.source, base, at, expected: &expected }
                .explain()
                .into())
        }
    }
}
