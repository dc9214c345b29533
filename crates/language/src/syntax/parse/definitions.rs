//! Builds the raw trees of models: imports and definitions.

use std::ops::Range;

use pest::iterators::Pair;

use super::Rule;
use super::build::{Builder, first, part, parts};
use crate::ground::{Span, Trouble, text::word};
use crate::syntax::raw::{RawDefinition, RawIdent, RawImplicit, RawImport, RawModel};

/// The definitions of a model that begins nothing but these and comments at the start of a line, before they are parsed:
/// the name of each, and where it stands.
pub fn definitions(model: &str) -> Vec<(&str, Range<usize>)> {
    let (mut found, mut start): (Vec<(&str, Range<usize>)>, usize) = (Vec::new(), 0);
    let mut open = false;
    for line in model.split_inclusive('\n') {
        open &= line.starts_with(char::is_whitespace);
        let end = start + line.len();
        if let Some(rest) = line.strip_prefix("def ") {
            found.push((word(rest.trim_start()), start..end));
            open = true;
        } else if let Some((_, range)) = found.last_mut().filter(|_| open) {
            range.end = end;
        }
        start = end;
    }
    found
}

impl Builder {
    pub fn model(&self, pair: Pair<'_, Rule>) -> Result<RawModel, Trouble> {
        let mut model = RawModel::default();
        for item in parts(pair) {
            match item.as_rule() {
                Rule::import => model.imports.push(self.import(first(item))),
                _ => model.definitions.push(self.definition(item)?),
            }
        }
        Ok(model)
    }

    fn import(&self, string: Pair<'_, Rule>) -> RawImport {
        RawImport { path: string.as_str().trim_matches('"').to_owned(), span: self.span(&string) }
    }

    pub fn definition(&self, pair: Pair<'_, Rule>) -> Result<RawDefinition, Trouble> {
        let start = self.span(&pair);
        let mut inner = parts(pair);
        let name = self.defined(&part(&mut inner), "a definition")?;
        let (mut implicits, mut params, mut result) = (Vec::new(), Vec::new(), None);
        let mut next = part(&mut inner);
        while next.as_rule() != Rule::expr {
            match next.as_rule() {
                Rule::implicits => self.implicits(next, &mut implicits)?,
                Rule::params => self.params(next, &mut params)?,
                _ => result = Some(self.ty(next)?.node),
            }
            next = part(&mut inner);
        }
        let body = self.term(next)?.node;
        let span = Span { end: body.span.end, ..start };
        Ok(RawDefinition { name, implicits, params, result, body, span })
    }

    fn implicits(&self, pair: Pair<'_, Rule>, out: &mut Vec<RawImplicit>) -> Result<(), Trouble> {
        for run in parts(pair) {
            self.run(run, out)?;
        }
        Ok(())
    }

    /// Names that share what follows them: a lower bound, `: type`, or nothing.
    fn run(&self, pair: Pair<'_, Rule>, out: &mut Vec<RawImplicit>) -> Result<(), Trouble> {
        let mut names: Vec<RawIdent> = Vec::new();
        for inner in parts(pair) {
            match inner.as_rule() {
                Rule::kw_type => {
                    out.extend(names.into_iter().map(RawImplicit::Type));
                    return Ok(());
                }
                Rule::natural => {
                    let lower = self.natural(&inner)?;
                    out.extend(names.into_iter().map(|name| RawImplicit::Size { name, lower }));
                    return Ok(());
                }
                _ => names.push(self.defined(&inner, "a size or a type")?),
            }
        }
        out.extend(names.into_iter().map(|name| RawImplicit::Size { name, lower: 0 }));
        Ok(())
    }
}
