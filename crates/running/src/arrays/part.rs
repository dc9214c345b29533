//! Finds the arrays that values of a type come to, with their names.

use redexter_language::ground::{Diagnostic, code};
use redexter_language::term::{Size, Type, TypeView};

/// A type of more arrays isn't read or written.
const MAX_ARRAYS: usize = 1_000;

/// What an array holds.
#[derive(Clone, Debug)]
pub enum ElementKind {
    /// Doubles.
    Reals,
    /// Integers of 64 bits.
    Ints,
    /// Indices below this.
    Indices(Size),
}

/// One of the arrays.
#[derive(Clone, Debug)]
pub struct ArrayPart {
    /// Which halves of pairs lead to it, as in `.0.1`.
    pub path: String,
    /// How long it is in each direction, the outermost first.
    pub dims: Vec<Size>,
    /// What it holds.
    pub holds: ElementKind,
}

/// The arrays of a type of data, first halves before second ones.
pub fn parts(ty: &Type) -> Result<Vec<ArrayPart>, Diagnostic> {
    let mut all = Vec::new();
    add(ty, &mut Vec::new(), String::new(), &mut all);
    match all.len() > MAX_ARRAYS {
        true => Err(Diagnostic::error(
            code::INPUT_SHAPE,
            format!("values of type {ty} come to more than {MAX_ARRAYS} arrays"),
        )
        .help("give and take JSON")),
        false => Ok(all),
    }
}

fn add(ty: &Type, dims: &mut Vec<Size>, path: String, all: &mut Vec<ArrayPart>) {
    let holds = match ty.view() {
        // Types share their parts, so that a small one may come to arrays without end.
        _ if all.len() > MAX_ARRAYS => return,
        TypeView::Array(n, a) => {
            dims.push(n.clone());
            add(a, dims, path, all);
            dims.pop();
            return;
        }
        TypeView::Pair(a, b) => {
            add(a, dims, format!("{path}.0"), all);
            return add(b, dims, format!("{path}.1"), all);
        }
        TypeView::Real => ElementKind::Reals,
        TypeView::Fin(n) => ElementKind::Indices(n.clone()),
        _ => ElementKind::Ints,
    };
    all.push(ArrayPart { path, dims: dims.clone(), holds });
}
