//! Bidirectional inference over one definition, term or law: raw tree in, typed tree out.
//!
//! Every expression is checked against an expected type, which may be an unknown. What types don't decide yet is put
//! off (`pending`) and settled at the end; a numeral that nothing decides is a real.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::diagnose;
use super::model::{Definition, Entry, Scope};
use super::pending::{Fate, Operand, Pending, Want};
use super::tree::{Numeral, Tree, TreeKind};
use super::unify::{Clash, Solver};
use crate::ground::{Budget, Code, Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{RawParam, RawTerm, RawTermKind};
use crate::term::{Assignment, Atom, Bounds, Prim, Size, Type, TypeView};

/// What is checked, and so what a free name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A definition: every size is declared.
    Definition,
    /// `term("…")`: a size name that nothing binds is an open size.
    Term,
    /// A rule: sizes and types are pattern variables; undecided numbers default to real or to int.
    Rule { int: bool },
}

impl Mode {
    pub(super) fn sizes_are_open(self) -> bool {
        self != Mode::Definition
    }
}

/// Why a type is expected.
#[derive(Clone, Debug)]
pub(super) struct Why {
    because: Option<(Span, String)>,
    code: Code,
}

impl Why {
    pub(super) const NONE: Why = Why { because: None, code: code::MISMATCH };
    pub(super) fn new(span: Span, message: impl Into<String>) -> Why {
        Why { because: Some((span, message.into())), code: code::MISMATCH }
    }
    pub(super) fn want(&self, span: Span) -> Want {
        Want { span, because: self.because.clone(), code: self.code }
    }
}

pub(super) struct Local {
    pub(super) name: Name,
    pub(super) ty: Type,
    /// In a rule: the names of the arguments of a pattern variable such as `e(a, i)`.
    pub(super) arguments: Vec<Name>,
}

/// The state of one inference.
pub(super) struct Infer<'a> {
    pub(super) solver: Solver,
    pub(super) pending: Vec<Pending>,
    pub(super) mode: Mode,
    pub(super) bounds: Bounds,
    pub(super) sizes: HashSet<Name>,
    pub(super) types: HashSet<Name>,
    pub(super) locals: Vec<Local>,
    by_name: HashMap<Name, Vec<usize>>,
    pub(super) scope: &'a Scope,
    pub(super) budget: &'a Budget,
    /// A number's type was decided by default.
    pub(super) defaulted: bool,
}

impl<'a> Infer<'a> {
    pub(super) fn new(scope: &'a Scope, mode: Mode, budget: &'a Budget) -> Infer<'a> {
        Infer {
            solver: Solver::default(),
            pending: Vec::new(),
            mode,
            bounds: Bounds::default(),
            sizes: HashSet::new(),
            types: HashSet::new(),
            locals: Vec::new(),
            by_name: HashMap::new(),
            scope,
            budget,
            defaulted: false,
        }
    }

    /// Brings a variable into scope; every `push` has its `pop`.
    pub(super) fn push(&mut self, name: &Name, ty: &Type) -> usize {
        let level = self.locals.len();
        self.locals.push(Local { name: name.clone(), ty: ty.clone(), arguments: Vec::new() });
        self.by_name.entry(name.clone()).or_default().push(level);
        level
    }

    pub(super) fn pop(&mut self) {
        if let Some(local) = self.locals.pop()
            && let Some(levels) = self.by_name.get_mut(&local.name)
        {
            levels.pop();
        }
    }

    /// The type as far as it is known, for a message.
    pub(super) fn shown(&self, ty: &Type) -> String {
        self.solver.now(ty).map_or_else(|_| ty.to_string(), |t| t.to_string())
    }

    pub(super) fn default_number(&mut self) -> Type {
        self.defaulted = true;
        if self.mode == (Mode::Rule { int: true }) { Type::int() } else { Type::real() }
    }

    /// Makes two types equal; equations between sizes that wait are kept.
    pub(super) fn same(&mut self, expected: &Type, found: &Type, want: &Want) -> Result<(), Diagnostic> {
        let mut waiting = Vec::new();
        let result = self.solver.unify(expected, found, &mut waiting);
        self.pending.extend(waiting.into_iter().map(|(a, b)| Pending::Sizes(a, b, want.clone())));
        result.map_err(|clash: Clash| diagnose::types(&self.solver, expected, found, &clash, want))
    }

    /// Settles a constraint now or puts it off.
    pub(super) fn put(&mut self, p: Pending) -> Result<(), Diagnostic> {
        if self.attempt(&p, false)? == Fate::Wait {
            self.pending.push(p);
        }
        Ok(())
    }

    /// Checks a term whose type nothing says.
    pub(super) fn infer(&mut self, raw: &RawTerm) -> Result<Tree, Trouble> {
        let ty = self.solver.fresh();
        self.check(raw, &ty, &Why::NONE)
    }

    /// Checks a term against a type.
    pub(super) fn check(&mut self, raw: &RawTerm, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        self.budget.tick()?;
        match &raw.kind {
            RawTermKind::Name(name) => self.name(name, raw.span, expected, why),
            RawTermKind::Number(text) => self.number(text, false, raw.span, expected),
            RawTermKind::Head(_) | RawTermKind::App(..) => self.application(raw, expected, why),
            RawTermKind::Binary(op, _, l, r) => self.binary(*op, raw.span, l, r, expected, why),
            RawTermKind::Unary(op, e) => self.unary(*op, raw.span, e, expected, why),
            RawTermKind::Fun(params, body) => self.function(params, body, raw.span, expected, why),
            RawTermKind::Let(param, value, body) => self.let_in(param, value, body, raw.span, expected, why),
            RawTermKind::If(c, a, b) => self.if_else(raw.span, [c, a, b], expected, why),
            RawTermKind::Array(elements) => self.array(elements, raw.span, expected, why),
            RawTermKind::Get(a, i) => self.get(a, i, raw.span, expected, why),
            RawTermKind::Pair(a, b) => self.pair(a, b, raw.span, expected, why),
            RawTermKind::Project(first, p) => {
                let pair = self.infer(p)?;
                self.project(*first, pair, raw.span, expected, why)
            }
            RawTermKind::Ascribe(e, ty) => self.ascribe(e, ty, raw.span, expected, why),
            RawTermKind::D(e) => self.derivative(e, raw.span, expected),
            RawTermKind::Pattern(name, arguments) => self.pattern(name, arguments, raw.span, expected, why),
            RawTermKind::Hole => Err(Diagnostic::error(code::SYNTAX, "`_` is no term")
                .at(raw.span, "a term is needed here")
                .help("write a term; `_` stands for sizes and unused binders")
                .into()),
        }
    }

    pub(super) fn tree(&self, kind: TreeKind, ty: &Type, span: Span) -> Tree {
        Tree { kind, ty: ty.clone(), span }
    }

    /// A tree of a known type where another is expected.
    pub(super) fn found(
        &mut self,
        kind: TreeKind,
        ty: &Type,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        self.same(expected, ty, &why.want(span))?;
        Ok(self.tree(kind, ty, span))
    }

    pub(super) fn local(&self, name: &Name) -> Option<usize> {
        self.by_name.get(name).and_then(|levels| levels.last().copied())
    }

    fn name(&mut self, name: &Name, span: Span, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        if let Some(level) = self.local(name) {
            if !self.locals[level].arguments.is_empty() {
                return self.bare_pattern(level, span, expected, why);
            }
            let ty = self.locals[level].ty.clone();
            return self.found(TreeKind::Local(level), &ty, span, expected, why);
        }
        if self.sizes.contains(name) {
            return self.found(TreeKind::Size(Size::var(name)), &Type::int(), span, expected, why);
        }
        match self.scope.find(name) {
            Some(Entry::Known(def)) => {
                let (kind, ty) = self.instantiate(&def, span)?;
                self.found(kind, &ty, span, expected, why)
            }
            Some(Entry::Broken) => Err(Trouble::Wrong(Vec::new())),
            None if self.mode == Mode::Term && !self.near_something(name) => {
                self.sizes.insert(name.clone());
                self.found(TreeKind::Size(Size::var(name)), &Type::int(), span, expected, why)
            }
            None => Err(self.unknown_name(name, span).into()),
        }
    }

    /// In `term(…)`, a name of some length that is nearly a known one is a slip, not an open size.
    fn near_something(&self, name: &Name) -> bool {
        let known = self.scope.names().into_iter().chain(self.locals.iter().map(|l| l.name.clone()));
        let long: Vec<Name> = known.filter(|n| n.as_str().len() > 2).collect();
        name.as_str().len() > 2 && crate::ground::name::nearest(name.as_str(), long.iter().map(Name::as_str)).is_some()
    }

    pub(super) fn unknown_name(&self, name: &Name, span: Span) -> Diagnostic {
        if self.scope.current.as_ref() == Some(name) {
            return Diagnostic::error(code::RECURSION, format!("`{name}` uses itself"))
                .at(span, "a definition can't be recursive")
                .help("use `ifold` to repeat something");
        }
        if self.scope.later.contains(name) {
            return Diagnostic::error(code::UNKNOWN_NAME, format!("`{name}` is defined further down"))
                .at(span, "not known yet")
                .help(format!("move the definition of `{name}` above this one"));
        }
        let names = self.scope.names();
        let known = names.iter().chain(self.locals.iter().map(|l| &l.name)).chain(self.sizes.iter()).map(Name::as_str);
        diagnose::unknown(code::UNKNOWN_NAME, "name", name.as_str(), span, known)
    }

    /// A definition at fresh sizes and types.
    fn instantiate(&mut self, def: &Rc<Definition>, span: Span) -> Result<(TreeKind, Type), Diagnostic> {
        let sizes: Vec<Size> = def.sizes.iter().map(|_| self.solver.fresh_size()).collect();
        let types: Vec<Type> = def.types.iter().map(|_| self.solver.fresh()).collect();
        let by = Instance { def, sizes: &sizes, types: &types };
        let ty = def.ty.assign(&by, &mut Default::default()).map_err(|_| diagnose::too_large(span))?;
        for (size, (name, lower)) in sizes.iter().zip(&def.sizes) {
            if *lower > 0 {
                let what = format!("`{}` is defined for {{{name} >= {lower}}} and", def.name);
                self.pending.push(Pending::Bound(size.clone(), *lower, span, what));
            }
        }
        Ok((TreeKind::Global(def.clone(), sizes, types), ty))
    }

    pub(super) fn number(&mut self, text: &Name, negative: bool, span: Span, expected: &Type) -> Result<Tree, Trouble> {
        if text.as_str().parse::<f64>().is_ok_and(f64::is_infinite) {
            return Err(diagnose::bad_number(span, "larger than every double").into());
        }
        self.put(Pending::Number(expected.clone(), span, text.clone(), negative))?;
        let numeral = Numeral { text: text.clone(), negative, bare: true };
        Ok(self.tree(TreeKind::Number(numeral), expected, span))
    }

    pub(super) fn operand(&self, tree: &Tree) -> Operand {
        let bare = match &tree.kind {
            TreeKind::Number(n) if tree.is_bare_number() => n.text.as_str().parse().ok(),
            _ => None,
        };
        Operand { ty: tree.ty.clone(), span: tree.span, bare }
    }

    fn binary(
        &mut self,
        op: Prim,
        span: Span,
        l: &RawTerm,
        r: &RawTerm,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        if matches!(op, Prim::And | Prim::Or) {
            let because = Why::new(span, format!("`{}` works on `int`", op.text()));
            let l = self.check(l, &Type::int(), &because)?;
            let r = self.check(r, &Type::int(), &because)?;
            return self.found(TreeKind::Prim(op, vec![l, r]), &Type::int(), span, expected, why);
        }
        let (l, r) = (self.infer(l)?, self.infer(r)?);
        let (left, right) = (self.operand(&l), self.operand(&r));
        let kind = TreeKind::Prim(op, vec![l, r]);
        if matches!(op, Prim::Add | Prim::Sub | Prim::Mul | Prim::Div) {
            let result = self.solver.fresh();
            self.put(Pending::Arith(op, span, left, right, result.clone()))?;
            return self.found(kind, &result, span, expected, why);
        }
        self.put(Pending::Compare(op, span, left, right))?;
        self.found(kind, &Type::int(), span, expected, why)
    }

    fn unary(&mut self, op: Prim, span: Span, e: &RawTerm, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        if op == Prim::Not {
            let e = self.check(e, &Type::int(), &Why::new(span, "`not` works on `int`"))?;
            return self.found(TreeKind::Prim(op, vec![e]), &Type::int(), span, expected, why);
        }
        if let RawTermKind::Number(text) = &e.kind
            && (e.span.end - e.span.start) as usize == text.as_str().len()
        {
            return self.number(text, true, span, expected);
        }
        let e = self.infer(e)?;
        let operand = self.operand(&e);
        let result = self.solver.fresh();
        self.put(Pending::Minus(span, operand, result.clone()))?;
        self.found(TreeKind::Prim(op, vec![e]), &result, span, expected, why)
    }

    fn function(
        &mut self,
        params: &[RawParam],
        body: &RawTerm,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        let mut target = expected.clone();
        let mut types = Vec::with_capacity(params.len());
        for p in params {
            let (from, to) = match self.solver.head(&target).view() {
                TypeView::Fun(from, to) => (from.clone(), to.clone()),
                _ => {
                    let (from, to) = (self.solver.fresh(), self.solver.fresh());
                    self.same(&target, &Type::fun(from.clone(), to.clone()), &why.want(span))?;
                    (from, to)
                }
            };
            if let Some(written) = &p.ty {
                let written_type = self.raw_type(written)?;
                self.same(&from, &written_type, &why.want(written.span))?;
            }
            self.push(&p.name.name, &from);
            types.push(from);
            target = to;
        }
        let mut tree = self.check(body, &target, why)?;
        for (p, from) in params.iter().zip(types).rev() {
            self.pop();
            let ty = Type::fun(from.clone(), tree.ty.clone());
            tree = self.tree(TreeKind::Lam(p.name.name.clone(), from, Box::new(tree)), &ty, span);
        }
        Ok(tree)
    }

    fn let_in(
        &mut self,
        param: &RawParam,
        value: &RawTerm,
        body: &RawTerm,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        let (ty, because) = match &param.ty {
            Some(written) => (self.raw_type(written)?, Why::new(written.span, "the type that is written here")),
            None => (self.solver.fresh(), Why::NONE),
        };
        let value = self.check(value, &ty, &because)?;
        let name = &param.name.name;
        self.push(name, &ty);
        let body = self.check(body, expected, why)?;
        self.pop();
        let ty = body.ty.clone();
        Ok(self.tree(TreeKind::Let(name.clone(), Box::new(value), Box::new(body)), &ty, span))
    }

    fn if_else(&mut self, span: Span, [c, a, b]: [&RawTerm; 3], expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        let c = self.check(c, &Type::int(), &Why::new(span, "a condition is an `int`: nonzero is true"))?;
        let a_span = a.span;
        let a = self.check(a, expected, why)?;
        let because = if why.because.is_some() { why.clone() } else { Why::new(a_span, "both branches have one type") };
        let b = self.check(b, expected, &because)?;
        let ty = a.ty.clone();
        Ok(self.tree(TreeKind::If(Box::new(c), Box::new(a), Box::new(b)), &ty, span))
    }

    fn array(&mut self, elements: &[RawTerm], span: Span, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        let element = self.solver.fresh();
        let ty = Type::array(Size::literal(elements.len() as u64), element.clone());
        self.same(expected, &ty, &why.want(span))?;
        let because = elements.first().map_or(Why::NONE, |e| Why::new(e.span, "all elements have one type"));
        let mut trees = Vec::with_capacity(elements.len());
        for e in elements {
            trees.push(self.check(e, &element, &because)?);
        }
        Ok(self.tree(TreeKind::Array(element, trees), &ty, span))
    }

    fn get(&mut self, a: &RawTerm, i: &RawTerm, span: Span, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        let a = self.infer(a)?;
        let (n, element) = match self.solver.head(&a.ty).view() {
            TypeView::Array(n, element) => (n.clone(), element.clone()),
            TypeView::Unknown(_) => {
                let (n, element) = (self.solver.fresh_size(), self.solver.fresh());
                self.same(&a.ty, &Type::array(n.clone(), element.clone()), &Want::at(a.span))?;
                (n, element)
            }
            _ => {
                let ty = self.shown(&a.ty);
                return Err(Diagnostic::error(code::NOT_A_CONTAINER, format!("only arrays have elements, not `{ty}`"))
                    .at(a.span, format!("has type `{ty}`"))
                    .help("apply a function with a space, `f [x]`, or index an array")
                    .into());
            }
        };
        let i = self.infer(i)?;
        let size = self.solver.size_now(&n).unwrap_or_else(|_| n.clone());
        let want =
            Want { code: code::OUT_OF_RANGE, ..Want::at(i.span) }.because(a.span, format!("is an array of {size}"));
        self.same(&Type::fin(n), &i.ty, &want)?;
        self.found(TreeKind::Get(Box::new(a), Box::new(i)), &element, span, expected, why)
    }

    fn pair(&mut self, a: &RawTerm, b: &RawTerm, span: Span, expected: &Type, why: &Why) -> Result<Tree, Trouble> {
        let (x, y) = match self.solver.head(expected).view() {
            TypeView::Pair(x, y) => (x.clone(), y.clone()),
            _ => (self.solver.fresh(), self.solver.fresh()),
        };
        let ty = Type::pair(x.clone(), y.clone());
        self.same(expected, &ty, &why.want(span))?;
        let a = self.check(a, &x, why)?;
        let b = self.check(b, &y, why)?;
        Ok(self.tree(TreeKind::Pair(Box::new(a), Box::new(b)), &ty, span))
    }

    pub(super) fn project(
        &mut self,
        first: bool,
        pair: Tree,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        let (x, y) = match self.solver.head(&pair.ty).view() {
            TypeView::Pair(x, y) => (x.clone(), y.clone()),
            TypeView::Unknown(_) => {
                let (x, y) = (self.solver.fresh(), self.solver.fresh());
                self.same(&pair.ty, &Type::pair(x.clone(), y.clone()), &Want::at(pair.span))?;
                (x, y)
            }
            _ => {
                let ty = self.shown(&pair.ty);
                return Err(Diagnostic::error(code::NOT_A_CONTAINER, format!("only pairs have halves, not `{ty}`"))
                    .at(pair.span, format!("has type `{ty}`"))
                    .help("`fst`, `snd`, `.1` and `.2` take a pair `(a, b)`")
                    .into());
            }
        };
        let pair = Box::new(pair);
        match first {
            true => self.found(TreeKind::Fst(pair), &x, span, expected, why),
            false => self.found(TreeKind::Snd(pair), &y, span, expected, why),
        }
    }

    fn ascribe(
        &mut self,
        e: &RawTerm,
        ty: &crate::syntax::raw::RawType,
        span: Span,
        expected: &Type,
        why: &Why,
    ) -> Result<Tree, Trouble> {
        let written = self.raw_type(ty)?;
        let mut tree = self.check(e, &written, &Why::new(ty.span, "the type that is written here"))?;
        if let TreeKind::Number(numeral) = &mut tree.kind {
            numeral.bare = false;
        }
        self.same(expected, &written, &why.want(span))?;
        Ok(tree)
    }

    fn derivative(&mut self, e: &RawTerm, span: Span, expected: &Type) -> Result<Tree, Trouble> {
        let inner = self.infer(e)?;
        self.put(Pending::Dual(inner.ty.clone(), expected.clone(), span))?;
        Ok(self.tree(TreeKind::D(Box::new(inner)), expected, span))
    }

    /// Settles what was put off: by what has become known, then by defaults, then by saying what can't be inferred.
    pub(super) fn settle(&mut self) -> Result<(), Trouble> {
        self.passes()?;
        let all = std::mem::take(&mut self.pending);
        for p in all {
            self.budget.tick()?;
            if self.attempt(&p, false)? == Fate::Done {
                continue;
            }
            let default = match &p {
                Pending::Number(ty, ..) => matches!(self.solver.head(ty).view(), TypeView::Unknown(_)),
                Pending::Arith(..) | Pending::Compare(..) | Pending::Minus(..) | Pending::Index(..) => true,
                _ => false,
            };
            if !default || self.attempt(&p, true)? == Fate::Wait {
                self.pending.push(p);
            }
        }
        self.passes()?;
        for p in std::mem::take(&mut self.pending) {
            if self.attempt(&p, true)? == Fate::Wait {
                return Err(diagnose::undetermined(pending_span(&p), "a type or size").into());
            }
        }
        Ok(())
    }

    /// Goes over what is pending, forwards and backwards in turn, until a pass changes nothing.
    fn passes(&mut self) -> Result<(), Trouble> {
        loop {
            let before = (self.solver.progress, self.pending.len());
            let mut all = std::mem::take(&mut self.pending);
            for p in &all {
                self.budget.tick()?;
                if self.attempt(p, false)? == Fate::Wait {
                    self.pending.push(p.clone());
                }
            }
            all = std::mem::take(&mut self.pending);
            all.reverse();
            for p in all {
                if self.attempt(&p, false)? == Fate::Wait {
                    self.pending.push(p);
                }
            }
            self.pending.reverse();
            if before == (self.solver.progress, self.pending.len()) {
                return Ok(());
            }
        }
    }
}

fn pending_span(p: &Pending) -> Span {
    match p {
        Pending::Sizes(_, _, want) => want.span,
        Pending::Dual(_, _, span)
        | Pending::Arith(_, span, ..)
        | Pending::Compare(_, span, ..)
        | Pending::Minus(span, ..)
        | Pending::Number(_, span, ..)
        | Pending::Bound(_, _, span, _) => *span,
        Pending::Index(_, operand) => operand.span,
    }
}

/// A definition's implicit parameters at some sizes and types.
pub(super) struct Instance<'a> {
    pub(super) def: &'a Definition,
    pub(super) sizes: &'a [Size],
    pub(super) types: &'a [Type],
}

impl Assignment for Instance<'_> {
    fn size(&self, atom: &Atom) -> Option<Size> {
        match atom {
            Atom::Var(name) => self.def.sizes.iter().position(|(n, _)| n == name).map(|k| self.sizes[k].clone()),
            Atom::Unknown(_) => None,
        }
    }
    fn ty(&self, leaf: &TypeView) -> Option<Type> {
        match leaf {
            TypeView::Var(name) => self.def.types.iter().position(|n| n == name).map(|k| self.types[k].clone()),
            _ => None,
        }
    }
}
