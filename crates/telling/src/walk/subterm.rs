//! Shows a subterm of the current term, with what surrounds it.

use redexter_language::ground::Name;
use redexter_language::syntax::names_at;
use redexter_language::term::{Path, Term, Type};

/// A subterm of the current term, and what surrounds it.
#[derive(Clone, Debug)]
pub struct FocusedSubterm {
    /// Where it stands.
    pub path: Path,
    /// As an address: `.body.0`.
    pub address: String,
    /// The whole term.
    pub whole: Term,
    /// The subterm, in the scope of the binders.
    pub part: Term,
    /// The binders around it, outermost first, as the whole prints them.
    pub binders: Vec<(Name, Type)>,
    /// A rewrite around what was in focus left no such subterm: this is what it made.
    pub lost: bool,
}

impl FocusedSubterm {
    /// The subterm of a term at a path.
    pub(super) fn of(whole: &Term, path: &Path) -> FocusedSubterm {
        let (mut part, mut types) = (whole.clone(), Vec::new());
        for k in path.0.iter().map(|k| *k as usize) {
            if k < part.kid_count() {
                types.extend(part.bound_type(k));
                part = part.kid(k);
            }
        }
        let names = names_at(whole, path).unwrap_or_default();
        // Each binder has its type; where no name is known, a blank stands for it.
        let names = names.into_iter().chain(std::iter::repeat(Name::new("_")));
        FocusedSubterm {
            path: path.clone(),
            address: path.address(whole),
            whole: whole.clone(),
            part,
            binders: names.zip(types).collect(),
            lost: false,
        }
    }
}
