//! Finds the ways to read the type of a derivative: which parameters it is by, and how their shapes stand in it.

use rustc_hash::FxHashSet;

use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Type, TypeView};

/// So many ways to read a derivative are tried.
const MAX_READINGS: usize = 64;

/// One part of a derivative: by a parameter, as an array of results or as a result of arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct DerivativePart {
    pub(super) parameter: usize,
    /// The parameter's shape stands within the result's.
    pub(super) within: bool,
}

/// The ways to read a type as that of a derivative of something of type `of` by some of the parameters, in their order.
pub(super) fn readings(
    parameters: &[Type],
    result: &Type,
    of: &Type,
    budget: &Budget,
) -> Result<Vec<Vec<DerivativePart>>, StopReason> {
    let (found, before, dead) = (Vec::new(), Vec::new(), FxHashSet::default());
    let mut search = ReadingSearch { parameters, of, budget, found, before, dead };
    search.go(0, result)?;
    Ok(search.found)
}

struct ReadingSearch<'a> {
    parameters: &'a [Type],
    of: &'a Type,
    budget: &'a Budget,
    found: Vec<Vec<DerivativePart>>,
    before: Vec<DerivativePart>,
    /// From which parameter on, behind how many parts, there is no reading.
    dead: FxHashSet<(usize, usize)>,
}

impl ReadingSearch<'_> {
    /// Reads what is left of the result by parameters from this one on.
    fn go(&mut self, from: usize, result: &Type) -> Result<(), StopReason> {
        // What is left of the result hangs on the number of parts before alone, so that it doesn't matter which these are.
        if self.dead.contains(&(from, self.before.len())) {
            return Ok(());
        }
        let known = self.found.len();
        for (k, by) in self.parameters.iter().enumerate().skip(from) {
            for within in [false, true] {
                // For the derivative of a number both readings are one, so that it would be found twice.
                if self.found.len() >= MAX_READINGS || within && *self.of == Type::real() {
                    continue;
                }
                let (outer, inner) = if within { (self.of, by) } else { (by, self.of) };
                let Some(spread) = self.spread(outer, inner)? else { continue };
                self.before.push(DerivativePart { parameter: k, within });
                if spread == *result {
                    self.found.push(self.before.clone());
                } else if let TypeView::Pair(first, rest) = result.view()
                    && spread == *first
                {
                    self.go(k + 1, rest)?;
                }
                self.before.pop();
            }
        }
        if self.found.len() == known {
            self.dead.insert((from, self.before.len()));
        }
        Ok(())
    }

    /// The type with another one for each real; `None` where it has something else than reals.
    fn spread(&self, outer: &Type, inner: &Type) -> Result<Option<Type>, StopReason> {
        self.budget.tick()?;
        Ok(match outer.view() {
            TypeView::Real => Some(inner.clone()),
            TypeView::Array(n, a) => self.spread(a, inner)?.map(|a| Type::array(n.clone(), a)),
            TypeView::Pair(a, b) => match (self.spread(a, inner)?, self.spread(b, inner)?) {
                (Some(a), Some(b)) => Some(Type::pair(a, b)),
                _ => None,
            },
            _ => None,
        })
    }
}
