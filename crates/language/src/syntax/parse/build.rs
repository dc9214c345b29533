//! Defines `Builder`, which turns pest's pairs into the raw tree, with what all of it shares: spans, heights and names.

use std::cell::OnceCell;

use pest::iterators::Pair;

use super::Rule;
use crate::ground::{Budget, Diagnostic, Name, SourceId, Span, StopReason, Trouble, code};
use crate::syntax::raw::RawIdent;
use crate::syntax::words::reserved;

/// Turns pairs of one text into raw trees.
pub(super) struct Builder {
    source: SourceId,
    base: usize,
    budget: Budget,
    /// Whether `e(a, i)` is a pattern variable, as in rules, or an application.
    pub patterns: bool,
    /// What begins the names of pairs whose parts have names of their own: it stands nowhere in the text.
    pub(super) pair_name: OnceCell<String>,
}

/// A tree and its height; every tree is built through [`Builder::tall`], so none outgrows the limit.
#[derive(Debug)]
pub(super) struct WithHeight<T> {
    pub node: T,
    pub height: u32,
}

impl Builder {
    pub fn new(source: SourceId, base: usize, patterns: bool, budget: &Budget) -> Builder {
        Builder { source, base, budget: budget.clone(), patterns, pair_name: OnceCell::new() }
    }

    /// Where a pair stands. Lists may take in the blanks behind them: their builders join the spans of their parts.
    pub fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(self.source, self.base + span.start(), self.base + span.end())
    }

    /// A tree that is `below` high without its root.
    pub fn tall<T>(&self, node: T, below: u32) -> Result<WithHeight<T>, Trouble> {
        self.budget.tick()?;
        let most = self.budget.limits.max_depth;
        if below >= most {
            return Err(StopReason::Depth(most).into());
        }
        Ok(WithHeight { node, height: below + 1 })
    }

    /// Items joined two by two in their order; there is at least one.
    pub fn joined<T>(
        &self,
        items: impl IntoIterator<Item = WithHeight<T>>,
        join: impl Fn(T, T) -> T,
    ) -> Result<WithHeight<T>, Trouble> {
        let mut items = items.into_iter();
        let first = items.next().expect("the grammar promises an item");
        items.try_fold(first, |a, b| self.tall(join(a.node, b.node), a.height.max(b.height)))
    }

    /// A name as written, reserved or not.
    pub fn ident(&self, pair: &Pair<'_, Rule>) -> RawIdent {
        RawIdent { name: Name::new(pair.as_str()), span: self.span(pair) }
    }

    /// A name that is bound or defined here.
    pub fn binder(&self, pair: &Pair<'_, Rule>) -> Result<RawIdent, Trouble> {
        let ident = self.ident(pair);
        match reserved(pair.as_str()) {
            true => Err(reserved_word(pair.as_str(), ident.span).into()),
            false => Ok(ident),
        }
    }

    /// As `binder`, for what is used by its name: `_` won't do.
    pub fn defined(&self, pair: &Pair<'_, Rule>, what: &str) -> Result<RawIdent, Trouble> {
        match pair.as_str() {
            "_" => Err(Diagnostic::error(code::SYNTAX, format!("{what} needs a name"))
                .at(self.span(pair), "`_` is no name")
                .help("write a name of letters, digits and primes, such as `total`")
                .into()),
            _ => self.binder(pair),
        }
    }

    /// A natural number up to 2^63-1.
    pub fn natural(&self, pair: &Pair<'_, Rule>) -> Result<u64, Trouble> {
        match pair.as_str().parse::<i64>() {
            Ok(value) => Ok(value.unsigned_abs()),
            Err(_) => Err(Diagnostic::error(code::SIZE_TOO_LARGE, "this size is too large")
                .at(self.span(pair), "above 2^63-1")
                .help("write a size up to 9223372036854775807, or a size variable")
                .into()),
        }
    }
}

/// The finding that a reserved word is used as a name.
pub(super) fn reserved_word(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::RESERVED_WORD, format!("`{word}` is a reserved word"))
        .at(span, "a name is needed here")
        .help(format!("choose another name, such as `{}1`", word.replace('λ', "l")))
}

/// The parts of a pair that carry meaning; punctuation is left out.
pub(super) fn parts(pair: Pair<'_, Rule>) -> impl Iterator<Item = Pair<'_, Rule>> {
    pair.into_inner().filter(|p| !punctuation(p.as_rule()))
}

/// The first part of a rule that always has one.
pub(super) fn first(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    part(&mut parts(pair))
}

/// The next part, where the grammar promises one.
pub(super) fn part<'i>(parts: &mut impl Iterator<Item = Pair<'i, Rule>>) -> Pair<'i, Rule> {
    parts.next().expect("the grammar promises this part")
}

#[rustfmt::skip]
fn punctuation(rule: Rule) -> bool {
    use Rule::{
        EOI, and, arrow, assign, at_least, close_brace, close_paren, close_square, colon, comma, dot, equals, kw_array,
        kw_def, kw_else, kw_fin, kw_fun, kw_if, kw_import, kw_let, kw_rule, kw_then, kw_where, maps_to, plus,
        semicolon, tick, times,
    };
    matches!(
        rule,
        EOI | and | arrow | assign | at_least | close_brace | close_paren | close_square | colon | comma | dot | equals
            | kw_array | kw_def | kw_else | kw_fin | kw_fun | kw_if | kw_import | kw_let | kw_rule | kw_then | kw_where
            | maps_to | plus | semicolon | tick | times
    )
}
