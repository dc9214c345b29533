//! Writes each constructor's words.

use super::{APPLICATION, ATOM, Emitter, POSTFIX, WrittenForm};
use crate::ground::layout::Indent;
use crate::ground::writing::goes_on;
use crate::syntax::print::PrintRole;
use crate::syntax::print::descent::Descent;
use crate::term::{Kind, Size, Term};

impl Emitter {
    /// A term where an operand of strength `need` can stand; `known`: the context gives its type.
    pub(in crate::syntax::print) fn term(&mut self, term: &Term, need: u8, known: bool, descent: Descent) {
        if self.is_spent() || !goes_on() {
            return self.text("…", PrintRole::Plain);
        }
        if !known && is_silent(term) {
            return self.marking(descent, |e| e.ascribed(term));
        }
        self.once(term, WrittenForm::Operand(need, known), descent, |e| {
            e.parenthesised(strength(term) < need, |e| e.marking(descent, |e| e.bare(term, known, descent)));
        });
    }

    pub(super) fn ascribed(&mut self, term: &Term) {
        self.text("(", PrintRole::Plain);
        self.bare(term, true, Descent::default());
        self.text(" : ", PrintRole::Plain);
        self.ty(term.ty(), 0);
        self.text(")", PrintRole::Plain);
    }

    pub(super) fn bare(&mut self, term: &Term, known: bool, descent: Descent) {
        match term.kind() {
            Kind::Var => self.variable(term),
            Kind::Real(x) => self.real(*x),
            Kind::Int(x) => self.text(x.to_string(), PrintRole::Number),
            Kind::Fin(c, _) => self.text(c.to_string(), PrintRole::Number),
            Kind::SizeVar(n) => self.text(n.as_str().to_owned(), PrintRole::Size),
            Kind::Lam(..) => self.lam(term, known, known, descent),
            Kind::App => self.group(Indent::Nest(2), |e| e.spine(term, known, descent)),
            Kind::Let(hint) => self.group(Indent::Nest(0), |e| e.lets(term, hint, known, descent)),
            Kind::If => self.group(Indent::Align, |e| e.ifs(term, known, descent)),
            Kind::Build(n) => self.group(Indent::Nest(0), |e| e.looped(term, n, known, known, descent)),
            Kind::Ifold(n) => self.group(Indent::Nest(0), |e| e.looped(term, n, true, known, descent)),
            Kind::Array(_) => self.group(Indent::Nest(2), |e| e.array(term, known, descent)),
            Kind::Get => self.get(term, descent),
            Kind::Pair => self.group(Indent::Nest(2), |e| e.pair(term, known, descent)),
            Kind::Fst => self.call("fst", PrintRole::Keyword, term, &[false], descent),
            Kind::Snd => self.call("snd", PrintRole::Keyword, term, &[false], descent),
            Kind::Prim(p) => self.prim(*p, term, known, descent),
        }
    }

    pub(super) fn variable(&mut self, term: &Term) {
        let index = term.free().next().map_or(0, |(index, _)| index);
        let name = self.names.of(index);
        self.text(name.shown().to_owned(), PrintRole::Variable);
    }

    pub(super) fn real(&mut self, x: f64) {
        if x.is_nan() {
            self.text("0 / 0", PrintRole::Number);
        } else if x.is_infinite() {
            self.text(if x > 0.0 { "1 / 0" } else { "-1 / 0" }, PrintRole::Number);
        } else {
            let text = format!("{x:?}");
            self.text(text.strip_suffix(".0").unwrap_or(&text).to_owned(), PrintRole::Number);
        }
    }

    /// `if c then a else if d then b else e`
    pub(super) fn ifs(&mut self, term: &Term, known: bool, descent: Descent) {
        let branches = self.known.among(&[term.kid(1), term.kid(2)], known);
        self.text("if ", PrintRole::Keyword);
        self.term(&term.kid(0), 0, true, descent.below(term, 0));
        self.line();
        self.text("then ", PrintRole::Keyword);
        self.term(&term.kid(1), 0, branches[0], descent.below(term, 1));
        self.line();
        self.text("else ", PrintRole::Keyword);
        let (last, descent) = (term.kid(2), descent.below(term, 2));
        match last.kind() {
            Kind::If if !descent.is_marked() && !self.is_spent() => {
                self.marking(descent, |e| e.ifs(&last, branches[1], descent));
            }
            _ => self.term(&last, 0, branches[1], descent),
        }
    }

    /// `build n f` and `ifold n f z`; `rest`: the type of the function's result is known.
    pub(super) fn looped(&mut self, term: &Term, size: &Size, rest: bool, known: bool, descent: Descent) {
        let word = term.kind().word().map_or("", |(word, _)| word);
        self.text(format!("{word} "), PrintRole::Keyword);
        self.size(size);
        self.text(" ", PrintRole::Plain);
        self.function(&term.kid(0), true, rest, descent.below(term, 0));
        if term.kid_count() == 2 {
            self.group(Indent::Nest(2), |e| {
                e.line();
                e.term(&term.kid(1), POSTFIX, known, descent.below(term, 1));
            });
        }
    }

    pub(super) fn array(&mut self, term: &Term, known: bool, descent: Descent) {
        let kids = term.kids();
        let known = self.known.among(&kids, known);
        self.text("[", PrintRole::Plain);
        for (k, kid) in kids.iter().enumerate() {
            if k > 0 {
                self.text(",", PrintRole::Plain);
                self.line();
            }
            self.term(kid, 0, known[k], descent.below(term, k as u32));
        }
        self.text("]", PrintRole::Plain);
    }

    pub(super) fn get(&mut self, term: &Term, descent: Descent) {
        self.term(&term.kid(0), POSTFIX, false, descent.below(term, 0));
        self.text("[", PrintRole::Plain);
        self.term(&term.kid(1), 0, true, descent.below(term, 1));
        self.text("]", PrintRole::Plain);
    }

    /// `(a, b, c)`
    pub(super) fn pair(&mut self, term: &Term, known: bool, descent: Descent) {
        self.text("(", PrintRole::Plain);
        match self.is_spent() {
            true => self.term(term, 0, known, descent),
            false => self.elements(term, known, descent),
        }
        self.text(")", PrintRole::Plain);
    }

    /// `a, b, c`
    pub(super) fn elements(&mut self, term: &Term, known: bool, descent: Descent) {
        self.term(&term.kid(0), 0, known, descent.below(term, 0));
        self.text(",", PrintRole::Plain);
        self.line();
        let (rest, descent) = (term.kid(1), descent.below(term, 1));
        match rest.kind() {
            Kind::Pair if !descent.is_marked() && !self.is_spent() => {
                self.marking(descent, |e| e.elements(&rest, known, descent))
            }
            _ => self.term(&rest, 0, known, descent),
        }
    }

    /// A word and its arguments.
    pub(in crate::syntax::print) fn call(
        &mut self,
        word: &'static str,
        role: PrintRole,
        term: &Term,
        known: &[bool],
        descent: Descent,
    ) {
        self.group(Indent::Nest(2), |e| {
            e.text(word, role);
            for (k, known) in known.iter().enumerate() {
                e.line();
                e.term(&term.kid(k), POSTFIX, *known, descent.below(term, k as u32));
            }
        });
    }
}

/// Whether the term's text says nothing of its type.
fn is_silent(term: &Term) -> bool {
    match term.kind() {
        Kind::Int(_) | Kind::Fin(..) => true,
        Kind::Array(_) => term.kid_count() == 0,
        _ => false,
    }
}

/// How tightly the term's outermost form binds.
pub(in crate::syntax::print) fn strength(term: &Term) -> u8 {
    use crate::term::{Fixity, MINUS, MULTIPLICATIVE};
    match term.kind() {
        Kind::Lam(..) | Kind::Let(_) | Kind::If => 0,
        Kind::App | Kind::Ifold(_) | Kind::Build(_) | Kind::Fst | Kind::Snd => APPLICATION,
        Kind::Get => POSTFIX,
        Kind::Real(x) if !x.is_finite() => MULTIPLICATIVE,
        Kind::Real(x) if x.is_sign_negative() => MINUS,
        Kind::Int(x) if *x < 0 => MINUS,
        Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) | Kind::Array(_) | Kind::Pair => {
            ATOM
        }
        Kind::Prim(p) => match p.fixity() {
            Fixity::Infix(own) | Fixity::Prefix(own) => own,
            Fixity::Reserved | Fixity::Open => APPLICATION,
        },
    }
}
