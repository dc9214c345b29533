//! Writes what binds names: functions, their spines, lets.

use super::{APPLICATION, Emitter, MAX_PARAMS, POSTFIX, WrittenForm};
use crate::ground::Name;
use crate::ground::layout::Indent;
use crate::syntax::print::PrintRole;
use crate::syntax::print::descent::Descent;
use crate::term::{Kind, Term, Type};

impl Emitter {
    /// A function and its parameters; `given`: so many of their types are known; `rest`: its result's type is.
    pub(super) fn lam(&mut self, term: &Term, given: usize, rest: bool, descent: Descent) {
        let (mut here, mut descent) = (term.clone(), descent);
        let mut params: Vec<(Name, Option<Type>)> = Vec::new();
        let are_inputs = self.inputs.take_if(|inputs| inputs == term).is_some();
        while let Kind::Lam(hint, ty) = here.kind() {
            if !params.is_empty() && (descent.is_marked() || params.len() == MAX_PARAMS) {
                break;
            }
            let body = here.kid(0);
            let name = match are_inputs && self.names.can_be_input(hint, &body) {
                true => hint.clone(),
                false => self.names.choose(hint, ty, body.free_at(0).is_some()),
            };
            let known = params.len() < given || rest && !params.is_empty();
            params.push((name.clone(), (!known).then(|| ty.clone())));
            self.names.push(name);
            descent = descent.below(&here, 0);
            here = body;
        }
        let descent = descent.repeated(params.len() as u32);
        if are_inputs {
            self.inputs = Some(here.clone());
        }
        self.group(Indent::Nest(2), |e| {
            e.text("fun", PrintRole::Keyword);
            e.params(&params);
            e.text(" =>", PrintRole::Keyword);
            e.line();
            e.term(&here, 0, rest, descent);
        });
        self.names.pop(params.len());
    }

    pub(super) fn params(&mut self, params: &[(Name, Option<Type>)]) {
        let same = |a: &(Name, Option<Type>), b: &(Name, Option<Type>)| a.1.is_some() && a.1 == b.1;
        for (place, together) in params.chunk_by(same).enumerate() {
            self.group(Indent::Nest(4), |e| {
                if place == 0 {
                    e.text(" ", PrintRole::Plain);
                } else {
                    e.line();
                }
                e.parenthesised(together[0].1.is_some(), |e| {
                    for (k, (name, _)) in together.iter().enumerate() {
                        if k > 0 {
                            e.text(" ", PrintRole::Plain);
                        }
                        e.text(name.as_str().to_owned(), PrintRole::Binder);
                    }
                    if let Some(ty) = &together[0].1 {
                        e.text(" : ", PrintRole::Plain);
                        e.ty(ty, 0);
                    }
                });
            });
        }
    }

    /// A function as an argument, of which so many parameters' types are known.
    pub(super) fn function(&mut self, term: &Term, given: usize, rest: bool, descent: Descent) {
        if self.is_spent() || !matches!(term.kind(), Kind::Lam(..)) {
            return self.term(term, POSTFIX, rest, descent);
        }
        self.parenthesised(true, |e| e.marking(descent, |e| e.lam(term, given, rest, descent)));
    }

    /// `f a b`
    pub(super) fn spine(&mut self, term: &Term, known: bool, descent: Descent) {
        let (function, argument) = (term.kid(0), term.kid(1));
        let inner = descent.below(term, 0);
        match function.kind() {
            Kind::Lam(..) => {
                let first = self.known.settles(&argument) && !self.known.computes_index(&function);
                self.function(&function, usize::from(first), known, inner);
            }
            Kind::App if !inner.is_marked() && !self.is_spent() => {
                self.marking(inner, |e| e.spine(&function, false, inner));
            }
            Kind::App => self.term(&function, APPLICATION, false, inner),
            _ => self.term(&function, POSTFIX, false, inner),
        }
        self.line();
        self.term(&argument, POSTFIX, true, descent.below(term, 1));
    }

    /// `let x := e1; let y := e2; e3`
    pub(super) fn lets(&mut self, term: &Term, hint: &Name, known: bool, descent: Descent) {
        let (value, body) = (term.kid(0), term.kid(1));
        let name = self.names.choose(hint, value.ty(), body.free_at(0).is_some());
        self.text("let ", PrintRole::Keyword);
        self.text(name.as_str().to_owned(), PrintRole::Binder);
        self.text(" :=", PrintRole::Keyword);
        self.bound_value(&value, descent.below(term, 0));
        self.text(";", PrintRole::Plain);
        self.line();
        self.names.push(name);
        self.end_of_let(&body, known, descent.below(term, 1));
        self.names.pop(1);
    }

    /// What a `let` ends with, which may be the next one.
    pub(in crate::syntax::print) fn end_of_let(&mut self, body: &Term, known: bool, descent: Descent) {
        match body.kind() {
            Kind::Let(next) if !descent.is_marked() && !self.is_spent() => {
                self.once(body, WrittenForm::Lets(known), descent, |e| {
                    e.marking(descent, |e| e.lets(body, next, known, descent));
                });
            }
            _ => self.term(body, 0, known, descent),
        }
    }

    pub(super) fn bound_value(&mut self, value: &Term, descent: Descent) {
        let need = u8::from(matches!(value.kind(), Kind::Let(_)));
        if value.kind().is_loop() || matches!(value.kind(), Kind::Lam(..)) {
            self.text(" ", PrintRole::Plain);
            return self.term(value, need, false, descent);
        }
        self.group(Indent::Nest(2), |e| {
            e.line();
            e.term(value, need, false, descent);
        });
    }
}
