//! Writes each constructor's words.

use super::{APPLICATION, ATOM, Emitter, POSTFIX, WrittenForm};
use crate::ground::Name;
use crate::ground::layout::Indent;
use crate::ground::writing::goes_on;
use crate::syntax::print::PrintRole;
use crate::syntax::print::descent::Descent;
use crate::syntax::words::UNNAMED_INDEX;
use crate::term::{Fixity, Kind, Prim, Size, Term, Type};

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
            Kind::Lam(..) => self.lam(term, usize::from(known), known, descent),
            Kind::App => self.group(Indent::Nest(2), |e| e.spine(term, known, descent)),
            Kind::Let(hint) => self.group(Indent::Nest(0), |e| e.lets(term, hint, known, descent)),
            Kind::Guard(..) if is_guarded_read(term) && !descent.below(term, 1).below(&term.kid(1), 1).is_marked() => {
                self.guarded_read(term, descent);
            }
            Kind::If | Kind::Guard(..) => self.group(Indent::Align, |e| e.ifs(term, known, descent)),
            Kind::Build(n) => self.group(Indent::Nest(0), |e| e.looped(term, &[n], known, known, descent)),
            Kind::Ifold(n) => self.group(Indent::Nest(0), |e| e.looped(term, &[n], true, known, descent)),
            Kind::Scan(n) | Kind::Scanr(n) => {
                self.group(Indent::Nest(0), |e| e.looped(term, &[n], known, known, descent));
            }
            Kind::Scatter(rounds, places) => {
                self.group(Indent::Nest(0), |e| e.looped(term, &[places, rounds], known, known, descent));
            }
            Kind::Pull => self.group(Indent::Nest(0), |e| e.pull(term, known, descent)),
            Kind::Plus => {
                let known = self.known.among(&term.kids(), known);
                self.call("plus", PrintRole::Primitive, term, &known, descent);
            }
            Kind::Array(_) => self.group(Indent::Nest(2), |e| e.array(term, known, descent)),
            Kind::Get => self.get(term, descent),
            Kind::Within(_) => self.computed_index(term, descent),
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

    /// `if c then a else if k : fin n := i then b else e`
    pub(super) fn ifs(&mut self, term: &Term, known: bool, descent: Descent) {
        let branches = self.known.among(&[term.kid(1), term.kid(2)], known);
        self.text("if ", PrintRole::Keyword);
        let bound = match term.kind() {
            Kind::Guard(hint, n) => {
                let ty = Type::fin(n.clone());
                let name = self.names.choose(hint, &ty, term.kid(1).free_at(0).is_some());
                self.text(name.as_str().to_owned(), PrintRole::Binder);
                self.text(" : ", PrintRole::Plain);
                self.ty(&ty, 0);
                self.text(" := ", PrintRole::Keyword);
                Some(name)
            }
            _ => None,
        };
        self.term(&term.kid(0), 0, true, descent.below(term, 0));
        self.line();
        self.text("then ", PrintRole::Keyword);
        let binders = bound.map_or(0, |name| {
            self.names.push(name);
            1
        });
        self.term(&term.kid(1), 0, branches[0], descent.below(term, 1));
        self.names.pop(binders);
        self.line();
        self.text("else ", PrintRole::Keyword);
        let (last, descent) = (term.kid(2), descent.below(term, 2));
        match last.kind() {
            Kind::If | Kind::Guard(..) if is_written_as_if(&last) && !descent.is_marked() && !self.is_spent() => {
                self.marking(descent, |e| e.ifs(&last, branches[1], descent));
            }
            _ => self.term(&last, 0, branches[1], descent),
        }
    }

    /// `build n f`, `ifold n f z`, `scan n f z` and `scatter n m f`; `rest`: the type of the function's result is known.
    pub(super) fn looped(&mut self, term: &Term, sizes: &[&Size], rest: bool, known: bool, descent: Descent) {
        let (word, role) = match term.kind().word() {
            Some((word, Fixity::Open)) => (word, PrintRole::Primitive),
            word => (word.map_or("", |(word, _)| word), PrintRole::Keyword),
        };
        self.text(format!("{word} "), role);
        for size in sizes {
            self.size(size);
            self.text(" ", PrintRole::Plain);
        }
        self.function(&term.kid(0), term.kid_count(), rest, descent.below(term, 0));
        if term.kid_count() == 2 {
            self.group(Indent::Nest(2), |e| {
                e.line();
                e.term(&term.kid(1), POSTFIX, known, descent.below(term, 1));
            });
        }
    }

    /// `pull f w`: the type of what f takes is the whole's.
    fn pull(&mut self, term: &Term, known: bool, descent: Descent) {
        self.text("pull ", PrintRole::Primitive);
        self.function(&term.kid(0), usize::from(known), false, descent.below(term, 0));
        self.group(Indent::Nest(2), |e| {
            e.line();
            e.term(&term.kid(1), POSTFIX, false, descent.below(term, 1));
        });
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
        let (index, below) = (term.kid(1), descent.below(term, 1));
        match index.kind() {
            Kind::Within(_) if !self.is_spent() => self.marking(below, |e| e.index_in_place(&index, below)),
            _ => self.term(&index, 0, true, below),
        }
        self.text("]", PrintRole::Plain);
    }

    /// `a[e else z]`: the name of the index isn't written, so that it hides none in the array.
    fn guarded_read(&mut self, term: &Term, descent: Descent) {
        let (read, inside) = (term.kid(1), descent.below(term, 1));
        self.names.push(Name::new(UNNAMED_INDEX));
        self.marking(inside, |e| e.term(&read.kid(0), POSTFIX, false, inside.below(&read, 0)));
        self.names.pop(1);
        self.group(Indent::Nest(2), |e| {
            e.text("[", PrintRole::Plain);
            e.term(&term.kid(0), 0, true, descent.below(term, 0));
            e.line();
            e.text("else ", PrintRole::Keyword);
            e.term(&term.kid(2), 0, true, descent.below(term, 2));
            e.text("]", PrintRole::Plain);
        });
    }

    /// A computed index where an array is read, which reads back as one: an index of another size, or else a number.
    fn index_in_place(&mut self, term: &Term, descent: Descent) {
        let (number, below) = (term.kid(0), descent.below(term, 0));
        match number.kind() {
            Kind::Prim(Prim::ToInt) if number.kid(0).ty() != term.ty() && !self.is_spent() => {
                self.marking(below, |e| e.term(&number.kid(0), 0, false, below.below(&number, 0)));
            }
            _ => self.term(&number, 0, false, below),
        }
    }

    /// `(number : fin n)`: a computed index anywhere else. Of a number that is no arithmetic the type is written, too: the type
    /// of an index would be that of its branches, or of its body.
    fn computed_index(&mut self, term: &Term, descent: Descent) {
        let (number, below) = (term.kid(0), descent.below(term, 0));
        self.text("(", PrintRole::Plain);
        match number.kind() {
            Kind::Prim(_) | Kind::Var | Kind::SizeVar(_) => self.term(&number, 0, false, below),
            _ => self.parenthesised(true, |e| {
                e.term(&number, 0, true, below);
                e.text(" : int", PrintRole::Plain);
            }),
        }
        self.text(" : ", PrintRole::Plain);
        self.ty(term.ty(), 0);
        self.text(")", PrintRole::Plain);
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

/// Whether it is a guard that reads an element of an array at its index, and says nothing else of that: `a[e else z]`.
pub(in crate::syntax::print) fn is_guarded_read(term: &Term) -> bool {
    let Kind::Guard(..) = term.kind() else { return false };
    let read = term.kid(1);
    let Kind::Get = read.kind() else { return false };
    let (array, index) = (read.kid(0), read.kid(1));
    matches!(index.kind(), Kind::Var) && index.places() == [0] && array.free_at(0).is_none()
}

/// Whether it is written as `if c then a else b` is.
pub(in crate::syntax::print) fn is_written_as_if(term: &Term) -> bool {
    matches!(term.kind(), Kind::If | Kind::Guard(..)) && !is_guarded_read(term)
}

/// How tightly the term's outermost form binds.
pub(in crate::syntax::print) fn strength(term: &Term) -> u8 {
    use crate::term::{MINUS, MULTIPLICATIVE};
    match term.kind() {
        Kind::Guard(..) if is_guarded_read(term) => POSTFIX,
        Kind::Lam(..) | Kind::Let(_) | Kind::If | Kind::Guard(..) => 0,
        Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_) | Kind::Build(_) | Kind::Scatter(..) => APPLICATION,
        Kind::App | Kind::Fst | Kind::Snd | Kind::Pull | Kind::Plus => APPLICATION,
        Kind::Get => POSTFIX,
        Kind::Real(x) if !x.is_finite() => MULTIPLICATIVE,
        Kind::Real(x) if x.is_sign_negative() => MINUS,
        Kind::Int(x) if *x < 0 => MINUS,
        Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => ATOM,
        Kind::Array(_) | Kind::Pair | Kind::Within(_) => ATOM,
        Kind::Prim(p) => match p.fixity() {
            Fixity::Infix(own) | Fixity::Prefix(own) => own,
            Fixity::Reserved | Fixity::Open => APPLICATION,
        },
    }
}
