//! What work is measured in.

use crate::ground::Name;
use crate::ground::polynomial::Polynomial;
use crate::term::{Atom, Size};

/// A polynomial in size variables.
pub type Poly = Polynomial<Name>;

impl Poly {
    /// A size as a polynomial. An unknown, which no finished term has, counts as 0.
    pub fn size(size: &Size) -> Poly {
        size.polynomial().renamed(|atom| match atom {
            Atom::Var(name) => Some(name.clone()),
            Atom::Unknown(_) => None,
        })
    }
}
