//! Takes arrays that are given for parameters, beside what is given as JSON.

use std::collections::{BTreeMap, BTreeSet};

use super::archive::{self, unreadable};
use super::npy::{StoredArray, tuple};
use super::part::{ArrayPart, parts};
use redexter_language::eval::{
    ExternalInputs, MAX_ELEMENTS, Parameter, Sizes, Value, inputs_with, numbers, parameters,
};
use redexter_language::ground::{Budget, Diagnostic, Name, Trouble, code, text::listed};
use redexter_language::term::{MAX_SIZE, Program, Size};
use redexter_loops::blocks::unpacked;

/// So many arrays are listed where their shapes don't fit.
const MAX_LISTED: usize = 10;

/// Arrays by name, such as `v` and `p.0`.
#[derive(Default)]
pub struct GivenArrays(BTreeMap<String, StoredArray>);

impl GivenArrays {
    /// Adds what a file of either kind holds, perhaps for the parameter of this name. A `.npy` without one is for the only
    /// parameter of the program.
    pub fn add_file(
        &mut self,
        program: &Program,
        (name, file): (Option<&str>, &str),
        bytes: Vec<u8>,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        if file.ends_with(".npz") {
            return self.add_all(name, file, &bytes, budget);
        }
        let name = name.map_or_else(|| only(program, file), |name| Ok(name.to_owned()))?;
        self.add(&name, file, bytes)
    }

    /// Adds a `.npy` under this name.
    pub fn add(&mut self, name: &str, file: &str, bytes: Vec<u8>) -> Result<(), Trouble> {
        let stored = StoredArray::read(file.to_owned(), bytes, self.left()).map_err(|why| unreadable(file, why))?;
        self.insert(name, stored)
    }

    /// Adds all that an `.npz` holds: with a name, as parts of that.
    pub fn add_all(&mut self, name: Option<&str>, file: &str, bytes: &[u8], budget: &Budget) -> Result<(), Trouble> {
        for (part, stored) in archive::read(file, bytes, self.left(), budget)? {
            match name {
                Some(name) => self.insert(&format!("{name}.{part}"), stored)?,
                None => self.insert(&part, stored)?,
            }
        }
        Ok(())
    }

    fn insert(&mut self, name: &str, stored: StoredArray) -> Result<(), Trouble> {
        if let Some(before) = self.0.get(name) {
            let headline = format!("`{name}` is given twice: in `{}` and in `{}`", before.place, stored.place);
            return Err(Diagnostic::error(code::INPUT_SUPERFLUOUS, headline).help("give it once").into());
        }
        self.0.insert(name.to_owned(), stored);
        Ok(())
    }

    /// How many numbers there may be beside those that are there.
    fn left(&self) -> u64 {
        self.0.values().fold(MAX_ELEMENTS, |left, stored| left.saturating_sub(stored.header.count()))
    }

    /// A program's inputs of these arrays and a JSON object, with its sizes.
    pub fn inputs(
        &self,
        program: &Program,
        json: &str,
        sizes: &[(Name, u64)],
        budget: &Budget,
    ) -> Result<(Vec<Value>, Sizes), Trouble> {
        inputs_with(program, json, self, sizes, budget).map_err(|trouble| match trouble {
            Trouble::Wrong(all) => Trouble::Wrong(all.into_iter().map(|wrong| self.with_shapes(wrong)).collect()),
            stopped => stopped,
        })
    }

    /// Sizes that contradict each other come with the shapes that they come from.
    fn with_shapes(&self, wrong: Diagnostic) -> Diagnostic {
        if wrong.code != code::INPUT_SIZES || self.0.is_empty() {
            return wrong;
        }
        let shapes = self.0.iter().take(MAX_LISTED).map(|(name, stored)| format!("`{name}` {}", stored.shape()));
        wrong.help(format!("the shapes of the arrays: {}", listed(shapes)))
    }

    /// The arrays of a parameter, each with its part. Wrong are those that are missing, superfluous or of another number of
    /// dimensions.
    fn parts(&self, Parameter { name, ty }: &Parameter) -> Result<Vec<(String, ArrayPart, &StoredArray)>, Trouble> {
        let all: Vec<(String, ArrayPart)> =
            parts(ty)?.into_iter().map(|part| (format!("{name}{}", part.path), part)).collect();
        let known: Vec<String> = all.iter().map(|(name, _)| format!("`{name}`")).collect();
        let known = |more: &str| format!("`{name}`, of type {ty}, is given as {}{more}", listed(&known));
        let mut wrong = Vec::new();
        for (extra, stored) in self.0.iter().filter(|(key, _)| base(key) == name.as_str()) {
            if all.iter().all(|(known, _)| known != extra) {
                let headline = format!("no parameter takes the array `{extra}` in `{}`", stored.place);
                wrong.push(Diagnostic::error(code::INPUT_SUPERFLUOUS, headline).help(known("")));
            }
        }
        let mut found = Vec::new();
        for (name, part) in all {
            match self.0.get(&name) {
                Some(stored) if stored.header.shape.len() == part.dims.len() => found.push((name, part, stored)),
                Some(stored) => wrong.push(flat(&name, &part, stored)),
                None => wrong.push(
                    Diagnostic::error(code::INPUT_MISSING, format!("there is no array `{name}`")).help(known("")),
                ),
            }
        }
        if wrong.is_empty() { Ok(found) } else { Err(Trouble::Wrong(wrong)) }
    }
}

impl ExternalInputs for GivenArrays {
    fn names(&self) -> BTreeSet<Name> {
        self.0.keys().map(|key| Name::new(base(key))).collect()
    }

    fn size(&self, name: &Name) -> Result<(u64, String), Diagnostic> {
        let found = self.0.get(name.as_str()).and_then(StoredArray::whole).filter(|n| *n <= MAX_SIZE);
        let wrong = || Diagnostic::error(code::INPUT_SHAPE, format!("the array `{name}` is no size"));
        let wrong = || wrong().help("a size is a whole number from 0, without dimensions");
        found.map(|n| (n, format!("the array `{name}`"))).ok_or_else(wrong)
    }

    fn lengths(&self, parameter: &Parameter) -> Result<Vec<(Size, u64, String)>, Trouble> {
        let mut all = Vec::new();
        for (name, part, stored) in self.parts(parameter)? {
            for (axis, (size, length)) in part.dims.iter().zip(&stored.header.shape).enumerate() {
                all.push((size.clone(), *length, format!("{name}{}", "[0]".repeat(axis))));
            }
        }
        Ok(all)
    }

    fn value(&self, parameter: &Parameter, sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble> {
        // A file without numbers may declare rows without end, each of which would become a value.
        let count = numbers(&parameter.ty, sizes);
        if count > MAX_ELEMENTS {
            let headline =
                format!("`{}` has {count} rows and numbers, and there may be {MAX_ELEMENTS}", parameter.name);
            return Err(Diagnostic::error(code::INPUT_SIZES, headline).help("give smaller arrays").into());
        }
        let mut words = Vec::new();
        for (name, part, stored) in self.parts(parameter)? {
            budget.ask()?;
            words.push(stored.words(&name, &part, sizes)?);
        }
        unpacked(&parameter.ty, &words, sizes, budget)
    }
}

/// The parameter that an array's name begins with.
fn base(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

fn flat(name: &str, part: &ArrayPart, stored: &StoredArray) -> Diagnostic {
    let expected = tuple(&part.dims.iter().map(Size::to_string).collect::<Vec<_>>());
    let headline = format!("`{name}` must have the shape {expected}, but has {} in `{}`", stored.shape(), stored.place);
    Diagnostic::error(code::INPUT_SHAPE, headline).help("give an array of as many dimensions")
}

/// The parameter of a program that has one.
fn only(program: &Program, file: &str) -> Result<String, Diagnostic> {
    match &parameters(program)[..] {
        [one] => Ok(one.name.to_string()),
        all => {
            let headline = format!("`{file}` holds one array, but the program has {} parameters", all.len());
            let names = listed(all.iter().map(|p| format!("`{}={file}`", p.name)));
            Err(Diagnostic::error(code::INPUT_SHAPE, headline).help(match all.is_empty() {
                true => "leave it out".to_owned(),
                false => format!("say whose it is: {names}"),
            }))
        }
    }
}
