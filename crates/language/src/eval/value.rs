//! Defines values, to which terms evaluate: they are cheap to clone, and those that are alive are counted.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::array::Array;
use super::code::EvalCode;
use crate::ground::StopReason;

/// The most array elements and captured variables that may be alive at once during an evaluation (2^26).
pub const MAX_ELEMENTS: u64 = 1 << 26;

/// A value, to which a term evaluates.
#[derive(Clone, Debug)]
pub enum Value {
    /// A `real`.
    Real(f64),
    /// An `int`.
    Int(i64),
    /// A `fin n`.
    Index(u64),
    /// An `array n a`.
    Array(Rc<Array>),
    /// A pair.
    Pair(Rc<(Value, Value)>),
    /// A function. Never part of an input or a result.
    Function(Rc<Closure>),
}

/// A function with the values of the variables that it mentions, outermost first.
#[derive(Debug)]
pub struct Closure {
    pub(super) body: Rc<EvalCode>,
    pub(super) captured: Vec<Value>,
    /// The observer's name for the place where it was made.
    pub(super) made: u32,
    pub(super) _lease: Lease,
}

impl Value {
    /// An array of these elements.
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(items.into()))
    }

    /// A pair.
    pub fn pair(a: Value, b: Value) -> Value {
        Value::Pair(Rc::new((a, b)))
    }

    /// Whether both are the same to the last bit; all NaNs are one. Functions are never the same.
    pub fn same(&self, other: &Value) -> bool {
        self.matches(other, &|a, b| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), &mut FxHashSet::default())
    }

    /// Whether both have the same shape, integers and indices, and reals that differ by at most `tolerance` times the
    /// larger of 1 and their magnitudes. NaN is close to NaN, an infinity to itself.
    pub fn close(&self, other: &Value, tolerance: f64) -> bool {
        let close = |a: f64, b: f64| {
            a == b || (a.is_nan() && b.is_nan()) || {
                let scale = a.abs().max(b.abs()).max(1.0);
                scale.is_finite() && (a - b).abs() <= tolerance * scale
            }
        };
        self.matches(other, &close, &mut FxHashSet::default())
    }

    /// Whether both have the same shape, integers and indices, and reals that differ by at most `distance`. NaN is near
    /// NaN, an infinity to itself, and -0 to 0.
    pub fn near(&self, other: &Value, distance: f64) -> bool {
        let near = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= distance;
        self.matches(other, &near, &mut FxHashSet::default())
    }

    /// Its address, if it is a pair or an array that others hold, too.
    pub(super) fn shared(&self) -> Option<SharedAddress> {
        match self {
            Value::Pair(both) if Rc::strong_count(both) > 1 => Some(Rc::as_ptr(both).cast()),
            Value::Array(all) if Rc::strong_count(all) > 1 => Some(Rc::as_ptr(all).cast()),
            _ => None,
        }
    }

    /// The sum, over all numbers in it, of what `of` says of each; saturates. What is shared is looked at once.
    pub fn sum(&self, of: &dyn Fn(&Value) -> u64) -> u64 {
        self.sum_known(of, &mut FxHashMap::default())
    }

    fn sum_known(&self, of: &dyn Fn(&Value) -> u64, known: &mut FxHashMap<SharedAddress, u64>) -> u64 {
        let shared = self.shared();
        if let Some(sum) = shared.as_ref().and_then(|shared| known.get(shared)) {
            return *sum;
        }
        let sum = match self {
            Value::Pair(both) => both.0.sum_known(of, known).saturating_add(both.1.sum_known(of, known)),
            Value::Array(all) => all.items().fold(0, |sum: u64, item| sum.saturating_add(item.sum_known(of, known))),
            number => of(number),
        };
        if let Some(shared) = shared {
            known.insert(shared, sum);
        }
        sum
    }

    /// `seen`: the pairs that were compared, or are being compared; they count as equal, since the first difference ends
    /// everything.
    fn matches(
        &self,
        other: &Value,
        real: &dyn Fn(f64, f64) -> bool,
        seen: &mut FxHashSet<(SharedAddress, SharedAddress)>,
    ) -> bool {
        if let (Some(one), Some(other)) = (self.shared(), other.shared())
            && !seen.insert((one, other))
        {
            return true;
        }
        match (self, other) {
            (Value::Real(a), Value::Real(b)) => real(*a, *b),
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Index(a), Value::Index(b)) => a == b,
            (Value::Pair(a), Value::Pair(b)) => a.0.matches(&b.0, real, seen) && a.1.matches(&b.1, real, seen),
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.items().zip(b.items()).all(|(x, y)| x.matches(&y, real, seen))
            }
            _ => false,
        }
    }
}

/// A pair or an array that others hold, too, by its address.
pub(super) type SharedAddress = *const ();

impl Drop for Closure {
    /// A fold can make chains of functions as long as it runs; they are taken apart without recursion.
    fn drop(&mut self) {
        let mut rest = std::mem::take(&mut self.captured);
        while let Some(value) = rest.pop() {
            match value {
                Value::Function(rc) => {
                    if let Some(mut closure) = Rc::into_inner(rc) {
                        rest.append(&mut closure.captured);
                    }
                }
                Value::Pair(rc) => {
                    if let Some((a, b)) = Rc::into_inner(rc) {
                        rest.extend([a, b]);
                    }
                }
                Value::Array(rc) => {
                    if let Some(mut array) = Rc::into_inner(rc) {
                        array.take_apart(&mut rest);
                    }
                }
                Value::Real(_) | Value::Int(_) | Value::Index(_) => {}
            }
        }
    }
}

/// A count of the elements that are alive.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(Rc<Cell<u64>>);

/// Elements that are alive until it is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    ledger: Ledger,
    elements: u64,
}

impl Ledger {
    /// Room for so many more elements, unless [`MAX_ELEMENTS`] would be exceeded.
    pub(super) fn lease(&self, elements: u64) -> Result<Lease, StopReason> {
        match self.0.get().checked_add(elements) {
            Some(total) if total <= MAX_ELEMENTS => {
                self.0.set(total);
                Ok(Lease { ledger: self.clone(), elements })
            }
            _ => Err(StopReason::Elements(MAX_ELEMENTS)),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.ledger.0.set(self.ledger.0.get() - self.elements);
    }
}
