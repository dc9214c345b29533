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
pub(super) enum EvalCode {
    Constant(Value),
    Var(u32),
    /// The variables that are captured, by index, innermost last; the body stands under them and its parameter.
    Closure(Box<[u32]>, Rc<EvalCode>),
    Call(Rc<EvalCode>, Rc<EvalCode>),
    Let(Rc<EvalCode>, Rc<EvalCode>),
    /// An `if`, by its number.
    If(u32, Rc<EvalCode>, Rc<EvalCode>, Rc<EvalCode>),
    /// A body under accumulator and index, and the start.
    Fold(u64, Rc<EvalCode>, Rc<EvalCode>),
    /// A function that is computed first, and the start.
    FoldBy(u64, Rc<EvalCode>, Rc<EvalCode>),
    /// A body under the index.
    Build(u64, Rc<EvalCode>),
    /// A function that is computed first.
    BuildBy(u64, Rc<EvalCode>),
    Array(Box<[Rc<EvalCode>]>),
    Get(Rc<EvalCode>, Rc<EvalCode>),
    Pair(Rc<EvalCode>, Rc<EvalCode>),
    Fst(Rc<EvalCode>),
    Snd(Rc<EvalCode>),
    Unary(Prim, Rc<EvalCode>),
    Binary(Prim, Rc<EvalCode>, Rc<EvalCode>),
    /// Code for many nodes: the machine asks now and then whether to go on.
    Asked(Rc<EvalCode>),
}

/// Terms of more nodes than this, counted as a tree, become [`EvalCode::Asked`].
const MAX_UNASKED_NODES: u64 = 64;

/// Makes a term ready to run at these sizes, which must cover its open ones; and its `if`s by number.
pub(super) fn compile(term: &Term, sizes: &Sizes) -> (Rc<EvalCode>, Vec<Term>) {
    let mut compiler = EvalCompiler { sizes, memo: FxHashMap::default(), choices: Vec::new() };
    let code = compiler.go(term);
    (code, compiler.choices)
}

struct EvalCompiler<'a> {
    sizes: &'a Sizes,
    memo: FxHashMap<Term, Rc<EvalCode>>,
    choices: Vec<Term>,
}

impl EvalCompiler<'_> {
    fn go(&mut self, term: &Term) -> Rc<EvalCode> {
        if let Some(done) = self.memo.get(term) {
            return done.clone();
        }
        let mut done = Rc::new(self.make(term));
        if term.size() > MAX_UNASKED_NODES {
            done = Rc::new(EvalCode::Asked(done));
        }
        self.memo.insert(term.clone(), done.clone());
        done
    }

    fn size(&self, n: &Size) -> u64 {
        self.sizes.value(n)
    }

    fn make(&mut self, term: &Term) -> EvalCode {
        match term.view() {
            View::Var(i) => EvalCode::Var(i),
            View::Lam(_, _, body) => self.closure(term, &body),
            View::App(..) => self.call(term),
            View::Let(_, value, body) => EvalCode::Let(self.go(&value), self.go(&body)),
            View::If(c, a, b) => {
                let number = self.choices.len() as u32;
                self.choices.push(term.clone());
                EvalCode::If(number, self.go(&c), self.go(&a), self.go(&b))
            }
            View::Ifold(n, f, z) => self.fold(self.size(&n), &f, &z),
            View::Build(n, f) => match f.kind() {
                Kind::Lam(..) => EvalCode::Build(self.size(&n), self.go(&f.kid(0))),
                _ => EvalCode::BuildBy(self.size(&n), self.go(&f)),
            },
            View::Array(_, elements) => EvalCode::Array(elements.iter().map(|e| self.go(e)).collect()),
            View::Get(a, i) => EvalCode::Get(self.go(&a), self.go(&i)),
            View::Pair(a, b) => EvalCode::Pair(self.go(&a), self.go(&b)),
            View::Fst(p) => EvalCode::Fst(self.go(&p)),
            View::Snd(p) => EvalCode::Snd(self.go(&p)),
            View::Real(x) => EvalCode::Constant(Value::Real(x)),
            View::Int(x) => EvalCode::Constant(Value::Int(x)),
            View::Fin(c, _) => EvalCode::Constant(Value::Index(c)),
            View::SizeVar(n) => EvalCode::Constant(Value::Int(self.size(&Size::var(&n)) as i64)),
            View::Prim(p, operands) => match &operands[..] {
                [a] => EvalCode::Unary(p, self.go(a)),
                [a, b] => EvalCode::Binary(p, self.go(a), self.go(b)),
                _ => unreachable!("primitives take one or two operands"),
            },
        }
    }

    fn fold(&mut self, n: u64, f: &Term, z: &Term) -> EvalCode {
        if let Kind::Lam(..) = f.kind() {
            let inner = f.kid(0);
            if let Kind::Lam(..) = inner.kind() {
                return EvalCode::Fold(n, self.go(&inner.kid(0)), self.go(z));
            }
        }
        EvalCode::FoldBy(n, self.go(f), self.go(z))
    }

    fn closure(&mut self, term: &Term, body: &Term) -> EvalCode {
        let mut captured: Vec<u32> = term.free().map(|(index, _)| index).collect();
        // Outermost first: that is the order in which a call puts them on the stack.
        captured.sort_unstable_by(|a, b| b.cmp(a));
        let place = |outer: u32| captured.iter().rev().position(|c| *c == outer).map_or(0, |p| p as u32 + 1);
        let compact = body.rename(|i| if i == 0 { 0 } else { place(i - 1) });
        EvalCode::Closure(captured.into_boxed_slice(), self.go(&compact))
    }

    /// `(fun x y => e) a b` runs as `let x := a; let y := b; e`.
    fn call(&mut self, term: &Term) -> EvalCode {
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
            return EvalCode::Call(self.go(&function), self.go(&argument));
        }
        let body = self.go(&head);
        let last = values.pop();
        let Some(last) = last else { return EvalCode::Call(self.go(&function), self.go(&argument)) };
        let mut code = EvalCode::Let(last, body);
        while let Some(value) = values.pop() {
            code = EvalCode::Let(value, Rc::new(code));
        }
        code
    }
}
