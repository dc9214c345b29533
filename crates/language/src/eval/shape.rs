//! Checks that values have the types they should, and names places inside them.

use std::fmt;

use super::parameters::Parameter;
use super::sizes::Sizes;
use super::value::Value;
use crate::ground::{Diagnostic, Name, code, text::listed};
use crate::term::{Type, TypeView};

/// A place in an input: `v[3][1]`.
pub(super) struct InputPath {
    pub(super) root: Name,
    /// The indices that lead in; those of a pair are 0 and 1.
    pub(super) indices: Vec<usize>,
}

impl InputPath {
    pub(super) fn new(root: &Name) -> InputPath {
        InputPath { root: root.clone(), indices: Vec::new() }
    }

    /// Does something one level further in.
    pub(super) fn at<T>(&mut self, index: usize, work: impl FnOnce(&mut InputPath) -> T) -> T {
        self.indices.push(index);
        let result = work(self);
        self.indices.pop();
        result
    }

    /// The finding that what stands here isn't what the type asks for.
    pub(super) fn wrong(&self, expected: impl fmt::Display, found: impl fmt::Display) -> Diagnostic {
        Diagnostic::error(code::INPUT_SHAPE, format!("`{self}` must be {expected}, but is {found}"))
    }
}

impl fmt::Display for InputPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root)?;
        self.indices.iter().try_for_each(|i| write!(f, "[{i}]"))
    }
}

/// Checks that there is one input of the right type for each parameter.
pub(super) fn check_all(parameters: &[Parameter], inputs: &[Value], sizes: &Sizes) -> Result<(), Diagnostic> {
    if inputs.len() != parameters.len() {
        let (given, needed) = (inputs.len(), parameters.len());
        let kind = if given < needed { code::INPUT_MISSING } else { code::INPUT_SUPERFLUOUS };
        return Err(Diagnostic::error(kind, format!("the program has {needed} parameters, but {given} inputs"))
            .help("give one input for each parameter"));
    }
    let check = |(p, v): (&Parameter, &Value)| check(&p.ty, v, sizes, &mut InputPath::new(&p.name));
    parameters.iter().zip(inputs).try_for_each(check)
}

fn check(ty: &Type, value: &Value, sizes: &Sizes, place: &mut InputPath) -> Result<(), Diagnostic> {
    match (ty.view(), value) {
        (TypeView::Real, Value::Real(_)) | (TypeView::Int, Value::Int(_)) => Ok(()),
        (TypeView::Fin(n), Value::Index(i)) if *i < sizes.value(n) => Ok(()),
        (TypeView::Pair(a, b), Value::Pair(pair)) => {
            place.at(0, |place| check(a, &pair.0, sizes, place))?;
            place.at(1, |place| check(b, &pair.1, sizes, place))
        }
        (TypeView::Array(n, a), Value::Array(array)) if array.len() as u64 == sizes.value(n) => {
            if array.holds_reals() && matches!(a.view(), TypeView::Real) {
                return Ok(());
            }
            let mut each = array.items().enumerate();
            each.try_for_each(|(k, item)| place.at(k, |place| check(a, &item, sizes, place)))
        }
        (_, Value::Array(array)) => {
            let found = format!("an array of {} elements", array.len());
            Err(place.wrong(format!("of type {ty}"), found).help(at_sizes(sizes)))
        }
        (_, Value::Index(i)) => {
            Err(place.wrong(format!("of type {ty}"), format!("the index {i}")).help(at_sizes(sizes)))
        }
        _ => Err(place.wrong(format!("of type {ty}"), "of another type").help(at_sizes(sizes))),
    }
}

fn at_sizes(sizes: &Sizes) -> String {
    let all = listed(sizes.iter().map(|(name, value)| format!("{name} = {value}")));
    format!("give a value of this type for the sizes [{all}]")
}
