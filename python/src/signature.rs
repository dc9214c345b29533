//! Says what a program takes and gives, in words and numbers that may leave its session's thread.

use std::collections::BTreeSet;

use redexter::arrays::{ElementKind, parts};
use redexter::eval::{ExternalInputs, Parameter as ProgramParameter, Sizes, Value, open_sizes, parameters};
use redexter::ground::{Budget, Diagnostic, Name, Trouble, code};
use redexter::syntax::print_type;
use redexter::term::{Program, Size, Type, TypeView};

/// What the numbers of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// float64.
    Real,
    /// int64.
    Int,
    /// int64, each below a size.
    Index,
}

/// One of the arrays that a value of a type comes to; a number is an array without dimensions.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Which halves of pairs lead to it, as in `[0][1]`.
    pub path: String,
    /// The sizes that the type says, in words.
    pub dims: Vec<String>,
    /// What it holds.
    pub kind: NumberKind,
}

/// How the arrays of a value stand in pairs.
#[derive(Clone, Debug)]
pub enum Tree {
    /// The next array.
    Leaf,
    /// Those of the first half, then those of the second one.
    Pair(Box<Tree>, Box<Tree>),
}

/// Values of a type.
#[derive(Clone, Debug)]
pub struct Data {
    /// The type in words.
    pub ty: String,
    /// How its arrays stand.
    pub tree: Tree,
    /// Its arrays, first halves before second ones.
    pub leaves: Vec<Leaf>,
}

/// What a program takes and gives.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The parameters with their names.
    pub parameters: Vec<(String, Data)>,
    /// The names of the sizes.
    pub sizes: Vec<String>,
    /// The result.
    pub result: Data,
}

impl Signature {
    /// That of a program; wrong is one that takes or gives functions.
    pub fn of(program: &Program) -> Result<Signature, Trouble> {
        let (all, body) = (parameters(program), program.term.applied().1);
        let takes = all.iter().map(|p| Ok((p.name.to_string(), data(&p.ty)?)));
        Ok(Signature {
            parameters: takes.collect::<Result<_, Diagnostic>>()?,
            sizes: open_sizes(&program.term).iter().map(Name::to_string).collect(),
            result: data(body.ty())?,
        })
    }
}

fn data(ty: &Type) -> Result<Data, Diagnostic> {
    if ty.has_function() {
        let headline = format!("values of type {ty} are no data: there is a function in it");
        return Err(Diagnostic::error(code::NOT_DATA, headline)
            .help("define a function that takes and gives numbers, arrays and pairs, and call that"));
    }
    let leaves = parts(ty)?.into_iter().map(|part| Leaf {
        path: part.path.split('.').skip(1).map(|half| format!("[{half}]")).collect(),
        dims: part.dims.iter().map(Size::to_string).collect(),
        kind: match part.holds {
            ElementKind::Reals => NumberKind::Real,
            ElementKind::Ints => NumberKind::Int,
            ElementKind::Indices(_) => NumberKind::Index,
        },
    });
    Ok(Data { ty: print_type(ty), tree: tree(ty), leaves: leaves.collect() })
}

fn tree(ty: &Type) -> Tree {
    match ty.view() {
        TypeView::Array(_, a) => tree(a),
        TypeView::Pair(a, b) => Tree::Pair(Box::new(tree(a)), Box::new(tree(b))),
        _ => Tree::Leaf,
    }
}

/// The shapes of what is given for each parameter's arrays, in their order; values stay where they are.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// Parameter after parameter.
    pub given: Vec<(String, Vec<Vec<u64>>)>,
}

impl Shapes {
    fn of(&self, name: &Name) -> &[Vec<u64>] {
        self.given.iter().find(|(own, _)| own == name.as_str()).map_or(&[], |(_, shapes)| shapes)
    }
}

impl ExternalInputs for Shapes {
    fn names(&self) -> BTreeSet<Name> {
        self.given.iter().map(|(name, _)| Name::new(name)).collect()
    }

    fn size(&self, name: &Name) -> Result<(u64, String), Diagnostic> {
        // Sizes are given outright, and never asked for here.
        Err(Diagnostic::error(code::INPUT_MISSING, format!("nothing determines the size `{name}`")))
    }

    fn lengths(&self, parameter: &ProgramParameter) -> Result<Vec<(Size, u64, String)>, Trouble> {
        let (mut all, mut wrong) = (Vec::new(), Vec::new());
        for (part, shape) in parts(&parameter.ty)?.iter().zip(self.of(&parameter.name)) {
            let halves: String = part.path.split('.').skip(1).map(|half| format!("[{half}]")).collect();
            let name = format!("{}{halves}", parameter.name);
            if part.dims.len() != shape.len() {
                let expected = tuple(part.dims.iter().map(Size::to_string));
                let found = tuple(shape.iter().map(u64::to_string));
                let headline = format!("`{name}` must have the shape {expected}, but has {found}");
                let ty = print_type(&parameter.ty);
                let help = format!("`{}` has type {ty}: give an array of as many dimensions", parameter.name);
                wrong.push(Diagnostic::error(code::INPUT_SHAPE, headline).help(help));
            }
            for (axis, (size, length)) in part.dims.iter().zip(shape).enumerate() {
                let place = if axis == 0 { name.clone() } else { format!("{name}[{}]", vec![":"; axis].join(", ")) };
                all.push((size.clone(), *length, place));
            }
        }
        if wrong.is_empty() { Ok(all) } else { Err(Trouble::Wrong(wrong)) }
    }

    fn value(&self, parameter: &ProgramParameter, _: &Sizes, _: &Budget) -> Result<Value, Trouble> {
        // Who asks for sizes alone asks for no values.
        let headline = format!("the value of `{}` isn't here", parameter.name);
        Err(Diagnostic::error(code::INPUT_MISSING, headline).into())
    }
}

/// Lengths as Python writes a shape.
fn tuple(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    match &all[..] {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}

/// The shapes that the arrays of a type have at some sizes.
pub fn shapes_at(ty: &Type, sizes: &Sizes) -> Result<Vec<Vec<usize>>, Trouble> {
    let at = |dims: &[Size]| dims.iter().map(|size| sizes.value(size) as usize).collect();
    Ok(parts(ty)?.iter().map(|part| at(&part.dims)).collect())
}
