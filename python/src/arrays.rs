//! Takes Python's values as numbers, and gives numbers as Python's values.
//!
//! An array of doubles, or of integers of 64 bits, whose numbers stand in a row is used as it is; any other array, list or
//! number goes through `redexter._arrays`, which converts what can be converted without loss, and refuses the rest.

use numpy::{IxDyn, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyTuple};

use crate::failure::Failure;
use crate::signature::{Data, Leaf, NumberKind, Shapes, Signature, Tree};
use redexter::ground::name::did_you_mean;
use redexter::ground::{Diagnostic, code};
use redexter::native::LentNumbers;

/// The numbers of an array.
pub enum Numbers<'py> {
    /// Doubles where NumPy has them.
    Reals(PyReadonlyArrayDyn<'py, f64>),
    /// Integers, likewise.
    Ints(PyReadonlyArrayDyn<'py, i64>),
    /// A double.
    Real(f64),
}

impl Numbers<'_> {
    fn shape(&self) -> &[usize] {
        match self {
            Numbers::Reals(array) => array.shape(),
            Numbers::Ints(array) => array.shape(),
            Numbers::Real(_) => &[],
        }
    }

    /// Where they stand.
    pub fn lent(&self) -> PyResult<LentNumbers<'_>> {
        Ok(match self {
            Numbers::Reals(array) => LentNumbers::Reals(array.as_slice()?),
            Numbers::Ints(array) => LentNumbers::Ints(array.as_slice()?),
            Numbers::Real(one) => LentNumbers::Reals(std::slice::from_ref(one)),
        })
    }
}

/// The arguments of a call: an array for each part of a parameter's type, and sizes that were given outright.
pub struct Given<'py> {
    /// Parameter after parameter.
    pub numbers: Vec<Numbers<'py>>,
    /// By their names.
    pub sizes: Vec<(String, u64)>,
}

impl Given<'_> {
    /// What tells calls whose sizes are the same: the dimensions of each array, and the sizes that were given.
    pub fn key(&self) -> Vec<u64> {
        let mut key = Vec::with_capacity(8);
        for numbers in &self.numbers {
            let shape = numbers.shape();
            key.push(shape.len() as u64);
            key.extend(shape.iter().map(|n| *n as u64));
        }
        key.extend(self.sizes.iter().map(|(_, n)| *n));
        key
    }

    /// The shapes of all arrays.
    pub fn shapes(&self, signature: &Signature) -> Shapes {
        let mut rest = self.numbers.iter().map(|numbers| numbers.shape().iter().map(|n| *n as u64).collect());
        let of = |(name, data): &(String, Data)| (name.clone(), rest.by_ref().take(data.leaves.len()).collect());
        Shapes { given: signature.parameters.iter().map(of).collect() }
    }

    /// A copy of all numbers, as words of 8 bytes.
    pub fn words(&self) -> PyResult<Vec<Vec<u64>>> {
        let words = |numbers: &Numbers| {
            Ok(match numbers.lent()? {
                LentNumbers::Reals(all) => all.iter().map(|x| x.to_bits()).collect(),
                LentNumbers::Ints(all) => all.iter().map(|k| *k as u64).collect(),
            })
        };
        self.numbers.iter().map(words).collect()
    }

    /// The finding that the array with this number has, at this place, an index that isn't below a size.
    pub fn out_of_range(&self, signature: &Signature, number: usize, at: usize) -> Failure {
        let leaves =
            signature.parameters.iter().flat_map(|(name, data)| data.leaves.iter().map(move |l| (name, data, l)));
        let Some((name, data, leaf)) = leaves.into_iter().nth(number) else {
            return Failure::said("InputError", &Diagnostic::error(code::INPUT_SHAPE, "an index is out of range"));
        };
        let numbers = &self.numbers[number];
        let (mut rest, mut indices) = (at, Vec::new());
        for n in numbers.shape().iter().rev() {
            indices.insert(0, (rest % n.max(&1)).to_string());
            rest /= n.max(&1);
        }
        let place = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        let found = match numbers.lent() {
            Ok(LentNumbers::Ints(all)) => all.get(at).map_or(String::new(), i64::to_string),
            _ => String::new(),
        };
        let headline = format!("`{name}{}{place}` must be an index of type {}, but is {found}", leaf.path, data.ty);
        let wrong = Diagnostic::error(code::INPUT_SHAPE, headline);
        Failure::said(
            "InputError",
            &wrong.help("give whole numbers from 0 on, each below the size that the type names"),
        )
    }
}

fn wrong(py: Python<'_>, code: redexter::ground::DiagnosticCode, headline: String, help: String) -> PyErr {
    Failure::said("InputError", &Diagnostic::error(code, headline).help(help)).raised(py, None)
}

/// Reads the arguments of a call.
pub fn given<'py>(
    signature: &Signature,
    positional: &Bound<'py, PyTuple>,
    named: Option<&Bound<'py, PyDict>>,
) -> PyResult<Given<'py>> {
    let (py, parameters) = (positional.py(), &signature.parameters);
    if positional.len() > parameters.len() {
        let headline = format!("there are {} arguments, but {} parameters", positional.len(), parameters.len());
        return Err(wrong(py, code::INPUT_SUPERFLUOUS, headline, format!("it takes {}", listed(signature))));
    }
    let has = |name: &String| named.map_or(Ok(false), |named| named.contains(name));
    for (name, data) in &parameters[positional.len()..] {
        if has(name)? {
            continue;
        }
        // A name that is misspelt is told as that, and not as the one that is missing for it.
        named.map_or(Ok(()), |named| known(signature, named))?;
        let headline = format!("there is no argument for the parameter `{name}`, of type {}", data.ty);
        return Err(wrong(py, code::INPUT_MISSING, headline, missing(signature, positional, name)));
    }
    let mut numbers = Vec::with_capacity(parameters.len());
    let (mut used, mut sizes) = (0, Vec::new());
    for (k, (name, data)) in parameters.iter().enumerate() {
        let by_name = match named {
            Some(named) => named.get_item(name)?,
            None => None,
        };
        used += usize::from(by_name.is_some());
        let value = match by_name {
            None => positional.get_item(k)?,
            Some(value) if k >= positional.len() => value,
            Some(_) => {
                let headline = format!("`{name}` is given twice: by its place, and by its name");
                return Err(wrong(py, code::INPUT_SUPERFLUOUS, headline, "give it once".to_owned()));
            }
        };
        let mut leaves = data.leaves.iter();
        take(&value, &data.tree, &mut leaves, (name, data), &mut numbers)?;
    }
    if let Some(named) = named
        && used < named.len()
    {
        known(signature, named)?;
        for (key, value) in named.iter() {
            let key: String = key.extract()?;
            if parameters.iter().any(|(name, _)| *name == key) {
                continue;
            }
            let size = value.extract::<u64>().ok().filter(|n| *n <= redexter::term::MAX_SIZE);
            let Some(size) = size else {
                let found = value.repr()?.to_string();
                let headline = format!("the size `{key}` must be a whole number from 0 to 2^63 - 1, but is {found}");
                return Err(wrong(py, code::INPUT_SIZES, headline, format!("write `{key}=3`, for example")));
            };
            sizes.push((key, size));
        }
        sizes.sort();
    }
    Ok(Given { numbers, sizes })
}

/// Refuses names that no parameter and no size has.
fn known(signature: &Signature, named: &Bound<'_, PyDict>) -> PyResult<()> {
    for key in named.keys() {
        let key: String = key.extract()?;
        let names = || signature.parameters.iter().map(|(name, _)| name).chain(&signature.sizes).map(String::as_str);
        if names().all(|name| name != key) {
            let near = did_you_mean(&key, names()).unwrap_or_else(|| format!("it takes {}", listed(signature)));
            let headline = format!("the program has no parameter and no size `{key}`");
            return Err(wrong(named.py(), code::INPUT_SUPERFLUOUS, headline, near));
        }
    }
    Ok(())
}

/// What to do where a parameter has no argument: a tuple that has all of them is one argument.
fn missing(signature: &Signature, positional: &Bound<'_, PyTuple>, name: &str) -> String {
    let all_in_one = match positional.iter().next() {
        Some(only) if positional.len() == 1 => {
            only.cast::<PyTuple>().is_ok_and(|tuple| tuple.len() == signature.parameters.len())
        }
        _ => false,
    };
    match (all_in_one, positional.len()) {
        (true, _) => "a tuple is one argument: write `*` before it".to_owned(),
        (false, 0) => format!("add `{name}=…`"),
        (false, _) => format!("add `{name}=…`; it takes {}", listed(signature)),
    }
}

fn listed(signature: &Signature) -> String {
    let all: Vec<String> = signature.parameters.iter().map(|(name, data)| format!("`{name}` : {}", data.ty)).collect();
    if all.is_empty() { "no arguments".to_owned() } else { all.join(", ") }
}

/// Adds the arrays of a value of a type. A pair is a tuple of two, or of more, of which the second half has all but the first.
fn take<'py>(
    value: &Bound<'py, PyAny>,
    tree: &Tree,
    leaves: &mut std::slice::Iter<'_, Leaf>,
    (name, data): (&str, &Data),
    numbers: &mut Vec<Numbers<'py>>,
) -> PyResult<()> {
    match tree {
        Tree::Leaf => {
            if let Some(leaf) = leaves.next() {
                numbers.push(array(value, leaf, name, data)?);
            }
            Ok(())
        }
        Tree::Pair(first, second) => {
            let path = leaves.as_slice().first().map_or("", |leaf| leaf.path.as_str());
            let own = &path[..path.len().saturating_sub(3 * depth(tree))];
            let halves = halves(value, second)?;
            let Some((one, other)) = halves else {
                let found = value.get_type().name()?;
                let headline = format!("`{name}{own}` must be a tuple of two, but is of the type {found}");
                let help =
                    format!("`{name}` has type {}: a pair is a tuple, an array of pairs a tuple of arrays", data.ty);
                return Err(wrong(value.py(), code::INPUT_SHAPE, headline, help));
            };
            take(&one, first, leaves, (name, data), numbers)?;
            take(&other, second, leaves, (name, data), numbers)
        }
    }
}

/// How many halves lead to the first array.
fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf => 0,
        Tree::Pair(first, _) => 1 + depth(first),
    }
}

/// The halves of a tuple or a list.
fn halves<'py>(value: &Bound<'py, PyAny>, second: &Tree) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let items: Vec<Bound<PyAny>> = match value.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().collect(),
        Err(_) => match value.cast::<pyo3::types::PyList>() {
            Ok(list) => list.iter().collect(),
            Err(_) => return Ok(None),
        },
    };
    Ok(match &items[..] {
        [one, other] => Some((one.clone(), other.clone())),
        [one, rest @ ..] if rest.len() > 1 && matches!(second, Tree::Pair(..)) => {
            Some((one.clone(), PyTuple::new(value.py(), rest)?.into_any()))
        }
        _ => None,
    })
}

/// One array, where it stands if that can be.
fn array<'py>(value: &Bound<'py, PyAny>, leaf: &Leaf, name: &str, data: &Data) -> PyResult<Numbers<'py>> {
    if let Some(numbers) = as_it_is(value, leaf.kind) {
        return Ok(numbers);
    }
    let py = value.py();
    let kind = match leaf.kind {
        NumberKind::Real => intern!(py, "real"),
        NumberKind::Int => intern!(py, "int"),
        NumberKind::Index => intern!(py, "index"),
    };
    let place = format!("{name}{}", leaf.path);
    let taken = py.import(intern!(py, "redexter._arrays"))?.getattr(intern!(py, "take"))?;
    let taken = taken.call1((value, kind, place, &data.ty))?;
    as_it_is(&taken, leaf.kind).ok_or_else(|| {
        let headline = format!("`{name}{}` could not be converted", leaf.path);
        wrong(py, code::INPUT_SHAPE, headline, "give an array of NumPy's".to_owned())
    })
}

fn as_it_is<'py>(value: &Bound<'py, PyAny>, kind: NumberKind) -> Option<Numbers<'py>> {
    // Arrays of other classes may be more than their numbers: some of a masked one don't count.
    if value.is_instance_of::<PyUntypedArray>() && !value.is_exact_instance_of::<PyUntypedArray>() {
        return None;
    }
    if kind == NumberKind::Real {
        if let Ok(array) = value.cast::<PyArrayDyn<f64>>() {
            let is_in_a_row = array.is_c_contiguous() && array.is_aligned();
            return if is_in_a_row { array.try_readonly().ok().map(Numbers::Reals) } else { None };
        }
        return value.cast_exact::<PyFloat>().ok().map(|one| Numbers::Real(one.value()));
    }
    let array = value.cast::<PyArrayDyn<i64>>().ok()?;
    let is_in_a_row = array.is_c_contiguous() && array.is_aligned();
    if is_in_a_row { array.try_readonly().ok().map(Numbers::Ints) } else { None }
}

/// A result as Python's value: a number, an array, a tuple for a pair.
pub fn result<'py>(
    py: Python<'py>,
    data: &Data,
    words: Vec<Vec<u64>>,
    shapes: &[Vec<usize>],
) -> PyResult<Bound<'py, PyAny>> {
    let mut values = Vec::new();
    for ((words, leaf), shape) in words.into_iter().zip(&data.leaves).zip(shapes) {
        let first = words.first().copied().unwrap_or(0);
        values.push(match (leaf.kind, shape.is_empty()) {
            (NumberKind::Real, true) => f64::from_bits(first).into_pyobject(py)?.into_any(),
            (_, true) => (first as i64).into_pyobject(py)?.into_any(),
            // The memory of the words becomes the array's.
            (NumberKind::Real, false) => {
                let all: Vec<f64> = words.into_iter().map(f64::from_bits).collect();
                PyArray1::from_vec(py, all).reshape(IxDyn(shape))?.into_any()
            }
            (_, false) => {
                let all: Vec<i64> = words.into_iter().map(|word| word as i64).collect();
                PyArray1::from_vec(py, all).reshape(IxDyn(shape))?.into_any()
            }
        });
    }
    paired(py, &data.tree, &mut values.into_iter())
}

/// Values in the tuples of a type: where a second half is a pair, its halves stand behind the first one, as in JAX's modules.
pub fn paired<'py>(
    py: Python<'py>,
    tree: &Tree,
    values: &mut impl Iterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (mut parts, mut rest) = (Vec::new(), tree);
    while let Tree::Pair(first, second) = rest {
        parts.push(paired(py, first, values)?);
        rest = second;
    }
    parts.push(values.next().unwrap_or_else(|| py.None().into_bound(py)));
    match parts.len() {
        1 => Ok(parts.remove(0)),
        _ => Ok(PyTuple::new(py, parts)?.into_any()),
    }
}
