//! Values: what terms evaluate to. Cheap to clone, and aware of how much is alive.

use std::cell::Cell;
use std::rc::Rc;

use super::code::Code;
use crate::ground::StopReason;

/// The most array elements and captured variables that may be alive at once during an evaluation (2^26).
pub const MAX_ELEMENTS: u64 = 1 << 26;

/// What a term evaluates to.
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

/// The elements of an array.
#[derive(Debug)]
pub struct Array {
    items: Vec<Value>,
    _lease: Option<Lease>,
}

/// A function with the values of the variables that it mentions, outermost first.
#[derive(Debug)]
pub struct Closure {
    pub(super) body: Rc<Code>,
    pub(super) captured: Vec<Value>,
    pub(super) _lease: Lease,
}

impl Array {
    /// The elements, in order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

impl Value {
    /// An array of these elements.
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(Array { items, _lease: None }))
    }

    pub(super) fn leased(items: Vec<Value>, lease: Lease) -> Value {
        Value::Array(Rc::new(Array { items, _lease: Some(lease) }))
    }

    /// A pair.
    pub fn pair(a: Value, b: Value) -> Value {
        Value::Pair(Rc::new((a, b)))
    }

    /// Whether both are the same to the last bit; all NaNs are one. Functions are never the same.
    pub fn same(&self, other: &Value) -> bool {
        self.matches(other, &|a, b| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
    }

    /// Whether both have the same shape, integers and indices, and reals that differ by at most `tolerance` times the
    /// larger of 1 and their magnitudes. NaN is close to NaN, an infinity to itself.
    pub fn close(&self, other: &Value, tolerance: f64) -> bool {
        self.matches(other, &|a, b| {
            a == b || (a.is_nan() && b.is_nan()) || {
                let scale = a.abs().max(b.abs()).max(1.0);
                scale.is_finite() && (a - b).abs() <= tolerance * scale
            }
        })
    }

    fn matches(&self, other: &Value, real: &dyn Fn(f64, f64) -> bool) -> bool {
        match (self, other) {
            (Value::Real(a), Value::Real(b)) => real(*a, *b),
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Index(a), Value::Index(b)) => a == b,
            (Value::Pair(a), Value::Pair(b)) => a.0.matches(&b.0, real) && a.1.matches(&b.1, real),
            (Value::Array(a), Value::Array(b)) => {
                a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(x, y)| x.matches(y, real))
            }
            _ => false,
        }
    }
}

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
                        rest.append(&mut array.items);
                    }
                }
                Value::Real(_) | Value::Int(_) | Value::Index(_) => {}
            }
        }
    }
}

/// How many elements are alive.
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
