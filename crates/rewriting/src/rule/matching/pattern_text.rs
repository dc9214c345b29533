//! Prints a piece of a left side as its law writes it: `e(a, i)` for a variable of the law with arguments.

use smallvec::SmallVec;

use redexter_language::check::Law;
use redexter_language::ground::{Name, text::call};
use redexter_language::syntax::{PrintStyle, flatten, print_pieces};
use redexter_language::term::{Kind, Path, Term};

use super::super::law::variable;

/// The piece of the left side at the end of a way.
pub(super) fn piece(law: &Law, way: &[u32]) -> String {
    let mut binders = Vec::new();
    let mut above = law.left.clone();
    for k in way {
        let next = above.kid(*k as usize);
        if above.binders(*k as usize) > 0 {
            binders.extend(above.kind().hint().cloned());
        }
        above = next;
    }
    let outer = binders.clone();
    let mut writer = PieceWriter { law, binders, applied: Vec::new() };
    let plain = writer.plain(&above).unwrap_or_else(|| above.clone());
    // Names go from the outermost in: what was applied last got the highest index, so that it comes first.
    let applied = writer.applied.into_iter().rev();
    let scope: Vec<Name> = applied.chain(law.vars.iter().map(|var| var.name.clone())).chain(outer).collect();
    flatten(&print_pieces(&plain, &scope, None::<&Path>, &PrintStyle { width: usize::MAX }))
}

struct PieceWriter<'a> {
    law: &'a Law,
    /// The names that are bound around, outermost first.
    binders: Vec<Name>,
    /// What stands for variables with arguments, as written.
    applied: Vec<Name>,
}

impl PieceWriter<'_> {
    /// With a variable, bound outside of all others, for each that has arguments.
    fn plain(&mut self, term: &Term) -> Option<Term> {
        let under = self.binders.len() as u32;
        if let Some((j, arguments)) = variable(&self.law.vars, term, under)
            && !arguments.is_empty()
        {
            let index = under + (self.law.vars.len() + self.applied.len()) as u32;
            let arguments: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
            self.applied.push(Name::new(&call(&self.law.vars[j].name, arguments)));
            return Some(Term::var(index, term.ty()));
        }
        let mut kids: SmallVec<[Term; 2]> = SmallVec::new();
        for k in 0..term.kid_count() {
            let count = self.binders.len();
            if term.binders(k) > 0 {
                self.binders.extend(term.kind().hint().cloned());
            }
            kids.push(self.plain(&term.kid(k))?);
            self.binders.truncate(count);
        }
        term.with_kids(kids).ok()
    }

    /// A variable or a half of one.
    fn argument(&self, argument: &Term) -> String {
        match argument.kind() {
            Kind::Fst => format!("fst {}", self.argument(&argument.kid(0))),
            Kind::Snd => format!("snd {}", self.argument(&argument.kid(0))),
            Kind::Var => {
                let at = self.binders.len().checked_sub(argument.places()[0] as usize + 1);
                at.map_or_else(|| "_".to_owned(), |at| self.binders[at].to_string())
            }
            _ => "_".to_owned(),
        }
    }
}
