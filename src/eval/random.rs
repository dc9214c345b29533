//! Inputs at random, for tests and for comparing programs.

use super::parameters::parameters;
use super::sizes::Sizes;
use super::value::{MAX_ELEMENTS, Value};
use crate::term::{Program, Type, TypeView};

/// Inputs of the parameters' types at these sizes: reals in [-2, 2], integers in -8..=8, any index. The same seed gives
/// the same inputs. `None` where a parameter's type has no data (a function, `fin 0`) or too much of it.
pub fn random_inputs(program: &Program, sizes: &Sizes, seed: u64) -> Option<Vec<Value>> {
    let mut source = Source { state: seed, sizes, left: MAX_ELEMENTS };
    parameters(program).iter().map(|p| source.value(&p.ty)).collect()
}

struct Source<'a> {
    state: u64,
    sizes: &'a Sizes,
    left: u64,
}

impl Source<'_> {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn value(&mut self, ty: &Type) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        match ty.view() {
            TypeView::Real => Some(Value::Real((self.next() >> 11) as f64 / (1u64 << 51) as f64 - 2.0)),
            TypeView::Int => Some(Value::Int((self.next() % 17) as i64 - 8)),
            TypeView::Fin(n) => {
                let n = self.sizes.value(n);
                (n > 0).then(|| Value::Index(self.next() % n))
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
