//! Infers applications: of functions, and of the words that are functions (primitives, `fst`, `ifold n`, `build n`).

use smallvec::{SmallVec, smallvec};

use super::loops::{flat_scatter, loop_word};
use super::{Expectation, Inference};
use crate::check::definition::{TypedTree, TypedTreeKind};
use crate::check::solve::{CheckMode, DeferredConstraint, MismatchReason, Requirement};
use crate::ground::{Diagnostic, Name, Span, Trouble, code, text::counted};
use crate::syntax::raw::{RawHead, RawIdent, RawParam, RawTerm, RawTermKind};
use crate::term::{Kind, MetaBindings, MetaType, Prim, Type, TypeView};

impl Inference<'_> {
    /// `f a b c`, all arguments at once.
    pub(in super::super) fn application(
        &mut self,
        raw: &RawTerm,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let mut arguments = Vec::new();
        let mut head = raw;
        while let RawTermKind::App(f, a) = &head.kind {
            arguments.push(&**a);
            head = f;
        }
        arguments.reverse();
        if let RawTermKind::Name(name) = &head.kind
            && self.is_loop(name, !arguments.is_empty())
            && let Some(flat) = flat_scatter(head, &arguments)
        {
            return self.application(&flat, expected, why);
        }
        let word = match &head.kind {
            RawTermKind::Name(name) if self.is_loop(name, !arguments.is_empty()) => {
                Some(loop_word(name, head.span, &mut arguments)?)
            }
            RawTermKind::Head(word) => Some(word.clone()),
            RawTermKind::Name(name) => self.open_word(name, !arguments.is_empty(), expected),
            _ => None,
        };
        if let Some(word) = &word {
            let arity = word_arity(word);
            let given = arguments.len().min(arity);
            let rest = arguments.split_off(given);
            if rest.is_empty() && given == arity {
                return self.word(word, &arguments, head.span, raw.span, expected, why);
            }
            let ty = self.solver.fresh();
            let tree = if given == arity {
                self.word(word, &arguments, head.span, raw.span, &ty, &Expectation::NONE)?
            } else {
                self.partial(word, &arguments, arity, head.span)?
            };
            return self.apply((tree, given, head.span), &rest, raw.span, expected, why);
        }
        if let RawTermKind::Name(name) = &head.kind
            && let Some(def) = self.by_first_of(name, arguments.len())
        {
            return self.by_first(&def, head.span, &arguments, raw.span, expected, why);
        }
        let function = self.infer(head)?;
        let at = function.span;
        self.apply((function, 0, at), &arguments, raw.span, expected, why)
    }

    /// The primitive, or `keep`, that a name stands for where nothing else is called so. Sizes are no functions, so that a
    /// name of one before an argument is a primitive; and in `term("…")` one that nothing binds is an open size, unless a
    /// function must stand there.
    pub(in super::super) fn open_word(&self, name: &Name, applied: bool, expected: &Type) -> Option<RawHead> {
        let taken = self.local(name).is_some() || (!applied && self.sizes.contains(name)) || self.scope.says(name);
        let word = if taken { None } else { RawHead::open(name.as_str()) }?;
        let guesses = !matches!(self.solver.mode, CheckMode::Definition | CheckMode::Prompt);
        let is_size = !applied && guesses && !self.solver.head(expected).is_function();
        (!is_size).then_some(word)
    }

    pub(in super::super) fn apply(
        &mut self,
        (mut function, given, head_span): (TypedTree, usize, Span),
        arguments: &[&RawTerm],
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        for (k, raw) in arguments.iter().enumerate() {
            let (from, to) = match self.solver.head(&function.ty).view() {
                TypeView::Fun(from, to) => (from.clone(), to.clone()),
                TypeView::Unknown(_) if !matches!(function.kind, TypedTreeKind::Number(_)) => {
                    let (from, to) = (self.solver.fresh(), self.solver.fresh());
                    self.solver.same(
                        &function.ty,
                        &Type::fun(from.clone(), to.clone()),
                        &Requirement::at(head_span),
                    )?;
                    (from, to)
                }
                _ => return Err(self.not_a_function(&function, head_span, raw.span, given + k).into()),
            };
            let argument =
                self.check(raw, &from, &Expectation::new(head_span, MismatchReason::Typed("takes", from.clone())))?;
            let so_far = head_span.to(raw.span);
            function = self.tree(TypedTreeKind::App(Box::new(function), Box::new(argument)), &to, so_far);
        }
        function.span = span;
        Ok(self.wanted(function, expected, &why.want(span))?)
    }

    fn not_a_function(&self, function: &TypedTree, head: Span, argument: Span, given: usize) -> Diagnostic {
        if let TypedTreeKind::Number(n) = &function.kind {
            return Diagnostic::error(code::NOT_A_FUNCTION, "a number is no function")
                .at(head, "is applied like a function")
                .because(argument, "is given to it as an argument")
                .help(format!("put an operator between the two: `{} * …`", n.text));
        }
        let ty = self.solver.shown(&function.ty);
        if given == 0 {
            return Diagnostic::error(code::NOT_A_FUNCTION, format!("`{ty}` is no function"))
                .at(head, format!("has type `{ty}`"))
                .because(argument, "is given to it as an argument")
                .help("put an operator or a comma between the two");
        }
        let arguments = counted(given, "argument");
        Diagnostic::error(code::NOT_A_FUNCTION, "too many arguments")
            .at(argument, format!("after {arguments} this is a `{ty}`, which takes none"))
            .because(head, format!("takes {arguments}"))
            .help("remove the argument, or put parentheses around an inner application")
    }

    /// A word that has all its arguments.
    fn word(
        &mut self,
        word: &RawHead,
        arguments: &[&RawTerm],
        head: Span,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        match word {
            RawHead::Keep => {
                let e = self.check(arguments[0], expected, why)?;
                Ok(self.tree(TypedTreeKind::Keep(Box::new(e)), expected, span))
            }
            RawHead::Pull => {
                let weight = self.solver.fresh();
                let said = MismatchReason::Said("`pull f w` takes `f : a -> b` and `w : b`, both made of reals");
                let function = Type::fun(expected.clone(), weight.clone());
                let f = self.check(arguments[0], &function, &Expectation::new(head, said.clone()))?;
                let w = self.check(arguments[1], &weight, &Expectation::new(head, said))?;
                self.solver.put(DeferredConstraint::Reals(expected.clone(), f.span))?;
                self.solver.put(DeferredConstraint::Reals(weight, w.span))?;
                Ok(self.tree(TypedTreeKind::Node(Kind::Pull, vec![f, w]), expected, span))
            }
            RawHead::Plus => {
                let said = Expectation::new(head, MismatchReason::Said("`plus a b` adds values of one type"));
                let (a, b) = (self.check(arguments[0], expected, &said)?, self.check(arguments[1], expected, &said)?);
                self.solver.put(DeferredConstraint::Reals(expected.clone(), span))?;
                Ok(self.tree(TypedTreeKind::Node(Kind::Plus, vec![a, b]), expected, span))
            }
            RawHead::Fst | RawHead::Snd => {
                let pair = self.infer(arguments[0])?;
                self.project(matches!(word, RawHead::Fst), pair, span, expected, why)
            }
            RawHead::Build(n) => {
                let (n, element) = (self.raw_size(n)?, self.solver.fresh());
                let ty = Type::array(n.clone(), element.clone());
                self.solver.same(expected, &ty, &why.want(span))?;
                let step = Type::fun(Type::fin(n.clone()), element);
                self.looping = Some(("build", 0));
                let f = self.check(
                    arguments[0],
                    &step,
                    &Expectation::new(head, MismatchReason::Said("`build n` takes a function from `fin n`")),
                )?;
                Ok(self.tree(TypedTreeKind::Node(Kind::Build(n), vec![f]), &ty, span))
            }
            RawHead::Ifold(n) => {
                let n = self.raw_size(n)?;
                let step = Type::fun(expected.clone(), Type::fun(Type::fin(n.clone()), expected.clone()));
                let z = self.check(arguments[1], expected, why)?;
                let because = Expectation::new(
                    head,
                    MismatchReason::Said("`ifold n f z` takes `f : a -> fin n -> a` and `z : a`"),
                );
                self.looping = Some(("ifold", 1));
                let f = self.check(arguments[0], &step, &because)?;
                Ok(self.tree(TypedTreeKind::Node(Kind::Ifold(n), vec![f, z]), expected, span))
            }
            RawHead::Scan(n, is_reversed) => {
                let (n, state, element) = (self.raw_size(n)?, self.solver.fresh(), self.solver.fresh());
                let ty = Type::pair(state.clone(), Type::array(n.clone(), element.clone()));
                self.solver.same(expected, &ty, &why.want(span))?;
                let z = self.check(arguments[1], &state, &Expectation::NONE)?;
                let stepped = Type::pair(state.clone(), element);
                let step = Type::fun(state, Type::fun(Type::fin(n.clone()), stepped));
                let said = match is_reversed {
                    false => "`scan n f z` takes `f : a -> fin n -> a * b` and `z : a`",
                    true => "`scanr n f z` takes `f : a -> fin n -> a * b` and `z : a`",
                };
                self.looping = Some((if *is_reversed { "scanr" } else { "scan" }, 1));
                let f = self.check(arguments[0], &step, &Expectation::new(head, MismatchReason::Said(said)))?;
                let kind = if *is_reversed { Kind::Scanr(n) } else { Kind::Scan(n) };
                Ok(self.tree(TypedTreeKind::Node(kind, vec![f, z]), &ty, span))
            }
            RawHead::Scatter(places, rounds) => {
                let (places, rounds) = (self.raw_size(places)?, self.raw_size(rounds)?);
                let value = self.solver.fresh();
                let ty = Type::array(places.clone(), value.clone());
                self.solver.same(expected, &ty, &why.want(span))?;
                let entry = Type::pair(Type::int(), value.clone());
                let step = Type::fun(Type::fin(rounds.clone()), entry);
                let said = MismatchReason::Said(
                    "`scatter n m f` takes `f : fin m -> int * a`, an index and what is added there",
                );
                self.looping = Some(("scatter", 0));
                let f = self.check(arguments[0], &step, &Expectation::new(head, said))?;
                self.solver.put(DeferredConstraint::Reals(value, f.span))?;
                Ok(self.tree(TypedTreeKind::Node(Kind::Scatter(rounds, places), vec![f]), &ty, span))
            }
            RawHead::Prim(op) => self.primitive(*op, arguments, head, span, expected, why),
        }
    }

    fn primitive(
        &mut self,
        op: Prim,
        arguments: &[&RawTerm],
        head: Span,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let because = Expectation::new(head, MismatchReason::Said("works on `real`"));
        let mut operands = Vec::new();
        for (k, raw) in arguments.iter().enumerate() {
            if op.takes(k).any(|ty| *ty != MetaType::Real) {
                let tree = self.infer(raw)?;
                let operand = self.operand(&tree);
                self.solver.put(DeferredConstraint::Index(op, operand))?;
                operands.push(tree);
            } else {
                operands.push(self.check(raw, &Type::real(), &because)?);
            }
        }
        let result = op.overloads()[0].result().known(&MetaBindings::default());
        let ty = result.unwrap_or_else(|| self.solver.fresh());
        self.found(TypedTreeKind::Node(Kind::Prim(op), operands), &ty, span, expected, why)
    }

    /// A word with too few arguments is the function of the rest; what is given is bound by `let`. No word takes more
    /// than two, so the names that are bound here can capture nothing.
    fn partial(
        &mut self,
        word: &RawHead,
        arguments: &[&RawTerm],
        arity: usize,
        head: Span,
    ) -> Result<TypedTree, Trouble> {
        let names: SmallVec<[&str; 2]> = match word {
            RawHead::Ifold(_) | RawHead::Scan(..) => smallvec!["f", "z"],
            RawHead::Build(_) | RawHead::Scatter(..) => smallvec!["f"],
            RawHead::Fst | RawHead::Snd => smallvec!["p"],
            RawHead::Keep => smallvec!["x"],
            RawHead::Pull => smallvec!["f", "w"],
            RawHead::Plus => smallvec!["a", "b"],
            RawHead::Prim(op) => {
                let is_real = |k| op.takes(k).all(|ty| *ty == MetaType::Real);
                (0..arity).map(|k| if is_real(k) { ["x", "y"][k] } else { ["i", "k"][k] }).collect()
            }
        };
        let at = |kind| RawTerm { kind, span: head };
        let param = |name: &&str| RawParam { name: RawIdent { name: Name::new(name), span: head }, ty: None };
        let whole = names.iter().fold(at(RawTermKind::Head(word.clone())), |f, name| {
            at(RawTermKind::App(Box::new(f), Box::new(at(RawTermKind::Name(Name::new(name))))))
        });
        let mut term = at(RawTermKind::Fun(names[arguments.len()..].iter().map(param).collect(), Box::new(whole)));
        if let [given] = arguments {
            term = at(RawTermKind::Let(param(&names[0]), Box::new((*given).clone()), Box::new(term)));
        }
        self.infer(&term)
    }
}

fn word_arity(word: &RawHead) -> usize {
    match word {
        RawHead::Prim(p) => p.arity(),
        RawHead::Keep | RawHead::Fst | RawHead::Snd | RawHead::Build(_) | RawHead::Scatter(..) => 1,
        RawHead::Ifold(_) | RawHead::Scan(..) | RawHead::Pull | RawHead::Plus => 2,
    }
}
