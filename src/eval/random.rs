//! Inputs at random, for tests and for comparing programs.

use super::parameters::parameters;
use super::sizes::Sizes;
use super::value::{MAX_ELEMENTS, Value};
use crate::ground::Random;
use crate::term::{Program, Type, TypeView};

/// Inputs of the parameters' types at these sizes: reals in [-2, 2], integers in -8..=8, any index. The same seed gives
/// the same inputs. `None` where a parameter's type has no data (a function, `fin 0`) or too much of it.
pub fn random_inputs(program: &Program, sizes: &Sizes, seed: u64) -> Option<Vec<Value>> {
    let mut source = Source { random: Random::new(seed), sizes, left: MAX_ELEMENTS };
    parameters(program).iter().map(|p| source.value(&p.ty)).collect()
}

struct Source<'a> {
    random: Random,
    sizes: &'a Sizes,
    left: u64,
}

impl Source<'_> {
    fn value(&mut self, ty: &Type) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        match ty.view() {
            TypeView::Real => Some(Value::Real(self.random.moderate())),
            TypeView::Int => Some(Value::Int(self.random.below(17) as i64 - 8)),
            TypeView::Fin(n) => {
                let n = self.sizes.value(n);
                (n > 0).then(|| Value::Index(self.random.number() % n))
            }
            TypeView::Array(n, a) => {
                let items: Option<Vec<Value>> = (0..self.sizes.value(n)).map(|_| self.value(a)).collect();
                Some(Value::array(items?))
            }
            TypeView::Pair(a, b) => Some(Value::pair(self.value(a)?, self.value(b)?)),
            TypeView::Fun(..) | TypeView::Var(_) | TypeView::Unknown(_) => None,
        }
    }
}
