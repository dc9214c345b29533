//! Stores the elements of an array: reals side by side, so that millions of them are small and given back at once; others as
//! values.

use std::borrow::Cow;

use super::value::{Lease, Value};
use crate::ground::StopReason;

/// An `array n a`.
#[derive(Debug)]
pub struct Array {
    items: ElementStorage,
    _lease: Option<Lease>,
}

#[derive(Debug)]
enum ElementStorage {
    Reals(Vec<f64>),
    Values(Vec<Value>),
}

/// Elements that an array is made of, one after another.
#[derive(Debug)]
pub(super) struct ArrayBuilder {
    room: u64,
    items: ElementStorage,
}

impl Array {
    /// The elements, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Cow<'_, Value>> {
        (0..self.len()).map(|k| self.item(k))
    }

    /// Copies of the elements, in order.
    pub fn values(&self) -> Vec<Value> {
        self.items().map(Cow::into_owned).collect()
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        match &self.items {
            ElementStorage::Reals(reals) => reals.len(),
            ElementStorage::Values(values) => values.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all elements are reals, since nothing else could be held.
    pub(super) fn holds_reals(&self) -> bool {
        matches!(self.items, ElementStorage::Reals(_))
    }

    /// The element with this number, of those that there are.
    pub fn item(&self, k: usize) -> Cow<'_, Value> {
        match &self.items {
            ElementStorage::Reals(reals) => Cow::Owned(Value::Real(reals[k])),
            ElementStorage::Values(values) => Cow::Borrowed(&values[k]),
        }
    }

    /// Puts another element in the place of one.
    pub(super) fn set(&mut self, k: usize, value: Value) {
        match (&mut self.items, value) {
            (ElementStorage::Reals(reals), Value::Real(x)) => reals[k] = x,
            (ElementStorage::Values(values), value) => values[k] = value,
            (ElementStorage::Reals(_), other) => unreachable!("a real, by typing, not {other:?}"),
        }
    }

    /// Puts the last element first, and so on.
    pub(super) fn reverse(&mut self) {
        match &mut self.items {
            ElementStorage::Reals(reals) => reals.reverse(),
            ElementStorage::Values(values) => values.reverse(),
        }
    }

    /// Moves the elements that may hold others to `rest`.
    pub(super) fn take_apart(&mut self, rest: &mut Vec<Value>) {
        if let ElementStorage::Values(values) = &mut self.items {
            rest.append(values);
        }
    }
}

impl From<Vec<Value>> for Array {
    fn from(values: Vec<Value>) -> Array {
        let reals = |value: &Value| if let Value::Real(x) = value { Some(*x) } else { None };
        let items = match values.iter().map(reals).collect() {
            Some(reals) => ElementStorage::Reals(reals),
            None => ElementStorage::Values(values),
        };
        Array { items, _lease: None }
    }
}

impl ArrayBuilder {
    /// None yet, of so many: to move millions of them takes long.
    pub(super) fn of(room: u64) -> ArrayBuilder {
        ArrayBuilder { room, items: ElementStorage::Reals(Vec::new()) }
    }

    /// One more; [`StopReason::Elements`] where there is no memory for all of them.
    pub(super) fn push(&mut self, value: Value) -> Result<(), StopReason> {
        let room = self.room as usize;
        let full = |_| StopReason::Elements(self.room);
        match (&mut self.items, value) {
            (ElementStorage::Reals(reals), Value::Real(x)) => {
                if reals.is_empty() {
                    reals.try_reserve_exact(room).map_err(full)?;
                }
                reals.push(x);
            }
            (ElementStorage::Values(values), value) => values.push(value),
            (ElementStorage::Reals(reals), value) => {
                let mut values = Vec::new();
                values.try_reserve_exact(room).map_err(full)?;
                values.extend(reals.drain(..).map(Value::Real));
                values.push(value);
                self.items = ElementStorage::Values(values);
            }
        }
        Ok(())
    }

    pub(super) fn array(self, lease: Option<Lease>) -> Array {
        Array { items: self.items, _lease: lease }
    }
}
