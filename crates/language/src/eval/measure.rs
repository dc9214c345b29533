//! Measures inputs: it gathers the lengths of arrays, and checks that rows are equally long.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{JsonTree, describe};
use super::shape::InputPath;
use super::sizes::type_sizes;
use super::solve::LengthFact;
use crate::ground::{Budget, Diagnostic, Name, Trouble, code};
use crate::term::{Size, Type, TypeView};

/// Gathers the lengths of arrays.
#[derive(Default)]
pub(super) struct InputMeasure {
    pub(super) facts: Vec<LengthFact>,
    /// Size variables in types of elements of empty arrays.
    pub(super) unseen: BTreeSet<Name>,
    /// Parameter and path in its type (0 an array's element, 1 and 2 a pair's halves): length and place of the first.
    lengths: BTreeMap<(Name, Vec<u8>), (u64, String)>,
}

impl InputMeasure {
    /// Adds the lengths in an input of type `ty`; `path` is the place of `ty` in its parameter's type.
    pub(super) fn walk(
        &mut self,
        ty: &Type,
        json: &JsonTree,
        place: &mut InputPath,
        path: &mut Vec<u8>,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        budget.tick()?;
        let (steps, items): (&[(u8, &Type)], &[JsonTree]) = match ty.view() {
            TypeView::Array(n, a) => {
                let items = elements(ty, json, place)?;
                self.length(n, items.len() as u64, place, path)?;
                if items.is_empty() {
                    type_sizes(a, &mut self.unseen);
                }
                (&[(0, a)], items)
            }
            TypeView::Pair(a, b) => (&[(1, a), (2, b)], halves(ty, json, place)?),
            _ => return Ok(()),
        };
        for (k, item) in items.iter().enumerate() {
            let (step, inner) = steps[k.min(steps.len() - 1)];
            path.push(step);
            place.at(k, |place| self.walk(inner, item, place, path, budget))?;
            path.pop();
        }
        Ok(())
    }

    fn length(&mut self, n: &Size, length: u64, place: &InputPath, path: &[u8]) -> Result<(), Diagnostic> {
        let key = (place.root.clone(), path.to_vec());
        if let Some((other, first)) = self.lengths.get(&key) {
            if *other == length {
                return Ok(());
            }
            let headline = format!("`{place}` has {length} elements, but `{first}` has {other}");
            return Err(Diagnostic::error(code::INPUT_SHAPE, headline).help("give rows of equal length"));
        }
        self.lengths.insert(key, (length, place.to_string()));
        self.facts.push(LengthFact { size: n.clone(), length, place: place.to_string() });
        Ok(())
    }
}

pub(super) fn elements<'a>(ty: &Type, json: &'a JsonTree, place: &InputPath) -> Result<&'a [JsonTree], Diagnostic> {
    match json {
        JsonTree::Array(items) => Ok(items),
        _ => Err(place.wrong(format!("an {ty}"), describe(json)).help("write it like [1, 2, 3]")),
    }
}

pub(super) fn halves<'a>(ty: &Type, json: &'a JsonTree, place: &InputPath) -> Result<&'a [JsonTree], Diagnostic> {
    match json {
        JsonTree::Array(items) if items.len() == 2 => Ok(items),
        _ => Err(place.wrong(format!("a pair {ty}"), describe(json)).help("write a pair as an array of two: [1, 2]")),
    }
}
