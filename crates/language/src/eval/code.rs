//! Compiles terms to code that the machine runs: every size is a number, every λ that is applied on the spot a plain scope,
//! every other λ a closure with just the variables that it mentions. A variable is a distance from the top of the stack,
//! which is its de Bruijn index, so that equal terms share one piece of code wherever they stand.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::sizes::Sizes;
use super::value::Value;
use crate::term::{Kind, Prim, Size, Term, View};

/// A term made ready to run.
#[derive(Debug)]
pub(super) enum Code {
    Constant(Value),
    Var(u32),
    /// The variables that are captured, by index, innermost last; the body stands under them and its parameter.
    Closure(Box<[u32]>, Rc<Code>),
    Call(Rc<Code>, Rc<Code>),
    Let(Rc<Code>, Rc<Code>),
    /// An `if`, by its number.
    If(u32, Rc<Code>, Rc<Code>, Rc<Code>),
    /// A body under accumulator and index, and the start.
    Fold(u64, Rc<Code>, Rc<Code>),
    /// A function that is computed first, and the start.
    FoldBy(u64, Rc<Code>, Rc<Code>),
    /// A body under the index.
    Build(u64, Rc<Code>),
    /// A function that is computed first.
    BuildBy(u64, Rc<Code>),
    Array(Box<[Rc<Code>]>),
    Get(Rc<Code>, Rc<Code>),
    Pair(Rc<Code>, Rc<Code>),
    Fst(Rc<Code>),
    Snd(Rc<Code>),
    Unary(Prim, Rc<Code>),
    Binary(Prim, Rc<Code>, Rc<Code>),
    /// Code for many nodes: the machine asks now and then whether to go on.
    Asked(Rc<Code>),
}

/// Terms of more nodes than this, counted as a tree, become [`Code::Asked`].
const ASKED: u64 = 64;

/// Makes a term ready to run at these sizes, which must cover its open ones; and its `if`s by number.
pub(super) fn compile(term: &Term, sizes: &Sizes) -> (Rc<Code>, Vec<Term>) {
    let mut compiler = Compiler { sizes, memo: FxHashMap::default(), choices: Vec::new() };
    let code = compiler.go(term);
    (code, compiler.choices)
}

struct Compiler<'a> {
    sizes: &'a Sizes,
    memo: FxHashMap<Term, Rc<Code>>,
    choices: Vec<Term>,
}

impl Compiler<'_> {
    fn go(&mut self, term: &Term) -> Rc<Code> {
        if let Some(done) = self.memo.get(term) {
            return done.clone();
        }
        let mut done = Rc::new(self.make(term));
        if term.size() > ASKED {
            done = Rc::new(Code::Asked(done));
        }
        self.memo.insert(term.clone(), done.clone());
        done
    }

    fn size(&self, n: &Size) -> u64 {
        self.sizes.value(n)
    }

    fn make(&mut self, term: &Term) -> Code {
        match term.view() {
            View::Var(i) => Code::Var(i),
            View::Lam(_, _, body) => self.closure(term, &body),
            View::App(..) => self.call(term),
            View::Let(_, value, body) => Code::Let(self.go(&value), self.go(&body)),
            View::If(c, a, b) => {
                let number = self.choices.len() as u32;
                self.choices.push(term.clone());
                Code::If(number, self.go(&c), self.go(&a), self.go(&b))
            }
            View::Ifold(n, f, z) => self.fold(self.size(&n), &f, &z),
            View::Build(n, f) => match f.kind() {
                Kind::Lam(..) => Code::Build(self.size(&n), self.go(&f.kid(0))),
                _ => Code::BuildBy(self.size(&n), self.go(&f)),
            },
            View::Array(_, elements) => Code::Array(elements.iter().map(|e| self.go(e)).collect()),
            View::Get(a, i) => Code::Get(self.go(&a), self.go(&i)),
            View::Pair(a, b) => Code::Pair(self.go(&a), self.go(&b)),
            View::Fst(p) => Code::Fst(self.go(&p)),
            View::Snd(p) => Code::Snd(self.go(&p)),
            View::Real(x) => Code::Constant(Value::Real(x)),
            View::Int(x) => Code::Constant(Value::Int(x)),
            View::Fin(c, _) => Code::Constant(Value::Index(c)),
            View::SizeVar(n) => Code::Constant(Value::Int(self.size(&Size::var(&n)) as i64)),
            View::Prim(p, operands) => match &operands[..] {
                [a] => Code::Unary(p, self.go(a)),
                [a, b] => Code::Binary(p, self.go(a), self.go(b)),
                _ => unreachable!("primitives take one or two operands"),
            },
        }
    }

    fn fold(&mut self, n: u64, f: &Term, z: &Term) -> Code {
        if let Kind::Lam(..) = f.kind() {
            let inner = f.kid(0);
            if let Kind::Lam(..) = inner.kind() {
                return Code::Fold(n, self.go(&inner.kid(0)), self.go(z));
            }
        }
        Code::FoldBy(n, self.go(f), self.go(z))
    }

    fn closure(&mut self, term: &Term, body: &Term) -> Code {
        let mut captured: Vec<u32> = term.free().map(|(index, _)| index).collect();
        // Outermost first: that is the order in which a call puts them on the stack.
        captured.sort_unstable_by(|a, b| b.cmp(a));
        let place = |outer: u32| captured.iter().rev().position(|c| *c == outer).map_or(0, |p| p as u32 + 1);
        let compact = body.rename(|i| if i == 0 { 0 } else { place(i - 1) });
        Code::Closure(captured.into_boxed_slice(), self.go(&compact))
    }

    /// `(fun x y => e) a b` runs as `let x := a; let y := b; e`.
    fn call(&mut self, term: &Term) -> Code {
        let mut head = term.clone();
        let mut arguments = Vec::new();
        while let View::App(function, argument) = head.view() {
            head = function;
            arguments.push(argument);
        }
        let (function, argument) = (term.kid(0), term.kid(1));
        let mut scope = 0;
        let mut values = Vec::new();
        while scope < arguments.len()
            && let Kind::Lam(..) = head.kind()
        {
            // Each argument is run in the scope of those before it, which it doesn't mention.
            let value = &arguments[arguments.len() - 1 - scope];
            values.push(self.go(&value.shift(scope as u32)));
            head = head.kid(0);
            scope += 1;
        }
        if scope < arguments.len() {
            return Code::Call(self.go(&function), self.go(&argument));
        }
        let body = self.go(&head);
        let last = values.pop();
        let Some(last) = last else { return Code::Call(self.go(&function), self.go(&argument)) };
        let mut code = Code::Let(last, body);
        while let Some(value) = values.pop() {
            code = Code::Let(value, Rc::new(code));
        }
        code
    }
}
