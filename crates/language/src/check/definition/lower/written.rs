//! Lowers a definition so that one can tell where in the text a place of its term is written.
//!
//! In this form each real that an operation or the use of a definition gives is the value of a `let`, whose name says the place.
//! D and substitution keep such a `let` around what they make of the value, so that a part of a tangent is found, too. What is
//! computed stays the same, operation by operation.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Lowering;
use crate::check::definition::Definition;
use crate::ground::{Budget, Name, Span, Trouble};
use crate::term::{Bindings, IllTyped, Path, Program, Term, TypeView, View};

/// Before the number of a place in the name of its `let`. No one can write it.
const MARK: &str = "@\0";

/// The places so far, and the marked terms of the definitions, which are made once.
#[derive(Default)]
pub(super) struct PlaceMarks {
    places: Vec<WrittenPlace>,
    terms: FxHashMap<*const Definition, Term>,
}

/// A place in a text at which a subterm is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenPlace {
    /// The place.
    pub span: Span,
    /// There a definition is used; else an operation is written there.
    pub is_use: bool,
}

/// A program whose operations lead to where they are written.
#[derive(Debug)]
pub struct WrittenProgram {
    /// The program, which computes what the definition does.
    pub program: Program,
    places: Vec<WrittenPlace>,
}

impl WrittenProgram {
    /// What is written around a place of the program's term: the innermost last.
    pub fn around(&self, path: &Path) -> Vec<WrittenPlace> {
        let (mut here, mut found) = (self.program.term.clone(), Vec::new());
        for k in &path.0 {
            if let View::Let(name, ..) = here.view()
                && *k == 0
            {
                let number = name.as_str().strip_prefix(MARK).and_then(|number| number.parse::<usize>().ok());
                found.extend(number.and_then(|number| self.places.get(number)));
            }
            if *k as usize >= here.kid_count() {
                break;
            }
            here = here.kid(*k as usize);
        }
        found
    }
}

impl Definition {
    /// Its program in a form that says where each operation is written.
    pub fn written(&self, budget: &Budget) -> Result<WrittenProgram, Trouble> {
        let bounds = self.program(budget)?.bounds;
        let marks = Rc::new(RefCell::new(PlaceMarks::default()));
        let term = self.lower(Lowering { marks: Some(marks.clone()), ..Lowering::new(Bindings::default(), budget) })?;
        let places = std::mem::take(&mut marks.borrow_mut().places);
        Ok(WrittenProgram { program: Program { term, bounds }, places })
    }
}

impl Lowering<'_> {
    /// The term below a `let` that says where it is written, if places are wanted and it is a real.
    pub(super) fn marked(&self, term: Term, span: Span, is_use: bool) -> Result<Term, IllTyped> {
        let (Some(marks), TypeView::Real) = (&self.marks, term.ty().view()) else { return Ok(term) };
        let places = &mut marks.borrow_mut().places;
        places.push(WrittenPlace { span, is_use });
        let result = Term::var(0, term.ty());
        Term::let_in(&Name::new(&format!("{MARK}{}", places.len() - 1)), term, result)
    }

    /// The λ over the parameters of a definition without static ones.
    pub(super) fn whole(&self, definition: &Definition) -> Result<Term, Trouble> {
        let Some(marks) = &self.marks else { return definition.term(self.budget) };
        let key = std::ptr::from_ref(definition);
        if let Some(done) = marks.borrow().terms.get(&key) {
            return Ok(done.clone());
        }
        let made = definition.lower(Lowering {
            marks: Some(marks.clone()),
            is_law: self.is_law,
            ..Lowering::new(Bindings::default(), self.budget)
        })?;
        marks.borrow_mut().terms.insert(key, made.clone());
        Ok(made)
    }
}
