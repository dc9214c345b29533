//! Terms to blocks of text and possible breaks: which words, which parentheses, where a line may end.
//!
//! Recursion is as deep as the term, so that deep terms need a thread made by `ground::with_stack`.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use super::descent::{Descent, RelativePath};
use super::known::Known;
use super::names::Names;
use super::survey::{Findings, Survey};
use super::{Piece, Role};
use crate::ground::Name;
use crate::ground::blocks::{Blocks, Id, Laid};
use crate::ground::layout::{Indent, Measure};
use crate::ground::writing::goes_on;
use crate::term::{Kind, Size, Term, Type};

/// Binding strength of an application, above every operator's.
pub(super) const APPLICATION: u8 = 8;
/// Binding strength of `a[i]`: what an argument needs at least.
pub(super) const POSTFIX: u8 = 9;
/// Binding strength of names, numerals and what stands in brackets.
pub(super) const ATOM: u8 = 10;

/// The most parameters that share one `fun`.
pub(super) const MOST_PARAMS: usize = 64;

/// The most blocks that are remembered.
const MOST_BLOCKS: usize = 100_000;

/// Of types that unfold to more parts than these the rest is elided.
const TYPE_PARTS: u32 = 1_000_000;

/// Blocks of text as they grow, with those that recur.
pub(super) struct Emit {
    pub(super) blocks: Blocks<Role>,
    /// The blocks of unmarked subterms.
    written: FxHashMap<Key, Id>,
    /// Where paths are written: those of the blocks that are a subterm.
    pub(super) paths: FxHashMap<Id, RelativePath>,
    pub(super) names: Names,
    pub(super) known: Known,
    pub(super) survey: Survey,
    found: Findings,
    scope: Vec<Name>,
    measure: Measure,
    /// So many characters are written before the rest may be elided; where nothing says so, all are.
    characters: Option<usize>,
    /// The names in scope at the marked subterm, once it was reached.
    pub(super) at_mark: Option<Vec<Name>>,
    pub(super) type_parts: u32,
    visited: u64,
    /// The function whose parameters are the inputs of the whole, as long as it isn't written.
    inputs: Option<Term>,
}

/// What the text of an unmarked subterm depends on: which object it is, for its binders' hints, and its scope.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    term: Object,
    scope: u32,
    form: Form,
    path: Option<RelativePath>,
}

/// How a subterm is written.
#[derive(PartialEq, Eq, Hash)]
enum Form {
    /// As an operand of this strength; whether the context gives its type.
    Operand(u8, bool),
    /// As more lets of a chain; whether the context gives its type.
    Lets(bool),
}

/// A term, equal to itself alone.
struct Object(Term);

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.0.same(&other.0)
    }
}

impl Eq for Object {}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(&*self.0).hash(state);
    }
}

impl Emit {
    /// For lines of this width; what follows the first `characters` characters may be elided, if it is said how many.
    pub(super) fn new(width: usize, characters: Option<usize>) -> Emit {
        let measure = Measure { width, behind: 1 };
        Emit {
            blocks: Blocks::new(measure),
            written: FxHashMap::default(),
            paths: FxHashMap::default(),
            names: Names::default(),
            known: Known::default(),
            survey: Survey::default(),
            found: Findings::default(),
            scope: Vec::new(),
            measure,
            characters,
            at_mark: None,
            type_parts: TYPE_PARTS,
            visited: 0,
            inputs: None,
        }
    }

    /// Goes on with these terms, all in the scope of the variables `scope`, outermost first: no name in any of them hides a
    /// size of another one.
    pub(super) fn enter(&mut self, terms: &[&Term], scope: &[Name]) {
        if self.is_full() {
            let visited = self.visited();
            *self = Emit { visited, ..Emit::new(self.measure.width, self.characters) };
        }
        let found = self.survey.of(terms);
        if self.found != found || self.scope != scope {
            self.names = Names::new(scope, found.sizes.iter().cloned());
            self.written.clear();
            (self.found, self.scope) = (found, scope.to_vec());
        }
        (self.at_mark, self.type_parts) = (None, TYPE_PARTS);
    }

    /// Whether it begins anew for the next terms.
    pub(super) fn is_full(&self) -> bool {
        self.blocks.count() > MOST_BLOCKS
    }

    /// What comes next is a whole term: the parameters of the function that it is are inputs.
    pub(super) fn begin(&mut self, term: &Term) {
        self.inputs = Some(term.clone()).filter(|_| self.names.scope().is_empty());
    }

    /// A term as a block.
    pub(super) fn whole(&mut self, term: &Term, descent: Descent) -> Id {
        self.begin(term);
        self.block(|e| e.term(term, 0, false, descent))
    }

    /// What is written inside as a block of its own.
    pub(super) fn block(&mut self, inside: impl FnOnce(&mut Emit)) -> Id {
        self.blocks.open(None, false);
        inside(self);
        self.blocks.close()
    }

    /// The text of a block.
    pub(super) fn pieces(&mut self, block: Id) -> Vec<Piece> {
        let mut all = Vec::new();
        self.blocks.lay_each(block, &mut |laid| all.push(laid.into()));
        // What a limit ended nobody reads.
        if goes_on() { all } else { Vec::new() }
    }

    /// The text of a block without its pieces. Of one that a limit ended nothing is left, so that nobody goes through it.
    pub(super) fn flat(&mut self, block: Id) -> String {
        let mut text = String::new();
        self.blocks.lay_each(block, &mut |laid| text.push_str(&laid.text));
        if goes_on() { text } else { String::new() }
    }

    /// How many subterms were written, and how many blocks visited to lay them out.
    pub(super) fn visited(&self) -> u64 {
        self.visited + self.blocks.visited()
    }

    /// Whether a constant somewhere asks for a lower bound of an open size.
    pub(super) fn bounds_a_size(&self) -> bool {
        self.found.bounds_a_size
    }

    pub(super) fn is_spent(&self) -> bool {
        self.characters == Some(0)
    }

    pub(super) fn text(&mut self, text: impl Into<Cow<'static, str>>, role: Role) {
        let text = text.into();
        self.characters = self.characters.map(|left| left.saturating_sub(text.len()));
        self.blocks.text(text, role);
    }

    pub(super) fn line(&mut self) {
        self.blocks.line(Role::Plain);
    }

    pub(super) fn group(&mut self, indent: Indent, inside: impl FnOnce(&mut Emit)) {
        self.blocks.open(Some(indent), false);
        inside(self);
        let block = self.blocks.close();
        self.blocks.again(block);
    }

    pub(super) fn parenthesised(&mut self, really: bool, inside: impl FnOnce(&mut Emit)) {
        if really {
            self.text("(", Role::Plain);
        }
        inside(self);
        if really {
            self.text(")", Role::Plain);
        }
    }

    /// Marks what is written inside, if this is the marked subterm, or gives it its path.
    pub(super) fn marking(&mut self, descent: Descent, inside: impl FnOnce(&mut Emit)) {
        if let Some(path) = descent.path() {
            let block = self.block(inside);
            self.paths.insert(block, path);
            return self.blocks.again(block);
        }
        if !descent.is_marked() {
            return inside(self);
        }
        self.at_mark = Some(self.names.scope().to_vec());
        self.blocks.open(None, true);
        inside(self);
        let block = self.blocks.close();
        self.blocks.again(block);
    }

    /// Writes a subterm, or takes what was written of it before in the same scope and form. What is marked, or may be elided,
    /// isn't remembered.
    fn once(&mut self, term: &Term, form: Form, descent: Descent, write: impl FnOnce(&mut Emit)) {
        self.visited += 1;
        if descent.leads_to_mark() || term.kid_count() == 0 || self.characters.is_some() {
            return write(self);
        }
        let key = Key { term: Object(term.clone()), scope: self.names.id(), form, path: descent.path() };
        let known = self.written.get(&key).copied();
        let block = known.unwrap_or_else(|| {
            let block = self.block(write);
            self.written.insert(key, block);
            block
        });
        self.blocks.again(block);
    }

    /// A term where an operand of strength `need` can stand; `known`: the context gives its type.
    pub(super) fn term(&mut self, term: &Term, need: u8, known: bool, descent: Descent) {
        if self.is_spent() || !goes_on() {
            return self.text("…", Role::Plain);
        }
        if !known && is_silent(term) {
            return self.marking(descent, |e| e.ascribed(term));
        }
        self.once(term, Form::Operand(need, known), descent, |e| {
            e.parenthesised(strength(term) < need, |e| e.marking(descent, |e| e.bare(term, known, descent)));
        });
    }

    fn ascribed(&mut self, term: &Term) {
        self.text("(", Role::Plain);
        self.bare(term, true, Descent::default());
        self.text(" : ", Role::Plain);
        self.ty(term.ty(), 0);
        self.text(")", Role::Plain);
    }

    fn bare(&mut self, term: &Term, known: bool, descent: Descent) {
        match term.kind() {
            Kind::Var => self.variable(term),
            Kind::Real(x) => self.real(*x),
            Kind::Int(x) => self.text(x.to_string(), Role::Number),
            Kind::Fin(c, _) => self.text(c.to_string(), Role::Number),
            Kind::SizeVar(n) => self.text(n.as_str().to_owned(), Role::Size),
            Kind::Lam(..) => self.lam(term, known, known, descent),
            Kind::App => self.group(Indent::Nest(2), |e| e.spine(term, known, descent)),
            Kind::Let(hint) => self.group(Indent::Nest(0), |e| e.lets(term, hint, known, descent)),
            Kind::If => self.group(Indent::Align, |e| e.ifs(term, known, descent)),
            Kind::Build(n) => self.group(Indent::Nest(0), |e| e.looped(term, n, known, known, descent)),
            Kind::Ifold(n) => self.group(Indent::Nest(0), |e| e.looped(term, n, true, known, descent)),
            Kind::Array(_) => self.group(Indent::Nest(2), |e| e.array(term, known, descent)),
            Kind::Get => self.get(term, descent),
            Kind::Pair => self.group(Indent::Nest(2), |e| e.pair(term, known, descent)),
            Kind::Fst => self.call("fst", Role::Keyword, term, &[false], descent),
            Kind::Snd => self.call("snd", Role::Keyword, term, &[false], descent),
            Kind::Prim(p) => self.prim(*p, term, known, descent),
        }
    }

    fn variable(&mut self, term: &Term) {
        let index = term.free().next().map_or(0, |(index, _)| index);
        let name = self.names.of(index);
        self.text(name.shown().to_owned(), Role::Variable);
    }

    fn real(&mut self, x: f64) {
        if x.is_nan() {
            self.text("0 / 0", Role::Number);
        } else if x.is_infinite() {
            self.text(if x > 0.0 { "1 / 0" } else { "-1 / 0" }, Role::Number);
        } else {
            let text = format!("{x:?}");
            self.text(text.strip_suffix(".0").unwrap_or(&text).to_owned(), Role::Number);
        }
    }

    /// A function and its parameters; `first`: its parameter's type is known; `rest`: its result's type is.
    fn lam(&mut self, term: &Term, first: bool, rest: bool, descent: Descent) {
        let (mut here, mut descent) = (term.clone(), descent);
        let mut params: Vec<(Name, Option<Type>)> = Vec::new();
        let are_inputs = self.inputs.take_if(|inputs| inputs == term).is_some();
        while let Kind::Lam(hint, ty) = here.kind() {
            if !params.is_empty() && (descent.is_marked() || params.len() == MOST_PARAMS) {
                break;
            }
            let body = here.kid(0);
            let name = match are_inputs && self.names.can_be_input(hint, &body) {
                true => hint.clone(),
                false => self.names.choose(hint, ty, body.free_at(0).is_some()),
            };
            let known = if params.is_empty() { first } else { rest };
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
            e.text("fun", Role::Keyword);
            e.params(&params);
            e.text(" =>", Role::Keyword);
            e.line();
            e.term(&here, 0, rest, descent);
        });
        self.names.pop(params.len());
    }

    fn params(&mut self, params: &[(Name, Option<Type>)]) {
        let same = |a: &(Name, Option<Type>), b: &(Name, Option<Type>)| a.1.is_some() && a.1 == b.1;
        for (place, together) in params.chunk_by(same).enumerate() {
            self.group(Indent::Nest(4), |e| {
                if place == 0 {
                    e.text(" ", Role::Plain);
                } else {
                    e.line();
                }
                e.parenthesised(together[0].1.is_some(), |e| {
                    for (k, (name, _)) in together.iter().enumerate() {
                        if k > 0 {
                            e.text(" ", Role::Plain);
                        }
                        e.text(name.as_str().to_owned(), Role::Binder);
                    }
                    if let Some(ty) = &together[0].1 {
                        e.text(" : ", Role::Plain);
                        e.ty(ty, 0);
                    }
                });
            });
        }
    }

    /// A function as an argument whose parameter's type is known.
    fn function(&mut self, term: &Term, first: bool, rest: bool, descent: Descent) {
        if self.is_spent() || !matches!(term.kind(), Kind::Lam(..)) {
            return self.term(term, POSTFIX, rest, descent);
        }
        self.parenthesised(true, |e| e.marking(descent, |e| e.lam(term, first, rest, descent)));
    }

    /// `f a b`
    fn spine(&mut self, term: &Term, known: bool, descent: Descent) {
        let (function, argument) = (term.kid(0), term.kid(1));
        let inner = descent.below(term, 0);
        match function.kind() {
            Kind::Lam(..) => {
                let first = self.known.settles(&argument);
                self.function(&function, first, known, inner);
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
    fn lets(&mut self, term: &Term, hint: &Name, known: bool, descent: Descent) {
        let (value, body) = (term.kid(0), term.kid(1));
        let name = self.names.choose(hint, value.ty(), body.free_at(0).is_some());
        self.text("let ", Role::Keyword);
        self.text(name.as_str().to_owned(), Role::Binder);
        self.text(" :=", Role::Keyword);
        self.bound_value(&value, descent.below(term, 0));
        self.text(";", Role::Plain);
        self.line();
        self.names.push(name);
        self.end_of_let(&body, known, descent.below(term, 1));
        self.names.pop(1);
    }

    /// What a `let` ends with, which may be the next one.
    pub(super) fn end_of_let(&mut self, body: &Term, known: bool, descent: Descent) {
        match body.kind() {
            Kind::Let(next) if !descent.is_marked() && !self.is_spent() => {
                self.once(body, Form::Lets(known), descent, |e| {
                    e.marking(descent, |e| e.lets(body, next, known, descent));
                });
            }
            _ => self.term(body, 0, known, descent),
        }
    }

    fn bound_value(&mut self, value: &Term, descent: Descent) {
        let need = u8::from(matches!(value.kind(), Kind::Let(_)));
        if matches!(value.kind(), Kind::Lam(..) | Kind::Build(_) | Kind::Ifold(_)) {
            self.text(" ", Role::Plain);
            return self.term(value, need, false, descent);
        }
        self.group(Indent::Nest(2), |e| {
            e.line();
            e.term(value, need, false, descent);
        });
    }

    /// `if c then a else if d then b else e`
    fn ifs(&mut self, term: &Term, known: bool, descent: Descent) {
        let branches = self.known.among(&[term.kid(1), term.kid(2)], known);
        self.text("if ", Role::Keyword);
        self.term(&term.kid(0), 0, true, descent.below(term, 0));
        self.line();
        self.text("then ", Role::Keyword);
        self.term(&term.kid(1), 0, branches[0], descent.below(term, 1));
        self.line();
        self.text("else ", Role::Keyword);
        let (last, descent) = (term.kid(2), descent.below(term, 2));
        match last.kind() {
            Kind::If if !descent.is_marked() && !self.is_spent() => {
                self.marking(descent, |e| e.ifs(&last, branches[1], descent));
            }
            _ => self.term(&last, 0, branches[1], descent),
        }
    }

    /// `build n f` and `ifold n f z`; `rest`: the type of the function's result is known.
    fn looped(&mut self, term: &Term, size: &Size, rest: bool, known: bool, descent: Descent) {
        let word = term.kind().word().map_or("", |(word, _)| word);
        self.text(format!("{word} "), Role::Keyword);
        self.size(size);
        self.text(" ", Role::Plain);
        self.function(&term.kid(0), true, rest, descent.below(term, 0));
        if term.kid_count() == 2 {
            self.group(Indent::Nest(2), |e| {
                e.line();
                e.term(&term.kid(1), POSTFIX, known, descent.below(term, 1));
            });
        }
    }

    fn array(&mut self, term: &Term, known: bool, descent: Descent) {
        let kids = term.kids();
        let known = self.known.among(&kids, known);
        self.text("[", Role::Plain);
        for (k, kid) in kids.iter().enumerate() {
            if k > 0 {
                self.text(",", Role::Plain);
                self.line();
            }
            self.term(kid, 0, known[k], descent.below(term, k as u32));
        }
        self.text("]", Role::Plain);
    }

    fn get(&mut self, term: &Term, descent: Descent) {
        self.term(&term.kid(0), POSTFIX, false, descent.below(term, 0));
        self.text("[", Role::Plain);
        self.term(&term.kid(1), 0, true, descent.below(term, 1));
        self.text("]", Role::Plain);
    }

    /// `(a, b, c)`
    fn pair(&mut self, term: &Term, known: bool, descent: Descent) {
        self.text("(", Role::Plain);
        match self.is_spent() {
            true => self.term(term, 0, known, descent),
            false => self.elements(term, known, descent),
        }
        self.text(")", Role::Plain);
    }

    /// `a, b, c`
    fn elements(&mut self, term: &Term, known: bool, descent: Descent) {
        self.term(&term.kid(0), 0, known, descent.below(term, 0));
        self.text(",", Role::Plain);
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
    pub(super) fn call(&mut self, word: &'static str, role: Role, term: &Term, known: &[bool], descent: Descent) {
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
pub(super) fn strength(term: &Term) -> u8 {
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

impl From<Laid<Role>> for Piece {
    fn from(laid: Laid<Role>) -> Piece {
        Piece { text: laid.text, role: laid.with, marked: laid.marked }
    }
}
