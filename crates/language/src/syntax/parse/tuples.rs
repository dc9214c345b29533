//! Gives names to the parts of pairs: `let (a, b) := p; e` is `let pair := p; let a := pair.1; let b := pair.2; e`, and so under
//! `fun`.

use pest::iterators::Pair;
use rustc_hash::FxHashMap;

use super::Rule;
use super::build::{Builder, WithHeight, parts};
use crate::ground::{Diagnostic, Name, Trouble, code};
use crate::syntax::raw::{RawIdent, RawParam, RawTerm, RawTermKind};

/// A name for a part of a pair.
pub(super) struct TakenName {
    /// The pair.
    whole: RawIdent,
    /// Which halves lead to the part: true for a first one.
    way: Vec<bool>,
    /// The name.
    name: RawIdent,
}

impl Builder {
    /// The name of a binder, or else that of a pair, whose parts' names are noted. No such name stands in the text, nor does it
    /// with a number behind it; `number` tells parameters of one function apart.
    pub(super) fn taken(
        &self,
        pair: Pair<'_, Rule>,
        number: usize,
        taken: &mut Vec<TakenName>,
    ) -> Result<RawIdent, Trouble> {
        if pair.as_rule() == Rule::binder {
            return self.binder(&pair);
        }
        let whole = RawIdent { name: self.unused(pair.get_input(), number), span: self.span(&pair) };
        self.name_parts(pair, &mut Vec::new(), &whole, taken)?;
        Ok(whole)
    }

    fn unused(&self, text: &str, number: usize) -> Name {
        let base = self.pair_name.get_or_init(|| {
            let mut base = "pair".to_owned();
            while text.contains(&base) {
                base.push('\'');
            }
            base
        });
        Name::new(&format!("{base}{}", if number == 0 { String::new() } else { number.to_string() }))
    }

    fn name_parts(
        &self,
        pair: Pair<'_, Rule>,
        way: &mut Vec<bool>,
        whole: &RawIdent,
        taken: &mut Vec<TakenName>,
    ) -> Result<(), Trouble> {
        let mut items = Vec::new();
        for part in parts(pair) {
            match part.as_rule() {
                Rule::tuple_rest => items.extend(parts(part)),
                Rule::binder | Rule::tuple => items.push(part),
                _ => {}
            }
        }
        let (depth, last) = (way.len(), items.len().saturating_sub(1));
        for (k, item) in items.into_iter().enumerate() {
            if k < last {
                way.push(true);
            }
            match item.as_rule() {
                Rule::binder => {
                    let name = self.binder(&item)?;
                    // Names of one pair stand behind each other.
                    let mut own = taken.iter().rev().take_while(|other| other.whole.name == whole.name);
                    if let Some(other) = own.find(|other| other.name.name == name.name) {
                        return Err(named_twice(&name, &other.name).into());
                    }
                    if name.name.as_str() != "_" {
                        taken.push(TakenName { whole: whole.clone(), way: way.clone(), name });
                    }
                }
                _ => self.name_parts(item, way, whole, taken)?,
            }
            if k < last {
                way.pop();
                way.push(false);
            }
        }
        way.truncate(depth);
        Ok(())
    }

    /// The let that gives the part its name, around a body.
    pub(super) fn taking(&self, taken: &TakenName, body: WithHeight<RawTerm>) -> Result<WithHeight<RawTerm>, Trouble> {
        let TakenName { whole, way, name } = taken;
        let span = name.span;
        let mut part = self.tall(RawTerm { kind: RawTermKind::Name(whole.name.clone()), span }, 0)?;
        for is_first in way {
            part =
                self.tall(RawTerm { kind: RawTermKind::Project(*is_first, Box::new(part.node)), span }, part.height)?;
        }
        let param = RawParam { name: name.clone(), ty: None };
        let below = part.height.max(body.height);
        let span = name.span.to(body.node.span);
        self.tall(RawTerm { kind: RawTermKind::Let(param, Box::new(part.node), Box::new(body.node)), span }, below)
    }
}

/// Those that no later parameter is called by, too.
pub(super) fn without_shadowed(taken: Vec<TakenName>, params: &[RawParam]) -> Vec<TakenName> {
    let last: FxHashMap<&Name, usize> = params.iter().enumerate().map(|(k, param)| (&param.name.name, k)).collect();
    let first: FxHashMap<&Name, usize> =
        params.iter().enumerate().rev().map(|(k, param)| (&param.name.name, k)).collect();
    let is_seen = |taken: &TakenName| match (first.get(&taken.whole.name), last.get(&taken.name.name)) {
        (Some(whole), Some(param)) => param <= whole,
        _ => true,
    };
    taken.into_iter().filter(is_seen).collect()
}

fn named_twice(name: &RawIdent, first: &RawIdent) -> Diagnostic {
    Diagnostic::error(code::SYNTAX, format!("`{}` names two parts of one pair", name.name))
        .at(name.span, "the second one")
        .because(first.span, "the first one")
        .help("call one of them otherwise, or `_` if it isn't used")
}

/// Whether a function's parameter in parentheses is a tuple of names, rather than one or several of one type.
pub(super) fn is_tuple(pair: &Pair<'_, Rule>) -> bool {
    pair.clone().into_inner().any(|inner| matches!(inner.as_rule(), Rule::tuple | Rule::tuple_rest))
}
