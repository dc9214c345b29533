//! Compiles terms to code that the machine runs: every size is a number, every λ that is applied on the spot a plain scope,
//! every other λ a closure with just the variables that it mentions. A variable is a distance from the top of the stack,
//! which is its de Bruijn index, so that equal terms share one piece of code wherever they stand.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::sizes::Sizes;
use super::value::Value;
use crate::term::{Kind, Prim, Size, Term, Type, TypeView, View};

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
    /// A scan, from the last index where that is said, of a body under state and index, and the start.
    Scan(u64, bool, Rc<EvalCode>, Rc<EvalCode>),
    /// One of a function that is computed first.
    ScanBy(u64, bool, Rc<EvalCode>, Rc<EvalCode>),
    /// Zeros to which a body under the index adds what it gives, where it says, so often.
    Scatter(u64, Rc<EvalCode>, Rc<EvalCode>),
    /// A body under the index.
    Build(u64, Rc<EvalCode>),
    /// A function that is computed first.
    BuildBy(u64, Rc<EvalCode>),
    Array(Box<[Rc<EvalCode>]>),
    Get(Rc<EvalCode>, Rc<EvalCode>),
    /// An index by its number.
    Within(Rc<EvalCode>),
    /// A size, a number, the branch under the index that it is where it is below the size, and the other.
    Guard(u64, Rc<EvalCode>, Rc<EvalCode>, Rc<EvalCode>),
    Pair(Rc<EvalCode>, Rc<EvalCode>),
    Fst(Rc<EvalCode>),
    Snd(Rc<EvalCode>),
    Unary(Prim, Rc<EvalCode>),
    Binary(Prim, Rc<EvalCode>, Rc<EvalCode>),
    /// Code for many nodes: the machine asks now and then whether to go on.
    Asked(Rc<EvalCode>),
    /// Code for a node below, with the way to it, by its number.
    Placed(u32, Rc<EvalCode>),
}

/// Terms of more nodes than this, counted as a tree, become [`EvalCode::Asked`].
const MAX_UNASKED_NODES: u64 = 64;

/// Makes a term ready to run at these sizes, which must cover its open ones; and its `if`s by number.
pub(super) fn compile(term: &Term, sizes: &Sizes) -> (Rc<EvalCode>, Vec<Term>) {
    let (code, compiler) = compiled(term, sizes, None);
    (code, compiler.choices)
}

/// The same, in a form that says where in the term it is; and the ways between nodes by number.
pub(super) fn compile_placed(term: &Term, sizes: &Sizes) -> (Rc<EvalCode>, Vec<Box<[u32]>>) {
    let (code, compiler) = compiled(term, sizes, Some(FxHashMap::default()));
    let mut ways: Vec<(Box<[u32]>, u32)> = compiler.ways.unwrap_or_default().into_iter().collect();
    ways.sort_unstable_by_key(|(_, number)| *number);
    (code, ways.into_iter().map(|(way, _)| way).collect())
}

fn compiled<'a>(term: &Term, sizes: &'a Sizes, ways: Option<Ways>) -> (Rc<EvalCode>, EvalCompiler<'a>) {
    let mut compiler = EvalCompiler { sizes, memo: FxHashMap::default(), choices: Vec::new(), ways };
    (compiler.go(term), compiler)
}

/// Ways from nodes to nodes below, each with its number.
type Ways = FxHashMap<Box<[u32]>, u32>;

struct EvalCompiler<'a> {
    sizes: &'a Sizes,
    memo: FxHashMap<Term, Rc<EvalCode>>,
    choices: Vec<Term>,
    /// Those that were met, where the code is to say where it is.
    ways: Option<Ways>,
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

    /// Of a term below, to which this way leads.
    fn below(&mut self, kid: &Term, way: &[u32]) -> Rc<EvalCode> {
        let code = self.go(kid);
        let Some(ways) = self.ways.as_mut().filter(|_| kid.kid_count() > 0) else { return code };
        let next = ways.len() as u32;
        Rc::new(EvalCode::Placed(*ways.entry(way.into()).or_insert(next), code))
    }

    fn size(&self, n: &Size) -> u64 {
        self.sizes.value(n)
    }

    fn make(&mut self, term: &Term) -> EvalCode {
        match term.view() {
            View::Var(i) => EvalCode::Var(i),
            View::Lam(_, _, body) => self.closure(term, &body),
            View::App(..) => self.call(term),
            View::Let(_, value, body) => EvalCode::Let(self.below(&value, &[0]), self.below(&body, &[1])),
            View::If(c, a, b) => {
                let number = self.choices.len() as u32;
                self.choices.push(term.clone());
                EvalCode::If(number, self.below(&c, &[0]), self.below(&a, &[1]), self.below(&b, &[2]))
            }
            View::Ifold(n, f, z) => {
                let (body, start) = (self.step(&f), self.below(&z, &[1]));
                match body {
                    Ok(body) => EvalCode::Fold(self.size(&n), body, start),
                    Err(f) => EvalCode::FoldBy(self.size(&n), f, start),
                }
            }
            View::Scan(n, f, z) => self.scan(&n, false, &f, &z),
            View::Scanr(n, f, z) => self.scan(&n, true, &f, &z),
            View::Build(n, f) => match f.kind() {
                Kind::Lam(..) => EvalCode::Build(self.size(&n), self.below(&f.kid(0), &[0, 0])),
                _ => EvalCode::BuildBy(self.size(&n), self.below(&f, &[0])),
            },
            View::Scatter(rounds, _, f) => self.scatter(term, &rounds, &f),
            View::Pull(..) | View::Plus(..) => self.meaning(term),
            View::Array(_, elements) => {
                EvalCode::Array(elements.iter().zip(0..).map(|(e, k)| self.below(e, &[k])).collect())
            }
            View::Get(a, i) => EvalCode::Get(self.below(&a, &[0]), self.below(&i, &[1])),
            View::Within(_, number) => EvalCode::Within(self.below(&number, &[0])),
            View::Guard(_, n, number, inside, other) => {
                let (number, inside) = (self.below(&number, &[0]), self.below(&inside, &[1]));
                EvalCode::Guard(self.size(&n), number, inside, self.below(&other, &[2]))
            }
            View::Pair(a, b) => EvalCode::Pair(self.below(&a, &[0]), self.below(&b, &[1])),
            View::Fst(p) => EvalCode::Fst(self.below(&p, &[0])),
            View::Snd(p) => EvalCode::Snd(self.below(&p, &[0])),
            View::Real(x) => EvalCode::Constant(Value::Real(x)),
            View::Int(x) => EvalCode::Constant(Value::Int(x)),
            View::Fin(c, _) => EvalCode::Constant(Value::Index(c)),
            View::SizeVar(n) => EvalCode::Constant(Value::Int(self.size(&Size::var(&n)) as i64)),
            View::Prim(p, operands) => match &operands[..] {
                [a] => EvalCode::Unary(p, self.below(a, &[0])),
                [a, b] => EvalCode::Binary(p, self.below(a, &[0]), self.below(b, &[1])),
                _ => unreachable!("primitives take one or two operands"),
            },
        }
    }

    fn scan(&mut self, n: &Size, is_reversed: bool, f: &Term, z: &Term) -> EvalCode {
        let (body, start) = (self.step(f), self.below(z, &[1]));
        match body {
            Ok(body) => EvalCode::Scan(self.size(n), is_reversed, body, start),
            Err(f) => EvalCode::ScanBy(self.size(n), is_reversed, f, start),
        }
    }

    fn scatter(&mut self, term: &Term, rounds: &Size, f: &Term) -> EvalCode {
        let (rounds, zeros) = (self.size(rounds), self.zeros(term.ty()));
        if let Kind::Lam(..) = f.kind() {
            return EvalCode::Scatter(rounds, zeros, self.below(&f.kid(0), &[0, 0]));
        }
        // A function that is computed first stands below the index.
        let step = EvalCode::Call(Rc::new(EvalCode::Var(1)), Rc::new(EvalCode::Var(0)));
        EvalCode::Let(self.below(f, &[0]), Rc::new(EvalCode::Scatter(rounds, zeros, Rc::new(step))))
    }

    /// Of a notation that stands for another term: what is asked of its parts isn't told by their places.
    fn meaning(&mut self, term: &Term) -> EvalCode {
        let ways = self.ways.take();
        let code = self.make(&term.meaning());
        self.ways = ways;
        code
    }

    /// Zeros of a type that is made of reals.
    fn zeros(&self, ty: &Type) -> Rc<EvalCode> {
        Rc::new(match ty.view() {
            TypeView::Array(n, element) => EvalCode::Build(self.size(n), self.zeros(element)),
            TypeView::Pair(a, b) => EvalCode::Pair(self.zeros(a), self.zeros(b)),
            _ => EvalCode::Constant(Value::Real(0.0)),
        })
    }

    /// The body of a loop's step under its two variables; or the step, where it must be computed first.
    fn step(&mut self, f: &Term) -> Result<Rc<EvalCode>, Rc<EvalCode>> {
        if let Kind::Lam(..) = f.kind() {
            let inner = f.kid(0);
            if let Kind::Lam(..) = inner.kind() {
                return Ok(self.below(&inner.kid(0), &[0, 0, 0]));
            }
        }
        Err(self.below(f, &[0]))
    }

    fn closure(&mut self, term: &Term, body: &Term) -> EvalCode {
        let mut captured: Vec<u32> = term.free().map(|(index, _)| index).collect();
        // Outermost first: that is the order in which a call puts them on the stack.
        captured.sort_unstable_by(|a, b| b.cmp(a));
        let place = |outer: u32| captured.iter().rev().position(|c| *c == outer).map_or(0, |p| p as u32 + 1);
        let compact = body.rename(|i| if i == 0 { 0 } else { place(i - 1) });
        EvalCode::Closure(captured.into_boxed_slice(), self.below(&compact, &[0]))
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
            let way: Vec<u32> = (1..arguments.len() - scope).map(|_| 0).chain([1]).collect();
            values.push(self.below(&value.shift(scope as u32), &way));
            head = head.kid(0);
            scope += 1;
        }
        if scope < arguments.len() {
            return EvalCode::Call(self.below(&function, &[0]), self.below(&argument, &[1]));
        }
        let body = self.below(&head, &vec![0; 2 * scope]);
        let Some(last) = values.pop() else {
            return EvalCode::Call(self.below(&function, &[0]), self.below(&argument, &[1]));
        };
        let mut code = EvalCode::Let(last, body);
        while let Some(value) = values.pop() {
            code = EvalCode::Let(value, Rc::new(code));
        }
        code
    }
}
