//! Draws inputs at random, for tests and for comparing programs.

use std::rc::Rc;

use super::array::ArrayBuilder;
use super::element_limits;
use super::parameters::parameters;
use super::sizes::Sizes;
use super::value::{MAX_ELEMENTS, Value};
use crate::ground::{Budget, Random, StopReason};
use crate::term::{Program, Type, TypeView};

/// Functions that draw numbers.
#[derive(Clone, Copy)]
pub struct NumberSource<'a> {
    /// A real.
    pub real: &'a dyn Fn(&mut Random) -> f64,
    /// An integer.
    pub int: &'a dyn Fn(&mut Random) -> i64,
}

impl NumberSource<'static> {
    /// Reals in [-2, 2], integers in -8..=8.
    pub const PLAIN: NumberSource<'static> =
        NumberSource { real: &Random::moderate, int: &|random| random.below(17) as i64 - 8 };
}

/// Inputs of the parameters' types at these sizes: reals in [-2, 2], integers in -8..=8, any index. The same seed gives
/// the same inputs. `None` where a parameter's type has no data (a function, `fin 0`) or too much of it.
pub fn random_inputs(program: &Program, sizes: &Sizes, seed: u64) -> Option<Vec<Value>> {
    drawn_inputs(program, sizes, NumberSource::PLAIN, &mut Random::new(seed), &Budget::default()).ok().flatten()
}

/// Inputs of such numbers, any index; `None` where a parameter's type has no data. A limit of the budget ends it, and
/// [`StopReason::Elements`] comes where they have more than [`MAX_ELEMENTS`].
pub fn drawn_inputs(
    program: &Program,
    sizes: &Sizes,
    numbers: NumberSource,
    random: &mut Random,
    budget: &Budget,
) -> Result<Option<Vec<Value>>, StopReason> {
    few_inputs(program, sizes, numbers, random, (MAX_ELEMENTS, budget))
}

/// The same, of no more elements than `most`.
pub fn few_inputs(
    program: &Program,
    sizes: &Sizes,
    numbers: NumberSource,
    random: &mut Random,
    (most, budget): (u64, &Budget),
) -> Result<Option<Vec<Value>>, StopReason> {
    let all =
        parameters(program).iter().fold(0, |all: u64, p| all.saturating_add(element_limits::numbers(&p.ty, sizes)));
    if all > most {
        return Err(StopReason::Elements(most));
    }
    let mut source = ValueSource { random, sizes, numbers, budget, most, left: most };
    parameters(program).iter().map(|p| source.value(&p.ty).transpose()).collect::<Option<_>>().transpose()
}

/// A source of values, with the number of those that it may still give.
struct ValueSource<'a> {
    random: &'a mut Random,
    sizes: &'a Sizes,
    numbers: NumberSource<'a>,
    budget: &'a Budget,
    most: u64,
    left: u64,
}

impl ValueSource<'_> {
    fn value(&mut self, ty: &Type) -> Result<Option<Value>, StopReason> {
        self.budget.tick()?;
        self.left = self.left.checked_sub(1).ok_or(StopReason::Elements(self.most))?;
        Ok(match ty.view() {
            TypeView::Real => Some(Value::Real((self.numbers.real)(self.random))),
            TypeView::Int => Some(Value::Int((self.numbers.int)(self.random))),
            TypeView::Fin(n) => {
                let n = self.sizes.value(n);
                (n > 0).then(|| Value::Index(self.random.number() % n))
            }
            TypeView::Array(n, a) => {
                let n = self.sizes.value(n);
                if n > self.left {
                    return Err(StopReason::Elements(self.most));
                }
                let mut items = ArrayBuilder::of(n);
                for _ in 0..n {
                    let Some(item) = self.value(a)? else { return Ok(None) };
                    items.push(item)?;
                }
                Some(Value::Array(Rc::new(items.array(None))))
            }
            TypeView::Pair(a, b) => match (self.value(a)?, self.value(b)?) {
                (Some(a), Some(b)) => Some(Value::pair(a, b)),
                _ => None,
            },
            TypeView::Fun(..) | TypeView::Var(_) | TypeView::Unknown(_) => None,
        })
    }
}
